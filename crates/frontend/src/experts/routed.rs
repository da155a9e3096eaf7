//! The MLP of models after DeepSeek V3: experts chosen by corrected scores, beside experts that
//! every token has and that stand as one wider MLP.

use super::{MOST_EXPERTS, Mixture, Router, Weighing};
use crate::config::Fields;
use crate::decoder::Layer;
use crate::error::Error;
use crate::nn::{self, Activation, MlpNames};
use crate::trace::{Tensor, Weights};
use crate::weights::{Part, Reading};

/// The experts of a layer, chosen by a [`Router`].
#[derive(Clone, Copy, Debug)]
pub struct Routed {
    /// The experts; the router says how they are weighed.
    pub mixture: Mixture,
    /// What chooses and weighs them.
    pub router: Router,
    /// The function inside each.
    pub activation: Activation,
    /// What their matrices are called.
    pub names: MlpNames,
    /// The router's matrix, below the mixture's place.
    pub gate: &'static str,
    /// Where what is added to scores for the choice may stand, below the mixture's place; none where
    /// nothing is added.
    pub corrections: &'static [&'static str],
    /// Whether that stands as a matrix of one row.
    pub as_row: bool,
    /// The place and width of the experts that all tokens have.
    pub shared: Option<(&'static str, usize)>,
}

/// What the fields of the experts' sizes are called.
#[derive(Clone, Copy, Debug)]
pub struct RoutedFields {
    /// How many experts there are.
    pub experts: &'static str,
    /// How many a token has.
    pub chosen: &'static str,
    /// How many all tokens have.
    pub shared: &'static str,
}

/// As DeepSeek calls them.
pub const ROUTED_FIELDS: RoutedFields = RoutedFields {
    experts: "n_routed_experts",
    chosen: "num_experts_per_tok",
    shared: "n_shared_experts",
};

impl Routed {
    /// Reads the sizes; the router is made for that many experts.
    pub fn read(
        fields: &Fields<'_>,
        names: RoutedFields,
        activation: Activation,
        router: impl FnOnce(usize) -> Result<Router, Error>,
    ) -> Result<Self, Error> {
        let experts = fields.size(names.experts, MOST_EXPERTS)?;
        let width = fields.size("moe_intermediate_size", 1 << 22)?;
        let shared = fields.optional_count(names.shared, 1 << 12)?.unwrap_or(0);
        // Another name that transformers has for the same.
        let local = fields.optional_size("num_local_experts", MOST_EXPERTS)?;
        if local.is_some_and(|local| local != experts) {
            let expected = format!("{experts}, as {} says", names.experts);
            return Err(fields.wrong("num_local_experts", &expected));
        }
        let router = router(experts)?;
        let most = router.groups.map_or(experts, |groups| groups.kept * (experts / groups.count));
        let chosen = fields.size(names.chosen, most)?;
        Ok(Self {
            mixture: Mixture { experts, chosen, width, weighing: Weighing::OfAll },
            router,
            activation,
            names: MlpNames::default(),
            gate: "gate",
            corrections: &["gate.e_score_correction_bias"],
            as_row: false,
            shared: (shared > 0).then_some(("shared_experts", shared * width)),
        })
    }

    /// The experts' sum at `place`, and beside it what all tokens have.
    #[track_caller]
    pub fn apply<'t>(&self, layer: &Layer<'_, 't>, x: Tensor<'t>, place: &str) -> Tensor<'t> {
        self.apply_at(&layer.at(place), x)
    }

    /// The same with the place itself.
    #[track_caller]
    pub fn apply_at<'t>(&self, w: &Weights<'t>, x: Tensor<'t>) -> Tensor<'t> {
        let results = nn::linear(x, w.at(self.gate), self.mixture.experts);
        let correction = self.correction(w);
        let route = self.router.route(results, correction, self.mixture.chosen);
        let sum = self.mixture.gated(x, &route, w, self.names, self.activation);
        let Some((name, width)) = self.shared else { return sum };
        let of = (self.activation, width, false);
        sum + nn::gated_mlp(x, &w.at(name), MlpNames::default(), of)
    }

    /// What is added to scores for the choice: a vector, or a matrix of one row.
    #[track_caller]
    fn correction<'t>(&self, w: &Weights<'t>) -> Option<Tensor<'t>> {
        let places = || self.corrections.iter().map(|name| w.at(name));
        let place = places().find(Weights::stands).or_else(|| places().next())?;
        let experts = self.mixture.experts;
        if !self.as_row {
            return Some(place.vector(experts));
        }
        let reading = Reading { transposed: true, ..Reading::default() };
        let part = Part { reading, ..Part::whole(place.path(), vec![1, experts]) };
        Some(place.vector_of(experts, vec![part]))
    }
}

/// Whether each layer has experts: `mlp_layer_types`, or where that is absent all from
/// `first_k_dense_replace` on, of which there are `dense` where it is absent too.
pub fn sparse_layers(fields: &Fields<'_>, layers: usize, dense: usize) -> Result<Vec<bool>, Error> {
    let dense = fields.optional_count("first_k_dense_replace", 1 << 12)?.unwrap_or(dense);
    let name = "mlp_layer_types";
    let Some(types) = fields.texts(name)? else {
        return Ok((0..layers).map(|layer| layer >= dense).collect());
    };
    if types.len() != layers {
        let expected = format!("{layers} entries, as num_hidden_layers says");
        return Err(fields.wrong_as(name, format!("a list of {}", types.len()), &expected));
    }
    let of = |kind: &&str| match *kind {
        "sparse" => Ok(true),
        "dense" => Ok(false),
        _ => Err(fields.wrong_as(name, format!("{kind:?}"), "dense or sparse")),
    };
    types.iter().map(of).collect()
}

/// Reads fields of other programs that say what is always so here, or that only training uses.
pub fn accept(fields: &Fields<'_>, always: &[(&str, &str)], ignored: &[&str]) -> Result<(), Error> {
    for name in ignored {
        fields.get(name);
    }
    for (name, expected) in always {
        let found = fields.get(name).map(|value| value.to_string().replace('"', ""));
        if found.is_some_and(|found| found != *expected) {
            return Err(fields.wrong(name, expected));
        }
    }
    Ok(())
}
