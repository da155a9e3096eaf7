//! How often a place in the queue becomes free, so that a refused client knows when to come again.

use std::time::Instant;

/// Times between the ends of requests, while there were any.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pace {
    /// Since when the next end is waited for; `None` while there are no requests.
    since: Option<Instant>,
    /// Seconds from one end to the next, the latest counting most.
    mean: Option<f64>,
}

/// The share of the latest time in the mean.
const LATEST: f64 = 0.2;

/// The longest wait that is told; beyond it nobody knows.
const LONGEST_SECONDS: f64 = 600.0;

impl Pace {
    /// A request has come.
    pub(crate) fn note_begin(&mut self, now: Instant) {
        self.since.get_or_insert(now);
    }

    /// A request has ended; `was_last` if no other is there.
    pub(crate) fn note_end(&mut self, was_last: bool, now: Instant) {
        if let Some(since) = self.since {
            let latest = now.saturating_duration_since(since).as_secs_f64();
            self.mean = Some(self.mean.map_or(latest, |mean| mean + LATEST * (latest - mean)));
        }
        self.since = (!was_last).then_some(now);
    }

    /// Whole seconds until `places` more requests should have ended, at least 1. Where none has
    /// ended yet, the next is thought to take as long again as it has taken.
    pub(crate) fn wait_for(&self, places: usize, now: Instant) -> u32 {
        let elapsed =
            self.since.map_or(0.0, |since| now.saturating_duration_since(since).as_secs_f64());
        let each = self.mean.unwrap_or(elapsed);
        // An end that is late already makes the rest of the estimate no shorter.
        let first = if elapsed >= each { each } else { each - elapsed };
        let wait = first + each * places.saturating_sub(1) as f64;
        wait.ceil().clamp(1.0, LONGEST_SECONDS) as u32
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_wait_follows_the_ends() {
        let start = Instant::now();
        let at = |seconds: f64| start + Duration::from_secs_f64(seconds);
        let mut pace = Pace::default();
        assert_eq!(pace.wait_for(1, start), 1);
        pace.note_begin(start);
        pace.note_begin(at(1.0));
        assert_eq!(pace.wait_for(1, at(7.0)), 7, "none has ended: as long again");
        pace.note_end(false, at(10.0));
        assert_eq!(pace.wait_for(1, at(10.0)), 10);
        assert_eq!(pace.wait_for(1, at(14.0)), 6);
        assert_eq!(pace.wait_for(3, at(14.0)), 26);
        assert_eq!(pace.wait_for(1, at(25.0)), 10, "late");
        assert_eq!(pace.wait_for(usize::MAX, at(14.0)), 600);
        pace.note_end(true, at(15.0));
        // 10 + 0.2 * (5 - 10), and nothing that is idle counts.
        pace.note_begin(at(100.0));
        assert_eq!(pace.wait_for(2, at(100.0)), 18);
    }
}
