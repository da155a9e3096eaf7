//! Recurrences token by token. What one token does is computed in f64; the state is rounded to
//! f32 after it, and the token's result is made of the rounded state.

use super::error::{Failure, in_range};
use super::indexed::inner_product;
use super::tensor::Tensor;
use crate::dtype::DType;
use crate::recurrent::{ConvAttrs, DeltaAttrs, RecurrentResult, SsmAttrs};

pub(super) fn causal_conv(attrs: &ConvAttrs, operands: &[Tensor]) -> Result<Tensor, Failure> {
    let [x, weight, state, states, positions, bias @ ..] = operands else {
        unreachable!("the verifier has counted the operands");
    };
    let [_, channels] = x.extents();
    let [_, width] = weight.extents();
    let mut y = vec![0.0; x.f().len()];
    let new = walk(state, states, positions, |token, slot| {
        let last = &x.f()[token * channels..][..channels];
        for (channel, y) in y[token * channels..][..channels].iter_mut().enumerate() {
            let old = slot.iter().skip(channel).step_by(channels).copied();
            let seen: Vec<f32> = old.chain([last[channel]]).collect();
            let sum = inner_product(&weight.f()[channel * width..][..width], &seen);
            let sum = sum + bias.first().map_or(0.0, |bias| bias.f()[channel].into());
            *y = if attrs.silu { sum * logistic(sum) } else { sum };
        }
        slot.copy_within(channels.., 0);
        let kept = slot.len() - channels;
        slot[kept..].copy_from_slice(last);
    })?;
    Ok(chosen(attrs.result, [x, state], y, new))
}

pub(super) fn ssm_scan(attrs: &SsmAttrs, operands: &[Tensor]) -> Result<Tensor, Failure> {
    let [x, dt, b, c, a_log, dt_bias, d, state, states, positions] = operands else {
        unreachable!("the verifier has counted the operands");
    };
    let [_, heads, width] = x.extents();
    let [_, groups, depth] = b.extents();
    let [least, most] = attrs.dt_limit.map(f64::from);
    let mut y = vec![0.0; x.f().len()];
    let new = walk(state, states, positions, |token, slot| {
        for (head, s) in slot.chunks_exact_mut((depth * width).max(1)).enumerate() {
            let (at, group) = (token * heads + head, token * groups + head * groups / heads);
            let step = softplus(sum(dt.f()[at], dt_bias.f()[head])).clamp(least, most);
            let decay = (-f64::from(a_log.f()[head]).exp() * step).exp();
            let x = &x.f()[at * width..][..width];
            let b = &b.f()[group * depth..][..depth];
            for (s, b) in s.chunks_exact_mut(width).zip(b) {
                for (s, x) in s.iter_mut().zip(x) {
                    let new = f64::from(*b) * step * f64::from(*x);
                    *s = (decay * f64::from(*s) + new) as f32;
                }
            }
            let c: Vec<f64> = c.f()[group * depth..][..depth].iter().map(|c| (*c).into()).collect();
            let read = contracted(s, &c, width);
            for (y, (read, x)) in y[at * width..].iter_mut().zip(read.into_iter().zip(x)) {
                *y = read + f64::from(d.f()[head]) * f64::from(*x);
            }
        }
    })?;
    Ok(chosen(attrs.result, [x, state], y, new))
}

pub(super) fn selective_scan(
    result: RecurrentResult,
    operands: &[Tensor],
) -> Result<Tensor, Failure> {
    let [x, dt, b, c, a_log, dt_bias, d, state, states, positions] = operands else {
        unreachable!("the verifier has counted the operands");
    };
    let [_, channels] = x.extents();
    let [_, depth] = b.extents();
    let mut y = vec![0.0; x.f().len()];
    let new = walk(state, states, positions, |token, slot| {
        let (b, c) = (&b.f()[token * depth..][..depth], &c.f()[token * depth..][..depth]);
        for channel in 0..channels {
            let at = token * channels + channel;
            let x = f64::from(x.f()[at]);
            let step = softplus(sum(dt.f()[at], dt_bias.f()[channel]));
            y[at] = f64::from(d.f()[channel]) * x;
            let rates = &a_log.f()[channel * depth..][..depth];
            let states = slot.iter_mut().skip(channel).step_by(channels);
            for (s, (rate, (b, c))) in states.zip(rates.iter().zip(b.iter().zip(c))) {
                let decay = (-f64::from(*rate).exp() * step).exp();
                *s = (decay * f64::from(*s) + f64::from(*b) * step * x) as f32;
                y[at] += f64::from(*c) * f64::from(*s);
            }
        }
    })?;
    Ok(chosen(result, [x, state], y, new))
}

pub(super) fn delta_rule(attrs: &DeltaAttrs, operands: &[Tensor]) -> Result<Tensor, Failure> {
    let [q, k, v, a, b, a_log, dt_bias, state, states, positions] = operands else {
        unreachable!("the verifier has counted the operands");
    };
    let [_, groups, depth] = q.extents();
    let [_, heads, width] = v.extents();
    // Decays of a head: one, or one for each row of its state.
    let each = if a.shape().len() == 3 { depth } else { 1 };
    let unit = |x: &Tensor, group: usize| {
        let x = &x.f()[group * depth..][..depth];
        let length = (inner_product(x, x) + f64::from(attrs.epsilon)).sqrt();
        x.iter().map(|x| f64::from(*x) / length).collect::<Vec<f64>>()
    };
    let mut y = vec![0.0; v.f().len()];
    let new = walk(state, states, positions, |token, slot| {
        for (head, s) in slot.chunks_exact_mut((depth * width).max(1)).enumerate() {
            let (at, group) = (token * heads + head, token * groups + head * groups / heads);
            let decay = |row: usize| {
                let row = row % each;
                let step = softplus(sum(a.f()[at * each + row], dt_bias.f()[head * each + row]));
                (-f64::from(a_log.f()[head]).exp() * step).exp()
            };
            let decays: Vec<f64> = (0..depth).map(decay).collect();
            let (q, k) = (unit(q, group), unit(k, group));
            let seen: Vec<f64> = k.iter().zip(&decays).map(|(k, decay)| k * decay).collect();
            let known = contracted(s, &seen, width);
            let write = f64::from(attrs.strength) * logistic(b.f()[at].into());
            let errors: Vec<f64> = (v.f()[at * width..][..width].iter().zip(known))
                .map(|(v, known)| write * (f64::from(*v) - known))
                .collect();
            for (s, (k, decay)) in s.chunks_exact_mut(width).zip(k.iter().zip(&decays)) {
                for (s, error) in s.iter_mut().zip(&errors) {
                    *s = (decay * f64::from(*s) + k * error) as f32;
                }
            }
            let read = contracted(s, &q, width);
            for (y, read) in y[at * width..].iter_mut().zip(read) {
                *y = f64::from(attrs.scale) * read;
            }
        }
    })?;
    Ok(chosen(attrs.result, [v, state], y, new))
}

pub(super) fn rg_lru(result: RecurrentResult, operands: &[Tensor]) -> Result<Tensor, Failure> {
    let [x, a, b, lambda, state, states, positions] = operands else {
        unreachable!("the verifier has counted the operands");
    };
    let [_, channels] = x.extents();
    let mut y = vec![0.0; x.f().len()];
    let new = walk(state, states, positions, |token, slot| {
        let first = positions.i()[token] == 0;
        for (channel, s) in slot.iter_mut().enumerate() {
            let at = token * channels + channel;
            let of = |x: &Tensor| f64::from(x.f()[at]);
            let rate = 8.0 * softplus(lambda.f()[channel].into()) * logistic(of(a));
            // No loss where nearly everything is kept.
            let root = if first { 1.0 } else { (-(-2.0 * rate).exp_m1()).sqrt() };
            *s = ((-rate).exp() * f64::from(*s) + root * logistic(of(b)) * of(x)) as f32;
            y[at] = f64::from(*s);
        }
    })?;
    Ok(chosen(result, [x, state], y, new))
}

pub(super) fn dplr_scan(result: RecurrentResult, operands: &[Tensor]) -> Result<Tensor, Failure> {
    let [q, w, k, ab, v, u, state, states, positions] = operands else {
        unreachable!("the verifier has counted the operands");
    };
    let [tokens, heads, depth] = q.extents();
    let [_, _, width] = v.extents();
    let row = |x: &Tensor, at: usize| -> Vec<f64> {
        x.f()[at * depth..][..depth].iter().map(|x| f64::from(*x)).collect()
    };
    let mut y = vec![0.0; 2 * v.f().len()];
    let new = walk(state, states, positions, |token, slot| {
        for (head, s) in slot.chunks_exact_mut((depth * width).max(1)).enumerate() {
            let at = token * heads + head;
            let [a, b] = [0, 1].map(|half| row(ab, (2 * token + half) * heads + head));
            let [q, w, k] = [q, w, k].map(|x| row(x, at));
            let v = &v.f()[at * width..][..width];
            let read = contracted(s, &a, width);
            for (n, s) in s.chunks_exact_mut(width).enumerate() {
                for (s, (read, v)) in s.iter_mut().zip(read.iter().zip(v)) {
                    *s = (w[n] * f64::from(*s) - b[n] * read + k[n] * f64::from(*v)) as f32;
                }
            }
            let met: f64 = row(u, head).iter().zip(&q).zip(&k).map(|((u, q), k)| u * q * k).sum();
            let [first, second] = [0, 1].map(|half| ((2 * token + half) * heads + head) * width);
            y[first..first + width].copy_from_slice(&contracted(s, &q, width));
            y[second..second + width].iter_mut().zip(v).for_each(|(y, v)| *y = met * f64::from(*v));
        }
    })?;
    Ok(chosen_as(result, &[tokens, 2, heads, width], state, y, new))
}

/// Calls `token` for every token that is none of padding, in order, with its sequence's slot of
/// the state, which is zero at position 0. Gives the state afterwards.
fn walk(
    state: &Tensor,
    states: &Tensor,
    positions: &Tensor,
    mut token: impl FnMut(usize, &mut [f32]),
) -> Result<Vec<f32>, Failure> {
    let slots = state.shape()[0];
    let size: usize = state.shape()[1..].iter().product();
    let [rows] = states.extents();
    let [tokens] = positions.extents();
    let mut values = state.f().to_vec();
    for (index, position) in positions.i().iter().enumerate() {
        if *position < 0 {
            continue;
        }
        let slot = in_range(states.i()[index / (tokens / rows)], slots)?;
        let slot = &mut values[slot * size..][..size];
        if *position == 0 {
            slot.fill(0.0);
        }
        token(index, slot);
    }
    Ok(values)
}

/// `weights` times the rows of `s`, each of `width`.
fn contracted(s: &[f32], weights: &[f64], width: usize) -> Vec<f64> {
    let mut sums = vec![0.0; width];
    for (s, weight) in s.chunks_exact(width.max(1)).zip(weights) {
        for (sum, s) in sums.iter_mut().zip(s) {
            *sum += weight * f64::from(*s);
        }
    }
    sums
}

/// The result that is wanted: `y` in the shape of `output`, or the `new` state in that of the old.
fn chosen(
    result: RecurrentResult,
    [output, state]: [&Tensor; 2],
    y: Vec<f64>,
    new: Vec<f32>,
) -> Tensor {
    chosen_as(result, output.shape(), state, y, new)
}

/// The same with the shape of `y` itself.
fn chosen_as(
    result: RecurrentResult,
    shape: &[usize],
    state: &Tensor,
    y: Vec<f64>,
    new: Vec<f32>,
) -> Tensor {
    match result {
        RecurrentResult::Output => Tensor::rounded(DType::F32, shape, y),
        RecurrentResult::State => {
            Tensor::rounded(DType::F32, state.shape(), new.into_iter().map(f64::from))
        }
    }
}

fn sum(a: f32, b: f32) -> f64 {
    f64::from(a) + f64::from(b)
}

fn softplus(x: f64) -> f64 {
    // No overflow for large x, no loss for small ones.
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}
