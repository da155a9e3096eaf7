//! Single decisions of the step loop, spelled out.

use tyto_scheduler::{
    BlockPool, Entry, Finish, Finished, Limits, Outcome, Sampled, Scheduler, SeqId, Sequence,
    StepPlan,
};

fn scheduler(limits: Limits, n_blocks: usize) -> Scheduler {
    Scheduler::new(limits, BlockPool::new(n_blocks, 4))
}

fn wide() -> Limits {
    Limits { tokens_per_step: 64, rows: 8, max_chunk: 32 }
}

fn submit(scheduler: &mut Scheduler, id: u64, prompt: usize, limit: usize) {
    scheduler.submit(Sequence::new(SeqId(id), vec![1; prompt], limit));
}

/// Sequence, first position, tokens, whether it samples.
type Row = (u64, usize, usize, bool);

fn shape(plan: &StepPlan) -> Vec<Row> {
    plan.entries.iter().map(|e| (e.seq.0, e.first_position, e.tokens, e.samples)).collect()
}

fn commit(scheduler: &mut Scheduler, plan: StepPlan, token: Outcome) -> Vec<Finished> {
    let answer = |entry: &Entry| Sampled {
        seq: entry.seq,
        outcome: if entry.samples { token.clone() } else { Outcome::Written },
    };
    let sampled = plan.entries.iter().map(answer).collect();
    scheduler.commit(plan, sampled)
}

fn run(scheduler: &mut Scheduler) -> (Vec<Row>, Vec<Finished>) {
    let plan = scheduler.plan();
    (shape(&plan), commit(scheduler, plan, Outcome::Tokens(vec![1])))
}

#[test]
fn a_long_prompt_is_cut_into_chunks_and_only_the_last_samples() {
    let mut scheduler = scheduler(wide(), 100);
    submit(&mut scheduler, 0, 70, 72);
    assert_eq!(run(&mut scheduler).0, [(0, 0, 32, false)]);
    assert_eq!(run(&mut scheduler).0, [(0, 32, 32, false)]);
    assert_eq!(run(&mut scheduler).0, [(0, 64, 6, true)]);
    let (rows, finished) = run(&mut scheduler);
    assert_eq!(rows, [(0, 70, 1, true)]);
    assert_eq!(finished, [Finished { seq: SeqId(0), finish: Finish::Length }]);
    assert!(scheduler.plan().entries.is_empty());
}

#[test]
fn new_work_gets_what_the_rows_before_it_leave() {
    let limits = Limits { tokens_per_step: 8, rows: 4, max_chunk: 8 };
    let mut scheduler = scheduler(limits, 100);
    submit(&mut scheduler, 0, 40, 50);
    assert_eq!(run(&mut scheduler).0, [(0, 0, 8, false)], "the prompt takes the whole budget");
    submit(&mut scheduler, 1, 1, 50);
    assert_eq!(run(&mut scheduler).0, [(0, 8, 8, false)], "nobody runs behind it yet");

    let mut scheduler = Scheduler::new(limits, BlockPool::new(100, 4));
    submit(&mut scheduler, 0, 1, 50);
    submit(&mut scheduler, 1, 30, 50);
    submit(&mut scheduler, 2, 1, 50);
    assert_eq!(run(&mut scheduler).0, [(0, 0, 1, true), (1, 0, 7, false)]);
    assert_eq!(run(&mut scheduler).0, [(0, 1, 1, true), (1, 7, 7, false)]);
}

#[test]
fn the_youngest_is_preempted_and_comes_back_with_its_whole_text() {
    // Four blocks of four: two sequences of up to 13 tokens do not fit together.
    let mut scheduler = scheduler(wide(), 5);
    submit(&mut scheduler, 0, 4, 13);
    submit(&mut scheduler, 1, 4, 13);
    assert_eq!(run(&mut scheduler).0, [(0, 0, 4, true), (1, 0, 4, true)]);
    for _ in 0..4 {
        assert_eq!(run(&mut scheduler).0.len(), 2);
    }
    // Both want a third block; there is none.
    assert_eq!(run(&mut scheduler).0, [(0, 8, 1, true)]);
    assert_eq!(scheduler.waiting().next().map(|seq| seq.tokens().len()), Some(9));
    while scheduler.running().next().map(Sequence::id) == Some(SeqId(0)) {
        run(&mut scheduler);
    }
    assert_eq!(run(&mut scheduler).0, [(1, 0, 9, true)], "recomputed in one go");
}

#[test]
fn work_that_does_not_fit_is_not_overtaken() {
    let mut scheduler = scheduler(wide(), 5);
    submit(&mut scheduler, 0, 8, 17);
    submit(&mut scheduler, 1, 12, 17);
    submit(&mut scheduler, 2, 1, 2);
    assert_eq!(run(&mut scheduler).0, [(0, 0, 8, true)]);
    assert_eq!(run(&mut scheduler).0, [(0, 8, 1, true)]);
    assert!(scheduler.cancel(SeqId(0)));
    assert_eq!(run(&mut scheduler).0[0], (1, 0, 12, true));
}

#[test]
fn cancelling_frees_blocks_at_once_in_every_stage() {
    let mut scheduler = scheduler(wide(), 50);
    let total = scheduler.pool().total();
    // Waiting.
    submit(&mut scheduler, 0, 4, 9);
    assert!(scheduler.cancel(SeqId(0)));
    assert!(scheduler.is_idle());
    // In the middle of its prompt.
    submit(&mut scheduler, 1, 40, 60);
    run(&mut scheduler);
    assert!(scheduler.pool().free() < total);
    assert!(scheduler.cancel(SeqId(1)));
    assert_eq!(scheduler.pool().free(), total);
    // While a step reads them: with the commit, and its token is not counted.
    submit(&mut scheduler, 2, 4, 9);
    let plan = scheduler.plan();
    assert!(scheduler.cancel(SeqId(2)));
    assert!(scheduler.pool().free() < total);
    let finished = commit(&mut scheduler, plan, Outcome::Tokens(vec![1]));
    assert_eq!(finished, [Finished { seq: SeqId(2), finish: Finish::Cancelled }]);
    assert_eq!(scheduler.pool().free(), total);
    assert!(!scheduler.cancel(SeqId(2)));
}

#[test]
fn a_failed_step_takes_its_own_sequences_only() {
    let limits = Limits { rows: 1, ..wide() };
    let mut scheduler = scheduler(limits, 50);
    submit(&mut scheduler, 0, 4, 9);
    submit(&mut scheduler, 1, 4, 9);
    let plan = scheduler.plan();
    let failed = scheduler.fail(plan);
    assert_eq!(failed, [Finished { seq: SeqId(0), finish: Finish::Failed }]);
    assert_eq!(run(&mut scheduler).0, [(1, 0, 4, true)]);
}

#[test]
fn a_sequence_that_fills_the_pool_exactly_runs_to_its_end() {
    let mut scheduler = scheduler(wide(), 3);
    assert_eq!(scheduler.pool().largest_text(), 9);
    assert!(scheduler.can_ever_fit(9) && !scheduler.can_ever_fit(10));
    submit(&mut scheduler, 0, 1, 9);
    let mut steps = 0;
    while !scheduler.is_idle() {
        run(&mut scheduler);
        steps += 1;
    }
    assert_eq!(steps, 8);
}

#[test]
#[should_panic(expected = "admission has refused what can never fit")]
fn what_can_never_fit_is_not_queued() {
    submit(&mut scheduler(wide(), 3), 0, 1, 10);
}

#[test]
#[should_panic(expected = "plan and commit alternate")]
fn two_plans_in_a_row_are_a_bug() {
    let mut scheduler = scheduler(wide(), 3);
    submit(&mut scheduler, 0, 1, 3);
    scheduler.plan();
    scheduler.plan();
}
