//! Memory of the host that kernels reach at the host's addresses.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use tyto_rdna_emu::Region;

/// Bytes of a page.
pub const PAGE: u64 = 4096;

/// A range of the host's memory: our own mapping, or somebody's that we were told of.
#[derive(Debug)]
pub struct HostMemory {
    /// The first word, at a multiple of 4.
    words: *const AtomicU32,
    count: usize,
    /// Our own mapping with its guard pages, which ends with this value: address and bytes.
    mapping: Option<(*mut libc::c_void, usize)>,
}

// SAFETY: the memory is only reached through atomic operations here, and the mapping is ended once, by `drop`.
unsafe impl Send for HostMemory {}
// SAFETY: as above.
unsafe impl Sync for HostMemory {}

impl HostMemory {
    /// Maps that many bytes of zeros, with a page before and after them that nobody may touch. None when the host has
    /// no more.
    pub fn map(size: u64) -> Option<Self> {
        let inner = usize::try_from(size.checked_next_multiple_of(PAGE)?.max(PAGE)).ok()?;
        let guard = PAGE as usize;
        let outer = inner.checked_add(2 * guard)?;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new anonymous mapping touches no memory that exists.
        let base =
            unsafe { libc::mmap(std::ptr::null_mut(), outer, libc::PROT_NONE, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return None;
        }
        // SAFETY: these bytes lie inside the mapping that was just made, and nobody else knows of it.
        let result = unsafe {
            libc::mprotect(base.byte_add(guard), inner, libc::PROT_READ | libc::PROT_WRITE)
        };
        let memory = HostMemory {
            words: base.wrapping_byte_add(guard).cast::<AtomicU32>().cast_const(),
            count: inner / 4,
            mapping: Some((base, outer)),
        };
        (result == 0).then_some(memory)
    }

    /// Bytes that somebody else owns.
    ///
    /// # Safety
    /// The pages of these bytes stay mapped, readable and writable, until this value and all regions made of it have
    /// ended.
    pub unsafe fn borrowed(address: u64, size: u64) -> Self {
        let first = address & !3;
        let end = address.saturating_add(size).next_multiple_of(4);
        HostMemory {
            words: first as usize as *const AtomicU32,
            count: ((end - first) / 4) as usize,
            mapping: None,
        }
    }

    /// The first word's address.
    pub fn address(&self) -> u64 {
        self.words as usize as u64
    }
}

impl Drop for HostMemory {
    fn drop(&mut self) {
        if let Some((base, size)) = self.mapping {
            // SAFETY: this mapping is ours alone, and with this value its last user has ended. That munmap fails would
            // mean that these are not the numbers of `map`.
            unsafe { libc::munmap(base, size) };
        }
    }
}

impl Region for HostMemory {
    fn words(&self) -> &[AtomicU32] {
        // SAFETY: `map` made these words, or `borrowed`'s caller promises them for as long as this value lives. They
        // are aligned, and every access here is atomic. The host may write them meanwhile, as it may those of a real
        // device: what is read then is one value or the other for each word.
        unsafe { std::slice::from_raw_parts(self.words, self.count) }
    }

    fn update_pair(&self, index: usize, update: &dyn Fn(u64) -> u64) -> Option<u64> {
        let pair = self.words().get(index..index + 2)?.as_ptr().cast::<AtomicU64>();
        if !pair.is_aligned() {
            return None;
        }
        // SAFETY: the two words lie in the slice, are aligned for 8 bytes, and live as long as it does.
        let pair = unsafe { &*pair };
        pair.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |old| Some(update(old))).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_is_zero_and_has_guards() {
        let memory = HostMemory::map(5000).unwrap();
        assert_eq!(memory.words().len(), 2048);
        assert!(memory.words().iter().all(|word| word.load(Ordering::Relaxed) == 0));
        assert!(memory.address().is_multiple_of(PAGE));
        assert!(HostMemory::map(u64::MAX).is_none());
        assert!(HostMemory::map(1 << 60).is_none());
    }

    #[test]
    fn borrowed_bytes_begin_at_the_word_before_them() {
        let bytes = [7u64; 2];
        let address = bytes.as_ptr() as u64;
        // SAFETY: the array lives longer than the memory.
        let memory = unsafe { HostMemory::borrowed(address + 5, 4) };
        assert_eq!((memory.address(), memory.words().len()), (address + 4, 2));
        assert_eq!(memory.words()[1].load(Ordering::Relaxed), 7);
        assert_eq!(memory.update_pair(0, &|old| old), None, "not at a multiple of 8");
        assert_eq!(memory.update_pair(1, &|old| old), None, "behind the end");
    }
}
