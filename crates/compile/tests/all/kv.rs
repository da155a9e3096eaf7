//! `--kv-dtype q8_0`, `q4_0` and `f8` from a checkpoint to logits: caches of their size, near a cache of
//! floats, the same in whatever pieces a text comes and whatever its blocks held before, and the same
//! without kernels; and what cannot be is refused.

use std::path::{Path, PathBuf};

use crate::common::step;
use crate::common::step::{row, run};
use serde_json::{Value, json};
use tempfile::TempDir;
use tyto_artifact::Artifact;
use tyto_compile::{CompileOptions, DType, Kernels, KvCode, KvType, compile};
use tyto_engine::Executor;
use tyto_engine::iree::LoadOptions;

const CONTEXT: usize = 64;

/// A small model whose heads have 32 elements.
const MODEL: &str = "llama_mlx_8bit";

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle").join(name)
}

fn options(source: &Path, output: &TempDir, kv: KvType) -> CompileOptions {
    let mut options = CompileOptions::new(source, output.path().join(format!("{kv}.tyto")));
    options.context = Some(CONTEXT);
    options.sizes = Some((vec![4], vec![CONTEXT]));
    options.kv_type = Some(kv);
    options
}

fn compiled(kv: KvType) -> (TempDir, Artifact) {
    let output = tempfile::tempdir().expect("a directory");
    let source = changed(&json!({}));
    let options = options(source.path(), &output, kv);
    let report = compile(&options, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    let artifact = Artifact::open(&report.artifact).expect("opens");
    (output, artifact)
}

fn executor(artifact: &Artifact) -> Box<dyn Executor> {
    let load = LoadOptions { threads: Some(2), blocks: Some(16), ..LoadOptions::default() };
    step::load(artifact, &load).expect("code for this machine runs on it")
}

fn text() -> Vec<u32> {
    (0..40).map(|at| (at * 37 + 11) % 60).collect()
}

/// The logits after the text's last token: the first `prompt` tokens at once, then one by one.
fn logits(executor: &mut dyn Executor, prompt: usize, blocks: &[u32]) -> Vec<f32> {
    let ids = text();
    let mut found = run(executor, &[row(&ids[..prompt], 0, blocks)]);
    for at in prompt..ids.len() {
        found = run(executor, &[row(&ids[at..=at], at, blocks)]);
    }
    found.pop().expect("logits")
}

/// The size of the difference, relative to that of `expected`.
fn distance(found: &[f32], expected: &[f32]) -> f64 {
    let square = |values: &mut dyn Iterator<Item = f32>| -> f64 {
        values.map(|value| f64::from(value).powi(2)).sum()
    };
    let difference = square(&mut found.iter().zip(expected).map(|(a, b)| a - b));
    (difference / square(&mut expected.iter().copied())).sqrt()
}

const BLOCKS: [u32; 3] = [3, 1, 4];

#[test]
fn logits_are_near_those_over_a_cache_of_floats() {
    let (_keep, artifact) = compiled(DType::F32.into());
    let expected = logits(executor(&artifact).as_mut(), 20, &BLOCKS);
    let [q8, q4, f8] = [KvCode::Q8_0, KvCode::Q4_0, KvCode::E4M3].map(KvType::from);
    let distances = [DType::F16.into(), q8, q4, f8].map(|kv| {
        let (_keep, artifact) = compiled(kv);
        distance(&logits(executor(&artifact).as_mut(), 20, &BLOCKS), &expected)
    });
    println!("f16, q8_0, q4_0 and f8e4m3: {distances:?}");
    // Whatever moves a key a little moves some activation to another of its 127 steps: that is
    // the distance of f16, and most of that of q8_0.
    let [f16, q8, q4, f8] = distances;
    assert!(f16 < 0.05 && q8 < 2.0 * f16 + 0.02 && q4 < 0.5, "{distances:?}");
    assert!(q8 > 1e-3 && q4 > 2.0 * q8, "{distances:?}: nothing was quantized");
    // Three bits of fraction of every number, where codes of 4 bits share their scale's.
    assert!(f8 > 1e-3 && f8 < q4, "{distances:?}");
}

/// Fresh blocks, or those of a text that was given up and is computed again elsewhere: the same bits.
/// Prompt kernel or decode kernel: sums in another order, so some codes are other ones.
#[test]
fn a_text_in_any_pieces_and_blocks_has_the_same_logits() {
    for (code, bound) in [(KvCode::Q8_0, 0.1), (KvCode::Q4_0, 0.5), (KvCode::E4M3, 0.3)] {
        let (_keep, artifact) = compiled(KvType::Code(code));
        let mut executor = executor(&artifact);
        let decoded = logits(executor.as_mut(), 1, &BLOCKS);
        for prompt in [1, 23, 40] {
            let expected = logits(executor.as_mut(), prompt, &BLOCKS);
            for blocks in [[4, 3, 1], [9, 4, 3], [1, 9, 2]] {
                let found = logits(executor.as_mut(), prompt, &blocks);
                assert_eq!(found, expected, "{code}: {prompt} tokens at once in {blocks:?}");
            }
            let error = distance(&expected, &decoded);
            assert!(error < bound, "{code}: {prompt} tokens at once: {error}");
        }
    }
}

#[test]
fn the_manifest_and_the_blocks_are_of_the_formats_size() {
    let mut sizes = Vec::new();
    let codes = [KvCode::Q8_0, KvCode::Q4_0, KvCode::E4M3].map(KvType::from);
    for kv in [KvType::Float(DType::F16)].into_iter().chain(codes) {
        let (_keep, artifact) = compiled(kv);
        let manifest = artifact.manifest();
        assert_eq!(manifest.model.kv_dtype, kv.name());
        let phases = manifest.targets[0].phases.expect("phase programs");
        assert_eq!(manifest.model.kv_block_bytes(), Some(phases.block_bytes), "{kv}");
        sizes.push(phases.block_bytes);
    }
    // Groups of 32 elements: 64 bytes, 34, 18, 32.
    let sizes: Vec<u64> = sizes.iter().map(|size| size * 64 / sizes[0]).collect();
    assert_eq!(sizes, [64, 34, 18, 32]);
}

fn refused(options: &CompileOptions) -> String {
    let error = compile(options, &mut |_| {}).expect_err("refused");
    assert!(error.is_users(), "{error}");
    assert!(!options.output.exists(), "{error}");
    error.to_string()
}

/// The model with another configuration, and the text files of a fixture that has them.
fn changed(changes: &Value) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let mut files: Vec<PathBuf> = std::fs::read_dir(fixture(MODEL))
        .expect("the fixture")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    let text = ["tokenizer.json", "tokenizer_config.json", "generation_config.json"];
    files.extend(text.map(|name| fixture("llama_tied").join(name)));
    for path in files {
        let name = path.file_name().expect("a name");
        std::fs::copy(&path, directory.path().join(name)).expect("a copy");
    }
    let path = directory.path().join("config.json");
    let mut config: Value =
        serde_json::from_slice(&std::fs::read(&path).expect("a config")).expect("JSON");
    for (name, value) in changes.as_object().expect("an object") {
        config[name] = value.clone();
    }
    std::fs::write(path, config.to_string()).expect("written");
    directory
}

#[test]
fn heads_of_no_whole_groups_are_refused_with_the_way_out() {
    let output = tempfile::tempdir().expect("a directory");
    for kernels in [Kernels::Prefer, Kernels::Never] {
        // Heads of 12 elements.
        let mut odd = options(&fixture("llama_tied"), &output, KvType::Code(KvCode::Q4_0));
        odd.kernels = kernels;
        let message = refused(&odd);
        for part in ["--kv-dtype", "q4_0 with head_dim 12", "f16, bf16, f32 or f8"] {
            assert!(message.contains(part), "{part:?} is not in {message}");
        }
    }
}

/// Plain weights, so that nothing else is rounded to codes.
fn plain(changes: &Value, kv: KvType, kernels: Kernels) -> (TempDir, Artifact) {
    let output = tempfile::tempdir().expect("a directory");
    let source = changed(changes);
    let mut options = options(source.path(), &output, kv);
    options.weight_dtype = Some(DType::F32);
    options.kernels = kernels;
    let report = compile(&options, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    let artifact = Artifact::open(&report.artifact).expect("opens");
    assert_eq!(artifact.manifest().targets[0].phases.is_some(), kernels != Kernels::Never);
    (output, artifact)
}

/// The logits of a step of 20 tokens, and of 20 steps of one.
fn steps(artifact: &Artifact) -> Vec<Vec<f32>> {
    let mut executor = executor(artifact);
    let ids = text();
    let mut found = run(executor.as_mut(), &[row(&ids[..20], 0, &BLOCKS)]);
    for at in 20..ids.len() {
        found.extend(run(executor.as_mut(), &[row(&ids[at..=at], at, &BLOCKS)]));
    }
    found
}

/// Both round the same numbers to the same codes. What is left are sums of another order, some 1e-6, and
/// where these lie on either side of the middle between two codes one element is a step apart from then
/// on: in Q8_0 by 1/127 of the largest of its 32, in Q4_0 by 1/8, of 8-bit floats by 1/16 of itself. The
/// bounds leave room for some such; the cache's own errors are far larger.
#[test]
fn decomposed_code_gives_the_logits_of_kernels() {
    for (code, bound) in [(KvCode::Q8_0, 1e-3), (KvCode::Q4_0, 2e-2), (KvCode::E4M3, 5e-3)] {
        let [native, decomposed] = [Kernels::Require, Kernels::Never]
            .map(|kernels| plain(&json!({}), code.into(), kernels));
        let facts = [&native, &decomposed].map(|(_, artifact)| &artifact.manifest().model);
        assert_eq!(facts[0].kv_block_bytes(), facts[1].kv_block_bytes(), "{code}");
        let found = steps(&decomposed.1).into_iter().zip(steps(&native.1));
        let distances: Vec<f64> =
            found.map(|(found, expected)| distance(&found, &expected)).collect();
        println!("{code}: {distances:?}");
        assert!(distances.iter().all(|distance| *distance < bound), "{code}: {distances:?}");
    }
}
