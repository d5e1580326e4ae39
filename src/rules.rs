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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scoring {
    /// Stones on the board and points that only one color reaches.
    Area,
    /// Empty points that only one color reaches, but not in seki, and prisoners.
    Territory,
}

/// Which repetitions are forbidden. A pass never is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// No move may recreate an earlier position of the whole board.
    Superko,
    /// Only retaking a ko on the next move is forbidden; a longer cycle that neither side breaks leaves the game without a result.
    SimpleKo,
}

/// A rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The name that `kgs-rules` and `--rules` understand.
    pub name: &'static str,
    /// Whether a move may remove the player's own chain.
    pub suicide: bool,
    /// Which repetitions are forbidden.
    pub repetition: Repetition,
    /// What is counted.
    pub scoring: Scoring,
    /// Whether dead stones come off before counting.
    pub dead_stones: DeadStones,
    /// Passes in a row that end the game.
    pub passes: usize,
    /// Points that White receives beside komi for each handicap stone, each of which is a point of Black's area.
    pub for_handicap_stone: i32,
}

impl Rules {
    /// Area scoring, no suicide, dead stones taken off at the end: the default.
    pub const CHINESE: Rules = Rules {
        name: "chinese",
        suicide: false,
        repetition: Repetition::Superko,
        scoring: Scoring::Area,
        dead_stones: DeadStones::Removed,
        passes: 2,
        for_handicap_stone: 1,
    };
    /// As Chinese, but the board is counted as it stands, and a handicap brings White nothing.
    pub const AS_IS: Rules =
        Rules { name: "as-is", dead_stones: DeadStones::Counted, for_handicap_stone: 0, ..Rules::CHINESE };
    /// The rules of Tromp and Taylor (1996): as it stands, and suicide is allowed.
    pub const TROMP_TAYLOR: Rules = Rules { name: "tromp-taylor", suicide: true, ..Rules::AS_IS };
    /// The rules of the Nihon Ki-in (1989): territory and prisoners, no superko.
    pub const JAPANESE: Rules = Rules {
        name: "japanese",
        repetition: Repetition::SimpleKo,
        scoring: Scoring::Territory,
        for_handicap_stone: 0,
        ..Rules::CHINESE
    };
    /// The draft amendment of them by Tei Meiko (2011): three passes before players agree on what is dead. What else it changes is in
    /// the confirmation of life and death.
    pub const JAPANESE_DRAFT: Rules = Rules { name: "japanese-draft", passes: 3, ..Rules::JAPANESE };

    /// Every rule set there is.
    pub const ALL: [Rules; 5] =
        [Rules::CHINESE, Rules::AS_IS, Rules::TROMP_TAYLOR, Rules::JAPANESE, Rules::JAPANESE_DRAFT];

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

/// A name of rules as programs and records write it, in the spelling of ours: lower case, with hyphens.
pub fn plain_name(name: &str) -> String {
    name.trim().to_ascii_lowercase().replace([' ', '_'], "-")
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
