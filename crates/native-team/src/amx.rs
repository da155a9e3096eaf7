//! Whether this process may use the matrix registers of AMX, which Linux gives on request.

use std::sync::OnceLock;

/// Asks the processor, then the system; asks once and remembers the answer. What is allowed holds
/// for all threads of the process.
pub(crate) fn allowed() -> bool {
    static ALLOWED: OnceLock<bool> = OnceLock::new();
    *ALLOWED.get_or_init(|| has_instructions() && permitted())
}

/// Tiles, their product of bf16, and the vector instructions that fill them.
#[cfg(target_arch = "x86_64")]
fn has_instructions() -> bool {
    use std::is_x86_feature_detected as has;
    // Leaf 7, register EDX (Intel's Software Developer's Manual, volume 2, CPUID).
    const AMX_BF16: u32 = 1 << 22;
    const AMX_TILE: u32 = 1 << 24;
    // Both leaves exist: a processor without AVX-512 has been sent away before.
    let vectors = has!("avx512f") && has!("avx512bw") && has!("avx512bf16");
    vectors
        && std::arch::x86_64::__cpuid_count(7, 0).edx & (AMX_BF16 | AMX_TILE) == AMX_BF16 | AMX_TILE
}

#[cfg(not(target_arch = "x86_64"))]
fn has_instructions() -> bool {
    false
}

/// Requests the registers' 8 KiB of state for every thread (Linux, Documentation/arch/x86/xstate.rst).
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn permitted() -> bool {
    const ARCH_REQ_XCOMP_PERM: libc::c_long = 0x1023;
    const XFEATURE_XTILEDATA: libc::c_long = 18;
    // SAFETY: the request takes two numbers and no memory. A kernel that does not know it
    // answers with an error.
    unsafe { libc::syscall(libc::SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0 }
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn permitted() -> bool {
    false
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_answer_does_not_change() {
        let first = super::allowed();
        let other = std::thread::spawn(super::allowed).join().expect("no panic");
        assert_eq!(first, other);
        assert!(!first || super::has_instructions());
    }
}
