//! Guesses of a second model: greedy answers are what they are without it, drawn ones have the same
//! distribution, and whatever is wrong with it costs its guesses and nothing else.

use crate::common::{Answer, ask, assert_all_free, collect, limits, seeded};
use tyto_engine::testing::{TableControl, TableExecutor, byte_text_model, mix};
use tyto_engine::{
    Engine, EngineConfig, Executor, ExecutorError, ExecutorLimits, Executors, GenerateRequest,
    SamplingParams, Speculate, Xtc,
};

fn engine(model: TableExecutor, draft: Option<TableExecutor>) -> (Engine, [TableControl; 2]) {
    let config = EngineConfig { speculate: Speculate::Always, ..EngineConfig::new("test") };
    let controls = [model.control(), draft.as_ref().unwrap_or(&model).control()];
    let boxed = |executor: TableExecutor| -> Box<dyn Executor> { Box::new(executor) };
    let executors = move || Ok(Executors { model: boxed(model), draft: draft.map(boxed) });
    let engine = Engine::start_all(config, byte_text_model(), executors).expect("it starts");
    (engine, controls)
}

/// Follows a rule that never repeats itself for long; `noise` of seven times another one.
fn model(limits: ExecutorLimits, noise: u64) -> TableExecutor {
    TableExecutor::new(limits, move |text| {
        let last = u64::from(*text.last().expect("a text has a token"));
        let right = mix(last + 7 * text.len() as u64) % 200;
        let other = mix(right) % 7 < noise;
        let next = (right + u64::from(other)) % 200;
        (0..257).map(|id| if id == next { 6.0 } else { (id % 7) as f32 / 4.0 }).collect()
    })
}

fn long(prompt: u32, tokens: u32, sampling: SamplingParams) -> GenerateRequest {
    GenerateRequest {
        max_tokens: Some(tokens),
        ignore_eos: true,
        logprobs: Some(1),
        sampling,
        ..GenerateRequest::new((0..prompt).map(|at| (at * at + prompt) % 199).collect())
    }
}

fn all(engine: &Engine, requests: &[GenerateRequest], at_once: bool) -> Vec<Answer> {
    let submit = |request: &GenerateRequest| engine.submit(request.clone()).expect("it is good");
    match at_once {
        false => requests.iter().map(|request| collect(submit(request))).collect(),
        true => {
            let generations: Vec<_> = requests.iter().map(submit).collect();
            generations.into_iter().map(collect).collect()
        }
    }
}

#[test]
fn a_model_that_guesses_for_itself_is_always_right() {
    let (engine, [control, _]) = engine(model(limits(), 0), Some(model(limits(), 0)));
    let answer = ask(&engine, &long(3, 100, SamplingParams::greedy()));
    let usage = answer.usage;
    assert_eq!(usage.completion_tokens, 100);
    assert_eq!(usage.accepted_tokens, usage.drafted_tokens);
    assert_eq!(control.steps().len() as u32, 1 + 99 - usage.accepted_tokens);
    assert!(usage.accepted_tokens > 80, "{usage:?}");
}

/// Alone and together, where blocks are short, and with drafts whose own cache or context is.
#[test]
fn greedy_answers_are_what_they_are_without_a_draft() {
    let requests: Vec<GenerateRequest> = (1..12)
        .map(|turn| long(1 + 3 * turn, 10 * turn, SamplingParams::greedy()))
        .chain((1..10).map(|most| long(5, most, SamplingParams::greedy())))
        .collect();
    let (plain, _) = engine(model(limits(), 0), None);
    let expected = all(&plain, &requests, false);
    let tight = ExecutorLimits { n_blocks: 40, ..limits() };
    let narrow = ExecutorLimits { n_blocks: 20, max_rows: 2, max_chunk: 3, ..limits() };
    let short = ExecutorLimits { context_length: 30, max_drafts: 0, ..limits() };
    for (limits, draft, noise) in [
        (limits(), limits(), 0),
        (limits(), limits(), 2),
        (tight, limits(), 2),
        (limits(), narrow, 1),
        (limits(), short, 1),
        (tight, narrow, 7),
    ] {
        for at_once in [false, true] {
            let (engine, [_, control]) = engine(model(limits, 0), Some(model(draft, noise)));
            let found = all(&engine, &requests, at_once);
            for (turn, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(found.content(), expected.content(), "request {turn}");
            }
            let stats = engine.stats();
            assert!(stats.drafted_tokens > 20, "{stats:?}");
            assert_eq!(stats.accepted_tokens > 10, noise < 7, "{stats:?}");
            assert_eq!(stats.accepted_tokens == stats.drafted_tokens, noise == 0, "{stats:?}");
            let most = control.steps().iter().map(|step| step.rows.len()).max();
            assert!(most.is_some_and(|most| !at_once || most > 1), "texts go together");
            assert_all_free(&engine);
        }
    }
}

/// Every digit of these logits depends on which tokens were computed together.
#[test]
fn guesses_of_a_draft_are_computed_as_the_text_would_be() {
    let requests: Vec<GenerateRequest> =
        (0..6).map(|turn| long(4 + turn, 60, SamplingParams::greedy())).collect();
    let history = |seed| TableExecutor::history_hash(limits(), seed);
    let (plain, _) = engine(history(3), None);
    let expected = all(&plain, &requests, false);
    // The draft knows the text as the model does, but for a token in the last step.
    let (engine, _) = engine(history(3), Some(history(3)));
    for at_once in [false, true] {
        let found = all(&engine, &requests, at_once);
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.content(), expected.content());
        }
    }
    assert!(engine.stats().drafted_tokens > 100, "{:?}", engine.stats());
}

/// A model that turns through four distributions, from the first or another one on.
fn turning(shift: usize) -> TableExecutor {
    TableExecutor::new(limits(), move |text| {
        let turn = text.len() % 4 + shift;
        let score = |id: usize| WEIGHTS[(id + turn) % 4].ln();
        (0..257).map(|id| if id < 4 { score(id) } else { -100.0 }).collect()
    })
}

const WEIGHTS: [f32; 4] = [0.5, 0.25, 0.15, 0.1];

/// Whatever the draft guesses, how much of it, and who else asks.
#[test]
fn a_seed_gives_the_text_that_it_gives_without_a_draft() {
    let xtc = Xtc { probability: 0.5, threshold: 0.2 };
    // How many guesses are right at least, of the same model and of another.
    for (xtc, least) in [(Xtc::OFF, [0.95, 0.2]), (xtc, [0.2, 0.1])] {
        let request = |seed| {
            let sampling = SamplingParams { top_p: 0.95, xtc, ..seeded(seed) };
            long(3 + seed as u32, 60, sampling)
        };
        let requests: Vec<GenerateRequest> = (0..8).map(request).collect();
        let (plain, _) = engine(turning(0), None);
        let expected = all(&plain, &requests, false);
        for (shift, least) in least.into_iter().enumerate() {
            let (engine, _) = engine(turning(0), Some(turning(shift)));
            for at_once in [false, true, false] {
                let found = all(&engine, &requests, at_once);
                for (found, expected) in found.iter().zip(&expected) {
                    assert_eq!(found.content(), expected.content());
                }
            }
            let stats = engine.stats();
            let right = stats.accepted_tokens as f64 / stats.drafted_tokens as f64;
            assert!(right > least, "{xtc:?} {shift}: {stats:?}");
        }
    }
}

/// Chi-square against the exact distribution, where the draft's is another one and no seed makes
/// both draw alike.
#[test]
fn drawn_tokens_have_the_models_distribution() {
    let (engine, _) = engine(turning(0), Some(turning(1)));
    let mut counts = [[0f64; 4]; 4];
    for _ in 0..150 {
        let sampling = SamplingParams { seed: None, ..seeded(0) };
        let request = GenerateRequest { logprobs: None, ..long(20, 200, sampling) };
        for (at, id) in ask(&engine, &request).ids().into_iter().enumerate() {
            counts[(20 + at) % 4][id as usize] += 1.0;
        }
    }
    let stats = engine.stats();
    assert!(stats.accepted_tokens > 5_000, "{stats:?}");
    assert!(stats.drafted_tokens - stats.accepted_tokens > 2_000, "{stats:?}");
    for (turn, counts) in counts.iter().enumerate() {
        let total: f64 = counts.iter().sum();
        let statistic: f64 = (0..4)
            .map(|id| {
                let expected = total * f64::from(WEIGHTS[(id + turn) % 4]);
                (counts[id] - expected).powi(2) / expected
            })
            .sum();
        // Three degrees of freedom: beyond 60 once in 10^12 times. An error of a tenth gives hundreds.
        assert!(statistic < 60.0, "{turn}: {statistic} {counts:?}");
    }
}

#[test]
fn a_draft_that_fails_guesses_no_more() {
    let request = long(9, 80, SamplingParams::greedy());
    let (plain, _) = engine(model(limits(), 0), None);
    let expected = ask(&plain, &request);
    for fatal in [false, true] {
        let (engine, [_, control]) = engine(model(limits(), 0), Some(model(limits(), 0)));
        assert!(ask(&engine, &request).usage.accepted_tokens > 0);
        let message = "the draft's device has gone";
        control.fail_next(match fatal {
            true => ExecutorError::lost(message),
            false => ExecutorError::new(message),
        });
        let steps = control.steps().len();
        let answer = ask(&engine, &request);
        assert_eq!(answer.content(), expected.content());
        assert_eq!((answer.usage.drafted_tokens, control.steps().len()), (0, steps + 1));
        assert!(engine.healthy() && engine.loss().is_none());
        assert_eq!(ask(&engine, &request).content(), expected.content());
        assert_eq!(control.steps().len(), steps + 1, "it is not asked again");
        assert_all_free(&engine);
    }
}

#[test]
fn a_draft_without_numbers_guesses_nothing() {
    let request = long(5, 80, SamplingParams::greedy());
    let (plain, _) = engine(model(limits(), 0), None);
    let nan = TableExecutor::new(limits(), |_| vec![f32::NAN; 257]);
    let (engine, [_, control]) = engine(model(limits(), 0), Some(nan));
    assert_eq!(ask(&engine, &request).content(), ask(&plain, &request).content());
    assert_eq!((engine.stats().drafted_tokens, control.steps().len()), (0, 1));
}
