//! `keima score`: who won the games of records, and why.

mod known;

use std::fmt;
use std::path::PathBuf;

use crate::engine::Settings;

/// Options of `keima score`.
#[derive(clap::Args, Clone, Debug)]
pub struct ScoreOptions {
    /// Game records in SGF
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The files hold positions with known answers, as scripts/known-positions.py writes them: print what Keima gets wrong
    #[arg(long, hide_short_help = true)]
    pub known: bool,
}

/// Why a file could not be scored.
#[derive(Debug)]
pub enum AdjudicateError {
    /// A file could not be read.
    File(PathBuf, std::io::Error),
    /// This line, counted from 1, is no position with a known answer.
    BadLine(usize),
}

impl fmt::Display for AdjudicateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdjudicateError::File(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            AdjudicateError::BadLine(line) => write!(f, "line {line} is no position with a known answer"),
        }
    }
}

impl std::error::Error for AdjudicateError {}

/// Scores every game of every file and tells `report`, line by line.
///
/// # Errors
/// When a file cannot be read or understood.
pub fn adjudicate(options: &ScoreOptions, mut report: impl FnMut(&str)) -> Result<(), AdjudicateError> {
    for path in &options.files {
        let text = std::fs::read_to_string(path).map_err(|error| AdjudicateError::File(path.clone(), error))?;
        known::check(&text, &Settings::default(), &mut report)?;
    }
    Ok(())
}
