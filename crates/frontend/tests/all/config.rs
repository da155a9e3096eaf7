//! Configurations, right and wrong: each refusal names file, field, found and expected.

use crate::common::{CONTEXT, F32, Model, changed, config, copy, refusal, refusal_at};
use serde_json::{Value, json};
use tyto_checkpoint::Checkpoint;
use tyto_frontend::{StepShape, Traced};
use tyto_graph::Op;

const SHAPE: StepShape = StepShape { batch: 1, tokens: 2, context: CONTEXT, rows: 1 };

fn traced(case: &str, config: Value) -> Traced {
    Model::with_config(case, config).model.trace("step", &SHAPE, &F32).expect("traces")
}

fn says(message: &str, words: &[&str]) {
    for word in words {
        assert!(message.contains(word), "{message:?} lacks {word:?}");
    }
}

/// The window of each layer.
fn windows(case: &str, config: Value) -> Vec<Option<usize>> {
    let nodes = traced(case, config).graph.nodes;
    let window = |node: &tyto_graph::Node| match node.op {
        Op::PagedAttention(attrs) => Some(attrs.window),
        _ => None,
    };
    nodes.iter().filter_map(window).collect()
}

/// A1: null is absent.
#[test]
fn a_null_head_dim_is_an_absent_one() {
    let said = traced("llama_linear", changed("llama_linear", json!({ "head_dim": 16 })));
    let absent = changed("llama_linear", json!({ "head_dim": null }));
    let mut null = absent.clone();
    null["head_dim"] = Value::Null;
    assert!(null.as_object().expect("an object").contains_key("head_dim"));
    assert!(traced("llama_linear", absent) == said);
    assert!(traced("llama_linear", null) == said);
}

/// A3: a dropped head_dim shows as a wrong shape, with the fields that gave it.
#[test]
fn a_wrong_shape_names_tensor_shapes_and_fields() {
    let message = refusal("llama", changed("llama", json!({ "head_dim": null })));
    says(&message, &["q_proj.weight", "[48, 40]", "[40, 40]", "config.json"]);
    says(&message, &["hidden_size = 40", "num_attention_heads = 4", "head_dim absent"]);
    says(&message, &["num_key_value_heads = 2"]);
}

/// A17: what slides in Qwen.
#[test]
fn qwen_slides_where_its_config_says() {
    let of = |changes: Value| windows("qwen2", changed("qwen2", changes));
    let (none, all) = (vec![None; 4], vec![Some(7); 4]);
    let types = |list: [&str; 4]| list.map(|kind| format!("{kind}_attention"));
    let mixed = types(["sliding", "full", "sliding", "full"]);
    let full = types(["full", "full", "full", "full"]);

    let from = |layer: Value| of(json!({ "layer_types": null, "max_window_layers": layer }));
    assert_eq!(from(json!(0)), all);
    assert_eq!(from(json!(2)), [None, None, Some(7), Some(7)]);
    assert_eq!(from(json!(4)), none);
    assert_eq!(from(Value::Null), none, "28 by default");
    assert_eq!(of(json!({ "layer_types": mixed })), [Some(7), None, Some(7), None]);
    let off = json!({ "layer_types": null, "max_window_layers": 0, "use_sliding_window": false });
    assert_eq!(of(off), none);
    assert_eq!(of(json!({ "layer_types": full, "use_sliding_window": false })), none);
    let off = json!({ "layer_types": mixed, "use_sliding_window": false });
    says(&refusal("qwen2", changed("qwen2", off)), &["layer_types", "full_attention", "window"]);
    let short = json!({ "layer_types": ["full_attention"] });
    says(&refusal("qwen2", changed("qwen2", short)), &["layer_types", "a list of 1", "4 entries"]);
    let odd = json!({ "layer_types": types(["full", "full", "chunked", "full"]) });
    says(&refusal("qwen2", changed("qwen2", odd)), &["layer_types", "chunked_attention"]);
}

/// As the authors of MiniMax-Text-01 and M1 name fields and list layers.
#[test]
fn minimax_is_read_as_its_authors_spell_it() {
    let spelled = |changes: Value| {
        let mut config = changed("minimax", changes);
        let fields = config.as_object_mut().expect("an object");
        let list = json!(["MiniMaxM1ForCausalLM"]);
        fields.extend([("model_type".into(), json!("minimax_m1")), ("architectures".into(), list)]);
        for (of, name) in
            [("linear_attn", "linear_attention"), ("full_attn", "full_attention"), ("mlp", "mlp")]
        {
            for factor in ["alpha", "beta"] {
                let value = fields.remove(&format!("{of}_{factor}_factor")).expect("it is said");
                fields.insert(format!("layernorm_{name}_{factor}"), value);
            }
        }
        config
    };
    let published = json!({
        "layer_types": null, "attn_type_list": [1, 0, 1], "postnorm": true, "shared_moe_mode": "sigmoid",
        "shared_intermediate_size": 0, "rotary_dim": 6
    });
    let plain = traced("minimax", config("minimax", "config.json"));
    assert!(traced("minimax", spelled(published)) == plain);
    assert!(traced("minimax", spelled(json!({ "rotary_dim": 4 }))) != plain, "it turns less");
    let refused = |changes: Value| refusal("minimax", spelled(changes));
    says(&refused(json!({ "attn_type_list": [1, 0] })), &["attn_type_list", "3 entries"]);
    says(&refused(json!({ "postnorm": false })), &["postnorm", "true"]);
}

#[test]
fn mistral_has_a_window_unless_it_is_null() {
    assert_eq!(windows("mistral", changed("mistral", json!({}))), [Some(7); 2]);
    assert_eq!(
        windows("mistral", changed("mistral", json!({ "sliding_window": null }))),
        [Some(4096); 2]
    );
    let mut null = changed("mistral", json!({}));
    null["sliding_window"] = Value::Null;
    assert_eq!(windows("mistral", null), [None; 2]);
    let zero = changed("mistral", json!({ "sliding_window": 0 }));
    says(&refusal("mistral", zero), &["sliding_window", "0", "from 1"]);
}

/// Gemma's layers alternate by `layer_types` or the older pattern; each kind has its base.
#[test]
fn gemma_layers_alternate() {
    let expected = [Some(7), Some(7), None, Some(7), Some(7), None];
    assert_eq!(windows("gemma3_text", config("gemma3_text", "config.v4.json")), expected);
    let pattern =
        changed("gemma3_text", json!({ "layer_types": null, "sliding_window_pattern": 2 }));
    let expected = [Some(7), None, Some(7), None, Some(7), None];
    assert_eq!(windows("gemma3_text", pattern), expected);
    let mut null = changed("gemma3_text", json!({}));
    null["sliding_window"] = Value::Null;
    says(&refusal("gemma3_text", null), &["layer_types", "window"]);
}

/// A9, nested: the bases of both kinds arrive, and one kind's form does not leak.
#[test]
fn gemma_reads_nested_rotary_parameters() {
    let base = |local: f64, global: f64| {
        let config = changed(
            "gemma3_text",
            json!({ "rope_parameters": {
            "sliding_attention": { "rope_type": "default", "rope_theta": local },
            "full_attention": { "rope_type": "default", "rope_theta": global } } }),
        );
        let nodes = traced("gemma3_text", config).graph.nodes;
        let second = |node: &tyto_graph::Node| match &node.op {
            Op::RopeAngles(table) => Some(table.inverse_frequencies[1]),
            _ => None,
        };
        nodes.iter().filter_map(second).collect::<Vec<f32>>()
    };
    let of = |theta: f64| theta.powf(-2.0 / 12.0) as f32;
    assert_eq!(base(1e4, 1e6), [of(1e4), of(1e6)]);
    assert_eq!(base(5e3, 7e5), [of(5e3), of(7e5)]);
    let flat = changed(
        "gemma3_text",
        json!({
        "rope_parameters": { "rope_type": "default", "rope_theta": 1e6 } }),
    );
    says(&refusal("gemma3_text", flat), &["rope_parameters.rope_"]);
    let unknown = changed(
        "gemma3_text",
        json!({ "rope_parameters": {
        "full_attention": { "rope_type": "spiral" } } }),
    );
    says(&refusal("gemma3_text", unknown), &["rope_parameters.full_attention.rope_type", "spiral"]);
}

/// A19: which architecture it is, and which there are.
#[test]
fn an_unknown_architecture_is_refused_by_name() {
    let t5 = json!({ "architectures": ["T5ForConditionalGeneration"], "model_type": "t5", "d_model": 8 });
    says(
        &refusal("llama", t5),
        &["T5ForConditionalGeneration", "t5", "llama", "qwen3", "config.json"],
    );
    let nothing = refusal("llama", json!({}));
    says(&nothing, &["model_type absent", "supported"]);
    let classifier = json!({ "architectures": ["LlamaForSequenceClassification"] });
    says(&refusal("llama", changed("llama", classifier)), &["LlamaForSequenceClassification"]);
    let mixed = json!({ "model_type": "qwen2" });
    says(&refusal("llama", changed("llama", mixed)), &["LlamaForCausalLM", "qwen2"]);
    let text = json!({ "architectures": "LlamaForCausalLM" });
    says(&refusal("llama", changed("llama", text)), &["architectures", "a list of texts"]);
}

/// Either name alone is enough.
#[test]
fn one_name_of_the_architecture_is_enough() {
    let plain = traced("llama", changed("llama", json!({})));
    assert!(traced("llama", changed("llama", json!({ "architectures": null }))) == plain);
    assert!(traced("llama", changed("llama", json!({ "model_type": null }))) == plain);
}

#[test]
fn fields_that_change_the_maths_are_refused_unread() {
    for (case, field, value) in [
        ("llama", "sliding_window", json!(128)),
        ("llama", "rope_interleaved", json!(true)),
        ("llama", "num_local_experts", json!(8)),
        ("llama", "logit_scale", json!(0.5)),
        ("llama", "is_encoder_decoder", json!(true)),
        ("mistral", "attention_bias", json!(true)),
        ("mistral", "layer_types", json!(["full_attention", "full_attention"])),
        ("qwen2", "attention_bias", json!(true)),
        ("qwen3", "mlp_bias", json!(true)),
        ("phi3", "attention_bias", json!(true)),
    ] {
        let config = changed(case, json!({ field: value }));
        says(&refusal(case, config), &["config.json", field, case, "refused"]);
    }
    // Nothing can be written by what sees behind itself.
    let both_ways = changed("gemma3_text", json!({ "use_bidirectional_attention": true }));
    says(&refusal("gemma3_text", both_ways), &["config.json", "gemma3_text", "modules.json"]);
    says(
        &refusal("llama", changed("llama", json!({ "partial_rotary_factor": 0.5 }))),
        &["partial_rotary_factor", "0.5", "expected 1"],
    );
    says(
        &refusal("llama", changed("llama", json!({ "hidden_act": "softplus" }))),
        &["hidden_act", "softplus", "silu"],
    );
}

/// Notes, ids, training's fields and neutral values are no reason to refuse.
#[test]
fn harmless_fields_change_nothing() {
    let plain = traced("llama", changed("llama", json!({})));
    let with = changed(
        "llama",
        json!({
            "_attn_implementation": "sdpa", "_commit_hash": "abc", "torch_dtype": "float16",
            "transformers.js_config": { "kv_cache_dtype": "fp16" }, "is_llama_config": true,
            "rope_interleaved": false, "attention_dropout": 0.1, "eos_token_id": [2, 3],
            "auto_map": { "AutoModelForCausalLM": "x.Y" }, "unsloth_fixed": true,
            "some_switch": false, "some_list": [], "some_text": "", "some_object": {},
        }),
    );
    assert!(traced("llama", with) == plain);
    let mut null = changed("llama", json!({}));
    null["quantization_config"] = Value::Null;
    assert!(traced("llama", null) == plain);
}

#[test]
fn absurd_sizes_are_refused() {
    for (field, value, words) in [
        ("hidden_size", json!(0), ["0", "from 1"]),
        ("hidden_size", json!(-40), ["-40", "from 1"]),
        ("hidden_size", json!(40.5), ["40.5", "from 1"]),
        ("hidden_size", json!("40"), ["\"40\"", "from 1"]),
        ("hidden_size", json!(u64::MAX), ["18446744073709551615", "1048576"]),
        ("num_hidden_layers", json!(0), ["0", "from 1"]),
        ("num_hidden_layers", json!(100_000), ["100000", "4096"]),
        ("num_attention_heads", json!(0), ["0", "from 1"]),
        ("num_key_value_heads", json!(3), ["3", "a divisor of num_attention_heads, 4"]),
        ("num_key_value_heads", json!(8), ["8", "from 1 to 4"]),
        ("head_dim", json!(13), ["13", "even"]),
        ("vocab_size", json!(1u64 << 40), ["1099511627776", "16777216"]),
        ("max_position_embeddings", json!(0), ["0", "from 1"]),
        ("max_position_embeddings", json!(1u64 << 32), ["4294967296", "1073741824"]),
        ("rms_norm_eps", json!(0.0), ["0", "above 0"]),
        ("rms_norm_eps", json!("1e-5"), ["1e-5", "a finite number"]),
        ("attention_bias", json!("true"), ["\"true\"", "true or false"]),
    ] {
        let message = refusal("llama", changed("llama", json!({ field: value })));
        says(&message, &["config.json", field]);
        says(&message, &words);
    }
    let odd = changed(
        "llama",
        json!({ "head_dim": null, "num_attention_heads": 3,
                                       "num_key_value_heads": 1 }),
    );
    says(&refusal("llama", odd), &["num_attention_heads", "3", "a divisor of hidden_size, 40"]);
    for field in ["hidden_size", "vocab_size", "rms_norm_eps", "max_position_embeddings"] {
        let message = refusal("llama", changed("llama", json!({ field: null })));
        says(&message, &["config.json", field, "missing"]);
    }
    let message = refusal("mistral", changed("mistral", json!({ "num_key_value_heads": null })));
    says(&message, &["num_key_value_heads", "missing"]);
}

/// What recurrent layers are told fits together, or is refused; nothing odd panics.
#[test]
fn recurrent_layers_that_contradict_themselves_are_refused() {
    let infinite = json!({ "__float__": "Infinity" });
    for (case, field, value, words) in [
        ("mamba2", "expand", json!(3), ["3", "2, num_heads times head_dim"]),
        ("mamba2", "n_groups", json!(4), ["4", "a divisor of num_heads, 6"]),
        ("mamba2", "conv_kernel", json!(1), ["1", "from 2"]),
        ("mamba2", "hidden_act", json!("gelu_new"), ["gelu_new", "silu"]),
        ("mamba2", "rms_norm", json!(false), ["false", "true"]),
        ("mamba2", "time_step_limit", json!([0.5, 0.1]), ["0.5", "two numbers"]),
        ("mamba2", "time_step_limit", json!([0.5]), ["0.5", "two numbers"]),
        ("mamba2", "time_step_limit", json!([infinite, 1]), ["Infinity", "two numbers"]),
        ("mamba2", "max_position_embeddings", json!(64), ["64", "not understood"]),
        ("qwen3_next", "attention_bias", json!(true), ["true", "false"]),
        ("qwen3_next", "linear_num_value_heads", json!(3), ["3", "linear_num_key_heads, 2"]),
        ("qwen3_next", "linear_conv_kernel_dim", json!(1), ["1", "from 2"]),
        ("qwen3_next", "layer_types", json!(["full_attention"]), ["a list of 1", "4 entries"]),
        ("qwen3_next", "layer_types", json!(["x", "x", "x", "x"]), ["\"x\"", "linear_attention"]),
    ] {
        let message = refusal(case, changed(case, json!({ field: value })));
        says(&message, &["config.json", field]);
        says(&message, &words);
    }
    let odd = [json!(0), json!(1), json!(-1), json!(1e308), json!(u64::MAX), json!([]), json!("x")];
    for case in ["mamba2", "qwen3_next"] {
        let plain = changed(case, json!({}));
        let directory = copy(case, &plain);
        let recurrent = ["linear_", "num_heads", "head_dim", "n_groups", "expand", "time_step"];
        let fields = plain.as_object().expect("an object").keys();
        for field in fields.filter(|field| recurrent.iter().any(|name| field.contains(name))) {
            for value in &odd {
                let mut config = plain.clone();
                config[field] = value.clone();
                let file = directory.path().join("config.json");
                std::fs::write(file, config.to_string()).expect("a config");
                let checkpoint = Checkpoint::open(directory.path()).expect("JSON");
                match tyto_frontend::open(&checkpoint) {
                    Ok(model) => drop(model.trace("step", &SHAPE, &F32).expect("traces")),
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
        }
    }
}

/// A vocabulary that is not the embedding's shows as its shape.
#[test]
fn a_wrong_vocabulary_names_the_embedding() {
    for size in [127, 129] {
        let message = refusal("llama", changed("llama", json!({ "vocab_size": size })));
        says(&message, &["embed_tokens.weight", "[128, 40]", &size.to_string()]);
    }
}

/// A tensor that nothing reads is no harmless extra: the config says that there are no biases.
#[test]
fn a_tensor_left_over_is_refused() {
    let message = refusal("llama", changed("llama", json!({ "attention_bias": false })));
    says(&message, &["self_attn.", ".bias", "llama", "model.safetensors", "config.json"]);
    let message = refusal("llama", changed("llama", json!({ "num_hidden_layers": 1 })));
    says(&message, &["model.layers.1."]);
    let message = refusal("llama", changed("llama", json!({ "num_hidden_layers": 3 })));
    says(&message, &["model.layers.2.", "missing"]);
}

/// Every field of every case with every odd value: an answer or a refusal, never a panic.
#[test]
fn odd_values_never_panic() {
    let odd = [
        json!(null),
        json!(0),
        json!(1),
        json!(-1),
        json!(3),
        json!(0.5),
        json!(1e308),
        json!(u64::MAX),
        json!(1_000_000),
        json!(true),
        json!("x"),
        json!("longrope"),
        json!([]),
        json!([1, "x"]),
        json!({}),
        json!({ "rope_type": "yarn", "factor": 1e308 }),
        json!({ "rope_type": "dynamic", "factor": 2 }),
        json!({ "rope_type": "longrope", "short_factor": [], "long_factor": null }),
        json!({ "full_attention": 3, "sliding_attention": { "rope_theta": 1.0 } }),
    ];
    for case in ["llama", "mistral", "qwen2", "qwen3", "gemma3_text", "phi3_longrope"] {
        let plain = changed(case, json!({}));
        let directory = copy(case, &plain);
        let mut fields: Vec<String> =
            plain.as_object().expect("an object").keys().cloned().collect();
        fields.extend(["rope_scaling", "rope_theta", "partial_rotary_factor"].map(str::to_owned));
        for field in &fields {
            for value in &odd {
                let mut config = plain.clone();
                config[field] = value.clone();
                let file = directory.path().join("config.json");
                std::fs::write(file, config.to_string()).expect("a config");
                let Ok(checkpoint) = Checkpoint::open(directory.path()) else { continue };
                match tyto_frontend::open(&checkpoint) {
                    Ok(model) => drop(model.trace("step", &SHAPE, &F32).expect("traces")),
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
        }
    }
}

/// A directory with a config and no weights names the first tensor.
#[test]
fn missing_weights_are_named() {
    let directory = copy("llama_tied", &changed("llama_tied", json!({})));
    std::fs::remove_file(directory.path().join("model.safetensors")).expect("removed");
    assert!(Checkpoint::open(directory.path()).is_err());
    let one_layer = changed("llama_tied", json!({ "num_hidden_layers": 5 }));
    let directory = copy("llama_tied", &one_layer);
    says(&refusal_at(directory.path()), &["model.layers.2.", "missing"]);
}
