//! Models that make vectors of texts against transformers, by the interpreter over a paged cache.

use tempfile::TempDir;
use tyto_checkpoint::{Checkpoint, Pooling, SentenceModules};
use tyto_frontend::testing::{Interpreted, Pool};
use tyto_frontend::{LoadedModel, Purpose, StepShape};

use crate::common::{CONTEXT, F32, Pair, distance, embedding_rows, fixtures, scored_pair};

/// The bound on a number, relative to the largest of its vector.
const TOLERANCE: f32 = 1e-4;

/// Tokens of the texts of a reference.
const LENGTHS: [usize; 3] = [1, 11, 40];

fn open(case: &str) -> (Checkpoint, LoadedModel) {
    let checkpoint = Checkpoint::open(&fixtures().join(case)).expect("a checkpoint");
    let model = tyto_frontend::open(&checkpoint).unwrap_or_else(|error| panic!("{error}"));
    (checkpoint, model)
}

fn modules(model: &LoadedModel) -> SentenceModules {
    match &model.facts().purpose {
        Purpose::Embedding(modules) => modules.clone(),
        other => panic!("a model that makes vectors, not {other:?}"),
    }
}

/// The vector of rows, of length 1.
fn pooled(rows: &[Vec<f32>], pooling: Pooling) -> Vec<f32> {
    let mean = |column: usize| rows.iter().map(|row| row[column]).sum::<f32>() / rows.len() as f32;
    let vector: Vec<f32> = match pooling {
        Pooling::Last => rows[rows.len() - 1].clone(),
        Pooling::First => rows[0].clone(),
        Pooling::Mean => (0..rows[0].len()).map(mean).collect(),
    };
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.iter().map(|value| value / length).collect()
}

#[test]
fn vectors_are_transformers_by_every_pooling() {
    for pair in Pair::of("index.embeddings.json") {
        let (checkpoint, model) = open(&pair.case);
        let (prompt, _) = embedding_rows(&pair, "rows");
        for (at, length) in LENGTHS.into_iter().enumerate() {
            let mut runner = Interpreted::new(&model, &checkpoint, F32);
            let mut pool = Pool::new(&F32, CONTEXT, 7);
            let rows = runner.prefill(&mut pool, &prompt[..length], length);
            for (name, pooling) in
                [("last", Pooling::Last), ("mean", Pooling::Mean), ("first", Pooling::First)]
            {
                let (_, expected) = embedding_rows(&pair, name);
                let found = distance(&[pooled(&rows, pooling)], &expected[at..=at]);
                assert!(found <= TOLERANCE, "{}, {name} of {length}: {found}", pair.case);
            }
        }
    }
}

#[test]
fn what_a_reader_of_the_files_learns() {
    let (_, model) = open("embed_qwen3");
    let modules = modules(&model);
    assert_eq!((modules.pooling, modules.normalize), (Pooling::Last, true));
    assert_eq!(modules.prompts.get("query").map(String::as_str), Some("find: "));
    assert_eq!((modules.default_prompt, modules.max_length), (None, None));
    assert_eq!((model.facts().width, model.facts().vocab_size), (20, 128));
}

/// A copy of a fixture with one file changed, and what is said of it.
fn refused(case: &str, file: &str, old: &str, new: &str) -> String {
    let directory = changed(case, file, old, new);
    let opened = Checkpoint::open(directory.path()).map_err(|error| error.to_string());
    let opened = opened.map(|checkpoint| tyto_frontend::open(&checkpoint).err());
    match opened {
        Err(message) => message,
        Ok(error) => error.expect("a refusal").to_string(),
    }
}

fn changed(case: &str, file: &str, old: &str, new: &str) -> TempDir {
    let directory = TempDir::new().expect("a directory");
    copy(&fixtures().join(case), directory.path());
    let path = directory.path().join(file);
    let text = std::fs::read_to_string(&path).expect("a file");
    assert!(text.contains(old), "{old} is not in {file}");
    std::fs::write(&path, text.replacen(old, new, 1)).expect("written");
    directory
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            std::fs::create_dir(&target).expect("a folder");
            copy(&path, &target);
        } else {
            std::fs::copy(&path, target).expect("a copy");
        }
    }
}

#[test]
fn files_that_would_make_other_vectors_are_refused_by_name() {
    let (pooling, last) = ("1_Pooling/config.json", "\"pooling_mode_lasttoken\": true");
    let cases = [
        (pooling, last, "\"pooling_mode_max_tokens\": true", "max"),
        (pooling, last, "\"pooling_mode_lasttoken\": false", "lasttoken, mean and cls"),
        (pooling, "\"include_prompt\": true", "\"include_prompt\": false", "include_prompt"),
        ("modules.json", "models.Normalize", "models.WeightedLayerPooling", "WeightedLayerPooling"),
        ("modules.json", "1_Pooling", "../1_Pooling", "a folder of the model's own"),
        ("modules.json", "models.Transformer", "models.CLIPModel", "CLIPModel"),
        (
            "config_sentence_transformers.json",
            "\"default_prompt_name\": null",
            "\"default_prompt_name\": \"other\"",
            "default_prompt_name",
        ),
        (
            "sentence_bert_config.json",
            "\"do_lower_case\": false",
            "\"do_lower_case\": true",
            "do_lower_case",
        ),
        ("config.json", "Qwen3Model", "Qwen3MoeModel", "Qwen3MoeModel"),
    ];
    for (file, old, new, said) in cases {
        let message = refused("embed_qwen3", file, old, new);
        assert!(message.contains(said), "{said:?} is not in {message}");
    }
}

#[test]
fn a_model_without_a_head_needs_the_files_that_say_what_it_is_for() {
    let directory = changed("embed_qwen3", "modules.json", "[", "[");
    std::fs::remove_file(directory.path().join("modules.json")).expect("it was there");
    let checkpoint = Checkpoint::open(directory.path()).expect("a checkpoint");
    let message = tyto_frontend::open(&checkpoint).err().expect("a refusal").to_string();
    assert!(message.contains("modules.json does not stand beside it"), "{message}");
}

#[test]
fn matrices_behind_the_pooling_are_part_of_a_step() {
    let (_, model) = open("embed_gemma3");
    let dense = modules(&model).dense;
    let widths: Vec<[usize; 2]> = dense.iter().map(|one| [one.inputs, one.outputs]).collect();
    assert_eq!((widths, model.facts().width), (vec![[20, 28], [28, 20]], 20));
    let file = "3_Dense/config.json";
    let message = refused("embed_gemma3", file, "\"in_features\": 28", "\"in_features\": 27");
    assert!(message.contains("in_features") && message.contains("28, the width"), "{message}");
    let message = refused("embed_gemma3", file, "linear.Identity", "activation.Tanh");
    assert!(message.contains("Identity behind a mean"), "{message}");
}

/// A batch would show each text those beside it.
#[test]
fn a_text_that_is_computed_whole_is_alone_in_its_step() {
    let (_, model) = open("embed_bert");
    assert!(model.facts().whole && model.facts().memory.iter().all(|layer| layer.kv.is_none()));
    let shape = StepShape { batch: 2, tokens: 4, context: CONTEXT, rows: 2 };
    let error = model.trace("step", &shape, &F32).expect_err("a refusal").to_string();
    assert!(error.contains("batch") && error.contains("every token sees"), "{error}");
}

#[test]
fn a_head_of_one_label_gives_transformers_score() {
    for (case, segments) in [("rerank_bert", 2), ("rerank_qwen3", 1)] {
        let (checkpoint, model) = open(case);
        let pair = Pair {
            case: case.to_owned(),
            dtype: "float32".to_owned(),
            config: "config.json".to_owned(),
            reference: "reference.safetensors".to_owned(),
        };
        let vocabulary = model.facts().vocab_size as i64;
        assert_eq!((model.facts().segments, model.facts().width), (segments, 1));
        let (ids, kinds, scores) = scored_pair(&pair);
        let ids: Vec<i64> = ids
            .iter()
            .zip(&kinds)
            .map(|(id, kind)| id + vocabulary * (*kind).min(segments as i64 - 1))
            .collect();
        let mut runner = Interpreted::new(&model, &checkpoint, F32);
        let rows = runner.prefill(&mut Pool::new(&F32, CONTEXT, 5), &ids, ids.len());
        let row = if case == "rerank_bert" { &rows[0] } else { &rows[rows.len() - 1] };
        let found = distance(std::slice::from_ref(row), &[vec![scores[0]]]);
        assert!(found <= TOLERANCE, "{case}: {found}");
    }
    let message =
        refused("rerank_bert", "config.json", "\"0\": \"LABEL_0\"", "\"0\": \"A\", \"1\": \"B\"");
    assert!(message.contains("num_labels"), "{message}");
}
