//! The order of everything that happens on one device, and who may touch its memory when.
//!
//! All asynchronous calls of a runtime sit on one timeline: call `n` waits for point `n - 1` and
//! signals point `n`. Host access to a buffer waits for the newest point first, and is entered
//! in a table for its duration. What conflicts with the table waits if the entry is another
//! thread's, and is refused if it is its own. One lock orders calls, which IREE's contexts need
//! anyway.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
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
    /// Query and sleep. IREE's own wait spins on the processor that a worker needs, and
    /// loses a scheduler tick where there are no spare processors.
    Poll,
    /// IREE's wait, for devices that work beside the processor.
    Block,
}

/// Between two queries: a share of the time waited so far, within these bounds. A short wait
/// ends promptly, and a long one does not take the processor from the workers: each query
/// interrupts one of them.
const POLL_INTERVAL: (Duration, Duration) = (Duration::from_micros(50), Duration::from_micros(500));

/// The share: one in this many.
const POLL_SHARE: u32 = 16;

/// IREE's macro for it casts, which bindings do not follow.
const ANY_QUEUE: sys::iree_hal_queue_affinity_t = sys::iree_hal_queue_affinity_t::MAX;

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
        let start = Instant::now();
        loop {
            if self.reached()? {
                return Ok(true);
            }
            if deadline.is_some_and(|d| Instant::now() >= d) {
                return Ok(false);
            }
            if waiting == Waiting::Poll || deadline.is_some() {
                std::thread::sleep(poll_interval(start.elapsed()));
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
    /// A host access has ended.
    ended: Condvar,
}

/// What the lock guards.
#[derive(Debug)]
pub(crate) struct State {
    /// The newest point: everything started so far is done when it is reached.
    newest: Point,
    /// What the host is using now.
    entries: Vec<Entry>,
}

/// A moment that all buffers over one allocation know: the end of the last call that it was
/// passed to.
#[derive(Debug, Clone, Default)]
pub(crate) struct LastUse(Arc<Mutex<Option<Point>>>);

/// One host access in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    allocation: usize,
    write: bool,
    thread: ThreadId,
}

/// One host access; ends when dropped.
pub(crate) struct Borrow<'a> {
    access: &'a Access,
    entry: Entry,
}

impl Access {
    pub(crate) fn new(device: Device, waiting: Waiting) -> Result<Access, Error> {
        let newest = start_of_timeline(&device)?;
        let state = Mutex::new(State { newest, entries: Vec::new() });
        Ok(Access { device, waiting, state, ended: Condvar::new() })
    }

    pub(crate) fn waiting(&self) -> Waiting {
        self.waiting
    }

    /// The right to start a call; others wait until it is dropped.
    pub(crate) fn begin_call(&self) -> Result<MutexGuard<'_, State>, Error> {
        let mut state = self.lock();
        while state.conflict(|_| true)? {
            state = self.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(state)
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
            let conflicts = |e: &Entry| e.allocation == allocation && (write || e.write);
            if state.conflict(conflicts)? {
                drop(self.ended.wait(state));
                continue;
            }
            return Ok(self.enter(&mut state, allocation, write));
        }
    }

    /// As [`Access::borrow`], of an allocation whose last use is known: waits for the end of that
    /// only.
    pub(crate) fn borrow_after(
        &self,
        last: &LastUse,
        allocation: usize,
        write: bool,
    ) -> Result<Borrow<'_>, Error> {
        loop {
            if let Some(point) = last.get()
                && let Err(error) = point.wait(self.waiting, None)
            {
                last.forget(&point);
                self.recover(&point)?;
                return Err(error);
            }
            let mut state = self.lock();
            // Uses are noted under the lock.
            if last.get().is_some_and(|point| !matches!(point.reached(), Ok(true))) {
                continue;
            }
            let conflicts = |e: &Entry| e.allocation == allocation && (write || e.write);
            if state.conflict(conflicts)? {
                drop(self.ended.wait(state));
                continue;
            }
            return Ok(self.enter(&mut state, allocation, write));
        }
    }

    /// Overwrites a range of a buffer that nothing else uses with zeros, on the device; waits for
    /// the end.
    pub(crate) fn fill_zero(
        &self,
        buffer: *mut sys::iree_hal_buffer_t,
        offset: usize,
        length: usize,
    ) -> Result<(), Error> {
        if length == 0 {
            return Ok(());
        }
        let zero = 0u8;
        self.by_queue(&format!("zeroing {length} bytes of the device"), |signal| {
            // SAFETY: the buffer and the device are live, the list and the pattern are copied, and
            // the end is waited for by the caller.
            unsafe {
                sys::iree_hal_device_queue_fill(
                    self.device.raw(),
                    ANY_QUEUE,
                    sys::iree_hal_semaphore_list_empty(),
                    signal,
                    buffer,
                    offset as sys::iree_device_size_t,
                    length as sys::iree_device_size_t,
                    (&raw const zero).cast(),
                    size_of_val(&zero),
                    0,
                )
            }
        })
    }

    /// Copies a range of one buffer to another, on the device; nothing else uses either. Waits for
    /// the end. Both are given with where the range begins.
    pub(crate) fn copy(
        &self,
        (source, from): (*mut sys::iree_hal_buffer_t, usize),
        (target, to): (*mut sys::iree_hal_buffer_t, usize),
        length: usize,
    ) -> Result<(), Error> {
        if length == 0 {
            return Ok(());
        }
        self.by_queue(&format!("copying {length} bytes of the device"), |signal| {
            // SAFETY: the buffers and the device are live, the list is copied, and the end is waited
            // for by the caller.
            unsafe {
                sys::iree_hal_device_queue_copy(
                    self.device.raw(),
                    ANY_QUEUE,
                    sys::iree_hal_semaphore_list_empty(),
                    signal,
                    source,
                    from as sys::iree_device_size_t,
                    target,
                    to as sys::iree_device_size_t,
                    length as sys::iree_device_size_t,
                    0,
                )
            }
        })
    }

    /// Has the queue do one thing, which signals what it is given, and waits for its end.
    fn by_queue(
        &self,
        action: &str,
        start: impl FnOnce(sys::iree_hal_semaphore_list_t) -> sys::iree_status_t,
    ) -> Result<(), Error> {
        let end = Point { value: 1, ..start_of_timeline(&self.device)? };
        let (mut semaphore, mut value) = (end.semaphore.raw(), end.value);
        let signal = sys::iree_hal_semaphore_list_t {
            count: 1,
            semaphores: &mut semaphore,
            payload_values: &mut value,
        };
        check(start(signal), || action.to_owned())?;
        end.wait(self.waiting, None).map(|_| ())
    }

    fn enter(&self, state: &mut State, allocation: usize, write: bool) -> Borrow<'_> {
        let entry = Entry { allocation, write, thread: std::thread::current().id() };
        state.entries.push(entry);
        Borrow { access: self, entry }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is consistent between any two statements that can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LastUse {
    /// Notes the end of a call that has been started, whose lock the caller holds.
    pub(crate) fn set(&self, end: &Point) {
        *self.lock() = Some(end.clone());
    }

    fn get(&self) -> Option<Point> {
        self.lock().clone()
    }

    /// Forgets a use that has failed, which is told once.
    fn forget(&self, failed: &Point) {
        let mut last = self.lock();
        if last.as_ref().is_some_and(|point| point.semaphore.raw() == failed.semaphore.raw()) {
            *last = None;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Point>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Whether an entry conflicts that will go by itself; an error if it never would, because
    /// it is this thread's own.
    fn conflict(&self, conflicts: impl Fn(&Entry) -> bool) -> Result<bool, Error> {
        let mut found = self.entries.iter().filter(|e| conflicts(e)).peekable();
        let any = found.peek().is_some();
        let me = std::thread::current().id();
        if found.any(|e| e.thread == me) { Err(Error::Mapped) } else { Ok(any) }
    }
}

impl Drop for Borrow<'_> {
    fn drop(&mut self) {
        let mut state = self.access.lock();
        let at = state.entries.iter().position(|e| *e == self.entry);
        state.entries.swap_remove(at.expect("an entry lives as long as its borrow"));
        self.access.ended.notify_all();
    }
}

fn poll_interval(waited: Duration) -> Duration {
    let (shortest, longest) = POLL_INTERVAL;
    (waited / POLL_SHARE).clamp(shortest, longest)
}

fn start_of_timeline(device: &Device) -> Result<Point, Error> {
    let mut raw = std::ptr::null_mut();
    // SAFETY: the device is live; the pointer is to a local.
    let status = unsafe { sys::iree_hal_semaphore_create(device.raw(), u64::MAX, 0, 0, &mut raw) };
    check(status, || "creating a timeline".to_owned())?;
    Ok(Point { semaphore: Semaphore::from_raw(raw), value: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Driver, Runtime, RuntimeOptions, StatusCode};

    fn runtime() -> Runtime {
        let options = RuntimeOptions { driver: Driver::CpuInline, ..Default::default() };
        Runtime::new(&options).expect("the CPU is always there")
    }

    fn fail(point: &Point) {
        // SAFETY: the semaphore is live and takes the status over.
        unsafe {
            let code = sys::iree_status_code_e_IREE_STATUS_ABORTED;
            let status = code as usize as sys::iree_status_t;
            sys::iree_hal_semaphore_fail(point.semaphore.raw(), status);
        }
    }

    #[test]
    fn failure_is_reported_once_and_the_timeline_goes_on() {
        let runtime = runtime();
        let access = &runtime.0.access;
        let failing = access.begin_call().expect("nothing is mapped").next();
        access.begin_call().expect("nothing is mapped").advance(failing.clone());
        fail(&failing);
        let error = access.quiesce().expect_err("the work failed");
        assert!(matches!(error, Error::Status { code: StatusCode::Aborted, .. }), "{error}");
        access.quiesce().expect("a new timeline");
        assert_eq!(access.begin_call().expect("nothing is mapped").newest().value, 0);
        // The failed point itself stays failed, and does not touch the new timeline.
        failing.wait(Waiting::Poll, None).expect_err("the work failed");
        access.recover(&failing).expect("nothing to do");
        access.quiesce().expect("still the new timeline");
    }

    #[test]
    fn unsignalled_point_is_waited_for_until_the_deadline() {
        let runtime = runtime();
        let point = runtime.0.access.begin_call().expect("nothing is mapped").next();
        for waiting in [Waiting::Poll, Waiting::Block] {
            assert!(!point.wait(waiting, Some(Instant::now())).expect("no failure"));
        }
    }

    #[test]
    fn host_accesses_count() {
        let runtime = runtime();
        let access = &runtime.0.access;
        let readers =
            [access.borrow(1, false), access.borrow(1, false)].map(|b| b.expect("shared"));
        assert!(access.borrow(1, true).is_err());
        let writer = access.borrow(2, true).expect("another allocation");
        assert!(access.borrow(2, false).is_err());
        assert!(matches!(access.begin_call(), Err(Error::Mapped)));
        drop((readers, writer));
        drop(access.borrow(1, true).expect("free again"));
        drop(access.begin_call().expect("nothing is mapped"));
    }

    #[test]
    fn other_threads_wait_for_a_host_access() {
        let runtime = runtime();
        let access = &runtime.0.access;
        let writer = access.borrow(1, true).expect("free");
        std::thread::scope(|scope| {
            let call = scope.spawn(|| access.begin_call().map(drop));
            let reader = scope.spawn(|| access.borrow(1, false).map(drop));
            drop(writer);
            call.join().expect("no panic").expect("waited");
            reader.join().expect("no panic").expect("waited");
        });
    }
}
