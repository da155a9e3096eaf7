//! Kernels like those of a language model against plain Rust, in every schedule with the detectors on; and their planted
//! faults.

use crate::common::bench::{Bench, assert_close, floats, random, results, strict};
use half::f16;
use rand::Rng;
use tyto_rdna_emu::{FaultKind, Grid, LaunchError, Options, Races, Schedule, Value};

/// The values of E2M1 without sign.
const E2M1: [f64; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];

/// MXFP4 weights with a vector: what the kernels take, and the product by definition.
struct Quantized {
    weights: u64,
    scales: u64,
    x: u64,
    expected: Vec<f32>,
}

const ROWS: usize = 19;
const BLOCKS: usize = 37;

fn quantized(bench: &mut Bench) -> Quantized {
    let weights = random(21, ROWS * BLOCKS * 16, |r| r.random::<u8>());
    let scales = random(22, ROWS * BLOCKS, |r| r.random_range(120..130u8));
    let x: Vec<f16> = floats(23, BLOCKS * 32).into_iter().map(f16::from_f32).collect();
    let code = |row: usize, i: usize| {
        // Of eight elements, i and i + 4 lie in the low and high half of a word.
        let (block, eight, at) = (i / 32, i % 32 / 8, i % 8);
        let byte = weights[(row * BLOCKS + block) * 16 + eight * 4 + at / 4 * 2 + at % 4 / 2];
        byte >> (4 * (at % 2)) & 15
    };
    let dot = |row: usize| -> f32 {
        let term = |i: usize| {
            let code = code(row, i);
            let sign = if code & 8 == 0 { 1.0 } else { -1.0 };
            let scale = f64::from(i32::from(scales[row * BLOCKS + i / 32]) - 127).exp2();
            sign * E2M1[usize::from(code & 7)] * scale * x[i].to_f64()
        };
        (0..BLOCKS * 32).map(term).sum::<f64>() as f32
    };
    let bits: Vec<u16> = x.iter().map(|v| v.to_bits()).collect();
    Quantized {
        weights: bench.buffer("weights", &weights),
        scales: bench.buffer("scales", &scales),
        x: bench.buffer("x", &bits),
        expected: (0..ROWS).map(dot).collect(),
    }
}

fn matvec(bench: &mut Bench, kernel: &str, given: &Quantized) -> Vec<f32> {
    let before = [given.weights.into(), given.scales.into(), given.x.into()];
    let after = [(ROWS as i32).into(), (BLOCKS as i32).into()];
    results(bench, kernel, Grid::line(3, 256), &before, ROWS, &after)
}

#[test]
fn four_bit_weights_times_a_vector_by_three_sums() {
    let mut bench = Bench::new("model");
    let given = quantized(&mut bench);
    let largest = given.expected.iter().fold(0f32, |most, value| most.max(value.abs()));
    let expected: Vec<f32> = given.expected.iter().map(|value| value / largest).collect();
    for kernel in ["matvec_by_xor", "matvec_by_mirrors", "matvec_by_bpermute"] {
        let found = matvec(&mut bench, kernel, &given);
        let found: Vec<f32> = found.iter().map(|value| value / largest).collect();
        assert_close(&found, &expected, 1e-6);
    }
}

#[test]
fn a_wrong_dpp_control_gives_a_wrong_sum_in_every_schedule() {
    let mut bench = Bench::new("model");
    let given = quantized(&mut bench);
    // Without a fault or race: only the comparison can find it.
    let found = matvec(&mut bench, "matvec_of_wrong_control", &given);
    let differ =
        found.iter().zip(&given.expected).filter(|(a, b)| (*a - *b).abs() > 1e-2 * b.abs());
    assert!(differ.count() > ROWS / 2);
}

const M: usize = 32;
const N: usize = 128;
const K: usize = 48;

fn staged(bench: &mut Bench) -> (Grid, [u64; 2], Vec<f32>) {
    let half = |seed, count| floats(seed, count).into_iter().map(f16::from_f32).collect::<Vec<_>>();
    let (a, b) = (half(24, M * K), half(25, N * K));
    let dot = |at: usize| -> f32 {
        let (m, n) = (at / N, at % N);
        (0..K).map(|i| a[m * K + i].to_f64() * b[n * K + i].to_f64()).sum::<f64>() as f32
    };
    let expected = (0..M * N).map(dot).collect();
    let bits = |x: &[f16]| x.iter().map(|v| v.to_bits()).collect::<Vec<u16>>();
    let buffers = [bench.buffer("a", &bits(&a)), bench.buffer("b", &bits(&b))];
    let (blocks_x, blocks_y) = ((N / 64) as u32, (M / 16) as u32);
    let work_items = [blocks_x * 128, blocks_y, 1];
    (Grid { work_items, workgroup: [128, 1, 1], dynamic_lds: 0 }, buffers, expected)
}

#[test]
fn a_product_of_matrices_staged_in_lds() {
    let mut bench = Bench::new("model");
    let (grid, [a, b], expected) = staged(&mut bench);
    let after = [(N as i32).into(), (K as i32).into()];
    let before = [a.into(), b.into()];
    let found: Vec<f32> = results(&mut bench, "staged_product", grid, &before, M * N, &after);
    assert_close(&found, &expected, 1e-5);
}

#[test]
fn a_tile_that_is_overwritten_too_early_is_a_race_in_every_schedule() {
    let mut bench = Bench::new("model");
    let (grid, [a, b], _) = staged(&mut bench);
    for schedule in Schedule::SAMPLE {
        let c = bench.memory.allocate("c", 4 * M * N);
        let values = [a.into(), b.into(), c.into(), (N as i32).into(), (K as i32).into()];
        let options = Options { schedule, races: Races::Shared, ..Options::default() };
        let error = bench.run("staged_product_race", grid, &values, &options).unwrap_err();
        let LaunchError::Fault(fault) = &error else { panic!("{schedule:?}: {error}") };
        let FaultKind::Race { text, .. } = &fault.kind else { panic!("{schedule:?}: {error}") };
        let both = [text.as_str(), fault.text.as_str()];
        assert!(both.iter().any(|text| text.starts_with("ds_load")), "{schedule:?}: {error}");
        assert!(both.iter().any(|text| text.starts_with("ds_store")), "{schedule:?}: {error}");
    }
}

#[test]
fn norms_of_sums() {
    let mut bench = Bench::new("model");
    let (rows, size) = (3, 700);
    let (residual, x, weight) =
        (floats(26, rows * size), floats(27, rows * size), floats(28, size));
    let sums: Vec<f32> = residual.iter().zip(&x).map(|(a, b)| a + b).collect();
    let expected: Vec<f32> = sums
        .chunks_exact(size)
        .flat_map(|row| {
            let squares: f64 = row.iter().map(|v| f64::from(v * v)).sum();
            let scale = (squares / size as f64 + 1e-5).sqrt().recip() as f32;
            row.iter().zip(&weight).map(move |(v, weight)| v * scale * weight)
        })
        .collect();
    let [b, w] = [bench.buffer("x", &x), bench.buffer("weight", &weight)];
    for options in strict() {
        let a = bench.buffer("residual", &residual);
        let out = bench.memory.allocate("out", 4 * rows * size);
        let values: [Value; 6] =
            [a.into(), b.into(), w.into(), out.into(), (size as i32).into(), 1e-5f32.into()];
        bench.run("residual_norm", Grid::line(rows as u32, 256), &values, &options).unwrap();
        assert_eq!(bench.read::<f32>(a, rows * size), sums);
        assert_close(&bench.read::<f32>(out, rows * size), &expected, 1e-5);
    }
}

#[test]
fn keys_are_rotated_into_their_page() {
    let mut bench = Bench::new("model");
    let (heads, position, pages) = (2, 37u32, [3u32, 0, 2, 1]);
    let key = floats(29, heads * 64);
    let base_log2 = 10_000f32.log2();
    let [k, table, at] = [
        bench.buffer("key", &key),
        bench.buffer("pages", &pages),
        bench.buffer("position", &[position]),
    ];
    let first = (pages[2] as usize * 16 + 5) * heads * 64;
    for options in strict() {
        let before = vec![0x7e00u16; 4 * 16 * heads * 64];
        let cache = bench.buffer("cache", &before);
        let values: [Value; 6] = [
            k.into(),
            cache.into(),
            table.into(),
            at.into(),
            (heads as i32).into(),
            base_log2.into(),
        ];
        bench.run("rotate_into_page", Grid::line(heads as u32, 32), &values, &options).unwrap();
        let mut found = bench.read::<u16>(cache, before.len());
        let row: Vec<u16> = found.splice(first..first + heads * 64, [0x7e00; 128]).collect();
        assert_eq!(found, before, "nothing else was written");
        for (i, found) in row.into_iter().enumerate() {
            let (head, pair) = (i / 64, i % 32);
            let angle = f64::from(position) * 10_000f64.powf(-(pair as f64) / 32.0);
            let [a, b] = [pair, pair + 32].map(|at| f64::from(key[head * 64 + at]));
            let (sine, cosine) = angle.sin_cos();
            let expected = if i % 64 < 32 { a * cosine - b * sine } else { a * sine + b * cosine };
            let found = f16::from_bits(found).to_f64();
            assert!((found - expected).abs() < 4e-3, "{i}: {found}, not {expected}");
        }
    }
}

#[test]
fn a_recurrent_state_takes_a_step() {
    let mut bench = Bench::new("model");
    let (rows, size) = (8, 100);
    let state = floats(30, rows * size);
    let [x, decay] = [31, 32].map(|seed| floats(seed, rows));
    let [b, c] = [33, 34].map(|seed| floats(seed, size));
    let next: Vec<f32> = (0..rows * size)
        .map(|at| state[at].mul_add(decay[at / size], x[at / size] * b[at % size]))
        .collect();
    let expected: Vec<f32> =
        next.chunks_exact(size).map(|row| row.iter().zip(&c).map(|(a, b)| a * b).sum()).collect();
    let given: Vec<u64> = [&x, &decay, &b, &c].map(|values| bench.buffer("given", values)).to_vec();
    for options in strict() {
        let s = bench.buffer("state", &state);
        let out = bench.memory.allocate("out", 4 * rows);
        let mut values: Vec<Value> = vec![s.into()];
        values.extend(given.iter().map(|&buffer| Value::from(buffer)));
        values.extend([out.into(), (size as i32).into()]);
        bench.run("state_step", Grid::line(2, 128), &values, &options).unwrap();
        assert_eq!(bench.read::<f32>(s, rows * size), next);
        assert_close(&bench.read::<f32>(out, rows), &expected, 1e-4);
    }
}

#[test]
fn the_first_of_the_largest_is_found() {
    let mut bench = Bench::new("model");
    let mut x = floats(35, 1000);
    (x[77], x[800]) = (5.0, 5.0);
    let input = bench.buffer("x", &x);
    let before = [input.into(), 1000i32.into()];
    let found: Vec<u32> = results(&mut bench, "largest", Grid::line(1, 256), &before, 1, &[]);
    assert_eq!(found, [77]);
    x.iter_mut().for_each(|v| *v = -v.abs());
    x[13] = -0.0;
    let input = bench.buffer("x", &x);
    let before = [input.into(), 1000i32.into()];
    let found: Vec<u32> = results(&mut bench, "largest", Grid::line(1, 256), &before, 1, &[]);
    let most = (0..1000).max_by(|&a, &b| x[a].total_cmp(&x[b]).then(b.cmp(&a)));
    assert_eq!(found[0] as usize, most.unwrap());
}
