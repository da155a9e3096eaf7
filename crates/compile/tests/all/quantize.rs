//! `--quantize` from a checkpoint to logits: a small random llama in bf16 is compiled with each
//! format and run, its errors are reported and taken over, and what cannot be is refused.

use std::path::Path;

use crate::common::step;
use crate::common::step::{best, row, run};
use serde_json::{Value, json};
use tempfile::TempDir;
use tyto_artifact::{Artifact, Choice};
use tyto_compile::{
    CompileOptions, CompileReport, DType, Kernels, Quantization, QuantizeReport, compile,
};
use tyto_engine::Executor;
use tyto_engine::iree::LoadOptions;

const HIDDEN: usize = 64;
const INNER: usize = 128;
const VOCABULARY: usize = 128;
const CONTEXT: usize = 64;

/// What rounding a product's operand to int8 adds to its relative error: steps of a 127th of the
/// largest of 32 values, which is about twice their root mean square, evenly distributed.
const ACTIVATIONS: f64 = 0.005;

/// About normal numbers, seeded by a name (sums of a linear congruential generator's high bits).
fn random(name: &str, count: usize) -> Vec<f32> {
    let mut state = name.bytes().fold(7u64, |seed, byte| seed * 31 + u64::from(byte));
    let mut uniform = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    (0..count).map(|_| (uniform() + uniform() + uniform()) / 10.0).collect()
}

/// A fixture's text files beside a configuration and weights of our own.
fn model(changes: &Value) -> TempDir {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle/llama_tied");
    let directory = tempfile::tempdir().expect("a directory");
    for name in ["tokenizer.json", "tokenizer_config.json", "generation_config.json"] {
        std::fs::copy(fixture.join(name), directory.path().join(name)).expect("a copy");
    }
    let config = std::fs::read(fixture.join("config.json")).expect("a config");
    let mut config: Value = serde_json::from_slice(&config).expect("JSON");
    let sizes = json!({
        "hidden_size": HIDDEN, "intermediate_size": INNER, "vocab_size": VOCABULARY,
        "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16,
        "tie_word_embeddings": false,
    });
    for (name, value) in [&sizes, changes].into_iter().flat_map(|map| map.as_object().expect("one"))
    {
        config[name] = value.clone();
    }
    std::fs::write(directory.path().join("config.json"), config.to_string()).expect("written");
    std::fs::write(directory.path().join("model.safetensors"), weights()).expect("written");
    directory
}

/// The weights as a safetensors file of bf16.
fn weights() -> Vec<u8> {
    let mut shapes: Vec<(String, Vec<usize>)> = vec![
        ("model.embed_tokens".to_owned(), vec![VOCABULARY, HIDDEN]),
        ("lm_head".to_owned(), vec![VOCABULARY, HIDDEN]),
        ("model.norm".to_owned(), vec![HIDDEN]),
    ];
    for layer in 0..2 {
        let tensors = [
            ("input_layernorm", vec![HIDDEN]),
            ("post_attention_layernorm", vec![HIDDEN]),
            ("self_attn.q_proj", vec![HIDDEN, HIDDEN]),
            ("self_attn.k_proj", vec![HIDDEN / 2, HIDDEN]),
            ("self_attn.v_proj", vec![HIDDEN / 2, HIDDEN]),
            ("self_attn.o_proj", vec![HIDDEN, HIDDEN]),
            ("mlp.gate_proj", vec![INNER, HIDDEN]),
            ("mlp.up_proj", vec![INNER, HIDDEN]),
            ("mlp.down_proj", vec![HIDDEN, INNER]),
        ];
        let name = |name: &str| format!("model.layers.{layer}.{name}");
        shapes.extend(tensors.map(|(tensor, shape)| (name(tensor), shape)));
    }
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, shape) in shapes {
        let begin = data.len();
        let values = match shape[..] {
            [rows, columns] => random(&name, rows * columns),
            _ => vec![1.0; HIDDEN],
        };
        data.extend(values.iter().flat_map(|value| half::bf16::from_f32(*value).to_le_bytes()));
        let entry = json!({ "dtype": "BF16", "shape": shape, "data_offsets": [begin, data.len()] });
        header.insert(format!("{name}.weight"), entry);
    }
    let header = Value::Object(header).to_string();
    let length = (header.len() as u64).to_le_bytes();
    [&length[..], header.as_bytes(), &data].concat()
}

fn options(source: &Path, quantize: Option<Quantization>) -> CompileOptions {
    let mut options = CompileOptions::new(source, source.join("out.tyto"));
    options.context = Some(CONTEXT);
    options.sizes = Some((vec![4], vec![CONTEXT]));
    options.quantize = quantize;
    options.kv_type = Some(DType::F32.into());
    options
}

fn compiled(options: &CompileOptions) -> CompileReport {
    compile(options, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(options: &CompileOptions) -> String {
    let error = compile(options, &mut |_| {}).expect_err("refused");
    assert!(error.is_users(), "{error}");
    assert!(!options.output.exists(), "{error}");
    error.to_string()
}

fn executor(report: &CompileReport) -> Box<dyn Executor> {
    let artifact = Artifact::open(&report.artifact).expect("opens");
    let load = LoadOptions { threads: Some(2), blocks: Some(16), ..LoadOptions::default() };
    step::load(&artifact, &load).expect("code for this machine runs on it")
}

/// The logits of each position: a prompt at once up to half, then token by token.
fn logits(executor: &mut dyn Executor) -> Vec<Vec<f32>> {
    let ids: Vec<u32> = (0..24).map(|at| (at * 37 + 11) % VOCABULARY as u32).collect();
    let blocks = [3, 1, 4, 2];
    let (prompt, rest) = ids.split_at(ids.len() / 2);
    let mut found = run(executor, &[row(prompt, 0, &blocks)]);
    for at in 0..rest.len() {
        let first = prompt.len() + at;
        found.extend(run(executor, &[row(&rest[at..=at], first, &blocks)]));
    }
    found
}

fn square(values: impl Iterator<Item = f32>) -> f64 {
    values.map(|value| f64::from(value).powi(2)).sum()
}

/// Sixteen matrices lie between ids and logits, whose independent errors add up in squares, which
/// gives 4 times that of one; softmax and the product of gate and up amplify, so twice that is
/// the bound. The best token stays where it leads by ten such errors of one logit.
fn check(report: &QuantizeReport, found: &[Vec<f32>], expected: &[Vec<f32>]) -> usize {
    let format = report.format;
    let worst = report.tensors.iter().map(|one| one.relative_error).fold(0.0, f32::max);
    let typical = 4.0 * (f64::from(worst) + ACTIVATIONS);
    let pairs = found.iter().flatten().zip(expected.iter().flatten());
    let errors = square(pairs.map(|(found, expected)| found - expected));
    let error = (errors / square(expected.iter().flatten().copied())).sqrt();
    println!("{format}: {error} where {typical} is typical");
    assert!(error <= 2.0 * typical, "{format}: {error}");
    assert!(error > 1e-4, "{format}: nothing was quantized");
    let mut decided = 0;
    for (position, (found, expected)) in found.iter().zip(expected).enumerate() {
        let mut sorted = expected.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let size = (square(expected.iter().copied()) / VOCABULARY as f64).sqrt();
        if f64::from(sorted[0] - sorted[1]) > 10.0 * typical * size {
            assert_eq!(best(found), best(expected), "{format}, position {position}");
            decided += 1;
        }
    }
    decided
}

#[test]
fn every_format_runs_and_is_near_the_unquantized_model() {
    let source = model(&json!({}));
    let mut plain = options(source.path(), None);
    plain.weight_dtype = Some(DType::F32);
    let expected = logits(executor(&compiled(&plain)).as_mut());
    for format in Quantization::ALL {
        let report = compiled(&options(source.path(), Some(format)));
        let found = logits(executor(&report).as_mut());
        let quantized = report.quantized.expect("asked for");
        assert_eq!((quantized.format, quantized.tensors.len()), (format, 16));
        assert_eq!(quantized.kept, []);
        for tensor in &quantized.tensors {
            let logits = ["lm_head.weight", "model.embed_tokens.weight"];
            let eight = logits.contains(&&*tensor.tensor);
            let expected = if eight { format.of_vocabulary() } else { format };
            assert_eq!(tensor.format, expected.name(), "{tensor:?}");
            assert_eq!(tensor.stored, "BF16");
        }
        let decided = check(&quantized, &found, &expected);
        // Steps of a 256th of the largest; 8-bit floats have an eighth of the value.
        if matches!(format, Quantization::Q8_0 | Quantization::Affine8) {
            assert!(decided > 0, "{format}: no position is decided");
        }
    }
}

#[test]
fn errors_are_taken_over_with_their_weights_and_only_with_them() {
    let source = model(&json!({}));
    let four = options(source.path(), Some(Quantization::Q4_0));
    let first = compiled(&four);
    assert!(!first.weights_reused);
    let again = compiled(&four);
    assert!(again.weights_reused);
    assert_eq!(again.quantized, first.quantized);
    let artifact = Artifact::open(&again.artifact).expect("opens");
    artifact.verify(|_| {}).expect("every hash is right");
    let choices = &artifact.manifest().targets[0].choices;
    let converted = choices.iter().filter(|choice| choice.body == Choice::Converted);
    let lines: Vec<(&str, &str, usize)> = converted
        .inspect(|choice| assert!(choice.reason.contains("quantized to"), "{}", choice.reason))
        .map(|choice| (&*choice.format, &*choice.shape, choice.count))
        .collect();
    assert_eq!(lines, [("BF16", "q8_0", 2), ("BF16", "q4_0", 14)]);

    // Other formats, then none: neither weights nor errors are those that lie there.
    let mut paths = vec![artifact.manifest().weights[0].path.clone()];
    for quantize in [Some(Quantization::Affine4), Some(Quantization::Q4_1), None] {
        let report = compiled(&options(source.path(), quantize));
        assert!(!report.weights_reused, "{quantize:?}");
        let artifact = Artifact::open(&report.artifact).expect("opens");
        let path = artifact.manifest().weights[0].path.clone();
        assert!(!paths.contains(&path), "{quantize:?}");
        paths.push(path);
        assert_eq!(report.quantized.is_some(), quantize.is_some());
    }
}

#[test]
fn what_excludes_blocks_is_refused_before_any_work() {
    let source = model(&json!({}));
    let mut typed = options(source.path(), Some(Quantization::Q8_0));
    typed.weight_dtype = Some(DType::BF16);
    let message = refused(&typed);
    assert!(message.contains("q8_0 with --dtype bf16"), "{message}");
    let mut never = options(source.path(), Some(Quantization::Q8_0));
    never.kernels = Kernels::Never;
    let message = refused(&never);
    assert!(message.contains("--kernels never") && message.contains("blocks"), "{message}");
}

/// Frequencies that change with every length have no kernel, and decomposed code has no blocks.
#[test]
fn a_model_without_kernels_is_refused_by_its_op() {
    let source = model(&json!({
        "rope_parameters": { "rope_type": "dynamic", "rope_theta": 10000.0, "factor": 2.0 },
        "max_position_embeddings": 32,
    }));
    let message = refused(&options(source.path(), Some(Quantization::Q4_1)));
    for part in ["--quantize q4_1", "rope_angles", "cpu"] {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
}

#[test]
fn a_value_that_is_no_number_is_named_and_nothing_is_written() {
    let source = model(&json!({}));
    let path = source.path().join("model.safetensors");
    let mut bytes = std::fs::read(&path).expect("there");
    // The last element of the last tensor, a bf16 NaN.
    let end = bytes.len();
    bytes[end - 2..].copy_from_slice(&0x7fc0u16.to_le_bytes());
    std::fs::write(&path, bytes).expect("written");
    let message = refused(&options(source.path(), Some(Quantization::Q8_0)));
    for part in
        ["model.safetensors", "model.layers.1.mlp.down_proj.weight", "NaN", "row 63, column 127"]
    {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
}
