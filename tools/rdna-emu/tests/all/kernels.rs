//! Compiled kernels against plain Rust, in every schedule and with all detectors on.

use crate::common::bench::{Bench, assert_close, floats, random, results, strict};
use half::f16;
use rand::Rng;
use tyto_rdna_emu::{Grid, Options, Value};

#[test]
fn vector_add() {
    let mut bench = Bench::new("basic");
    let (x, y) = (floats(1, 1000), floats(2, 1000));
    let (a, b) = (bench.buffer("a", &x), bench.buffer("b", &y));
    let grid = Grid::line(16, 64);
    let sum: Vec<f32> =
        results(&mut bench, "vector_add", grid, &[a.into(), b.into()], 1000, &[1000i32.into()]);
    let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
    assert_eq!(sum, expected);
}

#[test]
fn several_threads_give_the_same() {
    let mut bench = Bench::new("basic");
    let (x, y) = (floats(1, 64 * 50), floats(2, 64 * 50));
    let (a, b) = (bench.buffer("a", &x), bench.buffer("b", &y));
    let out = bench.memory.allocate("out", 4 * 64 * 50);
    let options = Options { threads: 4, ..Options::default() };
    let values = [a.into(), b.into(), out.into(), (64 * 50i32).into()];
    let report = bench.run("vector_add", Grid::line(50, 64), &values, &options).unwrap();
    assert_eq!(report.workgroups, 50);
    let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
    assert_eq!(bench.read::<f32>(out, 64 * 50), expected);
}

#[test]
fn scratch_holds_an_array_that_data_index() {
    let mut bench = Bench::new("basic");
    let values = random(3, 128 * 20, |r| r.random::<u32>() & 0x8000_0007);
    let input = bench.buffer("values", &values);
    let kernel = bench.code.module.kernel("histogram_in_scratch").unwrap();
    assert!(kernel.descriptor.scratch_size >= 256, "the array is not in scratch");
    let grid = Grid::line(2, 64);
    let found: Vec<u32> =
        results(&mut bench, "histogram_in_scratch", grid, &[input.into()], 128, &[20i32.into()]);
    let expected: Vec<u32> = values
        .chunks_exact(20)
        .map(|mine| {
            let mut counts = [0u32; 64];
            mine.iter().for_each(|value| counts[*value as usize & 63] += 1 + (value >> 31));
            let best = (1..64).fold(0, |best, i| if counts[i] > counts[best] { i } else { best });
            best as u32 | counts[best] << 8
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn integers_of_all_widths() {
    let mut bench = Bench::new("basic");
    let x = random(4, 128, |r| r.random::<u32>() >> r.random_range(0..32));
    let y = random(5, 128, |r| r.random::<u32>() >> r.random_range(0..32));
    let (a, b) = (bench.buffer("a", &x), bench.buffer("b", &y));
    let grid = Grid::line(2, 64);
    let found: Vec<u64> = results(&mut bench, "integers", grid, &[a.into(), b.into()], 128, &[]);
    let expected: Vec<u64> = x.iter().zip(&y).map(|(&x, &y)| integers(x, y)).collect();
    assert_eq!(found, expected);
}

fn integers(x: u32, y: u32) -> u64 {
    let (wide_x, wide_y) = (u64::from(x), u64::from(y));
    let mut r = wide_x.wrapping_mul(wide_y).wrapping_add((wide_y << 32 | wide_x) >> (x & 63));
    let remainder = (x as i32).wrapping_rem((y | 1) as i32);
    r = r.wrapping_add(u64::from(x / (y | 1))).wrapping_add(i64::from(remainder) as u64);
    let counts = u64::from(x.count_ones())
        + 100 * u64::from((y | 1).leading_zeros())
        + 10000 * u64::from((x | 0x8000_0000).trailing_zeros());
    r ^= counts;
    r = r.wrapping_sub(((i64::from(x as i32).wrapping_mul(i64::from(y as i32))) as u64) >> 7);
    for steps in (1..=x & 15).rev() {
        r = r.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(steps.into());
    }
    r
}

#[test]
fn divisions_are_correctly_rounded() {
    let mut bench = Bench::new("basic");
    let mut x = floats(6, 64);
    let mut y = floats(7, 64);
    let special = [0.0, -0.0, 1e-40, -1e-40, 1e38, f32::INFINITY, f32::NAN, 3e-39, 1.0, f32::MAX];
    for (index, value) in special.iter().enumerate() {
        x[index] = *value;
        y[(index * 3) % 10] = special[index];
        y[20 + index] = *value;
        x[40 + index] = *value;
    }
    let (a, b) = (bench.buffer("a", &x), bench.buffer("b", &y));
    let wide = bench.memory.allocate("wide", 8 * 64);
    let grid = Grid::line(1, 64);
    let found: Vec<u32> =
        results(&mut bench, "divide", grid, &[a.into(), b.into()], 64, &[wide.into()]);
    let doubles = bench.read::<f64>(wide, 64);
    for (index, (x, y)) in x.iter().zip(&y).enumerate() {
        let (quotient, expected) = (f32::from_bits(found[index]), x / y);
        let same =
            quotient.to_bits() == expected.to_bits() || quotient.is_nan() && expected.is_nan();
        assert!(same, "{x:e} / {y:e} = {quotient:e}, not {expected:e}");
        let expected = f64::from(*x) / f64::from(*y) + f64::from(x * 3.0);
        let found = doubles[index];
        let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
        assert!(same, "{x:e} / {y:e} in f64: {found:e}, not {expected:e}");
    }
}

#[test]
fn block_sums_by_dpp_and_lds() {
    let mut bench = Bench::new("lanes");
    let x = random(8, 3 * 256, |r| r.random_range(-100..100) as f32);
    let input = bench.buffer("in", &x);
    let grid = Grid::line(3, 256);
    let found: Vec<f32> = results(&mut bench, "block_sum", grid, &[input.into()], 3, &[]);
    let expected: Vec<f32> = x.chunks_exact(256).map(|block| block.iter().sum()).collect();
    assert_eq!(found, expected);
}

#[test]
fn shuffles_of_every_kind() {
    let mut bench = Bench::new("lanes");
    let x = random(9, 64, |r| r.random_range(-1000..1000));
    let input = bench.buffer("in", &x);
    let grid = Grid::line(1, 64);
    let found: Vec<i32> = results(&mut bench, "shuffles", grid, &[input.into()], 64, &[]);
    for (wave, v) in x.chunks_exact(32).enumerate() {
        for lane in 0..32 {
            let expected = shuffles(v, lane);
            assert_eq!(found[wave * 32 + lane], expected, "wave {wave}, lane {lane}");
        }
    }
}

/// What the kernel `shuffles` gives in a lane.
fn shuffles(v: &[i32], lane: usize) -> i32 {
    let (row, at) = (lane & 16, lane & 15);
    let mut r = if at >= 1 { v[lane - 1] } else { -1 };
    r += 3 * if at + 2 < 16 { v[lane + 2] } else { 0 };
    r += 5 * v[row | (at + 1) & 15];
    r += 7 * v[row | 7];
    r += 11 * v[row | at ^ 5];
    // Row 0 of rows 0 and 2, banks 0 and 1.
    r += 13 * if row == 0 && at < 8 { v[lane] } else { 9 };
    let eight: Vec<usize> = (0..8).map(|index| 0x68_8fac >> (3 * index) & 7).collect();
    r += 17 * v[lane & !7 | eight[lane & 7]];
    r += 19 * v[(lane * 5) & 31];
    let pushed = (0..32).find(|from| (from * 7) & 31 == lane).expect("7 is odd");
    r += 23 * v[pushed];
    r += 29 * v[17] + 31 * v[0];
    r += 37 * v.iter().filter(|value| *value & 1 == 1).count() as i32;
    r + 41 * v[lane ^ 1]
}

#[test]
fn a_pair_of_loads_may_overwrite_its_own_address() {
    let mut bench = Bench::new("lanes");
    let x = random(12, 128, |r| r.random::<u32>());
    let input = bench.buffer("in", &x);
    let grid = Grid::line(1, 64);
    let found: Vec<u32> = results(&mut bench, "loads_over_address", grid, &[input.into()], 64, &[]);
    for (lane, found) in found.into_iter().enumerate() {
        let words = &x[2 * (lane & 62)..][..4];
        let sum =
            |sum: u32, (word, factor): (&u32, u32)| sum.wrapping_add(word.wrapping_mul(factor));
        assert_eq!(found, words.iter().zip([1, 3, 5, 7]).fold(0, sum), "lane {lane}");
    }
}

#[test]
fn atomics_of_lds_and_global_memory() {
    let mut bench = Bench::new("lanes");
    let x = random(10, 3 * 128, |r| r.random::<u32>());
    let input = bench.buffer("in", &x);
    for options in strict() {
        let counts = bench.buffer("counts", &[0u32; 3]);
        let largest = bench.buffer("largest", &[0u64; 3]);
        let total = bench.buffer("total", &[0f32]);
        let mut tickets = [0u32; 65];
        tickets[64] = x[7];
        let tickets = bench.buffer("tickets", &tickets);
        let values = [input, counts, largest, total, tickets].map(Value::from);
        bench.run("atomics", Grid::line(3, 128), &values, &options).unwrap();
        for (block, x) in x.chunks_exact(128).enumerate() {
            let sum: u32 = x.iter().map(|value| value & 7).sum();
            assert_eq!(bench.read::<u32>(counts, 3)[block], sum);
            let keys = x.iter().enumerate().map(|(id, &v)| u64::from(v) << 32 | id as u64);
            assert_eq!(bench.read::<u64>(largest, 3)[block], keys.max().unwrap());
        }
        let sum: u32 = x.iter().map(|value| value & 7).sum();
        assert_eq!(bench.read::<f32>(total, 1), [sum as f32]);
        let tickets = bench.read::<u32>(tickets, 65);
        assert_eq!(tickets[0], 3 * 128);
        assert_eq!(tickets[1..13], [!0; 12]);
        assert_eq!(tickets[64], x[7] + 1);
    }
}

#[test]
fn generic_pointers_reach_lds_and_global_memory() {
    let mut bench = Bench::new("lanes");
    let x = random(11, 64, |r| r.random_range(-1000..1000));
    let input = bench.buffer("in", &x);
    let grid = Grid::line(1, 64);
    let found: Vec<i32> = results(&mut bench, "generic_pointers", grid, &[input.into()], 64, &[]);
    assert_eq!(found, x.iter().map(|value| value * 3 + 1).collect::<Vec<_>>());
}

#[test]
fn half_precision() {
    let mut bench = Bench::new("floats");
    let x: Vec<f16> = floats(20, 128).into_iter().map(f16::from_f32).collect();
    let y: Vec<f16> = floats(21, 128).into_iter().map(f16::from_f32).collect();
    let bits = |values: &[f16]| values.iter().map(|v| v.to_bits()).collect::<Vec<u16>>();
    let (a, b) = (bench.buffer("a", &bits(&x)), bench.buffer("b", &bits(&y)));
    let grid = Grid::line(2, 64);
    let found: Vec<u16> = results(&mut bench, "halves", grid, &[a.into(), b.into()], 128, &[]);
    for (index, (&x, &y)) in x.iter().zip(&y).enumerate() {
        let expected = halves(x, y);
        let found = f16::from_bits(found[index]);
        assert_eq!(found, expected, "{index}: {x} {y}");
    }
}

/// What the kernel `halves` gives; clang joins products and sums.
fn halves(x: f16, y: f16) -> f16 {
    let fused = |a: f16, b: f16, c: f16| f16::from_f64(a.to_f64() * b.to_f64() + c.to_f64());
    let mut r = fused(x, y, x);
    r = r.max(y - x) - x.min(y);
    r = r + f16::from_f32(x.to_f32() * 0.25) + f16::from_f32(f32::from(y.to_f32() as i16));
    r = if x > y { r } else { -r };
    let (q0, q1) = (y, f16::from_f32(1.5));
    let p0 = fused(x, q0, x).max(q0);
    let p1 = fused(y, q1, y).max(q1);
    let floor = f16::from_f32(x.to_f32().floor());
    r + p0 - p1 + floor + f16::from_f32(y.to_f32().abs())
}

#[test]
fn chains_of_dual_instructions() {
    let mut bench = Bench::new("floats");
    let x = floats(22, 256);
    let input = bench.buffer("in", &x);
    let grid = Grid::line(1, 32);
    let mut expected = x.clone();
    for v in expected.chunks_exact_mut(8) {
        for _ in 0..13 {
            for i in 0..8 {
                let sum = v[(i + 3) & 7].mul_add(0.125, -1.0);
                v[i] = v[i].mul_add(0.5 + i as f32, sum);
            }
        }
    }
    let grid64 = Grid { work_items: [32, 1, 1], ..grid };
    let grid = Grid { workgroup: [64, 1, 1], ..grid64 };
    let found: Vec<f32> =
        results(&mut bench, "chains", grid, &[input.into()], 256, &[13i32.into()]);
    assert_eq!(found, expected);
}

#[test]
fn functions_of_floats() {
    let mut bench = Bench::new("floats");
    let x = floats(23, 64);
    let input = bench.buffer("in", &x);
    let grid = Grid::line(1, 64);
    let found: Vec<f32> = results(&mut bench, "functions", grid, &[input.into()], 512, &[]);
    for (x, found) in x.iter().zip(found.chunks_exact(8)) {
        let a = x.abs();
        let turns = f64::from(*x) * std::f64::consts::TAU;
        let middle = x.clamp(-1.0, 1.0) * 2f32.powi(*x as i32 & 7);
        let steps = x.round_ties_even() + x.floor() * 2.0 + x.trunc() * 4.0;
        let expected = [
            x.exp2(),
            a.log2(),
            1.0 / a.sqrt(),
            1.0 / x,
            turns.sin() as f32,
            x - x.floor(),
            steps,
            middle,
        ];
        assert_close(found, &expected, 3e-7);
    }
}

#[test]
fn scalar_floats() {
    let mut bench = Bench::new("floats");
    for (a, b, n) in [(1.5f32, 2.25f32, 3i32), (-7.3, 0.9, -2), (100.0, -0.5, 20)] {
        let before = [a.into(), b.into(), n.into()];
        let found: Vec<f32> = results(&mut bench, "uniform", Grid::line(1, 32), &before, 32, &[]);
        let mut r = a.mul_add(b, n as f32);
        let k = (r * 0.5) as i32;
        if r < a {
            r = r.floor() + f16::from_f32(a).to_f32();
        }
        assert_eq!(found, [r + k as f32; 32]);
    }
}

#[test]
fn buffers_are_bounded_word_by_word() {
    let mut bench = Bench::new("lanes");
    let words = random(24, 64, |r| r.random::<u32>());
    let input = bench.buffer("in", &words);
    // The descriptors end inside a lane's accesses.
    let (bytes, out_bytes) = (204usize, 236usize);
    let out = bench.buffer("out", &[0x55u32; 64]);
    let values = [input.into(), out.into(), (bytes as i32).into(), (out_bytes as i32).into()];
    bench.run("through_buffers", Grid::line(1, 32), &values, &Options::default()).unwrap();
    let word = |at: usize| if 4 * at < bytes { words[at] } else { 0 };
    let found = bench.read::<u32>(out, 64);
    for lane in 0..32 {
        let at = 2 * lane;
        let wide = word(at)
            ^ word(at + 1).wrapping_mul(3)
            ^ word(at + 2).wrapping_mul(5)
            ^ word(at + 3).wrapping_mul(7);
        let sum = wide.wrapping_add(word(at)).wrapping_add(word(at + 1).wrapping_mul(11));
        let half = words[lane / 2] >> (16 * (lane & 1)) & 0xffff;
        let expected = |at: usize, value: u32| if 4 * at < out_bytes { value } else { 0x55 };
        assert_eq!(found[at], expected(at, sum), "lane {lane}");
        assert_eq!(found[at + 1], expected(at + 1, half), "lane {lane}");
    }
}

#[test]
fn work_items_know_their_place_and_the_grid() {
    let mut bench = Bench::new("basic");
    // The last workgroup of x is cut off.
    let [width, height, depth] = [10u32, 6, 4];
    let count = (width * height * depth) as usize;
    let out = bench.memory.allocate("out", 16 * count);
    let grid = Grid { work_items: [width, height, depth], workgroup: [4, 3, 2], dynamic_lds: 0 };
    let values = [out.into(), (width as i32).into(), (height as i32).into()];
    for options in strict() {
        let report = bench.run("places", grid, &values, &options).unwrap();
        assert_eq!(report.workgroups, 3 * 2 * 2);
        for (at, found) in bench.read::<u32>(out, 4 * count).chunks_exact(4).enumerate() {
            let at = at as u32;
            let [x, y, z] = [at % width, at / width % height, at / (width * height)];
            let expected = [
                x | y << 8 | z << 16,
                width | height << 8 | depth << 16,
                // Whole workgroups: 2 of x, and 2 work-items more.
                2 | 2 << 4 | 2 << 8,
                4 | 3 << 4 | 2 << 8,
            ];
            assert_eq!(found, expected, "{x} {y} {z}");
        }
    }
}
