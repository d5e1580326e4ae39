//! Shapes: which 3x3 surroundings make a move worth considering.

use std::sync::LazyLock;

use crate::board::Surroundings;
use crate::color::Color;

/// The shapes, after Gelly, Wang, Munos and Teytaud, "Modification of UCT with patterns in Monte-Carlo Go" (2006), section 3:
/// hane, cut, and edge shapes. The move is in the middle. `X` and `O` are the two colors, either way round
/// unless `only` says who plays; `x` is not X, `o` is not O, `?` anything, `#` wall, `.` empty.
const SHAPES: [(&str, Option<char>); 13] = [
    // Hane.
    ("XOX ... ???", None),
    ("XO. ... ?.?", None),
    ("XO? X.. o.?", None),
    (".O. X.. ...", None),
    // Cuts.
    ("XO? O.x ?x?", None),
    ("?X? O.O xxx", None),
    ("?O? x.x ???", None),
    // Edge.
    ("X.? O.? ###", None),
    ("OX? x.O ###", None),
    ("?X? o.O ###", None),
    ("?XO o.o ###", None),
    ("?OX X.O ###", None),
    ("?XO ?.? ###", Some('X')),
];

/// The shapes of both colors, one bit for each surroundings: 8 KiB for a color, which stays in the first-level cache.
#[derive(Debug)]
pub struct Shapes([Box<[u64; 1 << 10]>; 2]);

static SHAPE_TABLE: LazyLock<Shapes> = LazyLock::new(build_table);

impl Shapes {
    /// The table, built when first asked for. Loops keep the reference, which spares them the check whether it is built.
    pub fn table() -> &'static Shapes {
        &SHAPE_TABLE
    }

    /// Whether `color` playing in these surroundings makes one of the shapes.
    #[inline]
    pub fn contains(&self, around: Surroundings, color: Color) -> bool {
        self.0[color.index()][usize::from(around.0 >> 6)] >> (around.0 & 63) & 1 != 0
    }
}

/// Whether `color` playing in these surroundings makes one of the shapes.
#[inline]
pub fn is_shape(around: Surroundings, color: Color) -> bool {
    Shapes::table().contains(around, color)
}

/// Positions in a shape's text (blanks counted) of the eight cells in the order of [`Surroundings`].
const CELL_ORDER: [usize; 8] = [9, 4, 6, 1, 8, 10, 0, 2];

fn build_table() -> Shapes {
    let mut table = vec![0u8; 1 << 16];
    for (text, only) in SHAPES {
        let cells: Vec<char> = CELL_ORDER.iter().filter_map(|&i| text.chars().nth(i)).collect();
        for symmetry in 0..8 {
            let turned = turn(&cells, symmetry);
            for black_is_x in [true, false] {
                let players = match (only, black_is_x) {
                    (None, _) => 0b11,
                    (Some(_), true) => 0b01,
                    (Some(_), false) => 0b10,
                };
                mark(&mut table, &turned, black_is_x, 0, 0, players);
            }
        }
    }
    let bits = |player: usize| {
        Box::new(std::array::from_fn(|word| {
            (0..64).fold(0, |bits, i| bits | u64::from(table[64 * word + i] >> player & 1) << i)
        }))
    };
    Shapes([bits(0), bits(1)])
}

/// One of the eight symmetries applied to cells in the order of [`Surroundings`].
fn turn(cells: &[char], symmetry: usize) -> Vec<char> {
    // Below, left, right, above, below left, below right, above left, above right.
    const OFFSETS: [(i32, i32); 8] = [(0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];
    OFFSETS
        .iter()
        .map(|&(x, y)| {
            let (x, y) = if symmetry & 1 != 0 { (-x, y) } else { (x, y) };
            let (x, y) = if symmetry & 2 != 0 { (x, -y) } else { (x, y) };
            let source = if symmetry & 4 != 0 { (y, x) } else { (x, y) };
            OFFSETS.iter().position(|&o| o == source).map_or('?', |i| cells[i])
        })
        .collect()
}

/// Marks every code that agrees with the shape from cell `i` on: bit 0 for Black to play, bit 1 for White.
fn mark(table: &mut [u8], cells: &[char], black_is_x: bool, i: usize, code: u16, players: u8) {
    if i == cells.len() {
        table[usize::from(code)] |= players;
        return;
    }
    let (x, o) = if black_is_x { (1, 2) } else { (2, 1) };
    let options: &[u16] = match cells[i] {
        'X' => &[x],
        'O' => &[o],
        'x' => &[0, o],
        'o' => &[0, x],
        '.' => &[0],
        '#' => &[3],
        _ => &[0, 1, 2, 3],
    };
    for option in options {
        mark(table, cells, black_is_x, i + 1, code | option << (2 * i), players);
    }
}

#[cfg(test)]
mod tests {
    use super::is_shape;
    use crate::board::Board;
    use crate::color::Color;

    fn shape_at(diagram: &str, x: usize, y: usize, color: Color) -> bool {
        let board = Board::from_diagram(diagram).expect("valid");
        let point = board.geometry().point(x, y).expect("on the board");
        is_shape(board.around(point), color)
    }

    #[test]
    fn hane_is_a_shape_and_an_empty_corner_is_not() {
        let hane = ". . . . . / . X O X . / . . . . . / . . . . . / . . . . .";
        assert!(shape_at(hane, 2, 2, Color::Black) && shape_at(hane, 2, 2, Color::White));
        assert!(!shape_at(hane, 4, 0, Color::Black));
    }

    #[test]
    fn shapes_hold_under_turning_and_changing_colors() {
        let cut = ". . . . . / . O X . . / . X . . . / . . . . . / . . . . .";
        let turned = ". . . . . / . . . . . / . . . O . / . . O X . / . . . . .";
        assert!(shape_at(cut, 2, 2, Color::White));
        assert!(shape_at(turned, 2, 2, Color::Black));
    }
}
