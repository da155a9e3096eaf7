//! The opcodes of each encoding, as data.
//!
//! A row names an opcode, its operands in the order in which they are written, and flags. An operand is a letter
//! and a width in bits:
//!
//! | Letter | Operand |
//! |---|---|
//! | `d` | destination |
//! | `c` | scalar destination: VCC in the 32-bit form, a field in VOP3 |
//! | `x` | scalar destination in place of the vector destination: VCC in the 32-bit form of a comparison |
//! | `s` | source; `h` the same, of which a literal shows 16 bits |
//! | `i` | source of 16 integer bits, whose inline floats are not modelled |
//! | `v` | source that is a vector register; `t` one that is a scalar; `a` a vector register or an inline constant |
//! | `m` | scalar mask: VCC in the 32-bit form, the third source in VOP3 |
//! | `k` | literal that follows the instruction |
//!
//! Flags of the vector tables: a digit is the mask of the sources that take `-` and `|…|`; `c` clamp; `o` output
//! multiplier; `D` DPP; `V` has a VOP3 form; `e` the 32-bit form is written with `_e32`; `n` only from gfx1150 on.
//! Flags of VOP3P: `N` neg_lo and neg_hi; `p` op_sel; `m` mixed precision, where op_sel chooses the type.

mod compare;
mod control;
mod memory;
mod packed;
mod scalar;
mod shared;
mod vector;
mod vop3;

pub use compare::VOPC;
pub use control::{SMEM, SOPK, SOPP};
pub use memory::{FLAT, MUBUF};
pub use packed::{VOP3P, VOPD_X, VOPD_Y};
pub use scalar::{SOP1, SOP2, SOPC};
pub use shared::DS;
pub use vector::{VOP1, VOP2};
pub use vop3::VOP3;

/// One opcode.
#[derive(Debug, PartialEq)]
pub struct Row {
    /// Its number in the encoding's opcode field.
    pub opcode: u16,
    /// Its name, without the suffix of an encoding.
    pub name: &'static str,
    /// Its operands, as the module's documentation says.
    operands: &'static str,
    /// What else it may have, as the module's documentation says.
    flags: &'static str,
}

const fn row(opcode: u16, name: &'static str, operands: &'static str, flags: &'static str) -> Row {
    Row { opcode, name, operands, flags }
}

/// An operand as a table gives it: its letter and its width in bits.
pub type Slot = (char, u16);

impl Row {
    /// The operands in the order in which they are written.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        self.operands.split_whitespace().map(|word| {
            let width = word[1..].parse().expect("a table's operand is a letter and a number");
            (word.chars().next().expect("a word has a first letter"), width)
        })
    }

    /// Whether a flag is set.
    pub fn has(&self, flag: char) -> bool {
        self.flags.contains(flag)
    }

    /// The mask of the sources that take a sign and an absolute value.
    pub fn signed_sources(&self) -> u8 {
        match self.flags.bytes().next() {
            Some(digit @ b'1'..=b'7') => digit - b'0',
            _ => 0,
        }
    }
}

/// The row of an opcode. Tables are sorted by opcode.
pub fn find(table: &'static [Row], opcode: u32) -> Option<&'static Row> {
    let index = table.binary_search_by_key(&opcode, |row| u32::from(row.opcode)).ok()?;
    Some(&table[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_have_no_opcode_twice() {
        for table in [
            SOP1, SOP2, SOPC, SOPK, SOPP, SMEM, VOP1, VOP2, VOPC, VOP3, VOP3P, VOPD_X, VOPD_Y, DS,
            MUBUF, FLAT,
        ] {
            for pair in table.windows(2) {
                assert!(pair[0].opcode < pair[1].opcode, "{:?}", pair);
            }
        }
    }
}
