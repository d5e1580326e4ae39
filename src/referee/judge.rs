//! Who won a game that was played to its end.

use std::time::Duration;

use super::play::{Incident, Players, fault_of};
use super::report::Fault;
use crate::color::{Color, PerColor};
use crate::game::Game;
use crate::geometry::{Move, Point};
use crate::rules::DeadStones;
use crate::score::{Komi, Score};
use crate::scoring;

/// A third opinion: the score of a game, if there is one to be had.
pub(super) type Scorer<'a> = dyn FnMut(&Game) -> Option<Score> + 'a;

/// What the referee finds.
pub(super) struct Judgement {
    pub(super) score: Score,
    /// Whether opinions about the winner differed.
    pub(super) disputed: bool,
    /// What went wrong while asking.
    pub(super) incidents: Vec<Incident>,
    /// The opinions, where they differed.
    pub(super) note: String,
}

/// What one player says about the final position.
struct Opinion {
    score: Option<Score>,
    dead: Option<Vec<Point>>,
}

impl Opinion {
    /// The score by this player's judgement: the one it states, or the count without the stones it calls dead.
    fn claim(&self, game: &Game) -> Option<Score> {
        self.score.or_else(|| self.dead.as_ref().map(|dead| count(game, dead)))
    }
}

/// Asks both players, and a third party where these disagree; see `--rules` and `--scorer`.
pub(super) fn judge(game: &Game, players: &mut Players<'_>, limit: Duration, scorer: &mut Scorer<'_>) -> Judgement {
    let mut incidents = Vec::new();
    let wants_dead = game.rules().dead_stones == DeadStones::Removed;
    let opinions = PerColor(Color::BOTH.map(|color| {
        let mut ask = |command: &str| match players[color].ask(command, limit) {
            Ok(text) => Some(text),
            Err(error) => {
                // An engine may decline to judge, but not fall over.
                let fault = fault_of(&error);
                if fault != Fault::Refused {
                    incidents.push(Incident { color, fault, detail: format!("{command}: {error}") });
                }
                None
            }
        };
        let score = ask("final_score").and_then(|text| parse_score(&text));
        let dead =
            if wants_dead { ask("final_status_list dead").and_then(|text| parse_stones(game, &text)) } else { None };
        Opinion { score, dead }
    }));
    let claims = Color::BOTH.map(|color| opinions[color].claim(game));
    let by_count = count(game, &commonly_dead(&opinions));
    let (score, disputed) =
        if wants_dead { settle(game, claims, by_count, scorer) } else { as_it_stands(claims, by_count) };
    let note = match disputed {
        true => format!("black says {}, white says {}, decided {score}", said(claims[0]), said(claims[1])),
        false => String::new(),
    };
    Judgement { score, disputed, incidents, note }
}

fn said(claim: Option<Score>) -> String {
    claim.map_or_else(|| "nothing".to_string(), |score| score.to_string())
}

/// Where dead stones stay, the count is the truth; players who think otherwise have misjudged it.
fn as_it_stands(claims: [Option<Score>; 2], count: Score) -> (Score, bool) {
    let disputed = claims.into_iter().flatten().any(|claim| claim.winner() != count.winner());
    (count, disputed)
}

/// Where dead stones come off, the players' agreement is the truth.
fn settle(game: &Game, claims: [Option<Score>; 2], count: Score, scorer: &mut Scorer<'_>) -> (Score, bool) {
    match claims {
        [Some(black), Some(white)] if black.winner() != white.winner() => (scorer(game).unwrap_or(count), true),
        // The same winner: the margin is that of the count where it fits, or else what a player says.
        [Some(claim), Some(other)] if claim != other && count.winner() == claim.winner() => (count, false),
        [Some(claim), _] | [None, Some(claim)] => (claim, false),
        [None, None] => (count, false),
    }
}

fn count(game: &Game, dead: &[Point]) -> Score {
    scoring::score(game, dead)
}

/// The stones that every player with an opinion calls dead.
fn commonly_dead(opinions: &PerColor<Opinion>) -> Vec<Point> {
    match (&opinions[Color::Black].dead, &opinions[Color::White].dead) {
        (Some(a), Some(b)) => a.iter().copied().filter(|point| b.contains(point)).collect(),
        (Some(only), None) | (None, Some(only)) => only.clone(),
        (None, None) => Vec::new(),
    }
}

/// Reads `B+3.5`, `W+12` or `0`; `None` for anything else, such as a resignation.
pub(super) fn parse_score(text: &str) -> Option<Score> {
    let word = text.split_whitespace().next()?;
    if word == "0" || word.eq_ignore_ascii_case("draw") || word.eq_ignore_ascii_case("jigo") {
        return Some(Score::from_margin(0, Komi::from_points(0.0)?));
    }
    let (winner, margin) = word.split_once('+')?;
    let sign = match winner {
        "B" | "b" => Color::Black.sign(),
        "W" | "w" => Color::White.sign(),
        _ => return None,
    };
    let margin: f64 = margin.parse().ok().filter(|margin| *margin >= 0.0)?;
    Some(Score::from_margin(0, Komi::from_points(-margin * f64::from(sign))?))
}

/// Reads vertices in any arrangement of lines; `None` if one of them is no stone.
fn parse_stones(game: &Game, text: &str) -> Option<Vec<Point>> {
    text.split_whitespace()
        .map(|vertex| match game.geometry().parse_move(vertex) {
            Ok(Move::Play(point)) if !game.board().is_empty(point) => Some(point),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::parse_score;

    #[test]
    fn scores_are_read_in_every_usual_form() {
        let half_points = |text| parse_score(text).map(|score| score.half_points());
        assert_eq!(half_points("B+3.5"), Some(7));
        assert_eq!(half_points("w+12 (upper bound: 1)"), Some(-24));
        assert_eq!(half_points("0"), Some(0));
        assert_eq!(half_points("B+0"), Some(0));
        for text in ["", "B+R", "B+", "+3", "X+3", "B+-3", "W+nan", "W+inf", "cannot score"] {
            assert_eq!(half_points(text), None, "{text}");
        }
    }
}
