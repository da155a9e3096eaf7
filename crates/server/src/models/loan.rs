//! A model in use.

use std::ops::Deref;
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use futures_util::StreamExt;

use super::Model;
use super::shelf::Shelf;

/// A loaded model, which stays loaded while this is held.
pub struct Loan {
    model: Arc<Model>,
    shelf: Arc<Shelf>,
    place: usize,
}

impl Loan {
    /// Of the model at `place`, which has counted its user already.
    pub(super) fn new(model: Arc<Model>, shelf: Arc<Shelf>, place: usize) -> Self {
        Self { model, shelf, place }
    }
}

impl Deref for Loan {
    type Target = Model;

    fn deref(&self) -> &Model {
        &self.model
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        self.shelf.give_back(self.place);
    }
}

/// The reply with its model, which stays loaded until the last byte is sent or the client is gone.
pub fn hold(response: Response, loan: Loan) -> Response {
    response.map(|body| {
        Body::from_stream(body.into_data_stream().map(move |chunk| {
            let _held = &loan;
            chunk
        }))
    })
}
