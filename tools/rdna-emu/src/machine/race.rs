//! Accesses to the same byte that nothing orders.
//!
//! Two accesses race when one of them writes, not both are atomic, and neither a wave's own order nor a barrier of the
//! workgroup between them says which comes first. Workgroups have no order among each other. Kernels that order
//! workgroups by atomics of their own are beyond this: the detector of global memory reports them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// One access of one lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// The workgroup's number in the grid.
    pub workgroup: usize,
    /// The wave's number in the workgroup.
    pub wave: usize,
    /// The lane.
    pub lane: usize,
    /// The instruction's place in the program.
    pub at: usize,
    /// How many barriers the workgroup has passed.
    pub epoch: usize,
    /// Whether it writes.
    pub writes: bool,
    /// Whether it is one atomic operation.
    pub atomic: bool,
}

impl Access {
    fn races_with(&self, other: &Access) -> bool {
        let is_ordered = self.workgroup == other.workgroup
            && (self.wave == other.wave || self.epoch != other.epoch);
        (self.writes || other.writes) && !(self.atomic && other.atomic) && !is_ordered
    }

    fn is_same_reader(&self, other: &Access) -> bool {
        self.workgroup == other.workgroup && self.wave == other.wave && self.epoch == other.epoch
    }
}

/// What was last done to a byte.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    writer: Option<Access>,
    /// The last reader, and the last one of another wave: whoever writes next races with one of them, if with any.
    readers: [Option<Access>; 2],
}

/// The bytes that were accessed.
#[derive(Debug, Default)]
pub struct Shadow {
    cells: HashMap<u64, Cell, BuildHasherDefault<Spread>>,
}

/// Spreads addresses over a table. They come from a test's own kernel: no one attacks the table.
#[derive(Debug, Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

impl Shadow {
    /// Remembers an access. Returns an earlier one that it races with.
    pub fn record(&mut self, address: u64, size: usize, access: Access) -> Option<Access> {
        let bytes = address..address + size as u64;
        bytes.fold(None, |found, byte| found.or(self.record_byte(byte, access)))
    }

    fn record_byte(&mut self, byte: u64, access: Access) -> Option<Access> {
        let cell = self.cells.entry(byte).or_default();
        let earlier = [cell.writer, cell.readers[0], cell.readers[1]];
        let found = earlier.into_iter().flatten().find(|earlier| access.races_with(earlier));
        if access.writes {
            *cell = Cell { writer: Some(access), readers: [None; 2] };
        } else if cell.readers[0].is_some_and(|reader| access.is_same_reader(&reader)) {
            cell.readers[0] = Some(access);
        } else {
            cell.readers = [Some(access), cell.readers[0]];
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(wave: usize, epoch: usize, writes: bool) -> Access {
        Access { workgroup: 0, wave, lane: 0, at: 0, epoch, writes, atomic: false }
    }

    #[test]
    fn barriers_and_a_waves_own_order_prevent_races() {
        let mut shadow = Shadow::default();
        assert_eq!(shadow.record(8, 4, access(0, 0, true)), None);
        assert_eq!(shadow.record(8, 4, access(0, 0, false)), None);
        assert_eq!(shadow.record(8, 4, access(1, 1, false)), None);
        assert_eq!(shadow.record(8, 4, access(2, 1, false)), None);
        assert_eq!(shadow.record(8, 4, access(1, 2, true)), None);
    }

    #[test]
    fn what_nothing_orders_is_found() {
        let mut shadow = Shadow::default();
        assert_eq!(shadow.record(0, 4, access(0, 0, true)), None);
        assert_eq!(shadow.record(3, 4, access(1, 0, false)), Some(access(0, 0, true)));
        assert_eq!(shadow.record(5, 1, access(2, 0, true)), Some(access(1, 0, false)));
        let atomic = |wave| Access { atomic: true, ..access(wave, 1, true) };
        assert_eq!(shadow.record(16, 4, atomic(0)), None);
        assert_eq!(shadow.record(16, 4, atomic(1)), None);
        assert!(shadow.record(16, 4, access(2, 1, false)).is_some());
        let elsewhere = Access { workgroup: 1, ..access(0, 7, true) };
        assert!(shadow.record(16, 4, elsewhere).is_some());
    }
}
