//! The pre-tokenizers that GGUF files name, as Hugging Face pre-tokenizer steps.

use serde_json::{Value, json};

/// How text is cut before byte-level merging, and the habits of models that do so.
pub(super) struct PreTokenizer {
    names: &'static [&'static str],
    steps: &'static [Step],
    /// Text is brought to Unicode's composed form first.
    pub(super) composes: bool,
    /// A piece that is a token is taken whole, without merging.
    pub(super) ignores_merges: bool,
    /// A start token is added where the file does not say.
    pub(super) adds_bos: bool,
}

enum Step {
    /// Each match of the pattern is a piece.
    Split(&'static str),
    /// Each numeric character is a piece.
    Digits,
    /// GPT-2's own pattern, built into the byte-level step.
    Gpt2,
}

const LLAMA3: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);
const QWEN2: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);
const GPT4O: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);
const TEKKEN: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*",
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);
const DEEPSEEK3_DIGITS: &str = r"\p{N}{1,3}";
const DEEPSEEK3_CJK: &str = "[\u{4e00}-\u{9fa5}\u{3040}-\u{309f}\u{30a0}-\u{30ff}]+";
const DEEPSEEK3_WORDS: &str = concat!(
    r##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"##,
    r"|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);

static PRE_TOKENIZERS: [PreTokenizer; 9] = [
    plain(&["gpt-2", "phi-2", "olmo", "mpt", "gigachat"], &[Step::Gpt2]),
    plain(&["smollm", "starcoder", "refact", "codeshell"], &[Step::Digits, Step::Gpt2]),
    PreTokenizer {
        ignores_merges: true,
        adds_bos: true,
        ..plain(&["llama-bpe", "llama3", "llama-v3", "falcon3", "pixtral"], &[Step::Split(LLAMA3)])
    },
    plain(&["smaug-bpe", "dbrx"], &[Step::Split(LLAMA3)]),
    PreTokenizer { composes: true, ..plain(&["qwen2"], &[Step::Split(QWEN2)]) },
    plain(&["deepseek-r1-qwen"], &[Step::Split(QWEN2)]),
    PreTokenizer { ignores_merges: true, ..plain(&["gpt-4o", "llama4"], &[Step::Split(GPT4O)]) },
    PreTokenizer {
        ignores_merges: true,
        adds_bos: true,
        ..plain(&["tekken"], &[Step::Split(TEKKEN)])
    },
    plain(
        &["deepseek-v3"],
        &[Step::Split(DEEPSEEK3_DIGITS), Step::Split(DEEPSEEK3_CJK), Step::Split(DEEPSEEK3_WORDS)],
    ),
];

const fn plain(names: &'static [&'static str], steps: &'static [Step]) -> PreTokenizer {
    PreTokenizer { names, steps, composes: false, ignores_merges: false, adds_bos: false }
}

/// The pre-tokenizer that files call `name`.
pub(super) fn find(name: &str) -> Option<&'static PreTokenizer> {
    PRE_TOKENIZERS.iter().find(|pre| pre.names.contains(&name))
}

/// Every known name, for refusals.
pub(super) fn names() -> String {
    PRE_TOKENIZERS.iter().flat_map(|pre| pre.names).copied().collect::<Vec<_>>().join(", ")
}

impl PreTokenizer {
    /// The `pre_tokenizer` of a `tokenizer.json`; the last step spells pieces in the byte alphabet.
    pub(super) fn to_json(&self) -> Value {
        let byte_level = |cuts: bool| {
            json!({
                "type": "ByteLevel",
                "add_prefix_space": false,
                "trim_offsets": false,
                "use_regex": cuts,
            })
        };
        let mut steps: Vec<Value> = self
            .steps
            .iter()
            .map(|step| match step {
                Step::Split(pattern) => json!({
                    "type": "Split",
                    "pattern": {"Regex": pattern},
                    "behavior": "Isolated",
                    "invert": false,
                }),
                Step::Digits => json!({"type": "Digits", "individual_digits": true}),
                Step::Gpt2 => byte_level(true),
            })
            .collect();
        if !matches!(self.steps.last(), Some(Step::Gpt2)) {
            steps.push(byte_level(false));
        }
        json!({"type": "Sequence", "pretokenizers": steps})
    }
}
