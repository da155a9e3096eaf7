//! One row operation for each node that is computed on rows.

use tyto_graph::{
    Binary, DType, Layout, Literal, Node, Op, RopeScaling, RopeTable, Unary, ValueId,
};

use super::{Cone, Domain};
use crate::abi::{RowKind, Space};
use crate::error::Unsupported;
use crate::format::table_format;
use crate::plan::count;
use crate::program::{Place, RowOp, Rows};

/// An operand of an element-wise operation.
enum Operand {
    Rows(Rows),
    Scalar(f32),
}

/// A value to compute: its node, which rows of it, and where they go.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'n> {
    pub(super) value: ValueId,
    pub(super) node: &'n Node,
    pub(super) domain: Domain,
    pub(super) dst: Rows,
}

impl Wanted<'_> {
    pub(super) fn bad(&self, reason: &str) -> Unsupported {
        Unsupported::new(self.value, self.node, reason)
    }

    pub(super) fn operand(&self, index: usize) -> ValueId {
        self.node.operands[index]
    }
}

impl Cone<'_, '_> {
    /// Adds the operation that computes a value from its operands.
    pub(super) fn compute(&mut self, wanted: Wanted<'_>) -> Result<(), Unsupported> {
        if wanted.node.ty.dtype != DType::F32 {
            return Err(wanted.bad("rows of other than f32"));
        }
        let op = match &wanted.node.op {
            Op::Embedding { layout, rows } => self.embedding(&wanted, *layout, *rows),
            Op::RmsNorm { epsilon, offset } => self.norm(&wanted, [*epsilon, *offset], false),
            Op::LayerNorm { epsilon, offset } => self.norm(&wanted, [*epsilon, *offset], true),
            Op::RopeAngles(table) => self.angles(&wanted, table),
            Op::Rope => self.rope(&wanted),
            Op::PagedAttention(_) => self.combine(&wanted),
            Op::Unary(unary) => self.unary(&wanted, *unary),
            Op::Binary(binary) => self.binary(&wanted, *binary),
            Op::TakeAlong => self.take_along(&wanted),
            Op::MaskedSoftmax => self.softmax(&wanted),
            Op::Take => self.of_experts(&wanted),
            Op::Concat { axis } => self.joined(&wanted, *axis),
            Op::Slice { start, limit } => self.part_of_heads(&wanted, [start, limit]),
            Op::WeightedSum => self.weighted_sum(&wanted),
            _ => Err(wanted.bad("no row operation computes it")),
        };
        let op = op?;
        self.push(op);
        Ok(())
    }

    /// An operation as wide as the value.
    fn op(&self, wanted: &Wanted<'_>, kind: RowKind, a: Rows, b: Rows) -> RowOp {
        RowOp::new(kind, count(self.planner.width(wanted.value)), wanted.dst, a, b)
    }

    fn embedding(
        &mut self,
        wanted: &Wanted<'_>,
        layout: Layout,
        rows: usize,
    ) -> Result<RowOp, Unsupported> {
        let by_position = self.is_position(wanted.operand(1));
        let by_token = self.planner.is_input(wanted.operand(1), "tokens");
        if wanted.domain != Domain::Tokens || !(by_token || by_position) {
            return Err(wanted.bad("ids that are neither the step's tokens nor their positions"));
        }
        let (offset, table) = self.planner.weight(wanted.operand(0))?;
        let (format, row_by_row) = table_format(self.planner.gpu(), layout, table.ty.dtype)
            .map_err(|why| wanted.bad(&why))?;
        let table = Rows::one(Place::At(Space::Weights, offset));
        let mut op = self.op(wanted, RowKind::Embed, table, Rows::NONE);
        (op.format, op.p) =
            (format, [count(rows), u32::from(row_by_row) | u32::from(by_position) << 1]);
        Ok(op)
    }

    /// Whether these are the positions of the step's tokens, those of padding as 0.
    fn is_position(&self, ids: ValueId) -> bool {
        let node = self.planner.graph.node(ids);
        let zero = |value: &ValueId| {
            let op = &self.planner.graph.node(*value).op;
            matches!(op, Op::Constant(Literal::Splat { value, .. }) if *value == 0.0)
        };
        node.op == Op::Binary(Binary::Maximum)
            && self.planner.is_input(node.operands[0], "positions")
            && zero(&node.operands[1])
    }

    /// `centred`: of what is left without the mean.
    fn norm(
        &mut self,
        wanted: &Wanted<'_>,
        parameters: [f32; 2],
        centred: bool,
    ) -> Result<RowOp, Unsupported> {
        if wanted.node.ty.shape.rank() < 2 {
            return Err(wanted.bad("a norm across rows"));
        }
        let a = self.row(wanted.operand(0), wanted.domain)?;
        let b = self.vector(wanted.operand(1))?;
        let mut op = self.op(wanted, RowKind::Norm, a, b);
        op.p = [count(last(wanted.node)), centred.into()];
        op.imm = parameters;
        Ok(op)
    }

    fn rope(&mut self, wanted: &Wanted<'_>) -> Result<RowOp, Unsupported> {
        let a = self.row(wanted.operand(0), wanted.domain)?;
        let b = self.angles_of(wanted.operand(1), wanted.domain)?;
        let pairs = last(self.planner.graph.node(wanted.operand(1)));
        let mut op = self.op(wanted, RowKind::Rope, a, b);
        op.p = [count(last(wanted.node)), count(pairs)];
        Ok(op)
    }

    /// The angles of a rotation: in a row the cosines, then the sines, of one token.
    fn angles_of(&mut self, value: ValueId, domain: Domain) -> Result<Rows, Unsupported> {
        match self.planner.graph.node(value).op {
            Op::RopeAngles(_) => self.whole(value, domain),
            _ => Err(self.planner.unsupported(value, "angles that are computed")),
        }
    }

    fn combine(&mut self, wanted: &Wanted<'_>) -> Result<RowOp, Unsupported> {
        let index = self.planner.partials.get(&wanted.value).copied();
        let index = index.ok_or_else(|| wanted.bad("attention is computed out of order"))?;
        if wanted.domain != Domain::Tokens {
            return Err(wanted.bad("sampled rows of an attention"));
        }
        let mut op = self.op(wanted, RowKind::Combine, Rows::NONE, Rows::NONE);
        op.p[0] = count(index);
        Ok(op)
    }

    fn unary(&mut self, wanted: &Wanted<'_>, unary: Unary) -> Result<RowOp, Unsupported> {
        let function = unary_code(unary).ok_or_else(|| wanted.bad("this function"))?;
        let a = self.row(wanted.operand(0), wanted.domain)?;
        let mut op = self.op(wanted, RowKind::Unary, a, Rows::NONE);
        op.p[0] = function;
        Ok(op)
    }

    fn binary(&mut self, wanted: &Wanted<'_>, binary: Binary) -> Result<RowOp, Unsupported> {
        let function = binary_code(binary).ok_or_else(|| wanted.bad("this function"))?;
        let a = self.operand(wanted.operand(0), wanted.domain)?;
        let b = self.operand(wanted.operand(1), wanted.domain)?;
        let scalar = |cone: &Self, row, value, reversed| {
            let mut op = cone.op(wanted, RowKind::Scalar, row, Rows::NONE);
            op.p = [function, reversed];
            op.imm[0] = value;
            op
        };
        match (a, b) {
            (Operand::Rows(a), Operand::Rows(b)) => {
                let mut op = self.op(wanted, RowKind::Binary, a, b);
                op.p[0] = function;
                Ok(op)
            }
            (Operand::Rows(a), Operand::Scalar(b)) => Ok(scalar(self, a, b, 0)),
            (Operand::Scalar(a), Operand::Rows(b)) => Ok(scalar(self, b, a, 1)),
            _ => Err(wanted.bad("a function of constants")),
        }
    }

    /// Rows, a vector for all rows, or a number.
    fn operand(&mut self, value: ValueId, domain: Domain) -> Result<Operand, Unsupported> {
        let node = self.planner.graph.node(value);
        match &node.op {
            Op::Constant(Literal::Splat { value, .. }) => Ok(Operand::Scalar(*value as f32)),
            Op::Broadcast { axes, shape } => {
                let vector = node.operands[0];
                let rows = if matches!(domain, Domain::Routed(_)) { 2 } else { 1 };
                let row = shape.get(rows..).map(<[usize]>::to_vec);
                let whole = self.planner.graph.ty(vector).shape.fixed() == row;
                if axes[..] != [rows] || !whole {
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
        // A table of f32 as one vector.
        let table = matches!(node.op, Op::Reshape(_));
        let source = if table { node.operands[0] } else { value };
        let (offset, weight) = self.planner.weight(source)?;
        if weight.ty.dtype != DType::F32 || node.ty.shape.rank() != 1 {
            return Err(self.planner.unsupported(value, "a vector of other than f32"));
        }
        Ok(Rows::one(Place::At(Space::Weights, offset)))
    }

    fn angles(&mut self, wanted: &Wanted<'_>, table: &RopeTable) -> Result<RowOp, Unsupported> {
        if wanted.domain != Domain::Tokens {
            return Err(wanted.bad("angles of sampled rows"));
        }
        let frequencies = Rows::one(self.planner.constant(&table.inverse_frequencies));
        let (long, boundary) = match &table.scaling {
            RopeScaling::Fixed => (Rows::NONE, 0),
            RopeScaling::LongBeyond { boundary, long } => {
                (Rows::one(self.planner.constant(long)), count(*boundary))
            }
            RopeScaling::DynamicNtk { .. } => {
                let reason = "frequencies that change with every length (dynamic NTK)";
                return Err(wanted.bad(reason));
            }
        };
        let width = count(table.inverse_frequencies.len());
        let mut op = RowOp::new(RowKind::Angles, width, wanted.dst, frequencies, long);
        op.imm[0] = table.amplitude;
        op.p[0] = boundary;
        Ok(op)
    }
}

/// Operations of mixtures of experts.
impl Cone<'_, '_> {
    fn take_along(&mut self, wanted: &Wanted<'_>) -> Result<RowOp, Unsupported> {
        let ids = self.planner.stored.get(&wanted.operand(1)).copied();
        let ids = ids.ok_or_else(|| wanted.bad("ids that no top_k gives"))?;
        let a = self.row(wanted.operand(0), wanted.domain)?;
        let mut op = self.op(wanted, RowKind::TakeAlong, a, ids);
        op.p[0] = (wanted.domain == Domain::Sampled).into();
        Ok(op)
    }

    fn softmax(&mut self, wanted: &Wanted<'_>) -> Result<RowOp, Unsupported> {
        let shown = &self.planner.graph.node(wanted.operand(1)).op;
        let all = matches!(shown, Op::Constant(Literal::Splat { value, .. }) if *value != 0.0);
        if !all || wanted.node.ty.shape.rank() != 2 {
            return Err(wanted.bad("a softmax of other than whole rows"));
        }
        let a = self.row(wanted.operand(0), wanted.domain)?;
        Ok(self.op(wanted, RowKind::Softmax, a, Rows::NONE))
    }

    /// The row of each routed row's expert in a table.
    fn of_experts(&mut self, wanted: &Wanted<'_>) -> Result<RowOp, Unsupported> {
        let Domain::Routed(ids) = wanted.domain else {
            return Err(wanted.bad("rows of a table that no top_k chooses"));
        };
        let (offset, table) = self.planner.weight(wanted.operand(0))?;
        let route = self.planner.routes.get(&ids).copied();
        let route = route.ok_or_else(|| wanted.bad("ids that no top_k gives"))?;
        if table.ty.dtype != DType::F32 || table.ty.shape.rank() != 2 {
            return Err(wanted.bad("a table of other than vectors of f32"));
        }
        let stride = 4 * self.planner.width(wanted.value) as u64;
        let rows = Rows { place: Place::At(Space::Weights, offset), stride };
        let mut op = self.op(wanted, RowKind::Expert, rows, Rows::NONE);
        op.p[0] = count(route);
        Ok(op)
    }

    fn weighted_sum(&mut self, wanted: &Wanted<'_>) -> Result<RowOp, Unsupported> {
        let x = wanted.operand(0);
        let terms = last(self.planner.graph.node(wanted.operand(1)));
        let (a, route) = match self.planner.domain(x)? {
            // A phase before has stored them: every row of a token may be anywhere.
            Domain::Routed(ids) => {
                (self.row(x, Domain::Routed(ids))?, 1 + count(self.planner.routes[&ids]))
            }
            _ => (self.row(x, wanted.domain)?, 0),
        };
        let weights = match self.planner.graph.node(wanted.operand(1)).op {
            // The same for all rows.
            Op::Constant(Literal::Splat { value, .. }) => {
                Rows::one(self.planner.constant(&vec![value as f32; terms]))
            }
            _ => self.row(wanted.operand(1), wanted.domain)?,
        };
        let mut op = self.op(wanted, RowKind::Weighted, a, weights);
        op.p = [count(terms), route];
        op.format = (wanted.domain == Domain::Sampled && route > 0).into();
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
        Unary::Erf,
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
