//! Commands that show what the network thinks of the position at first sight, in the words of KataGo and of Leela Zero.

use std::fmt::Write as _;

use super::Session;
use super::parse::Args;
use super::reply::Failure;
use crate::color::Color;
use crate::engine::Glance;
use crate::geometry::{Geometry, Move, Point};

/// Number of symmetries of the board.
const SYMMETRIES: u8 = 8;

fn glance(session: &Session, symmetry: u8) -> Result<Glance, Failure> {
    let engine = &session.engine;
    engine.glance(engine.game().to_move(), symmetry).ok_or_else(|| {
        let size = engine.game().geometry().size();
        Failure::other(format!("there is no network for {size}x{size}"))
    })
}

fn symmetry(text: &str) -> Result<u8, Failure> {
    let found = text.parse().ok().filter(|symmetry| (0..SYMMETRIES).contains(symmetry));
    found
        .ok_or_else(|| Failure::other(format!("expected a symmetry from 0 to {} or all, got {text:?}", SYMMETRIES - 1)))
}

/// A grid of numbers, one for each point.
fn grid(text: &mut String, geometry: Geometry, cell: impl Fn(Point) -> String) {
    for row in geometry.rows() {
        let _ = writeln!(text, "{}", row.map(&cell).collect::<Vec<_>>().join(" "));
    }
}

/// The probability of a move, if it is legal.
fn probability(glance: &Glance, mv: Move) -> Option<f32> {
    glance.moves.iter().find(|(other, _)| *other == mv).map(|&(_, probability)| probability)
}

/// `kata-raw-nn SYMMETRY|all`: LizzieYzy reads it line by line.
pub(super) fn kata_raw_nn(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let wanted = args.required(0)?;
    if wanted.eq_ignore_ascii_case("all") {
        let texts: Result<Vec<String>, Failure> = (0..SYMMETRIES).map(|symmetry| raw(session, symmetry)).collect();
        return Ok(texts?.concat());
    }
    raw(session, symmetry(wanted)?)
}

fn raw(session: &Session, symmetry: u8) -> Result<String, Failure> {
    let glance = glance(session, symmetry)?;
    let game = session.engine.game();
    let geometry = game.geometry();
    let is_white = game.to_move() == Color::White;
    let win = if is_white { glance.win } else { 1.0 - glance.win };
    // A zero has no sign.
    let of_white = |value: f32| if is_white { value + 0.0 } else { 0.0 - value };
    let mut text = format!("symmetry {symmetry}\nwhiteWin {win:.6}\nwhiteLoss {:.6}\nnoResult 0.000000\n", 1.0 - win);
    let _ = writeln!(text, "whiteLead {:.3}\npolicy", of_white(glance.lead));
    let policy = |point| probability(&glance, Move::Play(point)).map_or("NAN".to_string(), |p| format!("{p:.6}"));
    grid(&mut text, geometry, |point| format!("{:>8}", policy(point)));
    let _ = writeln!(text, "policyPass {:.6}\nwhiteOwnership", probability(&glance, Move::Pass).unwrap_or(0.0));
    grid(&mut text, geometry, |point| format!("{:>10.7}", of_white(glance.owner[point])));
    Ok(text)
}

/// `heatmap [SYMMETRY]`: the policy in thousandths, as Leela Zero shows it and LizzieYzy reads it.
pub(super) fn heatmap(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let symmetry = args.get(0).map_or(Ok(0), symmetry)?;
    let glance = glance(session, symmetry)?;
    let share = |mv: Move| (probability(&glance, mv).unwrap_or(0.0) * 1000.0).round() as u32;
    let mut text = String::from("\n");
    grid(&mut text, session.engine.game().geometry(), |point| format!("{:>3}", share(Move::Play(point))));
    let _ = write!(text, "pass: {}\nwinrate: {:.6}", share(Move::Pass), glance.win);
    Ok(text)
}
