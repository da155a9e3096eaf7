//! Heads that are tied or not, the bytes of weights, and what is joined.

use std::fs;
use std::path::Path;

use crate::common::{CONTEXT, F32, Model, changed, config, copy, distance, refusal};
use serde_json::{Map, Value, json};
use tyto_checkpoint::Checkpoint;
use tyto_frontend::testing::{Interpreted, Pool};
use tyto_frontend::{
    Every, Pairs, Part, Reading, StepShape, TraceOptions, Traced, WeightUse, materialize,
};
use tyto_graph::{DType, Layout, Op};

const SHAPE: StepShape = StepShape { batch: 1, tokens: 4, context: CONTEXT, rows: 1 };
const EMBEDDING: &str = "model.embed_tokens.weight";
const HEAD: &str = "lm_head.weight";

/// A safetensors file's header and data.
pub fn read(file: &Path) -> (Map<String, Value>, Vec<u8>) {
    let bytes = fs::read(file).expect("a file");
    let (length, rest) = bytes.split_first_chunk::<8>().expect("a length");
    let length = u64::from_le_bytes(*length) as usize;
    (serde_json::from_slice(&rest[..length]).expect("a header"), rest[length..].to_vec())
}

pub fn write(file: &Path, header: &Map<String, Value>, data: &[u8]) {
    let text = serde_json::to_vec(header).expect("JSON");
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend(text);
    bytes.extend(data);
    fs::write(file, bytes).expect("written");
}

/// Adds to a directory's weights a head like the embedding, with `change` of its first bytes.
fn add_head(directory: &Path, change: &[u8]) {
    let file = directory.join("model.safetensors");
    let (mut header, mut data) = read(&file);
    let embedding = header[EMBEDDING].clone();
    let bound = |index: usize| embedding["data_offsets"][index].as_u64().expect("offset") as usize;
    let mut head = data[bound(0)..bound(1)].to_vec();
    head[..change.len()].copy_from_slice(change);
    let start = data.len();
    data.extend(head);
    let entry = json!({ "dtype": embedding["dtype"], "shape": embedding["shape"],
                        "data_offsets": [start, data.len()] });
    header.insert(HEAD.into(), entry);
    write(&file, &header, &data);
}

fn logits(directory: &Path) -> (Vec<Vec<f32>>, Vec<String>) {
    let checkpoint = Checkpoint::open(directory).expect("a checkpoint");
    let model = tyto_frontend::open(&checkpoint).expect("a model");
    let mut runner = Interpreted::new(&model, &checkpoint, F32);
    let logits = runner.prefill(&mut Pool::new(&F32, CONTEXT, 1), &[1, 20, 33, 7], 4);
    (logits, model.warnings().to_vec())
}

/// A20: an equal head beside a tied embedding changes nothing.
#[test]
fn a_tied_head_that_is_stored_too_is_the_embedding() {
    let plain = changed("llama_tied", json!({}));
    let without = copy("llama_tied", &plain);
    let with = copy("llama_tied", &plain);
    add_head(with.path(), &[]);
    let (expected, found) = (logits(without.path()), logits(with.path()));
    assert_eq!(found, expected);
    assert!(found.1.is_empty());
}

/// A20: where the stored head differs, the file is believed, as transformers does, and a
/// warning says so.
#[test]
fn a_tied_head_that_differs_is_used_with_a_warning() {
    let tied = copy("llama_tied", &changed("llama_tied", json!({})));
    add_head(tied.path(), &2f32.to_le_bytes());
    let untied =
        copy("llama_tied", &changed("llama_tied", json!({ "tie_word_embeddings": false })));
    add_head(untied.path(), &2f32.to_le_bytes());
    let ((found, warnings), (expected, none)) = (logits(tied.path()), logits(untied.path()));
    assert_eq!(found, expected);
    assert!(none.is_empty());
    assert_eq!(warnings.len(), 1);
    for word in ["tie_word_embeddings", HEAD, EMBEDDING, "config.json"] {
        assert!(warnings[0].contains(word), "{}", warnings[0]);
    }
    let plain = copy("llama_tied", &changed("llama_tied", json!({})));
    assert_ne!(found, logits(plain.path()).0);
}

/// Tied, with only the head in the file: it is the embedding.
#[test]
fn a_tied_embedding_may_be_stored_as_the_head() {
    let directory = copy("llama_tied", &changed("llama_tied", json!({})));
    let expected = logits(directory.path());
    let file = directory.path().join("model.safetensors");
    let (mut header, data) = read(&file);
    let entry = header.remove(EMBEDDING).expect("an embedding");
    header.insert(HEAD.into(), entry);
    write(&file, &header, &data);
    assert_eq!(logits(directory.path()), expected);
}

/// A21: an untied head that is absent is an error that names it.
#[test]
fn an_untied_head_must_be_there() {
    let message =
        refusal("llama_tied", changed("llama_tied", json!({ "tie_word_embeddings": false })));
    for word in [HEAD, "missing", "[128, 40]", "tie_word_embeddings = false"] {
        assert!(message.contains(word), "{message:?} lacks {word:?}");
    }
}

fn traced(case: &str, options: TraceOptions) -> (Model, Traced) {
    let opened = Model::with_config(case, config(case, "config.json"));
    let traced = opened.model.trace("step", &SHAPE, &options).expect("traces");
    (opened, traced)
}

fn names(traced: &Traced) -> Vec<&str> {
    traced.weights.iter().map(|weight| &*weight.name).collect()
}

#[test]
fn facts_say_what_was_opened() {
    let opened = Model::with_config("qwen3_bf16", config("qwen3_bf16", "config.json"));
    let facts = opened.model.facts();
    assert_eq!(facts.architecture, "qwen3");
    assert_eq!((facts.vocab_size, facts.context_length, facts.hidden_size), (128, 256, 40));
    assert_eq!((facts.layers, facts.kv().count()), (2, 2));
    assert!(facts.kv().all(|kv| (kv.heads, kv.head_dim) == (2, 14)));
    assert_eq!(facts.stored_dtype.name(), "BF16");
    let stored: usize = opened.checkpoint.tensors().map(|tensor| tensor.elements()).sum();
    assert_eq!(facts.parameter_count, stored);
    assert!(!facts.needs_length);
    let long = Model::with_config("phi3_longrope", config("phi3_longrope", "config.json"));
    assert!(long.model.facts().needs_length);
}

#[test]
fn siblings_are_joined_under_names_that_all_steps_share() {
    let (opened, joined) = traced("llama", TraceOptions { fuse_siblings: true, ..F32 });
    let found = names(&joined);
    assert!(found.contains(&"model.layers.0.self_attn.q_proj+k_proj+v_proj.weight"), "{found:?}");
    assert!(found.contains(&"model.layers.1.mlp.gate_proj+up_proj.weight"), "{found:?}");
    assert!(!found.iter().any(|name| name.ends_with("k_proj.weight") && !name.contains('+')));
    let linears = |traced: &Traced| {
        traced.graph.nodes.iter().filter(|node| matches!(node.op, Op::Linear { .. })).count()
    };
    let plain = opened.model.trace("step", &SHAPE, &F32).expect("traces");
    assert_eq!((linears(&plain), linears(&joined)), (2 * 7 + 1, 2 * 4 + 1));

    let decode = StepShape { batch: 8, tokens: 1, context: CONTEXT, rows: 8 };
    let options = TraceOptions { fuse_siblings: true, ..F32 };
    let other = opened.model.trace("decode", &decode, &options).expect("traces");
    assert_eq!(other.weights, joined.weights);
}

/// Twelve rows of keys do not fill tiles of eight, so they stand last, and those of values alone.
#[test]
fn one_part_that_does_not_fill_tiles_is_the_last() {
    let options =
        TraceOptions { fuse_siblings: true, layout: |_, _, _| Layout::Tiled { n: 8, k: 2 }, ..F32 };
    let (_, traced) = traced("llama_tied", options);
    let found = names(&traced);
    assert!(found.contains(&"model.layers.0.self_attn.q_proj+k_proj.weight"), "{found:?}");
    assert!(found.contains(&"model.layers.0.self_attn.v_proj.weight"), "{found:?}");
    assert!(found.contains(&"model.layers.0.mlp.gate_proj+up_proj.weight"), "{found:?}");
    // A table that is a head as well stands once, in the head's layout.
    let table = traced.weights.iter().find(|weight| &*weight.name == EMBEDDING).expect("a table");
    assert_eq!(table.layout, Layout::Tiled { n: 8, k: 2 });
    assert!(!found.contains(&HEAD));
}

#[test]
fn an_untied_table_is_looked_up_row_after_row() {
    let options = TraceOptions { layout: |_, _, _| Layout::Tiled { n: 8, k: 2 }, ..F32 };
    let (_, traced) = traced("llama", options);
    let layout = |name: &str| {
        traced.weights.iter().find(|weight| &*weight.name == name).map(|weight| weight.layout)
    };
    assert_eq!(layout(EMBEDDING), Some(Layout::RowMajor));
    assert_eq!(layout(HEAD), Some(Layout::Tiled { n: 8, k: 2 }));
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let (values, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty());
    values.iter().map(|value| f32::from_le_bytes(*value)).collect()
}

/// The bytes of tiles and parts, one by one from their definition.
#[test]
fn bytes_are_converted_joined_and_tiled() {
    let (opened, _) = traced("llama", F32);
    let part = |tensor: &str, rows: usize, range| Part {
        tensor: format!("model.layers.0.self_attn.{tensor}.weight"),
        shape: vec![rows, 40],
        rows: range,
        reading: Reading::default(),
        quantize: None,
    };
    let parts = vec![part("q_proj", 48, Some(4..12)), part("k_proj", 24, None)];
    let values = |name: &str| {
        let name = format!("model.layers.0.self_attn.{name}.weight");
        opened.checkpoint.tensor(&name).expect("a tensor").to_f32().expect("floats")
    };
    let rows: Vec<f32> =
        values("q_proj")[4 * 40..12 * 40].iter().chain(&values("k_proj")).copied().collect();
    let weight = |dtype, layout| WeightUse {
        name: "joined".into(),
        shape: vec![32, 40],
        dtype,
        layout,
        parts: parts.clone(),
    };
    let bytes = materialize(&opened.checkpoint, &weight(DType::F32, Layout::RowMajor));
    assert_eq!(floats(&bytes.expect("bytes")), rows);

    let (n, k) = (8, 5);
    let tiled = weight(DType::F32, Layout::Tiled { n, k });
    let bytes = materialize(&opened.checkpoint, &tiled).expect("bytes");
    let found = floats(&bytes);
    for row in 0..32 {
        for column in 0..40 {
            let tile = row / n * (40 / k) + column / k;
            let at = (tile * n + row % n) * k + column % k;
            assert_eq!(found[at], rows[row * 40 + column], "row {row}, column {column}");
        }
    }
    // A part that begins inside a tile has no bytes.
    let message = materialize(&opened.checkpoint, &weight(DType::F32, Layout::Tiled { n: 16, k }))
        .expect_err("8 rows are no tiles of 16")
        .to_string();
    assert!(message.contains("joined") && message.contains("k_proj"), "{message}");
    let message = materialize(&opened.checkpoint, &weight(DType::I8, Layout::RowMajor))
        .expect_err("no integers")
        .to_string();
    assert!(message.contains("i8") && message.contains("f32, f16 or bf16"), "{message}");
}

/// Rows that take turns, and heads that are turned in neighbouring pairs, from their definition.
#[test]
fn rows_come_from_where_they_stand() {
    let (opened, _) = traced("llama", F32);
    let name = "model.layers.0.self_attn.q_proj.weight";
    let values = opened.checkpoint.tensor(name).expect("a tensor").to_f32().expect("floats");
    let read = |reading, rows: usize| {
        let part = Part { reading, ..Part::whole(name, vec![48, 40]) };
        let weight = WeightUse {
            name: "moved".into(),
            shape: vec![rows, 40],
            dtype: DType::F32,
            layout: Layout::RowMajor,
            parts: vec![part],
        };
        floats(&materialize(&opened.checkpoint, &weight).expect("bytes"))
    };
    let expected = |rows: &[usize]| -> Vec<f32> {
        rows.iter().flat_map(|row| values[row * 40..][..40].to_vec()).collect()
    };
    // Four heads of 12, of which the first 8 rows are turned.
    let pairs = Some(Pairs { head: 12, turned: 8 });
    let head = [0, 2, 4, 6, 1, 3, 5, 7, 8, 9, 10, 11];
    let rows: Vec<usize> = (0..4).flat_map(|at| head.map(|row| at * 12 + row)).collect();
    let reading = Reading { pairs, ..Reading::default() };
    assert_eq!(read(reading, 48), expected(&rows));
    // The second of two heads in every run of 24 rows.
    let every = Some(Every { run: 24, begin: 12, counts: [12, 0, 0] });
    let rows: Vec<usize> = (0..2).flat_map(|run| head.map(|row| run * 24 + 12 + row)).collect();
    assert_eq!(read(Reading { every, pairs, ..Reading::default() }, 24), expected(&rows));
}

#[test]
fn rows_that_pad_a_tile_are_zero() {
    let (opened, traced) = traced("llama", F32);
    let mut weight =
        traced.weights.into_iter().find(|w| w.name.contains("k_proj.weight")).expect("k");
    weight.layout = Layout::Tiled { n: 16, k: 40 };
    let bytes = materialize(&opened.checkpoint, &weight).expect("bytes");
    assert_eq!(bytes.len(), 32 * 40 * 4);
    let found = floats(&bytes);
    assert!(found[24 * 40..].iter().all(|value| *value == 0.0));
    assert!(found[..24 * 40].iter().all(|value| *value != 0.0));
}

#[test]
fn a_wrong_shape_is_named_with_the_fields_that_gave_it() {
    let (opened, traced) = traced("llama", F32);
    let mut weight =
        traced.weights.into_iter().find(|w| w.name.contains("k_proj.weight")).expect("k");
    weight.parts[0].shape = vec![20, 40];
    weight.shape = vec![20, 40];
    let message = materialize(&opened.checkpoint, &weight).expect_err("24 rows").to_string();
    for word in
        ["k_proj.weight", "[24, 40]", "[20, 40]", "num_key_value_heads = 2", "head_dim = 12"]
    {
        assert!(message.contains(word), "{message:?} lacks {word:?}");
    }
}

/// Halves give nearly the same logits; the scale of Gemma's embedding is rounded with them.
#[test]
fn half_precision_weights_are_near() {
    for case in ["llama", "gemma3_text"] {
        let opened = Model::with_config(case, config(case, "config.json"));
        let run = |weight_dtype| {
            let options = TraceOptions { weight_dtype, kv_type: weight_dtype.into(), ..F32 };
            let mut runner = Interpreted::new(&opened.model, &opened.checkpoint, options);
            runner.prefill(&mut Pool::new(&options, CONTEXT, 1), &[1, 20, 33, 7], 4)
        };
        let exact = run(DType::F32);
        let (half, brain) =
            (distance(&run(DType::F16), &exact), distance(&run(DType::BF16), &exact));
        println!("{case}: f16 {half}, bf16 {brain}");
        assert!(half > 0.0 && half < 5e-3, "{case}: f16 {half}");
        assert!(brain > half && brain < 5e-2, "{case}: bf16 {brain}");
    }
    let (_, traced) = traced("gemma3_text", TraceOptions { weight_dtype: DType::BF16, ..F32 });
    let scale = traced.graph.nodes.iter().find_map(|node| match &node.op {
        Op::Constant(tyto_graph::Literal::Splat { value, .. }) => Some(*value),
        _ => None,
    });
    // sqrt(32) = 5.65685 is 5.65625 in bf16.
    assert_eq!(scale, Some(5.656_25));
}
