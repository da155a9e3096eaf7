//! The kernel descriptor: 64 bytes that say how a wave begins.
//!
//! Source: "User Guide for AMDGPU Backend" of LLVM, "Kernel Descriptor".

use super::ObjectError;

/// A kernel descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Descriptor {
    /// LDS of a workgroup, in bytes.
    pub lds_size: u32,
    /// Scratch of a lane, in bytes.
    pub scratch_size: u32,
    /// The argument block, in bytes.
    pub kernarg_size: u32,
    /// From the descriptor to the first instruction, in bytes.
    pub entry_offset: i64,
    /// Vector registers, rounded up to what a wave is given.
    pub vgprs: usize,
    /// The register MODE as a wave begins: rounding and denormals.
    pub mode: u8,
    /// A NaN that is clamped becomes zero.
    pub dx10_clamp: bool,
    /// The number of scalar registers that the launcher fills.
    pub user_sgprs: u32,
    /// Which of the workgroup's numbers x, y and z follow in scalar registers.
    pub workgroup_ids: [bool; 3],
    /// Whether the workgroup's information follows them.
    pub workgroup_info: bool,
    /// The words COMPUTE_PGM_RSRC1, 2 and 3.
    pub resources: [u32; 3],
    /// The bits of `kernel_code_properties`, which say what the user registers are.
    properties: u16,
}

/// What a group of user registers holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserData {
    /// A buffer descriptor of scratch: four registers.
    ScratchBuffer,
    /// The address of the dispatch packet: two.
    DispatchPointer,
    /// The address of the queue: two.
    QueuePointer,
    /// The address of the arguments: two.
    Kernarg,
    /// The number of the dispatch: two.
    DispatchId,
    /// The scratch base: two.
    FlatScratch,
    /// The scratch of a lane in bytes: one.
    ScratchSize,
}

impl Descriptor {
    /// Reads a descriptor. Fails for what is not modelled.
    pub fn parse(bytes: &[u8; 64]) -> Result<Self, ObjectError> {
        let word =
            |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let (rsrc1, rsrc2) = (word(48), word(52));
        let properties = word(56) as u16;
        if properties & 1 << 10 == 0 {
            return Err(ObjectError::Unexpected {
                what: "wave size",
                found: "64".to_owned(),
                expected: "32: compile with -mwavefrontsize32, which is the default",
            });
        }
        if word(56) >> 16 != 0 {
            return Err(ObjectError::Unexpected {
                what: "preloaded arguments",
                found: (word(56) >> 16).to_string(),
                expected: "none",
            });
        }
        // What a workgroup and a lane can have at most: 64 KiB of LDS; of scratch, more than any chip gives.
        for (what, size, most) in [("LDS", word(0), 1 << 16), ("scratch", word(4), 1 << 20)] {
            if size > most {
                return Err(ObjectError::Unexpected {
                    what,
                    found: size.to_string(),
                    expected: "at most 64 KiB of LDS, and 1 MiB of scratch",
                });
            }
        }
        let offset = u64::from(word(16)) | u64::from(word(20)) << 32;
        Ok(Descriptor {
            lds_size: word(0),
            scratch_size: word(4),
            kernarg_size: word(8),
            entry_offset: offset as i64,
            // Waves of 32 lanes are given registers in groups of eight.
            vgprs: 8 * (rsrc1 as usize & 63) + 8,
            mode: (rsrc1 >> 12) as u8,
            dx10_clamp: rsrc1 >> 21 & 1 == 1,
            user_sgprs: rsrc2 >> 1 & 31,
            workgroup_ids: [7, 8, 9].map(|bit| rsrc2 >> bit & 1 == 1),
            workgroup_info: rsrc2 >> 10 & 1 == 1,
            resources: [rsrc1, rsrc2, word(44)],
            properties,
        })
    }

    /// What the user registers hold, in order.
    pub fn user_data(&self) -> impl Iterator<Item = UserData> + use<> {
        let properties = self.properties;
        let all = [
            UserData::ScratchBuffer,
            UserData::DispatchPointer,
            UserData::QueuePointer,
            UserData::Kernarg,
            UserData::DispatchId,
            UserData::FlatScratch,
            UserData::ScratchSize,
        ];
        all.into_iter().enumerate().filter(move |(bit, _)| properties >> bit & 1 == 1).map(|p| p.1)
    }
}
