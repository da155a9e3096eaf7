//! What decoders with layer norms share: the norm in its variants, MLPs without a gate, queries,
//! keys and values in one matrix, matrices that stand transposed, tables of positions, and blocks
//! whose halves read the same rows.

mod gpt;
mod turning;

use std::ops::Range;

use tyto_graph::{AttentionAttrs, Op, RopeTable};

use crate::config::{Fields, Sizes};
use crate::error::Error;
use crate::nn::{self, Activation, MlpNames};
use crate::registry::Outline;
use crate::trace::{Step, Tensor, Weights};
use crate::weights::{Every, Pairs, Part, Reading};

pub use gpt::{GPT, gpt_mlp};
pub use turning::Turning;

/// How a model's layer norms are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerNorm {
    /// Added to the variance.
    pub epsilon: f64,
    /// Whether there are weights, and what is added to them.
    pub weight: Option<f32>,
    /// Whether there are biases.
    pub bias: bool,
}

impl LayerNorm {
    /// With weights as they are, and biases.
    pub fn full(epsilon: f64) -> Self {
        Self { epsilon, weight: Some(0.0), bias: true }
    }

    /// The norm of the rows of a matrix.
    #[track_caller]
    pub fn apply<'t>(self, x: Tensor<'t>, w: &Weights<'t>) -> Tensor<'t> {
        let size = x.size(1);
        let weight = match self.weight {
            Some(_) => w.at("weight").vector(size),
            None => x.ones(size),
        };
        let normed = self.weighted(x, weight);
        if self.bias { normed.add_row(w.at("bias").vector(size)) } else { normed }
    }

    /// The norm of each head by itself, with one vector of weights, and of biases, for all of them.
    #[track_caller]
    pub fn apply_heads<'t>(self, x: Tensor<'t>, w: &Weights<'t>) -> Tensor<'t> {
        let (heads, size) = (x.size(1), x.size(2));
        let normed = self.weighted(x, w.at("weight").vector(size));
        if !self.bias {
            return normed;
        }
        let place = w.at("bias");
        let whole = Part::whole(place.path(), vec![size]);
        // The same for every head: one vector as wide as all of them.
        let bias = place.at("heads").vector_of(heads * size, vec![whole; heads]);
        normed.merge_heads().add_row(bias).split_heads(heads)
    }

    /// The norm of each head by itself, without weights.
    #[track_caller]
    pub fn apply_plainly<'t>(self, x: Tensor<'t>) -> Tensor<'t> {
        Self { weight: None, ..self }.weighted(x, x.ones(x.size(2)))
    }

    #[track_caller]
    fn weighted<'t>(self, x: Tensor<'t>, weight: Tensor<'t>) -> Tensor<'t> {
        let offset = self.weight.unwrap_or(0.0);
        x.with(Op::LayerNorm { epsilon: self.epsilon as f32, offset }, &[weight])
    }
}

/// What the fields of sizes are called.
#[derive(Clone, Copy, Debug)]
pub struct SizeNames {
    /// Width of the residual stream.
    pub hidden: &'static str,
    /// Number of blocks.
    pub layers: &'static str,
    /// Query heads.
    pub heads: &'static str,
    /// Positions.
    pub positions: &'static str,
    /// Width inside the MLP; four times the stream's where there is no field, or it is absent.
    pub intermediate: Option<&'static str>,
    /// Positions where the field is absent; `None` where it must be there.
    pub default_positions: Option<usize>,
}

impl SizeNames {
    /// Reads them; a key and value head for each query head.
    pub fn read(&self, fields: &Fields<'_>) -> Result<Sizes, Error> {
        let hidden = fields.size(self.hidden, 1 << 20)?;
        let heads = fields.size(self.heads, 1 << 12)?;
        if !hidden.is_multiple_of(2 * heads) {
            let expected = format!("a number of heads of an even size that make {hidden}");
            return Err(fields.wrong(self.heads, &expected));
        }
        let intermediate = self.intermediate.map(|name| fields.optional_size(name, 1 << 22));
        let positions = fields.optional_size(self.positions, 1 << 30)?.or(self.default_positions);
        Ok(Sizes {
            hidden,
            intermediate: intermediate.transpose()?.flatten().unwrap_or(4 * hidden),
            layers: fields.size(self.layers, 1 << 12)?,
            heads,
            kv_heads: heads,
            head_dim: hidden / heads,
            vocabulary: fields.size("vocab_size", 1 << 24)?,
            positions: positions.map_or_else(|| fields.size(self.positions, 1 << 30), Ok)?,
        })
    }
}

/// The part of `config.json` that every such decoder reads.
#[derive(Clone, Debug)]
pub struct Classic {
    /// Its sizes.
    pub sizes: Sizes,
    /// How its norms are computed.
    pub norm: LayerNorm,
    /// The function of its MLPs.
    pub activation: Activation,
    /// Whether the head is the embedding.
    pub tied: bool,
}

impl Classic {
    /// What others need to know of a model with these rotary tables.
    pub fn outline(&self, tables: &[&RopeTable]) -> Outline {
        Outline::attending(&self.sizes, self.tied, tables)
    }

    /// The rows of the embedding at `w` of the step's ids.
    #[track_caller]
    pub fn embed<'t>(&self, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        nn::embedding(step.tokens, w, [self.sizes.vocabulary, self.sizes.hidden])
    }

    /// `block` for each layer below `w` in turn.
    pub fn layers<'t>(
        &self,
        w: &Weights<'t>,
        step: &Step<'t>,
        x: Tensor<'t>,
        block: impl Fn(&Block<'_, 't>, Tensor<'t>) -> Tensor<'t>,
    ) -> Tensor<'t> {
        (0..self.sizes.layers)
            .fold(x, |x, index| block(&Block { index, w: w.index(index), model: self, step }, x))
    }

    /// The last norm, at `norm`, and the output projection at `head`, of the sampled rows alone.
    #[track_caller]
    pub fn head<'t>(
        &self,
        x: Tensor<'t>,
        step: &Step<'t>,
        norm: &Weights<'t>,
        head: Weights<'t>,
        bias: bool,
    ) -> Tensor<'t> {
        let x = self.norm.apply(x.take_rows(step.sampled), norm);
        nn::linear_bias(x, head, self.sizes.vocabulary, bias)
    }
}

/// The row of each token's position in the table at `w.weight`, which has `skipped` rows before that
/// of position 0. Padding has the row of position 0.
#[track_caller]
pub fn positions<'t>(
    step: &Step<'t>,
    w: &Weights<'t>,
    [rows, width]: [usize; 2],
    skipped: usize,
) -> Tensor<'t> {
    let place = w.at("weight");
    let (table, layout) = match skipped {
        0 => place.table(rows, width),
        _ => {
            let whole = Part::whole(place.path(), vec![skipped + rows, width]);
            let rows_read = Some(skipped..skipped + rows);
            place.at("positions").part(rows, width, Part { rows: rows_read, ..whole })
        }
    };
    table.with(Op::Embedding { layout, rows }, &[step.positions.at_least(0.0)])
}

/// `x w`, plus the vector at `w.bias` if there is one, with the matrix at `w.weight` that stands
/// transposed: a row of it for each column of `x`.
#[track_caller]
pub fn transposed_linear<'t>(
    x: Tensor<'t>,
    w: &Weights<'t>,
    rows: usize,
    bias: bool,
) -> Tensor<'t> {
    let reading = Reading { transposed: true, ..Reading::default() };
    let whole = Part::whole(w.at("weight").path(), vec![x.size(1), rows]);
    let (matrix, layout) = w.at("weight").part(rows, x.size(1), Part { reading, ..whole });
    let y = x.with(Op::Linear { layout, rows }, &[matrix]);
    if bias { y.add_row(w.at("bias").vector(rows)) } else { y }
}

/// Queries, keys and values whose rows stand in one matrix: in every run of rows some of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fused {
    /// How many runs.
    pub runs: usize,
    /// Rows of a run.
    pub run: usize,
    /// Which of them are of queries, of keys and of values.
    pub rows: [Range<usize>; 3],
    /// Whether there is a bias.
    pub bias: bool,
    /// Whether the matrix stands transposed.
    pub transposed: bool,
    /// The rows of heads of queries and keys that are turned in neighbouring pairs.
    pub turned: Option<usize>,
}

impl Fused {
    /// All queries, then all keys, then all values.
    pub fn plain(sizes: &Sizes, bias: bool) -> Self {
        let (queries, keys) = (sizes.heads * sizes.head_dim, sizes.kv_heads * sizes.head_dim);
        let run = queries + 2 * keys;
        let rows = [0..queries, queries..queries + keys, queries + keys..run];
        Self { runs: 1, run, rows, bias, transposed: false, turned: None }
    }

    /// Key head by key head: its queries, its key, its value.
    pub fn by_heads(sizes: &Sizes, bias: bool) -> Self {
        let (size, queries) = (sizes.head_dim, sizes.heads / sizes.kv_heads * sizes.head_dim);
        let run = queries + 2 * size;
        let rows = [0..queries, queries..queries + size, queries + size..run];
        Self { runs: sizes.kv_heads, run, rows, bias, transposed: false, turned: None }
    }

    /// Queries, keys and values of `x` by the matrix at `w.weight`, split into heads of `head_dim`.
    /// Three products; [`crate::fuse`] makes one of them.
    #[track_caller]
    pub fn heads<'t>(&self, x: Tensor<'t>, w: &Weights<'t>, head_dim: usize) -> [Tensor<'t>; 3] {
        let [q, k, v] = self.rows.clone();
        let pairs = self.turned.map(|turned| Pairs { head: head_dim, turned });
        [("q", q, pairs), ("k", k, pairs), ("v", v, None)].map(|(name, rows, pairs)| {
            let count = self.runs * rows.len();
            let (matrix, layout) =
                w.at(name).at("weight").part(count, x.size(1), self.matrix(x, w, &rows, pairs));
            let y = x.with(Op::Linear { layout, rows: count }, &[matrix]);
            let y = match self.bias {
                true => {
                    let whole = Part::whole(w.at("bias").path(), vec![self.runs * self.run]);
                    let part = self.part(whole, &rows, pairs);
                    y.add_row(w.at(name).at("bias").vector_of(count, vec![part]))
                }
                false => y,
            };
            y.split_heads(count / head_dim.max(1))
        })
    }

    fn matrix(
        &self,
        x: Tensor<'_>,
        w: &Weights<'_>,
        rows: &Range<usize>,
        pairs: Option<Pairs>,
    ) -> Part {
        let (all, columns) = (self.runs * self.run, x.size(1));
        let shape = if self.transposed { vec![columns, all] } else { vec![all, columns] };
        let whole = Part::whole(w.at("weight").path(), shape);
        let part = self.part(whole, rows, pairs);
        Part { reading: Reading { transposed: self.transposed, ..part.reading }, ..part }
    }

    fn part(&self, whole: Part, rows: &Range<usize>, pairs: Option<Pairs>) -> Part {
        if self.runs == 1 {
            let reading = Reading { pairs, ..Reading::default() };
            return Part { rows: Some(rows.clone()), reading, ..whole };
        }
        let every = Every { run: self.run, begin: rows.start, counts: [rows.len(), 0, 0] };
        Part { reading: Reading { every: Some(every), pairs, ..Reading::default() }, ..whole }
    }
}

/// One layer while it is traced.
pub struct Block<'a, 't> {
    /// Which one, from 0.
    pub index: usize,
    w: Weights<'t>,
    model: &'a Classic,
    step: &'a Step<'t>,
}

impl<'t> Block<'_, 't> {
    /// The place of a name inside the layer.
    pub fn at(&self, name: &str) -> Weights<'t> {
        self.w.at(name)
    }

    /// The norm at `name` of rows of the residual stream.
    #[track_caller]
    pub fn norm(&self, x: Tensor<'t>, name: &str) -> Tensor<'t> {
        self.model.norm.apply(x, &self.at(name))
    }

    /// `x + attention(norm(x))`, then the same with the MLP and the second norm.
    #[track_caller]
    pub fn serial(
        &self,
        x: Tensor<'t>,
        norms: [&str; 2],
        attention: impl FnOnce(Tensor<'t>) -> Tensor<'t>,
        mlp: impl FnOnce(Tensor<'t>) -> Tensor<'t>,
    ) -> Tensor<'t> {
        let x = x + attention(self.norm(x, norms[0]));
        x + mlp(self.norm(x, norms[1]))
    }

    /// `x + attention(norm(x)) + mlp(norm(x))`, each half with a norm of its own or with one for both.
    #[track_caller]
    pub fn parallel(
        &self,
        x: Tensor<'t>,
        norms: [&str; 2],
        attention: impl FnOnce(Tensor<'t>) -> Tensor<'t>,
        mlp: impl FnOnce(Tensor<'t>) -> Tensor<'t>,
    ) -> Tensor<'t> {
        let first = self.norm(x, norms[0]);
        let second = if norms[0] == norms[1] { first } else { self.norm(x, norms[1]) };
        x + attention(first) + mlp(second)
    }

    /// A projection at `name`, split into heads.
    #[track_caller]
    pub fn project(&self, x: Tensor<'t>, name: &str, heads: usize, bias: bool) -> Tensor<'t> {
        let width = heads * self.model.sizes.head_dim;
        nn::linear_bias(x, self.at(name), width, bias).split_heads(heads)
    }

    /// A projection whose heads are turned in neighbouring pairs, the first `turned` of their rows.
    #[track_caller]
    pub fn project_pairs(
        &self,
        x: Tensor<'t>,
        name: &str,
        heads: usize,
        (turned, bias): (usize, bool),
    ) -> Tensor<'t> {
        let head = self.model.sizes.head_dim;
        let reading = Reading { pairs: Some(Pairs { head, turned }), ..Reading::default() };
        nn::linear_as(x, self.at(name), heads * head, bias, reading).split_heads(heads)
    }

    /// Attention of heads over the layer's paged cache, heads side by side. Writes this step's keys
    /// and values before it reads.
    #[track_caller]
    pub fn attend(&self, [q, k, v]: [Tensor<'t>; 3], attrs: AttentionAttrs) -> Tensor<'t> {
        self.step.kv_cache(self.index).append(k, v).attend(q, attrs).merge_heads()
    }

    /// The matrix at `name` back to the width of the residual stream.
    #[track_caller]
    pub fn output(&self, x: Tensor<'t>, name: &str, bias: bool) -> Tensor<'t> {
        nn::linear_bias(x, self.at(name), self.model.sizes.hidden, bias)
    }

    /// An MLP without a gate: `down(activation(up(x)))`, with the names of the two.
    #[track_caller]
    pub fn mlp(&self, x: Tensor<'t>, [up, down]: [&str; 2], bias: bool) -> Tensor<'t> {
        let up = nn::linear_bias(x, self.at(up), self.model.sizes.intermediate, bias);
        self.output(self.model.activation.apply(up), down, bias)
    }

    /// A gated MLP without biases: `down(activation(gate(x)) * up(x))`.
    #[track_caller]
    pub fn gated_mlp(&self, x: Tensor<'t>) -> Tensor<'t> {
        let of = (self.model.activation, self.model.sizes.intermediate, false);
        nn::gated_mlp(x, &self.at("mlp"), MlpNames::default(), of)
    }
}
