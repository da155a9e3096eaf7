//! Nemotron H: a layer is a mixer of Mamba 2, attention without positions, or an MLP of squared
//! ReLUs, with one norm before it.
//!
//! Reference: `transformers/models/nemotron_h/modeling_nemotron_h.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/nemotron_h*/`.

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::hybrid::{Attention, Block, Names, Trunk};
use crate::memory::LayerMemory;
use crate::nn::{self, Norm};
use crate::recurrent::{self, Gating, Mamba2Mixer, MixerFields};
use crate::registry::{Model, Outline, WeightRule};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct NemotronHConfig {
    trunk: Trunk,
    kinds: Vec<Kind>,
    mixer: Mamba2Mixer,
    mlp_bias: bool,
}

/// What a layer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Mixer,
    Attention,
    Mlp,
}

/// The architecture.
pub struct NemotronH;

/// Names of kinds in lists, and their letters in `hybrid_override_pattern`.
const KINDS: [(&str, char, Kind); 5] = [
    ("linear_attention", 'M', Kind::Mixer),
    ("mamba", 'M', Kind::Mixer),
    ("full_attention", '*', Kind::Attention),
    ("attention", '*', Kind::Attention),
    ("mlp", '-', Kind::Mlp),
];

impl Model for NemotronH {
    type Config = NemotronHConfig;

    const NAME: &'static str = "nemotron_h";
    const ARCHITECTURES: &'static [&'static str] = &["NemotronHForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["nemotron_h"];
    // The head that predicts further tokens is not part of the model proper.
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::Inside("model", "backbone"), WeightRule::IgnoreBelow("mtp")];

    fn config(fields: &Fields<'_>) -> Result<NemotronHConfig, Error> {
        let epsilon = fields.positive("layer_norm_epsilon")?;
        let norm = Norm { epsilon, offset: 0.0 };
        let kinds = kinds(fields)?;
        let sizes = Sizes::of_layers(
            fields,
            SizeDefaults { head_dim: Some(128), kv_heads: true },
            kinds.len(),
        )?;
        refuse(fields, epsilon, sizes.head_dim)?;
        let names = MixerFields {
            heads: "mamba_num_heads",
            head_dim: "mamba_head_dim",
            groups: "n_groups",
            depth: "ssm_state_size",
            taps: "conv_kernel",
            expand: "expand",
            conv_bias: "use_conv_bias",
            bias: "use_bias",
        };
        // The heads need not be as wide as `expand` says.
        let inner = fields.size(names.heads, 1 << 12)? * fields.size(names.head_dim, 1 << 14)?;
        let mixer = names.read(fields, sizes.hidden, Some(inner), Gating::Then(norm))?;
        let tied = fields.flag("tie_word_embeddings", false)?;
        let names =
            Names { embedding: "model.embeddings", norm: "model.norm_f", ..Names::default() };
        let trunk = Trunk::plain(sizes, norm, names, tied);
        Ok(NemotronHConfig { trunk, kinds, mixer, mlp_bias: fields.flag("mlp_bias", false)? })
    }

    fn outline(config: &NemotronHConfig) -> Outline {
        let of = |kind: &Kind| match kind {
            Kind::Mixer => config.mixer.memory().into(),
            Kind::Attention => config.trunk.kv(),
            Kind::Mlp => LayerMemory::default(),
        };
        config.trunk.outline(config.kinds.iter().map(of).collect(), None)
    }

    fn forward<'t>(config: &NemotronHConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let attention = Attention::plain(&config.trunk.sizes);
        config.trunk.forward(&w, step, |layer, x| {
            let normed = layer.norm(x, "norm");
            x + match config.kinds[layer.index] {
                Kind::Mixer => config.mixer.mix(normed, &layer.at("mixer"), layer.recurrence()),
                Kind::Attention => layer.attention(normed, "mixer", &attention, None),
                Kind::Mlp => mlp(config, layer, normed),
            }
        })
    }
}

/// The kind of each layer: a list of names, or a pattern of letters in older files. Either says how
/// many layers there are.
fn kinds(fields: &Fields<'_>) -> Result<Vec<Kind>, Error> {
    let layers = fields.optional_size("num_hidden_layers", 1 << 12)?;
    let pattern = fields.text("hybrid_override_pattern")?;
    let names = KINDS.map(|(name, _, kind)| (name, kind));
    for list in ["layers_block_type", "layer_types"] {
        let found = fields.texts(list)?.map(|found| found.len());
        let Some(found) = found else { continue };
        if let Some(kinds) = recurrent::kinds(fields, list, layers.unwrap_or(found), &names)? {
            return Ok(kinds);
        }
    }
    let name = "hybrid_override_pattern";
    let Some(pattern) = pattern else {
        return Err(fields.missing("layers_block_type", "a list of the layers' kinds"));
    };
    let kind = |letter: char| KINDS.iter().find(|(_, own, _)| *own == letter).map(|kind| kind.2);
    let kinds: Option<Vec<Kind>> = pattern.chars().map(kind).collect();
    let fits = |kinds: &Vec<Kind>| layers.is_none_or(|layers| layers == kinds.len());
    kinds
        .filter(fits)
        .ok_or_else(|| fields.wrong(name, "a letter of M, * and - for each of num_hidden_layers"))
}

/// Reads what must have one value, and what changes nothing.
fn refuse(fields: &Fields<'_>, epsilon: f64, head_dim: usize) -> Result<(), Error> {
    for (name, only) in [("mlp_hidden_act", "relu2"), ("mamba_hidden_act", "silu")] {
        if fields.text(name)?.is_some_and(|value| value != only) {
            return Err(fields.wrong(name, only));
        }
    }
    if fields.flag("attention_bias", false)? {
        return Err(fields.wrong("attention_bias", "false"));
    }
    if fields.optional_positive("rms_norm_eps")?.is_some_and(|own| own != epsilon) {
        return Err(fields.wrong("rms_norm_eps", "the same as layer_norm_epsilon"));
    }
    let older = fields.optional_size("attention_head_dim", 1 << 14)?;
    if older.is_some_and(|own| own != head_dim) {
        return Err(fields.wrong("attention_head_dim", &format!("{head_dim}, as head_dim")));
    }
    // Nothing attends through a window and no projection of the mixer's has this bias, whatever is
    // said; the rest is of training, of kernels, of
    // the head for further tokens, and of experts that no layer here has.
    for unused in [
        "sliding_window",
        "mamba_proj_bias",
        "use_mamba_kernels",
        "time_step_min",
        "time_step_max",
        "time_step_floor",
        "time_step_rank",
        "chunk_size",
        "mamba_ssm_cache_dtype",
        "residual_in_fp32",
        "rescale_prenorm_residual",
        "num_logits_to_keep",
        "num_nextn_predict_layers",
        "mtp_layers_block_type",
        "mtp_hybrid_override_pattern",
    ] {
        fields.get(unused);
    }
    for expert in [
        "n_routed_experts",
        "n_shared_experts",
        "moe_intermediate_size",
        "moe_shared_expert_intermediate_size",
        "moe_latent_size",
        "moe_shared_expert_overlap",
        "num_experts_per_tok",
        "routed_scaling_factor",
        "n_group",
        "topk_group",
        "norm_topk_prob",
    ] {
        fields.get(expert);
    }
    Ok(())
}

/// `down(max(up(x), 0)²)`.
fn mlp<'t>(config: &NemotronHConfig, layer: &Block<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let (w, bias) = (layer.at("mixer"), config.mlp_bias);
    let Sizes { hidden, intermediate, .. } = config.trunk.sizes;
    let up = nn::linear_bias(x, w.at("up_proj"), intermediate, bias).at_least(0.0);
    nn::linear_bias(up * up, w.at("down_proj"), hidden, bias)
}
