//! What goes wrong: faults, packets and calls that cannot be.

use crate::driver::{COARSE, Driver, GPU, ORDERED, TURN, buffer, signal, values};
use crate::functions::{
    hsa_amd_memory_pool_allocate, hsa_executable_destroy, hsa_init, hsa_queue_create,
    hsa_queue_destroy, hsa_shut_down, hsa_signal_destroy, hsa_signal_load_scacquire,
    hsa_signal_wait_scacquire,
};

#[test]
fn faults_reach_the_callback_and_stop_the_queue() {
    const MEMORY_FAULT: u32 = 43;
    for (variables, kernel, expected) in [
        (&[][..], "wild", MEMORY_FAULT),
        (&[("TYTO_EMU_FAULT", "launch:1:reject")], "add_one", 0x1009),
        (&[("TYTO_EMU_FAULT", "launch:1:async")], "add_one", 0x1016),
        (&[("TYTO_EMU_FAULT", "launch:1:lost")], "add_one", 0x1026),
    ] {
        let mut driver = Driver::new(variables, 64);
        let data = buffer::<i32>(COARSE, 128);
        let done = signal(1);
        driver.launch(ORDERED, kernel, &[data as u64], done);
        driver.launch(ORDERED, "add_one", &[data as u64], done);
        driver.ring();
        assert_eq!(driver.error(), expected, "{kernel} {variables:?}");
        // SAFETY: the signal was made here.
        assert_eq!(unsafe { hsa_signal_load_scacquire(done) }, 1, "neither has ended");
        assert_eq!(values(data, 128), vec![0; 128]);
        let mut place = std::ptr::null_mut();
        // SAFETY: the place has room for a pointer.
        let allocated = unsafe { hsa_amd_memory_pool_allocate(COARSE, 64, 0, &mut place) };
        assert_eq!(allocated != 0, expected == 0x1026, "a lost device has no memory");
    }
}

#[test]
fn a_hung_launch_does_not_keep_its_queue_from_ending() {
    let mut driver = Driver::new(&[("TYTO_EMU_FAULT", "launch:2:hang")], 64);
    let data = buffer::<i32>(COARSE, 128);
    let done = signal(2);
    driver.launch(ORDERED, "add_one", &[data as u64], done);
    driver.launch(ORDERED, "add_one", &[data as u64], done);
    driver.ring();
    // SAFETY: the signal was made here.
    unsafe {
        assert_eq!(hsa_signal_wait_scacquire(done, 2, 2, u64::MAX, 0), 1);
        assert_eq!(hsa_signal_wait_scacquire(done, 2, 1, 50_000_000, 0), 1, "the second one hangs");
    }
    assert_eq!(values(data, 128), vec![1; 128]);
    assert_eq!(driver.errors(), 0);
}

#[test]
fn a_malformed_packet_stops_the_queue() {
    for first in [0x1507, 1 << 16 | 0xf502, 0x1504] {
        let mut driver = Driver::new(&[], 64);
        let mut words = [0; 16];
        words[0] = first;
        driver.submit(words);
        driver.ring();
        assert_eq!(driver.error(), 0x1009, "{first:#x}");
    }
}

#[test]
fn calls_before_initialization_and_with_foreign_handles_are_errors() {
    let driver = Driver::new(&[], 64);
    drop(driver);
    let turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut place = std::ptr::null_mut();
    // SAFETY: the places have room; foreign handles are not followed.
    unsafe {
        assert_eq!(hsa_amd_memory_pool_allocate(COARSE, 64, 0, &mut place), 0x100b);
        assert_eq!(hsa_shut_down(), 0x100b);
        assert_eq!(hsa_init(), 0);
        assert_eq!(hsa_queue_destroy(std::ptr::null_mut()), 0x1007);
        assert_eq!(hsa_executable_destroy(12345), 0x1011);
        assert_eq!(hsa_signal_destroy(0), 0x1006);
        assert_eq!(
            hsa_queue_create(GPU, 63, 0, None, std::ptr::null_mut(), 0, 0, &mut place),
            0x1001
        );
        assert_eq!(
            hsa_queue_create(1, 64, 0, None, std::ptr::null_mut(), 0, 0, &mut place),
            0x1002
        );
        assert_eq!(hsa_shut_down(), 0);
    }
    drop(turn);
}
