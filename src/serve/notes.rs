//! What changes from move to move beside the moves, and how all of a game becomes one file: an SGF record with one property of our own.
//!
//! One file, since two cannot be replaced at the same moment: whatever instant a crash picks, moves, version and marks belong together.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::charter::Charter;
use super::seats::color_name;
use super::table::Table;
use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Geometry, Point};
use crate::rules::Rules;
use crate::score::Score;
use crate::sgf::{Header, Property, ReplayError, SgfError, decode, read_trees, unescaped, write_game};

/// The property of the root that holds the notes; private properties are allowed by FF\[4\], and other programs keep them.
const PROPERTY: &str = "KEIMA";

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "by")]
pub enum Ending {
    /// Counted and agreed on: half points in favor of Black.
    Score {
        /// Black's points minus White's, in half points.
        half_points: i32,
    },
    /// A player gave up.
    Resign {
        /// Who won.
        #[serde(with = "color_word")]
        winner: Color,
    },
    /// A first-capture game: enough stones were taken, or both passed.
    Capture {
        /// Who won, if anybody.
        #[serde(with = "color_word_or_none")]
        winner: Option<Color>,
    },
    /// A player did not come back.
    Claim {
        /// Who won.
        #[serde(with = "color_word")]
        winner: Color,
    },
    /// A cycle that neither side breaks, or a game without an end.
    NoResult,
}

mod color_word {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::super::seats::color_name;
    use crate::color::Color;

    pub fn serialize<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(color_name(*color))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
        let text = String::deserialize(deserializer)?;
        let named = Color::BOTH.into_iter().find(|&color| color_name(color) == text);
        named.ok_or_else(|| serde::de::Error::custom("a color is black or white"))
    }
}

/// A color or none in JSON.
pub(super) mod color_word_or_none {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::super::seats::color_name;
    use crate::color::Color;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's interface")]
    pub fn serialize<S: Serializer>(color: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
        color.map(color_name).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Color>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        Ok(text.and_then(|text| Color::BOTH.into_iter().find(|&color| color_name(color) == text)))
    }
}

impl Ending {
    /// The word of the interface.
    pub fn code(self) -> &'static str {
        match self {
            Ending::Score { .. } => "score",
            Ending::Resign { .. } => "resign",
            Ending::Capture { .. } => "capture",
            Ending::Claim { .. } => "claim",
            Ending::NoResult => "no-result",
        }
    }

    /// Who won; `None` for a draw and for no result.
    pub fn winner(self) -> Option<Color> {
        match self {
            Ending::Score { half_points } => match half_points {
                0 => None,
                1.. => Some(Color::Black),
                _ => Some(Color::White),
            },
            Ending::Resign { winner } | Ending::Claim { winner } => Some(winner),
            Ending::Capture { winner } => winner,
            Ending::NoResult => None,
        }
    }

    /// As SGF writes results: `B+3.5`, `W+R`, `W+F` for who did not come back, `0`, `Void`.
    pub fn text(self) -> String {
        let won = |winner: Color, how: &str| format!("{}+{how}", winner.letter());
        match self {
            Ending::Score { half_points: 0 } | Ending::Capture { winner: None } => "0".to_string(),
            Ending::Score { half_points } => {
                let winner = if half_points > 0 { Color::Black } else { Color::White };
                won(winner, &format!("{:.1}", f64::from(half_points.abs()) / 2.0))
            }
            Ending::Resign { winner } => won(winner, "R"),
            Ending::Capture { winner: Some(winner) } => won(winner, ""),
            Ending::Claim { winner } => won(winner, "F"),
            Ending::NoResult => "Void".to_string(),
        }
    }

    /// The ending by this score.
    pub fn by_score(score: Score) -> Ending {
        Ending::Score { half_points: score.half_points() }
    }
}

/// The last write of a seat: it may come again when its answer was lost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Done {
    /// The version that it expected.
    pub version: u64,
    /// What it was.
    pub action: String,
}

/// What is known while a board is counted.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counting {
    /// Whether the engine has judged the stones.
    pub judged: bool,
    /// The stones that the engine holds for dead, by name.
    pub by_keima: Vec<String>,
    /// The stones that come off, by name.
    pub dead: Vec<String>,
    /// Which colors accept the count.
    pub accepted: [bool; 2],
}

/// What changes from move to move beside the moves.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Notes {
    /// Grows by one with each change.
    pub version: u64,
    /// How the game ended, if it has.
    pub ending: Option<Ending>,
    /// The count, from two passes on.
    pub counting: Option<Counting>,
    /// Which color asks to take a move back.
    pub undo_request: [bool; 2],
    /// The last write of each seat.
    pub done: [Option<Done>; 2],
    /// Which colors want another game.
    pub rematch: [bool; 2],
    /// The other game.
    pub next_game: Option<String>,
}

/// Why the files of a game cannot be used.
#[derive(Debug)]
pub enum BrokenGame {
    /// The record is no SGF, or a move in it is impossible.
    Record(String),
    /// The notes in the record cannot be read.
    Notes,
    /// The file of the seats cannot be read.
    Charter(serde_json::Error),
}

impl fmt::Display for BrokenGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BrokenGame::Record(error) => write!(f, "the record cannot be read: {error}"),
            BrokenGame::Notes => write!(f, "the record has no readable property {PROPERTY}"),
            BrokenGame::Charter(error) => write!(f, "the seats cannot be read: {error}"),
        }
    }
}

impl std::error::Error for BrokenGame {}

impl From<SgfError> for BrokenGame {
    fn from(error: SgfError) -> BrokenGame {
        BrokenGame::Record(error.to_string())
    }
}

impl From<ReplayError> for BrokenGame {
    fn from(error: ReplayError) -> BrokenGame {
        BrokenGame::Record(error.to_string())
    }
}

/// The record of a game for people.
pub fn record(charter: &Charter, game: &Game, ending: Option<Ending>) -> String {
    let header = Header {
        black: charter.display_name(Color::Black),
        white: charter.display_name(Color::White),
        result: ending.map_or(String::new(), Ending::text),
        ..Header::default()
    };
    write_game(game, &header, &[])
}

/// All of a game as it is kept, but for its charter.
///
/// # Errors
/// Never for a game that was read or made here.
pub fn write(table: &Table) -> Result<String, BrokenGame> {
    let text = record(&table.charter, &table.game, table.notes.ending);
    let notes = serde_json::to_string(&table.notes).map_err(|_| BrokenGame::Notes)?;
    let mut tree = read_trees(&text).into_iter().next().ok_or(BrokenGame::Notes)??;
    tree.nodes[0].set(Property::with_text(PROPERTY, &notes));
    Ok(tree.write())
}

/// Reads what [`write()`] and the file of the charter hold.
///
/// # Errors
/// When they are damaged.
pub fn read(id: &str, record: &[u8], charter: &[u8]) -> Result<Table, BrokenGame> {
    let charter: Charter = serde_json::from_slice(charter).map_err(BrokenGame::Charter)?;
    let (text, _) = decode(record);
    let tree = read_trees(&text).into_iter().next().ok_or(BrokenGame::Notes)??;
    let written = tree.nodes[0].get(PROPERTY).and_then(|property| property.values.first()).ok_or(BrokenGame::Notes)?;
    let notes: Notes = serde_json::from_slice(&unescaped(written)).map_err(|_| BrokenGame::Notes)?;
    let record = tree.record()?;
    let game = record.to_game(record.rules().unwrap_or(Rules::AS_IS))?;
    Ok(Table { id: id.to_string(), charter, game, notes })
}

/// The names of points.
pub fn names(geometry: Geometry, points: &[Point]) -> Vec<String> {
    points.iter().map(|&point| geometry.point_name(point)).collect()
}

/// The points of these names.
pub fn points(geometry: Geometry, names: &[String]) -> Vec<Point> {
    names.iter().filter_map(|name| geometry.parse_move(name).ok()?.point()).collect()
}

/// The words of those colors of which something holds.
pub fn colors(flags: [bool; 2]) -> Vec<&'static str> {
    Color::BOTH.into_iter().filter(|color| flags[color.index()]).map(color_name).collect()
}
