//! Streams: queues of tasks, each with a thread that runs them in order.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use super::error::Error;
use super::task::{Shared, Task};
use crate::device::lock;

/// How far a stream has come, and what it has to do.
#[derive(Debug, Default)]
pub struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<Task>,
    submitted: u64,
    completed: u64,
    /// Whether tasks without end are to end: the stream or the device is being taken down.
    is_abandoned: bool,
    /// Whether the thread ends when the queue is empty.
    ends: bool,
}

/// A place in a stream: all tasks up to that number.
#[derive(Debug, Clone)]
pub struct Point {
    progress: Arc<Progress>,
    number: u64,
}

impl Point {
    /// Whether the tasks have run.
    pub fn is_reached(&self) -> bool {
        lock(&self.progress.state).completed >= self.number
    }

    /// Waits until the tasks have run.
    pub fn wait(&self) {
        drop(self.progress.wait_until(|state| state.completed >= self.number));
    }
}

impl Progress {
    fn wait_until(&self, reached: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let state = lock(&self.state);
        let waited = self.changed.wait_while(state, |state| !reached(state));
        waited.unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Waits until the stream is abandoned, or for that long: what a task without end does.
    /// Returns whether the stream was abandoned.
    pub fn hang(&self, limit: Option<Duration>) -> bool {
        let Some(limit) = limit else {
            return self.wait_until(|state| state.is_abandoned).is_abandoned;
        };
        let state = lock(&self.state);
        let waited = self.changed.wait_timeout_while(state, limit, |state| !state.is_abandoned);
        waited.unwrap_or_else(|poisoned| poisoned.into_inner()).0.is_abandoned
    }

    fn push(self: &Arc<Self>, task: Task) -> Point {
        let mut state = lock(&self.state);
        state.queue.push_back(task);
        state.submitted += 1;
        self.changed.notify_all();
        Point { progress: Arc::clone(self), number: state.submitted }
    }

    /// The thread: runs tasks until it is told to end and none is left.
    fn work(self: &Arc<Self>, shared: &Shared) {
        loop {
            let mut state = self.wait_until(|state| !state.queue.is_empty() || state.ends);
            let Some(task) = state.queue.pop_front() else { return };
            drop(state);
            task.run(shared, self);
            lock(&self.state).completed += 1;
            self.changed.notify_all();
        }
    }
}

/// A stream.
#[derive(Debug)]
pub struct Stream {
    /// Whether it waits for the null stream and the null stream for it.
    pub is_blocking: bool,
    progress: Arc<Progress>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Stream {
    /// A stream whose thread runs.
    pub fn new(shared: &Arc<Shared>, is_blocking: bool) -> Result<Self, Error> {
        let progress = Arc::new(Progress::default());
        let (worker, shared) = (Arc::clone(&progress), Arc::clone(shared));
        let builder = std::thread::Builder::new().name("hip stream".to_owned());
        let thread = builder.spawn(move || worker.work(&shared)).map_err(|_| Error::OutOfMemory)?;
        Ok(Stream { is_blocking, progress, thread: Mutex::new(Some(thread)) })
    }

    /// Adds a task. Returns the place behind it.
    pub fn push(&self, task: Task) -> Point {
        self.progress.push(task)
    }

    /// The place behind all tasks so far.
    pub fn end(&self) -> Point {
        let number = lock(&self.progress.state).submitted;
        Point { progress: Arc::clone(&self.progress), number }
    }

    /// Ends tasks without end.
    pub fn abandon(&self) {
        lock(&self.progress.state).is_abandoned = true;
        self.progress.changed.notify_all();
    }

    /// Ends the thread, after the tasks that wait. Nothing may be pushed afterwards.
    pub fn close(&self) {
        self.abandon();
        lock(&self.progress.state).ends = true;
        self.progress.changed.notify_all();
        let thread = lock(&self.thread).take();
        // A host function may close the stream that runs it; its thread then ends by itself.
        if let Some(thread) = thread.filter(|t| t.thread().id() != std::thread::current().id()) {
            // Tasks catch panics, so that the thread has none.
            let _ = thread.join();
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.close();
    }
}
