//! Copies and fills that a driver does by kernels of its own, done by the host: the same bytes, much sooner.
//!
//! They are known by the names and arguments of IREE's device library. `TYTO_EMU_BLITS=run` runs them as kernels.

use tyto_rdna_emu::{AccessError, Counts, Memory};

/// How kernels of the device library begin that copy or fill.
const PREFIX: &str = "iree_hal_amdgpu_device_buffer_";

/// A copy or fill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blit {
    /// Whether it copies, and does not fill.
    copies: bool,
    /// The bytes that its length counts.
    unit: u64,
    /// The bytes of a pattern that repeat.
    pattern: usize,
}

impl Blit {
    /// By the kernel's name, if it is one.
    pub fn of(kernel: &str) -> Option<Self> {
        let (copies, unit, pattern) = match kernel.strip_prefix(PREFIX)? {
            "copy_x1" | "copy_block_unaligned_x16" => (true, 1, 0),
            "copy_block_x4" => (true, 4, 0),
            "copy_block_x8" => (true, 8, 0),
            "copy_block_x16" => (true, 16, 0),
            "fill_x1" => (false, 1, 1),
            "fill_x2" => (false, 2, 2),
            "fill_x4" => (false, 4, 4),
            "fill_x8" => (false, 8, 8),
            "fill_block_x16" => (false, 16, 8),
            "fill_block_unaligned_x16" => (false, 1, 8),
            _ => return None,
        };
        Some(Blit { copies, unit, pattern })
    }

    /// Does it, by the arguments at that address. Returns what is counted of it.
    pub fn run(self, memory: &Memory, kernarg: u64) -> Result<Counts, AccessError> {
        let block = memory.read_vec(kernarg, 24)?;
        let argument = |index: usize| {
            let bytes = block[8 * index..8 * index + 8].try_into().expect("eight bytes");
            u64::from_le_bytes(bytes)
        };
        let mut counts = Counts { launches: 1, ..Counts::default() };
        if self.copies {
            let bytes = argument(2).saturating_mul(self.unit);
            copy(memory, argument(0), argument(1), bytes)?;
            (counts.read_bytes, counts.written_bytes) = (bytes, bytes);
            counts.unique_read_bytes = bytes;
        } else {
            let bytes = argument(1).saturating_mul(self.unit);
            fill(memory, argument(0), bytes, &argument(2).to_le_bytes()[..self.pattern])?;
            counts.written_bytes = bytes;
        }
        counts.unique_written_bytes = counts.written_bytes;
        Ok(counts)
    }
}

/// Bytes at a time.
const PIECE: u64 = 1 << 16;

fn pieces(bytes: u64) -> impl Iterator<Item = (u64, usize)> {
    (0..bytes.div_ceil(PIECE)).map(move |piece| {
        let offset = piece * PIECE;
        (offset, (bytes - offset).min(PIECE) as usize)
    })
}

fn copy(memory: &Memory, source: u64, target: u64, bytes: u64) -> Result<(), AccessError> {
    let view = memory.view();
    let mut buffer = vec![0; PIECE.min(bytes) as usize];
    // Both are checked as a whole, so that a fault leaves nothing half done.
    view.check(source, usize::try_from(bytes).unwrap_or(usize::MAX))?;
    view.check(target, usize::try_from(bytes).unwrap_or(usize::MAX))?;
    for (offset, size) in pieces(bytes) {
        view.read(source + offset, &mut buffer[..size])?;
        view.write(target + offset, &buffer[..size])?;
    }
    Ok(())
}

fn fill(memory: &Memory, target: u64, bytes: u64, pattern: &[u8]) -> Result<(), AccessError> {
    let view = memory.view();
    view.check(target, usize::try_from(bytes).unwrap_or(usize::MAX))?;
    let buffer: Vec<u8> = pattern.iter().copied().cycle().take(PIECE.min(bytes) as usize).collect();
    for (offset, size) in pieces(bytes) {
        view.write(target + offset, &buffer[..size])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(memory: &Memory, values: [u64; 3]) -> u64 {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        memory.allocate_from("arguments", &bytes)
    }

    #[test]
    fn copies_and_fills_have_the_kernels_meaning() {
        let memory = Memory::new();
        let data: Vec<u8> = (0..200_000u32).map(|index| (index * 7 % 251) as u8).collect();
        let source = memory.allocate_from("source", &data);
        let target = memory.allocate("target", data.len());
        let copy = |name: &str, values: [u64; 3]| {
            let blit = Blit::of(&format!("{PREFIX}{name}")).unwrap();
            blit.run(&memory, arguments(&memory, values))
        };
        let counts = copy("copy_block_x16", [source, target, 200_000 / 16]).unwrap();
        assert_eq!(counts.written_bytes, 200_000);
        assert_eq!(memory.read_vec(target, data.len()).unwrap(), data);
        copy("copy_x1", [source + 3, target + 1, 5]).unwrap();
        assert_eq!(memory.read_vec(target + 1, 5).unwrap(), data[3..8]);
        copy("fill_x2", [target, 3, 0xffff_1234]).unwrap();
        copy("fill_block_unaligned_x16", [target + 9, 70_000, 0x0807_0605_0403_0201]).unwrap();
        let found = memory.read_vec(target, 70_009).unwrap();
        assert_eq!(found[..6], [0x34, 0x12, 0x34, 0x12, 0x34, 0x12]);
        assert!(found[9..].iter().enumerate().all(|(index, byte)| *byte == index as u8 % 8 + 1));
        assert!(copy("copy_block_x4", [source, target, 50_001]).is_err());
        assert!(copy("fill_x8", [target, u64::MAX / 4, 0]).is_err());
        assert_eq!(Blit::of("iree_hal_amdgpu_device_dispatch_patch_indirect_params"), None);
    }
}
