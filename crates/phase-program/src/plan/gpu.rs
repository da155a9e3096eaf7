//! What is planned in another way for GPUs.
//!
//! Few rows are multiplied as the f32 rows that they are. One row is computed by every workgroup
//! for itself, in its LDS, where it fits; more rows are a launch of their own. What follows a
//! product element by element is done before its outputs are stored. The rows of a prompt are
//! packed for matrix registers, together with what follows the product before.

use tyto_graph::{Layout, Node, ValueId};

use super::{Planner, count};
use crate::abi::{self, PhaseKind, RowKind, Space, partial_stride};
use crate::error::Unsupported;
use crate::format::{KIND, format_of, gpu_format_of, in_gpu_registers};
use crate::program::{Attention, Place, RowOp, Rows};
use crate::rows::{Cone, Domain};

/// LDS for the rows of a product's or an attention's workgroup: `PROLOGUE_BYTES` of
/// `kernels-hip/common/rows.h`.
pub(crate) const PROLOGUE_BYTES: u64 = 32 << 10;

/// LDS for a row in a launch of row operations alone, of which GPUs without our kernels for matrix
/// registers keep a little for themselves: `ROW_FLOATS` there and in `kernels-hip/common/cuda.h`.
const ROW_BYTES: u64 = 48 << 10;
const ROW_BYTES_OF_CUDA: u64 = ROW_BYTES - 256;

/// Elements of a head of attention at most: `TY_DIM` of `kernels-hip/attention_decode_wide.hip`.
pub(crate) const HEAD_DIM: usize = 576;

/// Rows of a head's state that a workgroup keeps in registers: `kernels-hip/recurrence.hip` and
/// `kernels-hip/dplr.hip`.
pub(crate) const SCAN_DEPTH: usize = 256;

/// The same of a selective scan, which keeps as many rates: `kernels-hip/selective.hip`.
pub(crate) const SELECT_DEPTH: usize = 64;

/// Rows of a kernel's operands, and the operations of its prologue.
type OwnRows = (Vec<Rows>, Vec<RowOp>);

/// Rows up to which products read f32 rows: `TY_FEW_ROWS` of `kernels-hip/common/matvec.h`. They
/// share one pass over the weights there too, and half of a tile of 16 rows would be padding.
const FEW_ROWS: usize = 8;

/// Routed rows of a prompt up to which each is multiplied by itself: most have an expert of their
/// own then, whose weights are read once in any case.
const FEW_ROUTED: usize = 32;

/// Bytes of a packed row of `k` columns: `kernels-hip/common/pack.h`.
pub(super) fn packed_row_bytes(k: u64) -> u64 {
    (2 * k + 16 * k.div_ceil(64) + 16).next_multiple_of(64)
}

impl Planner<'_> {
    /// The format of a product's weights.
    pub(super) fn format_of(&self, layout: Layout, weight: &Node) -> Result<u32, String> {
        match self.gpu() {
            true => gpu_format_of(layout, weight.ty.dtype),
            false => format_of(layout, weight.ty.dtype),
        }
    }

    /// The rows of `x` for a kernel that reads f32 rows, and the operations of its prologue.
    pub(super) fn operand(
        &mut self,
        user: ValueId,
        x: ValueId,
        domain: Domain,
    ) -> Result<(Rows, Vec<RowOp>), Unsupported> {
        if let Some(rows) = self.after_product(user, x, domain)? {
            return Ok((rows, Vec::new()));
        }
        if self.prologues()
            && let Some((rows, ops)) = self.prologue(&[x], &[user], domain)?
        {
            return Ok((rows[0], ops));
        }
        let width = self.width(x);
        let mut cone = Cone::new(self, &[x], &[user], false);
        cone.share(&[x]);
        let mut row = cone.row(x, domain)?;
        if matches!(row.place, Place::At(Space::Private, _)) {
            // What was computed for sampled rows in place of all rows is shared by nobody.
            let kept = cone.planner.shared_rows(width, domain);
            cone.push(RowOp::new(RowKind::Copy, count(width), kept, row, Rows::NONE));
            row = kept;
        }
        let (ops, private) = cone.finish();
        self.private_bytes = self.private_bytes.max(private);
        self.rows_phase(domain, ops);
        Ok((row, Vec::new()))
    }

    /// The rows of several values for one kernel, and the operations of its prologue.
    pub(super) fn operands(
        &mut self,
        values: &[ValueId],
        users: &[ValueId],
        domain: Domain,
    ) -> Result<OwnRows, Unsupported> {
        // Of several rows, those of one text are one workgroup's in a recurrence, which goes through them in
        // order: it has no row of its own.
        if self.prologues()
            && let Some(own) = self.prologue(values, users, domain)?
        {
            return Ok(own);
        }
        let mut cone = Cone::new(self, values, users, false);
        cone.share(values);
        let rows = values.iter().map(|value| cone.row(*value, domain));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let (ops, private) = cone.finish();
        self.private_bytes = self.private_bytes.max(private);
        self.rows_phase(domain, ops);
        Ok((rows, Vec::new()))
    }

    /// LDS for a row in a launch of row operations alone.
    pub(crate) fn row_bytes(&self) -> u64 {
        if self.gpu_matrices() { ROW_BYTES } else { ROW_BYTES_OF_CUDA }
    }

    /// Whether a product over the rows of `domain` is for matrix registers.
    pub(super) fn in_matrices(&self, format: u32, k: usize, domain: Domain) -> bool {
        self.gpu_matrices() && self.rows_of(domain) > FEW_ROWS && in_gpu_registers(format, k)
    }

    /// The same of a product of routed rows.
    pub(super) fn routed_in_matrices(&self, format: u32, k: usize, domain: Domain) -> bool {
        let many = self.sizes.tokens > 1 && self.rows_of(domain) > FEW_ROUTED;
        self.gpu_matrices() && many && in_gpu_registers(format, k)
    }

    /// The rows of `x` as matrix registers take them with weights of `format`.
    pub(super) fn matrix_rows(
        &mut self,
        user: ValueId,
        x: ValueId,
        k: usize,
        format: u32,
        domain: Domain,
    ) -> Result<Rows, Unsupported> {
        let kind = format & KIND;
        if let Some(rows) = self.matrix_packed.get(&(x, kind)) {
            return Ok(*rows);
        }
        let stride = packed_row_bytes(k as u64);
        let place = self.shared(stride * self.rows_of(domain) as u64);
        let packed = Rows { place, stride };
        let mut cone = Cone::new(self, &[x], &[user], false);
        let row = cone.row(x, domain)?;
        let mut op = RowOp::new(RowKind::Pack, count(k), packed, row, Rows::NONE);
        op.format = format;
        cone.push(op);
        let (ops, private) = cone.finish();
        self.private_bytes = self.private_bytes.max(private);
        self.rows_phase(domain, ops);
        self.matrix_packed.insert((x, kind), packed);
        Ok(packed)
    }

    /// Rows that a workgroup computes for itself; `None` where they do not fit its LDS.
    fn prologue(
        &mut self,
        values: &[ValueId],
        users: &[ValueId],
        domain: Domain,
    ) -> Result<Option<OwnRows>, Unsupported> {
        let mark = self.mark();
        let mut cone = Cone::new(self, values, users, true);
        let rows = values.iter().map(|value| cone.row(*value, domain));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        if cone.private > PROLOGUE_BYTES {
            drop(cone);
            self.forget(mark);
            return Ok(None);
        }
        let (ops, private) = cone.finish();
        self.private_bytes = self.private_bytes.max(private);
        Ok(Some((rows, ops)))
    }

    /// The rows of experts' inputs, which are in shared memory.
    pub(super) fn routed_operand(
        &mut self,
        user: ValueId,
        x: ValueId,
        of_tokens: bool,
    ) -> Result<Rows, Unsupported> {
        if !of_tokens {
            self.keep_routed(x, user)?;
        }
        self.keep(x, user)?;
        let (base, offset) = self.base(x)?;
        let Rows { place, stride } = self.stored[&base];
        Ok(Rows { place: place.further(4 * offset as u64), stride })
    }

    /// Attention of one token a row, and a launch that combines its splits. One row appends in the launch
    /// that reads, which spares one. Of several, some may be tokens of one sequence that see each other,
    /// and workgroups cannot wait for one another: the launch of rows before appends all of them.
    pub(super) fn decode_on_gpu(
        &mut self,
        value: ValueId,
        index: usize,
        fixed: abi::Attention,
        operands: [ValueId; 3],
        users: &[ValueId],
    ) -> Result<(), Unsupported> {
        let (rows, ops) = match self.sizes.batch {
            1 => self.operands(&operands, users, Domain::Tokens)?,
            _ => {
                let (q, ops) = self.appending(index, &fixed, operands, users)?;
                (vec![q, Rows::NONE, Rows::NONE], self.rows_phase(Domain::Tokens, ops))
            }
        };
        let a_head = abi::MAX_SPLITS as u64 * partial_stride(fixed.head_dim.into()) * 4;
        let out = self.shared(self.sizes.batch as u64 * u64::from(fixed.heads) * a_head);
        let [q, k, v] = [rows[0], rows[1], rows[2]];
        self.attentions.push(Attention { fixed, q, k, v, out });
        self.partials.insert(value, index);
        self.phase(PhaseKind::Decode, Domain::Tokens, ops, index);
        self.keep(value, value)
    }
}
