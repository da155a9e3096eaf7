//! Memory instructions: addresses, checks, and what goes where.

use std::sync::Mutex;

use super::address::{Descriptor, Registers, buffer_place, receive};
use super::operation::{Inst, Space, Transfer};
use super::program::Program;
use super::race::{Access, Shadow};
use super::source::{Kind, Source};
use super::trouble::{LaneTrouble, Trouble, local, outside};
use super::wave::{NULL, PRIVATE_APERTURE, SHARED_APERTURE, Wave};
use crate::counters::{Counts, Touched};
use crate::memory::{AccessError, View};

/// A workgroup's LDS.
#[derive(Debug)]
pub struct Shared {
    bytes: Vec<u8>,
    written: Vec<bool>,
    pub(super) shadow: Shadow,
}

impl Shared {
    /// That many bytes that nobody has written.
    pub fn new(size: usize) -> Self {
        Shared { bytes: vec![0; size], written: vec![false; size], shadow: Shadow::default() }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// To write without remembering it.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

/// What an instruction can reach beside its wave.
#[derive(Debug)]
pub struct Context<'a> {
    /// The code.
    pub program: &'a Program,
    /// Global memory.
    pub memory: View,
    /// The workgroup's LDS.
    pub shared: Shared,
    /// Whether LDS is watched for races.
    pub watches_shared: bool,
    /// Where global memory is watched for races, if it is.
    pub global_shadow: Option<&'a Mutex<Shadow>>,
    /// Where the touched words are collected, if they are.
    pub touched: Option<&'a Mutex<Touched>>,
    /// Whether what can be done for a whole wave at once is.
    pub is_swift: bool,
    /// Whether reading what nobody wrote is a fault.
    pub checks_written: bool,
    /// The workgroup's number in the grid.
    pub workgroup: usize,
    /// How many barriers the workgroup has passed.
    pub epoch: usize,
    /// What the workgroup did, but for instructions.
    pub counts: Counts,
}

/// Where one access of a lane lies.
#[derive(Debug, Clone, Copy)]
pub enum Place {
    /// A byte of LDS.
    Shared(usize),
    /// An address of global memory.
    Global(u64),
    /// A byte of the lane's scratch.
    Scratch(usize),
    /// Behind the end of a buffer: reads zero, writes nothing.
    Nowhere,
}

impl Context<'_> {
    /// The address of a word of the program.
    pub fn address_of(&self, word: usize) -> u64 {
        self.program.base + 4 * word as u64
    }

    /// The word of the program at an address.
    pub fn word_at(&self, address: u64) -> Result<usize, Trouble> {
        let offset = address.wrapping_sub(self.program.base);
        if offset.is_multiple_of(4) && offset / 4 < self.program.words() as u64 {
            return Ok((offset / 4) as usize);
        }
        Err(Trouble::unknown(&format!("it goes to {address:#x}, which is not code")))
    }

    /// Scalar loads: whole words at an address, or within a descriptor's bounds.
    pub fn scalar_load(
        &mut self,
        wave: &mut Wave,
        inst: &Inst,
        count: usize,
        is_buffer: bool,
    ) -> Result<(), Trouble> {
        let destination = inst.scalar_destination.map(|(code, _)| code);
        let Some(destination) = destination.filter(|&code| code != NULL) else { return Ok(()) };
        let (base, limit) = match (is_buffer, inst.sources[0].kind) {
            (true, Kind::Scalar(code)) => {
                let descriptor = Descriptor::new(wave, code)?;
                (descriptor.base, Some(descriptor.records))
            }
            _ => (wave.scalar_source(&inst.sources[0]), None),
        };
        let register = wave.scalar_source(&inst.sources[1]) & 0xffff_ffff;
        let offset = register.wrapping_add_signed(inst.modifiers.offset.into());
        let mut words = vec![0u8; 4 * count];
        for (index, word) in words.chunks_exact_mut(4).enumerate() {
            let offset = offset.wrapping_add(4 * index as u64) & !3;
            if limit.is_none_or(|limit| offset + 4 <= limit) {
                let address = base.wrapping_add(offset) & !3;
                self.count(address, 4, true, false);
                let read = self.memory.read(address, word);
                read.map_err(|error| Trouble::access(None, error))?;
                if self.checks_written {
                    let check = self.memory.check_written(address, 4);
                    check.map_err(|error| Trouble::access(None, error))?;
                }
            }
        }
        for (index, word) in words.chunks_exact(4).enumerate() {
            let value = u32::from_le_bytes(word.try_into().expect("chunks of four"));
            wave.set_scalar(destination + index, 32, value.into());
        }
        Ok(())
    }

    /// A memory instruction in all active lanes.
    pub fn transfer(
        &mut self,
        wave: &mut Wave,
        inst: &Inst,
        at: usize,
        space: Space,
        transfer: Transfer,
    ) -> Result<(), Trouble> {
        if self.is_swift && self.transfer_swiftly(wave, inst, space, transfer) {
            return Ok(());
        }
        let sources = Registers::new(inst, space, transfer);
        if space == Space::Shared && self.touched.is_some() {
            self.count_conflicts(wave, inst, transfer, &sources)?;
        }
        for lane in wave.active() {
            // What is loaded is written when all of it was read: the address may lie where the first half goes.
            let mut loaded = [None; 2];
            for (index, offset) in sources.offsets(inst, space, transfer) {
                let place = |context: &Self, wave: &Wave, piece: i64| {
                    context.place(wave, inst, space, lane, offset + piece)
                };
                let access = Access {
                    workgroup: self.workgroup,
                    wave: wave.number,
                    lane,
                    at,
                    epoch: self.epoch,
                    writes: !matches!(transfer, Transfer::Load { .. }),
                    atomic: matches!(transfer, Transfer::Atomic { .. }),
                };
                match transfer {
                    Transfer::Load { bytes, .. } => {
                        let mut data = [0u8; 16];
                        // A buffer is checked word by word; else all bytes are one access.
                        let step = if space == Space::Buffer { bytes.min(4) } else { bytes };
                        for piece in (0..bytes).step_by(step) {
                            let place = place(self, wave, piece as i64)?;
                            let data = &mut data[piece..piece + step];
                            self.load(wave, place, data, access).map_err(|e| e.of(lane))?;
                        }
                        loaded[index] = Some(data);
                    }
                    Transfer::Store { bytes, high } => {
                        let register = sources.data[index];
                        let mut data = [0u8; 16];
                        for word in 0..bytes.div_ceil(4) {
                            let value = wave.vectors[register + word][lane];
                            let value = if high { value >> 16 } else { value };
                            data[4 * word..4 * word + 4].copy_from_slice(&value.to_le_bytes());
                        }
                        let step = if space == Space::Buffer { bytes.min(4) } else { bytes };
                        for piece in (0..bytes).step_by(step) {
                            let place = place(self, wave, piece as i64)?;
                            let data = &data[piece..piece + step];
                            self.store(wave, place, data, access).map_err(|e| e.of(lane))?;
                        }
                    }
                    Transfer::Atomic { update, bytes, returns } => {
                        let number = |register: usize| {
                            let low = u64::from(wave.vectors[register][lane]);
                            let high = || u64::from(wave.vectors[register + 1][lane]) << 32;
                            if bytes == 8 { low | high() } else { low }
                        };
                        let (data, compare) = (number(sources.data[0]), number(sources.compare));
                        let place = place(self, wave, 0)?;
                        let change = |old| update.apply(old, data, compare, bytes);
                        let old = self.update(wave, place, bytes, access, change);
                        let old = old.map_err(|e| e.of(lane))?;
                        if returns {
                            let old = &old.to_le_bytes()[..bytes];
                            receive(wave, sources.result, lane, old, false, None);
                        }
                    }
                }
            }
            if let Transfer::Load { bytes, signed, half } = transfer {
                for (index, data) in loaded.iter().flatten().enumerate() {
                    let register = sources.result + index * bytes.div_ceil(4);
                    receive(wave, register, lane, &data[..bytes], signed, half);
                }
            }
        }
        Ok(())
    }

    /// Where a lane's access lies, `offset` bytes from its address.
    pub(super) fn place(
        &self,
        wave: &Wave,
        inst: &Inst,
        space: Space,
        lane: usize,
        offset: i64,
    ) -> Result<Place, Trouble> {
        let vector = |source: &Source| match source.kind {
            Kind::Vector(register) => {
                let low = u64::from(wave.vectors[register][lane]);
                let is_pair = source.bits == 64;
                if is_pair { low | u64::from(wave.vectors[register + 1][lane]) << 32 } else { low }
            }
            _ => 0,
        };
        let address = vector(&inst.sources[0]);
        let scalar =
            |index: usize, bits| wave.scalar_source(&Source { bits, ..inst.sources[index] });
        Ok(match space {
            Space::Shared => Place::Shared((address as u32).wrapping_add(offset as u32) as usize),
            Space::Global => {
                let base = scalar(scalar_base(inst), 64);
                Place::Global(address.wrapping_add(base).wrapping_add_signed(offset))
            }
            Space::Scratch => {
                let base = scalar(scalar_base(inst), 32);
                let sum = (address as u32).wrapping_add(base as u32).wrapping_add(offset as u32);
                Place::Scratch(sum as usize)
            }
            Space::Flat => {
                let sum = address.wrapping_add_signed(offset);
                match (sum >> 32) as u32 {
                    SHARED_APERTURE => Place::Shared(sum as u32 as usize),
                    PRIVATE_APERTURE => Place::Scratch(sum as u32 as usize),
                    _ => Place::Global(sum),
                }
            }
            Space::Buffer => buffer_place(wave, inst, address, offset)?,
        })
    }

    fn load(
        &mut self,
        wave: &Wave,
        place: Place,
        data: &mut [u8],
        access: Access,
    ) -> Result<(), LaneTrouble> {
        self.watch(place, data.len(), access)?;
        match place {
            Place::Nowhere => data.fill(0),
            Place::Global(address) => {
                self.count(address, data.len(), true, false);
                self.memory.read(address, data)?;
                if self.checks_written {
                    self.memory.check_written(address, data.len())?;
                }
            }
            Place::Shared(at) => {
                let bytes = local(&self.shared.bytes, at, data.len(), "LDS", 0)?;
                data.copy_from_slice(bytes);
                self.check_local(&self.shared.written, at, data.len(), 0, "LDS")?;
            }
            Place::Scratch(at) => {
                let start = self.scratch_start(wave, at, data.len(), access.lane)?;
                data.copy_from_slice(&wave.scratch[start..start + data.len()]);
                let first = start - at;
                self.check_local(&wave.scratch_written, start, data.len(), first, "scratch")?;
            }
        }
        Ok(())
    }

    fn store(
        &mut self,
        wave: &mut Wave,
        place: Place,
        data: &[u8],
        access: Access,
    ) -> Result<(), LaneTrouble> {
        self.watch(place, data.len(), access)?;
        match place {
            Place::Nowhere => {}
            Place::Global(address) => {
                self.count(address, data.len(), false, true);
                self.memory.write(address, data)?;
            }
            Place::Shared(at) => {
                local(&self.shared.bytes, at, data.len(), "LDS", 0)?;
                self.shared.bytes[at..at + data.len()].copy_from_slice(data);
                self.shared.written[at..at + data.len()].fill(true);
            }
            Place::Scratch(at) => {
                let start = self.scratch_start(wave, at, data.len(), access.lane)?;
                wave.scratch[start..start + data.len()].copy_from_slice(data);
                wave.scratch_written[start..start + data.len()].fill(true);
            }
        }
        Ok(())
    }

    fn update(
        &mut self,
        wave: &mut Wave,
        place: Place,
        bytes: usize,
        access: Access,
        change: impl Fn(u64) -> u64,
    ) -> Result<u64, LaneTrouble> {
        if let Place::Global(address) = place {
            self.watch(place, bytes, access)?;
            self.count(address, bytes, true, true);
            if self.checks_written {
                self.memory.check_written(address, bytes)?;
            }
            return Ok(self.memory.update(address, bytes, change)?);
        }
        let mut data = [0; 8];
        self.load(wave, place, &mut data[..bytes], access)?;
        let old = u64::from_le_bytes(data);
        self.store(wave, place, &change(old).to_le_bytes()[..bytes], access)?;
        Ok(old)
    }

    fn check_local(
        &self,
        written: &[bool],
        at: usize,
        size: usize,
        first: usize,
        name: &str,
    ) -> Result<(), LaneTrouble> {
        let unwritten = (at..at + size).find(|&byte| self.checks_written && !written[byte]);
        match unwritten {
            None => Ok(()),
            Some(byte) => {
                Err(AccessError::Unwritten { name: name.to_owned(), offset: (byte - first) as u64 }
                    .into())
            }
        }
    }

    /// Where in the wave's scratch a lane's bytes lie.
    fn scratch_start(
        &self,
        wave: &Wave,
        at: usize,
        size: usize,
        lane: usize,
    ) -> Result<usize, LaneTrouble> {
        if at.saturating_add(size) > wave.scratch_size {
            return Err(outside("scratch", at, size, wave.scratch_size));
        }
        Ok(lane * wave.scratch_size + at)
    }
}

/// The place of the scalar base among the sources: behind the data, if there is any.
fn scalar_base(inst: &Inst) -> usize {
    if matches!(inst.sources[1].kind, Kind::Vector(_)) { 2 } else { 1 }
}
