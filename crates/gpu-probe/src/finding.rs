//! What is known to go wrong with AMD's GPUs, seen here: each with its public report.

use serde::Serialize;

use crate::Probe;
use crate::access::NodeAccess;
use crate::gpu::Gpu;
use crate::host::KernelVersion;
use crate::pool::{Pool, PoolKind, recommended_pages, size};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Models may fail, or get less memory than there is.
    Warning,
    /// Models will not run.
    Problem,
}

/// Something that a person should know of this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// A short name that does not change.
    pub id: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What it is, and what to do.
    pub text: String,
    /// Where it was reported, if it is a known fault: repository and number.
    pub source: Option<&'static str>,
}

/// The broken firmware of the scheduler, in the low bits of its version.
const BROKEN_MES: u64 = 0x83;
const MES_VERSION_BITS: u64 = 0xfff;

/// The first kernel that gives ROCm a large carve-out of a gfx1151 whole.
const WHOLE_CARVE_OUT: KernelVersion = KernelVersion(6, 16, 9);
/// The first that knows how many registers a gfx1151 has to save.
const RIGHT_REGISTERS: KernelVersion = KernelVersion(6, 18, 0);

/// All that applies, the worst first.
pub(crate) fn all(probe: &Probe) -> Vec<Finding> {
    let mut found = Vec::new();
    override_set(probe, &mut found);
    nodes(probe, &mut found);
    memory_settings(probe, &mut found);
    for gpu in &probe.gpus {
        gfx1151(probe, gpu, &mut found);
        match probe.pool(gpu) {
            Ok(pool) => small_pool(probe, gpu, &pool, &mut found),
            Err(no_pool) => {
                let text = format!("{}: {no_pool}; only the driver's own figure is left", gpu.card);
                found.push(finding("no-pool", Severity::Warning, text, None));
            }
        }
    }
    found.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    found
}

fn finding(
    id: &'static str,
    severity: Severity,
    text: String,
    source: Option<&'static str>,
) -> Finding {
    Finding { id, severity, text, source }
}

fn override_set(probe: &Probe, found: &mut Vec<Finding>) {
    let name = "HSA_OVERRIDE_GFX_VERSION";
    let Some((_, value)) = probe.variables.iter().find(|(variable, _)| variable == name) else {
        return;
    };
    let is_here = |gpu: &Gpu| gpu.kind.as_deref() == Some("gfx1151");
    let (severity, source) = match probe.gpus.iter().any(is_here) {
        true => (Severity::Problem, Some("ROCm/legacy-rocm-build#5824")),
        false => (Severity::Warning, None),
    };
    let text = format!(
        "{name}={value}: drivers then take the GPU for another kind, and run code of that kind; on a \
         gfx1151 the first copy faults. Unset it: Tyto compiles for the kind that the GPU is"
    );
    found.push(finding("override", severity, text, source));
}

fn nodes(probe: &Probe, found: &mut Vec<Finding>) {
    for node in &probe.nodes {
        let path = &node.path;
        let text = match &node.access {
            NodeAccess::Open => continue,
            NodeAccess::Missing => format!(
                "{path} is missing: the kernel's driver amdgpu is not loaded, or a container hides \
                 the file (--device /dev/kfd --device /dev/dri shows it)"
            ),
            NodeAccess::Denied => format!("{path} may not be opened: {}", join_a_group(probe)),
            NodeAccess::Failed(reason) => format!("{path} does not open: {reason}"),
        };
        found.push(finding("device-node", Severity::Problem, text, None));
    }
}

fn join_a_group(probe: &Probe) -> String {
    let lacking = probe.groups.iter().filter(|group| group.member == Some(false));
    let names: Vec<&str> = lacking.map(|group| group.name.as_str()).collect();
    match names.is_empty() {
        true => "see `ls -l` for who may".to_owned(),
        false => format!(
            "join the groups that own it (`sudo usermod -aG {} $USER`), then log in again",
            names.join(",")
        ),
    }
}

fn memory_settings(probe: &Probe, found: &mut Vec<Finding>) {
    let host = &probe.host;
    let limits: Vec<(&str, u64)> = host
        .ttm
        .iter()
        .filter_map(|module| Some((module.name.as_str(), module.pages_limit?)))
        .collect();
    if let [(first, a), (second, b)] = limits[..]
        && a != b
    {
        let text = format!(
            "{first}.pages_limit is {a} and {second}.pages_limit is {b}: which of them counts \
             depends on the module that amdgpu uses. Set both alike"
        );
        let source = Some("ROCm/legacy-rocm-build#5595");
        found.push(finding("two-ttm-limits", Severity::Warning, text, source));
    }
    if let Some(mebibytes) = host.gtt_size_mib.filter(|mebibytes| *mebibytes > 0) {
        let text = format!(
            "amdgpu.gttsize={mebibytes}: it and ttm.pages_limit limit the same memory, and the smaller \
             counts. Leave amdgpu.gttsize out and set ttm.pages_limit alone"
        );
        let source = Some("ROCm/legacy-rocm-build#5595");
        found.push(finding("gttsize", Severity::Note, text, source));
    }
    if let (Some(limit), Some(memory)) = (host.ttm_limit(), host.memory_total)
        && limit > memory
    {
        let text = format!(
            "TTM's pages_limit of {} is more than the host's memory of {}: it may be left from \
             before the firmware set more aside. Lower it",
            size(limit),
            size(memory)
        );
        found.push(finding("ttm-beyond-memory", Severity::Warning, text, None));
    }
}

fn gfx1151(probe: &Probe, gpu: &Gpu, found: &mut Vec<Finding>) {
    if gpu.kind.as_deref() != Some("gfx1151") {
        return;
    }
    let mes = gpu.firmware.get("mes").map(|version| version & MES_VERSION_BITS);
    if mes == Some(BROKEN_MES) {
        let text = "the scheduler's firmware (MES) is version 0x83, with which the GPU hangs or \
                    faults. Install other linux-firmware and make the initial RAM disk again"
            .to_owned();
        let source = Some("ROCm/legacy-rocm-build#5724");
        found.push(finding("mes-0x83", Severity::Problem, text, source));
    }
    let Some(kernel) = probe.host.kernel_version() else { return };
    if kernel < RIGHT_REGISTERS && probe.host.cwsr_enable != Some(0) {
        let text = format!(
            "kernel {kernel}: before 6.18, unless the distribution has taken the change over, it saves \
             too few registers of a gfx1151, and work that is interrupted faults. Update it, or boot \
             with amdgpu.cwsr_enable=0"
        );
        let source = Some("ROCm/TheRock#2991");
        found.push(finding("registers", Severity::Warning, text, source));
    }
}

fn small_pool(probe: &Probe, gpu: &Gpu, pool: &Pool, found: &mut Vec<Finding>) {
    let less = gpu.kfd_memory.filter(|memory| *memory < pool.total);
    if let Some(memory) = less.filter(|memory| *memory <= pool.budget) {
        let old = |kernel| kernel < WHOLE_CARVE_OUT;
        let is_old = probe.host.kernel_version().is_some_and(old) && pool.kind == PoolKind::Vram;
        let (remedy, source) = match is_old {
            true => ("kernel 6.16.9 or later gives all of it", Some("ROCm/legacy-rocm-build#5444")),
            false => ("a newer kernel may give all of it", Some("ggml-org/llama.cpp#19818")),
        };
        let (whole, kind) = (size(pool.total), pool.kind.name());
        let text = format!(
            "{}: ROCm's libraries get {} of its {whole} of {kind}; {remedy}",
            gpu.card,
            size(memory)
        );
        found.push(finding("less-than-there-is", Severity::Warning, text, source));
    }
    let Some((gibibytes, pages)) = recommended_pages(&probe.host) else { return };
    if pool.kind == PoolKind::Gtt && pool.budget < gibibytes << 30 {
        let text = format!(
            "{}: a model may take {}; up to {gibibytes} GiB with `options ttm pages_limit={pages} \
             page_pool_size={pages}` in /etc/modprobe.d/ttm.conf, then a new initial RAM disk and a \
             restart",
            gpu.card,
            size(pool.budget)
        );
        found.push(finding("larger-pool", Severity::Note, text, None));
    }
}
