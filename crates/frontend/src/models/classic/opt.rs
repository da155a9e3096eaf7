//! OPT: layer norms before or after each half of a block, a table of positions whose first two rows
//! nothing reads, an embedding that may be narrower than the residual stream, and ReLU.
//!
//! Reference: `transformers/models/opt/modeling_opt.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/opt*/`.

use crate::classic::{self, Block, Classic, LayerNorm, SizeNames};
use crate::config::Fields;
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct OptConfig {
    model: Classic,
    bias: bool,
    /// Whether norms stand before the halves of a block, and one behind all blocks.
    before: bool,
    /// Width of the embedding.
    embedding: usize,
}

/// The architecture.
pub struct Opt;

const SIZES: SizeNames = SizeNames {
    hidden: "hidden_size",
    layers: "num_hidden_layers",
    heads: "num_attention_heads",
    positions: "max_position_embeddings",
    intermediate: Some("ffn_dim"),
    default_positions: None,
};

/// Rows of the table of positions before that of position 0.
const SKIPPED: usize = 2;

impl Model for Opt {
    type Config = OptConfig;

    const NAME: &'static str = "opt";
    const ARCHITECTURES: &'static [&'static str] = &["OPTForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["opt"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "model.decoder.embed_tokens.weight")];
    const POSITION_TABLE: bool = true;

    fn config(fields: &Fields<'_>) -> Result<OptConfig, Error> {
        let sizes = SIZES.read(fields)?;
        // Training alone: dropped values and layers, and how weights begin.
        for name in ["dropout", "layerdrop", "init_std", "activation_dropout"] {
            fields.optional_number(name)?;
        }
        // Of the prompt's first token alone.
        fields.text("prefix")?;
        let affine = fields.flag("layer_norm_elementwise_affine", true)?;
        if fields.flag("_remove_final_layer_norm", false)? {
            return Err(fields.wrong("_remove_final_layer_norm", "false"));
        }
        let width = fields.optional_size("word_embed_proj_dim", 1 << 20)?;
        Ok(OptConfig {
            bias: fields.flag("enable_bias", true)?,
            before: fields.flag("do_layer_norm_before", true)?,
            embedding: width.unwrap_or(sizes.hidden),
            model: Classic {
                norm: LayerNorm { epsilon: 1e-5, weight: affine.then_some(0.0), bias: affine },
                activation: Activation::read(fields, "activation_function", Activation::Relu)?,
                tied: fields.flag("tie_word_embeddings", true)?,
                sizes,
            },
        })
    }

    fn outline(config: &OptConfig) -> Outline {
        config.model.outline(&[])
    }

    fn forward<'t>(config: &OptConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (Classic { sizes, norm, .. }, root) = (&config.model, w.at("model.decoder"));
        let narrow = config.embedding != sizes.hidden;
        let table = [sizes.vocabulary, config.embedding];
        let mut x = nn::embedding(step.tokens, root.at("embed_tokens"), table);
        if narrow {
            x = nn::linear(x, root.at("project_in"), sizes.hidden);
        }
        let places = [sizes.positions, sizes.hidden];
        let x = x + classic::positions(step, &root.at("embed_positions"), places, SKIPPED);
        let x =
            config.model.layers(&root.at("layers"), step, x, |block, x| layer(config, block, x));

        let mut x = x.take_rows(step.sampled);
        if config.before {
            x = norm.apply(x, &root.at("final_layer_norm"));
        }
        if narrow {
            x = nn::linear(x, root.at("project_out"), config.embedding);
        }
        nn::linear(x, w.at("lm_head"), sizes.vocabulary)
    }
}

/// Norms before each half, or behind each sum.
fn layer<'t>(config: &OptConfig, block: &Block<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let norms = ["self_attn_layer_norm", "final_layer_norm"];
    let attention = |x| attention(config, block, x);
    let mlp = |x| block.mlp(x, ["fc1", "fc2"], config.bias);
    if config.before {
        return block.serial(x, norms, attention, mlp);
    }
    let x = block.norm(x + attention(x), norms[0]);
    block.norm(x + mlp(x), norms[1])
}

/// Attention with a key head for each query head.
fn attention<'t>(config: &OptConfig, block: &Block<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let (sizes, bias) = (&config.model.sizes, config.bias);
    let qkv = ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"]
        .map(|name| block.project(x, name, sizes.heads, bias));
    let attended = block.attend(qkv, nn::attention_attrs(sizes.head_dim as f64, None));
    block.output(attended, "self_attn.out_proj", bias)
}
