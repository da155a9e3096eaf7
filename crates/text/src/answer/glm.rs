//! `<tool_call>NAME<arg_key>KEY</arg_key><arg_value>VALUE</arg_value></tool_call>`: GLM 4.5 and later.

use std::sync::Arc;

use super::argument_types::{Arguments, ToolSchemas};
use super::events::Events;
use super::scanner::Scanner;

const OPEN: &str = "<tool_call>";
const CLOSE: &str = "</tool_call>";
const KEY: &str = "<arg_key>";
const KEY_END: &str = "</arg_key>";
const VALUE: &str = "<arg_value>";
const VALUE_END: &str = "</arg_value>";

/// Reads text with calls in it.
pub(super) struct Glm {
    scanner: Scanner,
    state: State,
    tools: Arc<ToolSchemas>,
}

enum State {
    Text,
    /// In the tool's name.
    Name(String),
    /// Between a value and the next key.
    Call(Arguments),
    Key(Arguments, String),
    /// Between a key and its value.
    Between(Arguments, String),
    Value(Arguments, String, String),
}

impl Glm {
    pub(super) fn new(tools: Arc<ToolSchemas>) -> Self {
        Self { scanner: Scanner::default(), state: State::Text, tools }
    }

    pub(super) fn push(&mut self, text: &str, events: &mut Events) {
        self.scanner.push(text);
        while !self.scanner.is_empty() && self.step(events) {}
    }

    fn step(&mut self, events: &mut Events) -> bool {
        let state = std::mem::replace(&mut self.state, State::Text);
        let (next, goes_on) = match state {
            State::Text => {
                let (text, found) = self.scanner.until(&[OPEN]);
                events.content(&text);
                let next = if found.is_some() { State::Name(String::new()) } else { State::Text };
                (next, found.is_some())
            }
            State::Name(name) => self.name(name, events),
            State::Call(arguments) => {
                let (_, found) = self.scanner.until(&[KEY, CLOSE]);
                match found {
                    Some(0) => (State::Key(arguments, String::new()), true),
                    Some(_) => {
                        arguments.end(events);
                        (State::Text, true)
                    }
                    None => (State::Call(arguments), false),
                }
            }
            State::Key(arguments, mut key) => {
                let (text, found) = self.scanner.until(&[KEY_END]);
                key.push_str(&text);
                match found {
                    Some(_) => (State::Between(arguments, key), true),
                    None => (State::Key(arguments, key), false),
                }
            }
            State::Between(arguments, key) => {
                let (_, found) = self.scanner.until(&[VALUE, CLOSE]);
                match found {
                    Some(0) => (State::Value(arguments, key, String::new()), true),
                    Some(_) => {
                        arguments.end(events);
                        (State::Text, true)
                    }
                    None => (State::Between(arguments, key), false),
                }
            }
            State::Value(mut arguments, key, mut value) => {
                let (text, found) = self.scanner.until(&[VALUE_END]);
                value.push_str(&text);
                match found {
                    Some(_) => {
                        arguments.add(key.trim(), &value, events);
                        (State::Call(arguments), true)
                    }
                    None => (State::Value(arguments, key, value), false),
                }
            }
        };
        self.state = next;
        goes_on
    }

    fn name(&mut self, mut name: String, events: &mut Events) -> (State, bool) {
        let (text, found) = self.scanner.until(&[KEY, CLOSE]);
        name.push_str(&text);
        let Some(found) = found else { return (State::Name(name), false) };
        let trimmed = name.trim();
        if trimmed.is_empty() || trimmed.contains(char::is_whitespace) {
            events.content(OPEN);
            events.content(&name);
            self.scanner.put_back([KEY, CLOSE][found]);
            return (State::Text, true);
        }
        events.call_start(trimmed);
        let arguments = Arguments::new(&self.tools, trimmed);
        if found == 0 {
            return (State::Key(arguments, String::new()), true);
        }
        arguments.end(events);
        (State::Text, true)
    }

    pub(super) fn finish(&mut self, events: &mut Events) {
        let rest = self.scanner.rest();
        match std::mem::replace(&mut self.state, State::Text) {
            State::Text => events.content(&rest),
            State::Name(name) => {
                events.content(OPEN);
                events.content(&name);
                events.content(&rest);
            }
            State::Call(_) | State::Key(..) | State::Between(..) | State::Value(..) => {}
        }
    }
}
