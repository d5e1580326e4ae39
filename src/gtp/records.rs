//! Commands about game records.

use std::fs;

use super::Session;
use super::parse::Args;
use super::reply::Failure;
use crate::lines::read_file;
use crate::sgf::{Header, read_games, write_game};

/// `loadsgf FILE [NUMBER]`: the position before that move of the first game, or after its last move.
///
/// A record names its rules only if they are ours; otherwise the rules in force stay.
pub(super) fn loadsgf(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let (path, next) = args.path(0)?;
    let number: Option<usize> = if args.get(next).is_some() { Some(args.parsed(next)?) } else { None };
    let cannot = |error: &dyn std::fmt::Display| Failure::other(format!("cannot load file: {error}"));
    let bytes = read_file(path.as_ref()).map_err(|error| cannot(&error))?;
    let records = read_games(&bytes).map_err(|error| cannot(&error))?;
    let record = records.first().ok_or_else(|| cannot(&"no game record found"))?;
    let rules = record.rules().unwrap_or(session.engine.game().rules());
    let game = match number {
        Some(number) => record.game_at(rules, number),
        None => record.to_game(rules),
    };
    session.engine.set_game(game.map_err(|error| cannot(&error))?);
    session.clock.reset();
    session.comments.clear();
    session.may_ponder = false;
    Ok(String::new())
}

/// `printsgf [FILE]`: the game as a record, in the reply or in a file.
pub(super) fn printsgf(session: &mut Session, args: &Args) -> Result<String, Failure> {
    if args.get(0).is_some() {
        return savesgf(session, args);
    }
    Ok(record(session))
}

/// `savesgf FILE`
pub(super) fn savesgf(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let (path, _) = args.path(0)?;
    fs::write(&path, record(session)).map_err(|error| Failure::other(format!("cannot save file: {error}")))?;
    Ok(String::new())
}

fn record(session: &Session) -> String {
    let game = session.engine.game();
    // Moves that were taken back and made otherwise have lost their comments.
    let comment = |i: usize| {
        let after = game.positions().get(i + 1);
        session.comments.iter().find(|(before, position, _)| *before == i && Some(position) == after)
    };
    let comments: Vec<String> =
        (0..game.turns().len()).map(|i| comment(i).map(|found| found.2.clone()).unwrap_or_default()).collect();
    write_game(game, &Header::default(), &comments)
}

/// Keeps what the engine thought of the move that it just made, for records.
pub(super) fn comment_last_move(session: &mut Session) {
    let game = session.engine.game();
    let before = game.turns().len().saturating_sub(1);
    let Some(&position) = game.positions().last() else { return };
    session.comments.retain(|comment| comment.0 < before);
    session.comments.push((before, position, session.engine.explain_last_move()));
}
