//! `/v1/embeddings`: refused in so many words, since no model here can give one.

use std::sync::Arc;

use axum::extract::{Request, State};
use serde_json::Value;

use crate::api_error::ApiError;
use crate::app::App;
use crate::body::read_object;

/// Says that the model does not embed. Clients learn it from the first request, and with the
/// model's name.
pub async fn refuse(State(app): State<Arc<App>>, request: Request) -> Result<(), ApiError> {
    let object = read_object(request, app.options.body).await?;
    if let Some(Value::String(name)) = object.get("model") {
        app.shelf.check(name)?;
    }
    let reason = "the models of this server write text: they have no pooling layer that makes one \
                  vector of it. Use an embedding model's own server";
    Err(ApiError::unsupported("model", reason))
}
