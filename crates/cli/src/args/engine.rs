//! Options of everything that runs a model, and where and how it runs.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::seconds;
use crate::units::parse_bytes;

/// Options of everything that runs a model.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Engine")]
pub struct EngineArgs {
    /// An artifact, a directory whose name ends in .tyto; or a model directory, a .gguf file, or a
    /// hub's model as OWNER/NAME, which is compiled for this processor when it is used first.
    #[arg(value_name = "MODEL", help_heading = None)]
    pub model: PathBuf,
    /// Longest text in tokens, of a model that is compiled on first use.
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..))]
    pub ctx: Option<u32>,
    /// Ask no hub for models, as with HF_HUB_OFFLINE=1.
    #[arg(long)]
    pub offline: bool,
    /// Read every file of the artifact, and of a draft, and compare it with its hash before the model is
    /// loaded.
    #[arg(long)]
    pub verify: bool,
    /// Which of the artifact's targets to run; without it, the best for this machine.
    #[arg(long, value_name = "TARGET")]
    pub target: Option<String>,
    /// Where to run it. `auto` takes an AMD GPU that the artifact has code for, else the processor, and
    /// an NVIDIA GPU only where the artifact has code for nothing else.
    #[arg(long, value_enum, value_name = "DEVICE", default_value_t = DeviceChoice::Auto)]
    pub device: DeviceChoice,
    /// On the device amdgpu: keep recorded steps on the GPU (PM4), where code and GPU allow it.
    /// Experimental.
    #[arg(long)]
    pub pm4: bool,
    /// Worker threads; without it, one for each physical core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Memory for the key-value cache, as 512MiB or 4GiB.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, conflicts_with = "sequences")]
    pub cache: Option<u64>,
    /// Texts of full length that the cache holds; more, shorter ones run at the same time.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub sequences: Option<u32>,
    /// An artifact of a smaller model with the same tokenizer, which guesses what comes next; several
    /// guesses are checked in one step. Without it, what the text repeats is guessed.
    #[arg(long, value_name = "OUT.tyto")]
    pub draft: Option<PathBuf>,
    /// Whether to guess ahead of the model, and check several tokens in one step: `never`, `paid` where
    /// that is faster, or `always`. No answer changes by it. Without it `paid`; `bench` guesses only
    /// where it is told to, or has a draft.
    #[arg(long, value_enum, value_name = "WHEN")]
    pub speculate: Option<SpeculateChoice>,
    /// Copies of the states of recurrent layers that are kept, so that a prompt is continued where one
    /// like it was; 0 keeps none. Without it, 8. Other models need none.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=4096))]
    pub snapshots: Option<u32>,
    /// Seconds that a step may take before the device is taken for hung and the process ends; 0 waits
    /// for ever. Without it, 60 on a GPU and no limit on the processor.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub step_timeout: Option<Duration>,
    /// The same of loading the model; without it, 60 and one for every 64 MiB of weights on a GPU.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub load_timeout: Option<Duration>,
    /// MiB of weights that are on their way to a GPU at a time, as far as whole tensors allow.
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    pub max_inflight_mb: u32,
    /// Where a GPU reads weights: `copied` into memory of its own, or `mapped`, in the pages of the file,
    /// where kernels of ours run and the driver takes these; a processor always does that.
    /// Experimental.
    #[arg(long, value_enum, value_name = "WHERE", default_value_t = WeightsChoice::Copied)]
    pub weights: WeightsChoice,
    /// Most of a GPU's memory that the model may take, as 512MiB or 4GiB; more is refused.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub memory_limit: Option<u64>,
    /// The machine that is looked at.
    #[command(flatten)]
    pub system: SystemArgs,
}

/// The machine that is looked at.
#[derive(Debug, Clone, Args)]
pub struct SystemArgs {
    /// The directory below which the kernel's files (sys, proc, dev) are read; for tests.
    #[arg(long, value_name = "DIR", default_value = "/", hide = true)]
    pub system_root: PathBuf,
}

/// Devices that models run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DeviceChoice {
    /// A GPU that the artifact has code for, else the processor; says which and why.
    Auto,
    /// The processor.
    Cpu,
    /// An AMD GPU, through HSA queues.
    Amdgpu,
    /// An AMD GPU, through the HIP runtime.
    Hip,
    /// An NVIDIA GPU; experimental.
    Cuda,
}

/// Where a GPU reads weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WeightsChoice {
    /// In memory of its own.
    Copied,
    /// Where their file is mapped.
    Mapped,
}

/// When to guess ahead of the model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum SpeculateChoice {
    /// Never.
    Never,
    /// Where tokens come faster with guesses, by what steps take and how many guesses are right.
    #[default]
    Paid,
    /// Wherever there is something to guess, whatever it costs.
    Always,
}
