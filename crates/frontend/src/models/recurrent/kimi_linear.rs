//! Kimi Linear: delta rules in which every row of a state has a decay of its own (Kimi Team, 2025), every
//! few layers latent attention that turns nothing, and in all but the first layers experts with logistic
//! scores beside shared ones.
//!
//! Reference: `transformers/models/kimi_linear/modeling_kimi_linear.py`. `tools/oracle` runs it on a tiny
//! random checkpoint to make `tests/oracle/kimi_linear/`.

use crate::config::Fields;
use crate::decoder::{Decoder, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Routed, RoutedFields, Router, accept, sparse_layers};
use crate::latent::{self, Latent};
use crate::memory::RecurrentLayer;
use crate::nn::{self, MlpNames};
use crate::recurrent::{self, conv_weight_at};
use crate::registry::{Model, Outline, WeightRule};
use crate::trace::{HeadParameters, Step, Tensor, Weights};
use crate::weights::Part;
use tyto_graph::Unary;

/// What transformers adds to squared lengths of queries and keys.
const EPSILON: f32 = 1e-6;

/// The part of `config.json` that this model reads.
pub struct KimiLinearConfig {
    decoder: Decoder,
    /// Whether each layer has attention.
    attends: Vec<bool>,
    latent: Latent,
    delta: Delta,
    routed: Routed,
    /// Whether each layer has experts.
    sparse: Vec<bool>,
    /// Layers behind the last that predict further tokens.
    further: usize,
}

/// Sizes of the delta rules.
struct Delta {
    heads: usize,
    /// Width of each, of queries, keys and values alike.
    width: usize,
    /// Tokens that the convolutions see.
    taps: usize,
}

/// The architecture.
pub struct KimiLinear;

impl Model for KimiLinear {
    type Config = KimiLinearConfig;

    const NAME: &'static str = "kimi_linear";
    const ARCHITECTURES: &'static [&'static str] = &["KimiLinearForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["kimi_linear"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<KimiLinearConfig, Error> {
        fields.also_called(&[
            ("max_position_embeddings", "model_max_length"),
            ("norm_topk_prob", "moe_renormalize"),
            ("n_group", "num_expert_group"),
            ("num_experts_per_tok", "num_experts_per_token"),
            ("n_shared_experts", "num_shared_experts"),
        ]);
        let always = [
            ("moe_router_activation_func", "sigmoid"),
            ("moe_layer_freq", "1"),
            ("mla_use_nope", "true"),
        ];
        // Nothing is turned, and groups of one are none.
        accept(fields, &always, &["rope_theta", "rope_scaling", "use_grouped_topk"])?;
        let decoder = latent::decoder(fields)?;
        let layers = decoder.sizes.layers;
        let names = RoutedFields {
            experts: "num_experts",
            chosen: "num_experts_per_tok",
            shared: "n_shared_experts",
        };
        let router = |experts| Router::logistic(fields, experts, true);
        let (attends, delta) = kinds(fields, layers)?;
        Ok(KimiLinearConfig {
            attends,
            delta,
            latent: Latent::read(fields, &decoder, None, false)?,
            routed: Routed {
                names: MlpNames { gate: "w1", up: "w3", down: "w2" },
                ..Routed::read(fields, names, decoder.activation, router)?
            },
            sparse: sparse_layers(fields, layers, 1)?,
            further: crate::config::further_layers(fields)?,
            decoder,
        })
    }

    fn outline(config: &KimiLinearConfig) -> Outline {
        let of = |attends: &bool| match attends {
            true => config.latent.kv().into(),
            false => config.delta.memory().into(),
        };
        let memory = config.attends.iter().map(of).collect();
        Outline { memory, further: config.further, ..config.decoder.outline(&[]) }
    }

    fn forward<'t>(config: &KimiLinearConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        config.decoder.forward(&w, step, |layer, x| {
            let mixer = |x| match config.attends[layer.index] {
                true => config.latent.attend(layer, step, x, None),
                false => config.delta.mix(config, layer, x),
            };
            layer.pre_norm(x, mixer, |x| mlp(config, layer, x))
        })
    }
}

/// An MLP or experts. transformers writes either below the experts' published place.
fn mlp<'t>(config: &KimiLinearConfig, layer: &Layer<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let published = layer.at("block_sparse_moe");
    let moved = ["gate", "gate_proj"].iter().any(|name| published.at(name).at("weight").stands());
    let w = if moved { published } else { layer.at("mlp") };
    if config.sparse[layer.index] {
        return config.routed.apply_at(&w, x);
    }
    let of = (config.decoder.activation, config.decoder.sizes.intermediate, false);
    nn::gated_mlp(x, &w, MlpNames::default(), of)
}

/// Whether each layer has attention, and the sizes of the others: of `linear_attn_config`, which counts
/// layers from 1, or of fields of their own.
fn kinds(fields: &Fields<'_>, layers: usize) -> Result<(Vec<bool>, Delta), Error> {
    let known = [("full_attention", true), ("linear_attention", false)];
    let said = recurrent::kinds(fields, "layer_types", layers, &known)?;
    let inner = fields.object("linear_attn_config")?;
    let (place, [heads, width, taps]) = match &inner {
        Some(inner) => (inner, ["num_heads", "head_dim", "short_conv_kernel_size"]),
        None => (fields, ["linear_num_heads", "linear_head_dim", "linear_conv_kernel_dim"]),
    };
    let delta = Delta {
        heads: place.size(heads, 1 << 12)?,
        width: place.size(width, 1 << 12)?,
        taps: recurrent::taps(place, taps)?,
    };
    let Some(inner) = inner else {
        let default = (0..layers).map(|layer| layer > 0 && layer.is_multiple_of(4));
        return Ok((said.unwrap_or_else(|| default.collect()), delta));
    };
    let attending = inner.counts("full_attn_layers", layers)?;
    let others = inner.counts("kda_layers", layers)?;
    inner.refuse_unread(KimiLinear::NAME)?;
    let both = |layer| attending.contains(&layer) == others.contains(&layer);
    if (1..=layers).any(both) {
        let expected = "each layer from 1 in it or in full_attn_layers";
        return Err(inner.wrong("kda_layers", expected));
    }
    let listed = (1..=layers).map(|layer| attending.contains(&layer));
    Ok((said.unwrap_or_else(|| listed.collect()), delta))
}

impl Delta {
    /// What a layer keeps of a sequence.
    fn memory(&self) -> RecurrentLayer {
        let conv = [self.taps - 1, self.heads * self.width];
        RecurrentLayer { conv: [Some(conv); 3], state: Some([self.heads, self.width, self.width]) }
    }

    /// The delta rule of rows of the residual stream; its results are normalized and gated.
    fn mix<'t>(
        &self,
        config: &KimiLinearConfig,
        layer: &Layer<'_, 't>,
        x: Tensor<'t>,
    ) -> Tensor<'t> {
        let (w, memory) = (layer.at("self_attn"), layer.recurrence());
        let Self { heads, width, taps } = *self;
        let all = heads * width;
        let mixed = |at: usize, name: &str| {
            let y = nn::linear(x, w.at(&format!("{name}_proj")), all);
            let weight = conv_weight_at(&w.at(&format!("{name}_conv1d")), all, taps);
            memory.nth(at).conv(y, weight, None).split_heads(heads)
        };
        let rows = [mixed(0, "q"), mixed(1, "k"), mixed(2, "v")];
        // Both gates of all columns go through a row as narrow as a head.
        let narrow = |first: &str, second: &str| {
            nn::linear(nn::linear(x, w.at(first), width), w.at(second), all)
        };
        let decay = narrow("f_a_proj", "f_b_proj").split_heads(heads);
        let y = memory.delta(
            rows,
            [decay, nn::linear(x, w.at("b_proj"), heads)],
            self.parameters(&w),
            [EPSILON, 1.0],
        );
        let normed = nn::rms_norm(y, w.at("o_norm"), width, config.decoder.norm).merge_heads();
        let gate = narrow("g_a_proj", "g_b_proj").unary(Unary::Logistic);
        nn::linear(normed * gate, w.at("o_proj"), x.size(1))
    }

    /// A rate for each head, and for each row of its state what is added to the length of a step.
    fn parameters<'t>(&self, w: &Weights<'t>) -> HeadParameters<'t> {
        let (rates, steps) = (w.at("A_log"), w.at("dt_bias"));
        let rate = Part::whole(rates.path(), vec![1, 1, self.heads, 1]);
        let step = Part::whole(steps.path(), vec![self.heads * self.width]);
        HeadParameters {
            a_log: rates.vector_of(self.heads, vec![rate]),
            dt_bias: steps.vectors(self.heads, self.width, vec![step]),
        }
    }
}
