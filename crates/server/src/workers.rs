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

/// Places for such work. A place is taken until its work is over, whether or not anybody still
/// waits for it, so work that goes on for long takes one core and not all of them.
#[derive(Debug, Clone)]
pub struct Workers {
    texts: Arc<Semaphore>,
    grammars: Arc<Semaphore>,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Texts and templates.
    Text,
    /// The same and a grammar.
    Grammar,
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
        Self { texts: places(texts), grammars: places(grammars) }
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
        };
        let longest = if kind == Work::Grammar { LONGEST } else { FOREVER };
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
}
