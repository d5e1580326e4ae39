//! The search on positions with a known answer, and its bookkeeping.

use super::{Limits, Search, SearchParams};
use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Geometry, Move};
use crate::rules::Rules;
use crate::score::Komi;
use crate::time::StopFlag;
use crate::tree::Tree;

fn game_from(diagram: &str, rules: Rules, komi: f64) -> Game {
    let board = Board::from_diagram(diagram).expect("valid");
    Game::from_board(&board, rules, Komi::from_points(komi).expect("finite")).expect("legal")
}

fn search(threads: usize) -> Search {
    Search::new(SearchParams::default(), threads, 64 << 20, 1)
}

fn fixed(simulations: u64) -> Limits {
    Limits { simulations: Some(simulations), time: None }
}

#[test]
fn the_same_seed_gives_the_same_tree_on_a_used_search_too() {
    let game = Game::new(Geometry::new(9).expect("valid"), Rules::CHINESE, Komi::DEFAULT);
    let mut used = search(1);
    used.think(&game, Color::White, &[], &fixed(300), &StopFlag::default());
    let again = used.think(&game, Color::Black, &[], &fixed(500), &StopFlag::default());
    let fresh = search(1).think(&game, Color::Black, &[], &fixed(500), &StopFlag::default());
    assert_eq!(fresh.simulations, 500);
    assert_eq!(again.moves, fresh.moves);
    assert_eq!(again.nodes, fresh.nodes);
}

#[test]
fn no_visit_is_lost_between_threads() {
    let game = Game::new(Geometry::new(7).expect("valid"), Rules::CHINESE, Komi::DEFAULT);
    let mut search = search(3);
    let report = search.think(&game, Color::Black, &[], &fixed(4000), &StopFlag::default());
    assert_eq!(report.simulations, 4000);
    let mut stack = vec![Tree::ROOT];
    while let Some(id) = stack.pop() {
        let node = search.tree.node(id);
        assert_eq!(node.pending(), 0);
        let Some(children) = node.children() else { continue };
        let below: u32 = search.tree.nodes(children).iter().map(super::super::tree::Node::visits).sum();
        assert_eq!(node.visits(), below + node.own_visits());
        stack.extend((0..children.len()).map(|i| children.get(i)));
    }
}

#[test]
fn it_takes_the_stones_that_decide_the_game() {
    let game = game_from(". X O O . / X X O . O / O O O O O / X X X X O / . X . X O", Rules::TROMP_TAYLOR, 0.5);
    let report = search(1).think(&game, Color::White, &[], &fixed(1500), &StopFlag::default());
    assert_eq!(game.geometry().move_name(report.moves[0].mv), "A5");
}

#[test]
fn a_tree_is_found_again_after_moves_and_undo() {
    let mut game = Game::new(Geometry::new(9).expect("valid"), Rules::CHINESE, Komi::DEFAULT);
    let mut search = search(1);
    let budget = |ms| crate::time::TimeBudget {
        target: std::time::Duration::from_millis(ms),
        limit: std::time::Duration::from_millis(ms),
    };
    let limits = Limits { simulations: None, time: Some(budget(60)) };
    let first = search.think(&game, Color::Black, &[], &limits, &StopFlag::default());
    let best = first.moves[0];
    game.play(Color::Black, best.mv).expect("legal");
    let second = search.think(&game, Color::White, &[], &limits, &StopFlag::default());
    let visits: u64 = second.moves.iter().map(|m| u64::from(m.visits)).sum();
    assert!(visits >= second.simulations, "the subtree is kept");
    game.undo();
    let third = search.think(&game, Color::Black, &[], &limits, &StopFlag::default());
    let visits: u64 = third.moves.iter().map(|m| u64::from(m.visits)).sum();
    assert!(visits > third.simulations, "the tree above is still there");
}

#[test]
fn a_small_memory_is_compacted_and_the_search_goes_on() {
    let game = Game::new(Geometry::new(9).expect("valid"), Rules::CHINESE, Komi::DEFAULT);
    let mut search = Search::new(SearchParams::default(), 1, 2 << 20, 1);
    let report = search.think(&game, Color::Black, &[], &fixed(12_000), &StopFlag::default());
    assert!(report.simulations >= 12_000 && search.tree.len() <= search.tree.capacity());
    assert!(matches!(report.moves[0].mv, Move::Play(_)));
}
