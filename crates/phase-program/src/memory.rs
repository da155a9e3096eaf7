//! Addresses for shared buffers: two may overlap when no phase uses both.

use crate::abi::COUNTER_BYTES;
use crate::program::{Attention, Linear, Mixtures, Over, Phase, Place, Recurrences, Scan};

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
        mixtures: &Mixtures,
        recurrences: &Recurrences,
    ) -> Self {
        let lives = lives(sizes.len(), phases, linears, attentions, mixtures, recurrences);
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
    mixtures: &Mixtures,
    recurrences: &Recurrences,
) -> Vec<Life> {
    let mut lives: Vec<Life> = vec![None; count];
    for (index, phase) in phases.iter().enumerate() {
        let places = places(phase, linears, attentions, mixtures, recurrences);
        for buffer in places.into_iter().filter_map(Place::buffer) {
            let (first, _) = lives[buffer].unwrap_or((index, index));
            lives[buffer] = Some((first, index));
        }
    }
    lives
}

/// Every place that a phase reads or writes.
pub(crate) fn places(
    phase: &Phase,
    linears: &[Linear],
    attentions: &[Attention],
    mixtures: &Mixtures,
    recurrences: &Recurrences,
) -> Vec<Place> {
    use crate::abi::{PhaseKind, RowKind};
    let mut places: Vec<Place> = Vec::new();
    if let Over::Routed(route) = phase.over {
        places.push(mixtures.routes[route].table);
    }
    // On machines that do both phases at once, the first writes what the second would.
    places.extend(phase.joined.map(|joined| joined.packed));
    for op in &phase.ops {
        places.extend([op.dst.place, op.a.place, op.b.place]);
        if op.kind == RowKind::Combine {
            places.push(attentions[op.p[0] as usize].out);
        }
        if op.kind == RowKind::Weighted && op.p[1] > 0 {
            places.push(mixtures.routes[op.p[1] as usize - 1].table);
        }
    }
    match phase.kind {
        PhaseKind::Rows | PhaseKind::Digest | PhaseKind::Weigh => {}
        PhaseKind::Linear => {
            let linear = &linears[phase.kernel];
            places.extend([linear.packed, linear.y]);
        }
        PhaseKind::Prefill | PhaseKind::Decode => {
            let Attention { q, k, v, out, .. } = &attentions[phase.kernel];
            places.extend([q.place, k.place, v.place, *out]);
        }
        PhaseKind::Route => {
            let route = &mixtures.routes[phase.kernel];
            places.extend([route.scores.place, route.ids, route.table]);
        }
        PhaseKind::Experts => {
            let linear = &mixtures.experts[phase.kernel].linear;
            places.extend([linear.packed, linear.y]);
        }
        PhaseKind::Conv => {
            let conv = &recurrences.convs[phase.kernel];
            places.extend([conv.x.place, conv.out.place]);
        }
        PhaseKind::Scan => {
            let Scan { v, k, q, dt, gate, out, .. } = &recurrences.scans[phase.kernel];
            places.extend([v, k, q, dt, gate, out].map(|rows| rows.place));
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
    use super::{Addresses, first_gap};
    use crate::abi::{COUNTER_BYTES, PhaseKind, RowKind};
    use crate::program::{
        Attention, Linear, Mixtures, Over, Phase, Place, Recurrences, RowOp, Rows,
    };

    #[test]
    fn gaps_are_found_between_before_and_after() {
        assert_eq!(first_gap(0, 10, &[]), 0);
        assert_eq!(first_gap(0, 10, &[(10, 20)]), 0);
        assert_eq!(first_gap(0, 11, &[(10, 20)]), 20);
        assert_eq!(first_gap(0, 10, &[(0, 5), (15, 20)]), 5);
        assert_eq!(first_gap(0, 10, &[(0, 50), (10, 20), (60, 70)]), 50);
    }

    /// A random program: sizes of buffers, its parts, and which phases use each buffer.
    #[derive(Default)]
    struct Random {
        state: u64,
        sizes: Vec<u64>,
        phases: Vec<Phase>,
        linears: Vec<Linear>,
        attentions: Vec<Attention>,
        uses: Vec<Vec<usize>>,
    }

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.state >> 33) as usize % end
        }

        /// A place in a buffer that the phase `phase` uses; mostly one of the last.
        fn place(&mut self, phase: usize) -> Place {
            let fresh = self.sizes.is_empty() || self.below(2) == 0;
            if fresh {
                let size = self.below(3000) as u64 + 1;
                self.sizes.push(size);
                self.uses.push(Vec::new());
            }
            let back = if fresh { 0 } else { self.below(self.sizes.len().min(6)) };
            let buffer = self.sizes.len() - 1 - back;
            self.uses[buffer].push(phase);
            Place::Shared { buffer, offset: 0 }
        }

        fn phase(&mut self, index: usize) {
            let mut ops = Vec::new();
            for _ in 0..self.below(4) {
                let [dst, a, b] = [0; 3].map(|_| Rows::one(self.place(index)));
                ops.push(RowOp::new(RowKind::Binary, 1, dst, a, b));
            }
            if !self.attentions.is_empty() && self.below(3) == 0 {
                let attention = self.below(self.attentions.len());
                let out = self.attentions[attention].out.buffer().expect("a buffer");
                self.uses[out].push(index);
                let mut op = RowOp::new(RowKind::Combine, 1, Rows::NONE, Rows::NONE, Rows::NONE);
                op.p[0] = attention as u32;
                ops.push(op);
            }
            let (kind, kernel) = match self.below(3) {
                0 => (PhaseKind::Rows, 0),
                1 => {
                    let (packed, y) = (self.place(index), self.place(index));
                    let name = String::new();
                    let (format, n, k, y_stride, weights, x_stride) = (0, 1, 1, 1, 0, 0);
                    self.linears.push(Linear {
                        name,
                        format,
                        n,
                        k,
                        y_stride,
                        weights,
                        packed,
                        y,
                        x_stride,
                        heads: None,
                    });
                    (PhaseKind::Linear, self.linears.len() - 1)
                }
                _ => {
                    let [q, k, v] = [0; 3].map(|_| Rows::one(self.place(index)));
                    let (fixed, out) = (crate::abi::Attention::default(), self.place(index));
                    self.attentions.push(Attention { fixed, q, k, v, out });
                    (PhaseKind::Decode, self.attentions.len() - 1)
                }
            };
            let over = Over::Tokens;
            self.phases.push(Phase::new(kind, over, ops, kernel));
        }

        fn program(seed: u64) -> Self {
            let mut random = Self { state: seed, ..Self::default() };
            for index in 0..random.below(30) + 1 {
                random.phase(index);
            }
            random
        }

        /// Whether a phase at or between uses of both exists.
        fn live_together(&self, one: usize, other: usize) -> bool {
            (0..self.phases.len()).any(|phase| {
                [one, other].iter().all(|buffer| {
                    let uses = &self.uses[*buffer];
                    uses.iter().any(|at| *at <= phase) && uses.iter().any(|at| *at >= phase)
                })
            })
        }
    }

    #[test]
    fn buffers_that_live_together_do_not_overlap() {
        let mut saved = 0;
        for seed in 0..200 {
            let program = Random::program(seed);
            let Random { sizes, phases, linears, attentions, .. } = &program;
            let none = Recurrences::default();
            let addresses =
                Addresses::new(sizes, phases, linears, attentions, &Mixtures::default(), &none);
            let span = |buffer: usize| {
                let begin = addresses.offsets[buffer];
                begin..begin + sizes[buffer]
            };
            for one in 0..sizes.len() {
                let own = span(one);
                assert_eq!(own.start % 64, 0, "program {seed}: buffer {one} is aligned");
                assert!(own.start >= phases.len() as u64 * COUNTER_BYTES, "beside the counters");
                assert!(own.end <= addresses.total, "program {seed}: buffer {one} is in the total");
                for other in (0..one).filter(|other| program.live_together(one, *other)) {
                    let theirs = span(other);
                    let apart = own.end <= theirs.start || theirs.end <= own.start;
                    assert!(apart, "program {seed}: buffers {one} and {other} overlap");
                }
            }
            let all: u64 = sizes.iter().map(|size| size.next_multiple_of(64)).sum();
            saved += u64::from(addresses.total < all);
        }
        assert!(saved > 50, "memory of buffers that are gone is used again");
    }
}
