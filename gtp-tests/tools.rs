//! `keima analysis` and `keima analyze`, run as a user or a client runs them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::thread;

use serde_json::Value;

use crate::process;

/// Runs the program in a directory, with this input.
fn keima(directory: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = process::start(arguments.iter().copied(), directory);
    let (mut stdin, input) = (child.stdin.take().expect("piped"), input.to_vec());
    // The program may end before it has read everything.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("writing does not fail");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json_lines(bytes: &[u8]) -> Vec<Value> {
    text(bytes).lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

const QUERY: &str = r#"{"id":"a","moves":[["B","E5"]],"rules":"chinese","komi":7,"boardXSize":9,"boardYSize":9,"maxVisits":20,"analyzeTurns":[0,1]}"#;

#[test]
fn an_analysis_engine_starts_with_the_options_of_kata_go_and_answers_until_the_input_ends() {
    let folder = folder("analysis");
    fs::write(
        folder.join("katago.cfg"),
        "# comment\nnumAnalysisThreads = 12\nreportAnalysisWinratesAs = WHITE\nmaxVisits=5 # few\n",
    )
    .expect("writable");
    let arguments =
        ["analysis", "-model", "none.bin.gz", "-config", "katago.cfg", "-override-config", "homeDataDir=/none"];
    let input = format!(
        "{QUERY}\n{}\nnonsense\n{{\"id\":\"v\",\"action\":\"query_version\"}}",
        QUERY.replace("\"maxVisits\":20,", "").replace("\"a\"", "\"b\"")
    );
    let output = keima(&folder, &arguments, input.as_bytes());
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let answers = json_lines(&output.stdout);
    assert_eq!(answers.len(), 6, "{answers:?}");
    let visits = |id: &str| -> Vec<&Value> {
        answers.iter().filter(|a| a["id"] == id).map(|a| &a["rootInfo"]["visits"]).collect()
    };
    assert_eq!(visits("a"), [20, 20]);
    assert_eq!(visits("b"), [5, 5]);
    let missing = keima(&folder, &["analysis", "-config", "missing.cfg"], b"");
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("missing.cfg"));
}

const GAME: &str = "(;GM[1]FF[4]SZ[7]KM[8.5]RU[Chinese]PB[Ann]PW[Bob]ZZ[x];B[dd];W[dc];B[cc](;W[ee];B[ec])(;W[cb]))\n";

#[test]
fn a_review_goes_to_every_output_and_is_not_done_twice() {
    let folder = folder("outputs");
    fs::write(folder.join("game.sgf"), GAME).expect("writable");
    let arguments =
        ["analyze", "--visits", "30", "--table", "--sgf", "--html", "--svg", "--png", "-o", "out", "game.sgf"];
    let first = keima(&folder, &arguments, b"");
    assert!(first.status.success() && first.stderr.is_empty(), "{first:?}");
    let table = text(&first.stdout);
    assert!(
        table.starts_with("game.sgf: Ann (B) against Bob (W), 7x7, komi 8.5\n") && table.contains("\n   5  B E5 "),
        "{table}"
    );
    for name in ["game.review.sgf", "game.html", "game.svg", "game.png", "reviews.jsonl"] {
        assert!(folder.join("out").join(name).is_file(), "{name}");
    }
    let read = |name: &str| fs::read_to_string(folder.join("out").join(name)).expect("readable");
    assert!(read("game.review.sgf").contains("ZZ[x]") && read("game.html").contains("<svg"));
    let kept = read("reviews.jsonl");
    assert_eq!(kept.lines().count(), 1);
    // As if the first run had been killed while it wrote the next line.
    fs::write(folder.join("out/reviews.jsonl"), format!("{kept}{}", &kept[..kept.len() / 2])).expect("writable");
    fs::remove_file(folder.join("out/game.html")).expect("it is there");
    let second = keima(&folder, &arguments, b"");
    assert!(second.status.success(), "{second:?}");
    assert_eq!((text(&second.stdout), read("reviews.jsonl")), (table, kept));
    assert!(folder.join("out/game.html").is_file());
    // Other settings, another search.
    let other = keima(&folder, &["analyze", "--visits", "31", "-o", "out", "game.sgf"], b"");
    assert!(other.status.success() && other.stdout.is_empty());
    assert_eq!(read("reviews.jsonl").lines().count(), 2);
}

#[test]
fn broken_games_are_reported_with_their_line_and_the_others_go_on() {
    let folder = folder("broken");
    let collection = format!(
        "{GAME}(;GM[1]SZ[7]\n;B[dd]\n;W[zz])\n{GAME}(;GM[1]SZ[7]\n;B[dd]!\n{GAME}(;GM[1]SZ[7];B[aa]\n;W[aa])\n"
    );
    fs::write(folder.join("all.sgf"), collection).expect("writable");
    let output = keima(&folder, &["analyze", "--visits", "5", "--json", "all.sgf", "missing.sgf"], b"");
    assert_eq!(output.status.code(), Some(1));
    let games: Vec<Value> = json_lines(&output.stdout).iter().map(|review| review["game"].clone()).collect();
    assert_eq!(games, [1, 3, 5]);
    let errors = text(&output.stderr);
    let lines: Vec<&str> = errors.lines().collect();
    assert!(lines[0].starts_with("keima: all.sgf: line 4: \"zz\" is not on the board"), "{errors}");
    assert!(
        lines.iter().any(|line| line.contains("all.sgf: line 10: move 2 is illegal: the point is occupied")),
        "{errors}"
    );
    assert!(lines.last().is_some_and(|line| line.starts_with("keima: missing.sgf: ")), "{errors}");
}

#[test]
fn shards_are_disjoint_and_complete() {
    let folder = folder("shards");
    for i in 0..5 {
        fs::create_dir_all(folder.join(format!("games/{}", i % 2))).expect("a folder can be made");
        fs::write(folder.join(format!("games/{}/{i}.SGF", i % 2)), GAME).expect("writable");
    }
    let mut found: Vec<String> = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let output = keima(
            &folder,
            &["analyze", "--visits", "3", "--json", "--svg", "-o", "out", "--shard", shard, "games"],
            b"",
        );
        assert!(output.status.success(), "{output:?}");
        found.extend(
            json_lines(&output.stdout).iter().filter_map(|review| Some(review["source"].as_str()?.to_string())),
        );
    }
    found.sort();
    assert_eq!(found, ["games/0/0.SGF", "games/0/2.SGF", "games/0/4.SGF", "games/1/1.SGF", "games/1/3.SGF"]);
    assert!(folder.join("out/1/3.svg").is_file() && folder.join("out/reviews-3-of-3.jsonl").is_file());
}

#[test]
fn games_come_as_json_lines_and_through_a_pipe() {
    let folder = folder("lines");
    fs::write(folder.join("game.sgf"), GAME).expect("writable");
    let sgf = serde_json::to_string(GAME).expect("text");
    let input =
        format!("{{\"id\":\"x/../y\",\"sgf\":{sgf}}}\n\n{{\"file\":\"game.sgf\"}}\n{{\"id\":\"z\"}}\nnonsense\n");
    let output = keima(&folder, &["analyze", "--visits", "3", "--json", "--svg", "-o", "out", "-"], input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let sources: Vec<Value> = json_lines(&output.stdout).iter().map(|review| review["source"].clone()).collect();
    assert_eq!(sources, ["x/../y", "game.sgf"]);
    let errors = text(&output.stderr);
    assert!(
        errors.contains("standard input: line 4: neither") && errors.contains("standard input: line 5: "),
        "{errors}"
    );
    assert!(folder.join("out/x-..-y.svg").is_file() && folder.join("out/game.svg").is_file());
    let piped = keima(&folder, &["analyze", "--visits", "3", "-"], GAME.as_bytes());
    assert!(text(&piped.stdout).starts_with("standard input: Ann (B)"));
}

#[test]
fn moves_and_players_can_be_chosen() {
    let folder = folder("chosen");
    fs::write(folder.join("game.sgf"), GAME).expect("writable");
    let numbers = |arguments: &[&str]| -> (Vec<u64>, usize) {
        let output = keima(&folder, &[&["analyze", "--visits", "3", "--json", "game.sgf"], arguments].concat(), b"");
        let review = json_lines(&output.stdout).remove(0);
        let moves = review["moves"].as_array().expect("moves").iter().filter_map(|mv| mv["number"].as_u64()).collect();
        (moves, review["positions"].as_array().map_or(0, Vec::len))
    };
    assert_eq!(numbers(&[]), (vec![1, 2, 3, 4, 5], 6));
    assert_eq!(numbers(&["--moves", "2-3"]), (vec![2, 3], 3));
    assert_eq!(numbers(&["--moves", "4-"]), (vec![4, 5], 3));
    assert_eq!(numbers(&["--player", "W"]).0, [2, 4]);
    assert_eq!(numbers(&["--player", "ann"]).0, [1, 3, 5]);
    let nobody = keima(&folder, &["analyze", "--visits", "3", "--json", "--player", "Zoe", "game.sgf"], b"");
    assert!(nobody.status.success() && nobody.stdout.is_empty());
}

#[test]
fn records_in_old_encodings_are_read_and_written_in_utf_8() {
    let folder = folder("encodings");
    // The same name in GB 18030, with CA and without, in Shift JIS with a backslash as second byte, and in UTF-16.
    let game = |ca: &str, name: &[u8]| {
        [b"(;GM[1]SZ[5]".as_slice(), ca.as_bytes(), b"PB[", name, b"]\r\n;B[cc]\r\n;W[bb])\r\n"].concat()
    };
    fs::write(folder.join("gb.sgf"), game("CA[gb18030]", b"\xBF\xC2\xBD\xE0")).expect("writable");
    fs::write(folder.join("sjis.sgf"), game("CA[Shift_JIS]", b"\x83\x5C\x83\x8D")).expect("writable");
    let utf16: Vec<u8> =
        "\u{feff}(;GM[1]SZ[5]PB[柯洁];B[cc];W[bb])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(folder.join("utf16.sgf"), utf16).expect("writable");
    let output = keima(
        &folder,
        &["analyze", "--visits", "3", "--json", "--sgf", "-o", "out", "gb.sgf", "sjis.sgf", "utf16.sgf"],
        b"",
    );
    assert!(output.status.success(), "{output:?}");
    let names: Vec<Value> = json_lines(&output.stdout).iter().map(|review| review["black"].clone()).collect();
    assert_eq!(names, ["柯洁", "ソロ", "柯洁"]);
    let written = fs::read_to_string(folder.join("out/sjis.review.sgf")).expect("UTF-8");
    assert!(written.contains("CA[UTF-8]") && written.contains("PB[ソロ]"), "{written}");
}

#[test]
fn usage_errors_are_told_apart_from_failures() {
    let folder = folder("usage");
    for arguments in [
        &["analyze"][..],
        &["analyze", "--shard", "4/3", "x"],
        &["analyze", "--moves", "9-3", "x"],
        &["analyze", "--visits", "0", "x"],
        &["analyze", "--visits", "3", "--time", "1", "x"],
        &["analyze", "--table", "--json", "x"],
        &["analysis", "-threads", "0"],
    ] {
        let output = keima(&folder, arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
    fs::write(folder.join("file"), "").expect("writable");
    fs::write(folder.join("game.sgf"), GAME).expect("writable");
    let output = keima(&folder, &["analyze", "--visits", "3", "-o", "file/out", "game.sgf"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cannot write file/out"), "{output:?}");
}
