//! Facts as lines of a name and a text.

use std::io::{self, Write};

/// Writes one line; an empty name continues the one before.
pub fn line(output: &mut impl Write, name: &str, text: &str) -> io::Result<()> {
    let style = clap::builder::styling::Style::new().bold();
    writeln!(output, "{style}{name:<10}{style:#}  {text}")
}
