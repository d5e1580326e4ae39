//! Can a side force it? The least fixpoint of a game on a graph, found without looking at the whole graph.
//!
//! One side, the *prover*, wants to reach a goal in finitely many moves; the other wants it never to be reached, and endless
//! play is that side's success. Positions form a graph with cycles, so a depth-first search with a table would be
//! wrong. Instead every position is taken for *not won* until it is *proven* won: a position of the prover when one
//! successor is, a position of the opponent when all are. Proofs are carried backwards along the edges.
//!
//! Which positions to expand is decided in rounds. A round walks from the root over what still speaks against a proof: every
//! unproven successor of a position of the prover, but only one of a position of the opponent, the answer trusted so far.
//! Positions met that are not yet expanded are the frontier, and the nearest of them are expanded. When the frontier is
//! empty, the positions walked over are a strategy that keeps the prover from the goal for ever, and all of them are
//! settled. (The idea of expanding only what a local fixpoint depends on is that of Liu and Smolka, 1998.)

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::Exhausted;
use super::budget::Budget;
use super::goal::{Goal, Judgement, Position};
use super::local::{Ko, Local, State, Step};

/// How many moves deeper a line is followed for a move that is half as hard to prove as another.
const DETOUR: u32 = 6;
/// A walk over more positions than this takes long enough to ask whether to stop.
const LONG_WALK: usize = 10_000;

/// A position in the graph.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) state: State,
    /// Where its successors begin in the solver's list, and how many there are; zero until it is expanded.
    pub(super) first_child: u32,
    pub(super) children: u16,
    /// Successors that are not proven.
    pub(super) unproven: u16,
    /// Head of the list of predecessors, an index plus one.
    pub(super) parents: u32,
    /// When it was proven, counted from one; zero while it is not.
    pub(super) stamp: u32,
    /// The prover never gets there from here.
    pub(super) refuted: bool,
    /// The last round that met it.
    pub(super) round: u32,
    /// Estimates of how many positions stand between it and a refutation, and between it and a proof.
    pub(super) effort: u32,
    pub(super) proof: u32,
    /// How far the last round found it from the most promising line.
    pub(super) detour: u32,
}

/// One game: a goal and what is known of the positions.
#[derive(Clone, Debug)]
pub struct Solver<G> {
    ko: Ko,
    /// What the prover wants.
    pub goal: G,
    pub(super) nodes: Vec<Node>,
    pub(super) index: HashMap<State, u32, BuildHasherDefault<StateHasher>>,
    pub(super) children: Vec<(Step, u32)>,
    pub(super) parents: Vec<(u32, u32)>,
    stamps: u32,
    round: u32,
}

impl<G: Goal> Solver<G> {
    /// A game of which nothing is known.
    pub fn new(ko: impl Into<Ko>, goal: G) -> Solver<G> {
        Solver {
            ko: ko.into(),
            goal,
            nodes: Vec::new(),
            index: HashMap::default(),
            children: Vec::new(),
            parents: Vec::new(),
            stamps: 0,
            round: 0,
        }
    }

    /// How many positions have been looked at.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the prover can force the goal from this position, where that has been found already.
    pub fn known(&self, state: &State) -> Option<bool> {
        let node = &self.nodes[*self.index.get(state)? as usize];
        if node.stamp > 0 { Some(true) } else { node.refuted.then_some(false) }
    }

    /// Whether the prover can force the goal from this position.
    ///
    /// # Errors
    /// When the budget is used up; what has been found stays, so that asking again goes on from there.
    pub fn solve(&mut self, local: &Local, root: &State, budget: &mut Budget) -> Result<bool, Exhausted> {
        let root = self.node(local, root, budget)?;
        let mut walked = Vec::new();
        let mut frontier = Vec::new();
        loop {
            if self.nodes[root].stamp > 0 {
                return Ok(true);
            }
            if self.nodes[root].refuted {
                return Ok(false);
            }
            self.walk(root, &mut walked, &mut frontier);
            self.estimate(&walked);
            if walked.len() > LONG_WALK {
                budget.check()?;
            }
            if frontier.is_empty() {
                for &id in &walked {
                    self.refute(id);
                }
                return Ok(false);
            }
            let count = (walked.len() / 4).max(16);
            if count < frontier.len() {
                frontier.select_nth_unstable_by_key(count, |&id| (self.nodes[id].detour, id));
                frontier.truncate(count);
            }
            frontier.sort_unstable_by_key(|&id| (self.nodes[id].detour, id));
            for &id in &frontier {
                self.expand(local, id, budget)?;
                if self.nodes[root].stamp > 0 {
                    break;
                }
            }
        }
    }

    /// Collects the positions that speak against a proof of `root`, nearest first, and those of them not yet expanded.
    fn walk(&mut self, root: usize, walked: &mut Vec<usize>, frontier: &mut Vec<usize>) {
        self.round += 1;
        walked.clear();
        frontier.clear();
        walked.push(root);
        self.nodes[root].round = self.round;
        self.nodes[root].detour = 0;
        let mut next = 0;
        while let Some(&id) = walked.get(next) {
            next += 1;
            let node = &self.nodes[id];
            if node.refuted {
                continue;
            }
            if node.children == 0 {
                frontier.push(id);
                continue;
            }
            let first = node.first_child as usize;
            let range = first..first + usize::from(node.children);
            let is_provers = node.state.to_move() == self.goal.prover();
            let trusted = if is_provers { None } else { self.trusted(range.clone()) };
            // What has been refuted since this position was last met refutes it as well.
            if match trusted {
                Some(child) => self.nodes[child].refuted,
                None => range.clone().all(|at| self.nodes[self.children[at].1 as usize].refuted),
            } {
                self.refute(id);
                continue;
            }
            let (detour, proof) = (self.nodes[id].detour, self.nodes[id].proof);
            for at in range {
                let child = self.children[at].1 as usize;
                if self.nodes[child].stamp > 0 || trusted.is_some_and(|trusted| trusted != child) {
                    continue;
                }
                if self.nodes[child].round != self.round {
                    let child = &mut self.nodes[child];
                    child.round = self.round;
                    let harder = if is_provers { (child.proof / proof.max(1)).max(1).ilog2() } else { 0 };
                    child.detour = detour + 1 + DETOUR * harder;
                    walked.push(self.children[at].1 as usize);
                }
            }
        }
    }

    /// The answer of the prover's opponent that is trusted: the unproven one with the least effort left, the first of equals.
    fn trusted(&self, range: std::ops::Range<usize>) -> Option<usize> {
        let unproven = self.children[range].iter().map(|&(_, child)| child as usize);
        unproven.filter(|&child| self.nodes[child].stamp == 0).min_by_key(|&child| self.nodes[child].effort)
    }

    /// Estimates the effort of the positions met anew, the farthest first: that of all successors of the prover's
    /// positions, that of the easiest of the opponent's.
    fn estimate(&mut self, walked: &[usize]) {
        for &id in walked.iter().rev() {
            let node = &self.nodes[id];
            if node.children == 0 || node.refuted {
                continue;
            }
            let first = node.first_child as usize;
            let children = self.children[first..first + usize::from(node.children)].iter();
            let open = children.map(|&(_, child)| &self.nodes[child as usize]).filter(|child| child.stamp == 0);
            let is_provers = node.state.to_move() == self.goal.prover();
            let (mut effort, mut proof) = if is_provers { (1, u32::MAX) } else { (u32::MAX, 1) };
            for child in open {
                if is_provers {
                    effort = u32::saturating_add(effort, child.effort);
                    proof = proof.min(if child.refuted { u32::MAX } else { child.proof });
                } else {
                    effort = effort.min(child.effort);
                    proof = u32::saturating_add(proof, child.proof);
                }
            }
            self.nodes[id].effort = effort;
            self.nodes[id].proof = proof;
        }
    }

    /// The node of a position, judged when it is made.
    fn node(&mut self, local: &Local, state: &State, budget: &mut Budget) -> Result<usize, Exhausted> {
        if let Some(&id) = self.index.get(state) {
            return Ok(id as usize);
        }
        budget.spend()?;
        let position = Position::new(local, state);
        let judgement = self.goal.judge(&position, budget)?;
        let id = self.nodes.len();
        self.nodes.push(Node {
            state: *state,
            first_child: 0,
            children: 0,
            unproven: 0,
            parents: 0,
            stamp: 0,
            refuted: judgement == Judgement::Never,
            round: 0,
            effort: u32::from(judgement != Judgement::Never),
            proof: self.goal.distance(&position),
            detour: 0,
        });
        self.index.insert(*state, id as u32);
        if judgement == Judgement::Reached {
            self.stamps += 1;
            self.nodes[id].stamp = self.stamps;
        }
        Ok(id)
    }

    fn refute(&mut self, id: usize) {
        self.nodes[id].refuted = true;
        self.nodes[id].effort = 0;
    }

    /// Adds the successors of a position.
    fn expand(&mut self, local: &Local, id: usize, budget: &mut Budget) -> Result<(), Exhausted> {
        let node = &self.nodes[id];
        if node.children > 0 || node.stamp > 0 || node.refuted {
            return Ok(());
        }
        let state = node.state;
        let mut steps = Vec::new();
        local.steps(self.ko, &state, self.goal.useless(&Position::new(local, &state)), &mut steps);
        let mut children = Vec::with_capacity(steps.len());
        for (step, next) in &steps {
            children.push((*step, self.node(local, next, budget)? as u32));
        }
        let unproven = children.iter().filter(|&&(_, child)| self.nodes[child as usize].stamp == 0).count();
        for &(_, child) in &children {
            self.parents.push((id as u32, self.nodes[child as usize].parents));
            self.nodes[child as usize].parents = self.parents.len() as u32;
        }
        let is_provers = state.to_move() == self.goal.prover();
        let node = &mut self.nodes[id];
        node.first_child = self.children.len() as u32;
        node.children = children.len() as u16;
        node.unproven = unproven as u16;
        let proven = if is_provers { unproven < children.len() } else { unproven == 0 };
        self.children.extend(children);
        if proven {
            self.prove(id);
        }
        Ok(())
    }

    /// Marks a position as proven, and all that follows from it.
    fn prove(&mut self, id: usize) {
        let mut proven = vec![id];
        while let Some(id) = proven.pop() {
            if self.nodes[id].stamp > 0 {
                continue;
            }
            self.stamps += 1;
            self.nodes[id].stamp = self.stamps;
            let mut link = self.nodes[id].parents;
            while link != 0 {
                let (parent, next) = self.parents[link as usize - 1];
                link = next;
                let prover = self.goal.prover();
                let parent_node = &mut self.nodes[parent as usize];
                parent_node.unproven -= 1;
                if parent_node.stamp == 0 && (parent_node.state.to_move() == prover || parent_node.unproven == 0) {
                    proven.push(parent as usize);
                }
            }
        }
    }
}

/// Mixes the three words of a state; equality is still decided on the words themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct StateHasher(u64);

impl Hasher for StateHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 ^= self.0 >> 29;
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
