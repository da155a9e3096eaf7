//! Row operations: everything between products and attentions, one row at a time.
//!
//! A value is computed where it is first needed. If a later phase needs it too, it is stored
//! in shared memory then; else it lives in the worker's private scratch.

mod compute;
mod strips;

use std::collections::{HashMap, HashSet};

use tyto_graph::{Node, Op, ValueId};

use crate::abi::{RowKind, Space};
use crate::error::Unsupported;
use crate::plan::{Planner, count};
use crate::program::{Place, RowOp, Rows};
use compute::Wanted;

/// What a row is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Domain {
    /// The step's tokens.
    Tokens,
    /// The rows whose logits are wanted.
    Sampled,
    /// The rows of tokens for each of the experts that this value chooses, expert after expert.
    Routed(ValueId),
}

/// The row operations of one phase.
pub(crate) struct Cone<'p, 'a> {
    pub(crate) planner: &'p mut Planner<'a>,
    /// Nodes that this phase computes or consumes: their operands need not outlive it.
    inside: HashSet<ValueId>,
    /// Values that must be in shared memory even if no later phase reads them.
    shared: HashSet<ValueId>,
    done: HashMap<(ValueId, Domain), Rows>,
    /// Stored when the phase has ended.
    stored: Vec<(ValueId, Rows)>,
    ops: Vec<RowOp>,
    /// Whether workers compute all rows for themselves, or rows are divided among them.
    prologue: bool,
    pub(crate) private: u64,
}

impl<'a> Planner<'a> {
    /// The width of a value's rows: all its axes but those that count rows.
    pub(crate) fn width(&self, value: ValueId) -> usize {
        let dims = self.graph.ty(value).shape.dims().iter();
        dims.skip(self.row_axes(value)).map(tyto_graph::Dim::bound).product()
    }

    /// How many axes count rows: the first, of routed rows the first two.
    fn row_axes(&self, value: ValueId) -> usize {
        match self.domain(value) {
            Ok(Domain::Routed(_)) => 2,
            _ => 1,
        }
    }

    /// Through reshapes and slices: the value itself, and how many f32s further a row begins.
    pub(crate) fn base(&self, value: ValueId) -> Result<(ValueId, usize), Unsupported> {
        let node = self.graph.node(value);
        match &node.op {
            Op::Reshape(_) => {
                let operand = node.operands[0];
                let axes = self.row_axes(operand);
                let rows = |value: ValueId| self.sizes_of(value).get(..axes).map(<[usize]>::to_vec);
                if rows(value) != rows(operand) {
                    return Err(self.unsupported(value, "a reshape across rows"));
                }
                self.base(operand)
            }
            Op::Slice { start, limit } => {
                let operand = node.operands[0];
                let (axes, sizes) = (self.row_axes(operand), self.sizes_of(operand));
                let all_rows = start[..axes].iter().all(|first| *first == 0);
                if start.len() == axes + 2 && start[1] == 0 && limit[1] == sizes[1] {
                    // Of each head some columns: no longer one run.
                    return Ok((value, 0));
                }
                if start.len() != axes + 1 || !all_rows || limit[..axes] != sizes[..axes] {
                    return Err(self.unsupported(value, "a slice of other than columns"));
                }
                let (base, offset) = self.base(operand)?;
                Ok((base, offset + start[axes]))
            }
            _ => Ok((value, 0)),
        }
    }

    pub(crate) fn sizes_of(&self, value: ValueId) -> Vec<usize> {
        self.graph.ty(value).shape.dims().iter().map(tyto_graph::Dim::bound).collect()
    }

    /// What the rows of a value are.
    pub(crate) fn domain(&self, value: ValueId) -> Result<Domain, Unsupported> {
        let node = self.graph.node(value);
        match &node.op {
            // One row of a table for each choice, or the sampled ones of rows.
            Op::Take if self.is_choice(node.operands[1]) => Ok(Domain::Routed(node.operands[1])),
            Op::Take => Ok(Domain::Sampled),
            Op::ExpertLinear { .. } => Ok(Domain::Routed(node.operands[2])),
            Op::WeightedSum => Ok(Domain::Tokens),
            Op::Embedding { .. } | Op::RopeAngles(_) | Op::PagedAttention(_) => Ok(Domain::Tokens),
            Op::CausalConv(_) | Op::SsmScan(_) => Ok(Domain::Tokens),
            Op::SelectiveScan(_) | Op::RgLru(_) | Op::DeltaRule(_) | Op::DplrScan(_) => {
                Ok(Domain::Tokens)
            }
            Op::Constant(_) | Op::Weight { .. } | Op::Broadcast { .. } | Op::Input { .. } => {
                Err(self.unsupported(value, "rows that belong to no token"))
            }
            _ => {
                let known = node.operands.iter().find_map(|operand| self.domain(*operand).ok());
                known.ok_or_else(|| self.unsupported(value, "rows that belong to no token"))
            }
        }
    }
}

impl Planner<'_> {
    /// Whether the value is a choice of experts.
    fn is_choice(&self, value: ValueId) -> bool {
        matches!(self.graph.node(value).op, Op::TopK { .. })
    }
}

impl<'p, 'a> Cone<'p, 'a> {
    /// The operations that `users` need of `roots`.
    pub(crate) fn new(
        planner: &'p mut Planner<'a>,
        roots: &[ValueId],
        users: &[ValueId],
        prologue: bool,
    ) -> Self {
        let mut inside: HashSet<ValueId> = users.iter().copied().collect();
        let mut left: Vec<ValueId> = roots.to_vec();
        while let Some(value) = left.pop() {
            let ends = planner.stored.contains_key(&value) || planner.partials.contains_key(&value);
            if inside.insert(value) && !ends {
                left.extend(&planner.graph.node(value).operands);
            }
        }
        Self {
            planner,
            inside,
            shared: HashSet::new(),
            done: HashMap::new(),
            stored: Vec::new(),
            ops: Vec::new(),
            prologue,
            private: 0,
        }
    }

    /// Has these values computed into shared memory.
    pub(crate) fn share(&mut self, values: &[ValueId]) {
        for value in values {
            if let Ok((base, _)) = self.planner.base(*value) {
                self.shared.insert(base);
            }
        }
    }

    /// The operations so far.
    pub(crate) fn ops(&self) -> &[RowOp] {
        &self.ops
    }

    /// Adds an operation.
    pub(crate) fn push(&mut self, op: RowOp) {
        self.ops.push(op);
    }

    /// Private scratch.
    pub(crate) fn private(&mut self, bytes: u64) -> Place {
        let at = self.private;
        self.private += bytes.next_multiple_of(64);
        Place::At(Space::Private, at)
    }

    /// The operations, and the private scratch that they take.
    pub(crate) fn finish(self) -> (Vec<RowOp>, u64) {
        self.planner.stored.extend(self.stored);
        (self.ops, self.private)
    }

    /// The rows of `value` in `domain`.
    pub(crate) fn row(&mut self, value: ValueId, domain: Domain) -> Result<Rows, Unsupported> {
        let (base, offset) = self.planner.base(value)?;
        if matches!(self.planner.graph.node(base).op, Op::RopeAngles(_)) {
            return Err(self.planner.unsupported(value, "angles for other than a rotation"));
        }
        let Rows { place, stride } = self.whole(base, domain)?;
        Ok(Rows { place: place.further(4 * offset as u64), stride })
    }

    fn whole(&mut self, value: ValueId, domain: Domain) -> Result<Rows, Unsupported> {
        if let Some(rows) = self.done.get(&(value, domain)) {
            return Ok(*rows);
        }
        let own = self.planner.domain(value)?;
        let routed = |domain| matches!(domain, Domain::Routed(_));
        if own != domain && (routed(own) || routed(domain)) {
            let reason = "rows of tokens beside rows of experts, or of other experts";
            return Err(self.planner.unsupported(value, reason));
        }
        let rows = match self.planner.stored.get(&value).copied() {
            Some(rows) if own == domain => rows,
            Some(rows) => self.taken(value, rows),
            None => self.computed(value, domain, own)?,
        };
        self.done.insert((value, domain), rows);
        Ok(rows)
    }

    /// Stored rows of tokens, those that are sampled.
    fn taken(&mut self, value: ValueId, rows: Rows) -> Rows {
        let width = self.result_width(value, self.planner.graph.node(value));
        let dst = self.private_rows(width, Domain::Sampled);
        self.push(RowOp::new(RowKind::Take, count(width), dst, rows, Rows::NONE));
        dst
    }

    fn private_rows(&mut self, width: usize, domain: Domain) -> Rows {
        let bytes = 4 * width.next_multiple_of(16) as u64;
        if self.planner.gpu() {
            // A workgroup runs operations for one row; what does not fit its LDS goes elsewhere.
            let fits = self.prologue || self.private + bytes <= self.planner.row_bytes();
            return match fits {
                true => Rows::one(self.private(bytes)),
                false => self.planner.shared_rows(width, domain),
            };
        }
        if self.prologue {
            let place = self.private(bytes * self.planner.rows_of(domain) as u64);
            return Rows { place, stride: bytes };
        }
        Rows::one(self.private(bytes))
    }

    /// Computes a value that is nowhere yet.
    fn computed(
        &mut self,
        value: ValueId,
        domain: Domain,
        own: Domain,
    ) -> Result<Rows, Unsupported> {
        let node = self.planner.graph.node(value);
        if node.op == Op::Take && own == Domain::Sampled {
            return self.take(value, node, domain);
        }
        let width = self.result_width(value, node);
        let outlives = self.outlives(value);
        if outlives && domain != own {
            let reason = "rows of tokens that are needed again after sampling";
            return Err(self.planner.unsupported(value, reason));
        }
        let store = outlives || self.shared.contains(&value);
        if !store {
            let dst = self.private_dst(value, node, domain)?;
            self.compute(Wanted { value, node, domain, dst })?;
            return Ok(dst);
        }
        let kept = self.planner.shared_rows(width, domain);
        if self.prologue {
            // Every worker has its own; the first writes the one that later phases read.
            let dst = self.private_dst(value, node, domain)?;
            self.compute(Wanted { value, node, domain, dst })?;
            let mut copy = RowOp::new(RowKind::Copy, count(width), kept, dst, Rows::NONE);
            copy.store = true;
            self.push(copy);
            self.stored.push((value, kept));
            return Ok(dst);
        }
        self.compute(Wanted { value, node, domain, dst: kept })?;
        self.stored.push((value, kept));
        Ok(kept)
    }

    /// Private rows for a value: new ones, or on a GPU, whose LDS is small, those of an operand that an
    /// element-wise operation reads last.
    fn private_dst(
        &mut self,
        value: ValueId,
        node: &Node,
        domain: Domain,
    ) -> Result<Rows, Unsupported> {
        let is_element_wise = |op: &Op| matches!(op, Op::Unary(_) | Op::Binary(_));
        let width = self.result_width(value, node);
        if self.planner.gpu() && is_element_wise(&node.op) {
            for operand in &node.operands {
                let ends = is_element_wise(&self.planner.graph.node(*operand).op)
                    && self.planner.width(*operand) == width
                    && !self.shared.contains(operand)
                    && self.planner.users[operand.index()].iter().all(|user| *user == value);
                if !ends {
                    continue;
                }
                let rows = self.row(*operand, domain)?;
                if matches!(rows.place, Place::At(Space::Private, _)) {
                    return Ok(rows);
                }
            }
        }
        Ok(self.private_rows(width, domain))
    }

    /// Whether a later phase reads the value, itself or through a reshape or a slice of it.
    pub(crate) fn outlives(&self, value: ValueId) -> bool {
        self.planner.users[value.index()].iter().any(|user| {
            let op = &self.planner.graph.node(*user).op;
            let alias = matches!(op, Op::Reshape(_) | Op::Slice { .. });
            !self.inside.contains(user) || alias && self.outlives(*user)
        })
    }

    /// `take` moves a whole expression to the sampled rows: what is stored is read there.
    fn take(&mut self, value: ValueId, node: &Node, domain: Domain) -> Result<Rows, Unsupported> {
        if domain != Domain::Sampled || !self.planner.is_input(node.operands[1], "sampled") {
            return Err(self.planner.unsupported(value, "rows other than the sampled ones"));
        }
        self.row(node.operands[0], Domain::Sampled)
    }

    fn result_width(&self, value: ValueId, node: &Node) -> usize {
        match &node.op {
            // Cosines, then sines, of one token.
            Op::RopeAngles(table) => 2 * table.inverse_frequencies.len(),
            _ => self.planner.width(value),
        }
    }
}
