//! Composite ops rewritten as primitives.
//!
//! Each composite has one decomposition, which is also its meaning for every target that
//! has no kernel for it. Equal nodes are shared, so that what all layers have in common
//! (rotary angles, attention masks, constants) is computed once a step.

mod attention;
mod builder;
mod erf;
mod experts;
mod kv;
mod matrix;
mod rope;

use crate::dtype::Layout;
use crate::graph::{Graph, Input, Node, Output, ValueId};
use crate::infer::InferError;
use crate::op::{Op, Unary};
use crate::verify::VerifyError;
use builder::Builder;

/// A graph that computes the same outputs from the same inputs, without the composite ops
/// that `keep` does not name, without dead nodes, and with equal nodes shared.
///
/// Inputs, outputs and state keep their names, order and types. The result has passed
/// [`Graph::verify_decomposed`].
///
/// Errors: `graph` does not verify; it reads a weight in blocks, or goes through tokens one after the
/// other, which have no decomposition, by an op that `keep` does not name.
pub fn decompose(graph: &Graph, keep: impl Fn(&Op) -> bool) -> Result<Graph, VerifyError> {
    graph.verify()?;
    refuse_blocks(graph, &keep)?;
    refuse_recurrences(graph, &keep)?;
    let mut builder = Builder::new(&graph.name);
    let mut values = vec![None; graph.nodes.len()];
    for input in &graph.inputs {
        values[input.value.index()] =
            Some(builder.input(&input.name, input.ty.clone(), input.kind));
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        if values[index].is_none() {
            let operands: Vec<ValueId> =
                node.operands.iter().map(|operand| mapped(&values, *operand)).collect();
            let value = rewrite(&mut builder, &node.op, &operands, &keep).map_err(|source| {
                let value = ValueId(index as u32);
                VerifyError::Constraint { graph: graph.name.clone(), value, source }
            })?;
            values[index] = Some(value);
        }
    }
    let mut result = builder.finish();
    result.outputs = graph.outputs.iter().map(|output| remap(output, &values)).collect();
    let result = without_dead_nodes(&result);
    result.verify_decomposed(keep)?;
    Ok(result)
}

/// Names the first weight whose layout no primitive op reads.
fn refuse_blocks(graph: &Graph, keep: &impl Fn(&Op) -> bool) -> Result<(), VerifyError> {
    for node in &graph.nodes {
        let (layout, weight) = match (&node.op, &node.operands[..]) {
            (Op::Linear { layout: Layout::Blocks(layout), .. }, [_, w]) => (layout, *w),
            (Op::ExpertLinear { layout: Layout::Blocks(layout), .. }, [_, w, _]) => (layout, *w),
            (Op::HeadLinear { layout: Layout::Blocks(layout), .. }, [_, w]) => (layout, *w),
            (Op::Embedding { layout: Layout::Blocks(layout), .. }, [w, _]) => (layout, *w),
            _ => continue,
        };
        if keep(&node.op) {
            continue;
        }
        let weight = match &graph.node(weight).op {
            Op::Weight { name, .. } => name.to_string(),
            _ => weight.to_string(),
        };
        let (graph, op, layout) = (graph.name.clone(), node.op.name(), layout.to_string());
        return Err(VerifyError::NoDecomposition { graph, op, weight, layout });
    }
    Ok(())
}

/// Names the first op that goes through tokens one after the other, as no primitive op does.
fn refuse_recurrences(graph: &Graph, keep: &impl Fn(&Op) -> bool) -> Result<(), VerifyError> {
    let left = graph.nodes.iter().find(|node| node.op.recurrent().is_some() && !keep(&node.op));
    match left {
        None => Ok(()),
        Some(node) => {
            Err(VerifyError::Recurrence { graph: graph.name.clone(), op: node.op.name() })
        }
    }
}

/// Adds what `op` stands for.
fn rewrite(
    builder: &mut Builder,
    op: &Op,
    operands: &[ValueId],
    keep: &impl Fn(&Op) -> bool,
) -> Result<ValueId, InferError> {
    if op.is_composite() && keep(op) {
        return builder.add(op.clone(), operands);
    }
    match (op, operands) {
        (Op::Linear { layout, rows }, [x, w]) => matrix::linear(builder, *layout, *rows, *x, *w),
        (Op::Embedding { layout, .. }, [w, ids]) => matrix::embedding(builder, *layout, *w, *ids),
        (Op::RmsNorm { epsilon, offset }, [x, w]) => {
            matrix::rms_norm(builder, *epsilon, *offset, *x, *w)
        }
        (Op::LayerNorm { epsilon, offset }, [x, w]) => {
            matrix::layer_norm(builder, *epsilon, *offset, *x, *w)
        }
        (Op::Unary(Unary::Erf), [x]) => erf::erf(builder, *x),
        (Op::RopeAngles(table), [positions, lengths @ ..]) => {
            rope::angles(builder, table, *positions, lengths.first().copied())
        }
        (Op::Rope, [x, angles]) => rope::rope(builder, *x, *angles),
        (Op::MaskedSoftmax, [scores, mask]) => {
            attention::masked_softmax(builder, *scores, *mask, None)
        }
        (Op::QuantizeKv(code), [x]) => kv::quantize(builder, *code, *x),
        (Op::PagedAttention(attrs), [q, keys, values, tables, positions, sinks @ ..]) => {
            let operands = attention::Operands {
                q: *q,
                keys: *keys,
                values: *values,
                tables: *tables,
                positions: *positions,
                sinks: sinks.first().copied(),
            };
            attention::paged_attention(builder, attrs, &operands)
        }
        (Op::TopK { k, groups }, [scores]) => experts::top_k(builder, *k, *groups, *scores),
        (Op::TakeAlong, [x, ids]) => experts::take_along(builder, *x, *ids),
        (Op::HeadLinear { layout, rows }, [x, w]) => {
            experts::head_linear(builder, *layout, *rows, *x, *w)
        }
        (Op::ExpertLinear { layout, experts, rows }, [x, w, ids]) => {
            experts::expert_linear(builder, *layout, [*experts, *rows], [*x, *w, *ids])
        }
        (Op::WeightedSum, [x, weights]) => experts::weighted_sum(builder, *x, *weights),
        _ => builder.add(op.clone(), operands),
    }
}

fn mapped(values: &[Option<ValueId>], value: ValueId) -> ValueId {
    values[value.index()].expect("a verified graph defines values before their use")
}

fn remap(output: &Output, values: &[Option<ValueId>]) -> Output {
    let value = mapped(values, output.value());
    match output {
        Output::Plain { name, .. } => Output::Plain { name: name.clone(), value },
        Output::Updated { input, .. } => Output::Updated { input: *input, value },
    }
}

/// Keeps the inputs and what the outputs need.
fn without_dead_nodes(graph: &Graph) -> Graph {
    let mut live = vec![false; graph.nodes.len()];
    let roots = graph.outputs.iter().map(Output::value);
    for root in roots.chain(graph.inputs.iter().map(|input| input.value)) {
        live[root.index()] = true;
    }
    for index in (0..graph.nodes.len()).rev() {
        if live[index] {
            for operand in &graph.nodes[index].operands {
                live[operand.index()] = true;
            }
        }
    }
    let mut values = vec![None; graph.nodes.len()];
    let mut result = Graph::new(graph.name.clone());
    for (index, node) in graph.nodes.iter().enumerate().filter(|(index, _)| live[*index]) {
        values[index] = Some(ValueId(result.nodes.len() as u32));
        let operands = node.operands.iter().map(|operand| mapped(&values, *operand)).collect();
        result.nodes.push(Node { op: node.op.clone(), operands, ty: node.ty.clone() });
    }
    result.inputs = (graph.inputs.iter())
        .map(|input| Input { value: mapped(&values, input.value), ..input.clone() })
        .collect();
    result.outputs = graph.outputs.iter().map(|output| remap(output, &values)).collect();
    result
}
