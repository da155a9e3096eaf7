//! Initialization, the system's attributes, and the table of the loader's extension.

use std::ffi::c_void;

use super::types::Status;
use super::{exports, loader, put, runtime};

/// Told to the driver as HSA's version.
const VERSION: (u16, u16) = (1, 18);
/// The loader's extension (`HSA_EXTENSION_AMD_LOADER`) and its version.
const LOADER: (u16, u16, u16) = (0x201, 1, 3);

/// Nanoseconds of the system's steady clock.
pub fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the place is ours and has room for the time.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Says to a driver that this library is the emulator. Other ways to ask would be by what it leaves out.
#[unsafe(no_mangle)]
pub extern "C" fn tyto_rdna_emulator() -> u32 {
    1
}

exports! {
    /// Opens the runtime and the device.
    fn hsa_init() { runtime::initialize() }

    /// Closes them, once for each opening.
    fn hsa_shut_down() { runtime::shut_down() }

    /// Takes a handler of events of the system. None happen here: faults reach the queues' callbacks.
    fn hsa_amd_register_system_event_handler(callback: *const c_void, _data: *mut c_void) {
        runtime::current()?;
        if callback.is_null() { Err(Status::INVALID_ARGUMENT) } else { Ok(()) }
    }

    /// Tells an attribute of the system.
    fn hsa_system_get_info(attribute: u32, value: *mut c_void) {
        runtime::current()?;
        // SAFETY: the caller's place has room for the attribute's type, as HSA says.
        unsafe {
            match attribute {
                0 => put(value, VERSION.0),
                1 => put(value, VERSION.1),
                // Time, and its frequency: nanoseconds.
                2 => put(value, now()),
                3 => put(value, 1_000_000_000u64),
                // The longest wait.
                4 => put(value, u64::MAX),
                // Little-endian, with large addresses.
                5 => put(value, 0u32),
                6 => put(value, 1u32),
                // Extensions as bits by number: the loader's lies beyond the bits that there are.
                7 => put(value, [0u8; 128]),
                // Memory that is shared; not all of it by itself.
                0x201 => put(value, 1u8),
                0x202 => put(value, 0u8),
                // No waiting by MWAITX, no file descriptors of buffers.
                0x203 | 0x204 => put(value, 0u8),
                // Reserved addresses.
                0x205 => put(value, 1u8),
                // Retrying of faults.
                0x206 => put(value, 0u8),
                0x207 => put(value, 1u16),
                0x208 => put(value, 8u16),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    }

    /// Says whether an extension is there.
    fn hsa_system_major_extension_supported(extension: u16, major: u16, minor: *mut u16, result: *mut u8) {
        runtime::current()?;
        let is_there = extension == LOADER.0 && major == LOADER.1;
        // SAFETY: the caller's places have room for these types.
        unsafe {
            if is_there && !minor.is_null() {
                put(minor.cast(), LOADER.2)?;
            }
            put(result.cast(), u8::from(is_there))
        }
    }

    /// Gives the functions of an extension, as many as the caller has room for.
    fn hsa_system_get_major_extension_table(extension: u16, major: u16, bytes: usize, table: *mut c_void) {
        runtime::current()?;
        if extension != LOADER.0 || major != LOADER.1 || table.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        for (index, function) in loader::table().into_iter().enumerate().take(bytes / 8) {
            // SAFETY: the caller's table has that many bytes, and a function's address has eight.
            unsafe { put(table.wrapping_byte_add(8 * index), function)? };
        }
        Ok(())
    }
}
