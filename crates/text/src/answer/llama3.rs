//! An answer that is nothing but `{"name": …, "parameters": …}`, several divided by `;`: Llama 3.

use std::sync::Arc;

use super::argument_types::ToolSchemas;
use super::events::Events;
use super::json_call::{JsonCall, Step};
use super::scanner::Scanner;

const TAG: &str = "<|python_tag|>";

/// Reads an answer. Only an object that names a known tool is a call: a model that was asked for
/// JSON answers with an object too.
pub(super) struct Llama3 {
    scanner: Scanner,
    state: State,
    tools: Arc<ToolSchemas>,
}

enum State {
    /// Before the first call; the white space that came so far.
    Start(String),
    Call(JsonCall, String),
    /// Between calls.
    Called,
    Text,
}

impl Llama3 {
    pub(super) fn new(tools: Arc<ToolSchemas>) -> Self {
        Self { scanner: Scanner::default(), state: State::Start(String::new()), tools }
    }

    pub(super) fn push(&mut self, text: &str, events: &mut Events) {
        self.scanner.push(text);
        while !self.scanner.is_empty() && self.step(events) {}
    }

    fn step(&mut self, events: &mut Events) -> bool {
        match &mut self.state {
            State::Start(before) => {
                before.push_str(&self.scanner.skip_space());
                let before = std::mem::take(before);
                match self.scanner.peek() {
                    Some('{') => self.state = State::Call(JsonCall::default(), before),
                    Some(_) => match self.scanner.eat(TAG) {
                        Some(true) => self.state = State::Start(before + TAG),
                        Some(false) => {
                            events.content(&before);
                            self.state = State::Text;
                        }
                        None => {
                            self.state = State::Start(before);
                            return false;
                        }
                    },
                    None => self.state = State::Start(before),
                }
                true
            }
            State::Call(call, before) => {
                let Some(c) = self.scanner.next() else { return false };
                match call.push(c, |name| self.tools.knows(name), events) {
                    Step::More => {}
                    Step::Done => self.state = State::Called,
                    Step::Failed if events.in_call() => {
                        events.call_end();
                        self.state = State::Called;
                    }
                    Step::Failed => {
                        events.content(before);
                        events.content(&std::mem::take(call).raw());
                        self.state = State::Text;
                    }
                }
                true
            }
            State::Called => {
                self.scanner.skip_space();
                match self.scanner.peek() {
                    Some(';' | ',') => drop(self.scanner.next()),
                    Some('{') => self.state = State::Call(JsonCall::default(), String::new()),
                    Some(_) => self.state = State::Text,
                    None => {}
                }
                true
            }
            State::Text => {
                events.content(&self.scanner.rest());
                false
            }
        }
    }

    pub(super) fn finish(&mut self, events: &mut Events) {
        match std::mem::replace(&mut self.state, State::Text) {
            State::Start(before) => {
                events.content(&before);
                events.content(&self.scanner.rest());
            }
            State::Call(call, before) if !events.in_call() => {
                events.content(&before);
                events.content(&call.raw());
            }
            State::Call(..) | State::Called => {}
            State::Text => events.content(&self.scanner.rest()),
        }
    }
}
