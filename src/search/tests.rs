//! The search on positions with a known answer, and its bookkeeping.

use std::time::Duration;

use super::{Limits, Listener, Question, Report, Restriction, RootMove, Search, SearchParams};
use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::geometry::{Geometry, Move};
use crate::net::NetSource;
use crate::rules::Rules;
use crate::score::Komi;
use crate::time::{StopFlag, TimeBudget};
use crate::tree::Tree;

fn game_from(diagram: &str, rules: Rules, komi: f64) -> Game {
    let board = Board::from_diagram(diagram).expect("valid");
    Game::from_board(&board, rules, Komi::from_points(komi).expect("finite")).expect("legal")
}

fn search(threads: usize) -> Search {
    Search::new(SearchParams::default(), threads, 64 << 20, 1)
}

fn asked(game: &Game, color: Color, limits: Limits) -> Question<'_> {
    Question { color, ..Question::new(game, limits) }
}

fn fixed(simulations: u64) -> Limits {
    Limits { simulations: Some(simulations), time: None }
}

#[test]
fn the_same_seed_gives_the_same_tree_on_a_used_search_too() {
    let game = Game::new(Geometry::new(9).expect("valid"), Rules::CHINESE, Komi::DEFAULT);
    let mut used = search(1);
    used.think(&asked(&game, Color::White, fixed(300)), &StopFlag::default());
    let again = used.think(&asked(&game, Color::Black, fixed(500)), &StopFlag::default());
    let fresh = search(1).think(&asked(&game, Color::Black, fixed(500)), &StopFlag::default());
    assert_eq!(fresh.simulations, 500);
    assert_eq!(again.moves, fresh.moves);
    assert_eq!(again.nodes, fresh.nodes);
}

#[test]
fn no_visit_is_lost_between_threads() {
    let game = Game::new(Geometry::new(7).expect("valid"), Rules::CHINESE, Komi::DEFAULT);
    let mut search = search(3);
    let report = search.think(&asked(&game, Color::Black, fixed(4000)), &StopFlag::default());
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
fn a_root_that_was_a_leaf_gets_the_priors_of_a_root() {
    let geometry = Geometry::new(9).expect("valid");
    let with_network = || {
        let mut search = search(1);
        search.set_network(NetSource::default().network(geometry).cloned());
        search
    };
    let time = Duration::from_millis(200);
    let timed = Limits { simulations: None, time: Some(TimeBudget { target: time, limit: time }) };
    let mut game = Game::new(geometry, Rules::CHINESE, Komi::DEFAULT);
    let mut used = with_network();
    let best = used.think(&Question::new(&game, timed), &StopFlag::default()).moves[0].mv;
    game.play(Color::Black, best).expect("legal");
    let kept = used.think(&Question::new(&game, timed), &StopFlag::default());
    let fresh = with_network().think(&Question::new(&game, fixed(1)), &StopFlag::default());
    assert!(u64::from(kept.visits) > kept.simulations, "the tree was kept");
    for expected in &fresh.moves {
        let found = kept.moves.iter().find(|m| m.mv == expected.mv).expect("the same moves");
        assert!((found.prior - expected.prior).abs() < 1e-3, "{:?}: {} for {}", found.mv, found.prior, expected.prior);
    }
}

#[test]
fn it_takes_the_stones_that_decide_the_game() {
    let game = game_from(". X O O . / X X O . O / O O O O O / X X X X O / . X . X O", Rules::TROMP_TAYLOR, 0.5);
    let report = search(1).think(&asked(&game, Color::White, fixed(1500)), &StopFlag::default());
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
    let first = search.think(&asked(&game, Color::Black, limits), &StopFlag::default());
    let best = &first.moves[0];
    game.play(Color::Black, best.mv).expect("legal");
    let second = search.think(&asked(&game, Color::White, limits), &StopFlag::default());
    let visits: u64 = second.moves.iter().map(|m| u64::from(m.visits)).sum();
    assert!(visits >= second.simulations, "the subtree is kept");
    game.undo();
    let third = search.think(&asked(&game, Color::Black, limits), &StopFlag::default());
    let visits: u64 = third.moves.iter().map(|m| u64::from(m.visits)).sum();
    assert!(visits > third.simulations, "the tree above is still there");
}

#[test]
fn a_small_memory_is_compacted_and_the_search_goes_on() {
    let game = Game::new(Geometry::new(9).expect("valid"), Rules::CHINESE, Komi::DEFAULT);
    let mut search = Search::new(SearchParams::default(), 1, 2 << 20, 1);
    let report = search.think(&asked(&game, Color::Black, fixed(12_000)), &StopFlag::default());
    assert!(report.simulations >= 12_000 && search.tree.len() <= search.tree.capacity());
    assert!(matches!(report.moves[0].mv, Move::Play(_)));
}

#[test]
fn moves_left_out_are_not_searched() {
    let game = Game::new(Geometry::new(5).expect("valid"), Rules::CHINESE, Komi::DEFAULT);
    let point = |name| game.geometry().parse_move(name).expect("valid");
    let mut search = search(1);
    let best = search.think(&Question::new(&game, fixed(300)), &StopFlag::default()).moves[0].mv;
    let avoid = [Restriction { color: Color::Black, moves: vec![best], only: false, depth: 1 }];
    let avoiding = Question { restrictions: &avoid, ..Question::new(&game, fixed(300)) };
    let report = search.think(&avoiding, &StopFlag::default());
    assert!(report.moves.iter().all(|m| m.mv != best));
    let allow = [
        Restriction { color: Color::Black, moves: vec![point("B2"), Move::Pass], only: true, depth: 1 },
        Restriction { color: Color::White, moves: vec![point("C3")], only: true, depth: 2 },
    ];
    let allowing = Question { restrictions: &allow, ..Question::new(&game, fixed(300)) };
    let report = search.think(&allowing, &StopFlag::default());
    let mut moves: Vec<Move> = report.moves.iter().map(|m| m.mv).collect();
    moves.sort_by_key(|mv| mv.point());
    assert_eq!(moves, [Move::Pass, point("B2")]);
    assert!(report.moves.iter().all(|m| m.line.moves.get(1).is_none_or(|&answer| answer == point("C3"))));
    // Where nothing is left, a pass is.
    let none = [Restriction { color: Color::Black, moves: vec![], only: true, depth: 1 }];
    let report =
        search.think(&Question { restrictions: &none, ..Question::new(&game, fixed(50)) }, &StopFlag::default());
    assert_eq!(report.moves.iter().map(|m| m.mv).collect::<Vec<_>>(), [Move::Pass]);
}

#[test]
fn a_listener_is_told_more_and_more_and_changes_nothing() {
    let game = Game::new(Geometry::new(5).expect("valid"), Rules::CHINESE, Komi::DEFAULT);
    let mut visits = Vec::new();
    let mut note = |report: &Report| visits.push(report.visits);
    let now = std::time::Duration::ZERO;
    let listener = Listener { first: now, every: now, moves_ownership: true, tell: &mut note };
    let aloud = search(1).think_aloud(&Question::new(&game, fixed(400)), &StopFlag::default(), Some(listener));
    assert!(visits.len() > 10 && visits.is_sorted() && visits[0] < 20, "{visits:?}");
    let silent = search(1).think(&Question::new(&game, fixed(400)), &StopFlag::default());
    let without_ownership = |mv: &RootMove| RootMove { ownership: None, ..mv.clone() };
    assert_eq!(aloud.moves.iter().map(without_ownership).collect::<Vec<_>>(), silent.moves);
}

#[test]
fn the_ownership_after_all_moves_is_the_ownership() {
    let game = Game::new(Geometry::new(5).expect("valid"), Rules::CHINESE, Komi::DEFAULT);
    let never = std::time::Duration::MAX;
    let listener = Listener { first: never, every: never, moves_ownership: true, tell: &mut |_: &Report| {} };
    for threads in [1, 2] {
        let mut search = search(threads);
        let limits = fixed(600);
        let listener = Listener { tell: &mut *listener.tell, ..listener };
        let report = search.think_aloud(&Question::new(&game, limits), &StopFlag::default(), Some(listener));
        let corner = game.geometry().points().next().expect("a board has points");
        let visited = || report.moves.iter().filter(|m| m.visits > 0);
        assert!(visited().count() > 2 && report.moves.iter().all(|m| m.ownership.is_some() == (m.visits > 0)));
        let weighted = |m: &RootMove| f64::from(m.visits) * m.ownership.as_ref().map_or(0.0, |o| f64::from(o[corner]));
        let sum: f64 = visited().map(weighted).sum();
        // A thread that comes while another gives the root its children plays out from the root.
        let moved: u64 = visited().map(|m| u64::from(m.visits)).sum();
        let elsewhere = (report.simulations - moved) as f64 / report.simulations as f64;
        let difference = sum / report.simulations as f64 - f64::from(report.ownership[corner]);
        assert!(difference.abs() < elsewhere + 1e-4, "{difference}");
        // A point belongs to whoever plays there more often than to others.
        let own =
            |m: &RootMove| m.mv.point().zip(m.ownership.as_ref()).map(|(p, after)| after[p] > report.ownership[p]);
        assert_eq!(own(&report.moves[0]), Some(true));
    }
}

#[test]
fn chances_and_leads_are_for_the_player_to_move() {
    // White has two eyes and Black only stones in atari: White owns the board.
    let game = game_from(". O . O / O O O O / O O O O / X . . O", Rules::CHINESE, 0.5);
    for (color, sign) in [(Color::White, 1.0), (Color::Black, -1.0)] {
        let report = search(1).think(&asked(&game, color, fixed(400)), &StopFlag::default());
        let best = &report.moves[0];
        assert!((report.win_rate - 0.5) * sign > 0.4 && (best.win_rate - 0.5) * sign > 0.4, "{report:?}");
        assert!(report.score * sign > 12.0 && best.lead * sign > 12.0, "{report:?}");
        assert!(best.lower_bound() <= best.win_rate);
        assert_eq!(best.line.moves.first(), Some(&best.mv));
        assert_eq!(best.line.visits.first(), Some(&best.visits));
    }
}
