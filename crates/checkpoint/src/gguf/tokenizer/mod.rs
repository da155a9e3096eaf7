//! A Hugging Face tokenizer from the vocabulary inside a GGUF file.
//!
//! A file names its tokenizer's kind and pre-tokenizer; the rest of a `tokenizer.json` follows from
//! how models with those names were published. A name that is not known is refused: a tokenizer that
//! is nearly right gives a model input it never saw.

mod byte_level;
mod pre_tokenizers;
mod sentence_piece;

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::value::Metadata;
use crate::error::Error;

/// Control tokens that end a turn in the chat formats in use. Many files name only one end id.
const END_OF_TURN: &[&str] =
    &["<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end|>", "<end_of_turn>"];

/// The text files that a GGUF file stands for.
pub(crate) struct TokenizerFiles {
    pub(crate) tokenizer: Value,
    pub(crate) tokenizer_config: Value,
    pub(crate) generation_config: Value,
    pub(crate) chat_template: Option<String>,
}

/// GGUF's kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenKind {
    Normal,
    Unknown,
    Control,
    UserDefined,
    Unused,
    Byte,
}

/// The vocabulary and the settings beside it.
struct Vocabulary<'a> {
    metadata: &'a Metadata,
    architecture: &'a str,
    tokens: Vec<&'a str>,
    kinds: Vec<TokenKind>,
    scores: Option<Vec<f64>>,
    merges: Option<Vec<&'a str>>,
}

impl TokenizerFiles {
    /// Builds the files of `metadata`, whose file's bytes are `bytes`.
    pub(crate) fn build(metadata: &Metadata, bytes: &[u8]) -> Result<TokenizerFiles, Error> {
        let vocabulary = Vocabulary::read(metadata, bytes)?;
        let kind = metadata.string(bytes, "tokenizer.ggml.model")?.unwrap_or("none stated");
        let built = match kind {
            "gpt2" => {
                let pre = metadata.string(bytes, "tokenizer.ggml.pre")?.unwrap_or("none stated");
                byte_level::build(&vocabulary, pre)?
            }
            "llama" => sentence_piece::build(&vocabulary)?,
            other => {
                return Err(Error::UnsupportedTokenizer {
                    file: metadata.file().to_path_buf(),
                    field: "tokenizer.ggml.model",
                    found: other.into(),
                    expected: "gpt2, llama".into(),
                });
            }
        };
        let template = metadata.string(bytes, "tokenizer.chat_template")?;
        Ok(TokenizerFiles {
            tokenizer_config: vocabulary.tokenizer_config(&built)?,
            generation_config: vocabulary.generation_config()?,
            chat_template: template.map(str::to_owned),
            tokenizer: vocabulary.tokenizer(built)?,
        })
    }
}

/// What differs between the kinds of tokenizer.
struct Built {
    model: Value,
    normalizer: Value,
    pre_tokenizer: Value,
    decoder: Value,
    /// Whether a start token is added where the file does not say.
    adds_bos: bool,
    /// Control tokens take the spaces after them.
    strips_right: bool,
}

impl<'a> Vocabulary<'a> {
    fn read(metadata: &'a Metadata, bytes: &'a [u8]) -> Result<Vocabulary<'a>, Error> {
        let tokens = metadata.strings(bytes, "tokenizer.ggml.tokens")?;
        let tokens = tokens.ok_or_else(|| Error::Malformed {
            file: metadata.file().to_path_buf(),
            field: "metadata \"tokenizer.ggml.tokens\"".into(),
            found: "nothing".into(),
            expected: "the vocabulary; use the model's Hugging Face directory instead".into(),
        })?;
        let count = tokens.len();
        let kinds = metadata.numbers(bytes, "tokenizer.ggml.token_type")?;
        let kinds = match checked_length(metadata, "tokenizer.ggml.token_type", kinds, count)? {
            Some(kinds) => kinds.into_iter().map(TokenKind::of).collect(),
            None => vec![TokenKind::Normal; count],
        };
        let scores = metadata.numbers(bytes, "tokenizer.ggml.scores")?;
        Ok(Vocabulary {
            metadata,
            architecture: metadata.string(bytes, "general.architecture")?.unwrap_or_default(),
            tokens,
            kinds,
            scores: checked_length(metadata, "tokenizer.ggml.scores", scores, count)?,
            merges: metadata.strings(bytes, "tokenizer.ggml.merges")?,
        })
    }

    /// Tokens with their ids and kinds.
    fn iter(&self) -> impl Iterator<Item = (u32, &'a str, TokenKind)> {
        let kinds = self.kinds.iter();
        self.tokens.iter().zip(kinds).zip(0..).map(|((token, kind), id)| (id, *token, *kind))
    }

    /// The `vocab` object of a model whose tokens are spelled by `spell`.
    fn ids(&self, spell: impl Fn(&str) -> String) -> Result<Map<String, Value>, Error> {
        let mut ids = Map::with_capacity(self.tokens.len());
        for (id, token, _) in self.iter() {
            if let Some(first) = ids.insert(spell(token), json!(id)) {
                return Err(Error::DuplicateKey {
                    file: self.metadata.file().to_path_buf(),
                    key: token.into(),
                    place: format!("tokenizer.ggml.tokens, as ids {first} and {id}"),
                });
            }
        }
        Ok(ids)
    }

    /// The whole `tokenizer.json`.
    fn tokenizer(&self, built: Built) -> Result<Value, Error> {
        let vocab = built.model["vocab"].as_object().expect("both kinds have a vocabulary");
        let added = self.iter().filter(|(_, token, kind)| match kind {
            TokenKind::Control | TokenKind::Unknown => true,
            // Runs of spaces are respelled inside the vocabulary and merge like other tokens.
            TokenKind::UserDefined => vocab.contains_key(*token),
            _ => false,
        });
        let added: Vec<Value> = added
            .map(|(id, token, kind)| {
                let text_start = matches!(token, "<unk>" | "<s>" | "<|endoftext|>");
                json!({
                    "id": id,
                    "content": token,
                    "single_word": false,
                    "lstrip": false,
                    "rstrip": built.strips_right && !text_start,
                    "normalized": false,
                    "special": kind != TokenKind::UserDefined,
                })
            })
            .collect();
        let post_processor = self.post_processor(built.adds_bos)?;
        Ok(json!({
            "version": "1.0",
            "truncation": null,
            "padding": null,
            "added_tokens": added,
            "normalizer": built.normalizer,
            "pre_tokenizer": built.pre_tokenizer,
            "post_processor": post_processor,
            "decoder": built.decoder,
            "model": built.model,
        }))
    }

    /// Adds the start and end tokens that the file asks for.
    fn post_processor(&self, adds_bos: bool) -> Result<Value, Error> {
        let bos = self.added_edge("add_bos_token", adds_bos, "bos")?;
        let eos = self.added_edge("add_eos_token", false, "eos")?;
        if bos.is_none() && eos.is_none() {
            return Ok(Value::Null);
        }
        let special = |edge: &(u32, &str), kind: u32| json!({"SpecialToken": {"id": edge.1, "type_id": kind}});
        let around = |sequence: &str, kind: u32| {
            let text = json!({"Sequence": {"id": sequence, "type_id": kind}});
            let start = bos.iter().map(|edge| special(edge, kind));
            let end = eos.iter().map(|edge| special(edge, kind));
            start.chain([text]).chain(end).collect::<Vec<_>>()
        };
        let pair = [around("A", 0), around("B", 1)].concat();
        let used = bos.iter().chain(&eos).map(|(id, token)| {
            ((*token).to_owned(), json!({"id": token, "ids": [id], "tokens": [token]}))
        });
        Ok(json!({
            "type": "TemplateProcessing",
            "single": around("A", 0),
            "pair": pair,
            "special_tokens": used.collect::<Map<_, _>>(),
        }))
    }

    /// The token that is added at one end, if `flag` (or its default) says so.
    fn added_edge(
        &self,
        flag: &str,
        default: bool,
        role: &str,
    ) -> Result<Option<(u32, &'a str)>, Error> {
        if !self.metadata.boolean(&format!("tokenizer.ggml.{flag}"))?.unwrap_or(default) {
            return Ok(None);
        }
        self.special(role)
    }

    /// The token that `tokenizer.ggml.ROLE_token_id` names.
    fn special(&self, role: &str) -> Result<Option<(u32, &'a str)>, Error> {
        let key = format!("tokenizer.ggml.{role}_token_id");
        let Some(id) = self.metadata.unsigned(&key)? else { return Ok(None) };
        let token = usize::try_from(id).ok().and_then(|at| self.tokens.get(at));
        match token {
            Some(token) => Ok(Some((id as u32, token))),
            None => Err(Error::Malformed {
                file: self.metadata.file().to_path_buf(),
                field: format!("metadata {key:?}"),
                found: id.to_string(),
                expected: format!("an id below the vocabulary's {} tokens", self.tokens.len()),
            }),
        }
    }

    fn tokenizer_config(&self, built: &Built) -> Result<Value, Error> {
        let mut config = Map::from_iter([
            ("tokenizer_class".into(), json!("PreTrainedTokenizerFast")),
            ("clean_up_tokenization_spaces".into(), json!(false)),
        ]);
        let bos = self.added_edge("add_bos_token", built.adds_bos, "bos")?.is_some();
        let eos = self.added_edge("add_eos_token", false, "eos")?.is_some();
        config.insert("add_bos_token".into(), json!(bos));
        config.insert("add_eos_token".into(), json!(eos));
        for (name, role) in [
            ("bos_token", "bos"),
            ("eos_token", "eos"),
            ("unk_token", "unknown"),
            ("pad_token", "padding"),
        ] {
            if let Some((_, token)) = self.special(role)? {
                config.insert(name.into(), json!(token));
            }
        }
        Ok(Value::Object(config))
    }

    /// Start, padding, and every id that ends an answer: the stated ones and known ends of turn.
    fn generation_config(&self) -> Result<Value, Error> {
        let mut config = Map::new();
        for (name, role) in [("bos_token_id", "bos"), ("pad_token_id", "padding")] {
            if let Some((id, _)) = self.special(role)? {
                config.insert(name.into(), json!(id));
            }
        }
        let mut ends = Vec::new();
        for role in ["eos", "eot", "eom"] {
            ends.extend(self.special(role)?.map(|(id, _)| id));
        }
        let control = self.iter().filter(|(_, _, kind)| *kind == TokenKind::Control);
        ends.extend(control.filter(|(_, token, _)| END_OF_TURN.contains(token)).map(|(id, ..)| id));
        let mut unique = Vec::new();
        ends.into_iter().for_each(|id| {
            if !unique.contains(&id) {
                unique.push(id);
            }
        });
        match unique.as_slice() {
            [] => {}
            [one] => {
                config.insert("eos_token_id".into(), json!(one));
            }
            several => {
                config.insert("eos_token_id".into(), json!(several));
            }
        }
        Ok(Value::Object(config))
    }
}

impl TokenKind {
    fn of(number: f64) -> TokenKind {
        match number as i64 {
            2 => TokenKind::Unknown,
            3 => TokenKind::Control,
            4 => TokenKind::UserDefined,
            5 => TokenKind::Unused,
            6 => TokenKind::Byte,
            _ => TokenKind::Normal,
        }
    }

    /// True for tokens that merging may produce.
    fn can_merge(self) -> bool {
        matches!(self, TokenKind::Normal | TokenKind::UserDefined)
    }
}

/// An array beside the vocabulary must have an element for each token.
fn checked_length<T>(
    metadata: &Metadata,
    key: &str,
    array: Option<Vec<T>>,
    count: usize,
) -> Result<Option<Vec<T>>, Error> {
    match array {
        Some(array) if array.len() != count => Err(Error::Malformed {
            file: metadata.file().to_path_buf(),
            field: format!("metadata {key:?}"),
            found: format!("{} elements", array.len()),
            expected: format!("{count}, one for each token"),
        }),
        array => Ok(array),
    }
}

/// Where a token stands in the vocabulary.
fn positions(ids: &Map<String, Value>) -> HashMap<&str, usize> {
    ids.keys().enumerate().map(|(at, token)| (token.as_str(), at)).collect()
}
