//! Phases as launches of kernels.

use crate::abi::{self, MAX_SPLITS, PhaseKind};
use crate::format::{BF16, F16, MATRIX, cache_name, code_name, kind_name};
use crate::plan::{Planner, count};
use crate::program::{Attention, Experts, Launch, Linear, Over, Phase};

/// Work-items of every workgroup: eight waves of 32. `THREADS` of `kernels-hip/common/step.h`.
const THREADS: u32 = 256;

/// Rows that one workgroup multiplies by a tile of weights that it reads once: `FEW` of
/// `kernels-hip/common/matvec.h`.
const FEW: u32 = 8;

/// Workgroups along x of a product: four for each of the 40 compute units of the largest APU. Each
/// takes tiles in turn, and runs the prologue once.
const GROUPS: u32 = 160;

/// The same of an NVIDIA GPU: eight for each of some 130 multiprocessors, whose memory is faster by
/// an order than an APU's and needs more reads under way.
const GROUPS_OF_CUDA: u32 = 1024;

/// Queries that one workgroup takes of a prompt: `QUERIES` of `kernels-hip/common/prefill.h`.
const QUERIES: u32 = 64;

/// Queries of a wave in matrix registers, and waves of a workgroup: `kernels-hip/common/flash.h`.
const FLASH_QUERIES: u32 = 16;
const FLASH_WAVES: u32 = THREADS / 32;

/// Elements of the heads that have kernels there.
const FLASH_DIMS: [u32; 7] = [16, 32, 64, 80, 96, 128, 256];

/// Elements of a head beyond which other kernels attend: `TY_DIM` of `kernels-hip/common/attend.h`.
const NARROW: u32 = 256;

/// How many rows of a prompt a workgroup multiplies at once: `TY_GEMM` of
/// `kernels-hip/common/gemm.h`.
struct Gemm {
    /// Rows of a step up to which this one is taken.
    most: u32,
    name: &'static str,
    rows: u32,
    columns: u32,
}

/// Up to 32 rows memory bounds a product: small parts of the weights, two waves each, so that a
/// matrix of 4096 outputs keeps all compute units busy. With more rows the matrix registers do,
/// and weights should be decoded for as many rows at once as leave room for eight waves or more a
/// unit: 64. In both dequantization is part of the load: decoded weights never reach memory.
const GEMMS: [Gemm; 2] = [
    Gemm { most: 32, name: "gemm32", rows: 32, columns: 64 },
    Gemm { most: u32::MAX, name: "gemm64", rows: 64, columns: 128 },
];

/// Rows of one expert, and columns, in a workgroup: `kernels-hip/common/experts_gemm.h`.
const EXPERT_ROWS: u32 = 32;
const EXPERT_COLUMNS: u32 = 128;

/// Columns of a head's state in one workgroup of a recurrence: `kernels-hip/recurrence.hip`,
/// `kernels-hip/selective.hip` and `kernels-hip/dplr.hip`.
const SCAN_COLUMNS: u32 = 64;

/// Logits that a workgroup looks at: sixteen chunks of `kernels-hip/digest.hip`.
const DIGEST_LOGITS: u32 = 1024;

impl Planner<'_> {
    /// A launch for each phase; sets how many workgroups share a product.
    pub(crate) fn launches(&mut self) -> Vec<Launch> {
        let mut launches = Vec::with_capacity(self.phases.len());
        for index in 0..self.phases.len() {
            let (kernel, grid) = self.launch(&self.phases[index]);
            self.phases[index].groups = grid[0];
            self.phases[index].rows_a_chunk = self.rows_over(self.phases[index].over);
            launches.push(Launch { kernel, grid, threads: THREADS, phase: count(index) });
        }
        launches
    }

    fn launch(&self, phase: &Phase) -> (String, [u32; 3]) {
        let rows = self.rows_over(phase.over);
        match phase.kind {
            PhaseKind::Rows => ("ty_rows".to_owned(), [rows, 1, 1]),
            PhaseKind::Linear => product(&self.linears[phase.kernel], phase, rows, self.groups()),
            PhaseKind::Experts => {
                let Experts { linear, route, .. } = &self.mixtures.experts[phase.kernel];
                if linear.format & MATRIX != 0 {
                    return experts_gemm(linear, rows, self.mixtures.routes[*route].experts);
                }
                let name = format!("ty_experts_{}", code_name(linear.format));
                (name, [tiles(linear, phase).min(self.groups()), rows, 1])
            }
            PhaseKind::Route => ("ty_choose".to_owned(), [1, 1, 1]),
            PhaseKind::Decode => {
                let Attention { fixed, .. } = &self.attentions[phase.kernel];
                let name = format!("ty_decode{}_{}", wide(fixed), cache_name(fixed.kv_format));
                (name, [MAX_SPLITS as u32, fixed.kv_heads, rows])
            }
            // As chunks are on a CPU (kernels-cpu/state.h): channels, or heads and columns of them,
            // by sequences.
            PhaseKind::Conv => {
                let channels = self.recurrences.convs[phase.kernel].fixed.channels;
                ("ty_convolve".to_owned(), [channels.div_ceil(THREADS), self.runs(), 1])
            }
            PhaseKind::Scan => {
                let fixed = &self.recurrences.scans[phase.kernel].fixed;
                let (name, columns) = match fixed.rule {
                    abi::SELECTIVE => ("ty_select", SCAN_COLUMNS),
                    abi::RG_LRU => ("ty_rg_lru", THREADS),
                    abi::DPLR => ("ty_dplr", SCAN_COLUMNS),
                    _ if fixed.decays > 1 => ("ty_recur_rows", SCAN_COLUMNS),
                    _ => ("ty_recur", SCAN_COLUMNS),
                };
                let parts = fixed.heads * fixed.width.div_ceil(columns);
                (name.to_owned(), [parts, self.runs(), 1])
            }
            PhaseKind::Prefill => {
                prefill(&self.attentions[phase.kernel].fixed, rows, self.gpu_matrices())
            }
            PhaseKind::Digest => ("ty_digest".to_owned(), digest_grid(phase, rows)),
            PhaseKind::Weigh => ("ty_weigh".to_owned(), digest_grid(phase, rows)),
        }
    }

    /// Workgroups along x of a product at most.
    fn groups(&self) -> u32 {
        if self.gpu_matrices() { GROUPS } else { GROUPS_OF_CUDA }
    }

    /// Sequences of a step: of a prompt one.
    fn runs(&self) -> u32 {
        count(self.sizes.batch)
    }

    fn rows_over(&self, over: Over) -> u32 {
        let tokens = self.sizes.batch * self.sizes.tokens;
        match over {
            Over::Tokens => count(tokens),
            Over::Sampled => count(self.sizes.rows),
            Over::Routed(route) => self.mixtures.routes[route].rows,
        }
    }
}

/// Through matrix registers where `kernels-hip/attention_flash.hip` has a kernel: for caches of f16
/// and bf16, since the registers take no f32 and the results over codes are those of i8 queries and
/// f32 weights; and for the sizes of heads that models have, since a kernel's sums are registers
/// whose number is fixed. The rest goes one query after the other.
fn prefill(attention: &abi::Attention, rows: u32, matrices: bool) -> (String, [u32; 3]) {
    let cache = cache_name(attention.kv_format);
    let (dim, heads) = (attention.head_dim, attention.heads);
    if matrices && [F16, BF16].contains(&attention.kv_format) && FLASH_DIMS.contains(&dim) {
        let tiles = rows.div_ceil(FLASH_QUERIES) * (heads / attention.kv_heads);
        let grid = [tiles.div_ceil(FLASH_WAVES), attention.kv_heads, 1];
        return (format!("ty_flash_{cache}_{dim}"), grid);
    }
    (format!("ty_prefill{}_{cache}", wide(attention)), [rows.div_ceil(QUERIES), heads, 1])
}

/// Parts of a row by rows.
fn digest_grid(phase: &Phase, rows: u32) -> [u32; 3] {
    [count(phase.kernel).div_ceil(DIGEST_LOGITS), rows, 1]
}

/// What the kernels of wide heads have in their names.
fn wide(attention: &abi::Attention) -> &'static str {
    if attention.head_dim > NARROW { "_wide" } else { "" }
}

fn product(linear: &Linear, phase: &Phase, rows: u32, most: u32) -> (String, [u32; 3]) {
    let heads = linear.heads.map_or(1, |heads| heads.count);
    if linear.format & MATRIX != 0 {
        // Workgroups of the same weights are neighbours.
        let gemm = GEMMS.iter().find(|gemm| rows <= gemm.most).expect("the last takes any");
        let grid = [rows.div_ceil(gemm.rows), linear.n.div_ceil(gemm.columns), heads];
        return (format!("ty_{}_{}", gemm.name, kind_name(linear.format)), grid);
    }
    let (code, groups) = (code_name(linear.format), tiles(linear, phase).min(most));
    match rows {
        1 => (format!("ty_matvec_{code}"), [groups, 1, heads]),
        _ => (format!("ty_matvec8_{code}"), [groups, rows.div_ceil(FEW), heads]),
    }
}

/// Each expert's last tile of rows may be part of one.
fn experts_gemm(linear: &Linear, rows: u32, experts: u32) -> (String, [u32; 3]) {
    let tiles = rows.min(rows / EXPERT_ROWS + experts);
    let grid = [tiles, linear.n.div_ceil(EXPERT_COLUMNS), 1];
    (format!("ty_experts_gemm_{}", kind_name(linear.format)), grid)
}

/// Tiles of 16 columns that are stored.
fn tiles(linear: &Linear, phase: &Phase) -> u32 {
    let stored = if phase.after.is_empty() { linear.n } else { linear.y_stride };
    stored.div_ceil(16)
}
