//! Playouts: games played to the end by a fast policy, and what they leave behind.

pub mod candidates;
pub mod local;
mod policy;

pub use policy::{PlayoutParams, Policy};

use crate::board::{Board, Cell};
use crate::color::Color;
use crate::geometry::{Move, Point, PointMap};
use crate::rng::Rng;

/// Who was the first to play on each point, in the tree and the playout together.
///
/// Cleared by raising a counter, not by writing: an entry counts only if it carries the current number.
#[derive(Clone, Debug)]
pub struct FirstPlays {
    entries: PointMap<u32>,
    generation: u32,
}

impl Default for FirstPlays {
    fn default() -> FirstPlays {
        FirstPlays::new()
    }
}

impl FirstPlays {
    /// Nothing played.
    pub fn new() -> FirstPlays {
        FirstPlays { entries: PointMap::new(0), generation: 2 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(2);
        if self.generation < 2 {
            *self = FirstPlays::new();
        }
    }

    /// Notes that `color` played on `point`; only the first note counts.
    #[inline]
    pub fn note(&mut self, point: Point, color: Color) {
        let entry = &mut self.entries[point];
        if *entry & !1 != self.generation {
            *entry = self.generation | color.index() as u32;
        }
    }

    /// Notes that `color` played on `point` before everything noted so far.
    #[inline]
    pub fn note_earlier(&mut self, point: Point, color: Color) {
        self.entries[point] = self.generation | color.index() as u32;
    }

    /// Whether `color` was the first to play on `point`.
    #[inline]
    pub fn is_first(&self, point: Point, color: Color) -> bool {
        self.entries[point] == self.generation | color.index() as u32
    }
}

/// The moves before the current one that the policy looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recent {
    /// The opponent's move just made.
    pub last: Option<Point>,
    /// The own move before it.
    pub before: Option<Point>,
}

impl Recent {
    /// No moves to look at.
    pub const NONE: Recent = Recent { last: None, before: None };

    /// The state after these moves.
    pub fn of_moves(moves: impl Iterator<Item = Move>) -> Recent {
        moves.fold(Recent::NONE, Recent::after)
    }

    /// The state after one more move.
    #[inline]
    pub fn after(self, mv: Move) -> Recent {
        Recent { last: mv.point(), before: self.last }
    }
}

/// Plays on from `board` with `color` to move until both pass or the game is cut off as too long, and returns Black's area minus White's,
/// with the number of moves it took.
///
/// Superko is ignored, which is why length is capped; suicide is never played.
pub fn play_out(
    board: &mut Board,
    color: Color,
    recent: Recent,
    policy: &mut Policy<'_>,
    rng: &mut Rng,
    first_plays: &mut FirstPlays,
) -> (i32, u64) {
    let longest = policy.params().max_moves(board.geometry().area());
    // Two loops, so that the baseline's has nothing in it but the baseline.
    if policy.params().light {
        play_by(Policy::uniform, longest, board, color, recent, rng, first_plays)
    } else {
        let choose = |board: &mut Board, color, recent, rng: &mut Rng| policy.choose(board, color, recent, rng);
        play_by(choose, longest, board, color, recent, rng, first_plays)
    }
}

/// Plays on by the moves of `choose`.
#[inline(always)]
fn play_by(
    mut choose: impl FnMut(&mut Board, Color, Recent, &mut Rng) -> Move,
    longest: usize,
    board: &mut Board,
    mut color: Color,
    mut recent: Recent,
    rng: &mut Rng,
    first_plays: &mut FirstPlays,
) -> (i32, u64) {
    let mut passes = 0;
    let mut moves = 0;
    for _ in 0..longest {
        let mv = choose(board, color, recent, rng);
        moves += 1;
        match mv {
            Move::Play(point) => {
                passes = 0;
                first_plays.note(point, color);
                board.play(point, color);
            }
            Move::Pass => {
                passes += 1;
                board.clear_ko();
                if passes == 2 {
                    break;
                }
            }
        }
        recent = recent.after(mv);
        color = color.opponent();
    }
    (final_margin(board), moves)
}

/// Black's area minus White's on a board played out until only eyes are empty: stones and points with neighbours of one color.
pub fn final_margin(board: &Board) -> i32 {
    let stones = board.stones_on_board(Color::Black) as i32 - board.stones_on_board(Color::White) as i32;
    let eyes: i32 = board.empty_points().iter().filter_map(|&p| eye_owner(board, p)).map(Color::sign).sum();
    stones + eyes
}

/// Whose point this is on a played-out board.
#[inline]
pub fn final_owner(board: &Board, point: Point) -> Option<Color> {
    match board.cell(point) {
        Cell::Empty => eye_owner(board, point),
        cell => cell.color(),
    }
}

#[inline]
fn eye_owner(board: &Board, point: Point) -> Option<Color> {
    let around = board.around(point);
    match (around.has_neighbor(Color::Black), around.has_neighbor(Color::White)) {
        (true, false) => Some(Color::Black),
        (false, true) => Some(Color::White),
        _ => None,
    }
}
