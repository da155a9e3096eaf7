//! The forms in which experts are stored: every one gives the same model.

use std::collections::BTreeMap;
use std::fs;

use crate::common;
use crate::common::{BLOCKS, CONTEXT, F32, Model, changed, config, distance, fixtures};
use crate::gguf;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tyto_checkpoint::Checkpoint;
use tyto_frontend::testing::{Interpreted, Pool};
use tyto_frontend::{Quantization, StepShape, TraceOptions, materialize_measured};
use tyto_graph::{Layout, Op};

const SHAPE: StepShape = StepShape { batch: 1, tokens: 4, context: CONTEXT, rows: 1 };

/// Tensors by name: element type, shape, bytes.
type Tensors = BTreeMap<String, (&'static str, Vec<usize>, Vec<u8>)>;

fn f32_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A checkpoint of these tensors, opened.
struct Written {
    checkpoint: Checkpoint,
    _directory: TempDir,
}

impl Written {
    fn new(tensors: &Tensors, config: &Value) -> Self {
        let (mut header, mut data) = (Map::new(), Vec::<u8>::new());
        for (name, (dtype, shape, bytes)) in tensors {
            let begin = data.len();
            data.extend(bytes);
            let offsets = [begin, data.len()];
            let entry = json!({ "dtype": dtype, "shape": shape, "data_offsets": offsets });
            header.insert(name.clone(), entry);
        }
        let header = Value::Object(header).to_string();
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.bytes());
        file.extend(data);
        let directory = TempDir::new().expect("a directory");
        fs::write(directory.path().join("model.safetensors"), file).expect("written");
        fs::write(directory.path().join("config.json"), config.to_string()).expect("written");
        let checkpoint = Checkpoint::open(directory.path()).unwrap_or_else(|why| panic!("{why}"));
        Self { checkpoint, _directory: directory }
    }

    fn logits(&self, options: TraceOptions) -> Vec<Vec<f32>> {
        logits(
            &tyto_frontend::open(&self.checkpoint).unwrap_or_else(|why| panic!("{why}")),
            self,
            options,
        )
    }
}

fn logits(
    model: &tyto_frontend::LoadedModel,
    written: &Written,
    options: TraceOptions,
) -> Vec<Vec<f32>> {
    let mut runner = Interpreted::new(model, &written.checkpoint, options);
    let prompt: Vec<i64> = (0..11).map(|at| at * 7 % 128).collect();
    runner.prefill(&mut Pool::new(&options, CONTEXT, 3), &prompt, 4)
}

/// The tensors of a fixture, as f32.
fn of_fixture(case: &str) -> Tensors {
    let checkpoint = Checkpoint::open(&fixtures().join(case)).expect("a fixture");
    let tensor = |tensor: tyto_checkpoint::Tensor<'_>| {
        let bytes = f32_bytes(&tensor.to_f32().expect("floats"));
        (tensor.name.to_owned(), ("F32", tensor.shape.to_vec(), bytes))
    };
    checkpoint.tensors().map(tensor).collect()
}

/// Puts the matrices `experts.*.NAME.weight` of every layer into one tensor, as mlx-lm does.
fn stacked(tensors: Tensors, names: &[(&str, &str)]) -> Tensors {
    let mut result = Tensors::new();
    for (name, (dtype, shape, bytes)) in tensors {
        let of_expert = name.split_once(".experts.").and_then(|(place, rest)| {
            let (_, own) = rest.strip_suffix(".weight")?.split_once('.')?;
            let (_, new) = names.iter().find(|(old, _)| *old == own)?;
            Some(format!("{place}.switch_mlp.{new}.weight"))
        });
        let Some(stack) = of_expert else {
            result.insert(name, (dtype, shape, bytes));
            continue;
        };
        // Names sort as experts do: there are fewer than ten.
        let entry = result.entry(stack).or_insert((dtype, vec![0, shape[0], shape[1]], Vec::new()));
        entry.1[0] += 1;
        entry.2.extend(bytes);
    }
    result
}

#[test]
fn stacks_of_matrices_are_the_same_model() {
    let plain = [("gate_proj", "gate_proj"), ("up_proj", "up_proj"), ("down_proj", "down_proj")];
    let mixtral = [("w1", "gate_proj"), ("w3", "up_proj"), ("w2", "down_proj")];
    for (case, names) in [("qwen3_moe", plain), ("olmoe", plain), ("mixtral", mixtral)] {
        let config = config(case, "config.json");
        let apart = of_fixture(case);
        let stacks = stacked(apart.clone(), &names);
        assert!(stacks.len() < apart.len(), "{case}: {} tensors", stacks.len());
        let [apart, stacks] = [apart, stacks].map(|tensors| Written::new(&tensors, &config));
        for options in [F32, BLOCKS] {
            assert_eq!(apart.logits(options), stacks.logits(options), "{case}");
        }
        let facts = |written: &Written| {
            tyto_frontend::open(&written.checkpoint).expect("a model").facts().clone()
        };
        assert_eq!(facts(&apart), facts(&stacks), "{case}: each parameter counted once");
    }
}

/// The fixture `qwen3_moe` with experts in its second layer, too: llama.cpp knows no plain ones.
fn all_layers_have_experts() -> (Tensors, Value) {
    let tensors = of_fixture("qwen3_moe");
    let dense = |name: &str| name.starts_with("model.layers.1.mlp.");
    let copied = tensors.iter().filter_map(|(name, tensor)| {
        let rest = name.strip_prefix("model.layers.0.mlp.")?;
        Some((format!("model.layers.1.mlp.{rest}"), tensor.clone()))
    });
    let kept = tensors.iter().filter(|(name, _)| !dense(name));
    let kept = kept.map(|(name, tensor)| (name.clone(), tensor.clone()));
    let config = changed("qwen3_moe", json!({ "mlp_only_layers": [] }));
    (kept.chain(copied).collect(), config)
}

#[test]
fn a_gguf_file_of_stacks_is_the_same_model() {
    let (tensors, config) = all_layers_have_experts();
    let plain = [("gate_proj", "gate_proj"), ("up_proj", "up_proj"), ("down_proj", "down_proj")];
    let key = |field: &str| format!("qwen3moe.{field}");
    let mut file = gguf::File::new().set("general.architecture", "qwen3moe");
    for (field, size) in [
        ("embedding_length", 24u32),
        ("block_count", 3),
        ("attention.head_count", 4),
        ("attention.head_count_kv", 2),
        ("attention.key_length", 10),
        ("attention.value_length", 10),
        ("context_length", 256),
        ("feed_forward_length", 40),
        ("expert_count", 6),
        ("expert_used_count", 3),
        ("expert_feed_forward_length", 20),
    ] {
        file = file.set(&key(field), size);
    }
    file = file.set(&key("attention.layer_norm_rms_epsilon"), 3e-3f32);
    file = file.set(&key("rope.freq_base"), 1e6f32);
    for (name, (_, shape, bytes)) in stacked(tensors.clone(), &plain) {
        let stem = [
            ("model.embed_tokens", "token_embd"),
            ("model.norm", "output_norm"),
            ("lm_head", "output"),
            ("model.layers", "blk"),
            ("input_layernorm", "attn_norm"),
            ("post_attention_layernorm", "ffn_norm"),
            ("self_attn.q_proj", "attn_q"),
            ("self_attn.k_proj", "attn_k"),
            ("self_attn.v_proj", "attn_v"),
            ("self_attn.o_proj", "attn_output"),
            ("self_attn.q_norm", "attn_q_norm"),
            ("self_attn.k_norm", "attn_k_norm"),
            ("mlp.switch_mlp.gate_proj", "ffn_gate_exps"),
            ("mlp.switch_mlp.up_proj", "ffn_up_exps"),
            ("mlp.switch_mlp.down_proj", "ffn_down_exps"),
            ("mlp.gate", "ffn_gate_inp"),
        ];
        let name = stem.iter().fold(name, |name, (ours, theirs)| name.replace(ours, theirs));
        file = file.tensor(&name, &shape, 0, bytes);
    }
    let opened = common::Opened::gguf(&file.bytes());
    let expected = Written::new(&tensors, &config);
    for options in [F32, BLOCKS] {
        assert_eq!(opened.logits(options), expected.logits(options));
    }
}

/// Seeded numbers in -1 to 1 (a linear congruential generator's high bits).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
        self.0 >> 33
    }

    fn unit(&mut self) -> f32 {
        self.next() as f32 / (1u64 << 30) as f32 - 1.0
    }
}

const HIDDEN: usize = 64;
const INNER: usize = 32;
const EXPERTS: usize = 3;

/// The configuration of the `gpt_oss` fixture with sizes that 4-bit blocks divide.
fn gpt_oss(more: Value) -> Value {
    let mut changes = json!({
        "hidden_size": HIDDEN, "intermediate_size": INNER, "num_local_experts": EXPERTS,
        "num_hidden_layers": 1, "layer_types": ["sliding_attention"],
    });
    for (name, value) in more.as_object().expect("an object") {
        changes[name] = value.clone();
    }
    changed("gpt_oss", changes)
}

/// All tensors but the experts' matrices.
fn gpt_oss_tensors(random: &mut Random) -> Tensors {
    let layer = |name: &str| format!("model.layers.0.{name}");
    let (queries, keys) = (40, 20);
    let shapes = [
        ("model.embed_tokens.weight".to_owned(), vec![128, HIDDEN]),
        ("lm_head.weight".to_owned(), vec![128, HIDDEN]),
        ("model.norm.weight".to_owned(), vec![HIDDEN]),
        (layer("input_layernorm.weight"), vec![HIDDEN]),
        (layer("post_attention_layernorm.weight"), vec![HIDDEN]),
        (layer("self_attn.sinks"), vec![4]),
        (layer("self_attn.q_proj.weight"), vec![queries, HIDDEN]),
        (layer("self_attn.q_proj.bias"), vec![queries]),
        (layer("self_attn.k_proj.weight"), vec![keys, HIDDEN]),
        (layer("self_attn.k_proj.bias"), vec![keys]),
        (layer("self_attn.v_proj.weight"), vec![keys, HIDDEN]),
        (layer("self_attn.v_proj.bias"), vec![keys]),
        (layer("self_attn.o_proj.weight"), vec![HIDDEN, queries]),
        (layer("self_attn.o_proj.bias"), vec![HIDDEN]),
        (layer("mlp.router.weight"), vec![EXPERTS, HIDDEN]),
        (layer("mlp.router.bias"), vec![EXPERTS]),
        (layer("mlp.experts.gate_up_proj_bias"), vec![EXPERTS, 2 * INNER]),
        (layer("mlp.experts.down_proj_bias"), vec![EXPERTS, HIDDEN]),
    ];
    let tensor = |(name, shape): (String, Vec<usize>)| {
        let values: Vec<f32> = (0..shape.iter().product()).map(|_| random.unit()).collect();
        (name, ("F32", shape, f32_bytes(&values)))
    };
    shapes.into_iter().map(tensor).collect()
}

/// A published tensor of 4-bit floats, and its values transposed as the bf16 checkpoint has them.
fn four_bits(rows: usize, columns: usize, random: &mut Random) -> (Tensors, Vec<f32>) {
    const LEVELS: [f32; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
    let groups = columns / 32;
    let bytes =
        |random: &mut Random, count: usize| (0..count).map(|_| random.next() as u8).collect();
    let codes: Vec<u8> = bytes(random, EXPERTS * rows * columns / 2);
    let scales: Vec<u8> =
        (0..EXPERTS * rows * groups).map(|_| 120 + (random.next() % 5) as u8).collect();
    let mut values = vec![0.0; EXPERTS * rows * columns];
    for at in 0..values.len() {
        let code = codes[at / 2] >> (at % 2 * 4) & 15;
        let sign = if code & 8 == 0 { 1.0 } else { -1.0 };
        let scale = (f32::from(scales[at / 32]) - 127.0).exp2();
        let (expert, row, column) = (at / columns / rows, at / columns % rows, at % columns);
        values[(expert * columns + column) * rows + row] =
            sign * LEVELS[usize::from(code & 7)] * scale;
    }
    let tensors = Tensors::from([
        ("blocks".to_owned(), ("U8", vec![EXPERTS, rows, groups, 16], codes)),
        ("scales".to_owned(), ("U8", vec![EXPERTS, rows, groups], scales)),
    ]);
    (tensors, values)
}

#[test]
fn four_bit_experts_of_gpt_oss_are_those_of_the_plain_checkpoint() {
    let mut random = Random(5);
    let mut plain = gpt_oss_tensors(&mut random);
    let mut packed = plain.clone();
    for (name, rows, columns) in [("gate_up_proj", 2 * INNER, HIDDEN), ("down_proj", HIDDEN, INNER)]
    {
        let name = format!("model.layers.0.mlp.experts.{name}");
        let (parts, values) = four_bits(rows, columns, &mut random);
        packed.extend(parts.into_iter().map(|(end, part)| (format!("{name}_{end}"), part)));
        plain.insert(name, ("F32", vec![EXPERTS, columns, rows], f32_bytes(&values)));
    }
    let quantized = json!({ "quantization_config": { "quant_method": "mxfp4" } });
    let packed = Written::new(&packed, &gpt_oss(quantized));
    let expected = Written::new(&plain, &gpt_oss(json!({}))).logits(F32);
    assert_eq!(packed.logits(F32), expected, "decoded");
    let kept = packed.logits(BLOCKS);
    assert!(distance(&kept, &expected) <= 1e-6, "kept: {}", distance(&kept, &expected));

    let model = tyto_frontend::open(&packed.checkpoint).expect("a model");
    let graph = model.trace("step", &SHAPE, &BLOCKS).expect("traces").graph;
    let kept = graph
        .nodes
        .iter()
        .filter(|node| matches!(node.op, Op::ExpertLinear { layout: Layout::Blocks(_), .. }));
    assert_eq!(kept.count(), 2, "both products read blocks");
}

#[test]
fn experts_are_quantized_as_other_matrices_are() {
    // OLMoE's experts with twice the columns: blocks need 32.
    let mut tensors = of_fixture("olmoe");
    let mut random = Random(9);
    for (name, (_, shape, bytes)) in &mut tensors {
        for size in shape.iter_mut() {
            *size = match *size {
                24 => 32,
                16 => 64,
                12 => 16,
                other => other,
            };
        }
        let count = shape.iter().product();
        let offset = if name.contains("norm") { 1.0 } else { 0.0 };
        let values: Vec<f32> = (0..count).map(|_| offset + 0.3 * random.unit()).collect();
        *bytes = f32_bytes(&values);
    }
    let config = changed("olmoe", json!({ "hidden_size": 32, "intermediate_size": 64 }));
    let written = Written::new(&tensors, &config);
    let exact = written.logits(F32);
    let mut model = tyto_frontend::open(&written.checkpoint).expect("a model");
    let kept = model.quantize(&written.checkpoint, Quantization::Q8_0).expect("blocks divide");
    assert!(kept.is_empty(), "{kept:?}");
    let found = distance(&logits(&model, &written, BLOCKS), &exact);
    assert!(0.0 < found && found < 0.05, "{found}");

    let traced = model.trace("step", &SHAPE, &BLOCKS).expect("traces");
    let experts = traced.weights.iter().filter(|weight| weight.name.contains("experts"));
    let mut lost = 0;
    for weight in experts {
        assert!(matches!(weight.layout, Layout::Blocks(_)), "{}", weight.name);
        let made = materialize_measured(&written.checkpoint, weight).expect("quantized");
        assert!(made.losses.iter().all(|loss| loss.relative_error < 0.01));
        lost += made.losses.len();
    }
    assert_eq!(lost, 2 * 8 * 3, "three matrices of eight experts in two layers");
}

#[test]
fn what_contradicts_itself_is_refused() {
    let refused = |case: &str, changes: Value, words: &[&str]| {
        let message = common::refusal(case, changed(case, changes));
        assert!(words.iter().all(|word| message.contains(word)), "{message}: expected {words:?}");
    };
    refused("qwen3_moe", json!({ "num_experts": 5 }), &["num_local_experts", "6", "5"]);
    refused("qwen3_moe", json!({ "num_local_experts": null }), &["num_experts", "size"]);
    refused("qwen3_moe", json!({ "num_experts_per_tok": 7 }), &["num_experts_per_tok", "7", "6"]);
    refused("qwen3_moe", json!({ "mlp_only_layers": [-1] }), &["mlp_only_layers", "[-1]", "0"]);
    refused("qwen3_moe", json!({ "moe_intermediate_size": 24 }), &["gate_proj", "24"]);
    refused(
        "qwen3_moe",
        json!({ "mlp_only_layers": [] }),
        &["layers.1.mlp.gate.weight", "missing"],
    );
    refused("gpt_oss", json!({ "experts_per_token": 3 }), &["experts_per_token", "3", "2"]);
    refused("gpt_oss", json!({ "rope_parameters": null }), &["rope_scaling", "missing"]);
    let layers = Model::with_config("qwen3_moe", changed("qwen3_moe", json!({})));
    assert_eq!(layers.model.facts().layers, 3);
}
