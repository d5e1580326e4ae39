//! What can be chosen for a review of games.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args};

use super::inputs::Item;
use crate::gtp;
use crate::net::NetSource;
use crate::review::Effort;
use crate::review::annotate::Threshold;
use crate::rules::Rules;
use crate::score::Komi;

/// Simulations of a position unless something else is chosen.
const DEFAULT_VISITS: u64 = 1000;

/// What `keima analyze --help` ends with.
pub const REVIEW_EXAMPLES: &str = "Examples:
  keima analyze game.sgf                              a table of the moves
  keima analyze --html --sgf -o reviews games/        pages and annotated records for a folder
  keima analyze --json --visits 200 --moves 1-50 a.sgf b.sgf | jq .moves
  keima analyze --shard 3/16 -o reviews games/        one of 16 machines

With JSON lines as input each line is an object with \"sgf\", a record, or \"file\", the name of one, and \"id\" if wanted.

Exit status: 0 if all went well, 1 if a game could not be reviewed, 2 if the command line is wrong.";

/// A form in which reviews come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A table on standard output.
    Table,
    /// JSON lines on standard output.
    Json,
    /// The record with comments and variations.
    Sgf,
    /// A page.
    Html,
    /// The curve.
    Svg,
    /// The curve.
    Png,
}

/// Review games: where each was won and lost
#[derive(Args, Clone, Debug)]
#[command(group = ArgGroup::new("effort"), group = ArgGroup::new("printed"))]
pub struct ReviewOptions {
    /// Records in SGF, folders of them, files with JSON lines, or - for standard input
    #[arg(value_name = "GAME", required = true)]
    pub games: Vec<PathBuf>,

    /// Print a table (the default where nothing else is asked for)
    #[arg(long, group = "printed")]
    pub table: bool,
    /// Print a line of JSON for each game
    #[arg(long, group = "printed")]
    pub json: bool,
    /// Write the records with comments and better variations
    #[arg(long)]
    pub sgf: bool,
    /// Write a page for each game: curve, mistakes on the board, figures
    #[arg(long)]
    pub html: bool,
    /// Write the curve of each game as SVG
    #[arg(long)]
    pub svg: bool,
    /// Write the curve of each game as PNG
    #[arg(long)]
    pub png: bool,
    /// Where files go; what is found there is not done again
    #[arg(long, short, value_name = "FOLDER")]
    pub output: Option<PathBuf>,

    /// Simulations of each position [default: 1000]
    #[arg(long, value_name = "N", value_parser = gtp::check_playouts, group = "effort")]
    pub visits: Option<u64>,
    /// Thinking time for each position instead
    #[arg(long, value_name = "SECONDS", value_parser = gtp::check_time, group = "effort")]
    pub time: Option<Duration>,
    /// Only these moves, such as 30-80 or 30-
    #[arg(long, value_name = "FROM-TO", value_parser = parse_range, allow_hyphen_values = true)]
    pub moves: Option<(usize, usize)>,
    /// Only moves of this player: B, W, or a part of a name
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// Points lost from which a move gets a variation and a mark in the record
    #[arg(long, value_name = "POINTS", default_value_t = 2.0, value_parser = parse_amount)]
    pub threshold: f64,
    /// The same for the chance to win, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 10.0, value_parser = parse_amount)]
    pub chance: f64,
    /// Rules, whatever the record says
    #[arg(long, value_name = "RULES", value_parser = Rules::by_name)]
    pub rules: Option<Rules>,
    /// Points for White, whatever the record says
    #[arg(long, value_name = "POINTS", value_parser = gtp::check_komi, allow_hyphen_values = true)]
    pub komi: Option<Komi>,

    /// Positions searched at the same time; the number of processors if not given
    #[arg(long, short, value_name = "N", value_parser = gtp::check_threads)]
    pub jobs: Option<usize>,
    /// Only every N-th game, beginning with the I-th: for batch systems
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    pub shard: Option<(usize, usize)>,
    /// Search again what was done before
    #[arg(long)]
    pub redo: bool,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
    /// Most memory that all search trees together may take; chosen by what is free if not given
    #[arg(long, value_name = "MIB", value_parser = gtp::check_memory)]
    pub memory: Option<usize>,
    /// Start of the random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Network: built-in (from 9x9 on), none, or a file of weights
    #[arg(long, value_name = "FILE", default_value_t = NetSource::default(), value_parser = NetSource::load)]
    pub net: NetSource,
}

impl ReviewOptions {
    /// What is asked for.
    pub fn formats(&self) -> Vec<Format> {
        let asked = [
            (self.table, Format::Table),
            (self.json, Format::Json),
            (self.sgf, Format::Sgf),
            (self.html, Format::Html),
            (self.svg, Format::Svg),
            (self.png, Format::Png),
        ];
        let formats: Vec<Format> = asked.into_iter().filter_map(|(asked, format)| asked.then_some(format)).collect();
        if formats.is_empty() && self.output.is_none() { vec![Format::Table] } else { formats }
    }

    /// Where files go, if anything is to be written: `reviews` where no folder is named.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        let has_files = self.formats().iter().any(|format| !matches!(format, Format::Table | Format::Json));
        self.output.clone().or_else(|| has_files.then(|| PathBuf::from("reviews")))
    }

    pub(super) fn effort(&self) -> Effort {
        match self.time {
            Some(time) => Effort::Seconds(time.as_secs_f64()),
            None => Effort::Visits(self.visits.unwrap_or(DEFAULT_VISITS)),
        }
    }

    pub(super) fn threshold(&self) -> Threshold {
        Threshold { points: self.threshold, win_rate: self.chance / 100.0 }
    }

    pub(super) fn jobs(&self) -> usize {
        self.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// A number that is another one when a game, or how it is searched and judged, is.
    pub(super) fn fingerprint(&self, item: &Item, rules: Rules) -> u32 {
        let settings = (self.effort(), self.moves, &self.player, rules, self.komi, self.seed, self.net.to_string());
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(item.text.as_bytes());
        hasher.update(format!("{} {settings:?}", env!("CARGO_PKG_VERSION")).as_bytes());
        hasher.finalize()
    }
}

/// `30-80`, `30-`, `-80` or `30`.
fn parse_range(text: &str) -> Result<(usize, usize), String> {
    let wrong = || "expected numbers of moves such as 30-80, 30- or -80".to_string();
    let number = |text: &str, missing: usize| match text.trim() {
        "" => Ok(missing),
        text => text.parse().map_err(|_| wrong()),
    };
    let (first, last) = match text.split_once('-') {
        Some((first, last)) => (number(first, 1)?, number(last, usize::MAX)?),
        None => (number(text, 0)?, number(text, 0)?),
    };
    if first >= 1 && first <= last { Ok((first, last)) } else { Err(wrong()) }
}

/// `3/16`.
fn parse_shard(text: &str) -> Result<(usize, usize), String> {
    let shard = text.split_once('/').and_then(|(i, n)| Some((i.trim().parse().ok()?, n.trim().parse().ok()?)));
    shard.filter(|&(i, n)| 1 <= i && i <= n).ok_or_else(|| "expected a share such as 3/16".to_string())
}

fn parse_amount(text: &str) -> Result<f64, String> {
    let amount = text.parse().ok().filter(|amount: &f64| amount.is_finite() && *amount > 0.0);
    amount.ok_or_else(|| "expected a number above 0".to_string())
}
