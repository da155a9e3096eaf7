//! The two things in a template's source that minijinja reads differently.

/// Rewrites a template so that minijinja reads it as transformers' Jinja2 does:
/// every newline is `\n`, and `{% generation %}…{% endgeneration %}`, which only
/// marks the assistant's part for training, becomes a scope of its own. Lines
/// stay where they are.
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
            _ => out.push_str(tag),
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
    fn newlines_become_one_kind() {
        assert_eq!(to_minijinja("a\r\nb\rc\n"), "a\nb\nc\n");
    }
}
