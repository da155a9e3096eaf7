//! Codes handed out and their values: every code of each GGUF format under scales of every kind,
//! against the formats' definitions written out here.

mod common;

use common::gguf::{self, File};
use tyto_checkpoint::{BlockForm, BlockFormat, Checkpoint, DType, Tensor};

/// Halves: zeros, the ends of the denormal range, one, ordinary and the largest numbers, negatives.
const HALVES: [u16; 12] = [
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00, 0x2e66, 0xb123, 0x7bff, 0xfbff,
];

/// An f16 by its definition.
fn half(bits: u16) -> f64 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff) / 1024.0);
    let magnitude = match exponent {
        0 => mantissa * 2f64.powi(-14),
        _ => (1.0 + mantissa) * 2f64.powi(exponent - 15),
    };
    if bits & 0x8000 == 0 { magnitude } else { -magnitude }
}

/// A row of a matrix as a format stores it, with what it means.
struct Row {
    bytes: Vec<u8>,
    codes: Vec<u8>,
    scale: u16,
    bias: Option<u16>,
    values: Vec<f64>,
}

/// 32 codes of 4 bits, each twice, in another order for each seed.
fn nibbles(seed: usize) -> Vec<u8> {
    (0..32).map(|at| ((at * 7 + seed * 3) % 16) as u8).collect()
}

/// Element `i` in the low half of byte `i`, element `i + 16` in its high half.
fn packed(codes: &[u8]) -> impl Iterator<Item = u8> {
    (0..16).map(|at| codes[at] | codes[at + 16] << 4)
}

fn q4_0(seed: usize, scale: u16) -> Row {
    let codes = nibbles(seed);
    let bytes = scale.to_le_bytes().into_iter().chain(packed(&codes)).collect();
    let values = codes.iter().map(|code| half(scale) * (f64::from(*code) - 8.0)).collect();
    Row { bytes, codes, scale, bias: None, values }
}

fn q4_1(seed: usize, scale: u16, bias: u16) -> Row {
    let codes = nibbles(seed);
    let numbers = [scale, bias].into_iter().flat_map(u16::to_le_bytes);
    let bytes = numbers.chain(packed(&codes)).collect();
    let values = codes.iter().map(|code| half(scale) * f64::from(*code) + half(bias)).collect();
    Row { bytes, codes, scale, bias: Some(bias), values }
}

/// 256 codes in eight blocks under one scale.
fn q8_0(scale: u16) -> Row {
    let signed: Vec<i8> = (0..=255u8).map(|at| at.wrapping_mul(37) as i8).collect();
    let block = |codes: &[i8]| {
        let codes: Vec<u8> = codes.iter().map(|code| *code as u8).collect();
        scale.to_le_bytes().into_iter().chain(codes).collect::<Vec<u8>>()
    };
    let values = signed.iter().map(|code| half(scale) * f64::from(*code)).collect();
    let codes = signed.iter().map(|code| (i16::from(*code) + 128) as u8).collect();
    Row { bytes: signed.chunks(32).flat_map(block).collect(), codes, scale, bias: None, values }
}

/// The rows as a head of a GGUF model.
fn head(kind: u32, rows: &[Row]) -> Checkpoint {
    let bytes = rows.iter().flat_map(|row| row.bytes.clone()).collect();
    let shape = [rows.len(), rows[0].values.len()];
    let file = gguf::tiny("qwen2").tensor("output.weight", &shape, kind, bytes);
    common::open_gguf(&file.bytes()).expect("valid")
}

fn head_of(checkpoint: &Checkpoint) -> Tensor<'_> {
    checkpoint.tensor("lm_head.weight").expect("mapped")
}

fn check(kind: u32, bits: u8, form: BlockForm, rows: &[Row]) {
    let checkpoint = head(kind, rows);
    let tensor = head_of(&checkpoint);
    let format = BlockFormat { bits, group: 32, scale: DType::F16, form };
    assert_eq!(tensor.block_format(), Some(format), "{}", tensor.dtype);
    let values = tensor.to_f32().expect("floats");
    let columns = rows[0].values.len();
    for (at, row) in rows.iter().enumerate() {
        let found = tensor.codes(at..at + 1).expect("codes");
        assert_eq!((found.format, found.rows, found.columns), (format, 1, columns));
        assert_eq!(found.codes, row.codes, "{} row {at}", tensor.dtype);
        assert!(found.scales.iter().all(|scale| *scale == row.scale) && !found.scales.is_empty());
        assert_eq!(found.scales.len(), columns / 32);
        let biases = row.bias.map(|bias| vec![bias; columns / 32]);
        assert_eq!(found.biases, biases);
        for (column, expected) in row.values.iter().enumerate() {
            let (found, expected) = (values[at * columns + column], *expected as f32);
            let context = format!("{} row {at} column {column}", tensor.dtype);
            assert_eq!(found.to_bits(), expected.to_bits(), "{context}: {found} {expected}");
        }
    }
    let all = tensor.codes(0..rows.len()).expect("codes");
    let joined: Vec<u8> = rows.iter().flat_map(|row| row.codes.clone()).collect();
    assert_eq!((all.rows, all.codes), (rows.len(), joined));
}

#[test]
fn every_code_of_q4_0_under_every_kind_of_scale() {
    let rows: Vec<Row> = HALVES.iter().enumerate().map(|(at, scale)| q4_0(at, *scale)).collect();
    check(2, 4, BlockForm::Middle, &rows);
}

#[test]
fn every_code_of_q4_1_under_every_kind_of_scale_and_minimum() {
    let pairs = HALVES.iter().flat_map(|scale| HALVES.map(|bias| (*scale, bias)));
    let rows: Vec<Row> =
        pairs.enumerate().map(|(at, (scale, bias))| q4_1(at, scale, bias)).collect();
    check(3, 4, BlockForm::Bias, &rows);
}

#[test]
fn every_code_of_q8_0_under_every_kind_of_scale() {
    let rows: Vec<Row> = HALVES.iter().map(|scale| q8_0(*scale)).collect();
    check(8, 8, BlockForm::Middle, &rows);
}

#[test]
fn rows_of_codes_are_in_transformers_order() {
    // llama.cpp's order of a head of 4: rows 0, 2, 1, 3. The scale of a row is its own number.
    let stored = [0u16, 2, 1, 3, 4, 6, 5, 7];
    let bytes: Vec<u8> = stored.iter().flat_map(|row| q4_0(0, 0x3c00 + row).bytes).collect();
    let file = gguf::tiny("llama")
        .replace("llama.embedding_length", 32)
        .replace("llama.attention.key_length", 4)
        .tensor("blk.0.attn_q.weight", &[8, 32], 2, bytes);
    let checkpoint = common::open_gguf(&file.bytes()).expect("valid");
    let query = checkpoint.tensor("model.layers.0.self_attn.q_proj.weight").expect("mapped");
    let scales = query.codes(0..8).expect("codes").scales;
    assert_eq!(scales, (0..8).map(|row| 0x3c00 + row).collect::<Vec<u16>>());
    assert_eq!(query.codes(2..5).expect("codes").scales, scales[2..5]);
    assert!(query.codes(3..3).expect("no rows").codes.is_empty());
}

#[test]
fn requests_that_have_no_codes_are_named() {
    let checkpoint = head(2, &[q4_0(0, 0x3c00)]);
    let beyond = head_of(&checkpoint).codes(0..2).expect_err("one row").to_string();
    assert!(beyond.contains("\"lm_head.weight\" has 1 rows"), "{beyond}");
    assert!(beyond.contains("rows 0 to 2"), "{beyond}");

    let no_codes = |file: &File, name: &str, parts: &[&str]| {
        let checkpoint = common::open_gguf(&file.bytes()).expect("valid");
        let tensor = checkpoint.tensor(name).expect("there");
        assert_eq!(tensor.block_format(), None);
        let error = tensor.codes(0..1).expect_err("no codes").to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    };
    let plain = gguf::tiny("qwen2");
    no_codes(&plain, "model.embed_tokens.weight", &["embed_tokens", "stored as F32", "Q4_1"]);
    let five = gguf::tiny("qwen2").tensor("output.weight", &[1, 32], 6, vec![0; 22]);
    no_codes(&five, "lm_head.weight", &["stored as Q5_0", "[1, 32]"]);
    let vector = gguf::tiny("qwen2").tensor("output.weight", &[32], 8, vec![0; 34]);
    no_codes(&vector, "lm_head.weight", &["stored as Q8_0", "[32]", "a matrix"]);
}
