//! AMD's GPUs in the report of `doctor`: what the kernel says, what models may take, what is known
//! to go wrong.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use tyto_engine::DeviceMemory;
use tyto_gpu_probe::{Finding, Gpu, NodeAccess, Pool, Probe, Severity, recommended_pages};

use crate::table::line;
use crate::units::bytes;

/// Bytes of a page of TTM.
const PAGE: u64 = 4096;

/// Firmware that decides whether compute works; `--json` lists all.
const FIRMWARE: [&str; 5] = ["mes", "mec", "sdma", "rlc", "smc"];

/// All of it.
#[derive(Debug, Serialize)]
pub struct AmdGraphics {
    #[serde(flatten)]
    probe: Probe,
    /// Of each GPU, in the same order: the pool, or why there is none.
    pools: Vec<PoolReport>,
    /// Of each driver that works: what a model may take through it, and why.
    budgets: Vec<Budget>,
    findings: Vec<Finding>,
    /// TTM's `pages_limit` for the largest pool that leaves the host its share.
    recommended_pages_limit: Option<u64>,
}

/// What a driver that works says of its GPU.
#[derive(Debug)]
pub struct DriverFigure {
    /// Its name.
    pub driver: &'static str,
    /// Its GPU's kind.
    pub kind: String,
    /// Bytes of memory that it says the GPU has.
    pub memory: Option<u64>,
}

#[derive(Debug, Serialize)]
struct PoolReport {
    card: String,
    pool: Option<Pool>,
    missing: Option<String>,
}

#[derive(Debug, Serialize)]
struct Budget {
    driver: &'static str,
    bytes: Option<u64>,
    reasons: String,
}

impl AmdGraphics {
    /// Reads below `root`, and compares with what drivers say.
    pub fn read(root: &Path, figures: &[DriverFigure]) -> Self {
        let probe = Probe::of_this_machine(root);
        let pools = probe.gpus.iter().map(|gpu| pool_report(&probe, gpu)).collect();
        let budget = |figure: &DriverFigure| {
            let memory = DeviceMemory::of(&probe, &figure.kind, figure.memory);
            Budget { driver: figure.driver, bytes: memory.budget(), reasons: memory.reasons() }
        };
        let budgets = figures.iter().map(budget).collect();
        let findings = probe.findings();
        let recommended_pages_limit = recommended_pages(&probe.host).map(|(_, pages)| pages);
        Self { probe, pools, budgets, findings, recommended_pages_limit }
    }

    /// The GPUs and their memory, as lines for people. Nothing without a GPU of AMD's.
    pub fn print(&self, output: &mut impl Write) -> io::Result<()> {
        for (gpu, pool) in self.probe.gpus.iter().zip(&self.pools) {
            print_gpu(gpu, output)?;
            print_pool(pool, output)?;
        }
        if self.probe.gpus.is_empty() {
            return Ok(());
        }
        self.print_host(output)?;
        self.print_access(output)?;
        for file in &self.probe.unreadable {
            line(output, "", &format!("not readable: {}: {}", file.file, file.reason))?;
        }
        Ok(())
    }

    /// What models may take through each driver, and what is known to go wrong.
    pub fn print_findings(&self, output: &mut impl Write) -> io::Result<()> {
        for Budget { driver, bytes: size, reasons } in &self.budgets {
            let size = size.map_or_else(|| "an unknown size".to_owned(), bytes);
            line(output, "budget", &format!("{driver}: a model may take {size}: {reasons}"))?;
        }
        for Finding { severity, text, source, .. } in &self.findings {
            let mark = match severity {
                Severity::Note => "note",
                Severity::Warning => "warning",
                Severity::Problem => "PROBLEM",
            };
            let source = source.map_or_else(String::new, |source| format!(" ({source})"));
            line(output, "known", &format!("{mark}: {text}{source}"))?;
        }
        Ok(())
    }

    fn print_host(&self, output: &mut impl Write) -> io::Result<()> {
        let host = &self.probe.host;
        let version = host.amdgpu_version.as_deref().unwrap_or("the kernel's own");
        line(output, "amdgpu.ko", version)?;
        for module in &host.ttm {
            let size = |pages: Option<u64>| match pages {
                Some(pages) => format!("{pages} ({})", bytes(pages.saturating_mul(PAGE))),
                None => "unknown".to_owned(),
            };
            let (limit, pool) = (size(module.pages_limit), size(module.page_pool_size));
            line(output, &module.name, &format!("pages_limit {limit}, page_pool_size {pool}"))?;
        }
        if let Some((gibibytes, pages)) = recommended_pages(host) {
            let text = format!("at most pages_limit={pages}, {gibibytes} GiB, fits this host");
            line(output, "", &text)?;
        }
        Ok(())
    }

    fn print_access(&self, output: &mut impl Write) -> io::Result<()> {
        let nodes = self.probe.nodes.iter().map(|node| match &node.access {
            NodeAccess::Open => format!("{} opens", node.path),
            NodeAccess::Missing => format!("{} is missing", node.path),
            NodeAccess::Denied => format!("{} is denied", node.path),
            NodeAccess::Failed(reason) => format!("{}: {reason}", node.path),
        });
        line(output, "access", &nodes.collect::<Vec<_>>().join(", "))?;
        let groups = self.probe.groups.iter().map(|group| match group.member {
            Some(true) => format!("in {}", group.name),
            Some(false) => format!("not in {}", group.name),
            None => format!("no group {}", group.name),
        });
        line(output, "groups", &groups.collect::<Vec<_>>().join(", "))?;
        for (name, value) in &self.probe.variables {
            line(output, "variable", &format!("{name}={value}"))?;
        }
        Ok(())
    }
}

fn pool_report(probe: &Probe, gpu: &Gpu) -> PoolReport {
    let (pool, missing) = match probe.pool(gpu) {
        Ok(pool) => (Some(pool), None),
        Err(no_pool) => (None, Some(no_pool.to_string())),
    };
    PoolReport { card: gpu.card.clone(), pool, missing }
}

fn print_gpu(gpu: &Gpu, output: &mut impl Write) -> io::Result<()> {
    let kind = gpu.kind.as_deref().unwrap_or("of unknown kind");
    let mut facts = vec![format!("{}: {kind}", gpu.card)];
    facts.extend(gpu.compute_units.map(|count| format!("{count} CUs")));
    facts.extend(gpu.is_apu.filter(|is_apu| *is_apu).map(|_| "an APU".to_owned()));
    facts.extend(gpu.kfd_node.map(|node| format!("KFD node {node}")));
    facts.extend(gpu.render_node.clone());
    line(output, "gpu", &facts.join(", "))?;
    let size = |total: Option<u64>, used: Option<u64>| {
        let unknown = || "unknown".to_owned();
        let (total, used) = (total.map_or_else(unknown, bytes), used.map_or_else(unknown, bytes));
        format!("{total}, {used} in use")
    };
    line(output, "", &format!("VRAM {}", size(gpu.vram_total, gpu.vram_used)))?;
    line(output, "", &format!("GTT {} (without HIP's)", size(gpu.gtt_total, gpu.gtt_used)))?;
    let version = |name: &&str| Some(format!("{name} {:#x}", gpu.firmware.get(*name)?));
    let mut firmware: Vec<String> = FIRMWARE.iter().filter_map(version).collect();
    firmware.extend(gpu.vbios.as_ref().map(|vbios| format!("VBIOS {vbios}")));
    match firmware.is_empty() {
        true => Ok(()),
        false => line(output, "", &format!("firmware: {}", firmware.join(", "))),
    }
}

fn print_pool(report: &PoolReport, output: &mut impl Write) -> io::Result<()> {
    let text = match (&report.pool, &report.missing) {
        (Some(pool), _) => format!(
            "a model may take {} of {}: {}",
            bytes(pool.budget),
            pool.kind.name(),
            pool.reasons.join("; ")
        ),
        (None, missing) => missing.clone().unwrap_or_default(),
    };
    line(output, "", &text)
}
