//! Requests that nobody thought of.

use hyper::{Method, Request};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use super::{Body, Engine, Player, Site};

/// Requests of one run; the variable `KEIMA_FUZZ` asks for more.
const REQUESTS: u32 = 3000;

/// A request, in pieces that are put together when the players are known.
#[derive(Clone, Debug)]
struct Draft {
    method: &'static str,
    path: String,
    token: u8,
    kind: bool,
    header: Option<(&'static str, String)>,
    body: String,
}

fn path() -> impl Strategy<Value = String> {
    let action = prop_oneof![
        4 => Just("moves".to_string()),
        1 => prop::sample::select(vec![
            "undo", "undo/accept", "undo/decline", "hint", "resume", "mark", "accept", "claim", "rematch", "invite",
            "uninvite", "name", "events", "advice", "draw", "", "undo/undo", "moves/x",
        ])
        .prop_map(str::to_string),
    ];
    prop_oneof![
        10 => action.prop_map(|action| format!("/api/v1/games/ID/{action}")),
        2 => Just("/api/v1/games/ID".to_string()),
        1 => "/api/v1/games/ID\\?after=[a-z0-9-]{0,8}&wait=0",
        1 => "/api/v1/games/[0-9a-z]{0,16}(\\.sgf)?",
        1 => prop::sample::select(vec!["/", "/j", "/g/ID", "/a/x/app.js", "/healthz", "/metrics", "/api/v1/config",
            "/api/v1/games/ID.sgf"]).prop_map(str::to_string),
        2 => prop::sample::select(vec!["/api/v1/games", "/api/v1/join", "/api/v1/invitation"]).prop_map(str::to_string),
        1 => "/[a-z0-9/.%?&=~-]{0,40}",
    ]
}

/// A value of JSON, plausible or not.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "\"[A-HJ]([1-9]|10)\"",
        2 => prop::sample::select(vec!["\"pass\"", "\"resign\"", "true", "false", "null", "[]", "{}", "0.5", "-1", "1e999",
            "9", "5", "\"human\"", "\"cpu:beginner\"", "\"cpu:advanced\"", "\"both\"", "\"black\"", "\"white\"",
            "\"as-is\"", "\"japanese\"", "\"(;SZ[5];B[cc];W[dd])\"", "\"(;SZ[9]HA[2]AB[cc][gg];W[ee])\"", "18446744073709551616"])
            .prop_map(str::to_string),
        1 => "\"[^\"\\\\\\x00-\\x1f]{0,30}\"",
        1 => "[0-9]{1,5}",
    ]
}

fn body() -> impl Strategy<Value = String> {
    let field = prop::sample::select(vec![
        "move",
        "point",
        "dead",
        "swap",
        "name",
        "invitation",
        "key",
        "size",
        "rules",
        "komi",
        "handicap",
        "first_capture",
        "black",
        "white",
        "seat",
        "spectators",
        "undo",
        "seed",
        "sgf",
        "other",
    ]);
    let free = prop::collection::vec((field, value()), 0..5).prop_map(|fields| {
        let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        format!("{{{}}}", fields.join(","))
    });
    let mark = ("\"[A-E][1-5]\"", any::<bool>())
        .prop_map(|(point, dead)| format!("{{\"version\":VERSION,\"point\":{point},\"dead\":{dead}}}"));
    prop_oneof![
        8 => "\"([A-E][1-5]|pass)\"".prop_map(|mv| format!("{{\"version\":VERSION,\"move\":{mv}}}")),
        2 => value().prop_map(|mv| format!("{{\"version\":VERSION,\"move\":{mv}}}")),
        4 => Just("{\"version\":VERSION}".to_string()),
        1 => mark,
        1 => Just("{}".to_string()),
        2 => free,
        1 => "(\\{|\\[|\")?[ -~]{0,60}",
        1 => any::<String>(),
    ]
}

fn draft() -> impl Strategy<Value = Draft> {
    let method = prop_oneof![
        12 => Just("POST"),
        4 => Just("GET"),
        1 => prop::sample::select(vec!["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"]),
    ];
    let header = prop::option::weighted(
        0.1,
        (
            prop::sample::select(vec![
                "host",
                "origin",
                "sec-fetch-site",
                "content-type",
                "x-forwarded-for",
                "last-event-id",
                "authorization",
                "content-length",
            ]),
            "[ -~]{0,30}",
        ),
    );
    (method, path(), any::<u8>(), prop::bool::weighted(0.95), header, body())
        .prop_map(|(method, path, token, kind, header, body)| Draft { method, path, token, kind, header, body })
}

/// Those whose game is played at random: two friends, two at one device, one against Keima.
fn players(site: &Site) -> Vec<Player> {
    let (a, b) = site.friends(&json!({"rules": "chinese", "undo": true}));
    let (both, _) = site.make(&json!({"size": 5, "black": "human", "white": "human", "seat": "both"}));
    let (alone, _) = site.make(&json!({"size": 5, "black": "human", "white": "cpu:beginner", "first_capture": 3}));
    let (japanese, _) = site.make(&json!({"size": 5, "black": "cpu:beginner", "white": "human", "rules": "japanese"}));
    vec![a, b, both, alone, japanese]
}

fn request(site: &Site, draft: &Draft, players: &[Player]) -> Option<Request<Body>> {
    let player = &players[usize::from(draft.token) % players.len()];
    let room = site.app.hall.room(&player.id).ok()?;
    let version = room.table().notes.version.saturating_sub(u64::from(draft.token >= 240));
    let path = draft.path.replace("ID", &player.id);
    let body = draft.body.replace("VERSION", &version.to_string());
    let mut request = Request::builder().method(Method::from_bytes(draft.method.as_bytes()).ok()?).uri(path);
    request = request.header("host", "127.0.0.1:8361");
    if draft.token < 230 {
        request = request.header("authorization", format!("Bearer {}", player.token));
    }
    if draft.kind {
        request = request.header("content-type", "application/json");
    }
    if let Some((name, value)) = &draft.header {
        request = request.header(*name, value);
    }
    request.body(Body::from(body.into_bytes())).ok()
}

#[test]
fn no_request_makes_the_site_fail() {
    let count = std::env::var("KEIMA_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(REQUESTS);
    // A new site now and then, with new games: else all of them would be over soon.
    let (round, mut left) = (1000, count);
    let mut statuses = std::collections::BTreeMap::<u16, u32>::new();
    let drafts = draft();
    let mut runner = TestRunner::new(Config { cases: 1, failure_persistence: None, ..Config::default() });
    while left > 0 {
        let site = Site::new("--most-games 400", Engine::Quick);
        let mut playing = players(&site);
        for number in 0..round.min(left) {
            if number % 100 == 99 {
                playing = players(&site);
            }
            let draft = drafts.new_tree(&mut runner).expect("a draft").current();
            let Some(request) = request(&site, &draft, &playing) else { continue };
            let reply = site.send(request);
            *statuses.entry(reply.status).or_default() += 1;
            assert!(reply.status < 500 || reply.status == 503, "{} to {draft:?}", reply.text);
            let is_json = reply.head.headers().get("content-type").is_some_and(|kind| kind == "application/json");
            assert!(!is_json || serde_json::from_str::<serde_json::Value>(&reply.text).is_ok(), "{draft:?}");
        }
        left = left.saturating_sub(round);
        // Whatever was accepted is whole on the disk.
        let games = site.app.hall.games();
        let site = site.restarted();
        assert_eq!(site.app.hall.games(), games);
        assert!(!site.folder.join("broken").exists());
    }
    assert!(statuses.get(&200).is_some_and(|&count| count > 0) && statuses.len() >= 6, "{statuses:?}");
    println!("{count} requests: {statuses:?}");
}
