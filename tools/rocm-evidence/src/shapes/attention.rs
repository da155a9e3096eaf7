//! Models whose layers all have attention.

use serde_json::{Value, json};
use tyto_graph::DType;

use super::{Shape, at_8_bits, quantization};
use crate::synthetic::Tensors;

/// meta-llama/Llama-3.1-8B.
pub(super) fn llama() -> Shape {
    Shape {
        name: "llama-3.1-8b",
        source: "meta-llama/Llama-3.1-8B, MLX affine 4-bit",
        run: 1,
        runs: 32,
        other: None,
        vocabulary: 128_256,
        launches: 7,
        peer: "492",
        dtype: DType::BF16,
        checkpoint: |layers, vocabulary| {
            let sizes = Dense { hidden: 4096, inner: 14_336, heads: 32, kv_heads: 8, head: 128 };
            let mut config = sizes.config(layers, vocabulary);
            config["rope_theta"] = json!(500_000.0);
            config["max_position_embeddings"] = json!(131_072);
            config["rope_scaling"] = json!({"rope_type": "llama3", "factor": 8.0,
                "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                "original_max_position_embeddings": 8192});
            (config, sizes.tensors(layers, vocabulary))
        },
    }
}

/// A llama of 64 columns, for tests of this command.
pub(super) fn tiny() -> Shape {
    Shape {
        name: "tiny",
        source: "no published model: for tests of this command",
        run: 1,
        runs: 4,
        other: None,
        vocabulary: 4096,
        launches: 7,
        peer: "none",
        dtype: DType::BF16,
        checkpoint: |layers, vocabulary| {
            let sizes = Dense { hidden: 128, inner: 256, heads: 4, kv_heads: 2, head: 32 };
            (sizes.config(layers, vocabulary), sizes.tensors(layers, vocabulary))
        },
    }
}

/// A llama's sizes.
struct Dense {
    hidden: usize,
    inner: usize,
    heads: usize,
    kv_heads: usize,
    head: usize,
}

impl Dense {
    fn config(&self, layers: usize, vocabulary: usize) -> Value {
        json!({
            "architectures": ["LlamaForCausalLM"], "model_type": "llama",
            "hidden_size": self.hidden, "intermediate_size": self.inner,
            "num_hidden_layers": layers, "num_attention_heads": self.heads,
            "num_key_value_heads": self.kv_heads, "head_dim": self.head,
            "vocab_size": vocabulary, "max_position_embeddings": 8192, "rms_norm_eps": 1e-5,
            "rope_theta": 10_000.0, "hidden_act": "silu", "attention_bias": false,
            "mlp_bias": false, "tie_word_embeddings": false, "quantization": quantization(),
        })
    }

    fn tensors(&self, layers: usize, vocabulary: usize) -> Tensors {
        let mut t = ends(vocabulary, self.hidden);
        for layer in 0..layers {
            let w = format!("model.layers.{layer}");
            norms(&mut t, &w, self.hidden);
            attention(&mut t, &w, self.hidden, [self.heads, self.kv_heads, self.head]);
            for name in ["gate_proj", "up_proj"] {
                t.affine(&format!("{w}.mlp.{name}"), &[self.inner, self.hidden], 4);
            }
            t.affine(&format!("{w}.mlp.down_proj"), &[self.hidden, self.inner], 4);
        }
        t
    }
}

/// Table, head and last norm.
pub(super) fn ends(vocabulary: usize, hidden: usize) -> Tensors {
    let mut t = Tensors::default();
    t.affine("model.embed_tokens", &[vocabulary, hidden], 4);
    t.affine("lm_head", &[vocabulary, hidden], 4);
    t.vector("model.norm.weight", hidden);
    t
}

/// The two norms of a layer.
pub(super) fn norms(t: &mut Tensors, w: &str, hidden: usize) {
    for name in ["input_layernorm", "post_attention_layernorm"] {
        t.vector(format!("{w}.{name}.weight"), hidden);
    }
}

fn attention(t: &mut Tensors, w: &str, hidden: usize, [heads, kv_heads, head]: [usize; 3]) {
    let at = |name: &str| format!("{w}.self_attn.{name}");
    t.affine(&at("q_proj"), &[heads * head, hidden], 4);
    t.affine(&at("k_proj"), &[kv_heads * head, hidden], 4);
    t.affine(&at("v_proj"), &[kv_heads * head, hidden], 4);
    t.affine(&at("o_proj"), &[hidden, heads * head], 4);
}

/// Qwen/Qwen3-30B-A3B; mlx-lm keeps routers at 8 bits.
pub(super) fn qwen3_moe() -> Shape {
    Shape {
        name: "qwen3-30b-a3b",
        source: "Qwen/Qwen3-30B-A3B, MLX affine 4-bit, routers 8-bit",
        run: 1,
        runs: 48,
        other: None,
        vocabulary: 151_936,
        launches: 12,
        peer: "1540",
        dtype: DType::BF16,
        checkpoint: |layers, vocabulary| {
            let mut settings = quantization();
            let (hidden, head) = (2048, 128);
            let mut t = ends(vocabulary, hidden);
            for layer in 0..layers {
                let w = format!("model.layers.{layer}");
                at_8_bits(&mut settings, format!("{w}.mlp.gate"));
                norms(&mut t, &w, hidden);
                attention(&mut t, &w, hidden, [32, 4, head]);
                t.vector(format!("{w}.self_attn.q_norm.weight"), head);
                t.vector(format!("{w}.self_attn.k_norm.weight"), head);
                t.affine(&format!("{w}.mlp.gate"), &[128, hidden], 8);
                experts(&mut t, &w, [128, 768, hidden]);
            }
            let config = json!({
                "architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe",
                "hidden_size": hidden, "intermediate_size": 6144, "moe_intermediate_size": 768,
                "num_hidden_layers": layers, "num_attention_heads": 32,
                "num_key_value_heads": 4, "head_dim": head, "num_experts": 128,
                "num_experts_per_tok": 8, "norm_topk_prob": true, "decoder_sparse_step": 1,
                "mlp_only_layers": [], "vocab_size": vocabulary,
                "max_position_embeddings": 40_960, "rms_norm_eps": 1e-6, "rope_theta": 1e6,
                "hidden_act": "silu", "attention_bias": false, "tie_word_embeddings": false,
                "use_sliding_window": false, "quantization": settings,
            });
            (config, t)
        },
    }
}

/// The experts of a layer as MLX stacks them.
pub(super) fn experts(t: &mut Tensors, w: &str, [count, inner, hidden]: [usize; 3]) {
    for name in ["gate_proj", "up_proj"] {
        t.affine(&format!("{w}.mlp.switch_mlp.{name}"), &[count, inner, hidden], 4);
    }
    t.affine(&format!("{w}.mlp.switch_mlp.down_proj"), &[count, hidden, inner], 4);
}

/// openai/gpt-oss-20b as it is published: experts in MXFP4, the rest bf16.
pub(super) fn gpt_oss() -> Shape {
    Shape {
        name: "gpt-oss-20b",
        source: "openai/gpt-oss-20b, MXFP4 experts, the rest bf16",
        run: 2,
        runs: 12,
        other: None,
        vocabulary: 201_088,
        launches: 12,
        peer: "1540",
        dtype: DType::BF16,
        checkpoint: |layers, vocabulary| {
            let config = json!({
                "architectures": ["GptOssForCausalLM"], "model_type": "gpt_oss",
                "hidden_size": 2880, "intermediate_size": 2880, "num_hidden_layers": layers,
                "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64,
                "num_local_experts": 32, "num_experts_per_tok": 4, "experts_per_token": 4,
                "sliding_window": 128, "layer_types": types(layers), "vocab_size": vocabulary,
                "max_position_embeddings": 131_072, "rms_norm_eps": 1e-5,
                "rope_theta": 150_000.0, "swiglu_limit": 7.0, "hidden_act": "silu",
                "rope_scaling": {"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0,
                    "beta_slow": 1.0, "truncate": false,
                    "original_max_position_embeddings": 4096},
                "attention_bias": true, "tie_word_embeddings": false,
                "quantization_config": {"quant_method": "mxfp4", "modules_to_not_convert":
                    ["model.layers.*.self_attn", "model.layers.*.mlp.router",
                     "model.embed_tokens", "lm_head"]},
            });
            (config, gpt_oss_tensors(layers, vocabulary))
        },
    }
}

/// Windows and whole contexts take turns.
fn types(layers: usize) -> Vec<&'static str> {
    ["sliding_attention", "full_attention"].into_iter().cycle().take(layers).collect()
}

fn gpt_oss_tensors(layers: usize, vocabulary: usize) -> Tensors {
    let (hidden, experts) = (2880, 32);
    let mut t = Tensors::default();
    t.plain("model.embed_tokens", &[vocabulary, hidden]);
    t.plain("lm_head", &[vocabulary, hidden]);
    t.vector("model.norm.weight", hidden);
    for layer in 0..layers {
        let w = format!("model.layers.{layer}");
        norms(&mut t, &w, hidden);
        for (name, rows) in [("q_proj", 4096), ("k_proj", 512), ("v_proj", 512)] {
            t.plain(&format!("{w}.self_attn.{name}"), &[rows, hidden]);
            t.vector(format!("{w}.self_attn.{name}.bias"), rows);
        }
        t.plain(&format!("{w}.self_attn.o_proj"), &[hidden, 4096]);
        t.vector(format!("{w}.self_attn.o_proj.bias"), hidden);
        t.vector(format!("{w}.self_attn.sinks"), 64);
        t.plain(&format!("{w}.mlp.router"), &[experts, hidden]);
        t.vector(format!("{w}.mlp.router.bias"), experts);
        for (name, rows) in [("gate_up_proj", 2 * hidden), ("down_proj", hidden)] {
            let name = format!("{w}.mlp.experts.{name}");
            t.mxfp4(&name, &[experts, rows, hidden]);
            t.put(format!("{name}_bias"), "BF16", &[experts, rows]);
        }
    }
    t
}
