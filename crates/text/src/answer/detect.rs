//! How a model writes its answers, as its chat template shows.

use crate::model::TextModel;

/// How a model writes reasoning and calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnswerFormat {
    /// The tags around its reasoning. Harmony has channels instead.
    pub reasoning: Option<ReasoningTags>,
    /// The form of its calls; `None` if the template knows no tools, or a form unknown here.
    pub calls: Option<CallFormat>,
    /// Whether the template shows tools at all.
    pub shows_tools: bool,
}

/// The tags around reasoning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReasoningTags {
    /// The first.
    pub open: &'static str,
    /// The last.
    pub close: &'static str,
}

/// The forms of calls that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallFormat {
    /// `<tool_call>` and JSON (Hermes, Qwen 2.5 and 3).
    Hermes,
    /// JSON alone (Llama 3).
    Llama3,
    /// `[TOOL_CALLS]` (Mistral).
    Mistral {
        /// `name[ARGS]{…}` and not a list of objects.
        bare_names: bool,
    },
    /// Channels (gpt-oss).
    Harmony,
    /// `<function=…>` (Qwen3-Coder).
    QwenXml,
    /// `<arg_key>` (GLM).
    Glm,
}

impl CallFormat {
    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hermes => "hermes",
            Self::Llama3 => "llama3-json",
            Self::Mistral { .. } => "mistral",
            Self::Harmony => "harmony",
            Self::QwenXml => "qwen3-coder-xml",
            Self::Glm => "glm",
        }
    }
}

const TAGS: [ReasoningTags; 2] = [
    ReasoningTags { open: "<think>", close: "</think>" },
    ReasoningTags { open: "[THINK]", close: "[/THINK]" },
];

impl AnswerFormat {
    /// Of a template's source.
    pub fn of_template(source: &str) -> Self {
        let has = |text: &str| source.contains(text);
        let calls = if has("<|channel|>") && has("<|message|>") {
            Some(CallFormat::Harmony)
        } else if has("<function=") {
            Some(CallFormat::QwenXml)
        } else if has("<arg_key>") {
            Some(CallFormat::Glm)
        } else if has("[TOOL_CALLS]") {
            Some(CallFormat::Mistral { bare_names: has("[ARGS]") })
        } else if has("<tool_call>") {
            Some(CallFormat::Hermes)
        } else if has("<|python_tag|>") || (has("ipython") && has("parameters")) {
            Some(CallFormat::Llama3)
        } else {
            None
        };
        let shows_tools = has("tools");
        let tags = |tags: &&ReasoningTags| has(tags.open) || has(tags.close);
        let reasoning = TAGS.iter().find(tags).copied();
        let is_harmony = calls == Some(CallFormat::Harmony);
        Self {
            reasoning: reasoning.filter(|_| !is_harmony),
            calls: calls.filter(|_| shows_tools || is_harmony),
            shows_tools,
        }
    }

    /// Whether the prompt that was rendered ends inside the reasoning.
    pub fn opens_reasoning(&self, prompt: &str) -> bool {
        self.reasoning.is_some_and(|tags| prompt.trim_end().ends_with(tags.open))
    }

    /// Whether the prompt that was rendered has closed the reasoning already.
    pub fn closes_reasoning(&self, prompt: &str) -> bool {
        self.reasoning.is_some_and(|tags| prompt.trim_end().ends_with(tags.close))
    }

    /// Whether control tokens must show in the text that is parsed: formats and tags that are
    /// written in them could not be seen otherwise.
    pub fn needs_control_tokens(&self, model: &TextModel, with_tools: bool) -> bool {
        let is_control = |text: &str| model.token_id(text).is_some_and(|id| model.is_special(id));
        let tags =
            self.reasoning.is_some_and(|tags| is_control(tags.open) || is_control(tags.close));
        let calls = match self.calls {
            Some(CallFormat::Harmony) => true,
            _ if !with_tools => false,
            Some(CallFormat::Hermes | CallFormat::QwenXml | CallFormat::Glm) => {
                is_control("<tool_call>")
            }
            Some(CallFormat::Llama3) => is_control("<|python_tag|>"),
            Some(CallFormat::Mistral { .. }) => is_control("[TOOL_CALLS]"),
            None => false,
        };
        tags || calls
    }
}

impl TextModel {
    /// How this model writes its answers, with tools or without: the two may have templates of
    /// their own.
    pub fn answer_format(&self, with_tools: bool) -> AnswerFormat {
        let Some(template) = self.template() else {
            return AnswerFormat::default();
        };
        let mut format = AnswerFormat::of_template(template.source_for(with_tools));
        // Some templates leave the tags to the model.
        if format.reasoning.is_none() && format.calls != Some(CallFormat::Harmony) {
            let known = |tags: &&ReasoningTags| {
                self.token_id(tags.open).is_some() && self.token_id(tags.close).is_some()
            };
            format.reasoning = TAGS.iter().find(known).copied();
        }
        format
    }
}
