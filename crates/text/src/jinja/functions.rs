//! Filters, tests and functions that differ from minijinja's or are missing there.

use minijinja::value::{Kwargs, Rest, ValueKind, from_args};
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
    environment.add_filter("replace", replace);
    environment.add_filter("int", int);
    environment.add_filter("float", float);
    environment.add_filter("round", round);
    environment.add_filter("sum", sum);
    environment.add_filter("truncate", truncate);
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
    environment.add_function("cycler", |Rest(items): Rest<Value>| {
        minijinja_contrib::globals::cycler(items)
    });
}

/// `join`: of `str` of the items, or of one attribute of them.
fn join(value: &Value, Rest(arguments): Rest<Value>) -> Result<String, Error> {
    let (separator, attribute): (Option<Value>, Kwargs) = from_args(&arguments)?;
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

/// `replace`, at most `count` times.
fn replace(value: &Value, old: &str, new: &str, count: Option<i64>) -> String {
    let text = python::str(value);
    match count.and_then(|count| usize::try_from(count).ok()) {
        Some(count) => text.replacen(old, new, count),
        None => text.replace(old, new),
    }
}

/// `int(default=0, base=10)`.
fn int(value: &Value, Rest(arguments): Rest<Value>) -> Result<Value, Error> {
    let (default, base, named): (Option<Value>, Option<u32>, Kwargs) = from_args(&arguments)?;
    let default = default.or(named.get("default")?).unwrap_or_else(|| Value::from(0));
    let base = base.or(named.get("base")?).unwrap_or(10);
    named.assert_all_used()?;
    if let Some(text) = value.as_str() {
        return Ok(text_to_int(text.trim(), base).map_or(default, Value::from));
    }
    Ok(match (value.kind(), i64::try_from(value.clone()), f64::try_from(value.clone())) {
        (ValueKind::Number | ValueKind::Bool, Ok(number), _) => Value::from(number),
        (ValueKind::Number, _, Ok(number)) if number.is_finite() => {
            Value::from(number.trunc() as i128)
        }
        _ => default,
    })
}

/// A whole number in a base, with its prefix if it has one, or a decimal fraction.
fn text_to_int(text: &str, base: u32) -> Option<i128> {
    if !(2..=36).contains(&base) {
        return None;
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let prefixes = match base {
        16 => ["0x", "0X"],
        8 => ["0o", "0O"],
        2 => ["0b", "0B"],
        _ => ["", ""],
    };
    let digits = prefixes.iter().find_map(|prefix| digits.strip_prefix(prefix)).unwrap_or(digits);
    let whole =
        i128::from_str_radix(&digits.replace('_', ""), base).ok().map(|number| sign * number);
    let fraction = || text.parse::<f64>().ok().filter(|number| number.is_finite());
    whole.or_else(|| fraction().map(|number| number.trunc() as i128))
}

/// `float(default=0.0)`.
fn float(value: &Value, default: Option<f64>) -> f64 {
    let number = match value.as_str() {
        Some(text) => text.trim().parse().ok(),
        None => f64::try_from(value.clone()).ok(),
    };
    number.unwrap_or(default.unwrap_or(0.0))
}

/// `round(precision=0, method="common")`; halves go to the even neighbour.
fn round(value: &Value, precision: Option<i32>, method: Option<&str>) -> Result<Value, Error> {
    let precision = precision.unwrap_or(0);
    let method = method.unwrap_or("common");
    if method == "common" && value.is_integer() && precision >= 0 {
        return Ok(value.clone());
    }
    let number = f64::try_from(value.clone())?;
    let scale = 10f64.powi(precision);
    Ok(Value::from(match (method, usize::try_from(precision)) {
        ("ceil", _) => (number * scale).ceil() / scale,
        ("floor", _) => (number * scale).floor() / scale,
        // Formatting rounds the exact value, as Python does.
        ("common", Ok(places)) => format!("{number:.places$}").parse().unwrap_or(number),
        ("common", Err(_)) => (number * scale).round_ties_even() / scale,
        _ => {
            let message = format!("round has no method {method:?}");
            return Err(Error::new(ErrorKind::InvalidOperation, message));
        }
    }))
}

/// `truncate(length=255, killwords=false, end="...", leeway=5)`.
fn truncate(value: &Value, Rest(arguments): Rest<Value>) -> Result<String, Error> {
    type Options = (Option<usize>, Option<bool>, Option<String>, Option<usize>, Kwargs);
    let (length, kill_words, end, leeway, named): Options = from_args(&arguments)?;
    let length = length.or(named.get("length")?).unwrap_or(255);
    let kill_words = kill_words.or(named.get("killwords")?).unwrap_or(false);
    let end = end.or(named.get("end")?).unwrap_or_else(|| "...".to_owned());
    let leeway = leeway.or(named.get("leeway")?).unwrap_or(5);
    named.assert_all_used()?;
    let text = python::str(value);
    if text.chars().count() <= length + leeway {
        return Ok(text);
    }
    let cut: String = text.chars().take(length.saturating_sub(end.chars().count())).collect();
    let kept = match cut.rfind(' ') {
        Some(space) if !kill_words => &cut[..space],
        _ => &cut,
    };
    Ok(format!("{kept}{end}"))
}

/// `sum(attribute=None, start=0)`; of lists too.
fn sum(value: &Value, Rest(arguments): Rest<Value>) -> Result<Value, Error> {
    let (attribute, start, named): (Option<Value>, Option<Value>, Kwargs) = from_args(&arguments)?;
    let attribute = attribute.or(named.get("attribute")?).filter(|attribute| !attribute.is_none());
    let mut total = start.or(named.get("start")?).unwrap_or_else(|| Value::from(0));
    named.assert_all_used()?;
    for item in value.try_iter()? {
        let item = match &attribute {
            Some(attribute) => item.get_item(attribute)?,
            None => item,
        };
        total = add(&total, &item)?;
    }
    Ok(total)
}

fn add(left: &Value, right: &Value) -> Result<Value, Error> {
    let is_list = |value: &Value| matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable);
    if is_list(left) && is_list(right) {
        return Ok(left.try_iter()?.chain(right.try_iter()?).collect());
    }
    if let (Ok(left), Ok(right)) = (i64::try_from(left.clone()), i64::try_from(right.clone()))
        && let Some(total) = left.checked_add(right)
    {
        return Ok(Value::from(total));
    }
    match (f64::try_from(left.clone()), f64::try_from(right.clone())) {
        (Ok(left), Ok(right)) => Ok(Value::from(left + right)),
        _ => {
            let message = format!("sum cannot add {} and {}", left.kind(), right.kind());
            Err(Error::new(ErrorKind::InvalidOperation, message))
        }
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
    let (base, named): (Option<Value>, Kwargs) = from_args(&arguments)?;
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
