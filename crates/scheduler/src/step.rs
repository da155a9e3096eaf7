//! The step loop: what runs next, and what it means when it has run.
//!
//! There is no prefill phase and no decode phase.  Each sequence has tokens it *wants*
//! in the KV cache (its text) and tokens that *are* there (`computed`).  A step hands
//! out a token budget to close that gap.  A chunk of a prompt, the next token of an
//! answer and the recomputation after a preemption are all the same gap.
//!
//! **Invariants** (checked by `tests/step_props.rs` after every call)
//! 1. `plan` and `commit` alternate, so no block is freed while a step reads it.
//! 2. A planned sequence has blocks for every position the step writes, and those are its
//!    own: a block that two use, or that others can find, is never written.
//! 3. Every running sequence was first admitted before every preempted one, and both lists
//!    are in that order.  Preempted ones are admitted before new ones.
//! 4. Every sequence with one token to compute is in every plan, so no answer waits for
//!    another's prompt.  There are never more running sequences than tokens in a step.
//! 5. The oldest running sequence is in every plan, and so nothing starves.
//! 6. A plan is empty only if there is no sequence at all.

use std::collections::VecDeque;

use crate::pool::BlockPool;
use crate::queue::FairQueue;
use crate::sequence::{Finish, SeqId, Sequence};

/// Owns every sequence and every block, and decides what the next step computes.
#[derive(Debug)]
pub struct Scheduler {
    limits: Limits,
    pool: BlockPool,
    /// Sequences that have never run.
    new: FairQueue,
    /// Sequences that lost their blocks, and those whose prompt another has computed for
    /// them: admitted before new ones, in the order of their tickets.
    urgent: VecDeque<Sequence>,
    /// Sequences that have blocks, in the order of their tickets.  The last one is preempted
    /// first.
    running: Vec<Sequence>,
    /// Entries of the step under way.
    in_step: Option<usize>,
    next_ticket: u64,
    preempted: u64,
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
    /// Tokens of prompts in a step that answers share: the longer the chunk, the longer they
    /// wait for their next token.
    pub chunk_beside_answers: usize,
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
    /// No token can be chosen for this sequence; what the cache holds for it is right.
    Failed,
    /// The model's numbers for this sequence are no numbers: nothing that it used is trusted.
    Damaged,
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
        assert!(limits.chunk_beside_answers > 0);
        Self {
            limits,
            pool,
            new: FairQueue::default(),
            urgent: VecDeque::new(),
            running: Vec::new(),
            in_step: None,
            next_ticket: 0,
            preempted: 0,
        }
    }

    /// Whether a sequence of `limit` tokens fits the empty pool, and so can always
    /// run to its end.  Sequences that do not must be refused, not queued.
    pub fn can_ever_fit(&self, limit: usize) -> bool {
        limit <= self.pool.largest_text()
    }

    /// Changes how many tokens of prompts a step may hold that answers share.
    ///
    /// # Panics
    /// If there are none: prompts would never be computed.
    pub fn set_chunk_beside_answers(&mut self, tokens: usize) {
        assert!(tokens > 0, "a prompt goes on beside answers");
        self.limits.chunk_beside_answers = tokens;
    }

    /// Queues a sequence behind the others of its client.
    ///
    /// # Panics
    /// If it [can never fit](Self::can_ever_fit): it would block the queue for ever.
    pub fn submit(&mut self, seq: Sequence) {
        self.submit_all(vec![seq]);
    }

    /// Queues sequences of one client that have the same prompt.  The first computes it; the
    /// others wait for that, and compute only what no full block holds.
    ///
    /// # Panics
    /// As [`submit`](Self::submit), or if there is none, or prompts or clients differ.
    pub fn submit_all(&mut self, mut seqs: Vec<Sequence>) {
        for seq in &seqs {
            assert!(self.can_ever_fit(seq.limit), "admission has refused what can never fit");
            assert!(seq.tokens == seqs[0].tokens && seq.client == seqs[0].client, "one prompt");
        }
        let forks = seqs.split_off(1);
        let first = seqs.pop().expect("a group has a sequence");
        self.new.push(Sequence { forks, ..first });
    }

    /// Takes a sequence out, in any stage.  Its blocks are free on return, unless the
    /// step under way reads them: then `commit` frees them and reports it as
    /// [`Finish::Cancelled`].  Returns false if there is no such sequence.
    pub fn cancel(&mut self, id: SeqId) -> bool {
        if let Some(seq) = self.running.iter_mut().find(|seq| seq.id == id && seq.in_step) {
            seq.finish = Some(Finish::Cancelled);
            return true;
        }
        let Some(seq) = self.take_out(id) else { return false };
        self.let_go(seq);
        true
    }

    /// Chooses the next step.  An empty plan means there is nothing to do.
    ///
    /// # Panics
    /// If the step before was not committed.
    pub fn plan(&mut self) -> StepPlan {
        assert!(self.in_step.is_none(), "plan and commit alternate");
        let mut plan = StepPlan::default();

        // 1. Everybody who runs has room for the whole text, or gives way.
        let gave_way = self.make_room();

        // 2. A token for each answer: each stalled one is a user watching a cursor.  What is
        //    known of a prompt is not computed again, even if it became known since.
        self.running.iter_mut().for_each(|seq| adopt(&mut self.pool, seq));
        let answers = self.running.iter().filter(|seq| seq.gap() == 1).count();
        let left = self.limits.tokens_per_step - answers;
        let shared = if answers > 0 { self.limits.chunk_beside_answers } else { left };
        let mut budget = left.min(shared);

        // 3. Then chunks of prompts, the oldest first.
        for idx in 0..self.running.len() {
            let gap = self.running[idx].gap();
            let tokens = if gap == 1 { 1 } else { gap.min(self.limits.max_chunk).min(budget) };
            budget -= if gap == 1 { 0 } else { tokens };
            if tokens > 0 {
                plan.entries.push(entry(&mut self.running[idx], tokens));
            }
        }

        // 4. Then others, in order.  Blocks freed by preemption are for those that lacked
        //    them, so a step that preempted admits nobody.
        if !gave_way {
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
        plan.entries.iter().zip(self.running.iter().filter(|seq| seq.in_step))
    }

    /// Applies a finished step.  `sampled` answers `plan.entries`, in order.
    /// Returns the sequences that finished with it.
    ///
    /// # Panics
    /// If the answers are not those of the plan, or the plan is not the one under way.
    pub fn commit(&mut self, plan: StepPlan, sampled: Vec<Sampled>) -> Vec<Finished> {
        assert_eq!(self.in_step.take().unwrap_or(0), plan.entries.len(), "the plan under way");
        assert_eq!(plan.entries.len(), sampled.len(), "one answer for each entry");
        // First, so that nobody takes a damaged block for one with the text of his own.
        let in_step = self.running.iter().filter(|seq| seq.in_step);
        for (seq, _) in in_step.zip(&sampled).filter(|(_, s)| s.outcome == Outcome::Damaged) {
            self.pool.distrust(seq, 0);
        }
        let mut forks = Vec::new();
        // Entries are made in the order of `running`, and those that have one are marked.
        let in_step = self.running.iter_mut().filter(|seq| seq.in_step);
        for ((entry, found), seq) in plan.entries.iter().zip(sampled).zip(in_step) {
            assert!(entry.seq == seq.id && found.seq == seq.id, "one order for all three");
            seq.in_step = false;
            if seq.finish.is_some() {
                continue; // Cancelled while the step ran.
            }
            let before = seq.tokens.len();
            apply(entry, found.outcome, seq, &mut self.pool);
            self.new.note_served(seq.client, seq.tokens.len() - before);
            if seq.tokens.len() > before {
                forks.append(&mut seq.forks);
            }
        }
        forks.into_iter().for_each(|fork| self.hurry(fork));
        self.retire()
    }

    /// Applies a step that went wrong as a whole: every sequence in it has failed,
    /// since nobody knows what the cache holds for it.  All others go on.
    pub fn fail(&mut self, plan: StepPlan) -> Vec<Finished> {
        for seq in self.running.iter().filter(|seq| seq.in_step) {
            // Full blocks were written by steps that went well.
            self.pool.distrust(seq, seq.known_blocks);
        }
        let failed = |entry: &Entry| Sampled { seq: entry.seq, outcome: Outcome::Failed };
        let sampled = plan.entries.iter().map(failed).collect();
        self.commit(plan, sampled)
    }

    /// Blocks whose last user let go of them and whose contents may be no numbers.  They must be
    /// overwritten after a plan, whose sequences may have got them, and before its step: a
    /// hidden position still takes part with weight 0, and 0 times NaN is NaN.  Each is given
    /// once.
    pub fn take_blocks_to_clean(&mut self) -> Vec<u32> {
        self.pool.take_blocks_to_clean()
    }

    /// Whether there is no sequence left.
    pub fn is_idle(&self) -> bool {
        self.n_waiting() == 0 && self.running.is_empty()
    }

    /// Sequences that have no blocks.
    pub fn n_waiting(&self) -> usize {
        self.waiting().count()
    }

    /// Sequences that wait for blocks, a row or their prompt.
    pub fn waiting(&self) -> impl Iterator<Item = &Sequence> {
        let leaders = self.urgent.iter().chain(self.new.iter());
        let forks = leaders.clone().chain(&self.running).flat_map(|seq| &seq.forks);
        leaders.chain(forks)
    }

    /// Sequences that have blocks, oldest first.
    pub fn running(&self) -> impl ExactSizeIterator<Item = &Sequence> {
        self.running.iter()
    }

    /// How often a sequence was put back to wait, because blocks ran out.
    pub fn preempted(&self) -> u64 {
        self.preempted
    }

    /// The blocks.
    pub fn pool(&self) -> &BlockPool {
        &self.pool
    }

    /// Gives everybody who runs room for the whole text, preempting from the young end.
    /// Returns whether anybody had to give way.
    fn make_room(&mut self) -> bool {
        let before = self.preempted;
        let mut idx = 0;
        while idx < self.running.len() {
            let text = self.running[idx].tokens.len();
            if self.pool.grow(&mut self.running[idx], text) {
                idx += 1;
                continue;
            }
            let mut victim = self.running.pop().expect("`idx` itself is running");
            self.pool.release(&mut victim);
            victim.restart();
            self.urgent.push_front(victim);
            self.preempted += 1;
            assert!(!self.running.is_empty(), "the oldest alone fits, or admission refused it");
        }
        self.preempted > before
    }

    /// Moves waiting sequences into the step, in order.  Stops at the first that does
    /// not fit: letting a short prompt overtake would starve a long one.
    fn admit(&mut self, plan: &mut StepPlan, mut budget: usize) {
        let most = self.limits.rows.min(self.limits.tokens_per_step);
        while budget > 0 && self.running.len() < most {
            let was_urgent = !self.urgent.is_empty();
            let Some(mut seq) = self.urgent.pop_front().or_else(|| self.new.pop()) else { break };
            let text = seq.tokens.len();
            adopt(&mut self.pool, &mut seq);
            if !self.has_headroom_for(&seq) || !self.pool.grow(&mut seq, text) {
                self.wait_again(seq, was_urgent);
                break;
            }
            seq.ticket = seq.ticket.or_else(|| Some(self.new_ticket()));
            if !seq.was_preempted {
                self.new.note_served(seq.client, seq.gap());
            }
            let tokens = seq.gap().min(self.limits.max_chunk).min(budget);
            plan.entries.push(entry(&mut seq, tokens));
            budget -= tokens;
            self.running.push(seq);
        }
    }

    /// Whether `seq` leaves a block for each sequence that runs already.  Without that
    /// it would soon be the one preempted, and its prompt computed for nothing.
    fn has_headroom_for(&self, seq: &Sequence) -> bool {
        self.pool.lacking(seq, seq.tokens.len()) + self.running.len() <= self.pool.free()
    }

    /// Puts a sequence that does not fit back to the place that it was taken from.
    fn wait_again(&mut self, mut seq: Sequence, was_urgent: bool) {
        self.pool.release(&mut seq);
        seq.computed = 0;
        if !seq.was_preempted {
            seq.cached = 0;
        }
        if was_urgent { self.urgent.push_front(seq) } else { self.new.unpop(seq) }
    }

    /// A sequence whose prompt another has computed is next after those that lost theirs.
    fn hurry(&mut self, mut seq: Sequence) {
        seq.ticket = Some(self.new_ticket());
        self.urgent.push_back(seq);
    }

    fn new_ticket(&mut self) -> u64 {
        self.next_ticket += 1;
        self.next_ticket
    }

    /// Takes a sequence that is in no step out of its list.
    fn take_out(&mut self, id: SeqId) -> Option<Sequence> {
        if let Some(idx) = self.running.iter().position(|seq| seq.id == id) {
            return Some(self.running.remove(idx));
        }
        if let Some(idx) = self.urgent.iter().position(|seq| seq.id == id) {
            return self.urgent.remove(idx);
        }
        self.take_out_fork(id).or_else(|| self.take_out_new(id))
    }

    fn take_out_fork(&mut self, id: SeqId) -> Option<Sequence> {
        let leaders = self.urgent.iter_mut().chain(self.new.iter_mut()).chain(&mut self.running);
        leaders
            .flat_map(|seq| {
                let place = seq.forks.iter().position(|fork| fork.id == id)?;
                Some(seq.forks.remove(place))
            })
            .next()
    }

    /// One that waits for its turn leaves its place to those that wait for its prompt.
    fn take_out_new(&mut self, id: SeqId) -> Option<Sequence> {
        let leads = |seq: &&mut Sequence| seq.id == id && !seq.forks.is_empty();
        let heir = self.new.iter_mut().find(leads).map(first_fork);
        match heir {
            Some(heir) => self.new.replace(id, heir),
            None => self.new.remove(id),
        }
    }

    /// The end of a sequence that is in no list any more.
    fn let_go(&mut self, mut seq: Sequence) {
        self.pool.release(&mut seq);
        self.new.note_left(seq.client);
        if !seq.forks.is_empty() {
            let heir = first_fork(&mut seq);
            self.hurry(heir);
        }
    }

    fn retire(&mut self) -> Vec<Finished> {
        let (gone, running): (Vec<_>, Vec<_>) =
            self.running.drain(..).partition(|seq| seq.finish.is_some());
        self.running = running;
        let mut finished = Vec::with_capacity(gone.len());
        for seq in gone {
            finished.extend(seq.finish.map(|finish| Finished { seq: seq.id, finish }));
            self.let_go(seq);
        }
        finished
    }
}

/// The first of those that wait for the prompt of `seq`, which leads the others now.
fn first_fork(seq: &mut Sequence) -> Sequence {
    let mut forks = std::mem::take(&mut seq.forks);
    let first = forks.remove(0);
    Sequence { forks, ..first }
}

/// Takes what the cache knows of the text that comes next, and counts it if it saves a prompt.
fn adopt(pool: &mut BlockPool, seq: &mut Sequence) {
    let skipped = pool.adopt(seq);
    if !seq.was_preempted && seq.tokens.len() == seq.prompt {
        seq.cached += skipped;
    }
}

/// Marks a sequence as part of the step.
fn entry(seq: &mut Sequence, tokens: usize) -> Entry {
    seq.in_step = true;
    let samples = tokens == seq.gap();
    Entry { seq: seq.id, first_position: seq.computed, tokens, samples }
}

fn apply(entry: &Entry, outcome: Outcome, seq: &mut Sequence, pool: &mut BlockPool) {
    let computed = seq.computed + entry.tokens;
    match outcome {
        Outcome::Written => assert!(!entry.samples, "an entry that samples has a token"),
        Outcome::Tokens(tokens) => seq.extend(entry, &tokens),
        Outcome::Stop(tokens) => {
            seq.extend(entry, &tokens);
            seq.finish = Some(Finish::Stop);
        }
        Outcome::Failed | Outcome::Damaged => {
            seq.finish = Some(Finish::Failed);
            return;
        }
    }
    seq.computed = computed;
    pool.publish(seq);
}
