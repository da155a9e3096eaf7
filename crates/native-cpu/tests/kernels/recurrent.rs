//! Recurrent layers: random convolutions, scans and delta rules against the interpreter, over
//! sequences that come in several steps, in slots that hold NaN before.

use tyto_kernel_cases::history::{MAGNITUDES, Step, history};
use tyto_kernel_cases::recurrent::{Guesses, Layer, Recurrent, SLOTS, decode, part_of};
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

/// Three steps are the interpreter's on every machine of this turn.
fn check(turn: usize, recurrent: &Recurrent, random: &mut Random) {
    let mut caches: Vec<Option<Aligned>> = machines(turn).map(|_| None).collect();
    for Step { sketch, arguments, expected } in history(recurrent, random, 3) {
        let case = Case::of(sketch);
        for (machine, cache) in machines(turn).zip(&mut caches) {
            let cache = cache.get_or_insert_with(|| cache_of(&case));
            let found = case.run(machine, &arguments, cache);
            expected.check(&found, format_args!("{machine:?}\n{}", case.program));
        }
    }
}

#[test]
fn random_layers() {
    let mut seeds = Random::new(81);
    for turn in 0..60 {
        let (tokens, mut random) = (50, Random::new(seeds.below(1 << 30) as u64));
        let recurrent = Recurrent::new(Layer::random(&mut random), &mut random, tokens);
        check(turn, &recurrent, &mut random);
    }
}

/// Decays of 0 and 1, and values far from 1.
#[test]
fn extreme_numbers() {
    let mut seeds = Random::new(85);
    for turn in 0..60 {
        let mut random = Random::new(seeds.below(1 << 30) as u64);
        let (layer, magnitude) = (Layer::random(&mut random), random.pick(&MAGNITUDES));
        check(turn, &Recurrent::extreme(layer, magnitude, &mut random, 50), &mut random);
    }
}

/// Results and states are the same bits whatever the number of workers.
#[test]
fn bits_do_not_depend_on_workers() {
    let mut seeds = Random::new(82);
    for turn in 0..12 {
        let (tokens, mut random) = (50, Random::new(seeds.below(1 << 30) as u64));
        let recurrent = Recurrent::new(Layer::random(&mut random), &mut random, tokens);
        let step = history(&recurrent, &mut random, 1).remove(0);
        let (case, arguments) = (Case::of(step.sketch), step.arguments);
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

/// Rows of a decode that follow one another in one sequence come out with the bits that they have one
/// by one, and each leaves the state after its token in a slot of its own.
#[test]
fn rows_of_one_sequence_go_on_from_one_another() {
    const ROWS: usize = 8;
    let mut seeds = Random::new(84);
    let mut followers = 0;
    for turn in 0..24 {
        let (tokens, mut random) = (50, Random::new(seeds.below(1 << 30) as u64));
        let recurrent = Recurrent::new(Layer::random(&mut random), &mut random, tokens);
        let case = Case::of(recurrent.sketch(StepSizes { batch: ROWS, tokens: 1, rows: ROWS }));
        let guesses = Guesses::random(&mut random, ROWS, tokens);
        followers += guesses.followers();
        let bytes = case.program.slot_bytes as usize;
        let state =
            |cache: &Aligned, slot: i32| cache.bytes()[slot as usize * bytes..][..bytes].to_vec();
        for machine in machines(turn) {
            let mut cache = cache_of(&case);
            for row in &guesses.before {
                case.run(machine, &decode(&[*row], ROWS), &mut cache);
            }
            let mut alone = Aligned::copy_of(cache.bytes());
            let found = case.run(machine, &decode(&guesses.rows, ROWS), &mut cache);
            let rows = guesses.rows.iter().zip(guesses.one_by_one());
            for (found, (row, one)) in found.chunks(case.width()).zip(rows) {
                let expected = case.run(machine, &decode(&[one], ROWS), &mut alone);
                let what = format!("{:?} {machine:?}", recurrent.layer);
                assert!(same_bits(found, &expected[..case.width()]), "{what}");
                assert!(state(&cache, row.slot) == state(&alone, one.slot), "{what}");
            }
        }
    }
    assert!(followers > 80, "{followers}");
}
