//! Filters, tests and functions that differ from minijinja's or are missing there.

use minijinja::value::{Rest, ValueKind};
use minijinja::{Environment, Error, ErrorKind, Value};

use super::python;

/// Adds them to an environment.
pub(crate) fn register(environment: &mut Environment<'_>) {
    minijinja_contrib::add_to_environment(environment);
    environment.add_filter("tojson", python::to_json);
    environment.add_filter("string", |value: &Value| python::str(value));
    environment.add_filter("join", join);
    environment.add_filter("length", length);
    environment.add_filter("count", length);
    environment.add_filter("center", center);
    environment.add_filter("wordcount", word_count);
    environment.add_filter("striptags", strip_tags);
    environment.add_test("iterable", |value: &Value| !value.is_none() && value.try_iter().is_ok());
    environment.add_test("sequence", is_sequence);
    environment.add_test("number", |value: &Value| {
        matches!(value.kind(), ValueKind::Number | ValueKind::Bool)
    });
    environment.add_test("callable", is_callable);
    environment.add_function("dict", dict);
}

/// `join`: of `str` of the items, or of one attribute of them.
fn join(value: &Value, Rest(arguments): Rest<Value>) -> Result<String, Error> {
    let (separator, attribute): (Option<Value>, minijinja::value::Kwargs) =
        minijinja::value::from_args(&arguments)?;
    let separator = match separator {
        Some(separator) => Some(separator),
        None => attribute.get("d")?,
    };
    let attribute_name: Option<Value> = attribute.get("attribute")?;
    attribute.assert_all_used()?;
    let mut parts = Vec::new();
    for item in value.try_iter()? {
        let part = match &attribute_name {
            Some(name) => item.get_item(name)?,
            None => item,
        };
        parts.push(python::str(&part));
    }
    Ok(parts.join(&separator.map(|separator| python::str(&separator)).unwrap_or_default()))
}

/// `length`: that of an undefined value is 0.
fn length(value: &Value) -> Result<usize, Error> {
    match value.kind() {
        ValueKind::Undefined => Ok(0),
        ValueKind::Iterable => Ok(value.try_iter()?.count()),
        kind => value.len().ok_or_else(|| {
            Error::new(ErrorKind::InvalidOperation, format!("a value of type {kind} has no length"))
        }),
    }
}

fn center(text: &str, width: Option<usize>) -> String {
    super::methods::center(text, width.unwrap_or(80), ' ')
}

fn word_count(text: &str) -> usize {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).count()
}

/// Removes `<…>` and comments, and makes every run of whitespace one space.
fn strip_tags(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let close = if rest[start..].starts_with("<!--") { "-->" } else { ">" };
        let Some(end) = rest[start..].find(close) else {
            break;
        };
        out.push_str(&rest[..start]);
        rest = &rest[start + end + close.len()..];
    }
    out.push_str(rest);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What Python can index and measure: strings, lists and mappings.
fn is_sequence(value: &Value) -> bool {
    matches!(
        value.kind(),
        ValueKind::String | ValueKind::Seq | ValueKind::Iterable | ValueKind::Map
    )
}

fn is_callable(value: &Value) -> bool {
    value.kind() == ValueKind::Plain
}

/// `dict(mapping or pairs, name=value, …)`.
fn dict(Rest(arguments): Rest<Value>) -> Result<Value, Error> {
    let (base, named): (Option<Value>, minijinja::value::Kwargs) =
        minijinja::value::from_args(&arguments)?;
    let mut pairs: Vec<(Value, Value)> = Vec::new();
    if let Some(base) = base {
        let is_map = base.kind() == ValueKind::Map;
        for item in base.try_iter()? {
            let pair = match is_map {
                true => (item.clone(), base.get_item(&item)?),
                false => (item.get_item_by_index(0)?, item.get_item_by_index(1)?),
            };
            pairs.push(pair);
        }
    }
    for name in named.args() {
        pairs.push((Value::from(name), named.get(name)?));
    }
    Ok(pairs.into_iter().collect())
}
