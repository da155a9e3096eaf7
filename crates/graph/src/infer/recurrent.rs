//! The shape rules of recurrences.

use super::{Rule, fixed, require};
use crate::dim::Dim;
use crate::dtype::DType;
use crate::graph::TensorType;
use crate::recurrent::{RecurrentResult, SsmAttrs};

pub(super) fn causal_conv(
    result: RecurrentResult,
    [x, weight, state, states, positions]: [&TensorType; 5],
    bias: &[&TensorType],
) -> Rule {
    let [tokens, channels] = f32s::<2>(x, "causal_conv_c1")?;
    let [rows, width] = f32s::<2>(weight, "causal_conv_c2")?;
    let fits = rows == channels && width >= 2;
    require(fits, "causal_conv_c2", || format!("a weight {weight} for {channels} channels"))?;
    state_of(state, &[width - 1, channels], "causal_conv_c3")?;
    sequences(states, positions, tokens, "causal_conv_c4")?;
    for bias in bias {
        of(bias, &[channels], "causal_conv_c5")?;
    }
    Ok(chosen(result, x, state))
}

pub(super) fn ssm_scan(attrs: &SsmAttrs, operands: &[&TensorType]) -> Rule {
    let &[x, dt, b, c, a_log, dt_bias, d, state, states, positions] = operands else {
        return Err(("arity", format!("{} operands", operands.len())));
    };
    let [tokens, heads, width] = f32s::<3>(x, "ssm_scan_c1")?;
    of(dt, &[tokens, heads], "ssm_scan_c2")?;
    for parameter in [a_log, dt_bias, d] {
        of(parameter, &[heads], "ssm_scan_c2")?;
    }
    let [found, groups, depth] = f32s::<3>(b, "ssm_scan_c3")?;
    require(found == tokens && b == c, "ssm_scan_c3", || "b and c do not fit".into())?;
    grouped(heads, [groups, depth], "ssm_scan_c3")?;
    state_of(state, &[heads, depth, width], "ssm_scan_c4")?;
    sequences(states, positions, tokens, "ssm_scan_c5")?;
    let [least, most] = attrs.dt_limit;
    require(least >= 0.0 && most >= least, "ssm_scan_c6", || format!("{least} to {most}"))?;
    Ok(chosen(attrs.result, x, state))
}

pub(super) fn selective_scan(result: RecurrentResult, operands: &[&TensorType]) -> Rule {
    let &[x, dt, b, c, a_log, dt_bias, d, state, states, positions] = operands else {
        return Err(("arity", format!("{} operands", operands.len())));
    };
    let [tokens, channels] = f32s::<2>(x, "selective_scan_c1")?;
    of(dt, &[tokens, channels], "selective_scan_c1")?;
    let [found, depth] = f32s::<2>(b, "selective_scan_c2")?;
    let fits = found == tokens && b == c && depth > 0;
    require(fits, "selective_scan_c2", || "b and c do not fit".into())?;
    of(a_log, &[channels, depth], "selective_scan_c3")?;
    of(dt_bias, &[channels], "selective_scan_c3")?;
    of(d, &[channels], "selective_scan_c3")?;
    state_of(state, &[1, depth, channels], "selective_scan_c4")?;
    sequences(states, positions, tokens, "selective_scan_c5")?;
    Ok(chosen(result, x, state))
}

pub(super) fn delta_rule(result: RecurrentResult, operands: &[&TensorType]) -> Rule {
    let &[q, k, v, a, b, a_log, dt_bias, state, states, positions] = operands else {
        return Err(("arity", format!("{} operands", operands.len())));
    };
    let [tokens, groups, depth] = f32s::<3>(q, "delta_rule_c1")?;
    require(q == k, "delta_rule_c1", || "q and k differ".into())?;
    let [found, heads, width] = f32s::<3>(v, "delta_rule_c2")?;
    require(found == tokens, "delta_rule_c2", || format!("{v} for {tokens} tokens"))?;
    grouped(heads, [groups, depth], "delta_rule_c2")?;
    // A decay for each head, or for each row of its state.
    let apart = a.shape.dims().len() == 3;
    let (own, all): (&[usize], _) = if apart {
        (&[heads, depth], vec![tokens, heads, depth])
    } else {
        (&[heads], vec![tokens, heads])
    };
    of(a, &all, "delta_rule_c3")?;
    of(dt_bias, own, "delta_rule_c3")?;
    of(b, &[tokens, heads], "delta_rule_c3")?;
    of(a_log, &[heads], "delta_rule_c3")?;
    state_of(state, &[heads, depth, width], "delta_rule_c4")?;
    sequences(states, positions, tokens, "delta_rule_c5")?;
    Ok(chosen(result, v, state))
}

pub(super) fn rg_lru(result: RecurrentResult, operands: &[&TensorType]) -> Rule {
    let &[x, a, b, lambda, state, states, positions] = operands else {
        return Err(("arity", format!("{} operands", operands.len())));
    };
    let [tokens, channels] = f32s::<2>(x, "rg_lru_c1")?;
    require(x == a && x == b, "rg_lru_c1", || "x, a and b differ".into())?;
    of(lambda, &[channels], "rg_lru_c2")?;
    state_of(state, &[1, 1, channels], "rg_lru_c3")?;
    sequences(states, positions, tokens, "rg_lru_c4")?;
    Ok(chosen(result, x, state))
}

pub(super) fn dplr_scan(result: RecurrentResult, operands: &[&TensorType]) -> Rule {
    let &[q, w, k, ab, v, u, state, states, positions] = operands else {
        return Err(("arity", format!("{} operands", operands.len())));
    };
    let [tokens, heads, depth] = f32s::<3>(q, "dplr_scan_c1")?;
    let fits = q == w && q == k && depth > 0;
    require(fits, "dplr_scan_c1", || "q, w and k differ, or have no rows".into())?;
    of(ab, &[tokens, 2, heads, depth], "dplr_scan_c2")?;
    let [found, of_values, width] = f32s::<3>(v, "dplr_scan_c3")?;
    let fits = [found, of_values] == [tokens, heads];
    require(fits, "dplr_scan_c3", || format!("{v} for {tokens} tokens of {heads} heads"))?;
    of(u, &[heads, depth], "dplr_scan_c4")?;
    state_of(state, &[heads, depth, width], "dplr_scan_c5")?;
    sequences(states, positions, tokens, "dplr_scan_c6")?;
    Ok(chosen(result, &TensorType::new(DType::F32, [tokens, 2, heads, width]), state))
}

fn chosen(result: RecurrentResult, output: &TensorType, state: &TensorType) -> TensorType {
    match result {
        RecurrentResult::Output => output.clone(),
        RecurrentResult::State => state.clone(),
    }
}

type Checked<T = ()> = Result<T, (&'static str, String)>;

fn f32s<const N: usize>(ty: &TensorType, label: &'static str) -> Checked<[usize; N]> {
    require(ty.dtype == DType::F32, label, || format!("{ty} is not f32"))?;
    fixed::<N>(ty, label)
}

fn of(ty: &TensorType, sizes: &[usize], label: &'static str) -> Checked {
    let expected = TensorType::new(DType::F32, sizes);
    require(*ty == expected, label, || format!("{ty} where {expected} is expected"))
}

/// Any number of slots, and in each what `slot` says.
fn state_of(ty: &TensorType, slot: &[usize], label: &'static str) -> Checked {
    let fits = match ty.shape.dims() {
        [_, own @ ..] => own.iter().map(Dim::fixed).eq(slot.iter().map(|size| Some(*size))),
        [] => false,
    };
    require(fits && ty.dtype == DType::F32, label, || {
        format!("{ty} where f32[slots, {slot:?}] is expected")
    })
}

fn grouped(heads: usize, [groups, depth]: [usize; 2], label: &'static str) -> Checked {
    let fits = groups > 0 && heads.is_multiple_of(groups) && depth > 0;
    require(fits, label, || format!("{heads} heads on {groups} of {depth}"))
}

/// A slot for each row, and rows of equally many tokens.
fn sequences(
    states: &TensorType,
    positions: &TensorType,
    tokens: usize,
    label: &'static str,
) -> Checked {
    let [rows] = fixed::<1>(states, label)?;
    let indices = states.dtype == DType::I32 && *positions == TensorType::new(DType::I32, [tokens]);
    require(indices, label, || "not i32 vectors of the rows and of the tokens".into())?;
    let whole = rows > 0 && tokens.is_multiple_of(rows);
    require(whole, label, || format!("{tokens} tokens of {rows} rows"))
}
