//! llama.cpp's GBNF as Lark.
//!
//! Every character becomes a lexeme of its own. Lark's lexer takes the longest match, GBNF has no
//! lexer at all; with lexemes of one character the two mean the same.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::GrammarError;

/// The same grammar in Lark. The error names the line.
pub(super) fn to_lark(text: &str) -> Result<String, GrammarError> {
    let mut reader = Reader { rest: text, line: 1, names: Names::default(), depth: 0 };
    let mut lark = String::new();
    reader.skip_space(true);
    while !reader.rest.is_empty() {
        let rule = reader.rule()?;
        lark.push_str(&rule);
        reader.skip_space(true);
    }
    reader.names.check()?;
    Ok(lark)
}

/// The deepest nesting of parentheses.
const DEEPEST: usize = 64;

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    names: Names,
    depth: usize,
}

/// The rules' names. Lark's are lower case; `root` is its `start`.
#[derive(Default)]
struct Names {
    known: BTreeMap<String, (String, bool)>,
}

impl Names {
    fn lark(&mut self, name: &str, defines: bool) -> String {
        let next = self.known.len();
        let lark = if name == "root" { "start".to_owned() } else { format!("r{next}") };
        let entry = self.known.entry(name.to_owned()).or_insert((lark, false));
        entry.1 |= defines;
        entry.0.clone()
    }

    fn check(&self) -> Result<(), GrammarError> {
        if !self.known.contains_key("root") {
            return Err(GrammarError::new("the grammar has no rule `root`"));
        }
        match self.known.iter().find(|(_, (_, defined))| !defined) {
            Some((name, _)) => {
                Err(GrammarError::new(format!("the grammar has no rule `{name}`, which it uses")))
            }
            None => Ok(()),
        }
    }
}

impl Reader<'_> {
    fn wrong(&self, expected: &str) -> GrammarError {
        let found: String = self.rest.chars().take(12).collect();
        GrammarError::new(format!("line {}: expected {expected}, found {found:?}", self.line))
    }

    fn eat(&mut self, start: &str) -> bool {
        match self.rest.strip_prefix(start) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Skips spaces and comments, and ends of lines if `lines`.
    fn skip_space(&mut self, lines: bool) {
        while let Some(c) = self.rest.chars().next() {
            match c {
                '#' => self.rest = &self.rest[self.rest.find('\n').unwrap_or(self.rest.len())..],
                '\n' | '\r' if lines => {
                    self.line += usize::from(c == '\n');
                    self.rest = &self.rest[1..];
                }
                ' ' | '\t' => self.rest = &self.rest[1..],
                _ => return,
            }
        }
    }

    fn name(&mut self) -> Option<String> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let end = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!name.is_empty()).then(|| name.to_owned())
    }

    fn rule(&mut self) -> Result<String, GrammarError> {
        let name = self.name().ok_or_else(|| self.wrong("a rule's name"))?;
        self.skip_space(false);
        if !self.eat("::=") {
            return Err(self.wrong("`::=`"));
        }
        self.skip_space(true);
        let lark = self.names.lark(&name, true);
        let body = self.alternatives(false)?;
        if !self.rest.is_empty() && !self.rest.starts_with(['\n', '\r']) {
            return Err(self.wrong("the end of the rule"));
        }
        Ok(format!("{lark}: {body}\n"))
    }

    fn alternatives(&mut self, nested: bool) -> Result<String, GrammarError> {
        let mut all = vec![self.sequence(nested)?];
        while self.eat("|") {
            self.skip_space(true);
            all.push(self.sequence(nested)?);
        }
        Ok(all.join(" | "))
    }

    fn sequence(&mut self, nested: bool) -> Result<String, GrammarError> {
        let mut items = Vec::new();
        while let Some(item) = self.item()? {
            self.skip_space(nested);
            let repeat = self.repetition()?;
            items.push(format!("{item}{repeat}"));
            self.skip_space(nested);
        }
        if items.is_empty() {
            return Ok("\"\"".to_owned());
        }
        Ok(items.join(" "))
    }

    fn item(&mut self) -> Result<Option<String>, GrammarError> {
        match self.rest.chars().next() {
            Some('"') => self.literal().map(Some),
            Some('[') => self.class().map(Some),
            Some('.') => {
                self.rest = &self.rest[1..];
                Ok(Some("/(?s:.)/".to_owned()))
            }
            Some('(') => self.group().map(Some),
            Some('<' | '!') => Err(GrammarError::new(format!(
                "line {}: tokens in a grammar are not supported; write text",
                self.line
            ))),
            _ => Ok(self.name().map(|name| self.names.lark(&name, false))),
        }
    }

    fn group(&mut self) -> Result<String, GrammarError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(GrammarError::new(format!(
                "line {}: parentheses are nested more than {DEEPEST} deep",
                self.line
            )));
        }
        self.rest = &self.rest[1..];
        self.skip_space(true);
        let inner = self.alternatives(true)?;
        if !self.eat(")") {
            return Err(self.wrong("`)`"));
        }
        self.depth -= 1;
        Ok(format!("({inner})"))
    }

    fn literal(&mut self) -> Result<String, GrammarError> {
        self.rest = &self.rest[1..];
        let mut lexemes = Vec::new();
        loop {
            if self.eat("\"") {
                break;
            }
            let c = self.character("the end of a string: `\"`")?;
            lexemes.push(format!("/{}/", code(c)));
        }
        if lexemes.is_empty() {
            return Ok("\"\"".to_owned());
        }
        Ok(format!("({})", lexemes.join(" ")))
    }

    fn class(&mut self) -> Result<String, GrammarError> {
        self.rest = &self.rest[1..];
        let mut class = String::from("/[");
        if self.eat("^") {
            class.push('^');
        }
        let mut is_empty = true;
        while !self.eat("]") {
            let first = self.character("the end of a class: `]`")?;
            class.push_str(&code(first));
            is_empty = false;
            if self.rest.starts_with('-') && !self.rest.starts_with("-]") {
                self.rest = &self.rest[1..];
                let last = self.character("the end of a range")?;
                if last < first {
                    return Err(self.wrong("a range that goes upwards"));
                }
                write!(class, "-{}", code(last)).expect("writing to a string works");
            }
        }
        if is_empty {
            return Err(self.wrong("a class with characters"));
        }
        class.push_str("]/");
        Ok(class)
    }

    /// One character of a string or class, escapes resolved.
    fn character(&mut self, expected: &str) -> Result<char, GrammarError> {
        let mut chars = self.rest.chars();
        let first = chars.next().filter(|&c| c != '\n').ok_or_else(|| self.wrong(expected))?;
        if first != '\\' {
            self.rest = chars.as_str();
            return Ok(first);
        }
        let kind = chars.next().ok_or_else(|| self.wrong(expected))?;
        self.rest = chars.as_str();
        match kind {
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            'x' => self.hexadecimal(2),
            'u' => self.hexadecimal(4),
            'U' => self.hexadecimal(8),
            '\\' | '"' | '[' | ']' | '-' | '^' | '/' => Ok(kind),
            _ => Err(self.wrong("a known escape before this")),
        }
    }

    fn hexadecimal(&mut self, digits: usize) -> Result<char, GrammarError> {
        let number = self.rest.get(..digits).and_then(|text| u32::from_str_radix(text, 16).ok());
        let c = number.and_then(char::from_u32).ok_or_else(|| self.wrong("a character's code"))?;
        self.rest = &self.rest[digits..];
        Ok(c)
    }

    /// `*`, `+`, `?`, `{m}`, `{m,}`, `{m,n}`, or nothing.
    fn repetition(&mut self) -> Result<String, GrammarError> {
        for simple in ["*", "+", "?"] {
            if self.eat(simple) {
                return Ok(simple.to_owned());
            }
        }
        if !self.rest.starts_with('{') {
            return Ok(String::new());
        }
        let end = self.rest.find('}').ok_or_else(|| self.wrong("`}`"))?;
        let inside: String = self.rest[1..end].chars().filter(|c| !c.is_whitespace()).collect();
        let (least, most) = inside.split_once(',').unwrap_or((&inside, &inside));
        let number = |text: &str| text.is_empty() || text.parse::<u16>().is_ok();
        if inside.is_empty() || !number(least) || !number(most) {
            return Err(self.wrong("`{m}`, `{m,}` or `{m,n}` of numbers up to 65535"));
        }
        self.rest = &self.rest[end + 1..];
        let least = if least.is_empty() { "0" } else { least };
        Ok(format!("{{{least},{most}}}"))
    }
}

/// A character as regular expressions write it, in whatever place.
fn code(c: char) -> String {
    format!("\\u{{{:X}}}", u32::from(c))
}
