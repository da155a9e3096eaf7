//! The tracing API: a model's forward pass, written as plain functions of [`Tensor`]s,
//! becomes a graph.
//!
//! A broken shape rule does not stop a trace and needs no `?` in a model. The error is
//! recorded with the model's file and line, the value is poisoned, whatever is made from a
//! poisoned value is poisoned without a word, and the trace's end returns all errors.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Add, Mul, Range};
use std::panic::Location;
use std::sync::Arc;

use tyto_graph::{
    AttentionAttrs, Binary, DType, Dim, Graph, InputKind, Layout, Literal, Op, RopeTable, Shape,
    TensorType, Unary, ValueId,
};

use crate::error::{Error, TraceError};
use crate::registry::KvLayer;
use crate::weights::{Part, WeightUse};

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
    /// Element type of cached keys and values.
    pub kv_dtype: DType,
    /// Positions in a block of the cache.
    pub block_size: usize,
    /// Most blocks that a pool may have.
    pub max_blocks: usize,
    /// The layout of a matrix of `(rows, columns, dtype)`; columns must divide into its tiles.
    pub layout: fn(usize, usize, DType) -> Layout,
    /// Whether matrices that multiply the same operand become one ([`crate::fuse`]).
    pub fuse_siblings: bool,
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
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    graph: Graph,
    weights: Vec<WeightUse>,
    values: HashMap<String, ValueId>,
    caches: Vec<Cache>,
    errors: Vec<TraceError>,
}

/// The last versions of a layer's keys and values.
struct Cache {
    keys: (usize, ValueId),
    values: (usize, ValueId),
}

/// A value of the graph, or a poisoned one.
#[derive(Clone, Copy)]
pub struct Tensor<'t> {
    trace: &'t Trace,
    value: Option<ValueId>,
}

/// A place in the checkpoint's tree of names.
#[derive(Clone)]
pub struct Weights<'t> {
    trace: &'t Trace,
    path: String,
}

/// What a step is given.
#[derive(Clone, Copy)]
pub struct Step<'t> {
    /// Ids, i32 `[batch × tokens]`.
    pub tokens: Tensor<'t>,
    /// Positions, i32 `[batch × tokens]`; negative in padding.
    pub positions: Tensor<'t>,
    /// Length of each row's sequence, where a rotary table depends on it.
    pub lengths: Option<Tensor<'t>>,
    /// The rows whose logits are wanted, i32 `[rows]`.
    pub sampled: Tensor<'t>,
    slots: Tensor<'t>,
    tables: Tensor<'t>,
}

/// The paged cache of one layer.
#[derive(Clone, Copy)]
pub struct KvCache<'t> {
    step: Step<'t>,
    layer: usize,
}

impl Trace {
    /// An empty graph.
    pub fn new(name: &str, options: TraceOptions, aliases: Vec<Alias>) -> Self {
        let state = State { graph: Graph::new(name), ..State::default() };
        Self { options, aliases, state: RefCell::new(state) }
    }

    /// Declares the inputs in the order of the calling convention.
    pub fn step(&self, shape: &StepShape, kv: &[KvLayer], needs_length: bool) -> Step<'_> {
        let flat = shape.batch * shape.tokens;
        let blocks = shape.context / self.options.block_size;
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
        };
        for (layer, kv) in kv.iter().enumerate() {
            let keys = self.state_input(&format!("keys.{layer}"), kv);
            let values = self.state_input(&format!("values.{layer}"), kv);
            self.state.borrow_mut().caches.push(Cache { keys, values });
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
        let State { mut graph, weights, caches, errors, .. } = self.state.into_inner();
        if !errors.is_empty() {
            return Err(Error::Trace { name: graph.name, errors });
        }
        for (input, value) in caches.iter().flat_map(|cache| [cache.keys, cache.values]) {
            graph.add_updated(input, value);
        }
        graph.verify()?;
        Ok(Traced { graph, weights })
    }

    fn state_input(&self, name: &str, kv: &KvLayer) -> (usize, ValueId) {
        let dims = [
            Dim::named("blocks", self.options.max_blocks),
            self.options.block_size.into(),
            kv.heads.into(),
            kv.head_dim.into(),
        ];
        let ty = TensorType::new(self.options.kv_dtype, Shape::new(dims));
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

impl<'t> Weights<'t> {
    /// The place below this one.
    pub fn at(&self, name: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        Self { trace: self.trace, path: format!("{}{dot}{name}", self.path) }
    }

    /// The place of a list's element.
    pub fn index(&self, index: usize) -> Self {
        self.at(&index.to_string())
    }

    /// The vector of `size` at this place, as f32.
    #[track_caller]
    pub fn vector(&self, size: usize) -> Tensor<'t> {
        self.weight(vec![size], DType::F32, Layout::RowMajor)
    }

    /// The matrix `[rows, columns]` at this place, and its layout.
    #[track_caller]
    pub fn matrix(&self, rows: usize, columns: usize) -> (Tensor<'t>, Layout) {
        let options = &self.trace.options;
        let layout = (options.layout)(rows, columns, options.weight_dtype);
        (self.weight(vec![rows, columns], options.weight_dtype, layout), layout)
    }

    /// As [`Weights::matrix`], for a table whose rows are looked up: row after row, unless
    /// it is a matrix as well.
    #[track_caller]
    pub fn table(&self, rows: usize, columns: usize) -> (Tensor<'t>, Layout) {
        let resolved = self.resolved();
        let shared = self.trace.aliases.iter().any(|alias| alias.target == resolved);
        if shared {
            return self.matrix(rows, columns);
        }
        let dtype = self.trace.options.weight_dtype;
        (self.weight(vec![rows, columns], dtype, Layout::RowMajor), Layout::RowMajor)
    }

    /// A constant as the element type of matrices holds it.
    pub fn rounded(&self, value: f64) -> f64 {
        match self.trace.options.weight_dtype {
            DType::BF16 => half::bf16::from_f64(value).to_f64(),
            DType::F16 => half::f16::from_f64(value).to_f64(),
            _ => f64::from(value as f32),
        }
    }

    /// The name that the checkpoint has for this place.
    fn resolved(&self) -> String {
        let alias = self.trace.aliases.iter().find(|alias| alias.name == self.path);
        alias.map_or_else(|| self.path.clone(), |alias| alias.target.clone())
    }

    #[track_caller]
    fn weight(&self, shape: Vec<usize>, dtype: DType, layout: Layout) -> Tensor<'t> {
        let name = self.resolved();
        let known = self.trace.state.borrow().values.get(&name).copied();
        if let Some(value) = known {
            return self.known(&name, value, &shape);
        }
        let stored = match shape[..] {
            [rows, columns] => layout.stored_shape(rows, columns),
            _ => Some(shape.clone()),
        };
        let Some(stored) = stored else {
            return self.trace.fail(format!("{name:?}: {shape:?} does not fit {layout}"));
        };
        let shared: Arc<str> = name.as_str().into();
        let ty = TensorType::new(dtype, stored);
        let tensor = self.trace.add(Op::Weight { name: shared.clone(), ty }, &[]);
        let part = Part { tensor: name.clone(), shape: shape.clone(), rows: None };
        let mut state = self.trace.state.borrow_mut();
        state.weights.push(WeightUse { name: shared, shape, dtype, layout, parts: vec![part] });
        state.values.extend(tensor.value.map(|value| (name, value)));
        tensor
    }

    /// A weight that has been used before, which must have had the same shape.
    #[track_caller]
    fn known(&self, name: &str, value: ValueId, shape: &[usize]) -> Tensor<'t> {
        let state = self.trace.state.borrow();
        let before = state.weights.iter().find(|weight| *weight.name == *name);
        let before = before.map(|weight| weight.shape.clone()).unwrap_or_default();
        drop(state);
        if before == shape {
            return self.trace.tensor(value);
        }
        self.trace.fail(format!("{name:?} is {shape:?} here and {before:?} before"))
    }
}

impl<'t> Step<'t> {
    /// The paged cache of a layer.
    pub fn kv_cache(&self, layer: usize) -> KvCache<'t> {
        KvCache { step: *self, layer }
    }

    /// Cosines and sines of a rotary table at the step's positions.
    #[track_caller]
    pub fn angles(&self, table: &RopeTable) -> Tensor<'t> {
        let op = Op::RopeAngles(table.clone());
        match self.lengths.filter(|_| table.needs_length()) {
            Some(lengths) => self.positions.trace.add(op, &[self.positions, lengths]),
            None => self.positions.trace.add(op, &[self.positions]),
        }
    }
}

impl<'t> KvCache<'t> {
    /// Writes this step's keys and values, `[tokens, heads, head_dim]`, in place.
    #[track_caller]
    pub fn append(self, keys: Tensor<'t>, values: Tensor<'t>) -> Self {
        let trace = self.step.slots.trace;
        let [old_keys, old_values] = self.versions();
        let dtype = trace.options.kv_dtype;
        let new_keys = trace.add(Op::Put, &[old_keys, self.step.slots, keys.convert(dtype)]);
        let new_values = trace.add(Op::Put, &[old_values, self.step.slots, values.convert(dtype)]);
        let mut state = trace.state.borrow_mut();
        let cache = &mut state.caches[self.layer];
        cache.keys.1 = new_keys.value.unwrap_or(cache.keys.1);
        cache.values.1 = new_values.value.unwrap_or(cache.values.1);
        drop(state);
        self
    }

    /// Attention of `q`, `[tokens, heads, head_dim]`, to everything cached that it may see.
    #[track_caller]
    pub fn attend(self, q: Tensor<'t>, attrs: AttentionAttrs) -> Tensor<'t> {
        let [keys, values] = self.versions();
        let operands = [q, keys, values, self.step.tables, self.step.positions];
        q.trace.add(Op::PagedAttention(attrs), &operands)
    }

    fn versions(&self) -> [Tensor<'t>; 2] {
        let trace = self.step.slots.trace;
        let state = trace.state.borrow();
        let cache = &state.caches[self.layer];
        [trace.tensor(cache.keys.1), trace.tensor(cache.values.1)]
    }
}

impl<'t> Tensor<'t> {
    /// A node of this and other operands.
    #[track_caller]
    pub fn with(self, op: Op, others: &[Tensor<'t>]) -> Tensor<'t> {
        let operands: Vec<_> = std::iter::once(self).chain(others.iter().copied()).collect();
        self.trace.add(op, &operands)
    }

    /// The size of an axis; 0 of a poisoned value, whose results nobody sees.
    pub fn size(self, axis: usize) -> usize {
        let sizes = self.value.map(|value| self.trace.sizes(value));
        sizes.and_then(|sizes| sizes.get(axis).copied()).unwrap_or(0)
    }

    /// An element-wise function.
    #[track_caller]
    pub fn unary(self, unary: Unary) -> Tensor<'t> {
        self.with(Op::Unary(unary), &[])
    }

    /// Another element type.
    #[track_caller]
    pub fn convert(self, dtype: DType) -> Tensor<'t> {
        let same = self
            .value
            .is_some_and(|value| self.trace.state.borrow().graph.ty(value).dtype == dtype);
        if same { self } else { self.with(Op::Convert(dtype), &[]) }
    }

    /// A constant of this tensor's type.
    #[track_caller]
    pub fn splat(self, value: f64) -> Tensor<'t> {
        let ty = self.value.map(|value| self.trace.state.borrow().graph.ty(value).clone());
        match ty {
            Some(ty) => self.trace.add(Op::Constant(Literal::Splat { value, ty }), &[]),
            None => self.trace.poison(),
        }
    }

    /// Every element times a constant.
    #[track_caller]
    pub fn scale(self, factor: f64) -> Tensor<'t> {
        self * self.splat(factor)
    }

    /// A vector added to every row of a matrix.
    #[track_caller]
    pub fn add_row(self, row: Tensor<'t>) -> Tensor<'t> {
        let shape = vec![self.size(0), self.size(1)];
        self + row.with(Op::Broadcast { shape, axes: vec![1] }, &[])
    }

    /// `[tokens, heads × width]` as `[tokens, heads, width]`.
    #[track_caller]
    pub fn split_heads(self, heads: usize) -> Tensor<'t> {
        let width = self.size(1) / heads.max(1);
        self.with(Op::Reshape(vec![self.size(0), heads, width]), &[])
    }

    /// `[tokens, heads, width]` as `[tokens, heads × width]`.
    #[track_caller]
    pub fn merge_heads(self) -> Tensor<'t> {
        self.with(Op::Reshape(vec![self.size(0), self.size(1) * self.size(2)]), &[])
    }

    /// The rows that `indices` name.
    #[track_caller]
    pub fn take_rows(self, indices: Tensor<'t>) -> Tensor<'t> {
        self.with(Op::Take, &[indices])
    }

    /// Some columns of a matrix.
    #[track_caller]
    pub fn columns(self, columns: Range<usize>) -> Tensor<'t> {
        let limit = vec![self.size(0), columns.end];
        self.with(Op::Slice { start: vec![0, columns.start], limit }, &[])
    }

    /// Pairs of each head turned by `angles`.
    #[track_caller]
    pub fn rotate(self, angles: Tensor<'t>) -> Tensor<'t> {
        self.with(Op::Rope, &[angles])
    }

    #[track_caller]
    fn binary(self, binary: Binary, other: Tensor<'t>) -> Tensor<'t> {
        self.with(Op::Binary(binary), &[other])
    }
}

impl<'t> Add for Tensor<'t> {
    type Output = Tensor<'t>;

    #[track_caller]
    fn add(self, other: Tensor<'t>) -> Tensor<'t> {
        self.binary(Binary::Add, other)
    }
}

impl<'t> Mul for Tensor<'t> {
    type Output = Tensor<'t>;

    #[track_caller]
    fn mul(self, other: Tensor<'t>) -> Tensor<'t> {
        self.binary(Binary::Multiply, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn;

    const OPTIONS: TraceOptions = TraceOptions {
        weight_dtype: DType::F32,
        kv_dtype: DType::F32,
        block_size: 2,
        max_blocks: 4,
        layout: |_, _, _| Layout::RowMajor,
        fuse_siblings: false,
    };
    const SHAPE: StepShape = StepShape { batch: 1, tokens: 3, context: 4, rows: 1 };
    const KV: [KvLayer; 1] = [KvLayer { heads: 1, head_dim: 4 }];

    fn errors(forward: impl for<'t> Fn(Weights<'t>, &Step<'t>) -> Tensor<'t>) -> Vec<TraceError> {
        let trace = Trace::new("step", OPTIONS, Vec::new());
        let step = trace.step(&SHAPE, &KV, false);
        let logits = forward(trace.weights(), &step);
        trace.output("logits", logits);
        match trace.finish() {
            Err(Error::Trace { errors, .. }) => errors,
            other => panic!("found {other:?}, expected errors"),
        }
    }

    #[test]
    fn an_error_names_the_models_line_and_poisons_without_more_words() {
        let line = line!() + 3;
        let found = errors(|w, step| {
            let x = nn::embedding(step.tokens, w.at("table"), [8, 4]);
            let wrong = x.split_heads(3);
            let y = wrong.merge_heads() + x;
            nn::linear(y.take_rows(step.sampled), w.at("head"), 8)
        });
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].file, found[0].line), (file!(), line));
        assert!(found[0].message.contains("reshape_c1"), "{}", found[0].message);
    }

    #[test]
    fn every_independent_error_is_reported() {
        let line = line!() + 3;
        let found = errors(|w, step| {
            let x = nn::embedding(step.tokens, w.at("table"), [8, 4]);
            let one = x + x.columns(0..2);
            let other = nn::rms_norm(x, w.at("norm"), 5, 1e-6);
            one * other
        });
        let lines: Vec<u32> = found.iter().map(|error| error.line).collect();
        assert_eq!(lines, [line, line + 1]);
        assert!(found[0].message.contains("binary_c1"), "{}", found[0].message);
        assert!(found[1].message.contains("rms_norm_c2"), "{}", found[1].message);
    }

    #[test]
    fn one_name_has_one_shape() {
        let found = errors(|w, step| {
            let x = nn::embedding(step.tokens, w.at("table"), [8, 4]);
            nn::linear(x, w.at("head"), 8) + nn::linear(x, w.at("head"), 6)
        });
        assert!(found[0].message.contains("\"head.weight\" is [6, 4] here and [8, 4] before"));
    }

    #[test]
    fn a_matrix_that_does_not_divide_into_tiles_is_named() {
        let options = TraceOptions { layout: |_, _, _| Layout::Tiled { n: 2, k: 3 }, ..OPTIONS };
        let trace = Trace::new("step", options, Vec::new());
        let step = trace.step(&SHAPE, &[], false);
        let x = nn::embedding(step.tokens, trace.weights().at("table"), [8, 4]);
        trace.output("logits", nn::linear(x, trace.weights().at("head"), 8));
        let error = trace.finish().expect_err("4 columns are no tiles of 3").to_string();
        assert!(error.contains("\"head.weight\": [8, 4] does not fit tiled 2x3"), "{error}");
        assert!(error.contains(file!()), "{error}");
    }

    #[test]
    fn inputs_and_outputs_follow_the_calling_convention() {
        let trace = Trace::new("step", OPTIONS, Vec::new());
        let step = trace.step(&SHAPE, &[KV[0]; 2], true);
        let x = nn::embedding(step.tokens, trace.weights().at("table"), [8, 4]).split_heads(1);
        let attrs = nn::attention_attrs(4.0, None);
        let x = step.kv_cache(0).append(x, x).attend(x, attrs);
        let x = step.kv_cache(1).append(x, x).attend(x, attrs);
        trace.output("logits", x.merge_heads().take_rows(step.sampled));
        let graph = trace.finish().expect("traces").graph;
        let names: Vec<&str> = graph.inputs.iter().map(|input| &*input.name).collect();
        assert_eq!(
            names,
            [
                "tokens",
                "positions",
                "lengths",
                "slots",
                "tables",
                "sampled",
                "keys.0",
                "values.0",
                "keys.1",
                "values.1"
            ]
        );
        let updated: Vec<Option<usize>> = (graph.outputs.iter())
            .map(|output| match output {
                tyto_graph::Output::Plain { .. } => None,
                tyto_graph::Output::Updated { input, .. } => Some(*input),
            })
            .collect();
        assert_eq!(updated, [None, Some(6), Some(7), Some(8), Some(9)]);
        assert_eq!(graph.inputs[6].ty.to_string(), "f32[blocks<=4, 2, 1, 4]");
        assert_eq!(graph.inputs[3].ty.to_string(), "i32[3, 2]");
    }
}
