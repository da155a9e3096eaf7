//! The memory that the allocator keeps.

/// Gives free memory of the allocator back to the system. Worth its milliseconds after something that
/// took much and has let go of it, such as reading a tokenizer's JSON: the C library would keep those
/// pages for as long as anything above them is in use.
pub fn give_back_free_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it touches only memory that nobody has allocated, under the allocator's own locks.
    unsafe {
        libc::malloc_trim(0);
    }
}
