//! How much memory the device has.

use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that may be used, and those that are.
#[derive(Debug)]
pub struct Budget {
    total: u64,
    used: AtomicU64,
    most: AtomicU64,
}

impl Budget {
    /// That many bytes.
    pub fn new(total: u64) -> Self {
        Budget { total, used: AtomicU64::new(0), most: AtomicU64::new(0) }
    }

    /// All bytes, used or not.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The bytes in use.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// The most bytes that were in use at a time.
    pub fn most(&self) -> u64 {
        self.most.load(Ordering::Relaxed)
    }

    /// Takes bytes; false, and nothing is taken, when there are not that many.
    pub fn take(&self, bytes: u64) -> bool {
        let fits = |used: u64| used.checked_add(bytes).filter(|sum| *sum <= self.total);
        match self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits) {
            Ok(before) => {
                self.most.fetch_max(before + bytes, Ordering::Relaxed);
                true
            }
            Err(_) => false,
        }
    }

    /// Gives bytes back that were taken.
    pub fn give(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_given_than_there_is() {
        let budget = Budget::new(100);
        assert!(budget.take(60) && !budget.take(41) && budget.take(40) && !budget.take(1));
        assert!(!budget.take(u64::MAX));
        budget.give(60);
        assert_eq!((budget.used(), budget.most(), budget.total()), (40, 100, 100));
    }
}
