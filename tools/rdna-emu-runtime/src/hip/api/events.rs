//! Events.

use std::sync::Arc;

use super::streams::record;
use crate::hip::error::Error;
use crate::hip::event::Event;
use crate::hip::pointer::Out;
use crate::hip::table::Handle;

exports! {
    /// An event with a time.
    fn hipEventCreate(runtime, event: Out<Handle>) {
        event.check()?;
        event.set(runtime.events.insert(Arc::new(Event::new(0))))
    }

    /// An event by flags.
    fn hipEventCreateWithFlags(runtime, event: Out<Handle>, flags: u32) {
        event.check()?;
        event.set(runtime.events.insert(Arc::new(Event::new(flags))))
    }

    /// Ends an event; streams that wait for where it was recorded still do.
    fn hipEventDestroy(runtime, event: Handle) {
        runtime.events.remove(event).map(|_| ())
    }

    /// Puts an event behind a stream's work so far.
    fn hipEventRecord(runtime, event: Handle, stream: Handle) {
        record(runtime, &*runtime.events.get(event)?, stream)
    }

    /// Whether the work before an event is done; so it is when it was never recorded.
    fn hipEventQuery(runtime, event: Handle) {
        match runtime.events.get(event)?.point() {
            Some(point) if !point.is_reached() => Err(Error::NotReady),
            _ => runtime.check(),
        }
    }

    /// Waits for it.
    fn hipEventSynchronize(runtime, event: Handle) {
        if let Some(point) = runtime.events.get(event)?.point() {
            point.wait();
        }
        runtime.check()
    }

    /// The milliseconds from one event to another, in the emulator's time.
    fn hipEventElapsedTime(runtime, milliseconds: Out<f32>, start: Handle, end: Handle) {
        milliseconds.check()?;
        let (start, end) = (runtime.events.get(start)?, runtime.events.get(end)?);
        milliseconds.set(start.milliseconds_to(&end)?)
    }
}
