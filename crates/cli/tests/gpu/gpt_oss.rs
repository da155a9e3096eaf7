//! A gpt-oss of two layers with random weights, whose experts are in MXFP4 as OpenAI publishes them:
//! `NAME_blocks` U8 `[experts, rows, columns / 32, 16]` and `NAME_scales` U8.

use std::path::Path;

use safetensors::tensor::{Dtype, TensorView};
use serde_json::{Value, json};

const LAYERS: usize = 2;
const HIDDEN: usize = 64;
const INNER: usize = 32;
const EXPERTS: usize = 4;
const HEADS: usize = 4;
const KV_HEADS: usize = 2;
const HEAD: usize = 16;
const VOCABULARY: usize = 128;

/// Columns under one scale.
const GROUP: usize = 32;

/// Files that do not depend on the model's sizes.
const TEXT_FILES: [&str; 2] = ["tokenizer.json", "tokenizer_config.json"];

/// Writes the model into `folder`, with the tokenizer and the configuration of `like`.
pub(super) fn write(folder: &Path, like: &Path) {
    for name in TEXT_FILES {
        std::fs::copy(like.join(name), folder.join(name)).expect("the fixture has it");
    }
    let config = std::fs::read(like.join("config.json")).expect("the fixture has it");
    let config = resized(serde_json::from_slice(&config).expect("JSON"));
    std::fs::write(folder.join("config.json"), config.to_string()).expect("a file");
    let mut weights = Weights { random: 1, tensors: Vec::new() };
    weights.model();
    let views = weights.tensors.iter().map(|(name, dtype, shape, bytes)| {
        (name, TensorView::new(*dtype, shape.clone(), bytes).expect("sizes are right"))
    });
    safetensors::serialize_to_file(views, None, &folder.join("model.safetensors")).expect("a file");
}

fn resized(mut config: Value) -> Value {
    for (name, value) in [
        ("num_hidden_layers", LAYERS),
        ("hidden_size", HIDDEN),
        ("intermediate_size", INNER),
        ("num_local_experts", EXPERTS),
        ("num_attention_heads", HEADS),
        ("num_key_value_heads", KV_HEADS),
        ("head_dim", HEAD),
        ("vocab_size", VOCABULARY),
    ] {
        config[name] = value.into();
    }
    config["layer_types"] = json!(["sliding_attention", "full_attention"]);
    config["quantization_config"] = json!({ "quant_method": "mxfp4" });
    config
}

struct Weights {
    random: u64,
    tensors: Vec<(String, Dtype, Vec<usize>, Vec<u8>)>,
}

impl Weights {
    fn model(&mut self) {
        self.floats("model.embed_tokens.weight", &[VOCABULARY, HIDDEN], 1.0);
        self.floats("lm_head.weight", &[VOCABULARY, HIDDEN], 0.2);
        self.floats("model.norm.weight", &[HIDDEN], 1.0);
        for layer in 0..LAYERS {
            self.layer(&format!("model.layers.{layer}"));
        }
    }

    fn layer(&mut self, layer: &str) {
        for norm in ["input_layernorm", "post_attention_layernorm"] {
            self.floats(&format!("{layer}.{norm}.weight"), &[HIDDEN], 1.0);
        }
        let attention = format!("{layer}.self_attn");
        self.floats(&format!("{attention}.sinks"), &[HEADS], 1.0);
        for (name, rows, columns) in [
            ("q_proj", HEADS * HEAD, HIDDEN),
            ("k_proj", KV_HEADS * HEAD, HIDDEN),
            ("v_proj", KV_HEADS * HEAD, HIDDEN),
            ("o_proj", HIDDEN, HEADS * HEAD),
        ] {
            self.floats(&format!("{attention}.{name}.weight"), &[rows, columns], 0.2);
            self.floats(&format!("{attention}.{name}.bias"), &[rows], 0.2);
        }
        let router = format!("{layer}.mlp.router");
        self.floats(&format!("{router}.weight"), &[EXPERTS, HIDDEN], 0.5);
        self.floats(&format!("{router}.bias"), &[EXPERTS], 0.5);
        for (name, rows, columns) in
            [("gate_up_proj", 2 * INNER, HIDDEN), ("down_proj", HIDDEN, INNER)]
        {
            let name = format!("{layer}.mlp.experts.{name}");
            self.floats(&format!("{name}_bias"), &[EXPERTS, rows], 0.2);
            self.blocks(&name, rows, columns);
        }
    }

    /// Numbers up to `most` in magnitude.
    fn floats(&mut self, name: &str, shape: &[usize], most: f32) {
        let count: usize = shape.iter().product();
        let number = |bits: u32| (bits as f32 / (u32::MAX >> 1) as f32 - 1.0) * most;
        let bytes = (0..count).flat_map(|_| number(self.next()).to_le_bytes()).collect();
        self.tensors.push((name.to_owned(), Dtype::F32, shape.to_vec(), bytes));
    }

    /// Random codes, and scales of 1/64, 1/32 and 1/16: the experts then change the answers, and what
    /// the CPU's kernels lose by activations in 8 bits does not.
    fn blocks(&mut self, name: &str, rows: usize, columns: usize) {
        let shape = [EXPERTS, rows, columns / GROUP];
        let groups: usize = shape.iter().product();
        let codes = (0..groups * GROUP / 2).map(|_| self.next() as u8).collect();
        let scales = (0..groups).map(|_| 121 + (self.next() % 3) as u8).collect();
        let of_codes = [&shape[..], &[GROUP / 2]].concat();
        self.tensors.push((format!("{name}_blocks"), Dtype::U8, of_codes, codes));
        self.tensors.push((format!("{name}_scales"), Dtype::U8, shape.to_vec(), scales));
    }

    /// The high half of a linear congruential generator (Knuth's constants for MMIX).
    fn next(&mut self) -> u32 {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 32) as u32
    }
}
