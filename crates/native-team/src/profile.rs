//! Where the time of a program's phases goes.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use crate::layout::{RawPhaseTime, RawProfile};

/// The profile of a team's last program; clones show the same.
#[derive(Clone, Debug)]
pub struct Profile(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    raw: RawProfile,
    /// What `raw` points to.
    phases: Box<[RawPhaseTime]>,
}

/// One phase of a program and what it took. Sizes and formats are those of
/// `kernels-cpu/program.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseTime {
    /// `TY_PHASE_*`.
    pub kind: u32,
    /// Of weights (`ty_format`), or of the cache; 0 of row operations.
    pub format: u32,
    /// Outputs of a product, or query heads of an attention.
    pub n: u32,
    /// Inputs of a product, or the width of an attention's heads.
    pub k: u32,
    /// Rows.
    pub rows: u32,
    /// Bytes of weights, or of keys and values, that are read.
    pub bytes: u64,
    /// Multiplications and additions of the kernel.
    pub operations: u64,
    /// From the end of the phase before to the end of this one.
    pub nanoseconds: u64,
}

impl Profile {
    /// Of programs of at most `room` phases; of a longer one the first.
    pub(crate) fn new(room: u32) -> Self {
        let mut phases: Box<[RawPhaseTime]> = (0..room).map(|_| RawPhaseTime::default()).collect();
        let raw = RawProfile {
            clock: nanoseconds,
            begin: 0.into(),
            room,
            count: 0.into(),
            phases: phases.as_mut_ptr(),
        };
        Self(Arc::new(Inner { raw, phases }))
    }

    /// What a team's programs write to, as long as a clone of this lives.
    pub(crate) fn raw(&self) -> *mut RawProfile {
        std::ptr::from_ref(&self.0.raw).cast_mut()
    }

    /// The phases of the last program that had something to do, in order. To be asked between two
    /// programs: of one that runs, some times are missing.
    pub fn last(&self) -> Vec<PhaseTime> {
        let Inner { raw, phases } = &*self.0;
        let mut before = raw.begin.load(Relaxed);
        let count = raw.count.load(Relaxed) as usize;
        let done = phases.iter().take(count).filter(|phase| phase.end.load(Relaxed) > 0);
        done.map(|phase| {
            let end = phase.end.load(Relaxed);
            let nanoseconds = end.saturating_sub(before);
            before = before.max(end);
            PhaseTime {
                kind: phase.kind.load(Relaxed),
                format: phase.format.load(Relaxed),
                n: phase.n.load(Relaxed),
                k: phase.k.load(Relaxed),
                rows: phase.rows.load(Relaxed),
                bytes: phase.bytes.load(Relaxed),
                operations: phase.operations.load(Relaxed),
                nanoseconds,
            }
        })
        .collect()
    }
}

/// Nanoseconds since the first call, and at least 1.
extern "C" fn nanoseconds() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let passed = FIRST.get_or_init(Instant::now).elapsed().as_nanos();
    u64::try_from(passed).unwrap_or(u64::MAX).max(1)
}
