//! Whole games of the real program against itself.
//!
//! Every move is repeated on the naive board, which knows no more than the rules. What is checked is that games are legal,
//! end, are counted as their last position says, come out as they must where the result is known, and repeat themselves.

use std::collections::BTreeSet;
use std::path::Path;

use crate::color::Color;
use crate::process::Engine;
use crate::reference::Reference;

/// A finished game.
#[derive(PartialEq, Eq, Debug)]
struct Record {
    /// As `genmove` gave them: vertices, `pass`, and perhaps a last `resign`.
    moves: Vec<String>,
    /// As `final_score` gave it.
    score: String,
}

/// One game as it is set up.
#[derive(Clone, Copy, Debug)]
struct Plan {
    level: &'static str,
    size: usize,
    rules: &'static str,
    komi: f64,
    seed: u64,
    /// Only for the advanced level; the others have their own number.
    playouts: u32,
}

/// Moves beyond three times the area that a game may take: on 2x2 superko alone ends it, and slowly.
const SPARE: usize = 40;

const PLAN: Plan = Plan { level: "advanced", size: 9, rules: "chinese", komi: 0.5, seed: 1, playouts: 200 };

fn start(plan: Plan) -> Engine {
    println!("{plan:?}");
    let Plan { level, size, rules, komi, seed, playouts } = plan;
    let args = format!(
        "--level {level} --size {size} --rules {rules} --komi={komi} --seed {seed} --playouts {playouts} --threads 1"
    );
    Engine::start(&args, Path::new(env!("CARGO_MANIFEST_DIR")))
}

/// Plays a game from the empty board to its end, checking all of it.
fn play_game(engine: &mut Engine, plan: Plan) -> Record {
    let size = plan.size;
    let mut board = Reference::new(size, plan.rules == "tromp-taylor");
    let mut moves: Vec<String> = Vec::new();
    let mut color = Color::Black;
    while !moves.ends_with(&["pass".to_string(), "pass".to_string()]) {
        assert!(moves.len() < 3 * size * size + SPARE, "the game does not end: {moves:?}");
        let vertex = engine.ask(&format!("genmove {color}")).to_ascii_lowercase();
        moves.push(vertex.clone());
        if vertex == "resign" {
            break;
        }
        let point = (vertex != "pass").then(|| point(size, &vertex));
        board.play(color, point).unwrap_or_else(|why| panic!("{color} {vertex}: {why}, in {moves:?}"));
        color = color.opponent();
    }
    for color in Color::BOTH {
        let own = |&p: &usize| board.cells()[p] == Some(color);
        assert_eq!(points(size, &engine.ask(&format!("list_stones {color}"))), (0..size * size).filter(own).collect());
    }
    let score = engine.ask("final_score");
    check_score(engine, plan, &board, &score);
    Record { moves, score }
}

/// The score must be the area of the position, without the stones said to be dead where the rules take them off.
fn check_score(engine: &mut Engine, plan: Plan, board: &Reference, score: &str) {
    let mut cells = board.cells().clone();
    if plan.rules == "chinese" {
        for p in points(plan.size, &engine.ask("final_status_list dead")) {
            assert!(cells[p].take().is_some(), "an empty point is called dead");
        }
    }
    let margin = f64::from(Reference::from_cells(plan.size, false, cells).area_margin()) - plan.komi;
    let expected = match margin {
        0.0 => "0".to_string(),
        _ if margin > 0.0 => format!("B+{margin:.1}"),
        _ => format!("W+{:.1}", -margin),
    };
    assert_eq!(score, expected);
}

/// The number that the naive board gives to a vertex.
fn point(size: usize, vertex: &str) -> usize {
    let (column, row) = vertex.split_at(1);
    let x = "abcdefghjklmnopqrstuvwxyz".find(&column.to_ascii_lowercase()).expect("a column letter");
    let y = row.parse::<usize>().expect("a row number") - 1;
    assert!(x < size && y < size, "{vertex} is not on the board");
    y * size + x
}

fn points(size: usize, vertices: &str) -> BTreeSet<usize> {
    vertices.split_whitespace().map(|vertex| point(size, vertex)).collect()
}

/// Starts the program, plays one game and ends the program.
fn play(plan: Plan) -> Record {
    let mut engine = start(plan);
    let record = play_game(&mut engine, plan);
    assert_eq!(engine.finish().1, None);
    record
}

/// Plays a game with this komi, which must be won by this color.
fn expect_winner(plan: Plan, winner: &str) {
    let record = play(plan);
    assert!(record.score.starts_with(winner), "{} after {:?}", record.score, record.moves);
}

#[test]
fn beginners_play_whole_games_by_the_rules() {
    for (i, size) in [2, 3, 5, 7, 9, 13, 19].into_iter().enumerate() {
        play(Plan { level: "beginner", size, rules: ["chinese", "tromp-taylor", "as-is"][i % 3], ..PLAN });
    }
}

#[test]
fn intermediates_play_whole_games_by_the_rules() {
    for (size, rules) in [(2, "tromp-taylor"), (3, "chinese"), (5, "as-is"), (7, "chinese")] {
        play(Plan { level: "intermediate", size, rules, ..PLAN });
    }
}

#[test]
fn the_strongest_play_whole_games_by_the_rules() {
    for rules in ["chinese", "as-is", "tromp-taylor"] {
        for size in [2, 3, 5, 7] {
            play(Plan { size, rules, ..PLAN });
        }
    }
    play(Plan { size: 9, rules: "tromp-taylor", ..PLAN });
    // The network takes its time here, most of all in a build that checks every addition.
    play(Plan { size: 13, playouts: 60, ..PLAN });
}

#[test]
fn no_choice_has_to_be_taken_back() {
    play(Plan { level: "beginner", size: 13, rules: "tromp-taylor", ..PLAN });
    for seed in 1..4 {
        play(Plan { size: 5, rules: "tromp-taylor", komi: 24.5, seed, playouts: 3000, ..PLAN });
    }
}

// Boards with a known result. The komi is half a point off it, since the program plays to win, by however little.

#[test]
fn two_by_two_is_no_more_than_one_point_for_black() {
    for rules in ["chinese", "tromp-taylor"] {
        expect_winner(Plan { size: 2, rules, komi: 1.5, playouts: 3000, ..PLAN }, "W+");
    }
}

#[test]
fn two_by_two_is_one_point_for_black() {
    for seed in 1..9 {
        expect_winner(Plan { size: 2, komi: 0.5, seed, playouts: 10_000, ..PLAN }, "B+");
    }
}

#[test]
fn three_by_three_is_all_black() {
    for rules in ["chinese", "tromp-taylor"] {
        expect_winner(Plan { size: 3, rules, komi: 8.5, playouts: 3000, ..PLAN }, "B+");
    }
}

#[test]
fn five_by_five_is_all_black_from_the_middle() {
    let plan = Plan { size: 5, rules: "tromp-taylor", komi: 24.5, playouts: 20_000, ..PLAN };
    let record = play(plan);
    assert_eq!((record.moves[0].as_str(), record.score.as_str()), ("c3", "B+0.5"), "{:?}", record.moves);
}

#[test]
fn five_by_five_is_all_black_where_dead_stones_are_taken_off() {
    expect_winner(Plan { size: 5, komi: 24.5, playouts: 20_000, ..PLAN }, "B+");
}

#[test]
fn the_same_seed_gives_the_same_game() {
    for level in ["beginner", "advanced"] {
        let plan = Plan { level, size: 7, seed: 5, playouts: 300, ..PLAN };
        let first = play(plan);
        assert_eq!(play(plan), first);
        // In a used process too.
        let mut engine = start(plan);
        for _ in 0..2 {
            engine.ask("clear_board");
            assert_eq!(play_game(&mut engine, plan), first);
        }
    }
}
