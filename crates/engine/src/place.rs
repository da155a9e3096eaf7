//! Places among the requests that may be alive at the same time.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::shared::Shared;

/// A place that its holder keeps from one text to the next: whoever has it can always give the engine
/// one more text once the last one has ended ([`Engine::embed_at`](crate::Engine::embed_at)), however
/// full the queue is by then. Dropping it frees the place when its text has ended too.
#[derive(Debug)]
pub struct Place(pub(crate) Arc<Held>);

/// One of the places; free again when nobody holds it.
#[derive(Debug)]
pub(crate) struct Held(Arc<Shared>);

impl Held {
    /// Takes `count` places of `all`, or none; then gives how many are lacking.
    pub(crate) fn take(
        shared: &Arc<Shared>,
        count: usize,
        all: usize,
    ) -> Result<Vec<Arc<Self>>, usize> {
        let room = |alive| (alive + count <= all).then_some(alive + count);
        match shared.alive.fetch_update(Ordering::Relaxed, Ordering::Relaxed, room) {
            Ok(_) => Ok((0..count).map(|_| Arc::new(Self(shared.clone()))).collect()),
            Err(alive) => Err(alive + count - all),
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.alive.fetch_sub(1, Ordering::Relaxed);
    }
}
