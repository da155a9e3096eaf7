//! Kernels and their launches.

use std::ffi::c_void;
use std::sync::Arc;

use tyto_rdna_emu::object::Kernel;
use tyto_rdna_emu::{
    Dispatch, Grid, LaunchError, Pointers, Value, argument_block, check_grid, dispatch_packet,
};

use super::error::Error;
use super::pointer::{In, host_bytes};
use crate::device::{Device, Level, Loaded};

/// Bytes of a cache line.
const ARGUMENT_LINE: usize = 64;

/// A kernel of a loaded module.
#[derive(Debug, Clone)]
pub struct Function {
    pub loaded: Arc<Loaded>,
    index: usize,
}

impl Function {
    /// The kernel of that name, if the module has it.
    pub fn named(loaded: &Arc<Loaded>, name: &str) -> Option<Self> {
        let kernels = &loaded.code.module.kernels;
        let index = kernels.iter().position(|kernel| kernel.metadata.name == name)?;
        Some(Function { loaded: Arc::clone(loaded), index })
    }

    /// What the code object says of it.
    pub fn kernel(&self) -> &Kernel {
        &self.loaded.code.module.kernels[self.index]
    }
}

/// A kernel with a shape and its arguments, ready to run any number of times.
#[derive(Debug)]
pub struct Launch {
    function: Function,
    grid: Grid,
    arguments: Vec<u8>,
}

/// The shape of a launch as HIP gives it.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub blocks: [u32; 3],
    pub threads: [u32; 3],
    pub dynamic_lds: u32,
}

impl Shape {
    fn grid(self) -> Result<Grid, Error> {
        let mut work_items = [0; 3];
        for (axis, items) in work_items.iter_mut().enumerate() {
            let product = self.blocks[axis].checked_mul(self.threads[axis]);
            *items = product.filter(|&items| items > 0).ok_or(Error::InvalidConfiguration)?;
        }
        Ok(Grid { work_items, workgroup: self.threads, dynamic_lds: self.dynamic_lds })
    }
}

/// Where a launch's arguments are: an array with the address of each, or a block that is described by `extra`.
#[derive(Debug, Clone, Copy)]
pub struct Arguments {
    pub each: In<*const c_void>,
    pub extra: In<*const c_void>,
}

/// The keys in `extra`.
const BUFFER_POINTER: usize = 1;
const BUFFER_SIZE: usize = 2;
const END: usize = 3;

impl Launch {
    /// Reads the arguments, which the caller may change afterwards.
    pub fn new(
        device: &Device,
        function: &Function,
        shape: Shape,
        arguments: Arguments,
    ) -> Result<Self, Error> {
        let kernel = function.kernel();
        let grid = shape.grid()?;
        let refused = |error: LaunchError, code| {
            device.log.write(Level::Errors, || error.to_string());
            code
        };
        check_grid(kernel, &grid).map_err(|error| refused(error, Error::InvalidConfiguration))?;
        let values = if arguments.extra.is_null() {
            each(kernel, arguments.each)?
        } else {
            block(kernel, arguments.extra)?
        };
        let mut arguments = argument_block(kernel, &grid, &values)
            .map_err(|error| refused(error, Error::InvalidValue))?;
        // ROCm's blocks of arguments are whole cache lines, and LLVM counts on it: it loads 28 bytes
        // of arguments as eight words.
        arguments.resize(arguments.len().next_multiple_of(ARGUMENT_LINE), 0);
        Ok(Launch { function: function.clone(), grid, arguments })
    }

    /// The kernel's name.
    pub fn name(&self) -> &str {
        &self.function.kernel().metadata.name
    }

    /// Runs it.
    pub fn run(&self, device: &Device) -> Result<(), LaunchError> {
        let kernel = self.function.kernel();
        let memory = &device.memory;
        let pointers = Pointers {
            kernarg: memory.allocate_from("kernel arguments", &self.arguments),
            packet: memory.allocate_from("dispatch packet", &dispatch_packet(kernel, &self.grid)),
            ..Pointers::default()
        };
        let launch = Dispatch { kernel, grid: self.grid, pointers, scratch_size: 0, user: None };
        let result = device.run(&self.function.loaded, &launch);
        for address in [pointers.packet, pointers.kernarg] {
            memory.free(address).expect("it was just allocated");
        }
        result.map(|_| ())
    }
}

fn explicit(kernel: &Kernel) -> impl Iterator<Item = &tyto_rdna_emu::object::Argument> {
    kernel.metadata.arguments.iter().filter(|argument| !argument.is_hidden())
}

fn each(kernel: &Kernel, addresses: In<*const c_void>) -> Result<Vec<Value>, Error> {
    let read = |(index, argument): (usize, &tyto_rdna_emu::object::Argument)| {
        let address = addresses.at(index)?;
        if address.is_null() {
            return Err(Error::InvalidValue);
        }
        // SAFETY: not null, so the caller promises an argument of the kernel's there, which has that many bytes.
        Ok(Value(unsafe { host_bytes(address, argument.size) }))
    };
    explicit(kernel).enumerate().map(read).collect()
}

fn block(kernel: &Kernel, extra: In<*const c_void>) -> Result<Vec<Value>, Error> {
    let (mut address, mut size) = (std::ptr::null(), 0);
    let mut at = 0;
    loop {
        match extra.at(at)? as usize {
            END => break,
            BUFFER_POINTER => address = extra.at(at + 1)?,
            BUFFER_SIZE => size = In::at_address(extra.at(at + 1)?.cast::<usize>()).get()?,
            _ => return Err(Error::InvalidValue),
        }
        at += 2;
    }
    if address.is_null() || size > kernel.metadata.kernarg_size.max(1 << 12) {
        return Err(Error::InvalidValue);
    }
    // SAFETY: not null, so the caller promises as many bytes there as it says.
    let bytes = unsafe { host_bytes(address, size) };
    let value = |argument: &tyto_rdna_emu::object::Argument| {
        let value = bytes.get(argument.offset..).and_then(|rest| rest.get(..argument.size));
        value.map(|value| Value(value.to_vec())).ok_or(Error::InvalidValue)
    };
    explicit(kernel).map(value).collect()
}
