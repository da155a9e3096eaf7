//! MiMo: Qwen 2 with a flag for its biases, and further layers that predict tokens after the next
//! one. These are for drafts, which a model without them gives the same logits for, and are left out.
//!
//! Reference: the model's own `modeling_mimo.py`, a subclass of transformers' Qwen 2. `tools/oracle`
//! runs Qwen 2 on a tiny random checkpoint to make `tests/oracle/mimo/`.

use crate::config::{self, Fields, SizeDefaults};
use crate::decoder::{Biases, Decoder, Defaults, Pairing, Plain, TIED_HEAD};
use crate::error::Error;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The architecture.
pub struct MiMo;

impl Model for MiMo {
    type Config = Plain;

    const NAME: &'static str = "mimo";
    const ARCHITECTURES: &'static [&'static str] = &["MiMoForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["mimo"];
    const WEIGHTS: &'static [WeightRule] =
        &[TIED_HEAD, WeightRule::IgnoreBelow("model.mtp_layers")];

    fn config(fields: &Fields<'_>) -> Result<Plain, Error> {
        let sizes = SizeDefaults { kv_heads: true, head_dim: None };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        fields.optional_count("num_nextn_predict_layers", 1 << 12)?;
        Ok(Plain {
            biases: Biases { qkv: fields.flag("attention_bias", true)?, ..Biases::default() },
            windows: config::late_windows(fields, decoder.sizes.layers)?,
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
