//! Options of the commands that load, show and remove models.

use std::path::PathBuf;

use clap::Args;

/// Options of `tyto pull`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto pull HuggingFaceTB/SmolLM2-135M-Instruct
  tyto pull Qwen/Qwen3-0.6B@main
  tyto pull bartowski/SmolLM2-135M-Instruct-GGUF:Q4_K_M

HF_ENDPOINT names another hub, HF_TOKEN is the token for models that are not for everyone, and
TYTO_HOME the folder for models.")]
pub struct PullArgs {
    /// OWNER/NAME; then @REVISION, and of a repository of GGUF files which one, as :FILE or :Q4_K_M.
    pub name: String,
    /// Only say whether it is here already.
    #[arg(long)]
    pub offline: bool,
}

/// Options of `tyto list`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto list
  tyto list --json | jq .models")]
pub struct ListArgs {
    /// Print the facts as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Options of `tyto rm`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto rm Qwen/Qwen3-0.6B
  tyto rm bartowski/SmolLM2-135M-Instruct-GGUF:Q4_K_M
  tyto rm --compiled")]
pub struct RemoveArgs {
    /// OWNER/NAME, every revision and file of it; or with @REVISION or :FILE only that.
    #[arg(required_unless_present = "compiled")]
    pub names: Vec<String>,
    /// Remove all that was compiled on first use.
    #[arg(long)]
    pub compiled: bool,
}

/// Options of `tyto inspect`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto inspect smollm2.tyto
  tyto inspect smollm2.tyto --verify
  tyto inspect smollm2.tyto --json | jq .memory")]
pub struct InspectArgs {
    /// The artifact, a directory whose name ends in .tyto.
    #[arg(value_name = "MODEL.tyto")]
    pub model: PathBuf,
    /// Read every file and compare it with its hash.
    #[arg(long)]
    pub verify: bool,
    /// Print the facts as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Options of `tyto arch`.
#[derive(Debug, Args)]
pub struct ArchArgs {
    /// One architecture, by its name, its `model_type` or its name in `architectures`.
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Print the table as JSON.
    #[arg(long)]
    pub json: bool,
}
