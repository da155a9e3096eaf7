//! Qwen 3 Next: gated delta nets, and every few layers attention whose result is gated; a mixture of
//! experts beside one that every token has.
//!
//! Reference: `transformers/models/qwen3_next/modeling_qwen3_next.py`. `tools/oracle` runs it on
//! tiny random checkpoints to make `tests/oracle/qwen3_next/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Mixture, SparseLayers, Weighing};
use crate::memory::LayerMemory;
use crate::nn::{self, Activation, Norm};
use crate::recurrent::{GatedDeltaNet, Turns};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Qwen3NextConfig {
    decoder: Decoder,
    /// Whether each layer has attention.
    attends: Vec<bool>,
    net: GatedDeltaNet,
    mixture: Mixture,
    /// Width inside the expert that every token has.
    shared: usize,
    sparse: SparseLayers,
    rope: RopeTable,
}

/// The architecture.
pub struct Qwen3Next;

impl Model for Qwen3Next {
    type Config = Qwen3NextConfig;

    const NAME: &'static str = "qwen3_next";
    const ARCHITECTURES: &'static [&'static str] = &["Qwen3NextForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["qwen3_next"];
    // The head that predicts further tokens is not part of the model proper.
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD, WeightRule::IgnoreBelow("mtp")];

    fn config(fields: &Fields<'_>) -> Result<Qwen3NextConfig, Error> {
        let sizes = SizeDefaults { head_dim: Some(256), kv_heads: false };
        let defaults = Defaults { sizes, norm_offset: 1.0, ..Defaults::default() };
        let decoder = Decoder::read(fields, defaults)?;
        if decoder.activation != Activation::Silu {
            return Err(fields.wrong("hidden_act", "silu"));
        }
        if fields.flag("attention_bias", false)? {
            return Err(fields.wrong("attention_bias", "false"));
        }
        let width = fields.size("moe_intermediate_size", 1 << 22)?;
        let of_chosen = fields.flag("norm_topk_prob", true)?;
        let weighing = if of_chosen { Weighing::OfChosen } else { Weighing::OfAll };
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        Ok(Qwen3NextConfig {
            attends: attends(fields, decoder.sizes.layers)?,
            net: GatedDeltaNet::read(fields, Norm { offset: 0.0, ..decoder.norm })?,
            mixture: Mixture::read(fields, width, Some(weighing))?,
            shared: fields.size("shared_expert_intermediate_size", 1 << 22)?,
            sparse: SparseLayers::read(fields)?,
            rope: rope::read(fields, RopeRules { partial: true, factor: 0.25, ..plain })?,
            decoder,
        })
    }

    fn outline(config: &Qwen3NextConfig) -> Outline {
        let outline = config.decoder.outline(&[&config.rope]);
        let net = LayerMemory::from(config.net.memory());
        let of = |(attends, kv): (&bool, &LayerMemory)| if *attends { *kv } else { net };
        let memory = config.attends.iter().zip(&outline.memory).map(of).collect();
        Outline { memory, ..outline }
    }

    fn forward<'t>(config: &Qwen3NextConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let mixer = |x| match config.attends[layer.index] {
                true => attention(config, layer, angles, x),
                false => config.net.mix(x, &layer.at("linear_attn"), layer.recurrence()),
            };
            layer.pre_norm(x, mixer, |x| match config.sparse.holds(layer.index) {
                true => layer.mixture_and_shared(x, &config.mixture, config.shared),
                false => layer.gated_mlp(x, false),
            })
        })
    }
}

/// Whether each layer has attention: without `layer_types`, every `full_attention_interval`th.
fn attends(fields: &Fields<'_>, layers: usize) -> Result<Vec<bool>, Error> {
    let interval = fields.optional_size("full_attention_interval", 1 << 12)?.unwrap_or(4);
    let name = "layer_types";
    let Some(types) = fields.texts(name)? else {
        return Ok((0..layers).map(|layer| (layer + 1).is_multiple_of(interval)).collect());
    };
    if types.len() != layers {
        let expected = format!("{layers} entries, as num_hidden_layers says");
        return Err(fields.wrong_as(name, format!("a list of {}", types.len()), &expected));
    }
    let of = |kind: &&str| match *kind {
        "full_attention" => Ok(true),
        "linear_attention" => Ok(false),
        _ => {
            let expected = "full_attention or linear_attention";
            Err(fields.wrong_as(name, format!("{kind:?}"), expected))
        }
    };
    types.iter().map(of).collect()
}

/// Grouped-query attention. Each head's gates stand behind its queries in the projection's rows;
/// queries and keys are normalized a head at a time before they are turned.
fn attention<'t>(
    config: &Qwen3NextConfig,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, .. } = config.decoder.sizes;
    let (w, turns) = (layer.at("self_attn.q_proj"), Turns { groups: heads, run: 2 * head_dim });
    let q = turns.linear(x, &w, "q", (0, [head_dim, 0, 0]));
    let gate = turns.linear(x, &w, "gate", (head_dim, [head_dim, 0, 0]));

    let q = layer.head_norm(q.split_heads(heads), "q_norm").rotate(angles);
    let k = layer.head_norm(layer.project(x, "k_proj", kv_heads, false), "k_norm").rotate(angles);
    let v = layer.project(x, "v_proj", kv_heads, false);
    let attrs = nn::attention_attrs(head_dim as f64, None);
    layer.attend_gated([q, k, v], attrs, gate)
}
