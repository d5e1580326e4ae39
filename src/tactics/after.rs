//! What a move would leave behind: liberties, size and captures, without playing it.

use crate::board::{Board, Cell};
use crate::color::Color;
use crate::geometry::Point;

/// What playing a stone would lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AfterPlay {
    /// Liberties of the chain the stone would belong to.
    pub liberties: usize,
    /// Stones of that chain.
    pub stones: usize,
    /// Opposing stones captured.
    pub captured: usize,
}

/// A set of up to a few points, for counting distinct liberties; stays exact up to its capacity and is then merely "many".
struct FewPoints {
    points: [Point; FewPoints::CAPACITY],
    count: usize,
}

impl FewPoints {
    const CAPACITY: usize = 8;

    fn new() -> FewPoints {
        FewPoints { points: [Point::NONE; FewPoints::CAPACITY], count: 0 }
    }

    fn is_full(&self) -> bool {
        self.count == FewPoints::CAPACITY
    }

    fn insert(&mut self, point: Point) {
        if !self.is_full() && !self.points[..self.count].contains(&point) {
            self.points[self.count] = point;
            self.count += 1;
        }
    }
}

/// Liberties the stone's chain would have, exact below `enough` (at most 8), which is returned for any count at or above it.
#[inline]
pub fn liberties_after(board: &Board, point: Point, color: Color, enough: usize) -> usize {
    if has_plenty(board, point, color, enough) {
        return enough;
    }
    after_play(board, point, color, enough).liberties
}

/// The quick cases, which are most: enough empty neighbours, or a friendly chain that alone brings enough.
#[inline]
pub(super) fn has_plenty(board: &Board, point: Point, color: Color, enough: usize) -> bool {
    let around = board.around(point);
    if around.empty_neighbor_count() as usize >= enough {
        return true;
    }
    let own = Cell::of(color);
    around.has_neighbor(color)
        && board.geometry().neighbors(point).iter().any(|&n| board.cell(n) == own && board.liberty_count(n) > enough)
}

/// Consequences of a stone of `color` on the empty `point`. Liberties are exact below `enough` (at most 8) and capped there.
pub fn after_play(board: &Board, point: Point, color: Color, enough: usize) -> AfterPlay {
    let own = Cell::of(color);
    let mut liberties = FewPoints::new();
    let mut friends = [Point::NONE; 4];
    let mut prey = [Point::NONE; 4];
    let mut result = AfterPlay { liberties: 0, stones: 1, captured: 0 };
    for (i, n) in board.geometry().neighbors(point).into_iter().enumerate() {
        let cell = board.cell(n);
        if cell == Cell::Empty {
            liberties.insert(n);
        } else if cell == own {
            let head = board.chain_head(n);
            if !friends.contains(&head) {
                friends[i] = head;
                result.stones += board.chain_size(head);
            }
        } else if cell != Cell::Wall && board.liberty_count(n) == 1 {
            let head = board.chain_head(n);
            liberties.insert(n);
            if !prey.contains(&head) {
                prey[i] = head;
                result.captured += board.chain_size(head);
            }
        }
    }
    for head in friends {
        if head == Point::NONE || liberties.count >= enough {
            continue;
        }
        // A chain with this many liberties decides the question alone; else there are few to look at.
        if board.liberty_count(head) > enough {
            result.liberties = enough;
            return result;
        }
        board.liberties(head).filter(|&l| l != point).for_each(|l| liberties.insert(l));
    }
    if result.captured > 0 && liberties.count < enough {
        // Captured stones become liberties of the friendly chains they touch.
        for head in prey.into_iter().filter(|&head| head != Point::NONE) {
            for stone in board.chain(head) {
                let touches = board
                    .geometry()
                    .neighbors(stone)
                    .iter()
                    .any(|&n| board.cell(n) == own && friends.contains(&board.chain_head(n)));
                if touches {
                    liberties.insert(stone);
                }
            }
        }
    }
    result.liberties = liberties.count.min(enough);
    result
}
