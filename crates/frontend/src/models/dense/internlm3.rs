//! InternLM 3: Llama with one flag for biases on queries, keys and values, and one for all others.
//!
//! Reference: the model's own `modeling_internlm3.py`, which transformers does not have. Of its
//! biases' four settings `tools/oracle` proves two by models of transformers that compute the same:
//! Qwen 2 and Llama, in `tests/oracle/internlm3*/`.

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Biases, Decoder, Defaults, Pairing, Plain, TIED_HEAD};
use crate::error::Error;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The architecture.
pub struct InternLm3;

impl Model for InternLm3 {
    type Config = Plain;

    const NAME: &'static str = "internlm3";
    const ARCHITECTURES: &'static [&'static str] = &["InternLM3ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["internlm3"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Plain, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        let bias = fields.flag("bias", false)?;
        Ok(Plain {
            biases: Biases { qkv: fields.flag("qkv_bias", false)?, output: bias, mlp: bias },
            windows: vec![None; decoder.sizes.layers],
            pairing: Pairing::Halves,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &decoder.sizes))?,
            decoder,
        })
    }

    fn outline(config: &Plain) -> Outline {
        config.outline()
    }

    fn forward<'t>(config: &Plain, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        config.forward(&w, step)
    }
}
