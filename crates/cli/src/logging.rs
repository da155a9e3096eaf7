//! Log lines, on standard error.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::args::{Cli, Command, LogFormat};

/// Starts logging. `TYTO_LOG` decides in detail what is logged; without it, `-v` does.
pub fn start(cli: &Cli) {
    let serves = matches!(cli.command, Command::Serve(_));
    let level = match (cli.verbose, serves) {
        (0, false) => "warn",
        (0, true) | (1, false) => "info",
        (1, true) | (2, _) => "debug",
        _ => "trace",
    };
    let filter = EnvFilter::try_from_env("TYTO_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let json = matches!(&cli.command, Command::Serve(args) if args.log_format == LogFormat::Json);
    let colour = std::io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(colour);
    if json { lines.json().init() } else { lines.init() }
}
