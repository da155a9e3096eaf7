//! How Python prints values: `str`, `repr` and `json.dumps`.

use std::fmt::Write;

use minijinja::value::{Kwargs, ValueKind};
use minijinja::{Error, ErrorKind, Value};

use super::bounds;

/// Python's `str(value)`.
pub(crate) fn str(value: &Value) -> Result<String, Error> {
    match (value.as_str(), value.kind()) {
        (Some(text), _) => Ok(text.to_owned()),
        (None, ValueKind::Undefined) => Ok(String::new()),
        _ => {
            let mut out = String::new();
            write_repr(&mut out, value, 0)?;
            Ok(out)
        }
    }
}

fn write_repr(out: &mut String, value: &Value, depth: usize) -> Result<(), Error> {
    bounds::check_depth(depth)?;
    match value.kind() {
        ValueKind::Undefined => out.push_str("Undefined"),
        ValueKind::None => out.push_str("None"),
        ValueKind::Bool => out.push_str(if value.is_true() { "True" } else { "False" }),
        ValueKind::Number => out.push_str(&number(value, "inf", "nan")),
        ValueKind::String => write_repr_str(out, value.as_str().unwrap_or_default()),
        ValueKind::Seq | ValueKind::Iterable => write_list(out, value, depth + 1)?,
        ValueKind::Map if value.as_object().is_some() => write_dict(out, value, depth + 1)?,
        // Macros, namespaces and the like have no fixed form in Python either.
        _ => out.push_str(&value.to_string()),
    }
    // A value may be in another many times: what it holds says nothing of its text.
    bounds::check_bytes(out.len())
}

fn write_list(out: &mut String, value: &Value, depth: usize) -> Result<(), Error> {
    out.push('[');
    for (index, item) in bounds::items(value)?.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write_repr(out, item, depth)?;
    }
    out.push(']');
    Ok(())
}

fn write_dict(out: &mut String, value: &Value, depth: usize) -> Result<(), Error> {
    out.push('{');
    for (index, key) in value.try_iter().into_iter().flatten().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write_repr(out, &key, depth)?;
        out.push_str(": ");
        write_repr(out, &value.get_item(&key).unwrap_or_default(), depth)?;
    }
    out.push('}');
    Ok(())
}

fn write_repr_str(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if c != ' ' && (c.is_control() || c.is_whitespace()) => {
                write_escape(out, u32::from(c))
            }
            c => out.push(c),
        }
    }
    out.push(quote);
}

fn write_escape(out: &mut String, code: u32) {
    let _ = match code {
        0..=0xFF => write!(out, "\\x{code:02x}"),
        0x100..=0xFFFF => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

/// A number as Python prints it, with the names of the values JSON has not.
fn number(value: &Value, infinity: &str, not_a_number: &str) -> String {
    if value.is_integer() {
        return value.to_string();
    }
    let Ok(float) = f64::try_from(value.clone()) else {
        return value.to_string();
    };
    if float.is_nan() {
        return not_a_number.to_owned();
    }
    if float.is_infinite() {
        let sign = if float < 0.0 { "-" } else { "" };
        return format!("{sign}{infinity}");
    }
    float_repr(float)
}

/// `repr(float)`: the shortest digits, with an exponent from 1e16 on and below 1e-4.
fn float_repr(float: f64) -> String {
    let scientific = format!("{float:e}");
    let (digits, exponent) = scientific.split_once('e').expect("the format has an exponent");
    let exponent: i32 = exponent.parse().expect("the exponent is a number");
    if float != 0.0 && !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.abs());
    }
    let plain = format!("{float}");
    if plain.contains('.') { plain } else { format!("{plain}.0") }
}

/// The keyword arguments of `json.dumps` that templates may give to `tojson`.
struct JsonStyle {
    ensure_ascii: bool,
    indent: Option<String>,
    item_separator: String,
    key_separator: String,
    sort_keys: bool,
}

/// transformers' `tojson`: `json.dumps` with `ensure_ascii=False`, and no escaping
/// for HTML.
pub(crate) fn to_json(value: &Value, options: Kwargs) -> Result<Value, Error> {
    let style = JsonStyle::read(&options)?;
    options.assert_all_used()?;
    let mut out = String::new();
    style.write(&mut out, value, 0)?;
    Ok(Value::from(out))
}

impl JsonStyle {
    fn read(options: &Kwargs) -> Result<Self, Error> {
        let indent = match options.get::<Option<Value>>("indent")? {
            None => None,
            Some(value) if value.is_none() => None,
            Some(value) => match (value.as_str(), i64::try_from(value.clone())) {
                (Some(text), _) => Some(text.to_owned()),
                (None, Ok(width)) => {
                    Some(bounds::repeated(' ', usize::try_from(width).unwrap_or(0))?)
                }
                _ => return Err(invalid("indent of tojson must be a number or a string")),
            },
        };
        let separators: Option<Value> = options.get("separators")?;
        let (item_separator, key_separator) = match separators.filter(|value| !value.is_none()) {
            None if indent.is_some() => (",".to_owned(), ": ".to_owned()),
            None => (", ".to_owned(), ": ".to_owned()),
            Some(pair) => {
                let parts: Vec<Value> = pair.try_iter()?.collect();
                match parts.as_slice() {
                    [item, key] => (str(item)?, str(key)?),
                    _ => return Err(invalid("separators of tojson must be a pair")),
                }
            }
        };
        Ok(Self {
            ensure_ascii: options.get::<Option<bool>>("ensure_ascii")?.unwrap_or(false),
            indent,
            item_separator,
            key_separator,
            sort_keys: options.get::<Option<bool>>("sort_keys")?.unwrap_or(false),
        })
    }

    fn write(&self, out: &mut String, value: &Value, depth: usize) -> Result<(), Error> {
        bounds::check_depth(depth)?;
        match value.kind() {
            ValueKind::None => out.push_str("null"),
            ValueKind::Bool => out.push_str(if value.is_true() { "true" } else { "false" }),
            ValueKind::Number => out.push_str(&number(value, "Infinity", "NaN")),
            ValueKind::String => self.write_str(out, value.as_str().unwrap_or_default()),
            ValueKind::Seq | ValueKind::Iterable => {
                let items = bounds::items(value)?;
                self.write_group(out, depth, ('[', ']'), &items, |out, item| {
                    self.write(out, item, depth + 1)
                })?;
            }
            ValueKind::Map => {
                let mut keys: Vec<Value> = value.try_iter()?.collect();
                if self.sort_keys {
                    keys.sort();
                }
                self.write_group(out, depth, ('{', '}'), &keys, |out, key| {
                    self.write_key(out, key)?;
                    self.write(out, &value.get_item(key)?, depth + 1)
                })?;
            }
            kind => {
                return Err(invalid(&format!("an object of type {kind} is not JSON serializable")));
            }
        }
        bounds::check_bytes(out.len())
    }

    fn write_key(&self, out: &mut String, key: &Value) -> Result<(), Error> {
        match key.kind() {
            ValueKind::String => self.write_str(out, key.as_str().unwrap_or_default()),
            ValueKind::None | ValueKind::Bool | ValueKind::Number => {
                out.push('"');
                self.write(out, key, 0)?;
                out.push('"');
            }
            kind => return Err(invalid(&format!("a key of type {kind} is not JSON serializable"))),
        }
        out.push_str(&self.key_separator);
        Ok(())
    }

    fn write_group(
        &self,
        out: &mut String,
        depth: usize,
        (open, close): (char, char),
        items: &[Value],
        mut write_item: impl FnMut(&mut String, &Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        out.push(open);
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                out.push_str(&self.item_separator);
            }
            self.write_line_break(out, depth + 1)?;
            write_item(out, item)?;
        }
        if !items.is_empty() {
            self.write_line_break(out, depth)?;
        }
        out.push(close);
        Ok(())
    }

    fn write_line_break(&self, out: &mut String, depth: usize) -> Result<(), Error> {
        if let Some(indent) = &self.indent {
            bounds::check_bytes(out.len().saturating_add(indent.len().saturating_mul(depth)))?;
            out.push('\n');
            out.push_str(&indent.repeat(depth));
        }
        Ok(())
    }

    fn write_str(&self, out: &mut String, text: &str) {
        out.push('"');
        for c in text.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '\u{8}' => out.push_str("\\b"),
                '\u{c}' => out.push_str("\\f"),
                c if u32::from(c) < 0x20 || (self.ensure_ascii && !matches!(c, ' '..='~')) => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        let _ = write!(out, "\\u{unit:04x}");
                    }
                }
                c => out.push(c),
            }
        }
        out.push('"');
    }
}

fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_in_python() {
        for (float, text) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (1e15, "1000000000000000.0"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.5e300, "1.5e+300"),
            (-2.5, "-2.5"),
        ] {
            assert_eq!(float_repr(float), text);
        }
    }

    #[test]
    fn strings_quote_as_in_python() {
        for (text, repr) in [
            ("a", "'a'"),
            ("it's", "\"it's\""),
            ("'\"", "'\\'\"'"),
            ("\n\u{7}\u{a0}é", "'\\n\\x07\\xa0é'"),
        ] {
            let mut out = String::new();
            write_repr_str(&mut out, text);
            assert_eq!(out, repr);
        }
    }
}
