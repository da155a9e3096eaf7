//! Models with recurrent layers.

use serde_json::json;
use tyto_graph::DType;

use super::attention::{ends, experts, norms};
use super::{OtherRuns, Shape, at_8_bits, quantization};
use crate::synthetic::Tensors;

/// state-spaces/mamba2-2.7b, in the names of transformers.
pub(super) fn mamba2() -> Shape {
    Shape {
        name: "mamba2-2.7b",
        source: "state-spaces/mamba2-2.7b, in MLX's affine 4-bit form",
        run: 1,
        runs: 64,
        other: None,
        vocabulary: 50_288,
        launches: 12,
        peer: "2008 to 3197",
        dtype: DType::BF16,
        checkpoint: |layers, vocabulary| {
            let config = json!({
                "architectures": ["Mamba2ForCausalLM"], "model_type": "mamba2",
                "hidden_size": 2560, "num_hidden_layers": layers, "num_heads": 80,
                "head_dim": 64, "n_groups": 1, "state_size": 128, "conv_kernel": 4,
                "expand": 2, "chunk_size": 256, "use_bias": false, "use_conv_bias": true,
                "hidden_act": "silu", "layer_norm_epsilon": 1e-5, "vocab_size": vocabulary,
                "tie_word_embeddings": true, "quantization": quantization(),
            });
            (config, mamba2_tensors(layers, vocabulary))
        },
    }
}

fn mamba2_tensors(layers: usize, vocabulary: usize) -> Tensors {
    let (hidden, inner, heads) = (2560, 5120, 80);
    let channels = inner + 2 * 128;
    let mut t = Tensors::default();
    t.affine("backbone.embeddings", &[vocabulary, hidden], 4);
    t.vector("backbone.norm_f.weight", hidden);
    for layer in 0..layers {
        let w = format!("backbone.layers.{layer}");
        t.vector(format!("{w}.norm.weight"), hidden);
        t.affine(&format!("{w}.mixer.in_proj"), &[inner + channels + heads, hidden], 4);
        mixer(&mut t, &w, [hidden, inner, channels, heads]);
    }
    t
}

/// What a mixer of Mamba 2 has beside its first product.
fn mixer(t: &mut Tensors, w: &str, [hidden, inner, channels, heads]: [usize; 4]) {
    t.affine(&format!("{w}.mixer.out_proj"), &[hidden, inner], 4);
    t.put(format!("{w}.mixer.conv1d.weight"), "BF16", &[channels, 1, 4]);
    t.vector(format!("{w}.mixer.conv1d.bias"), channels);
    t.vector(format!("{w}.mixer.norm.weight"), inner);
    for name in ["A_log", "D", "dt_bias"] {
        t.vector(format!("{w}.mixer.{name}"), heads);
    }
}

/// Qwen/Qwen3-Next-80B-A3B-Instruct; mlx-lm keeps routers at 8 bits.
pub(super) fn qwen3_next() -> Shape {
    Shape {
        name: "qwen3-next-80b-a3b",
        source: "Qwen/Qwen3-Next-80B-A3B-Instruct, MLX affine 4-bit, routers 8-bit",
        run: 4,
        runs: 12,
        other: None,
        vocabulary: 151_936,
        launches: 12,
        peer: "2008 to 3197",
        dtype: DType::BF16,
        checkpoint: |layers, vocabulary| {
            let mut settings = quantization();
            let mut t = ends(vocabulary, 2048);
            for layer in 0..layers {
                let w = format!("model.layers.{layer}");
                for name in ["gate", "shared_expert_gate"] {
                    at_8_bits(&mut settings, format!("{w}.mlp.{name}"));
                }
                qwen3_next_layer(&mut t, &w, layer);
            }
            let config = json!({
                "architectures": ["Qwen3NextForCausalLM"], "model_type": "qwen3_next",
                "hidden_size": 2048, "intermediate_size": 5120, "moe_intermediate_size": 512,
                "shared_expert_intermediate_size": 512, "num_hidden_layers": layers,
                "num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 256,
                "full_attention_interval": 4, "linear_conv_kernel_dim": 4,
                "linear_key_head_dim": 128, "linear_num_key_heads": 16,
                "linear_num_value_heads": 32, "linear_value_head_dim": 128,
                "num_experts": 512, "num_experts_per_tok": 10, "norm_topk_prob": true,
                "decoder_sparse_step": 1, "mlp_only_layers": [], "vocab_size": vocabulary,
                "max_position_embeddings": 262_144, "partial_rotary_factor": 0.25,
                "rope_theta": 1e7, "rms_norm_eps": 1e-6, "hidden_act": "silu",
                "attention_bias": false, "tie_word_embeddings": false,
                "quantization": settings,
            });
            (config, t)
        },
    }
}

fn qwen3_next_layer(t: &mut Tensors, w: &str, layer: usize) {
    let hidden = 2048;
    norms(t, w, hidden);
    t.affine(&format!("{w}.mlp.gate"), &[512, hidden], 8);
    t.affine(&format!("{w}.mlp.shared_expert_gate"), &[1, hidden], 8);
    experts(t, w, [512, 512, hidden]);
    for name in ["gate_proj", "up_proj", "down_proj"] {
        let shape = if name == "down_proj" { [hidden, 512] } else { [512, hidden] };
        t.affine(&format!("{w}.mlp.shared_expert.{name}"), &shape, 4);
    }
    if (layer + 1).is_multiple_of(4) {
        let at = |name: &str| format!("{w}.self_attn.{name}");
        t.affine(&at("q_proj"), &[2 * 16 * 256, hidden], 4);
        t.affine(&at("k_proj"), &[2 * 256, hidden], 4);
        t.affine(&at("v_proj"), &[2 * 256, hidden], 4);
        t.affine(&at("o_proj"), &[hidden, 16 * 256], 4);
        t.vector(at("q_norm.weight"), 256);
        t.vector(at("k_norm.weight"), 256);
        return;
    }
    let at = |name: &str| format!("{w}.linear_attn.{name}");
    let (keys, values) = (16 * 128, 32 * 128);
    t.affine(&at("in_proj_qkvz"), &[2 * keys + 2 * values, hidden], 4);
    t.affine(&at("in_proj_ba"), &[64, hidden], 4);
    t.affine(&at("out_proj"), &[hidden, values], 4);
    t.put(at("conv1d.weight"), "BF16", &[2 * keys + values, 1, 4]);
    t.vector(at("A_log"), 32);
    t.vector(at("dt_bias"), 32);
    t.vector(at("norm.weight"), 128);
}

/// nvidia/Nemotron-H-8B-Base-8K: `M-M-M-M*-M-M-M-M-M*-...`, which is 20 runs of a mixer and an MLP, and
/// four with attention between the two.
pub(super) fn nemotron_h() -> Shape {
    Shape {
        name: "nemotron-h-8b",
        source: "nvidia/Nemotron-H-8B-Base-8K, in MLX's affine 4-bit form",
        run: 2,
        runs: 20,
        other: Some(OtherRuns { layers: 3, count: 4 }),
        vocabulary: 131_072,
        launches: 12,
        peer: "2008 to 3197",
        dtype: DType::BF16,
        checkpoint: |layers, vocabulary| {
            let pattern = nemotron_h_pattern(layers);
            let config = json!({
                "architectures": ["NemotronHForCausalLM"], "model_type": "nemotron_h",
                "hidden_size": 4096, "num_hidden_layers": layers,
                "hybrid_override_pattern": pattern, "intermediate_size": 21_504,
                "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
                "mamba_num_heads": 128, "mamba_head_dim": 64, "n_groups": 8,
                "ssm_state_size": 128, "conv_kernel": 4, "expand": 2, "chunk_size": 128,
                "use_bias": false, "use_conv_bias": true, "mlp_bias": false,
                "attention_bias": false, "mlp_hidden_act": "relu2",
                "mamba_hidden_act": "silu", "layer_norm_epsilon": 1e-5,
                "vocab_size": vocabulary, "max_position_embeddings": 8192,
                "tie_word_embeddings": false, "quantization": quantization(),
            });
            (config, nemotron_h_tensors(&pattern, vocabulary))
        },
    }
}

/// Runs of two layers, of which the last has attention too where layers are odd.
fn nemotron_h_pattern(layers: usize) -> String {
    let (pairs, last) =
        if layers.is_multiple_of(2) { (layers / 2, "") } else { (layers / 2 - 1, "M*-") };
    "M-".repeat(pairs) + last
}

fn nemotron_h_tensors(pattern: &str, vocabulary: usize) -> Tensors {
    let (hidden, inner, heads) = (4096, 8192, 128);
    let channels = inner + 2 * 8 * 128;
    let mut t = Tensors::default();
    t.affine("backbone.embeddings", &[vocabulary, hidden], 4);
    t.affine("lm_head", &[vocabulary, hidden], 4);
    t.vector("backbone.norm_f.weight", hidden);
    for (layer, kind) in pattern.chars().enumerate() {
        let w = format!("backbone.layers.{layer}");
        t.vector(format!("{w}.norm.weight"), hidden);
        match kind {
            'M' => {
                t.affine(&format!("{w}.mixer.in_proj"), &[inner + channels + heads, hidden], 4);
                mixer(&mut t, &w, [hidden, inner, channels, heads]);
            }
            '*' => {
                for (name, rows) in [("q_proj", 4096), ("k_proj", 1024), ("v_proj", 1024)] {
                    t.affine(&format!("{w}.mixer.{name}"), &[rows, hidden], 4);
                }
                t.affine(&format!("{w}.mixer.o_proj"), &[hidden, 4096], 4);
            }
            _ => {
                t.affine(&format!("{w}.mixer.up_proj"), &[21_504, hidden], 4);
                t.affine(&format!("{w}.mixer.down_proj"), &[hidden, 21_504], 4);
            }
        }
    }
    t
}
