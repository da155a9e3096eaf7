//! Entry points that must survive any bytes: shared by the fuzz targets and an ordinary test.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::{ChatTemplate, ChatTemplateSource, LocalTime, RenderInput};

/// Compiles what comes before the first zero byte as a chat template, and renders the rest, JSON of
/// messages, with it: as it is, with tools, and with a last message that goes on. Gives how many of
/// these became text.
pub fn template(bytes: &[u8]) -> usize {
    let mut parts = bytes.splitn(2, |byte| *byte == 0);
    let text = String::from_utf8_lossy(parts.next().unwrap_or_default());
    let messages = parts.next().and_then(|json| serde_json::from_slice(json).ok());
    let messages: Value = messages.unwrap_or_default();
    let (name, file) = ("default".to_owned(), PathBuf::from("fuzz.jinja"));
    let source = ChatTemplateSource { name, file, source: text.into_owned() };
    let named = BTreeMap::from([("bos_token".to_owned(), "<bos>".to_owned())]);
    let template = ChatTemplate::from_sources(&[source], &named).expect("there is a source");
    let (extra, now) = (Map::new(), LocalTime::from_unix(0).expect("1970 is a time"));
    let plain = RenderInput {
        messages: &messages,
        tools: None,
        add_generation_prompt: true,
        extra: &extra,
        now,
    };
    let with_tools = RenderInput { tools: Some(&messages), ..plain.clone() };
    let texts =
        [template.render(&plain), template.render(&with_tools), template.render_open(&plain)];
    texts.iter().filter(|text| text.is_ok()).count()
}
