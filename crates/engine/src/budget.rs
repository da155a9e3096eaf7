//! Whether a model fits on a GPU, decided before anything is put there.

use tyto_artifact::{Artifact, MemoryNeeded, Target};
use tyto_gpu_probe::{Pool, PoolKind, Probe, size};

/// What a GPU's memory has room for, and who says so. Sizes are bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceMemory {
    /// What the kernel's files give, where they know the GPU.
    pub pool: Option<Pool>,
    /// What the GPU's driver says it has, in use or not.
    pub driver: Option<u64>,
    /// The host's memory that was available when this was read.
    pub host_available: Option<u64>,
    /// What the user lets a model take.
    pub limit: Option<u64>,
}

impl DeviceMemory {
    /// Of the GPU that a driver opened, which calls it `kind` and says that it has so much memory.
    pub fn of(probe: &Probe, kind: &str, driver: Option<u64>) -> Self {
        let pool = probe.gpu_of_kind(kind).and_then(|gpu| probe.pool(gpu).ok());
        Self { pool, driver, host_available: probe.host.memory_available, limit: None }
    }

    /// What a model may take: the smaller of what is known; `None` if nothing is.
    pub fn budget(&self) -> Option<u64> {
        let pool = self.pool.as_ref().map(|pool| pool.budget);
        pool.into_iter().chain(self.driver).chain(self.limit).min()
    }

    /// Where the budget comes from, in words.
    pub fn reasons(&self) -> String {
        let mut reasons = Vec::new();
        if let Some(pool) = &self.pool {
            reasons.push(format!("{} of {}", pool.kind.name(), size(pool.total)));
            reasons.extend(pool.reasons.iter().cloned());
        }
        let budget = self.budget();
        if let Some(driver) = self.driver.filter(|driver| Some(*driver) == budget) {
            reasons.push(format!("the driver says that it has {}", size(driver)));
        }
        if let Some(limit) = self.limit.filter(|limit| Some(*limit) == budget) {
            reasons.push(format!("--memory-limit is {}", size(limit)));
        }
        reasons.join("; ")
    }

    /// A warning where the host is short of memory now, though the budget would allow the model.
    /// It is no refusal: what is available changes, and file systems hold some of it.
    fn shortage(&self, needed: u64) -> Option<String> {
        let pool = self.pool.as_ref().filter(|pool| pool.kind == PoolKind::Gtt)?;
        let available = self.host_available?;
        (needed.saturating_add(pool.host_share) > available).then(|| {
            format!(
                "the host has {} available now, and the model takes {} of it: the system may end \
                 programs. Close others first",
                size(available),
                size(needed)
            )
        })
    }
}

/// Compares what a target needs with the GPU's memory. The error is the sums, and what would fit.
pub(crate) fn check(
    artifact: &Artifact,
    target: &Target,
    memory: &DeviceMemory,
    snapshots: usize,
) -> Result<(), String> {
    let blocks = artifact.manifest().model.default_blocks;
    let need = artifact.memory_needed(target, blocks).with_snapshots(target, snapshots);
    let Some(budget) = memory.budget() else {
        tracing::warn!(target = target.name, "the GPU's memory is not known: nothing is compared");
        return Ok(());
    };
    let needed = need.total_bytes();
    if needed > budget {
        let remedy = remedy(artifact, target, &need, budget);
        return Err(format!("{}\n{remedy}", sums(artifact, target, &need, memory, budget)));
    }
    if let Some(shortage) = memory.shortage(needed) {
        tracing::warn!("{shortage}");
    }
    let MemoryNeeded { weights_bytes, kv_bytes, snapshot_bytes, workspace_bytes } = need;
    let parts = [weights_bytes, kv_bytes, snapshot_bytes, workspace_bytes].map(size);
    let [weights, cache, states, workspace] = parts;
    let (needed, budget) = (size(needed), size(budget));
    tracing::info!(target = target.name, weights, cache, states, workspace, needed, budget, "fits");
    Ok(())
}

fn sums(
    artifact: &Artifact,
    target: &Target,
    need: &MemoryNeeded,
    memory: &DeviceMemory,
    budget: u64,
) -> String {
    let model = &artifact.manifest().model;
    let blocks = target.cache_blocks.unwrap_or(model.default_blocks);
    let tokens = blocks.saturating_sub(1) * model.block_size;
    let line = |name: &str, bytes: u64| format!("  {name:<9} {:>10}", size(bytes));
    let states = format!("{} (--snapshots)", line("states", need.snapshot_bytes));
    let lines = [
        Some(format!("target {} does not fit on this GPU; nothing was loaded:", target.name)),
        Some(line("weights", need.weights_bytes)),
        Some(format!("{} for {tokens} tokens", line("cache", need.kv_bytes))),
        (need.snapshot_bytes > 0).then_some(states),
        Some(line("workspace", need.workspace_bytes)),
        Some(line("needed", need.total_bytes())),
        Some(format!("{} ({})", line("available", budget), memory.reasons())),
    ];
    lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// The options of `tyto compile` with which the model would fit.
fn remedy(artifact: &Artifact, target: &Target, need: &MemoryNeeded, budget: u64) -> String {
    let model = &artifact.manifest().model;
    let room = budget.saturating_sub(need.total_bytes() - need.kv_bytes);
    let blocks = target.cache_blocks.unwrap_or(model.default_blocks).max(1) as u64;
    let block = (need.kv_bytes / blocks).max(1);
    let fitting = (room / block).saturating_sub(1) as usize;
    let of_one_text = model.context_length.div_ceil(model.block_size).max(1);
    if let Some(sequences) = Some(fitting / of_one_text).filter(|sequences| *sequences > 0) {
        return format!("Compile it with --sequences {sequences}: that cache fits");
    }
    let narrower = |bytes: u64| (room / (block * bytes / 4)).saturating_sub(1) as usize;
    if model.kv_dtype == "f32" && narrower(2) >= of_one_text {
        return "Compile it with --sequences 1 --kv-dtype f16: that cache fits".to_owned();
    }
    match fitting * model.block_size {
        0 | 1 => {
            "Its weights alone do not fit: compile it with --quantize q4_0, or take a smaller \
                  model; `tyto doctor` says whether the GPU may have more memory"
                .to_owned()
        }
        tokens => format!("Compile it with --sequences 1 --ctx {tokens}: that cache fits"),
    }
}
