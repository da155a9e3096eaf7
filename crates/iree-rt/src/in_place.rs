//! Parameters that a GPU reads in the pages in which their file is mapped.
//!
//! Compiled code asks for its parameters in memory of the device. IREE's own provider offers a driver
//! the mapped pages first, and is refused for that word alone: pages of the host can become memory
//! of the host that the device reaches, and nothing else. This one asks for that. What a driver
//! refuses even so is IREE's to copy.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use tyto_iree_runtime_sys as sys;

use crate::handle::HalBuffer;
use crate::parameters::{ParameterEntry, range};
use crate::provider::{Asked, Before};
use crate::{Error, MappedFile, memory};

/// Why parameters were copied after all; empty if they were not.
pub(crate) type Refusal = Arc<OnceLock<String>>;

/// Parameters in mapped files.
pub(crate) struct InPlace {
    entries: HashMap<String, ParameterEntry>,
    refusal: Refusal,
}

impl InPlace {
    pub(crate) fn new(entries: Vec<ParameterEntry>, refusal: Refusal) -> InPlace {
        let entries = entries.into_iter().map(|entry| (entry.name.clone(), entry)).collect();
        InPlace { entries, refusal }
    }

    /// A buffer over one parameter.
    fn buffer(
        &self,
        device: *mut sys::iree_hal_device_t,
        wanted: sys::iree_hal_buffer_params_t,
        asked: &Asked,
    ) -> Result<HalBuffer, String> {
        let name = &asked.name;
        let entry = self.entries.get(name).ok_or_else(|| format!("no parameter {name}"))?;
        let bytes = range(entry).map_err(|e| e.to_string())?;
        let bytes = part(bytes, asked).ok_or_else(|| format!("{name} is shorter than its type"))?;
        import(device, wanted, bytes, &entry.file).map_err(|e| e.to_string())
    }
}

impl Before for InPlace {
    fn buffers(
        &self,
        device: *mut sys::iree_hal_device_t,
        wanted: sys::iree_hal_buffer_params_t,
        asked: &[Asked],
    ) -> Option<Vec<HalBuffer>> {
        let buffers = asked.iter().map(|asked| self.buffer(device, wanted, asked));
        let buffers: Result<Vec<HalBuffer>, String> = buffers.collect();
        buffers.map_err(|why| drop(self.refusal.set(why))).ok()
    }
}

/// The bytes of a parameter that a program asks for.
fn part<'a>(bytes: &'a [u8], asked: &Asked) -> Option<&'a [u8]> {
    let begin = usize::try_from(asked.offset).ok()?;
    bytes.get(begin..begin.checked_add(asked.length)?)
}

/// A buffer over mapped bytes, which keeps their file mapped.
fn import(
    device: *mut sys::iree_hal_device_t,
    wanted: sys::iree_hal_buffer_params_t,
    bytes: &[u8],
    file: &MappedFile,
) -> Result<HalBuffer, Error> {
    let reached = sys::iree_hal_memory_type_bits_t_IREE_HAL_MEMORY_TYPE_HOST_LOCAL
        | sys::iree_hal_memory_type_bits_t_IREE_HAL_MEMORY_TYPE_DEVICE_VISIBLE;
    let parameters =
        sys::iree_hal_buffer_params_t { type_: reached as sys::iree_hal_memory_type_t, ..wanted };
    let place = std::ptr::from_ref(bytes).cast_mut();
    // SAFETY: the device is live; the bytes are mapped as long as there is a clone of their file, and
    // kernels only read parameters.
    unsafe {
        let allocator = sys::iree_hal_device_allocator(device);
        memory::import(allocator, parameters, place, file.clone(), || {
            format!("using {} where it is mapped", file.path().display())
        })
    }
}
