//! The allocations as one launch sees them.

use std::cell::Cell;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex};

use super::allocation::Allocation;
use super::{AccessError, Map, Place};

/// The allocations at one moment. What was freed since then is at fault; what was added is not there.
#[derive(Debug)]
pub struct View {
    map: Arc<Map>,
    /// Where the last access was: most go to the same allocation.
    last: Cell<usize>,
    wide: Arc<Mutex<()>>,
}

impl View {
    pub(super) fn new(map: Arc<Map>, wide: Arc<Mutex<()>>) -> Self {
        View { map, last: Cell::new(0), wide }
    }

    /// Writes bytes.
    pub fn write(&self, address: u64, bytes: &[u8]) -> Result<(), AccessError> {
        let (allocation, offset) = self.find(address, bytes.len())?;
        allocation.write(offset, bytes);
        Ok(())
    }

    /// Reads bytes, whether written or not.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), AccessError> {
        let (allocation, offset) = self.find(address, bytes.len())?;
        allocation.read(offset, bytes);
        Ok(())
    }

    /// The words that hold those bytes, and where in the first word's bytes they begin; none when no allocation does.
    pub(crate) fn words(&self, address: u64, size: usize) -> Option<(&[AtomicU32], usize)> {
        let (allocation, offset) = self.find(address, size).ok()?;
        Some(allocation.words_at(offset, size))
    }

    /// Remembers that bytes were written, where that is remembered.
    pub(crate) fn mark(&self, address: u64, size: usize) {
        if let Ok((allocation, offset)) = self.find(address, size) {
            allocation.mark(offset, size);
        }
    }

    /// Fails when no allocation holds all the bytes.
    pub fn check(&self, address: u64, size: usize) -> Result<(), AccessError> {
        self.find(address, size).map(|_| ())
    }

    /// Fails when one of the bytes was never written.
    pub fn check_written(&self, address: u64, size: usize) -> Result<(), AccessError> {
        let (allocation, offset) = self.find(address, size)?;
        match allocation.first_unwritten(offset, size) {
            None => Ok(()),
            Some(byte) => {
                Err(AccessError::Unwritten { name: allocation.name.clone(), offset: byte as u64 })
            }
        }
    }

    /// Replaces 4 or 8 bytes by what `update` makes of them, at once. Returns what was there.
    pub fn update(
        &self,
        address: u64,
        size: usize,
        update: impl Fn(u64) -> u64,
    ) -> Result<u64, AccessError> {
        if !address.is_multiple_of(size as u64) {
            return Err(AccessError::Misaligned { address, alignment: size as u64 });
        }
        let (allocation, offset) = self.find(address, size)?;
        if size == 4 {
            return Ok(allocation.update_word(offset, update));
        }
        if let Some(old) = allocation.update_pair(offset, &update) {
            return Ok(old);
        }
        let _guard = self.wide.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut bytes = [0; 8];
        allocation.read(offset, &mut bytes);
        let old = u64::from_le_bytes(bytes);
        allocation.write(offset, &update(old).to_le_bytes());
        Ok(old)
    }

    /// The allocation that holds an address.
    pub(super) fn place(&self, address: u64) -> Option<Place> {
        self.find(address, 1).ok()?;
        let (base, allocation) = &self.map[self.last.get()];
        Some(Place { name: allocation.name.clone(), address: *base, size: allocation.size })
    }

    /// The allocation that holds those bytes, and where in it they begin.
    fn find(&self, address: u64, size: usize) -> Result<(&Allocation, usize), AccessError> {
        let holds = |(base, allocation): &(u64, Arc<Allocation>)| {
            address >= *base && (address - base).saturating_add(size as u64) <= allocation.size
        };
        let index = match self.map.get(self.last.get()).filter(|entry| holds(entry)) {
            Some(_) => self.last.get(),
            None => {
                let after = self.map.partition_point(|entry| entry.0 <= address);
                let index = after.checked_sub(1).filter(|&index| holds(&self.map[index]));
                index.ok_or_else(|| self.outside(address, size))?
            }
        };
        self.last.set(index);
        let (base, allocation) = &self.map[index];
        if allocation.is_freed() {
            return Err(self.outside(address, size));
        }
        Ok((allocation, (address - base) as usize))
    }

    pub(super) fn outside(&self, address: u64, size: usize) -> AccessError {
        let after = self.map.partition_point(|entry| entry.0 <= address);
        let near = match after.checked_sub(1).map(|before| &self.map[before]) {
            Some((_, before)) if before.is_freed() => {
                format!("; `{}` was freed while the kernel ran", before.name)
            }
            Some((base, before)) => format!(
                "; `{}` before it ({base:#x}) has {} bytes, and this is byte {}",
                before.name,
                before.size,
                address - base
            ),
            None => String::new(),
        };
        AccessError::Outside { address, size, near }
    }
}
