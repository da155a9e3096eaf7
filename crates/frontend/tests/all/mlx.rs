//! Directories that mlx-lm quantized, against mlx-lm computing with their dequantized weights.

use crate::common;
use crate::common::{BLOCKS, CONTEXT, F32, Pair, changed, distance, refusal};
use serde_json::json;
use tyto_frontend::StepShape;
use tyto_graph::Layout;

/// The bound on logits, relative to the largest of a row.
const TOLERANCE: f32 = 1e-4;

#[test]
fn every_case_gives_the_logits_of_its_dequantized_weights() {
    let pairs = Pair::of("index.mlx.json");
    assert_eq!(pairs.len(), 5);
    for pair in pairs {
        let expected = pair.reference().logits;
        let converted = pair.logits(F32);
        let kept = pair.logits(BLOCKS);
        let distance = distance(&converted, &expected);
        println!("{}: {distance:.1e}", pair.name());
        assert!(distance <= TOLERANCE, "{}: {distance}", pair.name());
        assert_eq!(kept, converted, "{}", pair.name());
    }
}

#[test]
fn modules_keep_their_own_formats() {
    let shape = StepShape { batch: 1, tokens: 4, context: CONTEXT, rows: 1 };
    let formats = |case: &str| -> Vec<String> {
        let opened = common::Model::with_config(case, common::config(case, "config.json"));
        let traced = opened.model.trace("step", &shape, &BLOCKS).expect("traces");
        let matrices = traced.weights.iter().filter(|weight| weight.shape.len() == 2);
        let printed = matrices.map(|weight| {
            let formats = opened.model.stored_formats(weight).join(", ");
            let kept = match weight.layout {
                Layout::Blocks(_) => format!(" as {}", weight.layout),
                _ => " converted".to_owned(),
            };
            let name = weight.name.trim_start_matches("model.").trim_end_matches(".weight");
            format!("{name}: {formats}{kept}")
        });
        printed.collect()
    };
    let four = "affine 4-bit group 64 as blocks 4-bit group 64 bf16 bias";
    assert_eq!(
        formats("llama_mlx_4bit"),
        [
            format!("embed_tokens: {four}"),
            format!("layers.0.self_attn.q_proj+k_proj+v_proj: {four}"),
            format!("layers.0.self_attn.o_proj: {four}"),
            format!("layers.0.mlp.gate_proj+up_proj: {four}"),
            "layers.0.mlp.down_proj: affine 8-bit group 32 as blocks 8-bit group 32 bf16 bias"
                .into(),
            format!("layers.1.self_attn.q_proj+k_proj+v_proj: {four}"),
            "layers.1.self_attn.o_proj: affine 4-bit group 128 as blocks 4-bit group 128 bf16 bias"
                .into(),
            format!("layers.1.mlp.gate_proj: {four}"),
            "layers.1.mlp.up_proj: BF16 converted".into(),
            format!("layers.1.mlp.down_proj: {four}"),
        ]
    );
    let eight = formats("llama_mlx_8bit");
    let blocks = "affine 8-bit group 32 as blocks 8-bit group 32 f16 bias";
    assert!(eight.iter().all(|weight| weight.ends_with(blocks)), "{eight:?}");
    let modes = formats("llama_mlx_modes");
    for expected in [
        "embed_tokens: affine 4-bit group 32 as blocks 4-bit group 32 bf16 bias",
        "layers.0.self_attn.q_proj: mxfp4 4-bit group 32 as blocks e2m1 group 32 e8m0",
        "layers.0.self_attn.k_proj: nvfp4 4-bit group 16 as blocks e2m1 group 16 e4m3",
        "layers.0.self_attn.v_proj: mxfp8 8-bit group 32 as blocks e4m3 group 32 e8m0",
        "layers.0.self_attn.o_proj: affine 3-bit group 64 as blocks 3-bit group 64 bf16 bias",
        "layers.1.self_attn.o_proj: affine 5-bit group 128 as blocks 5-bit group 128 bf16 bias",
        "layers.0.mlp.down_proj: affine 2-bit group 32 as blocks 2-bit group 32 bf16 bias",
    ] {
        assert!(modes.iter().any(|weight| weight == expected), "{expected}: {modes:#?}");
    }
}

/// What the checkpoint has read is no unread field; another tool's method still is one.
#[test]
fn other_methods_are_refused_by_name() {
    for method in ["bitsandbytes", "hqq", "quanto", "aqlm", "fbgemm_fp8"] {
        let config = json!({ "quant_method": method, "bits": 4, "group_size": 64 });
        let message = refusal("llama", changed("llama", json!({ "quantization_config": config })));
        for word in ["quantization_config", method, "llama", "refused"] {
            assert!(message.contains(word), "{message:?} lacks {word:?}");
        }
    }
    // Codes whose settings are gone are no numbers.
    let gone = json!({ "quantization": null, "quantization_config": null });
    let message = refusal("llama_mlx_4bit", changed("llama_mlx_4bit", gone));
    assert!(message.contains("weight"), "{message:?}");
}
