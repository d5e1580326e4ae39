//! How the weak levels choose among the moves of a search.

use crate::board::Board;
use crate::color::Color;
use crate::geometry::Point;
use crate::level::{Judge, Style};
use crate::rng::Rng;
use crate::search::{Report, RootMove};
use crate::tactics::after_play;

/// Draws a point with probability prior^(1/tau) * exp(-loss / lambda) among the moves that were looked at and that no person
/// would find absurd. `None` when there is no such move.
pub fn choose_like_a_person(
    board: &Board,
    color: Color,
    report: &Report,
    style: &Style,
    moves_played: usize,
    rng: &mut Rng,
) -> Option<Point> {
    // With results counted in points only, a value of 0.5 is an even score and 1 the whole board.
    let unit = match style.judge {
        Judge::Points => 2.0 * board.geometry().area() as f64,
        Judge::Wins => 1.0,
    };
    let visits: f64 = report.moves.iter().map(|m| f64::from(m.visits)).sum();
    let mean = report.moves.iter().map(|m| m.value * f64::from(m.visits)).sum::<f64>() / visits.max(1.0);
    // A few virtual visits at the position's own value keep single lucky playouts from deciding.
    let judged = |m: &RootMove| unit * (m.value * f64::from(m.visits) + mean * 4.0) / (f64::from(m.visits) + 4.0);
    let mut plays: Vec<(Point, &RootMove)> = report
        .moves
        .iter()
        .filter_map(|m| m.mv.point().map(|p| (p, m)))
        .filter(|&(p, _)| !is_absurd(board, p, color, moves_played) && !decides_at_once(board, p))
        .collect();
    // Moves that the search hardly looked at are judged by luck: the filter of Wu et al., "On strength adjustment for MCTS-based
    // programs" (AAAI 2019), leaves those with a tenth of the best one's visits.
    let enough = plays.iter().map(|(_, m)| m.visits / 10).max().unwrap_or(0);
    plays.retain(|(_, m)| m.visits >= enough);
    let best = plays.iter().map(|(_, m)| judged(m)).fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> =
        plays.iter().map(|(_, m)| m.prior.powf(1.0 / style.tau) * (-(best - judged(m)) / style.lambda).exp()).collect();
    let mut left = rng.unit() * weights.iter().sum::<f64>();
    for (&(p, _), weight) in plays.iter().zip(&weights) {
        left -= weight;
        if left <= 0.0 {
            return Some(p);
        }
    }
    plays.first().map(|&(p, _)| p)
}

/// Moves that even beginners do not make: three stones or more into atari for nothing, and the first line in the opening.
fn is_absurd(board: &Board, point: Point, color: Color, moves_played: usize) -> bool {
    let g = board.geometry();
    let after = after_play(board, point, color, 2);
    let gives_away = after.liberties < 2 && after.stones >= 3 && after.captured == 0;
    let too_low = g.size() > 5 && g.line(point) == 1 && moves_played < g.area() / 10 && after.captured == 0;
    gives_away || too_low
}

/// The middle of an empty board of at most 5x5: whoever begins there owns the whole board, and no later mistake is likely to matter.
fn decides_at_once(board: &Board, point: Point) -> bool {
    let g = board.geometry();
    g.size() <= 5 && board.empty_count() == g.area() && g.xy(point) == (g.size() / 2, g.size() / 2)
}
