//! What the engine's tests share: starting one, and reading an answer to its end.

use std::sync::Arc;

use tyto_engine::testing::{
    TEXT_MODEL_VOCAB, TableControl, TableExecutor, byte_text_model, small_limits,
};
use tyto_engine::{
    Engine, EngineConfig, Event, ExecutorLimits, FinishReason, GenerateRequest, Generation,
    SamplingParams, TokenInfo, Usage,
};
use tyto_text::TextModel;

/// Everything that one request gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The text of each event, the last one's tail included.
    pub pieces: Vec<String>,
    pub tokens: Vec<TokenInfo>,
    pub end: End,
    pub usage: Usage,
}

#[derive(Debug, Clone, PartialEq)]
pub enum End {
    Finished(FinishReason),
    Failed(String),
    /// The engine's channel closed without a last event.
    Vanished,
}

impl Answer {
    pub fn text(&self) -> String {
        self.pieces.concat()
    }

    pub fn ids(&self) -> Vec<u32> {
        self.tokens.iter().map(|token| token.id).collect()
    }

    /// Text, ids, log probabilities and the reason: all that must not depend on others.
    pub fn content(&self) -> (String, &[TokenInfo], &End) {
        (self.text(), &self.tokens, &self.end)
    }

    pub fn reason(&self) -> FinishReason {
        match &self.end {
            End::Finished(reason) => *reason,
            other => panic!("not finished: {other:?}"),
        }
    }

    pub fn failure(&self) -> &str {
        match &self.end {
            End::Failed(message) => message,
            other => panic!("not failed: {other:?}"),
        }
    }
}

pub fn collect(mut generation: Generation) -> Answer {
    let (mut pieces, mut tokens) = (Vec::new(), Vec::new());
    let (end, usage) = loop {
        match generation.blocking_next() {
            Some(Event::Tokens { text, tokens: more }) => {
                pieces.push(text);
                tokens.extend(more);
            }
            Some(Event::Finished { reason, text, usage }) => {
                pieces.push(text);
                break (End::Finished(reason), usage);
            }
            Some(Event::Vector { .. }) => panic!("the text goes on"),
            Some(Event::Failed { message, .. }) => break (End::Failed(message), Usage::default()),
            None => break (End::Vanished, Usage::default()),
        }
    };
    assert_eq!(generation.blocking_next(), None, "nothing comes after the end");
    if matches!(end, End::Finished(_)) {
        assert_eq!(usage.completion_tokens as usize, tokens.len(), "every token is counted once");
    }
    Answer { pieces, tokens, end, usage }
}

pub fn limits() -> ExecutorLimits {
    small_limits(TEXT_MODEL_VOCAB)
}

pub fn start(executor: TableExecutor) -> (Engine, TableControl) {
    start_with(byte_text_model(), EngineConfig::new("test"), executor)
}

pub fn start_with(
    text: Arc<TextModel>,
    config: EngineConfig,
    executor: TableExecutor,
) -> (Engine, TableControl) {
    let control = executor.control();
    let engine = Engine::start(config, text, || Ok(Box::new(executor))).expect("it starts");
    (engine, control)
}

/// The answer to one request on an engine where others may run.
pub fn ask(engine: &Engine, request: &GenerateRequest) -> Answer {
    collect(engine.submit(request.clone()).expect("the request is good"))
}

pub fn prompt(text: &str) -> GenerateRequest {
    GenerateRequest::new(text.bytes().map(u32::from).collect())
}

pub fn seeded(seed: u64) -> SamplingParams {
    SamplingParams { temperature: 1.0, seed: Some(seed), ..SamplingParams::greedy() }
}

pub fn assert_all_free(engine: &Engine) {
    let stats = engine.stats();
    assert_eq!((stats.free_blocks, stats.queued, stats.running), (stats.total_blocks, 0, 0));
}
