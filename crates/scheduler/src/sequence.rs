//! One text being written: its tokens, and how much of it the KV cache holds.

use crate::plan::Entry;
use crate::prefix::Node;
use crate::states::StateCopies;

/// Names a sequence for as long as the engine lives; never given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeqId(pub u64);

/// Whose sequence it is: those that wait are served in turn, client by client.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(pub u64);

/// Marks, in a [`Sequence`]'s keys, a token that is computed by itself.
const BY_ITSELF: u32 = 1 << 31;

/// Why a sequence left the scheduler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// The caller answered a step with [`Outcome::Stop`](crate::Outcome::Stop).
    Stop,
    /// The text reached its limit.
    Length,
    /// [`Scheduler::cancel`](crate::Scheduler::cancel) took it out.
    Cancelled,
    /// A step went wrong for it.
    Failed,
}

/// A text, its limit, and the blocks that hold its keys and values.
#[derive(Debug, Clone)]
pub struct Sequence {
    pub(crate) id: SeqId,
    pub(crate) client: ClientId,
    /// The prompt and what was generated after it.
    pub(crate) tokens: Vec<u32>,
    /// The tokens, those marked that are computed by themselves: an answer's, one in a step.
    /// Code for one token and code for many round differently, so what the cache holds depends
    /// on it, and is told apart by it.
    pub(crate) keys: Vec<u32>,
    pub(crate) prompt: usize,
    pub(crate) limit: usize,
    /// Leading positions whose keys and values are in the cache.
    pub(crate) computed: usize,
    pub(crate) blocks: Vec<u32>,
    /// How many of `blocks`, from the front, can be or could be found by others, and where their
    /// text ends in the cache's tree.
    pub(crate) known_blocks: usize,
    pub(crate) node: Node,
    /// Positions of the prompt that were never computed for this sequence.
    pub(crate) cached: usize,
    /// Whether it has lost its blocks before: what it finds in the cache may then be its own.
    pub(crate) was_preempted: bool,
    /// Its place among all that have ever been admitted; older ones are preempted later.
    pub(crate) ticket: Option<u64>,
    /// Whether the step under way reads its blocks.
    pub(crate) in_step: bool,
    /// What may come after the text, for one step.
    pub(crate) drafts: Vec<u32>,
    /// Sequences with the same prompt that wait until it is computed.
    pub(crate) forks: Vec<Sequence>,
    pub(crate) finish: Option<Finish>,
    /// Its own while it runs: where recurrent layers keep its state.
    pub(crate) slot: usize,
    /// The same for the state after each draft, for one step.
    pub(crate) draft_slots: Vec<usize>,
    pub(crate) copies: StateCopies,
}

impl Sequence {
    /// A sequence that finishes when prompt and answer together have `limit` tokens.
    ///
    /// # Panics
    /// If the prompt is empty (there is nothing to take logits of) or leaves no room
    /// for an answer: both are for the caller to settle without a step.
    pub fn new(id: SeqId, prompt: Vec<u32>, limit: usize) -> Self {
        assert!(!prompt.is_empty(), "a sequence starts from at least one token");
        assert!(limit > prompt.len(), "a sequence has room for one token or more");
        assert!(prompt.iter().all(|token| token & BY_ITSELF == 0), "ids are below 2^31");
        Self {
            id,
            client: ClientId::default(),
            prompt: prompt.len(),
            keys: prompt.clone(),
            tokens: prompt,
            limit,
            computed: 0,
            blocks: Vec::new(),
            known_blocks: 0,
            node: Node::ROOT,
            cached: 0,
            was_preempted: false,
            ticket: None,
            in_step: false,
            drafts: Vec::new(),
            forks: Vec::new(),
            finish: None,
            slot: 0,
            draft_slots: Vec::new(),
            copies: StateCopies::default(),
        }
    }

    /// The same, of a client.
    #[must_use]
    pub fn of(mut self, client: ClientId) -> Self {
        self.client = client;
        self
    }

    /// The name it was given.
    pub fn id(&self) -> SeqId {
        self.id
    }

    /// Whose it is.
    pub fn client(&self) -> ClientId {
        self.client
    }

    /// Prompt and answer so far.
    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// How many tokens prompt and answer have together at most.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// How many leading positions the cache holds.
    pub fn computed(&self) -> usize {
        self.computed
    }

    /// How many tokens of the prompt the cache held before the sequence came.
    pub fn cached(&self) -> usize {
        self.cached
    }

    /// Its blocks in the order of positions: position `p` is in `blocks()[p / block_size]`.
    pub fn blocks(&self) -> &[u32] {
        &self.blocks
    }

    /// Which of the slots, of which there are as many as rows in a step, is its own while it runs.
    /// What others left there is of no use: it begins with position 0 whenever it is given one, or
    /// with a [copy](crate::StepPlan::restores) of the state before its first token.
    pub fn slot(&self) -> usize {
        self.slot
    }

    /// Where recurrent layers leave the state after each draft of the step under way, if the scheduler
    /// [has states](crate::Scheduler::with_states): slots that are nobody else's in the step. The one
    /// of the last right draft is the sequence's own after it.
    pub fn draft_slots(&self) -> &[usize] {
        &self.draft_slots
    }

    /// What the step under way guesses of what comes after the text.
    pub fn drafts(&self) -> &[u32] {
        &self.drafts
    }

    /// Tokens that are in the text and not in the cache.
    pub fn gap(&self) -> usize {
        self.tokens.len() - self.computed
    }

    /// Whether only the last token of its answer is not computed, so that drafts may follow it.
    pub fn may_have_drafts(&self) -> bool {
        self.gap() == 1 && self.next_run().1
    }

    /// Forgets what the cache held.  The text stays, so the same answer goes on.
    pub(crate) fn restart(&mut self) {
        debug_assert!(self.blocks.is_empty(), "a restarting sequence has given its blocks back");
        self.drafts.clear();
        self.computed = 0;
        self.was_preempted = true;
    }

    /// Tokens that the next entry can compute at most, and whether they are one by itself.
    pub(crate) fn next_run(&self) -> (usize, bool) {
        let rest = &self.keys[self.computed..];
        match rest[0] & BY_ITSELF {
            0 => (rest.iter().take_while(|key| **key & BY_ITSELF == 0).count(), false),
            _ => (1, true),
        }
    }

    /// Adds what an entry at the end of the text gave, of which the first `right` were computed
    /// with it. What is still to be computed is a token by itself, or a run.
    pub(crate) fn extend(&mut self, entry: &Entry, tokens: &[u32], right: usize) {
        assert!(entry.samples, "only an entry at the end of its text has tokens");
        assert!(!tokens.is_empty(), "a text goes on by one token or more");
        assert!(tokens.iter().all(|token| token & BY_ITSELF == 0), "ids are below 2^31");
        self.tokens.extend_from_slice(tokens);
        assert!(self.tokens.len() <= self.limit, "nothing goes beyond the limit");
        let is_single = tokens.len() - right == 1;
        let mark = |(at, token)| if at < right || is_single { token | BY_ITSELF } else { token };
        self.keys.extend(tokens.iter().copied().enumerate().map(mark));
        if self.tokens.len() == self.limit {
            self.finish = Some(Finish::Length);
        }
    }
}
