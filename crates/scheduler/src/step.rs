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
//! 4. Every sequence with a token of its answer to compute is in every plan, so no answer
//!    waits for another's prompt.  There are never more running sequences than tokens in a step.
//!    Drafts take only what is left over, of tokens, of blocks and of slots.
//! 5. The oldest running sequence is in every plan, and so nothing starves.
//! 6. A plan is empty only if there is no sequence at all.

use std::collections::VecDeque;

use crate::plan::{Entry, Finished, Limits, Outcome, Sampled, StateCopy, StepPlan};
use crate::pool::BlockPool;
use crate::queue::FairQueue;
use crate::sequence::{Finish, SeqId, Sequence};

/// Owns every sequence and every block, and decides what the next step computes.
#[derive(Debug)]
pub struct Scheduler {
    pub(crate) limits: Limits,
    pub(crate) pool: BlockPool,
    /// Sequences that have never run.
    pub(crate) new: FairQueue,
    /// Sequences that lost their blocks, and those whose prompt another has computed for
    /// them: admitted before new ones, in the order of their tickets.
    pub(crate) urgent: VecDeque<Sequence>,
    /// Sequences that have blocks, in the order of their tickets.  The last one is preempted
    /// first.
    pub(crate) running: Vec<Sequence>,
    /// Entries of the step under way.
    in_step: Option<usize>,
    next_ticket: u64,
    preempted: u64,
    /// Whether a prompt is computed in one step or not at all.
    whole_prompts: bool,
    /// Whether each token of an answer leaves a state in a slot.
    has_states: bool,
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
            whole_prompts: false,
            has_states: false,
        }
    }

    /// From now on no prompt is cut: every token of it may look at every other.
    ///
    /// # Panics
    /// If a step holds less than the longest chunk: a prompt of that length would never run.
    #[must_use]
    pub fn with_whole_prompts(self) -> Self {
        assert!(self.limits.tokens_per_step >= self.limits.max_chunk, "a step holds any prompt");
        Self { whole_prompts: true, ..self }
    }

    /// From now on each guess gets a slot, for the state of recurrent layers after it, from those
    /// that no running sequence has: there are as many as rows. The slot of the last right guess is
    /// the sequence's own then, so a wrong one leaves nothing behind.
    #[must_use]
    pub fn with_states(self) -> Self {
        Self { has_states: true, ..self }
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

    /// Says what may come after a sequence's text.  The next plan takes as many of the tokens as
    /// cost nobody else anything, and forgets the rest.  Does nothing for a sequence that has
    /// more than one token to compute, or does not run.
    pub fn draft(&mut self, id: SeqId, tokens: Vec<u32>) {
        if let Some(seq) = self.running.iter_mut().find(|seq| seq.id == id && seq.gap() == 1) {
            seq.drafts = tokens;
        }
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
        //    known of a prompt is not computed again, even if it became known since.  A state is
        //    copied for a row of the step only, so it is known first that there is one.
        let copies_states = self.pool.rule().is_some();
        if !copies_states {
            self.running.iter_mut().for_each(|seq| adopt(&mut self.pool, seq));
        }
        let answers = self.running.iter().filter(|seq| seq.next_run().1).count();
        let left = self.limits.tokens_per_step - answers;
        let shared = if answers > 0 { self.limits.chunk_beside_answers } else { left };
        let mut budget = left.min(shared);

        // 3. Then chunks of prompts, the oldest first.
        for seq in &mut self.running {
            if copies_states && budget > 0 && !seq.next_run().1 {
                adopt(&mut self.pool, seq);
            }
            let (run, by_itself) = seq.next_run();
            let chunk = run.min(self.limits.max_chunk).min(budget);
            let tokens = if by_itself { run } else { self.pool.cut(seq, chunk) };
            budget -= if by_itself { 0 } else { tokens };
            if tokens > 0 {
                add(&mut plan, seq, tokens, &mut self.pool);
            }
        }

        // 4. Then others, in order.  Blocks freed by preemption are for those that lacked
        //    them, so a step that preempted admits nobody.
        if !gave_way {
            budget = self.admit(&mut plan, budget);
        }

        // 5. What is still left is for guesses.
        self.add_drafts(&mut plan, budget);
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
            debug_assert_eq!(entry.drafts, seq.drafts.len());
            apply(entry, found, seq, &mut self.pool);
            self.new.note_served(seq.client, seq.tokens.len() - before);
            if seq.tokens.len() > before {
                forks.append(&mut seq.forks);
            }
        }
        plan.saves.iter().for_each(|copy| self.settle(copy));
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
        let failed =
            |entry: &Entry| Sampled { seq: entry.seq, outcome: Outcome::Failed, forced: 0 };
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
    /// not fit: letting a short prompt overtake would starve a long one.  Returns what is left
    /// of the budget.
    fn admit(&mut self, plan: &mut StepPlan, mut budget: usize) -> usize {
        let most = self.limits.rows.min(self.limits.tokens_per_step);
        while budget > 0 && self.running.len() < most {
            let was_urgent = !self.urgent.is_empty();
            let Some(mut seq) = self.urgent.pop_front().or_else(|| self.new.pop()) else { break };
            let text = seq.tokens.len();
            adopt(&mut self.pool, &mut seq);
            let is_cut = self.whole_prompts && seq.gap() > budget.min(self.limits.max_chunk);
            if is_cut || !self.has_headroom_for(&seq) || !self.pool.grow(&mut seq, text) {
                self.wait_again(seq, was_urgent);
                break;
            }
            let free = self.free_slots().next();
            seq.slot = free.expect("fewer sequences run than there are rows");
            seq.ticket = seq.ticket.or_else(|| Some(self.new_ticket()));
            if !seq.was_preempted {
                self.new.note_served(seq.client, seq.gap());
            }
            let chunk = seq.next_run().0.min(self.limits.max_chunk).min(budget);
            let tokens = self.pool.cut(&seq, chunk);
            add(plan, &mut seq, tokens, &mut self.pool);
            budget -= tokens;
            self.running.push(seq);
        }
        budget
    }

    /// The slots that nobody who runs has.
    fn free_slots(&self) -> impl Iterator<Item = usize> {
        let free = |slot: &usize| self.running.iter().all(|seq| seq.slot != *slot);
        (0..self.limits.rows).filter(free)
    }

    /// Lengthens the entries of answers by their drafts, oldest first, as far as nobody has to
    /// give way for them, now or in the next step.
    fn add_drafts(&mut self, plan: &mut StepPlan, budget: usize) {
        let answers = plan.entries.iter().filter(|entry| entry.by_itself).count();
        let mut budget = budget.min(self.limits.tokens_with_drafts.saturating_sub(answers));
        let mut slots: Vec<usize> = Vec::new();
        if self.has_states {
            slots.extend(self.free_slots().take(budget));
            budget = slots.len();
        }
        let mut spare = self.pool.free().saturating_sub(self.running.len());
        let in_step = self.running.iter_mut().filter(|seq| seq.in_step);
        for (entry, seq) in plan.entries.iter_mut().zip(in_step) {
            let text = seq.tokens.len();
            // The last token of a text is never computed, so none after it is of use.
            let of_use = (seq.limit - text).saturating_sub(1).min(self.limits.max_chunk - 1);
            let most = seq.drafts.len().min(of_use).min(budget);
            let room = (seq.blocks.len() + spare) * self.pool.block_size();
            let may_guess = entry.samples && entry.by_itself;
            let drafts = if may_guess { most.min(room - text) } else { 0 };
            seq.drafts.truncate(drafts);
            spare -= self.pool.lacking(seq, text + drafts);
            let grown = self.pool.grow(seq, text + drafts);
            assert!(grown, "there is room for as many");
            entry.drafts = drafts;
            entry.tokens += drafts;
            budget -= drafts;
            if self.has_states {
                seq.draft_slots = slots.split_off(slots.len() - drafts);
            }
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

    /// What became of a copy of a state that was made after a step.
    fn settle(&mut self, copy: &StateCopy) {
        let seq = self.running.iter().find(|seq| seq.id == copy.seq);
        self.pool.settle(copy, seq);
    }

    /// A sequence whose prompt another has computed is next after those that lost theirs.
    pub(crate) fn hurry(&mut self, mut seq: Sequence) {
        seq.ticket = Some(self.new_ticket());
        self.urgent.push_back(seq);
    }

    fn new_ticket(&mut self) -> u64 {
        self.next_ticket += 1;
        self.next_ticket
    }
}

/// Takes what the cache knows of the text that comes next, and counts it if it saves a prompt.
fn adopt(pool: &mut BlockPool, seq: &mut Sequence) {
    let skipped = pool.adopt(seq);
    if !seq.was_preempted && seq.tokens.len() == seq.prompt {
        seq.cached += skipped;
    }
}

/// Adds a row to the step, with the copies of its state that it needs and leaves.
fn add(plan: &mut StepPlan, seq: &mut Sequence, tokens: usize, pool: &mut BlockPool) {
    plan.restores.extend(pool.take_restore(seq));
    if !seq.next_run().1 {
        plan.saves.extend(pool.reserve_state(seq, tokens));
    }
    plan.entries.push(entry(seq, tokens));
}

/// Marks a sequence as part of the step.
fn entry(seq: &mut Sequence, tokens: usize) -> Entry {
    seq.in_step = true;
    let samples = tokens == seq.gap();
    let (first_position, (_, by_itself)) = (seq.computed, seq.next_run());
    Entry { seq: seq.id, first_position, tokens, by_itself, drafts: 0, samples }
}

fn apply(entry: &Entry, found: Sampled, seq: &mut Sequence, pool: &mut BlockPool) {
    let Sampled { outcome, forced, .. } = found;
    let drafts = std::mem::take(&mut seq.drafts);
    let slots = std::mem::take(&mut seq.draft_slots);
    let computed = seq.computed + entry.tokens - entry.drafts;
    let ends = matches!(outcome, Outcome::Stop(_));
    let right = match outcome {
        Outcome::Written => {
            assert!(!entry.samples, "an entry that samples has a token");
            0
        }
        Outcome::Tokens(tokens) | Outcome::Stop(tokens) => {
            let right = right_drafts(&drafts, &tokens, forced);
            seq.extend(entry, &tokens, right);
            right
        }
        Outcome::Complete => {
            assert!(entry.samples, "a text is complete when its last token is computed");
            seq.finish = Some(Finish::Stop);
            0
        }
        Outcome::Failed | Outcome::Damaged => {
            seq.finish = Some(Finish::Failed);
            return;
        }
    };
    if ends {
        seq.finish = Some(Finish::Stop);
    }
    // What the step wrote for right drafts is what the text needs there.
    seq.computed = computed + right;
    if let Some(slot) = right.checked_sub(1).and_then(|last| slots.get(last)) {
        seq.slot = *slot;
    }
    pool.publish(seq);
}

/// How many drafts the text went on with. The last token that was chosen is left, as are those that it
/// forced: what is computed together must not depend on drafts.
pub fn right_drafts(drafts: &[u32], tokens: &[u32], forced: usize) -> usize {
    let right = drafts.iter().zip(tokens).take_while(|(draft, token)| draft == token).count();
    right.min(tokens.len().saturating_sub(1 + forced))
}
