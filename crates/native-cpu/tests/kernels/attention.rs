//! Attention over the paged cache, decoding and of prompts.

use tyto_graph::{DType, KvType};
use tyto_phase_program::StepSizes;

use crate::attention_case::{Attention, AttentionCase, Span, TYPES, types};
use crate::random::Random;
use crate::runner::{machines, same_bits};

const F32: KvType = KvType::Float(DType::F32);

fn check(attention: Attention, sizes: StepSizes, spans: &[Span], turn: usize) {
    let mut random = Random::new(turn as u64 + 31);
    let case = AttentionCase::new(attention, sizes, spans, &mut random);
    let (expected, states) = case.interpreted();
    let tolerance = attention.tolerance(case.longest);
    let width = case.width();
    for (machine, found, cache) in case.runs(machines(turn)) {
        let what = format!("{attention:?} {sizes:?} {spans:?} {machine}");
        let pairs = found.iter().zip(&expected).take(case.cells() * width);
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
}

fn attention(heads: usize, kv_heads: usize, dim: usize) -> Attention {
    let (window, soft_cap, sinks) = (None, None, None);
    Attention { kv: F32, heads, kv_heads, dim, window, soft_cap, sinks }
}

fn decode(attention: Attention, batch: usize, positions: &[usize], turn: usize) {
    let sizes = StepSizes { batch, tokens: 1, rows: batch };
    let spans: Vec<Span> = positions.iter().map(|start| Span { start: *start, count: 1 }).collect();
    for kv in types(attention.dim) {
        check(Attention { kv, ..attention }, sizes, &spans, turn);
    }
}

#[test]
fn decoding_at_any_position() {
    decode(attention(1, 1, 16), 1, &[0], 0);
    decode(attention(4, 4, 16), 5, &[0, 15, 16, 1999, 1], 1);
    decode(attention(3, 1, 64), 2, &[5, 700], 2);
    decode(attention(8, 1, 80), 3, &[300, 63, 64], 3);
    decode(attention(8, 2, 128), 2, &[1999, 1000], 4);
    decode(attention(8, 1, 256), 1, &[500], 5);
    decode(attention(5, 1, 6), 2, &[129, 191], 6);
    decode(attention(24, 2, 64), 1, &[1087], 7);
    decode(attention(2, 2, 512), 1, &[40], 8);
}

#[test]
fn decoding_behind_a_window_or_a_soft_cap() {
    for (turn, window) in [1, 2, 7, 16, 17, 100, 1500, 5000].into_iter().enumerate() {
        let windowed = Attention { window: Some(window), ..attention(6, 2, 64) };
        decode(windowed, 4, &[0, 6, 33, 1600], turn);
    }
    let capped = Attention { soft_cap: Some(3.0), ..attention(4, 1, 80) };
    decode(capped, 2, &[17, 250], 9);
    decode(Attention { window: Some(40), soft_cap: Some(50.0), ..capped }, 2, &[17, 250], 10);
}

/// Beyond eight sequences row operations are phases of their own; padding is skipped.
#[test]
fn decoding_in_large_batches_with_padding() {
    let positions: Vec<usize> = (0..11).map(|index| index * index * 7).collect();
    decode(attention(4, 2, 64), 16, &positions, 0);
    decode(attention(3, 1, 16), 12, &positions, 1);
    decode(attention(4, 2, 64), 8, &positions[..3], 2);
}

/// Rows of a decode that follow one another in one sequence see each other, and are the same bits as
/// one after the other: the cache's as well.
#[test]
fn rows_of_one_sequence_are_what_they_are_one_by_one() {
    let spans = [(1498, 3), (40, 1), (14, 4)].map(|(start, count)| Span { start, count });
    for kv in TYPES {
        for (window, batch) in [(None, 8), (Some(9), 8), (None, 16)] {
            let attention = Attention { kv, window, ..attention(8, 2, 64) };
            let sizes = StepSizes { batch, tokens: 1, rows: batch };
            check(attention, sizes, &spans, batch);
            let mut case = AttentionCase::new(attention, sizes, &spans, &mut Random::new(91));
            let (cells, width, together) = (case.cells(), case.width(), case.arguments.clone());
            for (variant, _) in machines(0) {
                let mut cache = case.cache();
                let mut expected = Vec::new();
                for cell in 0..cells {
                    case.arguments = together.alone(cell);
                    expected.extend_from_slice(&case.run((variant, 1), &mut cache)[..width]);
                }
                case.arguments = together.clone();
                for workers in [1, 2, 3, 7] {
                    let mut own = case.cache();
                    let found = case.run((variant, workers), &mut own);
                    let what = format!("{attention:?} {batch} {variant:?}: {workers} workers");
                    assert!(same_bits(&found[..cells * width], &expected), "{what}");
                    assert_eq!(own.bytes(), cache.bytes(), "{what}: the cache");
                }
            }
        }
    }
}

fn prefill(attention: Attention, start: usize, count: usize, padding: usize, turn: usize) {
    let tokens = count + padding;
    let sizes = StepSizes { batch: 1, tokens, rows: tokens };
    for kv in types(attention.dim) {
        check(Attention { kv, ..attention }, sizes, &[Span { start, count }], turn);
    }
}

#[test]
fn prompts_in_chunks_from_anywhere() {
    prefill(attention(2, 1, 16), 0, 2, 0, 0);
    prefill(attention(3, 1, 64), 0, 40, 0, 1);
    prefill(attention(4, 4, 64), 5, 33, 3, 2);
    prefill(attention(8, 2, 80), 16, 7, 1, 3);
    prefill(attention(8, 1, 128), 100, 70, 2, 4);
    prefill(attention(4, 1, 256), 517, 31, 0, 5);
    prefill(attention(3, 3, 6), 15, 18, 5, 6);
    prefill(attention(2, 1, 512), 8, 9, 0, 7);
}

#[test]
fn prompts_behind_a_window_or_a_soft_cap() {
    for (turn, window) in [1, 7, 16, 30, 64, 1000].into_iter().enumerate() {
        let windowed = Attention { window: Some(window), ..attention(6, 2, 64) };
        prefill(windowed, 0, 40, 1, turn);
        prefill(windowed, 77, 50, 0, turn + 1);
    }
    let capped = Attention { window: Some(20), soft_cap: Some(4.0), ..attention(4, 1, 80) };
    prefill(capped, 30, 35, 2, 9);
}

/// Sinks below, among and far above the scores, and of -inf, with and without window and cap.
#[test]
fn sinks_take_their_part_of_the_weights() {
    for (turn, first) in [-30.0, 0.0, 3.0, 60.0, f32::NEG_INFINITY].into_iter().enumerate() {
        let plain = Attention { sinks: Some(first), ..attention(6, 2, 64) };
        let both = Attention { window: Some(40), soft_cap: Some(5.0), ..plain };
        for attention in [plain, both] {
            decode(attention, 3, &[0, 17, 900], turn);
            prefill(attention, 20, 45, 2, turn + 1);
            prefill(attention, 0, 3, 0, turn + 2);
        }
    }
}

/// With a sink there is a softmax even where every score has overflowed: all weight is the sink's.
#[test]
fn a_sink_takes_all_where_scores_overflow() {
    for kv in TYPES {
        for tokens in [1, 3] {
            let sizes = StepSizes { batch: 1, tokens, rows: tokens };
            let spans = [Span { start: 0, count: tokens }];
            let attention = Attention { kv, sinks: Some(0.0), ..attention(4, 2, 32) };
            let case = AttentionCase::new(attention, sizes, &spans, &mut Random::new(81));
            let case = case.with_token(0, [1e37, -1e25, 1.0]);
            let (expected, _) = case.interpreted();
            for (machine, found, _) in case.runs(machines(tokens)) {
                for row in [&found, &expected] {
                    let first = &row[..case.width()];
                    assert!(first.iter().all(|value| *value == 0.0), "{kv} {machine}");
                }
            }
        }
    }
}

#[test]
fn bits_do_not_depend_on_workers() {
    let batch = StepSizes { batch: 3, tokens: 1, rows: 3 };
    let chunk = StepSizes { batch: 1, tokens: 70, rows: 70 };
    let decoding = [1500, 0, 300].map(|start| Span { start, count: 1 });
    for kv in TYPES {
        let attention = Attention { kv, sinks: Some(1.0), ..attention(8, 2, 64) };
        for (sizes, spans) in [(batch, &decoding[..]), (chunk, &[Span { start: 45, count: 70 }])] {
            let case = AttentionCase::new(attention, sizes, spans, &mut Random::new(41));
            for (variant, _) in machines(0) {
                let expected = case.run((variant, 1), &mut case.cache());
                for workers in [2, 3, 7] {
                    let found = case.run((variant, workers), &mut case.cache());
                    let what = format!("{kv} {sizes:?} {variant:?}: {workers} workers");
                    assert!(same_bits(&found, &expected), "{what} differ");
                }
            }
        }
    }
}

/// A token that is NaN shows in every token that sees it, and in no other.
#[test]
fn a_nan_shows_where_it_is_seen() {
    let batch = StepSizes { batch: 3, tokens: 1, rows: 3 };
    let chunk = StepSizes { batch: 1, tokens: 45, rows: 45 };
    let decoding = [40, 3, 300].map(|start| Span { start, count: 1 });
    let prompt = [Span { start: 21, count: 45 }];
    for (turn, kv) in TYPES.into_iter().enumerate() {
        for window in [None, Some(9)] {
            let attention = Attention { kv, window, ..attention(6, 2, 32) };
            for (sizes, spans, broken) in [(batch, &decoding[..], 1), (chunk, &prompt, 20)] {
                let case = AttentionCase::new(attention, sizes, spans, &mut Random::new(71));
                let case = case.with_nan_token(broken);
                let (expected, _) = case.interpreted();
                assert!(expected.iter().any(|value| value.is_nan()), "the NaN is seen");
                for (machine, found, _) in case.runs(machines(turn)) {
                    for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
                        let close = (found - expected).abs() <= attention.tolerance(301);
                        assert!(
                            close || found.is_nan() && expected.is_nan(),
                            "{attention:?} {machine}: cell {} is {found}, not {expected}",
                            index / case.width()
                        );
                    }
                }
            }
        }
    }
}

/// Where all scores of a token overflow to -inf there is no softmax: that is NaN, not zeros.
#[test]
fn scores_that_overflow_show() {
    for kv in TYPES {
        for tokens in [1, 3] {
            let sizes = StepSizes { batch: 1, tokens, rows: tokens };
            let spans = [Span { start: 0, count: tokens }];
            let attention = Attention { kv, ..attention(4, 2, 32) };
            let case = AttentionCase::new(attention, sizes, &spans, &mut Random::new(81));
            let case = case.with_token(0, [1e37, -1e25, 1.0]);
            let (expected, _) = case.interpreted();
            for (machine, found, _) in case.runs(machines(tokens)) {
                for row in [&found, &expected] {
                    let first = &row[..case.width()];
                    assert!(first.iter().all(|value| value.is_nan()), "{kv} {machine}");
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
    for kv in TYPES {
        let attention = Attention { kv, ..attention(3, 1, 64) };
        for (first, second) in [(9, 4), (30, 20), (10, 9)] {
            let span = |start| [Span { start, count: 1 }];
            let new =
                |start| AttentionCase::new(attention, sizes, &span(start), &mut Random::new(51));
            let broken = new(first).with_nan_token(0);
            let mut next = new(first);
            // The second sequence takes over the same blocks; it is shorter.
            next.arguments.positions[0] = second as i32;
            let slot = second % 16;
            next.arguments.slots = vec![next.arguments.tables[second / 16], slot as i32];
            let (expected, _) = next.interpreted();
            for machine in machines(first) {
                let mut cache = broken.cache();
                let found = broken.run(machine, &mut cache);
                assert!(found.iter().all(|value| value.is_nan()), "{kv} {machine:?}: NaN hides");
                let found = next.run(machine, &mut cache);
                for (found, expected) in found.iter().zip(&expected) {
                    let close = (found - expected).abs() <= attention.tolerance(second);
                    assert!(close, "{kv} {machine:?}: {found}, not {expected}");
                }
            }
        }
    }
}
