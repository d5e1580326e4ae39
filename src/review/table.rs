//! A review as a table for a terminal.

use std::fmt::Write as _;

use super::{Figures, Review};
use crate::color::Color;

/// Moves of a line that are shown.
const LINE: usize = 6;

/// The table, with a line for each move and a summary.
pub fn table(review: &Review) -> String {
    let mut text = String::new();
    let title = match review.game {
        1 => review.source.clone(),
        number => format!("{}, game {number}", review.source),
    };
    let (black, white) = (review.name(Color::Black), review.name(Color::White));
    let _ = writeln!(text, "{title}: {black} (B) against {white} (W), {0}x{0}, komi {1}", review.size, review.komi);
    if let Some(result) = review.result.as_deref().filter(|result| !result.is_empty()) {
        let _ = writeln!(text, "Result: {result}");
    }
    // Win rate and lead are Black's.
    let _ = writeln!(
        text,
        "{:>4}  {:<6} {:>7} {:>7} {:>7} {:>7}  better",
        "move", "", "B wins", "B leads", "points", "chance"
    );
    for judgement in &review.moves {
        let lost = |amount: f64, shown: String| if amount > 0.0 { shown } else { String::new() };
        let line = format!(
            "{:>4}  {} {:<4} {:>6.1}% {:>+7.1} {:>7} {:>7}  {}",
            judgement.number,
            judgement.player,
            judgement.mv,
            judgement.black_win_rate * 100.0,
            judgement.black_lead,
            lost(judgement.points_lost, format!("-{:.1}", judgement.points_lost)),
            lost(judgement.win_rate_lost, format!("-{:.1}%", judgement.win_rate_lost * 100.0)),
            judgement.better.iter().take(LINE).map(String::as_str).collect::<Vec<_>>().join(" "),
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let figures = review.figures();
    for color in Color::BOTH {
        let Figures { moves, mean_points, mean_win_rate, mistakes, blunders, first_choices } = figures[color];
        if moves > 0 {
            let _ = writeln!(
                text,
                "{} ({}): {moves} moves, {mean_points:.2} points and {:.1}% lost a move, {mistakes} of 2 points or more, \
                 {blunders} of 8 or more, {first_choices} as Keima",
                review.name(color),
                color.letter(),
                mean_win_rate * 100.0,
            );
        }
    }
    text
}
