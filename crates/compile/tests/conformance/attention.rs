//! Cases of attention over the paged cache.

use tyto_graph::{AttentionAttrs, DType, InputKind, Op};

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
    pub dtype: DType,
    pub window: Option<usize>,
    pub soft_cap: Option<f32>,
}

/// SmolLM2's heads over its smallest bucket, one sequence, one query.
pub const SMOLLM2: Shape = Shape {
    name: "smollm2",
    step: (1, 1),
    heads: (9, 3, 64),
    context: 512,
    dtype: DType::BF16,
    window: None,
    soft_cap: None,
};

/// A small model's: four heads on two, sixteen wide.
const SMALL: Shape = Shape {
    name: "small",
    step: (2, 3),
    heads: (4, 2, 16),
    context: 64,
    dtype: DType::F32,
    window: None,
    soft_cap: None,
};

/// Every shape that is checked.
pub fn shapes() -> Vec<Shape> {
    let mut shapes = vec![
        Shape { name: "small_f32", ..SMALL },
        Shape { name: "small_bf16", dtype: DType::BF16, ..SMALL },
        Shape { name: "small_f16", dtype: DType::F16, ..SMALL },
        Shape { name: "small_decode", step: (4, 1), ..SMALL },
        Shape { name: "small_window", window: Some(5), ..SMALL },
        Shape { name: "small_cap", soft_cap: Some(1.5), ..SMALL },
        Shape { name: "small_window_cap", window: Some(9), soft_cap: Some(20.0), ..SMALL },
        Shape { name: "ungrouped", heads: (3, 3, 12), ..SMALL },
        Shape { name: "one_key_head", heads: (4, 1, 24), dtype: DType::BF16, ..SMALL },
        Shape { name: "smollm2_f32", dtype: DType::F32, ..SMOLLM2 },
        Shape { name: "smollm2_f16", dtype: DType::F16, ..SMOLLM2 },
        Shape { name: "smollm2_window", window: Some(100), ..SMOLLM2 },
    ];
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
    let cache = [blocks, BLOCK, groups, width];
    let keys = new.cache(shape.dtype, &cache, InputKind::Plain);
    let values = new.cache(shape.dtype, &cache, InputKind::Plain);
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
    let attrs = AttentionAttrs { scale, window, soft_cap, alibi: None, chunk: None, kv: None };
    let mixed = new.add(Op::PagedAttention(attrs), &[q, keys, values, tables, positions]);
    // A weight that lies between two values of the cache's type may round either way.
    let tolerance = match shape.dtype {
        DType::F32 => 1e-5,
        DType::F16 => 1e-3,
        _ => 8e-3,
    };
    new.returns(mixed, tolerance)
}
