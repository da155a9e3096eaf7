//! Heads that are tied to their embedding.

use tyto_checkpoint::{Checkpoint, Tensor};

use crate::error::Error;
use crate::moves::Moves;
use crate::registry::WeightRule;
use crate::trace::Alias;

/// Names that are read from others, as transformers ties a head to its embedding: where the
/// file holds only one of the two, that one; where it holds both, they are one if they are
/// equal. Where they differ the file is right and the configuration wrong: nothing is tied,
/// with a warning.
pub(crate) fn tie(
    checkpoint: &Checkpoint,
    rules: &[WeightRule],
    moves: &Moves,
) -> Result<Tied, Error> {
    let mut tied = Tied::default();
    for rule in rules {
        let WeightRule::Tied(name, target) = *rule else { continue };
        let (name, target) = (&*moves.resolve(name), &*moves.resolve(target));
        let alias = |name: &str, target: &str| Alias { name: name.into(), target: target.into() };
        // Of two places of the embedding, that of the file.
        let known = tied.aliases.iter().any(|alias| alias.name == name);
        match (checkpoint.tensor(name), checkpoint.tensor(target)) {
            (None, None) => {}
            _ if known => {}
            (Some(_), None) => tied.aliases.push(alias(target, name)),
            (Some(head), Some(table)) if !same(head, table)? => tied.warnings.push(format!(
                "{}: tie_word_embeddings is true, but {name:?} and {target:?} differ; \
                 both are used as they are",
                checkpoint.config_file().display()
            )),
            _ => tied.aliases.push(alias(name, target)),
        }
    }
    Ok(tied)
}

/// What [`tie`] found.
#[derive(Default)]
pub(crate) struct Tied {
    pub(crate) aliases: Vec<Alias>,
    pub(crate) warnings: Vec<String>,
}

/// Whether two tensors hold the same values.
fn same(one: Tensor<'_>, other: Tensor<'_>) -> Result<bool, Error> {
    if one.shape != other.shape {
        return Ok(false);
    }
    if let (true, Some(one), Some(other)) = (one.dtype == other.dtype, one.bytes(), other.bytes()) {
        return Ok(one == other);
    }
    Ok(one.to_f32()? == other.to_f32()?)
}
