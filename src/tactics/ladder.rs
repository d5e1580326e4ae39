//! Ladders: can a chain in atari, or with two liberties, be chased to its capture?
//!
//! Reads only ataris with extensions and captures in reply, on a scratch board of its own.

use crate::board::{Board, Cell, Undo};
use crate::color::Color;
use crate::geometry::Point;
use crate::tactics::liberties_after;

/// Longest ladder that is read, in moves of both sides: across a 19x19 board and on.
const MAX_DEPTH: usize = 90;
/// Most positions looked at for one question; an unanswered question counts as an escape.
const MAX_NODES: usize = 200;

/// Reads ladders; keeps its scratch board from question to question.
#[derive(Debug, Default)]
pub struct LadderReader {
    scratch: Option<Box<Board>>,
}

impl LadderReader {
    /// A reader without a board; it is made when first needed.
    pub fn new() -> LadderReader {
        LadderReader::default()
    }

    /// Whether the chain of `stone`, in atari and with its owner to move, is captured whatever it does.
    pub fn is_caught(&mut self, board: &Board, stone: Point) -> bool {
        self.line_from(board).owner_to_move(stone)
    }

    /// For a chain with two liberties and its opponent to move: the move that starts a working ladder, if one exists.
    pub fn capturing_move(&mut self, board: &Board, stone: Point) -> Option<Point> {
        // Most chains get out of the first atari: not worth a copy of the board.
        let color = board.cell(stone).color()?;
        atari_order(board, stone, color)
            .iter()
            .any(|&(_, run)| run < FREE)
            .then(|| self.line_from(board).attacker_to_move(stone))?
    }

    fn line_from(&mut self, board: &Board) -> Line<'_> {
        let scratch = self.scratch.get_or_insert_with(|| Box::new(Board::new(board.geometry())));
        scratch.copy_from(board);
        Line { board: scratch, depth: 0, nodes: 0 }
    }
}

/// Liberties with which a chain has got away, counted before its opponent stands on one of them.
const FREE: usize = 4;

/// Both liberties of a chain of two, the better atari first, each with the liberties that the chain would have on the other one.
fn atari_order(board: &Board, stone: Point, color: Color) -> [(Point, usize); 2] {
    let [a, b] = board.two_liberties(stone);
    // Running to the other liberty must not give more than two liberties once the attacker stands on this one.
    let runs = [liberties_after(board, b, color, FREE), liberties_after(board, a, color, FREE)];
    if runs[0] <= runs[1] { [(a, runs[0]), (b, runs[1])] } else { [(b, runs[1]), (a, runs[0])] }
}

/// The line that is being read.
struct Line<'a> {
    board: &'a mut Board,
    depth: usize,
    nodes: usize,
}

impl Line<'_> {
    /// One more move, if it is playable and there is budget for it.
    fn play(&mut self, point: Point, color: Color) -> Option<Undo> {
        if self.depth + 1 >= MAX_DEPTH || self.nodes >= MAX_NODES || !self.board.is_playable(point, color, false) {
            return None;
        }
        self.nodes += 1;
        self.depth += 1;
        Some(self.board.play_recorded(point, color))
    }

    fn take_back(&mut self, undo: &Undo) {
        self.board.take_back(undo);
        self.depth -= 1;
    }

    /// One liberty, owner to move: true when no extension or capture gets the chain out.
    fn owner_to_move(&mut self, stone: Point) -> bool {
        let Some(color) = self.board.cell(stone).color() else { return true };
        let exit = self.board.first_liberty(stone);
        let enemy = Cell::of(color.opponent());
        // Capturing an attacker in atari next to the chain may save it too.
        let mut ways = [exit, Point::NONE, Point::NONE, Point::NONE];
        let mut count = 1;
        let board = &self.board;
        for n in board.chain(stone).flat_map(|s| board.geometry().neighbors(s)) {
            if count < ways.len() && board.cell(n) == enemy && board.liberty_count(n) == 1 {
                let capture = board.first_liberty(n);
                if !ways[..count].contains(&capture) {
                    ways[count] = capture;
                    count += 1;
                }
            }
        }
        !ways[..count].iter().any(|&way| self.escapes_by(stone, color, way))
    }

    fn escapes_by(&mut self, stone: Point, color: Color, point: Point) -> bool {
        let Some(undo) = self.play(point, color) else {
            // Out of budget is no proof of capture.
            return self.nodes >= MAX_NODES || self.depth + 1 >= MAX_DEPTH;
        };
        let escapes = match self.board.liberty_count(stone) {
            0 | 1 => false,
            2 => self.attacker_to_move(stone).is_none(),
            _ => true,
        };
        self.take_back(&undo);
        escapes
    }

    /// Attacker to move against a chain with two liberties: the atari that captures, if any.
    fn attacker_to_move(&mut self, stone: Point) -> Option<Point> {
        let color = self.board.cell(stone).color()?;
        for (point, run) in atari_order(self.board, stone, color) {
            if run < FREE
                && let Some(undo) = self.play(point, color.opponent())
            {
                let catches = self.board.liberty_count(stone) == 1 && self.owner_to_move(stone);
                self.take_back(&undo);
                if catches {
                    return Some(point);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::LadderReader;
    use crate::board::Board;

    /// A white stone at C5 on 7x7, in the net of a ladder running down and to the right.
    fn reads(diagram: &str, x: usize, y: usize) -> bool {
        let board = Board::from_diagram(diagram).expect("valid");
        let stone = board.geometry().point(x, y).expect("on the board");
        LadderReader::new().is_caught(&board, stone)
    }

    #[test]
    fn a_ladder_works_unless_a_breaker_stands_in_its_way() {
        let ladder = ". . . . . . . / . . X . . . . / . X O X . . . / . X . . . . . / . . . . . . . / . . . . . . . / . . . . . . .";
        let broken = ". . . . . . . / . . X . . . . / . X O X . . . / . X . . . . . / . . . . . . . / . . . . . O . / . . . . . . .";
        assert!(reads(ladder, 2, 4));
        assert!(!reads(broken, 2, 4));
    }

    #[test]
    fn capturing_an_attacker_escapes() {
        assert!(!reads(". . . . . / . . . . . / . . . . . / O O X . . / . X O . .", 1, 0));
        assert!(reads(". . . . . / . . . . . / . . . . . / O O O . . / . X O . .", 1, 0));
    }
}
