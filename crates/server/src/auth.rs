//! The optional API key.

use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

use crate::api_error::ApiError;

/// The keys that open this server; none means that it is open to everyone who reaches it.
///
/// Holds hashes only. Comparing two hashes takes the same time wherever they differ (blake3
/// promises it), so that a reply's time says nothing about a key.
#[derive(Debug, Clone, Default)]
pub struct ApiKeys(Arc<[blake3::Hash]>);

impl ApiKeys {
    /// Accepts any of `keys`.
    pub fn new<'a>(keys: impl IntoIterator<Item = &'a str>) -> Self {
        Self(keys.into_iter().map(|key| blake3::hash(key.as_bytes())).collect())
    }

    fn accept(&self, key: &str) -> bool {
        let given = blake3::hash(key.as_bytes());
        // No early end: every key is compared.
        self.0.iter().fold(false, |found, known| found | (*known == given))
    }
}

/// Refuses requests without a known key, before their bodies are read.
pub(crate) async fn require_key(
    State(keys): State<ApiKeys>,
    request: Request,
    next: Next,
) -> Response {
    match check(&keys, &request) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

fn check(keys: &ApiKeys, request: &Request) -> Result<(), ApiError> {
    if keys.0.is_empty() {
        return Ok(());
    }
    match key_of(request) {
        Some(key) if keys.accept(key) => Ok(()),
        Some(_) => Err(ApiError::unauthorized("this API key is not known here")),
        None if request.headers().contains_key(header::AUTHORIZATION) => {
            Err(ApiError::unauthorized("the Authorization header is not `Bearer KEY`"))
        }
        None => Err(ApiError::unauthorized("give the API key as `Authorization: Bearer KEY`")),
    }
}

/// The key that a request carries: OpenAI's clients send a bearer token, Anthropic's `x-api-key`.
pub(crate) fn key_of(request: &Request) -> Option<&str> {
    let text = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    text("authorization").and_then(bearer_token).or_else(|| text("x-api-key").map(str::trim))
}

fn bearer_token(value: &str) -> Option<&str> {
    let (scheme, key) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn status(keys: &ApiKeys, authorization: Option<&str>) -> u16 {
        let mut request = Request::new(Body::empty());
        if let Some(value) = authorization {
            let value = value.parse().expect("the test gives a valid header");
            request.headers_mut().insert(header::AUTHORIZATION, value);
        }
        check(keys, &request).map_or_else(|error| error.status().as_u16(), |()| 200)
    }

    #[test]
    fn without_keys_everyone_may_enter() {
        assert_eq!(status(&ApiKeys::default(), None), 200);
    }

    #[test]
    fn with_keys_only_a_known_one_may_enter() {
        let keys = ApiKeys::new(["first", "second"]);
        assert_eq!(status(&keys, Some("Bearer first")), 200);
        assert_eq!(status(&keys, Some("bearer second")), 200);
        for bad in [None, Some("Bearer firs"), Some("Bearer "), Some("first"), Some("Basic first")]
        {
            assert_eq!(status(&keys, bad), 401, "{bad:?}");
        }
    }
}
