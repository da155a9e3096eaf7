//! `tyto bench`: how fast prompts are read (pp) and text is written (tg).

use std::io::{self, Write};

use serde::Serialize;
use tyto_engine::{Engine, Event, GenerateRequest, Usage};
use tyto_text::TextModel;

use crate::args::BenchArgs;
use crate::error::Error;
use crate::machine::peak_memory;
use crate::model::{self, Needs};
use crate::progress::Display;
use crate::units::bytes;

/// What is measured in one test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Test {
    /// Reading a prompt of so many tokens.
    Prompt(u32),
    /// Writing so many tokens after a prompt of one.
    Generate(u32),
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
struct Report {
    model: String,
    target: String,
    threads: Option<u32>,
    results: Vec<Measured>,
    peak_memory_bytes: Option<u64>,
}

/// One test's results, in tokens a second.
#[derive(Debug, Serialize)]
struct Measured {
    name: String,
    median: f64,
    lowest: f64,
    highest: f64,
    samples: Vec<f64>,
}

/// Runs the command.
pub fn run(args: &BenchArgs) -> Result<(), Error> {
    let opened = model::open(&args.engine, Needs { sequences: Some(1), max_queued: None })?;
    let tests = tests(args, opened.engine.card().context_length)?;
    let mut bench = Bench { engine: &opened.engine, text: &opened.text, seed: 0 };
    let mut display = Display::new(args.json);
    let mut results = Vec::with_capacity(tests.len());
    for test in tests {
        results.push(bench.measure(test, args.repetitions, &mut display)?);
    }
    display.finish();
    let report = Report {
        model: opened.engine.card().name.clone(),
        target: opened.target,
        threads: args.engine.threads,
        results,
        peak_memory_bytes: peak_memory(),
    };
    let mut output = anstream::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut output, &report).map_err(io::Error::from)?;
        writeln!(output)?;
    } else {
        print(&report, &mut output)?;
    }
    Ok(())
}

/// The tests asked for, each of which must fit into the context.
fn tests(args: &BenchArgs, context: usize) -> Result<Vec<Test>, Error> {
    let prompts =
        args.prompt_tokens.iter().map(|&tokens| ("--prompt-tokens", Test::Prompt(tokens)));
    let texts =
        args.generate_tokens.iter().map(|&tokens| ("--generate-tokens", Test::Generate(tokens)));
    let mut tests = Vec::new();
    for (option, test) in prompts.chain(texts).filter(|(_, test)| test.tokens() > 0) {
        let most = context.saturating_sub(test.other_tokens() as usize);
        if test.tokens() as usize > most {
            let found = test.tokens();
            return Err(Error::user(format!(
                "{option} is {found}; expected at most {most}, since the context has {context} tokens"
            )));
        }
        tests.push(test);
    }
    match tests.is_empty() {
        true => Err(Error::user(
            "there is nothing to measure: --prompt-tokens and --generate-tokens are 0",
        )),
        false => Ok(tests),
    }
}

impl Test {
    fn tokens(self) -> u32 {
        match self {
            Self::Prompt(tokens) | Self::Generate(tokens) => tokens,
        }
    }

    /// Tokens in the context besides those that are counted.
    fn other_tokens(self) -> u32 {
        match self {
            Self::Prompt(_) => 1,
            // A prompt of one token, and the first token, which comes out of reading it.
            Self::Generate(_) => 2,
        }
    }

    fn name(self) -> String {
        match self {
            Self::Prompt(tokens) => format!("pp{tokens}"),
            Self::Generate(tokens) => format!("tg{tokens}"),
        }
    }

    fn seconds(self, usage: &Usage) -> f64 {
        match self {
            Self::Prompt(_) => usage.prefill_seconds,
            Self::Generate(_) => usage.decode_seconds,
        }
    }
}

struct Bench<'a> {
    engine: &'a Engine,
    text: &'a TextModel,
    /// Each run reads another prompt.
    seed: u32,
}

impl Bench<'_> {
    /// Runs a test once to warm up, and then as often as asked.
    fn measure(
        &mut self,
        test: Test,
        repetitions: u32,
        display: &mut Display,
    ) -> Result<Measured, Error> {
        let name = test.name();
        let total = u64::from(repetitions) + 1;
        let mut samples = Vec::with_capacity(repetitions as usize);
        for run in 0..total {
            let what =
                if run == 0 { "warming up".to_owned() } else { format!("{run} of {repetitions}") };
            display.update(&name, &what, run, total);
            let sample = f64::from(test.tokens()) / test.seconds(&self.run_once(test)?);
            if run > 0 {
                samples.push(sample);
            }
        }
        Ok(Measured::new(name, samples))
    }

    fn run_once(&mut self, test: Test) -> Result<Usage, Error> {
        let (prompt, generate) = match test {
            Test::Prompt(tokens) => (tokens, 1),
            Test::Generate(tokens) => (1, tokens + 1),
        };
        let mut request = GenerateRequest::new(self.prompt(prompt));
        request.max_tokens = Some(generate);
        request.ignore_eos = true;
        let mut generation = self.engine.submit(request).map_err(Error::ours)?;
        loop {
            match generation.blocking_next() {
                Some(Event::Tokens { .. }) => {}
                Some(Event::Finished { usage, .. }) => return Ok(usage),
                Some(Event::Failed { message }) => {
                    return Err(Error::ours(anyhow::anyhow!(message)));
                }
                None => return Err(Error::ours(anyhow::anyhow!("the engine stopped in a test"))),
            }
        }
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

impl Measured {
    fn new(name: String, samples: Vec<f64>) -> Self {
        let mut sorted = samples.clone();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len() - 1;
        let median = (sorted[last / 2] + sorted[last.div_ceil(2)]) / 2.0;
        Self { name, median, lowest: sorted[0], highest: sorted[last], samples }
    }
}

fn print(report: &Report, output: &mut impl Write) -> io::Result<()> {
    let threads = report.threads.map_or_else(
        || "one thread for each core".to_owned(),
        |threads| format!("{threads} threads"),
    );
    writeln!(output, "{}, {}, {threads}", report.model, report.target)?;
    writeln!(output, "{:<8}  {:>10}  {:>23}", "test", "tok/s", "lowest to highest")?;
    for Measured { name, median, lowest, highest, .. } in &report.results {
        let spread = format!("{lowest:.1} to {highest:.1}");
        writeln!(output, "{name:<8}  {median:>10.1}  {spread:>23}")?;
    }
    match report.peak_memory_bytes {
        Some(peak) => writeln!(output, "peak memory {}", bytes(peak)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use tyto_engine::EngineConfig;
    use tyto_engine::testing::{TEXT_MODEL_VOCAB, TableExecutor, byte_text_model, small_limits};

    fn args(options: &[&str]) -> BenchArgs {
        let line = ["tyto", "bench", "m.tyto"].iter().chain(options);
        match crate::Cli::try_parse_from(line).expect("a valid line").command {
            crate::Command::Bench(args) => args,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_median_of_an_even_number_is_between_the_middle_two() {
        let odd = Measured::new("pp1".to_owned(), vec![3.0, 1.0, 2.0]);
        assert_eq!((odd.median, odd.lowest, odd.highest), (2.0, 1.0, 3.0));
        let even = Measured::new("pp1".to_owned(), vec![4.0, 1.0, 2.0, 3.0]);
        assert_eq!(even.median, 2.5);
        assert_eq!(Measured::new("pp1".to_owned(), vec![7.0]).median, 7.0);
        assert_eq!(even.samples, [4.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn tests_must_fit_into_the_context() {
        let both = tests(&args(&["-p", "8,16", "-n", "4"]), 64).expect("they fit");
        assert_eq!(both, [Test::Prompt(8), Test::Prompt(16), Test::Generate(4)]);
        assert_eq!(
            tests(&args(&["-p", "0", "-n", "4"]), 64).expect("it fits"),
            [Test::Generate(4)]
        );
        assert!(tests(&args(&["-p", "63", "-n", "62"]), 64).is_ok());
        for bad in [["-p", "64", "-n", "4"], ["-p", "4", "-n", "63"], ["-p", "0", "-n", "0"]] {
            assert!(matches!(tests(&args(&bad), 64), Err(Error::User(_))), "{bad:?}");
        }
    }

    #[test]
    fn a_test_reads_and_writes_what_it_says() {
        let executor = TableExecutor::history_hash(small_limits(TEXT_MODEL_VOCAB), 1);
        let text = byte_text_model();
        let factory = move || Ok(Box::new(executor) as _);
        let engine = Engine::start(EngineConfig::new("test"), text.clone(), factory);
        let engine = engine.expect("the test engine starts");
        let mut bench = Bench { engine: &engine, text: &text, seed: 0 };
        let usage = bench.run_once(Test::Prompt(40)).expect("a run");
        assert_eq!((usage.prompt_tokens, usage.completion_tokens), (40, 1));
        let usage = bench.run_once(Test::Generate(40)).expect("a run");
        assert_eq!((usage.prompt_tokens, usage.completion_tokens), (1, 41));
        let measured = bench.measure(Test::Generate(4), 3, &mut Display::new(true)).expect("runs");
        assert_eq!(measured.samples.len(), 3);
        assert!(measured.samples.iter().all(|rate| rate.is_finite() && *rate > 0.0));
        assert_ne!(bench.prompt(8), bench.prompt(8));
    }
}
