//! Reserved addresses, and pieces of memory that are mapped there, several times if wanted.

use std::ffi::c_void;
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd};

use super::agents::is_gpu;
use super::memory::failed;
use super::pools::Pool;
use super::types::{AccessDescription, Status};
use super::{array, exports, put, runtime};
use crate::device::lock;

/// A piece of memory without an address.
#[derive(Debug)]
pub struct Handle {
    file: File,
    size: u64,
}

const PAGE: usize = 4096;

/// Maps anonymous pages that nobody may touch: at an address that is ours, or where the system likes.
///
/// # Safety
/// The pages at a given address were reserved, and nobody uses what lay there.
unsafe fn reserve(address: usize, size: usize) -> Result<*mut c_void, Status> {
    let fixed = if address == 0 { 0 } else { libc::MAP_FIXED };
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | fixed;
    // SAFETY: the caller promises that the pages are free to be replaced; without an address they are new.
    let pages = unsafe { libc::mmap(address as *mut c_void, size, libc::PROT_NONE, flags, -1, 0) };
    if pages == libc::MAP_FAILED { Err(Status::OUT_OF_RESOURCES) } else { Ok(pages) }
}

fn is_range(pointer: *mut c_void, size: usize) -> Result<(), Status> {
    let fits = !pointer.is_null() && size > 0 && size.is_multiple_of(PAGE);
    if fits && (pointer as usize).is_multiple_of(PAGE) {
        Ok(())
    } else {
        Err(Status::INVALID_ARGUMENT)
    }
}

exports! {
    /// Reserves addresses. A wish for some of them is not heeded.
    fn hsa_amd_vmem_address_reserve_align(
        place: *mut *mut c_void,
        size: usize,
        _address: u64,
        alignment: u64,
        _flags: u64,
    ) {
        runtime::current()?;
        let alignment = (alignment.max(PAGE as u64)) as usize;
        if place.is_null() || size == 0 || !size.is_multiple_of(PAGE) || !alignment.is_power_of_two() {
            return Err(Status::INVALID_ARGUMENT);
        }
        let outer = size.checked_add(alignment).ok_or(Status::OUT_OF_RESOURCES)?;
        // SAFETY: without an address, nothing is replaced.
        let first = unsafe { reserve(0, outer)? } as usize;
        let aligned = first.next_multiple_of(alignment);
        // SAFETY: what lies before and behind the aligned part was just reserved, and nobody knows of it.
        unsafe {
            if aligned > first {
                libc::munmap(first as *mut c_void, aligned - first);
            }
            libc::munmap((aligned + size) as *mut c_void, first + outer - aligned - size);
            put(place.cast(), aligned)
        }
    }

    /// Gives reserved addresses back.
    fn hsa_amd_vmem_address_free(pointer: *mut c_void, size: usize) {
        runtime::current()?;
        is_range(pointer, size)?;
        // SAFETY: the caller promises that these are reserved addresses that nobody uses any more.
        match unsafe { libc::munmap(pointer, size) } {
            0 => Ok(()),
            _ => Err(Status::INVALID_ARGUMENT),
        }
    }

    /// Makes a piece of memory of a pool's kind.
    fn hsa_amd_vmem_handle_create(pool: u64, size: usize, _kind: u32, _flags: u64, handle: *mut u64) {
        let runtime = runtime::current()?;
        Pool::get(pool).ok_or(Status(40))?;
        if size == 0 || !size.is_multiple_of(PAGE) || handle.is_null() {
            return Err(Status::INVALID_ARGUMENT);
        }
        if !runtime.device.heap.budget().take(size as u64) {
            return Err(Status::OUT_OF_RESOURCES);
        }
        let give_back = |status| {
            runtime.device.heap.budget().give(size as u64);
            status
        };
        // SAFETY: the name is text with an end.
        let file = unsafe { libc::memfd_create(c"rdna-emu".as_ptr(), libc::MFD_CLOEXEC) };
        if file < 0 {
            return Err(give_back(Status::OUT_OF_RESOURCES));
        }
        // SAFETY: the file was just opened, and nobody else has it.
        let file = unsafe { File::from_raw_fd(file) };
        file.set_len(size as u64).map_err(|_| give_back(Status::OUT_OF_RESOURCES))?;
        let number = runtime.handle();
        lock(&runtime.handles).insert(number, Handle { file, size: size as u64 });
        // SAFETY: the caller's place has room for a handle.
        unsafe { put(handle.cast(), number) }
    }

    /// Lets go of a piece of memory. It ends with its last mapping.
    fn hsa_amd_vmem_handle_release(handle: u64) {
        let runtime = runtime::current()?;
        let handle = lock(&runtime.handles).remove(&handle).ok_or(Status::INVALID_ARGUMENT)?;
        runtime.device.heap.budget().give(handle.size);
        Ok(())
    }

    /// Maps a piece of memory at reserved addresses.
    fn hsa_amd_vmem_map(pointer: *mut c_void, size: usize, offset: usize, handle: u64, _flags: u64) {
        let runtime = runtime::current()?;
        is_range(pointer, size)?;
        let handles = lock(&runtime.handles);
        let handle = handles.get(&handle).ok_or(Status::INVALID_ARGUMENT)?;
        let end = offset.checked_add(size).ok_or(Status::INVALID_ARGUMENT)? as u64;
        if end > handle.size || !offset.is_multiple_of(PAGE) {
            return Err(Status::INVALID_ARGUMENT);
        }
        let flags = libc::MAP_SHARED | libc::MAP_FIXED;
        let file = handle.file.as_raw_fd();
        // SAFETY: the caller promises that these addresses are reserved and not in use.
        let pages = unsafe { libc::mmap(pointer, size, libc::PROT_NONE, flags, file, offset as i64) };
        if pages == libc::MAP_FAILED { Err(Status::OUT_OF_RESOURCES) } else { Ok(()) }
    }

    /// Lets agents reach what is mapped.
    fn hsa_amd_vmem_set_access(pointer: *mut c_void, size: usize, access: *const AccessDescription, count: usize) {
        let runtime = runtime::current()?;
        is_range(pointer, size)?;
        // SAFETY: the caller's array has that many descriptions.
        let descriptions = unsafe { array(access, count)? };
        let mut is_wanted = false;
        for description in &descriptions {
            is_gpu(description.agent)?;
            is_wanted |= description.permissions != 0;
        }
        let protection = if is_wanted { libc::PROT_READ | libc::PROT_WRITE } else { libc::PROT_NONE };
        // SAFETY: the caller promises that these addresses were mapped.
        if unsafe { libc::mprotect(pointer, size, protection) } != 0 {
            return Err(Status::INVALID_ALLOCATION);
        }
        if !is_wanted {
            return Ok(());
        }
        // SAFETY: the caller promises that they stay mapped until they are unmapped here.
        let locked = unsafe { runtime.device.heap.lock("mapped memory", pointer as u64, size as u64) };
        locked.map_err(|error| failed("hsa_amd_vmem_set_access", error))
    }

    /// Takes a mapping away; its addresses stay reserved.
    fn hsa_amd_vmem_unmap(pointer: *mut c_void, size: usize) {
        let runtime = runtime::current()?;
        is_range(pointer, size)?;
        // Without access for anyone there is no lock to undo.
        let _ = runtime.device.heap.unlock(pointer as u64);
        // SAFETY: the caller promises that these addresses were mapped, and that nobody uses them any more.
        unsafe { reserve(pointer as usize, size) }.map(|_| ())
    }
}
