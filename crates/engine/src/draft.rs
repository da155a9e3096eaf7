//! The artifact of a model that guesses for another: whether it can, and its loading.

use std::path::Path;

use tyto_artifact::{Artifact, HostTarget, Target};
use tyto_text::TextModel;

use crate::executor::{Executor, ExecutorError};
use crate::iree::LoadOptions;
use crate::open::{OpenError, OpenOptions, check_phases, load_on_cpu};
use crate::pooled::purpose;

/// A model that guesses, on the processor.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    artifact: Artifact,
    target: Target,
    load: LoadOptions,
}

impl Draft {
    /// Opens the artifact at `path` as a draft for `target` of `model`, with a cache for as many
    /// positions as the model's.
    pub(crate) fn open(
        path: &Path,
        model: &Artifact,
        target: &Target,
        text: &TextModel,
        load: &LoadOptions,
    ) -> Result<Self, OpenError> {
        let refuse = |reason: String| OpenError::Draft {
            path: path.to_owned(),
            model: model.path().to_owned(),
            reason,
        };
        let artifact = Artifact::open(path)?;
        check_kinds(model, &artifact).map_err(refuse)?;
        if target.phases.is_none_or(|phases| phases.shared_rows < 2) {
            return Err(refuse(format!(
                "target {} of the model checks no guesses: that takes phase programs of this version \
                 for a processor or an AMD GPU; compile the model again for one of these",
                target.name
            )));
        }
        let own = artifact.select_target(&HostTarget::detect())?.clone();
        check_phases(path, &own)?;
        if own.phases.is_some_and(|phases| phases.slot_bytes > 0) {
            return Err(refuse(
                "it has recurrent layers, and a draft keeps no state for each of its guesses; expected \
                 a model without them"
                    .into(),
            ));
        }
        same_vocabulary(text, &TextModel::load(&path.join("tokenizer"))?).map_err(refuse)?;
        let (facts, own_facts) = (&model.manifest().model, &artifact.manifest().model);
        let positions = load.blocks.unwrap_or(facts.default_blocks) * facts.block_size;
        let blocks = Some(positions.div_ceil(own_facts.block_size));
        let load = LoadOptions { blocks, ..load.clone() };
        Ok(Self { artifact, target: own, load })
    }

    /// Loads it.
    pub(crate) fn load(self) -> Result<Box<dyn Executor>, ExecutorError> {
        let options = OpenOptions { load: self.load, ..OpenOptions::default() };
        load_on_cpu(&self.artifact, &self.target, &options)
    }

    /// Bytes of its weights and its cache.
    pub(crate) fn bytes(&self) -> u64 {
        let blocks = self.load.blocks.unwrap_or(self.artifact.manifest().model.default_blocks);
        let memory = self.artifact.memory_needed(&self.target, blocks);
        memory.weights_bytes.saturating_add(memory.kv_bytes)
    }
}

/// Only who writes text has something to guess, and only who writes text guesses. Neither is for
/// want of a target, so it is told before what targets lack.
fn check_kinds(model: &Artifact, draft: &Artifact) -> Result<(), String> {
    let purpose_of = |artifact: &Artifact| {
        artifact.manifest().model.pooled.as_ref().map(|pooled| purpose(pooled.kind))
    };
    match (purpose_of(model), purpose_of(draft)) {
        (Some(does), _) => {
            Err(format!("the model {does} and writes no text: --draft is of no use, leave it out"))
        }
        (None, Some(does)) => Err(format!(
            "it {does} and writes no text; expected a model of text with the same tokenizer"
        )),
        (None, None) => Ok(()),
    }
}

/// Two models can only guess for one another if every id means the same to both.
fn same_vocabulary(model: &TextModel, draft: &TextModel) -> Result<(), String> {
    let (size, own) = (model.vocab_size(), draft.vocab_size());
    if size != own {
        return Err(format!(
            "its tokenizer has {own} ids, the model's has {size}; expected the same"
        ));
    }
    let differs = |id: &u32| model.token(*id) != draft.token(*id);
    match (0..size as u32).find(differs) {
        None => Ok(()),
        Some(id) => {
            let token = |text: &TextModel| text.token(id).unwrap_or_default();
            let (expected, found) = (token(model), token(draft));
            Err(format!(
                "token {id} is {found:?} to it and {expected:?} to the model; expected the same \
                 tokenizer"
            ))
        }
    }
}
