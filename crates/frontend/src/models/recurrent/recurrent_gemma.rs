//! RecurrentGemma: Griffin's recurrent blocks, and in some layers attention through a window with half
//! of each head turned; Gemma's norms, MLPs and scaled embedding.
//!
//! Reference: `transformers/models/recurrent_gemma/modeling_recurrent_gemma.py`. `tools/oracle` runs it
//! on a tiny random checkpoint to make `tests/oracle/recurrent_gemma/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::hybrid::{Attention, Names, Trunk};
use crate::nn::{self, Activation, MlpNames, Norm};
use crate::recurrent::GriffinBlock;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct RecurrentGemmaConfig {
    trunk: Trunk,
    /// Whether each layer has attention.
    attends: Vec<bool>,
    block: GriffinBlock,
    attention: Attention,
    rope: RopeTable,
    logit_cap: f64,
}

/// The architecture.
pub struct RecurrentGemma;

/// Positions where the configuration names no most: no layer sees more than a window or a state.
const POSITIONS: usize = 1 << 20;

impl Model for RecurrentGemma {
    type Config = RecurrentGemmaConfig;

    const NAME: &'static str = "recurrent_gemma";
    const ARCHITECTURES: &'static [&'static str] = &["RecurrentGemmaForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["recurrent_gemma"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "model.embed_tokens.weight")];

    fn config(fields: &Fields<'_>) -> Result<RecurrentGemmaConfig, Error> {
        let defaults = SizeDefaults { head_dim: None, kv_heads: true };
        let mut sizes = Sizes::read_with_positions(fields, defaults, POSITIONS)?;
        if sizes.head_dim * sizes.heads != sizes.hidden {
            let expected = format!("{}, a head's part of hidden_size", sizes.hidden / sizes.heads);
            return Err(fields.wrong("head_dim", &expected));
        }
        // The field counts gate and up together.
        sizes.intermediate /= 2;
        if !fields.flag("embeddings_scale_by_sqrt_dim", true)? {
            return Err(fields.wrong("embeddings_scale_by_sqrt_dim", "true"));
        }
        // What initial weights are made of.
        for unused in ["w_init_variance_scale", "final_w_init_variance_scale"] {
            fields.get(unused);
        }
        let activation = Activation::read(fields, "hidden_activation", Activation::GeluTanh)?;
        let window = fields.optional_size("attention_window_size", 1 << 30)?.unwrap_or(2048);
        let bias = [fields.flag("attention_bias", false)?, true];
        let rules = RopeRules::plain(Self::NAME, &sizes);
        let norm = Norm { epsilon: fields.positive("rms_norm_eps")?, offset: 1.0 };
        let names = Names { norm: "model.final_norm", ..Names::default() };
        let tied = fields.flag("tie_word_embeddings", true)?;
        // The model holds the factor in this type, whatever that of its weights.
        let scale = half::bf16::from_f64((sizes.hidden as f64).sqrt()).to_f64();
        Ok(RecurrentGemmaConfig {
            attends: attends(fields, sizes.layers)?,
            block: GriffinBlock::read(fields, [sizes.hidden, sizes.heads], activation)?,
            attention: Attention { window: Some(window), bias, ..Attention::plain(&sizes) },
            rope: rope::read(fields, RopeRules { partial: true, factor: 0.5, ..rules })?,
            logit_cap: fields.optional_positive("logits_soft_cap")?.unwrap_or(30.0),
            trunk: Trunk { embedding_scale: scale, ..Trunk::plain(sizes, norm, names, tied) },
        })
    }

    fn outline(config: &RecurrentGemmaConfig) -> Outline {
        let of = |attends: &bool| match attends {
            true => config.trunk.kv(),
            false => config.block.memory().into(),
        };
        config.trunk.outline(config.attends.iter().map(of).collect(), Some(&config.rope))
    }

    fn forward<'t>(config: &RecurrentGemmaConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        let mlp = (config.block.activation, config.trunk.sizes.intermediate, true);
        let logits = config.trunk.forward(&w, step, |layer, x| {
            let (normed, place) = (layer.norm(x, "temporal_pre_norm"), "temporal_block");
            let x = x + match config.attends[layer.index] {
                true => layer.attention(normed, place, &config.attention, Some(angles)),
                false => config.block.mix(normed, &layer.at(place), layer.recurrence()),
            };
            let normed = layer.norm(x, "channel_pre_norm");
            x + nn::gated_mlp(normed, &layer.at("mlp_block"), MlpNames::default(), mlp)
        });
        nn::soft_cap(logits, config.logit_cap)
    }
}

/// Whether each layer has attention: the kinds of `block_types` over and over.
fn attends(fields: &Fields<'_>, layers: usize) -> Result<Vec<bool>, Error> {
    let said = fields.texts("block_types")?;
    let kinds = said.unwrap_or_else(|| vec!["recurrent", "recurrent", "attention"]);
    if kinds.is_empty() || kinds.iter().any(|kind| !["recurrent", "attention"].contains(kind)) {
        return Err(fields.wrong("block_types", "a list of recurrent and attention"));
    }
    Ok(kinds.iter().cycle().take(layers).map(|kind| *kind == "attention").collect())
}
