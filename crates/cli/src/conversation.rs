//! A conversation with a model on this machine: what was said, and the next answer.

use std::io::Write;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tyto_engine::{
    Engine, Event, FinishReason, GenerateRequest, Generation, SamplingParams, SubmitError, Usage,
};
use tyto_text::{LocalTime, RenderInput, TextModel};

use crate::error::Error;

/// What was said so far, and how to answer.
pub struct Conversation {
    engine: Engine,
    text: Arc<TextModel>,
    system: Option<String>,
    messages: Vec<Value>,
    sampling: SamplingParams,
    max_tokens: Option<u32>,
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ending {
    /// By itself; `cut` if a limit ended it.
    Complete {
        /// Counts and times.
        usage: Usage,
        /// The answer is longer than it may be.
        cut: bool,
    },
    /// Ctrl-C.
    Interrupted,
}

impl Conversation {
    /// Begins with `system`, if given, before the first message.
    pub fn new(
        engine: Engine,
        text: Arc<TextModel>,
        system: Option<String>,
        sampling: SamplingParams,
        max_tokens: Option<u32>,
    ) -> Self {
        Self { engine, text, system, messages: Vec::new(), sampling, max_tokens }
    }

    /// Whether the model was made for conversations. Without a chat template each prompt is
    /// a text to continue, with nothing before it.
    pub fn is_chat(&self) -> bool {
        self.text.template().is_some()
    }

    /// Forgets what was said.
    pub fn reset(&mut self) {
        self.messages.clear();
    }

    /// Writes the answer to `prompt` as it comes. What went wrong, or was interrupted, is no
    /// part of the conversation afterwards.
    pub async fn ask(&mut self, prompt: &str, output: &mut impl Write) -> Result<Ending, Error> {
        let before = self.messages.len();
        self.messages.push(json!({"role": "user", "content": prompt}));
        let mut answer = String::new();
        let ending = self.answer(prompt, &mut answer, output).await;
        if matches!(ending, Ok(Ending::Complete { .. })) {
            self.messages.push(json!({"role": "assistant", "content": answer}));
        } else {
            self.messages.truncate(before);
        }
        ending
    }

    async fn answer(
        &self,
        prompt: &str,
        answer: &mut String,
        output: &mut impl Write,
    ) -> Result<Ending, Error> {
        let mut request = GenerateRequest::new(self.encode(prompt)?);
        request.sampling = self.sampling.clone();
        request.max_tokens = self.max_tokens;
        let mut interrupt = signal(SignalKind::interrupt()).map_err(Error::ours)?;
        let mut generation = self.engine.submit(request).map_err(submit_error)?;
        let show = |text: &str, answer: &mut String, output: &mut dyn Write| {
            answer.push_str(text);
            output.write_all(text.as_bytes())?;
            output.flush()
        };
        loop {
            match next_event(&mut generation, &mut interrupt).await? {
                None => return Ok(Ending::Interrupted),
                Some(Event::Tokens { text, .. }) => show(&text, answer, output)?,
                Some(Event::Finished { reason, text, usage }) => {
                    show(&text, answer, output)?;
                    return Ok(Ending::Complete { usage, cut: reason == FinishReason::Length });
                }
                Some(Event::Vector { .. }) => unreachable!("the text goes on"),
                Some(Event::Failed { message, .. }) => {
                    return Err(Error::ours(anyhow::anyhow!(message)));
                }
            }
        }
    }

    fn encode(&self, prompt: &str) -> Result<Vec<u32>, Error> {
        let Some(template) = self.text.template() else {
            return self.text.encode(prompt, true).map_err(Error::user_from);
        };
        let system = self.system.iter().map(|text| json!({"role": "system", "content": text}));
        let messages = Value::Array(system.chain(self.messages.iter().cloned()).collect());
        let input = RenderInput {
            messages: &messages,
            tools: None,
            add_generation_prompt: true,
            extra: &Map::new(),
            now: LocalTime::now(),
        };
        let rendered = template.render(&input).map_err(Error::user_from)?;
        self.text.encode(&rendered, false).map_err(Error::user_from)
    }
}

/// The next event; `None` after Ctrl-C, which then belongs to this answer only.
async fn next_event(
    generation: &mut Generation,
    interrupt: &mut Signal,
) -> Result<Option<Event>, Error> {
    tokio::select! {
        event = generation.next() => match event {
            Some(event) => Ok(Some(event)),
            None => Err(Error::ours(anyhow::anyhow!("the engine stopped in the middle of an answer"))),
        },
        _ = interrupt.recv() => Ok(None),
    }
}

fn submit_error(error: SubmitError) -> Error {
    match error {
        SubmitError::Invalid { .. }
        | SubmitError::PromptTooLong { .. }
        | SubmitError::TextTooLong { .. }
        | SubmitError::WritesNoText
        | SubmitError::MakesNoVectors => Error::user_from(error),
        SubmitError::QueueFull { .. } | SubmitError::Stopped => Error::ours(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tyto_engine::testing::{
        END, TEXT_MODEL_VOCAB, TableExecutor, small_limits, text_model_with,
    };
    use tyto_engine::{EngineConfig, ExecutorError};

    const TEMPLATE: &str =
        "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}[assistant]";

    /// A model that always answers `answer`, and the conversation with it.
    fn conversation(answer: &str) -> (Conversation, tyto_engine::testing::TableControl) {
        let tokens = answer.bytes().map(u32::from).chain([END]).collect();
        let executor = TableExecutor::script(small_limits(TEXT_MODEL_VOCAB), tokens);
        let control = executor.control();
        let text = text_model_with(&[], Some(TEMPLATE));
        let factory = move || Ok(Box::new(executor) as _);
        let engine = Engine::start(EngineConfig::new("test"), text.clone(), factory);
        let engine = engine.expect("the test engine starts");
        let system = Some("be kind".to_owned());
        let greedy = SamplingParams::greedy();
        (Conversation::new(engine, text, system, greedy, None), control)
    }

    /// What the model has before it after its last step: each step's tokens go on from where they say, over
    /// what the cache still holds of the text before.
    fn prompt_of(control: &tyto_engine::testing::TableControl) -> String {
        let mut text = Vec::new();
        for step in control.steps() {
            text.truncate(step.rows[0].first_position);
            text.extend_from_slice(&step.rows[0].tokens);
        }
        let bytes = text.into_iter().filter_map(|token| u8::try_from(token).ok()).collect();
        String::from_utf8(bytes).expect("prompts are text")
    }

    #[tokio::test]
    async fn each_turn_sees_those_before_it_until_a_reset() {
        let (mut conversation, control) = conversation("Hi!");
        let mut output = Vec::new();
        let ending = conversation.ask("one", &mut output).await.expect("an answer");
        assert!(matches!(ending, Ending::Complete { cut: false, .. }));
        assert_eq!(output, b"Hi!");
        conversation.ask("two", &mut output).await.expect("an answer");
        let seen = prompt_of(&control);
        assert!(
            seen.starts_with("[system]be kind[user]one[assistant]Hi![user]two[assistant]"),
            "{seen}"
        );
        conversation.reset();
        conversation.ask("three", &mut output).await.expect("an answer");
        assert!(prompt_of(&control).starts_with("[system]be kind[user]three[assistant]"));
    }

    #[tokio::test]
    async fn a_failed_turn_leaves_no_trace() {
        let (mut conversation, control) = conversation("Hi!");
        let mut output = Vec::new();
        control.fail_next(ExecutorError::new("the step broke"));
        let failed = conversation.ask("one", &mut output).await;
        assert!(matches!(failed, Err(Error::Ours(_))));
        let long = "x".repeat(1000);
        assert!(matches!(conversation.ask(&long, &mut output).await, Err(Error::User(_))));
        conversation.ask("two", &mut output).await.expect("an answer");
        assert!(prompt_of(&control).starts_with("[system]be kind[user]two[assistant]"));
    }

    #[tokio::test]
    async fn an_answer_that_its_limit_ends_says_so() {
        let (mut conversation, _control) = conversation("Hi!");
        conversation.max_tokens = Some(2);
        let mut output = Vec::new();
        let ending = conversation.ask("one", &mut output).await.expect("an answer");
        assert!(matches!(ending, Ending::Complete { cut: true, .. }));
        assert_eq!(output, b"Hi");
    }
}
