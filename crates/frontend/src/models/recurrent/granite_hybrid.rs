//! Granite 4 hybrids: mixers of Mamba 2, and in some layers attention, turned or not; in every layer
//! an MLP, with a mixture of experts beside it or without; constants multiply the embedding, each
//! half of a block, the scores and the logits.
//!
//! Reference: `transformers/models/granitemoehybrid/modeling_granitemoehybrid.py`. `tools/oracle` runs
//! it on tiny random checkpoints to make `tests/oracle/granitemoehybrid*/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::experts::{Mixture, Weighing};
use crate::hybrid::{Attention, Names, Trunk};
use crate::nn::{self, Activation, MlpNames, Norm};
use crate::recurrent::{self, Gating, Mamba2Mixer, MixerFields, scaled};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct GraniteHybridConfig {
    trunk: Trunk,
    /// Whether each layer has attention.
    attends: Vec<bool>,
    attention: Attention,
    mixer: Mamba2Mixer,
    mixture: Option<Mixture>,
    /// Width of the MLP that every token has.
    shared: usize,
    /// What a half of a block is multiplied with before it is added.
    residual: f64,
    rope: Option<RopeTable>,
}

/// The architecture.
pub struct GraniteHybrid;

impl Model for GraniteHybrid {
    type Config = GraniteHybridConfig;

    const NAME: &'static str = "granitemoehybrid";
    const ARCHITECTURES: &'static [&'static str] = &["GraniteMoeHybridForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["granitemoehybrid"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "model.embed_tokens.weight")];

    fn config(fields: &Fields<'_>) -> Result<GraniteHybridConfig, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { head_dim: None, kv_heads: true })?;
        let norm = Norm { epsilon: fields.positive("rms_norm_eps")?, offset: 0.0 };
        if Activation::read(fields, "hidden_act", Activation::Silu)? != Activation::Silu {
            return Err(fields.wrong("hidden_act", "silu"));
        }
        if !matches!(fields.text("normalization_function")?, None | Some("rmsnorm")) {
            return Err(fields.wrong("normalization_function", "rmsnorm"));
        }
        // How sums are cut into chunks, and how weights were initialized.
        fields.get("mamba_chunk_size");
        fields.get("init_method");
        let number = |name| Ok::<f64, Error>(fields.optional_positive(name)?.unwrap_or(1.0));
        let bias = [fields.flag("attention_bias", false)?; 2];
        let scale = number("attention_multiplier")?;
        let tied = fields.flag("tie_word_embeddings", false)?;
        let gating = Gating::Then(norm);
        Ok(GraniteHybridConfig {
            attends: attends(fields, sizes.layers)?,
            attention: Attention { scale, bias, ..Attention::plain(&sizes) },
            mixer: MixerFields::default().read(fields, sizes.hidden, None, gating)?,
            mixture: mixture(fields, sizes.intermediate)?,
            shared: fields.size("shared_intermediate_size", 1 << 22)?,
            residual: number("residual_multiplier")?,
            rope: turned(fields, &sizes)?,
            trunk: Trunk {
                embedding_scale: number("embedding_multiplier")?,
                logit_scale: 1.0 / number("logits_scaling")?,
                ..Trunk::plain(sizes, norm, Names::default(), tied)
            },
        })
    }

    fn outline(config: &GraniteHybridConfig) -> Outline {
        let of = |attends: &bool| match attends {
            true => config.trunk.kv(),
            false => config.mixer.memory().into(),
        };
        config.trunk.outline(config.attends.iter().map(of).collect(), config.rope.as_ref())
    }

    fn forward<'t>(config: &GraniteHybridConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = config.rope.as_ref().map(|rope| step.angles(rope));
        config.trunk.forward(&w, step, |layer, x| {
            let normed = layer.norm(x, "input_layernorm");
            let mixed = match config.attends[layer.index] {
                true => layer.attention(normed, "self_attn", &config.attention, angles),
                false => config.mixer.mix(normed, &layer.at("mamba"), layer.recurrence()),
            };
            let x = x + scaled(mixed, config.residual);
            let normed = layer.norm(x, "post_attention_layernorm");
            let (names, mlp) =
                (["input_linear", "output_linear"], (Activation::Silu, config.shared));
            let shared = nn::joined_gated_mlp(normed, &layer.at("shared_mlp"), names, mlp);
            let all = match &config.mixture {
                Some(mixture) => experts(mixture, &layer.at("block_sparse_moe"), normed) + shared,
                None => shared,
            };
            x + scaled(all, config.residual)
        })
    }
}

fn attends(fields: &Fields<'_>, layers: usize) -> Result<Vec<bool>, Error> {
    let known = [
        ("full_attention", true),
        ("linear_attention", false),
        ("attention", true),
        ("mamba", false),
    ];
    let said = match recurrent::kinds(fields, "layer_types", layers, &known)? {
        Some(said) => Some(said),
        None => recurrent::kinds(fields, "layers_block_type", layers, &known)?,
    };
    Ok(said.unwrap_or_else(|| vec![false; layers]))
}

/// The experts, where there are any.
fn mixture(fields: &Fields<'_>, width: usize) -> Result<Option<Mixture>, Error> {
    if fields.optional_count("num_local_experts", 1 << 12)? == Some(0) {
        fields.get("num_experts_per_tok");
        return Ok(None);
    }
    Mixture::read(fields, width, Some(Weighing::OfChosen)).map(Some)
}

/// The rotary embedding, where `position_embedding_type` asks for one.
fn turned(fields: &Fields<'_>, sizes: &Sizes) -> Result<Option<RopeTable>, Error> {
    let table = rope::read(fields, RopeRules::plain(GraniteHybrid::NAME, sizes))?;
    match fields.text("position_embedding_type")? {
        Some("rope") => Ok(Some(table)),
        None | Some("nope") => Ok(None),
        Some(_) => Err(fields.wrong("position_embedding_type", "rope or nope")),
    }
}

fn experts<'t>(mixture: &Mixture, w: &Weights<'t>, x: Tensor<'t>) -> Tensor<'t> {
    // Published files have a layer around the matrix.
    let router = [w.at("router.layer"), w.at("router")];
    let [layer, plain] = router;
    let router = if layer.at("weight").stands() { layer } else { plain };
    let route = mixture.route(nn::linear(x, router, mixture.experts));
    mixture.gated(x, &route, w, MlpNames::default(), Activation::Silu)
}
