//! Alive, dead or seki under the draft amendment of 2011, article 7.
//!
//! The owner of the chain moves first and may pass. The chain is alive if its owner can force that all its points are held
//! unconditionally, dead if the opponent can force that for one of them, and seki if neither can: whatever goes
//! on for ever is seki. A temporary capture is no harm.

use super::budget::Budget;
use super::goal::{Goal, Judgement, Position};
use super::line::Line;
use super::local::{Local, Set, State};
use super::solve::Solver;
use super::{Exhausted, Text};
use crate::color::Color;

/// The owner of a chain comes to hold all its points.
pub struct Live {
    /// The chain.
    pub chain: Set,
    /// Whose it is.
    pub owner: Color,
}

/// The opponent of a chain's owner comes to hold one of its points.
pub struct Die(pub Live);

impl Live {
    fn is_held(&self, position: &Position) -> bool {
        self.chain & !position.held.all(self.owner) == 0
    }

    fn is_lost(&self, position: &Position) -> bool {
        self.chain & position.held.all(self.owner.opponent()) != 0
    }
}

fn judgement(reached: bool, never: bool) -> Judgement {
    match (reached, never) {
        (true, _) => Judgement::Reached,
        (_, true) => Judgement::Never,
        _ => Judgement::Open,
    }
}

impl Goal for Live {
    fn distance(&self, position: &Position) -> u32 {
        position.held.distance(position.local, self.owner)
    }

    fn prover(&self) -> Color {
        self.owner
    }

    fn judge(&mut self, position: &Position, _: &mut Budget) -> Result<Judgement, Exhausted> {
        Ok(judgement(self.is_held(position), self.is_lost(position)))
    }
}

impl Goal for Die {
    fn distance(&self, position: &Position) -> u32 {
        position.held.distance(position.local, self.0.owner.opponent())
    }

    fn prover(&self) -> Color {
        self.0.owner.opponent()
    }

    fn judge(&mut self, position: &Position, _: &mut Budget) -> Result<Judgement, Exhausted> {
        Ok(judgement(self.0.is_lost(position), self.0.is_held(position)))
    }
}

/// What verification finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Its owner can force life.
    Alive,
    /// Its opponent can force the loss of a part.
    Dead,
    /// Neither.
    Seki,
}

/// Verifies the chain in a local position, with the line of play that shows the outcome.
///
/// # Errors
/// When the budget is used up before it is known.
pub fn verify(
    local: &Local,
    stones: [Set; 2],
    chain: Set,
    owner: Color,
    budget: &mut Budget,
) -> Result<(Outcome, Line), Exhausted> {
    let root = State::new(stones, owner);
    let mut live = Solver::new(Text::Draft, Live { chain, owner });
    if live.solve(local, &root, budget)? {
        return Ok((Outcome::Alive, live.line(&root)));
    }
    let mut die = Solver::new(Text::Draft, Die(Live { chain, owner }));
    if die.solve(local, &root, budget)? {
        return Ok((Outcome::Dead, die.line(&root)));
    }
    Ok((Outcome::Seki, die.line(&root)))
}
