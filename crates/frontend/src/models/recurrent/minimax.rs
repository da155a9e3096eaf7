//! MiniMax-01 and M1: lightning attention, a linear attention whose heads each forget at a constant rate,
//! every few layers softmax attention, and experts in every layer. What a half of a layer adds to is
//! normalized too, and both are multiplied with factors of their kind (MiniMax, 2025).
//!
//! Reference: `transformers/models/minimax/modeling_minimax.py`. `tools/oracle` runs it on a tiny random
//! checkpoint to make `tests/oracle/minimax/`. One departure: transformers turns whole heads whatever
//! `rotary_dim` says; here, as in the authors' code, it says how much of a head is turned.

use tyto_graph::{RopeTable, Unary};

use crate::config::{Fields, Sizes};
use crate::decoder::{Decoder, Defaults, Layer, TIED_HEAD};
use crate::error::Error;
use crate::experts::{Mixture, Weighing, accept};
use crate::memory::{LayerMemory, RecurrentLayer};
use crate::nn::{self, MlpNames, Norm};
use crate::recurrent::{self, Turns, scaled};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// An expert's matrices by the names of the first publication.
const EXPERTS: MlpNames = MlpNames { gate: "w1", up: "w3", down: "w2" };

/// What transformers adds to the mean of squares of all heads of lightning attention.
const EPSILON: f64 = 1e-6;

/// The part of `config.json` that this model reads.
pub struct MiniMaxConfig {
    decoder: Decoder,
    /// Whether each layer has softmax attention.
    attends: Vec<bool>,
    window: Option<usize>,
    mixture: Mixture,
    rope: RopeTable,
    /// Factors of the stream and of what is added, after lightning attention, softmax attention, experts.
    factors: [[f64; 2]; 3],
}

/// The architecture.
pub struct MiniMax;

impl Model for MiniMax {
    type Config = MiniMaxConfig;

    const NAME: &'static str = "minimax";
    const ARCHITECTURES: &'static [&'static str] =
        &["MiniMaxForCausalLM", "MiniMaxM1ForCausalLM", "MiniMaxText01ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["minimax", "minimax_m1", "minimax_text_01"];
    // What heads forget follows from their number and the layer's: transformers stores that too.
    const WEIGHTS: &'static [WeightRule] = &[
        TIED_HEAD,
        WeightRule::Ignore("model.layers.*.self_attn.slope_rate"),
        WeightRule::Ignore("model.layers.*.self_attn.query_decay"),
        WeightRule::Ignore("model.layers.*.self_attn.key_decay"),
        WeightRule::Ignore("model.layers.*.self_attn.diagonal_decay"),
    ];

    fn config(fields: &Fields<'_>) -> Result<MiniMaxConfig, Error> {
        fields.also_called(&[
            ("linear_attn_alpha_factor", "layernorm_linear_attention_alpha"),
            ("linear_attn_beta_factor", "layernorm_linear_attention_beta"),
            ("full_attn_alpha_factor", "layernorm_full_attention_alpha"),
            ("full_attn_beta_factor", "layernorm_full_attention_beta"),
            ("mlp_alpha_factor", "layernorm_mlp_alpha"),
            ("mlp_beta_factor", "layernorm_mlp_beta"),
        ]);
        // How sums are cut into blocks, and how experts that all tokens have would be weighed.
        let always = [("postnorm", "true"), ("shared_intermediate_size", "0")];
        accept(fields, &always, &["block_size", "shared_moe_mode"])?;
        let decoder = Decoder::read(fields, Defaults::default())?;
        let plain = RopeRules::plain(Self::NAME, &decoder.sizes);
        let rules = RopeRules { theta: 1e6, ..plain }.with_rotary_dim(fields)?;
        let factor = |name| fields.optional_number(name).map(|factor| factor.unwrap_or(1.0));
        Ok(MiniMaxConfig {
            attends: attends(fields, decoder.sizes.layers)?,
            window: fields.optional_size("sliding_window", 1 << 30)?,
            mixture: Mixture::read(fields, decoder.sizes.intermediate, Some(Weighing::OfChosen))?,
            rope: rope::read(fields, rules)?,
            factors: [
                [factor("linear_attn_alpha_factor")?, factor("linear_attn_beta_factor")?],
                [factor("full_attn_alpha_factor")?, factor("full_attn_beta_factor")?],
                [factor("mlp_alpha_factor")?, factor("mlp_beta_factor")?],
            ],
            decoder,
        })
    }

    fn outline(config: &MiniMaxConfig) -> Outline {
        let outline = config.decoder.outline(&[&config.rope]);
        let Sizes { heads, head_dim, .. } = config.decoder.sizes;
        let state = Some([heads, head_dim, head_dim]);
        let lightning = LayerMemory::from(RecurrentLayer { conv: [None; 3], state });
        let of = |(attends, kv): (&bool, &LayerMemory)| if *attends { *kv } else { lightning };
        let memory = config.attends.iter().zip(&outline.memory).map(of).collect();
        Outline { memory, ..outline }
    }

    fn forward<'t>(config: &MiniMaxConfig, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        let scalar = config.decoder.sizes.head_dim as f64;
        let attrs = nn::attention_attrs(scalar, config.window);
        let [of_lightning, of_attention, of_experts] = config.factors;
        let sum = |[kept, added]: [f64; 2], x: Tensor<'t>, y: Tensor<'t>| {
            scaled(x, kept) + scaled(y, added)
        };
        config.decoder.forward(&w, step, |layer, x| {
            let x = layer.norm(x, "input_layernorm");
            let x = match config.attends[layer.index] {
                true => {
                    let qkv = layer.rotated(x, angles, false);
                    sum(of_attention, x, layer.attend(qkv, attrs, false))
                }
                false => sum(of_lightning, x, lightning(&config.decoder, layer, x)),
            };
            let x = layer.norm(x, "post_attention_layernorm");
            // transformers 5 calls the place as it does in other models.
            let renamed = layer.at("mlp.gate.weight").stands();
            let place = if renamed { "mlp" } else { "block_sparse_moe" };
            sum(of_experts, x, layer.mixture(x, place, EXPERTS, &config.mixture))
        })
    }
}

/// Attention without a softmax: to its state each head adds the product of key and value, and forgets.
fn lightning<'t>(decoder: &Decoder, layer: &Layer<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    let Sizes { heads, head_dim, hidden, .. } = decoder.sizes;
    let (w, all) = (layer.at("self_attn"), heads * head_dim);
    let turns = Turns { groups: heads, run: 3 * head_dim };
    let qkv = turns.linear(x, &w.at("qkv_proj"), "qkv", (0, [head_dim; 3]));
    let qkv = decoder.activation.apply(qkv);
    let [q, k, v] = [0, 1, 2].map(|at| qkv.columns(at * all..(at + 1) * all).split_heads(heads));
    let logs = (0..heads).map(|head| log_rate(&decoder.sizes, layer.index, head) as f32);
    let y = layer.recurrence().fading([q, k, v], logs.collect());
    let normed =
        nn::rms_norm(y.merge_heads(), w.at("norm"), all, Norm { epsilon: EPSILON, offset: 0.0 });
    let gate = nn::linear(x, w.at("output_gate"), all).unary(Unary::Logistic);
    nn::linear(normed * gate, w.at("out_proj"), hidden)
}

/// The logarithm of the rate at which a head forgets: as ALiBi's slopes from head to head, and ever
/// less from layer to layer.
fn log_rate(sizes: &Sizes, layer: usize, head: usize) -> f64 {
    let less = 1.0 - layer as f64 / ((sizes.layers - 1) as f64 + 1e-5) + 1e-5;
    less.ln() - 8.0 * (head + 1) as f64 / sizes.heads as f64 * std::f64::consts::LN_2
}

/// Whether each layer has softmax attention: `layer_types`, or 1 in the authors' `attn_type_list`; where
/// there is neither, every second one from the first on.
fn attends(fields: &Fields<'_>, layers: usize) -> Result<Vec<bool>, Error> {
    let name = "attn_type_list";
    let numbers = fields.counts(name, 1)?;
    if !numbers.is_empty() && numbers.len() != layers {
        let expected = format!("{layers} entries, as num_hidden_layers says");
        return Err(fields.wrong_as(name, format!("a list of {}", numbers.len()), &expected));
    }
    let known = [("full_attention", true), ("linear_attention", false)];
    let said = recurrent::kinds(fields, "layer_types", layers, &known)?;
    let listed = (!numbers.is_empty()).then(|| numbers.iter().map(|kind| *kind == 1).collect());
    let default = || (0..layers).map(|layer| layer.is_multiple_of(2)).collect();
    Ok(said.or(listed).unwrap_or_else(default))
}
