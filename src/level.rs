//! How strong: the playing levels a person can choose, and the one table that defines them.
//!
//! The weak levels are not a strong player with fewer simulations. They choose among the moves that a short search looked at with a probability of
//! prior^(1/tau) * exp(-loss / lambda), where the prior is the move model's and the loss what the search thinks the move gives
//! away: mistakes are of judgement and reading depth. They are defined in simulations and seeds, never in seconds or threads, so they
//! play the same everywhere.

use std::fmt;
use std::str::FromStr;

/// A playing level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Level {
    /// For someone who learnt the rules last week.
    Beginner,
    /// For someone who plays whole games with a plan.
    Intermediate,
    /// Full strength.
    #[default]
    Advanced,
}

impl Level {
    /// Every level, weakest first.
    pub const ALL: [Level; 3] = [Level::Beginner, Level::Intermediate, Level::Advanced];

    /// The word used on the command line and in GTP.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Beginner => "beginner",
            Level::Intermediate => "intermediate",
            Level::Advanced => "advanced",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<Level, UnknownLevel> {
        Level::ALL
            .into_iter()
            .find(|level| level.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownLevel(text.to_string()))
    }
}

/// How a weak level chooses its moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Style {
    /// Simulations per move.
    pub simulations: u64,
    /// Narrowness: below 1 the plausible moves get more of the probability, above 1 less.
    pub tau: f64,
    /// What a move's loss is counted in.
    pub judge: Judge,
    /// The loss that divides the probability by e.
    pub lambda: f64,
    /// Whether lost games are given up.
    pub resigns: bool,
}

/// How a weak level judges moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judge {
    /// By points: does not know that a won game only has to be kept.
    Points,
    /// By the chance to win, from 0 to 1.
    Wins,
}

impl Level {
    /// How this level chooses on a board of this size; `None` for full strength.
    ///
    /// Calibrated by matches between the levels and, on 9x9, against GNU Go 3.8; the README has the results.
    pub fn style(self, size: usize) -> Option<Style> {
        let side = size as f64 / 9.0;
        match self {
            // On the smallest boards every mistake decides, and a beginner must make some.
            Level::Beginner if size <= 5 => {
                Some(Style { simulations: 60, tau: 1.0, judge: Judge::Points, lambda: 4.0, resigns: false })
            }
            // Fewer simulations make it weaker, since it misjudges more: 250 on 9x9 won 24 % of 100 games against GNU Go, 120 20 % of 60. Neither
            // lambda does (4.5, 5.5, 6.5 and 8 won 26, 23, 31 and 25 % of 57, 121, 26 and 36 games) nor tau (1.5: 25 % of 60), since what
            // it takes for likely comes from the moves of dan players.
            Level::Beginner => {
                let simulations = (80.0 * side.powi(3)).max(80.0) as u64;
                Some(Style { simulations, tau: 1.0, judge: Judge::Points, lambda: 5.5 * side, resigns: false })
            }
            // Large boards have more to look at, and longer games in which to lose as much: on 13x13 with 0.06 as on 9x9
            // it won 27 % of 52 games against GNU Go and 92 % of 100 against beginner, with 0.05 62 % of 13 and 96 % of 24.
            Level::Intermediate => {
                let simulations = (900.0 * side.max(1.0)) as u64;
                let lambda = if size <= 9 { 0.06 } else { 0.055 };
                Some(Style { simulations, tau: 1.0, judge: Judge::Wins, lambda, resigns: true })
            }
            Level::Advanced => None,
        }
    }
}

/// No level has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownLevel(pub String);

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Level::ALL.map(Level::name).join(", ");
        write!(f, "unknown level {:?}, known are {names}", self.0)
    }
}

impl std::error::Error for UnknownLevel {}
