//! Commands about game records.

use std::fs;

use super::Session;
use super::parse::Args;
use super::reply::Failure;
use crate::sgf::{Header, read_games, write_game};

/// `loadsgf FILE [NUMBER]`: the position before that move of the first game, or after its last move.
///
/// A record names its rules only if they are ours; otherwise the rules in force stay.
pub(super) fn loadsgf(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let (path, next) = args.path(0)?;
    let number: Option<usize> = if args.get(next).is_some() { Some(args.parsed(next)?) } else { None };
    let cannot = |error: &dyn std::fmt::Display| Failure::other(format!("cannot load file: {error}"));
    let bytes = fs::read(&path).map_err(|error| cannot(&error))?;
    let records = read_games(&bytes).map_err(|error| cannot(&error))?;
    let record = records.first().ok_or_else(|| cannot(&"no game record found"))?;
    let rules = record.rules().unwrap_or(session.engine.game().rules());
    let game = match number {
        Some(number) => record.game_at(rules, number),
        None => record.to_game(rules),
    };
    session.engine.set_game(game.map_err(|error| cannot(&error))?);
    session.clock.reset();
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
    write_game(session.engine.game(), &Header::default(), &[])
}
