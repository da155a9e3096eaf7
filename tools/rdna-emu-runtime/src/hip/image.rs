//! Code objects as callers pass them: an address without a length.
//!
//! The length comes from the file's own headers. A bundle of clang's has several files; the one for the device counts.

use std::ffi::c_void;

use super::error::Error;
use super::pointer::host_bytes;

/// The largest file that is believed.
const LARGEST: u64 = 1 << 30;
const ELF: &[u8] = b"\x7fELF";
const BUNDLE: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__";
const COMPRESSED_BUNDLE: &[u8] = b"CCOB";
/// `HIPF`: a structure with the address of a bundle.
const WRAPPER: &[u8] = b"FPIH";

/// Reads from an address that somebody vouches for.
trait Source {
    /// Bytes from `at` on.
    fn bytes(&self, at: u64, count: u64) -> Result<Vec<u8>, Error>;
}

/// The caller's memory.
struct Host(*const c_void);

impl Source for Host {
    fn bytes(&self, at: u64, count: u64) -> Result<Vec<u8>, Error> {
        if at.saturating_add(count) > LARGEST {
            return Err(Error::InvalidImage);
        }
        // SAFETY: `code_object`'s caller promises a whole file there, and its headers say that it has these bytes.
        Ok(unsafe { host_bytes(self.0.byte_add(at as usize), count as usize) })
    }
}

impl Source for &[u8] {
    fn bytes(&self, at: u64, count: u64) -> Result<Vec<u8>, Error> {
        let rest = usize::try_from(at).ok().and_then(|at| self.get(at..));
        let bytes = rest.and_then(|rest| rest.get(..usize::try_from(count).ok()?));
        bytes.map(<[u8]>::to_vec).ok_or(Error::InvalidImage)
    }
}

fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    bytes[at..at + size].iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// The code object for a chip at an address of the caller's.
///
/// # Safety
/// A whole ELF file, bundle or wrapper of a bundle is there.
pub unsafe fn code_object(address: *const c_void, gfx: &str) -> Result<Vec<u8>, Error> {
    if address.is_null() {
        return Err(Error::InvalidValue);
    }
    find(&Host(address), gfx, &|bundle| {
        // SAFETY: the wrapper, which the caller vouches for, says that a bundle is there.
        unsafe { code_object(bundle as *const c_void, gfx) }
    })
}

/// The code object for a chip in a file.
pub fn code_object_of_file(file: &[u8], gfx: &str) -> Result<Vec<u8>, Error> {
    find(&file, gfx, &|_| Err(Error::InvalidImage))
}

fn find(
    source: &impl Source,
    gfx: &str,
    wrapped: &dyn Fn(u64) -> Result<Vec<u8>, Error>,
) -> Result<Vec<u8>, Error> {
    let beginning = source.bytes(0, 4)?;
    match &beginning[..] {
        ELF => source.bytes(0, elf_size(source)?),
        WRAPPER => wrapped(number(&source.bytes(8, 8)?, 0, 8)),
        COMPRESSED_BUNDLE => Err(Error::NotSupported),
        _ if source.bytes(0, 24)? == BUNDLE => of_bundle(source, gfx),
        _ => Err(Error::InvalidImage),
    }
}

/// Where an ELF file ends: with its last section, or with a table of headers.
fn elf_size(source: &impl Source) -> Result<u64, Error> {
    const NO_BITS: u64 = 8;
    let header = source.bytes(0, 64)?;
    let [programs, sections] = [32, 40].map(|at| number(&header, at, 8));
    let [program_count, section_count] = [56, 60].map(|at| number(&header, at, 2));
    let mut end = 64.max(programs.saturating_add(56 * program_count));
    end = end.max(sections.saturating_add(64 * section_count));
    for index in 0..program_count {
        let entry = source.bytes(programs.saturating_add(56 * index), 56)?;
        end = end.max(number(&entry, 8, 8).saturating_add(number(&entry, 32, 8)));
    }
    for index in 0..section_count {
        let entry = source.bytes(sections.saturating_add(64 * index), 64)?;
        if number(&entry, 4, 4) != NO_BITS {
            end = end.max(number(&entry, 24, 8).saturating_add(number(&entry, 32, 8)));
        }
    }
    if end > LARGEST { Err(Error::InvalidImage) } else { Ok(end) }
}

/// The entry of a bundle whose name ends with the chip's, features aside.
fn of_bundle(source: &impl Source, gfx: &str) -> Result<Vec<u8>, Error> {
    let count = number(&source.bytes(24, 8)?, 0, 8);
    let mut at = 32u64;
    for _ in 0..count.min(1 << 10) {
        let entry = source.bytes(at, 24)?;
        let [offset, size, name_size] = [0, 8, 16].map(|at| number(&entry, at, 8));
        let name = source.bytes(at + 24, name_size.min(1 << 12))?;
        let name = String::from_utf8_lossy(&name).into_owned();
        let target = name.rsplit("--").next().unwrap_or_default();
        if name.contains("amdgcn") && target.split(':').next() == Some(gfx) && size > 0 {
            return source.bytes(offset, size);
        }
        at = at.saturating_add(24 + name_size);
    }
    Err(Error::NoBinaryForGpu)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An ELF file of 64 bytes of header, `body`, and one section header that says where the body is.
    fn elf(body: &[u8]) -> Vec<u8> {
        let mut file = vec![0; 64];
        file[..4].copy_from_slice(ELF);
        file[40..48].copy_from_slice(&(64 + body.len() as u64).to_le_bytes());
        file[60] = 1;
        file.extend_from_slice(body);
        let mut section = [0; 64];
        section[24..32].copy_from_slice(&64u64.to_le_bytes());
        section[32..40].copy_from_slice(&(body.len() as u64).to_le_bytes());
        file.extend_from_slice(&section);
        file
    }

    fn bundle(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut header = BUNDLE.to_vec();
        header.extend((entries.len() as u64).to_le_bytes());
        let mut offset = 32 + entries.iter().map(|entry| 24 + entry.0.len()).sum::<usize>();
        for (name, file) in entries {
            for number in [offset, file.len(), name.len()] {
                header.extend((number as u64).to_le_bytes());
            }
            header.extend_from_slice(name.as_bytes());
            offset += file.len();
        }
        entries.iter().for_each(|(_, file)| header.extend_from_slice(file));
        header
    }

    #[test]
    fn an_elf_file_ends_where_its_headers_say() {
        let file = elf(b"twelve bytes");
        let mut longer = file.clone();
        longer.extend_from_slice(b"and what follows");
        // SAFETY: a whole file is there.
        assert_eq!(unsafe { code_object(longer.as_ptr().cast(), "gfx1151") }, Ok(file.clone()));
        assert_eq!(code_object_of_file(&file[..70], "gfx1151"), Err(Error::InvalidImage));
        let mut endless = file;
        endless[40..48].fill(0xff);
        // SAFETY: what its headers point to is refused before it is read.
        let result = unsafe { code_object(endless.as_ptr().cast(), "gfx1151") };
        assert_eq!(result, Err(Error::InvalidImage));
    }

    #[test]
    fn a_bundle_gives_the_chips_own_code() {
        let (host, other, ours) = (elf(b""), elf(b"other"), elf(b"ours"));
        let file = bundle(&[
            ("host-x86_64-unknown-linux-gnu-", &host),
            ("hipv4-amdgcn-amd-amdhsa--gfx1100", &other),
            ("hipv4-amdgcn-amd-amdhsa--gfx1151:xnack-", &ours),
        ]);
        // SAFETY: a whole bundle is there.
        assert_eq!(unsafe { code_object(file.as_ptr().cast(), "gfx1151") }, Ok(ours.clone()));
        assert_eq!(code_object_of_file(&file, "gfx1100"), Ok(other));
        assert_eq!(code_object_of_file(&file, "gfx1103"), Err(Error::NoBinaryForGpu));
        let mut wrapper = WRAPPER.to_vec();
        wrapper.extend(1u32.to_le_bytes());
        wrapper.extend((file.as_ptr() as u64).to_le_bytes());
        // SAFETY: a wrapper with the address of a whole bundle is there.
        assert_eq!(unsafe { code_object(wrapper.as_ptr().cast(), "gfx1151") }, Ok(ours));
    }

    #[test]
    fn other_files_are_refused() {
        let refused = |file: &[u8]| code_object_of_file(file, "gfx1151").unwrap_err();
        assert_eq!(refused(b"CCOB and more of a compressed bundle"), Error::NotSupported);
        assert_eq!(refused(&[7; 64]), Error::InvalidImage);
        assert_eq!(refused(b"ab"), Error::InvalidImage);
        // SAFETY: null is refused.
        let result = unsafe { code_object(std::ptr::null(), "gfx1151") };
        assert_eq!(result, Err(Error::InvalidValue));
    }
}
