//! VaultGemma: Gemma 2 without the norms after each half of a block.
//!
//! Reference: `transformers/models/vaultgemma/modeling_vaultgemma.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/vaultgemma/`.

use tyto_graph::RopeTable;

use crate::config::{self, Fields};
use crate::decoder::{Capped, TIED_HEAD};
use crate::error::Error;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The norms before each half of a block.
const NORMS: [&str; 2] = ["input_layernorm", "pre_feedforward_layernorm"];

/// The part of `config.json` that this model reads.
pub struct VaultGemmaConfig {
    capped: Capped,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    rope: RopeTable,
}

/// The architecture.
pub struct VaultGemma;

impl Model for VaultGemma {
    type Config = VaultGemmaConfig;

    const NAME: &'static str = "vaultgemma";
    const ARCHITECTURES: &'static [&'static str] = &["VaultGemmaForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["vaultgemma"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<VaultGemmaConfig, Error> {
        let capped = Capped::read(fields, [Some(50.0), Some(30.0)])?;
        let sizes = &capped.decoder.sizes;
        let window = config::window(fields, 4096)?;
        Ok(VaultGemmaConfig {
            windows: config::layer_windows(fields, sizes.layers, window, |layer| layer % 2 == 0)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, sizes))?,
            capped,
        })
    }

    fn outline(config: &VaultGemmaConfig) -> Outline {
        config.capped.decoder.outline(&[&config.rope])
    }

    fn forward<'t>(config: &VaultGemmaConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (capped, angles) = (&config.capped, step.angles(&config.rope));
        capped.forward(&w, step, |layer, x| {
            let attention = |x| {
                let qkv = layer.rotated(x, angles, capped.attention_bias);
                capped.attend(layer, qkv, config.windows[layer.index])
            };
            layer.pre_norm_at(x, NORMS, attention, |x| layer.gated_mlp(x, false))
        })
    }
}
