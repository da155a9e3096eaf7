//! The step loop: what runs next, and what it means when it has run.
//!
//! There is no prefill phase and no decode phase.  Each sequence has tokens it *wants*
//! in the KV cache (its text) and tokens that *are* there (`computed`).  A step hands
//! out a token budget to close that gap.  A chunk of a prompt, the next token of an
//! answer and the recomputation after a preemption are all the same gap.
//!
//! **Invariants** (checked by `tests/step_props.rs` after every call)
//! 1. `plan` and `commit` alternate, so no block is freed while a step reads it.
//! 2. A planned sequence owns blocks for every position the step writes.
//! 3. Every running sequence is older than every waiting one, and both lists are in
//!    order of arrival.  So the oldest is in every plan, and nothing starves.
//! 4. Every running sequence is in every plan, so no answer waits for another's prompt.
//!    A sequence is admitted on budget left over, and from then on those before it never
//!    take more than they did in that step.
//! 5. A plan is empty only if there is no sequence at all.

use std::collections::VecDeque;

use crate::pool::BlockPool;
use crate::sequence::{Finish, SeqId, Sequence};

/// Owns every sequence and every block, and decides what the next step computes.
#[derive(Debug)]
pub struct Scheduler {
    limits: Limits,
    pool: BlockPool,
    /// Sequences with nothing in the cache, oldest first; preempted ones at the front.
    waiting: VecDeque<Sequence>,
    /// Sequences that own blocks, oldest first.  The last one is preempted first.
    running: Vec<Sequence>,
    /// How many of `running`, from the front, are in the step under way.
    in_step: Option<usize>,
}

/// What one step may hold at most.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Tokens of all rows together.
    pub tokens_per_step: usize,
    /// Sequences that run at the same time.
    pub rows: usize,
    /// Tokens of one sequence.
    pub max_chunk: usize,
}

/// One executor call: for each entry, write KV for `tokens` more positions.
#[derive(Debug, Default)]
pub struct StepPlan {
    /// The rows of the step, oldest sequence first.
    pub entries: Vec<Entry>,
}

/// One row of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Whose row it is.
    pub seq: SeqId,
    /// The position of the row's first token.
    pub first_position: usize,
    /// How many tokens it writes.
    pub tokens: usize,
    /// Whether the last position reaches the end of the text, so logits are wanted.
    pub samples: bool,
}

/// The answer to one entry.
#[derive(Debug, Clone)]
pub struct Sampled {
    /// The entry's sequence.
    pub seq: SeqId,
    /// What came out.
    pub outcome: Outcome,
}

/// What a step did for one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The positions are in the cache; the entry did not sample.
    Written,
    /// The next tokens of the text, at least one: that which was chosen, and those that must
    /// follow it.
    Tokens(Vec<u32>),
    /// The same, and the text ends with them.
    Stop(Vec<u32>),
    /// The step gave nothing usable for this sequence.
    Failed,
}

/// A sequence that left, with its blocks already given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finished {
    /// Which.
    pub seq: SeqId,
    /// Why.
    pub finish: Finish,
}

impl Scheduler {
    /// A scheduler with no sequences.
    ///
    /// # Panics
    /// If a limit is 0: no step could be made.
    pub fn new(limits: Limits, pool: BlockPool) -> Self {
        assert!(limits.tokens_per_step > 0 && limits.rows > 0 && limits.max_chunk > 0);
        Self { limits, pool, waiting: VecDeque::new(), running: Vec::new(), in_step: None }
    }

    /// Whether a sequence of `limit` tokens fits the empty pool, and so can always
    /// run to its end.  Sequences that do not must be refused, not queued.
    pub fn can_ever_fit(&self, limit: usize) -> bool {
        limit <= self.pool.largest_text()
    }

    /// Queues a sequence behind all others.
    ///
    /// # Panics
    /// If it [can never fit](Self::can_ever_fit): it would block the queue for ever.
    pub fn submit(&mut self, seq: Sequence) {
        assert!(self.can_ever_fit(seq.limit), "admission has refused what can never fit");
        self.waiting.push_back(seq);
    }

    /// Takes a sequence out, in any stage.  Its blocks are free on return, unless the
    /// step under way reads them: then `commit` frees them and reports it as
    /// [`Finish::Cancelled`].  Returns false if there is no such sequence.
    pub fn cancel(&mut self, id: SeqId) -> bool {
        if let Some(idx) = self.waiting.iter().position(|seq| seq.id == id) {
            self.waiting.remove(idx);
            return true;
        }
        let Some(idx) = self.running.iter().position(|seq| seq.id == id) else { return false };
        if idx < self.in_step.unwrap_or(0) {
            self.running[idx].finish = Some(Finish::Cancelled);
        } else {
            let mut seq = self.running.remove(idx);
            self.pool.release(&mut seq);
        }
        true
    }

    /// Chooses the next step.  An empty plan means there is nothing to do.
    ///
    /// # Panics
    /// If the step before was not committed.
    pub fn plan(&mut self) -> StepPlan {
        assert!(self.in_step.is_none(), "plan and commit alternate");
        let mut plan = StepPlan::default();
        let mut budget = self.limits.tokens_per_step;
        let waiting_before = self.waiting.len();

        // 1. Running sequences first: each stalled one is a user watching a cursor.
        let mut idx = 0;
        while idx < self.running.len() && budget > 0 {
            let tokens = self.chunk(&self.running[idx], budget);
            if !self.make_room(idx, tokens) {
                break; // `idx` itself was the youngest, and has been preempted.
            }
            plan.entries.push(entry(&self.running[idx], tokens));
            budget -= tokens;
            idx += 1;
        }

        // 2. Then new work, in order.  Blocks freed by preemption are for those that
        //    lacked them, so a step that preempted admits nobody.
        if self.waiting.len() == waiting_before {
            self.admit(&mut plan, budget);
        }
        if !plan.entries.is_empty() {
            self.in_step = Some(plan.entries.len());
        }
        plan
    }

    /// The entries of the step under way, each with its sequence.
    pub fn rows<'a>(
        &'a self,
        plan: &'a StepPlan,
    ) -> impl Iterator<Item = (&'a Entry, &'a Sequence)> {
        debug_assert_eq!(self.in_step.unwrap_or(0), plan.entries.len());
        plan.entries.iter().zip(&self.running)
    }

    /// Applies a finished step.  `sampled` answers `plan.entries`, in order.
    /// Returns the sequences that finished with it.
    ///
    /// # Panics
    /// If the answers are not those of the plan, or the plan is not the one under way.
    pub fn commit(&mut self, plan: StepPlan, sampled: Vec<Sampled>) -> Vec<Finished> {
        assert_eq!(self.in_step.take().unwrap_or(0), plan.entries.len(), "the plan under way");
        assert_eq!(plan.entries.len(), sampled.len(), "one answer for each entry");
        // `plan` walks `running` from the front and appends what it admits, so the
        // plan's entries are exactly the front of `running`, in the same order.
        for ((entry, found), seq) in plan.entries.iter().zip(sampled).zip(&mut self.running) {
            assert!(entry.seq == seq.id && found.seq == seq.id, "one order for all three");
            apply(entry, found.outcome, seq);
        }
        self.retire()
    }

    /// Applies a step that went wrong as a whole: every sequence in it has failed,
    /// since nobody knows what the cache holds for it.  All others go on.
    pub fn fail(&mut self, plan: StepPlan) -> Vec<Finished> {
        let failed = |entry: &Entry| Sampled { seq: entry.seq, outcome: Outcome::Failed };
        let sampled = plan.entries.iter().map(failed).collect();
        self.commit(plan, sampled)
    }

    /// Whether there is no sequence left.
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.running.is_empty()
    }

    /// Sequences that wait for blocks or a row, oldest first.
    pub fn waiting(&self) -> impl ExactSizeIterator<Item = &Sequence> {
        self.waiting.iter()
    }

    /// Sequences that own blocks, oldest first.
    pub fn running(&self) -> impl ExactSizeIterator<Item = &Sequence> {
        self.running.iter()
    }

    /// The blocks.
    pub fn pool(&self) -> &BlockPool {
        &self.pool
    }

    /// Moves waiting sequences into the step, in order.  Stops at the first that does
    /// not fit: letting a short prompt overtake would starve a long one.
    fn admit(&mut self, plan: &mut StepPlan, mut budget: usize) {
        while budget > 0 && self.running.len() < self.limits.rows {
            let Some(mut seq) = self.waiting.pop_front() else { break };
            let text = seq.tokens.len();
            if !self.has_headroom_for(&seq) || !self.pool.grow(&mut seq, text) {
                self.waiting.push_front(seq);
                break;
            }
            let tokens = self.chunk(&seq, budget);
            plan.entries.push(entry(&seq, tokens));
            budget -= tokens;
            self.running.push(seq);
        }
    }

    /// Whether `seq` leaves a block for each sequence that runs already.  Without that
    /// it would soon be the one preempted, and its prompt computed for nothing.
    fn has_headroom_for(&self, seq: &Sequence) -> bool {
        self.pool.blocks_for(seq.tokens.len()) + self.running.len() <= self.pool.free()
    }

    fn chunk(&self, seq: &Sequence, budget: usize) -> usize {
        seq.gap().min(self.limits.max_chunk).min(budget)
    }

    /// Gives `running[idx]` room for `tokens` more positions, preempting from the young
    /// end.  Returns false if that took `idx` itself.  Victims are always younger than
    /// `idx`, so nothing already planned in this step is ever taken back.
    fn make_room(&mut self, idx: usize, tokens: usize) -> bool {
        let positions = self.running[idx].computed + tokens;
        while !self.pool.grow(&mut self.running[idx], positions) {
            let mut victim = self.running.pop().expect("`idx` itself is running");
            self.pool.release(&mut victim);
            victim.restart();
            self.waiting.push_front(victim);
            if self.running.len() == idx {
                assert!(idx > 0, "the oldest sequence alone fits, or admission refused it");
                return false;
            }
        }
        true
    }

    fn retire(&mut self) -> Vec<Finished> {
        let mut finished = Vec::new();
        let pool = &mut self.pool;
        self.running.retain_mut(|seq| {
            let Some(finish) = seq.finish else { return true };
            pool.release(seq);
            finished.push(Finished { seq: seq.id, finish });
            false
        });
        finished
    }
}

fn entry(seq: &Sequence, tokens: usize) -> Entry {
    let samples = tokens == seq.gap();
    Entry { seq: seq.id, first_position: seq.computed, tokens, samples }
}

fn apply(entry: &Entry, outcome: Outcome, seq: &mut Sequence) {
    if seq.finish.is_some() {
        return; // Cancelled while the step ran.
    }
    seq.computed += entry.tokens;
    match outcome {
        Outcome::Written => assert!(!entry.samples, "an entry that samples has a token"),
        Outcome::Tokens(tokens) => seq.extend(entry, &tokens),
        Outcome::Stop(tokens) => {
            seq.extend(entry, &tokens);
            seq.finish = Some(Finish::Stop);
        }
        Outcome::Failed => seq.finish = Some(Finish::Failed),
    }
}
