//! The walk over the graph: products and attentions become phases, in order.

mod after;
mod attention;
mod experts;
pub(crate) mod gpu;
mod heads;
mod recurrent;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tyto_graph::{Graph, Layout, Node, Op, Output, ValueId};

use crate::abi::{PhaseKind, RowKind, Space, packed_bytes, routed_row_bytes};
use crate::cache::CacheLayout;
use crate::check;
use crate::encode::{Parts, constants_begin, encode};
use crate::error::Unsupported;
use crate::format::MATRIX;
use crate::joined;
use crate::memory::Addresses;
use crate::program::{
    Attention, Linear, Mixtures, Over, Phase, Place, Program, Recurrences, RowOp, Rows,
};
use crate::rows::{Cone, Domain};

/// The most rows for which every worker computes row operations for itself. Beyond, they are
/// phases whose chunks are rows.
const PROLOGUE_ROWS: usize = 8;

/// Rows of a chunk of row operations: the group in which activations are packed, so that
/// no two workers write one cache line.
const ROWS_A_CHUNK: u32 = 8;

/// Routed rows beyond which a chunk has four times as many.
const ROUTED_ROWS_MANY: usize = 512;

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
    Planner::new(Machine::Cpu, graph, sizes, weights).plan()
}

/// The same for a GPU: every phase is a launch of a kernel of `kernels-hip/`.
pub fn plan_for_gpu(
    graph: &Graph,
    sizes: StepSizes,
    weights: &HashMap<Arc<str>, u64>,
    options: GpuOptions,
) -> Result<Program, Unsupported> {
    Planner::new(Machine::Gpu(options), graph, sizes, weights).plan()
}

/// What a program for a GPU is to be like. By default it is an AMD GPU's, without digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuOptions {
    /// Whether kernels use the matrix registers. On NVIDIA GPUs none does.
    pub matrices: bool,
    /// The distance in f32s from one row of logits to the next where a digest stands behind each, in two
    /// launches more; the temperatures of rows then follow the list of sampled rows
    /// (`kernels-hip/digest.hip`). `None` for logits alone.
    pub digest_pitch: Option<usize>,
}

impl Default for GpuOptions {
    fn default() -> Self {
        Self { matrices: true, digest_pitch: None }
    }
}

/// What runs a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    Cpu,
    Gpu(GpuOptions),
}

/// The state of the walk.
pub(crate) struct Planner<'a> {
    machine: Machine,
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
    /// Updates of the cache that an attention makes, and of states that a recurrence makes.
    appended: HashSet<ValueId>,
    /// Activations packed already: of which value, for which format.
    packed: HashMap<(ValueId, u32), Place>,
    /// The same as rows for matrix registers of GPUs, of which format kind.
    matrix_packed: HashMap<(ValueId, u32), Rows>,
    pub(crate) buffers: Vec<u64>,
    pub(crate) constants: Vec<u8>,
    /// Where each of them is.
    constants_at: HashMap<Box<[u8]>, u64>,
    pub(crate) phases: Vec<Phase>,
    pub(crate) linears: Vec<Linear>,
    pub(crate) attentions: Vec<Attention>,
    pub(crate) mixtures: Mixtures,
    pub(crate) recurrences: Recurrences,
    /// The route of each choice of experts.
    pub(crate) routes: HashMap<ValueId, usize>,
    /// Activations packed expert by expert: of which value, by which choice, for which format.
    routed: HashMap<(ValueId, ValueId, u32), Place>,
    /// The phase of each product.
    products: HashMap<ValueId, usize>,
    private_bytes: u64,
}

impl<'a> Planner<'a> {
    fn new(
        machine: Machine,
        graph: &'a Graph,
        sizes: StepSizes,
        weights: &'a HashMap<Arc<str>, u64>,
    ) -> Self {
        let mut users = vec![Vec::new(); graph.nodes.len()];
        for (index, node) in graph.nodes.iter().enumerate() {
            for operand in &node.operands {
                users[operand.index()].push(ValueId(index as u32));
            }
        }
        Self {
            machine,
            graph,
            sizes,
            weights,
            cache: CacheLayout::of(graph),
            users,
            stored: HashMap::new(),
            partials: HashMap::new(),
            appended: HashSet::new(),
            packed: HashMap::new(),
            matrix_packed: HashMap::new(),
            buffers: Vec::new(),
            constants: Vec::new(),
            constants_at: HashMap::new(),
            phases: Vec::new(),
            linears: Vec::new(),
            attentions: Vec::new(),
            mixtures: Mixtures::default(),
            recurrences: Recurrences::default(),
            routes: HashMap::new(),
            routed: HashMap::new(),
            products: HashMap::new(),
            private_bytes: 0,
        }
    }

    fn plan(mut self) -> Result<Program, Unsupported> {
        for (index, node) in self.graph.nodes.iter().enumerate() {
            let value = ValueId(index as u32);
            match &node.op {
                Op::Linear { layout, rows } => self.linear(value, node, *layout, *rows)?,
                Op::PagedAttention(attrs) => self.attention(value, node, *attrs)?,
                Op::TopK { k, groups } => self.top_k(value, node, *k, *groups)?,
                Op::ExpertLinear { layout, experts, rows } => {
                    self.expert_linear(value, node, *layout, [*experts, *rows])?;
                }
                Op::HeadLinear { layout, rows } => self.head_linear(value, node, *layout, *rows)?,
                Op::WeightedSum => self.keep_routed(node.operands[0], value)?,
                Op::CausalConv(attrs) => self.causal_conv(value, node, attrs)?,
                Op::SsmScan(_) | Op::SelectiveScan(_) | Op::RgLru(_) | Op::DeltaRule(_) => {
                    self.scan(value, node)?;
                }
                Op::DplrScan(_) => self.dplr_scan(value, node)?,
                _ => {}
            }
        }
        check::outputs(self.graph, &self.appended)?;
        self.logits()?;
        Ok(self.finish())
    }

    /// Whether the program is for a GPU.
    pub(crate) fn gpu(&self) -> bool {
        self.machine != Machine::Cpu
    }

    /// Whether it is for a GPU with kernels for its matrix registers.
    pub(crate) fn gpu_matrices(&self) -> bool {
        matches!(self.machine, Machine::Gpu(GpuOptions { matrices: true, .. }))
    }

    /// f32s from one row of logits to the next, where a digest stands behind each.
    fn digest_pitch(&self) -> Option<usize> {
        match self.machine {
            Machine::Cpu => None,
            Machine::Gpu(options) => options.digest_pitch,
        }
    }

    /// Whether every worker computes row operations for itself.
    pub(crate) fn prologues(&self) -> bool {
        if self.gpu() {
            return self.sizes.batch * self.sizes.tokens == 1;
        }
        self.sizes.batch * self.sizes.tokens <= PROLOGUE_ROWS
    }

    /// Rows of a domain at most.
    pub(crate) fn rows_of(&self, domain: Domain) -> usize {
        match domain {
            Domain::Tokens => self.sizes.batch * self.sizes.tokens,
            Domain::Sampled => self.sizes.rows,
            Domain::Routed(ids) => {
                self.sizes.batch * self.sizes.tokens * last_size(self.graph, ids)
            }
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

    /// What a trial may have to forget: how many buffers and bytes of constants there are.
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.buffers.len(), self.constants.len())
    }

    /// Forgets the buffers and constants that a trial has made since the mark.
    pub(crate) fn forget(&mut self, (buffers, constants): (usize, usize)) {
        self.buffers.truncate(buffers);
        self.constants.truncate(constants);
        let end = constants_begin() + constants as u64;
        self.constants_at.retain(|_, at| *at < end);
    }

    /// The bytes of a constant, at a multiple of 64; equal ones stand once.
    pub(crate) fn constant(&mut self, values: &[f32]) -> Place {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let known = self.constants_at.get(bytes).copied();
        let at = known.unwrap_or_else(|| {
            self.constants.resize(self.constants.len().next_multiple_of(64), 0);
            let at = constants_begin() + self.constants.len() as u64;
            self.constants.extend_from_slice(bytes);
            self.constants_at.insert(bytes.into(), at);
            at
        });
        Place::At(Space::Program, at)
    }

    /// A shared buffer of f32 rows.
    pub(crate) fn shared_rows(&mut self, width: usize, domain: Domain) -> Rows {
        let stride = 4 * width.next_multiple_of(16) as u64;
        let place = self.shared(stride * self.rows_of(domain) as u64);
        Rows { place, stride }
    }

    /// The same for a product, whose kernels write a few columns of many rows: an odd number of
    /// cache lines from one row to the next spreads them over all sets of a cache.
    fn product_rows(&mut self, width: usize, domain: Domain) -> Rows {
        let lines = width.div_ceil(16) as u64;
        let stride = 64 * if self.prologues() { lines } else { lines | 1 };
        let place = self.shared(stride * self.rows_of(domain) as u64);
        Rows { place, stride }
    }

    pub(crate) fn shared(&mut self, bytes: u64) -> Place {
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
        let format = self.format_of(layout, stored).map_err(|why| self.unsupported(value, why))?;
        let k = self.width(x);
        let domain = self.domain(x)?;
        let of_prompt = self.sizes.tokens > 1
            && domain == Domain::Tokens
            && (!self.gpu() || self.in_matrices(format, k, domain));
        let format = if of_prompt { format | MATRIX } else { format };
        let name = match &stored.op {
            Op::Weight { name, .. } => name.to_string(),
            _ => String::new(),
        };
        let (packed, ops) = if self.gpu() {
            match of_prompt {
                true => (self.matrix_rows(value, x, k, format, domain)?, Vec::new()),
                false => self.operand(value, x, domain)?,
            }
        } else {
            let (place, ops) = self.pack(value, x, k, format, domain)?;
            (Rows { place, stride: 0 }, ops)
        };
        let y = self.product(value, rows, domain);
        self.linears.push(Linear {
            name,
            format,
            n: count(rows),
            k: count(k),
            y_stride: count((y.stride / 4) as usize),
            weights: offset,
            packed: packed.place,
            y: y.place,
            x_stride: packed.stride,
            heads: None,
        });
        self.products.insert(value, self.phases.len());
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
        if prologue && cone.planner.rows_of(domain) > 1 {
            // Behind it the rows that workers pack for one another.
            cone.private(8 * routed_row_bytes(k as u64));
        }
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
            return self.logits_rows(rows);
        }
        let y = self.product_rows(rows, domain);
        self.stored.insert(value, y);
        y
    }

    fn is_logits(&self, value: ValueId) -> bool {
        let plain =
            |output: &Output| matches!(output, Output::Plain { value: v, .. } if *v == value);
        self.users[value.index()].is_empty() && self.graph.outputs.iter().any(plain)
    }

    pub(crate) fn is_input(&self, value: ValueId, name: &str) -> bool {
        match self.graph.node(value).op {
            Op::Input { index } => &*self.graph.inputs[index].name == name,
            _ => false,
        }
    }

    fn logits_rows(&self, width: usize) -> Rows {
        let stride = 4 * self.digest_pitch().unwrap_or(width) as u64;
        Rows { place: Place::At(Space::Logits, 0), stride }
    }

    /// What is returned, where no product wrote it there itself, and its digest.
    fn logits(&mut self) -> Result<(), Unsupported> {
        let plain = self.graph.outputs.iter().find_map(|output| match output {
            Output::Plain { value, .. } => Some(*value),
            Output::Updated { .. } => None,
        });
        let Some(value) = plain else { return Ok(()) };
        let product = matches!(self.graph.node(value).op, Op::Linear { .. });
        if !product || !self.is_logits(value) {
            self.copy_logits(value)?;
        }
        if self.digest_pitch().is_some() {
            let (domain, width) = (self.domain(value)?, self.width(value));
            self.phase(PhaseKind::Digest, domain, Vec::new(), width);
            self.phase(PhaseKind::Weigh, domain, Vec::new(), width);
        }
        Ok(())
    }

    fn copy_logits(&mut self, value: ValueId) -> Result<(), Unsupported> {
        let domain = self.domain(value)?;
        let width = self.width(value);
        let mut cone = Cone::new(self, &[value], &[], false);
        let row = cone.row(value, domain)?;
        let logits = cone.planner.logits_rows(width);
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
        let over = match domain {
            Domain::Tokens => Over::Tokens,
            Domain::Sampled => Over::Sampled,
            Domain::Routed(ids) => Over::Routed(self.routes[&ids]),
        };
        // Routed rows are packed beside those of their expert: in longer runs, fewer cache lines
        // have two writers.
        let many = matches!(domain, Domain::Routed(_)) && self.rows_of(domain) > ROUTED_ROWS_MANY;
        let rows_a_chunk = if many { 4 * ROWS_A_CHUNK } else { ROWS_A_CHUNK };
        self.phases.push(Phase { rows_a_chunk, ..Phase::new(kind, over, ops, kernel) });
    }

    fn finish(mut self) -> Program {
        let launches = match self.machine {
            Machine::Cpu => {
                let Self { phases, linears, attentions, mixtures, recurrences, .. } = &mut self;
                joined::join(phases, linears, attentions, mixtures, recurrences);
                Vec::new()
            }
            Machine::Gpu(_) => self.launches(),
        };
        let addresses = Addresses::new(
            &self.buffers,
            &self.phases,
            &self.linears,
            &self.attentions,
            &self.mixtures,
            &self.recurrences,
        );
        let parts = Parts {
            batch: count(self.sizes.batch),
            tokens: count(self.sizes.tokens),
            rows: count(self.sizes.rows),
            private_bytes: self.private_bytes,
            phases: &self.phases,
            linears: &self.linears,
            attentions: &self.attentions,
            mixtures: &self.mixtures,
            recurrences: &self.recurrences,
            constants: &self.constants,
        };
        Program {
            bytes: encode(&parts, &addresses),
            shared_bytes: addresses.total,
            private_bytes: self.private_bytes,
            block_bytes: self.cache.block_bytes,
            slot_bytes: self.cache.slot_bytes,
            launches,
            phases: self.phases,
            linears: self.linears,
            mixtures: self.mixtures,
        }
    }
}

/// The size of a value's last axis.
fn last_size(graph: &Graph, value: ValueId) -> usize {
    graph.ty(value).shape.dims().last().map_or(1, tyto_graph::Dim::bound)
}

pub(crate) fn count(count: usize) -> u32 {
    u32::try_from(count).expect("sizes of a step are below 2^32")
}
