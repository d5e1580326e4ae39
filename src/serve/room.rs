//! One game with those who look at it: changes one after another, kept first and shown then.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::sync::watch;

use super::call::CallError;
use super::queue::Client;
use super::seats::{Digest, Seat};
use super::store::{Part, Store, now};
use super::table::Table;
use super::view::{Now, Picture, Thinking};
use crate::color::Color;

/// Seconds after which somebody who was here is away.
const AWAY_AFTER: u64 = 20;

/// What is shown of a game; everything is shared and replaced as a whole, so that nobody who looks waits for the disk.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Counts everything that can be seen to change.
    pub seq: u64,
    /// The game as it is kept.
    pub table: Arc<Table>,
    /// What the engine is doing for it.
    pub thinking: Option<Thinking>,
    picture: Arc<Picture>,
}

/// Whether a player is here.
#[derive(Debug, Default)]
struct Presence {
    streams: AtomicUsize,
    last: AtomicU64,
}

/// A game and those who look at it.
#[derive(Debug)]
pub struct Room {
    /// The name of the game.
    pub id: String,
    /// What is shown, and who waits for something new.
    pub shown: watch::Sender<Shown>,
    /// Held while a change is made and kept.
    writing: Mutex<()>,
    presence: [Presence; 2],
    /// Where the last write came from: whose turn in the queue the engine's answer takes.
    client: Mutex<Option<Client>>,
    /// Whether somebody sees to it that the engine does its part.
    pub attended: AtomicBool,
    /// Distinguishes this run of the server from others.
    boot: Arc<str>,
    claim_after: u64,
}

impl Room {
    /// A room for a game whose last change was at `changed`, in seconds since 1970.
    pub fn new(table: Table, changed: u64, boot: Arc<str>, claim_after: u64) -> Room {
        let presence = Color::BOTH.map(|color| {
            let has_come = table.charter.free_color() != Some(color);
            Presence { streams: AtomicUsize::new(0), last: AtomicU64::new(if has_come { changed } else { 0 }) }
        });
        let picture = Arc::new(Picture::of(&table));
        let id = table.id.clone();
        let shown = Shown { seq: 0, table: Arc::new(table), thinking: None, picture };
        Room {
            id,
            shown: watch::Sender::new(shown),
            writing: Mutex::default(),
            presence,
            client: Mutex::default(),
            attended: AtomicBool::new(false),
            boot,
            claim_after,
        }
    }

    /// The game as it is kept.
    pub fn table(&self) -> Arc<Table> {
        Arc::clone(&self.shown.borrow().table)
    }

    /// Changes the game: `change` works on a copy and says whether there is anything to keep; only what the disk has taken is shown.
    ///
    /// # Errors
    /// Those of `change`, and when the disk does not take it. Nothing has changed then.
    pub fn change(
        &self,
        store: &Store,
        part: Part,
        change: impl FnOnce(&mut Table) -> Result<bool, CallError>,
    ) -> Result<bool, CallError> {
        let _one_at_a_time = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut table = Table::clone(&self.table());
        if !change(&mut table)? {
            return Ok(false);
        }
        store.keep(&table, part).map_err(|error| {
            log::error!("game {} cannot be kept: {error}", self.id);
            CallError::NotStored
        })?;
        let picture = Arc::new(Picture::of(&table));
        let table = Arc::new(table);
        self.shown.send_modify(|shown| {
            if shown.table.notes.version != table.notes.version {
                shown.thinking = None;
            }
            *shown = Shown { seq: shown.seq + 1, table, picture, thinking: shown.thinking };
        });
        Ok(true)
    }

    /// Shows what the engine is doing.
    pub fn show_thinking(&self, thinking: Option<Thinking>) {
        self.shown.send_if_modified(|shown| {
            let differs = shown.thinking != thinking;
            shown.seq += u64::from(differs);
            shown.thinking = thinking;
            differs
        });
    }

    /// The seat that a token has.
    pub fn seat_of(&self, token: &Digest) -> Option<Seat> {
        self.shown.borrow().table.charter.seat_of(token)
    }

    /// The mark of what is shown now: it changes with everything that can be seen.
    pub fn seq(&self, shown: &Shown) -> String {
        format!("{}-{}", self.boot, shown.seq)
    }

    /// The state for a viewer.
    pub fn state(&self, shown: &Shown, seat: Option<Seat>) -> Value {
        let now = Now {
            away: Color::BOTH.map(|color| self.away(color)),
            claim_after: self.claim_after,
            thinking: shown.thinking,
        };
        shown.picture.state(seat, &self.seq(shown), &now)
    }

    /// The present state for a viewer.
    pub fn present_state(&self, seat: Option<Seat>) -> Value {
        let shown = self.shown.borrow().clone();
        self.state(&shown, seat)
    }

    /// How many seconds a color has been away; `None` if it never was here.
    pub fn away(&self, color: Color) -> Option<u64> {
        let presence = &self.presence[color.index()];
        if presence.streams.load(Ordering::Relaxed) > 0 {
            return Some(0);
        }
        let last = presence.last.load(Ordering::Relaxed);
        let away = now().saturating_sub(last);
        (last > 0).then_some(if away < AWAY_AFTER { 0 } else { away })
    }

    /// How long the opponent of a seat has been away, and how long it has to be for a claim.
    pub fn away_and_enough(&self, seat: Seat) -> (u64, u64) {
        let opponent = match seat {
            Seat::One(color) => color.opponent(),
            Seat::Both => return (0, u64::MAX),
        };
        (self.away(opponent).unwrap_or(0), self.claim_after)
    }

    /// Notes that a seat is here. `streams` more of its streams are open.
    pub fn note_presence(&self, seat: Seat, streams: i8) {
        let mut changes = false;
        for color in Color::BOTH.into_iter().filter(|&color| seat.has(color)) {
            let before = self.away(color);
            let presence = &self.presence[color.index()];
            match streams {
                1.. => drop(presence.streams.fetch_add(1, Ordering::Relaxed)),
                0 => {}
                _ => drop(presence.streams.fetch_sub(1, Ordering::Relaxed)),
            }
            presence.last.store(now(), Ordering::Relaxed);
            changes |= before != Some(0);
        }
        if changes {
            self.shown.send_modify(|shown| shown.seq += 1);
        }
    }

    /// Notes where a write came from.
    pub fn note_client(&self, client: Client) {
        *self.client.lock().unwrap_or_else(PoisonError::into_inner) = Some(client);
    }

    /// Where the last write came from.
    pub fn client(&self) -> Option<Client> {
        *self.client.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
