//! What may come next in an answer that must follow a grammar: the hook between sampling and
//! whoever knows the grammar.

use std::fmt;

/// Decides which tokens may follow, one answer long. The engine's thread owns it.
///
/// For every token of the answer, in this order: [`is_done`](Self::is_done) is false,
/// [`forced`](Self::forced) gives nothing, [`mask`](Self::mask), a choice among what it left,
/// [`accept`](Self::accept). Forced tokens are accepted too, one after the other, and no mask is
/// asked for them. An error ends the answer as failed and touches no other request.
pub trait Constraint: Send {
    /// Forbids in `allowed` every token that may not come next. `allowed` allows every token of
    /// the vocabulary at first. Ids that end the text are tokens like others: one that is left
    /// allowed may be chosen, and then ends the answer.
    fn mask(&mut self, allowed: &mut TokenMask) -> Result<(), ConstraintError>;

    /// The text goes on with `id`, which the last mask allowed or which was forced.
    fn accept(&mut self, id: u32) -> Result<(), ConstraintError>;

    /// Tokens that must follow, if no other can: the engine takes them without asking the model.
    /// Not asked for in an answer that gives log probabilities. Never more than once for the same
    /// place in the text; all that it gives are accepted, unless the answer ends first.
    fn forced(&mut self) -> Option<Vec<u32>> {
        None
    }

    /// Whether nothing may follow: the answer ends as if the model had ended it.
    fn is_done(&self) -> bool;
}

/// Why a constraint could not go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ConstraintError {
    message: String,
}

impl ConstraintError {
    /// An error with its whole message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

/// A set of token ids: bit `id % 32` of word `id / 32` is set if the token is allowed.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenMask {
    vocab_size: usize,
    words: Vec<u32>,
}

impl TokenMask {
    /// Allows every id below `vocab_size`.
    pub fn all(vocab_size: usize) -> Self {
        let mut mask = Self { vocab_size, words: vec![0; vocab_size.div_ceil(32)] };
        mask.allow_all();
        mask
    }

    /// Ids are below this.
    pub fn vocab_size(&self) -> usize {
        self.vocab_size
    }

    /// Allows every id.
    pub fn allow_all(&mut self) {
        self.words.fill(u32::MAX);
        self.clear_tail();
    }

    /// Forbids every id.
    pub fn forbid_all(&mut self) {
        self.words.fill(0);
    }

    /// Allows one id; nothing happens if it is outside the vocabulary.
    pub fn allow(&mut self, id: u32) {
        if (id as usize) < self.vocab_size {
            self.words[id as usize / 32] |= 1 << (id % 32);
        }
    }

    /// Forbids one id; nothing happens if it is outside the vocabulary.
    pub fn forbid(&mut self, id: u32) {
        if (id as usize) < self.vocab_size {
            self.words[id as usize / 32] &= !(1 << (id % 32));
        }
    }

    /// Whether an id is allowed. One outside the vocabulary never is.
    pub fn is_allowed(&self, id: u32) -> bool {
        (id as usize) < self.vocab_size && self.words[id as usize / 32] & 1 << (id % 32) != 0
    }

    /// Allows exactly the ids whose bits are set in `words`; ids beyond them are forbidden, and
    /// bits beyond the vocabulary ignored.
    pub fn copy_from_words(&mut self, words: &[u32]) {
        let common = words.len().min(self.words.len());
        self.words[..common].copy_from_slice(&words[..common]);
        self.words[common..].fill(0);
        self.clear_tail();
    }

    /// The bits.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// How many ids are allowed.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Bits beyond the vocabulary are never set.
    fn clear_tail(&mut self) {
        let used = self.vocab_size % 32;
        if used > 0 {
            let last = self.words.last_mut().expect("a part of a word is a word");
            *last &= (1 << used) - 1;
        }
    }
}

impl fmt::Debug for TokenMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TokenMask({} of {})", self.count(), self.vocab_size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_holds_the_vocabulary_and_no_more() {
        for vocab_size in [1, 31, 32, 33, 64, 100] {
            let mut mask = TokenMask::all(vocab_size);
            assert_eq!(mask.count(), vocab_size);
            assert!(!mask.is_allowed(vocab_size as u32));
            mask.allow(vocab_size as u32);
            mask.forbid(vocab_size as u32);
            assert_eq!(mask.count(), vocab_size);
            mask.copy_from_words(&[u32::MAX; 9]);
            assert_eq!(mask.count(), vocab_size);
            mask.copy_from_words(&[1]);
            assert_eq!((mask.count(), mask.is_allowed(0)), (1, true));
            mask.forbid_all();
            mask.allow(vocab_size as u32 - 1);
            assert_eq!((mask.count(), mask.is_allowed(vocab_size as u32 - 1)), (1, true));
            mask.forbid(vocab_size as u32 - 1);
            assert_eq!(mask.count(), 0);
        }
    }
}
