//! Which memory weights and caches come from, and how much of it.
//!
//! A GPU with memory of its own uses that. An APU has two kinds, and its allocations come from
//! one of them: the kernel sends them to the host's memory (GTT) where the part that firmware set
//! aside (VRAM) is smaller than GTT, and to VRAM otherwise (`apu_prefer_gtt` in
//! drivers/gpu/drm/amd/amdgpu/amdgpu_ttm.c). Older kernels always take VRAM; a driver then sees
//! less than is found here, and callers take the smaller figure.

use std::fmt;

use serde::Serialize;

use crate::gpu::Gpu;
use crate::host::{Host, PAGE_BYTES};

/// What the operating system and this process' own code keep of the host's memory: so much, and
/// no more than a quarter.
const HOST_SHARE: u64 = 4 << 30;

/// One GiB.
const GIB: u64 = 1 << 30;

/// A kind of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PoolKind {
    /// The GPU's own, or an APU's part that firmware set aside.
    Vram,
    /// The host's, mapped by the GPU.
    Gtt,
}

/// The memory that weights, caches and workspace on one GPU come from. Sizes are bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pool {
    /// Which.
    pub kind: PoolKind,
    /// All of it.
    pub total: u64,
    /// What a model may take.
    pub budget: u64,
    /// Why this memory, and what lowers the budget below the total.
    pub reasons: Vec<String>,
    /// Of the host's memory, what the operating system keeps; 0 where the pool is not the host's.
    pub host_share: u64,
}

/// Why no pool can be named: a fact is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NoPool {
    /// The fact, with its file.
    pub missing: String,
}

impl fmt::Display for NoPool {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "its memory cannot be told: {}", self.missing)
    }
}

impl PoolKind {
    /// `VRAM`, `GTT`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vram => "VRAM",
            Self::Gtt => "GTT",
        }
    }
}

pub(crate) fn decide(gpu: &Gpu, host: &Host) -> Result<Pool, NoPool> {
    let needed = |value: Option<u64>, file: &str| {
        value.ok_or_else(|| NoPool { missing: format!("{file} of {} is not readable", gpu.card) })
    };
    let vram = needed(gpu.vram_total, "mem_info_vram_total")?;
    let Some(is_apu) = gpu.is_apu else {
        let missing = format!("the KFD does not say what kind of GPU {} is", gpu.card);
        return Err(NoPool { missing });
    };
    if !is_apu {
        return own_memory(gpu, vram, "a GPU with memory of its own".to_owned());
    }
    let gtt = needed(gpu.gtt_total, "mem_info_gtt_total")?;
    let why = format!("an APU takes the larger of VRAM {} and GTT {}", size(vram), size(gtt));
    match vram < gtt {
        true => host_memory(gpu, host, gtt, why),
        false => own_memory(gpu, vram, why),
    }
}

fn own_memory(gpu: &Gpu, total: u64, why: String) -> Result<Pool, NoPool> {
    let Some(used) = gpu.vram_used else {
        let missing = format!("mem_info_vram_used of {} is not readable", gpu.card);
        return Err(NoPool { missing });
    };
    let mut reasons = vec![why, format!("{} are in use", size(used))];
    let budget = as_the_kfd_says(gpu, total.saturating_sub(used), &mut reasons);
    Ok(Pool { kind: PoolKind::Vram, total, budget, reasons, host_share: 0 })
}

/// No more than ROCm's libraries will give.
fn as_the_kfd_says(gpu: &Gpu, budget: u64, reasons: &mut Vec<String>) -> u64 {
    match gpu.kfd_memory {
        Some(memory) if memory < budget => {
            reasons.push(format!("the KFD gives ROCm's libraries {} only", size(memory)));
            memory
        }
        _ => budget,
    }
}

/// What GTT has in use is not subtracted: the count lacks what HIP allocates, and has what the
/// desktop could give back.
fn host_memory(gpu: &Gpu, host: &Host, total: u64, why: String) -> Result<Pool, NoPool> {
    let Some(memory) = host.memory_total else {
        return Err(NoPool { missing: "MemTotal in /proc/meminfo is not readable".to_owned() });
    };
    let share = host_share(memory);
    let left = memory - share;
    let mut reasons = vec![why];
    let mut budget = total;
    if let Some(limit) = host.ttm_limit().filter(|limit| *limit < budget) {
        reasons.push(format!("TTM's pages_limit is {}", size(limit)));
        budget = limit;
    }
    if left < budget {
        let (all, kept) = (size(memory), size(share));
        reasons.push(format!("of the host's {all} the operating system keeps {kept}"));
        budget = left;
    }
    budget = as_the_kfd_says(gpu, budget, &mut reasons);
    Ok(Pool { kind: PoolKind::Gtt, total, budget, reasons, host_share: share })
}

/// What the operating system keeps of so much memory.
pub(crate) fn host_share(memory: u64) -> u64 {
    HOST_SHARE.min(memory / 4)
}

/// TTM's `pages_limit` for the largest pool that leaves the operating system its share: whole
/// GiB, and the pages of 4 KiB. `None` where the host's memory is not known or too small.
pub fn recommended_pages(host: &Host) -> Option<(u64, u64)> {
    let memory = host.memory_total?;
    let gibibytes = (memory - host_share(memory)) / GIB;
    (gibibytes > 0).then_some((gibibytes, gibibytes * (GIB / PAGE_BYTES)))
}

/// A size in words: `15.5 GiB`, `7.0 MiB`, `12 bytes`.
pub fn size(bytes: u64) -> String {
    let units = [("GiB", 1u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match units.iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) => format!("{:.1} {name}", bytes as f64 / *unit as f64),
        None => format!("{bytes} bytes"),
    }
}
