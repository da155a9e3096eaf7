//! The command: see `docs/rocm-evidence.md`.

use anyhow::{Result, ensure};
use clap::Parser;
use tyto_rocm_evidence::report::{self, Model};
use tyto_rocm_evidence::step::PAGE;
use tyto_rocm_evidence::{kernels, measure, shapes};

/// Counts what GPU kernels read and run for published models, on the emulator.
#[derive(Parser)]
#[command(name = "rocm-evidence")]
struct Options {
    /// A model; may be given several times. Without it, all published ones.
    #[arg(long)]
    model: Vec<String>,
    /// Tokens that a sequence has in decode: a multiple of 16.
    #[arg(long, default_value_t = 512)]
    context: usize,
    /// Lengths of prompts: multiples of 16.
    #[arg(long, value_delimiter = ',', default_value = "128,512")]
    prompts: Vec<usize>,
    /// Threads of the emulator.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// JSON instead of tables.
    #[arg(long)]
    json: bool,
    /// Only the launches of one token with some layers and a small head, as they are planned: nothing
    /// is emulated.
    #[arg(long)]
    plan: bool,
    /// Also the launches of one run of layers: kernel, bytes read and written at least once, wave
    /// instructions, phase. On standard error.
    #[arg(long)]
    launches: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let lengths = options.prompts.iter().chain([&options.context]);
    for length in lengths {
        ensure!(*length > 0 && length.is_multiple_of(PAGE), "{length} is no multiple of {PAGE}");
    }
    let names: Vec<&str> = shapes::all().iter().map(|shape| shape.name).collect();
    for name in &options.model {
        ensure!(names.contains(&name.as_str()), "no model {name}; there are {}", names.join(", "));
    }
    let wanted = |shape: &shapes::Shape| match options.model.is_empty() {
        true => shape.name != "tiny",
        false => options.model.iter().any(|name| name == shape.name),
    };
    if options.plan {
        return shapes::all().iter().filter(|shape| wanted(shape)).try_for_each(|shape| {
            println!("{}\n{}", shape.name, measure::planned(shape, options.context)?);
            Ok(())
        });
    }
    let mut models = Vec::new();
    for shape in shapes::all().into_iter().filter(wanted) {
        models.push(model(shape, &options)?);
    }
    let kernels = kernels::all();
    if options.json {
        println!("{:#}", report::json(&models, &kernels, options.context));
    } else {
        print!("{}", report::text(&models, &kernels, options.context));
    }
    Ok(())
}

fn model(shape: shapes::Shape, options: &Options) -> Result<Model> {
    eprintln!("{}: a token", shape.name);
    let (token, launches) = measure::token(&shape, options.context, options.threads)?;
    if options.launches {
        launches.iter().for_each(|launch| eprintln!("  {launch}"));
    }
    let mut prompts = Vec::new();
    for tokens in &options.prompts {
        eprintln!("{}: a prompt of {tokens} tokens", shape.name);
        prompts.push(measure::prompt(&shape, *tokens, options.threads)?);
    }
    Ok(Model { shape, token, prompts })
}
