//! Reasoning between two tags at the start of an answer.

use super::detect::ReasoningTags;
use super::events::Events;
use super::scanner::Scanner;

/// Takes the reasoning out of an answer and hands on the rest.
pub(super) struct ReasoningSplitter {
    tags: Option<ReasoningTags>,
    state: State,
    scanner: Scanner,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// An opening tag may come first.
    Start,
    Reasoning,
    Answer,
}

impl ReasoningSplitter {
    pub(super) fn new(tags: Option<ReasoningTags>, opened: bool) -> Self {
        let state = match tags {
            None => State::Answer,
            Some(_) if opened => State::Reasoning,
            Some(_) => State::Start,
        };
        Self { tags, state, scanner: Scanner::default() }
    }

    /// Adds a piece. Returns what belongs to the answer.
    pub(super) fn push(&mut self, text: &str, events: &mut Events) -> String {
        let Some(tags) = self.tags.filter(|_| self.state != State::Answer) else {
            return text.to_owned();
        };
        self.scanner.push(text);
        if self.state == State::Start {
            let space = self.scanner.skip_space();
            match self.scanner.eat(tags.open) {
                Some(true) => self.state = State::Reasoning,
                Some(false) => {
                    self.state = State::Answer;
                    return space + &self.scanner.rest();
                }
                None => {
                    self.scanner.put_back(&space);
                    return String::new();
                }
            }
        }
        let (thoughts, end) = self.scanner.until(&[tags.close]);
        events.reasoning(&thoughts);
        if end.is_none() {
            return String::new();
        }
        self.state = State::Answer;
        events.part_ends();
        self.scanner.rest()
    }

    pub(super) fn finish(&mut self, events: &mut Events) -> String {
        let rest = self.scanner.rest();
        if self.state == State::Reasoning {
            events.reasoning(&rest);
            return String::new();
        }
        rest
    }
}
