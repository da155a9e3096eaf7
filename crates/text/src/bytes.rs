//! Bytes to characters: the byte-level alphabet, and a lossy UTF-8 decoder that
//! takes its bytes in pieces.

/// The byte that a character of the byte-level BPE alphabet stands for.
///
/// Printable Latin-1 bytes stand for themselves; the other 68 bytes, in order,
/// are the characters from U+0100 on.
pub(crate) fn byte_of_char(c: char) -> Option<u8> {
    match u32::from(c) {
        code @ (0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF) => u8::try_from(code).ok(),
        code @ 0x100..=0x120 => u8::try_from(code - 0x100).ok(),
        code @ 0x121..=0x142 => u8::try_from(code - 0x121 + 0x7F).ok(),
        0x143 => Some(0xAD),
        _ => None,
    }
}

/// The bytes of one byte-level token. A token that holds any character outside
/// the alphabet (an added token) stands for its own UTF-8 bytes.
pub(crate) fn byte_level_bytes(token: &str) -> Vec<u8> {
    let mapped: Option<Vec<u8>> = token.chars().map(byte_of_char).collect();
    mapped.unwrap_or_else(|| token.as_bytes().to_vec())
}

/// The byte of a byte-fallback token such as `<0xE6>`.
pub(crate) fn fallback_byte(token: &str) -> Option<u8> {
    let hex = token.strip_prefix("<0x")?.strip_suffix('>')?;
    // from_str_radix would take a sign too.
    if token.len() != 6 || hex.starts_with('+') {
        return None;
    }
    u8::from_str_radix(hex, 16).ok()
}

/// Decodes UTF-8 that arrives in pieces, with U+FFFD where it is invalid: the
/// joined output is `String::from_utf8_lossy` of the joined input.
#[derive(Debug, Default, Clone)]
pub(crate) struct LossyUtf8 {
    /// The start of a character whose end has not come: at most three bytes.
    pending: Vec<u8>,
}

impl LossyUtf8 {
    /// Adds bytes and returns the characters that are certain now.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> String {
        self.pending.extend_from_slice(bytes);
        let mut text = String::with_capacity(self.pending.len());
        let mut start = 0;
        loop {
            let rest = &self.pending[start..];
            match std::str::from_utf8(rest) {
                Ok(valid) => {
                    text.push_str(valid);
                    start = self.pending.len();
                    break;
                }
                Err(error) => {
                    text.push_str(&String::from_utf8_lossy(&rest[..error.valid_up_to()]));
                    start += error.valid_up_to();
                    let Some(invalid) = error.error_len() else {
                        break;
                    };
                    text.push(char::REPLACEMENT_CHARACTER);
                    start += invalid;
                }
            }
        }
        self.pending.drain(..start);
        text
    }

    /// Ends the input: an unfinished character becomes one U+FFFD.
    pub(crate) fn finish(&mut self) -> String {
        let text = String::from_utf8_lossy(&self.pending).into_owned();
        self.pending.clear();
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_alphabet_covers_every_byte_once() {
        let mut seen = [false; 256];
        for c in (0..0x200).filter_map(char::from_u32) {
            if let Some(byte) = byte_of_char(c) {
                assert!(!seen[usize::from(byte)], "two characters for {byte}");
                seen[usize::from(byte)] = true;
            }
        }
        assert!(seen.iter().all(|seen| *seen));
        assert_eq!(byte_of_char('Ġ'), Some(b' '));
        assert_eq!(byte_of_char('Ċ'), Some(b'\n'));
    }

    #[test]
    fn fallback_tokens_are_exact() {
        assert_eq!(fallback_byte("<0xE6>"), Some(0xE6));
        for wrong in ["<0x+6>", "<0xE>", "<0xE66>", "0xE6", "<0xGG>", "a"] {
            assert_eq!(fallback_byte(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn pieces_decode_like_the_whole(
            pieces in prop::collection::vec(
                prop::collection::vec(
                    prop::sample::select(vec![
                        b'a', 0x80, 0xBF, 0xC3, 0xE6, 0xAD, 0xAA, 0xF0, 0x9F, 0x98, 0x80, 0xED, 0xA0, 0xFF,
                    ]),
                    0..4,
                ),
                0..12,
            )
        ) {
            let mut decoder = LossyUtf8::default();
            let mut text: String = pieces.iter().map(|piece| decoder.push(piece)).collect();
            prop_assert!(decoder.pending.len() <= 3);
            text.push_str(&decoder.finish());
            prop_assert_eq!(text, String::from_utf8_lossy(&pieces.concat()).into_owned());
        }
    }
}
