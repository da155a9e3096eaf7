//! `tyto compile`: a model directory or a .gguf file to an artifact.

use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::json;
use tyto_artifact::{Choice, KernelChoice};
use tyto_compile::{
    CompileOptions, CompileReport, DType, Kernels, KvCode, KvType, Progress, Quantization,
    QuantizeReport, Target, by_error, compile,
};

use crate::args::{BlockType, CacheType, CompileArgs, FloatType, KernelUse};
use crate::auto_target::{self, AUTO, Detected};
use crate::error::Error;
use crate::interrupt;
use crate::progress::Display;
use crate::units::{bytes, count};

/// Tensors with the largest errors that the report names; `--json` has all.
const WORST_SHOWN: usize = 5;

/// Runs the command.
pub fn run(args: &CompileArgs) -> Result<(), Error> {
    let detected = args.targets.iter().any(|name| name == AUTO).then(auto_target::detect);
    let options = options(args, detected.as_ref().map_or(&[], |found| &found.targets))?;
    let mut display = Display::new(args.json);
    if let Some(Detected { why, .. }) = detected {
        display.note(&why);
    }
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

/// `auto` is what [`AUTO`] stands for.
fn options(args: &CompileArgs, auto: &[Target]) -> Result<CompileOptions, Error> {
    if args.output.extension().is_none_or(|extension| extension != "tyto") {
        let mut name = PathBuf::from(args.output.file_name().unwrap_or_default());
        name.set_extension("tyto");
        let (found, better) = (args.output.display(), name.display());
        return Err(Error::user(format!(
            "the artifact's name must end in .tyto; found {found}. Say -o {better}"
        )));
    }
    let mut options = CompileOptions::new(&args.source, &args.output);
    options.targets = targets(&args.targets, auto)?;
    options.context = args.ctx.map(|tokens| tokens as usize);
    options.weight_dtype = args.dtype.map(DType::from);
    options.quantize = args.quantize.map(Quantization::from);
    options.kv_type = args.kv_dtype.map(KvType::from);
    options.kernels = args.kernels.into();
    if let Some(sequences) = args.sequences {
        options.gpu_sequences = sequences as usize;
    }
    let sizes = |list: &[u32]| list.iter().map(|size| *size as usize).collect();
    // clap sees to it that both are given or neither.
    options.sizes = (!args.batches.is_empty()).then(|| (sizes(&args.batches), sizes(&args.chunks)));
    options.compiler = args.compiler.clone();
    options.force = args.force;
    Ok(options)
}

/// Every target once, in the order in which they were named.
fn targets(names: &[String], auto: &[Target]) -> Result<Vec<Target>, Error> {
    let mut targets = Vec::new();
    for name in names {
        let named = match name.as_str() {
            AUTO => auto.to_vec(),
            name => {
                Target::parse(name).map_err(|error| Error::user(format!("{error}, or {AUTO}")))?
            }
        };
        for target in named {
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
    }
    Ok(targets)
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

impl From<CacheType> for KvType {
    fn from(cache: CacheType) -> Self {
        match cache {
            CacheType::F32 => Self::Float(DType::F32),
            CacheType::F16 => Self::Float(DType::F16),
            CacheType::Bf16 => Self::Float(DType::BF16),
            CacheType::Q8_0 => Self::Code(KvCode::Q8_0),
            CacheType::Q4_0 => Self::Code(KvCode::Q4_0),
            CacheType::F8 => Self::Code(KvCode::E4M3),
        }
    }
}

impl From<BlockType> for Quantization {
    fn from(format: BlockType) -> Self {
        match format {
            BlockType::Q4_0 => Self::Q4_0,
            BlockType::Q4_1 => Self::Q4_1,
            BlockType::Q8_0 => Self::Q8_0,
            BlockType::Affine4 => Self::Affine4,
            BlockType::Affine8 => Self::Affine8,
            BlockType::Mxfp4 => Self::Mxfp4,
            BlockType::Mxfp8 => Self::Mxfp8,
            BlockType::Nvfp4 => Self::Nvfp4,
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
        print_choices(target, choices, output)?;
    }
    if let Some(quantized) = &report.quantized {
        print_errors(quantized, output)?;
    }
    writeln!(output, "  {seconds:.1} s")
}

/// The body of each op, and where the compiler had to make it from plain operations, the reason.
fn print_choices(
    target: &str,
    choices: &[KernelChoice],
    output: &mut impl Write,
) -> io::Result<()> {
    let of = |KernelChoice { op, format, body, .. }: &KernelChoice| {
        format!("{op} {format}: {body:?}").to_lowercase()
    };
    let decomposed = |choice: &&KernelChoice| choice.body == Choice::Decomposed;
    let mut others: Vec<String> = choices.iter().filter(|c| !decomposed(c)).map(of).collect();
    let lines = choices.iter().filter(decomposed).map(|c| format!("{}, {}", of(c), c.reason));
    let mut lines: Vec<String> = lines.collect();
    for list in [&mut others, &mut lines] {
        list.sort();
        list.dedup();
    }
    writeln!(output, "  {target}: {}", others.join(", "))?;
    lines.iter().try_for_each(|line| writeln!(output, "    {line}"))
}

/// The median and the worst relative errors, and how many matrices were left out.
fn print_errors(report: &QuantizeReport, output: &mut impl Write) -> io::Result<()> {
    let sorted = by_error(&report.tensors);
    let median = sorted[sorted.len() / 2].relative_error;
    let kept = match report.kept.len() {
        0 => String::new(),
        1 => "; 1 is kept as it is".to_owned(),
        count => format!("; {count} are kept as they are"),
    };
    writeln!(
        output,
        "  {}: {} matrices quantized, median relative error {median:.4}{kept}; largest errors:",
        report.format,
        sorted.len()
    )?;
    for tensor in sorted.iter().take(WORST_SHOWN) {
        let (error, format) = (tensor.relative_error, &tensor.format);
        writeln!(output, "    {error:.4} {format} {}", tensor.tensor)?;
    }
    Ok(())
}

fn print_json(report: &CompileReport, output: &mut impl Write) -> io::Result<()> {
    let choices = report.choices.iter().map(|(target, choices)| (target.clone(), json!(choices)));
    let quantized = report.quantized.as_ref().map(|QuantizeReport { format, tensors, kept }| {
        let kept = kept.iter();
        let kept = kept.map(|kept| json!({ "tensor": kept.tensor, "reason": kept.reason }));
        json!({ "format": format.name(), "tensors": tensors, "kept": kept.collect::<Vec<_>>() })
    });
    let report = json!({
        "artifact": report.artifact,
        "architecture": report.architecture,
        "parameters": report.parameters,
        "context_length": report.context,
        "modules_compiled": report.compiled,
        "modules_reused": report.reused,
        "weight_bytes": report.weight_bytes,
        "weights_reused": report.weights_reused,
        "quantized": quantized,
        "kernel_choices": choices.collect::<serde_json::Map<_, _>>(),
        "seconds": report.time.as_secs_f64(),
    });
    writeln!(output, "{report:#}")
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use tyto_compile::{Kept, QuantizedTensor};

    use super::*;

    fn parsed(more: &[&str]) -> Result<CompileOptions, String> {
        let line = ["tyto", "compile", "model", "-o", "m.tyto"].iter().chain(more);
        match crate::Cli::try_parse_from(line).map_err(|error| error.to_string())?.command {
            crate::Command::Compile(args) => {
                options(&args, &[Target::CpuX86V3]).map_err(|error| format!("{error:?}"))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn auto_is_what_was_found_and_each_target_is_there_once() {
        let targets = |more: &[&str]| parsed(more).expect("valid").targets;
        assert_eq!(targets(&["--target", "auto"]), [Target::CpuX86V3]);
        let named = ["--target", "cpu", "--target", "auto", "--target", "cpu:x86-64-v3"];
        assert_eq!(targets(&named), [Target::CpuHost, Target::CpuX86V3]);
        let error = parsed(&["--target", "gfx9999"]).expect_err("unknown");
        assert!(error.contains("expected one of cpu, ") && error.contains(", or auto"), "{error}");
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
    fn a_format_is_named_as_its_family_does_and_excludes_a_type() {
        assert_eq!(parsed(&[]).expect("valid").quantize, None);
        for format in Quantization::ALL {
            let options = parsed(&["--quantize", format.name()]).expect("valid");
            assert_eq!(options.quantize, Some(format));
        }
        let options = parsed(&["--quantize", "q4_0", "--kv-dtype", "f16"]).expect("valid");
        assert_eq!(options.kv_type, Some(KvType::Float(DType::F16)));
        for (bad, named) in [
            (&["--quantize", "q4_0", "--dtype", "bf16"][..], "cannot be used with"),
            (&["--quantize", "q5_0"], "q4_0, q4_1, q8_0, affine-4, affine-8, mxfp4, mxfp8, nvfp4"),
            (&["--quantize"], "--quantize"),
        ] {
            let message = parsed(bad).expect_err("refused");
            assert!(message.contains(named), "{bad:?}: {message}");
        }
    }

    fn report() -> CompileReport {
        let tensor = |name: &str, relative_error: f32| QuantizedTensor {
            tensor: name.to_owned(),
            stored: "BF16".to_owned(),
            format: "q4_0".to_owned(),
            relative_error,
            largest_error: 0.5,
        };
        let errors = [0.05, 0.01, 0.07, 0.04, 0.02, 0.06, 0.03];
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        let tensors = names.iter().zip(errors).map(|(name, error)| tensor(name, error));
        let kept = Kept { tensor: "h".to_owned(), reason: "odd columns".to_owned() };
        CompileReport {
            artifact: "m.tyto".into(),
            architecture: "llama".to_owned(),
            parameters: 1000,
            context: 64,
            compiled: 1,
            reused: 0,
            weight_bytes: 2048,
            weights_reused: false,
            quantized: Some(QuantizeReport {
                format: Quantization::Q4_0,
                tensors: tensors.collect(),
                kept: vec![kept],
            }),
            choices: Vec::new(),
            time: std::time::Duration::from_secs(1),
        }
    }

    #[test]
    fn errors_are_shown_by_size_and_whole_as_json() {
        let mut shown = Vec::new();
        print(&report(), &mut shown).expect("room");
        let shown = String::from_utf8(shown).expect("text");
        let expected = "\
  q4_0: 7 matrices quantized, median relative error 0.0400; 1 is kept as it is; largest errors:
    0.0700 q4_0 c
    0.0600 q4_0 f
    0.0500 q4_0 a
    0.0400 q4_0 d
    0.0300 q4_0 g
  1.0 s
";
        assert!(shown.ends_with(expected), "{shown}");
        let mut shown = Vec::new();
        print_json(&report(), &mut shown).expect("room");
        let json: serde_json::Value = serde_json::from_slice(&shown).expect("JSON");
        let quantized = &json["quantized"];
        assert_eq!(quantized["format"], "q4_0");
        assert_eq!(quantized["tensors"].as_array().map(Vec::len), Some(7));
        assert_eq!(
            quantized["tensors"][1],
            json!({
                "tensor": "b", "stored": "BF16", "format": "q4_0",
                "relative_error": 0.01f32, "largest_error": 0.5,
            })
        );
        assert_eq!(quantized["kept"], json!([{ "tensor": "h", "reason": "odd columns" }]));
        let plain = CompileReport { quantized: None, ..report() };
        let mut shown = Vec::new();
        print_json(&plain, &mut shown).expect("room");
        let json: serde_json::Value = serde_json::from_slice(&shown).expect("JSON");
        assert_eq!(json["quantized"], serde_json::Value::Null);
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
