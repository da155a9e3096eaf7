//! Jinja as transformers sets it up for chat templates, on minijinja.
//!
//! minijinja's grammar is Jinja2's; what Python brings along (how values print,
//! string methods, `json.dumps`, `strftime`) is supplied here.

pub(crate) mod clock;
mod functions;
mod methods;
mod python;
mod syntax;

use minijinja::value::ValueKind;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, Value};

/// The name the one template of an environment has.
pub(crate) const TEMPLATE: &str = "chat_template";

/// The message of a template's `raise_exception`, as the source of the error.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Raised(pub(crate) String);

/// An environment that holds `source` as [`TEMPLATE`].
pub(crate) fn environment(source: &str) -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_formatter(write_as_python);
    environment.set_unknown_method_callback(methods::call);
    functions::register(&mut environment);
    environment.add_function("raise_exception", raise_exception);
    environment.add_template_owned(TEMPLATE, syntax::to_minijinja(source))?;
    Ok(environment)
}

/// `strftime_now` at one fixed time, as a value for the render context.
pub(crate) fn strftime_now(now: clock::LocalTime) -> Value {
    Value::from_function(move |format: &str| now.format(format))
}

/// The message a template raised, if that is what the error is.
pub(crate) fn raised_message(error: &Error) -> Option<String> {
    let mut source = std::error::Error::source(error);
    while let Some(current) = source {
        if let Some(Raised(message)) = current.downcast_ref::<Raised>() {
            return Some(message.clone());
        }
        source = current.source();
    }
    None
}

fn raise_exception(message: &Value) -> Result<Value, Error> {
    let message = python::str(message);
    Err(Error::new(ErrorKind::InvalidOperation, message.clone()).with_source(Raised(message)))
}

fn write_as_python(out: &mut Output<'_>, _: &State<'_, '_>, value: &Value) -> Result<(), Error> {
    let written = match (value.as_str(), value.kind()) {
        (Some(text), _) => out.write_str(text),
        (None, ValueKind::Undefined) => Ok(()),
        (None, ValueKind::Invalid) => {
            return Err(Error::new(ErrorKind::BadSerialization, value.to_string()));
        }
        _ => out.write_str(&python::str(value)),
    };
    written.map_err(Error::from)
}
