//! Residual blocks whose norms stand elsewhere than in [`Layer::pre_norm`].

use super::Layer;
use crate::trace::Tensor;

/// The usual names of the four norms of [`Layer::sandwich`].
pub const SANDWICH: [&str; 4] = [
    "input_layernorm",
    "post_attention_layernorm",
    "pre_feedforward_layernorm",
    "post_feedforward_layernorm",
];

impl<'t> Layer<'_, 't> {
    /// As [`Layer::pre_norm`], with norms of these names.
    #[track_caller]
    pub fn pre_norm_at(
        &self,
        x: Tensor<'t>,
        [first, second]: [&str; 2],
        attention: impl FnOnce(Tensor<'t>) -> Tensor<'t>,
        mlp: impl FnOnce(Tensor<'t>) -> Tensor<'t>,
    ) -> Tensor<'t> {
        let x = x + attention(self.norm(x, first));
        x + mlp(self.norm(x, second))
    }

    /// A residual block that normalizes what comes out of each half: `x + norm(attention(x))`,
    /// then the same with the MLP.
    #[track_caller]
    pub fn post_norm(
        &self,
        x: Tensor<'t>,
        attention: impl FnOnce(Tensor<'t>) -> Tensor<'t>,
        mlp: impl FnOnce(Tensor<'t>) -> Tensor<'t>,
    ) -> Tensor<'t> {
        let x = x + self.norm(attention(x), "post_attention_layernorm");
        x + self.norm(mlp(x), "post_feedforward_layernorm")
    }

    /// A residual block that normalizes what goes into each half and what comes out of it, with
    /// norms of these names in the order in which they are met: `x + norm(attention(norm(x)))`,
    /// then the same with the MLP.
    #[track_caller]
    pub fn sandwich(
        &self,
        x: Tensor<'t>,
        [before, after, before_mlp, after_mlp]: [&str; 4],
        attention: impl FnOnce(Tensor<'t>) -> Tensor<'t>,
        mlp: impl FnOnce(Tensor<'t>) -> Tensor<'t>,
    ) -> Tensor<'t> {
        let x = x + self.norm(attention(self.norm(x, before)), after);
        x + self.norm(mlp(self.norm(x, before_mlp)), after_mlp)
    }
}
