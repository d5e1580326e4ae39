//! Whether a chain that cannot be captured holds out at a price.
//!
//! Example 23 of the 1989 rules overrides endless play by article 1: a side that holds out only by a cycle in which it
//! loses more stones than it takes may not rely on it. So the owner of the chain has to hold out with a bounded loss. That is an
//! energy game (Chakrabarti and others, 2003): the least credit that the owner needs in each position, where
//! stones taken add to it and stones lost are paid from it, found by raising it from zero until nothing changes.

use super::Exhausted;
use super::japanese::Capture;
use super::local::{Local, State};
use super::solve::{Budget, Goal, Solver};
use crate::color::Color;

/// An owner who needs a credit of more stones than this times the points of the position loses ever more.
const LARGEST_LOSS: u32 = 4;

impl Solver<Capture> {
    /// Whether the owner of the chain, which cannot be captured from `root`, can hold out for ever with a bounded loss.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn holds_without_loss(&mut self, local: &Local, root: &State, budget: &mut Budget) -> Result<bool, Exhausted> {
        let Some(&root) = self.index.get(root) else { return Ok(true) };
        let limit = LARGEST_LOSS * local.near.len() as u32;
        loop {
            let (safe, open) = self.safe(root as usize);
            if self.credit(root as usize, &safe, limit) <= limit {
                return Ok(true);
            }
            // There may be cheaper answers among those that were not needed so far.
            if open.is_empty() {
                return Ok(false);
            }
            for state in open {
                self.solve(local, &state, budget)?;
            }
        }
    }

    /// The safe positions that the owner can keep to, and the successors of which it is not known whether they are safe.
    fn safe(&self, root: usize) -> (Vec<usize>, Vec<State>) {
        let mut seen = vec![false; self.nodes.len()];
        let mut safe = vec![root];
        let mut open = Vec::new();
        seen[root] = true;
        let mut next = 0;
        while let Some(&id) = safe.get(next) {
            next += 1;
            for &(_, child) in self.successors(id) {
                let node = &self.nodes[child as usize];
                if node.stamp > 0 || seen[child as usize] {
                    continue;
                }
                seen[child as usize] = true;
                if node.refuted {
                    safe.push(child as usize);
                } else {
                    open.push(node.state);
                }
            }
        }
        (safe, open)
    }

    /// The credit that the owner needs at `root`, or some number above `limit`.
    fn credit(&self, root: usize, safe: &[usize], limit: u32) -> u32 {
        let mut credit = vec![0; self.nodes.len()];
        let mut todo: Vec<usize> = safe.to_vec();
        let mut queued = vec![false; self.nodes.len()];
        todo.iter().for_each(|&id| queued[id] = true);
        let mut is_safe = queued.clone();
        is_safe[root] = true;
        while let Some(id) = todo.pop() {
            queued[id] = false;
            let needed = self.needed(id, &credit, &is_safe).min(limit + 1);
            if needed <= credit[id] {
                continue;
            }
            credit[id] = needed;
            let mut link = self.nodes[id].parents;
            while link != 0 {
                let (parent, next) = self.parents[link as usize - 1];
                link = next;
                let parent = parent as usize;
                if is_safe[parent] && !queued[parent] {
                    queued[parent] = true;
                    todo.push(parent);
                }
            }
        }
        credit[root]
    }

    fn needed(&self, id: usize, credit: &[u32], is_safe: &[bool]) -> u32 {
        let node = &self.nodes[id];
        let owner = self.goal.owner;
        let stones = |state: &State, color: Color| state.stones[color.index()].count_ones();
        let mover = node.state.to_move();
        let options = self.successors(id).iter().filter(|&&(_, child)| is_safe[child as usize]).map(|&(_, child)| {
            let next = &self.nodes[child as usize].state;
            let taken = stones(&node.state, mover.opponent()) - stones(next, mover.opponent());
            let after = credit[child as usize];
            if mover == owner { after.saturating_sub(taken) } else { after + taken }
        });
        (if mover == self.goal.prover() { options.max() } else { options.min() }).unwrap_or(0)
    }

    fn successors(&self, id: usize) -> &[(super::local::Step, u32)] {
        let node = &self.nodes[id];
        let first = node.first_child as usize;
        &self.children[first..first + usize::from(node.children)]
    }
}
