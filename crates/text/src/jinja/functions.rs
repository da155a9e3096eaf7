//! Filters, tests and functions that differ from minijinja's or are missing there.

use std::borrow::Cow;

use minijinja::value::{Kwargs, Rest, ValueKind, from_args};
use minijinja::{Environment, Error, ErrorKind, State, Value, filters};

use super::{bounds, python};

/// Adds them to an environment.
pub(crate) fn register(environment: &mut Environment<'_>) {
    minijinja_contrib::add_to_environment(environment);
    environment.add_filter("tojson", python::to_json);
    environment.add_filter("string", python::str);
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
    register_bounded(environment);
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

/// minijinja's own filters that make or go through a text or a list of any length.
fn register_bounded(environment: &mut Environment<'_>) {
    environment.add_filter("indent", indent);
    environment.add_filter("format", |state: &State<'_, '_>, format: &Value, rest: Rest<Value>| {
        bounds::check_format(format.as_str().unwrap_or_default(), &rest)?;
        filters::format(state, format, rest)
    });
    environment.add_filter("list", |state: &State<'_, '_>, value: Value| {
        bounds::check_list(&value)?;
        filters::list(state, value)
    });
    environment.add_filter("reverse", |value: &Value| {
        bounds::check_list(value)?;
        filters::reverse(value)
    });
    environment.add_filter("sort", |state: &State<'_, '_>, value: Value, named: Kwargs| {
        bounds::check_list(&value)?;
        filters::sort(state, value, named)
    });
    environment.add_filter("unique", |state: &State<'_, '_>, value: Value, named: Kwargs| {
        bounds::check_list(&value)?;
        filters::unique(state, value, named)
    });
    environment.add_filter("groupby", |value: Value, attribute: Option<String>, named: Kwargs| {
        bounds::check_list(&value)?;
        filters::groupby(value, attribute.as_deref(), named)
    });
    environment.add_filter("min", |state: &State<'_, '_>, value: Value| {
        bounds::check_list(&value)?;
        filters::min(state, value)
    });
    environment.add_filter("max", |state: &State<'_, '_>, value: Value| {
        bounds::check_list(&value)?;
        filters::max(state, value)
    });
    type Fill = Option<Value>;
    environment.add_filter(
        "batch",
        |state: &State<'_, '_>, value: Value, count: usize, fill: Fill| {
            bounds::check_list(&value)?;
            bounds::check_items(count)?;
            filters::batch(state, value, count, fill)
        },
    );
    environment.add_filter(
        "slice",
        |state: &State<'_, '_>, value: Value, count: usize, fill: Fill| {
            bounds::check_list(&value)?;
            bounds::check_items(count)?;
            filters::slice(state, value, count, fill)
        },
    );
    environment.add_filter("map", |state: &State<'_, '_>, value: Value, rest: Rest<Value>| {
        bounds::check_list(&value)?;
        filters::map(state, value, rest)
    });
    type Test = Option<String>;
    environment.add_filter(
        "select",
        |state: &State<'_, '_>, value: Value, test: Test, rest: Rest<Value>| {
            bounds::check_list(&value)?;
            filters::select(state, value, test.map(Cow::Owned), rest)
        },
    );
    environment.add_filter(
        "reject",
        |state: &State<'_, '_>, value: Value, test: Test, rest: Rest<Value>| {
            bounds::check_list(&value)?;
            filters::reject(state, value, test.map(Cow::Owned), rest)
        },
    );
    environment.add_filter(
        "selectattr",
        |state: &State<'_, '_>, value: Value, name: String, test: Test, rest: Rest<Value>| {
            bounds::check_list(&value)?;
            filters::selectattr(state, value, name.into(), test.map(Cow::Owned), rest)
        },
    );
    environment.add_filter(
        "rejectattr",
        |state: &State<'_, '_>, value: Value, name: String, test: Test, rest: Rest<Value>| {
            bounds::check_list(&value)?;
            filters::rejectattr(state, value, name.into(), test.map(Cow::Owned), rest)
        },
    );
    environment.add_filter("chain", |state: &State<'_, '_>, value: Value, rest: Rest<Value>| {
        bounds::check_lists(&value, &rest)?;
        filters::chain(state, value, rest)
    });
    environment.add_filter("zip", |state: &State<'_, '_>, value: Value, rest: Rest<Value>| {
        bounds::check_lists(&value, &rest)?;
        filters::zip(state, value, rest)
    });
}

/// `indent(width=4, first=false, blank=false)`; a width may be a text, which stands before the lines.
fn indent(value: &Value, Rest(arguments): Rest<Value>) -> Result<String, Error> {
    let (width, first, blank, named): (Option<Value>, Option<bool>, Option<bool>, Kwargs) =
        from_args(&arguments)?;
    let width = width.or(named.get("width")?);
    let first = first.or(named.get("first")?).unwrap_or(false);
    let blank = blank.or(named.get("blank")?).unwrap_or(false);
    named.assert_all_used()?;
    let before = match &width {
        None => "    ".to_owned(),
        Some(width) => match width.as_str() {
            Some(text) => text.to_owned(),
            None => bounds::repeated(' ', usize::try_from(width.clone())?)?,
        },
    };
    let text = python::str(value)?;
    let lines = text.matches('\n').count() + 1;
    bounds::check_bytes(text.len().saturating_add(lines.saturating_mul(before.len())))?;
    let mut out = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let is_indented = if index == 0 { first } else { blank || !line.is_empty() };
        out.push_str(if is_indented { &before } else { "" });
        out.push_str(line);
    }
    Ok(out)
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
    let mut bytes = 0usize;
    for item in bounds::items(value)? {
        let part = match &attribute_name {
            Some(name) => item.get_item(name)?,
            None => item,
        };
        let part = python::str(&part)?;
        // Before the next one is made: all may be one text that is long.
        bytes = bytes.saturating_add(part.len());
        bounds::check_bytes(bytes)?;
        parts.push(part);
    }
    let separator = separator.map(|separator| python::str(&separator)).transpose()?;
    bounds::joined(&parts, &separator.unwrap_or_default())
}

/// `length`: that of an undefined value is 0.
fn length(value: &Value) -> Result<usize, Error> {
    match value.kind() {
        ValueKind::Undefined => Ok(0),
        ValueKind::Iterable => {
            bounds::check_list(value)?;
            Ok(value.try_iter()?.count())
        }
        kind => value.len().ok_or_else(|| {
            Error::new(ErrorKind::InvalidOperation, format!("a value of type {kind} has no length"))
        }),
    }
}

/// `replace`, at most `count` times.
fn replace(value: &Value, old: &str, new: &str, count: Option<i64>) -> Result<String, Error> {
    let count = count.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
    bounds::replaced(&python::str(value)?, old, new, count)
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

/// The decimal places of the smallest double, written out.
const MOST_PLACES: usize = 1074;

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
        // Formatting rounds the exact value, as Python does. No double has more places.
        ("common", Ok(places)) => {
            let places = places.min(MOST_PLACES);
            format!("{number:.places$}").parse().unwrap_or(number)
        }
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
    let text = python::str(value)?;
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
    for item in bounds::items(value)? {
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
        let (mut all, right) = (bounds::items(left)?, bounds::items(right)?);
        bounds::check_items(all.len() + right.len())?;
        all.extend(right);
        return Ok(Value::from(all));
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

fn center(text: &str, width: Option<usize>) -> Result<String, Error> {
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
