//! Addresses for shared buffers: two may overlap when no phase uses both.

use crate::abi::COUNTER_BYTES;
use crate::program::{Attention, Linear, Phase, Place};

/// Where each buffer is, and how much they take with the counters before them.
pub(crate) struct Addresses {
    offsets: Vec<u64>,
    pub(crate) total: u64,
}

impl Addresses {
    /// Lays `sizes` out. A buffer lives from the first to the last phase that names it. A
    /// worker that comes late may read one that is gone, but only before it has claimed a
    /// chunk, and then it throws away what it made of it.
    pub(crate) fn new(
        sizes: &[u64],
        phases: &[Phase],
        linears: &[Linear],
        attentions: &[Attention],
    ) -> Self {
        let lives = lives(sizes.len(), phases, linears, attentions);
        let begin = phases.len() as u64 * COUNTER_BYTES;
        let mut order: Vec<usize> =
            (0..sizes.len()).filter(|buffer| lives[*buffer].is_some()).collect();
        // Large ones first, so that small ones fill what is left.
        order.sort_by_key(|buffer| (std::cmp::Reverse(sizes[*buffer]), *buffer));
        let mut offsets = vec![begin; sizes.len()];
        let mut placed: Vec<usize> = Vec::new();
        let mut total = begin;
        for buffer in order {
            let size = sizes[buffer].next_multiple_of(64);
            let mut taken: Vec<(u64, u64)> = (placed.iter())
                .filter(|other| overlap(lives[buffer], lives[**other]))
                .map(|other| {
                    (offsets[*other], offsets[*other] + sizes[*other].next_multiple_of(64))
                })
                .collect();
            taken.sort_unstable();
            offsets[buffer] = first_gap(begin, size, &taken);
            total = total.max(offsets[buffer] + size);
            placed.push(buffer);
        }
        Self { offsets, total }
    }

    /// The address of a place.
    pub(crate) fn resolve(&self, place: Place) -> u64 {
        match place {
            Place::At(space, offset) => space.at(offset),
            Place::Shared { buffer, offset } => {
                crate::abi::Space::Shared.at(self.offsets[buffer] + offset)
            }
            Place::None => 0,
        }
    }
}

type Life = Option<(usize, usize)>;

fn lives(
    count: usize,
    phases: &[Phase],
    linears: &[Linear],
    attentions: &[Attention],
) -> Vec<Life> {
    let mut lives: Vec<Life> = vec![None; count];
    for (index, phase) in phases.iter().enumerate() {
        for buffer in places(phase, linears, attentions).into_iter().filter_map(Place::buffer) {
            let (first, _) = lives[buffer].unwrap_or((index, index));
            lives[buffer] = Some((first, index));
        }
    }
    lives
}

/// Every place that a phase reads or writes.
fn places(phase: &Phase, linears: &[Linear], attentions: &[Attention]) -> Vec<Place> {
    use crate::abi::{PhaseKind, RowKind};
    let mut places: Vec<Place> = Vec::new();
    for op in &phase.ops {
        places.extend([op.dst.place, op.a.place, op.b.place]);
        if op.kind == RowKind::Combine {
            places.push(attentions[op.p[0] as usize].out);
        }
    }
    match phase.kind {
        PhaseKind::Rows => {}
        PhaseKind::Linear => {
            let linear = &linears[phase.kernel];
            places.extend([linear.packed, linear.y]);
        }
        PhaseKind::Prefill | PhaseKind::Decode => {
            let Attention { q, k, v, out, .. } = &attentions[phase.kernel];
            places.extend([q.place, k.place, v.place, *out]);
        }
    }
    places
}

fn overlap(one: Life, other: Life) -> bool {
    match (one, other) {
        (Some((first, last)), Some((other_first, other_last))) => {
            first <= other_last && other_first <= last
        }
        _ => false,
    }
}

/// The first place at or after `begin` where `size` bytes are free; `taken` is sorted.
fn first_gap(begin: u64, size: u64, taken: &[(u64, u64)]) -> u64 {
    let mut at = begin;
    for (from, to) in taken {
        if at + size <= *from {
            break;
        }
        at = at.max(*to);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::first_gap;

    #[test]
    fn gaps_are_found_between_before_and_after() {
        assert_eq!(first_gap(0, 10, &[]), 0);
        assert_eq!(first_gap(0, 10, &[(10, 20)]), 0);
        assert_eq!(first_gap(0, 11, &[(10, 20)]), 20);
        assert_eq!(first_gap(0, 10, &[(0, 5), (15, 20)]), 5);
        assert_eq!(first_gap(0, 10, &[(0, 50), (10, 20), (60, 70)]), 50);
    }
}
