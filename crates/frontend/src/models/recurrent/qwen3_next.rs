//! Qwen 3 Next: gated delta nets, and every few layers attention whose result is gated; a mixture of
//! experts beside one that every token has.
//!
//! Reference: `transformers/models/qwen3_next/modeling_qwen3_next.py`. `tools/oracle` runs it on
//! tiny random checkpoints to make `tests/oracle/qwen3_next/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Mixture, SparseLayers, Weighing};
use crate::memory::LayerMemory;
use crate::nn::{Activation, Norm};
use crate::recurrent::{self, GatedDeltaNet, Projections};
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
            attends: recurrent::attends(fields, decoder.sizes.layers)?,
            net: GatedDeltaNet::read(
                fields,
                Norm { offset: 0.0, ..decoder.norm },
                Projections::Interleaved,
            )?,
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
                true => layer.self_gated_attention(x, angles, &config.decoder.sizes),
                false => config.net.mix(x, &layer.at("linear_attn"), layer.recurrence()),
            };
            layer.pre_norm(x, mixer, |x| match config.sparse.holds(layer.index) {
                true => layer.mixture_and_shared(x, &config.mixture, config.shared),
                false => layer.gated_mlp(x, false),
            })
        })
    }
}
