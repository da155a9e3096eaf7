//! HSA's numbers and layouts, as far as they are used. Source: "HSA Runtime Programmer's Reference Manual" 1.2 and the
//! interface of AMD's extensions; a test below holds the layouts to their sizes and places.

use std::ffi::c_void;
use std::sync::atomic::{AtomicI64, AtomicU64};

/// The outcome of a call (`hsa_status_t`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status(pub u32);

#[allow(missing_docs, reason = "the names are HSA's")]
impl Status {
    pub const SUCCESS: Status = Status(0);
    pub const ILLEGAL_INSTRUCTION: Status = Status(42);
    pub const MEMORY_FAULT: Status = Status(43);
    pub const ERROR: Status = Status(0x1000);
    pub const INVALID_ARGUMENT: Status = Status(0x1001);
    pub const INVALID_QUEUE_CREATION: Status = Status(0x1002);
    pub const INVALID_ALLOCATION: Status = Status(0x1003);
    pub const INVALID_AGENT: Status = Status(0x1004);
    pub const INVALID_REGION: Status = Status(0x1005);
    pub const INVALID_SIGNAL: Status = Status(0x1006);
    pub const INVALID_QUEUE: Status = Status(0x1007);
    pub const OUT_OF_RESOURCES: Status = Status(0x1008);
    pub const INVALID_PACKET_FORMAT: Status = Status(0x1009);
    pub const NOT_INITIALIZED: Status = Status(0x100b);
    pub const INVALID_ISA: Status = Status(0x100f);
    pub const INVALID_CODE_OBJECT: Status = Status(0x1010);
    pub const INVALID_EXECUTABLE: Status = Status(0x1011);
    pub const FROZEN_EXECUTABLE: Status = Status(0x1012);
    pub const INVALID_SYMBOL_NAME: Status = Status(0x1013);
    pub const EXCEPTION: Status = Status(0x1016);
    pub const INVALID_EXECUTABLE_SYMBOL: Status = Status(0x1019);
    pub const INVALID_CODE_OBJECT_READER: Status = Status(0x1021);
    pub const FATAL: Status = Status(0x1026);
}

/// A callback over agents, pools, regions, instruction sets: a handle and the caller's data.
pub type Visit = Option<unsafe extern "C" fn(u64, *mut c_void) -> u32>;
/// A queue's error callback.
pub type QueueCallback = Option<unsafe extern "C" fn(u32, *mut AmdQueue, *mut c_void)>;

/// The kind of a signal that hosts and kernels use (`AMD_SIGNAL_KIND_USER`).
pub const SIGNAL_USER: i64 = 1;
/// The kind of a signal that is a queue's doorbell.
pub const SIGNAL_DOORBELL: i64 = -1;

/// A signal, which its handle points to (`amd_signal_t`).
#[derive(Debug)]
#[repr(C, align(64))]
pub struct AmdSignal {
    /// [`SIGNAL_USER`] or [`SIGNAL_DOORBELL`].
    pub kind: i64,
    /// The value, or the doorbell's address.
    pub value: AtomicI64,
    /// Zero: nobody sleeps in the driver's kernel here.
    pub event_mailbox: u64,
    /// Zero.
    pub event_id: u32,
    /// Zero.
    pub reserved1: u32,
    /// When the packet began, where a queue is profiled.
    pub start: AtomicU64,
    /// When it ended.
    pub end: AtomicU64,
    /// A doorbell's queue.
    pub queue: u64,
    /// Zero.
    pub reserved3: [u32; 2],
}

/// A queue as its creator sees it (`amd_queue_t`, which begins with `hsa_queue_t`).
#[derive(Debug)]
#[repr(C, align(64))]
pub struct AmdQueue {
    /// Whether one or many threads submit.
    pub kind: u32,
    /// What packets it takes: bit 0, kernel dispatches.
    pub features: u32,
    /// Its packets, 64 bytes each.
    pub base: u64,
    /// The signal that is its doorbell.
    pub doorbell: u64,
    /// How many packets it has room for.
    pub size: u32,
    /// Zero.
    pub reserved0: u32,
    /// Its number.
    pub id: u64,
    /// Zero.
    pub reserved1: [u32; 4],
    /// The number of the next packet that is written.
    pub write_index: AtomicU64,
    /// The upper half of LDS' addresses.
    pub group_aperture: u32,
    /// The upper half of scratch's addresses.
    pub private_aperture: u32,
    /// The last compute unit.
    pub max_cu_id: u32,
    /// The last wave of one.
    pub max_wave_id: u32,
    /// Unused.
    pub legacy_doorbell: [u32; 12],
    /// The number of the next packet that is read.
    pub read_index: AtomicU64,
    /// From the queue to the field above.
    pub read_index_offset: u32,
    /// Scratch and profiling, which are not set up here.
    pub scratch: [u32; 10],
    /// Bits: 1, that pointers have 64 bits.
    pub properties: u32,
    /// Zero.
    pub reserved3: [u32; 2],
    /// Unused.
    pub inactive_signal: u64,
    /// Zero.
    pub reserved4: [u32; 14],
}

/// What `hsa_amd_pointer_info` tells (`hsa_amd_pointer_info_t`).
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct PointerInfo {
    /// Its bytes.
    pub size: u32,
    /// 0 unknown, 1 allocated here, 2 locked.
    pub kind: u32,
    /// The block as kernels see it.
    pub agent_base: u64,
    /// The block as the host sees it.
    pub host_base: u64,
    /// Its bytes.
    pub bytes: u64,
    /// What the caller attached to it.
    pub user_data: u64,
    /// The agent that it belongs to.
    pub owner: u64,
    /// The flags of its pool.
    pub global_flags: u32,
    /// Whether it was registered with other agents.
    pub registered: u32,
}

/// What `hsa_amd_vmem_set_access` is given (`hsa_amd_memory_access_desc_t`).
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct AccessDescription {
    /// 0 none, 1 read, 2 write, 3 both.
    pub permissions: u32,
    /// The agent.
    pub agent: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{align_of, offset_of, size_of};

    #[test]
    fn layouts_are_those_of_the_interface() {
        assert_eq!((size_of::<AmdSignal>(), align_of::<AmdSignal>()), (64, 64));
        assert_eq!((offset_of!(AmdSignal, value), offset_of!(AmdSignal, start)), (8, 32));
        assert_eq!((offset_of!(AmdSignal, queue), offset_of!(AmdSignal, event_id)), (48, 24));
        assert_eq!((size_of::<AmdQueue>(), align_of::<AmdQueue>()), (256, 64));
        assert_eq!((offset_of!(AmdQueue, base), offset_of!(AmdQueue, doorbell)), (8, 16));
        assert_eq!((offset_of!(AmdQueue, size), offset_of!(AmdQueue, id)), (24, 32));
        assert_eq!(offset_of!(AmdQueue, write_index), 56);
        assert_eq!(offset_of!(AmdQueue, group_aperture), 64);
        assert_eq!(offset_of!(AmdQueue, private_aperture), 68);
        assert_eq!(offset_of!(AmdQueue, read_index), 128);
        assert_eq!(offset_of!(AmdQueue, read_index_offset), 136);
        assert_eq!(offset_of!(AmdQueue, properties), 180);
        assert_eq!(offset_of!(AmdQueue, inactive_signal), 192);
        assert_eq!(size_of::<PointerInfo>(), 56);
        assert_eq!(offset_of!(PointerInfo, owner), 40);
        assert_eq!((size_of::<AccessDescription>(), offset_of!(AccessDescription, agent)), (16, 8));
    }
}
