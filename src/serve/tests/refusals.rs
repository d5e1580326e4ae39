//! What is refused, and what every answer carries.

use hyper::{Method, Request};
use serde_json::json;

use super::{Body, Engine, Site, ends};
use crate::serve::guard::CONTENT_SECURITY_POLICY;

fn game() -> String {
    json!({"size": 9, "black": "human", "white": "cpu:beginner"}).to_string()
}

/// A request to make a game, with these headers besides or instead.
fn with(headers: &[(&str, &str)], body: &str) -> Request<Body> {
    let mut request = Site::request(Method::POST, "/api/v1/games", None, Some(body));
    for (name, value) in headers {
        let name: hyper::header::HeaderName = name.parse().expect("a name");
        request.headers_mut().insert(name, value.parse().expect("a value"));
    }
    request
}

#[test]
fn other_names_pages_kinds_sizes_and_methods_are_refused() {
    let site = Site::new("--public-url https://go.example.org", Engine::Quick);
    for (headers, status, error) in [
        (&[("host", "evil.example")][..], 403, "bad-host"),
        (&[("origin", "https://evil.example")], 403, "bad-origin"),
        (&[("origin", "null")], 403, "bad-origin"),
        (&[("sec-fetch-site", "cross-site")], 403, "cross-site"),
        (&[("content-type", "text/plain")], 415, "not-json"),
        (&[("content-type", "application/x-www-form-urlencoded")], 415, "not-json"),
    ] {
        let reply = site.send(with(headers, &game()));
        assert_eq!((reply.status, reply.json()["error"].as_str()), (status, Some(error)), "{headers:?}");
    }
    assert_eq!(site.app.hall.games(), 0, "nothing was made");
    assert_eq!(
        site.send(with(&[("host", "go.example.org"), ("origin", "https://go.example.org")], &game())).status,
        201
    );
    let large = format!("{{\"sgf\": \"{}\"}}", "x".repeat(70_000));
    assert_eq!(site.send(with(&[], &large)).status, 413);
    let path = "/api/v1/join";
    let large = format!("{{\"invitation\": \"{}\"}}", "x".repeat(5_000));
    assert_eq!(site.send(Site::request(Method::POST, path, None, Some(&large))).status, 413);
    for (method, path) in [
        (Method::GET, "/api/v1/join"),
        (Method::GET, "/api/v1/games"),
        (Method::POST, "/"),
        (Method::PUT, "/api/v1/games"),
        (Method::DELETE, "/api/v1/games"),
        (Method::OPTIONS, "/api/v1/games"),
    ] {
        assert_eq!(site.send(Site::request(method, path, None, Some("{}"))).status, 405, "{path}");
    }
    for path in ["/x", "/api/v1/x", "/api/v2/config", "/a/x/../../etc/passwd", "/a/x/%2e%2e", "/api/v1/games/x"] {
        assert_eq!(site.send(Site::request(Method::GET, path, None, None)).status, 404, "{path}");
    }
}

#[test]
fn every_answer_carries_the_headers_and_no_cookie() {
    let site = Site::new("", Engine::Quick);
    let (player, _) = site.make(&json!({"size": 9, "black": "human", "white": "cpu:beginner"}));
    let (id, bad) = (&player.id, with(&[("host", "evil.example")], "{}"));
    let paths = ["/".to_string(), "/j".to_string(), format!("/g/{id}"), format!("/api/v1/games/{id}.sgf")];
    let more = ["/healthz", "/api/v1/config", "/nothing", "/a/x/app.js"].map(str::to_string);
    let mut replies = vec![site.send(bad)];
    replies.extend(paths.iter().chain(&more).map(|path| site.send(Site::request(Method::GET, path, None, None))));
    for reply in replies {
        let headers = reply.head.headers();
        assert_eq!(headers["content-security-policy"], CONTENT_SECURITY_POLICY);
        assert_eq!(headers["x-content-type-options"], "nosniff");
        assert_eq!(headers["referrer-policy"], "no-referrer");
        assert_eq!(headers["cross-origin-resource-policy"], "same-origin");
        assert!(!headers.contains_key("set-cookie") && headers.contains_key("cache-control"));
    }
}

#[test]
fn nonsense_in_a_new_game_is_named() {
    let site = Site::new("", Engine::Quick);
    let human = json!({"size": 9, "black": "human", "white": "cpu:beginner"});
    for (field, value, error) in [
        ("size", json!(8), "bad-size"),
        ("size", json!(-1), "bad-request"),
        ("rules", json!("korean"), "bad-rules"),
        ("rules", json!("tromp-taylor"), "bad-rules"),
        ("komi", json!(6.25), "bad-komi"),
        ("komi", json!(1e300), "bad-komi"),
        ("komi", json!("6.5"), "bad-request"),
        ("handicap", json!(10), "bad-handicap"),
        ("handicap", json!(1), "bad-handicap"),
        ("black", json!("cpu:dan"), "bad-players"),
        ("black", json!("cpu:beginner"), "bad-players"),
        ("seat", json!("white"), "bad-players"),
        ("seat", json!("both"), "bad-players"),
        ("name", json!("x".repeat(25)), "bad-name"),
        ("name", json!("a\u{202e}b"), "bad-name"),
        ("name", json!("a\nb"), "bad-name"),
        ("first_capture", json!(6), "bad-first-capture"),
        ("key", json!("short"), "bad-request"),
        ("nothing", json!(1), "bad-request"),
        ("seed", json!(-1), "bad-request"),
    ] {
        let mut game = human.clone();
        game[field] = value.clone();
        let reply = site.post("games", None, &game);
        assert_eq!((reply.status, reply.json()["error"].as_str()), (400, Some(error)), "{field} {value}");
    }
    for body in ["", "null", "[]", "{", "{\"size\":9}", &"[".repeat(4000)] {
        assert_eq!(site.send(with(&[], body)).status, 400, "{body:.20}");
    }
}

#[test]
fn only_this_machine_sees_the_figures() {
    let site = Site::new("--public-url https://go.example.org --trust-proxy", Engine::Quick);
    let ask = |headers: &[(&str, &str)]| {
        let mut request = Site::request(Method::GET, "/metrics", None, None);
        for (name, value) in headers {
            let name: hyper::header::HeaderName = name.parse().expect("a name");
            request.headers_mut().insert(name, value.parse().expect("a value"));
        }
        site.send(request).status
    };
    assert_eq!((ask(&[]), ask(&[("host", "go.example.org")]), ask(&[("x-forwarded-for", "::1")])), (200, 404, 404));
}

#[test]
fn whoever_asks_too_much_is_told_how_long_to_wait() {
    let mut site = Site::new("", Engine::Quick);
    std::sync::Arc::get_mut(&mut site.app).expect("alone").limits = crate::serve::http::Limits::default();
    let replies: Vec<_> = (0..60).map(|_| site.send(with(&[], &game()))).collect();
    let refused: Vec<_> = replies.iter().filter(|reply| reply.status == 429).collect();
    assert!((15..=25).contains(&refused.len()), "{}", refused.len());
    assert_eq!(refused[0].head.headers()["retry-after"], refused[0].json()["wait_s"].to_string().as_str());
}

#[test]
fn too_many_games_and_a_full_queue_are_refused_politely() {
    let site = Site::new("--most-games 2 --queue 1", Engine::Quick);
    let replies: Vec<u16> = (0..3).map(|_| site.send(with(&[], &game())).status).collect();
    assert_eq!(replies, [201, 201, 503]);
}

#[test]
fn only_events_have_no_end() {
    assert!(ends(&Body::from(Vec::new())) && ends(&Body::Full(None)));
    assert!(!ends(&Body::Events(tokio::sync::mpsc::channel(1).1)));
}
