//! Gemma 4, text only: heads that are wider, fewer and less turned in layers without a window, whose
//! values may be their keys; upper layers that read the keys and values of lower ones; inputs for each
//! layer; and beside the MLP perhaps a mixture of experts. Published files hold it inside a model that
//! sees and hears: its fields are those of `text_config`, its tensors are below `model.language_model`.
//!
//! Reference: `transformers/models/gemma4/modeling_gemma4.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/gemma4*/`.

use serde_json::Value;
use tyto_graph::{Op, RopeTable};

use crate::config::{self, Fields, SizeDefaults, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, LayerInputs, SANDWICH, TIED_HEAD, shared_caches};
use crate::error::Error;
use crate::experts::{Mixture, Weighing};
use crate::memory::{KvLayer, LayerMemory};
use crate::nn::{self, Activation, MlpNames};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};
use crate::weights::Part;

/// The part of `config.json` that this model reads.
pub struct Gemma4Config {
    decoder: Decoder,
    attention_bias: bool,
    /// Whether keys are the values of layers without a window.
    keys_as_values: bool,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    /// Key and value heads of each layer.
    heads: Vec<KvLayer>,
    /// Whose keys and values each layer reads.
    caches: Vec<usize>,
    /// Whether layers that read others' are twice as wide inside.
    double_wide: bool,
    inputs: Option<LayerInputs>,
    mixture: Option<Mixture>,
    logit_cap: Option<f64>,
    /// Rotary embeddings of layers with a window, and of the others.
    ropes: [RopeTable; 2],
}

/// The architecture.
pub struct Gemma4Text;

impl Model for Gemma4Text {
    type Config = Gemma4Config;

    const NAME: &'static str = "gemma4_text";
    const ARCHITECTURES: &'static [&'static str] = &[
        "Gemma4ForCausalLM",
        "Gemma4ForConditionalGeneration",
        "Gemma4UnifiedForCausalLM",
        "Gemma4UnifiedForConditionalGeneration",
    ];
    const MODEL_TYPES: &'static [&'static str] =
        &["gemma4_text", "gemma4", "gemma4_unified_text", "gemma4_unified"];
    const WEIGHTS: &'static [WeightRule] = &[
        TIED_HEAD,
        WeightRule::Inside("model", "model.language_model"),
        WeightRule::IgnoreBelow("model.vision_tower"),
        WeightRule::IgnoreBelow("model.vision_embedder"),
        WeightRule::IgnoreBelow("model.audio_tower"),
        WeightRule::IgnoreBelow("model.embed_vision"),
        WeightRule::IgnoreBelow("model.embed_audio"),
        // Layers that read others' keys and values have matrices all the same in some files.
        WeightRule::ignore("model.layers.*.self_attn.k_proj.*"),
        WeightRule::ignore("model.layers.*.self_attn.v_proj.*"),
        WeightRule::ignore("model.layers.*.self_attn.k_norm.*"),
    ];

    fn config(fields: &Fields<'_>) -> Result<Gemma4Config, Error> {
        config::of_text(fields, Self::NAME, true, read)
    }

    fn outline(config: &Gemma4Config) -> Outline {
        let of = |(layer, kv): (usize, &KvLayer)| match config.caches[layer] == layer {
            true => (*kv).into(),
            false => LayerMemory::default(),
        };
        let memory = config.heads.iter().enumerate().map(of).collect();
        let [local, global] = &config.ropes;
        Outline { memory, ..config.decoder.outline(&[local, global]) }
    }

    fn forward<'t>(config: &Gemma4Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let decoder = &config.decoder;
        let [local, global] = [0, 1].map(|which: usize| step.angles(&config.ropes[which]));
        let x = decoder.embed_scaled(&w, step);
        let inputs = config.inputs.map(|inputs| (inputs, inputs.make(decoder, &w, step, x)));
        let x = decoder.layers(&w, step, x, |layer, x| {
            let angles = if config.windows[layer.index].is_some() { local } else { global };
            block(config, layer, angles, inputs, x)
        });
        let logits = decoder.head(&w, step, x);
        config.logit_cap.map_or(logits, |cap| nn::soft_cap(logits, cap))
    }
}

/// The text model's own fields; `tied` is what they mean where they do not say.
fn read(fields: &Fields<'_>, tied: bool) -> Result<Gemma4Config, Error> {
    let defaults = Defaults {
        sizes: SizeDefaults { head_dim: Some(256), kv_heads: false },
        activation: ("hidden_activation", Activation::GeluTanh),
        tied,
        norm_offset: 0.0,
    };
    let decoder = Decoder::read(fields, defaults)?;
    if fields.text("use_bidirectional_attention")? == Some("all") {
        let name = "use_bidirectional_attention";
        return Err(fields.wrong(name, "null or vision: text is read in order"));
    }
    let layers = decoder.sizes.layers;
    let window = config::window(fields, 512)?;
    let mut windows =
        config::layer_windows(fields, layers, window, |layer| !(layer + 1).is_multiple_of(6))?;
    // As transformers has it whatever is said.
    windows[layers - 1] = None;
    let keys_as_values = fields.flag("attention_k_eq_v", false)?;
    let heads = heads(fields, &decoder.sizes, &windows, keys_as_values)?;
    Ok(Gemma4Config {
        attention_bias: fields.flag("attention_bias", false)?,
        keys_as_values,
        caches: shared_caches(fields, &windows, 0)?,
        double_wide: fields.flag("use_double_wide_mlp", false)?,
        inputs: LayerInputs::read(fields, false)?,
        mixture: mixture(fields)?,
        logit_cap: fields.optional_positive("final_logit_softcapping")?,
        ropes: ropes(fields, &decoder.sizes, &windows, &heads)?,
        heads,
        windows,
        decoder,
    })
}

/// Key and value heads of each layer: of `per_layer_config`, or where that is absent of the fields of
/// layers without a window.
fn heads(
    fields: &Fields<'_>,
    sizes: &Sizes,
    windows: &[Option<usize>],
    keys_as_values: bool,
) -> Result<Vec<KvLayer>, Error> {
    let own = KvLayer { heads: sizes.kv_heads, head_dim: sizes.head_dim };
    let wide = fields.optional_size("global_head_dim", 1 << 14)?.unwrap_or(512);
    let few = fields.optional_size("num_global_key_value_heads", sizes.heads)?;
    let global =
        KvLayer { heads: few.filter(|_| keys_as_values).unwrap_or(own.heads), head_dim: wide };
    let Some(each) = fields.object("per_layer_config")? else {
        let of = |window: &Option<usize>| if window.is_some() { own } else { global };
        return Ok(windows.iter().map(of).collect());
    };
    let of = |layer: usize| {
        let Some(fields) = each.object(&layer.to_string())? else { return Ok(own) };
        let (heads, head_dim) = ("num_key_value_heads", "head_dim");
        let kv = KvLayer {
            heads: fields.optional_size(heads, sizes.heads)?.unwrap_or(own.heads),
            head_dim: fields.optional_size(head_dim, 1 << 14)?.unwrap_or(own.head_dim),
        };
        fields.refuse_unread(Gemma4Text::NAME)?;
        match sizes.heads.is_multiple_of(kv.heads) {
            true => Ok(kv),
            false => {
                let expected = format!("a divisor of num_attention_heads, {}", sizes.heads);
                Err(fields.wrong(heads, &expected))
            }
        }
    };
    let all = (0..windows.len()).map(of).collect::<Result<_, _>>()?;
    each.refuse_unread(Gemma4Text::NAME)?;
    Ok(all)
}

/// The experts beside the MLP of every layer.
fn mixture(fields: &Fields<'_>) -> Result<Option<Mixture>, Error> {
    let names = ["num_experts", "top_k_experts", "moe_intermediate_size"];
    if !fields.flag("enable_moe_block", false)? {
        for name in names {
            fields.get(name);
        }
        return Ok(None);
    }
    let experts = fields.size(names[0], 1 << 12)?;
    let (chosen, width) = (fields.size(names[1], experts)?, fields.size(names[2], 1 << 22)?);
    Ok(Some(Mixture { experts, chosen, width, weighing: Weighing::OfChosen }))
}

/// A rotary embedding for each kind of layer, as wide as its heads.
fn ropes(
    fields: &Fields<'_>,
    sizes: &Sizes,
    windows: &[Option<usize>],
    heads: &[KvLayer],
) -> Result<[RopeTable; 2], Error> {
    if !fields.get("rope_parameters").is_some_and(Value::is_object) {
        let expected = "an object for sliding_attention and one for full_attention";
        return Err(fields.missing("rope_parameters", expected));
    }
    let table = |kind, slides: bool| {
        let mut of_kind = heads.iter().zip(windows).filter(|(_, w)| w.is_some() == slides);
        let head_dim = of_kind.next().map_or(sizes.head_dim, |(kv, _)| kv.head_dim);
        if of_kind.any(|(kv, _)| kv.head_dim != head_dim) {
            let expected = format!("one head_dim for all layers of {kind}");
            return Err(fields.wrong("per_layer_config", &expected));
        }
        let rules = RopeRules { head_dim, ..RopeRules::plain(Gemma4Text::NAME, sizes) };
        rope::read_for(fields, kind, "rope_theta", false, rules)
    };
    Ok([table("sliding_attention", true)?, table("full_attention", false)?])
}

/// One layer; what goes on is its sum times a number of its own.
fn block<'t>(
    config: &Gemma4Config,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    inputs: Option<(LayerInputs, Tensor<'t>)>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let [before, after, before_mlp, after_mlp] = SANDWICH;
    let x = x + layer.norm(attention(config, layer, angles, layer.norm(x, before)), after);
    let twice = config.double_wide && config.caches[layer.index] != layer.index;
    let width = config.decoder.sizes.intermediate * if twice { 2 } else { 1 };
    let mut y = layer.gated_mlp_at(layer.norm(x, before_mlp), "mlp", width, false);
    if let Some(mixture) = &config.mixture {
        let chosen = experts(config, mixture, layer, x);
        y = layer.norm(y, "post_feedforward_layernorm_1")
            + layer.norm(chosen, "post_feedforward_layernorm_2");
    }
    let mut x = x + layer.norm(y, after_mlp);
    if let Some((inputs, all)) = inputs {
        x = x + inputs.gated(layer, x, all);
    }
    // One number, as a row that kernels multiply with.
    let (number, hidden) = (layer.at("layer_scalar"), config.decoder.sizes.hidden);
    let part = Part::whole(number.path(), vec![1]);
    x.scale_row(number.at("row").vector_of(hidden, vec![part; hidden]))
}

/// Grouped-query attention over the layer's own keys and values or another's; each head of queries,
/// keys and values is normalized, the latter without weights.
fn attention<'t>(
    config: &Gemma4Config,
    layer: &Layer<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let KvLayer { heads: kv_heads, head_dim } = config.heads[layer.index];
    let (bias, window) = (config.attention_bias, config.windows[layer.index]);
    let (w, norm) = (layer.at("self_attn"), config.decoder.norm);
    let project = |name: &str, heads: usize| {
        nn::linear_bias(x, w.at(name), heads * head_dim, bias).split_heads(heads)
    };
    let normed = |x, name: &str| nn::rms_norm(x, w.at(name), head_dim, norm).rotate(angles);
    let q = normed(project("q_proj", config.decoder.sizes.heads), "q_norm");
    let attrs = nn::attention_attrs(1.0, window);
    if config.caches[layer.index] != layer.index {
        return layer.attend_elsewhere(q, config.caches[layer.index], attrs, bias);
    }
    let k = project("k_proj", kv_heads);
    let v = match config.keys_as_values && window.is_none() {
        true => k,
        false => project("v_proj", kv_heads),
    };
    layer.attend([q, normed(k, "k_norm"), nn::unit_norm(v, head_dim, norm)], attrs, bias)
}

/// The experts of what goes into the MLP's norm. Their weights are times a number of each expert.
fn experts<'t>(
    config: &Gemma4Config,
    mixture: &Mixture,
    layer: &Layer<'_, 't>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let (hidden, router) = (config.decoder.sizes.hidden, layer.at("router"));
    let normed = nn::unit_norm(x, hidden, config.decoder.norm);
    let scaled = normed.scale_row(router.at("scale").vector(hidden));
    let scaled = scaled.scale((hidden as f64).powf(-0.5));
    let scores = nn::linear(scaled, router.at("proj"), mixture.experts);
    let mut route = mixture.route(scores);
    let scales = router.at("per_expert_scale").vector(mixture.experts);
    let scales = scores.splat(1.0).scale_row(scales).with(Op::TakeAlong, &[route.ids]);
    route.weights = route.weights * scales;
    let x = layer.norm(x, "pre_feedforward_layernorm_2");
    mixture.gated(x, &route, layer.root(), MlpNames::default(), config.decoder.activation)
}
