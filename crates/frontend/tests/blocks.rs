//! Weights that keep the checkpoint's blocks: which do, what their tiles decode to, and that a model
//! computes with them what it computes with their values.

mod common;
#[path = "../../checkpoint/tests/common/gguf.rs"]
#[allow(dead_code, reason = "the writer of checkpoint's tests; a part is used here")]
mod gguf;

use std::path::Path;

use common::{CONTEXT, F32, Opened, decoded};
use gguf::File;
use tyto_checkpoint::Checkpoint;
use tyto_frontend::{LoadedModel, Part, StepShape, TraceOptions, Traced, WeightUse, materialize};
use tyto_graph::{BlockForm, BlockLayout, DType, Layout, Op};

const BLOCKS: TraceOptions = TraceOptions { keep_blocks: true, fuse_siblings: true, ..F32 };
const SHAPE: StepShape = StepShape { batch: 1, tokens: 4, context: CONTEXT, rows: 1 };

const HIDDEN: usize = 64;
const INNER: usize = 96;
const VOCABULARY: usize = 40;

/// GGUF's numbers of the formats, and their blocks' bytes before the codes' 32 elements.
const F16: u32 = 1;
const Q4_0: u32 = 2;
const Q4_1: u32 = 3;
const Q8_0: u32 = 8;

/// A source of seeded numbers (a linear congruential generator's high bits).
struct Seeded(u64);

impl Seeded {
    fn byte(&mut self) -> u8 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
        (self.0 >> 56) as u8
    }

    /// An f16 of about `size`, of either sign.
    fn half(&mut self, size: f32) -> [u8; 2] {
        let value = size * (0.5 + f32::from(self.byte()) / 255.0);
        let value = if self.byte() < 128 { -value } else { value };
        half::f16::from_f32(value).to_le_bytes()
    }

    fn block(&mut self, kind: u32) -> Vec<u8> {
        let (numbers, codes, size) = match kind {
            Q4_0 => (1, 16, 0.03),
            Q4_1 => (2, 16, 0.03),
            Q8_0 => (1, 32, 0.002),
            _ => (32, 0, 0.1),
        };
        let numbers: Vec<u8> = (0..numbers).flat_map(|_| self.half(size)).collect();
        numbers.into_iter().chain((0..codes).map(|_| self.byte())).collect()
    }
}

/// Adds a matrix of random blocks.
fn matrix(file: File, name: &str, kind: u32, rows: usize, columns: usize) -> File {
    let mut seeded = Seeded(name.bytes().fold(7, |seed, byte| seed * 31 + u64::from(byte)));
    let bytes = (0..rows * columns / 32).flat_map(|_| seeded.block(kind)).collect();
    file.tensor(name, &[rows, columns], kind, bytes)
}

/// The metadata and norms of a model of two layers.
fn base(architecture: &str) -> File {
    let key = |field: &str| format!("{architecture}.{field}");
    let ones =
        |count: usize| -> Vec<f32> { (0..count).map(|at| 1.0 + at as f32 / 100.0).collect() };
    let mut file = File::new()
        .set("general.architecture", architecture)
        .set(&key("block_count"), 2)
        .set(&key("embedding_length"), HIDDEN as u32)
        .set(&key("feed_forward_length"), INNER as u32)
        .set(&key("attention.head_count"), 2)
        .set(&key("attention.head_count_kv"), 1)
        .set(&key("attention.layer_norm_rms_epsilon"), 1e-5f32)
        .set(&key("context_length"), CONTEXT as u32)
        .tensor_f32("output_norm.weight", &[HIDDEN], &ones(HIDDEN));
    for layer in 0..2 {
        for norm in ["attn_norm", "ffn_norm"] {
            let name = format!("blk.{layer}.{norm}.weight");
            file = file.tensor_f32(&name, &[HIDDEN], &ones(HIDDEN));
        }
    }
    file
}

/// llama with rotary rows in Q4_1 and Q4_0, siblings of one format and of two, one matrix in f16.
fn llama(tied: bool) -> File {
    let mut file = matrix(base("llama"), "token_embd.weight", Q8_0, VOCABULARY, HIDDEN);
    if !tied {
        file = matrix(file, "output.weight", Q4_1, VOCABULARY, HIDDEN);
    }
    for (layer, query, value, down) in [(0, Q4_1, Q8_0, Q4_0), (1, Q4_0, Q4_0, F16)] {
        for (name, kind, rows, columns) in [
            ("attn_q", query, HIDDEN, HIDDEN),
            ("attn_k", query, HIDDEN / 2, HIDDEN),
            ("attn_v", value, HIDDEN / 2, HIDDEN),
            ("attn_output", Q8_0, HIDDEN, HIDDEN),
            ("ffn_gate", Q4_0, INNER, HIDDEN),
            ("ffn_up", Q4_0, INNER, HIDDEN),
            ("ffn_down", down, HIDDEN, INNER),
        ] {
            file = matrix(file, &format!("blk.{layer}.{name}.weight"), kind, rows, columns);
        }
    }
    file
}

/// phi3, whose query, key and value, and gate and up, are one tensor each.
fn phi3() -> File {
    let mut file = matrix(base("phi3"), "token_embd.weight", Q4_0, VOCABULARY, HIDDEN)
        .set("phi3.rope.dimension_count", 32);
    file = matrix(file, "output.weight", Q8_0, VOCABULARY, HIDDEN);
    for layer in 0..2 {
        for (name, rows, columns) in [
            ("attn_qkv", 2 * HIDDEN, HIDDEN),
            ("attn_output", HIDDEN, HIDDEN),
            ("ffn_up", 2 * INNER, HIDDEN),
            ("ffn_down", HIDDEN, INNER),
        ] {
            file = matrix(file, &format!("blk.{layer}.{name}.weight"), Q4_1, rows, columns);
        }
    }
    file
}

fn open(file: &File) -> Opened {
    Opened::gguf(&file.bytes())
}

impl Opened {
    fn traced(&self, options: TraceOptions) -> Traced {
        self.model.trace("step", &SHAPE, &options).expect("traces")
    }
}

fn layout_of<'a>(traced: &'a Traced, name: &str) -> &'a WeightUse {
    let names: Vec<&str> = traced.weights.iter().map(|weight| &*weight.name).collect();
    let found = traced.weights.iter().find(|weight| &*weight.name == name);
    found.unwrap_or_else(|| panic!("{name} is not among {names:?}"))
}

/// The checkpoint's values of a weight's parts, one below the other.
fn values(checkpoint: &Checkpoint, weight: &WeightUse) -> Vec<f32> {
    let part = |part: &Part| {
        let tensor = checkpoint.expect_tensor(&part.tensor, &part.shape).expect("there");
        let values = tensor.to_f32().expect("floats");
        let rows = part.rows.clone().unwrap_or(0..part.shape[0]);
        values[rows.start * part.shape[1]..rows.end * part.shape[1]].to_vec()
    };
    weight.parts.iter().flat_map(part).collect()
}

fn assert_same_bits(found: &[f32], expected: &[f32], context: &str) {
    assert_eq!(found.len(), expected.len(), "{context}");
    let differs = found.iter().zip(expected).position(|(a, b)| a.to_bits() != b.to_bits());
    assert_eq!(differs, None, "{context}");
}

/// Every weight of a model that stands in blocks decodes to the checkpoint's values, bit for bit.
/// Gives how many there are.
fn check_tiles(model: &LoadedModel, checkpoint: &Checkpoint) -> usize {
    let traced = model.trace("step", &SHAPE, &BLOCKS).expect("traces");
    let kept = traced.weights.iter().filter(|weight| matches!(weight.layout, Layout::Blocks(_)));
    let mut checked = 0;
    for weight in kept {
        let bytes = materialize(checkpoint, weight).expect("tiles");
        assert_eq!(bytes.len(), weight.bytes());
        // Rows that pad the last tile are read too.
        let padded = weight.shape[0].next_multiple_of(BlockLayout::ROWS);
        let mut found = decoded(weight, padded, &bytes);
        let padding = found.split_off(weight.shape[0] * weight.shape[1]);
        assert!(padding.iter().all(|value| *value == 0.0), "{}: padding", weight.name);
        assert_same_bits(&found, &values(checkpoint, weight), &weight.name);
        checked += 1;
    }
    checked
}

#[test]
fn weights_keep_the_formats_that_the_checkpoint_has() {
    let opened = open(&llama(false));
    let traced = opened.traced(BLOCKS);
    let printed = |name: &str| {
        let weight = layout_of(&traced, name);
        let formats = opened.model.stored_formats(weight).join(", ");
        format!("{} {:?} {}; {formats}", weight.dtype, weight.shape, weight.layout)
    };
    let cases = [
        ("model.embed_tokens.weight", "ui8 [40, 64] blocks 8-bit group 32 f16 middle; Q8_0"),
        ("lm_head.weight", "ui8 [40, 64] blocks 4-bit group 32 f16 bias; Q4_1"),
        (
            "model.layers.0.self_attn.q_proj+k_proj.weight",
            "ui8 [96, 64] blocks 4-bit group 32 f16 bias; Q4_1",
        ),
        (
            "model.layers.0.self_attn.v_proj.weight",
            "ui8 [32, 64] blocks 8-bit group 32 f16 middle; Q8_0",
        ),
        (
            "model.layers.1.self_attn.q_proj+k_proj+v_proj.weight",
            "ui8 [128, 64] blocks 4-bit group 32 f16 middle; Q4_0",
        ),
        (
            "model.layers.1.mlp.gate_proj+up_proj.weight",
            "ui8 [192, 64] blocks 4-bit group 32 f16 middle; Q4_0",
        ),
        ("model.layers.1.mlp.down_proj.weight", "f32 [64, 96] row-major; F16"),
        ("model.norm.weight", "f32 [64] row-major; F32"),
    ];
    for (name, expected) in cases {
        assert_eq!(printed(name), expected, "{name}");
    }
    let converted = opened.traced(TraceOptions { keep_blocks: false, ..BLOCKS });
    assert!(!converted.weights.iter().any(|weight| matches!(weight.layout, Layout::Blocks(_))));
    let table = layout_of(&converted, "model.embed_tokens.weight");
    assert_eq!(opened.model.stored_formats(table), ["Q8_0"]);
}

#[test]
fn a_tied_head_reads_the_tables_blocks() {
    let opened = open(&llama(true));
    let traced = opened.traced(BLOCKS);
    let table = layout_of(&traced, "model.embed_tokens.weight");
    let form = BlockForm::Middle;
    let layout = BlockLayout { bits: 8, group: 32, scale: DType::F16, form };
    assert_eq!(table.layout, Layout::Blocks(layout));
    let readers = traced.graph.nodes.iter().filter(|node| match node.op {
        Op::Linear { layout: found, rows } | Op::Embedding { layout: found, rows } => {
            (found, rows) == (Layout::Blocks(layout), VOCABULARY)
        }
        _ => false,
    });
    assert_eq!(readers.count(), 2);
}

#[test]
fn tiles_decode_to_the_checkpoints_values() {
    for (file, expected) in [(llama(false), 10), (llama(true), 9), (phi3(), 10)] {
        let opened = open(&file);
        assert_eq!(check_tiles(&opened.model, &opened.checkpoint), expected);
    }
}

#[test]
fn a_model_computes_with_blocks_what_it_computes_with_their_values() {
    for (name, file) in [("llama", llama(false)), ("tied", llama(true)), ("phi3", phi3())] {
        let opened = open(&file);
        let expected = opened.logits(F32);
        let largest = expected.iter().flatten().fold(0f32, |most, value| most.max(value.abs()));
        assert!(largest > 0.1 && largest.is_finite(), "{name}: {largest}");
        assert_eq!(opened.logits(BLOCKS), expected, "{name}");
        let apart = TraceOptions { fuse_siblings: false, ..BLOCKS };
        assert_eq!(opened.logits(apart), expected, "{name}, apart");
    }
}

#[test]
fn a_model_of_blocks_has_no_decomposition_and_says_which_weight() {
    let graph = open(&llama(true)).traced(BLOCKS).graph;
    let error = tyto_graph::decompose(&graph, |_| false).expect_err("blocks have none");
    let error = error.to_string();
    let expected = "weight model.embed_tokens.weight is stored as blocks 8-bit group 32 f16 middle";
    assert!(error.contains(expected), "{error}");
}

/// A weight made of rows of tensors.
fn of_parts(parts: &[(&str, usize, Option<std::ops::Range<usize>>)]) -> WeightUse {
    let part = |(name, rows, range): &(&str, usize, Option<std::ops::Range<usize>>)| Part {
        tensor: format!("model.layers.1.{name}.weight"),
        shape: vec![*rows, HIDDEN],
        rows: range.clone(),
        quantize: None,
    };
    let parts: Vec<Part> = parts.iter().map(part).collect();
    let rows = parts.iter().map(Part::row_count).sum();
    let form = BlockForm::Middle;
    let layout = BlockLayout { bits: 4, group: 32, scale: DType::F16, form };
    WeightUse {
        name: "joined".into(),
        shape: vec![rows, HIDDEN],
        dtype: DType::U8,
        layout: Layout::Blocks(layout),
        parts,
    }
}

#[test]
fn parts_may_be_some_rows_of_a_tensor() {
    let opened = open(&llama(true));
    // Rows of a tensor in llama.cpp's order, from inside a tile to inside a tile.
    let weight = of_parts(&[
        ("self_attn.q_proj", HIDDEN, Some(5..37)),
        ("mlp.up_proj", INNER, None),
        ("self_attn.k_proj", HIDDEN / 2, Some(9..22)),
    ]);
    let bytes = materialize(&opened.checkpoint, &weight).expect("tiles");
    let found = decoded(&weight, weight.shape[0], &bytes);
    assert_same_bits(&found, &values(&opened.checkpoint, &weight), "parts");
}

#[test]
fn blocks_that_cannot_be_kept_are_named() {
    let opened = open(&llama(true));
    let refused = |weight: &WeightUse, parts: &[&str]| {
        let error = materialize(&opened.checkpoint, weight).expect_err("refused").to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    };
    let inside = of_parts(&[
        ("self_attn.k_proj", HIDDEN / 2, Some(0..5)),
        ("self_attn.v_proj", HIDDEN / 2, None),
    ]);
    refused(&inside, &["joined", "v_proj.weight", "row 5", "tile's 16 rows"]);
    let other = of_parts(&[("self_attn.o_proj", HIDDEN, None)]);
    refused(&other, &["o_proj.weight", "stored as Q8_0", "blocks 4-bit group 32 f16 middle"]);
    let mut typed = of_parts(&[("self_attn.q_proj", HIDDEN, None)]);
    typed.dtype = DType::F32;
    refused(&typed, &["f32 of blocks 4-bit"]);
    let short = of_parts(&[("self_attn.q_proj", HIDDEN, Some(48..80))]);
    refused(&short, &["q_proj.weight", "64 rows", "rows 64 to 80"]);
}

/// The real model, fetched by `tools/fetch-model`: without `TYTO_SMOLLM2_GGUF` this says so and
/// checks nothing.
#[test]
fn every_tile_of_smollm2_decodes_to_its_values() {
    let Some(path) = std::env::var_os("TYTO_SMOLLM2_GGUF") else {
        println!("skipped: TYTO_SMOLLM2_GGUF is not set");
        return;
    };
    let checkpoint = Checkpoint::open(Path::new(&path)).expect("a valid GGUF");
    let model = tyto_frontend::open(&checkpoint).expect("a model");
    // Of each layer: query, key and value; output; gate and up; down. And the table.
    assert_eq!(check_tiles(&model, &checkpoint), 30 * 4 + 1);
}
