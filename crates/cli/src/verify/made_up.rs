//! A llama of any size with random weights: as many bytes as a measurement needs, in any format that
//! `tyto compile` can make of them.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::tiny;

/// Sizes of a model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) layers: usize,
    /// Elements of a row; heads are of 64.
    pub(crate) hidden: usize,
    pub(crate) intermediate: usize,
    /// Heads of keys; those of queries fill a row.
    pub(crate) kv_heads: usize,
}

const HEAD: usize = 64;

/// What the tiny models' tokenizer has.
const VOCAB: usize = 128;

/// Of a linear congruential generator (Knuth, MMIX).
const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

impl Sizes {
    /// Weights that a token is multiplied with.
    pub(crate) fn weights(&self) -> usize {
        self.tensors()
            .iter()
            .filter(|(name, _)| !name.contains("embed"))
            .map(|(_, s)| size(s))
            .sum()
    }

    /// Names and shapes.
    fn tensors(&self) -> Vec<(String, Vec<usize>)> {
        let (h, inner, kv) = (self.hidden, self.intermediate, self.kv_heads * HEAD);
        let mut all = vec![
            ("model.embed_tokens.weight".to_owned(), vec![VOCAB, h]),
            ("model.norm.weight".to_owned(), vec![h]),
            ("lm_head.weight".to_owned(), vec![VOCAB, h]),
        ];
        for layer in 0..self.layers {
            for (name, shape) in [
                ("input_layernorm", vec![h]),
                ("post_attention_layernorm", vec![h]),
                ("self_attn.q_proj", vec![h, h]),
                ("self_attn.k_proj", vec![kv, h]),
                ("self_attn.v_proj", vec![kv, h]),
                ("self_attn.o_proj", vec![h, h]),
                ("mlp.gate_proj", vec![inner, h]),
                ("mlp.up_proj", vec![inner, h]),
                ("mlp.down_proj", vec![h, inner]),
            ] {
                all.push((format!("model.layers.{layer}.{name}.weight"), shape));
            }
        }
        all
    }

    fn config(&self) -> Value {
        json!({
            "architectures": ["LlamaForCausalLM"],
            "model_type": "llama",
            "hidden_size": self.hidden,
            "intermediate_size": self.intermediate,
            "num_hidden_layers": self.layers,
            "num_attention_heads": self.hidden / HEAD,
            "num_key_value_heads": self.kv_heads,
            "head_dim": HEAD,
            "vocab_size": VOCAB,
            "hidden_act": "silu",
            "rms_norm_eps": 1e-5,
            "rope_theta": 10000.0,
            "max_position_embeddings": 1024,
            "tie_word_embeddings": false,
            "bos_token_id": 1,
            "eos_token_id": 2,
            "torch_dtype": "bfloat16",
        })
    }

    /// Writes the model into a new directory inside `directory`. The same sizes give the same weights.
    pub(crate) fn write(&self, directory: &Path, name: &str) -> std::io::Result<PathBuf> {
        let model = directory.join(name);
        std::fs::create_dir(&model)?;
        std::fs::write(model.join("config.json"), self.config().to_string())?;
        tiny::tokenizer().try_for_each(|(name, bytes)| std::fs::write(model.join(name), bytes))?;
        self.write_weights(&model.join("model.safetensors"))?;
        Ok(model)
    }

    fn write_weights(&self, path: &Path) -> std::io::Result<()> {
        let tensors = self.tensors();
        let (mut header, mut end) = (Map::new(), 0);
        for (name, shape) in &tensors {
            let begin = end;
            end += 2 * size(shape);
            let tensor = json!({ "dtype": "BF16", "shape": shape, "data_offsets": [begin, end] });
            header.insert(name.clone(), tensor);
        }
        let header = Value::Object(header).to_string();
        let header = format!("{header:<width$}", width = header.len().next_multiple_of(8));
        let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
        file.write_all(&(header.len() as u64).to_le_bytes())?;
        file.write_all(header.as_bytes())?;
        let mut state = 1u64;
        for (_, shape) in &tensors {
            // Rows of length 1 stay of length 1.
            let range = shape.get(1).map(|columns| (3.0 / *columns as f32).sqrt());
            for _ in 0..size(shape) {
                state = state.wrapping_mul(MULTIPLIER).wrapping_add(1);
                let uniform = (state >> 40) as f32 / (1 << 23) as f32 - 1.0;
                let weight = range.map_or(1.0, |range| range * uniform);
                file.write_all(&((weight.to_bits() >> 16) as u16).to_le_bytes())?;
            }
        }
        file.flush()
    }
}

fn size(shape: &[usize]) -> usize {
    shape.iter().product()
}
