//! Figures of a model: emulated with one and with two runs of its layers and two small
//! vocabularies, the rest by arithmetic.
//!
//! The last launch of a step is the head, whose work grows evenly with the vocabulary. What two runs
//! of layers take beyond one is what each further run takes.

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

/// Emulates one token at the end of `context`. Also gives the launches of the smaller model.
pub fn token(shape: &Shape, context: usize, threads: usize) -> Result<(Token, Vec<String>)> {
    let mut steps = Vec::new();
    for (runs, vocabulary) in [1, 2].into_iter().zip(VOCABULARIES) {
        let step = step::plan(shape, [runs * shape.run, vocabulary], [1, context])?;
        let done = emulated::run(&step, Extent::Whole, threads)?;
        steps.push((step, done));
    }
    let sums = |(step, done): &(Step, Vec<Done>)| -> (Sums, Sums) {
        let needs = needs::of_token(&step.graph, context);
        let (head, body) = done.split_last().expect("a step has launches");
        let mut of_body = Sums::default();
        for done in body {
            add(&mut of_body, of_counts(done.counts));
        }
        let Needs { weights, head: of_head, cache } = needs;
        add(&mut of_body, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, weights, cache]);
        let mut last = of_counts(head.counts);
        last[6] = of_head;
        (of_body, last)
    };
    let found = [sums(&steps[0]), sums(&steps[1])];
    let layer_launches = (found[1].0[0] - found[0].0[0]) / shape.run as f64;
    let total = extrapolated(shape, found);
    let [launches, unique_read, unique_written, read, instructions, _, weights, cache] = total;
    let token = Token {
        launches,
        layer_launches,
        unique_read,
        unique_written,
        read,
        instructions,
        weights,
        cache,
    };
    Ok((token, lines(&steps[0])))
}

/// Emulates a part of each launch of a prompt of `tokens` tokens.
pub fn prompt(shape: &Shape, tokens: usize, threads: usize) -> Result<Prompt> {
    ensure!(tokens.is_multiple_of(step::PAGE), "a prompt of {tokens} tokens is not whole pages");
    let mut found = Vec::new();
    for (runs, vocabulary) in [1, 2].into_iter().zip(VOCABULARIES) {
        let step = step::plan(shape, [runs * shape.run, vocabulary], [tokens, tokens])?;
        let done = emulated::run(&step, Extent::Sampled, threads)?;
        let of = matrix_parts(&step, &done);
        let (head, body) = of.split_last().expect("a step has launches");
        let mut sums = Sums::default();
        body.iter().for_each(|part| add(&mut sums, *part));
        found.push((sums, *head));
    }
    let [launches, multiply_adds, in_matrix, ..] = extrapolated(shape, [found[0], found[1]]);
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

/// One run, all further ones, and the whole head: of the bodies and heads of both models.
fn extrapolated(shape: &Shape, [one, two]: [(Sums, Sums); 2]) -> Sums {
    let [small, large] = VOCABULARIES.map(|rows| rows as f64);
    let further = (shape.runs - 1) as f64;
    let rows = (shape.vocabulary as f64 - small) / (large - small);
    let mut total = Sums::default();
    for (index, sum) in total.iter_mut().enumerate() {
        let head = one.1[index] + (two.1[index] - one.1[index]) * rows;
        *sum = one.0[index] + (two.0[index] - one.0[index]) * further + head;
    }
    total
}

fn add(sums: &mut Sums, more: Sums) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// The launches of a step beside its phases.
fn lines((step, done): &(Step, Vec<Done>)) -> Vec<String> {
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
