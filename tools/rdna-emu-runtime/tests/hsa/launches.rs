//! Packets: launches, barriers, the order in which they run, and the report.

use crate::driver::{COARSE, Driver, FREE, ORDERED, buffer, signal, values};
use crate::functions::{
    hsa_amd_ipc_memory_create, hsa_signal_destroy, hsa_signal_store_screlease,
    hsa_signal_wait_scacquire,
};

#[test]
fn launches_run_in_order_through_many_rounds_of_a_small_ring() {
    let mut driver = Driver::new(&[], 16);
    let data = buffer::<i32>(COARSE, 128);
    let done = signal(100);
    for _ in 0..100 {
        driver.launch(ORDERED, "add_one", &[data as u64], done);
        driver.ring();
    }
    driver.finish(done);
    assert_eq!(values(data, 128), vec![100; 128]);
    assert_eq!(driver.read_index(), 100);
    assert_eq!(driver.errors(), 0);
}

#[test]
fn nothing_runs_before_the_doorbell_rings() {
    let mut driver = Driver::new(&[], 64);
    let data = buffer::<i32>(COARSE, 128);
    let (done, other) = (signal(1), signal(1));
    driver.launch(ORDERED, "add_one", &[data as u64], done);
    // Long enough for a queue that does not wait for its doorbell to have run the packet.
    // SAFETY: the signals were made here.
    let value = unsafe { hsa_signal_wait_scacquire(done, 0, 0, 50_000_000, 0) };
    assert_eq!(value, 1);
    driver.ring();
    driver.finish(done);
    driver.barrier(3, &[done], other);
    driver.ring();
    driver.finish(other);
    assert_eq!(values(data, 128), vec![1; 128]);
}

#[test]
fn barriers_wait_for_signals_of_the_host() {
    let mut driver = Driver::new(&[], 64);
    let data = buffer::<i32>(COARSE, 128);
    let (first, second, done) = (signal(1), signal(1), signal(2));
    driver.barrier(3, &[first, second], done);
    driver.launch(ORDERED, "add_one", &[data as u64], done);
    driver.ring();
    // SAFETY: the signals were made here.
    unsafe {
        hsa_signal_store_screlease(first, 0);
        assert_eq!(
            hsa_signal_wait_scacquire(done, 2, 2, 20_000_000, 0),
            2,
            "one of two is not all"
        );
        hsa_signal_store_screlease(second, 0);
    }
    driver.finish(done);
    let (third, fourth, either) = (signal(1), signal(1), signal(1));
    driver.barrier(5, &[third, fourth], either);
    driver.ring();
    // SAFETY: the signals were made here.
    unsafe { hsa_signal_store_screlease(fourth, 0) };
    driver.finish(either);
    assert_eq!(values(data, 128), vec![1; 128]);
    for signal in [first, second, third, fourth, done, either] {
        // SAFETY: nobody uses them any more.
        assert_eq!(unsafe { hsa_signal_destroy(signal) }, 0);
    }
}

/// `(0 + 1) * 2` or `0 * 2 + 1`, by the order of two launches of which the second does not wait.
fn unordered(schedule: &str) -> i32 {
    let mut driver = Driver::new(&[("TYTO_EMU_SCHEDULE", schedule)], 64);
    let data = buffer::<i32>(COARSE, 128);
    let done = signal(2);
    driver.launch(ORDERED, "add_one", &[data as u64], done);
    driver.launch(FREE, "twice", &[data as u64], done);
    driver.ring();
    driver.finish(done);
    values(data, 1)[0]
}

#[test]
fn a_missing_barrier_bit_shows_in_another_schedule() {
    assert_eq!(unordered("in-order"), 2);
    assert_eq!(unordered("reversed"), 1);
    let random: Vec<i32> = (0..8).map(|seed| unordered(&format!("random:{seed}"))).collect();
    assert!(random.contains(&1) && random.contains(&2), "{random:?}");
}

#[test]
fn the_report_counts_kernels_packets_and_calls() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    {
        let mut driver = Driver::new(&[("TYTO_EMU_REPORT", path.to_str().unwrap())], 64);
        let data = buffer::<i32>(COARSE, 128);
        let done = signal(1);
        driver.launch(ORDERED, "add_one", &[data as u64], 0);
        driver.launch(FREE, "twice", &[data as u64], done);
        driver.ring();
        driver.finish(done);
        // SAFETY: what is not offered looks at nothing.
        let status = unsafe { hsa_amd_ipc_memory_create(data.cast(), 512, std::ptr::null_mut()) };
        assert_eq!(status, 0x1000);
    }
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert_eq!(report["kernels"]["add_one"]["launches"], 1);
    assert_eq!(report["kernels"]["twice"]["waves"], 4);
    assert_eq!(report["kernels"]["twice"]["written_bytes"], 512);
    assert_eq!(report["calls"]["packets"]["dispatch"], 2);
    assert_eq!(report["calls"]["packets"]["with_barrier_bit"], 1);
    assert_eq!(report["calls"]["hsa"]["hsa_amd_ipc_memory_create"], 1);
    assert_eq!(report["calls"]["hsa"]["hsa_queue_create"], 1);
}
