//! The interpreter: primitives against written-down values, and errors.

use std::collections::HashMap;

use crate::common::{World, apply, bools, f32s, floats, i32s, integers, named, one_op, run, ty};
use tyto_graph::interpreter::{Error, Tensor, evaluate};
use tyto_graph::{
    AttentionAttrs, Binary, Comparison, DType, Graph, InputKind, Layout, Literal, Op, Reduction,
    Unary,
};

#[track_caller]
fn check(op: Op, operands: &[Tensor], expected: &Tensor) {
    let found = apply(op.clone(), operands).unwrap_or_else(|error| panic!("{op:?}: {error}"));
    assert_eq!(&found, expected, "{op:?}");
}

#[test]
fn unary_ops() {
    let x = f32s(&[4], &[-1.0, 0.0, 1.0, 4.0]);
    let nan = f32::NAN;
    let e = std::f32::consts::E;
    let cases: [(Unary, [f32; 4]); 10] = [
        (Unary::Negate, [1.0, -0.0, -1.0, -4.0]),
        (Unary::Exponential, [1.0 / e, 1.0, e, 54.598_15]),
        (Unary::Log, [nan, f32::NEG_INFINITY, 0.0, 1.386_294_4]),
        (Unary::Logistic, [0.268_941_43, 0.5, 0.731_058_6, 0.982_013_8]),
        (Unary::Tanh, [-0.761_594_2, 0.0, 0.761_594_2, 0.999_329_3]),
        (Unary::Sine, [-0.841_471, 0.0, 0.841_471, -0.756_802_5]),
        (Unary::Cosine, [0.540_302_3, 1.0, 0.540_302_3, -0.653_643_6]),
        (Unary::Sqrt, [nan, 0.0, 1.0, 2.0]),
        (Unary::Rsqrt, [nan, f32::INFINITY, 1.0, 0.5]),
        (Unary::Abs, [1.0, 0.0, 1.0, 4.0]),
    ];
    for (unary, expected) in cases {
        let y = apply(Op::Unary(unary), std::slice::from_ref(&x)).expect("runs");
        for (found, expected) in y.as_floats().expect("floats").iter().zip(expected) {
            let same = found.is_nan() && expected.is_nan() || (found - expected).abs() < 1e-6;
            assert!(same || *found == expected, "{unary:?}: {found} for {expected}");
        }
    }
    let halves = f32s(&[6], &[-2.5, -1.5, -0.5, 0.499_999_97, 0.5, 2.5]);
    let roundings = [
        (Unary::Floor, [-3.0, -2.0, -1.0, 0.0, 0.0, 2.0]),
        (Unary::RoundNearestEven, [-2.0, -2.0, -0.0, 0.0, 0.0, 2.0]),
        (Unary::RoundNearestAfz, [-3.0, -2.0, -1.0, 0.0, 1.0, 3.0]),
    ];
    for (unary, expected) in roundings {
        check(Op::Unary(unary), std::slice::from_ref(&halves), &f32s(&[6], &expected));
    }
    check(Op::Unary(Unary::Not), &[bools(&[2], &[0, 1])], &bools(&[2], &[1, 0]));
    // logistic of ±100 overflows in neither direction.
    let ends = f32s(&[2], &[-1000.0, 1000.0]);
    check(Op::Unary(Unary::Logistic), &[ends], &f32s(&[2], &[0.0, 1.0]));
}

#[test]
fn binary_ops() {
    let (lhs, rhs) = (f32s(&[3], &[6.0, -3.0, 0.5]), f32s(&[3], &[2.0, 2.0, 2.0]));
    let cases = [
        (Binary::Add, [8.0, -1.0, 2.5]),
        (Binary::Subtract, [4.0, -5.0, -1.5]),
        (Binary::Multiply, [12.0, -6.0, 1.0]),
        (Binary::Divide, [3.0, -1.5, 0.25]),
        (Binary::Maximum, [6.0, 2.0, 2.0]),
        (Binary::Minimum, [2.0, -3.0, 0.5]),
        (Binary::Power, [36.0, 9.0, 0.25]),
    ];
    for (binary, expected) in cases {
        check(Op::Binary(binary), &[lhs.clone(), rhs.clone()], &f32s(&[3], &expected));
    }
    let (lhs, rhs) = (integers(DType::I32, &[7, -7, 3]), integers(DType::I32, &[2, 2, -1]));
    let cases = [
        (Binary::Divide, [3, -3, -3]),
        (Binary::Maximum, [7, 2, 3]),
        (Binary::Minimum, [2, -7, -1]),
        (Binary::Power, [49, 49, 0]),
    ];
    for (binary, expected) in cases {
        check(Op::Binary(binary), &[lhs.clone(), rhs.clone()], &integers(DType::I32, &expected));
    }
    let (lhs, rhs) = (bools(&[4], &[0, 0, 1, 1]), bools(&[4], &[0, 1, 0, 1]));
    check(Op::Binary(Binary::And), &[lhs.clone(), rhs.clone()], &bools(&[4], &[0, 0, 0, 1]));
    check(Op::Binary(Binary::Or), &[lhs, rhs], &bools(&[4], &[0, 1, 1, 1]));
}

#[test]
fn integers_wrap() {
    let (lhs, rhs) = (integers(DType::I32, &[i32::MAX.into()]), integers(DType::I32, &[1]));
    check(Op::Binary(Binary::Add), &[lhs, rhs], &integers(DType::I32, &[i32::MIN.into()]));
    let (lhs, rhs) = (integers(DType::U8, &[200, 3]), integers(DType::U8, &[100, 200]));
    check(Op::Binary(Binary::Add), &[lhs.clone(), rhs.clone()], &integers(DType::U8, &[44, 203]));
    // 3^200 modulo 256, and 200^100, which 2^64 divides.
    check(Op::Binary(Binary::Power), &[lhs, rhs], &integers(DType::U8, &[0, 161]));
}

#[test]
fn maximum_shows_a_nan() {
    let (nan, one) = (f32s(&[1], &[f32::NAN]), f32s(&[1], &[1.0]));
    for binary in [Binary::Maximum, Binary::Minimum] {
        for operands in [[nan.clone(), one.clone()], [one.clone(), nan.clone()]] {
            let y = apply(Op::Binary(binary), &operands).expect("runs");
            assert!(y.as_floats().is_some_and(|y| y[0].is_nan()), "{binary:?}");
        }
    }
    let max = Op::Reduce { reduction: Reduction::Max, axis: 0 };
    let y = apply(max, &[f32s(&[3], &[1.0, f32::NAN, 2.0])]).expect("runs");
    assert!(y.as_floats().is_some_and(|y| y[0].is_nan()));
}

#[test]
fn maximum_puts_zero_above_minus_zero() {
    let (minus, plus) = (f32s(&[1], &[-0.0]), f32s(&[1], &[0.0]));
    for (binary, negative) in [(Binary::Maximum, false), (Binary::Minimum, true)] {
        for operands in [[minus.clone(), plus.clone()], [plus.clone(), minus.clone()]] {
            let y = apply(Op::Binary(binary), &operands).expect("runs");
            let sign = y.as_floats().map(|y| y[0].is_sign_negative());
            assert_eq!(sign, Some(negative), "{binary:?}");
        }
    }
}

#[test]
fn narrow_results_round() {
    let (lhs, rhs) = (floats(DType::BF16, &[256.0, 1.0]), floats(DType::BF16, &[1.0, 0.5]));
    check(Op::Binary(Binary::Add), &[lhs, rhs], &floats(DType::BF16, &[256.0, 1.5]));
    let x = floats(DType::F16, &[1.0]);
    check(Op::Unary(Unary::Exponential), &[x], &floats(DType::F16, &[2.718_75]));
}

#[test]
fn comparisons() {
    let (lhs, rhs) = (f32s(&[4], &[1.0, 2.0, 3.0, f32::NAN]), f32s(&[4], &[2.0, 2.0, 2.0, 2.0]));
    let cases = [
        (Comparison::Eq, [0, 1, 0, 0]),
        (Comparison::Ne, [1, 0, 1, 1]),
        (Comparison::Lt, [1, 0, 0, 0]),
        (Comparison::Le, [1, 1, 0, 0]),
        (Comparison::Gt, [0, 0, 1, 0]),
        (Comparison::Ge, [0, 1, 1, 0]),
    ];
    for (comparison, expected) in cases {
        check(Op::Compare(comparison), &[lhs.clone(), rhs.clone()], &bools(&[4], &expected));
    }
    let (lhs, rhs) = (i32s(&[2], &[-1, 1]), i32s(&[2], &[0, 0]));
    check(Op::Compare(Comparison::Lt), &[lhs, rhs], &bools(&[2], &[1, 0]));
}

#[test]
fn conversions() {
    let x = f32s(&[5], &[1.9, -1.9, 0.0, f32::NAN, 300.0]);
    let cases = [
        (DType::I32, integers(DType::I32, &[1, -1, 0, 0, 300])),
        (DType::U8, integers(DType::U8, &[1, -1, 0, 0, 44])),
        (DType::Bool, integers(DType::Bool, &[1, 1, 0, 1, 1])),
    ];
    for (dtype, expected) in cases {
        check(Op::Convert(dtype), std::slice::from_ref(&x), &expected);
    }
    check(Op::Convert(DType::F32), &[bools(&[2], &[0, 1])], &f32s(&[2], &[0.0, 1.0]));
    let wide = integers(DType::I64, &[(1 << 24) + 1, -5]);
    check(Op::Convert(DType::F32), std::slice::from_ref(&wide), &f32s(&[2], &[16_777_216.0, -5.0]));
    check(Op::Convert(DType::I8), &[wide], &integers(DType::I8, &[1, -5]));
}

/// Lowest byte first, as memory has it.
#[test]
fn the_bits_of_other_types() {
    let x = f32s(&[2], &[1.0, -0.0]);
    let bits = i32s(&[2], &[0x3f80_0000, i64::from(i32::MIN)]);
    check(Op::Bitcast(DType::I32), std::slice::from_ref(&x), &bits);
    check(Op::Bitcast(DType::F32), &[bits], &x);
    let halves = floats(DType::F16, &[1.0, -2.0]);
    let bytes = Tensor::integers(DType::U8, [2, 2], [0, 0x3c, 0, 0xc0]).expect("fits");
    check(Op::Bitcast(DType::U8), std::slice::from_ref(&halves), &bytes);
    check(Op::Bitcast(DType::F16), &[bytes], &halves);
    let bytes = integers(DType::U8, &[127, 255]);
    check(Op::Bitcast(DType::I8), &[bytes], &integers(DType::I8, &[127, -1]));
}

#[test]
fn shapes() {
    let x = f32s(&[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let check = |op, expected: &Tensor| check(op, std::slice::from_ref(&x), expected);
    check(Op::Transpose(vec![1, 0]), &f32s(&[3, 2], &[0.0, 3.0, 1.0, 4.0, 2.0, 5.0]));
    check(Op::OptimizationBarrier, &x);
    let cube = f32s(&[1, 2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let flat = f32s(&[1, 6], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(apply(Op::FlattenRows, &[cube]), Ok(flat));
    check(Op::Reverse { axis: 0 }, &f32s(&[2, 3], &[3.0, 4.0, 5.0, 0.0, 1.0, 2.0]));
    check(Op::Reverse { axis: 1 }, &f32s(&[2, 3], &[2.0, 1.0, 0.0, 5.0, 4.0, 3.0]));
    check(Op::Reshape(vec![6, 1]), &f32s(&[6, 1], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));
    let op = Op::Slice { start: vec![0, 1], limit: vec![2, 3] };
    check(op, &f32s(&[2, 2], &[1.0, 2.0, 4.0, 5.0]));
    let row = f32s(&[2, 1], &[7.0, 8.0]);
    let op = Op::Broadcast { shape: vec![2, 2, 2], axes: vec![0, 2] };
    let expected = f32s(&[2, 2, 2], &[7.0, 7.0, 7.0, 7.0, 8.0, 8.0, 8.0, 8.0]);
    assert_eq!(apply(op, std::slice::from_ref(&row)), Ok(expected));
    let joined = f32s(&[2, 4], &[0.0, 1.0, 2.0, 7.0, 3.0, 4.0, 5.0, 8.0]);
    assert_eq!(apply(Op::Concat { axis: 1 }, &[x.clone(), row]), Ok(joined));
    let condition = bools(&[2, 3], &[1, 0, 1, 0, 1, 0]);
    let other = f32s(&[2, 3], &[9.0; 6]);
    let chosen = f32s(&[2, 3], &[0.0, 9.0, 2.0, 9.0, 4.0, 9.0]);
    assert_eq!(apply(Op::Select, &[condition, x.clone(), other]), Ok(chosen));
}

#[test]
fn constants_and_iota() {
    let splat = |value, text| Op::Constant(Literal::Splat { value, ty: ty(text) });
    check(splat(0.1, "bf16[2]"), &[], &floats(DType::BF16, &[0.1, 0.1]));
    check(splat(-3.0, "i64[2]"), &[], &integers(DType::I64, &[-3, -3]));
    check(splat(1.0, "i1[1]"), &[], &integers(DType::Bool, &[1]));
    check(Op::Constant(Literal::Vector(vec![1.0, -0.0])), &[], &f32s(&[2], &[1.0, -0.0]));
    let iota = |text, axis| Op::Iota { ty: ty(text), axis };
    check(iota("i32[2, 3]", 1), &[], &i32s(&[2, 3], &[0, 1, 2, 0, 1, 2]));
    check(iota("f32[2, 3]", 0), &[], &f32s(&[2, 3], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]));
}

#[test]
fn reductions_fold_any_axis() {
    let x = f32s(&[2, 3, 2], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]);
    let check = |reduction, axis, expected: &Tensor| {
        check(Op::Reduce { reduction, axis }, std::slice::from_ref(&x), expected);
    };
    check(Reduction::Sum, 0, &f32s(&[3, 2], &[6.0, 8.0, 10.0, 12.0, 14.0, 16.0]));
    check(Reduction::Sum, 1, &f32s(&[2, 2], &[6.0, 9.0, 24.0, 27.0]));
    check(Reduction::Max, 2, &f32s(&[2, 3], &[1.0, 3.0, 5.0, 7.0, 9.0, 11.0]));
    let max = Op::Reduce { reduction: Reduction::Max, axis: 0 };
    assert_eq!(apply(max, &[f32s(&[0], &[])]), Ok(f32s(&[], &[f32::NEG_INFINITY])));
    // f16 sums are f32: 2048 + 1 is not lost.
    let narrow = floats(DType::F16, &[2048.0, 1.0]);
    let sum = Op::Reduce { reduction: Reduction::Sum, axis: 0 };
    assert_eq!(apply(sum, &[narrow]), Ok(f32s(&[], &[2049.0])));
}

/// Against plain loops over every assignment of the axes of a batched product.
#[test]
fn dot_contracts_the_named_axes() {
    let mut world = World::new(3);
    let (lhs, rhs) =
        (world.floats(DType::F16, &[2, 3, 4, 5]), world.floats(DType::F16, &[5, 6, 4]));
    let op = Op::Dot { batch: (vec![2], vec![2]), contract: (vec![3], vec![0]) };
    let found = apply(op, &[lhs.clone(), rhs.clone()]).expect("runs");
    let (a, b) = (lhs.as_floats().expect("floats"), rhs.as_floats().expect("floats"));
    let mut expected = Vec::new();
    for batch in 0..4 {
        for (i, j, k) in
            (0..2).flat_map(|i| (0..3).flat_map(move |j| (0..6).map(move |k| (i, j, k))))
        {
            let product = |c: usize| {
                f64::from(a[((i * 3 + j) * 4 + batch) * 5 + c])
                    * f64::from(b[(c * 6 + k) * 4 + batch])
            };
            expected.push((0..5).map(product).sum::<f64>() as f32);
        }
    }
    assert_eq!(found, f32s(&[4, 2, 3, 6], &expected));
}

/// Report F1: rows gathered from a strided slice, at its sizes and at those of a paged cache.
#[test]
fn gather_of_a_strided_slice() {
    let mut world = World::new(5);
    for (shape, select) in [([57, 2, 128], 1), ([9, 2, 64], 0), ([16, 3, 64], 2)] {
        let cache = world.floats(DType::F16, &shape);
        let indices: Vec<i64> = (0..23).map(|_| world.below(shape[0]) as i64).collect();
        let mut graph = Graph::new("gather");
        let a = graph.add_input("a", cache.ty(), InputKind::Plain);
        let b = graph.add_input("b", ty("i32[23]"), InputKind::Plain);
        let (start, limit) = (vec![0, select, 0], vec![shape[0], select + 1, shape[2]]);
        let sliced = graph.add(Op::Slice { start, limit }, &[a]).expect("fits");
        let flat = graph.add(Op::Reshape(vec![shape[0], shape[2]]), &[sliced]).expect("fits");
        let rows = graph.add(Op::Take, &[flat, b]).expect("fits");
        graph.add_output("y", rows);
        let found = run(&graph, &[cache.clone(), i32s(&[23], &indices)]).expect("runs");
        let values = cache.as_floats().expect("floats");
        let expected: Vec<f32> = (indices.iter())
            .flat_map(|row| {
                let first = (*row as usize * shape[1] + select) * shape[2];
                values[first..first + shape[2]].to_vec()
            })
            .collect();
        assert_eq!(found.as_floats(), Some(&expected[..]));
    }
}

#[test]
fn take_and_put_meet() {
    let cache = Tensor::zeros(DType::F16, [3, 2, 2]);
    let updates = Tensor::floats(DType::F16, [2, 2], [1.0, 2.0, 3.0, 4.0]).expect("4 values");
    let put = apply(Op::Put, &[cache.clone(), i32s(&[2, 2], &[2, 1, 0, 0]), updates]);
    let put = put.expect("in range");
    let expected = [3.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0];
    assert_eq!(put.as_floats(), Some(&expected[..]));
    let zeros = [0.0; 12];
    assert_eq!(cache.as_floats(), Some(&zeros[..]), "the caller's clone is not written");
    let blocks = apply(Op::Take, &[put, i32s(&[1, 2], &[2, 2])]).expect("in range");
    assert_eq!(blocks.shape(), [1, 2, 2, 2]);
    assert_eq!(blocks.as_floats(), Some(&[0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 1.0, 2.0][..]));
}

#[track_caller]
fn out_of_range(op: Op, operands: &[Tensor], message: &str) {
    assert_eq!(apply(op, operands).expect_err("out of range").to_string(), message);
}

#[test]
fn indices_out_of_range_are_errors() {
    let table = f32s(&[3, 1], &[0.0; 3]);
    let message = "%2 = take: index 3 is outside 0..3";
    out_of_range(Op::Take, &[table.clone(), i32s(&[2], &[0, 3])], message);
    let message = "%2 = take: index -1 is outside 0..3";
    out_of_range(Op::Take, &[table.clone(), i32s(&[1], &[-1])], message);
    let operands = [f32s(&[3, 2], &[0.0; 6]), i32s(&[1, 2], &[0, 2]), f32s(&[1], &[0.0])];
    out_of_range(Op::Put, &operands, "%3 = put: index 2 is outside 0..2");
    let layout = Layout::Tiled { n: 4, k: 1 };
    let padded = [f32s(&[1, 1, 4, 1], &[0.0; 4]), i32s(&[1], &[3])];
    let message = "%2 = embedding: index 3 is outside 0..3";
    out_of_range(Op::Embedding { layout, rows: 3 }, &padded, message);
    let attention = Op::PagedAttention(AttentionAttrs {
        scale: 1.0,
        window: None,
        soft_cap: None,
        alibi: None,
        chunk: None,
        kv: None,
    });
    let cache = Tensor::zeros(DType::F32, [2, 2, 1, 1]);
    let query = |block, position| {
        let q = f32s(&[1, 1, 1], &[1.0]);
        [q, cache.clone(), cache.clone(), i32s(&[1, 1], &[block]), i32s(&[1], &[position])]
    };
    let message = "%5 = paged_attention: index 2 is outside 0..2";
    out_of_range(attention.clone(), &query(2, 1), message);
    out_of_range(attention, &query(0, 2), message);
}

#[test]
fn integer_division_by_zero_is_an_error() {
    for binary in [Binary::Divide, Binary::Power] {
        let operands =
            [i32s(&[1], &[0]), i32s(&[1], &[if binary == Binary::Divide { 0 } else { -1 }])];
        let error = apply(Op::Binary(binary), &operands).expect_err("divides by zero").to_string();
        assert_eq!(error, format!("%2 = {}: an integer is divided by zero", binary.name()));
    }
}

#[test]
fn arguments_are_checked() {
    let graph = one_op(Op::Binary(Binary::Add), &[ty("f32[2]"), ty("f32[2]")]).expect("fits");
    let good = f32s(&[2], &[1.0, 2.0]);
    let fails = |tensors: &[(&str, Tensor)]| {
        let inputs = tensors.iter().map(|(name, tensor)| (name.to_string(), tensor.clone()));
        evaluate(&graph, inputs.collect(), &|_| None).expect_err("refused").to_string()
    };
    assert_eq!(fails(&[("a", good.clone())]), "input b is missing");
    let three = [("a", good.clone()), ("b", good.clone()), ("c", good.clone())];
    assert_eq!(fails(&three), "the graph has no input c");
    let short = [("a", good.clone()), ("b", f32s(&[1], &[0.0]))];
    assert_eq!(fails(&short), "input b is f32[1], expected f32[2]");
    let whole = [("a", good), ("b", i32s(&[2], &[0, 0]))];
    assert_eq!(fails(&whole), "input b is i32[2], expected f32[2]");
}

#[test]
fn weights_are_checked() {
    let mut graph = Graph::new("weights");
    let w = graph.add(Op::Weight { name: "w".into(), ty: ty("f32[2]") }, &[]).expect("fits");
    graph.add_output("y", w);
    let run = |weight: Option<Tensor>| evaluate(&graph, HashMap::new(), &|_| weight.clone());
    assert_eq!(run(None), Err(Error::MissingWeight { name: "w".into() }));
    let error = run(Some(f32s(&[3], &[0.0; 3]))).expect_err("refused").to_string();
    assert_eq!(error, "weight w is f32[3], expected f32[2]");
    let weight = f32s(&[2], &[1.0, 2.0]);
    assert_eq!(run(Some(weight.clone())).expect("runs")["y"], weight);
}

#[test]
fn named_dimensions_take_the_size_of_the_inputs() {
    let types = [ty("f32[n<=4, 2]"), ty("f32[n<=4, 2]")];
    let graph = one_op(Op::Binary(Binary::Add), &types).expect("fits");
    let of = |rows: usize| f32s(&[rows, 2], &vec![1.0; 2 * rows]);
    for rows in 0..=4 {
        let sum = run(&graph, &[of(rows), of(rows)]).expect("within the bound");
        assert_eq!(sum, f32s(&[rows, 2], &vec![2.0; 2 * rows]));
    }
    let error = run(&graph, &[of(5), of(5)]).expect_err("beyond the bound").to_string();
    assert_eq!(error, "input a is f32[5, 2], expected f32[n<=4, 2]");
    let error = run(&graph, &[of(2), of(3)]).expect_err("two sizes").to_string();
    assert_eq!(error, "input b has 3 for dimension n, which is 2 elsewhere");
}

#[test]
fn an_ill_formed_graph_is_refused() {
    let mut graph = one_op(Op::Unary(Unary::Tanh), &[ty("f32[1]")]).expect("fits");
    graph.nodes[1].ty = ty("f32[2]");
    let error = evaluate(&graph, named(&[f32s(&[1], &[0.0])]), &|_| None).expect_err("refused");
    assert!(matches!(error, Error::Graph(_)), "{error}");
}

#[test]
fn state_goes_by_the_name_of_its_input() {
    let mut graph = Graph::new("step");
    let cache = graph.add_input("cache", ty("f16[b<=4, 1, 1]"), InputKind::State);
    let at = graph.add_input("at", ty("i32[1, 2]"), InputKind::Plain);
    let new = graph.add_input("new", ty("f16[1, 1]"), InputKind::Plain);
    let updated = graph.add(Op::Put, &[cache, at, new]).expect("fits");
    graph.add_updated(0, updated);
    let mut state = Tensor::zeros(DType::F16, [3, 1, 1]);
    for (row, value) in [(2, 5.0), (0, 7.0)] {
        let inputs = HashMap::from([
            ("cache".to_owned(), state),
            ("at".to_owned(), i32s(&[1, 2], &[row, 0])),
            ("new".to_owned(), Tensor::floats(DType::F16, [1, 1], [value]).expect("one")),
        ]);
        let mut outputs = evaluate(&graph, inputs, &|_| None).expect("runs");
        state = outputs.remove("cache").expect("the state comes back");
    }
    assert_eq!(state.as_floats(), Some(&[7.0, 0.0, 5.0][..]));
}
