//! Events: places in streams that others wait for.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use super::error::Error;
use super::stream::{Point, Stream};
use super::task::Task;
use crate::device::lock;

/// An event.
#[derive(Debug)]
pub struct Event {
    has_time: bool,
    recorded: Mutex<Option<Recorded>>,
}

#[derive(Debug, Clone)]
struct Recorded {
    point: Point,
    stamp: Arc<OnceLock<Instant>>,
}

/// `hipEventDisableTiming`.
const DISABLE_TIMING: u32 = 2;

impl Event {
    /// An event that was not recorded, by HIP's flags.
    pub fn new(flags: u32) -> Self {
        Event { has_time: flags & DISABLE_TIMING == 0, recorded: Mutex::new(None) }
    }

    /// Puts it behind a stream's tasks so far, wherever it was before.
    pub fn record(&self, stream: &Stream) {
        let stamp = Arc::new(OnceLock::new());
        let point = stream.push(Task::Stamp(Arc::clone(&stamp)));
        *lock(&self.recorded) = Some(Recorded { point, stamp });
    }

    /// Where it was recorded last.
    pub fn point(&self) -> Option<Point> {
        lock(&self.recorded).as_ref().map(|recorded| recorded.point.clone())
    }

    /// The milliseconds from this event to another. It is the emulator's time, which says nothing of a device's.
    pub fn milliseconds_to(&self, later: &Event) -> Result<f32, Error> {
        if !self.has_time || !later.has_time {
            return Err(Error::InvalidHandle);
        }
        let time = |event: &Event| {
            let recorded = lock(&event.recorded).clone().ok_or(Error::InvalidHandle)?;
            recorded.stamp.get().copied().ok_or(Error::NotReady)
        };
        let (start, end) = (time(self)?, time(later)?);
        let forward = end.saturating_duration_since(start).as_secs_f64();
        let backward = start.saturating_duration_since(end).as_secs_f64();
        Ok(((forward - backward) * 1e3) as f32)
    }
}
