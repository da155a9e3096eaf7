//! `[TOOL_CALLS]` and a list of objects, or `[TOOL_CALLS]name[ARGS]{…}`: Mistral, old and new.

use super::events::Events;
use super::json_call::{JsonCall, RawValue, Step, Value};
use super::scanner::Scanner;

const OPEN: &str = "[TOOL_CALLS]";
const ARGS: &str = "[ARGS]";
const CALL_ID: &str = "[CALL_ID]";

/// Reads text with calls after it.
#[derive(Default)]
pub(super) struct Mistral {
    scanner: Scanner,
    state: State,
}

#[derive(Default)]
enum State {
    #[default]
    Text,
    /// After the marker.
    Opened,
    /// In a list, between its objects.
    List,
    Call(JsonCall),
    /// In a name, which has this beginning.
    Name(String),
    /// In a call's id, which is of no use: the client gets its own.
    Id,
    Arguments(RawValue),
}

impl Mistral {
    pub(super) fn push(&mut self, text: &str, events: &mut Events) {
        self.scanner.push(text);
        while !self.scanner.is_empty() && self.step(events) {}
    }

    fn step(&mut self, events: &mut Events) -> bool {
        match &mut self.state {
            State::Text => {
                let (text, found) = self.scanner.until(&[OPEN]);
                events.content(&text);
                if found.is_some() {
                    self.state = State::Opened;
                }
                found.is_some()
            }
            State::Opened => {
                self.scanner.skip_space();
                match self.scanner.peek() {
                    Some('[') => {
                        self.scanner.next();
                        self.state = State::List;
                    }
                    Some('{') => self.state = State::Call(JsonCall::default()),
                    Some(_) => self.state = State::Name(String::new()),
                    None => {}
                }
                true
            }
            State::List => {
                self.scanner.skip_space();
                match self.scanner.peek() {
                    Some('{') => self.state = State::Call(JsonCall::default()),
                    Some(',') => drop(self.scanner.next()),
                    Some(']') => {
                        self.scanner.next();
                        self.state = State::Text;
                    }
                    Some(_) => self.state = State::Text,
                    None => {}
                }
                true
            }
            State::Call(call) => {
                let Some(c) = self.scanner.next() else { return false };
                match call.push(c, |_| true, events) {
                    Step::More => {}
                    Step::Done => self.state = State::List,
                    Step::Failed if events.in_call() => {
                        events.call_end();
                        self.state = State::List;
                    }
                    Step::Failed => {
                        events.content(OPEN);
                        events.content(&std::mem::take(call).raw());
                        self.state = State::Text;
                    }
                }
                true
            }
            State::Name(_) => self.name(events),
            State::Id => {
                let (_, found) = self.scanner.until(&[ARGS]);
                if found.is_some() {
                    self.state = State::Arguments(RawValue::default());
                }
                found.is_some()
            }
            State::Arguments(_) => self.arguments(events),
        }
    }

    fn name(&mut self, events: &mut Events) -> bool {
        let State::Name(name) = &mut self.state else { return false };
        let (text, found) = self.scanner.until(&[ARGS, CALL_ID, "{"]);
        name.push_str(&text);
        let Some(found) = found else { return false };
        events.call_start(name.trim());
        if found == 2 {
            self.scanner.put_back("{");
        }
        self.state = if found == 1 { State::Id } else { State::Arguments(RawValue::default()) };
        true
    }

    fn arguments(&mut self, events: &mut Events) -> bool {
        let State::Arguments(value) = &mut self.state else { return false };
        let Some(c) = self.scanner.next() else { return false };
        if value.is_new() && c.is_whitespace() {
            return true;
        }
        let place = value.push(c);
        if matches!(place, Value::More | Value::Last) {
            events.call_arguments(c.encode_utf8(&mut [0; 4]));
        }
        if place != Value::More {
            events.call_end();
            self.state = State::Text;
        }
        true
    }

    pub(super) fn finish(&mut self, events: &mut Events) {
        match std::mem::take(&mut self.state) {
            State::Text => events.content(&self.scanner.rest()),
            State::Call(call) if !events.in_call() => {
                events.content(OPEN);
                events.content(&call.raw());
            }
            State::Name(name) => {
                events.content(OPEN);
                events.content(&name);
                events.content(&self.scanner.rest());
            }
            State::Opened => events.content(OPEN),
            State::Call(_) | State::List | State::Id | State::Arguments(_) => {}
        }
    }
}
