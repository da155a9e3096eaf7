//! Mamba 2: no attention, a scan in every layer.
//!
//! Reference: `transformers/models/mamba2/modeling_mamba2.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/mamba2*/`.

use crate::config::{Fields, Sizes};
use crate::error::Error;
use crate::nn::{self, Activation, Norm};
use crate::recurrent::{self, Gating, Mamba2Mixer};
use crate::registry::{Model, Outline, WeightRule};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Mamba2Config {
    sizes: Sizes,
    mixer: Mamba2Mixer,
    norm: Norm,
    tied: bool,
}

/// The architecture.
pub struct Mamba2;

/// Positions where the configuration names no most: nothing in the model depends on them.
const POSITIONS: usize = 1 << 20;

impl Model for Mamba2 {
    type Config = Mamba2Config;

    const NAME: &'static str = "mamba2";
    const ARCHITECTURES: &'static [&'static str] = &["Mamba2ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["mamba2"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "backbone.embeddings.weight")];

    fn config(fields: &Fields<'_>) -> Result<Mamba2Config, Error> {
        let hidden = fields.size("hidden_size", 1 << 20)?;
        let norm = Norm { epsilon: fields.positive("layer_norm_epsilon")?, offset: 0.0 };
        let mixer = mixer(fields, hidden, norm)?;
        // What initial weights are made of, how sums are cut into chunks, in which type training
        // adds; and what transformers reads no more.
        for unused in [
            "time_step_rank",
            "time_step_min",
            "time_step_max",
            "time_step_floor",
            "rescale_prenorm_residual",
            "residual_in_fp32",
            "chunk_size",
            "norm_before_gate",
        ] {
            fields.get(unused);
        }
        if Activation::read(fields, "hidden_act", Activation::Silu)? != Activation::Silu {
            return Err(fields.wrong("hidden_act", "silu"));
        }
        if !fields.flag("rms_norm", true)? {
            return Err(fields.wrong("rms_norm", "true"));
        }
        let sizes = Sizes {
            hidden,
            intermediate: mixer.inner(),
            layers: fields.size("num_hidden_layers", 1 << 12)?,
            heads: mixer.heads,
            kv_heads: mixer.heads,
            head_dim: mixer.head_dim,
            vocabulary: fields.size("vocab_size", 1 << 24)?,
            positions: POSITIONS,
        };
        let tied = fields.flag("tie_word_embeddings", false)?;
        Ok(Mamba2Config { sizes, mixer, norm, tied })
    }

    fn outline(config: &Mamba2Config) -> Outline {
        Outline {
            memory: vec![config.mixer.memory().into(); config.sizes.layers],
            sizes: config.sizes.clone(),
            tied: config.tied,
            needs_length: false,
            further: 0,
            whole: false,
            segments: 1,
        }
    }

    fn forward<'t>(config: &Mamba2Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let Mamba2Config { sizes: Sizes { hidden, vocabulary, layers, .. }, mixer, norm, .. } =
            config;
        let backbone = w.at("backbone");
        let x = nn::embedding(step.tokens, backbone.at("embeddings"), [*vocabulary, *hidden]);
        let x = (0..*layers).fold(x, |x, layer| {
            let w = backbone.at("layers").index(layer);
            let normed = nn::rms_norm(x, w.at("norm"), *hidden, *norm);
            x + mixer.mix(normed, &w.at("mixer"), step.recurrence(layer))
        });
        let x = x.take_rows(step.sampled);
        let x = nn::rms_norm(x, backbone.at("norm_f"), *hidden, *norm);
        nn::linear(x, w.at("lm_head"), *vocabulary)
    }
}

/// The mixer, whose heads together are as wide as `expand` says.
fn mixer(fields: &Fields<'_>, hidden: usize, norm: Norm) -> Result<Mamba2Mixer, Error> {
    let heads = fields.size("num_heads", 1 << 12)?;
    let groups = fields.size("n_groups", heads)?;
    let mixer = Mamba2Mixer {
        heads,
        head_dim: fields.size("head_dim", 1 << 14)?,
        groups,
        depth: fields.size("state_size", 1 << 14)?,
        taps: recurrent::taps(fields, "conv_kernel")?,
        conv_bias: fields.flag("use_conv_bias", true)?,
        bias: [fields.flag("use_bias", false)?; 2],
        dt_limit: recurrent::dt_limit(fields)?,
        gating: Gating::Then(norm),
        scales: [1.0; 5],
    };
    let expand = fields.optional_size("expand", 1 << 10)?.unwrap_or(2);
    if expand * hidden != mixer.inner() {
        let expected =
            format!("{}, num_heads times head_dim by hidden_size", mixer.inner() / hidden);
        return Err(fields.wrong("expand", &expected));
    }
    if !heads.is_multiple_of(groups) {
        return Err(fields.wrong("n_groups", &format!("a divisor of num_heads, {heads}")));
    }
    Ok(mixer)
}
