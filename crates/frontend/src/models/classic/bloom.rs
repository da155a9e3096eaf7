//! BLOOM: layer norms, also of the embedding, linear biases of scores in place of positions, and
//! queries, keys and values head by head in one matrix.
//!
//! Reference: `transformers/models/bloom/modeling_bloom.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/bloom/`. `pretraining_tp` with `slow_but_exact` is a matter of
//! the order of sums alone.

use tyto_graph::{Alibi, AttentionAttrs};

use crate::classic::{Block, Classic, Fused, LayerNorm, SizeNames};
use crate::config::Fields;
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct BloomConfig {
    model: Classic,
    /// Whether sums start from the norms of what goes into a half.
    from_norms: bool,
}

/// The architecture.
pub struct Bloom;

/// How it was trained, and the order of sums. The width of the MLP is not read, as in transformers.
const TRAINING: [&str; 8] = [
    "attention_softmax_in_fp32",
    "bias_dropout_fusion",
    "masked_softmax_fusion",
    "n_inner",
    "offset_alibi",
    "skip_bias_add",
    "skip_bias_add_qkv",
    "slow_but_exact",
];

impl Model for Bloom {
    type Config = BloomConfig;

    const NAME: &'static str = "bloom";
    const ARCHITECTURES: &'static [&'static str] = &["BloomForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["bloom"];
    const WEIGHTS: &'static [WeightRule] = &[
        WeightRule::tied("lm_head.weight", "transformer.word_embeddings.weight"),
        WeightRule::tied("lm_head.weight", "word_embeddings.weight"),
    ];

    fn config(fields: &Fields<'_>) -> Result<BloomConfig, Error> {
        let either =
            |old: &'static str, new: &'static str| if fields.stands(old) { old } else { new };
        let names = SizeNames {
            hidden: either("n_embed", "hidden_size"),
            layers: either("num_hidden_layers", "n_layer"),
            heads: either("num_attention_heads", "n_head"),
            // Positions have no table; published files call the length of training so.
            positions: "seq_length",
            intermediate: None,
            default_positions: Some(2048),
        };
        let sizes = names.read(fields)?;
        for name in TRAINING {
            fields.get(name);
        }
        Ok(BloomConfig {
            from_norms: fields.flag("apply_residual_connection_post_layernorm", false)?,
            model: Classic {
                norm: LayerNorm::full(
                    fields.optional_positive("layer_norm_epsilon")?.unwrap_or(1e-5),
                ),
                activation: Activation::GeluTanh,
                tied: fields.flag("tie_word_embeddings", true)?,
                sizes,
            },
        })
    }

    fn outline(config: &BloomConfig) -> Outline {
        config.model.outline(&[])
    }

    fn forward<'t>(config: &BloomConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let model = &config.model;
        // The first published checkpoints are of the model without its head.
        let whole = !w.at("word_embeddings.weight").stands();
        let root = if whole { w.at("transformer") } else { w.clone() };
        let x = model.embed(root.at("word_embeddings"), step);
        let x = model.norm.apply(x, &root.at("word_embeddings_layernorm"));
        let x = model.layers(&root.at("h"), step, x, |block, x| layer(config, block, x));
        model.head(x, step, &root.at("ln_f"), w.at("lm_head"), false)
    }
}

fn layer<'t>(config: &BloomConfig, block: &Block<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let add = |x: Tensor<'t>, normed: Tensor<'t>, y: Tensor<'t>| {
        y + if config.from_norms { normed } else { x }
    };
    let normed = block.norm(x, "input_layernorm");
    let x = add(x, normed, attention(config, block, normed));
    let normed = block.norm(x, "post_attention_layernorm");
    add(x, normed, block.mlp(normed, ["mlp.dense_h_to_4h", "mlp.dense_4h_to_h"], true))
}

/// Attention with a key head for each query head.
fn attention<'t>(config: &BloomConfig, block: &Block<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let sizes = &config.model.sizes;
    let place = block.at("self_attention.query_key_value");
    let qkv = Fused::by_heads(sizes, true).heads(x, &place, sizes.head_dim);
    let alibi = Some(Alibi { exponent: 8.0, factor: 1.0 });
    let attrs = AttentionAttrs { alibi, ..nn::attention_attrs(sizes.head_dim as f64, None) };
    block.output(block.attend(qkv, attrs), "self_attention.dense", true)
}
