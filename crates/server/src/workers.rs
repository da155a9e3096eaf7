//! Rendering, encoding and compiling: work that takes as long as a prompt wants, beside the threads
//! that serve, and only so much of it at once.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use crate::api_error::ApiError;

/// The longest time for preparing a request with a grammar. What such work costs is bounded
/// elsewhere; this is for machines that have more to do.
const LONGEST: Duration = Duration::from_secs(20);
/// The most that waits for `timeout`: a day, as the field itself.
const FOREVER: Duration = Duration::from_secs(86_400);

/// Bytes of a request's body from which on it is long. A tokenizer needs some hundred bytes of memory
/// for each of the text.
const LONG: usize = 1 << 20;

/// Places for such work. A place is taken until its work is over, whether or not anybody still
/// waits for it, so work that goes on for long takes one core and not all of them. What is long has
/// one place besides, so that the memory of many is not needed at once.
#[derive(Debug, Clone)]
pub struct Workers {
    texts: Arc<Semaphore>,
    grammars: Arc<Semaphore>,
    long: Arc<Semaphore>,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Texts and templates.
    Text,
    /// The same and a grammar.
    Grammar,
    /// Texts and templates of a long request.
    LongText,
    /// The same and a grammar.
    LongGrammar,
}

impl Work {
    /// That of a request whose body has so many bytes.
    pub fn of(has_grammar: bool, bytes: usize) -> Self {
        match (has_grammar, bytes >= LONG) {
            (false, false) => Self::Text,
            (true, false) => Self::Grammar,
            (false, true) => Self::LongText,
            (true, true) => Self::LongGrammar,
        }
    }

    fn has_grammar(self) -> bool {
        matches!(self, Self::Grammar | Self::LongGrammar)
    }
}

impl Default for Workers {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::new(cores, cores.div_ceil(2))
    }
}

impl Workers {
    /// With so many places for either kind.
    pub fn new(texts: usize, grammars: usize) -> Self {
        let places = |count| Arc::new(Semaphore::new(count));
        Self { texts: places(texts), grammars: places(grammars), long: places(1) }
    }

    /// Does `work` when there is a place. `within` is what is left of the request's own time.
    pub async fn run<T: Send + 'static>(
        &self,
        kind: Work,
        within: Option<Duration>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let places = match kind {
            Work::Text => &self.texts,
            Work::Grammar => &self.grammars,
            Work::LongText | Work::LongGrammar => &self.long,
        };
        let longest = if kind.has_grammar() { LONGEST } else { FOREVER };
        let own = within.unwrap_or(FOREVER);
        let end = Instant::now() + own.min(longest);
        if own.is_zero() {
            return Err(ApiError::timed_out());
        }
        let late = |error: ApiError| if own <= longest { ApiError::timed_out() } else { error };
        let place = timeout_at(end, places.clone().acquire_owned())
            .await
            .map_err(|_| late(ApiError::compilers_busy()))?
            .expect("the places are never closed");
        let working = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(place);
            done
        });
        timeout_at(end, working).await.map_err(|_| late(ApiError::grammar_too_slow()))?.map_err(
            |_| ApiError::internal("preparing the prompt failed; the server's log says why"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[tokio::test]
    async fn work_that_nobody_waits_for_keeps_its_place_and_no_other() {
        let workers = Workers::new(1, 1);
        let (go, wait) = mpsc::channel::<()>();
        let stuck = move || wait.recv().is_ok();
        let late = workers.run(Work::Grammar, Some(Duration::ZERO), || ()).await;
        assert_eq!(late.expect_err("no time").status().as_u16(), 504);
        let first = workers.clone();
        let first = tokio::spawn(async move { first.run(Work::Grammar, None, stuck).await });
        while workers.grammars.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        first.abort();
        let late = workers.run(Work::Grammar, Some(Duration::from_millis(1)), || ()).await;
        assert_eq!(late.expect_err("no place").status().as_u16(), 504);
        assert_eq!(workers.run(Work::Text, None, || 7).await, Ok(7));
        go.send(()).expect("it waits");
        assert_eq!(workers.run(Work::Grammar, None, || 8).await, Ok(8));
    }

    #[tokio::test]
    async fn long_requests_have_one_place_of_their_own() {
        let workers = Workers::new(8, 8);
        let (go, wait) = mpsc::channel::<()>();
        let stuck = move || wait.recv().is_ok();
        let first = workers.clone();
        let first =
            tokio::spawn(async move { first.run(Work::of(false, LONG), None, stuck).await });
        while workers.long.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        for has_grammar in [false, true] {
            let soon = Some(Duration::from_millis(1));
            let late = workers.run(Work::of(has_grammar, LONG), soon, || ()).await;
            assert_eq!(late.expect_err("no place").status().as_u16(), 504);
            assert_eq!(workers.run(Work::of(has_grammar, LONG - 1), None, || 7).await, Ok(7));
        }
        go.send(()).expect("it waits");
        assert_eq!(first.await.expect("no panic"), Ok(true));
    }
}
