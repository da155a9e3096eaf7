//! Mixtures of experts: a router chooses a few of many MLPs for each token.
//!
//! Checkpoints store the experts' matrices in one of three forms, found by their names: a tensor
//! for each matrix of each expert; one of `[experts, rows, columns]` for all (MLX's `switch_mlp`);
//! one for all gates and ups, `gate_up_proj` of `[experts, 2 rows, columns]`, as transformers 5
//! holds them (`up_proj` where there are no gates).

mod alternating;
mod routed;
mod router;
mod sparse;

use tyto_graph::Op;

use crate::config::Fields;
use crate::error::Error;
use crate::nn::{Activation, MlpNames};
use crate::trace::{Tensor, Weights};
use crate::weights::Part;

pub use routed::{ROUTED_FIELDS, Routed, RoutedFields, accept, sparse_layers};
pub use router::{Divisor, Router, Score, groups};
pub use sparse::SparseLayers;

/// Most experts of a layer.
const MOST_EXPERTS: usize = 1 << 12;

/// The experts of a layer, and how a token's are chosen and weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mixture {
    /// Experts.
    pub experts: usize,
    /// Experts of a token.
    pub chosen: usize,
    /// Width inside each.
    pub width: usize,
    /// What weighs them.
    pub weighing: Weighing,
}

/// The weights of the chosen experts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighing {
    /// Softmax over the scores of all experts.
    OfAll,
    /// Softmax over the scores of the chosen ones. This is what [`Weighing::OfAll`] gives, divided
    /// by its sum over the chosen (`norm_topk_prob`).
    OfChosen,
}

/// The experts that each token has, `[tokens, chosen]`, and their weights.
#[derive(Clone, Copy)]
pub struct Route<'t> {
    /// Which, best first.
    pub ids: Tensor<'t>,
    /// What their results are multiplied with.
    pub weights: Tensor<'t>,
}

impl Mixture {
    /// Reads how many experts there are and how many a token has; `norm_topk_prob` says how they
    /// are weighed where `weighing` does not.
    pub fn read(
        fields: &Fields<'_>,
        width: usize,
        weighing: Option<Weighing>,
    ) -> Result<Self, Error> {
        let experts = experts(fields)?;
        let chosen = fields.size("num_experts_per_tok", experts)?;
        let weighing = match weighing {
            Some(weighing) => weighing,
            None if fields.flag("norm_topk_prob", false)? => Weighing::OfChosen,
            None => Weighing::OfAll,
        };
        Ok(Self { experts, chosen, width, weighing })
    }

    /// The experts with the largest of `scores`, `[tokens, experts]`.
    #[track_caller]
    pub fn route<'t>(&self, scores: Tensor<'t>) -> Route<'t> {
        let ids = scores.with(Op::TopK { k: self.chosen, groups: None }, &[]);
        let weights = match self.weighing {
            Weighing::OfAll => scores.softmax().with(Op::TakeAlong, &[ids]),
            Weighing::OfChosen => scores.with(Op::TakeAlong, &[ids]).softmax(),
        };
        Route { ids, weights }
    }

    /// The weighted sum of each token's experts: `down(activation(gate(x)) × up(x))`, whose
    /// matrices stand below `w`.
    #[track_caller]
    pub fn gated<'t>(
        &self,
        x: Tensor<'t>,
        route: &Route<'t>,
        w: &Weights<'t>,
        names: MlpNames,
        activation: Activation,
    ) -> Tensor<'t> {
        let hidden = x.size(1);
        let stored = Stored { w, names, experts: self.experts };
        let [gate, up] = stored.gate_and_up(x, route.ids, [self.width, hidden]);
        self.back(activation.apply(gate) * up, route, &stored, hidden)
    }

    /// The same of MLPs without a gate: `down(activation(up(x)))`.
    #[track_caller]
    pub fn ungated<'t>(
        &self,
        x: Tensor<'t>,
        route: &Route<'t>,
        w: &Weights<'t>,
        names: MlpNames,
        activation: Activation,
    ) -> Tensor<'t> {
        let hidden = x.size(1);
        let stored = Stored { w, names, experts: self.experts };
        let parts = stored.parts(Matrix::Up, [self.width, hidden]);
        let shape = [self.experts, self.width, hidden];
        let up = product(x, route.ids, &w.at("experts.up.weight"), shape, parts);
        self.back(activation.apply(up), route, &stored, hidden)
    }

    /// The weighted sum of what is inside the experts, back at the width of the stream.
    #[track_caller]
    fn back<'t>(
        &self,
        inner: Tensor<'t>,
        route: &Route<'t>,
        stored: &Stored<'_, 't>,
        hidden: usize,
    ) -> Tensor<'t> {
        let parts = stored.parts(Matrix::Down, [hidden, self.width]);
        let shape = [self.experts, hidden, self.width];
        let y = product(inner, route.ids, &stored.w.at("experts.down.weight"), shape, parts);
        y.with(Op::WeightedSum, &[route.weights])
    }
}

/// `num_experts`, which transformers also calls `num_local_experts`.
fn experts(fields: &Fields<'_>) -> Result<usize, Error> {
    let local = fields.optional_size("num_local_experts", MOST_EXPERTS)?;
    match (fields.optional_size("num_experts", MOST_EXPERTS)?, local) {
        (Some(experts), Some(local)) if experts != local => {
            Err(fields.wrong("num_local_experts", &format!("{experts}, as num_experts says")))
        }
        (None, Some(experts)) | (Some(experts), _) => Ok(experts),
        (None, None) => fields.size("num_experts", MOST_EXPERTS),
    }
}

/// Each row of `x` times the matrix `[rows, columns]` of each of its experts.
#[track_caller]
pub fn product<'t>(
    x: Tensor<'t>,
    ids: Tensor<'t>,
    w: &Weights<'t>,
    [experts, rows, columns]: [usize; 3],
    parts: Vec<Part>,
) -> Tensor<'t> {
    let (stack, layout) = w.stack([experts, rows, columns], parts);
    x.with(Op::ExpertLinear { layout, experts, rows }, &[stack, ids])
}

/// Row `ids` of a table of vectors, one for each expert, added to the experts' results.
#[track_caller]
pub fn add_rows<'t>(y: Tensor<'t>, table: Tensor<'t>, ids: Tensor<'t>) -> Tensor<'t> {
    y + table.take_rows(ids)
}

/// Which matrix of an expert.
#[derive(Clone, Copy)]
enum Matrix {
    Gate,
    Up,
    Down,
}

/// Where the experts below a place are stored.
struct Stored<'a, 't> {
    w: &'a Weights<'t>,
    names: MlpNames,
    experts: usize,
}

impl<'t> Stored<'_, 't> {
    /// Both halves of gated MLPs: one product where the rows allow it, else two.
    #[track_caller]
    fn gate_and_up(
        &self,
        x: Tensor<'t>,
        ids: Tensor<'t>,
        [width, hidden]: [usize; 2],
    ) -> [Tensor<'t>; 2] {
        let [gate, up] = [Matrix::Gate, Matrix::Up].map(|of| self.parts(of, [width, hidden]));
        let (experts, w) = (self.experts, self.w.at("experts"));
        if self.w.joins(&gate, width, hidden) {
            let parts = gate.into_iter().zip(up).flat_map(|(gate, up)| [gate, up]).collect();
            let shape = [experts, 2 * width, hidden];
            let both = product(x, ids, &w.at("gate+up.weight"), shape, parts);
            return [both.last(0..width), both.last(width..2 * width)];
        }
        let shape = [experts, width, hidden];
        let gate = product(x, ids, &w.at("gate.weight"), shape, gate);
        [gate, product(x, ids, &w.at("up.weight"), shape, up)]
    }

    /// The tensors that one matrix of each expert is in, expert after expert.
    fn parts(&self, matrix: Matrix, [rows, columns]: [usize; 2]) -> Vec<Part> {
        let stacked = match matrix {
            Matrix::Gate => "gate_proj.weight",
            Matrix::Up => "up_proj.weight",
            Matrix::Down => "down_proj.weight",
        };
        for place in ["switch_mlp", "experts"] {
            let tensor = self.w.at(place).at(stacked);
            if tensor.stands() {
                return self.stack(&tensor, [rows, columns], [0, rows]);
            }
        }
        let (fused, begin, each) = match matrix {
            Matrix::Gate => ("experts.gate_up_proj", 0, 2 * rows),
            Matrix::Up => ("experts.gate_up_proj", rows, 2 * rows),
            Matrix::Down => ("experts.down_proj", 0, rows),
        };
        let ungated = self.w.at("experts.up_proj");
        if matches!(matrix, Matrix::Up) && ungated.stands() {
            return self.stack(&ungated, [rows, columns], [0, rows]);
        }
        let granite = match matrix {
            Matrix::Down => "output_linear.weight",
            _ => "input_linear.weight",
        };
        for stacked in [fused, granite] {
            let tensor = self.w.at(stacked);
            if tensor.stands() {
                return self.stack(&tensor, [rows, columns], [begin, each]);
            }
        }
        let own = match matrix {
            Matrix::Gate => self.names.gate,
            Matrix::Up => self.names.up,
            Matrix::Down => self.names.down,
        };
        let place = |expert| self.w.at("experts").index(expert).at(own).at("weight");
        let part = |expert| Part::whole(place(expert).path(), vec![rows, columns]);
        (0..self.experts).map(part).collect()
    }

    /// From a tensor of `each` rows an expert, those that begin with the row `begin` of each.
    fn stack(
        &self,
        tensor: &Weights<'t>,
        [rows, columns]: [usize; 2],
        [begin, each]: [usize; 2],
    ) -> Vec<Part> {
        let part = |expert: usize| {
            let first = expert * each + begin;
            let whole = Part::whole(tensor.path(), vec![self.experts, each, columns]);
            Part { rows: Some(first..first + rows), ..whole }
        };
        (0..self.experts).map(part).collect()
    }
}
