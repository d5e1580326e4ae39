//! What a side wants to reach, and what a position says about it by itself.

use super::Exhausted;
use super::budget::Budget;
use super::local::{Holdings, Local, Set, State};
use crate::color::Color;

/// What a position says by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// The goal is reached.
    Reached,
    /// It can never be reached from here.
    Never,
    /// That depends on the play.
    Open,
}

/// A position with what is seen at once.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// The points.
    pub local: &'a Local,
    /// The stones, the ko rule and who is to move.
    pub state: &'a State,
    /// What is held unconditionally.
    pub held: Holdings,
}

impl Position<'_> {
    /// Looks at a position.
    pub fn new<'a>(local: &'a Local, state: &'a State) -> Position<'a> {
        Position { local, state, held: local.holdings(state) }
    }

    /// The stones of `color`.
    pub fn stones(&self, color: Color) -> Set {
        self.state.stones[color.index()]
    }
}

/// What the prover wants to reach.
pub trait Goal {
    /// Who wants it.
    fn prover(&self) -> Color;

    /// What the position says by itself.
    ///
    /// # Errors
    /// When the budget is used up.
    fn judge(&mut self, position: &Position, budget: &mut Budget) -> Result<Judgement, Exhausted>;

    /// A guess at how many positions a proof takes from here.
    fn distance(&self, _: &Position) -> u32 {
        1
    }

    /// Points on which a stone serves neither side better than a pass: where unconditionally alive stones hold everything.
    fn useless(&self, position: &Position) -> Set {
        position.held.settled_by_either()
    }
}
