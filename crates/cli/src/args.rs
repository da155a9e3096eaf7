//! The command line: every option once, with its help. `clap` makes completions from it, too.

mod compile;
mod engine;
mod machine;
mod measure;
mod models;
mod run;
mod serve;

use std::time::Duration;

use clap::{Parser, Subcommand};

pub use compile::CompileArgs;
#[cfg(feature = "compile")]
pub use compile::{BlockType, CacheType, FloatType, KernelUse};
pub use engine::{DeviceChoice, EngineArgs, SpeculateChoice, WeightsChoice};
pub use machine::{CompletionsArgs, DoctorArgs, VerifyArgs};
pub use measure::{BenchArgs, PerplexityArgs};
pub use models::{ArchArgs, InspectArgs, ListArgs, PullArgs, RemoveArgs};
pub use run::{RunArgs, SamplingArgs};
pub use serve::{LogFormat, ServeArgs};

/// Compile language models and run them on this machine.
#[derive(Debug, Parser)]
#[command(name = "tyto", version, propagate_version = true, styles = STYLES, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Say more on standard error; twice for everything. TYTO_LOG sets it in detail.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

const STYLES: clap::builder::Styles = {
    use clap::builder::styling::{AnsiColor, Styles};
    Styles::styled()
        .header(AnsiColor::Green.on_default().bold())
        .usage(AnsiColor::Green.on_default().bold())
        .literal(AnsiColor::Cyan.on_default().bold())
        .placeholder(AnsiColor::Cyan.on_default())
};

const EXAMPLES: &str = "\
Examples:
  tyto compile models/SmolLM2 -o smollm2.tyto   compile a model directory
  tyto run smollm2.tyto                         chat with it
  tyto serve smollm2.tyto --port 8080           serve it to OpenAI clients
  tyto bench smollm2.tyto                       measure it
  tyto run Qwen/Qwen3-0.6B                      load, compile and chat with a hub's model
  tyto doctor                                   see what this machine can do";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compile a model directory or a .gguf file to an artifact.
    Compile(CompileArgs),
    /// Chat with a model in the terminal, or answer one prompt.
    Run(RunArgs),
    /// Serve a model over HTTP, with OpenAI's API.
    Serve(ServeArgs),
    /// Measure how fast a model reads prompts and writes text.
    Bench(BenchArgs),
    /// Measure how well a model foretells a text (perplexity), to compare formats and quantizations.
    Perplexity(PerplexityArgs),
    /// Load a model from a hub.
    Pull(PullArgs),
    /// Show the models that were loaded, and what was compiled of them.
    List(ListArgs),
    /// Remove models that were loaded, with what was compiled of them.
    Rm(RemoveArgs),
    /// Show what is inside an artifact and the memory that it needs.
    Inspect(InspectArgs),
    /// List the architectures that can be compiled, and what each was proven with.
    Arch(ArchArgs),
    /// Show what this machine can do and what is missing.
    Doctor(DoctorArgs),
    /// Check that a GPU computes what the processor computes; write a report.
    Verify(VerifyArgs),
    /// Print a completion script for a shell.
    Completions(CompletionsArgs),
}

/// A number of seconds, with or without decimals.
fn seconds(text: &str) -> Result<Duration, String> {
    let expected = || "expected a number of seconds, 0 or more".to_owned();
    let number: f64 = text.parse().map_err(|_| expected())?;
    Duration::try_from_secs_f64(number).map_err(|_| expected())
}

/// A number from `LOW` to `HIGH`.
fn number<const LOW: i32, const HIGH: i32>(text: &str) -> Result<f32, String> {
    let expected = || format!("expected a number from {LOW} to {HIGH}");
    let value: f32 = text.parse().map_err(|_| expected())?;
    let fits = (LOW as f32..=HIGH as f32).contains(&value);
    if fits { Ok(value) } else { Err(expected()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn numbers_have_ranges() {
        assert_eq!(number::<0, 2>("0.7"), Ok(0.7));
        for bad in ["-0.1", "2.1", "NaN", "warm"] {
            assert!(number::<0, 2>(bad).is_err(), "{bad}");
        }
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["-1", "NaN", "inf", "soon"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
