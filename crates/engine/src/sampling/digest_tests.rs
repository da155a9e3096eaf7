//! What a device finds out of a row changes how much of it is read, and nothing that is chosen.

use tyto_artifact::RowDigest;

use super::*;
use crate::logits::{Rows, with_digest};
use crate::params::Xtc;

/// A row with its digest, as a device leaves it.
struct Digested {
    values: Vec<f32>,
    places: RowDigest,
    temperature: f32,
}

impl Digested {
    fn new(logits: &[f32], temperature: f32) -> Self {
        let values = with_digest(logits, temperature);
        Self { values, places: RowDigest::of(logits.len()), temperature }
    }

    fn row(&self) -> LogitsRow<'_> {
        let Self { values, places, temperature } = self;
        let mut rows = Rows::Digested { values, places: *places, temperature: *temperature };
        rows.next().expect("one row")
    }
}

fn rng() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(31)
}

fn logits(rng: &mut ChaCha8Rng, round: usize) -> Vec<f32> {
    let n = rng.random_range(1..[80, 1_000, 5_000][round % 3]);
    let most = [3.0, 15.0][round / 3 % 2];
    let coarse = round.is_multiple_of(4);
    let logit = |rng: &mut ChaCha8Rng| {
        let smooth: f32 = rng.random_range(-most..most);
        if coarse { smooth.round() } else { smooth }
    };
    let mut logits: Vec<f32> = (0..n).map(|_| logit(rng)).collect();
    match round % 11 {
        0 => logits.fill(1.5),
        1 => logits[rng.random_range(0..n)] = f32::MIN,
        2 => logits[rng.random_range(0..n)] = f32::MAX,
        3 => logits.iter_mut().for_each(|logit| *logit = logit.clamp(-0.0, 0.0)),
        _ => {}
    }
    logits
}

fn params(rng: &mut ChaCha8Rng, seed: u64) -> SamplingParams {
    SamplingParams {
        temperature: [0.0, 0.0, 0.01, 0.7, 1.0, 1.0, 1.9][rng.random_range(0..7)],
        top_k: [None, None, None, Some(0), Some(1), Some(40), Some(9_999)][rng.random_range(0..7)],
        top_p: [0.0, 0.3, 0.95, 1.0, 1.0][rng.random_range(0..5)],
        min_p: [0.0, 0.0, 0.0, 0.05, 1.0][rng.random_range(0..5)],
        typical_p: [1.0, 1.0, 1.0, 0.5][rng.random_range(0..4)],
        xtc: Xtc {
            probability: [0.0, 0.0, 0.0, 0.5][rng.random_range(0..4)],
            threshold: [0.05, 0.1][rng.random_range(0..2)],
        },
        seed: Some(seed),
        ..SamplingParams::greedy()
    }
}

fn new(params: &SamplingParams) -> Sampler {
    Sampler::new(params.clone(), &[], |_| String::new())
}

/// The next three choices, and the random number after them.
fn choices(sampler: &mut Sampler, row: &LogitsRow<'_>) -> (Vec<u32>, u64) {
    let mut scratch = Scratch::default();
    let next = |_| sampler.sample(row, Forbidden::default(), None, &mut scratch).expect("finite");
    ((0..3).map(next).collect(), sampler.rng.random())
}

#[test]
fn choices_from_digests_are_those_from_rows() {
    let mut rng = rng();
    let mut spared = 0;
    for round in 0..3_000 {
        let logits = logits(&mut rng, round);
        let params = params(&mut rng, round as u64);
        let expected = choices(&mut new(&params), &LogitsRow::of(&logits));
        let logprobs = round % 5 == 0;
        let asked = new(&params).digest(logprobs);
        // What was asked for, and a digest for something else.
        for temperature in [asked.unwrap_or(0.3), -1.0, 0.5] {
            let digested = Digested::new(&logits, temperature);
            let row = digested.row();
            let what = format!("{round}: {temperature}, {} of {params:?}", logits.len());
            assert_eq!(choices(&mut new(&params), &row), expected, "{what}");
            spared += usize::from(asked == Some(temperature) && row.was_spared());
            let (raw, plain) = (RawDistribution::new(&row), LogitsRow::of(&logits));
            let expected = RawDistribution::new(&plain);
            assert_eq!(raw.top(5), expected.top(5), "{what}");
        }
    }
    assert!(spared > 2_000, "most requests need no whole row: {spared}");
}

/// Requests of the usual kinds read no whole row, unlike those that look at every token.
#[test]
fn a_digest_is_asked_for_where_it_does() {
    let greedy = SamplingParams::greedy();
    let warm = SamplingParams { temperature: 0.7, ..greedy.clone() };
    let of = |params: &SamplingParams, logprobs| new(params).digest(logprobs);
    assert_eq!(of(&greedy, false), Some(-1.0));
    assert_eq!(of(&greedy, true), Some(1.0));
    assert_eq!(of(&warm, false), Some(0.7));
    assert_eq!(of(&SamplingParams { top_k: Some(40), ..warm.clone() }, false), Some(-1.0));
    assert_eq!(of(&SamplingParams { min_p: 0.05, ..warm.clone() }, true), Some(1.0));
    let rows = [
        SamplingParams { typical_p: 0.9, ..warm.clone() },
        SamplingParams { xtc: Xtc { probability: 0.5, threshold: 0.1 }, ..warm.clone() },
        SamplingParams { logit_bias: vec![(0, 1.0)], ..greedy.clone() },
    ];
    for params in rows {
        assert_eq!(of(&params, false), None, "{params:?}");
    }
    let mut sampler = new(&SamplingParams { frequency_penalty: 1.0, ..greedy });
    assert_eq!(sampler.digest(false), Some(-1.0), "no token was there before");
    sampler.note(0, |_| String::new());
    assert_eq!(sampler.digest(false), None);
}

#[test]
fn numbers_that_overflowed_are_found_behind_a_digest_too() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for at in [0, 63, 64, 130] {
            let mut logits = vec![0.5; 131];
            logits[at] = bad;
            let digested = Digested::new(&logits, 1.0);
            let mut sampler = new(&SamplingParams::greedy());
            let row = digested.row();
            let found = sampler.sample(&row, Forbidden::default(), None, &mut Scratch::default());
            let Err(SampleError::NotFinite { id, value }) = found else { panic!("{found:?}") };
            assert_eq!((id, value.to_bits()), (at, bad.to_bits()));
            assert!(!row.was_spared());
        }
    }
}
