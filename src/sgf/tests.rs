use proptest::prelude::*;

use super::{Header, Record, ReplayError, SgfErrorKind, decode, read_games, read_trees, write_game};
use crate::color::Color;
use crate::game::{Game, IllegalMove, SetUpError};
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
fn stones_set_up_between_moves_begin_another_game() {
    let record = one("(;SZ[5]AW[aa];B[ba];W[cc];B[ab];PL[B]AE[ab]AW[ee]AB[dd:de];B[bb];W[bc])");
    assert_eq!((record.moves.len(), record.is_edited_after(3), record.is_edited_after(2)), (5, true, false));
    let before = record.game_at(Rules::JAPANESE, 3).expect("playable");
    assert_eq!((before.turns().len(), before.captures(Color::Black)), (2, 0));
    let mut game = record.game_at(Rules::JAPANESE, 4).expect("playable");
    let stones: Vec<_> = game.geometry().points().filter(|&p| !game.board().is_empty(p)).collect();
    let names: Vec<_> = stones.into_iter().map(|p| game.geometry().point_name(p)).collect();
    assert_eq!(names.join(" "), "D1 E1 D2 C3 B5");
    // The prisoner was taken before, and is not given back.
    assert_eq!((game.turns().len(), game.captures(Color::Black), game.to_move()), (0, 1, Color::Black));
    game.play(Color::Black, Move::Pass).expect("legal");
    assert!(game.undo() && game.captures(Color::Black) == 1);
    assert_eq!(record.to_game(Rules::JAPANESE).expect("playable").turns().len(), 2);
    let stuck = one("(;SZ[5];B[aa];AW[ab][ba])").to_game(Rules::CHINESE);
    assert_eq!(stuck.err(), Some(ReplayError::SetUp { after: 1, reason: SetUpError::NoRoom }));
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
    assert_eq!(failure(&format!("(;{}", ";B[];AW[bb]".repeat(10_002))), (1, SgfErrorKind::TooManyEdits));
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

#[test]
fn a_broken_game_does_not_spoil_the_others() {
    let text = "(;GM[1]SZ[5])\n(;GM[1]C[x](;B[aa]\n!;W[bb])\n(;FF[4]SZ[7];B[aa](;W[bb])(;W[cc]\n(GM[1]SZ[9])";
    let found: Vec<_> =
        read_trees(text).into_iter().map(|tree| tree.map(|tree| tree.line).map_err(|e| e.line)).collect();
    assert_eq!(found, [Ok(1), Err(3), Ok(4)]);
    // The last parenthesis may as well be a variation of the game before, which is not closed.
    let trees = read_trees("(;GM[1]C[never ends;B[aa])\n(;GM[1]SZ[9];B[aa])");
    assert_eq!(trees.len(), 2, "{trees:?}");
    assert!(trees[0].is_err() || trees[1].is_ok());
    assert_eq!(names(&one("(TE[x]SZ[9];B[aa])")), "BA9");
}

#[test]
fn many_broken_games_take_bounded_time() {
    let trees = read_trees(&"(;GM[".repeat(40_000)).len();
    assert!(trees < 200, "{trees}");
}

#[test]
fn text_is_found_in_its_encoding() {
    for (bytes, expected, is_utf8) in [
        (&b"(;PB[\xE6\x9F\xAF])CA[gb2312]"[..], "(;PB[柯])CA[gb2312]", true),
        (b"(;CA[gb2312]PB[\xBF\xC2])", "(;CA[gb2312]PB[柯])", false),
        (b"(;CA[nonsense]PB[\xE9t\xE9])", "(;CA[nonsense]PB[été])", false),
        (b"\xEF\xBB\xBF(;)", "(;)", true),
        (b"\xFF\xFE(\0;\0)\0", "(;)", false),
        (b"(;CA[iso-2022-jp]PB[\x1B$B3`\x1B(B])", "(;CA[iso-2022-jp]PB[橿])", false),
    ] {
        assert_eq!(decode(bytes), (expected.into(), is_utf8));
    }
}

#[test]
fn a_tree_written_again_is_the_same_tree() {
    let text = "(;GaMe[1]AB[aa][bb:cc]\nC[a \\] b\\\\\nc](;B[dd]XY[1][2])(;B[ee](;W[ff])(;W[gg];B[hh])))";
    let written = read_trees(text)[0].as_ref().expect("readable").write();
    assert_eq!(written.replace('\n', ""), text.replace('\n', ""));
    assert_eq!(read_trees(&written)[0].as_ref().expect("readable").write(), written);
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
    fn trees_survive_writing(text in r"\(;((\(;|;|\)|AB|B|W|SZ|C)(\[[a-c\]\\:]{0,5}\])?){0,40}") {
        for tree in read_trees(&text).into_iter().flatten() {
            let written = tree.write();
            let again = read_trees(&written);
            prop_assert_eq!(again.len(), 1);
            let again = again[0].as_ref().expect("what was written is readable");
            prop_assert_eq!(again.write(), written.clone());
            prop_assert_eq!(again.nodes.len(), tree.nodes.len());
        }
    }

    #[test]
    fn bytes_of_any_encoding_become_text(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let (text, _) = decode(&bytes);
        let _ = read_trees(&text);
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
