//! Places that are elsewhere in some checkpoints.

use std::borrow::Cow;

use tyto_checkpoint::Checkpoint;

use crate::registry::WeightRule;

/// Which places of a model's names are which of a checkpoint's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moves(Vec<(&'static str, &'static str)>);

impl Moves {
    /// The rules that hold for a checkpoint: those to whose places it has tensors.
    pub(crate) fn of(checkpoint: &Checkpoint, rules: &[WeightRule]) -> Self {
        let stands = |place: &str| {
            checkpoint
                .tensors()
                .any(|tensor| below(tensor.name, place).is_some_and(|at| !at.is_empty()))
        };
        let moved = rules.iter().filter_map(|rule| match rule {
            WeightRule::Inside(place, wrapper) if stands(wrapper) => Some((*place, *wrapper)),
            _ => None,
        });
        Self(moved.collect())
    }

    /// The same for a model without a head, whose files may lack the place of what is inside of it:
    /// `norm.weight` stands for `model.norm.weight`.
    pub(crate) fn of_bare(mut self, checkpoint: &Checkpoint, inside: &'static str) -> Self {
        let stands = |name| below(name, inside).is_some_and(|at| !at.is_empty());
        if !checkpoint.names().any(stands) {
            self.0.push((inside, ""));
        }
        self
    }

    /// The checkpoint's name of what a model calls `name`.
    pub(crate) fn resolve<'n>(&self, name: &'n str) -> Cow<'n, str> {
        let moved = self.0.iter().find_map(|(place, wrapper)| Some((wrapper, below(name, place)?)));
        match moved {
            Some((wrapper, rest)) => match format!("{wrapper}{rest}") {
                moved if wrapper.is_empty() => Cow::Owned(moved.trim_start_matches('.').to_owned()),
                moved => Cow::Owned(moved),
            },
            None => Cow::Borrowed(name),
        }
    }
}

/// What of a name follows the place that it is at or below: empty, or with a dot.
pub(crate) fn below<'n>(name: &'n str, place: &str) -> Option<&'n str> {
    name.strip_prefix(place).filter(|rest| rest.is_empty() || rest.starts_with('.'))
}
