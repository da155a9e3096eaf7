//! What a command's model may be: an artifact; or model files, here or on a hub, which are compiled
//! when they are used first.

use std::path::{Path, PathBuf};

use tyto_store::{Hub, HubName, Store, StoredModel};

use crate::args::EngineArgs;
use crate::compiled;
use crate::error::Error;
use crate::progress::Display;
use crate::units::bytes;

/// The artifact of a model.
pub fn artifact(model: &Path, args: &EngineArgs) -> Result<PathBuf, Error> {
    if is_artifact(model) {
        return match args.ctx {
            None => Ok(model.to_owned()),
            Some(_) => Err(Error::user(format!(
                "--ctx is for models that are compiled on first use; {} is compiled already",
                model.display()
            ))),
        };
    }
    if model.exists() {
        return compiled::artifact(model, args);
    }
    let name = model.to_str().and_then(|text| text.parse::<HubName>().ok());
    let Some(name) = name else {
        let model = model.display();
        return Err(Error::user(format!(
            "{model}: not found: expected an artifact (see tyto compile), a model directory, a \
             .gguf file, or a hub's model as OWNER/NAME"
        )));
    };
    let stored = stored(&name, args.offline).map_err(|error| {
        let context = format!("{name} is no file here; as a hub's model");
        match error {
            Error::User(error) => Error::User(error.context(context)),
            other => other,
        }
    })?;
    compiled::artifact(&stored.path, args)
}

/// Whether a path is meant as an artifact, there or not.
fn is_artifact(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "tyto")
        || path.join("manifest.json").is_file()
}

/// A hub's model from the store; loaded into it first if need be.
fn stored(name: &HubName, is_offline: bool) -> Result<StoredModel, Error> {
    let store = Store::of_user().map_err(Error::user_from)?;
    match store.find(name).map_err(Error::user_from)? {
        Some(stored) => Ok(stored),
        None => pull(&store, name, is_offline),
    }
}

/// Loads a hub's model into the store, with progress on standard error.
pub fn pull(store: &Store, name: &HubName, is_offline: bool) -> Result<StoredModel, Error> {
    if is_offline || Hub::is_offline() {
        let found = store.find(name).map_err(Error::user_from)?;
        let absent = tyto_store::Error::Offline { name: name.to_string() };
        return found.ok_or_else(|| Error::user_from(absent));
    }
    let mut display = Display::new(false);
    let pulled = Hub::from_environment().pull(store, name, &mut |progress| {
        let detail =
            format!("{} {} of {}", progress.file, bytes(progress.done), bytes(progress.total));
        display.update("loading", &detail, progress.done, progress.total);
    });
    display.finish();
    pulled.map_err(Error::user_from)
}
