//! What moves values between lanes, and between lanes and scalar registers.

use super::env::LANES;
use super::execute::{set_scalar, write};
use super::operation::{Inst, Op};
use super::source::{Kind, Source};
use super::wave::Wave;

pub fn lane_and_scalar(wave: &mut Wave, inst: &Inst) {
    match (&inst.op, inst.sources[0].kind) {
        (Op::WriteLane, _) => {
            let lane = wave.scalar_source(&inst.sources[1]) as usize & 31;
            let value = wave.scalar_source(&inst.sources[0]) as u32;
            write(wave, inst, &[value; LANES], 1 << lane);
        }
        (op, Kind::Vector(register)) => {
            let lane = match op {
                Op::ReadFirst if wave.exec() == 0 => 0,
                Op::ReadFirst => wave.exec().trailing_zeros() as usize,
                _ => wave.scalar_source(&inst.sources[1]) as usize & 31,
            };
            let value = wave.vectors[register][lane];
            set_scalar(wave, inst, value.into());
        }
        // A scalar is the same in all lanes.
        _ => {
            let value = wave.scalar_source(&inst.sources[0]);
            set_scalar(wave, inst, value);
        }
    }
}

pub fn permute_row(wave: &mut Wave, inst: &Inst, other: bool) {
    let table = wave.scalar_source(&inst.sources[1]) | wave.scalar_source(&inst.sources[2]) << 32;
    let mut own = [0; LANES];
    let values = *wave.short(&inst.sources[0], &mut own);
    let exec = wave.exec();
    let (fetches, bounds) = (inst.modifiers.op_sel & 1 != 0, inst.modifiers.op_sel & 2 != 0);
    let mut writes = 0u32;
    let out = std::array::from_fn(|lane| {
        let row = if other { lane & 16 ^ 16 } else { lane & 16 };
        let from = row | (table >> (4 * (lane & 15)) & 15) as usize;
        let is_active = exec >> from & 1 == 1;
        writes |= u32::from(fetches || is_active || bounds) << lane;
        if fetches || is_active { values[from] } else { 0 }
    });
    write(wave, inst, &out, writes & exec);
}

pub fn count_below(wave: &mut Wave, inst: &Inst, is_high: bool) {
    let mut own = [[0; LANES]; 2];
    let [first, second] = &mut own;
    let masks = wave.short(&inst.sources[0], first);
    let sums = wave.short(&inst.sources[1], second);
    let out = std::array::from_fn(|lane| {
        // No lane is 32 or above.
        let below = if is_high { 0 } else { (1u32 << lane) - 1 };
        (masks[lane] & below).count_ones().wrapping_add(sums[lane])
    });
    write(wave, inst, &out, wave.exec());
}

pub fn swap(wave: &mut Wave, inst: &Inst) {
    let (Some(destination), Kind::Vector(register)) = (inst.destination, inst.sources[0].kind)
    else {
        return;
    };
    let (bits, high) = (destination.bits, destination.high);
    let one = Source { kind: Kind::Vector(destination.register), high, ..inst.sources[0] };
    let mut own = [[0; LANES]; 2];
    let [first, second] = &mut own;
    let (first, second) = (*wave.short(&one, first), *wave.short(&inst.sources[0], second));
    let exec = wave.exec();
    wave.write(destination.register, bits, high, &second, exec);
    wave.write(register, bits, inst.sources[0].high, &first, exec);
}

/// ds_bpermute reads the lane that an address names, ds_permute writes to it.
pub fn shuffle(wave: &mut Wave, inst: &Inst, pushes: bool) {
    let mut own = [[0; LANES]; 2];
    let [first, second] = &mut own;
    let addresses = *wave.short(&inst.sources[0], first);
    let values = *wave.short(&inst.sources[1], second);
    let offset = inst.modifiers.offset as u32;
    let lane_of = |address: u32| (address.wrapping_add(offset) >> 2) as usize & 31;
    let exec = wave.exec();
    let mut out = [0; LANES];
    for lane in wave.active() {
        if pushes {
            out[lane_of(addresses[lane])] = values[lane];
        } else {
            let from = lane_of(addresses[lane]);
            out[lane] = if exec >> from & 1 == 1 { values[from] } else { 0 };
        }
    }
    write(wave, inst, &out, exec);
}

pub fn swizzle(wave: &mut Wave, inst: &Inst) {
    let pattern = inst.modifiers.offset as usize;
    let mut own = [0; LANES];
    let values = *wave.short(&inst.sources[0], &mut own);
    let exec = wave.exec();
    let out = std::array::from_fn(|lane: usize| {
        let from = if pattern & 0x8000 != 0 {
            lane & !3 | pattern >> (2 * (lane & 3)) & 3
        } else {
            (lane & pattern & 31 | pattern >> 5 & 31) ^ (pattern >> 10 & 31)
        };
        if exec >> from & 1 == 1 { values[from] } else { 0 }
    });
    write(wave, inst, &out, exec);
}
