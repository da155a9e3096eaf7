//! Random worlds in which a program, written here, counts what its workers do.

use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize};
use std::time::Duration;

use super::*;
use crate::layout::RawJob;

/// A program: phases of chunks. Each chunk adds one to its byte of the shared memory, which is
/// no atomic operation: a chunk that two workers run, or that the beginner does not see, is
/// a wrong sum.
#[repr(C)]
struct Program {
    job: RawJob,
    team: *const RawTeam,
    chunks_a_phase: usize,
    n_chunks: usize,
    next: AtomicUsize,
    done: AtomicUsize,
    /// How often each worker has joined.
    joined: [AtomicU32; 8],
}

/// A helper has called a job that had ended.
static LATE: AtomicBool = AtomicBool::new(false);

unsafe extern "C" fn late(_: *mut RawJob, _: u32) {
    LATE.store(true, SeqCst);
}

unsafe extern "C" fn work(job: *mut RawJob, worker: u32) {
    // SAFETY: the job is the head of a program, which lives while a worker is in it.
    let (program, team) = unsafe {
        let program = &*job.cast::<Program>();
        (program, &*program.team)
    };
    program.joined[worker as usize].fetch_add(1, SeqCst);
    let private = team.private.wrapping_add(worker as usize * team.private_bytes as usize);
    loop {
        let chunk = program.next.fetch_add(1, SeqCst);
        if chunk >= program.n_chunks {
            return;
        }
        // The phases before must be done.
        let before = chunk / program.chunks_a_phase * program.chunks_a_phase;
        while program.done.load(SeqCst) < before {
            (team.yield_now)();
        }
        // SAFETY: this worker alone has the chunk, and its private part.
        unsafe {
            *team.shared.add(chunk % program.chunks_a_phase) += 1;
            *private += 1;
        }
        program.done.fetch_add(1, SeqCst);
    }
}

/// What a program does with its team: B1 to B4 of `helper.rs`. Returns how often each worker
/// joined.
fn begin(address: i64, chunks_a_phase: usize, phases: usize) -> [u32; 8] {
    let team = std::ptr::with_exposed_provenance::<RawTeam>(address as usize);
    // SAFETY: the address is of a live team, and this is the only call with it.
    let raw = unsafe { &*team };
    // SAFETY: only the beginner of a step touches it.
    let sequence = unsafe {
        *raw.sequence.get() += 1;
        *raw.sequence.get()
    };
    let mut program = Program {
        job: RawJob { run: work, sequence },
        team,
        chunks_a_phase,
        n_chunks: chunks_a_phase * phases,
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
        joined: Default::default(),
    };
    let job = std::ptr::from_mut(&mut program).cast::<RawJob>();
    raw.job.store(job, SeqCst);
    // SAFETY: the job is live and its own.
    unsafe { work(job, 0) };
    raw.job.store(std::ptr::null_mut(), SeqCst);
    while raw.active.load(SeqCst) != 0 {
        (raw.yield_now)();
    }
    // A helper that came from here on would call this.
    program.job = RawJob { run: late, sequence: u64::MAX - sequence };
    let joined = program.joined.each_ref().map(|count| count.load(SeqCst));
    std::hint::black_box(&mut program);
    joined
}

fn mix(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// The shared memory's first bytes and each worker's first private one.
fn counts(team: &Team, chunks: usize) -> (Vec<u8>, Vec<u8>) {
    let raw = &team.shared.raw;
    let byte = |at: *mut u8| {
        // SAFETY: inside the team's memory, which no worker uses between steps.
        unsafe { *at }
    };
    let shared = (0..chunks).map(|chunk| byte(raw.shared.wrapping_add(chunk))).collect();
    let part = |worker: usize| raw.private.wrapping_add(worker * raw.private_bytes as usize);
    let private = (0..team.n_workers()).map(|worker| byte(part(worker))).collect();
    (shared, private)
}

/// Runs `steps` steps of random shape and checks every chunk of each.
fn run_world(workers: usize, linger: Duration, steps: usize) {
    let mut team =
        Team::lingering(workers, [64, 100], linger, false).expect("room for a small team");
    let address = team.address();
    let mut random = workers as u64;
    let (mut shared, mut private) = ([0u8; 16], 0u8);
    for step in 0..steps {
        let (chunks, phases) = (1 + mix(&mut random) % 16, 1 + mix(&mut random) % 5);
        // More than one program in a step, as a step with prompts has.
        let programs = 1 + mix(&mut random) % 3;
        let joined: Vec<[u32; 8]> =
            team.step(|| (0..programs).map(|_| begin(address, chunks, phases)).collect());
        for joined in joined {
            assert_eq!(joined[0], 1);
            assert!(joined.iter().all(|n| *n <= 1), "a worker joined one job twice: {joined:?}");
            assert!(joined[workers..].iter().all(|n| *n == 0), "a worker too many: {joined:?}");
        }
        for count in &mut shared[..chunks] {
            *count = count.wrapping_add((phases * programs) as u8);
        }
        private = private.wrapping_add((chunks * phases * programs) as u8);
        let (found, parts) = counts(&team, 16);
        assert_eq!(found, shared, "step {step} with {workers} workers");
        assert_eq!(parts.into_iter().fold(0, u8::wrapping_add), private);
    }
    drop(team);
    assert!(!LATE.load(SeqCst), "a helper called a job that had ended");
}

#[test]
fn every_chunk_is_run_once_by_any_number_of_workers() {
    for workers in 1..=8 {
        run_world(workers, helper::LINGER, 2_000);
    }
}

/// Without lingering, helpers fall asleep between most steps and race with their waking.
#[test]
fn every_chunk_is_run_once_by_helpers_that_sleep_and_wake() {
    for workers in 2..=8 {
        run_world(workers, Duration::ZERO, 1_000);
    }
}

/// Waits until every helper sleeps. Ends only if they do.
fn until_all_sleep(team: &Team) {
    while team.shared.asleep.load(SeqCst) as usize != team.n_workers() - 1 {
        std::thread::yield_now();
    }
}

/// A step that goes on until every helper has been in one of its jobs.
fn step_with_all(team: &mut Team) {
    let (address, workers) = (team.address(), team.n_workers());
    team.step(|| {
        let mut joined = [0; 8];
        while joined[..workers].contains(&0) {
            let more = begin(address, 4, 2);
            joined.iter_mut().zip(more).for_each(|(sum, n)| *sum += n);
        }
    });
}

#[test]
fn helpers_sleep_when_nothing_runs_and_wake_for_a_step() {
    let mut team = Team::new(4, 64, 64).expect("room for a small team");
    for _ in 0..20 {
        until_all_sleep(&team);
        step_with_all(&mut team);
    }
}

/// Steps that open at any moment of a helper's falling asleep. A waking that is lost would
/// leave a step without an end.
#[test]
fn no_waking_is_lost() {
    let mut team =
        Team::lingering(2, [64, 64], Duration::ZERO, false).expect("room for a small team");
    let mut random = 1;
    for _ in 0..3_000 {
        (0..mix(&mut random) % 2_000).for_each(|_| std::hint::spin_loop());
        step_with_all(&mut team);
    }
}

#[test]
fn a_team_ends_while_its_helpers_sleep_or_linger() {
    for round in 0..50 {
        let mut team = Team::new(1 + round % 8, 0, 0).expect("room for a small team");
        if round % 3 == 0 {
            until_all_sleep(&team);
        }
        if round % 2 == 0 {
            let address = team.address();
            // One chunk touches one byte, which the smallest team has.
            team.step(|| begin(address, 1, 1));
        }
        let shared = Arc::downgrade(&team.shared);
        drop(team);
        assert!(shared.upgrade().is_none(), "a helper has outlived its team");
    }
}

#[test]
fn a_step_that_panics_is_over() {
    let mut team = Team::new(3, 64, 64).expect("room for a small team");
    let address = team.address();
    let step = std::panic::AssertUnwindSafe(|| team.step(|| panic!("a bug of the caller")));
    std::panic::catch_unwind(step).expect_err("the panic comes through");
    until_all_sleep(&team);
    team.step(|| begin(address, 8, 3));
    assert_eq!(counts(&team, 8).0, [3; 8]);
}

/// The bare protocol, where jobs come one after the other and are as short as can be.
#[test]
fn empty_jobs_are_never_entered_late() {
    let mut team = Team::new(4, 64, 64).expect("room for a small team");
    let address = team.address();
    team.step(|| {
        for _ in 0..50_000 {
            begin(address, 1, 0);
        }
    });
    assert!(!LATE.load(SeqCst), "a helper called a job that had ended");
    assert_eq!(team.shared.raw.active.load(SeqCst), 0);
}

#[test]
fn scratch_is_zero_aligned_and_apart() {
    let team = Team::new(3, 5 << 20, 1000).expect("room for a team");
    let raw = &team.shared.raw;
    assert_eq!((raw.n_workers, raw.shared_bytes, raw.private_bytes), (3, 5 << 20, 1024));
    assert!(raw.shared.addr().is_multiple_of(64) && raw.private.addr().is_multiple_of(64));
    assert_eq!(team.address() as usize % 64, 0);
    // SAFETY: as long as the team says; no worker runs.
    let (shared, private) = unsafe {
        (
            std::slice::from_raw_parts(raw.shared, 5 << 20),
            std::slice::from_raw_parts(raw.private, 3 * 1024),
        )
    };
    assert!(shared.iter().chain(private).all(|byte| *byte == 0));
}

#[test]
fn impossible_teams_are_refused_with_what_was_asked() {
    let text = |result: Result<Team, Error>| result.expect_err("impossible").to_string();
    assert!(text(Team::new(0, 64, 64)).contains("0 workers"));
    for (shared, private) in [(u64::MAX, 0), (0, u64::MAX), (0, u64::MAX / 2), (1 << 60, 0)] {
        let text = text(Team::new(2, shared, private));
        assert!(text.contains("bytes of scratch for 2 workers"), "{text}");
        assert!(text.contains("fewer threads"), "{text}");
    }
}
