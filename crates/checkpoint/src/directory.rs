//! Hugging Face model directories: `config.json`, and safetensors alone or sharded under an index.

use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path, PathBuf};

use crate::checkpoint::{Access, Checkpoint, TextSource};
use crate::error::Error;
use crate::json::{self, Entries};
use crate::safetensors;
use crate::source_file::SourceFile;
use crate::tensor::{Entry, Layout};
use crate::{mlx, published, sentence};

const INDEX: &str = "model.safetensors.index.json";
const SINGLE: &str = "model.safetensors";

/// Opens the model in `path`.
pub(crate) fn open(path: &Path, access: Access) -> Result<Checkpoint, Error> {
    let config_file = path.join("config.json");
    if !config_file.is_file() {
        return Err(no_config(path));
    }
    let config = json::parse_object(&config_file, &read(&config_file)?)?;
    // An index is the model's own statement of its files, so it wins over a file beside it.
    let index = path.join(INDEX);
    let (files, tensors) = if index.is_file() {
        open_shards(path, &index, access)?
    } else {
        open_single(path, access)?
    };
    let (tensors, fields): (_, &[&str]) = if let Some(mlx) = mlx::read(&config_file, &config)? {
        (mlx.join(tensors, &files)?, mlx::FIELDS)
    } else if let Some(method) = published::read(&config_file, &config)? {
        (method.join(tensors, &files, &config_file)?, published::FIELDS)
    } else if let Some((file, method)) = modelopt_file(path, &config)? {
        (method.join(tensors, &files, &file)?, &[])
    } else {
        (tensors, &[])
    };
    let (mut files, mut tensors) = (files, tensors);
    let mut modules = None;
    if let Some(opened) = sentence::open(path, access)? {
        for (source, entries) in opened.weights {
            let file = files.len();
            tensors.extend(entries.into_iter().map(|entry| Entry { file, ..entry }));
            files.push(source);
        }
        modules = Some(opened.modules);
    }
    let mut checkpoint = Checkpoint::new(path, config, files, tensors, TextSource::Directory);
    checkpoint.storage_fields = fields;
    checkpoint.sentence = modules;
    Ok(checkpoint)
}

/// ModelOpt's settings in a file of their own, where `config.json` has none.
fn modelopt_file(
    path: &Path,
    config: &serde_json::Map<String, serde_json::Value>,
) -> Result<Option<(PathBuf, published::Method)>, Error> {
    let file = path.join(published::MODELOPT_FILE);
    if config.get(published::FIELDS[0]).is_some_and(|value| !value.is_null()) || !file.is_file() {
        return Ok(None);
    }
    let method = published::read_modelopt(&file, &json::parse_object(&file, &read(&file)?)?)?;
    Ok(Some((file, method)))
}

/// Reads a small file whole.
pub(crate) fn read(file: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(file).map_err(|source| Error::Io {
        file: file.to_path_buf(),
        action: "read",
        source,
    })
}

/// The tensor-to-shard map of an index. `metadata` (with `total_size`, often wrong) is not read.
pub(crate) fn parse_index(index: &Path, bytes: &[u8]) -> Result<Vec<(String, String)>, Error> {
    #[derive(serde::Deserialize)]
    struct Index {
        weight_map: Entries<String>,
    }
    let parsed: Index =
        serde_json::from_slice(bytes).map_err(|problem| json::parse_error(index, &problem))?;
    let Entries(weight_map) = parsed.weight_map;
    for (tensor, shard) in &weight_map {
        let mut parts = Path::new(shard).components();
        if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
            return Err(Error::Malformed {
                file: index.to_path_buf(),
                field: format!("weight_map[{tensor:?}]"),
                found: format!("{shard:?}"),
                expected: "the name of a file in the same directory".into(),
            });
        }
    }
    Ok(weight_map)
}

type Opened = (Vec<SourceFile>, Vec<Entry>);

fn open_single(path: &Path, access: Access) -> Result<Opened, Error> {
    let file = path.join(SINGLE);
    if !file.is_file() {
        return Err(no_weights(path, file));
    }
    let source = SourceFile::open(&file, access)?;
    let tensors = safetensors::parse(&file, &source)?;
    let tensors = tensors.into_iter().map(|tensor| in_file(0, tensor)).collect();
    Ok((vec![source], tensors))
}

fn open_shards(path: &Path, index: &Path, access: Access) -> Result<Opened, Error> {
    let weight_map = parse_index(index, &read(index)?)?;
    let mut shards: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, shard) in &weight_map {
        shards.insert(shard, 0);
    }
    let absent: Vec<_> = shards.keys().filter(|shard| !path.join(shard).is_file()).collect();
    if let Some(shard) = absent.first() {
        return Err(Error::MissingShard {
            index: index.to_path_buf(),
            shard: (**shard).into(),
            missing: absent.len(),
            named: shards.len(),
        });
    }
    let (mut files, mut stored) = (Vec::new(), Vec::new());
    for (shard, number) in &mut shards {
        let file = path.join(shard);
        let source = SourceFile::open(&file, access)?;
        let tensors = safetensors::parse(&file, &source)?;
        *number = files.len();
        files.push(source);
        stored.push(tensors.into_iter().map(|t| (t.name.clone(), t)).collect::<HashMap<_, _>>());
    }
    let mut tensors = Vec::with_capacity(weight_map.len());
    for (name, shard) in &weight_map {
        let number = shards[shard.as_str()];
        let Some(tensor) = stored[number].remove(name) else {
            let holder = stored.iter().position(|tensors| tensors.contains_key(name));
            return Err(Error::NotInShard {
                index: index.to_path_buf(),
                tensor: name.clone(),
                shard: shard.clone(),
                elsewhere: holder.map_or_else(
                    || "no shard does".into(),
                    |holder| format!("{:?} does", files[holder].name()),
                ),
            });
        };
        tensors.push(in_file(number, tensor));
    }
    Ok((files, tensors))
}

fn in_file(file: usize, tensor: safetensors::Entry) -> Entry {
    let safetensors::Entry { name, dtype, shape, range } = tensor;
    Entry { name, dtype, shape, file, range, layout: Layout::Same, quantized: None }
}

/// A directory without a configuration: perhaps it holds a GGUF file.
fn no_config(path: &Path) -> Error {
    let advice = match file_with_extension(path, "gguf") {
        Some(name) => format!("the directory holds {name:?}: name that file instead"),
        None => "name a Hugging Face model directory or a .gguf file".into(),
    };
    Error::MissingFile { file: path.join("config.json"), needed_for: "the model's shape", advice }
}

/// A directory without weights: perhaps it has them in a form that is not read.
fn no_weights(path: &Path, file: std::path::PathBuf) -> Error {
    let advice = if let Some(name) = file_with_extension(path, "safetensors") {
        format!("the directory holds {name:?} but no {INDEX}: fetch the index or rename the file")
    } else if let Some(name) =
        file_with_extension(path, "bin").or_else(|| file_with_extension(path, "pth"))
    {
        format!(
            "{name:?} is a pickle, which can run code and is not read: convert it to safetensors"
        )
    } else {
        format!("neither it nor {INDEX} is there: fetch the model again")
    };
    Error::MissingFile { file, needed_for: "the weights", advice }
}

/// The first file by name with this extension.
fn file_with_extension(path: &Path, extension: &str) -> Option<String> {
    let entries = std::fs::read_dir(path).ok()?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(&format!(".{extension}"))).min()
}
