//! What body each composite op got, for the report and the manifest.

use tyto_artifact::{Choice, KernelChoice};
use tyto_frontend::{LoadedModel, WeightUse};
use tyto_graph::{BlockCode, DType, Graph, Layout, Op};
use tyto_kernel_spec::{
    LinearBody, Target, linear, native_gpu_linear, native_linear, native_reason,
};

/// One line for each distinct op of a graph whose ops are decomposed.
pub(crate) fn decomposed(graph: &Graph, target: Target) -> Vec<KernelChoice> {
    of_graph(graph, |op, format, columns| {
        let reason = match op {
            Op::Linear { .. } => linear(target, columns, format).reason,
            Op::Embedding { layout: Layout::Tiled { .. }, .. } => "a gather from the tiled matrix",
            Op::PagedAttention(_) => "gathered blocks, two products and a masked softmax",
            Op::ExpertLinear { .. } => "slow: every expert multiplies every token",
            _ => "fused by the compiler",
        };
        (Choice::Decomposed, reason.to_owned())
    })
}

/// One line for each distinct op of a graph that became a phase program.
pub(crate) fn native(graph: &Graph, target: Target) -> Vec<KernelChoice> {
    of_graph(graph, |op, format, columns| {
        let reason = match op {
            Op::Linear { layout: Layout::Blocks(blocks), .. } => match blocks.code {
                BlockCode::E4M3 => "a kernel of ours over blocks of 8-bit floats",
                _ => "a kernel of ours over blocks of codes, activations in int8",
            },
            Op::Linear { .. } => {
                native_body(target, columns, format).map_or("", |body| body.reason)
            }
            Op::HeadLinear { .. } => "a kernel of ours over each head's matrix",
            Op::ExpertLinear { .. } => {
                "a kernel of ours over each expert's matrix, its rows side by side"
            }
            _ => native_reason(op.name(), target),
        };
        (Choice::Native, reason.to_owned())
    })
}

/// The native body of a plain matrix.
pub(crate) fn native_body(
    target: Target,
    columns: usize,
    dtype: DType,
) -> Result<LinearBody, &'static str> {
    match target.is_gpu() {
        true => native_gpu_linear(columns, dtype),
        false => native_linear(columns, dtype),
    }
}

/// One line for each format whose weights lose something: they are stored in one and computed in
/// another that does not hold all of its values.
pub(crate) fn converted(model: &LoadedModel, weights: &[WeightUse]) -> Vec<KernelChoice> {
    let mut choices: Vec<KernelChoice> = Vec::new();
    let rounded = |weight: &&WeightUse| {
        !matches!(weight.layout, Layout::Blocks(_)) && weight.dtype != DType::F32
    };
    for weight in weights.iter().filter(rounded) {
        let dtype = weight.dtype.name();
        let stored = model.stored_formats(weight).into_iter();
        for format in stored.filter(|format| !format.eq_ignore_ascii_case(dtype)) {
            match choices.iter_mut().find(|choice| choice.format == format && choice.shape == dtype)
            {
                Some(choice) => choice.count += 1,
                None => choices.push(KernelChoice {
                    op: "weight".to_owned(),
                    format: format.to_owned(),
                    shape: dtype.to_owned(),
                    count: 1,
                    body: Choice::Converted,
                    reason: format!("decoded and rounded to the nearest {dtype}"),
                }),
            }
        }
    }
    choices
}

fn of_graph(
    graph: &Graph,
    body: impl Fn(&Op, DType, usize) -> (Choice, String),
) -> Vec<KernelChoice> {
    let mut choices: Vec<KernelChoice> = Vec::new();
    for node in graph.nodes.iter().filter(|node| node.op.is_composite()) {
        let weight = node.operands.iter().map(|operand| graph.node(*operand));
        let weight = weight.into_iter().find(|node| matches!(node.op, Op::Weight { .. }));
        let dtype = weight.map_or(node.ty.dtype, |node| node.ty.dtype);
        let format = match &node.op {
            Op::Linear { layout: Layout::Blocks(blocks), .. }
            | Op::ExpertLinear { layout: Layout::Blocks(blocks), .. }
            | Op::HeadLinear { layout: Layout::Blocks(blocks), .. }
            | Op::Embedding { layout: Layout::Blocks(blocks), .. } => blocks.to_string(),
            _ => dtype.name().to_owned(),
        };
        let columns = node.operands.first().map_or(1, |operand| columns(graph, *operand));
        let shape = match &node.op {
            Op::Linear { rows, .. } => format!("{rows}x{columns}"),
            Op::ExpertLinear { experts, rows, .. } => format!("{experts} of {rows}x{columns}"),
            Op::HeadLinear { rows, .. } => format!("{rows}x{columns} a head"),
            _ => node.ty.shape.to_string(),
        };
        let (body, reason) = body(&node.op, dtype, columns);
        let same = |choice: &&mut KernelChoice| {
            choice.op == node.op.name() && choice.shape == shape && choice.format == format
        };
        match choices.iter_mut().find(same) {
            Some(choice) => choice.count += 1,
            None => choices.push(KernelChoice {
                op: node.op.name().to_owned(),
                format,
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
