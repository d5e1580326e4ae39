//! Commands that change how Keima plays, and the checks that the command line shares with them.
//!
//! Every flag of `keima gtp` can be changed here while the engine runs. GoGui shows the list as a dialog.

use std::fmt;
use std::time::Duration;

use super::Session;
use super::parse::{self, Args};
use super::reply::Failure;
use crate::engine::Settings;
use crate::geometry::{Geometry, MAX_SIZE, MIN_SIZE};
use crate::level::Level;
use crate::net::NetSource;
use crate::rules::Rules;
use crate::score::Komi;
use crate::search::{NumberError, SearchParams};

/// Most threads that may be asked for.
const MOST_THREADS: usize = 256;
/// Most memory that may be asked for, a tebibyte.
const MOST_MEMORY_MIB: usize = 1 << 20;
/// Longest fixed time per move, a day.
const LONGEST_MOVE: f64 = 86_400.0;

/// A value that a setting cannot take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParamError {
    wanted: String,
    text: String,
}

impl ParamError {
    fn new(wanted: impl fmt::Display, text: &str) -> ParamError {
        ParamError { wanted: wanted.to_string(), text: text.to_string() }
    }
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, got {:?}", self.wanted, self.text)
    }
}

impl std::error::Error for ParamError {}

/// Reads a board size.
///
/// # Errors
/// When it is no whole number or out of range.
pub fn check_size(text: &str) -> Result<Geometry, ParamError> {
    let found = text.parse().ok().and_then(Geometry::new);
    found.ok_or_else(|| ParamError::new(format!("a whole number from {MIN_SIZE} to {MAX_SIZE}"), text))
}

/// Reads komi as people write it: with a decimal point or a decimal comma.
///
/// # Errors
/// When it is no finite number.
pub fn check_komi(text: &str) -> Result<Komi, ParamError> {
    parse::komi(text).ok_or_else(|| ParamError::new("a number of points", text))
}

/// Reads a number of threads.
///
/// # Errors
/// When it is no whole number or out of range.
pub fn check_threads(text: &str) -> Result<usize, ParamError> {
    let found = text.parse().ok().filter(|count| (1..=MOST_THREADS).contains(count));
    found.ok_or_else(|| ParamError::new(format!("a whole number from 1 to {MOST_THREADS}"), text))
}

/// Reads a number of playouts.
///
/// # Errors
/// When it is no whole number or zero.
pub fn check_playouts(text: &str) -> Result<u64, ParamError> {
    let found = text.parse().ok().filter(|&count| count > 0);
    found.ok_or_else(|| ParamError::new("a whole number above 0", text))
}

/// Reads a time per move in seconds.
///
/// # Errors
/// When it is no number or out of range.
pub fn check_time(text: &str) -> Result<Duration, ParamError> {
    let found = text.parse().ok().filter(|&seconds| seconds > 0.0 && seconds <= LONGEST_MOVE);
    let seconds = found.ok_or_else(|| ParamError::new(format!("seconds above 0 and up to {LONGEST_MOVE}"), text))?;
    Ok(Duration::from_secs_f64(seconds))
}

/// Reads an amount of memory in MiB.
///
/// # Errors
/// When it is no whole number or out of range.
pub fn check_memory(text: &str) -> Result<usize, ParamError> {
    let found = text.parse().ok().filter(|mib| (1..=MOST_MEMORY_MIB).contains(mib));
    found.ok_or_else(|| ParamError::new(format!("MiB from 1 to {MOST_MEMORY_MIB}"), text))
}

/// Reads what the engine is to be called.
///
/// # Errors
/// When it is no single word.
pub fn check_name(text: &str) -> Result<String, ParamError> {
    let is_word = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    if is_word { Ok(text.to_string()) } else { Err(ParamError::new("a word of ASCII characters", text)) }
}

fn check_net(text: &str) -> Result<NetSource, ParamError> {
    NetSource::load(text)
        .map_err(|error| ParamError::new(format!("built-in, none or a file of weights ({error})"), text))
}

fn check_switch(text: &str) -> Result<bool, ParamError> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "on" | "yes" => Ok(true),
        "0" | "false" | "off" | "no" => Ok(false),
        _ => Err(ParamError::new("1 or 0", text)),
    }
}

fn check_seed(text: &str) -> Result<u64, ParamError> {
    text.parse().map_err(|_| ParamError::new("a whole number", text))
}

/// Reads a value that may also be left to the engine, by the word `unset`.
fn optional<T>(unset: &str, text: &str, read: fn(&str) -> Result<T, ParamError>) -> Result<Option<T>, ParamError> {
    if text.eq_ignore_ascii_case(unset) {
        return Ok(None);
    }
    let named = |error: ParamError| ParamError { wanted: format!("{} or {unset}", error.wanted), ..error };
    read(text).map(Some).map_err(named)
}

fn shown<T: fmt::Display>(unset: &str, value: Option<T>) -> String {
    value.map_or_else(|| unset.to_string(), |value| value.to_string())
}

/// A setting with its name, its type as GoGui calls it, and how it is read and changed.
struct Param {
    name: &'static str,
    kind: fn() -> String,
    get: fn(&Settings) -> String,
    set: fn(&mut Settings, &str) -> Result<(), ParamError>,
}

fn string() -> String {
    "string".to_string()
}

fn switch() -> String {
    "bool".to_string()
}

fn levels() -> String {
    format!("list/{}", Level::ALL.map(Level::name).join("/"))
}

fn rule_sets() -> String {
    format!("list/{}", Rules::ALL.map(|rules| rules.name).join("/"))
}

fn set_level(settings: &mut Settings, text: &str) -> Result<(), ParamError> {
    settings.level = text.parse().map_err(|_| ParamError::new(Level::ALL.map(Level::name).join(", "), text))?;
    Ok(())
}

fn set_rules(settings: &mut Settings, text: &str) -> Result<(), ParamError> {
    let names = || Rules::ALL.map(|rules| rules.name).join(", ");
    settings.rules = Rules::by_name(text).map_err(|_| ParamError::new(names(), text))?;
    Ok(())
}

/// Every setting that can be changed while the engine runs, apart from size and komi, which have standard commands.
const PARAMS: &[Param] = &[
    Param { name: "level", kind: levels, get: |s| s.level.to_string(), set: set_level },
    Param { name: "rules", kind: rule_sets, get: |s| s.rules.name.to_string(), set: set_rules },
    Param {
        name: "threads",
        kind: string,
        get: |s| s.threads.to_string(),
        set: |s, text| check_threads(text).map(|count| s.threads = count),
    },
    Param {
        name: "playouts",
        kind: string,
        get: |s| shown("unlimited", s.playouts),
        set: |s, text| optional("unlimited", text, check_playouts).map(|count| s.playouts = count),
    },
    Param {
        name: "time",
        kind: string,
        get: |s| shown("auto", s.move_time.map(|time| time.as_secs_f64())),
        set: |s, text| optional("auto", text, check_time).map(|time| s.move_time = time),
    },
    Param {
        name: "seed",
        kind: string,
        get: |s| shown("random", s.seed),
        set: |s, text| optional("random", text, check_seed).map(|seed| s.seed = seed),
    },
    Param {
        name: "memory",
        kind: string,
        get: |s| shown("auto", s.memory_mib),
        set: |s, text| optional("auto", text, check_memory).map(|mib| s.memory_mib = mib),
    },
    Param {
        name: "net",
        kind: string,
        get: |s| s.net.to_string(),
        set: |s, text| check_net(text).map(|net| s.net = net),
    },
    Param {
        name: "name",
        kind: string,
        get: |s| s.name.clone(),
        set: |s, text| check_name(text).map(|name| s.name = name),
    },
    Param {
        name: "ponder",
        kind: switch,
        get: |s| u8::from(s.ponder).to_string(),
        set: |s, text| check_switch(text).map(|on| s.ponder = on),
    },
    Param {
        name: "resign",
        kind: switch,
        get: |s| u8::from(s.resign).to_string(),
        set: |s, text| check_switch(text).map(|on| s.resign = on),
    },
];

/// `keima-param [NAME [VALUE]]`: all settings but the numbers of the search in GoGui's `param` format, one setting's value, or a new value for it.
pub(super) fn keima_param(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let settings = session.engine.settings();
    let Some(name) = args.get(0) else {
        let line = |param: &Param| format!("[{}] {} {}", (param.kind)(), param.name, (param.get)(settings));
        let live = format!("[bool] {LIVE_GRAPHICS} {}", u8::from(session.live_graphics));
        return Ok(PARAMS.iter().map(line).chain([live]).collect::<Vec<_>>().join("\n"));
    };
    if name == LIVE_GRAPHICS {
        return live_graphics(session, args.get(1));
    }
    if name == SEARCH && args.get(1).is_some() {
        // GoGui's dialog of the numbers sets them by the command that lists them.
        return keima_param(session, &Args(args.0[1..].to_vec()));
    }
    if name == SEARCH {
        let line = |(name, value)| format!("[string] {SEARCH}.{name} {}", value as f32);
        return Ok(settings.search.numbers().map(line).collect::<Vec<_>>().join("\n"));
    }
    if let Some(name) = name.strip_prefix(SEARCH).and_then(|rest| rest.strip_prefix('.')) {
        return search_param(session, name, args.get(1));
    }
    query_or_set(session, name, args.get(1))
}

/// What the names of the numbers of the search begin with, before a dot. They are for tuning, so the list that GoGui makes a dialog
/// of leaves them out; this word alone lists them.
const SEARCH: &str = "search";

/// The name of the switch for drawing in GoGui while thinking: the protocol's own setting, not the engine's.
const LIVE_GRAPHICS: &str = "live-graphics";

fn live_graphics(session: &mut Session, value: Option<&str>) -> Result<String, Failure> {
    let Some(text) = value else { return Ok(u8::from(session.live_graphics).to_string()) };
    let on = check_switch(text).map_err(|error| Failure::other(format!("{LIVE_GRAPHICS}: {error}")))?;
    session.live_graphics = on;
    Ok(String::new())
}

/// KataGo's names of settings, and ours.
const KATA_NAMES: &[(&str, &str)] = &[
    ("maxVisits", "playouts"),
    ("maxTime", "time"),
    ("numSearchThreads", "threads"),
    ("ponderingEnabled", "ponder"),
    ("allowResignation", "resign"),
];
/// As many visits as KataGo's settings say for no limit.
const NO_LIMIT: u64 = 1 << 50;

/// `kata-list-params`
pub(super) fn kata_list_params(_: &mut Session, _: &Args) -> Result<String, Failure> {
    Ok(KATA_NAMES.iter().map(|names| names.0).collect::<Vec<_>>().join(" "))
}

/// `kata-get-param NAME`
pub(super) fn kata_get_param(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let (kata, own) = kata_name(args)?;
    let value = query_or_set(session, own, None)?;
    Ok(match (kata, value.as_str()) {
        ("maxVisits", "unlimited") => NO_LIMIT.to_string(),
        ("maxTime", "auto") => crate::engine::DEFAULT_MOVE_TIME.as_secs_f64().to_string(),
        ("ponderingEnabled" | "allowResignation", on) => (on == "1").to_string(),
        _ => value,
    })
}

/// `kata-set-param NAME VALUE`
pub(super) fn kata_set_param(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let (kata, own) = kata_name(args)?;
    let value = args.required(1)?;
    let is_no_limit = kata == "maxVisits" && value.parse::<u64>().is_ok_and(|count| count >= NO_LIMIT);
    query_or_set(session, own, Some(if is_no_limit { "unlimited" } else { value }))
}

fn kata_name(args: &Args) -> Result<(&'static str, &'static str), Failure> {
    let name = args.required(0)?;
    let found = KATA_NAMES.iter().find(|names| names.0.eq_ignore_ascii_case(name)).copied();
    let known = || KATA_NAMES.iter().map(|names| names.0).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| Failure::other(format!("no parameter {name:?}, known are {}", known())))
}

/// Leela Zero's names of settings, in lower case, and ours.
const LEELA_NAMES: &[(&str, &str)] =
    &[("visits", "playouts"), ("maximum memory use (mib)", "memory"), ("resign percentage", "resign")];
/// As many visits as Leela Zero's settings say for no limit; so does 0.
const LEELA_NO_LIMIT: u64 = 1_000_000_000;

/// `lz-setoption name NAME [value VALUE]`, where both may be of several words.
pub(super) fn lz_setoption(session: &mut Session, args: &Args) -> Result<String, Failure> {
    let words = &args.0;
    if !words.first().is_some_and(|word| word.eq_ignore_ascii_case("name")) {
        return Err(Failure::Syntax);
    }
    let end = words.iter().position(|word| word.eq_ignore_ascii_case("value")).unwrap_or(words.len());
    let name = words[1..end].join(" ").to_ascii_lowercase();
    let value = words.get(end + 1).ok_or(Failure::Syntax)?;
    let Some((_, own)) = LEELA_NAMES.iter().find(|names| names.0 == name) else {
        let known = LEELA_NAMES.iter().map(|names| names.0).collect::<Vec<_>>().join(", ");
        return Err(Failure::other(format!("no option {name:?}, known are {known}")));
    };
    let number: f64 = value.parse().map_err(|_| Failure::Syntax)?;
    let value = match *own {
        "playouts" if number == 0.0 || number >= LEELA_NO_LIMIT as f64 => "unlimited",
        "memory" if number == 0.0 => "auto",
        "resign" if number == 0.0 => "0",
        "resign" => "1",
        _ => value,
    };
    query_or_set(session, own, Some(value))
}

/// One number of the search, read or changed.
fn search_param(session: &mut Session, name: &str, value: Option<&str>) -> Result<String, Failure> {
    let mut search = session.engine.settings().search.clone();
    let Some(text) = value else {
        let value = search.numbers().find(|number| number.0 == name).map(|number| (number.1 as f32).to_string());
        return value.ok_or_else(|| Failure::other(ParamError::new(NumberError::UnknownName, name).to_string()));
    };
    set_search_param(&mut search, name, text).map_err(|error| Failure::other(format!("{SEARCH}.{name}: {error}")))?;
    session.engine.change_settings(|current| current.search = search);
    Ok(String::new())
}

fn set_search_param(search: &mut SearchParams, name: &str, text: &str) -> Result<(), ParamError> {
    let value = text.parse().map_err(|_| ParamError::new("a number", text))?;
    search
        .set_number(name, value)
        .map_err(|error| ParamError::new(error, if error == NumberError::UnknownName { name } else { text }))
}

/// Reads `NAME=VALUE` for a number of the search.
///
/// # Errors
/// When it has another form, no parameter has this name, or the value is out of range.
pub fn check_search(text: &str) -> Result<(String, f64), ParamError> {
    let (name, value) = text.split_once('=').ok_or_else(|| ParamError::new("NAME=VALUE", text))?;
    set_search_param(&mut SearchParams::default(), name, value)?;
    Ok((name.to_string(), value.parse().unwrap_or_default()))
}

/// Sets numbers of the search, each `NAME=VALUE`.
///
/// # Errors
/// As [`check_search`], for the first that is wrong; those before it are set.
pub fn set_search(search: &mut SearchParams, pairs: &[String]) -> Result<(), ParamError> {
    pairs.iter().try_for_each(|pair| {
        let (name, value) = pair.split_once('=').ok_or_else(|| ParamError::new("NAME=VALUE", pair))?;
        set_search_param(search, name, value)
    })
}

/// `keima-level [NAME]`
pub(super) fn keima_level(session: &mut Session, args: &Args) -> Result<String, Failure> {
    query_or_set(session, "level", args.get(0))
}

/// `keima-rules [NAME]`
pub(super) fn keima_rules(session: &mut Session, args: &Args) -> Result<String, Failure> {
    query_or_set(session, "rules", args.get(0))
}

fn query_or_set(session: &mut Session, name: &str, value: Option<&str>) -> Result<String, Failure> {
    let Some(param) = PARAMS.iter().find(|param| param.name.eq_ignore_ascii_case(name)) else {
        let names: Vec<&str> = PARAMS.iter().map(|param| param.name).collect();
        return Err(Failure::other(format!("no parameter {name:?}, known are {}", names.join(", "))));
    };
    let Some(value) = value else { return Ok((param.get)(session.engine.settings())) };
    // Tried on a copy, so that a refused value changes nothing.
    let mut settings = session.engine.settings().clone();
    (param.set)(&mut settings, value).map_err(|error| Failure::other(format!("{}: {error}", param.name)))?;
    session.engine.change_settings(|current| *current = settings);
    Ok(String::new())
}
