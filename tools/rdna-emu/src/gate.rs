//! What a code object's kernels need, and whether that is as it should be: a check that nothing has to run for.

use crate::launch::Code;
use crate::object::Kernel;

/// Registers that a SIMD of gfx1151, gfx1100 and gfx1101 has for each lane, the groups in which they are given, and the
/// most waves that it holds.
const REGISTERS: usize = 1536;
const GROUP: usize = 24;
const MOST_WAVES: usize = 16;

/// The columns of [`row`].
pub const HEADER: &str =
    "kernel                                    VGPR SGPR spills scratch    LDS waves";

/// Registers that the compiler had to keep elsewhere.
pub fn spills(kernel: &Kernel) -> usize {
    kernel.metadata.vgpr_spills + kernel.metadata.sgpr_spills
}

/// The waves that a SIMD holds by the kernel's registers. LDS may allow fewer.
pub fn waves(kernel: &Kernel) -> usize {
    let registers = kernel.metadata.vgprs.max(1).next_multiple_of(GROUP);
    MOST_WAVES.min(REGISTERS / registers)
}

/// A kernel's line of a table.
pub fn row(kernel: &Kernel) -> String {
    let (metadata, descriptor) = (&kernel.metadata, &kernel.descriptor);
    format!(
        "{:40} {:5} {:4} {:6} {:7} {:6} {:5}",
        metadata.name,
        metadata.vgprs,
        metadata.sgprs,
        spills(kernel),
        descriptor.scratch_size,
        descriptor.lds_size,
        waves(kernel)
    )
}

/// What is wrong: instructions that cannot be run; strictly, also spilled registers and scratch.
pub fn failures(code: &Code, is_strict: bool) -> Vec<String> {
    let mut failures = Vec::new();
    for kernel in code.module.kernels.iter().filter(|_| is_strict) {
        let (name, scratch) = (&kernel.metadata.name, kernel.descriptor.scratch_size);
        if spills(kernel) > 0 {
            failures.push(format!("`{name}` spills {} registers", spills(kernel)));
        }
        if scratch > 0 {
            failures.push(format!("`{name}` uses {scratch} bytes of scratch in each lane"));
        }
    }
    // Padding behind the code is of an instruction that is not run.
    let unknown = code.unknown().into_iter().filter(|(_, text, _)| text != "s_code_end");
    failures.extend(unknown.map(|(at, text, why)| format!("{at:#x} `{text}`: {why}")));
    failures
}
