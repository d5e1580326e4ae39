//! From requests to answers: who is let in, which address means what, and what is sent back.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hyper::body::Body as HttpBody;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};

use super::assets::Assets;
use super::attend::attend;
use super::body::Body;
use super::call::CallError;
use super::count::advice;
use super::events;
use super::guard::{self, Guard, PublicUrl};
use super::hall::Hall;
use super::limits::{self, Limit, Streams};
use super::notes::record;
use super::queue::{Answer, Client, Task};
use super::reply::{file, json_answer, refusal, takes_gzip, text};
use super::request::{self, RULES, SIZES};
use super::room::Room;
use super::routes::Route;
use super::seats::{Digest, Seat, is_id};
use super::table::Phase;
use super::writes::{ask, write};
use crate::engine::{Engine, Settings};
use crate::geometry::Geometry;
use crate::level::Level;

/// The site: all that answering a request needs.
#[derive(Debug)]
pub struct App {
    /// All games.
    pub hall: Arc<Hall>,
    /// Whose requests are answered.
    pub guard: Guard,
    /// The files of the page.
    pub assets: Assets,
    /// What people are told of the site.
    pub about: About,
    /// The shortest time from a person's move to the engine's answer.
    pub delay: Duration,
    /// How much an address may ask for.
    pub limits: Limits,
    /// Streams that are open.
    pub streams: Arc<Streams>,
    /// Requests answered since the start.
    pub requests: AtomicU64,
}

/// What people are told of the site.
#[derive(Clone, Debug)]
pub struct About {
    /// The language of the page unless the reader chooses.
    pub language: Option<&'static str>,
    /// The address under which people know it.
    pub public_url: Option<PublicUrl>,
    /// Seconds away that give a friend the game.
    pub claim_after: u64,
}

/// How much an address may ask for.
#[derive(Debug)]
pub struct Limits {
    /// Writes of all kinds.
    pub writes: Limit,
    /// Everything else.
    pub reads: Limit,
    /// New games.
    pub games: Limit,
    /// Questions to the engine.
    pub hints: Limit,
    /// Tries of an invitation.
    pub invitations: Limit,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            writes: Limit::new(limits::WRITES),
            reads: Limit::new(limits::READS),
            games: Limit::new(limits::GAMES),
            hints: Limit::new(limits::HINTS),
            invitations: Limit::new(limits::INVITATIONS),
        }
    }
}

#[cfg(test)]
impl Limits {
    /// As much as anybody likes.
    pub fn none() -> Limits {
        let none = || Limit::new(limits::Rate { burst: f64::MAX, per_second: 1.0 });
        Limits { writes: none(), reads: none(), games: none(), hints: none(), invitations: none() }
    }
}

/// A request of which the body is still to come.
pub struct Asked<'r, B> {
    /// What is to be done.
    pub method: &'r Method,
    /// Everything that is said besides.
    pub headers: &'r HeaderMap,
    /// What follows the question mark.
    pub query: &'r str,
    /// What is still to come.
    pub body: B,
    /// Who asks.
    pub client: Client,
    /// Whether that is this machine.
    pub is_local: bool,
}

/// Answers a request that came from `peer`. `working` is told once the request is complete: until then its sender can be sent away.
pub async fn answer<B: HttpBody>(
    app: &Arc<App>,
    request: Request<B>,
    peer: IpAddr,
    working: impl FnOnce(),
) -> Response<Body> {
    let begin = Instant::now();
    app.requests.fetch_add(1, Ordering::Relaxed);
    let (head, body) = request.into_parts();
    let parts: Vec<&str> = head.uri.path().split('/').skip(1).take(8).collect();
    let route = Route::of(&parts);
    let asked = Asked {
        method: &head.method,
        headers: &head.headers,
        query: head.uri.query().unwrap_or_default(),
        body,
        client: app.guard.client(peer, &head.headers),
        is_local: app.guard.is_local(peer, &head.headers),
    };
    let is_health = route == Some(Route::Health);
    let let_in = if is_health { Ok(()) } else { app.guard.check_host(&head.headers, &head.uri) };
    let result = match (let_in, route) {
        (Err(error), _) => Err(error),
        (Ok(()), None) => Err(CallError::NotFound("no-page")),
        (Ok(()), Some(route)) => respond(app, route, asked, working).await,
    };
    let mut response = result.unwrap_or_else(|error| refusal(&error, None));
    guard::add_headers(response.headers_mut());
    let label = route.map_or("nothing", Route::label);
    log::info!("{} {label} {} {:.1?}", head.method, response.status().as_u16(), begin.elapsed());
    response
}

async fn respond<B: HttpBody>(
    app: &Arc<App>,
    route: Route<'_>,
    asked: Asked<'_, B>,
    working: impl FnOnce(),
) -> Result<Response<Body>, CallError> {
    let reads = *asked.method == Method::GET || *asked.method == Method::HEAD;
    if route.writes() != (*asked.method == Method::POST) || !(reads || route.writes()) {
        return Err(CallError::BadMethod);
    }
    let is_api = !matches!(route, Route::Page | Route::Asset(..) | Route::Health | Route::Metrics);
    if is_api {
        app.guard.check_origin(asked.method, asked.headers)?;
    }
    let now = Instant::now();
    if route.writes() { &app.limits.writes } else { &app.limits.reads }.take(asked.client, now)?;
    if route.writes() {
        return write(app, route, asked, working).await;
    }
    working();
    match route {
        Route::Page => Ok(file(app.assets.index(takes_gzip(asked.headers)))),
        Route::Asset(hash, name) => Ok(file(app.assets.get(hash, name, takes_gzip(asked.headers)))),
        Route::Health => Ok(text(StatusCode::OK, "text/plain; charset=utf-8", "ok\n".to_string())),
        Route::Metrics if asked.is_local => Ok(text(StatusCode::OK, "text/plain; charset=utf-8", metrics(app))),
        Route::Config => Ok(json_answer(StatusCode::OK, &config(&app.about))),
        Route::Game(id) => {
            let (room, seat) = enter(app, id, asked.headers).await?;
            attend(&app.hall, &room, app.delay);
            state_or_poll(app, &room, seat, &asked).await
        }
        Route::Record(id) => {
            let (room, _) = enter(app, id, asked.headers).await?;
            let table = room.table();
            let sgf = record(&table.charter, &table.game, table.notes.ending);
            let mut response = text(StatusCode::OK, "application/x-go-sgf; charset=utf-8", sgf);
            let name = format!("attachment; filename=\"keima-{id}.sgf\"");
            if let Ok(name) = HeaderValue::from_str(&name) {
                response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
            }
            Ok(response)
        }
        Route::Events(id) => {
            let (room, seat) = enter(app, id, asked.headers).await?;
            attend(&app.hall, &room, app.delay);
            let place = app.streams.take(asked.client)?;
            let last_seen = asked.headers.get("last-event-id").and_then(|id| id.to_str().ok());
            let body = events::stream(&room, seat, last_seen, place);
            let mut response = Response::new(body);
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            // Proxies that gather answers before they send them would keep the events to themselves.
            headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
            Ok(response)
        }
        Route::Advice(id) => give_advice(app, id, &asked).await,
        _ => Err(CallError::NotFound("no-page")),
    }
}

async fn give_advice<B>(app: &Arc<App>, id: &str, asked: &Asked<'_, B>) -> Result<Response<Body>, CallError> {
    let (room, seat) = enter(app, id, asked.headers).await?;
    let table = room.table();
    if seat.is_none() {
        return Err(CallError::Spectator);
    }
    if table.charter.is_between_friends() {
        return Err(CallError::Forbidden("no-hint"));
    }
    if table.phase() != Phase::Playing {
        return Err(CallError::NotNow("not-playing"));
    }
    app.limits.hints.take(asked.client, Instant::now())?;
    let Answer::Dead(dead) = ask(app, asked.client, Task::Judgement(Box::new(table.game.clone()))).await? else {
        return Err(CallError::Unavailable("busy"));
    };
    let told = blocking(move || {
        let mut engine = Engine::new(&Settings::default());
        engine.set_game(table.game.clone());
        Ok(advice(&table, &dead, &engine.dangers()))
    });
    Ok(json_answer(StatusCode::OK, &told.await?))
}

/// The room of a game, and the seat that the request has in it.
///
/// # Errors
/// When there is no such game, or it is not for whoever asks.
pub async fn enter(app: &Arc<App>, id: &str, headers: &HeaderMap) -> Result<(Arc<Room>, Option<Seat>), CallError> {
    if !is_id(id) {
        return Err(CallError::NotFound("no-game"));
    }
    let room = match app.hall.room_in_memory(id) {
        Some(room) => room,
        None => {
            let (hall, id) = (Arc::clone(&app.hall), id.to_string());
            blocking(move || hall.room(&id)).await?
        }
    };
    let shown = headers.get(header::AUTHORIZATION).map(|value| value.to_str().unwrap_or_default());
    let seat = match shown {
        None => None,
        Some(value) => {
            let token = value.strip_prefix("Bearer ").ok_or(CallError::BadToken)?;
            Some(room.seat_of(&Digest::of(token.trim())).ok_or(CallError::BadToken)?)
        }
    };
    if seat.is_none() && !room.table().charter.spectators {
        return Err(CallError::Forbidden("private"));
    }
    Ok((room, seat))
}

async fn state_or_poll<B>(
    app: &Arc<App>,
    room: &Arc<Room>,
    seat: Option<Seat>,
    asked: &Asked<'_, B>,
) -> Result<Response<Body>, CallError> {
    let field = |name: &str| {
        let pairs = asked.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
    };
    let Some(after) = field("after") else {
        if let Some(seat) = seat {
            room.note_presence(seat, 0);
        }
        return Ok(json_answer(StatusCode::OK, &room.present_state(seat)));
    };
    let wait = field("wait").unwrap_or("0").parse().map_err(|_| CallError::BadRequest("wait".to_string()))?;
    let place = app.streams.take(asked.client)?;
    match events::poll(room, seat, after, Duration::from_secs(wait), place).await {
        Some(state) => Ok(json_answer(StatusCode::OK, &state)),
        None => {
            let mut response = Response::new(Body::Full(None));
            *response.status_mut() = StatusCode::NO_CONTENT;
            Ok(response)
        }
    }
}

fn config(about: &About) -> Value {
    let handicaps = SIZES.into_iter().filter_map(Geometry::new);
    let handicaps: serde_json::Map<String, Value> =
        handicaps.map(|geometry| (geometry.size().to_string(), json!(request::handicap_most(geometry)))).collect();
    let komi: serde_json::Map<String, Value> =
        RULES.into_iter().map(|rules| (rules.name.to_string(), json!(request::usual_komi(rules)))).collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "lang": about.language,
        "sizes": SIZES,
        "levels": Level::ALL.map(Level::name),
        "rules": RULES.map(|rules| rules.name),
        "default_komi": komi,
        "handicap_max": handicaps,
        "claim_after_s": about.claim_after,
        "public_url": about.public_url.as_ref().map(ToString::to_string),
        "name_max": request::NAME_MOST,
    })
}

fn metrics(app: &App) -> String {
    let lines = [
        ("keima_games", app.hall.games() as u64),
        ("keima_games_in_memory", app.hall.rooms() as u64),
        ("keima_moves_waiting", app.hall.queue.moves_waiting() as u64),
        ("keima_streams", app.streams.count() as u64),
        ("keima_requests_total", app.requests.load(Ordering::Relaxed)),
    ];
    lines.iter().map(|(name, value)| format!("{name} {value}\n")).collect()
}

/// Runs what waits for the disk where waiting does no harm.
///
/// # Errors
/// Those of the work.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CallError> + Send + 'static,
) -> Result<T, CallError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| {
        log::error!("a request failed: {error}");
        Err(CallError::Unavailable("busy"))
    })
}
