//! What is agreed before a game, and who plays it: all that does not change from move to move.

use serde::{Deserialize, Serialize};

use super::seats::{Digest, Seat, TOKENS_PER_SEAT};
use crate::color::Color;
use crate::level::Level;

/// Who plays one color.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Player {
    /// A person; the seat is free as long as there is no token.
    Human {
        /// What the person wants to be called; may be empty.
        name: String,
        /// Digests of the tokens that have the seat.
        tokens: Vec<Digest>,
    },
    /// Keima.
    Cpu {
        /// How strong.
        #[serde(with = "level_name")]
        level: Level,
    },
}

mod level_name {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::level::Level;

    pub fn serialize<S: Serializer>(level: &Level, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(level.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Level, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What does not change from move to move. It is the JSON file beside the record of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Charter {
    /// When the game was made, in seconds since 1970.
    pub created: u64,
    /// Who has the black stones.
    pub black: Player,
    /// Who has the white stones.
    pub white: Player,
    /// Whether one seat has both colors.
    pub both: bool,
    /// The color of the seat that is, or was, given by invitation.
    #[serde(with = "super::notes::color_word_or_none")]
    pub guest: Option<Color>,
    /// The invitation to that seat.
    pub invitation: Option<Digest>,
    /// The key with which the invitation was claimed.
    pub join_key: Option<Digest>,
    /// The key with which the game was made.
    pub made_by: Option<Digest>,
    /// Stones to capture for a win; 0 in ordinary games.
    pub first_capture: usize,
    /// Whether others may watch.
    pub spectators: bool,
    /// Whether moves may be taken back.
    pub undo: bool,
    /// The chance of the engine.
    pub seed: u64,
    /// Moves that came with the record from which the game goes on; they are not taken back.
    pub floor: usize,
}

impl Charter {
    /// The player of a color.
    pub fn player(&self, color: Color) -> &Player {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// The player of a color, to be changed.
    pub fn player_mut(&mut self, color: Color) -> &mut Player {
        match color {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }

    /// The level of the engine that has this color, if it has.
    pub fn level(&self, color: Color) -> Option<Level> {
        match self.player(color) {
            Player::Cpu { level } => Some(*level),
            Player::Human { .. } => None,
        }
    }

    /// The color of the engine, if it plays.
    pub fn cpu(&self) -> Option<Color> {
        Color::BOTH.into_iter().find(|&color| self.level(color).is_some())
    }

    /// Whether two people at two devices play.
    pub fn is_between_friends(&self) -> bool {
        self.cpu().is_none() && !self.both
    }

    /// The color whose seat is free, if one is.
    pub fn free_color(&self) -> Option<Color> {
        let is_free = |color: &Color| match self.player(*color) {
            Player::Human { tokens, .. } => tokens.is_empty(),
            Player::Cpu { .. } => false,
        };
        if self.both { None } else { Color::BOTH.into_iter().find(is_free) }
    }

    /// The seat that a token has.
    pub fn seat_of(&self, token: &Digest) -> Option<Seat> {
        let has = |color: &Color| match self.player(*color) {
            Player::Human { tokens, .. } => tokens.contains(token),
            Player::Cpu { .. } => false,
        };
        let color = Color::BOTH.into_iter().find(has)?;
        Some(if self.both { Seat::Both } else { Seat::One(color) })
    }

    /// Gives a token a seat; the oldest of too many loses it.
    pub fn give(&mut self, color: Color, token: Digest) {
        if let Player::Human { tokens, .. } = self.player_mut(color) {
            tokens.push(token);
            if tokens.len() > TOKENS_PER_SEAT {
                tokens.remove(0);
            }
        }
    }

    /// Names the person who has a seat. Whether that is new.
    pub fn rename(&mut self, seat: Seat, name: &str) -> bool {
        let color = if seat.has(Color::Black) { Color::Black } else { Color::White };
        match self.player_mut(color) {
            Player::Human { name: own, .. } if own != name => {
                *own = name.to_string();
                true
            }
            _ => false,
        }
    }

    /// The name of a player for the record of the game.
    pub fn display_name(&self, color: Color) -> String {
        match self.player(color) {
            Player::Human { name, .. } => name.clone(),
            Player::Cpu { level } => format!("Keima {level}"),
        }
    }
}
