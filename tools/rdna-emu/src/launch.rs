//! Launching kernels.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use crate::arguments::{self, Value};
use crate::fault::{Fault, FaultKind, LaunchError};
use crate::machine::access::{Context, Shared, Trouble, TroubleKind};
use crate::machine::program::Program;
use crate::machine::race::Shadow;
use crate::machine::wave::{State, Wave};
use crate::machine::{LANES, Numerics, Op, execute};
use crate::memory::Memory;
use crate::object::{Kernel, Module, ObjectError};
use crate::schedule::{Order, Schedule};
use crate::start;

/// A code object that is ready to run.
#[derive(Debug)]
pub struct Code {
    /// Its kernels and image.
    pub module: Module,
    program: Program,
}

impl Code {
    /// Loads a code object into memory and decodes it.
    pub fn load(file: &[u8], memory: &mut Memory) -> Result<Self, ObjectError> {
        let module = Module::load(file, memory)?;
        let program = Program::new(&module);
        Ok(Code { module, program })
    }

    /// The instructions that cannot be run: where in the image, their text, and why. Between kernels lies padding,
    /// which may be among them.
    pub fn unknown(&self) -> Vec<(usize, String, String)> {
        self.program.unknown()
    }
}

/// Which memory is watched for races.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Races {
    /// None.
    #[default]
    Off,
    /// LDS.
    Shared,
    /// LDS and global memory. Workgroups run one after the other.
    All,
}

/// How a kernel is run. The default is the fastest: waves in order, no checks beyond those of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// In which order waves and workgroups run.
    pub schedule: Schedule,
    /// How sums of products are rounded.
    pub numerics: Numerics,
    /// Whether races are faults.
    pub races: Races,
    /// Whether reading memory that nobody has written is a fault.
    pub checks_written: bool,
    /// How many threads run workgroups.
    pub threads: usize,
    /// How many instructions a wave may run: an endless loop is a fault.
    pub instruction_limit: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            schedule: Schedule::InOrder,
            numerics: Numerics::Ieee,
            races: Races::Off,
            checks_written: false,
            threads: 1,
            instruction_limit: 1 << 32,
        }
    }
}

/// The shape of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Work-items in all, in x, y and z. Need not be a multiple of a workgroup's.
    pub work_items: [u32; 3],
    /// Work-items of a workgroup.
    pub workgroup: [u32; 3],
    /// LDS beside what the kernel declares, in bytes.
    pub dynamic_lds: u32,
}

impl Grid {
    /// That many workgroups of so many work-items, in one dimension.
    pub fn line(workgroups: u32, work_items: u32) -> Self {
        Grid {
            work_items: [workgroups * work_items, 1, 1],
            workgroup: [work_items, 1, 1],
            dynamic_lds: 0,
        }
    }

    /// The number of workgroups in x, y and z.
    pub fn workgroups(&self) -> [u32; 3] {
        [0, 1, 2].map(|axis| self.work_items[axis].div_ceil(self.workgroup[axis].max(1)))
    }

    /// The place in the grid of the workgroup with that number.
    pub fn place(&self, number: usize) -> [u32; 3] {
        let [x, y, _] = self.workgroups().map(|count| count as usize);
        [number % x, number / x % y, number / (x * y)].map(|place| place as u32)
    }
}

/// What a launch did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    /// The workgroups that ran.
    pub workgroups: usize,
    /// The instructions that all waves ran.
    pub instructions: u64,
}

/// Runs a kernel to its end.
///
/// `values` are its arguments in order, without hidden ones; buffers are their addresses as `u64`. Fails when the
/// arguments do not fit, or with the first fault of a wave.
pub fn launch(
    memory: &mut Memory,
    code: &Code,
    kernel: &str,
    grid: Grid,
    values: &[Value],
    options: &Options,
) -> Result<Report, LaunchError> {
    let kernel = code.module.kernel(kernel)?;
    arguments::check_grid(kernel, &grid)?;
    let block = arguments::block(kernel, &grid, values)?;
    let pointers = start::Pointers {
        kernarg: memory.allocate_from("kernel arguments", &block),
        packet: memory.allocate_from("dispatch packet", &start::packet(kernel, &grid)),
    };
    let run = Run {
        memory,
        code,
        kernel,
        grid,
        options,
        pointers,
        instructions: AtomicU64::new(0),
        global_shadow: Mutex::new(Shadow::default()),
    };
    let result = run.all();
    memory.free(pointers.packet).expect("it was just allocated");
    memory.free(pointers.kernarg).expect("it was just allocated");
    result
}

struct Run<'a> {
    memory: &'a Memory,
    code: &'a Code,
    kernel: &'a Kernel,
    grid: Grid,
    options: &'a Options,
    pointers: start::Pointers,
    instructions: AtomicU64,
    global_shadow: Mutex<Shadow>,
}

impl Run<'_> {
    fn all(&self) -> Result<Report, LaunchError> {
        let count: usize = self.grid.workgroups().map(|count| count as usize).iter().product();
        let order = self.options.schedule.workgroups(count);
        let threads = if self.options.races == Races::All { 1 } else { self.options.threads };
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let fault = Mutex::new(None);
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(&workgroup) = order.get(index) else { break };
                if let Err(found) = self.workgroup(workgroup) {
                    stop.store(true, Ordering::Relaxed);
                    let mut first = fault.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    first.get_or_insert(found);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.min(count) {
                scope.spawn(work);
            }
            work();
        });
        match fault.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
            Some(fault) => Err(LaunchError::Fault(fault)),
            None => Ok(Report {
                workgroups: count,
                instructions: self.instructions.load(Ordering::Relaxed),
            }),
        }
    }

    /// Runs a workgroup to its end.
    fn workgroup(&self, number: usize) -> Result<(), Box<Fault>> {
        let mut waves =
            start::waves(self.kernel, &self.grid, number, self.pointers, self.options.numerics);
        let lds = self.kernel.descriptor.lds_size + self.grid.dynamic_lds;
        let mut context = Context {
            program: &self.code.program,
            memory: self.memory,
            shared: Shared::new(lds as usize),
            watches_shared: self.options.races != Races::Off,
            global_shadow: (self.options.races == Races::All).then_some(&self.global_shadow),
            checks_written: self.options.checks_written,
            workgroup: number,
            epoch: 0,
        };
        let mut order = Order::new(self.options.schedule, number);
        while let Some(index) = order.next(&waves) {
            let steps = order.steps();
            self.wave(&mut waves[index], &mut context, steps)?;
            if waves.iter().all(|wave| wave.state != State::Ready) {
                context.epoch += 1;
                let waiting = waves.iter_mut().filter(|wave| wave.state == State::AtBarrier);
                waiting.for_each(|wave| wave.state = State::Ready);
            }
        }
        let executed = waves.iter().map(|wave| wave.executed).sum();
        self.instructions.fetch_add(executed, Ordering::Relaxed);
        Ok(())
    }

    /// Runs a wave for so many instructions, or until it waits.
    fn wave(
        &self,
        wave: &mut Wave,
        context: &mut Context<'_>,
        steps: u64,
    ) -> Result<(), Box<Fault>> {
        for _ in 0..steps {
            let at = wave.next;
            if wave.executed >= self.options.instruction_limit {
                return Err(self.fault(wave, at, None, FaultKind::Endless(wave.executed)));
            }
            let Some(inst) = self.code.program.get(at) else {
                let reason = "no instruction begins here".to_owned();
                return Err(self.fault(wave, at, None, FaultKind::Unknown(reason)));
            };
            if inst.vectors > wave.vectors.len() {
                let has = wave.vectors.len();
                let reason = format!("it uses v{}, but the wave has {has}", inst.vectors - 1);
                return Err(self.fault(wave, at, None, FaultKind::Unknown(reason)));
            }
            execute::step(wave, inst, context)
                .map_err(|trouble| self.trouble(wave, at, trouble))?;
            if wave.state != State::Ready || matches!(inst.op, Op::Yield) {
                break;
            }
        }
        Ok(())
    }

    fn trouble(&self, wave: &Wave, at: usize, trouble: Trouble) -> Box<Fault> {
        let kind = match trouble.kind {
            TroubleKind::Unknown(reason) => FaultKind::Unknown(reason),
            TroubleKind::Access(error) => FaultKind::Access(error),
            TroubleKind::Race(earlier, place) => FaultKind::Race {
                place,
                workgroup: self.grid.place(earlier.workgroup),
                wave: earlier.wave,
                lane: earlier.lane,
                offset: self.offset(earlier.at),
                text: self.code.program.text(earlier.at),
            },
        };
        self.fault(wave, at, trouble.lane, kind)
    }

    fn fault(&self, wave: &Wave, at: usize, lane: Option<usize>, kind: FaultKind) -> Box<Fault> {
        debug_assert!(lane.is_none_or(|lane| lane < LANES));
        Box::new(Fault {
            kernel: self.kernel.metadata.name.clone(),
            workgroup: self.grid.place(wave.workgroup),
            wave: wave.number,
            lane,
            offset: self.offset(at),
            text: self.code.program.text(at),
            kind,
        })
    }

    /// The distance of a word from the kernel's first instruction, in bytes.
    fn offset(&self, at: usize) -> i64 {
        4 * at as i64 - self.kernel.entry as i64
    }
}
