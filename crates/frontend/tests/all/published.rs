//! Directories in published quantized forms, against transformers computing with what they mean.

use crate::common;
use crate::common::{BLOCKS, CONTEXT, F32, Pair, Reference, distance};
use tyto_checkpoint::Checkpoint;
use tyto_frontend::testing::{Interpreted, Pool};
use tyto_frontend::{StepShape, TraceOptions};
use tyto_graph::Layout;

/// The bound on logits, relative to the largest of a row.
const TOLERANCE: f32 = 1e-4;

#[test]
fn every_form_gives_the_logits_of_what_it_means() {
    let pairs = Pair::of("index.published.json");
    assert_eq!(pairs.len(), 10);
    for pair in pairs {
        let expected = pair.reference().logits;
        let kept = pair.logits(BLOCKS);
        for (found, how) in [(pair.logits(F32), "converted"), (kept, "kept")] {
            let distance = distance(&found, &expected);
            println!("{}, {how}: {distance:.1e}", pair.name());
            assert!(distance <= TOLERANCE, "{}, {how}: {distance}", pair.name());
        }
    }
}

/// GGUF files in which every matrix stands in another block format.
#[test]
fn every_block_format_of_gguf_gives_the_logits_of_its_values() {
    for case in ["llama_gguf_k", "llama_gguf_small"] {
        let directory = common::fixtures().join(case);
        let checkpoint = Checkpoint::open(&directory.join("model.gguf")).expect("a checkpoint");
        let model = tyto_frontend::open(&checkpoint).expect("a model");
        let reference = Reference::open(&directory.join("reference.safetensors"));
        for options in [F32, BLOCKS] {
            let mut runner = Interpreted::new(&model, &checkpoint, options);
            let pool = &mut Pool::new(&options, CONTEXT, 5);
            let found = runner.prefill(pool, &reference.prompt, 16);
            let distance = distance(&found, &reference.logits);
            println!("{case}, blocks {}: {distance:.1e}", options.keep_blocks);
            assert!(distance <= TOLERANCE, "{case}: {distance}");
        }
    }
}

/// What becomes of each form of a directory's matrices: `stored as layout`, each once.
fn forms(pair: &Pair) -> Vec<String> {
    let opened = pair.model();
    let shape = StepShape { batch: 1, tokens: 4, context: CONTEXT, rows: 1 };
    let options = TraceOptions { fuse_siblings: false, ..BLOCKS };
    let traced = opened.model.trace("step", &shape, &options).expect("traces");
    let mut forms = Vec::new();
    for weight in traced.weights.iter().filter(|weight| weight.shape.len() == 2) {
        let stored = opened.model.stored_formats(weight).join(", ");
        let kept = match weight.layout {
            Layout::Blocks(_) => weight.layout.to_string(),
            _ => "converted".to_owned(),
        };
        let form = format!("{stored} as {kept}");
        if stored != "BF16" && !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms.sort();
    forms
}

#[test]
fn every_form_is_kept_but_columns_in_another_order() {
    let found: Vec<(String, Vec<String>)> = (Pair::of("index.published.json").iter())
        .map(|pair| (pair.case.clone(), forms(pair)))
        .collect();
    // Scales that span rows and all columns are factors of rows; those of rows alone, which
    // whole numbers have, are repeated.
    let expected: [(&str, &[&str]); 10] = [
        (
            "llama_fp8",
            &[
                "fp8 8-bit group 128 as blocks e4m3 group 128 f32",
                "fp8 8-bit group 128 as blocks e4m3 group 32 unscaled row-scaled",
            ],
        ),
        (
            "llama_ct_fp8",
            &[
                "fp8 8-bit as blocks e4m3 group 32 unscaled row-scaled",
                "fp8 8-bit group 32 as blocks e4m3 group 32 f32",
                "fp8 8-bit group 64 as blocks e4m3 group 64 f32",
            ],
        ),
        (
            "llama_ct_int",
            &[
                "int 4-bit as blocks 4-bit group 128 f32 zero",
                "int 4-bit group 32 as blocks 4-bit group 32 f32 middle",
                "int 4-bit group 64 as blocks 4-bit group 64 f32 zero",
                "int 8-bit as blocks 8-bit group 128 f32 zero",
                "int 8-bit group 128 as blocks 8-bit group 128 f32 middle",
            ],
        ),
        (
            "llama_ct_fp4",
            &[
                "fp8 8-bit group 32 as blocks e4m3 group 32 e8m0",
                "mxfp4 4-bit group 32 as blocks e2m1 group 32 e8m0",
                "nvfp4 4-bit group 16 as blocks e2m1 group 16 e4m3 row-scaled",
            ],
        ),
        ("phi3_ct_int", &["int 4-bit group 32 as blocks 4-bit group 32 f32 middle"]),
        ("llama_awq", &["awq 4-bit group 32 as blocks 4-bit group 32 f16 zero"]),
        ("llama_gptq", &["gptq 4-bit group 64 as blocks 4-bit group 64 f16 zero"]),
        ("llama_gptq_act", &["gptq 4-bit group 32 as converted"]),
        ("llama_nvfp4", &["nvfp4 4-bit group 16 as blocks e2m1 group 16 e4m3 row-scaled"]),
        ("llama_modelopt_fp8", &["fp8 8-bit as blocks e4m3 group 32 unscaled row-scaled"]),
    ];
    for ((case, found), (name, expected)) in found.iter().zip(expected) {
        assert_eq!(case, name);
        assert_eq!(found, expected, "{case}");
    }
}
