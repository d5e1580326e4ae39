//! Whole games against players that follow a script.

use std::time::Duration;

use super::play::{Played, Terms, play_game};
use super::player::{AskError, Player};
use super::report::{Ending, Fault};
use crate::color::{Color, PerColor};
use crate::game::Game;
use crate::geometry::Geometry;
use crate::rules::Rules;
use crate::score::{Komi, Score};
use crate::sgf;

/// Answers `genmove` with its moves in order, then passes; and other commands as told.
struct Fake {
    moves: Vec<&'static str>,
    /// Answers to commands that begin with the first string.
    replies: Vec<(&'static str, Result<String, AskError>)>,
    think: Duration,
    heard: Vec<String>,
}

impl Fake {
    fn new(moves: &str) -> Fake {
        let mut moves: Vec<&'static str> = moves.to_string().leak().split_whitespace().collect();
        moves.reverse();
        Fake { moves, replies: Vec::new(), think: Duration::ZERO, heard: Vec::new() }
    }

    fn replying(mut self, command: &'static str, reply: Result<&str, AskError>) -> Fake {
        self.replies.push((command, reply.map(str::to_string)));
        self
    }
}

impl Player for Fake {
    fn knows(&self, command: &str) -> bool {
        matches!(command, "time_settings" | "time_left" | "set_free_handicap")
    }

    fn ask(&mut self, command: &str, limit: Duration) -> Result<String, AskError> {
        self.heard.push(command.to_string());
        if let Some((_, reply)) = self.replies.iter().find(|(start, _)| command.starts_with(start)) {
            return reply.clone();
        }
        if !command.starts_with("genmove") {
            return if command.starts_with("final") { Err(AskError::Refused("no".into())) } else { Ok(String::new()) };
        }
        std::thread::sleep(self.think.min(limit));
        if self.think > limit { Err(AskError::Late(limit)) } else { Ok(self.moves.pop().unwrap_or("pass").into()) }
    }
}

fn terms() -> Terms {
    Terms { time: None, grace: Duration::from_millis(20), limit: Duration::from_secs(5), move_cap: 30 }
}

fn empty(size: usize, rules: Rules) -> Game {
    Game::new(Geometry::new(size).expect("in range"), rules, Komi::DEFAULT)
}

fn play(start: &Game, black: &mut Fake, white: &mut Fake, terms: &Terms, third: Option<f64>) -> Played {
    let mut players: PerColor<&mut dyn Player> = PerColor([black, white]);
    let mut scorer = |_: &Game| third.and_then(|points| Some(Score::from_margin(0, Komi::from_points(-points)?)));
    play_game(start, &mut players, terms, &mut scorer)
}

/// The fault that ends a game between these on 5x5, with who did it.
fn forfeit(black: Fake, white: Fake) -> (Color, Fault) {
    let (mut black, mut white) = (black, white);
    let played = play(&empty(5, Rules::CHINESE), &mut black, &mut white, &terms(), None);
    assert_eq!((played.ending, played.incidents.len()), (Ending::Forfeit, 1));
    assert_eq!(played.winner, Some(played.incidents[0].color.opponent()));
    (played.incidents[0].color, played.incidents[0].fault)
}

#[test]
fn a_game_ends_with_two_passes_and_is_counted() {
    let (mut black, mut white) = (Fake::new("c3 pass"), Fake::new(""));
    let played = play(&empty(5, Rules::AS_IS), &mut black, &mut white, &terms(), None);
    assert_eq!((played.ending, played.result.as_str(), played.game.turns().len()), (Ending::Passes, "B+18.5", 3));
    assert_eq!(played.thinking[Color::White].moves, 1);
    assert_eq!(
        white.heard,
        ["boardsize 5", "clear_board", "komi 6.5", "play black C3", "genmove white", "play black pass", "final_score"]
    );
    assert_eq!(played.comments.len(), 3);
}

#[test]
fn resignation_ends_a_game() {
    let played = play(&empty(5, Rules::CHINESE), &mut Fake::new("Resign"), &mut Fake::new(""), &terms(), None);
    assert_eq!(
        (played.ending, played.winner, played.result.as_str()),
        (Ending::Resignation, Some(Color::White), "W+R")
    );
}

#[test]
fn faults_lose_the_game() {
    let fails = |command, error: AskError| Fake::new("a1 b2").replying(command, Err(error));
    assert_eq!(forfeit(Fake::new("a1"), Fake::new("a1")), (Color::White, Fault::Illegal));
    assert_eq!(forfeit(Fake::new("z9"), Fake::new("")), (Color::Black, Fault::Malformed));
    assert_eq!(forfeit(Fake::new("").replying("genmove", Ok("")), Fake::new("")), (Color::Black, Fault::Malformed));
    assert_eq!(
        forfeit(fails("genmove", AskError::Refused("x".into())), Fake::new("")),
        (Color::Black, Fault::Malformed)
    );
    assert_eq!(
        forfeit(fails("genmove", AskError::Garbage("x".into())), Fake::new("")),
        (Color::Black, Fault::Malformed)
    );
    assert_eq!(
        forfeit(Fake::new(""), fails("play", AskError::Refused("illegal move".into()))),
        (Color::White, Fault::Refused)
    );
    assert_eq!(
        forfeit(Fake::new(""), fails("boardsize", AskError::Refused("x".into()))),
        (Color::White, Fault::Refused)
    );
    assert_eq!(forfeit(Fake::new("a1"), fails("genmove", AskError::Died("x".into()))), (Color::White, Fault::Crash));
    assert_eq!(
        forfeit(fails("genmove", AskError::Late(Duration::ZERO)), Fake::new("")),
        (Color::Black, Fault::Timeout)
    );
}

#[test]
fn superko_is_told_from_other_illegal_moves() {
    let mut found = false;
    // Random play on a tiny board meets superko soon; the referee must agree with the game about what it is.
    for seed in 0..200 {
        let mut rng = crate::rng::Rng::new(seed);
        let mut game = empty(2, Rules::CHINESE);
        let points: Vec<_> = game.geometry().points().collect();
        for _ in 0..40 {
            let mv = crate::geometry::Move::Play(points[rng.below(4)]);
            let color = game.to_move();
            if game.check(color, mv) == Err(crate::game::IllegalMove::Superko) {
                let name: &'static str = game.geometry().move_name(mv).leak();
                let (mut black, mut white) = (Fake::new(name), Fake::new(name));
                let terms = Terms { move_cap: 1000, ..terms() };
                let played = play(&game, &mut black, &mut white, &terms, None);
                assert_eq!((played.incidents[0].color, played.incidents[0].fault), (color, Fault::Superko));
                found = true;
            }
            let _ = game.play(color, mv);
        }
    }
    assert!(found);
}

#[test]
fn an_overdrawn_clock_loses() {
    let time = "0+1/1".parse().ok();
    let slow = |millis| Fake { think: Duration::from_millis(millis), ..Fake::new("a1") };
    let (mut black, mut white) = (slow(1200), Fake::new(""));
    let terms = Terms { time, ..terms() };
    let played = play(&empty(5, Rules::CHINESE), &mut black, &mut white, &terms, None);
    assert_eq!((played.incidents[0].color, played.incidents[0].fault), (Color::Black, Fault::Timeout));
    assert_eq!((played.winner, played.result.as_str()), (Some(Color::White), "W+T"));
    assert_eq!(black.heard[3..], ["time_settings 0 1 1", "time_left black 1 1", "genmove black"]);

    let (mut black, mut white) = (slow(300), Fake::new(""));
    let played = play(&empty(5, Rules::CHINESE), &mut black, &mut white, &terms, None);
    assert_eq!(played.ending, Ending::Passes);
    assert!(played.thinking[Color::Black].longest >= Duration::from_millis(300));
}

#[test]
fn a_game_without_end_is_stopped() {
    let (mut black, mut white) = (Fake::new("a1 c1 e1"), Fake::new("a3 c3 e3"));
    let terms = Terms { move_cap: 4, ..terms() };
    let played = play(&empty(5, Rules::CHINESE), &mut black, &mut white, &terms, None);
    assert_eq!((played.ending, played.game.turns().len()), (Ending::MoveCap, 4));
}

/// A finished game on 5x5 in which a white stone stands in Black's half: B+5 if it is dead, W+ if not.
fn invaded() -> Game {
    let text = "(;SZ[5]KM[6.5]AB[ca:ce]AW[da:de][bb])";
    sgf::read_games(text.as_bytes()).expect("readable")[0].to_game(Rules::CHINESE).expect("playable")
}

fn judged(black: (&str, &str), white: (&str, &str), third: Option<f64>) -> (String, bool) {
    let fake = |(score, dead): (&str, &str)| {
        let mut fake = Fake::new("");
        for (command, text) in [("final_score", score), ("final_status_list", dead)] {
            fake = fake.replying(command, if text == "?" { Err(AskError::Refused("no".into())) } else { Ok(text) });
        }
        fake
    };
    let played = play(&invaded(), &mut fake(black), &mut fake(white), &terms(), third);
    assert_eq!((played.ending, played.incidents.len()), (Ending::Passes, 0));
    (played.result, played.disputed)
}

#[test]
fn players_agree_on_dead_stones() {
    // Black has 15 points without the invader, White 10.
    assert_eq!(judged(("W+1.5", "B4"), ("W+1.5", "b4"), None), ("W+1.5".into(), false));
    // The same winner by different margins: counted without what both call dead.
    assert_eq!(judged(("W+1.5", "B4"), ("W+9", ""), None), ("W+12.5".into(), false));
    assert_eq!(judged(("?", "B4"), ("?", "?"), None), ("W+1.5".into(), false));
    assert_eq!(judged(("?", "?"), ("?", "?"), None), ("W+12.5".into(), false));
    assert_eq!(judged(("?", "?"), ("W+2", "no stone"), None), ("W+2.0".into(), false));
}

#[test]
fn players_who_disagree_need_a_third_opinion() {
    assert_eq!(judged(("B+1.5", "B4"), ("W+9.5", ""), None), ("W+12.5".into(), true));
    assert_eq!(judged(("B+1.5", "B4"), ("W+9.5", ""), Some(3.0)), ("B+3.0".into(), true));
    assert_eq!(judged(("B+1.5", "B4"), ("W+1.5", "B4"), None), ("W+1.5".into(), true));
}

#[test]
fn under_as_is_rules_the_board_decides() {
    let mut game = empty(5, Rules::AS_IS);
    game.set_up(invaded().set_up_stones()).expect("the same stones");
    let (mut black, mut white) = (Fake::new("").replying("final", Ok("B+3")), Fake::new(""));
    let played = play(&game, &mut black, &mut white, &terms(), Some(9.0));
    assert_eq!((played.result.as_str(), played.disputed), ("W+12.5", true));
}

#[test]
fn falling_over_while_scoring_is_a_fault_but_keeps_the_result() {
    let (mut black, mut white) =
        (Fake::new("c3").replying("final_score", Err(AskError::Died("x".into()))), Fake::new(""));
    let played = play(&empty(5, Rules::CHINESE), &mut black, &mut white, &terms(), None);
    assert_eq!((played.ending, played.winner), (Ending::Passes, Some(Color::Black)));
    assert_eq!((played.incidents[0].color, played.incidents[0].fault), (Color::Black, Fault::Crash));
}

#[test]
fn openings_are_shown_to_both_players() {
    let text = "(;SZ[9]HA[2]KM[0.5]AB[gc][cg];W[ee])";
    let start = sgf::read_games(text.as_bytes()).expect("readable")[0].to_game(Rules::CHINESE).expect("playable");
    let (mut black, mut white) = (Fake::new("resign"), Fake::new(""));
    play(&start, &mut black, &mut white, &terms(), None);
    for heard in [&black.heard[2..5], &white.heard[2..5]] {
        assert_eq!(heard, ["komi 0.5", "set_free_handicap C3 G7", "play white E5"]);
    }
    assert_eq!(black.heard.last().map(String::as_str), Some("genmove black"));
}
