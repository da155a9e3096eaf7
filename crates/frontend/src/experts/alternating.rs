//! Experts of gpt-oss: gates and ups alternate in one tensor, and every matrix has a bias.
//!
//! Plain numbers stand transposed, `gate_up_proj` of `[experts, columns, 2 rows]`; blocks stand as
//! matrices do elsewhere, `[experts, 2 rows, columns]`. mlx-lm stores gates and ups apart.

use tyto_graph::Op;

use super::{Matrix, Mixture, Route, Stored, add_rows, product};
use crate::nn::MlpNames;
use crate::trace::{Tensor, Weights};
use crate::weights::{Halves, Part, Reading};

impl Mixture {
    /// The weighted sum of each token's experts: `down(gated(gate(x), up(x)))` with biases, whose
    /// matrices stand below `w`.
    #[track_caller]
    pub fn alternating<'t>(
        &self,
        x: Tensor<'t>,
        route: &Route<'t>,
        w: &Weights<'t>,
        gated: impl FnOnce(Tensor<'t>, Tensor<'t>) -> Tensor<'t>,
    ) -> Tensor<'t> {
        let (hidden, ids) = (x.size(1), route.ids);
        let experts = Experts { w, mixture: *self, hidden };
        let [gate, up] = match w.at("experts.gate_proj.weight").stands() {
            true => experts.apart(x, ids),
            false => experts.together(x, ids),
        };
        let y = experts.down(gated(gate, up), ids);
        y.with(Op::WeightedSum, &[route.weights])
    }
}

struct Experts<'a, 't> {
    w: &'a Weights<'t>,
    mixture: Mixture,
    hidden: usize,
}

impl<'t> Experts<'_, 't> {
    /// One product for both: the even rows, then the odd ones.
    #[track_caller]
    fn together(&self, x: Tensor<'t>, ids: Tensor<'t>) -> [Tensor<'t>; 2] {
        let Mixture { experts, width, .. } = self.mixture;
        let place = self.w.at("experts.gate_up_proj");
        let shape = [experts, 2 * width, self.hidden];
        let y = product(x, ids, &place, shape, self.matrices(&place, shape, Halves::Rows));
        let bias = self.bias("gate_up_proj_bias", 2 * width, Halves::Columns);
        let y = add_rows(y, bias, ids);
        [y.last(0..width), y.last(width..2 * width)]
    }

    /// A product each, as mlx-lm stores them.
    #[track_caller]
    fn apart(&self, x: Tensor<'t>, ids: Tensor<'t>) -> [Tensor<'t>; 2] {
        let Mixture { experts, width, .. } = self.mixture;
        let stored = Stored { w: self.w, names: MlpNames::default(), experts };
        let halves = stored.gate_and_up(x, ids, [width, self.hidden]);
        let biases = ["gate_proj.bias", "up_proj.bias"];
        let biases = biases.map(|name| self.bias(name, width, Halves::None));
        [add_rows(halves[0], biases[0], ids), add_rows(halves[1], biases[1], ids)]
    }

    #[track_caller]
    fn down(&self, x: Tensor<'t>, ids: Tensor<'t>) -> Tensor<'t> {
        let Mixture { experts, width, .. } = self.mixture;
        let shape = [experts, self.hidden, width];
        let apart = self.w.at("experts.down_proj.weight");
        let (y, bias) = if apart.stands() {
            let stored = Stored { w: self.w, names: MlpNames::default(), experts };
            let parts = stored.parts(Matrix::Down, [self.hidden, width]);
            (product(x, ids, &self.w.at("experts.down.weight"), shape, parts), "down_proj.bias")
        } else {
            let place = self.w.at("experts.down_proj");
            let parts = self.matrices(&place, shape, Halves::None);
            (product(x, ids, &place, shape, parts), "down_proj_bias")
        };
        add_rows(y, self.bias(bias, self.hidden, Halves::None), ids)
    }

    /// The matrix of each expert in one tensor.
    fn matrices(
        &self,
        place: &Weights<'t>,
        [experts, rows, columns]: [usize; 3],
        halves: Halves,
    ) -> Vec<Part> {
        let transposed = !place.in_blocks();
        let [first, second] = if transposed { [columns, rows] } else { [rows, columns] };
        let part = |expert: usize| Part {
            rows: Some(expert * rows..(expert + 1) * rows),
            reading: Reading { transposed, halves, ..Reading::default() },
            ..Part::whole(place.path(), vec![experts, first, second])
        };
        (0..experts).map(part).collect()
    }

    /// A bias of each expert.
    #[track_caller]
    fn bias(&self, name: &str, size: usize, halves: Halves) -> Tensor<'t> {
        let (place, experts) = (self.w.at("experts").at(name), self.mixture.experts);
        let whole = Part::whole(place.path(), vec![experts, size]);
        let reading = Reading { halves, ..Reading::default() };
        place.vectors(experts, size, vec![Part { reading, ..whole }])
    }
}
