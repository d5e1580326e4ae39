//! The worked examples of life and death, and small positions whose answer is known.

use std::time::Instant;

use super::{Status, Text, confirm};
use crate::board::Board;
use crate::geometry::Point;

/// A worked example: its number, the position, and for each chain what is expected under either text and how sure that is.
struct Example {
    name: &'static str,
    board: Board,
    chains: Vec<(Point, [(String, String); 2])>,
}

macro_rules! examples {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("examples/ex", $name, ".txt")))),*] };
}

fn examples() -> Vec<Example> {
    let files = examples!("01" "02" "03" "04" "05" "06" "07_1" "07_2" "08" "09" "10" "11" "12" "13" "14" "15" "16" "17" "18" "19" "20" "21" "22" "23" "24" "25");
    files.into_iter().map(|(name, text)| parse(name, text)).collect()
}

fn parse(name: &'static str, text: &str) -> Example {
    let (lines, rows): (Vec<&str>, Vec<&str>) =
        text.lines().filter(|line| !line.starts_with('#')).partition(|line| line.contains(' '));
    let board = Board::from_diagram(&rows.join("\n")).expect(name);
    let chains = lines.iter().map(|line| {
        let words: Vec<String> = line.split(' ').map(str::to_string).collect();
        let point = board.geometry().parse_move(&words[0]).expect(line).point().expect(line);
        let pair = |at: usize| (words[at].clone(), words[at + 1].clone());
        (point, [pair(1), pair(3)])
    });
    let chains = chains.collect();
    Example { name, board, chains }
}

/// The table of all examples: run with `cargo test --lib --release life::tests::table -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes; prints the table of all examples"]
fn table() {
    let states = std::env::var("STATES").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let only = std::env::var("ONLY").unwrap_or_default();
    for example in examples().iter().filter(|example| example.name.starts_with(&only)) {
        for (which, text) in [Text::Japanese, Text::Draft].into_iter().enumerate() {
            let start = Instant::now();
            let verdicts = confirm(&example.board, text, states);
            let seconds = start.elapsed().as_secs_f64();
            let total: u64 = verdicts.iter().map(|verdict| verdict.states).sum();
            println!("ex{} {text}: {total} states, {seconds:.2} s", example.name);
            for (point, expected) in &example.chains {
                let verdict = verdicts.iter().find(|verdict| verdict.stones.contains(point)).expect("a verdict on every chain");
                let (status, confidence) = &expected[which];
                let found = verdict.status.to_string();
                let mark = if verdict.status == Status::Unknown {
                    "-"
                } else if found == *status {
                    "ok"
                } else {
                    "DIFFERS"
                };
                println!(
                    "  {:4} {} {found:8} fixture {status:8} {confidence:20} {mark:8} {} | {}: {}",
                    example.board.geometry().point_name(*point), verdict.color.letter(), verdict.states, verdict.reason, verdict.line
                );
            }
        }
    }
}
