//! What requests say: JSON with exactly the fields that are known, and how a new game follows from it.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::call::CallError;
use super::charter::{Charter, Player};
use super::hall::Plan;
use super::seats::{Digest, Seat, draw_seed};
use super::store::now;
use super::table::Action;
use crate::color::{Color, PerColor};
use crate::game::Game;
use crate::geometry::{Geometry, Move};
use crate::level::Level;
use crate::rules::{Repetition, Rules, Scoring};
use crate::score::Komi;
use crate::sgf::read_games;

/// The boards that are offered.
pub const SIZES: [usize; 5] = [5, 7, 9, 13, 19];
/// The rules that are offered.
pub const RULES: [Rules; 3] = [Rules::AS_IS, Rules::CHINESE, Rules::JAPANESE];
/// Characters of a name.
pub const NAME_MOST: usize = 24;
/// Stones that a first-capture game may ask for.
const CAPTURES_MOST: usize = 5;
/// Moves of a record that is played on.
const RECORD_MOST: usize = 1000;
/// Komi beyond which a game makes no sense.
const KOMI_MOST: f64 = 100.0;

/// Reads a body.
///
/// # Errors
/// When it is not JSON, or a field is missing, unknown or of the wrong kind.
pub fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, CallError> {
    serde_json::from_slice(body).map_err(|error| CallError::BadRequest(error.to_string()))
}

/// A game to be made.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct NewGame {
    size: Option<usize>,
    rules: Option<String>,
    komi: Option<f64>,
    handicap: usize,
    first_capture: usize,
    black: String,
    white: String,
    seat: Option<String>,
    name: String,
    spectators: Option<bool>,
    undo: Option<bool>,
    seed: Option<u64>,
    sgf: Option<String>,
    key: Option<String>,
}

/// An invitation that is looked at.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// The invitation.
    pub invitation: String,
}

/// An invitation that is taken.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// The invitation.
    pub invitation: String,
    /// What the guest wants to be called.
    #[serde(default)]
    pub name: String,
    /// With it the same guest may ask again.
    #[serde(default)]
    pub key: Option<String>,
}

/// A new name.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Rename {
    /// The name.
    pub name: String,
}

/// Nothing.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Empty {}

/// A write on a game.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Write {
    version: u64,
    #[serde(rename = "move")]
    mv: Option<String>,
    point: Option<String>,
    dead: Option<bool>,
    swap: Option<bool>,
}

/// A write on a game, understood.
#[derive(Debug)]
pub struct Wish {
    /// The version that was seen.
    pub version: u64,
    /// What is to be done; `None` for a hint.
    pub action: Option<Action>,
    /// Whether another game is played with colors exchanged, where the players can choose.
    pub swap: bool,
}

/// Reads what is to be done by the last part of the address and the body.
///
/// # Errors
/// When the body does not fit.
pub fn wish(name: &[&str], body: &[u8], geometry: Geometry) -> Result<Wish, CallError> {
    let write: Write = read(body)?;
    let missing = |field: &str| CallError::BadRequest(format!("missing field `{field}`"));
    let point = |text: &str| match geometry.parse_move(text) {
        Ok(Move::Play(point)) => Ok(point),
        _ => Err(CallError::BadValue("bad-move")),
    };
    let wants = |mv: bool, mark: bool, swap: bool| {
        let too_much = (write.mv.is_some() && !mv)
            || ((write.point.is_some() || write.dead.is_some()) && !mark)
            || (write.swap.is_some() && !swap);
        if too_much { Err(CallError::BadRequest("a field that does not belong here".to_string())) } else { Ok(()) }
    };
    wants(name == ["moves"], name == ["mark"], name == ["rematch"])?;
    let action = match name {
        ["moves"] => match write.mv.as_deref().ok_or_else(|| missing("move"))? {
            "resign" => Action::Resign,
            text => Action::Move(geometry.parse_move(text).map_err(|_| CallError::BadValue("bad-move"))?),
        },
        ["undo"] => Action::Undo,
        ["undo", "accept"] => Action::AcceptUndo,
        ["undo", "decline"] => Action::DeclineUndo,
        ["resume"] => Action::Resume,
        ["mark"] => Action::Mark(
            point(write.point.as_deref().ok_or_else(|| missing("point"))?)?,
            write.dead.ok_or_else(|| missing("dead"))?,
        ),
        ["accept"] => Action::Accept,
        ["claim"] => Action::Claim,
        ["rematch"] => Action::Rematch,
        ["hint"] => return Ok(Wish { version: write.version, action: None, swap: false }),
        _ => return Err(CallError::NotFound("no-page")),
    };
    Ok(Wish { version: write.version, action: Some(action), swap: write.swap.unwrap_or(false) })
}

/// A name that may be shown: short, in one line, without anything that turns text around.
///
/// # Errors
/// When it is not like that.
pub fn checked_name(name: &str) -> Result<String, CallError> {
    let name = name.trim();
    // Marks that reverse the direction of what follows could disguise the text around a name.
    let reverses = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if name.chars().count() > NAME_MOST || name.chars().any(|c| c.is_control() || reverses(c)) {
        return Err(CallError::BadValue("bad-name"));
    }
    Ok(name.to_string())
}

/// The digest of a key with which a request may come again.
///
/// # Errors
/// When it is too short to be nobody else's.
pub fn checked_key(key: Option<&str>) -> Result<Option<Digest>, CallError> {
    let is_good = |key: &str| (16..=64).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match key {
        Some(key) if !is_good(key) => Err(CallError::BadRequest("key".to_string())),
        key => Ok(key.map(Digest::of)),
    }
}

/// Most handicap stones on a board.
pub fn handicap_most(geometry: Geometry) -> usize {
    (2..=9).rev().find(|&count| geometry.handicap_points(count).is_some()).unwrap_or(0)
}

/// The usual komi of rules, in points.
pub fn usual_komi(rules: Rules) -> f64 {
    if rules == Rules::CHINESE { 7.5 } else { Komi::DEFAULT.points() }
}

/// The rules here that are nearest to those of a record.
fn nearest(rules: Rules) -> Rules {
    match (rules.scoring, rules.repetition) {
        (Scoring::Territory, _) | (_, Repetition::SimpleKo) => Rules::JAPANESE,
        _ if rules == Rules::CHINESE => Rules::CHINESE,
        _ => Rules::AS_IS,
    }
}

impl NewGame {
    /// The game that is asked for.
    ///
    /// # Errors
    /// When a value is not one of those offered.
    pub fn plan(&self) -> Result<Plan, CallError> {
        let players = PerColor([self.player(&self.black)?, self.player(&self.white)?]);
        let is_human = |color: Color| matches!(players[color], Player::Human { .. });
        let both = self.seat.as_deref() == Some("both");
        let seat = match (is_human(Color::Black), is_human(Color::White), self.seat.as_deref()) {
            (false, false, _) => return Err(CallError::BadValue("bad-players")),
            (true, false, None | Some("black")) | (true, true, Some("black")) => Seat::One(Color::Black),
            (false, true, None | Some("white")) | (true, true, Some("white")) => Seat::One(Color::White),
            (true, true, Some("both")) => Seat::Both,
            _ => return Err(CallError::BadValue("bad-players")),
        };
        let game = match &self.sgf {
            Some(sgf) => self.recorded_game(sgf)?,
            None => self.new_game()?,
        };
        let floor = game.turns().len();
        let [mut black, mut white] = players.0;
        let name = checked_name(&self.name)?;
        let own = if seat == Seat::One(Color::White) { &mut white } else { &mut black };
        if let Player::Human { name: own, .. } = own {
            *own = name;
        }
        let charter = Charter {
            created: now(),
            black,
            white,
            both,
            guest: None,
            invitation: None,
            join_key: None,
            made_by: None,
            first_capture: self.first_capture,
            spectators: self.spectators.unwrap_or(true),
            undo: self.undo.unwrap_or(true),
            seed: self.seed.map_or_else(draw_seed, Ok)?,
            floor,
        };
        Ok(Plan { charter, game, seat, key: checked_key(self.key.as_deref())? })
    }

    fn player(&self, text: &str) -> Result<Player, CallError> {
        match text.split_once(':') {
            None if text == "human" => Ok(Player::Human { name: String::new(), tokens: Vec::new() }),
            Some(("cpu", level)) => {
                let named = Level::ALL.into_iter().find(|known| known.name() == level);
                named.map(|level| Player::Cpu { level }).ok_or(CallError::BadValue("bad-players"))
            }
            _ => Err(CallError::BadValue("bad-players")),
        }
    }

    fn rules(&self) -> Result<Option<Rules>, CallError> {
        let find = |name: &String| RULES.into_iter().find(|rules| rules.name == name);
        self.rules.as_ref().map(|name| find(name).ok_or(CallError::BadValue("bad-rules"))).transpose()
    }

    fn new_game(&self) -> Result<Game, CallError> {
        let size = self.size.filter(|size| SIZES.contains(size));
        let geometry = size.and_then(Geometry::new).ok_or(CallError::BadValue("bad-size"))?;
        let rules = self.rules()?.unwrap_or(Rules::AS_IS);
        if self.first_capture > CAPTURES_MOST
            || (self.first_capture > 0 && (rules != Rules::AS_IS || self.handicap > 0))
        {
            return Err(CallError::BadValue("bad-first-capture"));
        }
        let usual = match (self.first_capture, self.handicap) {
            (0, 0) => usual_komi(rules),
            (0, _) => 0.5,
            _ => 0.0,
        };
        let komi = self.komi.unwrap_or(usual);
        let is_half = |points: f64| (points * 2.0).fract() == 0.0;
        let komi = Some(komi).filter(|komi| komi.abs() <= KOMI_MOST && is_half(*komi)).and_then(Komi::from_points);
        let mut game = Game::new(geometry, rules, komi.ok_or(CallError::BadValue("bad-komi"))?);
        if self.handicap > 0 {
            let points = geometry.handicap_points(self.handicap).ok_or(CallError::BadValue("bad-handicap"))?;
            game.place_handicap(&points).map_err(|_| CallError::BadValue("bad-handicap"))?;
        }
        Ok(game)
    }

    /// The game at the end of a record, to be played on.
    fn recorded_game(&self, sgf: &str) -> Result<Game, CallError> {
        if self.first_capture > 0 {
            return Err(CallError::BadValue("bad-first-capture"));
        }
        let bad = |line: usize, why: &str| CallError::BadSgf(line, why.to_string());
        let records = read_games(sgf.as_bytes()).map_err(|error| bad(error.line, &error.kind.to_string()))?;
        let mut record = records.into_iter().next().ok_or_else(|| bad(1, "no game record found"))?;
        let size = record.geometry.size();
        if !SIZES.contains(&size) || self.size.is_some_and(|wanted| wanted != size) {
            return Err(CallError::BadValue("bad-size"));
        }
        if record.moves.len() > RECORD_MOST {
            return Err(bad(1, "too many moves"));
        }
        if !record.edits.is_empty() {
            // The record that is kept of a game could not say how many prisoners there were before.
            return Err(bad(1, "stones are set up between moves"));
        }
        if record.moves.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(bad(1, "the players do not take turns"));
        }
        // Whoever wants to play on does not want to count first.
        while record.moves.last().is_some_and(|&(_, mv)| mv == Move::Pass) {
            record.moves.pop();
        }
        if record.komi.is_some_and(|komi| komi.points().abs() > KOMI_MOST) {
            return Err(CallError::BadValue("bad-komi"));
        }
        let rules = self.rules()?.or_else(|| record.rules().map(nearest)).unwrap_or(Rules::AS_IS);
        let game = record.to_game(rules).map_err(|error| bad(1, &error.to_string()))?;
        if game.handicap() > 0 && game.geometry().handicap_points(game.handicap()).is_none() {
            return Err(CallError::BadValue("bad-handicap"));
        }
        Ok(game)
    }
}
