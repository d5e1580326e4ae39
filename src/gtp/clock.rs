//! Commands about time.

use super::Session;
use super::parse::Args;
use super::reply::Failure;
use crate::time::TimeLimit;

/// `time_settings MAIN PERIOD STONES`
pub(super) fn time_settings(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let limit = TimeLimit::canadian(args.seconds(0)?, args.seconds(1)?, args.stones(2)?);
    session.clock.set_limit(limit);
    Ok(String::new())
}

/// `time_left COLOR TIME STONES`
pub(super) fn time_left(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let stones = if args.get(2).is_some() { args.stones(2)? } else { 0 };
    session.clock.time_left(args.color(0)?, args.seconds(1)?, stones);
    Ok(String::new())
}

/// `kgs-time_settings none | absolute MAIN | byoyomi MAIN PERIOD PERIODS | canadian MAIN PERIOD STONES`
pub(super) fn kgs_time_settings(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let limit = match args.required(0)?.to_ascii_lowercase().as_str() {
        "none" => None,
        "absolute" => TimeLimit::canadian(args.seconds(1)?, std::time::Duration::ZERO, 0),
        "byoyomi" => TimeLimit::byo_yomi(args.seconds(1)?, args.seconds(2)?, args.stones(3)?),
        "canadian" => TimeLimit::canadian(args.seconds(1)?, args.seconds(2)?, args.stones(3)?),
        _ => return Err(Failure::Syntax),
    };
    session.clock.set_limit(limit);
    Ok(String::new())
}

/// `cputime`: seconds spent on choosing moves, by the wall clock, which is all that can be read portably.
pub(super) fn cputime(session: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok(format!("{:.3}", session.thought.as_secs_f64()))
}
