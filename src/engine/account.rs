//! Why a game was won: the count, the fate of the chains with the reasons, and the board, in lines of text.

use super::Engine;
use crate::color::Color;
use crate::geometry::Point;
use crate::rules::Scoring;
use crate::scoring::Holding;
use crate::status::{Basis, ChainStatus, Status};

/// How much is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// The count and the board.
    Count,
    /// Every chain, too, with how its fate is known.
    Proof,
}

impl Engine {
    /// The count of the position as if the game were over, in lines.
    pub fn account(&mut self, detail: Detail) -> Vec<String> {
        let mut lines = count(self);
        if detail == Detail::Proof {
            lines.extend(chains(self));
        }
        lines.extend(picture(self));
        lines
    }
}

/// The count: what each player has, which stones are dead or in seki, and whose each point is.
fn count(engine: &mut Engine) -> Vec<String> {
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
    lines
}

/// What is known of every chain, and how: the lowest point of each, one chain a line, and below it the line of play where it was solved.
fn chains(engine: &mut Engine) -> Vec<String> {
    let statuses = engine.final_status().to_vec();
    let geometry = engine.game().geometry();
    let mut lines = Vec::new();
    let mut chains: Vec<(Point, ChainStatus)> =
        statuses.into_iter().filter_map(|chain| Some((chain.stones.iter().copied().min()?, chain))).collect();
    chains.sort_by_key(|(first, _)| *first);
    for (first, chain) in chains {
        let count = match chain.stones.len() {
            1 => "1 stone".to_string(),
            many => format!("{many} stones"),
        };
        let why = match &chain.basis {
            Basis::Unconditional if chain.status == Status::Dead => {
                "it stands where its opponent lives whatever is played"
            }
            Basis::Unconditional => "it lives whatever is played",
            Basis::Proof { reason, .. } => reason,
            Basis::Judgement => "as playouts see it",
        };
        lines.push(format!("{} {} ({count}): {}: {why}", chain.color, geometry.point_name(first), chain.status));
        if let Basis::Proof { line, states, on_condition, .. } = &chain.basis {
            let on_condition = if *on_condition { ", if the sure stones around it stay" } else { "" };
            let line = if line.is_empty() { "no play is needed" } else { line };
            lines.push(format!("  proof: {line} ({states} positions{on_condition})"));
        }
    }
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
    let mut lines: Vec<String> =
        geometry.rows().map(|row| row.map(|p| letter(p).to_string()).collect::<Vec<_>>().join(" ")).collect();
    lines.push("X O living, x o dead, b w points of Black and White, . nobody's".to_string());
    lines
}

#[cfg(test)]
mod tests {
    use super::{Detail, count};
    use crate::board::Board;
    use crate::color::Color;
    use crate::engine::{Engine, Settings};
    use crate::game::Game;
    use crate::geometry::{Geometry, Move};
    use crate::rules::Rules;
    use crate::score::Komi;

    /// An engine whose game begins with this position and ends with two passes.
    fn ended(diagram: &str, rules: Rules) -> Engine {
        let board = Board::from_diagram(diagram).expect("a diagram");
        let komi = Komi::from_points(0.5).expect("finite");
        let mut game = Game::from_board(&board, rules, komi).expect("legal");
        for color in [Color::Black, Color::White] {
            game.play(color, Move::Pass).expect("a pass is legal");
        }
        let mut engine = Engine::new(&Settings::default());
        engine.set_game(game);
        engine
    }

    const DIAGRAM: &str = ". X . O . / X X . O O / . X . O . / O X . O . / . X . O .";

    #[test]
    fn the_count_names_points_prisoners_and_the_dead() {
        let lines = ended(DIAGRAM, Rules::JAPANESE).account(Detail::Count);
        assert_eq!(lines[0], "rules japanese, komi 0.5, 2 moves");
        assert_eq!(lines[1], "Black: 4 points + 0 captured + 1 dead = 5");
        assert_eq!(lines[2], "White: 4 points + 0 captured + 0 dead = 4");
        assert_eq!(lines[3], "dead: A2");
        assert_eq!(lines[4..9], ["b X . O w", "X X . O O", "b X . O w", "o X . O w", "b X . O w"]);
    }

    #[test]
    fn every_chain_is_told_with_how_its_fate_is_known() {
        let lines = ended(DIAGRAM, Rules::JAPANESE).account(Detail::Proof);
        let told = |what: &str| assert!(lines.iter().any(|line| line.contains(what)), "{what}: {lines:?}");
        told(" (6 stones): alive: it lives whatever is played");
        told("white A2 (1 stone): dead: it stands where its opponent lives whatever is played");
        assert_eq!(lines.iter().filter(|line| line.contains("stone")).count(), 3, "{lines:?}");
    }

    #[test]
    fn a_chain_that_was_solved_is_told_with_the_line_of_play() {
        // Bent four in the corner: dead as it stands under japanese rules, and nothing that playouts would find.
        let diagram = "X X X . O X X / . O O O O X X / O O X X X X X / X X X X X X X / X X X X X X X / X . X X . X X / X X X X X X X";
        let lines = ended(diagram, Rules::JAPANESE).account(Detail::Proof);
        assert!(lines.iter().any(|line| line.starts_with("  proof: ")), "{lines:?}");
    }

    #[test]
    fn compensation_for_a_handicap_is_said() {
        let geometry = Geometry::new(9).expect("a size");
        let mut game = Game::new(geometry, Rules::CHINESE, Komi::from_points(0.5).expect("finite"));
        game.place_handicap(&geometry.handicap_points(2).expect("two points")).expect("an empty board");
        let mut engine = Engine::new(&Settings::default());
        engine.set_game(game);
        assert_eq!(
            count(&mut engine)[0],
            "rules chinese, komi 0.5, 2 more for the handicap, 0 moves, not ended by passes"
        );
    }
}
