//! Products of many rows on matrix registers, with weights of every layout.
//!
//! Bounds: activations of blocks are rounded to f16 (2^-11 of each), both sums have `k` roundings of
//! f32, and numbers far below a row's largest one lose bits to the scale of the row and to the
//! chip's sums (`kernels-hip/common/{pack,matrix}.h`).

use std::collections::HashMap;

use tyto_graph::{DType, Layout};
use tyto_rdna_emu::{Numerics, Options, Races, Schedule};

use crate::linear::{gpu_layouts, product};
use crate::matrix::Matrix;
use crate::random::Random;
use crate::runner::Case;

fn options(turn: usize, numerics: Numerics) -> Options {
    let schedule = Schedule::SAMPLE[turn % Schedule::SAMPLE.len()];
    Options { schedule, numerics, races: Races::All, checks_written: true, ..Options::default() }
}

/// How far a product may be from the interpreter's.
fn bound(x: &[f32], matrix: &Matrix, output: usize) -> f64 {
    let sizes = matrix.row_sizes(output).iter().map(|size| f64::from(*size));
    let weights = matrix.row(output).iter().map(|weight| f64::from(weight.abs()));
    let x = || x.iter().map(|value| f64::from(value.abs()));
    let terms: f64 = sizes.clone().zip(x()).map(|(size, x)| size * x).sum();
    let rounded: f64 = weights.zip(x()).map(|(weight, x)| weight * x).sum();
    let of_blocks = f64::from(u8::from(matches!(matrix.layout, Layout::Blocks(_))));
    let k = x().count() as f64;
    let largest = x().fold(0.0, f64::max) * sizes.fold(0.0, f64::max);
    of_blocks * rounded / 2048.0
        + (2.0 * k + 16.0) * f64::from(f32::EPSILON) * terms
        + k * 2f64.powi(-36) * largest
        + 1e-30
}

fn kernel_of(case: &Case) -> &str {
    &case.program.launches.last().expect("a product").kernel
}

/// Compares a product with the interpreter's in both models of the chip's sums.
fn check(x: &[f32], rows: usize, matrix: &Matrix, turn: usize) {
    let (case, arguments) = product(x, rows, matrix, false);
    let (n, k) = (matrix.rows, matrix.columns);
    assert!(kernel_of(&case).starts_with(if rows > 32 { "ty_gemm64_" } else { "ty_gemm32_" }));
    let (expected, _) = case.interpreted(&arguments, HashMap::new());
    for numerics in [Numerics::Ieee, Numerics::Gfx11] {
        let found = case.run_plain(&options(turn, numerics), &arguments);
        for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let (row, output) = (index / n, index % n);
            let bound = bound(&x[row * k..][..k], matrix, output);
            assert!(
                (f64::from(*found) - f64::from(*expected)).abs() <= bound,
                "{} n {n} k {k} rows {rows} {numerics:?}: row {row} output {output} is {found}, \
                 not {expected} within {bound:e}\n{}",
                matrix.layout,
                case.program
            );
        }
    }
}

/// Layouts for matrix registers, and columns of a few units.
fn layouts(random: &mut Random, most: usize) -> Vec<((Layout, DType), usize)> {
    let registers = gpu_layouts().into_iter().filter(|(_, dtype)| *dtype != DType::F32);
    let columns = |layout: Layout, random: &mut Random| match layout {
        Layout::Blocks(blocks) => blocks.unit().max(32) * (1 + random.below(most)),
        _ => 16 * (1 + random.below(3 * most)),
    };
    registers.map(|layout| (layout, columns(layout.0, random))).collect()
}

#[test]
fn many_rows_of_every_format() {
    let mut random = Random::new(81);
    for (turn, (layout, columns)) in layouts(&mut random, 3).into_iter().enumerate() {
        let rows = if turn % 2 == 0 { 9 + random.below(24) } else { 33 + random.below(98) };
        let n = 1 + random.below(150);
        let matrix = Matrix::random(layout, n, columns, &mut random);
        let x = random.normals(rows * columns);
        check(&x, rows, &matrix, turn);
    }
}

#[test]
fn rows_of_any_size_keep_their_precision() {
    let mut random = Random::new(82);
    for (turn, (layout, columns)) in layouts(&mut random, 1).into_iter().enumerate() {
        let matrix = Matrix::random(layout, 20, columns, &mut random);
        let rows = 17;
        let mut x = random.normals(rows * columns);
        // f16 weights see f16 activations.
        let large = if layout.1 == DType::F16 { 1e4 } else { 1e5 };
        for (row, x) in x.chunks_mut(columns).enumerate() {
            let factor = [1.0, large, 1e-6, 0.0, 1e-20][row % 5];
            x.iter_mut().for_each(|value| *value *= factor);
            // One column far above the others.
            x[row % columns] *= if row % 2 == 0 { 1.0 } else { 1.9 };
        }
        check(&x, rows, &matrix, turn);
    }
}

#[test]
fn a_row_does_not_depend_on_others() {
    let mut random = Random::new(83);
    for (turn, (layout, columns)) in layouts(&mut random, 1).into_iter().enumerate().step_by(3) {
        let (n, rows) = (20, if turn % 2 == 0 { 23 } else { 70 });
        let matrix = Matrix::random(layout, n, columns, &mut random);
        let mut x = random.normals(rows * columns);
        let options = options(turn, Numerics::Ieee);
        let run = |x: &[f32], real: usize| {
            let (case, mut arguments) = product(x, rows, &matrix, false);
            arguments.positions[real..].fill(-1);
            arguments.sampled[real..].fill(-1);
            let found = case.run_plain(&options, &arguments);
            found[..real * n].iter().map(|value| value.to_bits()).collect::<Vec<u32>>()
        };
        let whole = run(&x, rows);
        // Without its last rows, which are padding then.
        let real = 18;
        assert_eq!(run(&x, real), whole[..real * n], "{}", layout.0);
        // What is no number shows in its own row.
        x[columns..][..2].copy_from_slice(&[f32::NAN, 1.0]);
        x[2 * columns] = f32::INFINITY;
        let found = run(&x, rows);
        let is_finite = |bits: &u32| f32::from_bits(*bits).is_finite();
        assert!(found[n..2 * n].iter().all(|bits| f32::from_bits(*bits).is_nan()));
        assert!(!found[2 * n..3 * n].iter().any(is_finite), "{}", layout.0);
        assert_eq!([&found[..n], &found[3 * n..]], [&whole[..n], &whole[3 * n..]], "{}", layout.0);
    }
}

#[test]
fn other_products_of_prompts_read_rows_as_they_are() {
    let mut random = Random::new(84);
    let f16 = (Layout::Tiled { n: 16, k: 8 }, DType::F16);
    let f32s = (Layout::Tiled { n: 16, k: 1 }, DType::F32);
    for (layout, rows, columns) in [(f32s, 40, 32), (f16, 8, 32), (f16, 40, 24)] {
        let matrix = Matrix::random(layout, 5, columns, &mut random);
        let x = random.normals(rows * columns);
        let (case, arguments) = product(&x, rows, &matrix, false);
        assert!(kernel_of(&case).starts_with("ty_matvec8_"), "{}", case.program);
        let (expected, _): (Vec<f32>, _) = case.interpreted(&arguments, HashMap::new());
        let found = case.run_plain(&options(0, Numerics::Ieee), &arguments);
        for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let bound = bound(&x[index / 5 * columns..][..columns], &matrix, index % 5);
            assert!((f64::from(*found) - f64::from(*expected)).abs() <= bound);
        }
    }
}
