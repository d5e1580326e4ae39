//! `keima learn`: fits the weights of the move model, and of local moves in playouts, to game records.
//!
//! Two passes over the games. The first counts the patterns of the moves that were played; those seen often enough get a weight. The second
//! goes through positions in random order of games and lifts the probability of the move played: stochastic gradient ascent of
//! the log-likelihood with a step for each weight that shrinks with the gradients it has seen (AdaGrad: Duchi, Hazan and Singer, 2011).

mod local;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::board::Board;
use crate::color::Color;
use crate::features::{Feature, FeatureReader, PLAIN_FEATURES, PatternKey};
use crate::geometry::{Move, Point};
use crate::move_model::{MoveModel, softmax};
use crate::playout::Recent;
use crate::rng::Rng;
use crate::sgf::{self, Record};

pub use local::learn_local;

/// Options of `keima learn`.
#[derive(clap::Args, Clone, Debug)]
pub struct LearnOptions {
    /// Learn the weights of local moves in playouts instead: src/playout/local.bin
    #[arg(long)]
    pub local: bool,
    /// Files of games to learn from
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub games: Vec<PathBuf>,
    /// Files of other games, on which the predictions are measured
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub validation: Vec<PathBuf>,
    /// Where to write the weights
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Give a weight to patterns that were played so often
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub min_count: u32,
    /// Use this share of the positions of each game
    #[arg(long, value_name = "SHARE", default_value_t = 0.25, value_parser = parse_share)]
    pub share: f64,
    /// Go through the games so many times
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub epochs: u32,
    /// Size of the first steps
    #[arg(long, value_name = "RATE", default_value_t = 0.2, value_parser = parse_rate)]
    pub rate: f32,
    /// Seed of the random choices
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
}

/// Reads a share: a number above 0 and up to 1.
///
/// # Errors
/// When it is none.
pub fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|&share| share > 0.0 && share <= 1.0);
    share.ok_or_else(|| "expected a number above 0 and up to 1".to_string())
}

fn parse_rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok().filter(|&rate| rate > 0.0 && rate <= 10.0);
    rate.ok_or_else(|| "expected a number above 0 and up to 10".to_string())
}

/// Why nothing was learnt.
#[derive(Debug)]
pub enum LearnError {
    /// A file could not be read or written.
    File(PathBuf, std::io::Error),
    /// The files have no position to learn from.
    NoPositions,
}

impl fmt::Display for LearnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LearnError::File(path, error) => write!(f, "{}: {error}", path.display()),
            LearnError::NoPositions => f.write_str("the game files have no positions to learn from"),
        }
    }
}

impl std::error::Error for LearnError {}

/// Learns and writes the weights of the move model; progress goes to `report`.
///
/// # Errors
/// When a file cannot be read or written, or there is nothing to learn from.
pub fn learn(options: &LearnOptions, mut report: impl FnMut(&str)) -> Result<(), LearnError> {
    let mut games = read_lines(&options.games)?;
    let validation = read_lines(&options.validation)?;
    let mut rng = Rng::new(options.seed);
    let mut learner = Learner::new(count_patterns(&games, options), options);
    report(&format!("{} games, {} patterns", games.len(), learner.index.len()));
    for epoch in 0..options.epochs {
        shuffle(&mut games, &mut rng);
        let mut fit = Fit::default();
        let tenth = games.len().div_ceil(10).max(1);
        for (i, game) in games.iter().enumerate() {
            each_position(game, options.share, &mut rng, |position| learner.learn_from(position, &mut fit));
            if (i + 1) % tenth == 0 {
                report(&format!("epoch {epoch}, game {}: {fit}", i + 1));
                fit = Fit::default();
            }
        }
        if learner.steps == 0 {
            return Err(LearnError::NoPositions);
        }
        let mut fit = [Fit::default(), Fit::default()];
        for game in &validation {
            each_position(game, options.share, &mut rng, |position| {
                let large = usize::from(position.board.geometry().size() > 11);
                learner.predict(position, &mut fit[large]);
            });
        }
        report(&format!("epoch {epoch}, validation: small boards {}, large boards {}", fit[0], fit[1]));
        let bytes = learner.model().to_bytes();
        std::fs::write(&options.output, bytes).map_err(|error| LearnError::File(options.output.clone(), error))?;
    }
    Ok(())
}

fn read_lines(paths: &[PathBuf]) -> Result<Vec<String>, LearnError> {
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| LearnError::File(path.to_path_buf(), error));
    let mut lines = Vec::new();
    for path in paths {
        lines.extend(read(path)?.lines().map(str::to_string));
    }
    Ok(lines)
}

fn shuffle(lines: &mut [String], rng: &mut Rng) {
    for i in (1..lines.len()).rev() {
        lines.swap(i, rng.below(i + 1));
    }
}

/// A position and the move that was played.
struct Position<'b> {
    board: &'b Board,
    color: Color,
    recent: Recent,
    played: Point,
}

/// Replays a game and calls `work` with a random share of its positions. Where only one player has a name, only that
/// player's moves count. A game that cannot be read or replayed counts up to that point, one in which stones were set up between moves not at all.
fn each_position(line: &str, share: f64, rng: &mut Rng, mut work: impl FnMut(&Position<'_>)) {
    let Some(record) = sgf::read_games(line.as_bytes()).ok().and_then(|mut games| games.pop()) else { return };
    if !record.edits.is_empty() {
        return;
    }
    let mut board = Board::new(record.geometry);
    for &(point, color) in &record.set_up {
        board.set_up(point, color);
    }
    let mut recent = Recent::NONE;
    for &(color, mv) in &record.moves {
        if let Move::Play(played) = mv {
            if !board.is_playable(played, color, false) {
                return;
            }
            if learns_from(&record, color) && rng.unit() < share {
                work(&Position { board: &board, color, recent, played });
            }
            board.play(played, color);
        } else {
            board.clear_ko();
        }
        recent = recent.after(mv);
    }
}

fn learns_from(record: &Record, color: Color) -> bool {
    record.names[color].is_some() || record.names[color.opponent()].is_none()
}

fn count_patterns(games: &[String], options: &LearnOptions) -> Vec<PatternKey> {
    let mut counts: HashMap<PatternKey, u32> = HashMap::new();
    let mut reader = FeatureReader::new();
    let mut rng = Rng::new(options.seed);
    for game in games {
        each_position(game, 1.0, &mut rng, |position| {
            reader.look(position.board, position.color);
            reader.visit_patterns(position.board, position.played, |key| {
                *counts.entry(key).or_default() += 1;
                true
            });
        });
    }
    let mut keys: Vec<_> =
        counts.into_iter().filter(|&(_, count)| count >= options.min_count).map(|(key, _)| key).collect();
    keys.sort_unstable();
    keys
}

/// How well moves are predicted.
#[derive(Clone, Copy, Default)]
struct Fit {
    positions: u32,
    hits: u32,
    log_likelihood: f64,
}

impl Fit {
    fn add(&mut self, probabilities: &[f32], target: usize) {
        let best = probabilities.iter().copied().fold(0.0, f32::max);
        self.positions += 1;
        self.hits += u32::from(probabilities[target] >= best);
        self.log_likelihood += f64::from(probabilities[target].max(1e-9)).ln();
    }
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = f64::from(self.positions.max(1));
        let (hits, mean) = (100.0 * f64::from(self.hits) / count, self.log_likelihood / count);
        write!(f, "{hits:.2}% of {} moves, log-likelihood {mean:.4}", self.positions)
    }
}

/// Weights while they are being learnt: the plain features first, then the patterns.
struct Learner {
    index: HashMap<PatternKey, u32>,
    keys: Vec<PatternKey>,
    weights: Vec<f32>,
    squares: Vec<f32>,
    rate: f32,
    steps: u64,
    reader: FeatureReader,
    /// Indices of the features of all moves of a position, one move after the other ...
    active: Vec<u32>,
    /// ... and where each move's end.
    ends: Vec<usize>,
    points: Vec<Point>,
    probabilities: Vec<f32>,
}

impl Learner {
    fn new(keys: Vec<PatternKey>, options: &LearnOptions) -> Learner {
        let count = PLAIN_FEATURES + keys.len();
        Learner {
            index: keys.iter().zip(PLAIN_FEATURES as u32..).map(|(&key, i)| (key, i)).collect(),
            keys,
            weights: vec![0.0; count],
            squares: vec![1.0; count],
            rate: options.rate,
            steps: 0,
            reader: FeatureReader::new(),
            active: Vec::new(),
            ends: Vec::new(),
            points: Vec::new(),
            probabilities: Vec::new(),
        }
    }

    /// Fills in features and probabilities; answers the place of the move played among the moves, if it is one of them.
    fn predict(&mut self, position: &Position<'_>, fit: &mut Fit) -> Option<usize> {
        let &Position { board, color, recent, played } = position;
        self.reader.prepare(board, color, recent);
        self.active.clear();
        self.ends.clear();
        self.points.clear();
        self.probabilities.clear();
        for point in board.empty_points().iter().copied() {
            if !board.is_playable(point, color, false) || board.around(point).is_eye(color) {
                continue;
            }
            let begin = self.active.len();
            self.reader.visit(board, point, |feature| {
                let index = match feature {
                    Feature::Plain(index) => Some(index as u32),
                    Feature::Pattern(key) => self.index.get(&key).copied(),
                };
                self.active.extend(index);
                index.is_some()
            });
            self.points.push(point);
            self.probabilities.push(self.active[begin..].iter().map(|&i| self.weights[i as usize]).sum());
            self.ends.push(self.active.len());
        }
        let target = self.points.iter().position(|&p| p == played)?;
        softmax(&mut self.probabilities);
        fit.add(&self.probabilities, target);
        Some(target)
    }

    fn learn_from(&mut self, position: &Position<'_>, fit: &mut Fit) {
        let Some(target) = self.predict(position, fit) else { return };
        self.steps += 1;
        let mut begin = 0;
        for (i, &end) in self.ends.iter().enumerate() {
            let gradient = f32::from(i == target) - self.probabilities[i];
            // A move that nobody considers teaches nothing that is worth the time.
            if gradient.abs() > 1e-4 {
                for &feature in &self.active[begin..end] {
                    let (weight, square) = (&mut self.weights[feature as usize], &mut self.squares[feature as usize]);
                    *square += gradient * gradient;
                    *weight += self.rate * gradient / square.sqrt();
                }
            }
            begin = end;
        }
    }

    fn model(&self) -> MoveModel {
        let (plain, patterns) = self.weights.split_at(PLAIN_FEATURES);
        let patterns: Vec<_> = self.keys.iter().copied().zip(patterns.iter().copied()).collect();
        MoveModel::new(plain.to_vec(), &patterns)
    }
}

#[cfg(test)]
mod tests {
    use super::{LearnError, LearnOptions, learn};

    #[test]
    fn learning_nothing_leaves_the_weights_that_are_there() {
        let folder = std::env::temp_dir().join(format!("keima-learn-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        let (games, output) = (folder.join("games"), folder.join("weights"));
        std::fs::write(&games, "(;SZ[9])\n").expect("written");
        std::fs::write(&output, "kept").expect("written");
        let options = LearnOptions {
            local: false,
            games: vec![games],
            validation: Vec::new(),
            output: output.clone(),
            min_count: 1,
            share: 1.0,
            epochs: 1,
            rate: 0.2,
            seed: 1,
        };
        assert!(matches!(learn(&options, |_| ()), Err(LearnError::NoPositions)));
        assert_eq!(std::fs::read(&output).expect("still there"), b"kept");
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
