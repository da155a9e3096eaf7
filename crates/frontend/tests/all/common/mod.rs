//! The oracle's fixtures, and copies of them with another configuration.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use tempfile::TempDir;
use tyto_checkpoint::Checkpoint;
use tyto_frontend::testing::{Interpreted, Pool};
use tyto_frontend::{Error, LoadedModel, TraceOptions, WeightUse};
use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{DType, Graph, InputKind, KvType, Layout, Op, TensorType};

/// Weights and cache in f32, small blocks.
pub const F32: TraceOptions = TraceOptions {
    weight_dtype: DType::F32,
    kv_type: KvType::Float(DType::F32),
    block_size: 4,
    max_blocks: 64,
    layout: |_, _, _| Layout::RowMajor,
    fuse_siblings: false,
    keep_blocks: false,
};

/// The same with published blocks kept, and matrices of one operand joined.
pub const BLOCKS: TraceOptions = TraceOptions { keep_blocks: true, fuse_siblings: true, ..F32 };

/// The positions that tests' block tables span.
pub const CONTEXT: usize = 64;

pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle")
}

/// A pair of a config and a reference.
pub struct Pair {
    pub case: String,
    pub dtype: String,
    pub config: String,
    pub reference: String,
}

impl Pair {
    /// Of transformers' own cases: the first ones, then each further group's.
    pub fn all() -> Vec<Pair> {
        let names = fs::read_dir(fixtures()).expect("a directory").map(|entry| {
            entry.expect("an entry").file_name().into_string().expect("a name in UTF-8")
        });
        let mut groups: Vec<String> = names.filter(|name| name.starts_with("index.of.")).collect();
        groups.sort();
        let indexes = ["index.json".to_owned()].into_iter().chain(groups);
        indexes.flat_map(|index| Pair::of(&index)).collect()
    }

    pub fn of(index: &str) -> Vec<Pair> {
        let text = fs::read_to_string(fixtures().join(index)).expect("an index");
        let list: Vec<Map<String, Value>> = serde_json::from_str(&text).expect("a list");
        let field =
            |map: &Map<String, Value>, name: &str| map[name].as_str().expect("a text").to_owned();
        let pair = |map: &Map<String, Value>| Pair {
            case: field(map, "case"),
            dtype: field(map, "dtype"),
            config: field(map, "config"),
            reference: field(map, "reference"),
        };
        list.iter().map(pair).collect()
    }

    pub fn name(&self) -> String {
        format!("{}/{} against {}", self.case, self.config, self.reference)
    }

    pub fn model(&self) -> Model {
        Model::with_config(&self.case, config(&self.case, &self.config))
    }

    pub fn reference(&self) -> Reference {
        Reference::open(&fixtures().join(&self.case).join(&self.reference))
    }

    /// The interpreter's logits of the reference's prompt, read in chunks of 16.
    pub fn logits(&self, options: TraceOptions) -> Vec<Vec<f32>> {
        let opened = self.model();
        let mut runner = Interpreted::new(&opened.model, &opened.checkpoint, options);
        runner.prefill(&mut Pool::new(&options, CONTEXT, 5), &self.reference().prompt, 16)
    }
}

/// A GGUF file of a test's own, opened.
pub struct Opened {
    pub model: LoadedModel,
    pub checkpoint: Checkpoint,
    _directory: TempDir,
}

impl Opened {
    pub fn gguf(bytes: &[u8]) -> Self {
        let directory = TempDir::new().expect("a directory");
        let path = directory.path().join("model.gguf");
        fs::write(&path, bytes).expect("written");
        let checkpoint = Checkpoint::open(&path).unwrap_or_else(|error| panic!("{error}"));
        let model = tyto_frontend::open(&checkpoint).unwrap_or_else(|error| panic!("{error}"));
        Self { model, checkpoint, _directory: directory }
    }

    /// The interpreter's logits of a prompt of eleven tokens, in parts of four.
    pub fn logits(&self, options: TraceOptions) -> Vec<Vec<f32>> {
        let mut runner = Interpreted::new(&self.model, &self.checkpoint, options);
        let vocabulary = self.model.facts().vocab_size as i64;
        let prompt: Vec<i64> = (0..11).map(|at| at * 7 % vocabulary).collect();
        runner.prefill(&mut Pool::new(&options, CONTEXT, 3), &prompt, 4)
    }
}

/// A configuration of a case.
pub fn config(case: &str, file: &str) -> Value {
    let text = fs::read_to_string(fixtures().join(case).join(file)).expect("a config");
    // Python writes it bare, in lists too.
    let text = text.replace(" Infinity", r#" {"__float__": "Infinity"}"#);
    serde_json::from_str(&text).expect("JSON")
}

/// A case's weights beside some configuration, opened.
pub struct Model {
    pub model: LoadedModel,
    pub checkpoint: Checkpoint,
    _directory: TempDir,
}

impl Model {
    pub fn with_config(case: &str, config: Value) -> Model {
        let directory = copy(case, &config);
        let checkpoint = Checkpoint::open(directory.path()).expect("a checkpoint");
        let model = tyto_frontend::open(&checkpoint).expect("a model");
        Model { model, checkpoint, _directory: directory }
    }
}

/// The error of opening a case with this configuration.
pub fn refusal(case: &str, config: Value) -> String {
    let directory = copy(case, &config);
    refusal_at(directory.path())
}

pub fn refusal_at(directory: &Path) -> String {
    let checkpoint = Checkpoint::open(directory).expect("a checkpoint");
    let error: Error = tyto_frontend::open(&checkpoint).err().expect("a refusal");
    error.to_string()
}

/// A case with some fields of `config.json` replaced; null removes one.
pub fn changed(case: &str, changes: Value) -> Value {
    let mut config = config(case, "config.json");
    let map = config.as_object_mut().expect("an object");
    for (name, value) in changes.as_object().expect("an object") {
        match value {
            Value::Null => map.remove(name),
            value => map.insert(name.clone(), value.clone()),
        };
    }
    config
}

pub fn copy(case: &str, config: &Value) -> TempDir {
    let directory = TempDir::new().expect("a directory");
    for entry in fs::read_dir(fixtures().join(case)).expect("a case") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if name.starts_with("model") {
            fs::copy(&path, directory.path().join(name)).expect("a copy");
        }
    }
    fs::write(directory.path().join("config.json"), config.to_string()).expect("a config");
    directory
}

/// What transformers computed.
pub struct Reference {
    pub prompt: Vec<i64>,
    pub logits: Vec<Vec<f32>>,
    pub gaps: Vec<f32>,
    pub greedy: Vec<i64>,
    /// transformers computing in bf16.
    pub low: Option<Vec<Vec<f32>>>,
}

impl Reference {
    pub fn open(file: &Path) -> Reference {
        let file = reference_file(file);
        let (floats, ids) = (|name| floats_of(&file, name), |name| ids_of(&file, name));
        Reference {
            prompt: ids("input_ids"),
            logits: floats("logits").expect("logits"),
            gaps: floats("top2_gap").expect("gaps").remove(0),
            greedy: ids("greedy"),
            low: floats("logits_low"),
        }
    }
}

/// The prompt of a case of vectors, and the rows of one of its reference's tensors.
pub fn embedding_rows(pair: &Pair, name: &str) -> (Vec<i64>, Vec<Vec<f32>>) {
    let file = reference_file(&fixtures().join(&pair.case).join(&pair.reference));
    (ids_of(&file, "input_ids"), floats_of(&file, name).expect("the reference has it"))
}

/// Ids and segments of a case's first pair of texts, and the scores of all pairs.
pub fn scored_pair(pair: &Pair) -> (Vec<i64>, Vec<i64>, Vec<f32>) {
    let file = reference_file(&fixtures().join(&pair.case).join(&pair.reference));
    let scores = floats_of(&file, "scores").expect("the reference has it").concat();
    (ids_of(&file, "input_ids"), ids_of(&file, "token_type_ids"), scores)
}

/// The error of a case of vectors: of all rows of its longest text.
pub fn embedding_error(pair: &Pair) -> f32 {
    let checkpoint = Checkpoint::open(&fixtures().join(&pair.case)).expect("a checkpoint");
    let model = tyto_frontend::open(&checkpoint).unwrap_or_else(|error| panic!("{error}"));
    let (prompt, expected) = embedding_rows(pair, "rows");
    let mut runner = Interpreted::new(&model, &checkpoint, F32);
    let found = runner.prefill(&mut Pool::new(&F32, CONTEXT, 5), &prompt, prompt.len());
    distance(&found, &expected)
}

/// A file of tensors, opened as if it were a model.
fn reference_file(file: &Path) -> Checkpoint {
    let directory = TempDir::new().expect("a directory");
    fs::copy(file, directory.path().join("model.safetensors")).expect("a copy");
    fs::write(directory.path().join("config.json"), "{}").expect("a config");
    Checkpoint::open(directory.path()).expect("a reference")
}

fn floats_of(file: &Checkpoint, name: &str) -> Option<Vec<Vec<f32>>> {
    let tensor = file.tensor(name)?;
    let width = *tensor.shape.last().expect("a last axis");
    let values = tensor.to_f32().expect("floats");
    Some(values.chunks(width).map(<[f32]>::to_vec).collect())
}

fn ids_of(file: &Checkpoint, name: &str) -> Vec<i64> {
    let bytes = file.tensor(name).and_then(|tensor| tensor.bytes()).expect("ids");
    let (ids, _) = bytes.as_chunks::<8>();
    ids.iter().map(|id| i64::from_le_bytes(*id)).collect()
}

/// The largest difference of two lists of rows, over the largest value of a row.
pub fn distance(found: &[Vec<f32>], expected: &[Vec<f32>]) -> f32 {
    assert_eq!(found.len(), expected.len(), "as many rows");
    let row = |(found, expected): (&Vec<f32>, &Vec<f32>)| {
        let largest = expected.iter().fold(0f32, |most, value| most.max(value.abs()));
        let differences = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
        differences.fold(0f32, |most, d| if d.is_nan() { f32::NAN } else { most.max(d) }) / largest
    };
    found.iter().zip(expected).map(row).fold(0f32, f32::max)
}

pub fn top(row: &[f32]) -> usize {
    (0..row.len()).max_by(|a, b| row[*a].total_cmp(&row[*b])).expect("a vocabulary")
}

/// Rows `0..rows` of a weight in blocks, by the interpreter.
pub fn decoded(weight: &WeightUse, rows: usize, bytes: &[u8]) -> Vec<f32> {
    let stored = weight.layout.stored_shape(rows, weight.shape[1]).expect("tiles fit");
    let mut graph = Graph::new("rows");
    let ty = TensorType::new(DType::U8, &stored[..]);
    let w = graph.add(Op::Weight { name: "w".into(), ty }, &[]).expect("a weight");
    let ids = TensorType::new(DType::I32, [rows]);
    let ids = graph.add_input("ids", ids, InputKind::Plain);
    let op = Op::Embedding { layout: weight.layout, rows };
    let y = graph.add(op, &[w, ids]).expect("a table");
    graph.add_output("y", y);
    let tiles = Tensor::from_bytes(DType::U8, stored, bytes).expect("as many bytes");
    let ids = Tensor::integers(DType::I32, [rows], 0..rows as i64).expect("ids");
    let inputs = HashMap::from([("ids".to_owned(), ids)]);
    let mut outputs = evaluate(&graph, inputs, &|_| Some(tiles.clone())).expect("evaluates");
    outputs.remove("y").expect("y").as_floats().expect("floats").to_vec()
}
