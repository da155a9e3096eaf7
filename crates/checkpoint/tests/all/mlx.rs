//! Directories that MLX quantized: every code of each mode against its definition, which modules are
//! quantized how, and what is refused.

use crate::common::numbers::{assert_bits, e2m1, e4m3, e8m0, evaluate, small};
use crate::common::refused;
use crate::common::stored::{Stored, open, pack};
use serde_json::{Value, json};
use tyto_checkpoint::{
    BlockForm, BlockFormat, Checkpoint, CodeType, PackedMode, ScaleType, StoredType, Tensor,
};

fn settings(mode: &str, bits: u8, group: usize) -> Value {
    json!({ "quantization": { "group_size": group, "bits": bits, "mode": mode } })
}

/// The codes of a module `[rows, columns]`.
fn codes_tensor(name: &str, bits: u8, rows: usize, columns: usize, codes: &[u8]) -> Stored {
    let words = columns * usize::from(bits) / 32;
    (format!("{name}.weight"), "U32", vec![rows, words], pack(codes, bits))
}

/// Scale and bias types with numbers of every kind: zeros, denormals, ordinary, large, negative.
const SCALES: [(&str, u32, u32, [u32; 8]); 3] = [
    ("F16", 5, 10, [0, 0x8000, 0x0001, 0x03ff, 0x3c00, 0xb123, 0x7bff, 0xfbff]),
    ("BF16", 8, 7, [0, 0x8000, 0x0001, 0x807f, 0x3f80, 0xbd12, 0x7f7f, 0xff7f]),
    (
        "F32",
        8,
        23,
        [0, 0x8000_0000, 1, 0x807f_ffff, 0x3f80_0000, 0xbdcc_0000, 0x7f00_0000, 0x4110_0000],
    ),
];

#[test]
fn every_affine_code_under_every_kind_of_scale_and_bias() {
    for (dtype, exponent, mantissa, numbers) in SCALES {
        let size = if dtype == "F32" { 4 } else { 2 };
        let number = |bits: u32| small(bits, exponent, mantissa);
        for (bits, group) in
            [2, 3, 4, 5, 6, 8].into_iter().flat_map(|b| [32, 64, 128].map(|g| (b, g)))
        {
            let pairs: Vec<(u32, u32)> =
                numbers.iter().flat_map(|s| numbers.map(|b| (*s, b))).collect();
            let (rows, columns) = (pairs.len(), 256);
            let codes: Vec<u8> = (0..rows * columns)
                .map(|at| ((at % columns * 5 + at / columns) % (1 << bits)) as u8)
                .collect();
            let bytes = |of: fn(&(u32, u32)) -> u32| {
                let of_row =
                    |pair: &(u32, u32)| of(pair).to_le_bytes()[..size].repeat(columns / group);
                pairs.iter().flat_map(of_row).collect::<Vec<u8>>()
            };
            let shape = vec![rows, columns / group];
            let tensors = [
                codes_tensor("m", bits, rows, columns, &codes),
                ("m.scales".into(), dtype, shape.clone(), bytes(|pair| pair.0)),
                ("m.biases".into(), dtype, shape, bytes(|pair| pair.1)),
            ];
            let checkpoint = open(&settings("affine", bits, group), &tensors).expect("valid");
            assert_eq!(checkpoint.names().collect::<Vec<_>>(), ["m.weight"]);
            let tensor = checkpoint.expect_tensor("m.weight", &[rows, columns]).expect("a matrix");
            let context = format!("{} {dtype}", tensor.dtype);
            assert_eq!(tensor.dtype.to_string(), format!("affine {bits}-bit group {group}"));
            let expected = codes.iter().enumerate().map(|(at, code)| {
                let (scale, bias) = pairs[at / columns];
                // In f32 as its definition rounds: after the product, which 16-bit scales make
                // exact, and after the sum.
                (number(scale) * f64::from(*code)) as f32 + number(bias) as f32
            });
            assert_bits(&tensor.to_f32().expect("floats"), expected, &context);
            check_codes(&tensor, dtype, bits, group, &codes, &pairs);
        }
    }
}

/// The codes that are handed out, where they are.
fn check_codes(
    tensor: &Tensor<'_>,
    dtype: &str,
    bits: u8,
    group: usize,
    codes: &[u8],
    pairs: &[(u32, u32)],
) {
    let scale = match dtype {
        "F16" => ScaleType::F16,
        "BF16" => ScaleType::Bf16,
        _ => {
            assert_eq!(tensor.block_format(), None);
            let error = tensor.codes(0..1).expect_err("no codes").to_string();
            assert!(error.contains(&tensor.dtype.to_string()), "{error}");
            return;
        }
    };
    let (code, form) = (CodeType::Unsigned(bits), BlockForm::Bias);
    let format = BlockFormat { code, group: group as u16, scale, form, row_scale: false };
    assert_eq!(tensor.block_format(), Some(format));
    let found = tensor.codes(1..pairs.len()).expect("codes");
    assert_eq!(found.codes, codes[256..]);
    let of_groups = |of: fn(&(u32, u32)) -> u32| {
        let numbers = |pair| (of(pair) as u16).to_le_bytes().repeat(256 / group);
        pairs[1..].iter().flat_map(numbers).collect::<Vec<u8>>()
    };
    assert_eq!(found.scales, of_groups(|pair| pair.0));
    assert_eq!(found.biases, Some(of_groups(|pair| pair.1)));
    let values = tensor.to_f32().expect("floats");
    assert_bits(&evaluate(&found), values[256..].iter().copied(), &tensor.dtype.to_string());
}

#[test]
fn every_code_and_scale_of_the_other_modes() {
    for (mode, bits, group, scale, value) in modes() {
        let (rows, columns) = (256, 256);
        let codes: Vec<u8> =
            (0..rows * columns).map(|at| ((at + at / columns) % (1 << bits)) as u8).collect();
        let scales: Vec<u8> = (0..=255u8).flat_map(|code| vec![code; columns / group]).collect();
        let checkpoint = of_mode(mode, &[rows, columns], codes.clone(), scales);
        let tensor = checkpoint.expect_tensor("m.weight", &[rows, columns]).expect("a matrix");
        assert_eq!(tensor.dtype.name(), mode);
        let expected = (codes.iter().enumerate())
            .map(|(at, code)| (scale((at / columns) as u32) * value((*code).into())) as f32);
        assert_bits(&tensor.to_f32().expect("floats"), expected, mode);
    }
}

/// The value of a scale or of a code.
type Of = fn(u32) -> f64;

/// Name, bits, group, and what scales and codes are.
fn modes() -> [(&'static str, u8, usize, Of, Of); 3] {
    [("mxfp4", 4, 32, e8m0, e2m1), ("mxfp8", 8, 32, e8m0, e4m3), ("nvfp4", 4, 16, e4m3, e2m1)]
}

/// A module `m` with these codes and scales.
fn of_mode(mode: &str, shape: &[usize], codes: Vec<u8>, scales: Vec<u8>) -> Checkpoint {
    let (_, bits, group, ..) = modes().into_iter().find(|known| known.0 == mode).expect("a mode");
    let with_columns = |columns| [&shape[..shape.len() - 1], &[columns]].concat();
    let columns = shape[shape.len() - 1];
    let words = with_columns(columns * usize::from(bits) / 32);
    let tensors = [
        ("m.weight".into(), "U32", words, pack(&codes, bits)),
        ("m.scales".into(), "U8", with_columns(columns / group), scales),
    ];
    open(&settings(mode, bits, group), &tensors).expect("valid")
}

#[test]
fn codes_of_the_other_modes_are_handed_out_unless_they_are_no_numbers() {
    let stacked = [2, 64, 256];
    for (mode, bits, group, ..) in modes() {
        let (rows, columns) = (128, 256);
        // All numbers: scales from 0 up, and no code of all ones.
        let codes: Vec<u8> = (0..rows * columns)
            .map(|at| ((at + at / columns) % (1 << bits)) as u8)
            .map(|code| if mode == "mxfp8" && code & 0x7f == 0x7f { 0 } else { code })
            .collect();
        let last = if mode == "nvfp4" { 0x7e } else { 254 };
        let scales: Vec<u8> =
            (0..rows * columns / group).map(|at| (at % (last + 1)) as u8).collect();
        let checkpoint = of_mode(mode, &stacked, codes.clone(), scales.clone());
        let tensor = checkpoint.expect_tensor("m.weight", &stacked).expect("matrices");
        let (code, scale) = match mode {
            "mxfp4" => (CodeType::E2M1, ScaleType::E8M0),
            "mxfp8" => (CodeType::E4M3, ScaleType::E8M0),
            _ => (CodeType::E2M1, ScaleType::E4M3),
        };
        let (group_of, form) = (group as u16, BlockForm::Plain);
        let format = BlockFormat { code, group: group_of, scale, form, row_scale: false };
        assert_eq!(tensor.block_format(), Some(format));
        let found = tensor.codes(0..rows).expect("codes");
        assert_eq!((&found.codes, &found.scales), (&codes, &scales), "{mode}");
        assert_bits(&evaluate(&found), tensor.to_f32().expect("floats"), mode);

        let bad_scales: &[u8] = if mode == "nvfp4" { &[0x7f, 0xff, 0x80, 0xc1] } else { &[255] };
        for bad in bad_scales {
            let mut scales = scales.clone();
            scales[65 * (columns / group) + 3] = *bad;
            let checkpoint = of_mode(mode, &stacked, codes.clone(), scales);
            let tensor = checkpoint.tensor("m.weight").expect("there");
            assert!(tensor.codes(0..65).is_ok(), "the rows before it");
            let error = tensor.codes(60..70).expect_err("no number").to_string();
            for part in
                ["model.safetensors", "\"m.weight\", row 65", "scale", "of group 3", "not negative"]
            {
                assert!(error.contains(part), "{error}");
            }
        }
        for bad in [0x7f, 0xff] {
            let mut codes = codes.clone();
            codes[70 * columns + 9] = bad;
            let checkpoint = of_mode("mxfp8", &stacked, codes, vec![1; rows * columns / 32]);
            let error = checkpoint.tensor("m.weight").expect("there").codes(1..128);
            let error = error.expect_err("no number").to_string();
            let found = format!("row 70: found code {bad:#x} in column 9");
            assert!(error.contains(&found) && error.contains("E4M3"), "{error}");
        }
    }
}

/// A module of one row of 64 columns, affine 4-bit in groups of 32 with F16 scales.
fn module(name: &str) -> Vec<Stored> {
    let halves = |count| [0x00, 0x3c].repeat(count);
    vec![
        (format!("{name}.weight"), "U32", vec![1, 8], vec![0x21; 32]),
        (format!("{name}.scales"), "F16", vec![1, 2], halves(2)),
        (format!("{name}.biases"), "F16", vec![1, 2], halves(2)),
    ]
}

#[test]
fn modules_follow_their_own_settings() {
    let mut tensors = [module("a"), module("b.c")].concat();
    // Eight bits in groups of 32: 32 columns, one scale.
    tensors.extend([
        ("d.weight".into(), "U32", vec![1, 8], vec![0x21; 32]),
        ("d.scales".into(), "F16", vec![1, 1], vec![0x00, 0x3c]),
        ("d.biases".into(), "F16", vec![1, 1], vec![0x00, 0x00]),
        ("norm.weight".into(), "F32", vec![1], 2f32.to_le_bytes().to_vec()),
        ("e.weight".into(), "F32", vec![1, 1], 3f32.to_le_bytes().to_vec()),
    ]);
    let own = json!({ "group_size": 32, "bits": 4, "d": { "group_size": 32, "bits": 8 },
                      "b.c": true, "e": false, "absent": false, "quantize_input": false });
    let config = json!({ "quantization": own, "quantization_config": own, "other": 1 });
    let checkpoint = open(&config, &tensors).expect("valid");
    assert_eq!(checkpoint.storage_fields(), ["quantization", "quantization_config"]);
    let formats: Vec<String> =
        checkpoint.tensors().map(|t| format!("{} {} {:?}", t.name, t.dtype, t.shape)).collect();
    assert_eq!(
        formats,
        [
            "a.weight affine 4-bit group 32 [1, 64]",
            "b.c.weight affine 4-bit group 32 [1, 64]",
            "d.weight affine 8-bit group 32 [1, 32]",
            "norm.weight F32 [1]",
            "e.weight F32 [1, 1]",
        ]
    );
    let tensor = checkpoint.tensor("a.weight").expect("there");
    // Codes 1 and 2 in turn, scale 1, bias 1.
    assert_eq!(tensor.to_f32().expect("floats"), [2.0, 3.0].repeat(32));
    assert_eq!((tensor.bytes(), tensor.stored_len()), (None, 40));
    let error = tensor.write_stored(&mut [0; 40]).expect_err("in three tensors").to_string();
    assert!(error.contains("\"a.weight\"") && error.contains("affine 4-bit group 32"), "{error}");
    let StoredType::Packed(packed) = tensor.dtype else { panic!("it is packed") };
    assert_eq!((packed.mode, packed.bits, packed.group), (PackedMode::Affine, 4, 32));
}

#[test]
fn the_second_name_alone_is_read_too_and_other_methods_are_not() {
    let own = json!({ "group_size": 32, "bits": 4 });
    let checkpoint = open(&json!({ "quantization_config": own }), &module("a")).expect("valid");
    assert_eq!(checkpoint.tensor("a.weight").map(|t| t.shape.to_vec()), Some(vec![1, 64]));
    for other in
        [json!({ "quant_method": "hqq", "bits": 4, "group_size": 32 }), json!({}), Value::Null]
    {
        let checkpoint =
            open(&json!({ "quantization_config": other }), &module("a")).expect("opens");
        assert!(checkpoint.storage_fields().is_empty());
        assert_eq!(checkpoint.tensor("a.weight").map(|t| t.dtype), Some(StoredType::U32));
    }
}

#[test]
fn settings_that_are_not_understood_are_refused() {
    let good = json!({ "group_size": 32, "bits": 4, "mode": "affine" });
    let with = |changes: Value| {
        let mut own = good.clone();
        for (name, value) in changes.as_object().expect("an object") {
            own[name.as_str()] = value.clone();
        }
        own
    };
    let cases: [(Value, &[&str]); 11] = [
        (json!({ "group_size": 32 }), &["quantization.bits", "nothing", "2, 3, 4, 5, 6 or 8"]),
        (json!({ "bits": 4 }), &["quantization.group_size", "nothing"]),
        (with(json!({ "bits": 7 })), &["field quantization", "7 bits in groups of 32 for affine"]),
        (with(json!({ "bits": "4" })), &["quantization.bits", "\"4\""]),
        (with(json!({ "group_size": 65_568 })), &["65568"]),
        (with(json!({ "mode": "mxfp4", "group_size": 64 })), &["64 for mxfp4"]),
        (
            with(json!({ "mode": "int4" })),
            &["quantization.mode", "int4", "affine, mxfp4, mxfp8, nvfp4"],
        ),
        (with(json!({ "a": { "bits": 4 } })), &["quantization[\"a\"].group_size"]),
        (with(json!({ "a": { "bits": 4, "group_size": 32, "order": 1 } })), &["[\"a\"].order"]),
        (with(json!({ "a": 4 })), &["quantization[\"a\"]", "true or false"]),
        (with(json!({ "global_scale": true })), &["quantization.global_scale", "not supported"]),
    ];
    for (own, parts) in cases {
        let config = json!({ "quantization": own });
        refused(open(&config, &module("a")), &[parts, &["config.json"]].concat());
    }
    refused(open(&json!({ "quantization": 4 }), &module("a")), &["quantization", "a number"]);
    let differ = json!({ "quantization": good, "quantization_config": with(json!({ "bits": 8 })) });
    refused(open(&differ, &module("a")), &["quantization_config", "another value"]);
}

#[test]
fn tensors_that_do_not_fit_their_settings_are_refused() {
    type Change = fn(&mut Vec<Stored>);
    let cases: [(Change, &[&str]); 11] = [
        (|t| drop(t.remove(2)), &["\"a.biases\" is missing", "[1, 2]", "affine 4-bit group 32"]),
        (|t| drop(t.remove(1)), &["\"a.scales\" is missing", "[1, 2]"]),
        (|t| t.truncate(1), &["\"a.scales\" is missing"]),
        (|t| drop(t.remove(0)), &["\"a.weight\"", "no weight"]),
        (|t| (t[1].2, t[1].3) = (vec![1, 1], vec![0; 2]), &["a.scales", "F16 [1, 1]", "[1, 2]"]),
        (|t| t[1].2 = vec![2, 1], &["a.scales", "[2, 1]", "[1, 2]"]),
        (|t| t[2].1 = "BF16", &["a.biases", "BF16 [1, 2]", "F16 [1, 2]"]),
        (
            |t| (t[1].1, t[1].3) = ("U8", vec![0; 2]),
            &["a.scales", "U8 [1, 2]", "F16 or BF16 or F32"],
        ),
        (|t| t[0].1 = "I32", &["a.weight", "I32 [1, 8]", "U32"]),
        (|t| (t[0].2, t[0].3) = (vec![1, 3], vec![0; 12]), &["a.weight", "[1, 3]", "groups of 32"]),
        (|t| t[0].2 = vec![1, 1, 1, 8], &["a.weight", "[1, 1, 1, 8]"]),
    ];
    let config = settings("affine", 4, 32);
    for (change, parts) in cases {
        let mut tensors = module("a");
        change(&mut tensors);
        refused(open(&config, &tensors), parts);
    }
    let scales = |bytes: Vec<u8>| ("a.scales".to_owned(), "U8", vec![1, 2], bytes);
    let mx = vec![module("a").remove(0), scales(vec![127; 2]), module("a").remove(2)];
    refused(open(&settings("mxfp4", 4, 32), &mx), &["a.biases", "no biases in mode mxfp4"]);
    let plain = json!({ "quantization": { "group_size": 32, "bits": 4, "a": false } });
    refused(open(&plain, &module("a")), &["a.weight", "false", "config.json"]);
    let absent = json!({ "quantization": { "group_size": 32, "bits": 4, "a": true } });
    let tensors = [("a.weight".to_owned(), "F16", vec![1, 64], vec![0; 128])];
    refused(open(&absent, &tensors), &["a.weight", "F16 [1, 64]", "U32"]);
}
