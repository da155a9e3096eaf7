//! Which model computes which architecture, and what it is opened into.

use std::collections::HashSet;

use tyto_checkpoint::{Checkpoint, Pooling, StoredType};
use tyto_graph::{Layout, RopeTable};

use crate::config::{Fields, Sizes};
use crate::error::Error;
use crate::fuse;
use crate::memory::{KvLayer, LayerMemory};
use crate::models;
use crate::moves::{self, Moves};
use crate::purpose::{Purpose, SCORE_FIELDS};
use crate::stored::Stored;
use crate::tie::{Tied, tie};
use crate::trace::{Alias, Step, StepShape, Tensor, Trace, TraceOptions, Traced, Weights};
use crate::weights::{Part, WeightUse, check_part};

/// One architecture: the configuration it reads, its maths, and where its checkpoints depart
/// from its own names.
pub trait Model: 'static {
    /// What it reads from `config.json`.
    type Config: 'static;

    /// The name in errors.
    const NAME: &'static str;
    /// Names in `architectures`.
    const ARCHITECTURES: &'static [&'static str];
    /// Names in `architectures` of the same without a head, of which vectors of texts are made. Where
    /// there are none, its head always gives logits.
    const BARE: &'static [&'static str] = &[];
    /// Names in `architectures` of the same with a head that gives one number, and which token's
    /// hidden state it looks at.
    const SCORED: Option<(&'static [&'static str], Pooling)> = None;
    /// Where the model is inside of one with a head; without one its files may lack the place.
    const ROOT: &'static str = "model";
    /// Names in `model_type`.
    const MODEL_TYPES: &'static [&'static str];
    /// Exceptions to the names that [`Model::forward`] uses.
    const WEIGHTS: &'static [WeightRule];
    /// Whether positions have a table, beyond which there are none.
    const POSITION_TABLE: bool = false;

    /// Reads the configuration; the caller refuses what is left unread.
    fn config(fields: &Fields<'_>) -> Result<Self::Config, Error>;

    /// What others need to know.
    fn outline(config: &Self::Config) -> Outline;

    /// Ids to logits, `[rows, vocabulary]`, or to what the step's head says.
    fn forward<'t>(config: &Self::Config, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t>;
}

/// Where a checkpoint departs from a model's names. `*` stands for one part of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightRule {
    /// With `tie_word_embeddings`, the first name is read from the second.
    Tied(&'static str, &'static str),
    /// A tensor that old exports carry and that nothing reads.
    Ignore(&'static str),
    /// All tensors below a place that nothing reads: `mtp` stands for `mtp.norm.weight`.
    IgnoreBelow(&'static str),
    /// The first place is the second one in files that have tensors there: models that also see
    /// keep their text model in a place of its own.
    Inside(&'static str, &'static str),
}

/// What others need to know of a model.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Its sizes.
    pub sizes: Sizes,
    /// Whether the configuration ties the head to the embedding.
    pub tied: bool,
    /// Whether a rotary table depends on the length of the sequence.
    pub needs_length: bool,
    /// What each layer keeps.
    pub memory: Vec<LayerMemory>,
    /// Layers behind the last that files hold and that nothing reads: they predict further tokens.
    pub further: usize,
    /// Whether tokens see those behind them, so that a text is computed in one step.
    pub whole: bool,
    /// How many kinds of texts in a step's text it tells apart: ids of the second are counted from the
    /// size of the vocabulary on.
    pub segments: usize,
}

impl Outline {
    /// Of a model whose tokens see all others, and that writes nothing after them.
    pub fn whole(sizes: &Sizes) -> Self {
        Self {
            memory: vec![LayerMemory::default(); sizes.layers],
            sizes: sizes.clone(),
            tied: false,
            needs_length: false,
            further: 0,
            whole: true,
            segments: 1,
        }
    }

    /// Of a model whose layers all cache keys and values of these sizes, with these rotary tables.
    pub fn attending(sizes: &Sizes, tied: bool, tables: &[&RopeTable]) -> Self {
        let Sizes { kv_heads, head_dim, layers, .. } = *sizes;
        let kv = KvLayer { heads: kv_heads, head_dim };
        Self {
            memory: vec![kv.into(); layers],
            sizes: sizes.clone(),
            tied,
            needs_length: tables.iter().any(|table| table.needs_length()),
            further: 0,
            whole: false,
            segments: 1,
        }
    }
}

/// What is true of an opened model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFacts {
    /// The architecture, as in `model_type`.
    pub architecture: String,
    /// Rows of the embedding and of the logits.
    pub vocab_size: usize,
    /// Positions that the model was made for.
    pub context_length: usize,
    /// Width of the residual stream.
    pub hidden_size: usize,
    /// What it is for.
    pub purpose: Purpose,
    /// Numbers in a row of what a step gives: logits, or what the purpose makes of hidden states.
    pub width: usize,
    /// Number of blocks.
    pub layers: usize,
    /// What each layer keeps.
    pub memory: Vec<LayerMemory>,
    /// Whether tokens see those behind them: a step has one text, and all of it.
    pub whole: bool,
    /// How many kinds of texts in a step's text it tells apart.
    pub segments: usize,
    /// Whether steps have the input `lengths`.
    pub needs_length: bool,
    /// Parameters, a shared tensor counted once.
    pub parameter_count: usize,
    /// The stored type that most parameters have.
    pub stored_dtype: StoredType,
}

/// A model whose configuration has been read.
pub struct LoadedModel {
    model: Box<dyn Opened>,
    facts: ModelFacts,
    aliases: Vec<Alias>,
    warnings: Vec<String>,
    stored: Stored,
    /// Places that are elsewhere in this checkpoint.
    moves: Moves,
}

/// Picks the architecture of a checkpoint, reads its configuration strictly, and checks that
/// every tensor that the model needs is there with its shape and none is left over.
pub fn open(checkpoint: &Checkpoint) -> Result<LoadedModel, Error> {
    let model = open_config(checkpoint)?;
    let outline = model.outline();
    let purpose = purpose_of(checkpoint, model.as_ref(), &outline)?;
    let moves = Moves::of(checkpoint, model.rules());
    let moves =
        if purpose == Purpose::Text { moves } else { moves.of_bare(checkpoint, model.root()) };
    let rules = if outline.tied { model.rules() } else { &[] };
    let Tied { aliases, warnings } = tie(checkpoint, rules, &moves)?;
    let facts = ModelFacts {
        architecture: model.model_type().to_owned(),
        vocab_size: outline.sizes.vocabulary,
        context_length: outline.sizes.positions,
        hidden_size: outline.sizes.hidden,
        width: purpose.width(outline.sizes.hidden, outline.sizes.vocabulary),
        purpose,
        layers: outline.sizes.layers,
        memory: outline.memory,
        whole: outline.whole,
        segments: outline.segments,
        needs_length: outline.needs_length,
        parameter_count: 0,
        stored_dtype: StoredType::F32,
    };
    let stored = Stored::of(checkpoint);
    let mut loaded = LoadedModel { model, facts, aliases, warnings, stored, moves };
    let parts = loaded.parts()?;
    loaded.check_parts(checkpoint, &parts)?;
    loaded.count(checkpoint, &parts)?;
    Ok(loaded)
}

impl ModelFacts {
    /// What each layer with attention caches.
    pub fn kv(&self) -> impl Iterator<Item = KvLayer> + '_ {
        self.memory.iter().filter_map(|layer| layer.kv)
    }

    /// Whether a layer keeps a state that a token cannot be taken out of again.
    pub fn is_recurrent(&self) -> bool {
        self.memory.iter().any(|layer| layer.recurrent.is_some())
    }
}

impl LoadedModel {
    /// What is true of the model.
    pub fn facts(&self) -> &ModelFacts {
        &self.facts
    }

    /// Whether there is nothing beyond the positions that the model was made for.
    pub fn has_position_table(&self) -> bool {
        self.model.has_position_table()
    }

    /// What a person should hear, such as a head that is not tied although the configuration
    /// says so.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The checkpoint's formats of the tensors that make a weight, each once: `Q4_1`,
    /// `affine 4-bit group 64`, `BF16`.
    pub fn stored_formats(&self, weight: &WeightUse) -> Vec<&str> {
        let mut formats = Vec::new();
        for part in &weight.parts {
            let format = self.stored.format(&part.tensor);
            formats.extend(format.filter(|format| !formats.contains(format)));
        }
        formats
    }

    /// Traces one step. Costs time in proportion to the number of layers; reads no weights.
    pub fn trace(
        &self,
        name: &str,
        shape: &StepShape,
        options: &TraceOptions,
    ) -> Result<Traced, Error> {
        self.check_shape(name, shape, options)?;
        let trace = Trace::new(name, *options, self.aliases.clone());
        let trace = trace.with_blocks(self.stored.blocks()).with_names(self.stored.names());
        let trace = trace.with_moves(self.moves.clone()).with_head(self.facts.purpose.head());
        let step = trace.step(shape, &self.facts.memory, self.facts.needs_length);
        let rows = self.model.forward(trace.weights(), &step);
        trace.output("logits", self.facts.purpose.finish(&trace.weights(), rows));
        let traced = trace.finish()?;
        if options.fuse_siblings { fuse::siblings(traced) } else { Ok(traced) }
    }

    /// Checks that every tensor that the model names is in the checkpoint with its shape and
    /// that none is left over.
    pub fn check(&self, checkpoint: &Checkpoint) -> Result<(), Error> {
        self.check_parts(checkpoint, &self.parts()?)
    }

    fn check_parts(&self, checkpoint: &Checkpoint, parts: &[Part]) -> Result<(), Error> {
        for part in parts {
            check_part(checkpoint, part)?;
        }
        let used: HashSet<&str> = parts.iter().map(|part| part.tensor.as_str()).collect();
        let further = self.further();
        let known = |name: &str| {
            used.contains(name)
                || self.aliases.iter().any(|alias| alias.name == name)
                || (self.facts.purpose != Purpose::Text && name == LOGITS_HEAD)
                || self.model.rules().iter().any(|rule| rule.ignores(name, &self.moves))
                || further.iter().any(|place| moves::below(name, place).is_some())
        };
        match checkpoint.tensors().find(|tensor| !known(tensor.name)) {
            None => Ok(()),
            Some(tensor) => Err(Error::UnknownTensor {
                file: tensor.file.into(),
                tensor: tensor.name.into(),
                architecture: self.model.name(),
                config: checkpoint.config_file(),
            }),
        }
    }

    /// The places of layers behind the last.
    fn further(&self) -> Vec<String> {
        let outline = self.model.outline();
        let behind = self.facts.layers..self.facts.layers + outline.further;
        behind.map(|layer| self.moves.resolve(&format!("model.layers.{layer}")).into()).collect()
    }

    /// Counts parameters and finds the type that most of them have.
    fn count(&mut self, checkpoint: &Checkpoint, parts: &[Part]) -> Result<(), Error> {
        let mut of_type: Vec<(StoredType, usize)> = Vec::new();
        let mut counted = HashSet::new();
        // Several parts may be rows of one tensor.
        for part in parts.iter().filter(|part| counted.insert(&part.tensor)) {
            let tensor = checkpoint.expect_tensor(&part.tensor, &part.shape)?;
            match of_type.iter_mut().find(|(dtype, _)| *dtype == tensor.dtype) {
                Some((_, count)) => *count += tensor.elements(),
                None => of_type.push((tensor.dtype, tensor.elements())),
            }
        }
        self.facts.parameter_count = of_type.iter().map(|(_, count)| count).sum();
        let most = of_type.iter().max_by_key(|(_, count)| *count);
        self.facts.stored_dtype = most.map_or(StoredType::F32, |(dtype, _)| *dtype);
        Ok(())
    }

    /// The tensors that every step uses, found by the smallest one.
    pub(crate) fn parts(&self) -> Result<Vec<Part>, Error> {
        let shape = StepShape { batch: 1, tokens: 1, context: 1, rows: 1 };
        let options = TraceOptions {
            weight_dtype: tyto_graph::DType::F32,
            kv_type: tyto_graph::KvType::Float(tyto_graph::DType::F32),
            block_size: 1,
            max_blocks: 1,
            layout: |_, _, _| Layout::RowMajor,
            fuse_siblings: false,
            keep_blocks: false,
        };
        let traced = self.trace("check", &shape, &options)?;
        Ok(traced.weights.into_iter().flat_map(|weight| weight.parts).collect())
    }

    pub(crate) fn stored_mut(&mut self) -> &mut Stored {
        &mut self.stored
    }

    fn check_shape(
        &self,
        name: &str,
        shape: &StepShape,
        options: &TraceOptions,
    ) -> Result<(), Error> {
        let flat = shape.batch.checked_mul(shape.tokens).unwrap_or(0);
        let multiple = format!("a multiple of the block size, {}", options.block_size);
        let blocks = options.block_size > 0 && shape.context.is_multiple_of(options.block_size);
        let rules = [
            (flat > 0, "batch × tokens", flat, "at least 1".to_owned()),
            (shape.rows > 0, "rows", shape.rows, "at least 1".to_owned()),
            (blocks && shape.context > 0, "context", shape.context, multiple),
            (
                !self.facts.whole || shape.batch == 1,
                "batch",
                shape.batch,
                "1: every token sees all of the step's".to_owned(),
            ),
            (options.max_blocks > 0, "max_blocks", options.max_blocks, "at least 1".to_owned()),
        ];
        match rules.into_iter().find(|(holds, ..)| !holds) {
            None => Ok(()),
            Some((_, what, found, expected)) => {
                Err(Error::Step { name: name.into(), what, found, expected })
            }
        }
    }
}

impl WeightRule {
    /// With `tie_word_embeddings`, `name` is read from `target`.
    pub const fn tied(name: &'static str, target: &'static str) -> Self {
        Self::Tied(name, target)
    }

    /// A tensor that nothing reads.
    pub const fn ignore(pattern: &'static str) -> Self {
        Self::Ignore(pattern)
    }

    /// Whether nothing reads the tensor, whether the rule's place is moved or not.
    fn ignores(&self, name: &str, moves: &Moves) -> bool {
        match self {
            Self::IgnoreBelow(place) => [*place, &*moves.resolve(place)]
                .iter()
                .any(|place| moves::below(name, place).is_some_and(|rest| !rest.is_empty())),
            Self::Ignore(pattern) => [*pattern, &*moves.resolve(pattern)]
                .iter()
                .any(|pattern| Self::matches(pattern, name)),
            _ => false,
        }
    }

    fn matches(pattern: &str, name: &str) -> bool {
        let (mut pattern, mut name) = (pattern.split('.'), name.split('.'));
        loop {
            match (pattern.next(), name.next()) {
                (None, None) => return true,
                (Some(part), Some(found)) if part == "*" || part == found => {}
                _ => return false,
            }
        }
    }
}

/// A matrix that models leave unread which write no text.
const LOGITS_HEAD: &str = "lm_head.weight";

/// What a checkpoint is for, which the files beside it say.
fn purpose_of(
    checkpoint: &Checkpoint,
    model: &dyn Opened,
    outline: &Outline,
) -> Result<Purpose, Error> {
    let architectures = checkpoint.config().get("architectures").and_then(|list| list.as_array());
    let is_bare = architectures.into_iter().flatten().any(|name| {
        let name = name.as_str().unwrap_or_default();
        model.bare().contains(&name)
    });
    let scored = model.scored().filter(|(names, _)| {
        let named = checkpoint.config().get("architectures").and_then(|list| list.as_array());
        let name_of = |name: &serde_json::Value| name.as_str().is_some_and(|n| names.contains(&n));
        named.into_iter().flatten().any(name_of)
    });
    if let Some((_, pooling)) = scored {
        return Purpose::rerank(checkpoint, pooling);
    }
    match checkpoint.sentence() {
        Some(_) if model.bare().is_empty() => Err(Error::NoEmbeddings {
            file: checkpoint.path().join("modules.json"),
            architecture: model.name(),
            supported: join(rows().filter(|row| !row.bare.is_empty()).map(|row| row.name)),
        }),
        Some(modules) => Purpose::embedding(checkpoint, modules, outline.sizes.hidden),
        // What sees behind itself cannot say what comes next.
        None if is_bare || outline.whole => {
            Err(Error::NoPooling { file: checkpoint.config_file(), architecture: model.name() })
        }
        None => Ok(Purpose::Text),
    }
}

fn join(names: impl Iterator<Item = &'static str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// A model with its configuration, whatever its type.
trait Opened {
    fn name(&self) -> &'static str;
    fn bare(&self) -> &'static [&'static str];
    fn root(&self) -> &'static str;
    fn scored(&self) -> Option<(&'static [&'static str], Pooling)>;
    fn model_type(&self) -> &str;
    fn rules(&self) -> &'static [WeightRule];
    fn has_position_table(&self) -> bool;
    fn outline(&self) -> Outline;
    fn forward<'t>(&self, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t>;
}

struct Configured<M: Model> {
    model_type: String,
    config: M::Config,
}

impl<M: Model> Opened for Configured<M> {
    fn name(&self) -> &'static str {
        M::NAME
    }

    fn bare(&self) -> &'static [&'static str] {
        M::BARE
    }

    fn root(&self) -> &'static str {
        M::ROOT
    }

    fn scored(&self) -> Option<(&'static [&'static str], Pooling)> {
        M::SCORED
    }

    fn model_type(&self) -> &str {
        &self.model_type
    }

    fn rules(&self) -> &'static [WeightRule] {
        M::WEIGHTS
    }

    fn has_position_table(&self) -> bool {
        M::POSITION_TABLE
    }

    fn outline(&self) -> Outline {
        M::outline(&self.config)
    }

    fn forward<'t>(&self, w: Weights<'t>, step: &Step<'t>) -> Tensor<'t> {
        M::forward(&self.config, w, step)
    }
}

/// A line of the table of models.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) architectures: &'static [&'static str],
    pub(crate) bare: &'static [&'static str],
    pub(crate) scored: &'static [&'static str],
    pub(crate) model_types: &'static [&'static str],
    open: Open,
}

/// Reads a configuration; also given the `model_type`.
type Open = fn(&Fields<'_>, &str) -> Result<Box<dyn Opened>, Error>;

/// The line of a model.
pub(crate) const fn row<M: Model>() -> Row {
    Row {
        name: M::NAME,
        architectures: M::ARCHITECTURES,
        bare: M::BARE,
        scored: match M::SCORED {
            Some((names, _)) => names,
            None => &[],
        },
        model_types: M::MODEL_TYPES,
        open: |fields, model_type| {
            let config = M::config(fields)?;
            fields.refuse_unread(M::NAME)?;
            Ok(Box::new(Configured::<M> { model_type: model_type.to_owned(), config }))
        },
    }
}

/// Finds the model by `model_type` and `architectures`, which must not contradict each other.
fn open_config(checkpoint: &Checkpoint) -> Result<Box<dyn Opened>, Error> {
    let file = checkpoint.config_file();
    let fields = Fields::new(&file, checkpoint.config());
    for name in checkpoint.storage_fields() {
        // Read by the checkpoint, whose tensors are as the field says.
        fields.get(name);
    }
    // Models that see hold a text model of some type, which says how it computes.
    let inner = checkpoint.config().get("text_config").and_then(|text| text.get("model_type"));
    let own = fields.text("model_type")?;
    let model_type = inner.and_then(serde_json::Value::as_str).or(own);
    let architectures = fields.texts("architectures")?.unwrap_or_default();
    let fits = |row: &&Row| {
        let by_type = model_type.is_none_or(|name| row.model_types.contains(&name));
        let knows =
            |name| [row.architectures, row.bare, row.scored].iter().any(|list| list.contains(name));
        let named = architectures.iter().any(knows);
        by_type && (named || (architectures.is_empty() && model_type.is_some()))
    };
    let Some(row) = rows().find(fits) else {
        return Err(Error::UnknownArchitecture {
            file: file.clone(),
            found: format!("{architectures:?} (model_type {})", model_type.unwrap_or("absent")),
            supported: join(rows().map(|row| row.name)),
        });
    };
    if architectures.iter().any(|name| row.scored.contains(name)) {
        for name in SCORE_FIELDS {
            // Read where the purpose is found.
            fields.get(name);
        }
    }
    (row.open)(&fields, model_type.unwrap_or(row.model_types[0]))
}

fn rows() -> impl Iterator<Item = &'static Row> {
    models::GROUPS.iter().flat_map(|(_, rows)| *rows)
}
