//! How far a run is: a bar on standard error where that is a terminal.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Loaded;
use super::inputs::{self, Item};
use super::options::ReviewOptions;

/// Parts that a byte of the input is divided into: a position advances the bar by less than a byte.
const PARTS: u64 = 1000;

/// The bar, or nothing.
pub struct Progress {
    bar: ProgressBar,
    games: AtomicU64,
    positions: AtomicU64,
}

impl Progress {
    pub fn new(options: &ReviewOptions) -> Progress {
        let (games, positions) = (AtomicU64::new(0), AtomicU64::new(0));
        if options.quiet || !std::io::stderr().is_terminal() {
            return Progress { bar: ProgressBar::hidden(), games, positions };
        }
        let total = inputs::total_bytes(options);
        let bar = ProgressBar::with_draw_target(total.map(|bytes| bytes * PARTS), ProgressDrawTarget::stderr());
        let template = match total {
            Some(_) => "{wide_bar} {percent:>3}%  {msg}  {elapsed} gone, {eta} left",
            None => "{spinner} {msg}  {elapsed} gone",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(250));
        Progress { bar, games, positions }
    }

    /// A game has been read; if it was done before it counts as done.
    pub fn begin(&self, loaded: &Loaded) {
        if loaded.turns.is_empty() {
            self.bar.inc(loaded.item.bytes * PARTS);
        }
    }

    /// A position of a game has been searched.
    pub fn advance(&self, loaded: &Loaded) {
        self.positions.fetch_add(1, Ordering::Relaxed);
        self.bar.inc(loaded.item.bytes * PARTS / loaded.turns.len().max(1) as u64);
        self.show();
    }

    /// A game has been reviewed.
    pub fn end(&self, _item: &Item) {
        self.games.fetch_add(1, Ordering::Relaxed);
        self.show();
    }

    fn show(&self) {
        if self.bar.is_hidden() {
            return;
        }
        let (games, positions) = (self.games.load(Ordering::Relaxed), self.positions.load(Ordering::Relaxed));
        let rate = positions as f64 / self.bar.elapsed().as_secs_f64().max(0.001);
        self.bar.set_message(format!("{games} games, {positions} positions, {rate:.1}/s"));
    }

    /// Says something on standard error.
    pub fn say(&self, text: &str) {
        // Nothing can be done about a standard error that is closed.
        self.suspend(|| drop(writeln!(std::io::stderr(), "{text}")));
    }

    /// Takes the bar away while something is written.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
