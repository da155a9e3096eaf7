//! Command R7B and Command A: Command R where three of four layers have a window and a rotary
//! embedding, and the others see everything and have none.
//!
//! Reference: `transformers/models/cohere2/modeling_cohere2.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/cohere2/`.

use tyto_graph::RopeTable;

use super::cohere;
use crate::classic::{Block, Classic};
use crate::config::{self, Fields, SizeDefaults, Sizes};
use crate::decoder::TIED_HEAD;
use crate::error::Error;
use crate::nn;
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Cohere2Config {
    model: Classic,
    attention_bias: bool,
    /// The window of each layer.
    windows: Vec<Option<usize>>,
    logit_scale: f64,
    rope: RopeTable,
}

/// The architecture.
pub struct Cohere2;

impl Model for Cohere2 {
    type Config = Cohere2Config;

    const NAME: &'static str = "cohere2";
    const ARCHITECTURES: &'static [&'static str] = &["Cohere2ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["cohere2"];
    const WEIGHTS: &'static [WeightRule] = &[TIED_HEAD];

    fn config(fields: &Fields<'_>) -> Result<Cohere2Config, Error> {
        let sizes = Sizes::read(fields, SizeDefaults { kv_heads: true, head_dim: None })?;
        // Written by other tools; each says what the architecture is.
        for (name, only) in [
            ("position_embedding_type", "rope_gptj"),
            ("order_of_interleaved_layers", "local_attn_first"),
        ] {
            if fields.text(name)?.is_some_and(|found| found != only) {
                return Err(fields.wrong(name, only));
            }
        }
        for (name, only) in [("use_parallel_block", true), ("use_embedding_sharing", true)] {
            if fields.flag(name, only)? != only {
                return Err(fields.wrong(name, "true"));
            }
        }
        for name in ["use_qk_norm", "use_gated_activation"] {
            let only = name == "use_gated_activation";
            if fields.flag(name, only)? != only {
                return Err(fields.wrong(name, if only { "true" } else { "false" }));
            }
        }
        if fields.optional_positive("rotary_pct")?.is_some_and(|share| share != 1.0) {
            return Err(fields.wrong("rotary_pct", "1"));
        }
        Ok(Cohere2Config {
            attention_bias: fields.flag("attention_bias", false)?,
            windows: windows(fields, sizes.layers)?,
            logit_scale: fields.optional_positive("logit_scale")?.unwrap_or(0.0625),
            rope: rope::read(fields, RopeRules::plain(Self::NAME, &sizes))?,
            model: cohere::model(fields, sizes)?,
        })
    }

    fn outline(config: &Cohere2Config) -> Outline {
        config.model.outline(&[&config.rope])
    }

    fn forward<'t>(config: &Cohere2Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&config.rope);
        let attention = |block: &Block<'_, 't>, x| attention(config, block, angles, x);
        cohere::forward(&config.model, &w, step, attention).scale(config.logit_scale)
    }
}

/// The window of each layer: without `layer_types` every `sliding_window_pattern`th layer sees
/// everything.
fn windows(fields: &Fields<'_>, layers: usize) -> Result<Vec<Option<usize>>, Error> {
    let window = config::window(fields, 4096)?;
    let older = fields.optional_size("layer_switch", 1 << 12)?;
    let pattern = fields.optional_size("sliding_window_pattern", 1 << 12)?.or(older).unwrap_or(4);
    let slides = |layer: usize| !(layer + 1).is_multiple_of(pattern);
    config::layer_windows(fields, layers, window, slides)
}

/// Grouped-query attention; only layers with a window know positions.
fn attention<'t>(
    config: &Cohere2Config,
    block: &Block<'_, 't>,
    angles: Tensor<'t>,
    x: Tensor<'t>,
) -> Tensor<'t> {
    let (bias, Sizes { heads, kv_heads, head_dim, .. }) =
        (config.attention_bias, config.model.sizes.clone());
    let window = config.windows[block.index];
    let project = |name: &str, heads| match window {
        Some(_) => block.project_pairs(x, name, heads, (head_dim, bias)).rotate(angles),
        None => block.project(x, name, heads, bias),
    };
    let q = project("self_attn.q_proj", heads);
    let k = project("self_attn.k_proj", kv_heads);
    let v = block.project(x, "self_attn.v_proj", kv_heads, bias);
    let attended = block.attend([q, k, v], nn::attention_attrs(head_dim as f64, window));
    block.output(attended, "self_attn.o_proj", bias)
}
