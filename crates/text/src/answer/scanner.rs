//! Looking for markers in a text that comes in pieces.

/// Text that has come and is not decided yet.
#[derive(Default)]
pub(super) struct Scanner {
    buffer: String,
}

impl Scanner {
    pub(super) fn push(&mut self, text: &str) {
        self.buffer.push_str(text);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    /// The text up to the first of `markers`, and which one that is. Without one, the text that
    /// is certain to be before any; the beginning of a possible marker stays. No marker may be
    /// the beginning of another.
    pub(super) fn until(&mut self, markers: &[&str]) -> (String, Option<usize>) {
        for (at, _) in self.buffer.char_indices() {
            let rest = &self.buffer[at..];
            if let Some(index) = markers.iter().position(|marker| rest.starts_with(marker)) {
                let after = rest[markers[index].len()..].to_owned();
                let mut before = std::mem::replace(&mut self.buffer, after);
                before.truncate(at);
                return (before, Some(index));
            }
            if markers.iter().any(|marker| marker.starts_with(rest)) {
                let rest = rest.to_owned();
                let mut before = std::mem::replace(&mut self.buffer, rest);
                before.truncate(at);
                return (before, None);
            }
        }
        (std::mem::take(&mut self.buffer), None)
    }

    /// Takes white space off the front.
    pub(super) fn skip_space(&mut self) -> String {
        let rest = self.buffer.trim_start().to_owned();
        let mut space = std::mem::replace(&mut self.buffer, rest);
        space.truncate(space.len() - self.buffer.len());
        space
    }

    /// Whether the text begins with `marker`, which is then taken off; `None` if it may still
    /// turn out to.
    pub(super) fn eat(&mut self, marker: &str) -> Option<bool> {
        if let Some(rest) = self.buffer.strip_prefix(marker) {
            self.buffer = rest.to_owned();
            return Some(true);
        }
        if marker.starts_with(self.buffer.as_str()) { None } else { Some(false) }
    }

    /// The next character, taken off.
    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.buffer.chars().next()?;
        self.buffer.drain(..c.len_utf8());
        Some(c)
    }

    /// The next character.
    pub(super) fn peek(&self) -> Option<char> {
        self.buffer.chars().next()
    }

    /// Everything that is left.
    pub(super) fn rest(&mut self) -> String {
        std::mem::take(&mut self.buffer)
    }

    /// Puts a text back in front.
    pub(super) fn put_back(&mut self, text: &str) {
        self.buffer.insert_str(0, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(pieces: &[&str], markers: &[&str]) -> (String, Option<usize>) {
        let mut scanner = Scanner::default();
        let mut before = String::new();
        for piece in pieces {
            scanner.push(piece);
            let (text, found) = scanner.until(markers);
            before.push_str(&text);
            if found.is_some() {
                return (before, found);
            }
        }
        (before + &scanner.rest(), None)
    }

    #[test]
    fn the_first_marker_counts_however_the_text_is_cut() {
        let markers = ["<call>", "call", "<b"];
        for (text, found) in [
            ("é<call>x", ("é", Some(0))),
            ("a<<b", ("a<", Some(2))),
            ("<calm> call", ("<calm> ", Some(1))),
            ("<cal", ("<cal", None)),
            ("", ("", None)),
        ] {
            let expected = (found.0.to_owned(), found.1);
            assert_eq!(scan(&[text], &markers), expected, "{text}");
            for (cut, _) in text.char_indices() {
                assert_eq!(scan(&[&text[..cut], &text[cut..]], &markers), expected, "{text} {cut}");
            }
        }
    }
}
