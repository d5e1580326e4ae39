//! `keima selfplay`: games that Keima plays with itself, many at once, written with what its searches found.
//!
//! Each game is a line in the format of [`crate::teacher`]. Game N of a run depends on the options, the seed and N alone, and games are written in
//! the order of their numbers: a run that was stopped goes on after the last whole line.

mod game;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::geometry::Geometry;
use crate::gtp;
use crate::learn::parse_share;
use crate::lines::read_whole_lines;
use crate::net::{NetSource, SourceError};
use crate::rng::Rng;
use crate::search::SearchParams;

use game::{PlayedGame, Player};

/// Options of `keima selfplay`.
#[derive(clap::Args, Clone, Debug)]
pub struct SelfPlayOptions {
    /// The file to write, or to go on with
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// How many games the file shall have in the end
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub games: u64,
    /// Board size: one for a file, as shards are of one size
    #[arg(long, value_name = "N", default_value = "9", value_parser = gtp::check_size)]
    pub size: Geometry,
    /// Simulations a move
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub visits: u64,
    /// Share of chance in the priors of the position searched
    #[arg(long, value_name = "SHARE", default_value_t = 0.25, value_parser = parse_share)]
    pub noise: f64,
    /// Share of the games that are played to their end even if they are decided
    #[arg(long, value_name = "SHARE", default_value_t = 0.25, value_parser = parse_share)]
    pub to_the_end: f64,
    /// The network to play with: built-in, none, or a file
    #[arg(long, value_name = "FILE", default_value = "built-in")]
    pub net: String,
    /// Set a number of the search or of the playouts
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub numbers: Vec<String>,
    /// Games at once; the number of processors if not given
    #[arg(long, value_name = "N", value_parser = gtp::check_threads)]
    pub threads: Option<usize>,
    /// Seed of all chance
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
}

/// Why games could not be played or written.
#[derive(Debug)]
pub enum SelfPlayError {
    /// The file could not be read or written.
    Output(PathBuf, io::Error),
    /// A number has no such name or value.
    Number(String),
    /// The network could not be read.
    Net(SourceError),
}

impl fmt::Display for SelfPlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SelfPlayError::Output(path, error) => write!(f, "{}: {error}", path.display()),
            SelfPlayError::Number(what) => f.write_str(what),
            SelfPlayError::Net(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SelfPlayError {}

/// Plays the games that the file still lacks.
///
/// # Errors
/// When an option makes no sense or the file cannot be read or written; the games written until then are whole.
pub fn self_play(options: &SelfPlayOptions) -> Result<(), SelfPlayError> {
    let player = Player {
        geometry: options.size,
        visits: options.visits,
        to_the_end: options.to_the_end,
        params: params(options)?,
        network: NetSource::load(&options.net).map_err(SelfPlayError::Net)?.network(options.size).cloned(),
    };
    let failed = |error| SelfPlayError::Output(options.output.clone(), error);
    let mut file = File::options().read(true).append(true).create(true).open(&options.output).map_err(failed)?;
    let mut done = 0;
    read_whole_lines(&file, |_, _| done += 1).map_err(failed)?;
    let threads = options.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let progress = Progress::new(options.games, done);
    let (next, given_up) = (AtomicU64::new(done), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let (sender, next, given_up, player) = (sender.clone(), &next, &given_up, &player);
            scope.spawn(move || {
                while !given_up.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= options.games {
                        break;
                    }
                    let game = player.play(Rng::derived(options.seed, number));
                    if sender.send((number, game)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let written = write_in_order(receiver, done, &mut file, &progress);
        given_up.store(true, Ordering::Relaxed);
        written.map_err(failed)
    })?;
    progress.finish();
    Ok(())
}

fn params(options: &SelfPlayOptions) -> Result<SearchParams, SelfPlayError> {
    let mut params = SearchParams { root_noise: options.noise as f32, ..SearchParams::default() };
    gtp::set_search(&mut params, &options.numbers).map_err(|error| SelfPlayError::Number(error.to_string()))?;
    Ok(params)
}

/// Writes games as they come, those that come too early when it is their turn.
fn write_in_order(
    games: mpsc::Receiver<(u64, PlayedGame)>,
    mut next: u64,
    file: &mut File,
    progress: &Progress,
) -> io::Result<()> {
    let mut waiting = BTreeMap::new();
    for (number, game) in games {
        progress.advance(game.positions);
        waiting.insert(number, game);
        while let Some(game) = waiting.remove(&next) {
            file.write_all(format!("{}\n", game.line).as_bytes())?;
            next += 1;
        }
    }
    Ok(())
}

/// How far the games are, on standard error: a bar on a terminal, else a line now and then.
struct Progress {
    bar: ProgressBar,
    positions: AtomicU64,
}

impl Progress {
    fn new(games: u64, done: u64) -> Progress {
        let target =
            if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(games), target).with_position(done);
        if let Ok(style) =
            ProgressStyle::with_template("{wide_bar} {pos}/{len} games  {msg}  {elapsed} gone, {eta} left")
        {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(250));
        bar.reset_eta();
        Progress { bar, positions: AtomicU64::new(0) }
    }

    fn advance(&self, positions: usize) {
        let sum = self.positions.fetch_add(positions as u64, Ordering::Relaxed) + positions as u64;
        self.bar.inc(1);
        let rate = sum as f64 / self.bar.elapsed().as_secs_f64().max(0.001);
        self.bar.set_message(format!("{sum} positions, {rate:.1}/s"));
        if self.bar.is_hidden() && self.bar.position().is_multiple_of(100) {
            log::info!("{} games, {sum} positions, {rate:.1}/s", self.bar.position());
        }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
        let (sum, seconds) = (self.positions.load(Ordering::Relaxed), self.bar.elapsed().as_secs_f64());
        // Nothing can be done about a standard error that is closed.
        drop(writeln!(io::stderr(), "{sum} positions in {seconds:.0} s, {:.1}/s", sum as f64 / seconds.max(0.001)));
    }
}
