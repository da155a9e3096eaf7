//! `tyto compile`: a model directory or a .gguf file to an artifact.

use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::json;
use tyto_compile::{CompileOptions, CompileReport, DType, Kernels, Progress, Target, compile};

use crate::args::{CompileArgs, FloatType, KernelUse};
use crate::error::Error;
use crate::interrupt;
use crate::progress::Display;
use crate::units::{bytes, count};

/// Runs the command.
pub fn run(args: &CompileArgs) -> Result<(), Error> {
    let options = options(args)?;
    let mut display = Display::new(args.json);
    let cancel = options.cancel.clone();
    interrupt::watch(move || {
        cancel.cancel();
        anstream::eprintln!("stopping after this step; Ctrl-C again stops at once");
    })
    .map_err(Error::ours)?;
    let report = compile(&options, &mut |progress| show(&mut display, progress));
    display.finish();
    let report = report.map_err(|error| match error {
        tyto_compile::Error::Cancelled => Error::Interrupted,
        tyto_compile::Error::Artifact(tyto_artifact::Error::Cancelled { .. }) => Error::Interrupted,
        error if error.is_users() => Error::user_from(error),
        error => Error::ours(error),
    })?;
    let mut output = anstream::stdout().lock();
    if args.json { print_json(&report, &mut output) } else { print(&report, &mut output) }?;
    Ok(())
}

fn options(args: &CompileArgs) -> Result<CompileOptions, Error> {
    if args.output.extension().is_none_or(|extension| extension != "tyto") {
        let mut name = PathBuf::from(args.output.file_name().unwrap_or_default());
        name.set_extension("tyto");
        let (found, better) = (args.output.display(), name.display());
        return Err(Error::user(format!(
            "the artifact's name must end in .tyto; found {found}. Say -o {better}"
        )));
    }
    let targets = args.targets.iter().map(|name| Target::parse(name));
    let mut options = CompileOptions::new(&args.source, &args.output);
    options.targets = targets.collect::<Result<_, _>>().map_err(Error::user_from)?;
    options.context = args.ctx.map(|tokens| tokens as usize);
    options.weight_dtype = args.dtype.map(DType::from);
    options.kv_dtype = args.kv_dtype.map(DType::from);
    options.kernels = args.kernels.into();
    let sizes = |list: &[u32]| list.iter().map(|size| *size as usize).collect();
    // clap sees to it that both are given or neither.
    options.sizes = (!args.batches.is_empty()).then(|| (sizes(&args.batches), sizes(&args.chunks)));
    options.compiler = args.compiler.clone();
    options.force = args.force;
    Ok(options)
}

impl From<FloatType> for DType {
    fn from(float: FloatType) -> Self {
        match float {
            FloatType::F32 => Self::F32,
            FloatType::F16 => Self::F16,
            FloatType::Bf16 => Self::BF16,
        }
    }
}

impl From<KernelUse> for Kernels {
    fn from(when: KernelUse) -> Self {
        match when {
            KernelUse::Prefer => Self::Prefer,
            KernelUse::Require => Self::Require,
            KernelUse::Never => Self::Never,
        }
    }
}

fn show(display: &mut Display, progress: Progress) {
    match progress {
        Progress::Model { architecture, parameters } => {
            let parameters = count(parameters as u64);
            display.note(&format!("model: {architecture}, {parameters} parameters"));
        }
        Progress::Warning(text) => display.note(&format!("note: {text}")),
        Progress::Module { name, done, total, reused } => {
            let work = if reused { "taking over" } else { "compiling" };
            let detail = format!("{name} ({done} of {total})");
            display.update(work, &detail, done as u64, total as u64);
        }
        Progress::Weights { done, total } => {
            let detail = format!("{} of {}", bytes(done), bytes(total));
            display.update("weights", &detail, done, total);
        }
    }
}

fn print(report: &CompileReport, output: &mut impl Write) -> io::Result<()> {
    let CompileReport { artifact, context, compiled, reused, .. } = report;
    let seconds = report.time.as_secs_f64();
    let weights = bytes(report.weight_bytes);
    let kept = if report.weights_reused { " (taken over)" } else { "" };
    writeln!(output, "{}: {} for {context} tokens", artifact.display(), report.architecture)?;
    writeln!(
        output,
        "  {compiled} modules compiled, {reused} taken over; {weights} of weights{kept}"
    )?;
    for (target, choices) in &report.choices {
        let targets = choices.iter().map(|choice| {
            format!("{} {}: {:?}", choice.op, choice.format, choice.body).to_lowercase()
        });
        let mut choices: Vec<String> = targets.collect();
        choices.sort();
        choices.dedup();
        writeln!(output, "  {target}: {}", choices.join(", "))?;
    }
    writeln!(output, "  {seconds:.1} s")
}

fn print_json(report: &CompileReport, output: &mut impl Write) -> io::Result<()> {
    let choices = report.choices.iter().map(|(target, choices)| (target.clone(), json!(choices)));
    let report = json!({
        "artifact": report.artifact,
        "architecture": report.architecture,
        "parameters": report.parameters,
        "context_length": report.context,
        "modules_compiled": report.compiled,
        "modules_reused": report.reused,
        "weight_bytes": report.weight_bytes,
        "weights_reused": report.weights_reused,
        "kernel_choices": choices.collect::<serde_json::Map<_, _>>(),
        "seconds": report.time.as_secs_f64(),
    });
    writeln!(output, "{report:#}")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn parsed(more: &[&str]) -> Result<CompileOptions, String> {
        let line = ["tyto", "compile", "model", "-o", "m.tyto"].iter().chain(more);
        match crate::Cli::try_parse_from(line).map_err(|error| error.to_string())?.command {
            crate::Command::Compile(args) => options(&args).map_err(|error| format!("{error:?}")),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn sizes_are_given_together_or_not_at_all() {
        assert_eq!(parsed(&[]).expect("valid").sizes, None);
        let sizes = parsed(&["--batches", "1,4", "--chunks", "64"]).expect("valid").sizes;
        assert_eq!(sizes, Some((vec![1, 4], vec![64])));
        for (bad, named) in [
            (&["--batches", "1"][..], "--chunks"),
            (&["--chunks", "64"], "--batches"),
            (&["--batches", "0", "--chunks", "64"], "0 is not in"),
            (&["--batches", "1", "--chunks", "70000"], "70000 is not in"),
        ] {
            let message = parsed(bad).expect_err("refused");
            assert!(message.contains(named), "{bad:?}: {message}");
        }
    }

    #[test]
    fn kernels_are_preferred_unless_said_otherwise() {
        for (more, expected) in [
            (&[][..], Kernels::Prefer),
            (&["--kernels", "require"], Kernels::Require),
            (&["--kernels", "never"], Kernels::Never),
        ] {
            assert_eq!(parsed(more).expect("valid").kernels, expected);
        }
    }
}
