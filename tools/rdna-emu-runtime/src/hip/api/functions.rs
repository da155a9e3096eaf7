//! Kernels: attributes, occupancy, launches.

use std::ffi::c_void;
use std::sync::Arc;

use crate::hip::abi::Dim3;
use crate::hip::error::Error;
use crate::hip::kernel::{Arguments, Function, Launch, Shape};
use crate::hip::occupancy::Multiprocessor;
use crate::hip::pointer::{In, Out};
use crate::hip::runtime::Runtime;
use crate::hip::table::Handle;

fn function(runtime: &Runtime, handle: Handle) -> Result<Arc<Function>, Error> {
    runtime.functions.get(handle)
}

fn launch(
    runtime: &Runtime,
    handle: Handle,
    shape: Shape,
    stream: Handle,
    arguments: Arguments,
) -> Result<(), Error> {
    let function = function(runtime, handle)?;
    let launch = Launch::new(&runtime.device, &function, shape, arguments)?;
    runtime.launch(stream, Arc::new(launch))
}

fn best_block(
    runtime: &Runtime,
    (grid, block): (Out<i32>, Out<i32>),
    handle: Handle,
    dynamic_lds: usize,
    limit: i32,
) -> Result<(), Error> {
    let function = function(runtime, handle)?;
    let config = &runtime.device.config;
    let most = if limit > 0 { limit as u32 } else { 1024 };
    let lds = u32::try_from(dynamic_lds).map_err(|_| Error::InvalidValue)?;
    let count = Multiprocessor::count(config);
    let (blocks, size) = Multiprocessor::of(config).best_block(function.kernel(), lds, most, count);
    grid.check()?;
    block.set(size as i32)?;
    grid.set(blocks as i32)
}

fn active_blocks(
    runtime: &Runtime,
    blocks: Out<i32>,
    handle: Handle,
    block_size: i32,
    dynamic_lds: usize,
) -> Result<(), Error> {
    let function = function(runtime, handle)?;
    let size = u32::try_from(block_size).map_err(|_| Error::InvalidValue)?;
    let lds = u32::try_from(dynamic_lds).map_err(|_| Error::InvalidValue)?;
    let multiprocessor = Multiprocessor::of(&runtime.device.config);
    blocks.set(multiprocessor.blocks_of(function.kernel(), size, lds) as i32)
}

/// An attribute by its number in `hipFunction_attribute`.
fn attribute(function: &Function, number: u32) -> Result<usize, Error> {
    let kernel = function.kernel();
    Ok(match number {
        0 => kernel.metadata.max_flat_workgroup_size,
        1 => kernel.descriptor.lds_size as usize,
        3 => kernel.descriptor.scratch_size as usize,
        4 => kernel.metadata.vgprs,
        // Constants, versions and cache modes, which mean nothing here.
        2 | 5 | 6 | 7 | 9 => 0,
        8 => (64 << 10) - kernel.descriptor.lds_size as usize,
        _ => return Err(Error::InvalidValue),
    })
}

exports! {
    /// An attribute of a kernel.
    fn hipFuncGetAttribute(runtime, value: Out<i32>, number: u32, handle: Handle) {
        value.check()?;
        value.set(attribute(&*function(runtime, handle)?, number)? as i32)
    }

    /// Allows more dynamic LDS, or prefers LDS to caches: nothing here needs to be told.
    fn hipFuncSetAttribute(runtime, handle: Handle, number: u32, value: i32) {
        function(runtime, handle)?;
        if matches!(number, 8 | 9) { Ok(()) } else { Err(Error::InvalidValue) }
    }

    /// Runs a kernel in a stream's order.
    fn hipModuleLaunchKernel(
        runtime,
        handle: Handle,
        blocks_x: u32,
        blocks_y: u32,
        blocks_z: u32,
        threads_x: u32,
        threads_y: u32,
        threads_z: u32,
        dynamic_lds: u32,
        stream: Handle,
        parameters: In<*const c_void>,
        extra: In<*const c_void>,
    ) {
        let shape = Shape {
            blocks: [blocks_x, blocks_y, blocks_z],
            threads: [threads_x, threads_y, threads_z],
            dynamic_lds,
        };
        launch(runtime, handle, shape, stream, Arguments { each: parameters, extra })
    }

    /// The same. A function is a handle of `hipModuleGetFunction`: the host has no stubs of kernels here.
    fn hipLaunchKernel(
        runtime,
        handle: Handle,
        blocks: Dim3,
        threads: Dim3,
        parameters: In<*const c_void>,
        dynamic_lds: usize,
        stream: Handle,
    ) {
        if runtime.functions.get(handle).is_err() {
            return Err(Error::InvalidDeviceFunction);
        }
        let dynamic_lds = u32::try_from(dynamic_lds).map_err(|_| Error::InvalidConfiguration)?;
        let shape = Shape { blocks: blocks.axes(), threads: threads.axes(), dynamic_lds };
        launch(runtime, handle, shape, stream, Arguments { each: parameters, extra: In::NULL })
    }

    /// How many blocks of a size a multiprocessor holds at once.
    fn hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(
        runtime,
        blocks: Out<i32>,
        handle: Handle,
        block_size: i32,
        dynamic_lds: usize,
    ) {
        active_blocks(runtime, blocks, handle, block_size, dynamic_lds)
    }

    /// The same.
    fn hipOccupancyMaxActiveBlocksPerMultiprocessor(
        runtime,
        blocks: Out<i32>,
        handle: Handle,
        block_size: i32,
        dynamic_lds: usize,
    ) {
        active_blocks(runtime, blocks, handle, block_size, dynamic_lds)
    }

    /// The size of blocks that keeps most work-items at once, and how many blocks fill the device.
    fn hipModuleOccupancyMaxPotentialBlockSize(
        runtime,
        grid: Out<i32>,
        block: Out<i32>,
        handle: Handle,
        dynamic_lds: usize,
        limit: i32,
    ) {
        best_block(runtime, (grid, block), handle, dynamic_lds, limit)
    }

    /// The same.
    fn hipOccupancyMaxPotentialBlockSize(
        runtime,
        grid: Out<i32>,
        block: Out<i32>,
        handle: Handle,
        dynamic_lds: usize,
        limit: i32,
    ) {
        best_block(runtime, (grid, block), handle, dynamic_lds, limit)
    }
}
