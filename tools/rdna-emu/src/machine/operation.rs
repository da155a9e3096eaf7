//! What an instruction does, made ready for execution.

use super::source::Source;
use super::{alu, compare, scalar, wide};
use crate::counters::Class;
use crate::decode::{Dpp, Modifiers};

/// When a branch is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Always.
    Always,
    /// SCC has that value.
    Scc(bool),
    /// VCC is zero, or not.
    VccZero(bool),
    /// EXEC is zero, or not.
    ExecZero(bool),
}

/// A type of float.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Float {
    /// 16 bits.
    Half,
    /// 32 bits.
    Single,
    /// 64 bits.
    Double,
}

/// What v_fma_mix gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mix {
    /// An f32.
    Full,
    /// An f16 in the lower half.
    Low,
    /// An f16 in the upper half.
    High,
}

/// A product of small vectors in each lane, or of matrices over the wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Product {
    /// Floats of 16 bits.
    Float {
        /// Their type.
        element: super::dot::Element,
        /// Whether the sum is such a float too, rather than f32.
        short_sum: bool,
    },
    /// Integers.
    Integer {
        /// Their bits.
        width: u32,
        /// Whether neg_lo says which operand is signed; else none is.
        may_be_signed: bool,
    },
}

/// Where memory lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// LDS.
    Shared,
    /// Global memory.
    Global,
    /// A lane's own.
    Scratch,
    /// One of these three, by the address.
    Flat,
    /// Global memory through a descriptor.
    Buffer,
}

/// What a memory instruction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transfer {
    /// Reads.
    Load {
        /// How many bytes.
        bytes: usize,
        /// A short value is extended with its sign.
        signed: bool,
        /// The half of the register that a short value goes to, the other half kept: upper or lower.
        half: Option<bool>,
    },
    /// Writes.
    Store {
        /// How many bytes.
        bytes: usize,
        /// They are the upper half of the register.
        high: bool,
    },
    /// Reads, computes and writes at once.
    Atomic {
        /// How.
        update: super::atomic::Update,
        /// Of how many bytes.
        bytes: usize,
        /// Whether the old value is wanted.
        returns: bool,
    },
}

/// What an instruction does.
#[derive(Debug, Clone)]
pub enum Op {
    /// Nothing that can be seen here: waits, hints, caches.
    Nothing,
    /// Ends the wave.
    End,
    /// Waits for the workgroup.
    Barrier,
    /// Lets others run.
    Yield,
    /// Goes to a word of the program.
    Branch(Condition, usize),
    /// The address of the next instruction.
    GetPc,
    /// Goes to an address.
    SetPc,
    /// Goes to an address and keeps that of the next instruction.
    SwapPc,
    /// Reads bits of MODE: where they begin.
    GetMode(u32),
    /// Writes bits of MODE: where they begin, and how many.
    SetMode(u32, u32),
    /// Scalar arithmetic.
    Scalar(scalar::Operation),
    /// A scalar comparison.
    ScalarTest(scalar::Test),
    /// EXEC becomes a function of the source and itself; whether the old one is kept.
    Exec(fn(u64, u64) -> u64, bool),
    /// Reads that many words at a scalar address, or through a descriptor.
    ScalarLoad(usize, bool),
    /// Arithmetic in each lane.
    Vector(alu::Operation),
    /// The same with an operand of 64 bits.
    Wide(wide::Operation),
    /// A comparison; whether EXEC gets the result.
    Compare(compare::Comparison, bool),
    /// The second source where the mask is set.
    Select,
    /// A sum or difference with a carry: subtracts, the other way round, takes a carry.
    Carry {
        /// A difference.
        subtracts: bool,
        /// The first source from the second.
        reversed: bool,
        /// Takes a carry from a mask.
        takes: bool,
    },
    /// Scales an operand of a division.
    DivideScale(wide::Limits),
    /// The last step of a division's refinement.
    DivideBack(wide::Limits),
    /// The first active lane's value.
    ReadFirst,
    /// A lane's value.
    ReadLane,
    /// Sets a lane's value.
    WriteLane,
    /// Lanes of a row by a table; whether of the other row.
    PermuteRow(bool),
    /// Counts the bits of a mask below the lane; whether of lanes 32 and up.
    CountBelow(bool),
    /// A 64-bit sum of a product of 32 bits; whether signed.
    MultiplyAdd(bool),
    /// Two halves at a time; the operation of one.
    Packed(alu::Operation),
    /// A fused multiply-add of f16 and f32.
    Mix(Mix),
    /// A dot product in each lane.
    Dot(Product),
    /// A product of 16 by 16 matrices.
    Matrix(Product),
    /// Exchanges two registers.
    Swap,
    /// Two at once: both read before either writes.
    Dual(Box<Inst>, Box<Inst>),
    /// Lanes by an index in each: reading, or writing.
    Shuffle(bool),
    /// Lanes by a pattern.
    Swizzle,
    /// Memory.
    Memory(Space, Transfer),
    /// Not known: running it is an error that says why.
    Unknown(String),
}

/// A register that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Destination {
    /// Its number.
    pub register: usize,
    /// Its width.
    pub bits: u16,
    /// Its upper half.
    pub high: bool,
}

/// An instruction made ready.
#[derive(Debug, Clone)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// What it is counted as.
    pub class: Class,
    /// The vector register that it writes.
    pub destination: Option<Destination>,
    /// The scalar register that it writes, and its width.
    pub scalar_destination: Option<(usize, u16)>,
    /// What it reads.
    pub sources: [Source; 4],
    /// How the first source moves between lanes.
    pub dpp: Option<Dpp>,
    /// Everything else.
    pub modifiers: Modifiers,
    /// The type of its result, where that is a float.
    pub result: Option<Float>,
    /// The type of its operands, where those are floats.
    pub operands: Option<Float>,
    /// Its length in words.
    pub words: usize,
    /// One more than the last vector register that it names.
    pub vectors: usize,
    /// For two accesses of LDS: in how many elements its offsets count. 0 where there is one access.
    pub pair_stride: u8,
}
