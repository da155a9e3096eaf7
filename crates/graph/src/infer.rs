//! The shape rules: the type of a result from its op and operands. Each refusal cites the
//! label of the constraint in [`crate::Op`]'s documentation.

mod experts;
mod matrix;
mod recurrent;

use crate::dim::{Dim, Shape};
use crate::dtype::DType;
use crate::graph::TensorType;
use crate::kv::KvCode;
use crate::op::{Binary, Literal, Op, Reduction, RopeScaling, RopeTable, Unary};

/// A broken constraint.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{op}: {label}: {message}; operands ({operands})")]
pub struct InferError {
    /// The op's name.
    pub op: &'static str,
    /// The constraint's label, such as `linear_c2`.
    pub label: &'static str,
    /// What was found and what was expected.
    pub message: String,
    /// The operand types.
    pub operands: String,
}

/// A label and what was found; [`infer`] adds the op and the operands.
type Rule = Result<TensorType, (&'static str, String)>;

/// The type of `op`'s result.
pub(crate) fn infer(op: &Op, operands: &[&TensorType]) -> Result<TensorType, InferError> {
    let ruled = match arity(op) {
        Some(expected) if expected != operands.len() => {
            Err(("arity", format!("found {} operands, expected {expected}", operands.len())))
        }
        _ => rule(op, operands),
    };
    ruled.map_err(|(label, message)| InferError {
        op: op.name(),
        label,
        message,
        operands: operands.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    })
}

/// The number of operands, where it does not vary.
fn arity(op: &Op) -> Option<usize> {
    Some(match op {
        Op::Input { .. } | Op::Weight { .. } | Op::Constant(_) | Op::Iota { .. } => 0,
        Op::Unary(_) | Op::Convert(_) | Op::Bitcast(_) => 1,
        Op::Reshape(_) | Op::Transpose(_) | Op::Reverse { .. } => 1,
        Op::OptimizationBarrier | Op::FlattenRows | Op::QuantizeKv(_) => 1,
        Op::Broadcast { .. } | Op::Slice { .. } | Op::Reduce { .. } => 1,
        Op::Binary(_) | Op::Compare(_) | Op::Take | Op::Dot { .. } => 2,
        Op::Linear { .. } | Op::Embedding { .. } => 2,
        Op::RmsNorm { .. } | Op::LayerNorm { .. } => 2,
        Op::Rope | Op::MaskedSoftmax => 2,
        Op::Select | Op::Put => 3,
        Op::TopK { .. } => 1,
        Op::TakeAlong | Op::WeightedSum | Op::HeadLinear { .. } => 2,
        Op::ExpertLinear { .. } => 3,
        Op::SsmScan(_) | Op::SelectiveScan(_) | Op::DeltaRule(_) => 10,
        Op::RgLru(_) => 7,
        Op::DplrScan(_) => 9,
        Op::Concat { .. } | Op::RopeAngles(_) | Op::PagedAttention(_) => return None,
        Op::CausalConv(_) => return None,
    })
}

fn rule(op: &Op, operands: &[&TensorType]) -> Rule {
    match (op, operands) {
        (Op::Input { .. }, _) => Err(("input", "inputs are added by Graph::add_input".into())),
        (Op::Weight { ty, .. }, _) => {
            sizes(ty, "weight_c1")?;
            Ok(ty.clone())
        }
        (Op::Constant(literal), _) => constant(literal),
        (Op::Iota { ty, axis }, _) => {
            sizes(ty, "iota_c1")?;
            let fits = *axis < ty.shape.rank() && ty.dtype != DType::Bool;
            require(fits, "iota_c1", || format!("axis {axis} of {ty}"))?;
            Ok(ty.clone())
        }
        (Op::Unary(unary), [x]) => {
            let fits =
                if *unary == Unary::Not { x.dtype == DType::Bool } else { x.dtype.is_float() };
            require(fits, "unary_c1", || format!("element type {}", x.dtype))?;
            Ok((*x).clone())
        }
        (Op::Binary(binary), [lhs, rhs]) => elementwise(*binary, lhs, rhs),
        (Op::Compare(_), [lhs, rhs]) => {
            require(lhs == rhs, "compare_c1", || "types differ".into())?;
            Ok(TensorType { dtype: DType::Bool, shape: lhs.shape.clone() })
        }
        (Op::Select, [condition, then, otherwise]) => {
            let boolean = condition.dtype == DType::Bool && condition.shape == then.shape;
            require(boolean, "select_c1", || "condition is not Bool of that shape".into())?;
            require(then == otherwise, "select_c2", || "types differ".into())?;
            Ok((*then).clone())
        }
        (Op::Convert(dtype), [x]) => Ok(TensorType { dtype: *dtype, shape: x.shape.clone() }),
        (Op::Bitcast(dtype), [x]) => bitcast(*dtype, x),
        (Op::Reshape(shape), [x]) => {
            sizes(x, "reshape_c1")?;
            let to = Shape::from(&shape[..]);
            let equal = to.elements_bound().is_some_and(|to| x.shape.elements_bound() == Some(to));
            require(equal, "reshape_c1", || format!("cannot become {to}"))?;
            Ok(TensorType::new(x.dtype, to))
        }
        (Op::OptimizationBarrier, [x]) => Ok((*x).clone()),
        (Op::FlattenRows, [x]) => flatten_rows(x),
        (Op::Reverse { axis }, [x]) => {
            require(*axis < x.shape.rank(), "reverse_c1", || format!("axis {axis}"))?;
            Ok((*x).clone())
        }
        (Op::Transpose(permutation), [x]) => transpose(permutation, x),
        (Op::Broadcast { shape, axes }, [x]) => broadcast(shape, axes, x),
        (Op::Slice { start, limit }, [x]) => slice(start, limit, x),
        (Op::Concat { axis }, _) => concat(*axis, operands),
        (Op::Take, [x, indices]) => {
            require(indices.dtype == DType::I32, "take_c1", || "indices are not i32".into())?;
            require(x.shape.rank() >= 1, "take_c2", || "operand has rank 0".into())?;
            let dims = indices.shape.dims().iter().chain(&x.shape.dims()[1..]);
            Ok(TensorType { dtype: x.dtype, shape: Shape::new(dims.cloned()) })
        }
        (Op::Put, [x, indices, updates]) => put(x, indices, updates),
        (Op::Reduce { reduction, axis }, [x]) => reduce(*reduction, *axis, x),
        (Op::Dot { batch, contract }, [lhs, rhs]) => dot(batch, contract, lhs, rhs),
        (Op::Linear { layout, rows }, [x, w]) => matrix::linear(*layout, *rows, x, w),
        (Op::Embedding { layout, rows }, [w, ids]) => matrix::embedding(*layout, *rows, w, ids),
        (Op::RmsNorm { .. }, [x, w]) => norm(x, w, ["rms_norm_c1", "rms_norm_c2"]),
        (Op::LayerNorm { .. }, [x, w]) => norm(x, w, ["layer_norm_c1", "layer_norm_c2"]),
        (Op::RopeAngles(table), _) => rope_angles(table, operands),
        (Op::Rope, [x, angles]) => {
            let [tokens, _, width] = fixed::<3>(x, "rope_c1")?;
            let [two, angle_tokens, pairs] = fixed::<3>(angles, "rope_c1")?;
            let f32s = x.dtype == DType::F32 && angles.dtype == DType::F32;
            let fits = f32s && two == 2 && tokens == angle_tokens;
            require(fits, "rope_c1", || "angles do not fit".into())?;
            require(2 * pairs <= width, "rope_c2", || format!("{pairs} pairs of {width}"))?;
            Ok((*x).clone())
        }
        (Op::MaskedSoftmax, [scores, mask]) => {
            rows_of_f32(scores, "softmax_c1")?;
            let fits = mask.dtype == DType::Bool && mask.shape == scores.shape;
            require(fits, "softmax_c2", || "mask is not Bool of that shape".into())?;
            Ok((*scores).clone())
        }
        (Op::QuantizeKv(code), [x]) => quantize_kv(*code, x),
        (Op::PagedAttention(attrs), [q, keys, values, tables, positions, sinks @ ..])
            if sinks.len() <= 1 =>
        {
            let result = attention(attrs.kv, q, [keys, values], tables, positions)?;
            let heads = q.shape.dims()[1].bound();
            let fit = sinks.iter().all(|sinks| **sinks == TensorType::new(DType::F32, [heads]));
            require(fit, "attention_c5", || format!("sinks are not f32[{heads}]"))?;
            Ok(result)
        }
        (Op::TopK { k, groups }, [scores]) => experts::top_k(*k, *groups, scores),
        (Op::TakeAlong, [x, ids]) => experts::take_along(x, ids),
        (Op::HeadLinear { layout, rows }, [x, w]) => experts::head_linear(*layout, *rows, x, w),
        (Op::ExpertLinear { layout, experts, rows }, [x, w, ids]) => {
            experts::expert_linear(*layout, [*experts, *rows], x, w, ids)
        }
        (Op::WeightedSum, [x, weights]) => experts::weighted_sum(x, weights),
        (Op::CausalConv(attrs), [x, weight, state, states, positions, bias @ ..])
            if bias.len() <= 1 =>
        {
            recurrent::causal_conv(attrs.result, [x, weight, state, states, positions], bias)
        }
        (Op::SsmScan(attrs), operands) => recurrent::ssm_scan(attrs, operands),
        (Op::SelectiveScan(result), operands) => recurrent::selective_scan(*result, operands),
        (Op::DeltaRule(attrs), operands) => recurrent::delta_rule(attrs.result, operands),
        (Op::RgLru(result), operands) => recurrent::rg_lru(*result, operands),
        (Op::DplrScan(result), operands) => recurrent::dplr_scan(*result, operands),
        _ => Err(("arity", format!("{} operands", operands.len()))),
    }
}

fn require(
    holds: bool,
    label: &'static str,
    message: impl FnOnce() -> String,
) -> Result<(), (&'static str, String)> {
    if holds { Ok(()) } else { Err((label, message())) }
}

fn sizes(ty: &TensorType, label: &'static str) -> Result<Vec<usize>, (&'static str, String)> {
    ty.shape.fixed().ok_or_else(|| (label, format!("{ty} has a named dimension")))
}

fn fixed<const N: usize>(
    ty: &TensorType,
    label: &'static str,
) -> Result<[usize; N], (&'static str, String)> {
    let found = sizes(ty, label)?;
    found.try_into().map_err(|_| (label, format!("{ty} is not of rank {N}")))
}

/// The size of the last axis of an f32 tensor of fixed sizes.
fn rows_of_f32(x: &TensorType, label: &'static str) -> Result<usize, (&'static str, String)> {
    require(x.dtype == DType::F32, label, || format!("{x} is not f32"))?;
    let last = sizes(x, label)?.last().copied();
    last.ok_or_else(|| (label, "a scalar has no last axis".into()))
}

fn norm(x: &TensorType, w: &TensorType, [rows, weight]: [&'static str; 2]) -> Rule {
    let last = rows_of_f32(x, rows)?;
    let fits = w.dtype.is_float() && w.shape.fixed() == Some(vec![last]);
    require(fits, weight, || "weight is not a float vector of that size".into())?;
    Ok(x.clone())
}

fn constant(literal: &Literal) -> Rule {
    match literal {
        Literal::Splat { ty, .. } => {
            sizes(ty, "constant_c1")?;
            Ok(ty.clone())
        }
        Literal::Vector(values) => Ok(TensorType::new(DType::F32, [values.len()])),
    }
}

fn elementwise(binary: Binary, lhs: &TensorType, rhs: &TensorType) -> Rule {
    require(lhs == rhs, "binary_c1", || "types differ".into())?;
    let boolean = matches!(binary, Binary::And | Binary::Or);
    let fits = boolean == (lhs.dtype == DType::Bool);
    require(fits, "binary_c2", || format!("element type {}", lhs.dtype))?;
    Ok(lhs.clone())
}

fn bitcast(dtype: DType, x: &TensorType) -> Rule {
    let known = dtype != DType::Bool && x.dtype != DType::Bool;
    require(known, "bitcast_c1", || format!("{} to {dtype}", x.dtype))?;
    let (from, to) = (x.dtype.bytes(), dtype.bytes());
    let mut dims = x.shape.dims().to_vec();
    if from > to {
        dims.push(Dim::Fixed(from / to));
    } else if from < to {
        let parts = dims.pop();
        let whole = parts == Some(Dim::Fixed(to / from));
        require(whole, "bitcast_c2", || format!("a last axis of {parts:?} for {dtype}"))?;
    }
    Ok(TensorType { dtype, shape: Shape::new(dims) })
}

fn flatten_rows(x: &TensorType) -> Rule {
    let [first, row @ ..] = x.shape.dims() else {
        return Err(("flatten_rows_c1", "operand has rank 0".into()));
    };
    let sizes: Option<Vec<usize>> = row.iter().map(Dim::fixed).collect();
    let row = sizes.filter(|sizes| !sizes.is_empty()).and_then(|sizes| {
        sizes.iter().try_fold(1usize, |product, size| product.checked_mul(*size))
    });
    let row =
        row.ok_or_else(|| ("flatten_rows_c1", "rows are not of one fixed size".to_owned()))?;
    Ok(TensorType { dtype: x.dtype, shape: Shape::new([first.clone(), Dim::Fixed(row)]) })
}

fn transpose(permutation: &[usize], x: &TensorType) -> Rule {
    let mut sorted = permutation.to_vec();
    sorted.sort_unstable();
    let fits = sorted.iter().copied().eq(0..x.shape.rank());
    require(fits, "transpose_c1", || format!("permutation {permutation:?}"))?;
    let dims = permutation.iter().map(|axis| x.shape.dims()[*axis].clone());
    Ok(TensorType { dtype: x.dtype, shape: Shape::new(dims) })
}

fn broadcast(shape: &[usize], axes: &[usize], x: &TensorType) -> Rule {
    let from = sizes(x, "broadcast_c2")?;
    let increasing = axes.is_sorted_by(|a, b| a < b) && axes.iter().all(|a| *a < shape.len());
    require(increasing && axes.len() == from.len(), "broadcast_c1", || format!("axes {axes:?}"))?;
    let fits = from.iter().zip(axes).all(|(size, axis)| *size == 1 || *size == shape[*axis]);
    require(fits, "broadcast_c2", || format!("to {shape:?} by {axes:?}"))?;
    Ok(TensorType::new(x.dtype, shape))
}

fn slice(start: &[usize], limit: &[usize], x: &TensorType) -> Rule {
    let from = sizes(x, "slice_c1")?;
    let fits = start.len() == from.len()
        && limit.len() == from.len()
        && (0..from.len()).all(|i| start[i] <= limit[i] && limit[i] <= from[i]);
    require(fits, "slice_c1", || format!("[{start:?}, {limit:?})"))?;
    let shape: Vec<usize> = start.iter().zip(limit).map(|(start, limit)| limit - start).collect();
    Ok(TensorType::new(x.dtype, shape))
}

fn concat(axis: usize, operands: &[&TensorType]) -> Rule {
    let first = *operands.first().ok_or(("concat_c1", "no operands".to_owned()))?;
    let mut shape = sizes(first, "concat_c1")?;
    require(axis < shape.len(), "concat_c1", || format!("axis {axis}"))?;
    for operand in &operands[1..] {
        let other = sizes(operand, "concat_c1")?;
        let fits = operand.dtype == first.dtype
            && other.len() == shape.len()
            && (0..shape.len()).all(|i| i == axis || other[i] == shape[i]);
        require(fits, "concat_c1", || format!("{operand} beside {first}"))?;
        shape[axis] += other[axis];
    }
    Ok(TensorType::new(first.dtype, shape))
}

fn put(x: &TensorType, indices: &TensorType, updates: &TensorType) -> Rule {
    let [count, pair] = fixed::<2>(indices, "put_c1")?;
    require(pair == 2 && indices.dtype == DType::I32, "put_c1", || "not i32 [U, 2]".into())?;
    require(x.shape.rank() >= 2, "put_c2", || "operand has no row pairs".into())?;
    let rows =
        std::iter::once(&Dim::Fixed(count)).chain(&x.shape.dims()[2..]).eq(updates.shape.dims());
    require(rows && x.dtype == updates.dtype, "put_c2", || "updates do not fit".into())?;
    Ok(x.clone())
}

fn reduce(reduction: Reduction, axis: usize, x: &TensorType) -> Rule {
    require(x.dtype.is_float(), "reduce_c1", || format!("element type {}", x.dtype))?;
    let mut shape = sizes(x, "reduce_c2")?;
    require(axis < shape.len(), "reduce_c2", || format!("axis {axis}"))?;
    shape.remove(axis);
    let dtype = if reduction == Reduction::Sum { DType::F32 } else { x.dtype };
    Ok(TensorType::new(dtype, shape))
}

fn dot(
    batch: &(Vec<usize>, Vec<usize>),
    contract: &(Vec<usize>, Vec<usize>),
    lhs: &TensorType,
    rhs: &TensorType,
) -> Rule {
    let fits = lhs.dtype == rhs.dtype && lhs.dtype.is_float();
    require(fits, "dot_c1", || "element types".into())?;
    let (left, right) = (sizes(lhs, "dot_c2")?, sizes(rhs, "dot_c2")?);
    for (lhs_axes, rhs_axes) in [batch, contract] {
        let fits = lhs_axes.len() == rhs_axes.len()
            && lhs_axes
                .iter()
                .zip(rhs_axes)
                .all(|(l, r)| left.get(*l).is_some_and(|size| Some(size) == right.get(*r)));
        require(fits, "dot_c2", || format!("axes {lhs_axes:?} x {rhs_axes:?}"))?;
    }
    let lhs_free = free_axes(left.len(), &batch.0, &contract.0)?;
    let rhs_free = free_axes(right.len(), &batch.1, &contract.1)?;
    let shape: Vec<usize> = (batch.0.iter().map(|axis| left[*axis]))
        .chain(lhs_free.into_iter().map(|axis| left[axis]))
        .chain(rhs_free.into_iter().map(|axis| right[axis]))
        .collect();
    Ok(TensorType::new(DType::F32, shape))
}

/// The axes that are neither batch nor contracted (dot_c3: none named twice).
fn free_axes(
    rank: usize,
    batch: &[usize],
    contract: &[usize],
) -> Result<Vec<usize>, (&'static str, String)> {
    let free: Vec<usize> =
        (0..rank).filter(|axis| !batch.contains(axis) && !contract.contains(axis)).collect();
    let unique = free.len() + batch.len() + contract.len() == rank;
    require(unique, "dot_c3", || format!("axes {batch:?} and {contract:?} of rank {rank}"))?;
    Ok(free)
}

fn rope_angles(table: &RopeTable, operands: &[&TensorType]) -> Rule {
    require(operands.len() == 1 + usize::from(table.needs_length()), "rope_angles_c1", || {
        format!("{} operands", operands.len())
    })?;
    let pairs = table.inverse_frequencies.len();
    let scaled = match &table.scaling {
        RopeScaling::Fixed => true,
        RopeScaling::LongBeyond { boundary, long } => *boundary > 0 && long.len() == pairs,
        RopeScaling::DynamicNtk { boundary, .. } => *boundary > 0 && pairs > 1,
    };
    require(scaled, "rope_angles_c3", || format!("{pairs} frequencies, {:?}", table.scaling))?;
    let [tokens] = fixed::<1>(operands[0], "rope_angles_c2")?;
    let fits = operands.iter().all(|ty| ty.dtype == DType::I32 && ty.shape == operands[0].shape);
    require(fits, "rope_angles_c2", || "not i32 vectors of one size".into())?;
    Ok(TensorType::new(DType::F32, [2, tokens, pairs]))
}

fn quantize_kv(code: KvCode, x: &TensorType) -> Rule {
    require(x.dtype == DType::F32, "quantize_kv_c1", || format!("{x} is not f32"))?;
    let [rows, heads, width] = fixed::<3>(x, "quantize_kv_c1")?;
    let bytes = code.row_bytes(width);
    let group = code.group();
    let bytes = bytes.ok_or_else(|| ("quantize_kv_c2", format!("{width} in groups of {group}")))?;
    Ok(TensorType::new(DType::U8, [rows, heads, bytes]))
}

fn attention(
    kv: Option<KvCode>,
    q: &TensorType,
    [keys, values]: [&TensorType; 2],
    tables: &TensorType,
    positions: &TensorType,
) -> Rule {
    let [tokens, heads, width] = fixed::<3>(q, "attention_c1")?;
    let [batch, _] = fixed::<2>(tables, "attention_c1")?;
    require(keys == values, "attention_c3", || "caches differ".into())?;
    let known = kv.is_some() || keys.dtype.is_float();
    require(known, "attention_c3", || "a cache of no floats".into())?;
    let (kv_heads, kv_width) = match keys.shape.dims() {
        [_, Dim::Fixed(_), Dim::Fixed(heads), Dim::Fixed(width)] => (*heads, *width),
        _ => return Err(("attention_c1", format!("cache {keys}"))),
    };
    let indices = tables.dtype == DType::I32 && *positions == TensorType::new(DType::I32, [tokens]);
    if let Some(code) = kv {
        let fits = keys.dtype == DType::U8 && code.row_bytes(width) == Some(kv_width);
        require(fits, "attention_c6", || format!("no {code} cache of heads of {width}"))?;
    }
    let fits = q.dtype == DType::F32 && indices && (kv.is_some() || kv_width == width);
    require(fits, "attention_c1", || "operands do not fit".into())?;
    let grouped = kv_heads > 0 && heads.is_multiple_of(kv_heads);
    require(grouped, "attention_c2", || format!("{heads} heads on {kv_heads}"))?;
    let batched = batch > 0 && tokens.is_multiple_of(batch);
    require(batched, "attention_c4", || format!("{tokens} queries of {batch} rows"))?;
    Ok(q.clone())
}
