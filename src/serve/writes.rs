//! Writes: games made and joined, moves, and everything else that players do.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::Body as HttpBody;
use hyper::header::{self, HeaderMap};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};

use super::attend::attend;
use super::body::{self, Body};
use super::call::CallError;
use super::charter::Player;
use super::hall::Welcome;
use super::http::{App, Asked, blocking, enter};
use super::queue::{Answer, Client, Lane, Task};
use super::reply::{json_answer, refusal};
use super::request::{self, Empty, Join, Look, NewGame, Rename};
use super::room::Room;
use super::routes::Route;
use super::seats::{Seat, Token, color_name};
use super::store::Part;
use super::table::Action;
use crate::color::Color;

/// Bytes of a body: a write, or a record that is played on.
const SMALL: usize = 4 << 10;
const LARGE: usize = 64 << 10;
/// How long somebody waits for a hint.
const HINT_PATIENCE: Duration = Duration::from_secs(60);

/// What a write comes with.
struct Written<'r> {
    headers: &'r HeaderMap,
    client: Client,
    body: &'r [u8],
}

/// Answers a write. `working` is told once it is complete.
///
/// # Errors
/// When it is refused.
pub async fn write<B: HttpBody>(
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
        Route::Write(id, action) => write_on_game(app, id, action, Written { headers, client, body: &body }).await,
        _ => Err(CallError::NotFound("no-page")),
    }
}

async fn write_on_game(
    app: &Arc<App>,
    id: &str,
    action: &[&str],
    written: Written<'_>,
) -> Result<Response<Body>, CallError> {
    let (room, seat) = enter(app, id, written.headers).await?;
    let seat = seat.ok_or(CallError::Spectator)?;
    room.note_presence(seat, 0);
    let hall = Arc::clone(&app.hall);
    let done = match action {
        ["invite" | "uninvite"] => {
            request::read::<Empty>(written.body)?;
            let (renew, changed) = (action == ["invite"], Arc::clone(&room));
            let invitation = blocking(move || hall.invite(&changed, renew)).await;
            invitation.map(|token| json!({"invitation": token.as_ref().map(Token::reveal)}))
        }
        ["name"] => {
            let name = request::checked_name(&request::read::<Rename>(written.body)?.name)?;
            let changed = Arc::clone(&room);
            blocking(move || hall.change(&changed, Part::Charter, |table| Ok(table.charter.rename(seat, &name))))
                .await
                .map(|_| json!({}))
        }
        _ => carry_out(app, &room, seat, action, &written).await,
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
    written: &Written<'_>,
) -> Result<Value, CallError> {
    let client = written.client;
    let wish = request::wish(action, written.body, room.table().game.geometry())?;
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
///
/// # Errors
/// When too many do.
pub async fn ask(app: &Arc<App>, client: Client, task: Task) -> Result<Answer, CallError> {
    let mut ticket = app.hall.queue.ask(client, Lane::Hint, task).ok_or(CallError::Unavailable("busy"))?;
    match tokio::time::timeout(HINT_PATIENCE, &mut ticket.answer).await {
        Ok(Ok(answer)) => Ok(answer),
        _ => Err(CallError::Unavailable("busy")),
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
        "invitation": invitation.as_ref().map(Token::reveal),
        "state": room.present_state(Some(*seat)),
    })
}

fn invited(room: &Room) -> Value {
    let table = room.table();
    let charter = &table.charter;
    let seat = charter.guest.unwrap_or(Color::White);
    let host = match charter.player(seat.opponent()) {
        Player::Human { name, .. } => name.as_str(),
        Player::Cpu { .. } => "",
    };
    json!({
        "id": room.id,
        "seat": color_name(seat),
        "size": table.game.geometry().size(),
        "komi": table.game.komi().points(),
        "rules": table.game.rules().name,
        "handicap": table.game.handicap(),
        "first_capture": charter.first_capture,
        "host": host,
        "taken": charter.free_color().is_none(),
    })
}
