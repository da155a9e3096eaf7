//! A decoded instruction, as data.

/// The chips whose code is understood. They differ in a few opcodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// gfx1100 to gfx1103: RDNA 3.
    Gfx110x,
    /// gfx1150 to gfx1152: RDNA 3.5, which adds scalar floats.
    Gfx115x,
}

/// How an instruction is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Scalar, two sources.
    Sop2,
    /// Scalar, one source.
    Sop1,
    /// Scalar comparison.
    Sopc,
    /// Scalar with a 16-bit constant.
    Sopk,
    /// Program control.
    Sopp,
    /// Scalar memory.
    Smem,
    /// Vector, one source.
    Vop1,
    /// Vector, two sources.
    Vop2,
    /// Vector comparison.
    Vopc,
    /// Vector, 64-bit form.
    Vop3,
    /// Packed, dot and matrix.
    Vop3p,
    /// Two instructions in one.
    Vopd,
    /// LDS.
    Ds,
    /// Memory through a buffer descriptor.
    Mubuf,
    /// Memory by a flat address.
    Flat,
    /// Global memory.
    Global,
    /// Scratch memory.
    Scratch,
}

/// What an operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperandKind {
    /// The vector register with that number, or the first of several.
    Vgpr(u8),
    /// A scalar register by its code: 0 to 105 SGPRs, 106 VCC, 108 to 123 trap registers, 124 null, 125 M0, 126 EXEC.
    Scalar(u8),
    /// A read-only special value by its code: 230 to 239 and 251 to 253.
    Special(u8),
    /// An inline constant by its code: 128 to 208 integers, 240 to 248 floats.
    Inline(u8),
    /// A 32-bit constant that follows the instruction.
    Literal(u32),
    /// A 16-bit field with the letter of its way of writing, which is its slot's letter.
    Field(char, u16),
    /// No register: written `off`.
    Off,
}

/// An operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand {
    /// What it is.
    pub kind: OperandKind,
    /// Its letter in the tables.
    pub letter: char,
    /// Its width in bits.
    pub bits: u16,
    /// Negated.
    pub negate: bool,
    /// Taken absolutely, before it is negated.
    pub absolute: bool,
    /// The upper half of a register, for operands of 16 bits.
    pub high: bool,
}

impl Operand {
    /// An operand without modifiers.
    pub fn new(kind: OperandKind, letter: char, bits: u16) -> Self {
        Operand { kind, letter, bits, negate: false, absolute: false, high: false }
    }

    /// Whether the instruction writes it.
    pub fn is_destination(&self) -> bool {
        matches!(self.letter, 'd' | 'c' | 'x')
    }
}

/// How DPP chooses the lane that a lane reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dpp {
    /// A row of 16 lanes at a time, by a 9-bit control.
    Row16 {
        /// What is read: the field `dpp_ctrl`.
        control: u16,
        /// The rows that write.
        row_mask: u8,
        /// The groups of four lanes, in each row, that write.
        bank_mask: u8,
        /// A lane without a source reads zero, rather than write nothing.
        bound_control: bool,
        /// Inactive lanes may be read.
        fetch_inactive: bool,
    },
    /// Eight lanes at a time, by a table of 3-bit lanes.
    Lanes8 {
        /// The lane that each of eight reads.
        lanes: [u8; 8],
        /// Inactive lanes may be read.
        fetch_inactive: bool,
    },
}

/// What an instruction has beside its operands. Fields that a format does not have are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Modifiers {
    /// The result is held in the type's range, or in 0 to 1.
    pub clamp: bool,
    /// Output multiplier: 1 twice, 2 four times, 3 half.
    pub omod: u8,
    /// VOP3's op_sel: sources, then the destination in bit 3. VOP3P's: the halves that make the low result.
    pub op_sel: u8,
    /// The halves that make the high result.
    pub op_sel_hi: u8,
    /// The sources that are negated for the low result.
    pub neg_lo: u8,
    /// The sources that are negated for the high result.
    pub neg_hi: u8,
    /// The offset in bytes, signed where the format says so; of two, the first, in elements.
    pub offset: i32,
    /// The second of two offsets, in elements.
    pub offset1: u8,
    /// Globally coherent; an atomic returns what was there.
    pub glc: bool,
    /// System coherent.
    pub slc: bool,
    /// Device coherent.
    pub dlc: bool,
    /// A buffer's address takes an offset from a vector register.
    pub offen: bool,
    /// A buffer's address takes an index from a vector register.
    pub idxen: bool,
    /// A load reports whether its texture was resident.
    pub tfe: bool,
    /// Global data share.
    pub gds: bool,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// Its encoding.
    pub format: Format,
    /// Its row in the tables.
    pub row: &'static super::tables::Row,
    /// Whether it is in the 64-bit form of a row that also has a 32-bit one, or only in a 64-bit form.
    pub is_vop3: bool,
    /// Its length in bytes.
    pub size: usize,
    /// Its operands in the order in which they are written.
    pub operands: Vec<Operand>,
    /// The rest of it.
    pub modifiers: Modifiers,
    /// How it moves data between lanes.
    pub dpp: Option<Dpp>,
    /// The second of two instructions in one.
    pub second: Option<Box<Instruction>>,
}

impl Instruction {
    /// An instruction without operands.
    pub(super) fn new(format: Format, row: &'static super::tables::Row, size: usize) -> Self {
        Instruction {
            format,
            row,
            is_vop3: false,
            size,
            operands: Vec::new(),
            modifiers: Modifiers::default(),
            dpp: None,
            second: None,
        }
    }

    /// Its name without a suffix: `global_load_b32`, `v_add_f32`.
    pub fn name(&self) -> String {
        let segment = match self.format {
            Format::Flat => "flat_",
            Format::Global => "global_",
            Format::Scratch => "scratch_",
            _ => "",
        };
        format!("{segment}{}", self.row.name)
    }
}
