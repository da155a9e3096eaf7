//! The decoder and printer against llvm-mc, on generated words of every encoding, and against llvm-objdump, on
//! compiled kernels.
//!
//! Where this crate decodes, LLVM gives the same text and length. Where it knows no opcode, LLVM decodes nothing. What
//! it refuses for another reason (`Reserved`: fields that should be zero or aligned; `NotModelled`) is deliberate, and
//! LLVM may decode it.

use crate::common;
use std::collections::BTreeMap;

use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use tyto_rdna_emu::decode::{Refusal, Target, decode};

/// An encoding: its name, the number of its opcodes, and how to make words of one.
struct Encoding {
    name: &'static str,
    opcodes: u32,
    words: fn(&mut ChaCha8Rng, u32) -> [u32; 2],
    /// The least share of its words, in percent, that must decode: no test passes on refusals alone.
    least_decoded: usize,
}

const ENCODINGS: [Encoding; 18] = [
    Encoding {
        name: "SOP2",
        opcodes: 0x60,
        words: |r, op| {
            [0x8000_0000 | op << 23 | sdst(r) << 16 | ssrc(r) << 8 | ssrc(r), literal(r)]
        },
        least_decoded: 30,
    },
    Encoding {
        name: "SOP1",
        opcodes: 256,
        words: |r, op| [0xbe80_0000 | sdst(r) << 16 | op << 8 | ssrc(r), r.random()],
        least_decoded: 15,
    },
    Encoding {
        name: "SOPC",
        opcodes: 128,
        words: |r, op| [0xbf00_0000 | op << 16 | ssrc(r) << 8 | ssrc(r), literal(r)],
        least_decoded: 10,
    },
    Encoding {
        name: "SOPK",
        opcodes: 0x1d,
        words: |r, op| [0xb000_0000 | op << 23 | sdst(r) << 16 | constant(r), r.random()],
        least_decoded: 50,
    },
    Encoding {
        name: "SOPP",
        opcodes: 128,
        words: |r, op| [0xbf80_0000 | op << 16 | constant(r), 0],
        least_decoded: 10,
    },
    Encoding {
        name: "SMEM",
        opcodes: 256,
        words: |r, op| {
            let low = op << 18 | noise(r, 13, 5) | sdst(r) << 6 | ssbase(r);
            [0xf400_0000 | low, soffset(r) << 25 | r.random_range(0..1 << 21)]
        },
        least_decoded: 1,
    },
    Encoding {
        name: "VOP1",
        opcodes: 256,
        words: |r, op| [0x7e00_0000 | vgpr(r) << 17 | op << 9 | source(r), r.random()],
        least_decoded: 20,
    },
    Encoding {
        name: "VOP2",
        opcodes: 62,
        words: |r, op| [op << 25 | vgpr(r) << 17 | vgpr(r) << 9 | source(r), r.random()],
        least_decoded: 40,
    },
    Encoding {
        name: "VOPC",
        opcodes: 256,
        words: |r, op| [0x7c00_0000 | op << 17 | vgpr(r) << 9 | source(r), r.random()],
        least_decoded: 40,
    },
    Encoding { name: "VOP3 comparisons", opcodes: 0x100, words: vop3_compare, least_decoded: 10 },
    Encoding {
        name: "VOP3",
        opcodes: 0x300,
        words: |r, op| vop3(r, op + 0x100),
        // Most of its opcodes name nothing.
        least_decoded: 5,
    },
    Encoding {
        name: "VOP3P",
        opcodes: 0x80,
        words: |r, op| {
            let (sources, last) = (source(r) | source(r) << 9, source(r) << 18);
            let low = op << 16 | noise(r, 8, 8) | vgpr(r);
            [0xcc00_0000 | low, sources | last | noise(r, 27, 5)]
        },
        least_decoded: 4,
    },
    Encoding {
        name: "VOPD",
        opcodes: 0x200,
        words: |r, op| {
            let second = if r.random_bool(0.5) { vgpr(r) } else { 0 };
            let low = op << 17 | second << 9 | source(r);
            let second = if r.random_bool(0.5) { vgpr(r) } else { 0 };
            let high = source(r) | second << 9 | r.random_range(0..128) << 17 | vgpr(r) << 24;
            [0xc800_0000 | low, high]
        },
        least_decoded: 10,
    },
    Encoding { name: "DS", opcodes: 256, words: ds, least_decoded: 10 },
    Encoding {
        name: "MUBUF",
        opcodes: 256,
        words: |r, op| {
            let low = op << 18 | noise(r, 12, 3) | r.random_range(0..1 << 12);
            let address = [(0, vgpr(r)), (0, 0), (1, vgpr(r)), (2, vgpr(r))];
            let (flags, address) = *address.choose(r).expect("four ways");
            let high = address | vgpr(r) << 8 | flags << 22 | noise(r, 21, 1);
            [0xe000_0000 | low, high | r.random_range(0..27) << 16 | ssrc(r) << 24]
        },
        least_decoded: 10,
    },
    Encoding { name: "FLAT", opcodes: 128, words: |r, op| flat(r, op, 0), least_decoded: 4 },
    Encoding { name: "SCRATCH", opcodes: 128, words: |r, op| flat(r, op, 1), least_decoded: 2 },
    Encoding { name: "GLOBAL", opcodes: 128, words: |r, op| flat(r, op, 2), least_decoded: 6 },
];

fn ssrc(r: &mut ChaCha8Rng) -> u32 {
    match r.random_range(0..6) {
        0 => r.random_range(128..209),
        1 => r.random_range(240..249),
        2 => r.random_range(0..256),
        3 => 255,
        _ => 4 * r.random_range(0..32),
    }
}

fn sdst(r: &mut ChaCha8Rng) -> u32 {
    if r.random_bool(0.2) { r.random_range(0..128) } else { 4 * r.random_range(0..32) }
}

fn ssbase(r: &mut ChaCha8Rng) -> u32 {
    if r.random_bool(0.2) { r.random_range(0..64) } else { 2 * r.random_range(0..32) }
}

fn soffset(r: &mut ChaCha8Rng) -> u32 {
    if r.random_bool(0.5) { 124 } else { r.random_range(0..128) }
}

fn constant(r: &mut ChaCha8Rng) -> u32 {
    match r.random_range(0..4) {
        0 => 0,
        1 => r.random_range(0..80),
        2 => r.random_range(0..256),
        _ => r.random_range(0..0x1_0000),
    }
}

/// LLVM reads the literal of s_fmaak_f32 as an operand's code where it is below 256, so there is none such.
fn literal(r: &mut ChaCha8Rng) -> u32 {
    match r.random_range(0..4) {
        0 => *[0x3f80_0000, 0x0000_3c00, 0xffff_fff0].choose(r).expect("three"),
        1 => r.random_range(0x100..0x1_0000),
        _ => r.random(),
    }
}

fn vgpr(r: &mut ChaCha8Rng) -> u32 {
    r.random_range(0..256)
}

/// A 9-bit source: a vector register, DPP, or what a scalar source may be.
fn source(r: &mut ChaCha8Rng) -> u32 {
    match r.random_range(0..8) {
        0..4 => 256 + vgpr(r),
        4 => *[250, 233, 234].choose(r).expect("three codes"),
        _ => ssrc(r),
    }
}

/// Mostly zero, sometimes random bits of a field.
fn noise(r: &mut ChaCha8Rng, low: u32, width: u32) -> u32 {
    match r.random_range(0..6) {
        0..4 => 0,
        4 => 1 << (low + r.random_range(0..width)),
        _ => r.random_range(0..1 << width) << low,
    }
}

fn vop3_compare(r: &mut ChaCha8Rng, op: u32) -> [u32; 2] {
    let destination = if op < 0x80 { sdst(r) } else { 126 };
    let low = op << 16 | noise(r, 8, 8) | destination;
    [0xd400_0000 | low, source(r) | source(r) << 9 | noise(r, 27, 5)]
}

fn vop3(r: &mut ChaCha8Rng, op: u32) -> [u32; 2] {
    let last = if r.random_bool(0.4) { source(r) } else { 0 };
    let second = if r.random_bool(0.7) { source(r) } else { 0 };
    let low = op << 16 | noise(r, 8, 8) | vgpr(r);
    [0xd400_0000 | low, source(r) | second << 9 | last << 18 | noise(r, 27, 5)]
}

fn ds(r: &mut ChaCha8Rng, op: u32) -> [u32; 2] {
    let mut registers = vgpr(r);
    for low in [8, 16, 24] {
        registers |= if r.random_bool(0.5) { vgpr(r) << low } else { 0 };
    }
    let offset = if r.random_bool(0.3) { 0 } else { r.random_range(0..0x1_0000) };
    [0xd800_0000 | op << 18 | noise(r, 16, 2) | offset, registers]
}

fn flat(r: &mut ChaCha8Rng, op: u32, segment: u32) -> [u32; 2] {
    let low = op << 18 | segment << 16 | noise(r, 13, 3) | r.random_range(0..1 << 13);
    let mut high = if r.random_bool(0.8) { vgpr(r) } else { 0 };
    for low in [8, 24] {
        high |= if r.random_bool(0.5) { vgpr(r) << low } else { 0 };
    }
    let base = if r.random_bool(0.5) { 124 } else { sdst(r) };
    [0xdc00_0000 | low, high | base << 16 | u32::from(r.random_bool(0.3)) << 23]
}

const S_NOP: u32 = 0xbf80_0000;

fn agree(cpu: &str, target: Target, seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut groups = Vec::new();
    let mut names = Vec::new();
    for encoding in &ENCODINGS {
        for opcode in 0..encoding.opcodes {
            for _ in 0..16 {
                let words = (encoding.words)(&mut random, opcode);
                let dpp = random.random::<u32>() & !(1 << 17) & noise_mask(&mut random);
                let mut group = vec![words[0], words[1], dpp, random.random()];
                // llvm-mc crashes where an instruction lacks its literal, so what follows always has one.
                group.extend([S_NOP; 5]);
                groups.push(group);
                names.push(encoding);
            }
        }
    }
    let expected = common::llvm_mc(&groups, cpu);
    let mut decoded = BTreeMap::<&str, [usize; 2]>::new();
    let mut differences = Vec::new();
    for ((group, encoding), llvm) in groups.iter().zip(&names).zip(&expected) {
        let code: Vec<u8> = group.iter().flat_map(|word| word.to_le_bytes()).collect();
        // LLVM writes some words with a comment that says what is wrong with them.
        let llvm = llvm.as_ref().filter(|(text, _)| !text.contains("/*"));
        let counts = decoded.entry(encoding.name).or_default();
        counts[1] += 1;
        let ours = decode(&code, target);
        let agrees = match &ours {
            Ok(instruction) => {
                counts[0] += 1;
                Some(&(instruction.to_string(), instruction.size)) == llvm
            }
            Err(Refusal::UnknownOpcode { .. } | Refusal::UnknownEncoding { .. }) => llvm.is_none(),
            Err(_) => true,
        };
        if !agrees {
            let ours = ours.map(|instruction| (instruction.to_string(), instruction.size));
            differences
                .push(format!("{} {group:08x?}\n  ours {ours:?}\n  LLVM {llvm:?}", encoding.name));
        }
    }
    assert!(
        differences.is_empty(),
        "{cpu}: {} of {} words differ:\n{}",
        differences.len(),
        groups.len(),
        differences[..differences.len().min(400)].join("\n")
    );
    for encoding in &ENCODINGS {
        let [ok, all] = decoded[encoding.name];
        assert!(
            100 * ok >= encoding.least_decoded * all,
            "{cpu} {}: only {ok} of {all} words decode",
            encoding.name
        );
    }
}

/// Clears the signs of a DPP word half of the time, and makes its control a known one most of the time.
fn noise_mask(r: &mut ChaCha8Rng) -> u32 {
    let signs = if r.random_bool(0.7) { !(15 << 20) } else { !0 };
    let control = if r.random_bool(0.7) { !(1 << 16) } else { !0 };
    signs & control
}

#[test]
fn gfx1151_words_read_as_in_llvm() {
    agree("gfx1151", Target::Gfx115x, 1151);
}

#[test]
fn gfx1100_words_read_as_in_llvm() {
    agree("gfx1100", Target::Gfx110x, 1100);
}

#[test]
fn compiled_kernels_read_as_in_llvm() {
    for (cpu, target) in [("gfx1151", Target::Gfx115x), ("gfx1100", Target::Gfx110x)] {
        for file in common::KERNEL_FILES {
            let lines = common::llvm_objdump(&common::compile(file, cpu), cpu);
            assert!(
                lines.len() > 100,
                "{cpu} {file}: llvm-objdump shows {} instructions",
                lines.len()
            );
            for (text, words) in lines {
                let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                let instruction = decode(&code, target)
                    .unwrap_or_else(|refusal| panic!("{cpu} {file}: {text}: {refusal}"));
                assert_eq!(instruction.to_string(), text, "{cpu} {file} {words:08x?}");
                assert_eq!(instruction.size, 4 * words.len(), "{cpu} {file}: {text}");
            }
        }
    }
}

/// LLVM writes the constant 0 as a source that the instruction has not, from version 23 on; before, zero bits.
#[test]
fn sources_that_are_not_there_may_be_the_constant_zero() {
    for third in [0, 128] {
        let words = [0xd701_0001_u32, 0x0002_18ff | third << 18, 0x9ed];
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let instruction = decode(&code, Target::Gfx115x).unwrap();
        assert_eq!(instruction.to_string(), "v_sub_co_u32 v1, s0, 0x9ed, v12");
        assert_eq!(instruction.size, 12);
    }
    let words = [0xd701_0001_u32, 0x0002_18ff | 5 << 18, 0x9ed];
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert!(matches!(decode(&code, Target::Gfx115x), Err(Refusal::Reserved { .. })));
}
