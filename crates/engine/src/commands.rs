//! What the engine's handles tell its thread.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

use tokio::sync::mpsc::UnboundedSender;
use tyto_scheduler::SeqId;

use crate::api::{Event, ShutdownReport, Task};
use crate::place::Held;

/// Everything that the thread can be told.
#[derive(Debug)]
pub(crate) enum Command {
    /// New requests, already admitted.
    Submit(Vec<Submission>),
    /// Nobody wants this request's answer any more.
    Cancel(SeqId),
    /// End by the deadline, or when nothing is left to do.
    Shutdown {
        /// `None` waits for the requests under way, however long they take.
        deadline: Option<Instant>,
        /// Gets the report.
        reply: Sender<ShutdownReport>,
    },
}

/// A request on its way to the thread.
#[derive(Debug)]
pub(crate) struct Submission {
    pub(crate) id: SeqId,
    pub(crate) task: Task,
    /// Tokens of prompt and answer together, at most.
    pub(crate) limit: usize,
    pub(crate) events: UnboundedSender<Event>,
    pub(crate) submitted: Instant,
    /// Its place among the requests alive.
    pub(crate) place: Arc<Held>,
}
