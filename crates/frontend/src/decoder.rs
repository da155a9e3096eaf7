//! What decoder-only models share: the fields of the configuration that all of them have, the
//! way from ids to logits around their layers, and the halves of a layer. A model file fills
//! in its attention and whatever else makes it itself.

mod capped;
mod gated;
mod growth;
mod heads;
mod inputs;
mod mlp;
mod plain;
mod residual;

use tyto_graph::{AttentionAttrs, Op, RopeTable, Unary};

use crate::both_ways;
use crate::config::{Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::experts::Mixture;
use crate::nn::{self, Activation, MlpNames, Norm};
use crate::purpose::Head;
use crate::registry::{Outline, WeightRule};
use crate::trace::{Recurrence, Step, Tensor, Weights};

pub use capped::Capped;
pub use growth::Growth;
pub use inputs::{LayerInputs, shared_caches};
pub use plain::{Biases, Pairing, Plain};
pub use residual::SANDWICH;

/// With `tie_word_embeddings` the output projection is the embedding.
pub const TIED_HEAD: WeightRule = WeightRule::tied("lm_head.weight", "model.embed_tokens.weight");

/// The same, and where models that also see hold a text model, with what is theirs beside it.
pub const TIED_OR_INSIDE: &[WeightRule] = &[
    TIED_HEAD,
    WeightRule::Inside("model", "language_model.model"),
    WeightRule::Inside("model", "model.language_model"),
    WeightRule::Inside("lm_head", "language_model.lm_head"),
    WeightRule::IgnoreBelow("vision_tower"),
    WeightRule::IgnoreBelow("multi_modal_projector"),
    WeightRule::IgnoreBelow("model.vision_tower"),
    WeightRule::IgnoreBelow("model.multi_modal_projector"),
];

/// The part of `config.json` that every decoder reads.
#[derive(Clone, Debug)]
pub struct Decoder {
    /// Its sizes.
    pub sizes: Sizes,
    /// How its norms are computed.
    pub norm: Norm,
    /// The function of its MLPs.
    pub activation: Activation,
    tied: bool,
}

/// What the shared fields are called, and what they are where the configuration is silent.
#[derive(Clone, Copy, Debug)]
pub struct Defaults {
    /// Of the sizes.
    pub sizes: SizeDefaults,
    /// The field of the MLP's function, and its default.
    pub activation: (&'static str, Activation),
    /// `tie_word_embeddings`.
    pub tied: bool,
    /// What norms add to their stored weights.
    pub norm_offset: f32,
}

impl Default for Defaults {
    fn default() -> Self {
        let activation = ("hidden_act", Activation::Silu);
        Self { sizes: SizeDefaults::default(), activation, tied: false, norm_offset: 0.0 }
    }
}

impl Decoder {
    /// Reads the shared fields.
    pub fn read(fields: &Fields<'_>, defaults: Defaults) -> Result<Self, Error> {
        let sizes = Sizes::read(fields, defaults.sizes)?;
        Self::read_but_sizes(fields, defaults, sizes)
    }

    /// As [`read`](Self::read), of a model that reads some of its sizes itself.
    pub fn read_but_sizes(
        fields: &Fields<'_>,
        defaults: Defaults,
        sizes: Sizes,
    ) -> Result<Self, Error> {
        let (field, activation) = defaults.activation;
        let activation = Activation::read(fields, field, activation)?;
        Self::read_but_activation(
            fields,
            Defaults { activation: (field, activation), ..defaults },
            sizes,
        )
    }

    /// The rest, of a model that reads its sizes and the field of its MLPs' function itself.
    pub fn read_but_activation(
        fields: &Fields<'_>,
        defaults: Defaults,
        sizes: Sizes,
    ) -> Result<Self, Error> {
        Ok(Self {
            sizes,
            norm: Norm { epsilon: fields.positive("rms_norm_eps")?, offset: defaults.norm_offset },
            activation: defaults.activation.1,
            tied: fields.flag("tie_word_embeddings", defaults.tied)?,
        })
    }

    /// What others need to know of a model with these rotary tables.
    pub fn outline(&self, tables: &[&RopeTable]) -> Outline {
        Outline::attending(&self.sizes, self.tied, tables)
    }

    /// Ids to logits, one row for each sampled position: [`embed`](Self::embed), `block` for
    /// each layer, [`head`](Self::head).
    #[track_caller]
    pub fn forward<'t>(
        &self,
        w: &Weights<'t>,
        step: &Step<'t>,
        block: impl Fn(&Layer<'_, 't>, Tensor<'t>) -> Tensor<'t>,
    ) -> Tensor<'t> {
        let x = self.embed(w, step);
        let x = self.layers(w, step, x, block);
        self.head(w, step, x)
    }

    /// The rows of the embedding of the step's ids.
    #[track_caller]
    pub fn embed<'t>(&self, w: &Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let table = [self.sizes.vocabulary, self.sizes.hidden];
        nn::embedding(step.tokens, w.at("model.embed_tokens"), table)
    }

    /// As [`embed`](Self::embed), times the root of the width. Models were made with the factor in
    /// the embedding's own element type.
    #[track_caller]
    pub fn embed_scaled<'t>(&self, w: &Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let factor = w.rounded((self.sizes.hidden as f64).sqrt());
        self.embed(w, step).scale(factor)
    }

    /// `block` for each layer in turn, of what goes from layer to layer.
    pub fn layers<'t, X>(
        &self,
        w: &Weights<'t>,
        step: &Step<'t>,
        x: X,
        block: impl Fn(&Layer<'_, 't>, X) -> X,
    ) -> X {
        (0..self.sizes.layers).fold(x, |x, index| {
            let w = w.at("model.layers").index(index);
            block(&Layer { index, w, decoder: self, step }, x)
        })
    }

    /// The last norm and what follows it, of the sampled rows alone.
    #[track_caller]
    pub fn head<'t>(&self, w: &Weights<'t>, step: &Step<'t>, x: Tensor<'t>) -> Tensor<'t> {
        let x = x.take_rows(step.sampled);
        let x = nn::rms_norm(x, w.at("model.norm"), self.sizes.hidden, self.norm);
        match step.head {
            Head::Logits => nn::linear(x, w.at("lm_head"), self.sizes.vocabulary),
            Head::Hidden => x,
            Head::Score => nn::linear(x, w.at("score"), 1),
        }
    }
}

/// One layer while it is traced.
pub struct Layer<'a, 't> {
    /// Which one, from 0.
    pub index: usize,
    w: Weights<'t>,
    decoder: &'a Decoder,
    step: &'a Step<'t>,
}

impl<'t> Layer<'_, 't> {
    /// The place of a name inside the layer.
    pub fn at(&self, name: &str) -> Weights<'t> {
        self.w.at(name)
    }

    /// The place of the layer itself.
    pub fn root(&self) -> &Weights<'t> {
        &self.w
    }

    /// The norm at `name` of rows of the residual stream.
    #[track_caller]
    pub fn norm(&self, x: Tensor<'t>, name: &str) -> Tensor<'t> {
        nn::rms_norm(x, self.at(name), self.decoder.sizes.hidden, self.decoder.norm)
    }

    /// A residual block that normalizes what goes into each half: `x + attention(norm(x))`,
    /// then the same with the MLP.
    #[track_caller]
    pub fn pre_norm(
        &self,
        x: Tensor<'t>,
        attention: impl FnOnce(Tensor<'t>) -> Tensor<'t>,
        mlp: impl FnOnce(Tensor<'t>) -> Tensor<'t>,
    ) -> Tensor<'t> {
        self.pre_norm_at(x, ["input_layernorm", "post_attention_layernorm"], attention, mlp)
    }

    /// A projection of attention, split into heads.
    #[track_caller]
    pub fn project(&self, x: Tensor<'t>, name: &str, heads: usize, bias: bool) -> Tensor<'t> {
        let width = heads * self.decoder.sizes.head_dim;
        nn::linear_bias(x, self.at("self_attn").at(name), width, bias).split_heads(heads)
    }

    /// The norm at `name` of each head by itself.
    #[track_caller]
    pub fn head_norm(&self, x: Tensor<'t>, name: &str) -> Tensor<'t> {
        let w = self.at("self_attn").at(name);
        nn::rms_norm(x, w, self.decoder.sizes.head_dim, self.decoder.norm)
    }

    /// Queries, keys and values of grouped-query attention, queries and keys turned by `angles`.
    #[track_caller]
    pub fn rotated(&self, x: Tensor<'t>, angles: Tensor<'t>, bias: bool) -> [Tensor<'t>; 3] {
        let Sizes { heads, kv_heads, .. } = self.decoder.sizes;
        let q = self.project(x, "q_proj", heads, bias).rotate(angles);
        let k = self.project(x, "k_proj", kv_heads, bias).rotate(angles);
        [q, k, self.project(x, "v_proj", kv_heads, bias)]
    }

    /// As [`rotated`](Self::rotated); each head of queries and keys is normalized before it is
    /// turned.
    #[track_caller]
    pub fn normed_rotated(&self, x: Tensor<'t>, angles: Tensor<'t>, bias: bool) -> [Tensor<'t>; 3] {
        let Sizes { heads, kv_heads, .. } = self.decoder.sizes;
        let q = self.head_norm(self.project(x, "q_proj", heads, bias), "q_norm").rotate(angles);
        let k = self.head_norm(self.project(x, "k_proj", kv_heads, bias), "k_norm").rotate(angles);
        [q, k, self.project(x, "v_proj", kv_heads, bias)]
    }

    /// Attention of heads over the layer's paged cache, and its output projection. Writes this
    /// step's keys and values before it reads, so a token sees itself.
    #[track_caller]
    pub fn attend(
        &self,
        [q, k, v]: [Tensor<'t>; 3],
        attrs: AttentionAttrs,
        bias: bool,
    ) -> Tensor<'t> {
        self.attention_output(self.attended([q, k, v], attrs), bias)
    }

    /// As [`attend`](Self::attend), before the output projection: `[tokens, heads, head_dim]`.
    #[track_caller]
    pub fn attended(&self, [q, k, v]: [Tensor<'t>; 3], attrs: AttentionAttrs) -> Tensor<'t> {
        self.step.kv_cache(self.index).append(k, v).attend(q, attrs)
    }

    /// As [`attend`](Self::attend), to all tokens of the step, also those behind, and to no cache.
    #[track_caller]
    pub fn attend_both_ways(
        &self,
        qkv: [Tensor<'t>; 3],
        attrs: AttentionAttrs,
        bias: bool,
    ) -> Tensor<'t> {
        self.attention_output(both_ways::attend(qkv, self.step, attrs), bias)
    }

    /// As [`attend`](Self::attend), over the cache of another layer, which comes before.
    #[track_caller]
    pub fn attend_elsewhere(
        &self,
        q: Tensor<'t>,
        layer: usize,
        attrs: AttentionAttrs,
        bias: bool,
    ) -> Tensor<'t> {
        self.attention_output(self.step.kv_cache(layer).attend(q, attrs), bias)
    }

    /// As [`attend`](Self::attend), with the heads' sinks at `self_attn.sinks`.
    #[track_caller]
    pub fn attend_with_sinks(
        &self,
        [q, k, v]: [Tensor<'t>; 3],
        attrs: AttentionAttrs,
        bias: bool,
    ) -> Tensor<'t> {
        let sinks = self.at("self_attn.sinks").vector(q.size(1));
        let cache = self.step.kv_cache(self.index).append(k, v);
        self.attention_output(cache.attend_with_sinks(q, attrs, sinks), bias)
    }

    /// As [`attend`](Self::attend), with what comes out of the heads times the logistic of `gate`,
    /// `[tokens, heads × head_dim]`, and without biases.
    #[track_caller]
    pub fn attend_gated(
        &self,
        [q, k, v]: [Tensor<'t>; 3],
        attrs: AttentionAttrs,
        gate: Tensor<'t>,
    ) -> Tensor<'t> {
        let attended = self.step.kv_cache(self.index).append(k, v).attend(q, attrs);
        let gated = attended.merge_heads() * gate.unary(Unary::Logistic);
        let w = self.at("self_attn.o_proj");
        nn::linear(gated, w, self.decoder.sizes.hidden)
    }

    /// The layer's recurrent state.
    #[track_caller]
    pub fn recurrence(&self) -> Recurrence<'t> {
        self.step.recurrence(self.index)
    }

    #[track_caller]
    fn attention_output(&self, attended: Tensor<'t>, bias: bool) -> Tensor<'t> {
        let w = self.at("self_attn.o_proj");
        nn::linear_bias(attended.merge_heads(), w, self.decoder.sizes.hidden, bias)
    }

    /// A gated MLP with a matrix each for gate and up: `down(activation(gate(x)) * up(x))`.
    #[track_caller]
    pub fn gated_mlp(&self, x: Tensor<'t>, bias: bool) -> Tensor<'t> {
        self.gated_mlp_at(x, "mlp", self.decoder.sizes.intermediate, bias)
    }

    /// The same at another place and of another width.
    #[track_caller]
    pub fn gated_mlp_at(&self, x: Tensor<'t>, name: &str, width: usize, bias: bool) -> Tensor<'t> {
        let of = (self.decoder.activation, width, bias);
        nn::gated_mlp(x, &self.at(name), MlpNames::default(), of)
    }

    /// The mixture at `mlp`, and beside it an MLP of this width that every token has, weighed by the
    /// logistic of a gate of its own.
    #[track_caller]
    pub fn mixture_and_shared(&self, x: Tensor<'t>, mixture: &Mixture, width: usize) -> Tensor<'t> {
        let chosen = self.mixture(x, "mlp", MlpNames::default(), mixture);
        let shared = self.gated_mlp_at(x, "mlp.shared_expert", width, false);
        let gate = nn::linear(x, self.at("mlp.shared_expert_gate"), 1).unary(Unary::Logistic);
        // One row for each token, weighed by its one number.
        let shape = vec![shared.size(0), 1, shared.size(1)];
        let shared = shared.with(Op::Reshape(shape), &[]);
        chosen + shared.with(Op::WeightedSum, &[gate])
    }

    /// A mixture of gated MLPs at `name`, whose router is the matrix `gate`.
    #[track_caller]
    pub fn mixture(
        &self,
        x: Tensor<'t>,
        name: &str,
        names: MlpNames,
        mixture: &Mixture,
    ) -> Tensor<'t> {
        let w = self.at(name);
        let scores = nn::linear(x, w.at("gate"), mixture.experts);
        let route = mixture.route(scores);
        mixture.gated(x, &route, &w, names, self.decoder.activation)
    }
}
