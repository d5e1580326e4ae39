//! Alive, dead or seki under the draft amendment of 2011, article 7.
//!
//! The owner of the chain moves first and may pass. The chain is alive if its owner can force that all its points are held
//! unconditionally, dead if the opponent can force that for one of them, and seki if neither can: whatever goes
//! on for ever is seki. A temporary capture is no harm.

use super::line::Line;
use super::local::{Local, Set, State};
use super::solve::{Budget, Goal, Judgement, Solver};
use super::{Exhausted, Text};
use crate::color::Color;

/// The owner of a chain comes to hold all its points.
struct Live {
    chain: Set,
    owner: Color,
}

/// The opponent of a chain's owner comes to hold one of its points.
struct Die(Live);

impl Live {
    fn is_held(&self, local: &Local, state: &State) -> bool {
        self.chain & !local.unconditional(state, self.owner).all() == 0
    }

    fn is_lost(&self, local: &Local, state: &State) -> bool {
        self.chain & local.unconditional(state, self.owner.opponent()).all() != 0
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
    fn distance(&self, local: &Local, state: &State) -> u32 {
        local.distance_to_holding(state, self.owner)
    }

    fn prover(&self) -> Color {
        self.owner
    }

    fn judge(&mut self, local: &Local, state: &State, _: &mut Budget) -> Result<Judgement, Exhausted> {
        Ok(judgement(self.is_held(local, state), self.is_lost(local, state)))
    }
}

impl Goal for Die {
    fn distance(&self, local: &Local, state: &State) -> u32 {
        local.distance_to_holding(state, self.0.owner.opponent())
    }

    fn prover(&self) -> Color {
        self.0.owner.opponent()
    }

    fn judge(&mut self, local: &Local, state: &State, _: &mut Budget) -> Result<Judgement, Exhausted> {
        Ok(judgement(self.0.is_lost(local, state), self.0.is_held(local, state)))
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
