//! Rows of tables in every layout: exact, whatever the form.

use std::collections::HashMap;

use tyto_graph::{DType, Graph, Layout, Op};
use tyto_phase_program::StepSizes;

use crate::matrix::{Matrix, layouts};
use crate::random::Random;
use crate::runner::{Arguments, Case, Named, machines};

fn lookup(matrix: &Matrix, cells: usize) -> Case {
    let sizes = StepSizes { batch: cells, tokens: 1, rows: cells };
    let mut graph = Graph::new("lookup");
    let named = Named::new(&mut graph, sizes, 1);
    let weight = graph.add(Op::Weight { name: "w".into(), ty: matrix.stored.ty() }, &[]);
    let op = Op::Embedding { layout: matrix.layout, rows: matrix.rows };
    let rows = graph.add(op, &[weight.expect("a weight"), named.tokens]).expect("a table");
    graph.add_output("logits", rows);
    Case::new(graph, sizes, HashMap::from([("w".to_owned(), matrix.stored.clone())]))
}

#[test]
fn rows_of_tables_are_exact() {
    let mut random = Random::new(11);
    let plain = [DType::F32, DType::F16, DType::BF16].map(|dtype| (Layout::RowMajor, dtype));
    for (turn, (layout, dtype)) in layouts().into_iter().chain(plain).enumerate() {
        for (rows, cells) in [(1, 3), (40, 8), (67, 21)] {
            let columns = match layout {
                Layout::Blocks(blocks) => blocks.unit() * random.pick(&[1, 3]),
                Layout::Tiled { k, .. } => random.pick(&[1, 15, 33]) * k,
                Layout::RowMajor => random.pick(&[1, 16, 33]),
            };
            let matrix = Matrix::random((layout, dtype), rows, columns, &mut random);
            let case = lookup(&matrix, cells);
            let mut arguments = Arguments::counted(cells);
            arguments.tokens.fill_with(|| random.below(rows) as i32);
            let ids: Vec<usize> = arguments.tokens.iter().map(|id| *id as usize).collect();
            let expected: Vec<f32> = ids.iter().flat_map(|id| matrix.row(*id).to_vec()).collect();
            let (interpreted, _) = case.interpreted(&arguments, HashMap::new());
            assert_eq!(interpreted, expected, "{layout} {dtype}: the test decodes itself");
            for machine in machines(turn) {
                let found = case.run_plain(machine, &arguments);
                assert_eq!(found, expected, "{layout} {dtype} k {columns} {machine:?}");
            }
        }
    }
}
