//! Vector instructions.

use super::operand::{DPP8, DPP16, LITERAL, Reader};
use super::tables::{self, Row};
use super::{Dpp, Format, Instruction, Operand, OperandKind, Refusal, Target, Words, field};

/// The code of EXEC, which is where comparisons with an `x` write.
const EXEC: u32 = 126;
/// The code of VCC.
const VCC: u8 = 106;
/// The code of the constant 0.
const CONSTANT_ZERO: u32 = 128;

pub(super) fn vop1(words: &Words<'_>) -> Result<Instruction, Refusal> {
    let opcode = words.bits(9, 8);
    let row = tables::find(tables::VOP1, opcode).ok_or(words.unknown(Format::Vop1, opcode))?;
    short(words, Format::Vop1, row, Some(words.bits(17, 8)), None)
}

pub(super) fn vop2(words: &Words<'_>) -> Result<Instruction, Refusal> {
    let opcode = words.bits(25, 6);
    let row = tables::find(tables::VOP2, opcode).ok_or(words.unknown(Format::Vop2, opcode))?;
    short(words, Format::Vop2, row, Some(words.bits(17, 8)), Some(words.bits(9, 8)))
}

pub(super) fn vopc(words: &Words<'_>) -> Result<Instruction, Refusal> {
    let opcode = words.bits(17, 8);
    let row = tables::find(tables::VOPC, opcode).ok_or(words.unknown(Format::Vopc, opcode))?;
    short(words, Format::Vopc, row, None, Some(words.bits(9, 8)))
}

/// A vector instruction in its 32-bit form.
fn short(
    words: &Words<'_>,
    format: Format,
    row: &'static Row,
    destination: Option<u32>,
    second: Option<u32>,
) -> Result<Instruction, Refusal> {
    let code = words.bits(0, 9);
    let dpp = dpp(words, code, 1)?;
    if dpp.is_some() && !row.has('D') {
        return Err(words.reserved("DPP where the instruction has none"));
    }
    let mut reader = Reader::new(words, if dpp.is_some() { 2 } else { 1 });
    let mut sources = [Some(code), second].into_iter().flatten();
    let mut operands = Vec::new();
    for (letter, bits) in row.slots() {
        operands.push(match letter {
            'd' => {
                let number = destination.expect("this format has a destination");
                reader.vector(number, letter, bits, true)?
            }
            'x' if format == Format::Vop1 => {
                let number = destination.expect("VOP1 has a destination");
                words.zero(number >> 7, "a scalar destination beyond its codes")?;
                reader.scalar(number, letter, bits)?
            }
            'x' | 'c' | 'm' => Operand::new(OperandKind::Scalar(VCC), letter, bits),
            'k' => Operand::new(OperandKind::Literal(reader.literal()?), letter, bits),
            _ => {
                let first = operands.iter().all(|operand: &Operand| operand.is_destination());
                let code = sources.next().expect("a table has no more sources than its format");
                match (&dpp, first) {
                    (Some((_, number)), true) => reader.vector(*number, letter, bits, true)?,
                    (None, true) if letter == 'v' && code < 256 => {
                        return Err(words.reserved("a scalar where only a vector register may be"));
                    }
                    (None, true) => reader.vector_source(code, letter, bits, true)?,
                    (_, false) => reader.vector(code, letter, bits, true)?,
                }
            }
        });
    }
    words.zero(sources.sum(), "a source where the instruction has none")?;
    if operands.is_empty() {
        words.zero(destination.unwrap_or(0), "a destination where the instruction has none")?;
    }
    let mut instruction = Instruction { operands, ..Instruction::new(format, row, reader.size()) };
    if let Some((dpp, _)) = dpp {
        dpp_signs(words, &mut instruction)?;
        instruction.dpp = Some(dpp);
    }
    Ok(instruction)
}

/// The DPP word, if the first source's code says that there is one, and the register that it names.
fn dpp(words: &Words<'_>, code: u32, at: usize) -> Result<Option<(Dpp, u32)>, Refusal> {
    if DPP8.contains(&code) {
        let word = words.word(at)?;
        let lanes = std::array::from_fn(|lane| field(word, 8 + 3 * lane as u32, 3) as u8);
        let dpp = Dpp::Lanes8 { lanes, fetch_inactive: code == DPP8[1] };
        return Ok(Some((dpp, field(word, 0, 8))));
    }
    if code != DPP16 {
        return Ok(None);
    }
    let word = words.word(at)?;
    let control = field(word, 8, 9) as u16;
    let is_known = matches!(control,
        0..=0xff | 0x101..=0x10f | 0x111..=0x11f | 0x121..=0x12f | 0x140 | 0x141 | 0x150..=0x16f);
    if !is_known {
        return Err(words.reserved("a DPP control that names nothing"));
    }
    words.zero(field(word, 17, 1), "an unused bit of DPP")?;
    let dpp = Dpp::Row16 {
        control,
        row_mask: field(word, 28, 4) as u8,
        bank_mask: field(word, 24, 4) as u8,
        bound_control: field(word, 19, 1) == 1,
        fetch_inactive: field(word, 18, 1) == 1,
    };
    Ok(Some((dpp, field(word, 0, 8))))
}

/// DPP16's own signs, which the 32-bit form has.
fn dpp_signs(words: &Words<'_>, instruction: &mut Instruction) -> Result<(), Refusal> {
    if words.bits(0, 9) != DPP16 {
        return Ok(());
    }
    let signs = field(words.word(1)?, 20, 4);
    let allowed = u32::from(instruction.row.signed_sources());
    let sources = instruction.operands.iter_mut().filter(|operand| !operand.is_destination());
    for (index, source) in sources.take(2).enumerate() {
        let both = field(signs, 2 * index as u32, 2);
        if both != 0 && allowed >> index & 1 == 0 {
            return Err(words.reserved("a sign where the source has none"));
        }
        (source.negate, source.absolute) = (both & 1 != 0, both & 2 != 0);
    }
    let count = instruction.operands.iter().filter(|operand| !operand.is_destination()).count();
    if count < 2 {
        words.zero(signs >> 2, "a sign where there is no source")?;
    }
    Ok(())
}

pub(super) fn vop3(words: &Words<'_>) -> Result<Instruction, Refusal> {
    let opcode = words.bits(16, 10);
    let (format, row) = vop3_row(opcode).ok_or(words.unknown(Format::Vop3, opcode))?;
    let second = words.word(1)?;
    let fields = LongFields {
        destination: words.bits(0, 8),
        carry: words.bits(8, 7),
        sources: [field(second, 0, 9), field(second, 9, 9), field(second, 18, 9)],
    };
    let mut instruction = long(words, format, row, &fields)?;
    instruction.is_vop3 = true;
    let has_carry = row.slots().any(|slot| slot.0 == 'c');
    let absolute = if has_carry { 0 } else { words.bits(8, 3) };
    let op_sel = if has_carry { 0 } else { words.bits(11, 4) };
    signs(words, &mut instruction, field(second, 29, 3), absolute)?;
    select_halves(words, &mut instruction, op_sel)?;
    instruction.modifiers.clamp = words.bits(15, 1) == 1;
    instruction.modifiers.omod = field(second, 27, 2) as u8;
    if instruction.modifiers.clamp && !row.has('c') {
        return Err(words.reserved("clamp where the instruction has none"));
    }
    if instruction.modifiers.omod != 0 && !row.has('o') {
        return Err(words.reserved("an output multiplier where the instruction has none"));
    }
    Ok(instruction)
}

/// The row of a VOP3 opcode, and the format that its 32-bit form has.
fn vop3_row(opcode: u32) -> Option<(Format, &'static Row)> {
    let (format, table, first) = match opcode {
        0..=0xff => (Format::Vopc, tables::VOPC, 0),
        0x100..=0x17f => (Format::Vop2, tables::VOP2, 0x100),
        0x180..=0x1ff => (Format::Vop1, tables::VOP1, 0x180),
        _ => return tables::find(tables::VOP3, opcode).map(|row| (Format::Vop3, row)),
    };
    let row = tables::find(table, opcode - first)?;
    row.has('V').then_some((format, row))
}

struct LongFields {
    destination: u32,
    carry: u32,
    sources: [u32; 3],
}

/// The operands of a vector instruction in its 64-bit form.
fn long(
    words: &Words<'_>,
    format: Format,
    row: &'static Row,
    fields: &LongFields,
) -> Result<Instruction, Refusal> {
    let dpp = dpp(words, fields.sources[0], 2)?;
    if dpp.is_some() && !row.has('D') {
        return Err(words.reserved("DPP where the instruction has none"));
    }
    let mut reader = Reader::new(words, if dpp.is_some() { 3 } else { 2 });
    let mut operands = Vec::new();
    let mut source = 0;
    let mut has_destination = false;
    for (letter, bits) in row.slots() {
        operands.push(match letter {
            'd' => {
                has_destination = true;
                reader.vector(fields.destination, letter, bits, false)?
            }
            'x' => {
                has_destination = true;
                words.zero(fields.destination >> 7, "a scalar destination beyond its codes")?;
                reader.scalar(fields.destination, letter, bits)?
            }
            'c' => reader.scalar(fields.carry, letter, bits)?,
            _ => {
                source += 1;
                let code = fields.sources[source - 1];
                match &dpp {
                    Some((_, number)) if source == 1 => {
                        reader.vector(*number, letter, bits, false)?
                    }
                    Some(_) => {
                        check_dpp_source(words, code, letter, source)?;
                        long_source(words, &mut reader, code, letter, bits)?
                    }
                    None => long_source(words, &mut reader, code, letter, bits)?,
                }
            }
        });
    }
    if !has_destination && !operands.is_empty() && fields.destination != EXEC {
        return Err(words.reserved("a destination other than EXEC"));
    }
    // Hardware looks at none of them. LLVM wrote 0 there until version 22, and writes the constant 0 since.
    if fields.sources[source..].iter().any(|code| !matches!(*code, 0 | CONSTANT_ZERO)) {
        return Err(words.reserved("a source where the instruction has none"));
    }
    let mut instruction = Instruction { operands, ..Instruction::new(format, row, reader.size()) };
    instruction.dpp = dpp.map(|dpp| dpp.0);
    Ok(instruction)
}

/// Beside DPP there is no literal, and scalar sources only from gfx1150 on.
fn check_dpp_source(
    words: &Words<'_>,
    code: u32,
    letter: char,
    source: usize,
) -> Result<(), Refusal> {
    if code == LITERAL {
        return Err(words.reserved("a literal beside DPP"));
    }
    let is_scalar = code < 256 && letter != 'm';
    if is_scalar && code >= 128 {
        return Err(words.not_modelled("a constant beside DPP"));
    }
    if is_scalar && letter == 'h' {
        return Err(words.reserved("anything but a vector register beside DPP in mixed precision"));
    }
    if is_scalar && code < 128 && source == 3 {
        return Err(words.reserved("a scalar third source beside DPP"));
    }
    if is_scalar && source == 2 && words.target == Target::Gfx110x {
        return Err(words.reserved("a scalar source beside DPP before gfx1150"));
    }
    Ok(())
}

fn long_source(
    words: &Words<'_>,
    reader: &mut Reader<'_, '_>,
    code: u32,
    letter: char,
    bits: u16,
) -> Result<Operand, Refusal> {
    match letter {
        'v' if code < 256 => Err(words.reserved("a scalar where only a vector register may be")),
        'a' if !matches!(code, 128..=208 | 240..=248 | 256..) => {
            Err(words.reserved("neither a vector register nor an inline constant"))
        }
        't' if code >= 256 => Err(words.reserved("a vector register where only a scalar may be")),
        'm' if code >= 128 => Err(words.reserved("a mask that is not a scalar register")),
        _ => reader.vector_source(code, letter, bits, false),
    }
}

/// The signs of VOP3's sources.
fn signs(
    words: &Words<'_>,
    instruction: &mut Instruction,
    negate: u32,
    absolute: u32,
) -> Result<(), Refusal> {
    let allowed = u32::from(instruction.row.signed_sources());
    words.zero((negate | absolute) & !allowed, "a sign where the source has none")?;
    let sources = instruction.operands.iter_mut().filter(|operand| !operand.is_destination());
    for (index, source) in sources.enumerate() {
        source.negate = negate >> index & 1 == 1;
        source.absolute = absolute >> index & 1 == 1;
    }
    Ok(())
}

/// VOP3's op_sel: which half each operand of 16 bits is.
fn select_halves(
    words: &Words<'_>,
    instruction: &mut Instruction,
    op_sel: u32,
) -> Result<(), Refusal> {
    instruction.modifiers.op_sel = op_sel as u8;
    if instruction.row.name.starts_with("v_permlane") {
        return words.zero(op_sel >> 2, "op_sel of an operand that has no halves");
    }
    let mut allowed = 0;
    let mut source = 0;
    for operand in &mut instruction.operands {
        let bit = if operand.is_destination() { 3 } else { source };
        if operand.bits == 16 {
            allowed |= 1 << bit;
            operand.high = op_sel >> bit & 1 == 1;
        }
        source += u32::from(!operand.is_destination());
    }
    words.zero(op_sel & !allowed, "op_sel of an operand that has no halves")
}

pub(super) fn vop3p(words: &Words<'_>) -> Result<Instruction, Refusal> {
    let opcode = words.bits(16, 7);
    let row = tables::find(tables::VOP3P, opcode).ok_or(words.unknown(Format::Vop3p, opcode))?;
    words.zero(words.bits(23, 1), "an unused bit of VOP3P")?;
    let second = words.word(1)?;
    let fields = LongFields {
        destination: words.bits(0, 8),
        carry: 0,
        sources: [field(second, 0, 9), field(second, 9, 9), field(second, 18, 9)],
    };
    let mut instruction = long(words, Format::Vop3p, row, &fields)?;
    instruction.is_vop3 = true;
    let sources = instruction.operands.len() as u32 - 1;
    let all = (1u32 << sources) - 1;
    let modifiers = &mut instruction.modifiers;
    modifiers.clamp = words.bits(15, 1) == 1;
    modifiers.op_sel = words.bits(11, 3) as u8;
    modifiers.op_sel_hi = ((words.bits(14, 1) << 2 | field(second, 27, 2)) & all) as u8;
    modifiers.neg_lo = field(second, 29, 3) as u8;
    modifiers.neg_hi = words.bits(8, 3) as u8;
    if modifiers.clamp && !row.has('c') {
        return Err(words.reserved("clamp where the instruction has none"));
    }
    let selects = if row.has('p') || row.has('m') { all } else { 0 };
    words.zero(u32::from(modifiers.op_sel) & !selects, "op_sel where the instruction has none")?;
    let signed = u32::from(modifiers.neg_lo | modifiers.neg_hi);
    words.zero(signed & !all, "a sign where there is no source")?;
    if row.has('m') {
        // Mixed precision has signs like VOP3's, in the same bits.
        let (negate, absolute) = (modifiers.neg_lo, modifiers.neg_hi);
        (modifiers.neg_lo, modifiers.neg_hi) = (0, 0);
        for (index, source) in instruction.operands[1..].iter_mut().enumerate() {
            source.negate = negate >> index & 1 == 1;
            source.absolute = absolute >> index & 1 == 1;
        }
    }
    Ok(instruction)
}

pub(super) fn vopd(words: &Words<'_>) -> Result<Instruction, Refusal> {
    let (first, second) = (words.bits(22, 4), words.bits(17, 5));
    let x = tables::find(tables::VOPD_X, first).ok_or(words.unknown(Format::Vopd, first))?;
    let y = tables::find(tables::VOPD_Y, second).ok_or(words.unknown(Format::Vopd, second))?;
    let high = words.word(1)?;
    let mut reader = Reader::new(words, 2);
    let x_destination = field(high, 24, 8);
    // The second destination is even where the first is odd, and the other way round.
    let y_destination = field(high, 17, 7) << 1 | (!x_destination & 1);
    let x_sources = [words.bits(0, 9), words.bits(9, 8)];
    let mut instruction = half_of_dual(words, &mut reader, x, x_destination, x_sources)?;
    let y_sources = [field(high, 0, 9), field(high, 9, 8)];
    let mut other = half_of_dual(words, &mut reader, y, y_destination, y_sources)?;
    (instruction.size, other.size) = (reader.size(), reader.size());
    instruction.second = Some(Box::new(other));
    Ok(instruction)
}

fn half_of_dual(
    words: &Words<'_>,
    reader: &mut Reader<'_, '_>,
    row: &'static Row,
    destination: u32,
    sources: [u32; 2],
) -> Result<Instruction, Refusal> {
    let mut operands = Vec::new();
    let mut has_second = false;
    for (letter, bits) in row.slots() {
        operands.push(match letter {
            'd' => reader.vector(destination, letter, bits, false)?,
            'k' => Operand::new(OperandKind::Literal(reader.literal()?), letter, bits),
            'v' => {
                has_second = true;
                reader.vector(sources[1], letter, bits, false)?
            }
            _ => reader.vector_source(sources[0], letter, bits, false)?,
        });
    }
    if !has_second {
        words.zero(sources[1], "a second source where the instruction has none")?;
    }
    Ok(Instruction { operands, ..Instruction::new(Format::Vopd, row, 0) })
}
