//! Products of each head's row with a matrix of its own: a product for each head.

use tyto_graph::{Layout, Node, Op, ValueId};

use super::gpu::packed_row_bytes;
use super::{Planner, count, last_size};
use crate::abi::{PhaseKind, RowKind, packed_bytes, routed_row_bytes};
use crate::error::Unsupported;
use crate::format::MATRIX;
use crate::program::{Heads, Linear, Place, RowOp, Rows};
use crate::rows::Domain;

/// Rows of a tile: what one product writes ends where that of the next head begins.
const TILE: usize = 16;

impl Planner<'_> {
    /// Adds a product for each head; all write parts of the same rows.
    pub(super) fn head_linear(
        &mut self,
        value: ValueId,
        node: &Node,
        layout: Layout,
        rows: usize,
    ) -> Result<(), Unsupported> {
        let [x, weight] = [node.operands[0], node.operands[1]];
        if self.domain(x)? != Domain::Tokens {
            return Err(self.unsupported(value, "heads of other than the step's tokens"));
        }
        let (offset, stored) = self.weight(weight)?;
        let format = self.format_of(layout, stored).map_err(|why| self.unsupported(value, why))?;
        let k = last_size(self.graph, x);
        let heads = self.width(x) / k.max(1);
        if !rows.is_multiple_of(TILE) {
            return Err(self.unsupported(value, "heads whose rows fill no whole tiles"));
        }
        let of_prompt =
            self.sizes.tokens > 1 && (!self.gpu() || self.in_matrices(format, k, Domain::Tokens));
        let format = if of_prompt { format | MATRIX } else { format };
        let name = match &stored.op {
            Op::Weight { name, .. } => name.to_string(),
            _ => String::new(),
        };
        if self.gpu() {
            let linear = Linear {
                name,
                format,
                n: count(rows),
                k: count(k),
                y_stride: 0,
                weights: offset,
                packed: Place::None,
                y: Place::None,
                x_stride: 0,
                heads: None,
            };
            return self.head_linear_on_gpu(value, x, heads, linear);
        }
        let elements = stored.ty.shape.elements_bound().unwrap_or(0);
        let head_bytes = (elements * stored.ty.dtype.bytes() / heads.max(1)) as u64;
        self.keep(x, value)?;
        let (base, begin) = self.base(x)?;
        let source = self.stored[&base];
        let y = self.product_rows(heads * rows, Domain::Tokens);
        self.stored.insert(value, y);
        for head in 0..heads {
            let from = source.place.further(4 * (begin + head * k) as u64);
            let (packed, ops) = self.pack_rows(Rows { place: from, ..source }, k, format);
            self.linears.push(Linear {
                name: name.clone(),
                format,
                n: count(rows),
                k: count(k),
                y_stride: count((y.stride / 4) as usize),
                weights: offset + head as u64 * head_bytes,
                packed,
                y: y.place.further(4 * (head * rows) as u64),
                x_stride: 0,
                heads: None,
            });
            self.phase(PhaseKind::Linear, Domain::Tokens, ops, self.linears.len() - 1);
        }
        Ok(())
    }

    /// One launch for all heads; `linear` lacks operands and results.
    fn head_linear_on_gpu(
        &mut self,
        value: ValueId,
        x: ValueId,
        heads: usize,
        mut linear: Linear,
    ) -> Result<(), Unsupported> {
        let (source, x_bytes) = self.rows_of_heads(x, value)?;
        let (packed, x_bytes) = match linear.format & MATRIX != 0 {
            true => self.pack_heads(source, x_bytes, heads, &linear),
            false => (source, x_bytes),
        };
        let y = self.product_rows(heads * linear.n as usize, Domain::Tokens);
        self.stored.insert(value, y);
        (linear.packed, linear.x_stride) = (packed.place, packed.stride);
        (linear.y, linear.y_stride) = (y.place, count((y.stride / 4) as usize));
        linear.heads = Some(Heads { count: count(heads), x_bytes });
        self.linears.push(linear);
        self.phase(PhaseKind::Linear, Domain::Tokens, Vec::new(), self.linears.len() - 1);
        Ok(())
    }

    /// Stored rows of heads, and bytes from one head to the next: of columns of each head, the rows
    /// that these are cut from.
    fn rows_of_heads(&mut self, x: ValueId, user: ValueId) -> Result<(Rows, u64), Unsupported> {
        let node = self.graph.node(x);
        let (whole, begin) = match &node.op {
            Op::Slice { start, limit } if start.len() == 3 => {
                let source = self.sizes_of(node.operands[0]);
                let all = start[..2] == [0, 0] && limit[..2] == source[..2];
                if all { (node.operands[0], start[2]) } else { (x, 0) }
            }
            _ => (x, 0),
        };
        self.keep(whole, user)?;
        let (base, offset) = self.base(whole)?;
        let Rows { place, stride } = self.stored[&base];
        let place = place.further(4 * (offset + begin) as u64);
        Ok((Rows { place, stride }, 4 * last_size(self.graph, whole) as u64))
    }

    /// The rows of each head as matrix registers take them, all of a token side by side.
    fn pack_heads(
        &mut self,
        from: Rows,
        x_bytes: u64,
        heads: usize,
        linear: &Linear,
    ) -> (Rows, u64) {
        let a_head = packed_row_bytes(linear.k.into());
        let stride = heads as u64 * a_head;
        let place = self.shared(stride * self.rows_of(Domain::Tokens) as u64);
        let ops = (0..heads as u64).map(|head| {
            let to = Rows { place: place.further(head * a_head), stride };
            let from = Rows { place: from.place.further(head * x_bytes), ..from };
            let mut op = RowOp::new(RowKind::Pack, linear.k, to, from, Rows::NONE);
            op.format = linear.format;
            op
        });
        let ops = ops.collect();
        self.phase(PhaseKind::Rows, Domain::Tokens, ops, 0);
        (Rows { place, stride }, a_head)
    }

    /// Packed activations of stored rows: in the prologue of the product where rows are few, else by a
    /// phase of its own.
    fn pack_rows(&mut self, from: Rows, k: usize, format: u32) -> (Place, Vec<RowOp>) {
        let rows = self.rows_of(Domain::Tokens);
        let bytes = packed_bytes(k as u64, rows as u64);
        let prologue = self.prologues();
        let packed = match prologue {
            true => Place::At(crate::abi::Space::Private, 0),
            false => self.shared(bytes),
        };
        let mut op = RowOp::new(RowKind::Pack, count(k), Rows::one(packed), from, Rows::NONE);
        op.format = format;
        if prologue {
            // Behind it the rows that workers pack for one another.
            let others = if rows > 1 { 8 * routed_row_bytes(k as u64) } else { 0 };
            let private = bytes.next_multiple_of(64) + others;
            self.private_bytes = self.private_bytes.max(private);
            return (packed, vec![op]);
        }
        self.phase(PhaseKind::Rows, Domain::Tokens, vec![op], 0);
        (packed, Vec::new())
    }
}
