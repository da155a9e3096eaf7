//! A helper thread: look for a job, run it, and sleep when there is none for a while.
//!
//! # How a helper joins a job
//!
//! A job lives on the stack of the worker that began it, so a helper must never touch one that
//! has ended. Both sides keep to this order, every operation sequentially consistent:
//!
//! | Helper | Beginner |
//! |---|---|
//! | H1 `active += 1` | B1 fills the job in, `job = &it` |
//! | H2 `j = job` | B2 runs it as worker 0 |
//! | H3 if `j` is not null and new to it: runs `j` | B3 `job = null` |
//! | H4 `active -= 1` | B4 waits until `active == 0` |
//!
//! All these operations have one order. If H2 reads a job, it stands before B3, so H1 does too,
//! and a B4 that reads 0 stands after H4: the beginner does not return before the helper has
//! left. If H2 stands after B3, it reads null and touches nothing. H2 cannot read the job of
//! an earlier step, since each is withdrawn before its step ends. What the helper wrote is
//! visible to the beginner through H4 and B4.
//!
//! A helper looks before H1, without any order, whether there may be a job at all. That look
//! decides nothing but whether to try, and keeps `active` still while no step runs: B4 is not
//! held up by helpers that find nothing.
//!
//! A job that a helper has run is still published while the others end it. Its sequence number
//! tells it from the next one, which may lie at the same address.

use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::time::{Duration, Instant};

use crate::Shared;
use crate::layout::RawTeam;

/// Looks without giving the processor to others. A step that has begun brings its job in a few
/// microseconds.
const SPINS: u32 = 100;

/// Pauses between two looks.
const PAUSES: u32 = 4;

/// How long a helper stays awake after its last job. Steps of one answer follow one another
/// within this time, and a thread that sleeps takes tens of microseconds to wake.
pub(crate) const LINGER: Duration = Duration::from_micros(500);

/// What a look for a job found.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    /// No job, or one that this helper has already run.
    Nothing,
    /// A job, now run.
    Job,
}

/// The thread's life; ends when the team does.
pub(crate) fn run(shared: &Shared, worker: u32) {
    let mut last = None;
    let mut wait = Wait::default();
    while !shared.ends.load(SeqCst) {
        if join(&shared.raw, worker, &mut last) == Found::Job {
            wait = Wait::default();
        } else if shared.open.load(SeqCst) || !wait.is_longer_than(shared.linger) {
            wait.a_moment();
        } else {
            sleep(shared);
            wait = Wait::default();
        }
    }
}

/// Sleeps until a step opens or the team ends.
///
/// Whoever opens a step wakes helpers if it sees one asleep. Either it sees this one, or this
/// one sees the step: each writes before it looks, all in one order. Waking is never lost,
/// since `park` returns at once after an `unpark`.
fn sleep(shared: &Shared) {
    shared.asleep.fetch_add(1, SeqCst);
    if !shared.open.load(SeqCst) && !shared.ends.load(SeqCst) {
        std::thread::park();
    }
    shared.asleep.fetch_sub(1, SeqCst);
}

/// H1 to H4.
fn join(team: &RawTeam, worker: u32, last: &mut Option<u64>) -> Found {
    if team.job.load(Relaxed).is_null() {
        return Found::Nothing;
    }
    team.active.fetch_add(1, SeqCst);
    let job = team.job.load(SeqCst);
    let mut found = Found::Nothing;
    if !job.is_null() {
        // SAFETY: the job lives until `active` is 0 after it was withdrawn (see above), and
        // this helper is counted.
        let sequence = unsafe { (*job).sequence };
        if *last != Some(sequence) {
            *last = Some(sequence);
            // SAFETY: as above; the program that published the job takes any worker below
            // `n_workers`, each in one thread at a time.
            unsafe { ((*job).run)(job, worker) };
            found = Found::Job;
        }
    }
    team.active.fetch_sub(1, SeqCst);
    found
}

/// Waiting for a job: first awake, then giving way to other threads.
#[derive(Default)]
struct Wait {
    spins: u32,
    yields_since: Option<Instant>,
}

impl Wait {
    fn is_longer_than(&self, linger: Duration) -> bool {
        self.yields_since.is_some_and(|since| since.elapsed() >= linger)
    }

    fn a_moment(&mut self) {
        if self.spins < SPINS {
            self.spins += 1;
            (0..PAUSES).for_each(|_| std::hint::spin_loop());
        } else {
            self.yields_since.get_or_insert_with(Instant::now);
            // Where threads are more than processors, the one that would bring the job, or
            // the one that reads the answer, may be waiting for this one.
            std::thread::yield_now();
        }
    }
}
