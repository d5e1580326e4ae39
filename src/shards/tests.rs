//! Labelled games: read, judged, written as shards, and what is said of files that are none.

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::{ShardOptions, write_shard};
use crate::color::Color;
use crate::geometry::Move;
use crate::judge::{JudgeError, JudgeOptions, judge};
use crate::teacher::{Labelled, LabelledGame, TeacherError, read_games};

/// A file for one test, gone when the test is over.
struct TestFile(PathBuf);

impl TestFile {
    fn new(name: &str, text: &str) -> TestFile {
        let path = std::env::temp_dir().join(format!("keima-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("a temporary file can be written");
        TestFile(path)
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

/// A game on 3x3 of which the position after each move is labelled: A3 is Black's, C1 White's, and the best move B2 (4/25 of the board is sure).
fn game(moves: &str) -> String {
    let mut owners = [0u8; 9];
    (owners[0], owners[8]) = (127, (-127i8).cast_unsigned());
    let mut policy = [0u8; 10];
    (policy[4], policy[9]) = (255, 51);
    let labels = format!(r#"{{"w":0.75,"s":2.5,"p":"{}","o":"{}"}}"#, BASE64.encode(policy), BASE64.encode(owners));
    format!(r#"{{"size":3,"komi":0.5,"setup":["A1"],"moves":[{moves}],"first":1,"pos":[{labels},{labels}]}}"#)
}

#[test]
fn a_labelled_game_is_read_from_the_top_row_down() {
    let file = TestFile::new("teacher.jsonl", &game(r#""C3","pass""#));
    let games = read_games(std::slice::from_ref(&file.0)).expect("readable");
    assert_eq!(games.iter().map(LabelledGame::count).collect::<Vec<_>>(), [2]);
    let mut seen: Vec<Labelled> = Vec::new();
    games[0].each_position(|_| true, |labelled| seen.push(labelled.clone())).expect("legal");
    let g = seen[0].game.geometry();
    let point = |name: &str| g.parse_move(name).expect("a point").point().expect("no pass");
    assert_eq!(seen.iter().map(|s| s.game.to_move()).collect::<Vec<_>>(), [Color::White, Color::Black]);
    assert_eq!(seen[0].game.board().cell(point("A1")).color(), Some(Color::Black));
    assert_eq!(seen[0].game.board().cell(point("C3")).color(), Some(Color::Black));
    assert_eq!((seen[0].owner[point("A3")], seen[0].owner[point("C1")]), (127, -127));
    assert_eq!(seen[0].probability(Move::Play(point("B2"))), 1.0);
    assert!((seen[0].probability(Move::Pass) - 0.04).abs() < 1e-6);
}

#[test]
fn what_is_no_labelled_game_is_refused_with_file_and_line() {
    let good = game(r#""C3","pass""#);
    let bad = [
        "{}".to_string(),
        "no JSON".to_string(),
        good.replace("\"size\":3", "\"size\":99"),
        good.replace("\"size\":3", "\"size\":5"),
        good.replace("\"C3\"", "\"A1\""),
        good.replace("\"C3\"", "\"J9\""),
        good.replace("\"first\":1", "\"first\":7"),
        good.replace("\"komi\":0.5", "\"komi\":null"),
        good.replace("\"p\":\"", "\"p\":\"!"),
    ];
    for (i, bad) in bad.iter().enumerate() {
        let file = TestFile::new(&format!("bad-{i}.jsonl"), &format!("{good}\n{bad}\n"));
        let read = read_games(std::slice::from_ref(&file.0))
            .and_then(|games| games.iter().try_for_each(|game| game.each_position(|_| true, |_| {})));
        assert!(matches!(read, Err(TeacherError::Line(_, 2, _))), "{bad}: {read:?}");
    }
    assert!(matches!(read_games(&[PathBuf::from("/no/such/file")]), Err(TeacherError::File(..))));
}

#[test]
fn a_shard_shows_the_labels_to_the_player_to_move() {
    let file = TestFile::new("shard.jsonl", &game(r#""C3","pass""#));
    let shard = TestFile::new("test.shard", "");
    let options = ShardOptions { files: vec![file.0.clone()], share: 1.0, seed: 1, output: shard.0.clone() };
    assert_eq!(write_shard(&options).expect("written"), 2);
    let bytes = std::fs::read(&shard.0).expect("readable");
    let number = |i: usize| usize::from(u16::from_le_bytes([bytes[i], bytes[i + 1]]));
    let (size, planes, scalars, record) = (number(8), number(10), number(12), number(14));
    assert_eq!(&bytes[..8], b"KEIMASH1");
    assert_eq!((size, bytes.len()), (3, 16 + 2 * record));
    let plane_bytes = (planes * 9).div_ceil(8);
    assert_eq!(record, plane_bytes + 4 * scalars + 10 + 9 + 4 + 4 + 1);
    let white = &bytes[16..16 + record];
    let bit = |plane: usize, place: usize| white[(plane * 9 + place) / 8] >> ((plane * 9 + place) % 8) & 1;
    // White to move: the lowest row comes first, and the black stones A1 and C3 are the opponent's.
    assert_eq!([0, 4, 8].map(|place| bit(2, place)), [1, 0, 1]);
    assert_eq!([0, 4, 8].map(|place| bit(1, place)), [0, 0, 0]);
    let labels = &white[plane_bytes + 4 * scalars..];
    assert_eq!((labels[4], labels[9]), (255, 51));
    let owners = &labels[10..19];
    assert_eq!((owners[6].cast_signed(), owners[2].cast_signed()), (-127, 127), "A3 is the opponent's, C1 is White's");
    let float = |i: usize| f32::from_le_bytes([labels[i], labels[i + 1], labels[i + 2], labels[i + 3]]);
    assert_eq!((float(19), float(23), labels[27]), (0.25, -2.5, 3));
}

#[test]
fn judging_counts_each_position_once_and_refuses_unknown_numbers() {
    let file = TestFile::new("judge.jsonl", &game(r#""C3","pass""#));
    let mut options = JudgeOptions {
        files: vec![file.0.clone()],
        positions: 5,
        playouts: 10,
        simulations: None,
        net: None,
        numbers: Vec::new(),
        worst: 1,
        seed: 1,
    };
    let lines = |options: &JudgeOptions| {
        let mut lines = Vec::new();
        judge(options, |line| lines.push(line.to_string())).map(|()| lines)
    };
    let all = lines(&options).expect("judged");
    assert!(all.last().expect("some").starts_with("all        2"), "{all:?}");
    assert!(all[0].contains("teacher: win 0.75 lead 2.5"), "{all:?}");
    options.simulations = Some(20);
    assert!(lines(&options).is_ok());
    options.numbers = vec!["no-such-number=1".to_string()];
    assert!(matches!(lines(&options), Err(JudgeError::Number(_))));
    options.numbers.clear();
    options.net = Some("/no/such/file".to_string());
    assert!(matches!(lines(&options), Err(JudgeError::Net(_))));
}

#[test]
fn a_game_record_gives_its_moves_as_policy_and_its_winner() {
    let game = "(;SZ[5]KM[6.5]RE[W+R];B[cc];W[bc];B[])\n(;SZ[5]RE[B+T];B[aa])\n(;SZ[5]AB[aa]RE[B+1];W[bb])\nnonsense\n";
    let file = TestFile::new("record.sgf", game);
    let shard = TestFile::new("record.shard", "");
    let options = ShardOptions { files: vec![file.0.clone()], share: 1.0, seed: 1, output: shard.0.clone() };
    assert_eq!(write_shard(&options).expect("written"), 4, "three moves and one, none after set-up stones");
    let bytes = std::fs::read(&shard.0).expect("readable");
    let record = usize::from(u16::from_le_bytes([bytes[14], bytes[15]]));
    let tail = |i: usize| &bytes[16 + (i + 1) * record - 9..16 + (i + 1) * record];
    let win = |i: usize| f32::from_le_bytes([tail(i)[0], tail(i)[1], tail(i)[2], tail(i)[3]]);
    assert_eq!([win(0), win(1), win(2)], [0.0, 1.0, 0.0], "White won: seen from the player to move");
    assert_eq!([0, 1, 2, 3].map(|i| tail(i)[8]), [1, 1, 1, 0], "a win on time is no label");
    let policy = |i: usize| &bytes[16 + (i + 1) * record - 9 - 25 - 26..][..26];
    assert_eq!(policy(0).iter().position(|&q| q == 255), Some(12));
    assert_eq!(policy(1).iter().position(|&q| q == 255), Some(11));
    assert_eq!(policy(2)[25], 255, "the pass");
}
