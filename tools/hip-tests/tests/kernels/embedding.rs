//! Rows of tables in every layout.

use std::collections::HashMap;

use tyto_graph::{Graph, Layout, Op};
use tyto_phase_program::StepSizes;
use tyto_rdna_emu::{Options, Races};

use crate::linear::gpu_layouts;
use crate::matrix::Matrix;
use crate::random::Random;
use crate::runner::{Arguments, Case, Named};

#[test]
fn rows_are_decoded_exactly() {
    let mut random = Random::new(72);
    for layout in gpu_layouts() {
        let columns = match layout.0 {
            Layout::Blocks(blocks) => blocks.unit().max(32) * 2,
            _ => 40,
        };
        let rows = 37;
        let matrix = Matrix::random(layout, rows, columns, &mut random);
        let sizes = StepSizes { batch: 5, tokens: 1, rows: 5 };
        let mut graph = Graph::new("embedding");
        let named = Named::new(&mut graph, sizes, 1);
        let table = Op::Weight { name: "w".into(), ty: matrix.stored.ty() };
        let table = graph.add(table, &[]).expect("a weight");
        let op = Op::Embedding { layout: layout.0, rows };
        let x = graph.add(op, &[table, named.tokens]).expect("a table");
        graph.add_output("logits", x);
        let weights = HashMap::from([("w".to_owned(), matrix.stored.clone())]);
        let case = Case::new(graph, sizes, weights);
        let mut arguments = Arguments::counted(5);
        arguments.tokens = vec![0, 15, 16, 36, 7];
        let (expected, _) = case.interpreted(&arguments, HashMap::new());
        let options = Options { races: Races::All, checks_written: true, ..Options::default() };
        assert_eq!(case.run_plain(&options, &arguments), expected, "{}", layout.0);
    }
}
