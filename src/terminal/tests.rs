//! Whole games in the terminal, line by line.

use std::path::PathBuf;

use clap::Parser;

use super::{PlayOptions, play};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    options: PlayOptions,
}

/// What is written when these options and lines come in.
fn conversation(options: &str, asks: bool, lines: &str) -> String {
    let cli = Cli::try_parse_from(std::iter::once("play").chain(options.split_whitespace())).expect("valid options");
    let mut output = Vec::new();
    play(&cli.options, asks, &mut lines.as_bytes(), &mut output).expect("a game");
    String::from_utf8(output).expect("text")
}

/// A file of this name for one test, which does not exist.
fn new_file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("keima-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn what_no_option_says_is_asked_for_until_it_makes_sense() {
    let text = conversation("--seed 1", true, "\n33\n5\nwhite\n0\n7.5\nscore\nquit\n");
    for question in ["Level: beginner", "expected a whole number from 2 to 25", "Your color", "Handicap", "[6.5]"] {
        assert!(text.contains(question), "{question}: {text}");
    }
    // Keima has black and moves first.
    assert!(text.contains("You play white (O)") && text.contains("Keima thinks ... and plays"), "{text}");
    assert_eq!(text.matches("Board: points").count(), 2, "{text}");
    assert_eq!(conversation("", true, "\n").matches("Board: points").count(), 1, "the input ended");
}

#[test]
fn moves_are_answered_and_what_is_not_allowed_is_explained() {
    let lines = "c3\nc3\nz9\nundo\nundo\nhint\nsave\nhelp\nquit\n";
    let text = conversation("--size 5 --seed 1 --level beginner", false, lines);
    for part in [
        "Keima thinks ... and plays",
        "C3 is not allowed: the point is occupied.",
        "\"z9\" is not on the board",
        "There is no move of yours to take back.",
        "wins",
        "Save where?",
        "take back your last move",
        "The game is not kept",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let last = text.rfind("A B C D E").expect("a board");
    assert!(!text[..last].rsplit("A B C D E").next().expect("rows").contains('X'), "the board is empty again: {text}");
}

#[test]
fn a_game_is_kept_in_its_file_and_gone_on_with() {
    let path = new_file("kept.sgf");
    let options = format!("{} --size 5 --komi 3.5 --seed 1", path.display());
    let first = conversation(&options, false, "c3\n");
    assert!(!first.contains("not kept"), "{first}");
    let record = std::fs::read_to_string(&path).expect("written");
    assert!(record.contains("PB[You]PW[Keima beginner]") && record.contains("KM[3.5]"), "{record}");
    assert!(record.contains(";B[cc]") && record.matches(";W[").count() == 1, "{record}");
    let second = conversation(&format!("{} --seed 1", path.display()), false, "resign\nd4\nquit\n");
    assert!(second.contains("black has resigned: white wins.") && second.contains("The game is over"), "{second}");
    assert!(std::fs::read_to_string(&path).expect("written").contains("RE[W+R]"));
    std::fs::remove_file(&path).expect("still there");
}

#[test]
fn two_passes_end_the_game_with_a_score() {
    let path = new_file("won.sgf");
    let black = "AB[aa][ac][ae][ba][bb][bc][bd][be][ca][cb][cc][cd][ce]";
    let white = "AW[da][db][dc][dd][de][ea][ec][ee]";
    std::fs::write(&path, format!("(;SZ[5]KM[0.5]{black}{white}PB[You]PW[Keima]PL[B])")).expect("written");
    let text = conversation(&format!("{} --seed 1", path.display()), false, "pass\nquit\n");
    assert!(text.contains("Keima thinks ... and passes.") && text.contains("black wins by 4.5 points."), "{text}");
    assert!(std::fs::read_to_string(&path).expect("written").contains("RE[B+4.5]"));
    std::fs::remove_file(&path).expect("still there");
}

#[test]
fn a_repetition_is_refused_where_the_rules_forbid_it() {
    // Black has taken two stones and stands there with one: a white stone on B1 would bring back the position before.
    let path = new_file("superko.sgf");
    let record = "(;SZ[5]AB[ad][bd]AW[be][cd][de]PL[W];W[ae];B[ce])";
    std::fs::write(&path, record).expect("written");
    let text = conversation(&format!("{} --color white --seed 1", path.display()), false, "b1\nquit\n");
    assert!(text.contains("B1 is not allowed: repeats an earlier position (superko)."), "{text}");
    assert_eq!(std::fs::read_to_string(&path).expect("still there"), record);
    std::fs::remove_file(&path).expect("still there");
}

#[test]
fn a_file_that_cannot_be_used_is_named_and_left_alone() {
    let path = new_file("broken.sgf");
    std::fs::write(&path, "(;SZ[5];B[aa];W[aa])").expect("written");
    let cli = Cli::try_parse_from(["play", &path.display().to_string()]).expect("valid");
    let mut output = Vec::new();
    let error = play(&cli.options, false, &mut &b""[..], &mut output).expect_err("a broken record").to_string();
    assert!(error.contains("broken.sgf: move 2 is illegal: the point is occupied"), "{error}");
    assert_eq!(std::fs::read(&path).expect("still there"), b"(;SZ[5];B[aa];W[aa])");
    std::fs::remove_file(&path).expect("still there");
}
