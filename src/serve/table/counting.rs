//! The count after two passes: stones marked as dead, accepted, or play taken up again.

use super::{Phase, Table};
use crate::color::Color;
use crate::game::Game;
use crate::geometry::Point;
use crate::scoring;
use crate::serve::call::CallError;
use crate::serve::notes::{Counting, Ending, names, points};
use crate::serve::seats::Seat;

impl Table {
    fn counting(&mut self) -> Result<&mut Counting, CallError> {
        if self.phase() != Phase::Counting {
            return Err(CallError::NotNow("not-counting"));
        }
        self.notes.counting.as_mut().ok_or(CallError::NotNow("not-counting"))
    }

    /// The two passes that closed the game are taken back, so that whoever passed first may move.
    pub(super) fn resume(&mut self) -> Result<(), CallError> {
        self.counting()?;
        let left = self.game.turns().len().saturating_sub(2);
        self.take_back_to(left);
        self.notes.version += 1;
        Ok(())
    }

    pub(super) fn mark(&mut self, point: Point, dead: bool) -> Result<(), CallError> {
        if !self.takes_dead_off() {
            self.counting()?;
            return Err(CallError::NotNow("fixed"));
        }
        let geometry = self.game.geometry();
        let stones = names(geometry, &stones_around(&self.game, point));
        let is_cpu = Color::BOTH.map(|color| self.charter.level(color).is_some());
        let counting = self.counting()?;
        if !counting.judged {
            return Err(CallError::Unavailable("busy"));
        }
        if stones.is_empty() {
            return Err(CallError::NotNow("no-stone"));
        }
        counting.dead.retain(|name| !stones.contains(name));
        if dead {
            counting.dead.extend(stones);
        }
        counting.accepted = is_cpu;
        self.notes.version += 1;
        Ok(())
    }

    pub(super) fn accept(&mut self, seat: Seat) -> Result<(), CallError> {
        let cpu = self.charter.cpu();
        let counting = self.counting()?.clone();
        if !counting.judged {
            return Err(CallError::Unavailable("busy"));
        }
        let geometry = self.game.geometry();
        let score = scoring::score(&self.game, &points(geometry, &counting.dead));
        if let Some(color) = cpu.filter(|_| self.takes_dead_off()) {
            let own = scoring::score(&self.game, &points(geometry, &counting.by_keima));
            if score.for_color(color) < own.for_color(color) {
                return Err(CallError::NotAgreed(counting.by_keima));
            }
        }
        let accepts = |color: Color| counting.accepted[color.index()] || seat.has(color);
        let accepted = Color::BOTH.map(accepts);
        self.counting()?.accepted = accepted;
        if accepted == [true; 2] {
            self.end(Ending::by_score(score));
        }
        Ok(())
    }
}

/// The chain on a point, and those of its color that share empty points with it: they live and die together in nearly all games.
fn stones_around(game: &Game, point: Point) -> Vec<Point> {
    let (board, geometry) = (game.board(), game.geometry());
    let Some(color) = board.cell(point).color() else { return Vec::new() };
    let mut reached = vec![point];
    let mut next = 0;
    while next < reached.len() {
        for neighbor in geometry.neighbors(reached[next]) {
            let passable = board.is_empty(neighbor) || board.cell(neighbor).color() == Some(color);
            if passable && !reached.contains(&neighbor) {
                reached.push(neighbor);
            }
        }
        next += 1;
    }
    reached.retain(|&p| !board.is_empty(p));
    reached
}
