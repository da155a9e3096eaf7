//! The whole way, in order.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tyto_artifact::{
    Artifact, ArtifactWriter, CompilerVersions, HostTarget, KernelChoice, KvLayer, Manifest,
    ModelFacts, Pooled, PooledKind, Pooling, SCHEMA_VERSION, Target as TargetEntry, WeightFile,
};
use tyto_checkpoint::{Checkpoint, SourceKind, StoredType};
use tyto_frontend::{Kept, LoadedModel, Purpose};
use tyto_graph::{DType, KvCode, KvType};
use tyto_iree_rt::Compiler;
use tyto_kernel_spec::Target;
use tyto_text::{TextModel, TextSources};

use crate::buckets::{BLOCK_SIZE, Buckets, DEFAULT_CONTEXT};
use crate::fingerprint::Fingerprint;
use crate::modules::{Compiled, Job, LIBRARY, compiler_error};
use crate::options::{CompileOptions, DEFAULT_SEQUENCES, Kernels, Progress};
use crate::quantized::{QuantizeReport, QuantizedTensor};
use crate::weights::Written;
use crate::{Error, choices, modules, quantized, weights};

/// Positions are exact in f32 up to here, and attention counts on it.
const MOST_CONTEXT: usize = 1 << 24;

/// LLVM and melior, as `versions.env` pins them.
const LLVM_VERSION: &str = "22";
const MELIOR_VERSION: &str = "0.27.8";

/// What was done.
#[derive(Clone, Debug)]
pub struct CompileReport {
    /// The artifact.
    pub artifact: PathBuf,
    /// The architecture.
    pub architecture: String,
    /// Number of parameters.
    pub parameters: usize,
    /// Positions of a sequence.
    pub context: usize,
    /// Modules compiled now.
    pub compiled: usize,
    /// Modules taken over from the artifact that was replaced.
    pub reused: usize,
    /// Bytes of all weight files.
    pub weight_bytes: u64,
    /// Whether every weight file was taken over.
    pub weights_reused: bool,
    /// What was quantized, where that was asked for.
    pub quantized: Option<QuantizeReport>,
    /// The body of each op, by target.
    pub choices: Vec<(String, Vec<KernelChoice>)>,
    /// How long it took.
    pub time: Duration,
}

/// Compiles a model. `progress` is called from this thread.
pub fn compile(
    options: &CompileOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<CompileReport, Error> {
    let start = Instant::now();
    check_quantize(options)?;
    // 1. Read everything that can be wrong before the slow part.
    let checkpoint = Checkpoint::open(&options.source)?;
    let mut model = tyto_frontend::open(&checkpoint)?;
    let kept = match options.quantize {
        Some(format) => model.quantize(&checkpoint, format)?,
        None => Vec::new(),
    };
    let facts = model.facts();
    let (architecture, parameters) = (facts.architecture.clone(), facts.parameter_count);
    progress(Progress::Model { architecture: architecture.clone(), parameters });
    for warning in model.warnings() {
        progress(Progress::Warning(warning.clone()));
    }
    for reason in Kept::reasons(&kept) {
        progress(Progress::Warning(format!("not quantized: {reason}")));
    }
    let text_files = checkpoint.text_files()?;
    check_text(&checkpoint, &text_files, facts, progress)?;
    let longest = longest_text(facts);
    let mut context = context_of(options, longest, model.has_position_table(), progress)?;
    let (weight_dtype, kv_type) = dtypes_of(options, facts.stored_dtype)?;
    check_kv_heads(kv_type, facts.kv())?;
    let compiler = Compiler::find(options.compiler.as_deref())
        .map_err(|source| compiler_error(LIBRARY, source))?;

    // An output that cannot be is found before the slow part; nothing is in its place until the
    // end.
    let mut writer = ArtifactWriter::new(&options.output, options.cancel.clone())?;
    for path in writer.removed() {
        let path = path.display();
        progress(Progress::Warning(format!("removed {path}, left by a compile that was killed")));
    }

    // 2. Compile, in memory.
    let previous = if options.force { None } else { Artifact::open(&options.output).ok() };
    let mut buckets = Buckets::new(context);
    if let Some((batches, chunks)) = &options.sizes {
        buckets = buckets.with_sizes(batches, chunks)?;
    }
    if facts.whole {
        let longest = buckets.longest_chunk();
        if longest < context {
            let text = format!(
                "its tokens see those behind them, so a text is computed in one call: texts have \
                 {longest} tokens at most, and not {context}; --batches 1 --chunks {context} takes \
                 longer ones"
            );
            progress(Progress::Warning(text));
            context = longest;
        }
        buckets = buckets.of_whole_texts();
    }
    if facts.purpose != Purpose::Text {
        buckets = buckets.without_answers(facts.purpose.wants_all_rows());
    }
    let previous = previous.as_ref();
    // An element type that was asked for is that of all matrices.
    let keep_blocks = options.weight_dtype.is_none();
    let job = Job {
        model: &model,
        buckets: &buckets,
        weight_dtype,
        kv_type,
        keep_blocks,
        gpu_blocks: pool(options.gpu_sequences, context),
        options,
        previous,
    };
    let revision = compiler.version().map_err(|e| compiler_error(LIBRARY, e))?.revision;
    let compiled: Vec<Compiled> = (options.targets.iter())
        .map(|target| {
            let mut compiled = modules::compile(&job, &compiler, &revision, *target, progress)?;
            let converted = choices::converted(&model, &compiled.weights);
            for choice in &converted {
                let KernelChoice { count, format, reason, .. } = choice;
                progress(Progress::Warning(format!(
                    "{target}: {count} {format} weights: {reason}"
                )));
            }
            compiled.choices.extend(converted);
            Ok(compiled)
        })
        .collect::<Result<_, Error>>()?;

    // 3. Write.
    let source = source_fingerprint(&checkpoint)?;
    for (name, bytes) in &text_files {
        writer.write(&format!("tokenizer/{name}"), bytes)?;
    }
    let mut files: Vec<WeightFile> = Vec::new();
    let mut errors: HashMap<String, Vec<QuantizedTensor>> = HashMap::new();
    let mut weights_reused = true;
    let mut targets = Vec::new();
    for target in &compiled {
        let path = weights::path(&source, &target.weights);
        if !files.iter().any(|file| file.path == path) {
            let Written { file, reused, quantized } = weights::write(
                &mut writer,
                &checkpoint,
                &path,
                &target.weights,
                previous,
                progress,
            )?;
            weights_reused &= reused;
            files.push(file);
            errors.insert(path.clone(), quantized);
        }
        write_code(&mut writer, target, previous)?;
        let mut entry = target_entry(target, path);
        entry.choices.extend(quantized::choices(&errors[&entry.weights]));
        targets.push(entry);
    }
    let count = |fresh: bool| {
        let modules = compiled.iter().flat_map(|target| &target.modules);
        modules.filter(|module| module.code.is_some() == fresh).count()
    };
    let report = CompileReport {
        artifact: options.output.clone(),
        architecture,
        parameters,
        context,
        compiled: count(true),
        reused: count(false),
        weight_bytes: files.iter().flat_map(|file| &file.tensors).map(|tensor| tensor.bytes).sum(),
        weights_reused,
        quantized: options.quantize.map(|format| {
            let tensors = files.iter().flat_map(|file| errors[&file.path].clone()).collect();
            QuantizeReport { format, tensors, kept }
        }),
        choices: targets.iter().map(|t| (t.name.clone(), t.choices.clone())).collect(),
        time: start.elapsed(),
    };
    let manifest = Manifest {
        schema_version: SCHEMA_VERSION,
        tyto_version: String::new(),
        model: model_facts(options, &checkpoint, &model, context, weight_dtype, kv_type),
        targets,
        weights: files,
        compiler: CompilerVersions {
            iree: revision,
            llvm: LLVM_VERSION.to_owned(),
            melior: MELIOR_VERSION.to_owned(),
        },
        inputs: source,
        files: std::collections::BTreeMap::new(),
    };
    writer.finish(manifest)?;
    Ok(CompileReport { time: start.elapsed(), ..report })
}

/// Refuses what cannot be together with quantized weights.
fn check_quantize(options: &CompileOptions) -> Result<(), Error> {
    let Some(format) = options.quantize else { return Ok(()) };
    let refused = |other: String, expected: &str| {
        let found = format!("{format} with {other}");
        Err(Error::Option { option: "--quantize", found, expected: expected.to_owned() })
    };
    if let Some(dtype) = options.weight_dtype {
        let expected = "one of the two: --dtype asks for weights that are not quantized";
        return refused(format!("--dtype {dtype}"), expected);
    }
    if options.kernels == Kernels::Never {
        let expected = "--kernels prefer or require: only our kernels read blocks";
        return refused("--kernels never".to_owned(), expected);
    }
    Ok(())
}

/// Refuses a quantized cache whose groups do not divide the heads of a layer.
fn check_kv_heads(
    kv_type: KvType,
    layers: impl Iterator<Item = tyto_frontend::KvLayer>,
) -> Result<(), Error> {
    let Some(code) = kv_type.code() else { return Ok(()) };
    for (layer, kv) in layers.enumerate() {
        if code.row_bytes(kv.head_dim).is_none() {
            let found = format!("{code} with head_dim {} in layer {layer}", kv.head_dim);
            let expected = format!(
                "f16, bf16, f32 or f8: {code} has a scale for every {} elements of a head, and \
                 these do not divide this one",
                KvCode::GROUP
            );
            return Err(Error::Option { option: "--kv-dtype", found, expected });
        }
    }
    Ok(())
}

/// Loads the tokenizer as the server will, and compares it with the embedding.
fn check_text(
    checkpoint: &Checkpoint,
    files: &[(&'static str, Vec<u8>)],
    facts: &tyto_frontend::ModelFacts,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), Error> {
    let text = match checkpoint.kind() {
        SourceKind::Directory => TextModel::load(checkpoint.path())?,
        SourceKind::Gguf => TextModel::from_sources(&text_sources(checkpoint, files)?)?,
    };
    text.check_vocab(facts.vocab_size)?;
    let writes = facts.purpose == Purpose::Text;
    if let Some(problem) = text.template_problem().filter(|_| writes) {
        progress(Progress::Warning(format!("{problem}; chats will fail, completions work")));
    }
    Ok(())
}

/// The text files that were made from a GGUF file's metadata.
fn text_sources(
    checkpoint: &Checkpoint,
    files: &[(&'static str, Vec<u8>)],
) -> Result<TextSources, Error> {
    let bytes = |name: &str| files.iter().find(|(file, _)| *file == name).map(|(_, bytes)| bytes);
    let json = |name: &str| {
        let parsed = bytes(name).map(|bytes| serde_json::from_slice(bytes));
        parsed.transpose().expect("these files are written by tyto-checkpoint").unwrap_or_default()
    };
    let template = bytes("chat_template.jinja").map(|bytes| String::from_utf8_lossy(bytes));
    let template = template.map_or(serde_json::Value::Null, |text| text.into_owned().into());
    Ok(TextSources {
        origin: checkpoint.path().to_owned(),
        tokenizer: bytes("tokenizer.json").cloned().unwrap_or_default(),
        tokenizer_config: json("tokenizer_config.json"),
        special_tokens_map: json("special_tokens_map.json"),
        generation_config: json("generation_config.json"),
        config: json("config.json"),
        chat_templates: TextSources::templates_from(&template, checkpoint.path())?,
    })
}

/// Positions that the model was made for, of a text of which a vector is made as its files say.
fn longest_text(facts: &tyto_frontend::ModelFacts) -> usize {
    match &facts.purpose {
        Purpose::Text | Purpose::Rerank { .. } => facts.context_length,
        Purpose::Embedding(modules) => {
            modules.max_length.map_or(facts.context_length, |most| most.min(facts.context_length))
        }
    }
}

/// Positions to compile for. More than the model was made for is allowed, since rotary scaling
/// such as dynamic NTK reaches beyond it, but said.
fn context_of(
    options: &CompileOptions,
    model: usize,
    has_table: bool,
    progress: &mut dyn FnMut(Progress),
) -> Result<usize, Error> {
    let Some(context) = options.context else { return Ok(model.min(DEFAULT_CONTEXT)) };
    if !(1..=MOST_CONTEXT).contains(&context) {
        let expected = format!("1 to {MOST_CONTEXT} (the model was made for {model})");
        return Err(Error::Option { option: "--ctx", found: context.to_string(), expected });
    }
    if context > model && has_table {
        let expected = format!("at most {model}, for which the model has a table of positions");
        return Err(Error::Option { option: "--ctx", found: context.to_string(), expected });
    }
    if context > model {
        let text =
            format!("--ctx {context} is beyond the {model} positions the model was made for");
        progress(Progress::Warning(text));
    }
    Ok(context)
}

/// Element types of matrices and of the cache.
fn dtypes_of(options: &CompileOptions, stored: StoredType) -> Result<(DType, KvType), Error> {
    let own = match stored {
        StoredType::F32 => DType::F32,
        StoredType::F16 => DType::F16,
        _ => DType::BF16,
    };
    let weight = options.weight_dtype.unwrap_or(own);
    // Beside blocks, f16 as llama.cpp has it: bf16 would round keys more than the blocks' own
    // kernels round activations.
    let plain = matches!(stored, StoredType::F32 | StoredType::F16 | StoredType::Bf16);
    let beside = if plain || options.weight_dtype.is_some() { weight } else { DType::F16 };
    let kv = options.kv_type.unwrap_or(KvType::Float(beside));
    let known = |dtype| matches!(dtype, DType::F32 | DType::F16 | DType::BF16);
    let refused = |option, found: String, expected: &str| {
        Err(Error::Option { option, found, expected: expected.to_owned() })
    };
    if !known(weight) {
        return refused("--dtype", weight.to_string(), "f32, f16 or bf16");
    }
    if let KvType::Float(dtype) = kv
        && !known(dtype)
    {
        return refused("--kv-dtype", dtype.to_string(), "f32, f16, bf16, q8_0, q4_0 or f8");
    }
    Ok((weight, kv))
}

fn source_fingerprint(checkpoint: &Checkpoint) -> Result<String, Error> {
    let mut print = Fingerprint::default();
    match checkpoint.kind() {
        SourceKind::Gguf => drop(print.add_file(checkpoint.path())?),
        SourceKind::Directory => {
            for file in checkpoint.files_read() {
                print.add_file(&file)?;
            }
        }
    }
    Ok(print.name())
}

fn write_code(
    writer: &mut ArtifactWriter,
    target: &Compiled,
    previous: Option<&Artifact>,
) -> Result<(), Error> {
    for module in &target.modules {
        match (&module.code, previous) {
            (Some(code), _) => drop(writer.write(&module.path, code)?),
            (None, Some(old)) => drop(writer.reuse(&module.path, old)?),
            (None, None) => unreachable!("a module without code comes from a previous artifact"),
        }
    }
    Ok(())
}

fn target_entry(compiled: &Compiled, weights: String) -> TargetEntry {
    let target = compiled.target;
    let cpu_features = match target {
        Target::Gpu(..) => Vec::new(),
        Target::CpuHost => HostTarget::detect().features.into_iter().collect(),
        other => HostTarget::features_of_level(other.processor())
            .unwrap_or_default()
            .into_iter()
            .map(str::to_owned)
            .collect(),
    };
    TargetEntry {
        name: target.name().to_owned(),
        driver: compiled.driver.to_owned(),
        arch: target.arch().to_owned(),
        cpu_features,
        modules: compiled.modules.iter().map(|module| module.path.clone()).collect(),
        entries: compiled.entries.clone(),
        choices: compiled.choices.clone(),
        compile_flags: compiled.flags.clone(),
        weights,
        phases: compiled.phases,
        cache_blocks: compiled.cache_blocks,
        pm4_entries: compiled.pm4_entries.clone(),
    }
}

fn model_facts(
    options: &CompileOptions,
    checkpoint: &Checkpoint,
    model: &LoadedModel,
    context: usize,
    weight_dtype: DType,
    kv_type: KvType,
) -> ModelFacts {
    let facts = model.facts();
    let kv = facts.kv();
    ModelFacts {
        name: model_name(options),
        architecture: facts.architecture.clone(),
        source_files: checkpoint.file_names(),
        parameter_count: facts.parameter_count as u64,
        vocab_size: facts.vocab_size,
        context_length: context,
        layers: facts.layers,
        dtype: weight_dtype.name().to_owned(),
        kv: kv.map(|layer| KvLayer { heads: layer.heads, head_dim: layer.head_dim }).collect(),
        kv_dtype: kv_type.name().to_owned(),
        block_size: BLOCK_SIZE,
        default_blocks: pool(DEFAULT_SEQUENCES, context),
        pooled: pooled(facts),
    }
}

/// What the model makes of a text, where that is not more text.
fn pooled(facts: &tyto_frontend::ModelFacts) -> Option<Pooled> {
    let of = |kind, pooling| Pooled {
        kind,
        pooling: match pooling {
            tyto_checkpoint::Pooling::Last => Pooling::Last,
            tyto_checkpoint::Pooling::Mean => Pooling::Mean,
            tyto_checkpoint::Pooling::First => Pooling::First,
        },
        width: facts.width,
        normalize: false,
        whole: facts.whole,
        segments: facts.segments,
        logistic: false,
        prompts: BTreeMap::new(),
        default_prompt: None,
    };
    match &facts.purpose {
        Purpose::Text => None,
        Purpose::Embedding(modules) => Some(Pooled {
            normalize: modules.normalize,
            prompts: modules.prompts.clone(),
            default_prompt: modules.default_prompt.clone(),
            ..of(PooledKind::Embedding, modules.pooling)
        }),
        Purpose::Rerank { pooling, logistic } => {
            Some(Pooled { logistic: *logistic, ..of(PooledKind::Rerank, *pooling) })
        }
    }
}

/// Blocks of a cache for so many sequences; block 0 belongs to nobody.
fn pool(sequences: usize, context: usize) -> usize {
    1 + sequences * context.div_ceil(BLOCK_SIZE)
}

/// The artifact's name without its ending.
fn model_name(options: &CompileOptions) -> String {
    let stem = options.output.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}
