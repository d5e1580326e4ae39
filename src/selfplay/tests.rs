//! Self-play: reproducible, resumable, readable by what learns from it.

use std::path::PathBuf;

use super::{SelfPlayError, SelfPlayOptions, self_play};
use crate::geometry::Geometry;
use crate::teacher::read_games;

fn options(name: &str) -> SelfPlayOptions {
    SelfPlayOptions {
        output: std::env::temp_dir().join(format!("keima-{}-{name}.jsonl", std::process::id())),
        games: 6,
        size: Geometry::new(5).expect("an accepted size"),
        visits: 12,
        noise: 0.25,
        to_the_end: 0.5,
        net: "none".to_string(),
        numbers: Vec::new(),
        threads: Some(2),
        seed: 7,
    }
}

fn text(path: &PathBuf) -> String {
    std::fs::read_to_string(path).expect("readable")
}

#[test]
fn a_run_that_was_stopped_ends_as_one_that_was_not() {
    let (whole, cut) = (options("whole"), SelfPlayOptions { threads: Some(1), ..options("cut") });
    self_play(&whole).expect("playable");
    self_play(&SelfPlayOptions { games: 2, ..cut.clone() }).expect("playable");
    // As if the third game had been half written.
    std::fs::write(&cut.output, text(&cut.output) + r#"{"size":5,"ko"#).expect("writable");
    self_play(&cut).expect("playable");
    assert_eq!(text(&whole.output), text(&cut.output));
    assert_eq!(text(&whole.output).lines().count(), 6);
    for path in [&whole.output, &cut.output] {
        drop(std::fs::remove_file(path));
    }
}

#[test]
fn games_are_legal_and_every_position_is_labelled() {
    let options = options("labels");
    self_play(&options).expect("playable");
    let games = read_games(std::slice::from_ref(&options.output)).expect("labelled games");
    drop(std::fs::remove_file(&options.output));
    let mut positions = 0;
    for game in &games {
        game.each_position(
            |_| true,
            |labelled| {
                let board = labelled.game.board();
                let played: f32 =
                    board.geometry().points().map(|p| (f32::from(labelled.policy[p]) / 255.0).powi(2)).sum();
                let pass = (f32::from(labelled.pass) / 255.0).powi(2);
                assert!((played + pass - 1.0).abs() < 0.05, "{played} {pass}");
                assert!(board.geometry().points().all(|p| labelled.policy[p] == 0 || board.is_empty(p)));
                assert!((0.0..=1.0).contains(&labelled.win) && labelled.lead.abs() <= 51.0);
                positions += 1;
            },
        )
        .expect("legal");
    }
    assert_eq!(games.len(), 6);
    assert!(positions > 60, "{positions}");
}

#[test]
fn what_cannot_be_done_is_said_before_anything_is_played() {
    let wrong = SelfPlayOptions { numbers: vec!["cheating=1".to_string()], ..options("number") };
    assert!(matches!(self_play(&wrong), Err(SelfPlayError::Number(_))));
    let wrong = SelfPlayOptions { net: "no-such-file".to_string(), ..options("net") };
    assert!(matches!(self_play(&wrong), Err(SelfPlayError::Net(_))));
    let wrong = SelfPlayOptions { output: PathBuf::from("/no/such/folder/x.jsonl"), ..options("folder") };
    assert!(matches!(self_play(&wrong), Err(SelfPlayError::Output(..))));
}
