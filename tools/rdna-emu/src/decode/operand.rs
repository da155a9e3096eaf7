//! Fields that name registers and constants.

use super::{Operand, OperandKind, Refusal, Words};

/// The code of a literal in a source field.
pub const LITERAL: u32 = 255;
/// The code of DPP16 in the first source of a vector instruction.
pub const DPP16: u32 = 250;
/// The codes of DPP8 there, without and with the reading of inactive lanes.
pub const DPP8: [u32; 2] = [233, 234];

/// Reads the operands of one instruction, and the literal behind it.
pub struct Reader<'a, 'b> {
    words: &'a Words<'b>,
    /// Where the literal is, in words, if there is one.
    literal_at: usize,
    has_literal: bool,
}

impl<'a, 'b> Reader<'a, 'b> {
    /// For an instruction of that many words without its literal.
    pub fn new(words: &'a Words<'b>, words_before_literal: usize) -> Self {
        Reader { words, literal_at: words_before_literal, has_literal: false }
    }

    /// The length of the instruction in bytes.
    pub fn size(&self) -> usize {
        4 * (self.literal_at + usize::from(self.has_literal))
    }

    /// The literal, which all operands of an instruction share.
    pub fn literal(&mut self) -> Result<u32, Refusal> {
        self.has_literal = true;
        self.words.word(self.literal_at)
    }

    /// A scalar source by its 8-bit code.
    pub fn scalar_source(
        &mut self,
        code: u32,
        letter: char,
        bits: u16,
    ) -> Result<Operand, Refusal> {
        let kind = match code {
            0..=127 => OperandKind::Scalar(self.scalar_register(code, bits)?),
            128..=208 => OperandKind::Inline(code as u8),
            240..=248 if letter == 'i' => {
                return Err(self.words.not_modelled("an inline float as a 16-bit integer"));
            }
            240..=248 => OperandKind::Inline(code as u8),
            230 | 235..=239 | 251..=253 => OperandKind::Special(code as u8),
            231 if bits <= 32 => OperandKind::Special(code as u8),
            LITERAL => {
                let value = self.literal()?;
                // LLVM writes a negative integer with its sign extended.
                let is_negative = letter == 'i' && (-0x8000..-16).contains(&(value as i32));
                if value >> 16 != 0 && (bits == 16 || letter == 'h') && !is_negative {
                    return Err(self.words.reserved("a literal of 16 bits that has more"));
                }
                OperandKind::Literal(value)
            }
            254 => return Err(self.words.not_modelled("a direct read of LDS")),
            _ => return Err(self.words.reserved("a source has a code that names nothing")),
        };
        Ok(Operand::new(kind, letter, bits))
    }

    /// A scalar register by its code; several must begin at an even one, four or more at a multiple of four.
    pub fn scalar_register(&self, code: u32, bits: u16) -> Result<u8, Refusal> {
        let (alignment, count) = match bits {
            0..=32 => (1, 1),
            64 => (2, 2),
            _ => (4, u32::from(bits) / 32),
        };
        let is_special = matches!(code, 124);
        if !is_special && !code.is_multiple_of(alignment) {
            return Err(self.words.reserved("scalar registers that are not aligned"));
        }
        // A group lies within SGPRs, within VCC, or within the trap registers.
        let last = code + count - 1;
        let fits = is_special
            || [(0, 105), (106, 107), (108, 123), (125, 125), (126, 127)]
                .iter()
                .any(|&(low, high)| low <= code && last <= high);
        if !fits {
            return Err(self.words.reserved("scalar registers that cross into special ones"));
        }
        Ok(code as u8)
    }

    /// A scalar register as an operand.
    pub fn scalar(&self, code: u32, letter: char, bits: u16) -> Result<Operand, Refusal> {
        let register = self.scalar_register(code, bits)?;
        Ok(Operand::new(OperandKind::Scalar(register), letter, bits))
    }

    /// A vector source by its 9-bit code. With `halves`, bit 7 of a 16-bit register's number chooses its half.
    pub fn vector_source(
        &mut self,
        code: u32,
        letter: char,
        bits: u16,
        halves: bool,
    ) -> Result<Operand, Refusal> {
        if code >= 256 {
            self.vector(code - 256, letter, bits, halves)
        } else {
            self.scalar_source(code, letter, bits)
        }
    }

    /// A vector register by its number.
    pub fn vector(
        &self,
        number: u32,
        letter: char,
        bits: u16,
        halves: bool,
    ) -> Result<Operand, Refusal> {
        let is_half = halves && bits == 16;
        let register = if is_half { number & 127 } else { number };
        if register + u32::from(bits.div_ceil(32)) > 256 {
            return Err(self.words.reserved("vector registers behind v255"));
        }
        let mut operand = Operand::new(OperandKind::Vgpr(register as u8), letter, bits);
        operand.high = is_half && number & 128 != 0;
        Ok(operand)
    }
}
