//! Sentence-transformers' files beside a model: what makes one vector of a text's hidden states.
//!
//! `modules.json` lists the steps. The first is the model itself; then come one pooling
//! (`1_Pooling/config.json`), perhaps matrices (`2_Dense`), and perhaps a division by the length.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};

use crate::checkpoint::Access;
use crate::directory::read;
use crate::error::Error;
use crate::json;
use crate::safetensors;
use crate::source_file::SourceFile;
use crate::tensor::{Entry, Layout};

const MODULES: &str = "modules.json";
const PROMPTS: &str = "config_sentence_transformers.json";
const LENGTH: &str = "sentence_bert_config.json";
const DENSE_WEIGHTS: &str = "model.safetensors";

/// What a text's vector is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pooling {
    /// The hidden state of the last token.
    Last,
    /// The mean of all hidden states.
    Mean,
    /// The hidden state of the first token.
    First,
}

/// The steps from hidden states to a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentenceModules {
    /// Which hidden states count.
    pub pooling: Pooling,
    /// Matrices that the pooled vector is multiplied with, in order.
    pub dense: Vec<DenseModule>,
    /// Whether the vector is divided by its length.
    pub normalize: bool,
    /// Tokens of a text at most, if the files say so.
    pub max_length: Option<usize>,
    /// Texts that are put before others, by name: what a query begins with.
    pub prompts: BTreeMap<String, String>,
    /// The name of the one that is taken where nobody asks for another.
    pub default_prompt: Option<String>,
    /// The files that say all this.
    pub(crate) files: Vec<PathBuf>,
}

/// A matrix behind the pooling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenseModule {
    /// Where its tensors stand among the checkpoint's: `2_Dense.linear`.
    pub place: String,
    /// Columns.
    pub inputs: usize,
    /// Rows.
    pub outputs: usize,
    /// Whether it adds a vector.
    pub bias: bool,
    /// Whether the hyperbolic tangent follows.
    pub tanh: bool,
}

/// The modules of a directory, and the weight files of those that have any, with their tensors.
pub(crate) struct Opened {
    pub(crate) modules: SentenceModules,
    pub(crate) weights: Vec<(SourceFile, Vec<Entry>)>,
}

/// Reads the modules of the model in `path`, if it has any.
pub(crate) fn open(path: &Path, access: Access) -> Result<Option<Opened>, Error> {
    let file = path.join(MODULES);
    if !file.is_file() {
        return Ok(None);
    }
    let listed = list(&file)?;
    let mut reading = Reading { path, access, files: vec![file.clone()], weights: Vec::new() };
    let (mut pooling, mut dense, mut normalize) = (None, Vec::new(), false);
    for (index, module) in listed.iter().enumerate() {
        let at = format!("[{index}]");
        match (module.kind(), index) {
            ("Transformer", 0) if module.path.is_empty() => {}
            ("Pooling", 1) => pooling = Some(reading.pooling(&module.path)?),
            ("Dense", 2..) if !normalize => dense.push(reading.dense(&module.path)?),
            ("Normalize", 2..) if !normalize => normalize = true,
            _ => {
                let expected = "Transformer in the model's own folder, then Pooling, then any number \
                                of Dense, then perhaps Normalize";
                let found = format!("{:?} in {:?}", module.class, module.path);
                return Err(malformed(&file, at, found, expected));
            }
        }
    }
    let Some(pooling) = pooling else {
        let found = format!("{} modules", listed.len());
        return Err(malformed(&file, "top level".into(), found, "a Pooling as the second one"));
    };
    let (prompts, default_prompt) = reading.prompts()?;
    let max_length = reading.max_length()?;
    let Reading { files, weights, .. } = reading;
    let modules =
        SentenceModules { pooling, dense, normalize, max_length, prompts, default_prompt, files };
    Ok(Some(Opened { modules, weights }))
}

/// A line of `modules.json`.
struct Module {
    path: String,
    class: String,
}

impl Module {
    /// The class without its package, which was moved more than once.
    fn kind(&self) -> &str {
        self.class.rsplit('.').next().unwrap_or(&self.class)
    }
}

fn list(file: &Path) -> Result<Vec<Module>, Error> {
    let bytes = read(file)?;
    let value: Value =
        serde_json::from_slice(&bytes).map_err(|problem| json::parse_error(file, &problem))?;
    let Value::Array(items) = value else {
        let found = json::kind(&value).to_owned();
        return Err(malformed(file, "top level".into(), found, "a list of modules"));
    };
    let module = |(index, item): (usize, &Value)| {
        let text = |name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
        let module = text("path").zip(text("type")).filter(|(path, _)| is_folder(path));
        let (path, class) = module.ok_or_else(|| {
            let expected = "an object with `type` and `path`, a folder of the model's own";
            malformed(file, format!("[{index}]"), item.to_string(), expected)
        })?;
        Ok(Module { path, class })
    };
    items.iter().enumerate().map(module).collect()
}

/// Whether a path is empty, or one folder inside.
fn is_folder(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    path.is_empty() || matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None))
}

/// A file, and the object in it.
type Object = (PathBuf, Map<String, Value>);

struct Reading<'a> {
    path: &'a Path,
    access: Access,
    files: Vec<PathBuf>,
    weights: Vec<(SourceFile, Vec<Entry>)>,
}

impl Reading<'_> {
    fn object(&mut self, name: &str) -> Result<Object, Error> {
        let file = self.path.join(name);
        let object = json::parse_object(&file, &read(&file)?)?;
        self.files.push(file.clone());
        Ok((file, object))
    }

    fn optional(&mut self, name: &str) -> Result<Option<Object>, Error> {
        self.path.join(name).is_file().then(|| self.object(name)).transpose()
    }

    fn pooling(&mut self, folder: &str) -> Result<Pooling, Error> {
        let (file, config) = self.object(&format!("{folder}/config.json"))?;
        if config.get("include_prompt") == Some(&Value::Bool(false)) {
            let expected = "true: a prompt's tokens are part of the text here";
            return Err(malformed(&file, "include_prompt".into(), "false".into(), expected));
        }
        let expected = "one of lasttoken, mean and cls";
        let asked = |(name, value): (&String, &Value)| {
            let mode = name.strip_prefix("pooling_mode_")?;
            (*value == Value::Bool(true)).then(|| mode.trim_end_matches("_tokens").to_owned())
        };
        let mut modes: Vec<String> = config.iter().filter_map(asked).collect();
        if let Some(mode) = config.get("pooling_mode").and_then(Value::as_str) {
            modes.push(mode.to_owned());
        }
        match modes.as_slice() {
            [mode] => match mode.trim_end_matches("_token") {
                "lasttoken" => Ok(Pooling::Last),
                "mean" => Ok(Pooling::Mean),
                "cls" => Ok(Pooling::First),
                other => Err(malformed(&file, "pooling_mode".into(), other.into(), expected)),
            },
            several => {
                Err(malformed(&file, "pooling_mode".into(), format!("{several:?}"), expected))
            }
        }
    }

    fn dense(&mut self, folder: &str) -> Result<DenseModule, Error> {
        let (file, config) = self.object(&format!("{folder}/config.json"))?;
        let size = |name: &str| {
            let value = config.get(name).unwrap_or(&Value::Null);
            let size = value.as_u64().and_then(|size| usize::try_from(size).ok());
            let size = size.filter(|size| (1..1 << 20).contains(size));
            size.ok_or_else(|| malformed(&file, name.into(), value.to_string(), "a width"))
        };
        let activation = config.get("activation_function").and_then(Value::as_str).unwrap_or("");
        let tanh = match activation.rsplit('.').next() {
            Some("Identity") => false,
            // What is taken where the file names none.
            Some("Tanh" | "") | None => true,
            Some(_) => {
                let (field, found) = ("activation_function".to_owned(), activation.to_owned());
                return Err(malformed(&file, field, found, "Identity or Tanh of torch.nn"));
            }
        };
        let bias = config.get("bias") != Some(&Value::Bool(false));
        let module = DenseModule {
            place: format!("{folder}.linear"),
            inputs: size("in_features")?,
            outputs: size("out_features")?,
            bias,
            tanh,
        };
        self.open_weights(folder)?;
        Ok(module)
    }

    fn open_weights(&mut self, folder: &str) -> Result<(), Error> {
        let file = self.path.join(folder).join(DENSE_WEIGHTS);
        if !file.is_file() {
            let advice = "fetch the model again with its folders; a pickle is not read".to_owned();
            return Err(Error::MissingFile {
                file,
                needed_for: "a matrix of modules.json",
                advice,
            });
        }
        let source = SourceFile::open(&file, self.access)?;
        let entries = safetensors::parse(&file, &source)?;
        let named = |tensor: safetensors::Entry| {
            let safetensors::Entry { name, dtype, shape, range } = tensor;
            let name = format!("{folder}.{name}");
            Entry { name, dtype, shape, file: 0, range, layout: Layout::Same, quantized: None }
        };
        self.weights.push((source, entries.into_iter().map(named).collect()));
        Ok(())
    }

    fn prompts(&mut self) -> Result<(BTreeMap<String, String>, Option<String>), Error> {
        let Some((file, config)) = self.optional(PROMPTS)? else { return Ok(Default::default()) };
        let wrong = |field: &str, found: &Value, expected| {
            Err(malformed(&file, field.to_owned(), found.to_string(), expected))
        };
        let mut prompts = BTreeMap::new();
        match config.get("prompts") {
            None | Some(Value::Null) => {}
            Some(Value::Object(named)) => {
                for (name, value) in named {
                    match value {
                        Value::String(text) => drop(prompts.insert(name.clone(), text.clone())),
                        other => return wrong(&format!("prompts[{name:?}]"), other, "a text"),
                    }
                }
            }
            Some(other) => return wrong("prompts", other, "an object of texts"),
        }
        let default = match config.get("default_prompt_name") {
            None | Some(Value::Null) => None,
            Some(Value::String(name)) if prompts.contains_key(name) => Some(name.clone()),
            Some(other) => return wrong("default_prompt_name", other, "a name of `prompts`"),
        };
        Ok((prompts, default))
    }

    fn max_length(&mut self) -> Result<Option<usize>, Error> {
        let Some((file, config)) = self.optional(LENGTH)? else { return Ok(None) };
        if config.get("do_lower_case") == Some(&Value::Bool(true)) {
            let expected = "false: a tokenizer that lowers letters says so in tokenizer.json";
            return Err(malformed(&file, "do_lower_case".into(), "true".into(), expected));
        }
        match config.get("max_seq_length") {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_u64().and_then(|n| usize::try_from(n).ok()) {
                Some(length) if length > 0 => Ok(Some(length)),
                _ => {
                    let (field, found) = ("max_seq_length".to_owned(), value.to_string());
                    Err(malformed(&file, field, found, "a number of tokens"))
                }
            },
        }
    }
}

fn malformed(file: &Path, field: String, found: String, expected: &str) -> Error {
    Error::Malformed { file: file.to_path_buf(), field, found, expected: expected.to_owned() }
}
