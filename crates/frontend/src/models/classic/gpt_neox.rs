//! GPT-NeoX and Pythia: layer norms, queries, keys and values head by head in one matrix, of which a
//! quarter is turned, and blocks whose halves run side by side.
//!
//! Reference: `transformers/models/gpt_neox/modeling_gpt_neox.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/gpt_neox/`.

use tyto_graph::RopeTable;

use crate::classic::{Block, Classic, Fused, LayerNorm};
use crate::config::{Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct GptNeoxConfig {
    model: Classic,
    attention_bias: bool,
    parallel: bool,
    rope: RopeTable,
}

/// The architecture.
pub struct GptNeox;

impl Model for GptNeox {
    type Config = GptNeoxConfig;

    const NAME: &'static str = "gpt_neox";
    const ARCHITECTURES: &'static [&'static str] = &["GPTNeoXForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["gpt_neox"];
    const WEIGHTS: &'static [WeightRule] = &[
        WeightRule::tied("embed_out.weight", "gpt_neox.embed_in.weight"),
        WeightRule::tied("lm_head.weight", "gpt_neox.embed_in.weight"),
        // Old exports carry masks and what the rotary embedding computes.
        WeightRule::ignore("gpt_neox.layers.*.attention.bias"),
        WeightRule::ignore("gpt_neox.layers.*.attention.masked_bias"),
        WeightRule::ignore("gpt_neox.layers.*.attention.rotary_emb.inv_freq"),
    ];

    fn config(fields: &Fields<'_>) -> Result<GptNeoxConfig, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { kv_heads: true, head_dim: None })?;
        // Of sequence classification alone.
        fields.optional_number("classifier_dropout")?;
        let rules = RopeRules {
            theta: fields.optional_positive("rotary_emb_base")?.unwrap_or(10_000.0),
            factor: fields.optional_positive("rotary_pct")?.unwrap_or(0.25),
            partial: true,
            ..RopeRules::plain(Self::NAME, &sizes)
        };
        Ok(GptNeoxConfig {
            attention_bias: fields.flag("attention_bias", true)?,
            parallel: fields.flag("use_parallel_residual", true)?,
            rope: rope::read(fields, rules)?,
            model: Classic {
                norm: LayerNorm::full(fields.positive("layer_norm_eps")?),
                activation: Activation::read(fields, "hidden_act", Activation::Gelu)?,
                tied: fields.flag("tie_word_embeddings", false)?,
                sizes,
            },
        })
    }

    fn outline(config: &GptNeoxConfig) -> Outline {
        config.model.outline(&[&config.rope])
    }

    fn forward<'t>(config: &GptNeoxConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (model, root) = (&config.model, w.at("gpt_neox"));
        let angles = step.angles(&config.rope);
        let x = model.embed(root.at("embed_in"), step);
        let x = model.layers(&root.at("layers"), step, x, |block, x| {
            let norms = ["input_layernorm", "post_attention_layernorm"];
            let attention = |x| attention(config, block, angles, x);
            let mlp = |x| block.mlp(x, ["mlp.dense_h_to_4h", "mlp.dense_4h_to_h"], true);
            match config.parallel {
                true => block.parallel(x, norms, attention, mlp),
                false => block.serial(x, norms, attention, mlp),
            }
        });
        let published = w.at("embed_out.weight").stands();
        let head = w.at(if published { "embed_out" } else { "lm_head" });
        model.head(x, step, &root.at("final_layer_norm"), head, false)
    }
}

/// Attention with a key head for each query head.
fn attention<'t>(
    config: &GptNeoxConfig,
    block: &Block<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let (sizes, bias) = (&config.model.sizes, config.attention_bias);
    let place = block.at("attention.query_key_value");
    let [q, k, v] = Fused::by_heads(sizes, bias).heads(x, &place, sizes.head_dim);
    let attrs = nn::attention_attrs(sizes.head_dim as f64, None);
    let attended = block.attend([q.rotate(angles), k.rotate(angles), v], attrs);
    block.output(attended, "attention.dense", bias)
}
