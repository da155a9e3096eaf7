//! Rotary position embedding.

use super::builder::{Added, Builder};
use crate::dtype::DType;
use crate::graph::ValueId;
use crate::op::{Binary, Comparison, RopeScaling, RopeTable, Unary};

/// Cosines and sines of `positions × inverse frequency`, times the amplitude.
pub(super) fn angles(
    b: &mut Builder,
    table: &RopeTable,
    positions: ValueId,
    lengths: Option<ValueId>,
) -> Added {
    let [tokens] = b.extents(positions);
    let pairs = table.inverse_frequencies.len();
    let frequencies = frequencies(b, table, tokens, lengths)?;
    let positions = b.convert(DType::F32, positions)?;
    let positions = b.broadcast(positions, [tokens, pairs], [0])?;
    let angles = b.binary(Binary::Multiply, positions, frequencies)?;
    let mut waves = Vec::new();
    for function in [Unary::Cosine, Unary::Sine] {
        let mut wave = b.unary(function, angles)?;
        if table.amplitude != 1.0 {
            wave = b.binary_with(Binary::Multiply, wave, table.amplitude.into())?;
        }
        waves.push(b.reshape(wave, [1, tokens, pairs])?);
    }
    b.concat(0, &waves)
}

/// The inverse frequencies for each token: `[T, R]`.
fn frequencies(
    b: &mut Builder,
    table: &RopeTable,
    tokens: usize,
    lengths: Option<ValueId>,
) -> Added {
    let shape = [tokens, table.inverse_frequencies.len()];
    let plain = b.vector(table.inverse_frequencies.clone())?;
    let plain = b.broadcast(plain, shape, [1])?;
    let Some(lengths) = lengths else { return Ok(plain) };
    let (boundary, scaled) = match &table.scaling {
        RopeScaling::Fixed => return Ok(plain),
        RopeScaling::LongBeyond { boundary, long } => {
            let long = b.vector(long.clone())?;
            (*boundary, b.broadcast(long, shape, [1])?)
        }
        RopeScaling::DynamicNtk { base, factor, boundary } => {
            (*boundary, dynamic_ntk(b, shape, lengths, [*base, *factor, *boundary as f64])?)
        }
    };
    // Lengths are i32: no length lies beyond a boundary that i32 cannot hold.
    let boundary = boundary.min(i32::MAX as usize);
    let beyond = b.compare_with(Comparison::Gt, lengths, boundary as f64)?;
    let beyond = b.broadcast(beyond, shape, [0])?;
    b.select(beyond, scaled, plain)
}

/// `1 / base'^(2i / 2R)` with `base' = base × (factor × length / boundary − (factor − 1))^(2R / (2R − 2))`,
/// in f32 and in the order of transformers' `_compute_dynamic_ntk_parameters`.
fn dynamic_ntk(
    b: &mut Builder,
    shape: [usize; 2],
    lengths: ValueId,
    [base, factor, boundary]: [f64; 3],
) -> Added {
    let pairs = shape[1];
    let width = 2.0 * pairs as f64;
    let lengths = b.convert(DType::F32, lengths)?;
    // Below the boundary the growth would be negative and its power NaN.
    let lengths = b.binary_with(Binary::Maximum, lengths, boundary)?;
    let growth = b.binary_with(Binary::Multiply, lengths, factor)?;
    let growth = b.binary_with(Binary::Divide, growth, boundary)?;
    let growth = b.binary_with(Binary::Subtract, growth, factor - 1.0)?;
    let growth = b.binary_with(Binary::Power, growth, width / (width - 2.0))?;
    let base = b.binary_with(Binary::Multiply, growth, base)?;
    let base = b.broadcast(base, shape, [0])?;
    let exponents = b.vector((0..pairs).map(|pair| 2.0 * pair as f32 / width as f32).collect())?;
    let exponents = b.broadcast(exponents, shape, [1])?;
    let frequencies = b.binary(Binary::Power, base, exponents)?;
    let one = b.splat_like(1.0, frequencies)?;
    b.binary(Binary::Divide, one, frequencies)
}

/// Rotates pairs `(i, i + R)` of the first `2R` of each head, keeps the rest.
///
/// As `x × cos + swapped(x) × (−sin, sin)` over `[T, H, 2, R]`: one expression that a compiler
/// fuses, where halves that are computed apart and joined are four loops and two copies.
pub(super) fn rope(b: &mut Builder, x: ValueId, angles: ValueId) -> Added {
    let [tokens, heads, width] = b.extents(x);
    let [_, _, pairs] = b.extents(angles);
    let shape = [tokens, heads, 2, pairs];
    let rotary = b.slice(x, 2, 0, 2 * pairs)?;
    let rotary = b.reshape(rotary, shape)?;
    let swapped = b.reverse(rotary, 2)?;
    let cosine = wave(b, angles, 0, [1.0, 1.0])?;
    let cosine = b.broadcast(cosine, shape, [0, 2, 3])?;
    let sine = wave(b, angles, 1, [-1.0, 1.0])?;
    let sine = b.broadcast(sine, shape, [0, 2, 3])?;

    let kept = b.binary(Binary::Multiply, rotary, cosine)?;
    let crossed = b.binary(Binary::Multiply, swapped, sine)?;
    let rotated = b.binary(Binary::Add, kept, crossed)?;
    let rotated = b.reshape(rotated, [tokens, heads, 2 * pairs])?;
    if 2 * pairs == width {
        return Ok(rotated);
    }
    let rest = b.slice(x, 2, 2 * pairs, width)?;
    b.concat(2, &[rotated, rest])
}

/// Cosines (0) or sines (1) for both halves, `[T, 2, R]`, each half with its sign.
fn wave(b: &mut Builder, angles: ValueId, index: usize, signs: [f32; 2]) -> Added {
    let [_, tokens, pairs] = b.extents(angles);
    let wave = b.slice(angles, 0, index, index + 1)?;
    let wave = b.reshape(wave, [tokens, pairs])?;
    let wave = b.broadcast(wave, [tokens, 2, pairs], [0, 2])?;
    if signs == [1.0, 1.0] {
        return Ok(wave);
    }
    let signs = b.vector(signs.to_vec())?;
    let signs = b.broadcast(signs, [tokens, 2, pairs], [1])?;
    b.binary(Binary::Multiply, wave, signs)
}
