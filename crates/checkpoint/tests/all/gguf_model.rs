//! GGUF models as transformers sees them: names, values and configuration.

use crate::common::gguf::{File, Value, counting, tiny};
use crate::common::{open_gguf, refused};
use serde_json::{Value as Json, json};
use tyto_checkpoint::{Checkpoint, StoredType};

fn open(file: &File) -> Checkpoint {
    open_gguf(&file.bytes()).expect("valid")
}

fn values(checkpoint: &Checkpoint, name: &str) -> Vec<f32> {
    checkpoint.tensor(name).unwrap_or_else(|| panic!("{name} is there")).to_f32().expect("floats")
}

/// What llama.cpp's converter does to query and key rows, as it is written there: each head's rows
/// seen as [2, half, ...] with the first two axes swapped.
fn interleave(rows: &[Vec<f32>], heads: usize) -> Vec<f32> {
    let half = rows.len() / heads / 2;
    let mut out = Vec::new();
    for head in rows.chunks(rows.len() / heads) {
        for at in 0..half {
            out.extend(&head[at]);
            out.extend(&head[half + at]);
        }
    }
    out
}

#[test]
fn llama_query_and_key_rows_come_back_in_order() {
    let rows = |count: usize| (0..count).map(|r| vec![r as f32; 8]).collect::<Vec<_>>();
    let bias: Vec<Vec<f32>> = (0..8).map(|r| vec![r as f32]).collect();
    let file = tiny("llama")
        .tensor_f32("blk.0.attn_q.weight", &[8, 8], &interleave(&rows(8), 2))
        .tensor_f32("blk.0.attn_q.bias", &[8], &interleave(&bias, 2))
        .tensor_f32("blk.0.attn_k.weight", &[4, 8], &interleave(&rows(4), 1))
        .tensor_f32("blk.0.attn_v.weight", &[4, 8], &counting(32));
    let checkpoint = open(&file);
    assert_eq!(values(&checkpoint, "model.layers.0.self_attn.q_proj.weight"), rows(8).concat());
    assert_eq!(values(&checkpoint, "model.layers.0.self_attn.q_proj.bias"), bias.concat());
    assert_eq!(values(&checkpoint, "model.layers.0.self_attn.k_proj.weight"), rows(4).concat());
    assert_eq!(values(&checkpoint, "model.layers.0.self_attn.v_proj.weight"), counting(32));
    let query = checkpoint.tensor("model.layers.0.self_attn.q_proj.weight").expect("there");
    assert_eq!(query.bytes(), None, "the stored rows are not the tensor's");
    let mut stored = vec![0; query.stored_len()];
    query.write_stored(&mut stored).expect("fits");
    let expected: Vec<u8> = rows(8).concat().iter().flat_map(|v| v.to_le_bytes()).collect();
    assert_eq!(stored, expected);
    assert_eq!(checkpoint.config()["attention_bias"], true);
}

#[test]
fn rows_of_blocks_are_reordered_without_decoding() {
    // Eight rows of one Q8_0 block, scale 1, codes equal to the stored row's number.
    let block = |row: u8| [vec![0x00, 0x3c], vec![row; 32]].concat();
    let stored: Vec<u8> = (0..8).flat_map(block).collect();
    let file = tiny("llama")
        .replace("llama.embedding_length", 32)
        .replace("llama.attention.key_length", 4);
    let checkpoint = open(&file.tensor("blk.0.attn_q.weight", &[8, 32], 8, stored));
    let query = checkpoint.tensor("model.layers.0.self_attn.q_proj.weight").expect("there");
    assert_eq!(query.dtype, StoredType::Q8_0);
    let expected = [0u8, 2, 1, 3, 4, 6, 5, 7];
    let firsts: Vec<f32> = query.to_f32().expect("floats").chunks(32).map(|row| row[0]).collect();
    assert_eq!(firsts, expected.map(f32::from));
    let mut out = vec![0; query.stored_len()];
    query.write_stored(&mut out).expect("fits");
    assert_eq!(out, expected.iter().flat_map(|&row| block(row)).collect::<Vec<u8>>());
}

#[test]
fn rows_that_heads_do_not_divide_are_refused() {
    let odd = tiny("llama").tensor_f32("blk.0.attn_q.weight", &[6, 8], &counting(48));
    refused(open_gguf(&odd.bytes()), &["blk.0.attn_q.weight", "[6, 8]", "2 heads"]);
}

#[test]
fn qwen_rows_stay_and_its_names_map() {
    let file = tiny("qwen3")
        .set("qwen3.attention.key_length", 4)
        .tensor_f32("blk.0.attn_q.weight", &[8, 8], &counting(64))
        .tensor_f32("blk.0.attn_q_norm.weight", &[4], &counting(4))
        .tensor_f32("blk.0.attn_k_norm.weight", &[4], &counting(4))
        .tensor_f32("blk.0.ffn_norm.weight", &[8], &counting(8))
        .tensor_f32("output.weight", &[12, 8], &counting(96));
    let checkpoint = open(&file);
    assert_eq!(values(&checkpoint, "model.layers.0.self_attn.q_proj.weight"), counting(64));
    assert_eq!(values(&checkpoint, "model.layers.0.self_attn.q_norm.weight"), counting(4));
    assert_eq!(values(&checkpoint, "model.layers.0.post_attention_layernorm.weight"), counting(8));
    let config = checkpoint.config();
    assert_eq!(config["model_type"], "qwen3");
    assert_eq!(config["tie_word_embeddings"], false);
    assert_eq!(config["use_sliding_window"], false);
    let biased = tiny("qwen2").tensor_f32("blk.0.attn_q.bias", &[8], &counting(8));
    assert_eq!(values(&open(&biased), "model.layers.0.self_attn.q_proj.bias"), counting(8));
}

#[test]
fn gemma_norms_lose_the_one_that_was_added() {
    let weights = [0.0f32, -1.0, 1e-8, 0.1, 2.5, -0.3, 1e4, 3.0];
    let stored = weights.map(|w| w + 1.0);
    let file = tiny("gemma3")
        .set("gemma3.attention.key_length", 4)
        .set("gemma3.attention.sliding_window", 16)
        .replace("gemma3.block_count", 7)
        .set("gemma3.rope.freq_base", 1e6f32)
        .set("gemma3.rope.scaling.type", "linear")
        .set("gemma3.rope.scaling.factor", 8.0f32)
        .tensor_f32("output_norm.weight", &[8], &stored)
        .tensor_f32("blk.0.ffn_norm.weight", &[8], &stored)
        .tensor_f32("blk.0.post_ffw_norm.weight", &[8], &stored)
        .tensor_f32("blk.0.attn_q_norm.weight", &[4], &stored[..4])
        .tensor_f32("blk.0.attn_q.weight", &[8, 8], &counting(64));
    let checkpoint = open(&file);
    let expected = stored.map(|w| w - 1.0);
    for name in
        ["norm", "layers.0.pre_feedforward_layernorm", "layers.0.post_feedforward_layernorm"]
    {
        assert_eq!(values(&checkpoint, &format!("model.{name}.weight")), expected, "{name}");
    }
    let query_norm = checkpoint.tensor("model.layers.0.self_attn.q_norm.weight").expect("there");
    assert_eq!(query_norm.to_f32().expect("floats"), expected[..4]);
    assert_eq!(query_norm.bytes(), None);
    assert_eq!(values(&checkpoint, "model.layers.0.self_attn.q_proj.weight"), counting(64));
    let config = checkpoint.config();
    assert_eq!(config["model_type"], "gemma3_text");
    assert_eq!(config["hidden_activation"], "gelu_pytorch_tanh");
    assert_eq!(config["query_pre_attn_scalar"], 4);
    let (s, f) = ("sliding_attention", "full_attention");
    assert_eq!(config["layer_types"], json!([s, s, s, s, s, f, s]));
    let rope = json!({
        "full_attention": {"rope_theta": 1e6, "rope_type": "linear", "factor": 8.0},
        "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
    });
    assert_eq!(config["rope_parameters"], rope);
}

#[test]
fn phi3_keeps_its_fused_tensors_and_long_factors() {
    let file = tiny("phi3")
        .set("phi3.rope.dimension_count", 4)
        .set("phi3.rope.freq_base", 1e4f32)
        .set("phi3.rope.scaling.original_context_length", 32)
        .set("phi3.rope.scaling.attn_factor", 1.25f32)
        .set("phi3.attention.sliding_window", 9)
        .tensor_f32("rope_factors_long.weight", &[2], &[1.5, 2.5])
        .tensor_f32("rope_factors_short.weight", &[2], &[1.0, 1.1])
        .tensor_f32("blk.0.attn_qkv.weight", &[16, 8], &counting(128))
        .tensor_f32("blk.0.ffn_up.weight", &[32, 8], &counting(256));
    let checkpoint = open(&file);
    assert_eq!(values(&checkpoint, "model.layers.0.self_attn.qkv_proj.weight"), counting(128));
    assert_eq!(values(&checkpoint, "model.layers.0.mlp.gate_up_proj.weight"), counting(256));
    let config = checkpoint.config();
    assert_eq!(
        config["rope_parameters"],
        json!({
            "rope_theta": 10000.0,
            "rope_type": "longrope",
            "long_factor": [1.5, 2.5],
            "short_factor": [1.0, 1.1],
            "original_max_position_embeddings": 32,
            "attention_factor": 1.25,
        })
    );
    assert_eq!(config["original_max_position_embeddings"], 32);
    assert_eq!(config["sliding_window"], 9);
    assert!(checkpoint.names().all(|name| !name.contains("rope")), "factors are configuration");
    let partial = file.replace("phi3.rope.dimension_count", 2);
    refused(open_gguf(&partial.bytes()), &["rope_factors_long.weight", "2 factors", "1 positive"]);
}

/// Frequencies divided as Llama 3.2 does it, and the configuration that says so.
#[test]
fn llama3_frequency_factors_become_its_parameters() {
    let factors = |factor: f64| -> Vec<f32> {
        let smooth = |pair: usize| {
            let frequency = 500_000f64.powf(-2.0 * pair as f64 / 64.0);
            let wavelength = std::f64::consts::TAU / frequency;
            if wavelength < 8192.0 / 4.0 {
                1.0
            } else if wavelength > 8192.0 {
                factor
            } else {
                let smooth = (8192.0 / wavelength - 1.0) / 3.0;
                1.0 / ((1.0 - smooth) / factor + smooth)
            }
        };
        (0..32).map(|pair| smooth(pair) as f32).collect()
    };
    let file = |values: &[f32]| {
        tiny("llama")
            .set("llama.rope.dimension_count", 64)
            .set("llama.rope.freq_base", 5e5f32)
            .tensor_f32("rope_freqs.weight", &[values.len()], values)
    };
    let rope = |values: &[f32]| open(&file(values)).config()["rope_parameters"].clone();
    let llama3 = rope(&factors(32.0));
    assert_eq!(llama3["rope_type"], "llama3");
    assert_eq!(llama3["factor"], 32.0);
    assert_eq!(llama3["rope_theta"], 500_000.0);
    assert_eq!(llama3["low_freq_factor"], 1.0);
    assert_eq!(llama3["high_freq_factor"], 4.0);
    assert_eq!(llama3["original_max_position_embeddings"], 8192);
    let mut other = factors(32.0);
    other[3] = 1.5;
    let other_rope = rope(&other);
    assert_eq!(other_rope["rope_type"], "longrope");
    assert_eq!(other_rope["short_factor"], other_rope["long_factor"]);
    assert_eq!(other_rope["short_factor"][3], 1.5);
    assert_eq!(other_rope["attention_factor"], 1.0);
    refused(open_gguf(&file(&[1.0; 31]).bytes()), &["rope_freqs.weight", "31 factors", "32"]);
    refused(open_gguf(&file(&[f32::NAN; 32]).bytes()), &["rope_freqs.weight", "not all positive"]);
}

#[test]
fn rope_scaling_is_written_as_transformers_writes_it() {
    let rope = |settings: &[(&str, Value)]| {
        let file = settings.iter().fold(tiny("llama"), |file, (key, value)| {
            file.set(&format!("llama.rope.{key}"), value.clone())
        });
        open(&file).config()["rope_parameters"].clone()
    };
    assert_eq!(rope(&[]), json!({"rope_theta": 10000.0, "rope_type": "default"}));
    let linear = [("scaling.type", "linear".into()), ("scaling.factor", 4.0f32.into())];
    assert_eq!(rope(&linear)["factor"], 4.0);
    assert_eq!(rope(&[("scale_linear", 2.0f32.into())])["rope_type"], "linear");
    let yarn = [
        ("scaling.type", "yarn".into()),
        ("scaling.factor", 16.0f32.into()),
        ("scaling.original_context_length", 32.into()),
        ("scaling.yarn_beta_fast", 32.0f32.into()),
    ];
    let expected = json!({
        "rope_theta": 10000.0, "rope_type": "yarn", "factor": 16.0,
        "original_max_position_embeddings": 32, "beta_fast": 32.0,
    });
    assert_eq!(rope(&yarn), expected);
    let unknown = tiny("llama").set("llama.rope.scaling.type", "spiral");
    refused(open_gguf(&unknown.bytes()), &["llama.rope.scaling.type", "spiral", "yarn"]);
}

#[test]
fn the_configuration_has_transformers_fields() {
    let checkpoint = open(&tiny("llama").set("tokenizer.ggml.eos_token_id", 7));
    let config = Json::Object(checkpoint.config().clone());
    let expected = json!({
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": 12,
        "hidden_size": 8,
        "intermediate_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "head_dim": 4,
        "max_position_embeddings": 64,
        "rms_norm_eps": 1e-5,
        "tie_word_embeddings": true,
        "torch_dtype": "float32",
        "eos_token_id": 7,
        "hidden_act": "silu",
        "attention_bias": false,
        "mlp_bias": false,
        "rope_parameters": {"rope_theta": 10000.0, "rope_type": "default"},
    });
    assert_eq!(config, expected);
    let windowed = open(&tiny("llama").set("llama.attention.sliding_window", 4096));
    assert_eq!(windowed.config()["model_type"], "mistral");
    assert_eq!(windowed.config()["sliding_window"], 4096);
}

#[test]
fn what_is_not_understood_is_refused_by_name() {
    let refuse = |file: File, parts: &[&str]| refused(open_gguf(&file.bytes()), parts);
    refuse(tiny("llama").replace("general.architecture", "mamba"), &["\"mamba\"", "llama, qwen2"]);
    refuse(tiny("llama").without("general.architecture"), &["none stated"]);
    refuse(
        tiny("llama").set("llama.logit_scale", 2.0f32),
        &["llama.logit_scale", "= 2", "refused"],
    );
    refuse(tiny("llama").set("llama.expert_count", 8), &["llama.expert_count", "8"]);
    refuse(
        tiny("llama").set("llama.attention.key_length", 4).set("llama.attention.value_length", 6),
        &["value_length", "6"],
    );
    let stray = tiny("llama").tensor_f32("blk.0.ffn_gate_inp.weight", &[1], &[0.0]);
    refuse(stray, &["blk.0.ffn_gate_inp.weight", "llama"]);
    refuse(tiny("llama").without("llama.block_count"), &["llama.block_count", "nothing"]);
    refuse(tiny("llama").replace("llama.block_count", 0), &["llama.block_count", "0", "1 to 2^31"]);
    refuse(
        tiny("llama").replace("llama.embedding_length", "x"),
        &["llama.embedding_length", "a string"],
    );
    refuse(
        tiny("llama").replace("llama.attention.head_count", 3),
        &["llama.attention.head_count", "3 for embedding_length 8"],
    );
    let nan = tiny("llama").replace("llama.attention.layer_norm_rms_epsilon", f32::NAN);
    refuse(nan, &["layer_norm_rms_epsilon", "NaN"]);
    refuse(
        tiny("llama").replace("llama.block_count", 1 << 31),
        &["block_count", "2147483648", "10000"],
    );
    refuse(tiny("llama").set("split.count", 3), &["split.count", "3 parts", "one file"]);
    let mut bare = tiny("llama");
    bare.tensors.clear();
    refuse(bare, &["token_embd.weight"]);
}
