//! Sees to it that the engine does its part in a game: asks, tells how many come first, waits so that a person can follow, and makes the move.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::hall::Hall;
use super::queue::{Answer, Client, Lane, Task};
use super::room::Room;
use super::store::Part;
use super::table::{Table, Want};
use super::view::Thinking;

/// How often those who wait are told how many come first.
const TELL: Duration = Duration::from_millis(250);
/// After how long a full queue, or a full disk, is tried again.
const AGAIN: Duration = Duration::from_secs(2);

/// Sees to the engine's part in a game until it is done. `delay` is the shortest time from a person's move to the answer.
pub fn attend(hall: &Arc<Hall>, room: &Arc<Room>, delay: Duration) {
    if room.table().want().is_none() || room.attended.swap(true, Ordering::AcqRel) {
        return;
    }
    let (hall, room) = (Arc::clone(hall), Arc::clone(room));
    tokio::spawn(async move {
        loop {
            while room.table().want().is_some() {
                if !serve_once(&hall, &room, delay).await {
                    sleep(AGAIN).await;
                }
            }
            room.show_thinking(None);
            room.attended.store(false, Ordering::Release);
            // Something may have come up since the last look.
            if room.table().want().is_none() || room.attended.swap(true, Ordering::AcqRel) {
                return;
            }
        }
    });
}

fn task(table: &Table, want: Want) -> Task {
    let game = Box::new(table.game.clone());
    match want {
        Want::Judgement => Task::Judgement(game),
        Want::Move(color) => Task::Move {
            game,
            level: table.charter.level(color).unwrap_or_default(),
            seed: table.charter.seed,
            first_capture: table.charter.first_capture,
        },
    }
}

/// Asks the engine once and carries its answer out. False if it has to be tried again later.
async fn serve_once(hall: &Arc<Hall>, room: &Arc<Room>, delay: Duration) -> bool {
    let begin = Instant::now();
    let table = room.table();
    let Some(want) = table.want() else { return true };
    // After a restart nobody has written yet; any address will do, since there is only this question of it.
    let client = room.client().unwrap_or_else(|| Client::at([0, 0, 0, 0].into()));
    let Some(mut ticket) = hall.queue.ask(client, Lane::Move, task(&table, want)) else {
        room.show_thinking(Some(Thinking::Busy));
        return false;
    };
    let answer = loop {
        room.show_thinking(Some(Thinking::Ahead(ticket.ahead())));
        match timeout(TELL, &mut ticket.answer).await {
            Ok(answer) => break answer,
            // The game has gone on without the engine: a move was taken back.
            Err(_) if room.table().notes.version != table.notes.version => return true,
            Err(_) => {}
        }
    };
    drop(ticket);
    let Ok(answer) = answer else { return false };
    if matches!(answer, Answer::Move(_)) {
        sleep_until(begin + delay).await;
    }
    let (hall, room) = (Arc::clone(hall), Arc::clone(room));
    let version = table.notes.version;
    let carried_out = tokio::task::spawn_blocking(move || {
        hall.change(&room, Part::Game, |table| {
            Ok(match &answer {
                Answer::Move(mv) => table.engine_moves(version, *mv),
                Answer::Dead(dead) => table.engine_judges(version, dead),
                Answer::Hints(_) => false,
            })
        })
    });
    matches!(carried_out.await, Ok(Ok(_)))
}
