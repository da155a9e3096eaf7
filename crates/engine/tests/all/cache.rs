//! What the cache still holds is not computed again, and changes no answer.

use crate::common::{
    Answer, ask, assert_all_free, collect, limits, prompt, seeded, start, start_with,
};
use tyto_engine::testing::{TableControl, TableExecutor, byte_text_model, mix, small_limits};
use tyto_engine::{
    Engine, EngineConfig, Event, ExecutorLimits, FinishReason, GenerateRequest, SubmitError, Task,
};

fn hashing(limits: ExecutorLimits) -> (Engine, TableControl) {
    start(TableExecutor::history_hash(limits, 11))
}

/// An engine that remembers nothing.
fn forgetful() -> Engine {
    let config = EngineConfig { prefix_cache: false, ..EngineConfig::new("test") };
    start_with(byte_text_model(), config, TableExecutor::history_hash(limits(), 11)).0
}

fn short(text: &str, tokens: u32) -> GenerateRequest {
    GenerateRequest { max_tokens: Some(tokens), ignore_eos: true, ..prompt(text) }
}

/// Tokens computed of prompts: all but one for each answer's next token.
fn computed(control: &TableControl) -> usize {
    control.steps().iter().flat_map(|step| &step.rows).map(|row| row.tokens.len()).sum()
}

#[test]
fn the_same_prompt_twice_gives_the_same_answer_d4() {
    // Blocks of 4: lengths around multiples of it, and shorter than one.
    for length in [1, 3, 4, 5, 7, 8, 9, 40] {
        let text = "abcdefghij".repeat(4)[..length].to_owned();
        let (engine, _) = hashing(limits());
        let cold = ask(&engine, &short(&text, 6));
        let warm = ask(&engine, &short(&text, 6));
        assert_eq!(warm.content(), cold.content(), "{length} tokens");
        assert_eq!(cold.usage.cached_tokens, 0);
        assert_eq!(warm.usage.cached_tokens as usize, (length - 1) / 4 * 4, "{length} tokens");
        assert_all_free(&engine);
    }
}

#[test]
fn a_shorter_and_a_longer_prompt_find_what_is_theirs_d5() {
    let alone = forgetful();
    let (engine, _) = hashing(limits());
    for text in
        ["abcdefghijklmnop", "abcdefghij", "abcdefgh", "abcdefghijklmnopqrstuvw", "abcdXfghij"]
    {
        let request = short(text, 5);
        assert_eq!(ask(&engine, &request).content(), ask(&alone, &request).content(), "{text}");
    }
    let stats = engine.stats();
    // 8 of 10, 4 of 8, 16 of 23, 4 of 10.
    assert_eq!(stats.cached_prompt_tokens, 8 + 4 + 16 + 4);
    assert!(stats.cached_blocks > 0);
}

/// The next turn of a conversation holds the answer to the one before. That was computed token by
/// token and is now part of a prompt: it is computed again, as it is for who never asked before.
#[test]
fn the_next_turn_finds_the_prompt_before_the_answer() {
    let (engine, control) = hashing(limits());
    let first = ask(&engine, &short("abcdefgh", 12));
    let mut next = short("abcdefgh", 4);
    next.prompt.extend(first.ids());
    next.prompt.extend("more".bytes().map(u32::from));
    let before = computed(&control);
    let second = ask(&engine, &next);
    assert_eq!(second.usage.cached_tokens, 8);
    assert_eq!(computed(&control) - before, 24 - 8 + 3);
    assert_eq!(second.content(), ask(&forgetful(), &next).content());
    assert_eq!(ask(&engine, &next).usage.cached_tokens, 20);
}

/// Mixed stop strings, seeds and lengths over few beginnings, cold and warm, in a tight pool.
#[test]
fn warm_answers_equal_cold_ones_d8_d9() {
    let request = |n: u64| {
        let pick = |salt: u64, below: u64| mix(n * 31 + salt) % below;
        let text = ["system prompt A, long enough", "system prompt B"][pick(1, 2) as usize];
        let text = format!("{}{}", &text[..text.len() - pick(2, 4) as usize], pick(3, 3));
        let stop_strings = if pick(4, 2) == 0 { vec!["e".into(), "12".into()] } else { vec![] };
        GenerateRequest {
            sampling: seeded(n),
            stop_strings,
            ..short(&text, 1 + pick(5, 20) as u32)
        }
    };
    let requests: Vec<_> = (0..200).map(request).collect();
    let alone = forgetful();
    let expected: Vec<Answer> = requests.iter().map(|request| ask(&alone, request)).collect();
    let tight = ExecutorLimits { n_blocks: 24, ..limits() };
    for chunk_beside_answers in [None, Some(1), Some(3)] {
        let config = EngineConfig { chunk_beside_answers, ..EngineConfig::new("test") };
        let executor = TableExecutor::history_hash(tight, 11);
        let (engine, _) = start_with(byte_text_model(), config, executor);
        let submit = |request: &GenerateRequest| engine.submit(request.clone()).expect("good");
        let generations: Vec<_> = requests.iter().map(submit).collect();
        for (generation, expected) in generations.into_iter().zip(&expected) {
            assert_eq!(collect(generation).content(), expected.content());
        }
        assert!(engine.stats().cached_prompt_tokens > 500, "{:?}", engine.stats());
        assert_all_free(&engine);
    }
}

#[test]
fn several_answers_compute_their_prompt_once() {
    let (engine, control) = hashing(limits());
    let tasks = |count: u64| -> Vec<Task> {
        let one = |seed| GenerateRequest { sampling: seeded(seed), ..short(&"#".repeat(42), 5) };
        (0..count).map(|seed| Task::from(one(seed))).collect()
    };
    let generations = engine.submit_all(tasks(4)).expect("it fits");
    let answers: Vec<Answer> = generations.into_iter().map(collect).collect();
    // The prompt, what is in no full block for three of them, and four tokens for each.
    assert_eq!(computed(&control), 42 + 3 * 2 + 4 * 4);
    let alone = forgetful();
    for (answer, task) in answers.iter().zip(tasks(4)) {
        assert_eq!(answer.content(), ask(&alone, &task.request).content());
    }
    let texts: std::collections::HashSet<String> = answers.iter().map(Answer::text).collect();
    assert_eq!(texts.len(), 4);
    assert_all_free(&engine);
}

#[test]
fn more_texts_than_the_queue_can_ever_hold_are_refused_at_once() {
    let config = EngineConfig { max_queued: 2, ..EngineConfig::new("test") };
    let executor = TableExecutor::history_hash(ExecutorLimits { max_rows: 2, ..limits() }, 11);
    let (engine, control) = start_with(byte_text_model(), config, executor);
    let tasks = |count| -> Vec<Task> { (0..count).map(|_| short("#", 3).into()).collect() };
    match engine.submit_all(tasks(5)) {
        Err(SubmitError::Invalid { field: "prompt", message }) => {
            assert!(message.contains("1 to 4 texts"), "{message}");
        }
        other => panic!("{other:?}"),
    }
    control.hold();
    let taken = engine.submit_all(tasks(3)).expect("it fits");
    assert!(matches!(engine.submit_all(tasks(2)), Err(SubmitError::QueueFull { .. })));
    let last = engine.submit(short("#", 3)).expect("none of the two was taken");
    control.release();
    for generation in taken.into_iter().chain([last]) {
        assert_eq!(collect(generation).reason(), FinishReason::Length);
    }
}

/// Two prompts share their beginning; the model's numbers overflow after one of them only.
#[test]
fn a_damaged_text_leaves_nothing_behind() {
    let limits = small_limits(257);
    let model = |text: &[u32]| {
        let bad = text.contains(&u32::from(b'!'));
        let value = if bad { f32::NAN } else { text.iter().sum::<u32>() as f32 % 7.0 };
        (0..257).map(|id| if id == 97 + text.len() % 20 { value + 1.0 } else { 0.0 }).collect()
    };
    let (engine, control) = start(TableExecutor::new(limits, model));
    let good = short("a shared beginning", 4);
    let before = ask(&engine, &good);
    let failed = ask(&engine, &short("a shared beginning!", 4));
    assert!(failed.failure().contains("overflowed"), "{}", failed.failure());
    let after = ask(&engine, &good);
    assert_eq!(after.content(), before.content());
    assert_eq!(after.usage.cached_tokens, 0, "nothing that it used is trusted");
    assert!(control.cleaned().len() >= 5, "{:?}", control.cleaned());
    assert_all_free(&engine);
}

#[test]
fn a_failed_step_keeps_what_was_right_before_it() {
    let (engine, control) = hashing(limits());
    let expected = ask(&engine, &short("abcdefghijkl", 4));
    control.fail_next(tyto_engine::ExecutorError::new("once"));
    assert_eq!(ask(&engine, &short("abcdefghijkl", 4)).failure(), "once");
    let again = ask(&engine, &short("abcdefghijkl", 4));
    assert_eq!(again.content(), expected.content());
    assert_eq!(again.usage.cached_tokens, 8);
    assert!(!control.cleaned().is_empty());
}

#[test]
fn a_request_ends_with_its_own_timeout() {
    let (engine, control) = hashing(limits());
    let timeout = |millis| Some(std::time::Duration::from_millis(millis));
    // In the queue.
    let late = ask(&engine, &GenerateRequest { timeout: timeout(0), ..short("#", 5) });
    assert_eq!((late.reason(), late.tokens.len()), (FinishReason::TimedOut, 0));
    // In the answer: its time is over while a step is held.
    control.hold_from(1);
    let request = GenerateRequest { timeout: timeout(20), ..short("#", 50) };
    let start = std::time::Instant::now();
    let mut generation = engine.submit(request).expect("it is good");
    if let Some(Event::Tokens { .. }) = generation.blocking_next() {
        while start.elapsed() <= std::time::Duration::from_millis(20) {
            std::thread::yield_now();
        }
        control.release();
        // One more token may come from the step that was held.
        let end = std::iter::from_fn(|| generation.blocking_next()).last();
        let reason = FinishReason::TimedOut;
        assert!(matches!(end, Some(Event::Finished { reason: r, .. }) if r == reason), "{end:?}");
    } else {
        control.release();
    }
    assert_all_free(&engine);
    let other = GenerateRequest { timeout: timeout(3_600_000), ..short("#", 5) };
    assert_eq!(ask(&engine, &other).reason(), FinishReason::Length);
    assert_eq!(engine.stats().timed_out, 2);
}
