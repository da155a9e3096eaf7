//! Code objects that were loaded, and their kernels by the addresses that packets carry.

use std::sync::{Arc, Mutex};

use tyto_rdna_emu::Code;
use tyto_rdna_emu::object::{Kernel, ObjectError};

use super::heap::{HeapError, Kind};
use super::{Device, lock};

/// Why a code object cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is not one that can be run.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// There is no memory for it.
    #[error(transparent)]
    Memory(#[from] HeapError),
}

/// A code object in memory.
#[derive(Debug)]
pub struct Loaded {
    /// Its code.
    pub code: Code,
    /// Where its image lies.
    pub address: u64,
    /// The image's bytes.
    pub size: u64,
}

impl Loaded {
    /// A symbol's address and bytes.
    pub fn symbol(&self, name: &str) -> Option<(u64, u64)> {
        let symbol = self.code.module.symbols.iter().find(|symbol| symbol.name == name)?;
        Some((self.address + symbol.offset as u64, symbol.size as u64))
    }

    /// The address of a kernel's descriptor.
    pub fn descriptor(&self, kernel: &Kernel) -> u64 {
        self.address + kernel.descriptor_offset as u64
    }

    fn holds(&self, address: u64) -> bool {
        address.wrapping_sub(self.address) < self.size
    }
}

/// The code objects that are loaded.
#[derive(Debug, Default)]
pub struct CodeRegistry {
    loaded: Mutex<Vec<Arc<Loaded>>>,
}

impl CodeRegistry {
    /// Loads a code object into memory of the device.
    pub(super) fn load(&self, file: &[u8], device: &Device) -> Result<Arc<Loaded>, LoadError> {
        let mut placed = Err(HeapError::NoBlock { address: 0 });
        let mut size = 0;
        let code = Code::load_at(file, &device.memory, |bytes| {
            size = bytes as u64;
            placed = device.allocate("code", size, Kind::Code);
            placed.as_ref().ok().copied()
        });
        match (code, placed) {
            (Ok(code), Ok(address)) => {
                let loaded = Arc::new(Loaded { code, address, size });
                lock(&self.loaded).push(Arc::clone(&loaded));
                Ok(loaded)
            }
            (Err(ObjectError::NoMemory { .. }), Err(error)) => Err(error.into()),
            (Err(error), placed) => {
                if let Ok(address) = placed {
                    device.heap.free(address)?;
                }
                Err(error.into())
            }
            (Ok(_), Err(error)) => Err(error.into()),
        }
    }

    /// Forgets a code object and frees its image. Launches that run keep its instructions.
    pub fn unload(&self, loaded: &Arc<Loaded>, device: &Device) -> Result<(), HeapError> {
        let mut all = lock(&self.loaded);
        let before = all.len();
        all.retain(|other| !Arc::ptr_eq(other, loaded));
        if all.len() == before {
            return Err(HeapError::NoBlock { address: loaded.address });
        }
        device.heap.free(loaded.address)
    }

    /// The code object whose image holds an address.
    pub fn find(&self, address: u64) -> Option<Arc<Loaded>> {
        lock(&self.loaded).iter().find(|loaded| loaded.holds(address)).map(Arc::clone)
    }

    /// The code object with a kernel whose descriptor lies there. [`Code::kernel_at`] then gives the kernel.
    pub fn of_descriptor(&self, address: u64) -> Option<Arc<Loaded>> {
        self.find(address).filter(|loaded| loaded.code.kernel_at(address).is_some())
    }

    /// The code object with a kernel whose first instruction lies there. [`Code::kernel_of_entry`] then gives the
    /// kernel.
    pub fn of_entry(&self, address: u64) -> Option<Arc<Loaded>> {
        self.find(address).filter(|loaded| loaded.code.kernel_of_entry(address).is_some())
    }
}
