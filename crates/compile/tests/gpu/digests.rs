//! Tokens chosen from digests of rows of logits, which kernels write, are those chosen from the rows.

use tyto_engine::testing::byte_text_model;
use tyto_engine::{
    Engine, EngineConfig, EngineStats, Event, Executor, ExecutorError, ExecutorLimits,
    GenerateRequest, SamplingParams, StateMove, StepLogits, StepRow, TokenInfo,
};

use super::{AQL, DType, GpuPhasesExecutor, HIP, PM4, artifact, native_on};

/// The same executor, asked for whole rows whatever the requests need.
struct Whole(GpuPhasesExecutor);

impl Executor for Whole {
    fn limits(&self) -> ExecutorLimits {
        self.0.limits()
    }

    fn step(&mut self, rows: &[StepRow<'_>], logits: &mut StepLogits) -> Result<(), ExecutorError> {
        let rows: Vec<StepRow<'_>> =
            rows.iter().map(|row| StepRow { digest: None, ..*row }).collect();
        self.0.step(&rows, logits)
    }

    fn clean(&mut self, blocks: &[u32]) -> Result<(), ExecutorError> {
        self.0.clean(blocks)
    }

    fn move_states(&mut self, moves: &[StateMove]) -> Result<(), ExecutorError> {
        self.0.move_states(moves)
    }
}

/// Requests that a digest does for, and others.
fn requests() -> Vec<GenerateRequest> {
    let seeded =
        |seed| SamplingParams { temperature: 1.0, seed: Some(seed), ..SamplingParams::greedy() };
    let of = |(at, sampling): (usize, SamplingParams)| GenerateRequest {
        max_tokens: Some(7),
        ignore_eos: true,
        logprobs: at.is_multiple_of(2).then_some(2),
        sampling,
        ..GenerateRequest::new((0..9).map(|id| (id * 13 + at as u32 * 7) % 125 + 3).collect())
    };
    [
        SamplingParams::greedy(),
        SamplingParams::greedy(),
        seeded(1),
        SamplingParams { temperature: 0.8, ..seeded(2) },
        SamplingParams { top_k: Some(9), ..seeded(3) },
        SamplingParams { top_p: 0.9, temperature: 1.4, ..seeded(4) },
        SamplingParams { min_p: 0.2, ..seeded(5) },
        SamplingParams { top_k: Some(30), top_p: 0.7, min_p: 0.02, ..seeded(6) },
        SamplingParams { frequency_penalty: 0.4, ..seeded(7) },
    ]
    .into_iter()
    .enumerate()
    .map(of)
    .collect()
}

/// Tokens of each answer, of requests that run together on what is loaded in the engine's thread.
fn answers(
    load: impl FnOnce() -> Box<dyn Executor> + Send + 'static,
) -> (Vec<Vec<TokenInfo>>, EngineStats) {
    let start = move || Ok(load());
    let engine = Engine::start(EngineConfig::new("test"), byte_text_model(), start);
    let engine = engine.expect("it starts");
    let submit = |request: GenerateRequest| engine.submit(request).expect("it is good");
    let generations: Vec<_> = requests().into_iter().map(submit).collect();
    let answers = generations.into_iter().map(|mut generation| {
        let mut tokens = Vec::new();
        loop {
            match generation.blocking_next() {
                Some(Event::Tokens { tokens: more, .. }) => tokens.extend(more),
                Some(Event::Finished { .. }) => return tokens,
                other => panic!("{other:?}"),
            }
        }
    });
    (answers.collect(), engine.stats())
}

/// Through every driver: memory that both reach is the driver's.
#[test]
fn answers_from_digests_are_those_from_rows() {
    let artifact = artifact(DType::F32);
    for how in [AQL, PM4, HIP] {
        let (expected, whole) = answers(move || Box::new(Whole(native_on(artifact, how))));
        let (found, stats) = answers(move || Box::new(native_on(artifact, how)));
        assert_eq!(found, expected, "{how:?}");
        assert_eq!((whole.digest_choices, whole.row_choices), (0, 63), "{how:?}");
        assert_eq!(stats.digest_choices + stats.row_choices, 63, "{how:?}");
        // The penalty's all but its first, and log probabilities that are not at temperature 1.
        assert!((40..63).contains(&stats.digest_choices), "{how:?}: {stats:?}");
    }
}
