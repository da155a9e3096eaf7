//! Functions that a driver asks for by name and that are not offered: calling one is an error with its name.

use super::guard;
use super::runtime::tell;
use super::types::Status;
use crate::device::Level;

/// Exports functions that fail, whatever they are given: their arguments are not looked at.
macro_rules! absent {
    ($($name:ident)*) => {$(
        /// Is not offered: fails, and tells its name.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() -> u32 {
            guard(stringify!($name), || {
                tell(Level::Errors, || concat!(stringify!($name), " is not offered").to_owned());
                Err(Status::ERROR)
            })
        }
    )*};
}

absent! {
    hsa_cache_get_info
    hsa_amd_interop_map_buffer hsa_amd_interop_unmap_buffer
    hsa_amd_ipc_memory_create hsa_amd_ipc_memory_attach hsa_amd_ipc_memory_detach
    hsa_amd_ipc_signal_create hsa_amd_ipc_signal_attach
    hsa_amd_portable_export_dmabuf hsa_amd_portable_close_dmabuf
    hsa_amd_svm_attributes_get hsa_amd_svm_attributes_set hsa_amd_svm_prefetch_async
    hsa_soft_queue_create hsa_amd_queue_cu_set_mask
}
