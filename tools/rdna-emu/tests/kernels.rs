//! Compiled kernels against plain Rust, in every schedule and with all detectors on.

mod common;

use common::bench::{Bench, Number, floats, random};
use half::{bf16, f16};
use rand::Rng;
use tyto_rdna_emu::{Grid, Options, Races, Schedule, Value};

/// Every schedule, with the detectors on.
fn strict() -> impl Iterator<Item = Options> {
    Schedule::SAMPLE.into_iter().map(|schedule| Options {
        schedule,
        races: Races::All,
        checks_written: true,
        instruction_limit: 1_000_000,
        ..Options::default()
    })
}

/// Runs a kernel in every schedule; each time the results must be the same. Returns them.
fn results<T: Number + PartialEq + std::fmt::Debug>(
    bench: &mut Bench,
    kernel: &str,
    grid: Grid,
    before: &[Value],
    out_count: usize,
    after: &[Value],
) -> Vec<T> {
    let mut first: Option<Vec<T>> = None;
    for options in strict() {
        let out = bench.memory.allocate("out", out_count * size_of::<T>());
        let mut values = before.to_vec();
        values.push(out.into());
        values.extend_from_slice(after);
        bench.run(kernel, grid, &values, &options).unwrap_or_else(|error| panic!("{error}"));
        let found = bench.read::<T>(out, out_count);
        let first = first.get_or_insert_with(|| found.clone());
        assert_eq!(*first, found, "{kernel} in {:?}", options.schedule);
    }
    first.expect("there are schedules")
}

/// Fails where a result is further from what is expected than `bound` allows, relative to 1 or the value.
fn assert_close(found: &[f32], expected: &[f32], bound: f32) {
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let limit = bound * expected.abs().max(1.0);
        let is_close = (found - expected).abs() <= limit || found.is_nan() && expected.is_nan();
        assert!(is_close, "{index}: {found:e}, not {expected:e}");
    }
}

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

/// `a b^T` for rows of `k` elements.
fn product(a: &[f32], b: &[f32], k: usize) -> Vec<f32> {
    let dot = |m: usize, n: usize| -> f64 {
        (0..k).map(|i| f64::from(a[m * k + i]) * f64::from(b[n * k + i])).sum()
    };
    (0..256).map(|index| dot(index / 16, index % 16) as f32).collect()
}

#[test]
fn matrix_products_of_floats() {
    let mut bench = Bench::new("matrix");
    let k = 64;
    let (x, y) = (floats(12, 16 * k), floats(13, 16 * k));
    let after = [(k as i32).into()];
    let grid = Grid::line(1, 32);

    let half = |values: &[f32]| values.iter().map(|&v| f16::from_f32(v)).collect::<Vec<_>>();
    let (hx, hy) = (half(&x), half(&y));
    let bits = |values: &[f16]| values.iter().map(|v| v.to_bits()).collect::<Vec<u16>>();
    let (a, b) = (bench.buffer("a", &bits(&hx)), bench.buffer("b", &bits(&hy)));
    let before = [a.into(), b.into()];
    let found: Vec<f32> = results(&mut bench, "wmma_f16", grid, &before, 256, &after);
    let exact = |values: &[f16]| values.iter().map(|v| v.to_f32()).collect::<Vec<_>>();
    let expected = product(&exact(&hx), &exact(&hy), k);
    assert_close(&found, &expected, 1e-5);
    let found: Vec<u16> = results(&mut bench, "wmma_f16_sum", grid, &before, 256, &after);
    let found: Vec<f32> = found.into_iter().map(|v| f16::from_bits(v).to_f32()).collect();
    assert_close(&found, &expected, 5e-3);

    let brain = |values: &[f32]| values.iter().map(|&v| bf16::from_f32(v)).collect::<Vec<_>>();
    let (bx, by) = (brain(&x), brain(&y));
    let bits = |values: &[bf16]| values.iter().map(|v| v.to_bits()).collect::<Vec<u16>>();
    let (a, b) = (bench.buffer("a", &bits(&bx)), bench.buffer("b", &bits(&by)));
    let found: Vec<f32> =
        results(&mut bench, "wmma_bf16", grid, &[a.into(), b.into()], 256, &after);
    let exact = |values: &[bf16]| values.iter().map(|v| v.to_f32()).collect::<Vec<_>>();
    assert_close(&found, &product(&exact(&bx), &exact(&by), k), 1e-5);
}

#[test]
fn matrix_products_of_integers() {
    let mut bench = Bench::new("matrix");
    let k = 48;
    let x = random(14, 16 * k, |r| r.random::<u8>());
    let y = random(15, 16 * k, |r| r.random::<u8>());
    let (a, b) = (bench.buffer("a", &x), bench.buffer("b", &y));
    let before = [a.into(), b.into()];
    let grid = Grid::line(1, 32);
    let found: Vec<i32> = results(&mut bench, "wmma_iu8", grid, &before, 256, &[(k as i32).into()]);
    let element = |index: usize, k: usize, i: usize| (index / 16 * k + i, index % 16 * k + i);
    for (index, found) in found.iter().enumerate() {
        let term = |i| {
            let (p, q) = element(index, k, i);
            i32::from(x[p] as i8) * i32::from(y[q])
        };
        assert_eq!(*found, (0..k).map(term).sum::<i32>(), "{index}");
    }
    // The same bytes as two elements each.
    let k = 2 * k;
    let found: Vec<i32> = results(&mut bench, "wmma_iu4", grid, &before, 256, &[(k as i32).into()]);
    for (index, found) in found.iter().enumerate() {
        let term = |i| {
            let (p, q) = element(index, k, i);
            let nibble = |bytes: &[u8], at: usize| bytes[at / 2] >> (4 * (at & 1)) & 15;
            i32::from(nibble(&x, p)) * i32::from((nibble(&y, q) << 4) as i8 >> 4)
        };
        assert_eq!(*found, (0..k).map(term).sum::<i32>(), "{index}");
    }
}

#[test]
fn dot_products() {
    let mut bench = Bench::new("matrix");
    let x = random(16, 64, |r| r.random::<u32>());
    let y = random(17, 64, |r| r.random::<u32>());
    let z = random(18, 64, |r| r.random_range(-1000..1000));
    let f = floats(19, 320);
    let buffers = [bench.buffer("a", &x), bench.buffer("b", &y), bench.buffer("c", &z)];
    let f_buffer = bench.buffer("f", &f);
    let out_f = bench.memory.allocate("out_f", 4 * 64);
    let after = [f_buffer.into(), out_f.into()];
    let grid = Grid::line(1, 64);
    let found: Vec<i32> = results(&mut bench, "dots", grid, &buffers.map(Value::from), 64, &after);
    for i in 0..64 {
        let (a, b) = (x[i].to_le_bytes(), y[i].to_le_bytes());
        let dot = |f: fn(u8, u8) -> i32| a.iter().zip(&b).map(|(&a, &b)| f(a, b)).sum::<i32>();
        let mut sum = dot(|a, b| i32::from(a as i8) * i32::from(b as i8)) + z[i];
        sum += dot(|a, b| i32::from(a) * i32::from(b as i8));
        let nibbles = |word: u32, at: u32| word >> (4 * at) & 15;
        sum += (0..8)
            .map(|at| {
                let signed = (nibbles(x[i], at) << 28) as i32 >> 28;
                signed * nibbles(y[i], at) as i32
            })
            .sum::<i32>();
        sum += dot(|a, b| i32::from(a) * i32::from(b));
        assert_eq!(found[i], sum, "{i}");
    }
    let half = |at: usize| f64::from(f16::from_f32(f[at]));
    let expected: Vec<f32> = (0..64)
        .map(|i| {
            (half(i) * half(i + 128) + half(i + 64) * half(i + 192) + f64::from(f[i + 256])) as f32
        })
        .collect();
    assert_close(&bench.read::<f32>(out_f, 64), &expected, 1e-6);
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
