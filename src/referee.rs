//! The referee behind `keima match`: lets two GTP engines play each other and says what the result means.
//!
//! Every move is checked on a board of our own. An engine that breaks the rules, writes nonsense, ends or is too slow
//! loses the game; that is told on standard error at once and counted in the summary. Each game is one line of a results
//! file, from which an interrupted match is resumed.
//!
//! Layers, lowest first: [`statistics`], `clock`, `command` (pure functions); `player` and `program` (asking an engine);
//! `judge` and `play` (one game); [`report`] and `ledger` (what is kept of it); `worker` (games in a row); [`run`].

mod clock;
mod command;
mod judge;
mod ledger;
mod openings;
mod options;
mod play;
mod player;
mod program;
pub mod report;
pub mod statistics;
mod summary;
#[cfg(test)]
mod tests;
mod worker;

use std::collections::HashSet;
use std::fmt;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

pub use clock::TimeControl;
pub use options::MatchOptions;
pub use summary::{Identity, Summary};

use ledger::{Ledger, LedgerError};
use openings::Opening;
use report::{Entrant, Report};
use statistics::Verdict;
use worker::{Match, Worker};

/// Plays a match and returns its result, telling of each game on standard error.
///
/// # Errors
/// When an engine cannot be started, or a file cannot be read or written. What engines do wrong once they run is no
/// error here, but see [`Summary::has_failures`].
pub fn run(options: &MatchOptions) -> Result<Summary, MatchError> {
    let openings = load_openings(options)?;
    if let Some(folder) = &options.sgf {
        std::fs::create_dir_all(folder)
            .map_err(|error| MatchError::File { path: folder.clone(), reason: error.to_string() })?;
    }
    let identities = identify(options)?;
    let (mut ledger, reports) = match &options.output {
        Some(path) => {
            let (ledger, reports) =
                Ledger::open(path, &settings(options)).map_err(|error| ledger_error(path.clone(), error))?;
            (Some(ledger), reports)
        }
        None => (None, Vec::new()),
    };
    let known: HashSet<usize> = reports.iter().map(|report| report.game).collect();
    let pending: Vec<usize> = (0..options.games as usize).filter(|game| !known.contains(game)).collect();
    let names = [identities[0].name.clone(), identities[1].name.clone()];
    let shared = Match { options, openings: &openings, names };
    let mut summary = Summary { identities, reports, stray_lines: [0, 0], sprt: options.sprt };
    if summary.verdict() == Verdict::Open {
        play_pending(&shared, &pending, |report, stray| {
            if let (Some(ledger), Some(path)) = (&mut ledger, &options.output) {
                ledger
                    .add(&report)
                    .map_err(|error| MatchError::File { path: path.clone(), reason: error.to_string() })?;
            }
            summary.stray_lines = [summary.stray_lines[0] + stray[0], summary.stray_lines[1] + stray[1]];
            summary.reports.push(report);
            announce(&summary, options.games as usize);
            Ok(summary.verdict() == Verdict::Open)
        })?;
    }
    Ok(summary)
}

/// Plays games with as many workers as asked for, and hands each report to `finished` until that says false.
fn play_pending(
    shared: &Match<'_>,
    pending: &[usize],
    mut finished: impl FnMut(Report, [usize; 2]) -> Result<bool, MatchError>,
) -> Result<(), MatchError> {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for number in 0..(shared.options.concurrency as usize).min(pending.len()) {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || {
                let mut worker = Worker::new(shared, number);
                while !stop.load(Ordering::Relaxed) {
                    let Some(&game) = pending.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    if sender.send(worker.play(game)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut outcome = Ok(());
        // Games that are under way when the match is decided are played to their end and count.
        for result in results {
            match result.and_then(|(report, stray)| finished(report, stray)) {
                Ok(true) => {}
                Ok(false) => stop.store(true, Ordering::Relaxed),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    outcome = outcome.and(Err(error));
                }
            }
        }
        outcome
    })
}

/// Tells of the newest game; what went wrong in it comes first and loud. A closed standard error is no reason to stop.
fn announce(summary: &Summary, games: usize) {
    let mut stderr = std::io::stderr().lock();
    if let Some(report) = summary.reports.last() {
        for &(entrant, fault) in &report.faults {
            let name = &summary.identities[entrant.index()].name;
            let color = report.color(entrant);
            let number = report.game + 1;
            let _ = writeln!(stderr, "*** game {number}: {name} ({color}), {fault}: {} ***", report.detail);
        }
        if report.disputed {
            let _ = writeln!(stderr, "--- game {}: disputed score: {} ---", report.game + 1, report.detail);
        }
    }
    let _ = writeln!(stderr, "{}", summary.progress(games));
}

fn load_openings(options: &MatchOptions) -> Result<Vec<Opening>, MatchError> {
    match &options.openings {
        Some(path) => {
            openings::load(path, options.size, options.rules).map_err(|error| MatchError::Opening(error.to_string()))
        }
        None => Ok(Vec::new()),
    }
}

/// Starts both engines once to learn their names, and the mistakes in their command lines before any game.
fn identify(options: &MatchOptions) -> Result<[Identity; 2], MatchError> {
    let mut found = Vec::with_capacity(2);
    for (entrant, chosen) in Entrant::BOTH.into_iter().zip([&options.name_black, &options.name_white]) {
        let command = options.command(entrant);
        let program = options.start(command, 0, "start.stderr")?;
        found.push(Identity {
            name: chosen.clone().unwrap_or_else(|| program.name().to_string()),
            program: format!("{} {}", program.name(), program.version()).trim().to_string(),
            command: command.to_string(),
        });
    }
    let [mut first, mut second]: [Identity; 2] = found.try_into().unwrap_or_else(|_| unreachable!("two entrants"));
    if first.name == second.name {
        first.name.push_str(" 1");
        second.name.push_str(" 2");
    }
    Ok([first, second])
}

/// What must be equal for two runs to be the same match.
fn settings(options: &MatchOptions) -> Vec<String> {
    let openings = options.openings.as_ref().map_or("none".to_string(), |path| path.display().to_string());
    let time = options.time_control().map_or("none".to_string(), |control| control.to_string());
    let lines = [
        format!("black: {}", options.black),
        format!("white: {}", options.white),
        format!("size: {}, komi: {}, rules: {}", options.size.size(), options.komi, options.rules.name),
        format!("openings: {openings}, offset: {}, alternate: {}", options.opening_offset, !options.no_alternate),
        format!("time: {time}, moves: {}, seed: {}", options.move_cap(), options.seed),
        format!("scorer: {}", options.scorer.as_deref().unwrap_or("none")),
    ];
    // One line each, whatever the commands hold.
    lines.into_iter().map(|line| line.replace(['\n', '\r'], " ")).collect()
}

fn ledger_error(path: PathBuf, error: LedgerError) -> MatchError {
    match error {
        LedgerError::File(reason) => MatchError::File { path, reason },
        LedgerError::OtherMatch(line) => MatchError::OtherMatch { path, line },
        LedgerError::BadLine(line) => MatchError::File { path, reason: format!("line {line} is not a result") },
    }
}

/// Why a match cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MatchError {
    /// An engine cannot be started or does not speak GTP.
    Start {
        /// Its command line.
        command: String,
        /// What happened.
        reason: String,
    },
    /// An opening cannot be used; the text says which and why.
    Opening(String),
    /// A file or folder cannot be read or written.
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The results file belongs to a match with other settings.
    OtherMatch {
        /// The results file.
        path: PathBuf,
        /// The line it should have.
        line: String,
    },
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Start { command, reason } => write!(f, "engine {command:?}: {reason}"),
            MatchError::Opening(text) => f.write_str(text),
            MatchError::File { path, reason } => write!(f, "{}: {reason}", path.display()),
            MatchError::OtherMatch { path, line } => {
                write!(f, "{} holds another match: this one has \"{line}\"", path.display())
            }
        }
    }
}

impl std::error::Error for MatchError {}
