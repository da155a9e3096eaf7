//! Products of a prompt in matrix registers, against sums in f64 of the same rounded numbers. A
//! machine without AMX runs none of them; the other paths have their own tests.

use tyto_graph::{DType, Layout};
use tyto_native_cpu::Variant;
use tyto_native_cpu::linked::Aligned;

use crate::activations::activations;
use crate::linear::product;
use crate::matrix::{Matrix, layouts};
use crate::random::Random;
use crate::runner::same_bits;

/// The variants whose kernels know the registers.
const VARIANTS: [Variant; 2] = [Variant::V4Vnni, Variant::V4Extended];

/// The cache of a graph that has none.
fn no_cache() -> Aligned {
    Aligned::zeros(64)
}

/// A number as `vcvtne2ps2bf16` makes it: the nearest bf16, subnormal ones being zero.
fn rounded(value: f32) -> f64 {
    let value = if value.is_subnormal() { 0.0 } else { value };
    let near = half::bf16::from_f32(value).to_f32();
    if near.is_subnormal() { 0.0 } else { f64::from(near) }
}

fn matrices(random: &mut Random) -> Vec<Matrix> {
    let served = |(layout, dtype): &(Layout, DType)| {
        matches!(layout, Layout::Blocks(_)) || *dtype == DType::BF16
    };
    let sizes = [(1, 1), (16, 2), (17, 3), (33, 5), (96, 4)];
    let matrix = |(turn, kind): (usize, (Layout, DType))| {
        let (rows, units) = sizes[turn % sizes.len()];
        let columns = match kind.0 {
            Layout::Blocks(blocks) => blocks.unit() * units,
            _ => 32 * units,
        };
        Matrix::random(kind, rows, columns, random)
    };
    layouts().into_iter().filter(served).enumerate().map(matrix).collect()
}

/// Every output against the sum of its rounded products.
fn check(x: &[f32], rows: usize, matrix: &Matrix, found: &[f32], what: &str) {
    for (row, outputs) in found.chunks(matrix.rows).enumerate().take(rows) {
        let x = &x[row * matrix.columns..][..matrix.columns];
        for (output, found) in outputs.iter().enumerate() {
            let weights = matrix.row(output).iter().map(|weight| rounded(*weight));
            let terms = weights.zip(x).map(|(weight, x)| weight * rounded(*x));
            let (sum, size) =
                terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
            // A weight may be rounded to the other of two neighbours where its last bit in f32
            // differs between a fused and a plain sum; sums are f32.
            let sizes = matrix.row_sizes(output).iter().zip(x);
            let all: f64 = sizes.map(|(w, x)| f64::from(w.abs()) * f64::from(x.abs())).sum();
            let bound = size * 1e-5 + all * 1e-6 + 1e-30;
            let difference = (f64::from(*found) - sum).abs();
            assert!(
                difference <= bound.max(neighbour(matrix, output, x)),
                "{what}: row {row} output {output} is {found}, not {sum} within {bound:e}"
            );
        }
    }
}

/// The most that one weight on the edge between two bf16 numbers can move a sum.
fn neighbour(matrix: &Matrix, output: usize, x: &[f32]) -> f64 {
    // The last places are as many as those of the terms that a weight is summed from.
    let edge = |weight: f32, size: f32| {
        let tail = (weight.to_bits() & 0xffff) as f32 - 32768.0;
        tail.abs() <= 2.0 + 2.0 * size / weight.abs()
    };
    let weights = matrix.row(output).iter().zip(matrix.row_sizes(output)).zip(x);
    let pairs = weights.filter(|((weight, size), _)| edge(**weight, **size));
    pairs.map(|((weight, _), x)| f64::from(weight.abs()) * f64::from(x.abs()) / 128.0).sum()
}

#[test]
fn prompts_in_matrix_registers() {
    let mut random = Random::new(41);
    for (turn, matrix) in matrices(&mut random).iter().enumerate() {
        for rows in [2, 9, 16, 17, 33, 70] {
            let x = activations(rows, matrix.columns, &mut random);
            let (case, arguments) = product(&x, rows, matrix, false);
            for variant in VARIANTS {
                let machine = (variant, (turn + rows) % 4 + 1);
                let Some(found) = case.run_with_amx(machine, &arguments, &mut no_cache()) else {
                    return;
                };
                let what = format!("{} {machine:?} rows {rows}", matrix.layout);
                check(&x, rows, matrix, &found, &what);
            }
        }
    }
}

/// Several panels of columns, rows divided among workers, and y that is continued.
#[test]
fn large_prompts_have_the_same_bits_by_any_number_of_workers() {
    let mut random = Random::new(42);
    for kind in [layouts()[2], layouts()[5], layouts()[26]] {
        let matrix = Matrix::random(kind, 75, 1152, &mut random);
        let x = activations(300, matrix.columns, &mut random);
        let (case, arguments) = product(&x, 300, &matrix, false);
        let Some(one) = case.run_with_amx((Variant::V4Vnni, 1), &arguments, &mut no_cache()) else {
            return;
        };
        check(&x, 300, &matrix, &one, &format!("{}", matrix.layout));
        for workers in [2, 3, 7] {
            let found = case.run_with_amx((Variant::V4Vnni, workers), &arguments, &mut no_cache());
            assert!(found.is_some_and(|found| same_bits(&found, &one)), "{workers} workers differ");
        }
    }
}

/// However a prompt is cut, its rows have the same bits; and a NaN stays in its row.
#[test]
fn a_row_does_not_depend_on_the_others() {
    let mut random = Random::new(43);
    for kind in [layouts()[2], layouts()[3], layouts()[20]] {
        let matrix = Matrix::random(kind, 40, 256, &mut random);
        let mut x = activations(40, matrix.columns, &mut random);
        let run = |x: &[f32]| {
            let rows = x.len() / matrix.columns;
            let (case, arguments) = product(x, rows, &matrix, false);
            case.run_with_amx((Variant::V4Vnni, 2), &arguments, &mut no_cache())
        };
        let Some(all) = run(&x) else { return };
        for part in [0..3, 3..19, 19..40] {
            let found = run(&x[part.start * matrix.columns..part.end * matrix.columns]);
            let expected = &all[part.start * matrix.rows..part.end * matrix.rows];
            assert!(found.is_some_and(|found| same_bits(&found, expected)), "rows {part:?}");
        }
        x[5 * matrix.columns + 7] = f32::NAN;
        let broken = run(&x).expect("the machine has not changed");
        for (row, (found, good)) in
            broken.chunks(matrix.rows).zip(all.chunks(matrix.rows)).enumerate()
        {
            let hidden = found.iter().any(|value| !value.is_nan());
            assert!(if row == 5 { !hidden } else { same_bits(found, good) }, "row {row}");
        }
    }
}
