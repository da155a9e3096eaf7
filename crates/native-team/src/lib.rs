//! Helper threads and scratch memory for phase programs.
//!
//! A phase program (`kernels-cpu/program.h`) is one step of a model that any number of workers
//! run together. The thread that calls it is worker 0; a [`Team`] has the others, and the
//! memory that all work in. The program gets the team's address as an argument, publishes a
//! job there, and helpers join it.
//!
//! Helpers are awake while a [step](Team::step) runs and for a moment after it. Otherwise they
//! sleep and cost nothing.
//!
//! **Invariant:** a helper touches nothing of a job that has ended; `helper.rs` says why.
//! **Boundary:** knows no model, artifact or runtime.

mod amx;
mod error;
mod heap;
mod helper;
mod layout;
mod profile;
mod scratch;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

pub use error::Error;
pub use heap::give_back_free_memory;
pub use layout::LAYOUT;
use layout::{FINE, NO_ROOM, RawTeam};
pub use profile::{PhaseTime, Profile};
use scratch::Scratch;

/// The version of the structures in `kernels-cpu/program.h` that this crate was written for:
/// a program of another version must not get a team.
pub const ABI_VERSION: u32 = 6;

/// Parts of scratch memory begin at multiples of this.
pub const SCRATCH_ALIGNMENT: u64 = 64;

/// The workers of one device, and their memory. Helpers end when it is dropped.
#[derive(Debug)]
pub struct Team {
    shared: Arc<Shared>,
    helpers: Vec<JoinHandle<()>>,
    /// What programs write their times to; lives as long as they may.
    profile: Option<Profile>,
}

/// What the team and its helpers share. The memory behind `raw` lives as long.
struct Shared {
    raw: RawTeam,
    /// A step runs: a job is about to come.
    open: AtomicBool,
    /// The team is being dropped.
    ends: AtomicBool,
    /// Helpers that sleep, or are about to.
    asleep: AtomicU32,
    /// How long helpers stay awake without a job.
    linger: Duration,
    _scratch: [Scratch; 2],
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Shared")
            .field("n_workers", &self.raw.n_workers)
            .field("shared_bytes", &self.raw.shared_bytes)
            .field("private_bytes", &self.raw.private_bytes)
            .finish_non_exhaustive()
    }
}

impl Team {
    /// A team of `n_workers`, the calling thread of each step included, with `shared_bytes` of
    /// memory for all of them together and `private_bytes` (rounded up to
    /// [`SCRATCH_ALIGNMENT`]) for each. All of it is zero.
    ///
    /// Fails where the system gives no memory or no thread, or without workers.
    pub fn new(n_workers: usize, shared_bytes: u64, private_bytes: u64) -> Result<Self, Error> {
        Self::lingering(n_workers, [shared_bytes, private_bytes], helper::LINGER, amx::allowed())
    }

    /// The same, whose programs leave the matrix registers alone: for tests of the other paths on
    /// machines that have them.
    pub fn without_amx(
        n_workers: usize,
        shared_bytes: u64,
        private_bytes: u64,
    ) -> Result<Self, Error> {
        Self::lingering(n_workers, [shared_bytes, private_bytes], helper::LINGER, false)
    }

    /// Whether programs of this team may use the matrix registers of AMX.
    pub fn has_amx(&self) -> bool {
        self.shared.raw.amx == 1
    }

    fn lingering(
        n_workers: usize,
        [shared_bytes, private_bytes]: [u64; 2],
        linger: Duration,
        amx: bool,
    ) -> Result<Self, Error> {
        let workers = u32::try_from(n_workers).ok().filter(|n| *n > 0);
        let workers = workers.ok_or(Error::Workers { found: n_workers })?;
        let failed = |bytes| move |source| Error::Scratch { bytes, workers: n_workers, source };
        let too_much = || std::io::Error::from(std::io::ErrorKind::OutOfMemory);
        let private_bytes = private_bytes
            .checked_next_multiple_of(SCRATCH_ALIGNMENT)
            .ok_or_else(|| failed(private_bytes)(too_much()))?;
        let all_private = private_bytes.saturating_mul(u64::from(workers));
        let mut shared = Scratch::new(shared_bytes).map_err(failed(shared_bytes))?;
        let mut private = Scratch::new(all_private).map_err(failed(all_private))?;
        let raw = RawTeam {
            job: AtomicPtr::default(),
            active: AtomicU32::new(0),
            n_workers: workers,
            shared: shared.pointer(),
            shared_bytes,
            private: private.pointer(),
            private_bytes,
            yield_now,
            sequence: 0.into(),
            amx: amx.into(),
            profile: AtomicPtr::default(),
            status: AtomicU32::new(FINE),
            zero: 0,
        };
        let shared = Arc::new(Shared {
            raw,
            open: AtomicBool::new(false),
            ends: AtomicBool::new(false),
            asleep: AtomicU32::new(0),
            linger,
            _scratch: [shared, private],
        });
        // From here on, dropping the team ends the helpers that have started.
        let mut team = Self { shared, helpers: Vec::with_capacity(n_workers - 1), profile: None };
        (1..workers).try_for_each(|worker| team.add_helper(worker))?;
        Ok(team)
    }

    /// From now on programs of at most `room` phases note what their phases take.
    pub fn profile(&mut self, room: u32) -> Profile {
        let profile = Profile::new(room);
        self.shared.raw.profile.store(profile.raw(), Ordering::SeqCst);
        self.profile = Some(profile.clone());
        profile
    }

    /// Whether a program did not run, ever, because its header asks for more scratch than the team
    /// has.
    pub fn had_no_room(&self) -> bool {
        self.shared.raw.status.load(Ordering::SeqCst) == NO_ROOM
    }

    /// Workers, the calling thread included.
    pub fn n_workers(&self) -> usize {
        self.helpers.len() + 1
    }

    /// What a program gets as its `team` argument. The team must live until every call that was
    /// given it has ended, and at most one such call may run at a time.
    pub fn address(&self) -> i64 {
        let address = std::ptr::from_ref(&self.shared.raw).expose_provenance();
        i64::try_from(address).expect("addresses of programs are below 2^63")
    }

    /// Runs `work`, which calls programs with this team, with the helpers awake.
    pub fn step<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let _open = Open::new(self);
        work()
    }

    fn add_helper(&mut self, worker: u32) -> Result<(), Error> {
        let shared = Arc::clone(&self.shared);
        let workers = self.shared.raw.n_workers as usize;
        let helper = std::thread::Builder::new()
            .name(format!("tyto-helper-{worker}"))
            .spawn(move || helper::run(&shared, worker))
            .map_err(|source| Error::Thread { worker, workers, source })?;
        self.helpers.push(helper);
        Ok(())
    }

    fn wake(&self) {
        self.helpers.iter().for_each(|helper| helper.thread().unpark());
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::SeqCst);
        self.wake();
        for helper in self.helpers.drain(..) {
            // A helper that has panicked is gone as well.
            let _ = helper.join();
        }
    }
}

/// A step under way; ends when dropped, by a panic too.
struct Open<'a>(&'a Team);

impl<'a> Open<'a> {
    fn new(team: &'a Team) -> Self {
        team.shared.open.store(true, Ordering::SeqCst);
        if team.shared.asleep.load(Ordering::SeqCst) > 0 {
            team.wake();
        }
        Self(team)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.shared.open.store(false, Ordering::SeqCst);
    }
}

/// What a program's worker calls while it waits for others.
extern "C" fn yield_now() {
    std::thread::yield_now();
}

#[cfg(test)]
mod tests;
