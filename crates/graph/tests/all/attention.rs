//! Attention over the paged cache: by definition and by decomposition it is one, in seeded
//! worlds, and it is what transformers 5.24 computes.

use crate::common::{
    FLOAT_TYPES, World, apply, assert_close, check_composite as check, f32s, i32s, named, one_op,
};
use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{Alibi, AttentionAttrs, DType, KvCode, Op, decompose};

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
        alibi: world.one_of(&[None, Some(Alibi { exponent: 8.0, factor: 0.5 })]),
        chunk: world.one_of(&[None, Some(1), Some(3), Some(usize::MAX)]),
        kv: None,
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
        for dtype in FLOAT_TYPES {
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
    let capped = AttentionAttrs {
        scale: 0.5,
        window: Some(3),
        soft_cap: Some(2.0),
        alibi: None,
        chunk: None,
        kv: None,
    };
    #[rustfmt::skip]
    let expected = [
        0.126_447_17, 0.003_868_818, -0.431_676_66, -0.056_676_656,
        0.225_794_26, -0.150_324_37, -0.464_940_97, -0.089_940_965,
        0.341_494_92, -0.061_104_74, 0.313_895_26, -0.070_910_38,
        0.260_835_98, -0.024_872_646, 0.350_127_34, 0.032_752_186,
    ];
    let mixed = check(Op::PagedAttention(capped), &operands, 1e-6, "capped");
    assert_close(&mixed, &expected, 1e-6, "capped");
    let plain = AttentionAttrs {
        scale: 0.5,
        window: None,
        soft_cap: None,
        alibi: None,
        chunk: None,
        kv: None,
    };
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

/// The last of five queries with chunks of three sees its own and the one before, as with a window of
/// two; the third sees all three of the first chunk.
#[test]
fn a_query_sees_its_own_chunk() {
    let cache = |multiplier, modulus| {
        let rows = pattern(&[6, 8], multiplier, modulus);
        f32s(&[3, 2, 2, 4], rows.as_floats().expect("floats"))
    };
    let attend = |position: i64, window, chunk| {
        let q = pattern(&[1, 4, 4], 7, 11);
        let tables = i32s(&[1, 3], &[2, 0, 1]);
        let operands = [q, cache(5, 13), cache(3, 17), tables, i32s(&[1], &[position])];
        let attrs =
            AttentionAttrs { scale: 0.5, window, soft_cap: None, alibi: None, chunk, kv: None };
        check(Op::PagedAttention(attrs), &operands, 1e-6, "chunks")
    };
    assert_eq!(attend(4, None, Some(3)), attend(4, Some(2), None));
    assert_eq!(attend(2, None, Some(3)), attend(2, None, None));
    assert_ne!(attend(4, None, Some(3)), attend(4, None, None));
    assert_eq!(attend(4, Some(1), Some(3)), attend(4, Some(1), None));
}

/// The slopes that the paper gives for 8 heads, and its code for 6.
#[test]
fn slopes_are_those_of_the_paper() {
    let alibi = Alibi { exponent: 8.0, factor: 1.0 };
    let powers: Vec<f32> = (1..=8).map(|power| 0.5f32.powi(power)).collect();
    assert_eq!(alibi.slopes(8), powers);
    assert_eq!(alibi.slopes(6), [0.25, 0.0625, 0.015_625, 0.003_906_25, 0.5, 0.125]);
    let halved = Alibi { exponent: 4.0, factor: 0.5 };
    assert_eq!(halved.slopes(2), [0.125, 0.031_25]);
}

/// Scaled queries and weights are rounded to the cache's type, in both forms.
#[test]
fn attention_rounds_to_the_cache_type() {
    let attrs = AttentionAttrs {
        scale: 1.0,
        window: None,
        soft_cap: None,
        alibi: None,
        chunk: None,
        kv: None,
    };
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

/// Sinks in seeded worlds, by definition and by decomposition: below, among and far above the
/// scores, and -inf, which is none.
#[test]
fn sinks() {
    for seed in 0..200 {
        for dtype in FLOAT_TYPES {
            let (op, mut paged) = paged(seed, dtype);
            let heads = paged.operands[0].shape()[1];
            let without = apply(op.clone(), &paged.operands).expect("runs");
            let none = f32s(&[heads], &vec![f32::NEG_INFINITY; heads]);
            paged.operands.push(none);
            let context = format!("{dtype} {}", paged.context);
            let tolerance = 2.0 * spacing(dtype);
            let mixed = check(op.clone(), &paged.operands, tolerance, &context);
            assert_eq!(mixed, without, "{context}");
            let mut world = World::new(seed + 1000);
            let middle = world.one_of(&[-40.0, 0.0, 3.0, 100.0]);
            let values: Vec<f32> = (0..heads).map(|_| middle + world.float()).collect();
            paged.operands[5] = f32s(&[heads], &values);
            let mixed = check(op, &paged.operands, tolerance, &format!("{context} {values:?}"));
            let mixed = mixed.as_floats().expect("floats");
            assert!(mixed.iter().all(|v| v.is_finite()), "{context}");
            if middle == 100.0 && dtype == DType::F32 {
                assert!(mixed.iter().all(|v| v.abs() < 1e-30), "{context}: the sinks take all");
            }
        }
    }
}

/// Two keys with scores 0 and 1 beside a sink of 0.5: gpt-oss's `eager_attention_forward`.
#[test]
fn a_sink_is_one_more_score_without_a_value() {
    let attrs = AttentionAttrs {
        scale: 1.0,
        window: None,
        soft_cap: None,
        alibi: None,
        chunk: None,
        kv: None,
    };
    let operands = [
        f32s(&[1, 1, 1], &[1.0]),
        f32s(&[1, 2, 1, 1], &[0.0, 1.0]),
        f32s(&[1, 2, 1, 1], &[10.0, 1000.0]),
        i32s(&[1, 1], &[0]),
        i32s(&[1], &[1]),
        f32s(&[1], &[0.5]),
    ];
    let total = 1.0 + 1f64.exp() + 0.5f64.exp();
    let expected = (10.0 + 1000.0 * 1f64.exp()) / total;
    let mixed = check(Op::PagedAttention(attrs), &operands, 1e-6, "one sink");
    assert_close(&mixed, &[expected as f32], 1e-6, "one sink");
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

const CODES: [KvCode; 3] = [KvCode::Q8_0, KvCode::Q4_0, KvCode::E4M3];

/// Numbers that lie between two codes, at either end of a format's range, and are none.
fn numbers(world: &mut World, count: usize) -> Vec<f32> {
    let scale = world.one_of(&[1e-40, 1e-3, 1.0, 448.0, 1e6, 1e38]);
    let ordinary = |world: &mut World| world.float() * scale;
    let mut values: Vec<f32> = (0..count)
        .map(|_| match world.below(40) {
            // Halves of codes under a scale of 1, and of the last places of 8-bit floats.
            0..4 => (world.below(512) as f32 - 256.0) / 2.0,
            4..8 => (world.below(64) as f32 - 32.0) / 1024.0,
            8 => 0.0,
            9 => -0.0,
            _ => ordinary(world),
        })
        .collect();
    // The largest, twice and with both signs.
    if world.below(2) == 0 && count > 20 {
        (values[7], values[19]) = (-2.5 * scale, 2.5 * scale);
    }
    if world.below(8) == 0 {
        let at = world.below(count);
        values[at] = world.one_of(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
    }
    values
}

/// Bit for bit: what decides a code is one rounding, in every form.
#[test]
fn quantized_bytes_are_the_same_decomposed() {
    for seed in 0..400 {
        let mut world = World::new(seed);
        let [rows, heads, width] =
            [1 + world.below(3), 1 + world.below(2), 32 + 32 * world.below(2)];
        let x = numbers(&mut world, rows * heads * width);
        let x = f32s(&[rows, heads, width], &x);
        for code in CODES {
            let graph = one_op(Op::QuantizeKv(code), &[x.ty()]).expect("fits");
            let primitive = decompose(&graph, |_| false).expect("verifies");
            let operands = std::slice::from_ref(&x);
            let [direct, decomposed] = [&graph, &primitive].map(|graph| {
                let outputs = evaluate(graph, named(operands), &|_| None);
                outputs.expect("runs").remove("y").expect("y")
            });
            assert_eq!(direct, decomposed, "seed {seed}: {code} of {x:?}");
        }
    }
}

/// Over codes as over floats: by definition and by decomposition it is one.
#[test]
fn paged_attention_over_quantized_caches() {
    for seed in 0..60 {
        for code in CODES {
            let (op, mut paged) = paged(seed, DType::F32);
            let Op::PagedAttention(attrs) = op else { unreachable!() };
            let mut world = World::new(seed);
            let [queries, heads] = [0, 1].map(|axis| paged.operands[0].shape()[axis]);
            let [blocks, size, groups] = [0, 1, 2].map(|axis| paged.operands[1].shape()[axis]);
            let width = 32 + 32 * world.below(2);
            paged.operands[0] = world.floats(DType::F32, &[queries, heads, width]);
            for cache in 1..3 {
                let x = world.floats(DType::F32, &[blocks * size, groups, width]);
                let bytes = apply(Op::QuantizeKv(code), &[x]).expect("runs");
                let shape = [blocks, size, groups, code.row_bytes(width).expect("whole groups")];
                let bytes = bytes.as_integers().expect("bytes").to_vec();
                paged.operands[cache] = Tensor::integers(DType::U8, shape, bytes).expect("fits");
            }
            let op = Op::PagedAttention(AttentionAttrs { kv: Some(code), ..attrs });
            // Sums of products in f32, in another order.
            check(op, &paged.operands, 1e-5, &format!("{code} {}", paged.context));
        }
    }
}

/// Over a quantized cache attention is that over what the codes decode to, with the query rounded
/// as its own op says: queries of whole codes are exact.
#[test]
fn quantized_caches_are_what_they_decode_to() {
    let mut world = World::new(3);
    let (heads, groups, width, slots) = (4, 2, 64, 6);
    let q: Vec<f32> = (0..heads * width).map(|_| world.below(255) as f32 - 127.0).collect();
    let mut q: Vec<f32> = q.iter().map(|code| code / 127.0).collect();
    q.iter_mut().step_by(32).for_each(|first| *first = 1.0);
    for (code, unit) in [(KvCode::Q8_0, 127), (KvCode::Q4_0, 8)] {
        // Numbers that codes hold exactly: multiples of a power of two, the largest one among them.
        let mut exact = || {
            let count = slots * groups * width;
            let value = |i: usize, n: i64| if i.is_multiple_of(32) { -unit } else { n };
            let values = (0..count).map(|i| value(i, world.below(2 * unit as usize) as i64 - unit));
            values.map(|n| n.max(-unit) as f32 / 64.0).collect::<Vec<f32>>()
        };
        let [keys, values] = [exact(), exact()].map(|x| f32s(&[slots, groups, width], &x));
        let stored = |x: &Tensor| {
            let bytes = apply(Op::QuantizeKv(code), std::slice::from_ref(x)).expect("runs");
            let shape = [1, slots, groups, code.row_bytes(width).expect("whole groups")];
            Tensor::integers(DType::U8, shape, bytes.as_integers().expect("bytes").to_vec())
        };
        let floats = |x: &Tensor| f32s(&[1, slots, groups, width], x.as_floats().expect("floats"));
        let rest = [i32s(&[1, 1], &[0]), i32s(&[1], &[slots as i64 - 1])];
        let q = f32s(&[1, heads, width], &q);
        let attend = |kv, keys, values| {
            let attrs = AttentionAttrs {
                scale: 1.0,
                window: None,
                soft_cap: Some(9.0),
                alibi: None,
                chunk: None,
                kv,
            };
            let operands = [q.clone(), keys, values, rest[0].clone(), rest[1].clone()];
            apply(Op::PagedAttention(attrs), &operands).expect("runs")
        };
        let plain = attend(None, floats(&keys), floats(&values));
        let [stored_keys, stored_values] = [&keys, &values].map(|x| stored(x).expect("bytes"));
        let coded = attend(Some(code), stored_keys, stored_values);
        assert_close(&coded, plain.as_floats().expect("floats"), 1e-5, code.name());
    }
}
