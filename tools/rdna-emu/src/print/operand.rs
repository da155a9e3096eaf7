//! Operands as text.

use crate::decode::{Format, Instruction, Operand, OperandKind};

use super::control;

/// An operand as it is written; empty when it is not.
pub fn text(instruction: &Instruction, index: usize) -> String {
    let operand = &instruction.operands[index];
    let plain = match operand.kind {
        OperandKind::Vgpr(first) => vector(operand, first),
        OperandKind::Scalar(code) => scalar_operand(instruction, index, code),
        OperandKind::Special(code) => special(code).to_owned(),
        OperandKind::Inline(code) => inline(operand, code),
        OperandKind::Literal(value) => literal(operand, value),
        OperandKind::Field(letter, value) => control::field(instruction, letter, value),
        OperandKind::Off => "off".to_owned(),
    };
    match (operand.negate, operand.absolute, &operand.kind) {
        (false, false, _) => plain,
        // A minus before a number would read as a number.
        (true, false, OperandKind::Inline(_) | OperandKind::Literal(_)) => format!("neg({plain})"),
        (true, false, _) => format!("-{plain}"),
        (false, true, _) => format!("|{plain}|"),
        (true, true, _) => format!("-|{plain}|"),
    }
}

fn vector(operand: &Operand, first: u8) -> String {
    match operand.bits {
        16 if operand.high => format!("v{first}.h"),
        16 => format!("v{first}.l"),
        32 => format!("v{first}"),
        bits => format!("v[{first}:{}]", u16::from(first) + bits / 32 - 1),
    }
}

/// Scalar memory writes its offset in the place of a register that is null.
fn scalar_operand(instruction: &Instruction, index: usize, code: u8) -> String {
    let operand = &instruction.operands[index];
    let offset = instruction.modifiers.offset;
    if instruction.format == Format::Smem && index == 2 && code == 124 && offset != 0 {
        return signed_hex(offset);
    }
    scalar(code, operand.bits)
}

/// Scalar registers by the code of the first.
pub fn scalar(code: u8, bits: u16) -> String {
    let last = |first: u8| u16::from(first) + bits / 32 - 1;
    match (code, bits) {
        (124, _) => "null".to_owned(),
        (125, _) => "m0".to_owned(),
        (106, 64) => "vcc".to_owned(),
        (106, _) => "vcc_lo".to_owned(),
        (107, _) => "vcc_hi".to_owned(),
        (126, 64) => "exec".to_owned(),
        (126, _) => "exec_lo".to_owned(),
        (127, _) => "exec_hi".to_owned(),
        (108..=123, 0..=32) => format!("ttmp{}", code - 108),
        (108..=123, _) => format!("ttmp[{}:{}]", code - 108, last(code - 108)),
        (_, 0..=32) => format!("s{code}"),
        _ => format!("s[{code}:{}]", last(code)),
    }
}

fn special(code: u8) -> &'static str {
    match code {
        230 => "src_flat_scratch_base_lo",
        231 => "src_flat_scratch_base_hi",
        235 => "src_shared_base",
        236 => "src_shared_limit",
        237 => "src_private_base",
        238 => "src_private_limit",
        239 => "src_pops_exiting_wave_id",
        251 => "src_vccz",
        252 => "src_execz",
        _ => "src_scc",
    }
}

fn inline(operand: &Operand, code: u8) -> String {
    match code {
        128..=192 => (code - 128).to_string(),
        193..=208 => format!("-{}", code - 192),
        248 if operand.bits >= 64 => "0.15915494309189532".to_owned(),
        248 => "0.15915494".to_owned(),
        _ => ["0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"][usize::from(code - 240)]
            .to_owned(),
    }
}

/// A literal shows as many bits as its operand takes. One that an inline constant could be is marked.
fn literal(operand: &Operand, value: u32) -> String {
    let is_half = operand.letter == 'h' || operand.bits == 16 && operand.letter != 'k';
    let shown = if is_half { value & 0xffff } else { value };
    let is_inline = match (operand.letter, operand.bits) {
        ('k', _) => false,
        ('i', 16) => is_inline_integer(i32::from(shown as u16 as i16)),
        (_, 16) | ('h', _) => {
            is_inline_integer(i32::from(shown as u16 as i16)) || HALF_FLOATS.contains(&shown)
        }
        (_, 64) => shown <= 64,
        _ => is_inline_integer(shown as i32) || FLOATS.contains(&shown),
    };
    if is_inline { format!("lit({shown:#x})") } else { format!("{shown:#x}") }
}

fn is_inline_integer(value: i32) -> bool {
    (-16..=64).contains(&value)
}

/// The floats that have inline constants, as f32.
const FLOATS: [u32; 9] = [
    0x3f00_0000,
    0xbf00_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x4000_0000,
    0xc000_0000,
    0x4080_0000,
    0xc080_0000,
    0x3e22_f983,
];

/// The same as f16.
const HALF_FLOATS: [u32; 9] =
    [0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118];

/// `0x123` or `-0x123`.
pub fn signed_hex(value: i32) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{:#x}", value.unsigned_abs())
}

/// `[1,0,1]`.
pub fn list(values: &[u8]) -> String {
    let values: Vec<String> = values.iter().map(u8::to_string).collect();
    format!("[{}]", values.join(","))
}

/// The pattern of ds_swizzle_b32: four lanes by a table, or 32 lanes by masks of their number's bits.
pub fn swizzle(pattern: i32) -> String {
    if pattern & 0x8000 != 0 {
        let lanes = [0, 2, 4, 6].map(|low| (pattern >> low & 3).to_string());
        return format!("swizzle(QUAD_PERM,{})", lanes.join(","));
    }
    let (and, or, xor) = (pattern & 31, pattern >> 5 & 31, pattern >> 10 & 31);
    let group = 32 - and;
    match (and, or, xor) {
        (31, 0, 1 | 2 | 4 | 8 | 16) => format!("swizzle(SWAP,{xor})"),
        (31, 0, 3 | 7 | 15 | 31) => format!("swizzle(REVERSE,{})", xor + 1),
        (_, _, 0) if group > 1 && group & (group - 1) == 0 && or < group => {
            format!("swizzle(BROADCAST,{group},{or})")
        }
        _ => {
            let bit = |low: i32| match (and >> low & 1, or >> low & 1, xor >> low & 1) {
                (0, 0, 0) | (0, 1, 1) => '0',
                (0, 1, 0) | (0, 0, 1) => '1',
                (1, 0, 0) => 'p',
                (1, 0, 1) => 'i',
                // A bit that is set by the or is lost: LLVM writes what comes out.
                (_, _, 0) => '1',
                _ => '0',
            };
            let bits: String = [4, 3, 2, 1, 0].map(bit).iter().collect();
            format!("swizzle(BITMASK_PERM,\"{bits}\")")
        }
    }
}
