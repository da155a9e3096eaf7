//! A paged cache for tests: sequences whose blocks lie in shuffled order in one pool, steps
//! of any shape over them, and the interpreter to run the steps. Other runners take the same
//! inputs.

use std::collections::HashMap;

use tyto_checkpoint::Checkpoint;
use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{DType, Dim, Graph, InputKind, TensorType};

use crate::registry::LoadedModel;
use crate::trace::{StepShape, TraceOptions};
use crate::weights::materialize;

/// What unwritten cache holds: large, so that reading it shows.
const GARBAGE: f32 = 1e3;

/// Slots of recurrent states.
pub const SLOTS: usize = 8;

/// Sequences and the blocks that they own. Block 0 is where padding writes.
pub struct Pool {
    block_size: usize,
    context: usize,
    free: Vec<i64>,
    sequences: Vec<Sequence>,
}

struct Sequence {
    tokens: Vec<i64>,
    prompt: usize,
    blocks: Vec<i64>,
}

/// Some positions of a sequence, computed in one step.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Which sequence.
    pub sequence: usize,
    /// The first position.
    pub start: usize,
    /// How many.
    pub count: usize,
}

impl Pool {
    /// A pool for steps of this context and block size. The order of blocks follows `seed`.
    pub fn new(options: &TraceOptions, context: usize, seed: u64) -> Self {
        let mut free: Vec<i64> = (1..options.max_blocks as i64).collect();
        let mut state = seed.wrapping_mul(2).wrapping_add(1);
        for last in (1..free.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
            free.swap(last, (state >> 33) as usize % (last + 1));
        }
        Self { block_size: options.block_size, context, free, sequences: Vec::new() }
    }

    /// A new sequence with its prompt.
    pub fn add(&mut self, prompt: &[i64]) -> usize {
        let tokens = prompt.to_vec();
        self.sequences.push(Sequence { tokens, prompt: prompt.len(), blocks: Vec::new() });
        self.sequences.len() - 1
    }

    /// Tokens of a sequence.
    pub fn length(&self, sequence: usize) -> usize {
        self.sequences[sequence].tokens.len()
    }

    /// A token behind the others of a sequence.
    pub fn push(&mut self, sequence: usize, token: i64) {
        self.sequences[sequence].tokens.push(token);
    }

    /// All index inputs that a step may have: one row of the batch for each piece of work, the
    /// rest padding. Every position is sampled, in order.
    pub fn inputs(&mut self, shape: &StepShape, work: &[Work]) -> HashMap<String, Tensor> {
        assert!(work.len() <= shape.batch, "a row for each piece of work");
        let (flat, pages) = (shape.batch * shape.tokens, self.context / self.block_size);
        assert_eq!(shape.context, self.context, "one context");
        let (mut tokens, mut positions) = (vec![0; flat], vec![-1; flat]);
        let (mut lengths, mut slots) = (vec![0; flat], vec![0; 2 * flat]);
        let mut tables = vec![0; shape.batch * pages];
        let mut states = vec![0; shape.batch];
        let mut sampled = Vec::new();
        for (row, work) in work.iter().enumerate() {
            assert!(work.count <= shape.tokens, "work fits the row");
            self.grow(work.sequence, work.start + work.count);
            assert!(work.sequence < SLOTS, "a slot for each sequence");
            // In some other order than that of sequences.
            states[row] = ((5 * work.sequence + 3) % SLOTS) as i64;
            let sequence = &self.sequences[work.sequence];
            tables[row * pages..][..sequence.blocks.len()].copy_from_slice(&sequence.blocks);
            for token in 0..work.count {
                let (at, position) = (row * shape.tokens + token, work.start + token);
                tokens[at] = sequence.tokens[position];
                positions[at] = position as i64;
                lengths[at] = sequence.prompt.max(position + 1) as i64;
                slots[2 * at] = sequence.blocks[position / self.block_size];
                slots[2 * at + 1] = (position % self.block_size) as i64;
                sampled.push(at as i64);
            }
        }
        sampled.resize(shape.rows, 0);
        let mut inputs = HashMap::new();
        let mut put = |name: &str, sizes: &[usize], values: Vec<i64>| {
            let tensor = Tensor::integers(DType::I32, sizes, values).expect("sizes fit");
            inputs.insert(name.to_owned(), tensor);
        };
        put("tokens", &[flat], tokens);
        put("positions", &[flat], positions);
        put("slots", &[flat, 2], slots);
        put("tables", &[shape.batch, pages], tables);
        put("sampled", &[shape.rows], sampled);
        put("lengths", &[flat], lengths);
        put("states", &[shape.batch], states);
        inputs
    }

    fn grow(&mut self, sequence: usize, tokens: usize) {
        let blocks = &mut self.sequences[sequence].blocks;
        while blocks.len() < tokens.div_ceil(self.block_size) {
            blocks.push(self.free.pop().expect("the pool is large enough"));
        }
    }
}

/// A cache or states that nothing has been written to.
pub fn unwritten(ty: &TensorType) -> Tensor {
    let size = |dim: &Dim| match dim {
        Dim::Named { name, max } if &**name == "slots" => SLOTS.min(*max),
        dim => dim.bound(),
    };
    let sizes: Vec<usize> = ty.shape.dims().iter().map(size).collect();
    let values = std::iter::repeat_n(GARBAGE, sizes.iter().product());
    Tensor::floats(ty.dtype, sizes, values).expect("a cache of floats")
}

/// A model, its weights and its cache in the interpreter.
pub struct Interpreted<'m> {
    model: &'m LoadedModel,
    checkpoint: &'m Checkpoint,
    options: TraceOptions,
    weights: HashMap<String, Tensor>,
    state: HashMap<String, Tensor>,
    graphs: Vec<(StepShape, Graph)>,
    decomposed: bool,
}

impl<'m> Interpreted<'m> {
    /// A model with an empty cache of `options.max_blocks` blocks.
    pub fn new(model: &'m LoadedModel, checkpoint: &'m Checkpoint, options: TraceOptions) -> Self {
        let (weights, state) = (HashMap::new(), HashMap::new());
        let graphs = Vec::new();
        Self { model, checkpoint, options, weights, state, graphs, decomposed: false }
    }

    /// The same with every composite op replaced by primitives.
    pub fn decomposed(self) -> Self {
        Self { decomposed: true, ..self }
    }

    /// Runs one step of `work` and gives the logits of each of its positions.
    pub fn run(&mut self, pool: &mut Pool, shape: &StepShape, work: &[Work]) -> Vec<Vec<f32>> {
        let graph = self.graph(shape);
        let mut inputs = pool.inputs(shape, work);
        inputs.retain(|name, _| graph.inputs.iter().any(|input| *input.name == **name));
        for input in graph.inputs.iter().filter(|input| input.kind == InputKind::State) {
            let name = input.name.to_string();
            let state = self.state.remove(&name).unwrap_or_else(|| unwritten(&input.ty));
            inputs.insert(name, state);
        }
        let weights = |name: &str| self.weights.get(name).cloned();
        let mut outputs = evaluate(&graph, inputs, &weights).expect("the step runs");
        let logits = outputs.remove("logits").expect("a step gives logits");
        self.state = outputs;
        let wanted = work.iter().map(|work| work.count).sum();
        let rows = logits.as_floats().expect("logits are floats").chunks(logits.shape()[1]);
        rows.take(wanted).map(<[f32]>::to_vec).collect()
    }

    /// Runs all of a sequence in chunks of at most `chunk` tokens: the logits of each position.
    pub fn prefill(&mut self, pool: &mut Pool, prompt: &[i64], chunk: usize) -> Vec<Vec<f32>> {
        let sequence = pool.add(prompt);
        let shape = StepShape { batch: 1, tokens: chunk, context: pool.context, rows: chunk };
        let mut logits = Vec::new();
        for start in (0..prompt.len()).step_by(chunk) {
            let count = chunk.min(prompt.len() - start);
            logits.extend(self.run(pool, &shape, &[Work { sequence, start, count }]));
        }
        logits
    }

    /// The graph of a shape, traced at its first use, with its weights.
    fn graph(&mut self, shape: &StepShape) -> Graph {
        if let Some((_, graph)) = self.graphs.iter().find(|(known, _)| known == shape) {
            return graph.clone();
        }
        let traced = self.model.trace("step", shape, &self.options).expect("the model traces");
        let first = self.graphs.is_empty();
        for weight in &traced.weights {
            let name = weight.name.to_string();
            if !first {
                assert!(self.weights.contains_key(&name), "{name} is in every step");
                continue;
            }
            let bytes = materialize(self.checkpoint, weight).expect("the weight is there");
            let sizes = match weight.shape[..] {
                [rows, columns] => weight.layout.stored_shape(rows, columns).expect("tiles fit"),
                _ => weight.shape.clone(),
            };
            let tensor = Tensor::from_bytes(weight.dtype, sizes, &bytes).expect("sizes fit");
            self.weights.insert(name, tensor);
        }
        let graph = if self.decomposed {
            tyto_graph::decompose(&traced.graph, |_| false).expect("the graph decomposes")
        } else {
            traced.graph
        };
        self.graphs.push((*shape, graph.clone()));
        graph
    }
}
