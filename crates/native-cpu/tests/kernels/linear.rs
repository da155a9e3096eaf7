//! Products with weights of every layout.

use std::collections::HashMap;

use tyto_graph::{BlockLayout, DType, Layout};
use tyto_kernel_cases::linear;
use tyto_native_cpu::Variant;

use crate::activations::{activations, seen, steps};
use crate::matrix::{Matrix, layouts, takes_floats};
use crate::random::Random;
use crate::runner::{Arguments, Case, machines, same_bits};

/// [`linear::product`], planned, with its arguments.
pub fn product(x: &[f32], rows: usize, matrix: &Matrix, as_batch: bool) -> (Case, Arguments) {
    (Case::of(linear::product(x, rows, matrix, as_batch)), Arguments::counted(rows))
}

/// How far sums in f32 may be from exact ones, as a part of the sum of the sizes of all terms.
fn rounding(columns: usize) -> f64 {
    (columns as f64 + 8.0) * f64::from(f32::EPSILON)
}

/// How far an output may be from the interpreter's: by sums in f32 where both see the activations
/// `seen`, and by the steps of those from `x` more where the interpreter sees `x` itself.
fn bounds(matrix: &Matrix, output: usize, x: &[f32], seen: &[f32]) -> [f64; 2] {
    let sizes = matrix.row_sizes(output).iter().zip(seen);
    let terms: f64 = sizes.map(|(w, x)| f64::from(*w) * f64::from(x.abs())).sum();
    let sums = terms * rounding(matrix.columns) + 1e-30;
    let steps: Vec<f32> = match matrix.layout {
        layout if !takes_floats(layout) => steps(x),
        Layout::Blocks(_) => x.iter().zip(seen).map(|(x, seen)| (x - seen).abs()).collect(),
        _ => return [sums, sums],
    };
    let weights = matrix.row(output).iter().zip(steps);
    let moved: f64 = weights.map(|(w, step)| f64::from(w.abs()) * f64::from(step)).sum();
    [sums, sums + moved]
}

/// What all rows are to a variant's product, and the interpreter's result of that.
fn seen_by(x: &[f32], rows: usize, matrix: &Matrix, variant: Variant) -> (Vec<f32>, Vec<f32>) {
    let Matrix { layout, columns, .. } = *matrix;
    let dtype = matrix.stored.dtype();
    let seen: Vec<f32> =
        x.chunks(columns).flat_map(|row| seen(layout, dtype, (rows, variant), row)).collect();
    let (case, arguments) = product(&seen, rows, matrix, true);
    let (exact, _) = case.interpreted(&arguments, HashMap::new());
    (seen, exact)
}

/// Every output against the interpreter, on what the kernels see of the activations and on the
/// activations themselves.
fn check_values(x: &[f32], rows: usize, matrix: &Matrix, turn: usize) {
    let Matrix { layout, columns, rows: n, .. } = *matrix;
    let (case, arguments) = product(x, rows, matrix, turn.is_multiple_of(2));
    let (whole, _) = case.interpreted(&arguments, HashMap::new());
    let (mut seen, mut exact) = seen_by(x, rows, matrix, Variant::Portable);
    for machine in machines(turn) {
        if machine.0 == Variant::V4Extended && takes_floats(layout) {
            (seen, exact) = seen_by(x, rows, matrix, machine.0);
        }
        let found = case.run_plain(machine, &arguments);
        for (index, found) in found.iter().enumerate() {
            let (row, output) = (index / n, index % n);
            let [x, seen] = [x, &seen].map(|all| &all[row * columns..][..columns]);
            let bounds = bounds(matrix, output, x, seen);
            for (bound, expected) in bounds.into_iter().zip([exact[index], whole[index]]) {
                assert!(
                    (f64::from(*found) - f64::from(expected)).abs() <= bound,
                    "{layout} n {n} k {columns} rows {rows} {machine:?}: row {row} output \
                     {output} is {found}, not {expected} within {bound:e}"
                );
            }
        }
    }
}

/// A NaN or an infinity shows in every output of its row, and in no other row's.
fn check_not_finite(x: &[f32], rows: usize, matrix: &Matrix, random: &mut Random) {
    let (columns, n) = (matrix.columns, matrix.rows);
    let bad = random.below(rows);
    let mut broken = x.to_vec();
    broken[bad * columns + random.below(columns)] =
        random.pick(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
    let (case, arguments) = product(x, rows, matrix, true);
    let (broken, _) = product(&broken, rows, matrix, true);
    for machine in machines(bad) {
        let good = case.run_plain(machine, &arguments);
        let found = broken.run_plain(machine, &arguments);
        for (row, (found, good)) in found.chunks(n).zip(good.chunks(n)).enumerate() {
            let layout = matrix.layout;
            if row == bad {
                assert!(
                    found.iter().all(|value| !value.is_finite()),
                    "{layout} k {columns} rows {rows} {machine:?}: row {row} hides a NaN: {found:?}"
                );
            } else {
                assert!(same_bits(found, good), "{layout} {machine:?}: row {bad} shows in {row}");
            }
        }
    }
}

/// A row has the same bits alone as among others.
fn check_alone(x: &[f32], rows: usize, matrix: &Matrix, random: &mut Random) {
    let (row, n) = (random.below(rows), matrix.rows);
    let alone = &x[row * matrix.columns..][..matrix.columns];
    for machine in machines(row) {
        let (case, arguments) = product(x, rows, matrix, true);
        let among = case.run_plain(machine, &arguments);
        let (case, arguments) = product(alone, 1, matrix, true);
        let alone = case.run_plain(machine, &arguments);
        let layout = matrix.layout;
        assert!(
            same_bits(&alone, &among[row * n..][..n]),
            "{layout} {machine:?}: row {row} of {rows} depends on the others"
        );
    }
}

pub fn columns_of(layout: Layout, random: &mut Random) -> usize {
    match layout {
        Layout::Blocks(blocks) => blocks.unit() * random.pick(&[1, 2, 5]),
        Layout::Tiled { k, .. } => random.pick(&[1, 7, 33, 130]) * k,
        Layout::RowMajor => 0,
    }
}

/// Products of plain layouts and of those of published formats, with all numbers of rows.
#[test]
fn products_of_every_layout() {
    let mut random = Random::new(1);
    let rows = [1, 2, 3, 5, 7, 8, 9, 16, 17, 33, 64];
    for (turn, (layout, dtype)) in layouts().into_iter().enumerate() {
        for (index, rows) in rows.into_iter().enumerate() {
            let n = [1, 17, 40, 16, 33][(turn + index) % 5];
            let columns = columns_of(layout, &mut random);
            let matrix = Matrix::random((layout, dtype), n, columns, &mut random);
            let x = activations(rows, columns, &mut random);
            check_values(&x, rows, &matrix, turn + index);
            if index % 3 == turn % 3 {
                check_not_finite(&x, rows, &matrix, &mut random);
            }
            // Floats are added up in another order beyond eight rows.
            if !takes_floats(layout) || rows <= 8 {
                check_alone(&x, rows, &matrix, &mut random);
            }
        }
    }
}

/// Every combination that is a layout, each with a few rows and with many.
#[test]
fn products_of_all_blocks() {
    let mut random = Random::new(4);
    for (turn, blocks) in BlockLayout::all().enumerate() {
        let layout = Layout::Blocks(blocks);
        for rows in [[1, 2, 3, 5][turn % 4], [9, 17][turn / 2 % 2]] {
            let n = [1, 17, 33][turn % 3];
            let columns = blocks.unit() * [1, 2][turn / 3 % 2];
            let matrix = Matrix::random((layout, DType::U8), n, columns, &mut random);
            let x = activations(rows, columns, &mut random);
            check_values(&x, rows, &matrix, turn);
        }
    }
}

/// Sizes at which columns come in several panels and rows are split among workers.
#[test]
fn large_products() {
    let mut random = Random::new(2);
    for (turn, (layout, dtype)) in layouts().into_iter().enumerate() {
        let (rows, n, columns) = [(70, 40, 1536), (3, 300, 1280), (150, 33, 768)][turn % 3];
        let matrix = Matrix::random((layout, dtype), n, columns, &mut random);
        let x = activations(rows, columns, &mut random);
        check_values(&x, rows, &matrix, rows);
    }
}

#[test]
fn bits_do_not_depend_on_workers() {
    let mut random = Random::new(3);
    for (layout, dtype) in layouts() {
        for rows in [1, 8, 40] {
            let matrix = Matrix::random((layout, dtype), 200, 256, &mut random);
            let x = activations(rows, 256, &mut random);
            let (case, arguments) = product(&x, rows, &matrix, true);
            for (variant, _) in machines(0) {
                check_workers(&case, &arguments, variant, &format!("{layout}, {rows} rows"));
            }
        }
    }
}

/// One to seven workers give the same bits.
pub fn check_workers(case: &Case, arguments: &Arguments, variant: Variant, what: &str) {
    let expected = case.run_plain((variant, 1), arguments);
    for workers in [2, 3, 7] {
        let found = case.run_plain((variant, workers), arguments);
        assert!(same_bits(&found, &expected), "{what}, {variant:?}: {workers} workers differ");
    }
}
