//! How many blocks a multiprocessor holds at once.
//!
//! A multiprocessor here is what HIP reports as one for these chips: two compute units that share LDS.

use tyto_rdna_emu::object::Kernel;

use crate::device::Config;

/// What a multiprocessor has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Multiprocessor {
    /// SIMDs.
    pub simds: u32,
    /// Waves that a SIMD holds.
    pub waves: u32,
    /// Vector registers that a SIMD has for each lane.
    pub registers: u32,
    /// Registers are given in such groups.
    pub register_group: u32,
    /// Bytes of LDS.
    pub lds: u32,
    /// Blocks of several waves.
    pub blocks: u32,
}

/// LDS is given in such groups.
const LDS_GROUP: u32 = 1024;

impl Multiprocessor {
    /// The configured chip's. Chips with large register files have 1536 registers, others 1024.
    pub fn of(config: &Config) -> Self {
        let is_large = matches!(config.gfx.as_str(), "gfx1100" | "gfx1101" | "gfx1151");
        let (registers, register_group) = if is_large { (1536, 24) } else { (1024, 16) };
        Multiprocessor {
            simds: 4,
            waves: 16,
            registers,
            register_group,
            lds: 128 << 10,
            blocks: 32,
        }
    }

    /// How many the device has.
    pub fn count(config: &Config) -> u32 {
        (config.compute_units / 2).max(1)
    }

    /// The blocks of so many work-items that it holds at once.
    pub fn blocks_of(&self, kernel: &Kernel, work_items: u32, dynamic_lds: u32) -> u32 {
        let most = kernel.metadata.max_flat_workgroup_size as u32;
        if work_items == 0 || work_items > most {
            return 0;
        }
        let registers = kernel.metadata.vgprs.max(1) as u32;
        let waves =
            self.waves.min(self.registers / registers.next_multiple_of(self.register_group));
        let by_waves = self.simds * waves / work_items.div_ceil(32);
        let lds = kernel.descriptor.lds_size.saturating_add(dynamic_lds);
        let by_lds = self.lds.checked_div(lds.next_multiple_of(LDS_GROUP));
        by_waves.min(by_lds.unwrap_or(u32::MAX)).min(self.blocks)
    }

    /// The size of blocks, in whole waves, that keeps most work-items at once, and how many of them fill the device.
    /// Of equal sizes the largest counts.
    pub fn best_block(
        &self,
        kernel: &Kernel,
        dynamic_lds: u32,
        most: u32,
        count: u32,
    ) -> (u32, u32) {
        let most = most.min(kernel.metadata.max_flat_workgroup_size as u32);
        let sizes = (1..=most.div_ceil(32)).map(|waves| (32 * waves).min(most));
        let best = sizes.max_by_key(|&size| size * self.blocks_of(kernel, size, dynamic_lds));
        let size = best.unwrap_or(0);
        (self.blocks_of(kernel, size, dynamic_lds) * count, size)
    }
}
