//! A model's text side, read once and shared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tokenizers::Tokenizer;

use crate::decoder::{DecoderPlan, strips_ends};
use crate::error::Error;
use crate::generation::{GenerationDefaults, read_ids};
use crate::sources::{TextSources, shorten};
use crate::special;
use crate::template::{ChatTemplate, TemplateError};

/// Tokenizer, chat template, special tokens and sampling defaults of one model.
///
/// `Send + Sync`; share it in an `Arc`. Nothing in it changes after loading.
#[derive(Debug)]
pub struct TextModel {
    pub(crate) tokenizer: Tokenizer,
    path: PathBuf,
    plan: DecoderPlan,
    vocab_size: usize,
    /// The highest id of the vocabulary proper, without added tokens.
    highest_base_id: Option<u32>,
    special_ids: BTreeSet<u32>,
    named: BTreeMap<String, String>,
    eos_ids: Vec<u32>,
    bos_id: Option<u32>,
    defaults: GenerationDefaults,
    template: Option<ChatTemplate>,
    longest_token: OnceLock<usize>,
}

impl TextModel {
    /// Reads the text files of a model directory: tokenizer.json, and when they
    /// are there tokenizer_config.json, special_tokens_map.json,
    /// chat_template.jinja, generation_config.json and config.json.
    ///
    /// A chat template that does not parse does not fail here, since completions
    /// work without it: it is in [`template_problem`](Self::template_problem) and
    /// in the result of every render.
    pub fn load(directory: &Path) -> Result<Self, Error> {
        Self::from_sources(&TextSources::read(directory)?)
    }

    /// Builds it from files read before.
    pub fn from_sources(sources: &TextSources) -> Result<Self, Error> {
        let path = sources.origin.join("tokenizer.json");
        let tokenizer = read_tokenizer(&sources.tokenizer, &path)?;
        let named = special::named_tokens(sources);
        let plan = read_plan(&tokenizer, &path)?;
        let added = tokenizer.get_added_tokens_decoder();
        let special_ids =
            added.iter().filter(|(_, token)| token.special).map(|(id, _)| *id).collect();
        let highest_base_id = tokenizer.get_vocab(false).into_values().max();
        let highest = added.keys().copied().max().max(highest_base_id);
        Ok(Self {
            vocab_size: highest.map_or(0, |id| id as usize + 1),
            highest_base_id,
            special_ids,
            eos_ids: union_of_eos(&tokenizer, sources, &named)?,
            bos_id: named.get("bos_token").and_then(|token| tokenizer.token_to_id(token)),
            defaults: GenerationDefaults::read(
                &sources.generation_config,
                &sources.origin.join("generation_config.json"),
            )?,
            template: ChatTemplate::from_sources(&sources.chat_templates, &named),
            tokenizer,
            path,
            plan,
            named,
            longest_token: OnceLock::new(),
        })
    }

    /// The ids of a text. `add_special` adds what tokenizer.json puts around a
    /// text (often a BOS; the flags of tokenizer_config.json count for nothing next
    /// to it, as in transformers 5); leave it off for a rendered chat, whose template
    /// writes its own. Control tokens written out in `text` become their ids.
    pub fn encode(&self, text: &str, add_special: bool) -> Result<Vec<u32>, Error> {
        let encoding = self
            .tokenizer
            .encode_fast(text, add_special)
            .map_err(|error| Error::Encode { message: error.to_string() })?;
        Ok(encoding.get_ids().to_vec())
    }

    /// The ids of two texts as tokenizer.json puts them together, its special tokens among them, each
    /// with the number of its text as the file counts: mostly 0 and 1.
    pub fn encode_pair(&self, first: &str, second: &str) -> Result<Vec<(u32, u32)>, Error> {
        let encoding = self
            .tokenizer
            .encode_fast((first, second), true)
            .map_err(|error| Error::Encode { message: error.to_string() })?;
        let ids = encoding.get_ids().iter().copied();
        Ok(ids.zip(encoding.get_type_ids().iter().copied()).collect())
    }

    /// The text of ids. Ids without a token add nothing; bytes that form no
    /// character are U+FFFD.
    pub fn decode(&self, ids: &[u32], skip_special: bool) -> String {
        // The library fails only where a decoder is given nothing to work on.
        self.tokenizer.decode(ids, skip_special).unwrap_or_default()
    }

    /// One token as the vocabulary writes it (`Ġthe`, `▁the`, `<0xE6>`).
    pub fn token(&self, id: u32) -> Option<String> {
        self.tokenizer.id_to_token(id)
    }

    /// The bytes one token stands for inside a text; empty for an id without one.
    pub fn token_bytes(&self, id: u32) -> Vec<u8> {
        self.token(id).map(|token| self.plan.token_bytes(&token)).unwrap_or_default()
    }

    /// The bytes of the longest token: a text has at least its own length divided by this as many
    /// tokens, unless the tokenizer leaves parts of it out. The first call looks at every token.
    pub fn longest_token(&self) -> usize {
        let length = |id| self.token_bytes(id).len().max(self.token(id).map_or(0, |t| t.len()));
        *self
            .longest_token
            .get_or_init(|| (0..self.vocab_size as u32).map(length).max().unwrap_or(0).max(1))
    }

    /// The text one token stands for inside a text, a leading space included.
    /// A part of a character is U+FFFD.
    pub fn token_text(&self, id: u32) -> String {
        String::from_utf8_lossy(&self.token_bytes(id)).into_owned()
    }

    /// The id of a token as the vocabulary writes it.
    pub fn token_id(&self, token: &str) -> Option<u32> {
        self.tokenizer.token_to_id(token)
    }

    /// The highest id, added tokens included, plus one: ids below this are valid.
    pub fn vocab_size(&self) -> usize {
        self.vocab_size
    }

    /// Whether an id is a special token, which text for people leaves out.
    pub fn is_special(&self, id: u32) -> bool {
        self.special_ids.contains(&id)
    }

    /// The ids that end a text: those of config.json, of generation_config.json
    /// and the tokenizer's `eos_token`, all of them, in ascending order.
    pub fn eos_ids(&self) -> &[u32] {
        &self.eos_ids
    }

    /// The id of `bos_token`.
    pub fn bos_id(&self) -> Option<u32> {
        self.bos_id
    }

    /// The special tokens by name (`bos_token` and so on).
    pub fn named_tokens(&self) -> &BTreeMap<String, String> {
        &self.named
    }

    /// The sampling defaults of generation_config.json.
    pub fn generation_defaults(&self) -> &GenerationDefaults {
        &self.defaults
    }

    /// The chat template, when the model has one.
    pub fn template(&self) -> Option<&ChatTemplate> {
        self.template.as_ref()
    }

    /// Why the chat template cannot be used, when it does not parse.
    pub fn template_problem(&self) -> Option<&TemplateError> {
        self.template.as_ref().and_then(ChatTemplate::problem)
    }

    /// Checks that every id has a row of the model's embedding. More rows than
    /// ids are padding and fine.
    ///
    /// So are added tokens without a row as long as neither the chat template nor
    /// a special token's name needs one: published models have them (Gemma 3 1B an
    /// image token). A prompt that holds such an id must be refused.
    pub fn check_vocab(&self, embedding_rows: usize) -> Result<(), Error> {
        let outside = |id: u32| id as usize >= embedding_rows;
        let added = self.tokenizer.get_added_tokens_decoder();
        let needed = added.iter().filter(|(id, token)| outside(**id) && self.needs(&token.content));
        let highest_needed = needed.map(|(id, _)| *id).max();
        match self.highest_base_id.filter(|id| outside(*id)).max(highest_needed) {
            None => Ok(()),
            Some(highest_id) => Err(Error::VocabTooLarge {
                path: self.path.clone(),
                highest_id,
                needed: highest_id as usize + 1,
                embedding_rows,
            }),
        }
    }

    /// Whether a token is written by the chat template or named as special.
    fn needs(&self, token: &str) -> bool {
        let in_template = self.template.as_ref().is_some_and(|template| template.mentions(token));
        in_template || self.named.values().any(|named| named == token)
    }

    /// Where the tokenizer was read from.
    pub fn tokenizer_path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn decoder_plan(&self) -> &DecoderPlan {
        &self.plan
    }

    /// The token of an id unless there is none or it is to be left out.
    pub(crate) fn shown_token(&self, id: u32, skip_special: bool) -> Option<String> {
        if skip_special && self.is_special(id) {
            return None;
        }
        self.token(id)
    }
}

fn tokenizer_error(path: &Path, error: impl ToString) -> Error {
    Error::Tokenizer { path: path.to_owned(), message: error.to_string() }
}

fn read_tokenizer(bytes: &[u8], path: &Path) -> Result<Tokenizer, Error> {
    let mut tokenizer =
        Tokenizer::from_bytes(bytes).map_err(|error| tokenizer_error(path, error))?;
    // A file saved after training may cut or pad every text; neither is wanted.
    tokenizer.with_padding(None);
    tokenizer.with_truncation(None).map_err(|error| tokenizer_error(path, error))?;
    Ok(tokenizer)
}

fn read_plan(tokenizer: &Tokenizer, path: &Path) -> Result<DecoderPlan, Error> {
    let decoder = serde_json::to_value(tokenizer.get_decoder())
        .map_err(|error| tokenizer_error(path, error))?;
    if strips_ends(&decoder) {
        return Err(Error::Field {
            path: path.to_owned(),
            field: "decoder.Strip.stop".to_owned(),
            found: shorten(&decoder),
            expected: "0",
        });
    }
    Ok(DecoderPlan::new(&decoder))
}

fn union_of_eos(
    tokenizer: &Tokenizer,
    sources: &TextSources,
    named: &BTreeMap<String, String>,
) -> Result<Vec<u32>, Error> {
    let config = sources.origin.join("config.json");
    let mut ids: BTreeSet<u32> = BTreeSet::new();
    ids.extend(read_ids(&sources.config["eos_token_id"], &config, "eos_token_id")?);
    // Models with several parts keep the language model's settings one level down.
    ids.extend(read_ids(
        &sources.config["text_config"]["eos_token_id"],
        &config,
        "text_config.eos_token_id",
    )?);
    let generation = sources.origin.join("generation_config.json");
    ids.extend(read_ids(&sources.generation_config["eos_token_id"], &generation, "eos_token_id")?);
    ids.extend(named.get("eos_token").and_then(|token| tokenizer.token_to_id(token)));
    Ok(ids.into_iter().collect())
}
