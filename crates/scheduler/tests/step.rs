//! Single decisions of the step loop, spelled out.

use tyto_scheduler::{
    BlockPool, ClientId, Entry, Finish, Finished, Limits, Outcome, Sampled, Scheduler, SeqId,
    Sequence, SnapshotRule, StepPlan,
};

fn scheduler(limits: Limits, n_blocks: usize) -> Scheduler {
    Scheduler::new(limits, BlockPool::new(n_blocks, 4))
}

fn wide() -> Limits {
    Limits {
        tokens_per_step: 64,
        rows: 8,
        max_chunk: 32,
        tokens_with_drafts: 64,
        chunk_beside_answers: 64,
    }
}

fn submit(scheduler: &mut Scheduler, id: u64, prompt: usize, limit: usize) {
    scheduler.submit(Sequence::new(SeqId(id), text(id, prompt), limit));
}

/// A prompt that begins like no other.
fn text(id: u64, length: usize) -> Vec<u32> {
    vec![id as u32; length]
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
        forced: 0,
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
    let limits = Limits {
        tokens_per_step: 8,
        rows: 4,
        max_chunk: 8,
        tokens_with_drafts: 8,
        chunk_beside_answers: 8,
    };
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
    // The other took three of the four blocks: the start of the text was given up last.
    // An answer is computed again as it was the first time, token by token.
    assert_eq!(run(&mut scheduler).0, [(1, 4, 1, false)]);
    assert_eq!(run(&mut scheduler).0, [(1, 5, 1, false)]);
    assert_eq!(scheduler.preempted(), 1);
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
fn answers_wait_for_a_small_chunk_only() {
    let limits = Limits { chunk_beside_answers: 5, ..wide() };
    let mut scheduler = scheduler(limits, 100);
    submit(&mut scheduler, 0, 1, 50);
    submit(&mut scheduler, 1, 1, 50);
    run(&mut scheduler);
    submit(&mut scheduler, 2, 11, 50);
    submit(&mut scheduler, 3, 12, 50);
    let answers = [(0, 1, 1, true), (1, 1, 1, true)];
    assert_eq!(run(&mut scheduler).0, [&answers[..], &[(2, 0, 5, false)]].concat());
    let (rows, _) = run(&mut scheduler);
    assert_eq!(rows[2..], [(2, 5, 5, false)]);
    let (rows, _) = run(&mut scheduler);
    assert_eq!(rows[2..], [(2, 10, 1, true), (3, 0, 4, false)]);
    scheduler.set_chunk_beside_answers(2);
    let (rows, _) = run(&mut scheduler);
    assert_eq!(rows[2..], [(2, 11, 1, true), (3, 4, 2, false)]);
}

/// What code for one token and code for many computed is not taken for each other.
#[test]
fn an_answer_in_the_next_prompt_is_computed_as_a_prompt() {
    let mut scheduler = scheduler(wide(), 100);
    submit(&mut scheduler, 0, 6, 16);
    while !scheduler.is_idle() {
        run(&mut scheduler);
    }
    let next = [vec![0; 6], vec![1; 10]].concat();
    scheduler.submit(Sequence::new(SeqId(1), next.clone(), 20));
    assert_eq!(run(&mut scheduler).0, [(1, 4, 12, true)]);
    scheduler.submit(Sequence::new(SeqId(2), next, 20));
    assert_eq!(run(&mut scheduler).0[1], (2, 12, 4, true), "from then on it is known");
}

#[test]
fn answers_to_one_prompt_share_its_full_blocks() {
    let mut scheduler = scheduler(wide(), 100);
    let group = (0..3).map(|id| Sequence::new(SeqId(id), text(9, 10), 20)).collect();
    scheduler.submit_all(group);
    assert_eq!(run(&mut scheduler).0, [(0, 0, 10, true)], "the others wait for the prompt");
    assert_eq!(run(&mut scheduler).0, [(0, 10, 1, true), (1, 8, 2, true), (2, 8, 2, true)]);
    assert_eq!(scheduler.running().map(Sequence::cached).collect::<Vec<_>>(), [0, 8, 8]);
    // Two shared blocks, and one for each.
    assert_eq!(scheduler.pool().total() - scheduler.pool().free(), 5);
}

#[test]
fn who_waits_for_a_prompt_survives_who_computes_it() {
    for cancel_after in 0..3 {
        let mut scheduler = scheduler(Limits { max_chunk: 4, ..wide() }, 100);
        let group = (0..3).map(|id| Sequence::new(SeqId(id), text(9, 10), 12)).collect();
        scheduler.submit_all(group);
        for _ in 0..cancel_after {
            assert_eq!(run(&mut scheduler).0.len(), 1);
        }
        assert!(scheduler.cancel(SeqId(0)));
        assert!(scheduler.cancel(SeqId(2)));
        let (rows, _) = run(&mut scheduler);
        assert_eq!(
            rows,
            [(1, 4 * cancel_after, (10 - 4 * cancel_after).min(4), cancel_after == 2)]
        );
        while !scheduler.is_idle() {
            run(&mut scheduler);
        }
    }
}

#[test]
fn drafts_take_what_is_left_over() {
    // Six blocks of four, eight tokens a step.
    let limits = Limits { tokens_per_step: 8, ..wide() };
    let mut scheduler = scheduler(limits, 7);
    submit(&mut scheduler, 0, 3, 20);
    submit(&mut scheduler, 1, 3, 20);
    run(&mut scheduler);
    scheduler.draft(SeqId(0), vec![7, 8, 9]);
    scheduler.draft(SeqId(1), vec![7; 30]);
    let plan = scheduler.plan();
    let taken: Vec<_> = plan.entries.iter().map(|entry| (entry.tokens, entry.drafts)).collect();
    assert_eq!(taken, [(4, 3), (4, 3)], "eight tokens in all");
    let answers = [vec![7, 8, 5], vec![6]];
    let sampled = plan.entries.iter().zip(answers).map(|(entry, tokens)| Sampled {
        seq: entry.seq,
        outcome: Outcome::Tokens(tokens),
        forced: 0,
    });
    let sampled = sampled.collect();
    scheduler.commit(plan, sampled);
    let state: Vec<_> = scheduler.running().map(|s| (s.tokens().len(), s.computed())).collect();
    assert_eq!(state, [(7, 6), (5, 4)], "two were right, and none");
    assert_eq!(run(&mut scheduler).0, [(0, 6, 1, true), (1, 4, 1, true)], "guesses are for once");
    // Three tokens before the limit: the one to come, and two of which the last is not computed.
    let mut scheduler = Scheduler::new(limits, BlockPool::new(7, 4));
    submit(&mut scheduler, 0, 3, 7);
    run(&mut scheduler);
    scheduler.draft(SeqId(0), vec![1; 9]);
    assert_eq!(scheduler.plan().entries[0].drafts, 2);
}

/// Forced tokens and the one before them are a run, whatever was guessed.
#[test]
fn what_is_forced_is_computed_with_the_token_that_forces_it() {
    for drafts in [vec![], vec![7], vec![7, 8], vec![7, 8, 9, 10]] {
        let mut scheduler = scheduler(wide(), 100);
        submit(&mut scheduler, 0, 3, 20);
        run(&mut scheduler);
        scheduler.draft(SeqId(0), drafts.clone());
        let plan = scheduler.plan();
        let outcome = Outcome::Tokens(vec![7, 8, 9]);
        scheduler.commit(plan, vec![Sampled { seq: SeqId(0), outcome, forced: 2 }]);
        assert_eq!(run(&mut scheduler).0, [(0, 4, 3, true)], "{drafts:?}");
    }
}

#[test]
fn answers_with_drafts_have_only_so_many_tokens() {
    let mut scheduler = scheduler(Limits { tokens_with_drafts: 5, ..wide() }, 100);
    (0..3).for_each(|id| submit(&mut scheduler, id, 3, 20));
    run(&mut scheduler);
    (0..3).for_each(|id| scheduler.draft(SeqId(id), vec![7; 4]));
    let plan = scheduler.plan();
    let drafts: Vec<usize> = plan.entries.iter().map(|entry| entry.drafts).collect();
    assert_eq!(drafts, [2, 0, 0], "three answers and two drafts");
    commit(&mut scheduler, plan, Outcome::Tokens(vec![1]));
    // More answers than that go on, without drafts; a prompt beside them takes nothing from drafts.
    (3..6).for_each(|id| submit(&mut scheduler, id, 3, 20));
    scheduler.draft(SeqId(0), vec![7; 4]);
    let plan = scheduler.plan();
    assert_eq!(plan.entries.iter().map(|entry| entry.drafts).sum::<usize>(), 2);
    commit(&mut scheduler, plan, Outcome::Tokens(vec![1]));
    scheduler.draft(SeqId(0), vec![7; 4]);
    let plan = scheduler.plan();
    assert_eq!(plan.entries.len(), 6);
    assert!(plan.entries.iter().all(|entry| entry.drafts == 0));
}

/// The states after guesses are in slots that nobody has.
#[test]
fn a_text_goes_on_in_the_slot_of_its_last_right_guess() {
    let limits = Limits { rows: 4, ..wide() };
    let mut scheduler = Scheduler::new(limits, BlockPool::new(100, 4)).with_states();
    (0..2).for_each(|id| submit(&mut scheduler, id, 3, 20));
    run(&mut scheduler);
    let slots = |scheduler: &Scheduler| -> Vec<(usize, Vec<usize>)> {
        scheduler.running().map(|seq| (seq.slot(), seq.draft_slots().to_vec())).collect()
    };
    scheduler.draft(SeqId(0), vec![7, 8, 9]);
    let plan = scheduler.plan();
    assert_eq!(slots(&scheduler), [(0, vec![2, 3]), (1, vec![])], "as many guesses as slots");
    commit(&mut scheduler, plan, Outcome::Tokens(vec![7, 5]));
    assert_eq!(slots(&scheduler), [(2, vec![]), (1, vec![])]);
    // A wrong guess leaves nothing behind, and others get what is free.
    scheduler.draft(SeqId(1), vec![7; 3]);
    submit(&mut scheduler, 2, 3, 20);
    let plan = scheduler.plan();
    assert_eq!(
        slots(&scheduler),
        [(2, vec![]), (1, vec![]), (0, vec![])],
        "who lacks two tokens guesses nothing"
    );
    commit(&mut scheduler, plan, Outcome::Tokens(vec![6]));
    scheduler.draft(SeqId(1), vec![7; 3]);
    let plan = scheduler.plan();
    assert_eq!(slots(&scheduler), [(2, vec![]), (1, vec![3]), (0, vec![])]);
    commit(&mut scheduler, plan, Outcome::Tokens(vec![6]));
    assert_eq!(slots(&scheduler), [(2, vec![]), (1, vec![]), (0, vec![])]);
}

#[test]
fn clients_take_turns() {
    let mut scheduler = scheduler(Limits { rows: 1, ..wide() }, 100);
    for (id, client) in [(0, 1), (1, 1), (2, 1), (3, 2)] {
        scheduler.submit(Sequence::new(SeqId(id), text(id, 4), 6).of(ClientId(client)));
    }
    let mut order = Vec::new();
    while !scheduler.is_idle() {
        order.extend(run(&mut scheduler).1.iter().map(|finished| finished.seq.0));
    }
    assert_eq!(order, [0, 3, 1, 2]);
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

/// A pool of blocks of four for a model with a state, which is copied where that spares `least_gain`
/// tokens.
fn recurrent(limits: Limits, places: usize, least_gain: usize) -> Scheduler {
    let rule = SnapshotRule { places, least_gain, apart: 16 };
    Scheduler::new(limits, BlockPool::new(200, 4).with_snapshots(rule))
}

/// Runs what is there to its end. Gives the rows of prompts, the positions that states were copied
/// to slots from, and those that they were copied at.
fn run_prompts(scheduler: &mut Scheduler) -> (Vec<Row>, Vec<usize>, Vec<usize>) {
    let (mut rows, mut restored, mut saved) = (Vec::new(), Vec::new(), Vec::new());
    while !scheduler.is_idle() {
        let plan = scheduler.plan();
        let prompts = plan.entries.iter().filter(|entry| !entry.by_itself);
        rows.extend(prompts.map(|e| (e.seq.0, e.first_position, e.tokens, e.samples)));
        restored.extend(plan.restores.iter().map(|copy| copy.position));
        saved.extend(plan.saves.iter().map(|copy| copy.position));
        commit(scheduler, plan, Outcome::Tokens(vec![1]));
    }
    (rows, restored, saved)
}

#[test]
fn a_prompt_with_a_state_is_cut_before_its_end_and_continued_from_there() {
    let mut scheduler = recurrent(Limits { tokens_per_step: 16, max_chunk: 16, ..wide() }, 4, 8);
    submit(&mut scheduler, 0, 42, 44);
    let cold = run_prompts(&mut scheduler);
    let rows = vec![(0, 0, 16, false), (0, 16, 16, false), (0, 32, 8, false), (0, 40, 2, true)];
    assert_eq!(cold, (rows, vec![], vec![16, 32, 40]));
    assert_eq!((scheduler.pool().snapshots_held(), scheduler.pool().snapshots_total()), (3, 4));
    // The same prompt again, and the next turn of its conversation.
    submit(&mut scheduler, 0, 42, 44);
    assert_eq!(run_prompts(&mut scheduler), (vec![(0, 40, 2, true)], vec![40], vec![]));
    let next = [text(0, 42), vec![1; 2], text(5, 9)].concat();
    scheduler.submit(Sequence::new(SeqId(1), next, 60));
    let warm = run_prompts(&mut scheduler);
    assert_eq!(warm, (vec![(1, 40, 12, false), (1, 52, 1, true)], vec![40], vec![52]));
}

#[test]
fn where_a_prompt_leaves_another_a_state_is_kept_for_the_third() {
    // No copies in passing: one chunk holds a prompt.
    let mut scheduler = recurrent(wide(), 8, 4);
    let prompt = |id| [text(9, 18), text(id, 9)].concat();
    for (id, restored, saved) in
        [(0, vec![], vec![24]), (1, vec![], vec![16, 24]), (2, vec![16], vec![24])]
    {
        scheduler.submit(Sequence::new(SeqId(id), prompt(id), 28));
        let (_, found, kept) = run_prompts(&mut scheduler);
        assert_eq!((found, kept), (restored, saved), "prompt {id}");
    }
}

#[test]
fn a_short_prompt_is_not_cut_unless_others_wait_for_it() {
    let mut scheduler = recurrent(wide(), 4, 32);
    submit(&mut scheduler, 0, 30, 31);
    assert_eq!(run_prompts(&mut scheduler), (vec![(0, 0, 30, true)], vec![], vec![]));
    let group = (1..4).map(|id| Sequence::new(SeqId(id), text(7, 30), 31)).collect();
    scheduler.submit_all(group);
    let (rows, restored, saved) = run_prompts(&mut scheduler);
    let forks = [(2, 28, 2, true), (3, 28, 2, true)];
    assert_eq!(rows, [&[(1, 0, 28, false), (1, 28, 2, true)], &forks[..]].concat());
    assert_eq!((restored, saved), (vec![28, 28], vec![28]));
}

#[test]
fn a_state_of_a_step_that_failed_is_not_found() {
    let mut scheduler = recurrent(wide(), 2, 4);
    submit(&mut scheduler, 0, 10, 12);
    let plan = scheduler.plan();
    assert_eq!(plan.saves.len(), 1);
    scheduler.fail(plan);
    submit(&mut scheduler, 0, 10, 12);
    let plan = scheduler.plan();
    assert!(scheduler.cancel(SeqId(0)));
    commit(&mut scheduler, plan, Outcome::Written);
    assert_eq!(scheduler.pool().snapshots_held(), 0);
    submit(&mut scheduler, 0, 10, 12);
    assert_eq!(run_prompts(&mut scheduler).1, [], "nothing is restored");
    submit(&mut scheduler, 0, 10, 12);
    assert_eq!(run_prompts(&mut scheduler).1, [8]);
}
