//! The position on the board: stones, chains with their liberties, simple ko, hash.
//!
//! `Board` is what playouts run on. It knows capture, suicide and the simple ko point, nothing about
//! turns, history, superko or scoring rules: those belong to [`crate::game`]. It is plain inline data, and only
//! the part that its size needs is copied by [`Board::copy_from`].
//!
//! Liberties are true liberties, kept as one bit set per chain: that needs no search to avoid duplicates, merges by OR,
//! and is exact for every count. Counts are kept beside the sets because the baseline instruction set has no population count.
//!
//! # What was tried
//!
//! Playouts a second against those of this module, which takes the size at run time and the stride from it; uniform
//! ("light") and full policy from the empty board; median ratios of 7 alternating runs on one core of an EPYC, good to
//! about 0.02. The playouts were the same, but for the full ones with lists, which give liberties in another order.
//!
//! | instead | 9x9 light | 9x9 full | 19x19 light | 19x19 full |
//! |---|---|---|---|---|
//! | size, stride and set length constant (the most that const generics give) | 1.03 | 1.03 | 1.04 | 1.01 |
//! | the same, and tables no longer than the size needs | 1.06 | 1.03 | 1.03 | 1.00 |
//! | one stride of 26 for every size | 0.97 | 0.99 | 1.00 | 1.00 |
//! | lists of up to 8 liberties, filled up again at 4 (as in Pachi) | 0.54 | 0.81 | 0.60 | 0.86 |
//! | the same with 10 and 5 | 0.54 | 0.82 | 0.58 | 0.88 |
//! | the same with 8 and 4, searched without branches | 0.58 | 0.87 | 0.62 | 0.90 |
//! | branches on what the neighbours are, a table for each property (as before) | 0.87 | 0.94 | 0.87 | 0.95 |
//! | instructions of x86-64-v3 | 1.04 | 1.02 | 1.03 | 1.01 |
//!
//! Const generics would spread through every module that holds a board, and v3 code behind run-time detection needs
//! `unsafe`: neither is worth its few percent.

mod chain;
pub mod diagram;
#[cfg(test)]
mod perft;
#[cfg(test)]
pub mod reference;
#[cfg(test)]
mod tests;
mod undo;

use crate::color::{Color, PerColor};
use crate::geometry::{Geometry, MAP_LEN, Point, PointMap};
use crate::zobrist::{self, Hash};

pub use undo::Undo;

/// Length of the liberty table: at least 703 cells times 11 words, and a power of two for masking.
const LIBERTY_TABLE: usize = 8192;

/// What occupies a cell of the padded grid. The values are the two-bit codes of [`Surroundings`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Cell {
    /// A point without a stone.
    Empty = 0,
    /// A point with a black stone.
    Black = 1,
    /// A point with a white stone.
    White = 2,
    /// Off the board.
    Wall = 3,
}

impl Cell {
    /// The cell under a stone of `color`.
    #[inline]
    pub const fn of(color: Color) -> Cell {
        match color {
            Color::Black => Cell::Black,
            Color::White => Cell::White,
        }
    }

    /// The color of the stone, if there is one.
    #[inline]
    pub const fn color(self) -> Option<Color> {
        match self {
            Cell::Black => Some(Color::Black),
            Cell::White => Some(Color::White),
            Cell::Empty | Cell::Wall => None,
        }
    }
}

/// The eight cells around a point, two bits each: the orthogonal ones (below, left, right, above) in
/// the low byte, the diagonal ones (below left, below right, above left, above right) in the high byte.
///
/// Kept up to date for every point, so that eye, legality and 3x3 shape tests are a few bit operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Surroundings(pub u16);

impl Surroundings {
    /// Bits of each pair that are set for stones of `color`, and for walls.
    #[inline]
    const fn pair_bit(color: Color) -> u16 {
        match color {
            Color::Black => 0x5555,
            Color::White => 0xAAAA,
        }
    }

    /// Whether any orthogonal neighbour is empty.
    #[inline]
    pub const fn has_empty_neighbor(self) -> bool {
        (self.0 | self.0 >> 1) & 0x55 != 0x55
    }

    /// One flag (in the even bits) for each surrounding point that is empty.
    #[inline]
    pub const fn empties(self) -> u16 {
        !(self.0 | self.0 >> 1) & 0x5555
    }

    /// Number of empty orthogonal neighbours.
    #[inline]
    pub const fn empty_neighbor_count(self) -> u32 {
        let flags = !(self.0 | self.0 >> 1) & 0x55;
        let pairs = (flags + (flags >> 2)) & 0x33;
        ((pairs + (pairs >> 4)) & 7) as u32
    }

    /// Whether some orthogonal neighbour is a stone of `color`.
    #[inline]
    pub const fn has_neighbor(self, color: Color) -> bool {
        self.stones(color) & 0x55 != 0
    }

    /// One flag (in the even bits) for each surrounding stone of `color`.
    #[inline]
    pub const fn stones(self, color: Color) -> u16 {
        let (black_or_wall, white_or_wall) = (self.0, self.0 >> 1);
        (match color {
            Color::Black => black_or_wall & !white_or_wall,
            Color::White => white_or_wall & !black_or_wall,
        }) & 0x5555
    }

    /// One flag (in the even bits) for each surrounding stone.
    #[inline]
    pub const fn all_stones(self) -> u16 {
        (self.0 ^ self.0 >> 1) & 0x5555
    }

    /// Whether every orthogonal neighbour is a stone of `color` or the wall.
    #[inline]
    pub const fn is_enclosed_by(self, color: Color) -> bool {
        let mask = Surroundings::pair_bit(color) & 0xFF;
        self.0 & mask == mask
    }

    /// Whether an empty point in these surroundings is an eye of `color` that should not be filled: enclosed, with at
    /// most one opposing stone on its diagonals, and none if the point lies on the edge.
    #[inline]
    pub const fn is_eye(self, color: Color) -> bool {
        let enemies = self.stones(color.opponent()) & 0x5500;
        let at_edge = self.0 & self.0 >> 1 & 0x5500 != 0;
        // No short cuts: they would be as many guesses.
        self.is_enclosed_by(color) & ((enemies == 0) | (!at_edge & (enemies & enemies.wrapping_sub(1) == 0)))
    }
}

/// What is known of a stone and, if it is the head, of its chain. Together, since what is asked for together should lie together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Node {
    /// The point naming the chain: one of its stones.
    head: Point,
    /// The next stone of the chain, in a ring.
    next: Point,
    /// At heads, number of stones; zero elsewhere.
    stone_count: u16,
    /// At heads, number of distinct empty points next to the chain; zero elsewhere.
    liberty_count: u16,
}

/// For a stone of each color, what it adds to the surroundings of the cells in the rows below, beside and above it, from the left.
const SEEN_FROM: [[[u16; 4]; 3]; 2] = [seen_from(Cell::Black as u16), seen_from(Cell::White as u16)];

const fn seen_from(code: u16) -> [[u16; 4]; 3] {
    // Seen from the point below left, the stone lies above right (pair 7), and so on.
    [[code << 14, code << 6, code << 12, 0], [code << 4, 0, code << 2, 0], [code << 10, code, code << 8, 0]]
}

/// Stones, chains, liberties, simple ko and hash of one position. See the module's page.
#[derive(Clone, Debug)]
pub struct Board {
    // Primary: cannot be recomputed from anything else.
    geometry: Geometry,
    cells: PointMap<Cell>,
    /// Point that may not be retaken at once, or [`Point::NONE`] ...
    ko: Point,
    /// ... by this color.
    ko_color: Color,

    // Derived from the stones.
    /// What is known of each stone and its chain.
    nodes: PointMap<Node>,
    /// `words` words for each point: at heads the set of the chain's liberties, elsewhere empty.
    liberties: [u64; LIBERTY_TABLE],
    /// For each point, the cells around it.
    around: [u16; MAP_LEN + 3],
    /// The empty points, in an order that depends on the history.
    empty: [Point; MAP_LEN],
    /// For each empty point, its place in `empty`.
    empty_index: PointMap<u16>,
    empty_count: u16,
    on_board: PerColor<u16>,
    hash: Hash,
}

impl Board {
    /// The empty board of this geometry.
    pub fn new(geometry: Geometry) -> Board {
        let mut board = Board {
            geometry,
            cells: PointMap::new(Cell::Wall),
            ko: Point::NONE,
            ko_color: Color::Black,
            nodes: PointMap::new(Node { head: Point::NONE, next: Point::NONE, stone_count: 0, liberty_count: 0 }),
            liberties: [0; LIBERTY_TABLE],
            around: [0; MAP_LEN + 3],
            empty: [Point::NONE; MAP_LEN],
            empty_index: PointMap::new(0),
            empty_count: 0,
            on_board: PerColor([0; 2]),
            hash: 0,
        };
        for p in geometry.points() {
            board.cells[p] = Cell::Empty;
            board.empty_index[p] = board.empty_count;
            board.empty[usize::from(board.empty_count)] = p;
            board.empty_count += 1;
        }
        for p in geometry.points() {
            board.around[p.index()] = board.recomputed_surroundings(p).0;
        }
        board
    }

    /// Makes this board equal to `other` of the same size, copying only the cells in use.
    pub fn copy_from(&mut self, other: &Board) {
        let cells = other.geometry.cells();
        let area = other.geometry.area();
        let words = cells * other.geometry.words();
        self.geometry = other.geometry;
        self.cells.prefix_mut(cells).copy_from_slice(other.cells.prefix(cells));
        self.ko = other.ko;
        self.ko_color = other.ko_color;
        self.nodes.prefix_mut(cells).copy_from_slice(other.nodes.prefix(cells));
        self.liberties[..words].copy_from_slice(&other.liberties[..words]);
        self.around[..cells].copy_from_slice(&other.around[..cells]);
        self.empty[..area].copy_from_slice(&other.empty[..area]);
        self.empty_index.prefix_mut(cells).copy_from_slice(other.empty_index.prefix(cells));
        self.empty_count = other.empty_count;
        self.on_board = other.on_board;
        self.hash = other.hash;
    }

    /// The grid of this board.
    #[inline]
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// What occupies a cell.
    #[inline]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[point]
    }

    /// Whether `point` is on the board and carries no stone.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cells[point] == Cell::Empty
    }

    /// The cells around a point of the board.
    #[inline]
    pub fn around(&self, point: Point) -> Surroundings {
        Surroundings(self.around[point.index()])
    }

    /// Fingerprint of the stones.
    #[inline]
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// The point that `color` may not retake on the next move, if any.
    #[inline]
    pub fn ko_point(&self, color: Color) -> Option<Point> {
        (self.ko != Point::NONE && self.ko_color == color).then_some(self.ko)
    }

    /// The empty points, in an order that depends on the history of the board.
    #[inline]
    pub fn empty_points(&self) -> &[Point] {
        &self.empty[..usize::from(self.empty_count)]
    }

    /// Number of empty points.
    #[inline]
    pub fn empty_count(&self) -> usize {
        usize::from(self.empty_count)
    }

    /// Exchanges two entries of [`Board::empty_points`]: lets a sampler draw without replacement.
    #[inline]
    pub fn swap_empty(&mut self, i: usize, j: usize) {
        let (p, q) = (self.empty[i & (MAP_LEN - 1)], self.empty[j & (MAP_LEN - 1)]);
        self.empty[i & (MAP_LEN - 1)] = q;
        self.empty[j & (MAP_LEN - 1)] = p;
        self.empty_index[q] = i as u16;
        self.empty_index[p] = j as u16;
    }

    /// Number of stones of `color` on the board.
    #[inline]
    pub fn stones_on_board(&self, color: Color) -> usize {
        usize::from(self.on_board[color])
    }

    /// Forgets the ko point, as passing does.
    #[inline]
    pub fn clear_ko(&mut self) {
        self.ko = Point::NONE;
    }

    /// Whether the rules every rule set shares let `color` play on `point`: empty, not retaking a simple ko, and, unless
    /// `suicide` is allowed, not leaving the own chain without liberty.
    #[inline]
    pub fn is_playable(&self, point: Point, color: Color, suicide: bool) -> bool {
        if self.cells[point] != Cell::Empty {
            return false;
        }
        // Most points have an empty neighbour, which a ko point has not.
        self.around(point).has_empty_neighbor()
            || !(self.ko == point && self.ko_color == color) && (suicide || !self.is_suicide(point, color))
    }

    /// Whether a stone of `color` on the empty `point` would leave its own chain without liberty.
    #[inline]
    pub fn is_suicide(&self, point: Point, color: Color) -> bool {
        let around = self.around(point);
        let (own, enemy) = (around.stones(color), around.stones(color.opponent()));
        let mut saved = around.has_empty_neighbor();
        // Own chains with another liberty and opposing ones without; to look at all four is cheaper than to guess which.
        for (i, n) in self.geometry.neighbors(point).into_iter().enumerate() {
            let in_atari = self.liberty_count(n) == 1;
            let flags = if in_atari { enemy } else { own };
            saved |= flags >> (2 * i) & 1 != 0;
        }
        !saved
    }

    /// Plays a stone that is known to be [playable](Board::is_playable) and returns how many opposing stones it captured.
    ///
    /// Where suicide happens the player's own chain is removed. A move that is not playable gives a wrong position, but nothing worse.
    pub fn play(&mut self, point: Point, color: Color) -> usize {
        debug_assert!(self.is_playable(point, color, true), "the caller checks legality");
        self.ko = Point::NONE;
        self.put(point, color);
        let dead = self.take_liberty(point) & self.around(point).stones(color.opponent());
        self.join_neighbors(point, color);
        let captured = if dead == 0 { 0 } else { self.capture_neighbors(point, color.opponent(), dead) };
        let head = self.nodes[point].head;
        if self.nodes[head].liberty_count == 0 {
            self.remove_chain(head, color);
        } else if captured == 1 && self.nodes[head].stone_count == 1 && self.nodes[head].liberty_count == 1 {
            self.ko = self.first_liberty(point);
            self.ko_color = color.opponent();
        }
        captured
    }

    /// Adds a stone when setting up a position; returns false, changing nothing, if the point is taken or
    /// the stone or a neighbour would be left without liberty.
    pub fn set_up(&mut self, point: Point, color: Color) -> bool {
        let captures = self
            .geometry
            .neighbors(point)
            .iter()
            .any(|&n| self.cells[n] == Cell::of(color.opponent()) && self.liberty_count(n) == 1);
        if captures || !self.is_empty(point) || self.is_suicide(point, color) {
            return false;
        }
        self.play(point, color);
        self.ko = Point::NONE;
        true
    }

    /// The hash after a playable move, without playing it.
    pub fn hash_after(&self, point: Point, color: Color) -> Hash {
        let mut hash = self.hash ^ zobrist::key(point, color);
        let enemy = Cell::of(color.opponent());
        let mut done = [Point::NONE; 4];
        let mut captured = false;
        for (i, n) in self.geometry.neighbors(point).into_iter().enumerate() {
            if self.cells[n] != enemy || self.liberty_count(n) != 1 {
                continue;
            }
            let head = self.nodes[n].head;
            if !done.contains(&head) {
                done[i] = head;
                captured = true;
                hash = self.chain(n).fold(hash, |h, s| h ^ zobrist::key(s, color.opponent()));
            }
        }
        if captured || !self.is_suicide(point, color) {
            return hash;
        }
        hash ^= zobrist::key(point, color);
        let own = Cell::of(color);
        let mut done = [Point::NONE; 4];
        for (i, n) in self.geometry.neighbors(point).into_iter().enumerate() {
            if self.cells[n] == own && !done.contains(&self.nodes[n].head) {
                done[i] = self.nodes[n].head;
                hash = self.chain(n).fold(hash, |h, s| h ^ zobrist::key(s, color));
            }
        }
        hash
    }

    /// Puts a stone into the cells and everything derived from cells alone; chains are the caller's business.
    #[inline]
    fn put(&mut self, point: Point, color: Color) {
        self.cells[point] = Cell::of(color);
        self.hash ^= zobrist::key(point, color);
        self.on_board[color] += 1;
        self.empty_count -= 1;
        let (place, last) = (self.empty_index[point], self.empty[usize::from(self.empty_count) & (MAP_LEN - 1)]);
        self.empty[usize::from(place) & (MAP_LEN - 1)] = last;
        self.empty_index[last] = place;
        self.toggle_surroundings(point, color);
    }

    /// Takes a stone out of the cells and everything derived from cells alone.
    #[inline]
    fn take(&mut self, point: Point, color: Color) {
        self.cells[point] = Cell::Empty;
        self.hash ^= zobrist::key(point, color);
        self.on_board[color] -= 1;
        self.empty[usize::from(self.empty_count) & (MAP_LEN - 1)] = point;
        self.empty_index[point] = self.empty_count;
        self.empty_count += 1;
        self.toggle_surroundings(point, color);
    }

    /// Adds or removes a stone of `color` in the surroundings of the eight points around `point`: row by row, four cells at once, of
    /// which the fourth stays as it is.
    #[inline]
    fn toggle_surroundings(&mut self, point: Point, color: Color) {
        let (p, s) = (point.index(), self.geometry.stride());
        for (start, row) in [p - s - 1, p - 1, p + s - 1].into_iter().zip(&SEEN_FROM[color.index()]) {
            let start = start & (MAP_LEN - 1);
            for (cell, &seen) in self.around[start..start + 4].iter_mut().zip(row) {
                *cell ^= seen;
            }
        }
    }

    fn recomputed_surroundings(&self, point: Point) -> Surroundings {
        let orthogonal = self.geometry.neighbors(point).into_iter();
        let code = orthogonal
            .chain(self.geometry.diagonals(point))
            .enumerate()
            .fold(0, |code, (i, n)| code | (self.cells[n] as u16) << (2 * i));
        Surroundings(code)
    }

    /// Recomputes everything derived from the stones by flood fill and compares.
    ///
    /// # Errors
    /// A description of the first difference.
    pub fn check_invariants(&self) -> Result<(), String> {
        let g = self.geometry;
        let mut hash = 0;
        let mut on_board = PerColor([0; 2]);
        let mut empty = 0;
        for p in g.points() {
            let name = g.point_name(p);
            if self.around(p) != self.recomputed_surroundings(p) {
                return Err(format!("surroundings of {name}"));
            }
            if (self.cells[p] == Cell::Empty || self.nodes[p].head != p) && self.has_left_overs(p) {
                return Err(format!("no chain is named {name}, but it has stones or liberties"));
            }
            let Some(color) = self.cells[p].color() else {
                empty += 1;
                if self.empty[usize::from(self.empty_index[p])] != p {
                    return Err(format!("place of {name} among the empty points"));
                }
                continue;
            };
            hash ^= zobrist::key(p, color);
            on_board[color] += 1;
            self.check_chain(p).map_err(|what| format!("{what} of the chain at {name}"))?;
        }
        if hash != self.hash || on_board != self.on_board || empty != self.empty_count {
            return Err("hash or counts".to_string());
        }
        Ok(())
    }

    /// Whether there are data of a chain at `point`.
    fn has_left_overs(&self, point: Point) -> bool {
        let (node, words) = (&self.nodes[point], self.geometry.words());
        let set = &self.liberties[point.index() * words..][..words];
        node.stone_count != 0 || node.liberty_count != 0 || set.iter().any(|&word| word != 0)
    }

    fn check_chain(&self, point: Point) -> Result<(), &'static str> {
        let (mut stones, mut liberties) = (vec![point], Vec::new());
        let mut i = 0;
        while i < stones.len() {
            for n in self.geometry.neighbors(stones[i]) {
                if self.cells[n] == self.cells[point] && !stones.contains(&n) {
                    stones.push(n);
                } else if self.cells[n] == Cell::Empty && !liberties.contains(&n) {
                    liberties.push(n);
                }
            }
            i += 1;
        }
        let mut kept: Vec<Point> = self.chain(point).collect();
        kept.sort_unstable();
        stones.sort_unstable();
        liberties.sort_unstable();
        if kept != stones || stones.iter().any(|&s| self.nodes[s].head != self.nodes[point].head) {
            return Err("stones");
        }
        if self.chain_size(point) != stones.len() {
            return Err("stone count");
        }
        if self.liberties(point).ne(liberties.iter().copied()) {
            return Err("liberties");
        }
        if self.liberty_count(point) != liberties.len() {
            return Err("liberty count");
        }
        Ok(())
    }
}
