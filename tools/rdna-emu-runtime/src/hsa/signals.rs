//! Signals: numbers that hosts and queues change and wait for.

use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use super::types::{AmdSignal, SIGNAL_USER, Status};
use crate::device::lock;

/// A condition of a wait (`hsa_signal_condition_t`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// The value is that.
    Equal,
    /// It is not.
    NotEqual,
    /// It is less.
    Less,
    /// It is that or more.
    AtLeast,
}

impl Condition {
    /// By HSA's number.
    pub fn parse(number: u32) -> Result<Self, Status> {
        Ok(match number {
            0 => Condition::Equal,
            1 => Condition::NotEqual,
            2 => Condition::Less,
            3 => Condition::AtLeast,
            _ => return Err(Status::INVALID_ARGUMENT),
        })
    }

    /// Whether it holds.
    pub fn holds(self, value: i64, compare: i64) -> bool {
        match self {
            Condition::Equal => value == compare,
            Condition::NotEqual => value != compare,
            Condition::Less => value < compare,
            Condition::AtLeast => value >= compare,
        }
    }
}

/// Makes a signal and returns its handle.
pub fn create(value: i64) -> u64 {
    let signal = AmdSignal {
        kind: SIGNAL_USER,
        value: value.into(),
        event_mailbox: 0,
        event_id: 0,
        reserved1: 0,
        start: 0.into(),
        end: 0.into(),
        queue: 0,
        reserved3: [0; 2],
    };
    Box::into_raw(Box::new(signal)) as usize as u64
}

/// The signal of a handle. A null handle, and one that points to no signal of users, is an error.
///
/// # Safety
/// The handle is null or a signal's that is not destroyed while the reference lives.
pub unsafe fn get<'a>(handle: u64) -> Result<&'a AmdSignal, Status> {
    let signal = handle as usize as *const AmdSignal;
    if signal.is_null() || !signal.is_aligned() {
        return Err(Status::INVALID_SIGNAL);
    }
    // SAFETY: it is not null and aligned; the caller promises the rest.
    let signal = unsafe { &*signal };
    if signal.kind == SIGNAL_USER { Ok(signal) } else { Err(Status::INVALID_SIGNAL) }
}

/// Ends a signal.
///
/// # Safety
/// The handle is null or a signal's that [`create`] made, and nobody uses it from now on.
pub unsafe fn destroy(handle: u64) -> Result<(), Status> {
    // SAFETY: the caller promises it.
    unsafe { get(handle)? };
    // SAFETY: the caller promises that `create` made it, and it is ended once.
    drop(unsafe { Box::from_raw(handle as usize as *mut AmdSignal) });
    Ok(())
}

/// Those who wait, for any signal: a change of one wakes all of them, who then look.
static WAITERS: AtomicU64 = AtomicU64::new(0);
static CHANGES: Mutex<()> = Mutex::new(());
static CHANGED: Condvar = Condvar::new();

/// Wakes those who wait. Called after each change of a signal or of what a queue waits for.
pub fn notify() {
    fence(Ordering::SeqCst);
    if WAITERS.load(Ordering::SeqCst) > 0 {
        drop(lock(&CHANGES));
        CHANGED.notify_all();
    }
}

/// Changes a signal's value and wakes those who wait.
pub fn change(signal: &AmdSignal, update: impl Fn(i64) -> i64) -> i64 {
    let changed = |value| Some(update(value));
    let old = signal.value.fetch_update(Ordering::SeqCst, Ordering::SeqCst, changed);
    notify();
    old.unwrap_or_else(|same| same)
}

/// Waits until `ready` gives something, or for that many nanoseconds; `u64::MAX` is for ever.
pub fn wait<T>(nanoseconds: u64, mut ready: impl FnMut() -> Option<T>) -> Option<T> {
    // Most waits end soon: a few looks before sleeping.
    for _ in 0..64 {
        if let Some(found) = ready() {
            return Some(found);
        }
        std::hint::spin_loop();
    }
    let end = Instant::now().checked_add(Duration::from_nanos(nanoseconds));
    let end = end.filter(|_| nanoseconds != u64::MAX);
    WAITERS.fetch_add(1, Ordering::SeqCst);
    let mut guard = lock(&CHANGES);
    let found = loop {
        if let Some(found) = ready() {
            break Some(found);
        }
        // Another process' clock, or a host that writes a signal's memory itself, wakes nobody: look now and then.
        let mut pause = Duration::from_millis(20);
        if let Some(end) = end {
            match end.checked_duration_since(Instant::now()) {
                Some(left) if !left.is_zero() => pause = pause.min(left),
                _ => break None,
            }
        }
        guard = CHANGED
            .wait_timeout(guard, pause)
            .map(|(guard, _)| guard)
            .unwrap_or_else(|poisoned| poisoned.into_inner().0);
    };
    drop(guard);
    WAITERS.fetch_sub(1, Ordering::SeqCst);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_with_the_value_or_with_its_time() {
        let handle = create(3);
        // SAFETY: the signal lives to the end of the test.
        let signal = unsafe { get(handle) }.unwrap();
        let value = || signal.value.load(Ordering::SeqCst);
        assert_eq!(wait(1000, || (value() == 0).then_some(())), None);
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| wait(u64::MAX, || (value() == 0).then(value)));
            for _ in 0..3 {
                change(signal, |value| value - 1);
            }
            assert_eq!(waiter.join().unwrap(), Some(0));
        });
        // SAFETY: `create` made it, and nobody uses it any more.
        unsafe { destroy(handle) }.unwrap();
    }

    #[test]
    fn what_is_no_signal_is_refused() {
        // SAFETY: null and an unaligned address are not followed.
        assert!(unsafe { get(0) }.is_err() && unsafe { get(65) }.is_err());
        assert!(Condition::parse(4).is_err());
        let holds = [0, 1, 2, 3].map(|number| Condition::parse(number).unwrap().holds(-1, 0));
        assert_eq!(holds, [false, true, true, false]);
    }
}
