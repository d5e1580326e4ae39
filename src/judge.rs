//! `keima judge`: how well playouts, or searches, judge positions that a stronger player has labelled.
//!
//! The labels are those of KataGo's nets: who wins, by how much, and who will own each point. Playouts that come nearer to them
//! are better playouts, and this shows within seconds what matches show within hours.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Move, Point, PointMap};
use crate::gtp;
use crate::net::{Evaluator, InputReader, NetSource, Network, SourceError};
use crate::playout::{FirstPlays, Policy, Recent, final_owner, play_out};
use crate::rng::Rng;
use crate::score::Score;
use crate::search::{Limits, Question, Search, SearchParams};
use crate::teacher::{self, Labelled, TeacherError};
use crate::time::StopFlag;

/// Memory of a search, in bytes.
const MEMORY: usize = 256 << 20;

/// Options of `keima judge`.
#[derive(clap::Args, Clone, Debug)]
pub struct JudgeOptions {
    /// Files of labelled games: one JSON object a line, with size, komi, setup, moves, first, pos
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Look at this many positions, drawn at random
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub positions: usize,
    /// Play so many playouts from each position
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub playouts: u32,
    /// Search with so many simulations instead
    #[arg(long, value_name = "N")]
    pub simulations: Option<u64>,
    /// Ask this network instead: built-in or a file
    #[arg(long, value_name = "FILE")]
    pub net: Option<String>,
    /// Set a number of the search or of the playouts
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub numbers: Vec<String>,
    /// Show this many positions whose owners are judged worst
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub worst: usize,
    /// Seed of the random choices
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
}

/// Why there is no judgement.
#[derive(Debug)]
pub enum JudgeError {
    /// The labelled positions could not be read.
    Teacher(TeacherError),
    /// A number has no such name or value.
    Number(String),
    /// The network could not be read.
    Net(SourceError),
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JudgeError::Teacher(error) => error.fmt(f),
            JudgeError::Number(what) => f.write_str(what),
            JudgeError::Net(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for JudgeError {}

/// What Keima says of a position, for Black.
struct Opinion {
    win: f64,
    lead: f64,
    owner: PointMap<f32>,
    best: Option<Move>,
}

/// Sums of errors over positions.
#[derive(Clone, Copy, Default)]
struct Errors {
    positions: f64,
    win: f64,
    lead: f64,
    owner: f64,
    policy: f64,
    top: f64,
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.positions.max(1.0);
        write!(
            f,
            "{:>6} {:>8.4} {:>8.3} {:>8.4} {:>8.4} {:>6.3}",
            self.positions,
            self.win / n,
            self.lead / n,
            self.owner / n,
            self.policy / n,
            self.top / n
        )
    }
}

/// Compares what Keima says of labelled positions with the labels and tells `report`, line by line.
///
/// # Errors
/// When a file cannot be read or is no file of labelled games, or a number does not exist.
pub fn judge(options: &JudgeOptions, mut report: impl FnMut(&str)) -> Result<(), JudgeError> {
    let mut params = SearchParams::default();
    gtp::set_search(&mut params, &options.numbers).map_err(|error| JudgeError::Number(error.to_string()))?;
    let source = options.net.as_deref().map_or(Ok(NetSource::none()), NetSource::load).map_err(JudgeError::Net)?;
    let (mut reader, mut evaluator) = (InputReader::new(), Evaluator::new());
    let games = teacher::read_games(&options.files).map_err(JudgeError::Teacher)?;
    let mut rng = Rng::new(options.seed);
    let wanted = draw(&games.iter().map(teacher::LabelledGame::count).collect::<Vec<_>>(), options.positions, &mut rng);
    let mut worst: Vec<(f64, String)> = Vec::new();
    let mut phases = [Errors::default(); 3];
    for (game, wanted) in games.iter().zip(&wanted) {
        let judge_one = |labelled: &Labelled| {
            let network = source.network(labelled.game.geometry());
            let opinion = match (network, options.simulations) {
                (Some(network), None) => {
                    let symmetries = params.root_symmetries as u8;
                    net_opinion(&labelled.game, network, symmetries, &mut reader, &mut evaluator)
                }
                (_, Some(simulations)) => {
                    search_opinion(&labelled.game, &params, network.cloned(), simulations, options.seed)
                }
                (None, None) => playout_opinion(&labelled.game, &params, options.playouts, &mut rng),
            };
            let board = labelled.game.board();
            let stones = board.geometry().area() - board.empty_count();
            let phase = (stones * 4 / board.geometry().area()).min(2);
            let error = add_errors(&mut phases[phase], labelled, &opinion);
            if options.worst > 0 {
                worst.push((error, describe(labelled, &opinion)));
            }
        };
        game.each_position(|number| wanted[number], judge_one).map_err(JudgeError::Teacher)?;
    }
    worst.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, text) in worst.iter().take(options.worst) {
        report(text);
    }
    report("stones  positions  win (Brier)  lead (abs)  owner (sq)  policy  top");
    let mut all = Errors::default();
    for (name, phase) in ["< 1/4", "< 1/2", "more "].into_iter().zip(phases) {
        report(&format!("{name} {phase}"));
        all.positions += phase.positions;
        all.win += phase.win;
        all.lead += phase.lead;
        all.owner += phase.owner;
        all.policy += phase.policy;
        all.top += phase.top;
    }
    report(&format!("all   {all}"));
    Ok(())
}

/// Draws positions from games that have so many: for each game, which of them.
fn draw(counts: &[usize], positions: usize, rng: &mut Rng) -> Vec<Vec<bool>> {
    let mut wanted: Vec<Vec<bool>> = counts.iter().map(|&count| vec![false; count]).collect();
    let mut all: Vec<(usize, usize)> =
        counts.iter().enumerate().flat_map(|(game, &count)| (0..count).map(move |number| (game, number))).collect();
    for i in 0..all.len().min(positions) {
        let other = i + rng.below(all.len() - i);
        all.swap(i, other);
        wanted[all[i].0][all[i].1] = true;
    }
    wanted
}

fn playout_opinion(game: &Game, params: &SearchParams, playouts: u32, rng: &mut Rng) -> Opinion {
    let recent = Recent::of_moves(game.turns().iter().map(|turn| turn.mv));
    let mut policy = Policy::new(&params.playout);
    let mut first_plays = FirstPlays::new();
    let mut board = game.board().clone();
    let mut owner = PointMap::new(0.0);
    let (mut wins, mut lead) = (0.0, 0.0);
    let points: Vec<Point> = game.geometry().points().collect();
    for _ in 0..playouts {
        board.copy_from(game.board());
        first_plays.clear();
        let (margin, _) = play_out(&mut board, game.to_move(), recent, &mut policy, rng, &mut first_plays);
        let score = Score::from_margin(margin, game.komi());
        wins += score.black_win();
        lead += f64::from(score.half_points()) / 2.0;
        for &p in &points {
            owner[p] += final_owner(&board, p).map_or(0, Color::sign) as f32;
        }
    }
    let n = playouts.max(1);
    for &p in &points {
        owner[p] /= n as f32;
    }
    Opinion { win: wins / f64::from(n), lead: lead / f64::from(n), owner, best: None }
}

fn net_opinion(
    game: &Game,
    network: &Network,
    symmetries: u8,
    reader: &mut InputReader,
    evaluator: &mut Evaluator,
) -> Opinion {
    let (board, color, geometry) = (game.board(), game.to_move(), game.geometry());
    let recent = Recent::of_moves(game.turns().iter().map(|turn| turn.mv));
    reader.read(board, color, recent, game.passes() > 0, game.komi());
    evaluator.evaluate_by_symmetries(network, geometry, &reader.input, symmetries);
    let seen = &evaluator.opinion;
    let sign = f64::from(color.sign());
    let legal = geometry.points().filter(|&p| board.is_playable(p, color, false));
    let best = legal.max_by(|&a, &b| seen.policy[a].total_cmp(&seen.policy[b])).filter(|&p| seen.policy[p] > seen.pass);
    let mut owner = seen.owner;
    for p in geometry.points() {
        owner[p] *= sign as f32;
    }
    let win = f64::from(seen.win);
    Opinion {
        win: if sign > 0.0 { win } else { 1.0 - win },
        lead: f64::from(seen.lead) * sign,
        owner,
        best: Some(best.map_or(Move::Pass, Move::Play)),
    }
}

fn search_opinion(
    game: &Game,
    params: &SearchParams,
    network: Option<Arc<Network>>,
    simulations: u64,
    seed: u64,
) -> Opinion {
    let mut search = Search::new(params.clone(), 1, MEMORY, seed);
    search.set_network(network);
    let limits = Limits { simulations: Some(simulations), time: None };
    let report = search.think(&Question::new(game, limits), &StopFlag::default());
    let sign = f64::from(game.to_move().sign());
    let win = report.moves.first().map_or(report.win_rate, |m| m.value);
    Opinion {
        win: if sign > 0.0 { win } else { 1.0 - win },
        lead: report.score * sign,
        owner: report.ownership,
        best: report.moves.first().map(|m| m.mv),
    }
}

fn add_errors(errors: &mut Errors, labelled: &Labelled, opinion: &Opinion) -> f64 {
    let geometry = labelled.game.geometry();
    let squared: f32 = geometry.points().map(|p| (teacher_owner(labelled, p) - opinion.owner[p]).powi(2)).sum();
    errors.positions += 1.0;
    errors.win += (f64::from(labelled.win) - opinion.win).powi(2);
    errors.lead += (f64::from(labelled.lead) - opinion.lead).abs();
    errors.owner += f64::from(squared) / geometry.area() as f64;
    if let Some(best) = opinion.best {
        let chosen = labelled.probability(best);
        let likely = geometry.points().map(|p| labelled.probability(Move::Play(p))).fold(0.0, f32::max);
        errors.policy += f64::from(chosen);
        errors.top += f64::from(u8::from(chosen >= likely.max(labelled.probability(Move::Pass))));
    }
    f64::from(squared)
}

fn teacher_owner(labelled: &Labelled, point: Point) -> f32 {
    f32::from(labelled.owner[point]) / 127.0
}

/// The board beside the owners that the teacher and Keima expect, in tenths, and what each says of the result.
fn describe(labelled: &Labelled, opinion: &Opinion) -> String {
    let game = &labelled.game;
    let geometry = game.geometry();
    let last = game.turns().last().and_then(|turn| turn.mv.point());
    let mut text = format!(
        "{} to move, teacher: win {:.2} lead {:.1}; Keima: win {:.2} lead {:.1}\n",
        game.to_move(),
        labelled.win,
        labelled.lead,
        opinion.win,
        opinion.lead
    );
    for row in geometry.rows() {
        let row: Vec<Point> = row.collect();
        for &p in &row {
            let mark = match game.board().cell(p).color() {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None => '.',
            };
            text += &format!("{}{mark}", if last == Some(p) { '>' } else { ' ' });
        }
        for owner in [&|p| teacher_owner(labelled, p), &|p| opinion.owner[p]] as [&dyn Fn(Point) -> f32; 2] {
            text += "   ";
            for &p in &row {
                text += &format!("{:>3.0}", owner(p) * 10.0);
            }
        }
        text += "\n";
    }
    text
}
