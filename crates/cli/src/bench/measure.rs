//! Running a test.

use std::time::Instant;

use anyhow::anyhow;
use tokio::task::JoinSet;
use tyto_engine::{Engine, Event, GenerateRequest, Generation, Usage};
use tyto_text::TextModel;

use super::Measured;
use super::test::Test;
use crate::error::Error;
use crate::progress::Display;

/// Runs tests on an engine that does nothing else.
pub struct Bench<'a> {
    engine: &'a Engine,
    text: &'a TextModel,
    /// Each text reads another prompt.
    seed: u32,
}

impl<'a> Bench<'a> {
    /// Tests of this engine.
    pub fn new(engine: &'a Engine, text: &'a TextModel) -> Self {
        Self { engine, text, seed: 0 }
    }

    /// Runs a test once to warm up, and then as often as asked.
    pub fn measure(
        &mut self,
        test: Test,
        repetitions: u32,
        display: &mut Display,
    ) -> Result<Measured, Error> {
        let total = u64::from(repetitions) + 1;
        let mut samples = Vec::with_capacity(repetitions as usize);
        for run in 0..total {
            let what =
                if run == 0 { "warming up".to_owned() } else { format!("{run} of {repetitions}") };
            display.update(&test.to_string(), &what, run, total);
            let sample = self.speed(test)?;
            if run > 0 {
                samples.push(sample);
            }
        }
        Ok(Measured::new(test, samples))
    }

    /// Tokens a second in one run.
    fn speed(&mut self, test: Test) -> Result<f64, Error> {
        let generations = (0..test.at_once())
            .map(|_| self.submit(test))
            .collect::<Result<Vec<Generation>, Error>>()?;
        let runs = follow(generations)?;
        if let [run] = &runs[..] {
            let seconds = match test {
                Test::Prompt { .. } => run.usage.prefill_seconds,
                Test::Generate { .. } => run.usage.decode_seconds,
            };
            return Ok(f64::from(test.tokens()) / seconds);
        }
        together(&runs).ok_or_else(|| {
            let message = format!("{test}: the first text ended before the last one began");
            Error::user(format!("{message}; say more for --generate-tokens"))
        })
    }

    fn submit(&mut self, test: Test) -> Result<Generation, Error> {
        let mut request = GenerateRequest::new(self.prompt(test.prompt()));
        request.max_tokens = Some(test.answer());
        request.ignore_eos = true;
        self.engine.submit(request).map_err(Error::ours)
    }

    /// Tokens of no meaning, none of them special.
    fn prompt(&mut self, count: u32) -> Vec<u32> {
        self.seed += 1;
        let vocabulary = self.text.vocab_size().max(1) as u64;
        let mut state = u64::from(self.seed);
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            u32::try_from((state >> 33) % vocabulary).expect("ids are u32")
        };
        let mut draw =
            || (0..16).map(|_| next()).find(|id| !self.text.is_special(*id)).unwrap_or(0);
        (0..count).map(|_| draw()).collect()
    }
}

/// Follows all texts to their ends, in no order. One thread, as a server has: each more would wake
/// up once a step, on processors that compute.
fn follow(generations: Vec<Generation>) -> Result<Vec<Run>, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(Error::ours)?;
    runtime.block_on(async {
        let mut texts = JoinSet::new();
        for generation in generations {
            texts.spawn(Run::follow(generation));
        }
        texts.join_all().await.into_iter().collect()
    })
}

/// One text from beginning to end.
struct Run {
    /// When each token came.
    times: Vec<Instant>,
    usage: Usage,
}

impl Run {
    async fn follow(mut generation: Generation) -> Result<Self, Error> {
        let mut times = Vec::new();
        loop {
            match generation.next().await {
                Some(Event::Tokens { tokens, .. }) => {
                    let now = Instant::now();
                    times.extend(tokens.iter().map(|_| now));
                }
                Some(Event::Finished { usage, .. }) => return Ok(Self { times, usage }),
                Some(Event::Vector { .. }) => unreachable!("the text goes on"),
                Some(Event::Failed { message, .. }) => return Err(Error::ours(anyhow!(message))),
                None => return Err(Error::ours(anyhow!("the engine stopped in a test"))),
            }
        }
    }
}

/// Tokens a second of all texts, from when the last of them has begun to when the first ends;
/// `None` where there is no such time.
fn together(runs: &[Run]) -> Option<f64> {
    let begin = runs.iter().map(|run| run.times.first()).max()??;
    let end = runs.iter().map(|run| run.times.last()).min()??;
    let inside = |time: &&Instant| *time > begin && *time <= end;
    let tokens: usize = runs.iter().map(|run| run.times.iter().filter(inside).count()).sum();
    let seconds = end.checked_duration_since(*begin)?.as_secs_f64();
    (tokens > 0 && seconds > 0.0).then(|| tokens as f64 / seconds)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tyto_engine::EngineConfig;
    use tyto_engine::testing::{TEXT_MODEL_VOCAB, TableExecutor, byte_text_model, small_limits};

    use super::*;

    const PROMPT: Test = Test::Prompt { tokens: 40 };
    const WRITE: Test = Test::Generate { tokens: 40, depth: 0, at_once: 1 };

    fn engine(text: &std::sync::Arc<TextModel>) -> Engine {
        let executor = TableExecutor::history_hash(small_limits(TEXT_MODEL_VOCAB), 1);
        let factory = move || Ok(Box::new(executor) as _);
        let engine = Engine::start(EngineConfig::new("test"), text.clone(), factory);
        engine.expect("the test engine starts")
    }

    #[test]
    fn a_test_reads_and_writes_what_it_says() {
        let text = byte_text_model();
        let engine = engine(&text);
        let mut bench = Bench::new(&engine, &text);
        let mut counts = |test| {
            let generation = bench.submit(test).expect("submitted");
            let run = follow(vec![generation]).expect("a run").remove(0);
            assert_eq!(run.times.len(), run.usage.completion_tokens as usize);
            (run.usage.prompt_tokens, run.usage.completion_tokens)
        };
        assert_eq!(counts(PROMPT), (40, 1));
        assert_eq!(counts(WRITE), (1, 41));
        assert_eq!(counts(Test::Generate { tokens: 7, depth: 20, at_once: 1 }), (20, 8));
        assert_ne!(bench.prompt(8), bench.prompt(8));
    }

    #[test]
    fn every_repetition_is_a_sample() {
        let text = byte_text_model();
        let engine = engine(&text);
        let mut bench = Bench::new(&engine, &text);
        for test in [PROMPT, WRITE] {
            let measured = bench.measure(test, 3, &mut Display::new(true)).expect("runs");
            assert_eq!(measured.samples.len(), 3);
            assert!(measured.samples.iter().all(|rate| rate.is_finite() && *rate > 0.0));
        }
    }

    #[test]
    fn the_speed_together_counts_only_while_all_write() {
        let start = Instant::now();
        let run = |millis: &[u64]| Run {
            times: millis.iter().map(|ms| start + Duration::from_millis(*ms)).collect(),
            usage: Usage::default(),
        };
        // From 30 ms to 50 ms: two tokens of one text and one of the other.
        let speed = together(&[run(&[0, 10, 20, 40, 50]), run(&[30, 45, 60])]).expect("they meet");
        assert!((speed - 150.0).abs() < 1e-6, "{speed}");
        assert_eq!(together(&[run(&[0, 10]), run(&[20, 30])]), None);
        assert_eq!(together(&[run(&[0, 10]), run(&[])]), None);
    }
}
