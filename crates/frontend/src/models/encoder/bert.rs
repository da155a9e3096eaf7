//! BERT: every token sees all others, norms stand behind the sums, positions and kinds of segments
//! have tables.
//!
//! Reference: `transformers/models/bert/modeling_bert.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/embed_bert/`.
//!
//! A step's ids say the segment of a token too: those of the second one are counted from the size of
//! the vocabulary on.

use tyto_checkpoint::Pooling;
use tyto_graph::{Op, Unary};

use crate::both_ways;
use crate::classic::{self, LayerNorm, SizeNames};
use crate::config::{Fields, Sizes};
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::purpose::Head;
use crate::registry::{Model, Outline, WeightRule};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct BertConfig {
    sizes: Sizes,
    norm: LayerNorm,
    activation: Activation,
    /// Rows of the table of segments.
    segments: usize,
}

/// The architecture.
pub struct Bert;

const NAMES: SizeNames = SizeNames {
    hidden: "hidden_size",
    layers: "num_hidden_layers",
    heads: "num_attention_heads",
    positions: "max_position_embeddings",
    intermediate: Some("intermediate_size"),
    default_positions: None,
};

impl Model for Bert {
    type Config = BertConfig;

    const NAME: &'static str = "bert";
    const ARCHITECTURES: &'static [&'static str] = &[];
    const BARE: &'static [&'static str] = &["BertModel", "BertForMaskedLM"];
    const SCORED: Option<(&'static [&'static str], Pooling)> =
        Some((&["BertForSequenceClassification"], Pooling::First));
    const ROOT: &'static str = "bert";
    const MODEL_TYPES: &'static [&'static str] = &["bert"];
    const WEIGHTS: &'static [WeightRule] = &[
        // What other tasks make of the first token, and of every token.
        WeightRule::IgnoreBelow("pooler"),
        WeightRule::IgnoreBelow("bert.pooler"),
        WeightRule::IgnoreBelow("cls"),
        // The numbers from 0 on, in old exports.
        WeightRule::ignore("embeddings.position_ids"),
        WeightRule::ignore("bert.embeddings.position_ids"),
    ];
    const POSITION_TABLE: bool = true;

    fn config(fields: &Fields<'_>) -> Result<BertConfig, Error> {
        for name in DROPOUTS {
            fields.get(name);
        }
        // There is no head that it could be tied to.
        fields.flag("tie_word_embeddings", true)?;
        if fields.text("position_embedding_type")?.is_some_and(|kind| kind != "absolute") {
            return Err(fields.wrong("position_embedding_type", "absolute"));
        }
        Ok(BertConfig {
            sizes: NAMES.read(fields)?,
            norm: LayerNorm::full(fields.optional_positive("layer_norm_eps")?.unwrap_or(1e-12)),
            activation: Activation::read(fields, "hidden_act", Activation::Gelu)?,
            segments: fields.size("type_vocab_size", 1 << 8)?,
        })
    }

    fn outline(config: &BertConfig) -> Outline {
        Outline { segments: config.segments, ..Outline::whole(&config.sizes) }
    }

    fn forward<'t>(config: &BertConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let bert = w.at("bert");
        let x = embed(config, &bert.at("embeddings"), step);
        let layers = bert.at("encoder.layer");
        let x = (0..config.sizes.layers)
            .fold(x, |x, layer| block(config, &layers.index(layer), step, x));
        let x = x.take_rows(step.sampled);
        if step.head != Head::Score {
            return x;
        }
        let pooled = nn::linear_bias(x, bert.at("pooler.dense"), config.sizes.hidden, true);
        nn::linear_bias(pooled.unary(Unary::Tanh), w.at("classifier"), 1, true)
    }
}

/// What matters in training only.
const DROPOUTS: [&str; 3] =
    ["attention_probs_dropout_prob", "classifier_dropout", "hidden_dropout_prob"];

/// The sum of a token's three rows, normalized.
fn embed<'t>(config: &BertConfig, w: &Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
    let BertConfig { sizes, norm, segments, .. } = config;
    let vocabulary = sizes.vocabulary as f64;
    let segment = step.tokens.divide(vocabulary).at_most((segments - 1) as f64);
    let ids = step.tokens + segment.scale(-vocabulary);
    let words = nn::embedding(ids, w.at("word_embeddings"), [sizes.vocabulary, sizes.hidden]);
    let places = [sizes.positions, sizes.hidden];
    let places = classic::positions(step, &w.at("position_embeddings"), places, 0);
    let (table, layout) = w.at("token_type_embeddings.weight").table(*segments, sizes.hidden);
    let kinds = table.with(Op::Embedding { layout, rows: *segments }, &[segment]);
    norm.apply(words + kinds + places, &w.at("LayerNorm"))
}

/// Attention and an MLP, each added to what goes into it and then normalized.
fn block<'t>(config: &BertConfig, w: &Weights<'t>, step: &Step<'t>, x: Tensor<'t>) -> Tensor<'t> {
    let BertConfig { sizes, norm, activation, .. } = config;
    let qkv = ["query", "key", "value"].map(|name| {
        let projected = nn::linear_bias(x, w.at("attention.self").at(name), sizes.hidden, true);
        projected.split_heads(sizes.heads)
    });
    let attrs = nn::attention_attrs(sizes.head_dim as f64, None);
    let attended = both_ways::attend(qkv, step, attrs).merge_heads();
    let attended = nn::linear_bias(attended, w.at("attention.output.dense"), sizes.hidden, true);
    let x = norm.apply(x + attended, &w.at("attention.output.LayerNorm"));
    let up = nn::linear_bias(x, w.at("intermediate.dense"), sizes.intermediate, true);
    let down = nn::linear_bias(activation.apply(up), w.at("output.dense"), sizes.hidden, true);
    norm.apply(x + down, &w.at("output.LayerNorm"))
}
