//! Commands that say who lives and who won, with proof.

use std::fmt::Write as _;

use super::info::names;
use super::parse::Args;
use super::reply::Failure;
use super::{Ending, Session};
use crate::engine::Detail;
use crate::geometry::{Geometry, Move};
use crate::life::{self, Allowance, Text, Verdict};
use crate::review::picture::outcome_of;

/// `keima-life [VERTEX] [TEXT] [STATES]`: the status of the chain there with its proof, or of every chain, one a line.
pub(super) fn life(session: &mut Session, args: &Args) -> Result<String, Failure> {
    session.begin_search(Ending::LaterLine);
    let game = session.engine.game();
    let board = game.board();
    let geometry = board.geometry();
    let mut stone = None;
    let mut text = Text::by_name(game.rules().name).unwrap_or(Text::Japanese);
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
    let stop = || session.inbox.stop().is_raised();
    let allowance = Allowance { states, total: u64::MAX, points: usize::MAX, stop: &stop };
    let Some(stone) = stone else {
        let verdicts = life::confirm(board, text, &allowance);
        return Ok(verdicts.iter().map(|verdict| summary(geometry, verdict)).collect::<Vec<_>>().join("\n"));
    };
    let Some(verdict) = life::confirm_chain(board, stone, text, &allowance) else {
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

/// `keima-score [FILE]`: the count, what becomes of every chain and why, and the board; as a picture in a file, too.
pub(super) fn score(session: &mut Session, args: &Args) -> Result<String, Failure> {
    if args.get(0).is_some() {
        let (path, _) = args.path(0)?;
        std::fs::write(&path, outcome_of(&mut session.engine).svg_file())
            .map_err(|error| Failure::other(format_args!("cannot save file: {error}")))?;
    }
    let score = session.engine.final_score().to_string();
    Ok(std::iter::once(score).chain(session.engine.account(Detail::Proof)).collect::<Vec<_>>().join("\n"))
}

fn summary(geometry: Geometry, verdict: &Verdict) -> String {
    let first = verdict.stones.first().map(|&stone| geometry.point_name(stone)).unwrap_or_default();
    format!("{first} {} {}: {}, {} states", verdict.color, verdict.status, verdict.reason, verdict.states)
}
