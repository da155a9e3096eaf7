//! Where the time of steps goes, by kernel: what phase programs note of their phases, added up.

use std::sync::{Arc, Mutex, PoisonError};

use tyto_artifact::EntryKind;
use tyto_native_team::PhaseTime;

/// Sums over all calls since they were last taken; clones share them. The engine's thread adds,
/// others take.
#[derive(Clone, Debug, Default)]
pub struct StepProfile(Arc<Mutex<[CallTimes; 2]>>);

/// The calls of one kind: decode calls, or prefill calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallTimes {
    /// How many.
    pub calls: u64,
    /// What they took, the longest first.
    pub kernels: Vec<KernelTime>,
}

/// One kernel on one shape.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelTime {
    /// What it computes. Row operations that precede a kernel in its phase count as part of it.
    pub kernel: &'static str,
    /// Of weights, or of the cache; "" of row operations.
    pub format: String,
    /// Outputs and inputs of a product, query heads of an attention and their width; 0 of row
    /// operations.
    pub shape: [u32; 2],
    /// Phases in all calls.
    pub count: u64,
    /// In all calls.
    pub nanoseconds: u64,
    /// Bytes of weights, keys and values read in all calls.
    pub bytes: u64,
    /// Multiplications and additions in all calls.
    pub operations: u64,
}

impl CallTimes {
    /// Nanoseconds of all kernels.
    pub fn nanoseconds(&self) -> u64 {
        self.kernels.iter().map(|kernel| kernel.nanoseconds).sum()
    }

    fn add(&mut self, phases: &[PhaseTime]) {
        self.calls += 1;
        for phase in phases {
            let (kernel, format) = (kernel_name(phase.kind), format_name(phase.kind, phase.format));
            let shape = [phase.n, phase.k];
            let same = |known: &KernelTime| {
                known.kernel == kernel && known.shape == shape && known.format == format
            };
            let sum = match self.kernels.iter().position(same) {
                Some(index) => &mut self.kernels[index],
                None => {
                    let (count, nanoseconds, bytes, operations) = (0, 0, 0, 0);
                    let new =
                        KernelTime { kernel, format, shape, count, nanoseconds, bytes, operations };
                    self.kernels.push(new);
                    self.kernels.last_mut().expect("it was just pushed")
                }
            };
            sum.count += 1;
            sum.nanoseconds += phase.nanoseconds;
            sum.bytes += phase.bytes;
            sum.operations += phase.operations;
        }
    }
}

impl StepProfile {
    /// Adds one call.
    pub(crate) fn add(&self, kind: EntryKind, phases: &[PhaseTime]) {
        let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sums[index(kind)].add(phases);
    }

    /// The calls of one kind since the last time that this was asked; forgets those of both.
    pub fn take(&self, kind: EntryKind) -> CallTimes {
        let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = std::mem::take(&mut sums[index(kind)]);
        *sums = Default::default();
        taken.kernels.sort_by_key(|kernel| std::cmp::Reverse(kernel.nanoseconds));
        taken
    }
}

fn index(kind: EntryKind) -> usize {
    match kind {
        EntryKind::Decode => 0,
        EntryKind::Prefill => 1,
    }
}

/// `TY_PHASE_*` in words.
fn kernel_name(kind: u32) -> &'static str {
    let attention = "attention";
    let recurrent = ["convolution", "scan"];
    ["row operations", "product", attention, attention, "routing", "experts"]
        .iter()
        .chain(&recurrent)
        .nth(kind as usize)
        .copied()
        .unwrap_or("other")
}

/// `ty_format`, or a cache's format, in words (`kernels-cpu/program.h`).
fn format_name(kind: u32, format: u32) -> String {
    const ROWS: u32 = 0;
    const ROUTE: u32 = 4;
    const CONV: u32 = 6;
    let field = |at: u32| (format >> at & 15) as usize;
    let known = |names: &[&str], index: usize| names.get(index).copied().unwrap_or("?").to_owned();
    match format & 0xff {
        _ if kind == ROWS || kind == ROUTE || kind == CONV => String::new(),
        0 => "f32".to_owned(),
        1 => "f16".to_owned(),
        2 => "bf16".to_owned(),
        3 => {
            let code = match field(8) {
                9 => "e2m1".to_owned(),
                10 => "iq4".to_owned(),
                11 => "e4m3".to_owned(),
                bits => format!("{bits}-bit"),
            };
            let scales = ["f16", "bf16", "f32", "e8m0", "e4m3", "one", "super"];
            format!("{code} g{} {}", 1u32 << field(16), known(&scales, field(12)))
        }
        8 => "q8_0".to_owned(),
        9 => "q4_0".to_owned(),
        10 => "f8".to_owned(),
        _ => "?".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(kind: u32, format: u32, n: u32, nanoseconds: u64) -> PhaseTime {
        PhaseTime { kind, format, n, k: 64, rows: 1, bytes: 10, operations: 20, nanoseconds }
    }

    #[test]
    fn equal_kernels_are_added_up_and_taken_once() {
        let profile = StepProfile::default();
        let blocks = 3 | 4 << 8 | 5 << 16 | 2 << 20;
        let call = [phase(1, blocks, 96, 5), phase(3, 8, 9, 7), phase(1, blocks, 96, 6)];
        profile.add(EntryKind::Decode, &call);
        profile.add(EntryKind::Decode, &call);
        profile.add(EntryKind::Prefill, &[phase(0, 0, 0, 1)]);
        let taken = profile.take(EntryKind::Decode);
        assert_eq!((taken.calls, taken.nanoseconds()), (2, 36));
        let lines: Vec<_> = (taken.kernels.iter())
            .map(|k| (k.kernel, &*k.format, k.shape, k.count, k.nanoseconds, k.bytes))
            .collect();
        let product = ("product", "4-bit g32 f16", [96, 64], 4, 22, 40);
        assert_eq!(lines, [product, ("attention", "q8_0", [9, 64], 2, 14, 20)]);
        assert_eq!(profile.take(EntryKind::Prefill), CallTimes::default(), "all are forgotten");
    }

    #[test]
    fn phases_have_names() {
        let names = ["row operations", "product", "attention", "attention", "routing", "experts"];
        assert_eq!([0, 1, 2, 3, 4, 5].map(kernel_name), names);
        assert_eq!([6, 7, 8].map(kernel_name), ["convolution", "scan", "other"]);
    }

    #[test]
    fn formats_have_names() {
        let name = |format| format_name(1, format);
        assert_eq!([0, 1, 2, 9, 10].map(name), ["f32", "f16", "bf16", "q4_0", "f8"]);
        assert_eq!(name(3 | 9 << 8 | 3 << 12 | 5 << 16), "e2m1 g32 e8m0");
        assert_eq!(name(3 | 6 << 8 | 6 << 12 | 4 << 16 | 1 << 31), "6-bit g16 super");
        assert_eq!([0, 4].map(|kind| format_name(kind, 0)), ["", ""]);
    }
}
