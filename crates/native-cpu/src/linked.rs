//! Programs run in this process without IREE: how tests compare every variant of the kernels
//! with the interpreter.

use std::ptr::with_exposed_provenance;

use tyto_native_team::Team;

use crate::Variant;

/// Zeroed memory at a multiple of 64 bytes, as kernels expect weights and programs.
pub struct Aligned {
    lines: Vec<Line>,
    length: usize,
}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

impl Aligned {
    /// `length` zeros.
    pub fn zeros(length: usize) -> Self {
        Self { lines: vec![Line([0; 64]); length.div_ceil(64)], length }
    }

    /// A copy of `bytes`.
    pub fn copy_of(bytes: &[u8]) -> Self {
        let mut copy = Self::zeros(bytes.len());
        copy.bytes_mut().copy_from_slice(bytes);
        copy
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: lines are plain bytes without padding, one after the other, and there are at
        // least `length` of them.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.length) }
    }

    /// The bytes.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`; the borrow of `self` is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.length) }
    }
}

/// What a step reads and writes: `kernels-cpu/program.h` has the shapes.
pub struct Step<'a> {
    /// The weight file.
    pub weights: &'a Aligned,
    /// The phase program.
    pub program: &'a Aligned,
    /// i32 `[cells]`.
    pub tokens: &'a [i32],
    /// i32 `[cells]`.
    pub positions: &'a [i32],
    /// i32 `[cells]`.
    pub lengths: &'a [i32],
    /// i32 `[cells, 2]`.
    pub slots: &'a [i32],
    /// i32 `[batch, pages]`.
    pub tables: &'a [i32],
    /// i32 `[rows]`.
    pub sampled: &'a [i32],
    /// `[blocks, block_bytes]`.
    pub cache: &'a mut Aligned,
    /// f32 `[rows, vocabulary]`.
    pub logits: &'a mut [f32],
}

type Entry = unsafe extern "C" fn(
    *const u8,
    *const u8,
    *const i32,
    *const i32,
    *const i32,
    *const i32,
    *const i32,
    *const i32,
    *const i64,
    *mut u8,
    *mut f32,
);

type Numbers = unsafe extern "C" fn(out: *mut u32, room: u32) -> u32;

macro_rules! entries {
    ($($abi:ident $name:ident),*) => {
        unsafe extern "C" {
            $(fn $abi(out: *mut u32, room: u32) -> u32;
            fn $name(
                weights: *const u8, program: *const u8, tokens: *const i32, positions: *const i32,
                lengths: *const i32, slots: *const i32, tables: *const i32, sampled: *const i32,
                team: *const i64, cache: *mut u8, logits: *mut f32,
            );)*
        }
    };
}

entries!(tyto_abi_portable tyto_program_portable);
#[cfg(target_arch = "x86_64")]
entries!(
    tyto_abi_v3 tyto_program_v3,
    tyto_abi_v4 tyto_program_v4,
    tyto_abi_v4v tyto_program_v4v,
    tyto_abi_v4x tyto_program_v4x
);

fn entries(variant: Variant) -> (Numbers, Entry) {
    match variant {
        Variant::Portable => (tyto_abi_portable, tyto_program_portable),
        #[cfg(target_arch = "x86_64")]
        Variant::V3 => (tyto_abi_v3, tyto_program_v3),
        #[cfg(target_arch = "x86_64")]
        Variant::V4 => (tyto_abi_v4, tyto_program_v4),
        #[cfg(target_arch = "x86_64")]
        Variant::V4Vnni => (tyto_abi_v4v, tyto_program_v4v),
        #[cfg(target_arch = "x86_64")]
        Variant::V4Extended => (tyto_abi_v4x, tyto_program_v4x),
        #[cfg(not(target_arch = "x86_64"))]
        _ => unreachable!("another architecture has the portable variant only"),
    }
}

/// The numbers of `kernels-cpu/abi.h`, as the compiler of `variant` has them.
///
/// # Panics
/// Where this machine lacks the variant's instructions.
pub fn abi_numbers(variant: Variant) -> Vec<u32> {
    assert!(variant.runs_here(), "this machine has no {variant:?}");
    let (numbers, _) = entries(variant);
    let mut out = vec![0; 256];
    // SAFETY: the function writes at most as many numbers as it is told there is room for.
    let count = unsafe { numbers(out.as_mut_ptr(), 256) } as usize;
    assert!(count <= out.len(), "room for {count} numbers");
    out.truncate(count);
    out
}

/// Fills all scratch of a team, so that a program which reads what it has not written shows.
/// Parts begin at the offsets that `tyto_native_team::LAYOUT` gives.
pub fn fill_scratch(team: &mut Team, byte: u8) {
    let field = |name: &str| {
        let known = tyto_native_team::LAYOUT.iter().find(|(known, _)| *known == name);
        known.expect("a field of ty_team").1
    };
    let base = with_exposed_provenance::<u8>(team.address() as usize);
    // SAFETY: the address is that of a live `ty_team` whose layout is `LAYOUT`; nothing but a
    // step changes the fields that are read, and the exclusive borrow excludes one.
    let (shared, private, [shared_bytes, private_bytes]) = unsafe {
        let pointer = |name| base.add(field(name)).cast::<*mut u8>().read();
        let count = |name| base.add(field(name)).cast::<u64>().read() as usize;
        let counts = ["team.shared_bytes", "team.private_bytes"].map(count);
        (pointer("team.shared"), pointer("team.private"), counts)
    };
    // SAFETY: the team's own memory, of these sizes; helpers touch it within a step only.
    unsafe {
        shared.write_bytes(byte, shared_bytes);
        private.write_bytes(byte, private_bytes * team.n_workers());
    }
}

/// Runs one step on the kernels of `variant`.
///
/// # Safety
/// The program must be one that `tyto-phase-program` made, `team` have the scratch it asks for,
/// and the arguments the sizes it was planned for, with ids, slots and tables in range.
///
/// # Panics
/// Where this machine lacks the variant's instructions.
pub unsafe fn run(variant: Variant, team: &mut Team, step: &mut Step<'_>) {
    assert!(variant.runs_here(), "this machine has no {variant:?}");
    let address = team.address();
    team.step(|| {
        // SAFETY: the caller promises sizes and ranges; every pointer is of memory that the
        // step borrows for the call, and the team is borrowed exclusively.
        unsafe {
            entries(variant).1(
                step.weights.bytes().as_ptr(),
                step.program.bytes().as_ptr(),
                step.tokens.as_ptr(),
                step.positions.as_ptr(),
                step.lengths.as_ptr(),
                step.slots.as_ptr(),
                step.tables.as_ptr(),
                step.sampled.as_ptr(),
                &raw const address,
                step.cache.bytes_mut().as_mut_ptr(),
                step.logits.as_mut_ptr(),
            );
        }
    });
}
