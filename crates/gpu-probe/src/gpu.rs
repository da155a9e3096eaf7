//! One GPU, as the kernel's graphics driver shows it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::kfd::{self, Node};
use crate::source::Source;

/// AMD's number among makers of PCI devices.
const AMD: u64 = 0x1002;

const CARDS: &str = "sys/class/drm";

/// GPUs that share the host's memory, by LLVM's names (its table of AMD's processors, column
/// "APU"). gfx942 is both: its MI300A has the PCI device number below.
const APU_KINDS: [&str; 12] = [
    "gfx902", "gfx909", "gfx90c", "gfx1013", "gfx1033", "gfx1035", "gfx1036", "gfx1103", "gfx1150",
    "gfx1151", "gfx1152", "gfx1153",
];

/// MI300A.
const APU_DEVICES: [u64; 1] = [0x74a0];

/// A GPU of AMD with the kernel driver `amdgpu`. Sizes are bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gpu {
    /// `card1`, as the kernel calls it.
    pub card: String,
    /// LLVM's name of its kind (`gfx1151`); `None` where the KFD does not know the GPU.
    pub kind: Option<String>,
    /// Its number in the KFD's topology, by which ROCm orders GPUs.
    pub kfd_node: Option<u32>,
    /// Its file below `/dev/dri`: `renderD128`.
    pub render_node: Option<String>,
    /// Its PCI device number.
    pub device: Option<u64>,
    /// Compute units.
    pub compute_units: Option<u32>,
    /// Whether its memory is the host's; `None` if its kind is not known.
    pub is_apu: Option<bool>,
    /// Memory of its own: of an APU the part that the firmware set aside.
    pub vram_total: Option<u64>,
    /// How much of it is taken, by everybody.
    pub vram_used: Option<u64>,
    /// The host's memory that it may map.
    pub gtt_total: Option<u64>,
    /// How much of it the graphics driver counts as taken. What HIP allocates is not in it
    /// (ROCm/legacy-rocm-build#5444), so free memory cannot be computed from it.
    pub gtt_used: Option<u64>,
    /// The memory that the KFD gives ROCm's libraries. An old kernel may give less than the GPU has.
    pub kfd_memory: Option<u64>,
    /// The version of its BIOS.
    pub vbios: Option<String>,
    /// Versions of its firmware, by the names of the kernel's files (`mes`, `mec`, `sdma`, …).
    pub firmware: BTreeMap<String, u64>,
}

/// All of them, in ROCm's order.
pub(crate) fn read_all(source: &Source) -> Vec<Gpu> {
    let nodes = kfd::gpu_nodes(source);
    let mut gpus: Vec<Gpu> = source
        .names(CARDS)
        .into_iter()
        .filter(|name| is_card(name))
        .filter_map(|card| read(source, card, &nodes))
        .collect();
    // The sort is stable: those without a node stay in the order of their cards.
    gpus.sort_by_key(|gpu| gpu.kfd_node.unwrap_or(u32::MAX));
    gpus
}

/// `card1`; `card1-HDMI-A-1` is a socket of it.
fn is_card(name: &str) -> bool {
    let number = name.strip_prefix("card").unwrap_or_default();
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
}

fn read(source: &Source, card: String, nodes: &[Node]) -> Option<Gpu> {
    let device = format!("{CARDS}/{card}/device");
    let file = |name: &str| format!("{device}/{name}");
    if source.hexadecimal(&file("vendor")) != Some(AMD) {
        return None;
    }
    let drm = source.names(&file("drm"));
    let render_node = drm.into_iter().find(|name| name.starts_with("renderD"));
    let minor = render_node.as_deref().and_then(|name| name.strip_prefix("renderD")?.parse().ok());
    let node = nodes.iter().find(|node| minor.is_some() && node.render_minor == minor);
    let number = source.hexadecimal(&file("device"));
    let kind = node.and_then(|node| node.kind.clone());
    let is_apu = kind.as_deref().map(|kind| is_apu(kind, number));
    Some(Gpu {
        kind,
        kfd_node: node.map(|node| node.number),
        render_node,
        device: number,
        compute_units: node.and_then(|node| node.compute_units),
        kfd_memory: node.and_then(|node| node.memory),
        is_apu,
        vram_total: source.number(&file("mem_info_vram_total")),
        vram_used: source.number(&file("mem_info_vram_used")),
        gtt_total: source.number(&file("mem_info_gtt_total")),
        gtt_used: source.number(&file("mem_info_gtt_used")),
        vbios: source.text(&file("vbios_version")),
        firmware: firmware(source, &file("fw_version")),
        card,
    })
}

fn is_apu(kind: &str, device: Option<u64>) -> bool {
    APU_KINDS.contains(&kind) || device.is_some_and(|device| APU_DEVICES.contains(&device))
}

/// Files `NAME_fw_version`, such as `0x00000083`.
fn firmware(source: &Source, directory: &str) -> BTreeMap<String, u64> {
    let version = |file: String| {
        let name = file.strip_suffix("_fw_version")?.to_owned();
        Some((name, source.hexadecimal(&format!("{directory}/{file}"))?))
    };
    source.names(directory).into_iter().filter_map(version).collect()
}
