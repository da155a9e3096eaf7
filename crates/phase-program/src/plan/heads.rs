//! Products of each head's row with a matrix of its own: a product for each head.

use tyto_graph::{Layout, Node, Op, ValueId};

use super::{Planner, count, last_size};
use crate::abi::{PhaseKind, RowKind, packed_bytes, routed_row_bytes};
use crate::error::Unsupported;
use crate::format::MATRIX;
use crate::program::{Linear, Place, RowOp, Rows};
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
        if self.gpu() {
            return Err(self.unsupported(value, "a matrix for each head, on a GPU"));
        }
        let [x, weight] = [node.operands[0], node.operands[1]];
        if self.domain(x)? != Domain::Tokens {
            return Err(self.unsupported(value, "heads of other than the step's tokens"));
        }
        let (offset, stored) = self.weight(weight)?;
        let format = self.format_of(layout, stored).map_err(|why| self.unsupported(value, why))?;
        let format = if self.sizes.tokens > 1 { format | MATRIX } else { format };
        let k = last_size(self.graph, x);
        let heads = self.width(x) / k.max(1);
        if !rows.is_multiple_of(TILE) {
            return Err(self.unsupported(value, "heads whose rows fill no whole tiles"));
        }
        let name = match &stored.op {
            Op::Weight { name, .. } => name.to_string(),
            _ => String::new(),
        };
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
            });
            self.phase(PhaseKind::Linear, Domain::Tokens, ops, self.linears.len() - 1);
        }
        Ok(())
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
