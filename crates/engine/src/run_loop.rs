//! The engine's thread: one loop that owns the scheduler, the executor and every request.
//!
//! It waits for commands while there is nothing to do, and looks for them between steps
//! otherwise. A step is plan, execute, sample, commit; what went wrong in it is told to the
//! requests that were in it, and to no other.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, TryRecvError};
use std::time::{Duration, Instant};

use tyto_scheduler::{
    ClientId, Entry, Finish, Finished, Outcome, Sampled, Scheduler, SeqId, Sequence, StateCopy,
    StepPlan, right_drafts,
};

use crate::api::{EngineStats, FinishReason, GenerateRequest, ShutdownReport};
use crate::chunks::ChunkPacer;
use crate::commands::{Command, Submission};
use crate::drafts::{Answer, Speculation};
use crate::executor::{Executor, ExecutorError, Positions, StateMove, StepRow};
use crate::logits::{Rows, StepLogits};
use crate::pace::Pace;
use crate::request::{Request, RequestContext};
use crate::rows::{check_answer, text_of, with_drafts};
use crate::shared::Shared;

/// A shutdown under way.
struct Stopping {
    deadline: Option<Instant>,
    reply: Sender<ShutdownReport>,
    report: ShutdownReport,
}

/// What the loop decides by measuring.
pub(crate) struct Pacing {
    /// How long chunks beside answers are, if that is not given.
    pub(crate) chunks: Option<ChunkPacer>,
    /// Who guesses ahead of the model, if anybody does.
    pub(crate) speculation: Option<Speculation>,
}

/// What to do after the commands are read.
enum Next {
    Step,
    End,
}

pub(crate) struct RunLoop {
    commands: Receiver<Command>,
    shared: Arc<Shared>,
    context: RequestContext,
    executor: Box<dyn Executor>,
    scheduler: Scheduler,
    logits: StepLogits,
    requests: HashMap<SeqId, Request>,
    stats: EngineStats,
    /// Measures how long chunks may be, if that is not given.
    chunks: Option<ChunkPacer>,
    /// Guesses ahead of the model, if anybody does.
    speculation: Option<Speculation>,
    /// Failed steps since the last that worked.
    faults: usize,
    max_faults: usize,
    stopping: Option<Stopping>,
    /// Why no step will run after this one.
    loss: Option<String>,
    pace: Pace,
}

impl RunLoop {
    pub(crate) fn new(
        commands: Receiver<Command>,
        shared: Arc<Shared>,
        context: RequestContext,
        executor: Box<dyn Executor>,
        scheduler: Scheduler,
        pacing: Pacing,
        max_faults: usize,
    ) -> Self {
        let row_width = executor.limits().row_width();
        let run_loop = Self {
            commands,
            shared,
            context,
            executor,
            scheduler,
            logits: StepLogits::new(row_width),
            requests: HashMap::new(),
            stats: EngineStats::default(),
            chunks: pacing.chunks,
            speculation: pacing.speculation,
            faults: 0,
            max_faults,
            stopping: None,
            loss: None,
            pace: Pace::default(),
        };
        run_loop.publish();
        run_loop
    }

    /// Runs until a shutdown is complete, nobody is left to send a command, or the device is lost.
    pub(crate) fn run(mut self) {
        while let Next::Step = self.take_commands() {
            self.step();
            if self.shared.loss().is_some() {
                // The driver of a lost device cannot be taken down in order.
                std::mem::forget(self.executor);
                break;
            }
        }
        if let Some(Stopping { reply, report, .. }) = self.stopping.take() {
            // The one who asked may have gone; the shutdown is complete all the same.
            let _ = reply.send(report);
        }
    }

    /// Reads every command there is; with nothing to step, waits for one.
    fn take_commands(&mut self) -> Next {
        loop {
            let received = if self.scheduler.is_idle() && self.stopping.is_none() {
                self.wait_for_command()
            } else {
                self.commands.try_recv()
            };
            match received {
                Ok(command) => self.obey(command),
                // Without senders there is no `Generation` either: nobody reads an answer.
                Err(TryRecvError::Disconnected) => return Next::End,
                Err(TryRecvError::Empty) => {
                    self.expire();
                    self.cut_at_the_deadline();
                    match (self.scheduler.is_idle(), self.stopping.is_some()) {
                        (false, _) => return Next::Step,
                        (true, true) => return Next::End,
                        (true, false) => {} // The last request's time was over.
                    }
                }
            }
        }
    }

    /// The next command; until it comes the executor does what steps are faster for.
    fn wait_for_command(&mut self) -> Result<Command, TryRecvError> {
        loop {
            match self.commands.try_recv() {
                Err(TryRecvError::Empty) if self.executor.prepare() => {}
                Err(TryRecvError::Empty) => {
                    return self.commands.recv().map_err(|_| TryRecvError::Disconnected);
                }
                received => return received,
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Submit(submissions) => self.begin(submissions),
            Command::Cancel(id) => {
                self.scheduler.cancel(id);
                if self.requests.remove(&id).is_some() {
                    self.stats.cancelled += 1;
                    self.one_less(id);
                }
            }
            Command::Shutdown { deadline, reply } => {
                let report = ShutdownReport::default();
                self.stopping.get_or_insert(Stopping { deadline, reply, report });
            }
        }
        self.publish();
    }

    /// Those that follow one with the same prompt wait for it; vectors are made of each by itself,
    /// since nothing is written that would wake those that wait.
    fn begin(&mut self, submissions: Vec<Submission>) {
        let mut group: Vec<Sequence> = Vec::new();
        for submission in submissions {
            let Some(seq) = self.welcome(submission) else { continue };
            let continues = self.context.pooling.is_none();
            let same = |first: &Sequence| {
                continues && first.tokens() == seq.tokens() && first.client() == seq.client()
            };
            if !group.first().is_none_or(same) {
                self.scheduler.submit_all(std::mem::take(&mut group));
            }
            group.push(seq);
        }
        if !group.is_empty() {
            self.scheduler.submit_all(group);
        }
    }

    /// Begins one request. Gives what the scheduler has to do for it, if anything.
    fn welcome(&mut self, submission: Submission) -> Option<Sequence> {
        let Submission { id, task, limit, events, submitted, place } = submission;
        let (prompt, client) = (task.request.prompt.clone(), client_id(&task.request));
        let executor = self.executor.limits();
        let request =
            Request::new(task, limit, &executor, events, (submitted, place), &self.context);
        self.pace.note_begin(submitted);
        self.requests.insert(id, request);
        if limit == prompt.len() {
            self.finish(id, FinishReason::Length); // max_tokens is 0.
            return None;
        }
        Some(Sequence::new(id, prompt, limit).of(client))
    }

    fn step(&mut self) {
        if let Some(chunks) = &self.chunks {
            self.scheduler.set_chunk_beside_answers(chunks.chunk());
        }
        self.guess();
        let plan = self.scheduler.plan();
        let now = Instant::now();
        for (_, seq) in self.scheduler.rows(&plan) {
            let request = request_of(&mut self.requests, seq.id());
            request.note_step(now);
            request.note_cached(seq.cached());
        }
        let finished = match self.execute(&plan) {
            Ok(()) => {
                self.faults = 0;
                self.note_duration(&plan, now.elapsed());
                let sampled = self.sample(&plan);
                self.scheduler.commit(plan, sampled)
            }
            Err(error) => {
                self.note_fault(&error);
                for (_, seq) in self.scheduler.rows(&plan) {
                    request_of(&mut self.requests, seq.id()).fault = Some(error.to_string());
                }
                self.scheduler.fail(plan)
            }
        };
        self.stats.steps += 1;
        self.retire(&finished);
        if let Some(reason) = self.loss.take() {
            self.shared.lose(&reason);
        }
    }

    /// Proposes what may come next, where that has paid.
    fn guess(&mut self) {
        let Some(speculation) = &mut self.speculation else { return };
        let answers = self.scheduler.running().filter(|seq| seq.may_have_drafts());
        let requests = &self.requests;
        let answers: Vec<Answer<'_>> = answers
            .map(|seq| {
                let way = requests[&seq.id()].way();
                Answer { id: seq.id(), text: seq.tokens(), way }
            })
            .collect();
        // A draft model's device may hang as the model's may.
        self.shared.pulse.fetch_add(1, Ordering::Release);
        let guesses = speculation.guess(&answers);
        self.shared.pulse.fetch_add(1, Ordering::Release);
        for (id, guess) in guesses {
            request_of(&mut self.requests, id).expect(guess.drawn_from);
            self.scheduler.draft(id, guess.tokens);
        }
    }

    fn note_duration(&mut self, plan: &StepPlan, took: Duration) {
        let answers = plan.entries.iter().filter(|entry| entry.by_itself).count();
        let tokens: usize = plan.entries.iter().map(|entry| entry.tokens - entry.drafts).sum();
        let drafted = plan.entries.iter().filter(|entry| entry.drafts > 0).count();
        if let Some(speculation) = self.speculation.as_mut().filter(|_| tokens == answers) {
            speculation.note_step(plan.entries.iter().map(|entry| entry.tokens).sum(), took);
        }
        if let Some(chunks) = self.chunks.as_mut().filter(|_| drafted == 0) {
            chunks.note(answers, tokens - answers, took);
        }
    }

    /// Runs the step, and checks that the executor kept its contract.
    fn execute(&mut self, plan: &StepPlan) -> Result<(), ExecutorError> {
        self.shared.pulse.fetch_add(1, Ordering::Release);
        let result = self.execute_watched(plan);
        self.shared.pulse.fetch_add(1, Ordering::Release);
        result
    }

    fn execute_watched(&mut self, plan: &StepPlan) -> Result<(), ExecutorError> {
        let damaged = self.scheduler.take_blocks_to_clean();
        if !damaged.is_empty() {
            // What cannot be cleaned would damage whoever gets it.
            self.executor.clean(&damaged).map_err(ExecutorError::into_fatal)?;
        }
        let guessed: Vec<Vec<u32>> = self.scheduler.rows(plan).map(with_drafts).collect();
        let rows: Vec<StepRow<'_>> = (self.scheduler.rows(plan).zip(&guessed))
            .map(|((entry, seq), guessed)| StepRow {
                tokens: if entry.drafts > 0 { guessed } else { text_of(entry, seq) },
                first_position: entry.first_position,
                sequence_length: seq.tokens().len(),
                blocks: seq.blocks(),
                slot: seq.slot(),
                draft_slots: seq.draft_slots(),
                want_logits: entry.samples || self.context.positions() != Positions::Last,
                by_itself: entry.by_itself,
                drafts: entry.drafts,
                positions: self.context.positions(),
                digest: self.digest_of(entry, seq),
            })
            .collect();
        self.executor.move_states(&moves(&plan.restores, restore))?;
        self.stats.restored_states += plan.restores.len() as u64;
        self.logits.begin(rows.len());
        self.executor.step(&rows, &mut self.logits)?;
        check_answer(&rows, &self.logits)?;
        self.executor.move_states(&moves(&plan.saves, save))
    }

    /// The digest that may do in place of an entry's logits, of a text that goes on.
    fn digest_of(&self, entry: &Entry, seq: &Sequence) -> Option<f32> {
        let goes_on = entry.samples && self.context.pooling.is_none();
        goes_on.then(|| self.requests[&seq.id()].digest()).flatten()
    }

    /// Takes a token from each row's logits, and then sends them all: who reads them wakes up once a
    /// step, beside threads that compute.
    fn sample(&mut self, plan: &StepPlan) -> Vec<Sampled> {
        let mut sampled = Vec::with_capacity(self.logits.n_rows());
        for (row, (entry, seq)) in self.scheduler.rows(plan).enumerate() {
            let (outcome, forced) = if self.context.pooling.is_some() {
                let request = request_of(&mut self.requests, seq.id());
                let outcome =
                    request.pool(self.logits.rows(row), entry.first_position, entry.samples);
                if outcome == Outcome::Complete {
                    self.stats.prompt_tokens += u64::from(request.prompt_tokens());
                    self.stats.cached_prompt_tokens += u64::from(request.cached_tokens());
                }
                (outcome, 0)
            } else if self.logits.given(row) == 0 {
                (Outcome::Written, 0)
            } else {
                let request = request_of(&mut self.requests, seq.id());
                let before = request.generated();
                let accept = |logits: Rows<'_>| request.accept(logits, seq.drafts(), &self.context);
                let accepted = self.logits.look(row, accept);
                let (outcome, forced) =
                    accepted.unwrap_or_else(|error| request.lose_logits(&error));
                if let Some((guessed, right)) = drafts_of(entry, seq, &outcome, forced) {
                    request.note_drafts(guessed, right);
                    self.stats.drafted_tokens += guessed as u64;
                    self.stats.accepted_tokens += right as u64;
                    if let Some(speculation) = &mut self.speculation {
                        speculation.note(seq.id(), guessed, right);
                    }
                }
                self.stats.generated_tokens += u64::from(request.generated() - before);
                if before == 0 && request.generated() > 0 {
                    self.stats.prompt_tokens += u64::from(request.prompt_tokens());
                    self.stats.cached_prompt_tokens += u64::from(request.cached_tokens());
                }
                (outcome, forced)
            };
            sampled.push(Sampled { seq: entry.seq, outcome, forced });
        }
        for (_, seq) in self.scheduler.rows(plan) {
            request_of(&mut self.requests, seq.id()).tell();
        }
        sampled
    }

    /// Tells the requests that ended with this step.
    fn retire(&mut self, finished: &[Finished]) {
        for &Finished { seq, finish } in finished {
            match finish {
                Finish::Stop => self.finish(seq, FinishReason::Stop),
                Finish::Length => self.finish(seq, FinishReason::Length),
                Finish::Failed => self.fail(seq),
                Finish::Cancelled => unreachable!("commands are read between steps only"),
            }
        }
        if finished.is_empty() {
            self.publish();
        }
    }

    fn finish(&mut self, id: SeqId, reason: FinishReason) {
        let mut request = self.requests.remove(&id).expect("a request that ends was there");
        request.leave();
        match reason {
            FinishReason::Cancelled => self.stats.cancelled += 1,
            FinishReason::TimedOut => self.stats.timed_out += 1,
            FinishReason::Stop | FinishReason::Length => {
                self.stats.finished += 1;
                self.stopping.iter_mut().for_each(|stopping| stopping.report.finished += 1);
            }
        }
        self.one_less(id);
        request.finish(reason);
    }

    fn fail(&mut self, id: SeqId) {
        let mut request = self.requests.remove(&id).expect("a request that ends was there");
        request.leave();
        self.stats.failed += 1;
        self.stopping.iter_mut().for_each(|stopping| stopping.report.finished += 1);
        self.one_less(id);
        request.fail();
    }

    /// The figures change before the last event is sent, so that whoever has read it sees
    /// the request's blocks and its place in the queue free.
    fn one_less(&mut self, id: SeqId) {
        self.shared.forget(id);
        if let Some(speculation) = &mut self.speculation {
            speculation.forget(id);
        }
        self.pace.note_end(self.requests.is_empty(), Instant::now());
        self.publish();
    }

    fn note_fault(&mut self, error: &ExecutorError) {
        self.faults += 1;
        self.loss = error.is_lost().then(|| error.to_string());
        tracing::error!(%error, faults = self.faults, "a step failed");
        if error.is_fatal() || self.faults >= self.max_faults {
            self.shared.healthy.store(false, Ordering::Relaxed);
        }
    }

    /// Ends the requests whose own time is over.
    fn expire(&mut self) {
        let now = Instant::now();
        let over = |request: &Request| request.deadline().is_some_and(|deadline| deadline <= now);
        let over = self.requests.iter().filter(|(_, request)| over(request)).map(|(id, _)| *id);
        let mut over: Vec<SeqId> = over.collect();
        over.sort_unstable();
        for id in over {
            self.scheduler.cancel(id);
            self.finish(id, FinishReason::TimedOut);
        }
    }

    fn cut_at_the_deadline(&mut self) {
        let Some(stopping) = &mut self.stopping else { return };
        if stopping.deadline.is_none_or(|deadline| Instant::now() < deadline) {
            return;
        }
        stopping.report.cut += self.requests.len();
        let mut cut: Vec<SeqId> = self.requests.keys().copied().collect();
        cut.sort_unstable();
        for id in cut {
            self.scheduler.cancel(id);
            self.finish(id, FinishReason::Cancelled);
        }
    }

    fn publish(&self) {
        self.shared.publish(self.snapshot(), self.pace);
    }

    fn snapshot(&self) -> EngineStats {
        let pool = self.scheduler.pool();
        let choices = self.context.choices();
        EngineStats {
            digest_choices: choices.by_digest,
            row_choices: choices.by_row,
            queued: self.scheduler.n_waiting(),
            running: self.scheduler.running().len(),
            free_blocks: pool.free(),
            cached_blocks: pool.cached(),
            snapshots: pool.snapshots_held(),
            total_snapshots: pool.snapshots_total(),
            preempted: self.scheduler.preempted(),
            total_blocks: pool.total(),
            ..self.stats
        }
    }
}

/// Clients are told apart by the hash of their names: two that share one take turns as one.
fn client_id(request: &GenerateRequest) -> ClientId {
    let mut hasher = DefaultHasher::new();
    request.client.hash(&mut hasher);
    ClientId(hasher.finish())
}

fn request_of(requests: &mut HashMap<SeqId, Request>, id: SeqId) -> &mut Request {
    requests.get_mut(&id).expect("every sequence has its request")
}

fn moves(copies: &[StateCopy], kind: fn(&StateCopy) -> StateMove) -> Vec<StateMove> {
    copies.iter().map(kind).collect()
}

fn save(copy: &StateCopy) -> StateMove {
    StateMove::Save { slot: copy.slot, snapshot: copy.snapshot }
}

fn restore(copy: &StateCopy) -> StateMove {
    StateMove::Restore { snapshot: copy.snapshot, slot: copy.slot }
}

/// How many guesses an entry had, if any, and how many were right.
fn drafts_of(
    entry: &Entry,
    seq: &Sequence,
    outcome: &Outcome,
    forced: usize,
) -> Option<(usize, usize)> {
    let (Outcome::Tokens(tokens) | Outcome::Stop(tokens)) = outcome else { return None };
    let right = right_drafts(seq.drafts(), tokens, forced);
    (entry.drafts > 0).then_some((entry.drafts, right))
}
