//! Recurrent layers: what a program says of their states, and what has none.

use std::collections::HashMap;

use tyto_graph::{
    ConvAttrs, DType, Dim, Graph, InputKind, Layout, Literal, Op, RecurrentResult, Shape,
    TensorType, ValueId,
};
use tyto_phase_program::{GpuOptions, Program, StepSizes, Unsupported, plan, plan_for_gpu};

const CHANNELS: usize = 20;

/// A convolution of embeddings.
struct Convolution {
    graph: Graph,
    sizes: StepSizes,
    taps: usize,
    /// The input that holds the state.
    state: usize,
    operands: [ValueId; 5],
}

const CONV: ConvAttrs = ConvAttrs { result: RecurrentResult::Output, silu: true };

impl Convolution {
    fn new(batch: usize, tokens: usize, taps: usize) -> Self {
        let mut graph = Graph::new("conv");
        let cells = batch * tokens;
        let mut input = |name: &str, sizes: &[usize]| {
            graph.add_input(name, TensorType::new(DType::I32, sizes), InputKind::Plain)
        };
        let (ids, positions) = (input("tokens", &[cells]), input("positions", &[cells]));
        input("tables", &[batch, 3]);
        let states = input("states", &[batch]);
        let slots = Dim::named("slots", 8);
        let shape = Shape::new([slots, Dim::Fixed(taps - 1), Dim::Fixed(CHANNELS)]);
        let state = graph.inputs.len();
        let old = graph.add_input("state", TensorType::new(DType::F32, shape), InputKind::State);
        let mut weight = |name: &str, sizes: &[usize]| {
            let op = Op::Weight { name: name.into(), ty: TensorType::new(DType::F32, sizes) };
            graph.add(op, &[]).expect("a weight")
        };
        let (table, taps_of) = (weight("table", &[9, CHANNELS]), weight("conv", &[CHANNELS, taps]));
        let op = Op::Embedding { layout: Layout::RowMajor, rows: 9 };
        let x = graph.add(op, &[table, ids]).expect("embeddings");
        let sizes = StepSizes { batch, tokens, rows: cells };
        let operands = [x, taps_of, old, states, positions];
        Self { graph, sizes, taps, state, operands }
    }

    fn add(&mut self, result: RecurrentResult) -> ValueId {
        let op = Op::CausalConv(ConvAttrs { result, ..CONV });
        self.graph.add(op, &self.operands).expect("it fits")
    }

    /// Planned with these results.
    fn planned(mut self, output: ValueId, state: ValueId) -> Result<Program, Unsupported> {
        self.graph.add_output("logits", output);
        self.graph.add_updated(self.state, state);
        self.graph.verify().expect("sound");
        let places = HashMap::from([("table".into(), 0), ("conv".into(), 4096)]);
        plan(&self.graph, self.sizes, &places)
    }

    fn whole(mut self) -> Result<Program, Unsupported> {
        let (output, state) = (self.add(RecurrentResult::Output), self.add(RecurrentResult::State));
        self.planned(output, state)
    }
}

fn check(result: Result<Program, Unsupported>, reason: &str) {
    let why = result.expect_err(reason);
    assert_eq!(why.op, "causal_conv", "{why}");
    assert!(why.reason.contains(reason), "{why}: expected {reason:?}");
}

#[test]
fn a_slot_holds_rows_padded_to_sixteen_and_there_is_a_block() {
    for (batch, tokens) in [(1, 1), (12, 1), (1, 40)] {
        let convolution = Convolution::new(batch, tokens, 4);
        let taps = convolution.taps as u64;
        let program = convolution.whole().expect("it has a kernel");
        assert_eq!((program.slot_bytes, program.block_bytes), ((taps - 1) * 32 * 4, 64));
        assert!(program.to_string().contains(" conv 0"), "{program}");
    }
}

/// A parameter that is a constant stands in the program itself.
#[test]
fn a_parameter_may_be_a_constant() {
    let taps = [1.0, 0.0].repeat(CHANNELS);
    let mut constant = Convolution::new(1, 1, 2);
    let graph = &mut constant.graph;
    let vector = graph.add(Op::Constant(Literal::Vector(taps.clone())), &[]).expect("a constant");
    let table = graph.add(Op::Reshape(vec![CHANNELS, 2]), &[vector]).expect("as many");
    constant.operands[1] = table;
    let constant = constant.whole().expect("it has a kernel").bytes;
    let plain = Convolution::new(1, 1, 2).whole().expect("it has a kernel").bytes;
    let taps: Vec<u8> = taps.iter().flat_map(|tap: &f32| tap.to_le_bytes()).collect();
    let holds = |bytes: &[u8]| bytes.windows(taps.len()).any(|window| window == taps);
    assert!(holds(&constant) && !holds(&plain));
}

#[test]
fn what_has_no_program_is_named() {
    check(Convolution::new(1, 1, 17).whole(), "more than 16 tokens");
    check(Convolution::new(2, 3, 4).whole(), "several sequences");

    let mut other = Convolution::new(2, 1, 4);
    other.operands[3] = other.operands[4];
    check(other.whole(), "states or positions that are not the step's");

    let mut unread = Convolution::new(1, 1, 4);
    let (output, old) = (unread.add(RecurrentResult::Output), unread.operands[2]);
    check(unread.planned(output, old), "does not update");

    let mut twice = Convolution::new(1, 1, 4);
    let state = twice.add(RecurrentResult::State);
    twice.operands[2] = state;
    check(twice.whole(), "updated twice");
}

/// A state alone: nothing computes it.
#[test]
fn a_state_that_nobody_reads_is_named() {
    let mut alone = Convolution::new(1, 1, 4);
    let (x, state) = (alone.operands[0], alone.add(RecurrentResult::State));
    check(alone.planned(x, state), "no recurrence of this step");
}

fn on_a_gpu(batch: usize, tokens: usize) -> Program {
    let mut convolution = Convolution::new(batch, tokens, 4);
    let (output, state) =
        (convolution.add(RecurrentResult::Output), convolution.add(RecurrentResult::State));
    let Convolution { mut graph, sizes, state: input, .. } = convolution;
    graph.add_output("logits", output);
    graph.add_updated(input, state);
    let places = HashMap::from([("table".into(), 0), ("conv".into(), 4096)]);
    plan_for_gpu(&graph, sizes, &places, GpuOptions::default()).expect("it has a kernel")
}

#[test]
fn a_gpu_launches_it() {
    let program = on_a_gpu(1, 1);
    let launches = program.launches.iter().filter(|launch| launch.kernel == "ty_convolve");
    assert_eq!(launches.map(|launch| launch.grid).collect::<Vec<_>>(), [[1, 1, 1]]);
}

/// Of several rows some may be one text's, which one workgroup goes through: none computes the row that it
/// is launched for.
#[test]
fn rows_that_may_follow_one_another_are_there_before_a_gpus_recurrence() {
    let printed = |batch| on_a_gpu(batch, 1).to_string();
    let (one, several) = (printed(1), printed(4));
    assert!(one.starts_with("0: [embed(20)] conv 0\n"), "{one}");
    assert!(several.starts_with("0: [embed(20)]\n1: [] conv 0\n"), "{several}");
}
