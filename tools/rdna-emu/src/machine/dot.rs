//! Sums of products: the dot instructions and WMMA.
//!
//! Two models. IEEE: each product and sum is one fused multiply-add, in order. Hardware: what was measured on a gfx1151
//! and published for `v_dot2_f32_f16` (ROCm/rocm-systems issue 12056): `c + a0 b0 + a1 b1` is summed in whole numbers
//! on a grid whose unit lies 24 bits below the largest exponent. Terms are cut off to the grid; one whose sign is not
//! that of `c` is complemented bit by bit, so that it lands one unit too low. Hence 1 + (-1) = -2^-24. Exponents of
//! operands have a floor of -14 (f16) or -126 (bf16), subnormal bf16 operands are zero, and so are subnormal f32 sums.
//! That WMMA is eight such steps, one after the other, is a guess: no measurement of it was at hand.

use super::env::Numerics;
use super::float::{
    self, Round, f32_from_brain, f32_from_half, power_of_two, to_brain, to_f32, to_half,
};

/// The element type of a sum of products.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// IEEE half precision.
    Half,
    /// bfloat16.
    Brain,
}

impl Element {
    /// An element as f32, exactly.
    pub fn read(self, bits: u32) -> f32 {
        match self {
            Element::Half => f32_from_half(bits & 0xffff),
            Element::Brain => f32_from_brain(bits & 0xffff),
        }
    }

    /// A sum as an element.
    pub fn round(self, value: f32) -> u32 {
        match self {
            Element::Half => to_half(value.into(), Round::Nearest),
            Element::Brain => to_brain(value),
        }
    }

    /// The smallest exponent that operands count as.
    fn floor(self) -> i32 {
        if self == Element::Half { -14 } else { -126 }
    }
}

/// `c + a[0] b[0] + a[1] b[1]`.
pub fn dot2(element: Element, numerics: Numerics, a: [f32; 2], b: [f32; 2], c: f32) -> f32 {
    match numerics {
        Numerics::Ieee => {
            let first = fused(a[0], b[0], c);
            fused(a[1], b[1], first)
        }
        Numerics::Gfx11 => framed(element, a, b, c),
    }
}

/// `a * b + c` of operands of at most 11 bits, with one rounding.
fn fused(a: f32, b: f32, c: f32) -> f32 {
    let product = a * b;
    // An exact product, which it is inside of f32's range, leaves the rounding to the sum.
    if is_exact(product) || (a == 0.0 || b == 0.0) && product == 0.0 {
        return product + c;
    }
    fused_slowly(a, b, c)
}

fn fused_slowly(a: f32, b: f32, c: f32) -> f32 {
    to_f32(float::multiply_add_to_odd(a.into(), b.into(), c.into()), Round::Nearest)
}

/// Whether a product of such operands lies well inside of f32's range.
fn is_exact(product: f32) -> bool {
    let size = product.abs();
    size > 1e-30 && size < 1e30
}

/// Whether all products of two rows' elements are exact in f32: [`chain`] is then a chain of f32 products and sums.
pub fn has_exact_products(
    element: Element,
    numerics: Numerics,
    rows: [&[[f32; 16]; 16]; 2],
) -> bool {
    let is_small = |value: &f32| *value == 0.0 || value.abs() > 1e-15 && value.abs() < 1e15;
    let are_small = || rows.into_iter().flatten().flatten().all(is_small);
    numerics == Numerics::Ieee && (element == Element::Half || are_small())
}

fn framed(element: Element, a: [f32; 2], b: [f32; 2], c: f32) -> f32 {
    let operand = |value: f32| match element {
        Element::Brain if value.is_subnormal() => 0.0f32.copysign(value),
        _ => value,
    };
    let (a, b) = (a.map(operand), b.map(operand));
    let c = if c.is_subnormal() { 0.0f32.copysign(c) } else { c };
    if !a.iter().chain(&b).all(|value| value.is_finite()) || !c.is_finite() {
        return a[1] * b[1] + (a[0] * b[0] + c);
    }
    let exponent = |value: f32| (float::split(value.into()).1 - 1).max(element.floor());
    let terms = [
        (f64::from(c), float::split(c.into()).1 - 1),
        (f64::from(a[0]) * f64::from(b[0]), exponent(a[0]) + exponent(b[0])),
        (f64::from(a[1]) * f64::from(b[1]), exponent(a[1]) + exponent(b[1])),
    ];
    let Some(largest) = terms.iter().filter(|term| term.0 != 0.0).map(|term| term.1).max() else {
        return if terms.iter().all(|term| term.0.is_sign_negative()) { -0.0 } else { 0.0 };
    };
    let unit = i64::from(largest) - 24;
    let negative = c.is_sign_negative();
    let mut sum = 0i64;
    for (value, _) in terms.into_iter().filter(|term| term.0 != 0.0) {
        let units = (value.abs() * power_of_two(-unit)) as i64;
        sum += if (value < 0.0) == negative { units } else { !units };
    }
    let frame = if negative { -1.0 } else { 1.0 };
    let result = to_f32(frame * sum as f64 * power_of_two(unit), Round::Nearest);
    if result.is_subnormal() { 0.0f32.copysign(result) } else { result }
}

/// A chain of products over all of `a` and `b`, added to `c`.
pub fn chain(element: Element, numerics: Numerics, a: &[f32], b: &[f32], c: f32) -> f32 {
    a.chunks_exact(2)
        .zip(b.chunks_exact(2))
        .fold(c, |sum, (a, b)| dot2(element, numerics, [a[0], a[1]], [b[0], b[1]], sum))
}

/// The integer in `width` bits of a word, the `index`th from below.
pub fn integer(word: u32, width: u32, index: u32, signed: bool) -> i64 {
    let top = word >> (width * index) << (32 - width);
    if signed { i64::from(top as i32 >> (32 - width)) } else { i64::from(top >> (32 - width)) }
}

/// The sum of the products of all integers of `width` bits in two words.
pub fn integer_dot(a: u32, b: u32, width: u32, signed: [bool; 2]) -> i64 {
    (0..32 / width)
        .map(|index| integer(a, width, index, signed[0]) * integer(b, width, index, signed[1]))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hardware_frame_gives_the_published_values() {
        let dot = |a, b, c| dot2(Element::Half, Numerics::Gfx11, a, b, c);
        assert_eq!(dot([-1.0, 0.0], [1.0, 0.0], 1.0), -(2f32.powi(-24)));
        assert_eq!(dot([24.0, 32.0], [1.0, 1.0], -1.0), 55.0 + 2.0 * 2f32.powi(-19));
        assert_eq!(dot([24.0, 32.0], [1.0, 1.0], 1.0), 57.0);
        assert_eq!(dot2(Element::Half, Numerics::Ieee, [-1.0, 0.0], [1.0, 0.0], 1.0), 0.0);
    }

    #[test]
    fn a_sum_with_an_exact_product_is_the_fused_one() {
        // Every kind of operand, and sums that cancel, round and leave the range.
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        for element in [Element::Half, Element::Brain] {
            for _ in 0..200_000 {
                let (a, b) = (element.read(random()), element.read(random()));
                let near = -(a * b) * (1.0 + (random() % 64) as f32 * f32::EPSILON);
                for c in [near, f32::from_bits(random() << 8 | random() & 0xff), 0.0, -0.0] {
                    let (fast, slow) = (fused(a, b, c), fused_slowly(a, b, c));
                    let same = fast.to_bits() == slow.to_bits() || fast.is_nan() && slow.is_nan();
                    assert!(same, "{a:e} * {b:e} + {c:e}: {fast:e}, not {slow:e}");
                }
            }
        }
    }

    #[test]
    fn integers_are_read_with_their_signs() {
        assert_eq!(integer(0x0000_f680, 4, 2, true), 6);
        assert_eq!(integer(0x0000_f680, 4, 3, true), -1);
        assert_eq!(integer(0x0000_f680, 4, 3, false), 15);
        assert_eq!(integer_dot(0x01ff_0302, 0x0102_0304, 8, [true, false]), 1 - 2 + 9 + 8);
    }
}
