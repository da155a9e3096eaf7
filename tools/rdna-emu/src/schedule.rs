//! In which order waves run.
//!
//! A kernel without races gives the same in every order. Running it in several shows those that have one.

use crate::machine::wave::{State, Wave};

/// An order of waves and workgroups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// Each wave runs until it waits; the first one first.
    InOrder,
    /// The same, the last one first, of workgroups too.
    Reversed,
    /// One instruction of each wave in turn.
    Interleaved,
    /// Bursts of random length of random waves, and workgroups in random order, by a seed.
    Random(u64),
}

impl Schedule {
    /// One of each kind, for tests that compare them.
    pub const SAMPLE: [Schedule; 5] = [
        Schedule::InOrder,
        Schedule::Reversed,
        Schedule::Interleaved,
        Schedule::Random(1),
        Schedule::Random(2),
    ];

    /// The numbers of `count` things that nothing orders, as workgroups of a launch, in the order in which they begin.
    pub fn order(self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        match self {
            Schedule::InOrder | Schedule::Interleaved => {}
            Schedule::Reversed => order.reverse(),
            Schedule::Random(seed) => {
                let mut random = Random::new(seed);
                for last in (1..count).rev() {
                    order.swap(last, random.below(last + 1));
                }
            }
        }
        order
    }
}

/// Chooses the next wave of a workgroup.
pub(crate) struct Order {
    schedule: Schedule,
    last: usize,
    random: Random,
}

impl Order {
    pub(crate) fn new(schedule: Schedule, workgroup: usize) -> Self {
        let seed = match schedule {
            Schedule::Random(seed) => seed.wrapping_add(workgroup as u64),
            _ => 0,
        };
        Order { schedule, last: usize::MAX, random: Random::new(seed) }
    }

    /// The wave that runs next; none when all have ended.
    pub(crate) fn next(&mut self, waves: &[Wave]) -> Option<usize> {
        let ready = |index: &usize| waves[*index].state == State::Ready;
        let count = waves.len();
        // Waves take turns also where each runs until it waits: one may wait for another's memory.
        let turn = |from: usize| (0..count).map(move |step| (from + step) % count);
        let next = match self.schedule {
            Schedule::InOrder | Schedule::Interleaved => {
                turn(self.last.wrapping_add(1) % count).find(ready)
            }
            Schedule::Reversed => {
                let from = if self.last == usize::MAX { 0 } else { count - self.last };
                turn(from % count).map(|index| count - 1 - index).find(ready)
            }
            Schedule::Random(_) => turn(self.random.below(count)).find(ready),
        };
        self.last = next?;
        next
    }

    /// How many instructions the chosen wave runs at most.
    pub(crate) fn steps(&mut self) -> u64 {
        match self.schedule {
            Schedule::InOrder | Schedule::Reversed => u64::MAX,
            Schedule::Interleaved => 1,
            Schedule::Random(_) => 1 + self.random.below(20) as u64,
        }
    }
}

/// A small generator (xorshift64*), so that a seed gives the same order everywhere.
struct Random {
    state: u64,
}

impl Random {
    fn new(seed: u64) -> Self {
        Random { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        ((self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize) % limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schedule_runs_every_workgroup_once() {
        for schedule in Schedule::SAMPLE {
            let mut order = schedule.order(37);
            assert_eq!(
                order == (0..37).collect::<Vec<_>>(),
                matches!(schedule, Schedule::InOrder | Schedule::Interleaved)
            );
            order.sort_unstable();
            assert_eq!(order, (0..37).collect::<Vec<_>>());
        }
        assert_ne!(Schedule::Random(1).order(37), Schedule::Random(2).order(37));
    }
}
