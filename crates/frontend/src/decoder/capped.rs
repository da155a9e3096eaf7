//! Decoders whose scores and logits may be capped, whose scores are divided by the root of a number
//! of their own, and whose embedding is scaled.

use tyto_graph::AttentionAttrs;

use super::{Decoder, Defaults, Layer};
use crate::config::{Fields, SizeDefaults};
use crate::error::Error;
use crate::nn::{self, Activation};
use crate::trace::{Step, Tensor, Weights};

/// What such decoders read beside windows and rotary embeddings.
#[derive(Clone, Debug)]
pub struct Capped {
    /// What all decoders have.
    pub decoder: Decoder,
    /// Whether projections of attention add a vector.
    pub attention_bias: bool,
    /// Whether tokens see those behind them.
    pub both_ways: bool,
    query_scalar: f64,
    score_cap: Option<f64>,
    logit_cap: Option<f64>,
}

impl Capped {
    /// Reads the fields; `score_cap` and `logit_cap` hold where they are absent, not where they
    /// are null.
    pub fn read(
        fields: &Fields<'_>,
        [score_cap, logit_cap]: [Option<f64>; 2],
    ) -> Result<Self, Error> {
        let defaults = Defaults {
            sizes: SizeDefaults { head_dim: Some(256), kv_heads: false },
            activation: ("hidden_activation", Activation::GeluTanh),
            tied: true,
            norm_offset: 1.0,
        };
        let cap = |name, default| match fields.stands(name) {
            true => fields.optional_positive(name),
            false => Ok(default),
        };
        Ok(Self {
            decoder: Decoder::read(fields, defaults)?,
            attention_bias: fields.flag("attention_bias", false)?,
            both_ways: false,
            query_scalar: fields.optional_positive("query_pre_attn_scalar")?.unwrap_or(256.0),
            score_cap: cap("attn_logit_softcapping", score_cap)?,
            logit_cap: cap("final_logit_softcapping", logit_cap)?,
        })
    }

    /// Ids to logits, one row for each sampled position.
    #[track_caller]
    pub fn forward<'t>(
        &self,
        w: &Weights<'t>,
        step: &Step<'t>,
        block: impl Fn(&Layer<'_, 't>, Tensor<'t>) -> Tensor<'t>,
    ) -> Tensor<'t> {
        let x = self.decoder.embed_scaled(w, step);
        let x = self.decoder.layers(w, step, x, block);
        let logits = self.decoder.head(w, step, x);
        self.logit_cap.map_or(logits, |cap| nn::soft_cap(logits, cap))
    }

    /// Attention of heads, with a window where the layer has one, and its output projection.
    #[track_caller]
    pub fn attend<'t>(
        &self,
        layer: &Layer<'_, 't>,
        qkv: [Tensor<'t>; 3],
        window: Option<usize>,
    ) -> Tensor<'t> {
        let soft_cap = self.score_cap.map(|cap| cap as f32);
        let attrs = nn::attention_attrs(self.query_scalar, window);
        let attrs = AttentionAttrs { soft_cap, ..attrs };
        match self.both_ways {
            true => layer.attend_both_ways(qkv, attrs, self.attention_bias),
            false => layer.attend(qkv, attrs, self.attention_bias),
        }
    }
}
