//! Contexts: the device has one, and each thread remembers which it has made current.

use std::cell::RefCell;
use std::sync::atomic::Ordering;

use super::devices::check_device;
use crate::hip::error::Error;
use crate::hip::pointer::Out;
use crate::hip::table::Handle;

/// The device's context. Like all handles, no address.
const CONTEXT: Handle = Handle(0x4e0f << 48 | 0x10);

thread_local! {
    /// The contexts that this thread has pushed; the last one is current.
    static CURRENT: RefCell<Vec<Handle>> = const { RefCell::new(Vec::new()) };
}

fn check_context(context: Handle) -> Result<(), Error> {
    if context.is_null() || context == CONTEXT { Ok(()) } else { Err(Error::InvalidContext) }
}

exports! {
    /// The device's context, once more.
    fn hipDevicePrimaryCtxRetain(runtime, context: Out<Handle>, device: i32) {
        check_device(device)?;
        context.set(CONTEXT)?;
        runtime.retained.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    /// Once less. With the last one tasks without end do end, and the report is written; handles stay.
    fn hipDevicePrimaryCtxRelease(runtime, device: i32) {
        check_device(device)?;
        let less = |count: u64| count.checked_sub(1);
        match runtime.retained.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less) {
            Ok(1) => {
                runtime.abandon_all();
                // What failed was told where it was waited for.
                let _ = runtime.synchronize_all();
                runtime.device.write_report();
                Ok(())
            }
            Ok(_) => Ok(()),
            Err(_) => Err(Error::InvalidContext),
        }
    }

    /// Makes a context current, in the last one's place.
    fn hipCtxSetCurrent(runtime, context: Handle) {
        check_context(context)?;
        CURRENT.with_borrow_mut(|current| {
            current.pop();
            if !context.is_null() {
                current.push(context);
            }
        });
        Ok(())
    }

    /// The current context; null when there is none.
    fn hipCtxGetCurrent(runtime, context: Out<Handle>) {
        context.set(CURRENT.with_borrow(|current| current.last().copied().unwrap_or(Handle::NULL)))
    }

    /// Makes a context current until it is popped.
    fn hipCtxPushCurrent(runtime, context: Handle) {
        check_context(context)?;
        CURRENT.with_borrow_mut(|current| current.push(context));
        Ok(())
    }

    /// Goes back to the context before. Where to write it may be null.
    fn hipCtxPopCurrent(runtime, context: Out<Handle>) {
        let popped = CURRENT.with_borrow_mut(Vec::pop).ok_or(Error::InvalidContext)?;
        if context.is_null() { Ok(()) } else { context.set(popped) }
    }
}
