//! From requests to answers: who is let in, which address means what, and what is sent back.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hyper::body::Body as HttpBody;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};

use super::assets::{Asset, Assets};
use super::attend::attend;
use super::body::{self, Body};
use super::call::CallError;
use super::count::advice;
use super::events;
use super::guard::{self, Guard, PublicUrl};
use super::hall::{Hall, Welcome};
use super::limits::{self, Limit, Streams};
use super::notes::record;
use super::queue::{Answer, Client, Lane, Task};
use super::request::{self, Empty, Join, Look, NewGame, RULES, Rename, SIZES};
use super::room::Room;
use super::seats::{Digest, Seat, is_id};
use super::store::Part;
use super::table::{Action, Phase};
use crate::color::Color;
use crate::engine::{Engine, Settings};
use crate::geometry::Geometry;
use crate::level::Level;

/// Bytes of a body: a write, or a record that is played on.
const SMALL: usize = 4 << 10;
const LARGE: usize = 64 << 10;
/// How long somebody waits for a hint.
const HINT_PATIENCE: Duration = Duration::from_secs(60);

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
    writes: Limit,
    reads: Limit,
    games: Limit,
    hints: Limit,
    invitations: Limit,
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
struct Asked<'r, B> {
    method: &'r Method,
    headers: &'r HeaderMap,
    query: &'r str,
    body: B,
    client: Client,
    is_local: bool,
}

/// What an address means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Route<'p> {
    Page,
    Asset(&'p str, &'p str),
    Health,
    Metrics,
    Config,
    Games,
    Invitation,
    Join,
    Game(&'p str),
    Record(&'p str),
    Events(&'p str),
    Advice(&'p str),
    Write(&'p str, &'p [&'p str]),
}

impl Route<'_> {
    fn of<'p>(parts: &'p [&'p str]) -> Option<Route<'p>> {
        Some(match parts {
            [""] | ["j"] | ["g", _] => Route::Page,
            ["a", hash, name] => Route::Asset(hash, name),
            ["healthz"] => Route::Health,
            ["metrics"] => Route::Metrics,
            ["api", "v1", "config"] => Route::Config,
            ["api", "v1", "games"] => Route::Games,
            ["api", "v1", "invitation"] => Route::Invitation,
            ["api", "v1", "join"] => Route::Join,
            ["api", "v1", "games", name] => match name.strip_suffix(".sgf") {
                Some(id) => Route::Record(id),
                None => Route::Game(name),
            },
            ["api", "v1", "games", id, "events"] => Route::Events(id),
            ["api", "v1", "games", id, "advice"] => Route::Advice(id),
            ["api", "v1", "games", id, action @ ..] if is_action(action) => Route::Write(id, action),
            _ => return None,
        })
    }

    /// Whether this is a write, which only `POST` may do.
    fn writes(self) -> bool {
        matches!(self, Route::Games | Route::Invitation | Route::Join | Route::Write(..))
    }

    /// What the log calls it: never more than the kind of the address.
    fn label(self) -> &'static str {
        match self {
            Route::Page => "page",
            Route::Asset(..) => "asset",
            Route::Health => "healthz",
            Route::Metrics => "metrics",
            Route::Config => "config",
            Route::Games => "games",
            Route::Invitation => "invitation",
            Route::Join => "join",
            Route::Game(_) => "game",
            Route::Record(_) => "record",
            Route::Events(_) => "events",
            Route::Advice(_) => "advice",
            Route::Write(_, action) => action.first().map_or("write", |name| {
                ACTIONS.iter().find(|known| known[0] == *name).map_or("write", |known| known[0])
            }),
        }
    }
}

/// What can be done with a game by `POST`.
const ACTIONS: [&[&str]; 13] = [
    &["moves"],
    &["undo"],
    &["undo", "accept"],
    &["undo", "decline"],
    &["hint"],
    &["resume"],
    &["mark"],
    &["accept"],
    &["claim"],
    &["rematch"],
    &["invite"],
    &["uninvite"],
    &["name"],
];

fn is_action(name: &[&str]) -> bool {
    ACTIONS.contains(&name)
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
        Route::Page => Ok(file(app.assets.index())),
        Route::Asset(hash, name) => Ok(file(app.assets.get(hash, name))),
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

async fn write<B: HttpBody>(
    app: &Arc<App>,
    route: Route<'_>,
    asked: Asked<'_, B>,
    working: impl FnOnce(),
) -> Result<Response<Body>, CallError> {
    let kind = asked.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
        return Err(CallError::NotJson);
    }
    let most = if route == Route::Games { LARGE } else { SMALL };
    let body = body::read(asked.body, most).await?;
    working();
    let (headers, client, now) = (asked.headers, asked.client, Instant::now());
    match route {
        Route::Games => {
            let plan = request::read::<NewGame>(&body)?.plan()?;
            app.limits.games.take(client, now)?;
            if app.hall.queue.is_full() {
                return Err(CallError::Unavailable("busy"));
            }
            let hall = Arc::clone(&app.hall);
            let welcome = blocking(move || hall.make(plan)).await?;
            Ok(json_answer(StatusCode::CREATED, &welcomed(app, &welcome, client)))
        }
        Route::Join => {
            app.limits.invitations.take(client, now)?;
            let Join { invitation, name, key } = request::read(&body)?;
            let (name, key) = (request::checked_name(&name)?, request::checked_key(key.as_deref())?);
            let hall = Arc::clone(&app.hall);
            let welcome = blocking(move || hall.join(&invitation, &name, key)).await?;
            Ok(json_answer(StatusCode::OK, &welcomed(app, &welcome, client)))
        }
        Route::Invitation => {
            app.limits.invitations.take(client, now)?;
            let Look { invitation } = request::read(&body)?;
            let hall = Arc::clone(&app.hall);
            let room = blocking(move || hall.invited_to(&invitation)).await?;
            Ok(json_answer(StatusCode::OK, &invited(&room)))
        }
        Route::Write(id, action) => write_on_game(app, id, action, headers, client, &body).await,
        _ => Err(CallError::NotFound("no-page")),
    }
}

async fn write_on_game(
    app: &Arc<App>,
    id: &str,
    action: &[&str],
    headers: &HeaderMap,
    client: Client,
    body: &[u8],
) -> Result<Response<Body>, CallError> {
    let (room, seat) = enter(app, id, headers).await?;
    let seat = seat.ok_or(CallError::Spectator)?;
    room.note_presence(seat, 0);
    let hall = Arc::clone(&app.hall);
    let done = match action {
        ["invite" | "uninvite"] => {
            request::read::<Empty>(body)?;
            let (renew, changed) = (action == ["invite"], Arc::clone(&room));
            let invitation = blocking(move || hall.invite(&changed, renew)).await;
            invitation.map(|token| json!({"invitation": token.as_ref().map(super::seats::Token::reveal)}))
        }
        ["name"] => {
            let name = request::checked_name(&request::read::<Rename>(body)?.name)?;
            let changed = Arc::clone(&room);
            let color = if seat.has(Color::Black) { Color::Black } else { Color::White };
            let rename = move |table: &mut super::table::Table| {
                let super::charter::Player::Human { name: own, .. } = table.charter.player_mut(color) else {
                    return Ok(false);
                };
                let differs = *own != name;
                *own = name;
                Ok(differs)
            };
            blocking(move || hall.change(&changed, Part::Charter, rename)).await.map(|_| json!({}))
        }
        _ => carry_out(app, &room, seat, action, client, body).await,
    };
    let answer = match done {
        Ok(mut answer) => {
            attend(&app.hall, &room, app.delay);
            if let Some(fields) = answer.as_object_mut() {
                fields.insert("state".to_string(), room.present_state(Some(seat)));
            }
            json_answer(StatusCode::OK, &answer)
        }
        Err(error) if error.needs_state() => refusal(&error, Some(room.present_state(Some(seat)))),
        Err(error) => return Err(error),
    };
    Ok(answer)
}

/// Does what a seat wishes, and says what there is to say beside the state.
async fn carry_out(
    app: &Arc<App>,
    room: &Arc<Room>,
    seat: Seat,
    action: &[&str],
    client: Client,
    body: &[u8],
) -> Result<Value, CallError> {
    let wish = request::wish(action, body, room.table().game.geometry())?;
    let Some(action) = wish.action else {
        return hint(app, room, seat, wish.version, client).await;
    };
    room.note_client(client);
    let (hall, changed) = (Arc::clone(&app.hall), Arc::clone(room));
    let away = room.away_and_enough(seat);
    blocking(move || {
        hall.change(&changed, Part::Game, |table| {
            let differs = table.act(seat, wish.version, &action, away)?;
            if differs && action == Action::Rematch && table.wants_rematch() {
                // Friends exchange colors; who plays alone may choose.
                let swap = table.charter.is_between_friends() || wish.swap;
                table.notes.next_game = Some(hall.make_next(table, swap)?);
            }
            Ok(differs)
        })
    })
    .await?;
    app.hall.show_that_engine_is_due(room);
    Ok(json!({}))
}

async fn hint(app: &Arc<App>, room: &Arc<Room>, seat: Seat, version: u64, client: Client) -> Result<Value, CallError> {
    let table = room.table();
    if table.charter.is_between_friends() {
        return Err(CallError::Forbidden("no-hint"));
    }
    if version != table.notes.version {
        return Err(CallError::Stale);
    }
    table.check_turn(seat).map_err(|closed| CallError::Illegal(closed, None))?;
    app.limits.hints.take(client, Instant::now())?;
    let task = Task::Hint { game: Box::new(table.game.clone()), first_capture: table.charter.first_capture };
    let Answer::Hints(moves) = ask(app, client, task).await? else {
        return Err(CallError::Unavailable("busy"));
    };
    let geometry = table.game.geometry();
    let hints: Vec<Value> = moves
        .into_iter()
        .map(|(mv, share)| json!({"point": geometry.move_name(mv), "share": (share * 100.0).round() / 100.0}))
        .collect();
    Ok(json!({"hints": hints}))
}

/// Asks the engine something that nobody waits for to go on.
async fn ask(app: &Arc<App>, client: Client, task: Task) -> Result<Answer, CallError> {
    let mut ticket = app.hall.queue.ask(client, Lane::Hint, task).ok_or(CallError::Unavailable("busy"))?;
    match tokio::time::timeout(HINT_PATIENCE, &mut ticket.answer).await {
        Ok(Ok(answer)) => Ok(answer),
        _ => Err(CallError::Unavailable("busy")),
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
async fn enter(app: &Arc<App>, id: &str, headers: &HeaderMap) -> Result<(Arc<Room>, Option<Seat>), CallError> {
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

/// What whoever made or joined a game is told; sees to the engine's first move as well.
fn welcomed(app: &Arc<App>, welcome: &Welcome, client: Client) -> Value {
    let Welcome { room, seat, token, invitation } = welcome;
    room.note_client(client);
    room.note_presence(*seat, 0);
    app.hall.show_that_engine_is_due(room);
    attend(&app.hall, room, app.delay);
    json!({
        "id": room.id,
        "seat": seat.name(),
        "token": token.reveal(),
        "invitation": invitation.as_ref().map(super::seats::Token::reveal),
        "state": room.present_state(Some(*seat)),
    })
}

fn invited(room: &Room) -> Value {
    let table = room.table();
    let charter = &table.charter;
    let seat = charter.guest.unwrap_or(Color::White);
    let host = match charter.player(seat.opponent()) {
        super::charter::Player::Human { name, .. } => name.as_str(),
        super::charter::Player::Cpu { .. } => "",
    };
    json!({
        "id": room.id,
        "seat": super::seats::color_name(seat),
        "size": table.game.geometry().size(),
        "komi": table.game.komi().points(),
        "rules": table.game.rules().name,
        "handicap": table.game.handicap(),
        "first_capture": charter.first_capture,
        "host": host,
        "taken": charter.free_color().is_none(),
    })
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
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CallError> + Send + 'static,
) -> Result<T, CallError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| {
        log::error!("a request failed: {error}");
        Err(CallError::Unavailable("busy"))
    })
}

fn text(status: StatusCode, kind: &'static str, text: String) -> Response<Body> {
    let mut response = Response::new(Body::from(text.into_bytes()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn json_answer(status: StatusCode, value: &Value) -> Response<Body> {
    text(status, "application/json", value.to_string())
}

fn refusal(error: &CallError, state: Option<Value>) -> Response<Body> {
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

fn file(asset: Option<Asset>) -> Response<Body> {
    let Some(Asset { bytes, kind, lasting }) = asset else {
        return refusal(&CallError::NotFound("no-page"), None);
    };
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let cache = if lasting { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    response
}
