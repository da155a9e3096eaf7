//! A call as a JSON object, `{"name": …, "arguments": {…}}`, read while it is written.

use super::events::Events;

/// Reads one object. The call begins once its name is known; its arguments are passed on as they
/// come.
#[derive(Default)]
pub(super) struct JsonCall {
    /// All that has come, as long as it may turn out to be no call.
    raw: String,
    state: State,
    key: String,
    name: String,
    started: bool,
    /// Arguments that came before the name.
    early: String,
    has_arguments: bool,
    value: RawValue,
}

#[derive(Default, PartialEq, Eq, Clone, Copy)]
enum State {
    #[default]
    Before,
    Key,
    InKey,
    Colon,
    Name,
    InName,
    /// Before the first character of the arguments or of another value.
    Arguments,
    /// In arguments that are JSON.
    InArguments,
    /// In arguments that are a string of JSON.
    InText,
    Other,
    Comma,
}

/// What one more character made of it.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(super) enum Step {
    More,
    /// The object is complete, and was a call.
    Done,
    /// It is no call. If none had begun, [`JsonCall::raw`] is all that came.
    Failed,
}

impl JsonCall {
    /// All characters so far, if the call has not begun.
    pub(super) fn raw(self) -> String {
        self.raw
    }

    /// Adds a character. `known` decides whether a name is one of a tool.
    pub(super) fn push(
        &mut self,
        c: char,
        known: impl Fn(&str) -> bool,
        events: &mut Events,
    ) -> Step {
        if !self.started {
            self.raw.push(c);
        }
        match self.state {
            State::Before => self.expect(c, '{', State::Key),
            State::Key if c == '}' => self.end(events),
            State::Key => self.expect(c, '"', State::InKey),
            State::InKey if c == '"' => {
                self.state = State::Colon;
                Step::More
            }
            State::InKey => {
                self.key.push(c);
                // No key of a call has an escape.
                if c == '\\' || self.key.len() > 16 { Step::Failed } else { Step::More }
            }
            State::Colon => self.colon(c),
            State::Name => self.expect(c, '"', State::InName),
            State::InName => self.name(c, known, events),
            State::Arguments | State::Other if self.value.is_new() && c.is_whitespace() => {
                Step::More
            }
            State::Arguments if c == '"' => {
                self.value = RawValue::default();
                self.state = State::InText;
                self.text(c, events)
            }
            State::Arguments => {
                self.state = State::InArguments;
                self.arguments(c, events)
            }
            State::InArguments => self.arguments(c, events),
            State::InText => self.text(c, events),
            State::Other => self.other(c, events),
            State::Comma => self.comma(c, events),
        }
    }

    fn expect(&mut self, c: char, expected: char, next: State) -> Step {
        if c == expected {
            self.state = next;
            return Step::More;
        }
        if c.is_whitespace() { Step::More } else { Step::Failed }
    }

    fn colon(&mut self, c: char) -> Step {
        let key = self.key.clone();
        let next = match key.as_str() {
            "name" => State::Name,
            "arguments" | "parameters" => State::Arguments,
            "id" | "type" => State::Other,
            _ => return Step::Failed,
        };
        self.value = RawValue::default();
        let step = self.expect(c, ':', next);
        if self.state == next {
            self.key.clear();
        }
        step
    }

    fn name(&mut self, c: char, known: impl Fn(&str) -> bool, events: &mut Events) -> Step {
        if c != '"' {
            self.name.push(c);
            return if c == '\\' || c.is_control() { Step::Failed } else { Step::More };
        }
        if self.name.is_empty() || !known(&self.name) {
            return Step::Failed;
        }
        self.state = State::Comma;
        if !self.started {
            self.started = true;
            self.raw.clear();
            events.call_start(&self.name);
            events.call_arguments(&std::mem::take(&mut self.early));
        }
        Step::More
    }

    fn pass_on(&mut self, text: &str, events: &mut Events) {
        self.has_arguments = true;
        if self.started {
            events.call_arguments(text);
        } else {
            self.early.push_str(text);
        }
    }

    fn arguments(&mut self, c: char, events: &mut Events) -> Step {
        // `null` and other scalars are no arguments: they are dropped.
        let is_object = self.value.is_new() && c == '{' || self.value.is_nested();
        match self.value.push(c) {
            Value::Ended => {
                self.state = State::Comma;
                self.comma(c, events)
            }
            Value::Wrong => Step::Failed,
            value => {
                if is_object {
                    self.pass_on(c.encode_utf8(&mut [0; 4]), events);
                }
                if value == Value::Last {
                    self.state = State::Comma;
                }
                Step::More
            }
        }
    }

    /// Arguments that the model wrote as a string: what it says is passed on at its end.
    fn text(&mut self, c: char, events: &mut Events) -> Step {
        self.value.text.push(c);
        if self.value.push(c) != Value::Last {
            return Step::More;
        }
        self.state = State::Comma;
        match serde_json::from_str::<String>(&self.value.text) {
            Ok(text) => {
                self.pass_on(&text, events);
                Step::More
            }
            Err(_) => Step::Failed,
        }
    }

    fn other(&mut self, c: char, events: &mut Events) -> Step {
        match self.value.push(c) {
            Value::Ended => {
                self.state = State::Comma;
                self.comma(c, events)
            }
            Value::Wrong => Step::Failed,
            Value::Last => {
                self.state = State::Comma;
                Step::More
            }
            Value::More => Step::More,
        }
    }

    fn comma(&mut self, c: char, events: &mut Events) -> Step {
        match c {
            '}' => self.end(events),
            _ => self.expect(c, ',', State::Key),
        }
    }

    fn end(&mut self, events: &mut Events) -> Step {
        if !self.started {
            return Step::Failed;
        }
        if !self.has_arguments {
            events.call_arguments("{}");
        }
        events.call_end();
        Step::Done
    }
}

/// Finds the end of a JSON value. It checks no more than that needs.
#[derive(Default)]
pub(super) struct RawValue {
    depth: usize,
    in_string: bool,
    escaped: bool,
    began: bool,
    /// A number, `true`, `false` or `null`, which end where something else begins.
    scalar: bool,
    text: String,
}

/// Where a character stands in a value.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(super) enum Value {
    /// Inside.
    More,
    /// It is the last one.
    Last,
    /// The value ended before it.
    Ended,
    /// It cannot be part of a value.
    Wrong,
}

impl RawValue {
    pub(super) fn is_new(&self) -> bool {
        !self.began
    }

    fn is_nested(&self) -> bool {
        self.depth > 0
    }

    pub(super) fn push(&mut self, c: char) -> Value {
        let was_new = !std::mem::replace(&mut self.began, true);
        if self.in_string {
            return self.string(c);
        }
        if self.scalar && (matches!(c, ',' | '}' | ']') || c.is_whitespace()) {
            return Value::Ended;
        }
        match c {
            '"' => {
                self.in_string = true;
                Value::More
            }
            '{' | '[' => {
                self.depth += 1;
                Value::More
            }
            '}' | ']' if self.depth > 0 => {
                self.depth -= 1;
                if self.depth == 0 { Value::Last } else { Value::More }
            }
            _ if self.depth > 0 || self.scalar => Value::More,
            _ if was_new && (c.is_ascii_alphanumeric() || c == '-') => {
                self.scalar = true;
                Value::More
            }
            _ => Value::Wrong,
        }
    }

    fn string(&mut self, c: char) -> Value {
        if self.escaped {
            self.escaped = false;
        } else if c == '\\' {
            self.escaped = true;
        } else if c == '"' {
            self.in_string = false;
            return if self.depth == 0 { Value::Last } else { Value::More };
        }
        Value::More
    }
}
