//! How the next token is chosen: the values of a request, and what each may be.

/// How the next token is chosen from the model's logits.
///
/// In this order: `logit_bias`, the penalties (repetition, then frequency, then presence), DRY,
/// what a constraint and `min_tokens` forbid; then with `temperature` 0 the highest logit (of
/// equal ones the lowest id), else `temperature`, `min_p`, `top_k`, `typical_p`, `top_p`, XTC,
/// each on what the one before left, renormalised, and a draw from the rest. It is vLLM's order
/// where vLLM has the parameter; DRY, `typical_p` and XTC are in the places that llama.cpp gives
/// them among the others.
#[derive(Debug, Clone, PartialEq)]
pub struct SamplingParams {
    /// Divides the logits. 0 always takes the most likely token.
    pub temperature: f32,
    /// Keep only this many of the most likely tokens. `None` and `Some(0)` keep all.
    pub top_k: Option<u32>,
    /// Keep the most likely tokens until their probabilities add up to this; at least one.
    pub top_p: f32,
    /// Keep tokens at least this fraction as likely as the most likely one.
    pub min_p: f32,
    /// Keep the tokens whose surprise, -ln p, is nearest to the expected one, until their
    /// probabilities add up to this; at least one. 1 keeps all.
    pub typical_p: f32,
    /// Leaves out the most likely tokens now and then.
    pub xtc: Xtc,
    /// Makes what would repeat a sequence of the text less likely.
    pub dry: Dry,
    /// Equal seeds give equal texts, whatever else runs. `None` takes a new one each time.
    pub seed: Option<u64>,
    /// Divides positive logits, and multiplies negative ones, of ids that are in the prompt
    /// or in the answer.
    pub repetition_penalty: f32,
    /// Subtracted from the logits of ids that are in the answer.
    pub presence_penalty: f32,
    /// Subtracted from the logits of ids in the answer, once for each occurrence.
    pub frequency_penalty: f32,
    /// Added to the logits of these ids.
    pub logit_bias: Vec<(u32, f32)>,
}

impl SamplingParams {
    /// Always the most likely token.
    pub fn greedy() -> Self {
        Self {
            temperature: 0.0,
            top_k: None,
            top_p: 1.0,
            min_p: 0.0,
            typical_p: 1.0,
            xtc: Xtc::OFF,
            dry: Dry::off(),
            seed: None,
            repetition_penalty: 1.0,
            presence_penalty: 0.0,
            frequency_penalty: 0.0,
            logit_bias: Vec::new(),
        }
    }

    /// Checks every value by itself; ids against the vocabulary are the engine's part.
    pub fn validate(&self) -> Result<(), InvalidField> {
        let finite = "a finite number";
        check("temperature", self.temperature, "0 or a positive number", |t| t >= 0.0)?;
        check("top_p", self.top_p, "a number from 0 to 1", |p| (0.0..=1.0).contains(&p))?;
        check("min_p", self.min_p, "a number from 0 to 1", |p| (0.0..=1.0).contains(&p))?;
        check("typical_p", self.typical_p, "a number from 0 to 1", |p| (0.0..=1.0).contains(&p))?;
        self.xtc.validate()?;
        self.dry.validate()?;
        let (expected, range) = ("a number from 0.01 to 100", 0.01..=100.0);
        check("repetition_penalty", self.repetition_penalty, expected, |r| range.contains(&r))?;
        check("presence_penalty", self.presence_penalty, finite, |_| true)?;
        check("frequency_penalty", self.frequency_penalty, finite, |_| true)?;
        self.logit_bias
            .iter()
            .try_for_each(|&(_, bias)| check("logit_bias", bias, finite, |_| true))
    }
}

/// XTC ("exclude top choices"), as llama.cpp defines it: with `probability`, of the tokens that
/// are at least as likely as `threshold` all but the least likely one are left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Xtc {
    /// How often, from 0 (never) to 1 (at every token).
    pub probability: f32,
    /// From 0 to 1; above 0.5 no two tokens can reach it, so nothing is left out.
    pub threshold: f32,
}

impl Xtc {
    /// Never.
    pub const OFF: Self = Self { probability: 0.0, threshold: 0.1 };

    fn validate(&self) -> Result<(), InvalidField> {
        let range = |p: f32| (0.0..=1.0).contains(&p);
        check("xtc_probability", self.probability, "a number from 0 to 1", range)?;
        check("xtc_threshold", self.threshold, "a number from 0 to 1", range)
    }
}

/// DRY ("don't repeat yourself"), as llama.cpp defines it. If the text ends with a sequence of
/// `n` tokens that it held before, and `n` is at least `allowed_length`, the token that followed
/// there loses `multiplier * base^(n - allowed_length)`; the longest such sequence counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Dry {
    /// 0 turns it off; not negative.
    pub multiplier: f32,
    /// At least 1.
    pub base: f32,
    /// Repeated sequences shorter than this cost nothing.
    pub allowed_length: u32,
    /// How many of the last tokens of the text are looked at; `None` for all.
    pub last_n: Option<u32>,
    /// Sequences do not reach over a token whose text holds one of these.
    pub sequence_breakers: Vec<String>,
}

impl Dry {
    /// Turned off; the other values are llama.cpp's defaults.
    pub fn off() -> Self {
        Self {
            multiplier: 0.0,
            base: 1.75,
            allowed_length: 2,
            last_n: None,
            sequence_breakers: ["\n", ":", "\"", "*"].map(str::to_owned).to_vec(),
        }
    }

    fn validate(&self) -> Result<(), InvalidField> {
        check("dry_multiplier", self.multiplier, "0 or a positive number", |m| m >= 0.0)?;
        check("dry_base", self.base, "a number of at least 1", |b| b >= 1.0)?;
        match self.sequence_breakers.iter().any(String::is_empty) {
            true => Err(InvalidField {
                field: "dry_sequence_breakers",
                found: "an empty string".to_owned(),
                expected: "strings of one character or more".to_owned(),
            }),
            false => Ok(()),
        }
    }
}

fn check(
    field: &'static str,
    value: f32,
    expected: &'static str,
    right: impl Fn(f32) -> bool,
) -> Result<(), InvalidField> {
    if value.is_finite() && right(value) {
        return Ok(());
    }
    Err(InvalidField { field, found: value.to_string(), expected: expected.to_owned() })
}

/// A value of a request that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` is {found}; expected {expected}")]
pub struct InvalidField {
    /// The field's name in [`GenerateRequest`] or [`SamplingParams`].
    pub field: &'static str,
    /// What it held.
    pub found: String,
    /// What it may hold.
    pub expected: String,
}
