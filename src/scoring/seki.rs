//! Seki by shape: which living stones have no two eyes of their own and live by shared liberties.
//!
//! A static test for finished games. It takes who is dead as given, and it knows no tactics: chains live by themselves when enclosed
//! regions give them two eyes in the sense of Benson ("Life in the game of Go", 1976), with a region of three points or more taken for two
//! eyes. Chains that do not, of both colors, around the same few neutral points are in seki.

use crate::board::Board;
use crate::color::Color;
use crate::geometry::{Point, PointMap};

/// Largest set of neutral points that can be the shared liberties of a seki; more are an open border.
const MOST_SHARED: usize = 4;
/// Smallest region that is worth two eyes.
const TWO_EYES: usize = 3;

/// An empty region once dead stones are off, with the heads of the chains around it.
struct Region {
    points: Vec<Point>,
    border: Vec<Point>,
}

/// What is left of the board when dead stones are off.
struct Position<'b> {
    board: &'b Board,
    regions: Vec<Region>,
}

/// For each point, whether it belongs to a seki: the stones, and the eyes that only they enclose. `dead` stones are off the board.
pub fn seki(board: &Board, dead: &[Point]) -> PointMap<bool> {
    seki_given(board, dead, &|_| None)
}

/// As [`seki`], with what is `known` of living chains by their heads: that they are in seki, or that they are not.
pub fn seki_given(board: &Board, dead: &[Point], known: &dyn Fn(Point) -> Option<bool>) -> PointMap<bool> {
    let position = Position::new(board, dead);
    let mut in_seki = PointMap::new(false);
    let mut weak: Vec<Point> = Color::BOTH.iter().flat_map(|&color| position.weak_chains(color, dead)).collect();
    weak.retain(|&head| known(head).is_none());
    for head in board.chain_heads().filter(|&head| !dead.contains(&head) && known(head) == Some(true)) {
        in_seki[head] = true;
        weak.push(head);
    }
    let is_weak = |head: &Point, color: Color| weak.contains(head) && board.cell(*head).color() == Some(color);
    for region in &position.regions {
        let shared = Color::BOTH.iter().all(|&color| region.border.iter().any(|head| is_weak(head, color)));
        if shared && region.points.len() <= MOST_SHARED {
            region.border.iter().filter(|head| weak.contains(head)).for_each(|&head| in_seki[head] = true);
        }
    }
    // Weak chains that share an eye with one in seki hang together with it.
    let mut before = usize::MAX;
    let count = |in_seki: &PointMap<bool>| weak.iter().filter(|&&head| in_seki[head]).count();
    while count(&in_seki) != before {
        before = count(&in_seki);
        for region in position.regions.iter().filter(|region| position.owner(region).is_some()) {
            if region.border.iter().any(|&head| in_seki[head]) {
                region.border.iter().filter(|head| weak.contains(head)).for_each(|&head| in_seki[head] = true);
            }
        }
    }
    for &head in weak.iter().filter(|&&head| in_seki[head]).collect::<Vec<_>>() {
        board.chain(head).for_each(|stone| in_seki[stone] = true);
    }
    for region in position.regions.iter().filter(|region| position.owner(region).is_some()) {
        if region.border.iter().any(|&head| in_seki[head]) {
            region.points.iter().for_each(|&point| in_seki[point] = true);
        }
    }
    in_seki
}

impl Position<'_> {
    fn new<'b>(board: &'b Board, dead: &[Point]) -> Position<'b> {
        let g = board.geometry();
        let mut is_empty = PointMap::new(false);
        g.points().for_each(|p| is_empty[p] = board.is_empty(p));
        dead.iter().for_each(|&p| is_empty[p] = true);
        let mut seen = PointMap::new(false);
        let mut regions = Vec::new();
        for start in g.points().filter(|&p| is_empty[p]) {
            if seen[start] {
                continue;
            }
            let mut border = Vec::new();
            let points = g.connected(start, &mut seen, |n| {
                if !is_empty[n] && board.cell(n).color().is_some() {
                    let head = board.chain_head(n);
                    if !border.contains(&head) {
                        border.push(head);
                    }
                }
                is_empty[n]
            });
            regions.push(Region { points, border });
        }
        Position { board, regions }
    }

    /// The only color around a region.
    fn owner(&self, region: &Region) -> Option<Color> {
        let color = self.board.cell(*region.border.first()?).color()?;
        region.border.iter().all(|&head| self.board.cell(head).color() == Some(color)).then_some(color)
    }

    /// The living chains of a color, by their heads, that have no two eyes.
    fn weak_chains(&self, color: Color, dead: &[Point]) -> Vec<Point> {
        let living = |head: &Point| self.board.cell(*head).color() == Some(color) && !dead.contains(head);
        let all: Vec<Point> = self.board.chain_heads().filter(living).collect();
        let mut strong = all.clone();
        let mut eyes: Vec<&Region> = self.regions.iter().filter(|region| self.owner(region) == Some(color)).collect();
        loop {
            let before = strong.len();
            let worth = |region: &Region| if region.points.len() >= TWO_EYES { 2 } else { 1 };
            strong.retain(|head| {
                let around = eyes.iter().filter(|region| region.border.contains(head));
                around.map(|region| worth(region)).sum::<usize>() >= 2
            });
            eyes.retain(|region| region.border.iter().all(|head| strong.contains(head)));
            if strong.len() == before {
                return all.into_iter().filter(|head| !strong.contains(head)).collect();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::seki;
    use crate::board::Board;

    /// The points in seki of a position without dead stones, as a diagram.
    fn found(diagram: &str) -> String {
        let board = Board::from_diagram(diagram).expect("valid");
        let (g, in_seki) = (board.geometry(), seki(&board, &[]));
        let letter = |p| if in_seki[p] { 's' } else { '.' };
        g.rows().map(|row| row.map(letter).collect::<String>()).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn two_chains_without_eyes_share_two_liberties() {
        let diagram = "O O O O O O O / . O . O . O . / O O O O O O O / . O . O . O . / O O O O O O O / X X X X X X X / . O O O O . X";
        assert_eq!(found(diagram), "......./......./......./......./......./sssssss/.ssss.s");
    }

    #[test]
    fn with_an_eye_each_they_share_one_and_the_eyes_belong_to_the_seki() {
        let diagram = ". X . O . O X / X X X O O O X / O O O X X X X / . . O X . X . / O O O X X X X / . O . O X . X / O O O O X X X";
        assert_eq!(found(diagram), "ss.sss./ssssss./......./......./......./......./.......");
    }

    #[test]
    fn a_neutral_point_between_living_groups_is_no_seki() {
        assert_eq!(found(". X . O . / X X X O O / X . X O . / X X X O O / . X X O O"), "...../...../...../...../.....");
    }
}
