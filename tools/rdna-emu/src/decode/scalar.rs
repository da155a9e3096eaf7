//! Scalar instructions.

use super::operand::Reader;
use super::tables::{self, Row};
use super::{Format, Instruction, Operand, OperandKind, Refusal, Target, Words, field};

pub(super) fn sop2(words: &Words<'_>) -> Result<Instruction, Refusal> {
    let row = row(words, Format::Sop2, tables::SOP2, words.bits(23, 7))?;
    let sources = [words.bits(0, 8), words.bits(8, 8)];
    arithmetic(words, Format::Sop2, row, words.bits(16, 7), &sources)
}

pub(super) fn sop1(words: &Words<'_>) -> Result<Instruction, Refusal> {
    let row = row(words, Format::Sop1, tables::SOP1, words.bits(8, 8))?;
    arithmetic(words, Format::Sop1, row, words.bits(16, 7), &[words.bits(0, 8)])
}

pub(super) fn sopc(words: &Words<'_>) -> Result<Instruction, Refusal> {
    let row = row(words, Format::Sopc, tables::SOPC, words.bits(16, 7))?;
    arithmetic(words, Format::Sopc, row, 0, &[words.bits(0, 8), words.bits(8, 8)])
}

fn row(
    words: &Words<'_>,
    format: Format,
    table: &'static [Row],
    opcode: u32,
) -> Result<&'static Row, Refusal> {
    let row = tables::find(table, opcode).ok_or(words.unknown(format, opcode))?;
    if row.has('n') && words.target == Target::Gfx110x {
        return Err(words.unknown(format, opcode));
    }
    Ok(row)
}

/// SOP2, SOP1 and SOPC: a destination, then sources.
fn arithmetic(
    words: &Words<'_>,
    format: Format,
    row: &'static Row,
    destination: u32,
    sources: &[u32],
) -> Result<Instruction, Refusal> {
    let mut reader = Reader::new(words, 1);
    let mut sources = sources.iter().copied();
    let mut operands = Vec::new();
    let mut has_destination = false;
    for (letter, bits) in row.slots() {
        operands.push(match letter {
            'd' => {
                has_destination = true;
                reader.scalar(destination, letter, bits)?
            }
            'k' => Operand::new(OperandKind::Literal(reader.literal()?), letter, bits),
            'g' => {
                let message = sources.next().expect("a table has no more sources than its format");
                Operand::new(OperandKind::Field(letter, message as u16), letter, bits)
            }
            't' => {
                let code = sources.next().expect("a table has no more sources than its format");
                words.zero(code >> 7, "a constant where only a register may be")?;
                reader.scalar(code, letter, bits)?
            }
            _ => {
                let code = sources.next().expect("a table has no more sources than its format");
                reader.scalar_source(code, letter, bits)?
            }
        });
    }
    if !has_destination {
        words.zero(destination, "a destination where the instruction has none")?;
    }
    words.zero(sources.sum(), "a source where the instruction has none")?;
    Ok(Instruction { operands, ..Instruction::new(format, row, reader.size()) })
}

pub(super) fn sopk(words: &Words<'_>) -> Result<Instruction, Refusal> {
    if words.bits(23, 5) == 1 {
        return Err(words.not_modelled("s_version"));
    }
    let row = row(words, Format::Sopk, tables::SOPK, words.bits(23, 5))?;
    let constant = words.bits(0, 16) as u16;
    let mut reader = Reader::new(words, 1);
    let mut operands = Vec::new();
    let mut has_register = false;
    for (letter, bits) in row.slots() {
        operands.push(match letter {
            'd' => {
                has_register = true;
                let mut register = reader.scalar(words.bits(16, 7), letter, bits)?;
                if reads_its_register(row.name) {
                    register.letter = 's';
                }
                register
            }
            'k' => Operand::new(OperandKind::Literal(reader.literal()?), letter, bits),
            _ => Operand::new(OperandKind::Field(letter, constant), letter, bits),
        });
    }
    if !has_register {
        words.zero(words.bits(16, 7), "a register where the instruction has none")?;
    }
    Ok(Instruction { operands, ..Instruction::new(Format::Sopk, row, reader.size()) })
}

/// Whether the register field of that SOPK instruction is a source.
fn reads_its_register(name: &str) -> bool {
    name.starts_with("s_cmpk") || name.starts_with("s_setreg") || name.starts_with("s_waitcnt")
}

pub(super) fn sopp(words: &Words<'_>) -> Result<Instruction, Refusal> {
    let row = row(words, Format::Sopp, tables::SOPP, words.bits(16, 7))?;
    let constant = words.bits(0, 16);
    let mut operands = Vec::new();
    match row.slots().next() {
        None => words.zero(constant, "a constant where the instruction has none")?,
        Some((letter, bits)) => {
            check_hint(words, letter, constant)?;
            operands.push(Operand::new(OperandKind::Field(letter, constant as u16), letter, bits));
        }
    }
    Ok(Instruction { operands, ..Instruction::new(Format::Sopp, row, 4) })
}

/// Refuses values of fields with structure that name nothing.
fn check_hint(words: &Words<'_>, letter: char, constant: u32) -> Result<(), Refusal> {
    match letter {
        'y' => {
            let (first, skip, second) =
                (field(constant, 0, 4), field(constant, 4, 3), field(constant, 7, 4));
            let unknown = first > 11 || skip > 5 || second > 11;
            words.zero(u32::from(unknown) | constant >> 11, "a delay that names nothing")
        }
        'g' => words.zero(constant >> 8, "a message beyond its field"),
        'p' if constant & 0x60 != 0 && constant != 0xffff => {
            Err(words.reserved("a dependency counter that names nothing"))
        }
        _ => Ok(()),
    }
}

pub(super) fn smem(words: &Words<'_>) -> Result<Instruction, Refusal> {
    if matches!(words.bits(18, 8), 0x22 | 0x23) {
        return Err(words.not_modelled("an address translation probe"));
    }
    let row = row(words, Format::Smem, tables::SMEM, words.bits(18, 8))?;
    let second = words.word(1)?;
    let mut instruction = Instruction::new(Format::Smem, row, 8);
    let mut slots = row.slots();
    let (Some((_, data_bits)), Some((_, base_bits))) = (slots.next(), slots.next()) else {
        words.zero(words.bits(0, 18) | second & 0x01ff_ffff, "fields of a cache operation")?;
        return match field(second, 25, 7) {
            0 | 124 => Ok(instruction),
            _ => Err(words.reserved("fields of a cache operation")),
        };
    };
    words.zero(words.bits(15, 3) | field(second, 21, 4), "unused bits of scalar memory")?;
    if words.bits(6, 7) >= 125 {
        return Err(words.reserved("M0 or EXEC as the destination of a scalar load"));
    }
    let reader = Reader::new(words, 2);
    let data = reader.scalar(words.bits(6, 7), 'd', data_bits)?;
    let base = reader.scalar(2 * words.bits(0, 6), 's', base_bits)?;
    let offset = reader.scalar(field(second, 25, 7), 's', 32)?;
    instruction.operands = vec![data, base, offset];
    instruction.modifiers.offset = (field(second, 0, 21) << 11) as i32 >> 11;
    instruction.modifiers.glc = words.bits(14, 1) == 1;
    instruction.modifiers.dlc = words.bits(13, 1) == 1;
    Ok(instruction)
}
