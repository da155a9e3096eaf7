//! Copies of recurrent states, each of a text that ends with a full block.
//!
//! Recurrent layers keep one state of the whole text before a position, in a slot that the sequence
//! has while it runs. Such a state goes on with every token and cannot be cut, so a text can only
//! be continued where a copy was made. Copies are large and have few places: what is given up first
//! is decided here, where they are made is the pool's affair.

use std::collections::{BTreeMap, BTreeSet};

use crate::prefix::Node;

/// How copies of recurrent states are made and kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotRule {
    /// Places for copies, at least one.
    pub places: usize,
    /// A prompt is cut so that a copy can be made only where the copy spares so many tokens.
    pub least_gain: usize,
    /// Copies that need no cut, where a chunk ends with a block anyway, are so many tokens apart.
    pub apart: usize,
}

/// What a copy is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Worth {
    /// Made where a chunk happened to end: given up before all others, and takes nobody's place.
    Passing,
    /// Where texts are likely to go on: at the end of a prompt, and where one left another.
    Kept,
}

/// The places, and what is in them.
#[derive(Debug, Default)]
pub(crate) struct Snapshots {
    total: usize,
    empty: Vec<usize>,
    /// Places given out whose copy is not made yet.
    reserved: usize,
    held: BTreeMap<Node, Held>,
    /// The nodes of `held`, the first to be given up first.
    order: BTreeSet<(Worth, u64, Node)>,
    clock: u64,
}

#[derive(Debug)]
struct Held {
    place: usize,
    worth: Worth,
    since: u64,
    /// Texts that were continued from here.
    found: usize,
}

impl Snapshots {
    pub(crate) fn new(places: usize) -> Self {
        Self { total: places, empty: (0..places).rev().collect(), ..Self::default() }
    }

    /// Places in all.
    pub(crate) fn total(&self) -> usize {
        self.total
    }

    /// Places that hold a copy.
    pub(crate) fn held(&self) -> usize {
        self.held.len()
    }

    /// Where the state after the text of `node` is.
    pub(crate) fn find(&self, node: Node) -> Option<usize> {
        self.held.get(&node).map(|held| held.place)
    }

    /// A text goes on from the copy at `node`.
    pub(crate) fn note_found(&mut self, node: Node) {
        if let Some(held) = self.held.get_mut(&node) {
            held.found += 1;
            self.rank(node, Worth::Kept);
        }
    }

    /// The one text that went on from the copy at `node` has a longer one now: this is given up
    /// before others. A copy that several texts went on from is a beginning that they share.
    pub(crate) fn supersede(&mut self, node: Node) {
        if self.held.get(&node).is_some_and(|held| held.found <= 1) {
            self.rank(node, Worth::Passing);
        }
    }

    /// A place for a copy that will be made.
    pub(crate) fn reserve(&mut self, worth: Worth) -> Option<usize> {
        if self.empty.is_empty() && worth == Worth::Kept {
            let (.., node) = *self.order.first()?;
            self.forget(node);
        }
        let place = self.empty.pop()?;
        self.reserved += 1;
        Some(place)
    }

    /// The copy in a reserved place is that of the text of `node`, which is known.
    pub(crate) fn attach(&mut self, node: Node, place: usize, worth: Worth) {
        if self.held.contains_key(&node) {
            return self.give_back(place);
        }
        self.reserved -= 1;
        self.held.insert(node, Held { place, worth, since: 0, found: 0 });
        self.rank(node, worth);
    }

    /// No copy was made in a reserved place.
    pub(crate) fn give_back(&mut self, place: usize) {
        self.reserved -= 1;
        self.empty.push(place);
    }

    /// Nobody finds the text of `node` any more.
    pub(crate) fn forget(&mut self, node: Node) {
        if let Some(Held { place, worth, since, .. }) = self.held.remove(&node) {
            self.order.remove(&(worth, since, node));
            self.empty.push(place);
        }
    }

    /// Panics if the places contradict themselves, or hold a text that `is_alive` does not know.
    pub(crate) fn assert_consistent(&self, is_alive: impl Fn(Node) -> bool) {
        assert!(self.held.keys().all(|node| is_alive(*node)), "a copy is of a known text");
        let held = self.held.values().map(|held| held.place);
        let places: BTreeSet<usize> = held.chain(self.empty.iter().copied()).collect();
        assert!(places.iter().all(|place| *place < self.total));
        let listed = self.held.len() + self.empty.len();
        assert_eq!((places.len(), listed + self.reserved), (listed, self.total), "each place once");
        let ranked = self.held.iter().map(|(node, held)| (held.worth, held.since, *node));
        assert!(ranked.collect::<BTreeSet<_>>() == self.order);
    }

    fn rank(&mut self, node: Node, worth: Worth) {
        self.clock += 1;
        let held = self.held.get_mut(&node).expect("only what is held has a rank");
        self.order.remove(&(held.worth, held.since, node));
        (held.worth, held.since) = (worth, self.clock);
        self.order.insert((worth, self.clock, node));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prefix::PrefixCache;

    /// Nodes of a tree, to name texts with.
    fn nodes<const N: usize>() -> [Node; N] {
        let mut cache = PrefixCache::new(N + 1);
        let mut block = 0;
        [(); N].map(|()| {
            block += 1;
            cache.insert(block, Node::ROOT, &[block]).expect("the root is alive")
        })
    }

    fn hold(snapshots: &mut Snapshots, node: Node, worth: Worth) -> Option<usize> {
        let place = snapshots.reserve(worth)?;
        snapshots.attach(node, place, worth);
        snapshots.assert_consistent(|_| true);
        Some(place)
    }

    #[test]
    fn the_least_worth_and_then_the_longest_unused_is_given_up() {
        let [a, b, c, d, e] = nodes();
        let mut snapshots = Snapshots::new(3);
        hold(&mut snapshots, a, Worth::Kept);
        hold(&mut snapshots, b, Worth::Passing);
        hold(&mut snapshots, c, Worth::Kept);
        assert_eq!(hold(&mut snapshots, d, Worth::Passing), None, "it takes nobody's place");
        assert!(hold(&mut snapshots, d, Worth::Kept).is_some());
        assert_eq!((snapshots.find(b), snapshots.held()), (None, 3));
        snapshots.note_found(a);
        assert!(hold(&mut snapshots, e, Worth::Kept).is_some());
        assert!(snapshots.find(c).is_none() && snapshots.find(a).is_some());
    }

    #[test]
    fn a_conversation_keeps_one_place_and_a_shared_beginning_its_own() {
        let [shared, first, second, third] = nodes();
        let mut snapshots = Snapshots::new(2);
        hold(&mut snapshots, shared, Worth::Kept);
        hold(&mut snapshots, first, Worth::Kept);
        snapshots.note_found(shared);
        snapshots.note_found(shared);
        for (before, after) in [(first, second), (second, third)] {
            snapshots.note_found(before);
            snapshots.supersede(shared);
            snapshots.supersede(before);
            hold(&mut snapshots, after, Worth::Kept);
            assert!(snapshots.find(shared).is_some() && snapshots.find(before).is_none());
        }
    }

    #[test]
    fn places_come_back() {
        let [a, b] = nodes();
        let mut snapshots = Snapshots::new(1);
        let place = snapshots.reserve(Worth::Kept).expect("it is empty");
        assert_eq!(snapshots.reserve(Worth::Kept), None, "a copy under way is not given up");
        snapshots.give_back(place);
        hold(&mut snapshots, a, Worth::Kept);
        snapshots.forget(a);
        snapshots.forget(b);
        assert_eq!((snapshots.held(), snapshots.total()), (0, 1));
        assert_eq!(hold(&mut snapshots, b, Worth::Passing), Some(place));
    }
}
