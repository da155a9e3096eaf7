//! Ends the wait for steps, and for models that load, that will never be done.
//!
//! A device may hang, and the call that waits for it with it: no thread can be stopped from
//! outside. So another thread looks at the pulse of the engine's, and when one step has lasted too
//! long it tells the requests and the server in its place. Time is counted in looks, not by a
//! clock: a process that was stopped or a machine that slept has not waited.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::error::Error;
use crate::shared::{Shared, note_lost_device};

/// Looks within the time that a step may take.
const LOOKS: u32 = 16;

/// The longest time between two looks: an engine that ends is noticed so late.
const LONGEST: Duration = Duration::from_secs(1);

/// Counts looks at something that should change.
struct Patience {
    interval: Duration,
    looks: u32,
    most: u32,
}

impl Patience {
    fn new(limit: Duration) -> Self {
        let shortest = Duration::from_millis(1);
        let interval = (limit / LOOKS).clamp(shortest, LONGEST);
        let most = limit.as_nanos().div_ceil(interval.as_nanos());
        Self { interval, looks: 0, most: u32::try_from(most).unwrap_or(u32::MAX) }
    }

    /// One look; whether it was the last.
    fn is_over(&mut self, unchanged: bool) -> bool {
        self.looks = if unchanged { self.looks + 1 } else { 0 };
        self.looks >= self.most
    }
}

/// Watches the steps of an engine until it is gone.
pub(crate) fn watch(shared: &Arc<Shared>, limit: Duration) -> Result<(), Error> {
    let shared = Arc::downgrade(shared);
    let main = move || look(&shared, limit);
    std::thread::Builder::new()
        .name("tyto-watchdog".to_owned())
        .spawn(main)
        .map(drop)
        .map_err(|source| Error::Thread { source })
}

fn look(shared: &Weak<Shared>, limit: Duration) {
    let mut patience = Patience::new(limit);
    let mut last = 0;
    loop {
        std::thread::sleep(patience.interval);
        let Some(shared) = shared.upgrade() else { return };
        let pulse = shared.pulse.load(Ordering::Acquire);
        let in_the_same_step = pulse % 2 == 1 && pulse == last;
        last = pulse;
        if patience.is_over(in_the_same_step) {
            let seconds = limit.as_secs_f64();
            shared.lose(&format!(
                "a step has taken more than {seconds} s (--step-timeout): the device hangs"
            ));
            return;
        }
    }
}

/// Waits for what a thread sends when it has loaded a model; for ever without a limit.
pub(crate) fn wait_for_load<T>(built: &Receiver<T>, limit: Option<Duration>) -> Result<T, Error> {
    let Some(limit) = limit else { return built.recv().map_err(|_| Error::Died) };
    let mut patience = Patience::new(limit);
    loop {
        match built.recv_timeout(patience.interval) {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Disconnected) => return Err(Error::Died),
            Err(RecvTimeoutError::Timeout) if patience.is_over(true) => {
                let error = Error::LoadHangs { seconds: limit.as_secs_f64() };
                note_lost_device(&error.to_string());
                return Err(error);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_after_the_limit_without_change() {
        let mut patience = Patience::new(Duration::from_secs(60));
        assert_eq!((patience.interval, patience.most), (LONGEST, 60));
        assert!((1..60).all(|_| !patience.is_over(true)));
        assert!(!patience.is_over(false), "a change begins anew");
        assert!((1..60).all(|_| !patience.is_over(true)));
        assert!(patience.is_over(true));
        let short = Patience::new(Duration::from_millis(160));
        assert_eq!((short.interval, short.most), (Duration::from_millis(10), LOOKS));
    }
}
