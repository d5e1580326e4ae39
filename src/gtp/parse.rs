//! What comes in: a line of bytes becomes an id, a command name and arguments.

use std::str::FromStr;
use std::time::Duration;

use super::reply::Failure;
use crate::color::Color;
use crate::geometry::{Geometry, Move, Point};
use crate::score::Komi;

/// A command as it was sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Request {
    /// The number to repeat in the reply.
    pub(super) id: Option<u32>,
    /// The command's name as sent.
    pub(super) name: String,
    /// The words after the name.
    pub(super) args: Args,
}

/// Largest id of the protocol; larger ones are replaced by it.
const LARGEST_ID: u32 = (1 << 31) - 1;

impl Request {
    /// Reads a line, with or without its line end; `None` where nothing is asked.
    pub(super) fn parse(line: &[u8]) -> Option<Request> {
        let text = cleaned(line);
        let mut words = text.split(' ').filter(|word| !word.is_empty()).map(str::to_string);
        let first = words.next()?;
        let (id, rest) = split_id(&first);
        // An id may touch the name ("12name"), as in GNU Go.
        let name = if rest.is_empty() { words.next()? } else { rest.to_string() };
        Some(Request { id, name, args: Args(words.collect()) })
    }
}

/// The line without what the protocol tells to ignore: comment, control characters, tabs taken for spaces.
fn cleaned(line: &[u8]) -> String {
    let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
    let bytes: Vec<u8> = line
        .iter()
        .map(|&byte| if byte == b'\t' { b' ' } else { byte })
        .filter(|byte| !byte.is_ascii_control())
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Splits the number off the front of the first word. A negative number counts as no id.
fn split_id(word: &str) -> (Option<u32>, &str) {
    let negative = word.strip_prefix('-').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let digits = negative.unwrap_or(word);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let (number, rest) = digits.split_at(end);
    if number.is_empty() {
        return (None, word);
    }
    // More digits than fit are a number that is too large.
    let id = number.parse::<u32>().unwrap_or(LARGEST_ID).min(LARGEST_ID);
    (negative.is_none().then_some(id), rest)
}

/// The arguments of a command. Surplus ones are ignored, as GNU Go does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Args(pub(super) Vec<String>);

impl Args {
    /// The argument with this number, if given.
    pub(super) fn get(&self, index: usize) -> Option<&str> {
        self.0.get(index).map(String::as_str)
    }

    /// The argument with this number.
    pub(super) fn required(&self, index: usize) -> Result<&str, Failure> {
        self.get(index).ok_or(Failure::Syntax)
    }

    /// A value of any type that reads itself from text.
    pub(super) fn parsed<T: FromStr>(&self, index: usize) -> Result<T, Failure> {
        self.required(index)?.parse().map_err(|_| Failure::Syntax)
    }

    /// A color: `b`, `w`, `black` or `white` in either letter case.
    pub(super) fn color(&self, index: usize) -> Result<Color, Failure> {
        color(self.required(index)?).ok_or(Failure::Syntax)
    }

    /// A color, or `default` where the line ends before.
    pub(super) fn color_or(&self, index: usize, default: Color) -> Result<Color, Failure> {
        if self.get(index).is_some() { self.color(index) } else { Ok(default) }
    }

    /// A vertex of this board, or `pass`.
    pub(super) fn vertex(&self, index: usize, geometry: Geometry) -> Result<Move, Failure> {
        geometry.parse_move(self.required(index)?).map_err(|_| Failure::Syntax)
    }

    /// Komi: any finite number, with a decimal point or a decimal comma.
    pub(super) fn komi(&self, index: usize) -> Result<Komi, Failure> {
        komi(self.required(index)?).ok_or(Failure::Syntax)
    }

    /// A time in seconds; a negative one counts as none left.
    pub(super) fn seconds(&self, index: usize) -> Result<Duration, Failure> {
        let seconds: f64 = self.parsed(index)?;
        // Larger times than a duration can hold are cut to a time that nobody waits for.
        if seconds.is_finite() { Ok(Duration::from_secs_f64(seconds.clamp(0.0, 1e9))) } else { Err(Failure::Syntax) }
    }

    /// A number of stones, which some controllers write with a decimal point.
    pub(super) fn stones(&self, index: usize) -> Result<u32, Failure> {
        let count: f64 = self.parsed(index)?;
        // The cast saturates, so that absurd numbers stay large.
        if count.is_finite() && count >= 0.0 { Ok(count as u32) } else { Err(Failure::Syntax) }
    }

    /// A file name, in double quotes if it contains spaces, and the number of the argument after it.
    pub(super) fn path(&self, index: usize) -> Result<(String, usize), Failure> {
        let first = self.required(index)?;
        let Some(quoted) = first.strip_prefix('"') else { return Ok((first.to_string(), index + 1)) };
        let mut path = quoted.to_string();
        let mut next = index + 1;
        while !path.ends_with('"') {
            path = path + " " + self.required(next)?;
            next += 1;
        }
        path.pop();
        Ok((path, next))
    }

    /// Pairs of color and vertex up to the end of the line.
    pub(super) fn moves(&self, geometry: Geometry) -> Result<Vec<(Color, Move)>, Failure> {
        if self.0.len() % 2 == 1 {
            return Err(Failure::Syntax);
        }
        (0..self.0.len()).step_by(2).map(|i| Ok((self.color(i)?, self.vertex(i + 1, geometry)?))).collect()
    }

    /// As [`Args::moves`], for stones to be put on the board: no passes.
    pub(super) fn stones_to_set(&self, geometry: Geometry) -> Result<Vec<(Point, Color)>, Failure> {
        self.moves(geometry)?
            .into_iter()
            .map(|(color, mv)| mv.point().map(|point| (point, color)).ok_or(Failure::Syntax))
            .collect()
    }
}

/// The color of this name.
pub(super) fn color(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// The komi written here; used for the command line as well.
pub(super) fn komi(text: &str) -> Option<Komi> {
    text.replacen(',', ".", 1).parse().ok().and_then(Komi::from_points)
}

#[cfg(test)]
mod tests {
    use super::{Args, LARGEST_ID, Request};

    fn request(line: &[u8]) -> Option<(Option<u32>, String, usize)> {
        Request::parse(line).map(|request| (request.id, request.name, request.args.0.len()))
    }

    fn args(words: &[&str]) -> Args {
        Args(words.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn ids_comments_and_control_characters_are_understood() {
        assert_eq!(request(b"\t 7  play\tB\td4  # c\r\n"), Some((Some(7), "play".into(), 2)));
        assert_eq!(request(b"12name"), Some((Some(12), "name".into(), 0)));
        assert_eq!(request(b"na\x01\x7fme\x00"), Some((None, "name".into(), 0)));
        assert_eq!(request(b"-3 name"), Some((None, "name".into(), 0)));
        assert_eq!(request(b"-x name"), Some((None, "-x".into(), 1)));
        assert_eq!(request(b"99999999999 name"), Some((Some(LARGEST_ID), "name".into(), 0)));
        assert_eq!(request(b"0 name"), Some((Some(0), "name".into(), 0)));
        for nothing in [&b""[..], b"  \t\r\n", b"# name", b"10", b" 10 # name", b"\x01\x02"] {
            assert_eq!(request(nothing), None);
        }
        assert_eq!(request(b"\xff\xfe name"), Some((None, "\u{fffd}\u{fffd}".into(), 1)));
    }

    #[test]
    fn numbers_are_finite_or_errors() {
        for text in ["nan", "inf", "-infinity", "x", "7,5,5", ""] {
            assert!(args(&[text]).komi(0).is_err(), "{text}");
            assert!(args(&[text]).seconds(0).is_err(), "{text}");
            assert!(args(&[text]).stones(0).is_err(), "{text}");
        }
        for (text, points) in [("7", 7.0), ("7,50", 7.5), ("-3", -3.0), ("3.75", 4.0), ("1e300", 1e6)] {
            assert_eq!(args(&[text]).komi(0).map(|komi| komi.points()), Ok(points));
        }
        assert_eq!(args(&["-10"]).seconds(0).map(|time| time.as_secs()), Ok(0));
        assert_eq!(args(&["1e300"]).seconds(0).map(|time| time.as_secs()), Ok(1_000_000_000));
        assert_eq!(args(&["1e300"]).stones(0), Ok(u32::MAX));
    }

    #[test]
    fn file_names_may_be_quoted() {
        assert_eq!(args(&["a.sgf", "3"]).path(0), Ok(("a.sgf".into(), 1)));
        assert_eq!(args(&["\"my", "old", "game.sgf\"", "3"]).path(0), Ok(("my old game.sgf".into(), 3)));
        assert_eq!(args(&["\"a.sgf\""]).path(0), Ok(("a.sgf".into(), 1)));
        for bad in [&["\"my", "game"][..], &["\""], &[]] {
            assert!(args(bad).path(0).is_err(), "{bad:?}");
        }
    }
}
