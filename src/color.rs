//! Who: the two colors and a pair of values indexed by them.

use std::fmt;
use std::ops::{Index, IndexMut};

/// A player, and the color of that player's stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Color {
    /// Moves first in an even game.
    Black,
    /// Receives komi.
    White,
}

impl Color {
    /// Both colors, Black first.
    pub const BOTH: [Color; 2] = [Color::Black, Color::White];

    /// The opponent of this color.
    #[inline]
    pub const fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// 0 for Black, 1 for White.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `+1` for Black, `-1` for White: the sign of a score seen from Black.
    #[inline]
    pub const fn sign(self) -> i32 {
        match self {
            Color::Black => 1,
            Color::White => -1,
        }
    }

    /// The letter used by SGF and in results: `B` or `W`.
    pub const fn letter(self) -> char {
        match self {
            Color::Black => 'B',
            Color::White => 'W',
        }
    }
}

/// The word GTP uses: `black` or `white`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}

/// One value for each color.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PerColor<T>(pub [T; 2]);

impl<T> Index<Color> for PerColor<T> {
    type Output = T;
    #[inline]
    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for PerColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}
