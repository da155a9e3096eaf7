//! Models whose layers are not all alike: the way from ids to logits around them, attention and
//! MLPs under the names that each model has for them. [`crate::decoder`] is the same for models that
//! keep to Llama's names.

use tyto_graph::{AttentionAttrs, RopeTable};

use crate::config::Sizes;
use crate::memory::{KvLayer, LayerMemory};
use crate::nn::{self, Norm};
use crate::recurrent::scaled;
use crate::registry::Outline;
use crate::trace::{Recurrence, Step, Tensor, Weights};

/// What a model has around its layers.
#[derive(Clone, Debug)]
pub struct Trunk {
    /// Its sizes.
    pub sizes: Sizes,
    /// How its norms are computed.
    pub norm: Norm,
    /// Where its tensors are.
    pub names: Names,
    /// Whether the head is the embedding.
    pub tied: bool,
    /// What rows of the embedding are multiplied with.
    pub embedding_scale: f64,
    /// What logits are.
    pub logit_scale: f64,
}

/// Where a model's tensors are.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// The table of the ids.
    pub embedding: &'static str,
    /// The list of layers.
    pub layers: &'static str,
    /// The norm behind them.
    pub norm: &'static str,
}

impl Default for Names {
    fn default() -> Self {
        Self { embedding: "model.embed_tokens", layers: "model.layers", norm: "model.norm" }
    }
}

impl Trunk {
    /// One without scales.
    pub fn plain(sizes: Sizes, norm: Norm, names: Names, tied: bool) -> Self {
        Self { sizes, norm, names, tied, embedding_scale: 1.0, logit_scale: 1.0 }
    }

    /// What a layer with attention keeps.
    pub fn kv(&self) -> LayerMemory {
        KvLayer { heads: self.sizes.kv_heads, head_dim: self.sizes.head_dim }.into()
    }

    /// What others need to know.
    pub fn outline(&self, memory: Vec<LayerMemory>, rope: Option<&RopeTable>) -> Outline {
        Outline {
            memory,
            sizes: self.sizes.clone(),
            tied: self.tied,
            needs_length: rope.is_some_and(RopeTable::needs_length),
            further: 0,
            whole: false,
            segments: 1,
        }
    }

    /// Ids to logits, one row for each sampled position, with `block` for each layer.
    #[track_caller]
    pub fn forward<'t>(
        &self,
        w: &Weights<'t>,
        step: &Step<'t>,
        block: impl Fn(&Block<'_, 't>, Tensor<'t>) -> Tensor<'t>,
    ) -> Tensor<'t> {
        let x = self.embed(w, step);
        let x = self.layers(w, step, x, block);
        self.head(w, step, x)
    }

    /// The rows of the embedding of the step's ids.
    #[track_caller]
    pub fn embed<'t>(&self, w: &Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let table = [self.sizes.vocabulary, self.sizes.hidden];
        let x = nn::embedding(step.tokens, w.at(self.names.embedding), table);
        scaled(x, self.embedding_scale)
    }

    /// `block` for each layer in turn.
    pub fn layers<'t>(
        &self,
        w: &Weights<'t>,
        step: &Step<'t>,
        x: Tensor<'t>,
        block: impl Fn(&Block<'_, 't>, Tensor<'t>) -> Tensor<'t>,
    ) -> Tensor<'t> {
        (0..self.sizes.layers).fold(x, |x, index| {
            let w = w.at(self.names.layers).index(index);
            block(&Block { index, w, trunk: self, step }, x)
        })
    }

    /// The last norm and the output projection, of the sampled rows alone.
    #[track_caller]
    pub fn head<'t>(&self, w: &Weights<'t>, step: &Step<'t>, x: Tensor<'t>) -> Tensor<'t> {
        let x = x.take_rows(step.sampled);
        let x = nn::rms_norm(x, w.at(self.names.norm), self.sizes.hidden, self.norm);
        scaled(nn::linear(x, w.at("lm_head"), self.sizes.vocabulary), self.logit_scale)
    }
}

/// One layer while it is traced.
pub struct Block<'a, 't> {
    /// Which one, from 0.
    pub index: usize,
    w: Weights<'t>,
    trunk: &'a Trunk,
    step: &'a Step<'t>,
}

/// How a layer attends.
#[derive(Clone, Copy, Debug)]
pub struct Attention {
    /// Multiplies the scores.
    pub scale: f64,
    /// Keys that a query sees, itself included; all before it where there is none.
    pub window: Option<usize>,
    /// Whether the projections of queries, keys and values have a bias, and the one back.
    pub bias: [bool; 2],
    /// The norms of queries and of keys, a head at a time, where it has them.
    pub norms: Option<[&'static str; 2]>,
    /// The projection back.
    pub output: &'static str,
}

impl Attention {
    /// Scores divided by the root of a head's width, and no biases or norms.
    pub fn plain(sizes: &Sizes) -> Self {
        let scale = 1.0 / (sizes.head_dim as f64).sqrt();
        Self { scale, window: None, bias: [false; 2], norms: None, output: "o_proj" }
    }

    fn attrs(&self) -> AttentionAttrs {
        AttentionAttrs { scale: self.scale as f32, ..nn::attention_attrs(1.0, self.window) }
    }
}

impl<'t> Block<'_, 't> {
    /// The place of a name inside the layer.
    pub fn at(&self, name: &str) -> Weights<'t> {
        self.w.at(name)
    }

    /// The norm at `name` of rows of the residual stream.
    #[track_caller]
    pub fn norm(&self, x: Tensor<'t>, name: &str) -> Tensor<'t> {
        nn::rms_norm(x, self.at(name), self.trunk.sizes.hidden, self.trunk.norm)
    }

    /// The layer's recurrent state.
    #[track_caller]
    pub fn recurrence(&self) -> Recurrence<'t> {
        self.step.recurrence(self.index)
    }

    /// Grouped-query attention at `name`, with queries and keys turned by `angles` where there are
    /// any.
    #[track_caller]
    pub fn attention(
        &self,
        x: Tensor<'t>,
        name: &str,
        attention: &Attention,
        angles: Option<Tensor<'t>>,
    ) -> Tensor<'t> {
        let w = self.at(name);
        let Sizes { heads, kv_heads, head_dim, .. } = self.trunk.sizes;
        let [bias, _] = attention.bias;
        let project = |name: &str, heads: usize| {
            nn::linear_bias(x, w.at(name), heads * head_dim, bias).split_heads(heads)
        };
        let placed = |x: Tensor<'t>, which: usize| {
            let x = match attention.norms {
                Some(names) => nn::rms_norm(x, w.at(names[which]), head_dim, self.trunk.norm),
                None => x,
            };
            x.rotate_by(angles)
        };
        let q = placed(project("q_proj", heads), 0);
        let k = placed(project("k_proj", kv_heads), 1);
        self.attend([q, k, project("v_proj", kv_heads)], &w, attention)
    }

    /// Attention of heads over the layer's cache, and the projection back below `w`.
    #[track_caller]
    pub fn attend(
        &self,
        [q, k, v]: [Tensor<'t>; 3],
        w: &Weights<'t>,
        attention: &Attention,
    ) -> Tensor<'t> {
        let cache = self.step.kv_cache(self.index).append(k, v);
        let attended = cache.attend(q, attention.attrs()).merge_heads();
        let [_, bias] = attention.bias;
        nn::linear_bias(attended, w.at(attention.output), self.trunk.sizes.hidden, bias)
    }
}
