//! Recurrent layers: convolutions and scans, each with the update of its state.

use tyto_graph::{ConvAttrs, DType, Dim, Literal, Node, Op, RecurrentResult, ValueId};

use super::{Planner, count, gpu};
use crate::abi::{self, CONV_TAPS, PhaseKind, Space};
use crate::error::Unsupported;
use crate::program::{Conv, Place, Rows, Scan};
use crate::rows::{Cone, Domain};

impl Planner<'_> {
    /// Adds the phase of a convolution.
    pub(super) fn causal_conv(
        &mut self,
        value: ValueId,
        node: &Node,
        attrs: &ConvAttrs,
    ) -> Result<(), Unsupported> {
        let Some(state) = self.recurrent_state(value, node, 2)? else { return Ok(()) };
        let &[x, weight, _, _, _, ref bias @ ..] = &node.operands[..] else {
            return Err(self.unsupported(value, "its operands"));
        };
        let [channels, taps] = self.sizes_fixed(weight);
        if taps > CONV_TAPS {
            let reason = format!("a convolution over more than {CONV_TAPS} tokens");
            return Err(self.unsupported(value, reason));
        }
        let fixed = abi::Conv {
            channels: count(channels),
            taps: count(taps),
            silu: attrs.silu.into(),
            has_bias: count(bias.len()),
            slot_bytes: self.cache.slot_bytes,
            state: state.offset,
            weight: self.f32_weight(weight)?,
            bias: bias.first().map_or(Ok(0), |bias| self.f32_weight(*bias))?,
            entries: count(self.table_entries()),
            ..abi::Conv::default()
        };
        let [x] =
            self.recurrent_rows([x], &state, PhaseKind::Conv, self.recurrences.convs.len())?;
        let out = self.shared_rows(channels, Domain::Tokens);
        self.stored.insert(value, out);
        self.recurrences.convs.push(Conv { fixed, x, out });
        Ok(())
    }

    /// Adds the phase of a scan, of an RG-LRU or of a delta rule.
    pub(super) fn scan(&mut self, value: ValueId, node: &Node) -> Result<(), Unsupported> {
        // The state, and which and where, stand behind what else there is.
        let Some(own) = node.operands.len().checked_sub(3) else {
            return Err(self.unsupported(value, "its operands"));
        };
        let Some(state) = self.recurrent_state(value, node, own)? else { return Ok(()) };
        let operands = &node.operands[..own];
        let slot: [usize; 4] = self.sizes_fixed(node.operands[own]);
        let [_, heads, depth, width] = slot;
        let index = self.recurrences.scans.len();
        self.rows_fit(value, node, depth)?;
        let mut fixed = abi::Scan {
            strength: 1.0,
            decays: 1,
            heads: count(heads),
            depth: count(depth),
            width: count(width),
            slot_bytes: self.cache.slot_bytes,
            state: state.offset,
            entries: count(self.table_entries()),
            ..abi::Scan::default()
        };
        let (rows, parameters) = match (&node.op, operands) {
            (Op::SsmScan(attrs), &[x, dt, b, c, a_log, dt_bias, d]) => {
                [fixed.least, fixed.most] = attrs.dt_limit;
                (fixed.rule, fixed.d) = (abi::SSM, self.f32_weight(d)?);
                // Nothing reads the gate of a scan.
                ([x, b, c, dt, dt], [a_log, dt_bias])
            }
            (Op::DeltaRule(attrs), &[q, k, v, a, b, a_log, dt_bias]) => {
                [fixed.least, fixed.most] = [attrs.epsilon, attrs.scale];
                (fixed.rule, fixed.strength) = (abi::DELTA, attrs.strength);
                fixed.decays = count(self.width(a) / heads);
                ([v, k, q, a, b], [a_log, dt_bias])
            }
            (Op::SelectiveScan(_), &[x, dt, b, c, a_log, dt_bias, d]) => {
                (fixed.rule, fixed.d) = (abi::SELECTIVE, self.f32_weight(d)?);
                ([x, b, c, dt, dt], [a_log, dt_bias])
            }
            (Op::RgLru(_), &[x, a, b, lambda]) => {
                fixed.rule = abi::RG_LRU;
                // Nothing reads what its rule does not have.
                ([x, x, x, a, b], [lambda, lambda])
            }
            _ => return Err(self.unsupported(value, "its kind")),
        };
        fixed.groups = match node.op {
            Op::RgLru(_) => 1,
            _ => count(self.width(rows[1]) / depth.max(1)),
        };
        [fixed.a_log, fixed.dt_bias] =
            [self.f32_weight(parameters[0])?, self.f32_weight(parameters[1])?];
        let [v, k, q, dt, gate] = self.recurrent_rows(rows, &state, PhaseKind::Scan, index)?;
        let out = self.shared_rows(heads * width, Domain::Tokens);
        self.stored.insert(value, out);
        self.recurrences.scans.push(Scan { fixed, v, k, q, dt, gate, out });
        Ok(())
    }

    /// Adds the phase of a scan whose state is multiplied with a diagonal plus a matrix of rank one.
    pub(super) fn dplr_scan(&mut self, value: ValueId, node: &Node) -> Result<(), Unsupported> {
        let Some(state) = self.recurrent_state(value, node, 6)? else { return Ok(()) };
        let &[q, w, k, ab, v, u, old, _, _] = &node.operands[..] else {
            return Err(self.unsupported(value, "its operands"));
        };
        let [_, heads, depth, width] = self.sizes_fixed(old);
        self.rows_fit(value, node, depth)?;
        let fixed = abi::Scan {
            rule: abi::DPLR,
            heads: count(heads),
            groups: count(heads),
            depth: count(depth),
            width: count(width),
            slot_bytes: self.cache.slot_bytes,
            state: state.offset,
            d: self.f32_weight(u)?,
            entries: count(self.table_entries()),
            decays: count(depth),
            ..abi::Scan::default()
        };
        let index = self.recurrences.scans.len();
        let rows = [v, k, q, w, ab];
        let [v, k, q, dt, gate] = self.recurrent_rows(rows, &state, PhaseKind::Scan, index)?;
        let out = self.shared_rows(2 * heads * width, Domain::Tokens);
        self.stored.insert(value, out);
        self.recurrences.scans.push(Scan { fixed, v, k, q, dt, gate, out });
        Ok(())
    }

    /// Whether the kernel of a scan takes states of `depth` rows a head.
    fn rows_fit(&self, value: ValueId, node: &Node, depth: usize) -> Result<(), Unsupported> {
        let selective = matches!(node.op, Op::SelectiveScan(_));
        let of_rows = || self.graph.ty(node.operands[3]).shape.dims().len() == 3;
        let most = match self.gpu() {
            true if selective => gpu::SELECT_DEPTH,
            true => gpu::SCAN_DEPTH,
            // On a CPU only decays that are computed row by row need a place.
            false if selective || matches!(node.op, Op::DeltaRule(_)) && of_rows() => {
                abi::SCAN_ROWS
            }
            false => return Ok(()),
        };
        if depth > most {
            return Err(self.unsupported(value, format!("a state of more than {most} rows a head")));
        }
        Ok(())
    }

    /// Entries of a row of the tables: its pages, and with recurrent layers its slot.
    pub(super) fn table_entries(&self) -> usize {
        let tables = self.graph.inputs.iter().find(|input| &*input.name == "tables");
        let pages = tables.and_then(|tables| tables.ty.shape.dims().last().map(Dim::bound));
        pages.unwrap_or(0) + usize::from(self.cache.slot_bytes > 0)
    }

    /// The state of a recurrent op at operand `at`, and its twin that updates it; `None` for that
    /// twin itself, whose work is done with the other's.
    fn recurrent_state(
        &mut self,
        value: ValueId,
        node: &Node,
        at: usize,
    ) -> Result<Option<State>, Unsupported> {
        if node.op.recurrent() == Some(RecurrentResult::State) {
            return Ok(None);
        }
        let bad = |reason: &str| Err(self.unsupported(value, reason));
        if self.sizes.tokens > 1 && self.sizes.batch != 1 {
            return bad("several sequences with several tokens each");
        }
        let [states, positions] = [node.operands[at + 1], node.operands[at + 2]];
        if !self.is_input(states, "states") || !self.is_input(positions, "positions") {
            return bad("states or positions that are not the step's");
        }
        let Op::Input { index } = self.graph.node(node.operands[at]).op else {
            return bad("a state that is updated twice");
        };
        let twin = node.op.recurrent_as(RecurrentResult::State);
        let is_twin = |other: &&ValueId| {
            let other = self.graph.node(**other);
            Some(&other.op) == twin.as_ref() && other.operands == node.operands
        };
        let Some(twin) = self.users[node.operands[at].index()].iter().find(is_twin).copied() else {
            return bad("a state that this step does not update");
        };
        let Some(offset) = self.cache.offset(index) else { return bad("a state that is none") };
        self.appended.insert(twin);
        Ok(Some(State { offset, users: [value, twin] }))
    }

    /// Has operands with a row for each token computed, and adds the phase that reads them.
    fn recurrent_rows<const N: usize>(
        &mut self,
        values: [ValueId; N],
        state: &State,
        kind: PhaseKind,
        kernel: usize,
    ) -> Result<[Rows; N], Unsupported> {
        if self.gpu() {
            let (rows, ops) = self.operands(&values, &state.users, Domain::Tokens)?;
            self.phase(kind, Domain::Tokens, ops, kernel);
            let mut all = [Rows::NONE; N];
            all.copy_from_slice(&rows);
            return Ok(all);
        }
        let prologue = self.prologues();
        let mut cone = Cone::new(self, &values, &state.users, prologue);
        if !prologue {
            cone.share(&values);
        }
        let mut rows = [Rows::NONE; N];
        for (row, value) in rows.iter_mut().zip(values) {
            *row = cone.row(value, Domain::Tokens)?;
        }
        let (ops, private) = cone.finish();
        self.private_bytes = self.private_bytes.max(private);
        let ops = if prologue { ops } else { self.rows_phase(Domain::Tokens, ops) };
        self.phase(kind, Domain::Tokens, ops, kernel);
        Ok(rows)
    }

    /// Where a parameter of f32 is: in the weight file, or among the program's constants.
    fn f32_weight(&mut self, value: ValueId) -> Result<u64, Unsupported> {
        let node = self.graph.node(value);
        let source = if matches!(node.op, Op::Reshape(_)) { node.operands[0] } else { value };
        if let Op::Constant(Literal::Vector(values)) = &self.graph.node(source).op {
            let Place::At(space, offset) = self.constant(values) else {
                return Err(self.unsupported(value, "a constant without a place"));
            };
            return Ok(space.at(offset));
        }
        let (offset, weight) = self.weight(value)?;
        if weight.ty.dtype != DType::F32 {
            return Err(self.unsupported(value, "a parameter of other than f32"));
        }
        Ok(Space::Weights.at(offset))
    }

    fn sizes_fixed<const N: usize>(&self, value: ValueId) -> [usize; N] {
        let sizes: Vec<usize> = self.graph.ty(value).shape.dims().iter().map(Dim::bound).collect();
        sizes.try_into().expect("the shape rules fix the rank of a recurrence's operands")
    }
}

/// The state that a recurrence reads and updates.
struct State {
    /// From a slot's begin.
    offset: u64,
    /// The op and its twin: what their operands need not outlive.
    users: [ValueId; 2],
}
