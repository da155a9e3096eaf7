//! `<tool_call>{"name": …, "arguments": …}</tool_call>`: Hermes 2 and 3, Qwen 2.5 and 3.

use super::events::Events;
use super::json_call::{JsonCall, Step};
use super::scanner::Scanner;

const OPEN: &str = "<tool_call>";
const CLOSE: &str = "</tool_call>";

/// Reads text with calls in it.
#[derive(Default)]
pub(super) struct Hermes {
    scanner: Scanner,
    state: State,
}

#[derive(Default)]
enum State {
    #[default]
    Text,
    Call(JsonCall),
    /// After a call's object.
    Called,
}

impl Hermes {
    pub(super) fn push(&mut self, text: &str, events: &mut Events) {
        self.scanner.push(text);
        while !self.scanner.is_empty() && self.step(events) {}
    }

    /// Whether there may be more to do.
    fn step(&mut self, events: &mut Events) -> bool {
        match &mut self.state {
            State::Text => {
                let (text, found) = self.scanner.until(&[OPEN]);
                events.content(&text);
                if found.is_some() {
                    self.state = State::Call(JsonCall::default());
                }
                found.is_some()
            }
            State::Call(call) => {
                let Some(c) = self.scanner.next() else { return false };
                match call.push(c, |_| true, events) {
                    Step::More => {}
                    Step::Done => self.state = State::Called,
                    Step::Failed => self.fail(events),
                }
                true
            }
            State::Called => {
                self.scanner.skip_space();
                if self.scanner.peek() == Some('{') {
                    self.state = State::Call(JsonCall::default());
                    return true;
                }
                let closed = self.scanner.eat(CLOSE);
                if closed.is_some() {
                    self.state = State::Text;
                }
                closed.is_some()
            }
        }
    }

    /// What is no call is text; what began as one is skipped up to its end.
    fn fail(&mut self, events: &mut Events) {
        let State::Call(call) = std::mem::take(&mut self.state) else { return };
        if events.in_call() {
            events.call_end();
            self.state = State::Called;
        } else {
            events.content(OPEN);
            events.content(&call.raw());
        }
    }

    pub(super) fn finish(&mut self, events: &mut Events) {
        match std::mem::take(&mut self.state) {
            State::Text => events.content(&self.scanner.rest()),
            State::Call(call) if !events.in_call() => {
                events.content(OPEN);
                events.content(&call.raw());
            }
            State::Call(_) | State::Called => {}
        }
    }
}
