//! Graphs.

use std::ffi::c_void;
use std::sync::Arc;

use crate::hip::abi::{Copy3d, CopySide, KernelNodeParams, MemsetParams};
use crate::hip::error::Error;
use crate::hip::graph::{Graph, Node, Work, host_call};
use crate::hip::kernel::{Arguments, Launch, Shape};
use crate::hip::memory::Fill;
use crate::hip::pointer::{In, Out};
use crate::hip::runtime::Runtime;
use crate::hip::table::Handle;

/// `hipGraphExecUpdateResult`.
const UPDATED: u32 = 0;
const TOPOLOGY_CHANGED: u32 = 2;
const NODE_TYPE_CHANGED: u32 = 3;

/// Adds a node behind others of the same graph.
fn add(
    runtime: &Runtime,
    out: Out<Handle>,
    graph: Handle,
    (before, count): (In<Handle>, usize),
    work: Work,
) -> Result<(), Error> {
    out.check()?;
    let owner = runtime.graphs.get(graph)?;
    let before = before.several(count)?;
    let after = before.into_iter().map(|node| number_in(runtime, graph, node));
    let after = after.collect::<Result<_, _>>()?;
    let number = owner.add(work, after);
    out.set(runtime.nodes.insert(Arc::new(Node { graph, number })))
}

fn number_in(runtime: &Runtime, graph: Handle, node: Handle) -> Result<usize, Error> {
    let node = runtime.nodes.get(node)?;
    if node.graph == graph { Ok(node.number) } else { Err(Error::InvalidValue) }
}

fn launch_work(runtime: &Runtime, parameters: In<KernelNodeParams>) -> Result<Work, Error> {
    let node = parameters.get()?;
    let function = runtime.functions.get(node.function)?;
    let shape = Shape {
        blocks: node.grid.axes(),
        threads: node.block.axes(),
        dynamic_lds: node.dynamic_lds,
    };
    let arguments =
        Arguments { each: In::at_address(node.parameters), extra: In::at_address(node.extra) };
    Ok(Work::Launch(Arc::new(Launch::new(&runtime.device, &function, shape, arguments)?)))
}

fn fill_work(parameters: In<MemsetParams>) -> Result<Work, Error> {
    let fill = parameters.get()?;
    let row = |row: usize| Fill {
        destination: fill.destination.wrapping_add((row * fill.pitch) as u64),
        value: fill.value,
        width: fill.element_size as usize,
        count: fill.width,
    };
    if fill.destination == 0 || fill.height == 0 || fill.height > MOST_ROWS {
        return Err(Error::InvalidValue);
    }
    Ok(Work::Fills((0..fill.height).map(row).collect()))
}

/// The rows of one copy or fill that are believed.
const MOST_ROWS: usize = 1 << 20;

fn copy_work(parameters: In<Copy3d>) -> Result<Work, Error> {
    let copy = parameters.get()?;
    let rows = copy.height.checked_mul(copy.depth).filter(|rows| (1..=MOST_ROWS).contains(rows));
    rows.ok_or(Error::InvalidValue)?;
    let place = |side: &CopySide, y: usize, z: usize| {
        let base = if side.device != 0 { side.device } else { side.host };
        let row = (side.z + z).wrapping_mul(side.height).wrapping_add(side.y + y);
        base.wrapping_add(row.wrapping_mul(side.pitch).wrapping_add(side.x_bytes) as u64)
    };
    if !copy.source.array.is_null() || !copy.destination.array.is_null() {
        return Err(Error::NotSupported);
    }
    let places = (0..copy.depth).flat_map(|z| (0..copy.height).map(move |y| (y, z)));
    let rows = places.map(|(y, z)| {
        (place(&copy.destination, y, z), place(&copy.source, y, z), copy.width_bytes)
    });
    Ok(Work::Copies(rows.collect()))
}

fn instantiate(runtime: &Runtime, executable: Out<Handle>, graph: Handle) -> Result<(), Error> {
    executable.check()?;
    let made = runtime.graphs.get(graph)?.instantiate(graph)?;
    executable.set(runtime.executables.insert(Arc::new(made)))
}

exports! {
    /// A graph without nodes.
    fn hipGraphCreate(runtime, graph: Out<Handle>, flags: u32) {
        graph.check()?;
        if flags != 0 {
            return Err(Error::InvalidValue);
        }
        graph.set(runtime.graphs.insert(Arc::new(Graph::default())))
    }

    /// Ends a graph and its nodes; what was made of it stays.
    fn hipGraphDestroy(runtime, graph: Handle) {
        runtime.graphs.remove(graph)?;
        runtime.nodes.remove_all(|node| node.graph == graph);
        Ok(())
    }

    /// A node that does nothing: a place to wait for.
    fn hipGraphAddEmptyNode(runtime, node: Out<Handle>, graph: Handle, before: In<Handle>, count: usize) {
        add(runtime, node, graph, (before, count), Work::Nothing)
    }

    /// A launch. Its arguments are read now.
    fn hipGraphAddKernelNode(
        runtime,
        node: Out<Handle>,
        graph: Handle,
        before: In<Handle>,
        count: usize,
        parameters: In<KernelNodeParams>,
    ) {
        add(runtime, node, graph, (before, count), launch_work(runtime, parameters)?)
    }

    /// A fill.
    fn hipGraphAddMemsetNode(
        runtime,
        node: Out<Handle>,
        graph: Handle,
        before: In<Handle>,
        count: usize,
        parameters: In<MemsetParams>,
    ) {
        add(runtime, node, graph, (before, count), fill_work(parameters)?)
    }

    /// A copy to the device. Memory of the host is read at each launch.
    fn hipDrvGraphAddMemcpyNode(
        runtime,
        node: Out<Handle>,
        graph: Handle,
        before: In<Handle>,
        count: usize,
        parameters: In<Copy3d>,
        context: Handle,
    ) {
        add(runtime, node, graph, (before, count), copy_work(parameters)?)
    }

    /// A copy of bytes to the device.
    fn hipGraphAddMemcpyNode1D(
        runtime,
        node: Out<Handle>,
        graph: Handle,
        before: In<Handle>,
        count: usize,
        destination: u64,
        source: u64,
        size: usize,
        kind: u32,
    ) {
        add(runtime, node, graph, (before, count), Work::Copies(vec![(destination, source, size)]))
    }

    /// A call of the host.
    fn hipGraphAddHostNode(
        runtime,
        node: Out<Handle>,
        graph: Handle,
        before: In<Handle>,
        count: usize,
        parameters: In<(Option<extern "C" fn(*mut c_void)>, *mut c_void)>,
    ) {
        let (function, data) = parameters.get()?;
        add(runtime, node, graph, (before, count), Work::Host(host_call(function, data)?))
    }

    /// Records an event.
    fn hipGraphAddEventRecordNode(
        runtime,
        node: Out<Handle>,
        graph: Handle,
        before: In<Handle>,
        count: usize,
        event: Handle,
    ) {
        let event = runtime.events.get(event)?;
        add(runtime, node, graph, (before, count), Work::Record(event))
    }

    /// Makes nodes wait for others, pair by pair.
    fn hipGraphAddDependencies(runtime, graph: Handle, from: In<Handle>, to: In<Handle>, count: usize) {
        let owner = runtime.graphs.get(graph)?;
        for (from, to) in from.several(count)?.into_iter().zip(to.several(count)?) {
            owner.depend(number_in(runtime, graph, from)?, number_in(runtime, graph, to)?)?;
        }
        Ok(())
    }

    /// Makes an executable of a graph.
    fn hipGraphInstantiate(
        runtime,
        executable: Out<Handle>,
        graph: Handle,
        error_node: Out<Handle>,
        log: Out<u8>,
        log_size: usize,
    ) {
        instantiate(runtime, executable, graph)
    }

    /// The same.
    fn hipGraphInstantiateWithFlags(runtime, executable: Out<Handle>, graph: Handle, flags: u64) {
        instantiate(runtime, executable, graph)
    }

    /// Gives a launch of an executable other arguments.
    fn hipGraphExecKernelNodeSetParams(
        runtime,
        executable: Handle,
        node: Handle,
        parameters: In<KernelNodeParams>,
    ) {
        let executable = runtime.executables.get(executable)?;
        executable.set(&*runtime.nodes.get(node)?, launch_work(runtime, parameters)?)
    }

    /// Gives a fill of an executable another place or value.
    fn hipGraphExecMemsetNodeSetParams(
        runtime,
        executable: Handle,
        node: Handle,
        parameters: In<MemsetParams>,
    ) {
        let executable = runtime.executables.get(executable)?;
        executable.set(&*runtime.nodes.get(node)?, fill_work(parameters)?)
    }

    /// Takes over what a graph of the same shape does.
    fn hipGraphExecUpdate(
        runtime,
        executable: Handle,
        graph: Handle,
        error_node: Out<Handle>,
        result: Out<u32>,
    ) {
        result.check()?;
        let executable = runtime.executables.get(executable)?;
        match executable.update(&*runtime.graphs.get(graph)?) {
            Ok(()) => result.set(UPDATED),
            Err(step) => {
                result.set(if step.is_some() { NODE_TYPE_CHANGED } else { TOPOLOGY_CHANGED })?;
                if !error_node.is_null() {
                    error_node.set(Handle::NULL)?;
                }
                Err(Error::GraphExecUpdateFailure)
            }
        }
    }

    /// Runs a graph in a stream's order.
    fn hipGraphLaunch(runtime, executable: Handle, stream: Handle) {
        let executable = runtime.executables.get(executable)?;
        // SAFETY: what copies read is the caller's until the graph's last launch.
        unsafe { executable.launch(runtime, stream) }
    }

    /// Makes ready for a launch: nothing is left to do.
    fn hipGraphUpload(runtime, executable: Handle, stream: Handle) {
        runtime.executables.get(executable)?;
        runtime.with_stream(stream, |_| ())
    }

    /// Ends an executable; launches that were submitted still run.
    fn hipGraphExecDestroy(runtime, executable: Handle) {
        runtime.executables.remove(executable).map(|_| ())
    }
}
