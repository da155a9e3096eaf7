//! Faults in the face of HIP: those of kernels, and those that are injected. Each test has a process of its own.

mod common;
#[path = "common/hip.rs"]
mod driver;

use std::sync::atomic::{AtomicBool, Ordering};

use driver::{
    ILLEGAL_ADDRESS, LAUNCH_OUT_OF_RESOURCES, LAUNCH_TIME_OUT, NO_DEVICE, NOT_READY, OUT_OF_MEMORY,
    alone, close,
};

fn object() -> Vec<u8> {
    common::compile(common::KERNELS)
}

fn numbers() -> Vec<i32> {
    (0..64).collect()
}

#[test]
fn a_kernels_fault_ends_the_context() {
    alone("a_kernels_fault_ends_the_context", &[("TYTO_EMU_LOG", "off")], |hip| {
        let object = object();
        let (wild, data) = (hip.kernel(&object, c"wild"), hip.buffer(&numbers()));
        assert_eq!(hip.launch(wild, data, 0), 0, "it is found when it runs");
        assert_eq!(hip.hipDeviceSynchronize(), ILLEGAL_ADDRESS);
        let mut address = 0;
        assert_eq!(hip.launch(wild, data, 0), ILLEGAL_ADDRESS);
        assert_eq!(hip.hipMalloc(&mut address, 4), ILLEGAL_ADDRESS);
        assert_eq!(hip.hipDeviceReset(), 0);
        let (add, data) = (hip.kernel(&object, c"add_one"), hip.buffer(&numbers()));
        assert_eq!((hip.launch(add, data, 0), hip.read(data, 1)), (0, vec![1]));
    });
}

#[test]
fn a_launch_is_refused_and_the_next_one_runs() {
    let environment = [("TYTO_EMU_FAULT", "launch:2:reject"), ("TYTO_EMU_LOG", "off")];
    alone("a_launch_is_refused_and_the_next_one_runs", &environment, |hip| {
        let data = hip.buffer(&numbers());
        let mut address = 0;
        let add = hip.kernel(&object(), c"add_one");
        let results = [0; 3].map(|stream| hip.launch(add, data, stream));
        assert_eq!(results, [0, LAUNCH_OUT_OF_RESOURCES, 0]);
        assert_eq!(hip.read(data, 1), [2]);
        assert_eq!(hip.hipMalloc(&mut address, 4), 0);
    });
}

#[test]
fn an_allocation_finds_no_memory_when_it_is_told_so() {
    let environment = [("TYTO_EMU_FAULT", "alloc:2:oom"), ("TYTO_EMU_LOG", "off")];
    alone("an_allocation_finds_no_memory_when_it_is_told_so", &environment, |hip| {
        let mut address = 0;
        let results = [4; 3].map(|size| hip.hipMalloc(&mut address, size));
        assert_eq!(results, [0, OUT_OF_MEMORY, 0]);
    });
}

#[test]
fn a_launch_fails_later() {
    let environment = [("TYTO_EMU_FAULT", "launch:2:async"), ("TYTO_EMU_LOG", "off")];
    alone("a_launch_fails_later", &environment, |hip| {
        let (add, data) = (hip.kernel(&object(), c"add_one"), hip.buffer(&numbers()));
        let (stream, event) = (hip.stream(), hip.event());
        let opened = AtomicBool::new(false);
        close(hip, stream, &opened);
        assert_eq!([hip.launch(add, data, stream), hip.launch(add, data, stream)], [0, 0]);
        assert_eq!(hip.hipEventRecord(event, stream), 0);
        opened.store(true, Ordering::SeqCst);
        assert_eq!(hip.hipEventSynchronize(event), ILLEGAL_ADDRESS);
        assert_eq!(
            [hip.hipEventQuery(event), hip.hipStreamSynchronize(stream)],
            [ILLEGAL_ADDRESS; 2]
        );
    });
}

#[test]
fn a_launch_hangs_until_the_device_is_torn_down() {
    let environment = [("TYTO_EMU_FAULT", "launch:1:hang"), ("TYTO_EMU_LOG", "off")];
    alone("a_launch_hangs_until_the_device_is_torn_down", &environment, |hip| {
        let mut context = 0;
        assert_eq!(hip.hipDevicePrimaryCtxRetain(&mut context, 0), 0);
        let (add, data) = (hip.kernel(&object(), c"add_one"), hip.buffer(&numbers()));
        let (stream, other, event) = (hip.stream(), hip.stream(), hip.event());
        assert_eq!([hip.launch(add, data, stream), hip.hipEventRecord(event, stream)], [0, 0]);
        assert_eq!([hip.launch(add, data, other), hip.hipStreamSynchronize(other)], [0, 0]);
        assert_eq!([hip.hipEventQuery(event), hip.hipStreamQuery(stream)], [NOT_READY; 2]);
        assert_eq!(hip.hipDevicePrimaryCtxRelease(0), 0);
        assert_eq!(hip.hipEventQuery(event), LAUNCH_TIME_OUT);
        assert_eq!(hip.hipStreamDestroy(stream), 0);
    });
}

#[test]
fn a_watchdog_gives_up_a_launch_that_hangs() {
    let environment =
        [("TYTO_EMU_FAULT", "launch:1:hang"), ("TYTO_EMU_WATCHDOG", "1"), ("TYTO_EMU_LOG", "off")];
    alone("a_watchdog_gives_up_a_launch_that_hangs", &environment, |hip| {
        let (add, data) = (hip.kernel(&object(), c"add_one"), hip.buffer(&numbers()));
        let (stream, event) = (hip.stream(), hip.event());
        assert_eq!([hip.launch(add, data, stream), hip.hipEventRecord(event, stream)], [0, 0]);
        assert_ne!(hip.hipEventSynchronize(event), 0);
        let mut address = 0;
        assert_eq!(hip.hipMalloc(&mut address, 4), NO_DEVICE);
    });
}

#[test]
fn the_device_is_lost() {
    let environment = [("TYTO_EMU_FAULT", "launch:2:lost"), ("TYTO_EMU_LOG", "off")];
    alone("the_device_is_lost", &environment, |hip| {
        let (add, data) = (hip.kernel(&object(), c"add_one"), hip.buffer(&numbers()));
        let mut address = 0;
        assert_eq!([hip.launch(add, data, 0), hip.launch(add, data, 0)], [0, NO_DEVICE]);
        assert_eq!([hip.hipMalloc(&mut address, 4), hip.hipDeviceSynchronize()], [NO_DEVICE; 2]);
        assert_eq!(hip.hipFree(data), 0, "what is freed is freed");
    });
}
