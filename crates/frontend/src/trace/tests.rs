//! Errors with their places, and the calling convention.

use super::*;
use crate::nn;

const OPTIONS: TraceOptions = TraceOptions {
    weight_dtype: DType::F32,
    kv_type: KvType::Float(DType::F32),
    block_size: 2,
    max_blocks: 4,
    layout: |_, _, _| Layout::RowMajor,
    fuse_siblings: false,
    keep_blocks: false,
};
const SHAPE: StepShape = StepShape { batch: 1, tokens: 3, context: 4, rows: 1 };
const KV: [LayerMemory; 1] =
    [LayerMemory { kv: Some(KvLayer { heads: 1, head_dim: 4 }), recurrent: None }];

fn errors(forward: impl for<'t> Fn(Weights<'t>, &Step<'t>) -> Tensor<'t>) -> Vec<TraceError> {
    let trace = Trace::new("step", OPTIONS, Vec::new());
    let step = trace.step(&SHAPE, &KV, false);
    let logits = forward(trace.weights(), &step);
    trace.output("logits", logits);
    match trace.finish() {
        Err(Error::Trace { errors, .. }) => errors,
        other => panic!("found {other:?}, expected errors"),
    }
}

#[test]
fn an_error_names_the_models_line_and_poisons_without_more_words() {
    let line = line!() + 3;
    let found = errors(|w, step| {
        let x = nn::embedding(step.tokens, w.at("table"), [8, 4]);
        let wrong = x.split_heads(3);
        let y = wrong.merge_heads() + x;
        nn::linear(y.take_rows(step.sampled), w.at("head"), 8)
    });
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].file, found[0].line), (file!(), line));
    assert!(found[0].message.contains("reshape_c1"), "{}", found[0].message);
}

#[test]
fn every_independent_error_is_reported() {
    let line = line!() + 3;
    let found = errors(|w, step| {
        let x = nn::embedding(step.tokens, w.at("table"), [8, 4]);
        let one = x + x.columns(0..2);
        let other = nn::rms_norm(x, w.at("norm"), 5, nn::Norm { epsilon: 1e-6, offset: 0.0 });
        one * other
    });
    let lines: Vec<u32> = found.iter().map(|error| error.line).collect();
    assert_eq!(lines, [line, line + 1]);
    assert!(found[0].message.contains("binary_c1"), "{}", found[0].message);
    assert!(found[1].message.contains("rms_norm_c2"), "{}", found[1].message);
}

#[test]
fn one_name_has_one_shape() {
    let found = errors(|w, step| {
        let x = nn::embedding(step.tokens, w.at("table"), [8, 4]);
        nn::linear(x, w.at("head"), 8) + nn::linear(x, w.at("head"), 6)
    });
    assert!(found[0].message.contains("\"head.weight\" is [6, 4] here and [8, 4] before"));
}

#[test]
fn a_matrix_that_does_not_divide_into_tiles_is_named() {
    let options = TraceOptions { layout: |_, _, _| Layout::Tiled { n: 2, k: 3 }, ..OPTIONS };
    let trace = Trace::new("step", options, Vec::new());
    let step = trace.step(&SHAPE, &[], false);
    let x = nn::embedding(step.tokens, trace.weights().at("table"), [8, 4]);
    trace.output("logits", nn::linear(x, trace.weights().at("head"), 8));
    let error = trace.finish().expect_err("4 columns are no tiles of 3").to_string();
    assert!(error.contains("\"head.weight\": [8, 4] does not fit tiled 2x3"), "{error}");
    assert!(error.contains(file!()), "{error}");
}

#[test]
fn inputs_and_outputs_follow_the_calling_convention() {
    let trace = Trace::new("step", OPTIONS, Vec::new());
    let step = trace.step(&SHAPE, &[KV[0]; 2], true);
    let x = nn::embedding(step.tokens, trace.weights().at("table"), [8, 4]).split_heads(1);
    let attrs = nn::attention_attrs(4.0, None);
    let x = step.kv_cache(0).append(x, x).attend(x, attrs);
    let x = step.kv_cache(1).append(x, x).attend(x, attrs);
    trace.output("logits", x.merge_heads().take_rows(step.sampled));
    let graph = trace.finish().expect("traces").graph;
    let names: Vec<&str> = graph.inputs.iter().map(|input| &*input.name).collect();
    assert_eq!(
        names,
        [
            "tokens",
            "positions",
            "lengths",
            "slots",
            "tables",
            "sampled",
            "keys.0",
            "values.0",
            "keys.1",
            "values.1"
        ]
    );
    let updated: Vec<Option<usize>> = (graph.outputs.iter())
        .map(|output| match output {
            tyto_graph::Output::Plain { .. } => None,
            tyto_graph::Output::Updated { input, .. } => Some(*input),
        })
        .collect();
    assert_eq!(updated, [None, Some(6), Some(7), Some(8), Some(9)]);
    assert_eq!(graph.inputs[6].ty.to_string(), "f32[blocks<=4, 2, 1, 4]");
    assert_eq!(graph.inputs[3].ty.to_string(), "i32[3, 2]");
}

#[test]
fn sinks_join_the_operands_of_an_attention() {
    let attrs = nn::attention_attrs(4.0, None);
    let trace = |heads: usize| {
        let trace = Trace::new("step", OPTIONS, Vec::new());
        let step = trace.step(&SHAPE, &KV, false);
        let x = nn::embedding(step.tokens, trace.weights().at("table"), [8, 4]);
        let x = x.split_heads(1);
        let sinks = trace.weights().at("sinks").vector(heads);
        let y = step.kv_cache(0).append(x, x).attend_with_sinks(x, attrs, sinks);
        trace.output("logits", y.merge_heads().take_rows(step.sampled));
        trace.finish()
    };
    let graph = trace(1).expect("one sink a head").graph;
    let attention = graph.nodes.iter().find(|node| matches!(node.op, Op::PagedAttention(_)));
    let sinks = attention.expect("an attention").operands[5];
    assert!(matches!(&graph.node(sinks).op, Op::Weight { name, .. } if &**name == "sinks"));
    let Err(Error::Trace { errors, .. }) = trace(2) else { panic!("two sinks for one head") };
    assert!(errors[0].message.contains("attention_c5"), "{}", errors[0].message);
}
