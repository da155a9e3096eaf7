//! Recurrent layers: random convolutions, scans and delta rules against the interpreter, over
//! sequences that come in several steps, in slots that hold NaN before.

use std::collections::HashMap;

use tyto_kernel_cases::recurrent::{Layer, Recurrent, SLOTS, Sequences, part_of, steps, unwritten};
use tyto_native_cpu::linked::Aligned;
use tyto_phase_program::StepSizes;

use crate::random::Random;
use crate::runner::{Case, GARBAGE, machines, same_bits};

/// Bytes of the slots, then a block for nobody.
fn cache_of(case: &Case) -> Aligned {
    let mut cache = Aligned::zeros(SLOTS * case.program.slot_bytes as usize + 64);
    cache.bytes_mut().fill(GARBAGE);
    cache
}

#[test]
fn random_layers() {
    let mut seeds = Random::new(81);
    for turn in 0..60 {
        let (tokens, mut random) = (50, Random::new(seeds.below(1 << 30) as u64));
        let recurrent = Recurrent::new(Layer::random(&mut random), &mut random, tokens);
        let layer = recurrent.layer;
        let slots = random.order(SLOTS).into_iter().map(|slot| slot as i32).collect();
        let mut sequences = Sequences { next: vec![0; SLOTS], slots };
        let mut state = unwritten(&layer);
        let mut caches: Vec<Option<Aligned>> = machines(turn).map(|_| None).collect();
        for step in 0..3 {
            let (sizes, mut arguments) = steps(&mut random, &mut sequences, tokens);
            let case = Case::of(recurrent.sketch(sizes));
            let real = arguments.positions.iter().filter(|position| **position >= 0).count();
            let states = HashMap::from([("state".to_owned(), state)]);
            let (expected, mut states) = case.interpreted(&arguments, states);
            state = states.remove("state").expect("a state");
            arguments.sampled[real..].fill(-1);
            let expected = &expected[..real * case.width()];
            let largest = expected.iter().fold(1f32, |most, value| most.max(value.abs()));
            for (machine, cache) in machines(turn).zip(&mut caches) {
                let cache = cache.get_or_insert_with(|| cache_of(&case));
                let found = case.run(machine, &arguments, cache);
                for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
                    assert!(
                        (found - expected).abs() <= 2e-5 * largest,
                        "{layer:?} {sizes:?} {machine:?}, step {step}: result {index} is {found}, \
                         not {expected}\n{}",
                        case.program
                    );
                }
            }
        }
    }
}

/// Results and states are the same bits whatever the number of workers.
#[test]
fn bits_do_not_depend_on_workers() {
    let mut seeds = Random::new(82);
    for turn in 0..12 {
        let (tokens, mut random) = (50, Random::new(seeds.below(1 << 30) as u64));
        let recurrent = Recurrent::new(Layer::random(&mut random), &mut random, tokens);
        let slots = (0..SLOTS as i32).collect();
        let mut sequences = Sequences { next: vec![0; SLOTS], slots };
        let (sizes, mut arguments) = steps(&mut random, &mut sequences, tokens);
        let case = Case::of(recurrent.sketch(sizes));
        let real = arguments.positions.iter().filter(|position| **position >= 0).count();
        arguments.sampled[real..].fill(-1);
        for (variant, _) in machines(turn) {
            let mut alone = cache_of(&case);
            let expected = case.run((variant, 1), &arguments, &mut alone);
            for workers in [2, 5] {
                let mut cache = cache_of(&case);
                let found = case.run((variant, workers), &arguments, &mut cache);
                assert!(same_bits(&found, &expected), "{:?} {variant:?}", recurrent.layer);
                assert!(cache.bytes() == alone.bytes(), "{:?} {variant:?}", recurrent.layer);
            }
        }
    }
}

/// Results and states are the same bits wherever a prompt is cut: a copy of a state is gone on from
/// as if nobody had cut.
#[test]
fn bits_do_not_depend_on_where_a_prompt_is_cut() {
    const LENGTH: usize = 40;
    let mut seeds = Random::new(83);
    for turn in 0..12 {
        let (tokens, mut random) = (50, Random::new(seeds.below(1 << 30) as u64));
        let recurrent = Recurrent::new(Layer::random(&mut random), &mut random, tokens);
        let ids: Vec<i32> = (0..LENGTH).map(|_| random.below(tokens) as i32).collect();
        let cut = 1 + random.below(LENGTH - 1);
        let case = Case::of(recurrent.sketch(StepSizes { batch: 1, tokens: LENGTH, rows: LENGTH }));
        for machine in machines(turn) {
            let run = |from: usize, to: usize, cache: &mut Aligned| {
                let mut found = case.run(machine, &part_of(&ids, from, to), cache);
                found.truncate((to - from) * case.width());
                found
            };
            let [mut whole, mut cache] = [cache_of(&case), cache_of(&case)];
            let expected = run(0, LENGTH, &mut whole);
            let found = [run(0, cut, &mut cache), run(cut, LENGTH, &mut cache)].concat();
            assert!(same_bits(&found, &expected), "{:?} cut at {cut}", recurrent.layer);
            assert!(cache.bytes() == whole.bytes(), "{:?} cut at {cut}", recurrent.layer);
        }
    }
}
