//! Code objects: ELF files with kernels, as the AMDGPU backend writes them.

mod descriptor;
mod elf;
mod metadata;
mod msgpack;

pub use descriptor::{Descriptor, UserData};
pub use metadata::{Argument, KernelMetadata};

use crate::decode::Target;
use crate::memory::Memory;

/// Why a file is not a code object that can be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ObjectError {
    /// The file ends before something that it should hold.
    #[error("the code object ends inside its {0}")]
    Truncated(&'static str),
    /// Something in it is not as it should be.
    #[error("the code object's {what} is {found}, but should be {expected}")]
    Unexpected {
        /// What.
        what: &'static str,
        /// What it is.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// It asks for a relocation that is not modelled.
    #[error("relocation type {kind} at {offset:#x} is not modelled")]
    Relocation {
        /// Its type's number.
        kind: u32,
        /// Where it applies.
        offset: u64,
    },
    /// Its image has no place.
    #[error("there is no memory for the code object's image of {size} bytes")]
    NoMemory {
        /// The image's bytes.
        size: usize,
    },
    /// It has no kernel of that name.
    #[error("there is no kernel `{name}`; there are {known}")]
    NoKernel {
        /// The name that was asked for.
        name: String,
        /// Those that there are.
        known: String,
    },
}

/// A kernel of a module.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// Its resources and how its registers begin.
    pub descriptor: Descriptor,
    /// Its arguments and name.
    pub metadata: KernelMetadata,
    /// Where its descriptor lies in the module's image.
    pub descriptor_offset: usize,
    /// Its first instruction, as an offset in the module's image.
    pub entry: usize,
}

/// A symbol of a module: a kernel's descriptor, or a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Its place in the module's image.
    pub offset: usize,
    /// Its bytes.
    pub size: usize,
}

/// A code object whose image lies in memory.
#[derive(Debug)]
pub struct Module {
    /// The chip that it is for.
    pub target: Target,
    /// Where its image lies.
    pub base: u64,
    /// Its image: code and constants, relocated.
    pub image: Vec<u8>,
    /// The part of the image that is code.
    pub code: std::ops::Range<usize>,
    /// Its kernels.
    pub kernels: Vec<Kernel>,
    /// Its symbols: what a host may ask for by name.
    pub symbols: Vec<Symbol>,
}

impl Module {
    /// Reads a code object and puts its image into memory, as an allocation named `code`.
    pub fn load(file: &[u8], memory: &Memory) -> Result<Self, ObjectError> {
        Self::load_at(file, memory, |size| Some(memory.allocate("code", size)))
    }

    /// The same, where `place` says: given the image's size, it returns the address of that many bytes of `memory`,
    /// or none when there are no more.
    pub fn load_at(
        file: &[u8],
        memory: &Memory,
        place: impl FnOnce(usize) -> Option<u64>,
    ) -> Result<Self, ObjectError> {
        let elf = elf::Elf::parse(file)?;
        let mut image = elf.image()?;
        let base = place(image.len()).ok_or(ObjectError::NoMemory { size: image.len() })?;
        elf.relocate(&mut image, base)?;
        let kernels = metadata::kernels(elf.metadata()?)?
            .into_iter()
            .map(|metadata| kernel(&elf, &image, metadata))
            .collect::<Result<_, _>>()?;
        if memory.write(base, &image).is_err() {
            return Err(ObjectError::NoMemory { size: image.len() });
        }
        let code = elf.code()?;
        if code.start % 4 != 0 || code.start > code.end || code.end > image.len() {
            return Err(ObjectError::Truncated("code"));
        }
        let symbols = elf.symbols()?;
        Ok(Module { target: elf.target, base, image, code, kernels, symbols })
    }

    /// The kernel of that name.
    pub fn kernel(&self, name: &str) -> Result<&Kernel, ObjectError> {
        self.kernels.iter().find(|kernel| kernel.metadata.name == name).ok_or_else(|| {
            let known: Vec<&str> =
                self.kernels.iter().map(|kernel| &kernel.metadata.name[..]).collect();
            ObjectError::NoKernel { name: name.to_owned(), known: known.join(", ") }
        })
    }
}

fn kernel(
    elf: &elf::Elf<'_>,
    image: &[u8],
    metadata: KernelMetadata,
) -> Result<Kernel, ObjectError> {
    let at = elf.symbol(&metadata.symbol)?;
    let bytes = image.get(at..).and_then(|rest| rest.first_chunk());
    let descriptor = Descriptor::parse(bytes.ok_or(ObjectError::Truncated("kernel descriptor"))?)?;
    let entry = (at as i64).checked_add(descriptor.entry_offset);
    let entry = entry.and_then(|entry| usize::try_from(entry).ok());
    let entry = entry.filter(|&entry| entry < image.len() && entry % 4 == 0);
    let entry = entry.ok_or(ObjectError::Truncated("code"))?;
    Ok(Kernel { descriptor, metadata, descriptor_offset: at, entry })
}
