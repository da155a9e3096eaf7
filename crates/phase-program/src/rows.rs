//! Row operations: everything between products and attentions, one row at a time.
//!
//! A value is computed where it is first needed. If a later phase needs it too, it is stored
//! in shared memory then; else it lives in the worker's private scratch.

use std::collections::{HashMap, HashSet};

use tyto_graph::{Binary, DType, Literal, Node, Op, RopeScaling, RopeTable, Unary, ValueId};

use crate::abi::{RowKind, Space};
use crate::error::Unsupported;
use crate::format::table_format;
use crate::plan::{Planner, count};
use crate::program::{Place, RowOp, Rows};

/// What a row is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Domain {
    /// The step's tokens.
    Tokens,
    /// The rows whose logits are wanted.
    Sampled,
}

/// An operand of an element-wise operation.
enum Operand {
    Rows(Rows),
    Scalar(f32),
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
    private: u64,
}

impl<'a> Planner<'a> {
    /// The width of a value's rows: all its axes but the first.
    pub(crate) fn width(&self, value: ValueId) -> usize {
        self.graph.ty(value).shape.dims().iter().skip(1).map(tyto_graph::Dim::bound).product()
    }

    /// Through reshapes and slices: the value itself, and how many f32s further a row begins.
    fn base(&self, value: ValueId) -> Result<(ValueId, usize), Unsupported> {
        let node = self.graph.node(value);
        match &node.op {
            Op::Reshape(_) => {
                let operand = node.operands[0];
                let first = |value: ValueId| {
                    self.graph.ty(value).shape.dims().first().map(tyto_graph::Dim::bound)
                };
                if first(value) != first(operand) {
                    return Err(self.unsupported(value, "a reshape across rows"));
                }
                self.base(operand)
            }
            Op::Slice { start, limit } => {
                let operand = node.operands[0];
                let rows = self.graph.ty(operand).shape.dims()[0].bound();
                if start.len() != 2 || start[0] != 0 || limit[0] != rows {
                    return Err(self.unsupported(value, "a slice of other than columns"));
                }
                let (base, offset) = self.base(operand)?;
                Ok((base, offset + start[1]))
            }
            _ => Ok((value, 0)),
        }
    }

    /// What the rows of a value are.
    pub(crate) fn domain(&self, value: ValueId) -> Result<Domain, Unsupported> {
        let node = self.graph.node(value);
        match &node.op {
            Op::Take => Ok(Domain::Sampled),
            Op::Embedding { .. } | Op::RopeAngles(_) | Op::PagedAttention(_) => Ok(Domain::Tokens),
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

    /// The angles of a rotation: in a row the cosines, then the sines, of one token.
    fn angles_of(&mut self, value: ValueId, domain: Domain) -> Result<Rows, Unsupported> {
        match self.planner.graph.node(value).op {
            Op::RopeAngles(_) => self.whole(value, domain),
            _ => Err(self.planner.unsupported(value, "angles that are computed")),
        }
    }

    fn whole(&mut self, value: ValueId, domain: Domain) -> Result<Rows, Unsupported> {
        if let Some(rows) = self.done.get(&(value, domain)) {
            return Ok(*rows);
        }
        let own = self.planner.domain(value)?;
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
        if node.op == Op::Take {
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
            let dst = self.private_rows(width, domain);
            self.compute(value, node, domain, dst)?;
            return Ok(dst);
        }
        let kept = self.planner.shared_rows(width, domain);
        if self.prologue {
            // Every worker has its own; the first writes the one that later phases read.
            let dst = self.private_rows(width, domain);
            self.compute(value, node, domain, dst)?;
            let mut copy = RowOp::new(RowKind::Copy, count(width), kept, dst, Rows::NONE);
            copy.store = true;
            self.push(copy);
            self.stored.push((value, kept));
            return Ok(dst);
        }
        self.compute(value, node, domain, kept)?;
        self.stored.push((value, kept));
        Ok(kept)
    }

    /// Whether a later phase reads the value, itself or through a reshape or a slice of it.
    fn outlives(&self, value: ValueId) -> bool {
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

    fn compute(
        &mut self,
        value: ValueId,
        node: &Node,
        domain: Domain,
        dst: Rows,
    ) -> Result<(), Unsupported> {
        let bad = |reason: &str| Unsupported::new(value, node, reason);
        let floats = node.ty.dtype == DType::F32;
        if !floats {
            return Err(bad("rows of other than f32"));
        }
        match &node.op {
            Op::Embedding { layout, rows } if domain == Domain::Tokens => {
                let (offset, table) = self.planner.weight(node.operands[0])?;
                let (format, row_by_row) =
                    table_format(*layout, table.ty.dtype).map_err(|why| bad(&why))?;
                if !self.planner.is_input(node.operands[1], "tokens") {
                    return Err(bad("ids that are not the step's tokens"));
                }
                let table = Rows::one(Place::At(Space::Weights, offset));
                let width = count(self.planner.width(value));
                let mut op = RowOp::new(RowKind::Embed, width, dst, table, Rows::NONE);
                (op.format, op.p) = (format, [count(*rows), row_by_row.into()]);
                self.push(op);
            }
            Op::RmsNorm { .. } if node.ty.shape.rank() < 2 => {
                return Err(bad("a norm across rows"));
            }
            Op::RmsNorm { epsilon, offset } => {
                let a = self.row(node.operands[0], domain)?;
                let b = self.vector(node.operands[1])?;
                let width = count(self.planner.width(value));
                let mut op = RowOp::new(RowKind::Norm, width, dst, a, b);
                op.p[0] = count(last(node));
                op.imm = [*epsilon, *offset];
                self.push(op);
            }
            Op::RopeAngles(table) if domain == Domain::Tokens => {
                let op = self.angles(table, dst).map_err(|why| bad(&why))?;
                self.push(op);
            }
            Op::Rope => {
                let a = self.row(node.operands[0], domain)?;
                let b = self.angles_of(node.operands[1], domain)?;
                let width = count(self.planner.width(value));
                let mut op = RowOp::new(RowKind::Rope, width, dst, a, b);
                op.p = [count(last(node)), count(last(self.planner.graph.node(node.operands[1])))];
                self.push(op);
            }
            Op::PagedAttention(_) => {
                let index = self.planner.partials.get(&value).copied();
                let index = index.ok_or_else(|| bad("attention is computed out of order"))?;
                if domain != Domain::Tokens {
                    return Err(bad("sampled rows of an attention"));
                }
                let width = count(self.planner.width(value));
                let mut op = RowOp::new(RowKind::Combine, width, dst, Rows::NONE, Rows::NONE);
                op.p[0] = count(index);
                self.push(op);
            }
            Op::Unary(unary) => {
                let function = unary_code(*unary).ok_or_else(|| bad("this function"))?;
                let a = self.row(node.operands[0], domain)?;
                let width = count(self.planner.width(value));
                let mut op = RowOp::new(RowKind::Unary, width, dst, a, Rows::NONE);
                op.p[0] = function;
                self.push(op);
            }
            Op::Binary(binary) => {
                let function = binary_code(*binary).ok_or_else(|| bad("this function"))?;
                let op = self.binary(value, node, domain, dst, function)?;
                self.push(op);
            }
            _ => return Err(bad("no row operation computes it")),
        }
        Ok(())
    }

    fn binary(
        &mut self,
        value: ValueId,
        node: &Node,
        domain: Domain,
        dst: Rows,
        function: u32,
    ) -> Result<RowOp, Unsupported> {
        let width = count(self.planner.width(value));
        let a = self.operand(node.operands[0], domain)?;
        let b = self.operand(node.operands[1], domain)?;
        let scalar = |row, value, reversed| {
            let mut op = RowOp::new(RowKind::Scalar, width, dst, row, Rows::NONE);
            op.p = [function, reversed];
            op.imm[0] = value;
            op
        };
        match (a, b) {
            (Operand::Rows(a), Operand::Rows(b)) => {
                let mut op = RowOp::new(RowKind::Binary, width, dst, a, b);
                op.p[0] = function;
                Ok(op)
            }
            (Operand::Rows(a), Operand::Scalar(b)) => Ok(scalar(a, b, 0)),
            (Operand::Scalar(a), Operand::Rows(b)) => Ok(scalar(b, a, 1)),
            _ => Err(self.planner.unsupported(value, "a function of constants")),
        }
    }

    /// Rows, a vector for all rows, or a number.
    fn operand(&mut self, value: ValueId, domain: Domain) -> Result<Operand, Unsupported> {
        let node = self.planner.graph.node(value);
        match &node.op {
            Op::Constant(Literal::Splat { value, .. }) => Ok(Operand::Scalar(*value as f32)),
            Op::Broadcast { axes, shape } => {
                let vector = node.operands[0];
                let whole =
                    self.planner.graph.ty(vector).shape.fixed() == Some(shape[1..].to_vec());
                if axes[..] != [1] || !whole {
                    let reason = "a broadcast of other than a vector to all rows";
                    return Err(self.planner.unsupported(value, reason));
                }
                Ok(Operand::Rows(self.vector(vector)?))
            }
            _ => Ok(Operand::Rows(self.row(value, domain)?)),
        }
    }

    /// A vector of f32 that is the same for all rows.
    fn vector(&mut self, value: ValueId) -> Result<Rows, Unsupported> {
        let node = self.planner.graph.node(value);
        if let Op::Constant(Literal::Vector(values)) = &node.op {
            return Ok(Rows::one(self.planner.constant(values)));
        }
        let (offset, weight) = self.planner.weight(value)?;
        if weight.ty.dtype != DType::F32 || weight.ty.shape.rank() != 1 {
            return Err(self.planner.unsupported(value, "a vector of other than f32"));
        }
        Ok(Rows::one(Place::At(Space::Weights, offset)))
    }

    fn angles(&mut self, table: &RopeTable, dst: Rows) -> Result<RowOp, String> {
        let frequencies = Rows::one(self.planner.constant(&table.inverse_frequencies));
        let (long, boundary) = match &table.scaling {
            RopeScaling::Fixed => (Rows::NONE, 0),
            RopeScaling::LongBeyond { boundary, long } => {
                (Rows::one(self.planner.constant(long)), count(*boundary))
            }
            RopeScaling::DynamicNtk { .. } => {
                return Err("frequencies that change with every length (dynamic NTK)".into());
            }
        };
        let width = count(table.inverse_frequencies.len());
        let mut op = RowOp::new(RowKind::Angles, width, dst, frequencies, long);
        op.imm[0] = table.amplitude;
        op.p[0] = boundary;
        Ok(op)
    }
}

fn last(node: &Node) -> usize {
    node.ty.shape.dims().last().map_or(1, tyto_graph::Dim::bound)
}

fn unary_code(unary: Unary) -> Option<u32> {
    let codes = [
        Unary::Negate,
        Unary::Exponential,
        Unary::Log,
        Unary::Logistic,
        Unary::Tanh,
        Unary::Sine,
        Unary::Cosine,
        Unary::Sqrt,
        Unary::Rsqrt,
    ];
    let served = !matches!(unary, Unary::Log | Unary::Sine | Unary::Cosine | Unary::Not);
    served.then(|| codes.iter().position(|code| *code == unary).map(count)).flatten()
}

fn binary_code(binary: Binary) -> Option<u32> {
    let codes = [
        Binary::Add,
        Binary::Subtract,
        Binary::Multiply,
        Binary::Divide,
        Binary::Maximum,
        Binary::Minimum,
    ];
    codes.iter().position(|code| *code == binary).map(count)
}
