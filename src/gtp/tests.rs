use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::{Strategy, any, prop, prop_oneof, proptest};

use super::inbox::{Inbox, Line};
use super::reply::Failure;
use super::{Ending, Session, serve};
use crate::engine::{Decision, Settings};
use crate::geometry::Geometry;

/// A small board and tiny searches, so that thousands of commands take no time.
fn settings() -> Settings {
    Settings {
        geometry: Geometry::new(5).expect("5 is an accepted size"),
        threads: 1,
        playouts: Some(1),
        seed: Some(1),
        ..Settings::default()
    }
}

fn talk(input: &[u8]) -> Vec<u8> {
    let mut output = Vec::new();
    serve(&settings(), io::Cursor::new(input.to_vec()), &mut output).expect("writing to memory works");
    output
}

fn session() -> Session {
    Session::new(&settings(), Arc::new(Inbox::default()))
}

fn ask(session: &mut Session, text: &str) -> String {
    let line = Line { bytes: text.as_bytes().to_vec(), is_whole: true, number: 1, arrived: Instant::now() };
    let mut output = Vec::new();
    session.answer(&line, &mut output).expect("writing to memory works");
    String::from_utf8(output).expect("replies are text")
}

/// Splits the output into replies, checking everything the protocol says about their form.
fn replies(output: &[u8]) -> Vec<&str> {
    let text = std::str::from_utf8(output).expect("replies are text");
    let mut replies: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(replies.pop(), Some(""), "the last reply ends with an empty line");
    for reply in &replies {
        let rest = reply.strip_prefix(['=', '?']).expect("a status");
        assert!(rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(' '), "{reply:?}");
        assert!(!reply.chars().any(|c| c.is_control() && c != '\n'), "{reply:?}");
    }
    replies
}

#[test]
fn a_panic_is_answered_and_the_position_kept() {
    let mut session = session();
    ask(&mut session, "play b c3");
    let result: Result<(), Failure> = session.contained(|session| {
        session.engine.clear();
        panic!("a bug that this test plays")
    });
    assert_eq!(result, Err(Failure::Internal));
    assert_eq!(ask(&mut session, "list_stones b"), "= C3\n\n");
}

#[test]
fn a_reader_that_goes_away_ends_the_session_quietly() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    assert!(serve(&settings(), &b"name\nname\n"[..], &mut Closed).is_ok());
}

#[test]
fn a_reader_that_goes_away_during_an_analysis_ends_it_without_waiting_for_input() {
    /// Takes so many writes.
    struct Leaving(usize);
    impl Write for Leaving {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    for (writes, playouts) in [(2, None), (3, None), (1, Some(5))] {
        let (reader, mut writer) = io::pipe().expect("a pipe");
        writer.write_all(b"kata-analyze b 1\n").expect("a reader");
        let settings = Settings { playouts, ..settings() };
        assert!(serve(&settings, io::BufReader::new(reader), &mut Leaving(writes)).is_ok());
        // Open until here: nothing but the output ended the session.
        drop(writer);
    }
}

#[test]
fn a_panic_while_thinking_aloud_ends_the_reply_that_had_begun() {
    let mut session = session();
    let mut output = Vec::new();
    let inbox = Arc::clone(&session.inbox);
    let mut stream = super::Stream::new(&mut output, Some(3), inbox.stop());
    let result: Result<(), Failure> = session.contained(|_| {
        stream.begin();
        panic!("a bug that this test plays")
    });
    stream.finish(result).expect("writing to memory works");
    assert_eq!(output, b"=3 \n\n");
}

#[test]
fn the_end_of_the_input_ends_the_session_after_all_replies() {
    assert_eq!(talk(b"1 name\n2 genmove b\nundo\n3 name"), talk(b"1 name\n2 genmove b\nundo\n3 name\n"));
    assert_eq!(replies(&talk(b"1 name\n2 genmove b\nundo\n3 name")).len(), 4);
    assert_eq!(talk(b""), b"");
    assert_eq!(replies(&talk(b"quit\nname\n")), ["= "]);
}

#[test]
fn bad_input_never_changes_the_position() {
    let mut session = session();
    for good in ["play b c3", "play w d3", "komi 5.5", "time_settings 300 0 0"] {
        assert_eq!(ask(&mut session, good), "= \n\n", "{good}");
    }
    let before = ask(&mut session, "showboard");
    let history = ask(&mut session, "move_history");
    for bad in [
        "boardsize 1",
        "boardsize 26",
        "boardsize x",
        "boardsize 9 13",
        "boardsize",
        "boardsize 1e9",
        "boardsize -5",
        "boardsize 99999999999999999999999",
        "komi",
        "komi nan",
        "komi x",
        "play",
        "play b",
        "play b c3",
        "play x a1",
        "play b i5",
        "play b k9",
        "play b a0",
        "play b a99999999999999999999",
        "play w c3",
        "genmove",
        "genmove x",
        "reg_genmove",
        "fixed_handicap 2",
        "fixed_handicap x",
        "place_free_handicap 3",
        "set_free_handicap a1 b2",
        "gg-undo 3",
        "gg-undo -1",
        "gg-undo x",
        "gogui-play_sequence b a1 w a1",
        "gogui-play_sequence b",
        "gogui-play_sequence b a1 w",
        "gogui-setup b a1",
        "set_position b a1 w a1",
        "set_position b pass",
        "set_position b a1 w b1 w a2",
        "set_position b",
        "time_settings",
        "time_settings 1 2 x",
        "time_settings nan 0 0",
        "time_settings 1 1 -1",
        "time_left",
        "time_left x 1 1",
        "time_left b inf 0",
        "kgs-time_settings fischer 1",
        "kgs-rules ing",
        "keima-param threads 0",
        "keima-param no 1",
        "keima-param time 0",
        "keima-param time nan",
        "keima-param playouts -1",
        "keima-param memory 0",
        "keima-level dan",
        "kata-analyze b 10 avoid b z9 1",
        "lz-analyze b 10 pvVisits true",
        "kata-genmove_analyze b 10 10",
        "kata-search_analyze x",
        "cgos-genmove_analyze",
        "kata-search x",
        "kata-set-rules ing",
        "kata-set-rules {}x",
        "kata-set-rule ko SIMPLE",
        "kata-set-param maxTime 0",
        "kata-time_settings fischer 1",
        "kata-time_settings fischer-capped 10 1 5 1",
        "rectangular_boardsize 5 6",
        "keima-gfx-moves x",
        "final_status_list",
        "final_status_list x",
        "gogui-setup_player",
        "no_such_command",
        "kgs-rules",
        "list_stones",
        "is_legal b",
        "captures",
        "\u{e9}",
    ] {
        assert!(ask(&mut session, bad).starts_with("? "), "{bad}");
    }
    assert_eq!(ask(&mut session, "showboard"), before);
    assert_eq!(ask(&mut session, "move_history"), history);
}

#[test]
fn settings_change_while_the_engine_runs() {
    let mut session = session();
    for (set, shown) in [
        ("keima-param threads 2", "= 2\n\n"),
        ("keima-param playouts unlimited", "= unlimited\n\n"),
        ("keima-param playouts 7", "= 7\n\n"),
        ("keima-param time 2.5", "= 2.5\n\n"),
        ("keima-param time auto", "= auto\n\n"),
        ("keima-param seed random", "= random\n\n"),
        ("keima-param memory 64", "= 64\n\n"),
        ("keima-param ponder 1", "= 1\n\n"),
        ("keima-param resign off", "= 0\n\n"),
        ("keima-param level beginner", "= beginner\n\n"),
        ("keima-param rules tromp-taylor", "= tromp-taylor\n\n"),
    ] {
        assert_eq!(ask(&mut session, set), "= \n\n", "{set}");
        let name = set.rsplit_once(' ').expect("a value").0;
        assert_eq!(ask(&mut session, name), shown);
    }
    assert_eq!(ask(&mut session, "keima-level"), "= beginner\n\n");
    assert_eq!(ask(&mut session, "keima-rules"), "= tromp-taylor\n\n");
    assert!(ask(&mut session, "keima-param").contains("\n[bool] resign 0\n"));
    assert!(ask(&mut session, "showboard").contains("rules tromp-taylor"));
}

#[test]
fn an_interrupt_ends_a_search_and_other_lines_do_not() {
    let (reader, mut writer) = io::pipe().expect("a pipe");
    let mut session = Session::new(&settings(), Inbox::fill_from(io::BufReader::new(reader)));
    session.line = 1;
    let decision = session.think(None, Ending::Interrupt, |_, _, stop| {
        writer.write_all(b"name\n\n1 version\n").expect("a reader");
        // Once these lines are in the queue they could have raised the flag; reading them takes no measurable time.
        std::thread::sleep(Duration::from_millis(20));
        assert!(!stop.is_raised());
        writer.write_all(b"# interrupt\n").expect("a reader");
        while !stop.is_raised() {
            std::thread::yield_now();
        }
        Decision::Resign
    });
    assert_eq!(decision, Decision::Resign);
    drop(writer);
    let mut output = Vec::new();
    session.run(&mut output).expect("writing to memory works");
    assert_eq!(replies(&output).len(), 2);
}

#[test]
fn thinking_time_is_charged_to_the_clock_without_being_told() {
    let mut session = session();
    ask(&mut session, "time_settings 100 0 0");
    let budget = |session: &Session| session.clock.budget(crate::color::Color::Black, 25, 25);
    let before = budget(&session).expect("a limit is set");
    ask(&mut session, "genmove b");
    assert!(budget(&session).expect("a limit is set").target < before.target);
    ask(&mut session, "clear_board");
    assert_eq!(budget(&session), Some(before));
}

/// Lines that look like commands, right and wrong.
fn command_like() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "b", "w", "black", "C3", "a1", "b1", "a2", "c3", "pass", "resign", "0", "1", "2", "5", "-1", "0.5", "1e99",
        "nan", "dead", "#", "\t", "7,5", "é", "25", "none", "byoyomi", "chinese", "z26",
    ]);
    let name = prop::sample::select(vec![
        "play",
        "genmove",
        "undo",
        "gg-undo",
        "boardsize",
        "clear_board",
        "komi",
        "fixed_handicap",
        "showboard",
        "place_free_handicap",
        "set_free_handicap",
        "gogui-play_sequence",
        "gogui-setup",
        "set_position",
        "all_legal",
        "time_settings",
        "time_left",
        "kgs-time_settings",
        "final_score",
        "final_status_list",
        "gogui-setup_player",
        "reg_genmove",
        "kgs-genmove_cleanup",
        "kata-analyze",
        "lz-genmove_analyze",
        "kata-search_cancellable",
        "cgos-genmove_analyze",
        "kata-set-rules",
        "kata-time_settings",
        "top_moves",
        "keima-gfx-ladders",
        "keima-level",
        "kgs-rules",
        "is_legal",
        "12",
        "3name",
        "stop",
        "",
    ]);
    (name, prop::collection::vec(word, 0..5)).prop_map(|(name, words)| format!("{name} {}", words.join(" ")))
}

proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_get_well_formed_replies(input in prop::collection::vec(prop_oneof![
        any::<u8>(),
        prop::sample::select(b"\n\n\r\t# 0129=?-abcdefghijklmnopqrstuvwxyz_".to_vec()),
    ], 0..400)) {
        replies(&talk(&input));
    }

    #[test]
    fn every_command_gets_exactly_one_reply(lines in prop::collection::vec(command_like(), 0..40)) {
        let input = lines.join("\n");
        let asked = lines.iter().filter(|line| super::Request::parse(line.as_bytes()).is_some()).count();
        let output = talk(input.as_bytes());
        let answers = replies(&output);
        assert_eq!(answers.len(), asked);
        assert!(answers.iter().all(|reply| !reply.contains("internal error")), "{input}");
    }
}
