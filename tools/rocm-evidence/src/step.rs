//! One step of a synthetic checkpoint: traced, planned for a GPU, and its weights placed.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use tyto_checkpoint::Checkpoint;
use tyto_frontend::{StepShape, TraceOptions};
use tyto_graph::{DType, Graph, Layout, Op};
use tyto_phase_program::{GpuOptions, Program, StepSizes, plan_for_gpu};

use crate::needs::bytes;
use crate::shapes::Shape;

/// Tokens in a page of the cache.
pub const PAGE: usize = 16;

/// A planned step.
pub struct Step {
    /// What it computes.
    pub graph: Graph,
    /// How kernels do it.
    pub program: Program,
    /// Bytes of the weight file.
    pub file_bytes: u64,
    /// Tokens of the step.
    pub tokens: usize,
    /// Positions that the tables span.
    pub context: usize,
    /// Rows of logits' width.
    pub vocabulary: usize,
}

/// Plans a step of `tokens` tokens of one sequence for the model with so many layers.
pub fn plan(
    shape: &Shape,
    [layers, vocabulary]: [usize; 2],
    [tokens, context]: [usize; 2],
) -> Result<Step> {
    let folder = tempfile::tempdir().context("a temporary folder")?;
    let (config, tensors) = (shape.checkpoint)(layers, vocabulary);
    tensors.write(folder.path(), &config)?;
    let graph = trace(shape, folder.path(), [tokens, context])
        .with_context(|| format!("{} with {layers} layers", shape.name))?;
    let (file_bytes, places) = places(&graph);
    let sizes = StepSizes { batch: 1, tokens, rows: 1 };
    let program = plan_for_gpu(&graph, sizes, &places, GpuOptions::default())
        .map_err(|why| anyhow!("{}: {why}", shape.name))?;
    Ok(Step { graph, program, file_bytes, tokens, context, vocabulary })
}

fn trace(shape: &Shape, folder: &Path, [tokens, context]: [usize; 2]) -> Result<Graph> {
    let checkpoint = Checkpoint::open(folder)?;
    let model = tyto_frontend::open(&checkpoint)?;
    // As `tyto compile` has it for GPUs.
    let options = TraceOptions {
        weight_dtype: shape.dtype,
        kv_type: DType::F16.into(),
        block_size: PAGE,
        max_blocks: context / PAGE + 1,
        layout: |_, _, _| Layout::Tiled { n: 16, k: 8 },
        fuse_siblings: true,
        keep_blocks: true,
    };
    let step = StepShape { batch: 1, tokens, context, rows: 1 };
    Ok(model.trace("step", &step, &options)?.graph)
}

/// Where each weight is in the file, and how long that is. A product reads no other matrix, so
/// matrices of one size stand at one place: what is counted is counted launch by launch.
fn places(graph: &Graph) -> (u64, HashMap<Arc<str>, u64>) {
    let mut shared = vec![false; graph.nodes.len()];
    for node in &graph.nodes {
        for (at, operand) in node.operands.iter().enumerate() {
            let product = matches!(node.op, Op::Linear { .. } | Op::ExpertLinear { .. });
            shared[operand.index()] = product && at == 1;
        }
    }
    let (mut end, mut places) = (0u64, HashMap::new());
    let mut by_size: HashMap<u64, u64> = HashMap::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        let Op::Weight { name, .. } = &node.op else { continue };
        let size = bytes(graph, tyto_graph::ValueId(index as u32)) as u64;
        let place = match by_size.get(&size) {
            Some(place) if shared[index] => *place,
            _ => end,
        };
        if place == end {
            end = (end + size).next_multiple_of(64);
        }
        if shared[index] {
            by_size.insert(size, place);
        }
        places.insert(name.clone(), place);
    }
    (end, places)
}
