//! `config.json` as transformers would have it, from a file's metadata and tensors. A key of the
//! architecture that is not understood refuses the file: it might change the maths.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::architecture::Architecture;
use super::reader::StoredTensor;
use super::rope;
use super::value::{Metadata, Value as Stored};
use crate::dtype::StoredType;
use crate::error::Error;

/// Keys that describe a file or a training run, not the maths.
const HARMLESS: &[&str] = &[
    "vocab_size",
    "tensor_data_layout",
    "rope.scaling.finetuned",
    "expert_used_count",
    "expert_feed_forward_length",
];

/// Far above any model, and small enough to make a list of.
const MAX_LAYERS: u64 = 10_000;

/// Makes the configuration of a file.
pub(crate) fn synthesize(
    file: &Path,
    architecture: &Architecture,
    metadata: &Metadata,
    tensors: &[StoredTensor],
    bytes: &[u8],
) -> Result<Map<String, Value>, Error> {
    let fields = Fields { file, architecture, metadata, tensors, bytes, read: RefCell::default() };
    let mut config = Map::new();
    let mut set = |key: &str, value: Value| config.insert(key.into(), value);
    set("architectures", json!([architecture.class]));
    set("model_type", json!(architecture.model_type));

    if architecture.gguf != "qwen3moe" {
        fields.refuse_experts()?;
    }
    let hidden = fields.size("embedding_length")?;
    let layers = fields.layers()?;
    let heads = fields.size("attention.head_count")?;
    let key_value_heads = fields.optional_size("attention.head_count_kv")?.unwrap_or(heads);
    let context = fields.size("context_length")?;
    let head_dim = fields.head_dim(hidden, heads)?;
    set("vocab_size", json!(fields.vocabulary()?));
    set("hidden_size", json!(hidden));
    set("intermediate_size", json!(fields.size("feed_forward_length")?));
    set("num_hidden_layers", json!(layers));
    set("num_attention_heads", json!(heads));
    set("num_key_value_heads", json!(key_value_heads));
    set("head_dim", json!(head_dim));
    set("max_position_embeddings", json!(context));
    set("rms_norm_eps", json!(fields.float("attention.layer_norm_rms_epsilon")?));
    set("tie_word_embeddings", json!(!fields.has_tensor("output.weight")));
    set("torch_dtype", json!(fields.dtype_name()));
    for (key, id) in [
        ("bos_token_id", "bos"),
        ("eos_token_id", "eos"),
        ("pad_token_id", "padding"),
        ("unk_token_id", "unknown"),
    ] {
        if let Some(id) = metadata.unsigned(&format!("tokenizer.ggml.{id}_token_id"))? {
            set(key, json!(id));
        }
    }
    let rope = rope::parameters(&fields, head_dim, context)?;
    match architecture.gguf {
        "llama" => llama(&fields, &mut config)?,
        "qwen2" => qwen(&fields, &mut config)?,
        "qwen3" => {
            config.insert("attention_bias".into(), json!(fields.has_tensor("blk.0.attn_q.bias")));
            qwen(&fields, &mut config)?;
        }
        "qwen3moe" => {
            config.insert("attention_bias".into(), json!(fields.has_tensor("blk.0.attn_q.bias")));
            qwen(&fields, &mut config)?;
            experts(&fields, &mut config)?;
        }
        "gemma3" => gemma3(&fields, &mut config, &rope)?,
        "phi3" => phi3(&fields, &mut config, &rope)?,
        other => unreachable!("architecture {other} is in the table but has no configuration"),
    }
    if architecture.gguf != "gemma3" {
        config.insert("rope_parameters".into(), Value::Object(rope));
    }
    fields.refuse_unread()?;
    Ok(config)
}

fn llama(fields: &Fields<'_>, config: &mut Map<String, Value>) -> Result<(), Error> {
    config.insert("hidden_act".into(), json!("silu"));
    if let Some(window) = fields.window()? {
        config.insert("model_type".into(), json!("mistral"));
        config.insert("architectures".into(), json!(["MistralForCausalLM"]));
        config.insert("sliding_window".into(), json!(window));
        return Ok(());
    }
    config.insert("attention_bias".into(), json!(fields.has_tensor("blk.0.attn_q.bias")));
    config.insert("mlp_bias".into(), json!(fields.has_tensor("blk.0.ffn_gate.bias")));
    Ok(())
}

fn qwen(fields: &Fields<'_>, config: &mut Map<String, Value>) -> Result<(), Error> {
    config.insert("hidden_act".into(), json!("silu"));
    // Files with a window say so for every layer; transformers' per-layer default would not be known.
    let window = fields.window()?;
    config.insert("use_sliding_window".into(), json!(window.is_some()));
    config.insert("sliding_window".into(), json!(window));
    if window.is_some() {
        config.insert("max_window_layers".into(), json!(0));
    }
    Ok(())
}

/// Every layer has experts; llama.cpp divides the weights of the chosen ones by their sum.
fn experts(fields: &Fields<'_>, config: &mut Map<String, Value>) -> Result<(), Error> {
    for (name, key) in [
        ("num_experts", "expert_count"),
        ("num_experts_per_tok", "expert_used_count"),
        ("moe_intermediate_size", "expert_feed_forward_length"),
    ] {
        config.insert(name.into(), json!(fields.size(key)?));
    }
    config.insert("norm_topk_prob".into(), json!(true));
    Ok(())
}

fn gemma3(
    fields: &Fields<'_>,
    config: &mut Map<String, Value>,
    rope: &Map<String, Value>,
) -> Result<(), Error> {
    let number = |key: &str| config[key].as_u64().expect("set by synthesize");
    let (layers, hidden) = (number("num_hidden_layers"), number("hidden_size"));
    let (heads, head_dim) = (number("num_attention_heads"), number("head_dim"));
    let full = fields.full_attention_layers(layers, 6)?;
    let types = full.iter().map(|full| if *full { "full_attention" } else { "sliding_attention" });
    let types: Vec<_> = types.collect();
    let local_theta = fields.optional_float("rope.freq_base_swa")?.unwrap_or(10_000.0);
    // The file does not say it: the 27B model (62 layers) scales by hidden / heads, the rest by head.
    let scalar = if layers == 62 { hidden / heads } else { head_dim };
    let window = fields.size("attention.sliding_window")?;
    let mut set = |key: &str, value: Value| config.insert(key.into(), value);
    set("hidden_activation", json!("gelu_pytorch_tanh"));
    set("attention_bias", json!(false));
    set("sliding_window", json!(window));
    set("layer_types", json!(types));
    set("query_pre_attn_scalar", json!(scalar));
    set("attn_logit_softcapping", json!(fields.optional_float("attn_logit_softcapping")?));
    set("final_logit_softcapping", json!(fields.optional_float("final_logit_softcapping")?));
    set(
        "rope_parameters",
        json!({
            "full_attention": rope,
            "sliding_attention": {"rope_type": "default", "rope_theta": local_theta},
        }),
    );
    Ok(())
}

fn phi3(
    fields: &Fields<'_>,
    config: &mut Map<String, Value>,
    rope: &Map<String, Value>,
) -> Result<(), Error> {
    config.insert("hidden_act".into(), json!("silu"));
    config.insert("sliding_window".into(), json!(fields.window()?));
    let context = config["max_position_embeddings"].clone();
    let original = rope.get("original_max_position_embeddings").cloned().unwrap_or(context);
    config.insert("original_max_position_embeddings".into(), original);
    let partial = rope.get("partial_rotary_factor").cloned().unwrap_or(json!(1.0));
    config.insert("partial_rotary_factor".into(), partial);
    Ok(())
}

/// The metadata under the architecture's prefix; remembers which keys were understood.
pub(super) struct Fields<'a> {
    pub(super) file: &'a Path,
    pub(super) architecture: &'a Architecture,
    metadata: &'a Metadata,
    tensors: &'a [StoredTensor],
    bytes: &'a [u8],
    read: RefCell<HashSet<String>>,
}

impl<'a> Fields<'a> {
    fn key(&self, field: &str) -> String {
        let key = format!("{}.{field}", self.architecture.gguf);
        self.read.borrow_mut().insert(key.clone());
        key
    }

    /// A size that must be there and be sensible.
    pub(super) fn size(&self, field: &str) -> Result<u64, Error> {
        self.optional_size(field)?.ok_or_else(|| self.missing(field))
    }

    /// A size from 1 to 2^31.
    pub(super) fn optional_size(&self, field: &str) -> Result<Option<u64>, Error> {
        let size = self.metadata.unsigned(&self.key(field))?;
        match size {
            Some(size) if size == 0 || size > 1 << 31 => {
                Err(self.wrong(field, &size.to_string(), "a size from 1 to 2^31"))
            }
            size => Ok(size),
        }
    }

    /// The layer count, which sizes lists in the configuration.
    fn layers(&self) -> Result<u64, Error> {
        let layers = self.size("block_count")?;
        if layers > MAX_LAYERS {
            let expected = format!("at most {MAX_LAYERS}");
            return Err(self.wrong("block_count", &layers.to_string(), &expected));
        }
        Ok(layers)
    }

    fn float(&self, field: &str) -> Result<f64, Error> {
        self.optional_float(field)?.ok_or_else(|| self.missing(field))
    }

    /// A number, as the shortest decimal that gives the same f32: what its author wrote.
    pub(super) fn optional_float(&self, field: &str) -> Result<Option<f64>, Error> {
        Ok(self.metadata.float(&self.key(field))?.map(shortest))
    }

    pub(super) fn optional_string(&self, field: &str) -> Result<Option<&'a str>, Error> {
        self.metadata.string(self.bytes, &self.key(field))
    }

    /// The sliding window, if there is one; files write zero for none.
    fn window(&self) -> Result<Option<u64>, Error> {
        let window = self.metadata.unsigned(&self.key("attention.sliding_window"))?;
        Ok(window.filter(|&window| window > 0))
    }

    /// For each layer whether it attends to everything: the file's pattern, or every `default`th.
    fn full_attention_layers(&self, layers: u64, default: u64) -> Result<Vec<bool>, Error> {
        let key = self.key("attention.sliding_window_pattern");
        if let Some(Stored::Array(array)) = self.metadata.get(&key) {
            // One boolean a layer, true where the window applies; one byte each.
            if array.kind != super::value::Kind::Bool || array.length as u64 != layers {
                let found = self.metadata.show(self.bytes, &key);
                let expected = format!("{layers} booleans, one for each layer");
                return Err(self.wrong("attention.sliding_window_pattern", &found, &expected));
            }
            return Ok(self.bytes[array.range.clone()]
                .iter()
                .map(|&sliding| sliding == 0)
                .collect());
        }
        let every = self.metadata.unsigned(&key)?.unwrap_or(default).max(1);
        Ok((1..=layers).map(|layer| layer.is_multiple_of(every)).collect())
    }

    fn head_dim(&self, hidden: u64, heads: u64) -> Result<u64, Error> {
        let key = self.optional_size("attention.key_length")?;
        let rotary = self.optional_size("rope.dimension_count")?;
        let head_dim = match (key, rotary) {
            (Some(key), _) => key,
            (None, Some(rotary)) if self.architecture.gguf == "llama" => rotary,
            _ if hidden.is_multiple_of(heads) => hidden / heads,
            _ => {
                let found = format!("{heads} for embedding_length {hidden}");
                return Err(self.wrong("attention.head_count", &found, "a divisor, or key_length"));
            }
        };
        let value = self.optional_size("attention.value_length")?.unwrap_or(head_dim);
        if value != head_dim {
            let expected = format!("{head_dim}, the key length");
            return Err(self.wrong("attention.value_length", &value.to_string(), &expected));
        }
        Ok(head_dim)
    }

    /// The rows of the embedding, which unlike `vocab_size` is always there.
    fn vocabulary(&self) -> Result<usize, Error> {
        let embedding = self.tensors.iter().find(|tensor| tensor.name == "token_embd.weight");
        let rows = embedding.and_then(|tensor| tensor.shape.first().copied());
        rows.ok_or_else(|| Error::MissingTensor {
            source_path: self.file.to_path_buf(),
            tensor: "token_embd.weight".into(),
            expected: Vec::new(),
            hint: "; without it there is no model".into(),
        })
    }

    pub(super) fn has_tensor(&self, name: &str) -> bool {
        self.tensors.iter().any(|tensor| tensor.name == name)
    }

    /// The values of a small F32 tensor that is configuration rather than weight.
    pub(super) fn factors(&self, name: &str) -> Result<Option<Vec<f64>>, Error> {
        let Some(tensor) = self.tensors.iter().find(|tensor| tensor.name == name) else {
            return Ok(None);
        };
        if tensor.dtype != StoredType::F32 {
            return Err(Error::UnsupportedType {
                file: self.file.to_path_buf(),
                tensor: name.into(),
                found: tensor.dtype.name().into(),
                expected: "F32".into(),
            });
        }
        let (values, _) = self.bytes[tensor.range.clone()].as_chunks::<4>();
        Ok(Some(values.iter().map(|&v| shortest(f64::from(f32::from_le_bytes(v)))).collect()))
    }

    /// transformers' name for the type most weight bytes have. Block formats decode to f32 exactly.
    fn dtype_name(&self) -> &'static str {
        let bytes_of = |dtype| {
            let with = self.tensors.iter().filter(|tensor| tensor.dtype == dtype);
            with.map(|tensor| tensor.range.len()).sum::<usize>()
        };
        let (f16, bf16) = (bytes_of(StoredType::F16), bytes_of(StoredType::Bf16));
        let rest = self.tensors.iter().map(|t| t.range.len()).sum::<usize>() - f16 - bf16;
        match () {
            () if f16 > bf16 && f16 > rest => "float16",
            () if bf16 > rest => "bfloat16",
            () => "float32",
        }
    }

    fn refuse_experts(&self) -> Result<(), Error> {
        let experts = self.metadata.unsigned(&self.key("expert_count"))?.unwrap_or(0);
        if experts == 0 {
            return Ok(());
        }
        Err(self.wrong("expert_count", &experts.to_string(), "0: experts are not supported here"))
    }

    fn refuse_unread(&self) -> Result<(), Error> {
        let prefix = format!("{}.", self.architecture.gguf);
        let read = self.read.borrow();
        for key in &self.metadata.keys {
            let Some(field) = key.strip_prefix(&prefix) else { continue };
            if !read.contains(key) && !HARMLESS.contains(&field) {
                return Err(Error::UnreadField {
                    file: self.file.to_path_buf(),
                    field: key.clone(),
                    found: self.metadata.show(self.bytes, key),
                    architecture: self.architecture.gguf.into(),
                });
            }
        }
        Ok(())
    }

    fn missing(&self, field: &str) -> Error {
        self.wrong(field, "nothing", "a value")
    }

    pub(super) fn wrong(&self, field: &str, found: &str, expected: &str) -> Error {
        Error::Malformed {
            file: self.file.to_path_buf(),
            field: format!("metadata {:?}", format!("{}.{field}", self.architecture.gguf)),
            found: found.into(),
            expected: expected.into(),
        }
    }
}

/// The number that prints shortest among those that round to the same f32.
fn shortest(value: f64) -> f64 {
    let narrow = value as f32;
    if f64::from(narrow) != value {
        return value;
    }
    narrow.to_string().parse().expect("a printed f32 is a number")
}
