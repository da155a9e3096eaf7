//! A hub: what it has, and its files.

use std::path::PathBuf;
use std::time::Duration;

use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::Value;

use crate::download;
use crate::error::Error;
use crate::name::{HubName, is_part};
use crate::selection::{self, RemoteFile};
use crate::store::{self, Store, StoredModel};

/// The hub where nobody names another.
const ENDPOINT: &str = "https://huggingface.co";
/// How often a file that breaks off is gone on with, without a byte coming in between.
const TRIES: u32 = 5;

/// A hub that speaks the API of the Hugging Face Hub.
#[derive(Clone)]
pub struct Hub {
    endpoint: String,
    token: Option<String>,
    /// Between two tries; each further one is longer.
    pause: Duration,
}

/// How far a model is.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// The file that is being loaded.
    pub file: &'a str,
    /// Bytes of the model that are there.
    pub done: u64,
    /// Bytes of the model, as far as the hub says.
    pub total: u64,
}

impl Hub {
    /// The hub at `endpoint`, a URL without a path.
    pub fn at(endpoint: &str, token: Option<String>, pause: Duration) -> Self {
        Self { endpoint: endpoint.trim_end_matches('/').to_owned(), token, pause }
    }

    /// The hub that the environment names, with its token: `HF_ENDPOINT`; `HF_TOKEN`, or the file
    /// that `HF_TOKEN_PATH` names, or `token` in `HF_HOME` or in `~/.cache/huggingface`.
    pub fn from_environment() -> Self {
        let text = |name: &str| std::env::var(name).ok().filter(|text| !text.trim().is_empty());
        let home = || text("HOME").map(|home| PathBuf::from(home).join(".cache/huggingface"));
        let file = || {
            let folder = || text("HF_HOME").map(PathBuf::from).or_else(home);
            text("HF_TOKEN_PATH").map(PathBuf::from).or_else(|| Some(folder()?.join("token")))
        };
        let token = text("HF_TOKEN").or_else(|| std::fs::read_to_string(file()?).ok());
        let token = token.map(|token| token.trim().to_owned()).filter(|token| !token.is_empty());
        let endpoint = text("HF_ENDPOINT").unwrap_or_else(|| ENDPOINT.to_owned());
        Self::at(&endpoint, token, Duration::from_secs(1))
    }

    /// Whether the environment forbids to ask hubs (`HF_HUB_OFFLINE`).
    pub fn is_offline() -> bool {
        let value = std::env::var("HF_HUB_OFFLINE").unwrap_or_default().to_lowercase();
        ["1", "true", "yes", "on"].contains(&value.as_str())
    }

    /// Loads a model into the store, or what of it is not there yet. Blocks until it is complete.
    pub fn pull(
        &self,
        store: &Store,
        name: &HubName,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<StoredModel, Error> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(Error::io(store.root()))?;
        runtime.block_on(self.load(store, name, progress))
    }

    async fn load(
        &self,
        store: &Store,
        name: &HubName,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<StoredModel, Error> {
        let client = Client::builder()
            .user_agent(concat!("tyto/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(Duration::from_secs(20))
            .read_timeout(Duration::from_secs(60))
            .build()
            .map_err(|error| network(name, "starting an HTTP client", &error))?;
        let (commit, files) = self.look_up(&client, name).await?;
        let files = selection::choose(name, &files)?;
        let _lock = store::lock(&store.folder(name))?;
        let folder = store.commit_folder(name, &commit);
        let total = files.iter().filter_map(|file| file.bytes).sum();
        let mut done = 0;
        let mut stored = Vec::with_capacity(files.len());
        for file in &files {
            let target = download::Target { name, file, folder: &folder };
            let mut tell =
                |bytes| progress(Progress { file: &file.name, done: done + bytes, total });
            let made = self.fetch(&client, &commit, target, &mut tell).await?;
            done += made.bytes;
            stored.push(made);
        }
        store.record(name, &commit, stored)
    }

    /// The commit of the revision, and its files.
    async fn look_up(
        &self,
        client: &Client,
        name: &HubName,
    ) -> Result<(String, Vec<RemoteFile>), Error> {
        let (repository, revision) = (name.repository(), name.revision().replace('/', "%2F"));
        let url =
            format!("{}/api/models/{repository}/revision/{revision}?blobs=true", self.endpoint);
        let reply = self.send(name, "asking for its files", client.get(url)).await?;
        let text =
            reply.bytes().await.map_err(|error| network(name, "reading its files", &error))?;
        let wrong =
            |message: &str| Error::Answer { name: name.to_string(), message: message.into() };
        let facts: Value =
            serde_json::from_slice(&text).map_err(|_| wrong("expected JSON about the model"))?;
        let commit = facts["sha"].as_str().filter(|commit| is_part(commit));
        let commit = commit.ok_or_else(|| wrong("expected the commit as `sha`"))?.to_owned();
        let siblings = facts["siblings"].as_array().ok_or_else(|| wrong("expected `siblings`"))?;
        let file = |sibling: &Value| {
            Some(RemoteFile {
                name: sibling["rfilename"].as_str()?.to_owned(),
                bytes: sibling["size"].as_u64(),
                sha256: sibling["lfs"]["sha256"].as_str().map(str::to_lowercase),
            })
        };
        Ok((commit, siblings.iter().filter_map(file).collect()))
    }

    /// Loads one file, however often it breaks off.
    async fn fetch(
        &self,
        client: &Client,
        commit: &str,
        target: download::Target<'_>,
        tell: &mut dyn FnMut(u64),
    ) -> Result<store::StoredFile, Error> {
        let (name, file) = (target.name, &target.file.name);
        if let Some(there) = download::is_there(target)? {
            tell(there.bytes);
            return Ok(there);
        }
        let repository = name.repository();
        let url = format!("{}/{repository}/resolve/{commit}/{file}", self.endpoint);
        let mut part = download::Part::open(target)?;
        let mut tries = 0;
        loop {
            let before = part.bytes();
            let request = part.range(client.get(&url));
            let what = format!("loading {file}");
            let ended = match self.send(name, &what, request).await {
                Ok(reply) => part.take(reply, tell).await,
                Err(error) => Err(error),
            };
            match ended {
                Ok(()) => return part.complete(),
                Err(error @ Error::Network { .. }) => {
                    tries = if part.bytes() > before { 1 } else { tries + 1 };
                    if tries >= TRIES {
                        return Err(error);
                    }
                    tokio::time::sleep(self.pause * tries).await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Sends a request with the token, and refuses what is no answer.
    async fn send(
        &self,
        name: &HubName,
        what: &str,
        request: RequestBuilder,
    ) -> Result<Response, Error> {
        let request = match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        let reply = request.send().await.map_err(|error| network(name, what, &error))?;
        let status = reply.status();
        if status.is_success() || status == StatusCode::RANGE_NOT_SATISFIABLE {
            return Ok(reply);
        }
        if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
            let message = format!("the hub answers {status}");
            return Err(Error::Network { name: name.to_string(), what: what.to_owned(), message });
        }
        let advice = match status.as_u16() {
            401 | 403 if self.token.is_none() => {
                "it may be private or ask for consent: give a token as HF_TOKEN, and agree to its \
                 conditions on its page"
            }
            401 | 403 => "the token does not open it: agree to its conditions on its page",
            404 => "there is no such model, revision or file",
            _ => "it does not give this model",
        };
        let (name, endpoint) = (name.to_string(), self.endpoint.clone());
        Err(Error::Refused { name, endpoint, status: status.as_u16(), advice })
    }
}

pub(crate) fn network(name: &HubName, what: &str, error: &reqwest::Error) -> Error {
    // The cause is in the error's sources: reqwest's own words are "error sending request".
    let mut message = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let text = cause.to_string();
        if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
        source = cause.source();
    }
    Error::Network { name: name.to_string(), what: what.to_owned(), message }
}
