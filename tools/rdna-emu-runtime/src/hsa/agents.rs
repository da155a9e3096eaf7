//! The two agents: the host and the device, and the device's instruction sets.

use std::ffi::c_void;

use super::runtime::{self, Runtime};
use super::types::{Status, Visit};
use super::{exports, put, put_text, visit};

/// The host.
pub const HOST: u64 = 1;
/// The device.
pub const GPU: u64 = 2;
/// The device's own instruction set, and the one that its family shares.
const OWN_ISA: u64 = 11;
const GENERIC_ISA: u64 = 12;

/// Fails for what is no agent; says whether it is the device.
pub fn is_gpu(agent: u64) -> Result<bool, Status> {
    match agent {
        HOST => Ok(false),
        GPU => Ok(true),
        _ => Err(Status::INVALID_AGENT),
    }
}

/// The device's number in PCI's list of chips: that of gfx1151, whichever chip is configured.
const CHIP: u32 = 0x1586;

/// Tells an attribute of an agent.
///
/// # Safety
/// `value` has room for the attribute's type, or is null.
unsafe fn tell(
    runtime: &Runtime,
    gpu: bool,
    attribute: u32,
    value: *mut c_void,
) -> Result<(), Status> {
    let config = &runtime.device.config;
    let budget = runtime.device.heap.budget();
    let either = |device: u32, host: u32| if gpu { device } else { host };
    // SAFETY: the caller promises the room.
    unsafe {
        match attribute {
            0 => put_text(value, if gpu { &config.gfx } else { "emulated host" }),
            1 => put_text(value, if gpu { "AMD" } else { "CPU" }),
            // Features: kernel dispatches.
            2 => put(value, either(1, 0)),
            // The large machine model; the base profile, or the full one.
            3 => put(value, 1u32),
            4 => put(value, either(0, 1)),
            // Rounding to the nearest.
            5 => put(value, 2u32),
            6 => put(value, either(32, 0)),
            7 => put(value, if gpu { [1024u16; 3] } else { [0; 3] }),
            8 => put(value, either(1024, 0)),
            9 => put(value, if gpu { [u32::MAX; 3] } else { [0; 3] }),
            10 => put(value, either(u32::MAX, 0)),
            11 => put(value, either(32, 0)),
            // Queues: how many, of how many packets, for one thread or many.
            12 => put(value, either(128, 0)),
            13 => put(value, either(64, 0)),
            14 => put(value, either(super::queues::MOST_PACKETS, 0)),
            15 => put(value, 0u32),
            16 => put(value, either(1, 0)),
            // The kind: a GPU or a CPU.
            17 => put(value, either(1, 0)),
            18 => put(value, if gpu { [32 << 10, 2 << 20, 0, 0] } else { [0u32; 4] }),
            19 => put(value, if gpu { OWN_ISA } else { 0 }),
            20 => put(value, [0u8; 128]),
            21 => put(value, 1u16),
            22 => put(value, 1u16),
            23 => put(value, 2u32),
            24 => put(value, u8::from(gpu)),
            0xa000 => put(value, either(CHIP, 0)),
            0xa001 => put(value, 64u32),
            0xa002 => put(value, either(config.compute_units, 1)),
            0xa003 => put(value, either(2900, 3000)),
            0xa004 => put(value, either(1, 0)),
            0xa005 => put(value, 4u32),
            // Bus, device and function.
            0xa006 => put(value, either(0x100, 0)),
            0xa007 => put(value, either(256, 64)),
            0xa008 => put(value, 1000u32),
            0xa009 => put_text(value, &product(runtime, gpu)),
            0xa00a => put(value, either(32, 0)),
            0xa00b => put(value, either(2, 0)),
            // Shader engines, and their arrays.
            0xa00c => put(value, either(2, 0)),
            0xa00d => put(value, either(2, 0)),
            // The registers that flush the host's writes: none, host memory is seen as it is.
            0xa00e => put(value, [0u64; 2]),
            0xa00f => put(value, 0u32),
            0xa010 => put(value, 0u8),
            0xa011 => put_text(value, if gpu { "GPU-746f7974656d7500" } else { "CPU-XX" }),
            0xa012 => put(value, 0u32),
            // The host reaches the device's memory as its own.
            0xa013 => put(value, 0u8),
            0xa014 => put(value, either(config.compute_units, 0)),
            0xa015 => put(value, budget.total() - budget.used()),
            0xa016 => put(value, 100_000_000u64),
            0xa107 => put(value, either(150, 0)),
            0xa108 | 0xa109 => put(value, 0u32),
            0xa10a | 0xa10b => put(value, 0u32),
            0xa110 => put(value, 0u8),
            0xa111 => put(value, either(1, 0)),
            0xa112 => put(value, either(7, 0)),
            0xa113 => put(value, HOST),
            // Bit 0: memory of host and device is one.
            0xa114 => put(value, [u8::from(gpu), 0, 0, 0, 0, 0, 0, 0]),
            0xa115 => put(value, [0u8; 8]),
            _ => Err(Status::INVALID_ARGUMENT),
        }
    }
}

fn product(runtime: &Runtime, gpu: bool) -> String {
    if gpu { format!("Emulated {}", runtime.device.config.gfx) } else { "Host".to_owned() }
}

exports! {
    /// Visits the agents: the host, then the device.
    fn hsa_iterate_agents(callback: Visit, data: *mut c_void) {
        runtime::current()?;
        // SAFETY: the caller gave the callback for this.
        unsafe { visit(callback, data, [HOST, GPU]) }
    }

    /// Tells an attribute of an agent.
    fn hsa_agent_get_info(agent: u64, attribute: u32, value: *mut c_void) {
        let runtime = runtime::current()?;
        // SAFETY: the caller's place has room for the attribute's type, as HSA says.
        unsafe { tell(&runtime, is_gpu(agent)?, attribute, value) }
    }

    /// Visits an agent's caches: none are modelled.
    fn hsa_agent_iterate_caches(agent: u64, callback: Visit, data: *mut c_void) {
        runtime::current()?;
        is_gpu(agent)?;
        // SAFETY: there is nothing to call it with.
        unsafe { visit(callback, data, []) }
    }

    /// Visits an agent's instruction sets.
    fn hsa_agent_iterate_isas(agent: u64, callback: Visit, data: *mut c_void) {
        runtime::current()?;
        let all = if is_gpu(agent)? { &[OWN_ISA, GENERIC_ISA][..] } else { &[] };
        // SAFETY: the caller gave the callback for this.
        unsafe { visit(callback, data, all.iter().copied()) }
    }

    /// Tells an attribute of an instruction set.
    fn hsa_isa_get_info_alt(isa: u64, attribute: u32, value: *mut c_void) {
        let runtime = runtime::current()?;
        let chip = match isa {
            OWN_ISA => &runtime.device.config.gfx[..],
            GENERIC_ISA => "gfx11-generic",
            _ => return Err(Status::INVALID_ISA),
        };
        let name = format!("amdgcn-amd-amdhsa--{chip}");
        // SAFETY: the caller's place has room for the attribute's type, as HSA says.
        unsafe {
            match attribute {
                0 => put(value, name.len() as u32 + 1),
                1 => put_text(value, &name),
                5 => put(value, [0u8, 1]),
                6 => put(value, [1u8, 0]),
                7 | 8 => put(value, [0u8, 0, 1]),
                9 => put(value, 1u8),
                12 => put(value, [1024u16; 3]),
                13 => put(value, 1024u32),
                14 => put(value, [u32::MAX; 3]),
                16 => put(value, u64::from(u32::MAX)),
                17 => put(value, 32u32),
                _ => Err(Status::INVALID_ARGUMENT),
            }
        }
    }
}
