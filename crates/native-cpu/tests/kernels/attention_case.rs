//! One attention: its graph, its cache in the kernels' layout and in the interpreter's.

use std::collections::HashMap;

use tyto_graph::interpreter::Tensor;
use tyto_graph::{
    AttentionAttrs, DType, Graph, InputKind, KvType, Layout, Op, TensorType, ValueId,
};
use tyto_native_cpu::Variant;
use tyto_native_cpu::linked::Aligned;
use tyto_phase_program::StepSizes;

use crate::attention_cache::{self, quantized};
use crate::random::Random;
use crate::runner::{Arguments, Case, GARBAGE, Named};

/// Positions of a block.
const BLOCK: usize = 16;

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

/// A sequence of a step: its first new position, and how many there are.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub start: usize,
    pub count: usize,
}

/// What computed a result, the result, and the cache after the step.
pub type Run = (String, Vec<f32>, Aligned);

/// One step of one attention over a pool of blocks.
pub struct AttentionCase {
    attention: Attention,
    sizes: StepSizes,
    case: Case,
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

impl AttentionCase {
    /// A step of `sizes` over `spans`, whose visible positions are in the cache; blocks lie in
    /// random order. Cells beyond the spans are padding.
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
            case: planned(&attention, sizes, blocks, &arguments, &tokens),
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
        for (row, span) in spans.iter().enumerate() {
            let table = &mut self.arguments.tables[row * pages..][..pages];
            for entry in &mut table[..(span.start + span.count).div_ceil(BLOCK)] {
                *entry = free.pop().expect("enough blocks") as i32;
            }
            let table = table.to_vec();
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
        self.case.width()
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
        let (results, mut states) = self.case.interpreted(&self.arguments, states);
        (results, ["keys", "values"].map(|name| states.remove(name).expect("a state")))
    }

    /// The cache as the kernels have it before the step.
    pub fn cache(&self) -> Aligned {
        let block_bytes = self.case.program.block_bytes as usize;
        let mut cache = Aligned::zeros(self.blocks * block_bytes);
        cache.bytes_mut().fill(GARBAGE);
        self.each_element(&self.states(), |at, element| {
            cache.bytes_mut()[at..at + element.len()].copy_from_slice(element);
        });
        cache
    }

    /// Results by the kernels.
    pub fn run(&self, machine: (Variant, usize), cache: &mut Aligned) -> Vec<f32> {
        self.case.run(machine, &self.arguments, cache)
    }

    /// By each of `machines` and, where this machine has matrix registers, by the variants that
    /// know them.
    pub fn runs(&self, machines: impl Iterator<Item = (Variant, usize)>) -> Vec<Run> {
        let registers = [(Variant::V4Vnni, 2), (Variant::V4Extended, 3)];
        let plain = machines.map(|machine| (machine, false));
        let ways = plain.chain(registers.map(|machine| (machine, true)));
        ways.filter_map(|(machine, registers)| {
            let mut cache = self.cache();
            let found = if registers {
                self.case.run_with_amx(machine, &self.arguments, &mut cache)?
            } else {
                self.run(machine, &mut cache)
            };
            Some((format!("{machine:?}, matrix registers {registers}"), found, cache))
        })
        .collect()
    }

    /// The planned step.
    pub fn case(&self) -> &Case {
        &self.case
    }

    /// The cache after the step is what the interpreter has, but for the padding's block.
    pub fn check_cache(&self, cache: &Aligned, expected: &[Tensor; 2], what: &str) {
        let first = self.case.program.block_bytes as usize;
        let nan = |bytes: &[u8]| match self.attention.kv {
            KvType::Code(_) => false,
            KvType::Float(dtype) => {
                let tensor = Tensor::from_bytes(dtype, [1], bytes).expect("one element");
                tensor.as_floats().expect("floats")[0].is_nan()
            }
        };
        self.each_element(expected, |at, element| {
            let found = &cache.bytes()[at..at + element.len()];
            let same = found == element || (nan(found) && nan(element));
            assert!(same || at < first, "{what}: byte {at} of the cache");
        });
    }

    /// Calls back with each element's bytes and its place in the kernels' cache (attention.h).
    fn each_element(&self, states: &[Tensor; 2], mut each: impl FnMut(usize, &[u8])) {
        let Attention { kv_heads, dim, kv, .. } = self.attention;
        let block_bytes = self.case.program.block_bytes as usize;
        for (part, state) in states.iter().enumerate() {
            let dtype = match kv {
                KvType::Float(dtype) => dtype,
                KvType::Code(code) => {
                    let begin = self.begins[part];
                    let heads = attention_cache::Heads { code, kv_heads, dim, values: part == 1 };
                    heads.each_piece(&state.to_bytes(), |block, at, piece| {
                        each(block * block_bytes + begin + at, piece);
                    });
                    continue;
                }
            };
            let bytes = dtype.bytes();
            for (index, element) in state.to_bytes().chunks(bytes).enumerate() {
                let (column, rest) = (index % dim, index / dim);
                let (head, rest) = (rest % kv_heads, rest / kv_heads);
                let (offset, block) = (rest % BLOCK, rest / BLOCK);
                let inside = match (dtype, part) {
                    (DType::BF16, 0) => (column / 2 * BLOCK + offset) * 2 + column % 2,
                    (DType::BF16, _) => (offset / 2 * dim + column) * 2 + offset % 2,
                    (_, 0) => column * BLOCK + offset,
                    _ => offset * dim + column,
                };
                let at = (head * dim * BLOCK + inside) * bytes;
                each(block * block_bytes + self.begins[part] + at, element);
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
        self.case =
            planned(&self.attention, self.sizes, self.blocks, &self.arguments, &self.tokens);
        self
    }
}

/// The graph of a step whose tokens have these queries, keys and values.
fn planned(
    attention: &Attention,
    sizes: StepSizes,
    blocks: usize,
    arguments: &Arguments,
    tokens: &[f32],
) -> Case {
    let graph = attention.graph(sizes, arguments.tables.len() / sizes.batch, blocks);
    let shape = [sizes.batch * sizes.tokens, attention.width()];
    let x = Tensor::floats(DType::F32, shape, tokens.iter().copied()).expect("sizes fit");
    let mut weights = HashMap::from([("x".to_owned(), x)]);
    if let Some(first) = attention.sinks {
        let sinks = (0..attention.heads).map(|head| first + head as f32 * 0.5);
        let sinks = Tensor::floats(DType::F32, [attention.heads], sinks).expect("one a head");
        weights.insert("sinks".to_owned(), sinks);
    }
    Case::new(graph, sizes, weights)
}
