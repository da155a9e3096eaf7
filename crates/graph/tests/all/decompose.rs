//! Decomposition of whole graphs: what is shared, what is dropped, what stays.

use std::collections::HashMap;
use std::sync::Arc;

use crate::common;
use crate::common::{World, assert_close, ty};
use tyto_graph::interpreter::{Tensor, evaluate};
use tyto_graph::{
    AttentionAttrs, Binary, DType, Graph, InputKind, Layout, Literal, Op, Output, RopeScaling,
    RopeTable, ValueId, decompose,
};

const HEADS: usize = 4;
const KEY_HEADS: usize = 2;
const WIDTH: usize = 4;
const HIDDEN: usize = 8;

/// A decoder of `windows.len()` layers for a batch of 2 rows with 3 tokens each.
fn decoder(windows: &[Option<usize>]) -> Graph {
    let mut g = Graph::new("decoder");
    let tokens = g.add_input("tokens", ty("i32[6]"), InputKind::Plain);
    let positions = g.add_input("positions", ty("i32[6]"), InputKind::Plain);
    let tables = g.add_input("tables", ty("i32[2, 2]"), InputKind::Plain);
    let slots = g.add_input("slots", ty("i32[6, 2]"), InputKind::Plain);
    let table = weight(&mut g, "embed", "f32[11, 8]");
    let mut x = add(&mut g, Op::Embedding { layout: Layout::RowMajor, rows: 11 }, &[table, tokens]);
    for (layer, window) in windows.iter().enumerate() {
        x = decoder_layer(&mut g, layer, *window, x, [positions, tables, slots]);
    }
    let logits = add(&mut g, Op::Linear { layout: Layout::RowMajor, rows: 11 }, &[x, table]);
    g.add_output("logits", logits);
    g
}

fn decoder_layer(
    g: &mut Graph,
    layer: usize,
    window: Option<usize>,
    x: ValueId,
    [positions, tables, slots]: [ValueId; 3],
) -> ValueId {
    let norm = weight(g, &format!("{layer}.norm"), "f32[8]");
    let normal = add(g, Op::RmsNorm { epsilon: 1e-5, offset: 0.0 }, &[x, norm]);
    let table = RopeTable {
        inverse_frequencies: vec![1.0, 0.1],
        amplitude: 1.0,
        scaling: RopeScaling::Fixed,
    };
    // As a model traced layer by layer has them: once a layer.
    let angles = add(g, Op::RopeAngles(table), &[positions]);
    let q = projection(g, &format!("{layer}.q"), normal, HEADS);
    let q = add(g, Op::Rope, &[q, angles]);
    let k = projection(g, &format!("{layer}.k"), normal, KEY_HEADS);
    let k = add(g, Op::Rope, &[k, angles]);
    let v = projection(g, &format!("{layer}.v"), normal, KEY_HEADS);
    let [keys, values] = [("key", k), ("value", v)].map(|(name, new)| {
        let state = g.inputs.len();
        let cache =
            g.add_input(&format!("{name}_cache.{layer}"), ty("f32[5, 2, 2, 4]"), InputKind::State);
        let updated = add(g, Op::Put, &[cache, slots, new]);
        g.add_updated(state, updated);
        updated
    });
    let attrs =
        AttentionAttrs { scale: 0.5, window, soft_cap: None, alibi: None, chunk: None, kv: None };
    let mixed = add(g, Op::PagedAttention(attrs), &[q, keys, values, tables, positions]);
    let mixed = add(g, Op::Reshape(vec![6, HEADS * WIDTH]), &[mixed]);
    let w = weight(g, &format!("{layer}.o"), "f32[8, 16]");
    let mixed = add(g, Op::Linear { layout: Layout::RowMajor, rows: HIDDEN }, &[mixed, w]);
    add(g, Op::Binary(Binary::Add), &[x, mixed])
}

fn projection(g: &mut Graph, name: &str, x: ValueId, heads: usize) -> ValueId {
    let rows = heads * WIDTH;
    let w = weight(g, name, &format!("f32[{rows}, 8]"));
    let y = add(g, Op::Linear { layout: Layout::RowMajor, rows }, &[x, w]);
    add(g, Op::Reshape(vec![6, heads, WIDTH]), &[y])
}

fn weight(g: &mut Graph, name: &str, text: &str) -> ValueId {
    add(g, Op::Weight { name: name.into(), ty: ty(text) }, &[])
}

fn add(g: &mut Graph, op: Op, operands: &[ValueId]) -> ValueId {
    g.add(op, operands).unwrap_or_else(|error| panic!("{error}"))
}

fn count(graph: &Graph, name: &str) -> usize {
    graph.nodes.iter().filter(|node| node.op.name() == name).count()
}

fn all_primitive(graph: &Graph) -> Graph {
    decompose(graph, |_| false).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_decoder_computes_the_same() {
    let graph = decoder(&[None, Some(2), None]);
    let mut world = World::new(11);
    let mut inputs: HashMap<String, Tensor> = (graph.inputs.iter())
        .map(|input| {
            let shape = input.ty.shape.fixed().expect("fixed");
            (input.name.to_string(), Tensor::zeros(input.ty.dtype, shape))
        })
        .collect();
    // Row 0 writes positions 0 to 2 of blocks 3 and 1; row 1 has one padding token, whose
    // key goes to block 4, which no table names.
    let slots = [3, 0, 3, 1, 1, 0, 0, 0, 0, 1, 4, 0];
    inputs.insert("tokens".into(), common::i32s(&[6], &[1, 2, 3, 10, 0, 0]));
    inputs.insert("positions".into(), common::i32s(&[6], &[0, 1, 2, 0, 1, -1]));
    inputs.insert("tables".into(), common::i32s(&[2, 2], &[3, 1, 0, 2]));
    inputs.insert("slots".into(), common::i32s(&[6, 2], &slots));
    // A quarter of the world's range: larger weights grow from layer to layer.
    let mut weights: HashMap<Arc<str>, Tensor> = HashMap::new();
    for (name, ty) in graph.weights() {
        let shape = ty.shape.fixed().expect("fixed");
        let count = shape.iter().product();
        let values = (0..count).map(|_| world.float() / 4.0);
        weights.insert(name, Tensor::floats(ty.dtype, shape, values).expect("as many"));
    }
    let run = |graph: &Graph| {
        evaluate(graph, inputs.clone(), &|name| weights.get(name).cloned()).expect("runs")
    };
    let (direct, primitive) = (run(&graph), run(&all_primitive(&graph)));
    assert_eq!(direct.len(), 7);
    for (name, tensor) in &direct {
        assert_close(&primitive[name], tensor.as_floats().expect("floats"), 1e-5, name);
    }
    assert!(direct["logits"].as_floats().expect("floats").iter().any(|logit| *logit != 0.0));
}

#[test]
fn what_layers_have_in_common_is_computed_once() {
    let one = all_primitive(&decoder(&[None]));
    let three = all_primitive(&decoder(&[None, None, None]));
    for name in ["iota", "compare", "cosine", "sine", "constant"] {
        assert_eq!(count(&three, name), count(&one, name), "{name}");
    }
    let windows = all_primitive(&decoder(&[Some(2), None, Some(2), Some(3)]));
    // Both windows cut the causal mask, which is shared.
    assert_eq!(count(&windows, "and"), 2);
    // A window of all 4 slots of the tables is none.
    assert_eq!(count(&all_primitive(&decoder(&[Some(4)])), "and"), 0);
}

#[test]
fn inputs_outputs_and_state_stay() {
    let graph = decoder(&[None, Some(2)]);
    let result = all_primitive(&graph);
    assert_eq!(result.name, graph.name);
    let signature = |graph: &Graph| -> Vec<_> {
        graph.inputs.iter().map(|i| (i.name.clone(), i.ty.clone(), i.kind)).collect()
    };
    assert_eq!(signature(&result), signature(&graph));
    let outputs = |graph: &Graph| -> Vec<String> {
        let name = |output: &Output| match output {
            Output::Plain { name, .. } => format!("{name}: {}", graph.ty(output.value())),
            Output::Updated { input, .. } => format!("{input}: {}", graph.ty(output.value())),
        };
        graph.outputs.iter().map(name).collect()
    };
    assert_eq!(outputs(&result), outputs(&graph));
    assert_eq!(count(&result, "put"), 4);
    assert_eq!(result.weights(), graph.weights());
}

#[test]
fn kept_composites_stay() {
    let graph = decoder(&[None, None]);
    let keep = |op: &Op| matches!(op, Op::Linear { .. } | Op::PagedAttention(_));
    let result = decompose(&graph, keep).expect("verifies");
    assert_eq!((count(&result, "linear"), count(&result, "paged_attention")), (9, 2));
    assert_eq!((count(&result, "rms_norm"), count(&result, "dot_general")), (0, 0));
    let all = decompose(&graph, |_| true).expect("verifies");
    assert_eq!(count(&all, "rope_angles"), 1, "equal composites are shared too");
}

#[test]
fn a_decomposed_graph_stays_as_it_is() {
    let once = all_primitive(&decoder(&[None, Some(2)]));
    assert_eq!(all_primitive(&once), once);
}

#[test]
fn dead_nodes_are_dropped_and_unused_inputs_kept() {
    let mut graph = Graph::new("dead");
    let x = graph.add_input("x", ty("f32[2]"), InputKind::Plain);
    graph.add_input("unused", ty("f32[3]"), InputKind::Plain);
    let w = weight(&mut graph, "w", "f32[2]");
    add(&mut graph, Op::RmsNorm { epsilon: 0.0, offset: 0.0 }, &[x, w]);
    let sum = add(&mut graph, Op::Binary(Binary::Add), &[x, x]);
    let late = graph.add_input("late", ty("f32[2]"), InputKind::Plain);
    let sum = add(&mut graph, Op::Binary(Binary::Add), &[sum, late]);
    graph.add_output("y", sum);
    let expected = "graph dead {
  %0 = input Plain \"x\" : f32[2]
  %1 = input Plain \"unused\" : f32[3]
  %2 = input Plain \"late\" : f32[2]
  %3 = add(%0, %0) : f32[2]
  %4 = add(%3, %2) : f32[2]
  return \"y\" = %4
}
";
    assert_eq!(all_primitive(&graph).to_string(), expected);
}

#[test]
fn ops_that_change_nothing_are_dropped() {
    let mut graph = Graph::new("same");
    let x = graph.add_input("x", ty("f32[2, 3]"), InputKind::Plain);
    let ops = [
        Op::Convert(DType::F32),
        Op::Reshape(vec![2, 3]),
        Op::Transpose(vec![0, 1]),
        Op::Broadcast { shape: vec![2, 3], axes: vec![0, 1] },
        Op::Slice { start: vec![0, 0], limit: vec![2, 3] },
    ];
    let y = ops.into_iter().fold(x, |value, op| add(&mut graph, op, &[value]));
    graph.add_output("y", y);
    let result = all_primitive(&graph);
    assert_eq!((result.nodes.len(), result.outputs[0].value()), (1, result.inputs[0].value));
}

#[test]
fn constants_are_shared_by_their_bits() {
    let mut graph = Graph::new("zeros");
    for (index, value) in [0.0, -0.0, 0.0, f64::NAN, f64::NAN].into_iter().enumerate() {
        let literal = Literal::Splat { value, ty: ty("f32[1]") };
        let value = add(&mut graph, Op::Constant(literal), &[]);
        graph.add_output(&index.to_string(), value);
    }
    let values: Vec<u32> =
        all_primitive(&graph).outputs.iter().map(|output| output.value().0).collect();
    assert_eq!(values, [0, 1, 0, 2, 2]);
}

#[test]
fn an_ill_formed_graph_is_refused() {
    let mut graph = decoder(&[None]);
    graph.nodes.swap(4, 5);
    assert!(decompose(&graph, |_| false).is_err());
}
