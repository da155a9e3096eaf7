//! `tyto arch`: which architectures there are, and what each was proven with.

use std::io::{self, Write};

use tyto_compile::{Architecture, architectures};

use crate::args::ArchArgs;
use crate::error::Error;
use crate::table::line;

/// Runs the command.
pub fn run(args: &ArchArgs) -> Result<(), Error> {
    let all = match &args.name {
        None => architectures(),
        Some(name) => vec![named(name)?],
    };
    let mut output = anstream::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut output, &all).map_err(io::Error::from)?;
        writeln!(output)?;
    } else if let (Some(_), [architecture]) = (&args.name, &all[..]) {
        details(architecture, &mut output)?;
    } else {
        list(&all, &mut output)?;
    }
    Ok(())
}

/// By our name, a `model_type`, or an entry of `architectures`.
fn named(name: &str) -> Result<Architecture, Error> {
    let is = |row: &Architecture| {
        row.name == name || row.model_types.contains(&name) || row.architectures.contains(&name)
    };
    architectures().into_iter().find(is).ok_or_else(|| {
        Error::user(format!(
            "no architecture is called {name:?}: `tyto arch` lists those that are known by name; `model_type` and \
             `architectures` of a config.json do as well"
        ))
    })
}

fn list(all: &[Architecture], output: &mut impl Write) -> io::Result<()> {
    let width = all.iter().map(|row| row.name.len()).max().unwrap_or(0);
    for row in all {
        writeln!(output, "{:<width$}  {:<10} {}", row.name, row.group, summary(row))?;
    }
    writeln!(output, "\n{} architectures; `tyto arch NAME` shows one", all.len())
}

/// What it was proven with, in a few words.
fn summary(row: &Architecture) -> String {
    let proof = &row.proof;
    let mut parts = vec![format!("error {:.0e}", proof.error)];
    let counted = [
        (&proof.fixtures, "fixtures"),
        (&proof.quantized, "in blocks"),
        (&proof.cpu, "compiled for a CPU"),
        (&proof.gfx1151, "for gfx1151"),
    ];
    let counted = counted.into_iter().filter(|(list, _)| !list.is_empty());
    parts.extend(counted.map(|(list, what)| format!("{} {what}", list.len())));
    parts.join(", ")
}

fn details(row: &Architecture, output: &mut impl Write) -> io::Result<()> {
    let proof = &row.proof;
    line(output, "name", &format!("{} ({})", row.name, row.group))?;
    line(output, "config", &format!("model_type {}", row.model_types.join(", ")))?;
    line(output, "", &format!("architectures {}", row.architectures.join(", ")))?;
    let error = format!("largest error {:.1e} of the largest logit, in f32", proof.error);
    line(output, "proof", &format!("{}; {error}", proof.fixtures.join(", ")))?;
    for (list, what) in [
        (&proof.quantized, "in blocks"),
        (&proof.cpu, "compiled for a CPU"),
        (&proof.gfx1151, "compiled for gfx1151, emulated"),
    ] {
        if !list.is_empty() {
            line(output, "", &format!("{what}: {}", list.join(", ")))?;
        }
    }
    line(output, "fields", &proof.fields.join(", "))
}
