//! Why a game was won: the count in words and as a picture.

use crate::color::Color;
use crate::engine::Engine;
use crate::geometry::Point;
use crate::rules::Scoring;
use crate::scoring::Holding;
use crate::status::Status;

/// The result in a line. A game that was resigned or lost by time is decided by that, whatever the board says.
pub(super) fn result(engine: &mut Engine, recorded: Option<&str>) -> String {
    let counted = if engine.game().has_no_result() {
        "no result, since neither player breaks the cycle".to_string()
    } else {
        engine.final_score().to_string()
    };
    // SGF: R for resignation, T for time, F for forfeit.
    let is_decided = |text: &&str| {
        let end = text.split_once('+').map(|(_, end)| end.trim().to_ascii_uppercase());
        end.is_some_and(|end| end.starts_with(['R', 'T', 'F']))
    };
    match recorded.filter(is_decided) {
        Some(text) => format!("{text} as recorded; the board as it stands would be {counted}"),
        None => counted,
    }
}

/// The count: what each player has, which stones are dead or in seki, and whose each point is.
pub(super) fn count(engine: &mut Engine) -> Vec<String> {
    let (tally, statuses) = (engine.tally(), engine.final_status().to_vec());
    let game = engine.game();
    let handicap = game.rules().for_handicap_stone * game.handicap() as i32;
    let for_handicap = if handicap > 0 { format!(", {handicap} more for the handicap") } else { String::new() };
    let over = if game.is_over() { "" } else { ", not ended by passes" };
    let mut lines = vec![format!(
        "rules {}, komi {}{for_handicap}, {} moves{over}",
        game.rules().name,
        game.komi(),
        game.turns().len()
    )];
    for (name, color) in [("Black", Color::Black), ("White", Color::White)] {
        let held = held(&tally.holdings[color], game.rules().scoring);
        lines.push(format!("{name}: {held} = {}", tally.points[color]));
    }
    for (word, status) in [("dead", Status::Dead), ("seki", Status::Seki)] {
        for chain in statuses.iter().filter(|chain| chain.status == status) {
            let names: Vec<String> = chain.stones.iter().map(|&p| game.geometry().point_name(p)).collect();
            lines.push(format!("{word}: {}", names.join(" ")));
        }
    }
    lines.extend(picture(engine));
    lines
}

fn held(held: &Holding, scoring: Scoring) -> String {
    match scoring {
        Scoring::Area => format!("{} stones + {} points", held.stones, held.territory),
        Scoring::Territory => format!("{} points + {} captured + {} dead", held.territory, held.captured, held.dead),
    }
}

/// The board row by row.
fn picture(engine: &mut Engine) -> Vec<String> {
    let (owner, dead) = (engine.final_ownership(), engine.dead_at_the_end());
    let board = engine.game().board();
    let geometry = board.geometry();
    let letter = |p: Point| match (board.cell(p).color(), dead.contains(&p), owner[p]) {
        (Some(Color::Black), false, _) => 'X',
        (Some(Color::White), false, _) => 'O',
        (Some(Color::Black), true, _) => 'x',
        (Some(Color::White), true, _) => 'o',
        (None, _, Some(Color::Black)) => 'b',
        (None, _, Some(Color::White)) => 'w',
        (None, _, None) => '.',
    };
    let row = |y: usize| {
        let letters = (0..geometry.size()).filter_map(|x| geometry.point(x, y)).map(|p| letter(p).to_string());
        letters.collect::<Vec<_>>().join(" ")
    };
    let mut lines: Vec<String> = (0..geometry.size()).rev().map(row).collect();
    lines.push("X O living, x o dead, b w points of Black and White, . nobody's".to_string());
    lines
}

#[cfg(test)]
mod tests {
    use super::{count, result};
    use crate::engine::{Engine, Settings};
    use crate::sgf::read_games;

    fn engine(text: &str) -> Engine {
        let record = read_games(text.as_bytes()).expect("readable").remove(0);
        let mut engine = Engine::new(&Settings::default());
        engine.set_game(record.to_game(record.rules().unwrap_or_default()).expect("playable"));
        engine
    }

    const GAME: &str = "(;SZ[5]KM[0.5]RU[Japanese]AB[ba][bb][bc][bd][be][ab]AW[da][db][dc][dd][de][eb][ad];B[];W[])";

    #[test]
    fn a_resigned_game_is_won_by_the_resignation_whatever_the_board_says() {
        let mut engine = engine(GAME);
        assert_eq!(result(&mut engine, None), "B+0.5");
        assert_eq!(result(&mut engine, Some("B+0.5")), "B+0.5");
        assert_eq!(
            result(&mut engine, Some("W+Resign")),
            "W+Resign as recorded; the board as it stands would be B+0.5"
        );
        assert_eq!(result(&mut engine, Some("?")), "B+0.5");
    }

    #[test]
    fn the_count_names_points_prisoners_and_the_dead() {
        let lines = count(&mut engine(GAME));
        assert_eq!(lines[0], "rules japanese, komi 0.5, 2 moves");
        assert_eq!(lines[1], "Black: 4 points + 0 captured + 1 dead = 5");
        assert_eq!(lines[2], "White: 4 points + 0 captured + 0 dead = 4");
        assert_eq!(lines[3], "dead: A2");
        assert_eq!(lines[4..9], ["b X . O w", "X X . O O", "b X . O w", "o X . O w", "b X . O w"]);
    }

    #[test]
    fn compensation_for_a_handicap_is_said() {
        let lines = count(&mut engine("(;SZ[9]KM[0.5]HA[2]AB[gc][cg];W[ee])"));
        assert_eq!(lines[0], "rules chinese, komi 0.5, 2 more for the handicap, 1 moves, not ended by passes");
    }
}
