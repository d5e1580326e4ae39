//! Patterns: fingerprints of the surroundings of a point, from 3x3 to a diamond of radius five.
//!
//! A stage is a set of cells around the point; each contains the one before. Next to the point chains are told apart by their liberties
//! (one, two, more), further out only by color. The fingerprint is the least of those of the eight symmetries: Zobrist keys are added up for all
//! eight at once, as the diamonds of Stern, Herbrich and Graepel ("Bayesian pattern ranking for move prediction in the game of
//! Go", 2006) are in many programs.

use std::sync::LazyLock;

use crate::board::{Board, Cell};
use crate::color::Color;
use crate::geometry::{Geometry, MAX_SIZE, Point};

/// Fingerprint of a pattern.
pub type PatternKey = u32;

/// Number of stages: 3x3, and diamonds of radius 2 to 5.
const STAGES: usize = 5;

const RADIUS: usize = 5;
const SPAN: usize = 2 * RADIUS + 1;
const SIDE: usize = MAX_SIZE + 2 * RADIUS;
/// Codes of a cell: empty, own chain by liberties (3), opposing chain by liberties (3), off the board.
const CODES: usize = 8;
const OFF_BOARD: u8 = 7;
const SYMMETRIES: usize = 8;

/// One cell of the patterns: where it lies in [`Grid`] from the point, and its keys by content and symmetry.
struct PatternCell {
    offset: isize,
    keys: [[PatternKey; SYMMETRIES]; CODES],
}

/// The cells of all stages in order, and how many cells each stage has.
struct Plan {
    cells: Vec<PatternCell>,
    stage_ends: [usize; STAGES],
}

static PLAN: LazyLock<Plan> = LazyLock::new(Plan::new);

impl Plan {
    fn new() -> Plan {
        let mut places: Vec<(usize, i32, i32)> = Vec::new();
        let radius = RADIUS as i32;
        for y in -radius..=radius {
            for x in -radius..=radius {
                let distance = (x.abs() + y.abs()) as usize;
                // The 3x3 stage comes first: it has the diagonal cells of the diamond of radius two.
                let stage = if x.abs().max(y.abs()) == 1 { 0 } else { distance.saturating_sub(1) };
                if distance != 0 && distance <= RADIUS {
                    places.push((stage, x, y));
                }
            }
        }
        places.sort_unstable();
        let mut stage_ends = [0; STAGES];
        for (stage, end) in stage_ends.iter_mut().enumerate() {
            *end = places.iter().filter(|&&(s, ..)| s <= stage).count();
        }
        let cells = places.into_iter().map(|(_, x, y)| PatternCell::new(x, y)).collect();
        Plan { cells, stage_ends }
    }
}

impl PatternCell {
    fn new(x: i32, y: i32) -> PatternCell {
        let mut keys = [[0; SYMMETRIES]; CODES];
        for (symmetry, (sx, sy)) in turns(x, y).into_iter().enumerate() {
            for (code, key) in keys.iter_mut().enumerate().skip(1) {
                key[symmetry] = cell_key(sx, sy, code as u8);
            }
        }
        PatternCell { offset: y as isize * SIDE as isize + x as isize, keys }
    }
}

/// Where the eight symmetries bring a cell.
fn turns(x: i32, y: i32) -> [(i32, i32); SYMMETRIES] {
    [(x, y), (-x, y), (x, -y), (-x, -y), (y, x), (-y, x), (y, -x), (-y, -x)]
}

/// The key of a cell with this content, fixed by a hash so that it is the same in every build (weights are stored under these keys).
fn cell_key(x: i32, y: i32, code: u8) -> PatternKey {
    let near = x.abs() + y.abs() == 1;
    let code = match code {
        1..=3 if !near => 3,
        4..=6 if !near => 6,
        code => code,
    };
    let place = (y + RADIUS as i32) as usize * SPAN + (x + RADIUS as i32) as usize;
    (mix((place * CODES + usize::from(code) + 1) as u64) >> 32) as PatternKey
}

/// The finalizer of splitmix64 (Steele, Lea and Flood, 2014).
fn mix(n: u64) -> u64 {
    let mut z = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The board with a margin as wide as the largest pattern, seen by one player.
#[derive(Debug)]
pub(super) struct Grid(Box<[u8; SIDE * SIDE]>);

impl Grid {
    pub(super) fn new() -> Grid {
        Grid(Box::new([OFF_BOARD; SIDE * SIDE]))
    }

    /// Takes over a board as `color` sees it.
    pub(super) fn fill(&mut self, board: &Board, color: Color) {
        let g = board.geometry();
        self.0.fill(OFF_BOARD);
        for p in g.points() {
            self.0[place(g, p)] = match board.cell(p) {
                Cell::Empty => 0,
                cell => {
                    let liberties = board.liberty_count(p).clamp(1, 3) as u8;
                    liberties + if cell == Cell::of(color) { 0 } else { 3 }
                }
            };
        }
    }

    /// Calls `visit` with the key of each stage, until it answers false.
    #[inline]
    pub(super) fn visit_patterns(&self, g: Geometry, point: Point, mut visit: impl FnMut(PatternKey) -> bool) {
        let center = place(g, point);
        let plan: &Plan = &PLAN;
        let mut sums = [0; SYMMETRIES];
        let mut begin = 0;
        for (stage, &end) in plan.stage_ends.iter().enumerate() {
            for cell in &plan.cells[begin..end] {
                let code = self.0[center.wrapping_add_signed(cell.offset) % (SIDE * SIDE)];
                let keys = &cell.keys[usize::from(code) % CODES];
                for (sum, key) in sums.iter_mut().zip(keys) {
                    *sum ^= key;
                }
            }
            begin = end;
            let least = sums.iter().min().copied().unwrap_or(0);
            if !visit(least ^ (stage as PatternKey).wrapping_mul(0x9E37_79B9)) {
                return;
            }
        }
    }
}

#[inline]
fn place(g: Geometry, point: Point) -> usize {
    let (x, y) = g.xy(point);
    (y + RADIUS) * SIDE + x + RADIUS
}

#[cfg(test)]
mod tests {
    use super::{Grid, STAGES, turns};
    use crate::board::Board;
    use crate::color::Color;
    use crate::geometry::{Geometry, Point};

    fn keys(board: &Board, point: Point, color: Color) -> Vec<u32> {
        let mut grid = Grid::new();
        grid.fill(board, color);
        let mut keys = Vec::new();
        grid.visit_patterns(board.geometry(), point, |key| {
            keys.push(key);
            true
        });
        keys
    }

    /// The same few stones around the middle of a 13x13 board, turned and with exchanged colors.
    #[test]
    fn a_pattern_is_the_same_turned_and_with_colors_exchanged() {
        let g = Geometry::new(13).expect("an accepted size");
        let middle = g.point(6, 6).expect("on the board");
        let stones = [(1, 0, Color::Black), (1, 1, Color::White), (-2, 1, Color::White), (0, 4, Color::Black)];
        let set = |symmetry: usize, exchange: bool, count: usize| {
            let mut board = Board::new(g);
            for &(x, y, color) in &stones[..count] {
                let (x, y) = turns(x, y)[symmetry];
                let point = g.point((6 + x) as usize, (6 + y) as usize).expect("on the board");
                board.play(point, if exchange { color.opponent() } else { color });
            }
            board
        };
        let expected = keys(&set(0, false, 4), middle, Color::Black);
        assert_eq!(expected.len(), STAGES);
        for symmetry in 0..8 {
            assert_eq!(keys(&set(symmetry, false, 4), middle, Color::Black), expected);
            assert_eq!(keys(&set(symmetry, true, 4), middle, Color::White), expected);
        }
        // Without the far stone only the stages that reach it differ.
        let fewer = keys(&set(0, false, 3), middle, Color::Black);
        assert_eq!(fewer[..3], expected[..3]);
        assert!(fewer[3] != expected[3] && fewer[4] != expected[4]);
        assert_ne!(keys(&set(0, false, 4), middle, Color::White)[0], expected[0]);
    }
}
