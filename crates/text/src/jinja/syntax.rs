//! The three things in a template's source that minijinja reads differently.

/// The method that a slice with a step becomes.
pub(crate) const SLICE: &str = "__slice";

/// Rewrites a template so that minijinja reads it as transformers' Jinja2 does.
/// Lines stay where they are.
///
/// - Every newline is `\n`.
/// - `{% generation %}…{% endgeneration %}`, which only marks the assistant's part
///   for training, becomes a scope of its own.
/// - `x[a:b:c]` becomes a method call: minijinja's own negative steps do not stop
///   where Python's do.
pub(crate) fn to_minijinja(source: &str) -> String {
    let source = source.replace("\r\n", "\n").replace('\r', "\n");
    let mut out = String::with_capacity(source.len());
    let mut rest = source.as_str();
    while let Some(start) = next_tag(rest) {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let length = tag_length(rest);
        let tag = &rest[..length];
        match tag_word(tag) {
            Some("generation") => out.push_str(&tag.replacen("generation", "with", 1)),
            Some("endgeneration") => out.push_str(&tag.replacen("endgeneration", "endwith", 1)),
            _ if tag.starts_with("{#") => out.push_str(tag),
            _ => push_with_slices(&mut out, tag),
        }
        rest = &rest[length..];
        if tag_word(tag) == Some("raw") {
            let raw = raw_length(rest);
            out.push_str(&rest[..raw]);
            rest = &rest[raw..];
        }
    }
    out.push_str(rest);
    out
}

/// Where the next `{{`, `{%` or `{#` is.
fn next_tag(text: &str) -> Option<usize> {
    text.as_bytes().windows(2).position(|pair| matches!(pair, b"{{" | b"{%" | b"{#"))
}

/// The length of the tag that `text` starts with; all of it when it never ends.
fn tag_length(text: &str) -> usize {
    let end = match text.as_bytes()[1] {
        b'#' => return text.find("#}").map_or(text.len(), |at| at + 2),
        b'{' => "}}",
        _ => "%}",
    };
    let bytes = text.as_bytes();
    let mut quote: Option<u8> = None;
    let mut nesting = 0usize;
    let mut at = 2;
    while at < bytes.len() {
        match (quote, bytes[at]) {
            (Some(_), b'\\') => at += 1,
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, byte @ (b'"' | b'\'')) => quote = Some(byte),
            (None, _) if nesting == 0 && bytes[at..].starts_with(end.as_bytes()) => return at + 2,
            (None, b'{' | b'[' | b'(') => nesting += 1,
            (None, b'}' | b']' | b')') => nesting = nesting.saturating_sub(1),
            (None, _) => {}
        }
        at += 1;
    }
    text.len()
}

/// Copies code, slices with a step rewritten.
fn push_with_slices(out: &mut String, code: &str) {
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'', '[']) {
        let (before, bracketed) = rest.split_at(at);
        out.push_str(before);
        if !bracketed.starts_with('[') {
            let length = string_length(bracketed);
            out.push_str(&bracketed[..length]);
            rest = &bracketed[length..];
            continue;
        }
        let Some(inside) = inside_brackets(bracketed) else {
            rest = bracketed;
            break;
        };
        match slice_parts(inside) {
            Some(parts) => {
                out.push_str(&format!(".{SLICE}("));
                for (index, part) in parts.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    match part.trim() {
                        "" => out.push_str("none"),
                        _ => push_with_slices(out, part),
                    }
                }
                out.push(')');
            }
            None => {
                out.push('[');
                push_with_slices(out, inside);
                out.push(']');
            }
        }
        rest = &bracketed[inside.len() + 2..];
    }
    out.push_str(rest);
}

/// The length of the string literal that `code` starts with.
fn string_length(code: &str) -> usize {
    let quote = code.as_bytes()[0];
    let mut escaped = false;
    for (at, byte) in code.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            _ if byte == quote => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// The places in `code` outside strings where a byte is not inside brackets of its
/// own, with the byte.
fn outer_bytes(code: &str) -> Vec<(usize, u8)> {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut at = 0;
    while at < code.len() {
        let byte = code.as_bytes()[at];
        match byte {
            b'"' | b'\'' => {
                at += string_length(&code[at..]);
                continue;
            }
            b')' | b']' | b'}' if depth > 0 => depth -= 1,
            _ if depth == 0 => found.push((at, byte)),
            _ => {}
        }
        depth += usize::from(matches!(byte, b'(' | b'[' | b'{'));
        at += 1;
    }
    found
}

/// What is between the bracket that `code` starts with and the one that ends it.
fn inside_brackets(code: &str) -> Option<&str> {
    let inside = &code[1..];
    let end = outer_bytes(inside).into_iter().find(|(_, byte)| *byte == b']')?;
    Some(&inside[..end.0])
}

/// The three parts of `a:b:c`.
fn slice_parts(inside: &str) -> Option<[&str; 3]> {
    let colons: Vec<usize> = outer_bytes(inside)
        .into_iter()
        .filter(|(_, byte)| *byte == b':')
        .map(|(at, _)| at)
        .collect();
    let [first, second] = colons.as_slice() else {
        return None;
    };
    Some([&inside[..*first], &inside[first + 1..*second], &inside[second + 1..]])
}

/// The first word of a `{% … %}` tag.
fn tag_word(tag: &str) -> Option<&str> {
    let inside = tag.strip_prefix("{%")?;
    let inside = inside.strip_prefix(['-', '+']).unwrap_or(inside).trim_start();
    let end = inside.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(inside.len());
    Some(&inside[..end])
}

/// How far a raw block goes, its closing tag not included.
fn raw_length(text: &str) -> usize {
    let mut at = 0;
    while let Some(start) = text[at..].find("{%") {
        at += start;
        if tag_word(&text[at..]) == Some("endraw") {
            return at;
        }
        at += 2;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::to_minijinja;

    #[test]
    fn generation_tags_become_scopes_with_their_dashes() {
        let source = "a\n{%- generation -%}x{% endgeneration %}b";
        assert_eq!(to_minijinja(source), "a\n{%- with -%}x{% endwith %}b");
    }

    #[test]
    fn only_tags_are_rewritten() {
        for source in [
            "{{ '{% generation %}' }}",
            "{# {% generation %} #}",
            "{% raw %}{% generation %}{% endraw %}",
            "{% if generation %}{{ {'a': {'b': '}}'}} }}{% endif %}",
            "{% set x = '\\'{% generation %}' %}",
            "generation {% generationx %}",
            "an open {{ tag",
            "an open {# comment",
            "an open {% raw %} block {% generation %}",
        ] {
            assert_eq!(to_minijinja(source), source);
        }
    }

    #[test]
    fn slices_with_a_step_become_calls() {
        for (source, rewritten) in [
            ("{{ m[::-1] }}", "{{ m.__slice(none,none,-1) }}"),
            (
                "{% for x in m[1:n[0]:2][::1] %}",
                "{% for x in m.__slice(1,n[0],2).__slice(none,none,1) %}",
            ),
            ("{{ m[f(a[::2])] }}", "{{ m[f(a.__slice(none,none,2))] }}"),
            (
                "{{ m[1:] }}{{ m['a::b'] }}{{ {'a': [1]} }}",
                "{{ m[1:] }}{{ m['a::b'] }}{{ {'a': [1]} }}",
            ),
            ("m[::-1] {# m[::-1] #}{{ 'm[::-1]' }}", "m[::-1] {# m[::-1] #}{{ 'm[::-1]' }}"),
            ("{{ m[::-1", "{{ m[::-1"),
        ] {
            assert_eq!(to_minijinja(source), rewritten);
        }
    }

    #[test]
    fn newlines_become_one_kind() {
        assert_eq!(to_minijinja("a\r\nb\rc\n"), "a\nb\nc\n");
    }
}
