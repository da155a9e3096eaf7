//! `tyto doctor`: what this machine can do, and what is missing with the command that mends it.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use tyto_artifact::HostTarget;

use crate::args::DoctorArgs;
use crate::error::Error;
use crate::graphics::{AmdGraphics, DriverFigure};
use crate::machine::{Graphics, Machine};
use crate::table::line;
use crate::units::bytes;

/// Features that make a difference for models; `--json` lists all.
const FAST: [&str; 14] = [
    "avx2",
    "fma",
    "f16c",
    "avxvnni",
    "avx512f",
    "avx512vnni",
    "avx512bf16",
    "avx512fp16",
    "neon",
    "dotprod",
    "i8mm",
    "bf16",
    "fullfp16",
    "sve2",
];

/// The driver of NVIDIA GPUs.
const CUDA: &str = "cuda";

/// How long a driver may take to find its GPUs.
const DRIVER_TIMEOUT: Duration = Duration::from_secs(30);

/// Everything that `doctor` finds out.
#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    system: String,
    machine: Machine,
    target: String,
    features: Vec<String>,
    runtime: Finding,
    gpu_drivers: Vec<GpuDriver>,
    amd: AmdGraphics,
    compiler: Finding,
}

/// A driver of GPUs and what it finds.
#[derive(Debug, Serialize)]
struct GpuDriver {
    name: &'static str,
    #[serde(flatten)]
    finding: Finding,
    /// What LLVM calls the GPU that models run on.
    kind: Option<String>,
    /// Bytes of memory that the driver says it has.
    memory_bytes: Option<u64>,
}

/// Whether a part works.
#[derive(Debug, Serialize)]
struct Finding {
    works: bool,
    details: String,
}

/// Runs the command.
pub fn run(args: &DoctorArgs) -> Result<(), Error> {
    let host = HostTarget::detect();
    let root = &args.system.system_root;
    let gpu_drivers = gpu_drivers();
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        system: system(root),
        machine: Machine::read(root),
        target: host.to_string(),
        features: host.features.into_iter().collect(),
        runtime: runtime(),
        amd: AmdGraphics::read(root, &figures(&gpu_drivers)),
        gpu_drivers,
        compiler: compiler(),
    };
    let mut output = anstream::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut output, &report).map_err(io::Error::from)?;
        writeln!(output)?;
    } else {
        print(&report, &mut output)?;
    }
    Ok(())
}

fn print(report: &Report, output: &mut impl Write) -> io::Result<()> {
    let machine = &report.machine;
    let unknown = || "unknown".to_owned();
    let size = |count: Option<u64>| count.map_or_else(unknown, bytes);
    line(output, "tyto", report.version)?;
    line(output, "system", &report.system)?;
    line(output, "processor", machine.processor.as_deref().unwrap_or("unknown"))?;
    let known = |name: &&str| report.features.iter().any(|feature| feature == name);
    let fast: Vec<&str> = FAST.iter().copied().filter(known).collect();
    line(output, "target", &format!("{}, with {}", report.target, fast.join(" ")))?;
    let cores = machine.physical_cores.map_or_else(unknown, |cores| cores.to_string());
    let threads = machine.usable_threads;
    line(output, "cores", &format!("{cores} physical, {threads} threads usable here"))?;
    let (total, available) = (size(machine.memory_total), size(machine.memory_available));
    line(output, "memory", &format!("{total}, {available} available"))?;
    if let Some(limit) = machine.memory_limit {
        line(output, "", &format!("this container's limit is {}", bytes(limit)))?;
    }
    print_graphics(&machine.graphics, output)?;
    report.amd.print(output)?;
    finding(output, "runtime", &report.runtime)?;
    for driver in &report.gpu_drivers {
        finding(output, driver.name, &driver.finding)?;
        if let Some(memory) = driver.memory_bytes {
            line(output, "", &format!("it says that the GPU has {}", bytes(memory)))?;
        }
    }
    report.amd.print_findings(output)?;
    finding(output, "compiler", &report.compiler)
}

fn print_graphics(graphics: &[Graphics], output: &mut impl Write) -> io::Result<()> {
    if graphics.is_empty() {
        return line(output, "graphics", "no device with a kernel driver");
    }
    for card in graphics {
        let memory = card.memory.map_or_else(String::new, |size| format!(", {} own", bytes(size)));
        let shared =
            card.shared_memory.map_or_else(String::new, |size| format!(", {} shared", bytes(size)));
        line(output, "graphics", &format!("{}: {}{memory}{shared}", card.card, card.driver))?;
    }
    Ok(())
}

fn finding(output: &mut impl Write, name: &str, finding: &Finding) -> io::Result<()> {
    let mark = if finding.works { "works" } else { "missing" };
    let mut lines = finding.details.lines();
    line(output, name, &format!("{mark}: {}", lines.next().unwrap_or_default()))?;
    lines.try_for_each(|text| line(output, "", text))
}

/// The distribution and the kernel.
fn system(root: &Path) -> String {
    let read = |file| std::fs::read_to_string(root.join(file)).unwrap_or_default();
    let release = read("etc/os-release");
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = name.map_or(std::env::consts::OS, |name| name.trim_matches('"'));
    match read("proc/sys/kernel/osrelease").trim() {
        "" => name.to_owned(),
        kernel => format!("{name}, Linux {kernel}"),
    }
}

/// Opens the device that models run on.
fn runtime() -> Finding {
    let options = tyto_iree_rt::RuntimeOptions::default();
    match tyto_iree_rt::Runtime::new(&options) {
        Ok(_) => Finding { works: true, details: "cpu (one worker for each core)".to_owned() },
        Err(error) => Finding { works: false, details: error.to_string() },
    }
}

/// Opens each GPU driver that this build has.
fn gpu_drivers() -> Vec<GpuDriver> {
    let of = |(name, feature)| {
        let Some(driver) = tyto_iree_rt::Driver::named(name) else {
            let why = format!("this tyto was built without the feature {feature}");
            return GpuDriver::missing(name, &why);
        };
        let (sender, found) = std::sync::mpsc::channel();
        std::thread::spawn(move || drop(sender.send(gpu(driver))));
        match found.recv_timeout(DRIVER_TIMEOUT) {
            Ok(Ok(found)) => found,
            Ok(Err(error)) => GpuDriver::missing(name, &error.to_string()),
            Err(_) => GpuDriver::missing(
                name,
                &format!("it does not answer within {} s: it hangs", DRIVER_TIMEOUT.as_secs()),
            ),
        }
    };
    [("amdgpu", "amd"), ("hip", "amd"), (CUDA, "cuda")].map(of).into()
}

/// What the drivers that work say of their GPUs.
fn figures(drivers: &[GpuDriver]) -> Vec<DriverFigure> {
    let figure = |driver: &GpuDriver| {
        let (kind, memory) = (driver.kind.clone()?, driver.memory_bytes);
        Some(DriverFigure { driver: driver.name, kind, memory })
    };
    // They are compared with what the kernel says of AMD GPUs.
    drivers.iter().filter(|driver| driver.name != CUDA).filter_map(figure).collect()
}

impl GpuDriver {
    fn missing(name: &'static str, why: &str) -> Self {
        let finding = Finding { works: false, details: why.to_owned() };
        Self { name, finding, kind: None, memory_bytes: None }
    }
}

/// The driver's devices, and the one that models run on.
fn gpu(driver: tyto_iree_rt::Driver) -> Result<GpuDriver, tyto_iree_rt::Error> {
    let names = tyto_iree_rt::device_names(driver)?.join(", ");
    let options = tyto_iree_rt::RuntimeOptions { driver, ..Default::default() };
    let runtime = tyto_iree_rt::Runtime::new(&options)?;
    let kind = runtime.gpu_kind()?;
    let known = kind.as_deref().unwrap_or("of a kind that this tyto does not know");
    let label = if driver.name() == CUDA { "; experimental" } else { "" };
    let finding = Finding { works: true, details: format!("{names}; {known}{label}") };
    let memory_bytes = runtime.gpu_memory()?;
    Ok(GpuDriver { name: driver.name(), finding, kind, memory_bytes })
}

/// Loads the compiler library.
#[cfg(feature = "compile")]
fn compiler() -> Finding {
    let found = tyto_iree_rt::Compiler::find(None).and_then(|compiler| {
        let revision = compiler.version()?.revision;
        Ok(format!("{revision}\n{}", compiler.library().display()))
    });
    match found {
        Ok(details) => Finding { works: true, details },
        Err(error) => Finding { works: false, details: error.to_string() },
    }
}

/// This build has none.
#[cfg(not(feature = "compile"))]
fn compiler() -> Finding {
    Finding { works: false, details: crate::NO_COMPILER.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_written_for_people_and_for_scripts() {
        let report = Report {
            version: "1.2.3",
            system: "Debian".to_owned(),
            machine: Machine {
                processor: Some("Example 9".to_owned()),
                physical_cores: None,
                usable_threads: 4,
                memory_total: Some(8 << 30),
                memory_available: None,
                memory_limit: Some(1 << 30),
                graphics: Vec::new(),
            },
            target: "cpu:x86-64-v3".to_owned(),
            features: ["aes", "avx2", "fma"].map(str::to_owned).to_vec(),
            runtime: Finding { works: true, details: "cpu".to_owned() },
            gpu_drivers: vec![GpuDriver::missing("amdgpu", "no library")],
            amd: AmdGraphics::read(Path::new("/nowhere"), &[]),
            compiler: Finding { works: false, details: "not found\ninstall it".to_owned() },
        };
        let mut text = Vec::new();
        print(&report, &mut text).expect("writing to memory");
        let text =
            anstream::adapter::strip_str(std::str::from_utf8(&text).expect("text")).to_string();
        for part in [
            "processor   Example 9",
            "target      cpu:x86-64-v3, with avx2 fma",
            "unknown physical, 4 threads usable here",
            "8.00 GiB, unknown available",
            "limit is 1.00 GiB",
            "amdgpu      missing: no library",
            "compiler    missing: not found\n            install it\n",
        ] {
            assert!(text.contains(part), "{part:?} is not in:\n{text}");
        }
        let json = serde_json::to_value(&report).expect("plain JSON");
        assert_eq!(json["features"][0], "aes");
        assert_eq!(json["gpu_drivers"][0]["details"], "no library");
    }

    #[test]
    fn the_system_is_named_even_where_files_are_missing() {
        let root = tempfile::tempdir().expect("folder");
        assert_eq!(system(root.path()), std::env::consts::OS);
    }
}
