//! Streams.

use crate::hip::error::Error;
use crate::hip::event::Event;
use crate::hip::graph::host_call;
use crate::hip::pointer::Out;
use crate::hip::stream::Stream;
use crate::hip::table::Handle;
use crate::hip::task::Task;

/// `hipStreamNonBlocking`.
const NON_BLOCKING: u32 = 1;

exports! {
    /// A stream that blocks with the null stream.
    fn hipStreamCreate(runtime, stream: Out<Handle>) {
        stream.check()?;
        stream.set(runtime.add_stream(true)?)
    }

    /// A stream that does so unless flags say otherwise.
    fn hipStreamCreateWithFlags(runtime, stream: Out<Handle>, flags: u32) {
        stream.check()?;
        if flags > NON_BLOCKING {
            return Err(Error::InvalidValue);
        }
        stream.set(runtime.add_stream(flags != NON_BLOCKING)?)
    }

    /// The same: priorities change nothing here.
    fn hipStreamCreateWithPriority(runtime, stream: Out<Handle>, flags: u32, priority: i32) {
        stream.check()?;
        if flags > NON_BLOCKING {
            return Err(Error::InvalidValue);
        }
        stream.set(runtime.add_stream(flags != NON_BLOCKING)?)
    }

    /// Ends a stream, after its work. Tasks without end do end.
    fn hipStreamDestroy(runtime, stream: Handle) {
        runtime.streams.remove(stream)?.close();
        Ok(())
    }

    /// Waits for a stream's work.
    fn hipStreamSynchronize(runtime, stream: Handle) {
        runtime.synchronize(stream)
    }

    /// Whether a stream's work is done.
    fn hipStreamQuery(runtime, stream: Handle) {
        if !runtime.with_stream(stream, Stream::end)?.is_reached() {
            return Err(Error::NotReady);
        }
        runtime.check()
    }

    /// Makes a stream wait for where an event was recorded last, if it ever was.
    fn hipStreamWaitEvent(runtime, stream: Handle, event: Handle, flags: u32) {
        match runtime.events.get(event)?.point() {
            Some(point) => runtime.submit(stream, Task::Wait(point)).map(|_| ()),
            None => runtime.with_stream(stream, |_| ()),
        }
    }

    /// Calls a function of the host in a stream's order, on the stream's thread.
    fn hipLaunchHostFunc(
        runtime,
        stream: Handle,
        function: Option<extern "C" fn(*mut std::ffi::c_void)>,
        data: *mut std::ffi::c_void,
    ) {
        let call = host_call(function, data)?;
        runtime.submit(stream, Task::Host(call)).map(|_| ())
    }
}

/// Records an event behind a stream's work.
pub fn record(
    runtime: &crate::hip::runtime::Runtime,
    event: &Event,
    stream: Handle,
) -> Result<(), Error> {
    runtime.check()?;
    runtime.with_stream(stream, |stream| event.record(stream))
}
