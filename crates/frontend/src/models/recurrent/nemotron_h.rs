//! Nemotron H: a layer is a mixer of Mamba 2, attention without positions, an MLP of squared ReLUs,
//! or a choice of such MLPs, perhaps of a narrower row than the stream's, beside one that every token
//! has; with one norm before it.
//!
//! Reference: `transformers/models/nemotron_h/modeling_nemotron_h.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/nemotron_h*/`.

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::experts::{Mixture, Router, Weighing, accept};
use crate::hybrid::{Attention, Names, Trunk};
use crate::memory::LayerMemory;
use crate::nn::{self, Activation, MlpNames, Norm};
use crate::recurrent::{self, Gating, Mamba2Mixer, MixerFields};
use crate::registry::{Model, Outline, WeightRule};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct NemotronHConfig {
    trunk: Trunk,
    kinds: Vec<Kind>,
    mixer: Mamba2Mixer,
    mlp_bias: bool,
    routed: Option<Chosen>,
}

/// The experts of a layer.
struct Chosen {
    mixture: Mixture,
    router: Router,
    /// Width of the row that they work on, where it is not the stream's.
    row: Option<usize>,
    /// Width inside the MLP that every token has.
    shared: usize,
}

/// What a layer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Mixer,
    Attention,
    Mlp,
    Experts,
}

/// The architecture.
pub struct NemotronH;

/// Names of kinds in lists, and their letters in `hybrid_override_pattern`.
const KINDS: [(&str, char, Kind); 6] = [
    ("linear_attention", 'M', Kind::Mixer),
    ("mamba", 'M', Kind::Mixer),
    ("full_attention", '*', Kind::Attention),
    ("attention", '*', Kind::Attention),
    ("mlp", '-', Kind::Mlp),
    ("moe", 'E', Kind::Experts),
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
        let routed = match kinds.contains(&Kind::Experts) {
            true => Some(Chosen::read(fields)?),
            false => None,
        };
        let sizes = Sizes::of_layers(
            fields,
            SizeDefaults { head_dim: Some(128), kv_heads: true },
            kinds.len(),
        )?;
        refuse(fields, epsilon, sizes.head_dim)?;
        accept(fields, &[], &UNUSED)?;
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
        let mlp_bias = fields.flag("mlp_bias", false)?;
        Ok(NemotronHConfig { trunk, kinds, mixer, mlp_bias, routed })
    }

    fn outline(config: &NemotronHConfig) -> Outline {
        let of = |kind: &Kind| match kind {
            Kind::Mixer => config.mixer.memory().into(),
            Kind::Attention => config.trunk.kv(),
            Kind::Mlp | Kind::Experts => LayerMemory::default(),
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
                Kind::Mlp => {
                    mlp(config, &layer.at("mixer"), config.trunk.sizes.intermediate, normed)
                }
                Kind::Experts => experts(config, &layer.at("mixer"), normed),
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
    kinds.filter(fits).ok_or_else(|| {
        fields.wrong(name, "a letter of M, *, - and E for each of num_hidden_layers")
    })
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
    Ok(())
}

/// Nothing attends through a window and no projection of the mixer's has a bias of its own, whatever is
/// said; the rest is of training, of kernels, of the head for further tokens, and of experts, which are
/// read before where a layer has them.
const UNUSED: [&str; 26] = [
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
];

impl Chosen {
    fn read(fields: &Fields<'_>) -> Result<Self, Error> {
        // However many the one MLP stands for: its width says it all.
        accept(fields, &[("n_shared_experts", "1")], &[])?;
        let width = fields.size("moe_intermediate_size", 1 << 22)?;
        let experts = fields.size("n_routed_experts", 1 << 12)?;
        let router = Router::logistic(fields, experts, true)?;
        let most = router.groups.map_or(experts, |groups| groups.kept * (experts / groups.count));
        let chosen = fields.size("num_experts_per_tok", most)?;
        Ok(Self {
            mixture: Mixture { experts, chosen, width, weighing: Weighing::OfAll },
            router,
            row: fields.optional_size("moe_latent_size", 1 << 20)?,
            shared: fields.size("moe_shared_expert_intermediate_size", 1 << 22)?,
        })
    }
}

/// The sum of the chosen experts and of the MLP that every token has.
fn experts<'t>(config: &NemotronHConfig, w: &Weights<'t>, x: Tensor<'t>) -> Tensor<'t> {
    let chosen = config.routed.as_ref().expect("a layer has experts");
    let (mixture, bias) = (&chosen.mixture, config.mlp_bias);
    let scores = nn::linear(x, w.at("gate"), mixture.experts);
    let correction = w.at("gate.e_score_correction_bias").vector(mixture.experts);
    let route = chosen.router.route(scores, Some(correction), mixture.chosen);
    let latent = |x, name: &str, width| nn::linear_bias(x, w.at(name), width, bias);
    let row = chosen.row.map_or(x, |width| latent(x, "fc1_latent_proj", width));
    let y = mixture.ungated(row, &route, w, MlpNames::default(), Activation::ReluSquared);
    let y = chosen.row.map_or(y, |_| latent(y, "fc2_latent_proj", x.size(1)));
    y + mlp(config, &w.at("shared_experts"), chosen.shared, x)
}

/// `down(max(up(x), 0)²)`.
fn mlp<'t>(config: &NemotronHConfig, w: &Weights<'t>, width: usize, x: Tensor<'t>) -> Tensor<'t> {
    let up = nn::linear_bias(x, w.at("up_proj"), width, config.mlp_bias);
    let inner = Activation::ReluSquared.apply(up);
    nn::linear_bias(inner, w.at("down_proj"), x.size(1), config.mlp_bias)
}
