//! What area rules allow to be taken as known: the fate of a chain whoever moves first and whoever wins the kos.
//!
//! By area a doubt is settled on the board, at no cost, so the confirmation of the Japanese texts does not apply. But a chain that cannot be
//! captured though its opponent begins and may retake every ko at once lives in whatever is played, and one that is lost though its
//! owner begins and may retake every ko at once is dead.

use super::Exhausted;
use super::budget::Budget;
use super::draft::{Die, Live};
use super::japanese::Capture;
use super::line::Line;
use super::local::{Ko, Local, Set, State};
use super::solve::Solver;
use crate::color::Color;

/// Whether the chain of `owner` lives or is lost in any case, with the line of play that shows it; `None` where that hangs on who moves
/// first or on a ko.
///
/// # Errors
/// When the budget is used up before it is known.
pub fn fate(
    local: &Local,
    stones: [Set; 2],
    chain: Set,
    owner: Color,
    budget: &mut Budget,
) -> Result<Option<(bool, Line)>, Exhausted> {
    let attacker = owner.opponent();
    let goal = Capture { point: chain.trailing_zeros() as usize, owner };
    let mut capture = Solver::new(Ko::AtOnceBy(attacker), goal);
    let root = State::new(stones, attacker);
    if !capture.solve(local, &root, budget)? {
        return Ok(Some((true, capture.line(&root))));
    }
    let mut die = Solver::new(Ko::AtOnceBy(owner), Die(Live { chain, owner }));
    let root = State::new(stones, owner);
    Ok(if die.solve(local, &root, budget)? { Some((false, die.line(&root))) } else { None })
}
