//! Commands that begin a game: size, komi, handicap and positions set up by hand.

use super::Session;
use super::parse::Args;
use super::reply::Failure;
use crate::color::Color;
use crate::game::{Game, SetUpError};
use crate::geometry::{Geometry, Point};

/// `boardsize SIZE`: also `9 9` and `9:9`, which some controllers send for square boards.
///
/// The protocol leaves the position after this command open; the board is cleared, so that nothing else needs to be.
pub(super) fn boardsize(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let (width, height) = match args.required(0)?.split_once(':') {
        Some((width, height)) => (width, height),
        None => (args.required(0)?, args.get(1).unwrap_or(args.required(0)?)),
    };
    let is_number = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    };
    if !is_number(width) || !is_number(height) {
        return Err(Failure::Syntax);
    }
    // What does not fit a number is far too large.
    let number = |text: &str| text.parse::<usize>().map_err(|_| Failure::UnacceptableSize);
    let size = number(width)?;
    if size != number(height)? {
        return Err(Failure::UnacceptableSize);
    }
    let geometry = Geometry::new(size).ok_or(Failure::UnacceptableSize)?;
    session.engine.change_settings(|settings| settings.geometry = geometry);
    clear(session);
    Ok(String::new())
}

/// `rectangular_boardsize WIDTH HEIGHT`: not listed, since only squares are accepted; whoever tries it all the same learns that.
pub(super) fn rectangular_boardsize(session: &mut Session, args: &Args) -> Result<String, Failure> {
    args.required(1)?;
    boardsize(session, args)
}

/// `clear_board`
pub(super) fn clear_board(session: &mut Session, _: &Args) -> Result<String, Failure> {
    clear(session);
    Ok(String::new())
}

fn clear(session: &mut Session) {
    session.engine.clear();
    session.clock.reset();
    session.comments.clear();
    session.may_ponder = false;
}

/// `komi KOMI`
pub(super) fn komi(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let komi = args.komi(0)?;
    session.engine.change_settings(|settings| settings.komi = komi);
    Ok(String::new())
}

/// `get_komi`
pub(super) fn get_komi(session: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok(session.engine.game().komi().to_string())
}

/// `fixed_handicap NUMBER`
pub(super) fn fixed_handicap(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let count = handicap_count(session, args)?;
    let points = session.engine.game().geometry().handicap_points(count).ok_or(Failure::InvalidStones)?;
    place_handicap(session, &points)
}

/// `place_free_handicap NUMBER`
pub(super) fn place_free_handicap(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let count = handicap_count(session, args)?;
    let points = session.engine.free_handicap(count).ok_or(Failure::InvalidStones)?;
    place_handicap(session, &points)
}

/// `set_free_handicap VERTEX ...`
pub(super) fn set_free_handicap(session: &mut Session, args: &Args) -> Result<String, Failure> {
    check_empty(session)?;
    let geometry = session.engine.game().geometry();
    let point = |i| args.vertex(i, geometry).ok().and_then(|mv| mv.point());
    let points: Option<Vec<Point>> = (0..args.0.len()).map(point).collect();
    let points = points.filter(|points| (2..geometry.area()).contains(&points.len())).ok_or(Failure::BadVertexList)?;
    // Points given twice are refused here.
    session.engine.place_handicap(&points).map_err(|_| Failure::BadVertexList)?;
    session.may_ponder = false;
    Ok(String::new())
}

fn handicap_count(session: &Session, args: &Args) -> Result<usize, Failure> {
    let count: i64 = args.parsed(0)?;
    check_empty(session)?;
    // Fewer than two stones are no handicap, and one point must stay empty.
    let area = session.engine.game().geometry().area();
    usize::try_from(count).ok().filter(|count| (2..area).contains(count)).ok_or(Failure::InvalidStones)
}

fn check_empty(session: &Session) -> Result<(), Failure> {
    let game = session.engine.game();
    let is_empty = game.turns().is_empty() && game.board().empty_count() == game.geometry().area();
    if is_empty { Ok(()) } else { Err(Failure::BoardNotEmpty) }
}

fn place_handicap(session: &mut Session, points: &[Point]) -> Result<String, Failure> {
    session.engine.place_handicap(points).map_err(|_| Failure::InvalidStones)?;
    session.may_ponder = false;
    let geometry = session.engine.game().geometry();
    Ok(super::info::names(geometry, points.iter().copied()))
}

/// `gogui-setup COLOR VERTEX ...`: adds stones before the first move.
pub(super) fn gogui_setup(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let game = session.engine.game().clone();
    let stones = args.stones_to_set(game.geometry())?;
    take_over(session, game, &stones)
}

/// `set_position COLOR VERTEX ...`: replaces the game by a position without history.
pub(super) fn set_position(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let old = session.engine.game();
    let game = Game::new(old.geometry(), old.rules(), old.komi());
    let stones = args.stones_to_set(game.geometry())?;
    take_over(session, game, &stones)
}

fn take_over(session: &mut Session, mut game: Game, stones: &[(Point, Color)]) -> Result<String, Failure> {
    game.set_up(stones).map_err(|reason| match reason {
        SetUpError::BoardNotEmpty => Failure::BoardNotEmpty,
        SetUpError::GameStarted | SetUpError::NoRoom => Failure::other(format!("illegal position: {reason}")),
    })?;
    session.engine.set_game(game);
    session.comments.clear();
    session.may_ponder = false;
    Ok(String::new())
}

/// `gogui-setup_player COLOR`: who moves first in a position that was set up.
pub(super) fn gogui_setup_player(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let color = args.color(0)?;
    let mut game = session.engine.game().clone();
    game.set_first_to_move(color);
    session.engine.set_game(game);
    Ok(String::new())
}
