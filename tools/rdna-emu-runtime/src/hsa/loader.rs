//! The loader's extension: where code lies.

use std::ffi::c_void;

use super::agents::GPU;
use super::runtime::{self, Runtime};
use super::types::Status;
use super::{guard, put, runtime::tell};
use crate::device::{Level, lock};

/// A visit of loaded code objects: the executable, the code object, and the caller's data.
type VisitLoaded = Option<unsafe extern "C" fn(u64, u64, *mut c_void) -> u32>;

/// The addresses of the extension's functions in version 1.03, in order.
pub fn table() -> [usize; 7] {
    [
        query_host_address as *const () as usize,
        not_offered as *const () as usize,
        query_executable as *const () as usize,
        iterate_loaded_code_objects as *const () as usize,
        loaded_code_object_get_info as *const () as usize,
        not_offered as *const () as usize,
        not_offered as *const () as usize,
    ]
}

/// The host reads code where kernels run it.
unsafe extern "C" fn query_host_address(device: *const c_void, host: *mut *const c_void) -> u32 {
    guard("hsa_ven_amd_loader_query_host_address", || {
        let runtime = runtime::current()?;
        runtime.device.codes.find(device as u64).ok_or(Status::INVALID_ARGUMENT)?;
        // SAFETY: the caller's place has room for a pointer.
        unsafe { put(host.cast(), device) }
    })
}

unsafe extern "C" fn query_executable(device: *const c_void, executable: *mut u64) -> u32 {
    guard("hsa_ven_amd_loader_query_executable", || {
        let runtime = runtime::current()?;
        let loaded = runtime.device.codes.find(device as u64).ok_or(Status::INVALID_ARGUMENT)?;
        let executables = lock(&runtime.executables);
        let mut all = executables.iter();
        let holds = |(_, found): &(u64, std::sync::Arc<_>)| std::sync::Arc::ptr_eq(found, &loaded);
        let found = all.find(|(_, executable)| executable.loaded.iter().any(holds));
        let (handle, _) = found.ok_or(Status::INVALID_ARGUMENT)?;
        // SAFETY: the caller's place has room for a handle.
        unsafe { put(executable.cast(), *handle) }
    })
}

unsafe extern "C" fn iterate_loaded_code_objects(
    executable: u64,
    callback: VisitLoaded,
    data: *mut c_void,
) -> u32 {
    guard("hsa_ven_amd_loader_executable_iterate_loaded_code_objects", || {
        let runtime = runtime::current()?;
        let callback = callback.ok_or(Status::INVALID_ARGUMENT)?;
        let executables = lock(&runtime.executables);
        let found = executables.get(&executable).ok_or(Status::INVALID_EXECUTABLE)?;
        let handles: Vec<u64> = found.loaded.iter().map(|(handle, _)| *handle).collect();
        // The callback asks for what it is called with.
        drop(executables);
        for handle in handles {
            // SAFETY: the caller gave the callback for this.
            let status = unsafe { callback(executable, handle, data) };
            if status != Status::SUCCESS.0 {
                return Err(Status(status));
            }
        }
        Ok(())
    })
}

/// The executable of a loaded code object, where its image lies, and its bytes.
fn loaded(runtime: &Runtime, handle: u64) -> Result<(u64, u64, u64), Status> {
    let executables = lock(&runtime.executables);
    let mut all = executables.iter().flat_map(|(executable, found)| {
        found.loaded.iter().map(move |(handle, loaded)| (*executable, *handle, loaded))
    });
    let found = all.find(|(_, other, _)| *other == handle).ok_or(Status::INVALID_CODE_OBJECT)?;
    Ok((found.0, found.2.address, found.2.size))
}

unsafe extern "C" fn loaded_code_object_get_info(
    handle: u64,
    attribute: u32,
    value: *mut c_void,
) -> u32 {
    guard("hsa_ven_amd_loader_loaded_code_object_get_info", || {
        let runtime = runtime::current()?;
        let (executable, address, size) = loaded(&runtime, handle)?;
        // SAFETY: the caller's place has room for the attribute's type.
        unsafe {
            match attribute {
                1 => put(value, executable),
                // Of an agent, which is the device.
                2 => put(value, 2u32),
                3 => put(value, GPU),
                // Its file was in memory.
                4 => put(value, 2u32),
                // The image's address is what its own addresses begin from.
                8 | 9 => put(value, address),
                10 => put(value, size),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    })
}

unsafe extern "C" fn not_offered() -> u32 {
    guard("hsa_ven_amd_loader", || {
        tell(Level::Errors, || "this function of the loader's extension is not offered".to_owned());
        Err(Status::ERROR)
    })
}
