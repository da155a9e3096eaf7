//! Room for copies of recurrent states, beside the cache whose slots they are copies of.

use tyto_artifact::Phases;
use tyto_iree_rt::{Buffer, ElementType, Runtime};

use super::load::{LoadOptions, failed, memory_size};
use crate::executor::{ExecutorError, StateMove};

/// Copies that there is room for where nothing else is asked for. Each conversation that goes on
/// needs one, and each beginning that several share.
pub const DEFAULT_SNAPSHOTS: usize = 8;

/// The copies, in memory of the device that the cache is in.
#[derive(Debug)]
pub(super) struct Snapshots {
    /// Bytes, [places, bytes of a slot].
    states: Option<Buffer>,
    places: usize,
    slot_bytes: usize,
}

impl Snapshots {
    /// Room for as many as the options say; none where nothing is recurrent.
    pub(super) fn new(
        runtime: &Runtime,
        phases: &Phases,
        options: &LoadOptions,
    ) -> Result<Self, ExecutorError> {
        let slot_bytes = memory_size(phases.slot_bytes)?;
        let asked = options.snapshots.unwrap_or(DEFAULT_SNAPSHOTS);
        let places = if slot_bytes > 0 { asked } else { 0 };
        let room = || runtime.zeros(&[places, slot_bytes], ElementType::I8).map_err(failed);
        let states = if places > 0 { Some(room()?) } else { None };
        Ok(Self { states, places, slot_bytes })
    }

    /// The same memory for a GPU opened anew.
    pub(super) fn on(&self, reopened: &Runtime) -> Self {
        let states = self.states.as_ref().map(|states| states.on(reopened));
        Self { states, places: self.places, slot_bytes: self.slot_bytes }
    }

    /// How many there is room for.
    pub(super) fn places(&self) -> usize {
        self.places
    }

    /// Copies whole slots, which are at the begin of `cache`.
    pub(super) fn move_states(
        &self,
        moves: &[StateMove],
        cache: &Buffer,
    ) -> Result<(), ExecutorError> {
        let size = self.slot_bytes;
        moves.iter().try_for_each(|one| {
            let (StateMove::Save { snapshot, .. } | StateMove::Restore { snapshot, .. }) = *one;
            let Some(states) = self.states.as_ref().filter(|_| snapshot < self.places) else {
                let places = self.places;
                return Err(ExecutorError::fatal(format!("snapshot {snapshot} of {places}")));
            };
            let copied = match *one {
                StateMove::Save { slot, .. } => {
                    states.copy_from(snapshot * size, cache, slot * size, size)
                }
                StateMove::Restore { slot, .. } => {
                    cache.copy_from(slot * size, states, snapshot * size, size)
                }
            };
            copied.map_err(failed)
        })
    }
}
