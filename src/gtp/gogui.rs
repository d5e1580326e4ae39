//! Pictures for GoGui, and lists of moves with what the search thinks of them.
//!
//! A picture is a list of drawing commands, one a line (GoGui's manual, chapter "Analyze Commands"). What needs a search looks at the
//! position for a second, or as long as `--time` or `--playouts` say, and goes on with the tree that is there.

use std::fmt::Write as _;
use std::time::Duration;

use super::Session;
use super::parse::Args;
use super::reply::Failure;
use super::{Ending, info};
use crate::color::Color;
use crate::engine::Danger;
use crate::geometry::{Geometry, Move, Point};
use crate::playout::candidates::Suggestion;
use crate::search::{Limits, Report, RootMove};
use crate::time::TimeBudget;

/// How long a picture may take to think about unless a time is set.
const LOOK: Duration = Duration::from_secs(1);
/// Most moves drawn.
const MOST_MOVES: usize = 12;
/// Most moves of a line drawn.
const LINE: usize = 12;

/// Searches the position for a picture.
fn look(session: &mut Session, args: &Args) -> Result<Report, Failure> {
    let color = args.color_or(0, session.engine.game().to_move())?;
    let settings = session.engine.settings();
    let time = settings.move_time.unwrap_or(LOOK);
    let limits = match settings.playouts {
        Some(playouts) => Limits { simulations: Some(playouts), time: None },
        None => Limits { simulations: None, time: Some(TimeBudget { target: time, limit: time }) },
    };
    session.begin_search(Ending::Interrupt);
    Ok(session.engine.analyze(color, limits, &[], None, session.inbox.stop()))
}

/// `keima-gfx-moves [COLOR]`: the best moves with their shares of the simulations, and the line expected.
pub(super) fn best_moves(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let report = look(session, args)?;
    Ok(moves_picture(&report, session.engine.game().geometry()))
}

/// The best moves, the better the greener.
pub(super) fn moves_picture(report: &Report, geometry: Geometry) -> String {
    let share = |m: &RootMove| f64::from(m.visits) / f64::from(report.visits.max(1));
    labels(report, geometry, share, |m| format!("{:.0}%", share(m) * 100.0))
}

/// `keima-gfx-win-rates [COLOR]`: the best moves with their chances to win.
pub(super) fn win_rates(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let report = look(session, args)?;
    let geometry = session.engine.game().geometry();
    Ok(labels(&report, geometry, |m| m.win_rate, |m| format!("{:.0}", m.win_rate * 100.0)))
}

/// Labels and colors for the moves visited, the best ones only, and a text about the position.
fn labels(
    report: &Report,
    geometry: Geometry,
    value: impl Fn(&RootMove) -> f64,
    label: impl Fn(&RootMove) -> String,
) -> String {
    // Of the others nothing is known.
    let visited = report.moves.iter().filter(|m| m.visits > 0 && m.visits >= report.visits / 200).take(MOST_MOVES);
    let plays: Vec<(Point, &RootMove)> = visited.filter_map(|m| m.mv.point().map(|point| (point, m))).collect();
    let best = plays.iter().map(|(_, m)| value(m)).fold(f64::MIN_POSITIVE, f64::max);
    let mut text = String::new();
    for &(point, m) in &plays {
        let _ = writeln!(text, "COLOR {} {}", green(value(m) / best), geometry.point_name(point));
    }
    if !plays.is_empty() {
        text.push_str("LABEL");
        for &(point, m) in &plays {
            let _ = write!(text, " {} {}", geometry.point_name(point), label(m));
        }
        text.push('\n');
    }
    text + &summary(report, geometry)
}

/// A line of text about the position, for the status bar.
fn summary(report: &Report, geometry: Geometry) -> String {
    let best = report.moves.first().map_or("pass".to_string(), |m| geometry.move_name(m.mv));
    format!(
        "TEXT {} to move: {best}, wins {:.1}%, {:+.1} points, {} simulations",
        report.color,
        report.win_rate * 100.0,
        report.score,
        report.visits
    )
}

/// From white to green.
fn green(share: f64) -> String {
    let other = ((1.0 - share.clamp(0.0, 1.0)) * 230.0).round() as u8;
    format!("#{other:02x}e6{other:02x}")
}

/// `keima-gfx-line [COLOR]`: the line expected, as stones with numbers.
pub(super) fn line(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let report = look(session, args)?;
    Ok(line_picture(&report, session.engine.game().geometry()))
}

fn line_picture(report: &Report, geometry: Geometry) -> String {
    let mut text = String::new();
    let mut color = report.color;
    for &mv in report.line.iter().take(LINE) {
        let letter = color.letter().to_ascii_lowercase();
        let _ = write!(text, "{}{letter} {}", if text.is_empty() { "VAR " } else { " " }, geometry.move_name(mv));
        color = color.opponent();
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text + &summary(report, geometry)
}

/// `keima-line [COLOR]`: the moves of the line expected.
pub(super) fn line_moves(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let report = look(session, args)?;
    let geometry = session.engine.game().geometry();
    Ok(report.line.iter().take(LINE).map(|&mv| geometry.move_name(mv)).collect::<Vec<_>>().join(" "))
}

/// `keima-expected-ownership`: how often each point ends as whose, 1 Black, -1 White.
pub(super) fn expected_ownership(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let report = look(session, args)?;
    let geometry = session.engine.game().geometry();
    let value = |point| format!("{:.2}", report.ownership[point] + 0.0);
    let rows = geometry.rows().map(|row| row.map(value).collect::<Vec<_>>().join(" "));
    Ok(rows.collect::<Vec<_>>().join("\n"))
}

/// `keima-gfx-priors [COLOR]`: what the move model thinks of each move.
pub(super) fn priors(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let color = args.color_or(0, session.engine.game().to_move())?;
    let likely = session.engine.move_probabilities(color).into_iter().take(MOST_MOVES);
    let shares: Vec<(Point, f64)> = likely.map(|(point, probability)| (point, f64::from(probability))).collect();
    Ok(shares_picture(session.engine.game().geometry(), &shares))
}

/// `keima-gfx-playouts [COLOR]`: what playouts choose here.
pub(super) fn playout_moves(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let color = args.color_or(0, session.engine.game().to_move())?;
    let drawn = session.engine.playout_moves(color);
    let shares: Vec<(Point, f64)> = drawn
        .iter()
        .filter_map(|(drawn, share)| drawn.map(|suggestion: Suggestion| (suggestion.point, *share)))
        .take(MOST_MOVES)
        .collect();
    let mut text = shares_picture(session.engine.game().geometry(), &shares);
    if let Some((Some(first), share)) = drawn.first() {
        let name = session.engine.game().geometry().point_name(first.point);
        let _ = write!(text, "\nTEXT {name} {:.0}%: {}", share * 100.0, first.reason.name());
    }
    Ok(text)
}

fn shares_picture(geometry: Geometry, shares: &[(Point, f64)]) -> String {
    let most = shares.iter().map(|&(_, share)| share).fold(f64::MIN_POSITIVE, f64::max);
    let mut lines: Vec<String> =
        shares.iter().map(|&(p, share)| format!("COLOR {} {}", green(share / most), geometry.point_name(p))).collect();
    if !shares.is_empty() {
        let label = |&(p, share): &(Point, f64)| format!(" {} {:.0}%", geometry.point_name(p), share * 100.0);
        lines.push(format!("LABEL{}", shares.iter().map(label).collect::<String>()));
    }
    lines.join("\n")
}

/// `keima-gfx-ladders`: what can be chased to its capture.
pub(super) fn ladders(session: &mut Session, _: &Args) -> Result<String, Failure> {
    let board = session.engine.game().board();
    let mut picture = Picture::new(board.geometry());
    for (head, danger) in session.engine.dangers() {
        let mark = match danger {
            Danger::Caught => "MARK",
            Danger::Atari => "CIRCLE",
            Danger::Ladder(_) => "TRIANGLE",
        };
        picture.add(mark, board.chain(head));
        if let Danger::Ladder(start) = danger {
            picture.add("SQUARE", std::iter::once(start));
        }
    }
    picture.text("crosses: caught; circles: in atari and free; triangles: caught by the move in the square");
    Ok(picture.0)
}

/// `keima-gfx-ataris`: every chain in atari, and the point that takes it.
pub(super) fn ataris(session: &mut Session, _: &Args) -> Result<String, Failure> {
    let board = session.engine.game().board();
    let mut picture = Picture::new(board.geometry());
    let in_atari: Vec<Point> = board.chain_heads().filter(|&head| board.liberty_count(head) == 1).collect();
    for &head in &in_atari {
        picture.add("CIRCLE", board.chain(head));
        picture.add("SQUARE", std::iter::once(board.first_liberty(head)));
    }
    picture.text(&format!("chains in atari: {}", in_atari.len()));
    Ok(picture.0)
}

/// Drawing commands one under the other.
struct Picture(String, Geometry);

impl Picture {
    fn new(geometry: Geometry) -> Picture {
        Picture(String::new(), geometry)
    }

    fn add(&mut self, mark: &str, points: impl Iterator<Item = Point>) {
        let _ = writeln!(self.0, "{mark} {}", info::names(self.1, points));
    }

    fn text(&mut self, text: &str) {
        let _ = write!(self.0, "TEXT {text}");
    }
}

/// `top_moves [COLOR]`: the best moves, each with its share of the simulations in percent.
pub(super) fn top_moves(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let report = look(session, args)?;
    let geometry = session.engine.game().geometry();
    let pair = |m: &RootMove| {
        let share = f64::from(m.visits) / f64::from(report.visits.max(1));
        format!("{} {:.1}", geometry.move_name(m.mv), share * 100.0)
    };
    let plays = report.moves.iter().filter(|m| m.visits > 0 && m.mv != Move::Pass).take(MOST_MOVES);
    Ok(plays.map(pair).collect::<Vec<_>>().join(" "))
}

/// `all_move_values [COLOR]`: every move visited with its expected score for the player to move, the best first.
pub(super) fn all_move_values(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let report = look(session, args)?;
    let geometry = session.engine.game().geometry();
    let visited = report.moves.iter().filter(|m| m.visits > 0);
    Ok(visited.map(|m| format!("{} {:.2}", geometry.move_name(m.mv), m.lead)).collect::<Vec<_>>().join("\n"))
}

/// `estimate_score`: the score expected, with half a standard deviation to either side.
pub(super) fn estimate_score(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let report = look(session, args)?;
    let black = report.score * f64::from(report.color.sign());
    let named = |points: f64| match points {
        _ if points.abs() < 0.05 => "0".to_string(),
        _ => format!("{}+{:.1}", if points > 0.0 { Color::Black } else { Color::White }.letter(), points.abs()),
    };
    let spread = report.score_deviation / 2.0;
    Ok(format!("{} (from {} to {})", named(black), named(black - spread), named(black + spread)))
}

/// `gogui-title`: what to write above the window.
pub(super) fn title(session: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok(format!("Keima, {}", session.engine.settings().level))
}

/// What GoGui draws while the engine thinks: a set of drawing commands for standard error.
pub(super) fn live(report: &Report, geometry: Geometry) -> String {
    let line = line_picture(report, geometry);
    let variation = line.lines().find(|line| line.starts_with("VAR")).unwrap_or_default();
    let picture = format!("{}\n{variation}", moves_picture(report, geometry));
    let lines: Vec<&str> = picture.lines().filter(|line| !line.is_empty()).collect();
    format!("gogui-gfx:\n{}\n\n", lines.join("\n"))
}

/// Ends the drawing.
pub(super) const LIVE_END: &str = "gogui-gfx: CLEAR\n";
