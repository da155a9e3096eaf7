//! The executor of phase programs, over a program that IREE compiles from StableHLO: it has the
//! same arguments and results, and its logits tell what the whole text in the cache is.

use std::path::Path;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tyto_artifact::{
    Artifact, ArtifactWriter, CancelFlag, CompilerVersions, EntryKind, EntryPoint, HostTarget,
    Manifest, ModelFacts, Phases, SCHEMA_VERSION, Target,
};
use tyto_engine::iree::{LoadOptions, PhasesExecutor};
use tyto_engine::{Executor, OpenError, OpenOptions, Positions, StepLogits, StepRow, open};
use tyto_iree_rt::Compiler;
use tyto_native_team::ABI_VERSION;

const VOCAB: usize = 101;
const CONTEXT: usize = 64;
const BLOCK_SIZE: usize = 16;
const BLOCK_BYTES: usize = 64;
const BLOCKS: usize = 41;

/// The first byte of the weight file.
const FIRST_WEIGHT: i32 = 7;

/// A text with this token in it makes logits that are not numbers.
const DAMAGED: u32 = 100;

/// Decode of four sequences, prefill of eight tokens.
const ENTRIES: [(EntryKind, usize, usize); 2] =
    [(EntryKind::Decode, 4, 1), (EntryKind::Prefill, 1, 8)];

fn entry((kind, batch, tokens): (EntryKind, usize, usize)) -> EntryPoint {
    let function = format!("m.step_{batch}_{tokens}");
    EntryPoint { function, kind, batch, tokens, context: CONTEXT, rows: batch }
}

/// Writes each token's byte to its slot. The logits of a row are 1 for one token and 0 for all
/// others: for the sum of all bytes of the row's text, each times its position from 1 on, plus
/// the text's length and the first weight, modulo the vocabulary. Without a team, 1 more.
fn function(batch: usize, tokens: usize) -> String {
    let (c, r, p, k) = (batch * tokens, batch, CONTEXT / BLOCK_SIZE, CONTEXT);
    let (v, b) = (VOCAB, BLOCK_BYTES);
    let take = |name: &str, from: &str, source: &str, at: &str, index: &str, rest: &str| {
        format!(r#"%{name} = "stablehlo.gather"(%{from}, %{at}) {{{rest}}} : ({source}, {index}"#)
    };
    let numbers = |offset: &str, vector: usize, sizes: &str| {
        format!(
            "dimension_numbers = #stablehlo.gather<offset_dims = [{offset}], collapsed_slice_dims \
             = [0], start_index_map = [0], index_vector_dim = {vector}>, slice_sizes = \
             array<i64: {sizes}>"
        )
    };
    let (ci, r1) = (format!("tensor<{c}xi32>"), format!("tensor<{r}x1xi32>"));
    let of_cell = numbers("", 1, "1");
    let pos = take("pos", "positions", &ci, "cell1", &r1, &of_cell);
    let len = take("len", "lengths", &ci, "cell1", &r1, &of_cell);
    let tables = format!("tensor<{batch}x{p}xi32>");
    let table = take("table", "tables", &tables, "b1", &r1, &numbers("1", 1, &format!("1, {p}")));
    let (cache, rp1) = (format!("tensor<?x{b}xi8>"), format!("tensor<{r}x{p}x1xi32>"));
    let blocks = numbers("2", 2, &format!("1, {b}"));
    let blocks = take("blocks", "new", &cache, "table1", &rp1, &blocks);
    format!(
        r#"
  func.func @step_{batch}_{tokens}(%tokens: {ci}, %positions: {ci}, %lengths: {ci},
      %slots: tensor<{c}x2xi32>, %tables: {tables}, %sampled: tensor<{r}xi32>,
      %team: tensor<1xi64>, %cache: {cache} {{iree.abi.output = 0 : index}},
      %logits: tensor<{r}x{v}xf32> {{iree.abi.output = 1 : index}}) -> ({cache}, tensor<{r}x{v}xf32>) {{
    %bytes = stablehlo.convert %tokens : ({ci}) -> tensor<{c}xi8>
    %new = "stablehlo.scatter"(%cache, %slots, %bytes) ({{
      ^bb0(%old: tensor<i8>, %value: tensor<i8>): stablehlo.return %value : tensor<i8>
    }}) {{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1],
        scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}
      : ({cache}, tensor<{c}x2xi32>, tensor<{c}xi8>) -> {cache}
    %none = stablehlo.constant dense<0> : tensor<{r}xi32>
    %cell = stablehlo.maximum %sampled, %none : tensor<{r}xi32>
    %cell1 = stablehlo.reshape %cell : (tensor<{r}xi32>) -> {r1}
    {pos}) -> tensor<{r}xi32>
    {len}) -> tensor<{r}xi32>
    %width = stablehlo.constant dense<{tokens}> : tensor<{r}xi32>
    %b = stablehlo.divide %cell, %width : tensor<{r}xi32>
    %b1 = stablehlo.reshape %b : (tensor<{r}xi32>) -> {r1}
    {table}) -> tensor<{r}x{p}xi32>
    %table1 = stablehlo.reshape %table : (tensor<{r}x{p}xi32>) -> {rp1}
    {blocks}) -> tensor<{r}x{p}x{b}xi8>
    %part = stablehlo.slice %blocks [0:{r}, 0:{p}, 0:{BLOCK_SIZE}]
      : (tensor<{r}x{p}x{b}xi8>) -> tensor<{r}x{p}x{BLOCK_SIZE}xi8>
    %flat = stablehlo.reshape %part : (tensor<{r}x{p}x{BLOCK_SIZE}xi8>) -> tensor<{r}x{k}xi8>
    %values = stablehlo.convert %flat : (tensor<{r}x{k}xi8>) -> tensor<{r}x{k}xi32>
    %at = stablehlo.iota dim = 1 : tensor<{r}x{k}xi32>
    %last = stablehlo.broadcast_in_dim %pos, dims = [0] : (tensor<{r}xi32>) -> tensor<{r}x{k}xi32>
    %seen = stablehlo.compare LE, %at, %last : (tensor<{r}x{k}xi32>, tensor<{r}x{k}xi32>) -> tensor<{r}x{k}xi1>
    %ones = stablehlo.constant dense<1> : tensor<{r}x{k}xi32>
    %zeros = stablehlo.constant dense<0> : tensor<{r}x{k}xi32>
    %from_one = stablehlo.add %at, %ones : tensor<{r}x{k}xi32>
    %times = stablehlo.multiply %values, %from_one : tensor<{r}x{k}xi32>
    %counted = stablehlo.select %seen, %times, %zeros : tensor<{r}x{k}xi1>, tensor<{r}x{k}xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %sum = stablehlo.reduce(%counted init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<{r}x{k}xi32>, tensor<i32>) -> tensor<{r}xi32>
    %text = stablehlo.add %sum, %len : tensor<{r}xi32>
    %weights = util.global.load @w : tensor<4096xi8>
    %first = stablehlo.slice %weights [0:1] : (tensor<4096xi8>) -> tensor<1xi8>
    %weight = stablehlo.convert %first : (tensor<1xi8>) -> tensor<1xi32>
    %null = stablehlo.constant dense<0> : tensor<1xi64>
    %alone = stablehlo.compare EQ, %team, %null : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi1>
    %more = stablehlo.convert %alone : (tensor<1xi1>) -> tensor<1xi32>
    %both = stablehlo.add %weight, %more : tensor<1xi32>
    %scalar = stablehlo.reshape %both : (tensor<1xi32>) -> tensor<i32>
    %added = stablehlo.broadcast_in_dim %scalar, dims = [] : (tensor<i32>) -> tensor<{r}xi32>
    %all = stablehlo.add %text, %added : tensor<{r}xi32>
    %modulus = stablehlo.constant dense<{v}> : tensor<{r}xi32>
    %next = stablehlo.remainder %all, %modulus : tensor<{r}xi32>
    %id = stablehlo.iota dim = 1 : tensor<{r}x{v}xi32>
    %next_v = stablehlo.broadcast_in_dim %next, dims = [0] : (tensor<{r}xi32>) -> tensor<{r}x{v}xi32>
    %is_next = stablehlo.compare EQ, %id, %next_v : (tensor<{r}x{v}xi32>, tensor<{r}x{v}xi32>) -> tensor<{r}x{v}xi1>
    %one_hot = stablehlo.convert %is_next : (tensor<{r}x{v}xi1>) -> tensor<{r}x{v}xf32>
    %bad = stablehlo.constant dense<{DAMAGED}> : tensor<{r}x{k}xi32>
    %is_bad = stablehlo.compare EQ, %values, %bad : (tensor<{r}x{k}xi32>, tensor<{r}x{k}xi32>) -> tensor<{r}x{k}xi1>
    %seen_bad = stablehlo.and %is_bad, %seen : tensor<{r}x{k}xi1>
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<{r}x{k}xf32>
    %fine = stablehlo.constant dense<0.0> : tensor<{r}x{k}xf32>
    %damage = stablehlo.select %seen_bad, %nan, %fine : tensor<{r}x{k}xi1>, tensor<{r}x{k}xf32>
    %start = stablehlo.constant dense<0.0> : tensor<f32>
    %any = stablehlo.reduce(%damage init: %start) applies stablehlo.add across dimensions = [1]
      : (tensor<{r}x{k}xf32>, tensor<f32>) -> tensor<{r}xf32>
    %any_v = stablehlo.broadcast_in_dim %any, dims = [0] : (tensor<{r}xf32>) -> tensor<{r}x{v}xf32>
    %result = stablehlo.add %one_hot, %any_v : tensor<{r}x{v}xf32>
    return %new, %result : {cache}, tensor<{r}x{v}xf32>
  }}
"#
    )
}

fn compile() -> Vec<u8> {
    let functions: String =
        ENTRIES.iter().map(|(_, batch, tokens)| function(*batch, *tokens)).collect();
    let weights = r#"#flow.parameter.named<"model"::"weights"> : tensor<4096xi8>"#;
    let source = format!("module @m {{\n  util.global private @w = {weights}\n{functions}}}\n");
    let flags = ["--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host"];
    let compiler = Compiler::find(None).unwrap_or_else(|error| panic!("{error}"));
    let compiled = compiler.compile(source.as_bytes(), &flags.map(str::to_owned));
    compiled.unwrap_or_else(|error| panic!("{error}"))
}

fn write_artifact(path: &Path, abi_version: u32, code: &[u8]) -> Artifact {
    let mut writer = ArtifactWriter::new(path, CancelFlag::default()).expect("a new artifact");
    writer.write("code/cpu/m.vmfb", code).expect("room");
    let mut weights = writer.weights("weights/w.bin", 0).expect("room");
    weights.tensor("w", "u8", &[2], "plain", &[FIRST_WEIGHT as u8, 9]).expect("room");
    let weights = weights.finish().expect("room");
    let phases = Phases {
        abi_version,
        shared_bytes: 100,
        private_bytes: 100,
        block_bytes: 64,
        slot_bytes: 0,
        shared_rows: 4,
        digests: false,
    };
    let target = Target {
        name: "cpu".to_owned(),
        driver: "local-sync".to_owned(),
        arch: HostTarget::detect().arch,
        cpu_features: Vec::new(),
        modules: vec!["code/cpu/m.vmfb".to_owned()],
        entries: ENTRIES.map(entry).to_vec(),
        choices: Vec::new(),
        compile_flags: Vec::new(),
        weights: weights.path.clone(),
        phases: Some(phases),
        cache_blocks: None,
        pm4_entries: Vec::new(),
    };
    let manifest = Manifest {
        schema_version: SCHEMA_VERSION,
        tyto_version: String::new(),
        model: facts(),
        targets: vec![target],
        weights: vec![weights],
        compiler: CompilerVersions::default(),
        inputs: String::new(),
        files: Default::default(),
    };
    writer.finish(manifest).expect("a whole artifact")
}

fn facts() -> ModelFacts {
    ModelFacts {
        name: "sums".to_owned(),
        architecture: "sums".to_owned(),
        source_files: Vec::new(),
        parameter_count: 1,
        vocab_size: VOCAB,
        context_length: CONTEXT,
        layers: 0,
        dtype: "f32".to_owned(),
        kv: Vec::new(),
        kv_dtype: "f32".to_owned(),
        block_size: BLOCK_SIZE,
        default_blocks: BLOCKS,
        pooled: None,
    }
}

fn executor(directory: &Path, threads: usize) -> PhasesExecutor {
    let artifact = write_artifact(&directory.join("sums.tyto"), 1, &compile());
    let target = &artifact.manifest().targets[0];
    let phases = target.phases.expect("it is a target of phase programs");
    let options = LoadOptions { threads: Some(threads), blocks: None, ..LoadOptions::default() };
    PhasesExecutor::load(&artifact, target, &phases, &options).unwrap_or_else(|e| panic!("{e}"))
}

/// A sequence: its text, of which some is in the cache, and its blocks.
struct Text {
    tokens: Vec<u32>,
    written: usize,
    blocks: Vec<u32>,
}

impl Text {
    /// What the program makes of the first `count` tokens, `length` being known.
    fn next(&self, count: usize, length: usize) -> usize {
        let tokens = self.tokens[..count].iter().enumerate();
        let sum: usize = tokens.map(|(at, token)| (at + 1) * *token as usize).sum();
        (sum + length + FIRST_WEIGHT as usize) % VOCAB
    }
}

fn one_hot(id: usize) -> Vec<f32> {
    (0..VOCAB).map(|token| f32::from(u8::from(token == id))).collect()
}

/// Texts of random lengths in scattered blocks, written in random chunks; some rows want no
/// logits, some have guesses. More single rows in a step than one call takes.
#[test]
fn random_texts_give_the_logits_of_all_their_tokens() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut executor = executor(directory.path(), 2);
    let limits = executor.limits();
    assert_eq!((limits.max_rows, limits.max_chunk, limits.context_length), (4, 8, CONTEXT));
    let cache = executor.cache_allocation();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut logits = StepLogits::new(VOCAB);
    assert_eq!(limits.max_drafts, 3, "rows of a decode call");
    let (mut checked, mut silent, mut guessed, mut prepared) = (0, 0, 0, 0);
    for _ in 0..12 {
        let mut free: Vec<u32> = (1..BLOCKS as u32).collect();
        let mut texts: Vec<Text> = (0..rng.random_range(1..8))
            .map(|_| {
                let tokens = (0..CONTEXT).map(|_| rng.random_range(0..DAMAGED)).collect();
                let mut block = || free.swap_remove(rng.random_range(0..free.len()));
                let blocks = (0..CONTEXT / BLOCK_SIZE).map(|_| block()).collect();
                Text { tokens, written: 0, blocks }
            })
            .collect();
        for _ in 0..25 {
            // Tokens, whether logits are wanted, what is known of the text's length, and guesses.
            let chunks: Vec<(usize, bool, usize, usize)> = (texts.iter())
                .map(|text| {
                    let most = [1, 8][rng.random_range(0..2)].min(CONTEXT - text.written);
                    let count = if most == 0 { 0 } else { rng.random_range(1..=most) };
                    let length = text.written + count + rng.random_range(0..3);
                    let guesses = (2..=4).contains(&count) && rng.random_range(0..2) > 0;
                    let drafts = if guesses { count - 1 } else { 0 };
                    (count, rng.random_range(0..3) > 0, length, drafts)
                })
                .collect();
            let running = texts.iter().zip(&chunks).filter(|(_, (count, ..))| *count > 0);
            let rows: Vec<StepRow<'_>> = running
                .clone()
                .map(|(text, (count, wanted, length, drafts))| StepRow {
                    tokens: &text.tokens[text.written..text.written + count],
                    first_position: text.written,
                    sequence_length: *length,
                    blocks: &text.blocks,
                    slot: 0,
                    want_logits: *wanted,
                    by_itself: *count == 1 + drafts,
                    drafts: *drafts,
                    draft_slots: &[],
                    positions: Positions::Last,
                    digest: None,
                })
                .collect();
            // What is touched ahead of its use holds nothing of any text.
            prepared += usize::from(executor.prepare());
            logits.begin(rows.len());
            executor.step(&rows, &mut logits).unwrap_or_else(|error| panic!("{error}"));
            for (row, (text, (count, wanted, length, drafts))) in running.enumerate() {
                let all = text.written + count;
                let ends = all - drafts..all + usize::from(*wanted);
                let ends = if *wanted { ends } else { 0..0 };
                let expected = ends.map(|end| one_hot(text.next(end, end.max(*length))));
                let found: Vec<&[f32]> = logits.rows(row).collect();
                assert_eq!(found, expected.collect::<Vec<_>>(), "row {row} of {rows:?}");
                if *wanted {
                    checked += 1
                } else {
                    silent += 1
                }
                guessed += drafts;
            }
            drop(rows);
            for (text, (count, ..)) in texts.iter_mut().zip(&chunks) {
                text.written += count;
            }
        }
    }
    assert!(checked > 300 && silent > 100, "{checked} rows with logits, {silent} without");
    assert!(guessed > 100 && prepared > 0, "{guessed} guesses, prepared {prepared} times");
    assert_eq!(executor.cache_allocation(), cache);
}

#[test]
fn cleaned_blocks_are_zero_and_others_as_they_were() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut executor = executor(directory.path(), 1);
    let mut logits = StepLogits::new(VOCAB);
    let mut step =
        |executor: &mut PhasesExecutor, tokens: &[u32], first_position, blocks: &[u32]| {
            let sequence_length = first_position + tokens.len();
            let by_itself = tokens.len() == 1;
            let row = StepRow {
                tokens,
                first_position,
                sequence_length,
                blocks,
                slot: 0,
                want_logits: true,
                by_itself,
                drafts: 0,
                draft_slots: &[],
                positions: Positions::Last,
                digest: None,
            };
            logits.begin(1);
            executor.step(&[row], &mut logits).unwrap_or_else(|error| panic!("{error}"));
            logits.row(0).expect("logits were wanted").to_vec()
        };
    step(&mut executor, &[3, 4], 0, &[9]);
    let damaged = step(&mut executor, &[1, DAMAGED, 2], 0, &[5, 7]);
    assert!(damaged.iter().all(|logit| logit.is_nan()));
    executor.clean(&[5, 7]).expect("the cache can be written");
    // All that is left of it is zero; another text's block is as it was.
    assert_eq!(step(&mut executor, &[5], 3, &[5, 7]), one_hot(4 * 5 + 4 + FIRST_WEIGHT as usize));
    assert_eq!(
        step(&mut executor, &[6], 2, &[9]),
        one_hot(3 + 2 * 4 + 3 * 6 + 3 + FIRST_WEIGHT as usize)
    );
}

#[test]
fn programs_of_another_version_are_refused_with_both_numbers() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("sums.tyto");
    write_artifact(&path, 1234, b"never loaded");
    let error = open(&path, &OpenOptions::default()).expect_err("another version");
    let OpenError::Phases { found: 1234, expected: ABI_VERSION, .. } = error else {
        panic!("{error:?}");
    };
    let text = error.to_string();
    let ours = format!("version {ABI_VERSION}.");
    for part in ["sums.tyto", "version 1234", &ours, "Compile the model again"] {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

#[test]
fn a_function_with_other_arguments_is_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let source =
        "func.func @step_4_1(%x: tensor<1xi32>) -> tensor<1xi32> { return %x : tensor<1xi32> }";
    let source = format!("module @m {{ {source} }}");
    let flags = ["--iree-hal-target-backends=llvm-cpu".to_owned()];
    let compiler = Compiler::find(None).unwrap_or_else(|error| panic!("{error}"));
    let code = compiler.compile(source.as_bytes(), &flags).expect("compiles");
    let artifact = write_artifact(&directory.path().join("sums.tyto"), 1, &code);
    let target = &artifact.manifest().targets[0];
    let phases = target.phases.expect("it is a target of phase programs");
    let loaded = PhasesExecutor::load(&artifact, target, &phases, &LoadOptions::default());
    let text = loaded.expect_err("it cannot be called").to_string();
    assert!(text.contains("m.step_4_1 takes 1 arguments") && text.contains("compile"), "{text}");
}
