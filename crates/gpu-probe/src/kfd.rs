//! The topology that the kernel's compute driver (KFD) publishes: one node a processor or GPU.

use std::collections::HashMap;

use crate::source::Source;

const NODES: &str = "sys/class/kfd/kfd/topology/nodes";

/// A node that is a GPU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) number: u32,
    /// `gfx1151`.
    pub(crate) kind: Option<String>,
    pub(crate) compute_units: Option<u32>,
    /// The number in `/dev/dri/renderD128`.
    pub(crate) render_minor: Option<u64>,
    /// Bytes of its memory banks: what ROCm's libraries take for its memory.
    pub(crate) memory: Option<u64>,
}

/// Kinds of memory banks that are a GPU's: its frame buffer, seen by the host or not.
const FRAME_BUFFER: [u64; 2] = [1, 2];

/// The nodes with vector units, by number.
pub(crate) fn gpu_nodes(source: &Source) -> Vec<Node> {
    let mut numbers: Vec<u32> =
        source.names(NODES).iter().filter_map(|name| name.parse().ok()).collect();
    numbers.sort_unstable();
    numbers.into_iter().filter_map(|number| node(source, number)).collect()
}

fn node(source: &Source, number: u32) -> Option<Node> {
    let file = format!("{NODES}/{number}/properties");
    let text = source.text(&file)?;
    let properties = properties(&text);
    let get = |name: &str| properties.get(name).copied();
    let Some(vector_units) = get("simd_count") else {
        source.note(&file, "it has no simd_count".to_owned());
        return None;
    };
    if vector_units == 0 {
        return None; // A processor.
    }
    let of_one = get("simd_per_cu").filter(|count| *count > 0);
    let compute_units = of_one.and_then(|count| u32::try_from(vector_units / count).ok());
    let kind = get("gfx_target_version").and_then(kind);
    let memory = memory(source, number);
    Some(Node { number, kind, compute_units, render_minor: get("drm_render_minor"), memory })
}

/// Lines of a name and a decimal number.
fn properties(text: &str) -> HashMap<&str, u64> {
    let property = |line| {
        let (name, value) = str::split_once(line, ' ')?;
        Some((name, value.trim().parse().ok()?))
    };
    text.lines().filter_map(property).collect()
}

fn memory(source: &Source, number: u32) -> Option<u64> {
    let banks = format!("{NODES}/{number}/mem_banks");
    let size = |bank: String| {
        let text = source.text(&format!("{banks}/{bank}/properties"))?;
        let properties = properties(&text);
        let is_its = FRAME_BUFFER.contains(properties.get("heap_type")?);
        is_its.then(|| properties.get("size_in_bytes").copied())?
    };
    let sizes: Vec<u64> = source.names(&banks).into_iter().filter_map(size).collect();
    (!sizes.is_empty()).then(|| sizes.into_iter().fold(0, u64::saturating_add))
}

/// `gfx1151` of 110501: two decimal digits each of major version, minor version and stepping.
/// LLVM writes minor version and stepping as one hexadecimal digit each.
fn kind(version: u64) -> Option<String> {
    let (major, minor, stepping) = (version / 10_000, version / 100 % 100, version % 100);
    let fits = (1..100).contains(&major) && minor < 16 && stepping < 16;
    fits.then(|| format!("gfx{major}{minor:x}{stepping:x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_llvms_name() {
        for (version, name) in [
            (110_501, "gfx1151"),
            (110_000, "gfx1100"),
            (120_001, "gfx1201"),
            (90_402, "gfx942"),
            (90_010, "gfx90a"),
            (90_500, "gfx950"),
        ] {
            assert_eq!(kind(version).as_deref(), Some(name));
        }
        assert_eq!(kind(0), None, "a processor's");
        assert_eq!(kind(119_901), None);
    }
}
