//! The positions the signature is taken from: openings, fights, ladders and endings on three sizes.

use crate::color::Color;

/// A position and how much to search it.
pub(super) struct Position {
    /// What it shows.
    pub name: &'static str,
    /// Board size.
    pub size: usize,
    /// Stones on the board before the moves, if any.
    pub diagram: Option<&'static str>,
    /// Who moves first.
    pub first: Color,
    /// Moves from there, colors alternating.
    pub moves: &'static str,
    /// Simulations to spend.
    pub simulations: u64,
}

const fn played(name: &'static str, size: usize, moves: &'static str, simulations: u64) -> Position {
    Position { name, size, diagram: None, first: Color::Black, moves, simulations }
}

const fn drawn(name: &'static str, size: usize, diagram: &'static str, first: Color) -> Position {
    Position { name, size, diagram: Some(diagram), first, moves: "", simulations: 1200 }
}

/// The positions, in the order in which they are searched.
pub(super) const POSITIONS: [Position; 14] = [
    played("empty 9x9", 9, "", 1200),
    played("empty 13x13", 13, "", 600),
    played("empty 19x19", 19, "", 300),
    played("9x9 opening", 9, "E5 G5 G4 F4 G6 F5 H5", 1200),
    played("9x9 corner fight", 9, "C3 G7 C7 C6 D6 C5 B6 B5 D7 G3", 1200),
    played("9x9 answered pass", 9, "E5 C4 E3 D6 pass", 1200),
    played("13x13 opening", 13, "D4 K10 D10 K4 G3 C6 F10 L7", 600),
    played("19x19 opening", 19, "Q16 D4 Q4 D16 C6 F4 R10 O17 R14 K16", 300),
    played("19x19 contact", 19, "Q16 D4 C16 Q4 R6 R5 Q6 P5 O6 E16 D17 E17 E15 F15", 300),
    drawn(
        "a ladder",
        7,
        ". . . . . . . / . . X . . . . / . X O X . . . / . X . . . . . / . . . . . . . / . . . . . . . / . . . . . . .",
        Color::White,
    ),
    drawn(
        "a ladder with a breaker",
        7,
        ". . . . . . . / . . X . . . . / . X O X . . . / . X . . . . . / . . . . . . . / . . . . . O . / . . . . . . .",
        Color::White,
    ),
    drawn(
        "five points to live in",
        7,
        ". . . . . . . / O O O O O . . / X X X X O . . / . . . X O . . / X X X X O . . / O O O O O . . / . . . . . . .",
        Color::White,
    ),
    drawn("close fight", 5, ". O X . O / O O X O O / X X X O . / . X O O O / X . X O .", Color::Black),
    drawn("small ending", 5, ". X O . . / X X O . O / . X O O . / X X X O O / . X . X O", Color::Black),
];
