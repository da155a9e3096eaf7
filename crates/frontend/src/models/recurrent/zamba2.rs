//! Zamba 2: mixers of Mamba 2, before some of which a transformer's block stands that sees the embedding
//! too. Few such blocks serve all these layers in turn; what a layer adds to their matrices is its own.
//!
//! Reference: `transformers/models/zamba2/modeling_zamba2.py`. `tools/oracle` runs it on tiny random
//! checkpoints to make `tests/oracle/zamba2*/`.

use tyto_graph::RopeTable;

use crate::config::{Fields, SizeDefaults, Sizes};
use crate::error::Error;
use crate::hybrid::{Attention, Block, Names, Trunk};
use crate::memory::LayerMemory;
use crate::nn::{self, Activation, Norm};
use crate::recurrent::{self, Gating, Mamba2Mixer, MixerFields};
use crate::registry::{Model, Outline, WeightRule};
use crate::rope::{self, RopeRules};
use crate::trace::{Step, Tensor, Weights};

/// The part of `config.json` that this model reads.
pub struct Zamba2Config {
    trunk: Trunk,
    mixer: Mamba2Mixer,
    /// The layers that a block stands before.
    hybrids: Vec<usize>,
    /// How many blocks there are.
    blocks: usize,
    /// Width of what layers add to the blocks' matrices, and whether they do to those of attention.
    rank: usize,
    adapted: bool,
    bias: bool,
    activation: Activation,
    rope: Option<RopeTable>,
}

/// The architecture.
pub struct Zamba2;

impl Model for Zamba2 {
    type Config = Zamba2Config;

    const NAME: &'static str = "zamba2";
    const ARCHITECTURES: &'static [&'static str] = &["Zamba2ForCausalLM"];
    const MODEL_TYPES: &'static [&'static str] = &["zamba2"];
    const WEIGHTS: &'static [WeightRule] =
        &[WeightRule::tied("lm_head.weight", "model.embed_tokens.weight")];

    fn config(fields: &Fields<'_>) -> Result<Zamba2Config, Error> {
        let sizes = sizes(fields)?;
        // How sums are cut into chunks, which kernels run, how many rows of logits callers want, what
        // initial weights are made of; and what follows from other fields.
        for unused in ["chunk_size", "use_mamba_kernels", "use_mem_eff_path", "num_logits_to_keep"]
        {
            fields.get(unused);
        }
        for unused in ["time_step_max", "time_step_floor", "hybrid_layer_ids", "kv_channels"] {
            fields.get(unused);
        }
        for unused in ["num_query_groups", "ffn_hidden_size"] {
            fields.get(unused);
        }
        // What transformers takes for granted, or has another meaning for than its authors.
        for (name, only) in [
            ("use_shared_mlp_adapter", true),
            ("tie_word_embeddings", true),
            ("use_long_context", false),
        ] {
            if fields.flag(name, only)? != only {
                return Err(fields.wrong(name, &only.to_string()));
            }
        }
        let kinds = [("linear_attention", false), ("mamba", false), ("hybrid", true)];
        let kinds = recurrent::kinds(fields, "layers_block_type", sizes.layers, &kinds)?;
        let kinds = kinds.ok_or_else(|| fields.missing("layers_block_type", "a list of kinds"))?;
        let adapted = fields.flag("use_shared_attention_adapter", false)?;
        if adapted && sizes.kv_heads != sizes.heads {
            let expected = format!("{}, as use_shared_attention_adapter is on", sizes.heads);
            return Err(fields.wrong("num_key_value_heads", &expected));
        }
        let rope = rope::read(fields, RopeRules::plain(Self::NAME, &sizes))?;
        let norm = Norm { epsilon: fields.positive("rms_norm_eps")?, offset: 0.0 };
        let names = Names { norm: "model.final_layernorm", ..Names::default() };
        Ok(Zamba2Config {
            mixer: mixer(fields, sizes.hidden)?,
            hybrids: (0..sizes.layers).filter(|layer| kinds[*layer]).collect(),
            blocks: fields.optional_size("num_mem_blocks", 1 << 12)?.unwrap_or(1),
            rank: fields.optional_size("adapter_rank", 1 << 16)?.unwrap_or(128),
            adapted,
            bias: fields.flag("add_bias_linear", false)?,
            activation: Activation::read(fields, "hidden_act", Activation::Gelu)?,
            rope: fields.flag("use_mem_rope", false)?.then_some(rope),
            trunk: Trunk::plain(sizes, norm, names, true),
        })
    }

    fn outline(config: &Zamba2Config) -> Outline {
        let recurrent = Some(config.mixer.memory());
        let of = |layer| match config.hybrids.contains(&layer) {
            true => LayerMemory { recurrent, ..config.trunk.kv() },
            false => LayerMemory { recurrent, ..LayerMemory::default() },
        };
        let memory = (0..config.trunk.sizes.layers).map(of).collect();
        config.trunk.outline(memory, config.rope.as_ref())
    }

    fn forward<'t>(config: &Zamba2Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let Zamba2Config { trunk, mixer, hybrids, .. } = config;
        let angles = config.rope.as_ref().map(|rope| step.angles(rope));
        let embedded = trunk.embed(&w, step);
        let x = trunk.layers(&w, step, embedded, |layer, x| {
            let Some(nth) = hybrids.iter().position(|hybrid| *hybrid == layer.index) else {
                let normed = layer.norm(x, "input_layernorm");
                return x + mixer.mix(normed, &layer.at("mamba"), layer.recurrence());
            };
            // A block's tensors stand in the first layer that it serves.
            let home = w.at(trunk.names.layers).index(hybrids[nth % config.blocks]);
            let block = Shared { config, w: home.at("shared_transformer"), nth };
            let seen = block.apply(layer, x.beside(embedded), angles);
            let more = nn::linear(seen, layer.at("linear"), trunk.sizes.hidden);
            let normed = layer.norm(x + more, "mamba_decoder.input_layernorm");
            x + mixer.mix(normed, &layer.at("mamba_decoder.mamba"), layer.recurrence())
        });
        trunk.head(&w, step, x)
    }
}

/// A block of several layers, as the `nth` of them has it.
struct Shared<'a, 't> {
    config: &'a Zamba2Config,
    w: Weights<'t>,
    nth: usize,
}

impl<'t> Shared<'_, 't> {
    /// Attention and an MLP, without a stream that goes past them.
    #[track_caller]
    fn apply(
        &self,
        layer: &Block<'_, 't>,
        x: Tensor<'t>,
        angles: Option<Tensor<'t>>,
    ) -> Tensor<'t> {
        let Zamba2Config { trunk, adapted, bias, activation, .. } = self.config;
        let Sizes { hidden, intermediate, heads, kv_heads, head_dim, .. } = trunk.sizes;
        let x = nn::rms_norm(x, self.w.at("input_layernorm"), x.size(1), trunk.norm);
        let w = self.w.at("self_attn");
        let project = |letter: &str, heads: usize| {
            let (rows, adapter) = (heads * head_dim, format!("linear_{letter}_adapter_list"));
            let y = nn::linear(x, w.at(&format!("{letter}_proj")), rows);
            let y = if *adapted { y + self.adapter(x, &w.at(&adapter), rows) } else { y };
            y.split_heads(heads)
        };
        let (q, k) =
            (project("q", heads).rotate_by(angles), project("k", kv_heads).rotate_by(angles));
        // Scores are divided by the root of half a head, as a head has twice its part of the stream.
        let scale = (2.0 / head_dim as f64).sqrt();
        let attention = Attention { scale, ..Attention::plain(&trunk.sizes) };
        let x = layer.attend([q, k, project("v", kv_heads)], &w, &attention);

        let x = nn::rms_norm(x, self.w.at("pre_ff_layernorm"), hidden, trunk.norm);
        let (w, rows) = (self.w.at("feed_forward"), 2 * intermediate);
        let own = self.adapter(x, &w.at("gate_up_proj_adapter_list"), rows);
        let both = nn::linear_bias(x, w.at("gate_up_proj"), rows, *bias) + own;
        let gate = activation.apply(both.columns(0..intermediate));
        let inner = gate * both.columns(intermediate..rows);
        nn::linear_bias(inner, w.at("down_proj"), hidden, *bias)
    }

    /// What the layer adds to a matrix: a product of two thin ones.
    #[track_caller]
    fn adapter(&self, x: Tensor<'t>, list: &Weights<'t>, rows: usize) -> Tensor<'t> {
        let own = list.index(self.nth);
        nn::linear(nn::linear(x, own.at("0"), self.config.rank), own.at("1"), rows)
    }
}

/// The sizes. All heads together are twice as wide as the stream.
fn sizes(fields: &Fields<'_>) -> Result<Sizes, Error> {
    let hidden = fields.size("hidden_size", 1 << 20)?;
    let heads = fields.size("num_attention_heads", 1 << 12)?;
    for (name, is) in
        [("attention_hidden_size", 2 * hidden), ("attention_head_dim", 2 * hidden / heads)]
    {
        if fields.optional_size(name, 1 << 21)?.is_some_and(|said| said != is) {
            return Err(fields.wrong(name, &format!("{is}, of twice hidden_size")));
        }
    }
    if !(2 * hidden).is_multiple_of(heads) {
        let expected = format!("a divisor of twice hidden_size, {}", 2 * hidden);
        return Err(fields.wrong("num_attention_heads", &expected));
    }
    Sizes::read(fields, SizeDefaults { head_dim: Some(2 * hidden / heads), kv_heads: true })
}

/// The mixer. Its norm has the class's own epsilon, and its time steps a least length.
fn mixer(fields: &Fields<'_>, hidden: usize) -> Result<Mamba2Mixer, Error> {
    let names = MixerFields {
        heads: "n_mamba_heads",
        head_dim: "mamba_headdim",
        groups: "mamba_ngroups",
        conv_bias: "use_conv_bias",
        bias: "add_bias_linear",
        ..MixerFields::default()
    };
    let gating = Gating::Then(Norm { epsilon: 1e-5, offset: 0.0 });
    let mixer = names.read(fields, hidden, None, gating)?;
    if !mixer.conv_bias {
        return Err(fields.wrong("use_conv_bias", "true"));
    }
    if mixer.dt_limit != [0.0, f32::INFINITY] {
        return Err(fields.wrong("time_step_limit", "nothing beside time_step_min"));
    }
    let least = fields.optional_positive("time_step_min")?.unwrap_or(1e-3);
    Ok(Mamba2Mixer { dt_limit: [least as f32, f32::INFINITY], ..mixer })
}
