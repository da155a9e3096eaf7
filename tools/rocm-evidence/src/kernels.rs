//! What the compiled kernels need of a compute unit: from the code objects' own tables.

use serde_json::{Value, json};
use tyto_native_rocm::{self as native, Kernel};

use crate::emulated::ARCH;

/// Registers of each lane that a SIMD of gfx1151 has for wave32, the groups in which they are given,
/// and the most waves of a SIMD (LLVM's `getTotalNumVGPRs`, `getVGPRAllocGranule` and
/// `getMaxWavesPerEU` for gfx11 chips with 1.5 times the registers).
const REGISTERS: u32 = 1536;
const GROUP: u32 = 24;
const MOST_WAVES: u32 = 16;

/// LDS of a work-group processor, which a kernel in its mode shares between four SIMDs.
const LOCAL_BYTES: u32 = 128 << 10;
const SIMDS: u32 = 4;

/// A kernel's line.
#[derive(Clone, Debug)]
pub struct Row {
    /// What the code object says.
    pub kernel: Kernel,
    /// Waves of a SIMD that registers allow.
    pub by_registers: u32,
    /// Waves of a SIMD that LDS allows.
    pub by_shared: u32,
}

impl Row {
    fn new(kernel: Kernel) -> Self {
        let registers = kernel.vgprs.max(1).next_multiple_of(GROUP);
        let waves = kernel.most_threads.div_ceil(kernel.wave.max(1));
        let groups = LOCAL_BYTES.checked_div(kernel.shared_bytes).unwrap_or(u32::MAX);
        let by_shared = groups.saturating_mul(waves) / SIMDS;
        let by_registers = MOST_WAVES.min(REGISTERS / registers);
        Self { by_registers, by_shared: by_shared.min(MOST_WAVES), kernel }
    }

    /// Waves of a SIMD.
    pub fn waves(&self) -> u32 {
        self.by_registers.min(self.by_shared)
    }

    /// The same as JSON.
    pub fn json(&self) -> Value {
        let Kernel { name, vgprs, sgprs, spills, scratch_bytes, shared_bytes, .. } = &self.kernel;
        json!({
            "kernel": name, "vgprs": vgprs, "sgprs": sgprs, "spills": spills,
            "scratch_bytes": scratch_bytes, "lds_bytes": shared_bytes, "waves": self.waves(),
            "waves_by_vgprs": self.by_registers, "waves_by_lds": self.by_shared,
        })
    }
}

/// All kernels for [`ARCH`], by name.
pub fn all() -> Vec<Row> {
    let kernels = native::files().flat_map(|file| native::kernels(ARCH, file));
    let mut rows: Vec<Row> = kernels.map(Row::new).collect();
    rows.sort_by(|a, b| a.kernel.name.cmp(&b.kernel.name));
    rows
}
