//! Self-atari: when putting one's own stones into atari is a blunder, and when it is a tesuji.

use super::after::{after_play, has_plenty};
use super::nakade::region_vital_point;
use crate::board::{Board, Cell};
use crate::color::Color;
use crate::geometry::Point;

/// Largest chain that is ever sacrificed as a nakade.
const MAX_NAKADE: usize = 5;

/// Whether a stone of `color` on `point` gives away its chain for nothing.
///
/// Not bad: capturing; a single stone thrown in beside an opposing chain that is short of liberties; filling an eye space with a killing shape.
pub fn is_bad_self_atari(board: &Board, point: Point, color: Color) -> bool {
    if has_plenty(board, point, color, 2) {
        return false;
    }
    let after = after_play(board, point, color, 2);
    if after.liberties >= 2 {
        return false;
    }
    // A capture that leaves one liberty is a ko or snapback in the making, good or harmless while small.
    if after.captured >= after.stones {
        return false;
    }
    if after.captured > 0 && after.stones <= 2 {
        return false;
    }
    match after.stones {
        1 => !is_throw_in(board, point, color),
        2..=MAX_NAKADE => !is_nakade(board, point, color),
        _ => true,
    }
}

/// A single stone next to an opposing chain of few liberties: takes away an eye or a liberty.
fn is_throw_in(board: &Board, point: Point, color: Color) -> bool {
    let enemy = Cell::of(color.opponent());
    board.geometry().neighbors(point).iter().any(|&n| board.cell(n) == enemy && board.liberty_count(n) <= 2)
}

/// Whether the stone makes a killing shape inside an opposing chain whose only liberties lie in the same eye space.
fn is_nakade(board: &Board, point: Point, color: Color) -> bool {
    let own = Cell::of(color);
    let enemy = Cell::of(color.opponent());
    let mut shape = [Point::NONE; MAX_NAKADE + 1];
    shape[0] = point;
    let mut count = 1;
    let mut short_enemy = false;
    let mut i = 0;
    while i < count {
        for n in board.geometry().neighbors(shape[i]) {
            if board.cell(n) == own && !shape[..count].contains(&n) {
                if count > MAX_NAKADE {
                    return false;
                }
                shape[count] = n;
                count += 1;
            } else if board.cell(n) == enemy {
                if board.liberty_count(n) > 2 {
                    return false;
                }
                short_enemy = true;
            }
        }
        i += 1;
    }
    short_enemy && (count == 2 || region_vital_point(board, &shape[..count]).is_some())
}

/// Where to play instead of a self-atari: the other liberty of the chain that it would have joined, if that is better.
pub fn safe_alternative(board: &Board, point: Point, color: Color) -> Option<Point> {
    let own = Cell::of(color);
    for n in board.geometry().neighbors(point) {
        if board.cell(n) == own && board.liberty_count(n) <= 2 {
            let other = board.liberties(n).find(|&l| l != point);
            if let Some(other) = other
                && board.is_playable(other, color, false)
                && !board.around(other).is_eye(color)
                && after_play(board, other, color, 2).liberties >= 2
            {
                return Some(other);
            }
        }
    }
    None
}
