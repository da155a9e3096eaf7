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
    /// Its first instruction, as an offset in the module's image.
    pub entry: usize,
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
}

impl Module {
    /// Reads a code object and puts its image into memory, as an allocation named `code`.
    pub fn load(file: &[u8], memory: &mut Memory) -> Result<Self, ObjectError> {
        let elf = elf::Elf::parse(file)?;
        let mut image = elf.image()?;
        let base = memory.allocate("code", image.len());
        elf.relocate(&mut image, base)?;
        let kernels = metadata::kernels(elf.metadata()?)?
            .into_iter()
            .map(|metadata| kernel(&elf, &image, metadata))
            .collect::<Result<_, _>>()?;
        memory.write(base, &image).expect("the image has the allocation's size");
        let code = elf.code()?;
        if code.start % 4 != 0 || code.start > code.end || code.end > image.len() {
            return Err(ObjectError::Truncated("code"));
        }
        Ok(Module { target: elf.target, base, image, code, kernels })
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
    Ok(Kernel { descriptor, metadata, entry: entry.ok_or(ObjectError::Truncated("code"))? })
}
