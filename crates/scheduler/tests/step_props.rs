//! Random traffic in tiny worlds: a few blocks, a few tokens, fixed seeds.
//!
//! Small numbers make collisions of every kind frequent: texts over two tokens begin alike all
//! the time.  The world plays the executor with a paged cache of its own: each position holds a
//! hash of the text that was written up to there, so a block that is shared by different texts,
//! or read before it is written, or found by a text that is not its own, fails the run.
//! Some worlds have recurrent states too: the same hash in a slot for each row, and copies of it.

use std::collections::HashSet;

use tyto_scheduler::{
    BlockPool, ClientId, Entry, Finish, Finished, Limits, Outcome, Sampled, Scheduler, SeqId,
    Sequence, SnapshotRule, StepPlan,
};

/// SplitMix64: enough randomness for traffic, and no dependency.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number in `low..=high`.
    fn range(&mut self, low: usize, high: usize) -> usize {
        low + (self.next() % (high - low + 1) as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.range(1, n) == 1
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn chain(hash: u64, token: u32) -> u64 {
    mix(hash ^ u64::from(token) << 32 | 1)
}

/// The next token depends on the whole text, out of a vocabulary of 2.
fn next_token(text: &[u32]) -> u32 {
    (text.iter().fold(7, |hash, &token| chain(hash, token)) % 2) as u32
}

/// What the sequence must become when nothing disturbs it.
fn alone(prompt: &[u32], limit: usize, stop_run: usize) -> Vec<u32> {
    let mut text = prompt.to_vec();
    while text.len() < limit {
        text.push(next_token(&text));
        if stops(&text, prompt.len(), stop_run) {
            break;
        }
    }
    text
}

/// The stop rule of the world: `stop_run` equal tokens at the end of the answer.
fn stops(text: &[u32], prompt: usize, stop_run: usize) -> bool {
    let answer = &text[prompt..];
    answer.len() >= stop_run && answer[answer.len() - stop_run..].iter().all(|&token| token == 0)
}

struct Live {
    prompt: Vec<u32>,
    limit: usize,
    stop_run: usize,
    text: Vec<u32>,
    /// For each position, whether its token is computed by itself.
    singles: Vec<bool>,
    /// Positions computed for it, those that it did not compute, and whether it ever lost them.
    written: usize,
    cached: usize,
    was_preempted: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Slot {
    Empty,
    /// The hash of the text up to this position, and of how each token of it was computed.
    Text(u64),
    /// What nobody may ever have in a block of his.
    Poison,
}

#[derive(Default)]
struct Counts {
    steps: usize,
    finished: usize,
    preempted: u64,
    cancelled: usize,
    failed: usize,
    cleaned: usize,
    cached: usize,
    forked: usize,
    drafted: usize,
    right: usize,
    restored: usize,
    found_with_state: usize,
    right_with_state: usize,
}

struct World {
    random: Random,
    scheduler: Scheduler,
    limits: Limits,
    block_size: usize,
    cache: Vec<Vec<Slot>>,
    /// Of recurrent worlds: the state in each slot, and in each snapshot.
    states: Vec<Slot>,
    snapshots: Vec<Slot>,
    /// In order of arrival.
    live: Vec<(SeqId, Live)>,
    next_id: u64,
    counts: Counts,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let n_blocks = random.range(2, 12);
        let block_size = random.range(1, 4);
        let limits = Limits {
            tokens_per_step: random.range(1, 12),
            rows: random.range(1, 5),
            max_chunk: random.range(1, 6),
            tokens_with_drafts: random.range(1, 8),
            chunk_beside_answers: random.range(1, 6),
        };
        let pool = BlockPool::new(n_blocks, block_size);
        let places = if random.one_in(3) { random.range(1, 4) } else { 0 };
        let (least_gain, apart) = (random.range(1, 4), random.range(1, 6));
        let pool = match (random.one_in(6), places) {
            (true, _) => pool.forgetful(),
            (false, 0) => pool,
            (false, places) => pool.with_snapshots(SnapshotRule { places, least_gain, apart }),
        };
        let snapshots = vec![Slot::Empty; pool.snapshots_total()];
        let scheduler = Scheduler::new(limits, pool);
        let scheduler = if snapshots.is_empty() { scheduler } else { scheduler.with_states() };
        Self {
            random,
            scheduler,
            limits,
            block_size,
            cache: vec![vec![Slot::Empty; block_size]; n_blocks],
            states: vec![Slot::Empty; limits.rows],
            snapshots,
            live: Vec::new(),
            next_id: 0,
            counts: Counts::default(),
        }
    }

    fn submit(&mut self) {
        let largest = self.scheduler.pool().largest_text();
        assert!(self.scheduler.can_ever_fit(largest) && !self.scheduler.can_ever_fit(largest + 1));
        // Short prompts with long answers are what makes preemption frequent.
        let longest = if self.random.one_in(3) { largest - 1 } else { (largest - 1).min(3) };
        let length = self.random.range(1, longest);
        // Mostly one token, so that many texts begin alike.
        let prompt: Vec<u32> = (0..length).map(|_| u32::from(self.random.one_in(5))).collect();
        let client = ClientId(self.random.range(0, 2) as u64);
        let count = if self.random.one_in(4) { self.random.range(2, 3) } else { 1 };
        let group = (0..count).map(|_| {
            let limit = self.random.range(length + 1, largest);
            let stop_run = self.random.range(2, 9);
            let id = SeqId(self.next_id);
            self.next_id += 1;
            let (text, prompt) = (prompt.clone(), prompt.clone());
            let (written, cached, was_preempted) = (0, 0, false);
            let seq = Sequence::new(id, prompt.clone(), limit).of(client);
            let singles = vec![false; length];
            let live =
                Live { prompt, limit, stop_run, text, singles, written, cached, was_preempted };
            self.live.push((id, live));
            seq
        });
        let group: Vec<Sequence> = group.collect();
        self.counts.forked += count - 1;
        self.scheduler.submit_all(group);
    }

    fn cancel_one(&mut self) -> Option<SeqId> {
        if self.live.is_empty() {
            return None;
        }
        let idx = self.random.range(0, self.live.len() - 1);
        let id = self.live[idx].0;
        assert!(self.scheduler.cancel(id));
        self.counts.cancelled += 1;
        Some(id)
    }

    fn forget(&mut self, id: SeqId) -> Live {
        let idx = self.live.iter().position(|(live, _)| *live == id).expect("it was alive");
        self.live.remove(idx).1
    }

    fn step(&mut self) {
        self.counts.steps += 1;
        if self.random.one_in(10) {
            self.limits.chunk_beside_answers = self.random.range(1, 6);
            self.scheduler.set_chunk_beside_answers(self.limits.chunk_beside_answers);
        }
        self.draft();
        let ran: Vec<SeqId> = self.scheduler.running().map(Sequence::id).collect();
        let plan = self.scheduler.plan();
        self.clean();
        self.note_preempted(&ran);
        self.check_lists(None);
        self.check_plan(&plan, &ran);
        if self.random.one_in(40) {
            self.spoil_unknown(&plan);
            let entries = plan.entries.clone();
            let finished = self.scheduler.fail(plan);
            self.check_failed(&entries, &finished);
        } else {
            let answers = self.execute(&plan);
            let marked = if self.random.one_in(8) { self.cancel_one() } else { None };
            self.check_lists(marked);
            let finished = self.scheduler.commit(plan, answers);
            self.check_finished(&finished, marked);
        }
        self.check_lists(None);
    }

    fn is_recurrent(&self) -> bool {
        !self.snapshots.is_empty()
    }

    /// Guesses for some, right for a while.
    fn draft(&mut self) {
        let guesses: Vec<(SeqId, Vec<u32>)> = (self.scheduler.running())
            .map(|seq| {
                let mut text = seq.tokens().to_vec();
                for _ in 0..mix(seq.id().0 + text.len() as u64) % 5 {
                    let wrong = u32::from(mix(text.len() as u64).is_multiple_of(3));
                    text.push(next_token(&text) ^ wrong);
                }
                (seq.id(), text.split_off(seq.tokens().len()))
            })
            .collect();
        guesses.into_iter().for_each(|(id, drafts)| self.scheduler.draft(id, drafts));
    }

    /// As the engine does between a plan and its step.
    fn clean(&mut self) {
        for block in self.scheduler.take_blocks_to_clean() {
            assert!(self.scheduler.pool().uses(block) <= 1, "nobody has written it again");
            assert!(!self.scheduler.pool().is_known(block), "nobody finds it");
            self.cache[block as usize].fill(Slot::Empty);
            self.counts.cleaned += 1;
        }
    }

    fn note_preempted(&mut self, ran: &[SeqId]) {
        for seq in self.scheduler.waiting().filter(|seq| ran.contains(&seq.id())) {
            let (_, live) = self.live.iter_mut().find(|(id, _)| *id == seq.id()).expect("alive");
            live.was_preempted = true;
        }
        self.counts.preempted = self.scheduler.preempted();
    }

    /// Reads and writes the paged cache as an executor would.
    fn execute(&mut self, plan: &StepPlan) -> Vec<Sampled> {
        self.run_states(plan);
        let recurrent = self.is_recurrent();
        for (entry, seq) in self.scheduler.rows(plan) {
            let hashes = self.hashes(seq).into_iter().enumerate();
            for (position, hash) in hashes.skip(entry.first_position).take(entry.tokens) {
                let singles = &self.live_of(seq.id()).singles;
                let single = singles.get(position).copied().unwrap_or(true);
                assert_eq!(single, entry.by_itself, "it is computed as it was the first time");
                let block = seq.blocks()[position / self.block_size];
                let pool = self.scheduler.pool();
                assert!(pool.uses(block) == 1 && !pool.is_known(block), "invariant 2");
                let slot = &mut self.cache[block as usize][position % self.block_size];
                *slot = Slot::Text(hash);
            }
        }
        let mut answers = Vec::new();
        for (entry, seq) in self.scheduler.rows(plan) {
            let hashes = self.hashes(seq);
            for (position, hash) in hashes[..entry.first_position + entry.tokens].iter().enumerate()
            {
                let block = &self.cache[seq.blocks()[position / self.block_size] as usize];
                let found = block[position % self.block_size];
                assert_eq!(found, Slot::Text(*hash), "the cache holds its text");
                assert!(!block.contains(&Slot::Poison), "hidden positions are numbers too");
            }
            let (_, live) = self.live.iter_mut().find(|(id, _)| *id == seq.id()).expect("alive");
            live.written += entry.tokens - entry.drafts;
            live.cached = seq.cached();
            let outcome = if entry.samples { answer(seq, live) } else { Outcome::Written };
            self.counts.drafted += entry.drafts;
            if let Outcome::Tokens(tokens) | Outcome::Stop(tokens) = &outcome {
                let right = seq.drafts().iter().zip(tokens).take_while(|(a, b)| a == b).count();
                let right = right.min(tokens.len() - 1);
                self.counts.right += right;
                self.counts.right_with_state += right * usize::from(recurrent);
            }
            answers.push(Sampled { seq: entry.seq, outcome, forced: 0 });
        }
        self.spoil_damaged(plan, &answers);
        let damaged = |id| answers.iter().any(|a| a.seq == id && a.outcome == Outcome::Damaged);
        self.spoil_states(plan, damaged);
        answers
    }

    /// Copies states, and has each row go on with that of its own text.
    fn run_states(&mut self, plan: &StepPlan) {
        for copy in &plan.restores {
            self.states[copy.slot] = self.snapshots[copy.snapshot];
        }
        self.counts.restored += plan.restores.len();
        if !self.is_recurrent() {
            assert!(plan.restores.is_empty() && plan.saves.is_empty());
            assert!(self.scheduler.rows(plan).all(|(_, seq)| seq.draft_slots().is_empty()));
            return;
        }
        let own = self.scheduler.running().map(Sequence::slot);
        let drafts = self.scheduler.rows(plan).flat_map(|(_, seq)| seq.draft_slots());
        let used: Vec<usize> = own.chain(drafts.copied()).collect();
        let apart: HashSet<usize> = used.iter().copied().collect();
        assert_eq!(apart.len(), used.len(), "each state in a slot of its own");
        for (entry, seq) in self.scheduler.rows(plan) {
            let hashes = self.hashes(seq);
            if let Some(last) = entry.first_position.checked_sub(1) {
                let found = self.states[seq.slot()];
                assert_eq!(found, Slot::Text(hashes[last]), "the state of its own text");
            }
            assert_eq!(seq.draft_slots().len(), entry.drafts);
            let end = entry.first_position + entry.tokens - entry.drafts;
            self.states[seq.slot()] = Slot::Text(hashes[end - 1]);
            for (slot, hash) in seq.draft_slots().iter().zip(&hashes[end..]) {
                self.states[*slot] = Slot::Text(*hash);
            }
        }
        for copy in &plan.saves {
            let (entry, seq) =
                self.scheduler.rows(plan).find(|(_, s)| s.id() == copy.seq).expect("a row");
            assert_eq!(copy.position, entry.first_position + entry.tokens);
            assert_eq!((copy.slot, copy.position % self.block_size), (seq.slot(), 0));
            self.snapshots[copy.snapshot] = self.states[copy.slot];
        }
    }

    fn live_of(&self, id: SeqId) -> &Live {
        &self.live.iter().find(|(live, _)| *live == id).expect("it is alive").1
    }

    /// What the cache holds for each position of a text and its guesses.
    fn hashes(&self, seq: &Sequence) -> Vec<u64> {
        let singles = self.live_of(seq.id()).singles.iter().copied().chain(std::iter::repeat(true));
        let text = seq.tokens().iter().chain(seq.drafts()).zip(singles);
        let step = |hash: &mut u64, (&token, single): (&u32, bool)| {
            *hash = chain(*hash, token << 1 | u32::from(single));
            Some(*hash)
        };
        text.scan(7, step).collect()
    }

    /// The blocks of a damaged text hold no numbers, unless others found them good.
    fn spoil_damaged(&mut self, plan: &StepPlan, answers: &[Sampled]) {
        for ((_, seq), answer) in self.scheduler.rows(plan).zip(answers) {
            let own = |block: &&u32| self.scheduler.pool().uses(**block) == 1;
            if answer.outcome == Outcome::Damaged {
                for block in seq.blocks().iter().filter(own) {
                    self.cache[*block as usize].fill(Slot::Poison);
                }
            }
        }
    }

    /// States of a row's text, and their new copies, are no numbers.
    fn spoil_states(&mut self, plan: &StepPlan, is_spoilt: impl Fn(SeqId) -> bool) {
        for (_, seq) in self.scheduler.rows(plan).filter(|(_, seq)| is_spoilt(seq.id())) {
            self.states[seq.slot()] = Slot::Poison;
            seq.draft_slots().iter().for_each(|slot| self.states[*slot] = Slot::Poison);
        }
        for copy in plan.saves.iter().filter(|copy| is_spoilt(copy.seq)) {
            self.snapshots[copy.snapshot] = Slot::Poison;
        }
    }

    /// A step that failed may have written anything where it wrote.
    fn spoil_unknown(&mut self, plan: &StepPlan) {
        self.spoil_states(plan, |_| true);
        for (entry, seq) in self.scheduler.rows(plan) {
            for &block in &seq.blocks()[entry.first_position / self.block_size..] {
                self.cache[block as usize].fill(Slot::Poison);
            }
        }
    }

    fn check_plan(&self, plan: &StepPlan, ran: &[SeqId]) {
        let total: usize = plan.entries.iter().map(|entry| entry.tokens).sum();
        assert!(total <= self.limits.tokens_per_step);
        assert_eq!(plan.entries.is_empty(), self.live.is_empty(), "invariant 6");
        let (mut answers, mut prompts, mut singles, mut drafts) = (0, 0, 0, 0);
        for (entry, seq) in self.scheduler.rows(plan) {
            assert_eq!((entry.seq, entry.first_position), (seq.id(), seq.computed()));
            assert!((1..=self.limits.max_chunk).contains(&entry.tokens));
            let end = entry.first_position + entry.tokens;
            assert_eq!(entry.drafts, seq.drafts().len());
            assert_eq!(entry.samples, end - entry.drafts == seq.tokens().len());
            assert!(entry.drafts == 0 || end < seq.limit(), "guesses that can be of use");
            assert!(end <= seq.blocks().len() * self.block_size, "invariant 2");
            answers += usize::from(entry.by_itself && ran.contains(&seq.id()));
            prompts += if entry.by_itself { 0 } else { entry.tokens };
            singles += if entry.by_itself { entry.tokens } else { 0 };
            drafts += entry.drafts;
        }
        assert!(drafts == 0 || singles <= self.limits.tokens_with_drafts);
        assert!(answers == 0 || prompts <= self.limits.chunk_beside_answers);
        let planned: HashSet<SeqId> = plan.entries.iter().map(|entry| entry.seq).collect();
        let singles = |seq: &Sequence| self.live_of(seq.id()).singles[seq.computed()];
        for seq in self.scheduler.running().filter(|seq| singles(seq)) {
            assert!(planned.contains(&seq.id()), "invariant 4: no answer stalls");
        }
        if let Some(oldest) = self.scheduler.running().next() {
            assert!(planned.contains(&oldest.id()), "invariant 5: the oldest always advances");
        }
    }

    /// `marked` has been cancelled and may be gone already.
    fn check_lists(&self, marked: Option<SeqId>) {
        let scheduler = &self.scheduler;
        let mut found: Vec<SeqId> =
            scheduler.running().chain(scheduler.waiting()).map(Sequence::id).collect();
        let mut alive: Vec<SeqId> = self.live.iter().map(|(id, _)| *id).collect();
        if marked.is_some_and(|marked| !found.contains(&marked)) {
            alive.retain(|id| Some(*id) != marked);
        }
        found.sort_unstable();
        assert_eq!(found, alive, "nobody is lost or doubled");
        let most = self.limits.rows.min(self.limits.tokens_per_step);
        assert!(scheduler.running().len() <= most);
        let slots: HashSet<usize> = scheduler.running().map(Sequence::slot).collect();
        assert_eq!(slots.len(), scheduler.running().len(), "everybody has a slot of his own");
        assert!(slots.iter().all(|slot| *slot < self.limits.rows));
        for seq in scheduler.running() {
            assert!(seq.computed() < seq.tokens().len() && seq.tokens().len() < seq.limit());
        }
        for seq in scheduler.waiting() {
            assert_eq!((seq.blocks().len(), seq.computed()), (0, 0));
        }
        scheduler.pool().assert_consistent(scheduler.running());
    }

    fn check_failed(&mut self, entries: &[Entry], finished: &[Finished]) {
        let expected: Vec<Finished> = entries
            .iter()
            .map(|entry| Finished { seq: entry.seq, finish: Finish::Failed })
            .collect();
        assert_eq!(finished, expected);
        for entry in entries {
            self.forget(entry.seq);
        }
    }

    fn check_finished(&mut self, finished: &[Finished], marked: Option<SeqId>) {
        for &Finished { seq, finish } in finished {
            let live = self.forget(seq);
            let answer = &live.text[live.prompt.len()..];
            match finish {
                Finish::Cancelled => {
                    assert_eq!(Some(seq), marked);
                    continue;
                }
                Finish::Failed => {
                    assert_eq!(answer.last(), Some(&FAILS));
                    self.counts.failed += 1;
                    continue;
                }
                Finish::Stop => assert!(stops(&live.text, live.prompt.len(), live.stop_run)),
                Finish::Length => assert_eq!(live.text.len(), live.limit),
            }
            assert_eq!(live.text, alone(&live.prompt, live.limit, live.stop_run));
            if !live.was_preempted {
                assert!(live.cached < live.prompt.len());
                let decided = live.text.len() - 1;
                assert!(live.written + live.cached <= decided, "nothing is computed twice");
                self.counts.cached += live.cached;
                self.counts.found_with_state += live.cached * usize::from(self.is_recurrent());
            }
            self.counts.finished += 1;
        }
        if let Some(id) = marked
            && self.live.iter().any(|(live, _)| *live == id)
        {
            self.forget(id);
        }
    }
}

/// Recorded in a text that the world made fail.
const FAILS: u32 = u32::MAX;

/// One token or, now and then, all of the next few that there are.
fn answer(seq: &Sequence, live: &mut Live) -> Outcome {
    assert_eq!(seq.tokens(), live.text, "preemption keeps the text");
    let chance = mix(seq.id().0 * 1000 + live.text.len() as u64);
    if chance.is_multiple_of(97) {
        live.text.push(FAILS);
        return if chance.is_multiple_of(2) { Outcome::Failed } else { Outcome::Damaged };
    }
    let mut count = if chance.is_multiple_of(5) { 3 } else { 1 };
    let mut drafts = seq.drafts().iter();
    let (mut right, mut tokens) = (0, Vec::new());
    while tokens.len() < count && live.text.len() < live.limit {
        let token = next_token(&live.text);
        tokens.push(token);
        live.text.push(token);
        if stops(&live.text, live.prompt.len(), live.stop_run) {
            return Outcome::Stop(tokens);
        }
        // A guess that is right is worth one more.
        let is_right = drafts.next() == Some(&token);
        right += usize::from(is_right && right + 1 == tokens.len());
        count += usize::from(is_right && right == tokens.len() && count == right);
    }
    let right = right.min(tokens.len() - 1);
    let single = tokens.len() - right == 1;
    live.singles.extend((0..tokens.len()).map(|at| at < right || single));
    Outcome::Tokens(tokens)
}

fn run_world(seed: u64) -> Counts {
    let mut world = World::new(seed);
    for _ in 0..40 {
        if world.random.one_in(2) {
            world.submit();
        }
        if world.random.one_in(20)
            && let Some(id) = world.cancel_one()
        {
            world.forget(id);
            world.check_lists(None);
        }
        world.step();
    }
    // The oldest advances in every step, and a text has fewer tokens than 50.
    let most = world.counts.steps + 50 * world.live.len();
    while !world.live.is_empty() {
        world.step();
        assert!(world.counts.steps <= most, "nothing starves");
    }
    let pool = world.scheduler.pool();
    assert_eq!(pool.free(), pool.total(), "every block has come back");
    assert!(world.scheduler.is_idle());
    assert!(!world.scheduler.cancel(SeqId(0)), "it left long ago");
    world.counts
}

#[test]
fn invariants_hold_in_random_worlds() {
    let mut sum = Counts::default();
    for seed in 0..3_000 {
        let counts = run_world(seed);
        sum.steps += counts.steps;
        sum.finished += counts.finished;
        sum.preempted += counts.preempted;
        sum.cancelled += counts.cancelled;
        sum.failed += counts.failed;
        sum.cleaned += counts.cleaned;
        sum.cached += counts.cached;
        sum.forked += counts.forked;
        sum.drafted += counts.drafted;
        sum.right += counts.right;
        sum.restored += counts.restored;
        sum.found_with_state += counts.found_with_state;
        sum.right_with_state += counts.right_with_state;
    }
    // The worlds are worth nothing if they do not reach the rare paths.
    assert!(sum.steps > 100_000, "{} steps", sum.steps);
    assert!(sum.finished > 20_000, "{} finished", sum.finished);
    assert!(sum.preempted > 2_000, "{} preempted", sum.preempted);
    assert!(sum.cancelled > 5_000, "{} cancelled", sum.cancelled);
    assert!(sum.failed > 1_000, "{} failed", sum.failed);
    assert!(sum.cleaned > 1_000, "{} cleaned", sum.cleaned);
    assert!(sum.cached > 5_000, "{} cached", sum.cached);
    assert!(sum.right > 5_000, "{} of {} guesses right", sum.right, sum.drafted);
    assert!(sum.drafted > sum.right + 2_000, "{} of {} right", sum.right, sum.drafted);
    assert!(sum.forked > 5_000, "{} forked", sum.forked);
    assert!(sum.restored > 2_000, "{} restored", sum.restored);
    assert!(sum.found_with_state > 2_000, "{} found with a state", sum.found_with_state);
    assert!(sum.right_with_state > 1_000, "{} right with a state", sum.right_with_state);
}
