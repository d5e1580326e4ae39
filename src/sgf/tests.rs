use proptest::prelude::*;

use super::{Header, Record, ReplayError, SgfErrorKind, read_games, write_game};
use crate::color::Color;
use crate::game::{Game, IllegalMove};
use crate::geometry::{Geometry, Move};
use crate::rng::Rng;
use crate::rules::Rules;
use crate::score::Komi;

fn one(text: &str) -> Record {
    let mut games = read_games(text.as_bytes()).expect("readable");
    assert_eq!(games.len(), 1);
    games.remove(0)
}

fn failure(text: &str) -> (usize, SgfErrorKind) {
    let error = read_games(text.as_bytes()).expect_err("not readable");
    (error.line, error.kind)
}

fn names(record: &Record) -> String {
    let g = record.geometry;
    let moves = record.moves.iter().map(|&(color, mv)| format!("{}{}", color.letter(), g.move_name(mv)));
    moves.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_record_gives_board_names_and_main_line() {
    let record =
        one("(;GM[1]FF[4]SZ[9]KM[5.5]RU[Chinese]PB[A \\]b\\\\]PW[Weiß]RE[B+R]\n;B[ee];W[cg](;B[tt];W[])(;B[aa]))");
    assert_eq!(record.geometry.size(), 9);
    assert_eq!(record.komi, Komi::from_points(5.5));
    assert_eq!(record.rules(), Some(Rules::CHINESE));
    assert_eq!(record.names[Color::Black].as_deref(), Some("A ]b\\"));
    assert_eq!(record.names[Color::White].as_deref(), Some("Weiß"));
    assert_eq!(record.result.as_deref(), Some("B+R"));
    assert_eq!(names(&record), "BE5 WC3 Bpass Wpass");
}

#[test]
fn old_and_untidy_files_are_read() {
    let record =
        one("From: someone (:\r\n\r\n( ;\r\nGaMe[1] SiZe [ 13 ]KM[6,5]\rWhite[aa]\r\n\r\nBlack[bb]LZ2[x]C[a\\\r\nb]");
    assert_eq!(names(&record), "WA13 BB12");
    assert_eq!(record.geometry.size(), 13);
    assert_eq!(record.komi, Some(Komi::DEFAULT));
    assert_eq!(record.first_to_move, Color::White);
    assert_eq!(one("(;)").geometry.size(), 19);
    assert_eq!(read_games(b"(;PB[\xE9])").expect("Latin-1")[0].names[Color::Black].as_deref(), Some("é"));
    assert_eq!(read_games(b"\xEF\xBB\xBF(;SZ[5])(;SZ[7])\n\x1A").expect("two games").len(), 2);
}

#[test]
fn stones_set_up_may_be_listed_as_rectangles() {
    let record = one("(;SZ[9]AB[aa:ba][ih]AW[bb:ab]AE[ba]PL[W])");
    let stones: Vec<_> = record
        .set_up
        .iter()
        .map(|&(point, color)| format!("{}{}", color.letter(), record.geometry.point_name(point)))
        .collect();
    assert_eq!(stones, ["BJ2", "WA8", "WB8", "BA9"]);
    assert_eq!(record.to_game(Rules::CHINESE).expect("playable").to_move(), Color::White);
}

#[test]
fn handicap_stones_make_a_handicap_game() {
    let game = one("(;SZ[9]HA[2]AB[gc][cg];W[ee])").to_game(Rules::CHINESE).expect("playable");
    assert_eq!((game.handicap(), game.komi().half_points()), (2, 1));
    let waiting = one("(;SZ[9]HA[2]AB[gc][cg])").to_game(Rules::CHINESE).expect("playable");
    assert_eq!(waiting.to_move(), Color::White);
}

#[test]
fn a_move_number_means_the_position_before_that_move() {
    let record = one("(;SZ[9];B[aa];W[bb];B[cc])");
    for (number, count) in [(0, 0), (1, 0), (3, 2), (4, 3), (99, 3)] {
        assert_eq!(record.game_at(Rules::CHINESE, number).expect("playable").turns().len(), count);
    }
}

#[test]
fn tt_is_a_point_where_the_board_has_it() {
    assert_eq!(names(&one("(;SZ[25];B[tt];W[yy])")), "BU6 WZ1");
    assert_eq!(names(&one("(;SZ[19];B[tt];W[ss])")), "Bpass WT1");
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    assert_eq!(failure("hello"), (1, SgfErrorKind::NoGame));
    assert_eq!(failure("(;SZ[9]\n;B[jj])"), (2, SgfErrorKind::BadPoint("jj".into())));
    assert_eq!(failure("(;SZ[9]\r\n\r\n;B[aaa])"), (3, SgfErrorKind::BadPoint("aaa".into())));
    assert_eq!(failure("(;SZ[26])"), (1, SgfErrorKind::BadSize("26".into())));
    assert_eq!(failure("(;SZ[9:7])"), (1, SgfErrorKind::BadSize("9:7".into())));
    assert_eq!(failure("(;GM[2])"), (1, SgfErrorKind::NotGo("2".into())));
    assert_eq!(failure("(;KM[x])"), (1, SgfErrorKind::BadNumber("KM", "x".into())));
    assert_eq!(failure("(;\nC[x"), (2, SgfErrorKind::UnterminatedValue));
    assert_eq!(failure("(;B;W)"), (1, SgfErrorKind::MissingValue("B".into())));
    assert_eq!(failure("(;B[aa];AW[bb])"), (1, SgfErrorKind::SetUpAfterMove));
    assert_eq!(failure("(;B[aa]\n!)"), (2, SgfErrorKind::UnexpectedByte(b'!')));
    let twice = one("(;SZ[9];B[aa];W[aa])").to_game(Rules::CHINESE);
    assert_eq!(twice.err(), Some(ReplayError::Move { number: 2, reason: IllegalMove::Occupied }));
}

#[test]
fn very_deep_trees_are_no_trouble() {
    let deep = "(;B[aa]".repeat(200_000);
    assert_eq!(read_games(deep.as_bytes()).expect("readable")[0].moves.len(), 200_000);
    assert!(read_games(format!("(;{}", "AB[aa:ss]".repeat(20_000)).as_bytes()).is_ok());
}

/// A random game, with stones set up on some sizes.
fn random_game(seed: u64) -> Game {
    let mut rng = Rng::new(seed);
    let geometry = Geometry::new(2 + rng.below(24)).expect("in range");
    let mut game = Game::new(
        geometry,
        Rules::ALL[rng.below(Rules::ALL.len())],
        Komi::from_points(rng.unit() * 20.0 - 10.0).expect("finite"),
    );
    let points: Vec<_> = geometry.points().collect();
    if rng.percent(30) {
        let stones: Vec<_> = (0..3).map(|_| (points[rng.below(points.len())], Color::BOTH[rng.below(2)])).collect();
        if game.set_up(&stones).is_ok() {
            game.set_first_to_move(Color::BOTH[rng.below(2)]);
        }
    } else if let Some(points) = geometry.handicap_points(rng.below(10)) {
        game.place_handicap(&points).expect("empty board");
    }
    for _ in 0..rng.below(120) {
        let mv = if rng.percent(5) { Move::Pass } else { Move::Play(points[rng.below(points.len())]) };
        let color = if rng.percent(5) { game.to_move().opponent() } else { game.to_move() };
        let _ = game.play(color, mv);
    }
    game
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_games(&bytes);
    }

    #[test]
    fn nothing_like_a_record_makes_the_reader_panic(text in r"(\(;|;|\)|AB|B|W|SZ|HA|KM|\[[a-y:0-9,\]\\]{0,5}\]|\r|\n|.){0,60}") {
        if let Ok(games) = read_games(text.as_bytes()) {
            for record in games {
                let _ = record.to_game(Rules::TROMP_TAYLOR);
            }
        }
    }

    #[test]
    fn what_is_written_is_read_again(seed in any::<u64>(), name in "\\PC{0,12}") {
        let game = random_game(seed);
        let header = Header { black: name.clone(), result: "W+R".into(), comment: "x]\\\n;".into(), ..Header::default() };
        let comments = vec![String::new(), "a [comment]: \\".to_string()];
        let record = one(&write_game(&game, &header, &comments));
        let again = record.to_game(game.rules()).expect("playable");
        prop_assert_eq!(again.geometry(), game.geometry());
        prop_assert_eq!(again.positions().last(), game.positions().last());
        prop_assert_eq!(again.turns(), game.turns());
        prop_assert_eq!((again.komi(), again.handicap(), again.to_move()), (game.komi(), game.handicap(), game.to_move()));
        prop_assert_eq!(record.rules(), Some(game.rules()));
        prop_assert_eq!(record.names[Color::Black].as_deref().unwrap_or(""), name.trim());
    }
}
