//! Operands, made ready for execution.

use super::env::Lanes;
use crate::decode::{Operand, OperandKind};

/// Where a source's value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A vector register.
    Vector(usize),
    /// A scalar register by its code.
    Scalar(usize),
    /// A special value by its code.
    Special(u8),
    /// A constant, as wide as the source.
    Constant(u64),
}

/// A source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// Where its value comes from.
    pub kind: Kind,
    /// Its width.
    pub bits: u16,
    /// The upper half of a register, for 16 bits.
    pub high: bool,
    /// Negated.
    pub negate: bool,
    /// Taken absolutely.
    pub absolute: bool,
}

impl Source {
    /// A source that is not there: zero.
    pub const NONE: Source =
        Source { kind: Kind::Constant(0), bits: 32, high: false, negate: false, absolute: false };

    /// A source from an operand. `name` tells how literals of 64 bits are read.
    pub fn new(operand: &Operand, name: &str) -> Self {
        let kind = match operand.kind {
            OperandKind::Vgpr(register) => Kind::Vector(register.into()),
            OperandKind::Scalar(code) => Kind::Scalar(code.into()),
            OperandKind::Special(code) => Kind::Special(code),
            OperandKind::Inline(code) => Kind::Constant(inline(code, operand.bits)),
            OperandKind::Literal(value) => Kind::Constant(literal(value, operand.bits, name)),
            OperandKind::Field(_, value) => Kind::Constant(value.into()),
            OperandKind::Off => Kind::Constant(0),
        };
        Source {
            kind,
            bits: operand.bits,
            high: operand.high,
            negate: operand.negate,
            absolute: operand.absolute,
        }
    }

    /// Whether a register's value is used as it is.
    pub fn is_plain(&self) -> bool {
        self.bits >= 32 && !self.negate && !self.absolute
    }

    /// Applies the signs to lanes.
    pub fn sign(&self, lanes: &mut Lanes) {
        let bit = if self.bits == 16 { 0x8000 } else { 0x8000_0000 };
        if self.absolute {
            lanes.iter_mut().for_each(|value| *value &= !bit);
        }
        if self.negate {
            lanes.iter_mut().for_each(|value| *value ^= bit);
        }
    }
}

/// An inline constant as wide as its operand.
pub fn inline(code: u8, bits: u16) -> u64 {
    let integer = match code {
        128..=192 => i64::from(code) - 128,
        193..=208 => 192 - i64::from(code),
        _ => {
            let floats = [0.5f32, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0];
            return match (floats.get(usize::from(code - 240)), bits) {
                (Some(&value), 16) => {
                    super::float::to_half(value.into(), super::float::Round::Nearest).into()
                }
                (Some(&value), 64) => f64::from(value).to_bits(),
                (Some(&value), _) => value.to_bits().into(),
                // 1 / (2 pi)
                (None, 16) => 0x3118,
                (None, 64) => 0x3fc4_5f30_6dc9_c882,
                (None, _) => 0x3e22_f983,
            };
        }
    };
    match bits {
        16 => integer as u64 & 0xffff,
        64 => integer as u64,
        _ => integer as u64 & 0xffff_ffff,
    }
}

/// A literal of 32 bits as wide as its operand: the upper half of an f64, else extended.
fn literal(value: u32, bits: u16, name: &str) -> u64 {
    match bits {
        16 => u64::from(value & 0xffff),
        64 if name.contains("f64") => u64::from(value) << 32,
        64 if name.contains("i64") => i64::from(value as i32) as u64,
        _ => value.into(),
    }
}
