//! The fields about a model's reasoning.

use serde_json::{Map, Value};

use crate::api_error::ApiError;
use crate::controls::Limits;
use crate::fields::Fields;

/// How the model reasons, and what of it the client sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thinking {
    /// The most tokens that reasoning may have; then it is closed.
    pub budget: Option<u32>,
    /// Whether a model that does not reason may leave the budget aside.
    pub is_hint: bool,
    /// Whether reasoning is told apart from the answer; else it is part of its text.
    pub split: bool,
    /// Whether it is in the reply.
    pub show: bool,
}

impl Default for Thinking {
    fn default() -> Self {
        Self { budget: None, is_hint: false, split: true, show: true }
    }
}

impl Thinking {
    /// Reads the fields. What only the template knows about (`enable_thinking`,
    /// `reasoning_effort`) becomes a variable of it.
    pub fn parse(
        fields: &mut Fields,
        limits: &Limits,
        variables: &mut Map<String, Value>,
    ) -> Result<Self, ApiError> {
        if let Some(effort) = fields.string("reasoning_effort")? {
            if effort == "none" {
                variables.entry("enable_thinking").or_insert(Value::Bool(false));
            }
            variables.insert("reasoning_effort".to_owned(), Value::String(effort));
        }
        if let Some(enable) = fields.boolean("enable_thinking")? {
            variables.insert("enable_thinking".to_owned(), Value::Bool(enable));
        }
        let budget = parse_budget(fields, "reasoning_budget", limits)?;
        let budget = budget.or(parse_budget(fields, "thinking_budget", limits)?);
        let format = fields.string("reasoning_format")?;
        let split = match format.as_deref() {
            None | Some("auto" | "deepseek") => true,
            Some("none") => false,
            Some(other) => {
                let expected = "`auto`, `deepseek` or `none`";
                return Err(ApiError::wrong_value("reasoning_format", expected, &other.into()));
            }
        };
        let show = fields.boolean("include_reasoning")?.unwrap_or(true);
        Ok(Self { budget, is_hint: false, split, show })
    }
}

/// -1 sets no limit.
fn parse_budget(fields: &mut Fields, name: &str, limits: &Limits) -> Result<Option<u32>, ApiError> {
    let most = i64::try_from(limits.context_length).unwrap_or(i64::MAX).min(u32::MAX.into());
    Ok(fields.integer(name, -1..=most)?.and_then(|tokens| u32::try_from(tokens).ok()))
}
