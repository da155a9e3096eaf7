//! Providers of parameters that stand before IREE's own.
//!
//! IREE asks a provider for a scope's parameters once for each program that is loaded. One of ours may
//! have buffers for them already; what it has not, IREE's own provider makes.

use std::ffi::c_void;

use tyto_iree_runtime_sys as sys;

use crate::Error;
use crate::handle::{HalBuffer, ParameterProvider};
use crate::status::{check, text};

/// A parameter, or a part of one, that a program asks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Asked {
    /// Its name in the scope.
    pub(crate) name: String,
    /// The first byte of the parameter that is asked for.
    pub(crate) offset: u64,
    /// Bytes.
    pub(crate) length: usize,
}

/// What stands before IREE's own provider.
pub(crate) trait Before: Send + Sync {
    /// Buffers for all that is asked for, in this order; `None` leaves it to IREE's own.
    fn buffers(
        &self,
        device: *mut sys::iree_hal_device_t,
        wanted: sys::iree_hal_buffer_params_t,
        asked: &[Asked],
    ) -> Option<Vec<HalBuffer>>;

    /// IREE's own provider has made this one.
    fn note(&self, _asked: &Asked, _buffer: HalBuffer) {}
}

/// What IREE holds. It has one reference count and one table of functions, like IREE's own.
#[repr(C)]
struct Provider<B> {
    /// What IREE knows of it: first, so that both have one address.
    base: sys::iree_io_parameter_provider_t,
    /// IREE's own, or another of ours before it.
    inner: ParameterProvider,
    before: B,
}

/// A provider of what `before` has, and of what `inner` has for the rest.
pub(crate) fn provider<B: Before>(inner: ParameterProvider, before: B) -> ParameterProvider {
    let base =
        sys::iree_io_parameter_provider_t { ref_count: 1, vtable: &Provider::<B>::FUNCTIONS };
    let whole = Box::into_raw(Box::new(Provider { base, inner, before }));
    ParameterProvider::from_raw(whole.cast())
}

impl<B: Before> Provider<B> {
    const FUNCTIONS: sys::iree_io_parameter_provider_vtable_t =
        sys::iree_io_parameter_provider_vtable_t {
            destroy: Some(destroy::<B>),
            notify: Some(notify::<B>),
            query_support: Some(query_support::<B>),
            load: Some(load::<B>),
            gather: Some(gather::<B>),
            scatter: Some(scatter::<B>),
        };
}

/// All that `enumerator` lists.
fn list(
    count: usize,
    enumerator: sys::iree_io_parameter_enumerator_t,
) -> Result<Vec<Asked>, Error> {
    let next = enumerator.fn_.expect("IREE passes a function");
    let asked = |index| {
        let mut key = sys::iree_string_view_t::default();
        let mut span = sys::iree_io_parameter_span_t::default();
        // SAFETY: the function and its data are IREE's, for the time of the call; the pointers are to
        // locals.
        let status = unsafe { next(enumerator.user_data, index, &mut key, &mut span) };
        check(status, || "listing parameters".to_owned())?;
        Ok(Asked { name: text(key), offset: span.parameter_offset, length: span.length })
    };
    (0..count).map(asked).collect()
}

/// Who hears of a buffer before IREE does.
struct Listener<'a, B> {
    before: &'a B,
    asked: &'a [Asked],
    emitter: sys::iree_io_parameter_emitter_t,
}

/// Notes a buffer that the inner provider has made, and hands it on.
unsafe extern "C" fn emit<B: Before>(
    user_data: *mut c_void,
    index: sys::iree_host_size_t,
    buffer: *mut sys::iree_hal_buffer_t,
) -> sys::iree_status_t {
    // SAFETY: `load` passes its own listener, for the time of its call.
    let listener = unsafe { &*user_data.cast::<Listener<'_, B>>() };
    // SAFETY: IREE passes a live buffer; the owner gets a reference of its own.
    let own = unsafe {
        sys::iree_hal_buffer_retain(buffer);
        HalBuffer::from_raw(buffer)
    };
    listener.before.note(&listener.asked[index], own);
    let next = listener.emitter.fn_.expect("IREE passes a function");
    // SAFETY: IREE's function with IREE's data.
    unsafe { next(listener.emitter.user_data, index, buffer) }
}

/// What `provider` made, borrowed for a call of one of its functions.
///
/// # Safety
///
/// IREE passes a provider only to the functions of its own table.
unsafe fn own<'a, B>(provider: *mut sys::iree_io_parameter_provider_t) -> &'a Provider<B> {
    // SAFETY: the box lives until `destroy`; its address is its first field's.
    unsafe { &*provider.cast::<Provider<B>>() }
}

unsafe extern "C" fn destroy<B: Before>(provider: *mut sys::iree_io_parameter_provider_t) {
    // SAFETY: called once, with the box that `provider` gave up.
    drop(unsafe { Box::from_raw(provider.cast::<Provider<B>>()) });
}

unsafe extern "C" fn notify<B: Before>(
    provider: *mut sys::iree_io_parameter_provider_t,
    signal: sys::iree_io_parameter_provider_signal_t,
) -> sys::iree_status_t {
    // SAFETY: IREE's arguments are handed on.
    unsafe { sys::iree_io_parameter_provider_notify(own::<B>(provider).inner.raw(), signal) }
}

unsafe extern "C" fn query_support<B: Before>(
    provider: *mut sys::iree_io_parameter_provider_t,
    scope: sys::iree_string_view_t,
) -> bool {
    // SAFETY: as above.
    unsafe { sys::iree_io_parameter_provider_query_support(own::<B>(provider).inner.raw(), scope) }
}

unsafe extern "C" fn load<B: Before>(
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
    let own = unsafe { own::<B>(provider) };
    // Where they cannot be listed the inner one finds what is wrong, in the same way.
    let asked = list(count, enumerator).unwrap_or_default();
    let ready = if asked.is_empty() { None } else { own.before.buffers(device, wanted, &asked) };
    let Some(buffers) = ready else {
        let mut listener = Listener { before: &own.before, asked: &asked, emitter };
        let heard = sys::iree_io_parameter_emitter_t {
            fn_: Some(emit::<B>),
            user_data: (&raw mut listener).cast(),
        };
        let emitter = if asked.is_empty() { emitter } else { heard };
        // SAFETY: IREE's arguments are handed on; listing parameters twice is allowed; the listener
        // lives as long as the call, in which the emitter is used.
        return unsafe {
            sys::iree_io_parameter_provider_load(
                own.inner.raw(),
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

unsafe extern "C" fn gather<B: Before>(
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
            own::<B>(provider).inner.raw(),
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

unsafe extern "C" fn scatter<B: Before>(
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
            own::<B>(provider).inner.raw(),
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
