//! What must be right about the end of a game, whatever is played before.

use super::{Engine, Settings};
use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Geometry, Move};
use crate::rules::Rules;
use crate::score::Komi;
use crate::scoring;
use crate::status::{Basis, ChainStatus, Status};

fn engine(game: Game) -> Engine {
    let mut engine = Engine::new(&Settings::default());
    engine.set_game(game);
    engine
}

fn komi(points: f64) -> Komi {
    Komi::from_points(points).expect("finite")
}

/// An engine at this position, set up without a history, without komi.
fn at(diagram: &str, rules: Rules) -> Engine {
    let board = Board::from_diagram(diagram).expect("a diagram");
    engine(Game::from_board(&board, rules, komi(0.0)).expect("legal"))
}

fn statuses(engine: &mut Engine, status: Status) -> usize {
    engine.final_status().iter().filter(|chain| chain.status == status).count()
}

/// White's two chains and Black's three live by one shared liberty, C7, with an eye each; the rest is White's and Black's as it looks.
const SEKI: &str =
    ". X . O . O X / X X X O O O X / O O O X X X X / . . O X . X . / O O O X X X X / . O . O X . X / O O O O X X X";

#[test]
fn in_seki_stones_and_eyes_count_by_area_and_shared_liberties_for_nobody() {
    let mut engine = at(SEKI, Rules::CHINESE);
    assert_eq!(statuses(&mut engine, Status::Dead), 0);
    // Black 21 stones and 4 points, White 18 and 5.
    assert_eq!(engine.final_score().to_string(), "B+2.0");
    let shared = engine.game().geometry().point(2, 6).expect("on the board");
    assert_eq!(engine.final_ownership()[shared], None);
}

#[test]
fn in_seki_neither_stones_nor_eyes_count_by_territory() {
    for rules in [Rules::JAPANESE, Rules::JAPANESE_DRAFT] {
        let mut engine = at(SEKI, rules);
        assert_eq!(statuses(&mut engine, Status::Dead), 0);
        assert!(statuses(&mut engine, Status::Seki) >= 2);
        assert_eq!(engine.final_score().to_string(), "W+1.0", "{}", rules.name);
    }
}

/// Example 7-1 of the Japanese rules: White's seven stones are a bent four in Black's corner.
const BENT_FOUR: &str = "X X X . O X X X X / . O O O O X X X X / O O X X X X X X X / X X X X X X X X X / X X X X X X X X X / X X X X X X X X X / X X X X X X X X X / X . X X X X . X X / X X X X X X X X X";

#[test]
fn bent_four_in_the_corner_is_dead_as_it_stands_by_territory() {
    for rules in [Rules::JAPANESE, Rules::JAPANESE_DRAFT] {
        let mut engine = at(BENT_FOUR, rules);
        assert_eq!((statuses(&mut engine, Status::Dead), statuses(&mut engine, Status::Alive)), (1, 2));
        // Nine points with seven prisoners in the corner, two more below.
        assert_eq!(engine.final_score().to_string(), "B+18.0", "{}", rules.name);
        let told = engine.account(super::Detail::Proof).join("\n");
        assert!(told.contains("white") && told.contains("proof: "), "{told}");
    }
}

#[test]
fn bent_four_in_the_corner_is_not_taken_off_by_proof_under_area_rules() {
    let mut engine = at(BENT_FOUR, Rules::CHINESE);
    let is_proven = |chain: &ChainStatus| matches!(chain.basis, Basis::Proof { .. });
    assert!(!engine.final_status().iter().any(|chain| chain.status == Status::Dead && is_proven(chain)));
}

#[test]
fn white_is_compensated_for_a_handicap_by_the_rules_in_force() {
    let geometry = Geometry::new(9).expect("a size");
    for (rules, score) in [(Rules::CHINESE, "B+77.5"), (Rules::AS_IS, "B+80.5"), (Rules::JAPANESE, "B+77.5")] {
        let mut game = Game::new(geometry, rules, komi(0.5));
        game.place_handicap(&geometry.handicap_points(3).expect("three points")).expect("an empty board");
        // By territory Black's three stones are no points, by area White gets a point for each, as is neither.
        assert_eq!(engine(game).final_score().to_string(), score, "{}", rules.name);
    }
}

#[test]
fn an_empty_board_is_won_by_komi_also_after_two_passes_at_the_start() {
    for rules in Rules::ALL {
        let mut game = Game::new(Geometry::new(9).expect("a size"), rules, komi(6.5));
        assert_eq!(engine(game.clone()).final_score().to_string(), "W+6.5");
        for color in [Color::Black, Color::White] {
            game.play(color, Move::Pass).expect("a pass");
        }
        let mut engine = engine(game);
        assert_eq!(engine.final_score().to_string(), "W+6.5");
        assert!(engine.final_status().is_empty());
    }
}

#[test]
fn a_board_of_one_color_is_that_players() {
    let diagram = ". X . . . / X X . . . / . . . . . / . . . X . / . . . . .";
    for (rules, score) in [(Rules::CHINESE, "B+25.0"), (Rules::AS_IS, "B+25.0"), (Rules::JAPANESE, "B+21.0")] {
        let mut engine = at(diagram, rules);
        assert_eq!(engine.final_score().to_string(), score, "{}", rules.name);
        assert_eq!(statuses(&mut engine, Status::Alive), 2);
    }
}

#[test]
fn whatever_is_asked_the_answers_agree_with_one_another_and_come_again() {
    for diagram in [SEKI, BENT_FOUR, ". X . O . / X X . O O / . X . O . / O X . O . / . X . O ."] {
        for rules in Rules::ALL {
            let mut engine = at(diagram, rules);
            let (score, owner, dead) = (engine.final_score(), engine.final_ownership(), engine.dead_at_the_end());
            assert_eq!(score, scoring::count_owned(engine.game(), &dead, &owner).score);
            let board = engine.game().board().clone();
            let told: usize = engine.final_status().iter().map(|chain| chain.stones.len()).sum();
            let stones = Color::BOTH.map(|color| board.stones_on_board(color)).iter().sum::<usize>();
            assert_eq!(told, stones, "every stone has a status");
            for chain in engine.final_status().to_vec() {
                let is_off = rules.dead_stones == crate::rules::DeadStones::Removed && chain.status == Status::Dead;
                assert!(chain.stones.iter().all(|stone| dead.contains(stone) == is_off));
            }
            let mut again = at(diagram, rules);
            assert_eq!((again.final_score(), again.final_ownership(), again.dead_at_the_end()), (score, owner, dead));
        }
    }
}

#[test]
fn keima_passes_where_the_score_is_what_it_tells_and_plays_no_bent_four_out() {
    for (diagram, color) in [(BENT_FOUR, Color::Black), (SEKI, Color::White)] {
        let board = Board::from_diagram(diagram).expect("a diagram");
        let mut game = Game::from_board(&board, Rules::JAPANESE, komi(0.0)).expect("legal");
        game.play(color.opponent(), Move::Pass).expect("a pass");
        let settings = Settings { playouts: Some(400), seed: Some(1), threads: 1, ..Settings::default() };
        let mut engine = Engine::new(&settings);
        engine.set_game(game);
        let decision = engine.choose(color, None, &super::StopFlag::default());
        assert_eq!(decision, super::Decision::Move(Move::Pass), "{diagram}");
    }
}

#[test]
fn a_glance_at_a_turned_board_is_one_at_a_board_that_was_turned() {
    let (nine, seed) = (Geometry::new(9).expect("in range"), Settings { seed: Some(1), ..Settings::default() });
    let moves = ["E5", "C3", "G4", "C6", "D5", "pass", "F7"].map(|name| nine.parse_move(name).expect("a move"));
    let engine_at = |symmetry: u8| {
        let mut engine = Engine::new(&seed);
        engine.set_game(Game::new(nine, Rules::JAPANESE, komi(0.5)));
        for mv in moves {
            let turned = mv.point().map_or(Move::Pass, |point| Move::Play(nine.turned(point, symmetry)));
            engine.play(engine.game().to_move(), turned).expect("legal");
        }
        engine
    };
    let mut seen = Vec::new();
    for symmetry in 0..8 {
        let glance = engine_at(0).glance(Color::White, symmetry).expect("a network");
        let of_turned = engine_at(symmetry).glance(Color::White, 0).expect("a network");
        assert_eq!((glance.win, glance.lead), (of_turned.win, of_turned.lead));
        let total: f32 = glance.moves.iter().map(|(_, probability)| probability).sum();
        assert!((total - 1.0).abs() < 1e-4, "{total}");
        for (mv, probability) in glance.moves {
            let turned = mv.point().map_or(Move::Pass, |point| Move::Play(nine.turned(point, symmetry)));
            let found = of_turned.moves.iter().find(|(other, _)| *other == turned).expect("as legal there");
            assert!((found.1 - probability).abs() < 1e-5, "{mv:?} with symmetry {symmetry}");
        }
        for point in nine.points() {
            assert_eq!(glance.owner[point], of_turned.owner[nine.turned(point, symmetry)]);
        }
        assert!(!seen.contains(&glance.win), "a symmetry of its own");
        seen.push(glance.win);
    }
}
