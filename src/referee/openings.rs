//! Positions to start from, and which game starts from which.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::game::Game;
use crate::geometry::Geometry;
use crate::lines::read_file;
use crate::rules::Rules;
use crate::score::Komi;
use crate::sgf::{self, Record, ReplayError, SgfError};

/// A position to start from.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    /// File name without ending, with the number of the game where a file has several; empty for the empty board.
    pub(super) name: String,
    record: Record,
}

impl Opening {
    /// The game up to the end of the opening.
    ///
    /// # Errors
    /// None where [`load`] was given the same rules: it tries each opening.
    pub(super) fn game(&self, rules: Rules, komi: Komi) -> Result<Game, ReplayError> {
        let mut game = self.record.to_game(rules)?;
        game.set_komi(komi);
        Ok(game)
    }
}

/// Reads the SGF file at `path`, or all of them if it is a folder, sorted by name.
///
/// # Errors
/// When nothing can be read, a record is faulty, or a board has another size than asked for.
pub(super) fn load(path: &Path, geometry: Geometry, rules: Rules) -> Result<Vec<Opening>, OpeningError> {
    let unreadable = |path: &Path, error: &std::io::Error| OpeningError {
        path: path.to_path_buf(),
        kind: OpeningErrorKind::Unreadable(error.to_string()),
    };
    let mut files = Vec::new();
    if path.is_dir() {
        for entry in std::fs::read_dir(path).map_err(|error| unreadable(path, &error))? {
            let file = entry.map_err(|error| unreadable(path, &error))?.path();
            if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sgf")) {
                files.push(file);
            }
        }
        files.sort();
    } else {
        files.push(path.to_path_buf());
    }
    let mut openings = Vec::new();
    for file in &files {
        let bytes = read_file(file).map_err(|error| unreadable(file, &error))?;
        let records = from_sgf(&bytes, geometry, rules).map_err(|kind| OpeningError { path: file.clone(), kind })?;
        let stem = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let several = records.len() > 1;
        openings.extend(records.into_iter().enumerate().map(|(i, record)| {
            let name = if several { format!("{stem}#{}", i + 1) } else { stem.clone() };
            Opening { name, record }
        }));
    }
    if openings.is_empty() {
        return Err(OpeningError { path: path.to_path_buf(), kind: OpeningErrorKind::None });
    }
    Ok(openings)
}

/// The records of a file, all found to be playable.
fn from_sgf(bytes: &[u8], geometry: Geometry, rules: Rules) -> Result<Vec<Record>, OpeningErrorKind> {
    let records = sgf::read_games(bytes).map_err(OpeningErrorKind::Sgf)?;
    for record in &records {
        if record.geometry != geometry {
            return Err(OpeningErrorKind::Size(record.geometry.size()));
        }
        if record.to_game(rules).map_err(OpeningErrorKind::Replay)?.is_over() {
            return Err(OpeningErrorKind::Over);
        }
    }
    Ok(records)
}

/// Index of the opening of a game: two games in a row share one where colors alternate.
pub(super) fn index_for(game: usize, offset: usize, count: usize, alternate: bool) -> usize {
    let turn = if alternate { game / 2 } else { game };
    (turn + offset % count) % count
}

/// Why an opening cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub kind: OpeningErrorKind,
}

/// What can be wrong with an opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningErrorKind {
    /// The system says why.
    Unreadable(String),
    /// The folder has no SGF file.
    None,
    /// It is not a game record.
    Sgf(SgfError),
    /// Its moves are not possible.
    Replay(ReplayError),
    /// Its board has this size, not the one of the match.
    Size(usize),
    /// Two passes have ended the game.
    Over,
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "opening {}: ", self.path.display())?;
        match &self.kind {
            OpeningErrorKind::Unreadable(reason) => f.write_str(reason),
            OpeningErrorKind::None => f.write_str("no SGF files in this folder"),
            OpeningErrorKind::Sgf(error) => error.fmt(f),
            OpeningErrorKind::Replay(error) => error.fmt(f),
            OpeningErrorKind::Size(size) => write!(f, "the board has size {size}"),
            OpeningErrorKind::Over => f.write_str("the game is over"),
        }
    }
}

impl std::error::Error for OpeningError {}

#[cfg(test)]
mod tests {
    use super::{Opening, OpeningErrorKind, from_sgf, index_for, load};
    use crate::color::Color;
    use crate::geometry::Geometry;
    use crate::rules::Rules;
    use crate::score::Komi;

    #[test]
    fn each_opening_serves_two_games_in_a_row() {
        let order = |offset, alternate| (0..8).map(|game| index_for(game, offset, 3, alternate)).collect::<Vec<_>>();
        assert_eq!(order(0, true), [0, 0, 1, 1, 2, 2, 0, 0]);
        assert_eq!(order(2, true), [2, 2, 0, 0, 1, 1, 2, 2]);
        assert_eq!(order(usize::MAX, false).len(), 8);
        assert_eq!(order(0, false), [0, 1, 2, 0, 1, 2, 0, 1]);
    }

    #[test]
    fn openings_must_fit_the_match() {
        let nine = Geometry::new(9).expect("in range");
        let read = |text: &str| from_sgf(text.as_bytes(), nine, Rules::CHINESE);
        let records = read("(;SZ[9]KM[0]AB[ff]AW[cc]PL[W])(;SZ[9];B[ee])").expect("two openings");
        let opening = Opening { name: String::new(), record: records[0].clone() };
        let game = opening.game(Rules::CHINESE, Komi::DEFAULT).expect("playable");
        assert_eq!((records.len(), game.komi(), game.to_move()), (2, Komi::DEFAULT, Color::White));
        assert_eq!(read("(;SZ[7])").err(), Some(OpeningErrorKind::Size(7)));
        assert_eq!(read("(;SZ[9];B[];W[])").err(), Some(OpeningErrorKind::Over));
        assert!(matches!(read("(;SZ[9];B[aa];W[aa])"), Err(OpeningErrorKind::Replay(_))));
        assert!(matches!(read("x"), Err(OpeningErrorKind::Sgf(_))));
    }

    #[test]
    fn folders_are_read_in_the_order_of_names() {
        let folder = std::env::temp_dir().join(format!("keima-openings-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("temporary folder");
        for (name, text) in [("b.sgf", "(;SZ[9];B[aa])(;SZ[9])"), ("a.SGF", "(;SZ[9])"), ("note.txt", "x")] {
            std::fs::write(folder.join(name), text).expect("temporary file");
        }
        let nine = Geometry::new(9).expect("in range");
        let names: Vec<String> =
            load(&folder, nine, Rules::CHINESE).expect("readable").into_iter().map(|opening| opening.name).collect();
        assert_eq!(names, ["a", "b#1", "b#2"]);
        std::fs::remove_dir_all(&folder).expect("temporary folder");
        assert!(load(&folder, nine, Rules::CHINESE).is_err());
    }
}
