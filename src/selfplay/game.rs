//! One game: how it begins, which moves are played, when it ends, and what is learnt from it.

use std::sync::Arc;

use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Geometry, Move, PointMap};
use crate::net::Network;
use crate::rng::Rng;
use crate::rules::Rules;
use crate::score::{Komi, Score};
use crate::scoring;
use crate::search::{Limits, Question, Report, Search, SearchParams};
use crate::teacher::{Verdict, game_line};
use crate::time::StopFlag;

/// Memory of one game's search, in bytes: its trees are small.
const MEMORY: usize = 64 << 20;
/// Share of the games whose komi is moved until the beginning is about even; the others show what komi means.
const EVEN_GAMES: f64 = 0.75;
/// A game is decided when one side's chance was below this ...
const LOST: f64 = 0.03;
/// ... for so many moves in a row.
const LOST_MOVES: usize = 6;
/// How much the result of the game counts in the label of the winner, the rest being the search's opinion: the one is certain of little, the other
/// little certain.
const RESULT_SHARE: f64 = 0.5;

/// How games are played.
pub(super) struct Player {
    pub(super) geometry: Geometry,
    pub(super) visits: u64,
    pub(super) to_the_end: f64,
    pub(super) params: SearchParams,
    pub(super) network: Option<Arc<Network>>,
}

/// A game as it is written.
pub(super) struct PlayedGame {
    pub(super) line: String,
    pub(super) positions: usize,
}

/// A game in the making.
struct Table<'p> {
    player: &'p Player,
    search: Search,
    game: Game,
    rng: Rng,
}

impl Player {
    /// Plays one game; all chance is `rng`'s.
    pub(super) fn play(&self, mut rng: Rng) -> PlayedGame {
        let mut search = Search::new(self.params.clone(), 1, MEMORY, rng.next_u64());
        search.set_network(self.network.clone());
        // As it stands: whoever wants dead stones off the board has to capture them, and what the game teaches is exact.
        let game = Game::new(self.geometry, Rules::AS_IS, Komi::DEFAULT);
        let mut table = Table { player: self, search, game, rng };
        table.open();
        table.set_komi();
        table.play_on()
    }
}

impl Table<'_> {
    fn think(&mut self, visits: u64) -> Report {
        let limits = Limits { simulations: Some(visits), time: None };
        self.search.think(&Question::new(&self.game, limits), &StopFlag::default())
    }

    /// Some moves as the policy has them, so that no two games begin alike.
    fn open(&mut self) {
        self.search.params_mut().root_noise = 0.0;
        for _ in 0..self.rng.below(self.player.geometry.size()) {
            let report = self.think(1);
            let weights =
                report.moves.iter().map(|m| if m.mv == Move::Pass { 0.0 } else { m.prior }).collect::<Vec<_>>();
            let Some(place) = draw(&weights, &mut self.rng) else { break };
            if !self.make(report.moves[place].mv) {
                break;
            }
        }
        self.search.params_mut().root_noise = self.player.params.root_noise;
    }

    /// A komi that makes the game even by the search, or one that does not.
    fn set_komi(&mut self) {
        let even = self.rng.unit() < EVEN_GAMES;
        let lead = if even { black_lead(&self.think(self.player.visits)) } else { 0.0 };
        let spread = if even { 1.5 } else { self.player.geometry.size() as f64 };
        // Three uniform numbers are nearly a normal one.
        let noise = (0..3).map(|_| self.rng.unit() * 2.0 - 1.0).sum::<f64>() * spread;
        let area = self.player.geometry.area() as f64;
        if let Some(komi) = Komi::from_points((self.game.komi().points() + lead + noise).clamp(-area, area)) {
            self.game.set_komi(komi);
        }
    }

    fn play_on(mut self) -> PlayedGame {
        let area = self.player.geometry.area();
        let first = self.game.turns().len();
        let to_the_end = self.rng.unit() < self.player.to_the_end;
        let (mut verdicts, mut lost, mut last) = (Vec::new(), 0, None);
        while !self.game.is_over() && self.game.turns().len() < 3 * area {
            let report = self.think(self.player.visits);
            verdicts.push(verdict(&report));
            lost = if (report.win_rate - 0.5).abs() > 0.5 - LOST { lost + 1 } else { 0 };
            let mv = self.choose(&report, self.game.turns().len() - first);
            last = Some(report);
            if (lost >= LOST_MOVES && !to_the_end) || !self.make(mv) {
                break;
            }
        }
        self.settle(&mut verdicts, last.as_ref());
        PlayedGame { line: game_line(&self.game, first, &verdicts), positions: verdicts.len() }
    }

    /// Adds to the labels what the end of the game shows: the score if it was played out, else what was seen last.
    fn settle(&self, verdicts: &mut [Verdict], last: Option<&Report>) {
        let owner = if self.game.is_over() {
            let owner = scoring::ownership(self.game.board(), &[]);
            let score = scoring::score(&self.game, &[]);
            for verdict in &mut *verdicts {
                verdict.win += RESULT_SHARE * (score.black_win() - verdict.win);
                verdict.lead += RESULT_SHARE * (points(score) - verdict.lead);
            }
            let mut owners = PointMap::new(0.0);
            for p in self.player.geometry.points() {
                owners[p] = owner[p].map_or(0.0, |color| color.sign() as f32);
            }
            owners
        } else {
            let Some(last) = last else { return };
            let win = if black_win(last) > 0.5 { 1.0 } else { 0.0 };
            for verdict in &mut *verdicts {
                verdict.win += RESULT_SHARE * (win - verdict.win);
            }
            last.ownership
        };
        for verdict in verdicts {
            verdict.owner = owner;
        }
    }

    /// Draws a move by its visits, more and more often the most visited. A pass is played only if it is that: a game that ends by chance
    /// teaches nothing.
    fn choose(&mut self, report: &Report, number: usize) -> Move {
        let best = report.moves.first().map_or(Move::Pass, |m| m.mv);
        if best == Move::Pass {
            return best;
        }
        // Half as hot again after as many moves as a side has points: Wu ("Accelerating self-play learning in Go", 2019).
        let heat = 0.2 + 0.8 * 0.5f64.powf(number as f64 / self.player.geometry.size() as f64);
        let most = f64::from(report.moves[0].visits.max(1));
        let weight = |visits: u32| (f64::from(visits) / most).powf(1.0 / heat);
        let weights: Vec<f64> =
            report.moves.iter().map(|m| if m.mv == Move::Pass { 0.0 } else { weight(m.visits) }).collect();
        draw(&weights, &mut self.rng).map_or(best, |place| report.moves[place].mv)
    }

    /// Makes a move; false if the rules forbid it, which no move of a search is.
    fn make(&mut self, mv: Move) -> bool {
        self.game.play(self.game.to_move(), mv).is_ok()
    }
}

/// A place drawn by weight, if any weight is positive.
fn draw(weights: &[f64], rng: &mut Rng) -> Option<usize> {
    let mut rest = weights.iter().sum::<f64>() * rng.unit();
    let mut drawn = None;
    for (place, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        drawn = Some(place);
        rest -= weight;
        if rest < 0.0 {
            break;
        }
    }
    drawn
}

fn black_win(report: &Report) -> f64 {
    if report.color == Color::Black { report.win_rate } else { 1.0 - report.win_rate }
}

fn black_lead(report: &Report) -> f64 {
    report.score * f64::from(report.color.sign())
}

fn points(score: Score) -> f64 {
    f64::from(score.half_points()) / 2.0
}

fn verdict(report: &Report) -> Verdict {
    let sum: f64 = report.moves.iter().map(|m| f64::from(m.visits)).sum::<f64>().max(1.0);
    Verdict {
        win: black_win(report),
        lead: black_lead(report),
        policy: report.moves.iter().map(|m| (m.mv, f64::from(m.visits) / sum)).collect(),
        owner: report.ownership,
    }
}
