//! Chains: joining, capturing, and the bookkeeping of their liberties.

use super::{Board, Cell, LIBERTY_TABLE};
use crate::color::Color;
use crate::geometry::Point;

/// Where a point's bit lies in a liberty set.
#[derive(Clone, Copy)]
struct Bit(usize);

impl Bit {
    #[inline]
    const fn word(self) -> usize {
        self.0 >> 6
    }

    #[inline]
    const fn shift(self) -> usize {
        self.0 & 63
    }

    #[inline]
    const fn mask(self) -> u64 {
        1 << self.shift()
    }
}

impl Board {
    /// The point naming the chain of the stone on `stone`.
    #[inline]
    pub fn chain_head(&self, stone: Point) -> Point {
        self.nodes[stone].head
    }

    /// One stone, the head, of every chain on the board.
    pub fn chain_heads(&self) -> impl Iterator<Item = Point> + '_ {
        self.geometry.points().filter(|&p| self.cells[p].color().is_some() && self.nodes[p].head == p)
    }

    /// Number of stones of the chain of `stone`.
    #[inline]
    pub fn chain_size(&self, stone: Point) -> usize {
        usize::from(self.nodes[self.nodes[stone].head].stone_count)
    }

    /// Number of liberties of the chain of `stone`.
    #[inline]
    pub fn liberty_count(&self, stone: Point) -> usize {
        usize::from(self.nodes[self.nodes[stone].head].liberty_count)
    }

    /// The stones of the chain of `stone`, starting with it.
    #[inline]
    pub fn chain(&self, stone: Point) -> impl Iterator<Item = Point> + '_ {
        let mut current = Some(stone);
        std::iter::from_fn(move || {
            let here = current?;
            let next = self.nodes[here].next;
            current = (next != stone).then_some(next);
            Some(here)
        })
    }

    /// The liberties of the chain of `stone`, in the order of their indices.
    #[inline]
    pub fn liberties(&self, stone: Point) -> impl Iterator<Item = Point> + '_ {
        let (base, first) = (self.liberty_base(self.nodes[stone].head), self.geometry.first_index());
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
        let base = self.liberty_base(self.nodes[stone].head);
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
        let base = self.liberty_base(self.nodes[stone].head);
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
                bits |= self.liberties[(self.liberty_base(self.nodes[chain].head) + w) & (LIBERTY_TABLE - 1)];
            }
            for &point in points {
                let bit = self.bit(point);
                bits |= if bit.word() == w { bit.mask() } else { 0 };
            }
            if except.word() == w {
                bits &= !except.mask();
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
        self.liberties[(self.liberty_base(self.nodes[stone].head) + bit.word()) & (LIBERTY_TABLE - 1)] & bit.mask() != 0
    }

    #[inline]
    pub(super) fn liberty_base(&self, head: Point) -> usize {
        head.index() * self.geometry.words()
    }

    #[inline]
    fn bit(&self, point: Point) -> Bit {
        Bit(point.index().wrapping_sub(self.geometry.first_index()))
    }

    #[inline]
    fn liberty_word(&mut self, head: Point, word: usize) -> &mut u64 {
        let base = self.liberty_base(head);
        &mut self.liberties[(base + word) & (LIBERTY_TABLE - 1)]
    }

    #[inline]
    pub(super) fn add_liberty(&mut self, head: Point, point: Point) {
        let bit = self.bit(point);
        let word = self.liberty_word(head, bit.word());
        let fresh = *word & bit.mask() == 0;
        *word |= bit.mask();
        self.nodes[head].liberty_count += u16::from(fresh);
    }

    /// Takes the liberty `point` from the chains around it and returns one flag for each neighbour whose chain has none left,
    /// in the form of [`Surroundings`](super::Surroundings).
    ///
    /// Which neighbours are stones is as good as random: to change nothing at the others is cheaper than to guess wrong.
    #[inline]
    pub(super) fn take_liberty(&mut self, point: Point) -> u16 {
        let stones = self.around(point).all_stones();
        let bit = self.bit(point);
        let mut dead = 0;
        for (i, n) in self.geometry.neighbors(point).into_iter().enumerate() {
            let flag = stones >> (2 * i) & 1;
            let head = self.nodes[n].head;
            let word = self.liberty_word(head, bit.word());
            let there = *word >> bit.shift() & u64::from(flag);
            *word ^= there << bit.shift();
            let count = &mut self.nodes[head].liberty_count;
            *count -= there as u16;
            dead |= (u16::from(*count == 0) & flag) << (2 * i);
        }
        dead
    }

    /// Makes the stone just put on `point` part of the chains of `color` next to it, or a chain of its own.
    #[inline]
    pub(super) fn join_neighbors(&mut self, point: Point, color: Color) {
        let own = self.around(point).stones(color) & 0x55;
        // The chain of the first friend or, which is no different from there on, a new one.
        let mut base = point;
        for (i, n) in self.geometry.neighbors(point).into_iter().enumerate().rev() {
            let head = self.nodes[n].head;
            base = if own >> (2 * i) & 1 != 0 { head } else { base };
        }
        self.nodes[point].next = point;
        self.attach(point, base);
        // Asked beforehand, since most stones have no second friend: 7 % of a uniform playout.
        let others = own & own.wrapping_sub(1);
        if others != 0 {
            base = self.merge_neighbors(point, others, base);
        }
        self.add_liberties_around(point, base);
    }

    /// Unites the chain `head` with those on the `friends` neighbours of `point` and returns the surviving head.
    #[inline]
    fn merge_neighbors(&mut self, point: Point, friends: u16, head: Point) -> Point {
        let mut base = head;
        for n in self.geometry.flagged_neighbors(point, friends) {
            let head = self.nodes[n].head;
            if head != base {
                base = self.merge(base, head);
            }
        }
        base
    }

    /// Adds the empty neighbours of `point` to the liberties of the chain `head`.
    ///
    /// They lie within twice the stride, 52 bits at most: one number that spans two words. It may begin before the set or end
    /// behind it, but only with the bits of walls, which are zero.
    #[inline]
    fn add_liberties_around(&mut self, point: Point, head: Point) {
        let stride = self.geometry.stride();
        // The masks change nothing and prove that the shifts are in range.
        let (left, right, above) = ((stride - 1) & 63, (stride + 1) & 63, (2 * stride) & 63);
        let flags = u64::from(self.around(point).empties());
        let window = flags & 1 | (flags >> 2 & 1) << left | (flags >> 4 & 1) << right | (flags >> 6 & 1) << above;
        let first = Bit((64 * self.liberty_base(head) + self.bit(point).0).wrapping_sub(stride));
        let low = &mut self.liberties[first.word() & (LIBERTY_TABLE - 1)];
        let old_low = *low >> first.shift();
        *low |= window << first.shift();
        // Two shifts, since one by 64 is none.
        let high = &mut self.liberties[(first.word() + 1) & (LIBERTY_TABLE - 1)];
        let old_high = *high << 1 << (63 - first.shift());
        *high |= window >> 1 >> (63 - first.shift());
        let fresh = window & !(old_low | old_high);
        let gained = (fresh & 1) + (fresh >> left & 1) + (fresh >> right & 1) + (fresh >> above);
        self.nodes[head].liberty_count += gained as u16;
    }

    /// Adds the single stone on `point` to the ring of the chain `head`.
    #[inline]
    fn attach(&mut self, point: Point, head: Point) {
        self.nodes[point].head = head;
        self.nodes[point].next = self.nodes[head].next;
        self.nodes[head].next = point;
        self.nodes[head].stone_count += 1;
    }

    /// Unites two chains, relabelling the smaller one, and returns the surviving head.
    fn merge(&mut self, a: Point, b: Point) -> Point {
        let (into, from) = if self.nodes[a].stone_count >= self.nodes[b].stone_count { (a, b) } else { (b, a) };
        self.relabel(from, into);
        let next = self.nodes[into].next;
        self.nodes[into].next = self.nodes[from].next;
        self.nodes[from].next = next;
        self.nodes[into].stone_count += std::mem::take(&mut self.nodes[from].stone_count);
        self.nodes[from].liberty_count = 0;
        let mut gained = 0;
        for w in 0..self.geometry.words() {
            let bits = std::mem::take(self.liberty_word(from, w));
            if bits != 0 {
                let word = self.liberty_word(into, w);
                gained += (bits & !*word).count_ones();
                *word |= bits;
            }
        }
        self.nodes[into].liberty_count += gained as u16;
        into
    }

    /// Names `head` as the head of every stone in the ring of `stone`.
    #[inline]
    pub(super) fn relabel(&mut self, stone: Point, head: Point) {
        let mut here = stone;
        loop {
            self.nodes[here].head = head;
            here = self.nodes[here].next;
            if here == stone {
                break;
            }
        }
    }

    /// Captures the chains of `enemy` on the `dead` neighbours and returns the number of stones captured.
    #[inline]
    pub(super) fn capture_neighbors(&mut self, point: Point, enemy: Color, dead: u16) -> usize {
        let mut captured = 0;
        for n in self.geometry.flagged_neighbors(point, dead) {
            // A chain met again is gone.
            if self.cells[n] != Cell::Empty {
                captured += self.remove_chain(self.nodes[n].head, enemy);
            }
        }
        captured
    }

    /// Removes a chain from the board, giving its points as liberties to the opposing chains around it.
    pub(super) fn remove_chain(&mut self, head: Point, color: Color) -> usize {
        let mut stone = head;
        loop {
            let next = self.nodes[stone].next;
            self.take(stone, color);
            for n in self.geometry.flagged_neighbors(stone, self.around(stone).stones(color.opponent())) {
                self.add_liberty(self.nodes[n].head, stone);
            }
            stone = next;
            if stone == head {
                return usize::from(std::mem::take(&mut self.nodes[head].stone_count));
            }
        }
    }
}
