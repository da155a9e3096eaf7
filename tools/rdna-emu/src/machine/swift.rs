//! Loads and stores of a whole wave at once: what `access.rs` does lane by lane, where nothing is watched.
//!
//! Only what is plain is done here: every lane inside of one allocation or of LDS, at a multiple of its size. All else,
//! faults among it, is left to the slow way, which then begins anew. Tests run both and compare them.

use std::sync::atomic::Ordering;

use super::access::Context;
use super::address::{Descriptor, Registers, receive};
use super::operation::{Inst, Space, Transfer};
use super::source::{Kind, Source};
use super::wave::Wave;
use super::{LANES, env::Lanes};

/// Where the lanes of an access lie.
struct Places {
    addresses: [u64; LANES],
    /// The first and the last address of active lanes.
    range: (u64, u64),
}

impl Context<'_> {
    /// Does a load or store for all lanes, if it can. False when nothing was done.
    pub(super) fn transfer_swiftly(
        &mut self,
        wave: &mut Wave,
        inst: &Inst,
        space: Space,
        transfer: Transfer,
    ) -> bool {
        if self.is_watched(space) || wave.exec() == 0 {
            return false;
        }
        let registers = Registers::new(inst, space, transfer);
        match (space, transfer) {
            (Space::Shared, Transfer::Load { .. } | Transfer::Store { .. }) => {
                self.shared_swiftly(wave, inst, transfer, &registers)
            }
            (Space::Global | Space::Buffer, Transfer::Load { bytes, signed, half }) => {
                let Some(lanes) = places(wave, inst, space, bytes) else { return false };
                let done = self.load_swiftly(wave, &lanes, bytes, (signed, half), registers.result);
                if done {
                    self.counts.read_bytes += bytes as u64 * u64::from(wave.exec().count_ones());
                }
                done
            }
            (Space::Global | Space::Buffer, Transfer::Store { bytes, high: false })
                if bytes >= 4 =>
            {
                let Some(lanes) = places(wave, inst, space, bytes) else { return false };
                let done = self.store_swiftly(wave, &lanes, bytes, registers.data[0]);
                if done {
                    self.counts.written_bytes += bytes as u64 * u64::from(wave.exec().count_ones());
                }
                done
            }
            _ => false,
        }
    }

    fn is_watched(&self, space: Space) -> bool {
        let races = match space {
            Space::Shared => self.watches_shared,
            _ => self.global_shadow.is_some(),
        };
        races || self.checks_written || self.touched.is_some()
    }

    fn load_swiftly(
        &self,
        wave: &mut Wave,
        lanes: &Places,
        bytes: usize,
        (signed, half): (bool, Option<bool>),
        result: usize,
    ) -> bool {
        let (first, last) = lanes.range;
        let size = (last - first) as usize + bytes;
        let Some((words, start)) = self.memory.words(first, size) else { return false };
        for lane in wave.active() {
            let at = start + (lanes.addresses[lane] - first) as usize;
            if bytes < 4 {
                let word = words[at / 4].load(Ordering::Relaxed).to_le_bytes();
                receive(wave, result, lane, &word[at % 4..at % 4 + bytes], signed, half);
                continue;
            }
            for (index, word) in words[at / 4..at / 4 + bytes / 4].iter().enumerate() {
                let value = word.load(Ordering::Relaxed);
                wave.vectors[result + index][lane] = value;
            }
        }
        true
    }

    fn store_swiftly(&self, wave: &Wave, lanes: &Places, bytes: usize, data: usize) -> bool {
        let (first, last) = lanes.range;
        let size = (last - first) as usize + bytes;
        let Some((words, start)) = self.memory.words(first, size) else { return false };
        for lane in wave.active() {
            let at = (start + (lanes.addresses[lane] - first) as usize) / 4;
            for (index, word) in words[at..at + bytes / 4].iter().enumerate() {
                let value = wave.vectors[data + index][lane];
                word.store(value, Ordering::Relaxed);
            }
            self.memory.mark(lanes.addresses[lane], bytes);
        }
        true
    }

    fn shared_swiftly(
        &mut self,
        wave: &mut Wave,
        inst: &Inst,
        transfer: Transfer,
        registers: &Registers,
    ) -> bool {
        let Kind::Vector(register) = inst.sources[0].kind else { return false };
        let bases: Lanes = wave.vectors[register];
        let (bytes, is_store) = match transfer {
            Transfer::Load { bytes, .. } => (bytes, false),
            Transfer::Store { bytes, .. } => (bytes, true),
            Transfer::Atomic { .. } => return false,
        };
        let limit = self.shared.bytes().len();
        let place = |lane: usize, offset: i64| bases[lane].wrapping_add(offset as u32) as usize;
        // All are looked at before the first is done: a fault must leave nothing half done here.
        for (_, offset) in registers.offsets(inst, Space::Shared, transfer) {
            if wave.active().any(|lane| place(lane, offset) + bytes > limit) {
                return false;
            }
        }
        for lane in wave.active() {
            for (index, offset) in registers.offsets(inst, Space::Shared, transfer) {
                let at = place(lane, offset);
                if is_store {
                    let Transfer::Store { high, .. } = transfer else { return false };
                    let shared = self.shared.bytes_mut();
                    for word in 0..bytes.div_ceil(4) {
                        let value = wave.vectors[registers.data[index] + word][lane];
                        let value = if high { value >> 16 } else { value }.to_le_bytes();
                        let count = (bytes - 4 * word).min(4);
                        shared[at + 4 * word..at + 4 * word + count]
                            .copy_from_slice(&value[..count]);
                    }
                } else if let Transfer::Load { signed, half, .. } = transfer {
                    let register = registers.result + index * bytes.div_ceil(4);
                    let mut data = [0; 16];
                    data[..bytes].copy_from_slice(&self.shared.bytes()[at..at + bytes]);
                    receive(wave, register, lane, &data[..bytes], signed, half);
                }
            }
        }
        true
    }
}

/// Where the active lanes' accesses lie, when each is at a multiple of its size, of 4 at most, and inside its buffer.
fn places(wave: &Wave, inst: &Inst, space: Space, bytes: usize) -> Option<Places> {
    let offset = i64::from(inst.modifiers.offset);
    let mut lanes = Places { addresses: [0; LANES], range: (u64::MAX, 0) };
    let address = address_of(wave, &inst.sources[0]);
    let (base, limits) = match space {
        Space::Global => {
            let scalar = if matches!(inst.sources[1].kind, Kind::Vector(_)) { 2 } else { 1 };
            let source = Source { bits: 64, ..inst.sources[scalar] };
            (wave.scalar_source(&source).wrapping_add_signed(offset), None)
        }
        _ => {
            let Kind::Scalar(code) = inst.sources[1].kind else { return None };
            let descriptor = Descriptor::new(wave, code).ok()?;
            if descriptor.stride != 0 || inst.modifiers.idxen {
                return None;
            }
            let scalar = wave.scalar_source(&inst.sources[2]) & 0xffff_ffff;
            (descriptor.base.wrapping_add(scalar), Some((descriptor.records, scalar)))
        }
    };
    let alignment = bytes.min(4) as u64;
    for lane in wave.active() {
        let own = match limits {
            None => address(lane),
            Some((records, scalar)) => {
                let own = if inst.modifiers.offen { address(lane) & 0xffff_ffff } else { 0 };
                let inside = own.wrapping_add_signed(offset) & 0xffff_ffff;
                // As in `buffer_place`, for each word: the last one must begin inside too.
                let last = inside + (bytes as u64).next_multiple_of(4) - 4;
                if last + scalar >= records || last > 0xffff_ffff {
                    return None;
                }
                inside
            }
        };
        let place = base.wrapping_add(own);
        if !place.is_multiple_of(alignment) {
            return None;
        }
        lanes.addresses[lane] = place;
        lanes.range = (lanes.range.0.min(place), lanes.range.1.max(place));
    }
    Some(lanes)
}

/// The address that a source gives a lane.
fn address_of<'a>(wave: &'a Wave, source: &Source) -> impl Fn(usize) -> u64 + use<'a> {
    let registers = match source.kind {
        Kind::Vector(register) => {
            let high = (source.bits == 64).then(|| &wave.vectors[register + 1]);
            Some((&wave.vectors[register], high))
        }
        _ => None,
    };
    move |lane| match registers {
        Some((low, high)) => {
            u64::from(low[lane]) | high.map_or(0, |high| u64::from(high[lane]) << 32)
        }
        None => 0,
    }
}
