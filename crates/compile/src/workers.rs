//! Several compilations at once: one of them keeps one processor busy for most of its time.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::{Sender, channel};

use tyto_artifact::CancelFlag;
use tyto_iree_rt::Compiler;
use tyto_kernel_spec::Target;

use crate::Error;
use crate::modules::{Module, Source, compiler_error};
use crate::options::Progress;

/// Beyond this, memory (over a gigabyte each) costs more than time is won.
const MOST_WORKERS: usize = 4;

type Outcome = (usize, Result<Vec<u8>, Error>);

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
    let mut code: Vec<Option<Vec<u8>>> = sources.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let (sender, outcomes) = channel();
        for _ in 0..workers {
            let (sender, queue) = (sender.clone(), &queue);
            scope.spawn(move || work(sources, compiler, cancel, queue, &sender));
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
    Ok(modules.map(|(source, code)| Module { path: source.path.clone(), code }).collect())
}

/// Takes sources from the queue until it is empty or somebody has failed.
fn work(
    sources: &[Source],
    compiler: &Compiler,
    cancel: &CancelFlag,
    queue: &Mutex<Vec<usize>>,
    outcomes: &Sender<Outcome>,
) {
    while let Some(index) = { lock(queue).pop() } {
        let source = &sources[index];
        let outcome = if cancel.is_cancelled() {
            Err(Error::Cancelled)
        } else {
            let code = compiler.compile(source.text.as_bytes(), &source.flags);
            code.map_err(|error| compiler_error(&source.name, error))
        };
        // Nobody listens any more once another worker has failed.
        if outcomes.send((index, outcome)).is_err() {
            return;
        }
    }
}

fn lock(queue: &Mutex<Vec<usize>>) -> std::sync::MutexGuard<'_, Vec<usize>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}
