//! The models by name: loaded when a request needs one, and gone when others need its memory or
//! nobody needs it.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, oneshot};
use tyto_engine::{EngineStats, PooledKind, ShutdownReport};

use super::loan::Loan;
use super::room::{Occupant, Step, next_step};
use super::{Model, ModelRoom, ModelSource};
use crate::api_error::ApiError;
use crate::sampling::SamplingChoice;

/// Requests that wait for a model.
type Waiters = Vec<oneshot::Sender<Result<Loan, ApiError>>>;

/// All models of a server.
pub struct Shelf {
    places: Mutex<Vec<Place>>,
    room: ModelRoom,
    /// The server's own sampling values.
    flags: SamplingChoice,
    /// Woken by every change of a place.
    changed: Notify,
    /// One model is loaded at a time: two would only take longer, and each the other's memory.
    turn: tokio::sync::Mutex<()>,
    counts: Counts,
}

/// What has happened since the start.
#[derive(Debug, Default)]
struct Counts {
    uses: AtomicU64,
    loads: AtomicU64,
    failures: AtomicU64,
    departures: AtomicU64,
    waiting: AtomicUsize,
}

/// One model.
struct Place {
    name: String,
    kind: Option<PooledKind>,
    context_length: usize,
    memory_bytes: u64,
    /// `None` for a model that is always loaded.
    source: Option<Arc<ModelSource>>,
    state: State,
    users: usize,
    /// The number of its last use, and when that was.
    used: (u64, Instant),
    last_error: Option<String>,
}

enum State {
    Absent,
    Loading(Waiters),
    Loaded(Arc<Model>),
    /// It serves those who use it to their end and nobody else. The model is taken out when its
    /// engine is being stopped.
    Leaving(Option<Arc<Model>>, Waiters),
}

/// A model as people see it.
pub struct Standing {
    /// Its name.
    pub name: String,
    /// What it makes of a text; `None` for more text.
    pub kind: Option<PooledKind>,
    /// `unloaded`, `loading`, `loaded` or `unloading`.
    pub state: &'static str,
    /// Tokens that prompt and answer may have together.
    pub context_length: usize,
    /// The memory that it takes while it is loaded.
    pub memory_bytes: u64,
    /// Requests that use it.
    pub users: usize,
    /// Why it could not be loaded the last time.
    pub last_error: Option<String>,
    /// The model, if it is loaded.
    pub model: Option<Arc<Model>>,
}

impl Standing {
    /// Its engine's figures, if it is loaded.
    pub fn stats(&self) -> Option<EngineStats> {
        self.model.as_ref().map(|model| model.engine.stats())
    }
}

/// Figures of all models together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadFigures {
    /// Models loaded since the start.
    pub loads: u64,
    /// Loads that failed.
    pub failures: u64,
    /// Models that left.
    pub departures: u64,
    /// Requests that wait for a model now.
    pub waiting: usize,
}

impl Shelf {
    /// One model, which is always loaded.
    pub fn of_one(model: Model, memory_bytes: u64) -> Arc<Self> {
        let place = Place {
            name: model.name.clone(),
            kind: model.engine.card().pooled.as_ref().map(|pooled| pooled.kind),
            context_length: model.limits.context_length,
            memory_bytes,
            source: None,
            state: State::Loaded(Arc::new(model)),
            users: 0,
            used: (0, Instant::now()),
            last_error: None,
        };
        Self::new(vec![place], ModelRoom::default(), SamplingChoice::default())
    }

    /// Several models, none of them loaded.
    pub fn of_sources(
        sources: Vec<ModelSource>,
        room: ModelRoom,
        flags: SamplingChoice,
    ) -> Arc<Self> {
        let place = |source: ModelSource| Place {
            name: source.name.clone(),
            kind: source.kind,
            context_length: source.context_length,
            memory_bytes: source.memory_bytes,
            source: Some(Arc::new(source)),
            state: State::Absent,
            users: 0,
            used: (0, Instant::now()),
            last_error: None,
        };
        Self::new(sources.into_iter().map(place).collect(), room, flags)
    }

    fn new(places: Vec<Place>, room: ModelRoom, flags: SamplingChoice) -> Arc<Self> {
        Arc::new(Self {
            places: Mutex::new(places),
            room,
            flags,
            changed: Notify::new(),
            turn: tokio::sync::Mutex::new(()),
            counts: Counts::default(),
        })
    }

    /// The model that a request names, loaded if need be; without a name, the only one.
    pub async fn borrow(self: &Arc<Self>, named: Option<&str>) -> Result<Loan, ApiError> {
        let arrival = {
            let mut places = self.lock();
            let index = find(&places, named)?;
            self.arrive(&mut places, index)
        };
        let waiter = match arrival {
            Arrival::Ready(model, index) => return Ok(Loan::new(model, self.clone(), index)),
            Arrival::Wait(waiter) => waiter,
        };
        let _waiting = Waiting::new(&self.counts.waiting);
        waiter.await.unwrap_or_else(|_| Err(ApiError::unavailable("the server is stopping")))
    }

    /// Checks that the model that a request names makes this of a text, without loading it.
    pub fn check_kind(
        &self,
        named: Option<&str>,
        wanted: Option<PooledKind>,
    ) -> Result<(), ApiError> {
        let places = self.lock();
        let Place { name, kind, .. } = &places[find(&places, named)?];
        if *kind == wanted {
            return Ok(());
        }
        let does = kind.map_or("writes text", tyto_engine::purpose);
        let path = match kind {
            Some(PooledKind::Embedding) => "/v1/embeddings",
            Some(PooledKind::Rerank) => "/v1/rerank",
            None => "/v1/chat/completions or /v1/completions",
        };
        Err(ApiError::wrong_kind(name, does, path))
    }

    /// Checks a name without loading anything.
    pub fn check(&self, named: &str) -> Result<(), ApiError> {
        find(&self.lock(), Some(named)).map(|_| ())
    }

    /// Whether the models that are always loaded work. Others are loaded again.
    pub fn is_healthy(&self) -> bool {
        self.lock().iter().all(|place| match (&place.source, &place.state) {
            (None, State::Loaded(model)) => model.engine.healthy(),
            _ => true,
        })
    }

    /// All models in their order.
    pub fn standings(&self) -> Vec<Standing> {
        let standing = |place: &Place| Standing {
            name: place.name.clone(),
            kind: place.kind,
            state: match place.state {
                State::Absent => "unloaded",
                State::Loading(_) => "loading",
                State::Loaded(_) => "loaded",
                State::Leaving(..) => "unloading",
            },
            context_length: place.context_length,
            memory_bytes: place.memory_bytes,
            users: place.users,
            last_error: place.last_error.clone(),
            model: match &place.state {
                State::Loaded(model) => Some(model.clone()),
                _ => None,
            },
        };
        self.lock().iter().map(standing).collect()
    }

    /// Figures for `/metrics`.
    pub fn figures(&self) -> LoadFigures {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        LoadFigures {
            loads: count(&self.counts.loads),
            failures: count(&self.counts.failures),
            departures: count(&self.counts.departures),
            waiting: self.counts.waiting.load(Ordering::Relaxed),
        }
    }

    /// Lets models leave: those that were told to, when their last user is gone, and those that
    /// nobody uses. Runs until it is dropped.
    pub async fn keep(self: Arc<Self>) {
        loop {
            let changed = self.changed.notified();
            let mut changed = std::pin::pin!(changed);
            changed.as_mut().enable();
            let next = self.dismiss_idle();
            for (index, model) in self.departures() {
                let shelf = self.clone();
                tokio::spawn(async move { shelf.stop(index, model).await });
            }
            match next {
                Some(next) => drop(tokio::time::timeout(next, changed).await),
                None => changed.await,
            }
        }
    }

    /// Stops every engine that runs, each with so much time for its requests. Those that wait for a
    /// model are refused.
    pub async fn shut_down(&self, grace: Duration) -> ShutdownReport {
        let models: Vec<Arc<Model>> = {
            let mut places = self.lock();
            for place in places.iter_mut() {
                // Whoever waits for a model is told: it may take longer than the process has.
                if let State::Loading(waiters) | State::Leaving(_, waiters) = &mut place.state {
                    waiters.clear();
                }
            }
            let running = places.iter().filter_map(|place| match &place.state {
                State::Loaded(model) | State::Leaving(Some(model), _) => Some(model.clone()),
                _ => None,
            });
            running.collect()
        };
        // It waits on the engine's thread, so it may not run on one of ours.
        let stop =
            |model: Arc<Model>| tokio::task::spawn_blocking(move || model.engine.shutdown(grace));
        let stopping: Vec<_> = models.into_iter().map(stop).collect();
        let mut all = ShutdownReport::default();
        for stopping in stopping {
            let report = stopping.await.expect("stopping an engine does not panic");
            all.finished += report.finished;
            all.cut += report.cut;
        }
        all
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Place>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request for the model at `index`.
    fn arrive(self: &Arc<Self>, places: &mut [Place], index: usize) -> Arrival {
        let place = &mut places[index];
        if let State::Loaded(model) = &place.state {
            // An engine that has failed for good is replaced, where it can be.
            if model.engine.healthy() || place.source.is_none() {
                place.users += 1;
                place.used = (self.counts.uses.fetch_add(1, Ordering::Relaxed), Instant::now());
                return Arrival::Ready(model.clone(), index);
            }
            place.state = State::Leaving(Some(model.clone()), Vec::new());
            self.changed.notify_waiters();
        }
        let (waiter, result) = oneshot::channel();
        match &mut place.state {
            State::Loading(waiters) | State::Leaving(_, waiters) => waiters.push(waiter),
            state => {
                *state = State::Loading(vec![waiter]);
                self.start_load(index);
            }
        }
        Arrival::Wait(result)
    }

    fn start_load(self: &Arc<Self>, index: usize) {
        let shelf = self.clone();
        tokio::spawn(async move { shelf.load(index).await });
    }

    async fn load(self: &Arc<Self>, index: usize) {
        let _turn = self.turn.lock().await;
        let source = self.lock()[index].source.clone().expect("who is loaded has a source");
        let loaded = match self.make_room(index, source.memory_bytes).await {
            true => load_on_a_thread(source.clone()).await,
            false => Err("it needs more memory than loaded models may take".to_owned()),
        };
        match loaded {
            Ok(loaded) => {
                let model = Arc::new(Model::new(source.name.clone(), loaded, self.flags));
                tracing::info!(model = source.name, "loaded");
                self.welcome(index, model);
            }
            Err(reason) => {
                tracing::error!(model = source.name, reason, "a model could not be loaded");
                self.give_up(index, reason);
            }
        }
        self.changed.notify_waiters();
    }

    /// Waits until there is memory for a model. False if there never will be.
    async fn make_room(&self, index: usize, needed: u64) -> bool {
        loop {
            let changed = self.changed.notified();
            let mut changed = std::pin::pin!(changed);
            changed.as_mut().enable();
            let step = {
                let mut places = self.lock();
                let step = next_step(&occupants(&places, index), needed, self.room.bytes);
                if let Step::Dismiss(place) = step {
                    dismiss(&mut places[place]);
                }
                step
            };
            match step {
                Step::Load => return true,
                Step::Never => return false,
                Step::Dismiss(_) => self.changed.notify_waiters(),
                Step::Wait => changed.await,
            }
        }
    }

    /// Gives a model that was just loaded to everyone who waited for it.
    fn welcome(self: &Arc<Self>, index: usize, model: Arc<Model>) {
        self.counts.loads.fetch_add(1, Ordering::Relaxed);
        let waiters = {
            let mut places = self.lock();
            let place = &mut places[index];
            let was = std::mem::replace(&mut place.state, State::Loaded(model.clone()));
            let waiters = waiters_of(was);
            place.users = waiters.len();
            place.used = (self.counts.uses.fetch_add(1, Ordering::Relaxed), Instant::now());
            place.last_error = None;
            waiters
        };
        for waiter in waiters {
            // A waiter that is gone gives its loan back here.
            drop(waiter.send(Ok(Loan::new(model.clone(), self.clone(), index))));
        }
    }

    /// Tells everyone who waited for a model why it is not coming. The next request tries again.
    fn give_up(&self, index: usize, reason: String) {
        self.counts.failures.fetch_add(1, Ordering::Relaxed);
        let (waiters, error) = {
            let mut places = self.lock();
            let place = &mut places[index];
            let was = std::mem::replace(&mut place.state, State::Absent);
            let error = ApiError::not_loaded(&place.name, &reason);
            place.last_error = Some(reason);
            (waiters_of(was), error)
        };
        for waiter in waiters {
            let _ = waiter.send(Err(error.clone()));
        }
    }

    /// A loan that has ended.
    pub(super) fn give_back(&self, index: usize) {
        {
            let mut places = self.lock();
            let place = &mut places[index];
            place.users -= 1;
            place.used = (self.counts.uses.fetch_add(1, Ordering::Relaxed), Instant::now());
        }
        self.changed.notify_waiters();
    }

    /// Tells models to leave that nobody used for long enough; gives the time to the next one.
    fn dismiss_idle(&self) -> Option<Duration> {
        let idle = self.room.idle?;
        let mut next = None;
        for place in self.lock().iter_mut().filter(|place| place.may_leave() && place.users == 0) {
            match idle.checked_sub(place.used.1.elapsed()).filter(|rest| !rest.is_zero()) {
                None => dismiss(place),
                Some(rest) => next = Some(next.map_or(rest, |next: Duration| next.min(rest))),
            }
        }
        next
    }

    /// Takes out the models that have been told to leave and have no users.
    fn departures(&self) -> Vec<(usize, Arc<Model>)> {
        let mut places = self.lock();
        let take = |(index, place): (usize, &mut Place)| match &mut place.state {
            State::Leaving(model, _) if place.users == 0 => Some((index, model.take()?)),
            _ => None,
        };
        places.iter_mut().enumerate().filter_map(take).collect()
    }

    /// Stops a model's engine; loads it again if somebody has come for it meanwhile.
    async fn stop(self: &Arc<Self>, index: usize, model: Arc<Model>) {
        let name = model.name.clone();
        // Nobody uses it, so there is nothing to be cut and to be told.
        let stop = move || {
            model.engine.shutdown(Duration::ZERO);
        };
        let stopped = tokio::task::spawn_blocking(stop);
        if let Err(error) = stopped.await {
            tracing::error!(%error, "stopping an engine failed");
        }
        tracing::info!(model = name, "unloaded");
        self.counts.departures.fetch_add(1, Ordering::Relaxed);
        {
            let mut places = self.lock();
            let place = &mut places[index];
            let waiters = waiters_of(std::mem::replace(&mut place.state, State::Absent));
            if !waiters.is_empty() {
                place.state = State::Loading(waiters);
                self.start_load(index);
            }
        }
        self.changed.notify_waiters();
    }
}

enum Arrival {
    Ready(Arc<Model>, usize),
    Wait(oneshot::Receiver<Result<Loan, ApiError>>),
}

impl Place {
    fn may_leave(&self) -> bool {
        self.source.is_some() && matches!(self.state, State::Loaded(_))
    }
}

/// A request that waits, counted for as long as it does.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn find(places: &[Place], named: Option<&str>) -> Result<usize, ApiError> {
    let names = || places.iter().map(|place| place.name.as_str()).collect::<Vec<_>>();
    match named {
        Some(name) => places
            .iter()
            .position(|place| place.name == name)
            .ok_or_else(|| ApiError::unknown_model(name, &names())),
        None if places.len() == 1 => Ok(0),
        None => Err(ApiError::no_model_named(&names())),
    }
}

fn dismiss(place: &mut Place) {
    if let State::Loaded(model) = &place.state {
        place.state = State::Leaving(Some(model.clone()), Vec::new());
    }
}

fn waiters_of(state: State) -> Waiters {
    match state {
        State::Loading(waiters) | State::Leaving(_, waiters) => waiters,
        State::Absent | State::Loaded(_) => Vec::new(),
    }
}

/// Everyone who takes memory, but for the model at `index`.
fn occupants(places: &[Place], index: usize) -> Vec<(usize, Occupant)> {
    let others = places.iter().enumerate().filter(|(place, _)| *place != index);
    let there =
        others.filter(|(_, place)| matches!(place.state, State::Loaded(_) | State::Leaving(..)));
    let occupant = |(index, place): (usize, &Place)| {
        let occupant = Occupant {
            bytes: place.memory_bytes,
            may_leave: place.may_leave(),
            is_leaving: matches!(place.state, State::Leaving(..)),
            users: place.users,
            used: place.used.0,
        };
        (index, occupant)
    };
    there.map(occupant).collect()
}

async fn load_on_a_thread(source: Arc<ModelSource>) -> Result<super::LoadedModel, String> {
    let loading = tokio::task::spawn_blocking(move || (source.load)());
    loading
        .await
        .unwrap_or_else(|_| Err("loading it failed; the server's log says where".to_owned()))
}
