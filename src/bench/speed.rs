//! How fast: playouts, simulations, and what a second thread adds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{MEMORY, SEED};
use crate::board::Board;
use crate::game::Game;
use crate::geometry::Geometry;
use crate::net::{NetSource, Network};
use crate::playout::{FirstPlays, PlayoutParams, Policy, Recent, play_out};
use crate::rng::Rng;
use crate::rules::Rules;
use crate::score::Komi;
use crate::search::{Limits, Question, Search, SearchParams};
use crate::time::StopFlag;

/// Time spent on each number.
const DURATION: Duration = Duration::from_millis(1500);
/// Time of one slice; the best slice counts, since whatever else the machine does can only slow Keima down.
const SLICE: Duration = Duration::from_millis(250);

/// What the columns of [`measure`] are.
pub(super) const HEADING: &str = "size  moves    light/s  ns/move     full/s  ns/move     sims/s   2 threads  with net";

/// One row of the table: the speeds on a board of this size after `moves` moves.
pub(super) fn measure(geometry: Geometry, moves: usize) -> String {
    let game = start(geometry, moves);
    let (light, light_ns) = playouts(&game, &PlayoutParams::light());
    let (full, full_ns) = playouts(&game, &PlayoutParams::default());
    let one = simulations(&game, 1, None);
    let ratio = simulations(&game, 2, None) / one;
    let network = NetSource::default().network(geometry).cloned();
    let with_net = network.map_or("none".to_string(), |network| format!("{:.0}", simulations(&game, 1, Some(network))));
    let size = geometry.size();
    let playouts = format!("{light:9.0}  {light_ns:7.0}  {full:9.0}  {full_ns:7.0}");
    format!("{size:4}  {moves:5}  {playouts}  {one:9.0}  {ratio:9.2}x  {with_net:>8}")
}

/// A game of this many moves of the playout policy.
fn start(geometry: Geometry, moves: usize) -> Game {
    let mut game = Game::new(geometry, Rules::CHINESE, Komi::DEFAULT);
    let params = PlayoutParams::default();
    let (mut policy, mut rng, mut recent) = (Policy::new(&params), Rng::new(SEED), Recent::NONE);
    for _ in 0..moves {
        let color = game.to_move();
        let mv = policy.choose(&mut game.board().clone(), color, recent, &mut rng);
        // The policy knows no superko: the rare move it forbids ends the sequence.
        if game.play(color, mv).is_err() {
            break;
        }
        recent = recent.after(mv);
    }
    game
}

/// Playouts per second on one thread, and nanoseconds per move.
fn playouts(game: &Game, params: &PlayoutParams) -> (f64, f64) {
    let color = game.to_move();
    let recent = Recent::of_moves(game.turns().iter().map(|turn| turn.mv));
    let (mut policy, mut rng, mut first_plays) = (Policy::new(params), Rng::new(SEED), FirstPlays::new());
    let mut board = Board::new(game.geometry());
    let best = best_slice(|count| {
        let mut moves = 0;
        for _ in 0..count {
            board.copy_from(game.board());
            first_plays.clear();
            moves += play_out(&mut board, color, recent, &mut policy, &mut rng, &mut first_plays).1;
        }
        moves
    });
    (best.rate, 1e9 / (best.rate * best.moves_each))
}

/// Simulations per second, each slice with a new tree.
fn simulations(game: &Game, threads: usize, network: Option<Arc<Network>>) -> f64 {
    let mut search = Search::new(SearchParams::default(), threads, MEMORY, SEED);
    search.set_network(network);
    let stop = StopFlag::default();
    let best = best_slice(|count| {
        let limits = Limits { simulations: Some(count), time: None };
        search.think(&Question::new(game, limits), &stop).playout_moves
    });
    best.rate
}

/// The fastest slice of a measurement.
struct Slice {
    /// Runs per second.
    rate: f64,
    /// Mean number of moves in a run.
    moves_each: f64,
}

/// Calls `work` with a number of runs, for which it returns the moves made, until the time is up.
fn best_slice(mut work: impl FnMut(u64) -> u64) -> Slice {
    let mut best = Slice { rate: 0.0, moves_each: 0.0 };
    let begin = Instant::now();
    let mut count = 50;
    while begin.elapsed() < DURATION {
        let slice_begin = Instant::now();
        let moves = work(count);
        let rate = count as f64 / slice_begin.elapsed().as_secs_f64();
        // A slice much shorter than it should be only finds the count for the next one.
        let full = slice_begin.elapsed() * 2 > SLICE;
        if best.rate == 0.0 || full && rate > best.rate {
            best = Slice { rate, moves_each: moves as f64 / count as f64 };
        }
        count = (rate * SLICE.as_secs_f64()).max(50.0) as u64;
    }
    best
}
