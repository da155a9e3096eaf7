//! What layers have beside the stream: inputs of their own, made of the token, and the keys and values
//! of lower layers, which upper ones read.

use tyto_graph::{Comparison, Op};

use super::{Decoder, Layer};
use crate::config::{Fields, Sizes};
use crate::error::Error;
use crate::nn;
use crate::trace::{Step, Tensor, Weights};

/// Inputs of each layer: rows of a further table, and a projection of the embedding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerInputs {
    /// Rows of the table.
    pub rows: usize,
    /// Width of a layer's part.
    pub width: usize,
    /// Whether constants have the element type of matrices.
    pub rounded: bool,
}

impl LayerInputs {
    /// Reads the sizes; none where the width is 0.
    pub fn read(fields: &Fields<'_>, rounded: bool) -> Result<Option<Self>, Error> {
        let (name, rows) = ("hidden_size_per_layer_input", "vocab_size_per_layer_input");
        let Some(width) = fields.optional_count(name, 1 << 20)? else {
            return Err(fields.missing(name, "a size, or 0 for no such inputs"));
        };
        if width == 0 {
            fields.get(rows);
            return Ok(None);
        }
        Ok(Some(Self { rows: fields.size(rows, 1 << 24)?, width, rounded }))
    }

    /// The inputs of all layers, side by side: `[tokens, layers × width]`. `x` is the scaled embedding.
    #[track_caller]
    pub fn make<'t>(
        &self,
        decoder: &Decoder,
        w: &Weights<'t>,
        step: &Step<'t>,
        x: Tensor<'t>,
    ) -> Tensor<'t> {
        let Self { rows, width, rounded } = *self;
        let Sizes { hidden, layers, vocabulary, .. } = decoder.sizes;
        let (model, all) = (w.at("model"), layers * width);
        let constant = |value: f64| if rounded { w.rounded(value) } else { value };
        let mut ids = step.tokens;
        if rows < vocabulary {
            // The last ids have no row of their own.
            let known = ids.with(Op::Compare(Comparison::Lt), &[ids.splat(rows as f64)]);
            ids = known.with(Op::Select, &[ids, ids.splat(0.0)]);
        }
        let table = nn::embedding(ids, model.at("embed_tokens_per_layer"), [rows, all]);
        let looked_up = table.scale(w.rounded((width as f64).sqrt()));
        let made = nn::linear(x, model.at("per_layer_model_projection"), all);
        let made = made.scale(constant((hidden as f64).powf(-0.5))).split_heads(layers);
        let norm = model.at("per_layer_projection_norm");
        let made = nn::rms_norm(made, norm, width, decoder.norm).merge_heads();
        (made + looked_up).scale(constant(std::f64::consts::FRAC_1_SQRT_2))
    }

    /// What a layer makes of its own of the inputs of all layers, gated by the stream.
    #[track_caller]
    pub fn gated<'t>(&self, layer: &Layer<'_, 't>, x: Tensor<'t>, all: Tensor<'t>) -> Tensor<'t> {
        let own = all.columns(layer.index * self.width..(layer.index + 1) * self.width);
        let gate = nn::linear(x, layer.at("per_layer_input_gate"), self.width);
        let gated = layer.decoder.activation.apply(gate) * own;
        let added = nn::linear(gated, layer.at("per_layer_projection"), layer.decoder.sizes.hidden);
        layer.norm(added, "post_per_layer_input_norm")
    }
}

/// Whose keys and values each layer reads: the last `num_kv_shared_layers` read those of the last
/// layer of their kind before them. `default`: how many where the field is absent.
pub fn shared_caches(
    fields: &Fields<'_>,
    windows: &[Option<usize>],
    default: usize,
) -> Result<Vec<usize>, Error> {
    let name = "num_kv_shared_layers";
    let layers = windows.len();
    let shared = fields.optional_count(name, layers - 1)?.unwrap_or(default);
    let Some(own) = layers.checked_sub(shared).filter(|own| *own > 0) else {
        return Err(fields.wrong(name, &format!("less than num_hidden_layers, {layers}")));
    };
    let source = |layer: usize| match layer < own {
        true => Some(layer),
        false => (0..own).rev().find(|other| windows[*other].is_some() == windows[layer].is_some()),
    };
    let caches: Option<Vec<usize>> = (0..layers).map(source).collect();
    caches.ok_or_else(|| fields.wrong(name, "a layer of each kind that keeps keys and values"))
}
