//! Why a team cannot be made.

/// Why [`Team::new`](crate::Team::new) failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A step needs the worker that begins it, and their number is a 32-bit one.
    #[error("a team of {found} workers; expected 1 to {}", u32::MAX)]
    Workers {
        /// The number asked for.
        found: usize,
    },
    /// The scratch memory cannot be had.
    #[error("{bytes} bytes of scratch for {workers} workers: {source}; use fewer threads")]
    Scratch {
        /// Bytes of the part that failed.
        bytes: u64,
        /// Workers of the team.
        workers: usize,
        /// What the system said.
        source: std::io::Error,
    },
    /// The system gave no thread.
    #[error("helper thread {worker} of {workers} cannot be started: {source}; use fewer threads")]
    Thread {
        /// The worker that has no thread.
        worker: u32,
        /// Workers of the team.
        workers: usize,
        /// What the system said.
        source: std::io::Error,
    },
}
