//! `keima score`: who won the games of records, and why.

mod explain;
mod known;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::engine::{Detail, Engine, Settings};
use crate::lines::read_file;
use crate::review::picture::outcome_of;
use crate::rules::Rules;
use crate::sgf::{ReplayError, SgfError, read_games};

/// Options of `keima score`.
#[derive(clap::Args, Clone, Debug)]
pub struct ScoreOptions {
    /// Game records in SGF
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Count by these rules, whatever the record says (without both, chinese)
    #[arg(long, value_name = "RULES", value_parser = Rules::by_name)]
    pub rules: Option<Rules>,
    /// Say of every chain how its fate is known, with the line of play of those that were solved
    #[arg(long, conflicts_with = "known")]
    pub explain: bool,
    /// Write a picture of the board with who has what; for a single game
    #[arg(long, value_name = "FILE", conflicts_with = "known")]
    pub svg: Option<PathBuf>,
    /// The files hold positions with known answers, as scripts/known-positions.py writes them: print what Keima gets wrong
    #[arg(long, hide_short_help = true, conflicts_with = "rules")]
    pub known: bool,
}

/// Why a file could not be scored.
#[derive(Debug)]
pub enum AdjudicateError {
    /// A file could not be read.
    File(PathBuf, std::io::Error),
    /// A file is no game record.
    Record(PathBuf, SgfError),
    /// This game of a file, counted from 1, cannot be played out.
    Game(PathBuf, usize, ReplayError),
    /// This line, counted from 1, is no position with a known answer.
    BadLine(usize),
    /// A picture could not be written.
    Picture(PathBuf, std::io::Error),
    /// A picture was asked for, and there are this many games.
    ManyGames(usize),
}

impl fmt::Display for AdjudicateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdjudicateError::File(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            AdjudicateError::Record(path, error) => write!(f, "{}: {error}", path.display()),
            AdjudicateError::Game(path, number, error) => write!(f, "{}, game {number}: {error}", path.display()),
            AdjudicateError::BadLine(line) => write!(f, "line {line} is no position with a known answer"),
            AdjudicateError::Picture(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            AdjudicateError::ManyGames(count) => write!(f, "--svg shows one game, and there are {count}"),
        }
    }
}

impl std::error::Error for AdjudicateError {}

/// Scores every game of every file and tells `report`, line by line.
///
/// # Errors
/// When a file cannot be read or understood; what came before it has been told.
pub fn adjudicate(options: &ScoreOptions, mut report: impl FnMut(&str)) -> Result<(), AdjudicateError> {
    let mut engine = Engine::new(&Settings::default());
    if options.svg.is_some() && options.files.len() > 1 {
        return Err(AdjudicateError::ManyGames(options.files.len()));
    }
    for path in &options.files {
        let bytes = read_file(path).map_err(|error| AdjudicateError::File(path.clone(), error))?;
        if options.known {
            known::check(&String::from_utf8_lossy(&bytes), &mut engine, &mut report)?;
        } else {
            score_file(path, &bytes, options, &mut engine, &mut report)?;
        }
    }
    Ok(())
}

fn score_file(
    path: &Path,
    bytes: &[u8],
    options: &ScoreOptions,
    engine: &mut Engine,
    report: &mut dyn FnMut(&str),
) -> Result<(), AdjudicateError> {
    let records = read_games(bytes).map_err(|error| AdjudicateError::Record(path.to_path_buf(), error))?;
    if options.svg.is_some() && records.len() > 1 {
        return Err(AdjudicateError::ManyGames(records.len()));
    }
    for (i, record) in records.iter().enumerate() {
        let rules = options.rules.or_else(|| record.rules()).unwrap_or_default();
        let game = record.to_game(rules).map_err(|error| AdjudicateError::Game(path.to_path_buf(), i + 1, error))?;
        engine.set_game(game);
        let number = if records.len() > 1 { format!(" ({})", i + 1) } else { String::new() };
        report(&format!("{}{number}: {}", path.display(), explain::result(engine, record.result.as_deref())));
        if let Some(name) = record.rules_name.as_deref().filter(|_| options.rules.is_none() && record.rules().is_none())
        {
            report(&format!("  the record's rules are not known: {name:?}"));
        }
        let detail = if options.explain { Detail::Proof } else { Detail::Count };
        engine.account(detail).iter().for_each(|line| report(&format!("  {line}")));
        if let Some(file) = &options.svg {
            std::fs::write(file, outcome_of(engine).svg_file())
                .map_err(|error| AdjudicateError::Picture(file.clone(), error))?;
        }
    }
    Ok(())
}
