//! Recurrent layers: random convolutions, scans and delta rules against the interpreter, over
//! sequences that come in several steps, in slots that hold NaN before.

use tyto_kernel_cases::history::{MAGNITUDES, Step, history};
use tyto_kernel_cases::recurrent::{Guesses, Layer, Recurrent, Rule, SLOTS, decode, part_of};
use tyto_kernel_cases::sketch::same_bits;
use tyto_phase_program::{GpuOptions, StepSizes, plan_for_gpu};
use tyto_rdna_emu::{Options, Races, Schedule};

use crate::random::Random;
use crate::runner::{Case, GARBAGE, options};

/// Rows of the table of tokens.
const TOKENS: usize = 50;

/// Rows of a selective scan's state that have a kernel: `kernels-hip/selective.hip`.
const SELECT_DEPTH: usize = 64;

/// Bytes of the slots, then a block for nobody.
fn cache_of(case: &Case) -> Vec<u8> {
    vec![GARBAGE; SLOTS * case.program.slot_bytes as usize + 64]
}

fn random_layer(random: &mut Random) -> Layer {
    match Layer::random(random) {
        Layer::Scan { rule: Rule::Selective, depth, width, .. } if depth > SELECT_DEPTH => {
            scan(Rule::Selective, 1, 1, [SELECT_DEPTH, width])
        }
        layer => layer,
    }
}

fn scan(rule: Rule, groups: usize, each: usize, [depth, width]: [usize; 2]) -> Layer {
    Layer::Scan { rule, groups, each, depth, width }
}

/// Each kernel, and what it is called.
fn of_every_kernel() -> [(Layer, &'static str); 10] {
    let conv = Layer::Conv { channels: 300, taps: 4, silu: true, bias: true };
    [
        (conv, "ty_convolve"),
        (scan(Rule::Ssm, 2, 2, [33, 70]), "ty_recur"),
        (scan(Rule::Delta, 1, 2, [256, 20]), "ty_recur"),
        (scan(Rule::Apart, 2, 1, [33, 70]), "ty_recur_rows"),
        (scan(Rule::Apart, 1, 1, [256, 20]), "ty_recur_rows"),
        (scan(Rule::Selective, 1, 1, [16, 130]), "ty_select"),
        (scan(Rule::Selective, 1, 1, [SELECT_DEPTH, 7]), "ty_select"),
        (scan(Rule::RgLru, 1, 1, [1, 300]), "ty_rg_lru"),
        (scan(Rule::Dplr, 3, 1, [33, 70]), "ty_dplr"),
        (scan(Rule::Dplr, 1, 1, [256, 20]), "ty_dplr"),
    ]
}

/// Three steps are the interpreter's, in this turn's order of waves and way of rounding.
fn check(turn: usize, recurrent: &Recurrent, random: &mut Random) {
    let mut cache = None;
    for Step { sketch, arguments, expected } in history(recurrent, random, 3) {
        let case = Case::of(sketch);
        let cache = cache.get_or_insert_with(|| cache_of(&case));
        expected.check(&case.run(&options(turn), &arguments, cache), &case.program);
    }
}

#[test]
fn random_layers() {
    let mut seeds = Random::new(81);
    for turn in 0..20 {
        let mut random = Random::new(seeds.below(1 << 30) as u64);
        let layer = random_layer(&mut random);
        check(turn, &Recurrent::new(layer, &mut random, TOKENS), &mut random);
    }
}

/// Decays of 0 and 1, and values far from 1, in both ways of rounding.
#[test]
fn extreme_numbers() {
    let mut random = Random::new(86);
    let single = [scan(Rule::RgLru, 1, 1, [1, 1]), scan(Rule::Dplr, 1, 1, [1, 1])];
    let layers = of_every_kernel().into_iter().map(|(layer, _)| layer).chain(single);
    for (index, layer) in layers.enumerate() {
        for turn in [index, index + 1] {
            let magnitude = MAGNITUDES[turn % MAGNITUDES.len()];
            let recurrent = Recurrent::extreme(layer, magnitude, &mut random, TOKENS);
            check(turn, &recurrent, &mut random);
        }
    }
}

/// Results and states, of each kernel in every order of waves and workgroups.
#[test]
fn bits_do_not_depend_on_the_order_of_waves() {
    const LENGTH: usize = 5;
    let mut random = Random::new(82);
    for (layer, kernel) in of_every_kernel() {
        let recurrent = Recurrent::new(layer, &mut random, TOKENS);
        let sizes = StepSizes { batch: 1, tokens: LENGTH, rows: LENGTH };
        let case = Case::of(recurrent.sketch(sizes));
        let launched = case.program.launches.iter().any(|launch| launch.kernel == kernel);
        assert!(launched, "{layer:?} without {kernel}:\n{}", case.program);
        let ids: Vec<i32> = (0..LENGTH).map(|_| random.below(TOKENS) as i32).collect();
        let run = |schedule| {
            let mut cache = cache_of(&case);
            let options = Options { schedule, ..options(0) };
            let found = case.run(&options, &part_of(&ids, 0, LENGTH), &mut cache);
            (found, cache)
        };
        let (expected, state) = run(Schedule::SAMPLE[0]);
        for schedule in &Schedule::SAMPLE[1..] {
            let (found, cache) = run(*schedule);
            assert!(same_bits(&found, &expected) && cache == state, "{layer:?} {schedule:?}");
        }
    }
}

/// Results and states are the same bits wherever a prompt is cut: a copy of a state is gone on from
/// as if nobody had cut.
#[test]
fn bits_do_not_depend_on_where_a_prompt_is_cut() {
    const LENGTH: usize = 19;
    let mut random = Random::new(83);
    for (turn, (layer, _)) in of_every_kernel().into_iter().enumerate() {
        let recurrent = Recurrent::new(layer, &mut random, TOKENS);
        let ids: Vec<i32> = (0..LENGTH).map(|_| random.below(TOKENS) as i32).collect();
        let cut = 1 + random.below(LENGTH - 1);
        let sizes = StepSizes { batch: 1, tokens: LENGTH, rows: LENGTH };
        let case = Case::of(recurrent.sketch(sizes));
        let run = |from: usize, to: usize, cache: &mut [u8]| {
            let mut found = case.run(&options(turn), &part_of(&ids, from, to), cache);
            found.truncate((to - from) * case.width());
            found
        };
        let [mut whole, mut cache] = [cache_of(&case), cache_of(&case)];
        let expected = run(0, LENGTH, &mut whole);
        let found = [run(0, cut, &mut cache), run(cut, LENGTH, &mut cache)].concat();
        assert!(same_bits(&found, &expected) && cache == whole, "{layer:?} cut at {cut}");
    }
}

/// Rows of a decode that follow one another in one sequence come out with the bits that they have in calls
/// of one row, whose launches differ, and each leaves the state after its token in a slot of its own. Each
/// kernel in every order of waves and workgroups; convolutions over fewer tokens than follow one another
/// and over more.
#[test]
fn rows_of_one_sequence_go_on_from_one_another() {
    const ROWS: usize = 8;
    let mut random = Random::new(86);
    let conv = |taps| Layer::Conv { channels: 40, taps, silu: false, bias: false };
    let layers = of_every_kernel().map(|(layer, _)| layer);
    let mut followers = 0;
    for layer in layers.into_iter().chain([conv(2), conv(16)]) {
        let recurrent = Recurrent::new(layer, &mut random, TOKENS);
        let case = |rows| Case::of(recurrent.sketch(StepSizes { batch: rows, tokens: 1, rows }));
        let (single, several) = (case(1), case(ROWS));
        let guesses = Guesses::random(&mut random, ROWS, TOKENS);
        followers += guesses.followers();
        // Unchecked, which is faster: other tests run such calls with all checks on.
        let plain = Options { races: Races::Off, checks_written: false, ..options(0) };
        let mut before = cache_of(&single);
        for row in &guesses.before {
            single.run(&plain, &decode(&[*row], 1), &mut before);
        }
        let mut alone = before.clone();
        let bytes = single.program.slot_bytes as usize;
        let state = |cache: &[u8], slot: i32| cache[slot as usize * bytes..][..bytes].to_vec();
        let mut one_by_one = |row| {
            let found = single.run(&plain, &decode(&[row], 1), &mut alone);
            (found, state(&alone, row.slot))
        };
        let expected: Vec<_> = guesses.one_by_one().map(&mut one_by_one).collect();
        for schedule in Schedule::SAMPLE {
            let (mut cache, options) = (before.clone(), Options { schedule, ..options(0) });
            let found = several.run(&options, &decode(&guesses.rows, ROWS), &mut cache);
            let rows = found.chunks(several.width()).zip(&guesses.rows);
            for ((found, row), (logits, after)) in rows.zip(&expected) {
                let what = format!("{layer:?} {schedule:?} {row:?}");
                assert!(same_bits(found, logits), "{what}");
                assert!(state(&cache, row.slot) == *after, "{what}: the state");
            }
        }
    }
    assert!(followers > 35, "{followers}");
}

#[test]
fn states_with_more_rows_than_fit_registers_are_refused() {
    let mut random = Random::new(84);
    let limits =
        [(Rule::Selective, SELECT_DEPTH), (Rule::Apart, 256), (Rule::Ssm, 256), (Rule::Dplr, 256)];
    for (rule, rows) in limits {
        let recurrent = Recurrent::new(scan(rule, 1, 1, [rows + 1, 4]), &mut random, TOKENS);
        let sketch = recurrent.sketch(StepSizes { batch: 1, tokens: 1, rows: 1 });
        let why =
            plan_for_gpu(&sketch.graph, sketch.sizes, &sketch.file().1, GpuOptions::default())
                .expect_err("too many");
        assert!(why.reason.contains(&format!("more than {rows} rows")), "{why}");
    }
}
