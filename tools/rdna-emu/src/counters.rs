//! What kernels did, in numbers: the evidence for traffic and instruction counts where no time can be measured.

use std::collections::{BTreeMap, HashMap};
use std::ops::AddAssign;
use std::sync::Mutex;

use crate::machine::{Op, Space};

/// The classes of instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// Scalar arithmetic.
    Scalar,
    /// Vector arithmetic, with moves between lanes.
    Vector,
    /// Products of matrices over a wave.
    Matrix,
    /// Scalar loads.
    ScalarMemory,
    /// Global, flat, buffer and scratch memory.
    Memory,
    /// LDS.
    Shared,
    /// Branches, barriers, waits and hints.
    Control,
}

impl Class {
    /// All of them, in the order of [`Counts::instructions`].
    pub const ALL: [Class; 7] = [
        Class::Scalar,
        Class::Vector,
        Class::Matrix,
        Class::ScalarMemory,
        Class::Memory,
        Class::Shared,
        Class::Control,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Class::Scalar => "scalar",
            Class::Vector => "vector",
            Class::Matrix => "matrix",
            Class::ScalarMemory => "scalar_memory",
            Class::Memory => "memory",
            Class::Shared => "lds",
            Class::Control => "control",
        }
    }

    pub(crate) fn of(op: &Op) -> Self {
        match op {
            Op::Scalar(_) | Op::ScalarTest(_) | Op::Exec(..) | Op::GetPc | Op::GetMode(_) => {
                Class::Scalar
            }
            Op::SetMode(..) => Class::Scalar,
            Op::Nothing | Op::End | Op::Barrier | Op::Yield | Op::Branch(..) => Class::Control,
            Op::SetPc | Op::SwapPc | Op::Unknown(_) => Class::Control,
            Op::ScalarLoad(..) => Class::ScalarMemory,
            Op::Memory(Space::Shared, _) => Class::Shared,
            Op::Memory(..) => Class::Memory,
            Op::Matrix(_) => Class::Matrix,
            _ => Class::Vector,
        }
    }
}

/// Counts of launches of one kernel, or of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Launches.
    pub launches: u64,
    /// Workgroups.
    pub workgroups: u64,
    /// Waves.
    pub waves: u64,
    /// Instructions that waves ran, by [`Class::ALL`].
    pub instructions: [u64; Class::ALL.len()],
    /// Bytes of global memory that lanes and scalar loads read: each access counts.
    pub read_bytes: u64,
    /// Bytes of global memory that were written: each access counts, an atomic one here and above.
    pub written_bytes: u64,
    /// Bytes of global memory that were read at least once in a launch, in whole words. Only counted when
    /// [`Options::details`](crate::Options::details) asks for it.
    pub unique_read_bytes: u64,
    /// The same of written ones.
    pub unique_written_bytes: u64,
    /// Turns that LDS takes beyond the fewest, because words lie in one of its 32 banks. Only counted with details.
    pub bank_conflicts: u64,
}

impl Counts {
    /// The instructions of one class.
    pub fn of(&self, class: Class) -> u64 {
        self.instructions[class as usize]
    }

    /// The instructions of all classes.
    pub fn total(&self) -> u64 {
        self.instructions.iter().sum()
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.launches += other.launches;
        self.workgroups += other.workgroups;
        self.waves += other.waves;
        for (sum, count) in self.instructions.iter_mut().zip(other.instructions) {
            *sum += count;
        }
        self.read_bytes += other.read_bytes;
        self.written_bytes += other.written_bytes;
        self.unique_read_bytes += other.unique_read_bytes;
        self.unique_written_bytes += other.unique_written_bytes;
        self.bank_conflicts += other.bank_conflicts;
    }
}

/// Counts by the kernels' names.
#[derive(Debug, Default)]
pub struct Counters {
    kernels: Mutex<BTreeMap<String, Counts>>,
}

impl Counters {
    /// Adds counts to a kernel's.
    pub fn add(&self, kernel: &str, counts: Counts) {
        let mut kernels = self.kernels.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match kernels.get_mut(kernel) {
            Some(sum) => *sum += counts,
            None => {
                kernels.insert(kernel.to_owned(), counts);
            }
        }
    }

    /// The counts of each kernel so far, by name.
    pub fn kernels(&self) -> Vec<(String, Counts)> {
        let kernels = self.kernels.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kernels.iter().map(|(name, counts)| (name.clone(), *counts)).collect()
    }

    /// The counts of all kernels together.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.kernels().into_iter().for_each(|(_, counts)| total += counts);
        total
    }
}

/// The words that a launch touched.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    read: Words,
    written: Words,
}

impl Touched {
    pub(crate) fn record(&mut self, address: u64, size: usize, reads: bool, writes: bool) {
        for word in address / 4..(address + size as u64).div_ceil(4) {
            if reads {
                self.read.insert(word);
            }
            if writes {
                self.written.insert(word);
            }
        }
    }

    /// Adds what was touched, in bytes.
    pub(crate) fn count(&self, counts: &mut Counts) {
        counts.unique_read_bytes += 4 * self.read.count();
        counts.unique_written_bytes += 4 * self.written.count();
    }
}

/// Pieces of 64 words in one part of a set.
const PIECES: u64 = 64;

/// A set of words, as bits: launches touch long runs of them.
#[derive(Debug, Default)]
struct Words {
    parts: HashMap<u64, Box<[u64; PIECES as usize]>>,
}

impl Words {
    fn insert(&mut self, word: u64) {
        let (piece, bit) = (word / 64, word % 64);
        let part = self.parts.entry(piece / PIECES).or_insert_with(|| Box::new([0; _]));
        part[(piece % PIECES) as usize] |= 1 << bit;
    }

    fn count(&self) -> u64 {
        let pieces = self.parts.values().flat_map(|part| part.iter());
        pieces.map(|piece| u64::from(piece.count_ones())).sum()
    }
}

/// The turns beyond the fewest that these words of LDS take: a bank gives one word in a turn, to any number of lanes.
pub(crate) fn bank_conflicts(words: &mut Vec<u32>) -> u64 {
    words.sort_unstable();
    words.dedup();
    let mut banks = [0u64; 32];
    words.iter().for_each(|word| banks[*word as usize % 32] += 1);
    let turns = banks.into_iter().max().unwrap_or(0);
    turns.saturating_sub(words.len().div_ceil(32) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_give_one_word_in_a_turn() {
        let conflicts = |words: Vec<u32>| bank_conflicts(&mut words.clone());
        assert_eq!(conflicts((0..32).collect()), 0);
        assert_eq!(conflicts(vec![5; 32]), 0, "one word for all lanes");
        assert_eq!(conflicts((0..32).map(|lane| 2 * lane).collect()), 1);
        assert_eq!(conflicts((0..32).map(|lane| 32 * lane).collect()), 31);
        assert_eq!(conflicts((0..32).map(|lane| 33 * lane).collect()), 0, "padded");
        assert_eq!(conflicts((0..128).collect()), 0, "four words a lane take four turns anyway");
        assert_eq!(conflicts(vec![]), 0);
    }

    #[test]
    fn counts_add_up_by_kernel() {
        let counters = Counters::default();
        let counts =
            Counts { launches: 1, instructions: [1, 2, 3, 4, 5, 6, 7], ..Counts::default() };
        counters.add("a", counts);
        counters.add("a", counts);
        counters.add("b", counts);
        let kernels = counters.kernels();
        assert_eq!(kernels[0].1.of(Class::Matrix), 6);
        assert_eq!((kernels[1].0.as_str(), kernels[1].1), ("b", counts));
        assert_eq!((counters.total().total(), counters.total().launches), (3 * 28, 3));
    }

    #[test]
    fn a_word_that_is_touched_twice_counts_once() {
        let mut touched = Touched::default();
        touched.record(8, 8, true, false);
        touched.record(11, 2, true, true);
        let mut counts = Counts::default();
        touched.count(&mut counts);
        assert_eq!((counts.unique_read_bytes, counts.unique_written_bytes), (8, 8));
    }
}
