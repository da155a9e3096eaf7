//! Instructions as text, in LLVM's syntax.

mod control;
mod operand;

use std::fmt::{self, Display, Formatter};

use crate::decode::{Dpp, Format, Instruction, OperandKind};

impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name(), suffix(self))?;
        let mut separator = " ";
        for index in 0..self.operands.len() {
            let text = operand::text(self, index);
            if !text.is_empty() {
                write!(f, "{separator}{text}")?;
                separator = ", ";
            }
        }
        modifiers(self, f)?;
        if let Some(dpp) = &self.dpp {
            write_dpp(dpp, f)?;
        }
        match &self.second {
            Some(second) => write!(f, " :: {second}"),
            None => Ok(()),
        }
    }
}

fn suffix(instruction: &Instruction) -> &'static str {
    let has_both = instruction.row.has('e');
    match (instruction.format, instruction.is_vop3, instruction.dpp.is_some()) {
        (Format::Vop1 | Format::Vop2 | Format::Vopc | Format::Vop3 | Format::Vop3p, true, true) => {
            "_e64_dpp"
        }
        (Format::Vopc, false, true) => "",
        (_, false, true) => "_dpp",
        (Format::Vop1 | Format::Vop2 | Format::Vopc, true, false) => "_e64",
        (Format::Vop1 | Format::Vop2 | Format::Vopc, false, false) if has_both => "_e32",
        _ => "",
    }
}

fn modifiers(instruction: &Instruction, f: &mut Formatter<'_>) -> fmt::Result {
    let modifiers = &instruction.modifiers;
    match instruction.format {
        Format::Vop1 | Format::Vop2 | Format::Vopc | Format::Vop3 if instruction.is_vop3 => {
            write_op_sel(instruction, f)?;
            write_output(instruction, f)
        }
        Format::Vop3p => packed(instruction, f),
        Format::Smem => {
            // Where the offset's register is null, the offset is written in its place.
            let register = instruction.operands.get(2).map(|operand| operand.kind);
            let is_apart = register.is_some_and(|kind| kind != OperandKind::Scalar(124));
            if is_apart && modifiers.offset != 0 {
                write!(f, " offset:{}", operand::signed_hex(modifiers.offset))?;
            }
            write_cache(instruction, f)
        }
        Format::Ds => {
            if instruction.row.has('2') {
                for (name, value) in
                    [("offset0", modifiers.offset), ("offset1", modifiers.offset1.into())]
                {
                    if value != 0 {
                        write!(f, " {name}:{value}")?;
                    }
                }
            } else if instruction.row.name == "ds_swizzle_b32" && modifiers.offset != 0 {
                write!(f, " offset:{}", operand::swizzle(modifiers.offset))?;
            } else if modifiers.offset != 0 {
                write!(f, " offset:{}", modifiers.offset)?;
            }
            write_flag(f, modifiers.gds, " gds")
        }
        Format::Mubuf => {
            write_flag(f, modifiers.idxen, " idxen")?;
            write_flag(f, modifiers.offen, " offen")?;
            write_offset(modifiers.offset, f)?;
            write_cache(instruction, f)?;
            write_flag(f, modifiers.tfe, " tfe")
        }
        Format::Flat | Format::Global | Format::Scratch => {
            write_offset(modifiers.offset, f)?;
            write_cache(instruction, f)
        }
        _ => Ok(()),
    }
}

fn write_flag(f: &mut Formatter<'_>, is_set: bool, text: &str) -> fmt::Result {
    if is_set { f.write_str(text) } else { Ok(()) }
}

fn write_offset(offset: i32, f: &mut Formatter<'_>) -> fmt::Result {
    if offset == 0 { Ok(()) } else { write!(f, " offset:{offset}") }
}

fn write_cache(instruction: &Instruction, f: &mut Formatter<'_>) -> fmt::Result {
    let modifiers = &instruction.modifiers;
    write_flag(f, modifiers.glc, " glc")?;
    write_flag(f, modifiers.slc, " slc")?;
    write_flag(f, modifiers.dlc, " dlc")
}

fn write_output(instruction: &Instruction, f: &mut Formatter<'_>) -> fmt::Result {
    write_flag(f, instruction.modifiers.clamp, " clamp")?;
    f.write_str(["", " mul:2", " mul:4", " div:2"][usize::from(instruction.modifiers.omod)])
}

/// VOP3's op_sel, written where a half is not the lower one.
fn write_op_sel(instruction: &Instruction, f: &mut Formatter<'_>) -> fmt::Result {
    let op_sel = instruction.modifiers.op_sel;
    if op_sel == 0 || instruction.row.name == "v_cndmask_b16" {
        return Ok(());
    }
    let mut bits = Vec::new();
    let sources = instruction.operands.iter().filter(|operand| !operand.is_destination()).count();
    // The accumulator of a multiply-add in place counts as a source.
    let tied = usize::from(instruction.row.name == "v_fmac_f16");
    if instruction.row.name.starts_with("v_permlane") {
        bits.extend([op_sel & 1, op_sel >> 1 & 1]);
    } else {
        bits.extend((0..sources + tied).map(|source| op_sel >> source & 1));
        // LLVM leaves a comparison's destination out where it has DPP.
        let is_compare = instruction.format == Format::Vopc && instruction.dpp.is_some();
        if !is_compare && instruction.operands.iter().any(|operand| operand.is_destination()) {
            bits.push(op_sel >> 3 & 1);
        }
    }
    write!(f, " op_sel:{}", operand::list(&bits))
}

/// VOP3P's modifiers, written where they are not what is usual.
fn packed(instruction: &Instruction, f: &mut Formatter<'_>) -> fmt::Result {
    let modifiers = &instruction.modifiers;
    let sources = instruction.operands.len() - 1;
    let bits = |mask: u8| (0..sources).map(|source| mask >> source & 1).collect::<Vec<_>>();
    let usual_high = if instruction.row.has('m') { 0 } else { (1u8 << sources) - 1 };
    if modifiers.op_sel != 0 {
        write!(f, " op_sel:{}", operand::list(&bits(modifiers.op_sel)))?;
    }
    let selects = instruction.row.has('p') || instruction.row.has('m');
    if selects && modifiers.op_sel_hi != usual_high {
        write!(f, " op_sel_hi:{}", operand::list(&bits(modifiers.op_sel_hi)))?;
    }
    if modifiers.neg_lo != 0 {
        write!(f, " neg_lo:{}", operand::list(&bits(modifiers.neg_lo)))?;
    }
    if modifiers.neg_hi != 0 {
        write!(f, " neg_hi:{}", operand::list(&bits(modifiers.neg_hi)))?;
    }
    write_flag(f, modifiers.clamp, " clamp")
}

fn write_dpp(dpp: &Dpp, f: &mut Formatter<'_>) -> fmt::Result {
    match *dpp {
        Dpp::Lanes8 { lanes, fetch_inactive } => {
            write!(f, " dpp8:{}", operand::list(&lanes))?;
            write_flag(f, fetch_inactive, " fi:1")
        }
        Dpp::Row16 { control, row_mask, bank_mask, bound_control, fetch_inactive } => {
            match control {
                0..=0xff => {
                    let lanes = [0, 2, 4, 6].map(|low| (control >> low & 3) as u8);
                    write!(f, " quad_perm:{}", operand::list(&lanes))?;
                }
                0x140 => f.write_str(" row_mirror")?,
                0x141 => f.write_str(" row_half_mirror")?,
                _ => {
                    let name = match control >> 4 {
                        0x10 => "row_shl",
                        0x11 => "row_shr",
                        0x12 => "row_ror",
                        0x15 => "row_share",
                        _ => "row_xmask",
                    };
                    write!(f, " {name}:{}", control & 15)?;
                }
            }
            write!(f, " row_mask:{row_mask:#x} bank_mask:{bank_mask:#x}")?;
            write_flag(f, bound_control, " bound_ctrl:1")?;
            write_flag(f, fetch_inactive, " fi:1")
        }
    }
}
