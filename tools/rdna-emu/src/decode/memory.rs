//! LDS, buffer and flat memory.

use super::operand::Reader;
use super::tables;
use super::{Format, Instruction, Operand, OperandKind, Refusal, Words, field};

/// The scalar register field that means none.
const NULL: u32 = 124;
/// The code of EXEC, behind which there is only its upper half.
const EXEC: u32 = 126;

pub(super) fn ds(words: &Words<'_>) -> Result<Instruction, Refusal> {
    let opcode = words.bits(18, 8);
    if matches!(opcode, 0x18..=0x1d | 0x3f) {
        return Err(words.not_modelled("synchronisation through GDS"));
    }
    let row = tables::find(tables::DS, opcode).ok_or(words.unknown(Format::Ds, opcode))?;
    let second = words.word(1)?;
    let mut instruction = Instruction::new(Format::Ds, row, 8);
    let reader = Reader::new(words, 2);
    let fields = [('a', 0), ('b', 8), ('e', 16), ('d', 24)];
    for (letter, bits) in row.slots() {
        let low = fields.iter().find(|field| field.0 == letter).expect("a letter of this table").1;
        instruction.operands.push(reader.vector(field(second, low, 8), letter, bits, false)?);
    }
    for (letter, low) in fields {
        if row.slots().all(|slot| slot.0 != letter) {
            words
                .zero(field(second, low, 8), "a register that the LDS instruction does not have")?;
        }
    }
    words.zero(words.bits(16, 1), "an unused bit of LDS")?;
    let modifiers = &mut instruction.modifiers;
    modifiers.gds = words.bits(17, 1) == 1;
    if modifiers.gds && !row.has('g') {
        return Err(words.reserved("GDS where the instruction has none"));
    }
    if row.has('2') {
        modifiers.offset = words.bits(0, 8) as i32;
        modifiers.offset1 = words.bits(8, 8) as u8;
    } else if row.has('1') {
        modifiers.offset = words.bits(0, 16) as i32;
    } else {
        words.zero(words.bits(0, 16), "an offset where the instruction has none")?;
    }
    if row.name == "ds_swizzle_b32" && words.bits(0, 16) > 0x80ff {
        return Err(words.not_modelled("a swizzle that rotates"));
    }
    Ok(instruction)
}

pub(super) fn mubuf(words: &Words<'_>) -> Result<Instruction, Refusal> {
    let opcode = words.bits(18, 8);
    let row = tables::find(tables::MUBUF, opcode).ok_or(words.unknown(Format::Mubuf, opcode))?;
    let second = words.word(1)?;
    let mut instruction = Instruction::new(Format::Mubuf, row, 8);
    let Some((_, data_bits)) = row.slots().next() else {
        words.zero(words.bits(0, 18) | second, "fields of a cache operation")?;
        return Ok(instruction);
    };
    words.zero(words.bits(15, 3), "unused bits of a buffer instruction")?;
    let mut reader = Reader::new(words, 2);
    let modifiers = &mut instruction.modifiers;
    modifiers.offset = words.bits(0, 12) as i32;
    modifiers.slc = words.bits(12, 1) == 1;
    modifiers.dlc = words.bits(13, 1) == 1;
    modifiers.glc = words.bits(14, 1) == 1;
    modifiers.tfe = field(second, 21, 1) == 1;
    modifiers.offen = field(second, 22, 1) == 1;
    modifiers.idxen = field(second, 23, 1) == 1;
    if modifiers.tfe && !row.has('t') {
        return Err(words.reserved("TFE where the instruction has none"));
    }
    let data_bits = data_bits + if modifiers.tfe { 32 } else { 0 };
    let address_bits = 32 * (u16::from(modifiers.offen) + u16::from(modifiers.idxen));
    let letter = if row.name.contains("load") || modifiers.glc { 'd' } else { 'b' };
    let data = reader.vector(field(second, 8, 8), letter, data_bits, false)?;
    let address = if address_bits == 0 {
        words.zero(field(second, 0, 8), "an address that the buffer instruction does not use")?;
        Operand::new(OperandKind::Off, 'a', 32)
    } else {
        reader.vector(field(second, 0, 8), 'a', address_bits, false)?
    };
    let descriptor = reader.scalar(4 * field(second, 16, 5), 's', 128)?;
    let offset_code = field(second, 24, 8);
    if offset_code == super::operand::LITERAL {
        return Err(words.reserved("a literal as a buffer's offset"));
    }
    let offset = reader.scalar_source(offset_code, 's', 32)?;
    instruction.operands = vec![data, address, descriptor, offset];
    Ok(instruction)
}

pub(super) fn flat(words: &Words<'_>) -> Result<Instruction, Refusal> {
    let (format, flag) = match words.bits(16, 2) {
        0 => (Format::Flat, 'f'),
        1 => (Format::Scratch, 's'),
        2 => (Format::Global, 'g'),
        _ => return Err(words.reserved("a flat segment that does not exist")),
    };
    let opcode = words.bits(18, 8);
    let row = tables::find(tables::FLAT, opcode)
        .filter(|row| row.has(flag))
        .ok_or(words.unknown(format, opcode))?;
    let second = words.word(1)?;
    let mut instruction = Instruction::new(format, row, 8);
    let modifiers = &mut instruction.modifiers;
    modifiers.glc = words.bits(14, 1) == 1;
    modifiers.dlc = words.bits(13, 1) == 1;
    modifiers.slc = words.bits(15, 1) == 1;
    modifiers.offset = match format {
        Format::Flat => words.bits(0, 13) as i32,
        _ => (words.bits(0, 13) << 19) as i32 >> 19,
    };
    let returns = !row.has('a') || modifiers.glc;
    let reader = Reader::new(words, 2);
    let slot = |letter: char| row.slots().find(|slot| slot.0 == letter).map(|slot| slot.1);
    match slot('d').filter(|_| returns) {
        Some(bits) => {
            instruction.operands.push(reader.vector(field(second, 24, 8), 'd', bits, false)?);
        }
        None => words.zero(field(second, 24, 8), "a result where the instruction has none")?,
    }
    let base = scalar_base(words, format, second)?;
    instruction.operands.extend(address(words, &reader, row, format, base.is_some(), second)?);
    match slot('b') {
        Some(bits) => {
            instruction.operands.push(reader.vector(field(second, 8, 8), 'b', bits, false)?);
        }
        None => words.zero(field(second, 8, 8), "data where the instruction has none")?,
    }
    if format != Format::Flat {
        instruction.operands.push(base.unwrap_or(Operand::new(OperandKind::Off, 's', 64)));
    }
    Ok(instruction)
}

/// The scalar part of an address, if it has one.
fn scalar_base(words: &Words<'_>, format: Format, second: u32) -> Result<Option<Operand>, Refusal> {
    let code = field(second, 16, 7);
    let reader = Reader::new(words, 2);
    match (format, code) {
        (_, NULL) => Ok(None),
        (_, EXEC..) => Err(words.reserved("EXEC as an address")),
        (Format::Flat, _) => Err(words.reserved("a scalar base of a flat address")),
        (Format::Scratch, _) => reader.scalar(code, 's', 32).map(Some),
        _ => reader.scalar(code, 's', 64).map(Some),
    }
}

/// The vector part of an address, if the instruction writes one.
fn address(
    words: &Words<'_>,
    reader: &Reader<'_, '_>,
    row: &'static tables::Row,
    format: Format,
    has_base: bool,
    second: u32,
) -> Result<Option<Operand>, Refusal> {
    let number = field(second, 0, 8);
    let uses_register = field(second, 23, 1) == 1;
    if row.has('i') {
        words.zero(number | u32::from(uses_register), "an address beside the lane's number")?;
        return Ok(None);
    }
    if format == Format::Scratch {
        if uses_register {
            return reader.vector(number, 'a', 32, false).map(Some);
        }
        words.zero(number, "an address that the scratch instruction does not use")?;
        return Ok(Some(Operand::new(OperandKind::Off, 'a', 32)));
    }
    words.zero(u32::from(uses_register), "a scratch address outside of scratch")?;
    let bits = if has_base { 32 } else { 64 };
    reader.vector(number, 'a', bits, false).map(Some)
}
