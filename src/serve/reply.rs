//! Answers as they are sent.

use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::Value;

use super::assets::Asset;
use super::body::Body;
use super::call::CallError;

/// A text that is not kept.
pub fn text(status: StatusCode, kind: &'static str, text: String) -> Response<Body> {
    let mut response = Response::new(Body::from(text.into_bytes()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// A value.
pub fn json_answer(status: StatusCode, value: &Value) -> Response<Body> {
    text(status, "application/json", value.to_string())
}

/// Why a request is refused, with the present state of the game where that helps.
pub fn refusal(error: &CallError, state: Option<Value>) -> Response<Body> {
    let mut body = error.body();
    if let (Some(state), Some(fields)) = (state, body.as_object_mut()) {
        fields.insert("state".to_string(), state);
    }
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = json_answer(status, &body);
    if let Some(wait) = error.wait() {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait));
    }
    // What was not read of a body cannot be told from the next request.
    if matches!(error, CallError::TooLarge | CallError::Slow) {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// A file of the page.
pub fn file(asset: Option<Asset>) -> Response<Body> {
    let Some(Asset { bytes, is_gzip, kind, lasting }) = asset else {
        return refusal(&CallError::NotFound("no-page"), None);
    };
    let mut response = Response::new(Body::Full(Some(bytes)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let cache = if lasting { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_gzip {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

/// Whether whoever asks takes compressed answers.
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut codings = accepted.flat_map(|value| value.split(','));
    codings.any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let is_refused = weight.trim().strip_prefix("q=").is_some_and(|weight| weight.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

#[cfg(test)]
mod tests {
    use hyper::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue};

    use super::takes_gzip;

    #[test]
    fn compressed_answers_go_to_those_who_take_them() {
        let takes = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(value));
            takes_gzip(&headers)
        };
        assert!(takes("gzip") && takes("br, GZIP;q=0.5, *") && !takes("br") && !takes("gzip;q=0") && !takes(""));
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
