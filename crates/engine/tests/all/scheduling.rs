//! Many requests at once: each gets what it gets alone, and blocks always come back.

use crate::common::{
    Answer, ask, assert_all_free, collect, limits, prompt, seeded, start, start_with,
};
use tyto_engine::testing::{TableControl, TableExecutor, byte_text_model, mix};
use tyto_engine::{
    Engine, EngineConfig, ExecutorLimits, FinishReason, GenerateRequest, Generation,
    SamplingParams, SubmitError,
};

/// Requests of every kind: lengths, ways of sampling, limits, stops, log probabilities.
fn mixed_requests(count: u64, longest: u64) -> Vec<GenerateRequest> {
    let request = |n: u64| {
        let pick = |salt: u64, below: u64| mix(n * 31 + salt) % below;
        let length = 1 + pick(1, longest / 2);
        let tokens = (0..length).map(|at| (mix(n * 1000 + at) % 256) as u32).collect();
        let sampling = match pick(2, 4) {
            0 => SamplingParams::greedy(),
            1 => seeded(n),
            2 => SamplingParams { top_p: 0.8, top_k: Some(20), ..seeded(n) },
            _ => SamplingParams { repetition_penalty: 1.3, frequency_penalty: 0.5, ..seeded(n) },
        };
        GenerateRequest {
            sampling,
            max_tokens: Some(1 + pick(3, longest / 2) as u32),
            min_tokens: 0,
            stop_strings: if pick(4, 3) == 0 { vec!["e".into(), "xy".into()] } else { Vec::new() },
            logprobs: (pick(5, 3) == 0).then_some(2),
            ignore_eos: pick(6, 2) == 0,
            ..GenerateRequest::new(tokens)
        }
    };
    (0..count).map(request).collect()
}

/// Each request by itself, on an engine with room for everything.
fn alone(requests: &[GenerateRequest]) -> Vec<Answer> {
    let (engine, _) = start(TableExecutor::history_hash(limits(), 11));
    requests.iter().map(|request| ask(&engine, request)).collect()
}

fn together(engine: &Engine, requests: &[GenerateRequest]) -> Vec<Answer> {
    submit_all(engine, requests).into_iter().map(collect).collect()
}

/// As [`together`], but no step ends before all of them are there: that they share the pool does not depend on which
/// thread runs when.
fn held_together(
    engine: &Engine,
    control: &TableControl,
    requests: &[GenerateRequest],
) -> Vec<Answer> {
    control.hold();
    let generations = submit_all(engine, requests);
    control.release();
    generations.into_iter().map(collect).collect()
}

fn submit_all(engine: &Engine, requests: &[GenerateRequest]) -> Vec<Generation> {
    let submit = |request: &GenerateRequest| engine.submit(request.clone()).expect("it is good");
    requests.iter().map(submit).collect()
}

fn assert_same(answers: &[Answer], expected: &[Answer]) {
    for (n, (answer, expected)) in answers.iter().zip(expected).enumerate() {
        assert_eq!(answer.content(), expected.content(), "request {n}");
    }
}

#[test]
fn a_batch_gives_each_what_it_gets_alone() {
    let requests = mixed_requests(24, 60);
    let expected = alone(&requests);
    for (rows, chunk) in [(1, 1), (2, 3), (4, 8), (16, 64)] {
        let limits = ExecutorLimits { max_rows: rows, max_chunk: chunk, ..limits() };
        // Fixed, so that how many run at once does not depend on the clock.
        let config =
            EngineConfig { chunk_beside_answers: Some(chunk), ..EngineConfig::new("test") };
        let executor = TableExecutor::history_hash(limits, 11);
        let (engine, control) = start_with(byte_text_model(), config, executor);
        let answers = held_together(&engine, &control, &requests);
        assert_same(&answers, &expected);
        let widest = control.steps().iter().map(|step| step.rows.len()).max();
        assert_eq!(widest, Some(rows), "it ran as a batch");
        assert_all_free(&engine);
    }
}

/// A pool for one and a half requests, four at once (D3).
#[test]
fn preempted_answers_are_complete_d3() {
    let request = |n: u32| GenerateRequest {
        max_tokens: Some(30),
        ignore_eos: true,
        logprobs: Some(1),
        ..GenerateRequest::new(vec![n, 1, 2])
    };
    let requests: Vec<_> = (0..4).map(request).collect();
    let expected = alone(&requests);
    // A request writes 32 positions: 8 blocks of 4.
    let tight = ExecutorLimits { n_blocks: 13, ..limits() };
    let (engine, control) = start(TableExecutor::history_hash(tight, 11));
    let answers = held_together(&engine, &control, &requests);
    assert_same(&answers, &expected);
    assert!(answers.iter().all(|answer| answer.tokens.len() == 30));
    assert!(engine.stats().preempted > 0, "a text was computed again");
    assert_all_free(&engine);
}

#[test]
fn hundreds_of_requests_on_a_tiny_pool() {
    let requests = mixed_requests(400, 40);
    let expected = alone(&requests);
    // Ten blocks of four: one of the longest texts, or a few short ones.
    let tiny = ExecutorLimits { n_blocks: 12, max_rows: 8, max_chunk: 5, ..limits() };
    for tokens_per_step in [None, Some(1), Some(9)] {
        let config = EngineConfig { tokens_per_step, ..EngineConfig::new("test") };
        let executor = TableExecutor::history_hash(tiny, 11);
        let (engine, _) = start_with(byte_text_model(), config, executor);
        assert_same(&together(&engine, &requests), &expected);
        assert_all_free(&engine);
        assert_eq!(engine.stats().finished, 400);
    }
}

#[test]
fn the_order_of_requests_does_not_matter_d9() {
    let requests = mixed_requests(6, 40);
    let expected = alone(&requests);
    let (engine, _) = start(TableExecutor::history_hash(limits(), 11));
    for round in 0..30 {
        let mut order: Vec<usize> = (0..requests.len()).collect();
        order.sort_by_key(|&n| mix(round * 100 + n as u64));
        let generations: Vec<_> = order
            .iter()
            .map(|&n| (n, engine.submit(requests[n].clone()).expect("it is good")))
            .collect();
        for (n, generation) in generations {
            assert_eq!(collect(generation).content(), expected[n].content());
        }
    }
}

#[test]
fn a_request_larger_than_the_pool_is_refused_and_others_go_on_d1() {
    let small = ExecutorLimits { n_blocks: 6, ..limits() };
    let (engine, _) = start(TableExecutor::history_hash(small, 11));
    assert_eq!(engine.card().context_length, 21);
    let running = engine.submit(prompt("abc")).expect("it fits");
    let asks = |max_tokens| GenerateRequest { max_tokens: Some(max_tokens), ..prompt("abc") };
    match engine.submit(asks(19)) {
        Err(SubmitError::Invalid { field: "max_tokens", message }) => {
            assert!(message.contains("at most 18"), "{message}");
        }
        other => panic!("{other:?}"),
    }
    let refused = engine.submit(prompt(&"#".repeat(30))).expect_err("it can never run");
    assert_eq!(refused, SubmitError::PromptTooLong { prompt: 30, context: 21 });
    assert_eq!(ask(&engine, &GenerateRequest { ignore_eos: true, ..asks(18) }).tokens.len(), 18);
    collect(running);
    assert_all_free(&engine);
}

#[test]
fn bad_requests_leave_their_neighbours_alone_c16_c17_c19() {
    let good = GenerateRequest { max_tokens: Some(40), ignore_eos: true, ..prompt("hello") };
    let expected = alone(std::slice::from_ref(&good));
    let (engine, _) = start(TableExecutor::history_hash(limits(), 11));
    let generation = engine.submit(good.clone()).expect("it is good");
    let bias = SamplingParams { logit_bias: vec![(191_222, -100.0)], ..SamplingParams::greedy() };
    let bad = [
        GenerateRequest { sampling: bias, ..prompt("x") },
        GenerateRequest { stop_ids: vec![257], ..prompt("x") },
        GenerateRequest::new(vec![1, 300]),
        GenerateRequest::new(Vec::new()),
        prompt(&"#".repeat(1000)),
    ];
    for request in bad {
        assert!(engine.submit(request).is_err());
    }
    assert_eq!(collect(generation).content(), expected[0].content());
    assert_all_free(&engine);
}

#[test]
fn dropped_receivers_free_their_blocks_d15() {
    let tight = ExecutorLimits { n_blocks: 40, ..limits() };
    let (engine, _) = start(TableExecutor::history_hash(tight, 11));
    let mut kept = Vec::new();
    for n in 0..200u64 {
        let length = 1 + mix(n) as usize % 60;
        let request = GenerateRequest { ignore_eos: true, ..prompt(&"#".repeat(length)) };
        let mut generation = engine.submit(request).expect("it is good");
        for _ in 0..mix(n + 1000) % 4 {
            generation.blocking_next();
        }
        // Some go at once, some while others wait and run.
        kept.push(generation);
        if mix(n + 2000).is_multiple_of(3) {
            kept.clear();
        }
    }
    kept.clear();
    let last = GenerateRequest { max_tokens: Some(20), ignore_eos: true, ..prompt("last") };
    let expected = alone(std::slice::from_ref(&last));
    assert_eq!(ask(&engine, &last).content(), expected[0].content());
    assert_all_free(&engine);
    // Those that were kept for a while may have come to their end.
    let stats = engine.stats();
    assert_eq!((stats.cancelled + stats.finished, stats.failed), (201, 0));
}

#[test]
fn cancelled_in_the_queue_in_the_prompt_and_in_the_answer() {
    let limits = ExecutorLimits { max_rows: 1, ..limits() };
    let (engine, control) = start(TableExecutor::history_hash(limits, 11));
    control.hold();
    let in_prompt = engine.submit(prompt(&"#".repeat(100))).expect("it is good");
    let in_queue = engine.submit(prompt("#")).expect("it is good");
    control.wait_for_steps(1);
    drop(in_queue);
    drop(in_prompt);
    let request = GenerateRequest { ignore_eos: true, ..prompt("#") };
    let mut in_answer = engine.submit(request.clone()).expect("it is good");
    // Step 0 is the prompt's first chunk; step 1 gives the answer's first token.
    control.hold_from(2);
    assert!(in_answer.blocking_next().is_some());
    drop(in_answer);
    control.release();
    ask(&engine, &GenerateRequest { max_tokens: Some(1), ..request });
    assert_all_free(&engine);
    assert_eq!(engine.stats().cancelled, 3);
    let prompts = control.steps().iter().filter(|step| step.rows[0].first_position == 0).count();
    assert_eq!(prompts, 3, "the one in the queue never ran");
}

#[test]
fn a_long_prompt_does_not_hold_up_an_answer() {
    let (engine, control) = start(TableExecutor::history_hash(limits(), 11));
    control.hold();
    let fast = GenerateRequest { max_tokens: Some(40), ignore_eos: true, ..prompt("a") };
    let fast = engine.submit(fast).expect("it is good");
    let slow =
        GenerateRequest { max_tokens: Some(2), ignore_eos: true, ..prompt(&"#".repeat(200)) };
    let slow = engine.submit(slow).expect("it is good");
    control.release();
    collect(slow);
    collect(fast);
    let steps = control.steps();
    let mixed = steps.iter().filter(|step| step.rows.len() == 2).count();
    assert!(mixed >= 200 / 8, "every chunk of the prompt shares its step with the answer");
    let alone = |row: &tyto_engine::testing::RecordedRow| row.tokens.len() > 1;
    assert!(steps.iter().all(|step| step.rows.len() == 2 || !step.rows.iter().any(alone)));
}

#[test]
fn clients_take_turns() {
    let limits = ExecutorLimits { max_rows: 1, ..limits() };
    let (engine, control) = start(TableExecutor::history_hash(limits, 11));
    control.hold();
    let submit = |client: Option<&str>, text: &str| {
        let client = client.map(str::to_owned);
        let request = GenerateRequest { max_tokens: Some(2), ignore_eos: true, ..prompt(text) };
        engine.submit(GenerateRequest { client, ..request }).expect("it is good")
    };
    // The first is under way before the others come.
    let first = submit(Some("a"), "1");
    control.wait_for_steps(1);
    let others = [(Some("a"), "2"), (Some("a"), "3"), (Some("b"), "4"), (None, "5")]
        .map(|(client, text)| submit(client, text));
    control.release();
    collect(first);
    others.into_iter().for_each(|generation| assert_eq!(collect(generation).tokens.len(), 2));
    let begins = |step: &tyto_engine::testing::RecordedStep| {
        (step.rows[0].first_position == 0).then(|| step.rows[0].tokens[0])
    };
    let order: Vec<u32> = control.steps().iter().filter_map(begins).collect();
    assert_eq!(order, "14523".bytes().map(u32::from).collect::<Vec<_>>());
}

#[test]
fn a_full_queue_refuses_and_recovers() {
    let limits = ExecutorLimits { max_rows: 2, ..limits() };
    let config = EngineConfig { max_queued: 3, ..EngineConfig::new("test") };
    let executor = TableExecutor::history_hash(limits, 11);
    let (engine, control) = start_with(byte_text_model(), config, executor);
    control.hold();
    let request = GenerateRequest { max_tokens: Some(3), ignore_eos: true, ..prompt("#") };
    let taken: Vec<_> = (0..5).map(|_| engine.submit(request.clone()).expect("room")).collect();
    let refused = engine.submit(request.clone()).expect_err("full");
    assert!(matches!(refused, SubmitError::QueueFull { retry_after_seconds: 1.. }), "{refused:?}");
    control.release();
    for generation in taken {
        assert_eq!(collect(generation).reason(), FinishReason::Length);
    }
    assert_eq!(ask(&engine, &request).reason(), FinishReason::Length);
}

#[test]
fn a_seed_gives_the_same_text_whatever_else_runs() {
    let request = |seed| GenerateRequest {
        sampling: seeded(seed),
        max_tokens: Some(40),
        ignore_eos: true,
        ..prompt("hello")
    };
    let (engine, _) = start(TableExecutor::history_hash(limits(), 11));
    let first = ask(&engine, &request(1));
    assert_ne!(ask(&engine, &request(2)).ids(), first.ids());
    let crowd: Vec<_> = mixed_requests(10, 40)
        .into_iter()
        .map(|request| engine.submit(request).expect("it is good"))
        .collect();
    assert_eq!(ask(&engine, &request(1)).content(), first.content());
    crowd.into_iter().for_each(|generation| drop(collect(generation)));
    // Without a seed, texts differ.
    let free =
        GenerateRequest { sampling: SamplingParams { seed: None, ..seeded(0) }, ..request(0) };
    assert_ne!(ask(&engine, &free).ids(), ask(&engine, &free).ids());
}

#[test]
fn no_step_runs_without_a_request() {
    let (engine, control) = start(TableExecutor::history_hash(limits(), 11));
    let request = GenerateRequest { max_tokens: Some(3), ignore_eos: true, ..prompt("#") };
    for _ in 0..3 {
        ask(&engine, &request);
        ask(&engine, &GenerateRequest { max_tokens: Some(0), ..request.clone() });
    }
    assert_eq!(control.steps().len(), 9);
    assert_eq!(engine.stats().steps, 9);
}
