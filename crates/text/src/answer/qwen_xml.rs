//! `<tool_call><function=NAME><parameter=KEY>VALUE</parameter></function></tool_call>`: Qwen3-Coder.

use std::sync::Arc;

use super::argument_types::{Arguments, ToolSchemas};
use super::events::Events;
use super::scanner::Scanner;

const OPEN: &str = "<tool_call>";
const CLOSE: &str = "</tool_call>";
const FUNCTION: &str = "<function=";
const FUNCTION_END: &str = "</function>";
const PARAMETER: &str = "<parameter=";
const PARAMETER_END: &str = "</parameter>";

/// Reads text with calls in it. Some answers leave `<tool_call>` out.
pub(super) struct QwenXml {
    scanner: Scanner,
    state: State,
    tools: Arc<ToolSchemas>,
}

enum State {
    Text,
    /// After `<tool_call>`.
    Opened,
    /// In the function's name.
    Name(String),
    /// Between parameters.
    Function(Arguments),
    /// In a parameter's name.
    Key(Arguments, String),
    /// In a parameter's value.
    Value(Arguments, String, String),
    /// After the function.
    Called,
}

impl QwenXml {
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
                let (text, found) = self.scanner.until(&[OPEN, FUNCTION]);
                events.content(&text);
                match found {
                    Some(0) => (State::Opened, true),
                    Some(_) => (State::Name(String::new()), true),
                    None => (State::Text, false),
                }
            }
            State::Opened => {
                let space = self.scanner.skip_space();
                match self.scanner.eat(FUNCTION) {
                    Some(true) => (State::Name(String::new()), true),
                    Some(false) => {
                        events.content(OPEN);
                        events.content(&space);
                        (State::Text, true)
                    }
                    None => {
                        self.scanner.put_back(&space);
                        (State::Opened, false)
                    }
                }
            }
            State::Name(mut name) => {
                let (text, found) = self.scanner.until(&[">"]);
                name.push_str(&text);
                match found {
                    Some(_) => {
                        events.call_start(name.trim());
                        (State::Function(Arguments::new(&self.tools, name.trim())), true)
                    }
                    None => (State::Name(name), false),
                }
            }
            State::Function(arguments) => {
                let (_, found) = self.scanner.until(&[PARAMETER, FUNCTION_END, CLOSE]);
                match found {
                    Some(0) => (State::Key(arguments, String::new()), true),
                    Some(index) => {
                        arguments.end(events);
                        (if index == 1 { State::Called } else { State::Text }, true)
                    }
                    None => (State::Function(arguments), false),
                }
            }
            State::Key(arguments, mut key) => {
                let (text, found) = self.scanner.until(&[">"]);
                key.push_str(&text);
                match found {
                    Some(_) => (State::Value(arguments, key, String::new()), true),
                    None => (State::Key(arguments, key), false),
                }
            }
            State::Value(mut arguments, key, mut value) => {
                let ends = [PARAMETER_END, PARAMETER, FUNCTION_END];
                let (text, found) = self.scanner.until(&ends);
                value.push_str(&text);
                match found {
                    Some(index) => {
                        arguments.add(key.trim(), without_line_ends(&value), events);
                        // The end of the value may have been left out.
                        if index > 0 {
                            self.scanner.put_back(ends[index]);
                        }
                        (State::Function(arguments), true)
                    }
                    None => (State::Value(arguments, key, value), false),
                }
            }
            State::Called => {
                self.scanner.skip_space();
                match self.scanner.eat(CLOSE) {
                    Some(_) => (State::Text, true),
                    None => (State::Called, false),
                }
            }
        };
        self.state = next;
        goes_on
    }

    pub(super) fn finish(&mut self, events: &mut Events) {
        let rest = self.scanner.rest();
        match std::mem::replace(&mut self.state, State::Text) {
            State::Text => events.content(&rest),
            State::Opened => {
                events.content(OPEN);
                events.content(&rest);
            }
            State::Name(name) => {
                events.content(FUNCTION);
                events.content(&name);
                events.content(&rest);
            }
            State::Function(_) | State::Key(..) | State::Value(..) | State::Called => {}
        }
    }
}

/// The line end before and after a value is not part of it.
fn without_line_ends(value: &str) -> &str {
    let value = value.strip_prefix('\n').unwrap_or(value);
    value.strip_suffix('\n').unwrap_or(value)
}
