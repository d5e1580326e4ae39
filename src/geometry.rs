//! Where: points, moves, the padded grid they index, and the names of points.
//!
//! A board of size N lies in a one-dimensional grid with a wall around it. Rows are
//! N + 1 cells apart (the *stride*): the single wall column serves as the right wall of
//! one row and the left wall of the next. The stride follows the size, which keeps
//! everything that is copied for a playout small. A fixed stride of 26 would spread a 9x9 board over
//! 286 cells instead of 111 and cost 3 % of the uniform playouts there, nothing on 19x19 (see [`crate::board`]).

use std::fmt;
use std::ops::{Index, IndexMut};

/// Smallest board size that is accepted.
pub const MIN_SIZE: usize = 2;
/// Largest board size that is accepted: the largest whose columns have one-letter names.
pub const MAX_SIZE: usize = 25;
/// Largest number of points of a board.
pub const MAX_AREA: usize = MAX_SIZE * MAX_SIZE;

/// Length of a [`PointMap`]: a power of two above the 703 cells of a padded 25x25 board, so that
/// masking an index proves it to be in range and no bounds check is compiled in.
pub const MAP_LEN: usize = 1024;

/// An intersection of the grid: a playable point or a cell of the wall.
///
/// The value is an index into the padded grid of a board of known size; it means nothing without
/// the [`Geometry`] it came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Point(u16);

impl Point {
    /// A wall cell of every board; used where a point is needed and none is meant.
    pub const NONE: Point = Point(0);

    /// The point with this grid index.
    #[inline]
    pub const fn from_index(index: usize) -> Point {
        Point((index & (MAP_LEN - 1)) as u16)
    }

    /// The grid index, below [`MAP_LEN`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & (MAP_LEN - 1)
    }
}

/// A table with one entry per cell of the padded grid.
///
/// Indexing never fails: indices are masked to the (power of two) length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointMap<T>([T; MAP_LEN]);

impl<T: Copy> PointMap<T> {
    /// A table with the same value everywhere.
    pub const fn new(value: T) -> PointMap<T> {
        PointMap([value; MAP_LEN])
    }

    /// The entries of the first `cells` cells.
    #[inline]
    pub fn prefix(&self, cells: usize) -> &[T] {
        &self.0[..cells]
    }

    /// The entries of the first `cells` cells, to be written.
    #[inline]
    pub fn prefix_mut(&mut self, cells: usize) -> &mut [T] {
        &mut self.0[..cells]
    }
}

impl<T> Index<Point> for PointMap<T> {
    type Output = T;
    #[inline]
    fn index(&self, point: Point) -> &T {
        &self.0[point.index()]
    }
}

impl<T> IndexMut<Point> for PointMap<T> {
    #[inline]
    fn index_mut(&mut self, point: Point) -> &mut T {
        &mut self.0[point.index()]
    }
}

/// A turn taken: a stone on a point, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Move {
    /// A stone is placed on this point.
    Play(Point),
    /// No stone is placed.
    Pass,
}

impl Move {
    /// The point of the stone, if one is placed.
    #[inline]
    pub const fn point(self) -> Option<Point> {
        match self {
            Move::Play(point) => Some(point),
            Move::Pass => None,
        }
    }
}

/// The shape of the padded grid for one board size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    size: u8,
    stride: u8,
    words: u8,
}

impl Geometry {
    /// The grid of a `size` x `size` board, or `None` outside [`MIN_SIZE`]..=[`MAX_SIZE`].
    pub const fn new(size: usize) -> Option<Geometry> {
        if size < MIN_SIZE || size > MAX_SIZE {
            return None;
        }
        let stride = size + 1;
        // From A1 to the last point of the top row.
        let span = (size - 1) * stride + size;
        Some(Geometry { size: size as u8, stride: stride as u8, words: span.div_ceil(64) as u8 })
    }

    /// Points along one side.
    #[inline]
    pub const fn size(self) -> usize {
        self.size as usize
    }

    /// Number of points of the board.
    #[inline]
    pub const fn area(self) -> usize {
        self.size() * self.size()
    }

    /// Distance between the indices of a point and the one above it.
    #[inline]
    pub const fn stride(self) -> usize {
        self.stride as usize
    }

    /// Number of cells of the padded grid, wall included.
    #[inline]
    pub const fn cells(self) -> usize {
        (self.size() + 2) * self.stride() + 1
    }

    /// Index of the lowest point, A1: what is subtracted to number points from zero in bit sets.
    #[inline]
    pub const fn first_index(self) -> usize {
        self.stride() + 1
    }

    /// Number of 64-bit words of a bit set over the points.
    #[inline]
    pub const fn words(self) -> usize {
        self.words as usize
    }

    /// The point in column `x` and row `y`, both counted from 0 at A1, or `None` off the board.
    pub const fn point(self, x: usize, y: usize) -> Option<Point> {
        if x < self.size() && y < self.size() { Some(Point::from_index((y + 1) * self.stride() + x + 1)) } else { None }
    }

    /// Column and row of a point of this board, both counted from 0 at A1.
    #[inline]
    pub const fn xy(self, point: Point) -> (usize, usize) {
        (point.index() % self.stride() - 1, point.index() / self.stride() - 1)
    }

    /// Every point, row by row from A1.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.area()).map(move |i| Point::from_index((i / self.size() + 1) * self.stride() + i % self.size() + 1))
    }

    /// The rows of points, the top one first and each from the left, as boards are written.
    pub fn rows(self) -> impl Iterator<Item = impl Iterator<Item = Point>> {
        (0..self.size()).rev().map(move |y| (0..self.size()).filter_map(move |x| self.point(x, y)))
    }

    /// The points connected with `start`, itself first, and marks them in `seen`. `joins` is asked of each neighbour that is not seen yet,
    /// walls included, and again wherever it is met if it does not join.
    pub fn connected(
        self,
        start: Point,
        seen: &mut PointMap<bool>,
        mut joins: impl FnMut(Point) -> bool,
    ) -> Vec<Point> {
        seen[start] = true;
        let mut points = vec![start];
        let mut next = 0;
        while let Some(&point) = points.get(next) {
            next += 1;
            for near in self.neighbors(point) {
                if !seen[near] && joins(near) {
                    seen[near] = true;
                    points.push(near);
                }
            }
        }
        points
    }

    /// Where a symmetry of the board brings a point, 0 to 7: bit 0 mirrors top and bottom, bit 1 left and right, and bit 2 exchanges rows and
    /// columns after that. 0 leaves everything where it is.
    pub fn turned(self, point: Point, symmetry: u8) -> Point {
        let (x, y) = self.xy(point);
        let mirrored = |at: usize, bit: u8| if symmetry & bit != 0 { self.size() - 1 - at } else { at };
        let (x, y) = (mirrored(x, 2), mirrored(y, 1));
        let (x, y) = if symmetry & 4 != 0 { (y, x) } else { (x, y) };
        self.point(x, y).unwrap_or(point)
    }

    /// The four orthogonal neighbours, walls included: below, left, right, above.
    #[inline]
    pub const fn neighbors(self, point: Point) -> [Point; 4] {
        let (p, s) = (point.index(), self.stride());
        [
            Point::from_index(p.wrapping_sub(s)),
            Point::from_index(p.wrapping_sub(1)),
            Point::from_index(p + 1),
            Point::from_index(p + s),
        ]
    }

    /// The four diagonal neighbours, walls included.
    #[inline]
    pub const fn diagonals(self, point: Point) -> [Point; 4] {
        let (p, s) = (point.index(), self.stride());
        [
            Point::from_index(p.wrapping_sub(s + 1)),
            Point::from_index(p.wrapping_sub(s - 1)),
            Point::from_index(p + s - 1),
            Point::from_index(p + s + 1),
        ]
    }

    /// The eight cells around a point in the order of [`crate::board::Surroundings`]: the orthogonal neighbours, then the diagonal ones.
    #[inline]
    pub const fn ring(self, point: Point) -> [Point; 8] {
        let ([a, b, c, d], [e, f, g, h]) = (self.neighbors(point), self.diagonals(point));
        [a, b, c, d, e, f, g, h]
    }

    /// The orthogonal neighbours whose flags are set, in the form in which [`crate::board::Surroundings`] gives flags: bit
    /// 2i for the i-th of [`Geometry::neighbors`]. Going from flag to flag spares the inner loops four guesses a point.
    #[inline]
    pub fn flagged_neighbors(self, point: Point, flags: u16) -> impl Iterator<Item = Point> {
        flagged(self.neighbors(point), flags & 0x55)
    }

    /// The cells of [`Geometry::ring`] whose flags are set.
    #[inline]
    pub fn flagged_ring(self, point: Point, flags: u16) -> impl Iterator<Item = Point> {
        flagged(self.ring(point), flags & 0x5555)
    }

    /// Distance to the nearest edge: 1 on the first line.
    #[inline]
    pub fn line(self, point: Point) -> usize {
        let (x, y) = self.xy(point);
        let far = self.size() - 1;
        x.min(y).min(far - x).min(far - y) + 1
    }

    /// Distance |dx| + |dy| + max(|dx|, |dy|) between two points of the board: 2 for neighbours,
    /// 3 for a diagonal, 4 for a one-point jump. (Distance used by most pattern systems since
    /// Bouzy and Chaslot, 2005.)
    #[inline]
    pub fn distance(self, a: Point, b: Point) -> usize {
        let ((ax, ay), (bx, by)) = (self.xy(a), self.xy(b));
        let (dx, dy) = (ax.abs_diff(bx), ay.abs_diff(by));
        dx + dy + dx.max(dy)
    }

    /// The standard places of `count` fixed handicap stones in the order in which they are added
    /// (GTP version 2 draft, section 4.1.1), or `None` where that count is not defined.
    pub fn handicap_points(self, count: usize) -> Option<Vec<Point>> {
        let size = self.size();
        let most = if size < 7 {
            0
        } else if size >= 9 && size % 2 == 1 {
            9
        } else {
            4
        };
        if count < 2 || count > most {
            return None;
        }
        let near = if size >= 13 { 3 } else { 2 };
        let (far, mid) = (size - 1 - near, size / 2);
        let corners = [(near, near), (far, far), (near, far), (far, near)];
        let sides = [(near, mid), (far, mid), (mid, near), (mid, far)];
        let mut spots: Vec<(usize, usize)> = corners[..count.min(4)].to_vec();
        if count >= 5 {
            spots.extend_from_slice(&sides[..(count - 4) & !1]);
            if count % 2 == 1 {
                spots.push((mid, mid));
            }
        }
        spots.into_iter().map(|(x, y)| self.point(x, y)).collect()
    }

    /// Name of a point as players write it: column letter (without I) and row number.
    pub fn point_name(self, point: Point) -> String {
        let (x, y) = self.xy(point);
        let letter = b'A' + x as u8 + u8::from(x >= 8);
        format!("{}{}", char::from(letter), y + 1)
    }

    /// Name of a move: that of its point, or `pass`.
    pub fn move_name(self, mv: Move) -> String {
        match mv {
            Move::Play(point) => self.point_name(point),
            Move::Pass => "pass".to_string(),
        }
    }

    /// Reads a move in either letter case.
    ///
    /// # Errors
    /// When the text is not `pass` or the name of a point of this board.
    pub fn parse_move(self, text: &str) -> Result<Move, ParseMoveError> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        let mut chars = text.chars();
        let letter = chars.next().ok_or(ParseMoveError)?.to_ascii_uppercase();
        let digits = chars.as_str();
        if !letter.is_ascii_uppercase()
            || letter == 'I'
            || digits.is_empty()
            || !digits.bytes().all(|b| b.is_ascii_digit())
        {
            return Err(ParseMoveError);
        }
        let column = letter as usize - 'A' as usize;
        let x = column - usize::from(letter > 'I');
        let row: usize = digits.parse().map_err(|_| ParseMoveError)?;
        let y = row.checked_sub(1).ok_or(ParseMoveError)?;
        self.point(x, y).map(Move::Play).ok_or(ParseMoveError)
    }
}

#[inline]
fn flagged<const N: usize>(cells: [Point; N], mut flags: u16) -> impl Iterator<Item = Point> {
    std::iter::from_fn(move || {
        if flags == 0 {
            return None;
        }
        let place = flags.trailing_zeros() as usize / 2;
        flags &= flags - 1;
        // The remainder changes nothing and proves the index to be in range.
        Some(cells[place % N])
    })
}

/// The text names no point of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseMoveError;

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a vertex of this board")
    }
}

impl std::error::Error for ParseMoveError {}

#[cfg(test)]
mod tests {
    use super::{Geometry, MAX_SIZE, MIN_SIZE, Move};

    fn grid(size: usize) -> Geometry {
        Geometry::new(size).expect("size in range")
    }

    #[test]
    fn names_round_trip_on_every_size() {
        for size in MIN_SIZE..=MAX_SIZE {
            let g = grid(size);
            assert_eq!(g.points().count(), g.area());
            for p in g.points() {
                let name = g.point_name(p);
                assert_eq!(g.parse_move(&name), Ok(Move::Play(p)));
                assert_eq!(g.parse_move(&name.to_lowercase()), Ok(Move::Play(p)));
            }
        }
    }

    #[test]
    fn bad_names_are_refused() {
        for text in ["", "I5", "A0", "A10", "K1", "A", "5", "A+1", "A-1", "Z99999999999999999999", "é1", "A1x"] {
            assert!(grid(9).parse_move(text).is_err(), "{text}");
        }
    }

    #[test]
    fn bit_indices_fit_their_words() {
        for size in MIN_SIZE..=MAX_SIZE {
            let g = grid(size);
            let highest = g.points().map(|p| p.index() - g.first_index()).max().unwrap_or(0);
            assert!(highest < g.words() * 64 && highest >= (g.words() - 1) * 64);
            assert!(g.points().all(|p| g.diagonals(p).iter().all(|d| d.index() < g.cells())));
        }
    }

    #[test]
    fn handicap_stones_stand_where_the_protocol_says() {
        let names = |size, count| {
            grid(size)
                .handicap_points(count)
                .map(|points| points.iter().map(|&p| grid(size).point_name(p)).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(names(19, 5).as_deref(), Some("D4 Q16 D16 Q4 K10"));
        assert_eq!(names(19, 6).as_deref(), Some("D4 Q16 D16 Q4 D10 Q10"));
        assert_eq!(names(19, 9).as_deref(), Some("D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"));
        assert_eq!(names(9, 9).as_deref(), Some("C3 G7 C7 G3 C5 G5 E3 E7 E5"));
        assert_eq!(names(7, 4).as_deref(), Some("C3 E5 C5 E3"));
        assert_eq!(names(12, 4).as_deref(), Some("C3 K10 C10 K3"));
        assert_eq!(names(13, 2).as_deref(), Some("D4 K10"));
        for (size, count) in [(19, 1), (19, 10), (6, 2), (7, 5), (8, 5), (19, 0)] {
            assert_eq!(names(size, count), None);
        }
    }
}
