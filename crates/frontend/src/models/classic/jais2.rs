//! Jais 2: Llama with layer norms and biases, and an MLP without a gate whose function is the square of
//! the larger of x and 0.
//!
//! Reference: `transformers/models/jais2/modeling_jais2.py`. `tools/oracle` runs it on a tiny random
//! checkpoint to make `tests/oracle/jais2/`.

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
pub struct Jais2Config {
    model: Classic,
    attention_bias: bool,
    mlp_bias: bool,
    rope: RopeTable,
}

/// The architecture.
pub struct Jais2;

impl Model for Jais2 {
    type Config = Jais2Config;

    const NAME: &'static str = "jais2";
    const ARCHITECTURES: &'static [&'static str] = &["Jais2ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["jais2"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Jais2Config, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { kv_heads: true, head_dim: None })?;
        Ok(Jais2Config {
            attention_bias: fields.flag("attention_bias", true)?,
            mlp_bias: fields.flag("mlp_bias", true)?,
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &sizes))?,
            model: Classic {
                norm: LayerNorm::full(fields.positive("layer_norm_eps")?),
                activation: Activation::read(fields, "hidden_act", Activation::ReluSquared)?,
                tied: fields.flag("tie_word_embeddings", false)?,
                sizes,
            },
        })
    }

    fn outline(config: &Jais2Config) -> Outline {
        config.model.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Jais2Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (model, root) = (&config.model, w.at("model"));
        let angles = step.angles(&config.rope);
        let x = model.embed(root.at("embed_tokens"), step);
        let x = model.layers(&root.at("layers"), step, x, |block, x| {
            let attention = |x| attention(config, block, angles, x);
            let mlp = |x| block.mlp(x, ["mlp.up_proj", "mlp.down_proj"], config.mlp_bias);
            block.serial(x, ["input_layernorm", "post_attention_layernorm"], attention, mlp)
        });
        model.head(x, step, &root.at("norm"), w.at("lm_head"), false)
    }
}

/// Grouped-query attention.
fn attention<'t>(
    config: &Jais2Config,
    block: &Block<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, .. } = config.model.sizes;
    let bias = config.attention_bias;
    let q = block.project(x, "self_attn.q_proj", heads, bias).rotate(angles);
    let k = block.project(x, "self_attn.k_proj", kv_heads, bias).rotate(angles);
    let v = block.project(x, "self_attn.v_proj", kv_heads, bias);
    let attended = block.attend([q, k, v], nn::attention_attrs(head_dim as f64, None));
    block.output(attended, "self_attn.o_proj", bias)
}
