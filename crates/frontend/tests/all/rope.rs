//! Every form of rotary embedding against transformers' numbers and published ones.

use crate::common;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use tyto_frontend::Error;
use tyto_frontend::config::Fields;
use tyto_frontend::rope::{RopeRules, read};
use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{DType, Graph, InputKind, Op, RopeTable, TensorType};

fn rules(head_dim: usize, positions: usize) -> RopeRules {
    RopeRules {
        architecture: "llama",
        head_dim,
        positions,
        theta: 10_000.0,
        original: None,
        partial: true,
        factor: 1.0,
        own: &[],
        sections: false,
        amplitudes: false,
        long_only: false,
    }
}

fn table(config: Value, rules: RopeRules) -> Result<RopeTable, Error> {
    let map = config.as_object().expect("an object").clone();
    read(&Fields::new(Path::new("config.json"), &map), rules)
}

fn yarn(changes: Value) -> RopeTable {
    let mut parameters = json!({
        "rope_type": "yarn", "rope_theta": 150_000.0, "factor": 32.0,
        "beta_fast": 32.0, "beta_slow": 1.0, "original_max_position_embeddings": 4096,
    });
    for (name, value) in changes.as_object().expect("an object") {
        parameters[name] = value.clone();
    }
    table(json!({ "rope_parameters": parameters }), rules(64, 131_072)).expect("yarn")
}

/// What position 1 of a sequence of `length` is turned by, and the amplitude.
fn turned(table: &RopeTable, length: i64) -> (Vec<f32>, f32) {
    let mut graph = Graph::new("angles");
    let ty = TensorType::new(DType::I32, [1]);
    let mut inputs = HashMap::new();
    let mut operands = Vec::new();
    let names: &[&str] =
        if table.needs_length() { &["positions", "lengths"] } else { &["positions"] };
    for (name, value) in names.iter().zip([1, length]) {
        operands.push(graph.add_input(name, ty.clone(), InputKind::Plain));
        let tensor = Tensor::integers(DType::I32, [1], [value]).expect("one index");
        inputs.insert((*name).to_owned(), tensor);
    }
    let angles = graph.add(Op::RopeAngles(table.clone()), &operands).expect("fits");
    graph.add_output("angles", angles);
    let outputs = evaluate(&graph, inputs, &|_| None).expect("runs");
    let (cosines, sines) = {
        let values = outputs["angles"].as_floats().expect("floats");
        values.split_at(values.len() / 2)
    };
    let angle = |(cosine, sine): (&f32, &f32)| f64::from(*sine).atan2(f64::from(*cosine)) as f32;
    (cosines.iter().zip(sines).map(angle).collect(), table.amplitude)
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found / expected - 1.0).abs() <= tolerance, "found {found}, expected {expected}");
}

#[test]
fn published_sizes_match_transformers() {
    let text = fs::read_to_string(common::fixtures().join("rope.json")).expect("rope.json");
    let cases: Vec<Map<String, Value>> = serde_json::from_str(&text).expect("a list");
    assert!(cases.len() >= 20);
    for case in &cases {
        let size = |name: &str| case[name].as_u64().expect("a size") as usize;
        let rules = rules(size("head_dim"), size("max_position_embeddings"));
        let config = json!({ "rope_parameters": case["rope_parameters"] });
        let table = table(config, rules).expect("a table");
        let (found, amplitude) = turned(&table, case["sequence_length"].as_i64().unwrap_or(1));
        close(amplitude.into(), case["attention_factor"].as_f64().expect("a number"), 1e-6);
        let expected = case["inverse_frequencies"].as_array().expect("a list");
        assert_eq!(found.len(), expected.len(), "{}", case["name"]);
        for (found, expected) in found.iter().zip(expected) {
            close((*found).into(), expected.as_f64().expect("a number"), 1e-6);
        }
    }
}

/// Three zones of wavelengths (A8).
#[test]
fn llama3_divides_long_wavelengths_only() {
    let of = |factor: f64, head_dim: usize| {
        let config = json!({ "rope_theta": 500_000.0, "rope_scaling": {
            "rope_type": "llama3", "factor": factor, "low_freq_factor": 1.0,
            "high_freq_factor": 4.0, "original_max_position_embeddings": 8192 } });
        table(config, rules(head_dim, 131_072)).expect("llama3").inverse_frequencies
    };
    let plain = |head_dim: usize| {
        let config = json!({ "rope_theta": 500_000.0 });
        table(config, rules(head_dim, 131_072)).expect("default").inverse_frequencies
    };
    let (small, plain_small) = (of(32.0, 64), plain(64));
    assert_eq!(small[..15], plain_small[..15]);
    for (pair, expected) in [
        (15, 1.290_547_928e-3),
        (16, 4.295_567_966e-4),
        (17, 9.708_287_803e-5),
        (31, 9.418_306_725e-8),
    ] {
        close(small[pair].into(), expected, 2e-7);
    }
    for pair in 18..32 {
        close(small[pair].into(), f64::from(plain_small[pair]) / 32.0, 2e-7);
    }
    let (large, plain_large) = (of(8.0, 128), plain(128));
    assert_eq!(large[..29], plain_large[..29]);
    for (pair, expected) in [(29, 2.166_570_764e-3), (34, 1.785_078_128e-4), (63, 3.068_925_989e-7)]
    {
        close(large[pair].into(), expected, 2e-7);
    }
}

/// `truncate: false` keeps the ramp's ends as they are (A11): from pair 8.0928 to 17.3980.
#[test]
fn yarn_ramps_between_exact_or_truncated_pairs() {
    let (low, high) = (8.092_779_115_512_402, 17.398_024_501_588_56);
    let plain = |pair: usize| 150_000f64.powf(-(2.0 * pair as f64) / 64.0);
    let exact = yarn(json!({ "truncate": false })).inverse_frequencies;
    let truncated = yarn(json!({})).inverse_frequencies;
    for pair in 0..32 {
        for (found, low, high) in [(&exact, low, high), (&truncated, 8.0, 18.0)] {
            let divide = ((pair as f64 - low) / (high - low)).clamp(0.0, 1.0);
            let expected = plain(pair) * (divide / 32.0 + 1.0 - divide);
            close(found[pair].into(), expected, 1e-6);
        }
    }
    assert_ne!(exact, truncated);
}

/// The default, an explicit factor (A12), and the ratio of two scales (A13).
#[test]
fn yarn_attention_factor_has_one_rule() {
    for (factor, expected) in [
        (4.0, 1.138_629_4),
        (8.0, 1.207_944_2),
        (16.0, 1.277_258_9),
        (32.0, 1.346_573_6),
        (40.0, 1.368_887_9),
    ] {
        close(yarn(json!({ "factor": factor })).amplitude.into(), expected, 1e-7);
    }
    assert_eq!(yarn(json!({ "attention_factor": 1.0 })).amplitude, 1.0);
    assert_eq!(yarn(json!({ "mscale": 1.0, "mscale_all_dim": 1.0 })).amplitude, 1.0);
    // One alone, or zero, is none.
    close(yarn(json!({ "mscale": 0.5 })).amplitude.into(), 1.346_573_6, 1e-7);
    close(yarn(json!({ "mscale": 0.5, "mscale_all_dim": 0 })).amplitude.into(), 1.346_573_6, 1e-7);
}

/// A15: `sqrt(1 + ln factor / ln original)`; A16: both lists arrive.
#[test]
fn longrope_has_two_lists_and_an_amplitude() {
    let (short, long) = (vec![1.0; 48], vec![2.0; 48]);
    let config = json!({ "original_max_position_embeddings": 4096, "rope_scaling": {
        "type": "longrope", "short_factor": short, "long_factor": long } });
    let table = table(config, rules(96, 131_072)).expect("longrope");
    close(table.amplitude.into(), 1.190_238_1, 1e-7);
    let (at, _) = turned(&table, 4096);
    let (beyond, _) = turned(&table, 4097);
    for (at, beyond) in at.iter().zip(&beyond) {
        close(f64::from(*at) / f64::from(*beyond), 2.0, 1e-6);
    }
}

/// `type` and `rope_type` are one field (A4, A5); theta lies in or beside the object (A9).
#[test]
fn old_and_new_spellings_are_one() {
    let linear = |scaling: Value| {
        table(json!({ "rope_theta": 5e5, "rope_scaling": scaling }), rules(64, 2048))
            .expect("linear")
    };
    let expected = linear(json!({ "type": "linear", "factor": 4.0 }));
    assert_eq!(linear(json!({ "rope_type": "linear", "factor": 4.0 })), expected);
    assert_eq!(linear(json!({ "rope_type": "linear", "type": "linear", "factor": 4.0 })), expected);
    let new =
        json!({ "rope_parameters": { "rope_type": "linear", "factor": 4.0, "rope_theta": 5e5 } });
    assert_eq!(table(new, rules(64, 2048)).expect("linear"), expected);

    let theta = |config: Value| table(config, rules(64, 2048)).expect("default");
    let inside = theta(json!({ "rope_parameters": { "rope_type": "default", "rope_theta": 5e5 } }));
    assert_eq!(inside, theta(json!({ "rope_theta": 5e5 })));
    assert_eq!(inside, theta(json!({ "rope_theta": 5e5, "rope_scaling": null })));
    assert_ne!(inside, theta(json!({})));
    close(inside.inverse_frequencies[31].into(), 5e5f64.powf(-62.0 / 64.0), 1e-7);
}

/// A7: nothing unknown is passed over, and each refusal names its field.
#[test]
fn unknown_forms_and_fields_are_refused_by_name() {
    let refused =
        |config: Value, rules: RopeRules| table(config, rules).expect_err("a refusal").to_string();
    let scaled = |scaling: Value| refused(json!({ "rope_scaling": scaling }), rules(64, 2048));
    for (message, words) in [
        (
            scaled(json!({ "type": "ntk-by-parts" })),
            vec!["rope_scaling.type", "ntk-by-parts", "llama3"],
        ),
        (scaled(json!({ "rope_type": "mrope" })), vec!["rope_scaling.rope_type", "mrope"]),
        (scaled(json!({ "rope_type": "su" })), vec!["rope_scaling.rope_type", "su"]),
        (
            scaled(json!({ "rope_type": "linear", "factor": 2.0, "mrope_section": [1] })),
            vec!["rope_scaling.mrope_section", "llama"],
        ),
        (scaled(json!({ "rope_type": "linear" })), vec!["rope_scaling.factor", "missing"]),
        (scaled(json!({ "rope_type": "linear", "factor": 0 })), vec!["factor", "above 0"]),
        (scaled(json!({ "rope_type": "linear", "factor": "4" })), vec!["factor", "\"4\""]),
        (
            scaled(json!({ "rope_type": "linear", "type": "yarn", "factor": 2.0 })),
            vec!["rope_scaling.type", "yarn", "linear"],
        ),
        (
            scaled(json!({ "rope_type": "longrope", "short_factor": [1.0], "long_factor": [1.0] })),
            vec!["short_factor", "a list of 1", "a list of 32"],
        ),
        (
            scaled(json!({ "rope_type": "llama3", "factor": 8, "low_freq_factor": 4,
                           "high_freq_factor": 3, "original_max_position_embeddings": 64 })),
            vec!["high_freq_factor", "low_freq_factor, 4"],
        ),
        (scaled(json!("linear")), vec!["rope_scaling", "an object"]),
        (
            refused(
                json!({ "rope_scaling": { "type": "linear", "factor": 2.0 },
                            "rope_parameters": { "rope_type": "default" } }),
                rules(64, 2048),
            ),
            vec!["rope_scaling", "rope_parameters"],
        ),
        (
            refused(
                json!({ "partial_rotary_factor": 0.5 }),
                RopeRules { partial: false, ..rules(64, 2048) },
            ),
            vec!["partial_rotary_factor", "0.5"],
        ),
        (
            refused(
                json!({ "rope_scaling": { "type": "linear", "factor": 2.0 } }),
                RopeRules { long_only: true, ..rules(64, 2048) },
            ),
            vec!["rope_scaling.type", "longrope"],
        ),
        (refused(json!({ "rope_theta": -1.0 }), rules(64, 2048)), vec!["rope_theta", "-1"]),
    ] {
        for word in ["config.json"].iter().chain(&words) {
            assert!(message.contains(word), "{message:?} lacks {word:?}");
        }
    }
}
