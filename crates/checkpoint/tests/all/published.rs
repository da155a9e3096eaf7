//! Directories of transformers' quantization methods: every code, scale and zero against each
//! method's definition, the codes that are handed out, and what is refused.

use crate::common;
use crate::common::numbers::{assert_bits, e2m1, e4m3, e8m0, evaluate, half};
use crate::common::stored::{Stored, open, pack};
use crate::common::{directory, refused, safetensors};
use serde_json::{Value, json};
use tyto_checkpoint::{BlockForm, BlockFormat, Checkpoint, CodeType, ScaleType, Tensor};

const ROWS: usize = 64;
const COLUMNS: usize = 256;

fn quantized(settings: Value) -> Value {
    json!({ "quantization_config": settings })
}

/// Numbers of `bits` bits that repeat late, the same for the same seed.
fn codes(bits: u8, count: usize, seed: usize) -> Vec<u8> {
    (0..count).map(|at| ((at * 37 + at / 61 + seed) % (1 << bits)) as u8).collect()
}

/// Halves of ordinary size, of both signs.
fn halves(count: usize) -> Vec<u16> {
    (0..count).map(|at| [0x2c00, 0x3555, 0xb0f1, 0x3c01][at % 4] + (at % 97) as u16).collect()
}

fn bytes16(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn bytes32(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn tensor(name: &str, dtype: &'static str, shape: &[usize], bytes: Vec<u8>) -> Stored {
    (name.to_owned(), dtype, shape.to_vec(), bytes)
}

fn transposed<T: Copy>(matrix: &[T], [rows, columns]: [usize; 2]) -> Vec<T> {
    (0..rows * columns).map(|at| matrix[at % rows * columns + at / rows]).collect()
}

/// The value, format and codes of `m.weight`.
fn check(
    checkpoint: &Checkpoint,
    name: &str,
    shape: &[usize],
    format: Option<BlockFormat>,
    value: impl Fn(usize, usize) -> f32,
) {
    let tensor = checkpoint.expect_tensor(name, shape).expect("joined");
    let columns = shape[shape.len() - 1];
    let rows = shape.iter().product::<usize>() / columns;
    let context = format!("{name}, {}", tensor.dtype);
    let values = tensor.to_f32().expect("floats");
    assert_bits(&values, (0..rows * columns).map(|at| value(at / columns, at % columns)), &context);
    assert_eq!(tensor.block_format(), format, "{context}");
    if format.is_some() {
        check_codes(&tensor, rows, columns, &values);
    } else {
        assert!(tensor.codes(0..1).is_err(), "{context}");
    }
}

fn check_codes(tensor: &Tensor<'_>, rows: usize, columns: usize, values: &[f32]) {
    for (first, end) in [(0, rows), (rows / 3, rows / 2)] {
        let codes = tensor.codes(first..end).expect("codes");
        assert_eq!((codes.rows, codes.columns), (end - first, columns));
        let expected = values[first * columns..end * columns].iter().copied();
        assert_bits(&evaluate(&codes), expected, tensor.name);
    }
}

fn format(code: CodeType, group: u16, scale: ScaleType, form: BlockForm) -> Option<BlockFormat> {
    Some(BlockFormat { code, group, scale, form, row_scale: false })
}

fn with_row_scale(format: Option<BlockFormat>) -> Option<BlockFormat> {
    format.map(|format| BlockFormat { row_scale: true, ..format })
}

#[test]
fn gpt_oss_experts_are_what_transformers_decodes() {
    let fixture = include_bytes!("../fixtures/gpt_oss.safetensors");
    let config = quantized(json!({ "quant_method": "mxfp4",
        "modules_to_not_convert": ["model.layers.*.self_attn", "lm_head"] }));
    let config = config.to_string();
    let dir = directory(&[("model.safetensors", fixture), ("config.json", config.as_bytes())]);
    let checkpoint = Checkpoint::open(dir.path()).expect("valid");
    let e2m1 = format(CodeType::E2M1, 32, ScaleType::E8M0, BlockForm::Plain);
    for (name, shape) in [("gate_up_proj", [2, 12, 96]), ("down_proj", [2, 6, 64])] {
        let expected = checkpoint.expect_tensor(&format!("{name}.values"), &shape).expect("there");
        let expected = expected.to_f32().expect("floats");
        let columns = shape[2];
        check(&checkpoint, name, &shape, e2m1, |row, column| expected[row * columns + column]);
    }
    let scale = vec![255; 2];
    let tensors = [
        tensor("x_blocks", "U8", &[1, 1, 2, 16], vec![0; 32]),
        tensor("x_scales", "U8", &[1, 1, 2], scale),
    ];
    let checkpoint = open(&quantized(json!({ "quant_method": "mxfp4" })), &tensors).expect("valid");
    let error =
        checkpoint.tensor("x").expect("there").codes(0..1).expect_err("no number").to_string();
    assert!(error.contains("\"x\", row 0: found scale NaN"), "{error}");
    let wrong = [tensor("x_blocks", "U8", &[1, 1, 2, 8], vec![0; 16])];
    refused(
        open(&quantized(json!({ "quant_method": "mxfp4" })), &wrong),
        &["x_blocks", "[1, 1, 2, 8]", "16]"],
    );
}

/// All E4M3 codes but those that are no numbers.
fn fp8_codes(count: usize) -> Vec<u8> {
    codes(8, count, 5).into_iter().map(|c| if c & 0x7f == 0x7f { c - 1 } else { c }).collect()
}

#[test]
fn fp8_blocks_multiply_their_codes() {
    let config = quantized(json!({ "quant_method": "fp8", "activation_scheme": "static",
        "fmt": "e4m3", "weight_block_size": [48, 128], "modules_to_not_convert": ["lm_head"] }));
    // Columns that end inside a block of 128, in groups that all are runs of one block.
    for (columns, group) in [(256, Some(128)), (320, Some(64)), (160, Some(32)), (136, None)] {
        let codes = fp8_codes(ROWS * columns);
        let across = columns.div_ceil(128);
        let scales: Vec<f32> = (0..2 * across).map(|at| 0.1 + at as f32 / 7.0).collect();
        let tensors = [
            tensor("m.weight", "F8_E4M3", &[ROWS, columns], codes.clone()),
            tensor("m.weight_scale_inv", "F32", &[2, across], bytes32(&scales)),
            tensor("m.input_scale", "F32", &[], bytes32(&[2.0])),
        ];
        let checkpoint = open(&config, &tensors).expect("valid");
        assert_eq!(checkpoint.names().collect::<Vec<_>>(), ["m.weight"], "the rest is read past");
        assert_eq!(checkpoint.storage_fields(), ["quantization_config"]);
        let format =
            group.and_then(|group| format(CodeType::E4M3, group, ScaleType::F32, BlockForm::Plain));
        check(&checkpoint, "m.weight", &[ROWS, columns], format, |row, column| {
            let scale = scales[row / 48 * across + column / 128];
            scale * e4m3(codes[row * columns + column].into()) as f32
        });
    }
}

#[test]
fn fp8_of_a_tensor_or_rows_has_factors_of_rows() {
    let codes = fp8_codes(ROWS * COLUMNS);
    let value = |row: usize, column: usize| e4m3(codes[row * COLUMNS + column].into()) as f32;
    let one = with_row_scale(format(CodeType::E4M3, 32, ScaleType::One, BlockForm::Plain));
    let weight = tensor("m.weight", "F8_E4M3", &[ROWS, COLUMNS], codes.clone());
    let fp8 = quantized(json!({ "quant_method": "fp8" }));
    let modelopt = quantized(json!({ "quant_method": "modelopt", "quant_algo": "FP8" }));
    for (config, name) in [(&fp8, "m.weight_scale"), (&modelopt, "m.weight_scale")] {
        let tensors = [weight.clone(), tensor(name, "F32", &[], bytes32(&[0.3]))];
        let checkpoint = open(config, &tensors).expect("valid");
        check(&checkpoint, "m.weight", &[ROWS, COLUMNS], one, |row, column| {
            0.3 * value(row, column)
        });
    }
    let group = json!({ "targets": ["Linear"], "weights": { "num_bits": 8, "type": "float",
        "strategy": "channel", "symmetric": true, "dynamic": false } });
    let config = quantized(json!({ "quant_method": "compressed-tensors",
        "format": "float-quantized", "config_groups": { "group_0": group } }));
    let scales = halves(ROWS);
    let tensors = [weight, tensor("m.weight_scale", "F16", &[ROWS, 1], bytes16(&scales))];
    let checkpoint = open(&config, &tensors).expect("valid");
    check(&checkpoint, "m.weight", &[ROWS, COLUMNS], one, |row, column| {
        half(scales[row]) as f32 * value(row, column)
    });
}

#[test]
fn awq_words_hold_rows_in_their_own_order() {
    let group = 64;
    let groups = COLUMNS / group;
    let (q, z) = (codes(4, ROWS * COLUMNS, 0), codes(4, ROWS * groups, 3));
    let scales = halves(ROWS * groups);
    // Of eight rows, nibble 0 is row 0, nibble 1 row 2, and so on.
    let interleaved = |matrix: &[u8], across: usize| {
        let columns = transposed(matrix, [ROWS, across]);
        let order = [0, 2, 4, 6, 1, 3, 5, 7];
        let words = columns.chunks(8).flat_map(|rows| order.map(|row| rows[row]));
        pack(&words.collect::<Vec<u8>>(), 4)
    };
    let tensors = [
        tensor("m.qweight", "I32", &[COLUMNS, ROWS / 8], interleaved(&q, COLUMNS)),
        tensor("m.qzeros", "I32", &[groups, ROWS / 8], interleaved(&z, groups)),
        tensor("m.scales", "F16", &[groups, ROWS], bytes16(&transposed(&scales, [ROWS, groups]))),
    ];
    let settings = json!({ "quant_method": "awq", "bits": 4, "group_size": group,
        "zero_point": true, "version": "GEMM", "modules_to_not_convert": ["lm_head"] });
    let checkpoint = open(&quantized(settings.clone()), &tensors).expect("valid");
    let zero = format(CodeType::Unsigned(4), group as u16, ScaleType::F16, BlockForm::Zero);
    check(&checkpoint, "m.weight", &[ROWS, COLUMNS], zero, |row, column| {
        let at = row * groups + column / group;
        half(scales[at]) as f32 * (f32::from(q[row * COLUMNS + column]) - f32::from(z[at]))
    });
    assert_eq!(
        checkpoint.tensor("m.weight").map(|t| t.dtype.to_string()).as_deref(),
        Some("awq 4-bit group 64")
    );
    for (field, value, parts) in [
        ("bits", json!(8), ["quantization_config.bits", "8"]),
        ("version", json!("gemv"), ["quantization_config.version", "gemv"]),
        ("zero_point", json!(false), ["quantization_config.zero_point", "false"]),
        ("order", json!(1), ["quantization_config.order", "known"]),
        ("group_size", json!(0), ["quantization_config.group_size", "1 to 65535"]),
        ("modules_to_not_convert", json!(["m"]), ["m.qweight", "plain"]),
    ] {
        let mut settings = settings.clone();
        settings[field] = value;
        refused(open(&quantized(settings), &tensors), &parts);
    }
    refused(
        open(&quantized(settings.clone()), &tensors[..2]),
        &["\"m.scales\" is missing", "[4, 64]", "awq"],
    );
    let short =
        [tensors[0].clone(), tensors[1].clone(), tensor("m.scales", "F16", &[1, 2], vec![0; 4])];
    refused(open(&quantized(settings), &short), &["m.scales", "F16 [1, 2]", "[4, 64]"]);
}

/// A GPTQ module; `index` gives the group of each column.
fn gptq(bits: u8, q: &[u8], stored_zeros: &[u8], scales: &[u16], index: &[usize]) -> Vec<Stored> {
    let groups = scales.len() / ROWS;
    let words = |count: usize| count * usize::from(bits) / 32;
    // A row's codes are one string of bits; its words stand below each other.
    let rows: Vec<Vec<u8>> = q.chunks(COLUMNS).map(|row| pack(row, bits)).collect();
    let word = |at: usize| rows[at % ROWS][at / ROWS * 4..][..4].to_vec();
    let zeros = transposed(stored_zeros, [ROWS, groups]);
    let zeros: Vec<u8> = zeros.chunks(ROWS).flat_map(|group| pack(group, bits)).collect();
    let index: Vec<u8> = index.iter().flat_map(|group| (*group as i32).to_le_bytes()).collect();
    vec![
        tensor(
            "m.qweight",
            "I32",
            &[words(COLUMNS), ROWS],
            (0..words(COLUMNS) * ROWS).flat_map(word).collect(),
        ),
        tensor("m.qzeros", "I32", &[groups, words(ROWS)], zeros),
        tensor("m.scales", "F16", &[groups, ROWS], bytes16(&transposed(scales, [ROWS, groups]))),
        tensor("m.g_idx", "I32", &[COLUMNS], index),
    ]
}

#[test]
fn gptq_of_every_width_and_version() {
    let group = 32;
    let groups = COLUMNS / group;
    let runs: Vec<usize> = (0..COLUMNS).map(|column| column / group).collect();
    // As desc_act leaves them.
    let shuffled: Vec<usize> = (0..COLUMNS).map(|column| column * 7 % groups).collect();
    for (bits, version, index) in [2, 3, 4, 8].into_iter().flat_map(|bits| {
        ["gptq", "gptq_v2"].into_iter().flat_map(move |v| [false, true].map(|act| (bits, v, act)))
    }) {
        let groups_of = if index { &shuffled } else { &runs };
        let (q, z) = (codes(bits, ROWS * COLUMNS, 1), codes(bits, ROWS * groups, 2));
        let last = (1u32 << bits) - 1;
        let less = u8::from(version == "gptq");
        let stored: Vec<u8> = z.iter().map(|zero| zero.wrapping_sub(less) & last as u8).collect();
        let scales = halves(ROWS * groups);
        let settings = json!({ "quant_method": "gptq", "bits": bits, "group_size": group,
            "desc_act": index, "sym": false, "checkpoint_format": version });
        let tensors = gptq(bits, &q, &stored, &scales, groups_of);
        let checkpoint = open(&quantized(settings), &tensors).expect("valid");
        let zero = format(CodeType::Unsigned(bits), group as u16, ScaleType::F16, BlockForm::Zero);
        let zero = if index { None } else { zero };
        check(&checkpoint, "m.weight", &[ROWS, COLUMNS], zero, |row, column| {
            let at = row * groups + groups_of[column];
            half(scales[at]) as f32 * (f32::from(q[row * COLUMNS + column]) - f32::from(z[at]))
        });
    }
}

#[test]
fn gptq_groups_of_whole_rows_and_settings_that_are_refused() {
    let q = codes(4, ROWS * COLUMNS, 1);
    let (zeros, scales) = (vec![7; ROWS], halves(ROWS));
    let tensors = gptq(4, &q, &zeros, &scales, &[0; COLUMNS]);
    let settings = json!({ "quant_method": "gptq", "bits": 4, "group_size": -1 });
    let checkpoint = open(&quantized(settings.clone()), &tensors).expect("valid");
    let zero = format(CodeType::Unsigned(4), 128, ScaleType::F16, BlockForm::Zero);
    check(&checkpoint, "m.weight", &[ROWS, COLUMNS], zero, |row, column| {
        half(scales[row]) as f32 * (f32::from(q[row * COLUMNS + column]) - 8.0)
    });
    for (field, value, part) in [
        ("bits", json!(5), "2, 3, 4 or 8"),
        ("checkpoint_format", json!("marlin"), "gptq_v2"),
        ("is_marlin_format", json!(true), "false"),
        ("dynamic", json!({ "-:.*down": {} }), "one form for all modules"),
        ("surprise", json!(true), "known"),
    ] {
        let mut settings = settings.clone();
        settings[field] = value;
        refused(open(&quantized(settings), &tensors), &[field, part, "config.json"]);
    }
    let mut reorders = settings.clone();
    reorders["desc_act"] = json!(true);
    refused(open(&quantized(reorders), &tensors[..3]), &["\"m.g_idx\" is missing", "[256]"]);
    let beyond = gptq(4, &q, &zeros, &scales, &[1; COLUMNS]);
    refused(open(&quantized(settings), &beyond), &["m.g_idx", "numbers from 0 to 0"]);
}

fn compressed(format: &str, weights: Value) -> Value {
    let groups = json!({ "group_0": { "targets": ["Linear"], "weights": weights } });
    quantized(json!({ "quant_method": "compressed-tensors", "format": format,
        "quantization_status": "compressed", "ignore": ["lm_head", "re:.*router"],
        "kv_cache_scheme": { "num_bits": 8 }, "config_groups": groups }))
}

#[test]
fn packed_integers_of_every_width_with_and_without_zeros() {
    let group = 64;
    let groups = COLUMNS / group;
    let shape: Vec<u8> = [ROWS, COLUMNS].iter().flat_map(|n| (*n as i64).to_le_bytes()).collect();
    for (bits, symmetric) in [2, 3, 4, 5, 6, 8].into_iter().flat_map(|b| [(b, true), (b, false)]) {
        let (q, z) = (codes(bits, ROWS * COLUMNS, 7), codes(bits, ROWS * groups, 2));
        let scales = halves(ROWS * groups);
        // Words of zeros lie along the rows: a group's words stand below each other.
        let strings: Vec<Vec<u8>> =
            transposed(&z, [ROWS, groups]).chunks(ROWS).map(|group| pack(group, bits)).collect();
        let words = ROWS * usize::from(bits) / 32;
        let word = |at: usize| strings[at % groups][at / groups * 4..][..4].to_vec();
        let mut tensors = vec![
            tensor(
                "m.weight_packed",
                "I32",
                &[ROWS, COLUMNS * usize::from(bits) / 32],
                pack(&q, bits),
            ),
            tensor("m.weight_scale", "F16", &[ROWS, groups], bytes16(&scales)),
            tensor("m.weight_shape", "I64", &[2], shape.clone()),
        ];
        if !symmetric {
            let zeros = (0..words * groups).flat_map(word).collect();
            tensors.push(tensor("m.weight_zero_point", "I32", &[words, groups], zeros));
        }
        let config = compressed(
            "pack-quantized",
            json!({ "num_bits": bits, "type": "int",
            "symmetric": symmetric, "strategy": "group", "group_size": group }),
        );
        let checkpoint = open(&config, &tensors).expect("valid");
        let form = if symmetric { BlockForm::Middle } else { BlockForm::Zero };
        let format = format(CodeType::Unsigned(bits), group as u16, ScaleType::F16, form);
        check(&checkpoint, "m.weight", &[ROWS, COLUMNS], format, |row, column| {
            let at = row * groups + column / group;
            let zero = if symmetric { 1u8 << (bits - 1) } else { z[at] };
            half(scales[at]) as f32 * (f32::from(q[row * COLUMNS + column]) - f32::from(zero))
        });
    }
}

#[test]
fn integers_in_bytes_are_signed() {
    let signed = codes(8, ROWS * COLUMNS, 9);
    let zeros = codes(8, ROWS, 4);
    let scales: Vec<f32> = (0..ROWS).map(|row| 0.01 + row as f32 / 300.0).collect();
    for symmetric in [true, false] {
        let config = compressed(
            "int-quantized",
            json!({ "num_bits": 8, "type": "int",
            "symmetric": symmetric, "strategy": "channel" }),
        );
        let mut tensors = vec![
            tensor("m.weight", "I8", &[ROWS, COLUMNS], signed.clone()),
            tensor("m.weight_scale", "F32", &[ROWS, 1], bytes32(&scales)),
        ];
        if !symmetric {
            tensors.push(tensor("m.weight_zero_point", "I8", &[ROWS, 1], zeros.clone()));
        }
        let checkpoint = open(&config, &tensors).expect("valid");
        let form = if symmetric { BlockForm::Middle } else { BlockForm::Zero };
        let format = format(CodeType::Unsigned(8), 128, ScaleType::F32, form);
        check(&checkpoint, "m.weight", &[ROWS, COLUMNS], format, |row, column| {
            let zero = if symmetric { 0 } else { zeros[row] as i8 };
            let code = signed[row * COLUMNS + column] as i8;
            scales[row] * (f32::from(code) - f32::from(zero))
        });
    }
}

/// Two codes in a byte, the first in the low half.
fn float4(name: &str, codes: &[u8]) -> Stored {
    tensor(name, "U8", &[ROWS, COLUMNS / 2], pack(codes, 4))
}

#[test]
fn four_bit_floats_of_every_tool() {
    let q = codes(4, ROWS * COLUMNS, 1);
    let value = |row: usize, column: usize| e2m1(q[row * COLUMNS + column].into()) as f32;
    let across = COLUMNS / 16;
    let small: Vec<u8> = (0..ROWS * across).map(|at| (at % 127) as u8).collect();
    let float = |group: usize, strategy: &str| json!({ "num_bits": 4, "type": "float", "group_size": group, "strategy": strategy });
    let nvfp4 = with_row_scale(format(CodeType::E2M1, 16, ScaleType::E4M3, BlockForm::Plain));
    let scales = tensor("m.weight_scale", "F8_E4M3", &[ROWS, across], small.clone());

    let config = compressed("nvfp4-pack-quantized", float(16, "tensor_group"));
    let global = tensor("m.weight_global_scale", "F32", &[1], bytes32(&[700.0]));
    let tensors = [float4("m.weight_packed", &q), scales.clone(), global];
    let checkpoint = open(&config, &tensors).expect("valid");
    check(&checkpoint, "m.weight", &[ROWS, COLUMNS], nvfp4, |row, column| {
        let scale = e4m3(small[row * across + column / 16].into()) as f32;
        (1.0 / 700.0) * (scale * value(row, column))
    });
    // The same in one rounding less, as the tool has it: the factor's rounding is all that differs.
    let values = checkpoint.tensor("m.weight").expect("there").to_f32().expect("floats");
    for (at, found) in values.iter().enumerate() {
        let (row, column) = (at / COLUMNS, at % COLUMNS);
        let exact =
            e4m3(small[row * across + column / 16].into()) / 700.0 * f64::from(value(row, column));
        assert!((f64::from(*found) - exact).abs() <= exact.abs() * 1.2e-7, "{at}: {found} {exact}");
    }

    let config = quantized(json!({ "quant_method": "modelopt", "quant_algo": "NVFP4",
        "group_size": 16, "exclude_modules": ["lm_head"], "kv_cache_quant_algo": "FP8" }));
    let second = tensor("m.weight_scale_2", "F32", &[], bytes32(&[0.003]));
    let extra = tensor("m.k_scale", "F32", &[], bytes32(&[1.0]));
    let tensors = [float4("m.weight", &q), scales, second, extra];
    let checkpoint = open(&config, &tensors).expect("valid");
    let of_modelopt = |row: usize, column: usize| {
        let scale = e4m3(small[row * across + column / 16].into()) as f32;
        0.003 * (scale * value(row, column))
    };
    check(&checkpoint, "m.weight", &[ROWS, COLUMNS], nvfp4, of_modelopt);

    // The same settings in ModelOpt's own file.
    let own = json!({ "producer": { "name": "modelopt" }, "quantization": { "quant_algo": "NVFP4",
        "kv_cache_quant_algo": null, "group_size": 16, "exclude_modules": ["lm_head"] } });
    let file = common::stored::file(&tensors);
    let dir = directory(&[
        ("model.safetensors", &file),
        ("hf_quant_config.json", own.to_string().as_bytes()),
    ]);
    let checkpoint = Checkpoint::open(dir.path()).expect("valid");
    check(&checkpoint, "m.weight", &[ROWS, COLUMNS], nvfp4, of_modelopt);

    let config = compressed("mxfp4-pack-quantized", float(32, "group"));
    let powers: Vec<u8> = (0..ROWS * COLUMNS / 32).map(|at| (at % 254) as u8).collect();
    let scales = tensor("m.weight_scale", "U8", &[ROWS, COLUMNS / 32], powers.clone());
    let checkpoint = open(&config, &[float4("m.weight_packed", &q), scales]).expect("valid");
    let mxfp4 = format(CodeType::E2M1, 32, ScaleType::E8M0, BlockForm::Plain);
    check(&checkpoint, "m.weight", &[ROWS, COLUMNS], mxfp4, |row, column| {
        let power = powers[row * (COLUMNS / 32) + column / 32];
        e8m0(power.into()) as f32 * value(row, column)
    });
}

#[test]
fn codes_without_scales_and_scales_without_codes_are_refused() {
    let weight = || tensor("m.weight", "F8_E4M3", &[1, 32], vec![0; 32]);
    let scale = || tensor("m.weight_scale_inv", "F32", &[1, 1], vec![0; 4]);
    let fp8 = quantized(json!({ "quant_method": "fp8", "weight_block_size": [128, 128] }));
    refused(open(&fp8, &[weight()]), &["m.weight", "F8_E4M3 [1, 32]", "a tensor of their scales"]);
    refused(open(&fp8, &[scale()]), &["\"m.weight\" is missing", "fp8"]);
    let plain = tensor("m.weight", "F32", &[1, 32], vec![0; 128]);
    refused(open(&fp8, &[plain, scale()]), &["m.weight", "F32 [1, 32]", "F8_E4M3"]);
    let wide = tensor("m.weight_scale_inv", "F32", &[1, 2], vec![0; 8]);
    refused(open(&fp8, &[weight(), wide]), &["m.weight_scale_inv", "[1, 2]", "[1, 1]"]);
    let listed = quantized(json!({ "quant_method": "fp8", "weight_block_size": [128, 128],
        "modules_to_not_convert": ["m"] }));
    refused(open(&listed, &[weight(), scale()]), &["m.weight", "lists \"m\""]);
    let scaled = tensor("m.pre_quant_scale", "F32", &[32], vec![0; 128]);
    let modelopt = quantized(json!({ "quant_method": "modelopt", "quant_algo": "NVFP4" }));
    refused(open(&modelopt, &[scaled]), &["m.pre_quant_scale", "before products"]);
}

#[test]
fn settings_that_say_something_else_are_refused_by_field() {
    let weights = json!({ "num_bits": 4, "type": "int", "strategy": "group", "group_size": 32 });
    let group = json!({ "targets": ["Linear"], "weights": weights });
    let good = json!({ "quant_method": "compressed-tensors", "format": "pack-quantized",
        "config_groups": { "a": group } });
    assert!(open(&quantized(good.clone()), &[]).is_ok());
    let cases: [(&str, Value, &[&str]); 10] = [
        ("/format", json!("marlin-24"), &["quantization_config.format", "marlin-24"]),
        ("/quantization_status", json!("frozen"), &["quantization_status", "compressed"]),
        ("/sparsity_config", json!({ "format": "sparse-24-bitmask" }), &["sparsity_config.format"]),
        ("/transform_config", json!({ "config_groups": {} }), &["transform_config", "computed"]),
        ("/moe_sparsity_config", json!({}), &["moe_sparsity_config", "known"]),
        ("/config_groups", json!(null), &["config_groups", "groups of modules"]),
        ("/config_groups/a/weights/num_bits", json!(7), &["a.weights.num_bits", "7"]),
        ("/config_groups/a/weights/strategy", json!("token"), &["a.weights.strategy", "token"]),
        ("/config_groups/a/weights/dynamic", json!(true), &["a.weights.dynamic"]),
        ("/config_groups/a/weights/levels", json!(3), &["a.weights.levels", "known"]),
    ];
    for (place, value, parts) in cases {
        let mut settings = good.clone();
        let (parent, field) = place.rsplit_once('/').expect("a place");
        settings.pointer_mut(parent).expect("there")[field] = value;
        refused(open(&quantized(settings), &[]), &[parts, &["config.json"]].concat());
    }
    let scales = tensor("m.weight_scale", "F16", &[8, 1], vec![0; 16]);
    let bytes = tensor("m.weight", "I8", &[8, 32], vec![0; 256]);
    let none = ["m.weight_scale", "config_groups has none"];
    refused(open(&quantized(good), &[scales, bytes]), &none);
    for (settings, parts) in [
        (json!({ "quant_method": "fp8", "fmt": "e5m2" }), ["quantization_config.fmt", "e5m2"]),
        (
            json!({ "quant_method": "fp8", "weight_block_size": [128] }),
            ["weight_block_size", "[128]"],
        ),
        (json!({ "quant_method": "fp8", "expert_dtype": "fp4" }), ["expert_dtype", "fp4"]),
        (json!({ "quant_method": "mxfp4", "bits": 3 }), ["quantization_config.bits", "known"]),
        (
            json!({ "quant_method": "modelopt", "quant_algo": "W4A8_AWQ" }),
            ["quant_algo", "w4a8_awq"],
        ),
        (
            json!({ "quant_method": "modelopt", "quant_algo": "NVFP4", "group_size": 32 }),
            ["group_size", "16"],
        ),
    ] {
        refused(open(&quantized(settings), &[]), &parts);
    }
    let file = safetensors("{}", &[]);
    let own = json!({ "quantization": { "quant_algo": "INT8" } }).to_string();
    let dir = directory(&[("model.safetensors", &file), ("hf_quant_config.json", own.as_bytes())]);
    refused(
        Checkpoint::open(dir.path()),
        &["hf_quant_config.json", "quantization.quant_algo", "int8"],
    );
}
