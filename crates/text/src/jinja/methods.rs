//! Methods of Python's `str`, `dict` and `list` that templates call.

use minijinja::value::{Kwargs, ValueKind, from_args};
use minijinja::{Error, ErrorKind, State, Value};
use minijinja_contrib::pycompat;

use super::bounds;
use super::syntax::SLICE;

/// minijinja's hook for methods it does not know. What pycompat has in a form
/// that differs from Python's comes first here.
pub(crate) fn call(
    state: &State<'_, '_>,
    value: &Value,
    method: &str,
    args: &[Value],
) -> Result<Value, Error> {
    if method == SLICE {
        return slice(value, args);
    }
    let found = match value.kind() {
        ValueKind::String => string_method(value.as_str().unwrap_or_default(), method, args)?,
        ValueKind::Map => map_method(value, method, args)?,
        ValueKind::Seq | ValueKind::Iterable => list_method(value, method, args)?,
        _ => None,
    };
    match found {
        Some(result) => Ok(result),
        None => pycompat::unknown_method_callback(state, value, method, args),
    }
}

/// `value[start:stop:step]`, as in Python.
fn slice(value: &Value, args: &[Value]) -> Result<Value, Error> {
    let (start, stop, step): (Option<i64>, Option<i64>, Option<i64>) = from_args(args)?;
    let refused = |message: String| Error::new(ErrorKind::InvalidOperation, message);
    let is_text = value.kind() == ValueKind::String;
    if !is_text && !matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable) {
        return Err(refused(format!("a value of type {} cannot be sliced", value.kind())));
    }
    let step = step.unwrap_or(1);
    if step == 0 {
        return Err(refused("slice step cannot be zero".to_owned()));
    }
    // A text's characters are no list: its own bytes bound them.
    let items: Vec<Value> = match is_text {
        true => value.try_iter()?.collect(),
        false => bounds::items(value)?,
    };
    let length = i64::try_from(items.len()).expect("a list is shorter than 2^63");
    // Python's bounds: the first and the one past the last in the step's direction.
    let (low, high) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let bound =
        |index: i64| if index < 0 { index.saturating_add(length) } else { index }.clamp(low, high);
    let (from, to) = if step > 0 { (low, high) } else { (high, low) };
    let stop = stop.map_or(to, bound);
    let mut at = start.map_or(from, bound);
    let mut chosen = Vec::new();
    while if step > 0 { at < stop } else { at > stop } {
        let index = usize::try_from(at).expect("the bounds are inside the list");
        chosen.push(items[index].clone());
        at = at.saturating_add(step);
    }
    match is_text {
        true => Ok(Value::from(chosen.iter().filter_map(Value::as_str).collect::<String>())),
        false => Ok(Value::from(chosen)),
    }
}

fn string_method(text: &str, method: &str, args: &[Value]) -> Result<Option<Value>, Error> {
    Ok(Some(match method {
        "removeprefix" => {
            let (prefix,): (&str,) = from_args(args)?;
            Value::from(text.strip_prefix(prefix).unwrap_or(text))
        }
        "removesuffix" => {
            let (suffix,): (&str,) = from_args(args)?;
            Value::from(text.strip_suffix(suffix).unwrap_or(text))
        }
        "partition" => partition(text, args, first)?,
        "rpartition" => rpartition(text, args)?,
        "split" => split(text, args)?,
        "rsplit" => rsplit(text, args)?,
        "splitlines" => split_lines(text, args)?,
        "find" => Value::from(find(text, args, first)?.unwrap_or(-1)),
        "rfind" => Value::from(find(text, args, last)?.unwrap_or(-1)),
        "index" => Value::from(find(text, args, first)?.ok_or_else(not_found)?),
        "rindex" => Value::from(find(text, args, last)?.ok_or_else(not_found)?),
        "count" => count(text, args)?,
        "ljust" | "rjust" | "center" => justify(text, method, args)?,
        "zfill" => zero_fill(text, args)?,
        "casefold" => Value::from(text.to_lowercase()),
        "swapcase" => Value::from(text.chars().flat_map(swap_case).collect::<String>()),
        "capitalize" => Value::from(capitalize(text)),
        "title" => Value::from(title(text)),
        "isspace" => Value::from(!text.is_empty() && text.chars().all(char::is_whitespace)),
        "isalpha" => Value::from(!text.is_empty() && text.chars().all(char::is_alphabetic)),
        "isalnum" => Value::from(!text.is_empty() && text.chars().all(char::is_alphanumeric)),
        "isdigit" | "isnumeric" | "isdecimal" => {
            Value::from(!text.is_empty() && text.chars().all(char::is_numeric))
        }
        "islower" => Value::from(
            text.chars().any(char::is_lowercase) && !text.chars().any(char::is_uppercase),
        ),
        "isupper" => Value::from(
            text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase),
        ),
        "replace" => {
            let (old, new, count): (&str, &str, Option<i64>) = from_args(args)?;
            let count = count.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
            Value::from(bounds::replaced(text, old, new, count)?)
        }
        "format" => {
            bounds::check_format(text, args)?;
            return Ok(None); // The rest is pycompat's.
        }
        "expandtabs" => Value::from(expand_tabs(text, args)?),
        "join" => join(text, args)?,
        _ => return Ok(None),
    }))
}

fn map_method(value: &Value, method: &str, args: &[Value]) -> Result<Option<Value>, Error> {
    match method {
        "copy" => {
            let () = from_args(args)?;
            Ok(Some(value.clone()))
        }
        _ => Ok(None),
    }
}

fn list_method(value: &Value, method: &str, args: &[Value]) -> Result<Option<Value>, Error> {
    match method {
        "index" => {
            let (wanted,): (&Value,) = from_args(args)?;
            let position = bounds::items(value)?.iter().position(|item| item == wanted);
            position.map(Value::from).map(Some).ok_or_else(not_found)
        }
        "count" => {
            let (wanted,): (&Value,) = from_args(args)?;
            let items = bounds::items(value)?;
            Ok(Some(Value::from(items.iter().filter(|item| *item == wanted).count())))
        }
        "copy" => {
            let () = from_args(args)?;
            Ok(Some(value.clone()))
        }
        _ => Ok(None),
    }
}

fn first(text: &str, wanted: &str) -> Option<usize> {
    text.find(wanted)
}

fn last(text: &str, wanted: &str) -> Option<usize> {
    text.rfind(wanted)
}

fn not_found() -> Error {
    Error::new(ErrorKind::InvalidOperation, "the value looked for is not there")
}

fn empty_separator() -> Error {
    Error::new(ErrorKind::InvalidOperation, "empty separator")
}

fn partition(
    text: &str,
    args: &[Value],
    find: fn(&str, &str) -> Option<usize>,
) -> Result<Value, Error> {
    let (separator,): (&str,) = from_args(args)?;
    if separator.is_empty() {
        return Err(empty_separator());
    }
    Ok(match find(text, separator) {
        Some(at) => triple(&text[..at], separator, &text[at + separator.len()..]),
        None => triple(text, "", ""),
    })
}

fn rpartition(text: &str, args: &[Value]) -> Result<Value, Error> {
    let (separator,): (&str,) = from_args(args)?;
    match text.contains(separator) {
        true => partition(text, args, last),
        false => Ok(triple("", "", text)),
    }
}

fn triple(head: &str, separator: &str, tail: &str) -> Value {
    Value::from(vec![Value::from(head), Value::from(separator), Value::from(tail)])
}

/// The separator and limit of `split`; no limit is `usize::MAX`.
fn split_arguments(args: &[Value]) -> Result<(Option<String>, usize), Error> {
    let (separator, limit, named): (Option<Value>, Option<i64>, Kwargs) = from_args(args)?;
    let separator = match separator {
        Some(separator) => Some(separator),
        None => named.get("sep")?,
    };
    let limit = match limit {
        Some(limit) => Some(limit),
        None => named.get("maxsplit")?,
    };
    named.assert_all_used()?;
    let separator = match separator.filter(|separator| !separator.is_none()) {
        None => None,
        Some(separator) => Some(
            separator
                .as_str()
                .filter(|text| !text.is_empty())
                .ok_or_else(empty_separator)?
                .to_owned(),
        ),
    };
    Ok((separator, limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX)))
}

fn split(text: &str, args: &[Value]) -> Result<Value, Error> {
    let (separator, limit) = split_arguments(args)?;
    let parts: Vec<&str> = match &separator {
        Some(separator) => bounds::parts(text.splitn(limit.saturating_add(1), separator.as_str()))?,
        None => split_words(text, limit)?,
    };
    Ok(Value::from_iter(parts))
}

/// At whitespace: the rest after `limit` words keeps its own, trailing space too.
fn split_words(text: &str, limit: usize) -> Result<Vec<&str>, Error> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end =
            rest.find(char::is_whitespace).filter(|_| parts.len() < limit).unwrap_or(rest.len());
        parts.push(&rest[..end]);
        bounds::check_items(parts.len())?;
        rest = rest[end..].trim_start();
    }
    Ok(parts)
}

fn rsplit(text: &str, args: &[Value]) -> Result<Value, Error> {
    let (separator, limit) = split_arguments(args)?;
    let mut parts: Vec<&str> = match &separator {
        Some(separator) => {
            bounds::parts(text.rsplitn(limit.saturating_add(1), separator.as_str()))?
        }
        None => {
            let mut parts = Vec::new();
            let mut rest = text.trim_end();
            while !rest.is_empty() {
                let space = rest.char_indices().rev().find(|(_, c)| c.is_whitespace());
                let start =
                    space.filter(|_| parts.len() < limit).map_or(0, |(at, c)| at + c.len_utf8());
                parts.push(&rest[start..]);
                bounds::check_items(parts.len())?;
                rest = rest[..start].trim_end();
            }
            parts
        }
    };
    parts.reverse();
    Ok(Value::from_iter(parts))
}

fn split_lines(text: &str, args: &[Value]) -> Result<Value, Error> {
    let (keep, named): (Option<bool>, Kwargs) = from_args(args)?;
    let keep = keep.or(named.get("keepends")?).unwrap_or(false);
    named.assert_all_used()?;
    let is_break = |c: char| matches!(c, '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_break) {
        let width = if rest[at..].starts_with("\r\n") {
            2
        } else {
            rest[at..].chars().next().map_or(0, char::len_utf8)
        };
        lines.push(&rest[..if keep { at + width } else { at }]);
        bounds::check_items(lines.len())?;
        rest = &rest[at + width..];
    }
    if !rest.is_empty() {
        lines.push(rest);
    }
    Ok(Value::from_iter(lines))
}

/// The character index of a substring.
fn find(
    text: &str,
    args: &[Value],
    find: fn(&str, &str) -> Option<usize>,
) -> Result<Option<i64>, Error> {
    let (wanted, start): (&str, Option<usize>) = from_args(args)?;
    let skip: usize = text.chars().take(start.unwrap_or(0)).map(char::len_utf8).sum();
    let found = find(&text[skip..], wanted);
    Ok(found.map(|at| {
        i64::try_from(text[..skip + at].chars().count()).expect("a text is shorter than 2^63")
    }))
}

fn count(text: &str, args: &[Value]) -> Result<Value, Error> {
    let (wanted,): (&str,) = from_args(args)?;
    Ok(Value::from(text.matches(wanted).count()))
}

fn justify(text: &str, method: &str, args: &[Value]) -> Result<Value, Error> {
    let (width, fill): (usize, Option<char>) = from_args(args)?;
    let fill = fill.unwrap_or(' ');
    let padding = bounds::repeated(fill, width.saturating_sub(text.chars().count()))?;
    Ok(Value::from(match method {
        "ljust" => format!("{text}{padding}"),
        "rjust" => format!("{padding}{text}"),
        _ => center(text, width, fill)?,
    }))
}

/// `str.center`: of an odd padding the larger half is on the left for odd widths.
pub(crate) fn center(text: &str, width: usize, fill: char) -> Result<String, Error> {
    let padding = width.saturating_sub(text.chars().count());
    let left = padding / 2 + (padding & width & 1);
    let fill = |length| bounds::repeated(fill, length);
    Ok(format!("{}{text}{}", fill(left)?, fill(padding - left)?))
}

fn zero_fill(text: &str, args: &[Value]) -> Result<Value, Error> {
    let (width,): (usize,) = from_args(args)?;
    let (sign, digits) = match text.strip_prefix(['+', '-']) {
        Some(digits) => text.split_at(text.len() - digits.len()),
        None => ("", text),
    };
    let zeros = bounds::repeated('0', width.saturating_sub(text.chars().count()))?;
    Ok(Value::from(format!("{sign}{zeros}{digits}")))
}

fn swap_case(c: char) -> Vec<char> {
    if c.is_lowercase() { c.to_uppercase().collect() } else { c.to_lowercase().collect() }
}

fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars.as_str().to_lowercase().chars()).collect(),
        None => String::new(),
    }
}

fn title(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_word = false;
    for c in text.chars() {
        match in_word {
            true => out.extend(c.to_lowercase()),
            false => out.extend(c.to_uppercase()),
        }
        in_word = c.is_alphabetic();
    }
    out
}

fn expand_tabs(text: &str, args: &[Value]) -> Result<String, Error> {
    let (size,): (Option<usize>,) = from_args(args)?;
    let size = size.unwrap_or(8);
    let mut out = String::new();
    let mut column = 0;
    for c in text.chars() {
        match c {
            '\t' => {
                let spaces = if size == 0 { 0 } else { size - column % size };
                bounds::check_bytes(out.len().saturating_add(spaces))?;
                out.extend(std::iter::repeat_n(' ', spaces));
                column += spaces;
            }
            '\n' | '\r' => {
                out.push(c);
                column = 0;
            }
            c => {
                out.push(c);
                column += 1;
            }
        }
    }
    Ok(out)
}

fn join(separator: &str, args: &[Value]) -> Result<Value, Error> {
    let (values,): (&Value,) = from_args(args)?;
    let mut parts = Vec::new();
    let mut bytes = 0usize;
    for value in bounds::items(values)? {
        match value.as_str() {
            Some(text) => {
                bytes = bytes.saturating_add(text.len());
                bounds::check_bytes(bytes)?;
                parts.push(text.to_owned());
            }
            None => {
                let message = format!("join takes strings, not {}", value.kind());
                return Err(Error::new(ErrorKind::InvalidOperation, message));
            }
        }
    }
    Ok(Value::from(bounds::joined(&parts, separator)?))
}
