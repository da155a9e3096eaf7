//! Composite ops: by definition and by decomposition they are one, in seeded worlds, and
//! they are what transformers 5.24 computes, where that is written down.

mod common;

use common::{World, apply, assert_close, bools, f32s, i32s, named, one_op};
use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{
    AttentionAttrs, DType, Graph, Layout, Op, RopeScaling, RopeTable, TensorType, decompose,
};

const CACHE_TYPES: [DType; 5] = [DType::F32, DType::F16, DType::BF16, DType::F8E4M3, DType::F8E5M2];

/// Evaluates `op` by its definition and by its decomposition; gives the former.
#[track_caller]
fn check(op: Op, operands: &[Tensor], tolerance: f32, context: &str) -> Tensor {
    let types: Vec<TensorType> = operands.iter().map(Tensor::ty).collect();
    let graph = one_op(op, &types).unwrap_or_else(|error| panic!("{context}: {error}"));
    let primitive = decompose(&graph, |_| false).expect("the graph verifies");
    let run = |graph: &Graph| {
        let outputs = evaluate(graph, named(operands), &|_| None);
        outputs.unwrap_or_else(|error| panic!("{context}: {error}")).remove("y").expect("y")
    };
    let (direct, decomposed) = (run(&graph), run(&primitive));
    assert_eq!(direct.ty(), decomposed.ty(), "{context}");
    let expected = direct.as_floats().expect("composites give floats");
    assert_close(&decomposed, expected, tolerance, context);
    direct
}

/// Relative spacing of a type: two roundings of nearly one value may differ by it.
fn spacing(dtype: DType) -> f32 {
    match dtype {
        DType::F16 => 1.0 / 1024.0,
        DType::BF16 => 1.0 / 128.0,
        DType::F8E4M3 => 1.0 / 8.0,
        DType::F8E5M2 => 1.0 / 4.0,
        _ => 1e-5,
    }
}

/// A `[rows, columns]` matrix of `dtype` as `layout` stores it. The padding is not zero:
/// nothing may depend on it.
fn stored(world: &mut World, dtype: DType, layout: Layout, rows: usize, columns: usize) -> Tensor {
    let shape = layout.stored_shape(rows, columns).expect("columns divide into tiles");
    world.floats(dtype, &shape)
}

fn layouts(world: &mut World) -> (Layout, usize, usize) {
    let (rows, columns) = (1 + world.below(9), 1 + world.below(6));
    let (n, k) = (1 + world.below(4), 1 + world.below(4));
    match world.below(2) {
        0 => (Layout::RowMajor, rows, columns),
        _ => (Layout::Tiled { n, k }, rows, columns * k),
    }
}

#[test]
fn linear() {
    for seed in 0..200 {
        let mut world = World::new(seed);
        let (layout, rows, columns) = layouts(&mut world);
        let dtype = world.one_of(&CACHE_TYPES);
        let tokens = world.below(4);
        let x = world.floats(DType::F32, &[tokens, columns]);
        let w = stored(&mut world, dtype, layout, rows, columns);
        let context = format!("seed {seed}: {dtype} [{rows}, {columns}] {layout}");
        check(Op::Linear { layout, rows }, &[x, w], 1e-6, &context);
    }
}

#[test]
fn linear_rounds_x_to_the_weight_type() {
    let x = f32s(&[1, 2], &[1.0 + 1.0 / 512.0, 3.0]);
    let w = Tensor::floats(DType::BF16, [3, 2], [1.0, 0.0, 0.0, 1.0, 2.0, -1.0]).expect("6 values");
    let y = check(Op::Linear { layout: Layout::RowMajor, rows: 3 }, &[x, w], 0.0, "");
    assert_eq!(y.as_floats(), Some(&[1.0, 3.0, -1.0][..]));
}

#[test]
fn tiles_are_read_in_order() {
    // Rows 0 to 4 of [5, 4] hold 10 × row + column; the sixth is padding.
    let layout = Layout::Tiled { n: 2, k: 2 };
    let mut tiles = Vec::new();
    for (row_tile, column_tile) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)] {
        for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let (row, column) = (row_tile * 2 + row, column_tile * 2 + column);
            tiles.push(if row == 5 { 99.0 } else { (10 * row + column) as f32 });
        }
    }
    let w = f32s(&[3, 2, 2, 2], &tiles);
    let rows = check(
        Op::Embedding { layout, rows: 5 },
        &[w.clone(), i32s(&[3], &[4, 0, 3])],
        0.0,
        "embedding",
    );
    let expected = [40.0, 41.0, 42.0, 43.0, 0.0, 1.0, 2.0, 3.0, 30.0, 31.0, 32.0, 33.0];
    assert_eq!(rows.as_floats(), Some(&expected[..]));
    let x = f32s(&[1, 4], &[0.0, 0.0, 1.0, 0.0]);
    let y = check(Op::Linear { layout, rows: 5 }, &[x, w], 0.0, "linear");
    assert_eq!(y.as_floats(), Some(&[2.0, 12.0, 22.0, 32.0, 42.0][..]));
}

#[test]
fn embedding() {
    for seed in 0..200 {
        let mut world = World::new(seed);
        let (layout, rows, columns) = layouts(&mut world);
        let dtype = world.one_of(&CACHE_TYPES);
        let w = stored(&mut world, dtype, layout, rows, columns);
        let ids: Vec<i64> = (0..world.below(6)).map(|_| world.below(rows) as i64).collect();
        let context = format!("seed {seed}: {dtype} [{rows}, {columns}] {layout} {ids:?}");
        check(Op::Embedding { layout, rows }, &[w, i32s(&[ids.len()], &ids)], 0.0, &context);
    }
}

#[test]
fn rms_norm() {
    for seed in 0..100 {
        let mut world = World::new(seed);
        let rank = 1 + world.below(3);
        let shape: Vec<usize> = (0..rank).map(|_| 1 + world.below(5)).collect();
        let x = world.floats(DType::F32, &shape);
        let dtype = world.one_of(&[DType::F32, DType::F16, DType::BF16]);
        let w = world.floats(dtype, &shape[rank - 1..]);
        let op = Op::RmsNorm { epsilon: 1e-5, offset: world.one_of(&[0.0, 1.0]) };
        check(op, &[x, w], 1e-6, &format!("seed {seed}: {shape:?}"));
    }
}

#[test]
fn rms_norm_is_that_of_llama_and_of_gemma() {
    let x = f32s(&[1, 4], &[1.0, -2.0, 3.0, 0.5]);
    let w = f32s(&[4], &[0.5, -0.25, 0.0, 1.0]);
    let llama = Op::RmsNorm { epsilon: 1e-5, offset: 0.0 };
    let expected = [0.264_906_08, 0.264_906_08, 0.0, 0.264_906_08];
    assert_close(&check(llama, &[x.clone(), w.clone()], 1e-6, "llama"), &expected, 1e-6, "llama");
    let gemma = Op::RmsNorm { epsilon: 1e-6, offset: 1.0 };
    let expected = [0.794_719_34, -0.794_719_34, 1.589_438_7, 0.529_812_9];
    assert_close(&check(gemma, &[x, w], 1e-6, "gemma"), &expected, 1e-6, "gemma");
}

fn scalings(world: &mut World, pairs: usize) -> RopeScaling {
    let boundary = 1 + world.below(20);
    let factor = f64::from(1.0 + world.float().abs());
    match world.below(3) {
        0 => RopeScaling::Fixed,
        1 => {
            let long = (0..pairs).map(|_| world.float().abs()).collect();
            RopeScaling::LongBeyond { boundary, long }
        }
        _ => RopeScaling::DynamicNtk { base: 1e4, factor, boundary },
    }
}

#[test]
fn rope_angles() {
    for seed in 0..300 {
        let mut world = World::new(seed);
        let pairs = 2 + world.below(4);
        let table = RopeTable {
            inverse_frequencies: (0..pairs).map(|_| world.float().abs()).collect(),
            amplitude: world.one_of(&[1.0, 1.25]),
            scaling: scalings(&mut world, pairs),
        };
        let tokens = world.below(6);
        // A padding position and no length are as good as any.
        let positions: Vec<i64> = (0..tokens).map(|_| world.below(41) as i64 - 1).collect();
        let lengths: Vec<i64> = (0..tokens).map(|_| world.below(41) as i64).collect();
        let mut operands = vec![i32s(&[tokens], &positions)];
        if table.needs_length() {
            operands.push(i32s(&[tokens], &lengths));
        }
        let context = format!("seed {seed}: {table:?} at {positions:?} of {lengths:?}");
        // Frequencies differ in their last bit, which a position multiplies.
        check(Op::RopeAngles(table), &operands, 4e-5, &context);
    }
}

/// `LlamaRotaryEmbedding` with head_dim 8, `max_position_embeddings` 16 and dynamic NTK of
/// factor 2.5: position 39 of 40 tokens, and position 15 of 16.
#[test]
fn dynamic_ntk_is_that_of_transformers() {
    let table = RopeTable {
        inverse_frequencies: vec![1.0, 0.1, 0.01, 0.001],
        amplitude: 1.0,
        scaling: RopeScaling::DynamicNtk { base: 10000.0, factor: 2.5, boundary: 16 },
    };
    let operands = [i32s(&[2], &[39, 15]), i32s(&[2], &[40, 16])];
    #[rustfmt::skip]
    let expected = [
        0.266_642_93, -0.681_103_1, 0.990_490_6, 0.999_966_3,
        -0.759_687_9, 0.070_737_2, 0.988_771_1, 0.999_887_5,
        0.963_795_36, 0.732_187_5, 0.137_580_17, 0.008_210_434,
        0.650_287_87, 0.997_495, 0.149_438_13, 0.014_999_438,
    ];
    let angles = check(Op::RopeAngles(table), &operands, 1e-5, "dynamic");
    assert_close(&angles, &expected, 1e-5, "dynamic");
}

#[test]
fn long_frequencies_begin_beyond_the_boundary() {
    let table = RopeTable {
        inverse_frequencies: vec![1.0],
        amplitude: 2.0,
        scaling: RopeScaling::LongBeyond { boundary: 4, long: vec![0.5] },
    };
    let operands = [i32s(&[3], &[3, 3, 3]), i32s(&[3], &[3, 4, 5])];
    let angles = check(Op::RopeAngles(table), &operands, 1e-6, "long");
    let (short, long) = (2.0 * 3f32.cos(), 2.0 * 1.5f32.cos());
    let (short_sine, long_sine) = (2.0 * 3f32.sin(), 2.0 * 1.5f32.sin());
    let expected = [short, short, long, short_sine, short_sine, long_sine];
    assert_close(&angles, &expected, 1e-6, "long");
}

#[test]
fn rope() {
    for seed in 0..100 {
        let mut world = World::new(seed);
        let (tokens, heads, pairs) = (world.below(4), 1 + world.below(3), 1 + world.below(4));
        let width = 2 * pairs + world.below(4);
        let x = world.floats(DType::F32, &[tokens, heads, width]);
        let angles = world.floats(DType::F32, &[2, tokens, pairs]);
        let context = format!("seed {seed}: {tokens} tokens, {heads} heads, {pairs} of {width}");
        check(Op::Rope, &[x, angles], 1e-6, &context);
    }
}

#[test]
fn rope_rotates_halves_and_keeps_the_rest() {
    // A quarter turn of pair 0, none of pair 1.
    let x = f32s(&[1, 1, 5], &[1.0, 2.0, 3.0, 4.0, 5.0]);
    let angles = f32s(&[2, 1, 2], &[0.0, 1.0, 1.0, 0.0]);
    let rotated = check(Op::Rope, &[x, angles], 0.0, "rope");
    assert_eq!(rotated.as_floats(), Some(&[-3.0, 2.0, 1.0, 4.0, 5.0][..]));
}

#[test]
fn masked_softmax() {
    for seed in 0..200 {
        let mut world = World::new(seed);
        let (rows, columns) = (1 + world.below(4), world.below(6));
        let scale = world.one_of(&[1.0, 50.0, 1e5, 1e38]);
        let scores: Vec<f32> = (0..rows * columns).map(|_| world.float() * scale).collect();
        let mask: Vec<i64> = (0..rows * columns).map(|_| world.below(2) as i64).collect();
        let operands = [f32s(&[rows, columns], &scores), bools(&[rows, columns], &mask)];
        check(Op::MaskedSoftmax, &operands, 1e-6, &format!("seed {seed}: {scores:?} {mask:?}"));
    }
}

/// Report E7: -inf - -inf, and real scores below a finite mask value.
#[test]
fn softmax_of_hidden_rows_and_of_very_low_scores() {
    let low = -1e5;
    let scores = [low, low, 7.0, low, low + 1.0, 7.0, f32::NEG_INFINITY, f32::NEG_INFINITY, 7.0];
    let mask = [1, 1, 0, 0, 0, 0, 1, 1, 0];
    let operands = [f32s(&[3, 3], &scores), bools(&[3, 3], &mask)];
    let weights = check(Op::MaskedSoftmax, &operands, 0.0, "low");
    assert_eq!(weights.as_floats(), Some(&[0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0][..]));
}

#[test]
fn softmax_shows_a_nan() {
    let scores = f32s(&[1, 2], &[f32::NAN, 1.0]);
    let graph = one_op(Op::MaskedSoftmax, &[scores.ty(), bools(&[1, 2], &[1, 1]).ty()]);
    let graph = graph.expect("the op fits");
    for graph in [decompose(&graph, |_| false).expect("verifies"), graph] {
        let weights = common::run(&graph, &[scores.clone(), bools(&[1, 2], &[1, 1])]);
        let weights = weights.expect("runs");
        assert!(weights.as_floats().is_some_and(|weights| weights.iter().all(|w| w.is_nan())));
    }
}

/// A paged cache: shuffled blocks, more of them than the tables name.
struct Paged {
    operands: Vec<Tensor>,
    context: String,
}

fn paged(seed: u64, dtype: DType) -> (Op, Paged) {
    let mut world = World::new(seed);
    let (rows, tokens, pages) = (1 + world.below(3), 1 + world.below(4), 1 + world.below(3));
    let (size, groups, of_group) = (1 + world.below(4), 1 + world.below(3), 1 + world.below(3));
    let (width, blocks) = (1 + world.below(5), rows * pages + world.below(3));
    let q = world.floats(DType::F32, &[rows * tokens, groups * of_group, width]);
    let keys = world.floats(dtype, &[blocks, size, groups, width]);
    let values = world.floats(dtype, &[blocks, size, groups, width]);
    let tables = world.shuffled(blocks)[..rows * pages].to_vec();
    let positions: Vec<i64> =
        (0..rows * tokens).map(|_| world.below(pages * size + 1) as i64 - 1).collect();
    let attrs = AttentionAttrs {
        // A power of two: scaled queries round alike in both forms.
        scale: world.one_of(&[0.5, 1.0]),
        window: [None, Some(1), Some(2), Some(1 + world.below(9)), Some(usize::MAX)]
            [world.below(5)],
        soft_cap: world.one_of(&[None, Some(2.0), Some(50.0)]),
    };
    let context = format!("seed {seed}: {attrs:?}, tables {tables:?}, positions {positions:?}");
    let tables = i32s(&[rows, pages], &tables);
    let positions = i32s(&[rows * tokens], &positions);
    (
        Op::PagedAttention(attrs),
        Paged { operands: vec![q, keys, values, tables, positions], context },
    )
}

#[test]
fn paged_attention() {
    for seed in 0..300 {
        for dtype in CACHE_TYPES {
            let (op, paged) = paged(seed, dtype);
            // Weights sum to 1 and values are below 2.
            let tolerance = 2.0 * spacing(dtype);
            let mixed =
                check(op, &paged.operands, tolerance, &format!("{dtype} {}", paged.context));
            assert!(mixed.as_floats().is_some_and(|mixed| mixed.iter().all(|v| v.is_finite())));
        }
    }
}

/// `((i × multiplier) mod modulus − modulus / 2) / 8`.
fn pattern(shape: &[usize], multiplier: usize, modulus: usize) -> Tensor {
    let count: usize = shape.iter().product();
    let value = |i: usize| ((i * multiplier % modulus) as f32 - (modulus / 2) as f32) / 8.0;
    f32s(shape, &(0..count).map(value).collect::<Vec<_>>())
}

/// Gemma 2's `eager_attention_forward` of five tokens: the last query's result, with a
/// window of 3 and a cap of 2, and with neither. The blocks are out of order here.
#[test]
fn attention_is_that_of_transformers() {
    let q = pattern(&[5, 4, 4], 7, 11);
    let last = f32s(&[1, 4, 4], &q.as_floats().expect("floats")[64..]);
    // Positions 0 and 1 in block 2, 2 and 3 in block 0, 4 in block 1.
    let order = [2, 3, 4, 4, 0, 1];
    let cache = |multiplier, modulus| {
        let rows = pattern(&[5, 8], multiplier, modulus);
        let rows = apply(Op::Take, &[rows, i32s(&[6], &order)]).expect("in range");
        f32s(&[3, 2, 2, 4], rows.as_floats().expect("floats"))
    };
    let operands = [last, cache(5, 13), cache(3, 17), i32s(&[1, 3], &[2, 0, 1]), i32s(&[1], &[4])];
    let capped = AttentionAttrs { scale: 0.5, window: Some(3), soft_cap: Some(2.0) };
    #[rustfmt::skip]
    let expected = [
        0.126_447_17, 0.003_868_818, -0.431_676_66, -0.056_676_656,
        0.225_794_26, -0.150_324_37, -0.464_940_97, -0.089_940_965,
        0.341_494_92, -0.061_104_74, 0.313_895_26, -0.070_910_38,
        0.260_835_98, -0.024_872_646, 0.350_127_34, 0.032_752_186,
    ];
    let mixed = check(Op::PagedAttention(capped), &operands, 1e-6, "capped");
    assert_close(&mixed, &expected, 1e-6, "capped");
    let plain = AttentionAttrs { scale: 0.5, window: None, soft_cap: None };
    #[rustfmt::skip]
    let expected = [
        -0.095_531_106, -0.057_394_087, -0.233_465_16, 0.141_534_84,
        -0.097_746_43, -0.165_005_48, -0.195_845_16, 0.179_154_81,
        0.148_071_29, 0.062_913_76, 0.008_999_765, -0.065_497_75,
        0.072_152_55, 0.022_837_77, 0.103_923_48, 0.034_245_387,
    ];
    let mixed = check(Op::PagedAttention(plain), &operands, 1e-6, "plain");
    assert_close(&mixed, &expected, 1e-6, "plain");
}

/// Scaled queries and weights are rounded to the cache's type, in both forms.
#[test]
fn attention_rounds_to_the_cache_type() {
    let attrs = AttentionAttrs { scale: 1.0, window: None, soft_cap: None };
    let bf16 = |shape: [usize; 4], values: &[f32]| {
        Tensor::floats(DType::BF16, shape, values.iter().copied()).expect("as many as the shape")
    };
    let attend = |q: &[f32], keys: &[f32], values: &[f32], size: usize| {
        let shape = [1, size, 1, 2];
        let last = i32s(&[1], &[size as i64 - 1]);
        let q = f32s(&[1, 1, 2], q);
        let operands = [q, bf16(shape, keys), bf16(shape, values), i32s(&[1, 1], &[0]), last];
        check(Op::PagedAttention(attrs), &operands, 0.0, "bf16")
    };
    // The query's excess of 1/512 over 1 is a score of 0.5 before rounding, 0 after.
    let mixed =
        attend(&[1.0 + 1.0 / 512.0, -1.0], &[256.0, 256.0, 0.0, 0.0], &[1.0, 0.0, 0.0, 1.0], 2);
    assert_eq!(mixed.as_floats(), Some(&[0.5, 0.5][..]));
    // A third in bf16.
    let values = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let mixed = attend(&[0.0, 0.0], &[0.0; 6], &values, 3);
    assert_eq!(mixed.as_floats(), Some(&[0.333_984_38, 0.333_984_38][..]));
}

#[test]
fn padding_queries_give_zeros() {
    let (op, mut paged) = paged(7, DType::F16);
    let queries = paged.operands[0].shape()[0];
    paged.operands[4] = i32s(&[queries], &vec![-1; queries]);
    let mixed = check(op, &paged.operands, 0.0, "padding");
    assert!(mixed.as_floats().is_some_and(|mixed| mixed.iter().all(|value| *value == 0.0)));
}

/// A row of a batch gets what it gets alone.
#[test]
fn rows_do_not_see_each_other() {
    for seed in 0..50 {
        let (op, paged) = paged(seed, DType::F32);
        let together = apply(op.clone(), &paged.operands).expect("runs");
        let [q, keys, values, tables, positions] = &paged.operands[..] else { unreachable!() };
        let (rows, pages) = (tables.shape()[0], tables.shape()[1]);
        let (tokens, row) = (q.shape()[0] / rows, q.shape()[1..].iter().product::<usize>());
        for index in 0..rows {
            let of_row = index * tokens..(index + 1) * tokens;
            let floats = of_row.start * row..of_row.end * row;
            let q = q.as_floats().expect("floats")[floats.clone()].to_vec();
            let tables = &tables.as_integers().expect("ids")[index * pages..(index + 1) * pages];
            let positions = &positions.as_integers().expect("ids")[of_row];
            let shape = [tokens, paged.operands[0].shape()[1], paged.operands[0].shape()[2]];
            let alone = [
                f32s(&shape, &q),
                keys.clone(),
                values.clone(),
                i32s(&[1, pages], tables),
                i32s(&[tokens], positions),
            ];
            let alone = apply(op.clone(), &alone).expect("runs");
            let expected = &together.as_floats().expect("floats")[floats];
            assert_eq!(alone.as_floats(), Some(expected), "{}", paged.context);
        }
    }
}
