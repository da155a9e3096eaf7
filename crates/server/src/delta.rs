//! The new part of a chat message in a stream.

use serde::Serialize;

use crate::pieces::Piece;

/// The new part of a chat message. Its last one is `{}`.
#[derive(Serialize, Default)]
pub struct Delta {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_calls: Option<[ToolCallDelta; 1]>,
}

/// The new part of a call: its id and name come once, then pieces of its arguments (C27).
#[derive(Serialize)]
struct ToolCallDelta {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    function: ToolCallFunctionDelta,
}

#[derive(Serialize)]
struct ToolCallFunctionDelta {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    arguments: String,
}

impl Delta {
    /// The first one: the role, and no text yet.
    pub fn opening() -> Self {
        let content = Some(String::new());
        Self { role: Some("assistant"), content, ..Self::default() }
    }

    /// `None` where the client has nothing to learn.
    pub fn of(piece: Piece) -> Option<Self> {
        let call = |index, id: Option<String>, name, arguments| {
            let kind = id.is_some().then_some("function");
            let function = ToolCallFunctionDelta { name, arguments };
            let tool_calls = Some([ToolCallDelta { index, id, kind, function }]);
            Some(Self { tool_calls, ..Self::default() })
        };
        match piece {
            Piece::Reasoning(text) => {
                Some(Self { reasoning_content: Some(text), ..Self::default() })
            }
            Piece::Content(text) => Some(Self { content: Some(text), ..Self::default() }),
            Piece::CallStart { index, id, name } => {
                call(index, Some(id), Some(name), String::new())
            }
            Piece::CallArguments { index, text } => call(index, None, None, text),
            Piece::CallEnd { .. } => None,
        }
    }
}
