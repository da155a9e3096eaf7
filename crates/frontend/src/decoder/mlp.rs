//! MLPs of other forms than [`Layer::gated_mlp`].

use super::Layer;
use crate::nn;
use crate::trace::Tensor;

impl<'t> Layer<'_, 't> {
    /// A gated MLP; one matrix gives gate and up side by side.
    #[track_caller]
    pub fn joined_gated_mlp(&self, x: Tensor<'t>) -> Tensor<'t> {
        let of = (self.decoder.activation, self.decoder.sizes.intermediate);
        nn::joined_gated_mlp(x, &self.at("mlp"), ["gate_up_proj", "down_proj"], of)
    }

    /// An MLP without a gate, whose matrices have these names: `second(activation(first(x)))`.
    #[track_caller]
    pub fn ungated_mlp(&self, x: Tensor<'t>, [first, second]: [&str; 2], bias: bool) -> Tensor<'t> {
        let (w, sizes) = (self.at("mlp"), &self.decoder.sizes);
        let x = nn::linear_bias(x, w.at(first), sizes.intermediate, bias);
        let x = self.decoder.activation.apply(x);
        nn::linear_bias(x, w.at(second), sizes.hidden, bias)
    }
}
