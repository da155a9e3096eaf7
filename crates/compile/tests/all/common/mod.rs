//! A fixture of `tests/oracle`, compiled and run.

pub mod served;
pub mod step;

use std::path::{Path, PathBuf};

use step::{assert_close, best, row, run};
use tyto_artifact::Artifact;
use tyto_compile::{CompileOptions, Kernels, Target, compile};
use tyto_engine::iree::LoadOptions;
use tyto_engine::{Executor, StepLogits, StepRow};

/// Largest difference of a logit, relative to the largest logit of the position.
const F32_TOLERANCE: f32 = 1e-4;

/// Positions compiled for: more than the longest prompt of a fixture.
pub const CONTEXT: usize = 64;

pub struct Reference {
    pub ids: Vec<u32>,
    /// The prompt, and what follows it greedily.
    pub greedy: Vec<u32>,
    /// `[positions][vocabulary]`.
    logits: Vec<Vec<f32>>,
    /// By how much the best logit of a position leads.
    gaps: Vec<f32>,
}

/// f32 weights: logits within [`F32_TOLERANCE`], in parts of any size and in a batch.
pub fn check(case: &str, config: &str, reference_file: &str, kernels: Kernels) {
    let reference = read_reference(&fixtures().join(case).join(reference_file));
    let loaded = load(case, config, Target::CpuHost, kernels);
    let (_source, mut executor) = loaded.expect("code for this machine runs on it");
    check_executor(case, &reference, executor.as_mut());
}

/// The same, of code that is loaded: the whole of [`check`].
pub fn check_executor(case: &str, reference: &Reference, executor: &mut dyn Executor) {
    for chunk in [CONTEXT, 7, 1] {
        let found = feed(executor, &reference.ids, chunk, chunk % 3);
        assert_all_close(&format!("{case}, parts of {chunk}"), reference, &found);
    }
    let found = feed_batch(executor, &reference.ids);
    assert_all_close(&format!("{case}, a batch"), reference, &found);
}

/// bf16 weights: the best token is the reference's wherever its lead is decided.
pub fn check_bf16(case: &str, decided: f32, target: Target, kernels: Kernels) {
    let reference = read_reference(&fixtures().join(case).join("reference.safetensors"));
    let loaded = load(case, "config.json", target, kernels);
    let Some((_source, mut executor)) = loaded else { return };
    for chunk in [CONTEXT, 7, 1] {
        let found = feed(executor.as_mut(), &reference.ids, chunk, 0);
        let mut compared = 0;
        for (position, logits) in found {
            if reference.gaps[position] >= decided {
                let expected = best(&reference.logits[position]);
                assert_eq!(best(&logits), expected, "{case}, position {position}");
                compared += 1;
            }
        }
        assert!(compared > 0, "{case}: no position is decided");
    }
}

/// The logits after the prompt and after each token that follows it greedily, and these tokens.
pub fn greedy(
    executor: &mut dyn Executor,
    prompt: &[u32],
    count: usize,
) -> (Vec<Vec<f32>>, Vec<u32>) {
    let blocks = blocks(0);
    let mut text = prompt.to_vec();
    let mut all = vec![run(executor, &[row(prompt, 0, &blocks)]).remove(0)];
    while text.len() < prompt.len() + count {
        text.push(best(&all[all.len() - 1]));
        let last = text.len() - 1;
        all.push(run(executor, &[row(&text[last..], last, &blocks)]).remove(0));
    }
    (all, text)
}

impl Reference {
    /// The logits after the prompt.
    pub fn last_logits(&self) -> &[f32] {
        self.logits.last().expect("a prompt has a token")
    }
}

pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle")
}

pub fn read_reference(path: &Path) -> Reference {
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
    let ids = |name: &str| -> Vec<u32> {
        let ids = data(name).chunks_exact(8);
        ids.map(|id| i64::from_le_bytes(id.try_into().expect("8 bytes")) as u32).collect()
    };
    let greedy = header.get("greedy").map(|_| ids("greedy")).unwrap_or_default();
    let ids = ids("input_ids");
    let values = floats("logits");
    let vocabulary = values.len() / ids.len();
    let logits = values.chunks(vocabulary).map(<[f32]>::to_vec).collect();
    Reference { ids, greedy, logits, gaps: floats("top2_gap") }
}

/// A directory with the fixture's files, its configuration being `config`.
pub fn model_directory(case: &str, config: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for entry in std::fs::read_dir(fixtures().join(case)).expect("a fixture") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !name.starts_with("config") && !name.starts_with("reference") {
            std::fs::copy(&path, directory.path().join(name)).expect("a copy");
        }
    }
    // Published checkpoints have none of their own.
    if !directory.path().join("tokenizer.json").is_file() {
        for name in ["tokenizer.json", "tokenizer_config.json", "generation_config.json"] {
            let file = fixtures().join("llama_tied").join(name);
            std::fs::copy(file, directory.path().join(name)).expect("a copy");
        }
    }
    let config = fixtures().join(case).join(config);
    std::fs::copy(config, directory.path().join("config.json")).expect("a copy");
    directory
}

/// `None`, with a word, where this machine cannot run the target's code.
pub fn load(
    case: &str,
    config: &str,
    target: Target,
    kernels: Kernels,
) -> Option<(tempfile::TempDir, Box<dyn Executor>)> {
    let source = model_directory(case, config);
    let mut options = CompileOptions::new(source.path(), source.path().join("out.tyto"));
    options.targets = vec![target];
    options.context = Some(CONTEXT);
    options.kernels = kernels;
    options.sizes = Some(sizes(case, kernels));
    let report = compile(&options, &mut |_| {}).expect("compiles");
    let artifact = Artifact::open(&report.artifact).expect("opens");
    let load = LoadOptions { threads: Some(2), blocks: Some(32), ..LoadOptions::default() };
    let executor = step::load(&artifact, &load);
    if executor.is_none() {
        println!("skipped: this machine cannot run code for {target}");
    }
    Some((source, executor?))
}

/// Sequences and tokens that calls are compiled for. Decomposed code takes IREE seconds a size, so
/// that only one architecture has the small ones; the others' steps are padded to the large.
fn sizes(case: &str, kernels: Kernels) -> (Vec<usize>, Vec<usize>) {
    if case == "llama" || kernels == Kernels::Require {
        (vec![1, 4], vec![8, CONTEXT])
    } else {
        (vec![4], vec![CONTEXT])
    }
}

/// Blocks of sequence `index`, not in order.
fn blocks(index: usize) -> Vec<u32> {
    (0..4).map(|page| (1 + 4 * index + (page * 3 + 1) % 4) as u32).collect()
}

/// Feeds `ids` in parts of `chunk`; the position and the logits of each part's last token.
fn feed(
    executor: &mut dyn Executor,
    ids: &[u32],
    chunk: usize,
    index: usize,
) -> Vec<(usize, Vec<f32>)> {
    let blocks = blocks(index);
    let mut found = Vec::new();
    let mut first = 0;
    for part in ids.chunks(chunk) {
        let row = StepRow { sequence_length: ids.len(), ..row(part, first, &blocks) };
        let logits = run(executor, &[row]).remove(0);
        first += part.len();
        found.push((first - 1, logits));
    }
    found
}

/// Three sequences of different progress in one step: the reference's own, token by token,
/// beside two that hold other text, one of them a prompt.
fn feed_batch(executor: &mut dyn Executor, ids: &[u32]) -> Vec<(usize, Vec<f32>)> {
    let other: Vec<u32> = ids.iter().rev().copied().collect();
    let tables = [blocks(0), blocks(1), blocks(2)];
    let mut found = Vec::new();
    for position in 0..ids.len() {
        let rows = [
            token(&other, position, &tables[1]),
            token(ids, position, &tables[0]),
            row(&other[..5], 0, &tables[2]),
        ];
        found.push((position, run(executor, &rows).remove(1)));
    }
    found
}

/// One token of a text that is known to its end.
fn token<'a>(text: &'a [u32], position: usize, blocks: &'a [u32]) -> StepRow<'a> {
    let sequence_length = text.len();
    StepRow { sequence_length, ..row(&text[position..=position], position, blocks) }
}

/// Tokens of answers with guesses beside another text's, right and wrong ones: logits are the bits that
/// they are one by one. States after right guesses are gone on from in their slots. Answers how many
/// guesses there were.
pub fn check_drafts(case: &str, executor: &mut dyn Executor, ids: &[u32]) -> usize {
    const PROMPT: usize = 5;
    let other: Vec<u32> = ids.iter().rev().copied().collect();
    let expected: Vec<Vec<Vec<f32>>> = [ids, &other]
        .map(|ids| {
            let blocks = blocks(2);
            run(executor, &[row(&ids[..PROMPT], 0, &blocks)]);
            let one = |at| run(executor, &[row(&ids[at..=at], at, &blocks)]).remove(0);
            (PROMPT..ids.len()).map(one).collect()
        })
        .into();
    let tables = [blocks(0), blocks(1)];
    run(executor, &[row(&ids[..PROMPT], 0, &tables[0]), row(&other[..PROMPT], 0, &tables[1])]);
    let (most, mut at, mut step, mut guessed) = (executor.limits().max_drafts, PROMPT, 0, 0);
    let mut slot = 0;
    while at < ids.len() {
        let drafts = (step % most).min(ids.len() - 1 - at);
        let right = drafts.saturating_sub(step % 2);
        let mut tokens = ids[at..=at + drafts].to_vec();
        tokens[1 + right..].iter_mut().for_each(|wrong| *wrong = (*wrong + 1) % 7);
        // The other text is in slot 1.
        let free: Vec<usize> = [0, 2, 3].into_iter().filter(|free| *free != slot).collect();
        let own = StepRow {
            sequence_length: at + 1,
            by_itself: true,
            drafts,
            slot,
            draft_slots: &free[..drafts],
            ..row(&tokens, at, &tables[0])
        };
        let beside = PROMPT + step;
        let rows = [own, row(&other[beside..=beside], beside, &tables[1])];
        let mut logits = StepLogits::new(executor.limits().vocab_size);
        logits.begin(2);
        executor.step(&rows, &mut logits).expect("a step");
        for (index, found) in logits.rows(0).take(1 + right).enumerate() {
            let expected = &expected[0][at - PROMPT + index];
            assert_eq!(found, expected, "{case}: position {}, {drafts} guesses", at + index);
        }
        let found = logits.row(1).expect("logits");
        assert_eq!(found, expected[1][step], "{case}: step {step} of the other text");
        (at, step, guessed) = (at + 1 + right, step + 1, guessed + drafts);
        slot = right.checked_sub(1).map_or(slot, |last| free[last]);
    }
    guessed
}

fn assert_all_close(what: &str, reference: &Reference, found: &[(usize, Vec<f32>)]) {
    for (position, logits) in found {
        let what = format!("{what}, position {position}");
        assert_close(&what, logits, &reference.logits[*position], F32_TOLERANCE);
    }
}
