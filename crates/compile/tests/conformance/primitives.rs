//! Cases of primitive ops.

use tyto_graph::interpreter::Tensor;
use tyto_graph::{Binary, Comparison, DType, InputKind, Literal, Op, Reduction, TensorType, Unary};

use crate::case::{Case, NewCase};

/// Functions that are computed by approximation on either side.
const APPROXIMATE: f32 = 2e-6;

/// Sums of some hundred products, in another order.
const SUM: f32 = 2e-6;

const FLOATS: [DType; 3] = [DType::F32, DType::F16, DType::BF16];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    cases.extend(unary());
    cases.extend(binary());
    cases.extend(comparisons());
    cases.extend(conversions());
    cases.extend(shapes());
    cases.extend(indexed());
    cases.extend(reductions());
    cases.extend(products());
    cases
}

fn unary() -> Vec<Case> {
    use Unary::{Abs, Cosine, Exponential, Log, Logistic, Negate, Rsqrt, Sine, Sqrt, Tanh};
    let table = [Negate, Exponential, Log, Logistic, Tanh, Sine, Cosine, Sqrt, Rsqrt, Abs];
    let case = |unary: &Unary| {
        let mut new = NewCase::new(unary.name());
        let x = match unary {
            Log | Sqrt | Rsqrt => new.positive(&[7, 33]),
            _ => new.floats(DType::F32, &[7, 33], 6.0),
        };
        let y = new.add(Op::Unary(*unary), &[x]);
        new.returns(y, APPROXIMATE)
    };
    table.iter().map(case).chain(roundings()).collect()
}

/// Ties, the numbers beside a half, and what no integer holds.
fn roundings() -> Vec<Case> {
    let case = |unary: Unary| {
        let mut new = NewCase::new(unary.name());
        let mut values: Vec<f32> = (-20..20).map(|step| step as f32 / 2.0).collect();
        values.extend([0.499_999_97, -0.499_999_97, 8_388_609.0, 1e30, -0.0, -0.3]);
        values.extend([f32::INFINITY, f32::NEG_INFINITY, f32::NAN]);
        let x = new.these_floats(&[values.len()], values);
        let y = new.add(Op::Unary(unary), &[x]);
        new.returns(y, 0.0)
    };
    [Unary::Floor, Unary::RoundNearestEven, Unary::RoundNearestAfz].map(case).into()
}

fn binary() -> Vec<Case> {
    use Binary::{Add, Divide, Maximum, Minimum, Multiply, Power, Subtract};
    let mut cases = Vec::new();
    for binary in [Add, Subtract, Multiply, Divide, Maximum, Minimum, Power] {
        let mut new = NewCase::new(&format!("{}_f32", binary.name()));
        let [x, y] = [0, 1].map(|_| new.positive(&[5, 19]));
        let z = new.add(Op::Binary(binary), &[x, y]);
        cases.push(new.returns(z, if binary == Power { APPROXIMATE } else { 2e-7 }));
    }
    for binary in [Add, Subtract, Multiply, Divide, Maximum, Minimum] {
        let mut new = NewCase::new(&format!("{}_i32", binary.name()));
        let x = new.integers(DType::I32, &[5, 19], 1000);
        let y = new.these(&[5, 19], (1..=95).collect());
        let z = new.add(Op::Binary(binary), &[x, y]);
        cases.push(new.returns(z, 0.0));
    }
    // A NaN is not lost on the way to the check that looks for it.
    for binary in [Maximum, Minimum] {
        let mut new = NewCase::new(&format!("{}_special", binary.name()));
        let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0];
        let x = new.these_floats(&[4, 4], special.iter().flat_map(|x| [*x; 4]).collect());
        let y = new.these_floats(&[4, 4], special.repeat(4));
        let z = new.add(Op::Binary(binary), &[x, y]);
        cases.push(new.returns(z, 0.0));
    }
    cases
}

fn comparisons() -> Vec<Case> {
    use Comparison::{Eq, Ge, Gt, Le, Lt, Ne};
    let mut cases = Vec::new();
    for comparison in [Eq, Ne, Lt, Le, Gt, Ge] {
        let mut new = NewCase::new(&format!("compare_{}", comparison.name()));
        let special = [f32::NAN, f32::INFINITY, 0.0, -0.0, 1.0];
        let x = new.these_floats(&[25], special.iter().flat_map(|x| [*x; 5]).collect());
        let y = new.these_floats(&[25], special.repeat(5));
        let z = new.add(Op::Compare(comparison), &[x, y]);
        cases.push(new.returns(z, 0.0));
    }
    for binary in [Binary::And, Binary::Or] {
        let mut new = NewCase::new(binary.name());
        let truths = [0, 1].map(|_| {
            let [x, y] = [0, 1].map(|_| new.integers(DType::I32, &[40], 2));
            new.add(Op::Compare(Eq), &[x, y])
        });
        let z = new.add(Op::Binary(binary), &truths);
        let z = new.add(Op::Unary(Unary::Not), &[z]);
        cases.push(new.returns(z, 0.0));
    }
    let mut new = NewCase::new("select");
    let [x, y] = [0, 1].map(|_| new.floats(DType::F32, &[6, 11], 1.0));
    let larger = new.add(Op::Compare(Gt), &[x, y]);
    let z = new.add(Op::Select, &[larger, y, x]);
    cases.push(new.returns(z, 0.0));
    cases
}

fn conversions() -> Vec<Case> {
    let mut cases = Vec::new();
    for from in FLOATS {
        for to in FLOATS.into_iter().filter(|to| *to != from) {
            let mut new = NewCase::new(&format!("{from}_to_{to}"));
            // Large enough to overflow f16, and exact ties of bf16 (odd multiples of 2^-8).
            let mut values: Vec<f32> = (0..256).map(|_| new.random.float(1e5)).collect();
            values.extend((0..256).map(|step| 1.0 + step as f32 / 256.0));
            values.extend([f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0]);
            let tensor = Tensor::floats(from, [values.len()], values).expect("sizes fit");
            let x = new.argument(tensor, None);
            let y = new.add(Op::Convert(to), &[x]);
            cases.push(new.returns(y, 0.0));
        }
    }
    for from in [DType::F8E4M3, DType::F8E5M2] {
        let mut new = NewCase::new(&format!("{from}_to_f32"));
        let codes: Vec<u8> = (0..=255).filter(|code| !is_nan_of_e4m3(from, *code)).collect();
        let codes = Tensor::from_bytes(from, [codes.len()], &codes).expect("sizes fit");
        let x = new.argument(codes, None);
        let y = new.add(Op::Convert(DType::F32), &[x]);
        cases.push(new.returns(y, 0.0));
    }
    for (from, to) in [(DType::I32, DType::F32), (DType::I8, DType::F32), (DType::I64, DType::I32)]
    {
        let mut new = NewCase::new(&format!("{from}_to_{to}"));
        let x = new.integers(from, &[77], 100_000);
        let y = new.add(Op::Convert(to), &[x]);
        cases.push(new.returns(y, 0.0));
    }
    // Bytes are numbers of 0 to 255, though compiled code has no sign for them.
    for to in [DType::F32, DType::I32] {
        let mut new = NewCase::new(&format!("ui8_to_{to}"));
        let bytes = Tensor::integers(DType::U8, [256], 0..256).expect("sizes fit");
        let x = new.argument(bytes, None);
        let y = new.add(Op::Convert(to), &[x]);
        cases.push(new.returns(y, 0.0));
        let mut new = NewCase::new(&format!("{to}_to_ui8"));
        let x = new.integers(DType::I32, &[77], 256);
        let x = new.add(Op::Convert(to), &[x]);
        let y = new.add(Op::Convert(DType::U8), &[x]);
        // Signless bytes are no result that can be told from signed ones.
        let y = new.add(Op::Convert(DType::I32), &[y]);
        cases.push(new.returns(y, 0.0));
    }
    for (from, to) in [(DType::F32, DType::I32), (DType::F16, DType::U8), (DType::I32, DType::F32)]
    {
        let mut new = NewCase::new(&format!("bits_of_{from}_as_{to}"));
        let x = match from.is_float() {
            true => new.floats(from, &[3, 29], 100.0),
            false => new.integers(from, &[3, 29], 1 << 30),
        };
        let y = new.add(Op::Bitcast(to), &[x]);
        let y = if to == DType::U8 { new.add(Op::Convert(DType::I32), &[y]) } else { y };
        cases.push(new.returns(y, 0.0));
    }
    let mut new = NewCase::new("bits_of_bytes_as_f16");
    let bytes = new.integers(DType::U8, &[5, 19, 2], 120);
    let y = new.add(Op::Bitcast(DType::F16), &[bytes]);
    cases.push(new.returns(y, 0.0));
    let mut new = NewCase::new("f32_to_i32");
    let x = new.floats(DType::F32, &[77], 1000.0);
    let y = new.add(Op::Convert(DType::I32), &[x]);
    cases.push(new.returns(y, 0.0));
    cases
}

/// IREE 3.13 widens the two NaN codes of `f8E4M3FN` to a number on the CPU. No weight of a
/// sound checkpoint holds them.
fn is_nan_of_e4m3(dtype: DType, code: u8) -> bool {
    dtype == DType::F8E4M3 && code & 0x7f == 0x7f
}

fn shapes() -> Vec<Case> {
    let mut cases = Vec::new();
    let table: [(&str, &[usize], Op); 9] = [
        ("reverse", &[3, 2, 5], Op::Reverse { axis: 1 }),
        ("barrier", &[3, 2, 5], Op::OptimizationBarrier),
        ("reshape", &[2, 3, 4], Op::Reshape(vec![6, 4])),
        ("transpose_swap", &[3, 5, 2, 4], Op::Transpose(vec![0, 2, 1, 3])),
        ("transpose_turn", &[3, 5, 7], Op::Transpose(vec![2, 0, 1])),
        ("broadcast_rows", &[5], Op::Broadcast { shape: vec![3, 5], axes: vec![1] }),
        ("broadcast_ones", &[3, 1], Op::Broadcast { shape: vec![3, 2, 6], axes: vec![0, 2] }),
        ("slice", &[6, 9], Op::Slice { start: vec![1, 2], limit: vec![5, 9] }),
        ("slice_all_but", &[4, 2, 8], Op::Slice { start: vec![0, 1, 0], limit: vec![4, 2, 8] }),
    ];
    for (name, shape, op) in table {
        for dtype in [DType::F32, DType::BF16] {
            let mut new = NewCase::new(&format!("{name}_{dtype}"));
            let x = new.floats(dtype, shape, 1.0);
            let y = new.add(op.clone(), &[x]);
            cases.push(new.returns(y, 0.0));
        }
    }
    let mut new = NewCase::new("concat");
    let operands = [3, 1, 5].map(|size| new.floats(DType::F32, &[4, size], 1.0));
    let y = new.add(Op::Concat { axis: 1 }, &operands);
    cases.push(new.returns(y, 0.0));
    let mut new = NewCase::new("iota");
    let ty = TensorType::new(DType::I32, [3, 5]);
    let count = new.add(Op::Iota { ty, axis: 1 }, &[]);
    let x = new.integers(DType::I32, &[3, 5], 9);
    let y = new.add(Op::Binary(Binary::Add), &[count, x]);
    cases.push(new.returns(y, 0.0));
    let mut new = NewCase::new("constants");
    let values = vec![0.1, -0.0, f32::MIN_POSITIVE, 3.0e38];
    let x = new.these_floats(&[4], values.clone());
    let vector = new.add(Op::Constant(Literal::Vector(values)), &[]);
    let ty = TensorType::new(DType::F32, [4]);
    let splat = new.add(Op::Constant(Literal::Splat { value: 0.3, ty }), &[]);
    let y = new.add(Op::Binary(Binary::Subtract), &[x, vector]);
    let y = new.add(Op::Binary(Binary::Add), &[y, splat]);
    cases.push(new.returns(y, 0.0));
    cases
}

fn indexed() -> Vec<Case> {
    let mut cases = Vec::new();
    for dtype in FLOATS {
        let mut new = NewCase::new(&format!("take_{dtype}"));
        let x = new.floats(dtype, &[13, 6, 5], 1.0);
        let at = new.integers(DType::I32, &[3, 4], 13);
        let y = new.add(Op::Take, &[x, at]);
        cases.push(new.returns(y, 0.0));

        let mut new = NewCase::new(&format!("put_{dtype}"));
        let cache = new.cache(dtype, &[9, 16, 3, 8], InputKind::State);
        let mut pairs = new.random.shuffled(9 * 16);
        pairs.truncate(5);
        let at = new.these(&[5, 2], pairs.iter().flat_map(|at| [at / 16, at % 16]).collect());
        let rows = new.floats(dtype, &[5, 3, 8], 1.0);
        let y = new.add(Op::Put, &[cache, at, rows]);
        cases.push(new.updates(y));
    }
    // A gather from a strided slice: one half of pairs of rows, then rows of it.
    for (name, [pages, size, width]) in [("f1", [57, 2, 128]), ("f1_ours", [40, 3, 64])] {
        let mut new = NewCase::new(&format!("take_of_slice_{name}"));
        let x = new.floats(DType::F16, &[pages, size, width], 1.0);
        let (start, limit) = (vec![0, 1, 0], vec![pages, 2, width]);
        let half = new.add(Op::Slice { start, limit }, &[x]);
        let half = new.add(Op::Reshape(vec![pages, width]), &[half]);
        let at = new.integers(DType::I32, &[21], pages);
        let y = new.add(Op::Take, &[half, at]);
        cases.push(new.returns(y, 0.0));
    }
    cases
}

fn reductions() -> Vec<Case> {
    let mut cases = Vec::new();
    for axis in 0..3 {
        for (dtype, reduction) in [
            (DType::F32, Reduction::Sum),
            (DType::BF16, Reduction::Sum),
            (DType::F32, Reduction::Max),
            (DType::BF16, Reduction::Max),
        ] {
            let mut new = NewCase::new(&format!("reduce_{reduction:?}_{dtype}_{axis}"));
            let x = new.floats(dtype, &[5, 130, 17], 1.0);
            let y = new.add(Op::Reduce { reduction, axis }, &[x]);
            cases.push(new.returns(y, if reduction == Reduction::Sum { SUM } else { 0.0 }));
        }
    }
    cases
}

fn products() -> Vec<Case> {
    type Axes = (Vec<usize>, Vec<usize>);
    /// Batch axes and contracted axes.
    type Numbers = (Axes, Axes);
    let plain: Numbers = ((vec![], vec![]), (vec![1], vec![1]));
    let scores: Numbers = ((vec![0, 2], vec![0, 2]), (vec![4], vec![3]));
    let mixed: Numbers = ((vec![0, 1], vec![0, 2]), (vec![4], vec![1]));
    type Row<'a> = (&'a str, &'a [usize], &'a [usize], &'a Numbers);
    let table: [Row<'_>; 5] = [
        ("dot_plain", &[7, 80], &[33, 80], &plain),
        ("dot_one_row", &[1, 576], &[96, 576], &plain),
        ("dot_scores", &[1, 1, 3, 3, 64], &[1, 48, 3, 64], &scores),
        ("dot_scores_many", &[2, 5, 2, 2, 16], &[2, 48, 2, 16], &scores),
        ("dot_mixed", &[1, 3, 1, 3, 48], &[1, 48, 3, 64], &mixed),
    ];
    let mut cases = Vec::new();
    for (name, left, right, (batch, contract)) in table {
        for dtype in FLOATS {
            let mut new = NewCase::new(&format!("{name}_{dtype}"));
            let [left, right] = [left, right].map(|shape| new.floats(dtype, shape, 1.0));
            let (batch, contract) = (batch.clone(), contract.clone());
            let y = new.add(Op::Dot { batch, contract }, &[left, right]);
            cases.push(new.returns(y, SUM));
        }
    }
    cases
}
