//! The GPU kernels of `kernels-hip/` as code objects, one for each file and kind of GPU, ready to
//! be put into compiled programs. The build compiles them with clang. With the feature `cuda` it also
//! compiles them to [PTX](ptx) for NVIDIA GPUs, those without matrix registers' instructions.
//!
//! Only the compiling side needs them: an artifact holds the objects that its programs use.

mod code_object;
mod message_pack;
pub mod ptx;

use std::collections::BTreeMap;
use std::sync::OnceLock;

pub use code_object::{CodeObject, Kernel, MalformedObject, with_shared_sizes};

/// Objects of a file by kind.
type Objects = &'static [(&'static str, &'static [u8])];

/// Objects by file and kind, as the build made them.
const OBJECTS: &[(&str, Objects)] = include!(concat!(env!("OUT_DIR"), "/objects.rs"));

/// The kinds that objects are made for: a chip, or a family of chips.
pub const ARCHS: [&str; 3] = ["gfx1151", "gfx11-generic", "gfx12-generic"];

/// The kind whose objects a chip (`gfx1151`) runs; `None` for chips without kernels of ours.
pub fn arch_of(chip: &str) -> Option<&'static str> {
    match chip {
        "gfx1151" => Some("gfx1151"),
        "gfx1100" | "gfx1101" | "gfx1102" | "gfx1103" | "gfx1150" | "gfx1152" => {
            Some("gfx11-generic")
        }
        "gfx1200" | "gfx1201" => Some("gfx12-generic"),
        _ => None,
    }
}

/// The files of `kernels-hip/`, without their ending.
pub fn files() -> impl Iterator<Item = &'static str> {
    OBJECTS.iter().map(|(file, _)| *file)
}

/// The object of a file for a kind of [`ARCHS`]; `None` where the file excludes it.
pub fn object(arch: &str, file: &str) -> Option<&'static [u8]> {
    let (_, objects) = OBJECTS.iter().find(|(name, _)| *name == file)?;
    objects.iter().find(|(name, _)| *name == arch).map(|(_, bytes)| *bytes)
}

/// The file that defines a kernel.
pub fn file_of(kernel: &str) -> Option<&'static str> {
    static FILES: OnceLock<BTreeMap<String, &'static str>> = OnceLock::new();
    let files = FILES.get_or_init(|| {
        let objects = OBJECTS
            .iter()
            .flat_map(|(file, objects)| objects.iter().map(move |(arch, _)| (*file, *arch)));
        let names = objects.flat_map(|(file, arch)| {
            kernels(arch, file).into_iter().map(move |kernel| (kernel.name, file))
        });
        names.collect()
    });
    files.get(kernel).copied()
}

/// The kernels of a file for a kind, and what they need; empty where the file excludes the kind.
pub fn kernels(arch: &str, file: &str) -> Vec<Kernel> {
    let Some(bytes) = object(arch, file) else { return Vec::new() };
    let read = CodeObject::read(bytes).expect("clang writes well-formed code objects");
    read.kernels
}

/// What a kernel needs on a kind; `None` where no file has it there.
pub fn kernel(arch: &str, name: &str) -> Option<Kernel> {
    kernels(arch, file_of(name)?).into_iter().find(|kernel| kernel.name == name)
}
