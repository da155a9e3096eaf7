//! The host's memory that kernels may touch: what is handed out, and what callers lock.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tyto_rdna_emu::{AccessError, Memory};

use super::budget::Budget;
use super::host::{HostMemory, PAGE};
use super::lock;

/// Why memory cannot be given, taken back or locked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum HeapError {
    /// The device has no more.
    #[error(
        "{size} bytes for `{name}` are more than the device has left: {used} of {total} are in use"
    )]
    OutOfMemory {
        /// What they are for.
        name: String,
        /// How many.
        size: u64,
        /// The bytes in use.
        used: u64,
        /// All bytes.
        total: u64,
    },
    /// The host has no more.
    #[error("the host has no {size} bytes for `{name}`")]
    HostRefuses {
        /// What they are for.
        name: String,
        /// How many.
        size: u64,
    },
    /// It was asked to fail.
    #[error("out of memory, as TYTO_EMU_FAULT asks for")]
    Injected,
    /// The device is lost.
    #[error("the device is lost")]
    Lost,
    /// No block begins there.
    #[error("no block of the device begins at {address:#x}")]
    NoBlock {
        /// The address.
        address: u64,
    },
    /// It cannot be mapped for kernels.
    #[error(transparent)]
    Unmappable(#[from] AccessError),
}

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The device's own memory.
    Vram,
    /// The host's memory that the device uses.
    Gtt,
    /// A code object's image, in the device's own memory.
    Code,
    /// The caller's memory, locked. Not counted.
    Locked,
}

/// A block of memory.
#[derive(Debug, Clone)]
pub struct Block {
    /// Its name.
    pub name: String,
    /// Its first byte.
    pub address: u64,
    /// Its bytes, as they were asked for.
    pub size: u64,
    /// What it is.
    pub kind: Kind,
    /// How often it was locked and not yet unlocked; 1 for what was allocated.
    pub uses: u32,
    memory: Arc<HostMemory>,
}

impl Block {
    /// What is counted of it: whole pages.
    fn cost(&self) -> u64 {
        cost(self.size, self.kind)
    }
}

fn cost(size: u64, kind: Kind) -> u64 {
    if kind == Kind::Locked { 0 } else { size.checked_next_multiple_of(PAGE).unwrap_or(u64::MAX) }
}

/// The blocks.
#[derive(Debug)]
pub struct Heap {
    memory: Arc<Memory>,
    budget: Arc<Budget>,
    blocks: Mutex<BTreeMap<u64, Block>>,
}

impl Heap {
    /// A heap whose blocks kernels reach through `memory`.
    pub fn new(memory: Arc<Memory>, budget: Arc<Budget>) -> Self {
        Heap { memory, budget, blocks: Mutex::default() }
    }

    /// How much there is, and is used.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Makes a block of zeros at a page's beginning, and returns its address. The host may touch it too.
    pub fn allocate(&self, name: &str, size: u64, kind: Kind) -> Result<u64, HeapError> {
        self.allocate_tracked(name, size, kind, false)
    }

    /// The same; with `tracks_written`, reading bytes that were not written through [`Memory`] may be made a fault.
    pub fn allocate_tracked(
        &self,
        name: &str,
        size: u64,
        kind: Kind,
        tracks_written: bool,
    ) -> Result<u64, HeapError> {
        let taken = cost(size, kind);
        if !self.budget.take(taken) {
            let (used, total) = (self.budget.used(), self.budget.total());
            return Err(HeapError::OutOfMemory { name: name.to_owned(), size, used, total });
        }
        let block = HostMemory::map(size)
            .ok_or_else(|| HeapError::HostRefuses { name: name.to_owned(), size })
            .map(|memory| Block {
                name: name.to_owned(),
                address: memory.address(),
                size,
                kind,
                uses: 1,
                memory: Arc::new(memory),
            });
        let added = block.and_then(|block| self.add(block, tracks_written));
        if added.is_err() {
            self.budget.give(taken);
        }
        added
    }

    fn add(&self, block: Block, tracks_written: bool) -> Result<u64, HeapError> {
        let (address, memory) = (block.address, block.memory.clone());
        self.memory.map(&block.name, address, block.size, memory, tracks_written)?;
        lock(&self.blocks).insert(address, block);
        Ok(address)
    }

    /// Takes an allocated block back; what kernels do with it later is a fault. Its memory ends with the last launch
    /// that began before.
    pub fn free(&self, address: u64) -> Result<(), HeapError> {
        let mut blocks = lock(&self.blocks);
        match blocks.get(&address) {
            Some(block) if block.kind != Kind::Locked => {}
            _ => return Err(HeapError::NoBlock { address }),
        }
        let block = blocks.remove(&address).ok_or(HeapError::NoBlock { address })?;
        self.memory.free(address)?;
        self.budget.give(block.cost());
        Ok(())
    }

    /// Lets kernels touch bytes of the caller. Those that a block already holds are only counted. Fails when they
    /// overlap a block without lying in it.
    ///
    /// # Safety
    /// The bytes' pages stay mapped, readable and writable, until they are unlocked and the launches that run then
    /// have ended.
    pub unsafe fn lock(&self, name: &str, address: u64, size: u64) -> Result<(), HeapError> {
        let mut blocks = lock(&self.blocks);
        let before = blocks.range_mut(..=address).next_back();
        if let Some((_, block)) = before.filter(|(start, block)| {
            (address - *start).checked_add(size).is_some_and(|end| end <= block.size)
        }) {
            block.uses += 1;
            return Ok(());
        }
        drop(blocks);
        let memory = Arc::new(
            // SAFETY: the caller promises it.
            unsafe { HostMemory::borrowed(address, size) },
        );
        let name = name.to_owned();
        self.add(Block { name, address, size, kind: Kind::Locked, uses: 1, memory }, false)?;
        Ok(())
    }

    /// Undoes one lock of bytes that begin there.
    pub fn unlock(&self, address: u64) -> Result<(), HeapError> {
        let mut blocks = lock(&self.blocks);
        let block = blocks.range_mut(..=address).next_back().map(|(_, block)| block);
        let block = block
            .filter(|block| address - block.address < block.size.max(1))
            .ok_or(HeapError::NoBlock { address })?;
        match (block.kind, block.uses) {
            // An allocation has one use of its own.
            (Kind::Locked, 1) => {
                let first = block.address;
                blocks.remove(&first);
                self.memory.free(first)?;
                Ok(())
            }
            (Kind::Locked, _) | (_, 2..) => {
                block.uses -= 1;
                Ok(())
            }
            _ => Err(HeapError::NoBlock { address }),
        }
    }

    /// The block that holds an address.
    pub fn find(&self, address: u64) -> Option<Block> {
        let blocks = lock(&self.blocks);
        let (start, block) = blocks.range(..=address).next_back()?;
        (address - start < block.size).then(|| block.clone())
    }

    /// The memory of an allocated block, which lasts as long as someone holds it, freed or not.
    pub fn memory(&self, address: u64) -> Option<Arc<HostMemory>> {
        lock(&self.blocks).get(&address).map(|block| Arc::clone(&block.memory))
    }

    /// Every block.
    pub fn blocks(&self) -> Vec<Block> {
        lock(&self.blocks).values().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heap(total: u64) -> Heap {
        Heap::new(Arc::new(Memory::new()), Arc::new(Budget::new(total)))
    }

    #[test]
    fn blocks_are_the_hosts_and_the_kernels_at_one_address() {
        let heap = heap(1 << 20);
        let address = heap.allocate("a", 100, Kind::Vram).unwrap();
        heap.memory.write(address + 96, &[1, 2, 3, 4]).unwrap();
        // SAFETY: the block is there, has 100 bytes, and no other thread knows of it.
        let found = unsafe { std::slice::from_raw_parts((address + 96) as *const u8, 4) };
        assert_eq!(found, [1, 2, 3, 4]);
        assert!(heap.memory.read_vec(address + 97, 4).is_err(), "behind the end");
        assert_eq!(heap.find(address + 99).unwrap().name, "a");
        assert!(heap.find(address + 100).is_none());
        heap.free(address).unwrap();
        assert!(heap.memory.read_vec(address, 1).is_err());
        assert_eq!(heap.free(address), Err(HeapError::NoBlock { address }));
    }

    #[test]
    fn the_budget_is_held_in_pages_and_given_back() {
        let heap = heap(3 * PAGE);
        let first = heap.allocate("a", PAGE + 1, Kind::Vram).unwrap();
        heap.allocate("b", 1, Kind::Gtt).unwrap();
        let error = heap.allocate("c", 1, Kind::Code).unwrap_err();
        assert!(
            matches!(error, HeapError::OutOfMemory { used, .. } if used == 3 * PAGE),
            "{error}"
        );
        assert!(matches!(
            heap.allocate("d", u64::MAX, Kind::Vram),
            Err(HeapError::OutOfMemory { .. })
        ));
        heap.free(first).unwrap();
        heap.allocate("c", 2 * PAGE, Kind::Vram).unwrap();
        assert_eq!(heap.budget().most(), 3 * PAGE);
    }

    #[test]
    fn locked_bytes_end_with_the_last_unlock() {
        let heap = heap(0);
        let bytes = [5u8; 64];
        let address = bytes.as_ptr() as u64;
        // SAFETY: the bytes live to the end of the test.
        let lock = |at: u64, size: u64| unsafe { heap.lock("bytes", at, size) };
        lock(address + 3, 10).unwrap();
        assert_eq!(heap.memory.read_vec(address + 3, 10), Ok(vec![5; 10]));
        assert!(heap.memory.read_vec(address + 2, 1).is_err());
        lock(address + 5, 4).unwrap();
        assert!(matches!(lock(address + 8, 20), Err(HeapError::Unmappable(_))));
        assert_eq!(heap.free(address + 3), Err(HeapError::NoBlock { address: address + 3 }));
        heap.unlock(address + 5).unwrap();
        assert!(heap.memory.read_vec(address + 3, 1).is_ok());
        heap.unlock(address + 3).unwrap();
        assert!(heap.memory.read_vec(address + 3, 1).is_err());
        assert!(heap.unlock(address + 3).is_err());
    }

    #[test]
    fn locking_what_was_allocated_only_counts() {
        let heap = heap(PAGE);
        let address = heap.allocate("a", 64, Kind::Gtt).unwrap();
        // SAFETY: the block is not freed before the test's end.
        unsafe { heap.lock("again", address, 64) }.unwrap();
        heap.unlock(address).unwrap();
        assert!(heap.unlock(address).is_err(), "its own use is not a lock");
        assert!(heap.memory.read_vec(address, 64).is_ok());
    }
}
