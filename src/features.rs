//! Features: what a move looks like, in the terms in which the move model has learnt what good moves look like.
//!
//! A move has some *plain* features (it captures, it is a knight's move from the last move, it lies on the third line) and the
//! *patterns* around it, from 3x3 to a wide diamond. Everything is seen by the player to move and is the same under
//! the eight symmetries of the board.

mod diamond;

use crate::board::Board;
use crate::color::Color;
use crate::geometry::{Point, PointMap};
use crate::playout::Recent;
use crate::playout::candidates::{self, Reason, Suggestions};
use crate::tactics::{LadderReader, is_bad_self_atari, liberties_after};

use diamond::Grid;
pub use diamond::PatternKey;

/// The plain features, one bit each. A chain counts as big from three stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Plain {
    CaptureOne,
    CaptureFew,
    CaptureMany,
    CaptureLast,
    SaveSmallByCapture,
    SaveBigByCapture,
    EscapeSmall,
    EscapeBig,
    EscapeInVain,
    LadderSmall,
    LadderBig,
    AtariSmall,
    AtariBig,
    AtariLast,
    DefendSmall,
    DefendBig,
    ExtendSmall,
    ExtendBig,
    ThirdLibertyOfEnemy,
    ThirdLibertyOfOwn,
    SelfAtariSmall,
    SelfAtariBig,
    TwoLibertiesLeft,
    Nakade,
    Connect,
    ConnectWeak,
    Cut,
    CutWeak,
    FalseEye,
    TouchesLast,
    TouchesLastAndWeak,
}

/// Number of plain features that are bits.
const BITS: usize = 31;
const LINES: usize = 5;
const PHASES: usize = 4;
/// Distances 2 to 16 and beyond.
const DISTANCES: usize = 16;
const LINE_BASE: usize = BITS;
const LAST_BASE: usize = LINE_BASE + LINES * PHASES;
const BEFORE_BASE: usize = LAST_BASE + DISTANCES;
const ONE_CLASS: usize = BEFORE_BASE + DISTANCES;
/// Number of plain features: small boards (up to 11x11) have their own.
pub const PLAIN_FEATURES: usize = 2 * ONE_CLASS;

/// Stones from which a chain is big.
const BIG: usize = 3;

/// Something that a move has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// The plain feature of this index, below [`PLAIN_FEATURES`].
    Plain(usize),
    /// The pattern with this key.
    Pattern(PatternKey),
}

/// Reads features from a board; keeps its memory from position to position.
#[derive(Debug)]
pub struct FeatureReader {
    grid: Grid,
    bits: PointMap<u32>,
    ladders: LadderReader,
    suggestions: Suggestions,
    color: Color,
    recent: Recent,
    class: usize,
    phase: usize,
}

impl Default for FeatureReader {
    fn default() -> FeatureReader {
        FeatureReader::new()
    }
}

impl FeatureReader {
    /// A reader that has seen nothing yet.
    pub fn new() -> FeatureReader {
        FeatureReader {
            grid: Grid::new(),
            bits: PointMap::new(0),
            ladders: LadderReader::new(),
            suggestions: Suggestions::new(),
            color: Color::Black,
            recent: Recent::NONE,
            class: 0,
            phase: 0,
        }
    }

    /// Looks at the whole board once, before single moves are asked about.
    pub fn prepare(&mut self, board: &Board, color: Color, recent: Recent) {
        let g = board.geometry();
        (self.color, self.recent) = (color, recent);
        self.class = if g.size() <= 11 { 0 } else { ONE_CLASS };
        let stones = g.area() - board.empty_count();
        // Bounds in percent of a full board.
        self.phase = [12, 30, 55].iter().filter(|&&bound| stones * 100 >= bound * g.area()).count();
        self.bits.prefix_mut(g.cells()).fill(0);
        self.grid.fill(board, color);
        for head in board.chain_heads() {
            match (board.cell(head).color() == Some(color), board.liberty_count(head)) {
                (true, 1) => self.own_chain_in_atari(board, head),
                (true, 2) => self.own_chain_with_two_liberties(board, head),
                (false, 1) => self.enemy_chain_in_atari(board, head),
                (false, 2) => self.enemy_chain_with_two_liberties(board, head),
                (own, 3) if board.chain_size(head) >= BIG => {
                    let bit = if own { Plain::ThirdLibertyOfOwn } else { Plain::ThirdLibertyOfEnemy };
                    for liberty in board.liberties(head) {
                        self.mark(liberty, bit);
                    }
                }
                _ => {}
            }
        }
        if let Some(last) = recent.last {
            self.suggestions.clear();
            candidates::nakade_moves(board, color, last, &mut self.suggestions);
            self.mark_suggestions(|_| Plain::Nakade);
            let weak = board.cell(last).color().is_some() && board.liberty_count(last) <= 2;
            for n in g.neighbors(last) {
                self.mark(n, if weak { Plain::TouchesLastAndWeak } else { Plain::TouchesLast });
            }
        }
    }

    /// Looks only as far as [`FeatureReader::visit_patterns`] needs.
    pub fn look(&mut self, board: &Board, color: Color) {
        self.grid.fill(board, color);
    }

    /// Calls `visit` with the key of each pattern around a point, from the smallest on, until it answers false.
    #[inline]
    pub fn visit_patterns(&self, board: &Board, point: Point, visit: impl FnMut(PatternKey) -> bool) {
        self.grid.visit_patterns(board.geometry(), point, visit);
    }

    fn mark(&mut self, point: Point, bit: Plain) {
        self.bits[point] |= 1 << bit as u32;
    }

    fn mark_suggestions(&mut self, bit: impl Fn(Reason) -> Plain) {
        for s in self.suggestions.as_slice() {
            self.bits[s.point] |= 1 << bit(s.reason) as u32;
        }
    }

    fn own_chain_in_atari(&mut self, board: &Board, head: Point) {
        let big = board.chain_size(head) >= BIG;
        self.suggestions.clear();
        candidates::save_chain(board, self.color, head, &mut self.suggestions);
        let in_vain = !self.suggestions.as_slice().is_empty() && self.ladders.is_caught(board, head);
        self.mark_suggestions(|reason| match (reason, in_vain, big) {
            (_, true, _) => Plain::EscapeInVain,
            (Reason::Capture, _, false) => Plain::SaveSmallByCapture,
            (Reason::Capture, _, true) => Plain::SaveBigByCapture,
            (_, _, false) => Plain::EscapeSmall,
            (_, _, true) => Plain::EscapeBig,
        });
    }

    fn own_chain_with_two_liberties(&mut self, board: &Board, head: Point) {
        let big = board.chain_size(head) >= BIG;
        let threatened = self.ladders.capturing_move(board, head).is_some();
        let bit = match (threatened, big) {
            (true, false) => Plain::DefendSmall,
            (true, true) => Plain::DefendBig,
            (false, false) => Plain::ExtendSmall,
            (false, true) => Plain::ExtendBig,
        };
        for liberty in board.two_liberties(head) {
            self.mark(liberty, bit);
        }
    }

    fn enemy_chain_in_atari(&mut self, board: &Board, head: Point) {
        let bit = match board.chain_size(head) {
            1 => Plain::CaptureOne,
            2..=4 => Plain::CaptureFew,
            _ => Plain::CaptureMany,
        };
        let point = board.first_liberty(head);
        self.mark(point, bit);
        if self.is_chain_of_last(board, head) {
            self.mark(point, Plain::CaptureLast);
        }
    }

    fn enemy_chain_with_two_liberties(&mut self, board: &Board, head: Point) {
        let big = board.chain_size(head) >= BIG;
        let start = self.ladders.capturing_move(board, head);
        let is_last = self.is_chain_of_last(board, head);
        for liberty in board.two_liberties(head) {
            self.mark(liberty, if big { Plain::AtariBig } else { Plain::AtariSmall });
            if is_last {
                self.mark(liberty, Plain::AtariLast);
            }
        }
        if let Some(start) = start {
            self.mark(start, if big { Plain::LadderBig } else { Plain::LadderSmall });
        }
    }

    fn is_chain_of_last(&self, board: &Board, head: Point) -> bool {
        self.recent.last.is_some_and(|last| board.chain_head(last) == head && board.cell(last) == board.cell(head))
    }

    /// Calls `visit` with each feature of a playable move; patterns come last, from the smallest to the largest,
    /// and end when `visit` answers false.
    #[inline]
    pub fn visit(&self, board: &Board, point: Point, mut visit: impl FnMut(Feature) -> bool) {
        let g = board.geometry();
        let mut bits = self.bits[point] | self.bits_of_point(board, point);
        while bits != 0 {
            visit(Feature::Plain(self.class + bits.trailing_zeros() as usize));
            bits &= bits - 1;
        }
        let line = g.line(point).min(LINES) - 1;
        visit(Feature::Plain(self.class + LINE_BASE + LINES * self.phase + line));
        for (base, other) in [(LAST_BASE, self.recent.last), (BEFORE_BASE, self.recent.before)] {
            if let Some(other) = other {
                let distance = g.distance(other, point).clamp(2, DISTANCES + 1) - 2;
                visit(Feature::Plain(self.class + base + distance));
            }
        }
        self.visit_patterns(board, point, |key| visit(Feature::Pattern(key)));
    }

    /// The features that only concern the point and its neighbours.
    #[inline]
    fn bits_of_point(&self, board: &Board, point: Point) -> u32 {
        let color = self.color;
        let around = board.around(point);
        let mut bits = 0;
        let mut set = |bit: Plain| bits |= 1u32 << bit as u32;
        let left = liberties_after(board, point, color, 3);
        if left == 1 && is_bad_self_atari(board, point, color) {
            let joins = board
                .geometry()
                .flagged_neighbors(point, around.stones(color))
                .map(|n| board.chain_size(n))
                .sum::<usize>();
            set(if joins + 1 >= BIG { Plain::SelfAtariBig } else { Plain::SelfAtariSmall });
        } else if left == 2 {
            set(Plain::TwoLibertiesLeft);
        }
        for (of, joined, weak) in
            [(color, Plain::Connect, Plain::ConnectWeak), (color.opponent(), Plain::Cut, Plain::CutWeak)]
        {
            let (count, weakest) = chains_beside(board, point, of);
            if count >= 2 {
                set(if weakest <= 2 { weak } else { joined });
            }
        }
        if around.is_enclosed_by(color) {
            set(Plain::FalseEye);
        }
        bits
    }
}

/// Number of different chains of `color` next to a point, and the fewest liberties among them.
#[inline]
fn chains_beside(board: &Board, point: Point, color: Color) -> (usize, usize) {
    let mut heads = [Point::NONE; 4];
    let (mut count, mut weakest) = (0, usize::MAX);
    for n in board.geometry().flagged_neighbors(point, board.around(point).stones(color)) {
        let head = board.chain_head(n);
        if !heads[..count].contains(&head) {
            heads[count] = head;
            count += 1;
            weakest = weakest.min(board.liberty_count(head));
        }
    }
    (count, weakest)
}
