//! A message as Anthropic's events: start, blocks one after the other, delta, stop.

use std::collections::VecDeque;
use std::convert::Infallible;

use axum::response::sse;
use futures_util::stream::{self, Stream};
use serde_json::{Value, json};

use super::error_body;
use super::reply::{Frame, usage};
use crate::follow::{Follower, Step, named_event};
use crate::pieces::Piece;

/// The events of an answer. Dropping the stream cancels the generation.
pub fn events(
    follower: Follower,
    frame: Frame,
    prompt_tokens: usize,
) -> impl Stream<Item = Result<sse::Event, Infallible>> + Send {
    let mut blocks = Blocks::default();
    let start = json!({"input_tokens": prompt_tokens, "output_tokens": 0});
    blocks.push(json!({"type": "message_start", "message": frame.message(Vec::new(), start)}));
    let state = (follower, frame, blocks);
    stream::unfold(state, |(mut follower, frame, mut blocks)| async move {
        loop {
            if let Some(event) = blocks.ready.pop_front() {
                return Some((Ok(named_event(&event)), (follower, frame, blocks)));
            }
            if blocks.ended {
                return None;
            }
            let step = follower.next().await;
            blocks.take(step, &frame);
        }
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Thinking,
    Text,
    Call,
}

/// The blocks so far.
#[derive(Default)]
struct Blocks {
    ready: VecDeque<Value>,
    open: Option<Kind>,
    count: usize,
    ended: bool,
}

impl Blocks {
    fn push(&mut self, event: Value) {
        self.ready.push_back(event);
    }

    fn take(&mut self, step: Step, frame: &Frame) {
        match step {
            Step::Pieces(pieces) => self.add(pieces, frame),
            Step::End(pieces, end) => {
                self.add(pieces, frame);
                if self.count == 0 {
                    self.begin(Kind::Text, json!({"type": "text", "text": ""}));
                }
                self.close();
                let (reason, stop) = frame.stop_reason(&end);
                self.push(json!({
                    "type": "message_delta",
                    "delta": {"stop_reason": reason, "stop_sequence": stop},
                    "usage": usage(&end.usage),
                }));
                self.push(json!({"type": "message_stop"}));
                self.ended = true;
            }
            Step::Failed(error) => {
                tracing::error!(message = error.message(), "stream failed");
                self.push(error_body(&error));
                self.ended = true;
            }
        }
    }

    fn add(&mut self, pieces: Vec<Piece>, frame: &Frame) {
        for piece in pieces {
            match piece {
                Piece::Reasoning(text) if frame.show_reasoning => {
                    let empty = json!({"type": "thinking", "thinking": "", "signature": ""});
                    self.ensure(Kind::Thinking, empty);
                    self.delta(json!({"type": "thinking_delta", "thinking": text}));
                }
                Piece::Reasoning(_) => {}
                Piece::Content(text) => {
                    self.ensure(Kind::Text, json!({"type": "text", "text": ""}));
                    self.delta(json!({"type": "text_delta", "text": text}));
                }
                Piece::CallStart { id, name, .. } => {
                    self.close();
                    let call = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
                    self.begin(Kind::Call, call);
                }
                Piece::CallArguments { text, .. } => {
                    self.delta(json!({"type": "input_json_delta", "partial_json": text}));
                }
                Piece::CallEnd { .. } => self.close(),
            }
        }
    }

    fn ensure(&mut self, kind: Kind, empty: Value) {
        if self.open != Some(kind) {
            self.close();
            self.begin(kind, empty);
        }
    }

    fn begin(&mut self, kind: Kind, block: Value) {
        self.open = Some(kind);
        self.count += 1;
        let index = self.count - 1;
        self.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
    }

    fn delta(&mut self, delta: Value) {
        let index = self.count.saturating_sub(1);
        self.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
    }

    fn close(&mut self) {
        if self.open.take().is_some() {
            self.push(json!({"type": "content_block_stop", "index": self.count - 1}));
        }
    }
}
