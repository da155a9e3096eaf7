//! What runs next on the model: pure decisions about sequences and KV blocks.
//!
//! The engine owns one [`Scheduler`] on one thread.  It asks for a [`StepPlan`],
//! runs it on the executor, and commits what came out:
//!
//! ```
//! use tyto_scheduler::{Limits, Outcome, Sampled, Scheduler, BlockPool, SeqId, Sequence};
//!
//! let limits = Limits {
//!     tokens_per_step: 8,
//!     rows: 2,
//!     max_chunk: 4,
//!     tokens_with_drafts: 4,
//!     chunk_beside_answers: 4,
//! };
//! let mut scheduler = Scheduler::new(limits, BlockPool::new(16, 4));
//! scheduler.submit(Sequence::new(SeqId(1), vec![5, 6, 7], 5));
//! while !scheduler.is_idle() {
//!     let plan = scheduler.plan();
//!     let sampled = plan.entries.iter().map(|entry| Sampled {
//!         seq: entry.seq,
//!         outcome: if entry.samples { Outcome::Tokens(vec![9]) } else { Outcome::Written },
//!         forced: 0,
//!     });
//!     let sampled = sampled.collect();
//!     scheduler.commit(plan, sampled);
//! }
//! ```
//!
//! **Invariant:** nothing here does I/O, reads a clock, takes a lock, or knows of
//! a device, and the crate depends on `std` only.  Equal calls give equal answers.

mod leave;
mod plan;
mod pool;
mod prefix;
mod queue;
mod sequence;
mod snapshots;
mod states;
mod step;

pub use plan::{Entry, Finished, Limits, Outcome, Sampled, StateCopy, StepPlan};
pub use pool::{BlockPool, NULL_BLOCK};
pub use sequence::{ClientId, Finish, SeqId, Sequence};
pub use snapshots::SnapshotRule;
pub use step::{Scheduler, right_drafts};
