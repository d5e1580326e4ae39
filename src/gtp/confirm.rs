//! The command that confirms life and death under the Japanese texts, with proof.

use std::fmt::Write as _;

use super::Session;
use super::info::names;
use super::parse::Args;
use super::reply::Failure;
use crate::geometry::{Geometry, Move};
use crate::life::{self, Text, Verdict};

/// `keima-life [VERTEX] [TEXT] [STATES]`: the status of the chain there with its proof, or of every chain, one a line.
pub(super) fn life(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let board = session.engine.game().board();
    let geometry = board.geometry();
    let mut stone = None;
    let mut text = Text::Japanese;
    let mut states = life::DEFAULT_STATES;
    for word in &args.0 {
        if let Some(named) = Text::by_name(word) {
            text = named;
        } else if let Ok(number) = word.parse() {
            states = number;
        } else if let Ok(Move::Play(point)) = geometry.parse_move(word) {
            stone = Some(point);
        } else {
            return Err(Failure::other(format_args!(
                "{word:?} is neither a vertex nor japanese or japanese-draft nor a number of states"
            )));
        }
    }
    let Some(stone) = stone else {
        let verdicts = life::confirm(board, text, states);
        return Ok(verdicts.iter().map(|verdict| summary(geometry, verdict)).collect::<Vec<_>>().join("\n"));
    };
    let Some(verdict) = life::confirm_chain(board, stone, text, states) else {
        return Err(Failure::other(format_args!("there is no stone at {}", geometry.point_name(stone))));
    };
    let mut reply = format!("{}: {}\n", verdict.status, verdict.reason);
    let _ = writeln!(reply, "chain {} {}", verdict.color, names(geometry, verdict.stones.iter().copied()));
    if !verdict.line.is_empty() {
        let _ = writeln!(reply, "line {}", verdict.line);
    }
    let _ = write!(reply, "rules {text}, {} states", verdict.states);
    Ok(reply)
}

fn summary(geometry: Geometry, verdict: &Verdict) -> String {
    let first = verdict.stones.first().map(|&stone| geometry.point_name(stone)).unwrap_or_default();
    format!("{first} {} {}: {}, {} states", verdict.color, verdict.status, verdict.reason, verdict.states)
}
