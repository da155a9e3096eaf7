//! The program as bytes.

use bytemuck::{Pod, bytes_of};

use crate::abi::{self, Header, MAGIC, PhaseKind, RowKind, VERSION};
use crate::memory::Addresses;
use crate::program::{
    After, Attention, Conv, Experts, Linear, Mixtures, Over, Phase, Recurrences, Route, RowOp,
    Rows, Scan,
};

/// What is encoded.
pub(crate) struct Parts<'a> {
    pub(crate) batch: u32,
    pub(crate) tokens: u32,
    pub(crate) rows: u32,
    /// Scratch of each worker; that of all together is the addresses' total.
    pub(crate) private_bytes: u64,
    pub(crate) phases: &'a [Phase],
    pub(crate) linears: &'a [Linear],
    pub(crate) attentions: &'a [Attention],
    pub(crate) mixtures: &'a Mixtures,
    pub(crate) recurrences: &'a Recurrences,
    /// Bytes that [`abi::Space::Program`] places address, less [`constants_begin`].
    pub(crate) constants: &'a [u8],
}

/// Where constants begin: right after the header, so that their addresses are known while
/// the program is still planned.
pub(crate) const fn constants_begin() -> u64 {
    size_of::<Header>() as u64
}

/// Header, constants, phases, operations, operands.
pub(crate) fn encode(parts: &Parts<'_>, addresses: &Addresses) -> Vec<u8> {
    let mut header = Header {
        magic: MAGIC,
        abi_version: VERSION,
        batch: parts.batch,
        tokens: parts.tokens,
        rows: parts.rows,
        n_phases: count(parts.phases.len()),
        n_ops: count(parts.phases.iter().map(|phase| phase.ops.len() + phase.after.len()).sum()),
        n_linears: count(parts.linears.len()),
        n_attentions: count(parts.attentions.len()),
        n_routes: count(parts.mixtures.routes.len()),
        n_experts: count(parts.mixtures.experts.len()),
        n_convs: count(parts.recurrences.convs.len()),
        n_scans: count(parts.recurrences.scans.len()),
        shared_bytes: addresses.total,
        private_bytes: parts.private_bytes,
        ..Header::default()
    };
    let mut bytes = bytes_of(&header).to_vec();
    bytes.extend_from_slice(parts.constants);
    let mut first_op = 0;
    let phases = parts.phases.iter().map(|phase| {
        let (n_ops, n_after) = (count(phase.ops.len()), count(phase.after.len()));
        first_op += n_ops + n_after;
        abi::Phase {
            kind: phase.kind as u32,
            over: match phase.over {
                Over::Tokens => 0,
                Over::Sampled => 1,
                Over::Routed(route) => 2 + count(route),
            },
            first_op: first_op - n_after - n_ops,
            n_ops,
            kernel: if phase.kind == PhaseKind::Rows { 0 } else { count(phase.kernel) },
            rows_a_chunk: phase.rows_a_chunk,
            joined: phase.joined.map_or(0, |joined| 1 + count(joined.other)),
            first_after: first_op - n_after,
            n_after,
            groups: phase.groups,
        }
    });
    header.phases = append(&mut bytes, phases);
    let ops = parts.phases.iter().flat_map(|phase| {
        let before = phase.ops.iter().map(|op| row_op(op, addresses));
        before.chain(phase.after.iter().map(|op| after(op, addresses)))
    });
    header.ops = append(&mut bytes, ops);
    header.linears =
        append(&mut bytes, parts.linears.iter().map(|linear| linear_of(linear, addresses)));
    let attentions = parts.attentions.iter().map(|attention| attention_of(attention, addresses));
    header.attentions = append(&mut bytes, attentions);
    let routes = parts.mixtures.routes.iter().map(|route| route_of(route, addresses));
    header.routes = append(&mut bytes, routes);
    let experts = parts.mixtures.experts.iter().map(|experts| experts_of(experts, addresses));
    header.experts = append(&mut bytes, experts);
    let convs = parts.recurrences.convs.iter().map(|conv| conv_of(conv, addresses));
    header.convs = append(&mut bytes, convs);
    let scans = parts.recurrences.scans.iter().map(|scan| scan_of(scan, addresses));
    header.scans = append(&mut bytes, scans);
    bytes[..size_of::<Header>()].copy_from_slice(bytes_of(&header));
    bytes
}

/// Adds items at a multiple of 64 bytes and says where.
fn append<T: Pod>(bytes: &mut Vec<u8>, items: impl Iterator<Item = T>) -> u64 {
    bytes.resize(bytes.len().next_multiple_of(64), 0);
    let at = bytes.len() as u64;
    for item in items {
        bytes.extend_from_slice(bytes_of(&item));
    }
    at
}

fn row(rows: Rows, addresses: &Addresses) -> abi::Row {
    abi::Row { at: addresses.resolve(rows.place), stride: rows.stride }
}

fn row_op(op: &RowOp, addresses: &Addresses) -> abi::RowOp {
    abi::RowOp {
        kind: op.kind as u32,
        width: op.width,
        dst: row(op.dst, addresses),
        a: row(op.a, addresses),
        b: row(op.b, addresses),
        p0: op.p[0],
        p1: op.p[1],
        imm0: op.imm[0],
        imm1: op.imm[1],
        format: op.format,
        store: op.store.into(),
    }
}

/// An operation on a product's outputs, whose operands are values by their indices.
fn after(after: &After, addresses: &Addresses) -> abi::RowOp {
    match after {
        After::Columns(first) => {
            abi::RowOp { kind: RowKind::Copy as u32, p0: *first, ..abi::RowOp::default() }
        }
        After::OfExpert { table, width } => {
            let (kind, a) = (RowKind::Expert as u32, row(*table, addresses));
            abi::RowOp { kind, width: *width, a, ..abi::RowOp::default() }
        }
        After::Op { op, operands: [a, b] } => abi::RowOp {
            kind: op.kind as u32,
            width: op.width,
            a: abi::Row { at: u64::from(*a), stride: 0 },
            b: abi::Row { at: u64::from(*b), stride: 0 },
            p0: op.p[0],
            p1: op.p[1],
            imm0: op.imm[0],
            imm1: op.imm[1],
            ..abi::RowOp::default()
        },
    }
}

fn linear_of(linear: &Linear, addresses: &Addresses) -> abi::Linear {
    abi::Linear {
        format: linear.format,
        n: linear.n,
        k: linear.k,
        y_stride: linear.y_stride,
        weights: abi::Space::Weights.at(linear.weights),
        packed: addresses.resolve(linear.packed),
        y: addresses.resolve(linear.y),
        x_stride: count((linear.x_stride / 4) as usize),
        x_head: linear.heads.map_or(0, |heads| count((heads.x_bytes / 4) as usize)),
    }
}

fn route_of(route: &Route, addresses: &Addresses) -> abi::Route {
    abi::Route {
        experts: route.experts,
        used: route.used,
        rows: route.rows,
        scores_stride: count((route.scores.stride / 4) as usize),
        groups: route.groups[0],
        kept: route.groups[1],
        best: route.groups[2],
        zero: 0,
        scores: addresses.resolve(route.scores.place),
        ids: addresses.resolve(route.ids),
        table: addresses.resolve(route.table),
    }
}

fn experts_of(experts: &Experts, addresses: &Addresses) -> abi::Experts {
    abi::Experts {
        linear: linear_of(&experts.linear, addresses),
        expert_bytes: experts.expert_bytes,
        route: count(experts.route),
        of_tokens: experts.of_tokens.into(),
    }
}

fn conv_of(conv: &Conv, addresses: &Addresses) -> abi::Conv {
    abi::Conv {
        x: addresses.resolve(conv.x.place),
        out: addresses.resolve(conv.out.place),
        x_stride: floats(conv.x),
        out_stride: floats(conv.out),
        ..conv.fixed
    }
}

fn scan_of(scan: &Scan, addresses: &Addresses) -> abi::Scan {
    abi::Scan {
        v: addresses.resolve(scan.v.place),
        k: addresses.resolve(scan.k.place),
        q: addresses.resolve(scan.q.place),
        dt: addresses.resolve(scan.dt.place),
        gate: addresses.resolve(scan.gate.place),
        out: addresses.resolve(scan.out.place),
        v_stride: floats(scan.v),
        k_stride: floats(scan.k),
        q_stride: floats(scan.q),
        dt_stride: floats(scan.dt),
        gate_stride: floats(scan.gate),
        out_stride: floats(scan.out),
        ..scan.fixed
    }
}

/// From one row to the next.
fn floats(rows: Rows) -> u32 {
    count((rows.stride / 4) as usize)
}

fn attention_of(attention: &Attention, addresses: &Addresses) -> abi::Attention {
    abi::Attention {
        q: addresses.resolve(attention.q.place),
        k: addresses.resolve(attention.k.place),
        v: addresses.resolve(attention.v.place),
        out: addresses.resolve(attention.out),
        q_stride: floats(attention.q),
        k_stride: floats(attention.k),
        v_stride: floats(attention.v),
        ..attention.fixed
    }
}

fn count(count: usize) -> u32 {
    u32::try_from(count).expect("a program has under 2^32 of anything")
}
