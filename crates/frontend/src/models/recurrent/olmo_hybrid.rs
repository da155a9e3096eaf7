//! OLMo Hybrid: gated delta nets between norms before each half of a block, and every few layers
//! attention between norms behind each half, with all queries normalized together, turned or not.
//!
//! Reference: `transformers/models/olmo_hybrid/modeling_olmo_hybrid.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/olmo_hybrid/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::memory::LayerMemory;
use crate::nn::{self, Activation, Norm};
use crate::recurrent::{self, GatedDeltaNet, Projections};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct OlmoHybridConfig {
    decoder: Decoder,
    /// Whether each layer has attention.
    attends: Vec<bool>,
    attention_bias: bool,
    net: GatedDeltaNet,
    /// None where positions turn nothing.
    rope: Option<RopeTable>,
}

/// The architecture.
pub struct OlmoHybrid;

/// What the norm of a delta net's result adds, whatever the model's own add.
const NET_EPSILON: f64 = 1e-5;

impl Model for OlmoHybrid {
    type Config = OlmoHybridConfig;

    const NAME: &'static str = "olmo_hybrid";
    const ARCHITECTURES: &'static [&'static str] = &["OlmoHybridForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["olmo_hybrid"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<OlmoHybridConfig, Error> {
        let sizes = SizeDefaults { head_dim: None, kv_heads: true };
        let decoder = Decoder::read(fields, Defaults { sizes, ..Defaults::default() })?;
        if decoder.activation != Activation::Silu {
            return Err(fields.wrong("hidden_act", "silu"));
        }
        // What initial weights are made of.
        for unused in ["linear_a_log_min", "linear_a_log_max", "linear_dt_min", "linear_dt_max"] {
            fields.get(unused);
        }
        fields.get("linear_dt_init_floor");
        let norm = Norm { epsilon: NET_EPSILON, offset: 0.0 };
        let net = GatedDeltaNet::read(fields, norm, Projections::Single)?;
        let strength = if fields.flag("linear_allow_neg_eigval", true)? { 2.0 } else { 1.0 };
        let rules = RopeRules::plain(Self::NAME, &decoder.sizes);
        let turned = turned(fields)?;
        Ok(OlmoHybridConfig {
            attends: recurrent::attends(fields, decoder.sizes.layers)?,
            attention_bias: fields.flag("attention_bias", false)?,
            net: GatedDeltaNet { strength, ..net },
            rope: turned.then(|| rope::read(fields, rules)).transpose()?,
            decoder,
        })
    }

    fn outline(config: &OlmoHybridConfig) -> Outline {
        let outline = config.decoder.outline(config.rope.as_ref().as_slice());
        let net = LayerMemory::from(config.net.memory());
        let of = |(attends, kv): (&bool, &LayerMemory)| if *attends { *kv } else { net };
        let memory = config.attends.iter().zip(&outline.memory).map(of).collect();
        Outline { memory, ..outline }
    }

    fn forward<'t>(config: &OlmoHybridConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = config.rope.as_ref().map(|rope| step.angles(rope));
        config.decoder.forward(&w, step, |layer, x| match config.attends[layer.index] {
            true => attending(config, layer, angles, x),
            false => {
                let mixer = |x| config.net.mix(x, &layer.at("linear_attn"), layer.recurrence());
                layer.pre_norm_at(x, names(layer), mixer, |x| layer.gated_mlp(x, false))
            }
        })
    }
}

/// Whether queries and keys are turned: not where `rope_parameters` is null or names no base.
fn turned(fields: &Fields<'_>) -> Result<bool, Error> {
    let Some(object) = fields.object("rope_parameters")? else {
        return Ok(fields.optional_positive("rope_theta")?.is_some());
    };
    Ok(object.get("rope_theta").is_some())
}

/// The norms of a layer with a delta net, whose published names are not transformers' own.
fn names(layer: &Layer<'_, '_>) -> [&'static str; 2] {
    match layer.at("attention_layer_norm.weight").stands() {
        true => ["attention_layer_norm", "feedforward_layer_norm"],
        false => ["input_layernorm", "post_attention_layernorm"],
    }
}

fn attending<'t>(
    config: &OlmoHybridConfig,
    layer: &Layer<'_, 't>,
    angles: Option<Tensor<'t>>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let bias = config.attention_bias;
    let qkv = layer.jointly_normed_turned(x, angles, bias);
    let attrs = nn::attention_attrs(config.decoder.sizes.head_dim as f64, None);
    // Files that transformers has written give this norm, too, the name of the delta nets' second one.
    let behind = match layer.at("feedforward_layer_norm.weight").stands() {
        true => "feedforward_layer_norm",
        false => "post_attention_layernorm",
    };
    let x = x + layer.norm(layer.attend(qkv, attrs, bias), behind);
    x + layer.norm(layer.gated_mlp(x, false), "post_feedforward_layernorm")
}
