//! What a program reads and writes, from its bytes alone: `kernels-cpu/program.h` in reverse.

use bytemuck::{Pod, pod_read_unaligned};
use tyto_phase_program::Program;
use tyto_phase_program::abi::{
    Attention, Header, Linear, MAX_SPLITS, Phase, PhaseKind, RowKind, RowOp, packed_bytes,
    partial_stride,
};

/// One access to memory by one phase.
#[derive(Clone, Debug)]
pub struct Access {
    pub phase: usize,
    pub writes: bool,
    pub space: u64,
    pub begin: u64,
    pub end: u64,
    /// Bytes from a row to the next; 0 for what is no rows.
    pub stride: u64,
    /// Whether the phase's chunks are rows, each of which goes through all operations.
    pub by_row: bool,
}

/// The parts of a program.
pub struct Decoded {
    pub header: Header,
    pub phases: Vec<Phase>,
    ops: Vec<RowOp>,
    linears: Vec<Linear>,
    attentions: Vec<Attention>,
}

impl Decoded {
    pub fn new(program: &Program) -> Self {
        let bytes = &program.bytes;
        let header: Header = pod_read_unaligned(&bytes[..size_of::<Header>()]);
        Self {
            header,
            phases: items(bytes, header.phases, header.n_phases),
            ops: items(bytes, header.ops, header.n_ops),
            linears: items(bytes, header.linears, header.n_linears),
            attentions: items(bytes, header.attentions, header.n_attentions),
        }
    }

    /// Every access, in the order of phases and, in a phase, of operations before the kernel.
    pub fn accesses(&self) -> Vec<Access> {
        let (header, accesses) = (self.header, Vec::new());
        let mut list = List { header, accesses, phase: 0, by_row: false };
        for (index, phase) in self.phases.iter().enumerate() {
            let rows = if phase.over == 1 {
                self.header.rows
            } else {
                self.header.batch * self.header.tokens
            };
            (list.phase, list.by_row) = (index, phase.kind == PhaseKind::Rows as u32);
            let first = phase.first_op as usize;
            for op in &self.ops[first..first + phase.n_ops as usize] {
                list.row_op(op, &self.attentions, rows);
            }
            if phase.kind == PhaseKind::Linear as u32 {
                list.linear(&self.linears[phase.kernel as usize], rows);
            } else if phase.kind != PhaseKind::Rows as u32 {
                let decodes = phase.kind == PhaseKind::Decode as u32;
                list.attention(&self.attentions[phase.kernel as usize], rows, decodes);
            }
        }
        list.accesses
    }
}

fn items<T: Pod>(bytes: &[u8], at: u64, count: u32) -> Vec<T> {
    let size = size_of::<T>();
    let bytes = &bytes[at as usize..][..count as usize * size];
    bytes.chunks(size).map(pod_read_unaligned).collect()
}

struct List {
    header: Header,
    accesses: Vec<Access>,
    phase: usize,
    by_row: bool,
}

impl List {
    fn add(&mut self, writes: bool, at: u64, bytes: u64, stride: u64) {
        let (phase, by_row) = (self.phase, self.by_row);
        let (space, begin) = (at >> 56, at & ((1 << 56) - 1));
        let end = begin + bytes;
        self.accesses.push(Access { phase, writes, space, begin, end, stride, by_row });
    }

    /// `width` f32s of each of `rows` rows.
    fn rows(&mut self, writes: bool, at: u64, stride: u64, width: u32, rows: u32) {
        let bytes = stride * u64::from(rows - 1) + 4 * u64::from(width);
        self.add(writes, at, bytes, stride);
    }

    fn row_op(&mut self, op: &RowOp, attentions: &[Attention], rows: u32) {
        let is = |kind: RowKind| op.kind == kind as u32;
        let (cells, reads_b) =
            (self.header.batch * self.header.tokens, is(RowKind::Binary) || is(RowKind::Append));
        if is(RowKind::Take) {
            self.rows(false, op.a.at, op.a.stride, op.width, cells);
        } else if is(RowKind::Combine) {
            let attention = &attentions[op.p0 as usize];
            self.add(false, attention.out, partial_bytes(attention, rows), 0);
        } else if !is(RowKind::Embed) {
            self.rows(false, op.a.at, op.a.stride, op.width, rows);
        }
        if reads_b {
            self.rows(false, op.b.at, op.b.stride, op.width, rows);
        } else if is(RowKind::Norm) {
            self.rows(false, op.b.at, op.b.stride, op.p0, rows);
        } else if is(RowKind::Rope) {
            self.rows(false, op.b.at, op.b.stride, 2 * op.p1, rows);
        }
        if is(RowKind::Pack) {
            self.add(true, op.dst.at, packed_bytes(op.width.into(), rows.into()), 0);
        } else if is(RowKind::Angles) {
            self.rows(true, op.dst.at, op.dst.stride, 2 * op.width, rows);
        } else if !is(RowKind::Append) {
            self.rows(true, op.dst.at, op.dst.stride, op.width, rows);
        }
    }

    fn linear(&mut self, linear: &Linear, rows: u32) {
        self.add(false, linear.packed, packed_bytes(linear.k.into(), rows.into()), 0);
        self.rows(true, linear.y, 4 * u64::from(linear.y_stride), linear.n, rows);
    }

    fn attention(&mut self, attention: &Attention, rows: u32, decodes: bool) {
        let (width, kv_width) =
            (attention.heads * attention.head_dim, attention.kv_heads * attention.head_dim);
        self.rows(false, attention.q, 4 * u64::from(attention.q_stride), width, rows);
        if decodes {
            self.rows(false, attention.k, 4 * u64::from(attention.k_stride), kv_width, rows);
            self.rows(false, attention.v, 4 * u64::from(attention.v_stride), kv_width, rows);
            self.add(true, attention.out, partial_bytes(attention, rows), 0);
        } else {
            let stride = 4 * u64::from(width.next_multiple_of(16));
            self.rows(true, attention.out, stride, width, rows);
        }
    }
}

/// Bytes of the partial results of all heads of `rows` tokens.
fn partial_bytes(attention: &Attention, rows: u32) -> u64 {
    let head = MAX_SPLITS as u64 * partial_stride(attention.head_dim.into()) * 4;
    u64::from(rows) * u64::from(attention.heads) * head
}
