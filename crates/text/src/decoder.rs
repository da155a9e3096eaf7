//! A tokenizer's decoder as a chain of small transducers, so that a stream of
//! tokens decodes to exactly the text that decoding all of them at once gives.
//!
//! Each stage takes tokens and hands on tokens; after a stage that fuses, the
//! strings passed on are fragments of one token. A decoder this file does not
//! know streams nothing and is decoded by the library at the end: right, late.

use serde_json::Value;

use crate::bytes::{LossyUtf8, byte_level_bytes, fallback_byte};

/// The stages of a tokenizer's decoder, before any token has come.
#[derive(Debug, Clone)]
pub(crate) enum DecoderPlan {
    /// The chain can be run token by token.
    Streamed(Vec<Stage>),
    /// Only the library knows how; the text comes at the end.
    AtEnd,
}

/// One transducer with its state.
#[derive(Debug, Clone)]
pub(crate) enum Stage {
    /// Replaces a string inside each token.
    Replace { from: String, to: String },
    /// Joins runs of `<0xNN>` tokens: valid UTF-8 becomes its text, and a run
    /// that is not becomes one U+FFFD a byte. The run is only known at its end.
    ByteFallback { run: Vec<u8> },
    /// Cuts up to `start` copies of a character off the start of each token.
    StripToken { content: char, start: usize },
    /// Cuts up to `left` copies of a character off the start of the fused text.
    StripText { content: char, left: usize },
    /// `replacement` is a space, but nothing in the first token.
    Metaspace { replacement: char, drop_first: bool, at_first: bool },
    /// Tokens of the byte-level alphabet to text, across token borders.
    ByteLevel(LossyUtf8),
    /// Continuation prefixes are removed, other tokens get a space in front.
    WordPiece { prefix: String, cleanup: bool, at_first: bool },
    /// No decoder: tokens joined by spaces.
    Join { at_first: bool },
}

impl DecoderPlan {
    /// Reads the `decoder` object of a tokenizer.json (`null` when it has none).
    pub(crate) fn new(decoder: &Value) -> Self {
        let mut builder = PlanBuilder { stages: Vec::new(), fused: false };
        let known = if decoder.is_null() {
            builder.stages.push(Stage::Join { at_first: true });
            Some(())
        } else {
            builder.add(decoder)
        };
        match known {
            Some(()) => Self::Streamed(builder.stages),
            None => Self::AtEnd,
        }
    }

    /// The bytes that one token stands for in the middle of a text.
    pub(crate) fn token_bytes(&self, token: &str) -> Vec<u8> {
        let Self::Streamed(stages) = self else {
            return token.as_bytes().to_vec();
        };
        let mut text = token.to_owned();
        for stage in stages {
            match stage {
                Stage::Replace { from, to } => text = text.replace(from.as_str(), to),
                Stage::ByteFallback { .. } => {
                    if let Some(byte) = fallback_byte(&text) {
                        return vec![byte];
                    }
                }
                Stage::StripToken { content, start } => text = strip_token(&text, *content, *start),
                Stage::Metaspace { replacement, .. } => text = text.replace(*replacement, " "),
                Stage::ByteLevel(_) => return byte_level_bytes(&text),
                Stage::WordPiece { prefix, cleanup, .. } => {
                    text = word_piece(&text, prefix, *cleanup, false)
                }
                Stage::StripText { .. } | Stage::Join { .. } => {}
            }
        }
        text.into_bytes()
    }
}

/// Whether a decoder cuts characters off the end of tokens. The library fails on
/// tokens shorter than that, and no published tokenizer does it.
pub(crate) fn strips_ends(decoder: &Value) -> bool {
    let inner = decoder["decoders"].as_array().is_some_and(|inner| inner.iter().any(strips_ends));
    inner || (decoder["type"] == "Strip" && decoder["stop"] != 0)
}

/// Hands a token to the chain and returns the text that is certain now.
pub(crate) fn push(stages: &mut [Stage], token: String) -> String {
    let mut tokens = vec![token];
    for stage in stages {
        let mut out = Vec::with_capacity(tokens.len());
        for token in tokens {
            stage.push(token, &mut out);
        }
        tokens = out;
    }
    tokens.concat()
}

/// Ends the stream and returns the text that was held back.
pub(crate) fn finish(stages: &mut [Stage]) -> String {
    let mut tokens: Vec<String> = Vec::new();
    for stage in stages {
        let mut out = Vec::with_capacity(tokens.len());
        for token in tokens {
            stage.push(token, &mut out);
        }
        stage.finish(&mut out);
        tokens = out;
    }
    tokens.concat()
}

impl Stage {
    fn push(&mut self, token: String, out: &mut Vec<String>) {
        match self {
            Self::Replace { from, to } => out.push(token.replace(from.as_str(), to)),
            Self::ByteFallback { run } => match fallback_byte(&token) {
                Some(byte) => run.push(byte),
                None => {
                    end_run(run, out);
                    out.push(token);
                }
            },
            Self::StripToken { content, start } => out.push(strip_token(&token, *content, *start)),
            Self::StripText { content, left } => out.push(strip_text(token, *content, left)),
            Self::Metaspace { replacement, drop_first, at_first } => {
                let space = if *at_first && *drop_first { "" } else { " " };
                *at_first = false;
                out.push(token.replace(*replacement, space));
            }
            Self::ByteLevel(utf8) => out.push(utf8.push(&byte_level_bytes(&token))),
            Self::WordPiece { prefix, cleanup, at_first } => {
                out.push(word_piece(&token, prefix, *cleanup, *at_first));
                *at_first = false;
            }
            Self::Join { at_first } => {
                if !std::mem::replace(at_first, false) {
                    out.push(" ".to_owned());
                }
                out.push(token);
            }
        }
    }

    fn finish(&mut self, out: &mut Vec<String>) {
        match self {
            Self::ByteFallback { run } => end_run(run, out),
            Self::ByteLevel(utf8) => out.push(utf8.finish()),
            _ => {}
        }
    }
}

fn end_run(run: &mut Vec<u8>, out: &mut Vec<String>) {
    if run.is_empty() {
        return;
    }
    let replacement = || vec![char::REPLACEMENT_CHARACTER.to_string(); run.len()];
    let text = std::str::from_utf8(run).map(|text| vec![text.to_owned()]);
    out.extend(text.unwrap_or_else(|_| replacement()));
    run.clear();
}

fn strip_token(token: &str, content: char, start: usize) -> String {
    strip_text(token.to_owned(), content, &mut start.clone())
}

fn strip_text(fragment: String, content: char, left: &mut usize) -> String {
    let mut rest = fragment.as_str();
    while *left > 0 {
        match rest.strip_prefix(content) {
            Some(stripped) => {
                rest = stripped;
                *left -= 1;
            }
            None => {
                // An empty fragment says nothing about how the text starts.
                if !rest.is_empty() {
                    *left = 0;
                }
                break;
            }
        }
    }
    rest.to_owned()
}

fn word_piece(token: &str, prefix: &str, cleanup: bool, first: bool) -> String {
    let mut text = match token.strip_prefix(prefix) {
        _ if first => token.to_owned(),
        Some(continuation) => continuation.to_owned(),
        None => format!(" {token}"),
    };
    if cleanup {
        for (from, to) in WORD_PIECE_CLEANUP {
            text = text.replace(from, to);
        }
    }
    text
}

/// The spaces that the WordPiece decoder takes away inside one token, in order.
const WORD_PIECE_CLEANUP: [(&str, &str); 11] = [
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
];

struct PlanBuilder {
    stages: Vec<Stage>,
    /// Whether strings passed on are fragments of one token from here on.
    fused: bool,
}

impl PlanBuilder {
    /// Adds a decoder; `None` when it cannot be run piece by piece.
    fn add(&mut self, decoder: &Value) -> Option<()> {
        match decoder["type"].as_str()? {
            "Sequence" => {
                decoder["decoders"].as_array()?.iter().try_for_each(|inner| self.add(inner))
            }
            "Fuse" => {
                self.fused = true;
                Some(())
            }
            "Replace" => {
                let from = decoder["pattern"]["String"].as_str()?.to_owned();
                // In fused text a longer pattern could lie across fragments.
                let fits = !self.fused || from.chars().count() == 1;
                let to = decoder["content"].as_str()?.to_owned();
                (fits && !from.is_empty()).then(|| self.stages.push(Stage::Replace { from, to }))
            }
            "ByteFallback" if !self.fused => {
                self.stages.push(Stage::ByteFallback { run: Vec::new() });
                Some(())
            }
            "Strip" => self.add_strip(decoder),
            "Metaspace" if !self.fused => self.add_metaspace(decoder),
            "ByteLevel" if !self.fused => {
                self.fused = true;
                self.stages.push(Stage::ByteLevel(LossyUtf8::default()));
                Some(())
            }
            "WordPiece" if !self.fused => {
                let prefix = decoder["prefix"].as_str()?.to_owned();
                let cleanup = decoder["cleanup"].as_bool()?;
                self.stages.push(Stage::WordPiece { prefix, cleanup, at_first: true });
                Some(())
            }
            _ => None,
        }
    }

    /// The end is never cut: see [`strips_ends`].
    fn add_strip(&mut self, decoder: &Value) -> Option<()> {
        let content = single_char(&decoder["content"])?;
        let start = usize::try_from(decoder["start"].as_u64()?).ok()?;
        let stage = match self.fused {
            false => Stage::StripToken { content, start },
            true => Stage::StripText { content, left: start },
        };
        self.stages.push(stage);
        Some(())
    }

    fn add_metaspace(&mut self, decoder: &Value) -> Option<()> {
        let drop_first = match decoder["prepend_scheme"].as_str() {
            Some(scheme) => scheme != "never",
            None => decoder["add_prefix_space"].as_bool().unwrap_or(true),
        };
        let replacement = single_char(&decoder["replacement"])?;
        self.stages.push(Stage::Metaspace { replacement, drop_first, at_first: true });
        Some(())
    }
}

fn single_char(value: &Value) -> Option<char> {
    let mut chars = value.as_str()?.chars();
    chars.next().filter(|_| chars.next().is_none())
}
