//! Qwen 3.5, text only: Qwen 3 Next with the projections of its delta nets apart, with a plain MLP in
//! every layer or with a mixture in every layer. Published files hold it inside a model that sees:
//! its fields are those of `text_config`, its tensors are below `model.language_model`.
//!
//! Reference: `transformers/models/qwen3_5/modeling_qwen3_5.py` and `qwen3_5_moe`. `tools/oracle`
//! runs them on tiny random checkpoints to make `tests/oracle/qwen3_5*/`. Positions of text are the
//! same in all three sections of its rotary embedding, which is then the plain one.

use tyto_graph::RopeTable;

use crate::config::{self, Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Mixture, Weighing};
use crate::memory::LayerMemory;
use crate::nn::{Activation, Norm};
use crate::recurrent::{self, GatedDeltaNet, Projections};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Qwen35Config {
    decoder: Decoder,
    /// Whether each layer has attention.
    attends: Vec<bool>,
    net: GatedDeltaNet,
    /// The experts, and the width of the one that every token has.
    mixture: Option<(Mixture, usize)>,
    rope: RopeTable,
}

/// The architecture.
pub struct Qwen35;

impl Model for Qwen35 {
    type Config = Qwen35Config;

    const NAME: &'static str = "qwen3_5";
    const ARCHITECTURES: &'static [&'static str] = &[
        "Qwen3_5ForCausalLM",
        "Qwen3_5ForConditionalGeneration",
        "Qwen3_5MoeForCausalLM",
        "Qwen3_5MoeForConditionalGeneration",
    ];
    const MODEL_TYPES: &'static [&'static str] =
        &["qwen3_5_text", "qwen3_5", "qwen3_5_moe_text", "qwen3_5_moe"];
    // Neither the part that sees nor the head that predicts further tokens is part of the text model.
    const WEIGHTS: &'static [WeightRule] = &[
        TIED_HEAD,
        WeightRule::Inside("model", "model.language_model"),
        WeightRule::IgnoreBelow("model.visual"),
        WeightRule::IgnoreBelow("mtp"),
    ];

    fn config(fields: &Fields<'_>) -> Result<Qwen35Config, Error> {
        config::of_text(fields, Self::NAME, false, read)
    }

    fn outline(config: &Qwen35Config) -> Outline {
        let outline = config.decoder.outline(&[&config.rope]);
        let net = LayerMemory::from(config.net.memory());
        let of = |(attends, kv): (&bool, &LayerMemory)| if *attends { *kv } else { net };
        let memory = config.attends.iter().zip(&outline.memory).map(of).collect();
        Outline { memory, ..outline }
    }

    fn forward<'t>(config: &Qwen35Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        config.decoder.forward(&w, step, |layer, x| {
            let mixer = |x| match config.attends[layer.index] {
                true => layer.self_gated_attention(x, angles, &config.decoder.sizes),
                false => config.net.mix(x, &layer.at("linear_attn"), layer.recurrence()),
            };
            layer.pre_norm(x, mixer, |x| match &config.mixture {
                Some((mixture, shared)) => layer.mixture_and_shared(x, mixture, *shared),
                None => layer.gated_mlp(x, false),
            })
        })
    }
}

/// The text model's own fields; `tied` is what they mean where they do not say.
fn read(fields: &Fields<'_>, tied: bool) -> Result<Qwen35Config, Error> {
    let sparse = fields.stands("num_experts");
    let sizes = SizeDefaults { head_dim: Some(256), kv_heads: false };
    let defaults = Defaults { sizes, norm_offset: 1.0, tied, ..Defaults::default() };
    let decoder = Decoder::read(fields, defaults)?;
    if decoder.activation != Activation::Silu {
        return Err(fields.wrong("hidden_act", "silu"));
    }
    if fields.flag("attention_bias", false)? {
        return Err(fields.wrong("attention_bias", "false"));
    }
    // Qwen 3.5's attention always has its gate; the rest is of the head for further tokens and of
    // how states are kept.
    if !fields.flag("attn_output_gate", true)? {
        return Err(fields.wrong("attn_output_gate", "true"));
    }
    for name in ["mtp_num_hidden_layers", "mtp_use_dedicated_embeddings", "mamba_ssm_dtype"] {
        fields.get(name);
    }
    let mixture = match sparse {
        true => {
            let width = fields.size("moe_intermediate_size", 1 << 22)?;
            let shared = fields.size("shared_expert_intermediate_size", 1 << 22)?;
            Some((Mixture::read(fields, width, Some(Weighing::OfChosen))?, shared))
        }
        false => None,
    };
    let norm = Norm { offset: 0.0, ..decoder.norm };
    let plain = RopeRules::plain(Qwen35::NAME, &decoder.sizes);
    Ok(Qwen35Config {
        attends: recurrent::attends(fields, decoder.sizes.layers)?,
        net: GatedDeltaNet::read(fields, norm, Projections::Apart)?,
        mixture,
        rope: rope::read(
            fields,
            RopeRules { partial: true, factor: 0.25, sections: true, ..plain },
        )?,
        decoder,
    })
}
