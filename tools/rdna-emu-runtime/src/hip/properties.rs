//! What the device says of itself: attributes by number, and the two structures of properties.
//!
//! ROCm 5 has `hipGetDeviceProperties` with the older structure ("R0000"), ROCm 6 beside it
//! `hipGetDevicePropertiesR0600`. Both are written here as values at offsets.

use super::occupancy::Multiprocessor;
use crate::device::Device;

/// Bytes of the older structure.
pub const SIZE_R0000: usize = 792;
/// Bytes of the newer one.
pub const SIZE_R0600: usize = 1472;
/// Work-items of a block.
const MOST_THREADS: u32 = 1024;
/// LDS of a block.
const LDS: u32 = 64 << 10;
/// Blocks along an axis.
const MOST_BLOCKS: u32 = i32::MAX as u32;
/// Lanes of a wave.
const WAVE: u32 = 32;
/// The clocks of a Strix Halo in kHz; nothing here takes the time that they say.
const CLOCK_KHZ: u32 = 2_900_000;
const MEMORY_CLOCK_KHZ: u32 = 1_000_000;
const WALL_CLOCK_KHZ: u32 = 100_000;
const MEMORY_BUS_BITS: u32 = 256;
const L2_BYTES: u32 = 2 << 20;
/// Registers of 32 bits that a block may use.
const BLOCK_REGISTERS: u32 = 64 << 10;

/// The device's numbers.
#[derive(Debug)]
struct Facts {
    name: String,
    gfx: String,
    major: u32,
    minor: u32,
    multiprocessors: u32,
    memory_bytes: u64,
    multiprocessor: Multiprocessor,
}

impl Facts {
    fn of(device: &Device) -> Self {
        let gfx = device.config.gfx.clone();
        let digits: Vec<u32> = gfx.chars().filter_map(|digit| digit.to_digit(10)).collect();
        Facts {
            name: name(device),
            major: 10 * digits[0] + digits[1],
            minor: digits[2],
            multiprocessors: Multiprocessor::count(&device.config),
            memory_bytes: device.heap.budget().total(),
            multiprocessor: Multiprocessor::of(&device.config),
            gfx,
        }
    }

    fn threads_of_multiprocessor(&self) -> u32 {
        self.multiprocessor.simds * self.multiprocessor.waves * WAVE
    }

    fn registers_of_multiprocessor(&self) -> u32 {
        self.multiprocessor.simds * self.multiprocessor.registers * WAVE
    }
}

/// The device's name.
pub fn name(device: &Device) -> String {
    format!("Emulated {}", device.config.gfx)
}

/// A UUID that is the same for each chip.
pub fn uuid(device: &Device) -> [u8; 16] {
    let mut uuid = *b"tyto-rdna-emu---";
    let gfx = &device.config.gfx.as_bytes()[3..];
    uuid[16 - gfx.len()..].copy_from_slice(gfx);
    uuid
}

/// An attribute by its number in `hipDeviceAttribute_t`; what is not known here is 0, like what a device lacks.
pub fn attribute(device: &Device, number: u32) -> i32 {
    let facts = Facts::of(device);
    let value = match number {
        2 => 1,                        // asynchronous engines
        3 | 4 | 8 | 16 | 85 | 90 => 1, // host memory at its own addresses; concurrent kernels; integrated
        5 => CLOCK_KHZ,
        9 => 0, // managed memory that both touch at once
        19 => L2_BYTES,
        23 => facts.major,
        24 => 1, // managed memory
        25 => facts.multiprocessor.blocks,
        26..=28 | 56 => MOST_THREADS,
        29..=31 => MOST_BLOCKS,
        57 => facts.threads_of_multiprocessor(),
        58 => i32::MAX as u32,
        59 => MEMORY_BUS_BITS,
        60 => MEMORY_CLOCK_KHZ,
        61 => facts.minor,
        63 | 10015 => facts.multiprocessors,
        71 => BLOCK_REGISTERS,
        72 => facts.registers_of_multiprocessor(),
        74 | 75 => LDS,
        76 | 10002 => facts.multiprocessor.lds,
        83 => i32::MAX as u32,
        84 => facts.memory_bytes.min(i32::MAX as u64) as u32,
        87 => WAVE,
        88 => 1, // memory pools
        10000 | 10017 => WALL_CLOCK_KHZ,
        10011 => 1, // the host reaches all memory
        _ => 0,
    };
    value as i32
}

/// A structure of C, written by offsets.
struct Bytes<const N: usize>([u8; N]);

impl<const N: usize> Bytes<N> {
    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn ints(&mut self, at: usize, values: &[u32]) {
        for (index, value) in values.iter().enumerate() {
            self.put(at + 4 * index, &value.to_le_bytes());
        }
    }

    fn sizes(&mut self, at: usize, values: &[u64]) {
        for (index, value) in values.iter().enumerate() {
            self.put(at + 8 * index, &value.to_le_bytes());
        }
    }
}

/// `hipDeviceProp_tR0000`.
pub fn properties_r0000(device: &Device) -> [u8; SIZE_R0000] {
    let facts = Facts::of(device);
    let mut bytes = Bytes([0; SIZE_R0000]);
    bytes.put(0, facts.name.as_bytes());
    bytes.sizes(256, &[facts.memory_bytes, LDS.into()]);
    bytes.ints(272, &[BLOCK_REGISTERS, WAVE, MOST_THREADS]);
    bytes.ints(284, &[MOST_THREADS; 3]);
    bytes.ints(296, &[MOST_BLOCKS; 3]);
    bytes.ints(308, &[CLOCK_KHZ, MEMORY_CLOCK_KHZ, MEMORY_BUS_BITS]);
    bytes.sizes(320, &[i32::MAX as u64]); // constant memory
    bytes.ints(328, &[facts.major, facts.minor, facts.multiprocessors, L2_BYTES]);
    bytes.ints(344, &[facts.threads_of_multiprocessor()]);
    bytes.ints(352, &[WALL_CLOCK_KHZ]);
    bytes.ints(360, &[1]); // concurrent kernels
    bytes.sizes(376, &[facts.multiprocessor.lds.into()]);
    bytes.ints(388, &[1]); // host memory can be mapped
    bytes.put(396, facts.gfx.as_bytes());
    bytes.ints(652, &[1]); // integrated
    bytes.sizes(712, &[i32::MAX as u64]); // pitch of copies
    bytes.ints(764, &[1]); // the host reaches all memory
    bytes.ints(772, &[1]); // managed memory
    bytes.0
}

/// `hipDeviceProp_tR0600`.
pub fn properties_r0600(device: &Device) -> [u8; SIZE_R0600] {
    let facts = Facts::of(device);
    let mut bytes = Bytes([0; SIZE_R0600]);
    bytes.put(0, facts.name.as_bytes());
    bytes.put(256, &uuid(device));
    bytes.sizes(288, &[facts.memory_bytes, LDS.into()]);
    bytes.ints(304, &[BLOCK_REGISTERS, WAVE]);
    bytes.sizes(312, &[i32::MAX as u64]); // pitch of copies
    bytes.ints(320, &[MOST_THREADS; 4]);
    bytes.ints(336, &[MOST_BLOCKS; 3]);
    bytes.ints(348, &[CLOCK_KHZ]);
    bytes.sizes(352, &[i32::MAX as u64]); // constant memory
    bytes.ints(360, &[facts.major, facts.minor]);
    bytes.ints(388, &[facts.multiprocessors]);
    bytes.ints(396, &[1, 1]); // integrated; host memory can be mapped
    bytes.ints(576, &[1]); // concurrent kernels
    bytes.ints(600, &[1, 1, MEMORY_CLOCK_KHZ, MEMORY_BUS_BITS, L2_BYTES]);
    bytes.ints(624, &[facts.threads_of_multiprocessor()]);
    bytes.sizes(640, &[facts.multiprocessor.lds.into()]);
    bytes.ints(648, &[facts.registers_of_multiprocessor(), 1]);
    bytes.ints(684, &[1]); // registered memory lies at the host's addresses
    bytes.sizes(696, &[LDS.into()]);
    bytes.ints(712, &[facts.multiprocessor.blocks]);
    bytes.ints(728, &[1]); // host memory can be registered
    bytes.ints(744, &[1]); // memory pools
    bytes.put(1160, facts.gfx.as_bytes());
    bytes.sizes(1416, &[facts.multiprocessor.lds.into()]);
    bytes.ints(1424, &[WALL_CLOCK_KHZ]);
    bytes.ints(1464, &[1]); // the host reaches all memory
    bytes.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Config, Level};

    fn device() -> Device {
        let config = Config {
            vram_bytes: 3 << 30,
            gtt_bytes: 5 << 30,
            log: Level::Off,
            ..Config::default()
        };
        Device::new(config)
    }

    fn int(bytes: &[u8], at: usize) -> u32 {
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
    }

    fn text(bytes: &[u8], at: usize) -> &str {
        std::ffi::CStr::from_bytes_until_nul(&bytes[at..]).unwrap().to_str().unwrap()
    }

    #[test]
    fn both_structures_and_the_attributes_agree() {
        let device = device();
        let (old, new) = (properties_r0000(&device), properties_r0600(&device));
        assert_eq!((text(&old, 0), text(&new, 0)), ("Emulated gfx1151", "Emulated gfx1151"));
        assert_eq!((text(&old, 396), text(&new, 1160)), ("gfx1151", "gfx1151"));
        assert_eq!(old[256..264], (8u64 << 30).to_le_bytes());
        assert_eq!(new[288..296], (8u64 << 30).to_le_bytes());
        // Number of the attribute, and where the structures have it.
        for (number, at_old, at_new) in [
            (5, 308, 348),
            (16, 652, 396),
            (19, 340, 616),
            (23, 328, 360),
            (24, 772, 652),
            (26, 284, 324),
            (29, 296, 336),
            (56, 280, 320),
            (57, 344, 624),
            (59, 316, 612),
            (60, 312, 608),
            (61, 332, 364),
            (63, 336, 388),
            (71, 272, 304),
            (74, 264, 296),
            (87, 276, 308),
            (10002, 376, 1416),
            (10011, 764, 1464),
        ] {
            let value = attribute(&device, number) as u32;
            assert_ne!(value, 0, "attribute {number}");
            assert_eq!((int(&old, at_old), int(&new, at_new)), (value, value), "{number}");
        }
        assert_eq!((int(&new, 744), attribute(&device, 88)), (1, 1));
        assert_eq!(attribute(&device, 77_777), 0);
    }

    #[test]
    fn a_strix_halo_has_20_multiprocessors_of_gfx_11_5() {
        let device = device();
        assert_eq!([23, 61, 63].map(|number| attribute(&device, number)), [11, 5, 20]);
        assert_eq!(uuid(&device), *b"tyto-rdna-em1151");
    }
}
