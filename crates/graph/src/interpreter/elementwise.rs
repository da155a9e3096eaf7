//! Element-wise ops.

use super::error::Failure;
use super::tensor::{Data, Tensor};
use crate::dtype::DType;
use crate::op::{Binary, Comparison, Unary};

pub(super) fn unary(unary: Unary, x: &Tensor) -> Tensor {
    match x.data() {
        Data::Float(values) => {
            let results = values.iter().map(|value| function(unary, f64::from(*value)));
            Tensor::rounded(x.dtype(), x.shape(), results)
        }
        // unary_c1: only Not takes Bool.
        Data::Integer(values) => {
            Tensor::wrapped(x.dtype(), x.shape(), values.iter().map(|value| 1 - value))
        }
    }
}

fn function(unary: Unary, x: f64) -> f64 {
    match unary {
        Unary::Negate | Unary::Not => -x,
        Unary::Exponential => x.exp(),
        Unary::Log => x.ln(),
        Unary::Logistic => 1.0 / (1.0 + (-x).exp()),
        Unary::Tanh => x.tanh(),
        Unary::Sine => x.sin(),
        Unary::Cosine => x.cos(),
        Unary::Sqrt => x.sqrt(),
        Unary::Rsqrt => 1.0 / x.sqrt(),
        Unary::Erf => erf(x),
        Unary::Abs => x.abs(),
        Unary::Floor => x.floor(),
        Unary::RoundNearestEven => x.round_ties_even(),
        Unary::RoundNearestAfz => x.round(),
    }
}

/// The error function, `2/√π × ∫ exp(-t²)` from 0 to x: its Taylor series up to 3, beyond that the
/// continued fraction of `1 - erf`. Exact to some units of 2^-53.
fn erf(x: f64) -> f64 {
    let size = x.abs();
    if size < 3.0 {
        let (mut term, mut sum) = (x, x);
        for n in 1..60 {
            // Abramowitz and Stegun 7.1.6: all terms have one sign, so that nothing cancels.
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
        }
        return 2.0 / std::f64::consts::PI.sqrt() * (-x * x).exp() * sum;
    }
    if x.is_nan() || size > 6.0 {
        return if x.is_nan() { x } else { x.signum() };
    }
    // Abramowitz and Stegun 7.1.14.
    let fraction = (1..60).rev().fold(size, |rest, n| size + f64::from(n) / 2.0 / rest);
    let beyond = (-x * x).exp() / (std::f64::consts::PI.sqrt() * fraction);
    (1.0 - beyond) * x.signum()
}

pub(super) fn binary(binary: Binary, lhs: &Tensor, rhs: &Tensor) -> Result<Tensor, Failure> {
    let (dtype, shape) = (lhs.dtype(), lhs.shape());
    if dtype.is_float() {
        let pairs = lhs.f().iter().zip(rhs.f());
        // In f32 first: what an f32 machine gives is the definition.
        let results = pairs.map(|(lhs, rhs)| f64::from(of_floats(binary, *lhs, *rhs)));
        return Ok(Tensor::rounded(dtype, shape, results));
    }
    let pairs = lhs.i().iter().zip(rhs.i());
    let results: Result<Vec<i64>, Failure> =
        pairs.map(|(lhs, rhs)| of_integers(binary, *lhs, *rhs)).collect();
    Ok(Tensor::wrapped(dtype, shape, results?))
}

fn of_floats(binary: Binary, lhs: f32, rhs: f32) -> f32 {
    match binary {
        Binary::Add => lhs + rhs,
        Binary::Subtract => lhs - rhs,
        Binary::Multiply => lhs * rhs,
        Binary::Divide => lhs / rhs,
        Binary::Maximum => maximum(lhs, rhs),
        Binary::Minimum => -maximum(-lhs, -rhs),
        Binary::Power => f64::from(lhs).powf(rhs.into()) as f32,
        Binary::And | Binary::Or => unreachable!("binary_c2: And and Or take Bool"),
    }
}

/// IEEE 754-2019 `maximum`: NaN if either is, and 0 above -0.
pub(super) fn maximum(lhs: f32, rhs: f32) -> f32 {
    match lhs.partial_cmp(&rhs) {
        None => f32::NAN,
        Some(std::cmp::Ordering::Greater) => lhs,
        Some(std::cmp::Ordering::Less) => rhs,
        Some(std::cmp::Ordering::Equal) if lhs.is_sign_negative() => rhs,
        Some(std::cmp::Ordering::Equal) => lhs,
    }
}

fn of_integers(binary: Binary, lhs: i64, rhs: i64) -> Result<i64, Failure> {
    Ok(match binary {
        Binary::Add => lhs.wrapping_add(rhs),
        Binary::Subtract => lhs.wrapping_sub(rhs),
        Binary::Multiply => lhs.wrapping_mul(rhs),
        Binary::Divide if rhs == 0 => return Err(Failure::Division),
        Binary::Divide => lhs.wrapping_div(rhs),
        Binary::Maximum => lhs.max(rhs),
        Binary::Minimum => lhs.min(rhs),
        Binary::Power => power(lhs, rhs)?,
        Binary::And => lhs & rhs,
        Binary::Or => lhs | rhs,
    })
}

/// The power, truncated where the exponent is negative.
fn power(base: i64, exponent: i64) -> Result<i64, Failure> {
    match (base, exponent) {
        (0, ..0) => Err(Failure::Division),
        (1 | -1, _) => Ok(if exponent % 2 == 0 { 1 } else { base }),
        (_, ..0) => Ok(0),
        // A longer exponent only wraps: 64 squarings of an even base give 0, and odd bases
        // have an order that divides 2^62.
        _ => {
            let (mut result, mut square, mut rest) = (1i64, base, exponent);
            while rest > 0 {
                if rest % 2 == 1 {
                    result = result.wrapping_mul(square);
                }
                square = square.wrapping_mul(square);
                rest /= 2;
            }
            Ok(result)
        }
    }
}

pub(super) fn compare(comparison: Comparison, lhs: &Tensor, rhs: &Tensor) -> Tensor {
    let results: Vec<i64> = match lhs.data() {
        Data::Float(values) => {
            values.iter().zip(rhs.f()).map(|(lhs, rhs)| holds(comparison, lhs, rhs)).collect()
        }
        Data::Integer(values) => {
            values.iter().zip(rhs.i()).map(|(lhs, rhs)| holds(comparison, lhs, rhs)).collect()
        }
    };
    Tensor::wrapped(DType::Bool, lhs.shape(), results)
}

fn holds<T: PartialOrd>(comparison: Comparison, lhs: &T, rhs: &T) -> i64 {
    i64::from(match comparison {
        Comparison::Eq => lhs == rhs,
        Comparison::Ne => lhs != rhs,
        Comparison::Lt => lhs < rhs,
        Comparison::Le => lhs <= rhs,
        Comparison::Gt => lhs > rhs,
        Comparison::Ge => lhs >= rhs,
    })
}

pub(super) fn select(condition: &Tensor, then: &Tensor, other: &Tensor) -> Tensor {
    let conditions = condition.i().iter().map(|condition| *condition != 0);
    let (dtype, shape) = (then.dtype(), then.shape());
    if dtype.is_float() {
        let pairs = then.f().iter().zip(other.f());
        let chosen =
            conditions.zip(pairs).map(|(yes, (then, other))| if yes { then } else { other });
        Tensor::rounded(dtype, shape, chosen.map(|value| f64::from(*value)))
    } else {
        let pairs = then.i().iter().zip(other.i());
        let chosen =
            conditions.zip(pairs).map(|(yes, (then, other))| if yes { then } else { other });
        Tensor::wrapped(dtype, shape, chosen.copied())
    }
}

pub(super) fn convert(dtype: DType, x: &Tensor) -> Tensor {
    match (x.data(), dtype.is_float()) {
        _ if x.dtype() == dtype => x.clone(),
        (Data::Float(values), true) => {
            Tensor::rounded(dtype, x.shape(), values.iter().map(|value| f64::from(*value)))
        }
        (Data::Float(values), false) if dtype == DType::Bool => {
            Tensor::wrapped(dtype, x.shape(), values.iter().map(|value| i64::from(*value != 0.0)))
        }
        (Data::Float(values), false) => {
            Tensor::wrapped(dtype, x.shape(), values.iter().map(|value| *value as i64))
        }
        (Data::Integer(values), true) => {
            Tensor::rounded(dtype, x.shape(), values.iter().map(|value| *value as f64))
        }
        (Data::Integer(values), false) => Tensor::wrapped(dtype, x.shape(), values.iter().copied()),
    }
}
