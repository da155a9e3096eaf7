//! Where a memory instruction's data lies: registers, and buffers by their descriptors.

use super::access::Place;
use super::atomic::Update;
use super::operation::{Inst, Space, Transfer};
use super::source::Kind;
use super::trouble::Trouble;
use super::wave::Wave;

/// A buffer descriptor: raw, without structure, as compilers for compute make it.
pub struct Descriptor {
    /// The first byte.
    pub base: u64,
    /// The bytes of a record.
    pub stride: u64,
    /// How many records there are, or bytes where a record has none.
    pub records: u64,
}

impl Descriptor {
    /// The one that begins at a scalar register.
    pub fn new(wave: &Wave, code: usize) -> Result<Self, Trouble> {
        let words = [0, 1, 2, 3].map(|index| wave.scalars[code + index]);
        if words[1] >> 30 != 0 {
            return Err(Trouble::unknown("a swizzled buffer is not modelled"));
        }
        Ok(Descriptor {
            base: u64::from(words[0]) | u64::from(words[1] & 0xffff) << 32,
            stride: u64::from(words[1] >> 16 & 0x3fff),
            records: words[2].into(),
        })
    }
}

/// Where an access through a descriptor lies. `address` is the offset or the index, or the index and then the offset.
pub fn buffer_place(wave: &Wave, inst: &Inst, address: u64, offset: i64) -> Result<Place, Trouble> {
    let Kind::Scalar(code) = inst.sources[1].kind else { return Ok(Place::Nowhere) };
    let descriptor = Descriptor::new(wave, code)?;
    let modifiers = &inst.modifiers;
    let (index, vector_offset) = match (modifiers.idxen, modifiers.offen) {
        (true, true) => (address & 0xffff_ffff, address >> 32),
        (true, false) => (address & 0xffff_ffff, 0),
        (false, _) => (0, address & 0xffff_ffff),
    };
    let scalar = wave.scalar_source(&inst.sources[2]) & 0xffff_ffff;
    let inside = vector_offset.wrapping_add_signed(offset) & 0xffff_ffff;
    let is_inside = match (descriptor.stride, modifiers.idxen) {
        // Raw: the bytes from the base on are counted.
        (0, _) | (_, false) => inside + scalar < descriptor.records,
        (stride, true) => index < descriptor.records && inside < stride,
    };
    if !is_inside {
        return Ok(Place::Nowhere);
    }
    let sum = index.wrapping_mul(descriptor.stride).wrapping_add(inside).wrapping_add(scalar);
    Ok(Place::Global(descriptor.base.wrapping_add(sum)))
}

/// The registers of a memory instruction.
pub struct Registers {
    /// The first register of the data, for each of up to two accesses.
    pub data: [usize; 2],
    /// The register of what a compare-and-swap compares with.
    pub compare: usize,
    /// The first register of the result.
    pub result: usize,
}

impl Registers {
    /// Those of an instruction.
    pub fn new(inst: &Inst, space: Space, transfer: Transfer) -> Self {
        let register = |index: usize| match inst.sources[index].kind {
            Kind::Vector(register) => register,
            _ => 0,
        };
        let first = if space == Space::Buffer { 3 } else { 1 };
        let data = [register(first), register(2)];
        let words = match transfer {
            Transfer::Atomic { bytes, .. } => bytes / 4,
            _ => 0,
        };
        let compare = match (space, transfer) {
            (Space::Shared, Transfer::Atomic { .. }) => register(2),
            (_, Transfer::Atomic { update: Update::CompareSwap, .. }) => data[0] + words,
            _ => data[0],
        };
        let result = inst.destination.map_or(0, |destination| destination.register);
        Registers { data, compare, result }
    }

    /// The accesses of an instruction: their numbers, and their offsets in bytes.
    pub fn offsets(
        &self,
        inst: &Inst,
        space: Space,
        transfer: Transfer,
    ) -> impl Iterator<Item = (usize, i64)> + use<> {
        let bytes = match transfer {
            Transfer::Load { bytes, .. } | Transfer::Store { bytes, .. } => bytes,
            Transfer::Atomic { bytes, .. } => bytes,
        };
        let modifiers = &inst.modifiers;
        let unit = bytes as i64 * i64::from(inst.pair_stride);
        let pair = space == Space::Shared && inst.pair_stride != 0;
        let first = i64::from(modifiers.offset) * if pair { unit } else { 1 };
        let second = i64::from(modifiers.offset1) * unit;
        [(0, first), (1, second)].into_iter().take(if pair { 2 } else { 1 })
    }
}

/// Puts loaded bytes into a lane's registers.
pub fn receive(
    wave: &mut Wave,
    register: usize,
    lane: usize,
    data: &[u8],
    signed: bool,
    half: Option<bool>,
) {
    if data.len() >= 4 {
        for (index, word) in data.chunks_exact(4).enumerate() {
            let value = u32::from_le_bytes(word.try_into().expect("chunks of four"));
            wave.vectors[register + index][lane] = value;
        }
        return;
    }
    let value = match (data, signed) {
        ([byte], false) => u32::from(*byte),
        ([byte], true) => i32::from(*byte as i8) as u32,
        ([low, high], false) => u32::from(u16::from_le_bytes([*low, *high])),
        ([low, high], true) => i32::from(i16::from_le_bytes([*low, *high])) as u32,
        _ => 0,
    };
    let old = wave.vectors[register][lane];
    wave.vectors[register][lane] = match half {
        None => value,
        Some(false) => old & 0xffff_0000 | value & 0xffff,
        Some(true) => old & 0xffff | value << 16,
    };
}
