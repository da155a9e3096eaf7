//! What GPT-2 and its kin share: the names of fields, and the decoder with a table of positions.

use super::{Block, Classic, LayerNorm, SizeNames, positions};
use crate::config::{Fields, Sizes};
use crate::error::Error;
use crate::nn::Activation;
use crate::trace::{Step, Tensor, Weights};

/// As GPT-2 calls them.
pub const GPT: SizeNames = SizeNames {
    hidden: "n_embd",
    layers: "n_layer",
    heads: "n_head",
    positions: "n_positions",
    intermediate: Some("n_inner"),
    default_positions: None,
};

/// What GPT-2's configurations say of heads for other tasks than text.
const OTHER_TASKS: [&str; 5] = [
    "summary_activation",
    "summary_first_dropout",
    "summary_proj_to_labels",
    "summary_type",
    "summary_use_proj",
];

impl Classic {
    /// Reads what all of them say beside their sizes. The head is the embedding as `tied` says where the
    /// file does not.
    pub fn gpt(fields: &Fields<'_>, sizes: Sizes, tied: bool) -> Result<Self, Error> {
        for name in OTHER_TASKS {
            fields.get(name);
        }
        Ok(Self {
            norm: LayerNorm::full(fields.optional_positive("layer_norm_epsilon")?.unwrap_or(1e-5)),
            activation: Activation::read(fields, "activation_function", Activation::GeluTanh)?,
            tied: fields.flag("tie_word_embeddings", tied)?,
            sizes,
        })
    }

    /// GPT-2's decoder, from ids to logits, with these halves of a block. Its weights are below
    /// `root`, but for the output projection, which is at `head`.
    pub fn gpt_logits<'t>(
        &self,
        step: &Step<'t>,
        [root, head]: [Weights<'t>; 2],
        attention: impl Fn(&Block<'_, 't>, Tensor<'t>) -> Tensor<'t>,
        mlp: impl Fn(&Block<'_, 't>, Tensor<'t>) -> Tensor<'t>,
    ) -> Tensor<'t> {
        let table = [self.sizes.positions, self.sizes.hidden];
        let places = positions(step, &root.at("wpe"), table, 0);
        let x = self.embed(root.at("wte"), step) + places;
        let x = self.layers(&root.at("h"), step, x, |block, x| {
            block.serial(x, ["ln_1", "ln_2"], |x| attention(block, x), |x| mlp(block, x))
        });
        self.head(x, step, &root.at("ln_f"), head, false)
    }
}

/// The MLP of the kin whose matrices do not stand transposed.
#[track_caller]
pub fn gpt_mlp<'t>(block: &Block<'_, 't>, x: Tensor<'t>) -> Tensor<'t> {
    block.mlp(x, ["mlp.c_fc", "mlp.c_proj"], true)
}
