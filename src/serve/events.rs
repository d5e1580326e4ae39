//! Who watches: streams of events, and polls that wait for something new.

use std::sync::Arc;
use std::time::Duration;

use hyper::body::Bytes;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::body::Body;
use super::limits::StreamPlace;
use super::room::{Room, Shown};
use super::seats::Seat;
use crate::color::Color;

/// How often a stream says that it is there.
const PING: Duration = Duration::from_secs(15);
/// After how long somebody who left is shown as away; a page that loads again is back before.
const LEAVE: Duration = Duration::from_secs(21);
/// The longest wait of a poll.
const LONGEST_WAIT: Duration = Duration::from_secs(25);

/// Somebody who watches, as long as this lives.
#[derive(Debug)]
struct Watcher {
    room: Arc<Room>,
    seat: Option<Seat>,
    _place: StreamPlace,
}

impl Watcher {
    fn new(room: &Arc<Room>, seat: Option<Seat>, place: StreamPlace) -> Watcher {
        if let Some(seat) = seat {
            room.note_presence(seat, 1);
        }
        Watcher { room: Arc::clone(room), seat, _place: place }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let Some(seat) = self.seat else { return };
        self.room.note_presence(seat, -1);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let room = Arc::clone(&self.room);
            runtime.spawn(async move {
                sleep(LEAVE).await;
                let has_left = |color: Color| seat.has(color) && room.away(color) != Some(0);
                if Color::BOTH.into_iter().any(has_left) {
                    room.shown.send_modify(|shown| shown.seq += 1);
                }
            });
        }
    }
}

fn event(room: &Room, shown: &Shown, seat: Option<Seat>) -> Bytes {
    Bytes::from(format!("id: {}\nevent: state\ndata: {}\n\n", room.seq(shown), room.state(shown, seat)))
}

/// The events of a game. Whoever comes back with the mark of what is shown now hears of the next change; a slow reader gets the latest state
/// and not every one before it.
pub fn stream(room: &Arc<Room>, seat: Option<Seat>, last_seen: Option<&str>, place: StreamPlace) -> Body {
    let (sender, receiver) = mpsc::channel(1);
    let watcher = Watcher::new(room, seat, place);
    let mut shown = room.shown.subscribe();
    let mut told = last_seen.map(str::to_string);
    tokio::spawn(async move {
        let room = &watcher.room;
        if sender.send(Bytes::from_static(b"retry: 1000\n\n")).await.is_err() {
            return;
        }
        loop {
            let now = shown.borrow_and_update().clone();
            let seq = room.seq(&now);
            if told.as_deref() != Some(&seq) {
                let bytes = event(room, &now, watcher.seat);
                drop(now);
                told = Some(seq);
                if sender.send(bytes).await.is_err() {
                    return;
                }
            }
            let next = tokio::select! {
                () = sender.closed() => return,
                next = timeout(PING, shown.changed()) => next,
            };
            match next {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return,
                Err(_) if sender.send(Bytes::from_static(b": ping\n\n")).await.is_err() => return,
                Err(_) => {}
            }
        }
    });
    Body::Events(receiver)
}

/// The state as soon as it differs from what was seen; nothing if that takes longer than `wait`.
pub async fn poll(
    room: &Arc<Room>,
    seat: Option<Seat>,
    seen: &str,
    wait: Duration,
    place: StreamPlace,
) -> Option<Value> {
    let watcher = Watcher::new(room, seat, place);
    let mut shown = room.shown.subscribe();
    let differs = |shown: &Shown| watcher.room.seq(shown) != seen;
    drop(timeout(wait.min(LONGEST_WAIT), shown.wait_for(differs)).await);
    let now = shown.borrow().clone();
    differs(&now).then(|| watcher.room.state(&now, seat))
}
