//! Layers that models share. Each is a few nodes of the graph; what has a composite op is
//! one node, so that a target may serve it with a kernel.

use tyto_graph::{AttentionAttrs, Op, Unary};

use crate::config::Fields;
use crate::error::Error;
use crate::trace::{Tensor, Weights};
use crate::weights::{Part, Reading};

/// Rows of the table `[vocabulary, width]` at `w.weight`.
#[track_caller]
pub fn embedding<'t>(
    ids: Tensor<'t>,
    w: Weights<'t>,
    [vocabulary, width]: [usize; 2],
) -> Tensor<'t> {
    let (table, layout) = w.at("weight").table(vocabulary, width);
    table.with(Op::Embedding { layout, rows: vocabulary }, &[ids])
}

/// `x wᵀ` with the matrix of `rows` rows at `w.weight`.
#[track_caller]
pub fn linear<'t>(x: Tensor<'t>, w: Weights<'t>, rows: usize) -> Tensor<'t> {
    let (matrix, layout) = w.at("weight").matrix(rows, x.size(1));
    x.with(Op::Linear { layout, rows }, &[matrix])
}

/// As [`linear`], plus the vector at `w.bias` where `bias` says that there is one.
#[track_caller]
pub fn linear_bias<'t>(x: Tensor<'t>, w: Weights<'t>, rows: usize, bias: bool) -> Tensor<'t> {
    let bias = bias.then(|| w.at("bias"));
    let y = linear(x, w, rows);
    match bias {
        Some(bias) => y.add_row(bias.vector(rows)),
        None => y,
    }
}

/// As [`linear_bias`], with the rows of matrix and vector in another order.
#[track_caller]
pub fn linear_as<'t>(
    x: Tensor<'t>,
    w: Weights<'t>,
    rows: usize,
    bias: bool,
    reading: Reading,
) -> Tensor<'t> {
    let part = |place: &Weights<'t>, shape| Part { reading, ..Part::whole(place.path(), shape) };
    let (place, bias) = (w.at("weight"), bias.then(|| w.at("bias")));
    let (matrix, layout) = place.part(rows, x.size(1), part(&place, vec![rows, x.size(1)]));
    let y = x.with(Op::Linear { layout, rows }, &[matrix]);
    match bias {
        Some(bias) => y.add_row(bias.vector_of(rows, vec![part(&bias, vec![rows])])),
        None => y,
    }
}

/// How a model's norms are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Norm {
    /// Added to the mean of squares.
    pub epsilon: f64,
    /// Added to the stored weights: 1 where a model stores them less one.
    pub offset: f32,
}

/// `x / sqrt(mean(x²) + epsilon) * (w + offset)` over the last axis, of `size`.
#[track_caller]
pub fn rms_norm<'t>(x: Tensor<'t>, w: Weights<'t>, size: usize, norm: Norm) -> Tensor<'t> {
    let op = Op::RmsNorm { epsilon: norm.epsilon as f32, offset: norm.offset };
    x.with(op, &[w.at("weight").vector(size)])
}

/// As [`rms_norm`], without weights.
#[track_caller]
pub fn unit_norm<'t>(x: Tensor<'t>, size: usize, norm: Norm) -> Tensor<'t> {
    x.with(Op::RmsNorm { epsilon: norm.epsilon as f32, offset: 0.0 }, &[x.ones(size)])
}

/// The norm of each of `groups` equal parts of the last axis by itself, of `size` in all, times the
/// weights of all of them.
#[track_caller]
pub fn grouped_rms_norm<'t>(
    x: Tensor<'t>,
    w: Weights<'t>,
    [groups, size]: [usize; 2],
    norm: Norm,
) -> Tensor<'t> {
    if groups == 1 {
        return rms_norm(x, w, size, norm);
    }
    let op = Op::RmsNorm { epsilon: norm.epsilon as f32, offset: norm.offset };
    let parts = x.split_heads(groups);
    let normed = parts.with(op, &[x.ones(size / groups.max(1))]).merge_heads();
    normed.scale_row(w.at("weight").vector(size))
}

/// Attention with scores divided by the root of `scalar`.
pub fn attention_attrs(scalar: f64, window: Option<usize>) -> AttentionAttrs {
    AttentionAttrs {
        scale: (1.0 / scalar.sqrt()) as f32,
        window,
        soft_cap: None,
        alibi: None,
        chunk: None,
        kv: None,
    }
}

/// `cap × tanh(x / cap)`.
#[track_caller]
pub fn soft_cap<'t>(x: Tensor<'t>, cap: f64) -> Tensor<'t> {
    x.scale(1.0 / cap).unary(Unary::Tanh).scale(cap)
}

/// The non-linear function of an MLP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// `x × logistic(x)`.
    Silu,
    /// The hyperbolic-tangent form of GELU (Hendrycks and Gimpel, 2016).
    GeluTanh,
    /// The square of the larger of x and 0.
    ReluSquared,
    /// `x × Φ(x)`, with the distribution of the normal (Hendrycks and Gimpel, 2016).
    Gelu,
    /// `max(x, 0)`.
    Relu,
}

impl Activation {
    /// Reads the activation's name from a field.
    pub fn read(fields: &Fields<'_>, field: &str, default: Self) -> Result<Self, Error> {
        match fields.text(field)? {
            None => Ok(default),
            Some("silu" | "swish") => Ok(Self::Silu),
            Some("gelu_pytorch_tanh" | "gelu_new" | "gelu_fast") => Ok(Self::GeluTanh),
            Some("relu2") => Ok(Self::ReluSquared),
            Some("gelu") => Ok(Self::Gelu),
            Some("relu") => Ok(Self::Relu),
            Some(_) => Err(fields.wrong(field, "silu, gelu, gelu_pytorch_tanh, relu or relu2")),
        }
    }

    /// The function of each element.
    #[track_caller]
    pub fn apply<'t>(self, x: Tensor<'t>) -> Tensor<'t> {
        match self {
            Self::Silu => x * x.unary(Unary::Logistic),
            Self::GeluTanh => {
                let cubic = (x * x * x).scale(0.044_715);
                let inner = (x + cubic).scale((2.0 / std::f64::consts::PI).sqrt());
                let tanh = inner.unary(Unary::Tanh);
                x.scale(0.5) * (tanh + x.splat(1.0))
            }
            Self::Gelu => {
                let erf = x.scale(std::f64::consts::FRAC_1_SQRT_2).unary(Unary::Erf);
                x.scale(0.5) * (erf + x.splat(1.0))
            }
            Self::Relu => x.at_least(0.0),
            Self::ReluSquared => {
                let relu = x.at_least(0.0);
                relu * relu
            }
        }
    }
}

/// What the matrices of a gated MLP are called, of an expert's where each is a tensor of its own too.
#[derive(Clone, Copy, Debug)]
pub struct MlpNames {
    /// What the activation is of.
    pub gate: &'static str,
    /// What it is multiplied with.
    pub up: &'static str,
    /// From the width inside to that of the stream.
    pub down: &'static str,
}

impl Default for MlpNames {
    fn default() -> Self {
        Self { gate: "gate_proj", up: "up_proj", down: "down_proj" }
    }
}

/// A gated MLP of this width inside, whose matrices stand below `w`:
/// `down(activation(gate(x)) × up(x))`.
#[track_caller]
pub fn gated_mlp<'t>(
    x: Tensor<'t>,
    w: &Weights<'t>,
    names: MlpNames,
    (activation, width, bias): (Activation, usize, bool),
) -> Tensor<'t> {
    let gate = linear_bias(x, w.at(names.gate), width, bias);
    let up = linear_bias(x, w.at(names.up), width, bias);
    linear_bias(activation.apply(gate) * up, w.at(names.down), x.size(1), bias)
}

/// The same without biases; the matrix `both` gives gate and up side by side.
#[track_caller]
pub fn joined_gated_mlp<'t>(
    x: Tensor<'t>,
    w: &Weights<'t>,
    [both, down]: [&str; 2],
    (activation, width): (Activation, usize),
) -> Tensor<'t> {
    let both = linear(x, w.at(both), 2 * width);
    let (gate, up) = (both.columns(0..width), both.columns(width..2 * width));
    linear(activation.apply(gate) * up, w.at(down), x.size(1))
}
