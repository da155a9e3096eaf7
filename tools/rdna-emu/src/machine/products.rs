//! Packed arithmetic, mixed precision, dot and matrix products.

use super::alu;
use super::dot::{self, Element};
use super::env::{LANES, Lanes, flush16};
use super::execute::{clamp, first_source, flush_result, write};
use super::float::{self, Round, f32_from_half, to_f32, to_half};
use super::operation::{Float, Inst, Mix, Product};
use super::source::{Kind, Source};
use super::wave::Wave;

/// The halves of VOP3P sources for the low or the high result, with their signs.
fn halves(wave: &Wave, inst: &Inst, high: bool) -> [Lanes; 3] {
    let modifiers = &inst.modifiers;
    let (select, negate) = match high {
        false => (modifiers.op_sel, modifiers.neg_lo),
        true => (modifiers.op_sel_hi, modifiers.neg_hi),
    };
    std::array::from_fn(|index| {
        let mut own = [0; LANES];
        let lanes = wave.short(&inst.sources[index], &mut own);
        let shift = if select >> index & 1 == 1 { 16 } else { 0 };
        let sign = if negate >> index & 1 == 1 { 0x8000 } else { 0 };
        lanes.map(|value| value >> shift & 0xffff ^ sign)
    })
}

pub fn packed(wave: &mut Wave, inst: &Inst, operation: alu::Operation) {
    let env = wave.env;
    let [low, high] = [false, true].map(|is_high| {
        let mut sources = halves(wave, inst, is_high);
        if inst.operands == Some(Float::Half) && !env.keeps16().1 {
            sources.iter_mut().flatten().for_each(|bits| *bits = flush16(*bits));
        }
        let mut out = [0; LANES];
        operation(&env, [&sources[0], &sources[1], &sources[2]], &mut out);
        if inst.operands == Some(Float::Half) {
            flush_result(&env, Some(Float::Half), &mut out);
            if inst.modifiers.clamp {
                let hold = |bits: &mut u32| {
                    let value = clamp(&env, f32_from_half(*bits).into());
                    *bits = to_half(value, Round::Nearest);
                };
                out.iter_mut().for_each(hold);
            }
        }
        out
    });
    let out = std::array::from_fn(|lane| low[lane] & 0xffff | high[lane] << 16);
    write(wave, inst, &out, wave.exec());
}

pub fn mixed(wave: &mut Wave, inst: &Inst, mix: Mix) {
    let modifiers = &inst.modifiers;
    let mut writes = wave.exec();
    let sources: [[f32; LANES]; 3] = std::array::from_fn(|index| {
        let source = &inst.sources[index];
        let is_half = modifiers.op_sel_hi >> index & 1 == 1;
        let plain = Source { negate: false, absolute: false, ..*source };
        let mut lanes = [0; LANES];
        if index == 0 {
            writes = first_source(wave, &Inst { sources: [plain; 4], ..inst.clone() }, &mut lanes);
        } else {
            let mut own = [0; LANES];
            lanes = *wave.short(&plain, &mut own);
        }
        lanes.map(|bits| {
            let value = if is_half {
                f32_from_half(bits >> (16 * (modifiers.op_sel >> index & 1)) & 0xffff)
            } else {
                f32::from_bits(bits)
            };
            let value = if source.absolute { value.abs() } else { value };
            if source.negate { -value } else { value }
        })
    });
    let env = wave.env;
    let out: Lanes = std::array::from_fn(|lane| {
        let [a, b, c] = [0, 1, 2].map(|index: usize| f64::from(sources[index][lane]));
        let sum = to_f32(float::multiply_add_to_odd(a, b, c), env.round32());
        let sum = if modifiers.clamp { clamp(&env, sum.into()) as f32 } else { sum };
        if mix == Mix::Full { sum.to_bits() } else { to_half(sum.into(), env.round16()) }
    });
    let Some(destination) = inst.destination else { return };
    let bits = if mix == Mix::Full { 32 } else { 16 };
    wave.write(destination.register, bits, mix == Mix::High, &out, writes);
}

pub fn dot_product(wave: &Wave, inst: &Inst, product: Product) -> (Lanes, u32) {
    let mut first = [0; LANES];
    let writes = first_source(wave, inst, &mut first);
    let mut own = [[0; LANES]; 2];
    let [second, third] = &mut own;
    let second = *wave.short(&inst.sources[1], second);
    let third = *wave.short(&inst.sources[2], third);
    let modifiers = &inst.modifiers;
    let is_packed = matches!(product, Product::Float { short_sum: false, .. })
        && (modifiers.op_sel_hi != 0 || modifiers.op_sel != 0);
    let numerics = wave.env.numerics;
    let out = std::array::from_fn(|lane| match product {
        Product::Integer { width, may_be_signed } => {
            let signed = [0, 1].map(|index| may_be_signed && modifiers.neg_lo >> index & 1 == 1);
            let products = dot::integer_dot(first[lane], second[lane], width, signed);
            sum_integers(third[lane], products, may_be_signed, modifiers.clamp)
        }
        Product::Float { element, short_sum } => {
            let pair = |word: u32, index: usize| {
                let select = |mask: u8, usual: u32| {
                    if is_packed { 16 * u32::from(mask >> index & 1) } else { usual }
                };
                let (low, high) = (select(modifiers.op_sel, 0), select(modifiers.op_sel_hi, 16));
                let sign = |mask: u8| if mask >> index & 1 == 1 { -1.0 } else { 1.0 };
                [
                    element.read(word >> low) * sign(modifiers.neg_lo),
                    element.read(word >> high) * sign(modifiers.neg_hi),
                ]
            };
            let (a, b) = (pair(first[lane], 0), pair(second[lane], 1));
            let sum = |c: f32| dot::dot2(element, numerics, a, b, c);
            if short_sum {
                element.round(sum(element.read(third[lane])))
            } else {
                sum(f32::from_bits(third[lane])).to_bits()
            }
        }
    });
    (out, writes)
}

fn sum_integers(start: u32, products: i64, signed: bool, clamps: bool) -> u32 {
    match (clamps, signed) {
        (false, _) => start.wrapping_add(products as u32),
        (true, true) => {
            let sum = i64::from(start as i32) + products;
            sum.clamp(i32::MIN.into(), i32::MAX.into()) as i32 as u32
        }
        (true, false) => (i64::from(start) + products).min(u32::MAX.into()) as u32,
    }
}

/// D = A B + C over the wave. Row `m` of A and column `n` of B lie in lanes `m` and `n`, twice; element (m, n) of C and
/// D lies in register `m / 2` of lane `n + 16 (m % 2)`.
pub fn matrix(wave: &mut Wave, inst: &Inst, product: Product) {
    let register = |source: &Source| match source.kind {
        Kind::Vector(register) => Some(register),
        _ => None,
    };
    let (Some(a), Some(b)) = (register(&inst.sources[0]), register(&inst.sources[1])) else {
        return;
    };
    let Some(destination) = inst.destination else { return };
    let c = register(&inst.sources[2]);
    let constant = wave.scalar_source(&Source { bits: 32, ..inst.sources[2] }) as u32;
    let mut out = [[0u32; LANES]; 8];
    let rows = |first: usize, wave: &Wave| -> [[f32; 16]; 16] {
        let Product::Float { element, .. } = product else { return [[0.0; 16]; 16] };
        std::array::from_fn(|lane| row(wave, element, first, lane))
    };
    let (rows_a, rows_b) = (rows(a, wave), rows(b, wave));
    if let Product::Float { element, short_sum: false } = product
        && dot::has_exact_products(element, wave.env.numerics, [&rows_a, &rows_b])
    {
        let start = |at: usize, lane: usize| {
            let bits = c.map_or(constant, |c| wave.vectors[c + at][lane]);
            f32::from_bits(sign_accumulator(bits, inst, product))
        };
        let out = exact_sums(&rows_a, &rows_b, start);
        for (at, values) in out.iter().enumerate() {
            wave.write(destination.register + at, 32, false, values, !0);
        }
        return;
    }
    for element in 0..256 {
        let (m, n) = (element / 16, element % 16);
        let (lane, at) = (n + 16 * (m % 2), m / 2);
        let start = c.map_or(constant, |c| wave.vectors[c + at][lane]);
        let start = sign_accumulator(start, inst, product);
        out[at][lane] = match product {
            Product::Float { element, short_sum } => {
                let numerics = wave.env.numerics;
                let sum = |c: f32| dot::chain(element, numerics, &rows_a[m], &rows_b[n], c);
                if short_sum {
                    short_result(wave, inst, element, start, destination.register + at, lane, sum)
                } else {
                    sum(f32::from_bits(start)).to_bits()
                }
            }
            Product::Integer { width, .. } => {
                let signed = [0, 1].map(|index| inst.modifiers.neg_lo >> index & 1 == 1);
                let products = (0..width as usize / 2).map(|word| {
                    let (x, y) = (wave.vectors[a + word][m], wave.vectors[b + word][n]);
                    dot::integer_dot(x, y, width, signed)
                });
                sum_integers(start, products.sum(), true, inst.modifiers.clamp)
            }
        };
    }
    for (at, values) in out.iter().enumerate() {
        wave.write(destination.register + at, 32, false, values, !0);
    }
}

/// The sums where every product is exact: the columns of a row side by side, each in the order of [`dot::chain`].
fn exact_sums(
    a: &[[f32; 16]; 16],
    b: &[[f32; 16]; 16],
    start: impl Fn(usize, usize) -> f32,
) -> [[u32; LANES]; 8] {
    let columns: [[f32; 16]; 16] = std::array::from_fn(|k| std::array::from_fn(|n| b[n][k]));
    let mut out = [[0; LANES]; 8];
    for (m, row) in a.iter().enumerate() {
        let (half, at) = (16 * (m % 2), m / 2);
        let mut sums: [f32; 16] = std::array::from_fn(|n| start(at, n + half));
        for (factor, column) in row.iter().zip(&columns) {
            for (sum, value) in sums.iter_mut().zip(column) {
                *sum += factor * value;
            }
        }
        (0..16).for_each(|n| out[at][n + half] = sums[n].to_bits());
    }
    out
}

/// The 16 elements of a row in a lane.
fn row(wave: &Wave, element: Element, first: usize, lane: usize) -> [f32; 16] {
    std::array::from_fn(|index| {
        element.read(wave.vectors[first + index / 2][lane] >> (16 * (index % 2)))
    })
}

/// neg_lo and neg_hi of a matrix product's accumulator: minus, and the absolute value.
fn sign_accumulator(bits: u32, inst: &Inst, product: Product) -> u32 {
    let Product::Float { short_sum, .. } = product else { return bits };
    let sign = if short_sum { 0x8000_8000 } else { 0x8000_0000 };
    let bits = if inst.modifiers.neg_hi & 4 != 0 { bits & !sign } else { bits };
    if inst.modifiers.neg_lo & 4 != 0 { bits ^ sign } else { bits }
}

/// A sum of 16 bits, in the half that op_sel names; the other half is kept.
fn short_result(
    wave: &Wave,
    inst: &Inst,
    element: Element,
    start: u32,
    register: usize,
    lane: usize,
    sum: impl Fn(f32) -> f32,
) -> u32 {
    let shift = if inst.modifiers.op_sel & 4 != 0 { 16 } else { 0 };
    let result = element.round(sum(element.read(start >> shift)));
    wave.vectors[register][lane] & !(0xffff << shift) | result << shift
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Numerics;

    #[test]
    fn sums_side_by_side_are_the_chains() {
        let value = |seed: usize| {
            let bits = (seed as u32).wrapping_mul(2_654_435_761) >> 13;
            (bits % 4001) as f32 / 16.0 - 125.0
        };
        let a = std::array::from_fn(|m| std::array::from_fn(|k| value(16 * m + k)));
        let b = std::array::from_fn(|n| std::array::from_fn(|k| value(999 + 16 * n + k)));
        for element in [Element::Half, Element::Brain] {
            assert!(dot::has_exact_products(element, Numerics::Ieee, [&a, &b]));
            assert!(!dot::has_exact_products(element, Numerics::Gfx11, [&a, &b]));
            let out = exact_sums(&a, &b, |at, lane| value(32 * at + lane));
            for (at, lanes) in out.iter().enumerate() {
                for (lane, found) in lanes.iter().enumerate() {
                    let (m, n) = (2 * at + lane / 16, lane % 16);
                    let start = value(32 * at + lane);
                    let chain = dot::chain(element, Numerics::Ieee, &a[m], &b[n], start);
                    assert_eq!(f32::from_bits(*found), chain, "{m} {n}");
                }
            }
        }
        let mut large = a;
        large[3][5] = 1e20;
        assert!(!dot::has_exact_products(Element::Brain, Numerics::Ieee, [&large, &b]));
    }
}
