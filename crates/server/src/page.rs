//! The page at `/`: a chat in the browser, with the files that are built into the server.
//!
//! It asks this server only, runs no script but its own, and needs no key to be shown: it asks for
//! one where the API does.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

/// Nothing from elsewhere, and in nobody's frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Answers `GET /`.
pub async fn html() -> Response {
    file("text/html; charset=utf-8", include_str!("../page/index.html"))
}

/// Answers `GET /page.css`.
pub async fn style() -> Response {
    file("text/css; charset=utf-8", include_str!("../page/page.css"))
}

/// Answers `GET /page.js`.
pub async fn script() -> Response {
    file("text/javascript; charset=utf-8", include_str!("../page/page.js"))
}

fn file(kind: &'static str, text: &'static str) -> Response {
    let mut response = text.into_response();
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        // The next version of the server has another page.
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
