//! A game judged move by move: what each position was worth, what each move gave away, and what would have been better.
//!
//! Every position is searched once, each from scratch, so that the order does not matter and any number of them can be searched side by
//! side. What a move gave away is judged by the search of the position that it was made in and by that of the position that it led to:
//! see [`judge`].
//!
//! How a review is shown is the business of its parts: `review/table.rs`, `annotate.rs`, `html.rs`, `picture.rs`.

pub mod annotate;
pub mod html;
pub mod picture;
pub mod table;
#[cfg(test)]
mod tests;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::color::{Color, PerColor};
use crate::engine::{Engine, StopFlag, TimeBudget};
use crate::game::Game;
use crate::geometry::{Geometry, Move};
use crate::search::{Limits, Report};

/// How many moves of a position are kept, beside the one played.
const KEPT_CHOICES: usize = 5;
/// How much of a line is kept.
const KEPT_LINE: usize = 12;

/// How long a position is searched.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// This many simulations: the same result every time.
    Visits(u64),
    /// This many seconds.
    Seconds(f64),
}

/// A move as the search of a position sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// The move: a point such as `D4`, or `pass`.
    #[serde(rename = "move")]
    pub mv: String,
    /// Simulations that began with it.
    pub visits: u32,
    /// Chance of the player to move to win, 0 to 1.
    pub win_rate: f64,
    /// Lead of the player to move, in points.
    pub lead: f64,
    /// How likely a strong player is to choose it at first sight, 0 to 1.
    pub prior: f64,
    /// The line that begins with it.
    pub line: Vec<String>,
}

/// What a search says of a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Look {
    /// Number of moves before the position.
    pub turn: usize,
    /// Who is to move: `B` or `W`.
    pub to_move: char,
    /// Simulations.
    pub visits: u64,
    /// Black's chance to win, 0 to 1.
    pub black_win_rate: f64,
    /// Black's lead, in points.
    pub black_lead: f64,
    /// Standard deviation of the lead from simulation to simulation, in points.
    pub lead_deviation: f64,
    /// The most visited moves, most visited first, and the move played where it was visited.
    pub choices: Vec<Choice>,
}

impl Look {
    /// Variance of the lead, a mean of simulations.
    fn lead_variance(&self) -> f64 {
        self.lead_deviation * self.lead_deviation / self.visits.max(1) as f64
    }

    /// Variance of the chance to win, if each simulation is won or lost.
    fn win_variance(&self) -> f64 {
        self.black_win_rate * (1.0 - self.black_win_rate) / self.visits.max(1) as f64
    }
}

/// A move and what it gave away.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Judgement {
    /// Number of the move, from 1.
    pub number: usize,
    /// Who made it: `B` or `W`.
    pub player: char,
    /// The move: a point such as `D4`, or `pass`.
    #[serde(rename = "move")]
    pub mv: String,
    /// Points given away, 0 or more.
    pub points_lost: f64,
    /// Chance to win given away, 0 to 1.
    pub win_rate_lost: f64,
    /// The line that the search preferred, its first move first; empty where that is the move played.
    pub better: Vec<String>,
    /// Black's chance to win after the move.
    pub black_win_rate: f64,
    /// Black's lead after the move.
    pub black_lead: f64,
}

/// A game with its judgements: one line of JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Review {
    /// Where the game came from: a file name, or the id under which it was given.
    pub source: String,
    /// Which game of that file, from 1.
    pub game: usize,
    /// Tells whether a game or how it was to be searched has changed.
    pub fingerprint: u32,
    /// Version of Keima.
    pub keima: String,
    /// How long each position was searched.
    pub effort: Effort,
    /// Points along one side of the board.
    pub size: usize,
    /// Points for White.
    pub komi: f64,
    /// Rules by which the game was judged.
    pub rules: String,
    /// Number of handicap stones.
    pub handicap: usize,
    /// Name of the black player.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub black: Option<String>,
    /// Name of the white player.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub white: Option<String>,
    /// The result as the record has it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result: Option<String>,
    /// The positions that were searched, in order.
    pub positions: Vec<Look>,
    /// The moves between them that were to be judged.
    pub moves: Vec<Judgement>,
}

/// Searches the position after `turn` moves of a record, in which `color` is to move and `played`, if anything, was played.
pub fn look(engine: &mut Engine, game: Game, turn: usize, color: Color, played: Option<Move>, effort: Effort) -> Look {
    engine.set_game(game);
    let limits = match effort {
        Effort::Visits(visits) => Limits { simulations: Some(visits), time: None },
        Effort::Seconds(seconds) => {
            let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs(1));
            Limits { simulations: None, time: Some(TimeBudget { target: time, limit: time }) }
        }
    };
    let report = engine.analyze(color, limits, &[], None, &StopFlag::default());
    let for_black = |chance: f64| if color == Color::Black { chance } else { 1.0 - chance };
    Look {
        turn,
        to_move: color.letter(),
        visits: report.simulations,
        black_win_rate: rounded(for_black(report.win_rate), 4),
        black_lead: rounded(report.score * f64::from(color.sign()), 2),
        lead_deviation: rounded(report.score_deviation, 2),
        choices: choices(engine.game().geometry(), played, &report),
    }
}

fn choices(geometry: Geometry, played: Option<Move>, report: &Report) -> Vec<Choice> {
    let visited = report.moves.iter().filter(|m| m.visits > 0).enumerate();
    let kept = visited.filter(|(i, m)| *i < KEPT_CHOICES || played == Some(m.mv));
    kept.map(|(_, m)| Choice {
        mv: geometry.move_name(m.mv),
        visits: m.visits,
        win_rate: rounded(m.win_rate, 4),
        lead: rounded(m.lead, 2),
        prior: rounded(m.prior, 4),
        line: m.line.moves.iter().take(KEPT_LINE).map(|&mv| geometry.move_name(mv)).collect(),
    })
    .collect()
}

/// A number with so many decimals; what is left out is far below what a search can tell.
fn rounded(number: f64, decimals: i32) -> f64 {
    let unit = 10_f64.powi(decimals);
    (number * unit).round() / unit + 0.0
}

/// What the move `played` gave away between two positions.
///
/// Two searches have seen it. By the one the loss is the value of the position before minus that of the position after, both means over all
/// simulations, less the standard error of that difference: what chance explains is no loss. By the other, that of the position before, it is
/// the value of the first choice minus that of the move played, and nothing if
/// that was the first choice. A loss counts as far as both see one, and never below zero; a move that the search before did not try is
/// judged by the difference of positions alone. Points and chances are judged separately.
///
/// Compared with the labels of a much stronger program, by 400 simulations: of 610 moves on 9x9 this is wrong by 0.81 points a move (the plain
/// difference of positions by 0.97; to call nothing a loss, by 0.88) and correlates by 0.50; of 1,030 moves on 13x13 it is wrong by 0.69
/// (to call nothing a loss, by 0.65) and correlates by 0.24, without the network by 0.85 and 0.13.
pub fn judge(before: &Look, after: &Look, played: &str) -> Judgement {
    let is_black = before.to_move == 'B';
    let lead = |look: &Look| if is_black { look.black_lead } else { -look.black_lead };
    let chance = |look: &Look| if is_black { look.black_win_rate } else { 1.0 - look.black_win_rate };
    let first = before.choices.first().filter(|choice| choice.mv != played);
    let tried = before.choices.iter().find(|choice| choice.mv == played);
    let lost = |value: &dyn Fn(&Look) -> f64, variance: fn(&Look) -> f64, of: fn(&Choice) -> f64, decimals| {
        let error = (variance(before) + variance(after)).sqrt();
        let by_choice = tried.map_or(f64::INFINITY, |tried| first.map_or(0.0, |first| of(first) - of(tried)));
        rounded((value(before) - value(after) - error).min(by_choice).max(0.0), decimals)
    };
    let points_lost = lost(&lead, Look::lead_variance, |choice| choice.lead, 2);
    let win_rate_lost = lost(&chance, Look::win_variance, |choice| choice.win_rate, 4);
    let better = first.filter(|_| points_lost > 0.0 || win_rate_lost > 0.0);
    Judgement {
        number: after.turn,
        player: before.to_move,
        mv: played.to_string(),
        points_lost,
        win_rate_lost,
        better: better.map_or(Vec::new(), |choice| choice.line.clone()),
        black_win_rate: after.black_win_rate,
        black_lead: after.black_lead,
    }
}

/// What one player's moves came to.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Figures {
    /// Moves judged.
    pub moves: usize,
    /// Mean points given away by a move.
    pub mean_points: f64,
    /// Mean chance given away by a move.
    pub mean_win_rate: f64,
    /// Moves that gave away two points or more.
    pub mistakes: usize,
    /// Moves that gave away eight points or more.
    pub blunders: usize,
    /// Moves that were the first choice of the search.
    pub first_choices: usize,
}

/// Points that make a mistake and a blunder.
const MISTAKE_POINTS: f64 = 2.0;
const BLUNDER_POINTS: f64 = 8.0;

impl Review {
    /// The position after that many moves, if it was searched.
    pub fn position(&self, turn: usize) -> Option<&Look> {
        self.positions.iter().find(|position| position.turn == turn)
    }

    /// What the moves of each player came to.
    pub fn figures(&self) -> PerColor<Figures> {
        let mut all = PerColor([Figures::default(); 2]);
        for judgement in &self.moves {
            let color = if judgement.player == 'B' { Color::Black } else { Color::White };
            let first = self.position(judgement.number - 1).and_then(|before| before.choices.first());
            let figures = &mut all[color];
            figures.moves += 1;
            figures.mean_points += judgement.points_lost;
            figures.mean_win_rate += judgement.win_rate_lost;
            figures.mistakes += usize::from(judgement.points_lost >= MISTAKE_POINTS);
            figures.blunders += usize::from(judgement.points_lost >= BLUNDER_POINTS);
            figures.first_choices += usize::from(first.is_some_and(|choice| choice.mv == judgement.mv));
        }
        for figures in &mut all.0 {
            figures.mean_points /= figures.moves.max(1) as f64;
            figures.mean_win_rate /= figures.moves.max(1) as f64;
        }
        all
    }

    /// The moves that gave away most, the worst first: by points, and by chances where those are the same.
    pub fn worst(&self, count: usize) -> Vec<&Judgement> {
        let mut moves: Vec<&Judgement> = self.moves.iter().filter(|judgement| judgement.points_lost > 0.0).collect();
        let key = |judgement: &Judgement| (judgement.points_lost, judgement.win_rate_lost);
        moves.sort_by(|a, b| key(b).partial_cmp(&key(a)).unwrap_or(std::cmp::Ordering::Equal));
        moves.truncate(count);
        moves
    }

    /// Names of the players, or their colors.
    pub fn name(&self, color: Color) -> &str {
        let name = match color {
            Color::Black => self.black.as_deref(),
            Color::White => self.white.as_deref(),
        };
        let fallback = if color == Color::Black { "Black" } else { "White" };
        name.filter(|name| !name.is_empty()).unwrap_or(fallback)
    }
}
