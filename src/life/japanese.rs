//! Live or dead under the Japanese rules of 1989, article 7.
//!
//! The opponent of the chain moves first. The chain lives if it cannot be captured, or if capturing it lets its owner
//! make a new stone that cannot be captured. Where that stone may stand the text does not say; after the local areas of
//! R. Jasiek's "Japanese 2003 Rules" it is every point that can be reached from the chain's own without crossing chains
//! that cannot be captured. What endless play costs is asked for the chain itself, not for new stones.

use std::collections::HashMap;
use std::rc::Rc;

use super::budget::Budget;
use super::goal::{Goal, Judgement, Position};
use super::line::Line;
use super::local::{Local, Set, State, members};
use super::solve::Solver;
use super::{Exhausted, Text};
use crate::color::Color;

/// A chain's owner loses it: the point stops carrying a stone of that color.
#[derive(Clone, Copy, Debug)]
pub struct Capture {
    /// A point of the chain.
    pub point: usize,
    /// Whose chain it is.
    pub owner: Color,
}

impl Goal for Capture {
    fn prover(&self) -> Color {
        self.owner.opponent()
    }

    fn judge(&mut self, position: &Position, _: &mut Budget) -> Result<Judgement, Exhausted> {
        let bit = 1 << self.point;
        Ok(if position.stones(self.owner) & bit == 0 {
            Judgement::Reached
        } else if position.held.alive(self.owner) & bit != 0 {
            Judgement::Never
        } else if position.held.settled(self.owner.opponent()) & bit != 0 {
            Judgement::Reached
        } else {
            Judgement::Open
        })
    }

    /// It doubles with each liberty of the chain.
    fn distance(&self, position: &Position) -> u32 {
        let chain = position.local.connected(1 << self.point, position.stones(self.owner));
        let liberties = position.local.around(chain) & !position.state.occupied();
        1 << liberties.count_ones().min(20)
    }
}

/// The owner of a captured chain gets a stone on one of these points that cannot be captured.
#[derive(Clone, Debug)]
pub struct Renewal {
    owner: Color,
    /// Where such a stone counts.
    points: Set,
    /// Whether the stone has to live unconditionally, which is simpler to see.
    strict: bool,
    /// For the points asked about, the game in which that stone is to be captured.
    captures: HashMap<usize, Solver<Capture>>,
    /// Whether every question may use up the whole budget.
    thorough: bool,
    /// A stone was taken for one that cannot be captured because that was too hard to find out.
    gave_up: bool,
}

impl Goal for Renewal {
    fn prover(&self) -> Color {
        self.owner
    }

    fn judge(&mut self, position: &Position, budget: &mut Budget) -> Result<Judgement, Exhausted> {
        if position.held.all(self.owner) & self.points != 0 {
            return Ok(Judgement::Reached);
        }
        if self.points & !position.held.all(self.owner.opponent()) == 0 {
            return Ok(Judgement::Never);
        }
        if self.strict || position.state.to_move() == self.owner {
            return Ok(Judgement::Open);
        }
        let own = position.stones(self.owner);
        let mut fresh = own & self.points;
        while fresh != 0 {
            let point = fresh.trailing_zeros() as usize;
            fresh &= !position.local.connected(1 << point, own);
            let goal = Capture { point, owner: self.owner };
            let capture = self.captures.entry(point).or_insert_with(|| Solver::new(Text::Japanese, goal));
            let (states, parts) = if self.thorough { THOROUGH } else { STONE };
            match budget.with_at_least(states, parts, |part| capture.solve(position.local, position.state, part)) {
                Ok(true) => {}
                Ok(false) => return Ok(Judgement::Reached),
                Err(Exhausted) => {
                    budget.check()?;
                    budget.spend()?;
                    self.gave_up = true;
                    return Ok(Judgement::Reached);
                }
            }
        }
        Ok(Judgement::Open)
    }
}

/// The opponent of a chain's owner comes to hold all of these points unconditionally: more than is needed, but simple to see.
#[derive(Clone, Copy, Debug)]
pub struct Hold {
    /// Whose stones are to have no place there.
    pub owner: Color,
    /// The points.
    pub points: Set,
}

impl Goal for Hold {
    fn prover(&self) -> Color {
        self.owner.opponent()
    }

    fn judge(&mut self, position: &Position, _: &mut Budget) -> Result<Judgement, Exhausted> {
        Ok(if self.points & !position.held.all(self.owner.opponent()) == 0 {
            Judgement::Reached
        } else if self.points & position.held.all(self.owner) != 0 {
            Judgement::Never
        } else {
            Judgement::Open
        })
    }

    fn distance(&self, position: &Position) -> u32 {
        position.held.distance(position.local, self.owner.opponent())
    }
}

/// What the question is worth whether a captured chain is renewed, and within it whether a stone can be captured: so many positions at
/// least, and one part in so many of the budget. A few that are too hard must not use up what the others need.
const RENEWAL: (u64, u64) = (3_000, 32);
const STONE: (u64, u64) = (500, 16);
/// The same where it may be all that is left.
const THOROUGH: (u64, u64) = (0, 1);

/// How much harder a proof is guessed to be from a position of which it is not known that the chain can be captured.
const UNKNOWN_CAPTURE: u32 = 32;

/// A chain is captured and not renewed.
#[derive(Clone, Debug)]
pub struct Kill {
    capture: Capture,
    /// What is known of the capture alone, which has to succeed first.
    captures: Rc<Solver<Capture>>,
    /// What its owner tries once it is captured.
    pub renewal: Solver<Renewal>,
    /// A capture was taken for one that is answered because that was too hard to find out.
    gave_up: bool,
}

impl Kill {
    /// The chain of `capture` is lost for good, unless its owner gets a new stone on `points`, one that lives
    /// unconditionally if `strict`. `captures` is what is known of the capture alone. If `thorough`, a single capture may use up the budget;
    /// else those that are too hard are left aside.
    pub fn new(captures: Rc<Solver<Capture>>, points: Set, strict: bool, thorough: bool) -> Kill {
        let capture = captures.goal;
        let owner = capture.owner;
        let goal = Renewal { owner, points, strict, captures: HashMap::new(), thorough, gave_up: false };
        Kill { capture, captures, gave_up: false, renewal: Solver::new(Text::Japanese, goal) }
    }
}

impl Kill {
    /// Whether a kill that was not found may be possible all the same.
    pub fn is_unsure(&self) -> bool {
        self.gave_up || self.renewal.goal.gave_up
    }
}

impl Goal for Kill {
    fn prover(&self) -> Color {
        self.capture.prover()
    }

    fn judge(&mut self, position: &Position, budget: &mut Budget) -> Result<Judgement, Exhausted> {
        let bit = 1 << self.capture.point;
        if position.stones(self.capture.owner) & bit == 0 {
            let renewal = &mut self.renewal;
            let (states, parts) = if renewal.goal.thorough { THOROUGH } else { RENEWAL };
            let renewed =
                budget.with_at_least(states, parts, |part| renewal.solve(position.local, position.state, part));
            if renewed == Err(Exhausted) {
                budget.check()?;
                budget.spend()?;
                self.gave_up = true;
            }
            return Ok(if renewed == Ok(false) { Judgement::Reached } else { Judgement::Never });
        }
        let escapes = self.captures.known(position.state) == Some(false);
        if escapes || position.held.alive(self.capture.owner) & bit != 0 {
            return Ok(Judgement::Never);
        }
        Ok(Judgement::Open)
    }

    fn distance(&self, position: &Position) -> u32 {
        if self.captures.known(position.state) == Some(true) { 1 } else { UNKNOWN_CAPTURE }
    }

    /// The attacker has to take the chain in earnest, even where it stands in an area that is the attacker's.
    fn useless(&self, position: &Position) -> Set {
        let settled = position.held.settled_by_either();
        let bit = 1 << self.capture.point;
        settled & !position.local.connected(settled & bit, settled)
    }
}

/// How a chain fares in confirmation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It cannot be captured.
    Uncapturable,
    /// Capturing it lets its owner make a new stone that cannot be captured.
    Renewed,
    /// It is captured.
    Dead,
    /// It escapes capture only by a cycle in which it loses more than it takes.
    DeadByCost,
    /// It can be captured; whether that enables a new stone is not known at this budget.
    Capturable,
    /// Whether a stone of another chain would count as new is all that is left to say, and is not looked into.
    Open,
}

/// A fate and the line of play that shows it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What happens to the chain.
    pub fate: Fate,
    /// The opponent of the chain begins.
    pub line: Line,
}

/// The part of the budget, one in so many, that is spent on the question whether a neighbor can be captured.
const NEIGHBOR: u64 = 6;
/// A game with more positions than this is not kept for later questions, for the memory that it takes.
const KEPT: usize = 3_000_000;

/// The chains of one part, and what is known of them.
pub struct Confirmation<'a> {
    local: &'a Local,
    stones: [Set; 2],
    /// By the lowest point of a chain: whether it can be captured, or escapes at a cost, or without.
    captures: HashMap<usize, Finding>,
    /// The games of captures that succeed, and of those not yet decided.
    solvers: HashMap<usize, Rc<Solver<Capture>>>,
    /// By owner and points: the line in which the opponent comes to hold them, or `None` where none was found.
    held: HashMap<(Color, Set), Option<Line>>,
}

impl<'a> Confirmation<'a> {
    /// The confirmation of this position.
    pub fn new(local: &'a Local, stones: [Set; 2]) -> Confirmation<'a> {
        Confirmation { local, stones, captures: HashMap::new(), solvers: HashMap::new(), held: HashMap::new() }
    }

    /// What happens to the chain with a stone on `point`; there must be one.
    ///
    /// # Errors
    /// When the budget is used up before that is known.
    pub fn finding(&mut self, point: usize, owner: Color, budget: &mut Budget) -> Result<Finding, Exhausted> {
        let chain = self.chain(point, owner);
        let capture = self.capture(chain, owner, budget)?;
        if capture.fate != Fate::Capturable {
            return Ok(capture);
        }
        Ok(self.renewal(chain, owner, budget).unwrap_or(capture))
    }

    /// What happens to a chain that can be captured.
    fn renewal(&mut self, chain: Set, owner: Color, budget: &mut Budget) -> Result<Finding, Exhausted> {
        let near = self.near(chain, owner, budget)?;
        // Two games that are simpler than the question decide most of it: each is wrong on one side only.
        if let Some(line) = self.held(near.most, owner, budget) {
            // The line goes on to where nothing is left to play for; what matters here is how the chain falls.
            let line = line.until(|state| state.stones[owner.index()] & chain == 0);
            return Ok(Finding { fate: Fate::Dead, line });
        }
        // Stones of other chains there are not new unless they have been captured meanwhile: tried both ways.
        let own = self.stones[owner.index()] & !chain;
        let (least, most) = (near.least & !own, near.most & !own);
        if let Ok((false, line)) = budget.with_part(2, |part| self.kill(chain, owner, least, true, part)) {
            return Ok(Finding { fate: Fate::Renewed, line });
        }
        let (killed, line) = self.kill(chain, owner, most, false, budget)?;
        if !killed && (least == most || !self.kill(chain, owner, least, false, budget)?.0) {
            return Ok(Finding { fate: Fate::Renewed, line });
        }
        if killed && (near.most == most || self.kill(chain, owner, near.most, false, budget)?.0) {
            return Ok(Finding { fate: Fate::Dead, line });
        }
        Ok(Finding { fate: Fate::Open, line })
    }

    fn chain(&self, point: usize, owner: Color) -> Set {
        self.local.connected(1 << point, self.stones[owner.index()])
    }

    /// The position in which the opponent of `owner` is to move.
    fn root(&self, owner: Color) -> State {
        State::new(self.stones, owner.opponent())
    }

    /// Whether the chain can be captured, and the line that shows it.
    fn capture(&mut self, chain: Set, owner: Color, budget: &mut Budget) -> Result<Finding, Exhausted> {
        let point = chain.trailing_zeros() as usize;
        if let Some(known) = self.captures.get(&point) {
            return Ok(known.clone());
        }
        let root = self.root(owner);
        let new = || Rc::new(Solver::new(Text::Japanese, Capture { point, owner }));
        let mut shared = self.solvers.remove(&point).unwrap_or_else(new);
        let capture = Rc::make_mut(&mut shared);
        let solved = match capture.solve(self.local, &root, budget) {
            Ok(true) => Ok(Fate::Capturable),
            Ok(false) => capture
                .holds_without_loss(self.local, &root, budget)
                .map(|holds| if holds { Fate::Uncapturable } else { Fate::DeadByCost }),
            Err(error) => Err(error),
        };
        let line = capture.line(&root);
        if !matches!(solved, Ok(Fate::Uncapturable | Fate::DeadByCost)) && shared.size() <= KEPT {
            self.solvers.insert(point, shared);
        }
        let finding = Finding { fate: solved?, line };
        self.captures.insert(point, finding.clone());
        Ok(finding)
    }

    /// The line in which the opponent of `owner` comes to hold all of these points, if a part of the budget finds it.
    fn held(&mut self, points: Set, owner: Color, budget: &mut Budget) -> Option<Line> {
        if let Some(known) = self.held.get(&(owner, points)) {
            return known.clone();
        }
        let root = self.root(owner);
        let mut hold = Solver::new(Text::Japanese, Hold { owner, points });
        let result = budget.with_part(3, |part| hold.solve(self.local, &root, part));
        let line = (result == Ok(true)).then(|| hold.line(&root));
        self.held.insert((owner, points), line.clone());
        line
    }

    /// Whether the chain can be captured without a new stone on `points`, and the line that shows it.
    fn kill(
        &self,
        chain: Set,
        owner: Color,
        points: Set,
        strict: bool,
        budget: &mut Budget,
    ) -> Result<(bool, Line), Exhausted> {
        let root = self.root(owner);
        let point = chain.trailing_zeros() as usize;
        let nothing = || Rc::new(Solver::new(Text::Japanese, Capture { point, owner }));
        let captures = self.solvers.get(&point).cloned().unwrap_or_else(nothing);
        for thorough in [false, true] {
            let goal = Kill::new(Rc::clone(&captures), points, strict, thorough);
            let mut solver = Solver::new(Text::Japanese, goal);
            let parts = if thorough { 1 } else { 2 };
            let result = budget.with_part(parts, |part| solver.solve(self.local, &root, part));
            budget.check()?;
            match result {
                Ok(true) => return Ok((true, solver.line(&root))),
                Ok(false) if !solver.goal.is_unsure() => return Ok((false, Self::escape(&solver, &root, chain))),
                _ => {}
            }
        }
        Err(Exhausted)
    }

    /// The line of play that shows how a chain is not killed.
    fn escape(solver: &Solver<Kill>, root: &State, chain: Set) -> Line {
        let owner = solver.goal.capture.owner;
        let mut line = solver.line(root);
        // It may end in a capture that is answered.
        let last = line.last().copied().filter(|last| last.stones[owner.index()] & chain == 0);
        if let Some(last) = last {
            line.append(solver.goal.renewal.line(&last));
        }
        line
    }

    /// The points that can be reached from the chain without crossing chains that cannot be captured. Where a part of the budget does not
    /// say of a chain whether it can, it counts as crossed and as not crossed.
    fn near(&mut self, chain: Set, owner: Color, budget: &mut Budget) -> Result<Near, Exhausted> {
        let occupied = self.stones[0] | self.stones[1];
        let mut near = chain;
        let mut doubtful = 0;
        let mut looked_at = chain;
        while let Some(point) = members(self.local.around(near) & !looked_at).next() {
            let bit = 1 << point;
            if occupied & bit == 0 {
                near |= bit;
                looked_at |= bit;
                continue;
            }
            let other = if self.stones[owner.index()] & bit != 0 { owner } else { owner.opponent() };
            let neighbor = self.chain(point, other);
            looked_at |= neighbor;
            match budget.with_part(NEIGHBOR, |part| self.capture(neighbor, other, part)) {
                Ok(finding) if finding.fate == Fate::Uncapturable => {}
                Ok(_) => near |= neighbor,
                Err(Exhausted) => {
                    budget.check()?;
                    near |= neighbor;
                    doubtful |= neighbor;
                }
            }
        }
        Ok(Near { least: self.local.connected(chain, near & !doubtful), most: near })
    }
}

/// Where a new stone counts: at least here, at most there.
#[derive(Clone, Copy, Debug)]
struct Near {
    least: Set,
    most: Set,
}
