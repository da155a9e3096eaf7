//! A wave: 32 lanes, their registers, and the scalar ones that they share.

use super::env::{Env, LANES, Lanes, Lanes64};
use super::source::{Kind, Source};
use crate::counters::Class;
use crate::decode::Dpp;

/// The code of VCC's lower half among the scalar registers.
pub const VCC: usize = 106;
/// The code of the register that reads as zero.
pub const NULL: usize = 124;
/// The code of EXEC's lower half.
pub const EXEC: usize = 126;
/// The upper half of the addresses that mean LDS.
pub const SHARED_APERTURE: u32 = 0x0001_0000;
/// The upper half of the addresses that mean scratch.
pub const PRIVATE_APERTURE: u32 = 0x0002_0000;

/// What a wave waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nothing.
    Ready,
    /// The other waves of its workgroup.
    AtBarrier,
    /// It has ended.
    Done,
}

/// A wave.
#[derive(Debug)]
pub struct Wave {
    /// Its number in the workgroup.
    pub number: usize,
    /// The workgroup's number in the grid.
    pub workgroup: usize,
    /// Scalar registers by their codes: SGPRs, VCC, M0 and EXEC.
    pub scalars: [u32; 128],
    /// Vector registers.
    pub vectors: Vec<Lanes>,
    /// The scalar condition.
    pub scc: bool,
    /// Rounding and numerics.
    pub env: Env,
    /// The next instruction's place in the program.
    pub next: usize,
    /// What it waits for.
    pub state: State,
    /// Scratch, lane after lane.
    pub scratch: Vec<u8>,
    /// Which bytes of it were written.
    pub scratch_written: Vec<bool>,
    /// The bytes of scratch that a lane has.
    pub scratch_size: usize,
    /// How many instructions it has run.
    pub executed: u64,
    /// The same by class.
    pub counts: [u64; Class::ALL.len()],
}

impl Wave {
    /// The lanes that are active.
    pub fn exec(&self) -> u32 {
        self.scalars[EXEC]
    }

    /// The numbers of the active lanes.
    pub fn active(&self) -> impl Iterator<Item = usize> + use<> {
        let exec = self.exec();
        (0..LANES).filter(move |lane| exec >> lane & 1 == 1)
    }

    /// A scalar register, or two as one number.
    pub fn scalar(&self, code: usize, bits: u16) -> u64 {
        if code == NULL {
            return 0;
        }
        let low = u64::from(self.scalars[code]);
        if bits == 64 { low | u64::from(self.scalars[code + 1]) << 32 } else { low }
    }

    /// Writes a scalar register, or two.
    pub fn set_scalar(&mut self, code: usize, bits: u16, value: u64) {
        if code == NULL {
            return;
        }
        self.scalars[code] = value as u32;
        if bits == 64 {
            self.scalars[code + 1] = (value >> 32) as u32;
        }
    }

    /// A source as one number, for scalar instructions.
    pub fn scalar_source(&self, source: &Source) -> u64 {
        match source.kind {
            Kind::Scalar(code) => self.scalar(code, source.bits),
            Kind::Constant(value) => value,
            Kind::Special(code) => self.special(code, source.bits),
            Kind::Vector(register) => u64::from(self.vectors[register][0]),
        }
    }

    fn special(&self, code: u8, bits: u16) -> u64 {
        let aperture = |upper: u32| if bits == 64 { u64::from(upper) << 32 } else { 0 };
        match code {
            235 => aperture(SHARED_APERTURE),
            236 => aperture(SHARED_APERTURE) | 0xffff_ffff,
            237 => aperture(PRIVATE_APERTURE),
            238 => aperture(PRIVATE_APERTURE) | 0xffff_ffff,
            251 => u64::from(self.scalars[VCC] == 0),
            252 => u64::from(self.exec() == 0),
            253 => u64::from(self.scc),
            _ => 0,
        }
    }

    /// A source of up to 32 bits in all lanes, with its signs. `buffer` holds it where it is not a register as it is.
    pub fn short<'a>(&'a self, source: &Source, buffer: &'a mut Lanes) -> &'a Lanes {
        match source.kind {
            Kind::Vector(register) if source.is_plain() => return &self.vectors[register],
            Kind::Vector(register) => {
                let lanes = &self.vectors[register];
                match (source.bits, source.high) {
                    (16, true) => *buffer = std::array::from_fn(|lane| lanes[lane] >> 16),
                    (16, false) => *buffer = std::array::from_fn(|lane| lanes[lane] & 0xffff),
                    _ => *buffer = *lanes,
                }
            }
            _ => {
                let mut value = self.scalar_source(source) as u32;
                if source.bits == 16 {
                    let is_high = source.high && matches!(source.kind, Kind::Scalar(_));
                    value = if is_high { value >> 16 } else { value & 0xffff };
                }
                *buffer = [value; LANES];
            }
        }
        source.sign(buffer);
        buffer
    }

    /// A source of up to 64 bits in all lanes, with its signs.
    pub fn wide(&self, source: &Source) -> Lanes64 {
        let mut lanes = match source.kind {
            Kind::Vector(register) if source.bits == 64 => {
                let (low, high) = (&self.vectors[register], &self.vectors[register + 1]);
                std::array::from_fn(|lane| u64::from(low[lane]) | u64::from(high[lane]) << 32)
            }
            _ if source.bits == 64 => [self.scalar_source(source); LANES],
            _ => {
                let mut buffer = [0; LANES];
                return self.short(source, &mut buffer).map(u64::from);
            }
        };
        if source.absolute {
            lanes = lanes.map(|value| value & !(1 << 63));
        }
        if source.negate {
            lanes = lanes.map(|value| value ^ 1 << 63);
        }
        lanes
    }

    /// Writes the lower bits of lanes to a vector register, where the mask says so.
    pub fn write(&mut self, register: usize, bits: u16, high: bool, values: &Lanes, mask: u32) {
        let target = &mut self.vectors[register];
        match (bits, high) {
            (16, false) => {
                for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
                    target[lane] = target[lane] & 0xffff_0000 | values[lane] & 0xffff;
                }
            }
            (16, true) => {
                for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
                    target[lane] = target[lane] & 0xffff | values[lane] << 16;
                }
            }
            _ if mask == !0 => *target = *values,
            _ => {
                for lane in 0..LANES {
                    target[lane] = if mask >> lane & 1 == 1 { values[lane] } else { target[lane] };
                }
            }
        }
    }

    /// Writes lanes of 64 bits, or their lower half.
    pub fn write_wide(&mut self, register: usize, bits: u16, values: &Lanes64, mask: u32) {
        self.write(register, 32, false, &values.map(|value| value as u32), mask);
        if bits == 64 {
            self.write(register + 1, 32, false, &values.map(|value| (value >> 32) as u32), mask);
        }
    }
}

/// Where each lane reads, by DPP: the lanes that write, and the source of each; a source of none reads zero.
pub fn dpp_lanes(dpp: &Dpp, exec: u32) -> (u32, [Option<usize>; LANES]) {
    let mut writes = 0u32;
    let mut sources = [None; LANES];
    for lane in 0..LANES {
        let (source, writes_anyway, fetches) = match *dpp {
            Dpp::Lanes8 { lanes, fetch_inactive } => {
                (Some(lane & !7 | usize::from(lanes[lane & 7])), true, fetch_inactive)
            }
            Dpp::Row16 { control, row_mask, bank_mask, bound_control, fetch_inactive } => {
                if row_mask >> (lane / 16) & 1 == 0 || bank_mask >> (lane % 16 / 4) & 1 == 0 {
                    continue;
                }
                (row_source(control, lane), bound_control, fetch_inactive)
            }
        };
        let source = source.filter(|&source| fetches || exec >> source & 1 == 1);
        if source.is_some() || writes_anyway {
            writes |= 1 << lane;
            sources[lane] = source;
        }
    }
    (writes, sources)
}

/// The lane of a row of 16 that a lane reads, if it lies in the row.
fn row_source(control: u16, lane: usize) -> Option<usize> {
    let (row, at) = (lane & !15, lane & 15);
    let count = usize::from(control & 15);
    match control {
        0..=0xff => Some(lane & !3 | usize::from(control >> (2 * (lane & 3)) & 3)),
        0x101..=0x10f => (at + count < 16).then_some(lane + count),
        0x111..=0x11f => (at >= count).then(|| lane - count),
        0x121..=0x12f => Some(row | (at + 16 - count) & 15),
        0x140 => Some(row | (15 - at)),
        0x141 => Some(lane & !7 | (7 - (lane & 7))),
        0x150..=0x15f => Some(row | count),
        _ => Some(row | at ^ count),
    }
}
