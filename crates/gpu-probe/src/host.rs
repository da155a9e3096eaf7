//! The machine around the GPUs: its memory, its kernel, and what that was told.

use std::fmt;

use serde::Serialize;

use crate::source::Source;

/// TTM under its two names: the kernel's own module, and the one that AMD's packages bring.
const TTM_MODULES: [&str; 2] = ["ttm", "amdttm"];

/// Bytes of a page, as TTM counts them.
pub(crate) const PAGE_BYTES: u64 = 4096;

/// Facts about the host. Sizes are bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Host {
    /// Memory that the kernel has: what firmware set aside for an APU is not in it.
    pub memory_total: Option<u64>,
    /// Memory that programs could still get. It changes all the time, so it is no budget.
    pub memory_available: Option<u64>,
    /// The kernel's version, as it writes it.
    pub kernel: Option<String>,
    /// The version of the module `amdgpu`, where it is not the kernel's own.
    pub amdgpu_version: Option<String>,
    /// The kernel's manager of graphics memory, under each name that is loaded.
    pub ttm: Vec<TtmModule>,
    /// `amdgpu.gttsize` in MiB; -1 leaves the size to TTM.
    pub gtt_size_mib: Option<i64>,
    /// `amdgpu.cwsr_enable`: whether waves are saved when queues take turns.
    pub cwsr_enable: Option<u64>,
}

/// One module of TTM and its limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TtmModule {
    /// `ttm` or `amdttm`.
    pub name: String,
    /// Most pages of 4 KiB that GPUs may take of the host's memory.
    pub pages_limit: Option<u64>,
    /// Pages that are kept for the next allocation.
    pub page_pool_size: Option<u64>,
}

/// The first numbers of a kernel's version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct KernelVersion(pub u32, pub u32, pub u32);

impl Host {
    pub(crate) fn read(source: &Source) -> Self {
        let memory = source.text("proc/meminfo").unwrap_or_default();
        let parameter = |name: &str| format!("sys/module/amdgpu/parameters/{name}");
        Self {
            memory_total: meminfo_bytes(&memory, "MemTotal"),
            memory_available: meminfo_bytes(&memory, "MemAvailable"),
            kernel: source.text("proc/sys/kernel/osrelease"),
            amdgpu_version: source.text("sys/module/amdgpu/version"),
            ttm: TTM_MODULES.iter().filter_map(|name| ttm(source, name)).collect(),
            gtt_size_mib: source.value(&parameter("gttsize"), "a number", |text| text.parse().ok()),
            cwsr_enable: source.number(&parameter("cwsr_enable")),
        }
    }

    /// The smallest limit on host memory for GPUs that a module of TTM sets, in bytes.
    pub fn ttm_limit(&self) -> Option<u64> {
        let pages = self.ttm.iter().filter_map(|module| module.pages_limit).min()?;
        Some(pages.saturating_mul(PAGE_BYTES))
    }

    /// The kernel's version in numbers, where it has at least two.
    pub fn kernel_version(&self) -> Option<KernelVersion> {
        let mut numbers = self.kernel.as_deref()?.split(|c: char| !c.is_ascii_digit());
        let mut next = || numbers.next()?.parse().ok();
        Some(KernelVersion(next()?, next()?, next().unwrap_or(0)))
    }
}

impl fmt::Display for KernelVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}.{}", self.0, self.1, self.2)
    }
}

fn ttm(source: &Source, name: &str) -> Option<TtmModule> {
    let folder = format!("sys/module/{name}/parameters");
    let (limit, pool) = ("pages_limit", "page_pool_size");
    // Without the folder the module is not loaded.
    (!source.names(&folder).is_empty()).then(|| TtmModule {
        name: name.to_owned(),
        pages_limit: source.number(&format!("{folder}/{limit}")),
        page_pool_size: source.number(&format!("{folder}/{pool}")),
    })
}

/// A `Name:   123 kB` line, in bytes.
fn meminfo_bytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernels_version_is_its_first_numbers() {
        let version = |text: &str| {
            let source = Source::new(std::path::Path::new("/nonexistent"));
            Host { kernel: Some(text.to_owned()), ..Host::read(&source) }.kernel_version()
        };
        assert_eq!(version("6.16.9-200.fc43.x86_64"), Some(KernelVersion(6, 16, 9)));
        assert_eq!(version("7.1-rc2"), Some(KernelVersion(7, 1, 0)));
        assert!(version("6.16.10") > version("6.16.9"));
        assert_eq!(version("unknown"), None);
    }
}
