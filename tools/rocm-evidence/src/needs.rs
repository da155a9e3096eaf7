//! What a step cannot do without, from its graph alone: bytes of weights, cache and states, and
//! multiply-adds.

use std::collections::HashMap;
use std::sync::Arc;

use tyto_graph::{Dim, Graph, Op, RecurrentResult, ValueId};

/// Bytes and multiply-adds of one step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Needs {
    /// Weights that the step reads, without the head: of experts those that a token has, of tables
    /// a row.
    pub weights: f64,
    /// The head, all rows of it.
    pub head: f64,
    /// Keys and values that are visible, and states.
    pub cache: f64,
}

/// Bytes that one token of one sequence needs at position `context - 1`.
pub fn of_token(graph: &Graph, context: usize) -> Needs {
    let mut needs = Needs::default();
    let mut weights: HashMap<Arc<str>, f64> = HashMap::new();
    let mut head = None;
    for node in &graph.nodes {
        for operand in &node.operands {
            let Op::Weight { name, .. } = &graph.node(*operand).op else { continue };
            let whole = bytes(graph, *operand);
            let read = match &node.op {
                Op::ExpertLinear { experts, .. } => {
                    whole * last(graph, node.operands[2]) as f64 / *experts as f64
                }
                Op::Embedding { rows, .. } => whole / *rows as f64,
                Op::Take => bytes_of(&node.ty),
                _ => whole,
            };
            let most = weights.entry(name.clone()).or_default();
            *most = most.max(read);
            if matches!(node.op, Op::Linear { .. }) {
                head = Some(name.clone());
            }
        }
        needs.cache += cache_bytes(graph, node, context);
    }
    needs.head = head.and_then(|head| weights.remove(&head)).unwrap_or(0.0);
    needs.weights = weights.values().sum();
    needs
}

/// Bytes of the cache or of a state that an op reads.
fn cache_bytes(graph: &Graph, node: &tyto_graph::Node, context: usize) -> f64 {
    match &node.op {
        Op::PagedAttention(attrs) => {
            let keys = node.operands[1];
            let sizes = sizes(graph, keys);
            let row: usize = sizes[2..].iter().product();
            let seen = attrs.window.map_or(context, |window| window.min(context));
            2.0 * (seen * row * graph.ty(keys).dtype.bytes()) as f64
        }
        op if op.recurrent() == Some(RecurrentResult::Output) => {
            let state = state_of(node);
            let elements: usize = sizes(graph, state)[1..].iter().product();
            (elements * graph.ty(state).dtype.bytes()) as f64
        }
        _ => 0.0,
    }
}

/// Multiply-adds of one prompt's attentions, in order: scores and sums of values, of visible keys.
pub fn attentions(graph: &Graph, tokens: usize) -> Vec<u64> {
    let of = |node: &tyto_graph::Node| {
        let Op::PagedAttention(attrs) = &node.op else { return None };
        let sizes = sizes(graph, node.operands[0]);
        let seen = |token: usize| attrs.window.map_or(token + 1, |window| window.min(token + 1));
        let pairs: usize = (0..tokens).map(seen).sum();
        Some(2 * (pairs * sizes[1] * sizes[2]) as u64)
    };
    graph.nodes.iter().filter_map(of).collect()
}

/// Multiply-adds of one prompt's recurrences, in order: convolutions, and scans (decay, update and
/// output of each element of a state).
pub fn recurrences(graph: &Graph, tokens: usize) -> Vec<u64> {
    let of = |node: &tyto_graph::Node| {
        if node.op.recurrent() != Some(RecurrentResult::Output) {
            return None;
        }
        let each: usize = match &node.op {
            Op::CausalConv(_) => sizes(graph, node.operands[1]).iter().product(),
            _ => 3 * sizes(graph, state_of(node))[1..].iter().product::<usize>(),
        };
        Some((each * tokens) as u64)
    };
    graph.nodes.iter().filter_map(of).collect()
}

/// The state that a recurrent op reads: the last operand but two, before the bias of a convolution.
fn state_of(node: &tyto_graph::Node) -> ValueId {
    match &node.op {
        Op::CausalConv(_) => node.operands[2],
        _ => node.operands[node.operands.len() - 3],
    }
}

/// The bytes of a value.
pub fn bytes(graph: &Graph, value: ValueId) -> f64 {
    bytes_of(graph.ty(value))
}

fn bytes_of(ty: &tyto_graph::TensorType) -> f64 {
    (ty.shape.elements_bound().unwrap_or(0) * ty.dtype.bytes()) as f64
}

fn sizes(graph: &Graph, value: ValueId) -> Vec<usize> {
    graph.ty(value).shape.dims().iter().map(Dim::bound).collect()
}

fn last(graph: &Graph, value: ValueId) -> usize {
    sizes(graph, value).last().copied().unwrap_or(1)
}
