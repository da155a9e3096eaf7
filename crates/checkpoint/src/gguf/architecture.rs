//! What llama.cpp calls tensors, what transformers calls them, and what its converter did to them.

use std::path::Path;

use serde_json::{Map, Value};

use super::value::Metadata;
use crate::error::Error;
use crate::tensor::Layout;

/// One architecture's correspondence with transformers.
pub(crate) struct Architecture {
    /// The name in `general.architecture`, which also prefixes its metadata keys.
    pub(crate) gguf: &'static str,
    pub(crate) model_type: &'static str,
    pub(crate) class: &'static str,
    /// Stem of a block's tensor in GGUF, and in transformers below `model.layers.N.`.
    blocks: &'static [(&'static str, &'static str)],
    /// Query and key rows are interleaved for llama.cpp's form of the rotary embedding.
    interleaved: bool,
    /// Norm weights are stored with one added.
    norms_plus_one: bool,
}

/// The blocks of the plain decoder that llama, mistral and qwen2 share.
const LLAMA_BLOCKS: &[(&str, &str)] = &[
    ("attn_norm", "input_layernorm"),
    ("attn_q", "self_attn.q_proj"),
    ("attn_k", "self_attn.k_proj"),
    ("attn_v", "self_attn.v_proj"),
    ("attn_output", "self_attn.o_proj"),
    ("ffn_norm", "post_attention_layernorm"),
    ("ffn_gate", "mlp.gate_proj"),
    ("ffn_up", "mlp.up_proj"),
    ("ffn_down", "mlp.down_proj"),
];

const QWEN3_BLOCKS: &[(&str, &str)] = &[
    ("attn_norm", "input_layernorm"),
    ("attn_q", "self_attn.q_proj"),
    ("attn_q_norm", "self_attn.q_norm"),
    ("attn_k", "self_attn.k_proj"),
    ("attn_k_norm", "self_attn.k_norm"),
    ("attn_v", "self_attn.v_proj"),
    ("attn_output", "self_attn.o_proj"),
    ("ffn_norm", "post_attention_layernorm"),
    ("ffn_gate", "mlp.gate_proj"),
    ("ffn_up", "mlp.up_proj"),
    ("ffn_down", "mlp.down_proj"),
];

/// Experts stand in stacks, whose names here are mlx-lm's.
const QWEN3_MOE_BLOCKS: &[(&str, &str)] = &[
    ("attn_norm", "input_layernorm"),
    ("attn_q", "self_attn.q_proj"),
    ("attn_q_norm", "self_attn.q_norm"),
    ("attn_k", "self_attn.k_proj"),
    ("attn_k_norm", "self_attn.k_norm"),
    ("attn_v", "self_attn.v_proj"),
    ("attn_output", "self_attn.o_proj"),
    ("ffn_norm", "post_attention_layernorm"),
    ("ffn_gate_inp", "mlp.gate"),
    ("ffn_gate_exps", "mlp.switch_mlp.gate_proj"),
    ("ffn_up_exps", "mlp.switch_mlp.up_proj"),
    ("ffn_down_exps", "mlp.switch_mlp.down_proj"),
];

const GEMMA3_BLOCKS: &[(&str, &str)] = &[
    ("attn_norm", "input_layernorm"),
    ("attn_q", "self_attn.q_proj"),
    ("attn_q_norm", "self_attn.q_norm"),
    ("attn_k", "self_attn.k_proj"),
    ("attn_k_norm", "self_attn.k_norm"),
    ("attn_v", "self_attn.v_proj"),
    ("attn_output", "self_attn.o_proj"),
    ("post_attention_norm", "post_attention_layernorm"),
    ("ffn_norm", "pre_feedforward_layernorm"),
    ("ffn_gate", "mlp.gate_proj"),
    ("ffn_up", "mlp.up_proj"),
    ("ffn_down", "mlp.down_proj"),
    ("post_ffw_norm", "post_feedforward_layernorm"),
];

const PHI3_BLOCKS: &[(&str, &str)] = &[
    ("attn_norm", "input_layernorm"),
    ("attn_qkv", "self_attn.qkv_proj"),
    ("attn_output", "self_attn.o_proj"),
    ("ffn_norm", "post_attention_layernorm"),
    ("ffn_up", "mlp.gate_up_proj"),
    ("ffn_down", "mlp.down_proj"),
];

/// Every architecture that is read from GGUF. Mistral's files call themselves llama.
static ARCHITECTURES: [Architecture; 6] = [
    Architecture {
        gguf: "llama",
        model_type: "llama",
        class: "LlamaForCausalLM",
        blocks: LLAMA_BLOCKS,
        interleaved: true,
        norms_plus_one: false,
    },
    Architecture {
        gguf: "qwen2",
        model_type: "qwen2",
        class: "Qwen2ForCausalLM",
        blocks: LLAMA_BLOCKS,
        interleaved: false,
        norms_plus_one: false,
    },
    Architecture {
        gguf: "qwen3",
        model_type: "qwen3",
        class: "Qwen3ForCausalLM",
        blocks: QWEN3_BLOCKS,
        interleaved: false,
        norms_plus_one: false,
    },
    Architecture {
        gguf: "qwen3moe",
        model_type: "qwen3_moe",
        class: "Qwen3MoeForCausalLM",
        blocks: QWEN3_MOE_BLOCKS,
        interleaved: false,
        norms_plus_one: false,
    },
    Architecture {
        gguf: "gemma3",
        model_type: "gemma3_text",
        class: "Gemma3ForCausalLM",
        blocks: GEMMA3_BLOCKS,
        interleaved: false,
        norms_plus_one: true,
    },
    Architecture {
        gguf: "phi3",
        model_type: "phi3",
        class: "Phi3ForCausalLM",
        blocks: PHI3_BLOCKS,
        interleaved: false,
        norms_plus_one: false,
    },
];

/// The architecture that the file states.
pub(crate) fn of(
    file: &Path,
    metadata: &Metadata,
    bytes: &[u8],
) -> Result<&'static Architecture, Error> {
    let found = metadata.string(bytes, "general.architecture")?.unwrap_or("none stated");
    ARCHITECTURES.iter().find(|architecture| architecture.gguf == found).ok_or_else(|| {
        Error::UnknownArchitecture {
            file: file.to_path_buf(),
            found: found.into(),
            expected: ARCHITECTURES.each_ref().map(|a| a.gguf).join(", "),
        }
    })
}

impl Architecture {
    /// transformers' name for a stored tensor; `None` for rotary factors, which are configuration.
    pub(crate) fn transformers_name(
        &self,
        file: &Path,
        gguf: &str,
    ) -> Result<Option<String>, Error> {
        if is_rope_factors(gguf) {
            return Ok(None);
        }
        self.map_name(gguf).map(Some).ok_or_else(|| Error::Malformed {
            file: file.to_path_buf(),
            field: "tensor name".into(),
            found: format!("{gguf:?}"),
            expected: format!("a tensor of the architecture {:?}", self.gguf),
        })
    }

    fn map_name(&self, gguf: &str) -> Option<String> {
        let (stem, kind) =
            gguf.rsplit_once('.').filter(|(_, kind)| matches!(*kind, "weight" | "bias"))?;
        let whole = match stem {
            "token_embd" => "model.embed_tokens",
            "output_norm" => "model.norm",
            "output" => "lm_head",
            _ => {
                let (number, leaf) = stem.strip_prefix("blk.")?.split_once('.')?;
                let layer: u32 = number.parse().ok()?;
                let (_, name) = self.blocks.iter().find(|(have, _)| *have == leaf)?;
                return Some(format!("model.layers.{layer}.{name}.{kind}"));
            }
        };
        Some(format!("{whole}.{kind}"))
    }

    /// What must be undone to get the tensor back as transformers had it.
    pub(crate) fn layout(&self, gguf: &str, config: &Map<String, Value>) -> Layout {
        let heads = |field: &str| config.get(field).and_then(Value::as_u64).unwrap_or(0) as usize;
        if self.norms_plus_one && gguf.ends_with("norm.weight") {
            return Layout::PlusOne;
        }
        match (self.interleaved, gguf.split('.').nth(2)) {
            (true, Some("attn_q")) => Layout::Rotary { heads: heads("num_attention_heads") },
            (true, Some("attn_k")) => Layout::Rotary { heads: heads("num_key_value_heads") },
            _ => Layout::Same,
        }
    }
}

/// True for tensors that hold factors of the rotary frequencies.
fn is_rope_factors(gguf: &str) -> bool {
    matches!(gguf, "rope_freqs.weight" | "rope_factors_long.weight" | "rope_factors_short.weight")
}
