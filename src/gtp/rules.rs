//! Commands about rules, and the names and words that other programs have for them.

use serde_json::{Map, Value, json};

use super::Session;
use super::parse::Args;
use super::reply::Failure;
use crate::rules::{DeadStones, Repetition, Rules, Scoring, plain_name};

/// Names of other programs, and the rule set of ours that is nearest: the same score of a finished game, except for what
/// the README says.
const ALIASES: &[(&str, &str)] = &[
    ("chinese-ogs", "chinese"),
    ("chinese-kgs", "chinese"),
    ("aga", "chinese"),
    ("bga", "chinese"),
    ("french", "chinese"),
    // Suicide is legal; dead stones have to be captured, which people need not mind.
    ("new-zealand", "tromp-taylor"),
    ("nz", "tromp-taylor"),
    ("korean", "japanese"),
];

/// The rule set of this name, which may be another program's.
pub(super) fn by_any_name(name: &str) -> Result<Rules, Failure> {
    let name = plain_name(name);
    let own = ALIASES.iter().find(|alias| alias.0 == name).map_or(name.as_str(), |alias| alias.1);
    Rules::by_name(own).map_err(|_| {
        let names: Vec<&str> = Rules::ALL.iter().map(|rules| rules.name).collect();
        let others: Vec<&str> = ALIASES.iter().filter(|a| names.contains(&a.1)).map(|alias| alias.0).collect();
        Failure::other(format!(
            "rules {name:?} are not supported, known are {}, {}",
            names.join(", "),
            others.join(", ")
        ))
    })
}

/// `kgs-rules NAME`
pub(super) fn kgs_rules(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let rules = by_any_name(args.required(0)?)?;
    put(session, rules)
}

/// `kata-get-rules`: the rules in force as JSON.
pub(super) fn kata_get_rules(session: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok(Value::Object(described(session.engine.game().rules())).to_string())
}

/// `kata-set-rules NAME` or `kata-set-rules JSON`
pub(super) fn kata_set_rules(session: &mut Session, args: &Args) -> Result<String, Failure> {
    args.required(0)?;
    let text = args.0.join(" ");
    if !text.starts_with('{') {
        let rules = by_any_name(&text)?;
        return put(session, rules);
    }
    let asked: Map<String, Value> =
        serde_json::from_str(&text).map_err(|error| Failure::other(format!("{}: {error}", Failure::Syntax)))?;
    let rules = matching(session.engine.game().rules(), &asked)?;
    put(session, rules)
}

/// `kata-set-rule KEY VALUE`
pub(super) fn kata_set_rule(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let (key, value) = (args.required(0)?, args.required(1)?);
    let value = match value.to_ascii_lowercase().as_str() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => Value::from(value),
    };
    let rules = matching(session.engine.game().rules(), &Map::from_iter([(key.to_string(), value)]))?;
    put(session, rules)
}

fn put(session: &mut Session, rules: Rules) -> Result<String, Failure> {
    session.engine.change_settings(|settings| settings.rules = rules);
    Ok(String::new())
}

/// A rule set in KataGo's words.
fn described(rules: Rules) -> Map<String, Value> {
    let area = rules.scoring == Scoring::Area;
    let words = json!({
        "friendlyPassOk": rules.dead_stones == DeadStones::Removed,
        "hasButton": false,
        "ko": match rules.repetition {
            Repetition::Superko => "POSITIONAL",
            Repetition::SimpleKo => "SIMPLE",
        },
        "scoring": if area { "AREA" } else { "TERRITORY" },
        "suicide": rules.suicide,
        "tax": if area { "NONE" } else { "SEKI" },
        "whiteHandicapBonus": if rules.for_handicap_stone > 0 { "N" } else { "0" },
    });
    words.as_object().cloned().unwrap_or_default()
}

/// The rule set that has everything asked for, and what is left open as the current one has it, if that is possible.
fn matching(current: Rules, asked: &Map<String, Value>) -> Result<Rules, Failure> {
    let now = described(current);
    for (key, value) in asked {
        let known = now.get(key).ok_or_else(|| Failure::other(format!("no rule {key:?}, known are {}", keys(&now))))?;
        if known.is_boolean() != value.is_boolean() {
            return Err(Failure::other(format!("{}: {key} cannot be {value}", Failure::Syntax)));
        }
    }
    // What is counted changes only where that is asked for.
    let keeps_count = |words: &Map<String, Value>| asked.contains_key("scoring") || words["scoring"] == now["scoring"];
    let has_all =
        |words: &Map<String, Value>| keeps_count(words) && asked.iter().all(|(key, value)| same(&words[key], value));
    let agreed = |words: &Map<String, Value>| words.iter().filter(|(key, value)| now[*key] == **value).count();
    let found = Rules::ALL.into_iter().filter(|&rules| has_all(&described(rules)));
    // Of equals the first, which is the more usual one.
    let best = found.rev().max_by_key(|&rules| agreed(&described(rules)));
    best.ok_or_else(|| {
        let wanted = Value::Object(asked.clone());
        let ours: Vec<String> =
            Rules::ALL.iter().map(|rules| format!("{}: {}", rules.name, Value::Object(described(*rules)))).collect();
        Failure::other(format!("no supported rules have {wanted}; supported are {}", ours.join(", ")))
    })
}

fn same(ours: &Value, asked: &Value) -> bool {
    match (ours.as_str(), asked.as_str()) {
        (Some(ours), Some(asked)) => ours.eq_ignore_ascii_case(asked),
        _ => ours == asked,
    }
}

fn keys(words: &Map<String, Value>) -> String {
    words.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{by_any_name, described, matching};
    use crate::rules::Rules;

    #[test]
    fn names_of_other_programs_are_understood_or_refused() {
        for (name, own) in [
            ("Chinese", "chinese"),
            ("chinese_kgs", "chinese"),
            ("AGA", "chinese"),
            ("new zealand", "tromp-taylor"),
            ("new_zealand", "tromp-taylor"),
            ("tromp-taylor", "tromp-taylor"),
            ("as-is", "as-is"),
        ] {
            assert_eq!(by_any_name(name).map(|rules| rules.name), Ok(own), "{name}");
        }
        for name in ["stone-scoring", "aga-button", "ing", ""] {
            assert!(by_any_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn every_rule_set_is_found_by_its_own_words() {
        for rules in Rules::ALL {
            let found = matching(Rules::CHINESE, &described(rules)).expect("it exists");
            assert_eq!(described(found), described(rules));
        }
    }

    #[test]
    fn rules_that_nobody_has_are_refused() {
        for asked in [
            r#"{"ko":"SIMPLE"}"#,
            r#"{"tax":"ALL"}"#,
            r#"{"hasButton":true}"#,
            r#"{"whiteHandicapBonus":"N-1"}"#,
            r#"{"suicide":"yes"}"#,
            r#"{"friendlyPassOk":1}"#,
            r#"{"color":"blue"}"#,
            r#"{"suicide":true,"friendlyPassOk":true}"#,
        ] {
            let asked = match serde_json::from_str(asked) {
                Ok(Value::Object(asked)) => asked,
                other => panic!("{other:?}"),
            };
            assert!(matching(Rules::CHINESE, &asked).is_err(), "{asked:?}");
        }
    }

    #[test]
    fn what_is_left_open_stays_as_it_is_where_it_can() {
        let asked = |text| serde_json::from_str(text).expect("valid");
        assert_eq!(matching(Rules::AS_IS, &asked(r#"{"scoring":"area"}"#)), Ok(Rules::AS_IS));
        assert_eq!(matching(Rules::CHINESE, &asked(r#"{"suicide":true}"#)), Ok(Rules::TROMP_TAYLOR));
        assert_eq!(matching(Rules::CHINESE, &asked("{}")), Ok(Rules::CHINESE));
    }
}
