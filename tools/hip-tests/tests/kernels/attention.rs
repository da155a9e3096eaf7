//! Attention over the paged cache, decoding and of prompts.

use tyto_graph::{DType, KvType};
use tyto_kernel_cases::attention::{Attention, AttentionStep, Span, TYPES, types};
use tyto_phase_program::StepSizes;

use crate::attention_case::AttentionCase;
use crate::random::Random;
use crate::runner::options;

fn check(attention: Attention, sizes: StepSizes, spans: &[Span], turn: usize) {
    let mut random = Random::new(turn as u64 + 31);
    let case = AttentionCase::of(AttentionStep::new(attention, sizes, spans, &mut random));
    let (expected, states) = case.step.interpreted();
    let tolerance = attention.tolerance(case.step.longest);
    let (width, options) = (case.step.width(), options(turn));
    let mut cache = case.cache();
    let found = case.run(&options, &mut cache);
    let what = format!(
        "{attention:?} {sizes:?} {spans:?} {:?} {:?} {:?}",
        options.schedule,
        options.numerics,
        case.kernels()
    );
    let pairs = found.iter().zip(&expected).take(case.step.cells() * width);
    for (index, (found, expected)) in pairs.enumerate() {
        assert!(
            (found - expected).abs() <= tolerance,
            "{what}: cell {} column {} is {found}, not {expected}",
            index / width,
            index % width
        );
    }
    case.check_cache(&cache, &states, &what);
}

fn attention(heads: usize, kv_heads: usize, dim: usize) -> Attention {
    let kv = KvType::Float(DType::F32);
    let (window, soft_cap, sinks) = (None, None, None);
    Attention { kv, heads, kv_heads, dim, window, soft_cap, sinks }
}

/// With every type of cache that heads of this size have, each in an order and a way of its own.
fn decode(attention: Attention, batch: usize, positions: &[usize], turn: usize) {
    let sizes = StepSizes { batch, tokens: 1, rows: batch };
    let spans: Vec<Span> = positions.iter().map(|start| Span { start: *start, count: 1 }).collect();
    for (index, kv) in types(attention.dim).enumerate() {
        check(Attention { kv, ..attention }, sizes, &spans, turn + index);
    }
}

#[test]
fn decoding_at_any_position() {
    decode(attention(1, 1, 16), 1, &[0], 0);
    decode(attention(2, 2, 16), 4, &[0, 15, 16, 1], 1);
    decode(attention(3, 1, 64), 2, &[5, 700], 2);
    decode(attention(8, 1, 80), 2, &[130, 63], 3);
    decode(attention(8, 2, 128), 1, &[250], 4);
    decode(attention(5, 1, 256), 1, &[140], 5);
    decode(attention(5, 1, 6), 2, &[129, 191], 6);
    decode(attention(6, 1, 12), 1, &[33], 7);
    decode(attention(1, 1, 32), 1, &[2100], 8);
}

/// Rows of a decode that follow one another in one sequence see each other, and are the same bits as
/// one after the other: the cache's as well.
#[test]
fn rows_of_one_sequence_are_what_they_are_one_by_one() {
    let spans = [(298, 3), (40, 1), (14, 4)].map(|(start, count)| Span { start, count });
    let sizes = StepSizes { batch: 8, tokens: 1, rows: 8 };
    for (turn, kv) in TYPES.into_iter().enumerate() {
        let window = [None, Some(9)][turn % 2];
        let attention = Attention { kv, window, ..attention(4, 2, 64) };
        check(attention, sizes, &spans, turn);
        let mut case =
            AttentionCase::of(AttentionStep::new(attention, sizes, &spans, &mut Random::new(92)));
        let (cells, width) = (case.step.cells(), case.step.width());
        let together = case.step.arguments.clone();
        let (mut cache, mut expected) = (case.cache(), Vec::new());
        let mut own = cache.clone();
        for cell in 0..cells {
            case.step.arguments = together.alone(cell);
            let found = case.run(&options(cell), &mut cache);
            expected.extend(found[..width].iter().map(|value| value.to_bits()));
        }
        case.step.arguments = together;
        let found = case.run(&options(turn + 1), &mut own);
        let found: Vec<u32> = found[..cells * width].iter().map(|value| value.to_bits()).collect();
        assert_eq!(found, expected, "{attention:?}");
        assert_eq!(own, cache, "{attention:?}: the cache");
    }
}

/// As latent attention has them; between the sizes of two kinds of kernels, with all that scores may have.
#[test]
fn wide_heads() {
    decode(attention(5, 1, 576), 1, &[36], 0);
    prefill(attention(2, 1, 576), 14, 3, 1, 0);
    let all = Attention { window: Some(20), sinks: Some(3.0), ..attention(2, 1, 288) };
    decode(all, 2, &[33, 2], 5);
    prefill(all, 30, 3, 0, 6);
}

#[test]
fn decoding_behind_a_window_or_a_soft_cap() {
    for (turn, window) in [1, 7, 16, 17, 100, 5000].into_iter().enumerate() {
        let windowed = Attention { window: Some(window), ..attention(3, 1, 32) };
        decode(windowed, 3, &[0, 33, 400], turn);
    }
    let capped = Attention { soft_cap: Some(3.0), ..attention(4, 1, 80) };
    decode(Attention { window: Some(40), soft_cap: Some(50.0), ..capped }, 2, &[17, 90], 10);
}

/// Padding is skipped.
#[test]
fn decoding_in_batches_with_padding() {
    decode(attention(4, 2, 64), 16, &[0, 3, 64, 91, 20], 0);
    decode(attention(3, 1, 16), 3, &[40], 1);
}

fn prefill(attention: Attention, start: usize, count: usize, padding: usize, turn: usize) {
    let tokens = count + padding;
    let sizes = StepSizes { batch: 1, tokens, rows: tokens };
    for (index, kv) in types(attention.dim).enumerate() {
        check(Attention { kv, ..attention }, sizes, &[Span { start, count }], turn + index);
    }
}

#[test]
fn prompts_in_chunks_from_anywhere() {
    prefill(attention(2, 1, 16), 0, 2, 0, 0);
    prefill(attention(3, 1, 64), 0, 40, 0, 1);
    prefill(attention(2, 2, 32), 5, 33, 3, 2);
    prefill(attention(4, 2, 80), 16, 7, 1, 3);
    prefill(attention(2, 1, 96), 20, 18, 1, 8);
    prefill(attention(4, 1, 128), 100, 34, 2, 4);
    prefill(attention(2, 1, 256), 77, 19, 0, 5);
    prefill(attention(3, 3, 6), 15, 18, 5, 6);
    prefill(attention(2, 1, 24), 8, 9, 0, 7);
}

#[test]
fn prompts_behind_a_window_or_a_soft_cap() {
    for (turn, window) in [1, 7, 16, 30, 64].into_iter().enumerate() {
        let windowed = Attention { window: Some(window), ..attention(2, 1, 32) };
        prefill(windowed, 0, 20, 1, turn);
        prefill(windowed, 77, 30, 0, turn + 1);
    }
    let capped = Attention { window: Some(20), soft_cap: Some(4.0), ..attention(4, 1, 80) };
    prefill(capped, 30, 19, 2, 9);
}

/// Sinks below, among and far above the scores, and of -inf, with and without window and cap.
#[test]
fn sinks_take_their_part_of_the_weights() {
    for (turn, first) in [-30.0, 3.0, 60.0, f32::NEG_INFINITY].into_iter().enumerate() {
        let plain = Attention { sinks: Some(first), ..attention(3, 1, 32) };
        let both = Attention { window: Some(40), soft_cap: Some(5.0), ..plain };
        for attention in [plain, both] {
            decode(attention, 2, &[0, 170], turn);
            prefill(attention, 20, 21, 2, turn + 1);
        }
    }
}

/// The first token's row where all its scores overflow, with these sinks.
fn overflowing(sinks: Option<f32>, tokens: usize, kv: KvType) -> [Vec<f32>; 2] {
    let sizes = StepSizes { batch: 1, tokens, rows: tokens };
    let spans = [Span { start: 0, count: tokens }];
    let attention = Attention { kv, sinks, ..attention(4, 2, 32) };
    let step = AttentionStep::new(attention, sizes, &spans, &mut Random::new(81));
    let case = AttentionCase::of(step.with_token(0, [1e37, -1e25, 1.0]));
    let (expected, _) = case.step.interpreted();
    let found = case.run(&options(tokens), &mut case.cache());
    [found, expected].map(|row| row[..case.step.width()].to_vec())
}

/// With a sink there is a softmax even where every score has overflowed: all weight is the sink's.
#[test]
fn a_sink_takes_all_where_scores_overflow() {
    for kv in TYPES {
        for tokens in [1, 3] {
            for row in overflowing(Some(0.0), tokens, kv) {
                assert!(row.iter().all(|value| *value == 0.0), "{kv} {tokens}: {row:?}");
            }
        }
    }
}

/// Where all scores of a token overflow to -inf there is no softmax: that is NaN, not zeros.
#[test]
fn scores_that_overflow_show() {
    for kv in TYPES {
        for tokens in [1, 3] {
            for row in overflowing(None, tokens, kv) {
                assert!(row.iter().all(|value| value.is_nan()), "{kv} {tokens}: {row:?}");
            }
        }
    }
}

/// A token that is NaN, or whose value alone is infinite, shows in every token that sees it, and in
/// no other.
#[test]
fn a_nan_shows_where_it_is_seen() {
    let batch = StepSizes { batch: 3, tokens: 1, rows: 3 };
    let chunk = StepSizes { batch: 1, tokens: 25, rows: 25 };
    let decoding = [40, 3, 30].map(|start| Span { start, count: 1 });
    let prompt = [Span { start: 21, count: 25 }];
    let mut turn = 0;
    for kv in TYPES {
        for (window, token) in [(None, [f32::NAN; 3]), (Some(9), [0.5, 0.5, f32::INFINITY])] {
            let attention = Attention { kv, window, ..attention(3, 1, 32) };
            for (sizes, spans, broken) in [(batch, &decoding[..], 1), (chunk, &prompt, 10)] {
                turn += 1;
                let step = AttentionStep::new(attention, sizes, spans, &mut Random::new(71));
                let case = AttentionCase::of(step.with_token(broken, token));
                let (expected, _) = case.step.interpreted();
                assert!(expected.iter().any(|value| !value.is_finite()), "the NaN is seen");
                let found = case.run(&options(turn), &mut case.cache());
                for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    let close = (found - expected).abs() <= attention.tolerance(50);
                    assert!(
                        close || !found.is_finite() && !expected.is_finite(),
                        "{attention:?} {:?}: cell {} is {found}, not {expected}",
                        case.kernels(),
                        index / case.step.width()
                    );
                }
            }
        }
    }
}

/// A sequence that went wrong leaves its keys and values in blocks; whoever gets the blocks
/// next sees nothing of it.
#[test]
fn recycled_blocks_hide_what_they_held() {
    let sizes = StepSizes { batch: 1, tokens: 1, rows: 1 };
    for (turn, kv) in TYPES.into_iter().enumerate() {
        let attention = Attention { kv, ..attention(3, 1, 64) };
        for (first, second) in [(9, 4), (30, 20)] {
            let new = |start| {
                let spans = [Span { start, count: 1 }];
                AttentionStep::new(attention, sizes, &spans, &mut Random::new(51))
            };
            let broken = AttentionCase::of(new(first).with_nan_token(0));
            let mut next = new(first);
            // The second sequence takes over the same blocks; it is shorter.
            next.arguments.positions[0] = second as i32;
            let slot = second % 16;
            next.arguments.slots = vec![next.arguments.tables[second / 16], slot as i32];
            let next = AttentionCase::of(next);
            let (expected, _) = next.step.interpreted();
            let mut cache = broken.cache();
            let found = broken.run(&options(turn), &mut cache);
            assert!(found.iter().all(|value| value.is_nan()), "{kv}: NaN hides");
            let found = next.run(&options(turn + 1), &mut cache);
            for (found, expected) in found.iter().zip(&expected) {
                let close = (found - expected).abs() <= attention.tolerance(second);
                assert!(close, "{kv}: {found}, not {expected}");
            }
        }
    }
}
