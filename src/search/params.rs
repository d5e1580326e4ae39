//! The numbers of the search, each with its meaning and where it comes from.

use std::fmt;

use crate::board::Board;
use crate::geometry::Geometry;
use crate::playout::PlayoutParams;

/// Parameters of the tree search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchParams {
    /// Equivalence of RAVE: the number of visits at which RAVE and the mean weigh the same, in the sense of Gelly and Silver
    /// ("Monte-Carlo tree search and rapid action value estimation in computer Go", 2011).
    pub rave_equivalence: f32,
    /// Exploration constant of the UCB term; small, since RAVE explores.
    pub exploration: f32,
    /// Visits a node needs before it gets children.
    pub expand_visits: u32,
    /// Share of the result that comes from the score instead of from winning.
    pub score_weight: f64,
    /// Prior visits of any move, of even value.
    pub prior_even: f32,
    /// Prior wins of a move that is certain to be played; others get the square root of their probability of it, after Pachi (Baudis and
    /// Gailly, "Pachi: state of the art open source Go program", 2012).
    pub prior_wins: f32,
    /// Value of the even prior visits of a pass while there is something to play.
    pub pass_value: f32,
    /// With a network: visits that a node needs before the network is asked about it; before that there are playouts only.
    pub net_visits: u32,
    /// With a network: exploration constant of PUCT, for values from 0 to 1.
    pub puct: f32,
    /// With a network: what a move loses in first-play urgency when all of the policy has been tried.
    pub first_play_reduction: f32,
    /// With a network: its share of a leaf's value on an empty board, the rest being the playout's.
    pub net_share: f64,
    /// The same on a full board; between them in proportion to the stones. Playouts read out endings that a small network only guesses: `keima judge` with
    /// constant shares, 300 simulations and 400 positions on 9x9, found the best Brier score with 0.9 while less than a quarter of the points are taken
    /// and with 0.3 once more than half are. In play it makes no difference: 38-42 on 9x9, 33-27 on 13x13 against a constant 0.7, at 400 simulations.
    pub net_share_full: f64,
    /// With a network: by how many symmetries of the board the position searched is looked at, 1 to 8; the opinions are averaged.
    pub root_symmetries: u32,
    /// With a network: other positions are looked at by one of so many symmetries, 1 to 8, which their stones choose: the errors of those after
    /// one another are not all alike. After AlphaGo Zero (Silver and others, 2017).
    pub tree_symmetries: u32,
    /// Share of chance in the priors of the root, as in Silver and others (2017): 0 in play, something in games to learn from.
    pub root_noise: f32,
    /// The playout policy.
    pub playout: PlayoutParams,
}

impl Default for SearchParams {
    fn default() -> SearchParams {
        SearchParams {
            rave_equivalence: 3000.0,
            exploration: 0.02,
            expand_visits: 6,
            score_weight: 0.04,
            prior_even: 10.0,
            prior_wins: 60.0,
            pass_value: 0.1,
            net_visits: 0,
            puct: 0.7,
            first_play_reduction: 0.1,
            net_share: 1.0,
            net_share_full: 0.0,
            root_symmetries: 8,
            tree_symmetries: 8,
            root_noise: 0.0,
            playout: PlayoutParams::default(),
        }
    }
}

impl SearchParams {
    /// The network's share of the value of a leaf with this board.
    pub fn net_share_of(&self, board: &Board) -> f64 {
        let empty = board.empty_count() as f64 / board.geometry().area() as f64;
        self.net_share_full + (self.net_share - self.net_share_full) * empty
    }

    /// What a player's chance to win and lead in points are worth to the search, 0 to 1: mostly winning or not, and a little the score itself.
    pub fn value(&self, win: f64, lead: f64, geometry: Geometry) -> f64 {
        (1.0 - self.score_weight) * win + self.score_weight * score_share(lead, geometry)
    }

    /// The chance to win behind a value and a lead; where values are made of nothing but the score, the value itself.
    pub fn win_rate(&self, value: f64, lead: f64, geometry: Geometry) -> f64 {
        if self.score_weight > 0.99 {
            return value;
        }
        let win = (value - self.score_weight * score_share(lead, geometry)) / (1.0 - self.score_weight);
        win.clamp(0.0, 1.0)
    }
}

/// A lead as a share: 0 for losing the whole board, 1 for winning it.
fn score_share(lead: f64, geometry: Geometry) -> f64 {
    (lead / geometry.area() as f64).clamp(-1.0, 1.0) / 2.0 + 0.5
}

/// Where a parameter is kept.
enum Slot<'p> {
    Count(&'p mut u32),
    Single(&'p mut f32),
    Double(&'p mut f64),
}

/// A parameter by its name: the values that make sense, and where it is kept.
struct Number {
    name: &'static str,
    range: (f64, f64),
    slot: fn(&mut SearchParams) -> Slot<'_>,
}

/// Every parameter, for tuning.
const NUMBERS: &[Number] = &[
    Number { name: "rave-equivalence", range: (1.0, 1e6), slot: |p| Slot::Single(&mut p.rave_equivalence) },
    Number { name: "exploration", range: (0.0, 10.0), slot: |p| Slot::Single(&mut p.exploration) },
    Number { name: "expand-visits", range: (1.0, 1e6), slot: |p| Slot::Count(&mut p.expand_visits) },
    Number { name: "score-weight", range: (0.0, 1.0), slot: |p| Slot::Double(&mut p.score_weight) },
    Number { name: "prior-even", range: (0.0, 1e4), slot: |p| Slot::Single(&mut p.prior_even) },
    Number { name: "prior-wins", range: (0.0, 1e4), slot: |p| Slot::Single(&mut p.prior_wins) },
    Number { name: "pass-value", range: (0.0, 1.0), slot: |p| Slot::Single(&mut p.pass_value) },
    Number { name: "net-visits", range: (0.0, 1e6), slot: |p| Slot::Count(&mut p.net_visits) },
    Number { name: "puct", range: (0.0, 100.0), slot: |p| Slot::Single(&mut p.puct) },
    Number { name: "first-play-reduction", range: (0.0, 1.0), slot: |p| Slot::Single(&mut p.first_play_reduction) },
    Number { name: "net-share", range: (0.0, 1.0), slot: |p| Slot::Double(&mut p.net_share) },
    Number { name: "net-share-full", range: (0.0, 1.0), slot: |p| Slot::Double(&mut p.net_share_full) },
    Number { name: "root-symmetries", range: (1.0, 8.0), slot: |p| Slot::Count(&mut p.root_symmetries) },
    Number { name: "tree-symmetries", range: (1.0, 8.0), slot: |p| Slot::Count(&mut p.tree_symmetries) },
    Number { name: "root-noise", range: (0.0, 1.0), slot: |p| Slot::Single(&mut p.root_noise) },
    Number { name: "atari", range: (0.0, 100.0), slot: |p| Slot::Count(&mut p.playout.atari) },
    Number { name: "two-liberties", range: (0.0, 100.0), slot: |p| Slot::Count(&mut p.playout.two_liberties) },
    Number { name: "nakade", range: (0.0, 100.0), slot: |p| Slot::Count(&mut p.playout.nakade) },
    Number { name: "elsewhere", range: (0.0, 1e6), slot: |p| Slot::Count(&mut p.playout.elsewhere) },
    Number { name: "refuse-self-atari", range: (0.0, 100.0), slot: |p| Slot::Count(&mut p.playout.refuse_self_atari) },
];

impl SearchParams {
    /// The names and values of all parameters.
    pub fn numbers(&self) -> impl Iterator<Item = (&'static str, f64)> {
        // Places are found in something that may be changed: a copy serves.
        let mut params = self.clone();
        NUMBERS.iter().map(move |number| {
            let value = match (number.slot)(&mut params) {
                Slot::Count(count) => f64::from(*count),
                Slot::Single(value) => f64::from(*value),
                Slot::Double(value) => *value,
            };
            (number.name, value)
        })
    }

    /// Changes the parameter of this name.
    ///
    /// # Errors
    /// When there is no such parameter or the value is out of its range.
    pub fn set_number(&mut self, name: &str, value: f64) -> Result<(), NumberError> {
        let number = NUMBERS.iter().find(|number| number.name == name).ok_or(NumberError::UnknownName)?;
        let (low, high) = number.range;
        if !(low..=high).contains(&value) {
            return Err(NumberError::OutOfRange(low, high));
        }
        match (number.slot)(self) {
            Slot::Count(count) => *count = value as u32,
            Slot::Single(single) => *single = value as f32,
            Slot::Double(double) => *double = value,
        }
        Ok(())
    }
}

/// Why a parameter was not changed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NumberError {
    /// No parameter has this name.
    UnknownName,
    /// The value is not within these bounds.
    OutOfRange(f64, f64),
}

impl fmt::Display for NumberError {
    /// What would have been right.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberError::UnknownName => {
                let names: Vec<&str> = NUMBERS.iter().map(|number| number.name).collect();
                write!(f, "one of {}", names.join(", "))
            }
            NumberError::OutOfRange(low, high) => write!(f, "a number from {low} to {high}"),
        }
    }
}

impl std::error::Error for NumberError {}
