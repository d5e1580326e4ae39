//! Commands that make, choose and take back moves.

use std::io::Write as _;
use std::time::Duration;

use super::parse::Args;
use super::reply::Failure;
use super::{Ending, Session, gogui, records};
use crate::color::Color;
use crate::engine::{Decision, Engine, StopFlag, TimeBudget};
use crate::search::{Listener, Report};

/// `play COLOR VERTEX`
pub(super) fn play(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let color = args.color(0)?;
    let mv = args.vertex(1, session.engine.game().geometry())?;
    session.may_ponder = false;
    session.engine.follow(color, mv).map_err(|reason| {
        log::info!("refused: {reason}");
        Failure::IllegalMove
    })?;
    Ok(String::new())
}

/// `gogui-play_sequence COLOR VERTEX ...`: all of the moves or none.
pub(super) fn play_sequence(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let mut trial = session.engine.game().clone();
    let moves = args.moves(trial.geometry())?;
    for &(color, mv) in &moves {
        trial.follow(color, mv).map_err(|_| Failure::IllegalMove)?;
    }
    session.may_ponder = false;
    for (color, mv) in moves {
        session.engine.follow(color, mv).map_err(|_| Failure::IllegalMove)?;
    }
    Ok(String::new())
}

/// `genmove COLOR`
pub(super) fn genmove(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let color = args.color(0)?;
    if session.live_graphics {
        return Ok(genmove_drawing(session, color));
    }
    answer_on_the_clock(session, color, Engine::genmove)
}

/// How often GoGui's picture of the engine's thoughts changes.
const PICTURE: Duration = Duration::from_millis(500);

/// `genmove` while GoGui draws, from standard error, what is known so far.
fn genmove_drawing(session: &mut Session, color: Color) -> String {
    let geometry = session.engine.game().geometry();
    // Nobody has to read it.
    let draw = |text: &str| drop(std::io::stderr().write_all(text.as_bytes()));
    let mut tell = |report: &Report| draw(&gogui::live(report, geometry));
    let listener = Listener { first: PICTURE, every: PICTURE, moves_ownership: false, tell: &mut tell };
    let decision = move_on_the_clock(session, color, Ending::Interrupt, |engine, time, stop| {
        engine.genmove_aloud(color, time, &[], listener, stop)
    });
    draw(gogui::LIVE_END);
    decision_name(session, decision)
}

/// `kgs-genmove_cleanup COLOR`: as `genmove`, capturing everything dead before passing.
pub(super) fn genmove_cleanup(session: &mut Session, args: &Args) -> Result<String, Failure> {
    answer_on_the_clock(session, args.color(0)?, Engine::genmove_cleanup)
}

/// `reg_genmove COLOR`: the move that `genmove` would make, on nobody's clock.
pub(super) fn reg_genmove(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let color = args.color(0)?;
    let decision = session.think(None, Ending::Interrupt, |engine, time, stop| engine.choose(color, time, stop));
    Ok(decision_name(session, decision))
}

fn answer_on_the_clock(
    session: &mut Session,
    color: Color,
    choose: fn(&mut Engine, Color, Option<TimeBudget>, &StopFlag) -> Decision,
) -> Result<String, Failure> {
    let decision =
        move_on_the_clock(session, color, Ending::Interrupt, |engine, time, stop| choose(engine, color, time, stop));
    Ok(decision_name(session, decision))
}

/// Lets `choose` choose and make a move of `color` in the time that the clock allows.
pub(super) fn move_on_the_clock(
    session: &mut Session,
    color: Color,
    ending: Ending,
    choose: impl FnOnce(&mut Engine, Option<TimeBudget>, &StopFlag) -> Decision,
) -> Decision {
    session.may_ponder = false;
    let decision = session.think_on_the_clock(color, ending, choose);
    session.may_ponder = matches!(decision, Decision::Move(_)) && !session.engine.game().is_over();
    if let Decision::Move(_) = decision {
        records::comment_last_move(session);
    }
    decision
}

/// The move as GTP writes it.
pub(super) fn decision_name(session: &Session, decision: Decision) -> String {
    match decision {
        Decision::Move(mv) => session.engine.game().geometry().move_name(mv),
        Decision::Resign => "resign".to_string(),
    }
}

/// `kata-search [COLOR]`: the move that `genmove` would make on this clock, without making it.
pub(super) fn kata_search(session: &mut Session, args: &Args) -> Result<String, Failure> {
    search_on_the_clock(session, args, Ending::Interrupt)
}

/// `kata-search_cancellable [COLOR]`: as `kata-search`; any line of input ends it, and the answer then is `cancelled`.
pub(super) fn kata_search_cancellable(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let name = search_on_the_clock(session, args, Ending::AnyLine)?;
    Ok(if session.inbox.stop().is_raised() { "cancelled".to_string() } else { name })
}

fn search_on_the_clock(session: &mut Session, args: &Args, ending: Ending) -> Result<String, Failure> {
    let color = args.color_or(0, session.engine.game().to_move())?;
    let decision = session.think_on_the_clock(color, ending, |engine, time, stop| engine.choose(color, time, stop));
    Ok(decision_name(session, decision))
}

/// `undo`
pub(super) fn undo(session: &mut Session, _: &Args) -> Result<String, Failure> {
    take_back(session, 1)
}

/// `gg-undo [NUMBER]`: that many moves or none.
pub(super) fn gg_undo(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let count = if args.get(0).is_some() { args.parsed(0)? } else { 1 };
    take_back(session, count)
}

fn take_back(session: &mut Session, count: usize) -> Result<String, Failure> {
    if count > session.engine.game().turns().len() {
        return Err(Failure::CannotUndo);
    }
    session.may_ponder = false;
    for _ in 0..count {
        if !session.engine.undo() {
            return Err(Failure::CannotUndo);
        }
    }
    Ok(String::new())
}

/// `stop`, `kgs-game_over`: no more thinking about this position; the game stays as it is, it may only be adjourned.
pub(super) fn stop(session: &mut Session, _: &Args) -> Result<String, Failure> {
    session.may_ponder = false;
    Ok(String::new())
}

/// `gogui-interrupt`: says only that the comment line `# interrupt` is understood; see [`super::inbox`].
pub(super) fn interrupt(_: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok(String::new())
}

/// `clear_cache`: forgets everything known about the position but the game itself.
pub(super) fn clear_cache(session: &mut Session, _: &Args) -> Result<String, Failure> {
    let game = session.engine.game().clone();
    session.engine.set_game(game);
    Ok(String::new())
}

/// `cgos-opponent_name`, `cgos-opponent_rating`: nothing depends on who the opponent is.
pub(super) fn ignored(_: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok(String::new())
}
