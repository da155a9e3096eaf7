//! Bamba: mixers of Mamba 2, and in some layers attention with half of each head turned; an MLP in
//! every layer.
//!
//! Reference: `transformers/models/bamba/modeling_bamba.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/bamba/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::hybrid::{Attention, Names, Trunk};
use crate::nn::{self, Activation, MlpNames, Norm};
use crate::recurrent::{Gating, Mamba2Mixer, MixerFields};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct BambaConfig {
    trunk: Trunk,
    /// Whether each layer has attention.
    attends: Vec<bool>,
    attention_bias: bool,
    mlp_bias: bool,
    mixer: Mamba2Mixer,
    rope: RopeTable,
}

/// The architecture.
pub struct Bamba;

impl Model for Bamba {
    type Config = BambaConfig;

    const NAME: &'static str = "bamba";
    const ARCHITECTURES: &'static [&'static str] = &["BambaForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["bamba"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "model.embed_tokens.weight")];

    fn config(fields: &Fields<'_>) -> Result<BambaConfig, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { head_dim: None, kv_heads: true })?;
        let norm = Norm { epsilon: fields.positive("rms_norm_eps")?, offset: 0.0 };
        if Activation::read(fields, "hidden_act", Activation::Silu)? != Activation::Silu {
            return Err(fields.wrong("hidden_act", "silu"));
        }
        // How sums are cut into chunks, how many rows of logits callers want, a term of training.
        for unused in ["mamba_chunk_size", "num_logits_to_keep", "z_loss_coefficient"] {
            fields.get(unused);
        }
        let attending = fields.counts("attn_layer_indices", sizes.layers)?;
        // Said by the indices already.
        fields.get("layers_block_type");
        fields.get("layer_types");
        let rules = RopeRules::plain(Self::NAME, &sizes);
        let names = Names { norm: "model.final_layernorm", ..Names::default() };
        Ok(BambaConfig {
            attends: (0..sizes.layers).map(|layer| attending.contains(&layer)).collect(),
            attention_bias: fields.flag("attention_bias", false)?,
            mlp_bias: fields.flag("mlp_bias", false)?,
            mixer: MixerFields::default().read(fields, sizes.hidden, None, Gating::Then(norm))?,
            rope: rope::read(fields, RopeRules { partial: true, factor: 0.5, ..rules })?,
            trunk: Trunk::plain(sizes, norm, names, fields.flag("tie_word_embeddings", false)?),
        })
    }

    fn outline(config: &BambaConfig) -> Outline {
        let of = |attends: &bool| match attends {
            true => config.trunk.kv(),
            false => config.mixer.memory().into(),
        };
        config.trunk.outline(config.attends.iter().map(of).collect(), Some(&config.rope))
    }

    fn forward<'t>(config: &BambaConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        let sizes = &config.trunk.sizes;
        let bias = [config.attention_bias; 2];
        let attention = Attention { bias, ..Attention::plain(sizes) };
        config.trunk.forward(&w, step, |layer, x| {
            let normed = layer.norm(x, "input_layernorm");
            let x = x + match config.attends[layer.index] {
                true => layer.attention(normed, "self_attn", &attention, Some(angles)),
                false => config.mixer.mix(normed, &layer.at("mamba"), layer.recurrence()),
            };
            let normed = layer.norm(x, "pre_ff_layernorm");
            let mlp = (Activation::Silu, sizes.intermediate, config.mlp_bias);
            x + nn::gated_mlp(normed, &layer.at("feed_forward"), MlpNames::default(), mlp)
        })
    }
}
