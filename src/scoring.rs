//! Who has what: the area of a board as it stands, or with given stones taken off.

use crate::board::{Board, Cell};
use crate::color::Color;
use crate::geometry::{Point, PointMap};

/// For each point, whose area it is; `None` for neutral points and the wall.
pub type Ownership = PointMap<Option<Color>>;

/// The owner of each point when `dead` stones are taken off: the color of the stone on it, or the only color that its
/// empty region touches.
pub fn ownership(board: &Board, dead: &[Point]) -> Ownership {
    let g = board.geometry();
    let mut cells = PointMap::new(Cell::Wall);
    for p in g.points() {
        cells[p] = board.cell(p);
    }
    for &p in dead {
        cells[p] = Cell::Empty;
    }
    let mut owner = PointMap::new(None);
    let mut seen = PointMap::new(false);
    for p in g.points() {
        if let Some(color) = cells[p].color() {
            owner[p] = Some(color);
        } else if !seen[p] {
            seen[p] = true;
            let mut region = vec![p];
            let mut touches = [false; 2];
            let mut i = 0;
            while i < region.len() {
                for n in g.neighbors(region[i]) {
                    match cells[n].color() {
                        Some(color) => touches[color.index()] = true,
                        None if cells[n] == Cell::Empty && !seen[n] => {
                            seen[n] = true;
                            region.push(n);
                        }
                        None => {}
                    }
                }
                i += 1;
            }
            let holder = match touches {
                [true, false] => Some(Color::Black),
                [false, true] => Some(Color::White),
                _ => None,
            };
            for q in region {
                owner[q] = holder;
            }
        }
    }
    owner
}

/// Black's area minus White's when `dead` stones are taken off.
pub fn area_margin(board: &Board, dead: &[Point]) -> i32 {
    let owner = ownership(board, dead);
    board.geometry().points().filter_map(|p| owner[p]).map(Color::sign).sum()
}

#[cfg(test)]
mod tests {
    use super::area_margin;
    use crate::board::Board;
    use crate::geometry::Point;

    #[test]
    fn area_counts_stones_and_surrounded_points() {
        let board = Board::from_diagram(". X O . / X X O O / . X O X / X X O .").expect("valid");
        let dead: Vec<Point> = board.geometry().point(3, 1).into_iter().collect();
        // Black 8 against White's 6 stones, one point, and one point shared with the lone black stone.
        assert_eq!(area_margin(&board, &[]), 9 - 6);
        assert_eq!(area_margin(&board, &dead), 0);
        assert_eq!(area_margin(&Board::from_diagram(". . / . .").expect("valid"), &[]), 0);
    }
}
