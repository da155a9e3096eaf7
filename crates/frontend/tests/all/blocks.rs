//! Weights that keep the checkpoint's blocks: which do, what their tiles decode to, and that a model
//! computes with them what it computes with their values.

use std::path::Path;

use crate::common::{BLOCKS, CONTEXT, F32, Opened, decoded};
use crate::gguf::File;
use tyto_checkpoint::Checkpoint;
use tyto_frontend::{
    LoadedModel, Part, Reading, StepShape, TraceOptions, Traced, WeightUse, materialize,
};
use tyto_graph::{BlockCode, BlockForm, BlockLayout, BlockScale, DType, Layout, Op};

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

    /// A block of random bytes, but for its f16s.
    fn bytes(&mut self, kind: Kind) -> Vec<u8> {
        let mut block: Vec<u8> = (0..kind.bytes).map(|_| self.byte()).collect();
        for at in kind.halves {
            block[*at..at + 2].copy_from_slice(&self.half(kind.size));
        }
        if kind.number == MXFP4 {
            block[0] = 118 + block[0] % 4;
        }
        block
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

const MXFP4: u32 = 39;

/// A format of GGUF: its number and name, elements and bytes of a block, where the f16s are and how
/// large, and the layout that keeps it.
#[derive(Clone, Copy)]
struct Kind {
    number: u32,
    name: &'static str,
    elements: usize,
    bytes: usize,
    halves: &'static [usize],
    size: f32,
    kept: &'static str,
}

#[rustfmt::skip]
const KINDS: [Kind; 10] = [
    Kind { number: 6, name: "Q5_0", elements: 32, bytes: 22, halves: &[0], size: 0.01,
           kept: "5-bit group 32 f16 middle" },
    Kind { number: 7, name: "Q5_1", elements: 32, bytes: 24, halves: &[0, 2], size: 0.01,
           kept: "5-bit group 32 f16 bias" },
    Kind { number: 10, name: "Q2_K", elements: 256, bytes: 84, halves: &[80, 82], size: 0.01,
           kept: "2-bit group 16 super minimum" },
    Kind { number: 11, name: "Q3_K", elements: 256, bytes: 110, halves: &[108], size: 0.002,
           kept: "3-bit group 16 super middle" },
    Kind { number: 12, name: "Q4_K", elements: 256, bytes: 144, halves: &[0, 2], size: 0.0005,
           kept: "4-bit group 32 super minimum" },
    Kind { number: 13, name: "Q5_K", elements: 256, bytes: 176, halves: &[0, 2], size: 0.0005,
           kept: "5-bit group 32 super minimum" },
    Kind { number: 14, name: "Q6_K", elements: 256, bytes: 210, halves: &[208], size: 0.0001,
           kept: "6-bit group 16 super middle" },
    Kind { number: 20, name: "IQ4_NL", elements: 32, bytes: 18, halves: &[0], size: 0.002,
           kept: "iq4 group 32 f16" },
    Kind { number: 23, name: "IQ4_XS", elements: 256, bytes: 136, halves: &[0], size: 0.0002,
           kept: "iq4 group 32 super" },
    Kind { number: MXFP4, name: "MXFP4", elements: 32, bytes: 17, halves: &[], size: 0.0,
           kept: "e2m1 group 32 e8m0" },
];

/// Columns of which every format has whole blocks.
const WIDE: usize = 256;

/// llama of two layers with matrices of all other formats, in turn.
fn every_kind() -> File {
    let mut turn = 0;
    let mut add = |file: File, name: &str, rows: usize, columns: usize| {
        let kind = KINDS[turn % KINDS.len()];
        turn += 1;
        let mut seeded = Seeded(turn as u64);
        let blocks = rows * columns / kind.elements;
        let bytes = (0..blocks).flat_map(|_| seeded.bytes(kind)).collect();
        file.tensor(name, &[rows, columns], kind.number, bytes)
    };
    let mut file = add(base("llama", WIDE, WIDE), "token_embd.weight", VOCABULARY, WIDE);
    file = add(file, "output.weight", VOCABULARY, WIDE);
    for layer in 0..2 {
        for (name, rows) in [
            ("attn_q", WIDE),
            ("attn_k", WIDE / 2),
            ("attn_v", WIDE / 2),
            ("attn_output", WIDE),
            ("ffn_gate", WIDE),
            ("ffn_up", WIDE),
            ("ffn_down", WIDE),
        ] {
            file = add(file, &format!("blk.{layer}.{name}.weight"), rows, WIDE);
        }
    }
    file
}

/// Adds a matrix of random blocks.
fn matrix(file: File, name: &str, kind: u32, rows: usize, columns: usize) -> File {
    let mut seeded = Seeded(name.bytes().fold(7, |seed, byte| seed * 31 + u64::from(byte)));
    let bytes = (0..rows * columns / 32).flat_map(|_| seeded.block(kind)).collect();
    file.tensor(name, &[rows, columns], kind, bytes)
}

/// The metadata and norms of a model of two layers.
fn base(architecture: &str, hidden: usize, inner: usize) -> File {
    let key = |field: &str| format!("{architecture}.{field}");
    let ones =
        |count: usize| -> Vec<f32> { (0..count).map(|at| 1.0 + at as f32 / 100.0).collect() };
    let mut file = File::new()
        .set("general.architecture", architecture)
        .set(&key("block_count"), 2)
        .set(&key("embedding_length"), hidden as u32)
        .set(&key("feed_forward_length"), inner as u32)
        .set(&key("attention.head_count"), 2)
        .set(&key("attention.head_count_kv"), 1)
        .set(&key("attention.layer_norm_rms_epsilon"), 1e-5f32)
        .set(&key("context_length"), CONTEXT as u32)
        .tensor_f32("output_norm.weight", &[hidden], &ones(hidden));
    for layer in 0..2 {
        for norm in ["attn_norm", "ffn_norm"] {
            let name = format!("blk.{layer}.{norm}.weight");
            file = file.tensor_f32(&name, &[hidden], &ones(hidden));
        }
    }
    file
}

/// llama with rotary rows in Q4_1 and Q4_0, siblings of one format and of two, one matrix in f16.
fn llama(tied: bool) -> File {
    let mut file =
        matrix(base("llama", HIDDEN, INNER), "token_embd.weight", Q8_0, VOCABULARY, HIDDEN);
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
    let mut file =
        matrix(base("phi3", HIDDEN, INNER), "token_embd.weight", Q4_0, VOCABULARY, HIDDEN)
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

/// Q4_0 and Q8_0.
fn middle(bits: u8) -> BlockLayout {
    BlockLayout {
        code: BlockCode::Unsigned(bits),
        group: 32,
        scale: BlockScale::F16,
        form: BlockForm::Middle,
        row_scale: false,
    }
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
fn every_format_of_gguf_is_kept() {
    let opened = open(&every_kind());
    let traced = opened.traced(TraceOptions { fuse_siblings: false, ..BLOCKS });
    let mut found: Vec<String> = Vec::new();
    for weight in traced.weights.iter().filter(|weight| weight.shape.len() == 2) {
        let formats = opened.model.stored_formats(weight).join(", ");
        found.push(format!("{formats} as {}", weight.layout));
    }
    for kind in KINDS {
        let expected = format!("{} as blocks {}", kind.name, kind.kept);
        assert!(found.contains(&expected), "{expected}: {found:#?}");
    }
}

#[test]
fn a_tied_head_reads_the_tables_blocks() {
    let opened = open(&llama(true));
    let traced = opened.traced(BLOCKS);
    let table = layout_of(&traced, "model.embed_tokens.weight");
    let layout = middle(8);
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
    for (file, expected) in [(llama(false), 10), (llama(true), 9), (phi3(), 10), (every_kind(), 16)]
    {
        let opened = open(&file);
        assert_eq!(check_tiles(&opened.model, &opened.checkpoint), expected);
    }
}

#[test]
fn a_model_computes_with_blocks_what_it_computes_with_their_values() {
    for (name, file) in [
        ("llama", llama(false)),
        ("tied", llama(true)),
        ("phi3", phi3()),
        ("every kind", every_kind()),
    ] {
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
        reading: Reading::default(),
        quantize: None,
    };
    let parts: Vec<Part> = parts.iter().map(part).collect();
    let rows = parts.iter().map(Part::row_count).sum();
    let layout = middle(4);
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
    // The second begins a tile, which a weight of 37 rows has no room for.
    refused(&inside, &["joined", "v_proj.weight", "32 rows", "from row 16", "within 37"]);
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
