//! The face of HSA as a driver uses it: packets and doorbells in memory, few calls.

mod common;

use std::ffi::{CString, c_char, c_void};
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use tyto_rdna_emu_runtime as _;

unsafe extern "C" {
    fn hsa_init() -> u32;
    fn hsa_shut_down() -> u32;
    fn hsa_amd_memory_pool_allocate(
        pool: u64,
        size: usize,
        flags: u32,
        place: *mut *mut c_void,
    ) -> u32;
    fn hsa_amd_memory_pool_free(pointer: *mut c_void) -> u32;
    fn hsa_amd_memory_lock(
        host: *mut c_void,
        size: usize,
        agents: *const u64,
        count: i32,
        place: *mut *mut c_void,
    ) -> u32;
    fn hsa_amd_memory_unlock(host: *mut c_void) -> u32;
    fn hsa_amd_memory_async_copy(
        target: *mut c_void,
        target_agent: u64,
        source: *const c_void,
        source_agent: u64,
        size: usize,
        count: u32,
        dependencies: *const u64,
        completion: u64,
    ) -> u32;
    fn hsa_amd_signal_create(
        value: i64,
        count: u32,
        consumers: *const u64,
        attributes: u64,
        signal: *mut u64,
    ) -> u32;
    fn hsa_signal_destroy(signal: u64) -> u32;
    fn hsa_signal_store_screlease(signal: u64, value: i64);
    fn hsa_signal_load_scacquire(signal: u64) -> i64;
    fn hsa_signal_wait_scacquire(
        signal: u64,
        condition: u32,
        compare: i64,
        timeout: u64,
        state: u32,
    ) -> i64;
    fn hsa_queue_create(
        agent: u64,
        size: u32,
        kind: u32,
        callback: Option<unsafe extern "C" fn(u32, *mut c_void, *mut c_void)>,
        data: *mut c_void,
        private_bytes: u32,
        group_bytes: u32,
        queue: *mut *mut c_void,
    ) -> u32;
    fn hsa_queue_destroy(queue: *mut c_void) -> u32;
    fn hsa_code_object_reader_create_from_memory(
        bytes: *const c_void,
        size: usize,
        reader: *mut u64,
    ) -> u32;
    fn hsa_executable_create_alt(
        profile: u32,
        rounding: u32,
        options: *const c_char,
        executable: *mut u64,
    ) -> u32;
    fn hsa_executable_load_agent_code_object(
        executable: u64,
        agent: u64,
        reader: u64,
        options: *const c_char,
        loaded: *mut u64,
    ) -> u32;
    fn hsa_executable_freeze(executable: u64, options: *const c_char) -> u32;
    fn hsa_executable_destroy(executable: u64) -> u32;
    fn hsa_executable_get_symbol_by_name(
        executable: u64,
        name: *const c_char,
        agent: *const u64,
        symbol: *mut u64,
    ) -> u32;
    fn hsa_executable_symbol_get_info(symbol: u64, attribute: u32, value: *mut c_void) -> u32;
    fn hsa_amd_ipc_memory_create(pointer: *mut c_void, size: usize, handle: *mut c_void) -> u32;
    fn hsa_amd_vmem_address_reserve_align(
        place: *mut *mut c_void,
        size: usize,
        address: u64,
        alignment: u64,
        flags: u64,
    ) -> u32;
    fn hsa_amd_vmem_address_free(pointer: *mut c_void, size: usize) -> u32;
    fn hsa_amd_vmem_handle_create(
        pool: u64,
        size: usize,
        kind: u32,
        flags: u64,
        handle: *mut u64,
    ) -> u32;
    fn hsa_amd_vmem_handle_release(handle: u64) -> u32;
    fn hsa_amd_vmem_map(
        pointer: *mut c_void,
        size: usize,
        offset: usize,
        handle: u64,
        flags: u64,
    ) -> u32;
    fn hsa_amd_vmem_set_access(
        pointer: *mut c_void,
        size: usize,
        access: *const [u64; 2],
        count: usize,
    ) -> u32;
    fn hsa_amd_vmem_unmap(pointer: *mut c_void, size: usize) -> u32;
}

const GPU: u64 = 2;
const COARSE: u64 = 4;
const FINE: u64 = 1;
/// Packet types with the barrier bit and both fences, and without.
const ORDERED: u32 = 0x1500;
const FREE: u32 = 0x0000;

/// The library is one for the process: tests take turns.
static TURN: Mutex<()> = Mutex::new(());

/// An open library with one queue and the tests' kernels.
struct Driver {
    queue: *mut c_void,
    next: u64,
    executable: u64,
    errors: Box<Errors>,
    _turn: MutexGuard<'static, ()>,
}

#[derive(Default)]
struct Errors {
    count: AtomicU64,
    last: AtomicU32,
}

unsafe extern "C" fn on_error(status: u32, _queue: *mut c_void, data: *mut c_void) {
    // SAFETY: the driver that made the queue gave its own `Errors`, which outlive the queue.
    let errors = unsafe { &*data.cast::<Errors>() };
    errors.last.store(status, Ordering::SeqCst);
    errors.count.fetch_add(1, Ordering::SeqCst);
}

impl Driver {
    fn new(variables: &[(&str, &str)], packets: u32) -> Self {
        let turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        for variable in [
            "TYTO_EMU_FAULT",
            "TYTO_EMU_SCHEDULE",
            "TYTO_EMU_REPORT",
            "TYTO_EMU_VRAM",
            "TYTO_EMU_GTT",
            "TYTO_EMU_PM4_LDS",
        ] {
            let value =
                variables.iter().find(|(name, _)| *name == variable).map_or("", |pair| pair.1);
            // SAFETY: the tests that read or write the environment hold the turn, and queues of others have ended.
            unsafe { std::env::set_var(variable, value) };
        }
        let errors = Box::<Errors>::default();
        let (mut queue, mut executable) = (std::ptr::null_mut(), 0);
        let code = common::compile(common::KERNELS);
        // SAFETY: every place has room for what is written there, and the callback's data outlives the queue.
        unsafe {
            assert_eq!(hsa_init(), 0);
            let data = (&raw const *errors).cast_mut().cast();
            assert_eq!(
                hsa_queue_create(GPU, packets, 0, Some(on_error), data, 0, 0, &mut queue),
                0
            );
            let (mut reader, mut loaded) = (0, 0);
            assert_eq!(
                hsa_code_object_reader_create_from_memory(
                    code.as_ptr().cast(),
                    code.len(),
                    &mut reader
                ),
                0
            );
            assert_eq!(hsa_executable_create_alt(0, 0, std::ptr::null(), &mut executable), 0);
            assert_eq!(
                hsa_executable_load_agent_code_object(
                    executable,
                    GPU,
                    reader,
                    std::ptr::null(),
                    &mut loaded
                ),
                0
            );
            assert_eq!(hsa_executable_freeze(executable, std::ptr::null()), 0);
        }
        Driver { queue, next: 0, executable, errors, _turn: turn }
    }

    /// The address of a kernel's descriptor.
    fn kernel(&self, name: &str) -> u64 {
        let name = CString::new(format!("{name}.kd")).unwrap();
        let (mut symbol, mut object) = (0, 0u64);
        // SAFETY: the name has an end, and the places have room.
        unsafe {
            assert_eq!(
                hsa_executable_get_symbol_by_name(
                    self.executable,
                    name.as_ptr(),
                    &GPU,
                    &mut symbol
                ),
                0
            );
            assert_eq!(hsa_executable_symbol_get_info(symbol, 22, (&raw mut object).cast()), 0);
        }
        object
    }

    /// A word of the queue, by its place in bytes.
    fn field(&self, at: usize) -> u64 {
        // SAFETY: the queue has 256 bytes.
        unsafe { self.queue.byte_add(at).cast::<u64>().read_volatile() }
    }

    /// Writes a packet without ringing.
    fn submit(&mut self, words: [u32; 16]) {
        let size = self.field(24) & 0xffff_ffff;
        let slot = self.field(8) + 64 * (self.next % size);
        // The slot is free when all packets of one round before have been read.
        while self.next >= self.read_index() + size {
            std::thread::yield_now();
        }
        for (index, word) in words.iter().enumerate().rev() {
            // SAFETY: the slot has 16 words, and the queue leaves it alone until the first one is written.
            let place = unsafe { &*((slot as usize + 4 * index) as *const AtomicU32) };
            place.store(*word, Ordering::Release);
        }
        self.next += 1;
    }

    fn read_index(&self) -> u64 {
        // SAFETY: the queue has its index there.
        unsafe { &*self.queue.byte_add(128).cast::<AtomicU64>() }.load(Ordering::Acquire)
    }

    /// Rings for all packets so far.
    fn ring(&self) {
        // SAFETY: the queue's doorbell signal holds the doorbell's address at byte 8.
        let doorbell = unsafe { *((self.field(16) as usize + 8) as *const usize) };
        // SAFETY: as above.
        unsafe { &*(doorbell as *const AtomicI64) }.store(self.next as i64 - 1, Ordering::Release);
    }

    /// A launch of two workgroups of 64.
    fn launch(&mut self, header: u32, kernel: &str, arguments: &[u64], completion: u64) {
        let block = buffer::<u64>(FINE, 64);
        // SAFETY: the block has room for them, and no packet knows of it yet.
        unsafe { std::ptr::copy_nonoverlapping(arguments.as_ptr(), block, arguments.len()) };
        let kernel = self.kernel(kernel);
        let mut words = [0; 16];
        words[0] = 1 << 16 | header | 2;
        (words[1], words[2]) = (1 << 16 | 64, 1);
        words[3..6].copy_from_slice(&[128, 1, 1]);
        for (at, value) in [(8, kernel), (10, block as u64), (14, completion)] {
            (words[at], words[at + 1]) = (value as u32, (value >> 32) as u32);
        }
        self.submit(words);
    }

    /// The commands (PM4) of a launch of two workgroups of 64, by the kernel's descriptor. The registers are changed
    /// by `change`: COMPUTE_PGM_RSRC2, which is the launcher's to complete.
    fn commands(&self, kernel: &str, arguments: &[u64], change: impl Fn(u32) -> u32) -> Vec<u32> {
        let block = buffer::<u64>(FINE, 64);
        let object = self.kernel(kernel);
        // SAFETY: the block has room for the arguments, and a descriptor has 64 bytes.
        let descriptor = unsafe {
            std::ptr::copy_nonoverlapping(arguments.as_ptr(), block, arguments.len());
            *(object as usize as *const [u32; 16])
        };
        let entry = object.wrapping_add(u64::from(descriptor[4]) | u64::from(descriptor[5]) << 32);
        let resources = [descriptor[12], change(descriptor[13])];
        let mut user = vec![0; (descriptor[13] >> 1 & 31) as usize];
        // The arguments' address is the first of what the kernel is given; what follows, it does not use.
        (user[0], user[1]) = (block as u64 as u32, (block as u64 >> 32) as u32);
        let set = |first: u32, values: &[u32]| {
            let header = 3 << 30 | (values.len() as u32) << 16 | 0x76 << 8;
            [&[header, first], values].concat()
        };
        [
            set(0x20c, &[(entry >> 8) as u32, (entry >> 40) as u32, 0, 0, 0, 0]),
            set(0x212, &resources),
            set(0x228, &[descriptor[11]]),
            set(0x218, &[0]),
            set(0x21b, &[0; 3]),
            set(0x215, &[0]),
            set(0x204, &[0, 0, 0, 64, 1, 1, 0, 0]),
            set(0x240, &user),
            vec![0xc003_1502, 2, 1, 1, 0x8005],
        ]
        .concat()
    }

    /// A packet that runs commands, which are put into memory of the device.
    fn run_commands(&mut self, commands: &[u32], completion: u64) {
        let place = buffer::<u32>(FINE, commands.len());
        // SAFETY: the block has room for them, and no packet knows of it yet.
        unsafe { std::ptr::copy_nonoverlapping(commands.as_ptr(), place, commands.len()) };
        let mut words = [0; 16];
        words[0] = 1 << 16 | ORDERED;
        let place = place as u64;
        words[1..6].copy_from_slice(&[
            0xc002_3f00,
            place as u32,
            (place >> 32) as u32,
            commands.len() as u32,
            10,
        ]);
        (words[14], words[15]) = (completion as u32, (completion >> 32) as u32);
        self.submit(words);
    }

    /// Waits until a signal is 0. An error of the queue ends the test: the signal would never be.
    fn finish(&self, signal: u64) {
        // SAFETY: the signal was made here.
        while unsafe { hsa_signal_wait_scacquire(signal, 0, 0, 10_000_000, 0) } != 0 {
            assert_eq!(self.errors.count.load(Ordering::SeqCst), 0, "the queue failed");
        }
    }

    /// Waits for the queue's error and returns its status.
    fn error(&self) -> u32 {
        while self.errors.count.load(Ordering::SeqCst) == 0 {
            std::thread::yield_now();
        }
        self.errors.last.load(Ordering::SeqCst)
    }

    /// A barrier that waits for signals.
    fn barrier(&mut self, kind: u32, signals: &[u64], completion: u64) {
        let mut words = [0; 16];
        words[0] = ORDERED | kind;
        for (index, value) in signals.iter().enumerate() {
            (words[2 + 2 * index], words[3 + 2 * index]) = (*value as u32, (value >> 32) as u32);
        }
        (words[14], words[15]) = (completion as u32, (completion >> 32) as u32);
        self.submit(words);
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // SAFETY: the queue and the executable are this driver's own. A queue that failed is still there.
        unsafe {
            assert_eq!(hsa_queue_destroy(self.queue), 0);
            assert_eq!(hsa_executable_destroy(self.executable), 0);
            assert_eq!(hsa_shut_down(), 0);
        }
    }
}

/// Memory of a pool for so many values.
fn buffer<T>(pool: u64, count: usize) -> *mut T {
    let mut place = std::ptr::null_mut();
    // SAFETY: the place has room for a pointer.
    let status =
        unsafe { hsa_amd_memory_pool_allocate(pool, count * size_of::<T>(), 0, &mut place) };
    assert_eq!(status, 0);
    place.cast()
}

fn signal(value: i64) -> u64 {
    let mut signal = 0;
    // SAFETY: the place has room for a handle.
    assert_eq!(unsafe { hsa_amd_signal_create(value, 0, std::ptr::null(), 0, &mut signal) }, 0);
    signal
}

fn values(pointer: *const i32, count: usize) -> Vec<i32> {
    // SAFETY: the tests call it for buffers of that many values, when their kernels have ended.
    unsafe { std::slice::from_raw_parts(pointer, count) }.to_vec()
}

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
    assert_eq!(driver.errors.count.load(Ordering::SeqCst), 0);
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
    assert_eq!(driver.errors.count.load(Ordering::SeqCst), 0);
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
fn the_devices_memory_has_an_end_and_locked_memory_is_the_hosts() {
    let mut driver = Driver::new(&[("TYTO_EMU_VRAM", "1M"), ("TYTO_EMU_GTT", "1M")], 64);
    let mut place = std::ptr::null_mut();
    // SAFETY: the places have room for pointers; the block is freed once.
    unsafe {
        assert_eq!(hsa_amd_memory_pool_allocate(COARSE, 3 << 20, 0, &mut place), 0x1008);
        assert_eq!(hsa_amd_memory_pool_allocate(COARSE, 1 << 20, 0, &mut place), 0);
        assert_eq!(hsa_amd_memory_pool_free(place), 0);
        assert_eq!(hsa_amd_memory_pool_free(place), 0x1003, "twice");
        assert_eq!(hsa_amd_memory_pool_allocate(77, 64, 0, &mut place), 40);
        assert_eq!(hsa_amd_memory_pool_allocate(COARSE, 64, 0, std::ptr::null_mut()), 0x1001);
    }
    let mut host = vec![7i32; 128];
    let pointer = host.as_mut_ptr();
    let done = signal(1);
    // SAFETY: the vector lives longer than its lock.
    unsafe {
        assert_eq!(hsa_amd_memory_lock(pointer.cast(), 512, std::ptr::null(), 0, &mut place), 0);
        driver.launch(ORDERED, "add_one", &[place as u64], done);
        driver.ring();
        driver.finish(done);
        assert_eq!(hsa_amd_memory_unlock(pointer.cast()), 0);
    }
    assert_eq!(values(pointer, 128), vec![8; 128]);
    // Without the lock it is foreign memory.
    driver.launch(ORDERED, "add_one", &[pointer as u64], done);
    driver.ring();
    assert_eq!(driver.error(), 43);
    assert_eq!(values(pointer, 128), vec![8; 128]);
}

#[test]
fn copies_wait_for_their_signals() {
    let driver = Driver::new(&[], 64);
    let (source, target) = (buffer::<i32>(COARSE, 64), buffer::<i32>(COARSE, 64));
    let (before, done) = (signal(1), signal(1));
    // SAFETY: both blocks have 256 bytes, and the signals were made here.
    unsafe {
        source.write(5);
        let status = hsa_amd_memory_async_copy(
            target.cast(),
            GPU,
            source.cast(),
            GPU,
            256,
            1,
            &before,
            done,
        );
        assert_eq!(status, 0);
        assert_eq!(hsa_signal_wait_scacquire(done, 0, 0, 20_000_000, 0), 1);
        source.write(6);
        hsa_signal_store_screlease(before, 0);
        driver.finish(done);
        assert_eq!(target.read(), 6);
        assert_eq!(
            hsa_amd_memory_async_copy(std::ptr::null_mut(), GPU, source.cast(), GPU, 4, 0, &0, 0),
            0x1001
        );
        assert_eq!(
            hsa_amd_memory_async_copy(target.cast(), 9, source.cast(), GPU, 4, 0, &0, 0),
            0x1004
        );
    }
}

#[test]
fn a_piece_of_memory_is_seen_at_two_reserved_addresses() {
    let mut driver = Driver::new(&[], 64);
    let (mut base, mut handle) = (std::ptr::null_mut(), 0);
    const SIZE: usize = 4096;
    // SAFETY: the places have room, the range is reserved here, and it is used between mapping and unmapping.
    unsafe {
        assert_eq!(hsa_amd_vmem_address_reserve_align(&mut base, 2 * SIZE, 0, 1 << 16, 0), 0);
        assert!((base as usize).is_multiple_of(1 << 16));
        assert_eq!(hsa_amd_vmem_handle_create(COARSE, SIZE, 0, 0, &mut handle), 0);
        for half in [base, base.byte_add(SIZE)] {
            assert_eq!(hsa_amd_vmem_map(half, SIZE, 0, handle, 0), 0);
            assert_eq!(hsa_amd_vmem_set_access(half, SIZE, &[3, GPU], 1), 0);
        }
        let done = signal(1);
        driver.launch(ORDERED, "add_one", &[base as u64 + SIZE as u64], done);
        driver.ring();
        driver.finish(done);
        assert_eq!(values(base.cast(), 128), vec![1; 128]);
        for half in [base, base.byte_add(SIZE)] {
            assert_eq!(hsa_amd_vmem_unmap(half, SIZE), 0);
        }
        assert_eq!(hsa_amd_vmem_handle_release(handle), 0);
        assert_eq!(hsa_amd_vmem_handle_release(handle), 0x1001);
        assert_eq!(hsa_amd_vmem_address_free(base, 2 * SIZE), 0);
    }
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
