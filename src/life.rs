//! Life and death confirmed exactly: the confirmation play of two texts of Japanese rules, solved and proved.
//!
//! [`confirm`] says of every chain whether it is alive, dead or seki when play has stopped, with a line of play as the
//! proof, or that it is unknown at the budget given. It never guesses: every answer but "unknown" rests on a
//! complete solution of the game that the text describes, in the part of the board that matters.
//!
//! How it goes, each step a file:
//!
//! 1. `benson`: what is settled whatever is played. `region`: the rest, cut into parts that do not touch.
//! 2. `local`: such a part as bit sets, with the moves of either text.
//! 3. `solve`: whether a side can force a `goal` there within a `budget`; cycles are settled by a least fixpoint. `line`
//!    shows the play, `cost` asks what endless play costs.
//! 4. `japanese` (1989) and `draft` (2011): the goals that the texts set.
//! 5. `territory`: dame and seki, which under the 1989 text follow from who is alive.
//!
//! The worked examples of the two texts are its tests (`life/examples`). Every group there whose status is published or
//! was derived exactly is proved under both texts, but for two examples under that of 1989: the one chain in question in 19 is
//! found capturable and no more, and in 23 only the chain at D13 is decided within 4 million positions.
//!
//! What it takes for granted: stones that live unconditionally stay, their owner does not give them up, and nothing outside a
//! part counts inside it. Under the 1989 text that is the law, as ko threats do not help in confirmation; under the draft a
//! threat in another part might, and is left out. A part of more than 63 points is not solved.

mod benson;
mod budget;
mod cost;
mod draft;
mod goal;
mod japanese;
mod line;
mod local;
#[cfg(test)]
mod reference;
mod region;
mod solve;
mod territory;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fmt::Write as _;

use crate::board::Board;
use crate::color::Color;
use crate::geometry::{Geometry, Point};
use benson::Held;
use budget::Budget;
use japanese::{Confirmation, Fate};
use line::{End, Line};
use local::{Local, Step};

/// Positions looked at when nothing else is said: some seconds.
pub const DEFAULT_STATES: u64 = 1_000_000;

/// The largest budget: a position takes about 150 bytes.
pub const MOST_STATES: u64 = 20_000_000;

/// Which text says how life and death are confirmed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Text {
    /// The Japanese rules of 1989: the opponent of a chain moves first, and a ko may be retaken only after a pass for it.
    Japanese,
    /// The draft amendment of Tei Meiko (2011): the owner moves first, and a ko may be retaken a move later.
    Draft,
}

impl Text {
    /// The text of this name, in either letter case: `japanese` or `japanese-draft`.
    pub fn by_name(name: &str) -> Option<Text> {
        [Text::Japanese, Text::Draft].into_iter().find(|text| text.to_string().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Text::Japanese => "japanese",
            Text::Draft => "japanese-draft",
        })
    }
}

/// The budget was used up before the answer was known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exhausted;

/// What a chain is when play has stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It stays, and what it encloses is territory.
    Alive,
    /// It is lost.
    Dead,
    /// It stays, and encloses nothing that counts.
    Seki,
    /// Not known at this budget.
    Unknown,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Alive => "alive",
            Status::Dead => "dead",
            Status::Seki => "seki",
            Status::Unknown => "unknown",
        })
    }
}

/// What is known of a chain, and why.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The chain, lowest point first.
    pub stones: Vec<Point>,
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub status: Status,
    /// Whether it stays on the board by itself: alive or seki; `None` where unknown.
    pub lives: Option<bool>,
    /// The reason in a few words.
    pub reason: &'static str,
    /// The line of play that shows it, `B C9 W pass B pass for ko A9`; empty where none is needed.
    pub line: String,
    /// Positions looked at for this chain; what was found for a chain before it is not counted again.
    pub states: u64,
}

/// Confirms the chains of the whole board, each with a budget of so many positions, at most [`MOST_STATES`].
pub fn confirm(board: &Board, text: Text, states: u64) -> Vec<Verdict> {
    let mut verdicts = judged(board, text, states, |_| true);
    if text == Text::Japanese {
        territory::mark_seki(board, &mut verdicts);
    }
    verdicts
}

/// Confirms the chain with a stone on `point`, with a budget of so many positions; `None` where there is no stone.
///
/// Whether a live chain is in seki hangs on its neighbors under the rules of 1989; they get the same budget each.
pub fn confirm_chain(board: &Board, point: Point, text: Text, states: u64) -> Option<Verdict> {
    board.cell(point).color()?;
    let head = board.chain_head(point);
    let mut verdicts = judged(board, text, states, |other| other == head);
    if text == Text::Japanese && verdicts.first()?.status == Status::Alive {
        verdicts.extend(judged(board, text, states, |other| other != head));
        territory::mark_seki(board, &mut verdicts);
    }
    verdicts.into_iter().next()
}

/// The verdicts on the chains with these heads, before seki is looked for, in the order of their lowest points.
fn judged(board: &Board, text: Text, states: u64, wanted: impl Fn(Point) -> bool) -> Vec<Verdict> {
    let held = Held::of(board);
    let heads: Vec<Point> = board.chain_heads().filter(|&head| wanted(head)).collect();
    let mut verdicts: Vec<Verdict> =
        heads.iter().filter(|&&head| held.by[head].is_some()).map(|&head| settled(board, &held, head)).collect();
    for part in region::parts(board, &held) {
        let inside: Vec<Point> = heads.iter().copied().filter(|head| part.points.binary_search(head).is_ok()).collect();
        confirm_part(board, &part, &inside, text, states.min(MOST_STATES), &mut verdicts);
    }
    verdicts.sort_by_key(|verdict| verdict.stones.first().copied());
    verdicts
}

fn stones_of(board: &Board, head: Point) -> Vec<Point> {
    let mut stones: Vec<Point> = board.chain(head).collect();
    stones.sort_unstable();
    stones
}

/// The verdict on a chain that unconditional life decides.
fn settled(board: &Board, held: &Held, head: Point) -> Verdict {
    let lives = held.is_alive_stone(board, head);
    Verdict {
        stones: stones_of(board, head),
        color: board.cell(head).color().unwrap_or(Color::Black),
        status: if lives { Status::Alive } else { Status::Dead },
        lives: Some(lives),
        reason: if lives {
            "it lives whatever is played"
        } else {
            "it has no room for two eyes in an area that is held whatever is played"
        },
        line: String::new(),
        states: 0,
    }
}

/// The verdicts on some chains of a part.
fn confirm_part(
    board: &Board,
    part: &region::Part,
    heads: &[Point],
    text: Text,
    states: u64,
    verdicts: &mut Vec<Verdict>,
) {
    let mut confirmation = part.local.as_ref().map(|(local, stones)| Confirmation::new(local, *stones));
    for &head in heads {
        let Ok(number) = part.points.binary_search(&head) else { continue };
        let Some(color) = board.cell(head).color() else { continue };
        let mut budget = Budget::new(states);
        let mut verdict = Verdict {
            stones: stones_of(board, head),
            color,
            status: Status::Unknown,
            lives: None,
            reason: "not known at this budget",
            line: String::new(),
            states: 0,
        };
        match (&part.local, &mut confirmation) {
            (Some((local, stones)), _) if text == Text::Draft => {
                let chain = local.connected(1 << number, stones[color.index()]);
                if let Ok((outcome, line)) = draft::verify(local, *stones, chain, color, &mut budget) {
                    verdict.take_draft(outcome);
                    verdict.line = describe(board.geometry(), local, &line);
                }
            }
            (Some((local, _)), Some(confirmation)) => {
                if let Ok(finding) = confirmation.finding(number, color, &mut budget) {
                    verdict.take_japanese(finding.fate);
                    verdict.line = describe(board.geometry(), local, &finding.line);
                }
            }
            _ => verdict.reason = "the part of the board that it depends on is too large to solve",
        }
        verdict.states = budget.used();
        verdicts.push(verdict);
    }
}

impl Verdict {
    fn take_draft(&mut self, outcome: draft::Outcome) {
        (self.status, self.reason) = match outcome {
            draft::Outcome::Alive => (Status::Alive, "its owner can force life"),
            draft::Outcome::Dead => (Status::Dead, "its opponent can force the loss of it or of a part"),
            draft::Outcome::Seki => (Status::Seki, "neither side can force life or death"),
        };
        self.lives = Some(self.status != Status::Dead);
    }

    fn take_japanese(&mut self, fate: Fate) {
        (self.lives, self.reason) = match fate {
            Fate::Uncapturable => (Some(true), "it cannot be captured"),
            Fate::Renewed => (Some(true), "capturing it enables a new stone that cannot be captured"),
            Fate::Dead => (Some(false), "it is captured, and no new stone lives"),
            Fate::DeadByCost => (Some(false), "it escapes capture only by losing more than it takes, again and again"),
            Fate::Capturable => {
                (None, "it can be captured; whether that enables a new stone is not known at this budget")
            }
            Fate::Open => (None, "it is captured, and whether a stone that then lives is new is not decided"),
        };
        self.status = match self.lives {
            Some(true) => Status::Alive,
            Some(false) => Status::Dead,
            None => Status::Unknown,
        };
    }
}

/// A line in words: `B C9 W pass B pass for ko A9`.
fn describe(geometry: Geometry, local: &Local, line: &Line) -> String {
    let name = |number: u8| geometry.point_name(local.points[usize::from(number)]);
    let mut text = String::new();
    for (color, step) in &line.steps {
        let what = match *step {
            Step::Play(point) => name(point),
            Step::Pass => "pass".to_string(),
            Step::PassForKo(stone) => format!("pass for ko {}", name(stone)),
        };
        let _ = write!(text, "{}{} {what}", if text.is_empty() { "" } else { " " }, color.letter());
    }
    if line.end == End::Repeats {
        text.push_str(" and so on for ever");
    }
    text
}
