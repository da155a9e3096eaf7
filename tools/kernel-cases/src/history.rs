//! Sequences that go through a recurrent layer in several steps, and what the interpreter makes of each.

use std::collections::HashMap;
use std::fmt::Display;

use tyto_graph::DType;
use tyto_graph::interpreter::Tensor;
use tyto_phase_program::StepSizes;

use crate::random::Random;
use crate::recurrent::{Layer, Recurrent, SLOTS, put, table};
use crate::sketch::{Arguments, Sketch};

/// Values of extreme layers.
pub const MAGNITUDES: [f32; 4] = [1e-30, 1e-10, 1e10, 1e25];

/// A step, and what comes of it.
pub struct Step {
    pub sketch: Sketch,
    pub arguments: Arguments,
    pub expected: Expected,
}

/// The interpreter's results for the rows of a step that are no padding.
pub struct Expected {
    results: Vec<f32>,
    /// What differences are relative to.
    largest: f32,
    /// The layer and the step.
    what: String,
}

impl Expected {
    /// Panics where a result of `run` differs by more than sums of f32 may.
    pub fn check(&self, found: &[f32], run: impl Display) {
        let Self { results, largest, what } = self;
        assert!(found.len() >= results.len(), "{what}: {} results\n{run}", found.len());
        for (index, (found, expected)) in found.iter().zip(results).enumerate() {
            assert!(
                (found - expected).abs() <= 2e-5 * largest,
                "{what}: result {index} is {found}, not {expected}\n{run}"
            );
        }
    }
}

/// `count` steps of random shapes, each a part of a prompt of one sequence or a token of many, which go
/// on with one another. Slots hold NaN before.
pub fn history(recurrent: &Recurrent, random: &mut Random, count: usize) -> Vec<Step> {
    let Recurrent { layer, magnitude, .. } = recurrent;
    let slots = random.order(SLOTS).into_iter().map(|slot| slot as i32).collect();
    let mut sequences = Sequences { next: vec![0; SLOTS], slots };
    let mut state = unwritten(layer);
    let mut steps = Vec::with_capacity(count);
    for step in 0..count {
        let (sizes, mut arguments) = sequences.step(random, recurrent.tokens());
        let sketch = recurrent.sketch(sizes);
        let states = HashMap::from([("state".to_owned(), state)]);
        let (mut results, mut states) = sketch.interpreted(&arguments, states);
        state = states.remove("state").expect("a state");
        let real = arguments.positions.iter().filter(|position| **position >= 0).count();
        arguments.sampled[real..].fill(-1);
        results.truncate(real * sketch.width());
        let largest = results.iter().fold(*magnitude, |most, value| most.max(value.abs()));
        let what = format!("{layer:?} of about {magnitude:e}, {sizes:?}, step {step}");
        steps.push(Step { sketch, arguments, expected: Expected { results, largest, what } });
    }
    steps
}

/// Where sequences stand: the next position of each, and its slot.
struct Sequences {
    next: Vec<usize>,
    slots: Vec<i32>,
}

impl Sequences {
    /// A step of a random shape with tokens below `tokens`.
    fn step(&mut self, random: &mut Random, tokens: usize) -> (StepSizes, Arguments) {
        let prompt = random.one_of(2);
        let cells = random.pick(if prompt { &[2, 9, 17, 40] } else { &[1, 3, 8, 12] });
        let (batch, each) = if prompt { (1, cells) } else { (cells, 1) };
        let used = 1 + random.below(cells);
        let order = random.order(SLOTS);
        let mut arguments = Arguments::counted(cells);
        arguments.tables.clear();
        for (row, &sequence) in order.iter().enumerate().take(batch) {
            arguments.tables.extend(table(sequence, self.slots[sequence]));
            for token in 0..each {
                let cell = row * each + token;
                arguments.tokens[cell] = random.below(tokens) as i32;
                let real = cell < used;
                arguments.positions[cell] = -1;
                if real {
                    put(&mut arguments, cell, sequence, self.next[sequence]);
                }
                self.next[sequence] += usize::from(real);
            }
        }
        (StepSizes { batch, tokens: each, rows: cells }, arguments)
    }
}

/// The state of a layer before anybody has written to it.
fn unwritten(layer: &Layer) -> Tensor {
    let shape = [&[SLOTS], &layer.slot()[..]].concat();
    let count = shape.iter().product();
    Tensor::floats(DType::F32, shape, vec![f32::NAN; count]).expect("sizes fit")
}
