//! What body each composite op got, for the report and the manifest.

use tyto_artifact::{Choice, KernelChoice};
use tyto_graph::{Graph, Layout, Op};
use tyto_kernel_spec::{Target, linear};

/// One line for each distinct op of `graph`.
pub(crate) fn of_graph(graph: &Graph, target: Target) -> Vec<KernelChoice> {
    let mut choices: Vec<KernelChoice> = Vec::new();
    for node in graph.nodes.iter().filter(|node| node.op.is_composite()) {
        let weight = node.operands.iter().map(|operand| graph.node(*operand));
        let weight = weight.into_iter().find(|node| matches!(node.op, Op::Weight { .. }));
        let format = weight.map_or(node.ty.dtype, |node| node.ty.dtype);
        let shape = match (&node.op, weight) {
            (Op::Linear { rows, .. }, _) => format!("{rows}x{}", columns(graph, node.operands[0])),
            _ => node.ty.shape.to_string(),
        };
        let (body, reason) = body(&node.op, target, format, columns(graph, node.operands[0]));
        let same =
            |choice: &&mut KernelChoice| choice.op == node.op.name() && choice.shape == shape;
        match choices.iter_mut().find(same) {
            Some(choice) => choice.count += 1,
            None => choices.push(KernelChoice {
                op: node.op.name().to_owned(),
                format: format.name().to_owned(),
                shape,
                count: 1,
                body,
                reason,
            }),
        }
    }
    choices
}

fn columns(graph: &Graph, value: tyto_graph::ValueId) -> usize {
    graph.ty(value).shape.dims().last().map_or(1, tyto_graph::Dim::bound)
}

fn body(op: &Op, target: Target, format: tyto_graph::DType, columns: usize) -> (Choice, String) {
    let reason = match op {
        Op::Linear { .. } => linear(target, columns, format).reason,
        Op::Embedding { layout: Layout::Tiled { .. }, .. } => "a gather from the tiled matrix",
        Op::PagedAttention(_) => "gathered blocks, two products and a masked softmax",
        _ => "fused by the compiler",
    };
    (Choice::Decomposed, reason.to_owned())
}
