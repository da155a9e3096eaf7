//! What the kernel says of this machine's AMD GPUs, without any driver's library.
//!
//! Everything is read as files below a root directory, `/` but in tests: sysfs for the GPUs and
//! their memory, the KFD's topology for their kinds, TTM's parameters for the limit of shared
//! memory, procfs for the host. From these follow the *pool* that weights and caches come from and
//! how much of it may be taken ([`Pool`]), and a list of what is known to go wrong ([`Finding`]).
//!
//! A file that is absent is `None`. One that is there and cannot be read, or holds something else
//! than expected, is `None` too and is named in [`Probe::unreadable`].

mod access;
mod finding;
mod gpu;
mod host;
mod kfd;
mod pool;
mod source;

use std::path::Path;

use serde::Serialize;

pub use access::{DeviceNode, Group, NodeAccess};
pub use finding::{Finding, Severity};
pub use gpu::Gpu;
pub use host::{Host, KernelVersion, TtmModule};
pub use pool::{NoPool, Pool, PoolKind, recommended_pages, size};
pub use source::Unreadable;

use source::Source;

/// Environment variables that change which GPU a driver opens, or what it takes it for.
const VARIABLES: [&str; 4] = [
    "HSA_OVERRIDE_GFX_VERSION",
    "ROCR_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "GPU_DEVICE_ORDINAL",
];

/// Everything that was read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Probe {
    /// AMD's GPUs in the order in which ROCm counts them: by KFD node, then those without one.
    pub gpus: Vec<Gpu>,
    /// The machine around them.
    pub host: Host,
    /// The device files that a program needs, and whether this one may open them.
    pub nodes: Vec<DeviceNode>,
    /// The groups that those files belong to, as far as distributions go.
    pub groups: Vec<Group>,
    /// Variables of the environment that change what drivers see, which are set.
    pub variables: Vec<(String, String)>,
    /// Files that are there and could not be used.
    pub unreadable: Vec<Unreadable>,
}

impl Probe {
    /// Reads below `root`; `variable` looks the environment up.
    pub fn read(root: &Path, variable: impl Fn(&str) -> Option<String>) -> Self {
        let source = Source::new(root);
        let gpus = gpu::read_all(&source);
        let host = Host::read(&source);
        let nodes = access::nodes(&source, &gpus);
        let groups = access::groups(&source);
        let set = |name: &str| Some((name.to_owned(), variable(name)?));
        let variables = VARIABLES.into_iter().filter_map(set).collect();
        Self { gpus, host, nodes, groups, variables, unreadable: source.unreadable() }
    }

    /// This machine and the process' own environment.
    pub fn of_this_machine(root: &Path) -> Self {
        Self::read(root, |name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    /// The GPU that a driver opened which calls it `kind` (`gfx1151`): the first of that kind.
    /// `None` if there is none, or if variables choose among several.
    pub fn gpu_of_kind(&self, kind: &str) -> Option<&Gpu> {
        let mut fitting = self.gpus.iter().filter(|gpu| gpu.kind.as_deref() == Some(kind));
        let first = fitting.next()?;
        let chosen_elsewhere = self.variables.iter().any(|(name, _)| name != VARIABLES[0]);
        (fitting.next().is_none() || !chosen_elsewhere).then_some(first)
    }

    /// The memory that weights and caches on `gpu` come from.
    pub fn pool(&self, gpu: &Gpu) -> Result<Pool, NoPool> {
        pool::decide(gpu, &self.host)
    }

    /// What is known to go wrong here, and what to do about it.
    pub fn findings(&self) -> Vec<Finding> {
        finding::all(self)
    }
}
