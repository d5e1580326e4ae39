//! What is asked of a search: a position, when to end, which moves to leave out, and who is told of it meanwhile.

use std::time::Duration;

use super::Report;
use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Move, Point};
use crate::time::TimeBudget;

/// When a search ends. Without any limit it goes on until it is stopped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Exact number of simulations. With it each search starts a tree of its own, so that the result depends on nothing that went before.
    pub simulations: Option<u64>,
    /// Time to aim at and never to exceed.
    pub time: Option<TimeBudget>,
}

/// Moves that a search leaves out, as people ask of an analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restriction {
    /// Whose moves.
    pub color: Color,
    /// The moves left out, or the only ones left in.
    pub moves: Vec<Move>,
    /// Whether `moves` are the only ones left in.
    pub only: bool,
    /// For how many moves from the position searched.
    pub depth: usize,
}

impl Restriction {
    /// Whether `mv` of `color` is left out after `depth` moves from the position searched.
    pub fn forbids(&self, color: Color, mv: Move, depth: usize) -> bool {
        self.color == color && depth < self.depth && self.moves.contains(&mv) != self.only
    }
}

/// A position to search.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The game so far.
    pub game: &'q Game,
    /// Who is to move.
    pub color: Color,
    /// The stones that would come off if the game ended now.
    pub dead: &'q [Point],
    /// When to end.
    pub limits: Limits,
    /// Moves to leave out.
    pub restrictions: &'q [Restriction],
}

impl<'q> Question<'q> {
    /// The next move of a game of which nothing is dead.
    pub fn new(game: &'q Game, limits: Limits) -> Question<'q> {
        Question { game, color: game.to_move(), dead: &[], limits, restrictions: &[] }
    }
}

/// Who is told what a search has found so far.
pub struct Listener<'l> {
    /// How long after the beginning for the first time.
    pub first: Duration,
    /// How often from then on.
    pub every: Duration,
    /// Whether to be told the ownership after each move, which takes some time.
    pub moves_ownership: bool,
    /// What to do with it; the search waits meanwhile.
    pub tell: &'l mut dyn FnMut(&Report),
}
