//! What can go wrong in a launch.

use std::fmt::{self, Display, Formatter};

use crate::memory::AccessError;
use crate::object::ObjectError;

/// Why a launch failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LaunchError {
    /// The kernel is not there.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// The arguments are not those of the kernel.
    #[error("kernel `{kernel}` takes {expected}, but was given {found}")]
    Arguments {
        /// The kernel.
        kernel: String,
        /// What it takes.
        expected: String,
        /// What there was.
        found: String,
    },
    /// A wave did something that it may not.
    #[error(transparent)]
    Fault(Box<Fault>),
}

/// What a wave did that it may not, and where.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub struct Fault {
    /// The kernel.
    pub kernel: String,
    /// The workgroup's place in the grid.
    pub workgroup: [u32; 3],
    /// The wave's number in the workgroup.
    pub wave: usize,
    /// The lane, where it is one's.
    pub lane: Option<usize>,
    /// The instruction's distance from the kernel's first, in bytes.
    pub offset: i64,
    /// The instruction.
    pub text: String,
    /// What it did.
    pub kind: FaultKind,
}

/// The kinds of faults.
#[derive(Debug, Clone, PartialEq)]
pub enum FaultKind {
    /// The instruction is not known, and why.
    Unknown(String),
    /// A bad access.
    Access(AccessError),
    /// An access that nothing orders with an earlier one.
    Race {
        /// The byte.
        place: String,
        /// The earlier one's workgroup.
        workgroup: [u32; 3],
        /// Its wave.
        wave: usize,
        /// Its lane.
        lane: usize,
        /// Its instruction's distance from the kernel's first, in bytes.
        offset: i64,
        /// Its instruction.
        text: String,
    },
    /// It has run so many instructions that it seems to have no end.
    Endless(u64),
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.workgroup;
        write!(f, "kernel `{}`, workgroup ({x}, {y}, {z}), wave {}", self.kernel, self.wave)?;
        if let Some(lane) = self.lane {
            write!(f, ", lane {lane}")?;
        }
        write!(f, ", at {:#x} `{}`: ", self.offset, self.text)?;
        match &self.kind {
            FaultKind::Unknown(reason) => write!(f, "cannot be run: {reason}"),
            FaultKind::Access(error) => error.fmt(f),
            FaultKind::Race { place, workgroup: [x, y, z], wave, lane, offset, text } => write!(
                f,
                "races for {place} with workgroup ({x}, {y}, {z}), wave {wave}, lane {lane}, at {offset:#x} `{text}`"
            ),
            FaultKind::Endless(count) => write!(f, "still runs after {count} instructions"),
        }
    }
}
