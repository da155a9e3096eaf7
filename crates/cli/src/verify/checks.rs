//! The checks, in the order in which they run. To add one, write a function and a line of [`ALL`].

use std::path::Path;

use serde_json::{Map, Value};

use super::Outcome;
use super::work::{Ran, Work, ended};

/// A check: its name in reports, and what it does. An error is a failure.
pub(crate) struct Check {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&mut Work) -> Result<Outcome, String>,
}

/// Every check.
pub(crate) const ALL: &[Check] = &[
    Check { name: "machine", run: machine },
    Check { name: "driver", run: driver },
    Check { name: "memory", run: memory },
    Check { name: "compile", run: compile },
    Check { name: "answers", run: answers },
    Check { name: "repeats", run: repeats },
    Check { name: "speed", run: speed },
    #[cfg(feature = "compile")]
    Check { name: "kinds", run: super::kernels::kinds },
    #[cfg(feature = "compile")]
    Check { name: "formats", run: super::kernels::formats },
    #[cfg(feature = "compile")]
    Check { name: "probes", run: super::kernels::probes },
    Check { name: "refusal", run: refusal },
    Check { name: "faults", run: faults },
];

/// Tokens of an answer.
pub(super) const TOKENS: &str = "12";

/// Nothing that keeps models from running is known of this machine.
fn machine(work: &mut Work) -> Result<Outcome, String> {
    work.doctor()?;
    let empty = Vec::new();
    let findings = work.machine.pointer("/amd/findings").and_then(Value::as_array);
    let findings = findings.unwrap_or(&empty);
    let of = |severity: &str| {
        let of = findings.iter().filter(|finding| finding["severity"] == severity);
        of.filter_map(|finding| finding["text"].as_str()).collect::<Vec<_>>().join("\n")
    };
    let problems = of("problem");
    match (problems.is_empty(), work.is_emulated()) {
        (false, _) => Err(problems),
        (true, true) => Ok(Outcome::passed(
            "no AMD GPU in the kernel's files; only an emulator's library works so",
        )),
        (true, false) => Ok(Outcome::passed(
            format!("nothing keeps models from running\n{}", of("warning")).trim(),
        )),
    }
}

/// The driver opens a GPU.
fn driver(work: &mut Work) -> Result<Outcome, String> {
    let driver = figures(work)?;
    let details = driver["details"].as_str().unwrap_or_default().to_owned();
    match (driver["works"] == true, driver["kind"].as_str()) {
        (true, Some(_)) => Ok(Outcome::passed(details)),
        _ => Err(details),
    }
}

/// The driver, and the kernel where it knows the GPU, say how much a model may take.
fn memory(work: &mut Work) -> Result<Outcome, String> {
    let device = work.device;
    let budgets = work.machine.pointer("/amd/budgets").and_then(Value::as_array);
    let budget = budgets.into_iter().flatten().find(|budget| budget["driver"] == device);
    let bytes = budget.and_then(|budget| budget["bytes"].as_u64());
    let bytes = bytes.ok_or("neither the kernel nor the driver says how much memory there is")?;
    let reasons = budget.and_then(|budget| budget["reasons"].as_str()).unwrap_or_default();
    let text = format!("{} for models: {reasons}", crate::units::bytes(bytes));
    let figures = Map::from_iter([("budget_bytes".to_owned(), bytes.into())]);
    Ok(Outcome::Passed { text, figures })
}

fn figures(work: &Work) -> Result<Value, String> {
    let drivers = work.machine["gpu_drivers"].as_array();
    let found = drivers.into_iter().flatten().find(|driver| driver["name"] == work.device);
    found.cloned().ok_or_else(|| "tyto doctor does not name the driver".to_owned())
}

/// The kind of GPU that the driver has opened.
#[cfg(feature = "compile")]
pub(super) fn gpu_kind(work: &Work) -> Result<String, String> {
    Ok(figures(work)?["kind"].as_str().ok_or("no GPU was opened")?.to_owned())
}

/// The tiny model compiles for the GPU that is here.
#[cfg(feature = "compile")]
fn compile(work: &mut Work) -> Result<Outcome, String> {
    if work.is_given {
        return Ok(Outcome::Skipped { text: "an artifact was given".to_owned() });
    }
    let kind = gpu_kind(work)?;
    let model = super::tiny::LLAMA.write(work.directory()).map_err(|error| error.to_string())?;
    let artifact = work.directory().join("tiny.tyto");
    let (from, to) = (model.display().to_string(), artifact.display().to_string());
    let target = format!("{kind}:{}", work.device);
    let mut arguments = vec!["compile", &from, "-o", &to, "--target", "cpu", "--target", &target];
    arguments.extend(["--ctx", "64", "--batches", "1", "--chunks", "32"]);
    work.tyto(&arguments, &[])?.ok()?;
    work.artifact = Some(artifact);
    Ok(Outcome::passed(format!("a llama of two layers with random weights, for cpu and {target}")))
}

/// This build cannot.
#[cfg(not(feature = "compile"))]
fn compile(work: &mut Work) -> Result<Outcome, String> {
    match work.is_given {
        true => Ok(Outcome::Skipped { text: "an artifact was given".to_owned() }),
        false => Err(format!("{}; name one: tyto verify MODEL.tyto", crate::NO_COMPILER)),
    }
}

/// The GPU says what the processor says.
fn answers(work: &mut Work) -> Result<Outcome, String> {
    let device = work.device;
    let of_gpu = work.answer(device, TOKENS, &[])?.ok()?;
    let of_cpu = work.answer("cpu", TOKENS, &[])?;
    match of_cpu {
        Ran { code: Some(0), output, .. } if output == of_gpu => {
            Ok(Outcome::passed(format!("{TOKENS} tokens, as on the processor")))
        }
        Ran { code: Some(0), output, .. } => {
            Err(format!("the GPU answers {of_gpu:?}, the processor {output:?}"))
        }
        // The artifact may have no code for this processor.
        Ran { errors, .. } => Ok(Outcome::Skipped {
            text: format!("the GPU answers, the processor cannot: {}", errors.trim()),
        }),
    }
}

/// The GPU says the same again.
fn repeats(work: &mut Work) -> Result<Outcome, String> {
    let device = work.device;
    let mut answer = || work.answer(device, TOKENS, &[])?.ok();
    let [first, again] = [answer()?, answer()?];
    match again == first {
        true => Ok(Outcome::passed("twice the same answer")),
        false => Err(format!("the GPU answers {first:?}, and then {again:?}")),
    }
}

/// Tokens a second of the artifact: of the tiny model, what launches cost.
fn speed(work: &mut Work) -> Result<Outcome, String> {
    let artifact = work.artifact.clone().ok_or("there is no artifact to run")?;
    let speeds = measured(work, &artifact, "16", "16")?;
    let text: Vec<String> =
        speeds.iter().map(|(name, speed)| format!("{name} {speed:.1}")).collect();
    let figure = |(name, speed): (String, f64)| (format!("{name}_tokens_per_second"), speed.into());
    Ok(Outcome::Passed { text: text.join(", "), figures: speeds.into_iter().map(figure).collect() })
}

/// What `tyto bench` measures of an artifact on the GPU: names and tokens a second.
pub(super) fn measured(
    work: &mut Work,
    artifact: &Path,
    prompt: &str,
    answer: &str,
) -> Result<Vec<(String, f64)>, String> {
    let artifact = artifact.display().to_string();
    // Of an emulator the figures say nothing.
    let repetitions = if work.is_emulated() { "1" } else { "3" };
    let mut arguments = vec!["bench", &artifact, "--device", work.device, "--json"];
    arguments.extend(["-p", prompt, "-n", answer, "-r", repetitions]);
    let report = work.tyto(&arguments, &[])?.ok()?;
    let report: Value = serde_json::from_str(&report).map_err(|error| error.to_string())?;
    let results = report["results"].as_array().ok_or("tyto bench has no results")?;
    let speed = |result: &Value| {
        let name = result["name"].as_str().unwrap_or("unnamed").to_owned();
        (name, result["median"].as_f64().unwrap_or_default())
    };
    Ok(results.iter().map(speed).collect())
}

/// A model that does not fit is refused, and nothing else happens. The limit is made small on
/// paper, so this is safe on every GPU.
fn refusal(work: &mut Work) -> Result<Outcome, String> {
    let artifact = work.artifact.clone().ok_or("there is no artifact to run")?;
    let artifact = artifact.display().to_string();
    let mut arguments = vec!["run", &artifact, "--prompt", "hello", "--device", work.device];
    arguments.extend(["--memory-limit", "1KiB"]);
    let ran = work.tyto(&arguments, &[])?;
    match (ran.code, ran.errors.contains("does not fit")) {
        (Some(2), true) => {
            Ok(Outcome::passed("a model that does not fit is refused, with the sums"))
        }
        (code, _) => Err(format!("{}, expected 2: {}", ended(code), ran.errors.trim())),
    }
}

/// Faults end a command with a message, and do not keep it. Injected by the emulator; on a GPU,
/// with `--drill`, a process that is killed while it computes leaves the GPU to the next.
fn faults(work: &mut Work) -> Result<Outcome, String> {
    match (work.is_emulated(), work.drill) {
        (true, _) => injected_faults(work),
        (false, true) => a_killed_process(work),
        (false, false) => {
            let text = "on a real GPU only with --drill".to_owned();
            Ok(Outcome::Skipped { text })
        }
    }
}

fn injected_faults(work: &mut Work) -> Result<Outcome, String> {
    let device = work.device;
    let kinds = ["reject", "async", "lost"];
    for kind in kinds {
        let fault = format!("launch:1:{kind}");
        let variables = [("TYTO_EMU_FAULT", fault.as_str()), ("TYTO_EMU_WATCHDOG", "2000")];
        let ran = work.answer(device, TOKENS, &variables)?;
        if ran.code != Some(1) || !ran.errors.contains("error: ") {
            let how = ended(ran.code);
            return Err(format!("{fault}: {how}, expected 1 and a message: {}", ran.errors.trim()));
        }
    }
    work.answer(device, TOKENS, &[])?.ok()?;
    Ok(Outcome::passed(format!("{}: each ends in an error", kinds.join(", "))))
}

fn a_killed_process(work: &mut Work) -> Result<Outcome, String> {
    let device = work.device;
    let before = work.answer(device, TOKENS, &[])?.ok()?;
    // The step's limit is so short that the process ends itself while the GPU computes.
    let artifact = work.artifact.clone().ok_or("there is no artifact to run")?;
    let artifact = artifact.display().to_string();
    let mut arguments = vec!["run", &artifact, "--prompt", "hello there", "--device", device];
    arguments.extend(["-n", "1000", "--step-timeout", "0.001"]);
    work.tyto(&arguments, &[])?;
    let after = work.answer(device, TOKENS, &[])?.ok()?;
    match before == after {
        true => Ok(Outcome::passed("a process that left while it computed harms no other")),
        false => Err(format!("{before:?} before, {after:?} after a process left in its work")),
    }
}
