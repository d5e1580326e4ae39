//! Moves taken back: at once from Keima, by consent from a friend.

use super::{Phase, Table};
use crate::color::Color;
use crate::serve::call::CallError;
use crate::serve::notes::Ending;
use crate::serve::seats::Seat;

impl Table {
    /// The number of moves that are left when this seat takes back its last one.
    fn before_last_move(&self, seat: Seat) -> Option<usize> {
        let own = self.game.turns().iter().rposition(|turn| seat.has(turn.color))?;
        (own >= self.charter.floor).then_some(own)
    }

    /// Whether this seat may take a move back, or ask to.
    ///
    /// # Errors
    /// Why not.
    pub fn check_undo(&self, seat: Seat) -> Result<(), CallError> {
        if !self.charter.undo {
            return Err(CallError::Forbidden("no-undo"));
        }
        let is_friendly = self.charter.is_between_friends();
        match (self.phase(), self.notes.ending) {
            (Phase::Playing, _) => {}
            (Phase::Counting, _) if !is_friendly => {}
            // Nobody takes back what both have accepted; but whoever learns may undo the slip that lost a game.
            (Phase::Over, Some(Ending::Capture { .. } | Ending::Resign { .. })) if !is_friendly => {}
            _ => return Err(CallError::NotNow("nothing-to-undo")),
        }
        // After a resignation there is that to take back.
        let resigned = matches!(self.notes.ending, Some(Ending::Resign { .. }));
        if resigned || self.before_last_move(seat).is_some() {
            Ok(())
        } else {
            Err(CallError::NotNow("nothing-to-undo"))
        }
    }

    pub(super) fn undo(&mut self, seat: Seat) -> Result<(), CallError> {
        self.check_undo(seat)?;
        if let (Seat::One(color), true) = (seat, self.charter.is_between_friends()) {
            self.notes.undo_request = [false; 2];
            self.notes.undo_request[color.index()] = true;
            return Ok(());
        }
        let resigned = matches!(self.notes.ending, Some(Ending::Resign { .. }));
        match self.before_last_move(seat) {
            _ if resigned => self.notes.ending = None,
            Some(left) => self.take_back_to(left),
            None => return Err(CallError::NotNow("nothing-to-undo")),
        }
        self.notes.version += 1;
        Ok(())
    }

    pub(super) fn take_back_to(&mut self, moves: usize) {
        while self.game.turns().len() > moves && self.game.undo() {}
        self.notes.ending = None;
        self.notes.counting = None;
        self.notes.undo_request = [false; 2];
    }

    pub(super) fn accept_undo(&mut self, seat: Seat) -> Result<(), CallError> {
        let other = Color::BOTH.into_iter().find(|&color| !seat.has(color));
        let asked = other.filter(|color| self.notes.undo_request[color.index()]);
        let left = asked.and_then(|color| self.before_last_move(Seat::One(color)));
        let left = left.filter(|_| self.phase() == Phase::Playing).ok_or(CallError::NotNow("no-request"))?;
        self.take_back_to(left);
        self.notes.version += 1;
        Ok(())
    }

    pub(super) fn decline_undo(&mut self) -> Result<(), CallError> {
        if self.notes.undo_request == [false; 2] {
            return Err(CallError::NotNow("no-request"));
        }
        for (asked, done) in self.notes.undo_request.iter_mut().zip(&mut self.notes.done) {
            // Whoever asks again does not repeat the write that was declined.
            if std::mem::take(asked) {
                *done = None;
            }
        }
        Ok(())
    }
}
