//! Jamba: mixers of Mamba with norms inside, every few layers attention without positions, and in
//! some layers a choice of experts instead of an MLP.
//!
//! Reference: `transformers/models/jamba/modeling_jamba.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/jamba/`.

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::experts::{Mixture, Weighing};
use crate::hybrid::{Attention, Names, Trunk};
use crate::nn::{self, Activation, MlpNames, Norm};
use crate::recurrent::{MambaFields, MambaMixer, Norms};
use crate::registry::{Model, Outline, WeightRule};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct JambaConfig {
    trunk: Trunk,
    mixer: MambaMixer,
    attention: Every,
    sparse: Every,
    /// The experts; one is an MLP.
    mixture: Option<Mixture>,
}

/// Every so many layers, from one on.
struct Every {
    period: usize,
    offset: usize,
}

/// The architecture.
pub struct Jamba;

impl Model for Jamba {
    type Config = JambaConfig;

    const NAME: &'static str = "jamba";
    const ARCHITECTURES: &'static [&'static str] = &["JambaForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["jamba"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "model.embed_tokens.weight")];

    fn config(fields: &Fields<'_>) -> Result<JambaConfig, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { head_dim: None, kv_heads: true })?;
        let norm = Norm { epsilon: fields.positive("rms_norm_eps")?, offset: 0.0 };
        if Activation::read(fields, "hidden_act", Activation::Silu)? != Activation::Silu {
            return Err(fields.wrong("hidden_act", "silu"));
        }
        let names = MambaFields {
            depth: "mamba_d_state",
            rank: "mamba_dt_rank",
            taps: "mamba_d_conv",
            expand: "mamba_expand",
            conv_bias: "mamba_conv_bias",
            bias: "mamba_proj_bias",
        };
        if !fields.flag("mamba_inner_layernorms", true)? {
            return Err(fields.wrong("mamba_inner_layernorms", "true"));
        }
        // No layer attends through a window; the rest is of kernels, and of what callers want.
        for unused in [
            "sliding_window",
            "use_mamba_kernels",
            "num_logits_to_keep",
            "calc_logits_for_entire_prompt",
        ] {
            fields.get(unused);
        }
        for unused in ["use_mambapy", "use_associative_scan", "n_ctx"] {
            fields.get(unused);
        }
        let mixture = match fields.optional_size("num_experts", 1 << 12)?.unwrap_or(16) {
            1 => None,
            _ => Some(Mixture::read(fields, sizes.intermediate, Some(Weighing::OfAll))?),
        };
        fields.get("num_experts_per_tok");
        let layer_names = Names { norm: "model.final_layernorm", ..Names::default() };
        let tied = fields.flag("tie_word_embeddings", false)?;
        Ok(JambaConfig {
            mixer: names.read(fields, sizes.hidden, Norms::Weighed(norm))?,
            attention: Every::read(fields, ["attn_layer_period", "attn_layer_offset"], [8, 4])?,
            sparse: Every::read(fields, ["expert_layer_period", "expert_layer_offset"], [2, 1])?,
            mixture,
            trunk: Trunk::plain(sizes, norm, layer_names, tied),
        })
    }

    fn outline(config: &JambaConfig) -> Outline {
        let of = |layer: usize| match config.attention.holds(layer) {
            true => config.trunk.kv(),
            false => config.mixer.memory().into(),
        };
        config.trunk.outline((0..config.trunk.sizes.layers).map(of).collect(), None)
    }

    fn forward<'t>(config: &JambaConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let sizes = &config.trunk.sizes;
        let attention = Attention::plain(sizes);
        let mlp = (Activation::Silu, sizes.intermediate, false);
        config.trunk.forward(&w, step, |layer, x| {
            let normed = layer.norm(x, "input_layernorm");
            let x = x + match config.attention.holds(layer.index) {
                true => layer.attention(normed, "self_attn", &attention, None),
                false => config.mixer.mix(normed, &layer.at("mamba"), layer.recurrence()),
            };
            let normed = layer.norm(x, "pre_ff_layernorm");
            x + match config.mixture.filter(|_| config.sparse.holds(layer.index)) {
                Some(mixture) => experts(&mixture, &layer.at("feed_forward"), normed),
                None => nn::gated_mlp(normed, &layer.at("feed_forward"), MlpNames::default(), mlp),
            }
        })
    }
}

impl Every {
    fn read(
        fields: &Fields<'_>,
        [period, offset]: [&str; 2],
        defaults: [usize; 2],
    ) -> Result<Self, Error> {
        let every = fields.optional_size(period, 1 << 12)?.unwrap_or(defaults[0]);
        let first = fields.optional_count(offset, 1 << 12)?.unwrap_or(defaults[1]);
        if first >= every {
            return Err(fields.wrong(offset, &format!("less than {period}, {every}")));
        }
        Ok(Self { period: every, offset: first })
    }

    fn holds(&self, layer: usize) -> bool {
        layer % self.period == self.offset
    }
}

fn experts<'t>(mixture: &Mixture, w: &Weights<'t>, x: Tensor<'t>) -> Tensor<'t> {
    let route = mixture.route(nn::linear(x, w.at("router"), mixture.experts));
    mixture.gated(x, &route, w, MlpNames::default(), Activation::Silu)
}
