//! Game records: the part of SGF FF\[4\] that a Go engine needs, in and out.
//!
//! Reading gives each game as a [`GameTree`] with everything that was written, and its main line as a [`Record`], which becomes a [`Game`] on
//! request. Readers of old files must be forgiving, so every encoding ([`decode`]), line
//! ends of every kind, the long property names of FF\[3\], decimal commas and missing closing parentheses are accepted;
//! what would change the game (an unreadable point) is an error with its line. Stones that are set up in mid-game end one game and
//! begin another, which the rest of the record belongs to.
//!
//! The parser is our own: it needs no recursion, keeps line numbers, and goes on behind a broken game.
//! The crate `sgf-parse` 4.2 was tried and has none of this (and overflows the stack on a record of many nodes).

mod parse;
#[cfg(test)]
mod tests;
mod text;
mod tree;
mod write;

use std::fmt;

use crate::color::{Color, PerColor};
use crate::game::{Game, IllegalMove, SetUpError};
use crate::geometry::{Geometry, Move, Point};
use crate::rules::{Rules, plain_name};
use crate::score::Komi;

/// More than anybody changes the board of one game.
const MOST_EDITS: usize = 10_000;

pub use text::decode;
pub use tree::{GameTree, Node, Property, read_trees, unescaped};
pub use write::{Header, write_game};

/// The main line of one game as it was read.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The grid of the board: `SZ`, 19x19 where missing.
    pub geometry: Geometry,
    /// Points for White: `KM`.
    pub komi: Option<Komi>,
    /// Name of the rules as written: `RU`. See [`Record::rules`].
    pub rules_name: Option<String>,
    /// Number of handicap stones: `HA`, 0 where missing.
    pub handicap: usize,
    /// Stones placed before the first move: `AB` and `AW`, row by row from A1.
    pub set_up: Vec<(Point, Color)>,
    /// Who moves first: `PL`, or else the color of the first move, or else White in a handicap game.
    pub first_to_move: Color,
    /// The moves.
    pub moves: Vec<(Color, Move)>,
    /// What was changed on the board between them, in order.
    pub edits: Vec<Edit>,
    /// Names of the players: `PB` and `PW`.
    pub names: PerColor<Option<String>>,
    /// The result as written: `RE`.
    pub result: Option<String>,
}

/// A change of the board that is no move: `AB`, `AW` and `AE` after the first move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// How many moves were made before it.
    pub after: usize,
    /// The points, and what stands on them from then on.
    pub points: Vec<(Point, Option<Color>)>,
    /// Who moves then, where the record says so: `PL`.
    pub to_move: Option<Color>,
}

/// Reads every game of a collection, one at least.
///
/// # Errors
/// When the bytes are not SGF, a game is not Go, or its board, stones or moves cannot be understood.
pub fn read_games(bytes: &[u8]) -> Result<Vec<Record>, SgfError> {
    let (text, _) = decode(bytes);
    read_trees(&text).into_iter().map(|tree| tree?.record()).collect()
}

impl GameTree<'_> {
    /// The main line.
    ///
    /// # Errors
    /// When this is not Go, or board, stones or moves cannot be understood.
    pub fn record(&self) -> Result<Record, SgfError> {
        parse::record(self)
    }
}

impl Record {
    /// The rule set that `RU` names, if it is one of ours.
    pub fn rules(&self) -> Option<Rules> {
        let name = plain_name(self.rules_name.as_deref()?);
        match name.as_str() {
            "cn" => Some(Rules::CHINESE),
            "jp" => Some(Rules::JAPANESE),
            "tt" | "tromptaylor" => Some(Rules::TROMP_TAYLOR),
            name => Rules::by_name(name).ok(),
        }
    }

    /// Whether the board was changed after that many moves, so that the next position is not what the last move made.
    pub fn is_edited_after(&self, moves: usize) -> bool {
        self.edits.iter().any(|edit| edit.after == moves)
    }

    /// The whole game under `rules`, from where the board was last changed otherwise than by moves; without `KM` the komi is [`Komi::DEFAULT`], or half a point in a handicap game.
    ///
    /// # Errors
    /// When stones set up or a move are not possible under these rules.
    pub fn to_game(&self, rules: Rules) -> Result<Game, ReplayError> {
        self.replay(rules, self.moves.len())
    }

    /// The game as it was before move `move_number`, counted from 1: what GTP's `loadsgf` asks for.
    /// A number past the end gives the whole game.
    ///
    /// # Errors
    /// As for [`Record::to_game`], but only for what happened before that move.
    pub fn game_at(&self, rules: Rules, move_number: usize) -> Result<Game, ReplayError> {
        self.replay(rules, move_number.saturating_sub(1))
    }

    fn replay(&self, rules: Rules, move_count: usize) -> Result<Game, ReplayError> {
        let half_a_point = || Komi::from_points(0.5).unwrap_or(Komi::DEFAULT);
        let default_komi = if self.handicap > 0 { half_a_point() } else { Komi::DEFAULT };
        let mut game = Game::new(self.geometry, rules, self.komi.unwrap_or(default_komi));
        let all_black = self.set_up.iter().all(|&(_, color)| color == Color::Black);
        if self.handicap > 0 && self.handicap == self.set_up.len() && all_black {
            let points: Vec<Point> = self.set_up.iter().map(|&(point, _)| point).collect();
            game.place_handicap(&points).map_err(|reason| ReplayError::SetUp { after: 0, reason })?;
        } else {
            game.set_up(&self.set_up).map_err(|reason| ReplayError::SetUp { after: 0, reason })?;
        }
        game.set_first_to_move(self.first_to_move);
        let mut edits = self.edits.iter().peekable();
        for after in 0..=move_count.min(self.moves.len()) {
            while let Some(edit) = edits.next_if(|edit| edit.after == after) {
                game = game.edited(&edit.points).map_err(|reason| ReplayError::SetUp { after, reason })?;
                let next = self.moves.get(after).map(|&(color, _)| color);
                game.set_first_to_move(edit.to_move.or(next).unwrap_or(game.to_move()));
            }
            if let Some(&(color, mv)) = self.moves[..move_count.min(self.moves.len())].get(after) {
                game.follow(color, mv).map_err(|reason| ReplayError::Move { number: after + 1, reason })?;
            }
        }
        Ok(game)
    }
}

/// Why bytes could not be read as game records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SgfError {
    /// Line of the trouble, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub kind: SgfErrorKind,
}

/// What can be wrong with a game record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SgfErrorKind {
    /// There is no `(;` anywhere.
    NoGame,
    /// A byte that has no meaning where it stands.
    UnexpectedByte(u8),
    /// The file ends within a property value.
    UnterminatedValue,
    /// A property, named here, has no value.
    MissingValue(String),
    /// `GM` says that this is another game.
    NotGo(String),
    /// The board size is not a number or out of range, or the board is not square.
    BadSize(String),
    /// A point or list of points is not on the board.
    BadPoint(String),
    /// Komi or number of handicap stones (the property is named first) cannot be read.
    BadNumber(&'static str, String),
    /// Stones are set up again and again between moves.
    TooManyEdits,
}

impl fmt::Display for SgfErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SgfErrorKind::NoGame => f.write_str("no game record found"),
            SgfErrorKind::UnexpectedByte(byte) => write!(f, "unexpected {:?}", char::from(*byte)),
            SgfErrorKind::UnterminatedValue => f.write_str("the file ends within a property value"),
            SgfErrorKind::MissingValue(name) => write!(f, "property {name} has no value"),
            SgfErrorKind::NotGo(game) => write!(f, "not a game of Go: GM is {game:?}"),
            SgfErrorKind::BadSize(text) => write!(f, "unacceptable board size {text:?}"),
            SgfErrorKind::BadPoint(text) => write!(f, "{text:?} is not on the board"),
            SgfErrorKind::BadNumber(name, text) => write!(f, "{name} is not a number: {text:?}"),
            SgfErrorKind::TooManyEdits => {
                write!(f, "stones are set up more than {MOST_EDITS} times after the first move")
            }
        }
    }
}

impl fmt::Display for SgfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

impl std::error::Error for SgfError {}

/// Why a record cannot be played out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// Stones that are set up cannot stand like that.
    SetUp {
        /// How many moves were made before.
        after: usize,
        /// Why.
        reason: SetUpError,
    },
    /// A move is illegal.
    Move {
        /// Which one, counted from 1.
        number: usize,
        /// Why.
        reason: IllegalMove,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::SetUp { after: 0, reason } => write!(f, "stones set up: {reason}"),
            ReplayError::SetUp { after, reason } => write!(f, "stones set up after move {after}: {reason}"),
            ReplayError::Move { number, reason } => write!(f, "move {number} is illegal: {reason}"),
        }
    }
}

impl std::error::Error for ReplayError {}
