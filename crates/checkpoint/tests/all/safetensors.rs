//! Right and wrong safetensors files. Names like `a24` cite the public report behind a case.

use crate::common::{f32_file, open_single, refused, safetensors};
use tyto_checkpoint::{Error, StoredType};

const ONE: &str = r#"{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#;

/// A file whose header describes one tensor `w` over eight data bytes.
fn with_entry(entry: &str) -> Vec<u8> {
    safetensors(&format!(r#"{{"w":{entry}}}"#), &[0; 8])
}

#[test]
fn a_header_length_that_lies_is_refused_before_any_allocation_a23() {
    let with_length = |length: u64| {
        let mut bytes = safetensors(ONE, &[0; 4]);
        bytes[..8].copy_from_slice(&length.to_le_bytes());
        bytes
    };
    refused(open_single(&with_length(132_095_296)), &["header length", "132095296", "100000000"]);
    refused(open_single(&with_length(1 << 63)), &["header length", "9223372036854775808"]);
    refused(open_single(&with_length(u64::MAX)), &["header length"]);
    refused(open_single(&with_length(59)), &["header length", "59", "58 bytes that follow"]);
    refused(open_single(&with_length(0)), &["first byte of the header", "empty"]);
    refused(open_single(&[1, 2, 3]), &["header length", "3 bytes", "at least 8"]);
    refused(open_single(&[]), &["header length", "0 bytes"]);
}

#[test]
fn a_duplicate_tensor_is_refused_as_such_a24() {
    let entry = r#""w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}"#;
    let error = refused(
        open_single(&safetensors(&format!("{{{entry},{entry}}}"), &[0; 4])),
        &["model.safetensors", "duplicate key", "\"w\""],
    );
    assert!(matches!(error, Error::DuplicateKey { .. }));
    let twice = r#"{"dtype":"F32","dtype":"F16","shape":[2],"data_offsets":[0,8]}"#;
    refused(open_single(&with_entry(twice)), &["\"w\"", "duplicate field", "dtype"]);
    let metadata = r#"{"__metadata__":{"a":"1","a":"2"}}"#;
    refused(open_single(&safetensors(metadata, &[])), &["duplicate key", "\"a\""]);
}

#[test]
fn unaligned_data_loads_with_the_right_values_a25() {
    let values = [1.5f32, -2.25, 3e-39, f32::INFINITY];
    for padding in 0..8 {
        let header = format!(
            r#"{{"w":{{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}{}}}"#,
            " ".repeat(padding)
        );
        let data: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let checkpoint = open_single(&safetensors(&header, &data)).expect("valid");
        let tensor = checkpoint.tensor("w").expect("there");
        assert_eq!(tensor.to_f32().expect("floats"), values, "padding {padding}");
        assert_eq!(tensor.bytes(), Some(&data[..]));
    }
}

#[test]
fn metadata_may_be_null_as_mlx_writes_it() {
    let open = |metadata: &str| {
        open_single(&safetensors(&format!(r#"{{"__metadata__":{metadata}}}"#), &[]))
    };
    open("null").expect("says nothing");
    open(r#"{"format":"mlx"}"#).expect("texts");
    refused(open("1"), &["__metadata__"]);
    refused(open(r#"{"format":1}"#), &["__metadata__"]);
}

#[test]
fn trailing_spaces_are_legal_and_leading_ones_are_not_a27() {
    let padded = format!("{ONE}{}", " ".repeat(100));
    open_single(&safetensors(&padded, &[0; 4])).expect("trailing spaces are legal");
    refused(
        open_single(&safetensors(&format!(" {ONE}"), &[0; 4])),
        &["first byte of the header", "' '", "'{'"],
    );
    refused(open_single(&safetensors("[]", &[])), &["first byte of the header", "'['"]);
    refused(
        open_single(&safetensors(&format!("{ONE}x"), &[0; 4])),
        &["not valid JSON", "trailing"],
    );
}

#[test]
fn offsets_must_match_type_and_shape_a28() {
    let huge = r#"{"dtype":"F32","shape":[1000,1000],"data_offsets":[0,8]}"#;
    refused(open_single(&with_entry(huge)), &["\"w\"", "8 bytes", "4000000 bytes", "[1000, 1000]"]);
    let small = r#"{"dtype":"F32","shape":[1],"data_offsets":[0,8]}"#;
    refused(open_single(&with_entry(small)), &["\"w\"", "8 bytes", "4 bytes"]);
    let overflow = r#"{"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,8]}"#;
    refused(open_single(&with_entry(overflow)), &["\"w\"", "whole number of bytes"]);
    let backwards = r#"{"dtype":"F32","shape":[1],"data_offsets":[8,4]}"#;
    refused(open_single(&with_entry(backwards)), &["\"w\"", "[8, 4]", "begin <= end"]);
    let beyond = r#"{"dtype":"F32","shape":[3],"data_offsets":[0,12]}"#;
    refused(open_single(&with_entry(beyond)), &["\"w\"", "[0, 12]", "end <= 8"]);
    let negative = r#"{"dtype":"F32","shape":[-1],"data_offsets":[0,8]}"#;
    refused(open_single(&with_entry(negative)), &["\"w\"", "-1"]);
}

#[test]
fn bytes_after_the_last_tensor_are_refused_a29() {
    refused(open_single(&safetensors(ONE, &[0; 7])), &["3 data bytes at 4", "after \"w\""]);
    refused(open_single(&safetensors("{}", &[0; 1])), &["1 data bytes at 0", "no tensors"]);
    open_single(&safetensors("{}", &[])).expect("no tensors and no bytes agree");
}

#[test]
fn an_unknown_type_is_refused_before_its_offsets_are_used_a31() {
    let unknown = r#"{"dtype":"F9","shape":[1],"data_offsets":[18446744073709551615,0]}"#;
    let error = refused(open_single(&with_entry(unknown)), &["\"w\"", "\"F9\"", "BF16"]);
    assert!(matches!(error, Error::UnsupportedType { .. }));
    // GGUF's block formats have names too, but not in this format.
    let block = r#"{"dtype":"Q4_0","shape":[32],"data_offsets":[0,8]}"#;
    refused(open_single(&with_entry(block)), &["\"Q4_0\""]);
}

#[test]
fn headers_of_every_length_near_buffer_sizes_load_a32() {
    for size in [4096usize, 8192, 65_536, 100_000] {
        for length in size - 8..=size + 8 {
            let header = format!("{ONE}{}", " ".repeat(length - ONE.len()));
            let checkpoint =
                open_single(&safetensors(&header, &2.5f32.to_le_bytes())).expect("valid");
            assert_eq!(checkpoint.tensor("w").expect("there").to_f32().expect("floats"), [2.5]);
        }
    }
}

#[test]
fn every_type_is_sized_and_packed_types_refuse_odd_counts_a33() {
    for stored in StoredType::ALL.iter().filter(|stored| stored.block_elements() < 32) {
        let (elements, bytes) = (stored.block_elements() * 2, stored.block_bytes() * 2);
        let entry = |elements: usize| {
            let name = stored.name();
            let header = format!(
                r#"{{"w":{{"dtype":"{name}","shape":[{elements}],"data_offsets":[0,{bytes}]}}}}"#
            );
            safetensors(&header, &vec![0; bytes])
        };
        let checkpoint = open_single(&entry(elements)).expect("valid");
        let tensor = checkpoint.tensor("w").expect("there");
        assert_eq!((tensor.dtype, tensor.shape), (*stored, &[elements][..]));
        assert_eq!(tensor.to_f32().is_ok(), stored.is_float(), "{}", stored.name());
        refused(open_single(&entry(elements + 1)), &["\"w\"", stored.name()]);
        refused(open_single(&entry(elements - 1)), &["\"w\"", stored.name()]);
    }
}

#[test]
fn overlaps_and_holes_are_refused() {
    let two = |first: [usize; 2], second: [usize; 2], data: usize| {
        let entry = |[begin, end]: [usize; 2]| {
            let shape = end - begin;
            format!(r#"{{"dtype":"U8","shape":[{shape}],"data_offsets":[{begin},{end}]}}"#)
        };
        let header = format!(r#"{{"a":{},"b":{}}}"#, entry(first), entry(second));
        open_single(&safetensors(&header, &vec![0; data]))
    };
    two([4, 8], [0, 4], 8).expect("any order in the header is legal");
    refused(two([0, 4], [3, 8], 8), &["\"a\"", "\"b\"", "overlap", "3"]);
    refused(two([0, 4], [0, 4], 4), &["\"a\"", "\"b\"", "overlap"]);
    refused(two([0, 8], [2, 4], 8), &["overlap"]);
    refused(two([0, 4], [6, 8], 8), &["2 data bytes at 4", "between \"a\" and \"b\""]);
    refused(two([2, 4], [4, 8], 8), &["2 data bytes at 0", "the header", "\"a\""]);
}

#[test]
fn scalars_and_empty_tensors_are_legal() {
    let header = r#"{"scalar":{"dtype":"F32","shape":[],"data_offsets":[0,4]},
        "empty":{"dtype":"F32","shape":[3,0,7],"data_offsets":[4,4]},
        "wide":{"dtype":"F32","shape":[0,18446744073709551615],"data_offsets":[0,0]}}"#;
    let checkpoint = open_single(&safetensors(header, &4.0f32.to_le_bytes())).expect("valid");
    let values = |name| checkpoint.tensor(name).expect("there").to_f32().expect("floats");
    assert_eq!(values("scalar"), [4.0]);
    assert!(values("empty").is_empty() && values("wide").is_empty());
    let mut out = [0u8; 4];
    checkpoint.tensor("scalar").expect("there").write_stored(&mut out).expect("fits");
    assert_eq!(out, 4.0f32.to_le_bytes());
}

#[test]
fn not_json_and_not_text_are_refused() {
    refused(open_single(&safetensors("{", &[])), &["model.safetensors", "not valid JSON"]);
    let mut bytes = safetensors(ONE, &[0; 4]);
    bytes[11] = 0xff;
    refused(open_single(&bytes), &["header", "UTF-8"]);
    refused(open_single(&safetensors(r#"{"w":3}"#, &[])), &["\"w\""]);
    refused(open_single(&safetensors(r#"{"__metadata__":{"a":1}}"#, &[])), &["__metadata__"]);
}

#[test]
fn a_missing_tensor_and_a_wrong_shape_name_everything() {
    let file = f32_file(&[("model.layers.0.self_attn.q_proj.weight", &[2, 3], &[0.0; 6])]);
    let checkpoint = open_single(&file).expect("valid");
    let name = "model.layers.0.self_attn.q_proj.weight";
    checkpoint.expect_tensor(name, &[2, 3]).expect("as stored");
    let error = checkpoint.expect_tensor(name, &[4, 3]).expect_err("another shape").to_string();
    for part in ["model.safetensors", name, "[2, 3]", "[4, 3]"] {
        assert!(error.contains(part), "{error}");
    }
    let other = "layers.0.self_attn.q_proj.weight";
    let error = checkpoint.expect_tensor(other, &[2, 3]).expect_err("another name").to_string();
    assert!(error.contains(other) && error.contains(name), "{error}");
}
