//! Options of the commands about this machine.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::engine::{DeviceChoice, SystemArgs};

/// Options of `tyto doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// The machine that is looked at.
    #[command(flatten)]
    pub system: SystemArgs,
    /// Print the facts as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Options of `tyto verify`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto verify --device amdgpu
  tyto verify --device hip --report tyto-report     writes tyto-report.txt and tyto-report.json
  tyto verify model.tyto --device amdgpu --drill")]
pub struct VerifyArgs {
    /// An artifact to run; without it, a tiny model is compiled for the GPU.
    #[arg(value_name = "MODEL.tyto")]
    pub model: Option<PathBuf>,
    /// The driver to verify: amdgpu or hip.
    #[arg(long, value_enum, value_name = "DEVICE")]
    pub device: DeviceChoice,
    /// On a real GPU, too, see what faults do: a process ends itself while the GPU computes.
    #[arg(long)]
    pub drill: bool,
    /// Write the report into FILE.txt and FILE.json.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
    /// The machine that is looked at.
    #[command(flatten)]
    pub system: SystemArgs,
}

/// Options of `tyto completions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto completions bash > /etc/bash_completion.d/tyto
  tyto completions zsh > \"${fpath[1]}/_tyto\"
  tyto completions fish > ~/.config/fish/completions/tyto.fish")]
pub struct CompletionsArgs {
    /// The shell to write for.
    pub shell: Shell,
}
