//! Jinja as transformers sets it up for chat templates, on minijinja.
//!
//! minijinja's grammar is Jinja2's; what Python brings along (how values print,
//! string methods, `json.dumps`, `strftime`) is supplied here.

mod bounds;
pub(crate) mod clock;
mod functions;
mod methods;
mod python;
mod syntax;

use std::collections::BTreeMap;

use bounds::{MOST_BYTES, TooLarge};
use minijinja::value::ValueKind;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, Value};

/// The name the one template of an environment has.
pub(crate) const TEMPLATE: &str = "chat_template";

/// The message of a template's `raise_exception`, as the source of the error.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Raised(pub(crate) String);

/// Instructions that one rendering may take: some hundred times what the longest conversations
/// need, and at most a few seconds of work.
const FUEL: u64 = 10_000_000;

/// Bytes of stack for one rendering: what the deepest value needs that [`FUEL`] makes. They are taken
/// only as far as they are used.
const STACK: usize = 1 << 30;

/// An environment that holds `source` as [`TEMPLATE`].
pub(crate) fn environment(source: &str) -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_fuel(Some(FUEL));
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

/// Renders the template of an environment with these variables.
///
/// On a thread of its own: comparing and dropping a value goes down as deep as a template has nested it,
/// which only its steps bound. A panic in there is the template's fault.
pub(crate) fn render(
    environment: &Environment<'_>,
    variables: &BTreeMap<String, Value>,
) -> Result<String, Error> {
    let rendered = std::thread::scope(|scope| {
        let render = || render_here(environment, variables);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, render);
        thread.map(std::thread::ScopedJoinHandle::join)
    });
    let failed = |message| Error::new(ErrorKind::InvalidOperation, message);
    match rendered {
        Ok(Ok(rendered)) => rendered,
        Ok(Err(_)) => Err(failed("rendering it panics; standard error says where".to_owned())),
        Err(error) => Err(failed(format!("no thread to render it: {error}"))),
    }
}

fn render_here(
    environment: &Environment<'_>,
    variables: &BTreeMap<String, Value>,
) -> Result<String, Error> {
    let template = environment.get_template(TEMPLATE).expect("the environment holds its template");
    let mut text = Bounded(Vec::new());
    template.render_captured_to(variables, &mut text)?;
    Ok(String::from_utf8(text.0).expect("templates write text"))
}

/// At most [`MOST_BYTES`] bytes.
struct Bounded(Vec<u8>);

impl std::io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if bytes.len() > MOST_BYTES - self.0.len() {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Bounds that minijinja has itself, by what it says of them.
const OWN_BOUNDS: [(&str, &str); 2] = [
    ("repeated string is too large", "repeats a text to more than 100 MB"),
    ("range has too many elements", "asks for a range of more than 100000 numbers"),
];

/// What the template does more of than one rendering may, with the limit, if that is what the error is.
pub(crate) fn ran_out(error: &Error) -> Option<String> {
    let mut current: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = current {
        if let Some(large) = error.downcast_ref::<TooLarge>() {
            return Some(large.to_string());
        }
        let error_here = error.downcast_ref::<Error>();
        match error_here.map(Error::kind) {
            Some(ErrorKind::OutOfFuel) => return Some(format!("takes more than {FUEL} steps")),
            Some(ErrorKind::WriteFailure) => {
                return Some(format!("gives more than {} MiB of text", MOST_BYTES >> 20));
            }
            _ => {}
        }
        let detail = error_here.and_then(Error::detail);
        let own = OWN_BOUNDS.iter().find(|(said, _)| detail == Some(said));
        if let Some((_, what)) = own {
            return Some((*what).to_owned());
        }
        current = error.source();
    }
    None
}

fn raise_exception(message: &Value) -> Result<Value, Error> {
    let message = python::str(message)?;
    Err(Error::new(ErrorKind::InvalidOperation, message.clone()).with_source(Raised(message)))
}

fn write_as_python(out: &mut Output<'_>, _: &State<'_, '_>, value: &Value) -> Result<(), Error> {
    let written = match (value.as_str(), value.kind()) {
        (Some(text), _) => out.write_str(text),
        (None, ValueKind::Undefined) => Ok(()),
        (None, ValueKind::Invalid) => {
            return Err(Error::new(ErrorKind::BadSerialization, value.to_string()));
        }
        _ => out.write_str(&python::str(value)?),
    };
    written.map_err(Error::from)
}
