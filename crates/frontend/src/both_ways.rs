//! Attention in which a token sees those behind it too: of encoders, whose texts are computed whole.
//!
//! It needs no cache: all keys and values of a text are the step's own. The step has one sequence.

use tyto_graph::{AttentionAttrs, Binary, Comparison, Op, Unary};

use crate::trace::{Step, Tensor};

/// Attention of `q`, `[tokens, heads, head_dim]`, to the keys and values of all of the step's tokens,
/// which have a part of the heads. With a window a token sees those that are less far from it, on
/// both sides.
#[track_caller]
pub fn attend<'t>(
    [q, k, v]: [Tensor<'t>; 3],
    step: &Step<'t>,
    attrs: AttentionAttrs,
) -> Tensor<'t> {
    let (tokens, heads, width) = (q.size(0), q.size(1), q.size(2));
    let groups = k.size(1).max(1);
    let grouped = Op::Reshape(vec![tokens, groups, heads / groups, width]);
    let q = q.scale(attrs.scale.into()).with(grouped, &[]);
    let scores = Op::Dot { batch: (vec![1], vec![1]), contract: (vec![3], vec![2]) };
    let mut scores = q.with(scores, &[k]);
    if let Some(cap) = attrs.soft_cap {
        scores = scores.scale(1.0 / f64::from(cap)).unary(Unary::Tanh).scale(cap.into());
    }
    let of_scores = vec![groups, tokens, heads / groups, tokens];
    let mask = visible(step.positions, attrs.window);
    let mask = mask.with(Op::Broadcast { shape: of_scores, axes: vec![1, 3] }, &[]);
    let weights = scores.with(Op::MaskedSoftmax, &[mask]);
    let mixed = Op::Dot { batch: (vec![0], vec![1]), contract: (vec![3], vec![0]) };
    let mixed = weights.with(mixed, &[v]).with(Op::Transpose(vec![1, 0, 2, 3]), &[]);
    mixed.with(Op::Reshape(vec![tokens, heads, width]), &[])
}

/// Which tokens each token sees, `[tokens, tokens]`: no padding, and none that is too far.
#[track_caller]
fn visible<'t>(positions: Tensor<'t>, window: Option<usize>) -> Tensor<'t> {
    let tokens = positions.size(0);
    let shape = vec![tokens, tokens];
    let along =
        |x: Tensor<'t>, axis| x.with(Op::Broadcast { shape: shape.clone(), axes: vec![axis] }, &[]);
    let keys = along(positions, 1);
    let real = keys.with(Op::Compare(Comparison::Ge), &[keys.splat(0.0)]);
    let Some(window) = window.filter(|window| *window < tokens) else { return real };
    let and = |a: Tensor<'t>, b| a.with(Op::Binary(Binary::And), &[b]);
    let reach = positions.splat(window as f64);
    let first = along(positions.with(Op::Binary(Binary::Subtract), &[reach]), 0);
    let last = along(positions + reach, 0);
    let near = and(
        keys.with(Op::Compare(Comparison::Gt), &[first]),
        keys.with(Op::Compare(Comparison::Lt), &[last]),
    );
    and(real, near)
}
