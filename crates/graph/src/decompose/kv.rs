//! Quantized keys and values: their bytes from floats, floats from their bytes, and queries as they
//! are read beside them.
//!
//! Every step is an operation of IEEE 754 that compilers may not change, in the order in which kernels
//! take it, so that the bytes are theirs.

use super::builder::{Added, Builder};
use crate::dtype::DType;
use crate::graph::{TensorType, ValueId};
use crate::infer::InferError;
use crate::kv::KvCode;
use crate::op::{Binary, Comparison, Op, Reduction, Unary};

/// The largest 8-bit float, and the byte of NaN.
const LARGEST_FLOAT: f64 = 448.0;
const NAN_BYTE: f64 = 127.0;

/// The exponent of the smallest normal 8-bit float, and of the last bit of its fraction: as an f32
/// has the former, and how much less the latter is.
const SMALLEST_EXPONENT: f64 = 121.0;
const FRACTION_BITS: f64 = 3.0;

/// What an exponent is multiplied with to stand where an f32 has it.
const EXPONENT_UNIT: f64 = (1 << 23) as f64;

/// Groups of a query without an element of this size are zero.
const SMALLEST_QUERY: f64 = 1.0 / (1u128 << 100) as f64;

/// [`Op::QuantizeKv`]: `x`, `[U, G, D]`, as bytes `[U, G, bytes of D]`.
pub(super) fn quantize(b: &mut Builder, code: KvCode, x: ValueId) -> Added {
    let [rows, heads, width] = b.extents(x);
    let bytes = match code {
        KvCode::E4M3 => return float_bytes(b, x),
        KvCode::Q8_0 | KvCode::Q4_0 => {
            let shape = [rows, heads, width / KvCode::GROUP, KvCode::GROUP];
            let groups = b.reshape(x, shape)?;
            group_bytes(b, code, groups)?
        }
    };
    b.reshape(bytes, [rows, heads, width / code.group() * code.group_bytes()])
}

/// Groups `[U, G, n, 32]` as scales and codes.
fn group_bytes(b: &mut Builder, code: KvCode, x: ValueId) -> Added {
    let Clean { x, nan } = clean(b, x)?;
    let size = b.unary(Unary::Abs, x)?;
    let largest = b.reduce_rows(Reduction::Max, size)?;
    let scale = match code {
        KvCode::Q4_0 => {
            let extreme = first_of_size(b, x, size, largest)?;
            b.binary_with(Binary::Divide, extreme, -8.0)?
        }
        _ => b.binary_with(Binary::Divide, largest, 127.0)?,
    };
    let inverse = inverse(b, scale)?;
    let zero = b.splat_like(0.0, inverse)?;
    let inverse = b.select(nan, zero, inverse)?;
    let inverse = b.broadcast_rows(inverse, x)?;
    let scaled = b.binary(Binary::Multiply, x, inverse)?;
    let codes = match code {
        KvCode::Q4_0 => halves(b, scaled)?,
        _ => {
            let codes = b.unary(Unary::RoundNearestAfz, scaled)?;
            let codes = b.convert(DType::I8, codes)?;
            b.bitcast(DType::U8, codes)?
        }
    };
    let bad = b.splat_like(f64::NAN, scale)?;
    let scale = b.select(nan, bad, scale)?;
    let scale = b.convert(DType::F16, scale)?;
    let scale = b.bitcast(DType::U8, scale)?;
    b.concat(3, &[scale, codes])
}

/// Groups without what is not finite.
struct Clean {
    /// The groups, with zeros for it.
    x: ValueId,
    /// Which groups had it, Bool without the last axis.
    nan: ValueId,
}

fn clean(b: &mut Builder, x: ValueId) -> Result<Clean, InferError> {
    let size = b.unary(Unary::Abs, x)?;
    let finite = b.compare_with(Comparison::Lt, size, f64::INFINITY)?;
    let zero = b.splat_like(0.0, x)?;
    let one = b.splat_like(1.0, x)?;
    let bad = b.select(finite, zero, one)?;
    let bad = b.reduce_rows(Reduction::Max, bad)?;
    let nan = b.compare_with(Comparison::Gt, bad, 0.0)?;
    Ok(Clean { x: b.select(finite, x, zero)?, nan })
}

/// The first element of each group whose size is the largest, with its sign.
fn first_of_size(b: &mut Builder, x: ValueId, size: ValueId, largest: ValueId) -> Added {
    let shape = b.sizes(x);
    let axis = shape.len() - 1;
    let largest = b.broadcast_rows(largest, x)?;
    let is_largest = b.compare(Comparison::Eq, size, largest)?;
    let place = b.add(Op::Iota { ty: TensorType::new(DType::F32, &shape[..]), axis }, &[])?;
    // Only the largest of many can be found: places count down.
    let place = b.unary(Unary::Negate, place)?;
    let none = b.splat_like(f64::NEG_INFINITY, place)?;
    let places = b.select(is_largest, place, none)?;
    let first = b.reduce_rows(Reduction::Max, places)?;
    let first = b.broadcast_rows(first, x)?;
    let is_first = b.compare(Comparison::Eq, place, first)?;
    let zero = b.splat_like(0.0, x)?;
    let only = b.select(is_first, x, zero)?;
    b.reduce_rows(Reduction::Sum, only)
}

/// What elements are multiplied with; 0 of a scale below every normal number.
fn inverse(b: &mut Builder, scale: ValueId) -> Added {
    let size = b.unary(Unary::Abs, scale)?;
    let normal = b.compare_with(Comparison::Ge, size, f32::MIN_POSITIVE.into())?;
    let one = b.splat_like(1.0, scale)?;
    let zero = b.splat_like(0.0, scale)?;
    let inverse = b.binary(Binary::Divide, one, scale)?;
    b.select(normal, inverse, zero)
}

/// Codes of 4 bits from scaled elements, two in a byte: the group's first half in the low ones.
fn halves(b: &mut Builder, scaled: ValueId) -> Added {
    // Nothing is below this. Without something between them the product and the sum might become one
    // operation, which rounds once.
    let scaled = b.binary_with(Binary::Maximum, scaled, -8.5)?;
    let codes = b.binary_with(Binary::Add, scaled, 8.5)?;
    let codes = b.unary(Unary::Floor, codes)?;
    let codes = b.binary_with(Binary::Minimum, codes, 15.0)?;
    let axis = b.sizes(codes).len() - 1;
    let low = b.slice(codes, axis, 0, KvCode::GROUP / 2)?;
    let high = b.slice(codes, axis, KvCode::GROUP / 2, KvCode::GROUP)?;
    let high = b.binary_with(Binary::Multiply, high, 16.0)?;
    let both = b.binary(Binary::Add, low, high)?;
    b.convert(DType::U8, both)
}

/// The nearest 8-bit floats, ties to even; the largest beyond it, NaN of what is not finite.
fn float_bytes(b: &mut Builder, x: ValueId) -> Added {
    let size = b.unary(Unary::Abs, x)?;
    let finite = b.compare_with(Comparison::Lt, size, f64::INFINITY)?;
    let most = b.splat_like(LARGEST_FLOAT, size)?;
    let below = b.compare(Comparison::Lt, size, most)?;
    let size = b.select(below, size, most)?;
    // The exponent as f32 has it, from that of the smallest normal 8-bit float on.
    let bits = b.bitcast(DType::I32, size)?;
    let exponent = b.binary_with(Binary::Divide, bits, EXPONENT_UNIT)?;
    let exponent = b.binary_with(Binary::Maximum, exponent, SMALLEST_EXPONENT)?;
    // In units of the last place of its fraction, 2^(exponent - 127 - 3), it is below 16.
    let of_inverse = b.splat_like(2.0 * 127.0 + FRACTION_BITS, exponent)?;
    let of_inverse = b.binary(Binary::Subtract, of_inverse, exponent)?;
    let of_inverse = b.binary_with(Binary::Multiply, of_inverse, EXPONENT_UNIT)?;
    let inverse = b.bitcast(DType::F32, of_inverse)?;
    let units = b.binary(Binary::Multiply, size, inverse)?;
    let units = b.unary(Unary::RoundNearestEven, units)?;
    let units = b.convert(DType::I32, units)?;
    // Units from 8 on carry into the exponent by themselves.
    let exponent = b.binary_with(Binary::Subtract, exponent, SMALLEST_EXPONENT)?;
    let exponent = b.binary_with(Binary::Multiply, exponent, 8.0)?;
    let bytes = b.binary(Binary::Add, exponent, units)?;
    let signed = b.bitcast(DType::I32, x)?;
    let negative = b.compare_with(Comparison::Lt, signed, 0.0)?;
    let with_sign = b.binary_with(Binary::Add, bytes, 128.0)?;
    let bytes = b.select(negative, with_sign, bytes)?;
    let nan = b.splat_like(NAN_BYTE, bytes)?;
    let bytes = b.select(finite, bytes, nan)?;
    b.convert(DType::U8, bytes)
}

/// Vectors `[…, bytes of D]` as f32 `[…, D]`.
pub(super) fn dequantize(b: &mut Builder, code: KvCode, bytes: ValueId) -> Added {
    if code == KvCode::E4M3 {
        // Targets convert 8-bit floats of their own kind only, or NaN wrongly.
        let values = b.vector((0..=u8::MAX).map(float_of_byte).collect())?;
        let at = b.convert(DType::I32, bytes)?;
        return b.take(values, at);
    }
    let mut shape = b.sizes(bytes);
    let row = shape.pop().expect("attention_c6: a row of bytes");
    let groups = row / code.group_bytes();
    shape.extend([groups, code.group_bytes()]);
    let axis = shape.len() - 1;
    let of_groups = b.reshape(bytes, &shape[..])?;
    let scale = b.slice(of_groups, axis, 0, 2)?;
    let scale = b.bitcast(DType::F16, scale)?;
    let scale = b.convert(DType::F32, scale)?;
    let codes = b.slice(of_groups, axis, 2, code.group_bytes())?;
    let codes = match code {
        KvCode::Q4_0 => codes_of_halves(b, codes)?,
        _ => {
            let codes = b.bitcast(DType::I8, codes)?;
            b.convert(DType::F32, codes)?
        }
    };
    let scale = b.broadcast_rows(scale, codes)?;
    let values = b.binary(Binary::Multiply, scale, codes)?;
    shape.truncate(axis - 1);
    shape.push(groups * KvCode::GROUP);
    b.reshape(values, shape)
}

/// Bytes `[…, 16]` as codes `[…, 32]` around zero: the low halves, then the high ones.
fn codes_of_halves(b: &mut Builder, bytes: ValueId) -> Added {
    let mut shape = b.sizes(bytes);
    let last = shape.len() - 1;
    let both = b.convert(DType::F32, bytes)?;
    let high = b.binary_with(Binary::Multiply, both, 1.0 / 16.0)?;
    let high = b.unary(Unary::Floor, high)?;
    let above = b.binary_with(Binary::Multiply, high, 16.0)?;
    let low = b.binary(Binary::Subtract, both, above)?;
    // By a choice and not by a concatenation, which would be a copy.
    shape.insert(last, 2);
    let axes: Vec<usize> = (0..last).chain([last + 1]).collect();
    let low = b.broadcast(low, &shape[..], &axes[..])?;
    let high = b.broadcast(high, &shape[..], &axes[..])?;
    let ty = TensorType::new(DType::I32, &shape[..]);
    let half = b.add(Op::Iota { ty, axis: last }, &[])?;
    let is_low = b.compare_with(Comparison::Eq, half, 0.0)?;
    let codes = b.select(is_low, low, high)?;
    shape.truncate(last);
    shape.push(KvCode::GROUP);
    let codes = b.reshape(codes, shape)?;
    b.binary_with(Binary::Subtract, codes, 8.0)
}

/// Scaled queries `[…, D]` as they are read beside quantized keys: codes of -127 to 127 with a scale
/// for every group; beside 8-bit floats as they are.
pub(super) fn round_query(b: &mut Builder, code: KvCode, q: ValueId) -> Added {
    if code == KvCode::E4M3 {
        return Ok(q);
    }
    let whole = b.sizes(q);
    let mut shape = whole.clone();
    let width = shape.pop().expect("attention_c1: a width");
    shape.extend([width / KvCode::GROUP, KvCode::GROUP]);
    let groups = b.reshape(q, shape)?;
    let Clean { x, nan } = clean(b, groups)?;
    let size = b.unary(Unary::Abs, x)?;
    let largest = b.reduce_rows(Reduction::Max, size)?;
    let zero = b.splat_like(0.0, largest)?;
    let seen = b.compare_with(Comparison::Ge, largest, SMALLEST_QUERY)?;
    let scale = b.binary_with(Binary::Divide, largest, 127.0)?;
    let scale = b.select(seen, scale, zero)?;
    let bad = b.splat_like(f64::NAN, scale)?;
    let scale = b.select(nan, bad, scale)?;
    let most = b.splat_like(127.0, largest)?;
    let inverse = b.binary(Binary::Divide, most, largest)?;
    let inverse = b.select(seen, inverse, zero)?;
    let inverse = b.broadcast_rows(inverse, x)?;
    let codes = b.binary(Binary::Multiply, x, inverse)?;
    let codes = b.unary(Unary::RoundNearestEven, codes)?;
    let scale = b.broadcast_rows(scale, codes)?;
    let rounded = b.binary(Binary::Multiply, scale, codes)?;
    b.reshape(rounded, whole)
}

/// The value of an 8-bit float.
fn float_of_byte(byte: u8) -> f32 {
    let (exponent, fraction) = (i32::from(byte >> 3 & 15), f32::from(byte & 7));
    let size = match (exponent, byte & 7) {
        (15, 7) => f32::NAN,
        (0, _) => fraction * 2f32.powi(-9),
        _ => (8.0 + fraction) * 2f32.powi(exponent - 10),
    };
    if byte & 128 == 0 { size } else { -size }
}
