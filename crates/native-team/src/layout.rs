//! The structures that phase programs share with their helpers, bit for bit as
//! `kernels-cpu/program.h` declares them.

use std::cell::UnsafeCell;
use std::mem::{offset_of, size_of};
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

/// `ty_job`: a step that workers may join. A program makes it on the stack of the worker that
/// began the step, usually as the head of something larger.
#[repr(C)]
pub(crate) struct RawJob {
    /// Runs the step as one more worker; returns when the step has nothing left to claim.
    pub(crate) run: unsafe extern "C" fn(job: *mut RawJob, worker: u32),
    /// Differs between one job of a team and the next.
    pub(crate) sequence: u64,
}

/// `ty_team`: what the engine gives a program. Cache lines of its own: helpers that look for a job
/// disturb nothing beside it.
#[repr(C, align(64))]
pub(crate) struct RawTeam {
    /// Published by the worker that begins a step; null between steps.
    pub(crate) job: AtomicPtr<RawJob>,
    /// Helpers that are inside a job, or about to look for one.
    pub(crate) active: AtomicU32,
    pub(crate) n_workers: u32,
    pub(crate) shared: *mut u8,
    pub(crate) shared_bytes: u64,
    pub(crate) private: *mut u8,
    pub(crate) private_bytes: u64,
    pub(crate) yield_now: extern "C" fn(),
    /// Of the last job. Only programs use it.
    pub(crate) sequence: UnsafeCell<u64>,
    /// 1 where this process may use the matrix registers of AMX.
    pub(crate) amx: u64,
    /// Null where nobody asks for a profile.
    pub(crate) profile: AtomicPtr<RawProfile>,
    /// [`FINE`] or [`NO_ROOM`].
    pub(crate) status: AtomicU32,
    pub(crate) zero: u32,
}

/// `TY_FINE`.
pub(crate) const FINE: u32 = 0;
/// `TY_NO_ROOM`.
pub(crate) const NO_ROOM: u32 = 1;

/// `ty_phase_time`. Programs write it while they run; atomics let anyone read it at any time.
#[repr(C)]
#[derive(Debug, Default)]
pub(crate) struct RawPhaseTime {
    pub(crate) kind: AtomicU32,
    pub(crate) format: AtomicU32,
    pub(crate) n: AtomicU32,
    pub(crate) k: AtomicU32,
    pub(crate) rows: AtomicU32,
    pub(crate) zero: AtomicU32,
    pub(crate) bytes: AtomicU64,
    pub(crate) operations: AtomicU64,
    pub(crate) end: AtomicU64,
}

/// `ty_profile`.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct RawProfile {
    pub(crate) clock: extern "C" fn() -> u64,
    pub(crate) begin: AtomicU64,
    pub(crate) room: u32,
    pub(crate) count: AtomicU32,
    pub(crate) phases: *mut RawPhaseTime,
}

/// Sizes and offsets of `ty_job` and `ty_team`, in order of declaration: what the test that
/// compares Rust's structures with C's reads.
pub const LAYOUT: [(&str, usize); 31] = [
    ("job", size_of::<RawJob>()),
    ("job.run", offset_of!(RawJob, run)),
    ("job.sequence", offset_of!(RawJob, sequence)),
    ("team", size_of::<RawTeam>()),
    ("team.job", offset_of!(RawTeam, job)),
    ("team.active", offset_of!(RawTeam, active)),
    ("team.n_workers", offset_of!(RawTeam, n_workers)),
    ("team.shared", offset_of!(RawTeam, shared)),
    ("team.shared_bytes", offset_of!(RawTeam, shared_bytes)),
    ("team.private", offset_of!(RawTeam, private)),
    ("team.private_bytes", offset_of!(RawTeam, private_bytes)),
    ("team.yield", offset_of!(RawTeam, yield_now)),
    ("team.sequence", offset_of!(RawTeam, sequence)),
    ("team.amx", offset_of!(RawTeam, amx)),
    ("team.profile", offset_of!(RawTeam, profile)),
    ("team.status", offset_of!(RawTeam, status)),
    ("phase_time", size_of::<RawPhaseTime>()),
    ("phase_time.kind", offset_of!(RawPhaseTime, kind)),
    ("phase_time.format", offset_of!(RawPhaseTime, format)),
    ("phase_time.n", offset_of!(RawPhaseTime, n)),
    ("phase_time.k", offset_of!(RawPhaseTime, k)),
    ("phase_time.rows", offset_of!(RawPhaseTime, rows)),
    ("phase_time.bytes", offset_of!(RawPhaseTime, bytes)),
    ("phase_time.operations", offset_of!(RawPhaseTime, operations)),
    ("phase_time.end", offset_of!(RawPhaseTime, end)),
    ("profile", size_of::<RawProfile>()),
    ("profile.clock", offset_of!(RawProfile, clock)),
    ("profile.begin", offset_of!(RawProfile, begin)),
    ("profile.room", offset_of!(RawProfile, room)),
    ("profile.count", offset_of!(RawProfile, count)),
    ("profile.phases", offset_of!(RawProfile, phases)),
];

// SAFETY: `job` and `active` are atomic. The other fields do not change after the team is
// made, but for `sequence`, which only the one worker that begins a step touches. What the
// pointers lead to is shared by the rules of the program: each worker its private part, and
// the shared part between phases.
unsafe impl Sync for RawTeam {}
// SAFETY: as above; nothing in it belongs to a thread.
unsafe impl Send for RawTeam {}

// SAFETY: `phases` leads to memory that the profile's owner keeps, all of it atomics; `clock` and
// `room` do not change.
unsafe impl Sync for RawProfile {}
// SAFETY: as above; nothing in it belongs to a thread.
unsafe impl Send for RawProfile {}

#[cfg(test)]
mod tests {
    #[test]
    fn the_version_is_that_of_program_h() {
        let header = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kernels-cpu/program.h");
        let header = std::fs::read_to_string(header).expect("the kernels are in the repository");
        let version = header.lines().find_map(|line| line.strip_prefix("#define TY_ABI_VERSION "));
        let version: u32 = version.and_then(|text| text.trim().parse().ok()).expect("a number");
        assert_eq!(version, crate::ABI_VERSION, "look at what has changed, then change both");
    }
}
