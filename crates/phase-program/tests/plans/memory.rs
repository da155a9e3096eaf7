//! Where a decoder's programs keep their rows.

use tyto_phase_program::abi::{self, COUNTER_BYTES, Space};

use crate::accesses::{Access, Decoded};
use crate::decoder::{Decoder, Options, planned};

const SHARED: u64 = Space::Shared as u64;
const PRIVATE: u64 = Space::Private as u64;

fn all_sizes() -> Vec<Options> {
    let sizes = [(1, 1, 1), (2, 1, 2), (8, 1, 8), (9, 1, 9), (32, 1, 32), (1, 2, 1), (1, 48, 1)];
    let mut options: Vec<Options> =
        sizes.into_iter().map(|(batch, tokens, rows)| Options::new(batch, tokens, rows)).collect();
    options.push(Options::new(1, 48, 48));
    options
}

#[test]
fn programs_say_what_they_are() {
    for options in all_sizes() {
        let program = planned(&Decoder::whole(&options), &options).expect("native");
        let Decoded { header, phases, .. } = Decoded::new(&program);
        assert_eq!((header.magic, header.abi_version), (abi::MAGIC, abi::VERSION));
        assert_eq!(header.batch as usize, options.sizes.batch);
        assert_eq!(header.tokens as usize, options.sizes.tokens);
        assert_eq!(header.rows as usize, options.sizes.rows);
        assert_eq!(phases.len(), program.phase_count());
        // Keys and values of two layers: 16 positions of 16 numbers each.
        assert_eq!(program.block_bytes, 4 * 16 * 16 * 4);
    }
}

#[test]
fn accesses_stay_in_their_space() {
    for options in all_sizes() {
        let program = planned(&Decoder::whole(&options), &options).expect("native");
        let decoded = Decoded::new(&program);
        let counters = decoded.phases.len() as u64 * COUNTER_BYTES;
        for access in decoded.accesses() {
            let within = match access.space {
                SHARED => access.begin >= counters && access.end <= program.shared_bytes,
                PRIVATE => access.end <= program.private_bytes,
                space if space == Space::Program as u64 => {
                    access.end <= program.bytes.len() as u64 && !access.writes
                }
                space if space == Space::Weights as u64 => !access.writes,
                space => space == Space::Logits as u64 && access.writes,
            };
            assert!(within, "{:?}: {access:?}\n{program}", options.sizes);
        }
    }
}

/// Every read of scratch finds what one operation wrote, whole: nothing was laid over it.
#[test]
fn reads_find_what_was_written_for_them() {
    for options in all_sizes() {
        let program = planned(&Decoder::whole(&options), &options).expect("native");
        for space in [SHARED, PRIVATE] {
            let accesses = Decoded::new(&program).accesses();
            let mut written: Vec<Access> = Vec::new();
            for access in accesses.into_iter().filter(|access| access.space == space) {
                if access.writes {
                    written.push(access);
                    continue;
                }
                let over = |write: &&Access| write.begin < access.end && access.begin < write.end;
                let last = written.iter().rev().find(over).unwrap_or_else(|| {
                    panic!("{:?}: nobody wrote {access:?}\n{program}", options.sizes)
                });
                assert!(
                    last.begin <= access.begin && access.end <= last.end,
                    "{:?}: {access:?} reads what {last:?} left\n{program}",
                    options.sizes
                );
                // Private scratch lasts for a phase, or for a row where chunks are rows.
                assert!(space == SHARED || last.phase == access.phase, "{access:?}");
            }
        }
    }
}

/// Chunks of a phase run at the same time: what one writes no other reads or writes. Where
/// chunks are rows, operations may share rows, each with its own.
#[test]
fn a_phase_does_not_read_what_it_writes() {
    for options in all_sizes() {
        let program = planned(&Decoder::whole(&options), &options).expect("native");
        let accesses = Decoded::new(&program).accesses();
        let shared: Vec<&Access> = accesses.iter().filter(|a| a.space == SHARED).collect();
        for write in shared.iter().filter(|access| access.writes) {
            for other in shared.iter().filter(|other| other.phase == write.phase) {
                let same = std::ptr::eq(*write, *other);
                let apart = write.end <= other.begin || other.end <= write.begin;
                let by_row = write.by_row && write.stride > 0 && write.stride == other.stride;
                assert!(
                    same || apart || by_row,
                    "{:?}: {write:?} and {other:?}\n{program}",
                    options.sizes
                );
            }
        }
    }
}
