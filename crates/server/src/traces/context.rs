//! Whose child a request's span is: the W3C headers `traceparent` and `tracestate`.

use axum::http::{HeaderMap, HeaderName};

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");
/// The longest `tracestate` that is passed on: what the W3C asks for at least.
const MAX_STATE_BYTES: usize = 512;
/// The bit of `trace-flags` that says that the caller records its span.
const SAMPLED: u8 = 1;

/// The caller's span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parent {
    pub(super) trace_id: u128,
    pub(super) span_id: u64,
    pub(super) is_sampled: bool,
    /// What other systems want to be passed on.
    pub(super) state: String,
}

impl Parent {
    /// `None` without a header, and with one that is not valid: the trace then begins here.
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        let mut given = headers.get_all(TRACEPARENT).into_iter();
        let (Some(text), None) = (given.next(), given.next()) else { return None };
        let (trace_id, span_id, flags) = parse(text.to_str().ok()?)?;
        let state: Vec<&str> = headers
            .get_all(TRACESTATE)
            .into_iter()
            .map(|value| value.to_str().unwrap_or_default().trim())
            .filter(|text| !text.is_empty())
            .collect();
        let state = Some(state.join(",")).filter(|state| state.len() <= MAX_STATE_BYTES);
        let is_sampled = flags & SAMPLED != 0;
        Some(Self { trace_id, span_id, is_sampled, state: state.unwrap_or_default() })
    }
}

/// `VERSION-TRACE-SPAN-FLAGS`. Versions after 00 may have more behind it.
fn parse(text: &str) -> Option<(u128, u64, u8)> {
    let mut parts = text.trim().split('-');
    let (version, trace, span, flags) =
        (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let version = u8::try_from(hex(version, 2)?).ok()?;
    if version == u8::MAX || (version == 0 && parts.next().is_some()) {
        return None;
    }
    let (trace, span) = (hex(trace, 32)?, u64::try_from(hex(span, 16)?).ok()?);
    let flags = u8::try_from(hex(flags, 2)?).ok()?;
    (trace != 0 && span != 0).then_some((trace, span, flags))
}

/// So many digits, in lower case.
fn hex(text: &str, digits: usize) -> Option<u128> {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let fits = text.len() == digits && text.bytes().all(is_digit);
    fits.then(|| u128::from_str_radix(text, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

    fn of(lines: &[(&HeaderName, &str)]) -> Option<Parent> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, value.parse().expect("a header's value"));
        }
        Parent::of(&headers)
    }

    fn given(text: &str) -> Option<Parent> {
        of(&[(&TRACEPARENT, text)])
    }

    #[test]
    fn ids_flag_and_state_are_taken() {
        let text = format!("00-{TRACE}-b7ad6b7169203331-01");
        let states = [(&TRACEPARENT, text.as_str()), (&TRACESTATE, "a=1"), (&TRACESTATE, "b=2")];
        let parent = of(&states).expect("valid");
        assert_eq!(parent.trace_id, 0x0af7_6519_16cd_43dd_8448_eb21_1c80_319c);
        assert_eq!(parent.span_id, 0xb7ad_6b71_6920_3331);
        assert!(parent.is_sampled);
        assert_eq!(parent.state, "a=1,b=2");
        let not_sampled = given(&format!("00-{TRACE}-b7ad6b7169203331-02")).expect("valid");
        assert!(!not_sampled.is_sampled);
        // A later version may have more.
        assert!(given(&format!("01-{TRACE}-b7ad6b7169203331-01-more")).is_some());
    }

    #[test]
    fn what_is_not_valid_begins_a_trace() {
        let good = format!("00-{TRACE}-b7ad6b7169203331-01");
        for bad in [
            String::new(),
            good.replace("b7ad", "B7AD"),
            good.replace("b7ad", "g7ad"),
            good.replace("00-", "ff-"),
            good.replace("00-", "0-"),
            format!("{good}-more"),
            format!("00-{TRACE}-b7ad6b7169203331"),
            format!("00-{}-b7ad6b7169203331-01", "0".repeat(32)),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
        ] {
            assert_eq!(given(&bad), None, "{bad}");
        }
        assert_eq!(of(&[(&TRACEPARENT, &good), (&TRACEPARENT, &good)]), None, "two");
        let long = "a".repeat(MAX_STATE_BYTES + 1);
        let parent = of(&[(&TRACEPARENT, &good), (&TRACESTATE, &long)]).expect("valid");
        assert_eq!(parent.state, "");
    }
}
