//! From tokens to the text that a client sees: whole characters, and no stop string.

use std::sync::Arc;

use tyto_text::{StopMatcher, StreamDecoder, TextModel};

/// One answer's text. All pieces joined are the answer, however its tokens cut it.
pub(crate) struct OutputStream {
    decoder: StreamDecoder,
    matcher: StopMatcher,
    stopped: bool,
}

impl OutputStream {
    /// `control_tokens` says whether control tokens are part of the text.
    pub(crate) fn new(
        text: Arc<TextModel>,
        stop_strings: Vec<String>,
        control_tokens: bool,
    ) -> Self {
        let decoder = StreamDecoder::new(text, !control_tokens);
        Self { decoder, matcher: StopMatcher::new(stop_strings), stopped: false }
    }

    /// Adds a token. Returns the text that is certain now, and whether a stop string is
    /// complete. Stop strings are only looked for from the first token that `may_stop`.
    pub(crate) fn push(&mut self, id: u32, may_stop: bool) -> (String, bool) {
        let text = self.decoder.push(id);
        if !may_stop {
            return (text, false);
        }
        let matched = self.matcher.push(&text);
        self.stopped |= matched.stop.is_some();
        (matched.text, self.stopped)
    }

    /// Ends the answer. Returns what was held back: the beginning of a character that never
    /// ended, and of a stop string that never came (B24). After a stop string, nothing (B25).
    pub(crate) fn finish(&mut self) -> String {
        if self.stopped {
            return String::new();
        }
        let rest = self.decoder.finish();
        let mut text = self.matcher.push(&rest).text;
        text.push_str(&self.matcher.finish());
        text
    }
}
