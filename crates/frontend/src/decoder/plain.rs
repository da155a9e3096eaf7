//! The plain decoder: norms before each half of a block, grouped-query attention that turns all
//! heads alike, and a gated MLP. Architectures that are nothing else read their own fields and
//! leave the rest to it.

use tyto_graph::RopeTable;

use super::{Decoder, Layer};
use crate::nn;
use crate::registry::Outline;
use crate::trace::{Step, Tensor, Weights};

/// What a plain decoder computes.
#[derive(Clone, Debug)]
pub struct Plain {
    /// What all decoders have.
    pub decoder: Decoder,
    /// Which projections add a vector.
    pub biases: Biases,
    /// The window of each layer.
    pub windows: Vec<Option<usize>>,
    /// Which numbers of a head are turned together.
    pub pairing: Pairing,
    /// The rotary embedding of every layer.
    pub rope: RopeTable,
}

/// Which projections add a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Biases {
    /// Queries, keys and values.
    pub qkv: bool,
    /// What comes out of attention.
    pub output: bool,
    /// All of the MLP's.
    pub mlp: bool,
}

/// Which numbers of a head are turned together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pairing {
    /// One of each half.
    #[default]
    Halves,
    /// Neighbours.
    Neighbours,
}

impl Plain {
    /// What others need to know of it.
    pub fn outline(&self) -> Outline {
        self.decoder.outline(&[&self.rope])
    }

    /// Ids to logits, one row for each sampled position.
    #[track_caller]
    pub fn forward<'t>(&self, w: &Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        let angles = step.angles(&self.rope);
        self.decoder.forward(w, step, |layer, x| self.block(layer, angles, x))
    }

    /// One layer.
    #[track_caller]
    pub fn block<'t>(
        &self,
        layer: &Layer<'_, 't>,
        angles: Tensor<'t>,
        x: Tensor<'t>,
    ) -> Tensor<'t> {
        let attention = |x| self.attention(layer, angles, x);
        layer.pre_norm(x, attention, |x| layer.gated_mlp(x, self.biases.mlp))
    }

    /// Grouped-query attention.
    #[track_caller]
    fn attention<'t>(
        &self,
        layer: &Layer<'_, 't>,
        angles: Tensor<'t>,
        x: Tensor<'t>,
    ) -> Tensor<'t> {
        let Biases { qkv: bias, output, .. } = self.biases;
        let qkv = match self.pairing {
            Pairing::Halves => layer.rotated(x, angles, bias),
            Pairing::Neighbours => layer.rotated_neighbours(x, angles, bias),
        };
        let scalar = self.decoder.sizes.head_dim as f64;
        layer.attend(qkv, nn::attention_attrs(scalar, self.windows[layer.index]), output)
    }
}
