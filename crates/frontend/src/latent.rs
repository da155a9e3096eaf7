//! Attention whose keys and values are made of one narrow row a token (DeepSeek-AI, 2024, DeepSeek-V2,
//! section 2.1), in the absorbed form: the cache holds that row and a shared rotary key, in one head,
//! and each query head's matrices stand before and after attention.
//!
//! A head's score of a token is `q · (K c) + r · s`, with its query q, the token's row c, the head's
//! matrix K, and the rotary parts r and s. That is `[Kᵀ q, r] · [c, s]`: attention with one key of
//! `rank + rope` columns for all heads. What it gives, a weighted sum of rows, times the head's matrix
//! V is the head's result. Values are the rows of the keys: their last `rope` columns are read and
//! left.

use std::ops::Range;

use tyto_graph::{AttentionAttrs, Op};

use crate::config::{Fields, SizeDefaults};
use crate::decoder::{Decoder, Defaults, Layer};
use crate::error::Error;
use crate::memory::KvLayer;
use crate::nn::{self, Norm};
use crate::registry::Outline;
use crate::trace::{Step, Tensor, Weights};
use crate::weights::{Every, Pairs, Part, Reading};

/// Sizes of latent attention, and its variants.
#[derive(Clone, Copy, Debug)]
pub struct Latent {
    /// Query heads.
    heads: usize,
    /// Width of the residual stream.
    hidden: usize,
    /// Columns of a head's queries and keys that are not turned.
    plain: usize,
    /// Columns that are turned; of keys all heads share them.
    rope: usize,
    /// Columns of a head's values.
    value: usize,
    /// Width of a token's row.
    rank: usize,
    /// Width of the row that queries are made of, where it is not the stream's.
    query_rank: Option<usize>,
    /// Whether the projections to and from the stream have biases.
    bias: bool,
    /// Whether neighbouring columns are turned together.
    pairs: bool,
    /// Multiplies scores.
    scale: f64,
}

/// Most columns of a head or a row.
const MOST: usize = 1 << 14;

impl Latent {
    /// Reads the sizes. `value`: a head's values where `v_head_dim` is absent.
    pub fn read(
        fields: &Fields<'_>,
        decoder: &Decoder,
        value: Option<usize>,
        pairs: bool,
    ) -> Result<Self, Error> {
        let (plain, rope) = (fields.size("qk_nope_head_dim", MOST)?, rope_width(fields)?);
        let value = match value {
            Some(value) => fields.optional_size("v_head_dim", MOST)?.unwrap_or(value),
            None => fields.size("v_head_dim", MOST)?,
        };
        let width = plain + rope;
        // Writers that leave their own sums behind.
        let sum = fields.optional_size("qk_head_dim", 2 * MOST)?;
        if sum.is_some_and(|sum| sum != width) {
            return Err(fields.wrong("qk_head_dim", &format!("{width}, as its parts say")));
        }
        Ok(Self {
            heads: decoder.sizes.heads,
            hidden: decoder.sizes.hidden,
            plain,
            rope,
            value,
            rank: fields.size("kv_lora_rank", MOST)?,
            query_rank: fields.optional_size("q_lora_rank", MOST)?,
            bias: fields.flag("attention_bias", false)?,
            pairs,
            scale: stretch(fields)?.powi(2) / (width as f64).sqrt(),
        })
    }

    /// What a layer keeps of a token.
    pub fn kv(&self) -> KvLayer {
        KvLayer { heads: 1, head_dim: self.rank + self.rope }
    }

    /// What others need to know of a model whose every layer is one.
    pub fn outline(&self, decoder: &Decoder, needs_length: bool) -> Outline {
        Outline {
            memory: vec![self.kv().into(); decoder.sizes.layers],
            needs_length,
            ..decoder.outline(&[])
        }
    }

    /// The attention of a layer; nothing is turned where there are no angles.
    #[track_caller]
    pub fn attend<'t>(
        &self,
        layer: &Layer<'_, 't>,
        step: &Step<'t>,
        x: Tensor<'t>,
        angles: Option<Tensor<'t>>,
    ) -> Tensor<'t> {
        let w = layer.at("self_attn");
        let (q, k) = (self.queries(x, &w, angles), self.keys(x, &w, angles));
        let scale = self.scale as f32;
        let attrs = AttentionAttrs { scale, ..nn::attention_attrs(1.0, None) };
        let rows = step.kv_cache(layer.index).append(k, k).attend(q, attrs).last(0..self.rank);
        let values = self.of_heads(&w, |head| {
            let each = self.plain + self.value;
            let rows = head * each + self.plain..(head + 1) * each;
            (Some(rows), Reading::default())
        });
        let y = self.per_head(rows, values, &w.at("kv_b_proj.value.weight"), self.value);
        nn::linear_bias(y.merge_heads(), w.at("o_proj"), self.hidden, self.bias)
    }

    /// Of each head its query as the rows of the cache see it, and its rotary part:
    /// `[tokens, heads, rank + rope]`.
    #[track_caller]
    fn queries<'t>(
        &self,
        x: Tensor<'t>,
        w: &Weights<'t>,
        angles: Option<Tensor<'t>>,
    ) -> Tensor<'t> {
        let (x, w_q) = match self.query_rank {
            None => (x, w.at("q_proj")),
            Some(rank) => {
                let row = nn::linear_bias(x, w.at("q_a_proj"), rank, self.bias);
                (nn::rms_norm(row, w.at("q_a_layernorm"), rank, NORM), w.at("q_b_proj"))
            }
        };
        let run = self.plain + self.rope;
        let part = |begin: usize, count: usize, name: &str, pairs: Option<Pairs>| {
            let every = Every { run, begin, counts: [count, 0, 0] };
            let reading = Reading { every: Some(every), pairs, ..Reading::default() };
            let whole = Part::whole(w_q.at("weight").path(), vec![self.heads * run, x.size(1)]);
            let rows = self.heads * count;
            let place = w_q.at(name).at("weight");
            let (matrix, layout) = place.part(rows, x.size(1), Part { reading, ..whole });
            x.with(Op::Linear { layout, rows }, &[matrix]).split_heads(self.heads)
        };
        let turned = part(self.plain, self.rope, "rope", self.pairs()).rotate_by(angles);
        let plain = part(0, self.plain, "plain", None);
        let keys = self.of_heads(w, |head| {
            let begin = head * (self.plain + self.value);
            let columns = Some([begin, begin + self.plain]);
            (None, Reading { transposed: true, columns, ..Reading::default() })
        });
        let seen = self.per_head(plain, keys, &w.at("kv_b_proj.key.weight"), self.rank);
        seen.with(Op::Concat { axis: 2 }, &[turned])
    }

    /// A token's normalized row and the key that all heads share: `[tokens, 1, rank + rope]`.
    #[track_caller]
    fn keys<'t>(&self, x: Tensor<'t>, w: &Weights<'t>, angles: Option<Tensor<'t>>) -> Tensor<'t> {
        let place = w.at("kv_a_proj_with_mqa");
        let part = |begin: usize, count: usize, name: &str, pairs: Option<Pairs>| {
            let (reading, rows) = (Reading { pairs, ..Reading::default() }, begin..begin + count);
            let of = |name: &str, shape: Vec<usize>| Part {
                rows: Some(rows.clone()),
                reading,
                ..Part::whole(place.at(name).path(), shape)
            };
            let all = self.rank + self.rope;
            let own = place.at(name);
            let part = of("weight", vec![all, x.size(1)]);
            let (matrix, layout) = own.at("weight").part(count, x.size(1), part);
            let y = x.with(Op::Linear { layout, rows: count }, &[matrix]);
            match self.bias {
                true => y.add_row(own.at("bias").vector_of(count, vec![of("bias", vec![all])])),
                false => y,
            }
        };
        let row = part(0, self.rank, "row", None);
        let row = nn::rms_norm(row, w.at("kv_a_layernorm"), self.rank, NORM).split_heads(1);
        let key = part(self.rank, self.rope, "rope", self.pairs()).split_heads(1).rotate_by(angles);
        row.with(Op::Concat { axis: 2 }, &[key])
    }

    fn pairs(&self) -> Option<Pairs> {
        self.pairs.then_some(Pairs { head: self.rope, turned: self.rope })
    }

    /// The parts of `kv_b_proj` that are the heads' matrices of one kind.
    fn of_heads<'t>(
        &self,
        w: &Weights<'t>,
        part: impl Fn(usize) -> (Option<Range<usize>>, Reading),
    ) -> Vec<Part> {
        let shape = vec![self.heads * (self.plain + self.value), self.rank];
        let tensor = w.at("kv_b_proj.weight");
        let of = |head: usize| {
            let (rows, reading) = part(head);
            Part { rows, reading, ..Part::whole(tensor.path(), shape.clone()) }
        };
        (0..self.heads).map(of).collect()
    }

    /// Each head's row times its own matrix of `rows` rows.
    #[track_caller]
    fn per_head<'t>(
        &self,
        x: Tensor<'t>,
        parts: Vec<Part>,
        place: &Weights<'t>,
        rows: usize,
    ) -> Tensor<'t> {
        let (heads, columns) = (self.heads, x.size(2));
        let (stack, layout) = place.stack([heads, rows, columns], parts);
        x.with(Op::HeadLinear { layout, rows }, &[stack])
    }
}

/// The norms inside have the class's own epsilon, whatever the configuration says of others.
const NORM: Norm = Norm { epsilon: 1e-6, offset: 0.0 };

/// The fields that all decoders have, where a head is as wide as its rotary part.
pub fn decoder(fields: &Fields<'_>) -> Result<Decoder, Error> {
    decoder_of(fields, false)
}

/// As [`decoder`], of models whose head is the embedding where the configuration is silent.
pub fn decoder_tied(fields: &Fields<'_>) -> Result<Decoder, Error> {
    decoder_of(fields, true)
}

fn decoder_of(fields: &Fields<'_>, tied: bool) -> Result<Decoder, Error> {
    let rope = rope_width(fields)?;
    let sizes = SizeDefaults { head_dim: Some(rope), kv_heads: true };
    let mut decoder = Decoder::read(fields, Defaults { sizes, tied, ..Defaults::default() })?;
    // Files leave the width of a head as other attention would have it.
    decoder.sizes.head_dim = rope;
    Ok(decoder)
}

/// `qk_rope_head_dim`, an even size.
fn rope_width(fields: &Fields<'_>) -> Result<usize, Error> {
    let name = "qk_rope_head_dim";
    let width = fields.size(name, MOST)?;
    match width.is_multiple_of(2) {
        true => Ok(width),
        false => Err(fields.wrong(name, "an even size, as rotary embeddings turn pairs")),
    }
}

/// What a longer context multiplies queries and keys with beside their rotary parts:
/// `0.1 × mscale_all_dim × ln(factor) + 1`, where the scaling's object has the field. The object is
/// read as a whole by [`crate::rope`].
fn stretch(fields: &Fields<'_>) -> Result<f64, Error> {
    let object = fields.get("rope_parameters").or_else(|| fields.get("rope_scaling"));
    let number = |name: &str| object.and_then(|object| object.get(name)?.as_f64());
    let kind = ["rope_type", "type"].into_iter().find_map(|name| object?.get(name)?.as_str());
    let scaled = kind.is_some_and(|kind| kind != "default");
    let (Some(scale), true) = (number("mscale_all_dim"), scaled) else { return Ok(1.0) };
    match number("factor") {
        Some(factor) if factor > 1.0 => Ok(0.1 * scale * factor.ln() + 1.0),
        Some(_) => Ok(1.0),
        None if scale == 0.0 => Ok(1.0),
        None => Err(fields.missing("rope_scaling.factor", "a number, beside mscale_all_dim")),
    }
}
