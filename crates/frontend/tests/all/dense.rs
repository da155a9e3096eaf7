//! What dense architectures read beside what `config.rs` says of all.

use crate::common::{
    BLOCKS, CONTEXT, F32, Model, Reference, changed, config, copy, distance, fixtures, refusal,
};
use serde_json::{Value, json};
use tyto_checkpoint::Checkpoint;
use tyto_frontend::testing::{Interpreted, Pool};
use tyto_frontend::{StepShape, Traced};
use tyto_graph::Op;

const SHAPE: StepShape = StepShape { batch: 1, tokens: 2, context: CONTEXT, rows: 1 };

fn traced(case: &str, config: Value) -> Traced {
    Model::with_config(case, config).model.trace("step", &SHAPE, &F32).expect("traces")
}

fn refuses(case: &str, changes: Value, words: &[&str]) {
    let message = refusal(case, changed(case, changes));
    for word in words {
        assert!(message.contains(word), "{message:?} lacks {word:?}");
    }
}

/// Ternary matrices keep their codes: 2 bits under one number for all rows.
#[test]
fn ternary_matrices_keep_their_codes() {
    let opened = Model::with_config("bitnet_packed", config("bitnet_packed", "config.json"));
    let traced = opened.model.trace("step", &SHAPE, &BLOCKS).expect("traces");
    let packed = |weight: &&tyto_frontend::WeightUse| weight.name.contains("_proj");
    for weight in traced.weights.iter().filter(packed) {
        let layout = weight.layout.to_string();
        assert_eq!(layout, "blocks 2-bit group 32 unscaled middle row-scaled", "{}", weight.name);
    }
    let file = fixtures().join("bitnet_packed/reference.safetensors");
    let reference = Reference::open(&file);
    let mut runner = Interpreted::new(&opened.model, &opened.checkpoint, BLOCKS);
    let found = runner.prefill(&mut Pool::new(&BLOCKS, CONTEXT, 5), &reference.prompt, 16);
    let distance = distance(&found, &reference.logits);
    assert!(distance <= 1e-4, "{distance}");
}

/// Settings under which the packed numbers would mean something else.
#[test]
fn other_ternary_settings_are_refused() {
    for (field, value) in [("quantization_mode", json!("online")), ("use_rms_norm", json!(true))] {
        let mut config = config("bitnet_packed", "config.json");
        config["quantization_config"][field] = value;
        let directory = copy("bitnet_packed", &config);
        let error = Checkpoint::open(directory.path()).err().expect("a refusal").to_string();
        assert!(error.contains(field) && error.contains("config.json"), "{error}");
    }
}

/// `bitlinear` divides by the number that `autobitlinear` multiplies with.
#[test]
fn ternary_matrices_are_divided_where_the_class_says_so() {
    let first = |class: &str| {
        let mut config = config("bitnet_packed", "config.json");
        config["quantization_config"]["linear_class"] = json!(class);
        let directory = copy("bitnet_packed", &config);
        let checkpoint = Checkpoint::open(directory.path()).expect("a checkpoint");
        let tensor = checkpoint.tensor("model.layers.0.mlp.up_proj.weight").expect("a tensor");
        tensor.to_f32().expect("floats").into_iter().find(|value| *value > 0.0).expect("a 1")
    };
    let (multiplied, divided) = (first("autobitlinear"), first("bitlinear"));
    assert!((multiplied * divided - 1.0).abs() < 1e-6, "{multiplied} {divided}");
}

/// The first files call the hyperbolic-tangent form of GELU plainly by its name.
#[test]
fn gemma_has_one_gelu() {
    let plain = traced("gemma", config("gemma", "config.json"));
    assert!(traced("gemma", changed("gemma", json!({ "hidden_act": "gelu" }))) == plain);
    refuses("gemma", json!({ "hidden_act": "relu" }), &["hidden_act", "relu", "gelu"]);
}

/// Without a word of its scaling the embedding would be another.
#[test]
fn scaled_rotary_embeddings_must_be_said() {
    for case in ["apertus", "cwm", "ministral3"] {
        refuses(case, json!({ "rope_parameters": null }), &["rope_parameters", "config.json"]);
    }
}

#[test]
fn lists_of_layers_fit_the_layers() {
    refuses("smollm3", json!({ "no_rope_layers": [1, 0] }), &["no_rope_layers", "a list of 2"]);
    refuses("solar", json!({ "bskcn_3": [0] }), &["bskcn_3", "0", "bskcn_1"]);
    refuses("solar", json!({ "bskcn_1": [5] }), &["bskcn_1", "0 to 4"]);
    let mut null = changed("olmo3", json!({}));
    null["sliding_window"] = Value::Null;
    assert!(refusal("olmo3", null).contains("layer_types"));
}

/// Forms whose tables are made anew with the length cannot be turned round.
#[test]
fn nanochat_turns_fixed_angles_only() {
    let dynamic = json!({ "rope_type": "dynamic", "rope_theta": 1e4, "factor": 2.0 });
    refuses("nanochat", json!({ "rope_parameters": dynamic }), &["rope_parameters", "length"]);
}

/// Beside `layer_types` EXAONE's pattern may be a text, and without a window every layer turns.
#[test]
fn exaone_turns_where_it_looks() {
    let turns = |changes: Value| {
        let nodes = traced("exaone4", changed("exaone4", changes)).graph.nodes;
        nodes.iter().filter(|node| matches!(node.op, Op::Rope)).count()
    };
    assert_eq!(turns(json!({ "sliding_window_pattern": "LLLG" })), 6);
    assert_eq!(turns(json!({ "layer_types": null, "sliding_window_pattern": 2 })), 4);
}
