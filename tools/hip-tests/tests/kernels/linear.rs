//! Products of few rows with weights of every layout.

use std::collections::HashMap;

use tyto_graph::{DType, Graph, Layout, Op, TensorType};
use tyto_kernel_cases::linear;
use tyto_phase_program::StepSizes;
use tyto_rdna_emu::{Options, Races, Schedule};

use crate::matrix::{Matrix, layouts};
use crate::random::Random;
use crate::runner::{Arguments, Case, Named};

/// [`linear::product`], planned, with its arguments.
pub fn product(x: &[f32], rows: usize, matrix: &Matrix, as_batch: bool) -> (Case, Arguments) {
    (Case::of(linear::product(x, rows, matrix, as_batch)), Arguments::counted(rows))
}

/// A product of one row with weights of no values, and the weights' bytes.
pub fn product_graph(layout: Layout, dtype: DType, n: usize, k: usize) -> (Graph, usize) {
    let sizes = StepSizes { batch: 1, tokens: 1, rows: 1 };
    let mut graph = Graph::new("product");
    let named = Named::new(&mut graph, sizes, 1);
    let table = TensorType::new(DType::F32, [1, k]);
    let table = graph.add(Op::Weight { name: "x".into(), ty: table }, &[]).expect("a weight");
    let op = Op::Embedding { layout: Layout::RowMajor, rows: 1 };
    let x = graph.add(op, &[table, named.tokens]).expect("a table");
    let shape = layout.stored_shape(n, k).expect("whole blocks");
    let bytes = shape.iter().product::<usize>() * dtype.bytes();
    let ty = TensorType::new(dtype, shape);
    let w = graph.add(Op::Weight { name: "w".into(), ty }, &[]).expect("a weight");
    let y = graph.add(Op::Linear { layout, rows: n }, &[x, w]).expect("a product");
    graph.add_output("logits", y);
    (graph, bytes)
}

/// The layouts that GPUs read: those of CPUs but for 16-bit floats.
pub fn gpu_layouts() -> Vec<(Layout, DType)> {
    let plain = [DType::F16, DType::BF16].map(|dtype| (Layout::Tiled { n: 16, k: 8 }, dtype));
    let others =
        layouts().into_iter().filter(|(_, dtype)| !matches!(dtype, DType::F16 | DType::BF16));
    plain.into_iter().chain(others).collect()
}

#[test]
fn few_rows_of_every_format() {
    let mut random = Random::new(71);
    for (turn, layout) in gpu_layouts().into_iter().enumerate() {
        let columns = match layout.0 {
            Layout::Blocks(blocks) => blocks.unit().max(32) * (1 + random.below(3)),
            _ => 8 * (1 + random.below(9)),
        };
        for rows in [1, 1 + random.below(9)] {
            let n = 1 + random.below(50);
            let matrix = Matrix::random(layout, n, columns, &mut random);
            let x = random.normals(rows * columns);
            let (case, arguments) = product(&x, rows, &matrix, true);
            let (expected, _) = case.interpreted(&arguments, HashMap::new());
            let schedule = Schedule::SAMPLE[turn % Schedule::SAMPLE.len()];
            let options =
                Options { schedule, races: Races::All, checks_written: true, ..Options::default() };
            let found = case.run_plain(&options, &arguments);
            for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let (row, output) = (index / n, index % n);
                let terms = matrix.row_sizes(output).iter().zip(&x[row * columns..]);
                let terms: f64 = terms.map(|(w, x)| f64::from(*w) * f64::from(x.abs())).sum();
                let bound = terms * (columns as f64 + 8.0) * f64::from(f32::EPSILON) + 1e-30;
                assert!(
                    (f64::from(*found) - f64::from(*expected)).abs() <= bound,
                    "{} n {n} k {columns} rows {rows} {schedule:?}: row {row} output {output} is \
                     {found}, not {expected} within {bound:e}\n{}",
                    layout.0,
                    case.program
                );
            }
        }
    }
}

#[test]
fn a_row_alone_has_the_bits_that_it_has_among_others() {
    let mut random = Random::new(73);
    for layout in gpu_layouts() {
        let columns = match layout.0 {
            Layout::Blocks(blocks) => blocks.unit().max(32) * 3,
            _ => 8 * 7,
        };
        let (rows, n) = (5, 7);
        let matrix = Matrix::random(layout, n, columns, &mut random);
        let x = random.normals(rows * columns);
        let run = |x: &[f32], rows| {
            let (case, arguments) = product(x, rows, &matrix, true);
            let found = case.run_plain(&Options::default(), &arguments);
            found.into_iter().map(f32::to_bits).collect::<Vec<u32>>()
        };
        let together = run(&x, rows);
        for row in [0, 3] {
            let alone = run(&x[row * columns..][..columns], 1);
            assert_eq!(alone, together[row * n..][..n], "{}", layout.0);
        }
    }
}
