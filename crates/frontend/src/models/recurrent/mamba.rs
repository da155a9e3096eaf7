//! Mamba: no attention, a selective scan in every layer; and Falcon Mamba, which normalizes time
//! steps and what goes into a scan and comes out.
//!
//! Reference: `transformers/models/mamba/modeling_mamba.py` and `falcon_mamba`. `tools/oracle` runs
//! them on tiny random checkpoints to make `tests/oracle/mamba/` and `tests/oracle/falcon_mamba/`.

use crate::config::{Fields, Sizes};
use crate::error::Error;
use crate::hybrid::{Names, Trunk};
use crate::nn::{Activation, Norm};
use crate::recurrent::{MambaFields, MambaMixer, Norms};
use crate::registry::{Model, Outline, WeightRule};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct MambaConfig {
    trunk: Trunk,
    mixer: MambaMixer,
}

/// The architecture.
pub struct Mamba;

/// The architecture with norms inside its mixers.
pub struct FalconMamba;

/// Positions where the configuration names no most: nothing in the model depends on them.
const POSITIONS: usize = 1 << 20;

impl Model for Mamba {
    type Config = MambaConfig;

    const NAME: &'static str = "mamba";
    const ARCHITECTURES: &'static [&'static str] = &["MambaForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["mamba"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "backbone.embeddings.weight")];

    fn config(fields: &Fields<'_>) -> Result<MambaConfig, Error> {
        read(fields, Norms::None)
    }

    fn outline(config: &MambaConfig) -> Outline {
        let memory = vec![config.mixer.memory().into(); config.trunk.sizes.layers];
        config.trunk.outline(memory, None)
    }

    fn forward<'t>(config: &MambaConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        config.trunk.forward(&w, step, |layer, x| {
            let normed = layer.norm(x, "norm");
            x + config.mixer.mix(normed, &layer.at("mixer"), layer.recurrence())
        })
    }
}

impl Model for FalconMamba {
    type Config = MambaConfig;

    const NAME: &'static str = "falcon_mamba";
    const ARCHITECTURES: &'static [&'static str] = &["FalconMambaForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["falcon_mamba"];
    const WEIGHTS: &'static [WeightRule] = Mamba::WEIGHTS;

    fn config(fields: &Fields<'_>) -> Result<MambaConfig, Error> {
        let epsilon = fields.optional_positive("mixer_rms_eps")?.unwrap_or(1e-6);
        read(fields, Norms::Plain(Norm { epsilon, offset: 0.0 }))
    }

    fn outline(config: &MambaConfig) -> Outline {
        Mamba::outline(config)
    }

    fn forward<'t>(config: &MambaConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        Mamba::forward(config, w, step)
    }
}

fn read(fields: &Fields<'_>, norms: Norms) -> Result<MambaConfig, Error> {
    let hidden = fields.size("hidden_size", 1 << 20)?;
    let names = MambaFields {
        depth: "state_size",
        rank: "time_step_rank",
        taps: "conv_kernel",
        expand: "expand",
        conv_bias: "use_conv_bias",
        bias: "use_bias",
    };
    let mixer = names.read(fields, hidden, norms)?;
    if Activation::read(fields, "hidden_act", Activation::Silu)? != Activation::Silu {
        return Err(fields.wrong("hidden_act", "silu"));
    }
    let inner = fields.optional_size("intermediate_size", 1 << 22)?;
    if inner.is_some_and(|inner| inner != mixer.inner) {
        let expected = format!("{}, expand times hidden_size", mixer.inner);
        return Err(fields.wrong("intermediate_size", &expected));
    }
    // What initial weights are made of, in which type training adds, which kernels run; and copies of
    // other fields that the first releases carry.
    for unused in [
        "time_step_scale",
        "time_step_min",
        "time_step_max",
        "time_step_init_scheme",
        "time_step_floor",
        "rescale_prenorm_residual",
        "residual_in_fp32",
        "use_mambapy",
        "use_falcon_mambapy",
        "use_associative_scan",
        "fused_add_norm",
        "d_inner",
        "d_model",
        "n_layer",
        "pad_vocab_size_multiple",
        "rms_norm",
        "ssm_cfg",
    ] {
        fields.get(unused);
    }
    let sizes = Sizes {
        hidden,
        intermediate: mixer.inner,
        layers: fields.size("num_hidden_layers", 1 << 12)?,
        heads: 1,
        kv_heads: 1,
        head_dim: mixer.inner,
        vocabulary: fields.size("vocab_size", 1 << 24)?,
        positions: POSITIONS,
    };
    let norm = Norm { epsilon: fields.positive("layer_norm_epsilon")?, offset: 0.0 };
    let names = Names {
        embedding: "backbone.embeddings",
        layers: "backbone.layers",
        norm: "backbone.norm_f",
    };
    let tied = fields.flag("tie_word_embeddings", true)?;
    Ok(MambaConfig { trunk: Trunk::plain(sizes, norm, names, tied), mixer })
}
