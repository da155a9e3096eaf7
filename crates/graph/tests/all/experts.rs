//! Mixtures of experts: by definition and by decomposition they are one, in seeded worlds, and
//! every choice is the one that the documentation of `Op` names.

use crate::common;
use crate::common::{
    World, apply, assert_close, check_composite as check, f32s, i32s, named, one_op, run,
};
use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{
    BlockCode, BlockForm, BlockLayout, BlockScale, DType, Groups, Layout, Op, decompose,
};

/// `top_k` by definition, after comparing with its decomposition.
#[track_caller]
fn top_k(k: usize, scores: &Tensor) -> Vec<i64> {
    top_k_of(k, None, scores)
}

/// The same, of the best groups.
#[track_caller]
fn top_k_of(k: usize, groups: Option<Groups>, scores: &Tensor) -> Vec<i64> {
    let graph = one_op(Op::TopK { k, groups }, &[scores.ty()]).expect("scores of floats");
    let primitive = decompose(&graph, |_| false).expect("a decomposition");
    let found = run(&graph, std::slice::from_ref(scores)).expect("runs");
    let decomposed = run(&primitive, std::slice::from_ref(scores)).expect("runs");
    assert_eq!(found, decomposed, "top {k} in {groups:?} of {scores:?}");
    found.as_integers().expect("ids").to_vec()
}

#[test]
fn the_largest_come_first_and_of_equal_ones_the_lower_index() {
    let scores = f32s(&[2, 5], &[1.0, 3.0, -2.0, 3.0, 0.5, 7.0, 7.0, 7.0, 7.0, 8.0]);
    assert_eq!(top_k(3, &scores), [1, 3, 0, 4, 0, 1]);
    assert_eq!(top_k(5, &scores), [1, 3, 0, 4, 2, 4, 0, 1, 2, 3]);
    assert_eq!(top_k(1, &scores), [1, 4]);
    let zeros = f32s(&[1, 3], &[-0.0, 0.0, -0.0]);
    assert_eq!(top_k(3, &zeros), [0, 1, 2]);
}

#[test]
fn infinities_and_nans_have_a_place() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let scores = f32s(&[3, 4], &[-inf, nan, inf, 1.0, -inf, -inf, -inf, -inf, 2.0, -nan, 9.0, nan]);
    assert_eq!(top_k(4, &scores), [1, 2, 3, 0, 0, 1, 2, 3, 1, 3, 2, 0]);
}

#[test]
fn top_k_in_seeded_worlds() {
    for seed in 0..300 {
        let mut world = World::new(seed);
        let (rows, columns) = (world.below(4), 1 + world.below(12));
        // Few values, so that many are equal.
        let values: Vec<f32> = (0..rows * columns).map(|_| world.below(5) as f32 - 2.0).collect();
        let k = 1 + world.below(columns);
        let ids = top_k(k, &f32s(&[rows, columns], &values));
        for (ids, values) in ids.chunks(k).zip(values.chunks(columns)) {
            let order = |id: &i64| (std::cmp::Reverse(values[*id as usize] as i64), *id);
            assert!(ids.is_sorted_by(|a, b| order(a) < order(b)), "seed {seed}: {ids:?}");
            let last = order(&ids[k - 1]);
            let above = (0..columns as i64).filter(|id| order(id) <= last).count();
            assert_eq!(above, k, "seed {seed}: no other is larger than the last");
        }
    }
}

#[test]
fn only_scores_of_the_best_groups_are_chosen() {
    let scores = f32s(&[1, 6], &[9.0, 0.0, 5.0, 6.0, 4.0, 4.0]);
    let groups = |kept, best| Some(Groups { count: 3, kept, best });
    // By the best of each the first group wins; by the sum of two the second does.
    assert_eq!(top_k_of(2, groups(1, 1), &scores), [0, 1]);
    assert_eq!(top_k_of(2, groups(1, 2), &scores), [3, 2]);
    assert_eq!(top_k_of(3, groups(2, 2), &scores), [0, 3, 2]);
    // Of equal groups the lower one.
    let equal = f32s(&[1, 6], &[0.0, 1.0, 2.0, 2.0, 1.0, 3.0]);
    assert_eq!(top_k_of(2, groups(1, 2), &equal), [2, 3]);
    // An infinity less an infinity is as large as an infinity.
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let odd = f32s(&[1, 6], &[1.0, 1.0, nan, -inf, -inf, inf]);
    assert_eq!(top_k_of(2, groups(1, 2), &odd), [2, 3]);
}

#[test]
fn groups_in_seeded_worlds() {
    for seed in 0..300 {
        let mut world = World::new(seed);
        let (rows, count, size) = (world.below(4), 1 + world.below(4), 1 + world.below(4));
        let columns = count * size;
        let kept = 1 + world.below(count);
        let groups = Groups { count, kept, best: 1 + world.below(size) };
        let k = 1 + world.below(kept * size);
        let values: Vec<f32> = (0..rows * columns).map(|_| world.below(9) as f32 - 2.0).collect();
        let ids = top_k_of(k, Some(groups), &f32s(&[rows, columns], &values));
        for ids in ids.chunks(k) {
            let mut found: Vec<i64> = ids.iter().map(|id| id / size as i64).collect();
            found.sort_unstable();
            found.dedup();
            assert!(found.len() <= kept, "seed {seed}: {ids:?} in {groups:?}");
        }
    }
}

/// Distinct ids below `experts`, `k` for each token.
fn ids(world: &mut World, tokens: usize, k: usize, experts: usize) -> Tensor {
    let rows = (0..tokens).flat_map(|_| world.shuffled(experts).into_iter().take(k));
    i32s(&[tokens, k], &rows.collect::<Vec<i64>>())
}

#[test]
fn take_along() {
    for seed in 0..100 {
        let mut world = World::new(seed);
        let (rows, columns) = (world.below(4), 1 + world.below(6));
        let k = 1 + world.below(columns);
        let x = world.floats(DType::F32, &[rows, columns]);
        let ids = ids(&mut world, rows, k, columns);
        let found = check(Op::TakeAlong, &[x.clone(), ids.clone()], 0.0, &format!("seed {seed}"));
        let expected = ids.as_integers().expect("ids").iter().enumerate();
        let x = x.as_floats().expect("floats");
        let expected: Vec<f32> =
            expected.map(|(at, id)| x[at / k * columns + *id as usize]).collect();
        assert_eq!(found.as_floats(), Some(&expected[..]), "seed {seed}");
    }
}

#[test]
fn an_id_beyond_the_end_is_an_error() {
    let x = f32s(&[1, 2], &[1.0, 2.0]);
    let beyond = i32s(&[1, 1], &[2]);
    assert!(apply(Op::TakeAlong, &[x.clone(), beyond.clone()]).is_err());
    let w = f32s(&[2, 2], &[0.0; 4]);
    let op = Op::ExpertLinear { layout: Layout::RowMajor, experts: 2, rows: 1 };
    assert!(apply(op, &[x, w, beyond]).is_err());
}

/// Rows or tiles, and a number of columns that the tiles divide.
fn layout_and_columns(world: &mut World) -> (Layout, usize) {
    let (tile, depth) = (1 + world.below(4), 1 + world.below(3));
    let columns = depth * (1 + world.below(4));
    let layout = match world.below(2) {
        0 => Layout::RowMajor,
        _ => Layout::Tiled { n: tile, k: depth },
    };
    (layout, columns)
}

#[test]
fn expert_linear() {
    for seed in 0..200 {
        let mut world = World::new(seed);
        let (experts, rows) = (1 + world.below(5), 1 + world.below(7));
        let (layout, columns) = layout_and_columns(&mut world);
        let dtype = world.one_of(&[DType::F32, DType::BF16, DType::F16]);
        let (tokens, k) = (world.below(5), 1 + world.below(experts));
        let shape = layout.stacked_shape(experts, rows, columns).expect("columns divide");
        let w = world.floats(dtype, &shape);
        let each =
            if world.below(2) == 0 { vec![tokens, columns] } else { vec![tokens, k, columns] };
        let x = world.floats(DType::F32, &each);
        let ids = ids(&mut world, tokens, k, experts);
        let op = Op::ExpertLinear { layout, experts, rows };
        check(op, &[x, w, ids], 1e-6, &format!("seed {seed}: {dtype} {layout} {each:?}"));
    }
}

/// What the product with experts gives when every token has all of them, in their order.
#[test]
fn head_linear() {
    for seed in 0..100 {
        let mut world = World::new(seed);
        let (heads, rows) = (1 + world.below(5), 1 + world.below(7));
        let (layout, columns) = layout_and_columns(&mut world);
        let dtype = world.one_of(&[DType::F32, DType::BF16, DType::F16]);
        let tokens = world.below(5);
        let shape = layout.stacked_shape(heads, rows, columns).expect("columns divide");
        let w = world.floats(dtype, &shape);
        let x = world.floats(DType::F32, &[tokens, heads, columns]);
        let what = format!("seed {seed}: {dtype} {layout}");
        let op = Op::HeadLinear { layout, rows };
        let found = check(op, &[x.clone(), w.clone()], 1e-6, &what);
        let all: Vec<i64> = (0..tokens).flat_map(|_| 0..heads as i64).collect();
        let op = Op::ExpertLinear { layout, experts: heads, rows };
        let ids = i32s(&[tokens, heads], &all);
        let expected = apply(op, &[x, w, ids]).expect("runs");
        assert_eq!(found.as_floats(), expected.as_floats(), "{what}");
    }
}

/// Each row of the result is what the product with that expert's matrix alone gives.
#[test]
fn every_row_meets_its_own_matrix() {
    let mut world = World::new(5);
    let layout = Layout::Tiled { n: 4, k: 1 };
    let (experts, rows, columns) = (3, 6, 5);
    let x = world.floats(DType::F32, &[2, 2, columns]);
    let w = world.floats(DType::F32, &layout.stacked_shape(experts, rows, columns).expect("fits"));
    let chosen = [2, 0, 1, 2];
    let op = Op::ExpertLinear { layout, experts, rows };
    let ids = i32s(&[2, 2], &chosen);
    let found = check(op, &[x.clone(), w.clone(), ids], 1e-6, "");
    let matrix = layout.stored_shape(rows, columns).expect("fits");
    let size: usize = matrix.iter().product();
    for (at, expert) in chosen.into_iter().enumerate() {
        let w = f32s(&matrix, &w.as_floats().expect("floats")[expert as usize * size..][..size]);
        let x = f32s(&[1, columns], &x.as_floats().expect("floats")[at * columns..][..columns]);
        let alone = apply(Op::Linear { layout, rows }, &[x, w]).expect("runs");
        let row = f32s(&[rows], &found.as_floats().expect("floats")[at * rows..][..rows]);
        assert_close(&row, alone.as_floats().expect("floats"), 0.0, &format!("row {at}"));
    }
}

#[test]
fn experts_in_blocks_have_no_decomposition() {
    let blocks = BlockLayout {
        code: BlockCode::Unsigned(4),
        group: 32,
        scale: BlockScale::F16,
        form: BlockForm::Middle,
        row_scale: false,
    };
    let layout = Layout::Blocks(blocks);
    let stored = layout.stacked_shape(2, 3, 32).expect("columns divide");
    let types = [
        common::ty("f32[1, 32]"),
        tyto_graph::TensorType::new(DType::U8, stored),
        common::ty("i32[1, 1]"),
    ];
    let graph = one_op(Op::ExpertLinear { layout, experts: 2, rows: 3 }, &types).expect("fits");
    let error = decompose(&graph, |_| false).expect_err("blocks").to_string();
    assert!(error.contains("expert_linear") && error.contains("blocks"), "{error}");
    let zeros = types.map(|ty| Tensor::zeros(ty.dtype, ty.shape.fixed().expect("fixed")));
    let y = evaluate(&graph, named(&zeros), &|_| None).expect("the interpreter reads blocks");
    assert_eq!(y["y"].as_floats(), Some(&[0.0; 3][..]));
}

#[test]
fn weighted_sum() {
    for seed in 0..50 {
        let mut world = World::new(seed);
        let (tokens, k, columns) = (world.below(4), 1 + world.below(4), 1 + world.below(5));
        let x = world.floats(DType::F32, &[tokens, k, columns]);
        let weights = world.floats(DType::F32, &[tokens, k]);
        check(Op::WeightedSum, &[x, weights], 1e-6, &format!("seed {seed}"));
    }
    let x = f32s(&[1, 2, 2], &[1.0, 2.0, 10.0, 20.0]);
    let y = check(Op::WeightedSum, &[x, f32s(&[1, 2], &[0.5, 2.0])], 0.0, "");
    assert_eq!(y.as_floats(), Some(&[20.5, 41.0][..]));
}
