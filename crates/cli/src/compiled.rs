//! Artifacts of models that were named in an artifact's place: compiled once, found again by what
//! is in the model's files.

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(feature = "compile")]
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use tyto_artifact::Artifact;
use tyto_store::Store;

use crate::args::{DeviceChoice, EngineArgs};
use crate::error::Error;

/// What is known of a model without reading its weights. The artifact is right as long as this is.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Note {
    /// The model directory or file.
    source: PathBuf,
    /// Name, size and time of change, in nanoseconds since 1970, of each of its files.
    files: Vec<(String, u64, u128)>,
    /// The same of the program that compiled it.
    program: (u64, u128),
    artifact: PathBuf,
}

/// A model that was compiled on first use.
#[derive(Debug)]
pub struct Compiled {
    /// The model directory or file.
    pub source: PathBuf,
    /// Its artifact.
    pub artifact: PathBuf,
    note: PathBuf,
}

/// The artifact of a model directory or a GGUF file, compiled if need be.
pub fn artifact(source: &Path, args: &EngineArgs) -> Result<PathBuf, Error> {
    let source = source.canonicalize().map_err(|error| wrong(source, &error))?;
    let wants_gpu = !matches!(args.device, DeviceChoice::Auto | DeviceChoice::Cpu);
    if args.target.is_some() || wants_gpu {
        let source = source.display();
        return Err(Error::user(format!(
            "a model that is compiled on first use is compiled for this processor: for another \
             target use `tyto compile {source} -o NAME.tyto --target TARGET` and name that"
        )));
    }
    let folder = folder()?;
    let key = blake3::hash(format!("{}\n{:?}", source.display(), args.ctx).as_bytes());
    let note_path = folder.join(format!("{}.json", &key.to_hex()[..32]));
    let (files, program) = (files(&source)?, stamp(&program()?)?);
    if let Some(note) = read_note(&note_path)
        && (note.source == source && note.files == files && note.program == program)
        && Artifact::open(&note.artifact).is_ok()
    {
        return Ok(note.artifact);
    }
    fs::create_dir_all(&folder).map_err(|error| wrong(&folder, &error))?;
    let artifact = folder.join(format!("{}-{}.tyto", stem(&source), content(&source, args)?));
    compile(&source, &artifact, args)?;
    let note = Note { source, files, program, artifact };
    let text = serde_json::to_vec_pretty(&note).expect("a note is plain JSON");
    fs::write(&note_path, text).map_err(|error| wrong(&note_path, &error))?;
    Ok(note.artifact)
}

/// Everything that was compiled on first use and is still there.
pub fn list() -> Result<Vec<Compiled>, Error> {
    let folder = folder()?;
    let Ok(entries) = fs::read_dir(&folder) else { return Ok(Vec::new()) };
    let compiled = |path: PathBuf| {
        let note = read_note(&path)?;
        let there = note.artifact.is_dir() && note.artifact.starts_with(&folder);
        there.then_some(Compiled { source: note.source, artifact: note.artifact, note: path })
    };
    let mut all: Vec<Compiled> =
        entries.flatten().filter_map(|entry| compiled(entry.path())).collect();
    all.sort_by(|a, b| a.source.cmp(&b.source));
    Ok(all)
}

/// Removes the artifacts of the models that `is_meant` says, and gives how many there were.
pub fn remove(is_meant: impl Fn(&Compiled) -> bool) -> Result<usize, Error> {
    let (meant, others): (Vec<Compiled>, Vec<Compiled>) = list()?.into_iter().partition(is_meant);
    for compiled in &meant {
        fs::remove_file(&compiled.note).map_err(|error| wrong(&compiled.note, &error))?;
        // Two models of one content share an artifact.
        let is_shared = others.iter().any(|other| other.artifact == compiled.artifact);
        if !is_shared && compiled.artifact.is_dir() {
            let path = &compiled.artifact;
            fs::remove_dir_all(path).map_err(|error| wrong(path, &error))?;
        }
    }
    Ok(meant.len())
}

fn folder() -> Result<PathBuf, Error> {
    Ok(Store::of_user().map_err(Error::user_from)?.root().join("artifacts"))
}

fn program() -> Result<PathBuf, Error> {
    std::env::current_exe().map_err(Error::ours)
}

/// In a process of its own, which Ctrl-C ends in order, and whose memory goes with it.
#[cfg(feature = "compile")]
fn compile(source: &Path, artifact: &Path, args: &EngineArgs) -> Result<(), Error> {
    anstream::eprintln!("compiling {} for this machine; this is done once", source.display());
    let mut command = Command::new(program()?);
    command.arg("compile").arg(source).arg("-o").arg(artifact);
    if let Some(tokens) = args.ctx {
        command.args(["--ctx", &tokens.to_string()]);
    }
    let status =
        command.stdin(Stdio::null()).stdout(Stdio::null()).status().map_err(Error::ours)?;
    match status.code() {
        Some(0) => Ok(()),
        Some(130) | None => Err(Error::Interrupted),
        Some(_) => Err(Error::user(format!("{} could not be compiled", source.display()))),
    }
}

#[cfg(not(feature = "compile"))]
fn compile(_: &Path, _: &Path, _: &EngineArgs) -> Result<(), Error> {
    Err(Error::user(crate::NO_COMPILER))
}

/// A name for what the model's files hold, and for how it is compiled.
fn content(source: &Path, args: &EngineArgs) -> Result<String, Error> {
    let mut all = blake3::Hasher::new();
    all.update(format!("{:?}\n", args.ctx).as_bytes());
    for path in paths(source)? {
        let mut hasher = blake3::Hasher::new();
        hasher.update_mmap_rayon(&path).map_err(|error| wrong(&path, &error))?;
        all.update(path.file_name().unwrap_or_default().as_encoded_bytes());
        all.update(hasher.finalize().as_bytes());
    }
    Ok(all.finalize().to_hex()[..16].to_owned())
}

fn files(source: &Path) -> Result<Vec<(String, u64, u128)>, Error> {
    let file = |path: &PathBuf| {
        let (bytes, changed) = stamp(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, bytes, changed))
    };
    paths(source)?.iter().map(file).collect()
}

/// The model's files in the order of their names.
fn paths(source: &Path) -> Result<Vec<PathBuf>, Error> {
    if !source.is_dir() {
        return Ok(vec![source.to_owned()]);
    }
    let entries = fs::read_dir(source).map_err(|error| wrong(source, &error))?;
    let is_read = |path: &PathBuf| {
        let extension = path.extension().unwrap_or_default();
        path.is_file()
            && ["json", "safetensors", "jinja", "txt"].iter().any(|known| extension == *known)
    };
    let mut paths: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(is_read).collect();
    paths.sort();
    Ok(paths)
}

fn stamp(path: &Path) -> Result<(u64, u128), Error> {
    let facts = fs::metadata(path).map_err(|error| wrong(path, &error))?;
    let changed = facts.modified().map_err(|error| wrong(path, &error))?;
    let since = changed.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    Ok((facts.len(), since))
}

fn read_note(path: &Path) -> Option<Note> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// A name for people. A hub's model directory is named after a commit, its parent after the model.
fn stem(source: &Path) -> String {
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let parent = source.parent().map(name).filter(|name| name.contains("--"));
    let stem = match source.is_dir() {
        true => parent.unwrap_or_else(|| name(source)),
        false => name(source),
    };
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    stem.chars().take(80).map(plain).collect()
}

fn wrong(path: &Path, error: &std::io::Error) -> Error {
    Error::user(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn artifacts_are_named_after_their_models() {
        for (source, expected) in
            [("/a/Smol LM.gguf", "Smol-LM"), ("/a/models/acme--owl/0123abcd--Q4/m-Q4.gguf", "m-Q4")]
        {
            assert_eq!(stem(Path::new(source)), expected);
        }
        let folder = tempfile::tempdir().expect("a folder");
        let commit = folder.path().join("acme--owl/0123abcd");
        fs::create_dir_all(&commit).expect("a folder");
        assert_eq!(stem(&commit), "acme--owl");
        assert_eq!(stem(commit.parent().expect("a parent")), "acme--owl");
    }

    #[test]
    fn only_what_a_model_is_made_of_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).expect("a file");
        };
        write("config.json", "{}");
        write("model.safetensors", "weights");
        let args = <crate::Cli as clap::Parser>::parse_from(["tyto", "run", "x"]);
        let crate::Command::Run(run) = args.command else { panic!("it is `run`") };
        let name = || content(folder.path(), &run.engine).expect("it is readable");
        let (first, known) = (name(), files(folder.path()).expect("it is readable"));
        write("README.md", "words");
        assert_eq!((name(), files(folder.path()).expect("it is readable")), (first.clone(), known));
        write("config.json", "{ }");
        assert_ne!(name(), first);
    }
}
