//! Steps of whole models, as phase programs take them.

use std::collections::HashMap;
use std::sync::Arc;

use tyto_checkpoint::Checkpoint;
use tyto_frontend::testing::SLOTS;
use tyto_frontend::{WeightUse, materialize};
use tyto_graph::interpreter::Tensor;
use tyto_phase_program::Program;

use crate::sketch::Arguments;

/// The weights one behind the other, and where each of them is.
pub fn weight_file(
    checkpoint: &Checkpoint,
    weights: &[WeightUse],
) -> (Vec<u8>, HashMap<Arc<str>, u64>) {
    let (mut bytes, mut places) = (Vec::new(), HashMap::new());
    for weight in weights {
        bytes.resize(bytes.len().next_multiple_of(64), 0);
        places.insert(weight.name.clone(), bytes.len() as u64);
        bytes.extend(materialize(checkpoint, weight).expect("the weight is there"));
    }
    (bytes, places)
}

/// Blocks of a cache that slots of recurrent layers take, before all others.
pub fn slot_blocks(program: &Program) -> usize {
    (SLOTS as u64 * program.slot_bytes).div_ceil(program.block_bytes.max(1)) as usize
}

/// The arguments of a step that a pool gives, whose tables have `pages` blocks for a sequence. Only the
/// first `wanted` rows are sampled.
pub fn arguments(
    inputs: &HashMap<String, Tensor>,
    program: &Program,
    pages: usize,
    wanted: usize,
) -> Arguments {
    let integers = |name: &str| -> Vec<i32> {
        let numbers = inputs[name].as_integers().expect("integers");
        numbers.iter().map(|number| *number as i32).collect()
    };
    let block = |block: &i32| block + slot_blocks(program) as i32;
    let (states, tables, places) = (integers("states"), integers("tables"), integers("slots"));
    let rows = tables.chunks(pages).zip(&states).flat_map(|(blocks, state)| {
        let state = (program.slot_bytes > 0).then_some(*state);
        blocks.iter().map(block).chain(state)
    });
    let mut arguments = Arguments {
        tokens: integers("tokens"),
        positions: integers("positions"),
        lengths: integers("lengths"),
        slots: places.chunks(2).flat_map(|pair| [block(&pair[0]), pair[1]]).collect(),
        tables: rows.collect(),
        sampled: integers("sampled"),
    };
    arguments.sampled[wanted..].fill(-1);
    arguments
}

/// The largest difference relative to the largest expected value.
pub fn difference(found: &[f32], expected: &[f32]) -> f32 {
    let largest = expected.iter().fold(0f32, |most, value| most.max(value.abs()));
    let pairs = found.iter().zip(expected);
    pairs.fold(0f32, |most, (a, b)| {
        let difference = (a - b).abs() / largest;
        if difference.is_nan() { f32::INFINITY } else { most.max(difference) }
    })
}
