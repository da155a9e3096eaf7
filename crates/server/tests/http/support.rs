//! A real server on a free port over an engine whose answers are known in advance, and a
//! client that speaks plain HTTP to it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tyto_engine::testing::{self, END, TableControl, TableExecutor};
use tyto_engine::{Engine, EngineConfig, ExecutorLimits, ShutdownReport};
use tyto_server::{Error, Server, ServerOptions};
use tyto_text::{TextModel, TextSources};

/// Every message between brackets, then the assistant's turn. Refuses a system message, as
/// some published templates do.
pub const TEMPLATE: &str = "\
{%- for message in messages -%}
{%- if message.role == 'system' -%}{{ raise_exception('System role not supported') }}{%- endif -%}
[{{ message.role }}]{{ message.content }}
{%- endfor -%}
{%- if add_generation_prompt -%}[assistant]{%- endif -%}";

/// Knows tools, reasoning and a system message.
pub const AGENT_TEMPLATE: &str = "\
{%- for message in messages -%}[{{ message.role }}]{{ message.content }}\
{%- for call in message.tool_calls or [] -%}<tool_call>{{ call.function.name }}{{ call.function.arguments | tojson }}{%- endfor -%}\
{%- endfor -%}{% if tools %}{{ tools | length }} tools</think>{% endif %}[assistant]";

/// Reasoning, text and a call, as a model with [`AGENT_TEMPLATE`] writes them.
pub const AGENT_ANSWER: &str = "<think>Hm.</think>I look.<tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"Bonn\"}}</tool_call>";

/// Everything that a test may choose before the server starts.
pub struct Setup {
    pub executor: TableExecutor,
    pub text_model: Arc<TextModel>,
    pub options: ServerOptions,
    pub config: EngineConfig,
}

impl Setup {
    /// A model that answers everything with `answer` and then ends.
    pub fn answering(answer: &str) -> Self {
        Self::emitting(answer.as_bytes())
    }

    /// The same for bytes that may be no text.
    pub fn emitting(answer: &[u8]) -> Self {
        let tokens = answer.iter().map(|&byte| u32::from(byte)).chain([END]).collect();
        Self::of(TableExecutor::script(limits(), tokens))
    }

    /// A model whose answer depends on every token before it.
    pub fn hashing() -> Self {
        Self::of(TableExecutor::history_hash(limits(), 7))
    }

    /// A model that says `a` for ever, with a context that no test reaches the end of.
    pub fn endless() -> Self {
        let limits = ExecutorLimits { context_length: 40_000, n_blocks: 10_001, ..limits() };
        Self::of(TableExecutor::table(limits, |_| u32::from(b'a')))
    }

    /// Any model over the byte tokenizer.
    pub fn of(executor: TableExecutor) -> Self {
        Self {
            executor,
            text_model: testing::text_model_with(&[], Some(TEMPLATE)),
            options: ServerOptions {
                listen: SocketAddr::from(([127, 0, 0, 1], 0)),
                ..ServerOptions::default()
            },
            config: EngineConfig::new("test-model"),
        }
    }

    /// A model with [`AGENT_TEMPLATE`] that always says `answer`.
    pub fn agent(answer: &str) -> Self {
        let text_model = testing::text_model_with(&[], Some(AGENT_TEMPLATE));
        Self { text_model, ..Self::answering(answer) }
    }

    pub async fn start(self) -> TestServer {
        let control = self.executor.control();
        let executor = self.executor;
        let factory = move || Ok(Box::new(executor) as _);
        let engine = Engine::start(self.config, self.text_model.clone(), factory)
            .expect("the test engine starts");
        let server = Server::bind(engine.clone(), self.text_model, self.options)
            .await
            .expect("the system has a free port");
        let (base, address) = (server.url(), server.address().expect("a port"));
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(server.run(async move { drop(stopped.await) }));
        TestServer { client: Client::new(), base, address, engine, control, stop, running }
    }
}

/// The sizes of the byte model.
pub fn limits() -> ExecutorLimits {
    testing::small_limits(testing::TEXT_MODEL_VOCAB)
}

/// A running server.
pub struct TestServer {
    pub client: Client,
    pub base: String,
    pub address: SocketAddr,
    pub engine: Engine,
    pub control: TableControl,
    pub stop: oneshot::Sender<()>,
    pub running: JoinHandle<Result<ShutdownReport, Error>>,
}

impl TestServer {
    pub fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(format!("{}{path}", self.base))
    }

    pub fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        self.client.post(format!("{}{path}", self.base)).json(body)
    }

    /// Sends a chat and gives its reply, whatever it is.
    pub async fn send_chat(&self, body: Value) -> Response {
        self.post("/v1/chat/completions", &body).send().await.expect("a reply")
    }

    pub async fn send_completion(&self, body: Value) -> Response {
        self.post("/v1/completions", &body).send().await.expect("a reply")
    }

    /// A chat of one user message with more fields, which must succeed.
    pub async fn chat(&self, fields: Value) -> Value {
        ok(self.send_chat(chat_body(fields)).await).await
    }

    /// A chat that must succeed, streamed.
    pub async fn stream_chat(&self, fields: Value) -> Streamed {
        let mut body = chat_body(fields);
        body["stream"] = json!(true);
        streamed(self.send_chat(body).await).await
    }

    pub async fn complete(&self, fields: Value) -> Value {
        ok(self.send_completion(completion_body(fields)).await).await
    }

    pub async fn stream_completion(&self, fields: Value) -> Streamed {
        let mut body = completion_body(fields);
        body["stream"] = json!(true);
        streamed(self.send_completion(body).await).await
    }

    /// A chat that must be refused with 400; gives the error object.
    pub async fn refused_chat(&self, fields: Value) -> Value {
        error(self.send_chat(chat_body(fields)).await, StatusCode::BAD_REQUEST).await
    }

    pub async fn refused_completion(&self, fields: Value) -> Value {
        let reply = self.send_completion(completion_body(fields)).await;
        error(reply, StatusCode::BAD_REQUEST).await
    }

    /// Waits, without a clock, until `count` steps have begun.
    pub async fn steps_begun(&self, count: usize) {
        let control = self.control.clone();
        tokio::task::spawn_blocking(move || control.wait_for_steps(count)).await.expect("no panic");
    }

    /// Looks again and again until the engine's figures satisfy `right`.
    pub async fn until(&self, right: impl Fn(tyto_engine::EngineStats) -> bool) {
        while !right(self.engine.stats()) {
            tokio::task::yield_now().await;
        }
    }
}

fn chat_body(fields: Value) -> Value {
    with_fields(json!({"messages": [{"role": "user", "content": "hi"}], "temperature": 0}), fields)
}

fn completion_body(fields: Value) -> Value {
    with_fields(json!({"prompt": "hi", "max_tokens": 64, "temperature": 0}), fields)
}

fn with_fields(mut body: Value, fields: Value) -> Value {
    for (name, value) in fields.as_object().expect("the test gives an object") {
        body[name] = value.clone();
    }
    body
}

/// The JSON of a reply that must be 200.
pub async fn ok(response: Response) -> Value {
    let status = response.status();
    let text = response.text().await.expect("a body");
    assert_eq!(status, StatusCode::OK, "{text}");
    serde_json::from_str(&text).expect("the reply is JSON")
}

/// The error object of a reply that must have `status`.
pub async fn error(response: Response, status: StatusCode) -> Value {
    let found = response.status();
    let text = response.text().await.expect("a body");
    assert_eq!(found, status, "{text}");
    let body: Value = serde_json::from_str(&text).expect("an error's body is JSON");
    let error = &body["error"];
    assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{text}");
    assert!(error["type"].is_string(), "{text}");
    for field in ["param", "code"] {
        assert!(
            error.get(field).is_some_and(|value| value.is_string() || value.is_null()),
            "{text}"
        );
    }
    error.clone()
}

/// A complete stream, with its comment lines taken out.
pub struct Streamed {
    pub chunks: Vec<Value>,
}

impl Streamed {
    /// The text of the choice at `index`, of either endpoint.
    pub fn text(&self, index: usize) -> String {
        let choices = self.choices(index);
        let text = |choice: &&Value| {
            let text = if choice["delta"].is_object() {
                &choice["delta"]["content"]
            } else {
                &choice["text"]
            };
            text.as_str().map(str::to_owned)
        };
        choices.iter().filter_map(text).collect()
    }

    /// What the chunks say of the choice at `index`.
    pub fn choices(&self, index: usize) -> Vec<&Value> {
        let all = self.chunks.iter().filter_map(|chunk| chunk["choices"].as_array()).flatten();
        all.filter(|choice| choice["index"] == index).collect()
    }

    /// The finish reasons of the choice at `index` that are not null.
    pub fn reasons(&self, index: usize) -> Vec<&str> {
        let choices = self.choices(index).into_iter();
        choices.filter_map(|choice| choice["finish_reason"].as_str()).collect()
    }
}

/// Reads a stream that must be well formed to its end.
pub async fn streamed(response: Response) -> Streamed {
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    parse_stream(&response.text().await.expect("a body"))
}

/// Checks the bytes of a stream: `data: JSON` or a comment, each before an empty line, and
/// `data: [DONE]` once, at the end.
pub fn parse_stream(text: &str) -> Streamed {
    let mut events: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(events.pop(), Some(""), "the last event ends with an empty line");
    assert_eq!(events.pop(), Some("data: [DONE]"), "the stream ends with [DONE]");
    let chunk = |event: &&str| {
        let data = event.strip_prefix("data: ").unwrap_or_else(|| panic!("no event: {event:?}"));
        serde_json::from_str(data).unwrap_or_else(|error| panic!("{error}: {data}"))
    };
    let chunks = events.iter().filter(|event| !event.starts_with(':')).map(chunk).collect();
    Streamed { chunks }
}

/// Keep-alive comments as fast as the clock allows.
pub const IMPATIENT: Duration = Duration::from_millis(1);

/// A tokenizer of three words, with sampling defaults as generation_config.json has them.
pub fn text_model_with_defaults(generation_config: Value) -> Arc<TextModel> {
    let vocab = json!({"x": 0, "a": b'a', "b": b'b'});
    let tokenizer = json!({
        "version": "1.0",
        "added_tokens": [],
        "model": {"type": "WordLevel", "vocab": vocab, "unk_token": "x"},
        "decoder": {"type": "Fuse"},
    });
    let sources = TextSources {
        tokenizer: tokenizer.to_string().into_bytes(),
        generation_config,
        ..TextSources::default()
    };
    Arc::new(TextModel::from_sources(&sources).expect("the test tokenizer is valid"))
}
