//! Random files: what is written is read back, and no damage to a header makes reading panic.

use crate::common;
use crate::common::gguf::{File, Value, tiny};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tyto_checkpoint::{DType, fuzz};

/// Tensors as (shape, seed for the values).
fn tensors() -> impl Strategy<Value = Vec<(Vec<usize>, u64)>> {
    prop::collection::vec((prop::collection::vec(0usize..5, 0..4), any::<u64>()), 0..8)
}

fn values(shape: &[usize], seed: u64) -> Vec<f32> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    // Any bit pattern: NaN payloads and subnormals must survive too.
    (0..shape.iter().product()).map(|_| f32::from_bits(random.random())).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn safetensors_round_trip(tensors in tensors(), padding in 0usize..9) {
        let named: Vec<_> = tensors.iter().enumerate()
            .map(|(at, (shape, seed))| (format!("t{at}"), shape.clone(), values(shape, *seed)))
            .collect();
        let list: Vec<_> = named.iter().map(|(n, s, v)| (n.as_str(), &s[..], &v[..])).collect();
        let file = common::f32_file(&list);
        let length = u64::from_le_bytes(file[..8].try_into().expect("eight bytes")) as usize;
        let header = String::from_utf8(file[8..8 + length].to_vec()).expect("text");
        let padded = common::safetensors(&format!("{header}{}", " ".repeat(padding)), &file[8 + length..]);
        let checkpoint = common::open_single(&padded).expect("valid");
        prop_assert_eq!(checkpoint.names().count(), named.len());
        for (name, shape, values) in &named {
            let tensor = checkpoint.expect_tensor(name, shape).expect("as written");
            prop_assert_eq!(bits(&tensor.to_f32().expect("floats")), bits(values));
        }
    }

    #[test]
    fn gguf_round_trip(shape in prop::collection::vec(0usize..5, 0..4), seed: u64, heads in 1usize..4) {
        let values = values(&shape, seed);
        let rows = heads * 4;
        let query: Vec<f32> = (0..rows * 8).map(|at| at as f32).collect();
        let file = tiny("llama")
            .replace("llama.attention.head_count", heads as u32)
            .replace("llama.attention.key_length", 4)
            .tensor_f32("output.weight", &shape, &values)
            .tensor_f32("blk.0.attn_q.weight", &[rows, 8], &query);
        let checkpoint = common::open_gguf(&file.bytes()).expect("valid");
        let output = checkpoint.expect_tensor("lm_head.weight", &shape).expect("as written");
        prop_assert_eq!(bits(&output.to_f32().expect("floats")), bits(&values));
        // Undoing the interleaving loses no row.
        let got = checkpoint.tensor("model.layers.0.self_attn.q_proj.weight").expect("there");
        let mut got = got.to_f32().expect("floats");
        got.sort_by(f32::total_cmp);
        prop_assert_eq!(got, query);
    }

    #[test]
    fn writing_equals_rounding_each_value(seed: u64, count in 0usize..600) {
        let values = values(&[count], seed);
        let file = common::f32_file(&[("w", &[count], &values)]);
        let checkpoint = common::open_single(&file).expect("valid");
        let tensor = checkpoint.tensor("w").expect("there");
        let mut out = vec![0; count * 2];
        tensor.write_as(DType::F16, &mut out).expect("floats");
        for (bytes, value) in out.as_chunks::<2>().0.iter().zip(&values) {
            prop_assert_eq!(nearest_half(*value, 10, 15), comparable(u16::from_le_bytes(*bytes), 0x7c00));
        }
        tensor.write_as(DType::Bf16, &mut out).expect("floats");
        for (bytes, value) in out.as_chunks::<2>().0.iter().zip(&values) {
            prop_assert_eq!(nearest_half(*value, 7, 127), comparable(u16::from_le_bytes(*bytes), 0x7f80));
        }
    }
}

/// Every NaN compares as one.
fn comparable(bits: u16, infinity: u16) -> Option<u16> {
    (bits & 0x7fff <= infinity).then_some(bits)
}

/// Rounds to a 16-bit float with this many mantissa bits and this bias, in exact integer arithmetic.
fn nearest_half(value: f32, mantissa: i32, bias: i32) -> Option<u16> {
    if value.is_nan() {
        return None;
    }
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let infinity = ((2 * bias + 1) << mantissa) as u16;
    if value.is_infinite() {
        return Some(sign | infinity);
    }
    // value = significand * 2^exponent, exactly.
    let raw = value.to_bits() & 0x7fff_ffff;
    let exponent = (raw >> 23).max(1) as i32 - 150;
    let significand = if raw >> 23 == 0 { raw } else { raw & 0x007f_ffff | 0x0080_0000 };
    // The spacing of the result's floats around the value, never below the subnormal spacing.
    let top = 31 - significand.leading_zeros() as i32 + exponent;
    let spacing = (top - mantissa).max(1 - bias - mantissa);
    let shift = spacing - exponent;
    let steps = match shift {
        ..=0 => u64::from(significand) << -shift,
        40.. => 0,
        _ => {
            let whole = u64::from(significand) >> shift;
            let rest = u64::from(significand) & ((1 << shift) - 1);
            let half = 1u64 << (shift - 1);
            whole + u64::from(rest > half || rest == half && whole & 1 == 1)
        }
    };
    // Consecutive bit patterns are consecutive floats, so steps at this spacing add to its base.
    let base = ((spacing - (1 - bias - mantissa)) as u64) << mantissa;
    Some(sign | (base + steps).min(u64::from(infinity)) as u16)
}

/// The same entry points as the fuzz targets, on seeded damage to valid files.
#[test]
fn thousands_of_damaged_files_are_refused_or_read_without_panicking() {
    let mut random = ChaCha8Rng::seed_from_u64(2026);
    type Target = (fn(&[u8]), Vec<Vec<u8>>);
    let targets: [Target; 3] = [
        (fuzz::safetensors, safetensors_seeds()),
        (fuzz::config, config_seeds()),
        (fuzz::gguf, gguf_seeds()),
    ];
    for (target, seeds) in targets {
        seeds.iter().for_each(|seed| target(seed));
        for _ in 0..4000 {
            let mut bytes = seeds[random.random_range(0..seeds.len())].clone();
            for _ in 0..random.random_range(1..6) {
                damage(&mut bytes, &mut random);
            }
            target(&bytes);
        }
    }
}

/// One change of the kinds that break parsers: flips, cuts, repeats, and numbers at the edges.
fn damage(bytes: &mut Vec<u8>, random: &mut ChaCha8Rng) {
    const EDGES: [u64; 8] = [0, 1, 0x7f, 0xff, 0xffff_ffff, 1 << 32, 1 << 63, u64::MAX];
    let at = random.random_range(0..bytes.len().max(1));
    match random.random_range(0..6) {
        _ if bytes.is_empty() => bytes.push(random.random()),
        0 => bytes[at] ^= 1 << random.random_range(0..8),
        1 => bytes[at] = random.random(),
        2 => bytes.truncate(at),
        3 => {
            let end = (at + random.random_range(1..40)).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..at, piece);
        }
        4 => {
            let edge = EDGES[random.random_range(0..EDGES.len())].to_le_bytes();
            let width = [4, 8][random.random_range(0..2)].min(bytes.len() - at);
            bytes[at..at + width].copy_from_slice(&edge[..width]);
        }
        _ => {
            let digit = bytes.iter().skip(at).position(u8::is_ascii_digit);
            if let Some(offset) = digit {
                bytes.splice(at + offset..at + offset, *b"9999999");
            }
        }
    }
}

fn safetensors_seeds() -> Vec<Vec<u8>> {
    vec![
        common::f32_file(&[("a", &[2, 2], &[1.0; 4]), ("b", &[], &[2.0]), ("c", &[0], &[])]),
        common::safetensors(
            r#"{"__metadata__":{"format":"pt"},"x":{"dtype":"F4","shape":[4],"data_offsets":[0,2]}}"#,
            &[1, 2],
        ),
    ]
}

fn config_seeds() -> Vec<Vec<u8>> {
    [
        r#"{"model_type":"llama","rope_scaling":{"type":"linear","factor":2.0},"limit":[Infinity,-1e9]}"#,
        r#"{"metadata":{"total_size":8},"weight_map":{"a":"one.safetensors","b":"two.safetensors"}}"#,
        r#"{"s":"\u00e9\ud83e\udd89 NaN","deep":[[[[{"x":null}]]]]}"#,
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}

fn gguf_seeds() -> Vec<Vec<u8>> {
    let texts = |list: &[&str]| Value::Texts(list.iter().map(|text| (*text).to_owned()).collect());
    let byte_level = |file: File| {
        file.set("tokenizer.ggml.model", "gpt2")
            .set("tokenizer.ggml.pre", "smollm")
            .set("tokenizer.ggml.tokens", texts(&["<s>", "a", "b", "ab"]))
            .set("tokenizer.ggml.token_type", Value::I32s(vec![3, 1, 1, 1]))
            .set("tokenizer.ggml.merges", texts(&["a b"]))
            .set("tokenizer.ggml.bos_token_id", 0)
    };
    let sentence_piece = |file: File| {
        file.set("tokenizer.ggml.model", "llama")
            .set("tokenizer.ggml.tokens", texts(&["<unk>", "<0x61>", "▁", "é", "▁é", "  "]))
            .set("tokenizer.ggml.token_type", Value::I32s(vec![2, 6, 1, 1, 1, 4]))
            .set("tokenizer.ggml.scores", Value::F32s(vec![0.0, 0.0, -1.0, -2.0, f32::NAN, -3.0]))
            .set("tokenizer.chat_template", "{{ messages }}")
    };
    let llama = byte_level(tiny("llama"))
        .tensor_f32("blk.0.attn_q.weight", &[8, 8], &[0.5; 64])
        .tensor("output.weight", &[2, 256], 12, vec![7; 288])
        .tensor("blk.0.ffn_down.weight", &[8, 32], 39, vec![9; 136]);
    let gemma = sentence_piece(tiny("gemma3"))
        .set("gemma3.attention.sliding_window", 16)
        .tensor_f32("output_norm.weight", &[8], &[1.0; 8]);
    let phi = tiny("phi3").tensor_f32("rope_factors_long.weight", &[2], &[1.0; 2]).tensor_f32(
        "rope_factors_short.weight",
        &[2],
        &[1.0; 2],
    );
    vec![llama.bytes(), gemma.bytes(), phi.bytes()]
}
