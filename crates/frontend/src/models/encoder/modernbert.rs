//! ModernBERT: every token sees all others, or in most layers those near it on both sides; rotary
//! embeddings of two bases, gated MLPs, and norms before each half of a block.
//!
//! Reference: `transformers/models/modernbert/modeling_modernbert.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/embed_modernbert/`.

use tyto_graph::RopeTable;

use crate::both_ways;
use crate::classic::{Fused, LayerNorm, SizeNames};
use crate::config::{Fields, Sizes, layer_windows};
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct ModernBertConfig {
    sizes: Sizes,
    norm: LayerNorm,
    activation: Activation,
    attention_bias: bool,
    mlp_bias: bool,
    /// How far a token sees to both sides, itself included, of each layer.
    windows: Vec<Option<usize>>,
    /// The rotary embedding of layers with a window.
    local: RopeTable,
    /// The rotary embedding of the others.
    global: RopeTable,
}

/// The architecture.
pub struct ModernBert;

const NAMES: SizeNames = SizeNames {
    hidden: "hidden_size",
    layers: "num_hidden_layers",
    heads: "num_attention_heads",
    positions: "max_position_embeddings",
    intermediate: Some("intermediate_size"),
    default_positions: None,
};

/// What matters in training only, or to other tasks.
const UNUSED: [&str; 14] = [
    "classifier_activation",
    "classifier_bias",
    "classifier_dropout",
    "classifier_pooling",
    "cls_token_id",
    "decoder_bias",
    "deterministic_flash_attn",
    "embedding_dropout",
    "initializer_cutoff_factor",
    "mlp_dropout",
    "reference_compile",
    "repad_logits_with_grad",
    "sparse_pred_ignore_index",
    "sparse_prediction",
];

impl Model for ModernBert {
    type Config = ModernBertConfig;

    const NAME: &'static str = "modernbert";
    const ARCHITECTURES: &'static [&'static str] = &[];
    const BARE: &'static [&'static str] = &["ModernBertModel", "ModernBertForMaskedLM"];
    const MODEL_TYPES: &'static [&'static str] = &["modernbert"];
    // What makes words of hidden states.
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::IgnoreBelow("head"), WeightRule::IgnoreBelow("decoder")];

    fn config(fields: &Fields<'_>) -> Result<ModernBertConfig, Error> {
        for name in UNUSED {
            fields.get(name);
        }
        // There is no head that it could be tied to.
        fields.flag("tie_word_embeddings", true)?;
        if fields.text("position_embedding_type")?.is_some_and(|kind| kind != "absolute") {
            // Old files say `absolute` and mean rotary embeddings.
            return Err(fields.wrong("position_embedding_type", "absolute"));
        }
        let sizes = NAMES.read(fields)?;
        let every = fields.optional_size("global_attn_every_n_layers", 1 << 12)?.unwrap_or(3);
        let local = fields.optional_size("local_attention", 1 << 30)?.unwrap_or(128);
        let window = Some(local / 2 + 1);
        let slides = |layer: usize| !layer.is_multiple_of(every);
        let rules = RopeRules::plain(Self::NAME, &sizes);
        let [near, far] = [(10_000.0, "local_rope_theta"), (160_000.0, "global_rope_theta")];
        let of = |(theta, field), kind| {
            rope::read_for(fields, kind, field, true, RopeRules { theta, ..rules })
        };
        Ok(ModernBertConfig {
            norm: LayerNorm {
                bias: fields.flag("norm_bias", false)?,
                ..LayerNorm::full(norm_epsilon(fields)?)
            },
            activation: Activation::read(fields, "hidden_activation", Activation::Gelu)?,
            attention_bias: fields.flag("attention_bias", false)?,
            mlp_bias: fields.flag("mlp_bias", false)?,
            windows: layer_windows(fields, sizes.layers, window, slides)?,
            local: of(near, "sliding_attention")?,
            global: of(far, "full_attention")?,
            sizes,
        })
    }

    fn outline(config: &ModernBertConfig) -> Outline {
        let tables = [&config.local, &config.global];
        let needs_length = tables.iter().any(|table| table.needs_length());
        Outline { needs_length, ..Outline::whole(&config.sizes) }
    }

    fn forward<'t>(config: &ModernBertConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let (sizes, norm) = (&config.sizes, config.norm);
        let w = w.at("model");
        let words = w.at("embeddings.tok_embeddings");
        let x = nn::embedding(step.tokens, words, [sizes.vocabulary, sizes.hidden]);
        let x = norm.apply(x, &w.at("embeddings.norm"));
        let angles = (step.angles(&config.local), step.angles(&config.global));
        let x = (0..sizes.layers).fold(x, |x, layer| {
            let w = w.at("layers").index(layer);
            // The first block has what the embedding's norm gives.
            let normed = if layer == 0 { x } else { norm.apply(x, &w.at("attn_norm")) };
            let x = x + attention(config, &w.at("attn"), step, angles, (layer, normed));
            let normed = norm.apply(x, &w.at("mlp_norm"));
            x + mlp(config, &w.at("mlp"), normed)
        });
        norm.apply(x.take_rows(step.sampled), &w.at("final_norm"))
    }
}

/// `norm_eps`, which old files also call `layer_norm_eps`.
fn norm_epsilon(fields: &Fields<'_>) -> Result<f64, Error> {
    let (new, old) = ("norm_eps", "layer_norm_eps");
    let old = fields.optional_positive(old)?;
    Ok(fields.optional_positive(new)?.or(old).unwrap_or(1e-5))
}

fn attention<'t>(
    config: &ModernBertConfig,
    w: &Weights<'t>,
    step: &Step<'t>,
    (local, global): (Tensor<'t>, Tensor<'t>),
    (layer, x): (usize, Tensor<'t>),
) -> Tensor<'t> {
    let (sizes, bias) = (&config.sizes, config.attention_bias);
    let window = config.windows[layer];
    let angles = if window.is_some() { local } else { global };
    let [q, k, v] = Fused::plain(sizes, bias).heads(x, &w.at("Wqkv"), sizes.head_dim);
    let attrs = nn::attention_attrs(sizes.head_dim as f64, window);
    let attended = both_ways::attend([q.rotate(angles), k.rotate(angles), v], step, attrs);
    nn::linear_bias(attended.merge_heads(), w.at("Wo"), sizes.hidden, bias)
}

/// A gated MLP whose matrix `Wi` gives both of what is multiplied.
fn mlp<'t>(config: &ModernBertConfig, w: &Weights<'t>, x: Tensor<'t>) -> Tensor<'t> {
    let (width, bias) = (config.sizes.intermediate, config.mlp_bias);
    let both = nn::linear_bias(x, w.at("Wi"), 2 * width, bias);
    let (gate, up) = (both.columns(0..width), both.columns(width..2 * width));
    nn::linear_bias(config.activation.apply(gate) * up, w.at("Wo"), config.sizes.hidden, bias)
}
