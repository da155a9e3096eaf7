//! The tracing API: a model's forward pass, written as plain functions of [`Tensor`]s,
//! becomes a graph.
//!
//! A broken shape rule does not stop a trace and needs no `?` in a model. The error is
//! recorded with the model's file and line, the value is poisoned, whatever is made from a
//! poisoned value is poisoned without a word, and the trace's end returns all errors.

mod names;
mod recurrent;
mod step;
mod tensor;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::Location;
use std::sync::Arc;

use tyto_graph::{DType, Dim, Graph, InputKind, KvType, Layout, Op, Shape, TensorType, ValueId};

use crate::error::{Error, TraceError};
use crate::memory::{KvLayer, LayerMemory};
use crate::moves::Moves;
use crate::purpose::Head;
use crate::stored::TensorBlocks;
use crate::weights::WeightUse;

pub use names::Weights;
pub use recurrent::{HeadParameters, Recurrence};
pub use step::{KvCache, Step};
pub use tensor::Tensor;

/// The sizes that one program is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepShape {
    /// Sequences in the batch.
    pub batch: usize,
    /// Tokens of each sequence.
    pub tokens: usize,
    /// Positions that a sequence's block table spans; a multiple of the block size.
    pub context: usize,
    /// Rows whose logits are wanted.
    pub rows: usize,
}

/// How a model is laid out in memory, the same for all steps of one artifact.
#[derive(Clone, Copy, Debug)]
pub struct TraceOptions {
    /// Element type of matrices and embeddings. Norms and biases stay f32.
    pub weight_dtype: DType,
    /// What cached keys and values are.
    pub kv_type: KvType,
    /// Positions in a block of the cache.
    pub block_size: usize,
    /// Most blocks that a pool may have.
    pub max_blocks: usize,
    /// The layout of a matrix of `(rows, columns, dtype)`; columns must divide into its tiles.
    pub layout: fn(usize, usize, DType) -> Layout,
    /// Whether matrices that multiply the same operand become one ([`crate::fuse`]).
    pub fuse_siblings: bool,
    /// Whether matrices and tables that the checkpoint stores in blocks, or that the model
    /// quantizes ([`crate::quantize`]), stand in them
    /// ([`tyto_graph::Layout::Blocks`]); other weights, and all where this is false, are
    /// converted to `weight_dtype` in `layout`.
    pub keep_blocks: bool,
}

/// A traced step: the verified graph and what its weights are.
#[derive(Clone, Debug, PartialEq)]
pub struct Traced {
    /// The program.
    pub graph: Graph,
    /// Its weights, by first use.
    pub weights: Vec<WeightUse>,
}

/// A name of the checkpoint that is read from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The name that a model uses.
    pub name: String,
    /// The name that is read.
    pub target: String,
}

/// A graph being made.
pub struct Trace {
    options: TraceOptions,
    aliases: Vec<Alias>,
    blocks: Arc<HashMap<String, TensorBlocks>>,
    names: Arc<HashMap<String, bool>>,
    moves: Moves,
    head: Head,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    graph: Graph,
    weights: Vec<WeightUse>,
    values: HashMap<String, ValueId>,
    /// Of every layer, where it has attention.
    caches: Vec<Option<Cache>>,
    /// Of every layer, where it is recurrent.
    states: Vec<Option<recurrent::States>>,
    errors: Vec<TraceError>,
}

/// The last versions of a layer's keys and values.
struct Cache {
    keys: (usize, ValueId),
    values: (usize, ValueId),
}

impl Trace {
    /// An empty graph.
    pub fn new(name: &str, options: TraceOptions, aliases: Vec<Alias>) -> Self {
        let state = State { graph: Graph::new(name), ..State::default() };
        let (blocks, names) = (Arc::default(), Arc::default());
        let (moves, head) = (Moves::default(), Head::default());
        Self { options, aliases, blocks, names, moves, head, state: RefCell::new(state) }
    }

    /// Also knows what comes of the last hidden states.
    pub(crate) fn with_head(self, head: Head) -> Self {
        Self { head, ..self }
    }

    /// Also knows which places are elsewhere in the checkpoint.
    pub(crate) fn with_moves(self, moves: Moves) -> Self {
        Self { moves, ..self }
    }

    /// Also knows which tensors the checkpoint has, and which are of plain numbers: experts are
    /// stored under several names and in several forms.
    pub(crate) fn with_names(self, names: Arc<HashMap<String, bool>>) -> Self {
        Self { names, ..self }
    }

    /// Also knows the blocks of the checkpoint's tensors, by name.
    pub(crate) fn with_blocks(self, blocks: Arc<HashMap<String, TensorBlocks>>) -> Self {
        Self { blocks, ..self }
    }

    /// Declares the inputs in the order of the calling convention.
    pub fn step(&self, shape: &StepShape, layers: &[LayerMemory], needs_length: bool) -> Step<'_> {
        let flat = shape.batch * shape.tokens;
        let blocks = shape.context / self.options.block_size;
        let recurrent = layers.iter().any(|layer| layer.recurrent.is_some());
        let indices = |name: &str, sizes: &[usize]| {
            let ty = TensorType::new(DType::I32, sizes);
            self.tensor(self.state.borrow_mut().graph.add_input(name, ty, InputKind::Plain))
        };
        let step = Step {
            tokens: indices("tokens", &[flat]),
            positions: indices("positions", &[flat]),
            lengths: needs_length.then(|| indices("lengths", &[flat])),
            slots: indices("slots", &[flat, 2]),
            tables: indices("tables", &[shape.batch, blocks]),
            sampled: indices("sampled", &[shape.rows]),
            head: self.head,
            states: recurrent.then(|| indices("states", &[shape.batch])),
        };
        for (layer, LayerMemory { kv, recurrent }) in layers.iter().enumerate() {
            let cache = kv.map(|kv| Cache {
                keys: self.state_input(&format!("keys.{layer}"), &kv),
                values: self.state_input(&format!("values.{layer}"), &kv),
            });
            let states = recurrent.map(|recurrent| self.state_inputs(layer, &recurrent));
            let mut state = self.state.borrow_mut();
            state.caches.push(cache);
            state.states.push(states);
        }
        step
    }

    /// The root of the checkpoint's names.
    pub fn weights(&self) -> Weights<'_> {
        Weights { trace: self, path: String::new() }
    }

    /// Returns a value under a name.
    pub fn output(&self, name: &str, tensor: Tensor<'_>) {
        if let Some(value) = tensor.value {
            self.state.borrow_mut().graph.add_output(name, value);
        }
    }

    /// Ends the trace: the verified graph, or everything that went wrong.
    pub fn finish(self) -> Result<Traced, Error> {
        let State { mut graph, weights, caches, states, errors, .. } = self.state.into_inner();
        if !errors.is_empty() {
            return Err(Error::Trace { name: graph.name, errors });
        }
        for (cache, states) in caches.iter().zip(&states) {
            let cache = cache.iter().flat_map(|cache| [cache.keys, cache.values]);
            for (input, value) in cache.chain(states.iter().flat_map(|states| states.updates())) {
                graph.add_updated(input, value);
            }
        }
        graph.verify()?;
        Ok(Traced { graph, weights })
    }

    fn state_input(&self, name: &str, kv: &KvLayer) -> (usize, ValueId) {
        let (dtype, width) = match self.options.kv_type {
            KvType::Float(dtype) => (dtype, kv.head_dim),
            // No bytes where groups do not divide the head: `append` then names the fault.
            KvType::Code(code) => (DType::U8, code.row_bytes(kv.head_dim).unwrap_or(0)),
        };
        let dims = [
            Dim::named("blocks", self.options.max_blocks),
            self.options.block_size.into(),
            kv.heads.into(),
            width.into(),
        ];
        let ty = TensorType::new(dtype, Shape::new(dims));
        let graph = &mut self.state.borrow_mut().graph;
        let value = graph.add_input(name, ty, InputKind::State);
        (graph.inputs.len() - 1, value)
    }

    fn tensor(&self, value: ValueId) -> Tensor<'_> {
        Tensor { trace: self, value: Some(value) }
    }

    /// Adds a node, or records why not and poisons the result.
    #[track_caller]
    fn add(&self, op: Op, operands: &[Tensor<'_>]) -> Tensor<'_> {
        let values: Option<Vec<ValueId>> = operands.iter().map(|operand| operand.value).collect();
        let Some(values) = values else { return self.poison() };
        let added = self.state.borrow_mut().graph.add(op, &values);
        match added {
            Ok(value) => self.tensor(value),
            Err(error) => self.fail(error.to_string()),
        }
    }

    /// Records an error of the model at its own line.
    #[track_caller]
    fn fail(&self, message: String) -> Tensor<'_> {
        let place = Location::caller();
        let error = TraceError { file: place.file(), line: place.line(), message };
        self.state.borrow_mut().errors.push(error);
        self.poison()
    }

    fn poison(&self) -> Tensor<'_> {
        Tensor { trace: self, value: None }
    }

    fn sizes(&self, value: ValueId) -> Vec<usize> {
        let state = self.state.borrow();
        state.graph.ty(value).shape.dims().iter().map(Dim::bound).collect()
    }
}
