//! All games: made, found, joined, and forgotten when nobody comes back to them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::call::CallError;
use super::charter::{Charter, Player};
use super::queue::Queue;
use super::room::Room;
use super::seats::{Digest, Seat, Token, draw_id, draw_seed};
use super::store::{Part, Store, StoreError, now};
use super::table::{Phase, Table};
use super::view::Thinking;
use crate::color::Color;
use crate::game::Game;

/// Rooms kept in memory before those that nobody looks at are left to the disk.
const ROOMS_IN_MEMORY: usize = 1000;
const DAY: u64 = 24 * 3600;

/// How long games are kept without a change, in days; 0 for ever.
#[derive(Clone, Copy, Debug)]
pub struct Expiry {
    /// Invitations that nobody took.
    pub open: u64,
    /// Games between people.
    pub friends: u64,
    /// Games against Keima.
    pub cpu: u64,
}

/// What the hall allows.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Games kept at most.
    pub most_games: usize,
    /// Seconds away that give a friend the game.
    pub claim_after: u64,
    /// When games are forgotten.
    pub expiry: Expiry,
}

/// Which days of [`Expiry`] hold for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Open,
    Friends,
    Cpu,
}

impl Kind {
    fn of(table: &Table) -> Kind {
        match table.phase() {
            Phase::Open => Kind::Open,
            _ if table.charter.cpu().is_some() => Kind::Cpu,
            _ => Kind::Friends,
        }
    }
}

#[derive(Debug)]
struct Kept {
    kind: Kind,
    changed: u64,
}

#[derive(Default, Debug)]
struct Index {
    kept: HashMap<String, Kept>,
    rooms: HashMap<String, Arc<Room>>,
    invitations: HashMap<Digest, String>,
    keys: HashMap<Digest, String>,
}

impl Index {
    fn add(&mut self, table: &Table, changed: u64) {
        let charter = &table.charter;
        if let Some(invitation) = charter.invitation {
            self.invitations.insert(invitation, table.id.clone());
        }
        if let Some(key) = charter.made_by {
            self.keys.insert(key, table.id.clone());
        }
        self.kept.insert(table.id.clone(), Kept { kind: Kind::of(table), changed });
    }
}

/// All games.
#[derive(Debug)]
pub struct Hall {
    /// Where games are kept.
    pub store: Store,
    /// What the engine is asked.
    pub queue: Arc<Queue>,
    rules: Rules,
    index: Mutex<Index>,
    boot: Arc<str>,
    /// Games that could not be read at the start.
    pub broken: usize,
}

/// What whoever makes or joins a game gets.
#[derive(Debug)]
pub struct Welcome {
    /// The game.
    pub room: Arc<Room>,
    /// The seat.
    pub seat: Seat,
    /// What proves it.
    pub token: Token,
    /// What invites a friend, if a seat is free.
    pub invitation: Option<Token>,
}

/// A game to be made.
#[derive(Debug)]
pub struct Plan {
    /// Who plays; seats, invitation and keys are filled in.
    pub charter: Charter,
    /// The position at the beginning.
    pub game: Game,
    /// The seat of whoever makes it.
    pub seat: Seat,
    /// The key with which the request may come again.
    pub key: Option<Digest>,
}

impl Hall {
    /// A hall with the games of a store.
    ///
    /// # Errors
    /// When they cannot be read, or the system gives no random numbers.
    pub fn new(store: Store, queue: Arc<Queue>, rules: Rules) -> Result<Hall, StoreError> {
        let random = |_| StoreError::File(std::io::Error::other("the system gives no random numbers"));
        let boot: Arc<str> = draw_id().map_err(random)?[..4].into();
        let mut index = Index::default();
        let broken = store.scan(|table, changed| index.add(table, changed))?;
        Ok(Hall { store, queue, rules, index: Mutex::new(index), boot, broken })
    }

    fn index(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Games kept.
    pub fn games(&self) -> usize {
        self.index().kept.len()
    }

    /// Rooms in memory.
    pub fn rooms(&self) -> usize {
        self.index().rooms.len()
    }

    /// The room of a game if it is in memory.
    pub fn room_in_memory(&self, id: &str) -> Option<Arc<Room>> {
        self.index().rooms.get(id).map(Arc::clone)
    }

    /// The room of a game, from the disk if need be.
    ///
    /// # Errors
    /// When there is no such game, or it cannot be read.
    pub fn room(&self, id: &str) -> Result<Arc<Room>, CallError> {
        let mut index = self.index();
        if let Some(room) = index.rooms.get(id) {
            return Ok(Arc::clone(room));
        }
        let changed = index.kept.get(id).map(|kept| kept.changed).ok_or(CallError::NotFound("no-game"))?;
        // The index stays locked, so that no game gets two rooms.
        let table = self.store.load(id).map_err(|error| {
            log::error!("game {id} cannot be read: {error}");
            CallError::NotFound("no-game")
        })?;
        let room = self.make_room(table, changed);
        Self::insert(&mut index, &room);
        Ok(room)
    }

    fn make_room(&self, table: Table, changed: u64) -> Arc<Room> {
        Arc::new(Room::new(table, changed, Arc::clone(&self.boot), self.rules.claim_after))
    }

    fn insert(index: &mut Index, room: &Arc<Room>) {
        if index.rooms.len() >= ROOMS_IN_MEMORY {
            // Whoever holds a room, looks at it or works for it counts as well.
            index.rooms.retain(|_, room| Arc::strong_count(room) > 1 || room.shown.receiver_count() > 0);
        }
        index.rooms.insert(room.id.clone(), Arc::clone(room));
    }

    /// Changes a game: see [`Room::change`].
    ///
    /// # Errors
    /// As there.
    pub fn change(
        &self,
        room: &Room,
        part: Part,
        change: impl FnOnce(&mut Table) -> Result<bool, CallError>,
    ) -> Result<bool, CallError> {
        let changed = room.change(&self.store, part, change)?;
        if changed {
            let table = room.table();
            let mut index = self.index();
            if let Some(kept) = index.kept.get_mut(&room.id) {
                *kept = Kept { kind: Kind::of(&table), changed: now() };
            }
        }
        Ok(changed)
    }

    /// Makes a game, or gives the one that the same key has made.
    ///
    /// # Errors
    /// When there are too many, or the disk does not take it.
    pub fn make(&self, plan: Plan) -> Result<Welcome, CallError> {
        let known = plan.key.and_then(|key| self.index().keys.get(&key).cloned());
        if let Some(id) = known {
            return self.welcome_again(&id, plan.seat);
        }
        let Plan { mut charter, game, seat, key } = plan;
        let (token, host) = (Token::draw()?, color_of(seat));
        charter.give(host, Digest::of(token.reveal()));
        charter.made_by = key;
        charter.guest = charter.free_color();
        let invitation = charter.guest.map(|_| Token::draw()).transpose()?;
        charter.invitation = invitation.as_ref().map(|invitation| Digest::of(invitation.reveal()));
        let room = self.add(charter, game)?;
        Ok(Welcome { room, seat, token, invitation })
    }

    fn add(&self, charter: Charter, game: Game) -> Result<Arc<Room>, CallError> {
        if self.games() >= self.rules.most_games {
            return Err(CallError::Unavailable("too-many-games"));
        }
        let table = Table { id: draw_id()?, charter, game, notes: super::notes::Notes::default() };
        self.store.create(&table).map_err(|error| not_stored(&error))?;
        let mut index = self.index();
        index.add(&table, now());
        let room = self.make_room(table, now());
        Self::insert(&mut index, &room);
        Ok(room)
    }

    /// Gives whoever made a game another token: the answer with the first one was lost.
    fn welcome_again(&self, id: &str, seat: Seat) -> Result<Welcome, CallError> {
        let room = self.room(id)?;
        let (token, renewed) = (Token::draw()?, Token::draw()?);
        let mut invites = false;
        self.change(&room, Part::Charter, |table| {
            table.charter.give(color_of(seat), Digest::of(token.reveal()));
            invites = table.charter.free_color().is_some();
            if invites {
                table.charter.invitation = Some(Digest::of(renewed.reveal()));
            }
            Ok(true)
        })?;
        self.note_invitation(&room);
        Ok(Welcome { room, seat, token, invitation: invites.then_some(renewed) })
    }

    fn note_invitation(&self, room: &Room) {
        let table = room.table();
        let mut index = self.index();
        index.invitations.retain(|_, id| *id != room.id);
        if let Some(invitation) = table.charter.invitation {
            index.invitations.insert(invitation, room.id.clone());
        }
    }

    /// The game to which an invitation is.
    ///
    /// # Errors
    /// When there is none.
    pub fn invited_to(&self, invitation: &str) -> Result<Arc<Room>, CallError> {
        let id = self.index().invitations.get(&Digest::of(invitation)).cloned();
        self.room(&id.ok_or(CallError::NotFound("no-invitation"))?)
    }

    /// Claims the free seat of a game, or gives it again to whoever has claimed it with the same key.
    ///
    /// # Errors
    /// When there is no such invitation, or somebody else sits there.
    pub fn join(&self, invitation: &str, name: &str, key: Option<Digest>) -> Result<Welcome, CallError> {
        let room = self.invited_to(invitation)?;
        let token = Token::draw()?;
        let mut color = Color::Black;
        self.change(&room, Part::Charter, |table| {
            let charter = &mut table.charter;
            // It may have been replaced a moment ago.
            if charter.invitation != Some(Digest::of(invitation)) {
                return Err(CallError::NotFound("no-invitation"));
            }
            let is_again = key.is_some() && key == charter.join_key;
            color = match (charter.free_color(), charter.guest) {
                (Some(free), _) => free,
                (None, Some(guest)) if is_again => guest,
                _ => return Err(CallError::SeatTaken(table.id.clone())),
            };
            if let Player::Human { name: own, .. } = charter.player_mut(color) {
                *own = name.to_string();
            }
            charter.give(color, Digest::of(token.reveal()));
            charter.join_key = key;
            Ok(true)
        })?;
        Ok(Welcome { room, seat: Seat::One(color), token, invitation: None })
    }

    /// Replaces the invitation to a game, or only voids it.
    ///
    /// # Errors
    /// When nobody is waited for any more.
    pub fn invite(&self, room: &Room, renew: bool) -> Result<Option<Token>, CallError> {
        let invitation = if renew { Some(Token::draw()?) } else { None };
        self.change(room, Part::Charter, |table| {
            if table.charter.free_color().is_none() {
                return Err(CallError::NotNow("not-open"));
            }
            table.charter.invitation = invitation.as_ref().map(|invitation| Digest::of(invitation.reveal()));
            Ok(true)
        })?;
        self.note_invitation(room);
        Ok(invitation)
    }

    /// Makes the next game of the same players, who keep their tokens; with colors exchanged if `swap` says so.
    ///
    /// # Errors
    /// As for [`Hall::make`].
    pub fn make_next(&self, table: &Table, swap: bool) -> Result<String, CallError> {
        let mut charter = table.charter.clone();
        if swap {
            std::mem::swap(&mut charter.black, &mut charter.white);
        }
        charter.created = now();
        charter.seed = draw_seed()?;
        charter.floor = 0;
        (charter.invitation, charter.join_key, charter.made_by, charter.guest) = (None, None, None, None);
        let mut game = Game::new(table.game.geometry(), table.game.rules(), table.game.komi());
        if let Some(points) = table.game.geometry().handicap_points(table.game.handicap()) {
            game.place_handicap(&points).map_err(|_| CallError::BadValue("bad-handicap"))?;
        }
        let next = self.add(charter, game)?;
        Ok(next.id.clone())
    }

    /// Forgets games that have expired, and returns how many.
    pub fn sweep(&self) -> usize {
        let expired = self.forget_expired(now());
        // The index is free again while the disk is at work.
        for id in &expired {
            self.store.remove(id);
        }
        expired.len()
    }

    fn forget_expired(&self, time: u64) -> Vec<String> {
        let expiry = self.rules.expiry;
        let mut index = self.index();
        let is_expired = |kept: &Kept| {
            let days = match kept.kind {
                Kind::Open => expiry.open,
                Kind::Friends => expiry.friends,
                Kind::Cpu => expiry.cpu,
            };
            days > 0 && time.saturating_sub(kept.changed) > days * DAY
        };
        let watched = |id: &String| index.rooms.get(id).is_some_and(|room| room.shown.receiver_count() > 0);
        let expired = index.kept.iter().filter(|(id, kept)| is_expired(kept) && !watched(id));
        let expired: Vec<String> = expired.map(|(id, _)| id.clone()).collect();
        for id in &expired {
            index.kept.remove(id);
            index.rooms.remove(id);
        }
        let gone: HashSet<&String> = expired.iter().collect();
        index.invitations.retain(|_, id| !gone.contains(id));
        index.keys.retain(|_, id| !gone.contains(id));
        expired
    }

    /// Shows that the engine is asked, before it is: so that the answer to a move says so already.
    pub fn show_that_engine_is_due(&self, room: &Room) {
        if room.table().want().is_some() {
            room.show_thinking(Some(Thinking::Ahead(self.queue.moves_waiting())));
        }
    }
}

fn color_of(seat: Seat) -> Color {
    match seat {
        Seat::One(color) => color,
        Seat::Both => Color::Black,
    }
}

fn not_stored(error: &StoreError) -> CallError {
    log::error!("a game cannot be kept: {error}");
    CallError::NotStored
}
