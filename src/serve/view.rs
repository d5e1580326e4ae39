//! A game as a viewer sees it: the JSON state of the interface.

use serde_json::{Map, Value, json};

use super::charter::Player;
use super::count::count;
use super::notes::{colors, names};
use super::seats::{Seat, color_name};
use super::table::{Phase, Table};
use crate::board::Cell;
use crate::color::Color;
use crate::geometry::{Move, Point};
use crate::tactics::after_play;

/// What the engine is doing for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thinking {
    /// It waits behind so many others; 0 when it is its turn.
    Ahead(usize),
    /// There are too many others; it is tried again.
    Busy,
}

/// What changes with the clock and not with the game.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// Seconds that each color has been away; `None`: never here.
    pub away: [Option<u64>; 2],
    /// How many of them give the other the game.
    pub claim_after: u64,
    /// What the engine is doing.
    pub thinking: Option<Thinking>,
}

/// All that changes with a game, made once for all viewers.
#[derive(Clone, Debug)]
pub struct Picture {
    common: Map<String, Value>,
    can: [Map<String, Value>; 4],
    claimable: [bool; 2],
}

/// The color words of a pair.
const COLORS: [&str; 2] = ["black", "white"];

impl Picture {
    /// The picture of a game.
    pub fn of(table: &Table) -> Picture {
        let seats = [Some(Seat::One(Color::Black)), Some(Seat::One(Color::White)), Some(Seat::Both), None];
        Picture {
            common: common(table),
            can: seats.map(|seat| can(table, seat)),
            claimable: Color::BOTH.map(|color| table.may_be_claimed_by(color)),
        }
    }

    /// The state for a viewer.
    pub fn state(&self, seat: Option<Seat>, seq: &str, now: &Now) -> Value {
        let Now { away, claim_after, thinking } = *now;
        let mut state = self.common.clone();
        let to_move = state.get("to_move").cloned();
        let thinking = thinking.map(|thinking| match thinking {
            Thinking::Ahead(ahead) => json!({"color": to_move, "ahead": ahead}),
            Thinking::Busy => json!({"color": to_move, "ahead": null, "busy": true}),
        });
        state.insert("thinking".to_string(), json!(thinking));
        for (color, away) in COLORS.into_iter().zip(away) {
            if let Some(player) = state.get_mut(color).and_then(Value::as_object_mut)
                && player.contains_key("name")
            {
                player.insert("away_s".to_string(), json!(away));
            }
        }
        let mut can = match seat {
            Some(Seat::One(color)) => self.can[color.index()].clone(),
            Some(Seat::Both) => self.can[2].clone(),
            None => self.can[3].clone(),
        };
        let claim_in = match seat {
            Some(Seat::One(color)) if self.claimable[color.index()] => {
                away[color.opponent().index()].map(|away| claim_after.saturating_sub(away))
            }
            _ => None,
        };
        can.insert("claim".to_string(), json!(claim_in == Some(0)));
        state.insert("seq".to_string(), json!(seq));
        state.insert("you".to_string(), json!(seat.map(Seat::name)));
        state.insert("can".to_string(), Value::Object(can));
        state.insert("claim_in_s".to_string(), json!(claim_in));
        Value::Object(state)
    }
}

fn player(table: &Table, color: Color) -> Value {
    match table.charter.player(color) {
        Player::Human { name, tokens } => {
            json!({"kind": "human", "name": name, "taken": table.charter.both || !tokens.is_empty(), "away_s": null})
        }
        Player::Cpu { level } => json!({"kind": "cpu", "level": level.name()}),
    }
}

fn board_rows(table: &Table) -> Vec<String> {
    let (board, geometry) = (table.game.board(), table.game.geometry());
    let letter = |point: Point| match board.cell(point) {
        Cell::Black => 'X',
        Cell::White => 'O',
        Cell::Empty | Cell::Wall => '.',
    };
    geometry.rows().map(|row| row.map(letter).collect()).collect()
}

/// Every empty point that the player to move may not take, with the reason.
fn closed(table: &Table) -> Map<String, Value> {
    let (game, geometry) = (&table.game, table.game.geometry());
    let empty = geometry.points().filter(|&point| game.board().is_empty(point));
    let reason = |point: Point| {
        let illegal = game.check(game.to_move(), Move::Play(point)).err()?;
        Some((geometry.point_name(point), json!(super::call::Closed::from(illegal).code())))
    };
    empty.filter_map(reason).collect()
}

/// The open points on which a stone could be taken at once.
fn risky(table: &Table) -> Vec<String> {
    let (game, color) = (&table.game, table.game.to_move());
    let is_risky = |point: &Point| {
        game.check(color, Move::Play(*point)).is_ok() && after_play(game.board(), *point, color, 2).liberties < 2
    };
    let points: Vec<Point> = game.geometry().points().filter(is_risky).collect();
    names(game.geometry(), &points)
}

fn in_atari(table: &Table) -> Vec<String> {
    let board = table.game.board();
    let heads = board.chain_heads().filter(|&head| board.liberty_count(head) == 1);
    let mut stones: Vec<Point> = heads.flat_map(|head| board.chain(head).collect::<Vec<_>>()).collect();
    stones.sort();
    names(board.geometry(), &stones)
}

fn common(table: &Table) -> Map<String, Value> {
    let (game, geometry, notes) = (&table.game, table.game.geometry(), &table.notes);
    let phase = table.phase();
    let to_move = matches!(phase, Phase::Open | Phase::Playing).then(|| color_name(game.to_move()));
    let stones = |color: Color| -> Vec<String> {
        let stones = game.set_up_stones().iter().filter(|(_, stone)| *stone == color);
        stones.map(|&(point, _)| geometry.point_name(point)).collect()
    };
    let result = notes.ending.map(|ending| {
        let margin = match ending {
            super::notes::Ending::Score { half_points } => Some(f64::from(half_points.abs()) / 2.0),
            _ => None,
        };
        json!({
            "by": ending.code(),
            "winner": ending.winner().map(color_name),
            "margin": margin,
            "text": ending.text(),
        })
    });
    let first = game.turns().first().map_or(game.to_move(), |turn| turn.color);
    let counting = notes.counting.as_ref();
    let state = json!({
        "id": table.id,
        "version": notes.version,
        "phase": phase.code(),
        "size": geometry.size(),
        "komi": game.komi().points(),
        "rules": game.rules().name,
        "handicap": game.handicap(),
        "first_capture": table.charter.first_capture,
        "black": player(table, Color::Black),
        "white": player(table, Color::White),
        "spectators": table.charter.spectators,
        "undo_allowed": table.charter.undo,
        "first": color_name(first),
        "set_up": {"black": stones(Color::Black), "white": stones(Color::White)},
        "moves": game.turns().iter().map(|turn| geometry.move_name(turn.mv)).collect::<Vec<_>>(),
        "board": board_rows(table),
        "to_move": to_move,
        "last": game.turns().last().map(|turn| geometry.move_name(turn.mv)),
        "last_captured": game.turns().last().map_or(0, |turn| turn.captured),
        "captured": {"black": game.captures(Color::Black), "white": game.captures(Color::White)},
        "closed": closed(table),
        "atari": in_atari(table),
        "risky": risky(table),
        "undo_request": colors(notes.undo_request).first(),
        "result": result,
        "count": count(table),
        "dead": counting.map_or(Vec::new(), |counting| counting.dead.clone()),
        "accepted": counting.map_or(Vec::new(), |counting| colors(counting.accepted)),
        "rematch": {"by": colors(notes.rematch), "id": notes.next_game},
    });
    match state {
        Value::Object(state) => state,
        _ => Map::new(),
    }
}

/// What a viewer may do now.
fn can(table: &Table, seat: Option<Seat>) -> Map<String, Value> {
    let phase = table.phase();
    let judged = table.notes.counting.as_ref().is_some_and(|counting| counting.judged);
    let accepts = |seat: Seat| {
        let accepted = table.notes.counting.as_ref().map_or([false; 2], |counting| counting.accepted);
        Color::BOTH.into_iter().any(|color| seat.has(color) && !accepted[color.index()])
    };
    let asked = |seat: Seat| Color::BOTH.into_iter().any(|c| !seat.has(c) && table.notes.undo_request[c.index()]);
    let is_friendly = table.charter.is_between_friends();
    let counting = phase == Phase::Counting;
    let to_move = seat.is_some_and(|seat| table.check_turn(seat).is_ok());
    let wants_rematch = |seat: Seat| Color::BOTH.into_iter().any(|c| seat.has(c) && !table.notes.rematch[c.index()]);
    let flags = [
        ("move", to_move),
        ("pass", to_move),
        ("undo", seat.is_some_and(|seat| table.check_undo(seat).is_ok())),
        ("answer_undo", seat.is_some_and(asked)),
        ("hint", to_move && !is_friendly),
        ("resign", seat.is_some() && matches!(phase, Phase::Playing | Phase::Counting)),
        ("resume", seat.is_some() && counting),
        ("accept", counting && judged && seat.is_some_and(accepts)),
        ("mark", seat.is_some() && counting && judged && table.takes_dead_off()),
        ("rematch", phase == Phase::Over && table.notes.next_game.is_none() && seat.is_some_and(wants_rematch)),
        ("invite", phase == Phase::Open && seat.is_some()),
    ];
    flags.into_iter().map(|(name, flag)| (name.to_string(), json!(flag))).collect()
}
