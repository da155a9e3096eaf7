//! Parameters that a GPU reads in the pages in which their file is mapped.
//!
//! Compiled code asks for its parameters in memory of the device. IREE's own provider offers a driver
//! the mapped pages first, and is refused for that word alone: pages of the host can become memory
//! of the host that the device reaches, and nothing else. This one asks for that. What a driver
//! refuses even so is IREE's to copy.

use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::{Arc, OnceLock};

use tyto_iree_runtime_sys as sys;

use crate::handle::HalBuffer;
use crate::parameters::{ParameterEntry, range};
use crate::provider::{Asked, Before};
use crate::status::check;
use crate::{Error, MappedFile};

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
    let mut external = sys::iree_hal_external_buffer_t {
        type_: sys::iree_hal_external_buffer_type_e_IREE_HAL_EXTERNAL_BUFFER_TYPE_HOST_ALLOCATION,
        size: bytes.len(),
        ..Default::default()
    };
    external.handle.host_allocation.ptr = bytes.as_ptr().cast_mut().cast();
    let keep = Box::into_raw(Box::new(file.clone()));
    let release =
        sys::iree_hal_buffer_release_callback_t { fn_: Some(unmap), user_data: keep.cast() };
    let mut raw = null_mut();
    // SAFETY: the device is live; the bytes are mapped until IREE calls the release function, and
    // kernels only read parameters.
    let status = unsafe {
        let allocator = sys::iree_hal_device_allocator(device);
        sys::iree_hal_allocator_import_buffer(
            allocator,
            parameters,
            &mut external,
            release,
            &mut raw,
        )
    };
    if !status.is_null() {
        // SAFETY: on failure IREE does not call the release function, so it is still ours.
        drop(unsafe { Box::from_raw(keep) });
    }
    check(status, || format!("using {} where it is mapped", file.path().display()))?;
    Ok(HalBuffer::from_raw(raw))
}

/// Called once, when the last user of a buffer is gone.
unsafe extern "C" fn unmap(user_data: *mut c_void, _buffer: *mut sys::iree_hal_buffer_t) {
    // SAFETY: `user_data` is the box that `import` gave up.
    drop(unsafe { Box::from_raw(user_data.cast::<MappedFile>()) });
}
