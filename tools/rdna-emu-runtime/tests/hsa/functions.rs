//! The functions of HSA that the tests call.

use std::ffi::{c_char, c_void};

use tyto_rdna_emu_runtime as _;

unsafe extern "C" {
    pub fn hsa_init() -> u32;
    pub fn hsa_shut_down() -> u32;
    pub fn hsa_amd_memory_pool_allocate(
        pool: u64,
        size: usize,
        flags: u32,
        place: *mut *mut c_void,
    ) -> u32;
    pub fn hsa_amd_memory_pool_free(pointer: *mut c_void) -> u32;
    pub fn hsa_amd_memory_lock(
        host: *mut c_void,
        size: usize,
        agents: *const u64,
        count: i32,
        place: *mut *mut c_void,
    ) -> u32;
    pub fn hsa_amd_memory_unlock(host: *mut c_void) -> u32;
    pub fn hsa_amd_memory_async_copy(
        target: *mut c_void,
        target_agent: u64,
        source: *const c_void,
        source_agent: u64,
        size: usize,
        count: u32,
        dependencies: *const u64,
        completion: u64,
    ) -> u32;
    pub fn hsa_amd_signal_create(
        value: i64,
        count: u32,
        consumers: *const u64,
        attributes: u64,
        signal: *mut u64,
    ) -> u32;
    pub fn hsa_signal_destroy(signal: u64) -> u32;
    pub fn hsa_signal_store_screlease(signal: u64, value: i64);
    pub fn hsa_signal_load_scacquire(signal: u64) -> i64;
    pub fn hsa_signal_wait_scacquire(
        signal: u64,
        condition: u32,
        compare: i64,
        timeout: u64,
        state: u32,
    ) -> i64;
    pub fn hsa_queue_create(
        agent: u64,
        size: u32,
        kind: u32,
        callback: Option<unsafe extern "C" fn(u32, *mut c_void, *mut c_void)>,
        data: *mut c_void,
        private_bytes: u32,
        group_bytes: u32,
        queue: *mut *mut c_void,
    ) -> u32;
    pub fn hsa_queue_destroy(queue: *mut c_void) -> u32;
    pub fn hsa_code_object_reader_create_from_memory(
        bytes: *const c_void,
        size: usize,
        reader: *mut u64,
    ) -> u32;
    pub fn hsa_executable_create_alt(
        profile: u32,
        rounding: u32,
        options: *const c_char,
        executable: *mut u64,
    ) -> u32;
    pub fn hsa_executable_load_agent_code_object(
        executable: u64,
        agent: u64,
        reader: u64,
        options: *const c_char,
        loaded: *mut u64,
    ) -> u32;
    pub fn hsa_executable_freeze(executable: u64, options: *const c_char) -> u32;
    pub fn hsa_executable_destroy(executable: u64) -> u32;
    pub fn hsa_executable_get_symbol_by_name(
        executable: u64,
        name: *const c_char,
        agent: *const u64,
        symbol: *mut u64,
    ) -> u32;
    pub fn hsa_executable_symbol_get_info(symbol: u64, attribute: u32, value: *mut c_void) -> u32;
    pub fn hsa_amd_ipc_memory_create(pointer: *mut c_void, size: usize, handle: *mut c_void)
    -> u32;
    pub fn hsa_amd_vmem_address_reserve_align(
        place: *mut *mut c_void,
        size: usize,
        address: u64,
        alignment: u64,
        flags: u64,
    ) -> u32;
    pub fn hsa_amd_vmem_address_free(pointer: *mut c_void, size: usize) -> u32;
    pub fn hsa_amd_vmem_handle_create(
        pool: u64,
        size: usize,
        kind: u32,
        flags: u64,
        handle: *mut u64,
    ) -> u32;
    pub fn hsa_amd_vmem_handle_release(handle: u64) -> u32;
    pub fn hsa_amd_vmem_map(
        pointer: *mut c_void,
        size: usize,
        offset: usize,
        handle: u64,
        flags: u64,
    ) -> u32;
    pub fn hsa_amd_vmem_set_access(
        pointer: *mut c_void,
        size: usize,
        access: *const [u64; 2],
        count: usize,
    ) -> u32;
    pub fn hsa_amd_vmem_unmap(pointer: *mut c_void, size: usize) -> u32;
}
