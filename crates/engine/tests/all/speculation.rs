//! Guesses ahead of the model change how many steps an answer takes, and nothing of the answer.

use crate::common::{Answer, ask, assert_all_free, collect, limits, seeded, start_with};
use crate::constraint::OneOf;
use tyto_engine::testing::{TableControl, TableExecutor, byte_text_model, mix};
use tyto_engine::{
    Engine, EngineConfig, ExecutorLimits, GenerateRequest, SamplingParams, Speculate, Task,
};

fn engine(executor: TableExecutor, speculate: Speculate) -> (Engine, TableControl) {
    let config = EngineConfig { speculate, ..EngineConfig::new("test") };
    start_with(byte_text_model(), config, executor)
}

use Speculate::{Always, Never, WherePaid};

/// Goes round a circle of so many tokens, but for now and then: texts repeat, and guesses fail.
fn circling(limits: ExecutorLimits, circle: u32) -> TableExecutor {
    TableExecutor::new(limits, move |text| {
        let last = *text.last().expect("a text has a token");
        let skips = mix(text.len() as u64).is_multiple_of(13);
        let next = (last + 1 + u32::from(skips)) % circle;
        (0..257).map(|id| if id == next { 6.0 } else { (id % 7) as f32 / 4.0 }).collect()
    })
}

fn long(tokens: u32, sampling: SamplingParams) -> GenerateRequest {
    let prompt = (0..20).map(|at| at % 5).collect();
    GenerateRequest {
        max_tokens: Some(tokens),
        ignore_eos: true,
        logprobs: Some(2),
        sampling,
        ..GenerateRequest::new(prompt)
    }
}

/// Greedy and drawn, with everything that looks at the text so far.
fn requests() -> Vec<GenerateRequest> {
    let penalties = SamplingParams {
        repetition_penalty: 1.05,
        presence_penalty: 0.1,
        frequency_penalty: 0.01,
        ..seeded(5)
    };
    let mut dry = SamplingParams { temperature: 0.5, ..seeded(6) };
    dry.dry.multiplier = 0.3;
    let mut requests = vec![
        long(100, SamplingParams::greedy()),
        long(100, seeded(1)),
        long(100, SamplingParams { temperature: 0.6, top_k: Some(4), ..seeded(2) }),
        long(100, penalties),
        long(100, dry),
        GenerateRequest { stop_strings: vec!["\u{3}\u{4}\u{1}".into()], ..long(100, seeded(3)) },
        GenerateRequest { stop_ids: vec![200], min_tokens: 50, ..long(100, seeded(4)) },
    ];
    // Every limit around the length of a run of guesses.
    requests.extend((1..20).map(|most| long(most, SamplingParams::greedy())));
    requests
}

#[test]
fn answers_are_what_they_are_without_guesses() {
    let (plain, _) = engine(circling(limits(), 5), Never);
    let expected: Vec<Answer> = requests().iter().map(|request| ask(&plain, request)).collect();
    assert!(expected.iter().all(|answer| answer.usage.drafted_tokens == 0));
    // One at a time, all at once, and all at once where blocks are short.
    let tight = ExecutorLimits { n_blocks: 40, ..limits() };
    for (limits, together, speculate) in [
        (limits(), false, Always),
        (limits(), true, Always),
        (tight, true, Always),
        (limits(), true, WherePaid),
    ] {
        let (engine, _) = engine(circling(limits, 5), speculate);
        let submit = |request: GenerateRequest| engine.submit(request).expect("it is good");
        let answers: Vec<Answer> = if together {
            let generations: Vec<_> = requests().into_iter().map(submit).collect();
            generations.into_iter().map(collect).collect()
        } else {
            requests().into_iter().map(|request| collect(submit(request))).collect()
        };
        for (n, (answer, expected)) in answers.iter().zip(&expected).enumerate() {
            assert_eq!(answer.content(), expected.content(), "request {n}");
        }
        let stats = engine.stats();
        // What pays is for the clock to say.
        let counted = stats.accepted_tokens > 50 && stats.drafted_tokens > stats.accepted_tokens;
        assert!(counted || speculate == WherePaid, "many are right, some are not: {stats:?}");
        assert_all_free(&engine);
    }
}

/// The same of a model with recurrent layers, whose every state is checked: few texts at a time, which
/// leave slots to guesses, several answers to one prompt, and too few blocks.
#[test]
fn answers_of_recurrent_models_are_what_they_are_without_guesses() {
    let (plain, _) = engine(circling(limits(), 5), Never);
    let requests = requests();
    let expected: Vec<Answer> = requests.iter().map(|request| ask(&plain, request)).collect();
    let twins: Vec<GenerateRequest> = (0..3).map(|seed| long(60, seeded(seed))).collect();
    let expected_twins: Vec<Answer> = twins.iter().map(|request| ask(&plain, request)).collect();
    let wide = ExecutorLimits { max_rows: 8, ..limits() };
    let tight = ExecutorLimits { n_blocks: 40, ..wide };
    for (limits, snapshots, few) in [(limits(), 0, 1), (wide, 3, 3), (tight, 1, 3)] {
        let (engine, _) = engine(circling(limits, 5).with_states(snapshots), Always);
        let mut answers = Vec::new();
        for some in requests.chunks(few) {
            let submit = |request: &GenerateRequest| engine.submit(request.clone()).expect("good");
            let generations: Vec<_> = some.iter().map(submit).collect();
            answers.extend(generations.into_iter().map(collect));
        }
        for (n, (answer, expected)) in answers.iter().zip(&expected).enumerate() {
            assert_eq!(answer.content(), expected.content(), "request {n}");
        }
        let tasks = twins.iter().cloned().map(Task::from).collect();
        let generations = engine.submit_all(tasks).expect("it fits");
        for (generation, expected) in generations.into_iter().zip(&expected_twins) {
            assert_eq!(collect(generation).content(), expected.content());
        }
        let stats = engine.stats();
        assert!(stats.accepted_tokens > 200, "{stats:?}");
        assert!(stats.drafted_tokens > stats.accepted_tokens, "some are wrong: {stats:?}");
        assert_eq!(stats.restored_states > 0, snapshots > 0, "{stats:?}");
        assert_eq!(stats.preempted > 0, limits == tight, "{stats:?}");
        assert_all_free(&engine);
    }
}

#[test]
fn right_guesses_save_steps_and_are_counted() {
    let steady = TableExecutor::table(limits(), |token| (token + 1) % 5);
    let (engine, control) = engine(steady, Always);
    let answer = ask(&engine, &long(100, SamplingParams::greedy()));
    let usage = answer.usage;
    assert_eq!(usage.completion_tokens, 100);
    assert_eq!(usage.accepted_tokens, usage.drafted_tokens, "a circle has no surprises");
    // The prompt in three chunks of eight; every step after it gives a token and its guesses.
    assert_eq!(control.steps().len() as u32, 3 + 99 - usage.accepted_tokens);
    assert!(usage.accepted_tokens > 80, "{usage:?}");
    let stats = engine.stats();
    assert_eq!(stats.accepted_tokens, u64::from(usage.accepted_tokens));
    assert!(control.steps().iter().flat_map(|step| &step.rows).all(|row| row.drafts <= 7));
}

/// Answers of grammars that force some of their tokens, from a model whose every logit depends on which
/// tokens were computed together: one that a guess has computed by itself would change what follows.
#[test]
fn guesses_and_grammars_go_together_d13() {
    const TEXTS: [&str; 4] = [
        "one two one two one two one",
        "one two one two one ten",
        "one two one ten one ten one two",
        "one ten one ten one ten ten ten",
    ];
    let answers = |engine: &Engine, at_once: bool| -> Vec<Answer> {
        let task = |turn: u64| {
            let sampling =
                if turn.is_multiple_of(3) { SamplingParams::greedy() } else { seeded(turn) };
            let logprobs = turn.is_multiple_of(5).then_some(1);
            let prompt = b"one two one ten one ".iter().map(|byte| u32::from(*byte)).collect();
            let request = GenerateRequest { sampling, logprobs, ..GenerateRequest::new(prompt) };
            let constraint = OneOf::new(&TEXTS, !turn.is_multiple_of(4));
            engine.submit(Task { request, constraint: Some(Box::new(constraint)) })
        };
        let generations = (0..40).map(|turn| task(turn).expect("it is good"));
        match at_once {
            true => generations.collect::<Vec<_>>().into_iter().map(collect).collect(),
            false => generations.map(collect).collect(),
        }
    };
    for seed in 0..10 {
        let (plain, _) = engine(TableExecutor::history_hash(limits(), seed), Never);
        let expected = answers(&plain, false);
        for (at_once, recurrent) in [(false, false), (true, false), (false, true)] {
            let model = TableExecutor::history_hash(limits(), seed);
            let model = if recurrent { model.with_states(2) } else { model };
            let (engine, _) = engine(model, Always);
            for (turn, answer) in answers(&engine, at_once).iter().enumerate() {
                assert_eq!(
                    answer.content(),
                    expected[turn].content(),
                    "seed {seed}, request {turn}"
                );
            }
            let stats = engine.stats();
            assert!(stats.accepted_tokens > 20, "{stats:?}");
            assert!(stats.drafted_tokens > stats.accepted_tokens, "{stats:?}");
            assert_all_free(&engine);
        }
    }
}

/// Never goes on as it did the last time.
fn contrary(limits: ExecutorLimits) -> TableExecutor {
    TableExecutor::new(limits, |text| {
        let (before, last) = (&text[..text.len() - 1], text.last_chunk::<3>());
        let found = last.and_then(|last| before.windows(3).rposition(|window| window == last));
        let next = found.map_or(text.len() as u32, |at| text[at + 3] + 1) % 4;
        (0..257).map(|id| if id == next { 6.0 } else { 0.0 }).collect()
    })
}

/// Of ids 1, 1, 1 the first guess is checked like any other (D12).
#[test]
fn guesses_that_are_always_wrong_do_no_harm_d12() {
    let (plain, _) = engine(contrary(limits()), Never);
    let (engine, _) = engine(contrary(limits()), Always);
    for n in 0..20u32 {
        let prompt = vec![[1, n % 5][n as usize % 2]; 3 + n as usize];
        let request = GenerateRequest {
            max_tokens: Some(60),
            ignore_eos: true,
            ..GenerateRequest::new(prompt)
        };
        assert_eq!(ask(&engine, &request).content(), ask(&plain, &request).content());
    }
    let stats = engine.stats();
    assert!(stats.drafted_tokens > 50 && stats.accepted_tokens == 0, "{stats:?}");
    assert_all_free(&engine);
}

#[test]
fn a_model_that_gives_one_row_of_logits_is_asked_for_no_more() {
    let limits = ExecutorLimits { max_drafts: 0, ..limits() };
    let (engine, control) = engine(TableExecutor::table(limits, |token| (token + 1) % 5), Always);
    let answer = ask(&engine, &long(50, SamplingParams::greedy()));
    assert_eq!((answer.tokens.len(), answer.usage.drafted_tokens), (50, 0));
    assert!(control.steps().iter().flat_map(|step| &step.rows).all(|row| row.drafts == 0));
}

/// Draws the token after a fixed text often, always with guesses, and compares the counts with
/// the exact distribution by chi-square. Seeds are fixed, so the outcome is too.
#[test]
fn drawn_tokens_have_the_models_distribution() {
    let weights = [0.5f32, 0.25, 0.15, 0.1];
    let model = move |text: &[u32]| {
        // The distribution turns with the place, so that a guess is as often wrong as right.
        let turn = text.len() % 4;
        let score = |id: usize| weights[(id + turn) % 4].ln();
        (0..257).map(|id| if id < 4 { score(id) } else { -100.0 }).collect()
    };
    let (engine, _) = engine(TableExecutor::new(limits(), model), Always);
    let mut counts = [[0f64; 4]; 4];
    for seed in 0..150 {
        let request = long(200, seeded(seed));
        let answer = ask(&engine, &GenerateRequest { logprobs: None, ..request });
        for (at, id) in answer.ids().into_iter().enumerate() {
            counts[(20 + at) % 4][id as usize] += 1.0;
        }
    }
    let stats = engine.stats();
    assert!(stats.accepted_tokens > 1_000, "{stats:?}");
    assert!(stats.drafted_tokens - stats.accepted_tokens > 2_000, "{stats:?}");
    for (turn, counts) in counts.iter().enumerate() {
        let total: f64 = counts.iter().sum();
        let statistic: f64 = (0..4)
            .map(|id| {
                let expected = total * f64::from(weights[(id + turn) % 4]);
                (counts[id] - expected).powi(2) / expected
            })
            .sum();
        // Three degrees of freedom: mean 3, deviation 2.4; five deviations.
        assert!(statistic < 3.0 + 5.0 * 2.45, "{turn}: {statistic} {counts:?}");
    }
}
