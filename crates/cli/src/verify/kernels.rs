//! Every kind of model and every format of weights and caches on the GPU, beside the processor; and how fast
//! its memory and its matrix registers are.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::Outcome;
use super::checks::{TOKENS, gpu_kind, measured};
use super::made_up::Sizes;
use super::tiny;
use super::work::{Ran, Work};

/// What both read: a prompt for matrix registers, one of eight rows, and single tokens.
const TEXT: &str = "the quick brown fox jumps over the lazy dog and back";

/// Tokens of it at a time: 32, 8 and 1.
const WINDOW: &str = "41";

/// By how much of itself a perplexity may differ. In blocks the processor rounds what it multiplies with to
/// 8 bits, which is 0.5 % of these models'; a wrong kernel makes other models of them.
const ALLOWED: f64 = 0.02;

/// How what is compared with the processor is compiled: for it too, with calls of the window's parts.
const CHECKED: [&str; 8] =
    ["--target", "cpu", "--ctx", "64", "--chunks", "8,32", "--sequences", "8"];

/// Formats of weights and of caches.
const FORMATS: [[&str; 2]; 14] = [
    ["--dtype", "f32"],
    ["--dtype", "f16"],
    ["--dtype", "bf16"],
    ["--quantize", "q4_0"],
    ["--quantize", "q4_1"],
    ["--quantize", "q8_0"],
    ["--quantize", "affine-4"],
    ["--quantize", "affine-8"],
    ["--quantize", "mxfp4"],
    ["--quantize", "mxfp8"],
    ["--quantize", "nvfp4"],
    ["--kv-dtype", "q8_0"],
    ["--kv-dtype", "q4_0"],
    ["--kv-dtype", "f8"],
];

/// Rows that formats divide, and heads that the wide kernels take.
const SMALL: Sizes = Sizes { layers: 1, hidden: 128, intermediate: 256, kv_heads: 1 };

/// 243 million weights, which no cache holds.
const LARGE: Sizes = Sizes { layers: 4, hidden: 2048, intermediate: 8192, kv_heads: 8 };

/// A tiny model of each other kind: the processor's tokens, and its perplexity.
pub(crate) fn kinds(work: &mut Work) -> Result<Outcome, String> {
    if let Some(skipped) = given(work) {
        return Ok(skipped);
    }
    let device = work.device;
    for model in &tiny::OTHERS {
        let of_it = |problem: String| format!("{}: {problem}", model.what);
        let path = model.write(work.directory()).map_err(|error| error.to_string())?;
        let artifact = compile(work, &path, &CHECKED).map_err(of_it)?;
        compare(work, &artifact).map_err(of_it)?;
        let mut answer = |device| {
            work.answer_of(&artifact, device, TOKENS, &[]).and_then(Ran::ok).map_err(of_it)
        };
        let (of_gpu, of_cpu) = (answer(device)?, answer("cpu")?);
        if of_gpu != of_cpu {
            return Err(of_it(format!("the GPU answers {of_gpu:?}, the processor {of_cpu:?}")));
        }
    }
    let all: Vec<&str> = tiny::OTHERS.iter().map(|model| model.what).collect();
    Ok(Outcome::passed(format!("as on the processor: {}", all.join("; "))))
}

/// The kernels of every format, those of prompts and of few rows.
pub(crate) fn formats(work: &mut Work) -> Result<Outcome, String> {
    if let Some(skipped) = given(work) {
        return Ok(skipped);
    }
    let model = SMALL.write(work.directory(), "formats").map_err(|error| error.to_string())?;
    let (mut figures, mut most) = (Map::new(), 0.0);
    for format in FORMATS {
        let name = format[1].to_owned();
        let of_it = |problem: String| format!("{} {name}: {problem}", format[0]);
        let options = [&CHECKED[..], &format].concat();
        let artifact = compile(work, &model, &options).map_err(of_it)?;
        let distance = compare(work, &artifact).map_err(of_it)?;
        most = f64::max(most, distance);
        figures.insert(format!("{}_{name}", format[0].trim_start_matches('-')), distance.into());
    }
    let text = format!("{} formats, perplexities within {:.2} %", FORMATS.len(), 100.0 * most);
    Ok(Outcome::Passed { text, figures })
}

/// Bytes a second that products of one row read, and floating-point operations of prompts. An emulator
/// computes a small model, and its figures say nothing.
pub(crate) fn probes(work: &mut Work) -> Result<Outcome, String> {
    if let Some(skipped) = given(work) {
        return Ok(skipped);
    }
    let sizes = if work.is_emulated() { SMALL } else { LARGE };
    let model = sizes.write(work.directory(), "probes").map_err(|error| error.to_string())?;
    let [prompt, answer] = if work.is_emulated() { ["32", "2"] } else { ["512", "64"] };
    let options = ["--dtype", "f16", "--ctx", "1024", "--chunks", prompt];
    let artifact = compile(work, &model, &options)?;
    let speeds = measured(work, &artifact, prompt, answer)?;
    let of = |kind: &str| {
        let found = speeds.iter().find(|(name, _)| name.starts_with(kind));
        found.map(|(_, speed)| *speed).ok_or_else(|| format!("tyto bench has no {kind}"))
    };
    let weights = sizes.weights() as f64;
    let bandwidth = of("tg")? * 2.0 * weights / 1e9;
    let flops = of("pp")? * 2.0 * weights / 1e12;
    let figures = Map::from_iter([
        ("bandwidth_gb_per_second".to_owned(), bandwidth.into()),
        ("wmma_tflops".to_owned(), flops.into()),
    ]);
    let what = if work.is_emulated() { " (of an emulator: nothing)" } else { "" };
    let text = format!("{bandwidth:.1} GB/s of f16 weights, {flops:.2} TFLOP/s of prompts{what}");
    Ok(Outcome::Passed { text, figures })
}

/// Who has an artifact checked has it checked alone.
fn given(work: &Work) -> Option<Outcome> {
    let text = "an artifact was given: without one every kind and format is tried".to_owned();
    work.is_given.then_some(Outcome::Skipped { text })
}

/// Compiles a model for the GPU with our kernels, for one text at a time.
fn compile(work: &mut Work, model: &Path, options: &[&str]) -> Result<PathBuf, String> {
    let artifact = work.directory().join("checked.tyto");
    let (from, to) = (model.display().to_string(), artifact.display().to_string());
    let target = format!("{}:{}", gpu_kind(work)?, work.device);
    let mut arguments = vec!["compile", &from, "-o", &to, "--force", "--target", &target];
    arguments.extend(["--kernels", "require", "--batches", "1"]);
    arguments.extend(options);
    work.tyto(&arguments, &[])?.ok()?;
    Ok(artifact)
}

/// By how much of itself the perplexity on the GPU differs from the processor's, if by no more than is
/// allowed.
fn compare(work: &mut Work, artifact: &Path) -> Result<f64, String> {
    let text = work.directory().join("text");
    std::fs::write(&text, TEXT).map_err(|error| error.to_string())?;
    let (text, artifact) = (text.display().to_string(), artifact.display().to_string());
    let on_gpu = work.device;
    let mut of = |device: &str| -> Result<f64, String> {
        let mut arguments = vec!["perplexity", &artifact, "--file", &text, "--window", WINDOW];
        arguments.extend(["--json", "--device", device]);
        let report = work.tyto(&arguments, &[])?.ok()?;
        let report: Value = serde_json::from_str(&report).map_err(|error| error.to_string())?;
        report["perplexity"]
            .as_f64()
            .ok_or_else(|| format!("{device} gives no perplexity: {report}"))
    };
    let (cpu, gpu) = (of("cpu")?, of(on_gpu)?);
    let distance = (gpu - cpu).abs() / cpu;
    match distance {
        // Not a number is no distance.
        distance if distance <= ALLOWED => Ok(distance),
        _ => Err(format!("the perplexity is {gpu} on the GPU, {cpu} on the processor")),
    }
}
