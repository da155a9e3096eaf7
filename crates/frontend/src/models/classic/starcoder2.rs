//! StarCoder 2: layer norms, an MLP without a gate, biases on everything but the head, and a window.
//!
//! Reference: `transformers/models/starcoder2/modeling_starcoder2.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/starcoder2/`.

use tyto_graph::RopeTable;

use crate::classic::{Block, Classic, LayerNorm};
use crate::config::{Fields, SizeDefaults, Sizes};
use crate::decoder::TIED_HEAD;
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Starcoder2Config {
    model: Classic,
    bias: bool,
    window: Option<usize>,
    rope: RopeTable,
}

/// The architecture.
pub struct Starcoder2;

impl Model for Starcoder2 {
    type Config = Starcoder2Config;

    const NAME: &'static str = "starcoder2";
    const ARCHITECTURES: &'static [&'static str] = &["Starcoder2ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["starcoder2"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Starcoder2Config, Error> {
        let sizes = Sizes::read(fields, SizeDefaults::default())?;
        // Dropped in training alone.
        for dropout in ["residual_dropout", "embedding_dropout"] {
            fields.optional_number(dropout)?;
        }
        // Published files say what transformers has built in.
        for (name, only) in [("norm_type", "layer_norm"), ("mlp_type", "default")] {
            if fields.text(name)?.is_some_and(|found| found != only) {
                return Err(fields.wrong(name, only));
            }
        }
        Ok(Starcoder2Config {
            bias: fields.flag("use_bias", true)?,
            window: fields.optional_size("sliding_window", 1 << 30)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &sizes))?,
            model: Classic {
                norm: LayerNorm::full(fields.positive("norm_epsilon")?),
                activation: Activation::read(fields, "hidden_act", Activation::GeluTanh)?,
                tied: fields.flag("tie_word_embeddings", true)?,
                sizes,
            },
        })
    }

    fn outline(config: &Starcoder2Config) -> Outline {
        config.model.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Starcoder2Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (model, root) = (&config.model, w.at("model"));
        let angles = step.angles(&config.rope);
        let x = model.embed(root.at("embed_tokens"), step);
        let x = model.layers(&root.at("layers"), step, x, |block, x| {
            let attention = |x| attention(config, block, angles, x);
            let mlp = |x| block.mlp(x, ["mlp.c_fc", "mlp.c_proj"], config.bias);
            block.serial(x, ["input_layernorm", "post_attention_layernorm"], attention, mlp)
        });
        model.head(x, step, &root.at("norm"), w.at("lm_head"), false)
    }
}

/// Grouped-query attention.
fn attention<'t>(
    config: &Starcoder2Config,
    block: &Block<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, .. } = config.model.sizes;
    let q = block.project(x, "self_attn.q_proj", heads, config.bias).rotate(angles);
    let k = block.project(x, "self_attn.k_proj", kv_heads, config.bias).rotate(angles);
    let v = block.project(x, "self_attn.v_proj", kv_heads, config.bias);
    let attended = block.attend([q, k, v], nn::attention_attrs(head_dim as f64, config.window));
    block.output(attended, "self_attn.o_proj", config.bias)
}
