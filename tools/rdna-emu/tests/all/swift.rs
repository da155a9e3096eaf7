//! Memory instructions of a whole wave at once do what they do lane by lane.

use crate::common::bench::{Bench, floats, random};
use rand::Rng;
use tyto_rdna_emu::{Grid, LaunchError, Options, Report, Value};

/// Runs a kernel both ways, each time into new buffers. Returns what the two wrote and counted, or their faults.
fn both(
    file: &str,
    kernel: &str,
    grid: Grid,
    out_bytes: usize,
    arguments: impl Fn(&mut Bench, u64) -> Vec<Value>,
) -> [Result<(Vec<u8>, Report), LaunchError>; 2] {
    [false, true].map(|slow_twin| {
        let mut bench = Bench::new(file);
        let out = bench.memory.allocate("out", out_bytes);
        let values = arguments(&mut bench, out);
        let options = Options { slow_twin, instruction_limit: 100_000, ..Options::default() };
        let report = bench.run(kernel, grid, &values, &options)?;
        Ok((bench.memory.read_vec(out, out_bytes).unwrap(), report))
    })
}

#[test]
fn every_width_and_alignment() {
    let bytes = random(7, 16 * 128 + 32, |random| random.random::<u8>());
    for shift in 0..5 {
        for mask in [!0u32, 0x8000_0001, 0x5555_0000] {
            let [swift, slow] =
                both("memory", "widths", Grid::line(2, 64), 80 * 128 + 8, |bench, out| {
                    let from = bench.buffer("from", &bytes);
                    vec![from.into(), out.into(), shift.into(), mask.into()]
                });
            let (swift, slow) = (swift.unwrap(), slow.unwrap());
            assert!(swift.0.iter().any(|byte| *byte != 0));
            assert!(swift == slow, "shift {shift}, mask {mask:#x}");
            // What was copied, where lanes were active.
            let at = shift as usize;
            let lane = mask.trailing_zeros() as usize;
            let found = &swift.0[80 * lane + at + 48..][..16];
            assert_eq!(found, &bytes[16 * lane + at..][..16]);
        }
    }
}

#[test]
fn lds_of_every_width() {
    let words = random(8, 64 * 7, |random| random.random::<u32>());
    let [swift, slow] = both("memory", "through_lds", Grid::line(1, 64), 256, |bench, out| {
        vec![bench.buffer("from", &words).into(), out.into()]
    });
    let (swift, slow) = (swift.unwrap(), slow.unwrap());
    assert_eq!(swift, slow);
    let expected = |lane: usize| {
        let other = lane ^ 1;
        let first = words[other] as i8 as u32;
        let sum = first.wrapping_add((words[other] & 0xffff) << 8);
        words[7 * other..7 * other + 7]
            .iter()
            .fold(sum, |sum, word| sum.wrapping_mul(31).wrapping_add(*word))
    };
    let found: Vec<u32> = swift
        .0
        .chunks_exact(4)
        .map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()))
        .collect();
    assert_eq!(found, (0..64).map(expected).collect::<Vec<_>>());
}

#[test]
fn buffers_with_ends_inside_of_an_access() {
    let words = random(9, 64, |random| random.random::<u32>());
    for (bytes, out_bytes) in [(204, 236), (256, 256), (0, 4), (1 << 20, 256)] {
        let [swift, slow] =
            both("lanes", "through_buffers", Grid::line(1, 32), 256, |bench, out| {
                vec![bench.buffer("in", &words).into(), out.into(), bytes.into(), out_bytes.into()]
            });
        assert_eq!(swift, slow, "{bytes} {out_bytes}");
    }
}

#[test]
fn faults_are_the_same() {
    let x = floats(1, 128);
    let [swift, slow] = both("basic", "off_by_one", Grid::line(2, 64), 400, |bench, out| {
        vec![bench.buffer("input", &x).into(), out.into(), 100i32.into()]
    });
    let (swift, slow) = (swift.unwrap_err(), slow.unwrap_err());
    assert_eq!(swift, slow);
    assert!(swift.to_string().contains("lane 4"), "{swift}");
}
