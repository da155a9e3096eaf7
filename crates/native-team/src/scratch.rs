//! Memory that programs work in.

use std::io;

use memmap2::MmapMut;

/// From this size on, huge pages are worth asking for: they are 2 MiB on most machines.
#[cfg(target_os = "linux")]
const HUGE_FROM_BYTES: usize = 4 << 20;

/// Zeroed memory of the system, aligned to a page. Pages appear when they are touched.
#[derive(Debug)]
pub(crate) struct Scratch(MmapMut);

impl Scratch {
    pub(crate) fn new(bytes: u64) -> io::Result<Self> {
        let too_large = || io::Error::from(io::ErrorKind::OutOfMemory);
        // The system maps no empty range.
        let bytes = usize::try_from(bytes).map_err(|_| too_large())?.max(1);
        let map = MmapMut::map_anon(bytes)?;
        #[cfg(target_os = "linux")]
        if bytes >= HUGE_FROM_BYTES {
            // Advice: a kernel without huge pages refuses it and nothing is lost.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Ok(Self(map))
    }

    /// Its first byte. What is behind it may be written through the pointer while `self` lives,
    /// since nothing else here looks at it.
    pub(crate) fn pointer(&mut self) -> *mut u8 {
        self.0.as_mut_ptr()
    }
}
