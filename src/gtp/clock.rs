//! Commands about time.

use std::time::Duration;

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
    let limit = kgs_limit(args)?;
    session.clock.set_limit(limit);
    Ok(String::new())
}

/// What `kata-time_settings` knows.
const KINDS: &str = "none absolute byoyomi canadian fischer fischer-capped";

/// `kata-list_time_settings`
pub(super) fn kata_list_time_settings(_: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok(KINDS.to_string())
}

/// `kata-time_settings`: as `kgs-time_settings`, and `fischer MAIN INCREMENT`, `fischer-capped MAIN INCREMENT CAP LONGEST_MOVE`, where a negative
/// cap or longest move is none.
pub(super) fn kata_time_settings(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let limit = match args.required(0)?.to_ascii_lowercase().as_str() {
        "fischer" => TimeLimit::fischer(args.seconds(1)?, args.seconds(2)?, None, None),
        "fischer-capped" => {
            let bound = |index| -> Result<Option<Duration>, Failure> {
                let time = args.seconds(index)?;
                Ok((!args.required(index)?.starts_with('-')).then_some(time))
            };
            let (main, cap) = (args.seconds(1)?, bound(3)?);
            if cap.is_some_and(|cap| cap < main) {
                return Err(Failure::other("the cap is below the main time"));
            }
            TimeLimit::fischer(main, args.seconds(2)?, cap, bound(4)?)
        }
        _ => kgs_limit(args)?,
    };
    session.clock.set_limit(limit);
    Ok(String::new())
}

fn kgs_limit(args: &Args) -> Result<Option<TimeLimit>, Failure> {
    Ok(match args.required(0)?.to_ascii_lowercase().as_str() {
        "none" => None,
        "absolute" => TimeLimit::canadian(args.seconds(1)?, Duration::ZERO, 0),
        "byoyomi" => TimeLimit::byo_yomi(args.seconds(1)?, args.seconds(2)?, args.stones(3)?),
        "canadian" => TimeLimit::canadian(args.seconds(1)?, args.seconds(2)?, args.stones(3)?),
        _ => return Err(Failure::Syntax),
    })
}

/// `cputime`: seconds spent on choosing moves, by the wall clock, which is all that can be read portably.
pub(super) fn cputime(session: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok(format!("{:.3}", session.thought.as_secs_f64()))
}
