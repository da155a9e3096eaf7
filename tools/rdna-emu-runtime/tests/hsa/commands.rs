//! Packets of commands (PM4).

use crate::driver::{COARSE, Driver, buffer, signal, values};

/// Event 7, index 4: waits for the launches before.
const PARTIAL_FLUSH: [u32; 2] = [0xc000_4600, 0x407];

/// The same of two launches by commands, with or without a wait between them.
fn unordered_commands(schedule: &str, wait: bool) -> i32 {
    let mut driver = Driver::new(&[("TYTO_EMU_SCHEDULE", schedule)], 64);
    let data = buffer::<i32>(COARSE, 128);
    let done = signal(1);
    let mut commands = driver.commands("add_one", &[data as u64], |found| found);
    if wait {
        commands.extend(PARTIAL_FLUSH);
    }
    commands.extend(driver.commands("twice", &[data as u64], |found| found));
    driver.run_commands(&commands, done);
    driver.ring();
    driver.finish(done);
    values(data, 1)[0]
}

#[test]
fn launches_by_commands_do_what_packets_do_and_need_waits_between_them() {
    assert_eq!(unordered_commands("in-order", false), 2);
    assert_eq!(unordered_commands("reversed", false), 1);
    assert_eq!(unordered_commands("reversed", true), 2);
}

#[test]
fn commands_that_give_a_kernel_no_lds_are_refused() {
    let data = |driver: &mut Driver, change: fn(u32) -> u32, done: u64| {
        let data = buffer::<i32>(COARSE, 128);
        // SAFETY: the block has room for the values.
        (0..128).for_each(|index| unsafe { data.add(index).write(index as i32) });
        let commands = driver.commands("reversed", &[data as u64], change);
        driver.run_commands(&commands, done);
        driver.ring();
        data
    };
    let expected: Vec<i32> = (0..128).map(|index| index / 64 * 64 + 63 - index % 64).collect();
    {
        // One unit of 512 bytes is enough for the kernel's 256.
        let mut driver = Driver::new(&[], 64);
        let done = signal(1);
        let data = data(&mut driver, |found| found | 1 << 15, done);
        driver.finish(done);
        assert_eq!(values(data, 128), expected);
    }
    {
        let mut driver = Driver::new(&[("TYTO_EMU_PM4_LDS", "descriptor")], 64);
        let done = signal(1);
        let data = data(&mut driver, |found| found, done);
        driver.finish(done);
        assert_eq!(values(data, 128), expected);
    }
    let mut driver = Driver::new(&[], 64);
    let data = data(&mut driver, |found| found, signal(1));
    assert_eq!(driver.error(), 0x1009);
    assert_eq!(values(data, 128), (0..128).collect::<Vec<_>>());
}
