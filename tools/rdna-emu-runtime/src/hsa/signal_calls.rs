//! The calls that make, change and wait for signals.
//!
//! All changes are sequentially consistent, whatever order a call asks for: that is allowed, and shows no missing
//! order. It is said in docs/rdna-emu.md.

use std::sync::atomic::Ordering;

use super::signals::{self, Condition};
use super::types::Status;
use super::{array, exports, put, runtime, shielded};

/// Exports changes of a signal that return nothing, one for each order of memory.
macro_rules! changes {
    ($($update:expr => $($name:ident)*;)*) => {$($(
        /// Changes a signal. One that is not valid is left alone, and told.
        ///
        /// # Safety
        /// The handle is null or a signal's.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(signal: u64, value: i64) {
            shielded(stringify!($name), (), || {
                let update: fn(i64, i64) -> i64 = $update;
                // SAFETY: the caller promises it.
                match unsafe { signals::get(signal) } {
                    Ok(signal) => { signals::change(signal, |old| update(old, value)); }
                    Err(_) => invalid(stringify!($name), signal),
                }
            })
        }
    )*)*};
}

changes! {
    |_, value| value => hsa_signal_store_relaxed hsa_signal_store_screlease
        hsa_signal_silent_store_relaxed hsa_signal_silent_store_screlease;
    |old, value| old.wrapping_add(value) => hsa_signal_add_scacq_screl hsa_signal_add_scacquire
        hsa_signal_add_relaxed hsa_signal_add_screlease;
    |old, value| old.wrapping_sub(value) => hsa_signal_subtract_scacq_screl hsa_signal_subtract_scacquire
        hsa_signal_subtract_relaxed hsa_signal_subtract_screlease;
    |old, value| old & value => hsa_signal_and_scacq_screl hsa_signal_and_scacquire
        hsa_signal_and_relaxed hsa_signal_and_screlease;
    |old, value| old | value => hsa_signal_or_scacq_screl hsa_signal_or_scacquire
        hsa_signal_or_relaxed hsa_signal_or_screlease;
    |old, value| old ^ value => hsa_signal_xor_scacq_screl hsa_signal_xor_scacquire
        hsa_signal_xor_relaxed hsa_signal_xor_screlease;
}

/// Exports functions of a signal that return a value of it.
macro_rules! values {
    ($(fn $name:ident($signal:ident $(, $argument:ident: $kind:ty)*) $body:block)*) => {$(
        /// Returns a signal's value as it was found. Of one that is not valid it is 0, and that is told.
        ///
        /// # Safety
        /// The handle is null or a signal's.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(signal: u64 $(, $argument: $kind)*) -> i64 {
            shielded(stringify!($name), 0, || {
                // SAFETY: the caller promises it.
                match unsafe { signals::get(signal) } {
                    Ok($signal) => $body,
                    Err(_) => {
                        invalid(stringify!($name), signal);
                        0
                    }
                }
            })
        }
    )*};
}

fn exchange(signal: &super::types::AmdSignal, value: i64) -> i64 {
    signals::change(signal, |_| value)
}

fn compare_and_swap(signal: &super::types::AmdSignal, expected: i64, value: i64) -> i64 {
    signals::change(signal, |old| if old == expected { value } else { old })
}

/// Waits and returns the value that was seen last.
fn wait(signal: &super::types::AmdSignal, condition: u32, compare: i64, nanoseconds: u64) -> i64 {
    let value = || signal.value.load(Ordering::SeqCst);
    let Ok(condition) = Condition::parse(condition) else { return value() };
    let found = signals::wait(nanoseconds, || {
        let value = value();
        condition.holds(value, compare).then_some(value)
    });
    found.unwrap_or_else(value)
}

values! {
    fn hsa_signal_load_scacquire(signal) { signal.value.load(Ordering::SeqCst) }
    fn hsa_signal_load_relaxed(signal) { signal.value.load(Ordering::SeqCst) }
    fn hsa_signal_exchange_scacq_screl(signal, value: i64) { exchange(signal, value) }
    fn hsa_signal_exchange_scacquire(signal, value: i64) { exchange(signal, value) }
    fn hsa_signal_exchange_relaxed(signal, value: i64) { exchange(signal, value) }
    fn hsa_signal_exchange_screlease(signal, value: i64) { exchange(signal, value) }
    fn hsa_signal_cas_scacq_screl(signal, expected: i64, value: i64) {
        compare_and_swap(signal, expected, value)
    }
    fn hsa_signal_cas_scacquire(signal, expected: i64, value: i64) {
        compare_and_swap(signal, expected, value)
    }
    fn hsa_signal_cas_relaxed(signal, expected: i64, value: i64) {
        compare_and_swap(signal, expected, value)
    }
    fn hsa_signal_cas_screlease(signal, expected: i64, value: i64) {
        compare_and_swap(signal, expected, value)
    }
    fn hsa_signal_wait_scacquire(signal, condition: u32, compare: i64, timeout: u64, _state: u32) {
        wait(signal, condition, compare, timeout)
    }
    fn hsa_signal_wait_relaxed(signal, condition: u32, compare: i64, timeout: u64, _state: u32) {
        wait(signal, condition, compare, timeout)
    }
}

fn invalid(name: &str, handle: u64) {
    let message = || format!("{name}: {handle:#x} is no signal");
    runtime::tell(crate::device::Level::Errors, message);
}

exports! {
    /// Makes a signal. Who consumes it makes no difference here.
    fn hsa_amd_signal_create(value: i64, _count: u32, _consumers: *const u64, _attributes: u64, signal: *mut u64) {
        runtime::current()?;
        if signal.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        // SAFETY: the caller's place has room for a handle.
        unsafe { put(signal.cast(), signals::create(value)) }
    }

    /// Ends a signal.
    fn hsa_signal_destroy(signal: u64) {
        // SAFETY: the caller promises that it is a signal that nobody uses any more.
        unsafe { signals::destroy(signal) }
    }
}

/// The signals, conditions and numbers of a wait for several.
struct Several {
    signals: Vec<&'static super::types::AmdSignal>,
    conditions: Vec<Condition>,
    compare: Vec<i64>,
}

impl Several {
    /// # Safety
    /// The arrays have `count` values, and the signals outlive the wait.
    unsafe fn read(
        count: u32,
        signals: *const u64,
        conditions: *const u32,
        compare: *const i64,
    ) -> Result<Self, Status> {
        let count = count as usize;
        // SAFETY: the caller promises it.
        unsafe {
            let handles = array(signals, count)?;
            Ok(Several {
                signals: handles
                    .into_iter()
                    .map(|handle| signals::get(handle))
                    .collect::<Result<_, _>>()?,
                conditions: array(conditions, count)?
                    .into_iter()
                    .map(Condition::parse)
                    .collect::<Result<_, _>>()?,
                compare: array(compare, count)?,
            })
        }
    }

    /// The value of a signal whose condition holds.
    fn holds(&self, index: usize) -> Option<i64> {
        let value = self.signals[index].value.load(Ordering::SeqCst);
        self.conditions[index].holds(value, self.compare[index]).then_some(value)
    }
}

/// What a wait for several returns when its time is over, or when an argument is wrong.
const NONE: u32 = u32::MAX;

/// Waits until one of the conditions holds. Returns its index, and the value that was seen.
///
/// # Safety
/// The arrays have `count` values, of signals that outlive the wait; `found` is null or has room for a value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hsa_amd_signal_wait_any(
    count: u32,
    signals: *const u64,
    conditions: *const u32,
    compare: *const i64,
    timeout: u64,
    _state: u32,
    found: *mut i64,
) -> u32 {
    shielded("hsa_amd_signal_wait_any", NONE, || {
        // SAFETY: the caller promises it.
        let Ok(all) = (unsafe { Several::read(count, signals, conditions, compare) }) else {
            invalid("hsa_amd_signal_wait_any", 0);
            return NONE;
        };
        let first = || {
            let mut each = (0..all.signals.len()).map(|index| (index, all.holds(index)));
            each.find_map(|(index, value)| Some((index, value?)))
        };
        let Some((index, value)) = signals::wait(timeout, first) else { return NONE };
        if !found.is_null() {
            // SAFETY: it is not null, and the caller promises the room.
            unsafe { found.write_unaligned(value) };
        }
        index as u32
    })
}

/// Waits until all of the conditions hold. Returns 0, and the values that were seen.
///
/// # Safety
/// As of `hsa_amd_signal_wait_any`, with room for all values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hsa_amd_signal_wait_all(
    count: u32,
    signals: *const u64,
    conditions: *const u32,
    compare: *const i64,
    timeout: u64,
    _state: u32,
    found: *mut i64,
) -> u32 {
    shielded("hsa_amd_signal_wait_all", NONE, || {
        // SAFETY: the caller promises it.
        let Ok(all) = (unsafe { Several::read(count, signals, conditions, compare) }) else {
            invalid("hsa_amd_signal_wait_all", 0);
            return NONE;
        };
        let every =
            || (0..all.signals.len()).map(|index| all.holds(index)).collect::<Option<Vec<_>>>();
        let Some(values) = signals::wait(timeout, every) else { return NONE };
        if !found.is_null() {
            for (index, value) in values.into_iter().enumerate() {
                // SAFETY: it is not null, and the caller promises room for all values.
                unsafe { found.add(index).write_unaligned(value) };
            }
        }
        0
    })
}
