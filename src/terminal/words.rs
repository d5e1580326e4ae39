//! What a person may type, and what it means.

use std::path::PathBuf;

use crate::geometry::{Geometry, Move};

/// A line of input understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Input {
    Nothing,
    Move(Move),
    Undo,
    Hint,
    Score,
    Board,
    Save(Option<PathBuf>),
    Resign,
    Help,
    Quit,
}

const WORDS: [(&str, Input); 10] = [
    ("pass", Input::Move(Move::Pass)),
    ("undo", Input::Undo),
    ("hint", Input::Hint),
    ("score", Input::Score),
    ("board", Input::Board),
    ("save", Input::Save(None)),
    ("resign", Input::Resign),
    ("help", Input::Help),
    ("quit", Input::Quit),
    ("exit", Input::Quit),
];

/// Reads a line: a point, or a word or enough of its first letters.
///
/// # Errors
/// Says what is wrong with it.
pub(super) fn read(line: &str, geometry: Geometry) -> Result<Input, String> {
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (first, rest) = (first.to_ascii_lowercase(), rest.trim());
    if first.is_empty() {
        return Ok(Input::Nothing);
    }
    if first == "?" {
        return Ok(Input::Help);
    }
    let input = match geometry.parse_move(&first) {
        Ok(mv) => Input::Move(mv),
        Err(_) => word(&first)?,
    };
    match input {
        Input::Save(_) => Ok(Input::Save((!rest.is_empty()).then(|| PathBuf::from(rest)))),
        _ if rest.is_empty() => Ok(input),
        _ => Err(format!("{rest:?} is too much")),
    }
}

fn word(text: &str) -> Result<Input, String> {
    let mut fitting = WORDS.iter().filter(|(word, _)| word.starts_with(text));
    match (fitting.next(), fitting.next()) {
        (Some((_, input)), None) => Ok(input.clone()),
        (Some((one, _)), Some((other, _))) => Err(format!("{text:?} may be {one} or {other}")),
        (None, _) if text.chars().any(|c| c.is_ascii_digit()) => Err(format!("{text:?} is not on the board")),
        (None, _) => Err(format!("{text:?} means nothing here")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Input, read};
    use crate::geometry::{Geometry, Move};

    #[test]
    fn points_words_and_their_beginnings_are_understood() {
        let geometry = Geometry::new(9).expect("valid");
        let point = geometry.parse_move("d4").expect("on the board");
        for (line, input) in [
            ("D4", Input::Move(point)),
            ("d4", Input::Move(point)),
            ("PASS", Input::Move(Move::Pass)),
            ("p", Input::Move(Move::Pass)),
            ("u", Input::Undo),
            ("sc", Input::Score),
            ("save", Input::Save(None)),
            ("save my game.sgf", Input::Save(Some("my game.sgf".into()))),
            ("?", Input::Help),
            ("exit", Input::Quit),
            ("", Input::Nothing),
        ] {
            assert_eq!(read(line, geometry), Ok(input), "{line}");
        }
        for (line, error) in [
            ("k10", "\"k10\" is not on the board"),
            ("i5", "\"i5\" is not on the board"),
            ("s", "\"s\" may be score or save"),
            ("hello", "\"hello\" means nothing here"),
            ("d4 d5", "\"d5\" is too much"),
        ] {
            assert_eq!(read(line, geometry), Err(error.to_string()), "{line}");
        }
    }
}
