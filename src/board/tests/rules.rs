//! One rule or one shape per test, in diagrams.

use crate::board::Board;
use crate::color::Color::{Black, White};
use crate::color::{Color, PerColor};
use crate::game::{Game, IllegalMove};
use crate::geometry::{Move, Point};
use crate::rules::Rules;
use crate::score::Komi;

fn board(diagram: &str) -> Board {
    Board::from_diagram(diagram).expect("a legal diagram")
}

fn at(board: &Board, name: &str) -> Point {
    board.geometry().parse_move(name).ok().and_then(Move::point).expect("a point of the board")
}

/// A game that starts from the diagram.
fn game(diagram: &str, rules: Rules) -> Game {
    let board = board(diagram);
    let mut game = Game::new(board.geometry(), rules, Komi::DEFAULT);
    let stones = board.geometry().points().filter_map(|p| board.cell(p).color().map(|color| (p, color)));
    game.set_up(&stones.collect::<Vec<_>>()).expect("a legal position");
    game
}

fn play(game: &mut Game, color: Color, name: &str) -> Result<usize, IllegalMove> {
    let mv = game.geometry().parse_move(name).expect("a move");
    game.play(color, mv)
}

fn assert_position(game: &Game, diagram: &str) {
    let (now, expected) = (game.board().to_diagram(None), board(diagram).to_diagram(None));
    assert!(now == expected, "got\n{now}\nexpected\n{expected}");
}

const KO: &str = ". X O . / X O . O / . X O . / . . . .";
/// Black can send two stones in at A1 and take one back.
const SEND_TWO: &str = ". . . . / . . . . / O O X . / . X . X";

#[test]
fn a_stone_without_liberties_is_captured() {
    let mut game = game(". . . / X O X / . X .", Rules::CHINESE);
    assert_eq!(play(&mut game, Black, "B3"), Ok(1));
    assert_position(&game, ". X . / X . X / . X .");
    assert_eq!((game.captures(Black), game.captures(White)), (1, 0));
}

#[test]
fn a_chain_is_captured_as_a_whole() {
    let mut game = game("X X X . / O O O . / X X X . / . . . .", Rules::CHINESE);
    assert_eq!(play(&mut game, Black, "D3"), Ok(3));
    assert_position(&game, "X X X . / . . . X / X X X . / . . . .");
}

#[test]
fn one_move_captures_several_chains() {
    let mut game = game(". . X . . / . X O X . / X O . O X / . X . X . / . . . . .", Rules::CHINESE);
    assert_eq!(play(&mut game, Black, "C3"), Ok(3));
    assert_position(&game, ". . X . . / . X . X . / X . X . X / . X . X . / . . . . .");
    assert_eq!(game.board().ko_point(White), None);
}

#[test]
fn a_chain_next_to_a_move_on_two_sides_is_captured_once() {
    let mut game = game(". X X . / X O O X / X O . . / . X X . ", Rules::CHINESE);
    assert_eq!(play(&mut game, Black, "C2"), Ok(3));
    assert_eq!(game.captures(Black), 3);
}

#[test]
fn a_stone_without_own_liberties_may_be_played_only_if_it_captures() {
    assert_eq!(play(&mut game(KO, Rules::CHINESE), Black, "C3"), Ok(1));
    let with_a_liberty_more = ". X O . / . O . O / . X O . / . . . .";
    assert_eq!(play(&mut game(with_a_liberty_more, Rules::CHINESE), Black, "C3"), Err(IllegalMove::Suicide));
}

#[test]
fn a_ko_may_not_be_retaken_at_once() {
    let mut game = game(KO, Rules::CHINESE);
    assert_eq!(play(&mut game, Black, "C3"), Ok(1));
    assert_eq!(game.board().ko_point(White), Some(at(game.board(), "B3")));
    assert_eq!(game.board().ko_point(Black), None);
    assert_eq!(play(&mut game, White, "B3"), Err(IllegalMove::Ko));
    assert_position(&game, ". X O . / X . X O / . X O . / . . . .");
}

#[test]
fn a_ko_may_be_retaken_after_an_exchange_elsewhere() {
    let mut game = game(KO, Rules::CHINESE);
    assert_eq!(play(&mut game, Black, "C3"), Ok(1));
    assert_eq!(play(&mut game, White, "A1"), Ok(0));
    assert_eq!(play(&mut game, Black, "D1"), Ok(0));
    assert_eq!(play(&mut game, White, "B3"), Ok(1));
}

#[test]
fn passing_lifts_the_simple_ko_but_not_superko() {
    let mut game = game(KO, Rules::CHINESE);
    assert_eq!(play(&mut game, Black, "C3"), Ok(1));
    assert_eq!(play(&mut game, White, "pass"), Ok(0));
    assert_eq!(game.board().ko_point(White), None);
    assert_eq!(play(&mut game, White, "B3"), Err(IllegalMove::Superko));
}

#[test]
fn capturing_two_stones_makes_no_ko() {
    let mut game = game(SEND_TWO, Rules::CHINESE);
    assert_eq!(play(&mut game, Black, "A1"), Ok(0));
    assert_eq!(play(&mut game, White, "C1"), Ok(2));
    assert_eq!(game.board().ko_point(Black), None);
    assert_position(&game, ". . . . / . . . . / O O X . / . . O X");
}

#[test]
fn sending_two_and_taking_one_back_is_refused_as_a_repetition_but_passing_is_not() {
    let mut game = game(SEND_TWO, Rules::CHINESE);
    assert_eq!(play(&mut game, Black, "A1"), Ok(0));
    assert_eq!(play(&mut game, White, "C1"), Ok(2));
    assert_eq!(play(&mut game, Black, "B1"), Err(IllegalMove::Superko));
    assert_eq!(play(&mut game, Black, "pass"), Ok(0));
    assert_eq!(play(&mut game, White, "A4"), Ok(0));
    assert_eq!(play(&mut game, Black, "B1"), Ok(1));
}

#[test]
fn a_repetition_played_elsewhere_is_followed_and_a_ko_retaken_at_once_is_not() {
    let mut game = game(KO, Rules::CHINESE);
    assert_eq!(play(&mut game, Black, "C3"), Ok(1));
    let before = game.board().to_diagram(None);
    let retake = game.geometry().parse_move("B3").expect("a vertex");
    assert_eq!(game.follow(White, retake), Err(IllegalMove::Ko));
    assert_eq!(game.board().to_diagram(None), before);
    assert_eq!(play(&mut game, White, "pass"), Ok(0));
    assert_eq!(game.follow(White, retake), Ok(1));
    assert!(game.undo());
    assert_eq!(game.board().to_diagram(None), before);
    assert_eq!(play(&mut game, White, "B3"), Err(IllegalMove::Superko));
}

#[test]
fn a_snapback_takes_more_than_was_sacrificed() {
    let mut game = game(". . . . / X X X . / O O O X / . . O X", Rules::CHINESE);
    assert_eq!(play(&mut game, Black, "B1"), Ok(0));
    assert_eq!(play(&mut game, White, "A1"), Ok(1));
    assert_eq!(game.board().ko_point(Black), None);
    assert_eq!(play(&mut game, Black, "B1"), Ok(5));
    assert_position(&game, ". . . . / X X X . / . . . X / . X . X");
}

#[test]
fn suicide_is_illegal_where_the_rules_forbid_it() {
    let mut game = game(". O X . / O O X . / X X X . / . . . .", Rules::CHINESE);
    assert!(game.board().is_suicide(at(game.board(), "A4"), White));
    assert!(!game.board().is_playable(at(game.board(), "A4"), White, false));
    assert_eq!(play(&mut game, White, "A4"), Err(IllegalMove::Suicide));
}

#[test]
fn suicide_of_a_chain_removes_it_where_the_rules_allow_it() {
    let mut game = game(". O X . / O O X . / X X X . / . . . .", Rules::TROMP_TAYLOR);
    assert_eq!(play(&mut game, White, "A4"), Ok(0));
    assert_position(&game, ". . X . / . . X . / X X X . / . . . .");
    assert_eq!((game.captures(Black), game.captures(White)), (4, 0));
}

#[test]
fn suicide_of_a_single_stone_changes_nothing_and_so_is_a_repetition() {
    let mut game = game(". X . / X . X / . X .", Rules::TROMP_TAYLOR);
    assert_eq!(play(&mut game, White, "B2"), Err(IllegalMove::Superko));
}

#[test]
fn taking_back_a_capture_puts_the_stones_back() {
    let mut game = game(KO, Rules::CHINESE);
    assert_eq!(play(&mut game, Black, "C3"), Ok(1));
    assert!(game.undo() && !game.undo());
    assert_position(&game, KO);
    assert_eq!(game.captures(Black), 0);
}

#[test]
fn a_legal_position_can_be_set_up_in_any_order() {
    let diagram = "X X X . / O O O . / X X X . / . . . .";
    let source = board(diagram);
    let points = source.geometry().points().filter_map(|p| source.cell(p).color().map(|color| (p, color)));
    let mut stones: Vec<_> = points.collect();
    for _ in 0..stones.len() {
        stones.rotate_left(1);
        let mut game = Game::new(source.geometry(), Rules::CHINESE, Komi::DEFAULT);
        game.set_up(&stones).expect("legal");
        assert_eq!(game.board().hash(), source.hash());
    }
}

/// Whether `name` is an eye of each color.
fn eyes(diagram: &str, name: &str) -> PerColor<bool> {
    let board = board(diagram);
    let around = board.around(at(&board, name));
    PerColor(Color::BOTH.map(|color| around.is_eye(color)))
}

#[test]
fn an_eye_in_the_centre_may_miss_one_diagonal() {
    for (diagram, is_eye) in [
        (". . . . . / . . X . . / . X . X . / . . X . . / . . . . .", true),
        (". . . . . / . O X . . / . X . X . / . . X . . / . . . . .", true),
        (". . . . . / . O X . . / . X . X . / . . X O . / . . . . .", false),
        (". . . . . / . X X X . / . X . X . / . X X X . / . . . . .", true),
        (". . . . . / . . X . . / . X . . . / . . X . . / . . . . .", false),
        (". . . . . / . . X . . / . X . O . / . . X . . / . . . . .", false),
    ] {
        assert_eq!(eyes(diagram, "C3"), PerColor([is_eye, false]), "{diagram}");
    }
}

#[test]
fn an_eye_on_the_edge_needs_both_diagonals() {
    for (diagram, is_eye) in [
        (". . . . / . . . . / . X . . / X . X . ", true),
        (". . . . / . . . . / X X X . / X . X . ", true),
        (". . . . / . . . . / O X . . / X . X . ", false),
        (". . . . / . . . . / . X O . / X . X . ", false),
        (". . . . / . . . . / . X . . / X . . . ", false),
    ] {
        assert_eq!(eyes(diagram, "B1"), PerColor([is_eye, false]), "{diagram}");
    }
}

#[test]
fn an_eye_in_the_corner_needs_its_diagonal() {
    for (diagram, is_eye) in [
        ("O . . / . O . / . . .", false),
        (". . . / . . . / O . .", false),
        (". O . / O . . / . . .", true),
        (". O . / O O . / . . .", true),
        (". O . / O X . / . . .", false),
    ] {
        let point = if diagram.starts_with('O') { "B3" } else { "A3" };
        assert_eq!(eyes(diagram, point), PerColor([false, is_eye]), "{diagram}");
    }
}

#[test]
fn empty_neighbors_are_counted_in_centre_edge_and_corner() {
    let board = board(". X . . / X . . . / . . . O / . . O .");
    for (name, count) in
        [("B3", 2), ("C3", 4), ("A4", 0), ("D1", 0), ("A1", 2), ("C1", 3), ("B1", 2), ("D4", 2), ("A2", 2), ("C2", 2)]
    {
        let around = board.around(at(&board, name));
        assert_eq!(around.empty_neighbor_count(), count, "{name}");
        assert_eq!(around.has_empty_neighbor(), count > 0, "{name}");
    }
    let around = board.around(at(&board, "A4"));
    assert!(around.has_neighbor(Black) && !around.has_neighbor(White));
    assert!(around.is_enclosed_by(Black) && !around.is_enclosed_by(White));
}
