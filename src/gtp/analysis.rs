//! Commands that think aloud: lines of what is known while the search runs, and at the end perhaps a move.
//!
//! Their replies are written piece by piece: the status at once, a line at each interval, the empty line at the end. There is always
//! at least one line. An analysis goes on until the next line of input or its end; what chooses a move ends by itself, and only
//! `# interrupt` ends it earlier.

mod args;
mod cgos;
mod lines;

use std::cell::Cell;
use std::time::Duration;

use super::parse::Args;
use super::play::{self, decision_name};
use super::reply::{Failure, Stream};
use super::{Ending, Session};
use crate::search::{Limits, Listener, Report};
use args::{AnalysisArgs, Dialect};

/// The longest wait for the first line, so that there is something to look at soon.
const FIRST_LINE: Duration = Duration::from_millis(100);
/// An interval that no search lasts for: a thousand years.
const NEVER: Duration = Duration::from_secs(1000 * 365 * 24 * 3600);

/// `lz-analyze [COLOR] [INTERVAL] {KEY VALUE}...`
pub(super) fn lz_analyze(session: &mut Session, args: &Args, out: &mut Stream<'_>) -> Result<(), Failure> {
    analyze(session, args, out, Dialect::Lz)
}

/// `kata-analyze [COLOR] [INTERVAL] {KEY VALUE}...`
pub(super) fn kata_analyze(session: &mut Session, args: &Args, out: &mut Stream<'_>) -> Result<(), Failure> {
    analyze(session, args, out, Dialect::Kata)
}

/// `lz-genmove_analyze [COLOR] [INTERVAL] {KEY VALUE}...`
pub(super) fn lz_genmove(session: &mut Session, args: &Args, out: &mut Stream<'_>) -> Result<(), Failure> {
    choose(session, args, out, Dialect::Lz, &Manner { plays: true, cancellable: false })
}

/// `kata-genmove_analyze [COLOR] [INTERVAL] {KEY VALUE}...`
pub(super) fn kata_genmove(session: &mut Session, args: &Args, out: &mut Stream<'_>) -> Result<(), Failure> {
    choose(session, args, out, Dialect::Kata, &Manner { plays: true, cancellable: false })
}

/// `kata-search_analyze [COLOR] [INTERVAL] {KEY VALUE}...`: as `kata-genmove_analyze`, without making the move.
pub(super) fn kata_search(session: &mut Session, args: &Args, out: &mut Stream<'_>) -> Result<(), Failure> {
    choose(session, args, out, Dialect::Kata, &Manner { plays: false, cancellable: false })
}

/// `kata-search_analyze_cancellable [COLOR] [INTERVAL] {KEY VALUE}...`: any line of input ends it without a move.
pub(super) fn kata_search_cancellable(session: &mut Session, args: &Args, out: &mut Stream<'_>) -> Result<(), Failure> {
    choose(session, args, out, Dialect::Kata, &Manner { plays: false, cancellable: true })
}

/// `cgos-genmove_analyze COLOR`: one line of JSON, then the move.
pub(super) fn cgos_genmove(session: &mut Session, args: &Args, out: &mut Stream<'_>) -> Result<(), Failure> {
    let color = args.color(0)?;
    let geometry = session.engine.game().geometry();
    out.begin();
    let mut last = None;
    let mut tell = |report: &Report| last = Some(cgos::json(report, geometry));
    let listener = Listener { first: NEVER, every: NEVER, moves_ownership: false, tell: &mut tell };
    let decision = play::move_on_the_clock(session, color, Ending::Interrupt, |engine, time, stop| {
        engine.genmove_aloud(color, time, &[], listener, stop)
    });
    if let Some(json) = last {
        out.line(&json);
    }
    out.line(&format!("play {}", decision_name(session, decision)));
    Ok(())
}

fn analyze(session: &mut Session, args: &Args, out: &mut Stream<'_>, dialect: Dialect) -> Result<(), Failure> {
    let game = session.engine.game();
    let geometry = game.geometry();
    let args = AnalysisArgs::parse(args, dialect, geometry, game.to_move())?;
    out.begin();
    session.begin_search(Ending::AnyLine);
    let told = Cell::new(None);
    let mut tell = |report: &Report| {
        told.set(Some(report.visits));
        out.line(&lines::line(report, &args, dialect, geometry));
    };
    let listener = listener(&args, &mut tell);
    let limits = Limits { simulations: session.engine.settings().playouts, time: None };
    let report = session.engine.analyze(args.color, limits, &args.restrictions, Some(listener), session.inbox.stop());
    // Where the number of playouts ended it, the last word is still to be said.
    if told.get().is_none() || (!session.inbox.stop().is_raised() && told.get() != Some(report.visits)) {
        tell(&report);
    }
    if !out.is_broken() {
        session.inbox.wait_for_input();
    }
    Ok(())
}

/// How a move is chosen aloud.
struct Manner {
    /// The move is made.
    plays: bool,
    /// A line of input ends it without a move.
    cancellable: bool,
}

fn choose(
    session: &mut Session,
    args: &Args,
    out: &mut Stream<'_>,
    dialect: Dialect,
    manner: &Manner,
) -> Result<(), Failure> {
    let game = session.engine.game();
    let geometry = game.geometry();
    let args = AnalysisArgs::parse(args, dialect, geometry, game.to_move())?;
    out.begin();
    let mut tell = |report: &Report| out.line(&lines::line(report, &args, dialect, geometry));
    let listener = listener(&args, &mut tell);
    let (color, restrictions) = (args.color, &args.restrictions);
    let decision = if manner.plays {
        play::move_on_the_clock(session, color, Ending::Interrupt, |engine, time, stop| {
            engine.genmove_aloud(color, time, restrictions, listener, stop)
        })
    } else {
        let ending = if manner.cancellable { Ending::AnyLine } else { Ending::Interrupt };
        session.think_on_the_clock(color, ending, |engine, time, stop| {
            engine.choose_aloud(color, time, restrictions, listener, stop)
        })
    };
    let cancelled = manner.cancellable && session.inbox.stop().is_raised();
    let name = if cancelled { "cancelled".to_string() } else { decision_name(session, decision) };
    out.line(&format!("play {name}"));
    Ok(())
}

fn listener<'l>(args: &AnalysisArgs, tell: &'l mut dyn FnMut(&Report)) -> Listener<'l> {
    let every = args.interval.unwrap_or(NEVER);
    let first = args.interval.map_or(NEVER, |interval| interval.min(FIRST_LINE));
    let moves_ownership = args.extras.moves_ownership || args.extras.moves_ownership_deviation;
    Listener { first, every, moves_ownership, tell }
}
