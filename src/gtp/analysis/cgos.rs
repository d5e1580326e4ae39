//! What a search found, as the server CGOS and its viewer read it: one line of JSON, every value the player to move's.

use serde::Serialize;

use super::lines::{root_values, rows};
use crate::geometry::Geometry;
use crate::search::Report;

/// Most moves told of; the server keeps the line in the record of the game.
const MOST_MOVES: usize = 10;

#[derive(Serialize)]
struct Position {
    winrate: f64,
    score: f64,
    visits: u32,
    moves: Vec<Candidate>,
    ownership: String,
}

#[derive(Serialize)]
struct Candidate {
    r#move: String,
    winrate: f64,
    score: f64,
    prior: f64,
    visits: u32,
    /// What is expected to follow the move.
    pv: String,
}

/// The line for a report.
pub(super) fn json(report: &Report, geometry: Geometry) -> String {
    let (winrate, score) = root_values(report);
    let visited = report.moves.iter().filter(|m| m.visits > 0).take(MOST_MOVES);
    let moves = visited.map(|m| Candidate {
        r#move: geometry.move_name(m.mv),
        winrate: rounded(m.win_rate),
        score: rounded(m.lead),
        prior: rounded(m.prior),
        visits: m.visits,
        pv: m.line.moves.iter().skip(1).map(|&mv| geometry.move_name(mv)).collect::<Vec<_>>().join(" "),
    });
    let position = Position {
        winrate: rounded(winrate),
        score: rounded(score),
        visits: report.visits,
        moves: moves.collect(),
        ownership: rows(report, geometry, &report.ownership).into_iter().map(letter).collect(),
    };
    serde_json::to_string(&position).unwrap_or_default()
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

/// An ownership from -1 to 1 as one of 63 letters.
fn letter(mean: f32) -> char {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let share = ((mean + 1.0) / 2.0).clamp(0.0, 1.0);
    char::from(LETTERS[(share * 62.0).round() as usize])
}

#[cfg(test)]
mod tests {
    #[test]
    fn ownership_is_a_letter_from_the_opponents_to_ones_own() {
        assert_eq!([-1.0, 0.0, 1.0, 7.0].map(super::letter), ['A', 'f', '+', '+']);
    }
}
