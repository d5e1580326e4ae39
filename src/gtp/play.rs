//! Commands that make, choose and take back moves.

use super::Session;
use super::parse::Args;
use super::reply::Failure;
use crate::color::Color;
use crate::engine::{Decision, Engine, StopFlag, TimeBudget};

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
    move_on_the_clock(session, args.color(0)?, Engine::genmove)
}

/// `kgs-genmove_cleanup COLOR`: as `genmove`, capturing everything dead before passing.
pub(super) fn genmove_cleanup(session: &mut Session, args: &Args) -> Result<String, Failure> {
    move_on_the_clock(session, args.color(0)?, Engine::genmove_cleanup)
}

/// `reg_genmove COLOR`: the move that `genmove` would make, on nobody's clock.
pub(super) fn reg_genmove(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let color = args.color(0)?;
    let decision = session.think(None, |engine, time, stop| engine.choose(color, time, stop));
    Ok(decision_name(session, decision))
}

fn move_on_the_clock(
    session: &mut Session,
    color: Color,
    choose: fn(&mut Engine, Color, Option<TimeBudget>, &StopFlag) -> Decision,
) -> Result<String, Failure> {
    session.may_ponder = false;
    let decision = session.think_on_the_clock(color, |engine, time, stop| choose(engine, color, time, stop));
    session.may_ponder = matches!(decision, Decision::Move(_)) && !session.engine.game().is_over();
    Ok(decision_name(session, decision))
}

fn decision_name(session: &Session, decision: Decision) -> String {
    match decision {
        Decision::Move(mv) => session.engine.game().geometry().move_name(mv),
        Decision::Resign => "resign".to_string(),
    }
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
