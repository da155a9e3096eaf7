//! The order of everything that happens on one device, and who may touch its memory when.
//!
//! All asynchronous calls of a runtime sit on one timeline: call `n` waits for point `n - 1` and
//! signals point `n`. Host access to a buffer waits for the newest point first, and is entered
//! in a table for its duration; calls are refused while the table is not empty. One lock orders
//! calls, which IREE's contexts need anyway.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tyto_iree_runtime_sys as sys;

use crate::Error;
use crate::handle::{Device, Semaphore};
use crate::status::check;

/// A moment of the timeline.
#[derive(Debug, Clone)]
pub(crate) struct Point {
    pub(crate) semaphore: Semaphore,
    pub(crate) value: u64,
}

/// How a host thread waits for a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// Query and sleep. IREE's own wait spins on the processor that a pinned worker needs, and
    /// loses a scheduler tick where there are no spare processors.
    Poll,
    /// IREE's wait, for devices that work beside the processor.
    Block,
}

/// Between two queries. Shorter than the cost of a decode step by orders of magnitude; the
/// kernel's timer slack adds to it.
const POLL_INTERVAL: Duration = Duration::from_micros(20);

impl Point {
    /// Whether the moment has come. The error is the failure of the work before it.
    pub(crate) fn reached(&self) -> Result<bool, Error> {
        let mut value = 0;
        // SAFETY: the semaphore is live; the pointer is to a local.
        let status = unsafe { sys::iree_hal_semaphore_query(self.semaphore.raw(), &mut value) };
        check(status, || "running a program".to_owned())?;
        Ok(value >= self.value)
    }

    /// Waits for the moment, or until the deadline; tells whether it has come.
    pub(crate) fn wait(&self, waiting: Waiting, deadline: Option<Instant>) -> Result<bool, Error> {
        loop {
            if self.reached()? {
                return Ok(true);
            }
            if deadline.is_some_and(|d| Instant::now() >= d) {
                return Ok(false);
            }
            if waiting == Waiting::Poll || deadline.is_some() {
                std::thread::sleep(POLL_INTERVAL);
                continue;
            }
            // SAFETY: the semaphore is live.
            let status = unsafe {
                let forever = sys::iree_infinite_timeout();
                sys::iree_hal_semaphore_wait(self.semaphore.raw(), self.value, forever, 0)
            };
            check(status, || "running a program".to_owned())?;
        }
    }
}

/// The timeline and the table of host accesses of one runtime.
#[derive(Debug)]
pub(crate) struct Access {
    device: Device,
    waiting: Waiting,
    state: Mutex<State>,
}

/// What the lock guards.
#[derive(Debug)]
pub(crate) struct State {
    /// The newest point: everything started so far is done when it is reached.
    newest: Point,
    /// Allocations that the host is using: identity, and readers (or -1 for one writer).
    borrows: Vec<(usize, isize)>,
}

/// One host access; ends when dropped.
pub(crate) struct Borrow<'a> {
    access: &'a Access,
    allocation: usize,
}

impl Access {
    pub(crate) fn new(device: Device, waiting: Waiting) -> Result<Access, Error> {
        let newest = start_of_timeline(&device)?;
        Ok(Access { device, waiting, state: Mutex::new(State { newest, borrows: Vec::new() }) })
    }

    pub(crate) fn waiting(&self) -> Waiting {
        self.waiting
    }

    /// The right to start a call; others wait until it is dropped.
    pub(crate) fn begin_call(&self) -> Result<MutexGuard<'_, State>, Error> {
        let state = self.lock();
        if state.borrows.is_empty() { Ok(state) } else { Err(Error::Mapped) }
    }

    /// Waits until nothing is running. After a failure the timeline is new; the failure is
    /// returned once.
    pub(crate) fn quiesce(&self) -> Result<(), Error> {
        let newest = self.lock().newest.clone();
        let outcome = newest.wait(self.waiting, None);
        if outcome.is_err() {
            self.recover(&newest)?;
        }
        outcome.map(|_| ())
    }

    /// Replaces the timeline if it is the one that `failed` belongs to: a failed semaphore
    /// fails everything that waits on it, for ever.
    pub(crate) fn recover(&self, failed: &Point) -> Result<(), Error> {
        let mut state = self.lock();
        if state.newest.semaphore.raw() == failed.semaphore.raw() {
            state.newest = start_of_timeline(&self.device)?;
        }
        Ok(())
    }

    /// Gives up the timeline after a call that failed to start: whether its point will ever be
    /// signalled is unknown. Waits for the calls before it.
    pub(crate) fn abandon(&self, state: &mut State) -> Result<(), Error> {
        // Their failure, if any, is reported by their own fences.
        let _ = state.newest.wait(self.waiting, None);
        state.newest = start_of_timeline(&self.device)?;
        Ok(())
    }

    /// Waits until nothing is running, then notes a host access to an allocation.
    pub(crate) fn borrow(&self, allocation: usize, write: bool) -> Result<Borrow<'_>, Error> {
        loop {
            self.quiesce()?;
            let mut state = self.lock();
            if !matches!(state.newest.reached(), Ok(true)) {
                continue; // another thread has started a call in between
            }
            state.note(allocation, write)?;
            return Ok(Borrow { access: self, allocation });
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is consistent between any two statements that can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The newest point.
    pub(crate) fn newest(&self) -> &Point {
        &self.newest
    }

    /// The point after it.
    pub(crate) fn next(&self) -> Point {
        Point { semaphore: self.newest.semaphore.clone(), value: self.newest.value + 1 }
    }

    /// Makes a point the newest.
    pub(crate) fn advance(&mut self, point: Point) {
        self.newest = point;
    }

    fn note(&mut self, allocation: usize, write: bool) -> Result<(), Error> {
        match self.borrows.iter_mut().find(|(id, _)| *id == allocation) {
            Some((_, readers)) if *readers > 0 && !write => *readers += 1,
            Some(_) => return Err(Error::Mapped),
            None => self.borrows.push((allocation, if write { -1 } else { 1 })),
        }
        Ok(())
    }
}

impl Drop for Borrow<'_> {
    fn drop(&mut self) {
        let mut state = self.access.lock();
        if let Some(at) = state.borrows.iter().position(|(id, _)| *id == self.allocation) {
            if state.borrows[at].1 > 1 {
                state.borrows[at].1 -= 1;
            } else {
                state.borrows.swap_remove(at);
            }
        }
    }
}

fn start_of_timeline(device: &Device) -> Result<Point, Error> {
    let mut raw = std::ptr::null_mut();
    // SAFETY: the device is live; the pointer is to a local.
    let status = unsafe { sys::iree_hal_semaphore_create(device.raw(), u64::MAX, 0, 0, &mut raw) };
    check(status, || "creating a timeline".to_owned())?;
    Ok(Point { semaphore: Semaphore::from_raw(raw), value: 0 })
}
