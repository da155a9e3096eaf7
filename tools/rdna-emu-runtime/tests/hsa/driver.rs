//! A driver: an open library with one queue, and what it writes there.

use std::ffi::{CString, c_void};
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use crate::common;
use crate::functions::{
    hsa_amd_memory_pool_allocate, hsa_amd_signal_create, hsa_code_object_reader_create_from_memory,
    hsa_executable_create_alt, hsa_executable_destroy, hsa_executable_freeze,
    hsa_executable_get_symbol_by_name, hsa_executable_load_agent_code_object,
    hsa_executable_symbol_get_info, hsa_init, hsa_queue_create, hsa_queue_destroy, hsa_shut_down,
    hsa_signal_wait_scacquire,
};

pub const GPU: u64 = 2;
pub const COARSE: u64 = 4;
const FINE: u64 = 1;
/// Packet types with the barrier bit and both fences, and without.
pub const ORDERED: u32 = 0x1500;
pub const FREE: u32 = 0x0000;

/// The library is one for the process: tests take turns.
pub static TURN: Mutex<()> = Mutex::new(());

/// An open library with one queue and the tests' kernels.
pub struct Driver {
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
    pub fn new(variables: &[(&str, &str)], packets: u32) -> Self {
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
    pub fn kernel(&self, name: &str) -> u64 {
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
    pub fn submit(&mut self, words: [u32; 16]) {
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

    pub fn read_index(&self) -> u64 {
        // SAFETY: the queue has its index there.
        unsafe { &*self.queue.byte_add(128).cast::<AtomicU64>() }.load(Ordering::Acquire)
    }

    /// Rings for all packets so far.
    pub fn ring(&self) {
        // SAFETY: the queue's doorbell signal holds the doorbell's address at byte 8.
        let doorbell = unsafe { *((self.field(16) as usize + 8) as *const usize) };
        // SAFETY: as above.
        unsafe { &*(doorbell as *const AtomicI64) }.store(self.next as i64 - 1, Ordering::Release);
    }

    /// A launch of two workgroups of 64.
    pub fn launch(&mut self, header: u32, kernel: &str, arguments: &[u64], completion: u64) {
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
    pub fn commands(
        &self,
        kernel: &str,
        arguments: &[u64],
        change: impl Fn(u32) -> u32,
    ) -> Vec<u32> {
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
    pub fn run_commands(&mut self, commands: &[u32], completion: u64) {
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
    pub fn finish(&self, signal: u64) {
        // SAFETY: the signal was made here.
        while unsafe { hsa_signal_wait_scacquire(signal, 0, 0, 10_000_000, 0) } != 0 {
            assert_eq!(self.errors(), 0, "the queue failed");
        }
    }

    /// Errors of the queue so far.
    pub fn errors(&self) -> u64 {
        self.errors.count.load(Ordering::SeqCst)
    }

    /// Waits for the queue's error and returns its status.
    pub fn error(&self) -> u32 {
        while self.errors() == 0 {
            std::thread::yield_now();
        }
        self.errors.last.load(Ordering::SeqCst)
    }

    /// A barrier that waits for signals.
    pub fn barrier(&mut self, kind: u32, signals: &[u64], completion: u64) {
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
pub fn buffer<T>(pool: u64, count: usize) -> *mut T {
    let mut place = std::ptr::null_mut();
    // SAFETY: the place has room for a pointer.
    let status =
        unsafe { hsa_amd_memory_pool_allocate(pool, count * size_of::<T>(), 0, &mut place) };
    assert_eq!(status, 0);
    place.cast()
}

pub fn signal(value: i64) -> u64 {
    let mut signal = 0;
    // SAFETY: the place has room for a handle.
    assert_eq!(unsafe { hsa_amd_signal_create(value, 0, std::ptr::null(), 0, &mut signal) }, 0);
    signal
}

pub fn values(pointer: *const i32, count: usize) -> Vec<i32> {
    // SAFETY: the tests call it for buffers of that many values, when their kernels have ended.
    unsafe { std::slice::from_raw_parts(pointer, count) }.to_vec()
}
