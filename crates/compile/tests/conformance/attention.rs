//! Cases of attention over the paged cache.

use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{AttentionAttrs, DType, Dim, InputKind, KvCode, KvType, Op};

use crate::case::{Case, NewCase};

/// A step's shape and the heads of a model.
#[derive(Clone, Copy)]
pub struct Shape {
    pub name: &'static str,
    /// Sequences, and queries of each.
    pub step: (usize, usize),
    /// Query heads, key heads, width of a head.
    pub heads: (usize, usize, usize),
    pub context: usize,
    pub kv: KvType,
    pub window: Option<usize>,
    pub soft_cap: Option<f32>,
}

/// SmolLM2's heads over its smallest bucket, one sequence, one query.
pub const SMOLLM2: Shape = Shape {
    name: "smollm2",
    step: (1, 1),
    heads: (9, 3, 64),
    context: 512,
    kv: KvType::Float(DType::BF16),
    window: None,
    soft_cap: None,
};

/// A small model's: four heads on two, sixteen wide.
const SMALL: Shape = Shape {
    name: "small",
    step: (2, 3),
    heads: (4, 2, 16),
    context: 64,
    kv: KvType::Float(DType::F32),
    window: None,
    soft_cap: None,
};

/// Every shape that is checked.
pub fn shapes() -> Vec<Shape> {
    let mut shapes = vec![
        Shape { name: "small_f32", ..SMALL },
        Shape { name: "small_bf16", kv: DType::BF16.into(), ..SMALL },
        Shape { name: "small_f16", kv: DType::F16.into(), ..SMALL },
        Shape { name: "small_f8", kv: KvCode::E4M3.into(), ..SMALL },
        Shape { name: "small_decode", step: (4, 1), ..SMALL },
        Shape { name: "small_window", window: Some(5), ..SMALL },
        Shape { name: "small_cap", soft_cap: Some(1.5), ..SMALL },
        Shape { name: "small_window_cap", window: Some(9), soft_cap: Some(20.0), ..SMALL },
        Shape { name: "ungrouped", heads: (3, 3, 12), ..SMALL },
        Shape { name: "one_key_head", heads: (4, 1, 24), kv: DType::BF16.into(), ..SMALL },
        Shape { name: "smollm2_f32", kv: DType::F32.into(), ..SMOLLM2 },
        Shape { name: "smollm2_f16", kv: DType::F16.into(), ..SMOLLM2 },
        Shape { name: "smollm2_window", window: Some(100), ..SMOLLM2 },
    ];
    for (name, code, step) in [
        ("smollm2_q8_0_1x1", KvCode::Q8_0, (1, 1)),
        ("smollm2_q4_0_4x1", KvCode::Q4_0, (4, 1)),
        ("smollm2_f8_1x1", KvCode::E4M3, (1, 1)),
        ("smollm2_q8_0_1x32", KvCode::Q8_0, (1, 32)),
        ("smollm2_q4_0_1x31", KvCode::Q4_0, (1, 31)),
        ("smollm2_f8_1x32", KvCode::E4M3, (1, 32)),
    ] {
        shapes.push(Shape { name, step, kv: code.into(), ..SMOLLM2 });
    }
    for (name, step) in [
        ("smollm2_1x1", (1, 1)),
        ("smollm2_2x1", (2, 1)),
        ("smollm2_4x1", (4, 1)),
        ("smollm2_8x1", (8, 1)),
        ("smollm2_1x5", (1, 5)),
        ("smollm2_2x5", (2, 5)),
        ("smollm2_1x31", (1, 31)),
        ("smollm2_1x32", (1, 32)),
        ("smollm2_1x128", (1, 128)),
        ("smollm2_1x512", (1, 512)),
    ] {
        shapes.push(Shape { name, step, ..SMOLLM2 });
    }
    shapes
}

/// Positions in a block of the cache.
const BLOCK: usize = 16;

/// Blocks of the pool beyond those in use.
const SPARE: usize = 3;

/// Attention of random queries over a cache of random rows in shuffled blocks: sequences of
/// different length, and one query of padding where there is room.
pub fn case(shape: &Shape) -> Case {
    let mut new = NewCase::new(&format!("attention_{}", shape.name));
    let ((rows, tokens), (heads, groups, width)) = (shape.step, shape.heads);
    let pages = shape.context / BLOCK;
    let blocks = rows * pages + SPARE;
    let queries = rows * tokens;
    let q = new.floats(DType::F32, &[queries, heads, width], 2.0);
    let [keys, values] = [0, 1].map(|_| match shape.kv {
        KvType::Float(dtype) => new.cache(dtype, &[blocks, BLOCK, groups, width], InputKind::Plain),
        KvType::Code(code) => {
            let bytes = quantized(&mut new, code, [blocks, BLOCK, groups, width]);
            new.argument(bytes, Some(Dim::named("blocks", 1 << 24)))
        }
    });
    let tables = new.random.shuffled(blocks)[..rows * pages].to_vec();
    let mut positions = Vec::new();
    for _ in 0..rows {
        let first = new.random.below(shape.context - tokens + 1) as i64;
        positions.extend((0..tokens as i64).map(|token| first + token));
    }
    if queries > 2 {
        positions[queries - 1] = -1;
    }
    let tables = new.these(&[rows, pages], tables);
    let positions = new.these(&[queries], positions);
    let scale = (width as f32).sqrt().recip();
    let (window, soft_cap) = (shape.window, shape.soft_cap);
    let kv = shape.kv.code();
    let attrs = AttentionAttrs { scale, window, soft_cap, alibi: None, chunk: None, kv };
    let mixed = new.add(Op::PagedAttention(attrs), &[q, keys, values, tables, positions]);
    // A weight that lies between two values of the cache's type may round either way.
    let tolerance = match shape.kv {
        KvType::Float(DType::F32) | KvType::Code(_) => 1e-5,
        KvType::Float(DType::F16) => 1e-3,
        _ => 8e-3,
    };
    new.returns(mixed, tolerance)
}

/// Random rows as a cache of codes holds them.
fn quantized(new: &mut NewCase, code: KvCode, [blocks, size, groups, width]: [usize; 4]) -> Tensor {
    let values: Vec<f32> =
        (0..blocks * size * groups * width).map(|_| new.random.float(1.0)).collect();
    let mut rows = NewCase::new("rows");
    let x = rows.these_floats(&[blocks * size, groups, width], values);
    let bytes = rows.add(Op::QuantizeKv(code), &[x]);
    let rows = rows.returns(bytes, 0.0);
    let mut results = evaluate(&rows.graph, rows.inputs.clone(), &|_| None).expect("evaluates");
    let bytes = results.remove("result").expect("a result");
    let shape = [blocks, size, groups, code.row_bytes(width).expect("whole groups")];
    let bytes = bytes.as_integers().expect("bytes").to_vec();
    Tensor::integers(DType::U8, shape, bytes).expect("sizes fit")
}
