//! What an address of the caller's is: a block of the device, memory that was registered, or any other of the host.

use std::ffi::c_void;
use std::sync::{Arc, OnceLock};

use super::error::Error;
use super::pointer::host_bytes;
use super::runtime::Runtime;
use super::table::Handle;
use super::task::Task;
use crate::device::{HeapError, Kind, Level};

/// How HIP calls a failure of the heap.
pub fn heap_error(error: &HeapError) -> Error {
    match error {
        HeapError::OutOfMemory { .. } | HeapError::HostRefuses { .. } | HeapError::Injected => {
            Error::OutOfMemory
        }
        HeapError::Lost => Error::NoDevice,
        HeapError::NoBlock { .. } => Error::InvalidValue,
        HeapError::Unmappable(_) => Error::HostMemoryAlreadyRegistered,
    }
}

impl Runtime {
    /// Allocates memory; 0 bytes are at no address.
    pub fn allocate(&self, name: &str, size: usize, kind: Kind) -> Result<u64, Error> {
        self.check()?;
        if size == 0 {
            return Ok(0);
        }
        self.device.allocate(name, size as u64, kind).map_err(|error| {
            self.device.log.write(Level::Errors, || error.to_string());
            heap_error(&error)
        })
    }

    /// Frees memory after all work that was submitted.
    pub fn free(&self, address: u64) -> Result<(), Error> {
        if address == 0 {
            return Ok(());
        }
        let _ = self.synchronize_all();
        let size = self.device.heap.find(address).map_or(0, |block| block.size);
        self.device.heap.free(address).map_err(|error| heap_error(&error))?;
        if let Some(pool) = self.leave_pool(address) {
            pool.give(size);
        }
        Ok(())
    }

    /// Where bytes lie. Those that begin in a block and leave it are at fault.
    fn place(&self, address: u64, size: u64) -> Result<Place, Error> {
        match self.device.heap.find(address) {
            None => Ok(Place::Host),
            Some(block) if (address - block.address).saturating_add(size) <= block.size => {
                Ok(Place::Block)
            }
            Some(block) => {
                self.device.log.write(Level::Errors, || {
                    let (name, has, at) = (&block.name, block.size, address - block.address);
                    format!("{size} bytes from byte {at} of `{name}` on, which has {has}")
                });
                Err(Error::InvalidValue)
            }
        }
    }

    /// Copies in the order of a stream. Host memory that the device does not know is read before this returns, and
    /// written before this returns.
    ///
    /// # Safety
    /// What is not the device's is readable or writable memory of the host.
    pub unsafe fn copy(
        &self,
        stream: Handle,
        destination: u64,
        source: u64,
        size: usize,
        kind: Direction,
    ) -> Result<(), Error> {
        if size == 0 {
            return Ok(());
        }
        let places = self.places(destination, source, size)?;
        kind.check(places)?;
        match places {
            (_, Place::Block) => {
                // SAFETY: the caller promises it.
                let task = unsafe { self.copy_task(destination, source, size)? };
                self.submit(stream, task)?;
            }
            (Place::Block, Place::Host) => {
                let into = Arc::new(OnceLock::new());
                let task = Task::Read { source, size, into: Arc::clone(&into) };
                self.submit(stream, task)?.wait();
                self.check()?;
                let bytes = into.get().ok_or(Error::Unknown)?;
                // SAFETY: the caller promises it, and `bytes` has that many.
                unsafe { (destination as *mut u8).copy_from(bytes.as_ptr(), bytes.len()) };
            }
            (Place::Host, Place::Host) => {
                self.synchronize(stream)?;
                // SAFETY: the caller promises both; they may overlap.
                unsafe { (destination as *mut u8).copy_from(source as *const u8, size) };
            }
        }
        Ok(())
    }

    /// The task of a copy to the device.
    ///
    /// # Safety
    /// The source is the device's, or readable memory of the host.
    pub unsafe fn copy_task(
        &self,
        destination: u64,
        source: u64,
        size: usize,
    ) -> Result<Task, Error> {
        match self.places(destination, source, size)? {
            (Place::Block, Place::Block) => {
                Ok(Task::Copy { destination, source, size: size as u64 })
            }
            (Place::Host, Place::Block) => {
                // SAFETY: the caller promises it.
                let bytes = unsafe { host_bytes(source as *const c_void, size) };
                Ok(Task::Write { destination, bytes: Arc::new(bytes) })
            }
            (_, Place::Host) => Err(Error::NotSupported),
        }
    }

    /// Where a copy's source and destination lie.
    fn places(&self, destination: u64, source: u64, size: usize) -> Result<(Place, Place), Error> {
        if destination == 0 || source == 0 {
            return Err(Error::InvalidValue);
        }
        Ok((self.place(source, size as u64)?, self.place(destination, size as u64)?))
    }

    /// Fills memory of the device with a pattern of 1, 2 or 4 bytes, in the order of a stream.
    pub fn fill(&self, stream: Handle, fill: Fill) -> Result<(), Error> {
        if fill.count == 0 {
            return Ok(());
        }
        let task = self.fill_task(&fill)?;
        self.submit(stream, task).map(|_| ())
    }

    /// The task of a fill.
    pub fn fill_task(&self, fill: &Fill) -> Result<Task, Error> {
        let width = fill.width;
        let size = fill.count.checked_mul(width).ok_or(Error::InvalidValue)?;
        if !matches!(width, 1 | 2 | 4) || !fill.destination.is_multiple_of(width as u64) {
            return Err(Error::InvalidValue);
        }
        match self.place(fill.destination, size as u64)? {
            Place::Host => Err(Error::InvalidValue),
            Place::Block => Ok(Task::Fill {
                destination: fill.destination,
                pattern: fill.value.to_le_bytes()[..width].to_vec(),
                count: fill.count,
            }),
        }
    }
}

/// A fill of memory.
#[derive(Debug, Clone, Copy)]
pub struct Fill {
    pub destination: u64,
    pub value: u32,
    /// Bytes of the pattern.
    pub width: usize,
    pub count: usize,
}

/// Where bytes lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In memory that kernels may touch.
    Block,
    /// Elsewhere.
    Host,
}

/// `hipMemcpyKind`: what the caller says of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direction(pub u32);

impl Direction {
    pub const TO_DEVICE: Direction = Direction(1);
    pub const TO_HOST: Direction = Direction(2);
    pub const WITHIN: Direction = Direction(3);

    /// Fails for numbers that name nothing, and where a place is said to be the device's and is not.
    fn check(self, (source, destination): (Place, Place)) -> Result<(), Error> {
        let (from_device, to_device) = match self.0 {
            0 | 4 => (false, false),
            1 => (false, true),
            2 => (true, false),
            3 | 1024 => (true, true),
            _ => return Err(Error::InvalidMemcpyDirection),
        };
        let is_wrong = |said: bool, place: Place| said && place == Place::Host;
        if is_wrong(from_device, source) || is_wrong(to_device, destination) {
            return Err(Error::InvalidValue);
        }
        Ok(())
    }
}
