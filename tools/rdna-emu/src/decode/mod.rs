//! Machine code to instructions.
//!
//! The decoder is stricter than LLVM's: a field that an instruction does not have must be zero, and a register that
//! LLVM would round down must be aligned. Such words are [`Refusal::Reserved`], so that nothing is run that is only
//! half understood. What LLVM decodes beyond that and this crate does not is [`Refusal::NotModelled`].

mod instruction;
mod memory;
mod operand;
mod scalar;
pub mod tables;
mod vector;

pub use instruction::{Dpp, Format, Instruction, Modifiers, Operand, OperandKind, Target};

/// Why a word is not an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The code ends inside the instruction.
    #[error("the code ends inside an instruction that begins with {first:#010x}")]
    Truncated {
        /// Its first four bytes.
        first: u32,
    },
    /// No opcode of the encoding has that number.
    #[error("no {format:?} instruction has opcode {opcode:#x} (word {first:#010x})")]
    UnknownOpcode {
        /// The encoding.
        format: Format,
        /// The opcode.
        opcode: u32,
        /// The first four bytes.
        first: u32,
    },
    /// No encoding begins like that.
    #[error("no encoding begins with {first:#010x}")]
    UnknownEncoding {
        /// The first four bytes.
        first: u32,
    },
    /// LLVM knows it, but this crate does not: graphics, and what no compiler writes.
    #[error("{what} is not modelled (word {first:#010x})")]
    NotModelled {
        /// What it is.
        what: &'static str,
        /// The first four bytes.
        first: u32,
    },
    /// A field has a value that the instruction set leaves open.
    #[error("{what} (word {first:#010x})")]
    Reserved {
        /// The field and what it should be.
        what: &'static str,
        /// The first four bytes.
        first: u32,
    },
}

/// Decodes the instruction that `code` begins with. `code` may go on behind it.
pub fn decode(code: &[u8], target: Target) -> Result<Instruction, Refusal> {
    let words = Words::new(code, target)?;
    let first = words.first;
    if first >> 31 == 0 {
        return match first >> 25 {
            0x3e => vector::vopc(&words),
            0x3f => vector::vop1(&words),
            _ => vector::vop2(&words),
        };
    }
    if first >> 30 == 0b10 {
        return match first >> 23 {
            0x17d => scalar::sop1(&words),
            0x17e => scalar::sopc(&words),
            0x17f => scalar::sopp(&words),
            _ if first >> 28 == 0b1011 => scalar::sopk(&words),
            _ => scalar::sop2(&words),
        };
    }
    match first >> 26 {
        0x32 => vector::vopd(&words),
        0x33 if first >> 24 == 0xcc => vector::vop3p(&words),
        0x33 if first >> 24 == 0xcd => Err(words.not_modelled("parameter interpolation")),
        0x33 if first >> 24 == 0xce => Err(words.not_modelled("a direct load of LDS parameters")),
        0x35 => vector::vop3(&words),
        0x36 => memory::ds(&words),
        0x37 => memory::flat(&words),
        0x38 => memory::mubuf(&words),
        0x3a => Err(words.not_modelled("a typed buffer")),
        0x3c => Err(words.not_modelled("an image")),
        0x3d => scalar::smem(&words),
        0x3e => Err(words.not_modelled("an export")),
        _ => Err(Refusal::UnknownEncoding { first }),
    }
}

/// The words of an instruction and what may follow them.
struct Words<'a> {
    code: &'a [u8],
    target: Target,
    first: u32,
}

impl<'a> Words<'a> {
    fn new(code: &'a [u8], target: Target) -> Result<Self, Refusal> {
        let mut words = Words { code, target, first: 0 };
        words.first = words.word(0)?;
        Ok(words)
    }

    /// The word with that number.
    fn word(&self, index: usize) -> Result<u32, Refusal> {
        let bytes = self.code.get(4 * index..4 * index + 4);
        let bytes = bytes.ok_or(Refusal::Truncated { first: self.first })?;
        Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes were taken")))
    }

    /// The bits `low..low + width` of the first word.
    fn bits(&self, low: u32, width: u32) -> u32 {
        field(self.first, low, width)
    }

    fn unknown(&self, format: Format, opcode: u32) -> Refusal {
        Refusal::UnknownOpcode { format, opcode, first: self.first }
    }

    fn not_modelled(&self, what: &'static str) -> Refusal {
        Refusal::NotModelled { what, first: self.first }
    }

    fn reserved(&self, what: &'static str) -> Refusal {
        Refusal::Reserved { what, first: self.first }
    }

    /// Fails when a field that should be zero is not.
    fn zero(&self, value: u32, what: &'static str) -> Result<(), Refusal> {
        if value == 0 { Ok(()) } else { Err(self.reserved(what)) }
    }
}

/// The bits `low..low + width` of a word.
fn field(word: u32, low: u32, width: u32) -> u32 {
    (word >> low) & ((1 << width) - 1)
}
