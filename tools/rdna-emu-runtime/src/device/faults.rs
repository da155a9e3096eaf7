//! Faults that are injected on purpose, so that what stands above a device can be tested for them.

use std::sync::atomic::{AtomicU64, Ordering};

/// What becomes of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaunchFault {
    /// It is refused when it is submitted, or its packet is called malformed.
    Reject,
    /// It is accepted and fails later, as a kernel does that touches foreign memory.
    Async,
    /// It never ends.
    Hang,
    /// The device is lost: this and all that follows fails.
    Lost,
}

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// Of a launch.
    Launch(LaunchFault),
    /// An allocation finds no memory.
    OutOfMemory,
}

/// A fault, and which launch or allocation it meets, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// The number.
    pub number: u64,
    /// The fault.
    pub kind: FaultKind,
}

impl Fault {
    /// By `launch:N:reject`, `launch:N:async`, `launch:N:hang`, `launch:N:lost` or `alloc:N:oom`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().split(':');
        let (what, number, kind) = (parts.next()?, parts.next()?, parts.next()?);
        let kind = match (what, kind) {
            ("launch", "reject") => FaultKind::Launch(LaunchFault::Reject),
            ("launch", "async") => FaultKind::Launch(LaunchFault::Async),
            ("launch", "hang") => FaultKind::Launch(LaunchFault::Hang),
            ("launch", "lost") => FaultKind::Launch(LaunchFault::Lost),
            ("alloc", "oom") => FaultKind::OutOfMemory,
            _ => return None,
        };
        let number = number.parse().ok().filter(|&number| number > 0)?;
        parts.next().is_none().then_some(Fault { number, kind })
    }
}

/// The faults to come.
#[derive(Debug, Default)]
pub struct FaultPlan {
    faults: Vec<Fault>,
    launches: AtomicU64,
    allocations: AtomicU64,
}

impl FaultPlan {
    /// Those faults.
    pub fn new(faults: &[Fault]) -> Self {
        FaultPlan { faults: faults.to_vec(), ..FaultPlan::default() }
    }

    /// Counts a launch. Returns what becomes of it, if it is not to run. Kernels that a driver runs for copies and
    /// fills count too.
    pub fn next_launch(&self) -> Option<LaunchFault> {
        let number = 1 + self.launches.fetch_add(1, Ordering::Relaxed);
        self.faults.iter().filter(|fault| fault.number == number).find_map(|fault| {
            match fault.kind {
                FaultKind::Launch(fault) => Some(fault),
                FaultKind::OutOfMemory => None,
            }
        })
    }

    /// Counts an allocation. Returns whether it is to find no memory.
    pub fn next_allocation_fails(&self) -> bool {
        let number = 1 + self.allocations.fetch_add(1, Ordering::Relaxed);
        let oom = |fault: &Fault| fault.number == number && fault.kind == FaultKind::OutOfMemory;
        self.faults.iter().any(oom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_meet_the_launch_and_the_allocation_of_their_number() {
        let faults = ["launch:2:async", "launch:3:lost", "alloc:2:oom"]
            .map(|text| Fault::parse(text).unwrap());
        let plan = FaultPlan::new(&faults);
        let launches: Vec<_> = (0..4).map(|_| plan.next_launch()).collect();
        assert_eq!(launches, [None, Some(LaunchFault::Async), Some(LaunchFault::Lost), None]);
        let allocations: Vec<_> = (0..3).map(|_| plan.next_allocation_fails()).collect();
        assert_eq!(allocations, [false, true, false]);
        for wrong in ["launch:2", "launch:x:hang", "alloc:1:oom:2", "queue:1:hang"] {
            assert_eq!(Fault::parse(wrong), None, "{wrong}");
        }
    }
}
