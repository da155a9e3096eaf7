//! Gemma 3, text only: norms before and after each half of a block, weights of norms stored
//! less one, a scaled embedding, queries and keys normalized, and layers that alternate
//! between a window with one rotary base and everything with another. With
//! `use_bidirectional_attention` (EmbeddingGemma) tokens see those behind them too.
//!
//! Reference: `transformers/models/gemma3/modeling_gemma3.py`. `tools/oracle` runs it on tiny
//! random checkpoints to make `tests/oracle/gemma3_text/`. One departure: transformers reads
//! `attn_logit_softcapping` and drops it; here it caps the scores, as in Gemma 2.

use tyto_graph::RopeTable;

use crate::config::{self, Fields, Sizes};
use crate::decoder::{Capped, SANDWICH, TIED_OR_INSIDE};
use crate::error::Error;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Gemma3Config {
    capped: Capped,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    /// The rotary embedding of layers with a window.
    local: RopeTable,
    /// The rotary embedding of the others.
    global: RopeTable,
}

/// The architecture.
pub struct Gemma3Text;

impl Model for Gemma3Text {
    type Config = Gemma3Config;

    const NAME: &'static str = "gemma3_text";
    const ARCHITECTURES: &'static [&'static str] =
        &["Gemma3ForCausalLM", "Gemma3ForConditionalGeneration"];
    const BARE: &'static [&'static str] = &["Gemma3TextModel"];
    const MODEL_TYPES: &'static [&'static str] = &["gemma3_text", "gemma3"];
    // All but the smallest are published inside a model that sees.
    const WEIGHTS: &'static [WeightRule] = TIED_OR_INSIDE;

    fn config(fields: &Fields<'_>) -> Result<Gemma3Config, Error> {
        config::of_text_with(fields, Self::NAME, true, &DEFAULTS, |fields, _| {
            let mut capped = Capped::read(fields, [None, None])?;
            capped.both_ways = fields.flag("use_bidirectional_attention", false)?;
            let [local, global] = tables(fields, &capped.decoder.sizes)?;
            let mut windows = windows(fields, capped.decoder.sizes.layers)?;
            if capped.both_ways {
                // The field then counts the tokens on both sides.
                windows.iter_mut().for_each(|window| *window = window.map(|both| both / 2 + 1));
            }
            Ok(Gemma3Config { capped, windows, local, global })
        })
    }

    fn outline(config: &Gemma3Config) -> Outline {
        let outline = config.capped.decoder.outline(&[&config.local, &config.global]);
        if !config.capped.both_ways {
            return outline;
        }
        Outline { needs_length: outline.needs_length, ..Outline::whole(&outline.sizes) }
    }

    fn forward<'t>(config: &Gemma3Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let capped = &config.capped;
        let (local, global) = (step.angles(&config.local), step.angles(&config.global));
        capped.forward(&w, step, |layer, x| {
            let window = config.windows[layer.index];
            let angles = if window.is_some() { local } else { global };
            let attention = |x| {
                let qkv = layer.normed_rotated(x, angles, capped.attention_bias);
                capped.attend(layer, qkv, window)
            };
            layer.sandwich(x, SANDWICH, attention, |x| layer.gated_mlp(x, false))
        })
    }
}

/// What files that hold it inside another leave out.
const DEFAULTS: [(&str, f64); 5] = [
    ("vocab_size", 262_208.0),
    ("num_attention_heads", 8.0),
    ("num_key_value_heads", 4.0),
    ("max_position_embeddings", 131_072.0),
    ("rms_norm_eps", 1e-6),
];

/// The rotary embeddings of layers with a window, and of the others.
fn tables(fields: &Fields<'_>, sizes: &Sizes) -> Result<[RopeTable; 2], Error> {
    let rules = RopeRules::plain(Gemma3Text::NAME, sizes);
    let local = RopeRules { theta: 10_000.0, ..rules };
    let global = RopeRules { theta: 1_000_000.0, ..rules };
    Ok([
        rope::read_for(fields, "sliding_attention", "rope_local_base_freq", false, local)?,
        rope::read_for(fields, "full_attention", "rope_theta", true, global)?,
    ])
}

/// The window of each layer: without `layer_types` every `sliding_window_pattern`th layer
/// sees everything.
fn windows(fields: &Fields<'_>, layers: usize) -> Result<Vec<Option<usize>>, Error> {
    let pattern = fields.optional_size("sliding_window_pattern", 1 << 12)?.unwrap_or(6);
    config::layers_of_two_kinds(fields, layers, |layer| !(layer + 1).is_multiple_of(pattern))
}
