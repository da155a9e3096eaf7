//! Gemma 3n, text only: several streams beside each other, of which each layer computes one and
//! predicts and corrects the others (AltUp), a low-rank path beside attention (Laurel), a further
//! table of embeddings with a part for each layer, gates that only their largest values pass, and
//! upper layers that read the keys and values of lower ones.
//!
//! Reference: `transformers/models/gemma3n/modeling_gemma3n.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/gemma3n_text/`.

use tyto_graph::{AttentionAttrs, Op, RopeTable, Unary};

use crate::config::{self, Fields, SizeDefaults, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, LayerInputs, SANDWICH, TIED_HEAD, shared_caches};
use crate::error::Error;
use crate::memory::LayerMemory;
use crate::nn::{self, Activation};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Gemma3nConfig {
    decoder: Decoder,
    attention_bias: bool,
    /// The width of each layer's MLP.
    widths: Vec<usize>,
    /// How many deviations above the mean a layer's gate must be to pass; `None` for all.
    cutoffs: Vec<Option<f64>>,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    /// Whose keys and values each layer reads.
    caches: Vec<usize>,
    streams: Streams,
    inputs: LayerInputs,
    laurel_rank: usize,
    logit_cap: Option<f64>,
    /// The rotary embedding of layers with a window.
    local: RopeTable,
    /// The rotary embedding of the others.
    global: RopeTable,
}

/// The streams beside each other.
#[derive(Clone, Copy)]
struct Streams {
    count: usize,
    /// Which one layers compute.
    active: usize,
    /// Whether its correction is scaled.
    scaled: bool,
}

/// The architecture.
pub struct Gemma3nText;

impl Model for Gemma3nText {
    type Config = Gemma3nConfig;

    const NAME: &'static str = "gemma3n_text";
    const ARCHITECTURES: &'static [&'static str] =
        &["Gemma3nForCausalLM", "Gemma3nForConditionalGeneration"];
    const MODEL_TYPES: &'static [&'static str] = &["gemma3n_text", "gemma3n"];
    const WEIGHTS: &'static [WeightRule] = &[
        TIED_HEAD,
        // Published files hold it inside a model that sees and hears.
        WeightRule::Inside("model", "model.language_model"),
        WeightRule::IgnoreBelow("model.vision_tower"),
        WeightRule::IgnoreBelow("model.audio_tower"),
        WeightRule::IgnoreBelow("model.embed_vision"),
        WeightRule::IgnoreBelow("model.embed_audio"),
        // Layers that read others' keys and values have matrices all the same.
        WeightRule::ignore("model.layers.*.self_attn.k_proj.*"),
        WeightRule::ignore("model.layers.*.self_attn.v_proj.*"),
        WeightRule::ignore("model.layers.*.self_attn.k_norm.*"),
        // Read where the configuration says so.
        WeightRule::ignore("model.layers.*.altup.correct_output_scale"),
    ];

    fn config(fields: &Fields<'_>) -> Result<Gemma3nConfig, Error> {
        config::of_text(fields, Self::NAME, true, read)
    }

    fn outline(config: &Gemma3nConfig) -> Outline {
        let outline = config.decoder.outline(&[&config.local, &config.global]);
        let kept = |(layer, kv): (usize, &LayerMemory)| match config.caches[layer] == layer {
            true => *kv,
            false => LayerMemory::default(),
        };
        let memory = outline.memory.iter().enumerate().map(kept).collect();
        Outline { memory, ..outline }
    }

    fn forward<'t>(config: &Gemma3nConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let decoder = &config.decoder;
        let angles = [step.angles(&config.local), step.angles(&config.global)];
        let x = decoder.embed_scaled(&w, step);
        let inputs = config.inputs.make(decoder, &w, step, x);
        let streams = spread(config, &w, x);
        let streams = decoder.layers(&w, step, streams, |layer, streams| {
            block(config, layer, angles, inputs, streams)
        });
        let logits = decoder.head(&w, step, gather(config, &w, &streams));
        config.logit_cap.map_or(logits, |cap| nn::soft_cap(logits, cap))
    }
}

/// The text model's own fields; `tied` is what they mean where they do not say.
fn read(fields: &Fields<'_>, tied: bool) -> Result<Gemma3nConfig, Error> {
    let defaults = Defaults {
        sizes: SizeDefaults { head_dim: Some(256), kv_heads: false },
        activation: ("hidden_activation", Activation::GeluTanh),
        tied,
        norm_offset: 0.0,
    };
    let layers = fields.size("num_hidden_layers", 1 << 12)?;
    let widths = widths(fields, layers)?;
    let widest = widths.iter().copied().max().unwrap_or(0);
    let sizes = Sizes::read_but_width(fields, defaults.sizes, widest)?;
    let decoder = Decoder::read_but_sizes(fields, defaults, sizes)?;
    let window = config::window(fields, 512)?;
    let windows =
        config::layer_windows(fields, layers, window, |layer| !(layer + 1).is_multiple_of(5))?;
    let rules = RopeRules::plain(Gemma3nText::NAME, &decoder.sizes);
    let table = |kind, field, scaled, theta| {
        rope::read_for(fields, kind, field, scaled, RopeRules { theta, ..rules })
    };
    let cap = "final_logit_softcapping";
    Ok(Gemma3nConfig {
        attention_bias: fields.flag("attention_bias", false)?,
        widths,
        cutoffs: cutoffs(fields, layers)?,
        caches: shared_caches(fields, &windows, 15)?,
        streams: Streams::read(fields)?,
        inputs: LayerInputs::read(fields, true)?
            .ok_or_else(|| fields.wrong("hidden_size_per_layer_input", "a size above 0"))?,
        laurel_rank: fields.size("laurel_rank", 1 << 20)?,
        logit_cap: match fields.stands(cap) {
            true => fields.optional_positive(cap)?,
            false => Some(30.0),
        },
        local: table("sliding_attention", "rope_local_base_freq", false, 10_000.0)?,
        global: table("full_attention", "rope_theta", true, 1_000_000.0)?,
        windows,
        decoder,
    })
}

impl Streams {
    fn read(fields: &Fields<'_>) -> Result<Self, Error> {
        // Clamps coefficients in training only.
        fields.optional_number("altup_coef_clip")?;
        let count = fields.optional_size("altup_num_inputs", 64)?.unwrap_or(4);
        let active = fields.optional_count("altup_active_idx", count - 1)?.unwrap_or(0);
        Ok(Self { count, active, scaled: fields.flag("altup_correct_scale", true)? })
    }

    /// How much of each kind of content a stream has, `[tokens, count]`.
    fn modalities<'t>(&self, layer: &Layer<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
        let normed = layer.norm(x, "altup.router_norm").scale(1.0 / x.size(1) as f64);
        nn::linear(normed, layer.at("altup.modality_router"), self.count).unary(Unary::Tanh)
    }

    /// Every stream as the sum of itself and, weighed, of all.
    fn predict<'t>(&self, layer: &Layer<'_, 't>, streams: &[Tensor<'t>]) -> Vec<Tensor<'t>> {
        let kinds = self.modalities(layer, streams[self.active]);
        let w = layer.at("altup.prediction_coefs");
        let weights = nn::linear(kinds, w, self.count * self.count);
        let weigh = |stream: usize| {
            let of_others = streams
                .iter()
                .enumerate()
                .map(|(other, x)| x.scale_tokens(column(weights, stream * self.count + other)));
            of_others.fold(streams[stream], |sum, part| sum + part)
        };
        (0..self.count).map(weigh).collect()
    }

    /// Every stream moved as `computed` is from what was predicted of it.
    fn correct<'t>(
        &self,
        layer: &Layer<'_, 't>,
        predicted: &[Tensor<'t>],
        computed: Tensor<'t>,
    ) -> Vec<Tensor<'t>> {
        let kinds = self.modalities(layer, computed);
        let weights = nn::linear(kinds, layer.at("altup.correction_coefs"), self.count);
        let weights = weights + weights.splat(1.0);
        let news = computed + predicted[self.active].scale(-1.0);
        let moved =
            |(stream, x): (usize, &Tensor<'t>)| *x + news.scale_tokens(column(weights, stream));
        predicted.iter().enumerate().map(moved).collect()
    }
}

/// A column of a matrix as one number for each token.
fn column(x: Tensor<'_>, at: usize) -> Tensor<'_> {
    let column = x.columns(at..at + 1);
    column.with(Op::Reshape(vec![column.size(0)]), &[])
}

/// The width of each layer's MLP: one for all or a list.
fn widths(fields: &Fields<'_>, layers: usize) -> Result<Vec<usize>, Error> {
    let name = "intermediate_size";
    if !fields.get(name).is_some_and(serde_json::Value::is_array) {
        return Ok(vec![fields.size(name, 1 << 22)?; layers]);
    }
    let widths = fields.counts(name, 1 << 22)?;
    match widths.len() == layers && !widths.contains(&0) {
        true => Ok(widths),
        false => Err(fields.wrong(name, &format!("{layers} sizes from 1, one for each layer"))),
    }
}

/// What passes each layer's gate: the share that does not in `activation_sparsity_pattern`, of a
/// normal distribution.
fn cutoffs(fields: &Fields<'_>, layers: usize) -> Result<Vec<Option<f64>>, Error> {
    let name = "activation_sparsity_pattern";
    let sparse = if layers > 10 { 10 } else { 0 };
    let default = (0..layers).map(|layer| if layer < sparse { 0.95 } else { 0.0 });
    let shares = match fields.get(name) {
        None => default.collect(),
        Some(value) => {
            let share = |value: &serde_json::Value| {
                value.as_f64().filter(|share| (0.0..1.0).contains(share))
            };
            let shares: Option<Vec<f64>> =
                value.as_array().and_then(|list| list.iter().map(share).collect());
            shares
                .filter(|shares| shares.len() == layers)
                .ok_or_else(|| fields.wrong(name, &format!("{layers} numbers from 0 to below 1")))?
        }
    };
    Ok(shares.into_iter().map(|share| (share > 0.0).then(|| normal_quantile(share))).collect())
}

/// Where the distribution of the normal is `share`, by halving; the distribution by its series.
fn normal_quantile(share: f64) -> f64 {
    let below = |x: f64| {
        let (mut term, mut sum) = (x, x);
        for odd in (3..400).step_by(2) {
            term *= x * x / f64::from(odd);
            sum += term;
        }
        0.5 + sum * (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
    };
    let (mut low, mut high) = (-8.0, 8.0);
    for _ in 0..64 {
        let middle = f64::midpoint(low, high);
        if below(middle) < share { low = middle } else { high = middle }
    }
    low
}

/// The embedding as the first stream, and projections of it, as large as it is, as the others.
fn spread<'t>(config: &Gemma3nConfig, w: &Weights<'t>, x: Tensor<'t>) -> Vec<Tensor<'t>> {
    let place = w.at("model.altup_projections");
    let project = |stream: usize| {
        let y = nn::linear(x, place.index(stream - 1), config.decoder.sizes.hidden);
        as_large(y, x)
    };
    std::iter::once(x).chain((1..config.streams.count).map(project)).collect()
}

/// The mean of the first stream and of projections of the others, as large as it is.
fn gather<'t>(config: &Gemma3nConfig, w: &Weights<'t>, streams: &[Tensor<'t>]) -> Tensor<'t> {
    let place = w.at("model.altup_unembed_projections");
    let project = |(index, x): (usize, &Tensor<'t>)| {
        let y = nn::linear(*x, place.index(index), config.decoder.sizes.hidden);
        as_large(y, streams[0])
    };
    let others = streams[1..].iter().enumerate().map(project);
    let sum = others.fold(streams[0], |sum, x| sum + x);
    sum.scale(1.0 / streams.len() as f64)
}

/// `x` with each token as large as in `model`.
fn as_large<'t>(x: Tensor<'t>, model: Tensor<'t>) -> Tensor<'t> {
    let large = (model * model).mean().unary(Unary::Sqrt);
    let small = (x * x).mean().at_least(1e-5).unary(Unary::Rsqrt);
    x.scale_tokens(large * small)
}

/// One layer of all streams.
fn block<'t>(
    config: &Gemma3nConfig,
    layer: &Layer<'_, 't>,
    angles: [Tensor<'t>; 2],
    inputs: Tensor<'t>,
    streams: Vec<Tensor<'t>>,
) -> Vec<Tensor<'t>> {
    let (hidden, [before, after, before_mlp, after_mlp]) = (config.decoder.sizes.hidden, SANDWICH);
    let predicted = config.streams.predict(layer, &streams);
    let x = predicted[config.streams.active];
    let normed = layer.norm(x, before);
    let rank = nn::linear(normed, layer.at("laurel.linear_left"), config.laurel_rank);
    let laurel = nn::linear(rank, layer.at("laurel.linear_right"), hidden);
    let laurel = normed + layer.norm(laurel, "laurel.post_laurel_norm");
    let attended = layer.norm(attention(config, layer, angles, normed), after);
    let x = (x + attended + laurel).scale(std::f64::consts::FRAC_1_SQRT_2);
    let x = x + layer.norm(mlp(config, layer, layer.norm(x, before_mlp)), after_mlp);

    let mut streams = config.streams.correct(layer, &predicted, x);
    let mut first = streams[config.streams.active];
    if config.streams.scaled {
        first = first.scale_row(layer.at("altup.correct_output_scale").vector(hidden));
    }
    let added = config.inputs.gated(layer, first, inputs);
    for stream in &mut streams[1..] {
        *stream = *stream + added;
    }
    streams
}

/// Grouped-query attention over the layer's own keys and values or another's; each head of queries,
/// keys and values is normalized, the latter without weights.
fn attention<'t>(
    config: &Gemma3nConfig,
    layer: &Layer<'_, 't>,
    [local, global]: [Tensor<'t>; 2],
    x: Tensor<'t>,
) -> Tensor<'t> {
    let Sizes { heads, kv_heads, head_dim, .. } = config.decoder.sizes;
    let (bias, window) = (config.attention_bias, config.windows[layer.index]);
    let angles = if window.is_some() { local } else { global };
    let project = |name, heads| layer.project(x, name, heads, bias);
    let q = layer.head_norm(project("q_proj", heads), "q_norm").rotate(angles);
    let attrs = AttentionAttrs { scale: 1.0, ..nn::attention_attrs(1.0, window) };
    if config.caches[layer.index] != layer.index {
        return layer.attend_elsewhere(q, config.caches[layer.index], attrs, bias);
    }
    let k = layer.head_norm(project("k_proj", kv_heads), "k_norm").rotate(angles);
    let v = nn::unit_norm(project("v_proj", kv_heads), head_dim, config.decoder.norm);
    layer.attend([q, k, v], attrs, bias)
}

/// A gated MLP; of some layers' gates only what is far above the mean passes.
fn mlp<'t>(config: &Gemma3nConfig, layer: &Layer<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let (w, width) = (layer.at("mlp"), config.widths[layer.index]);
    let mut gate = nn::linear(x, w.at("gate_proj"), width);
    if let Some(deviations) = config.cutoffs[layer.index] {
        let centred = gate.add_tokens(gate.mean().scale(-1.0));
        let deviation = (centred * centred).mean().unary(Unary::Sqrt);
        gate = centred.add_tokens(deviation.scale(-deviations)).at_least(0.0);
    }
    let up = nn::linear(x, w.at("up_proj"), width);
    let inner = config.decoder.activation.apply(gate) * up;
    nn::linear(inner, w.at("down_proj"), config.decoder.sizes.hidden)
}
