//! Memory instructions.

use super::{old, unknown};
use crate::decode::{Format, Instruction, OperandKind};
use crate::machine::atomic::Update;
use crate::machine::operation::{Inst, Op, Space, Transfer};
use crate::machine::source::{Kind, Source};

pub(super) fn shared(instruction: &Instruction, name: &str, inst: &mut Inst) -> Op {
    match name {
        _ if instruction.modifiers.gds => Op::Unknown("GDS is not modelled".to_owned()),
        "bpermute_b32" => Op::Shuffle(false),
        "permute_b32" => Op::Shuffle(true),
        "swizzle_b32" => Op::Swizzle,
        "nop" => Op::Nothing,
        _ => match transfer(name, inst.destination.is_some()) {
            Some(Transfer::Atomic { .. }) if name.contains("2addr") => unknown(),
            Some(transfer) => {
                inst.pair_stride = match (name.contains("2addr"), name.contains("stride64")) {
                    (false, _) => 0,
                    (true, false) => 1,
                    (true, true) => 64,
                };
                Op::Memory(Space::Shared, transfer)
            }
            None => unknown(),
        },
    }
}

pub(super) fn memory(instruction: &Instruction, inst: &mut Inst) -> Op {
    let (space, name) = match instruction.format {
        Format::Global => (Space::Global, instruction.row.name),
        Format::Scratch => (Space::Scratch, instruction.row.name),
        Format::Flat => (Space::Flat, instruction.row.name),
        _ => (Space::Buffer, instruction.row.name.strip_prefix("buffer_").unwrap_or("")),
    };
    if name.ends_with("_inv") {
        return Op::Nothing;
    }
    if instruction.modifiers.tfe || name.contains("format") || name.contains("addtid") {
        return unknown();
    }
    if space == Space::Buffer {
        // The data comes first in the text, but last here.
        if let OperandKind::Vgpr(register) = instruction.operands[0].kind
            && inst.destination.is_none()
        {
            inst.sources.rotate_left(1);
            inst.sources[3].kind = Kind::Vector(register.into());
        }
        if let Some(destination) = inst.destination {
            inst.sources[3] = Source { bits: 32, ..old(destination) };
        }
    }
    match transfer(name, inst.destination.is_some()) {
        Some(transfer) => Op::Memory(space, transfer),
        None => unknown(),
    }
}

/// A transfer by its name: `load_d16_hi_b16`, `store_2addr_b64`, `atomic_add_u32`, `add_rtn_u32`.
fn transfer(name: &str, returns: bool) -> Option<Transfer> {
    let words: Vec<&str> = name.split('_').collect();
    let has = |word: &str| words.contains(&word);
    let kind = words.iter().rev().find(|word| {
        let digits = word.trim_start_matches(['u', 'i', 'b']);
        digits.len() < word.len() && digits.parse::<usize>().is_ok()
    });
    let bytes = |kind: &str| kind[1..].parse::<usize>().map(|bits| bits / 8);
    match words[0] {
        "load" => Some(Transfer::Load {
            bytes: bytes(kind?).ok()?,
            signed: kind?.starts_with('i'),
            half: has("d16").then(|| has("hi")),
        }),
        "store" => Some(Transfer::Store { bytes: bytes(kind?).ok()?, high: has("hi") }),
        _ => {
            let name = name.strip_prefix("atomic_").unwrap_or(name);
            let (update, bytes) = Update::parse(name)?;
            Some(Transfer::Atomic { update, bytes, returns })
        }
    }
}
