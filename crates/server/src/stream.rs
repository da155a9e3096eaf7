//! A streamed answer: server-sent events in the order that OpenAI's clients rely on.
//!
//! For each choice: (chat only) a chunk with the role, then chunks with new text, then one
//! with an empty delta and the only `finish_reason` that is not null. After all choices: a
//! chunk with the token counts if the client asked for it, then `[DONE]`.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;

use axum::response::sse;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream, SelectAll, Stream};
use tyto_engine::{Event, FinishReason, TokenInfo, Usage};
use tyto_text::TextModel;

use crate::answer::{Answer, Totals, to_json};
use crate::api_error::ApiError;
use crate::collect::{check_end, engine_went_away};
use crate::pieces::{Piece, PieceReader};
use crate::reply::{Chunk, ChunkChoice, Identity, Logprobs, finish_word};
use crate::traces::Watched;

/// The events of `answer`, ending with `[DONE]`. Dropping the stream cancels the generations.
pub fn events(
    answer: Answer,
    usage: bool,
) -> impl Stream<Item = Result<sse::Event, Infallible>> + Send {
    stream::unfold(Chunks::new(answer, usage), |mut chunks| async move {
        let event = chunks.next().await?;
        Some((Ok(event), chunks))
    })
}

/// The state between two chunks.
struct Chunks {
    identity: Identity,
    text_model: Arc<TextModel>,
    logprobs: bool,
    send_usage: bool,
    engine_events: SelectAll<BoxStream<'static, (usize, Event)>>,
    /// Written and not sent yet.
    ready: VecDeque<sse::Event>,
    /// Characters of each choice's tokens so far.
    text_offsets: Vec<usize>,
    readers: Vec<PieceReader>,
    show_reasoning: bool,
    /// Choices that belong to one prompt.
    answers: usize,
    unfinished: usize,
    totals: Totals,
    ended: bool,
}

impl Chunks {
    fn new(answer: Answer, send_usage: bool) -> Self {
        let count = answer.generations.len();
        let numbered = answer.generations.into_iter().enumerate();
        let mut chunks = Self {
            identity: answer.identity,
            text_model: answer.text_model,
            logprobs: answer.logprobs,
            send_usage,
            engine_events: stream::select_all(numbered.map(engine_events)),
            ready: VecDeque::new(),
            text_offsets: vec![0; count],
            readers: (0..count).map(|_| PieceReader::new(&answer.reading)).collect(),
            show_reasoning: answer.show_reasoning,
            answers: answer.answers,
            unfinished: count,
            totals: Totals::default(),
            ended: false,
        };
        for index in 0..count {
            if let Some(choice) = ChunkChoice::opening(chunks.identity.dialect(), index) {
                chunks.push_choice(choice);
            }
        }
        chunks
    }

    async fn next(&mut self) -> Option<sse::Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if self.ended {
                return None;
            }
            match self.engine_events.next().await {
                Some((index, event)) => self.take(index, event),
                None => self.fail(&engine_went_away()),
            }
        }
    }

    fn take(&mut self, index: usize, event: Event) {
        match event {
            Event::Tokens { text, tokens } => self.take_tokens(index, text, &tokens),
            Event::Finished { reason, text, usage } => self.finish(index, reason, text, &usage),
            Event::Vector { .. } => unreachable!("the text goes on"),
            Event::Failed { message, is_own_fault } => {
                self.fail(&ApiError::of_engine(message, is_own_fault));
            }
        }
    }

    fn take_tokens(&mut self, index: usize, text: String, tokens: &[TokenInfo]) {
        let logprobs = self.logprobs.then(|| self.logprobs_of(index, tokens));
        let pieces = self.readers[index].push(&text);
        let logprobs = self.push_pieces(index, pieces, logprobs);
        // Tokens whose text is held back are worth a chunk only for their log probabilities.
        if logprobs.is_some() && !tokens.is_empty() {
            self.push_piece(index, Piece::Content(String::new()), logprobs);
        }
    }

    /// The first piece that shows carries the log probabilities; they come back if none does.
    fn push_pieces(
        &mut self,
        index: usize,
        pieces: Vec<Piece>,
        mut logprobs: Option<Logprobs>,
    ) -> Option<Logprobs> {
        for piece in pieces {
            match piece {
                Piece::Reasoning(_) if !self.show_reasoning => {}
                Piece::CallEnd { .. } => {}
                piece => self.push_piece(index, piece, logprobs.take()),
            }
        }
        logprobs
    }

    fn push_piece(&mut self, index: usize, piece: Piece, logprobs: Option<Logprobs>) {
        let dialect = self.identity.dialect();
        if let Some(choice) = ChunkChoice::piece(dialect, index, piece, logprobs) {
            self.push_choice(choice);
        }
    }

    fn logprobs_of(&mut self, index: usize, tokens: &[TokenInfo]) -> Logprobs {
        let offset = self.text_offsets[index];
        self.text_offsets[index] +=
            tokens.iter().map(|token| token.text.chars().count()).sum::<usize>();
        Logprobs::new(self.identity.dialect(), &self.text_model, tokens, offset)
    }

    fn finish(&mut self, index: usize, reason: FinishReason, held_back: String, usage: &Usage) {
        if let Err(error) = check_end(reason) {
            return self.fail(&error);
        }
        let dialect = self.identity.dialect();
        let mut pieces = self.readers[index].push(&held_back);
        pieces.extend(self.readers[index].finish());
        self.push_pieces(index, pieces, None);
        let reason = finish_word(reason, self.readers[index].has_calls());
        self.totals.add(usage, index.is_multiple_of(self.answers));
        self.unfinished -= 1;
        let last = self.unfinished == 0;
        let mut closing = self.chunk(vec![ChunkChoice::closing(dialect, index, reason)]);
        if last {
            closing = closing.with_timings(self.totals.timings());
        }
        let closing = to_json(&closing);
        self.push_json(closing);
        if last {
            self.end();
        }
    }

    fn end(&mut self) {
        if self.send_usage {
            let usage = to_json(&self.identity.chunk(Vec::new(), Some(Some(self.totals.usage))));
            self.push_json(usage);
        }
        self.push_done();
    }

    /// The status has been sent: an error can only be an event. The clients know it by its key.
    fn fail(&mut self, error: &ApiError) {
        tracing::error!(message = error.message(), "stream failed");
        let body = to_json(&error.body());
        self.push_json(body);
        self.push_done();
        self.engine_events.clear();
    }

    fn push_done(&mut self) {
        self.ready.push_back(sse::Event::default().data("[DONE]"));
        self.ended = true;
    }

    fn push_choice(&mut self, choice: ChunkChoice) {
        let json = to_json(&self.chunk(vec![choice]));
        self.push_json(json);
    }

    /// With counts asked for, every chunk but the last has a `usage` of null.
    fn chunk(&self, choices: Vec<ChunkChoice>) -> Chunk<'_> {
        self.identity.chunk(choices, self.send_usage.then_some(None))
    }

    fn push_json(&mut self, json: Result<String, ApiError>) {
        let json = json.expect("reply objects have string keys and finite numbers");
        self.ready.push_back(sse::Event::default().data(json));
    }
}

/// One generation's events with its index, up to and including the one that ends it.
fn engine_events((index, generation): (usize, Watched)) -> BoxStream<'static, (usize, Event)> {
    let next = move |running: Option<Watched>| async move {
        let mut generation = running?;
        let event = generation.next().await?;
        let goes_on = matches!(event, Event::Tokens { .. });
        Some(((index, event), goes_on.then_some(generation)))
    };
    stream::unfold(Some(generation), next).boxed()
}
