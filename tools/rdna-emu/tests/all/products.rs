//! Matrix and dot products of compiled kernels against plain Rust, in every schedule.

use crate::common::bench::{Bench, assert_close, floats, random, results};
use half::{bf16, f16};
use rand::Rng;
use tyto_rdna_emu::{Grid, Numerics, Options, Value};

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
fn the_hardware_model_of_dot_products_is_a_choice() {
    let mut bench = Bench::new("matrix");
    let zeros = bench.buffer("zeros", &[0u32; 64]);
    let mut f = [0f32; 320];
    // In each lane -1 * 1 + 0 * 0 + 1.
    f[..64].fill(-1.0);
    f[128..192].fill(1.0);
    f[256..].fill(1.0);
    let f = bench.buffer("f", &f);
    for (numerics, expected) in [(Numerics::Ieee, 0.0), (Numerics::Gfx11, -(2f32.powi(-24)))] {
        let out = bench.memory.allocate("out", 4 * 64);
        let out_f = bench.memory.allocate("out_f", 4 * 64);
        let values = [zeros, zeros, zeros, out, f, out_f].map(Value::from);
        let options = Options { numerics, ..Options::default() };
        bench.run("dots", Grid::line(1, 64), &values, &options).unwrap();
        assert_eq!(bench.read::<f32>(out_f, 64), [expected; 64]);
    }
}
