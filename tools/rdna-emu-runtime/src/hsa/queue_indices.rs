//! The calls that read and change where a queue is written and read. A driver may as well use its memory.

use std::sync::atomic::{AtomicU64, Ordering};

use super::shielded;
use super::types::AmdQueue;

/// Exports functions of one of a queue's indices that return a number. Of a null queue it is 0.
macro_rules! indices {
    ($(fn $name:ident($field:ident, $index:ident $(, $argument:ident)*) $body:block)*) => {$(
        /// Reads or changes an index of a queue.
        ///
        /// # Safety
        /// The queue is null or was made here and is not destroyed.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(queue: *const AmdQueue $(, $argument: u64)*) -> u64 {
            shielded(stringify!($name), 0, || {
                if queue.is_null() || !queue.is_aligned() {
                    return 0;
                }
                // SAFETY: it is not null and aligned, and the caller promises the rest.
                let $index: &AtomicU64 = unsafe { &(*queue).$field };
                $body
            })
        }
    )*};
}

fn store(index: &AtomicU64, value: u64) -> u64 {
    index.store(value, Ordering::SeqCst);
    0
}

fn add(index: &AtomicU64, value: u64) -> u64 {
    index.fetch_add(value, Ordering::SeqCst)
}

fn compare_and_swap(index: &AtomicU64, expected: u64, value: u64) -> u64 {
    let swapped = index.compare_exchange(expected, value, Ordering::SeqCst, Ordering::SeqCst);
    swapped.unwrap_or_else(|found| found)
}

indices! {
    fn hsa_queue_load_read_index_scacquire(read_index, index) { index.load(Ordering::SeqCst) }
    fn hsa_queue_load_read_index_relaxed(read_index, index) { index.load(Ordering::SeqCst) }
    fn hsa_queue_load_write_index_relaxed(write_index, index) { index.load(Ordering::SeqCst) }
    fn hsa_queue_load_write_index_scacquire(write_index, index) { index.load(Ordering::SeqCst) }
    fn hsa_queue_store_write_index_relaxed(write_index, index, value) { store(index, value) }
    fn hsa_queue_store_write_index_screlease(write_index, index, value) { store(index, value) }
    fn hsa_queue_store_read_index_relaxed(read_index, index, value) { store(index, value) }
    fn hsa_queue_store_read_index_screlease(read_index, index, value) { store(index, value) }
    fn hsa_queue_add_write_index_scacq_screl(write_index, index, value) { add(index, value) }
    fn hsa_queue_add_write_index_scacquire(write_index, index, value) { add(index, value) }
    fn hsa_queue_add_write_index_relaxed(write_index, index, value) { add(index, value) }
    fn hsa_queue_add_write_index_screlease(write_index, index, value) { add(index, value) }
    fn hsa_queue_cas_write_index_scacq_screl(write_index, index, expected, value) {
        compare_and_swap(index, expected, value)
    }
    fn hsa_queue_cas_write_index_scacquire(write_index, index, expected, value) {
        compare_and_swap(index, expected, value)
    }
    fn hsa_queue_cas_write_index_relaxed(write_index, index, expected, value) {
        compare_and_swap(index, expected, value)
    }
    fn hsa_queue_cas_write_index_screlease(write_index, index, expected, value) {
        compare_and_swap(index, expected, value)
    }
}
