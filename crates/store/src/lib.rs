//! Models from a hub, in a folder of this machine.
//!
//! ```text
//! HubName -> Hub::pull (which files, resume, hashes) -> Store: models/OWNER--NAME/COMMIT/…
//! ```
//!
//! The hub speaks the API of the Hugging Face Hub. A model appears in the store whole or not at
//! all; what was loaded of one that is not complete stays and is gone on with.

mod download;
mod error;
mod hub;
mod name;
mod selection;
mod store;

pub use error::Error;
pub use hub::{Hub, Progress};
pub use name::HubName;
pub use store::{Store, StoredFile, StoredModel};
