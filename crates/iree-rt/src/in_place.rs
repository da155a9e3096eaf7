//! Parameters that a GPU reads in the pages in which their file is mapped.
//!
//! Compiled code asks for its parameters in memory of the device. IREE's own provider offers a driver
//! the mapped pages first, and is refused for that word alone: pages of the host can become memory
//! of the host that the device reaches, and nothing else. This provider asks for that. What a driver
//! refuses even so is IREE's to copy.

use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::{Arc, OnceLock};

use tyto_iree_runtime_sys as sys;

use crate::handle::{HalBuffer, ParameterProvider};
use crate::parameters::{ParameterEntry, range};
use crate::status::{check, text};
use crate::{Error, MappedFile};

/// Why parameters were copied after all; empty if they were not.
pub(crate) type Refusal = Arc<OnceLock<String>>;

/// What IREE holds. It has one reference count and one table of functions, like IREE's own.
#[repr(C)]
struct InPlace {
    /// What IREE knows of it: first, so that both have one address.
    base: sys::iree_io_parameter_provider_t,
    /// IREE's own, which copies.
    copying: ParameterProvider,
    entries: HashMap<String, ParameterEntry>,
    refusal: Refusal,
}

static FUNCTIONS: sys::iree_io_parameter_provider_vtable_t =
    sys::iree_io_parameter_provider_vtable_t {
        destroy: Some(destroy),
        notify: Some(notify),
        query_support: Some(query_support),
        load: Some(load),
        gather: Some(gather),
        scatter: Some(scatter),
    };

/// A provider of `entries` in place, and of what `copying` has where that is refused.
pub(crate) fn provider(
    copying: ParameterProvider,
    entries: Vec<ParameterEntry>,
    refusal: Refusal,
) -> ParameterProvider {
    let entries = entries.into_iter().map(|entry| (entry.name.clone(), entry)).collect();
    let base = sys::iree_io_parameter_provider_t { ref_count: 1, vtable: &FUNCTIONS };
    let whole = Box::into_raw(Box::new(InPlace { base, copying, entries, refusal }));
    ParameterProvider::from_raw(whole.cast())
}

impl InPlace {
    /// Buffers over all parameters that `enumerator` lists.
    fn buffers(
        &self,
        device: *mut sys::iree_hal_device_t,
        wanted: sys::iree_hal_buffer_params_t,
        count: usize,
        enumerator: sys::iree_io_parameter_enumerator_t,
    ) -> Result<Vec<HalBuffer>, String> {
        let next = enumerator.fn_.expect("IREE passes a function");
        let buffer = |index| {
            let mut key = sys::iree_string_view_t::default();
            let mut span = sys::iree_io_parameter_span_t::default();
            // SAFETY: the function and its data are IREE's, for the time of this call; the pointers
            // are to locals.
            let status = unsafe { next(enumerator.user_data, index, &mut key, &mut span) };
            check(status, || "listing parameters".to_owned()).map_err(|e| e.to_string())?;
            let name = text(key);
            let entry = self.entries.get(&name).ok_or(format!("no parameter {name}"))?;
            let part = |bytes| part(bytes, span).ok_or(format!("{name} is shorter than its type"));
            let bytes = range(entry).map_err(|e| e.to_string()).and_then(part)?;
            import(device, wanted, bytes, &entry.file).map_err(|e| e.to_string())
        };
        (0..count).map(buffer).collect()
    }
}

/// The bytes of a parameter that a program asks for.
fn part(bytes: &[u8], span: sys::iree_io_parameter_span_t) -> Option<&[u8]> {
    let begin = usize::try_from(span.parameter_offset).ok()?;
    bytes.get(begin..begin.checked_add(span.length)?)
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

/// What `provider` made, borrowed for a call of one of [`FUNCTIONS`].
///
/// # Safety
///
/// IREE passes a provider only to the functions of its own table.
unsafe fn own<'a>(provider: *mut sys::iree_io_parameter_provider_t) -> &'a InPlace {
    // SAFETY: the box lives until `destroy`; its address is its first field's.
    unsafe { &*provider.cast::<InPlace>() }
}

unsafe extern "C" fn destroy(provider: *mut sys::iree_io_parameter_provider_t) {
    // SAFETY: called once, with the box that `provider` gave up.
    drop(unsafe { Box::from_raw(provider.cast::<InPlace>()) });
}

unsafe extern "C" fn notify(
    provider: *mut sys::iree_io_parameter_provider_t,
    signal: sys::iree_io_parameter_provider_signal_t,
) -> sys::iree_status_t {
    // SAFETY: IREE's arguments are handed on.
    unsafe { sys::iree_io_parameter_provider_notify(own(provider).copying.raw(), signal) }
}

unsafe extern "C" fn query_support(
    provider: *mut sys::iree_io_parameter_provider_t,
    scope: sys::iree_string_view_t,
) -> bool {
    // SAFETY: as above.
    unsafe { sys::iree_io_parameter_provider_query_support(own(provider).copying.raw(), scope) }
}

unsafe extern "C" fn load(
    provider: *mut sys::iree_io_parameter_provider_t,
    device: *mut sys::iree_hal_device_t,
    queue_affinity: sys::iree_hal_queue_affinity_t,
    wait: sys::iree_hal_semaphore_list_t,
    signal: sys::iree_hal_semaphore_list_t,
    scope: sys::iree_string_view_t,
    wanted: sys::iree_hal_buffer_params_t,
    count: sys::iree_host_size_t,
    enumerator: sys::iree_io_parameter_enumerator_t,
    emitter: sys::iree_io_parameter_emitter_t,
) -> sys::iree_status_t {
    // SAFETY: as `own` says.
    let own = unsafe { own(provider) };
    let buffers = match own.buffers(device, wanted, count, enumerator) {
        Ok(buffers) => buffers,
        Err(why) => {
            own.refusal.get_or_init(|| why);
            // SAFETY: IREE's arguments are handed on; listing parameters twice is allowed.
            return unsafe {
                sys::iree_io_parameter_provider_load(
                    own.copying.raw(),
                    device,
                    queue_affinity,
                    wait,
                    signal,
                    scope,
                    wanted,
                    count,
                    enumerator,
                    emitter,
                )
            };
        }
    };
    let emit = emitter.fn_.expect("IREE passes a function");
    for (index, buffer) in buffers.iter().enumerate() {
        // SAFETY: the function and its data are IREE's, for the time of this call; it retains the
        // buffer.
        let status = unsafe { emit(emitter.user_data, index, buffer.raw()) };
        if !status.is_null() {
            return status;
        }
    }
    // Nothing is to be done, in the order that IREE asks for.
    // SAFETY: the device and the lists are IREE's.
    unsafe { sys::iree_hal_device_queue_barrier(device, queue_affinity, wait, signal, 0) }
}

unsafe extern "C" fn gather(
    provider: *mut sys::iree_io_parameter_provider_t,
    device: *mut sys::iree_hal_device_t,
    queue_affinity: sys::iree_hal_queue_affinity_t,
    wait: sys::iree_hal_semaphore_list_t,
    signal: sys::iree_hal_semaphore_list_t,
    scope: sys::iree_string_view_t,
    target: *mut sys::iree_hal_buffer_t,
    count: sys::iree_host_size_t,
    enumerator: sys::iree_io_parameter_enumerator_t,
) -> sys::iree_status_t {
    // SAFETY: IREE's arguments are handed on.
    unsafe {
        sys::iree_io_parameter_provider_gather(
            own(provider).copying.raw(),
            device,
            queue_affinity,
            wait,
            signal,
            scope,
            target,
            count,
            enumerator,
        )
    }
}

unsafe extern "C" fn scatter(
    provider: *mut sys::iree_io_parameter_provider_t,
    device: *mut sys::iree_hal_device_t,
    queue_affinity: sys::iree_hal_queue_affinity_t,
    wait: sys::iree_hal_semaphore_list_t,
    signal: sys::iree_hal_semaphore_list_t,
    source: *mut sys::iree_hal_buffer_t,
    scope: sys::iree_string_view_t,
    count: sys::iree_host_size_t,
    enumerator: sys::iree_io_parameter_enumerator_t,
) -> sys::iree_status_t {
    // SAFETY: IREE's arguments are handed on.
    unsafe {
        sys::iree_io_parameter_provider_scatter(
            own(provider).copying.raw(),
            device,
            queue_affinity,
            wait,
            signal,
            source,
            scope,
            count,
            enumerator,
        )
    }
}
