//! The numbers of the search, each with its meaning and where it comes from.

use std::fmt;

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
            playout: PlayoutParams::default(),
        }
    }
}

/// A parameter by its name: how it is read and written as a number, and the values that make sense.
struct Number {
    name: &'static str,
    range: (f64, f64),
    get: fn(&SearchParams) -> f64,
    set: fn(&mut SearchParams, f64),
}

/// Every parameter, for tuning.
const NUMBERS: &[Number] = &[
    Number {
        name: "rave-equivalence",
        range: (1.0, 1e6),
        get: |p| f64::from(p.rave_equivalence),
        set: |p, v| p.rave_equivalence = v as f32,
    },
    Number {
        name: "exploration",
        range: (0.0, 10.0),
        get: |p| f64::from(p.exploration),
        set: |p, v| p.exploration = v as f32,
    },
    Number {
        name: "expand-visits",
        range: (1.0, 1e6),
        get: |p| f64::from(p.expand_visits),
        set: |p, v| p.expand_visits = v as u32,
    },
    Number { name: "score-weight", range: (0.0, 1.0), get: |p| p.score_weight, set: |p, v| p.score_weight = v },
    Number {
        name: "prior-even",
        range: (0.0, 1e4),
        get: |p| f64::from(p.prior_even),
        set: |p, v| p.prior_even = v as f32,
    },
    Number {
        name: "prior-wins",
        range: (0.0, 1e4),
        get: |p| f64::from(p.prior_wins),
        set: |p, v| p.prior_wins = v as f32,
    },
    Number {
        name: "pass-value",
        range: (0.0, 1.0),
        get: |p| f64::from(p.pass_value),
        set: |p, v| p.pass_value = v as f32,
    },
    Number {
        name: "atari",
        range: (0.0, 100.0),
        get: |p| f64::from(p.playout.atari),
        set: |p, v| p.playout.atari = v as u32,
    },
    Number {
        name: "two-liberties",
        range: (0.0, 100.0),
        get: |p| f64::from(p.playout.two_liberties),
        set: |p, v| p.playout.two_liberties = v as u32,
    },
    Number {
        name: "nakade",
        range: (0.0, 100.0),
        get: |p| f64::from(p.playout.nakade),
        set: |p, v| p.playout.nakade = v as u32,
    },
    Number {
        name: "elsewhere",
        range: (0.0, 1e6),
        get: |p| f64::from(p.playout.elsewhere),
        set: |p, v| p.playout.elsewhere = v as u32,
    },
    Number {
        name: "refuse-self-atari",
        range: (0.0, 100.0),
        get: |p| f64::from(p.playout.refuse_self_atari),
        set: |p, v| p.playout.refuse_self_atari = v as u32,
    },
];

impl SearchParams {
    /// The names and values of all parameters.
    pub fn numbers(&self) -> impl Iterator<Item = (&'static str, f64)> {
        NUMBERS.iter().map(|number| (number.name, (number.get)(self)))
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
        (number.set)(self, value);
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
