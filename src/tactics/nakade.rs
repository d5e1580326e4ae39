//! Nakade: the vital point of a small enclosed space.

use crate::board::{Board, Cell};
use crate::color::Color;
use crate::geometry::Point;

/// Largest eye space with a single vital point.
const MAX_SPACE: usize = 6;

/// The vital point of the empty space containing `start`, when the space is small and only stones of `owner` (or only
/// of its opponent) surround it: where the attacker kills, and the owner lives.
pub fn nakade_point(board: &Board, start: Point, owner: Color) -> Option<Point> {
    let enemy = Cell::of(owner.opponent());
    let mut space = [Point::NONE; MAX_SPACE];
    space[0] = start;
    let (mut count, mut i) = (1, 0);
    while i < count {
        if board.around(space[i]).has_neighbor(owner.opponent()) {
            return None;
        }
        for n in board.geometry().neighbors(space[i]) {
            debug_assert!(board.cell(n) != enemy);
            if board.is_empty(n) && !space[..count].contains(&n) {
                if count == MAX_SPACE {
                    return None;
                }
                space[count] = n;
                count += 1;
            }
        }
        i += 1;
    }
    region_vital_point(board, &space[..count])
}

/// The point on which the shape of this space hinges: the middle of a straight or bent three, of a T or of a
/// bulky five, crossed five or rabbity six. `None` for shapes that are alive or dead as they are.
///
/// A shape qualifies exactly by the number of neighbours its points have inside it (James Davies, "Life and Death", 1975, lists the shapes).
pub fn region_vital_point(board: &Board, space: &[Point]) -> Option<Point> {
    let g = board.geometry();
    let degree = |p: Point| g.neighbors(p).iter().filter(|n| space.contains(n)).count();
    let mut by_degree = [0usize; 5];
    let (mut best, mut best_degree) = (Point::NONE, 0);
    for &p in space {
        let d = degree(p);
        by_degree[d] += 1;
        if d > best_degree {
            (best, best_degree) = (p, d);
        }
    }
    let killable = match space.len() {
        3 => best_degree == 2,
        4 => best_degree == 3,
        // Bulky five: one point of degree 3 among a square of degree-2 points; cross: degree 4.
        5 => best_degree == 4 || (best_degree == 3 && by_degree[3] == 1 && by_degree[2] == 3),
        // Rabbity six: a cross with one corner filled.
        6 => best_degree == 4 && by_degree[2] == 3,
        _ => false,
    };
    killable.then_some(best)
}
