//! Quantized keys and values: ggml's `quantize_row_q8_0_ref` and `quantize_row_q4_0_ref`, 8-bit
//! floats, and what the codes decode to.

use super::rounding::{decode, encode, round};
use super::tensor::Tensor;
use crate::dtype::DType;
use crate::kv::KvCode;

/// `x`, f32 `[U, G, D]`, as bytes.
pub(super) fn quantize(code: KvCode, x: &Tensor) -> Tensor {
    let [rows, heads, width] = x.extents();
    let bytes = code.row_bytes(width).expect("quantize_kv_c2: whole groups");
    let groups = x.f().chunks(code.group());
    let values = groups.flat_map(|group| quantize_group(code, group)).map(i64::from);
    Tensor::wrapped(DType::U8, &[rows, heads, bytes], values)
}

/// One group's scale and codes.
fn quantize_group(code: KvCode, x: &[f32]) -> Vec<u8> {
    if code == KvCode::E4M3 {
        return x.iter().map(|value| float_byte(*value)).collect();
    }
    let finite = x.iter().all(|value| value.is_finite());
    // The first of those with the largest magnitude.
    let extreme =
        x.iter().copied().fold(0f32, |most, v| if v.abs() > most.abs() { v } else { most });
    let d = match code {
        _ if !finite => f32::NAN,
        KvCode::Q8_0 => extreme.abs() / 127.0,
        KvCode::Q4_0 => extreme / -8.0,
        KvCode::E4M3 => unreachable!("it has no scale"),
    };
    let inverse = if d.abs() >= f32::MIN_POSITIVE { 1.0 / d } else { 0.0 };
    let scaled = |value: f32| if finite { value * inverse } else { 0.0 };
    let mut bytes = encode(DType::F16, d).to_le_bytes()[..2].to_vec();
    match code {
        KvCode::Q8_0 => bytes.extend(x.iter().map(|value| scaled(*value).round() as i8 as u8)),
        KvCode::Q4_0 => {
            let half = |value: f32| ((scaled(value) + 8.5) as u8).min(15);
            let (low, high) = x.split_at(KvCode::GROUP / 2);
            bytes.extend(low.iter().zip(high).map(|(low, high)| half(*low) | half(*high) << 4));
        }
        KvCode::E4M3 => unreachable!("it has no scale"),
    }
    bytes
}

/// The nearest 8-bit float, the largest one beyond it; NaN, without a sign, of what is not finite.
fn float_byte(value: f32) -> u8 {
    if !value.is_finite() {
        return 0x7f;
    }
    let within = f64::from(value.clamp(-448.0, 448.0));
    encode(DType::F8E4M3, round(DType::F8E4M3, within)) as u8
}

/// The elements of a vector whose bytes are `bytes`.
pub(super) fn dequantize(code: KvCode, bytes: &[i64]) -> Vec<f32> {
    if code == KvCode::E4M3 {
        return bytes.iter().map(|byte| decode(DType::F8E4M3, *byte as u16)).collect();
    }
    let group = |group: &[i64]| {
        let scale = decode(DType::F16, (group[0] | group[1] << 8) as u16);
        let codes: Vec<f32> = match code {
            KvCode::Q8_0 => group[2..].iter().map(|byte| f32::from(*byte as u8 as i8)).collect(),
            KvCode::Q4_0 => {
                let low = group[2..].iter().map(|byte| byte & 15);
                let high = group[2..].iter().map(|byte| byte >> 4);
                low.chain(high).map(|code| (code - 8) as f32).collect()
            }
            KvCode::E4M3 => unreachable!("it has no scale"),
        };
        codes.into_iter().map(move |code| scale * code)
    };
    bytes.chunks(code.group_bytes()).flat_map(group).collect()
}

/// A query as kernels read it beside quantized keys: codes of -127 to 127, rounded to nearest
/// even, with a scale for every group. Groups without a magnitude of at least 2^-100 are zero;
/// those with an infinity or NaN are NaN.
pub(super) fn round_query(q: &[f32]) -> Vec<f32> {
    let group = |group: &[f32]| {
        let finite = group.iter().all(|value| value.is_finite());
        let largest = group.iter().fold(0f32, |most, value| most.max(value.abs()));
        let small = largest < 2f32.powi(-100);
        let (scale, inverse) = match (finite, small) {
            (false, _) => (f32::NAN, 0.0),
            (true, true) => (0.0, 0.0),
            (true, false) => (largest / 127.0, 127.0 / largest),
        };
        let codes = group.iter().map(|value| {
            let code = if finite { value * inverse } else { 0.0 };
            scale * code.round_ties_even()
        });
        codes.collect::<Vec<f32>>()
    };
    q.chunks(KvCode::GROUP).flat_map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::{dequantize, quantize_group, round_query};
    use crate::kv::KvCode;

    fn decoded(code: KvCode, x: &[f32]) -> Vec<f32> {
        let bytes: Vec<i64> = quantize_group(code, x).into_iter().map(i64::from).collect();
        assert_eq!(bytes.len(), code.group_bytes());
        dequantize(code, &bytes)
    }

    /// Scales of 1: codes are the numbers themselves, halves go away from zero in Q8_0 and up in
    /// Q4_0, whose largest magnitude is -8 whatever its sign.
    #[test]
    fn codes_are_rounded_as_ggml_rounds_them() {
        let mut x = [0.0; 32];
        x[..6].copy_from_slice(&[127.0, 0.5, -0.5, 1.5, -2.5, 126.499]);
        assert_eq!(decoded(KvCode::Q8_0, &x)[..6], [127.0, 1.0, -1.0, 2.0, -3.0, 126.0]);
        x[..6].copy_from_slice(&[-8.0, 0.5, -0.5, 7.4, 8.0, -7.5]);
        assert_eq!(decoded(KvCode::Q4_0, &x)[..6], [-8.0, 1.0, 0.0, 7.0, 7.0, -7.0]);
        x[..6].copy_from_slice(&[8.0, 0.5, -0.5, 7.4, -8.0, -7.5]);
        assert_eq!(decoded(KvCode::Q4_0, &x)[..6], [8.0, -0.0, -1.0, 7.0, -7.0, -7.0]);
        assert!(decoded(KvCode::Q8_0, &[0.0; 32]).iter().all(|value| *value == 0.0));
    }

    /// The nearest, ties to even; the last of each kind, and what lies beyond.
    #[test]
    fn floats_of_a_byte_are_rounded_to_even_and_saturate() {
        let x = [1.0, 1.0625, 1.1875, 0.0019, 0.001, -0.000_976_562_5, 440.0, 464.0, -1e30, -0.0];
        let expected =
            [1.0, 1.0, 1.25, 0.001_953_125, 0.001_953_125, -0.0, 448.0, 448.0, -448.0, -0.0];
        let bytes = quantize_group(KvCode::E4M3, &x).into_iter().map(i64::from);
        let found = dequantize(KvCode::E4M3, &bytes.collect::<Vec<i64>>());
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&found), bits(&expected), "{found:?}");
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(quantize_group(KvCode::E4M3, &[bad]), [0x7f]);
        }
        assert!(dequantize(KvCode::E4M3, &[0x7f, 0xff]).iter().all(|value| value.is_nan()));
    }

    #[test]
    fn a_group_with_something_not_finite_is_nan() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut x = [1.0; 32];
            x[17] = bad;
            for code in [KvCode::Q8_0, KvCode::Q4_0] {
                assert!(decoded(code, &x).iter().all(|value| value.is_nan()), "{code} {bad}");
            }
            assert!(round_query(&x).iter().all(|value| value.is_nan()), "{bad}");
        }
    }

    #[test]
    fn a_query_has_a_scale_for_every_group() {
        let mut q = [0.0; 64];
        q[..3].copy_from_slice(&[254.0, 3.0, -1.0]);
        q[32] = 1e-3;
        let rounded = round_query(&q);
        assert_eq!(rounded[..3], [254.0, 4.0, -0.0]);
        assert!((rounded[32] - 1e-3).abs() < 1e-9);
    }
}
