//! Falcon H1: a mixer of Mamba 2 and attention side by side in every layer, on the same rows; and
//! constants that multiply what goes into and comes out of every part.
//!
//! Reference: `transformers/models/falcon_h1/modeling_falcon_h1.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/falcon_h1*/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::hybrid::{Attention, Block, Names, Trunk};
use crate::memory::LayerMemory;
use crate::nn::{self, Activation, Norm};
use crate::recurrent::{Gating, Mamba2Mixer, MixerFields, scaled};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct FalconH1Config {
    trunk: Trunk,
    attention: Attention,
    mixer: Mamba2Mixer,
    mlp_bias: bool,
    /// What goes into attention and into the mixer, and what comes out, is multiplied with.
    scales: [[f64; 2]; 2],
    /// What the MLP's gate and result are.
    mlp_scales: [f64; 2],
    rope: RopeTable,
}

/// The architecture.
pub struct FalconH1;

impl Model for FalconH1 {
    type Config = FalconH1Config;

    const NAME: &'static str = "falcon_h1";
    const ARCHITECTURES: &'static [&'static str] = &["FalconH1ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["falcon_h1"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "model.embed_tokens.weight")];

    fn config(fields: &Fields<'_>) -> Result<FalconH1Config, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { head_dim: None, kv_heads: true })?;
        let norm = Norm { epsilon: fields.positive("rms_norm_eps")?, offset: 0.0 };
        if Activation::read(fields, "hidden_act", Activation::Silu)? != Activation::Silu {
            return Err(fields.wrong("hidden_act", "silu"));
        }
        // How sums are cut into chunks, how many rows of logits callers want, how wide an MLP of
        // the mixer's would be that no model has.
        for unused in ["mamba_chunk_size", "num_logits_to_keep", "mlp_expansion_factor"] {
            fields.get(unused);
        }
        fields.get("mamba_use_mlp");
        let number = |name| Ok::<f64, Error>(fields.optional_positive(name)?.unwrap_or(1.0));
        let plain = Attention::plain(&sizes);
        let names = Names { norm: "model.final_layernorm", ..Names::default() };
        let tied = fields.flag("tie_word_embeddings", false)?;
        Ok(FalconH1Config {
            attention: Attention {
                // Keys times a constant is scores times it.
                scale: plain.scale * number("key_multiplier")?,
                bias: [fields.flag("attention_bias", false)?; 2],
                ..plain
            },
            mixer: mixer(fields, sizes.hidden, norm)?,
            mlp_bias: fields.flag("mlp_bias", false)?,
            scales: [
                [number("attention_in_multiplier")?, number("attention_out_multiplier")?],
                [number("ssm_in_multiplier")?, number("ssm_out_multiplier")?],
            ],
            mlp_scales: numbers(fields, "mlp_multipliers")?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &sizes))?,
            trunk: Trunk {
                embedding_scale: number("embedding_multiplier")?,
                logit_scale: number("lm_head_multiplier")?,
                ..Trunk::plain(sizes, norm, names, tied)
            },
        })
    }

    fn outline(config: &FalconH1Config) -> Outline {
        let recurrent = Some(config.mixer.memory());
        let memory = LayerMemory { recurrent, ..config.trunk.kv() };
        config.trunk.outline(vec![memory; config.trunk.sizes.layers], Some(&config.rope))
    }

    fn forward<'t>(config: &FalconH1Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        let [attention, mixer] = config.scales;
        config.trunk.forward(&w, step, |layer, x| {
            let normed = layer.norm(x, "input_layernorm");
            let (w, rows) = (layer.at("mamba"), scaled(normed, mixer[0]));
            let mixed = config.mixer.mix(rows, &w, layer.recurrence());
            let rows = scaled(normed, attention[0]);
            let attended = layer.attention(rows, "self_attn", &config.attention, Some(angles));
            let x = x + (scaled(mixed, mixer[1]) + scaled(attended, attention[1]));
            x + mlp(config, layer, layer.norm(x, "pre_ff_layernorm"))
        })
    }
}

fn mixer(fields: &Fields<'_>, hidden: usize, norm: Norm) -> Result<Mamba2Mixer, Error> {
    let before = fields.flag("mamba_norm_before_gate", true)?;
    let gating = match (fields.flag("mamba_rms_norm", false)?, before) {
        (false, _) => Gating::Only,
        (true, true) => Gating::Before(norm),
        (true, false) => Gating::Then(norm),
    };
    let inner = fields.optional_size("mamba_d_ssm", 1 << 22)?;
    let mixer = MixerFields::default().read(fields, hidden, inner, gating)?;
    let bias = [mixer.bias[0], fields.flag("projectors_bias", false)?];
    Ok(Mamba2Mixer { bias, scales: numbers(fields, "ssm_multipliers")?, ..mixer })
}

/// A list of factors; ones where it is absent.
fn numbers<const N: usize>(fields: &Fields<'_>, name: &str) -> Result<[f64; N], Error> {
    if fields.get(name).is_none() {
        return Ok([1.0; N]);
    }
    let numbers = fields.positives(name, N)?;
    Ok(std::array::from_fn(|at| numbers[at]))
}

fn mlp<'t>(config: &FalconH1Config, layer: &Block<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let (w, bias) = (layer.at("feed_forward"), config.mlp_bias);
    let Sizes { hidden, intermediate, .. } = config.trunk.sizes;
    let [of_gate, of_result] = config.mlp_scales;
    let gate = scaled(nn::linear_bias(x, w.at("gate_proj"), intermediate, bias), of_gate);
    let up = nn::linear_bias(x, w.at("up_proj"), intermediate, bias);
    let inner = up * Activation::Silu.apply(gate);
    scaled(nn::linear_bias(inner, w.at("down_proj"), hidden, bias), of_result)
}
