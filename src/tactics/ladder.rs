//! Ladders: can a chain in atari, or with two liberties, be chased to its capture?
//!
//! Reads only ataris with extensions and captures in reply, on scratch boards of its own, one for each move of depth.

use crate::board::{Board, Cell};
use crate::color::Color;
use crate::geometry::{Geometry, Point};
use crate::tactics::liberties_after;

/// Longest ladder that is read, in moves of both sides: across a 19x19 board and on.
const MAX_DEPTH: usize = 90;
/// Most positions looked at for one question; an unanswered question counts as an escape.
const MAX_NODES: usize = 200;

/// Reads ladders; keeps its scratch boards from question to question.
#[derive(Debug, Default)]
pub struct LadderReader {
    boards: Vec<Board>,
    nodes: usize,
}

impl LadderReader {
    /// A reader without boards; they are made when first needed.
    pub fn new() -> LadderReader {
        LadderReader::default()
    }

    /// Whether the chain of `stone`, in atari and with its owner to move, is captured whatever it does.
    pub fn is_caught(&mut self, board: &Board, stone: Point) -> bool {
        self.start(board);
        self.owner_to_move(0, stone)
    }

    /// For a chain with two liberties and its opponent to move: the move that starts a working ladder, if one exists.
    pub fn capturing_move(&mut self, board: &Board, stone: Point) -> Option<Point> {
        self.start(board);
        self.attacker_to_move(0, stone)
    }

    fn start(&mut self, board: &Board) {
        self.nodes = 0;
        self.board_at(0, board.geometry()).copy_from(board);
    }

    fn board_at(&mut self, depth: usize, geometry: Geometry) -> &mut Board {
        if self.boards.len() <= depth {
            self.boards.push(Board::new(geometry));
        }
        &mut self.boards[depth]
    }

    /// Makes the board of the next depth: this one with one more move.
    fn play_next(&mut self, depth: usize, point: Point, color: Color) -> bool {
        let geometry = self.boards[depth].geometry();
        if depth + 1 >= MAX_DEPTH || self.nodes >= MAX_NODES || !self.boards[depth].is_playable(point, color, false) {
            return false;
        }
        self.nodes += 1;
        self.board_at(depth + 1, geometry);
        let (lower, upper) = self.boards.split_at_mut(depth + 1);
        upper[0].copy_from(&lower[depth]);
        upper[0].play(point, color);
        true
    }

    /// One liberty, owner to move: true when no extension or capture gets the chain out.
    fn owner_to_move(&mut self, depth: usize, stone: Point) -> bool {
        let board = &self.boards[depth];
        let Some(color) = board.cell(stone).color() else { return true };
        let exit = board.first_liberty(stone);
        let enemy = Cell::of(color.opponent());
        // Capturing an attacker in atari next to the chain may save it too.
        let mut ways = [exit, Point::NONE, Point::NONE, Point::NONE];
        let mut count = 1;
        for n in board.chain(stone).flat_map(|s| board.geometry().neighbors(s)) {
            if count < ways.len() && board.cell(n) == enemy && board.liberty_count(n) == 1 {
                let capture = board.first_liberty(n);
                if !ways[..count].contains(&capture) {
                    ways[count] = capture;
                    count += 1;
                }
            }
        }
        !ways[..count].iter().any(|&way| self.escapes_by(depth, stone, color, way))
    }

    fn escapes_by(&mut self, depth: usize, stone: Point, color: Color, point: Point) -> bool {
        if !self.play_next(depth, point, color) {
            // Out of budget is no proof of capture.
            return self.nodes >= MAX_NODES || depth + 1 >= MAX_DEPTH;
        }
        match self.boards[depth + 1].liberty_count(stone) {
            0 | 1 => false,
            2 => self.attacker_to_move(depth + 1, stone).is_none(),
            _ => true,
        }
    }

    /// Attacker to move against a chain with two liberties: the atari that captures, if any.
    fn attacker_to_move(&mut self, depth: usize, stone: Point) -> Option<Point> {
        let board = &self.boards[depth];
        let color = board.cell(stone).color()?;
        let [a, b] = board.two_liberties(stone);
        // Running to the other liberty must not give more than two liberties once the attacker stands on this one.
        let runs = [liberties_after(board, b, color, 4), liberties_after(board, a, color, 4)];
        let order = if runs[0] <= runs[1] { [(a, runs[0]), (b, runs[1])] } else { [(b, runs[1]), (a, runs[0])] };
        for (point, run) in order {
            if run < 4
                && self.play_next(depth, point, color.opponent())
                && self.boards[depth + 1].liberty_count(stone) == 1
                && self.owner_to_move(depth + 1, stone)
            {
                return Some(point);
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
