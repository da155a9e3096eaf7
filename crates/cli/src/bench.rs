//! `tyto bench`: how fast prompts are read (pp) and text is written (tg).

mod measure;
mod profile;
mod test;

use std::io::{self, Write};

use serde::Serialize;
use tyto_engine::StepProfile;

use crate::args::{BenchArgs, SpeculateChoice};
use crate::error::Error;
use crate::machine::peak_memory;
use crate::model::{self, Needs};
use crate::progress::Display;
use crate::units::bytes;
use measure::Bench;
use test::Test;

/// What is said to run where steps are phase programs.
const PHASES: &str = "phases";

/// Everything that was measured.
#[derive(Debug, Serialize)]
struct Report {
    model: String,
    target: String,
    /// `phases` for phase programs, `compiled` for plain compiled code.
    execution: &'static str,
    threads: Option<u32>,
    results: Vec<Measured>,
    peak_memory_bytes: Option<u64>,
}

/// One test's results, in tokens a second.
#[derive(Debug, Serialize)]
struct Measured {
    name: String,
    #[serde(flatten)]
    test: Test,
    median: f64,
    lowest: f64,
    highest: f64,
    samples: Vec<f64>,
    /// The kernels of an average call, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Vec<profile::Line>>,
}

/// Runs the command.
pub fn run(args: &BenchArgs) -> Result<(), Error> {
    let sequences = args.at_once.iter().copied().max();
    let times = args.profile.then(StepProfile::default);
    // What a text repeats is for the text to say: the figures are those of the code.
    let needs = Needs {
        sequences,
        speculate: SpeculateChoice::Never,
        forgetful: true,
        writes_text: true,
        ..Needs::default()
    };
    let opened = model::open_profiled(&args.engine, needs, times.clone())?;
    if args.profile && opened.execution != PHASES {
        let (target, execution) = (&opened.target, opened.execution);
        let message = format!(
            "--profile: found {target} ({execution}), expected phase programs: plain compiled code takes no times of kernels"
        );
        return Err(Error::user(message));
    }
    let tests = test::of(args, opened.engine.card().context_length)?;
    let mut bench = Bench::new(&opened.engine, &opened.text);
    let mut display = Display::new(args.json);
    let mut results = Vec::with_capacity(tests.len());
    for test in tests {
        let mut measured = bench.measure(test, args.repetitions, &mut display)?;
        measured.profile = times.as_ref().map(|times| profile::lines(times.take(test.calls())));
        results.push(measured);
    }
    display.finish();
    let report = Report {
        model: opened.engine.card().name.clone(),
        target: opened.target,
        execution: opened.execution,
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

impl Measured {
    fn new(test: Test, samples: Vec<f64>) -> Self {
        let mut sorted = samples.clone();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len() - 1;
        let median = (sorted[last / 2] + sorted[last.div_ceil(2)]) / 2.0;
        let (lowest, highest) = (sorted[0], sorted[last]);
        Self { name: test.to_string(), test, median, lowest, highest, samples, profile: None }
    }
}

fn print(report: &Report, output: &mut impl Write) -> io::Result<()> {
    let threads = report.threads.map_or_else(
        || "one thread for each core".to_owned(),
        |threads| format!("{threads} threads"),
    );
    writeln!(output, "{}, {} ({}), {threads}", report.model, report.target, report.execution)?;
    writeln!(output, "{:<14}  {:>10}  {:>23}", "test", "tok/s", "lowest to highest")?;
    for Measured { name, median, lowest, highest, profile, .. } in &report.results {
        let spread = format!("{lowest:.1} to {highest:.1}");
        writeln!(output, "{name:<14}  {median:>10.1}  {spread:>23}")?;
        if let Some(lines) = profile {
            profile::print(lines, output)?;
        }
    }
    match report.peak_memory_bytes {
        Some(peak) => writeln!(output, "peak memory {}", bytes(peak)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_is_between_the_middle_two() {
        let test = Test::Prompt { tokens: 1 };
        let odd = Measured::new(test, vec![3.0, 1.0, 2.0]);
        assert_eq!((odd.median, odd.lowest, odd.highest), (2.0, 1.0, 3.0));
        let even = Measured::new(test, vec![4.0, 1.0, 2.0, 3.0]);
        assert_eq!(even.median, 2.5);
        assert_eq!(Measured::new(test, vec![7.0]).median, 7.0);
        assert_eq!(even.samples, [4.0, 1.0, 2.0, 3.0]);
    }
}
