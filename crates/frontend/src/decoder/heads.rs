//! Queries, keys and values that are made otherwise than by [`Layer::rotated`].

use super::Layer;
use crate::config::Sizes;
use crate::nn;
use crate::trace::Tensor;
use crate::weights::{Pairs, Reading};

impl<'t> Layer<'_, 't> {
    /// As [`Layer::rotated`]; nothing is turned where there are no angles.
    #[track_caller]
    pub fn turned(&self, x: Tensor<'t>, angles: Option<Tensor<'t>>, bias: bool) -> [Tensor<'t>; 3] {
        let Sizes { heads, kv_heads, .. } = self.decoder.sizes;
        let q = self.project(x, "q_proj", heads, bias).rotate_by(angles);
        let k = self.project(x, "k_proj", kv_heads, bias).rotate_by(angles);
        [q, k, self.project(x, "v_proj", kv_heads, bias)]
    }

    /// As [`Layer::normed_rotated`]; nothing is turned where there are no angles.
    #[track_caller]
    pub fn normed_turned(
        &self,
        x: Tensor<'t>,
        angles: Option<Tensor<'t>>,
        bias: bool,
    ) -> [Tensor<'t>; 3] {
        let Sizes { heads, kv_heads, .. } = self.decoder.sizes;
        let head = |name, norm, heads| {
            self.head_norm(self.project(x, name, heads, bias), norm).rotate_by(angles)
        };
        let (q, k) = (head("q_proj", "q_norm", heads), head("k_proj", "k_norm", kv_heads));
        [q, k, self.project(x, "v_proj", kv_heads, bias)]
    }

    /// As [`Layer::rotated`], where a pair is turned whose numbers are neighbours. The checkpoint's
    /// rows are read in the order that makes halves of neighbours.
    #[track_caller]
    pub fn rotated_neighbours(
        &self,
        x: Tensor<'t>,
        angles: Tensor<'t>,
        bias: bool,
    ) -> [Tensor<'t>; 3] {
        let Sizes { heads, kv_heads, head_dim, .. } = self.decoder.sizes;
        let pairs = Pairs { head: head_dim, turned: 2 * angles.size(2) };
        let reading = Reading { pairs: Some(pairs), ..Reading::default() };
        let head = |name, heads: usize| {
            let w = self.at("self_attn").at(name);
            let rows = nn::linear_as(x, w, heads * head_dim, bias, reading);
            rows.split_heads(heads).rotate(angles)
        };
        let (q, k) = (head("q_proj", heads), head("k_proj", kv_heads));
        [q, k, self.project(x, "v_proj", kv_heads, bias)]
    }

    /// As [`Layer::rotated`]; all heads of queries, and all of keys, are normalized as one vector
    /// before they are turned; nothing is turned where there are no angles.
    #[track_caller]
    pub fn jointly_normed_turned(
        &self,
        x: Tensor<'t>,
        angles: Option<Tensor<'t>>,
        bias: bool,
    ) -> [Tensor<'t>; 3] {
        let Sizes { heads, kv_heads, head_dim, .. } = self.decoder.sizes;
        let head = |name, norm, heads: usize| {
            let (w, width) = (self.at("self_attn"), heads * head_dim);
            let rows = nn::linear_bias(x, w.at(name), width, bias);
            let rows = nn::rms_norm(rows, w.at(norm), width, self.decoder.norm);
            rows.split_heads(heads).rotate_by(angles)
        };
        let (q, k) = (head("q_proj", "q_norm", heads), head("k_proj", "k_norm", kv_heads));
        [q, k, self.project(x, "v_proj", kv_heads, bias)]
    }
}
