//! LFM 2: gated convolutions over a few tokens, and in some layers attention with normalized queries
//! and keys.
//!
//! Reference: `transformers/models/lfm2/modeling_lfm2.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/lfm2*/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::experts::Routed;
use crate::hybrid::{Attention, Names, Trunk};
use crate::nn::{self, Activation, MlpNames, Norm};
use crate::recurrent::{self, ShortConv};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Lfm2Config {
    pub(super) trunk: Trunk,
    /// Whether each layer has attention.
    pub(super) attends: Vec<bool>,
    pub(super) conv: ShortConv,
    /// The first layer with experts instead of an MLP, and they.
    pub(super) routed: Option<(usize, Routed)>,
    pub(super) rope: RopeTable,
}

/// What the matrices of MLPs and experts are called.
pub(super) const NAMES: MlpNames = MlpNames { gate: "w1", up: "w3", down: "w2" };

/// The architecture.
pub struct Lfm2;

impl Model for Lfm2 {
    type Config = Lfm2Config;

    const NAME: &'static str = "lfm2";
    const ARCHITECTURES: &'static [&'static str] = &["Lfm2ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["lfm2"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "model.embed_tokens.weight")];

    fn config(fields: &Fields<'_>) -> Result<Lfm2Config, Error> {
        let mut sizes = Sizes::read(fields, SizeDefaults { head_dim: None, kv_heads: false })?;
        sizes.intermediate = intermediate(fields, sizes.intermediate)?;
        // What initial weights are made of, and what nothing has read since the first release.
        for unused in ["conv_dim", "conv_dim_out", "conv_use_xavier_init", "block_mlp_init_scale"] {
            fields.get(unused);
        }
        for unused in ["block_norm_eps", "block_out_init_scale", "block_use_xavier_init"] {
            fields.get(unused);
        }
        let plain = RopeRules::plain(Self::NAME, &sizes);
        Ok(Lfm2Config {
            attends: attends(fields, sizes.layers)?,
            conv: conv(fields, sizes.hidden)?,
            routed: None,
            rope: rope::read(fields, RopeRules { theta: 1e6, ..plain })?,
            trunk: trunk(fields, sizes)?,
        })
    }

    fn outline(config: &Lfm2Config) -> Outline {
        let of = |attends: &bool| match attends {
            true => config.trunk.kv(),
            false => config.conv.memory().into(),
        };
        config.trunk.outline(config.attends.iter().map(of).collect(), Some(&config.rope))
    }

    fn forward<'t>(config: &Lfm2Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        let sizes = &config.trunk.sizes;
        let norms = Some(["q_layernorm", "k_layernorm"]);
        let attention = Attention { norms, output: "out_proj", ..Attention::plain(sizes) };
        let mlp = (Activation::Silu, sizes.intermediate, false);
        config.trunk.forward(&w, step, |layer, x| {
            let normed = layer.norm(x, "operator_norm");
            let mixed = match config.attends[layer.index] {
                true => layer.attention(normed, "self_attn", &attention, Some(angles)),
                false => config.conv.mix(normed, &layer.at("conv"), layer.recurrence()),
            };
            let x = x + mixed;
            let (normed, w) = (layer.norm(x, "ffn_norm"), layer.at("feed_forward"));
            x + match config.routed.filter(|(first, _)| layer.index >= *first) {
                Some((_, routed)) => routed.apply_at(&w, normed),
                None => nn::gated_mlp(normed, &w, NAMES, mlp),
            }
        })
    }
}

/// What there is around the layers.
pub(super) fn trunk(fields: &Fields<'_>, sizes: Sizes) -> Result<Trunk, Error> {
    let norm = Norm { epsilon: fields.positive("norm_eps")?, offset: 0.0 };
    let tied = match fields.stands("tie_embedding") {
        true => fields.flag("tie_embedding", true)?,
        false => fields.flag("tie_word_embeddings", true)?,
    };
    let names = Names { norm: "model.embedding_norm", ..Names::default() };
    Ok(Trunk::plain(sizes, norm, names, tied))
}

/// The convolution of layers without attention.
pub(super) fn conv(fields: &Fields<'_>, hidden: usize) -> Result<ShortConv, Error> {
    let taps = recurrent::taps(fields, "conv_L_cache")?;
    Ok(ShortConv { hidden, taps, bias: fields.flag("conv_bias", false)? })
}

/// Whether each layer has attention: from `layer_types`, else `full_attn_idxs`, else all.
pub(super) fn attends(fields: &Fields<'_>, layers: usize) -> Result<Vec<bool>, Error> {
    let known = [("full_attention", true), ("conv", false)];
    let said = recurrent::kinds(fields, "layer_types", layers, &known)?;
    let listed = fields.counts("full_attn_idxs", layers)?;
    let all = fields.get("full_attn_idxs").is_none();
    Ok(said.unwrap_or_else(|| (0..layers).map(|layer| all || listed.contains(&layer)).collect()))
}

/// The MLPs' width: two thirds of what the configuration says, times a factor, rounded up to a
/// multiple, unless `block_auto_adjust_ff_dim` is off.
fn intermediate(fields: &Fields<'_>, said: usize) -> Result<usize, Error> {
    let said = fields.optional_size("block_ff_dim", 1 << 22)?.unwrap_or(said);
    let multiple = fields.optional_size("block_multiple_of", 1 << 16)?.unwrap_or(256);
    let factor = fields.optional_positive("block_ffn_dim_multiplier")?;
    if !fields.flag("block_auto_adjust_ff_dim", true)? {
        return Ok(said);
    }
    let part = 2 * said / 3;
    Ok(match factor {
        Some(factor) => ((factor * part as f64) as usize).next_multiple_of(multiple),
        None if fields.stands("block_ffn_dim_multiplier") => part,
        None => part.next_multiple_of(multiple),
    })
}
