//! MPT: layer norms without biases, linear biases of scores in place of positions, and no other
//! biases either.
//!
//! Reference: `transformers/models/mpt/modeling_mpt.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/mpt/`. What transformers reads and does not compute (another
//! width of the MLP, norms of queries and keys, a scale of logits) is refused.

use tyto_graph::{Alibi, AttentionAttrs};

use crate::classic::{Block, Classic, Fused, LayerNorm, SizeNames};
use crate::config::Fields;
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct MptConfig {
    model: Classic,
    attrs: AttentionAttrs,
    /// Queries, keys and values are clamped to this magnitude.
    clip: Option<f64>,
}

/// The architecture.
pub struct Mpt;

const SIZES: SizeNames = SizeNames {
    hidden: "d_model",
    layers: "n_layers",
    heads: "n_heads",
    positions: "max_seq_len",
    intermediate: None,
    default_positions: None,
};

/// How weights begin and in which type, and the table of positions, which there is without `alibi` alone.
const UNREAD: [&str; 7] = [
    "embedding_fraction",
    "init_config",
    "init_device",
    "learned_pos_emb",
    "norm_type",
    "tokenizer_name",
    "verbose",
];

/// How attention is computed, which sequences training joins, and what writers note of every object.
const UNREAD_OF_ATTENTION: [&str; 9] = [
    "attn_impl",
    "attn_pdrop",
    "attn_uses_sequence_id",
    "chunk_size_feed_forward",
    "id2label",
    "label2id",
    "model_type",
    "return_dict",
    "transformers_version",
];

impl Model for Mpt {
    type Config = MptConfig;

    const NAME: &'static str = "mpt";
    const ARCHITECTURES: &'static [&'static str] = &["MptForCausalLM", "MPTForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["mpt"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "transformer.wte.weight")];

    fn config(fields: &Fields<'_>) -> Result<MptConfig, Error> {
        let sizes = SIZES.read(fields)?;
        for name in UNREAD {
            fields.get(name);
        }
        for name in ["resid_pdrop", "emb_pdrop"] {
            fields.optional_number(name)?;
        }
        if fields.optional_size("expansion_ratio", 64)?.is_some_and(|ratio| ratio != 4) {
            return Err(fields.wrong("expansion_ratio", "4"));
        }
        if !fields.flag("no_bias", true)? {
            return Err(fields.wrong("no_bias", "true"));
        }
        if fields.get("logit_scale").is_some() {
            return Err(fields.wrong("logit_scale", "null"));
        }
        let (attrs, clip) = attention_config(fields, sizes.head_dim)?;
        let norm = LayerNorm::full(fields.optional_positive("layer_norm_epsilon")?.unwrap_or(1e-5));
        Ok(MptConfig {
            attrs,
            clip,
            model: Classic {
                norm: LayerNorm { bias: false, ..norm },
                activation: Activation::Gelu,
                tied: fields.flag("tie_word_embeddings", true)?,
                sizes,
            },
        })
    }

    fn outline(config: &MptConfig) -> Outline {
        config.model.outline(&[])
    }

    fn forward<'t>(config: &MptConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (model, root) = (&config.model, w.at("transformer"));
        let x = model.embed(root.at("wte"), step);
        let x = model.layers(&root.at("blocks"), step, x, |block, x| {
            let mlp = |x| block.mlp(x, ["ffn.up_proj", "ffn.down_proj"], false);
            block.serial(x, ["norm_1", "norm_2"], |x| attention(config, block, x), mlp)
        });
        model.head(x, step, &root.at("norm_f"), w.at("lm_head"), false)
    }
}

/// Reads `attn_config`: the attention's attributes, and the clamp.
fn attention_config(
    fields: &Fields<'_>,
    head_dim: usize,
) -> Result<(AttentionAttrs, Option<f64>), Error> {
    let plain = nn::attention_attrs(head_dim as f64, None);
    let alibi = Some(Alibi { exponent: 8.0, factor: 1.0 });
    let Some(object) = fields.object("attn_config")? else {
        return Ok((AttentionAttrs { alibi, ..plain }, None));
    };
    for name in UNREAD_OF_ATTENTION {
        object.get(name);
    }
    if object.text("attn_type")?.is_some_and(|kind| kind != "multihead_attention") {
        return Err(object.wrong("attn_type", "multihead_attention"));
    }
    for (name, only) in [("alibi", true), ("prefix_lm", false), ("qk_ln", false)] {
        if object.flag(name, only)? != only {
            return Err(object.wrong(name, if only { "true" } else { "false" }));
        }
    }
    let name = "alibi_bias_max";
    // transformers reads it and computes with 8 whatever it is.
    if object.optional_positive(name)?.is_some_and(|exponent| exponent != 8.0) {
        return Err(object.wrong(name, "8"));
    }
    let scale = object.optional_positive("softmax_scale")?.map(|scale| scale as f32);
    let clip = object.optional_positive("clip_qkv")?;
    object.refuse_unread(Mpt::NAME)?;
    let scale = scale.unwrap_or(plain.scale);
    Ok((AttentionAttrs { scale, alibi, ..plain }, clip))
}

/// Attention with a key head for each query head.
fn attention<'t>(config: &MptConfig, block: &Block<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let sizes = &config.model.sizes;
    let qkv = Fused::plain(sizes, false).heads(x, &block.at("attn.Wqkv"), sizes.head_dim);
    let qkv = qkv.map(|x| config.clip.map_or(x, |clip| x.at_least(-clip).at_most(clip)));
    block.output(block.attend(qkv, config.attrs), "attn.out_proj", false)
}
