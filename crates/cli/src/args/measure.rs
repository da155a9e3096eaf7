//! Options of `tyto bench` and `tyto perplexity`.

use std::path::PathBuf;

use clap::Args;

use super::engine::EngineArgs;

/// Options of `tyto bench`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto bench smollm2.tyto
  tyto bench smollm2.tyto --threads 4 --prompt-tokens 512,2048 --generate-tokens 128 --json
  tyto bench smollm2.tyto -p 0 --depth 0,1800 --at-once 1,4")]
pub struct BenchArgs {
    /// The model and how to run it.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Lengths of prompts to read, in tokens; 0 leaves the test out.
    #[arg(short = 'p', long, value_name = "N,…", value_delimiter = ',', default_value = "512")]
    pub prompt_tokens: Vec<u32>,
    /// Lengths of answers to write, in tokens; 0 leaves the test out.
    #[arg(short = 'n', long, value_name = "N,…", value_delimiter = ',', default_value = "128")]
    pub generate_tokens: Vec<u32>,
    /// Tokens that a text has already when writing is measured.
    #[arg(short = 'd', long, value_name = "N,…", value_delimiter = ',', default_value = "0")]
    pub depth: Vec<u32>,
    /// Texts that are written at the same time; the speed is that of all together.
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        default_value = "1",
        value_parser = clap::value_parser!(u32).range(1..=1024)
    )]
    pub at_once: Vec<u32>,
    /// How often each test is run; the median counts.
    #[arg(short, long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub repetitions: u32,
    /// Also show where the time goes, by kernel. The tests then take a little longer.
    #[arg(long)]
    pub profile: bool,
    /// Print the results as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Options of `tyto perplexity`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto perplexity smollm2.tyto --file book.txt
  tyto perplexity smollm2.tyto --file book.txt --window 1024 --json")]
pub struct PerplexityArgs {
    /// The model and how to run it.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// The text, in UTF-8.
    #[arg(short, long, value_name = "FILE")]
    pub file: PathBuf,
    /// Tokens of a window: the text is cut into such, and the second half of each is scored.
    #[arg(short, long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u32).range(4..))]
    pub window: u32,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}
