//! Recurrences: each equals its form without a state, a sum over all tokens before; and a
//! sequence's results and state do not depend on how it is cut into steps, on what else is in
//! them, or on what its slot held before.

use crate::common::{World, apply, assert_close, f32s, i32s, one_op};
use tyto_graph::interpreter::Tensor;
use tyto_graph::{
    ConvAttrs, DType, DeltaAttrs, Op, RecurrentResult, SsmAttrs, TensorType, decompose,
};

/// A recurrence: its op for each result, its operands that have a row for each token, those that
/// all tokens share, and the sizes of a slot of its state.
struct Recurrence {
    op: fn(RecurrentResult) -> Op,
    rows: Vec<Tensor>,
    shared: Vec<Tensor>,
    slot: Vec<usize>,
    /// Operands in the op's order.
    order: Order,
}

/// Operands from those of tokens, those of all, and state, states and positions.
type Order = fn(&[Tensor], &[Tensor], [Tensor; 3]) -> Vec<Tensor>;

const LIMIT: [f32; 2] = [0.05, 1.5];
const EPSILON: f32 = 1e-3;
const SCALE: f32 = 0.7;
const STRENGTH: f32 = 1.5;

fn causal_conv(world: &mut World, tokens: usize) -> Recurrence {
    let (channels, width) = (1 + world.below(5), 2 + world.below(4));
    let mut shared = vec![world.floats(DType::F32, &[channels, width])];
    if world.below(2) == 0 {
        shared.push(world.floats(DType::F32, &[channels]));
    }
    Recurrence {
        op: |result| Op::CausalConv(ConvAttrs { result, silu: true }),
        rows: vec![world.floats(DType::F32, &[tokens, channels])],
        shared,
        slot: vec![width - 1, channels],
        order: |rows, shared, [state, states, positions]| {
            let mut operands = vec![rows[0].clone(), shared[0].clone(), state, states, positions];
            operands.extend(shared.get(1).cloned());
            operands
        },
    }
}

fn ssm_scan(world: &mut World, tokens: usize) -> Recurrence {
    let (groups, each) = (1 + world.below(3), 1 + world.below(3));
    let (heads, depth, width) = (groups * each, 1 + world.below(6), 1 + world.below(5));
    let mut floats = |shape: &[usize]| world.floats(DType::F32, shape);
    let bc = [tokens, groups, depth];
    Recurrence {
        op: |result| Op::SsmScan(SsmAttrs { result, dt_limit: LIMIT }),
        rows: vec![
            floats(&[tokens, heads, width]),
            floats(&[tokens, heads]),
            floats(&bc),
            floats(&bc),
        ],
        shared: vec![floats(&[heads]), floats(&[heads]), floats(&[heads])],
        slot: vec![heads, depth, width],
        order: |rows, shared, step| [rows, shared, &step].concat(),
    }
}

fn selective_scan(world: &mut World, tokens: usize) -> Recurrence {
    let (channels, depth) = (1 + world.below(6), 1 + world.below(5));
    let mut floats = |shape: &[usize]| world.floats(DType::F32, shape);
    let [wide, narrow] = [[tokens, channels], [tokens, depth]];
    Recurrence {
        op: Op::SelectiveScan,
        rows: vec![floats(&wide), floats(&wide), floats(&narrow), floats(&narrow)],
        shared: vec![floats(&[channels, depth]), floats(&[channels]), floats(&[channels])],
        slot: vec![1, depth, channels],
        order: |rows, shared, step| [rows, shared, &step].concat(),
    }
}

fn rg_lru(world: &mut World, tokens: usize) -> Recurrence {
    let channels = 1 + world.below(6);
    let mut floats = |shape: &[usize]| world.floats(DType::F32, shape);
    let wide = [tokens, channels];
    Recurrence {
        op: Op::RgLru,
        rows: vec![floats(&wide), floats(&wide), floats(&wide)],
        shared: vec![floats(&[channels])],
        slot: vec![1, 1, channels],
        order: |rows, shared, step| [rows, shared, &step].concat(),
    }
}

/// A decay for each head.
fn delta_rule(world: &mut World, tokens: usize) -> Recurrence {
    rule(world, tokens, false)
}

/// A decay for each row of a head's state.
fn decays_apart(world: &mut World, tokens: usize) -> Recurrence {
    rule(world, tokens, true)
}

fn rule(world: &mut World, tokens: usize, apart: bool) -> Recurrence {
    let (groups, each) = (1 + world.below(3), 1 + world.below(3));
    let (heads, depth, width) = (groups * each, 1 + world.below(6), 1 + world.below(5));
    let mut floats = |shape: &[usize]| world.floats(DType::F32, shape);
    let (qk, gates) = ([tokens, groups, depth], [tokens, heads]);
    let own = if apart { vec![heads, depth] } else { vec![heads] };
    let all = [&[tokens], &own[..]].concat();
    Recurrence {
        op: |result| {
            Op::DeltaRule(DeltaAttrs { result, epsilon: EPSILON, scale: SCALE, strength: STRENGTH })
        },
        rows: vec![
            floats(&qk),
            floats(&qk),
            floats(&[tokens, heads, width]),
            floats(&all),
            floats(&gates),
        ],
        shared: vec![floats(&[heads]), floats(&own)],
        slot: vec![heads, depth, width],
        order: |rows, shared, step| [rows, shared, &step].concat(),
    }
}

fn dplr_scan(world: &mut World, tokens: usize) -> Recurrence {
    let (heads, depth, width) = (1 + world.below(4), 1 + world.below(6), 1 + world.below(5));
    let mut floats = |shape: &[usize]| world.floats(DType::F32, shape);
    let each = [tokens, heads, depth];
    Recurrence {
        op: Op::DplrScan,
        rows: vec![
            floats(&each),
            floats(&each),
            floats(&each),
            floats(&[tokens, 2, heads, depth]),
            floats(&[tokens, heads, width]),
        ],
        shared: vec![floats(&[heads, depth])],
        slot: vec![heads, depth, width],
        order: |rows, shared, step| [rows, shared, &step].concat(),
    }
}

const ALL: [fn(&mut World, usize) -> Recurrence; 7] =
    [causal_conv, ssm_scan, selective_scan, rg_lru, delta_rule, decays_apart, dplr_scan];

impl Recurrence {
    /// Output and state of a step of these cells: token, or none; `states` has a slot a row.
    fn step(
        &self,
        state: &Tensor,
        states: &[i64],
        cells: &[Option<usize>],
        positions: &[i64],
    ) -> [Tensor; 2] {
        let rows: Vec<Tensor> = self.rows.iter().map(|x| picked(x, cells)).collect();
        let step =
            || [state.clone(), i32s(&[states.len()], states), i32s(&[positions.len()], positions)];
        [RecurrentResult::Output, RecurrentResult::State].map(|result| {
            let operands = (self.order)(&rows, &self.shared, step());
            apply((self.op)(result), &operands).expect("slots are in range")
        })
    }

    /// Everything in one step of one row, from a state full of NaN.
    fn whole(&self) -> [Tensor; 2] {
        let tokens = self.rows[0].shape()[0];
        let cells: Vec<Option<usize>> = (0..tokens).map(Some).collect();
        let positions: Vec<i64> = (0..tokens as i64).collect();
        self.step(&self.garbage(1), &[0], &cells, &positions)
    }

    fn garbage(&self, slots: usize) -> Tensor {
        let shape = [&[slots], &self.slot[..]].concat();
        f32s(&shape, &vec![f32::NAN; shape.iter().product()])
    }
}

/// Rows of a tensor; large numbers where there is none, so that reading them shows.
fn picked(x: &Tensor, cells: &[Option<usize>]) -> Tensor {
    let size: usize = x.shape()[1..].iter().product();
    let values = x.as_floats().expect("floats");
    let row = |cell: &Option<usize>| match cell {
        Some(cell) => values[cell * size..][..size].to_vec(),
        None => vec![1e30; size],
    };
    let shape = [&[cells.len()], &x.shape()[1..]].concat();
    f32s(&shape, &cells.iter().flat_map(row).collect::<Vec<f32>>())
}

fn row(x: &Tensor, index: usize) -> &[f32] {
    let size: usize = x.shape()[1..].iter().product();
    &x.as_floats().expect("floats")[index * size..][..size]
}

/// Sequences of one recurrence in steps of random shapes, rows in random order, some of them
/// padding: each gets, to the bit, what it gets in one step of its own.
#[test]
fn steps_of_any_shape_give_what_one_gives() {
    for seed in 0..60 {
        for make in ALL {
            let mut world = World::new(seed);
            let length = 3 + world.below(9);
            // Sequences share parameters: they are parts of one list of tokens.
            let all = make(&mut world, 3 * length);
            let whole: Vec<[Tensor; 2]> = (0..3)
                .map(|sequence| {
                    let cells: Vec<Option<usize>> =
                        (0..length).map(|at| Some(sequence * length + at)).collect();
                    let positions: Vec<i64> = (0..length as i64).collect();
                    all.step(&all.garbage(1), &[0], &cells, &positions)
                })
                .collect();

            let slots = world.shuffled(5);
            let mut state = all.garbage(5);
            let mut done = [0; 3];
            while done.iter().any(|done| *done < length) {
                let (rows, tokens) = (1 + world.below(4), 1 + world.below(4));
                let order: Vec<usize> =
                    world.shuffled(4).into_iter().map(|row| row as usize).take(rows).collect();
                let mut cells = Vec::new();
                let mut positions = Vec::new();
                let mut states = Vec::new();
                for sequence in &order {
                    let begin = done.get(*sequence).copied().unwrap_or(length);
                    let end = length.min(begin + world.below(tokens + 1));
                    states.push(slots.get(*sequence).copied().unwrap_or(99));
                    for at in begin..begin + tokens {
                        let real = at < end;
                        cells.push(real.then_some(sequence * length + at));
                        positions.push(if real { at as i64 } else { -1 });
                    }
                    if let Some(done) = done.get_mut(*sequence) {
                        *done = end;
                    }
                }
                // A row of padding alone may name any slot.
                states.iter_mut().zip(&order).for_each(|(slot, sequence)| {
                    if *sequence == 3 {
                        *slot = 99;
                    }
                });
                let [output, next] = all.step(&state, &states, &cells, &positions);
                for (at, cell) in cells.iter().enumerate() {
                    match cell {
                        Some(cell) => {
                            let expected = row(&whole[cell / length][0], cell % length);
                            assert_eq!(row(&output, at), expected, "seed {seed}: token {cell}");
                        }
                        None => assert!(row(&output, at).iter().all(|value| *value == 0.0)),
                    }
                }
                state = next;
            }
            for (sequence, whole) in whole.iter().enumerate() {
                let slot = slots[sequence] as usize;
                assert_eq!(row(&state, slot), row(&whole[1], 0), "seed {seed}: state {sequence}");
            }
            let unused = row(&state, slots[3] as usize);
            assert!(unused.iter().all(|value| value.is_nan()), "seed {seed}: nobody wrote it");
        }
    }
}

#[test]
fn a_convolution_is_a_sum_over_a_window() {
    for seed in 0..60 {
        let mut world = World::new(seed);
        let tokens = 1 + world.below(9);
        let conv = causal_conv(&mut world, tokens);
        let [x, weight] = [&conv.rows[0], &conv.shared[0]];
        let (channels, width) = (weight.shape()[0], weight.shape()[1]);
        let mut expected = Vec::new();
        for token in 0..tokens {
            for channel in 0..channels {
                let bias = conv.shared.get(1).map_or(0.0, |bias| row(bias, channel)[0]);
                let sum = (0..width).filter(|back| *back <= token).fold(bias, |sum, back| {
                    sum + row(weight, channel)[width - 1 - back] * row(x, token - back)[channel]
                });
                expected.push(sum / (1.0 + (-sum).exp()));
            }
        }
        assert_close(&conv.whole()[0], &expected, 1e-5, &format!("seed {seed}"));
    }
}

/// The logarithm of what a state loses at each token: a rate and a length of time.
fn logs(rate: f32, steps: impl Iterator<Item = f64>) -> Vec<f64> {
    steps.map(|step| -f64::from(rate).exp() * step).collect()
}

fn softplus(x: f32, bias: f32) -> f64 {
    (1.0 + (f64::from(x) + f64::from(bias)).exp()).ln()
}

fn product(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

#[test]
fn a_scan_is_attention_with_decay() {
    for seed in 0..60 {
        let mut world = World::new(seed);
        let tokens = 1 + world.below(9);
        let scan = ssm_scan(&mut world, tokens);
        let [x, dt, b, c] = &scan.rows[..] else { unreachable!("four of them") };
        let [a_log, dt_bias, d] = &scan.shared[..] else { unreachable!("three of them") };
        let (heads, width) = (x.shape()[1], x.shape()[2]);
        let (groups, depth) = (b.shape()[1], b.shape()[2]);
        let mut expected = vec![0.0; tokens * heads * width];
        for head in 0..heads {
            let of = |token: usize| {
                let step = softplus(row(dt, token)[head], row(dt_bias, head)[0]);
                step.clamp(LIMIT[0].into(), LIMIT[1].into())
            };
            let logs = logs(row(a_log, head)[0], (0..tokens).map(of));
            let group = head * groups / heads * depth;
            for now in 0..tokens {
                for then in 0..=now {
                    let decay = logs[then + 1..=now].iter().sum::<f64>().exp();
                    let met =
                        product(&row(c, now)[group..][..depth], &row(b, then)[group..][..depth]);
                    for p in 0..width {
                        let x = f64::from(row(x, then)[head * width + p]);
                        let skip = if now == then { f64::from(row(d, head)[0]) * x } else { 0.0 };
                        expected[(now * heads + head) * width + p] +=
                            decay * met * of(then) * x + skip;
                    }
                }
            }
        }
        let expected: Vec<f32> = expected.into_iter().map(|value| value as f32).collect();
        assert_close(&scan.whole()[0], &expected, 1e-5, &format!("seed {seed}"));
    }
}

/// A selective scan is a sum over all tokens before, whose weights decay channel by channel and
/// row by row.
#[test]
fn a_selective_scan_is_a_sum_over_tokens_before() {
    for seed in 0..60 {
        let mut world = World::new(seed);
        let tokens = 1 + world.below(9);
        let scan = selective_scan(&mut world, tokens);
        let [x, dt, b, c] = &scan.rows[..] else { unreachable!("four of them") };
        let [a_log, dt_bias, d] = &scan.shared[..] else { unreachable!("three of them") };
        let (channels, depth) = (x.shape()[1], b.shape()[1]);
        let mut expected = Vec::new();
        for now in 0..tokens {
            for channel in 0..channels {
                let step = |t: usize| softplus(row(dt, t)[channel], row(dt_bias, channel)[0]);
                let x = |token: usize| f64::from(row(x, token)[channel]);
                let mut y = f64::from(row(d, channel)[0]) * x(now);
                for n in 0..depth {
                    let rate = f64::from(row(a_log, channel)[n]).exp();
                    let of = |then: usize| {
                        let decay = (-rate * (then + 1..=now).map(step).sum::<f64>()).exp();
                        decay * f64::from(row(b, then)[n]) * step(then) * x(then)
                    };
                    y += f64::from(row(c, now)[n]) * (0..=now).map(of).sum::<f64>();
                }
                expected.push(y as f32);
            }
        }
        assert_close(&scan.whole()[0], &expected, 1e-5, &format!("seed {seed}"));
    }
}

/// What a channel of an RG-LRU keeps is a sum over all tokens before, and its variance that of what
/// comes in where that has one variance.
#[test]
fn an_rg_lru_is_a_sum_over_tokens_before() {
    for seed in 0..60 {
        let mut world = World::new(seed);
        let tokens = 1 + world.below(9);
        let unit = rg_lru(&mut world, tokens);
        let [x, a, b] = &unit.rows[..] else { unreachable!("three of them") };
        let channels = x.shape()[1];
        let logistic = |x: f32| 1.0 / (1.0 + (-f64::from(x)).exp());
        let mut expected = Vec::new();
        for now in 0..tokens {
            for channel in 0..channels {
                let lambda = softplus(row(&unit.shared[0], channel)[0], 0.0);
                let kept = |t: usize| (-8.0 * lambda * logistic(row(a, t)[channel])).exp();
                let (mut sum, mut variance) = (0.0, 0.0);
                for then in 0..=now {
                    let root = if then == 0 { 1.0 } else { (1.0 - kept(then).powi(2)).sqrt() };
                    let weight = root * (then + 1..=now).map(kept).product::<f64>();
                    variance += weight * weight;
                    sum +=
                        weight * logistic(row(b, then)[channel]) * f64::from(row(x, then)[channel]);
                }
                assert!((variance - 1.0).abs() < 1e-12, "seed {seed}: {variance}");
                expected.push(sum as f32);
            }
        }
        assert_close(&unit.whole()[0], &expected, 1e-5, &format!("seed {seed}"));
    }
}

/// What is written at each token is what the tokens before it have not said yet; reading is
/// attention to what was written.
#[test]
fn a_delta_rule_is_attention_to_corrections() {
    for seed in 0..60 {
        let mut world = World::new(seed);
        let tokens = 1 + world.below(9);
        let rule = rule(&mut world, tokens, seed % 2 == 0);
        let [q, k, v, a, b] = &rule.rows[..] else { unreachable!("five of them") };
        let [a_log, dt_bias] = &rule.shared[..] else { unreachable!("two of them") };
        let (heads, width) = (v.shape()[1], v.shape()[2]);
        let (groups, depth) = (q.shape()[1], q.shape()[2]);
        let mut expected = vec![0.0; tokens * heads * width];
        for head in 0..heads {
            let each = a.shape().get(2).copied().unwrap_or(1);
            let of_row = |n: usize| {
                let of = |token: usize| {
                    softplus(row(a, token)[head * each + n % each], row(dt_bias, head)[n % each])
                };
                logs(row(a_log, head)[0], (0..tokens).map(of))
            };
            let logs: Vec<Vec<f64>> = (0..depth).map(of_row).collect();
            let decay = |n: usize, then: usize, now: usize| {
                logs[n][then + 1..=now].iter().sum::<f64>().exp()
            };
            let group = head * groups / heads * depth;
            let vector = |x, token| {
                let x = &row(x, token)[group..][..depth];
                let length = (product(x, x) + f64::from(EPSILON)).sqrt();
                x.iter().map(|x| (f64::from(*x) / length) as f32).collect::<Vec<f32>>()
            };
            let mut written: Vec<Vec<f64>> = Vec::new();
            for now in 0..tokens {
                let beta = 1.0 / (1.0 + (-f64::from(row(b, now)[head])).exp());
                let read = |x: &[f32], written: &[Vec<f64>], p: usize| -> f64 {
                    let met = |then: usize| -> f64 {
                        let pairs = x.iter().zip(vector(k, then)).enumerate();
                        let met = |(n, (x, k)): (usize, (&f32, f32))| {
                            decay(n, then, now) * f64::from(*x) * f64::from(k)
                        };
                        pairs.map(met).sum()
                    };
                    written.iter().enumerate().map(|(then, u)| met(then) * u[p]).sum()
                };
                let new = (0..width).map(|p| {
                    let v = f64::from(row(v, now)[head * width + p]);
                    f64::from(STRENGTH) * beta * (v - read(&vector(k, now), &written, p))
                });
                let new = new.collect();
                written.push(new);
                for p in 0..width {
                    expected[(now * heads + head) * width + p] =
                        f64::from(SCALE) * read(&vector(q, now), &written, p);
                }
            }
        }
        let expected: Vec<f32> = expected.into_iter().map(|value| value as f32).collect();
        assert_close(&rule.whole()[0], &expected, 1e-5, &format!("seed {seed}"));
    }
}

/// A state is multiplied with a matrix at each token: what is left of what a token wrote is the product
/// of all matrices since.
#[test]
fn a_dplr_scan_is_attention_through_matrices() {
    for seed in 0..60 {
        let mut world = World::new(seed);
        let tokens = 1 + world.below(7);
        let scan = dplr_scan(&mut world, tokens);
        let [q, w, k, ab, v] = &scan.rows[..] else { unreachable!("five of them") };
        let u = &scan.shared[0];
        let [heads, depth, width] = [q.shape()[1], q.shape()[2], v.shape()[2]];
        let part = |x, token, at: usize| row(x, token)[at * depth..][..depth].to_vec();
        let mut expected = Vec::new();
        let mut largest = 1.0f64;
        for now in 0..tokens {
            for half in 0..2 {
                for head in 0..heads {
                    let (q, v) =
                        (part(q, now, head), |t| row(v, t)[head * width..][..width].to_vec());
                    if half == 1 {
                        let terms = row(u, head).iter().zip(&q).zip(part(k, now, head));
                        let term = |((u, q), k): ((&f32, &f32), f32)| {
                            f64::from(*u) * f64::from(*q) * f64::from(k)
                        };
                        let met: f64 = terms.map(term).sum();
                        expected.extend(v(now).iter().map(|v| (met * f64::from(*v)) as f32));
                        continue;
                    }
                    // The query goes back through the matrices, token by token.
                    let mut seen: Vec<f64> = q.iter().map(|q| f64::from(*q)).collect();
                    let mut y = vec![0.0; width];
                    for then in (0..=now).rev() {
                        let met: f64 = seen
                            .iter()
                            .zip(part(k, then, head))
                            .map(|(q, k)| q * f64::from(k))
                            .sum();
                        y.iter_mut().zip(v(then)).for_each(|(y, v)| *y += met * f64::from(v));
                        let (a, b) = (part(ab, then, head), part(ab, then, heads + head));
                        let taken: f64 = seen.iter().zip(&b).map(|(q, b)| q * f64::from(*b)).sum();
                        let back = seen.iter().zip(part(w, then, head)).zip(&a);
                        seen = back
                            .map(|((q, w), a)| q * f64::from(w) - taken * f64::from(*a))
                            .collect();
                        largest = seen.iter().fold(largest, |most, seen| most.max(seen.abs()));
                    }
                    expected.extend(y.into_iter().map(|y| y as f32));
                }
            }
        }
        assert_close(&scan.whole()[0], &expected, 1e-5 * largest as f32, &format!("seed {seed}"));
    }
}

#[test]
fn a_slot_beyond_the_end_is_an_error() {
    let operands = |slot: i64, position: i64| {
        [
            f32s(&[1, 1], &[1.0]),
            f32s(&[1, 2], &[1.0, 2.0]),
            f32s(&[1, 1, 1], &[0.0]),
            i32s(&[1], &[slot]),
            i32s(&[1], &[position]),
        ]
    };
    let op = Op::CausalConv(ConvAttrs { result: RecurrentResult::Output, silu: false });
    assert!(apply(op.clone(), &operands(1, 0)).is_err());
    assert!(apply(op.clone(), &operands(-1, 0)).is_err());
    assert!(apply(op, &operands(1, -1)).is_ok(), "padding reads no state");
}

#[test]
fn recurrences_have_no_decomposition() {
    for make in ALL {
        let recurrence = make(&mut World::new(1), 2);
        let step = [recurrence.garbage(1), i32s(&[1], &[0]), i32s(&[2], &[0, 1])];
        let operands = (recurrence.order)(&recurrence.rows, &recurrence.shared, step);
        let types: Vec<TensorType> = operands.iter().map(Tensor::ty).collect();
        let op = (recurrence.op)(RecurrentResult::State);
        let graph = one_op(op.clone(), &types).expect("it fits");
        let error = decompose(&graph, |_| false).expect_err("no decomposition").to_string();
        assert!(error.contains(op.name()) && error.contains("decomposition"), "{error}");
        assert!(decompose(&graph, |op| op.recurrent().is_some()).is_ok(), "a kernel serves it");
    }
}
