//! Token ids to text while they are made.

use std::sync::Arc;

use crate::decoder::{self, DecoderPlan, Stage};
use crate::model::TextModel;

/// Decodes one sequence's tokens as they come.
///
/// The texts returned by [`push`](Self::push) and [`finish`](Self::finish), joined,
/// are [`TextModel::decode`] of all the ids, for every sequence of ids. A
/// character whose bytes lie in several tokens appears with its last one; what
/// does not become a character by the end is U+FFFD, as in the full decode. A
/// token costs time by its own length, whatever came before.
#[derive(Debug)]
pub struct StreamDecoder {
    model: Arc<TextModel>,
    skip_special: bool,
    state: State,
}

#[derive(Debug)]
enum State {
    Streamed(Vec<Stage>),
    /// For decoders that only run over the whole sequence.
    AtEnd(Vec<u32>),
}

impl StreamDecoder {
    /// A decoder at the start of a text. `skip_special` leaves special tokens out.
    pub fn new(model: Arc<TextModel>, skip_special: bool) -> Self {
        let state = State::new(&model);
        Self { model, skip_special, state }
    }

    /// Adds a token and returns the characters that are complete and certain now;
    /// often one token's text, sometimes none. An id without a token adds nothing.
    pub fn push(&mut self, id: u32) -> String {
        match &mut self.state {
            State::AtEnd(ids) => {
                ids.push(id);
                String::new()
            }
            State::Streamed(stages) => match self.model.shown_token(id, self.skip_special) {
                Some(token) => decoder::push(stages, token),
                None => String::new(),
            },
        }
    }

    /// Ends the text and returns what was held back. The decoder is then at the
    /// start of a new text.
    pub fn finish(&mut self) -> String {
        let ended = std::mem::replace(&mut self.state, State::new(&self.model));
        match ended {
            State::Streamed(mut stages) => decoder::finish(&mut stages),
            State::AtEnd(ids) => self.model.decode(&ids, self.skip_special),
        }
    }
}

impl State {
    fn new(model: &TextModel) -> Self {
        match model.decoder_plan() {
            DecoderPlan::Streamed(stages) => Self::Streamed(stages.clone()),
            DecoderPlan::AtEnd => Self::AtEnd(Vec::new()),
        }
    }
}
