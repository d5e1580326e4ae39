//! Commands that look at the game without changing it: the board, the score, lists of stones and moves.

use std::fmt::Write as _;

use super::Session;
use super::parse::Args;
use super::reply::Failure;
use crate::color::Color;
use crate::geometry::{Geometry, Move, Point};
use crate::playout::candidates::Suggestion;
use crate::status::Status;

/// Names of points, separated by spaces.
pub(super) fn names(geometry: Geometry, points: impl Iterator<Item = Point>) -> String {
    points.map(|point| geometry.point_name(point)).collect::<Vec<_>>().join(" ")
}

/// `final_score`
pub(super) fn final_score(session: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok(session.engine.final_score().to_string())
}

/// `final_status_list STATUS`
pub(super) fn final_status_list(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let geometry = session.engine.game().geometry();
    match args.required(0)?.to_ascii_lowercase().as_str() {
        "alive" => Ok(chains(session, Status::Alive)),
        "dead" => Ok(chains(session, Status::Dead)),
        "seki" => Ok(chains(session, Status::Seki)),
        "black_territory" => Ok(names(geometry, unoccupied(session, Some(Color::Black)).into_iter())),
        "white_territory" => Ok(names(geometry, unoccupied(session, Some(Color::White)).into_iter())),
        "dame" => Ok(names(geometry, unoccupied(session, None).into_iter())),
        _ => Err(Failure::Syntax),
    }
}

/// Every chain of this status, one a line.
fn chains(session: &mut Session, status: Status) -> String {
    let geometry = session.engine.game().geometry();
    let found = session.engine.final_status().iter().filter(|chain| chain.status == status);
    found.map(|chain| names(geometry, chain.stones.iter().copied())).collect::<Vec<_>>().join("\n")
}

/// The points without a living stone that belong to `owner` at the end.
fn unoccupied(session: &mut Session, owner: Option<Color>) -> Vec<Point> {
    let ownership = session.engine.final_ownership();
    let board = session.engine.game().board();
    let is_living = |point| board.cell(point).color().is_some_and(|color| ownership[point] == Some(color));
    let points = board.geometry().points();
    // A stone that nobody owns stands in no territory, but it is no neutral point either.
    points
        .filter(|&point| ownership[point] == owner && !is_living(point))
        .filter(|&point| owner.is_some() || board.is_empty(point))
        .collect()
}

/// `keima-ownership`: the owner of every point at the end, as GoGui's grid of numbers, 1 for Black.
pub(super) fn ownership(session: &mut Session, _: &Args) -> Result<String, Failure> {
    let ownership = session.engine.final_ownership();
    let geometry = session.engine.game().geometry();
    let value = |point| ownership[point].map_or(0, Color::sign).to_string();
    let rows = geometry.rows().map(|row| row.map(value).collect::<Vec<_>>().join(" "));
    Ok(rows.collect::<Vec<_>>().join("\n"))
}

/// `showboard`
pub(super) fn showboard(session: &mut Session, _: &Args) -> Result<String, Failure> {
    let game = session.engine.game();
    let last = game.turns().last();
    let mut text = format!("\n{}\n", game.board().to_diagram(last.and_then(|turn| turn.mv.point())));
    let [black, white] = Color::BOTH.map(|color| game.captures(color));
    let _ = writeln!(text, "{} to move, {} moves made", game.to_move(), game.turns().len());
    let _ = writeln!(text, "captured by black (X): {black}, by white (O): {white}");
    let _ = write!(text, "komi {}, rules {}, handicap {}", game.komi(), game.rules().name, game.handicap());
    Ok(text)
}

/// `list_stones COLOR`
pub(super) fn list_stones(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let color = args.color(0)?;
    let board = session.engine.game().board();
    let geometry = board.geometry();
    Ok(names(geometry, geometry.points().filter(|&point| board.cell(point).color() == Some(color))))
}

/// `is_legal COLOR VERTEX`: 1 or 0, as GNU Go answers.
pub(super) fn is_legal(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let game = session.engine.game();
    let is_legal = game.check(args.color(0)?, args.vertex(1, game.geometry())?).is_ok();
    Ok(u8::from(is_legal).to_string())
}

/// `all_legal COLOR`
pub(super) fn all_legal(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let color = args.color(0)?;
    let game = session.engine.game();
    let geometry = game.geometry();
    Ok(names(geometry, geometry.points().filter(|&point| game.check(color, Move::Play(point)).is_ok())))
}

/// `last_move`
pub(super) fn last_move(session: &mut Session, _: &Args) -> Result<String, Failure> {
    let game = session.engine.game();
    let turn = game.turns().last().ok_or_else(|| Failure::other("no previous move known"))?;
    Ok(format!("{} {}", turn.color, game.geometry().move_name(turn.mv)))
}

/// `move_history`: the latest move first, as GNU Go lists them.
pub(super) fn move_history(session: &mut Session, _: &Args) -> Result<String, Failure> {
    let game = session.engine.game();
    let line = |turn: &crate::game::Turn| format!("{} {}", turn.color, game.geometry().move_name(turn.mv));
    Ok(game.turns().iter().rev().map(line).collect::<Vec<_>>().join("\n"))
}

/// `captures COLOR`: how many stones that player has captured.
pub(super) fn captures(session: &mut Session, args: &Args) -> Result<String, Failure> {
    Ok(session.engine.game().captures(args.color(0)?).to_string())
}

/// `keima-playout-moves COLOR`: vertex, share and reason of each move that the playout policy chooses here.
pub(super) fn playout_moves(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let color = args.color(0)?;
    let geometry = session.engine.game().geometry();
    let line = |(drawn, share): (Option<Suggestion>, f64)| match drawn {
        Some(s) => format!("{} {share:.4} {}", geometry.point_name(s.point), s.reason.name()),
        None => format!("pass {share:.4} nothing-left"),
    };
    Ok(session.engine.playout_moves(color).into_iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// `keima-priors COLOR`: vertex and probability of each legal move by the move model.
pub(super) fn priors(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let color = args.color(0)?;
    let geometry = session.engine.game().geometry();
    let line = |(point, probability): (Point, f32)| format!("{} {probability:.4}", geometry.point_name(point));
    Ok(session.engine.move_probabilities(color).into_iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// `gomill-explain_last_move`
pub(super) fn explain_last_move(session: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok(session.engine.explain_last_move())
}

/// `gomill-describe_engine`
pub(super) fn describe_engine(session: &mut Session, _: &Args) -> Result<String, Failure> {
    let settings = session.engine.settings();
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!("Keima {version}, level {}, {} threads", settings.level, settings.threads);
    if let Some(playouts) = settings.playouts {
        let _ = write!(text, ", {playouts} playouts per move");
    }
    Ok(text)
}
