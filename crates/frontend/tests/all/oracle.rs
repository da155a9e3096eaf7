//! Every architecture against transformers, by the interpreter over a paged cache.

use crate::common::{CONTEXT, F32, Pair, distance, top};
use tyto_frontend::testing::{Interpreted, Pool, Work};
use tyto_frontend::{StepShape, TraceOptions};
use tyto_graph::{DType, KvType, Layout};

/// The bound on logits, relative to the largest of a row.
const TOLERANCE: f32 = 1e-4;

/// References that are wrong, and why. One that is right after all fails the tests: its line
/// must go then.
const WRONG_REFERENCES: &[(&str, &str)] = &[];

/// The logits of a pair's prompt, in chunks.
fn logits(pair: &Pair, options: TraceOptions, chunk: usize) -> Vec<Vec<f32>> {
    let opened = pair.model();
    let mut runner = Interpreted::new(&opened.model, &opened.checkpoint, options);
    let mut pool = Pool::new(&options, CONTEXT, 7);
    runner.prefill(&mut pool, &pair.reference().prompt, chunk)
}

fn check(what: &str, options: TraceOptions, chunk_of: impl Fn(&Pair) -> usize) {
    compare(what, |pair| logits(pair, options, chunk_of(pair)));
}

fn compare(what: &str, logits: impl Fn(&Pair) -> Vec<Vec<f32>>) {
    compare_all(what, Pair::all(), logits);
}

fn compare_all(what: &str, pairs: Vec<Pair>, logits: impl Fn(&Pair) -> Vec<Vec<f32>>) {
    let mut failures = Vec::new();
    for pair in pairs {
        let found = logits(&pair);
        let distance = distance(&found, &pair.reference().logits);
        println!("{what}: {}: {distance:.1e}", pair.name());
        let wrong = WRONG_REFERENCES.iter().find(|(file, _)| *file == pair.reference);
        // A NaN is no success either.
        match (distance <= TOLERANCE, wrong) {
            (true, None) => {}
            (false, Some((_, why))) => println!("expected failure: {why}"),
            (true, Some(_)) => failures.push(format!("{} is right after all", pair.name())),
            (false, None) => failures.push(format!("{}: {distance}", pair.name())),
        }
    }
    assert!(failures.is_empty(), "{what}: {failures:#?}");
}

#[test]
fn a_whole_prompt_matches() {
    check("whole prompt", F32, |pair| pair.reference().prompt.len());
}

#[test]
fn chunks_of_seven_match() {
    check("chunks of 7", F32, |_| 7);
}

#[test]
fn token_by_token_matches() {
    check("token by token", F32, |_| 1);
}

#[test]
fn primitives_match() {
    let options = TraceOptions { fuse_siblings: true, ..F32 };
    // Recurrences have no decomposition.
    let (recurrent, pairs): (Vec<Pair>, Vec<Pair>) =
        Pair::all().into_iter().partition(|pair| pair.model().model.facts().is_recurrent());
    assert!(!recurrent.is_empty());
    compare_all("primitives", pairs, |pair| {
        let opened = pair.model();
        let runner = Interpreted::new(&opened.model, &opened.checkpoint, options);
        let mut pool = Pool::new(&options, CONTEXT, 7);
        runner.decomposed().prefill(&mut pool, &pair.reference().prompt, 16)
    });
}

#[test]
fn joined_siblings_match() {
    check("joined", TraceOptions { fuse_siblings: true, ..F32 }, |_| 16);
}

#[test]
fn tiles_match() {
    // Four rows fit all projections; seven fit none, so the last tile has padding.
    let joined =
        TraceOptions { layout: |_, _, _| Layout::Tiled { n: 4, k: 2 }, fuse_siblings: true, ..F32 };
    check("tiles of 4x2, joined", joined, |_| 16);
    let padded = TraceOptions { layout: |_, _, _| Layout::Tiled { n: 7, k: 1 }, ..joined };
    check("tiles of 7x1", padded, |_| 16);
}

/// Different sequences in one batch, some rows shorter, one row padding, then decoding
/// together: each gets the logits that it gets alone.
#[test]
fn a_batch_gives_each_what_it_gets_alone() {
    for pair in Pair::all() {
        let (opened, reference) = (pair.model(), pair.reference());
        let prompts: Vec<Vec<i64>> =
            [1usize, 5, 3].iter().map(|step| rotated(&reference.prompt, *step)).collect();
        let prompts = [prompts[0].clone(), prompts[1][..9].to_vec(), prompts[2][..15].to_vec()];

        let mut runner = Interpreted::new(&opened.model, &opened.checkpoint, F32);
        let mut pool = Pool::new(&F32, CONTEXT, 11);
        let sequences: Vec<usize> = prompts.iter().map(|prompt| pool.add(prompt)).collect();
        let mut batched: Vec<Vec<Vec<f32>>> = vec![Vec::new(); prompts.len()];
        let longest = prompts.iter().map(Vec::len).max().unwrap_or(0);
        let shape = StepShape { batch: 4, tokens: 6, context: CONTEXT, rows: 24 };
        for start in (0..longest).step_by(shape.tokens) {
            let work: Vec<(usize, Work)> = (prompts.iter().zip(&sequences).enumerate())
                .filter(|(_, (prompt, _))| start < prompt.len())
                .map(|(index, (prompt, sequence))| {
                    let count = shape.tokens.min(prompt.len() - start);
                    (index, Work { sequence: *sequence, start, count })
                })
                .collect();
            let only: Vec<Work> = work.iter().map(|(_, work)| *work).collect();
            let mut rows = runner.run(&mut pool, &shape, &only).into_iter();
            for (index, work) in work {
                batched[index].extend(rows.by_ref().take(work.count));
            }
        }
        for (prompt, found) in prompts.iter().zip(&batched) {
            let mut runner = Interpreted::new(&opened.model, &opened.checkpoint, F32);
            let mut pool = Pool::new(&F32, CONTEXT, 13);
            let alone = runner.prefill(&mut pool, prompt, prompt.len());
            assert_eq!(found, &alone, "{}", pair.name());
        }
    }
}

fn rotated(prompt: &[i64], step: usize) -> Vec<i64> {
    prompt.iter().cycle().skip(step * 3).take(prompt.len()).copied().collect()
}

/// Greedy decoding gives the reference's continuation. Where a rotary table depends on the
/// length, transformers with no cache turns old keys again when the length passes the
/// boundary; a cache keeps them as they were, so those are compared up to there.
#[test]
fn greedy_decoding_continues_as_the_reference() {
    for pair in Pair::all() {
        let (opened, reference) = (pair.model(), pair.reference());
        let mut runner = Interpreted::new(&opened.model, &opened.checkpoint, F32);
        let mut pool = Pool::new(&F32, CONTEXT, 3);
        let prompt = reference.prompt.clone();
        let last = runner.prefill(&mut pool, &prompt, prompt.len()).pop().expect("a last row");
        let mut next = top(&last) as i64;
        let until = if opened.model.facts().needs_length { 1 } else { 12 };
        let shape = StepShape { batch: 1, tokens: 1, context: CONTEXT, rows: 1 };
        for step in 0..until {
            let position = prompt.len() + step;
            assert_eq!(next, reference.greedy[position], "{}: token {step}", pair.name());
            pool.push(0, next);
            let work = Work { sequence: 0, start: position, count: 1 };
            next = top(&runner.run(&mut pool, &shape, &[work])[0]) as i64;
        }
    }
}

/// Weights and cache in bf16: no other first choice where the reference's is decided, that
/// is, by more than the error that transformers itself makes in bf16.
#[test]
fn bf16_makes_the_same_decided_choices() {
    let bf16 =
        TraceOptions { weight_dtype: DType::BF16, kv_type: KvType::Float(DType::BF16), ..F32 };
    let mut pairs = 0;
    for pair in Pair::all().into_iter().filter(|pair| pair.dtype == "bfloat16") {
        let reference = pair.reference();
        let low = reference.low.expect("bf16 cases have logits in bf16");
        let noise = (low.iter().flatten().zip(reference.logits.iter().flatten()))
            .fold(0f32, |most, (low, exact)| most.max((low - exact).abs()));
        let (mut decided, mut largest) = (0, 0f32);
        let found = logits(&pair, bf16, 16);
        for (position, row) in found.iter().enumerate() {
            let expected = &reference.logits[position];
            largest = row.iter().zip(expected).fold(largest, |m, (a, b)| m.max((a - b).abs()));
            if reference.gaps[position] > 2.0 * noise {
                decided += 1;
                assert_eq!(top(row), top(expected), "{}: position {position}", pair.name());
            }
        }
        println!("{}: {decided} decided; error {largest}, transformers' {noise}", pair.name());
        assert!(decided > found.len() / 2, "{}: {decided} positions are decided", pair.name());
        assert!(largest <= 2.0 * noise, "{}: error {largest}, noise {noise}", pair.name());
        pairs += 1;
    }
    assert_eq!(pairs, 2, "both bf16 cases");
}

/// However a configuration spells it, the model is the same graph.
#[test]
fn every_spelling_of_a_config_gives_the_same_graph() {
    let shape = StepShape { batch: 2, tokens: 3, context: CONTEXT, rows: 2 };
    let mut compared = 0;
    for pair in Pair::all().into_iter().filter(|pair| pair.config.starts_with("config.v4")) {
        let spelled = pair.model().model.trace("step", &shape, &F32).expect("traces");
        let plain = Pair { config: "config.json".into(), ..pair };
        let expected = plain.model().model.trace("step", &shape, &F32).expect("traces");
        assert!(spelled == expected, "{} is another graph", plain.case);
        compared += 1;
    }
    assert!(compared >= 12, "{compared} spellings");
}
