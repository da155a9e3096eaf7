//! What a recurrent model is spared by copies of its states, and that no answer shows it.

use crate::common::{
    self, Answer, ask, assert_all_free, collect, prompt, seeded, start, start_with,
};
use tyto_engine::testing::{TableControl, TableExecutor, byte_text_model, mix};
use tyto_engine::{Engine, EngineConfig, ExecutorError, ExecutorLimits, GenerateRequest, Task};

/// Copies that there is room for.
const SNAPSHOTS: usize = 3;

/// Long chunks: a prompt is cut for a copy where that spares 64 tokens, and copies in passing are a
/// chunk apart. Nothing is guessed, so that tokens can be counted.
fn limits() -> ExecutorLimits {
    ExecutorLimits { max_chunk: 100, max_drafts: 0, ..common::limits() }
}

fn recurrent() -> (Engine, TableControl) {
    start(TableExecutor::recurrent(limits(), 5, SNAPSHOTS))
}

/// An engine that remembers nothing.
fn forgetful() -> Engine {
    let config = EngineConfig { prefix_cache: false, ..EngineConfig::new("test") };
    start_with(byte_text_model(), config, TableExecutor::recurrent(limits(), 5, SNAPSHOTS)).0
}

fn short(text: &str, tokens: u32) -> GenerateRequest {
    GenerateRequest { max_tokens: Some(tokens), ignore_eos: true, ..prompt(text) }
}

/// Tokens computed: all but one for each answer's next token.
fn computed(control: &TableControl) -> usize {
    control.steps().iter().flat_map(|step| &step.rows).map(|row| row.tokens.len()).sum()
}

#[test]
fn the_same_prompt_is_continued_from_its_last_full_block() {
    // Blocks of 4. A copy that was made in passing, after the first chunk, is near enough to 148.
    for (length, found) in [(65, 64), (68, 64), (69, 68), (102, 100), (150, 100), (170, 168)] {
        let text = "abcdefghij".repeat(17)[..length].to_owned();
        let (engine, control) = recurrent();
        let cold = ask(&engine, &short(&text, 6));
        let before = computed(&control);
        let warm = ask(&engine, &short(&text, 6));
        let left = length - found;
        assert_eq!(computed(&control) - before, left + 5, "{length} tokens");
        assert_eq!((cold.usage.cached_tokens, warm.usage.cached_tokens as usize), (0, found));
        assert_eq!(warm.content(), cold.content(), "{length} tokens");
        assert_eq!(cold.content(), ask(&forgetful(), &short(&text, 6)).content());
        assert_eq!(engine.stats().restored_states, 1);
        assert_all_free(&engine);
    }
}

#[test]
fn the_next_turn_goes_on_where_the_prompt_before_it_ended() {
    let (engine, _) = recurrent();
    let alone = forgetful();
    let mut turn = short(&"a long beginning ".repeat(6), 9);
    for found in [0, 100, 172] {
        let answer = ask(&engine, &turn);
        assert_eq!(answer.usage.cached_tokens, found);
        assert_eq!(answer.content(), ask(&alone, &turn).content());
        turn.prompt.extend(answer.ids());
        turn.prompt
            .extend("and then, at length, somebody asks for something else".bytes().map(u32::from));
        turn.prompt.extend("0123456789".bytes().map(u32::from));
    }
    let stats = engine.stats();
    assert_eq!((stats.total_snapshots, stats.restored_states), (SNAPSHOTS, 2));
    assert!((1..=SNAPSHOTS).contains(&stats.snapshots), "{stats:?}");
}

#[test]
fn several_answers_go_on_from_one_copy_of_their_prompt() {
    let (engine, control) = recurrent();
    // Too short for a copy of its own accord.
    let one = |seed| GenerateRequest { sampling: seeded(seed), ..short(&"#".repeat(42), 5) };
    let tasks: Vec<Task> = (0..4).map(|seed| one(seed).into()).collect();
    let generations = engine.submit_all(tasks).expect("it fits");
    let answers: Vec<Answer> = generations.into_iter().map(collect).collect();
    // The prompt, what is behind the copy for three of them, and four tokens for each.
    assert_eq!(computed(&control), 42 + 3 * 2 + 4 * 4);
    let alone = forgetful();
    for (seed, answer) in (0..).zip(&answers) {
        assert_eq!(answer.content(), ask(&alone, &one(seed)).content());
    }
    assert_all_free(&engine);
}

/// Few beginnings and many ends, in a pool so tight that texts lose their blocks and states, with
/// few copies and with prompts cut in every way.
#[test]
fn answers_are_those_without_copies_whatever_else_runs() {
    let request = |n: u64| {
        let pick = |salt: u64, below: u64| mix(n * 31 + salt) % below;
        let text = ["system prompt A, ", "system prompt B: "][pick(1, 2) as usize].repeat(6);
        let text = format!("{}{}", &text[..100 - pick(2, 24) as usize], pick(3, 3));
        GenerateRequest { sampling: seeded(n), ..short(&text, 1 + pick(5, 30) as u32) }
    };
    let requests: Vec<_> = (0..150).map(request).collect();
    let alone = forgetful();
    let expected: Vec<Answer> = requests.iter().map(|request| ask(&alone, request)).collect();
    let tight = ExecutorLimits { n_blocks: 48, ..limits() };
    let mut preempted = 0;
    for (chunk_beside_answers, snapshots) in [(None, 1), (Some(1), 2), (Some(3), 8)] {
        let config = EngineConfig { chunk_beside_answers, ..EngineConfig::new("test") };
        let executor = TableExecutor::recurrent(tight, 5, snapshots);
        let (engine, _) = start_with(byte_text_model(), config, executor);
        let submit = |request: &GenerateRequest| engine.submit(request.clone()).expect("good");
        let generations: Vec<_> = requests.iter().map(submit).collect();
        for (generation, expected) in generations.into_iter().zip(&expected) {
            assert_eq!(collect(generation).content(), expected.content());
        }
        let stats = engine.stats();
        assert!(stats.restored_states > 20 && stats.cached_prompt_tokens > 500, "{stats:?}");
        preempted += stats.preempted;
        assert_all_free(&engine);
    }
    assert!(preempted > 5, "{preempted} lost their blocks");
}

#[test]
fn a_copy_that_failed_is_not_gone_on_from() {
    let text = "abcdefghij".repeat(8);
    let expected = ask(&forgetful(), &short(&text, 4));
    let (engine, control) = recurrent();
    // The copy after the first chunk that is to leave one.
    control.fail_next_copy(ExecutorError::new("once"));
    assert_eq!(ask(&engine, &short(&text, 4)).failure(), "once");
    assert_eq!(engine.stats().snapshots, 0);
    assert_eq!(ask(&engine, &short(&text, 4)).content(), expected.content());
    // The copy to the slot.
    control.fail_next_copy(ExecutorError::new("twice"));
    assert_eq!(ask(&engine, &short(&text, 4)).failure(), "twice");
    let again = ask(&engine, &short(&text, 4));
    assert_eq!((again.content(), again.usage.cached_tokens), (expected.content(), 76));
}

#[test]
fn without_room_for_copies_every_prompt_is_computed() {
    let (engine, control) = start(TableExecutor::recurrent(limits(), 5, 0));
    let request = short(&"abcdefghij".repeat(8), 3);
    let first = ask(&engine, &request);
    assert_eq!(ask(&engine, &request).content(), first.content());
    assert_eq!(computed(&control), 2 * (80 + 2));
    assert_eq!((engine.stats().cached_prompt_tokens, engine.stats().total_snapshots), (0, 0));
}
