//! What the engine's thread, its handles and its watchdog share.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;
use tyto_scheduler::SeqId;

use crate::api::{EngineStats, Event};
use crate::pace::Pace;

/// Why a device of this process was lost, once one was.
static LOST_DEVICE: LazyLock<watch::Sender<Option<String>>> =
    LazyLock::new(|| watch::Sender::new(None));

/// Whether a GPU of this process was opened anew beside a driver that holds a failure for ever.
static HOLDS_A_FAILURE: AtomicBool = AtomicBool::new(false);

/// Whether the process should end without its destructors: a device is lost, or a driver holds a
/// failure, and neither can be taken down in order.
pub fn ends_without_destructors() -> bool {
    device_is_lost() || HOLDS_A_FAILURE.load(Ordering::Relaxed)
}

/// A GPU was opened anew.
pub(crate) fn note_reopened() {
    HOLDS_A_FAILURE.store(true, Ordering::Relaxed);
}

/// Whether a device of this process was lost, failed while a model was loaded, or hangs. Its driver
/// cannot be taken down in order then: it waits for what never ends, or frees what it freed before.
/// The process should end without its destructors.
pub fn device_is_lost() -> bool {
    LOST_DEVICE.borrow().is_some()
}

/// Waits until a device of this process is lost; gives the reason.
pub async fn lost_device() -> String {
    reason_of(&LOST_DEVICE).await
}

/// From here on the process should end without destructors. The first reason stays.
pub(crate) fn note_lost_device(reason: &str) {
    note_first(&LOST_DEVICE, reason);
}

/// Keeps a reason unless there is one, and gives whether it was the first.
fn note_first(lost: &watch::Sender<Option<String>>, reason: &str) -> bool {
    lost.send_if_modified(|lost| {
        let first = lost.is_none();
        lost.get_or_insert_with(|| reason.to_owned());
        first
    })
}

async fn reason_of(lost: &watch::Sender<Option<String>>) -> String {
    let mut lost = lost.subscribe();
    match lost.wait_for(Option::is_some).await {
        Ok(reason) => reason.clone().expect("it was waited for"),
        Err(_) => unreachable!("the sender lives as long as this"),
    }
}

/// What the thread tells its handles.
#[derive(Debug)]
pub(crate) struct Shared {
    /// Places taken: by requests submitted and not ended, and by those who keep one.
    pub(crate) alive: AtomicUsize,
    pub(crate) healthy: AtomicBool,
    /// Odd while a step runs; counts the steps' beginnings and ends.
    pub(crate) pulse: AtomicU64,
    figures: Mutex<(EngineStats, Pace)>,
    /// Where the events of the requests under way go.
    listeners: Mutex<HashMap<SeqId, UnboundedSender<Event>>>,
    /// Why no step will ever run again.
    lost: watch::Sender<Option<String>>,
}

impl Shared {
    pub(crate) fn new() -> Self {
        Self {
            alive: AtomicUsize::new(0),
            healthy: AtomicBool::new(true),
            pulse: AtomicU64::new(0),
            figures: Mutex::default(),
            listeners: Mutex::default(),
            lost: watch::Sender::new(None),
        }
    }

    pub(crate) fn publish(&self, stats: EngineStats, pace: Pace) {
        *self.figures.lock().unwrap_or_else(PoisonError::into_inner) = (stats, pace);
    }

    pub(crate) fn stats(&self) -> EngineStats {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    pub(crate) fn pace(&self) -> Pace {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner).1
    }

    /// Notes where a request's events go; false if the device is lost and nobody will send any.
    pub(crate) fn listen(&self, id: SeqId, events: UnboundedSender<Event>) -> bool {
        let mut listeners = self.listeners();
        // Under the lock, so that a request is either refused here or told by `lose`.
        let works = self.lost.borrow().is_none();
        if works {
            listeners.insert(id, events);
        }
        works
    }

    /// The request has ended, or was never begun.
    pub(crate) fn forget(&self, id: SeqId) {
        self.listeners().remove(&id);
    }

    /// The thread has ended, perhaps by a panic: whoever still waits sees that no event will come.
    pub(crate) fn close(&self) {
        self.healthy.store(false, Ordering::Relaxed);
        self.listeners().clear();
    }

    /// No step will run any more: tells every request under way and whoever waits for it.
    pub(crate) fn lose(&self, reason: &str) {
        note_lost_device(reason);
        self.healthy.store(false, Ordering::Relaxed);
        let mut listeners = self.listeners();
        if note_first(&self.lost, reason) {
            tracing::error!(reason, requests = listeners.len(), "the device is lost");
        }
        for (_, events) in listeners.drain() {
            // Whoever has gone needs no answer.
            let _ = events.send(Event::Failed { message: reason.to_owned(), is_own_fault: false });
        }
    }

    /// Why the device is lost, if it is.
    pub(crate) fn loss(&self) -> Option<String> {
        self.lost.borrow().clone()
    }

    /// Waits until the device is lost; gives the reason.
    pub(crate) async fn wait_for_loss(&self) -> String {
        reason_of(&self.lost).await
    }

    fn listeners(&self) -> MutexGuard<'_, HashMap<SeqId, UnboundedSender<Event>>> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
