//! What is true of every emitted module, over every fixture of the oracle, every kind of step
//! and every layout.

mod common;

use common::{ARCHITECTURES, DECODE, PLAIN, PREFILL, TILED, trace_step};
use tyto_frontend::TraceOptions;
use tyto_graph::{DType, Graph, InputKind, KvCode, KvType, Layout, Op, Output, TensorType};
use tyto_hlo_emit::{Form, emit_as};

/// Fixtures whose rotary embedding differs from every architecture's plain one.
const ROTARY: [&str; 6] = [
    "llama_dynamic",
    "llama_linear",
    "llama_llama3",
    "llama_longrope",
    "llama_yarn",
    "phi3_longrope",
];

const HALF: TraceOptions = TraceOptions {
    weight_dtype: DType::F16,
    kv_type: KvType::Float(DType::F16),
    layout: |_, _, _| Layout::Tiled { n: 16, k: 1 },
    ..PLAIN
};

/// Runs `check` over every graph and its module's text.
fn for_every_module(check: impl Fn(&str, &Graph, &str)) {
    for case in ARCHITECTURES.iter().chain(&ROTARY) {
        for (step, shape) in [("prefill", PREFILL), ("decode", DECODE)] {
            for (form, options) in [("rows", PLAIN), ("bf16 tiles", TILED), ("f16 tiles", HALF)] {
                let graph = trace_step(case, step, &shape, &options);
                let emitted = tyto_hlo_emit::emit("m", std::slice::from_ref(&graph));
                let text = emitted.expect("a fixture emits").text;
                check(&format!("{case}, {step}, {form}"), &graph, &text);
            }
        }
    }
}

/// Ops and types that IREE refuses on some target, or that leave the device: a slice at an
/// index that is a scalar tensor makes the host read the index back in the middle of a step.
const FORBIDDEN: [&str; 7] = [
    "stablehlo.custom_call",
    "uniform_dequantize",
    "uniform_quantize",
    "FNUZ",
    "stablehlo.dynamic_slice",
    "stablehlo.dynamic_update_slice",
    "stablehlo.while",
];

#[test]
fn no_module_holds_what_a_target_refuses() {
    for_every_module(|what, _, text| {
        for word in FORBIDDEN {
            assert!(!text.contains(word), "{what}: {word}");
        }
    });
}

#[test]
fn every_product_has_f32_sums() {
    for_every_module(|what, _, text| {
        let products = products(text);
        assert!(products.len() > 4, "{what}: only {} products", products.len());
        for line in products {
            assert!(line.ends_with("xf32>"), "{what}: {line}");
        }
    });
}

fn products(text: &str) -> Vec<&str> {
    let is_product =
        |line: &&str| line.contains("\"stablehlo.dot_general\"") || line.contains("linalg.mmt4d");
    text.lines().filter(is_product).collect()
}

#[test]
fn every_state_argument_shares_the_storage_of_its_result() {
    for_every_module(|what, graph, text| {
        let signature = text.lines().find(|line| line.contains("func.func ")).expect("a function");
        for (index, input) in graph.inputs.iter().enumerate() {
            let start = signature.find(&format!("%arg{index}: ")).expect("an argument");
            let argument = &signature[start..];
            let end = argument.find(&format!("%arg{}: ", index + 1)).or(argument.find(") ->"));
            let argument = &argument[..end.expect("arguments end")];
            let result = graph.outputs.iter().position(
                |output| matches!(output, Output::Updated { input, .. } if *input == index),
            );
            match (input.kind, result) {
                (InputKind::State, Some(result)) => {
                    let attribute = format!("{{iree.abi.output = {result} : index}}");
                    assert!(argument.contains(&attribute), "{what}: {argument}");
                }
                (InputKind::Plain, None) => {
                    assert!(!argument.contains("iree.abi"), "{what}: {argument}");
                }
                _ => panic!("{what}: {} has no update, or one too many", input.name),
            }
        }
    });
}

#[test]
fn the_cache_has_a_dimension_that_is_chosen_when_serving() {
    for_every_module(|what, graph, text| {
        let caches = graph.inputs.iter().filter(|input| input.kind == InputKind::State).count();
        let signature = text.lines().find(|line| line.contains("func.func ")).expect("a function");
        let arguments = &signature[..signature.find(") ->").expect("results")];
        assert_eq!(arguments.matches("tensor<?x8x").count(), caches, "{what}");
    });
}

/// What is recorded once knows every size, and what stays on the device has no wait of the host and
/// no copy: stacked slices are chosen by index.
#[test]
fn for_a_gpu_every_size_is_known_and_nothing_waits_or_is_stacked() {
    for case in ARCHITECTURES.iter().chain(&ROTARY) {
        for (step, shape) in [("prefill", PREFILL), ("decode", DECODE)] {
            let graph = trace_step(case, step, &shape, &PLAIN);
            let caches = graph.inputs.iter().filter(|input| input.kind == InputKind::State).count();
            let form = Form::Gpu { blocks: 37 };
            let text = emit_as(form, "m", &[graph]).expect("a fixture emits").text;
            for word in ["<?x", "optimization_barrier"] {
                assert!(!text.contains(word), "{case}, {step}: {word}");
            }
            let signature = text.lines().find(|line| line.contains("func.func ")).expect("one");
            let arguments = &signature[..signature.find(") ->").expect("results")];
            assert_eq!(arguments.matches("tensor<37x8x").count(), caches, "{case}, {step}");
            // Cosines and sines are one slice each of the rotary embedding's waves.
            let stacked = text.lines().filter(|line| {
                line.contains("stablehlo.concatenate") && line.contains("dimension = 0")
            });
            assert_eq!(stacked.count(), 0, "{case}, {step}");
        }
    }
}

/// Bytes are signless where they are stored, as IREE's parameters and arguments need them, and never
/// 8-bit floats, which some targets refuse to convert.
#[test]
fn quantized_caches_are_signless_bytes() {
    for code in [KvCode::Q8_0, KvCode::Q4_0, KvCode::E4M3] {
        let options = TraceOptions { kv_type: code.into(), ..PLAIN };
        let graph = trace_step("llama_mlx_8bit", "decode", &DECODE, &options);
        let caches = graph.inputs.iter().filter(|input| input.kind == InputKind::State).count();
        let text = tyto_hlo_emit::emit("m", &[graph]).expect("a fixture emits").text;
        for word in FORBIDDEN.into_iter().chain(["f8E4M3"]) {
            assert!(!text.contains(word), "{code}: {word}");
        }
        let signature = text.lines().find(|line| line.contains("func.func ")).expect("one");
        let (arguments, results) = signature.split_once(") ->").expect("results");
        for part in [arguments, results] {
            assert_eq!(part.matches("xi8>").count(), caches, "{code}: {part}");
        }
    }
}

/// Eight-bit floats are the OCP ones; the FNUZ ones exist on one family of GPUs only.
#[test]
fn eight_bit_floats_are_the_portable_ones() {
    for (dtype, name) in [(DType::F8E4M3, "f8E4M3FN"), (DType::F8E5M2, "f8E5M2")] {
        let mut graph = Graph::new("widen");
        let codes = graph.add_input("codes", TensorType::new(dtype, [4]), InputKind::Plain);
        let wide = graph.add(Op::Convert(DType::F32), &[codes]).expect("well-formed");
        graph.add_output("wide", wide);
        let text = tyto_hlo_emit::emit("m", &[graph]).expect("emits").text;
        assert!(text.contains(&format!("tensor<4x{name}>")), "{text}");
    }
}
