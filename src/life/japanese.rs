//! Live or dead under the Japanese rules of 1989, article 7.
//!
//! The opponent of the chain moves first. The chain lives if it cannot be captured, or if capturing it lets its owner
//! make a new stone that cannot be captured. Where that stone may stand the text does not say; after the local areas of
//! R. Jasiek's "Japanese 2003 Rules" it is every point that can be reached from the chain's own without crossing chains
//! that cannot be captured. What endless play costs is asked for the chain itself, not for new stones.

use std::collections::HashMap;

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
            if !capture.solve(position.local, position.state, budget)? {
                return Ok(Judgement::Reached);
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

/// A chain is captured and not renewed.
#[derive(Clone, Debug)]
pub struct Kill {
    capture: Capture,
    /// What its owner tries once it is captured.
    pub renewal: Solver<Renewal>,
}

impl Kill {
    /// The chain of `capture` is lost for good, unless its owner gets a new stone on `points`, one that lives
    /// unconditionally if `strict`.
    pub fn new(capture: Capture, points: Set, strict: bool) -> Kill {
        let goal = Renewal { owner: capture.owner, points, strict, captures: HashMap::new() };
        Kill { capture, renewal: Solver::new(Text::Japanese, goal) }
    }
}

impl Goal for Kill {
    fn prover(&self) -> Color {
        self.capture.prover()
    }

    fn judge(&mut self, position: &Position, budget: &mut Budget) -> Result<Judgement, Exhausted> {
        let bit = 1 << self.capture.point;
        if position.stones(self.capture.owner) & bit == 0 {
            let renewed = self.renewal.solve(position.local, position.state, budget)?;
            return Ok(if renewed { Judgement::Never } else { Judgement::Reached });
        }
        if position.held.alive(self.capture.owner) & bit != 0 {
            return Ok(Judgement::Never);
        }
        Ok(Judgement::Open)
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

/// The chains of one part, and what is known of them.
pub struct Confirmation<'a> {
    local: &'a Local,
    stones: [Set; 2],
    /// By the lowest point of a chain: whether it can be captured, or escapes at a cost, or without.
    captures: HashMap<usize, Finding>,
    /// By owner and points: the line in which the opponent comes to hold them, or `None` where none was found.
    held: HashMap<(Color, Set), Option<Line>>,
}

impl<'a> Confirmation<'a> {
    /// The confirmation of this position.
    pub fn new(local: &'a Local, stones: [Set; 2]) -> Confirmation<'a> {
        Confirmation { local, stones, captures: HashMap::new(), held: HashMap::new() }
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
        if let Some(line) = self.held(near, owner, budget) {
            // The line goes on to where nothing is left to play for; what matters here is how the chain falls.
            let line = line.until(|state| state.stones[owner.index()] & chain == 0);
            return Ok(Finding { fate: Fate::Dead, line });
        }
        // Stones of other chains there are not new unless they have been captured meanwhile: tried both ways.
        let old = near & self.stones[owner.index()] & !chain;
        if let Ok((false, line)) = budget.with_part(2, |part| self.kill(chain, owner, near & !old, true, part)) {
            return Ok(Finding { fate: Fate::Renewed, line });
        }
        let (killed, line) = self.kill(chain, owner, near & !old, false, budget)?;
        if !killed {
            return Ok(Finding { fate: Fate::Renewed, line });
        }
        if old == 0 || self.kill(chain, owner, near, false, budget)?.0 {
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
        let mut capture = Solver::new(Text::Japanese, Capture { point, owner });
        let fate = if capture.solve(self.local, &root, budget)? {
            Fate::Capturable
        } else if capture.holds_without_loss(self.local, &root, budget)? {
            Fate::Uncapturable
        } else {
            Fate::DeadByCost
        };
        let finding = Finding { fate, line: capture.line(&root) };
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
        let capture = Capture { point: chain.trailing_zeros() as usize, owner };
        let mut solver = Solver::new(Text::Japanese, Kill::new(capture, points, strict));
        let killed = solver.solve(self.local, &root, budget)?;
        let mut line = solver.line(&root);
        // A line that does not kill may end in a capture that is answered.
        let last = line.last().copied().filter(|last| !killed && last.stones[owner.index()] & chain == 0);
        if let Some(last) = last {
            line.append(solver.goal.renewal.line(&last));
        }
        Ok((killed, line))
    }

    /// The points that can be reached from the chain without crossing chains that cannot be captured.
    fn near(&mut self, chain: Set, owner: Color, budget: &mut Budget) -> Result<Set, Exhausted> {
        let occupied = self.stones[0] | self.stones[1];
        let mut near = chain;
        let mut looked_at = chain;
        loop {
            let fresh = self.local.around(near) & !looked_at;
            let Some(point) = members(fresh).next() else { return Ok(near) };
            let bit = 1 << point;
            if occupied & bit == 0 {
                near |= bit;
                looked_at |= bit;
                continue;
            }
            let other = if self.stones[owner.index()] & bit != 0 { owner } else { owner.opponent() };
            let neighbor = self.chain(point, other);
            looked_at |= neighbor;
            if self.capture(neighbor, other, budget)?.fate != Fate::Uncapturable {
                near |= neighbor;
            }
        }
    }
}
