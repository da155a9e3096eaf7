//! A fixture of `tests/oracle`, compiled and run.

use std::path::{Path, PathBuf};

use tyto_artifact::{Artifact, HostTarget};
use tyto_compile::{CompileOptions, Target, compile};
use tyto_engine::iree::{IreeExecutor, LoadOptions};
use tyto_engine::{Executor, StepRow};

/// Largest difference of a logit, relative to the largest logit of the position.
const F32_TOLERANCE: f32 = 1e-4;

/// Positions compiled for: more than the longest prompt of a fixture.
const CONTEXT: usize = 64;

struct Reference {
    ids: Vec<u32>,
    /// `[positions][vocabulary]`.
    logits: Vec<Vec<f32>>,
    /// By how much the best logit of a position leads.
    gaps: Vec<f32>,
}

/// f32 weights: logits within [`F32_TOLERANCE`], in parts of any size and in a batch.
pub fn check(case: &str, config: &str, reference_file: &str) {
    let reference = read_reference(&fixtures().join(case).join(reference_file));
    let loaded = load(case, config, Target::CpuHost);
    let (_source, mut executor) = loaded.expect("code for this machine runs on it");
    for chunk in [CONTEXT, 7, 1] {
        let found = feed(&mut executor, &reference.ids, chunk, chunk % 3);
        assert_close(&format!("{case}, parts of {chunk}"), &reference, &found);
    }
    let found = feed_batch(&mut executor, &reference.ids);
    assert_close(&format!("{case}, a batch"), &reference, &found);
}

/// bf16 weights: the best token is the reference's wherever its lead is decided.
pub fn check_bf16(case: &str, decided: f32, target: Target) {
    let reference = read_reference(&fixtures().join(case).join("reference.safetensors"));
    let Some((_source, mut executor)) = load(case, "config.json", target) else { return };
    for chunk in [CONTEXT, 7, 1] {
        let found = feed(&mut executor, &reference.ids, chunk, 0);
        let mut compared = 0;
        for (position, logits) in found {
            if reference.gaps[position] >= decided {
                let best = best(&logits);
                assert_eq!(
                    best,
                    self::best(&reference.logits[position]),
                    "{case}, position {position}"
                );
                compared += 1;
            }
        }
        assert!(compared > 0, "{case}: no position is decided");
    }
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle")
}

fn read_reference(path: &Path) -> Reference {
    let bytes = std::fs::read(path).expect("a fixture");
    let header_length = u64::from_le_bytes(bytes[..8].try_into().expect("8 bytes")) as usize;
    let header: serde_json::Value =
        serde_json::from_slice(&bytes[8..8 + header_length]).expect("a safetensors header");
    let data = |name: &str| {
        let bound = |index: usize| header[name]["data_offsets"][index].as_u64().expect("an offset");
        &bytes[8 + header_length..][bound(0) as usize..bound(1) as usize]
    };
    let floats = |name: &str| -> Vec<f32> {
        let values = data(name).chunks_exact(4);
        values.map(|value| f32::from_le_bytes(value.try_into().expect("4 bytes"))).collect()
    };
    let ids: Vec<u32> = (data("input_ids").chunks_exact(8))
        .map(|id| i64::from_le_bytes(id.try_into().expect("8 bytes")) as u32)
        .collect();
    let values = floats("logits");
    let vocabulary = values.len() / ids.len();
    let logits = values.chunks(vocabulary).map(<[f32]>::to_vec).collect();
    Reference { ids, logits, gaps: floats("top2_gap") }
}

/// A directory with the fixture's files, its configuration being `config`.
fn model_directory(case: &str, config: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for entry in std::fs::read_dir(fixtures().join(case)).expect("a fixture") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !name.starts_with("config") && !name.starts_with("reference") {
            std::fs::copy(&path, directory.path().join(name)).expect("a copy");
        }
    }
    let config = fixtures().join(case).join(config);
    std::fs::copy(config, directory.path().join("config.json")).expect("a copy");
    directory
}

/// `None`, with a word, where this machine cannot run the target's code.
fn load(case: &str, config: &str, target: Target) -> Option<(tempfile::TempDir, IreeExecutor)> {
    let source = model_directory(case, config);
    let mut options = CompileOptions::new(source.path(), source.path().join("out.tyto"));
    options.targets = vec![target];
    options.context = Some(CONTEXT);
    options.sizes = Some((vec![1, 4], vec![8, CONTEXT]));
    let report = compile(&options, &mut |_| {}).expect("compiles");
    let artifact = Artifact::open(&report.artifact).expect("opens");
    let Ok(target) = artifact.select_target(&HostTarget::detect()) else {
        println!("skipped: this machine cannot run code for {target}");
        return None;
    };
    let load = LoadOptions { threads: Some(2), blocks: Some(32) };
    let executor = IreeExecutor::load(&artifact, target, &load).expect("loads");
    Some((source, executor))
}

/// Blocks of sequence `index`, not in order.
fn blocks(index: usize) -> Vec<u32> {
    (0..4).map(|page| (1 + 4 * index + (page * 3 + 1) % 4) as u32).collect()
}

/// Feeds `ids` in parts of `chunk`; the position and the logits of each part's last token.
fn feed(
    executor: &mut IreeExecutor,
    ids: &[u32],
    chunk: usize,
    index: usize,
) -> Vec<(usize, Vec<f32>)> {
    let blocks = blocks(index);
    let mut found = Vec::new();
    let mut first = 0;
    for part in ids.chunks(chunk) {
        let row = row(part, first, ids.len(), &blocks);
        let logits = executor.step(&[row]).expect("a step").remove(0).expect("logits");
        first += part.len();
        found.push((first - 1, logits));
    }
    found
}

fn row<'a>(tokens: &'a [u32], first: usize, length: usize, blocks: &'a [u32]) -> StepRow<'a> {
    let (first_position, sequence_length) = (first, length);
    StepRow { tokens, first_position, sequence_length, blocks, want_logits: true }
}

/// Three sequences of different progress in one step: the reference's own, token by token,
/// beside two that hold other text, one of them a prompt.
fn feed_batch(executor: &mut IreeExecutor, ids: &[u32]) -> Vec<(usize, Vec<f32>)> {
    let other: Vec<u32> = ids.iter().rev().copied().collect();
    let tables = [blocks(0), blocks(1), blocks(2)];
    let mut found = Vec::new();
    for position in 0..ids.len() {
        let rows = [
            row(&other[position..=position], position, other.len(), &tables[1]),
            row(&ids[position..=position], position, ids.len(), &tables[0]),
            row(&other[..5], 0, 5, &tables[2]),
        ];
        let mut logits = executor.step(&rows).expect("a step");
        found.push((position, logits.remove(1).expect("logits")));
    }
    found
}

fn assert_close(what: &str, reference: &Reference, found: &[(usize, Vec<f32>)]) {
    for (position, logits) in found {
        let expected = &reference.logits[*position];
        let largest = expected.iter().fold(0f32, |most, value| most.max(value.abs()));
        let apart = logits.iter().zip(expected).map(|(a, b)| (a - b).abs());
        let worst = apart.fold(0f32, f32::max);
        assert!(
            worst <= F32_TOLERANCE * largest,
            "{what}, position {position}: off by {worst} where logits reach {largest}"
        );
    }
}

fn best(logits: &[f32]) -> usize {
    let order = |a: &(usize, &f32), b: &(usize, &f32)| a.1.total_cmp(b.1);
    logits.iter().enumerate().max_by(order).map_or(0, |(index, _)| index)
}
