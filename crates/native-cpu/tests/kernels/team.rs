//! What programs tell their team: where the time went, and that its scratch is too small.

use tyto_graph::{DType, KvCode, KvType};
use tyto_native_team::{PhaseTime, Team};
use tyto_phase_program::{Program, StepSizes};

use crate::attention_case::{Attention, AttentionCase, Span};
use crate::random::Random;
use crate::runner::{GARBAGE, machines};

const ROWS: u32 = 0;
const PREFILL: u32 = 2;
const DECODE: u32 = 3;

fn case(kv: KvType, sizes: StepSizes, spans: &[Span]) -> AttentionCase {
    let (window, soft_cap, sinks) = (None, None, None);
    let attention = Attention { kv, heads: 6, kv_heads: 2, dim: 64, window, soft_cap, sinks };
    AttentionCase::new(attention, sizes, spans, &mut Random::new(5))
}

fn team(case: &AttentionCase, workers: usize) -> Team {
    let Program { shared_bytes, private_bytes, .. } = case.case().program;
    Team::without_amx(workers, shared_bytes, private_bytes).expect("memory and threads")
}

/// The times of a step, by its kinds of phases.
fn profiled(case: &AttentionCase, kinds: &[u32], turn: usize) -> Vec<PhaseTime> {
    let mut last = Vec::new();
    for (variant, workers) in machines(turn) {
        let mut team = team(case, workers);
        let profile = team.profile(100);
        assert_eq!(profile.last(), [], "nothing has run");
        let expected = case.run((variant, workers), &mut case.cache());
        // Twice, so that what a step leaves is seen not to add up.
        for _ in 0..2 {
            let cache = &mut case.cache();
            let found = case.case().run_by(&mut team, variant, &case.arguments, cache, GARBAGE);
            assert_eq!(found[..case.width()], expected[..case.width()], "{variant:?}");
        }
        last = profile.last();
        let found: Vec<u32> = last.iter().map(|phase| phase.kind).collect();
        assert_eq!(found, kinds, "{variant:?}");
        assert!(!team.had_no_room());
    }
    last
}

#[test]
fn a_profile_says_what_every_phase_read_and_computed() {
    let sizes = StepSizes { batch: 3, tokens: 1, rows: 3 };
    let spans = [40, 3, 300].map(|start| Span { start, count: 1 });
    let (f16, q8) = (KvType::Float(DType::F16), KvType::Code(KvCode::Q8_0));
    // 41, 4 and 301 keys and values of 2 heads of 64.
    for (kv, format, bytes) in [(f16, 1, 128), (q8, 8, 68)] {
        let phases = profiled(&case(kv, sizes, &spans), &[DECODE, ROWS], 0);
        let attention = phases[0];
        assert_eq!((attention.format, attention.rows), (format, 3));
        assert_eq!((attention.n, attention.k), (6, 64));
        assert_eq!(attention.bytes, 346 * 2 * 2 * bytes);
        assert_eq!(attention.operations, 346 * 4 * 6 * 64);
        assert_eq!((phases[1].bytes, phases[1].format), (0, 0));
    }
    // A prompt of 5 after 10 others: 15 keys and values are read, 11 to 15 seen.
    let sizes = StepSizes { batch: 1, tokens: 5, rows: 5 };
    let case = case(f16, sizes, &[Span { start: 10, count: 5 }]);
    let phases = profiled(&case, &[ROWS, PREFILL, ROWS], 1);
    assert_eq!(phases[1].bytes, 15 * 2 * 2 * 128);
    assert_eq!(phases[1].operations, (11 + 12 + 13 + 14 + 15) * 4 * 6 * 64);
}

/// A profile with less room than there are phases keeps the first.
#[test]
fn a_profile_without_room_keeps_the_first_phases() {
    let sizes = StepSizes { batch: 1, tokens: 1, rows: 1 };
    let case = case(KvType::Float(DType::F32), sizes, &[Span { start: 0, count: 1 }]);
    for (variant, workers) in machines(0) {
        let mut team = team(&case, workers);
        let profile = team.profile(1);
        case.case().run_by(&mut team, variant, &case.arguments, &mut case.cache(), GARBAGE);
        assert_eq!(profile.last().len(), 1);
    }
}

#[test]
fn scratch_that_is_too_small_is_refused_and_nothing_is_written() {
    let sizes = StepSizes { batch: 1, tokens: 1, rows: 1 };
    let case = case(KvType::Float(DType::F32), sizes, &[Span { start: 20, count: 1 }]);
    let Program { shared_bytes, private_bytes, .. } = case.case().program;
    assert!(private_bytes > 0, "the step has prologues");
    for (variant, workers) in machines(0) {
        for (shared, private) in [(shared_bytes - 1, private_bytes), (shared_bytes, 0)] {
            let mut team = Team::new(workers, shared, private).expect("memory and threads");
            let (before, mut cache) = (case.cache(), case.cache());
            let found =
                case.case().run_by(&mut team, variant, &case.arguments, &mut cache, GARBAGE);
            assert!(team.had_no_room(), "{variant:?}: {shared} and {private} bytes");
            assert!(found.iter().all(|value| value.is_nan()), "{variant:?}: logits were written");
            assert!(cache.bytes() == before.bytes(), "{variant:?}: the cache was written");
        }
    }
}
