//! How waves begin: their registers, by the kernel descriptor.

use crate::launch::Grid;
use crate::machine::wave::{EXEC, State, Wave};
use crate::machine::{Env, LANES, Numerics};
use crate::object::UserData;
use crate::object::{Descriptor, Kernel};

/// How the registers of a launch's waves begin.
#[derive(Debug, Clone, Copy)]
pub struct Beginning<'a> {
    /// What the user registers point to.
    pub pointers: Pointers,
    /// The user registers themselves, where they are given.
    pub user: Option<&'a [u32]>,
    /// The scratch of a lane in bytes.
    pub scratch_size: u32,
    /// The numerics.
    pub numerics: Numerics,
}

/// Where a launch's arguments, packet and queue lie. What is 0 is a fault when a kernel follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pointers {
    /// The argument block.
    pub kernarg: u64,
    /// The dispatch packet.
    pub packet: u64,
    /// The queue.
    pub queue: u64,
    /// The number of the dispatch in its queue: no address.
    pub dispatch_id: u64,
}

/// The dispatch packet, as kernels may read it (`hsa_kernel_dispatch_packet_t`).
pub fn packet(kernel: &Kernel, grid: &Grid) -> [u8; 64] {
    let mut packet = [0; 64];
    let mut put = |at: usize, bytes: &[u8]| packet[at..at + bytes.len()].copy_from_slice(bytes);
    let dimensions = 1 + (grid.workgroup[1] > 1) as u16 + (grid.workgroup[2] > 1) as u16;
    put(0, &2u16.to_le_bytes());
    put(2, &dimensions.to_le_bytes());
    for axis in 0..3 {
        put(4 + 2 * axis, &(grid.workgroup[axis] as u16).to_le_bytes());
        put(12 + 4 * axis, &grid.work_items[axis].to_le_bytes());
    }
    put(24, &kernel.descriptor.scratch_size.to_le_bytes());
    put(28, &(kernel.descriptor.lds_size + grid.dynamic_lds).to_le_bytes());
    packet
}

/// The waves of a workgroup as they begin.
pub fn waves(
    kernel: &Kernel,
    grid: &Grid,
    workgroup: usize,
    beginning: &Beginning<'_>,
) -> Vec<Wave> {
    let place = grid.place(workgroup);
    // The last workgroup of an axis may be cut off by the grid's end. It is then a smaller workgroup, not one with
    // idle lanes between its work-items.
    let [x, y, z] = [0, 1, 2].map(|axis| {
        let before = u64::from(place[axis]) * u64::from(grid.workgroup[axis]);
        u64::from(grid.workgroup[axis]).min(u64::from(grid.work_items[axis]) - before) as usize
    });
    let items = x * y * z;
    (0..items.div_ceil(LANES))
        .map(|number| {
            let mut wave = empty(kernel, number, workgroup, beginning);
            scalars(&mut wave, &kernel.descriptor, place, beginning);
            let first = number * LANES;
            for lane in 0..LANES.min(items - first) {
                let item = first + lane;
                let id = [item % x, item / x % y, item / (x * y)].map(|id| id as u32);
                wave.vectors[0][lane] = id[0] | id[1] << 10 | id[2] << 20;
                wave.scalars[EXEC] |= 1 << lane;
            }
            wave
        })
        .collect()
}

fn empty(kernel: &Kernel, number: usize, workgroup: usize, beginning: &Beginning<'_>) -> Wave {
    let descriptor = &kernel.descriptor;
    let scratch_size = beginning.scratch_size as usize;
    let numerics = beginning.numerics;
    Wave {
        number,
        workgroup,
        scalars: [0; 128],
        vectors: vec![[0; LANES]; descriptor.vgprs.max(8)],
        scc: false,
        env: Env { mode: descriptor.mode, dx10_clamp: descriptor.dx10_clamp, numerics },
        next: kernel.entry / 4,
        state: State::Ready,
        scratch: vec![0; scratch_size * LANES],
        scratch_written: vec![false; scratch_size * LANES],
        scratch_size,
        executed: 0,
        counts: Default::default(),
    }
}

/// The user registers, then the workgroup's place.
fn scalars(wave: &mut Wave, descriptor: &Descriptor, place: [u32; 3], beginning: &Beginning<'_>) {
    let first = descriptor.user_sgprs as usize;
    match beginning.user {
        Some(user) => user.iter().take(first).enumerate().for_each(|(at, &value)| {
            wave.scalars[at] = value;
        }),
        None => user_scalars(wave, descriptor, beginning),
    }
    let wanted = place.into_iter().zip(descriptor.workgroup_ids).filter(|axis| axis.1);
    for (register, (place, _)) in (first..).zip(wanted) {
        wave.scalars[register] = place;
    }
}

fn user_scalars(wave: &mut Wave, descriptor: &Descriptor, beginning: &Beginning<'_>) {
    let mut next = 0;
    for data in descriptor.user_data() {
        let (count, value) = match data {
            // No address is 0: what follows the pointer is a fault.
            UserData::ScratchBuffer => (4, 0),
            UserData::FlatScratch => (2, 0),
            UserData::DispatchPointer => (2, beginning.pointers.packet),
            UserData::QueuePointer => (2, beginning.pointers.queue),
            UserData::Kernarg => (2, beginning.pointers.kernarg),
            UserData::DispatchId => (2, beginning.pointers.dispatch_id),
            UserData::ScratchSize => (1, u64::from(beginning.scratch_size)),
        };
        wave.scalars[next] = value as u32;
        if count > 1 {
            wave.scalars[next + 1] = (value >> 32) as u32;
        }
        next += count;
    }
}
