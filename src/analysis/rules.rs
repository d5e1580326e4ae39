//! Rules as KataGo's protocols name or describe them, and the nearest that Keima has.

use serde_json::{Map, Value};

use crate::rules::{DeadStones, Rules, plain_name};

/// What White gets for handicap stones beside komi.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bonus {
    /// Nothing.
    None,
    /// A point for each stone.
    EachStone,
    /// A point for each stone but one.
    AllButOne,
}

impl Bonus {
    /// From `"0"`, `"N"` or `"N-1"`.
    pub fn read(value: &Value) -> Option<Bonus> {
        match value.as_str()? {
            "0" => Some(Bonus::None),
            "N" => Some(Bonus::EachStone),
            "N-1" => Some(Bonus::AllButOne),
            _ => None,
        }
    }

    /// Points for White when Black has that many handicap stones.
    pub fn points(self, handicap: usize) -> f64 {
        match self {
            Bonus::None => 0.0,
            Bonus::EachStone => handicap as f64,
            Bonus::AllButOne => handicap.saturating_sub(1) as f64,
        }
    }
}

/// Rules that Keima can play by, for rules that were asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    pub rules: Rules,
    pub bonus: Bonus,
    /// What is different, where something is that can change a score.
    pub warning: Option<String>,
}

impl Reading {
    /// What White gets for handicap stones is told beside the rules, and not twice.
    fn new(rules: Rules, bonus: Bonus, warning: Option<String>) -> Reading {
        Reading { rules: Rules { for_handicap_stone: 0, ..rules }, bonus, warning }
    }
}

/// Reads a name, an object, or an object in a string.
///
/// # Errors
/// When there are no such rules; the text says so.
pub fn read(value: &Value) -> Result<Reading, String> {
    match value {
        Value::String(text) if text.trim_start().starts_with('{') => match serde_json::from_str(text) {
            Ok(Value::Object(object)) => by_properties(&object),
            _ => Err(unknown(text)),
        },
        Value::String(name) => by_name(name).ok_or_else(|| unknown(name)),
        Value::Object(object) => by_properties(object),
        _ => Err("must be the name of a rule set such as \"chinese\", or an object".to_string()),
    }
}

fn unknown(text: &str) -> String {
    format!("could not parse rules: {}", text.chars().take(80).collect::<String>())
}

/// Name of the rules of New Zealand: area, suicide allowed, dead stones taken off.
const NEW_ZEALAND: Rules = Rules { name: "new-zealand", suicide: true, ..Rules::CHINESE };

fn by_name(name: &str) -> Option<Reading> {
    let name = plain_name(name);
    let (rules, bonus, exact) = match name.as_str() {
        "tromp-taylor" => (Rules::TROMP_TAYLOR, Bonus::None, true),
        "chinese" | "chinese-ogs" | "chinese-kgs" => (Rules::CHINESE, Bonus::EachStone, true),
        "aga" | "bga" | "french" => (Rules::CHINESE, Bonus::AllButOne, true),
        "new-zealand" | "nz" => (NEW_ZEALAND, Bonus::None, true),
        "japanese" | "korean" => (Rules::JAPANESE, Bonus::None, true),
        "stone-scoring" | "ancient-area" | "aga-button" | "goe" | "ing" => (Rules::CHINESE, Bonus::None, false),
        other => (Rules::by_name(other).ok()?, Bonus::None, true),
    };
    let warning =
        (!exact).then(|| format!("Keima does not have {name} rules and counts area, by {} rules", rules.name));
    Some(Reading::new(rules, bonus, warning))
}

/// Each property that is missing is that of Tromp and Taylor's rules.
fn by_properties(object: &Map<String, Value>) -> Result<Reading, String> {
    let mut rules = Rules { name: "custom", ..Rules::TROMP_TAYLOR };
    let mut bonus = Bonus::None;
    let mut different = Vec::new();
    let territory = ["scoring", "scoringRule"].iter().any(|key| object.get(*key).is_some_and(|v| v == "TERRITORY"));
    if territory {
        rules = Rules { name: "custom", ..Rules::JAPANESE };
    }
    for (key, value) in object {
        let text = value.as_str().unwrap_or_default();
        match (key.as_str(), text, value.as_bool()) {
            ("ko", "SIMPLE" | "POSITIONAL" | "SITUATIONAL" | "SPIGHT", _) => {}
            ("scoring", "AREA", _) | ("tax", "NONE", _) | ("hasButton", _, Some(false)) => {}
            ("scoring" | "scoringRule", "TERRITORY", _) => {}
            ("tax", "SEKI", _) if territory => {}
            ("tax", "SEKI" | "ALL", _) => different.push("a tax on groups"),
            ("hasButton", _, Some(true)) => different.push("a button"),
            ("suicide" | "multiStoneSuicideLegal", _, Some(allowed)) => rules.suicide = allowed,
            ("friendlyPassOk", _, Some(friendly)) => {
                rules.dead_stones = if friendly { DeadStones::Removed } else { DeadStones::Counted };
            }
            ("whiteHandicapBonus", ..) => {
                bonus = Bonus::read(value).ok_or_else(|| unknown(&format!("{key}: {value}")))?
            }
            ("komi", ..) if value.is_number() => {}
            _ => return Err(unknown(&format!("{key}: {value}"))),
        }
    }
    let warning = (!different.is_empty()).then(|| format!("Keima counts without {}", different.join(", ")));
    Ok(Reading::new(rules, bonus, warning))
}
