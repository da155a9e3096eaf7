//! Falcon: attention and MLP side by side behind one layer norm or one for each, queries, keys and
//! values in one matrix (several query heads to a key head, or all to one), and in the oldest
//! checkpoints linear biases of scores in place of a rotary embedding.
//!
//! Reference: `transformers/models/falcon/modeling_falcon.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/falcon*/`. Departures where scores have linear
//! biases: transformers rounds these to bf16, and its eager attention adds them twice.

use tyto_graph::{Alibi, AttentionAttrs, RopeTable};

use crate::classic::{Block, Classic, Fused, LayerNorm, SizeNames};
use crate::config::{Fields, Sizes};
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct FalconConfig {
    model: Classic,
    bias: bool,
    /// Whether rows of queries, keys and values take turns by key heads.
    by_heads: bool,
    /// Whether the halves of a block run one after the other.
    serial: bool,
    /// The norms of the two halves.
    norms: [&'static str; 2],
    /// `None` where scores have linear biases.
    rope: Option<RopeTable>,
}

/// The architecture.
pub struct Falcon;

impl Model for Falcon {
    type Config = FalconConfig;

    const NAME: &'static str = "falcon";
    const ARCHITECTURES: &'static [&'static str] = &["FalconForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["falcon"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "transformer.word_embeddings.weight")];

    fn config(fields: &Fields<'_>) -> Result<FalconConfig, Error> {
        let sizes = sizes(fields)?;
        let alibi = fields.flag("alibi", false)?;
        let plain = RopeRules::plain(Self::NAME, &sizes);
        // Read in both cases: transformers writes it beside `alibi`, which leaves it unused.
        let rope = rope::read(fields, plain)?;
        let serial = !fields.flag("parallel_attn", true)?;
        Ok(FalconConfig {
            bias: fields.flag("bias", false)?,
            by_heads: grouped(fields)? || !fields.flag("multi_query", true)?,
            serial,
            norms: norms(fields, serial)?,
            rope: (!alibi).then_some(rope),
            model: Classic {
                norm: LayerNorm::full(
                    fields.optional_positive("layer_norm_epsilon")?.unwrap_or(1e-5),
                ),
                activation: Activation::read(fields, "activation", Activation::Gelu)?,
                tied: fields.flag("tie_word_embeddings", true)?,
                sizes,
            },
        })
    }

    fn outline(config: &FalconConfig) -> Outline {
        config.model.outline(&config.rope.iter().collect::<Vec<_>>())
    }

    fn forward<'t>(config: &FalconConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (model, root) = (&config.model, w.at("transformer"));
        let angles = config.rope.as_ref().map(|table| step.angles(table));
        let x = model.embed(root.at("word_embeddings"), step);
        let x = model.layers(&root.at("h"), step, x, |block, x| {
            let attention = |x| attention(config, block, angles, x);
            let mlp = |x| block.mlp(x, ["mlp.dense_h_to_4h", "mlp.dense_4h_to_h"], config.bias);
            match config.serial {
                true => block.serial(x, config.norms, attention, mlp),
                false => block.parallel(x, config.norms, attention, mlp),
            }
        });
        model.head(x, step, &root.at("ln_f"), w.at("lm_head"), false)
    }
}

/// The sizes; `num_kv_heads` counts in models of several key heads alone.
fn sizes(fields: &Fields<'_>) -> Result<Sizes, Error> {
    let names = SizeNames {
        hidden: if fields.stands("n_embed") { "n_embed" } else { "hidden_size" },
        layers: "num_hidden_layers",
        heads: "num_attention_heads",
        positions: "max_position_embeddings",
        intermediate: Some("ffn_hidden_size"),
        default_positions: Some(2048),
    };
    let sizes = names.read(fields)?;
    let name = "num_kv_heads";
    let said = fields.optional_size(name, sizes.heads)?.unwrap_or(sizes.heads);
    let kv_heads = match (grouped(fields)?, fields.flag("multi_query", true)?) {
        (true, _) => said,
        (false, true) => 1,
        (false, false) => sizes.heads,
    };
    match sizes.heads.is_multiple_of(kv_heads) {
        true => Ok(Sizes { kv_heads, ..sizes }),
        false => Err(fields.wrong(name, &format!("a divisor of {} heads", sizes.heads))),
    }
}

fn grouped(fields: &Fields<'_>) -> Result<bool, Error> {
    fields.flag("new_decoder_architecture", false)
}

/// The names of the norms before attention and MLP.
fn norms(fields: &Fields<'_>, serial: bool) -> Result<[&'static str; 2], Error> {
    let name = "num_ln_in_parallel_attn";
    match (grouped(fields)?, serial, fields.optional_size(name, 2)?) {
        (true, true, _) => {
            Err(fields.wrong("parallel_attn", "true, as new_decoder_architecture has it"))
        }
        (false, true, _) => Ok(["input_layernorm", "post_attention_layernorm"]),
        (true, false, None | Some(2)) => Ok(["ln_attn", "ln_mlp"]),
        (false, false, Some(2)) => {
            Err(fields.wrong(name, "1, as there is no new_decoder_architecture"))
        }
        _ => Ok(["input_layernorm"; 2]),
    }
}

/// Grouped-query attention.
fn attention<'t>(
    config: &FalconConfig,
    block: &Block<'_, 't>,
    angles: Option<Tensor<'t>>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let sizes = &config.model.sizes;
    let fused = match config.by_heads {
        true => Fused::by_heads(sizes, config.bias),
        false => Fused::plain(sizes, config.bias),
    };
    let [q, k, v] = fused.heads(x, &block.at("self_attention.query_key_value"), sizes.head_dim);
    let plain = nn::attention_attrs(sizes.head_dim as f64, None);
    let attended = match angles {
        Some(angles) => block.attend([q.rotate(angles), k.rotate(angles), v], plain),
        None => {
            // The sum of score and bias is scaled.
            let alibi = Some(Alibi { exponent: 8.0, factor: plain.scale });
            block.attend([q, k, v], AttentionAttrs { alibi, ..plain })
        }
    };
    block.output(attended, "self_attention.dense", config.bias)
}
