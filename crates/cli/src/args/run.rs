//! Options of `tyto run`, and how tokens are chosen.

use clap::Args;

use super::engine::EngineArgs;
use super::number;

/// Options of `tyto run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto run smollm2.tyto
  tyto run smollm2.tyto --prompt \"What is the capital of France?\"
  git diff | tyto run smollm2.tyto --system \"Summarise this change in one sentence.\"")]
pub struct RunArgs {
    /// The model and how to run it.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Answer this and end, instead of a chat.
    #[arg(short, long, value_name = "TEXT")]
    pub prompt: Option<String>,
    /// Instructions that come before the conversation.
    #[arg(long, value_name = "TEXT")]
    pub system: Option<String>,
    /// Longest answer in tokens.
    #[arg(short = 'n', long, value_name = "N")]
    pub max_tokens: Option<u32>,
    /// The same seed gives the same answer.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Do not print figures after an answer.
    #[arg(short, long)]
    pub quiet: bool,
    /// How to choose each token.
    #[command(flatten)]
    pub sampling: SamplingArgs,
}

/// Sampling values; what is left out comes from the model.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Sampling")]
pub struct SamplingArgs {
    /// 0 takes the most likely token; higher is more varied.
    #[arg(long, value_name = "T", value_parser = number::<0, 2>)]
    pub temperature: Option<f32>,
    /// Only the K most likely tokens; 0 keeps all.
    #[arg(long, value_name = "K")]
    pub top_k: Option<u32>,
    /// Only the most likely tokens that make up this share.
    #[arg(long, value_name = "P", value_parser = number::<0, 1>)]
    pub top_p: Option<f32>,
    /// Only tokens at least this fraction as likely as the most likely one.
    #[arg(long, value_name = "P", value_parser = number::<0, 1>)]
    pub min_p: Option<f32>,
    /// Above 1 makes tokens that were seen before less likely.
    #[arg(long, value_name = "R", value_parser = number::<0, 10>)]
    pub repetition_penalty: Option<f32>,
}
