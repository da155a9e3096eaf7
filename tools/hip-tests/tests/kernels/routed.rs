//! Products of routed rows: of few rows near the interpreter's, of a prompt's to the bit those of each
//! expert's matrix alone.

use std::collections::HashMap;

use tyto_graph::interpreter::Tensor;
use tyto_graph::{DType, Graph, Layout, Op, ValueId};
use tyto_phase_program::StepSizes;
use tyto_rdna_emu::Options;

use crate::linear::{gpu_layouts, product};
use crate::matrix::Matrix;
use crate::random::Random;
use crate::runner::{Arguments, Case, Named, options};

/// Experts of a token.
const USED: usize = 2;

struct Building {
    graph: Graph,
    weights: HashMap<String, Tensor>,
    tokens: ValueId,
    cells: usize,
}

impl Building {
    fn weight(&mut self, tensor: Tensor) -> ValueId {
        let name = format!("w{}", self.weights.len());
        let op = Op::Weight { name: name.as_str().into(), ty: tensor.ty() };
        self.weights.insert(name, tensor);
        self.graph.add(op, &[]).expect("a weight")
    }

    /// Rows of f32s, one a token.
    fn rows(&mut self, values: &[f32]) -> ValueId {
        let shape = [self.cells, values.len() / self.cells];
        let tensor = Tensor::floats(DType::F32, shape, values.iter().copied());
        let table = self.weight(tensor.expect("sizes fit"));
        let op = Op::Embedding { layout: Layout::RowMajor, rows: self.cells };
        self.graph.add(op, &[table, self.tokens]).expect("a table")
    }
}

/// The products of tokens with the matrices of their first or second choice by `scores`.
fn routed(x: &[f32], matrices: &[Matrix], scores: &[f32], choice: usize) -> Case {
    let (experts, first) = (matrices.len(), &matrices[0]);
    let cells = scores.len() / experts;
    let sizes = StepSizes { batch: 1, tokens: cells, rows: cells };
    let mut graph = Graph::new("routed");
    let tokens = Named::new(&mut graph, sizes, 1).tokens;
    let mut b = Building { graph, weights: HashMap::new(), tokens, cells };
    let (x, scores) = (b.rows(x), b.rows(scores));
    let ids = b.graph.add(Op::TopK { k: USED, groups: None }, &[scores]).expect("a choice");
    let shape = first.layout.stacked_shape(experts, first.rows, first.columns);
    let bytes: Vec<u8> = matrices.iter().flat_map(|matrix| matrix.stored.to_bytes()).collect();
    let stack = Tensor::from_bytes(first.stored.dtype(), shape.expect("divides"), &bytes);
    let stack = b.weight(stack.expect("fits"));
    let op = Op::ExpertLinear { layout: first.layout, experts, rows: first.rows };
    let y = b.graph.add(op, &[x, stack, ids]).expect("products");
    // Weight 1 for the choice that is wanted: its row itself.
    let chosen = |at: usize| if at % USED == choice { 1.0 } else { 0.0 };
    let chosen = b.rows(&(0..cells * USED).map(chosen).collect::<Vec<f32>>());
    let row = b.graph.add(Op::WeightedSum, &[y, chosen]).expect("a row");
    b.graph.add_output("logits", row);
    Case::new(b.graph, sizes, b.weights)
}

/// The expert of each token's choice `choice`.
fn experts_of(scores: &[f32], experts: usize, choice: usize) -> Vec<usize> {
    let chosen = |scores: &[f32]| {
        let mut ids: Vec<usize> = (0..experts).collect();
        ids.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        ids[choice]
    };
    scores.chunks(experts).map(chosen).collect()
}

/// Scores of `cells` tokens: any, or the same two experts for all.
fn scores_of(cells: usize, experts: usize, any: bool, random: &mut Random) -> Vec<f32> {
    let lucky = random.below(experts);
    let one = |at: usize| if at % experts == lucky { 5.0 } else { -((at % experts) as f32) };
    match any {
        true => random.normals(cells * experts),
        false => (0..cells * experts).map(one).collect(),
    }
}

/// The bound is that of few rows of one matrix: f32 sums in another order.
#[test]
fn few_routed_rows_of_every_format() {
    let mut random = Random::new(86);
    for (turn, layout) in gpu_layouts().into_iter().enumerate() {
        let columns = match layout.0 {
            Layout::Blocks(blocks) => blocks.unit().max(32) * (1 + turn % 2),
            _ => 48,
        };
        let (experts, n, cells) = (5, [17, 33, 3][turn % 3], 1 + turn % 4);
        let matrices: Vec<Matrix> =
            (0..experts).map(|_| Matrix::random(layout, n, columns, &mut random)).collect();
        let x = random.normals(cells * columns);
        let scores = scores_of(cells, experts, turn % 3 != 1, &mut random);
        let choice = turn / 2 % USED;
        let case = routed(&x, &matrices, &scores, choice);
        let kernels: Vec<&str> = case.program.launches.iter().map(|one| &*one.kernel).collect();
        let few = |kernel: &str| kernel.starts_with("ty_experts_") && !kernel.contains("gemm");
        assert!(kernels.iter().any(|kernel| few(kernel)), "{kernels:?}");
        let arguments = Arguments::counted(cells);
        let (expected, _) = case.interpreted(&arguments, HashMap::new());
        let found = case.run_plain(&options(turn), &arguments);
        let chosen = experts_of(&scores, experts, choice);
        for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let (token, output) = (index / n, index % n);
            let sizes = matrices[chosen[token]].row_sizes(output);
            let terms = sizes.iter().zip(&x[token * columns..]);
            let terms: f64 = terms.map(|(w, x)| f64::from(*w) * f64::from(x.abs())).sum();
            let bound = terms * (columns as f64 + 8.0) * f64::from(f32::EPSILON) + 1e-30;
            assert!(
                (f64::from(*found) - f64::from(*expected)).abs() <= bound,
                "{} {kernels:?}: token {token} output {output} is {found}, not {expected} within \
                 {bound:e}",
                layout.0
            );
        }
    }
}

#[test]
fn routed_rows_are_what_their_matrix_alone_gives() {
    let mut random = Random::new(85);
    let layouts = gpu_layouts().into_iter().filter(|(_, dtype)| *dtype != DType::F32);
    for (turn, layout) in layouts.enumerate() {
        let columns = match layout.0 {
            Layout::Blocks(blocks) => blocks.unit().max(32) * (1 + turn % 2),
            _ => 48,
        };
        // More experts than lanes now and then, most without rows.
        let experts = if turn % 6 == 0 { 37 } else { 5 };
        let (n, cells) = ([17, 140, 16][turn % 3], 33 + random.below(12));
        let matrices: Vec<Matrix> =
            (0..experts).map(|_| Matrix::random(layout, n, columns, &mut random)).collect();
        let x = random.normals(cells * columns);
        let scores = scores_of(cells, experts, turn % 3 != 1, &mut random);
        let options = options(turn);
        let numerics = options.numerics;
        let choice = turn / 2 % USED;
        let case = routed(&x, &matrices, &scores, choice);
        let launches = &case.program.launches;
        assert!(launches.iter().any(|launch| launch.kernel.starts_with("ty_experts_gemm_")));
        let arguments = Arguments::counted(cells);
        let found = case.run_plain(&options, &arguments);
        let chosen = experts_of(&scores, experts, choice);
        let mut alone: HashMap<usize, Vec<f32>> = HashMap::new();
        for (token, expert) in chosen.into_iter().enumerate() {
            let expected = alone.entry(expert).or_insert_with(|| {
                let (case, arguments) = product(&x, cells, &matrices[expert], false);
                case.run_plain(&Options { numerics, ..Options::default() }, &arguments)
            });
            // Sums make 0 of -0, which these compare equal to.
            let (found, expected) = (&found[token * n..][..n], &expected[token * n..][..n]);
            assert_eq!(found, expected, "{} token {token}\n{}", layout.0, case.program);
        }
    }
}
