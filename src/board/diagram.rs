//! Pictures: positions as text, for tests, documentation and `showboard`.

use std::fmt::Write as _;

use super::{Board, Cell};
use crate::color::Color;
use crate::geometry::{Geometry, Point};

impl Board {
    /// Reads a square diagram, top row first: `X` or `#` black, `O` white, `.` empty; blanks are ignored.
    ///
    /// # Errors
    /// When the diagram is not square, has an unknown character, or leaves a chain without liberty.
    ///
    /// # Examples
    /// ```
    /// let board = keima::Board::from_diagram(". X . / X O X / . O .").expect("a valid diagram");
    /// assert_eq!(board.liberty_count(board.geometry().point(1, 0).expect("on the board")), 2);
    /// ```
    pub fn from_diagram(text: &str) -> Result<Board, String> {
        let rows: Vec<Vec<char>> = text
            .split(['/', '\n'])
            .map(|row| row.chars().filter(|c| !c.is_whitespace()).collect())
            .filter(|row: &Vec<char>| !row.is_empty())
            .collect();
        let geometry = Geometry::new(rows.len()).ok_or("size out of range")?;
        let mut board = Board::new(geometry);
        for (i, row) in rows.iter().enumerate() {
            if row.len() != rows.len() {
                return Err(format!("row {} has {} points", i + 1, row.len()));
            }
            for (x, &c) in row.iter().enumerate() {
                let color = match c {
                    'X' | '#' => Color::Black,
                    'O' => Color::White,
                    '.' | '+' => continue,
                    other => return Err(format!("unknown character {other:?}")),
                };
                let point = geometry.point(x, rows.len() - 1 - i).ok_or("off the board")?;
                board.put(point, color);
                // Nothing is captured: whether every chain has a liberty shows at the end.
                board.take_liberty(point);
                board.join_neighbors(point, color);
            }
        }
        let dead = geometry.points().find(|&p| board.cell(p).color().is_some() && board.liberty_count(p) == 0);
        match dead {
            Some(p) => Err(format!("the chain at {} has no liberty", geometry.point_name(p))),
            None => Ok(board),
        }
    }

    /// The position with coordinates around it, top row first, the stone on `mark` in parentheses.
    pub fn to_diagram(&self, mark: Option<Point>) -> String {
        let g = self.geometry;
        let mut letters = String::from("  ");
        for x in 0..g.size() {
            letters.push(' ');
            letters.push(char::from(b'A' + x as u8 + u8::from(x >= 8)));
        }
        let mut text = format!("{letters}\n");
        for y in (0..g.size()).rev() {
            let _ = write!(text, "{:2}", y + 1);
            let mut closing = false;
            for x in 0..g.size() {
                let Some(point) = g.point(x, y) else { continue };
                let marked = mark == Some(point);
                text.push(if marked {
                    '('
                } else if closing {
                    ')'
                } else {
                    ' '
                });
                closing = marked;
                text.push(match self.cells[point] {
                    Cell::Black => 'X',
                    Cell::White => 'O',
                    _ if is_star(g, x, y) => '+',
                    _ => '.',
                });
            }
            let _ = writeln!(text, "{}{:<2}", if closing { ')' } else { ' ' }, y + 1);
        }
        text + &letters
    }
}

/// Whether boards show a star at this point: where handicap stones would stand.
fn is_star(g: Geometry, x: usize, y: usize) -> bool {
    let most = [9, 4].into_iter().find_map(|n| g.handicap_points(n)).unwrap_or_default();
    g.point(x, y).is_some_and(|p| most.contains(&p))
}
