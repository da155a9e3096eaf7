//! Launching kernels: by their arguments, or as a packet of a queue says.

use crate::arguments::{self, Value};
use crate::counters::{Counters, Counts};
use crate::fault::LaunchError;
use crate::machine::Numerics;
use crate::machine::program::Program;
use crate::memory::Memory;
use crate::object::{Kernel, Module, ObjectError};
use crate::run::Run;
use crate::schedule::Schedule;
use crate::start::{self, Beginning, Pointers};

/// A code object that is ready to run.
#[derive(Debug)]
pub struct Code {
    /// Its kernels and image.
    pub module: Module,
    pub(crate) program: Program,
}

impl Code {
    /// Loads a code object into memory and decodes it.
    pub fn load(file: &[u8], memory: &Memory) -> Result<Self, ObjectError> {
        Ok(Self::new(Module::load(file, memory)?))
    }

    /// The same, where `place` says: given the image's size, it returns the address of that many bytes of `memory`,
    /// or none when there are no more.
    pub fn load_at(
        file: &[u8],
        memory: &Memory,
        place: impl FnOnce(usize) -> Option<u64>,
    ) -> Result<Self, ObjectError> {
        Ok(Self::new(Module::load_at(file, memory, place)?))
    }

    fn new(module: Module) -> Self {
        let program = Program::new(&module);
        Code { module, program }
    }

    /// The kernel whose descriptor lies at an address.
    pub fn kernel_at(&self, descriptor: u64) -> Option<&Kernel> {
        let offset = descriptor.wrapping_sub(self.module.base);
        self.module.kernels.iter().find(|kernel| kernel.descriptor_offset as u64 == offset)
    }

    /// The kernel whose first instruction lies at an address.
    pub fn kernel_of_entry(&self, entry: u64) -> Option<&Kernel> {
        let offset = entry.wrapping_sub(self.module.base);
        self.module.kernels.iter().find(|kernel| kernel.entry as u64 == offset)
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
    /// Whether the counts have the details, which take time.
    pub details: bool,
    /// Whether memory instructions go lane by lane also where a wave's could be done at once: for tests that compare
    /// the two.
    pub slow_twin: bool,
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
            details: false,
            slow_twin: false,
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
    /// The same in detail.
    pub counts: Counts,
}

/// A launch as a packet of a queue, or a driver, describes it.
#[derive(Debug, Clone, Copy)]
pub struct Dispatch<'a> {
    /// The kernel, one of the code's own.
    pub kernel: &'a Kernel,
    /// The shape.
    pub grid: Grid,
    /// Where arguments, packet and queue lie. Those that the kernel reads must be in memory.
    pub pointers: Pointers,
    /// The scratch of a lane in bytes, where it is more than the kernel's descriptor says.
    pub scratch_size: u32,
    /// The user registers, where they are given as they are and not as the descriptor says.
    pub user: Option<&'a [u32]>,
}

/// The most scratch of a lane in bytes.
const MOST_SCRATCH: u32 = 1 << 20;
/// The most LDS of a workgroup in bytes.
const MOST_LDS: u32 = 1 << 16;

/// Runs a kernel to its end.
///
/// `values` are its arguments in order, without hidden ones; buffers are their addresses as `u64`. Fails when the
/// arguments do not fit, or with the first fault of a wave.
pub fn launch(
    memory: &Memory,
    code: &Code,
    kernel: &str,
    grid: Grid,
    values: &[Value],
    options: &Options,
) -> Result<Report, LaunchError> {
    let kernel = code.module.kernel(kernel)?;
    arguments::check_grid(kernel, &grid)?;
    let block = arguments::block(kernel, &grid, values)?;
    let pointers = Pointers {
        kernarg: memory.allocate_from("kernel arguments", &block),
        packet: memory.allocate_from("dispatch packet", &start::packet(kernel, &grid)),
        ..Pointers::default()
    };
    let launch = Dispatch { kernel, grid, pointers, scratch_size: 0, user: None };
    let result = dispatch(memory, code, &launch, options, &Counters::default());
    memory.free(pointers.packet).expect("it was just allocated");
    memory.free(pointers.kernarg).expect("it was just allocated");
    result
}

/// Runs a launch to its end, and adds what it did to `counters`, a fault or not.
///
/// Fails when the kernel cannot run in that shape, or with the first fault of a wave.
pub fn dispatch(
    memory: &Memory,
    code: &Code,
    launch: &Dispatch<'_>,
    options: &Options,
    counters: &Counters,
) -> Result<Report, LaunchError> {
    let kernel = launch.kernel;
    arguments::check_grid(kernel, &launch.grid)?;
    let refused = |expected: &str, found: u64| LaunchError::Arguments {
        kernel: kernel.metadata.name.clone(),
        expected: expected.to_owned(),
        found: found.to_string(),
    };
    let lds = u64::from(kernel.descriptor.lds_size) + u64::from(launch.grid.dynamic_lds);
    if lds > MOST_LDS.into() {
        return Err(refused("at most 65536 bytes of LDS", lds));
    }
    let scratch_size = launch.scratch_size.max(kernel.descriptor.scratch_size);
    if scratch_size > MOST_SCRATCH {
        return Err(refused("at most 1048576 bytes of scratch for a lane", scratch_size.into()));
    }
    let beginning = Beginning {
        pointers: launch.pointers,
        user: launch.user,
        scratch_size,
        numerics: options.numerics,
    };
    let run = Run::new(memory, code, kernel, launch.grid, beginning, options);
    let (counts, fault) = run.all();
    counters.add(&kernel.metadata.name, counts);
    match fault {
        Some(fault) => Err(LaunchError::Fault(fault)),
        None => Ok(Report {
            workgroups: counts.workgroups as usize,
            instructions: counts.total(),
            counts,
        }),
    }
}
