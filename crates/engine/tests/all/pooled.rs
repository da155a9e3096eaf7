//! Texts of which vectors are made: pooled over chunks, beside others, and found in the cache.

use tyto_engine::testing::{TableControl, TableExecutor, byte_text_model};
use tyto_engine::{
    EmbedRequest, Engine, EngineConfig, Event, ExecutorLimits, FinishReason, GenerateRequest,
    Generation, Pooled, PooledKind, Pooling, SubmitError,
};

use crate::common::{assert_all_free, limits, start_with};

/// Numbers in a vector.
const WIDTH: usize = 3;

/// A row that tells all of the text before it: its length, its last token, and a sum in which every
/// token has its own weight.
fn row(text: &[u32]) -> Vec<f32> {
    let weighed = text.iter().enumerate().map(|(at, id)| (at as u32 % 5 + 1) * id % 97);
    vec![text.len() as f32, text[text.len() - 1] as f32, weighed.sum::<u32>() as f32]
}

fn pooled(pooling: Pooling) -> Pooled {
    Pooled {
        kind: PooledKind::Embedding,
        pooling,
        width: WIDTH,
        normalize: false,
        whole: false,
        segments: 1,
        logistic: false,
        prompts: Default::default(),
        default_prompt: None,
    }
}

fn start(pooling: Pooling, limits: ExecutorLimits) -> (Engine, TableControl) {
    let limits = ExecutorLimits { vector_width: Some(WIDTH), max_drafts: 0, ..limits };
    let config = EngineConfig { pooled: Some(pooled(pooling)), ..EngineConfig::new("test") };
    start_with(byte_text_model(), config, TableExecutor::new(limits, row))
}

fn text(seed: usize, length: usize) -> Vec<u32> {
    (0..length).map(|at| ((seed * 31 + at * 7) % 90) as u32 + 3).collect()
}

fn request(text: &[u32]) -> EmbedRequest {
    EmbedRequest { text: text.to_vec(), client: None, timeout: None }
}

/// A text's vector, and how many of its tokens the cache held.
fn collect(mut generation: Generation) -> (Vec<f32>, u32) {
    let Some(Event::Vector { values, cached_tokens, .. }) = generation.blocking_next() else {
        panic!("a vector comes first");
    };
    let Some(Event::Finished { reason: FinishReason::Stop, usage, .. }) =
        generation.blocking_next()
    else {
        panic!("then the end");
    };
    assert_eq!(usage.completion_tokens, 0);
    assert_eq!(generation.blocking_next(), None);
    (values, cached_tokens)
}

fn expected(text: &[u32], pooling: Pooling) -> Vec<f32> {
    let rows: Vec<Vec<f32>> = (1..=text.len()).map(|end| row(&text[..end])).collect();
    match pooling {
        Pooling::Last => rows[rows.len() - 1].clone(),
        Pooling::First => rows[0].clone(),
        Pooling::Mean => (0..WIDTH)
            .map(|at| {
                let sum: f64 = rows.iter().map(|row| f64::from(row[at])).sum();
                (sum / rows.len() as f64) as f32
            })
            .collect(),
    }
}

/// More texts than rows, longer than a chunk, and in a cache that does not hold all of them.
#[test]
fn many_texts_at_once_give_each_its_own_vector() {
    for pooling in [Pooling::Last, Pooling::Mean, Pooling::First] {
        let tight = ExecutorLimits { n_blocks: 30, ..limits() };
        let (engine, _) = start(pooling, tight);
        let texts: Vec<Vec<u32>> = (0..40).map(|seed| text(seed, 1 + seed * 13 % 60)).collect();
        let all = engine.embed_all(texts.iter().map(|text| request(text)).collect());
        for (text, generation) in texts.iter().zip(all.expect("good requests")) {
            assert_eq!(collect(generation).0, expected(text, pooling), "{pooling:?} of {text:?}");
        }
        assert_all_free(&engine);
        assert_eq!(engine.stats().finished, 40);
        assert_eq!(engine.stats().generated_tokens, 0);
    }
}

/// What is found in the cache gives no rows, so only the last token's may skip it.
#[test]
fn a_beginning_is_computed_once_where_the_last_row_is_all_that_counts() {
    for (pooling, cached) in [(Pooling::Last, 36), (Pooling::Mean, 0), (Pooling::First, 0)] {
        let (engine, _) = start(pooling, limits());
        let text = text(5, 37);
        let ask = || {
            let mut all = engine.embed_all(vec![request(&text)]).expect("a good request");
            collect(all.pop().expect("one text"))
        };
        assert_eq!(ask(), (expected(&text, pooling), 0));
        assert_eq!(ask(), (expected(&text, pooling), cached), "{pooling:?}");
        assert_eq!(engine.stats().cached_prompt_tokens, u64::from(cached));
    }
}

#[test]
fn a_text_may_fill_the_context_and_no_more() {
    let (engine, _) = start(Pooling::Mean, limits());
    assert_eq!(engine.card().context_length, 256);
    let all = engine.embed_all(vec![request(&text(1, 256))]).expect("it fits");
    let found: Vec<(Vec<f32>, u32)> = all.into_iter().map(collect).collect();
    assert_eq!(found[0].0, expected(&text(1, 256), Pooling::Mean));
    let refused = engine.embed_all(vec![request(&[7]), request(&text(1, 257))]);
    let error = SubmitError::TextTooLong { tokens: 257, most: 256 };
    assert_eq!(refused.err(), Some(error));
    assert_all_free(&engine);
}

/// Tokens see those behind them: every row of a step is a text from its beginning to its end.
#[test]
fn a_text_that_is_computed_whole_is_never_cut() {
    let limits = ExecutorLimits {
        context_length: 24,
        max_chunk: 24,
        vector_width: Some(WIDTH),
        max_drafts: 0,
        ..limits()
    };
    let whole = Pooled { whole: true, ..pooled(Pooling::Mean) };
    // Too few for the longest text.
    let config =
        EngineConfig { pooled: Some(whole), tokens_per_step: Some(9), ..EngineConfig::new("test") };
    let (engine, control) = start_with(byte_text_model(), config, TableExecutor::new(limits, row));
    let texts: Vec<Vec<u32>> = (0..30).map(|seed| text(seed, 1 + seed * 7 % 24)).collect();
    let all = engine.embed_all(texts.iter().map(|text| request(text)).collect());
    for (text, generation) in texts.iter().zip(all.expect("good requests")) {
        assert_eq!(collect(generation).0, expected(text, Pooling::Mean));
    }
    let rows: Vec<_> = control.steps().into_iter().flat_map(|step| step.rows).collect();
    assert_eq!(rows.len(), texts.len());
    assert!(rows.iter().all(|row| row.first_position == 0));
    assert!(texts.iter().all(|text| rows.iter().any(|row| row.tokens == *text)));
    assert_eq!(
        engine.embed_all(vec![request(&text(1, 25))]).err(),
        Some(SubmitError::TextTooLong { tokens: 25, most: 24 })
    );
}

#[test]
fn who_holds_a_place_gives_text_after_text_however_full_the_queue_is() {
    let limits = ExecutorLimits { vector_width: Some(WIDTH), max_drafts: 0, ..limits() };
    let rows = limits.max_rows;
    let config = EngineConfig {
        pooled: Some(pooled(Pooling::Mean)),
        max_queued: 0,
        ..EngineConfig::new("test")
    };
    let (engine, control) = start_with(byte_text_model(), config, TableExecutor::new(limits, row));
    let place = engine.place().expect("nobody is there");
    for round in 0..3 {
        control.hold();
        let others = engine.embed_all(vec![request(&text(7, 5)); rows - 1]).expect("the rest");
        assert_eq!(engine.room(), 0);
        let refused = engine.embed_all(vec![request(&[7])]).err();
        assert!(matches!(refused, Some(SubmitError::QueueFull { .. })), "{refused:?}");
        assert!(matches!(engine.place().err(), Some(SubmitError::QueueFull { .. })));
        let own = engine.embed_at(&place, request(&text(round, 6))).expect("it has a place");
        control.release();
        assert_eq!(collect(own).0, expected(&text(round, 6), Pooling::Mean));
        // The place is not free between two texts.
        others.into_iter().for_each(|other| drop(collect(other)));
        assert_eq!(engine.room(), rows - 1);
    }
    // Nobody waits for its text any more.
    control.hold();
    let left = engine.embed_at(&place, request(&text(9, 6))).expect("it has a place");
    drop((place, left));
    control.release();
    // Nobody is told when one who has gone is forgotten: its place first, then its row.
    while engine.room() != rows || engine.stats().running > 0 {
        std::thread::yield_now();
    }
    assert_all_free(&engine);
}

#[test]
#[should_panic(expected = "one text at a time")]
fn a_place_is_for_one_text_at_a_time() {
    let (engine, control) = start(Pooling::Last, limits());
    let place = engine.place().expect("nobody is there");
    control.hold();
    let _first = engine.embed_at(&place, request(&[7])).expect("it has a place");
    let _second = engine.embed_at(&place, request(&[7]));
}

#[test]
fn models_of_one_kind_refuse_what_is_for_the_other() {
    let (engine, _) = start(Pooling::Last, limits());
    let refused = engine.submit(GenerateRequest::new(vec![7]));
    assert_eq!(refused.err(), Some(SubmitError::WritesNoText));
    let (engine, _) = crate::common::start(TableExecutor::table(limits(), |id| id));
    let refused = engine.embed_all(vec![request(&[7])]);
    assert_eq!(refused.err(), Some(SubmitError::MakesNoVectors));
}

#[test]
fn a_row_that_is_no_number_fails_its_text_alone() {
    let limits = ExecutorLimits { vector_width: Some(WIDTH), max_drafts: 0, ..limits() };
    let executor = TableExecutor::new(limits, |text| match text {
        [7, ..] => vec![f32::NAN; WIDTH],
        text => row(text),
    });
    let config = EngineConfig { pooled: Some(pooled(Pooling::Mean)), ..EngineConfig::new("test") };
    let (engine, _) = start_with(byte_text_model(), config, executor);
    let mut all = engine.embed_all(vec![request(&[7, 8]), request(&[8, 7])]).expect("good");
    assert_eq!(collect(all.pop().expect("two")).0, expected(&[8, 7], Pooling::Mean));
    let event = all.pop().expect("two").blocking_next();
    assert!(matches!(&event, Some(Event::Failed { message, .. }) if message.contains("no number")));
    assert_all_free(&engine);
}
