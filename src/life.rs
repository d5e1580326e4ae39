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
//!    `area`: what holds by area, whoever moves first.
//! 5. `territory`: dame and seki, which under the 1989 text follow from who is alive.
//!
//! What it takes for granted: stones that live unconditionally stay, their owner does not give them up, and nothing outside a
//! part counts inside it. Under the 1989 text that is the law, as ko threats do not help in confirmation; under the draft a
//! threat in another part might, and is left out. A part of more than 63 points is not solved.
//!
//! # The worked examples
//!
//! The examples of the two texts are the tests (`life/examples`). What is found within a million positions for each chain, named by
//! its first stone, with the positions and the time for all of them (one core of 2026, development build); `?` is not known at this
//! budget, *lives* that it cannot be captured or is renewed, while a neighbor that is not known decides whether it is in seki. A star: the fixture
//! (none of them published or exact) says otherwise; `keima-life` shows the line. Every chain whose status is published or was
//! derived exactly is proved under both texts, but G13 in 19, found capturable and no more, and those of 23 under the rules of 1989, of which D13 is
//! proved within 4 million positions, as are the published ones of 6. Within 3 million, C13 and E13
//! of 19 are alive and G13 dead under the draft.
//!
//! | example | 1989 | positions, time | draft | positions, time |
//! |---|---|---|---|---|
//! | 1 | B9 seki, A8 seki | 653, 0.0 s | B9 dead, A8 dead | 629, 0.0 s |
//! | 2 | B9 dead, C9 alive, E9 alive, A8 dead | 472, 0.0 s | B9 seki, C9 alive, E9 seki, A8 seki | 14 k, 0.0 s |
//! | 3 | A9 ?, E9 seki, F9 seki, A6 seki, A4 ? | 2.6 M, 9.2 s | A9 seki, E9 seki, F9 seki, A6 ?, A4 dead* | 2.9 M, 11.3 s |
//! | 4 | B13 lives, E13 ?, H13 ?, B11 ?, A9 ? | 4.0 M, 12.6 s | B13 alive, E13 alive, H13 ?, B11 ?, A9 alive | 3.3 M, 11.3 s |
//! | 5 | B9 seki*, C9 alive, F9 dead, A8 seki* | 660 k, 1.8 s | B9 seki, C9 alive, F9 dead, A8 dead | 152 k, 0.3 s |
//! | 6 | B13 lives, D13 ?, F13 lives, G13 dead, A12 ? | 2.0 M, 5.1 s | B13 ?, D13 ?, F13 alive, G13 dead*, A12 seki | 2.2 M, 5.3 s |
//! | 7-1 | A9 alive, E9 dead | 24 k, 0.0 s | A9 alive, E9 dead | 25 k, 0.0 s |
//! | 7-2 | A9 seki*, E9 dead, A3 seki, B2 seki, A1 seki | 813 k, 1.8 s | A9 alive, E9 dead, A3 seki, B2 seki, A1 seki | 37 k, 0.0 s |
//! | 8 | A11 dead, B10 dead, A8 alive, B7 alive, C7 dead | 36 k, 0.1 s | A11 dead, B10 seki, A8 seki, B7 seki, C7 seki | 111 k, 0.2 s |
//! | 9 | A9 dead, B9 dead, D9 dead | 174, 0.0 s | A9 alive, B9 alive, D9 alive | 104, 0.0 s |
//! | 10 | A9 alive, B9 dead, E9 alive | 2 k, 0.0 s | A9 alive, B9 dead, E9 alive | 827, 0.0 s |
//! | 11 | A9 seki, C9 dead, E9 seki, G9 dead, J9 dead, A7 dead, J7 dead | 71 k, 0.1 s | A9 seki, C9 seki, E9 seki, G9 dead, J9 dead, A7 seki, J7 dead | 21 k, 0.0 s |
//! | 12 | A9 seki, C9 seki, E9 seki | 770 k, 2.6 s | A9 seki, C9 seki, E9 seki | 12 k, 0.0 s |
//! | 13 | A9 seki, D9 seki, E9 seki, C8 seki | 6 k, 0.0 s | A9 seki, D9 seki, E9 seki, C8 seki | 32 k, 0.1 s |
//! | 14 | A12 alive, A7 dead, B6 dead | 17 k, 0.0 s | A12 alive, A7 seki, B6 seki | 37 k, 0.1 s |
//! | 15 | A9 lives, B8 lives, A7 ?, B6 ?, A5 ?, B4 ?, A2 ? | 5.0 M, 22.1 s | A9 alive, B8 alive, A7 ?, B6 ?, A5 ?, B4 ?, A2 ? | 5.0 M, 18.5 s |
//! | 16 | A13 alive*, A10 ?, B9 alive, C9 ?, A7 ?, A3 ?, B1 ? | 5.1 M, 18.8 s | A13 ?, A10 ?, B9 seki, C9 ?, A7 ?, A3 dead, B1 dead | 4.4 M, 16.1 s |
//! | 17 | A11 ?, A8 ?, B7 alive, C7 ?, A5 ?, A3 ?, E1 ? | 6.4 M, 29.1 s | A11 ?, A8 ?, B7 ?, C7 ?, A5 ?, A3 ?, E1 ? | 7.0 M, 26.0 s |
//! | 18 | B13 ?, D13 lives, E13 alive, F13 alive, A12 ?, F10 ?, E9 alive, F9 alive, E8 ? | 5.5 M, 31.9 s | B13 ?, D13 ?, E13 ?, F13 ?, A12 ?, F10 ?, E9 ?, F9 ?, E8 ? | 9.0 M, 44.1 s |
//! | 19 | A13 ?, C13 lives, E13 lives, G13 ?, E11 ? | 3.0 M, 6.3 s | A13 ?, C13 ?, E13 ?, G13 ?, E11 ? | 5.0 M, 14.1 s |
//! | 20 | A13 ?, C13 ?, E13 ?, G13 lives, E11 ? | 4.8 M, 18.9 s | A13 ?, C13 ?, E13 ?, G13 ?, E11 ? | 5.0 M, 16.1 s |
//! | 21 | A13 ?, C13 ?, E13 ?, G13 ?, E11 ? | 5.0 M, 18.9 s | A13 ?, C13 ?, E13 ?, G13 ?, E11 ? | 5.0 M, 14.6 s |
//! | 22 | A13 dead, C13 alive, E13 dead, G13 dead | 57 k, 0.1 s | A13 dead, C13 alive, E13 dead, G13 dead | 138 k, 0.2 s |
//! | 23 | B13 ?, D13 ?, F13 ?, H13 ?, A12 ?, B12 ?, C12 ?, A10 ?, A9 ? | 9.0 M, 55.2 s | B13 ?, D13 ?, F13 ?, H13 ?, A12 ?, B12 ?, C12 ?, A10 ?, A9 ? | 9.0 M, 40.2 s |
//! | 24 | B13 dead, C13 seki, G13 seki, A12 seki, B11 seki | 608, 0.0 s | B13 dead, C13 alive, G13 alive, A12 alive, B11 alive | 1 k, 0.0 s |
//! | 25 | B9 seki, D9 dead, E9 seki, A7 dead | 95 k, 0.2 s | B9 seki, D9 seki, E9 seki, A7 seki | 60 k, 0.1 s |
//!
//! `life::tests::table` prints it, with the lines of play and other budgets if asked.

mod area;
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
use crate::geometry::{Geometry, Point, PointMap};
use benson::Held;
pub use budget::Allowance;
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

/// By what the fate of a chain is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// By confirmation as this text has it.
    Text(Text),
    /// By whatever holds by area: whoever moves first and whoever wins the kos. The rest stays unknown.
    Area,
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

/// Confirms the chains of the whole board.
pub fn confirm(board: &Board, text: Text, allowance: &Allowance) -> Vec<Verdict> {
    let nothing = PointMap::new(None);
    let mut verdicts = judged(board, By::Text(text), &nothing, allowance, &|_| true, &|_| true);
    if text == Text::Japanese {
        territory::mark_seki(board, &mut verdicts);
    }
    verdicts
}

/// Confirms the chain with a stone on `point`; `None` where there is no stone.
///
/// Whether a live chain is in seki hangs on its neighbors under the rules of 1989; they get the same budget each.
pub fn confirm_chain(board: &Board, point: Point, text: Text, allowance: &Allowance) -> Option<Verdict> {
    board.cell(point).color()?;
    let nothing = PointMap::new(None);
    let head = board.chain_head(point);
    let mut verdicts = judged(board, By::Text(text), &nothing, allowance, &|_| true, &|other| other == head);
    if text == Text::Japanese && verdicts.first()?.status == Status::Alive {
        verdicts.extend(judged(board, By::Text(text), &nothing, allowance, &|_| true, &|other| other != head));
        territory::mark_seki(board, &mut verdicts);
    }
    verdicts.into_iter().next()
}

/// Confirms the chains of every part of the board in which there is one that is `doubtful`, by its head.
///
/// `granted` are stones that are taken to stay, with their owners; where there are some the verdicts hold on that condition, and dame are not
/// looked at, so that a live chain is never called one in seki under the rules of 1989.
pub fn confirm_doubtful(
    board: &Board,
    by: By,
    granted: &PointMap<Option<Color>>,
    doubtful: &dyn Fn(Point) -> bool,
    allowance: &Allowance,
) -> Vec<Verdict> {
    let is_in_doubt = |part: &region::Part| {
        part.points.len() <= allowance.points
            && part.points.iter().any(|&p| board.cell(p).color().is_some() && board.chain_head(p) == p && doubtful(p))
    };
    let mut verdicts = judged(board, by, granted, allowance, &is_in_doubt, &|_| true);
    if by == By::Text(Text::Japanese) && board.geometry().points().all(|point| granted[point].is_none()) {
        territory::mark_seki(board, &mut verdicts);
    }
    let held = Held::of(board);
    verdicts.retain(|verdict| verdict.stones.first().is_some_and(|&stone| held.by[stone].is_none()));
    verdicts
}

/// The verdicts on the chains that are `wanted`, by their heads, and either settled or in parts that are `open`, before seki is looked for, in
/// the order of their lowest points.
fn judged(
    board: &Board,
    by: By,
    granted: &PointMap<Option<Color>>,
    allowance: &Allowance,
    open: &dyn Fn(&region::Part) -> bool,
    wanted: &dyn Fn(Point) -> bool,
) -> Vec<Verdict> {
    let held = Held::of(board);
    let heads: Vec<Point> = board.chain_heads().filter(|&head| wanted(head)).collect();
    let mut verdicts: Vec<Verdict> =
        heads.iter().filter(|&&head| held.by[head].is_some()).map(|&head| settled(board, &held, head)).collect();
    let mut left = allowance.total;
    for part in region::parts(board, &Held::given(board, granted)).iter().filter(|part| open(part)) {
        let mut inside = heads.clone();
        inside.retain(|head| part.points.binary_search(head).is_ok());
        confirm_part(board, part, &inside, by, &Allowance { total: left, ..*allowance }, &mut verdicts);
        left = allowance.total.saturating_sub(verdicts.iter().map(|verdict| verdict.states).sum());
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
    by: By,
    allowance: &Allowance,
    verdicts: &mut Vec<Verdict>,
) {
    let mut left = allowance.total;
    let mut confirmation = part.local.as_ref().map(|(local, stones)| Confirmation::new(local, *stones));
    for &head in heads {
        let Ok(number) = part.points.binary_search(&head) else { continue };
        let Some(color) = board.cell(head).color() else { continue };
        let mut budget = Budget::new(allowance.states.min(MOST_STATES).min(left), allowance.stop);
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
            _ if budget.check().is_err() => {}
            (Some((local, stones)), _) if by == By::Area => {
                let chain = local.connected(1 << number, stones[color.index()]);
                match area::fate(local, *stones, chain, color, &mut budget) {
                    Ok(Some((lives, line))) => {
                        verdict.take_area(lives);
                        verdict.line = describe(board.geometry(), local, &line);
                    }
                    Ok(None) => verdict.reason = "it hangs on who moves first, or on a ko",
                    Err(Exhausted) => {}
                }
            }
            (Some((local, stones)), _) if by == By::Text(Text::Draft) => {
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
        if verdict.lives.is_none() && budget.check().is_err() {
            verdict.reason = "interrupted before it was known";
        }
        verdict.states = budget.used();
        left -= verdict.states;
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

    fn take_area(&mut self, lives: bool) {
        (self.status, self.reason) = if lives {
            (Status::Alive, "it cannot be captured though its opponent begins and wins every ko")
        } else {
            (Status::Dead, "it is lost though its owner begins and wins every ko")
        };
        self.lives = Some(lives);
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
