//! Every block format and 8-bit float against the reference implementations' output on random blocks
//! (`tools/oracle/gguf_blocks.py`), bit for bit.

use std::path::Path;

use crate::common;
use crate::common::gguf;
use tyto_checkpoint::{Checkpoint, DType, StoredType};

const FIXTURE: &[u8] = include_bytes!("../fixtures/blocks.safetensors");

/// GGUF's number of each format in the fixture.
const FORMATS: [(&str, u32); 14] = [
    ("Q4_0", 2),
    ("Q4_1", 3),
    ("Q5_0", 6),
    ("Q5_1", 7),
    ("Q8_0", 8),
    ("Q2_K", 10),
    ("Q3_K", 11),
    ("Q4_K", 12),
    ("Q5_K", 13),
    ("Q6_K", 14),
    ("IQ4_NL", 20),
    ("IQ4_XS", 23),
    ("BF16", 30),
    ("MXFP4", 39),
];

fn fixture(name: &str, part: &str) -> Vec<u8> {
    let fixture = common::open_single(FIXTURE).expect("the fixture is valid");
    let tensor = fixture.tensor(&format!("{name}.{part}")).expect("in the fixture");
    tensor.bytes().expect("as stored").to_vec()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
}

fn assert_same_bits(name: &str, got: &[f32], expected: &[f32]) {
    assert_eq!(got.len(), expected.len(), "{name}");
    for (at, (got, expected)) in got.iter().zip(expected).enumerate() {
        let same = got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan();
        assert!(same, "{name} element {at}: {got} ({:#x}), expected {expected}", got.to_bits());
    }
}

#[test]
fn every_gguf_format_equals_the_reference() {
    for (name, id) in FORMATS {
        let values = floats(&fixture(name, "values"));
        let file = gguf::tiny("qwen2").tensor(
            "output.weight",
            &[1, values.len()],
            id,
            fixture(name, "bytes"),
        );
        let checkpoint = common::open_gguf(&file.bytes()).expect("valid");
        let tensor = checkpoint.tensor("lm_head.weight").expect("mapped");
        assert_eq!(tensor.dtype.name(), name);
        assert_same_bits(name, &tensor.to_f32().expect("floats"), &values);
    }
}

#[test]
fn every_gguf_format_of_the_product_is_in_the_fixture() {
    let blocks = StoredType::ALL.iter().filter(|stored| stored.block_elements() >= 32);
    for stored in blocks {
        assert!(FORMATS.iter().any(|(name, _)| *name == stored.name()), "{}", stored.name());
    }
}

#[test]
fn all_256_codes_of_each_8_bit_float_equal_the_reference_a33() {
    for name in ["F8_E4M3", "F8_E5M2", "F8_E8M0"] {
        let header =
            format!(r#"{{"w":{{"dtype":"{name}","shape":[16,16],"data_offsets":[0,256]}}}}"#);
        let bytes: Vec<u8> = (0..=255).collect();
        let checkpoint = common::open_single(&common::safetensors(&header, &bytes)).expect("valid");
        let got = checkpoint.tensor("w").expect("there").to_f32().expect("floats");
        assert_same_bits(name, &got, &floats(&fixture(name, "values")));
    }
}

#[test]
fn writing_rounds_to_nearest_even_in_every_chunk() {
    // Longer than two chunks, with ties: 1 + 2^-8 is half way between two bf16, 1 + 2^-11 of two f16.
    let ties =
        [1.0 + 2f32.powi(-8), 1.0 + 3.0 * 2f32.powi(-8), 1.0 + 2f32.powi(-11), 65520.0, -0.0];
    let values: Vec<f32> = ties.iter().copied().cycle().take(10_003).collect();
    let file = common::f32_file(&[("w", &[10_003], &values)]);
    let checkpoint = common::open_single(&file).expect("valid");
    let tensor = checkpoint.tensor("w").expect("there");
    let halves = |dtype| {
        let mut out = vec![0; values.len() * 2];
        tensor.write_as(dtype, &mut out).expect("floats");
        out.as_chunks::<2>().0.iter().map(|b| u16::from_le_bytes(*b)).collect::<Vec<u16>>()
    };
    let bf16 = [0x3f80, 0x3f82, 0x3f80, 0x4780, 0x8000];
    let f16 = [0x3c04, 0x3c0c, 0x3c00, 0x7c00, 0x8000];
    assert!(halves(DType::Bf16).iter().zip(bf16.iter().cycle()).all(|(a, b)| a == b));
    assert!(halves(DType::F16).iter().zip(f16.iter().cycle()).all(|(a, b)| a == b));
    let mut short = vec![0; 7];
    let error = tensor.write_as(DType::F32, &mut short).expect_err("too short").to_string();
    assert!(error.contains("7 bytes") && error.contains("40012"), "{error}");
}

#[test]
fn integers_are_bytes_and_not_values() {
    let header = r#"{"w":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}}"#;
    let checkpoint = common::open_single(&common::safetensors(header, &[7; 8])).expect("valid");
    let tensor = checkpoint.tensor("w").expect("there");
    assert_eq!(tensor.bytes(), Some(&[7u8; 8][..]));
    let error = tensor.to_f32().expect_err("integers").to_string();
    assert!(error.contains("\"w\"") && error.contains("I32"), "{error}");
}

#[test]
fn a_path_that_is_not_there_is_named() {
    let error = Checkpoint::open(Path::new("/nonexistent/model")).err().expect("not there");
    assert!(error.to_string().contains("/nonexistent/model"));
}
