//! The events of an answer, and the white space around its parts.

/// Something that an answer says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerEvent {
    /// Thoughts that come before the answer.
    Reasoning(String),
    /// The answer's text.
    Content(String),
    /// A tool is called; what follows up to [`CallEnd`](Self::CallEnd) belongs to this call.
    CallStart {
        /// The tool's name.
        name: String,
    },
    /// A piece of the call's arguments; all of them joined are JSON, if the answer was not cut.
    CallArguments(String),
    /// The call is complete.
    CallEnd,
}

/// Collects events. Text of one kind that comes in pieces becomes one event.
///
/// White space that stands between an answer's parts (before and after reasoning, around calls)
/// is nobody's text and is dropped. An answer that is only text keeps all of its own.
#[derive(Default)]
pub(super) struct Events {
    list: Vec<AnswerEvent>,
    /// White space at the end of the text so far: dropped if a call comes next.
    held: String,
    /// Whether white space is skipped, since another part ended just now.
    skips: bool,
    /// Whether calls may come, so that white space is held back before them.
    holds: bool,
    has_calls: bool,
    in_call: bool,
    thoughts: Thoughts,
}

#[derive(Default)]
struct Thoughts {
    held: String,
    any: bool,
}

impl Events {
    /// For an answer in which calls may come, or not.
    pub(super) fn new(holds: bool) -> Self {
        Self { holds, ..Self::default() }
    }

    pub(super) fn take(&mut self) -> Vec<AnswerEvent> {
        std::mem::take(&mut self.list)
    }

    pub(super) fn content(&mut self, text: &str) {
        let text = if self.skips { text.trim_start() } else { text };
        if text.is_empty() {
            return;
        }
        self.skips = false;
        let certain = if self.holds { text.trim_end() } else { text };
        if !certain.is_empty() {
            let held = std::mem::take(&mut self.held);
            self.add_content(&held);
            self.add_content(certain);
        }
        self.held.push_str(&text[certain.len()..]);
    }

    pub(super) fn reasoning(&mut self, text: &str) {
        let text = if self.thoughts.any { text } else { text.trim_start() };
        let certain = text.trim_end();
        if !certain.is_empty() {
            let mut piece = std::mem::take(&mut self.thoughts.held);
            piece.push_str(certain);
            self.thoughts.any = true;
            match self.list.last_mut() {
                Some(AnswerEvent::Reasoning(last)) => last.push_str(&piece),
                _ => self.list.push(AnswerEvent::Reasoning(piece)),
            }
        }
        if self.thoughts.any {
            self.thoughts.held.push_str(&text[certain.len()..]);
        }
    }

    /// Another part begins: white space at its beginning is no text.
    pub(super) fn part_ends(&mut self) {
        self.skips = true;
    }

    pub(super) fn call_start(&mut self, name: &str) {
        self.call_end();
        self.held.clear();
        self.has_calls = true;
        self.in_call = true;
        self.list.push(AnswerEvent::CallStart { name: name.to_owned() });
    }

    pub(super) fn call_arguments(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.list.last_mut() {
            Some(AnswerEvent::CallArguments(last)) => last.push_str(text),
            _ => self.list.push(AnswerEvent::CallArguments(text.to_owned())),
        }
    }

    pub(super) fn call_end(&mut self) {
        if std::mem::take(&mut self.in_call) {
            self.list.push(AnswerEvent::CallEnd);
            self.skips = true;
        }
    }

    /// Whether a call has begun and not ended.
    pub(super) fn in_call(&self) -> bool {
        self.in_call
    }

    /// The answer ends. A call that is not complete stays open.
    pub(super) fn finish(&mut self) {
        if !self.has_calls {
            let held = std::mem::take(&mut self.held);
            self.add_content(&held);
        }
    }

    fn add_content(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.list.last_mut() {
            Some(AnswerEvent::Content(last)) => last.push_str(text),
            _ => self.list.push(AnswerEvent::Content(text.to_owned())),
        }
    }
}
