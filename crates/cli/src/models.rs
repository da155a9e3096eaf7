//! `tyto pull`, `list` and `rm`: models from a hub, and what was compiled of them.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value, json};
use tyto_store::{HubName, Store, StoredModel};

use crate::args::{ListArgs, PullArgs, RemoveArgs};
use crate::compiled::{self, Compiled};
use crate::error::Error;
use crate::source;
use crate::units::bytes;

/// Runs `tyto pull`.
pub fn pull(args: &PullArgs) -> Result<(), Error> {
    let store = Store::of_user().map_err(Error::user_from)?;
    let name = args.name.parse::<HubName>().map_err(Error::user_from)?;
    let model = source::pull(&store, &name, args.offline)?;
    let mut output = anstream::stdout().lock();
    writeln!(output, "{name}: {} in {}", bytes(model.bytes()), model.path.display())?;
    Ok(())
}

/// Runs `tyto list`.
pub fn list(args: &ListArgs) -> Result<(), Error> {
    let store = Store::of_user().map_err(Error::user_from)?;
    let models = store.list().map_err(Error::user_from)?;
    let compiled = compiled::list()?;
    let mut output = anstream::stdout().lock();
    if args.json {
        let models: Vec<Value> = models.iter().map(model_facts).collect();
        let compiled: Vec<Value> = compiled.iter().map(compiled_facts).collect();
        let all = json!({"folder": store.root(), "models": models, "compiled": compiled});
        writeln!(output, "{all:#}")?;
        return Ok(());
    }
    Ok(print(&store, &models, &compiled, &mut output)?)
}

/// Runs `tyto rm`.
pub fn remove(args: &RemoveArgs) -> Result<(), Error> {
    let mut output = anstream::stdout().lock();
    if args.compiled {
        let count = compiled::remove(|_| true)?;
        writeln!(output, "removed {count} compiled models")?;
    }
    let store = Store::of_user().map_err(Error::user_from)?;
    for name in &args.names {
        let name = name.parse::<HubName>().map_err(Error::user_from)?;
        // Before their models, by whose paths they are known. Paths are compared as they really
        // are: the folder of the store may be a link.
        let models = store.list().map_err(Error::user_from)?;
        let paths = models.iter().filter_map(|model| model.path.canonicalize().ok());
        let before: Vec<_> = paths.collect();
        let removed = store.remove(&name).map_err(Error::user_from)?;
        let is_gone =
            |compiled: &Compiled| before.contains(&compiled.source) && !compiled.source.exists();
        let count = compiled::remove(is_gone)?;
        let size = bytes(removed.iter().map(StoredModel::bytes).sum());
        writeln!(output, "{name}: removed {size}, and {count} compiled from it")?;
    }
    Ok(())
}

fn print(
    store: &Store,
    models: &[StoredModel],
    compiled: &[Compiled],
    output: &mut impl Write,
) -> io::Result<()> {
    if models.is_empty() && compiled.is_empty() {
        let root = store.root().display();
        return writeln!(output, "no models in {root}: `tyto pull OWNER/NAME` loads one");
    }
    for model in models {
        let commit: String = model.commit.chars().take(12).collect();
        writeln!(output, "{:>9}  {}  {commit}", bytes(model.bytes()), model.name)?;
    }
    for Compiled { source, artifact, .. } in compiled {
        let size = bytes(size_of(artifact));
        writeln!(output, "{size:>9}  compiled from {}", source.display())?;
    }
    writeln!(output, "in {}", store.root().display())
}

fn model_facts(model: &StoredModel) -> Value {
    json!({
        "name": model.name.to_string(),
        "commit": model.commit,
        "path": model.path,
        "bytes": model.bytes(),
        "pulled": model.pulled,
        "files": model.files,
    })
}

fn compiled_facts(compiled: &Compiled) -> Value {
    let Compiled { source, artifact, .. } = compiled;
    json!({"source": source, "artifact": artifact, "bytes": size_of(artifact)})
}

/// The bytes of all files in a folder; those that cannot be looked at count nothing.
fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(facts) if facts.is_dir() => size_of(&entry.path()),
        Ok(facts) => facts.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}
