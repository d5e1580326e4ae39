//! Chains: joining, capturing, and the bookkeeping of their liberties.

use super::{Board, Cell, LIBERTY_TABLE};
use crate::color::Color;
use crate::geometry::Point;

/// Where a point's bit lies in a liberty set.
struct Bit {
    word: usize,
    mask: u64,
}

impl Board {
    /// The point naming the chain of the stone on `stone`.
    #[inline]
    pub fn chain_head(&self, stone: Point) -> Point {
        self.head[stone]
    }

    /// One stone, the head, of every chain on the board.
    pub fn chain_heads(&self) -> impl Iterator<Item = Point> + '_ {
        self.geometry.points().filter(|&p| self.cells[p].color().is_some() && self.head[p] == p)
    }

    /// Number of stones of the chain of `stone`.
    #[inline]
    pub fn chain_size(&self, stone: Point) -> usize {
        usize::from(self.stone_count[self.head[stone]])
    }

    /// Number of liberties of the chain of `stone`.
    #[inline]
    pub fn liberty_count(&self, stone: Point) -> usize {
        usize::from(self.liberty_count[self.head[stone]])
    }

    /// The stones of the chain of `stone`, starting with it.
    #[inline]
    pub fn chain(&self, stone: Point) -> impl Iterator<Item = Point> + '_ {
        let mut current = Some(stone);
        std::iter::from_fn(move || {
            let here = current?;
            let next = self.next[here];
            current = (next != stone).then_some(next);
            Some(here)
        })
    }

    /// The liberties of the chain of `stone`, in the order of their indices.
    #[inline]
    pub fn liberties(&self, stone: Point) -> impl Iterator<Item = Point> + '_ {
        let (base, first) = (self.liberty_base(self.head[stone]), self.geometry.first_index());
        (0..self.geometry.words()).flat_map(move |w| {
            let mut bits = self.liberties[(base + w) & (LIBERTY_TABLE - 1)];
            std::iter::from_fn(move || {
                if bits == 0 {
                    return None;
                }
                let index = bits.trailing_zeros() as usize + 64 * w;
                bits &= bits - 1;
                Some(Point::from_index(index + first))
            })
        })
    }

    /// The liberty with the lowest index of the chain of `stone`, which must have one.
    #[inline]
    pub fn first_liberty(&self, stone: Point) -> Point {
        let base = self.liberty_base(self.head[stone]);
        for w in 0..self.geometry.words() {
            let bits = self.liberties[(base + w) & (LIBERTY_TABLE - 1)];
            if bits != 0 {
                return Point::from_index(bits.trailing_zeros() as usize + 64 * w + self.geometry.first_index());
            }
        }
        Point::NONE
    }

    /// Both liberties of a chain that has exactly two; for other chains some of them, or [`Point::NONE`].
    #[inline]
    pub fn two_liberties(&self, stone: Point) -> [Point; 2] {
        let base = self.liberty_base(self.head[stone]);
        let mut found = [Point::NONE; 2];
        let mut count = 0;
        for w in 0..self.geometry.words() {
            let mut bits = self.liberties[(base + w) & (LIBERTY_TABLE - 1)];
            while bits != 0 && count < 2 {
                found[count] = Point::from_index(bits.trailing_zeros() as usize + 64 * w + self.geometry.first_index());
                bits &= bits - 1;
                count += 1;
            }
        }
        found
    }

    /// Number of distinct points among `points` and the liberties of `chains` other than `except`, counted up to `enough`.
    #[inline]
    pub fn count_union(&self, chains: &[Point], points: &[Point], except: Point, enough: usize) -> usize {
        let except = self.bit(except);
        let mut count = 0;
        for w in 0..self.geometry.words() {
            let mut bits = 0;
            for &chain in chains {
                bits |= self.liberties[(self.liberty_base(self.head[chain]) + w) & (LIBERTY_TABLE - 1)];
            }
            for &point in points {
                let bit = self.bit(point);
                bits |= if bit.word == w { bit.mask } else { 0 };
            }
            if except.word == w {
                bits &= !except.mask;
            }
            while bits != 0 {
                bits &= bits - 1;
                count += 1;
                if count >= enough {
                    return enough;
                }
            }
        }
        count
    }

    /// Whether `point` is a liberty of the chain of `stone`.
    #[inline]
    pub fn is_liberty(&self, stone: Point, point: Point) -> bool {
        let bit = self.bit(point);
        self.liberties[(self.liberty_base(self.head[stone]) + bit.word) & (LIBERTY_TABLE - 1)] & bit.mask != 0
    }

    #[inline]
    fn liberty_base(&self, head: Point) -> usize {
        head.index() * self.geometry.words()
    }

    #[inline]
    fn bit(&self, point: Point) -> Bit {
        let index = point.index().wrapping_sub(self.geometry.first_index());
        Bit { word: index >> 6, mask: 1 << (index & 63) }
    }

    #[inline]
    fn liberty_word(&mut self, head: Point, word: usize) -> &mut u64 {
        let base = self.liberty_base(head);
        &mut self.liberties[(base + word) & (LIBERTY_TABLE - 1)]
    }

    #[inline]
    fn add_liberty(&mut self, head: Point, point: Point) {
        let bit = self.bit(point);
        let word = self.liberty_word(head, bit.word);
        let fresh = *word & bit.mask == 0;
        *word |= bit.mask;
        self.liberty_count[head] += u16::from(fresh);
    }

    #[inline]
    pub(super) fn remove_liberty(&mut self, head: Point, point: Point) {
        let bit = self.bit(point);
        let word = self.liberty_word(head, bit.word);
        let there = *word & bit.mask != 0;
        *word &= !bit.mask;
        self.liberty_count[head] -= u16::from(there);
    }

    /// Makes the stone just put on `point` part of the chains of `color` next to it, or a chain of its own.
    #[inline]
    pub(super) fn join_neighbors(&mut self, point: Point, color: Color) {
        let around = self.around(point);
        if !around.has_neighbor(color) {
            self.start_chain(point);
            return;
        }
        let mut base = Point::NONE;
        for n in self.geometry.flagged_neighbors(point, around.stones(color)) {
            let head = self.head[n];
            if base == Point::NONE {
                base = head;
                self.attach(point, base);
            } else if head != base {
                base = self.merge(base, head);
            }
        }
        self.remove_liberty(base, point);
        for n in self.geometry.flagged_neighbors(point, around.empties()) {
            self.add_liberty(base, n);
        }
    }

    #[inline]
    fn start_chain(&mut self, point: Point) {
        self.head[point] = point;
        self.next[point] = point;
        self.stone_count[point] = 1;
        for w in 0..self.geometry.words() {
            *self.liberty_word(point, w) = 0;
        }
        let around = self.around(point);
        self.liberty_count[point] = around.empty_neighbor_count() as u16;
        for n in self.geometry.flagged_neighbors(point, around.empties()) {
            let bit = self.bit(n);
            *self.liberty_word(point, bit.word) |= bit.mask;
        }
    }

    /// Adds the single stone on `point` to the ring of the chain `head`.
    #[inline]
    fn attach(&mut self, point: Point, head: Point) {
        self.head[point] = head;
        self.next[point] = self.next[head];
        self.next[head] = point;
        self.stone_count[head] += 1;
    }

    /// Unites two chains, relabelling the smaller one, and returns the surviving head.
    fn merge(&mut self, a: Point, b: Point) -> Point {
        let (into, from) = if self.stone_count[a] >= self.stone_count[b] { (a, b) } else { (b, a) };
        let mut stone = from;
        loop {
            self.head[stone] = into;
            stone = self.next[stone];
            if stone == from {
                break;
            }
        }
        let next = self.next[into];
        self.next[into] = self.next[from];
        self.next[from] = next;
        self.stone_count[into] += self.stone_count[from];
        let mut gained = 0;
        for w in 0..self.geometry.words() {
            let bits = *self.liberty_word(from, w);
            if bits != 0 {
                let word = self.liberty_word(into, w);
                let mut fresh = bits & !*word;
                *word |= bits;
                while fresh != 0 {
                    fresh &= fresh - 1;
                    gained += 1;
                }
            }
        }
        self.liberty_count[into] += gained;
        into
    }

    /// Takes the liberty `point` from the neighbouring chains of `enemy`, captures those without any left, and
    /// returns the number of stones captured.
    #[inline]
    pub(super) fn capture_neighbors(&mut self, point: Point, enemy: Color) -> usize {
        let mut captured = 0;
        for n in self.geometry.flagged_neighbors(point, self.around(point).stones(enemy)) {
            // The flags are those from before the first capture: a chain met again may be gone.
            if self.cells[n] == Cell::Empty {
                continue;
            }
            let head = self.head[n];
            self.remove_liberty(head, point);
            if self.liberty_count[head] == 0 {
                captured += self.remove_chain(head, enemy);
            }
        }
        captured
    }

    /// Removes a chain from the board, giving its points as liberties to the opposing chains around it.
    pub(super) fn remove_chain(&mut self, head: Point, color: Color) -> usize {
        let mut stone = head;
        loop {
            let next = self.next[stone];
            self.take(stone, color);
            for n in self.geometry.flagged_neighbors(stone, self.around(stone).stones(color.opponent())) {
                self.add_liberty(self.head[n], stone);
            }
            stone = next;
            if stone == head {
                return usize::from(self.stone_count[head]);
            }
        }
    }
}
