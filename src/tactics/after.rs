//! What a move would leave behind: liberties, size and captures, without playing it.

use crate::board::Board;
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

/// A few points without heap memory; more than fit are dropped.
struct FewPoints<const N: usize> {
    points: [Point; N],
    count: usize,
}

impl<const N: usize> FewPoints<N> {
    const fn new() -> FewPoints<N> {
        FewPoints { points: [Point::NONE; N], count: 0 }
    }

    #[inline]
    fn as_slice(&self) -> &[Point] {
        &self.points[..self.count.min(N)]
    }

    /// Adds a point that is not there yet; false if it was.
    #[inline]
    fn insert(&mut self, point: Point) -> bool {
        if self.count >= N || self.as_slice().contains(&point) {
            return false;
        }
        self.points[self.count] = point;
        self.count += 1;
        true
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
    board.geometry().flagged_neighbors(point, around.stones(color)).any(|n| board.liberty_count(n) > enough)
}

/// Consequences of a stone of `color` on the empty `point`. Liberties are exact below `enough` (at most 8) and capped there.
pub fn after_play(board: &Board, point: Point, color: Color, enough: usize) -> AfterPlay {
    let around = board.around(point);
    let (empty, own) = (around.empties(), around.stones(color));
    let mut free = FewPoints::<4>::new();
    let mut friends = FewPoints::<4>::new();
    let mut prey = FewPoints::<4>::new();
    let mut result = AfterPlay { liberties: 0, stones: 1, captured: 0 };
    let enemy = around.stones(color.opponent());
    for (i, n) in board.geometry().neighbors(point).into_iter().enumerate() {
        if empty >> (2 * i) & 1 != 0 {
            free.insert(n);
        } else if own >> (2 * i) & 1 != 0 {
            if friends.insert(board.chain_head(n)) {
                result.stones += board.chain_size(n);
            }
        } else if enemy >> (2 * i) & 1 != 0 && board.liberty_count(n) == 1 && prey.insert(board.chain_head(n)) {
            result.captured += board.chain_size(n);
        }
    }
    result.liberties = if result.captured == 0 {
        board.count_union(friends.as_slice(), free.as_slice(), point, enough)
    } else {
        liberties_after_capture(board, point, friends.as_slice(), free.as_slice(), prey.as_slice(), color, enough)
    };
    result
}

/// Captured stones become liberties where they touch the stone on `point` or the friendly chains around it.
#[cold]
fn liberties_after_capture(
    board: &Board,
    point: Point,
    friends: &[Point],
    free: &[Point],
    prey: &[Point],
    color: Color,
    enough: usize,
) -> usize {
    let g = board.geometry();
    let mut liberties = FewPoints::<8>::new();
    for &p in free {
        liberties.insert(p);
    }
    for &head in friends {
        for liberty in board.liberties(head).filter(|&l| l != point).take(liberties.points.len()) {
            liberties.insert(liberty);
        }
    }
    let is_friend = |n: Point| board.cell(n).color() == Some(color) && friends.contains(&board.chain_head(n));
    for &head in prey {
        for stone in board.chain(head) {
            if liberties.count >= enough {
                return enough;
            }
            if g.neighbors(stone).iter().any(|&n| n == point || is_friend(n)) {
                liberties.insert(stone);
            }
        }
    }
    liberties.count.min(enough)
}

#[cfg(test)]
mod tests {
    use super::{after_play, liberties_after};
    use crate::board::Board;
    use crate::color::Color;
    use crate::geometry::Geometry;
    use crate::rng::Rng;

    /// What is foretold is compared with what the board says once the stone is played, over random games.
    #[test]
    fn agrees_with_playing_the_move() {
        let mut rng = Rng::new(3);
        for size in [2, 3, 5, 7, 9, 19, 25] {
            for _ in 0..20 {
                let mut board = Board::new(Geometry::new(size).expect("an accepted size"));
                let mut color = Color::Black;
                for _ in 0..2 * size * size {
                    let candidates = board.empty_points();
                    if candidates.is_empty() {
                        break;
                    }
                    let point = candidates[rng.below(candidates.len())];
                    if board.is_playable(point, color, false) && !board.around(point).is_eye(color) {
                        let before = board.stones_on_board(color.opponent());
                        let foretold = after_play(&board, point, color, 8);
                        let counts = [1, 2, 3, 4].map(|enough| liberties_after(&board, point, color, enough));
                        board.play(point, color);
                        assert_eq!(foretold.liberties, board.liberty_count(point).min(8));
                        assert_eq!(foretold.stones, board.chain_size(point));
                        assert_eq!(foretold.captured, before - board.stones_on_board(color.opponent()));
                        assert_eq!(counts, [1, 2, 3, 4].map(|enough| board.liberty_count(point).min(enough)));
                    }
                    color = color.opponent();
                }
            }
        }
    }
}
