//! One attention: its graph, its cache in a device's layout and in the interpreter's.

use std::collections::HashMap;

use tyto_graph::interpreter::Tensor;
use tyto_graph::{
    AttentionAttrs, DType, Graph, InputKind, KvCode, KvType, Layout, Op, TensorType, ValueId,
};
use tyto_phase_program::StepSizes;

use crate::quantized::quantized;
use crate::random::Random;
use crate::sketch::{Arguments, GARBAGE, Named, Sketch};

/// Positions of a block.
pub const BLOCK: usize = 16;

/// The largest value in a cache: `Random::normal` is below 3, and tokens are 1.5 times that.
const LARGEST: f32 = 4.5;

/// The element types of caches.
pub const TYPES: [KvType; 6] = [
    KvType::Float(DType::F32),
    KvType::Float(DType::F16),
    KvType::Float(DType::BF16),
    KvType::Code(KvCode::Q8_0),
    KvType::Code(KvCode::Q4_0),
    KvType::Code(KvCode::E4M3),
];

/// Those of a cache whose heads have `dim` elements.
pub fn types(dim: usize) -> impl Iterator<Item = KvType> {
    let fits = move |kv: &KvType| kv.code().is_none_or(|code| code.row_bytes(dim).is_some());
    TYPES.into_iter().filter(fits)
}

/// What one attention is.
#[derive(Clone, Copy, Debug)]
pub struct Attention {
    pub kv: KvType,
    pub heads: usize,
    pub kv_heads: usize,
    pub dim: usize,
    pub window: Option<usize>,
    pub soft_cap: Option<f32>,
    /// The first head's sink; each other's is a half more.
    pub sinks: Option<f32>,
}

impl Attention {
    /// How far a result may be from the interpreter's. Both round a softmax weight to the cache's
    /// type, but before or after they divide by the sum, so each weight may differ by twice half a
    /// unit; f16 has subnormal weights besides. Scores are sums in f32.
    pub fn tolerance(&self, positions: usize) -> f32 {
        let (unit, smallest) = match self.kv {
            KvType::Float(DType::F16) => ((-10f32).exp2(), (-24f32).exp2()),
            KvType::Float(DType::BF16) => ((-7f32).exp2(), 0.0),
            _ => (0.0, 0.0),
        };
        let cap = self.soft_cap.unwrap_or(0.0) * 5e-7;
        LARGEST * (unit + smallest * positions as f32 + 3e-5 + cap)
    }

    /// Numbers of a token's query, key and value.
    fn width(&self) -> usize {
        (self.heads + 2 * self.kv_heads) * self.dim
    }

    /// What the cache's elements are as tensors, and how many a head's vector has.
    fn stored(&self) -> (DType, usize) {
        match self.kv {
            KvType::Float(dtype) => (dtype, self.dim),
            KvType::Code(code) => (DType::U8, code.row_bytes(self.dim).expect("whole groups")),
        }
    }

    fn graph(&self, sizes: StepSizes, pages: usize, blocks: usize) -> Graph {
        let cells = sizes.batch * sizes.tokens;
        let mut graph = Graph::new("attention");
        let named = Named::new(&mut graph, sizes, pages);
        let (dtype, width) = self.stored();
        let cache = TensorType::new(dtype, [blocks, BLOCK, self.kv_heads, width]);
        let states: Vec<(usize, ValueId)> = ["keys", "values"]
            .map(|name| {
                let index = graph.inputs.len();
                (index, graph.add_input(name, cache.clone(), InputKind::State))
            })
            .to_vec();
        let mut add = |op, operands: &[ValueId]| graph.add(op, operands).expect("a sound node");
        let ty = TensorType::new(DType::F32, [cells, self.width()]);
        let table = add(Op::Weight { name: "x".into(), ty }, &[]);
        let op = Op::Embedding { layout: Layout::RowMajor, rows: cells };
        let x = add(op, &[table, named.tokens]);
        let mut from = 0;
        let mut heads = |count: usize| {
            let limit = from + count * self.dim;
            let op = Op::Slice { start: vec![0, from], limit: vec![cells, limit] };
            from = limit;
            let columns = add(op, &[x]);
            add(Op::Reshape(vec![cells, count, self.dim]), &[columns])
        };
        let (q, k, v) = (heads(self.heads), heads(self.kv_heads), heads(self.kv_heads));
        let mut append = |new, state| {
            let new = match self.kv {
                KvType::Float(DType::F32) => new,
                KvType::Float(dtype) => add(Op::Convert(dtype), &[new]),
                KvType::Code(code) => add(Op::QuantizeKv(code), &[new]),
            };
            add(Op::Put, &[state, named.slots, new])
        };
        let (keys, values) = (append(k, states[0].1), append(v, states[1].1));
        let attrs = AttentionAttrs {
            scale: 1.0 / (self.dim as f32).sqrt(),
            window: self.window,
            soft_cap: self.soft_cap,
            alibi: None,
            chunk: None,
            kv: self.kv.code(),
        };
        let mut operands = vec![q, keys, values, named.tables, named.positions];
        if self.sinks.is_some() {
            let ty = TensorType::new(DType::F32, [self.heads]);
            operands.push(add(Op::Weight { name: "sinks".into(), ty }, &[]));
        }
        let mixed = add(Op::PagedAttention(attrs), &operands);
        let mixed = add(Op::Reshape(vec![cells, self.heads * self.dim]), &[mixed]);
        graph.add_output("logits", mixed);
        graph.add_updated(states[0].0, keys);
        graph.add_updated(states[1].0, values);
        graph
    }
}

/// A sequence of a step.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Its first new position.
    pub start: usize,
    /// New positions.
    pub count: usize,
}

/// Where a device's cache has what the graph's has. A head of a block has its elements, or the
/// scales of its groups, f16 `[dim / 32][16]`, and its codes behind them.
pub trait Places {
    /// The index of an element of a head's keys or values.
    fn element(
        &self,
        dtype: DType,
        values: bool,
        dim: usize,
        column: usize,
        offset: usize,
    ) -> usize;

    /// The bytes of a group's codes, in ggml's order, with their places behind the scales.
    fn codes(&self, group: &Group<'_>) -> Vec<(usize, u8)>;
}

/// The codes of 32 elements at one position.
pub struct Group<'a> {
    pub code: KvCode,
    pub values: bool,
    pub dim: usize,
    pub index: usize,
    pub offset: usize,
    /// As ggml has them.
    pub codes: &'a [u8],
}

/// One step of one attention over a pool of blocks.
pub struct AttentionStep {
    attention: Attention,
    sizes: StepSizes,
    /// The step's arguments.
    pub arguments: Arguments,
    /// Queries, keys and values, cell by cell.
    tokens: Vec<f32>,
    /// `[blocks, 16, kv_heads, dim]`, keys and values; NaN where nothing was written.
    written: [Vec<f32>; 2],
    /// Where keys and values begin in a block of the kernels.
    begins: [usize; 2],
    blocks: usize,
    /// Positions that the longest sequence sees.
    pub longest: usize,
}

impl AttentionStep {
    /// A step of `sizes` over `spans`, whose visible positions are in the cache; blocks lie in
    /// random order. Cells beyond the spans are padding. Where rows have one token, each token of
    /// a span is a row.
    pub fn new(
        attention: Attention,
        sizes: StepSizes,
        spans: &[Span],
        random: &mut Random,
    ) -> Self {
        let longest = spans.iter().map(|span| span.start + span.count).max().unwrap_or(1);
        let pages = longest.div_ceil(BLOCK) + 1;
        // Block 0 is where padding writes.
        let owned = spans.iter().map(|span| (span.start + span.count).div_ceil(BLOCK));
        let blocks = 2 + owned.sum::<usize>();
        let (dtype, width) = attention.stored();
        let begins = [0, BLOCK * attention.kv_heads * width * dtype.bytes()];
        let cells = sizes.batch * sizes.tokens;
        let tokens = random.normals(cells * attention.width());
        let tokens: Vec<f32> = tokens.iter().map(|value| value * 1.5).collect();
        let mut arguments = Arguments::counted(cells);
        arguments.tables = vec![0; sizes.batch * pages];
        let elements = blocks * BLOCK * attention.kv_heads * attention.dim;
        let mut case = Self {
            attention,
            sizes,
            arguments,
            tokens,
            written: [vec![f32::NAN; elements], vec![f32::NAN; elements]],
            begins: begins.map(|begin: usize| begin.next_multiple_of(64)),
            blocks,
            longest,
        };
        case.place(spans, pages, random);
        case
    }

    fn place(&mut self, spans: &[Span], pages: usize, random: &mut Random) {
        let sizes = self.sizes;
        let mut free: Vec<usize> =
            random.order(self.blocks - 1).iter().map(|block| block + 1).collect();
        self.arguments.positions.fill(-1);
        self.arguments.sampled.truncate(sizes.rows);
        let mut row = 0;
        for span in spans {
            let mut table = vec![0; pages];
            for entry in &mut table[..(span.start + span.count).div_ceil(BLOCK)] {
                *entry = free.pop().expect("enough blocks") as i32;
            }
            let rows = if sizes.tokens == 1 { span.count } else { 1 };
            let tables = &mut self.arguments.tables[row * pages..(row + rows) * pages];
            tables.chunks_mut(pages).for_each(|own| own.copy_from_slice(&table));
            // What is before the first token's window stays NaN.
            let window = self.attention.window.unwrap_or(usize::MAX);
            for position in (span.start + 1).saturating_sub(window)..span.start {
                self.write(table[position / BLOCK] as usize, position % BLOCK, random);
            }
            for token in 0..span.count {
                let (cell, position) = (row * sizes.tokens + token, span.start + token);
                self.arguments.positions[cell] = position as i32;
                self.arguments.slots[2 * cell] = table[position / BLOCK];
                self.arguments.slots[2 * cell + 1] = (position % BLOCK) as i32;
            }
            row += rows;
        }
    }

    /// Random keys and values at one place.
    pub fn write(&mut self, block: usize, offset: usize, random: &mut Random) {
        let count = self.attention.kv_heads * self.attention.dim;
        let at = (block * BLOCK + offset) * count;
        for part in &mut self.written {
            part[at..at + count].copy_from_slice(&random.normals(count));
        }
    }

    /// Cells that are no padding.
    pub fn cells(&self) -> usize {
        self.arguments.positions.iter().filter(|position| **position >= 0).count()
    }

    /// f32s of a cell's result.
    pub fn width(&self) -> usize {
        self.attention.heads * self.attention.dim
    }

    /// The graph of the step, whose tokens have their queries, keys and values as a table.
    pub fn sketch(&self) -> Sketch {
        let Self { attention, sizes, .. } = *self;
        let graph = attention.graph(sizes, self.arguments.tables.len() / sizes.batch, self.blocks);
        let shape = [sizes.batch * sizes.tokens, attention.width()];
        let x = Tensor::floats(DType::F32, shape, self.tokens.iter().copied());
        let mut weights = HashMap::from([("x".to_owned(), x.expect("sizes fit"))]);
        if let Some(first) = attention.sinks {
            let sinks = (0..attention.heads).map(|head| first + head as f32 * 0.5);
            let sinks = Tensor::floats(DType::F32, [attention.heads], sinks).expect("one a head");
            weights.insert("sinks".to_owned(), sinks);
        }
        Sketch::new(graph, sizes, weights)
    }

    fn states(&self) -> [Tensor; 2] {
        let Attention { kv_heads, dim, kv, .. } = self.attention;
        let shape = [self.blocks, BLOCK, kv_heads, dim];
        [0, 1].map(|part| match kv {
            KvType::Float(dtype) => {
                let values = self.written[part].iter().copied();
                Tensor::floats(dtype, shape, values).expect("sizes fit")
            }
            KvType::Code(code) => quantized(code, shape, &self.written[part]),
        })
    }

    /// Results and the two caches by the interpreter.
    pub fn interpreted(&self) -> (Vec<f32>, [Tensor; 2]) {
        let [keys, values] = self.states();
        let states = HashMap::from([("keys".to_owned(), keys), ("values".to_owned(), values)]);
        let (results, mut states) = self.sketch().interpreted(&self.arguments, states);
        (results, ["keys", "values"].map(|name| states.remove(name).expect("a state")))
    }

    /// The cache as a device has it before the step, in blocks of this many bytes.
    pub fn cache(&self, places: &impl Places, block_bytes: u64) -> Vec<u8> {
        let mut cache = vec![GARBAGE; self.blocks * block_bytes as usize];
        self.each_piece(&self.states(), places, block_bytes, |at, piece| {
            cache[at..at + piece.len()].copy_from_slice(piece);
        });
        cache
    }

    /// The cache after the step is what the interpreter has, but for the padding's block.
    pub fn check_cache(
        &self,
        places: &impl Places,
        cache: &[u8],
        expected: &[Tensor; 2],
        what: &str,
    ) {
        let block_bytes = (cache.len() / self.blocks) as u64;
        let nan = |bytes: &[u8]| match self.attention.kv {
            KvType::Code(_) => false,
            KvType::Float(dtype) => {
                let tensor = Tensor::from_bytes(dtype, [1], bytes).expect("one element");
                tensor.as_floats().expect("floats")[0].is_nan()
            }
        };
        self.each_piece(expected, places, block_bytes, |at, piece| {
            let found = &cache[at..at + piece.len()];
            let same = found == piece || (nan(found) && nan(piece));
            assert!(same || at < block_bytes as usize, "{what}: byte {at} of the cache");
        });
    }

    /// Calls back with each element's, or scale's or code's, bytes and its place in the cache.
    fn each_piece(
        &self,
        states: &[Tensor; 2],
        places: &impl Places,
        block_bytes: u64,
        mut each: impl FnMut(usize, &[u8]),
    ) {
        let Attention { kv_heads, dim, kv, .. } = self.attention;
        for (part, state) in states.iter().enumerate() {
            let (dtype, width) = self.attention.stored();
            let (values, row_bytes) = (part == 1, width * dtype.bytes());
            for (index, row) in state.to_bytes().chunks(row_bytes).enumerate() {
                let (head, rest) = (index % kv_heads, index / kv_heads);
                let (offset, block) = (rest % BLOCK, rest / BLOCK);
                let begin = block * block_bytes as usize + self.begins[part];
                let begin = begin + head * row_bytes * BLOCK;
                let KvType::Code(code @ (KvCode::Q8_0 | KvCode::Q4_0)) = kv else {
                    for (column, element) in row.chunks(dtype.bytes()).enumerate() {
                        let place = places.element(dtype, values, dim, column, offset);
                        each(begin + place * dtype.bytes(), element);
                    }
                    continue;
                };
                let behind = begin + dim / KvCode::GROUP * BLOCK * 2;
                for (index, bytes) in row.chunks(code.group_bytes()).enumerate() {
                    each(begin + (index * BLOCK + offset) * 2, &bytes[..2]);
                    let group = Group { code, values, dim, index, offset, codes: &bytes[2..] };
                    for (at, byte) in places.codes(&group) {
                        each(behind + at, &[byte]);
                    }
                }
            }
        }
    }

    /// Makes the query, key and value of a token NaN.
    pub fn with_nan_token(self, cell: usize) -> Self {
        self.with_token(cell, [f32::NAN; 3])
    }

    /// Makes all numbers of a token's query, key and value these.
    pub fn with_token(mut self, cell: usize, [q, k, v]: [f32; 3]) -> Self {
        let Attention { heads, kv_heads, dim, .. } = self.attention;
        let token = &mut self.tokens[cell * self.attention.width()..][..self.attention.width()];
        let (queries, rest) = token.split_at_mut(heads * dim);
        let (keys, values) = rest.split_at_mut(kv_heads * dim);
        queries.fill(q);
        keys.fill(k);
        values.fill(v);
        self
    }
}
