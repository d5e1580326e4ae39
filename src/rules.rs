//! What is allowed and what counts: the rule sets, as values.

use std::fmt;

/// How dead stones are treated when the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeadStones {
    /// Taken off by the engine's judgement before counting, as people agree to do.
    Removed,
    /// Left where they stand: what is dead must be captured before passing.
    Counted,
}

/// What is counted.
///
/// Territory scoring (Japanese rules) will be a second case here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scoring {
    /// Stones on the board and points that only one color reaches.
    Area,
}

/// A rule set. Repetition is positional superko in all of them: no move may recreate an earlier whole-board position;
/// a pass always may. Two passes in a row end the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The name that `kgs-rules` and `--rules` understand.
    pub name: &'static str,
    /// Whether a move may remove the player's own chain.
    pub suicide: bool,
    /// What is counted.
    pub scoring: Scoring,
    /// Whether dead stones come off before counting.
    pub dead_stones: DeadStones,
}

impl Rules {
    /// Area scoring, no suicide, dead stones taken off at the end: the default.
    pub const CHINESE: Rules =
        Rules { name: "chinese", suicide: false, scoring: Scoring::Area, dead_stones: DeadStones::Removed };
    /// As Chinese, but the board is counted as it stands.
    pub const AS_IS: Rules = Rules { name: "as-is", dead_stones: DeadStones::Counted, ..Rules::CHINESE };
    /// The rules of Tromp and Taylor (1996): as it stands, and suicide is allowed.
    pub const TROMP_TAYLOR: Rules = Rules { name: "tromp-taylor", suicide: true, ..Rules::AS_IS };

    /// Every rule set there is.
    pub const ALL: [Rules; 3] = [Rules::CHINESE, Rules::AS_IS, Rules::TROMP_TAYLOR];

    /// The rule set of this name, in either letter case.
    ///
    /// # Errors
    /// When there is none; the error prints the names that exist.
    pub fn by_name(name: &str) -> Result<Rules, UnknownRules> {
        Rules::ALL
            .into_iter()
            .find(|rules| rules.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownRules(name.to_string()))
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::CHINESE
    }
}

/// No rule set has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownRules(pub String);

impl fmt::Display for UnknownRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Rules::ALL.map(|rules| rules.name).join(", ");
        write!(f, "unknown rules {:?}, known are {names}", self.0)
    }
}

impl std::error::Error for UnknownRules {}
