//! What lives without another move: Benson's unconditional life.

use crate::board::{Board, Cell};
use crate::color::Color;
use crate::geometry::{Point, PointMap};

/// For each point, the color that has it for good, however often it passes: stones that cannot be captured, and the points inside them on
/// which the opponent cannot live, its stones there included.
pub fn pass_alive(board: &Board) -> PointMap<Option<Color>> {
    let mut owner = PointMap::new(None);
    for color in Color::BOTH {
        let living = Living::of(board, color);
        living.stones(board).for_each(|stone| owner[stone] = Some(color));
        for region in living.regions.iter().filter(|region| !region.vital_to.is_empty()) {
            region.points.iter().for_each(|&point| owner[point] = Some(color));
        }
    }
    owner
}

/// A largest connected set of points without a stone of the color.
#[derive(Debug)]
pub struct Region {
    /// Its points, stones of the opponent included.
    pub points: Vec<Point>,
    /// Heads of the chains around it.
    pub border: Vec<Point>,
    /// Heads of the chains of which every empty point of the region is a liberty.
    vital_to: Vec<Point>,
}

/// The unconditionally alive chains of a color.
///
/// After David B. Benson, "Life in the game of Go" (1976): a set of chains lives if each touches two regions of the set that are
/// enclosed by it alone and all of whose empty points are liberties of that chain.
#[derive(Debug)]
pub struct Living {
    /// Heads of the chains.
    chains: Vec<Point>,
    /// The regions that they enclose, or all of the board where it has no stone of the color.
    pub regions: Vec<Region>,
}

impl Living {
    /// What lives of `color`.
    pub fn of(board: &Board, color: Color) -> Living {
        let is_own = |&head: &Point| board.cell(head).color() == Some(color);
        let mut chains: Vec<Point> = board.chain_heads().filter(is_own).collect();
        let mut regions = regions(board, color);
        loop {
            let chain_count = chains.len();
            chains.retain(|head| regions.iter().filter(|region| region.vital_to.contains(head)).count() >= 2);
            regions.retain(|region| region.border.iter().all(|head| chains.contains(head)));
            if chains.len() == chain_count {
                return Living { chains, regions };
            }
        }
    }

    /// The stones of the chains.
    pub fn stones<'b>(&'b self, board: &'b Board) -> impl Iterator<Item = Point> + 'b {
        self.chains.iter().flat_map(|&head| board.chain(head))
    }
}

fn regions(board: &Board, color: Color) -> Vec<Region> {
    let g = board.geometry();
    let mut seen = PointMap::new(false);
    let mut found = Vec::new();
    for start in g.points() {
        if seen[start] || board.cell(start).color() == Some(color) {
            continue;
        }
        let mut border = Vec::new();
        let points = g.connected(start, &mut seen, |n| {
            if board.cell(n).color() != Some(color) {
                return board.cell(n) != Cell::Wall;
            }
            let head = board.chain_head(n);
            if !border.contains(&head) {
                border.push(head);
            }
            false
        });
        let all_liberties = |&head: &Point| points.iter().all(|&p| !board.is_empty(p) || board.is_liberty(head, p));
        let vital_to = border.iter().copied().filter(all_liberties).collect();
        found.push(Region { points, border, vital_to });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::pass_alive;
    use crate::board::Board;
    use crate::color::Color;

    /// The points that each color has for good, as a diagram.
    fn owned(diagram: &str) -> String {
        let board = Board::from_diagram(diagram).expect("valid");
        let (g, owner) = (board.geometry(), pass_alive(&board));
        let letter = |p| match owner[p] {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            None => '.',
        };
        g.rows().map(|row| row.map(letter).collect::<String>()).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn two_eyes_live_and_one_does_not() {
        assert_eq!(owned(". X . X . / X X X X . / . . . . . / . O O O O / . O . O ."), "XXXX./XXXX./...../.OOOO/.OOOO");
        assert_eq!(owned(". X . X O / X X X X O / O O O O O / . . . . . / . . . . ."), "XXXX./XXXX./...../...../.....");
        assert_eq!(owned(". . . X O / X X X X O / O O O O O / . . . . . / . . . . ."), "...../...../...../...../.....");
    }

    #[test]
    fn stones_in_a_small_eye_belong_to_its_owner() {
        assert_eq!(owned(". O X . X / X X X X X / . . . . . / . . . . . / . . . . ."), "XXXXX/XXXXX/...../...../.....");
    }

    #[test]
    fn chains_may_share_their_eyes() {
        // Neither black chain has an eye of its own, but both touch the same two.
        assert_eq!(owned(". X O O O / X . X O O / O X X O O / O O O O O / O O O O ."), "...../...../...../...../.....");
        assert_eq!(owned(". X X O . / X . X O . / X X X O . / O O O O . / . . . . ."), "XXX../XXX../XXX../...../.....");
    }
}
