//! Several compilations at once: one of them keeps one processor busy for most of its time.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::{Sender, channel};

use tyto_artifact::CancelFlag;
use tyto_iree_rt::{Compiler, Phase};
use tyto_kernel_spec::{GpuDriver, Target};

use crate::modules::{Module, Source, compiler_error};
use crate::options::Progress;
use crate::{Error, pm4};

/// Beyond this, memory (over a gigabyte each) costs more than time is won.
const MOST_WORKERS: usize = 4;

type Outcome = (usize, Result<Code, Error>);

/// Compiled code, and its functions whose recorded steps can stay on a GPU.
struct Code {
    bytes: Vec<u8>,
    pm4: Vec<String>,
}

/// The code of all `sources`, in their order; the first failure ends the rest.
pub(crate) fn compile_all(
    sources: &[Source],
    compiler: &Compiler,
    cancel: &CancelFlag,
    target: Target,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<Module>, Error> {
    let mut tell = |index: usize, done: usize| {
        let Source { name, reused, .. } = &sources[index];
        let (name, total) = (format!("{target} {name}"), sources.len());
        progress(Progress::Module { name, done, total, reused: *reused });
    };
    let mut done = 0;
    for (index, _) in sources.iter().enumerate().filter(|(_, source)| source.reused) {
        done += 1;
        tell(index, done);
    }
    let todo: Vec<usize> = (0..sources.len()).filter(|index| !sources[*index].reused).collect();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = workers.min(MOST_WORKERS).min(todo.len());
    // The slowest come last in the list and are begun first, so that none is left over alone.
    let queue = Mutex::new(todo);
    let mut code: Vec<Option<Code>> = sources.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let (sender, outcomes) = channel();
        for _ in 0..workers {
            let (sender, queue) = (sender.clone(), &queue);
            scope.spawn(move || work(sources, compiler, cancel, target, queue, &sender));
        }
        drop(sender);
        for (index, outcome) in outcomes {
            let outcome = outcome.inspect_err(|_| lock(&queue).clear());
            code[index] = Some(outcome?);
            done += 1;
            tell(index, done);
        }
        Ok::<(), Error>(())
    })?;
    let modules = sources.iter().zip(code);
    let module = |(source, code): (&Source, Option<Code>)| {
        let path = source.path.clone();
        match code {
            Some(Code { bytes, pm4 }) => Module { path, code: Some(bytes), pm4 },
            None => Module { path, code: None, pm4: Vec::new() },
        }
    };
    Ok(modules.map(module).collect())
}

/// Takes sources from the queue until it is empty or somebody has failed.
fn work(
    sources: &[Source],
    compiler: &Compiler,
    cancel: &CancelFlag,
    target: Target,
    queue: &Mutex<Vec<usize>>,
    outcomes: &Sender<Outcome>,
) {
    while let Some(index) = { lock(queue).pop() } {
        let source = &sources[index];
        let outcome = if cancel.is_cancelled() {
            Err(Error::Cancelled)
        } else {
            let code = compile_one(compiler, source, target);
            code.map_err(|error| compiler_error(&source.name, error))
        };
        // Nobody listens any more once another worker has failed.
        if outcomes.send((index, outcome)).is_err() {
            return;
        }
    }
}

fn compile_one(
    compiler: &Compiler,
    source: &Source,
    target: Target,
) -> Result<Code, tyto_iree_rt::Error> {
    let (text, flags) = (source.text.as_bytes(), &source.flags);
    if !matches!(target, Target::Gpu(_, GpuDriver::Amdgpu)) {
        return Ok(Code { bytes: compiler.compile(text, flags)?, pm4: Vec::new() });
    }
    let program = compiler.lower(text, flags, Phase::Hal)?;
    let marked = pm4::mark(&program, source.sized);
    let bytes = compiler.compile_from(Phase::Hal, marked.text.as_bytes(), flags)?;
    Ok(Code { bytes, pm4: marked.ready })
}

fn lock(queue: &Mutex<Vec<usize>>) -> std::sync::MutexGuard<'_, Vec<usize>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}
