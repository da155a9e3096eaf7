//! The handle: checks requests and passes them to the engine's thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::mpsc::unbounded_channel;
use tyto_artifact::{Pooled, Pooling};
use tyto_scheduler::{BlockPool, Limits, Scheduler, SeqId, SnapshotRule};
use tyto_text::TextModel;

use crate::admission::Admission;
use crate::api::{
    EmbedRequest, EngineStats, GenerateRequest, Generation, ModelCard, ShutdownReport, SubmitError,
    Task,
};
use crate::chunks::ChunkPacer;
use crate::commands::{Command, Submission};
use crate::drafts::{DraftModel, Drafter, Lookup, Speculation, StepTimes};
use crate::error::Error;
use crate::executor::{Executor, ExecutorError, ExecutorLimits};
use crate::place::{Held, Place};
use crate::request::RequestContext;
use crate::run_loop::{Pacing, RunLoop};
use crate::shared::Shared;
use crate::watchdog;

/// What an engine is told at its start.
#[derive(Debug, Clone)]
pub struct EngineConfig {
    /// The model's name, for the card.
    pub name: String,
    /// Requests that may wait besides those that run; beyond it they are refused.
    pub max_queued: usize,
    /// Tokens in one step, of all rows together. `None` takes the executor's longest chunk
    /// and a token for every other row, so that a prompt never holds up another's answer.
    pub tokens_per_step: Option<usize>,
    /// Tokens of prompts in a step that answers share. `None` measures what steps take and makes
    /// chunks so small that answers hardly stall.
    pub chunk_beside_answers: Option<usize>,
    /// Remember what full blocks of the cache hold, and compute no prompt's beginning twice.
    pub prefix_cache: bool,
    /// Guess ahead of the model what the text repeats. No answer changes by it.
    pub speculate: Speculate,
    /// The engine is unhealthy after this many failed steps in a row.
    pub max_faults: usize,
    /// A step that takes longer means that the device hangs. `None` waits for ever.
    pub step_timeout: Option<Duration>,
    /// The same of building the executor.
    pub load_timeout: Option<Duration>,
    /// Set for a model that makes vectors of texts and continues none.
    pub pooled: Option<Pooled>,
}

impl EngineConfig {
    /// The values that suit one machine serving one model.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            max_queued: 1024,
            tokens_per_step: None,
            chunk_beside_answers: None,
            prefix_cache: true,
            speculate: Speculate::WherePaid,
            max_faults: 3,
            step_timeout: None,
            load_timeout: None,
            pooled: None,
        }
    }
}

/// What runs on an engine's thread.
pub struct Executors {
    /// The model that is served.
    pub model: Box<dyn Executor>,
    /// A model with the same vocabulary that guesses what comes next; without it the text itself does.
    /// It must not be recurrent: it keeps no state for each of its guesses. Its faults end its guesses and nothing
    /// else.
    pub draft: Option<Box<dyn Executor>>,
}

/// When to guess ahead of the model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Speculate {
    /// Never.
    Never,
    /// Where guesses are right so often that steps with them, by the time they take, give more tokens
    /// than steps without.
    #[default]
    WherePaid,
    /// Wherever the text repeats itself, whatever it costs.
    Always,
}

/// A prompt is cut for a copy of its state, which takes one more step, where that spares others so
/// many tokens.
const SNAPSHOT_GAIN: usize = 64;

/// How often one who waits for the thread's end looks whether its device is lost.
const LOSS_INTERVAL: Duration = Duration::from_millis(100);

/// A handle to a running engine; clones share it. When the last handle and the last
/// [`Generation`] are dropped, the engine's thread ends.
#[derive(Debug, Clone)]
pub struct Engine {
    commands: Sender<Command>,
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    admission: Admission,
    /// Requests that may be alive at the same time.
    max_alive: usize,
    next_id: AtomicU64,
    stopping: AtomicBool,
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
    card: ModelCard,
}

/// Says that the engine is gone, however its thread ends.
struct EndOfThread(Arc<Shared>);

impl Drop for EndOfThread {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Engine {
    /// Starts the thread that owns the model and everything about running requests, builds
    /// the executor on it, and waits until that is done.
    pub fn start(
        config: EngineConfig,
        text: Arc<TextModel>,
        factory: impl FnOnce() -> Result<Box<dyn Executor>, ExecutorError> + Send + 'static,
    ) -> Result<Self, Error> {
        Self::start_all(config, text, move || Ok(Executors { model: factory()?, draft: None }))
    }

    /// The same, with a draft if there is one.
    pub fn start_all(
        config: EngineConfig,
        text: Arc<TextModel>,
        factory: impl FnOnce() -> Result<Executors, ExecutorError> + Send + 'static,
    ) -> Result<Self, Error> {
        let (commands, receiver) = mpsc::channel();
        let (ready, built) = mpsc::channel();
        let shared = Arc::new(Shared::new());
        let thread_shared = shared.clone();
        let thread_config = config.clone();
        let main = move || {
            let _end = EndOfThread(thread_shared.clone());
            match build(&thread_config, text, factory, receiver, thread_shared) {
                Ok((run_loop, limits)) => {
                    // Without a receiver nobody waits for this engine: it ends by itself.
                    if ready.send(Ok(limits)).is_ok() {
                        run_loop.run();
                    }
                }
                Err(error) => drop(ready.send(Err(error))),
            }
        };
        let thread = std::thread::Builder::new()
            .name("tyto-engine".to_owned())
            .spawn(main)
            .map_err(|source| Error::Thread { source })?;
        let limits = watchdog::wait_for_load(&built, config.load_timeout)??;
        if let Some(limit) = config.step_timeout {
            watchdog::watch(&shared, limit)?;
        }
        Ok(Self { commands, inner: Arc::new(Inner::new(config, &limits, shared, thread)) })
    }

    /// Takes a request, or refuses it with the reason. Never waits.
    pub fn submit(&self, task: impl Into<Task>) -> Result<Generation, SubmitError> {
        let mut generations = self.submit_all(vec![task.into()])?;
        Ok(generations.pop().expect("one task has one answer"))
    }

    /// Takes all of these requests or none. Those that follow one with the same prompt wait for
    /// it, so that a prompt with several answers is computed once.
    pub fn submit_all(&self, tasks: Vec<Task>) -> Result<Vec<Generation>, SubmitError> {
        if self.inner.card.pooled.is_some() {
            return Err(SubmitError::WritesNoText);
        }
        let admit = |task: &Task| self.inner.admission.admit(&task.request);
        let limits: Vec<usize> = tasks.iter().map(admit).collect::<Result<_, _>>()?;
        self.send(tasks, limits)
    }

    /// Takes all of these texts or none. Each [`Generation`] gives the text's vector and ends.
    pub fn embed_all(&self, texts: Vec<EmbedRequest>) -> Result<Vec<Generation>, SubmitError> {
        let limits = self.admit_texts(&texts)?;
        self.send(texts.into_iter().map(vector_task).collect(), limits)
    }

    /// Takes a place for texts that come one after the other, or refuses it as a request.
    pub fn place(&self) -> Result<Place, SubmitError> {
        let mut places = self.take_places(1)?;
        Ok(Place(places.pop().expect("one was taken")))
    }

    /// The same as [`embed_all`](Self::embed_all) for one text at a place that is held: it is never
    /// refused for a full queue.
    ///
    /// # Panics
    /// If the place's text before has not ended.
    pub fn embed_at(&self, place: &Place, text: EmbedRequest) -> Result<Generation, SubmitError> {
        assert_eq!(Arc::strong_count(&place.0), 1, "one text at a time has the place");
        let limits = self.admit_texts(std::slice::from_ref(&text))?;
        let mut generations =
            self.send_to(vec![place.0.clone()], vec![vector_task(text)], limits)?;
        Ok(generations.pop().expect("one text has one vector"))
    }

    /// The limits of the texts' sequences.
    fn admit_texts(&self, texts: &[EmbedRequest]) -> Result<Vec<usize>, SubmitError> {
        if self.inner.card.pooled.is_none() {
            return Err(SubmitError::MakesNoVectors);
        }
        texts.iter().map(|one| self.inner.admission.admit_text(&one.text)).collect()
    }

    /// Gives admitted tasks to the thread, with the limits of their sequences.
    fn send(&self, tasks: Vec<Task>, limits: Vec<usize>) -> Result<Vec<Generation>, SubmitError> {
        let places = self.take_places(tasks.len())?;
        self.send_to(places, tasks, limits)
    }

    /// Refuses more texts of one request than the queue could ever hold, so that a caller need not make
    /// them to learn it.
    pub fn check_count(&self, count: usize) -> Result<(), SubmitError> {
        Ok(self.inner.admission.admit_count(count, self.inner.max_alive)?)
    }

    fn take_places(&self, count: usize) -> Result<Vec<Arc<Held>>, SubmitError> {
        let inner = &*self.inner;
        self.check_count(count)?;
        if inner.stopping.load(Ordering::Acquire) {
            return Err(SubmitError::Stopped);
        }
        Held::take(&inner.shared, count, inner.max_alive).map_err(|lacking| {
            let retry_after_seconds = inner.shared.pace().wait_for(lacking, Instant::now());
            SubmitError::QueueFull { retry_after_seconds }
        })
    }

    /// The same for tasks that have their places.
    fn send_to(
        &self,
        places: Vec<Arc<Held>>,
        tasks: Vec<Task>,
        limits: Vec<usize>,
    ) -> Result<Vec<Generation>, SubmitError> {
        let inner = &*self.inner;
        if inner.stopping.load(Ordering::Acquire) {
            return Err(SubmitError::Stopped);
        }
        let all = places.into_iter().zip(tasks).zip(limits);
        let (generations, submissions): (Vec<Generation>, Vec<Submission>) =
            all.map(|((place, task), limit)| self.prepare(place, task, limit)).unzip();
        let listens = |one: &Submission| inner.shared.listen(one.id, one.events.clone());
        if !submissions.iter().all(listens) {
            return Err(SubmitError::Stopped);
        }
        if self.commands.send(Command::Submit(submissions)).is_err() {
            generations.iter().for_each(|one| inner.shared.forget(SeqId(one.id)));
            return Err(SubmitError::Stopped);
        }
        Ok(generations)
    }

    fn prepare(&self, place: Arc<Held>, task: Task, limit: usize) -> (Generation, Submission) {
        let id = self.inner.next_id.fetch_add(1, Ordering::Relaxed);
        let (sender, events) = unbounded_channel();
        let submitted = Instant::now();
        let submission =
            Submission { id: SeqId(id), task, limit, events: sender, submitted, place };
        (Generation { id, events, commands: self.commands.clone(), ended: false }, submission)
    }

    /// How many requests would be taken now. Others may come before the next call, which is then
    /// refused all the same.
    pub fn room(&self) -> usize {
        self.inner.max_alive.saturating_sub(self.inner.shared.alive.load(Ordering::Relaxed))
    }

    /// What is served.
    pub fn card(&self) -> &ModelCard {
        &self.inner.card
    }

    /// The figures after the latest step. They hold what every event already received tells.
    pub fn stats(&self) -> EngineStats {
        self.inner.shared.stats()
    }

    /// False once the executor has failed for good, failed `max_faults` steps in a row, or the
    /// engine's thread has ended. It never becomes true again.
    pub fn healthy(&self) -> bool {
        self.inner.shared.healthy.load(Ordering::Relaxed)
    }

    /// Waits until the device is lost or hangs; gives the reason. No request gets an answer from
    /// then on, and those under way have been told.
    pub async fn lost(&self) -> String {
        self.inner.shared.wait_for_loss().await
    }

    /// Why the device is lost, if it is.
    pub fn loss(&self) -> Option<String> {
        self.inner.shared.loss()
    }

    /// Takes no more requests, lets those under way go on for `grace`, ends the rest with
    /// [`FinishReason::Cancelled`](crate::FinishReason::Cancelled), and waits for the thread
    /// to give the model back. A second call reports nothing, and so does one whose device is
    /// lost: its thread may hang.
    pub fn shutdown(&self, grace: Duration) -> ShutdownReport {
        let (reply, report) = mpsc::channel();
        // No end of time is as good as any that a clock cannot hold.
        let deadline = Instant::now().checked_add(grace);
        let sent = self.commands.send(Command::Shutdown { deadline, reply });
        self.inner.stopping.store(true, Ordering::Release);
        let report = sent.ok().and_then(|()| self.wait_for_end(&report)).unwrap_or_default();
        if self.loss().is_some() {
            return report;
        }
        let thread = self.inner.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the engine's thread ended with a panic");
        }
        report
    }
}

impl Engine {
    /// The thread's report; `None` if the thread is gone, or its device lost.
    fn wait_for_end(&self, report: &Receiver<ShutdownReport>) -> Option<ShutdownReport> {
        loop {
            match report.recv_timeout(LOSS_INTERVAL) {
                Ok(report) => return Some(report),
                Err(RecvTimeoutError::Timeout) if self.loss().is_none() => {}
                Err(_) => return None,
            }
        }
    }
}

impl Inner {
    fn new(
        config: EngineConfig,
        limits: &ExecutorLimits,
        shared: Arc<Shared>,
        thread: JoinHandle<()>,
    ) -> Self {
        let largest_text = pool(limits).largest_text();
        let segments = config.pooled.as_ref().map_or(1, |pooled| pooled.segments);
        let admission = Admission::new(limits, largest_text, segments);
        // A clock before 1970 is a broken clock; the card then says 0.
        let created =
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let card = ModelCard {
            name: config.name,
            created,
            context_length: match config.pooled {
                Some(_) => admission.longest_text(),
                None => admission.usable_context(),
            },
            vocab_size: limits.vocab_size,
            pooled: config.pooled,
        };
        Self {
            admission,
            max_alive: config.max_queued.saturating_add(limits.max_rows),
            next_id: AtomicU64::new(0),
            stopping: AtomicBool::new(false),
            shared,
            thread: Mutex::new(Some(thread)),
            card,
        }
    }
}

fn vector_task(EmbedRequest { text, client, timeout }: EmbedRequest) -> Task {
    GenerateRequest { client, timeout, ..GenerateRequest::new(text) }.into()
}

fn build(
    config: &EngineConfig,
    text: Arc<TextModel>,
    factory: impl FnOnce() -> Result<Executors, ExecutorError>,
    commands: Receiver<Command>,
    shared: Arc<Shared>,
) -> Result<(RunLoop, ExecutorLimits), Error> {
    let Executors { model: executor, draft } = factory()?;
    let limits = executor.limits();
    check_limits(&limits)?;
    let pool = remembering(config, executor.as_ref(), pool(&limits));
    let scheduler = Scheduler::new(step_limits(config, &limits)?, pool);
    let is_whole = config.pooled.as_ref().is_some_and(|pooled| pooled.whole);
    let scheduler = if is_whole { scheduler.with_whole_prompts() } else { scheduler };
    let scheduler = if executor.is_recurrent() { scheduler.with_states() } else { scheduler };
    let measured = config.chunk_beside_answers.is_none();
    let chunks = measured.then(|| ChunkPacer::new(limits.max_chunk));
    let may_guess = config.speculate != Speculate::Never && limits.max_drafts > 0;
    let speculation = may_guess.then(|| {
        let times = StepTimes::new(config.speculate == Speculate::WherePaid);
        let drafter: Box<dyn Drafter> = match draft {
            Some(draft) => Box::new(DraftModel::new(draft, limits.vocab_size)),
            None => Box::new(Lookup::default()),
        };
        Speculation::new(drafter, times, 1 + limits.max_drafts)
    });
    let pacing = Pacing { chunks, speculation };
    let max_faults = config.max_faults;
    let context = RequestContext::new(text, config.pooled.as_ref().map(|pooled| pooled.pooling));
    let run_loop = RunLoop::new(commands, shared, context, executor, scheduler, pacing, max_faults);
    Ok((run_loop, limits))
}

fn step_limits(config: &EngineConfig, limits: &ExecutorLimits) -> Result<Limits, Error> {
    let positive = |field, found: usize| match found {
        0 => Err(Error::Config { field, found, expected: "at least 1" }),
        found => Ok(found),
    };
    let (rows, max_chunk) = (limits.max_rows, limits.max_chunk);
    let tokens_per_step = config.tokens_per_step.unwrap_or(max_chunk + rows - 1);
    let tokens_per_step = match &config.pooled {
        // A text is never cut, so a step must hold the longest.
        Some(pooled) if pooled.whole => tokens_per_step.max(max_chunk),
        _ => tokens_per_step,
    };
    let chunk_beside_answers = config.chunk_beside_answers.unwrap_or(max_chunk);
    Ok(Limits {
        tokens_per_step: positive("tokens_per_step", tokens_per_step)?,
        rows,
        max_chunk,
        tokens_with_drafts: 1 + limits.max_drafts,
        chunk_beside_answers: positive("chunk_beside_answers", chunk_beside_answers)?,
    })
}

fn pool(limits: &ExecutorLimits) -> BlockPool {
    BlockPool::new(limits.n_blocks, limits.block_size)
}

/// What the pool remembers of texts.
fn remembering(config: &EngineConfig, executor: &dyn Executor, pool: BlockPool) -> BlockPool {
    let places = executor.snapshots();
    // What is found in the cache gives no rows: of a text's vector, only the last one is never found.
    let needs_all = config
        .pooled
        .as_ref()
        .is_some_and(|pooled| pooled.whole || pooled.pooling != Pooling::Last);
    match (config.prefix_cache && !needs_all, executor.is_recurrent()) {
        (true, false) => pool,
        (true, true) if places > 0 => {
            let apart = executor.limits().max_chunk.max(SNAPSHOT_GAIN);
            pool.with_snapshots(SnapshotRule { places, least_gain: SNAPSHOT_GAIN, apart })
        }
        _ => pool.forgetful(),
    }
}

fn check_limits(limits: &ExecutorLimits) -> Result<(), Error> {
    let at_least = |field, found, least: usize, expected| {
        if found >= least { Ok(()) } else { Err(Error::Limit { field, found, expected }) }
    };
    at_least("vocab_size", limits.vocab_size, 1, "at least 1")?;
    at_least("context_length", limits.context_length, 2, "at least 2: a prompt and an answer")?;
    at_least("block_size", limits.block_size, 1, "at least 1")?;
    at_least("n_blocks", limits.n_blocks, 2, "at least 2: block 0 is given to nobody")?;
    at_least("max_rows", limits.max_rows, 1, "at least 1")?;
    at_least("max_chunk", limits.max_chunk, 1, "at least 1")
}
