//! The steps of a division, and products with a 64-bit sum.

use super::env::{LANES, Lanes64};
use super::execute::set_scalar;
use super::float::{self, Round, to_f32};
use super::operation::Inst;
use super::source::Source;
use super::wave::{VCC, Wave};
use super::wide;

/// A float of 32 or 64 bits in all lanes as f64.
fn doubles(wave: &Wave, source: &Source) -> [f64; LANES] {
    let lanes = wave.wide(source);
    match source.bits {
        64 => lanes.map(f64::from_bits),
        _ => lanes.map(|bits| f32::from_bits(bits as u32).into()),
    }
}

fn write_doubles(wave: &mut Wave, inst: &Inst, values: [f64; LANES]) {
    let Some(destination) = inst.destination else { return };
    let bits: Lanes64 = match destination.bits {
        64 => values.map(f64::to_bits),
        _ => values.map(|value| to_f32(value, Round::Nearest).to_bits().into()),
    };
    wave.write_wide(destination.register, destination.bits, &bits, wave.exec());
}

pub fn divide_scale(wave: &mut Wave, inst: &Inst, limits: &wide::Limits) {
    let [operand, denominator, numerator] =
        [0, 1, 2].map(|index| doubles(wave, &inst.sources[index]));
    let mut mask = 0u32;
    let values = std::array::from_fn(|lane| {
        let scaled = limits.scale(operand[lane], denominator[lane], numerator[lane]);
        mask |= u32::from(scaled.scale_back) << lane;
        scaled.value
    });
    let exec = wave.exec();
    write_doubles(wave, inst, values);
    set_scalar(wave, inst, u64::from(mask & exec));
}

pub fn divide_back(wave: &mut Wave, inst: &Inst, limits: &wide::Limits) {
    let [a, b, c] = [0, 1, 2].map(|index| doubles(wave, &inst.sources[index]));
    let vcc = wave.scalars[VCC];
    let is_double = inst.sources[0].bits == 64;
    let values = std::array::from_fn(|lane| {
        // Scaled before it is rounded: a subnormal quotient is rounded once.
        let sum = match is_double {
            true => a[lane].mul_add(b[lane], c[lane]),
            false => float::multiply_add_to_odd(a[lane], b[lane], c[lane]),
        };
        let scales = vcc >> lane & 1 == 1;
        if scales { float::scale(sum, limits.back(c[lane])) } else { sum }
    });
    write_doubles(wave, inst, values);
}

pub fn multiply_add(wave: &mut Wave, inst: &Inst, is_signed: bool) {
    let [a, b, c] = [0, 1, 2].map(|index| wave.wide(&inst.sources[index]));
    let mut mask = 0u32;
    let out: Lanes64 = std::array::from_fn(|lane| {
        let wide = |value: u64| i128::from(value as u32 as i32);
        let (sum, overflows) = if is_signed {
            let sum = wide(a[lane]) * wide(b[lane]) + i128::from(c[lane] as i64);
            (sum as u64, i64::try_from(sum).is_err())
        } else {
            let (sum, carry) = (a[lane] * b[lane]).overflowing_add(c[lane]);
            (sum, carry)
        };
        mask |= u32::from(overflows) << lane;
        sum
    });
    let exec = wave.exec();
    if let Some(destination) = inst.destination {
        wave.write_wide(destination.register, destination.bits, &out, exec);
    }
    set_scalar(wave, inst, u64::from(mask & exec));
}
