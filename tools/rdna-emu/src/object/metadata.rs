//! What the metadata says of kernels.

use super::ObjectError;
use super::msgpack::{self, Value};

/// One argument of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Its place in the argument block, in bytes.
    pub offset: usize,
    /// Its size in bytes.
    pub size: usize,
    /// What it is: `global_buffer`, `by_value`, or one of the hidden ones.
    pub kind: String,
}

impl Argument {
    /// Whether the launcher fills it rather than the caller.
    pub fn is_hidden(&self) -> bool {
        self.kind.starts_with("hidden_")
    }
}

/// A kernel's metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelMetadata {
    /// Its name.
    pub name: String,
    /// The symbol of its descriptor.
    pub symbol: String,
    /// Its arguments, hidden ones last.
    pub arguments: Vec<Argument>,
    /// The size of its argument block.
    pub kernarg_size: usize,
    /// Its vector registers.
    pub vgprs: usize,
    /// Its scalar registers.
    pub sgprs: usize,
    /// Vector registers that the compiler had to keep in memory.
    pub vgpr_spills: usize,
    /// Scalar registers that the compiler had to keep elsewhere.
    pub sgpr_spills: usize,
    /// The lanes of a wave.
    pub wavefront_size: usize,
    /// The most work-items of a group.
    pub max_flat_workgroup_size: usize,
}

/// All kernels of a code object's metadata.
pub fn kernels(bytes: &[u8]) -> Result<Vec<KernelMetadata>, ObjectError> {
    let metadata = msgpack::parse(bytes)?;
    let kernels = metadata.get("amdhsa.kernels").and_then(Value::list);
    kernels.ok_or_else(|| missing("amdhsa.kernels"))?.iter().map(kernel).collect()
}

fn missing(what: &'static str) -> ObjectError {
    ObjectError::Unexpected { what: "metadata", found: format!("without {what}"), expected: what }
}

fn size(value: &Value, key: &'static str) -> Result<usize, ObjectError> {
    value.get(key).and_then(Value::size).ok_or_else(|| missing(key))
}

fn kernel(value: &Value) -> Result<KernelMetadata, ObjectError> {
    let text = |key| Some(value.get(key)?.text()?.to_owned());
    let arguments = value.get(".args").and_then(Value::list).unwrap_or_default();
    Ok(KernelMetadata {
        name: text(".name").ok_or_else(|| missing(".name"))?,
        symbol: text(".symbol").ok_or_else(|| missing(".symbol"))?,
        arguments: arguments.iter().map(argument).collect::<Result<_, _>>()?,
        kernarg_size: kernarg_size(value)?,
        vgprs: size(value, ".vgpr_count")?,
        sgprs: size(value, ".sgpr_count")?,
        vgpr_spills: size(value, ".vgpr_spill_count").unwrap_or(0),
        sgpr_spills: size(value, ".sgpr_spill_count").unwrap_or(0),
        wavefront_size: size(value, ".wavefront_size")?,
        max_flat_workgroup_size: size(value, ".max_flat_workgroup_size")?,
    })
}

/// The size of the argument block, which is believed up to a mebibyte.
fn kernarg_size(value: &Value) -> Result<usize, ObjectError> {
    match size(value, ".kernarg_segment_size")? {
        bytes if bytes <= 1 << 20 => Ok(bytes),
        bytes => Err(ObjectError::Unexpected {
            what: "argument block",
            found: format!("{bytes} bytes"),
            expected: "at most 1 MiB",
        }),
    }
}

fn argument(value: &Value) -> Result<Argument, ObjectError> {
    let kind = value.get(".value_kind").and_then(Value::text);
    Ok(Argument {
        offset: size(value, ".offset")?,
        size: size(value, ".size")?,
        kind: kind.ok_or_else(|| missing(".value_kind"))?.to_owned(),
    })
}
