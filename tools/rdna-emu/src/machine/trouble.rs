//! What goes wrong in instructions.

use super::race::Access;
use crate::memory::AccessError;

/// What goes wrong in an instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Trouble {
    /// The lane, if it is one's.
    pub lane: Option<usize>,
    /// What.
    pub kind: TroubleKind,
}

/// The kinds of trouble.
#[derive(Debug, Clone, PartialEq)]
pub enum TroubleKind {
    /// The instruction is not known.
    Unknown(String),
    /// A bad access.
    Access(AccessError),
    /// An access that races with an earlier one, of which this is one.
    Race(Access, String),
}

impl Trouble {
    /// An instruction that is not known.
    pub fn unknown(reason: &str) -> Self {
        Trouble { lane: None, kind: TroubleKind::Unknown(reason.to_owned()) }
    }

    pub(super) fn access(lane: Option<usize>, error: AccessError) -> Self {
        Trouble { lane, kind: TroubleKind::Access(error) }
    }
}

/// An access that ends behind the end of what a workgroup or a lane has.
pub(super) fn outside(name: &str, at: usize, size: usize, limit: usize) -> LaneTrouble {
    AccessError::Outside { address: at as u64, size, near: format!(": {name} has {limit} bytes") }
        .into()
}

/// The bytes of an access of LDS.
pub(super) fn local<'a>(
    bytes: &'a [u8],
    at: usize,
    size: usize,
    name: &str,
    first: usize,
) -> Result<&'a [u8], LaneTrouble> {
    let range = at.checked_add(size).and_then(|end| bytes.get(at..end));
    range.ok_or_else(|| outside(name, at - first, size, bytes.len()))
}

/// Trouble whose lane is not yet known.
pub(super) struct LaneTrouble(pub(super) TroubleKind);

impl LaneTrouble {
    pub(super) fn of(self, lane: usize) -> Trouble {
        Trouble { lane: Some(lane), kind: self.0 }
    }
}

impl From<AccessError> for LaneTrouble {
    fn from(error: AccessError) -> Self {
        LaneTrouble(TroubleKind::Access(error))
    }
}
