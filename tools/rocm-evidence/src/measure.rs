//! Figures of a model: emulated with one and with two runs of its layers and two small
//! vocabularies, the rest by arithmetic.
//!
//! The last launch of a step is the head, whose work grows evenly with the vocabulary. What two runs
//! of layers take beyond one is what each further run takes. Where runs are of two kinds, a third model
//! says what one of the other kind takes beyond the first.

use anyhow::{Result, ensure};
use tyto_phase_program::abi::PhaseKind;
use tyto_rdna_emu::{Class, Counts};

use crate::emulated::{self, Done, Extent};
use crate::needs::{self, Needs};
use crate::shapes::Shape;
use crate::step::{self, Step};

/// Rows of the head in the two emulated models: whole tiles for all workgroups of a product.
const VOCABULARIES: [usize; 2] = [2560, 5120];

/// Multiply-adds of one matrix instruction of a wave: 16 × 16 × 16.
const MATRIX: f64 = 4096.0;

/// What one token takes in decode.
#[derive(Clone, Copy, Debug, Default)]
pub struct Token {
    /// Launches.
    pub launches: f64,
    /// Launches of a layer, on average over a run.
    pub layer_launches: f64,
    /// Bytes that each launch reads at least once.
    pub unique_read: f64,
    /// The same of written ones.
    pub unique_written: f64,
    /// Bytes of all loads of all lanes.
    pub read: f64,
    /// Instructions of all waves.
    pub instructions: f64,
    /// Weights that a token needs, the head included.
    pub weights: f64,
    /// Keys, values and states that it needs.
    pub cache: f64,
}

/// What a prompt takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prompt {
    /// Tokens.
    pub tokens: usize,
    /// Multiply-adds of products, attention and recurrences.
    pub multiply_adds: f64,
    /// Those of them that matrix instructions do.
    pub in_matrix: f64,
    /// Launches.
    pub launches: f64,
}

impl Prompt {
    /// The part of multiply-adds in matrix instructions.
    pub fn part(&self) -> f64 {
        self.in_matrix / self.multiply_adds
    }
}

/// Figures that add up.
type Sums = [f64; 8];

/// Emulates one token at the end of `context`. Also gives the launches of the smallest model.
pub fn token(shape: &Shape, context: usize, threads: usize) -> Result<(Token, Vec<String>)> {
    let mut found = Vec::new();
    let mut launches = Vec::new();
    for sizes in sizes(shape) {
        let step = step::plan(shape, sizes, [1, context])?;
        let done = emulated::run(&step, Extent::Whole, threads)?;
        let Needs { weights, head: of_head, cache } = needs::of_token(&step.graph, context);
        let (head, body) = done.split_last().expect("a step has launches");
        let mut of_body = Sums::default();
        for done in body {
            add(&mut of_body, of_counts(done.counts));
        }
        add(&mut of_body, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, weights, cache]);
        let mut last = of_counts(head.counts);
        last[6] = of_head;
        found.push((of_body, last));
        if launches.is_empty() {
            launches = lines(&step, &done);
        }
    }
    let layer_launches = further(shape, &found, 0, [shape.runs, 0]) / shape.layers() as f64;
    let total = extrapolated(shape, &found);
    let [launched, unique_read, unique_written, read, instructions, _, weights, cache] = total;
    let token = Token {
        launches: launched,
        layer_launches,
        unique_read,
        unique_written,
        read,
        instructions,
        weights,
        cache,
    };
    Ok((token, launches))
}

/// Layers of each emulated model.
pub fn emulated_layers(shape: &Shape) -> Vec<usize> {
    sizes(shape).into_iter().map(|[layers, _]| layers).collect()
}

/// Layers and rows of the head of each emulated model.
fn sizes(shape: &Shape) -> Vec<[usize; 2]> {
    let [small, large] = VOCABULARIES;
    let other = shape.other.map(|other| [shape.run + other.layers, small]);
    [[shape.run, small], [2 * shape.run, large]].into_iter().chain(other).collect()
}

/// Launches of a layer in decode, on average, as they are planned.
pub fn planned_layer_launches(shape: &Shape, context: usize) -> Result<f64> {
    let launches = sizes(shape).into_iter().map(|sizes| -> Result<(Sums, Sums)> {
        let mut body = Sums::default();
        body[0] = step::plan(shape, sizes, [1, context])?.program.launches.len() as f64;
        Ok((body, Sums::default()))
    });
    let launches = launches.collect::<Result<Vec<_>>>()?;
    Ok(further(shape, &launches, 0, [shape.runs, 0]) / shape.layers() as f64)
}

/// The launches of one token in the last of the emulated models: kernel and phase, line by line.
pub fn planned(shape: &Shape, context: usize) -> Result<String> {
    let [layers, rows] = *sizes(shape).last().expect("two models or three");
    let program = step::plan(shape, [layers, rows], [1, context])?.program;
    let phases = program.to_string();
    let lines = program.launches.iter().zip(phases.lines());
    Ok(lines.map(|(launch, phase)| format!("  {:20} {phase}\n", launch.kernel)).collect())
}

/// Emulates a part of each launch of a prompt of `tokens` tokens.
pub fn prompt(shape: &Shape, tokens: usize, threads: usize) -> Result<Prompt> {
    ensure!(tokens.is_multiple_of(step::PAGE), "a prompt of {tokens} tokens is not whole pages");
    let mut found = Vec::new();
    for sizes in sizes(shape) {
        let step = step::plan(shape, sizes, [tokens, tokens])?;
        let done = emulated::run(&step, Extent::Sampled, threads)?;
        let of = matrix_parts(&step, &done);
        let (head, body) = of.split_last().expect("a step has launches");
        let mut sums = Sums::default();
        body.iter().for_each(|part| add(&mut sums, *part));
        found.push((sums, *head));
    }
    let [launches, multiply_adds, in_matrix, ..] = extrapolated(shape, &found);
    Ok(Prompt { tokens, multiply_adds, in_matrix, launches })
}

/// Of each launch: 1, its multiply-adds, and those that its matrix instructions can have done.
fn matrix_parts(step: &Step, done: &[Done]) -> Vec<Sums> {
    let mut attentions = needs::attentions(&step.graph, step.tokens).into_iter();
    let mut recurrences = needs::recurrences(&step.graph, step.tokens).into_iter();
    let of = |(phase, done): (usize, &Done)| {
        let wanted = match step.program.kind(step.program.launches[phase].phase as usize) {
            PhaseKind::Prefill => attentions.next().unwrap_or(0),
            PhaseKind::Conv | PhaseKind::Scan => recurrences.next().unwrap_or(0),
            _ => step.program.product_multiply_adds(step.program.launches[phase].phase as usize),
        } as f64;
        let done = done.counts.of(Class::Matrix) as f64 * done.scale * MATRIX;
        [1.0, wanted, wanted.min(done), 0.0, 0.0, 0.0, 0.0, 0.0]
    };
    done.iter().enumerate().map(of).collect()
}

fn of_counts(counts: Counts) -> Sums {
    [
        1.0,
        counts.unique_read_bytes as f64,
        counts.unique_written_bytes as f64,
        counts.read_bytes as f64,
        counts.total() as f64,
        0.0,
        0.0,
        0.0,
    ]
}

/// One run, all further ones, and the whole head: of the bodies and heads of the emulated models.
fn extrapolated(shape: &Shape, found: &[(Sums, Sums)]) -> Sums {
    let [small, large] = VOCABULARIES.map(|rows| rows as f64);
    let rows = (shape.vocabulary as f64 - small) / (large - small);
    let (body, head) = found[0];
    let mut total = Sums::default();
    for (index, sum) in total.iter_mut().enumerate() {
        let head = head[index] + (found[1].1[index] - head[index]) * rows;
        *sum = body[index] + further(shape, found, index, [shape.runs, 1]) + head;
    }
    total
}

/// Figure `index` of `runs` runs less `first`, and of all runs of the other kind.
fn further(shape: &Shape, found: &[(Sums, Sums)], index: usize, [runs, first]: [usize; 2]) -> f64 {
    let beyond = |model: usize| found[model].0[index] - found[0].0[index];
    let others = shape.other.map_or(0.0, |other| beyond(2) * other.count as f64);
    beyond(1) * (runs - first) as f64 + others
}

fn add(sums: &mut Sums, more: Sums) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// The launches of a step beside its phases.
fn lines(step: &Step, done: &[Done]) -> Vec<String> {
    let phases = step.program.to_string();
    let of = |(phase, done): (&str, &Done)| {
        let Counts { unique_read_bytes, unique_written_bytes, .. } = done.counts;
        format!(
            "{:20} {unique_read_bytes:12} {unique_written_bytes:10} {:12} {phase}",
            done.kernel,
            done.counts.total()
        )
    };
    phases.lines().zip(done).map(of).collect()
}
