//! Which blocks hold which text, so that a prompt finds what others have computed.
//!
//! Only full blocks are in it. A block's keys and values depend on its tokens and on all tokens
//! before it, so a block is known by its own tokens and by the block before it: a tree, whose
//! paths are texts. A node is found by the hash of both, and its tokens and its parent are then
//! compared, so that texts whose hashes are equal are not taken for each other.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::snapshots::Snapshots;

/// A place in the tree: a text that ends with a full block. Never given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Node(u64);

impl Node {
    /// The empty text.
    pub(crate) const ROOT: Self = Self(0);
}

/// The tree, and the order in which its unused blocks are given up.
#[derive(Debug)]
pub(crate) struct PrefixCache {
    /// By block.
    known: Vec<Option<Known>>,
    by_hash: HashMap<u64, Vec<u32>>,
    /// The nodes of `known`.
    alive: BTreeSet<Node>,
    /// Known blocks that no sequence uses, by the time since when.
    idle: BTreeSet<(u64, u32)>,
    last_node: u64,
    clock: u64,
    hash: fn(Node, &[u32]) -> u64,
    /// Recurrent states after known texts.
    pub(crate) snapshots: Snapshots,
}

#[derive(Debug)]
struct Known {
    node: Node,
    parent: Node,
    tokens: Box<[u32]>,
    hash: u64,
    idle_since: u64,
}

impl PrefixCache {
    pub(crate) fn new(n_blocks: usize) -> Self {
        Self {
            known: std::iter::repeat_with(|| None).take(n_blocks).collect(),
            by_hash: HashMap::new(),
            alive: BTreeSet::new(),
            idle: BTreeSet::new(),
            last_node: Node::ROOT.0,
            clock: 0,
            hash,
            snapshots: Snapshots::default(),
        }
    }

    /// The block that holds `tokens` after the text of `parent`.
    pub(crate) fn find(&self, parent: Node, tokens: &[u32]) -> Option<(u32, Node)> {
        let candidates = self.by_hash.get(&(self.hash)(parent, tokens))?;
        candidates.iter().find_map(|&block| {
            let known = self.known[block as usize].as_ref().expect("hashes are of known blocks");
            let same = known.parent == parent && *known.tokens == *tokens;
            same.then_some((block, known.node))
        })
    }

    /// Makes a block, which a sequence uses, known. Returns nothing if the text before it is not
    /// known any more: nobody could find the block.
    pub(crate) fn insert(&mut self, block: u32, parent: Node, tokens: &[u32]) -> Option<Node> {
        if parent != Node::ROOT && !self.is_alive(parent) {
            return None;
        }
        debug_assert!(self.find(parent, tokens).is_none(), "a text is in one block");
        self.last_node += 1;
        let node = Node(self.last_node);
        let hash = (self.hash)(parent, tokens);
        self.by_hash.entry(hash).or_default().push(block);
        self.alive.insert(node);
        let known = Known { node, parent, tokens: tokens.into(), hash, idle_since: 0 };
        let before = self.known[block as usize].replace(known);
        assert!(before.is_none(), "a block holds one text");
        Some(node)
    }

    /// Whether the text of `node` can be found.
    pub(crate) fn is_alive(&self, node: Node) -> bool {
        self.alive.contains(&node)
    }

    /// Whether the block's text can be found.
    pub(crate) fn knows(&self, block: u32) -> bool {
        self.known[block as usize].is_some()
    }

    /// Known blocks that no sequence uses.
    pub(crate) fn idle(&self) -> usize {
        self.idle.len()
    }

    /// No sequence uses this known block any more.
    pub(crate) fn rest(&mut self, block: u32) {
        self.clock += 1;
        let known = self.known[block as usize].as_mut().expect("only known blocks rest");
        known.idle_since = self.clock;
        self.idle.insert((self.clock, block));
    }

    /// A sequence uses this resting block again.
    pub(crate) fn wake(&mut self, block: u32) {
        let known = self.known[block as usize].as_ref().expect("only known blocks rest");
        let rested = self.idle.remove(&(known.idle_since, block));
        assert!(rested, "the block was resting");
    }

    /// Gives up the block that has rested longest. Sequences let go of the ends of their texts
    /// first, so that it is never one whose text others continue.
    pub(crate) fn evict(&mut self) -> Option<u32> {
        let (_, block) = self.idle.pop_first()?;
        self.forget(block);
        Some(block)
    }

    /// Forgets these blocks, and all that continue their texts. Gives those that rested: they
    /// hold nothing that anybody can find.
    pub(crate) fn forget_all(&mut self, blocks: &[u32]) -> Vec<u32> {
        for &block in blocks {
            if self.knows(block) {
                self.forget(block);
            }
        }
        // A node is younger than its parent, so one pass by age meets parents first.
        let mut rest: Vec<(Node, u32)> = (self.known.iter().zip(0..))
            .filter_map(|(known, block)| known.as_ref().map(|known| (known.node, block)))
            .collect();
        rest.sort_unstable();
        for (_, block) in rest {
            let parent = self.known[block as usize].as_ref().expect("it was just listed").parent;
            if parent != Node::ROOT && !self.alive.contains(&parent) {
                self.forget(block);
            }
        }
        let lost: Vec<(u64, u32)> =
            self.idle.iter().copied().filter(|(_, block)| !self.knows(*block)).collect();
        for entry in &lost {
            self.idle.remove(entry);
        }
        lost.into_iter().map(|(_, block)| block).collect()
    }

    /// Panics if the tree contradicts itself. `uses` counts the sequences that use each block.
    pub(crate) fn assert_consistent(&self, uses: &[u32]) {
        let mut by_node = HashMap::new();
        for (known, block) in self.known.iter().zip(0..) {
            let Some(known) = known else { continue };
            assert!(by_node.insert(known.node, block).is_none(), "one block for each node");
            assert!(self.by_hash[&known.hash].contains(&block));
            let idle = self.idle.contains(&(known.idle_since, block));
            assert_eq!(idle, uses[block as usize] == 0, "unused blocks rest");
        }
        assert!(self.alive.iter().eq(by_node.keys().collect::<BTreeSet<_>>()));
        for known in self.known.iter().flatten().filter(|known| known.parent != Node::ROOT) {
            let parent = by_node[&known.parent];
            let above = self.known[parent as usize].as_ref().expect("it was just listed");
            let used = uses[parent as usize] > 0;
            assert!(used || above.idle_since > known.idle_since, "ends are given up first");
            assert!(
                used || uses[by_node[&known.node] as usize] == 0,
                "a text is used from its start"
            );
        }
        let listed: usize = self.by_hash.values().map(Vec::len).sum();
        assert_eq!(listed, by_node.len());
        self.snapshots.assert_consistent(|node| self.is_alive(node));
    }

    fn forget(&mut self, block: u32) {
        let known = self.known[block as usize].take().expect("only known blocks are forgotten");
        self.alive.remove(&known.node);
        self.snapshots.forget(known.node);
        let same_hash = self.by_hash.get_mut(&known.hash).expect("every known block is listed");
        same_hash.retain(|other| *other != block);
        if same_hash.is_empty() {
            self.by_hash.remove(&known.hash);
        }
    }
}

fn hash(parent: Node, tokens: &[u32]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (parent, tokens).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_equal_hashes_are_told_apart() {
        let mut cache = PrefixCache { hash: |_, _| 7, ..PrefixCache::new(10) };
        let a = cache.insert(1, Node::ROOT, &[1, 2]).expect("the root is alive");
        let b = cache.insert(2, Node::ROOT, &[2, 1]).expect("the root is alive");
        let under_b = cache.insert(3, b, &[1, 2]).expect("b is alive");
        assert_eq!(cache.find(Node::ROOT, &[1, 2]), Some((1, a)));
        assert_eq!(cache.find(Node::ROOT, &[2, 1]), Some((2, b)));
        assert_eq!(cache.find(b, &[1, 2]), Some((3, under_b)));
        assert_eq!(cache.find(a, &[1, 2]), None);
        assert_eq!(cache.find(Node::ROOT, &[2, 2]), None);
        cache.assert_consistent(&[1; 10]);
    }

    #[test]
    fn the_longest_resting_is_given_up_and_found_no_more() {
        let mut cache = PrefixCache::new(10);
        let a = cache.insert(1, Node::ROOT, &[1]).expect("the root is alive");
        let b = cache.insert(2, a, &[2]).expect("a is alive");
        assert_eq!(cache.evict(), None, "both are used");
        cache.rest(2);
        cache.rest(1);
        cache.wake(1);
        assert_eq!((cache.idle(), cache.evict(), cache.evict()), (1, Some(2), None));
        assert_eq!((cache.find(a, &[2]), cache.find(Node::ROOT, &[1])), (None, Some((1, a))));
        assert_eq!(cache.insert(4, b, &[3]), None, "b is gone");
        assert_ne!(cache.insert(2, a, &[2]), Some(b), "nodes are never given twice");
    }

    #[test]
    fn what_continues_a_forgotten_text_is_forgotten() {
        let mut cache = PrefixCache::new(10);
        let a = cache.insert(5, Node::ROOT, &[1]).expect("the root is alive");
        let b = cache.insert(3, a, &[2]).expect("a is alive");
        cache.insert(1, b, &[3]).expect("b is alive");
        let other = cache.insert(2, Node::ROOT, &[9]).expect("the root is alive");
        cache.rest(1);
        assert_eq!(cache.forget_all(&[5, 7]), [1]);
        assert_eq!((cache.find(Node::ROOT, &[1]), cache.find(a, &[2])), (None, None));
        assert_eq!(cache.find(Node::ROOT, &[9]), Some((2, other)));
        assert_eq!(cache.idle(), 0);
        assert!([1, 3, 5].into_iter().all(|block| !cache.knows(block)));
    }
}
