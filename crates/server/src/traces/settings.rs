//! Where traces go and which: the option, and OpenTelemetry's environment variables.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use reqwest::Url;

use crate::error::Error;

/// What is added to a collector's base address.
const TRACES_PATH: &str = "/v1/traces";
/// Headers that follow from what is sent.
const OF_THE_MESSAGE: [HeaderName; 4] =
    [header::CONTENT_LENGTH, header::TRANSFER_ENCODING, header::CONNECTION, header::CONTENT_TYPE];
/// How long one request to the collector may take, unless a variable says it.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How traces are made and where they are sent.
#[derive(Debug, Clone)]
pub struct TraceOptions {
    /// Where they are sent, with the whole path.
    pub(super) endpoint: Url,
    /// Sent with them; kept out of logs.
    pub(super) headers: HeaderMap,
    /// For one request to the endpoint.
    pub(super) timeout: Duration,
    /// What is said of this process, `service.name` first.
    pub(super) resource: Vec<(String, String)>,
    /// Which requests are traced.
    pub(super) sampler: Sampler,
}

/// Which requests are traced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampler {
    /// The share of traces that begin here, 0 to 1.
    pub(super) share: f64,
    /// Whether a caller's own decision counts more.
    pub(super) follows_parent: bool,
}

impl Sampler {
    /// `parent` is what the caller decided, if there is one.
    pub(super) fn takes(self, parent: Option<bool>, trace_id: u128) -> bool {
        match parent {
            Some(is_sampled) if self.follows_parent => is_sampled,
            // The low 63 bits are random; the same trace is decided alike everywhere.
            // Compared as whole numbers: a float would round the last ids up, out of a share of 1.
            _ => (trace_id as u64 >> 1) < (self.share * (1u64 << 63) as f64) as u64,
        }
    }
}

impl TraceOptions {
    /// To a collector's base address, to which `/v1/traces` is added unless it ends so. Every request
    /// is traced whose caller does not say otherwise.
    pub fn new(base: &str) -> Result<Self, Error> {
        Self::to("--otlp-endpoint", base, true)
    }

    /// What the option `base` and, without it, the environment ask for; `variable` reads it. `None`
    /// if they ask for no traces. Fails on a value that cannot be followed.
    pub fn choose(
        base: Option<&str>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, Error> {
        let variable = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        // The variables of traces alone count more than those of all that OTLP carries.
        let either = |end: &'static str| {
            let names =
                [format!("OTEL_EXPORTER_OTLP_TRACES_{end}"), format!("OTEL_EXPORTER_OTLP_{end}")];
            names.into_iter().find_map(|name| variable(&name).map(|value| (name, value)))
        };
        let options = match (base, either("ENDPOINT")) {
            (Some(base), _) => Self::new(base)?,
            (None, Some(_)) if is_off(variable) => return Ok(None),
            (None, Some((name, found))) => Self::to(&name, &found, !name.contains("TRACES"))?,
            (None, None) => return Ok(None),
        };
        if let Some((name, found)) = either("PROTOCOL").filter(|(_, found)| found != "http/json") {
            return Err(wrong(&name, &found, "http/json, which is what Tyto speaks"));
        }
        if let Some((name, found)) = either("COMPRESSION").filter(|(_, found)| found != "none") {
            return Err(wrong(&name, &found, "none: spans are sent as they are"));
        }
        let headers = match either("HEADERS") {
            Some((name, found)) => parse_headers(&name, &found)?,
            None => options.headers,
        };
        let timeout = match either("TIMEOUT") {
            Some((name, found)) => {
                let milliseconds = found.trim().parse().ok().filter(|&time: &u64| time > 0);
                let expected = "milliseconds, at least 1";
                Duration::from_millis(milliseconds.ok_or_else(|| wrong(&name, &found, expected))?)
            }
            None => options.timeout,
        };
        let resource =
            resource(variable("OTEL_SERVICE_NAME"), variable("OTEL_RESOURCE_ATTRIBUTES"))?;
        let sampler =
            sampler(variable("OTEL_TRACES_SAMPLER"), variable("OTEL_TRACES_SAMPLER_ARG"))?;
        Ok(Some(Self { headers, timeout, resource, sampler, ..options }))
    }

    fn to(name: &str, address: &str, is_base: bool) -> Result<Self, Error> {
        let endpoint = Url::parse(address).ok();
        let is_web = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
        let mut endpoint = endpoint
            .filter(is_web)
            .ok_or_else(|| wrong(name, address, "a URL such as http://127.0.0.1:4318"))?;
        if is_base {
            add_path(&mut endpoint);
        }
        endpoint.set_fragment(None);
        Ok(Self {
            endpoint,
            headers: HeaderMap::new(),
            timeout: TIMEOUT,
            resource: resource(None, None)?,
            sampler: Sampler { share: 1.0, follows_parent: true },
        })
    }
}

/// Adds [`TRACES_PATH`] before a query, unless the path ends so.
fn add_path(base: &mut Url) {
    let path = base.path().trim_end_matches('/');
    let path = path.strip_suffix(TRACES_PATH).unwrap_or(path);
    let path = format!("{path}{TRACES_PATH}");
    base.set_path(&path);
}

fn is_off(variable: impl Fn(&str) -> Option<String>) -> bool {
    let is = |name, off: &str| variable(name).is_some_and(|value| value.eq_ignore_ascii_case(off));
    is("OTEL_SDK_DISABLED", "true") || is("OTEL_TRACES_EXPORTER", "none")
}

fn wrong(name: &str, found: &str, expected: &'static str) -> Error {
    Error::Trace { name: name.to_owned(), found: found.to_owned(), expected }
}

fn sampler(name: Option<String>, share: Option<String>) -> Result<Sampler, Error> {
    let name = name.unwrap_or_else(|| "parentbased_always_on".to_owned());
    let (follows_parent, rule) = match name.strip_prefix("parentbased_") {
        Some(rule) => (true, rule),
        None => (false, name.as_str()),
    };
    let share = match rule {
        "always_on" => 1.0,
        "always_off" => 0.0,
        "traceidratio" => {
            let text = share.unwrap_or_else(|| "1".to_owned());
            let share = text.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share));
            share.ok_or_else(|| wrong("OTEL_TRACES_SAMPLER_ARG", &text, "a share from 0 to 1"))?
        }
        _ => {
            let expected =
                "always_on, always_off or traceidratio, or one of them behind parentbased_";
            return Err(wrong("OTEL_TRACES_SAMPLER", &name, expected));
        }
    };
    Ok(Sampler { share, follows_parent })
}

fn resource(
    service: Option<String>,
    attributes: Option<String>,
) -> Result<Vec<(String, String)>, Error> {
    let mut others = match &attributes {
        Some(text) => pairs("OTEL_RESOURCE_ATTRIBUTES", text)?,
        None => Vec::new(),
    };
    let named = others.iter().position(|(name, _)| name == "service.name");
    let named = named.map(|index| others.remove(index).1);
    let service = service.or(named).unwrap_or_else(|| "tyto".to_owned());
    let mut all = vec![("service.name".to_owned(), service)];
    if !others.iter().any(|(name, _)| name == "service.version") {
        all.push(("service.version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()));
    }
    all.extend(others);
    Ok(all)
}

fn parse_headers(name: &str, text: &str) -> Result<HeaderMap, Error> {
    // A header may be a key: it is not repeated in the message.
    let refused = || wrong(name, "…", "KEY=VALUE,KEY=VALUE of HTTP headers");
    let mut headers = HeaderMap::new();
    for (key, value) in pairs(name, text).map_err(|_| refused())? {
        let key = HeaderName::from_bytes(key.as_bytes()).map_err(|_| refused())?;
        if OF_THE_MESSAGE.contains(&key) {
            return Err(wrong(
                name,
                key.as_str(),
                "headers that do not say how the message is sent",
            ));
        }
        let mut value = HeaderValue::from_str(&value).map_err(|_| refused())?;
        value.set_sensitive(true);
        headers.insert(key, value);
    }
    Ok(headers)
}

/// `KEY=VALUE,KEY=VALUE` with values in percent-encoding.
fn pairs(name: &str, text: &str) -> Result<Vec<(String, String)>, Error> {
    let pair = |part: &str| {
        let (key, value) = part.split_once('=')?;
        let (key, value) = (key.trim(), decoded(value.trim())?);
        (!key.is_empty()).then(|| (key.to_owned(), value))
    };
    let parts = text.split(',').filter(|part| !part.trim().is_empty());
    let all: Option<Vec<_>> = parts.map(pair).collect();
    all.ok_or_else(|| wrong(name, text, "KEY=VALUE,KEY=VALUE, with values in percent-encoding"))
}

fn decoded(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        let is_code = code.bytes().all(|byte| byte.is_ascii_hexdigit());
        bytes.push(u8::from_str_radix(code, 16).ok().filter(|_| is_code)?);
        bytes.extend(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(base: Option<&str>, set: &[(&str, &str)]) -> Result<Option<TraceOptions>, Error> {
        TraceOptions::choose(base, |name| {
            set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    fn chosen(base: Option<&str>, set: &[(&str, &str)]) -> TraceOptions {
        choose(base, set).expect("good values").expect("traces")
    }

    #[test]
    fn the_path_is_added_to_a_base_and_to_nothing_else() {
        let all = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://b:4318/x");
        let traces = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://c/here");
        let endpoint = |base, set: &[_]| chosen(base, set).endpoint.to_string();
        assert_eq!(endpoint(Some("http://a:4318"), &[all, traces]), "http://a:4318/v1/traces");
        for base in ["http://a/v1/traces", "http://a/v1/traces/", " http://a/ ", "http://a/#x"] {
            assert_eq!(endpoint(Some(base), &[]), "http://a/v1/traces", "{base}");
        }
        assert_eq!(endpoint(Some("http://a/x?k=v"), &[]), "http://a/x/v1/traces?k=v");
        assert_eq!(endpoint(None, &[all]), "http://b:4318/x/v1/traces");
        assert_eq!(endpoint(None, &[all, traces]), "https://c/here");
    }

    #[test]
    fn without_an_endpoint_and_when_told_so_there_are_no_traces() {
        let set = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://b:4318");
        assert!(choose(None, &[]).expect("good").is_none());
        assert!(choose(None, &[("OTEL_EXPORTER_OTLP_ENDPOINT", " ")]).expect("good").is_none());
        for off in [("OTEL_SDK_DISABLED", "TRUE"), ("OTEL_TRACES_EXPORTER", "none")] {
            assert!(choose(None, &[set, off]).expect("good").is_none());
            assert!(choose(Some("http://a"), &[off]).expect("good").is_some(), "the option counts");
        }
    }

    #[test]
    fn names_headers_and_times_are_taken_from_the_environment() {
        let options = chosen(
            Some("http://a"),
            &[
                ("OTEL_EXPORTER_OTLP_HEADERS", "x-a=1"),
                ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "authorization=Bearer%20k,x-b=a+b="),
                ("OTEL_EXPORTER_OTLP_TIMEOUT", "250"),
                ("OTEL_RESOURCE_ATTRIBUTES", "service.name=other,deployment.environment.name=lab"),
                ("OTEL_SERVICE_NAME", "owl"),
            ],
        );
        assert_eq!(options.headers["authorization"], "Bearer k");
        assert_eq!(options.headers["x-b"], "a+b=");
        assert_eq!(options.headers.len(), 2);
        assert!(!format!("{options:?}").contains("Bearer"), "a key is in no log");
        assert_eq!(options.timeout, Duration::from_millis(250));
        let names: Vec<&str> = options.resource.iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(names, ["owl", env!("CARGO_PKG_VERSION"), "lab"]);
    }

    #[test]
    fn values_that_cannot_be_followed_are_named() {
        for (name, value) in [
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
            ("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "0"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "secret"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "x-a=secret,Content-Length=5"),
            ("OTEL_RESOURCE_ATTRIBUTES", "a=%g0"),
            ("OTEL_TRACES_SAMPLER", "sometimes"),
        ] {
            let message =
                choose(Some("http://a"), &[(name, value)]).expect_err("refused").to_string();
            assert!(message.contains(name) && !message.contains("secret"), "{message}");
        }
        for bad in ["", "http://", "127.0.0.1:4318", "ftp://a", "unix:/run/x"] {
            let message = choose(Some(bad), &[]).expect_err("refused").to_string();
            let found = format!("--otlp-endpoint is {bad:?}; expected");
            assert!(message.starts_with(&found), "{message}");
        }
        let share = [("OTEL_TRACES_SAMPLER", "traceidratio"), ("OTEL_TRACES_SAMPLER_ARG", "1.5")];
        assert!(choose(Some("http://a"), &share).is_err());
    }

    #[test]
    fn a_callers_decision_counts_where_the_sampler_says_so() {
        let sampler = |name: &str, share: &str| {
            sampler(Some(name.to_owned()), Some(share.to_owned())).expect("known")
        };
        let on = super::sampler(None, None).expect("known");
        assert!(on.takes(None, 1) && on.takes(Some(true), 1) && !on.takes(Some(false), 1));
        assert!(sampler("always_on", "").takes(Some(false), 1));
        assert!(!sampler("always_off", "").takes(Some(true), 1));
        assert!(sampler("parentbased_always_off", "").takes(Some(true), 1));
        let half = sampler("parentbased_traceidratio", "0.5");
        assert!(half.takes(None, (1 << 63) - 1) && !half.takes(None, 1 << 63));
        assert!(!sampler("traceidratio", "0").takes(None, 0));
    }
}
