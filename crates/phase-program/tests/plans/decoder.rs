//! A decoder of two layers, as the tracing front end writes them.

use std::collections::HashMap;
use std::sync::Arc;

use tyto_graph::{
    AttentionAttrs, Binary, DType, Graph, InputKind, Layout, Op, RopeScaling, RopeTable,
    TensorType, Unary, ValueId,
};
use tyto_phase_program::{Program, StepSizes, Unsupported, plan};

pub const HIDDEN: usize = 32;
pub const HEADS: usize = 2;
pub const DIM: usize = 16;
pub const INNER: usize = 48;
pub const VOCABULARY: usize = 40;
pub const LAYERS: usize = 2;

/// What tests change of the decoder.
#[derive(Clone)]
pub struct Options {
    pub sizes: StepSizes,
    pub block_size: usize,
    pub layout: Layout,
    pub weight: DType,
    pub cache: DType,
    pub scaling: RopeScaling,
    pub attrs: AttentionAttrs,
}

impl Options {
    pub fn new(batch: usize, tokens: usize, rows: usize) -> Self {
        Self {
            sizes: StepSizes { batch, tokens, rows },
            block_size: 16,
            layout: Layout::Tiled { n: 16, k: 1 },
            weight: DType::F32,
            cache: DType::F32,
            scaling: RopeScaling::Fixed,
            attrs: AttentionAttrs {
                scale: 0.25,
                window: None,
                soft_cap: None,
                alibi: None,
                chunk: None,
                kv: None,
            },
        }
    }
}

/// A graph under construction.
pub struct Decoder {
    pub graph: Graph,
    pub options: Options,
    pub tokens: ValueId,
    pub positions: ValueId,
    lengths: ValueId,
    pub slots: ValueId,
    pub tables: ValueId,
    pub sampled: ValueId,
    /// Keys and values of each layer: the input's index and value.
    states: Vec<(usize, ValueId)>,
}

impl Decoder {
    /// The arguments of a step, and nothing computed.
    pub fn new(options: &Options) -> Self {
        let mut graph = Graph::new("step");
        let StepSizes { batch, tokens, rows } = options.sizes;
        let cells = batch * tokens;
        let mut add = |name: &str, shape: &[usize]| {
            graph.add_input(name, TensorType::new(DType::I32, shape), InputKind::Plain)
        };
        let (tokens, positions) = (add("tokens", &[cells]), add("positions", &[cells]));
        let (lengths, slots) = (add("lengths", &[cells]), add("slots", &[cells, 2]));
        let (tables, sampled) = (add("tables", &[batch, 4]), add("sampled", &[rows]));
        let options = options.clone();
        let states = Vec::new();
        Self { graph, options, tokens, positions, lengths, slots, tables, sampled, states }
    }

    pub fn cells(&self) -> usize {
        self.options.sizes.batch * self.options.sizes.tokens
    }

    pub fn add(&mut self, op: Op, operands: &[ValueId]) -> ValueId {
        self.graph.add(op, operands).unwrap_or_else(|why| panic!("{why}"))
    }

    pub fn weight(&mut self, name: &str, dtype: DType, shape: &[usize]) -> ValueId {
        let ty = TensorType::new(dtype, shape);
        self.add(Op::Weight { name: name.into(), ty }, &[])
    }

    pub fn embedded(&mut self) -> ValueId {
        let table = self.weight("embed", DType::F32, &[VOCABULARY, HIDDEN]);
        let op = Op::Embedding { layout: Layout::RowMajor, rows: VOCABULARY };
        self.add(op, &[table, self.tokens])
    }

    pub fn linear(&mut self, name: &str, x: ValueId, n: usize) -> ValueId {
        let k = self.graph.ty(x).shape.dims()[1].bound();
        let Options { layout, weight, .. } = self.options;
        let shape = layout.stored_shape(n, k).expect("columns fit");
        let weight = self.weight(name, weight, &shape);
        self.add(Op::Linear { layout, rows: n }, &[x, weight])
    }

    pub fn norm(&mut self, name: &str, x: ValueId) -> ValueId {
        let weight = self.weight(name, DType::F32, &[HIDDEN]);
        self.add(Op::RmsNorm { epsilon: 1e-5, offset: 0.0 }, &[x, weight])
    }

    pub fn columns(&mut self, x: ValueId, from: usize, to: usize) -> ValueId {
        let rows = self.graph.ty(x).shape.dims()[0].bound();
        self.add(Op::Slice { start: vec![0, from], limit: vec![rows, to] }, &[x])
    }

    pub fn binary(&mut self, binary: Binary, a: ValueId, b: ValueId) -> ValueId {
        self.add(Op::Binary(binary), &[a, b])
    }

    pub fn angles(&mut self) -> ValueId {
        let scaling = self.options.scaling.clone();
        let inverse_frequencies = (0..DIM / 2).map(|pair| 0.5f32.powi(pair as i32)).collect();
        let table = RopeTable { inverse_frequencies, amplitude: 1.0, scaling };
        let mut operands = vec![self.positions];
        operands.extend(table.needs_length().then_some(self.lengths));
        self.add(Op::RopeAngles(table), &operands)
    }

    /// A state input of a layer's keys or values.
    pub fn state(&mut self, name: &str) -> ValueId {
        let shape = [8, self.options.block_size, 1, DIM];
        let ty = TensorType::new(self.options.cache, shape);
        self.states.push((self.graph.inputs.len(), ValueId(0)));
        let value = self.graph.add_input(name, ty, InputKind::State);
        self.states.last_mut().expect("just added").1 = value;
        value
    }

    /// Appends `new` to the state last added and returns the state.
    pub fn append(&mut self, state: ValueId, mut new: ValueId) -> ValueId {
        if self.options.cache != DType::F32 {
            new = self.add(Op::Convert(self.options.cache), &[new]);
        }
        let put = self.add(Op::Put, &[state, self.slots, new]);
        let index = self.states.iter().find(|(_, value)| *value == state).expect("a state").0;
        self.graph.add_updated(index, put);
        put
    }

    /// `qkv` in, mixed values out.
    pub fn attention(&mut self, layer: usize, qkv: ValueId, angles: ValueId) -> ValueId {
        let cells = self.cells();
        let mut heads = |from: usize, count: usize| {
            let part = self.columns(qkv, from * DIM, (from + count) * DIM);
            self.add(Op::Reshape(vec![cells, count, DIM]), &[part])
        };
        let (q, k, v) = (heads(0, HEADS), heads(HEADS, 1), heads(HEADS + 1, 1));
        let q = self.add(Op::Rope, &[q, angles]);
        let k = self.add(Op::Rope, &[k, angles]);
        let keys = self.state(&format!("keys.{layer}"));
        let values = self.state(&format!("values.{layer}"));
        let (keys, values) = (self.append(keys, k), self.append(values, v));
        let op = Op::PagedAttention(self.options.attrs);
        let mixed = self.add(op, &[q, keys, values, self.tables, self.positions]);
        self.add(Op::Reshape(vec![cells, HEADS * DIM]), &[mixed])
    }

    fn layer(&mut self, layer: usize, x: ValueId, angles: ValueId) -> ValueId {
        let name = |part: &str| format!("{layer}.{part}");
        let normal = self.norm(&name("norm1"), x);
        let qkv = self.linear(&name("qkv"), normal, (HEADS + 2) * DIM);
        let mixed = self.attention(layer, qkv, angles);
        let o = self.linear(&name("o"), mixed, HIDDEN);
        let x = self.binary(Binary::Add, x, o);
        let normal = self.norm(&name("norm2"), x);
        let both = self.linear(&name("gate_up"), normal, 2 * INNER);
        let (gate, up) = (self.columns(both, 0, INNER), self.columns(both, INNER, 2 * INNER));
        let sigmoid = self.add(Op::Unary(Unary::Logistic), &[gate]);
        let gate = self.binary(Binary::Multiply, gate, sigmoid);
        let inner = self.binary(Binary::Multiply, gate, up);
        let down = self.linear(&name("down"), inner, HIDDEN);
        self.binary(Binary::Add, x, down)
    }

    /// The whole decoder.
    pub fn whole(options: &Options) -> Graph {
        let mut decoder = Self::new(options);
        let mut x = decoder.embedded();
        let angles = decoder.angles();
        for layer in 0..LAYERS {
            x = decoder.layer(layer, x, angles);
        }
        let taken = decoder.add(Op::Take, &[x, decoder.sampled]);
        let normal = decoder.norm("norm", taken);
        let logits = decoder.linear("head", normal, VOCABULARY);
        decoder.graph.add_output("logits", logits);
        decoder.graph
    }

    /// Plans what has been built, with `value` as the result.
    pub fn planned(mut self, value: ValueId) -> Result<Program, Unsupported> {
        self.graph.add_output("logits", value);
        planned(&self.graph, &self.options)
    }
}

/// Plans a graph.
pub fn planned(graph: &Graph, options: &Options) -> Result<Program, Unsupported> {
    graph.verify().expect("the test's graph is sound");
    plan(graph, options.sizes, &places(graph))
}

/// One MiB for each weight.
pub fn places(graph: &Graph) -> HashMap<Arc<str>, u64> {
    let names = graph.weights().into_iter().map(|(name, _)| name);
    names.zip((0..).map(|index| index << 20)).collect()
}
