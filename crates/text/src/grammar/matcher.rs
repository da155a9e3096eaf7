//! One text that is being written under a grammar.

use llguidance::Matcher;
use llguidance::toktrie::SimpleVob;

/// Where a text stands in its grammar. Clones share caches and nothing else.
#[derive(Clone)]
pub struct GrammarMatcher {
    matcher: Matcher,
}

/// A step that cannot be done: a token that the mask forbids, or a grammar that takes more work
/// than one step may.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the grammar cannot go on: {message}")]
pub struct GrammarFault {
    message: String,
}

/// The tokens that may come next.
#[derive(Debug, Clone)]
pub struct TokenMask {
    bits: SimpleVob,
}

impl TokenMask {
    /// Whether this token may.
    pub fn allows(&self, id: u32) -> bool {
        (id as usize) < self.bits.len() && self.bits.is_allowed(id)
    }

    /// A bit for each id, the lowest bit of a word first. Bits at and above the vocabulary's size
    /// are 0.
    pub fn words(&self) -> &[u32] {
        self.bits.as_slice()
    }
}

impl GrammarMatcher {
    pub(super) fn new(matcher: Matcher) -> Self {
        Self { matcher }
    }

    /// The tokens that may come next; the ends of text are among them where the text may end, and
    /// alone once nothing else may follow.
    pub fn mask(&mut self) -> Result<TokenMask, GrammarFault> {
        let bits = self.matcher.compute_mask_or_eos().map_err(fault)?;
        Ok(TokenMask { bits })
    }

    /// Adds a token to the text.
    pub fn accept(&mut self, id: u32) -> Result<(), GrammarFault> {
        self.matcher.consume_token(id).map_err(fault)
    }

    /// How many of `ids` may follow one after the other. The text stays as it is.
    pub fn count_allowed(&mut self, ids: &[u32]) -> Result<usize, GrammarFault> {
        self.matcher.validate_tokens(ids).map_err(fault)
    }

    /// Takes the last `count` tokens back.
    pub fn rollback(&mut self, count: usize) -> Result<(), GrammarFault> {
        self.matcher.rollback(count).map_err(fault)
    }

    /// The tokens that must come next, whatever the model thinks; often none.
    pub fn forced(&mut self) -> Vec<u32> {
        if self.is_complete() { Vec::new() } else { self.matcher.compute_ff_tokens() }
    }

    /// Whether nothing but the end of the text may follow.
    pub fn is_complete(&self) -> bool {
        self.matcher.is_stopped()
    }

    /// Whether the text may end here.
    pub fn may_end(&mut self) -> bool {
        self.matcher.is_stopped() || self.matcher.is_accepting().unwrap_or(false)
    }
}

impl std::fmt::Debug for GrammarMatcher {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("GrammarMatcher")
    }
}

fn fault(error: impl std::fmt::Display) -> GrammarFault {
    let text = error.to_string();
    GrammarFault { message: text.lines().next().unwrap_or_default().to_owned() }
}
