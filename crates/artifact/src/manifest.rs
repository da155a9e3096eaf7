//! manifest.json: everything about an artifact except the bytes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The schema this build writes, and the only one it reads.
pub const SCHEMA_VERSION: u32 = 2;

/// The whole manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this format: [`SCHEMA_VERSION`] when written.
    pub schema_version: u32,
    /// The Tyto that wrote it.
    pub tyto_version: String,
    /// The model.
    pub model: ModelFacts,
    /// One entry for each target it was compiled for.
    pub targets: Vec<Target>,
    /// The weight files and what is in them.
    pub weights: Vec<WeightFile>,
    /// What compiled it.
    pub compiler: CompilerVersions,
    /// A fingerprint of everything the artifact was made from; equal inputs have
    /// equal fingerprints, so that a second compile can reuse the first.
    pub inputs: String,
    /// Every file but this one, by its path inside the artifact.
    pub files: BTreeMap<String, FileEntry>,
}

/// What is known of the model without its weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFacts {
    /// Name for people and for the API.
    pub name: String,
    /// The architecture as Tyto names it (`llama`, `qwen3`, …).
    pub architecture: String,
    /// The files it was read from, without their directory.
    pub source_files: Vec<String>,
    /// Number of weights.
    pub parameter_count: u64,
    /// Rows of the embedding, and length of a row of logits, where rows are those.
    pub vocab_size: usize,
    /// Positions a sequence can have.
    pub context_length: usize,
    /// Number of layers.
    pub layers: usize,
    /// Element type of the activations (`f32`, `bf16`, …).
    pub dtype: String,
    /// The key and value cache of each layer that has one.
    pub kv: Vec<KvLayer>,
    /// Element type of the cache, or its format where it is quantized (`q8_0`, `q4_0`,
    /// `f8e4m3`).
    pub kv_dtype: String,
    /// Positions in one block of the cache.
    pub block_size: usize,
    /// Blocks that serving uses unless told otherwise.
    pub default_blocks: usize,
    /// Set where the model makes something else of a text than more text: a vector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pooled: Option<Pooled>,
}

/// What becomes of a text's hidden states, where they are no logits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pooled {
    /// What comes out.
    pub kind: PooledKind,
    /// Which of the rows that entry points return count.
    pub pooling: Pooling,
    /// Numbers in a row.
    pub width: usize,
    /// Whether the vector is divided by its length.
    pub normalize: bool,
    /// Whether tokens see those behind them, so that a text is computed in one call.
    #[serde(default, skip_serializing_if = "is_false")]
    pub whole: bool,
    /// How many texts in one it tells apart: ids of the second are counted from the vocabulary's size
    /// on.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub segments: usize,
    /// Whether a score is the logistic of what comes out.
    #[serde(default, skip_serializing_if = "is_false")]
    pub logistic: bool,
    /// Texts that are put before others, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prompts: BTreeMap<String, String>,
    /// The name of the one that is taken where nobody asks for another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_prompt: Option<String>,
}

/// What a model makes of a text, where that is not more text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PooledKind {
    /// A vector.
    Embedding,
    /// A score: how well a text answers another.
    Rerank,
}

impl PooledKind {
    /// As the manifest has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Embedding => "embedding",
            Self::Rerank => "rerank",
        }
    }
}

/// Which rows of a text count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// That of the last token.
    Last,
    /// The mean of all.
    Mean,
    /// That of the first token.
    First,
}

/// The cache of one layer: keys and values of this shape for each position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct KvLayer {
    /// Key and value heads.
    pub heads: usize,
    /// Elements of one head.
    pub head_dim: usize,
}

/// Code for one kind of machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// `cpu` for the machine it was compiled on, `cpu:x86-64-v3`, `gfx1151:amdgpu`, … .
    pub name: String,
    /// The driver that runs it (`local-task`, `amdgpu`, …).
    pub driver: String,
    /// The instruction set it was compiled for (`x86_64`, `aarch64`, `gfx1151`).
    pub arch: String,
    /// CPU features the code uses without asking; the machine must have them all.
    pub cpu_features: Vec<String>,
    /// The compiled modules.
    pub modules: Vec<String>,
    /// The functions that can be called.
    pub entries: Vec<EntryPoint>,
    /// Which body serves which operation.
    pub choices: Vec<KernelChoice>,
    /// The compiler's options.
    pub compile_flags: Vec<String>,
    /// The weight file this target uses, as named in [`Manifest::weights`].
    pub weights: String,
    /// Set where the entry points are phase programs; otherwise they are plain compiled code.
    /// The two have different calling conventions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phases: Option<Phases>,
    /// Blocks of the cache, where the code is for this number only; otherwise any will do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_blocks: Option<usize>,
    /// Functions of [`Target::entries`] whose recorded steps can stay on a GPU as programs of its
    /// command processor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pm4_entries: Vec<String>,
}

impl Target {
    /// Whether it is code of a GPU, which no CPU runs.
    pub fn is_gpu(&self) -> bool {
        self.arch.starts_with("gfx") || self.arch.starts_with("sm_")
    }
}

/// What phase programs need of whoever runs them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phases {
    /// The version of the structures that programs share with their helpers
    /// (`TY_ABI_VERSION` in `kernels-cpu/program.h`).
    pub abi_version: u32,
    /// Bytes of scratch memory for all workers together: the most that any entry point needs.
    pub shared_bytes: u64,
    /// Bytes of scratch memory for each worker: the most that any entry point needs.
    pub private_bytes: u64,
    /// Bytes of one block of the cache, keys and values of all layers together.
    pub block_bytes: u64,
    /// Bytes that recurrent layers keep of a sequence; 0 where there are none. The cache then
    /// begins with a slot for each sequence of a step, and rows of the block tables have one more
    /// entry, which names it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub slot_bytes: u64,
    /// Rows of a decode call that come out with the bits that each has alone, and of which several
    /// may be tokens of one sequence that follow one another; 0 where a sequence may have only one.
    /// With recurrent layers the slot of such a row is where the state after its token goes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shared_rows: u64,
    /// Whether a digest stands behind each row of logits ([`RowDigest`](crate::RowDigest)), for rows
    /// whose temperature follows the list of sampled rows.
    #[serde(default, skip_serializing_if = "is_false")]
    pub digests: bool,
}

fn one() -> usize {
    1
}

fn is_one(count: &usize) -> bool {
    *count == 1
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_zero(bytes: &u64) -> bool {
    *bytes == 0
}

impl Phases {
    /// Bytes of so many copies of recurrent states, which lie beside the cache.
    pub fn snapshot_bytes(&self, snapshots: usize) -> u64 {
        self.slot_bytes.saturating_mul(snapshots as u64)
    }

    /// Blocks at the cache's begin that hold the slots of so many sequences.
    pub fn slot_blocks(&self, sequences: usize) -> u64 {
        self.slot_bytes.saturating_mul(sequences as u64).div_ceil(self.block_bytes.max(1))
    }
}

/// A function of a compiled module, for one shape bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryPoint {
    /// Its full name, with the module's.
    pub function: String,
    /// What it does.
    pub kind: EntryKind,
    /// Sequences in one call.
    pub batch: usize,
    /// Tokens of one sequence in one call.
    pub tokens: usize,
    /// Positions it covers.
    pub context: usize,
    /// Rows of logits it returns.
    pub rows: usize,
}

/// What an entry point does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// One token for each of several sequences.
    Decode,
    /// Several tokens of a prompt.
    Prefill,
}

/// Which body an operation got, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelChoice {
    /// The operation.
    pub op: String,
    /// The format of its weights or elements.
    pub format: String,
    /// Its shape, in words.
    pub shape: String,
    /// How often it occurs.
    pub count: usize,
    /// The body.
    pub body: Choice,
    /// Why this one; for a conversion, what is lost.
    pub reason: String,
}

/// The bodies an operation can get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// A kernel of ours.
    Native,
    /// Plain operations that the compiler schedules.
    Decomposed,
    /// Another format than the model's.
    Converted,
    /// None: compilation stopped here.
    Refused,
}

/// One weight file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeightFile {
    /// Its path inside the artifact.
    pub path: String,
    /// Its tensors, in the order of their offsets.
    pub tensors: Vec<WeightTensor>,
}

/// One tensor of a weight file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeightTensor {
    /// The name that compiled code asks for.
    pub name: String,
    /// Element type or block format.
    pub dtype: String,
    /// Dimensions in elements.
    pub shape: Vec<usize>,
    /// Where its bytes start in the file.
    pub offset: u64,
    /// How many bytes it has.
    pub bytes: u64,
    /// How the bytes are arranged (`plain`, or a packing's name).
    pub layout: String,
}

/// The versions of what compiled an artifact.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompilerVersions {
    /// IREE's compiler.
    pub iree: String,
    /// LLVM and MLIR.
    pub llvm: String,
    /// melior.
    pub melior: String,
}

/// Size and hash of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its length.
    pub bytes: u64,
    /// BLAKE3 of its content, in hexadecimal.
    pub blake3: String,
}

impl Manifest {
    /// The weight file of a path in [`Manifest::weights`].
    pub fn weight_file(&self, path: &str) -> Option<&WeightFile> {
        self.weights.iter().find(|file| file.path == path)
    }
}

impl ModelFacts {
    /// Numbers in a row that an entry point returns.
    pub fn row_width(&self) -> usize {
        self.pooled.as_ref().map_or(self.vocab_size, |pooled| pooled.width)
    }

    /// Elements that the cache's type keeps together, and bytes of these; `None` for a type this
    /// build does not know.
    pub fn kv_group(&self) -> Option<(usize, usize)> {
        match self.kv_dtype.as_str() {
            "f32" => Some((1, 4)),
            "f16" | "bf16" => Some((1, 2)),
            "f8e4m3" | "f8e5m2" | "i8" => Some((1, 1)),
            "q8_0" => Some((32, 34)),
            "q4_0" => Some((32, 18)),
            _ => None,
        }
    }

    /// Bytes of the keys and values in one block of the cache, of all layers together; `None`
    /// for an element type this build does not know. More than any memory stays that.
    pub fn kv_block_bytes(&self) -> Option<u64> {
        let (group, bytes) = self.kv_group()?;
        let of_layer = |layer: &KvLayer| {
            let groups = layer.head_dim.div_ceil(group) as u64;
            (layer.heads as u64).saturating_mul(groups).saturating_mul(2)
        };
        let groups = self.kv.iter().map(of_layer).fold(0, u64::saturating_add);
        Some(groups.saturating_mul(bytes as u64).saturating_mul(self.block_size as u64))
    }
}
