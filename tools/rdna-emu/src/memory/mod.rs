//! Device memory: allocations with names.
//!
//! Every access is checked against the allocations; between two of them lies a gap that belongs to none. The contents
//! are atomic words, so that workgroups may run on several threads; a race of the kernel is then a race of values,
//! never undefined behaviour of the emulator.
//!
//! Allocations come and go while kernels run: a launch works on a [`View`], the allocations as they were when it began.
//! What is freed meanwhile is at fault all the same.

mod allocation;
mod view;

use std::sync::{Arc, Mutex, RwLock};

use allocation::Allocation;
pub use view::View;

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
    /// A region of the host cannot be mapped where it should.
    #[error("`{name}` cannot be mapped at {address:#x} ({size} bytes): {reason}")]
    Unmappable {
        /// The region.
        name: String,
        /// Its first byte.
        address: u64,
        /// Its bytes.
        size: u64,
        /// Why.
        reason: String,
    },
}

/// Memory of the host that kernels may touch at its own addresses.
pub trait Region: Send + Sync + std::fmt::Debug {
    /// Its words, from the last multiple of 4 at or before its first byte on.
    fn words(&self) -> &[std::sync::atomic::AtomicU32];

    /// Replaces the 8 bytes of words `index` and `index + 1` at once, also as the host sees it, and returns what was
    /// there. None where that is not offered: the emulator's own lock then orders such updates among kernels only.
    fn update_pair(&self, index: usize, update: &dyn Fn(u64) -> u64) -> Option<u64> {
        let _ = (index, update);
        None
    }
}

/// What an allocation is called and where it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// Its first byte.
    pub address: u64,
    /// Its bytes.
    pub size: u64,
}

/// The allocations, by their addresses.
type Map = Vec<(u64, Arc<Allocation>)>;

/// All that kernels may touch.
#[derive(Debug)]
pub struct Memory {
    /// Copied when it changes while a view holds it.
    allocations: RwLock<Arc<Map>>,
    /// Where the next allocation may begin.
    next: Mutex<u64>,
    /// Held during an atomic operation of 64 bits, which is two words here.
    wide: Arc<Mutex<()>>,
}

impl Default for Memory {
    fn default() -> Self {
        Memory { allocations: RwLock::default(), next: Mutex::new(FIRST), wide: Arc::default() }
    }
}

impl Memory {
    /// No allocations.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `size` bytes that nobody has written (they read as zero). Returns their address.
    pub fn allocate(&self, name: &str, size: usize) -> u64 {
        let base = {
            let mut next = self.next.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let base = next.next_multiple_of(ALIGNMENT) + ALIGNMENT;
            *next = base + size as u64;
            base
        };
        self.insert(base, Allocation::own(name, size)).expect("no one else allocates there");
        base
    }

    /// Adds a copy of `bytes`.
    pub fn allocate_from(&self, name: &str, bytes: &[u8]) -> u64 {
        let address = self.allocate(name, bytes.len());
        self.write(address, bytes).expect("the allocation was just made");
        address
    }

    /// Lets kernels touch `size` bytes of the host from `address` on. With `tracks_written` they begin as written by
    /// nobody, and only writes through the emulator count; else all of them count as written.
    ///
    /// Fails when some of them are mapped already, or when the region has too few words.
    pub fn map(
        &self,
        name: &str,
        address: u64,
        size: u64,
        region: Arc<dyn Region>,
        tracks_written: bool,
    ) -> Result<(), AccessError> {
        let unmappable = |reason: String| AccessError::Unmappable {
            name: name.to_owned(),
            address,
            size,
            reason,
        };
        let words = (address % 4).checked_add(size).map(|bytes| bytes.div_ceil(4));
        let found = region.words().len() as u64;
        if words.is_none_or(|words| words > found) || address.checked_add(size).is_none() {
            return Err(unmappable(format!("its region has {found} words")));
        }
        let allocation = Allocation::mapped(name, address, size, region, tracks_written);
        self.insert(address, allocation).map_err(|other| {
            unmappable(format!(
                "`{}` lies there ({:#x}, {} bytes)",
                other.name, other.address, other.size
            ))
        })
    }

    /// Takes an allocation or a mapped region away; what accesses it later is at fault, running kernels too.
    pub fn free(&self, address: u64) -> Result<(), AccessError> {
        let mut allocations = self.allocations.write().unwrap_or_else(|p| p.into_inner());
        match allocations.binary_search_by_key(&address, |entry| entry.0) {
            Ok(index) => {
                let (_, allocation) = Arc::make_mut(&mut allocations).remove(index);
                allocation.end();
                Ok(())
            }
            Err(_) => {
                drop(allocations);
                Err(self.view().outside(address, 0))
            }
        }
    }

    /// The allocations as they are now.
    pub fn view(&self) -> View {
        let allocations = self.allocations.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        View::new(Arc::clone(&allocations), Arc::clone(&self.wide))
    }

    /// The allocation that holds an address.
    pub fn place(&self, address: u64) -> Option<Place> {
        self.view().place(address)
    }

    /// Writes bytes.
    pub fn write(&self, address: u64, bytes: &[u8]) -> Result<(), AccessError> {
        self.view().write(address, bytes)
    }

    /// Reads bytes, whether written or not.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), AccessError> {
        self.view().read(address, bytes)
    }

    /// Reads bytes into a vector.
    pub fn read_vec(&self, address: u64, size: usize) -> Result<Vec<u8>, AccessError> {
        let view = self.view();
        // Before the vector is made: an absurd size must be an error, not an end of the host's memory.
        view.check(address, size)?;
        let mut bytes = vec![0; size];
        view.read(address, &mut bytes)?;
        Ok(bytes)
    }

    /// Fails when one of the bytes was never written.
    pub fn check_written(&self, address: u64, size: usize) -> Result<(), AccessError> {
        self.view().check_written(address, size)
    }

    /// Replaces 4 or 8 bytes by what `update` makes of them, at once. Returns what was there.
    pub fn update(
        &self,
        address: u64,
        size: usize,
        update: impl Fn(u64) -> u64,
    ) -> Result<u64, AccessError> {
        self.view().update(address, size, update)
    }

    /// Adds an allocation; fails with the one that lies in its way.
    fn insert(&self, base: u64, allocation: Allocation) -> Result<(), Place> {
        let mut allocations = self.allocations.write().unwrap_or_else(|p| p.into_inner());
        let at = allocations.partition_point(|entry| entry.0 < base);
        let before = at.checked_sub(1).map(|before| &allocations[before]);
        let before = before.filter(|(start, other)| start + other.size > base);
        let after = allocations.get(at).filter(|(start, _)| *start < base + allocation.size.max(1));
        if let Some((start, other)) = before.or(after) {
            return Err(Place { name: other.name.clone(), address: *start, size: other.size });
        }
        Arc::make_mut(&mut allocations).insert(at, (base, Arc::new(allocation)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn accesses_are_held_to_the_allocations() {
        let memory = Memory::new();
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
        let view = memory.view();
        memory.free(a).unwrap();
        assert!(memory.read_vec(a, 1).is_err());
        assert!(view.read(a, &mut [0]).is_err(), "also by who began before");
        assert!(memory.free(a).is_err());
    }

    #[test]
    fn every_alignment_reads_and_writes_the_same_bytes() {
        let memory = Memory::new();
        for first in 0..5 {
            for size in 0..12 {
                let at = memory.allocate_from("a", &[0xee; 20]);
                let bytes: Vec<u8> = (1..=size).collect();
                memory.write(at + first, &bytes).unwrap();
                let all = memory.read_vec(at, 20).unwrap();
                assert_eq!(memory.read_vec(at + first, size.into()).unwrap(), bytes);
                let (before, after) = (first as usize, first as usize + size as usize);
                assert!(all[..before].iter().chain(&all[after..]).all(|byte| *byte == 0xee));
            }
        }
    }

    #[test]
    fn updates_return_what_was_there() {
        let memory = Memory::new();
        let a = memory.allocate_from("a", &7u64.to_le_bytes());
        assert_eq!(memory.update(a, 4, |old| old + 1), Ok(7));
        assert_eq!(memory.update(a, 8, |old| old << 32), Ok(8));
        assert_eq!(memory.read_vec(a, 8).unwrap(), (8u64 << 32).to_le_bytes());
        assert!(matches!(memory.update(a + 4, 8, |old| old), Err(AccessError::Misaligned { .. })));
    }

    #[derive(Debug)]
    struct Words(Vec<AtomicU32>);

    impl Region for Words {
        fn words(&self) -> &[AtomicU32] {
            &self.0
        }
    }

    fn words(count: usize) -> Arc<Words> {
        Arc::new(Words((0..count).map(|_| AtomicU32::new(0x0403_0201)).collect()))
    }

    #[test]
    fn a_mapped_region_is_the_hosts_memory_within_its_bytes() {
        let memory = Memory::new();
        let region = words(4);
        // From the third byte of the first word on.
        memory.map("host", 0x1002, 9, region.clone(), false).unwrap();
        assert_eq!(memory.read_vec(0x1002, 4), Ok(vec![3, 4, 1, 2]));
        memory.write(0x1003, &[9; 6]).unwrap();
        let found: Vec<u32> =
            region.0.iter().map(|word| word.load(std::sync::atomic::Ordering::Relaxed)).collect();
        assert_eq!(found, [0x0903_0201, 0x0909_0909, 0x0403_0209, 0x0403_0201]);
        assert_eq!(memory.update(0x1004, 4, |_| 5), Ok(0x0909_0909));
        assert!(memory.check_written(0x1002, 9).is_ok(), "the host may have written it");
        assert!(memory.read_vec(0x1001, 1).is_err());
        assert!(memory.read_vec(0x100a, 2).is_err());
        assert!(matches!(memory.read_vec(0x1002, usize::MAX), Err(AccessError::Outside { .. })));
    }

    #[test]
    fn regions_do_not_overlap_and_have_enough_words() {
        let memory = Memory::new();
        memory.map("first", 0x2000, 16, words(4), true).unwrap();
        assert!(memory.check_written(0x2000, 4).is_err(), "it is tracked");
        for (address, size, count) in
            [(0x2000, 4, 1), (0x200f, 4, 2), (0x1ff0, 17, 5), (0x3000, 5, 1), (u64::MAX, 4, 4)]
        {
            let result = memory.map("second", address, size, words(count), false);
            assert!(matches!(result, Err(AccessError::Unmappable { .. })), "{address:#x}");
        }
        memory.map("second", 0x2010, 16, words(4), false).unwrap();
        assert_eq!(memory.place(0x2011).unwrap().name, "second");
        memory.free(0x2000).unwrap();
        memory.map("third", 0x2000, 16, words(4), false).unwrap();
        assert!(memory.read_vec(0x200e, 4).is_err(), "neighbours are not one");
    }
}
