//! Spans that have ended, and how OTLP writes them as JSON.

use serde_json::{Value, json};

/// A name and what is said under it.
pub(super) type Attribute = (&'static str, Value);

/// What a span is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A part of a request.
    Internal = 1,
    /// A request.
    Server = 2,
}

/// A span that has ended.
#[derive(Debug, Clone)]
pub(crate) struct Span {
    pub(super) trace_id: u128,
    pub(super) id: u64,
    pub(super) parent: Option<u64>,
    /// Whether the parent is another process's.
    pub(super) is_parent_remote: bool,
    pub(super) state: String,
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Nanoseconds since 1970.
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) attributes: Vec<Attribute>,
    pub(super) is_error: bool,
}

/// Of a span's flags: it is known whether the parent is another process's.
const HAS_IS_REMOTE: u32 = 0x100;
/// It is.
const IS_REMOTE: u32 = 0x200;
/// The W3C's own flag, which every span has that is sent.
const SAMPLED: u32 = 1;
/// The one status that is told.
const STATUS_ERROR: u32 = 2;

impl Span {
    fn json(&self) -> Value {
        let remote = if self.is_parent_remote { IS_REMOTE } else { 0 };
        let mut span = json!({
            "traceId": format!("{:032x}", self.trace_id),
            "spanId": format!("{:016x}", self.id),
            "flags": SAMPLED | HAS_IS_REMOTE | remote,
            "name": self.name,
            "kind": self.kind as u32,
            // 64 bits are texts in protobuf's JSON.
            "startTimeUnixNano": self.start.to_string(),
            "endTimeUnixNano": self.end.to_string(),
            "attributes": attributes(self.attributes.iter().map(|(name, value)| (*name, value))),
        });
        if let Some(parent) = self.parent {
            span["parentSpanId"] = json!(format!("{parent:016x}"));
        }
        if !self.state.is_empty() {
            span["traceState"] = json!(self.state);
        }
        if self.is_error {
            span["status"] = json!({ "code": STATUS_ERROR });
        }
        span
    }
}

/// The message that carries `spans` of the process that `resource` describes.
pub(super) fn message(resource: &[(String, String)], spans: &[Span]) -> Value {
    let resource: Vec<(&str, Value)> =
        resource.iter().map(|(name, value)| (name.as_str(), json!(value))).collect();
    let resource = attributes(resource.iter().map(|(name, value)| (*name, value)));
    let spans: Vec<Value> = spans.iter().map(Span::json).collect();
    json!({"resourceSpans": [{
        "resource": {"attributes": resource},
        "scopeSpans": [{
            "scope": {"name": "tyto", "version": env!("CARGO_PKG_VERSION")},
            "spans": spans,
        }],
    }]})
}

fn attributes<'a>(all: impl Iterator<Item = (&'a str, &'a Value)>) -> Value {
    all.map(|(name, value)| json!({"key": name, "value": any_value(value)})).collect()
}

/// JSON as protobuf's `AnyValue`.
fn any_value(value: &Value) -> Value {
    match value {
        Value::Bool(value) => json!({ "boolValue": value }),
        Value::Number(number) if number.is_f64() => json!({ "doubleValue": number }),
        Value::Number(number) => json!({ "intValue": number.to_string() }),
        Value::Array(items) => {
            let values: Vec<Value> = items.iter().map(any_value).collect();
            json!({"arrayValue": {"values": values}})
        }
        Value::String(text) => json!({ "stringValue": text }),
        Value::Null | Value::Object(_) => unreachable!("no attribute is null or an object"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_written_as_the_protocol_has_it() {
        let span = Span {
            trace_id: 0xabc,
            id: 0xde,
            parent: Some(7),
            is_parent_remote: true,
            state: "a=1".to_owned(),
            name: "POST /v1/x".to_owned(),
            kind: Kind::Server,
            start: 1_700_000_000_000_000_001,
            end: 1_700_000_000_000_000_005,
            attributes: vec![
                ("t", json!("x")),
                ("i", json!(5)),
                ("d", json!(0.5)),
                ("b", json!(true)),
                ("l", json!(["stop"])),
            ],
            is_error: true,
        };
        let resource = [("service.name".to_owned(), "s".to_owned())];
        let message = message(&resource, std::slice::from_ref(&span));
        let group = &message["resourceSpans"][0];
        assert_eq!(
            group["resource"]["attributes"],
            json!([{"key": "service.name", "value": {"stringValue": "s"}}])
        );
        assert_eq!(
            group["scopeSpans"][0]["spans"][0],
            json!({
                "traceId": "00000000000000000000000000000abc",
                "spanId": "00000000000000de",
                "flags": 0x301,
                "name": "POST /v1/x",
                "kind": 2,
                "startTimeUnixNano": "1700000000000000001",
                "endTimeUnixNano": "1700000000000000005",
                "attributes": [
                    {"key": "t", "value": {"stringValue": "x"}},
                    {"key": "i", "value": {"intValue": "5"}},
                    {"key": "d", "value": {"doubleValue": 0.5}},
                    {"key": "b", "value": {"boolValue": true}},
                    {"key": "l", "value": {"arrayValue": {"values": [{"stringValue": "stop"}]}}},
                ],
                "parentSpanId": "0000000000000007",
                "traceState": "a=1",
                "status": {"code": 2},
            })
        );
        let root = Span { parent: None, is_parent_remote: false, is_error: false, ..span };
        let json = root.json();
        assert_eq!(json["flags"], 0x101);
        assert!(json.get("parentSpanId").is_none() && json.get("status").is_none());
    }
}
