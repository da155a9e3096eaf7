//! Directories that MLX quantized: every code of each mode against its definition, which modules are
//! quantized how, and what is refused.

mod common;

use common::{directory, refused, safetensors};
use serde_json::{Value, json};
use tyto_checkpoint::{BlockForm, BlockFormat, Checkpoint, DType, Error, PackedMode, StoredType};

/// A tensor of a file: name, type, shape, bytes.
type Stored = (String, &'static str, Vec<usize>, Vec<u8>);

fn file(tensors: &[Stored]) -> Vec<u8> {
    let (mut entries, mut data) = (Vec::new(), Vec::new());
    for (name, dtype, shape, bytes) in tensors {
        let begin = data.len();
        data.extend(bytes);
        let end = data.len();
        entries.push(format!(
            r#""{name}":{{"dtype":"{dtype}","shape":{shape:?},"data_offsets":[{begin},{end}]}}"#
        ));
    }
    safetensors(&format!("{{{}}}", entries.join(",")), &data)
}

fn open(config: &Value, tensors: &[Stored]) -> Result<Checkpoint, Error> {
    let config = config.to_string();
    let dir =
        directory(&[("model.safetensors", &file(tensors)), ("config.json", config.as_bytes())]);
    Checkpoint::open(dir.path())
}

fn settings(mode: &str, bits: u8, group: usize) -> Value {
    json!({ "quantization": { "group_size": group, "bits": bits, "mode": mode } })
}

/// Codes as one string of bits, the lowest of each byte first.
fn pack(codes: &[u8], bits: u8) -> Vec<u8> {
    let mut bytes = vec![0u8; codes.len() * usize::from(bits) / 8];
    for (at, code) in codes.iter().enumerate() {
        for bit in 0..usize::from(bits) {
            let to = at * usize::from(bits) + bit;
            bytes[to / 8] |= (code >> bit & 1) << (to % 8);
        }
    }
    bytes
}

/// The codes of a module `[rows, columns]`.
fn codes_tensor(name: &str, bits: u8, rows: usize, columns: usize, codes: &[u8]) -> Stored {
    let words = columns * usize::from(bits) / 32;
    (format!("{name}.weight"), "U32", vec![rows, words], pack(codes, bits))
}

/// A float of `exponent` and `mantissa` bits by its definition; no infinities are asked for.
fn small(code: u32, exponent_bits: u32, mantissa_bits: u32) -> f64 {
    let bias = (1 << (exponent_bits - 1)) - 1;
    let mantissa = f64::from(code & ((1 << mantissa_bits) - 1)) / f64::from(1u32 << mantissa_bits);
    let exponent = (code >> mantissa_bits & ((1 << exponent_bits) - 1)) as i32;
    let magnitude = match exponent {
        0 => mantissa * 2f64.powi(1 - bias),
        _ => (1.0 + mantissa) * 2f64.powi(exponent - bias),
    };
    if code >> (exponent_bits + mantissa_bits) == 0 { magnitude } else { -magnitude }
}

/// E4M3, whose all-ones codes are not numbers.
fn e4m3(code: u32) -> f64 {
    if code & 0x7f == 0x7f { f64::NAN } else { small(code, 4, 3) }
}

fn assert_bits(found: &[f32], expected: impl Iterator<Item = f64>, context: &str) {
    let mut compared = 0;
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let expected = expected as f32;
        let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
        assert!(same, "{context}, element {at}: {found}, expected {expected}");
        compared += 1;
    }
    assert_eq!(compared, found.len(), "{context}");
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
                f64::from((number(scale) * f64::from(*code)) as f32) + number(bias)
            });
            assert_bits(&tensor.to_f32().expect("floats"), expected, &context);
            check_codes(&tensor, dtype, bits, group, &codes, &pairs);
        }
    }
}

/// The codes that are handed out, where they are.
fn check_codes(
    tensor: &tyto_checkpoint::Tensor<'_>,
    dtype: &str,
    bits: u8,
    group: usize,
    codes: &[u8],
    pairs: &[(u32, u32)],
) {
    let scale = match dtype {
        "F16" => DType::F16,
        "BF16" => DType::Bf16,
        _ => DType::F32,
    };
    if !matches!(bits, 4 | 8) || scale == DType::F32 {
        assert_eq!(tensor.block_format(), None);
        let error = tensor.codes(0..1).expect_err("no codes").to_string();
        assert!(error.contains(&tensor.dtype.to_string()), "{error}");
        return;
    }
    let format = BlockFormat { bits, group: group as u16, scale, form: BlockForm::Bias };
    assert_eq!(tensor.block_format(), Some(format));
    let found = tensor.codes(1..pairs.len()).expect("codes");
    assert_eq!(found.codes, codes[256..]);
    let of_groups = |of: fn(&(u32, u32)) -> u32| {
        pairs[1..].iter().flat_map(|pair| vec![of(pair) as u16; 256 / group]).collect::<Vec<u16>>()
    };
    assert_eq!(found.scales, of_groups(|pair| pair.0));
    assert_eq!(found.biases, Some(of_groups(|pair| pair.1)));
}

#[test]
fn every_code_and_scale_of_the_other_modes() {
    /// The value of a scale or of a code.
    type Of = fn(u32) -> f64;
    let e8m0: Of = |code| if code == 255 { f64::NAN } else { 2f64.powi(code as i32 - 127) };
    let e2m1: Of = |code| small(code, 2, 1);
    let modes = [
        ("mxfp4", 4, 32, e8m0, e2m1),
        ("mxfp8", 8, 32, e8m0, e4m3 as Of),
        ("nvfp4", 4, 16, e4m3 as Of, e2m1),
    ];
    for (mode, bits, group, scale, value) in modes {
        let (rows, columns) = (256, 256);
        let codes: Vec<u8> =
            (0..rows * columns).map(|at| ((at + at / columns) % (1 << bits)) as u8).collect();
        let scales: Vec<u8> = (0..=255u8).flat_map(|code| vec![code; columns / group]).collect();
        let tensors = [
            codes_tensor("m", bits, rows, columns, &codes),
            ("m.scales".into(), "U8", vec![rows, columns / group], scales),
        ];
        let checkpoint = open(&settings(mode, bits, group), &tensors).expect("valid");
        let tensor = checkpoint.expect_tensor("m.weight", &[rows, columns]).expect("a matrix");
        assert_eq!(tensor.dtype.name(), mode);
        assert_eq!(tensor.block_format(), None, "{mode} has no codes to hand out");
        let expected = (codes.iter().enumerate())
            .map(|(at, code)| scale((at / columns) as u32) * value((*code).into()));
        assert_bits(&tensor.to_f32().expect("floats"), expected, mode);
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
        [json!({ "quant_method": "awq", "bits": 4, "group_size": 32 }), json!({}), Value::Null]
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
        (|t| t[0].2 = vec![1, 1, 8], &["a.weight", "[1, 1, 8]"]),
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
