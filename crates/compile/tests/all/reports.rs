//! Faults that users of other engines have reported, on compiled models. Each test is named by its
//! case and says what is right.

use std::path::Path;

use tyto_artifact::Artifact;
use tyto_compile::{CompileOptions, DType, Kernels, compile};
use tyto_engine::Executor;
use tyto_engine::iree::LoadOptions;

use crate::common::served::{ask, compiled, engine, prompt};
use crate::common::{fixtures, model_directory, read_reference, step};

/// The window of the fixtures that have one.
const WINDOW: u32 = 7;

/// What was remembered of a text longer than the window is wrong for the next: equal answers turn
/// into others, and a shorter prompt finds the longer one's end. Right: each answer is the one that a
/// fresh engine gives, bit for bit, however often and in whatever order it is asked for. (Lengths leave
/// more tokens than the few that plain weights have kernels of their own for.)
#[test]
fn a_window_shorter_than_the_prompt_changes_no_later_answer_d7() {
    for case in ["gemma3_text", "olmo3"] {
        let (_keep, artifact) = compiled(case, |_| {});
        let (warm, alone) = (engine(&artifact, true), engine(&artifact, false));
        let long = prompt(1, 159);
        let (expected, _) = ask(&alone, &long);
        for turn in 0..4u32 {
            let (answer, cached) = ask(&warm, &long);
            assert_eq!(answer, expected, "{case}, time {turn}");
            assert_eq!(cached, if turn == 0 { 0 } else { 144 }, "{case}, time {turn}");
        }
        for length in [143, 79, 63, 31, 15, WINDOW as usize] {
            let (expected, _) = ask(&alone, &long[..length]);
            let (answer, cached) = ask(&warm, &long[..length]);
            assert_eq!(answer, expected, "{case}, then {length} tokens");
            assert_eq!(cached as usize, (length - 1) / 16 * 16, "{case}, then {length} tokens");
        }
    }
}

/// Four-bit floats with a scale for each group beside f16 numbers overflow. Right: one directory
/// gives finite logits near the reference's whatever the type of its plain weights.
#[test]
fn nvfp4_weights_beside_any_plain_type_give_the_references_logits_e4() {
    let reference = read_reference(&fixtures().join("llama_nvfp4/reference.safetensors"));
    for (dtype, tolerance) in [
        (None, 2e-2),
        (Some(DType::F32), 2e-2),
        (Some(DType::BF16), 4e-2),
        (Some(DType::F16), 2e-2),
    ] {
        let (_keep, artifact) = compiled("llama_nvfp4", |options| {
            options.weight_dtype = dtype;
            options.context = Some(64);
        });
        let mut executor = load(&artifact);
        let row = step::row(&reference.ids, 0, &BLOCKS);
        let found = step::run(executor.as_mut(), &[row]).remove(0);
        let last = reference.last_logits();
        step::assert_close(&format!("{dtype:?}"), &found, last, tolerance);
    }
}

/// A kernel for many rows rounds to f16 what another keeps: numbers overflow from some length of the
/// prompt on. Right: a prompt of any length gives what its tokens give one by one: near numbers
/// where they fit into f16, and none, which the engine reports, where they do not.
#[test]
fn no_length_of_a_prompt_overflows_alone_e5() {
    let lengths = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129];
    for (factor, fits) in [(30.0, true), (300.0, false)] {
        let source = model_directory("llama", "config.json");
        for name in ["gate_proj", "up_proj"] {
            let weight = format!("model.layers.0.mlp.{name}.weight");
            scale(&source.path().join("model.safetensors"), &weight, factor);
        }
        let mut options = CompileOptions::new(source.path(), source.path().join("out.tyto"));
        options.context = Some(256);
        options.weight_dtype = Some(DType::F16);
        options.kernels = Kernels::Require;
        options.sizes = Some((vec![4], vec![160]));
        let report = compile(&options, &mut |_| {}).expect("compiles");
        let mut executor = load(&Artifact::open(&report.artifact).expect("opens"));
        let text = prompt(3, 129);
        // Each token by itself: the logits after every length.
        let alone: Vec<Vec<f32>> = (0..text.len())
            .map(|at| step::run(executor.as_mut(), &[step::row(&text[at..=at], at, &BLOCKS)]))
            .map(|mut rows| rows.remove(0))
            .collect();
        let is_finite = |logits: &[f32]| logits.iter().all(|logit| logit.is_finite());
        assert_eq!(is_finite(&alone[text.len() - 1]), fits, "times {factor}");
        for length in lengths {
            let mut row = step::row(&text[..length], 0, &BLOCKS);
            row.by_itself = false;
            let found = step::run(executor.as_mut(), &[row]).remove(0);
            let expected = &alone[length - 1];
            assert_eq!(is_finite(&found), is_finite(expected), "{length} tokens, times {factor}");
            if is_finite(expected) {
                step::assert_close(&format!("{length} tokens"), &found, expected, 5e-3);
            }
        }
    }
}

/// Blocks of a text of the longest length.
const BLOCKS: [u32; 16] = [3, 1, 4, 2, 5, 9, 6, 8, 7, 10, 11, 12, 13, 14, 15, 16];

fn load(artifact: &Artifact) -> Box<dyn Executor> {
    let options = LoadOptions { threads: Some(2), blocks: Some(32), ..LoadOptions::default() };
    step::load(artifact, &options).expect("code for this machine runs on it")
}

/// Multiplies an f32 tensor of a safetensors file.
fn scale(file: &Path, name: &str, factor: f32) {
    let mut bytes = std::fs::read(file).expect("the weights");
    let header = 8 + u64::from_le_bytes(bytes[..8].try_into().expect("8 bytes")) as usize;
    let json: serde_json::Value = serde_json::from_slice(&bytes[8..header]).expect("a header");
    assert_eq!(json[name]["dtype"], "F32", "{name}");
    let place = |index: usize| {
        let offset = json[name]["data_offsets"][index].as_u64().expect("an offset");
        header + offset as usize
    };
    for number in bytes[place(0)..place(1)].chunks_exact_mut(4) {
        let value = f32::from_le_bytes((&*number).try_into().expect("4 bytes")) * factor;
        number.copy_from_slice(&value.to_le_bytes());
    }
    std::fs::write(file, bytes).expect("the weights are written");
}
