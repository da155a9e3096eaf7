//! The walk over the graph: products and attentions become phases, in order.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tyto_graph::{AttentionAttrs, Graph, Layout, Node, Op, Output, ValueId};

use crate::abi::{self, PhaseKind, RowKind, Space, packed_bytes, partial_stride};
use crate::cache::CacheLayout;
use crate::check;
use crate::encode::{Parts, constants_begin, encode};
use crate::error::Unsupported;
use crate::format::{cache_format, format_of};
use crate::memory::Addresses;
use crate::program::{Attention, Linear, Phase, Place, Program, RowOp, Rows};
use crate::rows::{Cone, Domain};

/// The most rows for which every worker computes row operations for itself. Beyond, they are
/// phases whose chunks are rows.
const PROLOGUE_ROWS: usize = 8;

/// Rows of a chunk of row operations: the group in which activations are packed, so that
/// no two workers write one cache line.
const ROWS_A_CHUNK: u32 = 8;

/// The sizes that a graph was traced for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepSizes {
    /// Sequences.
    pub batch: usize,
    /// Tokens of a sequence; more than one only where there is one sequence.
    pub tokens: usize,
    /// Rows of logits.
    pub rows: usize,
}

/// Plans `graph`, whose weights are at the given offsets of the weight file.
///
/// Errors: [`Unsupported`] names the first op without a native form.
pub fn plan(
    graph: &Graph,
    sizes: StepSizes,
    weights: &HashMap<Arc<str>, u64>,
) -> Result<Program, Unsupported> {
    let mut planner = Planner::new(graph, sizes, weights);
    for (index, node) in graph.nodes.iter().enumerate() {
        let value = ValueId(index as u32);
        match &node.op {
            Op::Linear { layout, rows } => planner.linear(value, node, *layout, *rows)?,
            Op::PagedAttention(attrs) => planner.attention(value, node, *attrs)?,
            _ => {}
        }
    }
    check::outputs(graph, &planner.appended)?;
    planner.logits()?;
    Ok(planner.finish())
}

/// The state of the walk.
pub(crate) struct Planner<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) sizes: StepSizes,
    weights: &'a HashMap<Arc<str>, u64>,
    cache: CacheLayout,
    /// The nodes that read each value.
    pub(crate) users: Vec<Vec<ValueId>>,
    /// Values that later phases read, in their own domain.
    pub(crate) stored: HashMap<ValueId, Rows>,
    /// Values of attentions whose partials are combined where they are read.
    pub(crate) partials: HashMap<ValueId, usize>,
    /// Updates of the cache that an attention makes.
    appended: HashSet<ValueId>,
    /// Activations packed already: of which value, for which format.
    packed: HashMap<(ValueId, u32), Place>,
    pub(crate) buffers: Vec<u64>,
    pub(crate) constants: Vec<u8>,
    phases: Vec<Phase>,
    linears: Vec<Linear>,
    pub(crate) attentions: Vec<Attention>,
    private_bytes: u64,
}

impl<'a> Planner<'a> {
    fn new(graph: &'a Graph, sizes: StepSizes, weights: &'a HashMap<Arc<str>, u64>) -> Self {
        let mut users = vec![Vec::new(); graph.nodes.len()];
        for (index, node) in graph.nodes.iter().enumerate() {
            for operand in &node.operands {
                users[operand.index()].push(ValueId(index as u32));
            }
        }
        Self {
            graph,
            sizes,
            weights,
            cache: CacheLayout::of(graph),
            users,
            stored: HashMap::new(),
            partials: HashMap::new(),
            appended: HashSet::new(),
            packed: HashMap::new(),
            buffers: Vec::new(),
            constants: Vec::new(),
            phases: Vec::new(),
            linears: Vec::new(),
            attentions: Vec::new(),
            private_bytes: 0,
        }
    }

    /// Whether every worker computes row operations for itself.
    pub(crate) fn prologues(&self) -> bool {
        self.sizes.batch * self.sizes.tokens <= PROLOGUE_ROWS
    }

    /// Rows of a domain at most.
    pub(crate) fn rows_of(&self, domain: Domain) -> usize {
        match domain {
            Domain::Tokens => self.sizes.batch * self.sizes.tokens,
            Domain::Sampled => self.sizes.rows,
        }
    }

    pub(crate) fn unsupported(&self, value: ValueId, reason: impl Into<String>) -> Unsupported {
        Unsupported::new(value, self.graph.node(value), reason)
    }

    /// Where a weight is in the file.
    pub(crate) fn weight(&self, value: ValueId) -> Result<(u64, &'a Node), Unsupported> {
        let node = self.graph.node(value);
        match &node.op {
            Op::Weight { name, .. } => {
                let offset = self.weights.get(name).copied();
                let offset =
                    offset.ok_or_else(|| self.unsupported(value, "the weight has no place"))?;
                Ok((offset, node))
            }
            _ => Err(self.unsupported(value, "an operand that must be a weight is computed")),
        }
    }

    /// The bytes of a constant, at a multiple of 64.
    pub(crate) fn constant(&mut self, values: &[f32]) -> Place {
        self.constants.resize(self.constants.len().next_multiple_of(64), 0);
        let at = constants_begin() + self.constants.len() as u64;
        self.constants.extend_from_slice(bytemuck::cast_slice(values));
        Place::At(Space::Program, at)
    }

    /// A shared buffer of f32 rows.
    pub(crate) fn shared_rows(&mut self, width: usize, domain: Domain) -> Rows {
        let stride = 4 * width.next_multiple_of(16) as u64;
        let place = self.shared(stride * self.rows_of(domain) as u64);
        Rows { place, stride }
    }

    fn shared(&mut self, bytes: u64) -> Place {
        self.buffers.push(bytes);
        Place::Shared { buffer: self.buffers.len() - 1, offset: 0 }
    }

    fn linear(
        &mut self,
        value: ValueId,
        node: &Node,
        layout: Layout,
        rows: usize,
    ) -> Result<(), Unsupported> {
        let [x, weight] = [node.operands[0], node.operands[1]];
        let (offset, stored) = self.weight(weight)?;
        let format =
            format_of(layout, stored.ty.dtype).map_err(|why| self.unsupported(value, why))?;
        let k = self.width(x);
        let domain = self.domain(x)?;
        let name = match &stored.op {
            Op::Weight { name, .. } => name.to_string(),
            _ => String::new(),
        };
        let (packed, ops) = self.pack(value, x, k, format, domain)?;
        let y = self.product(value, rows, domain);
        self.linears.push(Linear {
            name,
            format,
            n: count(rows),
            k: count(k),
            y_stride: count((y.stride / 4) as usize),
            weights: offset,
            packed,
            y: y.place,
        });
        self.phase(PhaseKind::Linear, domain, ops, self.linears.len() - 1);
        Ok(())
    }

    /// The packed activations of `x` for the product `user`, and the operations of the
    /// prologue that make them; without prologues a phase of its own makes them.
    fn pack(
        &mut self,
        user: ValueId,
        x: ValueId,
        k: usize,
        format: u32,
        domain: Domain,
    ) -> Result<(Place, Vec<RowOp>), Unsupported> {
        if let Some(place) = self.packed.get(&(x, format)) {
            return Ok((*place, Vec::new()));
        }
        let bytes = packed_bytes(k as u64, self.rows_of(domain) as u64);
        let prologue = self.prologues();
        let mut cone = Cone::new(self, &[x], &[user], prologue);
        let row = cone.row(x, domain)?;
        let packed = if prologue { cone.private(bytes) } else { cone.planner.shared(bytes) };
        let mut op = RowOp::new(RowKind::Pack, count(k), Rows::one(packed), row, Rows::NONE);
        op.format = format;
        cone.push(op);
        let (ops, private) = cone.finish();
        self.private_bytes = self.private_bytes.max(private);
        if prologue {
            return Ok((packed, ops));
        }
        self.phase(PhaseKind::Rows, domain, ops, 0);
        self.packed.insert((x, format), packed);
        Ok((packed, Vec::new()))
    }

    /// Where a product goes: to the logits if that is what it is, else to a buffer.
    fn product(&mut self, value: ValueId, rows: usize, domain: Domain) -> Rows {
        if self.is_logits(value) {
            return Rows { place: Place::At(Space::Logits, 0), stride: 4 * rows as u64 };
        }
        let y = self.shared_rows(rows, domain);
        self.stored.insert(value, y);
        y
    }

    fn is_logits(&self, value: ValueId) -> bool {
        let plain =
            |output: &Output| matches!(output, Output::Plain { value: v, .. } if *v == value);
        self.users[value.index()].is_empty() && self.graph.outputs.iter().any(plain)
    }

    fn attention(
        &mut self,
        value: ValueId,
        node: &Node,
        attrs: AttentionAttrs,
    ) -> Result<(), Unsupported> {
        check::attention(&attrs).map_err(|why| self.unsupported(value, why))?;
        let (keys, values) = (self.appended(node.operands[1])?, self.appended(node.operands[2])?);
        self.appended.extend([node.operands[1], node.operands[2]]);
        let fixed = self.attention_of(value, node, attrs, keys.state, values.state)?;
        let index = self.attentions.len();
        let [q, k, v] = [node.operands[0], keys.new, values.new];
        let user = [&[value][..], &keys.nodes, &values.nodes].concat();
        if self.sizes.tokens == 1 {
            return self.decode(value, index, fixed, [q, k, v], &user);
        }
        if self.sizes.batch != 1 {
            return Err(self.unsupported(value, "several sequences with several tokens each"));
        }
        self.prefill(value, index, fixed, [q, k, v], &user)
    }

    fn decode(
        &mut self,
        value: ValueId,
        index: usize,
        fixed: abi::Attention,
        operands: [ValueId; 3],
        users: &[ValueId],
    ) -> Result<(), Unsupported> {
        let prologue = self.prologues();
        let mut cone = Cone::new(self, &operands, users, prologue);
        if !prologue {
            cone.share(&operands);
        }
        let [q, k, v] = operands;
        let [q, k, v] = [
            cone.row(q, Domain::Tokens)?,
            cone.row(k, Domain::Tokens)?,
            cone.row(v, Domain::Tokens)?,
        ];
        let (ops, private) = cone.finish();
        self.private_bytes = self.private_bytes.max(private);
        let a_head = abi::MAX_SPLITS as u64 * partial_stride(fixed.head_dim.into()) * 4;
        let out = self.shared(self.sizes.batch as u64 * u64::from(fixed.heads) * a_head);
        self.attentions.push(Attention { fixed, q, k, v, out });
        self.partials.insert(value, index);
        let prologue_ops = if prologue { ops } else { self.rows_phase(Domain::Tokens, ops) };
        self.phase(PhaseKind::Decode, Domain::Tokens, prologue_ops, index);
        Ok(())
    }

    fn prefill(
        &mut self,
        value: ValueId,
        index: usize,
        fixed: abi::Attention,
        operands: [ValueId; 3],
        users: &[ValueId],
    ) -> Result<(), Unsupported> {
        let [q, k, v] = operands;
        let mut cone = Cone::new(self, &operands, users, false);
        cone.share(&[q]);
        let q = cone.row(q, Domain::Tokens)?;
        let (k, v) = (cone.row(k, Domain::Tokens)?, cone.row(v, Domain::Tokens)?);
        let width = fixed.kv_heads * fixed.head_dim;
        let mut append = RowOp::new(RowKind::Append, width, Rows::NONE, k, v);
        append.p[0] = count(index);
        cone.push(append);
        let (ops, private) = cone.finish();
        self.private_bytes = self.private_bytes.max(private);
        let out = self.shared_rows((fixed.heads * fixed.head_dim) as usize, Domain::Tokens);
        self.attentions.push(Attention { fixed, q, k: Rows::NONE, v: Rows::NONE, out: out.place });
        self.stored.insert(value, out);
        self.rows_phase(Domain::Tokens, ops);
        self.phase(PhaseKind::Prefill, Domain::Tokens, Vec::new(), index);
        Ok(())
    }

    /// The new rows of a cache and the state that they are put into.
    fn appended(&self, value: ValueId) -> Result<Appended, Unsupported> {
        let node = self.graph.node(value);
        let bad = |reason: &str| Err(self.unsupported(value, reason));
        if node.op != Op::Put {
            return bad("attention reads a cache that this step does not append to");
        }
        let Op::Input { index } = self.graph.node(node.operands[0]).op else {
            return bad("a cache that is updated twice");
        };
        if !self.is_input(node.operands[1], "slots") {
            return bad("rows of the cache that are not the step's slots");
        }
        let mut nodes = vec![value];
        let mut new = node.operands[2];
        if let Op::Convert(_) = self.graph.node(new).op {
            nodes.push(new);
            new = self.graph.node(new).operands[0];
        }
        Ok(Appended { state: index, new, nodes })
    }

    fn attention_of(
        &self,
        value: ValueId,
        node: &Node,
        attrs: AttentionAttrs,
        keys: usize,
        values: usize,
    ) -> Result<abi::Attention, Unsupported> {
        let bad = |reason: &str| self.unsupported(value, reason);
        if !self.is_input(node.operands[3], "tables")
            || !self.is_input(node.operands[4], "positions")
        {
            return Err(bad("tables or positions that are not the step's"));
        }
        let cache = &self.graph.inputs[keys].ty;
        let format = cache_format(cache.dtype).ok_or_else(|| bad("the cache's element type"))?;
        let sizes: Vec<usize> = cache.shape.dims().iter().map(tyto_graph::Dim::bound).collect();
        let [_, block_size, kv_heads, head_dim] = sizes[..] else {
            return Err(bad("the cache's shape"));
        };
        if block_size != 16 {
            return Err(bad("blocks of other than 16 positions"));
        }
        if head_dim % 2 != 0 || head_dim > 512 {
            return Err(bad("heads of an odd number of elements, or of more than 512"));
        }
        let heads = self.width(node.operands[0]) / head_dim;
        let offset =
            |state| self.cache.offset(state).ok_or_else(|| bad("a cache that is no state"));
        let pages = self.graph.ty(node.operands[3]).shape.dims()[1].bound();
        Ok(abi::Attention {
            heads: count(heads),
            kv_heads: count(kv_heads),
            head_dim: count(head_dim),
            block_size: count(block_size),
            kv_format: format,
            // A window that reaches beyond every position is none.
            window: attrs.window.and_then(|window| i32::try_from(window).ok()).unwrap_or(0),
            scale: attrs.scale,
            soft_cap: attrs.soft_cap.unwrap_or(0.0),
            block_bytes: self.cache.block_bytes,
            keys: offset(keys)?,
            values: offset(values)?,
            pages: count(pages),
            ..abi::Attention::default()
        })
    }

    pub(crate) fn is_input(&self, value: ValueId, name: &str) -> bool {
        match self.graph.node(value).op {
            Op::Input { index } => &*self.graph.inputs[index].name == name,
            _ => false,
        }
    }

    /// What is returned, where no product wrote it there itself.
    fn logits(&mut self) -> Result<(), Unsupported> {
        let plain = self.graph.outputs.iter().find_map(|output| match output {
            Output::Plain { value, .. } => Some(*value),
            Output::Updated { .. } => None,
        });
        let Some(value) = plain else { return Ok(()) };
        let product = matches!(self.graph.node(value).op, Op::Linear { .. });
        if product && self.is_logits(value) {
            return Ok(());
        }
        let domain = self.domain(value)?;
        let width = self.width(value);
        let mut cone = Cone::new(self, &[value], &[], false);
        let row = cone.row(value, domain)?;
        let logits = Rows { place: Place::At(Space::Logits, 0), stride: 4 * width as u64 };
        cone.push(RowOp::new(RowKind::Copy, count(width), logits, row, Rows::NONE));
        let (ops, private) = cone.finish();
        self.private_bytes = self.private_bytes.max(private);
        self.rows_phase(domain, ops);
        Ok(())
    }

    /// A phase of row operations; none where there are none. Gives the operations of the next
    /// phase's prologue, which are none.
    fn rows_phase(&mut self, domain: Domain, ops: Vec<RowOp>) -> Vec<RowOp> {
        if !ops.is_empty() {
            self.phase(PhaseKind::Rows, domain, ops, 0);
        }
        Vec::new()
    }

    fn phase(&mut self, kind: PhaseKind, domain: Domain, ops: Vec<RowOp>, kernel: usize) {
        let over_sampled = domain == Domain::Sampled;
        let rows_a_chunk = ROWS_A_CHUNK;
        self.phases.push(Phase { kind, over_sampled, ops, kernel, rows_a_chunk });
    }

    fn finish(self) -> Program {
        let addresses =
            Addresses::new(&self.buffers, &self.phases, &self.linears, &self.attentions);
        let parts = Parts {
            batch: count(self.sizes.batch),
            tokens: count(self.sizes.tokens),
            rows: count(self.sizes.rows),
            phases: &self.phases,
            linears: &self.linears,
            attentions: &self.attentions,
            constants: &self.constants,
        };
        Program {
            bytes: encode(&parts, &addresses),
            shared_bytes: addresses.total,
            private_bytes: self.private_bytes,
            block_bytes: self.cache.block_bytes,
            phases: self.phases,
            linears: self.linears,
        }
    }
}

/// New rows of a cache.
struct Appended {
    /// Index of the state input.
    state: usize,
    /// The rows, before they are rounded to the cache's element type.
    new: ValueId,
    /// The nodes between the rows and the attention.
    nodes: Vec<ValueId>,
}

pub(crate) fn count(count: usize) -> u32 {
    u32::try_from(count).expect("sizes of a step are below 2^32")
}
