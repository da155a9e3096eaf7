//! The vectors of a request's texts, of which the engine's queue holds a share at a time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use tyto_engine::{EmbedRequest, Engine, Event, Generation, Place, SubmitError};

use crate::api_error::ApiError;
use crate::collect::{check_end, engine_went_away};
use crate::prompt::submit_error;
use crate::traces::{Trace, Watched};

/// The most texts of one request that the engine has at the same time, however long its queue is.
const MOST_AT_ONCE: usize = 256;

/// Whose request it is, and how much time it has.
pub(crate) struct Origin {
    pub(crate) client: Option<String>,
    pub(crate) arrived: Instant,
    pub(crate) timeout: Option<Duration>,
    pub(crate) trace: Option<Trace>,
}

impl Origin {
    /// What is left of the time for the answer.
    pub(crate) fn remaining(&self) -> Option<Duration> {
        self.timeout.map(|timeout| timeout.saturating_sub(self.arrived.elapsed()))
    }
}

/// What the engine made of texts, in their order.
pub(crate) struct Vectors {
    pub(crate) values: Vec<Vec<f32>>,
    pub(crate) tokens: usize,
}

/// The vectors of texts, however many they are beside the queue's length. It is full (429) only for a
/// request that comes: one that was let in keeps a place until its last text has ended.
pub(crate) async fn vectors(
    engine: &Engine,
    param: &str,
    texts: Vec<Vec<u32>>,
    origin: &Origin,
) -> Result<Vectors, ApiError> {
    let mut all = Vectors { values: Vec::with_capacity(texts.len()), tokens: 0 };
    let place = engine.place().map_err(|error| submit_error(param, error))?;
    let mut line =
        Line { engine, origin, place, waiting: &texts, running: VecDeque::new(), share: 1 };
    loop {
        line.advance().map_err(|error| submit_error(param, error))?;
        // The oldest, since vectors are given in the order of their texts.
        let Some(generation) = line.running.pop_front() else {
            return Ok(all);
        };
        let (values, tokens) = vector(generation).await?;
        all.values.push(values);
        all.tokens += tokens as usize;
    }
}

/// The texts of one request on their way through the engine.
struct Line<'a> {
    engine: &'a Engine,
    origin: &'a Origin,
    /// What lets its next text in, when none of its own is under way.
    place: Place,
    waiting: &'a [Vec<u32>],
    running: VecDeque<Watched>,
    /// How many may run or be queued at the same time.
    share: usize,
}

impl Line<'_> {
    /// Gives the engine what the share allows and the queue has room for.
    fn advance(&mut self) -> Result<(), SubmitError> {
        if self.running.is_empty() {
            self.submit_at_place()?;
        }
        let (own, room) = (self.running.len(), self.engine.room());
        // Half of what others leave, so that whoever comes next finds room too. It does not shrink:
        // later requests would crowd out one that was let in.
        self.share = self.share.max((own + room) / 2).min(MOST_AT_ONCE);
        let count = self.share.saturating_sub(own).min(room).min(self.waiting.len());
        match self.submit(count) {
            // Others were faster. The end of a text under way makes room.
            Err(SubmitError::QueueFull { .. }) => Ok(()),
            submitted => submitted,
        }
    }

    /// Gives the engine the next text at the request's own place.
    fn submit_at_place(&mut self) -> Result<(), SubmitError> {
        let Some((next, later)) = self.waiting.split_first() else { return Ok(()) };
        let submitted = Instant::now();
        let generation = self.engine.embed_at(&self.place, self.request(next))?;
        self.watch(vec![generation], submitted);
        self.waiting = later;
        Ok(())
    }

    /// Gives the engine the next `count` texts, all or none.
    fn submit(&mut self, count: usize) -> Result<(), SubmitError> {
        if count == 0 {
            return Ok(());
        }
        let (next, later) = self.waiting.split_at(count);
        let submitted = Instant::now();
        let requests = next.iter().map(|text| self.request(text)).collect();
        let generations = self.engine.embed_all(requests)?;
        self.watch(generations, submitted);
        self.waiting = later;
        Ok(())
    }

    fn request(&self, text: &[u32]) -> EmbedRequest {
        EmbedRequest {
            text: text.to_vec(),
            client: self.origin.client.clone(),
            timeout: self.origin.remaining(),
        }
    }

    fn watch(&mut self, generations: Vec<Generation>, submitted: Instant) {
        let times = (self.origin.arrived, submitted);
        self.running.extend(Watched::all(generations, self.origin.trace.as_ref(), times, 1));
    }
}

/// Waits for a text's vector; gives its tokens too.
async fn vector(mut generation: Watched) -> Result<(Vec<f32>, u32), ApiError> {
    let mut found = None;
    loop {
        match generation.next().await {
            Some(Event::Vector { values, tokens, .. }) => found = Some((values, tokens)),
            Some(Event::Finished { reason, .. }) => {
                check_end(reason)?;
                return Ok(found.expect("a text that is complete has its vector"));
            }
            Some(Event::Failed { message, is_own_fault }) => {
                return Err(ApiError::of_engine(message, is_own_fault));
            }
            Some(Event::Tokens { .. }) => unreachable!("nothing is written after these texts"),
            None => return Err(engine_went_away()),
        }
    }
}
