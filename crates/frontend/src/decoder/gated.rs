//! Attention whose result is gated by a part of the query's own projection.

use super::Layer;
use crate::config::Sizes;
use crate::nn;
use crate::recurrent::Turns;
use crate::trace::Tensor;

impl<'t> Layer<'_, 't> {
    /// Grouped-query attention at `self_attn`. Each head's gates stand behind its queries in the
    /// projection's rows; queries and keys are normalized a head at a time before they are turned.
    #[track_caller]
    pub fn self_gated_attention(
        &self,
        x: Tensor<'t>,
        angles: Tensor<'t>,
        sizes: &Sizes,
    ) -> Tensor<'t> {
        let Sizes { heads, kv_heads, head_dim, .. } = *sizes;
        let (w, turns) = (self.at("self_attn.q_proj"), Turns { groups: heads, run: 2 * head_dim });
        let q = turns.linear(x, &w, "q", (0, [head_dim, 0, 0]));
        let gate = turns.linear(x, &w, "gate", (head_dim, [head_dim, 0, 0]));

        let q = self.head_norm(q.split_heads(heads), "q_norm").rotate(angles);
        let k = self.head_norm(self.project(x, "k_proj", kv_heads, false), "k_norm").rotate(angles);
        let v = self.project(x, "v_proj", kv_heads, false);
        let attrs = nn::attention_attrs(head_dim as f64, None);
        self.attend_gated([q, k, v], attrs, gate)
    }
}
