//! Positions with known answers, and how near Keima's judgement comes to them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::AdjudicateError;
use crate::board::Board;
use crate::color::Color;
use crate::engine::Engine;
use crate::game::Game;
use crate::geometry::Point;
use crate::rules::Rules;
use crate::score::Komi;

/// A position with what is known of it.
struct Known {
    name: String,
    game: Game,
    /// For each point: a color, nobody, or not known.
    owner: Option<Vec<(Point, Option<Option<Color>>)>>,
    /// Black's agreed margin with komi, in half points.
    margin: Option<i32>,
}

/// How many answers were right.
#[derive(Clone, Copy, Default)]
struct Count {
    boards: usize,
    boards_right: usize,
    points: usize,
    points_right: usize,
}

/// Judges every position of a text (see `scripts/known-positions.py` for its form) and tells `report`: wrong boards one by one, then the
/// counts of each set.
///
/// # Errors
/// When a line is not of that form.
pub(super) fn check(text: &str, engine: &mut Engine, report: &mut dyn FnMut(&str)) -> Result<(), AdjudicateError> {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for (i, line) in text.lines().enumerate() {
        let known = parse(line).ok_or(AdjudicateError::BadLine(i + 1))?;
        let count = counts.entry(known.name.rsplit_once('/').map_or("", |(set, _)| set).to_string()).or_default();
        let before = *count;
        engine.set_game(known.game.clone());
        let (owner, score) = (engine.final_ownership(), engine.final_score());
        count.boards += 1;
        let mut wrong = Vec::new();
        for &(point, expected) in known.owner.iter().flatten() {
            if let Some(expected) = expected {
                count.points += 1;
                if owner[point] == expected {
                    count.points_right += 1;
                } else {
                    wrong.push(point);
                }
            }
        }
        let margin_right = known.margin.is_none_or(|margin| margin == score.half_points());
        count.boards_right += usize::from(wrong.is_empty() && margin_right);
        if count.boards_right == before.boards_right {
            report(&describe(&known, &owner, &wrong, score.half_points()));
        }
    }
    for (set, count) in counts {
        let share = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
        let mut line = format!(
            "{set}: {} of {} right ({:.1} %)",
            count.boards_right,
            count.boards,
            share(count.boards_right, count.boards)
        );
        if count.points > 0 {
            let _ = write!(line, ", points {:.2} %", share(count.points_right, count.points));
        }
        report(&line);
    }
    Ok(())
}

fn parse(line: &str) -> Option<Known> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, rules, komi, rows, owners, margin] = fields[..] else { return None };
    let board = Board::from_diagram(rows).ok()?;
    let komi = Komi::from_points(komi.parse().ok()?)?;
    let game = Game::from_board(&board, Rules::by_name(rules).ok()?, komi).ok()?;
    let geometry = board.geometry();
    let owner = |owners: &str| {
        let rows: Vec<Vec<char>> = owners.split('/').map(|row| row.chars().collect()).collect();
        geometry
            .points()
            .map(|p| {
                let (x, y) = geometry.xy(p);
                let owner = match rows.get(geometry.size() - 1 - y)?.get(x)? {
                    'X' => Some(Some(Color::Black)),
                    'O' => Some(Some(Color::White)),
                    '.' => Some(None),
                    _ => None,
                };
                Some((p, owner))
            })
            .collect::<Option<Vec<_>>>()
    };
    Some(Known {
        name: name.to_string(),
        game,
        owner: if owners == "-" { None } else { Some(owner(owners)?) },
        margin: if margin == "-" { None } else { Some((margin.parse::<f64>().ok()? * 2.0).round() as i32) },
    })
}

/// The board beside Keima's owners, wrong ones marked.
fn describe(known: &Known, owner: &crate::scoring::Ownership, wrong: &[Point], half_points: i32) -> String {
    let board = known.game.board();
    let geometry = board.geometry();
    let mut text = format!("{}: ", known.name);
    match known.margin {
        Some(margin) => {
            let _ = writeln!(text, "agreed {}, judged {}", f64::from(margin) / 2.0, f64::from(half_points) / 2.0);
        }
        None => {
            let _ = writeln!(text, "{} points wrong", wrong.len());
        }
    }
    let letter = |color: Option<Color>| match color {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    for row in geometry.rows() {
        let row: Vec<Point> = row.collect();
        for &p in &row {
            let _ = write!(text, " {}", letter(board.cell(p).color()));
        }
        text += "   ";
        for &p in &row {
            let _ = write!(text, "{}{}", if wrong.contains(&p) { '!' } else { ' ' }, letter(owner[p]));
        }
        text += "\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::engine::{Engine, Settings};

    /// What is told of these lines.
    fn told(text: &str) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        let mut engine = Engine::new(&Settings::default());
        let checked = check(text, &mut engine, &mut |line| lines.push(line.to_string()));
        checked.map(|()| lines).map_err(|error| error.to_string())
    }

    const BOARD: &str = ".X.O./XXXOO/.X.O./XXXOO/.XXO.";

    #[test]
    fn right_answers_are_counted_and_wrong_ones_shown() {
        let right = format!("set/a\tchinese\t0.5\t{BOARD}\tXX.OO/XXXOO/XX?OO/XXXOO/XXXOO\t2.5\n");
        assert_eq!(told(&right).expect("readable"), ["set: 1 of 1 right (100.0 %), points 100.00 %"]);
        let wrong = format!("set/b\tchinese\t0.5\t{BOARD}\tXXXOO/XXXOO/XX?OO/XXXOO/XXXOO\t-\n");
        let lines = told(&(right + &wrong)).expect("readable");
        assert!(lines[0].starts_with("set/b: 1 points wrong\n . X . O .    X X!. O O\n"), "{}", lines[0]);
        assert_eq!(lines[1], "set: 1 of 2 right (50.0 %), points 97.92 %");
    }

    #[test]
    fn a_line_of_another_form_is_refused() {
        assert_eq!(told("nonsense").expect_err("refused"), "line 1 is no position with a known answer");
    }
}
