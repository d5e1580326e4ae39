//! Transcripts played to the real program over pipes, in [`games`] whole games of the program against itself, and in [`tools`] its analysis engine
//! and its reviews.
//!
//! `protocol/*.gtp` and `clients/*.gtp` check every byte; the latter are what people's programs send. A line `> text` is
//! sent, a line `< text` is expected, a line `<~ regex` must match a whole line, and `<*` stands for any further lines of
//! a reply. Replies end with one empty line, which is checked and not written. In sent and expected text `\t`, `\r`, `\s`
//! (a space), `\\` and `\xNN` stand for bytes, and `\c` at the end of a sent line leaves out its line end. A line
//! `>! text` ends the analysis before it, and is sent after that one's first line of results. Each file is played twice: in
//! one write, as pipelining clients do, and waiting for each reply.
//!
//! `rules/*.tst`, `game/*.tst` and `tactics/*.tst` are in the dialect of GNU Go and gogui-regress: commands, and after a
//! command its expectation `#? [regex]`, which must match the whole reply; `[!regex]` must not match. A star after the
//! bracket marks a known failure, and a known failure that passes fails the run, so that its star gets removed.
//!
//! Every file gets a new process, started with `--seed 1 --threads 1 --playouts 400` unless its first line is
//! `#args ...`. It runs in the file's directory.

mod games;
mod process;
/// The naive board of the library's own tests, which is no part of the library: [`color`] and [`game`] are the modules
/// that it names.
#[allow(dead_code, reason = "only the library's tests need all of it")]
#[path = "../src/board/reference.rs"]
mod reference;
mod tools;

use std::fs;
use std::path::{Path, PathBuf};

use keima::{color, game};
use process::Engine;
use regex::Regex;

/// How a file's process is started unless its first line says otherwise.
const DEFAULT_ARGS: &str = "--seed 1 --threads 1 --playouts 400";

#[test]
fn protocol() {
    run_directory("protocol", "gtp", check_transcript);
}

#[test]
fn clients() {
    run_directory("clients", "gtp", check_transcript);
}

#[test]
fn rules() {
    run_directory("rules", "tst", check_regression);
}

#[test]
fn game() {
    run_directory("game", "tst", check_regression);
}

#[test]
fn tactics() {
    run_directory("tactics", "tst", check_regression);
}

/// Runs `check` on every file of a directory and fails with all the problems found.
fn run_directory(name: &str, extension: &str, check: fn(&Path, &str) -> Vec<String>) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("gtp-tests").join(name);
    let entries = fs::read_dir(&directory).expect("the directory exists");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable directory").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == extension));
    paths.sort();
    assert!(!paths.is_empty(), "{name} holds no transcript to check");
    let mut problems = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("transcripts are UTF-8");
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        problems.extend(check(&path, &text).into_iter().map(|problem| format!("{name}/{file}: {problem}")));
    }
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// Starts the program for a transcript.
fn start(path: &Path, text: &str) -> Engine {
    let args = text.lines().next().and_then(|line| line.strip_prefix("#args")).unwrap_or(DEFAULT_ARGS);
    Engine::start(args, path.parent().expect("files are in a directory"))
}

/// Whether a protocol transcript is sent as a whole.
#[derive(Clone, Copy, Debug)]
enum Sending {
    AtOnce,
    LineByLine,
}

/// Plays a transcript both ways.
fn check_transcript(path: &Path, text: &str) -> Vec<String> {
    let mut problems = check_protocol(path, text, Sending::AtOnce);
    problems.extend(check_protocol(path, text, Sending::LineByLine));
    problems
}

fn check_protocol(path: &Path, text: &str, sending: Sending) -> Vec<String> {
    let mut engine = start(path, text);
    let mut expected: Vec<Vec<&str>> = Vec::new();
    let mut in_reply = false;
    let mut problems = Vec::new();
    for line in text.lines() {
        let ends_analysis = line.strip_prefix(">! ").or((line == ">!").then_some(""));
        if let Some(sent) = line.strip_prefix("> ").or((line == ">").then_some("")).or(ends_analysis) {
            let mut is_answered = || match ends_analysis {
                Some(_) => engine.wait_for_analysis(expected.len().saturating_sub(1)),
                None => engine.wait_for_replies(expected.len()),
            };
            if matches!(sending, Sending::LineByLine) && !is_answered() {
                problems.push(format!("no reply before {line:?}"));
                break;
            }
            engine.send(&sent_bytes(sent));
            in_reply = false;
        } else if line.starts_with('<') {
            if !in_reply
                || line.starts_with("< =")
                || line.starts_with("< ?")
                || line.starts_with("<~ ") && is_head(line)
            {
                expected.push(Vec::new());
            }
            expected.last_mut().expect("just pushed").push(line);
            in_reply = true;
        } else if !line.is_empty() && !line.starts_with('#') {
            problems.push(format!("not a line of a transcript: {line:?}"));
        }
    }
    let (output, problem) = engine.finish();
    problems.extend(problem);
    problems.extend(compare(&String::from_utf8_lossy(&output), &expected));
    problems.into_iter().map(|problem| format!("{sending:?}: {problem}")).collect()
}

/// Whether a regular expression describes the first line of a reply.
fn is_head(line: &str) -> bool {
    line.starts_with("<~ =") || line.starts_with("<~ \\?")
}

/// Compares the output with the expected replies, framing included.
fn compare(output: &str, expected: &[Vec<&str>]) -> Vec<String> {
    let mut replies: Vec<&str> = output.split("\n\n").collect();
    let mut problems = Vec::new();
    if replies.pop() != Some("") {
        problems.push(format!("the output does not end with an empty line: {output:?}"));
    }
    for (i, lines) in expected.iter().enumerate() {
        let reply = replies.get(i).copied().unwrap_or("(nothing)");
        if !reply_matches(reply, lines) {
            problems.push(format!(
                "reply {}: expected\n  {}\ngot\n  {}",
                i + 1,
                lines.join("\n  "),
                reply.replace('\n', "\n  ")
            ));
        }
    }
    if replies.len() > expected.len() {
        problems.push(format!("more replies than expected: {:?}", &replies[expected.len()..]));
    }
    problems
}

fn reply_matches(reply: &str, expected: &[&str]) -> bool {
    let mut lines = reply.split('\n');
    for line in expected {
        if line.starts_with("<*") {
            return true;
        }
        let Some(actual) = lines.next() else { return false };
        let matches = match line.strip_prefix("<~ ") {
            Some(regex) => whole(regex).is_match(actual),
            None => unescaped(line.get(2..).unwrap_or_default()) == actual.as_bytes(),
        };
        if !matches {
            return false;
        }
    }
    lines.next().is_none()
}

fn sent_bytes(text: &str) -> Vec<u8> {
    match text.strip_suffix("\\c") {
        Some(text) => unescaped(text),
        None => [unescaped(text), b"\n".to_vec()].concat(),
    }
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let Some((&escape, after)) = rest.split_first().filter(|_| byte == b'\\') else {
            bytes.push(byte);
            continue;
        };
        rest = after;
        match escape {
            b't' => bytes.push(b'\t'),
            b'r' => bytes.push(b'\r'),
            b's' => bytes.push(b' '),
            b'x' => {
                let (digits, after) = rest.split_at(2);
                let digits = std::str::from_utf8(digits).expect("hexadecimal digits");
                bytes.push(u8::from_str_radix(digits, 16).expect("hexadecimal digits"));
                rest = after;
            }
            other => bytes.push(other),
        }
    }
    bytes
}

/// A regular expression for a whole text, lines and all.
fn whole(regex: &str) -> Regex {
    Regex::new(&format!(r"(?sm)\A(?:{regex})\z")).expect("expectations are regular expressions")
}

/// A tested command of a regression file.
struct Expectation<'a> {
    /// Place of the command among all commands of the file.
    index: usize,
    command: &'a str,
    regex: &'a str,
    negated: bool,
    known_failure: bool,
}

fn check_regression(path: &Path, text: &str) -> Vec<String> {
    let mut commands: Vec<&str> = Vec::new();
    let mut expectations = Vec::new();
    let mut problems = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(expected) = line.strip_prefix("#?") {
            match parse_expectation(expected.trim(), &commands) {
                Some(expectation) => expectations.push(expectation),
                None => problems.push(format!("not an expectation: {line:?}")),
            }
        } else if !line.is_empty() && !line.starts_with('#') {
            commands.push(line);
        }
    }
    let mut engine = start(path, text);
    for command in &commands {
        engine.send(format!("{command}\n").as_bytes());
    }
    let (output, problem) = engine.finish();
    problems.extend(problem);
    let output = String::from_utf8_lossy(&output);
    let replies: Vec<&str> = output.split("\n\n").filter(|reply| !reply.is_empty()).collect();
    if replies.len() != commands.len() {
        problems.push(format!("{} commands got {} replies", commands.len(), replies.len()));
        return problems;
    }
    problems.extend(expectations.iter().filter_map(|expectation| judge(expectation, replies[expectation.index])));
    let tested = |i| expectations.iter().any(|expectation| expectation.index == i);
    for (i, (command, reply)) in commands.iter().zip(&replies).enumerate() {
        if reply.starts_with('?') && !tested(i) {
            problems.push(format!("{command:?} failed: {reply:?}"));
        }
    }
    problems
}

fn parse_expectation<'a>(text: &'a str, commands: &[&'a str]) -> Option<Expectation<'a>> {
    let (text, known_failure) = text.strip_suffix('*').map_or((text, false), |text| (text, true));
    let regex = text.strip_prefix('[')?.strip_suffix(']')?;
    let (regex, negated) = regex.strip_prefix('!').map_or((regex, false), |regex| (regex, true));
    let index = commands.len().checked_sub(1)?;
    Some(Expectation { index, command: commands[index], regex, negated, known_failure })
}

/// What is wrong with the reply, if anything.
fn judge(expectation: &Expectation<'_>, reply: &str) -> Option<String> {
    let (head, text) = reply.split_once(' ').unwrap_or((reply, ""));
    // An error reply fails whatever was expected.
    let passed = head.starts_with('=') && whole(expectation.regex).is_match(text) != expectation.negated;
    let (command, regex) = (expectation.command, expectation.regex);
    match (passed, expectation.known_failure) {
        (true, false) | (false, true) => None,
        (false, false) => Some(format!("{command:?}: expected [{regex}], got {reply:?}")),
        (true, true) => Some(format!("{command:?} passed although it is marked as a known failure")),
    }
}
