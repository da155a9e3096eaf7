//! What IREE is known to compile wrongly, kept so that we hear when it no longer does
//! (`docs/decisions/data-tiling.md`).

use tyto_artifact::EntryKind;
use tyto_compile::{Target, module_flags};
use tyto_graph::{Binary, DType, Op};

use crate::case::{Case, NewCase};
use crate::device::Device;

/// `(x − broadcast(row)) · w` for each of `batch`, with `rows` rows on the left: what is left
/// of attention's second product when the softmax is not recognized as one.
fn case(batch: usize, rows: usize) -> Case {
    let mut new = NewCase::new(&format!("fused_broadcast_{batch}x{rows}"));
    let x = new.floats(DType::F32, &[batch, rows, 64], 1.0);
    let row = new.floats(DType::F32, &[batch, rows], 1.0);
    let row = new.add(Op::Broadcast { shape: vec![batch, rows, 64], axes: vec![0, 1] }, &[row]);
    let x = new.add(Op::Binary(Binary::Subtract), &[x, row]);
    let w = new.floats(DType::F32, &[batch, 64, 64], 1.0);
    let (batch, contract) = ((vec![0], vec![0]), (vec![2], vec![1]));
    let y = new.add(Op::Dot { batch, contract }, &[x, w]);
    new.returns(y, 1e-5)
}

/// Batches and rows whose product IREE 3.13 packs wrongly: rows that do not fill a tile.
const WRONG: [(usize, usize); 3] = [(3, 3), (2, 7), (2, 31)];

/// What is right: no batch, and rows that fill their tiles, as those of prefill do.
const RIGHT: [(usize, usize); 4] = [(1, 3), (3, 4), (3, 32), (3, 96)];

fn distances(sizes: &[(usize, usize)], flags: &[String]) -> Vec<(String, bool)> {
    let cases: Vec<Case> = sizes.iter().map(|(batch, rows)| case(*batch, *rows)).collect();
    let device = Device::with_flags(&cases, flags);
    let right = |case: &Case| case.accepts(device.distance(case, &case.expected()));
    cases.iter().map(|case| (case.graph.name.clone(), right(case))).collect()
}

#[test]
fn data_tiling_packs_unfilled_tiles_with_a_fused_broadcast_wrongly() {
    let flags = module_flags(Target::CpuHost, EntryKind::Prefill, 32);
    assert!(flags.contains(&"--iree-opt-data-tiling".to_owned()), "{flags:?}");
    // Which sizes are hit follows from the processor's tiles, so one is enough.
    let results = distances(&WRONG, &flags);
    if !cfg!(target_feature = "avx512f") && !std::is_x86_feature_detected!("avx512f") {
        println!("skipped: the sizes are those of AVX-512's tiles; here {results:?}");
        return;
    }
    for (name, right) in results {
        assert!(!right, "IREE gets {name} right now: see docs/decisions/data-tiling.md");
    }
}

#[test]
fn data_tiling_is_right_where_tiles_are_full() {
    let flags = module_flags(Target::CpuHost, EntryKind::Prefill, 32);
    for (name, right) in distances(&RIGHT, &flags) {
        assert!(right, "{name}");
    }
}

#[test]
fn without_data_tiling_all_are_right() {
    let flags = module_flags(Target::CpuHost, EntryKind::Decode, 32);
    for (name, right) in distances(&[WRONG.as_slice(), &RIGHT].concat(), &flags) {
        assert!(right, "{name}");
    }
}
