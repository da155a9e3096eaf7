//! Where memory comes from: the pools of both agents, and the older regions.

use std::ffi::c_void;

use super::agents::is_gpu;
use super::runtime;
use super::types::{Status, Visit};
use super::{exports, put, visit};
use crate::device::Kind;

/// A pool, or a region, by its handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pool {
    /// Its handle.
    pub handle: u64,
    /// Whether it is the device's.
    pub is_gpu: bool,
    /// Bits of `hsa_amd_memory_pool_global_flag_t`: 1 for arguments, 2 fine, 4 coarse.
    pub flags: u32,
}

const POOLS: [Pool; 5] = [
    Pool { handle: 1, is_gpu: false, flags: 2 },
    Pool { handle: 2, is_gpu: false, flags: 3 },
    Pool { handle: 3, is_gpu: false, flags: 4 },
    Pool { handle: 4, is_gpu: true, flags: 4 },
    Pool { handle: 5, is_gpu: true, flags: 2 },
];

impl Pool {
    /// By its handle.
    pub fn get(handle: u64) -> Option<Pool> {
        POOLS.into_iter().find(|pool| pool.handle == handle)
    }

    /// What its blocks are.
    pub fn kind(self) -> Kind {
        if self.is_gpu { Kind::Vram } else { Kind::Gtt }
    }

    /// The name of its blocks in messages.
    pub fn name(self) -> &'static str {
        match self.handle {
            1 => "host memory (fine)",
            2 => "host memory (arguments)",
            3 => "host memory (coarse)",
            4 => "device memory (coarse)",
            _ => "device memory (fine)",
        }
    }

    /// The pool that a block of that name came from.
    pub fn of_name(name: &str) -> Option<Pool> {
        POOLS.into_iter().find(|pool| pool.name() == name)
    }
}

/// Allocations are multiples of this.
const GRANULE: usize = 4096;

exports! {
    /// Visits an agent's pools.
    fn hsa_amd_agent_iterate_memory_pools(agent: u64, callback: Visit, data: *mut c_void) {
        runtime::current()?;
        let gpu = is_gpu(agent)?;
        let pools = POOLS.into_iter().filter(|pool| pool.is_gpu == gpu).map(|pool| pool.handle);
        // SAFETY: the caller gave the callback for this.
        unsafe { visit(callback, data, pools) }
    }

    /// Tells an attribute of a pool.
    fn hsa_amd_memory_pool_get_info(pool: u64, attribute: u32, value: *mut c_void) {
        let runtime = runtime::current()?;
        let pool = Pool::get(pool).ok_or(Status(40))?;
        let config = &runtime.device.config;
        let size = config.vram_bytes.saturating_add(config.gtt_bytes) as usize;
        // SAFETY: the caller's place has room for the attribute's type, as HSA says.
        unsafe {
            match attribute {
                // The global segment.
                0 => put(value, 0u32),
                1 => put(value, pool.flags),
                2 | 16 => put(value, size),
                5 => put(value, 1u8),
                6 | 7 => put(value, GRANULE),
                15 => put(value, u8::from(!pool.is_gpu)),
                17 => put(value, u32::from(pool.is_gpu)),
                18 => put(value, if pool.is_gpu { 2usize << 20 } else { GRANULE }),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    }

    /// Tells how an agent reaches a pool: all do, at once.
    fn hsa_amd_agent_memory_pool_get_info(agent: u64, pool: u64, attribute: u32, value: *mut c_void) {
        runtime::current()?;
        is_gpu(agent)?;
        Pool::get(pool).ok_or(Status(40))?;
        // SAFETY: the caller's place has room for the attribute's type, as HSA says.
        unsafe {
            match attribute {
                0 => put(value, 1u32),
                1 => put(value, 0u32),
                // Of no hops nothing is to be told.
                2 => Ok(()),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    }

    /// Visits an agent's regions: its fine memory, and the host's arguments.
    fn hsa_agent_iterate_regions(agent: u64, callback: Visit, data: *mut c_void) {
        runtime::current()?;
        let gpu = is_gpu(agent)?;
        let regions = POOLS.into_iter().filter(|pool| pool.is_gpu == gpu && pool.flags & 2 != 0);
        // SAFETY: the caller gave the callback for this.
        unsafe { visit(callback, data, regions.map(|pool| pool.handle)) }
    }

    /// Tells an attribute of a region.
    fn hsa_region_get_info(region: u64, attribute: u32, value: *mut c_void) {
        let runtime = runtime::current()?;
        let pool = Pool::get(region).ok_or(Status::INVALID_REGION)?;
        let size = runtime.device.heap.budget().total() as usize;
        // SAFETY: the caller's place has room for the attribute's type, as HSA says.
        unsafe {
            match attribute {
                0 => put(value, 0u32),
                1 => put(value, pool.flags),
                2 | 4 => put(value, size),
                5 => put(value, 1u8),
                6 | 7 => put(value, GRANULE),
                8 => put(value, 0u32),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    }
}
