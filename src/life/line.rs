//! The line of play that shows what a solver has found.

use super::goal::Goal;
use super::local::{State, Step};
use super::solve::Solver;
use crate::color::Color;

/// How a line ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// With the goal reached.
    Reached,
    /// In a position from which it can never be reached.
    Never,
    /// In a position that was there before, so that it goes on for ever.
    Repeats,
}

/// A line of best play, as far as there is one.
#[derive(Clone, Debug)]
pub struct Line {
    /// Who moves, and how.
    pub steps: Vec<(Color, Step)>,
    /// The positions: the first one, then that after each step.
    pub positions: Vec<State>,
    /// How it ends.
    pub end: End,
}

impl Line {
    /// The position in which the line ends.
    pub fn last(&self) -> Option<&State> {
        self.positions.last()
    }

    /// The line up to where a position is as wanted, or all of it.
    pub fn until(mut self, is_wanted: impl Fn(&State) -> bool) -> Line {
        if let Some(end) = self.positions.iter().position(is_wanted) {
            self.positions.truncate(end + 1);
            self.steps.truncate(end);
            self.end = End::Reached;
        }
        self
    }

    /// Goes on with another line, which begins where this one ends.
    pub fn append(&mut self, more: Line) {
        self.steps.extend(more.steps);
        self.positions.extend(more.positions.into_iter().skip(1));
        self.end = more.end;
    }
}

impl<G: Goal> Solver<G> {
    /// The line of play from a position that has been solved: the prover's shortest proof against the longest
    /// resistance, or the answers that hold against moves that are not passes, until a position comes back.
    pub fn line(&self, root: &State) -> Line {
        let mut line = Line { steps: Vec::new(), positions: vec![*root], end: End::Never };
        let Some(&root) = self.index.get(root) else { return line };
        let mut id = root as usize;
        let mut seen = vec![id];
        let proven = self.nodes[id].stamp > 0;
        loop {
            let node = &self.nodes[id];
            let first = node.first_child as usize;
            let children = &self.children[first..first + usize::from(node.children)];
            let is_provers = node.state.to_move() == self.goal.prover();
            let stamp = |child: &(Step, u32)| self.nodes[child.1 as usize].stamp;
            let open = |child: &&(Step, u32)| stamp(child) == 0;
            let chosen = match (proven, is_provers) {
                (true, true) => children.iter().filter(|child| stamp(child) > 0).min_by_key(|child| stamp(child)),
                (true, false) => children.iter().max_by_key(|child| stamp(child)),
                (false, true) => {
                    let fresh = |child: &&(Step, u32)| !seen.contains(&(child.1 as usize));
                    let plays = |child: &&(Step, u32)| matches!(child.0, Step::Play(_)) && open(child) && fresh(child);
                    children.iter().find(plays).or(children.iter().find(open))
                }
                (false, false) => children.iter().find(|child| self.nodes[child.1 as usize].refuted),
            };
            let Some(&(step, child)) = chosen else {
                line.end = if proven { End::Reached } else { End::Never };
                return line;
            };
            line.steps.push((node.state.to_move(), step));
            id = child as usize;
            line.positions.push(self.nodes[id].state);
            if !proven && seen.contains(&id) {
                line.end = End::Repeats;
                return line;
            }
            seen.push(id);
        }
    }
}
