//! The face of HIP, driven function by function. Each test has a process and a device of its own.

mod common;
#[path = "common/hip.rs"]
mod driver;

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};

use driver::{
    Handle, Hip, INVALID_DEVICE, INVALID_HANDLE, INVALID_VALUE, KernelNode, Memset,
    NO_BINARY_FOR_GPU, NOT_FOUND, NOT_READY, NOT_SUPPORTED, OUT_OF_MEMORY, UPDATE_FAILURE, alone,
    close,
};

fn object() -> Vec<u8> {
    common::compile(common::KERNELS)
}

fn numbers() -> Vec<i32> {
    (0..64).collect()
}

/// What IREE's driver asks for by name.
const DRIVER_SYMBOLS: &str = "
    hipCtxSetCurrent hipCtxGetCurrent hipCtxPushCurrent hipCtxPopCurrent hipDeviceCanAccessPeer
    hipDeviceEnablePeerAccess hipDeviceGet hipDeviceGetAttribute hipDeviceGetName hipDeviceGetUuid
    hipDevicePrimaryCtxRelease hipDevicePrimaryCtxRetain hipDrvGraphAddMemcpyNode hipEventCreate
    hipEventCreateWithFlags hipEventDestroy hipEventElapsedTime hipEventQuery hipEventRecord
    hipEventSynchronize hipFree hipFreeAsync hipFuncGetAttribute hipFuncSetAttribute hipGetDeviceCount
    hipGetDeviceProperties hipGetErrorName hipGetErrorString hipGetLastError hipGraphAddEmptyNode
    hipGraphAddEventRecordNode hipGraphAddKernelNode hipGraphAddMemsetNode hipGraphCreate hipGraphDestroy
    hipGraphExecDestroy hipGraphInstantiate hipGraphLaunch hipHostFree hipHostGetDevicePointer
    hipHostMalloc hipHostRegister hipHostUnregister hipInit hipLaunchHostFunc hipLaunchKernel hipMalloc
    hipMallocFromPoolAsync hipMallocManaged hipMallocAsync hipMemcpy hipMemcpyAsync hipMemcpyHtoDAsync
    hipMemPoolCreate hipMemPoolDestroy hipMemPoolGetAttribute hipMemPoolSetAttribute hipMemPoolTrimTo
    hipMemPrefetchAsync hipMemset hipMemsetAsync hipMemsetD8Async hipMemsetD16Async hipMemsetD32Async
    hipModuleGetFunction hipModuleGetGlobal hipModuleLaunchKernel hipModuleLoadData hipModuleLoadDataEx
    hipModuleUnload hipSetDevice hipStreamCreateWithFlags hipStreamDestroy hipStreamSynchronize
    hipStreamWaitEvent";

#[test]
fn every_function_that_the_driver_resolves_is_there() {
    alone("every_function_that_the_driver_resolves_is_there", &[], |hip| {
        let names: Vec<&str> = DRIVER_SYMBOLS.split_whitespace().collect();
        assert_eq!(names.len(), 75);
        let missing: Vec<_> = names.iter().filter(|name| hip.symbol(name).is_none()).collect();
        assert!(missing.is_empty(), "{missing:?}");
    });
}

#[test]
fn the_device_says_what_it_is() {
    let environment = [
        ("TYTO_EMU_GFX", "gfx1150"),
        ("TYTO_EMU_CUS", "16"),
        ("TYTO_EMU_VRAM", "1M"),
        ("TYTO_EMU_GTT", "3M"),
    ];
    alone("the_device_says_what_it_is", &environment, |hip| {
        let (mut count, mut value, mut device) = (0, 0, -1);
        assert_eq!((hip.hipInit(0), hip.hipGetDeviceCount(&mut count), count), (0, 0, 1));
        assert_eq!((hip.hipDeviceGet(&mut device, 0), device), (0, 0));
        assert_eq!(hip.hipDeviceGet(&mut device, 1), INVALID_DEVICE);
        assert_eq!((hip.hipDeviceGetAttribute(&mut value, 63, 0), value), (0, 8));
        let mut name = [0xffu8; 12];
        assert_eq!(hip.hipDeviceGetName(name.as_mut_ptr(), 9, 0), 0);
        assert_eq!(&name, b"Emulated\0\xff\xff\xff");
        let (mut old, mut new) = ([0xffu8; 800], [0xffu8; 1480]);
        assert_eq!(hip.hipGetDeviceProperties(old.as_mut_ptr(), 0), 0);
        assert_eq!(hip.hipGetDevicePropertiesR0600(new.as_mut_ptr(), 0), 0);
        assert_eq!((&old[396..404], &new[1160..1168]), (&b"gfx1150\0"[..], &b"gfx1150\0"[..]));
        assert_eq!((&old[792..], &new[1472..]), (&[0xff; 8][..], &[0xff; 8][..]), "nothing behind");
        let (mut free, mut total) = (0, 0);
        assert_eq!((hip.hipMemGetInfo(&mut free, &mut total), total), (0, 4 << 20));
        let mut address = 0;
        assert_eq!(hip.hipMalloc(&mut address, 1 << 20), 0);
        assert_eq!((hip.hipMemGetInfo(&mut free, &mut total), free), (0, 3 << 20));
        assert_eq!(hip.hipMalloc(&mut address, 4 << 20), OUT_OF_MEMORY);
    });
}

#[test]
fn a_module_gives_kernels_variables_and_attributes() {
    alone("a_module_gives_kernels_variables_and_attributes", &[], |hip| {
        let object = object();
        let (mut module, mut function, mut value) = (0, 0, 0);
        assert_eq!(
            hip.hipModuleLoadDataEx(&mut module, object.as_ptr(), 0, null_mut(), null_mut()),
            0
        );
        let find = |function: &mut Handle, name: &CStr| {
            hip.hipModuleGetFunction(function, module, name.as_ptr())
        };
        assert_eq!(find(&mut function, c"nothing"), NOT_FOUND);
        assert_eq!(find(&mut function, c"reversed"), 0);
        assert_eq!((hip.hipFuncGetAttribute(&mut value, 0, function), value), (0, 64));
        assert_eq!((hip.hipFuncGetAttribute(&mut value, 1, function), value), (0, 256));
        let (mut grid, mut block) = (0, 0);
        assert_eq!(
            hip.hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&mut value, function, 64, 0),
            0
        );
        assert_eq!(value, 32, "64 waves of 2 a block");
        assert_eq!(
            hip.hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(
                &mut value,
                function,
                64,
                30 << 10
            ),
            0
        );
        assert_eq!(value, 4, "31 KiB of 128");
        assert_eq!(
            hip.hipModuleOccupancyMaxPotentialBlockSize(&mut grid, &mut block, function, 0, 0),
            0
        );
        assert_eq!((grid, block), (640, 64));
        let (mut address, mut size) = (0, 0);
        assert_eq!(hip.hipModuleGetGlobal(&mut address, &mut size, module, c"scale".as_ptr()), 0);
        assert_eq!((size, hip.read(address, 1)), (4, vec![3]));
        assert_eq!(hip.hipMemcpy(address, [5i32].as_ptr() as u64, 4, 1), 0);
        assert_eq!(find(&mut function, c"scaled"), 0);
        let (input, out) = (hip.buffer(&numbers()), hip.buffer(&[0; 64]));
        launch_in_a_block(hip, function, [input, out]);
        assert_eq!(hip.read(out, 64), numbers().iter().map(|x| 5 * x).collect::<Vec<_>>());
        assert_eq!(hip.hipModuleUnload(module), 0);
        assert_eq!(hip.launch(function, out, 0), INVALID_HANDLE);
    });
}

/// Gives the arguments as one block.
fn launch_in_a_block(hip: &Hip, function: Handle, arguments: [u64; 2]) {
    let size = size_of_val(&arguments);
    let (pointer, size): (*const c_void, *const c_void) =
        ((&raw const arguments).cast(), (&raw const size).cast());
    let keys = [1usize, 2, 3].map(|key| key as *const c_void);
    let extra = [keys[0], pointer, keys[1], size, keys[2]];
    let launch = |extra: &[*const c_void]| {
        hip.hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, 0, null(), extra.as_ptr())
    };
    assert_eq!(launch(&extra), 0);
    assert_eq!(launch(&[7 as *const c_void]), INVALID_VALUE, "a key that names nothing");
}

#[test]
fn a_bundle_is_searched_for_the_devices_code() {
    alone("a_bundle_is_searched_for_the_devices_code", &[], |hip| {
        let object = object();
        let bundle = |name: &str| {
            let mut bundle = b"__CLANG_OFFLOAD_BUNDLE__".to_vec();
            for number in [1, 56 + name.len(), object.len(), name.len()] {
                bundle.extend((number as u64).to_le_bytes());
            }
            [&bundle[..], name.as_bytes(), &object].concat()
        };
        let mut module = 0;
        let mut load = |bundle: &[u8]| {
            hip.hipModuleLoadDataEx(&mut module, bundle.as_ptr(), 0, null_mut(), null_mut())
        };
        assert_eq!(load(&bundle("hipv4-amdgcn-amd-amdhsa--gfx1151")), 0);
        assert_eq!(load(&bundle("hipv4-amdgcn-amd-amdhsa--gfx1100")), NO_BINARY_FOR_GPU);
    });
}

#[test]
fn streams_wait_for_events_and_for_nothing_else() {
    alone("streams_wait_for_events_and_for_nothing_else", &[], |hip| {
        let object = object();
        let (add, twice) = (hip.kernel(&object, c"add_one"), hip.kernel(&object, c"twice"));
        let (data, other) = (hip.buffer(&[5; 64]), hip.buffer(&[5; 64]));
        let (first, second, third) = (hip.stream(), hip.stream(), hip.stream());
        let event = hip.event();
        assert_eq!(hip.hipEventQuery(event), 0, "never recorded");
        let opened = AtomicBool::new(false);
        close(hip, first, &opened);
        assert_eq!((hip.launch(add, data, first), hip.hipEventRecord(event, first)), (0, 0));
        assert_eq!(hip.hipStreamWaitEvent(second, event, 0), 0);
        assert_eq!(hip.launch(twice, data, second), 0);
        assert_eq!((hip.launch(twice, other, third), hip.hipStreamSynchronize(third)), (0, 0));
        assert_eq!(hip.read(other, 64), [10; 64], "a stream without waits goes on");
        assert_eq!([hip.hipEventQuery(event), hip.hipStreamQuery(second)], [NOT_READY; 2]);
        assert_eq!(hip.read(data, 64), [5; 64]);
        opened.store(true, Ordering::SeqCst);
        assert_eq!((hip.hipEventSynchronize(event), hip.hipEventQuery(event)), (0, 0));
        assert_eq!(hip.hipStreamSynchronize(second), 0);
        assert_eq!(hip.read(data, 64), [12; 64], "first one more, then twice");
        assert_eq!((hip.hipEventDestroy(event), hip.hipEventQuery(event)), (0, INVALID_HANDLE));
    });
}

#[test]
fn the_null_stream_waits_for_blocking_streams() {
    alone("the_null_stream_waits_for_blocking_streams", &[], |hip| {
        let object = object();
        let (add, twice) = (hip.kernel(&object, c"add_one"), hip.kernel(&object, c"twice"));
        let data = hip.buffer(&[5; 64]);
        let mut blocking = 0;
        assert_eq!(hip.hipStreamCreateWithFlags(&mut blocking, 0), 0);
        let opened = AtomicBool::new(false);
        close(hip, blocking, &opened);
        assert_eq!([hip.launch(add, data, blocking), hip.launch(twice, data, 0)], [0, 0]);
        assert_eq!(hip.launch(add, data, blocking), 0);
        opened.store(true, Ordering::SeqCst);
        assert_eq!(hip.hipDeviceSynchronize(), 0);
        assert_eq!(hip.read(data, 64), [13; 64]);
        let (mut start, mut end, mut time) = (0, 0, -1.0);
        assert_eq!(hip.hipEventCreateWithFlags(&mut start, 0), 0);
        assert_eq!(hip.hipEventCreateWithFlags(&mut end, 0), 0);
        assert_eq!([hip.hipEventRecord(start, 0), hip.hipEventRecord(end, 0)], [0, 0]);
        assert_eq!(hip.hipEventSynchronize(end), 0);
        assert_eq!(hip.hipEventElapsedTime(&mut time, start, end), 0);
        assert!(time >= 0.0);
        assert_eq!(hip.hipEventElapsedTime(&mut time, start, hip.event()), INVALID_HANDLE);
    });
}

#[test]
fn memory_comes_from_pools_and_from_the_host() {
    alone("memory_comes_from_pools_and_from_the_host", &[], |hip| {
        let (mut pool, mut address, mut value) = (0, 0, 0);
        let stream = hip.stream();
        assert_eq!(hip.hipMemPoolCreate(&mut pool, [0u8; 88].as_ptr()), 0);
        assert_eq!(hip.hipMallocFromPoolAsync(&mut address, 1000, pool, stream), 0);
        assert_eq!((hip.hipMemPoolGetAttribute(pool, 7, &mut value), value), (0, 1000));
        assert_eq!(hip.hipMemsetD16Async(address, 0x102, 500, stream), 0);
        assert_eq!(hip.hipFreeAsync(address, stream), 0);
        assert_eq!(hip.hipStreamSynchronize(stream), 0);
        assert_eq!((hip.hipMemPoolGetAttribute(pool, 7, &mut value), value), (0, 0));
        assert_eq!((hip.hipMemPoolGetAttribute(pool, 8, &mut value), value), (0, 1000));
        assert_eq!(
            (hip.hipFreeAsync(address, stream), hip.hipFree(address)),
            (INVALID_VALUE, INVALID_VALUE)
        );
        assert_eq!(hip.hipMemPoolDestroy(pool), 0);

        let add = hip.kernel(&object(), c"add_one");
        let mut values = numbers();
        let place = values.as_mut_ptr() as u64;
        let mut seen = 0;
        assert_eq!(hip.hipHostGetDevicePointer(&mut seen, place, 0), INVALID_VALUE);
        assert_eq!(hip.hipHostRegister(place, 256, 0), 0);
        assert_eq!((hip.hipHostGetDevicePointer(&mut seen, place, 0), seen), (0, place));
        assert_eq!((hip.launch(add, place, stream), hip.hipHostUnregister(place)), (0, 0));
        assert_eq!(values, (1..=64).collect::<Vec<_>>());
        assert_eq!(hip.hipHostMalloc(&mut address, 256, 0), 0);
        assert_eq!(hip.hipMemsetD32Async(address, -7, 64, stream), 0);
        assert_eq!(hip.hipStreamSynchronize(stream), 0);
        assert_eq!(hip.read(address, 64), [-7; 64]);
        assert_eq!(hip.hipMemcpy(address, place, 300, 1), INVALID_VALUE, "behind the block's end");
        assert_eq!(hip.hipHostFree(address), 0);
        // What the stream has not yet read may change: it was copied.
        let opened = AtomicBool::new(false);
        let data = hip.buffer(&[0; 64]);
        close(hip, stream, &opened);
        assert_eq!(hip.hipMemcpyAsync(data, place, 256, 1, stream), 0);
        values.fill(0);
        opened.store(true, Ordering::SeqCst);
        assert_eq!(hip.hipStreamSynchronize(stream), 0);
        assert_eq!(hip.read(data, 64), (1..=64).collect::<Vec<_>>());
    });
}

#[test]
fn large_fills_and_copies_reach_their_ends() {
    alone("large_fills_and_copies_reach_their_ends", &[], |hip| {
        const COUNT: usize = (3 << 18) + 5;
        let (mut from, mut to) = (0, 0);
        assert_eq!(
            [hip.hipMalloc(&mut from, 4 * COUNT), hip.hipMalloc(&mut to, 4 * COUNT)],
            [0, 0]
        );
        assert_eq!(hip.hipMemsetD32Async(from, 0x1234_5678, COUNT, 0), 0);
        assert_eq!(hip.hipMemcpyAsync(to, from, 4 * COUNT, 3, 0), 0);
        assert!(hip.read(to, COUNT).iter().all(|&value| value == 0x1234_5678));
        assert_eq!(hip.hipMemsetD32Async(from, 0, COUNT + 1, 0), INVALID_VALUE, "behind the end");
    });
}

fn node(function: Handle, argument: &*const c_void) -> KernelNode {
    let (block, grid) = ([64, 1, 1], [1; 3]);
    KernelNode { block, extra: null(), function, grid, parameters: argument, dynamic_lds: 0 }
}

/// A graph that fills with 3, then adds one, then doubles; its node that adds.
fn graph(hip: &Hip, [add, twice]: [Handle; 2], data: u64, event: Handle) -> (Handle, Handle) {
    let (mut graph, mut fill, mut first, mut empty, mut last) = (0, 0, 0, 0, 0);
    assert_eq!(hip.hipGraphCreate(&mut graph, 0), 0);
    let memset =
        Memset { destination: data, element_size: 4, height: 1, pitch: 0, value: 3, width: 64 };
    assert_eq!(hip.hipGraphAddMemsetNode(&mut fill, graph, null(), 0, &memset), 0);
    let argument: *const c_void = (&raw const data).cast();
    assert_eq!(hip.hipGraphAddKernelNode(&mut first, graph, &fill, 1, &node(add, &argument)), 0);
    assert_eq!(hip.hipGraphAddEmptyNode(&mut empty, graph, &first, 1), 0);
    assert_eq!(hip.hipGraphAddKernelNode(&mut last, graph, &empty, 1, &node(twice, &argument)), 0);
    assert_eq!(hip.hipGraphAddEventRecordNode(&mut empty, graph, &last, 1, event), 0);
    (graph, first)
}

#[test]
fn graphs_are_launched_and_updated() {
    let environment = [("TYTO_EMU_SCHEDULE", "reversed")];
    alone("graphs_are_launched_and_updated", &environment, |hip| {
        let object = object();
        let kernels = [c"add_one", c"twice"].map(|name| hip.kernel(&object, name));
        let (data, other, event, stream) =
            (hip.buffer(&[9; 64]), hip.buffer(&[40; 64]), hip.event(), hip.stream());
        let (made, add) = graph(hip, kernels, data, event);
        let mut executable = 0;
        assert_eq!(hip.hipGraphInstantiate(&mut executable, made, null_mut(), null_mut(), 0), 0);
        assert_eq!(hip.read(data, 64), [9; 64], "nothing ran yet");
        assert_eq!(
            [hip.hipGraphLaunch(executable, stream), hip.hipEventSynchronize(event)],
            [0, 0]
        );
        assert_eq!(hip.read(data, 64), [8; 64]);
        // The node that adds now does so elsewhere.
        let argument: *const c_void = (&raw const other).cast();
        assert_eq!(
            hip.hipGraphExecKernelNodeSetParams(executable, add, &node(kernels[0], &argument)),
            0
        );
        assert_eq!(
            [hip.hipGraphLaunch(executable, stream), hip.hipStreamSynchronize(stream)],
            [0, 0]
        );
        assert_eq!((hip.read(data, 64), hip.read(other, 64)), (vec![6; 64], vec![41; 64]));
        // The whole of another graph of the same shape.
        let (same, _) = graph(hip, [kernels[1], kernels[1]], data, event);
        let (mut wrong, mut result) = (0, 9);
        assert_eq!(hip.hipGraphExecUpdate(executable, same, &mut wrong, &mut result), 0);
        assert_eq!(
            [hip.hipGraphLaunch(executable, stream), hip.hipStreamSynchronize(stream)],
            [0, 0]
        );
        assert_eq!((hip.read(data, 64), result), (vec![12; 64], 0));
        let mut empty = 0;
        assert_eq!(hip.hipGraphCreate(&mut empty, 0), 0);
        assert_eq!(
            hip.hipGraphExecUpdate(executable, empty, &mut wrong, &mut result),
            UPDATE_FAILURE
        );
        assert_eq!(result, 2, "the topology changed");
        assert_eq!([hip.hipGraphDestroy(made), hip.hipGraphLaunch(executable, stream)], [0, 0]);
        assert_eq!([hip.hipGraphExecDestroy(executable), hip.hipStreamDestroy(stream)], [0, 0]);
        assert_eq!(hip.hipGraphLaunch(executable, 0), INVALID_HANDLE);
    });
}

#[test]
fn wrong_calls_are_errors() {
    alone("wrong_calls_are_errors", &[("TYTO_EMU_LOG", "off")], |hip| {
        assert_eq!(hip.hipMalloc(null_mut(), 4), INVALID_VALUE);
        assert_eq!(hip.hipGetLastError(), INVALID_VALUE);
        assert_eq!(hip.hipGetLastError(), 0, "it is told once");
        assert_eq!(hip.hipEventCreateWithFlags(null_mut(), 0), INVALID_VALUE);
        assert_eq!(
            hip.hipModuleLoadDataEx(&mut 0, null(), 0, null_mut(), null_mut()),
            INVALID_VALUE
        );
        assert_eq!(hip.hipStreamSynchronize(0x1234), INVALID_HANDLE);
        assert_eq!(hip.hipEventRecord(hip.event(), hip.event()), INVALID_HANDLE, "of another kind");
        assert_eq!(hip.hipFree(0x1000), INVALID_VALUE);
        assert_eq!(hip.hipHostUnregister(0x1000), 713);
        assert_eq!(hip.hipMemcpy(0, 8, 4, 1), INVALID_VALUE);
        assert_eq!(hip.hipMemcpy(hip.buffer(&[0]), [0i32].as_ptr() as u64, 4, 9), 21);
        assert_eq!(hip.hipStreamBeginCapture(0, 0), NOT_SUPPORTED);
        assert_eq!(hip.hipCtxPopCurrent(null_mut()), 201);
        let add = hip.kernel(&object(), c"add_one");
        let launch = |blocks, threads, parameters: *const *const c_void| {
            hip.hipModuleLaunchKernel(add, blocks, 1, 1, threads, 1, 1, 0, 0, parameters, null())
        };
        let argument: *const c_void = (&raw const add).cast();
        assert_eq!(launch(0, 64, &argument), 9);
        assert_eq!(launch(1, 65, &argument), 9, "more than the kernel allows");
        assert_eq!(launch(1, 64, null()), INVALID_VALUE);
        assert_eq!(launch(1, 64, &null()), INVALID_VALUE);
        let (mut context, mut current) = (0, 0);
        assert_eq!(hip.hipDevicePrimaryCtxRetain(&mut context, 0), 0);
        assert_eq!([hip.hipCtxPushCurrent(context), hip.hipCtxGetCurrent(&mut current)], [0, 0]);
        assert_eq!((current, hip.hipCtxPushCurrent(77)), (context, 201));
        assert_eq!(hip.hipDevicePrimaryCtxRelease(0), 0);
        assert_eq!(hip.hipDevicePrimaryCtxRelease(0), 201);
    });
}

#[test]
fn the_report_counts_calls_kernels_and_graphs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let environment = [("TYTO_EMU_REPORT", path.to_str().unwrap())];
    alone("the_report_counts_calls_kernels_and_graphs", &environment, |hip| {
        let object = object();
        let kernels = [c"add_one", c"twice"].map(|name| hip.kernel(&object, name));
        let (data, event) = (hip.buffer(&numbers()), hip.event());
        let mut executable = 0;
        let (made, _) = graph(hip, kernels, data, event);
        assert_eq!(hip.hipGraphInstantiate(&mut executable, made, null_mut(), null_mut(), 0), 0);
        for _ in 0..3 {
            assert_eq!(hip.hipGraphLaunch(executable, 0), 0);
        }
        assert_eq!(hip.hipDeviceReset(), 0);
    });
    // Read by the process that started the other one.
    if let Ok(text) = std::fs::read(&path) {
        let report: serde_json::Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(report["calls"]["graphs"]["launches"], 3);
        assert_eq!(report["calls"]["graphs"]["kernels"], 6);
        assert_eq!(report["calls"]["hip"]["hipGraphLaunch"], 3);
        assert_eq!(report["kernels"]["add_one"]["launches"], 3);
        assert_eq!(report["kernels"]["twice"]["waves"], 6);
    } else {
        assert!(std::env::var_os("TYTO_TEST_ALONE").is_some(), "no report was written");
    }
}
