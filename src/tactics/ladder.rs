//! Ladders: can a chain in atari, or with two liberties, be chased to its capture?
//!
//! Reads only ataris with extensions and captures in reply, one line deep at each fork, on a scratch copy of the board.

use crate::board::{Board, Cell};
use crate::color::Color;
use crate::geometry::Point;

/// Longest ladder that is read, in moves of both sides: twice across a 19x19 board and back.
const MAX_DEPTH: usize = 120;
/// Most positions looked at for one question.
const MAX_NODES: usize = 400;

/// Whether the chain of `stone`, in atari and with its owner to move, is captured whatever it does.
pub fn is_caught_in_ladder(board: &Board, stone: Point) -> bool {
    debug_assert!(board.liberty_count(stone) == 1);
    let mut nodes = 0;
    let mut scratch = Board::new(board.geometry());
    scratch.copy_from(board);
    is_caught(&scratch, stone, MAX_DEPTH, &mut nodes)
}

/// For a chain with two liberties and its opponent to move: the move that starts a working ladder, if one exists.
pub fn ladder_capture(board: &Board, stone: Point) -> Option<Point> {
    debug_assert!(board.liberty_count(stone) == 2);
    let mut nodes = 0;
    chase(board, stone, MAX_DEPTH, &mut nodes)
}

/// Owner to move, one liberty: true when no extension or capture gets the chain out.
fn is_caught(board: &Board, stone: Point, depth: usize, nodes: &mut usize) -> bool {
    *nodes += 1;
    if depth == 0 || *nodes > MAX_NODES {
        return false;
    }
    let Some(color) = board.cell(stone).color() else { return true };
    // Capturing any attacker in atari next to the chain may save it.
    let mut tried = [Point::NONE; 4];
    let mut tried_count = 0;
    for s in board.chain(stone) {
        for n in board.geometry().neighbors(s) {
            if board.cell(n) != Cell::of(color.opponent()) || board.liberty_count(n) != 1 {
                continue;
            }
            let capture = board.first_liberty(n);
            if tried_count < tried.len() && !tried[..tried_count].contains(&capture) {
                tried[tried_count] = capture;
                tried_count += 1;
                if escapes_by(board, stone, color, capture, depth, nodes) {
                    return false;
                }
            }
        }
    }
    let exit = board.first_liberty(stone);
    tried[..tried_count].contains(&exit) || !escapes_by(board, stone, color, exit, depth, nodes)
}

/// Whether the owner's move on `point` leaves the chain uncatchable.
fn escapes_by(board: &Board, stone: Point, color: Color, point: Point, depth: usize, nodes: &mut usize) -> bool {
    if !board.is_playable(point, color, false) {
        return false;
    }
    let mut next = Board::new(board.geometry());
    next.copy_from(board);
    next.play(point, color);
    match next.liberty_count(stone) {
        0 | 1 => false,
        2 => chase(&next, stone, depth - 1, nodes).is_none(),
        _ => true,
    }
}

/// Attacker to move against a chain with two liberties: the atari that captures, if any.
fn chase(board: &Board, stone: Point, depth: usize, nodes: &mut usize) -> Option<Point> {
    let color = board.cell(stone).color()?;
    let liberties: Vec<Point> = board.liberties(stone).collect();
    liberties.into_iter().find(|&point| {
        if depth == 0 || !board.is_playable(point, color.opponent(), false) {
            return false;
        }
        let mut next = Board::new(board.geometry());
        next.copy_from(board);
        next.play(point, color.opponent());
        // An attacker that can be taken at once is no threat to a chain that still has its other liberty.
        next.liberty_count(stone) == 1 && is_caught(&next, stone, depth - 1, nodes)
    })
}
