//! The report: what happened on the device, as JSON.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

use serde_json::{Map, Value, json};
use tyto_rdna_emu::{Class, Counts};

use super::{Device, lock};

/// Counts by name: calls of the host, packets of queues.
#[derive(Debug, Default)]
pub struct Calls {
    counts: Mutex<BTreeMap<(&'static str, &'static str), u64>>,
}

impl Calls {
    /// Counts one of a group, like `hsa` or `packets`.
    pub fn count(&self, group: &'static str, name: &'static str) {
        self.add(group, name, 1);
    }

    /// Counts several.
    pub fn add(&self, group: &'static str, name: &'static str, number: u64) {
        *lock(&self.counts).entry((group, name)).or_default() += number;
    }

    /// The count of one name.
    pub fn of(&self, group: &'static str, name: &'static str) -> u64 {
        lock(&self.counts).get(&(group, name)).copied().unwrap_or(0)
    }

    /// All counts: group, name, count.
    pub fn all(&self) -> Vec<(&'static str, &'static str, u64)> {
        lock(&self.counts).iter().map(|((group, name), count)| (*group, *name, *count)).collect()
    }
}

/// Counts as JSON.
pub fn counts(counts: &Counts) -> Value {
    let classes: Map<String, Value> = Class::ALL
        .iter()
        .map(|class| (class.name().to_owned(), counts.of(*class).into()))
        .collect();
    json!({
        "launches": counts.launches,
        "workgroups": counts.workgroups,
        "waves": counts.waves,
        "instructions": counts.total(),
        "by_class": classes,
        "read_bytes": counts.read_bytes,
        "written_bytes": counts.written_bytes,
        "unique_read_bytes": counts.unique_read_bytes,
        "unique_written_bytes": counts.unique_written_bytes,
        "lds_bank_conflicts": counts.bank_conflicts,
    })
}

/// The whole report.
fn report(device: &Device) -> Value {
    let kernels: Map<String, Value> =
        device.counters.kernels().iter().map(|(name, sum)| (name.clone(), counts(sum))).collect();
    let mut calls: Map<String, Value> = Map::new();
    for (group, name, count) in device.calls.all() {
        let group = calls.entry(group).or_insert_with(|| json!({}));
        group[name] = count.into();
    }
    let budget = device.heap.budget();
    json!({
        "device": {
            "gfx": device.config.gfx,
            "compute_units": device.config.compute_units,
            "memory_bytes": budget.total(),
            "most_used_bytes": budget.most(),
            "lost": device.is_lost(),
        },
        "has_details": device.config.options.details,
        "total": counts(&device.counters.total()),
        "kernels": kernels,
        "calls": calls,
    })
}

/// Writes the report beside its place, and then puts it there.
pub fn write(device: &Device, path: &Path) -> std::io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let temporary = path.with_file_name(name);
    let text = serde_json::to_vec_pretty(&report(device))?;
    let mut file = std::fs::File::create(&temporary)?;
    file.write_all(&text)?;
    file.sync_all()?;
    std::fs::rename(&temporary, path)
}
