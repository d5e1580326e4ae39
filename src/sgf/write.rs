//! From a [`Game`] to text.

use std::fmt::Write as _;

use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Geometry, Move, Point};

/// Moves on one line of the file.
const MOVES_PER_LINE: usize = 12;

/// What a record says beside the moves. Empty strings are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// Name of the player with the black stones.
    pub black: String,
    /// Name of the player with the white stones.
    pub white: String,
    /// The result, such as `B+3.5`, `W+R` or `0`.
    pub result: String,
    /// Date as `YYYY-MM-DD`.
    pub date: String,
    /// The match or tournament.
    pub event: String,
    /// Number of the game in it.
    pub round: String,
    /// A text about the whole game.
    pub comment: String,
}

/// The record of a game in UTF-8, ending in a line feed; `comments[i]`, if there is one and it is not empty, goes with
/// the move of index `i`.
pub fn write_game(game: &Game, header: &Header, comments: &[String]) -> String {
    let geometry = game.geometry();
    let mut text = String::from("(;GM[1]FF[4]CA[UTF-8]");
    property(&mut text, "AP", &format!("Keima:{}", env!("CARGO_PKG_VERSION")));
    property(&mut text, "SZ", &geometry.size().to_string());
    property(&mut text, "KM", &game.komi().to_string());
    property(&mut text, "RU", game.rules().name);
    text.push('\n');
    for (name, value) in [
        ("PB", &header.black),
        ("PW", &header.white),
        ("EV", &header.event),
        ("RO", &header.round),
        ("DT", &header.date),
        ("RE", &header.result),
        ("C", &header.comment),
    ] {
        property(&mut text, name, value);
    }
    if game.handicap() > 0 {
        property(&mut text, "HA", &game.handicap().to_string());
    }
    for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let mut name = Some(name);
        for &(point, _) in game.set_up_stones().iter().filter(|&&(_, stone)| stone == color) {
            let _ = write!(text, "{}[{}]", name.take().unwrap_or(""), point_name(geometry, point));
        }
    }
    if !game.set_up_stones().is_empty() {
        let first = game.turns().first().map_or(game.to_move(), |turn| turn.color);
        let _ = write!(text, "PL[{}]", first.letter());
    }
    for (i, turn) in game.turns().iter().enumerate() {
        if i % MOVES_PER_LINE == 0 {
            text.push('\n');
        }
        let place = match turn.mv {
            Move::Play(point) => point_name(geometry, point),
            Move::Pass => String::new(),
        };
        let _ = write!(text, ";{}[{place}]", turn.color.letter());
        property(&mut text, "C", comments.get(i).map_or("", String::as_str));
    }
    text.push_str(")\n");
    text
}

/// Adds a property with a text value, unless the text is empty.
fn property(text: &mut String, name: &str, value: &str) {
    if value.is_empty() {
        return;
    }
    text.push_str(name);
    text.push('[');
    for c in value.chars() {
        if matches!(c, ']' | '\\') {
            text.push('\\');
        }
        text.push(c);
    }
    text.push(']');
}

/// Column from the left and row from the top as letters.
fn point_name(geometry: Geometry, point: Point) -> String {
    let (x, y) = geometry.xy(point);
    let letter = |index: usize| char::from(b'a' + index as u8);
    [letter(x), letter(geometry.size() - 1 - y)].iter().collect()
}
