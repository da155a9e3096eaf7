//! The interpreter with activations as the kernels quantize them: before every product with
//! blocks, int8 numbers with a scale for 32 columns.

use std::collections::HashMap;

use tyto_checkpoint::Checkpoint;
use tyto_frontend::testing::{Pool, Work, unwritten};
use tyto_frontend::{LoadedModel, StepShape, TraceOptions, materialize};
use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{
    Binary, BlockCode, Graph, InputKind, Layout, Literal, Op, Output, Reduction, Unary, ValueId,
};

/// A model whose products with blocks see quantized activations.
pub struct Quantized<'m> {
    model: &'m LoadedModel,
    checkpoint: &'m Checkpoint,
    options: TraceOptions,
    state: HashMap<String, Tensor>,
}

impl<'m> Quantized<'m> {
    pub fn new(model: &'m LoadedModel, checkpoint: &'m Checkpoint, options: TraceOptions) -> Self {
        Self { model, checkpoint, options, state: HashMap::new() }
    }

    /// Runs one step of `work` and gives the logits of each of its positions.
    pub fn run(&mut self, pool: &mut Pool, shape: &StepShape, work: &[Work]) -> Vec<Vec<f32>> {
        let traced = self.model.trace("step", shape, &self.options).expect("the model traces");
        let mut inputs = pool.inputs(shape, work);
        inputs.retain(|name, _| traced.graph.inputs.iter().any(|input| *input.name == **name));
        let states = traced.graph.inputs.iter().filter(|input| input.kind == InputKind::State);
        for input in states {
            let name = input.name.to_string();
            let state = self.state.remove(&name).unwrap_or_else(|| unwritten(&input.ty));
            inputs.insert(name, state);
        }
        let weights = |name: &str| {
            let weight = traced.weights.iter().find(|weight| &*weight.name == name)?;
            let bytes = materialize(self.checkpoint, weight).expect("the weight is there");
            let sizes = match weight.shape[..] {
                [rows, columns] => weight.layout.stored_shape(rows, columns).expect("tiles fit"),
                _ => weight.shape.clone(),
            };
            Some(Tensor::from_bytes(weight.dtype, sizes, &bytes).expect("sizes fit"))
        };
        let graph = quantizing(&traced.graph);
        let mut outputs = evaluate(&graph, inputs, &weights).expect("the step runs");
        let logits = outputs.remove("logits").expect("a step gives logits");
        self.state = outputs;
        let wanted = work.iter().map(|work| work.count).sum();
        let rows = logits.as_floats().expect("floats").chunks(logits.shape()[1]);
        rows.take(wanted).map(<[f32]>::to_vec).collect()
    }
}

/// The same graph with quantized operands of products with blocks.
fn quantizing(graph: &Graph) -> Graph {
    let mut copy = Graph::new(graph.name.clone());
    let mut values: Vec<ValueId> = Vec::new();
    for node in &graph.nodes {
        let mut operands: Vec<ValueId> =
            node.operands.iter().map(|operand| values[operand.index()]).collect();
        let value = match &node.op {
            Op::Input { index } => {
                let input = &graph.inputs[*index];
                copy.add_input(&input.name, input.ty.clone(), input.kind)
            }
            op => {
                if let Op::Linear { layout: Layout::Blocks(blocks), .. } = op
                    && blocks.code != BlockCode::E4M3
                {
                    operands[0] = quantized(&mut copy, operands[0]);
                }
                copy.add(op.clone(), &operands).expect("the graph is sound")
            }
        };
        values.push(value);
    }
    for output in &graph.outputs {
        match output {
            Output::Plain { name, value } => copy.add_output(name, values[value.index()]),
            Output::Updated { input, value } => copy.add_updated(*input, values[value.index()]),
        }
    }
    copy
}

/// `x`, each run of 32 columns rounded to 255 steps of its largest number.
fn quantized(graph: &mut Graph, x: ValueId) -> ValueId {
    let shape = graph.ty(x).shape.fixed().expect("fixed sizes");
    let runs = vec![shape[0], shape[1] / 32, 32];
    let mut add = |op: Op, operands: &[ValueId]| graph.add(op, operands).expect("a sound node");
    let whole = add(Op::Reshape(runs.clone()), &[x]);
    let negated = add(Op::Unary(Unary::Negate), &[whole]);
    let sizes = add(Op::Binary(Binary::Maximum), &[whole, negated]);
    let largest = add(Op::Reduce { reduction: Reduction::Max, axis: 2 }, &[sizes]);
    let largest = add(Op::Broadcast { shape: runs.clone(), axes: vec![0, 1] }, &[largest]);
    let ty = tyto_graph::TensorType::new(tyto_graph::DType::F32, runs);
    let mut splat = |value: f64| add(Op::Constant(Literal::Splat { value, ty: ty.clone() }), &[]);
    // Adding this rounds to a whole number: 1.5 times 2^23.
    let (most, rounder, least) = (splat(127.0), splat(12_582_912.0), splat((-100f64).exp2()));
    let mut binary = |binary, a, b| graph.add(Op::Binary(binary), &[a, b]).expect("a sound node");
    let largest = binary(Binary::Maximum, largest, least);
    let inverse = binary(Binary::Divide, most, largest);
    let codes = binary(Binary::Multiply, whole, inverse);
    let codes = binary(Binary::Add, codes, rounder);
    let codes = binary(Binary::Subtract, codes, rounder);
    let scale = binary(Binary::Divide, largest, most);
    let rounded = binary(Binary::Multiply, codes, scale);
    graph.add(Op::Reshape(shape), &[rounded]).expect("a sound node")
}
