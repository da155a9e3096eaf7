//! Softmax and attention by their definitions: nothing hidden is ever read.

use super::error::{Failure, in_range};
use super::indexed::inner_product;
use super::kv;
use super::rounding::round;
use super::tensor::Tensor;
use crate::dtype::DType;
use crate::kv::KvCode;
use crate::op::AttentionAttrs;

pub(super) fn masked_softmax(scores: &Tensor, mask: &Tensor) -> Tensor {
    let size = scores.shape().last().copied().expect("softmax_c1: there is a last axis");
    let rows = scores.f().chunks(size.max(1)).zip(mask.i().chunks(size.max(1)));
    let weights = rows.flat_map(|(scores, mask)| {
        let shown: Vec<f32> = (scores.iter().zip(mask))
            .filter(|(_, shown)| **shown != 0)
            .map(|(score, _)| *score)
            .collect();
        let mut weights = softmax(&shown, f32::NEG_INFINITY).into_iter();
        let weight = |shown: &i64| if *shown == 0 { 0.0 } else { weights.next().unwrap_or(0.0) };
        mask.iter().map(weight).collect::<Vec<_>>()
    });
    Tensor::rounded(DType::F32, scores.shape(), weights)
}

/// Softmax with one more score, `sink`, whose weight is left out; NaN where every score is -inf,
/// which only an overflow makes them.
fn softmax(scores: &[f32], sink: f32) -> Vec<f64> {
    let largest = f64::from(scores.iter().copied().fold(sink, f32::max));
    let weights: Vec<f64> =
        scores.iter().map(|score| (f64::from(*score) - largest).exp()).collect();
    let sum = weights.iter().sum::<f64>() + (f64::from(sink) - largest).exp();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// The cache of one layer, read by position.
struct Cache<'a> {
    data: [&'a Tensor; 2],
    code: Option<KvCode>,
    tables: &'a Tensor,
}

const KEYS: usize = 0;
const VALUES: usize = 1;

impl Cache<'_> {
    /// The key or value vector of head `group` at `position` of row `row`.
    fn at(
        &self,
        which: usize,
        row: usize,
        position: usize,
        group: usize,
    ) -> Result<Vec<f32>, Failure> {
        let [blocks, size, groups, width] = self.data[which].extents();
        let [_, pages] = self.tables.extents();
        let block = self.tables.i()[row * pages + position / size];
        let slot = in_range(block, blocks)? * size + position % size;
        let vector = (slot * groups + group) * width..(slot * groups + group + 1) * width;
        Ok(match self.code {
            Some(code) => kv::dequantize(code, &self.data[which].i()[vector]),
            None => self.data[which].f()[vector].to_vec(),
        })
    }
}

pub(super) fn paged_attention(
    attrs: &AttentionAttrs,
    q: &Tensor,
    data: [&Tensor; 2],
    tables: &Tensor,
    positions: &Tensor,
    sinks: Option<&Tensor>,
) -> Result<Tensor, Failure> {
    let [queries, heads, width] = q.extents();
    let [rows, pages] = tables.extents();
    let [_, size, groups, _] = data[KEYS].extents();
    let cache = Cache { data, code: attrs.kv, tables };
    let mut mixed = vec![0.0; queries * heads * width];
    let slopes = attrs.alibi.map_or(vec![0.0; heads], |alibi| alibi.slopes(heads));
    for query in 0..queries {
        let position = positions.i()[query];
        if position < 0 {
            continue;
        }
        let position = in_range(position, pages * size)?;
        let first = attrs.window.map_or(0, |window| (position + 1).saturating_sub(window));
        let first =
            attrs.chunk.map_or(first, |chunk| first.max(position - position % chunk.max(1)));
        let row = query / (queries / rows);
        for (head, slope) in slopes.iter().enumerate() {
            let at = (query * heads + head) * width;
            let group = head / (heads / groups);
            let seen = (first..=position)
                .map(|slot| {
                    Ok([cache.at(KEYS, row, slot, group)?, cache.at(VALUES, row, slot, group)?])
                })
                .collect::<Result<Vec<_>, Failure>>()?;
            let out = &mut mixed[at..at + width];
            let query = Query {
                cache_type: data[KEYS].dtype(),
                q: &q.f()[at..at + width],
                sink: sinks.map_or(f32::NEG_INFINITY, |sinks| sinks.f()[head]),
                slope: *slope,
                first,
            };
            attend(attrs, &query, &seen, out);
        }
    }
    Ok(Tensor::rounded(DType::F32, q.shape(), mixed))
}

/// One query of one head.
struct Query<'a> {
    cache_type: DType,
    q: &'a [f32],
    /// The head's sink; -inf for none.
    sink: f32,
    /// What each position adds to a score.
    slope: f32,
    /// The position of the first key.
    first: usize,
}

/// One query of one head over the keys and values that it sees.
fn attend(attrs: &AttentionAttrs, query: &Query<'_>, seen: &[[Vec<f32>; 2]], mixed: &mut [f64]) {
    let Query { cache_type, q, sink, slope, first } = *query;
    let scaled: Vec<f32> = q.iter().map(|value| value * attrs.scale).collect();
    let to_cache = |value: f32| match attrs.kv {
        Some(_) => value,
        None => round(cache_type, value.into()),
    };
    let q = match attrs.kv {
        Some(KvCode::E4M3) => scaled,
        Some(_) => kv::round_query(&scaled),
        None => scaled.into_iter().map(to_cache).collect(),
    };
    let scores: Vec<f32> = (seen.iter().enumerate())
        .map(|(key_index, [key, _])| {
            let score = inner_product(&q, key);
            let cap = |cap: f32| f64::from(cap) * (score / f64::from(cap)).tanh();
            let position = (first + key_index) as f64;
            (attrs.soft_cap.map_or(score, cap) + f64::from(slope) * position) as f32
        })
        .collect();
    for (weight, [_, value]) in softmax(&scores, sink).into_iter().zip(seen) {
        let weight = f64::from(to_cache(weight as f32));
        for (sum, value) in mixed.iter_mut().zip(value) {
            *sum += weight * f64::from(*value);
        }
    }
}
