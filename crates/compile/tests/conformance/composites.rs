//! Cases of composite ops, as they are lowered: decomposed, or over tiles.

use tyto_graph::{Comparison, DType, KvCode, Layout, Op, RopeScaling, RopeTable};

use crate::case::{Case, NewCase};

/// The layouts that x86 targets use, and rows.
const LAYOUTS: [(&str, DType, Layout); 5] = [
    ("bf16_16x2", DType::BF16, Layout::Tiled { n: 16, k: 2 }),
    ("f16_16x1", DType::F16, Layout::Tiled { n: 16, k: 1 }),
    ("f32_16x1", DType::F32, Layout::Tiled { n: 16, k: 1 }),
    ("bf16_rows", DType::BF16, Layout::RowMajor),
    ("f32_rows", DType::F32, Layout::RowMajor),
];

/// Sums of some hundred products, in another order.
const SUM: f32 = 5e-6;

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, dtype, layout) in LAYOUTS {
        // 40 rows leave half a tile of padding; 48 none. Columns as pairs need.
        for (tokens, rows) in [(1, 40), (1, 48), (2, 40), (5, 48), (8, 40), (32, 40)] {
            let mut new = NewCase::new(&format!("linear_{name}_{tokens}x{rows}"));
            let x = new.floats(DType::F32, &[tokens, 72], 1.0);
            let shape = layout.stored_shape(rows, 72).expect("columns divide");
            let w = new.floats(dtype, &shape, 1.0);
            let y = new.add(Op::Linear { layout, rows }, &[x, w]);
            cases.push(new.returns(y, SUM));
        }
        for (tokens, rows) in [(1, 40), (9, 48)] {
            let mut new = NewCase::new(&format!("embedding_{name}_{tokens}x{rows}"));
            let shape = layout.stored_shape(rows, 24).expect("columns divide");
            let w = new.floats(dtype, &shape, 1.0);
            let ids = new.integers(DType::I32, &[tokens], rows);
            let y = new.add(Op::Embedding { layout, rows }, &[w, ids]);
            cases.push(new.returns(y, 0.0));
        }
    }
    cases.extend(norms());
    cases.extend(rotations());
    cases.extend(softmax());
    cases.extend(quantized_rows());
    cases
}

/// Bytes of a cache, all of them equal: of small and large numbers, halves of codes, zeros and what
/// is not finite.
fn quantized_rows() -> Vec<Case> {
    let mut cases = Vec::new();
    for code in [KvCode::Q8_0, KvCode::Q4_0, KvCode::E4M3] {
        // IREE's workers take subnormal numbers for zeros. The scale of a group that has no others is
        // 0 anyway, but of which sign follows in Q4_0 from the first of the largest.
        let small = if code == KvCode::Q4_0 { 1e-35 } else { 1e-39 };
        for rows in [1, 7, 32] {
            let mut new = NewCase::new(&format!("quantize_kv_{code}_{rows}"));
            let mut values = Vec::new();
            for row in 0..rows * 2 {
                let range = [1.0, 1e-3, 600.0, 0.0, small, 3e38, 8.0][row % 7];
                values.extend((0..64).map(|_| new.random.float(1.0) * range));
                let first = row * 64;
                match row % 7 {
                    // A scale of 1 in Q8_0 or Q4_0, and halves of its codes.
                    0 => {
                        values[first] = [127.0, -8.0][row / 7 % 2];
                        (1..15).for_each(|at| values[first + at] = at as f32 / 2.0 - 4.0);
                    }
                    2 if row > 7 => values[first + 40] = [f32::NAN, f32::INFINITY][row / 7 % 2],
                    6 => (values[first + 3], values[first + 9]) = (8.0, -8.0),
                    _ => {}
                }
            }
            let x = new.these_floats(&[rows, 2, 64], values);
            let y = new.add(Op::QuantizeKv(code), &[x]);
            let y = new.add(Op::Convert(DType::I32), &[y]);
            cases.push(new.returns(y, 0.0));
        }
    }
    cases
}

fn norms() -> Vec<Case> {
    let mut cases = Vec::new();
    for (tokens, offset, dtype) in
        [(1, 0.0, DType::F32), (5, 1.0, DType::F32), (32, 0.0, DType::BF16)]
    {
        let mut new = NewCase::new(&format!("rms_norm_{tokens}_{offset}_{dtype}"));
        let x = new.floats(DType::F32, &[tokens, 576], 3.0);
        let w = new.floats(dtype, &[576], 1.0);
        let y = new.add(Op::RmsNorm { epsilon: 1e-5, offset }, &[x, w]);
        cases.push(new.returns(y, 2e-6));
    }
    cases
}

/// Every scaling at positions on both sides of its boundary; `rope` over all and over a part
/// of a head's width.
fn rotations() -> Vec<Case> {
    let frequencies: Vec<f32> = (0..8).map(|pair| 1e4f32.powf(-(pair as f32) / 8.0)).collect();
    let long = frequencies.iter().map(|frequency| frequency / 4.0).collect();
    let scalings = [
        ("fixed", RopeScaling::Fixed),
        ("long", RopeScaling::LongBeyond { boundary: 64, long }),
        ("dynamic", RopeScaling::DynamicNtk { base: 1e4, factor: 2.0, boundary: 64 }),
    ];
    let mut cases = Vec::new();
    for (name, scaling) in scalings {
        for width in [16, 20] {
            let mut new = NewCase::new(&format!("rope_{name}_{width}"));
            let x = new.floats(DType::F32, &[6, 3, width], 1.0);
            let mut operands = vec![new.these(&[6], vec![0, 1, 63, 64, 200, -1])];
            let inverse_frequencies = frequencies.clone();
            let table =
                RopeTable { inverse_frequencies, amplitude: 1.25, scaling: scaling.clone() };
            if table.needs_length() {
                operands.push(new.these(&[6], vec![1, 64, 64, 65, 201, 1]));
            }
            let angles = new.add(Op::RopeAngles(table), &operands);
            let y = new.add(Op::Rope, &[x, angles]);
            // An angle of 200 is known to 200 × 2^-24 only.
            cases.push(new.returns(y, 5e-5));
        }
    }
    cases
}

/// Rows that show much, little and nothing, and real scores below any large finite mask.
fn softmax() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, offset) in [("plain", 0.0), ("very_negative", -1e5)] {
        let mut new = NewCase::new(&format!("masked_softmax_{name}"));
        let scores: Vec<f32> = (0..6 * 40).map(|_| offset + new.random.float(4.0)).collect();
        let scores = new.these_floats(&[6, 40], scores);
        let shown = (0..6 * 40).map(|at| i64::from(at % 40 < [40, 1, 0, 17, 0, 39][at / 40]));
        let shown = new.these(&[6, 40], shown.collect());
        let nothing = new.these(&[6, 40], vec![0; 6 * 40]);
        let mask = new.add(Op::Compare(Comparison::Ne), &[shown, nothing]);
        let y = new.add(Op::MaskedSoftmax, &[scores, mask]);
        cases.push(new.returns(y, 2e-6));
    }
    cases
}
