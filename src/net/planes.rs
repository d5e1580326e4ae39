//! What the network sees of a position: a set of yes-or-no planes for each point, and a few numbers for the whole board.
//!
//! The same code serves training (`keima shards`) and play, so the two cannot differ. Everything is seen from the player to move.

use crate::board::{Board, Cell};
use crate::color::Color;
use crate::geometry::{Geometry, Point, PointMap};
use crate::playout::Recent;
use crate::score::Komi;
use crate::tactics::{LadderReader, after_play};

/// The planes, one bit each. Their order is part of the weights' meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
enum Plane {
    /// Every point: tells the board from the padding around it.
    Board,
    Own,
    Opponent,
    /// Own chains by liberties; the two planes after it are those of two and three liberties.
    OwnInAtari,
    /// The same of the opponent.
    OpponentInAtari = Plane::OwnInAtari as u32 + 3,
    /// A stone here would retake a ko at once.
    Ko = Plane::OpponentInAtari as u32 + 3,
    Last,
    Before,
    /// A stone here captures.
    Captures,
    /// A stone here stands in atari.
    SelfAtari,
    /// A stone here has two liberties.
    TwoLiberties,
    /// A stone here starts a ladder that catches an opposing chain.
    CatchesInLadder,
    /// An own chain that is caught in a ladder unless something is done, or whatever is done.
    InLadder,
    /// An empty point on which the player to move cannot play.
    Forbidden,
}

/// Number of planes.
pub const PLANES: usize = Plane::Forbidden as usize + 1;
/// Number of scalars.
pub const SCALARS: usize = 4;

/// A position as the network sees it.
#[derive(Clone, Debug)]
pub struct Input {
    /// For each point the set of its planes, bit by bit.
    pub planes: PointMap<u32>,
    /// Komi of the player to move in tens of points, board side less ten in tens, whether the last move was a pass, share of the board that is filled.
    pub scalars: [f32; SCALARS],
}

impl Input {
    /// The same position, turned by a symmetry of the board: see [`Geometry::turned`].
    pub fn turned(&self, geometry: Geometry, symmetry: u8) -> Input {
        let mut turned = self.clone();
        for point in geometry.points() {
            turned.planes[geometry.turned(point, symmetry)] = self.planes[point];
        }
        turned
    }
}

impl Default for Input {
    fn default() -> Input {
        Input { planes: PointMap::new(0), scalars: [0.0; SCALARS] }
    }
}

/// Reads positions; keeps its scratch memory.
#[derive(Debug, Default)]
pub struct InputReader {
    ladders: LadderReader,
    /// What was read last.
    pub input: Input,
}

impl InputReader {
    /// A reader.
    pub fn new() -> InputReader {
        InputReader::default()
    }

    /// Reads the position with `color` to move into `self.input`.
    pub fn read(&mut self, board: &Board, color: Color, recent: Recent, passed: bool, komi: Komi) {
        let g = board.geometry();
        let own = Cell::of(color);
        let planes = &mut self.input.planes;
        for p in g.points() {
            let mut set = 1 << Plane::Board as u32;
            let cell = board.cell(p);
            if cell == Cell::Empty {
                set |= empty_point(board, p, color);
            } else {
                let (plane, liberties) = if cell == own {
                    (Plane::Own, Plane::OwnInAtari)
                } else {
                    (Plane::Opponent, Plane::OpponentInAtari)
                };
                set |= 1 << plane as u32;
                let count = board.liberty_count(p);
                if count <= 3 {
                    set |= 1 << (liberties as u32 + count as u32 - 1);
                }
            }
            planes[p] = set;
        }
        if let Some(ko) = board.ko_point(color) {
            planes[ko] |= 1 << Plane::Ko as u32;
        }
        for (point, plane) in [(recent.last, Plane::Last), (recent.before, Plane::Before)] {
            if let Some(point) = point {
                planes[point] |= 1 << plane as u32;
            }
        }
        self.read_ladders(board, color);
        let own_komi = f64::from(-color.sign()) * komi.points();
        self.input.scalars = [
            own_komi as f32 / 10.0,
            (g.size() as f32 - 10.0) / 10.0,
            f32::from(u8::from(passed)),
            1.0 - board.empty_count() as f32 / g.area() as f32,
        ];
    }

    fn read_ladders(&mut self, board: &Board, color: Color) {
        for head in board.chain_heads() {
            let is_own = board.cell(head) == Cell::of(color);
            let caught = match (board.liberty_count(head), is_own) {
                (1, true) => self.ladders.is_caught(board, head),
                (2, true) => self.ladders.capturing_move(board, head).is_some(),
                _ => false,
            };
            if caught {
                self.mark_chain(board, head);
            }
            if board.liberty_count(head) == 2
                && !is_own
                && let Some(point) = self.ladders.capturing_move(board, head)
            {
                self.input.planes[point] |= 1 << Plane::CatchesInLadder as u32;
            }
        }
    }

    fn mark_chain(&mut self, board: &Board, head: Point) {
        for stone in board.chain(head) {
            self.input.planes[stone] |= 1 << Plane::InLadder as u32;
        }
    }
}

fn empty_point(board: &Board, point: Point, color: Color) -> u32 {
    if !board.is_playable(point, color, false) {
        return 1 << Plane::Forbidden as u32;
    }
    let after = after_play(board, point, color, 3);
    let mut set = 0;
    if after.captured > 0 {
        set |= 1 << Plane::Captures as u32;
    }
    match after.liberties {
        1 => set | 1 << Plane::SelfAtari as u32,
        2 => set | 1 << Plane::TwoLiberties as u32,
        _ => set,
    }
}
