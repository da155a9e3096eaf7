//! Mixtures of experts: the choice, and products of rows that stand expert after expert.

use tyto_graph::{Groups, Layout, Node, Op, ValueId};

use super::{PROLOGUE_ROWS, Planner, count, last_size};
use crate::abi::{PhaseKind, RowKind, routed_bytes, table_bytes};
use crate::error::Unsupported;
use crate::format::MATRIX;
use crate::program::{Experts, Linear, Place, Route, RowOp, Rows};
use crate::rows::{Cone, Domain};

/// Bits of the mask in which kernels have the groups that they look at.
const MOST_GROUPS: usize = 64;

impl Planner<'_> {
    /// Adds the phase that chooses the experts of each token and sorts the tokens by them.
    pub(super) fn top_k(
        &mut self,
        value: ValueId,
        node: &Node,
        k: usize,
        groups: Option<Groups>,
    ) -> Result<(), Unsupported> {
        let scores = node.operands[0];
        if self.domain(scores)? != Domain::Tokens {
            return Err(self.unsupported(value, "a choice for other than the step's tokens"));
        }
        let experts = last_size(self.graph, scores);
        if groups.is_some_and(|groups| groups.count > MOST_GROUPS) {
            return Err(self.unsupported(value, "more than 64 groups of experts"));
        }
        let prologue = self.prologues();
        let (row, ops) = if self.gpu() {
            self.operand(value, scores, Domain::Tokens)?
        } else {
            self.scores(value, scores, prologue)?
        };
        let rows = self.rows_of(Domain::Tokens) * k;
        let ids = self.shared(4 * rows as u64);
        let table = self.shared(table_bytes(experts as u64, rows as u64));
        self.stored.insert(value, Rows { place: ids, stride: 4 * k as u64 });
        let index = self.mixtures.routes.len();
        let (experts, used, rows) = (count(experts), count(k), count(rows));
        let groups = groups
            .map_or([0; 3], |Groups { count: groups, kept, best }| [groups, kept, best].map(count));
        self.mixtures.routes.push(Route { experts, used, rows, groups, scores: row, ids, table });
        self.routes.insert(value, index);
        let ops = if prologue { ops } else { self.rows_phase(Domain::Tokens, ops) };
        self.phase(PhaseKind::Route, Domain::Tokens, ops, index);
        Ok(())
    }

    /// The rows of scores, and the operations that compute them.
    fn scores(
        &mut self,
        user: ValueId,
        scores: ValueId,
        prologue: bool,
    ) -> Result<(Rows, Vec<RowOp>), Unsupported> {
        let mut cone = Cone::new(self, &[scores], &[user], prologue);
        if !prologue {
            cone.share(&[scores]);
        }
        let row = cone.row(scores, Domain::Tokens)?;
        let (ops, private) = cone.finish();
        self.private_bytes = self.private_bytes.max(private);
        Ok((row, ops))
    }

    /// Adds the product of routed rows with the matrices of their experts.
    pub(super) fn expert_linear(
        &mut self,
        value: ValueId,
        node: &Node,
        layout: Layout,
        [experts, rows]: [usize; 2],
    ) -> Result<(), Unsupported> {
        let [x, weight, ids] = [node.operands[0], node.operands[1], node.operands[2]];
        let route = self.routes.get(&ids).copied();
        let route = route.ok_or_else(|| self.unsupported(value, "ids that no top_k gives"))?;
        if self.mixtures.routes[route].experts as usize != experts {
            return Err(self.unsupported(value, "other experts than were chosen from"));
        }
        let (offset, stored) = self.weight(weight)?;
        let format = self.format_of(layout, stored).map_err(|why| self.unsupported(value, why))?;
        let name = match &stored.op {
            Op::Weight { name, .. } => name.to_string(),
            _ => String::new(),
        };
        let elements = stored.ty.shape.elements_bound().unwrap_or(0);
        let expert_bytes = (elements * stored.ty.dtype.bytes() / experts.max(1)) as u64;
        let k = last_size(self.graph, x);
        let domain = Domain::Routed(ids);
        let of_tokens = self.of_tokens(value, x, ids)?;
        let in_matrices = self.gpu() && self.routed_in_matrices(format, k, domain);
        let format = if in_matrices { format | MATRIX } else { format };
        let (packed, ops) = if in_matrices {
            let of = if of_tokens { Domain::Tokens } else { domain };
            (self.matrix_rows(value, x, k, format, of)?, Vec::new())
        } else if self.gpu() {
            (self.routed_operand(value, x, of_tokens)?, Vec::new())
        } else {
            let (place, ops) = self.pack_routed(value, x, ids, format, of_tokens)?;
            (Rows { place, stride: 0 }, ops)
        };
        let y = self.shared_rows(rows, domain);
        self.stored.insert(value, y);
        let linear = Linear {
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
        };
        self.products.insert(value, self.phases.len());
        self.mixtures.experts.push(Experts { linear, expert_bytes, route, of_tokens });
        self.phase(PhaseKind::Experts, domain, ops, self.mixtures.experts.len() - 1);
        Ok(())
    }

    /// Whether `x` has one row for all experts of a token, or a row for each.
    fn of_tokens(&self, value: ValueId, x: ValueId, ids: ValueId) -> Result<bool, Unsupported> {
        let rank = self.graph.ty(x).shape.rank();
        match self.domain(x)? {
            Domain::Tokens if rank == 2 => Ok(true),
            Domain::Routed(own) if own == ids => Ok(false),
            _ => Err(self.unsupported(value, "rows that belong to no token or to another choice")),
        }
    }

    /// As [`Planner::pack`], expert by expert.
    fn pack_routed(
        &mut self,
        user: ValueId,
        x: ValueId,
        ids: ValueId,
        format: u32,
        of_tokens: bool,
    ) -> Result<(Place, Vec<RowOp>), Unsupported> {
        let key = (x, ids, format);
        if let Some(place) = self.routed.get(&key) {
            return Ok((*place, Vec::new()));
        }
        if of_tokens {
            self.keep(x, user)?;
        }
        let (k, domain) = (last_size(self.graph, x), Domain::Routed(ids));
        let (rows, route) = (self.rows_of(domain), self.routes[&ids]);
        let experts = self.mixtures.routes[route].experts;
        let bytes = routed_bytes(k as u64, rows as u64, experts.into());
        let prologue = rows <= PROLOGUE_ROWS;
        let mut cone = Cone::new(self, &[x], &[user], prologue);
        let row = cone.row(x, if of_tokens { Domain::Tokens } else { domain })?;
        let packed = if prologue { cone.private(bytes) } else { cone.planner.shared(bytes) };
        let mut op = RowOp::new(RowKind::Pack, count(k), Rows::one(packed), row, Rows::NONE);
        (op.format, op.p) = (format, [1 + count(route), of_tokens.into()]);
        cone.push(op);
        let (ops, private) = cone.finish();
        self.private_bytes = self.private_bytes.max(private);
        if prologue {
            return Ok((packed, ops));
        }
        self.phase(PhaseKind::Rows, domain, ops, 0);
        self.routed.insert(key, packed);
        Ok((packed, Vec::new()))
    }

    /// Has a value of routed rows in shared memory, where all rows of a token can be read. On a GPU
    /// the product stores what element-wise operations make of its columns.
    pub(super) fn keep_routed(&mut self, value: ValueId, user: ValueId) -> Result<(), Unsupported> {
        let domain = self.domain(value)?;
        if !matches!(domain, Domain::Routed(_)) {
            return Ok(());
        }
        let stored = self.stored.contains_key(&self.base(value)?.0);
        if self.gpu() && !stored && self.after_product(user, value, domain)?.is_some() {
            return Ok(());
        }
        self.keep(value, user)
    }

    /// Has a value in shared memory, by a phase of its own where none has stored it.
    pub(super) fn keep(&mut self, value: ValueId, user: ValueId) -> Result<(), Unsupported> {
        let (base, _) = self.base(value)?;
        if self.stored.contains_key(&base) {
            return Ok(());
        }
        let domain = self.domain(value)?;
        let mut cone = Cone::new(self, &[value], &[user], false);
        cone.share(&[value]);
        cone.row(value, domain)?;
        let (ops, private) = cone.finish();
        self.private_bytes = self.private_bytes.max(private);
        self.rows_phase(domain, ops);
        Ok(())
    }
}
