//! What is counted and watched of accesses.

use super::access::{Context, Place};
use super::address::Registers;
use super::operation::{Inst, Space, Transfer};
use super::race::Access;
use super::trouble::{LaneTrouble, Trouble, TroubleKind};
use super::wave::Wave;
use crate::counters::bank_conflicts;

impl Context<'_> {
    /// Counts the conflicts of an access of LDS, whose lanes come at once.
    pub(super) fn count_conflicts(
        &mut self,
        wave: &Wave,
        inst: &Inst,
        transfer: Transfer,
        sources: &Registers,
    ) -> Result<(), Trouble> {
        let bytes = match transfer {
            Transfer::Load { bytes, .. }
            | Transfer::Store { bytes, .. }
            | Transfer::Atomic { bytes, .. } => bytes,
        };
        for (_, offset) in sources.offsets(inst, Space::Shared, transfer) {
            let mut words = Vec::new();
            for lane in wave.active() {
                if let Place::Shared(at) = self.place(wave, inst, Space::Shared, lane, offset)? {
                    words.extend((at / 4..(at + bytes).div_ceil(4)).map(|word| word as u32));
                }
            }
            self.counts.bank_conflicts += bank_conflicts(&mut words);
        }
        Ok(())
    }

    /// Counts an access of global memory.
    pub(super) fn count(&mut self, address: u64, size: usize, reads: bool, writes: bool) {
        if reads {
            self.counts.read_bytes += size as u64;
        }
        if writes {
            self.counts.written_bytes += size as u64;
        }
        if let Some(touched) = self.touched {
            let mut touched = touched.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            touched.record(address, size, reads, writes);
        }
    }

    /// Finds races.
    pub(super) fn watch(
        &mut self,
        place: Place,
        size: usize,
        access: Access,
    ) -> Result<(), LaneTrouble> {
        let (earlier, what) = match place {
            Place::Shared(at) if self.watches_shared => {
                let earlier = self.shared.shadow.record(at as u64, size, access);
                (earlier, format!("LDS byte {at}"))
            }
            Place::Global(address) if self.global_shadow.is_some() => {
                let Some(shadow) = self.global_shadow else { return Ok(()) };
                let mut shadow = shadow.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                (shadow.record(address, size, access), format!("global address {address:#x}"))
            }
            _ => return Ok(()),
        };
        match earlier {
            None => Ok(()),
            Some(earlier) => Err(LaneTrouble(TroubleKind::Race(earlier, what))),
        }
    }
}
