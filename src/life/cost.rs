//! Whether a chain that cannot be captured holds out at a price.
//!
//! Example 23 of the 1989 rules overrides endless play by article 1: a side that holds out only by a cycle in which it
//! loses more stones than it takes may not rely on it. So the owner of the chain has to hold out with a bounded loss. That
//! is an energy game (Chakrabarti and others, "Resource interfaces", 2003): the least credit that the owner needs in
//! each position, where stones taken add to it and stones lost are paid from it, found by raising it from zero until
//! nothing changes.

use super::Exhausted;
use super::budget::Budget;
use super::japanese::Capture;
use super::local::{Local, State, Step};
use super::solve::Solver;
use crate::color::Color;

/// An owner who needs a credit of more stones than this times the points of the position loses ever more.
pub const LARGEST_LOSS: u32 = 4;

/// Steps of a calculation between two questions whether to stop.
const LONG: u32 = 1 << 16;

/// The credit needed in each position, and the successor that raised it last.
struct Credit {
    needed: Vec<u32>,
    raised_by: Vec<usize>,
}

impl Solver<Capture> {
    /// Whether the owner of the chain, which cannot be captured from `root`, can hold out for ever with a bounded loss.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn holds_without_loss(&mut self, local: &Local, root: &State, budget: &mut Budget) -> Result<bool, Exhausted> {
        let Some(&root) = self.index.get(root) else { return Ok(true) };
        let root = root as usize;
        let limit = LARGEST_LOSS * local.near.len() as u32;
        loop {
            let (safe, _) = self.reach(root, |_| None);
            let credit = self.credit(&safe, limit, budget)?;
            if credit.needed[root] <= limit {
                return Ok(true);
            }
            // There may be cheaper answers among those that have not been needed so far. Only those matter that the
            // owner could give while the opponent keeps to what raised the credit.
            let (ruin, open) = self.reach(root, |id| Some(credit.raised_by[id]));
            if open.is_empty() {
                let is_ruin = self.credit(&ruin, limit, budget)?.needed[root] > limit;
                return if is_ruin { Ok(false) } else { Err(Exhausted) };
            }
            for state in open {
                self.solve(local, &state, budget)?;
            }
        }
    }

    /// Whether each position can be reached while the owner keeps to safe ones and the opponent to its choice, if it has
    /// one; with the answers of the owner of which it is not known whether they are safe.
    fn reach(&self, root: usize, choice: impl Fn(usize) -> Option<usize>) -> (Vec<bool>, Vec<State>) {
        let mut reached = vec![false; self.nodes.len()];
        let mut todo = vec![root];
        let mut open = Vec::new();
        reached[root] = true;
        while let Some(id) = todo.pop() {
            let chosen = if self.nodes[id].state.to_move() == self.goal.owner { None } else { choice(id) };
            for &(_, child) in self.successors(id) {
                let child = child as usize;
                let node = &self.nodes[child];
                if node.stamp > 0 || reached[child] || chosen.is_some_and(|chosen| chosen != child) {
                    continue;
                }
                if node.refuted {
                    reached[child] = true;
                    todo.push(child);
                } else {
                    open.push(node.state);
                }
            }
        }
        (reached, open)
    }

    /// The credit that the owner needs in each of these positions, or some number above `limit`.
    fn credit(&self, within: &[bool], limit: u32, budget: &Budget) -> Result<Credit, Exhausted> {
        let mut credit = Credit { needed: vec![0; self.nodes.len()], raised_by: vec![usize::MAX; self.nodes.len()] };
        let mut todo: Vec<usize> = (0..within.len()).filter(|&id| within[id]).collect();
        let mut queued = within.to_vec();
        let mut turns = 0_u32;
        while let Some(id) = todo.pop() {
            turns = turns.wrapping_add(1);
            if turns.is_multiple_of(LONG) {
                budget.check()?;
            }
            queued[id] = false;
            let Some((needed, child)) = self.needed(id, &credit, within) else { continue };
            let needed = needed.min(limit + 1);
            if needed <= credit.needed[id] {
                continue;
            }
            credit.needed[id] = needed;
            credit.raised_by[id] = child;
            let mut link = self.nodes[id].parents;
            while link != 0 {
                let (parent, next) = self.parents[link as usize - 1];
                link = next;
                let parent = parent as usize;
                if within[parent] && !queued[parent] {
                    queued[parent] = true;
                    todo.push(parent);
                }
            }
        }
        Ok(credit)
    }

    /// What a position needs by what its successors need, and the successor that decides it.
    fn needed(&self, id: usize, credit: &Credit, within: &[bool]) -> Option<(u32, usize)> {
        let node = &self.nodes[id];
        let mover = node.state.to_move();
        let is_owners = mover == self.goal.owner;
        let count = |state: &State, color: Color| state.stones[color.index()].count_ones();
        let inside = self.successors(id).iter().map(|&(_, child)| child as usize).filter(|&child| within[child]);
        let options = inside.map(|child| {
            let next = &self.nodes[child].state;
            let taken = count(&node.state, mover.opponent()) - count(next, mover.opponent());
            let after = credit.needed[child];
            (if is_owners { after.saturating_sub(taken) } else { after + taken }, child)
        });
        if is_owners { options.min() } else { options.max_by_key(|&(needed, _)| needed) }
    }

    fn successors(&self, id: usize) -> &[(Step, u32)] {
        let node = &self.nodes[id];
        let first = node.first_child as usize;
        &self.children[first..first + usize::from(node.children)]
    }
}
