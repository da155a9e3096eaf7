//! `tyto verify`: whether a GPU computes what the processor computes, and what it does with
//! faults; one report to attach to a bug report.
//!
//! Each check runs this binary again, so that a GPU that hangs or a driver that crashes fails its
//! check and no other. [`checks::ALL`] is the list.

mod checks;
#[cfg(feature = "compile")]
mod kernels;
#[cfg(feature = "compile")]
mod made_up;
#[cfg(feature = "compile")]
mod tiny;
mod work;

use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::args::{DeviceChoice, VerifyArgs};
use crate::error::Error;
use crate::progress::Display;
use crate::table::line;
use work::Work;

/// The whole report.
#[derive(Debug, Serialize)]
struct Report {
    tyto: &'static str,
    device: &'static str,
    /// No check has failed.
    passed: bool,
    checks: Vec<Checked>,
    /// What `tyto doctor --json` says.
    machine: Value,
}

/// One check and what came of it.
#[derive(Debug, Serialize)]
struct Checked {
    name: &'static str,
    #[serde(flatten)]
    outcome: Outcome,
    seconds: f64,
}

/// What came of a check.
#[derive(Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub(crate) enum Outcome {
    /// It is as it should be.
    Passed {
        /// What was seen.
        text: String,
        /// Numbers that were measured.
        #[serde(skip_serializing_if = "Map::is_empty")]
        figures: Map<String, Value>,
    },
    /// It is not.
    Failed {
        /// What was seen, and what was expected.
        text: String,
    },
    /// It could not be looked at here.
    Skipped {
        /// Why.
        text: String,
    },
}

impl Outcome {
    /// Passed, with nothing measured.
    pub(crate) fn passed(text: impl Into<String>) -> Self {
        Self::Passed { text: text.into(), figures: Map::new() }
    }

    fn has_passed(&self) -> bool {
        matches!(self, Self::Passed { .. })
    }

    fn text(&self) -> (&'static str, &str) {
        match self {
            Self::Passed { text, .. } => ("passed", text),
            Self::Failed { text } => ("FAILED", text),
            Self::Skipped { text } => ("skipped", text),
        }
    }
}

/// Runs the command.
pub fn run(args: &VerifyArgs) -> Result<(), Error> {
    let device = match args.device {
        DeviceChoice::Amdgpu => "amdgpu",
        DeviceChoice::Hip => "hip",
        DeviceChoice::Auto | DeviceChoice::Cpu | DeviceChoice::Cuda => {
            return Err(Error::user("--device names no AMD GPU's driver; expected amdgpu or hip"));
        }
    };
    let mut work = Work::begin(device, args)?;
    let mut display = Display::new(args.json);
    let mut checks = Vec::new();
    for (number, check) in checks::ALL.iter().enumerate() {
        display.update("verifying", check.name, number as u64, checks::ALL.len() as u64);
        let begin = Instant::now();
        let outcome =
            (check.run)(&mut work).unwrap_or_else(|problem| Outcome::Failed { text: problem });
        let seconds = begin.elapsed().as_secs_f64();
        checks.push(Checked { name: check.name, outcome, seconds });
    }
    display.finish();
    let passed = !checks.iter().any(|check| matches!(check.outcome, Outcome::Failed { .. }));
    let opened = checks.iter().any(|check| check.name == "driver" && check.outcome.has_passed());
    let machine = std::mem::take(&mut work.machine);
    let report = Report { tyto: env!("CARGO_PKG_VERSION"), device, passed, checks, machine };
    write_report(&report, args)?;
    match passed {
        true => Ok(()),
        false if opened => Err(Error::ours(anyhow::anyhow!(
            "the GPU does not pass: please report it with this report"
        ))),
        false => Err(Error::ours(anyhow::anyhow!(
            "no GPU was opened: mend what \"driver\" says (tyto doctor shows more), then run this again"
        ))),
    }
}

fn write_report(report: &Report, args: &VerifyArgs) -> Result<(), Error> {
    let json = serde_json::to_string_pretty(report).map_err(Error::ours)?;
    if let Some(base) = &args.report {
        let mut text = Vec::new();
        print(report, &mut text)?;
        let plain = anstream::adapter::strip_bytes(&text).into_vec();
        for (ending, bytes) in [("txt", &plain[..]), ("json", json.as_bytes())] {
            let path = base.with_extension(ending);
            std::fs::write(&path, bytes)
                .map_err(|error| Error::user(format!("{}: {error}", path.display())))?;
        }
    }
    let mut output = anstream::stdout().lock();
    match args.json {
        true => writeln!(output, "{json}")?,
        false => print(report, &mut output)?,
    }
    Ok(())
}

fn print(report: &Report, output: &mut impl Write) -> io::Result<()> {
    line(output, "tyto", report.tyto)?;
    line(output, "device", report.device)?;
    let machine = &report.machine;
    for (name, pointer) in
        [("system", "/system"), ("processor", "/machine/processor"), ("kernel", "/amd/host/kernel")]
    {
        if let Some(text) = machine.pointer(pointer).and_then(Value::as_str) {
            line(output, name, text)?;
        }
    }
    for check in &report.checks {
        let (outcome, text) = check.outcome.text();
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let seconds = check.seconds;
        line(output, check.name, &format!("{outcome}: {first} ({seconds:.1} s)"))?;
        lines.try_for_each(|text| line(output, "", text))?;
    }
    let verdict = if report.passed { "passed" } else { "FAILED" };
    line(output, "verdict", verdict)
}
