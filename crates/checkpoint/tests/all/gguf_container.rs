//! GGUF files that lie about themselves.

use crate::common::gguf::{File, Value, counting, tiny};
use crate::common::{open_gguf, refused};
use tyto_checkpoint::{Error, SourceKind};

#[test]
fn versions_two_and_three_are_read_and_others_refused() {
    for version in [2, 3] {
        let checkpoint = open_gguf(&File { version, ..tiny("llama") }.bytes()).expect("valid");
        assert_eq!(checkpoint.kind(), SourceKind::Gguf);
    }
    refused(
        open_gguf(&File { version: 1, ..tiny("llama") }.bytes()),
        &["version", "found 1", "2 or 3"],
    );
    refused(open_gguf(&File { version: 4, ..tiny("llama") }.bytes()), &["version", "found 4"]);
    let big_endian = File { version: 3u32.swap_bytes(), ..tiny("llama") };
    refused(open_gguf(&big_endian.bytes()), &["version", "3 in big-endian order", "little-endian"]);
}

#[test]
fn counts_that_lie_are_refused_before_any_allocation() {
    let tensors = |count| open_gguf(&File { tensor_count: Some(count), ..tiny("llama") }.bytes());
    refused(
        tensors(u64::MAX),
        &["tensor count", "18446744073709551615", "all that the file can hold"],
    );
    refused(tensors(1 << 40), &["tensor count", "1099511627776"]);
    refused(tensors(2), &["tensor 1 of 2"]);
    refused(tensors(0), &["belong to no tensor", "tensor count may be wrong"]);
    let metadata =
        |count| open_gguf(&File { metadata_count: Some(count), ..tiny("llama") }.bytes());
    refused(metadata(u64::MAX), &["metadata count", "all that the file can hold"]);
    // One too many makes a key of a tensor, one too few a tensor of a key.
    refused(metadata(9), &["tensor 0 of 1"]);
    refused(metadata(7), &["tensor"]);
}

#[test]
fn lengths_that_lie_are_refused_before_any_allocation() {
    let with =
        |kind, bytes: Vec<u8>| open_gguf(&tiny("llama").set("k", Value::Raw(kind, bytes)).bytes());
    let long = |length: u64| length.to_le_bytes().to_vec();
    refused(
        with(8, long(u64::MAX)),
        &["\"k\"", "string of 18446744073709551615 bytes", "bytes left"],
    );
    let array = |kind: u32, length: u64| [kind.to_le_bytes().to_vec(), long(length)].concat();
    refused(with(9, array(0, u64::MAX)), &["\"k\"", "array of 18446744073709551615 elements"]);
    refused(with(9, array(10, 1 << 61)), &["\"k\"", "array of 2305843009213693952 elements"]);
    refused(with(9, array(8, 1 << 60)), &["\"k\"", "array of"]);
    refused(with(9, [array(8, 1), long(1 << 40)].concat()), &["\"k\"", "string of 1099511627776"]);
    refused(with(9, array(13, 1)), &["\"k\"", "value type 13", "0 to 12"]);
    refused(with(99, Vec::new()), &["\"k\"", "value type 99"]);
}

#[test]
fn nested_arrays_have_a_limit() {
    let nested = |levels: usize| {
        let mut bytes = Vec::new();
        for _ in 1..levels {
            bytes.extend(9u32.to_le_bytes());
            bytes.extend(1u64.to_le_bytes());
        }
        bytes.extend(0u32.to_le_bytes());
        bytes.extend(1u64.to_le_bytes());
        bytes.push(7);
        open_gguf(&tiny("llama").set("k", Value::Raw(9, bytes)).bytes())
    };
    nested(1).expect("an array");
    nested(4).expect("arrays of arrays are legal");
    refused(nested(5), &["\"k\"", "nested deeper", "4 levels"]);
    refused(nested(100_000), &["\"k\"", "nested deeper"]);
}

#[test]
fn keys_and_tensors_stand_once() {
    let error = refused(
        open_gguf(&tiny("llama").set("llama.block_count", 2).bytes()),
        &["model.gguf", "duplicate key", "llama.block_count", "metadata"],
    );
    assert!(matches!(error, Error::DuplicateKey { .. }));
    let twice = tiny("llama").tensor_f32("token_embd.weight", &[1], &[0.0]);
    refused(open_gguf(&twice.bytes()), &["duplicate key", "token_embd.weight", "tensor list"]);
}

#[test]
fn tensor_offsets_are_checked_against_the_file_and_each_other() {
    let two = tiny("llama").tensor_f32("output_norm.weight", &[7], &counting(7));
    open_gguf(&two.bytes()).expect("valid");
    let with =
        |which, offset| open_gguf(&File { offset: Some((which, offset)), ..two.clone() }.bytes());
    refused(with(1, u64::MAX), &["output_norm.weight", "18446744073709551615", "data bytes"]);
    refused(with(1, 416), &["output_norm.weight", "offset 416", "416 data bytes"]);
    refused(with(1, 352), &["overlap", "token_embd.weight", "output_norm.weight", "352"]);
    refused(with(0, 32), &["belong to no tensor", "the header"]);
    refused(with(1, 385), &["output_norm.weight", "offset 385", "alignment, 32"]);
    let mut cut = two.bytes();
    cut.truncate(cut.len() - 5);
    refused(open_gguf(&cut), &["output_norm.weight", "411 data bytes"]);
    let mut long = two.bytes();
    long.resize(long.len() + 32, 0);
    refused(open_gguf(&long), &["36 data bytes at 412", "after \"output_norm.weight\", the last"]);
}

#[test]
fn alignment_is_honoured_and_checked() {
    let wide = File { alignment: 128, ..tiny("llama").set("general.alignment", 128) };
    let checkpoint = open_gguf(&wide.bytes()).expect("valid");
    let tensor = checkpoint.tensor("model.embed_tokens.weight").expect("there");
    assert_eq!(tensor.to_f32().expect("floats"), counting(96));
    for wrong in [0, 3, 48, 1 << 30] {
        let file = tiny("llama").set("general.alignment", wrong);
        refused(
            open_gguf(&file.bytes()),
            &["general.alignment", &wrong.to_string(), "power of two"],
        );
    }
    refused(
        open_gguf(&tiny("llama").set("general.alignment", "x").bytes()),
        &["general.alignment", "a string"],
    );
}

#[test]
fn dimensions_are_checked() {
    let with = |shape: &[usize], kind, bytes: usize| {
        open_gguf(&tiny("llama").tensor("output.weight", shape, kind, vec![0; bytes]).bytes())
    };
    refused(with(&[1; 5], 0, 4), &["output.weight", "5 dimensions", "at most 4"]);
    refused(with(&[1 << 32, 1 << 32], 0, 4), &["output.weight", "4294967296"]);
    refused(with(&[1 << 62], 0, 4), &["output.weight"]);
    // 32 elements, but in rows of 16: a block would span rows.
    refused(with(&[2, 16], 2, 18), &["output.weight", "multiple of 32", "Q4_0"]);
    with(&[1, 32], 2, 18).expect("one block");
    // Zero elements leave the other dimensions unbounded.
    let empty = with(&[usize::MAX, usize::MAX, 0], 0, 0).expect("empty is legal");
    assert!(empty.tensor("lm_head.weight").expect("there").to_f32().expect("floats").is_empty());
}

#[test]
fn an_empty_tensor_may_start_in_padding_that_is_not_there() {
    let mut file = tiny("llama");
    file.tensors.clear();
    let file = file.tensor_f32("token_embd.weight", &[12, 0], &[]);
    let bytes = File { alignment: 1, ..file }.bytes();
    assert!(!bytes.len().is_multiple_of(32), "else this shows nothing");
    let checkpoint = open_gguf(&bytes).expect("valid");
    let tensor = checkpoint.tensor("model.embed_tokens.weight").expect("there");
    assert!(tensor.to_f32().expect("floats").is_empty());
}

#[test]
fn unread_types_are_refused_by_name() {
    let with = |kind| {
        open_gguf(&tiny("llama").tensor("output.weight", &[256], kind, vec![0; 512]).bytes())
    };
    refused(with(16), &["output.weight", "IQ2_XXS", "MXFP4"]);
    refused(with(9), &["output.weight", "Q8_1"]);
    refused(with(12345), &["output.weight", "12345"]);
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = tiny("llama")
        .set("tokenizer.ggml.tokens", Value::Texts(vec!["a".into(), "b".into()]))
        .bytes();
    for length in 0..bytes.len() {
        let result = open_gguf(&bytes[..length]);
        assert!(result.is_err(), "accepted {length} of {} bytes", bytes.len());
    }
}
