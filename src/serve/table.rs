//! One game as its players see it: open, playing, counting, over, and what may be done in each.
//!
//! Nothing here knows of requests, files or threads; a change is made on a copy, kept, and only then shown.

mod counting;
mod undo;

use super::call::{CallError, Closed};
use super::charter::Charter;
use super::notes::{Counting, Done, Ending, Notes, names};
use super::seats::Seat;
use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Move, Point};
use crate::rules::DeadStones;

/// Moves after which a game ends without a result: more than any game needs, and a bound for what is kept.
const fn most_moves(area: usize) -> usize {
    4 * area + 200
}

/// Where a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// A friend is waited for.
    Open,
    /// Moves are made.
    Playing,
    /// Both have passed.
    Counting,
    /// Decided.
    Over,
}

impl Phase {
    /// The word of the interface.
    pub const fn code(self) -> &'static str {
        match self {
            Phase::Open => "open",
            Phase::Playing => "playing",
            Phase::Counting => "counting",
            Phase::Over => "over",
        }
    }
}

/// What a player may do with a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A stone or a pass.
    Move(Move),
    /// Give up.
    Resign,
    /// Take a move back, or ask to.
    Undo,
    /// Let the other take a move back.
    AcceptUndo,
    /// Do not, or do not ask any more.
    DeclineUndo,
    /// Play on after two passes.
    Resume,
    /// Say that the stones around a point are dead, or are not.
    Mark(Point, bool),
    /// Accept the count.
    Accept,
    /// Win because the other stays away.
    Claim,
    /// Ask for another game.
    Rematch,
}

/// What the engine has to do next in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// Make a move for this color.
    Move(Color),
    /// Judge which stones are dead.
    Judgement,
}

/// One game.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name.
    pub id: String,
    /// What was agreed.
    pub charter: Charter,
    /// Moves and position.
    pub game: Game,
    /// Everything else that changes.
    pub notes: Notes,
}

impl Table {
    /// Where the game stands.
    pub fn phase(&self) -> Phase {
        if self.notes.ending.is_some() {
            Phase::Over
        } else if self.charter.free_color().is_some() {
            Phase::Open
        } else if self.notes.counting.is_some() {
            Phase::Counting
        } else {
            Phase::Playing
        }
    }

    /// Whether the players say which stones are dead, or the board counts as it stands.
    pub fn takes_dead_off(&self) -> bool {
        self.game.rules().dead_stones == DeadStones::Removed
    }

    /// What the engine has to do next, if anything.
    pub fn want(&self) -> Option<Want> {
        match (self.phase(), &self.notes.counting) {
            (Phase::Playing, _) => {
                let color = self.game.to_move();
                self.charter.level(color).map(|_| Want::Move(color))
            }
            (Phase::Counting, Some(counting)) if !counting.judged => Some(Want::Judgement),
            _ => None,
        }
    }

    /// Does what a player asks for. Whether anything has changed: a repetition of the seat's last write changes nothing.
    ///
    /// `away` is how long the other player has been away, and how long that has to be for a claim, in seconds.
    ///
    /// # Errors
    /// When it cannot be done; nothing has changed then.
    pub fn act(&mut self, seat: Seat, version: u64, action: &Action, away: (u64, u64)) -> Result<bool, CallError> {
        let text = self.action_text(action);
        let is_repeated = |done: &Done| done.version == version && done.action == text;
        if self.notes.done[seat.index()].as_ref().is_some_and(is_repeated) {
            return Ok(false);
        }
        if version != self.notes.version {
            return Err(CallError::Stale);
        }
        let before = self.notes.version;
        match *action {
            Action::Move(mv) => self.make_move(seat, mv)?,
            Action::Resign => self.resign(seat)?,
            Action::Undo => self.undo(seat)?,
            Action::AcceptUndo => self.accept_undo(seat)?,
            Action::DeclineUndo => self.decline_undo()?,
            Action::Resume => self.resume()?,
            Action::Mark(point, dead) => self.mark(point, dead)?,
            Action::Accept => self.accept(seat)?,
            Action::Claim => self.claim(seat, away)?,
            Action::Rematch => self.ask_for_rematch(seat)?,
        }
        debug_assert!(self.notes.version - before <= 1, "one change at a time");
        self.notes.done[seat.index()] = Some(Done { version, action: text });
        Ok(true)
    }

    fn action_text(&self, action: &Action) -> String {
        let geometry = self.game.geometry();
        match *action {
            Action::Move(mv) => geometry.move_name(mv),
            Action::Resign => "resign".to_string(),
            Action::Undo => "undo".to_string(),
            Action::AcceptUndo => "undo/accept".to_string(),
            Action::DeclineUndo => "undo/decline".to_string(),
            Action::Resume => "resume".to_string(),
            Action::Mark(point, dead) => format!("mark {} {dead}", geometry.point_name(point)),
            Action::Accept => "accept".to_string(),
            Action::Claim => "claim".to_string(),
            Action::Rematch => "rematch".to_string(),
        }
    }

    /// Whether moves are made at all now.
    ///
    /// # Errors
    /// Why not.
    fn check_playing(&self) -> Result<(), Closed> {
        match self.phase() {
            Phase::Playing => Ok(()),
            Phase::Open => Err(Closed::NotOpen),
            Phase::Counting => Err(Closed::Counting),
            Phase::Over => Err(Closed::Over),
        }
    }

    /// Whether a seat may move now.
    ///
    /// # Errors
    /// Why not.
    pub fn check_turn(&self, seat: Seat) -> Result<(), Closed> {
        self.check_playing()?;
        if seat.has(self.game.to_move()) { Ok(()) } else { Err(Closed::NotYourTurn) }
    }

    fn make_move(&mut self, seat: Seat, mv: Move) -> Result<(), CallError> {
        let point = mv.point().map(|point| self.game.geometry().point_name(point));
        let refuse = |reason| CallError::Illegal(reason, point.clone());
        self.check_turn(seat).map_err(refuse)?;
        let color = self.game.to_move();
        self.game.play(color, mv).map_err(|reason| refuse(reason.into()))?;
        self.after_move(color);
        Ok(())
    }

    /// Makes the engine's move, unless the game has gone on since. Whether it was made.
    pub fn engine_moves(&mut self, version: u64, mv: Move) -> bool {
        let due = match self.want() {
            Some(Want::Move(color)) if version == self.notes.version => color,
            _ => return false,
        };
        if self.game.play(due, mv).is_err() {
            return false;
        }
        self.after_move(due);
        true
    }

    fn after_move(&mut self, color: Color) {
        let notes = &mut self.notes;
        notes.version += 1;
        notes.undo_request = [false; 2];
        let needed = self.charter.first_capture;
        let both_passed = self.game.passes() >= 2;
        if needed > 0 && self.game.captures(color) >= needed {
            notes.ending = Some(Ending::Capture { winner: Some(color) });
        } else if needed > 0 && both_passed {
            let [black, white] = Color::BOTH.map(|color| self.game.captures(color));
            let winner = match black.cmp(&white) {
                std::cmp::Ordering::Less => Some(Color::White),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Greater => Some(Color::Black),
            };
            notes.ending = Some(Ending::Capture { winner });
        } else if both_passed {
            let is_cpu = |color: Color| self.charter.level(color).is_some();
            notes.counting = Some(Counting { accepted: Color::BOTH.map(is_cpu), ..Counting::default() });
        } else if self.game.has_no_result() || self.game.turns().len() >= most_moves(self.game.geometry().area()) {
            notes.ending = Some(Ending::NoResult);
        }
    }

    /// Notes which stones the engine holds for dead, unless the game has gone on since. Whether it was noted.
    pub fn engine_judges(&mut self, version: u64, dead: &[Point]) -> bool {
        if version != self.notes.version || self.want() != Some(Want::Judgement) {
            return false;
        }
        let (dead, takes_off) = (names(self.game.geometry(), dead), self.takes_dead_off());
        let Some(counting) = &mut self.notes.counting else { return false };
        counting.judged = true;
        counting.dead = if takes_off { dead.clone() } else { Vec::new() };
        counting.by_keima = dead;
        self.notes.version += 1;
        true
    }

    fn resign(&mut self, seat: Seat) -> Result<(), CallError> {
        match self.phase() {
            Phase::Playing | Phase::Counting => {}
            Phase::Open => return Err(CallError::Illegal(Closed::NotOpen, None)),
            Phase::Over => return Err(CallError::Illegal(Closed::Over, None)),
        }
        let loser = match seat {
            Seat::One(color) => color,
            Seat::Both => self.game.to_move(),
        };
        self.end(Ending::Resign { winner: loser.opponent() });
        Ok(())
    }

    fn end(&mut self, ending: Ending) {
        self.notes.ending = Some(ending);
        self.notes.undo_request = [false; 2];
        self.notes.version += 1;
    }

    fn claim(&mut self, seat: Seat, (away, enough): (u64, u64)) -> Result<(), CallError> {
        let Seat::One(color) = seat else { return Err(CallError::NotNow("not-claimable")) };
        if !self.may_be_claimed_by(color) {
            return Err(CallError::NotNow("not-claimable"));
        }
        if away < enough {
            return Err(CallError::TooEarly(enough - away));
        }
        self.end(Ending::Claim { winner: color });
        Ok(())
    }

    /// Whether this color waits for a friend who has to move, or to agree.
    pub fn may_be_claimed_by(&self, color: Color) -> bool {
        let is_waiting = match (self.phase(), &self.notes.counting) {
            (Phase::Playing, _) => self.game.to_move() != color,
            (Phase::Counting, Some(counting)) => !counting.accepted[color.opponent().index()],
            _ => false,
        };
        is_waiting && self.charter.is_between_friends()
    }

    fn ask_for_rematch(&mut self, seat: Seat) -> Result<(), CallError> {
        if self.phase() != Phase::Over {
            return Err(CallError::NotNow("not-over"));
        }
        for color in Color::BOTH.into_iter().filter(|&color| seat.has(color)) {
            self.notes.rematch[color.index()] = true;
        }
        Ok(())
    }

    /// Whether everybody who has a say wants another game, and there is none yet.
    pub fn wants_rematch(&self) -> bool {
        let agrees = |color: Color| self.notes.rematch[color.index()] || self.charter.level(color).is_some();
        self.notes.next_game.is_none() && Color::BOTH.into_iter().all(agrees)
    }
}
