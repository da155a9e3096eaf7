//! A response as events: created, items with their parts, completed.

use std::collections::VecDeque;
use std::convert::Infallible;

use axum::response::sse;
use futures_util::stream::{self, Stream};
use serde_json::{Value, json};

use super::reply::{Frame, call_item, message_item, new_id, reasoning_item, text_part};
use crate::follow::{Follower, Step, named_event};
use crate::pieces::Piece;

/// The events of an answer. Dropping the stream cancels the generation.
pub fn events(
    follower: Follower,
    frame: Frame,
) -> impl Stream<Item = Result<sse::Event, Infallible>> + Send {
    let mut output = Output::default();
    output.push("response.created", json!({"response": frame.begun()}));
    output.push("response.in_progress", json!({"response": frame.begun()}));
    stream::unfold((follower, frame, output), |(mut follower, frame, mut output)| async move {
        loop {
            if let Some(event) = output.ready.pop_front() {
                return Some((Ok(named_event(&event)), (follower, frame, output)));
            }
            if output.ended {
                return None;
            }
            let step = follower.next().await;
            output.take(step, &frame);
        }
    })
}

/// The item that is being written.
enum Open {
    Reasoning { id: String, text: String },
    Message { id: String, text: String },
    Call { id: String, call_id: String, name: String, arguments: String },
}

/// The output so far.
#[derive(Default)]
struct Output {
    ready: VecDeque<Value>,
    sequence: u64,
    open: Option<Open>,
    items: Vec<Value>,
    ended: bool,
}

impl Output {
    /// Adds an event with its name and number.
    fn push(&mut self, name: &str, mut event: Value) {
        event["type"] = json!(name);
        event["sequence_number"] = json!(self.sequence);
        self.sequence += 1;
        self.ready.push_back(event);
    }

    fn take(&mut self, step: Step, frame: &Frame) {
        match step {
            Step::Pieces(pieces) => self.add(pieces, frame),
            Step::End(pieces, end) => {
                self.add(pieces, frame);
                let is_cut = end.reason == tyto_engine::FinishReason::Length;
                if self.items.is_empty() && self.open.is_none() {
                    self.open_message();
                }
                self.close(if is_cut { "incomplete" } else { "completed" });
                let items = std::mem::take(&mut self.items);
                let response = frame.ended(items, end.reason, &end.usage);
                let name = if is_cut { "response.incomplete" } else { "response.completed" };
                self.push(name, json!({"response": response}));
                self.ended = true;
            }
            Step::Failed(error) => {
                tracing::error!(message = error.message(), "stream failed");
                let items = std::mem::take(&mut self.items);
                let response = frame.failed(items, error.message());
                self.push("response.failed", json!({"response": response}));
                self.ended = true;
            }
        }
    }

    fn add(&mut self, pieces: Vec<Piece>, frame: &Frame) {
        for piece in pieces {
            match piece {
                Piece::Reasoning(text) if frame.show_reasoning => self.add_reasoning(text),
                Piece::Reasoning(_) => {}
                Piece::Content(text) => self.add_text(text),
                Piece::CallStart { id, name, .. } => self.open_call(id, name),
                Piece::CallArguments { text, .. } => self.add_arguments(text),
                Piece::CallEnd { .. } => self.close("completed"),
            }
        }
    }

    fn place(&self) -> usize {
        self.items.len()
    }

    fn add_reasoning(&mut self, piece: String) {
        if !matches!(self.open, Some(Open::Reasoning { .. })) {
            self.close("completed");
            let id = new_id("rs");
            let item = reasoning_item(&id, "");
            self.push(
                "response.output_item.added",
                json!({"output_index": self.place(), "item": item}),
            );
            self.open = Some(Open::Reasoning { id, text: String::new() });
        }
        let place = self.place();
        let Some(Open::Reasoning { id, text }) = &mut self.open else { return };
        text.push_str(&piece);
        let event =
            json!({"item_id": id, "output_index": place, "content_index": 0, "delta": piece});
        self.push("response.reasoning_text.delta", event);
    }

    fn open_message(&mut self) {
        let (id, place) = (new_id("msg"), self.place());
        let item = message_item(&id, None, "in_progress");
        self.push("response.output_item.added", json!({"output_index": place, "item": item}));
        let part = json!({
            "item_id": id, "output_index": place, "content_index": 0, "part": text_part(""),
        });
        self.push("response.content_part.added", part);
        self.open = Some(Open::Message { id, text: String::new() });
    }

    fn add_text(&mut self, piece: String) {
        if !matches!(self.open, Some(Open::Message { .. })) {
            self.close("completed");
            self.open_message();
        }
        let place = self.place();
        let Some(Open::Message { id, text }) = &mut self.open else { return };
        text.push_str(&piece);
        let event = json!({
            "item_id": id, "output_index": place, "content_index": 0, "delta": piece, "logprobs": [],
        });
        self.push("response.output_text.delta", event);
    }

    fn open_call(&mut self, call_id: String, name: String) {
        self.close("completed");
        let id = new_id("fc");
        let item = call_item(&id, &call_id, &name, "", "in_progress");
        self.push(
            "response.output_item.added",
            json!({"output_index": self.place(), "item": item}),
        );
        self.open = Some(Open::Call { id, call_id, name, arguments: String::new() });
    }

    fn add_arguments(&mut self, piece: String) {
        let place = self.place();
        let Some(Open::Call { id, arguments, .. }) = &mut self.open else { return };
        arguments.push_str(&piece);
        let event = json!({"item_id": id, "output_index": place, "delta": piece});
        self.push("response.function_call_arguments.delta", event);
    }

    /// Ends the item that is being written.
    fn close(&mut self, status: &str) {
        let place = self.place();
        let item = match self.open.take() {
            None => return,
            Some(Open::Reasoning { id, text }) => {
                let event =
                    json!({"item_id": id, "output_index": place, "content_index": 0, "text": text});
                self.push("response.reasoning_text.done", event);
                reasoning_item(&id, &text)
            }
            Some(Open::Message { id, text }) => {
                let at = json!({"item_id": id, "output_index": place, "content_index": 0});
                let mut done = at.clone();
                done["text"] = json!(text);
                done["logprobs"] = json!([]);
                self.push("response.output_text.done", done);
                let mut part = at;
                part["part"] = text_part(&text);
                self.push("response.content_part.done", part);
                message_item(&id, Some(&text), status)
            }
            Some(Open::Call { id, call_id, name, arguments }) => {
                let done = json!({
                    "item_id": id, "output_index": place, "name": name, "arguments": arguments,
                });
                self.push("response.function_call_arguments.done", done);
                call_item(&id, &call_id, &name, &arguments, status)
            }
        };
        self.push("response.output_item.done", json!({"output_index": place, "item": item}));
        self.items.push(item);
    }
}
