//! Kernel arguments.

use crate::fault::LaunchError;
use crate::launch::Grid;
use crate::object::{Argument, Kernel};

/// The value of an argument: its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value(pub Vec<u8>);

macro_rules! from {
    ($($number:ty),*) => {
        $(impl From<$number> for Value {
            fn from(value: $number) -> Self {
                Value(value.to_le_bytes().to_vec())
            }
        })*
    };
}
from!(u8, u16, u32, u64, i8, i16, i32, i64, f32, f64);

fn wrong(kernel: &Kernel, expected: String, found: String) -> LaunchError {
    LaunchError::Arguments { kernel: kernel.metadata.name.clone(), expected, found }
}

/// The most workgroups of a launch: more would run for days.
const MOST_WORKGROUPS: u64 = 1 << 24;

/// Fails when the kernel cannot run in that shape.
pub fn check_grid(kernel: &Kernel, grid: &Grid) -> Result<(), LaunchError> {
    let product = |sizes: [u32; 3]| {
        sizes.iter().try_fold(1u64, |product, &size| product.checked_mul(size.into()))
    };
    let shown = |count: Option<u64>| count.map_or("more".to_owned(), |count| count.to_string());
    let most = kernel.metadata.max_flat_workgroup_size as u64;
    let items = product(grid.workgroup);
    if items.is_none_or(|items| items == 0 || items > most) {
        let expected = format!("workgroups of 1 to {most} work-items");
        return Err(wrong(kernel, expected, shown(items)));
    }
    let workgroups = product(grid.workgroups());
    if workgroups.is_none_or(|count| count > MOST_WORKGROUPS) {
        let expected = format!("at most {MOST_WORKGROUPS} workgroups");
        return Err(wrong(kernel, expected, shown(workgroups)));
    }
    Ok(())
}

/// The argument block: the values in their places, and the hidden arguments.
pub fn block(kernel: &Kernel, grid: &Grid, values: &[Value]) -> Result<Vec<u8>, LaunchError> {
    let mut block = vec![0; kernel.metadata.kernarg_size];
    let arguments = &kernel.metadata.arguments;
    let explicit: Vec<&Argument> = arguments.iter().filter(|a| !a.is_hidden()).collect();
    if explicit.len() != values.len() {
        let expected = format!("{} arguments", explicit.len());
        return Err(wrong(kernel, expected, values.len().to_string()));
    }
    for (index, (argument, value)) in explicit.into_iter().zip(values).enumerate() {
        if argument.size != value.0.len() {
            let expected = format!("{} bytes as argument {index}", argument.size);
            return Err(wrong(kernel, expected, value.0.len().to_string()));
        }
        put(&mut block, argument.offset, &value.0);
    }
    for argument in arguments.iter().filter(|argument| argument.is_hidden()) {
        let value = hidden(&argument.kind, grid).to_le_bytes();
        put(&mut block, argument.offset, &value[..argument.size.min(8)]);
    }
    Ok(block)
}

fn put(block: &mut [u8], offset: usize, bytes: &[u8]) {
    // A place outside of the block is the metadata's fault, and no kernel can read it.
    if let Some(place) = block.get_mut(offset..).and_then(|rest| rest.get_mut(..bytes.len())) {
        place.copy_from_slice(bytes);
    }
}

/// A hidden argument. Those that point to services of a runtime are zero, so that using one is a fault.
fn hidden(kind: &str, grid: &Grid) -> u64 {
    let axis = match kind.as_bytes().last() {
        Some(b'y') => 1,
        Some(b'z') => 2,
        _ => 0,
    };
    let (items, workgroup) = (grid.work_items[axis], grid.workgroup[axis]);
    let value = match kind {
        _ if kind.starts_with("hidden_block_count_") => items / workgroup.max(1),
        _ if kind.starts_with("hidden_group_size_") => workgroup,
        _ if kind.starts_with("hidden_remainder_") => items % workgroup.max(1),
        "hidden_grid_dims" => {
            1 + u32::from(grid.work_items[1] > 1) + u32::from(grid.work_items[2] > 1)
        }
        "hidden_dynamic_lds_size" => grid.dynamic_lds,
        "hidden_shared_base" => crate::machine::wave::SHARED_APERTURE,
        "hidden_private_base" => crate::machine::wave::PRIVATE_APERTURE,
        _ => 0,
    };
    value.into()
}
