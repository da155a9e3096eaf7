//! RWKV-7 "Goose": no attention. What a layer reads is a mixture of a token's row and the one before;
//! its state forgets column by column, and takes away at one place what it reads at another (Peng et al.,
//! 2025, arXiv 2503.14456).
//!
//! Reference: the paper's formulas in torch, `tools/oracle/rwkv7.py`, with the names of the files on the
//! hub; transformers does not have it. It makes `tests/oracle/rwkv7/`.

use serde_json::Value;
use tyto_graph::{Op, Unary};

use crate::classic::LayerNorm;
use crate::config::{Fields, Sizes};
use crate::error::Error;
use crate::experts::accept;
use crate::memory::RecurrentLayer;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::trace::{Recurrence, Step, Tensor, Weights};
use crate::weights::{Part, Reading};

/// The part of `config.json` that this model reads.
pub struct Rwkv7Config {
    sizes: Sizes,
    tied: bool,
    norm: LayerNorm,
    /// Whether rows of the embedding are normalized.
    norm_first: bool,
    /// Width of all heads' values.
    values: usize,
    /// Rows between the two matrices that make decays, rates, shares of values, and gates.
    ranks: [usize; 4],
    /// Added to squared lengths of keys.
    epsilon: f64,
}

/// The architecture.
pub struct Rwkv7;

/// Positions where the configuration names no most: nothing in the model depends on them.
const POSITIONS: usize = 1 << 20;

impl Model for Rwkv7 {
    type Config = Rwkv7Config;

    const NAME: &'static str = "rwkv7";
    const ARCHITECTURES: &'static [&'static str] = &["RWKV7ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["rwkv7"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "model.embeddings.weight")];

    fn config(fields: &Fields<'_>) -> Result<Rwkv7Config, Error> {
        // Which kernels train and run it; `hidden_ratio` and `num_heads` are used where others are absent.
        let kernels =
            ["attn_mode", "fuse_cross_entropy", "fuse_linear_cross_entropy", "use_l2warp"];
        accept(fields, &[("hidden_act", "sqrelu")], &kernels)?;
        let sizes = sizes(fields)?;
        let rank =
            |name, default| fields.optional_size(name, 1 << 14).map(|rank| rank.unwrap_or(default));
        let epsilon = fields.optional_positive("norm_eps")?.unwrap_or(1e-5);
        let bias = fields.flag("norm_bias", true)?;
        // The fused norm adds to the square what the other only has as a least length.
        let fused = fields.flag("fuse_norm", true)?;
        Ok(Rwkv7Config {
            tied: fields.flag("tie_word_embeddings", false)?,
            norm: LayerNorm { bias, ..LayerNorm::full(epsilon) },
            norm_first: fields.flag("norm_first", true)?,
            values: values(fields, &sizes)?,
            ranks: [
                rank("decay_low_rank_dim", 64)?,
                rank("a_low_rank_dim", 64)?,
                rank("v_low_rank_dim", 16)?,
                rank("gate_low_rank_dim", 128)?,
            ],
            epsilon: if fused { 1e-6 } else { 1e-24 },
            sizes,
        })
    }

    fn outline(config: &Rwkv7Config) -> Outline {
        let Sizes { hidden, heads, head_dim, layers, .. } = config.sizes;
        let memory = RecurrentLayer {
            conv: [Some([1, hidden]), Some([1, hidden]), None],
            state: Some([heads, head_dim, config.values / heads]),
        };
        Outline {
            memory: vec![memory.into(); layers],
            sizes: config.sizes.clone(),
            tied: config.tied,
            needs_length: false,
            further: 0,
            whole: false,
            segments: 1,
        }
    }

    fn forward<'t>(config: &Rwkv7Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let Sizes { vocabulary, hidden, layers, .. } = config.sizes;
        let (model, norm) = (w.at("model"), config.norm);
        let mut x = nn::embedding(step.tokens, model.at("embeddings"), [vocabulary, hidden]);
        let mut first = None;
        for index in 0..layers {
            let (w, memory) = (model.at("layers").index(index), step.recurrence(index));
            if config.norm_first && index == 0 {
                x = norm.apply(x, &w.at("pre_norm"));
            }
            let normed = norm.apply(x, &w.at("attn_norm"));
            x = x + time_mix(config, normed, &w.at("attn"), memory, &mut first);
            let (normed, w) = (norm.apply(x, &w.at("ffn_norm")), w.at("ffn"));
            let [read] = mixtures(normed, memory.nth(1), [w.at("x_k").vector(hidden)]);
            let inner = nn::linear(read, w.at("key"), config.sizes.intermediate);
            x = x + nn::linear(Activation::ReluSquared.apply(inner), w.at("value"), hidden);
        }
        let x = norm.apply(x.take_rows(step.sampled), &model.at("norm"));
        nn::linear(x, w.at("lm_head"), vocabulary)
    }
}

/// For each vector of shares, rows between `x` and those of the tokens before.
#[track_caller]
fn mixtures<'t, const N: usize>(
    x: Tensor<'t>,
    memory: Recurrence<'t>,
    shares: [Tensor<'t>; N],
) -> [Tensor<'t>; N] {
    let change = memory.previous(x) + x.scale(-1.0);
    shares.map(|share| x + change.scale_row(share))
}

/// The recurrence. `first`: values of the first layer, which the others mix with their own.
fn time_mix<'t>(
    config: &Rwkv7Config,
    x: Tensor<'t>,
    w: &Weights<'t>,
    memory: Recurrence<'t>,
    first: &mut Option<Tensor<'t>>,
) -> Tensor<'t> {
    let Sizes { hidden, heads, head_dim, .. } = config.sizes;
    let [of_decay, of_rate, of_share, of_gate] = config.ranks;
    let logistic = |x: Tensor<'t>| x.unary(Unary::Logistic);
    let share = |name: &str| {
        let place = w.at(name);
        let reading = Reading { transposed: true, ..Reading::default() };
        let part = Part { reading, ..Part::whole(place.path(), vec![1, 1, hidden]) };
        place.vector_of(hidden, vec![part])
    };
    let shares = ["x_r", "x_w", "x_k", "x_v", "x_a", "x_g"].map(share);
    let [xr, xw, xk, xv, xa, xg] = mixtures(x, memory, shares);
    let narrow = |x, name: &str, rank| nn::linear(x, w.at(name).at("lora.0"), rank);
    let wide = |x, name: &str, width| nn::linear_bias(x, w.at(name).at("lora.2"), width, true);

    let decay = wide(narrow(xw, "w_lora", of_decay).unary(Unary::Tanh), "w_lora", hidden);
    let decay = logistic(decay).scale(-(-0.5f64).exp()).unary(Unary::Exponential);
    let own = nn::linear(xv, w.at("v_proj"), config.values);
    let v = match *first {
        None => own,
        Some(first) => {
            let share = wide(narrow(xv, "v_lora", of_share), "v_lora", config.values);
            own + (first + own.scale(-1.0)) * logistic(share)
        }
    };
    first.get_or_insert(own);
    let rate = logistic(wide(narrow(xa, "a_lora", of_rate), "a_lora", hidden));
    let key = nn::linear(xk, w.at("k_proj"), hidden);
    let removal =
        unit(key.scale_row(w.at("k_k").vector(hidden)).split_heads(heads), config.epsilon);
    let erased = removal * rate.split_heads(heads);
    let changed = (rate + rate.splat(-1.0)).scale_row(w.at("k_a").vector(hidden));
    let key = key * (changed + changed.splat(1.0));

    let bonus = w.at("r_k");
    let part = Part::whole(bonus.path(), vec![heads, head_dim]);
    let bonus = bonus.vectors(heads, head_dim, vec![part]);
    let rows = [nn::linear(xr, w.at("r_proj"), hidden), decay, key].map(|x| x.split_heads(heads));
    let [y, bonus] = memory.dplr(rows, [removal, erased], v.split_heads(heads), bonus);

    let norm = LayerNorm { bias: false, ..LayerNorm::full(config.norm.epsilon * head_dim as f64) };
    let (of, normed) = (w.at("g_norm"), norm.apply_plainly(y.split_heads(heads)).merge_heads());
    let normed = normed.scale_row(of.at("weight").vector(config.values));
    let normed = normed.add_row(of.at("bias").vector(config.values));
    let gate = logistic(narrow(xg, "g_lora", of_gate));
    let gate = nn::linear(gate, w.at("g_lora.lora.2"), config.values);
    nn::linear((normed + bonus) * gate, w.at("o_proj"), hidden)
}

/// Heads of length 1: `x / sqrt(sum(x²) + epsilon)`.
#[track_caller]
fn unit(x: Tensor<'_>, epsilon: f64) -> Tensor<'_> {
    let size = x.size(2).max(1);
    let op = Op::RmsNorm { epsilon: (epsilon / size as f64) as f32, offset: 0.0 };
    x.with(op, &[x.vector(vec![(size as f32).sqrt().recip(); size])])
}

fn sizes(fields: &Fields<'_>) -> Result<Sizes, Error> {
    let hidden = fields.size("hidden_size", 1 << 20)?;
    let (of_heads, width) =
        (fields.optional_size("num_heads", hidden)?, fields.optional_size("head_dim", 1 << 14)?);
    // Files name both, and not always such that they agree: a head's width decides.
    let head_dim = width.or(of_heads.map(|heads| hidden / heads)).unwrap_or(64);
    if !hidden.is_multiple_of(head_dim) {
        return Err(fields.wrong("head_dim", &format!("a divisor of hidden_size, {hidden}")));
    }
    let ratio = fields.optional_positive("hidden_ratio")?.unwrap_or(4.0);
    let wide = ((hidden as f64 * ratio) as usize).next_multiple_of(32);
    let heads = hidden / head_dim;
    Ok(Sizes {
        hidden,
        intermediate: fields.optional_size("intermediate_size", 1 << 22)?.unwrap_or(wide),
        layers: fields.size("num_hidden_layers", 1 << 12)?,
        heads,
        kv_heads: heads,
        head_dim,
        vocabulary: fields.size("vocab_size", 1 << 24)?,
        positions: fields.optional_size("max_position_embeddings", 1 << 30)?.unwrap_or(POSITIONS),
    })
}

/// `value_dim`: one number, or one for each layer, which must be the same as layers share values.
fn values(fields: &Fields<'_>, sizes: &Sizes) -> Result<usize, Error> {
    let name = "value_dim";
    let all = match fields.get(name) {
        None => return Ok(sizes.hidden),
        Some(Value::Array(list)) => list.clone(),
        Some(one) => vec![one.clone(); sizes.layers],
    };
    let width = all.first().and_then(Value::as_u64).filter(|width| *width <= 1 << 20);
    let same = all.len() == sizes.layers && all.iter().all(|other| *other == all[0]);
    match width.map(|width| width as usize) {
        Some(width) if same && width > 0 && width.is_multiple_of(sizes.hidden) => Ok(width),
        _ => {
            let expected = format!("one multiple of hidden_size, {}, for all layers", sizes.hidden);
            Err(fields.wrong(name, &expected))
        }
    }
}
