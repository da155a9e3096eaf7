//! What a device's front end does: reads a queue's packets when its doorbell rings, and runs them.
//!
//! Packets run one after the other. Where the schedule is not the plain one, launches that no barrier bit orders run in
//! another order, so that a missing dependency shows. A packet that cannot be run stops its queue.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tyto_rdna_emu::{Dispatch, FaultKind, Grid, LaunchError, Pointers, Schedule};

use super::blits::Blit;
use super::packets::{self, Body, Failure, Packet};
use super::queues::{INVALID, Queue};
use super::signals::{self, Condition};
use super::system::now;
use super::types::Status;
use super::{pm4, runtime};
use crate::device::{Blits, LaunchFault, Level, Loaded};

/// Runs a queue's packets until it ends or fails.
pub fn run(queue: &Queue) {
    let mut processor = Processor { queue, next: 0, rung: 0 };
    let outcome = catch_unwind(AssertUnwindSafe(|| processor.run()));
    let failure = match outcome {
        Ok(Ok(())) => return,
        Ok(Err(failure)) => failure,
        Err(_) => Failure { status: Status::ERROR, message: "a fault of the emulator".to_owned() },
    };
    let message = || format!("queue stops at packet {}: {}", processor.next, failure.message);
    queue.device.log.write(Level::Errors, message);
    // Who is told may do what it likes, but not end this thread's process by a panic through C.
    let _ = catch_unwind(AssertUnwindSafe(|| queue.fail(failure.status)));
}

struct Processor<'a> {
    queue: &'a Queue,
    /// The number of the next packet.
    next: u64,
    /// Packets before this number were rung for.
    rung: u64,
}

/// The most launches that are taken together to run in another order.
const MOST_TOGETHER: u64 = 256;

impl Processor<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        let mut bell = -1;
        let mut idle = Idle::default();
        while !self.queue.is_stopped() {
            let now = self.queue.doorbell();
            if now != bell {
                bell = now;
                self.queue.device.calls.count("packets", "doorbells_seen");
                self.rung = self.rung.max(now.wrapping_add(1) as u64);
                idle = Idle::default();
            } else if self.next >= self.rung || !self.is_there(self.next) {
                idle.wait();
                continue;
            }
            // Several threads may ring in another order than that of their packets: take all that are there.
            while !self.queue.is_stopped() && self.is_there(self.next) {
                self.step()?;
            }
        }
        Ok(())
    }

    /// Whether a packet was written.
    fn is_there(&self, number: u64) -> bool {
        self.first_word(number) & 0xff != INVALID
    }

    fn first_word(&self, number: u64) -> u32 {
        self.queue.words(number)[0].load(Ordering::Acquire)
    }

    /// Runs the next packet, or the next launches that nothing orders.
    fn step(&mut self) -> Result<(), Failure> {
        let first = self.next;
        let mut count = 1;
        let schedule = self.schedule(first);
        if schedule != Schedule::InOrder && self.first_word(first) & 0xff == 2 {
            let most = MOST_TOGETHER.min(u64::from(self.queue.size));
            let is_free = |number| packets::is_free_launch(self.first_word(number));
            count += (1..most).take_while(|step| is_free(first + step)).count() as u64;
        }
        let packets: Vec<Packet> =
            (first..first + count).map(|number| self.read(number)).collect::<Result<_, _>>()?;
        let mut ended = Vec::new();
        for index in schedule.order(packets.len()) {
            let start = now();
            self.packet(&packets[index], first + index as u64)?;
            if self.queue.is_stopped() {
                return Ok(());
            }
            ended.push((packets[index].completion, start, now()));
        }
        for number in first..first + count {
            self.queue.words(number)[0].store(INVALID, Ordering::Release);
        }
        self.next = first + count;
        self.queue.shared().read_index.store(self.next, Ordering::Release);
        ended.into_iter().try_for_each(complete)
    }

    /// The order of launches from that number on.
    fn schedule(&self, number: u64) -> Schedule {
        match self.queue.device.config.options.schedule {
            Schedule::Random(seed) => Schedule::Random(seed.wrapping_add(number)),
            Schedule::Reversed => Schedule::Reversed,
            Schedule::InOrder | Schedule::Interleaved => Schedule::InOrder,
        }
    }

    fn read(&self, number: u64) -> Result<Packet, Failure> {
        let words = self.queue.words(number);
        let words = std::array::from_fn(|index| words[index].load(Ordering::Acquire));
        let packet = packets::parse(&words)?;
        let calls = &self.queue.device.calls;
        calls.count(
            "packets",
            match packet.body {
                Body::Dispatch(_) => "dispatch",
                Body::BarrierAnd(_) => "barrier_and",
                Body::BarrierOr(_) => "barrier_or",
                Body::BarrierValue { .. } => "barrier_value",
                Body::Commands(_) => "pm4_ib",
            },
        );
        calls.add("packets", "with_barrier_bit", packet.waits.into());
        calls.add("packets", "with_fence", packet.has_fence.into());
        self.queue.device.log.write(Level::Packets, || format!("packet {number}: {packet:?}"));
        Ok(packet)
    }

    fn packet(&self, packet: &Packet, number: u64) -> Result<(), Failure> {
        match &packet.body {
            Body::Dispatch(launch) => self.dispatch(launch, number),
            Body::BarrierAnd(signals) => self.wait(signals, true),
            Body::BarrierOr(signals) => self.wait(signals, false),
            Body::BarrierValue { signal, value, mask, condition } => {
                self.wait_for_value(*signal, *value, *mask, *condition)
            }
            Body::Commands(jump) => {
                let mut flush = |launches: Vec<pm4::Launch>| self.launches(&launches, number);
                let commands = pm4::run(&self.queue.device.memory, jump, &mut flush)?;
                self.queue.device.calls.add("packets", "pm4_commands", commands);
                Ok(())
            }
        }
    }

    /// Waits until all signals are 0, or one of them.
    fn wait(&self, handles: &[u64], all: bool) -> Result<(), Failure> {
        let handles = handles.iter().filter(|handle| **handle != 0);
        let signals = handles.map(|handle| signal(*handle)).collect::<Result<Vec<_>, _>>()?;
        let is_zero = |signal: &&super::types::AmdSignal| signal.value.load(Ordering::SeqCst) == 0;
        let is_met = || match all {
            true => signals.iter().all(is_zero),
            false => signals.is_empty() || signals.iter().any(is_zero),
        };
        signals::wait(u64::MAX, || (is_met() || self.queue.is_stopped()).then_some(()));
        Ok(())
    }

    fn wait_for_value(
        &self,
        handle: u64,
        value: i64,
        mask: i64,
        condition: Condition,
    ) -> Result<(), Failure> {
        if handle == 0 {
            return Ok(());
        }
        let signal = signal(handle)?;
        let is_met = || condition.holds(signal.value.load(Ordering::SeqCst) & mask, value);
        signals::wait(u64::MAX, || (is_met() || self.queue.is_stopped()).then_some(()));
        Ok(())
    }

    fn dispatch(&self, launch: &packets::Launch, number: u64) -> Result<(), Failure> {
        let device = &self.queue.device;
        let code = device.codes.of_descriptor(launch.kernel);
        let unknown = || format!("there is no kernel descriptor at {:#x}", launch.kernel);
        let code = code.ok_or_else(|| Failure::malformed(unknown()))?;
        let kernel = code.code.kernel_at(launch.kernel);
        let kernel = kernel.ok_or_else(|| Failure::malformed(unknown()))?;
        let name = &kernel.metadata.name;
        let descriptor = &kernel.descriptor;
        if launch.group_bytes < descriptor.lds_size
            || launch.private_bytes < descriptor.scratch_size
        {
            return Err(Failure::malformed(format!(
                "`{name}` has {} bytes of LDS and {} of scratch, but the packet gives {} and {}",
                descriptor.lds_size,
                descriptor.scratch_size,
                launch.group_bytes,
                launch.private_bytes
            )));
        }
        if !self.injected()? {
            return Ok(());
        }
        if device.config.blits == Blits::Fast
            && let Some(blit) = Blit::of(name)
        {
            let counts = blit.run(&device.memory, launch.kernarg).map_err(|error| Failure {
                status: Status::MEMORY_FAULT,
                message: format!("kernel `{name}`, done by the host: {error}"),
            })?;
            device.counters.add(name, counts);
            device.calls.count("packets", "fast_blits");
            return Ok(());
        }
        let pointers = Pointers {
            kernarg: launch.kernarg,
            packet: self.queue.slot(number),
            queue: self.queue.address,
            dispatch_id: number,
        };
        let grid = Grid {
            work_items: launch.work_items,
            workgroup: launch.workgroup,
            dynamic_lds: launch.group_bytes - descriptor.lds_size,
        };
        let scratch_size = launch.private_bytes;
        self.run_kernel(&code, &Dispatch { kernel, grid, pointers, scratch_size, user: None })
    }

    /// Runs launches of commands that nothing orders.
    fn launches(&self, launches: &[pm4::Launch], number: u64) -> Result<(), Failure> {
        for index in self.schedule(number).order(launches.len()) {
            if self.queue.is_stopped() {
                break;
            }
            self.launch(&launches[index])?;
        }
        Ok(())
    }

    fn launch(&self, launch: &pm4::Launch) -> Result<(), Failure> {
        let device = &self.queue.device;
        let code = device.codes.of_entry(launch.entry);
        let unknown =
            || Failure::malformed(format!("commands: no kernel begins at {:#x}", launch.entry));
        let code = code.ok_or_else(unknown)?;
        let kernel = code.code.kernel_of_entry(launch.entry).ok_or_else(unknown)?;
        check_registers(kernel, launch, device.config.lds_from_register)?;
        if !self.injected()? {
            return Ok(());
        }
        let work_items =
            [0, 1, 2].map(|axis| launch.groups[axis].checked_mul(launch.threads[axis]));
        let [Some(x), Some(y), Some(z)] = work_items else {
            return Err(Failure::malformed(format!(
                "commands: {:?} workgroups are too many",
                launch.groups
            )));
        };
        let grid = Grid { work_items: [x, y, z], workgroup: launch.threads, dynamic_lds: 0 };
        let pointers = Pointers::default();
        let user = Some(&launch.user[..]);
        device.calls.count("packets", "pm4_launches");
        self.run_kernel(&code, &Dispatch { kernel, grid, pointers, scratch_size: 0, user })
    }

    fn run_kernel(&self, code: &Loaded, dispatch: &Dispatch<'_>) -> Result<(), Failure> {
        self.queue.device.run(code, dispatch).map(|_| ()).map_err(|error| {
            let status = match &error {
                LaunchError::Fault(fault) => match fault.kind {
                    FaultKind::Access(_) => Status::MEMORY_FAULT,
                    FaultKind::Unknown(_) => Status::ILLEGAL_INSTRUCTION,
                    _ => Status::EXCEPTION,
                },
                _ => Status::INVALID_PACKET_FORMAT,
            };
            Failure { status, message: "its kernel is at fault, see above".to_owned() }
        })
    }

    /// Counts a launch, and does what is to be injected into it. False when the launch hung and its queue ended.
    fn injected(&self) -> Result<bool, Failure> {
        let device = &self.queue.device;
        let failure = |status, what: &str| Failure { status, message: format!("injected: {what}") };
        if device.is_lost() {
            return Err(failure(Status::FATAL, "the device is lost"));
        }
        match device.faults.next_launch() {
            None => Ok(true),
            Some(LaunchFault::Reject) => {
                Err(failure(Status::INVALID_PACKET_FORMAT, "the launch is refused"))
            }
            Some(LaunchFault::Async) => Err(failure(Status::EXCEPTION, "the launch fails")),
            Some(LaunchFault::Lost) => {
                device.lose();
                Err(failure(Status::FATAL, "the device is lost"))
            }
            Some(LaunchFault::Hang) => {
                device.log.write(Level::Errors, || "injected: the launch hangs".to_owned());
                let limit = device.config.watchdog.map_or(u64::MAX, |time| time * 1_000_000);
                match signals::wait(limit, || self.queue.is_stopped().then_some(())) {
                    Some(()) => Ok(false),
                    None => {
                        device.lose();
                        Err(failure(Status::FATAL, "the watchdog gives up the launch that hangs"))
                    }
                }
            }
        }
    }
}

/// Fails where registers are not as the kernel's descriptor says.
fn check_registers(
    kernel: &tyto_rdna_emu::object::Kernel,
    launch: &pm4::Launch,
    lds_from_register: bool,
) -> Result<(), Failure> {
    let (name, descriptor) = (&kernel.metadata.name, &kernel.descriptor);
    let wrong = |message: String| Err(Failure::malformed(format!("commands: `{name}`: {message}")));
    // LDS_SIZE is the launcher's to fill, in units of 512 bytes.
    const LDS_SIZE: u32 = 0x1ff << 15;
    for (index, mask) in [!0, !LDS_SIZE, !0].into_iter().enumerate() {
        let (found, expected) = (launch.resources[index], descriptor.resources[index]);
        if found & mask != expected & mask {
            return wrong(format!("RSRC{} is {found:#x}, not {expected:#x}", index + 1));
        }
    }
    let lds = 512 * ((launch.resources[1] & LDS_SIZE) >> 15);
    if lds_from_register && lds < descriptor.lds_size {
        return wrong(format!(
            "RSRC2 gives it {lds} bytes of LDS, but it has {}: on hardware its stores there are lost. \
             TYTO_EMU_PM4_LDS=descriptor runs it all the same",
            descriptor.lds_size
        ));
    }
    if descriptor.scratch_size > 0 && launch.scratch == 0 {
        return wrong(format!(
            "it has {} bytes of scratch, but none are set up",
            descriptor.scratch_size
        ));
    }
    if launch.user.len() < descriptor.user_sgprs as usize {
        return wrong(format!(
            "{} of {} user registers were written",
            launch.user.len(),
            descriptor.user_sgprs
        ));
    }
    Ok(())
}

/// The signal of a packet.
fn signal(handle: u64) -> Result<&'static super::types::AmdSignal, Failure> {
    // SAFETY: a packet's signals are not destroyed before it has ended, as HSA demands.
    let signal = unsafe { signals::get(handle) };
    signal.map_err(|status| Failure { status, message: format!("{handle:#x} is no signal") })
}

/// Ends a packet: its signal gets its times and is decremented.
fn complete((handle, start, end): (u64, u64, u64)) -> Result<(), Failure> {
    if handle == 0 {
        return Ok(());
    }
    let signal = signal(handle)?;
    signal.start.store(start, Ordering::Relaxed);
    signal.end.store(end, Ordering::Relaxed);
    signals::change(signal, |value| value.wrapping_sub(1));
    runtime::tell(Level::Packets, || format!("signal {handle:#x} is decremented"));
    Ok(())
}

/// How a queue without packets waits: the doorbell is memory, whose writing wakes nobody. It looks often at first, and
/// then seldom, so that an idle queue costs next to nothing.
struct Idle {
    since: Instant,
    looks: u32,
}

impl Default for Idle {
    fn default() -> Self {
        Idle { since: Instant::now(), looks: 0 }
    }
}

impl Idle {
    fn wait(&mut self) {
        self.looks += 1;
        if self.looks < 200 {
            std::hint::spin_loop();
            return;
        }
        let pause = match self.since.elapsed().as_millis() {
            0..2 => 20,
            2..50 => 100,
            50..1000 => 500,
            _ => 2000,
        };
        std::thread::sleep(Duration::from_micros(pause));
    }
}
