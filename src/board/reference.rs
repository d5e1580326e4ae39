//! The slow truth: a board that recomputes everything by flood fill, to compare the fast one with.
//!
//! It shares the vocabulary types with [`crate::board::Board`] and no code. Points are numbered row by row from A1, as
//! [`crate::geometry::Geometry::points`] lists them; ko and superko compare whole positions, never hashes.

use std::collections::{BTreeSet, HashMap};

use crate::color::{Color, PerColor};
use crate::game::IllegalMove;

/// The stones of a whole position, row by row from A1.
pub type Cells = Vec<Option<Color>>;

/// What a stone played somewhere would lead to.
struct Outcome {
    cells: Cells,
    captured: usize,
    own_removed: usize,
}

/// A turn to be taken back: who moved, and everything that was true before.
struct Before {
    mover: Color,
    passed: bool,
    cells: Cells,
    captures: PerColor<usize>,
}

/// A game on a naive board. Positional superko holds always, as in [`crate::rules::Rules`].
pub struct Reference {
    size: usize,
    suicide: bool,
    cells: Cells,
    captures: PerColor<usize>,
    past: Vec<Before>,
    /// How often each position has occurred, the current one included.
    seen: HashMap<Cells, usize>,
}

impl Reference {
    /// A game about to begin on the empty board.
    pub fn new(size: usize, suicide: bool) -> Reference {
        Reference::from_cells(size, suicide, vec![None; size * size])
    }

    /// A game about to begin in this position.
    pub fn from_cells(size: usize, suicide: bool, cells: Cells) -> Reference {
        let seen = HashMap::from([(cells.clone(), 1)]);
        Reference { size, suicide, cells, captures: PerColor([0; 2]), past: Vec::new(), seen }
    }

    /// The stones on the board.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Stones that `color` has captured, those the opponent removed by suicide included.
    pub fn captures(&self, color: Color) -> usize {
        self.captures[color]
    }

    /// The points connected to `point` through points of the same content.
    pub fn chain(&self, point: usize) -> BTreeSet<usize> {
        chain(self.size, &self.cells, point)
    }

    /// The empty points next to the chain of the stone on `point`.
    pub fn liberties(&self, point: usize) -> BTreeSet<usize> {
        liberties(self.size, &self.cells, point)
    }

    /// Whether each chain has a liberty, which is what makes a position legal.
    pub fn every_chain_has_a_liberty(&self) -> bool {
        (0..self.cells.len()).all(|p| self.cells[p].is_none() || !self.liberties(p).is_empty())
    }

    /// Number of empty points next to `point`.
    pub fn empty_neighbor_count(&self, point: usize) -> usize {
        neighbors(self.size, point).into_iter().filter(|&n| self.cells[n].is_none()).count()
    }

    /// Whether `color` may play on `point`, or why not.
    pub fn check(&self, color: Color, point: usize) -> Result<(), IllegalMove> {
        if self.cells[point].is_some() {
            return Err(IllegalMove::Occupied);
        }
        let outcome = self.outcome(color, point);
        if outcome.own_removed > 0 && !self.suicide {
            return Err(IllegalMove::Suicide);
        }
        if self.undoes_last_turn(color, &outcome) {
            return Err(IllegalMove::Ko);
        }
        if self.seen.contains_key(&outcome.cells) {
            return Err(IllegalMove::Superko);
        }
        Ok(())
    }

    /// The point on which `color` would retake a simple ko, if any.
    pub fn ko_point(&self, color: Color) -> Option<usize> {
        (0..self.cells.len())
            .find(|&p| self.cells[p].is_none() && self.undoes_last_turn(color, &self.outcome(color, p)))
    }

    /// Makes a move, `None` being a pass, and returns the number of opposing stones captured.
    pub fn play(&mut self, color: Color, point: Option<usize>) -> Result<usize, IllegalMove> {
        let before =
            Before { mover: color, passed: point.is_none(), cells: self.cells.clone(), captures: self.captures };
        let mut captured = 0;
        if let Some(point) = point {
            self.check(color, point)?;
            let outcome = self.outcome(color, point);
            captured = outcome.captured;
            self.captures[color] += outcome.captured;
            self.captures[color.opponent()] += outcome.own_removed;
            self.cells = outcome.cells;
        }
        self.past.push(before);
        *self.seen.entry(self.cells.clone()).or_insert(0) += 1;
        Ok(captured)
    }

    /// Takes back the last move; false when there is none.
    pub fn undo(&mut self) -> bool {
        let Some(before) = self.past.pop() else { return false };
        let count = self.seen.remove(&self.cells).unwrap_or(0);
        if count > 1 {
            self.seen.insert(self.cells.clone(), count - 1);
        }
        self.cells = before.cells;
        self.captures = before.captures;
        true
    }

    /// Black's area minus White's: stones, and empty regions from which only one color is reached.
    pub fn area_margin(&self) -> i32 {
        let mut margin = 0;
        let mut done = BTreeSet::new();
        for p in 0..self.cells.len() {
            if done.contains(&p) {
                continue;
            }
            let region = self.chain(p);
            let reaches = |color| {
                region.iter().any(|&q| {
                    self.cells[q] == Some(color)
                        || self.cells[q].is_none()
                            && neighbors(self.size, q).iter().any(|&n| self.cells[n] == Some(color))
                })
            };
            let area = region.len() as i32;
            margin += if reaches(Color::Black) { area } else { 0 };
            margin -= if reaches(Color::White) { area } else { 0 };
            done.extend(region);
        }
        margin
    }

    /// What simple ko forbids: answering a stone by restoring the position in which it was played.
    fn undoes_last_turn(&self, color: Color, outcome: &Outcome) -> bool {
        self.past.last().is_some_and(|last| !last.passed && last.mover != color && last.cells == outcome.cells)
    }

    fn outcome(&self, color: Color, point: usize) -> Outcome {
        let mut cells = self.cells.clone();
        cells[point] = Some(color);
        let mut captured = 0;
        for n in neighbors(self.size, point) {
            if cells[n] == Some(color.opponent()) && liberties(self.size, &cells, n).is_empty() {
                captured += remove(self.size, &mut cells, n);
            }
        }
        let stuck = liberties(self.size, &cells, point).is_empty();
        let own_removed = if stuck { remove(self.size, &mut cells, point) } else { 0 };
        Outcome { cells, captured, own_removed }
    }
}

fn neighbors(size: usize, point: usize) -> Vec<usize> {
    let (x, y) = (point % size, point / size);
    let mut found = Vec::with_capacity(4);
    if y > 0 {
        found.push(point - size);
    }
    if x > 0 {
        found.push(point - 1);
    }
    if x + 1 < size {
        found.push(point + 1);
    }
    if y + 1 < size {
        found.push(point + size);
    }
    found
}

/// The points connected to `point` through points of the same content, empty ones included.
fn chain(size: usize, cells: &Cells, point: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([point]);
    let mut open = vec![point];
    while let Some(p) = open.pop() {
        for n in neighbors(size, p) {
            if cells[n] == cells[point] && found.insert(n) {
                open.push(n);
            }
        }
    }
    found
}

fn liberties(size: usize, cells: &Cells, point: usize) -> BTreeSet<usize> {
    let stones = chain(size, cells, point);
    stones.iter().flat_map(|&p| neighbors(size, p)).filter(|&n| cells[n].is_none()).collect()
}

fn remove(size: usize, cells: &mut Cells, point: usize) -> usize {
    let stones = chain(size, cells, point);
    for &p in &stones {
        cells[p] = None;
    }
    stones.len()
}
