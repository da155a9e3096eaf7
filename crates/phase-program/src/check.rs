//! What a plan would otherwise leave out without a word.

use std::collections::HashSet;

use tyto_graph::{AttentionAttrs, Graph, Op, Output, ValueId};

use crate::error::Unsupported;

/// The kernels return the logits and the cache: one result, and states that an attention or a
/// recurrence updates, which `appended` says, or nothing does.
pub(crate) fn outputs(graph: &Graph, appended: &HashSet<ValueId>) -> Result<(), Unsupported> {
    let mut results = 0;
    for output in &graph.outputs {
        let value = output.value();
        let node = graph.node(value);
        match output {
            Output::Plain { .. } => results += 1,
            Output::Updated { .. } if appended.contains(&value) => {}
            Output::Updated { .. } if matches!(node.op, Op::Input { .. }) => {}
            Output::Updated { .. } => {
                return Err(Unsupported::new(
                    value,
                    node,
                    "a cache that no attention reads, or a state that no recurrence of this step does",
                ));
            }
        }
        if results > 1 {
            return Err(Unsupported::new(value, node, "a second result"));
        }
    }
    Ok(())
}

/// In the kernels, 0 stands for no window and for no cap. They have no slopes and no chunks.
pub(crate) fn attention(attrs: &AttentionAttrs) -> Result<(), &'static str> {
    if attrs.alibi.is_some() {
        return Err("linear biases of scores (ALiBi)");
    }
    if attrs.chunk.is_some() {
        return Err("attention within chunks of positions");
    }
    match (attrs.window, attrs.soft_cap) {
        (Some(0), _) => Err("a window of no positions"),
        (_, Some(cap)) if cap.is_nan() || cap <= 0.0 => Err("a soft cap that is not positive"),
        _ => Ok(()),
    }
}
