//! Memory pools: counts of what was taken from each. All share the device's memory.

use std::sync::Mutex;

use super::error::Error;
use crate::device::lock;

/// A pool.
#[derive(Debug, Default)]
pub struct Pool {
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    release_threshold: u64,
    used: u64,
    used_high: u64,
    /// Whether freed memory may be used again without waiting: three settings that nothing here depends on.
    reuse: [i32; 3],
}

/// `hipMemPoolAttr`.
const REUSE: std::ops::RangeInclusive<u32> = 1..=3;
const RELEASE_THRESHOLD: u32 = 4;
const RESERVED: u32 = 5;
const RESERVED_HIGH: u32 = 6;
const USED: u32 = 7;
const USED_HIGH: u32 = 8;

/// An attribute's value: some have 4 bytes, some 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attribute {
    Narrow(i32),
    Wide(u64),
}

impl Pool {
    /// Counts memory that is taken.
    pub fn take(&self, size: u64) {
        let mut counts = lock(&self.counts);
        counts.used += size;
        counts.used_high = counts.used_high.max(counts.used);
    }

    /// Counts memory that is given back.
    pub fn give(&self, size: u64) {
        let mut counts = lock(&self.counts);
        counts.used = counts.used.saturating_sub(size);
    }

    /// An attribute. Nothing is held in reserve, so what is reserved is what is used.
    pub fn attribute(&self, attribute: u32) -> Result<Attribute, Error> {
        let counts = lock(&self.counts);
        Ok(match attribute {
            _ if REUSE.contains(&attribute) => {
                Attribute::Narrow(counts.reuse[attribute as usize - 1])
            }
            RELEASE_THRESHOLD => Attribute::Wide(counts.release_threshold),
            RESERVED | USED => Attribute::Wide(counts.used),
            RESERVED_HIGH | USED_HIGH => Attribute::Wide(counts.used_high),
            _ => return Err(Error::InvalidValue),
        })
    }

    /// Sets an attribute, whose value has the attribute's width. High marks can only be set to 0.
    pub fn set_attribute(
        &self,
        attribute: u32,
        narrow: impl Fn() -> Result<i32, Error>,
        wide: impl Fn() -> Result<u64, Error>,
    ) -> Result<(), Error> {
        let mut counts = lock(&self.counts);
        match attribute {
            _ if REUSE.contains(&attribute) => counts.reuse[attribute as usize - 1] = narrow()?,
            RELEASE_THRESHOLD => counts.release_threshold = wide()?,
            RESERVED_HIGH | USED_HIGH if wide()? == 0 => counts.used_high = counts.used,
            _ => return Err(Error::InvalidValue),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_counts_what_is_taken_and_its_highest() {
        let pool = Pool::default();
        pool.take(100);
        pool.take(50);
        pool.give(100);
        assert_eq!(pool.attribute(USED), Ok(Attribute::Wide(50)));
        assert_eq!(pool.attribute(USED_HIGH), Ok(Attribute::Wide(150)));
        pool.set_attribute(USED_HIGH, || Ok(0), || Ok(0)).unwrap();
        assert_eq!(pool.attribute(USED_HIGH), Ok(Attribute::Wide(50)));
        assert!(pool.set_attribute(USED_HIGH, || Ok(0), || Ok(1)).is_err());
        assert!(pool.set_attribute(USED, || Ok(0), || Ok(0)).is_err());
        pool.set_attribute(2, || Ok(1), || Ok(7)).unwrap();
        assert_eq!(pool.attribute(2), Ok(Attribute::Narrow(1)));
    }
}
