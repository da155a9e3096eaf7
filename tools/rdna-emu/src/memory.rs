//! Device memory: allocations with names, at addresses of their own.
//!
//! Every access is checked against the allocations; between two of them lies a gap that belongs to none. The contents
//! are atomic words, so that workgroups may run on several threads; a race of the kernel is then a race of values,
//! never undefined behaviour of the emulator.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// Where the first allocation lies. The upper half is neither that of LDS nor that of scratch.
const FIRST: u64 = 0x7000_0000_0000;
/// Allocations begin at multiples of this, and at least as much lies between two.
const ALIGNMENT: u64 = 0x1000;

/// An access outside of what is allocated, or of what was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccessError {
    /// No allocation holds all the bytes.
    #[error("{size} bytes at {address:#x} are not in any allocation{near}")]
    Outside {
        /// The first byte.
        address: u64,
        /// How many.
        size: usize,
        /// The allocation before it, as text that follows.
        near: String,
    },
    /// A byte that nobody has written is read.
    #[error("byte {offset} of `{name}` is read, but nobody has written it")]
    Unwritten {
        /// The allocation, or `LDS`, or `scratch`.
        name: String,
        /// The first such byte.
        offset: u64,
    },
    /// An address that an instruction does not take.
    #[error("address {address:#x} is not a multiple of {alignment}")]
    Misaligned {
        /// The address.
        address: u64,
        /// What it should be a multiple of.
        alignment: u64,
    },
}

/// A piece of memory.
#[derive(Debug)]
struct Allocation {
    name: String,
    size: u64,
    words: Vec<AtomicU32>,
    /// One bit for each byte that was written.
    written: Vec<AtomicU32>,
}

/// All that kernels may touch.
#[derive(Debug, Default)]
pub struct Memory {
    allocations: BTreeMap<u64, Allocation>,
    /// Held during an atomic operation of 64 bits, which is two words here.
    wide: Mutex<()>,
}

impl Memory {
    /// No allocations.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `size` bytes that nobody has written (they read as zero). Returns their address.
    pub fn allocate(&mut self, name: &str, size: usize) -> u64 {
        let end = self.allocations.last_key_value().map_or(FIRST, |(base, last)| base + last.size);
        let base = end.next_multiple_of(ALIGNMENT) + ALIGNMENT;
        let word = || AtomicU32::new(0);
        let allocation = Allocation {
            name: name.to_owned(),
            size: size as u64,
            words: std::iter::repeat_with(word).take(size.div_ceil(4)).collect(),
            written: std::iter::repeat_with(word).take(size.div_ceil(32)).collect(),
        };
        self.allocations.insert(base, allocation);
        base
    }

    /// Adds a copy of `bytes`.
    pub fn allocate_from(&mut self, name: &str, bytes: &[u8]) -> u64 {
        let address = self.allocate(name, bytes.len());
        self.write(address, bytes).expect("the allocation was just made");
        address
    }

    /// Takes an allocation away; what accesses it later is at fault.
    pub fn free(&mut self, address: u64) -> Result<(), AccessError> {
        match self.allocations.remove(&address) {
            Some(_) => Ok(()),
            None => Err(self.outside(address, 0)),
        }
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

    /// Reads bytes into a vector.
    pub fn read_vec(&self, address: u64, size: usize) -> Result<Vec<u8>, AccessError> {
        let mut bytes = vec![0; size];
        self.read(address, &mut bytes)?;
        Ok(bytes)
    }

    /// Fails when one of the bytes was never written.
    pub fn check_written(&self, address: u64, size: usize) -> Result<(), AccessError> {
        let (allocation, offset) = self.find(address, size)?;
        let unwritten = (offset..offset + size).find(|byte| {
            allocation.written[byte / 32].load(Ordering::Relaxed) >> (byte % 32) & 1 == 0
        });
        match unwritten {
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
        allocation.mark(offset, size);
        if size == 4 {
            let word = &allocation.words[offset / 4];
            let change = |old: u32| Some(update(u64::from(old)) as u32);
            let old = word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change);
            return Ok(u64::from(old.expect("the change is always made")));
        }
        let _guard = self.wide.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut bytes = [0; 8];
        allocation.read(offset, &mut bytes);
        let old = u64::from_le_bytes(bytes);
        allocation.write(offset, &update(old).to_le_bytes());
        Ok(old)
    }

    /// The allocation that holds those bytes, and where in it they begin.
    fn find(&self, address: u64, size: usize) -> Result<(&Allocation, usize), AccessError> {
        match self.allocations.range(..=address).next_back() {
            Some((base, allocation))
                if (address - base).saturating_add(size as u64) <= allocation.size =>
            {
                Ok((allocation, (address - base) as usize))
            }
            _ => Err(self.outside(address, size)),
        }
    }

    fn outside(&self, address: u64, size: usize) -> AccessError {
        let near = match self.allocations.range(..=address).next_back() {
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

impl Allocation {
    fn read(&self, offset: usize, bytes: &mut [u8]) {
        if offset.is_multiple_of(4) && bytes.len().is_multiple_of(4) {
            for (index, chunk) in bytes.chunks_exact_mut(4).enumerate() {
                let word = self.words[offset / 4 + index].load(Ordering::Relaxed);
                chunk.copy_from_slice(&word.to_le_bytes());
            }
            return;
        }
        for (index, byte) in bytes.iter_mut().enumerate() {
            let at = offset + index;
            *byte = self.words[at / 4].load(Ordering::Relaxed).to_le_bytes()[at % 4];
        }
    }

    fn write(&self, offset: usize, bytes: &[u8]) {
        self.mark(offset, bytes.len());
        if offset.is_multiple_of(4) && bytes.len().is_multiple_of(4) {
            for (index, chunk) in bytes.chunks_exact(4).enumerate() {
                let word = u32::from_le_bytes(chunk.try_into().expect("chunks of four"));
                self.words[offset / 4 + index].store(word, Ordering::Relaxed);
            }
            return;
        }
        for (index, &byte) in bytes.iter().enumerate() {
            let (word, shift) = ((offset + index) / 4, 8 * ((offset + index) % 4));
            let replace = |old: u32| Some(old & !(0xff << shift) | u32::from(byte) << shift);
            let _ = self.words[word].fetch_update(Ordering::Relaxed, Ordering::Relaxed, replace);
        }
    }

    /// Remembers that bytes were written.
    fn mark(&self, offset: usize, size: usize) {
        let mut byte = offset;
        while byte < offset + size {
            let count = (32 - byte % 32).min(offset + size - byte);
            let mask = ((1u64 << count) - 1) as u32;
            let bits = &self.written[byte / 32];
            let mask = mask << (byte % 32);
            // Most writes go where something was written before: reading is cheaper.
            if bits.load(Ordering::Relaxed) & mask != mask {
                bits.fetch_or(mask, Ordering::Relaxed);
            }
            byte += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_are_held_to_the_allocations() {
        let mut memory = Memory::new();
        let a = memory.allocate_from("a", &[1, 2, 3, 4, 5, 6]);
        let b = memory.allocate("b", 8);
        assert_eq!(memory.read_vec(a + 1, 5), Ok(vec![2, 3, 4, 5, 6]));
        let error = memory.read_vec(a + 4, 4).unwrap_err().to_string();
        assert!(error.contains("`a`") && error.contains("has 6 bytes"), "{error}");
        assert!(memory.read_vec(a - 1, 1).is_err());
        memory.write(b + 3, &[7; 3]).unwrap();
        assert!(memory.check_written(b + 3, 3).is_ok());
        let unwritten = AccessError::Unwritten { name: "b".to_owned(), offset: 2 };
        assert_eq!(memory.check_written(b + 2, 4), Err(unwritten));
        memory.free(a).unwrap();
        assert!(memory.read_vec(a, 1).is_err());
    }

    #[test]
    fn updates_return_what_was_there() {
        let mut memory = Memory::new();
        let a = memory.allocate_from("a", &7u64.to_le_bytes());
        assert_eq!(memory.update(a, 4, |old| old + 1), Ok(7));
        assert_eq!(memory.update(a, 8, |old| old << 32), Ok(8));
        assert_eq!(memory.read_vec(a, 8).unwrap(), (8u64 << 32).to_le_bytes());
        assert!(matches!(memory.update(a + 4, 8, |old| old), Err(AccessError::Misaligned { .. })));
    }
}
