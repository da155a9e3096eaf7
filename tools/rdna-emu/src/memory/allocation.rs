//! One allocation: its words, and which of its bytes were written.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::Region;

/// A piece of memory.
#[derive(Debug)]
pub struct Allocation {
    pub name: String,
    pub size: u64,
    storage: Storage,
    /// Where its first byte lies in the first word.
    start: usize,
    /// One bit for each byte that was written; none where that is not tracked.
    written: Option<Vec<AtomicU32>>,
    is_freed: AtomicBool,
}

#[derive(Debug)]
enum Storage {
    Own(Vec<AtomicU32>),
    Mapped(Arc<dyn Region>),
}

fn zeros(count: usize) -> Vec<AtomicU32> {
    std::iter::repeat_with(|| AtomicU32::new(0)).take(count).collect()
}

impl Allocation {
    /// Bytes of the emulator's own, which read as zero.
    pub fn own(name: &str, size: usize) -> Self {
        Allocation {
            name: name.to_owned(),
            size: size as u64,
            storage: Storage::Own(zeros(size.div_ceil(4))),
            start: 0,
            written: Some(zeros(size.div_ceil(32))),
            is_freed: AtomicBool::new(false),
        }
    }

    /// Bytes of the host.
    pub fn mapped(
        name: &str,
        address: u64,
        size: u64,
        region: Arc<dyn Region>,
        tracks_written: bool,
    ) -> Self {
        Allocation {
            name: name.to_owned(),
            size,
            storage: Storage::Mapped(region),
            start: (address % 4) as usize,
            written: tracks_written.then(|| zeros((size as usize).div_ceil(32))),
            is_freed: AtomicBool::new(false),
        }
    }

    /// From now on every access is at fault.
    pub fn end(&self) {
        self.is_freed.store(true, Ordering::Release);
    }

    pub fn is_freed(&self) -> bool {
        self.is_freed.load(Ordering::Relaxed)
    }

    fn words(&self) -> &[AtomicU32] {
        match &self.storage {
            Storage::Own(words) => words,
            Storage::Mapped(region) => region.words(),
        }
    }

    /// The words that hold those bytes, and where in the first one they begin.
    pub fn words_at(&self, offset: usize, size: usize) -> (&[AtomicU32], usize) {
        let first = self.start + offset;
        (&self.words()[first / 4..(first + size).div_ceil(4)], first % 4)
    }

    pub fn read(&self, offset: usize, bytes: &mut [u8]) {
        let (words, offset) = (self.words(), self.start + offset);
        let head = bytes.len().min(offset.next_multiple_of(4) - offset);
        let (head, rest) = bytes.split_at_mut(head);
        read_bytes(words, offset, head);
        let first = (offset + head.len()) / 4;
        let whole = rest.len() / 4;
        let (body, tail) = rest.split_at_mut(4 * whole);
        for (word, chunk) in words[first..first + whole].iter().zip(body.chunks_exact_mut(4)) {
            chunk.copy_from_slice(&word.load(Ordering::Relaxed).to_le_bytes());
        }
        read_bytes(words, 4 * (first + whole), tail);
    }

    pub fn write(&self, offset: usize, bytes: &[u8]) {
        self.mark(offset, bytes.len());
        let (words, offset) = (self.words(), self.start + offset);
        let head = bytes.len().min(offset.next_multiple_of(4) - offset);
        let (head, rest) = bytes.split_at(head);
        write_bytes(words, offset, head);
        let first = (offset + head.len()) / 4;
        let whole = rest.len() / 4;
        let (body, tail) = rest.split_at(4 * whole);
        for (word, chunk) in words[first..first + whole].iter().zip(body.chunks_exact(4)) {
            let value = u32::from_le_bytes(chunk.try_into().expect("chunks of four"));
            word.store(value, Ordering::Relaxed);
        }
        write_bytes(words, 4 * (first + whole), tail);
    }

    /// Replaces a word of 4 bytes at once.
    pub fn update_word(&self, offset: usize, update: impl Fn(u64) -> u64) -> u64 {
        self.mark(offset, 4);
        let word = &self.words()[(self.start + offset) / 4];
        let change = |old: u32| Some(update(u64::from(old)) as u32);
        let old = word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change);
        u64::from(old.expect("the change is always made"))
    }

    /// Replaces 8 bytes at once as the host sees it, where the region offers that.
    pub fn update_pair(&self, offset: usize, update: &dyn Fn(u64) -> u64) -> Option<u64> {
        let Storage::Mapped(region) = &self.storage else { return None };
        let old = region.update_pair((self.start + offset) / 4, update)?;
        self.mark(offset, 8);
        Some(old)
    }

    /// The first of those bytes that nobody has written.
    pub fn first_unwritten(&self, offset: usize, size: usize) -> Option<usize> {
        let written = self.written.as_ref()?;
        (offset..offset + size)
            .find(|byte| written[byte / 32].load(Ordering::Relaxed) >> (byte % 32) & 1 == 0)
    }

    /// Remembers that bytes were written.
    pub fn mark(&self, offset: usize, size: usize) {
        let Some(written) = &self.written else { return };
        let mut byte = offset;
        while byte < offset + size {
            let count = (32 - byte % 32).min(offset + size - byte);
            let mask = ((1u64 << count) - 1) as u32;
            let bits = &written[byte / 32];
            let mask = mask << (byte % 32);
            // Most writes go where something was written before: reading is cheaper.
            if bits.load(Ordering::Relaxed) & mask != mask {
                bits.fetch_or(mask, Ordering::Relaxed);
            }
            byte += count;
        }
    }
}

/// Reads up to three bytes of one word.
fn read_bytes(words: &[AtomicU32], offset: usize, bytes: &mut [u8]) {
    for (index, byte) in bytes.iter_mut().enumerate() {
        let at = offset + index;
        *byte = words[at / 4].load(Ordering::Relaxed).to_le_bytes()[at % 4];
    }
}

/// Writes up to three bytes of one word; its other bytes keep what others write there meanwhile.
fn write_bytes(words: &[AtomicU32], offset: usize, bytes: &[u8]) {
    for (index, &byte) in bytes.iter().enumerate() {
        let (word, shift) = ((offset + index) / 4, 8 * ((offset + index) % 4));
        let replace = |old: u32| Some(old & !(0xff << shift) | u32::from(byte) << shift);
        let _ = words[word].fetch_update(Ordering::Relaxed, Ordering::Relaxed, replace);
    }
}
