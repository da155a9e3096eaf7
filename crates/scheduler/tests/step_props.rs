//! Random traffic in tiny worlds: a few blocks, a few tokens, fixed seeds.
//!
//! Small numbers make collisions of every kind frequent.  The world plays the executor
//! with a paged cache of its own: each position holds what was written there last, so a
//! block that two sequences own, or one that is read before it is written, changes what
//! the next reader finds and fails the run.

use std::collections::{HashMap, HashSet};

use tyto_scheduler::{
    BlockPool, Entry, Finish, Finished, Limits, NULL_BLOCK, Outcome, Sampled, Scheduler, SeqId,
    Sequence, StepPlan,
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

/// The next token depends on the whole text, out of a vocabulary of 2.
fn next_token(text: &[u32]) -> u32 {
    let hash = text.iter().fold(7, |hash, &token| mix(hash ^ u64::from(token) << 32 | 1));
    (hash % 2) as u32
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
}

struct World {
    random: Random,
    scheduler: Scheduler,
    limits: Limits,
    block_size: usize,
    /// What each position of each block holds: whose, which position, which token.
    cache: Vec<Vec<Option<(SeqId, usize, u32)>>>,
    /// In order of arrival.
    live: Vec<(SeqId, Live)>,
    next_id: u64,
    finished: usize,
    preempted: usize,
    cancelled: usize,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let n_blocks = random.range(2, 10);
        let block_size = random.range(1, 4);
        let limits = Limits {
            tokens_per_step: random.range(1, 12),
            rows: random.range(1, 5),
            max_chunk: random.range(1, 6),
        };
        Self {
            random,
            scheduler: Scheduler::new(limits, BlockPool::new(n_blocks, block_size)),
            limits,
            block_size,
            cache: vec![vec![None; block_size]; n_blocks],
            live: Vec::new(),
            next_id: 0,
            finished: 0,
            preempted: 0,
            cancelled: 0,
        }
    }

    fn submit(&mut self) {
        let largest = self.scheduler.pool().largest_text();
        let limit = self.random.range(2, largest.max(2));
        assert!(self.scheduler.can_ever_fit(limit));
        assert!(!self.scheduler.can_ever_fit(largest + 1));
        // Short prompts with long answers are what makes preemption frequent.
        let longest = if self.random.one_in(3) { limit - 1 } else { (limit - 1).min(3) };
        let prompt_len = self.random.range(1, longest);
        let prompt: Vec<u32> = (0..prompt_len).map(|_| (self.random.next() % 2) as u32).collect();
        let id = SeqId(self.next_id);
        self.next_id += 1;
        self.scheduler.submit(Sequence::new(id, prompt.clone(), limit));
        let stop_run = self.random.range(2, 9);
        self.live.push((id, Live { text: prompt.clone(), prompt, limit, stop_run }));
    }

    fn cancel_one(&mut self) -> Option<SeqId> {
        if self.live.is_empty() {
            return None;
        }
        let idx = self.random.range(0, self.live.len() - 1);
        let id = self.live[idx].0;
        assert!(self.scheduler.cancel(id));
        self.cancelled += 1;
        Some(id)
    }

    fn forget(&mut self, id: SeqId) -> Live {
        let idx = self.live.iter().position(|(live, _)| *live == id).expect("it was alive");
        self.live.remove(idx).1
    }

    fn step(&mut self) {
        let computed_before: HashMap<SeqId, usize> =
            self.scheduler.running().map(|seq| (seq.id(), seq.computed())).collect();
        let plan = self.scheduler.plan();
        self.preempted +=
            self.scheduler.waiting().filter(|seq| computed_before.contains_key(&seq.id())).count();
        self.check_lists();
        self.check_plan(&plan);
        if self.random.one_in(40) {
            let entries = plan.entries.clone();
            let finished = self.scheduler.fail(plan);
            self.check_failed(&entries, &finished);
        } else {
            let answers = self.execute(&plan);
            let marked = if self.random.one_in(8) { self.cancel_one() } else { None };
            self.check_lists();
            let finished = self.scheduler.commit(plan, answers);
            self.check_finished(&finished, marked);
        }
        self.check_lists();
    }

    /// Reads and writes the paged cache as an executor would.
    fn execute(&mut self, plan: &StepPlan) -> Vec<Sampled> {
        let mut answers = Vec::new();
        for (entry, seq) in self.scheduler.rows(plan) {
            let end = entry.first_position + entry.tokens;
            for position in 0..end {
                let token = seq.tokens()[position];
                let block = seq.blocks()[position / self.block_size] as usize;
                let slot = &mut self.cache[block][position % self.block_size];
                if position >= entry.first_position {
                    *slot = Some((seq.id(), position, token));
                }
                assert_eq!(*slot, Some((seq.id(), position, token)), "the cache holds its text");
            }
            let outcome =
                if entry.samples { answer(seq, &mut self.live) } else { Outcome::Written };
            answers.push(Sampled { seq: entry.seq, outcome });
        }
        answers
    }

    fn check_plan(&self, plan: &StepPlan) {
        let total: usize = plan.entries.iter().map(|entry| entry.tokens).sum();
        assert!(total <= self.limits.tokens_per_step);
        assert!(plan.entries.len() <= self.limits.rows);
        assert_eq!(plan.entries.is_empty(), self.live.is_empty(), "invariant 5");
        for (entry, seq) in self.scheduler.rows(plan) {
            assert_eq!((entry.seq, entry.first_position), (seq.id(), seq.computed()));
            assert!((1..=self.limits.max_chunk).contains(&entry.tokens));
            let end = entry.first_position + entry.tokens;
            assert_eq!(entry.samples, end == seq.tokens().len());
            assert!(end <= seq.blocks().len() * self.block_size, "invariant 2");
        }
        if let Some((oldest, _)) = self.live.first() {
            assert_eq!(plan.entries[0].seq, *oldest, "invariant 3: the oldest always advances");
        }
        let running = self.scheduler.running().len();
        assert_eq!(plan.entries.len(), running, "invariant 4: nobody stalls");
    }

    fn check_lists(&self) {
        let scheduler = &self.scheduler;
        let order: Vec<SeqId> =
            scheduler.running().chain(scheduler.waiting()).map(Sequence::id).collect();
        assert!(order.is_sorted(), "invariant 3: {order:?}");
        let alive: Vec<SeqId> = self.live.iter().map(|(id, _)| *id).collect();
        let lost = alive.iter().filter(|id| !order.contains(id)).count();
        // Between cancelling and forgetting, one may be gone already.
        assert!(lost <= 1 && order.len() + lost == alive.len(), "nobody is lost or doubled");
        assert!(scheduler.running().len() <= self.limits.rows);

        let mut owned = HashSet::new();
        for seq in scheduler.running() {
            for &block in seq.blocks() {
                assert_ne!(block, NULL_BLOCK);
                assert!(owned.insert(block), "block {block} has two owners");
                assert!(scheduler.pool().is_owned(block));
            }
            assert!(seq.computed() < seq.tokens().len() && seq.tokens().len() < seq.limit());
        }
        for seq in scheduler.waiting() {
            assert_eq!((seq.blocks().len(), seq.computed()), (0, 0));
        }
        assert_eq!(scheduler.pool().free() + owned.len(), scheduler.pool().total());
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
                    continue;
                }
                Finish::Stop => assert!(stops(&live.text, live.prompt.len(), live.stop_run)),
                Finish::Length => assert_eq!(live.text.len(), live.limit),
            }
            assert_eq!(live.text, alone(&live.prompt, live.limit, live.stop_run));
            self.finished += 1;
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

fn answer(seq: &Sequence, live: &mut [(SeqId, Live)]) -> Outcome {
    let (_, live) = live.iter_mut().find(|(id, _)| *id == seq.id()).expect("it is alive");
    assert_eq!(seq.tokens(), live.text, "preemption keeps the text");
    if mix(seq.id().0 * 1000 + live.text.len() as u64).is_multiple_of(97) {
        live.text.push(FAILS);
        return Outcome::Failed;
    }
    let token = next_token(&live.text);
    live.text.push(token);
    if stops(&live.text, live.prompt.len(), live.stop_run) {
        Outcome::Stop(vec![token])
    } else {
        Outcome::Tokens(vec![token])
    }
}

#[test]
fn invariants_hold_in_random_worlds() {
    let (mut finished, mut preempted, mut cancelled, mut steps) = (0, 0, 0, 0);
    for seed in 0..3_000 {
        let mut world = World::new(seed);
        for _ in 0..40 {
            if world.random.one_in(2) {
                world.submit();
            }
            if world.random.one_in(20)
                && let Some(id) = world.cancel_one()
            {
                world.forget(id);
            }
            world.step();
            steps += 1;
        }
        while !world.live.is_empty() {
            world.step();
            steps += 1;
        }
        let pool = world.scheduler.pool();
        assert_eq!(pool.free(), pool.total(), "every block has come back");
        assert!(world.scheduler.is_idle());
        assert!(!world.scheduler.cancel(SeqId(0)), "it left long ago");
        finished += world.finished;
        preempted += world.preempted;
        cancelled += world.cancelled;
    }
    // The worlds are worth nothing if they do not reach the rare paths.
    assert!(steps > 100_000, "{steps} steps");
    assert!(finished > 20_000, "{finished} finished");
    assert!(preempted > 2_000, "{preempted} preempted");
    assert!(cancelled > 5_000, "{cancelled} cancelled");
}
