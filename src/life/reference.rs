//! The slow truth: the whole graph of a tiny position, swept until nothing changes, to compare the solver with.
//!
//! It shares no code with the solver: stones in a list of cells, chains by flood fill, no move left out, no position
//! judged by unconditional life. Infinite play is nobody's, as values only change from "not forced" to "forced".

use std::collections::{BTreeSet, HashMap};

use super::Text;
use crate::color::Color;

/// A position: the stones by point, what is barred, and who is to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub cells: Vec<Option<Color>>,
    pub barred: BTreeSet<usize>,
    pub to_move: Color,
}

/// A rectangle of points, some of them next to alive stones outside.
#[derive(Clone, Debug)]
pub struct World {
    pub near: Vec<Vec<usize>>,
    /// For each color, the points next to an alive stone of it.
    pub edge: [Vec<bool>; 2],
}

impl World {
    /// A rectangle without stones around it.
    pub fn new(width: usize, height: usize) -> World {
        let near = (0..width * height).map(|point| {
            let (x, y) = (point % width, point / width);
            let mut near = Vec::new();
            if x > 0 {
                near.push(point - 1);
            }
            if x + 1 < width {
                near.push(point + 1);
            }
            if y > 0 {
                near.push(point - width);
            }
            if y + 1 < height {
                near.push(point + width);
            }
            near
        });
        let near = near.collect();
        World { near, edge: [vec![false; width * height], vec![false; width * height]] }
    }

    fn chain(&self, cells: &[Option<Color>], point: usize) -> (BTreeSet<usize>, BTreeSet<usize>, bool) {
        let color = cells[point].expect("a stone");
        let mut chain = BTreeSet::from([point]);
        let mut liberties = BTreeSet::new();
        let mut todo = vec![point];
        while let Some(point) = todo.pop() {
            for &near in &self.near[point] {
                match cells[near] {
                    None => {
                        liberties.insert(near);
                    }
                    Some(other) if other == color && chain.insert(near) => todo.push(near),
                    Some(_) => {}
                }
            }
        }
        let anchored = chain.iter().any(|&stone| self.edge[color.index()][stone]);
        (chain, liberties, anchored)
    }

    /// Whether every chain has a liberty or is anchored.
    pub fn is_legal(&self, cells: &[Option<Color>]) -> bool {
        (0..cells.len()).filter(|&point| cells[point].is_some()).all(|point| {
            let (_, liberties, anchored) = self.chain(cells, point);
            anchored || !liberties.is_empty()
        })
    }

    fn play(&self, text: Text, position: &Position, point: usize) -> Option<Position> {
        let side = position.to_move;
        if position.cells[point].is_some() || (text == Text::Draft && position.barred.contains(&point)) {
            return None;
        }
        let mut cells = position.cells.clone();
        cells[point] = Some(side);
        let mut captured = BTreeSet::new();
        for &near in &self.near[point] {
            if cells[near] == Some(side.opponent()) {
                let (chain, liberties, anchored) = self.chain(&cells, near);
                if liberties.is_empty() && !anchored {
                    captured.extend(chain);
                }
            }
        }
        for &stone in &captured {
            cells[stone] = None;
        }
        let (chain, liberties, anchored) = self.chain(&cells, point);
        if liberties.is_empty() && !anchored {
            return None;
        }
        let is_ko = captured.len() == 1 && chain.len() == 1 && liberties.len() == 1 && !anchored;
        let mut barred = BTreeSet::new();
        if text == Text::Japanese {
            if is_ko && captured.iter().any(|stone| position.barred.contains(stone)) {
                return None;
            }
            barred = position.barred.difference(&captured).copied().collect();
            if is_ko {
                barred.insert(point);
            }
        } else if is_ko {
            barred = captured;
        }
        Some(Position { cells, barred, to_move: side.opponent() })
    }

    fn moves(&self, text: Text, position: &Position) -> Vec<Position> {
        let side = position.to_move;
        let mut passed = Position { to_move: side.opponent(), ..position.clone() };
        let mut moves = Vec::new();
        if text == Text::Japanese {
            for stone in &position.barred {
                if position.cells[*stone] == Some(side.opponent()) {
                    let mut barred = position.barred.clone();
                    barred.remove(stone);
                    moves.push(Position { barred, ..passed.clone() });
                }
            }
        } else {
            passed.barred.clear();
        }
        moves.push(passed);
        moves.extend((0..position.cells.len()).filter_map(|point| self.play(text, position, point)));
        moves
    }
}

/// Every position that can come from some positions, and where moves lead.
pub struct Graph {
    pub index: HashMap<Position, usize>,
    pub positions: Vec<Position>,
    moves: Vec<Vec<usize>>,
}

impl Graph {
    /// The graph from all legal positions with nothing barred.
    pub fn new(world: &World, text: Text) -> Graph {
        let area = world.near.len();
        let mut graph = Graph { index: HashMap::new(), positions: Vec::new(), moves: Vec::new() };
        for code in 0..3usize.pow(area as u32) {
            let cell = |i: usize| [None, Some(Color::Black), Some(Color::White)][code / 3usize.pow(i as u32) % 3];
            let cells: Vec<_> = (0..area).map(cell).collect();
            if world.is_legal(&cells) {
                for to_move in Color::BOTH {
                    graph.add(Position { cells: cells.clone(), barred: BTreeSet::new(), to_move });
                }
            }
        }
        let mut next = 0;
        while next < graph.positions.len() {
            let position = graph.positions[next].clone();
            let moves = world.moves(text, &position).into_iter().map(|position| graph.add(position)).collect();
            graph.moves.push(moves);
            next += 1;
        }
        graph
    }

    fn add(&mut self, position: Position) -> usize {
        let fresh = self.positions.len();
        let id = *self.index.entry(position.clone()).or_insert(fresh);
        if id == fresh {
            self.positions.push(position);
        }
        id
    }

    /// From where `prover` can force a position whose value is given as true; a position with a given value ends the game.
    pub fn forced(&self, prover: Color, given: impl Fn(usize, &Position) -> Option<bool>) -> Vec<bool> {
        let given: Vec<Option<bool>> =
            self.positions.iter().enumerate().map(|(id, position)| given(id, position)).collect();
        let mut forced: Vec<bool> = given.iter().map(|value| *value == Some(true)).collect();
        loop {
            let mut changed = false;
            for id in 0..forced.len() {
                if forced[id] || given[id].is_some() {
                    continue;
                }
                let mut moves = self.moves[id].iter();
                let wins = if self.positions[id].to_move == prover {
                    moves.any(|&to| forced[to])
                } else {
                    moves.all(|&to| forced[to])
                };
                if wins {
                    forced[id] = true;
                    changed = true;
                }
            }
            if !changed {
                return forced;
            }
        }
    }

    /// From where `mover`, moving again and again while the other side passes, can take the stone on `point`.
    pub fn reachable_alone(&self, mover: Color, point: usize) -> Vec<bool> {
        let is_taken = |position: &Position| position.cells[point] != Some(mover.opponent());
        let mut taken: Vec<bool> = self.positions.iter().map(is_taken).collect();
        loop {
            let mut changed = false;
            for id in 0..taken.len() {
                if taken[id] {
                    continue;
                }
                let position = &self.positions[id];
                let mut moves = self.moves[id].iter();
                taken[id] = if position.to_move == mover {
                    moves.any(|&to| taken[to])
                } else {
                    moves.any(|&to| self.positions[to].cells == position.cells && taken[to])
                };
                changed |= taken[id];
            }
            if !changed {
                return taken;
            }
        }
    }

    /// From where `owner` can keep to positions that are not `lost` with a loss of at most `limit` stones at any time.
    pub fn bounded_loss(&self, owner: Color, lost: &[bool], limit: u32) -> Vec<bool> {
        let count =
            |id: usize, color: Color| self.positions[id].cells.iter().filter(|&&cell| cell == Some(color)).count();
        let mut credit = vec![0; self.positions.len()];
        loop {
            let mut changed = false;
            for id in (0..credit.len()).filter(|&id| !lost[id]) {
                let mover = self.positions[id].to_move;
                let options = self.moves[id].iter().filter(|&&to| !lost[to]).map(|&to| {
                    let taken = (count(id, mover.opponent()) - count(to, mover.opponent())) as u32;
                    if mover == owner { u32::saturating_sub(credit[to], taken) } else { credit[to] + taken }
                });
                let needed = if mover == owner { options.min() } else { options.max() }.unwrap_or(0).min(limit + 1);
                if needed > credit[id] {
                    credit[id] = needed;
                    changed = true;
                }
            }
            if !changed {
                return credit.iter().map(|&needed| needed <= limit).collect();
            }
        }
    }
}
