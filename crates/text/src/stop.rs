//! Stop strings, found in text that arrives in pieces.

/// Looks for stop strings in a stream of text and holds back what may become one.
///
/// The first stop string to be complete, character by character, ends the text;
/// of several complete at the same character the one that starts first (the
/// longest) counts. How the text was split into pieces makes no difference.
/// Text from a match on never comes out. Empty stop strings never match.
#[derive(Debug, Clone)]
pub struct StopMatcher {
    stops: Vec<String>,
    /// Text not given out yet: a proper prefix of some stop string.
    held: String,
    stopped: Option<usize>,
}

/// What a push made certain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matched {
    /// Text that can be given out: it is no part of a stop string.
    pub text: String,
    /// The stop string that ended the text, as an index into the list given.
    pub stop: Option<usize>,
}

impl StopMatcher {
    /// A matcher for these strings; none of them is fine.
    pub fn new(stops: Vec<String>) -> Self {
        Self { stops, held: String::new(), stopped: None }
    }

    /// Adds text. After a match every later push returns no text and the same stop.
    pub fn push(&mut self, text: &str) -> Matched {
        if self.stopped.is_some() {
            return Matched { text: String::new(), stop: self.stopped };
        }
        let seen = self.held.len();
        self.held.push_str(text);
        if let Some((stop, start)) = self.first_match(seen) {
            self.held.truncate(start);
            self.stopped = Some(stop);
            return Matched { text: std::mem::take(&mut self.held), stop: self.stopped };
        }
        let keep_from = self.held_start();
        let held = self.held.split_off(keep_from);
        Matched { text: std::mem::replace(&mut self.held, held), stop: None }
    }

    /// Ends the text and returns what was held back as the possible start of a
    /// stop string; nothing after a match.
    pub fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }

    /// The stop string and start of the match that ends first after `seen` bytes.
    fn first_match(&self, seen: usize) -> Option<(usize, usize)> {
        let ends = self.held[seen..].char_indices().map(|(at, c)| seen + at + c.len_utf8());
        ends.filter_map(|end| self.match_ending_at(end)).next()
    }

    fn match_ending_at(&self, end: usize) -> Option<(usize, usize)> {
        let text = &self.held[..end];
        let matching = |(index, stop): (usize, &String)| {
            (!stop.is_empty() && text.ends_with(stop.as_str())).then(|| (index, end - stop.len()))
        };
        self.stops.iter().enumerate().filter_map(matching).min_by_key(|(_, start)| *start)
    }

    /// Where the longest suffix that begins a stop string starts.
    fn held_start(&self) -> usize {
        let longest = self.stops.iter().map(String::len).max().unwrap_or(0);
        let earliest = self.held.len().saturating_sub(longest.saturating_sub(1));
        let begins_a_stop =
            |at: usize| self.stops.iter().any(|stop| stop.starts_with(&self.held[at..]));
        (earliest..self.held.len())
            .find(|at| self.held.is_char_boundary(*at) && begins_a_stop(*at))
            .unwrap_or(self.held.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run(stops: &[&str], pieces: &[&str]) -> (String, Option<usize>) {
        let mut matcher = StopMatcher::new(stops.iter().map(|stop| (*stop).to_owned()).collect());
        let mut text = String::new();
        let mut stop = None;
        for piece in pieces {
            let matched = matcher.push(piece);
            text.push_str(&matched.text);
            stop = matched.stop;
        }
        text.push_str(&matcher.finish());
        (text, stop)
    }

    /// The slow twin: looks at the whole text, end by end.
    fn naive(stops: &[String], text: &str) -> (String, Option<usize>) {
        for (at, c) in text.char_indices() {
            let end = at + c.len_utf8();
            let mut best: Option<(usize, usize)> = None;
            for (index, stop) in stops.iter().enumerate() {
                if !stop.is_empty() && text[..end].ends_with(stop.as_str()) {
                    let start = end - stop.len();
                    if best.is_none_or(|(_, earlier)| start < earlier) {
                        best = Some((index, start));
                    }
                }
            }
            if let Some((index, start)) = best {
                return (text[..start].to_owned(), Some(index));
            }
        }
        (text.to_owned(), None)
    }

    /// B23: a stop of six characters in every split over one to four tokens.
    #[test]
    fn b23_every_split_of_a_stop_is_found() {
        let text = "The quick brown fox";
        let start = text.find("own fo").expect("the stop is in the text");
        let cuts: Vec<usize> = (start..=start + 6).collect();
        for &first in &cuts {
            for &second in cuts.iter().filter(|cut| **cut >= first) {
                for &third in cuts.iter().filter(|cut| **cut >= second) {
                    let pieces = [
                        &text[..first],
                        &text[first..second],
                        &text[second..third],
                        &text[third..],
                    ];
                    assert_eq!(
                        run(&["own fo"], &pieces),
                        ("The quick br".to_owned(), Some(0)),
                        "{pieces:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn b23_two_stops_of_different_lengths() {
        assert_eq!(run(&["abcdef", "xyz!"], &["1ab", "cde", "f2xyz!"]), ("1".to_owned(), Some(0)));
        assert_eq!(run(&["abcdef", "xyz!"], &["1abxy", "z!abcdef"]), ("1ab".to_owned(), Some(1)));
        assert_eq!(run(&["abcdef", "cd"], &["1abc", "def"]), ("1ab".to_owned(), Some(1)));
        assert_eq!(run(&["cd", "abcd"], &["1abc", "d"]), ("1".to_owned(), Some(1)));
    }

    #[test]
    fn b24_held_text_comes_out_at_the_end() {
        assert_eq!(run(&["?x"], &["Who are you", "?"]), ("Who are you?".to_owned(), None));
        let mut matcher = StopMatcher::new(vec!["?x".to_owned()]);
        assert_eq!(matcher.push("you?"), Matched { text: "you".to_owned(), stop: None });
        assert_eq!(matcher.finish(), "?");
    }

    #[test]
    fn b25_nothing_comes_after_a_match() {
        let pieces = ["one, two,", " three, four, five,", " six, ", "seven"];
        assert_eq!(run(&["five"], &pieces), ("one, two, three, four, ".to_owned(), Some(0)));
    }

    #[test]
    fn characters_of_several_bytes_are_never_cut() {
        assert_eq!(run(&["щё"], &["при", "щ", "ё!"]), ("при".to_owned(), Some(0)));
        assert_eq!(run(&["щё"], &["прищ", "е"]), ("прище".to_owned(), None));
        // The two share their first byte, which is no reason to hold or to cut.
        assert_eq!(run(&["é"], &["è", "é"]), ("è".to_owned(), Some(0)));
    }

    #[test]
    fn without_stops_text_passes_at_once() {
        let mut matcher = StopMatcher::new(vec![String::new()]);
        assert_eq!(matcher.push("abc"), Matched { text: "abc".to_owned(), stop: None });
        assert_eq!(StopMatcher::new(Vec::new()).push("x").text, "x");
    }

    proptest! {
        #[test]
        fn any_split_gives_what_the_whole_text_gives(
            stops in prop::collection::vec("[abé]{1,4}", 0..4),
            pieces in prop::collection::vec("[abéc]{0,3}", 0..12),
        ) {
            let borrowed: Vec<&str> = stops.iter().map(String::as_str).collect();
            let parts: Vec<&str> = pieces.iter().map(String::as_str).collect();
            prop_assert_eq!(run(&borrowed, &parts), naive(&stops, &pieces.concat()));
        }

        #[test]
        fn held_text_could_still_become_a_stop(
            stops in prop::collection::vec("[ab]{1,4}", 1..4),
            pieces in prop::collection::vec("[abc]{0,3}", 0..12),
        ) {
            let mut matcher = StopMatcher::new(stops.clone());
            for piece in &pieces {
                matcher.push(piece);
                let held = matcher.held.as_str();
                prop_assert!(held.is_empty() || stops.iter().any(|stop| stop.starts_with(held) && stop != held));
            }
        }
    }
}
