//! Suggestions: the moves the playout policy proposes near the last move, each with its reason.
//!
//! The functions below are listed in the order in which the policy asks them. Priors, statistics and explanations use the same
//! suggestions, so that what the tree likes and what the playouts play is one body of knowledge.

use crate::board::{Board, Cell, Surroundings};
use crate::color::Color;
use crate::geometry::Point;
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
    /// Next to the last two moves, by the weight of its 3x3 surroundings.
    Local,
    /// Drawn from all points.
    Random,
}

impl Reason {
    /// A word for people.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Capture => "capture",
            Reason::Escape => "escape",
            Reason::Strengthen => "strengthen",
            Reason::Atari => "atari",
            Reason::Nakade => "nakade",
            Reason::Local => "local",
            Reason::Random => "random",
        }
    }
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
}

/// Answers to atari: the last move's own chain is taken if it stands in atari; own chains that it put into atari
/// are saved by capturing an attacker or by extending.
pub fn atari_answers(board: &Board, color: Color, last: Point, out: &mut Suggestions) {
    if board.cell(last) == Cell::of(color.opponent()) && board.liberty_count(last) == 1 {
        add_capture(board, color, last, out);
    }
    for_chains_beside(board, last, color, 1, |stone| save_chain(board, color, stone, out));
}

/// Calls `work` with a stone of each chain of `color` next to `point` that has this many liberties.
#[inline]
fn for_chains_beside(board: &Board, point: Point, color: Color, liberties: usize, mut work: impl FnMut(Point)) {
    let mut done = [Point::NONE; 4];
    let stones = board.geometry().flagged_neighbors(point, board.around(point).stones(color));
    for (stone, i) in stones.zip(0..) {
        let head = board.chain_head(stone);
        if board.liberty_count(head) == liberties && !done.contains(&head) {
            done[i & 3] = head;
            work(stone);
        }
    }
}

/// Suggests taking the chain of `stone`, which is in atari.
#[inline]
fn add_capture(board: &Board, color: Color, stone: Point, out: &mut Suggestions) {
    let point = board.first_liberty(stone);
    if board.is_playable(point, color, false) {
        out.add(point, Reason::Capture);
    }
}

/// Suggests taking whatever stands in atari next to the first `stones` stones of an own chain.
#[inline]
fn add_captures_around(board: &Board, color: Color, stone: Point, stones: usize, out: &mut Suggestions) {
    for s in board.chain(stone).take(stones) {
        for n in board.geometry().flagged_neighbors(s, board.around(s).stones(color.opponent())) {
            if board.liberty_count(n) == 1 {
                add_capture(board, color, n, out);
            }
        }
    }
}

/// Ways to save an own chain in atari.
pub fn save_chain(board: &Board, color: Color, stone: Point, out: &mut Suggestions) {
    let before = out.as_slice().len();
    add_captures_around(board, color, stone, usize::MAX, out);
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
    if board.cell(last) == Cell::of(color.opponent()) && board.liberty_count(last) == 2 {
        attack_chain(board, color, last, out);
    }
    for_chains_beside(board, last, color, 2, |stone| strengthen_chain(board, color, stone, out));
}

/// Most stones of a weak chain whose attackers are looked at.
const STONES_LOOKED_AT: usize = 8;

/// Moves on the liberties of a weak own chain that leave it with at least three, and captures next to it.
fn strengthen_chain(board: &Board, color: Color, stone: Point, out: &mut Suggestions) {
    for liberty in board.two_liberties(stone) {
        if liberties_after(board, liberty, color, 3) >= 3
            && !board.around(liberty).is_eye(color)
            && board.is_playable(liberty, color, false)
        {
            out.add(liberty, Reason::Strengthen);
        }
    }
    add_captures_around(board, color, stone, STONES_LOOKED_AT, out);
}

/// Ataris on an opposing chain with two liberties, from the side that leaves it the worse escape.
fn attack_chain(board: &Board, color: Color, stone: Point, out: &mut Suggestions) {
    let [a, b] = board.two_liberties(stone);
    let enemy = color.opponent();
    // What the chain would have after running to the other liberty.
    let runs = [liberties_after(board, b, enemy, 4), liberties_after(board, a, enemy, 4)];
    let best = runs[0].min(runs[1]);
    for (point, run) in [(a, runs[0]), (b, runs[1])] {
        let needed = if run <= 2 { 2 } else { 3 };
        if run == best
            && board.is_playable(point, color, false)
            && liberties_after(board, point, color, needed) >= needed
        {
            out.add(point, Reason::Atari);
        }
    }
}

/// The vital points of small eye spaces next to the last move, of either color.
pub fn nakade_moves(board: &Board, color: Color, last: Point, out: &mut Suggestions) {
    let g = board.geometry();
    let mut starts = 0;
    for (i, n) in g.ring(last).into_iter().enumerate() {
        starts |= u16::from(enclosing_colors(board.around(n)) != 0) << (2 * i);
    }
    for n in g.flagged_ring(last, starts & board.around(last).empties()) {
        let owner = if enclosing_colors(board.around(n)) == 1 { Color::Black } else { Color::White };
        if let Some(vital) = nakade_point(board, n, owner)
            && board.is_playable(vital, color, false)
        {
            out.add(vital, Reason::Nakade);
        }
    }
}

/// Which color alone touches a point that has one or two empty neighbours: 1 for Black, 2 for White, 0 for none.
///
/// Larger spaces show themselves at points with one or two empty neighbours; a point without any is an eye.
#[inline]
fn enclosing_colors(around: Surroundings) -> u8 {
    const TABLE: [u8; 256] = {
        let mut table = [0; 256];
        let mut code = 0;
        while code < 256 {
            let around = Surroundings(code as u16);
            if matches!(around.empty_neighbor_count(), 1 | 2) {
                table[code] = match (around.has_neighbor(Color::Black), around.has_neighbor(Color::White)) {
                    (true, false) => 1,
                    (false, true) => 2,
                    _ => 0,
                };
            }
            code += 1;
        }
        table
    };
    TABLE[usize::from(around.0 & 0xFF)]
}
