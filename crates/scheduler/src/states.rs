//! Where the prompts of recurrent models are continued, and where their states are copied.
//!
//! A block that is known is of use to such a text only up to a position with a copy of the state.
//! Copies are made in two kinds of places: where a prompt ends, since the next turn of a
//! conversation goes on from there, and where a prompt left a text that others computed before it,
//! since a beginning that came twice comes again. A prompt is cut there. Where chunks end with a
//! block anyway, copies are made while there are empty places.

use crate::plan::StateCopy;
use crate::pool::BlockPool;
use crate::prefix::Node;
use crate::sequence::Sequence;
use crate::snapshots::{SnapshotRule, Worth};

/// What a sequence knows of copies of its state.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StateCopies {
    /// The copy that it goes on from, as long as that is not in its slot.
    pub(crate) restore: Option<(usize, Node)>,
    /// The latest copy that it went on from.
    from: Option<Node>,
    /// Where the latest copy of its text was found or made.
    at: usize,
    /// Where its text left what was known when it came.
    branch: usize,
}

impl BlockPool {
    /// Takes what is known of a prompt as far as its last position with a copy of the state.
    /// Returns how many positions it skips.
    pub(crate) fn adopt_state(&mut self, seq: &mut Sequence) -> usize {
        let before = seq.computed;
        let known = self.known_ahead(seq);
        if before == 0 {
            seq.copies.branch = known.len() * self.block_size();
        }
        let copy = |(_, node): &(u32, Node)| Some((self.snapshots().find(*node)?, *node));
        let Some(last) = known.iter().rposition(|one| copy(one).is_some()) else { return 0 };
        seq.copies.restore = copy(&known[last]);
        for (block, node) in known.into_iter().take(last + 1) {
            self.share(seq, block, node);
        }
        seq.computed = seq.known_blocks * self.block_size();
        seq.copies.at = seq.computed;
        seq.computed - before
    }

    /// Blocks of the prompt that are known behind what is computed of it; its last token is left.
    fn known_ahead(&self, seq: &Sequence) -> Vec<(u32, Node)> {
        let size = self.block_size();
        let (mut end, mut node) = (seq.computed, seq.node);
        let mut known = Vec::new();
        if end != seq.known_blocks * size {
            return known;
        }
        while end + size < seq.prompt {
            let Some(found) = self.find(node, &seq.keys[end..end + size]) else { break };
            known.push(found);
            (end, node) = (end + size, found.1);
        }
        known
    }

    /// How many of the next `tokens` of a prompt a row takes, so that a copy can be made where
    /// one is of use.
    pub(crate) fn cut(&self, seq: &Sequence, tokens: usize) -> usize {
        let stop = self.next_stop(seq).map_or(tokens, |stop| stop - seq.computed);
        tokens.min(stop)
    }

    /// The copy that must be in the slot of `seq` before its next row.
    pub(crate) fn take_restore(&mut self, seq: &mut Sequence) -> Option<StateCopy> {
        let (snapshot, node) = seq.copies.restore.take()?;
        self.snapshots_mut().note_found(node);
        seq.copies.from = Some(node);
        Some(state_copy(seq, snapshot, seq.computed, Worth::Kept))
    }

    /// A place for the state of `seq` after the next `tokens` of its prompt, if it is to be kept.
    pub(crate) fn reserve_state(&mut self, seq: &mut Sequence, tokens: usize) -> Option<StateCopy> {
        let SnapshotRule { apart, least_gain, .. } = self.rule()?;
        let end = seq.computed + tokens;
        let is_stop = self.next_stop(seq) == Some(end);
        let ends_block = end.is_multiple_of(self.block_size()) && end < seq.prompt;
        let passes = ends_block && end - seq.copies.at >= apart;
        if !is_stop && !passes {
            return None;
        }
        // Where none will be made at the prompt's end, because this one is so near, it stands for that.
        let is_last = self.last_block(seq) < end + least_gain;
        let worth = if is_stop || is_last { Worth::Kept } else { Worth::Passing };
        if let Some(from) = seq.copies.from.filter(|_| worth == Worth::Kept) {
            self.snapshots_mut().supersede(from);
        }
        let snapshot = self.snapshots_mut().reserve(worth)?;
        seq.copies.at = end;
        Some(state_copy(seq, snapshot, end, worth))
    }

    /// Makes a copy known, or gives its place back: `seq` is its sequence, if the step went well
    /// for it.
    pub(crate) fn settle(&mut self, copy: &StateCopy, seq: Option<&Sequence>) {
        let size = self.block_size();
        let is_whole = |seq: &&Sequence| {
            let end = seq.known_blocks * size;
            seq.computed == copy.position && end == copy.position && self.is_alive(seq.node)
        };
        match seq.filter(is_whole).map(|seq| seq.node) {
            Some(node) => self.snapshots_mut().attach(node, copy.snapshot, copy.worth),
            None => self.snapshots_mut().give_back(copy.snapshot),
        }
    }

    /// Where the last full block of the prompt ends that leaves a token to compute.
    fn last_block(&self, seq: &Sequence) -> usize {
        (seq.prompt - 1) / self.block_size() * self.block_size()
    }

    /// The next position of the prompt where it is worth to have a copy.
    fn next_stop(&self, seq: &Sequence) -> Option<usize> {
        let rule = self.rule()?;
        let end = self.last_block(seq);
        // Those that wait for the prompt go on from its copy at once.
        let least = if seq.forks.is_empty() { rule.least_gain.max(1) } else { 1 };
        let worth = |stop: &usize| *stop > seq.computed && *stop - seq.copies.at >= least;
        [seq.copies.branch, end].into_iter().filter(worth).min()
    }
}

fn state_copy(seq: &Sequence, snapshot: usize, position: usize, worth: Worth) -> StateCopy {
    StateCopy { seq: seq.id, slot: seq.slot, snapshot, position, worth }
}
