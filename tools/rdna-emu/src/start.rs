//! How waves begin: their registers, by the kernel descriptor.

use crate::launch::Grid;
use crate::machine::wave::{EXEC, State, Wave};
use crate::machine::{Env, LANES, Numerics};
use crate::object::UserData;
use crate::object::{Descriptor, Kernel};

/// Where a launch's arguments and packet lie.
#[derive(Debug, Clone, Copy)]
pub struct Pointers {
    /// The argument block.
    pub kernarg: u64,
    /// The dispatch packet.
    pub packet: u64,
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
    pointers: Pointers,
    numerics: Numerics,
) -> Vec<Wave> {
    let place = grid.place(workgroup);
    let [x, y, z] = grid.workgroup;
    let items = (x * y * z) as usize;
    (0..items.div_ceil(LANES))
        .map(|number| {
            let mut wave = empty(&kernel.descriptor, kernel.entry, number, workgroup, numerics);
            scalars(&mut wave, &kernel.descriptor, place, pointers);
            let mut exec = 0u32;
            for lane in 0..LANES {
                let item = (number * LANES + lane) as u32;
                let id = [item % x, item / x % y, item / (x * y)];
                wave.vectors[0][lane] = id[0] | id[1] << 10 | id[2] << 20;
                // The last workgroup of an axis may be cut off by the grid's end.
                let is_inside = (0..3).all(|axis| {
                    place[axis] * grid.workgroup[axis] + id[axis] < grid.work_items[axis]
                });
                exec |= u32::from((item as usize) < items && is_inside) << lane;
            }
            wave.scalars[EXEC] = exec;
            if exec == 0 {
                wave.state = State::Done;
            }
            wave
        })
        .collect()
}

fn empty(
    descriptor: &Descriptor,
    entry: usize,
    number: usize,
    workgroup: usize,
    numerics: Numerics,
) -> Wave {
    let scratch_size = descriptor.scratch_size as usize;
    Wave {
        number,
        workgroup,
        scalars: [0; 128],
        vectors: vec![[0; LANES]; descriptor.vgprs.max(8)],
        scc: false,
        env: Env { mode: descriptor.mode, dx10_clamp: descriptor.dx10_clamp, numerics },
        next: entry / 4,
        state: State::Ready,
        scratch: vec![0; scratch_size * LANES],
        scratch_written: vec![false; scratch_size * LANES],
        scratch_size,
        executed: 0,
    }
}

/// The user registers, then the workgroup's place.
fn scalars(wave: &mut Wave, descriptor: &Descriptor, place: [u32; 3], pointers: Pointers) {
    let mut next = 0;
    for data in descriptor.user_data() {
        let (count, value) = match data {
            UserData::ScratchBuffer => (4, 0),
            UserData::DispatchPointer => (2, pointers.packet),
            UserData::Kernarg => (2, pointers.kernarg),
            // No address is 0: what follows the pointer is a fault.
            UserData::QueuePointer | UserData::DispatchId | UserData::FlatScratch => (2, 0),
            UserData::ScratchSize => (1, u64::from(descriptor.scratch_size)),
        };
        wave.scalars[next] = value as u32;
        if count > 1 {
            wave.scalars[next + 1] = (value >> 32) as u32;
        }
        next += count;
    }
    next = descriptor.user_sgprs as usize;
    for (place, _) in place.into_iter().zip(descriptor.workgroup_ids).filter(|axis| axis.1) {
        wave.scalars[next] = place;
        next += 1;
    }
}
