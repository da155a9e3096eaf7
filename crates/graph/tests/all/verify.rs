//! The verifier refuses each ill-formed graph by name; the printer's golden.

use crate::common::ty;
use tyto_graph::{
    AttentionAttrs, Binary, Graph, InputKind, Layout, Op, Output, Unary, ValueId, VerifyError,
};

/// `x` and `b` added twice, a linear layer, and a cache that is updated in place.
fn step() -> Graph {
    let mut graph = Graph::new("step");
    let x = graph.add_input("x", ty("f32[2, 3]"), InputKind::Plain);
    let cache = graph.add_input("cache", ty("f16[blocks<=9, 1, 4]"), InputKind::State);
    let at = graph.add_input("at", ty("i32[2, 2]"), InputKind::Plain);
    let w = graph.add(Op::Weight { name: "w".into(), ty: ty("f16[4, 3]") }, &[]).expect("fits");
    let linear = Op::Linear { layout: Layout::RowMajor, rows: 4 };
    let y = graph.add(linear, &[x, w]).expect("fits");
    let narrow = graph.add(Op::Convert(tyto_graph::DType::F16), &[y]).expect("fits");
    let updated = graph.add(Op::Put, &[cache, at, narrow]).expect("fits");
    graph.add_output("y", y);
    graph.add_updated(1, updated);
    graph
}

#[track_caller]
fn refused(change: impl FnOnce(&mut Graph), message: &str) {
    let mut graph = step();
    graph.verify().expect("the graph is well-formed before the change");
    change(&mut graph);
    assert_eq!(graph.verify().expect_err("the graph is ill-formed").to_string(), message);
}

#[test]
fn order() {
    let message = "step: %4 uses %5, which is not defined before it";
    refused(|graph| graph.nodes[4].operands[0] = ValueId(5), message);
    let message = "step: %4 uses %4, which is not defined before it";
    refused(|graph| graph.nodes[4].operands[1] = ValueId(4), message);
    let message = "step: %6 uses %99, which is not defined before it";
    refused(|graph| graph.nodes[6].operands[1] = ValueId(99), message);
}

#[test]
fn constraint() {
    let message = "step: %4 breaks a constraint: linear: linear_c3: weight is not a float [5, 3] \
                   row-major; operands (f32[2, 3], f16[4, 3])";
    let op = Op::Linear { layout: Layout::RowMajor, rows: 5 };
    refused(|graph| graph.nodes[4].op = op, message);
}

#[test]
fn types() {
    let message = "step: %5 has type f16[2, 5], but its op gives f16[2, 4]";
    refused(|graph| graph.nodes[5].ty = ty("f16[2, 5]"), message);
}

#[test]
fn inputs() {
    refused(
        |graph| graph.nodes[0].op = Op::Input { index: 9 },
        "step: input 9 is not the node it names",
    );
    let message = "step: input 0 is not the node it names";
    refused(|graph| graph.inputs[0].value = ValueId(2), message);
    refused(
        |graph| graph.nodes[2].operands.push(ValueId(0)),
        "step: input 2 is not the node it names",
    );
    let message = "step: input x is not the node it names";
    refused(|graph| graph.inputs[0].ty = ty("f32[2, 9]"), message);
    let message = "step: input extra is not the node it names";
    let extra = |graph: &mut Graph| {
        let mut input = graph.inputs[0].clone();
        input.name = "extra".into();
        graph.inputs.push(input);
    };
    refused(extra, message);
}

#[test]
fn names() {
    refused(|graph| graph.inputs[2].name = "x".into(), "step: two inputs are named x");
    refused(|graph| graph.add_output("y", ValueId(0)), "step: two outputs are named y");
    refused(|graph| graph.add_output("cache", ValueId(0)), "step: two outputs are named cache");
}

#[test]
fn state() {
    let message = |name: &str, times: usize| {
        format!("step: state {name} is returned {times} times; expected once, with its own type")
    };
    refused(|graph| drop(graph.outputs.pop()), &message("cache", 0));
    refused(|graph| graph.add_updated(1, ValueId(6)), &message("cache", 2));
    refused(|graph| graph.add_updated(0, ValueId(0)), &message("x", 1));
    let narrow = Output::Updated { input: 1, value: ValueId(5) };
    refused(|graph| graph.outputs[1] = narrow, &message("cache", 1));
}

#[test]
fn outputs() {
    let what = "is not a value of the graph, or its input is not there";
    let message = format!("step: output Plain {{ name: \"z\", value: ValueId(70) }} {what}");
    refused(|graph| graph.add_output("z", ValueId(70)), &message);
    let message = format!("step: output Updated {{ input: 70, value: ValueId(6) }} {what}");
    refused(|graph| graph.add_updated(70, ValueId(6)), &message);
}

#[test]
fn weights() {
    let again = |graph: &mut Graph| {
        graph.add(Op::Weight { name: "w".into(), ty: ty("f32[4, 3]") }, &[]).expect("fits");
    };
    let message = "step: weight w has type f16[4, 3] in one place and f32[4, 3] in another";
    refused(again, message);
}

#[test]
fn composites_left_after_decomposition() {
    let graph = step();
    let error = graph.verify_decomposed(|_| false).expect_err("linear is left");
    assert_eq!(error.to_string(), "step: composite op linear at %4 is left after decomposition");
    assert!(matches!(error, VerifyError::Composite { value: ValueId(4), .. }));
    graph.verify_decomposed(|op| matches!(op, Op::Linear { .. })).expect("linear is claimed");
}

#[test]
fn a_graph_prints_a_line_for_each_node() {
    let mut graph = step();
    let q = graph.add(Op::Reshape(vec![2, 3, 1]), &[ValueId(0)]).expect("fits");
    let keys = graph.add_input("keys", ty("f32[9, 2, 1, 1]"), InputKind::Plain);
    let tables = graph.add_input("tables", ty("i32[1, 3]"), InputKind::Plain);
    let positions = graph.add_input("positions", ty("i32[2]"), InputKind::Plain);
    let attrs = AttentionAttrs {
        scale: 0.5,
        window: Some(4),
        soft_cap: None,
        alibi: None,
        chunk: None,
        kv: None,
    };
    let operands = [q, keys, keys, tables, positions];
    let mixed = graph.add(Op::PagedAttention(attrs), &operands).expect("fits");
    let positive = graph.add(Op::Unary(Unary::Exponential), &[mixed]).expect("fits");
    let sum = graph.add(Op::Binary(Binary::Add), &[mixed, positive]).expect("fits");
    graph.add_output("mixed", sum);
    let golden = r#"graph step {
  %0 = input Plain "x" : f32[2, 3]
  %1 = input State "cache" : f16[blocks<=9, 1, 4]
  %2 = input Plain "at" : i32[2, 2]
  %3 = weight() "w" : f16[4, 3]
  %4 = linear(%0, %3) row-major, 4 rows : f32[2, 4]
  %5 = convert(%4) : f16[2, 4]
  %6 = put(%1, %2, %5) : f16[blocks<=9, 1, 4]
  %7 = reshape(%0) : f32[2, 3, 1]
  %8 = input Plain "keys" : f32[9, 2, 1, 1]
  %9 = input Plain "tables" : i32[1, 3]
  %10 = input Plain "positions" : i32[2]
  %11 = paged_attention(%7, %8, %8, %9, %10) AttentionAttrs { scale: 0.5, window: Some(4), soft_cap: None, alibi: None, chunk: None, kv: None } : f32[2, 3, 1]
  %12 = exponential(%11) : f32[2, 3, 1]
  %13 = add(%11, %12) : f32[2, 3, 1]
  return "y" = %4
  return "cache" updated = %6
  return "mixed" = %13
}
"#;
    assert_eq!(graph.to_string(), golden);
}
