//! What this machine is: processor, memory, graphics devices.
//!
//! Everything is read below a root directory, so that tests can show it another machine.

use std::fs;
use std::path::Path;

use serde::Serialize;

/// The facts about a machine that decide how Tyto runs on it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Machine {
    /// The processor's name.
    pub processor: Option<String>,
    /// Cores, not counting hyper-threads.
    pub physical_cores: Option<usize>,
    /// Threads that this process may use; containers lower it.
    pub usable_threads: usize,
    /// Memory of the machine, in bytes.
    pub memory_total: Option<u64>,
    /// Memory that programs can still get, in bytes.
    pub memory_available: Option<u64>,
    /// The limit that a container sets, in bytes, where it is below the machine's memory.
    pub memory_limit: Option<u64>,
    /// Graphics devices that the kernel knows.
    pub graphics: Vec<Graphics>,
}

/// A graphics device with a kernel driver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Graphics {
    /// `card0`, as the kernel calls it.
    pub card: String,
    /// The kernel driver: `amdgpu`, `nvidia`, `i915`, …
    pub driver: String,
    /// Dedicated memory in bytes, where the driver says it.
    pub memory: Option<u64>,
    /// System memory that the device may use, in bytes, where the driver says it.
    pub shared_memory: Option<u64>,
}

impl Machine {
    /// Reads the facts below `root`, which is `/` but in tests.
    pub fn read(root: &Path) -> Self {
        let processors = fs::read_to_string(root.join("proc/cpuinfo")).unwrap_or_default();
        let memory = fs::read_to_string(root.join("proc/meminfo")).unwrap_or_default();
        let memory_total = meminfo_bytes(&memory, "MemTotal");
        Self {
            processor: cpuinfo_value(&processors, "model name").map(str::to_owned),
            physical_cores: physical_cores(&processors),
            usable_threads: std::thread::available_parallelism().map_or(1, usize::from),
            memory_total,
            memory_available: meminfo_bytes(&memory, "MemAvailable"),
            memory_limit: memory_limit(root).filter(|limit| Some(*limit) < memory_total),
            graphics: graphics(root),
        }
    }
}

/// The most memory that this process has had in use at once, in bytes.
pub fn peak_memory() -> Option<u64> {
    meminfo_bytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM")
}

/// A `Name:   123 kB` line, in bytes.
fn meminfo_bytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

fn cpuinfo_value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim())
    })
}

/// Distinct pairs of socket and core.
fn physical_cores(cpuinfo: &str) -> Option<usize> {
    let core = |processor: &str| {
        let value = |name| cpuinfo_value(processor, name)?.parse::<u32>().ok();
        Some((value("physical id")?, value("core id")?))
    };
    let mut cores: Vec<_> = cpuinfo.split("\n\n").filter_map(core).collect();
    cores.sort_unstable();
    cores.dedup();
    (!cores.is_empty()).then_some(cores.len())
}

/// Of the control group, in its second or first form.
fn memory_limit(root: &Path) -> Option<u64> {
    let files = ["sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let read = |file| fs::read_to_string(root.join(file)).ok()?.trim().parse().ok();
    files.into_iter().find_map(read)
}

fn graphics(root: &Path) -> Vec<Graphics> {
    let Ok(entries) = fs::read_dir(root.join("sys/class/drm")) else {
        return Vec::new();
    };
    let mut found: Vec<Graphics> = entries
        .flatten()
        .filter_map(|entry| {
            let card = entry.file_name().into_string().ok()?;
            // `card0-HDMI-A-1` is a socket of the device.
            let number = card.strip_prefix("card")?;
            number.bytes().all(|b| b.is_ascii_digit()).then(|| read_card(&entry.path(), card))?
        })
        .collect();
    found.sort_by(|a, b| a.card.cmp(&b.card));
    found
}

fn read_card(path: &Path, card: String) -> Option<Graphics> {
    let device = path.join("device");
    let event = fs::read_to_string(device.join("uevent")).ok()?;
    let driver = event.lines().find_map(|line| line.strip_prefix("DRIVER="))?.to_owned();
    let number = |file| fs::read_to_string(device.join(file)).ok()?.trim().parse().ok();
    let (memory, shared) = (number("mem_info_vram_total"), number("mem_info_gtt_total"));
    Some(Graphics { card, driver, memory, shared_memory: shared })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_CORES_FOUR_THREADS: &str = "\
processor\t: 0\nmodel name\t: Example 9\nphysical id\t: 0\ncore id\t\t: 0\n\n\
processor\t: 1\nmodel name\t: Example 9\nphysical id\t: 0\ncore id\t\t: 1\n\n\
processor\t: 2\nmodel name\t: Example 9\nphysical id\t: 0\ncore id\t\t: 0\n\n\
processor\t: 3\nmodel name\t: Example 9\nphysical id\t: 0\ncore id\t\t: 1\n";

    fn write(root: &Path, file: &str, text: &str) {
        let path = root.join(file);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folder");
        fs::write(path, text).expect("file");
    }

    #[test]
    fn another_machine_is_read_below_its_root() {
        let root = tempfile::tempdir().expect("folder");
        let root = root.path();
        write(root, "proc/cpuinfo", TWO_CORES_FOUR_THREADS);
        write(root, "proc/meminfo", "MemTotal:  2048 kB\nMemFree: 1 kB\nMemAvailable: 1024 kB\n");
        write(root, "sys/fs/cgroup/memory.max", "1048576\n");
        write(root, "sys/class/drm/card1/device/uevent", "DRIVER=amdgpu\nPCI_CLASS=30000\n");
        write(root, "sys/class/drm/card1/device/mem_info_vram_total", "536870912\n");
        write(root, "sys/class/drm/card1/device/mem_info_gtt_total", "66571993088\n");
        write(root, "sys/class/drm/card1-DP-1/status", "connected\n");
        let machine = Machine::read(root);
        assert_eq!(machine.processor.as_deref(), Some("Example 9"));
        assert_eq!(machine.physical_cores, Some(2));
        assert_eq!(machine.memory_total, Some(2 << 20));
        assert_eq!(machine.memory_available, Some(1 << 20));
        assert_eq!(machine.memory_limit, Some(1 << 20));
        let card = Graphics {
            card: "card1".to_owned(),
            driver: "amdgpu".to_owned(),
            memory: Some(512 << 20),
            shared_memory: Some(66_571_993_088),
        };
        assert_eq!(machine.graphics, [card]);
    }

    #[test]
    fn a_machine_that_says_nothing_is_still_described() {
        let root = tempfile::tempdir().expect("folder");
        write(root.path(), "sys/fs/cgroup/memory.max", "max\n");
        let machine = Machine::read(root.path());
        assert_eq!(machine.memory_total, None);
        assert_eq!(machine.memory_limit, None);
        assert!(machine.graphics.is_empty());
        assert!(machine.usable_threads >= 1);
    }

    #[test]
    fn this_process_has_used_memory() {
        assert!(peak_memory().is_some_and(|bytes| bytes > 0));
    }
}
