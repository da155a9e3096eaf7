//! IREE's status values as [`Error`]s.

use std::ptr::null_mut;

use tyto_iree_runtime_sys as sys;

use crate::{Error, StatusCode};

/// Turns a status into a result; takes ownership of it. `action` is only called on failure.
pub(crate) fn check(
    status: sys::iree_status_t,
    action: impl FnOnce() -> String,
) -> Result<(), Error> {
    if status.is_null() { Ok(()) } else { Err(error(status, action())) }
}

/// The error for a status that is not OK; takes ownership of it.
fn error(status: sys::iree_status_t, action: String) -> Error {
    // The code lives in the low bits of the handle; the rest is a pointer, or null.
    let code = (status as usize & sys::iree_status_code_e_IREE_STATUS_CODE_MASK as usize) as u32;
    let mut text = null_mut();
    let mut length = 0;
    // SAFETY: the status is live until freed below; the text belongs to us and is freed with
    // the allocator that made it.
    let message = unsafe {
        let allocator = sys::iree_allocator_system();
        let message = if sys::iree_status_to_string(status, &allocator, &mut text, &mut length) {
            let bytes = std::slice::from_raw_parts(text.cast::<u8>(), length);
            let message = String::from_utf8_lossy(bytes).into_owned();
            sys::iree_allocator_free(allocator, text.cast());
            message
        } else {
            String::from("no text")
        };
        sys::iree_status_free(status);
        message
    };
    Error::Status { action, code: StatusCode::from_raw(code), message }
}

/// A view of Rust text; valid while the text is.
pub(crate) fn view(text: &str) -> sys::iree_string_view_t {
    sys::iree_string_view_t { data: text.as_ptr().cast(), size: text.len() }
}

/// A copy of IREE's text.
pub(crate) fn text(view: sys::iree_string_view_t) -> String {
    if view.data.is_null() {
        return String::new();
    }
    // SAFETY: a view that IREE hands out is valid until its owner goes, and is copied here.
    let bytes = unsafe { std::slice::from_raw_parts(view.data.cast::<u8>(), view.size) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// The allocator of everything on the host.
pub(crate) fn host_allocator() -> sys::iree_allocator_t {
    // SAFETY: a pure function.
    unsafe { sys::iree_allocator_system() }
}
