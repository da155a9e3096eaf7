//! What a code object says of its kernels: the note that LLVM writes, and their descriptors
//! ("User Guide for AMDGPU Backend": code object metadata, kernel descriptor).

use crate::message_pack::Value;

/// A code object whose tables cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MalformedObject {
    /// What is missing or out of bounds.
    pub what: &'static str,
}

impl std::fmt::Display for MalformedObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not a code object of an AMD GPU: {}", self.what)
    }
}

impl std::error::Error for MalformedObject {}

/// A kernel and what it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Vector registers of a lane.
    pub vgprs: u32,
    /// Scalar registers of a wave.
    pub sgprs: u32,
    /// Registers that had no room, vector and scalar.
    pub spills: u32,
    /// Bytes of scratch memory of a lane.
    pub scratch_bytes: u32,
    /// Bytes of memory that a workgroup shares (LDS).
    pub shared_bytes: u32,
    /// The most threads of a workgroup.
    pub most_threads: u32,
    /// Lanes of a wave.
    pub wave: u32,
    /// Bytes of its arguments, those that compilers add included.
    pub argument_bytes: u32,
    /// The descriptor's flags: what its registers hold at the start.
    pub properties: u16,
    /// Where its descriptor is in the file.
    descriptor: usize,
}

/// A code object's kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeObject {
    /// By their order in the note.
    pub kernels: Vec<Kernel>,
}

/// ELF's names for the types of sections, and LLVM's for the note.
const SECTION_SYMBOLS: u32 = 11;
const SECTION_NOTE: u32 = 7;
const NOTE_OWNER: &[u8] = b"AMDGPU\0";
const NOTE_METADATA: u32 = 32;

/// Bytes of ELF's tables.
const SECTION_BYTES: usize = 64;
const SYMBOL_BYTES: usize = 24;

/// Bytes of a descriptor, and where its words are.
const DESCRIPTOR_BYTES: usize = 64;
const SHARED_BYTES_AT: usize = 0;
const RESOURCES_2_AT: usize = 52;
const PROPERTIES_AT: usize = 56;

/// `GRANULATED_LDS_SIZE` of `COMPUTE_PGM_RSRC2`: bits 15 to 23, in units of 128 words.
const SHARED_SIZE_SHIFT: u32 = 15;
const SHARED_SIZE_MASK: u32 = 0x1ff;
const SHARED_SIZE_UNIT: u32 = 512;

impl CodeObject {
    /// Reads the tables of a code object.
    pub fn read(bytes: &[u8]) -> Result<Self, MalformedObject> {
        let elf = Elf::new(bytes)?;
        let symbols = elf.symbols().ok_or(MalformedObject { what: "no table of symbols" })?;
        let note = elf.metadata().ok_or(MalformedObject { what: "no note with metadata" })?;
        let Some(Value::List(kernels)) = note.get("amdhsa.kernels") else {
            return Err(MalformedObject { what: "the note lists no kernels" });
        };
        let read = |kernel| {
            elf.kernel(kernel, &symbols)
                .ok_or(MalformedObject { what: "a kernel without its facts" })
        };
        Ok(Self { kernels: kernels.iter().map(read).collect::<Result<_, _>>()? })
    }
}

/// The object with the size of each kernel's shared memory in its descriptor's register too.
///
/// Queues take the size from the packet. Programs of the command processor (PM4) that IREE 3.13
/// makes take the descriptor's register as it is, where compilers leave the size zero: stores
/// to shared memory would be lost.
pub fn with_shared_sizes(object: &[u8]) -> Result<Vec<u8>, MalformedObject> {
    let kernels = CodeObject::read(object)?.kernels;
    let mut patched = object.to_vec();
    for kernel in kernels {
        let at = kernel.descriptor + RESOURCES_2_AT;
        let register = &mut patched[at..at + 4];
        let old = u32::from_le_bytes(register.try_into().expect("four bytes"));
        let size = kernel.shared_bytes.div_ceil(SHARED_SIZE_UNIT) & SHARED_SIZE_MASK;
        let cleared = old & !(SHARED_SIZE_MASK << SHARED_SIZE_SHIFT);
        register.copy_from_slice(&(cleared | size << SHARED_SIZE_SHIFT).to_le_bytes());
    }
    Ok(patched)
}

/// A 64-bit ELF file, little end first.
struct Elf<'a> {
    bytes: &'a [u8],
    sections: Vec<Section>,
}

struct Section {
    kind: u32,
    address: u64,
    offset: usize,
    size: usize,
    link: usize,
}

impl<'a> Elf<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self, MalformedObject> {
        if bytes.get(..6) != Some(b"\x7fELF\x02\x01") {
            return Err(MalformedObject { what: "no 64-bit ELF file" });
        }
        let mut elf = Self { bytes, sections: Vec::new() };
        elf.sections = elf.sections().ok_or(MalformedObject { what: "no table of sections" })?;
        Ok(elf)
    }

    fn sections(&self) -> Option<Vec<Section>> {
        let (table, count) = (self.offset(40)?, usize::from(self.u16(60)?));
        let section = |index: usize| {
            let at = table.checked_add(index * SECTION_BYTES)?;
            let (offset, size) = (self.offset(at + 24)?, self.offset(at + 32)?);
            let (kind, address) = (self.u32(at + 4)?, self.u64(at + 16)?);
            Some(Section { kind, address, offset, size, link: self.u32(at + 40)? as usize })
        };
        (0..count).map(section).collect()
    }

    /// Names and addresses of the dynamic symbols.
    fn symbols(&self) -> Option<Vec<(&'a [u8], u64)>> {
        let table = self.sections.iter().find(|section| section.kind == SECTION_SYMBOLS)?;
        let names = self.sections.get(table.link)?;
        let names = self.range(names.offset, names.size)?;
        let symbol = |index: usize| {
            let at = table.offset + index * SYMBOL_BYTES;
            let name = names.get(self.u32(at)? as usize..)?;
            let length = name.iter().position(|byte| *byte == 0)?;
            Some((&name[..length], self.u64(at + 8)?))
        };
        (0..table.size / SYMBOL_BYTES).map(symbol).collect()
    }

    /// The metadata's map.
    fn metadata(&self) -> Option<Value<'a>> {
        let notes = self.sections.iter().filter(|section| section.kind == SECTION_NOTE);
        notes.into_iter().find_map(|section| {
            let mut at = section.offset;
            while at + 12 <= section.offset + section.size {
                let (owner, content) = (self.u32(at)? as usize, self.u32(at + 4)? as usize);
                let kind = self.u32(at + 8)?;
                let name = self.range(at + 12, owner)?;
                let begin = at + 12 + owner.next_multiple_of(4);
                if name == NOTE_OWNER && kind == NOTE_METADATA {
                    return Value::read(self.range(begin, content)?);
                }
                at = begin + content.next_multiple_of(4);
            }
            None
        })
    }

    fn kernel(&self, facts: &Value<'_>, symbols: &[(&[u8], u64)]) -> Option<Kernel> {
        let Some(Value::Text(name)) = facts.get(".name") else { return None };
        let Some(Value::Text(symbol)) = facts.get(".symbol") else { return None };
        let number = |key| facts.number(key).and_then(|number| u32::try_from(number).ok());
        let (_, address) = symbols.iter().find(|(name, _)| *name == symbol.as_bytes())?;
        let descriptor = self.place_of(*address)?;
        let words = self.range(descriptor, DESCRIPTOR_BYTES)?;
        let shared_bytes = number(".group_segment_fixed_size")?;
        if words[SHARED_BYTES_AT..SHARED_BYTES_AT + 4] != shared_bytes.to_le_bytes() {
            return None;
        }
        let properties = [words[PROPERTIES_AT], words[PROPERTIES_AT + 1]];
        Some(Kernel {
            name: (*name).to_owned(),
            vgprs: number(".vgpr_count")?,
            sgprs: number(".sgpr_count")?,
            spills: number(".vgpr_spill_count")? + number(".sgpr_spill_count")?,
            scratch_bytes: number(".private_segment_fixed_size")?,
            shared_bytes,
            most_threads: number(".max_flat_workgroup_size")?,
            wave: number(".wavefront_size")?,
            argument_bytes: number(".kernarg_segment_size")?,
            properties: u16::from_le_bytes(properties),
            descriptor,
        })
    }

    /// Where in the file an address is.
    fn place_of(&self, address: u64) -> Option<usize> {
        let section = self.sections.iter().find(|section| {
            let end = section.address.checked_add(section.size as u64);
            section.address != 0
                && section.address <= address
                && end.is_some_and(|end| address < end)
        })?;
        usize::try_from(address - section.address).ok()?.checked_add(section.offset)
    }

    fn range(&self, offset: usize, size: usize) -> Option<&'a [u8]> {
        self.bytes.get(offset..offset.checked_add(size)?)
    }

    fn u16(&self, at: usize) -> Option<u16> {
        self.range(at, 2)?.try_into().ok().map(u16::from_le_bytes)
    }

    fn u32(&self, at: usize) -> Option<u32> {
        self.range(at, 4)?.try_into().ok().map(u32::from_le_bytes)
    }

    fn u64(&self, at: usize) -> Option<u64> {
        self.range(at, 8)?.try_into().ok().map(u64::from_le_bytes)
    }

    fn offset(&self, at: usize) -> Option<usize> {
        self.u64(at)?.try_into().ok()
    }
}
