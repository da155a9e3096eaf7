//! Composite ops but attention: by definition and by decomposition they are one, in seeded worlds, and
//! they are what transformers 5.24 computes, where that is written down.

use crate::common;
use crate::common::{
    FLOAT_TYPES, World, assert_close, bools, check_composite as check, f32s, i32s, one_op,
};
use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{DType, Layout, Op, RopeScaling, RopeTable, TensorType, Unary, decompose};

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
        let dtype = world.one_of(&FLOAT_TYPES);
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
        let dtype = world.one_of(&FLOAT_TYPES);
        let w = stored(&mut world, dtype, layout, rows, columns);
        let ids: Vec<i64> = (0..world.below(6)).map(|_| world.below(rows) as i64).collect();
        let context = format!("seed {seed}: {dtype} [{rows}, {columns}] {layout} {ids:?}");
        check(Op::Embedding { layout, rows }, &[w, i32s(&[ids.len()], &ids)], 0.0, &context);
    }
}

/// A norm with weights, of rows of random shapes.
fn check_norm(norm: impl Fn(f32) -> Op, tolerance: f32) {
    for seed in 0..100 {
        let mut world = World::new(seed);
        let rank = 1 + world.below(3);
        let shape: Vec<usize> = (0..rank).map(|_| 1 + world.below(5)).collect();
        let x = world.floats(DType::F32, &shape);
        let dtype = world.one_of(&[DType::F32, DType::F16, DType::BF16]);
        let w = world.floats(dtype, &shape[rank - 1..]);
        let op = norm(world.one_of(&[0.0, 1.0]));
        check(op, &[x, w], tolerance, &format!("seed {seed}: {shape:?}"));
    }
}

#[test]
fn rms_norm() {
    check_norm(|offset| Op::RmsNorm { epsilon: 1e-5, offset }, 1e-6);
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

#[test]
fn layer_norm() {
    check_norm(|offset| Op::LayerNorm { epsilon: 1e-2, offset }, 1e-5);
}

/// `torch.nn.functional.layer_norm` gives these numbers.
#[test]
fn layer_norm_is_that_of_torch() {
    let x = f32s(&[1, 4], &[1.0, -2.0, 3.0, 0.5]);
    let w = f32s(&[4], &[0.5, -0.25, 0.0, 1.0]);
    let plain = Op::LayerNorm { epsilon: 1e-5, offset: 0.0 };
    let expected = [0.1052792, 0.3684772, 0.0, -0.0701861];
    assert_close(&check(plain, &[x.clone(), w.clone()], 1e-6, "plain"), &expected, 1e-6, "plain");
    let nemotron = Op::LayerNorm { epsilon: 1e-5, offset: 1.0 };
    let expected = [0.3158376, -1.1054315, 1.3335365, -0.1403723];
    assert_close(&check(nemotron, &[x, w], 1e-6, "nemotron"), &expected, 1e-6, "nemotron");
}

/// By its definition it is exact, by its decomposition and in kernels nearly.
#[test]
fn the_error_function() {
    let x = [-7.0, -3.5, -2.9, -1.0, -0.3, 0.0, 1e-3, 0.5, 1.0, 2.0, 3.1, 5.0, 9.0];
    let expected = [
        -1.0,
        -0.999_999_3,
        -0.999_958_9,
        -0.842_700_8,
        -0.328_626_75,
        0.0,
        0.001_128_379,
        0.520_499_9,
        0.842_700_8,
        0.995_322_3,
        0.999_988_4,
        1.0,
        1.0,
    ];
    let x = f32s(&[13], &x);
    let exact = check(Op::Unary(Unary::Erf), &[x], 5e-7, "erf");
    assert_close(&exact, &expected, 6e-8, "exact");
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
    let scores = [low, low, 7.0, low, low + 1.0, 7.0, f32::NEG_INFINITY, 2.0, 7.0];
    let mask = [1, 1, 0, 0, 0, 0, 1, 1, 0];
    let operands = [f32s(&[3, 3], &scores), bools(&[3, 3], &mask)];
    let weights = check(Op::MaskedSoftmax, &operands, 0.0, "low");
    assert_eq!(weights.as_floats(), Some(&[0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0][..]));
}

/// An overflow is not hidden: shown scores that are all -inf give NaN, as in transformers.
#[test]
fn softmax_of_overflowed_scores_is_nan_where_it_is_shown() {
    let operands = [f32s(&[1, 3], &[f32::NEG_INFINITY; 3]), bools(&[1, 3], &[1, 1, 0])];
    let types: Vec<TensorType> = operands.iter().map(Tensor::ty).collect();
    let graph = common::one_op(Op::MaskedSoftmax, &types).expect("fits");
    for graph in [decompose(&graph, |_| false).expect("verifies"), graph] {
        let outputs = evaluate(&graph, common::named(&operands), &|_| None).expect("evaluates");
        let weights = outputs["y"].as_floats().expect("floats");
        assert!(weights[0].is_nan() && weights[1].is_nan() && weights[2] == 0.0, "{weights:?}");
    }
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
