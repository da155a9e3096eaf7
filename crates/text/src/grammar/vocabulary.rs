//! A model's tokens as llguidance wants them.

use std::sync::Arc;

use llguidance::toktrie::{INVALID_TOKEN, TokRxInfo, TokTrie, TokenId, TokenizerEnv};

use crate::model::TextModel;

/// The tokens of a model as a tree of their bytes, and its way of encoding.
pub(super) struct Vocabulary {
    model: Arc<TextModel>,
    trie: TokTrie,
}

impl Vocabulary {
    pub(super) fn new(model: Arc<TextModel>, vocab_size: usize) -> Self {
        let words: Vec<Vec<u8>> = (0..vocab_size as u32).map(|id| bytes_of(&model, id)).collect();
        let ends: Vec<u32> =
            model.eos_ids().iter().copied().filter(|&id| (id as usize) < vocab_size).collect();
        let first_end = ends.first().copied().unwrap_or(INVALID_TOKEN);
        let info = TokRxInfo::new(vocab_size as u32, first_end);
        let mut trie = TokTrie::from(&info, &words);
        if !ends.is_empty() {
            trie = trie.with_eos_tokens(&ends);
        }
        Self { model, trie }
    }
}

/// The bytes of a token. Control tokens are behind a byte that no text has; ids without a token,
/// and those that only pad the logits, have none and are never allowed.
fn bytes_of(model: &TextModel, id: u32) -> Vec<u8> {
    if !model.is_special(id) && !model.eos_ids().contains(&id) {
        return model.token_bytes(id);
    }
    let mut bytes = vec![TokTrie::SPECIAL_TOKEN_MARKER];
    bytes.extend(model.token(id).unwrap_or_default().into_bytes());
    bytes
}

impl TokenizerEnv for Vocabulary {
    fn tok_trie(&self) -> &TokTrie {
        &self.trie
    }

    /// As the model's tokenizer would write it in the middle of a text; with the longest tokens
    /// where these are no characters.
    fn tokenize_bytes(&self, bytes: &[u8]) -> Vec<TokenId> {
        let encode = |text: &str| {
            let ids = self.model.encode_inside(text, true).unwrap_or_default();
            // Some tokenizers do not give back what they were given.
            if self.trie.decode_raw(&ids) == text.as_bytes() {
                ids
            } else {
                self.trie.greedy_tokenize(text.as_bytes())
            }
        };
        self.trie.tokenize_with_greedy_fallback(bytes, encode)
    }
}
