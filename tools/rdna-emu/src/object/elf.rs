//! The parts of ELF that code objects use.

use super::{ObjectError, Symbol};
use crate::decode::Target;

/// Bytes at a place, or the error that the file ends there.
fn take<'a>(
    file: &'a [u8],
    at: u64,
    size: u64,
    what: &'static str,
) -> Result<&'a [u8], ObjectError> {
    let range = usize::try_from(at).ok().zip(usize::try_from(size).ok());
    range
        .and_then(|(at, size)| file.get(at..at.checked_add(size)?))
        .ok_or(ObjectError::Truncated(what))
}

fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    bytes[at..at + size].iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// A section's or segment's place: type, address, offset and size in the file.
#[derive(Debug, Clone, Copy)]
struct Part {
    kind: u64,
    flags: u64,
    address: u64,
    offset: u64,
    size: u64,
    memory_size: u64,
    link: usize,
}

/// An ELF file.
#[derive(Debug)]
pub struct Elf<'a> {
    file: &'a [u8],
    /// The chip that its flags name.
    pub target: Target,
    segments: Vec<Part>,
    sections: Vec<Part>,
}

const PT_LOAD: u64 = 1;
const PT_NOTE: u64 = 4;
const PF_EXECUTE: u64 = 1;
const SHT_RELA: u64 = 4;
const SHT_DYNSYM: u64 = 11;
/// The largest image that is believed: no code object comes near it.
const LARGEST_IMAGE: u64 = 1 << 30;

impl<'a> Elf<'a> {
    /// Reads the headers.
    pub fn parse(file: &'a [u8]) -> Result<Self, ObjectError> {
        let header = take(file, 0, 64, "ELF header")?;
        if header[..6] != [0x7f, b'E', b'L', b'F', 2, 1] {
            return Err(ObjectError::Unexpected {
                what: "beginning",
                found: format!("{:02x?}", &header[..6]),
                expected: "that of a little-endian 64-bit ELF file",
            });
        }
        if number(header, 18, 2) != 224 {
            return Err(ObjectError::Unexpected {
                what: "machine",
                found: number(header, 18, 2).to_string(),
                expected: "224 (AMDGPU)",
            });
        }
        let target = target(number(header, 48, 4))?;
        let mut segments = Vec::new();
        for index in 0..number(header, 56, 2) {
            let at = number(header, 32, 8).saturating_add(56 * index);
            let entry = take(file, at, 56, "program headers")?;
            segments.push(Part {
                kind: number(entry, 0, 4),
                flags: number(entry, 4, 4),
                offset: number(entry, 8, 8),
                address: number(entry, 16, 8),
                size: number(entry, 32, 8),
                memory_size: number(entry, 40, 8),
                link: 0,
            });
        }
        let mut sections = Vec::new();
        for index in 0..number(header, 60, 2) {
            let at = number(header, 40, 8).saturating_add(64 * index);
            let entry = take(file, at, 64, "section headers")?;
            sections.push(Part {
                kind: number(entry, 4, 4),
                flags: number(entry, 8, 8),
                address: number(entry, 16, 8),
                offset: number(entry, 24, 8),
                size: number(entry, 32, 8),
                memory_size: 0,
                link: number(entry, 40, 4) as usize,
            });
        }
        Ok(Elf { file, target, segments, sections })
    }

    /// What the segments are in memory, from address 0 on.
    pub fn image(&self) -> Result<Vec<u8>, ObjectError> {
        let loaded = || self.segments.iter().filter(|segment| segment.kind == PT_LOAD);
        let end = loaded().map(|part| part.address.saturating_add(part.memory_size)).max();
        let end = end.unwrap_or(0);
        if end == 0 || end > LARGEST_IMAGE {
            return Err(ObjectError::Unexpected {
                what: "size in memory",
                found: end.to_string(),
                expected: "above 0 and at most 1 GiB",
            });
        }
        let mut image = vec![0; end as usize];
        for segment in loaded() {
            let bytes = take(self.file, segment.offset, segment.size, "segments")?;
            let place = segment.address as usize;
            image
                .get_mut(place..)
                .and_then(|rest| rest.get_mut(..bytes.len()))
                .ok_or(ObjectError::Truncated("segments"))?
                .copy_from_slice(bytes);
        }
        Ok(image)
    }

    /// The addresses of the code.
    pub fn code(&self) -> Result<std::ops::Range<usize>, ObjectError> {
        let is_code = |part: &&Part| part.kind == PT_LOAD && part.flags & PF_EXECUTE != 0;
        let part = self.segments.iter().find(is_code).ok_or(ObjectError::Truncated("code"))?;
        Ok(part.address as usize..part.address.saturating_add(part.size) as usize)
    }

    /// Applies the relocations to an image that lies at `base`.
    pub fn relocate(&self, image: &mut [u8], base: u64) -> Result<(), ObjectError> {
        for section in self.sections.iter().filter(|section| section.kind == SHT_RELA) {
            for entry in
                take(self.file, section.offset, section.size, "relocations")?.chunks_exact(24)
            {
                let (offset, kind) = (number(entry, 0, 8), number(entry, 8, 4) as u32);
                let addend = number(entry, 16, 8);
                // R_AMDGPU_ABS64 and R_AMDGPU_RELATIVE64.
                let value = match kind {
                    3 => {
                        let symbol = number(entry, 12, 4);
                        base.wrapping_add(self.symbol_value(section.link, symbol)?)
                    }
                    13 => base,
                    _ => return Err(ObjectError::Relocation { kind, offset }),
                };
                let place =
                    usize::try_from(offset).ok().and_then(|at| image.get_mut(at..)?.get_mut(..8));
                place
                    .ok_or(ObjectError::Truncated("relocated words"))?
                    .copy_from_slice(&value.wrapping_add(addend).to_le_bytes());
            }
        }
        Ok(())
    }

    fn symbol_value(&self, section: usize, index: u64) -> Result<u64, ObjectError> {
        let table = self.sections.get(section).ok_or(ObjectError::Truncated("section headers"))?;
        let entry = take(self.file, table.offset.saturating_add(24 * index), 24, "symbols")?;
        Ok(number(entry, 8, 8))
    }

    /// The address of a symbol.
    pub fn symbol(&self, name: &str) -> Result<usize, ObjectError> {
        for table in self.sections.iter().filter(|section| section.kind == SHT_DYNSYM) {
            let names =
                self.sections.get(table.link).ok_or(ObjectError::Truncated("section headers"))?;
            let names = take(self.file, names.offset, names.size, "names")?;
            for entry in take(self.file, table.offset, table.size, "symbols")?.chunks_exact(24) {
                let text = names.get(number(entry, 0, 4) as usize..).unwrap_or_default();
                if text.split(|&byte| byte == 0).next() == Some(name.as_bytes()) {
                    return Ok(number(entry, 8, 8) as usize);
                }
            }
        }
        Err(ObjectError::Unexpected {
            what: "symbol table",
            found: format!("without `{name}`"),
            expected: "one with the descriptor of each kernel that the metadata names",
        })
    }

    /// All symbols that have a name and lie in the image.
    pub fn symbols(&self) -> Result<Vec<Symbol>, ObjectError> {
        let mut symbols = Vec::new();
        for table in self.sections.iter().filter(|section| section.kind == SHT_DYNSYM) {
            let names =
                self.sections.get(table.link).ok_or(ObjectError::Truncated("section headers"))?;
            let names = take(self.file, names.offset, names.size, "names")?;
            for entry in take(self.file, table.offset, table.size, "symbols")?.chunks_exact(24) {
                let text = names.get(number(entry, 0, 4) as usize..).unwrap_or_default();
                let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
                // One without a section is another object's.
                if !text.is_empty() && number(entry, 6, 2) != 0 {
                    symbols.push(Symbol {
                        name: String::from_utf8_lossy(text).into_owned(),
                        offset: number(entry, 8, 8) as usize,
                        size: number(entry, 16, 8) as usize,
                    });
                }
            }
        }
        Ok(symbols)
    }

    /// The metadata of the kernels, which is MessagePack.
    pub fn metadata(&self) -> Result<&'a [u8], ObjectError> {
        for segment in self.segments.iter().filter(|segment| segment.kind == PT_NOTE) {
            let mut notes = take(self.file, segment.offset, segment.size, "notes")?;
            while notes.len() >= 12 {
                let (name, size) = (number(notes, 0, 4), number(notes, 4, 4));
                let start = 12 + name.next_multiple_of(4);
                let body = take(notes, start, size, "notes")?;
                // NT_AMDGPU_METADATA
                if number(notes, 8, 4) == 32 {
                    return Ok(body);
                }
                let next = (start + size.next_multiple_of(4)) as usize;
                notes = notes.get(next..).unwrap_or_default();
            }
        }
        Err(ObjectError::Truncated("notes: there is no metadata"))
    }
}

/// The chip by the header's flags.
fn target(flags: u64) -> Result<Target, ObjectError> {
    match flags & 0xff {
        // gfx1100, gfx1101, gfx1102, gfx1103
        0x41 | 0x46 | 0x47 | 0x44 => Ok(Target::Gfx110x),
        // gfx11-generic: what all of them have.
        0x54 => Ok(Target::Gfx110x),
        // gfx1150, gfx1151, gfx1152
        0x43 | 0x4a | 0x55 => Ok(Target::Gfx115x),
        other => Err(ObjectError::Unexpected {
            what: "chip (EF_AMDGPU_MACH)",
            found: format!("{other:#x}"),
            expected: "gfx1100 to gfx1103, gfx1150 to gfx1152 or gfx11-generic",
        }),
    }
}
