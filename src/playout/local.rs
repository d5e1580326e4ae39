//! Local moves: how attractive each 3x3 surroundings is to a move near the last ones, by weights learnt from games.

use std::sync::LazyLock;

use crate::board::{Board, Surroundings};
use crate::color::Color;
use crate::geometry::Point;
use crate::playout::Recent;
use crate::rng::Rng;

/// The weights that are part of the program: surroundings and weights, two bytes each, in the order of the surroundings.
const SHIPPED: &[u8] = include_bytes!("local.bin");
/// Weights are stored in units of this fraction of the weight of playing elsewhere.
pub const UNIT: f32 = 1.0 / 16.0;
/// Number of [`Place`]s.
pub const PLACES: usize = 3;

/// Where a move lies to the last two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Place {
    /// Next to the last move, along a line.
    Beside,
    /// Next to the last move, diagonally.
    Diagonal,
    /// Next to the move before it, either way.
    Before,
}

impl Place {
    /// Where the cell at this index of a [ring](crate::geometry::Geometry::ring) lies, around the last move or the one before.
    #[inline]
    pub const fn of(is_last: bool, index: usize) -> Place {
        match (is_last, index) {
            (true, 0..4) => Place::Beside,
            (true, _) => Place::Diagonal,
            (false, _) => Place::Before,
        }
    }
}

/// The surroundings as the player to move sees them: own stones as black ones.
#[inline]
pub const fn seen_by(around: Surroundings, color: Color) -> Surroundings {
    match color {
        Color::Black => around,
        Color::White => Surroundings((around.0 & 0x5555) << 1 | (around.0 & 0xAAAA) >> 1),
    }
}

/// The least code among the eight symmetries of the surroundings: one name for all of them.
pub fn canonical(around: Surroundings) -> Surroundings {
    // Cells in the order of Surroundings: below, left, right, above, below left, below right, above left, above right.
    const MIRROR: [usize; 8] = [0, 2, 1, 3, 5, 4, 7, 6];
    const FLIP: [usize; 8] = [1, 0, 3, 2, 4, 6, 5, 7];
    const UPSIDE_DOWN: [usize; 8] = [3, 1, 2, 0, 6, 7, 4, 5];
    let turned = |code: u16, order: [usize; 8]| {
        order.iter().enumerate().fold(0u16, |turned, (i, &from)| turned | (code >> (2 * from) & 3) << (2 * i))
    };
    let mut least = u16::MAX;
    let mut code = around.0;
    for _ in 0..2 {
        for _ in 0..2 {
            for _ in 0..2 {
                least = least.min(code);
                code = turned(code, MIRROR);
            }
            code = turned(code, UPSIDE_DOWN);
        }
        code = turned(code, FLIP);
    }
    Surroundings(least)
}

/// Weights of all surroundings at each place, for Black to move.
#[derive(Debug)]
pub struct LocalWeights([Box<[u8; 1 << 16]>; PLACES]);

impl LocalWeights {
    /// The weights that are part of the program, read when first asked for.
    pub fn shipped() -> &'static LocalWeights {
        static WEIGHTS: LazyLock<LocalWeights> = LazyLock::new(|| LocalWeights::from_bytes(SHIPPED));
        &WEIGHTS
    }

    fn from_bytes(bytes: &[u8]) -> LocalWeights {
        let mut tables = std::array::from_fn(|_| Box::new([0; 1 << 16]));
        let entries: Vec<(u16, [u8; PLACES])> = bytes
            .chunks_exact(2 + PLACES)
            .map(|b| (u16::from_le_bytes([b[0], b[1]]), std::array::from_fn(|place| b[2 + place])))
            .collect();
        for code in 0..=u16::MAX {
            let name = canonical(Surroundings(code)).0;
            if let Ok(found) = entries.binary_search_by_key(&name, |entry| entry.0) {
                for (table, weight) in tables.iter_mut().zip(entries[found].1) {
                    table[usize::from(code)] = weight;
                }
            }
        }
        LocalWeights(tables)
    }

    /// The weight of a move in these surroundings at this place, in [`UNIT`]s of playing elsewhere.
    #[inline]
    fn weight(&self, around: Surroundings, place: Place) -> u32 {
        u32::from(self.0[place as usize][usize::from(around.0)])
    }

    /// Draws a point next to the last two moves by weight, or none with the weight `elsewhere`, in [`UNIT`]s.
    #[inline]
    pub fn draw(&self, board: &Board, color: Color, recent: Recent, elsewhere: u32, rng: &mut Rng) -> Option<Point> {
        let g = board.geometry();
        let mut weights = [0; 16];
        let mut points = [Point::NONE; 16];
        let mut total = 0;
        for (half, center) in [recent.last, recent.before].into_iter().enumerate() {
            let Some(center) = center else { continue };
            let empties = board.around(center).empties();
            for (i, n) in g.ring(center).into_iter().enumerate() {
                let place = Place::of(half == 0, i);
                let weight = self.weight(seen_by(board.around(n), color), place) * u32::from(empties >> (2 * i) & 1);
                weights[8 * half + i] = weight;
                points[8 * half + i] = n;
                total += weight;
            }
        }
        let mut left = rng.below((total + elsewhere) as usize) as u32;
        if left >= total {
            return None;
        }
        for (&weight, &point) in weights.iter().zip(&points) {
            if left < weight {
                return board.is_playable(point, color, false).then_some(point);
            }
            left -= weight;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{LocalWeights, SHIPPED, canonical, seen_by};
    use crate::board::{Board, Surroundings};
    use crate::color::Color;

    #[test]
    fn eight_symmetries_and_two_colors_have_one_name() {
        let diagrams = [
            ". . . . . / . X . . . / . . . O . / . . . . . / . . . . .",
            ". . . . . / . . . X . / . O . . . / . . . . . / . . . . .",
            ". . . . . / . . . . . / . . . X . / . O . . . / . . . . .",
            ". . . . . / . . . O . / . . . . . / . . X . . / . . . . .",
        ];
        let name = |diagram: &str, color| {
            let board = Board::from_diagram(diagram).expect("valid");
            canonical(seen_by(board.around(board.geometry().point(2, 2).expect("on the board")), color))
        };
        let [first, mirrored, other, turned] = diagrams.map(|d| name(d, Color::Black));
        assert_eq!(first, mirrored);
        assert_ne!(first, other);
        assert_ne!(first, turned);
        let exchanged = diagrams[0].replace('X', "x").replace('O', "X").replace('x', "O");
        assert_eq!(first, name(&exchanged, Color::White));
        assert_eq!(canonical(canonical(Surroundings(0x1234))), canonical(Surroundings(0x1234)));
    }

    #[test]
    fn the_shipped_weights_know_shapes_and_nothing_else() {
        assert_eq!(SHIPPED.len() % (2 + super::PLACES), 0);
        let weights = LocalWeights::from_bytes(SHIPPED);
        assert!(weights.0.iter().all(|table| table.iter().any(|&w| w > 16) && table.contains(&0)));
    }
}
