//! The count in front of the players' eyes: every region with its owner, both ways to count, and why they differ.

use serde_json::{Value, json};

use super::notes::{Counting, Ending, names, points};
use super::seats::color_name;
use super::table::Table;
use crate::color::Color;
use crate::engine::Danger;
use crate::game::Game;
use crate::geometry::{Point, PointMap};
use crate::rules::{Rules, Scoring};
use crate::scoring::{self, Ownership, Tally};
use crate::tactics::is_bad_self_atari;

/// The count of a board that is being counted or has been.
pub fn count(table: &Table) -> Option<Value> {
    let counting = table.notes.counting.as_ref().filter(|counting| counting.judged)?;
    if !matches!(table.notes.ending, None | Some(Ending::Score { .. })) {
        return None;
    }
    let game = &table.game;
    let dead = points(game.geometry(), &counting.dead);
    let owner = scoring::counted_ownership(game.board(), &dead, game.rules().scoring);
    let is_japanese = game.rules().scoring == Scoring::Territory;
    let by_area = if is_japanese { by_rules(game, Rules::CHINESE) } else { game.clone() };
    let by_territory = by_rules(game, Rules::JAPANESE);
    // Where the board counts as it stands, the Japanese-style count beside it takes off what Keima holds for dead.
    let beside = if table.takes_dead_off() { dead.clone() } else { points(game.geometry(), &counting.by_keima) };
    let (area, territory) = (scoring::count(&by_area, &dead), scoring::count(&by_territory, &beside));
    Some(json!({
        "dead": counting.dead,
        "owner": rows(game, &owner),
        "regions": regions(game, &dead, &owner),
        "area": area_count(&by_area, &area),
        "japanese": japanese_count(&by_territory, &territory, &names(game.geometry(), &beside)),
        "counted": if is_japanese { "japanese" } else { "area" },
        "why": why(table, counting, &by_area, &area, &territory),
    }))
}

fn by_rules(game: &Game, rules: Rules) -> Game {
    let mut game = game.clone();
    game.set_rules(rules);
    game
}

fn rows(game: &Game, owner: &Ownership) -> Vec<String> {
    let geometry = game.geometry();
    let letter = |point: Point| match owner[point] {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    geometry.rows().map(|row| row.map(letter).collect()).collect()
}

/// The connected regions without living stones, the largest first.
fn regions(game: &Game, dead: &[Point], owner: &Ownership) -> Vec<Value> {
    let (board, geometry) = (game.board(), game.geometry());
    let is_open = |point: Point| board.is_empty(point) || dead.contains(&point);
    let mut seen = PointMap::new(false);
    let mut regions: Vec<(Vec<Point>, Option<Color>)> = Vec::new();
    for start in geometry.points().filter(|&point| is_open(point)) {
        if seen[start] {
            continue;
        }
        // By owner too: in seki a region may be divided.
        let mut region = geometry.connected(start, &mut seen, |near| is_open(near) && owner[near] == owner[start]);
        region.sort();
        regions.push((region, owner[start]));
    }
    regions.sort_by_key(|(region, _)| std::cmp::Reverse(region.len()));
    let told = regions.iter().map(|(region, color)| {
        let dead: Vec<Point> = region.iter().copied().filter(|point| dead.contains(point)).collect();
        json!({"color": color.map(color_name), "points": names(geometry, region), "dead": names(geometry, &dead)})
    });
    told.collect()
}

fn outcome(tally: &Tally) -> (String, Option<&'static str>, f64) {
    let score = tally.score;
    (score.to_string(), score.winner().map(color_name), f64::from(score.half_points().abs()) / 2.0)
}

fn area_count(game: &Game, tally: &Tally) -> Value {
    let side = |color: Color| {
        let held = tally.holdings[color];
        json!({"stones": held.stones, "territory": held.territory, "total": tally.points[color]})
    };
    let (text, winner, margin) = outcome(tally);
    let counted: usize = Color::BOTH.into_iter().map(|color| tally.points[color]).sum();
    json!({
        "black": side(Color::Black),
        "white": side(Color::White),
        "neutral": game.geometry().area() - counted,
        "komi": game.komi().points(),
        "handicap": game.rules().for_handicap_stone * game.handicap() as i32,
        "text": text,
        "winner": winner,
        "margin": margin,
    })
}

fn japanese_count(game: &Game, tally: &Tally, dead: &[String]) -> Value {
    let side = |color: Color| {
        let held = tally.holdings[color];
        json!({"territory": held.territory, "captured": held.captured, "dead": held.dead, "total": tally.points[color]})
    };
    let (text, winner, margin) = outcome(tally);
    json!({
        "black": side(Color::Black),
        "white": side(Color::White),
        "dead": dead,
        "placed": game.placed_difference(),
        "komi": game.komi().points(),
        "text": text,
        "winner": winner,
        "margin": margin,
    })
}

/// Why the two counts differ: with the same stones taken off and without seki they do so by the stones that one side placed more.
fn why(table: &Table, counting: &Counting, by_area: &Game, area: &Tally, territory: &Tally) -> Vec<&'static str> {
    if area.score == territory.score {
        return Vec::new();
    }
    let game = &table.game;
    let dead = points(game.geometry(), &counting.dead);
    let in_seki = scoring::seki(game.board(), &dead);
    let reasons = [
        ("one-more-stone", game.placed_difference() != 0),
        ("dead-stones", counting.dead.len() != counting.by_keima.len() && !table.takes_dead_off()),
        ("seki", game.geometry().points().any(|point| in_seki[point])),
        ("handicap", by_area.rules().for_handicap_stone * by_area.handicap() as i32 != 0),
    ];
    reasons.into_iter().filter(|(_, holds)| *holds).map(|(code, _)| code).collect()
}

/// What to look at before passing: neutral points that the player to move could take without harm, opposing stones to be taken, own ones that the
/// opponent can take.
pub fn advice(table: &Table, dead: &[Point], dangers: &[(Point, Danger)]) -> Value {
    let (game, geometry) = (&table.game, table.game.geometry());
    let (board, color) = (game.board(), game.to_move());
    let owner = scoring::ownership(board, dead);
    let open: Vec<Point> = board
        .empty_points()
        .iter()
        .copied()
        .filter(|&point| {
            owner[point].is_none() && board.is_playable(point, color, false) && !is_bad_self_atari(board, point, color)
        })
        .collect();
    // Where stones of both stand against one another a border is open; an empty middle is only named where there is no such point.
    let touches = |point: &Point, color: Color| {
        geometry.neighbors(*point).into_iter().any(|near| board.cell(near).color() == Some(color))
    };
    let contact: Vec<Point> =
        open.iter().copied().filter(|point| Color::BOTH.iter().all(|&color| touches(point, color))).collect();
    let open = if contact.is_empty() { open } else { contact };
    let chains_of = |owner: Color, dangers: &[(Point, Danger)]| -> Vec<Point> {
        let threatened = dangers.iter().map(|(head, _)| *head);
        let threatened = threatened.filter(|&head| board.cell(head).color() == Some(owner));
        threatened.flat_map(|head| board.chain(head).collect::<Vec<_>>()).collect()
    };
    let mut capturable = chains_of(color.opponent(), dangers);
    if !table.takes_dead_off() {
        let of_opponent = |point: &Point| board.cell(*point).color() == Some(color.opponent());
        capturable.extend(dead.iter().copied().filter(of_opponent));
    }
    let told = |mut points: Vec<Point>| {
        points.sort();
        points.dedup();
        names(geometry, &points)
    };
    json!({
        "version": table.notes.version,
        "open": told(open),
        "capturable": told(capturable),
        "in_danger": told(chains_of(color, dangers)),
    })
}
