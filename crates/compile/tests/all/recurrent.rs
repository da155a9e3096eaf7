//! Recurrent and hybrid models that are asked twice: the second time they go on from a copy of the
//! state, and nothing but what they compute changes.

use tyto_artifact::HostTarget;
use tyto_engine::iree::{LoadOptions, PhasesExecutor};
use tyto_engine::{EngineConfig, Executor, Speculate, StateMove, StepRow, TokenInfo};

use crate::common::served::{ask, ask_for, compiled, engine, engine_of, prompt};
use crate::common::step;

fn ids(answer: &[TokenInfo]) -> Vec<u32> {
    answer.iter().map(|token| token.id).collect()
}

/// Bit for bit where steps are the same, and the same tokens as without any memory.
fn check(case: &str) {
    let (_keep, artifact) = compiled(case, |_| {});
    let (warm, alone) = (engine(&artifact, true), engine(&artifact, false));
    // Rows of a step are more than the few that have kernels of their own, which round differently.
    let first = prompt(1, 175);
    let turn = [&first[..], &prompt(2, 60)].concat();
    let branch = [&first[..100], &prompt(3, 75)].concat();
    let other = [&first[..100], &prompt(5, 59)].concat();
    // The second finds the end of the first, the last two what its chunks left on their way.
    for (prompt, found) in [(&first, 0), (&first, 160), (&turn, 160), (&branch, 96), (&other, 96)] {
        let (expected, _) = ask(&alone, prompt);
        let (answer, cached) = ask(&warm, prompt);
        assert_eq!(cached, found, "{case}");
        assert_eq!(answer, expected, "{case}, {found} of {} known", prompt.len());
        let (again, _) = ask(&warm, prompt);
        assert_eq!(again, answer, "{case}: from a copy of its own");
        assert!(ids(&again).iter().any(|id| *id != again[0].id), "{case}: a text, not a token");
    }
    let stats = warm.stats();
    assert_eq!(stats.restored_states, 9, "{stats:?}");
    assert!(stats.snapshots > 3 && stats.total_snapshots == 8, "{stats:?}");
    assert_eq!(alone.stats().cached_prompt_tokens, 0);
}

#[test]
fn mamba2_is_continued_from_a_copy_of_its_state() {
    check("mamba2");
}

/// Every layer has both a state and a cache.
#[test]
fn falcon_h1_is_continued_from_a_copy_of_its_state_and_its_blocks() {
    check("falcon_h1");
}

/// All that an answer is made of, where it is to repeat itself.
const FEW: [u32; 3] = [20, 21, 22];

/// Texts that repeat themselves, so that many guesses are right and some are not: answers are those of an
/// engine that neither guesses nor remembers.
#[test]
fn guesses_and_copies_go_together() {
    for case in ["mamba2", "qwen3_next"] {
        let (_keep, artifact) = compiled(case, |_| {});
        let engine_with = |speculate, prefix_cache| {
            let config = EngineConfig { speculate, prefix_cache, ..EngineConfig::new("test") };
            engine_of(&artifact, config)
        };
        let (guessing, alone) =
            (engine_with(Speculate::Always, true), engine_with(Speculate::Never, false));
        let (first, other) = (prompt(1, 100), [&prompt(1, 100)[..], &prompt(2, 9)].concat());
        for (prompt, found) in [(&first, 0), (&first, 96), (&other, 96)] {
            let (expected, _) = ask_for(&alone, prompt, 100, &FEW);
            let (answer, cached) = ask_for(&guessing, prompt, 100, &FEW);
            assert_eq!((answer, cached), (expected, found), "{case}");
        }
        let stats = guessing.stats();
        assert!(stats.accepted_tokens > 20, "{case}: {stats:?}");
        assert!(stats.drafted_tokens > stats.accepted_tokens, "{case}: {stats:?}");
    }
}

/// Every kind of state: copies go to another slot, and what the first one holds meanwhile is another's.
#[test]
fn a_row_goes_on_in_another_slot_bit_for_bit() {
    for case in ["qwen3_next", "lfm2", "mamba"] {
        let (_keep, artifact) = compiled(case, |_| {});
        let target = artifact.select_target(&HostTarget::detect()).expect("it runs here");
        let phases = target.phases.expect("it is native");
        let load = |snapshots| {
            let snapshots = Some(snapshots);
            let options = LoadOptions {
                threads: Some(2),
                blocks: Some(32),
                snapshots,
                ..LoadOptions::default()
            };
            PhasesExecutor::load(&artifact, target, &phases, &options).expect("loads")
        };
        let (text, other) = (prompt(1, 40), prompt(2, 9));
        let mut executor = load(2);
        assert_eq!(executor.snapshots(), 2);
        let run = |executor: &mut PhasesExecutor, tokens: &[u32], first, slot, blocks: &[u32]| {
            let row = StepRow { slot, ..step::row(tokens, first, blocks) };
            step::run(executor, &[row]).remove(0)
        };
        run(&mut executor, &text[..32], 0, 1, &[1, 2, 3]);
        let save = StateMove::Save { slot: 1, snapshot: 1 };
        executor.move_states(&[save]).expect("it copies");
        let expected = run(&mut executor, &text[32..], 32, 1, &[1, 2, 3]);
        run(&mut executor, &other, 0, 3, &[5]);
        let restore = StateMove::Restore { snapshot: 1, slot: 3 };
        executor.move_states(&[restore]).expect("it copies");
        assert_eq!(run(&mut executor, &text[32..], 32, 3, &[1, 2, 4]), expected, "{case}");
        let beyond = StateMove::Save { slot: 1, snapshot: 2 };
        assert!(executor.move_states(&[beyond]).expect_err("there are two").is_fatal());
        assert!(load(0).move_states(&[save]).is_err());
    }
}
