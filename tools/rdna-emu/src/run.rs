//! Running the workgroups of a launch.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::counters::{Counts, Touched};
use crate::fault::{Fault, FaultKind};
use crate::launch::{Code, Grid, Options, Races};
use crate::machine::access::{Context, Shared};
use crate::machine::race::Shadow;
use crate::machine::trouble::{Trouble, TroubleKind};
use crate::machine::wave::{State, Wave};
use crate::machine::{LANES, Op, execute};
use crate::memory::Memory;
use crate::object::Kernel;
use crate::schedule::Order;
use crate::start::{self, Beginning};

/// A launch that runs.
pub(crate) struct Run<'a> {
    memory: &'a Memory,
    code: &'a Code,
    kernel: &'a Kernel,
    grid: Grid,
    beginning: Beginning<'a>,
    options: &'a Options,
    counts: Mutex<Counts>,
    global_shadow: Mutex<Shadow>,
    touched: Mutex<Touched>,
}

/// What a lock guards stays right when a holder panics: counts and sets without invariants between them.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl<'a> Run<'a> {
    /// A launch that has not begun.
    pub(crate) fn new(
        memory: &'a Memory,
        code: &'a Code,
        kernel: &'a Kernel,
        grid: Grid,
        beginning: Beginning<'a>,
        options: &'a Options,
    ) -> Self {
        Run {
            memory,
            code,
            kernel,
            grid,
            beginning,
            options,
            counts: Mutex::default(),
            global_shadow: Mutex::default(),
            touched: Mutex::default(),
        }
    }
}

impl Run<'_> {
    /// Runs all workgroups, or until one is at fault.
    pub(crate) fn all(self) -> (Counts, Option<Box<Fault>>) {
        let count: usize = self.grid.workgroups().map(|count| count as usize).iter().product();
        let order = self.options.schedule.order(count);
        let threads = if self.options.races == Races::All { 1 } else { self.options.threads };
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let fault = Mutex::new(None);
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(&workgroup) = order.get(index) else { break };
                if let Err(found) = self.workgroup(workgroup) {
                    stop.store(true, Ordering::Relaxed);
                    lock(&fault).get_or_insert(found);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.min(count) {
                scope.spawn(work);
            }
            work();
        });
        let mut counts = *lock(&self.counts);
        counts.launches = 1;
        lock(&self.touched).count(&mut counts);
        (counts, fault.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    /// Runs a workgroup to its end.
    fn workgroup(&self, number: usize) -> Result<(), Box<Fault>> {
        let mut waves = start::waves(self.kernel, &self.grid, number, &self.beginning);
        let lds = self.kernel.descriptor.lds_size + self.grid.dynamic_lds;
        let mut context = Context {
            program: &self.code.program,
            memory: self.memory.view(),
            shared: Shared::new(lds as usize),
            watches_shared: self.options.races != Races::Off,
            global_shadow: (self.options.races == Races::All).then_some(&self.global_shadow),
            touched: self.options.details.then_some(&self.touched),
            is_swift: !self.options.slow_twin,
            checks_written: self.options.checks_written,
            workgroup: number,
            epoch: 0,
            counts: Counts::default(),
        };
        let result = self.waves(&mut waves, &mut context);
        let mut counts = context.counts;
        counts.workgroups += 1;
        counts.waves += waves.len() as u64;
        for wave in &waves {
            for (sum, count) in counts.instructions.iter_mut().zip(wave.counts) {
                *sum += count;
            }
        }
        *lock(&self.counts) += counts;
        result
    }

    /// Runs waves in turns to their ends.
    fn waves(&self, waves: &mut [Wave], context: &mut Context<'_>) -> Result<(), Box<Fault>> {
        let mut order = Order::new(self.options.schedule, context.workgroup);
        while let Some(index) = order.next(waves) {
            let steps = order.steps();
            self.wave(&mut waves[index], context, steps)?;
            if waves.iter().all(|wave| wave.state != State::Ready) {
                context.epoch += 1;
                let waiting = waves.iter_mut().filter(|wave| wave.state == State::AtBarrier);
                waiting.for_each(|wave| wave.state = State::Ready);
            }
        }
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
