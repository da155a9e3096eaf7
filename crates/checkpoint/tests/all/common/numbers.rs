//! Numbers and blocks by their definitions, written without the crate.

use tyto_checkpoint::{BlockForm, CodeType, Codes, ScaleType};

/// A float of `exponent` and `mantissa` bits; no infinities are asked for.
pub fn small(code: u32, exponent_bits: u32, mantissa_bits: u32) -> f64 {
    let bias = (1 << (exponent_bits - 1)) - 1;
    let mantissa = f64::from(code & ((1 << mantissa_bits) - 1)) / f64::from(1u32 << mantissa_bits);
    let exponent = (code >> mantissa_bits & ((1 << exponent_bits) - 1)) as i32;
    let magnitude = match exponent {
        0 => mantissa * 2f64.powi(1 - bias),
        _ => (1.0 + mantissa) * 2f64.powi(exponent - bias),
    };
    if code >> (exponent_bits + mantissa_bits) == 0 { magnitude } else { -magnitude }
}

pub fn half(bits: u16) -> f64 {
    small(bits.into(), 5, 10)
}

pub fn e2m1(code: u32) -> f64 {
    small(code, 2, 1)
}

/// E4M3, whose all-ones codes are not numbers.
pub fn e4m3(code: u32) -> f64 {
    if code & 0x7f == 0x7f { f64::NAN } else { small(code, 4, 3) }
}

pub fn e8m0(code: u32) -> f64 {
    if code == 255 { f64::NAN } else { 2f64.powi(code as i32 - 127) }
}

/// llama.cpp's `kvalues_iq4nl`.
pub const IQ4: [i8; 16] =
    [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];

/// The values that codes stand for, in f32 as the documentation of `codes` says.
pub fn evaluate(codes: &Codes) -> Vec<f32> {
    let group = usize::from(codes.format.group);
    let value = |at: usize| {
        let scale = scale(codes, at / group);
        let code = codes.codes[at];
        let number = match codes.format.code {
            CodeType::Unsigned(_) => f64::from(code),
            CodeType::E2M1 => e2m1(code.into()),
            CodeType::Iq4 => IQ4[usize::from(code)].into(),
            CodeType::E4M3 => e4m3(code.into()),
        } as f32;
        let minimum = || {
            let supers = codes.supers.as_ref().expect("supers")[at / 256];
            half(supers[1]) as f32 * f32::from(codes.minima.as_ref().expect("minima")[at / group])
        };
        let made = match codes.format.form {
            BlockForm::Plain => scale * number,
            BlockForm::Middle => {
                scale * (number - f32::from(1u8 << (codes.format.code.bits() - 1)))
            }
            BlockForm::Bias => {
                scale * number
                    + stored(codes.format.scale, codes.biases.as_ref().expect("biases"), at / group)
            }
            BlockForm::Zero => {
                scale * (number - f32::from(codes.zeros.as_ref().expect("zeros")[at / group]))
            }
            BlockForm::Minimum => scale * number - minimum(),
        };
        match &codes.row_scales {
            None => made,
            Some(factors) => factors[at / codes.columns] * made,
        }
    };
    (0..codes.codes.len()).map(value).collect()
}

fn scale(codes: &Codes, group: usize) -> f32 {
    match codes.format.scale {
        ScaleType::One => 1.0,
        ScaleType::Super => {
            let supers = codes.supers.as_ref().expect("supers");
            let [scale, _] = supers[group * usize::from(codes.format.group) / 256];
            half(scale) as f32 * f32::from(codes.scales[group] as i8)
        }
        stored_type => stored(stored_type, &codes.scales, group),
    }
}

/// Number `at` of those that are stored one after another.
fn stored(scale: ScaleType, bytes: &[u8], at: usize) -> f32 {
    let number = &bytes[at * scale.bytes()..][..scale.bytes()];
    let bits = number.iter().rev().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte));
    let value = match scale {
        ScaleType::F16 => half(bits as u16),
        ScaleType::Bf16 => small(bits, 8, 7),
        ScaleType::F32 => small(bits, 8, 23),
        ScaleType::E8M0 => e8m0(bits),
        ScaleType::E4M3 => e4m3(bits),
        ScaleType::One | ScaleType::Super => unreachable!("not stored as numbers"),
    };
    value as f32
}

#[track_caller]
pub fn assert_bits(found: &[f32], expected: impl IntoIterator<Item = f32>, context: &str) {
    let mut compared = 0;
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
        assert!(same, "{context}, element {at}: {found}, expected {expected}");
        compared += 1;
    }
    assert_eq!(compared, found.len(), "{context}");
}
