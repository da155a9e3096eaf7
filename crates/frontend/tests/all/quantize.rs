//! Matrices quantized while a model is compiled: which are and to what, that their tiles lose what
//! is reported, that a model computes nearly the same with them, and what is refused.

use crate::common;
use crate::common::{BLOCKS, CONTEXT, F32, Opened, decoded};
use crate::gguf::File;
use tyto_frontend::{
    Kept, Pairs, Quantization, Reading, StepShape, TraceOptions, WeightUse, materialize_measured,
};
use tyto_graph::{BlockLayout, BlockScale, DType, Layout};

const SHAPE: StepShape = StepShape { batch: 1, tokens: 4, context: CONTEXT, rows: 1 };

const HIDDEN: usize = 128;
/// Divides into groups of 32, not of 64.
const INNER: usize = 160;
const VOCABULARY: usize = 40;

/// GGUF's numbers of the formats.
const F16: u32 = 1;
const Q8_0: u32 = 8;

/// About normal numbers, seeded by a name (sums of a linear congruential generator's high bits).
fn random(name: &str, count: usize) -> Vec<f32> {
    let mut state = name.bytes().fold(7u64, |seed, byte| seed * 31 + u64::from(byte));
    let mut uniform = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    (0..count).map(|_| (uniform() + uniform() + uniform()) / 10.0).collect()
}

/// A llama of two layers in f16, its first down matrix in f32, its second key matrix in Q8_0.
/// `edit` may change the values of a matrix.
fn llama(tied: bool, edit: impl Fn(&str, &mut Vec<f32>)) -> File {
    let mut file = File::new()
        .set("general.architecture", "llama")
        .set("llama.block_count", 2)
        .set("llama.embedding_length", HIDDEN as u32)
        .set("llama.feed_forward_length", INNER as u32)
        .set("llama.attention.head_count", 4)
        .set("llama.attention.head_count_kv", 2)
        .set("llama.attention.layer_norm_rms_epsilon", 1e-5f32)
        .set("llama.context_length", CONTEXT as u32);
    let mut norms = vec!["output_norm".to_owned()];
    let mut matrices = vec![("token_embd".to_owned(), VOCABULARY, HIDDEN)];
    if !tied {
        matrices.push(("output".to_owned(), VOCABULARY, HIDDEN));
    }
    for layer in 0..2 {
        norms.extend(["attn_norm", "ffn_norm"].map(|name| format!("blk.{layer}.{name}")));
        matrices.extend(
            [
                ("attn_q", HIDDEN, HIDDEN),
                ("attn_k", HIDDEN / 2, HIDDEN),
                ("attn_v", HIDDEN / 2, HIDDEN),
                ("attn_output", HIDDEN, HIDDEN),
                ("ffn_gate", INNER, HIDDEN),
                ("ffn_up", INNER, HIDDEN),
                ("ffn_down", HIDDEN, INNER),
            ]
            .map(|(name, rows, columns)| (format!("blk.{layer}.{name}"), rows, columns)),
        );
    }
    for name in norms {
        file = file.tensor_f32(&format!("{name}.weight"), &[HIDDEN], &vec![1.0; HIDDEN]);
    }
    for (name, rows, columns) in matrices {
        let mut values = random(&name, rows * columns);
        edit(&name, &mut values);
        file = matrix(file, &name, [rows, columns], &values);
    }
    file
}

fn matrix(file: File, name: &str, shape: [usize; 2], values: &[f32]) -> File {
    let tensor = format!("{name}.weight");
    let half = |value: &f32| half::f16::from_f32(*value).to_le_bytes();
    match name {
        "blk.0.ffn_down" => file.tensor_f32(&tensor, &shape, values),
        "blk.1.attn_k" => {
            let block = |group: &[f32]| {
                let codes = group.iter().map(|value| (value * 400.0) as i8 as u8);
                half(&0.0025).into_iter().chain(codes).collect::<Vec<u8>>()
            };
            file.tensor(&tensor, &shape, Q8_0, values.chunks(32).flat_map(block).collect())
        }
        _ => file.tensor(&tensor, &shape, F16, values.iter().flat_map(half).collect()),
    }
}

/// Rows that move keep the codes and scales that they have where they stand.
#[test]
fn rows_move_before_they_are_quantized() {
    let mut opened = open(&llama(false, |_, _| {}));
    opened.quantize(Quantization::Q4_0);
    let straight = opened.weights(BLOCKS).into_iter().find(|w| w.name.contains("o_proj"));
    let straight = straight.expect("the first layer's");
    let mut moved = straight.clone();
    let pairs = Some(Pairs { head: 32, turned: 20 });
    moved.parts[0].reading = Reading { pairs, ..Reading::default() };
    let rows = |weight: &WeightUse| {
        let Layout::Blocks(layout) = weight.layout else { panic!("blocks, not {}", weight.layout) };
        let made = materialize_measured(&opened.checkpoint, weight).expect("bytes");
        let bands = made.bytes.chunks(layout.band_bytes(HIDDEN));
        let rows: Vec<Vec<f32>> = bands
            .flat_map(|band| {
                (0..BlockLayout::ROWS).map(move |row| layout.decode_row(|at| band[at], row, HIDDEN))
            })
            .collect();
        (rows, made.losses)
    };
    let ((found, losses), (stored, expected)) = (rows(&moved), rows(&straight));
    for (row, found) in found.iter().enumerate() {
        let (begin, column) = (row / 32 * 32, row % 32);
        let source = match column {
            0..10 => 2 * column,
            10..20 => 2 * (column - 10) + 1,
            _ => column,
        };
        assert_eq!(found, &stored[begin + source], "row {row}");
    }
    let (found, expected) = (losses[0].relative_error, expected[0].relative_error);
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
}

fn open(file: &File) -> Opened {
    Opened::gguf(&file.bytes())
}

impl Opened {
    fn quantize(&mut self, format: Quantization) -> Vec<Kept> {
        self.model.quantize(&self.checkpoint, format).expect("there are plain matrices")
    }

    fn weights(&self, options: TraceOptions) -> Vec<WeightUse> {
        self.model.trace("step", &SHAPE, &options).expect("traces").weights
    }

    /// The error of the first weight that cannot be made.
    fn refusal(&self) -> String {
        let made = self.weights(BLOCKS);
        let mut made = made.iter().map(|weight| materialize_measured(&self.checkpoint, weight));
        made.find_map(Result::err).expect("a refusal").to_string()
    }
}

#[test]
fn plain_matrices_are_quantized_and_the_rest_is_named() {
    let mut opened = open(&llama(false, |_, _| {}));
    let kept = opened.quantize(Quantization::Q4_0);
    let key = "model.layers.1.self_attn.k_proj.weight".to_owned();
    let reason = "stored as Q8_0 already, whose codes are kept".to_owned();
    assert_eq!(kept, [Kept { tensor: key, reason }]);
    let mut found: Vec<String> = Vec::new();
    for weight in opened.weights(BLOCKS).iter().filter(|weight| weight.shape.len() == 2) {
        let name = weight.name.replace("model.layers.", "").replace(".weight", "");
        let parts = weight.parts.iter().map(|part| match part.quantize {
            Some(format) => format.name(),
            None => "as stored",
        });
        let parts: Vec<&str> = parts.collect();
        found.push(format!("{name}: {}, {}", weight.layout, parts.join(" ")));
    }
    assert_eq!(
        found,
        [
            "model.embed_tokens: blocks 8-bit group 32 f16 middle, q8_0",
            "0.self_attn.q_proj+k_proj+v_proj: blocks 4-bit group 32 f16 middle, q4_0 q4_0 q4_0",
            "0.self_attn.o_proj: blocks 4-bit group 32 f16 middle, q4_0",
            "0.mlp.gate_proj+up_proj: blocks 4-bit group 32 f16 middle, q4_0 q4_0",
            "0.mlp.down_proj: blocks 4-bit group 32 f16 middle, q4_0",
            "1.self_attn.q_proj+v_proj: blocks 4-bit group 32 f16 middle, q4_0 q4_0",
            "1.self_attn.k_proj: blocks 8-bit group 32 f16 middle, as stored",
            "1.self_attn.o_proj: blocks 4-bit group 32 f16 middle, q4_0",
            "1.mlp.gate_proj+up_proj: blocks 4-bit group 32 f16 middle, q4_0 q4_0",
            "1.mlp.down_proj: blocks 4-bit group 32 f16 middle, q4_0",
            "lm_head: blocks 8-bit group 32 f16 middle, q8_0",
        ]
    );
    // Without blocks nothing is quantized.
    let plain = opened.weights(TraceOptions { keep_blocks: false, ..BLOCKS });
    assert!(plain.iter().all(|weight| weight.dtype == DType::F32));
}

/// A stored Q8_0 matrix and quantized ones have one layout, and so become one weight.
#[test]
fn codes_of_the_checkpoint_and_ours_stand_in_one_weight() {
    let mut opened = open(&llama(true, |_, _| {}));
    opened.quantize(Quantization::Q8_0);
    let weights = opened.weights(BLOCKS);
    let name = "model.layers.1.self_attn.q_proj+k_proj+v_proj.weight";
    let joined = weights.iter().find(|weight| &*weight.name == name).expect("joined");
    let formats: Vec<Option<Quantization>> =
        joined.parts.iter().map(|part| part.quantize).collect();
    assert_eq!(formats, [Some(Quantization::Q8_0), None, Some(Quantization::Q8_0)]);
    let losses = materialize_measured(&opened.checkpoint, joined).expect("tiles").losses;
    let tensors: Vec<&str> = losses.iter().map(|loss| &*loss.tensor).collect();
    let part = |name: &str| format!("model.layers.1.self_attn.{name}.weight");
    assert_eq!(tensors, [part("q_proj"), part("v_proj")]);
}

#[test]
fn columns_that_do_not_divide_into_groups_stay_plain() {
    let mut opened = open(&llama(false, |_, _| {}));
    let kept = opened.quantize(Quantization::Affine4);
    let reasons = Kept::reasons(&kept);
    assert_eq!(
        reasons,
        [
            "2 matrices, model.layers.0.mlp.down_proj.weight first: \
             its 160 columns do not divide into groups of 64",
            "model.layers.1.self_attn.k_proj.weight: stored as Q8_0 already, whose codes are kept",
        ]
    );
    let weights = opened.weights(BLOCKS);
    let down = weights.iter().find(|weight| weight.name.ends_with("0.mlp.down_proj.weight"));
    assert_eq!(down.expect("there").layout, Layout::RowMajor);
}

/// The reported errors, from the decoded tiles and the checkpoint's values.
#[test]
fn a_report_is_what_tiles_lose() {
    for (format, most) in [
        (Quantization::Q4_0, 0.12),
        (Quantization::Q4_1, 0.12),
        (Quantization::Q8_0, 0.01),
        (Quantization::Affine4, 0.12),
        (Quantization::Affine8, 0.01),
        (Quantization::Mxfp4, 0.2),
        (Quantization::Mxfp8, 0.05),
        (Quantization::Nvfp4, 0.12),
    ] {
        let mut opened = open(&llama(false, |_, _| {}));
        opened.quantize(format);
        let mut checked = 0;
        for weight in opened.weights(BLOCKS) {
            let made = materialize_measured(&opened.checkpoint, &weight).expect("tiles");
            assert_eq!(made.bytes.len(), weight.bytes());
            let parts = weight.parts.iter().filter(|part| part.quantize.is_some());
            assert_eq!(made.losses.len(), parts.count(), "{format} {}", weight.name);
            if made.losses.is_empty() {
                continue;
            }
            let padded = weight.shape[0].next_multiple_of(BlockLayout::ROWS);
            let mut rest = &decoded(&weight, padded, &made.bytes)[..];
            let mut losses = made.losses.iter();
            for part in &weight.parts {
                let (found, after) = rest.split_at(part.shape[0] * part.shape[1]);
                rest = after;
                let Some(format) = part.quantize else { continue };
                let loss = losses.next().expect("one for each");
                let tensor = opened.checkpoint.tensor(&part.tensor).expect("there");
                let stored = tensor.to_f32().expect("floats");
                let (mut squares, mut norm, mut largest) = (0.0, 0.0, 0f32);
                for (found, stored) in found.iter().zip(&stored) {
                    squares += (f64::from(*found) - f64::from(*stored)).powi(2);
                    norm += f64::from(*stored).powi(2);
                    largest = largest.max((found - stored).abs());
                }
                let expected: f64 = (squares / norm).sqrt();
                assert_eq!((&loss.tensor, loss.format), (&part.tensor, format));
                assert_eq!(loss.stored, tensor.dtype.to_string());
                assert!((loss.relative_error - expected).abs() < 1e-9, "{loss:?}: {expected}");
                assert!((loss.largest_error - largest).abs() <= largest * 1e-6, "{loss:?}");
                assert!((1e-4..most).contains(&expected), "{format}: {loss:?}");
                checked += 1;
            }
            assert!(rest.iter().all(|value| *value == 0.0), "{}: padding", weight.name);
        }
        let plain = if format.layout().columns() == 64 { 13 } else { 15 };
        assert_eq!(checked, plain, "{format}");
    }
}

/// A product's relative error is about that of its matrix; sixteen matrices lie between ids and
/// logits (seven in each of two layers, table and head), and independent errors add up in squares,
/// which gives 4. Softmax and the product of gate and up amplify: twice that is the bound.
#[test]
fn a_model_computes_nearly_the_same() {
    for tied in [false, true] {
        let expected = open(&llama(tied, |_, _| {})).logits(F32);
        for format in Quantization::ALL {
            let mut opened = open(&llama(tied, |_, _| {}));
            opened.quantize(format);
            let made = opened.weights(BLOCKS);
            let losses = made.iter().flat_map(|weight| {
                materialize_measured(&opened.checkpoint, weight).expect("tiles").losses
            });
            let worst = losses.map(|loss| loss.relative_error).fold(0.0, f64::max);
            let found = relative_error(&opened.logits(BLOCKS), &expected);
            let bound = 8.0 * worst;
            println!("{format}: {found} of {bound}");
            assert!(found <= bound, "{format}: {found} above {bound}");
            assert!(found > 1e-5, "{format}: nothing was quantized");
        }
    }
}

/// `‖found − expected‖ / ‖expected‖` over all logits of all positions.
fn relative_error(found: &[Vec<f32>], expected: &[Vec<f32>]) -> f64 {
    let squares = |values: &mut dyn Iterator<Item = f32>| -> f64 {
        values.map(|value| f64::from(value).powi(2)).sum()
    };
    let pairs = found.iter().flatten().zip(expected.iter().flatten());
    let errors = squares(&mut pairs.map(|(found, expected)| found - expected));
    (errors / squares(&mut expected.iter().flatten().copied())).sqrt()
}

#[test]
fn values_that_are_no_numbers_are_named_with_their_place() {
    for (value, printed) in [(f32::NAN, "NaN"), (f32::INFINITY, "inf"), (f32::NEG_INFINITY, "-inf")]
    {
        for format in Quantization::ALL {
            let mut opened = open(&llama(true, |name, values| {
                if name == "blk.1.attn_output" {
                    values[37 * HIDDEN + 93] = value;
                }
            }));
            opened.quantize(format);
            let message = opened.refusal();
            let tensor = "\"model.layers.1.self_attn.o_proj.weight\"";
            for part in [tensor, printed, "row 37, column 93", format.name(), "model.gguf"] {
                assert!(message.contains(part), "{part:?} is not in {message}");
            }
        }
    }
}

/// llama.cpp interleaves the rows of rotary matrices: the row is transformers'.
#[test]
fn the_place_is_in_transformers_order() {
    // Stored row 3 of a head of 32 is row 1 of its second half.
    let mut opened = open(&llama(true, |name, values| {
        if name == "blk.0.attn_q" {
            values[3 * HIDDEN + 5] = f32::NAN;
        }
    }));
    opened.quantize(Quantization::Q4_1);
    let message = opened.refusal();
    assert!(message.contains("q_proj") && message.contains("row 17, column 5"), "{message}");
}

#[test]
fn groups_beyond_the_scales_are_refused() {
    for format in Quantization::ALL {
        let mut opened = open(&llama(true, |name, values| {
            if name == "blk.0.ffn_down" {
                values[2 * INNER + 40] = -3e9;
            }
        }));
        opened.quantize(format);
        if format.layout().columns() == 64 {
            // Stays plain, and f32 holds it.
            continue;
        }
        if format.layout().scale == BlockScale::E8M0 {
            // Powers of two reach as far as f32.
            let made = opened.weights(BLOCKS);
            let made = made.iter().map(|weight| materialize_measured(&opened.checkpoint, weight));
            assert!(made.into_iter().all(|weight| weight.is_ok()), "{format}");
            continue;
        }
        let message = opened.refusal();
        for part in ["mlp.down_proj.weight", "-3e9", "row 2, column 32", "scales can hold"] {
            assert!(message.contains(part), "{part:?} is not in {message}");
        }
    }
}

#[test]
fn a_model_without_plain_matrices_is_refused_with_the_reasons() {
    let model = common::Model::with_config("llama", common::config("llama", "config.json"));
    let (mut model, checkpoint) = (model.model, model.checkpoint);
    let error = model.quantize(&checkpoint, Quantization::Q8_0).expect_err("refused").to_string();
    for part in ["no matrix can be quantized to q8_0", "40 columns", "groups of 32", "first"] {
        assert!(error.contains(part), "{part:?} is not in {error}");
    }
}
