//! Codes handed out and their values: every code and every scale of each GGUF format, packed by a
//! writer of our own and valued by the formats' definitions.

use crate::common;
use crate::common::ggml::{self, Block};
use crate::common::gguf::{self, File};
use crate::common::numbers::{assert_bits, e2m1, e8m0, evaluate, half};
use tyto_checkpoint::{BlockForm, BlockFormat, Checkpoint, CodeType, ScaleType, Tensor};

/// Halves: zeros, the ends of the denormal range, one, ordinary and the largest numbers, negatives.
const HALVES: [u16; 12] = [
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00, 0x2e66, 0xb123, 0x7bff, 0xfbff,
];

/// A format of GGUF.
struct Format {
    /// GGUF's number.
    kind: u32,
    pack: fn(&Block) -> Vec<u8>,
    elements: usize,
    is: BlockFormat,
    /// The sub-scales that it has, in formats of 256 elements.
    subs: std::ops::Range<i16>,
}

fn format(kind: u32, code: CodeType, scale: ScaleType, form: BlockForm) -> Format {
    let group = match kind {
        10 | 11 | 14 => 16,
        _ => 32,
    };
    let (pack, subs): (fn(&Block) -> Vec<u8>, _) = match kind {
        2 | 20 => (ggml::q4_0, 0..0),
        3 => (ggml::q4_1, 0..0),
        6 => (ggml::q5_0, 0..0),
        7 => (ggml::q5_1, 0..0),
        8 => (ggml::q8_0, 0..0),
        39 => (ggml::mxfp4, 0..0),
        10 => (ggml::q2_k, 0..16),
        11 => (ggml::q3_k, -32..32),
        12 => (ggml::q4_k, 0..64),
        13 => (ggml::q5_k, 0..64),
        14 => (ggml::q6_k, -128..128),
        _ => (ggml::iq4_xs, -32..32),
    };
    let elements = if subs.is_empty() { 32 } else { 256 };
    let is = BlockFormat { code, group, scale, form, row_scale: false };
    Format { kind, pack, elements, is, subs }
}

/// Every format of GGUF, from its documentation.
fn formats() -> Vec<Format> {
    use BlockForm::*;
    use CodeType::*;
    use ScaleType::*;
    vec![
        format(2, Unsigned(4), F16, Middle),
        format(3, Unsigned(4), F16, Bias),
        format(6, Unsigned(5), F16, Middle),
        format(7, Unsigned(5), F16, Bias),
        format(8, Unsigned(8), F16, Middle),
        format(20, Iq4, F16, Plain),
        format(39, E2M1, E8M0, Plain),
        format(10, Unsigned(2), Super, Minimum),
        format(11, Unsigned(3), Super, Middle),
        format(12, Unsigned(4), Super, Minimum),
        format(13, Unsigned(5), Super, Minimum),
        format(14, Unsigned(6), Super, Middle),
        format(23, Iq4, Super, Plain),
    ]
}

impl Format {
    /// Rows of 256 columns in which every code stands under every sub-scale, or under every half
    /// (every byte of E8M0), beside every minimum.
    fn rows(&self) -> Vec<Vec<Block>> {
        let groups = 256 / usize::from(self.is.group);
        let numbers: Vec<u16> = match self.is.scale {
            ScaleType::E8M0 => (0..255).collect(),
            _ => HALVES.to_vec(),
        };
        let count = (numbers.len() * HALVES.len()).max(self.subs.len() * 4);
        let codes = 1usize << self.is.code.bits();
        let row = |row: usize| {
            let blocks = 256 / self.elements;
            let code = |at: usize| ((at * 7 + at / 256 + row * 3) % codes) as u8;
            let all: Vec<u8> = (0..256).map(code).collect();
            let sub = |group: usize| {
                let at = (row * groups + group) % self.subs.len();
                (self.subs.start + at as i16) as i8
            };
            let block = |block: usize| {
                let codes = all[block * self.elements..][..self.elements].to_vec();
                let (scale, minimum) =
                    (numbers[row % numbers.len()], HALVES[row / 3 % HALVES.len()]);
                let mut made = Block { scale, minimum, codes, ..Block::default() };
                if !self.subs.is_empty() {
                    made.subs = (0..groups).map(sub).collect();
                    made.minima =
                        (0..groups).map(|group| (sub(group) as u8).wrapping_mul(5)).collect();
                    let last = self.subs.len() as u8 - 1;
                    made.minima.iter_mut().for_each(|minimum| *minimum &= last);
                }
                made
            };
            (0..blocks).map(block).collect()
        };
        (0..count).map(row).collect()
    }

    /// The values of a block, by the format's definition.
    fn values(&self, block: &Block) -> Vec<f32> {
        let group = usize::from(self.is.group);
        let value = |(at, code): (usize, &u8)| {
            let number = match self.is.code {
                CodeType::Iq4 => common::numbers::IQ4[usize::from(*code)].into(),
                // ggml has no negative zero in this format.
                CodeType::E2M1 if *code == 8 => 0.0,
                CodeType::E2M1 => e2m1((*code).into()),
                _ => f64::from(*code),
            };
            let scale = match self.is.scale {
                ScaleType::E8M0 => e8m0(block.scale.into()),
                ScaleType::Super => half(block.scale) * f64::from(block.subs[at / group]),
                _ => half(block.scale),
            };
            let middle = f64::from(1u8 << (self.is.code.bits() - 1));
            match self.is.form {
                BlockForm::Middle => (scale * (number - middle)) as f32,
                BlockForm::Bias => ((scale * number) as f32) + half(block.minimum) as f32,
                BlockForm::Minimum => {
                    let minimum = half(block.minimum) * f64::from(block.minima[at / group]);
                    ((scale * number) as f32) - minimum as f32
                }
                _ => (scale * number) as f32,
            }
        };
        block.codes.iter().enumerate().map(value).collect()
    }
}

fn head(kind: u32, shape: &[usize], bytes: Vec<u8>) -> Checkpoint {
    let file = gguf::tiny("qwen2").tensor("output.weight", shape, kind, bytes);
    common::open_gguf(&file.bytes()).expect("valid")
}

fn head_of(checkpoint: &Checkpoint) -> Tensor<'_> {
    checkpoint.tensor("lm_head.weight").expect("mapped")
}

#[test]
fn every_code_and_scale_of_every_format() {
    for format in formats() {
        let rows = format.rows();
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(format.pack).collect();
        // As one matrix, and as matrices under each other.
        for shape in [&[rows.len(), 256][..], &[2, rows.len() / 2, 256]] {
            let checkpoint = head(format.kind, shape, bytes.clone());
            let tensor = head_of(&checkpoint);
            assert_eq!(tensor.block_format(), Some(format.is), "{}", tensor.dtype);
            check(&format, &tensor, &rows);
        }
    }
}

fn check(format: &Format, tensor: &Tensor<'_>, rows: &[Vec<Block>]) {
    let context = tensor.dtype.to_string();
    let values = tensor.to_f32().expect("floats");
    let expected = rows.iter().flatten().flat_map(|block| format.values(block));
    assert_bits(&values, expected, &context);

    let found = tensor.codes(1..rows.len()).expect("codes");
    assert_eq!((found.rows, found.columns), (rows.len() - 1, 256), "{context}");
    assert_bits(&evaluate(&found), values[256..].iter().copied(), &context);

    let blocks: Vec<&Block> = rows[1..].iter().flatten().collect();
    let all =
        |of: fn(&Block) -> Vec<u8>| -> Vec<u8> { blocks.iter().flat_map(|b| of(b)).collect() };
    let subs = all(|b| b.subs.iter().map(|sub| *sub as u8).collect());
    let scales = match format.is.scale {
        ScaleType::Super => subs,
        ScaleType::E8M0 => all(|b| vec![b.scale as u8]),
        _ => all(|b| b.scale.to_le_bytes().to_vec()),
    };
    assert_eq!(found.scales, scales, "{context}");
    let has = |form, part: Vec<u8>| (format.is.form == form).then_some(part);
    assert_eq!(found.biases, has(BlockForm::Bias, all(|b| b.minimum.to_le_bytes().to_vec())));
    assert_eq!(found.minima, has(BlockForm::Minimum, all(|b| b.minima.clone())));
    assert_eq!((&found.zeros, &found.row_scales), (&None, &None));
    let halves =
        |b: &&Block| [b.scale, if format.is.form == BlockForm::Minimum { b.minimum } else { 0 }];
    let supers = (format.is.scale == ScaleType::Super).then(|| blocks.iter().map(halves).collect());
    assert_eq!(found.supers, supers, "{context}");
    if format.is.code != CodeType::E2M1 {
        assert_eq!(found.codes, all(|b| b.codes.clone()), "{context}");
    }
}

#[test]
fn codes_of_random_blocks_make_their_values() {
    let fixture =
        common::open_single(include_bytes!("../fixtures/blocks.safetensors")).expect("valid");
    for format in formats() {
        let name = head(format.kind, &[0, 256], Vec::new());
        let name = head_of(&name).dtype.name();
        let bytes = fixture.tensor(&format!("{name}.bytes")).and_then(|t| t.bytes());
        let bytes = bytes.expect("in the fixture").to_vec();
        let columns = bytes.len() / (format.pack)(&format.rows()[0][0]).len() * format.elements;
        let checkpoint = head(format.kind, &[1, columns], bytes);
        let tensor = head_of(&checkpoint);
        let codes = tensor.codes(0..1).expect("codes");
        assert_bits(&evaluate(&codes), tensor.to_f32().expect("floats"), name);
    }
}

/// A row of `Q4_0` whose scale is one plus a small number.
fn numbered(row: u16) -> Vec<u8> {
    ggml::q4_0(&Block { scale: 0x3c00 + row, codes: vec![3; 32], ..Block::default() })
}

#[test]
fn rows_of_codes_are_in_transformers_order() {
    // llama.cpp's order of a head of 4: rows 0, 2, 1, 3. The scale of a row is its own number.
    let stored = [0u16, 2, 1, 3, 4, 6, 5, 7];
    let bytes: Vec<u8> = stored.iter().flat_map(|row| numbered(*row)).collect();
    let file = gguf::tiny("llama")
        .replace("llama.embedding_length", 32)
        .replace("llama.attention.key_length", 4)
        .tensor("blk.0.attn_q.weight", &[8, 32], 2, bytes);
    let checkpoint = common::open_gguf(&file.bytes()).expect("valid");
    let query = checkpoint.tensor("model.layers.0.self_attn.q_proj.weight").expect("mapped");
    let scales = |rows: std::ops::Range<u16>| -> Vec<u8> {
        rows.flat_map(|row| (0x3c00 + row).to_le_bytes()).collect()
    };
    assert_eq!(query.codes(0..8).expect("codes").scales, scales(0..8));
    assert_eq!(query.codes(2..5).expect("codes").scales, scales(2..5));
    assert!(query.codes(3..3).expect("no rows").codes.is_empty());
}

#[test]
fn requests_that_have_no_codes_are_named() {
    let checkpoint = head(2, &[1, 32], numbered(0));
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
    no_codes(
        &plain,
        "model.embed_tokens.weight",
        &["embed_tokens", "stored as F32", "groups of 16"],
    );
    let vector = gguf::tiny("qwen2").tensor("output.weight", &[32], 8, vec![0; 34]);
    no_codes(&vector, "lm_head.weight", &["stored as Q8_0", "[32]", "a matrix"]);
}

#[test]
fn scales_that_are_no_numbers_are_refused_where_they_stand() {
    let refusal = |kind: u32, shape: &[usize], bytes: Vec<u8>| {
        let checkpoint = head(kind, shape, bytes);
        let tensor = head_of(&checkpoint);
        tensor.codes(0..shape[0]).expect_err("no number").to_string()
    };
    let infinite = Block { scale: 0x7c00, codes: vec![0; 32], ..Block::default() };
    let error = refusal(2, &[2, 32], [numbered(0), ggml::q4_0(&infinite)].concat());
    for part in ["model.gguf", "\"lm_head.weight\", row 1", "scale inf", "a finite number"] {
        assert!(error.contains(part), "{error}");
    }
    let nan = Block { scale: 255, codes: vec![0; 32], ..Block::default() };
    let error = refusal(
        39,
        &[1, 64],
        [ggml::mxfp4(&Block { scale: 1, ..nan.clone() }), ggml::mxfp4(&nan)].concat(),
    );
    assert!(error.contains("row 0: found scale NaN ([ff]) of group 1"), "{error}");
    let wide = Block {
        scale: 0x3c00,
        minimum: 0x7e00,
        subs: vec![1; 8],
        minima: vec![1; 8],
        codes: vec![0; 256],
    };
    let error = refusal(12, &[1, 256], ggml::q4_k(&wide));
    assert!(error.contains("row 0: found scale and minimum [1.0, NaN] of 256 columns"), "{error}");
}
