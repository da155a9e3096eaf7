//! A phase program, while it is planned and when it is done.

use std::fmt;

use crate::abi::{PhaseKind, RowKind, Space};

/// A place in memory whose shared buffers have no address yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// In a space with fixed addresses.
    At(Space, u64),
    /// In shared buffer `buffer`.
    Shared { buffer: usize, offset: u64 },
    /// Nothing: an operand that the kernel does not read.
    None,
}

impl Place {
    /// The place `bytes` further on.
    pub(crate) fn further(self, bytes: u64) -> Self {
        match self {
            Self::At(space, offset) => Self::At(space, offset + bytes),
            Self::Shared { buffer, offset } => Self::Shared { buffer, offset: offset + bytes },
            Self::None => Self::None,
        }
    }

    /// The shared buffer it is in.
    pub(crate) fn buffer(self) -> Option<usize> {
        match self {
            Self::Shared { buffer, .. } => Some(buffer),
            _ => None,
        }
    }
}

/// Rows of f32: the first one's place, and bytes from one to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    pub(crate) place: Place,
    pub(crate) stride: u64,
}

impl Rows {
    /// No operand.
    pub(crate) const NONE: Self = Self { place: Place::None, stride: 0 };

    /// The same row everywhere.
    pub(crate) fn one(place: Place) -> Self {
        Self { place, stride: 0 }
    }
}

/// `ty_row_op`, unaddressed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RowOp {
    pub(crate) kind: RowKind,
    pub(crate) width: u32,
    pub(crate) dst: Rows,
    pub(crate) a: Rows,
    pub(crate) b: Rows,
    pub(crate) p: [u32; 2],
    pub(crate) imm: [f32; 2],
    pub(crate) format: u32,
    pub(crate) store: bool,
}

impl RowOp {
    /// An operation without parameters.
    pub(crate) fn new(kind: RowKind, width: u32, dst: Rows, a: Rows, b: Rows) -> Self {
        Self { kind, width, dst, a, b, p: [0; 2], imm: [0.0; 2], format: 0, store: false }
    }
}

/// `ty_linear`, unaddressed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Linear {
    pub(crate) name: String,
    pub(crate) format: u32,
    pub(crate) n: u32,
    pub(crate) k: u32,
    pub(crate) y_stride: u32,
    pub(crate) weights: u64,
    pub(crate) packed: Place,
    pub(crate) y: Place,
    /// Bytes between rows of `packed`, where these are rows as they are; else 0.
    pub(crate) x_stride: u64,
    /// On GPUs, of a product for each head.
    pub(crate) heads: Option<Heads>,
}

/// The heads of a product whose every head has a matrix of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Heads {
    pub(crate) count: u32,
    /// Bytes of `packed` from one head to the next.
    pub(crate) x_bytes: u64,
}

/// `ty_attention`, unaddressed: everything but operands is set already.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attention {
    pub(crate) fixed: crate::abi::Attention,
    pub(crate) q: Rows,
    pub(crate) k: Rows,
    pub(crate) v: Rows,
    pub(crate) out: Place,
}

/// `ty_route`, unaddressed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Route {
    pub(crate) experts: u32,
    pub(crate) used: u32,
    pub(crate) rows: u32,
    /// How many, how many of them are looked at, and how many scores of each are added up; zeros
    /// where all scores are looked at.
    pub(crate) groups: [u32; 3],
    pub(crate) scores: Rows,
    pub(crate) ids: Place,
    pub(crate) table: Place,
}

/// `ty_experts`, unaddressed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Experts {
    pub(crate) linear: Linear,
    pub(crate) expert_bytes: u64,
    pub(crate) route: usize,
    pub(crate) of_tokens: bool,
}

/// The mixtures of experts of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mixtures {
    pub(crate) routes: Vec<Route>,
    pub(crate) experts: Vec<Experts>,
}

/// `ty_conv`, unaddressed: everything but operands of tokens is set already.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Conv {
    pub(crate) fixed: crate::abi::Conv,
    pub(crate) x: Rows,
    pub(crate) out: Rows,
}

/// `ty_scan`, unaddressed: the same.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scan {
    pub(crate) fixed: crate::abi::Scan,
    pub(crate) v: Rows,
    pub(crate) k: Rows,
    pub(crate) q: Rows,
    pub(crate) dt: Rows,
    pub(crate) gate: Rows,
    pub(crate) out: Rows,
}

/// The kernels of recurrent layers of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Recurrences {
    pub(crate) convs: Vec<Conv>,
    pub(crate) scans: Vec<Scan>,
}

/// What the rows of a phase are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// Tokens.
    Tokens,
    /// Sampled rows.
    Sampled,
    /// The routed rows of this route.
    Routed(usize),
}

/// `ty_phase` with its operations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Phase {
    pub(crate) kind: PhaseKind,
    pub(crate) over: Over,
    pub(crate) ops: Vec<RowOp>,
    pub(crate) kernel: usize,
    pub(crate) rows_a_chunk: u32,
    pub(crate) joined: Option<Joined>,
    /// Operations on a product's outputs (`first_after` in `program.h`).
    pub(crate) after: Vec<After>,
    /// Workgroups that share a product's tiles.
    pub(crate) groups: u32,
}

impl Phase {
    /// A phase with operations before its kernel alone.
    pub(crate) fn new(kind: PhaseKind, over: Over, ops: Vec<RowOp>, kernel: usize) -> Self {
        let (rows_a_chunk, joined, after, groups) = (1, None, Vec::new(), 0);
        Self { kind, over, ops, kernel, rows_a_chunk, joined, after, groups }
    }
}

/// An operation on a product's outputs: values are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum After {
    /// The product's columns from here on.
    Columns(u32),
    /// An element-wise operation; its operands are earlier values.
    Op {
        /// The operation, its places aside.
        op: RowOp,
        /// Its operands.
        operands: [u32; 2],
    },
    /// Of products of routed rows: the row of the expert in a table.
    OfExpert {
        /// The first of these rows.
        table: Rows,
        /// Their width.
        width: u32,
    },
}

/// The other of two phases that matrix registers do at once (`joined.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Joined {
    pub(crate) other: usize,
    /// Where the result goes, packed.
    pub(crate) packed: Place,
}

/// A planned step.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// What the kernels read: header, phases, operations, operands, constants.
    pub bytes: Vec<u8>,
    /// Scratch that all workers share.
    pub shared_bytes: u64,
    /// Scratch of each worker.
    pub private_bytes: u64,
    /// Bytes of one block of the cache.
    pub block_bytes: u64,
    /// Bytes of a sequence's slot at the cache's begin; 0 without recurrent layers. A row of the
    /// tables then has one more entry, the slot.
    pub slot_bytes: u64,
    /// How a GPU runs it, phase by phase; none on a CPU.
    pub launches: Vec<Launch>,
    pub(crate) phases: Vec<Phase>,
    pub(crate) linears: Vec<Linear>,
    pub(crate) mixtures: Mixtures,
}

impl Program {
    /// The number of phases: how often workers wait for each other in one step.
    pub fn phase_count(&self) -> usize {
        self.phases.len()
    }

    /// What phase number `phase` does.
    pub fn kind(&self, phase: usize) -> PhaseKind {
        self.phases[phase].kind
    }

    /// Multiply-adds of a phase's product over all its rows, by arithmetic; 0 where it has none.
    /// Of programs for GPUs.
    pub fn product_multiply_adds(&self, phase: usize) -> u64 {
        let phase = &self.phases[phase];
        let linear = match phase.kind {
            PhaseKind::Linear => &self.linears[phase.kernel],
            PhaseKind::Experts => &self.mixtures.experts[phase.kernel].linear,
            _ => return 0,
        };
        let heads = linear.heads.map_or(1, |heads| heads.count);
        let outputs = u64::from(linear.n) * u64::from(heads);
        outputs * u64::from(linear.k) * u64::from(phase.rows_a_chunk)
    }
}

/// One launch of a kernel on a GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The kernel's name (`kernels-hip/`).
    pub kernel: String,
    /// Workgroups along x, y and z.
    pub grid: [u32; 3],
    /// Work-items of a workgroup.
    pub threads: u32,
    /// The phase that it runs: the kernel's constant.
    pub phase: u32,
}

/// One line a phase: its kernel and its row operations.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, phase) in self.phases.iter().enumerate() {
            let over = match phase.over {
                Over::Tokens => "",
                Over::Sampled => "sampled ",
                Over::Routed(_) => "routed ",
            };
            write!(f, "{index}: {over}")?;
            let ops: Vec<String> = phase.ops.iter().map(describe).collect();
            write!(f, "[{}]", ops.join(" "))?;
            match phase.kind {
                PhaseKind::Rows => writeln!(f)?,
                PhaseKind::Linear => {
                    let Linear { name, n, k, .. } = &self.linears[phase.kernel];
                    writeln!(f, " linear {name} {n}x{k}{}", after(phase))?;
                }
                PhaseKind::Prefill => writeln!(f, " prefill attention {}", phase.kernel)?,
                PhaseKind::Decode => writeln!(f, " decode attention {}", phase.kernel)?,
                PhaseKind::Route => {
                    let Route { experts, used, .. } = &self.mixtures.routes[phase.kernel];
                    writeln!(f, " route {used} of {experts}")?;
                }
                PhaseKind::Experts => {
                    let Linear { name, n, k, .. } = &self.mixtures.experts[phase.kernel].linear;
                    writeln!(f, " experts {name} {n}x{k}{}", after(phase))?;
                }
                PhaseKind::Conv => writeln!(f, " conv {}", phase.kernel)?,
                PhaseKind::Scan => writeln!(f, " scan {}", phase.kernel)?,
                PhaseKind::Digest => writeln!(f, " digest of {}", phase.kernel)?,
                PhaseKind::Weigh => writeln!(f, " weigh {}", phase.kernel)?,
            }
        }
        Ok(())
    }
}

/// What a product's outputs go through.
fn after(phase: &Phase) -> String {
    let ops = phase.after.iter().filter_map(|after| match after {
        After::Columns(_) => None,
        After::Op { op, .. } => Some(describe(op)),
        After::OfExpert { .. } => Some("expert".to_owned()),
    });
    let ops: Vec<String> = ops.collect();
    if ops.is_empty() { String::new() } else { format!(" then [{}]", ops.join(" ")) }
}

fn describe(op: &RowOp) -> String {
    let store = if op.store { "!" } else { "" };
    format!("{:?}{store}({})", op.kind, op.width).to_lowercase()
}
