//! The structures of `kernels-cpu/program.h`, field by field. A test of `native-cpu` compares
//! sizes and offsets with what the C compiler makes of the header.

use bytemuck::{Pod, Zeroable};

/// `TY_ABI_VERSION`: what is planned for one version runs on kernels of that version only.
pub const VERSION: u32 = 6;

/// `TY_MAGIC`: "TYPP".
pub const MAGIC: u32 = 0x5050_5954;

/// `TY_FEW`: rows of a product that come out with the bits that each has alone.
pub const FEW_ROWS: u64 = 8;

/// `TY_MAX_SPLITS`: partial results of one head's attention.
pub const MAX_SPLITS: usize = 16;

/// Where an operand is, with the offset inside: a `ty_ref`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Space {
    /// The weight file.
    Weights = 0,
    /// The program's own constants.
    Program = 1,
    /// Scratch that all workers see.
    Shared = 2,
    /// Scratch of one worker.
    Private = 3,
    /// i32 `[cells]`.
    Tokens = 4,
    /// i32 `[cells]`.
    Positions = 5,
    /// i32 `[cells]`.
    Lengths = 6,
    /// i32 `[cells, 2]`.
    Slots = 7,
    /// i32 `[batch, pages]`; with recurrent layers `[batch, pages + 1]`.
    Tables = 8,
    /// i32 `[rows]`.
    Sampled = 9,
    /// u8 `[blocks, block_bytes]`.
    Cache = 10,
    /// f32 `[rows, vocabulary]`.
    Logits = 11,
}

impl Space {
    /// The reference to `offset` bytes from the begin of the space.
    pub fn at(self, offset: u64) -> u64 {
        debug_assert!(offset < 1 << 56, "an offset has 56 bits");
        (self as u64) << 56 | offset
    }
}

/// `ty_linear`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[allow(missing_docs, reason = "documented in program.h")]
pub struct Linear {
    pub format: u32,
    pub n: u32,
    pub k: u32,
    pub y_stride: u32,
    pub weights: u64,
    pub packed: u64,
    pub y: u64,
    pub x_stride: u32,
    pub x_head: u32,
}

/// `ty_attention`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[allow(missing_docs, reason = "documented in program.h")]
pub struct Attention {
    pub heads: u32,
    pub kv_heads: u32,
    pub head_dim: u32,
    pub block_size: u32,
    pub kv_format: u32,
    pub window: i32,
    pub scale: f32,
    pub soft_cap: f32,
    pub block_bytes: u64,
    pub keys: u64,
    pub values: u64,
    pub q: u64,
    pub k: u64,
    pub v: u64,
    pub out: u64,
    pub sinks: u64,
    pub q_stride: u32,
    pub k_stride: u32,
    pub v_stride: u32,
    pub pages: u32,
    pub has_sinks: u32,
    pub zero: u32,
}

/// `ty_route`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[allow(missing_docs, reason = "documented in program.h")]
pub struct Route {
    pub experts: u32,
    pub used: u32,
    pub rows: u32,
    pub scores_stride: u32,
    pub groups: u32,
    pub kept: u32,
    pub best: u32,
    pub zero: u32,
    pub scores: u64,
    pub ids: u64,
    pub table: u64,
}

/// `ty_experts`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[allow(missing_docs, reason = "documented in program.h")]
pub struct Experts {
    pub linear: Linear,
    pub expert_bytes: u64,
    pub route: u32,
    pub of_tokens: u32,
}

/// `ty_conv`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[allow(missing_docs, reason = "documented in program.h")]
pub struct Conv {
    pub channels: u32,
    pub taps: u32,
    pub silu: u32,
    pub has_bias: u32,
    pub slot_bytes: u64,
    pub state: u64,
    pub weight: u64,
    pub bias: u64,
    pub x: u64,
    pub out: u64,
    pub x_stride: u32,
    pub out_stride: u32,
    pub entries: u32,
    pub zero: u32,
}

/// `TY_SSM`.
pub const SSM: u32 = 0;

/// `TY_DELTA`.
pub const DELTA: u32 = 1;

/// `TY_SELECTIVE`.
pub const SELECTIVE: u32 = 2;

/// `TY_RG_LRU`.
pub const RG_LRU: u32 = 3;

/// `TY_DPLR`.
pub const DPLR: u32 = 4;

/// `TY_SCAN_ROWS`: most rows of a state that have decays of their own.
pub const SCAN_ROWS: usize = 256;

/// `TY_CONV_TAPS`: most tokens that a convolution sees.
pub const CONV_TAPS: usize = 16;

/// `ty_scan`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[allow(missing_docs, reason = "documented in program.h")]
pub struct Scan {
    pub rule: u32,
    pub heads: u32,
    pub groups: u32,
    pub depth: u32,
    pub width: u32,
    pub least: f32,
    pub most: f32,
    pub strength: f32,
    pub slot_bytes: u64,
    pub state: u64,
    pub v: u64,
    pub k: u64,
    pub q: u64,
    pub dt: u64,
    pub gate: u64,
    pub a_log: u64,
    pub dt_bias: u64,
    pub d: u64,
    pub out: u64,
    pub v_stride: u32,
    pub k_stride: u32,
    pub q_stride: u32,
    pub dt_stride: u32,
    pub gate_stride: u32,
    pub out_stride: u32,
    pub entries: u32,
    pub decays: u32,
}

/// `ty_row`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[allow(missing_docs, reason = "documented in program.h")]
pub struct Row {
    pub at: u64,
    pub stride: u64,
}

/// `ty_row_op`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[allow(missing_docs, reason = "documented in program.h")]
pub struct RowOp {
    pub kind: u32,
    pub width: u32,
    pub dst: Row,
    pub a: Row,
    pub b: Row,
    pub p0: u32,
    pub p1: u32,
    pub imm0: f32,
    pub imm1: f32,
    pub format: u32,
    pub store: u32,
}

/// `ty_phase`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[allow(missing_docs, reason = "documented in program.h")]
pub struct Phase {
    pub kind: u32,
    pub over: u32,
    pub first_op: u32,
    pub n_ops: u32,
    pub kernel: u32,
    pub rows_a_chunk: u32,
    pub joined: u32,
    pub first_after: u32,
    pub n_after: u32,
    pub groups: u32,
}

/// `ty_program`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[allow(missing_docs, reason = "documented in program.h")]
pub struct Header {
    pub magic: u32,
    pub abi_version: u32,
    pub batch: u32,
    pub tokens: u32,
    pub rows: u32,
    pub zero: u32,
    pub n_phases: u32,
    pub n_ops: u32,
    pub n_linears: u32,
    pub n_attentions: u32,
    pub n_routes: u32,
    pub n_experts: u32,
    pub n_convs: u32,
    pub n_scans: u32,
    pub phases: u64,
    pub ops: u64,
    pub linears: u64,
    pub attentions: u64,
    pub routes: u64,
    pub experts: u64,
    pub convs: u64,
    pub scans: u64,
    pub shared_bytes: u64,
    pub private_bytes: u64,
}

/// `TY_ROW_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[allow(missing_docs, reason = "documented in program.h")]
pub enum RowKind {
    Embed = 0,
    Take = 1,
    Norm = 2,
    Unary = 3,
    Binary = 4,
    Scalar = 5,
    Copy = 6,
    Angles = 7,
    Rope = 8,
    Pack = 9,
    Append = 10,
    Combine = 11,
    TakeAlong = 12,
    Softmax = 13,
    Expert = 14,
    Weighted = 15,
}

/// `TY_PHASE_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[allow(missing_docs, reason = "documented in program.h")]
pub enum PhaseKind {
    Rows = 0,
    Linear = 1,
    Prefill = 2,
    Decode = 3,
    Route = 4,
    Experts = 5,
    Conv = 6,
    Scan = 7,
    Digest = 8,
    Weigh = 9,
}

/// Bytes of a phase's counters at the begin of the shared scratch, a cache line a phase.
pub const COUNTER_BYTES: u64 = 64;

/// `ty_linear_packed_bytes`.
pub fn packed_bytes(k: u64, rows: u64) -> u64 {
    rows.next_multiple_of(8) * (k * 4 + k.div_ceil(32) * 8 + 64)
}

/// Bytes of a packed row of an expert: `routed_row_bytes` of `experts.h`.
pub fn routed_row_bytes(k: u64) -> u64 {
    (packed_bytes(k, 8) / 8).next_multiple_of(64)
}

/// Packed rows of an expert with `rows` rows: `routed_units` of `experts.h`.
pub fn routed_units(rows: u64) -> u64 {
    if rows <= 8 { rows } else { rows.next_multiple_of(8) }
}

/// Bytes of the packed form of `rows` routed rows, however they fall on `experts` experts.
pub fn routed_bytes(k: u64, rows: u64, experts: u64) -> u64 {
    // An expert of at least nine rows is padded by at most seven.
    (rows + 7 * experts.min(rows / 9)) * routed_row_bytes(k)
}

/// Bytes of the table of a route (`experts.h`).
pub fn table_bytes(experts: u64, rows: u64) -> u64 {
    4 * (2 * experts + 1 + 3 * rows)
}

/// `ty_partial_stride`.
pub fn partial_stride(head_dim: u64) -> u64 {
    16 + head_dim.next_multiple_of(16)
}
