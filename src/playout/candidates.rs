//! Suggestions: the moves the playout policy proposes near the last move, each with its reason.
//!
//! The functions below are listed in the order in which the policy asks them. Priors, statistics and explanations use the same
//! suggestions, so that what the tree likes and what the playouts play is one body of knowledge.

use crate::board::{Board, Cell};
use crate::color::Color;
use crate::geometry::Point;
use crate::pattern;
use crate::playout::Recent;
use crate::tactics::{liberties_after, nakade_point};

/// Why a move was suggested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Captures a chain, which threatens an own chain or has just come into atari.
    Capture,
    /// Gains liberties for an own chain in atari.
    Escape,
    /// Strengthens an own chain with two liberties.
    Strengthen,
    /// Puts a chain of two liberties into atari.
    Atari,
    /// Occupies the vital point of a small eye space.
    Nakade,
    /// Makes one of the 3x3 shapes next to a recent move.
    Shape,
    /// Drawn from all points.
    Random,
}

/// A proposed move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// Where.
    pub point: Point,
    /// Why.
    pub reason: Reason,
}

/// A short list of suggestions without heap memory; those beyond its capacity are dropped.
#[derive(Clone, Debug)]
pub struct Suggestions {
    list: [Suggestion; Suggestions::CAPACITY],
    count: usize,
}

impl Default for Suggestions {
    fn default() -> Suggestions {
        Suggestions::new()
    }
}

impl Suggestions {
    const CAPACITY: usize = 32;

    /// An empty list.
    pub fn new() -> Suggestions {
        let nothing = Suggestion { point: Point::NONE, reason: Reason::Random };
        Suggestions { list: [nothing; Suggestions::CAPACITY], count: 0 }
    }

    /// Empties the list.
    #[inline]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// The suggestions so far.
    #[inline]
    pub fn as_slice(&self) -> &[Suggestion] {
        &self.list[..self.count]
    }

    /// Adds a suggestion unless its point is there already.
    #[inline]
    pub fn add(&mut self, point: Point, reason: Reason) {
        if self.count < Suggestions::CAPACITY && self.as_slice().iter().all(|s| s.point != point) {
            self.list[self.count] = Suggestion { point, reason };
            self.count += 1;
        }
    }

    /// Adds a suggestion to be drawn twice as often: it may appear twice.
    #[inline]
    fn add_again(&mut self, point: Point, reason: Reason) {
        if self.count < Suggestions::CAPACITY {
            self.list[self.count] = Suggestion { point, reason };
            self.count += 1;
        }
    }
}

/// Answers to atari: the last move's own chain is taken if it stands in atari; own chains that it put into atari
/// are saved by capturing an attacker or by extending.
pub fn atari_answers(board: &Board, color: Color, last: Point, out: &mut Suggestions) {
    let own = Cell::of(color);
    let enemy = Cell::of(color.opponent());
    if board.cell(last) == enemy && board.liberty_count(last) == 1 {
        let point = board.first_liberty(last);
        if board.is_playable(point, color, false) {
            out.add(point, Reason::Capture);
        }
    }
    let mut done = [Point::NONE; 4];
    for (i, n) in board.geometry().neighbors(last).into_iter().enumerate() {
        if board.cell(n) == own && board.liberty_count(n) == 1 && !done.contains(&board.chain_head(n)) {
            done[i] = board.chain_head(n);
            save_chain(board, color, n, out);
        }
    }
}

/// Ways to save an own chain in atari.
pub fn save_chain(board: &Board, color: Color, stone: Point, out: &mut Suggestions) {
    let enemy = Cell::of(color.opponent());
    let before = out.as_slice().len();
    for s in board.chain(stone) {
        for n in board.geometry().neighbors(s) {
            if board.cell(n) == enemy && board.liberty_count(n) == 1 {
                let point = board.first_liberty(n);
                if board.is_playable(point, color, false) {
                    out.add(point, Reason::Capture);
                }
            }
        }
    }
    let exit = board.first_liberty(stone);
    if !board.is_playable(exit, color, false) {
        return;
    }
    let liberties = liberties_after(board, exit, color, 3);
    // Running along the first line with two liberties only feeds a ladder.
    let hopeless = liberties == 2
        && board.geometry().line(exit) == 1
        && before == out.as_slice().len()
        && runs_at_edge(board, exit, color);
    if liberties >= 2 && !hopeless {
        out.add(exit, Reason::Escape);
    }
}

/// Whether a stone on the first line only moves along it: its inner neighbour belongs to the opponent.
fn runs_at_edge(board: &Board, point: Point, color: Color) -> bool {
    let g = board.geometry();
    g.neighbors(point).iter().any(|&n| board.cell(n) == Cell::of(color.opponent()) && g.line(n) == 2)
}

/// Moves around chains with two liberties next to the last move: own ones are strengthened, the opponent's put into atari.
pub fn two_liberty_moves(board: &Board, color: Color, last: Point, out: &mut Suggestions) {
    let own = Cell::of(color);
    let enemy = Cell::of(color.opponent());
    if board.cell(last) == enemy && board.liberty_count(last) == 2 {
        attack_chain(board, color, last, out);
    }
    let mut done = [Point::NONE; 4];
    for (i, n) in board.geometry().neighbors(last).into_iter().enumerate() {
        if board.cell(n) == own && board.liberty_count(n) == 2 && !done.contains(&board.chain_head(n)) {
            done[i] = board.chain_head(n);
            strengthen_chain(board, color, n, out);
        }
    }
}

/// Moves on the liberties of a weak own chain that leave it with at least three, and captures next to it.
fn strengthen_chain(board: &Board, color: Color, stone: Point, out: &mut Suggestions) {
    let enemy = Cell::of(color.opponent());
    for liberty in board.liberties(stone) {
        if board.around(liberty).is_eye(color) || !board.is_playable(liberty, color, false) {
            continue;
        }
        if liberties_after(board, liberty, color, 3) >= 3 {
            out.add(liberty, Reason::Strengthen);
        }
    }
    // Attackers that are themselves in atari or short of liberties.
    for n in board.chain(stone).take(8).flat_map(|s| board.geometry().neighbors(s)) {
        if board.cell(n) == enemy && board.liberty_count(n) == 1 {
            let point = board.first_liberty(n);
            if board.is_playable(point, color, false) {
                out.add(point, Reason::Capture);
            }
        }
    }
}

/// Ataris on an opposing chain with two liberties, from the side that leaves it the worse escape.
fn attack_chain(board: &Board, color: Color, stone: Point, out: &mut Suggestions) {
    let mut liberties = board.liberties(stone);
    let (Some(a), Some(b)) = (liberties.next(), liberties.next()) else { return };
    let enemy = color.opponent();
    // What the chain would have after running to the other liberty.
    let runs = [liberties_after(board, b, enemy, 4), liberties_after(board, a, enemy, 4)];
    let best = runs[0].min(runs[1]);
    for (point, run) in [(a, runs[0]), (b, runs[1])] {
        if run == best
            && board.is_playable(point, color, false)
            && (run <= 2 || liberties_after(board, point, color, 3) >= 3)
            && liberties_after(board, point, color, 2) >= 2
        {
            out.add(point, Reason::Atari);
        }
    }
}

/// The vital points of small eye spaces next to the last move, of either color.
pub fn nakade_moves(board: &Board, color: Color, last: Point, out: &mut Suggestions) {
    let g = board.geometry();
    for n in g.neighbors(last).into_iter().chain(g.diagonals(last)) {
        if !board.is_empty(n) {
            continue;
        }
        let around = board.around(n);
        let owner = match (around.has_neighbor(Color::Black), around.has_neighbor(Color::White)) {
            (true, false) => Color::Black,
            (false, true) => Color::White,
            _ => continue,
        };
        // Larger spaces show themselves at points with one or two empty neighbours; a point without any is an eye.
        if !matches!(around.empty_neighbor_count(), 1 | 2) {
            continue;
        }
        if let Some(vital) = nakade_point(board, n, owner)
            && board.is_playable(vital, color, false)
        {
            out.add(vital, Reason::Nakade);
        }
    }
}

/// The 3x3 shapes among the points around the last two moves.
pub fn shape_moves(board: &Board, color: Color, recent: Recent, out: &mut Suggestions) {
    let g = board.geometry();
    for center in [recent.last, recent.before].into_iter().flatten() {
        for n in g.neighbors(center).into_iter().chain(g.diagonals(center)) {
            if board.is_empty(n) && pattern::is_shape(board.around(n), color) && board.is_playable(n, color, false) {
                out.add_again(n, Reason::Shape);
            }
        }
    }
}
