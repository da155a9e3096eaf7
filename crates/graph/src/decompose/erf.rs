//! The error function, which StableHLO does not have.

use super::builder::{Added, Builder};
use crate::graph::ValueId;
use crate::op::{Binary, Comparison, Unary};

/// Abramowitz and Stegun 7.1.26: `1 - (a1 t + a2 t² + … + a5 t⁵) exp(-x²)` with `t = 1 / (1 + p x)`
/// for x from 0 up, of an absolute error of at most 1.5e-7. The function is odd. Kernels compute the
/// same (`kernels-cpu/simd.h`).
const P: f64 = 0.327_591_1;
const A: [f64; 5] = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];

/// Below this the Taylor series (ibid. 7.1.5), `2/√π × x × (1 - x²/3 + x⁴/10 - …)`: there the other
/// form would be the difference of two numbers near 1.
const SMALL: f64 = 0.5;
const SERIES: [f64; 6] = [1.0, -1.0 / 3.0, 0.1, -1.0 / 42.0, 1.0 / 216.0, -1.0 / 1320.0];

pub(super) fn erf(b: &mut Builder, x: ValueId) -> Added {
    let negative = b.unary(Unary::Negate, x)?;
    let size = b.binary(Binary::Maximum, x, negative)?;
    let square = b.binary(Binary::Multiply, x, x)?;

    let scaled = b.binary_with(Binary::Multiply, size, P)?;
    let one = b.splat_like(1.0, x)?;
    let under = b.binary(Binary::Add, scaled, one)?;
    let t = b.binary(Binary::Divide, one, under)?;
    let sum = polynomial(b, t, &A)?;
    let sum = b.binary(Binary::Multiply, sum, t)?;
    let decayed = b.unary(Unary::Negate, square)?;
    let decayed = b.unary(Unary::Exponential, decayed)?;
    let beyond = b.binary(Binary::Multiply, sum, decayed)?;
    let large = b.binary(Binary::Subtract, one, beyond)?;
    let below = b.compare_with(Comparison::Lt, x, 0.0)?;
    let negated = b.unary(Unary::Negate, large)?;
    let large = b.select(below, negated, large)?;

    let small = polynomial(b, square, &SERIES)?;
    let small = b.binary(Binary::Multiply, small, x)?;
    let small = b.binary_with(Binary::Multiply, small, std::f64::consts::FRAC_2_SQRT_PI)?;
    let near = b.compare_with(Comparison::Lt, size, SMALL)?;
    b.select(near, small, large)
}

/// `c[0] + c[1] x + c[2] x² + …`.
fn polynomial(b: &mut Builder, x: ValueId, coefficients: &[f64]) -> Added {
    let (last, others) = coefficients.split_last().expect("there are coefficients");
    let mut sum = b.splat_like(*last, x)?;
    for coefficient in others.iter().rev() {
        sum = b.binary(Binary::Multiply, sum, x)?;
        sum = b.binary_with(Binary::Add, sum, *coefficient)?;
    }
    Ok(sum)
}
