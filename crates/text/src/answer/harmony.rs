//! gpt-oss's harmony: messages with a channel, `<|channel|>analysis<|message|>…<|end|>`.
//!
//! `analysis` is reasoning, `final` the answer, `commentary` text for the user; a message with a
//! recipient (`to=functions.NAME`) is a call.

use super::events::Events;
use super::scanner::Scanner;

const START: &str = "<|start|>";
const CHANNEL: &str = "<|channel|>";
const MESSAGE: &str = "<|message|>";
const CONSTRAIN: &str = "<|constrain|>";
/// What ends a message. The last two also end the text, and then do not show.
const ENDS: [&str; 4] = ["<|end|>", "<|call|>", "<|return|>", START];

/// Reads messages, from within the header of the first one.
#[derive(Default)]
pub(super) struct Harmony {
    scanner: Scanner,
    state: State,
    has_message: bool,
}

enum State {
    /// In a header, which has this beginning.
    Header(String),
    Body(Kind),
}

#[derive(Clone, Copy)]
enum Kind {
    Reasoning,
    Content,
    Call,
}

impl Default for State {
    fn default() -> Self {
        Self::Header(String::new())
    }
}

impl Harmony {
    pub(super) fn push(&mut self, text: &str, events: &mut Events) {
        self.scanner.push(text);
        while !self.scanner.is_empty() && self.step(events) {}
    }

    fn step(&mut self, events: &mut Events) -> bool {
        match &mut self.state {
            State::Header(header) => {
                let (text, found) = self.scanner.until(&[MESSAGE]);
                header.push_str(&text);
                if found.is_some() {
                    self.has_message = true;
                    self.state = State::Body(begin(header, events));
                }
                found.is_some()
            }
            State::Body(kind) => {
                let kind = *kind;
                let (text, found) = self.scanner.until(&ENDS);
                add(kind, &text, events);
                if found.is_some() {
                    end(kind, events);
                    self.state = State::default();
                }
                found.is_some()
            }
        }
    }

    pub(super) fn finish(&mut self, events: &mut Events) {
        let rest = self.scanner.rest();
        match std::mem::take(&mut self.state) {
            // A model that writes no header has written its answer.
            State::Header(header) if !self.has_message => {
                if !header.contains(CHANNEL) {
                    events.content(&header);
                    events.content(&rest);
                }
            }
            State::Header(_) => {}
            State::Body(kind) => {
                add(kind, &rest, events);
                end(kind, events);
            }
        }
    }
}

/// What the message under this header is; begins the call, if it is one.
fn begin(header: &str, events: &mut Events) -> Kind {
    let recipient = header.split_once("to=").map(|(_, after)| {
        let end = after.find(|c: char| c.is_whitespace() || c == '<').unwrap_or(after.len());
        &after[..end]
    });
    if let Some(name) = recipient.filter(|name| !name.is_empty() && *name != "assistant") {
        events.call_start(name.strip_prefix("functions.").unwrap_or(name));
        return Kind::Call;
    }
    let channel = header.split_once(CHANNEL).map_or("", |(_, after)| after);
    let channel = channel.split(CONSTRAIN).next().unwrap_or(channel).trim();
    events.part_ends();
    if channel.starts_with("analysis") { Kind::Reasoning } else { Kind::Content }
}

fn add(kind: Kind, text: &str, events: &mut Events) {
    match kind {
        Kind::Reasoning => events.reasoning(text),
        Kind::Content => events.content(text),
        Kind::Call => events.call_arguments(text),
    }
}

fn end(kind: Kind, events: &mut Events) {
    if matches!(kind, Kind::Call) {
        events.call_end();
    }
}
