//! The command `tyto`: compile, run, serve, bench, pull, list, rm, inspect, doctor, verify.
//!
//! One module for each subcommand; `args` defines every option, [`Error`] decides the exit
//! code. Results go to standard output, everything else to standard error.

#[cfg(feature = "compile")]
mod arch;
mod args;
#[cfg(feature = "compile")]
mod auto_target;
mod bench;
#[cfg(feature = "compile")]
mod compile;
mod compiled;
mod conversation;
mod doctor;
mod error;
mod graphics;
mod inspect;
mod interrupt;
mod logging;
mod machine;
mod model;
mod models;
mod perplexity;
mod progress;
mod run;
mod serve;
mod source;
mod table;
mod units;
mod verify;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

pub use args::{Cli, Command};
pub use error::Error;

/// What a build without the compiler says where one is needed.
#[cfg(not(feature = "compile"))]
pub(crate) const NO_COMPILER: &str = "this build of tyto has no compiler: it was built with --no-default-features, to serve \
     only. Compile the model with a full build, and copy the artifact here";

/// Parses the command line, runs the command, and gives the exit code.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    logging::start(&cli);
    let code = match run(&cli) {
        Ok(()) => 0,
        Err(error) => error.report(),
    };
    if tyto_engine::ends_without_destructors() {
        // What cannot be flushed has no reader any more.
        let _ = std::io::stdout().flush();
        tyto_iree_rt::exit_without_destructors(code);
    }
    ExitCode::from(code)
}

/// Runs one command.
pub fn run(cli: &Cli) -> Result<(), Error> {
    match &cli.command {
        #[cfg(feature = "compile")]
        Command::Compile(args) => compile::run(args),
        #[cfg(not(feature = "compile"))]
        Command::Compile(_) => Err(Error::user(NO_COMPILER)),
        #[cfg(feature = "compile")]
        Command::Arch(args) => arch::run(args),
        #[cfg(not(feature = "compile"))]
        Command::Arch(_) => Err(Error::user(NO_COMPILER)),
        Command::Run(args) => run::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Perplexity(args) => perplexity::run(args),
        Command::Pull(args) => models::pull(args),
        Command::List(args) => models::list(args),
        Command::Rm(args) => models::remove(args),
        Command::Inspect(args) => inspect::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Completions(args) => completions(args),
    }
}

/// Into memory first: the generator panics when a pipe closes.
fn completions(args: &args::CompletionsArgs) -> Result<(), Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tyto", &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}
