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
    /// Memory of the host is not made reachable.
    NoLock,
}

/// A fault, and which launch, allocation or lock it meets, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// The number.
    pub number: u64,
    /// The fault.
    pub kind: FaultKind,
}

impl Fault {
    /// By `launch:N:reject`, `launch:N:async`, `launch:N:hang`, `launch:N:lost`, `alloc:N:oom` or
    /// `lock:N:refuse`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().split(':');
        let (what, number, kind) = (parts.next()?, parts.next()?, parts.next()?);
        let kind = match (what, kind) {
            ("launch", "reject") => FaultKind::Launch(LaunchFault::Reject),
            ("launch", "async") => FaultKind::Launch(LaunchFault::Async),
            ("launch", "hang") => FaultKind::Launch(LaunchFault::Hang),
            ("launch", "lost") => FaultKind::Launch(LaunchFault::Lost),
            ("alloc", "oom") => FaultKind::OutOfMemory,
            ("lock", "refuse") => FaultKind::NoLock,
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
    locks: AtomicU64,
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
                FaultKind::OutOfMemory | FaultKind::NoLock => None,
            }
        })
    }

    /// Counts an allocation. Returns whether it is to find no memory.
    pub fn next_allocation_fails(&self) -> bool {
        let number = 1 + self.allocations.fetch_add(1, Ordering::Relaxed);
        self.has(number, FaultKind::OutOfMemory)
    }

    /// Counts a lock of the host's memory. Returns whether it is to be refused.
    pub fn next_lock_fails(&self) -> bool {
        let number = 1 + self.locks.fetch_add(1, Ordering::Relaxed);
        self.has(number, FaultKind::NoLock)
    }

    fn has(&self, number: u64, kind: FaultKind) -> bool {
        self.faults.contains(&Fault { number, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_meet_the_launch_the_allocation_and_the_lock_of_their_number() {
        let faults = ["launch:2:async", "launch:3:lost", "alloc:2:oom", "lock:1:refuse"]
            .map(|text| Fault::parse(text).unwrap());
        let plan = FaultPlan::new(&faults);
        let launches: Vec<_> = (0..4).map(|_| plan.next_launch()).collect();
        assert_eq!(launches, [None, Some(LaunchFault::Async), Some(LaunchFault::Lost), None]);
        let allocations: Vec<_> = (0..3).map(|_| plan.next_allocation_fails()).collect();
        assert_eq!(allocations, [false, true, false]);
        assert_eq!([(); 2].map(|()| plan.next_lock_fails()), [true, false]);
        for wrong in ["launch:2", "launch:x:hang", "alloc:1:oom:2", "queue:1:hang"] {
            assert_eq!(Fault::parse(wrong), None, "{wrong}");
        }
    }
}
